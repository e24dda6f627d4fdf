//! The protocol of Annex D as a state machine: inputs and the time in, effects out.
//!
//! Nothing here fails or panics, whatever comes in, and the same inputs at the same moments give
//! the same game: the journal is the list of inputs.

mod act;
mod effect;
mod ending;
mod expectation;
mod input;
mod profile;
mod ruling;

use std::time::Duration;

use shakmaty::{Board, Color};

pub use act::{Act, ClaimGround, Envelope};
pub use effect::{Earcon, Effect, Priority};
pub use ending::{Ending, Reason};
pub use expectation::{Expectation, Form};
pub use input::{Device, Input, Means, MicrophoneState, Origin, VoiceMark};
pub use profile::{
    Adaptation, Agreement, ClockKind, DeviceApproval, Duty, Microphones, Mode, Profile, Sensors,
    SideProfile,
};
pub use ruling::{Irregularity, Penalty, Ruling};

pub use crate::notation::{Command, Heard, Said};

use crate::moment::Moment;
use crate::persons::Sides;

/// A game under Annex D.
#[derive(Clone, Debug)]
pub struct Game {
    profile: Profile,
    boards: Sides<Board>,
}

impl Game {
    /// A game before its start.
    pub fn new(profile: Profile) -> Self {
        let start = profile
            .start
            .as_ref()
            .map_or_else(Board::new, |fen| fen.as_setup().board.clone());
        Self {
            profile,
            boards: Sides::from_fn(|_| start.clone()),
        }
    }

    /// Takes what happened at `now` and says what is to be done, in this order.
    pub fn handle(&mut self, _now: Moment, _input: Input) -> Vec<Effect> {
        Vec::new()
    }

    /// When [`Input::Deadline`] is due, if nothing happens before.
    pub fn deadline(&self) -> Option<Moment> {
        None
    }

    /// What was agreed.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The time left to each player.
    pub fn times(&self, _now: Moment) -> Sides<Duration> {
        Sides::default()
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        None
    }

    /// What stands on a player's board, as far as anybody knows.
    pub fn placement(&self, board: Color) -> &Board {
        &self.boards[board]
    }

    /// Who has the move (1.3).
    pub fn turn(&self) -> Color {
        Color::White
    }

    /// What a microphone should expect now.
    pub fn expectation(&self, microphone: Option<Color>) -> Expectation {
        Expectation {
            microphone,
            voice: None,
            form: Form::Nothing,
            urgent_only: false,
        }
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        None
    }
}
