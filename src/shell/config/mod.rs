//! The user's settings, and the places of the program's data and folders.

pub(crate) mod check;
pub mod data;
pub mod folders;
pub(crate) mod holders;
pub mod language;
pub mod settings;
