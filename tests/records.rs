//! The tests of the Laws, of scores and records, and of what is made of recorded boards: nothing
//! here starts the program but to read files.

mod common;
mod told;
#[path = "common/waiting.rs"]
mod waiting;
#[path = "common/work.rs"]
mod work;

mod any_series;
mod articles;
mod board_captures;
mod board_fuzz;
mod board_recordings;
mod board_simulated;
mod board_tapes;
mod fuzz;
mod handed_in;
mod journals;
mod laws;
mod laws_properties;
mod score_files;
mod scores;
mod sheets;
mod simulation;
mod taken_down;
