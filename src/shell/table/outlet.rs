//! Where the effects of the game go.

use super::report::Seat;
use crate::game::{Effect, Game};
use crate::moment::Moment;
use crate::phrases::Phrase;

/// A place where effects go: voices, consoles, boards, clocks.
pub trait Outlet {
    /// What follows belongs together: it is all that was answered at once.
    fn begin(&mut self) {}

    /// Carries out what concerns this outlet and ignores the rest. It must not wait.
    ///
    /// Returns whether it will report, for a [`Effect::Say`], how far it was heard; if nobody
    /// does, it was read where an outlet shows it, and else it reached nobody.
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool;

    /// Whether those whom an [`Effect::Say`] is for read it here.
    fn shows(&self, _game: &Game, _effect: &Effect) -> bool {
        false
    }

    /// Shows a remark that is no effect of the game, such as why a typed line was refused, to
    /// whoever sits there or to all.
    fn remark(&mut self, _to: Option<Seat>, _phrase: &Phrase) {}

    /// Whether whoever sits there reads here what is meant for him alone.
    fn seats(&self, _seat: Seat) -> bool {
        false
    }

    /// All that happened at once is carried out: this is the game now.
    fn look(&mut self, _now: Moment, _game: &Game) {}

    /// Whether what was carried out last can be read.
    fn shown(&mut self) -> Shown {
        Shown::Now
    }
}

/// Whether something can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// It can.
    Now,
    /// Not yet: the terminal takes no lines just now.
    Later,
    /// It never will be: too much was waiting.
    Never,
}
