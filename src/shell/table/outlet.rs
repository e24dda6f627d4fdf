//! Outlets: where the effects of the game go.

use super::report::Seat;
use crate::game::{Effect, Game};
use crate::moment::Moment;
use crate::phrases::Phrase;

/// A place where effects go: voices, consoles, boards, clocks.
pub trait Outlet {
    /// Begins a group of effects: everything that is answered at once.
    fn begin(&mut self) {}

    /// Carries out an effect if it concerns this outlet, and ignores it otherwise. It must not
    /// wait.
    ///
    /// Returns whether the outlet will report, for an [`Effect::Say`], how far it was heard. If no
    /// outlet will, the text counts as read where an outlet shows it; otherwise it reached nobody.
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool;

    /// Returns whether the people that an [`Effect::Say`] is for read it here.
    fn shows(&self, _game: &Game, _effect: &Effect) -> bool {
        false
    }

    /// Shows a remark that is no effect of the game, such as why a typed line was refused. It goes
    /// to the person at a seat, or to everybody.
    fn remark(&mut self, _to: Option<Seat>, _phrase: &Phrase) {}

    /// Returns whether the person at that seat reads here what is meant for him alone.
    fn seats(&self, _seat: Seat) -> bool {
        false
    }

    /// Receives the game after everything that happened at once was carried out.
    fn look(&mut self, _now: Moment, _game: &Game) {}

    /// Returns whether the effects that were carried out last can be read.
    fn shown(&mut self) -> Shown {
        Shown::Now
    }
}

/// Whether a text can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// It can be read.
    Now,
    /// It cannot be read yet: the terminal takes no lines at the moment.
    Later,
    /// It never can be read: too much was waiting.
    Never,
}
