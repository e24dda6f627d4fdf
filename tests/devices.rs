//! The tests of what annexd speaks through, hears with and is connected to.

mod common;
#[cfg(all(target_os = "linux", feature = "gamepad"))]
#[path = "vanishing/pad.rs"]
mod pad;
#[cfg(all(feature = "audio", any(feature = "recognizer", feature = "voice")))]
mod room;
#[path = "common/waiting.rs"]
mod waiting;

mod board_clocks;
mod board_lines;
mod board_ports;
mod braille;
mod gamepad;
mod hearing;
mod kits;
mod silence;
mod speaking;
mod stalling;
mod vanishing;
mod voices;
