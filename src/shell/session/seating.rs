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

/// Who sits where, besides what the settings say.
#[derive(Clone, Debug)]
pub struct Seating {
    /// Who types at the terminal the program was started in.
    pub seat: Seat,
    /// Whether devices are used at all.
    pub has_devices: bool,
    /// Who may sit where, as the record has it.
    pub seats: Seats,
    /// What has happened to seats before the game was opened and belongs into its record.
    pub seat_events: Vec<(Person, SeatEvent)>,
    /// What has happened before the game was opened and belongs into its record: the arbiter's
    /// approval.
    pub first: Vec<Input>,
    /// Whose console has which language.
    pub console_languages: ConsoleLanguages,
    /// Who plays without a console, if somebody does.
    pub guest: Option<Arc<dyn Guest>>,
}

/// Whose console a word means: `white`, `black`, `assistant`, `arbiter`, or `shared`.
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
