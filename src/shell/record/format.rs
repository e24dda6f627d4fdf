//! How game files are recognised.

/// The extension of game files.
pub const EXTENSION: &str = "annexd";

/// The application id in SQLite's header of our files: "axd" and a digit.
pub(crate) const APPLICATION_ID: i32 = 0x6178_6431;
