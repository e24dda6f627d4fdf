//! How files of games are told from others.

/// The ending of the names of game files.
pub const EXTENSION: &str = "annexd";

/// What SQLite finds in the head of our files: "axd" and a digit.
pub(crate) const APPLICATION_ID: i32 = 0x6178_6431;
