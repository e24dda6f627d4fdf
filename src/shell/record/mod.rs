//! The record of a game on the disk: entries, their chain, and the proof that nothing was changed.

pub(crate) mod access;
pub mod catalogue;
pub(crate) mod file_identity;
pub mod format;
pub mod heartbeat;
pub mod kept_score;
#[cfg(feature = "recognizer")]
pub mod kept_sounds;
pub mod own_entry;
pub(crate) mod reading;
pub mod recorder;
pub mod rescue;
pub(crate) mod seal;
pub mod sealed_move;
pub mod store;
pub mod utterance_files;
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub mod utterance_writer;
pub(crate) mod wal;
pub(crate) mod writer_thread;
