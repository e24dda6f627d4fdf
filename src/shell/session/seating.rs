//! Who sits where at a table.

use std::sync::Arc;

use shakmaty::Color;

use super::guest::Guest;
use crate::game::Input;
use crate::journal::SeatEvent;
use crate::persons::Person;
use crate::shell::consoles::languages::ConsoleLanguages;
use crate::shell::seats::Seats;
use crate::shell::table::Seat;

/// The seating, besides what the settings say.
#[derive(Clone, Debug)]
pub struct Seating {
    /// The seat at the terminal in which the program was started.
    pub seat: Seat,
    /// Whether devices are used at all.
    pub has_devices: bool,
    /// The seats as recorded.
    pub seats: Seats,
    /// Events at seats from before the game was opened, which belong in its record.
    pub seat_events: Vec<(Person, SeatEvent)>,
    /// Inputs from before the game was opened, which belong in its record: the arbiter's approval.
    pub first: Vec<Input>,
    /// The languages of consoles.
    pub console_languages: ConsoleLanguages,
    /// The player without a console, if there is one.
    pub guest: Option<Arc<dyn Guest>>,
}

/// The seat that a word names: `white`, `black`, `assistant`, `arbiter`, or `shared`.
///
/// # Errors
///
/// If it is none of them.
pub fn seat_of(word: &str) -> Result<Seat, String> {
    Ok(match word {
        "shared" => Seat::Shared,
        "white" => Seat::Of(Person::Player(Color::White)),
        "black" => Seat::Of(Person::Player(Color::Black)),
        "assistant" | "assistant-white" => Seat::Of(Person::Assistant(Color::White)),
        "assistant-black" => Seat::Of(Person::Assistant(Color::Black)),
        "arbiter" => Seat::Of(Person::Arbiter),
        _ => {
            return Err(
                "write shared, white, black, assistant-white, assistant-black or arbiter"
                    .to_owned(),
            );
        }
    })
}
