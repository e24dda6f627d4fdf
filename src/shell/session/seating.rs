//! Who sits where at a table.

use std::sync::Arc;

use shakmaty::Color;

use super::guest::Guest;
use crate::game::{Input, Mode, Profile};
use crate::journal::SeatEvent;
use crate::persons::Person;
use crate::shell::consoles::languages::ConsoleLanguages;
use crate::shell::error::{Sentence, sentence};
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

/// The words for the seat of a terminal.
const SEATS: [(&str, Seat); 6] = [
    ("shared", Seat::Shared),
    ("white", Seat::Of(Person::Player(Color::White))),
    ("black", Seat::Of(Person::Player(Color::Black))),
    ("assistant-white", Seat::Of(Person::Assistant(Color::White))),
    ("assistant-black", Seat::Of(Person::Assistant(Color::Black))),
    ("arbiter", Seat::Of(Person::Arbiter)),
];

/// The seat that a word names: one of those in [`SEATS`], or `assistant` for White's.
///
/// # Errors
///
/// If it is none of them.
pub fn seat_of(word: &str) -> Result<Seat, Sentence> {
    let word = if word == "assistant" {
        "assistant-white"
    } else {
        word
    };
    let named = SEATS.into_iter().find(|(name, _)| *name == word);
    let named = named.map(|(_, seat)| seat);
    named.ok_or_else(|| sentence!(NoSeat))
}

/// The seat of the terminal in which a game is started, if nothing else was said. In a rated game
/// it is that of the blind player.
pub fn usual_seat(profile: &Profile) -> Seat {
    match profile.mode {
        Mode::Rated => {
            let is_blind = |side: &Color| profile.is_visually_disabled(*side);
            let side = Color::ALL.into_iter().find(is_blind);
            Seat::Of(Person::Player(side.unwrap_or(Color::White)))
        }
        // A player who is not at the table needs no terminal.
        Mode::Club | Mode::Practice => match profile.side_of_guest() {
            Some(side) => Seat::Of(Person::Player(!side)),
            None => Seat::Shared,
        },
    }
}

/// The option that gives a terminal this seat, or nothing if it has it anyway.
pub fn terminal_option(seat: Seat, profile: &Profile) -> String {
    let named = SEATS.iter().find(|(_, of)| *of == seat);
    let named = named.filter(|_| seat != usual_seat(profile));
    named.map_or_else(String::new, |(word, _)| format!(" --terminal {word}"))
}
