//! How a move is announced, written, heard and said.

mod announcement;
pub mod as_words;

pub use announcement::{Announcement, Castling, CheckMark, MoveAnnouncement};
