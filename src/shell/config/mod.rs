//! What the user has chosen, and where the program finds its data and folders.

pub(crate) mod check;
pub mod data;
pub mod folders;
pub(crate) mod holders;
pub mod language;
pub mod settings;
