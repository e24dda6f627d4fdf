//! The tests of the program as a whole: games at the table and at consoles, what is kept of them,
//! and what the sources and documents must be like.

mod common;
#[cfg(all(feature = "audio", any(feature = "recognizer", feature = "voice")))]
mod room;
#[path = "common/waiting.rs"]
mod waiting;

mod adjourned;
mod alone;
mod another_language;
mod browser;
mod circles;
mod consoles;
mod controls;
mod documents;
mod evening;
mod first_game;
mod keeping;
mod killed;
mod leak;
mod learn;
mod leaving;
mod links_no_device;
mod links_no_engine;
mod links_no_network;
mod offline;
mod one_language;
mod page_views;
mod pages;
mod paragraphs;
mod powercut;
mod private;
mod refused;
mod restoring;
mod seats;
mod set_up;
mod soak;
mod storm;
mod terminal;
mod tidy;
