//! Who may do what (D.2.10, D.2.11).

use shakmaty::Color;

use super::Game;
use super::profile::Duty;
use annexd_laws as laws;
use annexd_laws::persons::Person;

impl Game {
    /// Whether a person may do for a side what belongs to the side itself or to its assistant. The
    /// error is the clause that forbids it.
    ///
    /// An assistant has only the duties given to him. A sighted player's helper has at most the
    /// first two. For these two an assistant may serve either side's move (D.2.10.1, D.2.10.2).
    pub(super) fn may(&self, person: Person, side: Color, duty: Duty) -> Result<(), &'static str> {
        match person {
            Person::Arbiter => Ok(()),
            Person::Player(own) if own == side => Ok(()),
            Person::Player(_) => Err("D.2.10"),
            Person::Assistant(own) => {
                let serves_both = matches!(duty, Duty::Execute | Duty::Announce);
                if own != side && !serves_both {
                    return Err(clause_of(duty));
                }
                let is_helper = !self.profile.is_visually_disabled(own);
                if is_helper && !serves_both && self.holds("D.2.11") {
                    return Err("D.2.11");
                }
                let has_duty = self.profile.sides[own].duties.contains(&duty);
                if !has_duty && self.holds(clause_of(duty)) {
                    return Err(clause_of(duty));
                }
                if !self.may_have_helper(own) && self.holds("D.2.11") {
                    return Err("D.2.11");
                }
                Ok(())
            }
        }
    }

    /// Whether a sighted player may have a helper: not if his visually disabled opponent has an
    /// assistant (D.2.11).
    pub(super) fn may_have_helper(&self, side: Color) -> bool {
        let is_blind = |side| self.profile.is_visually_disabled(side);
        let has_assistant = is_blind(!side) && !self.profile.sides[!side].duties.is_empty();
        is_blind(side) || laws::may_have_sighted_helper(has_assistant)
    }

    /// The side of a person who does what only a player may: offer, accept, resign, claim a draw
    /// (trap 70). The error is the clause that forbids it to others.
    pub(super) fn only_player(&self, person: Person) -> Result<Color, &'static str> {
        match person {
            Person::Player(side) => Ok(side),
            Person::Assistant(side) if !self.holds("D.2.10") => Ok(side),
            Person::Assistant(_) | Person::Arbiter => Err("D.2.10"),
        }
    }
}

const fn clause_of(duty: Duty) -> &'static str {
    match duty {
        Duty::Execute => "D.2.10.1",
        Duty::Announce => "D.2.10.2",
        Duty::ScoreAndClock => "D.2.10.3",
        Duty::Tell => "D.2.10.4",
        Duty::Claim => "D.2.10.5",
        Duty::Adjourn => "D.2.10.6",
    }
}
