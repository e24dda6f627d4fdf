//! Puts a game together: who sits where, which devices are opened.

pub mod assemble;
#[cfg(unix)]
mod display;
pub mod guest;
#[cfg(all(feature = "audio", feature = "recognizer"))]
mod hearing_models;
pub mod open_devices;
pub mod seating;
#[cfg(not(unix))]
mod without_display;
#[cfg(not(feature = "page"))]
mod without_pages;
