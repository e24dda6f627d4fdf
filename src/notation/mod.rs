//! How a move is announced, written, heard and said.

mod announcement;
pub mod as_words;
mod said;

pub use announcement::{Announcement, Castling, CheckMark, MoveAnnouncement};
pub use said::{Command, Heard, Said};
