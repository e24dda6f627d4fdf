//! Which of two: what was asked because two readings of somebody's words were close, until he
//! says what he means. A part of one of them is enough: the square, the file, "short". And words
//! with one reading that was not certain, until they are said again.

use std::time::Duration;

use super::Game;
use super::expectation::Form;
use super::phase::Phase;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Command, Heard, Part, Said};
use annexd_laws::persons::Person;
use shakmaty::{ByColor, Color};

/// How long words that were not certain wait to be said again: time for the question and the
/// answer.
const AGAIN: Duration = Duration::from_secs(20);

/// The two readings between which somebody is to choose, if there are any, and words that were not
/// certain.
#[derive(Clone, Debug, Default)]
pub(super) struct Which {
    asked: Option<Asked>,
    /// Each player's, with the time until which they wait.
    uncertain: ByColor<Option<(Uncertain, Moment)>>,
}

/// The only reading of words that a player was asked to say again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Uncertain {
    said: Said,
    at: Stage,
    /// How many of his words and acts were taken before.
    acts: u32,
}

#[derive(Clone, Debug)]
struct Asked {
    person: Person,
    readings: [Said; 2],
    at: Stage,
}

/// How far the game had come when it was asked. Later nobody answers it any more.
pub(super) type Stage = (Phase, usize);

impl Which {
    /// Somebody is asked which of the first two he means, if they are told to him.
    pub(super) fn ask(&mut self, person: Person, readings: &[Said], at: Stage) {
        let asked = match readings {
            [one @ Said::Move(_), other @ Said::Move(_), ..]
            | [one @ Said::Square(_), other @ Said::Square(_), ..] => Some(Asked {
                person,
                readings: [one, other].map(Clone::clone),
                at,
            }),
            _ => None,
        };
        self.forget(person);
        self.asked = asked.or(self.asked.take());
    }

    /// He has said something else, or done something.
    pub(super) fn forget(&mut self, person: Person) {
        self.asked.take_if(|it| it.person == person);
    }

    /// Who is asked, and which of the two he means if he names this part.
    fn chosen(&self, part: Part, at: Stage) -> Option<(Person, &Said)> {
        let asked = self.asked.as_ref().filter(|it| it.at == at)?;
        Some((asked.person, part.chosen(&asked.readings)?))
    }
}

impl Game {
    /// Who is being asked which of two moves he means, and the one that this part chooses. `None`
    /// if it chooses none.
    pub fn chosen_by(&self, part: Part) -> Option<(Person, Said)> {
        let (person, said) = self.docket.which.chosen(part, self.stage())?;
        Some((person, said.clone()))
    }

    /// Unclear words into a player's own microphone as they are taken. If they have one reading, he
    /// is asked to say them again for certainty alone; if they have the same one again, it counts.
    /// That holds for what is wanted of him next, his announcement, his repetition, and his press
    /// where nothing else is left to do, and for "repeat", which changes nothing. It does not hold
    /// for answers, offers, claims and the like. Anything that he does in between ends it.
    pub(super) fn said_again(&mut self, now: Moment, side: Color, readings: Vec<Said>) -> Heard {
        let before = self.docket.which.uncertain.get_mut(side).take();
        let [said] = readings.as_slice() else {
            return Heard::Unclear(readings);
        };
        if !self.is_wanted(side, said) || !self.holds("said_again") {
            return Heard::Unclear(readings);
        }
        let acts = self.act_count(side);
        let uncertain = Uncertain {
            said: said.clone(),
            at: self.stage(),
            acts,
        };
        let same = Uncertain {
            acts: acts.saturating_sub(1),
            ..uncertain.clone()
        };
        match before {
            Some((it, until)) if it == same && now <= until => Heard::Clear(same.said),
            _ => {
                let waiting = Some((uncertain, now + AGAIN));
                *self.docket.which.uncertain.get_mut(side) = waiting;
                Heard::Unclear(readings)
            }
        }
    }

    /// Whether these words are wanted of a player next, or do nothing but say something again.
    fn is_wanted(&self, side: Color, said: &Said) -> bool {
        let form = self.form_for(side);
        self.is_playing()
            && match said {
                Said::Move(_) | Said::Square(_) => {
                    matches!(form, Form::Announcement | Form::Repetition | Form::Origin)
                }
                Said::Command(Command::Press) => self.has_only_to_press(side),
                Said::Command(command) => *command == Command::Repeat,
                _ => false,
            }
    }

    pub(super) const fn stage(&self) -> Stage {
        (self.phase, self.plies())
    }

    /// What somebody means who may have been asked which of two. Whatever he says of a move answers
    /// that, and "nein" is neither of them. A question of his own leaves it open.
    pub(super) fn said_of_two(&mut self, person: Person, said: Said) -> Said {
        let leaves_open = match said {
            Said::Command(command) => command != Command::No,
            Said::Question(_) => true,
            _ => false,
        };
        if leaves_open {
            return said;
        }
        let chosen = Part::of(&said).and_then(|part| self.chosen_by(part));
        let chosen = chosen.filter(|(asked, _)| *asked == person && self.holds("which_of_two"));
        self.docket.which.forget(person);
        chosen.map_or(said, |(_, chosen)| chosen)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, File, Square};

    use super::*;
    use annexd_laws::notation::{Announcement, MoveAnnouncement};

    const WHITE: Person = Person::Player(Color::White);
    const AT: Stage = (Phase::Playing, 4);

    fn rook(from: Square) -> Said {
        Said::Move(Announcement::Move(MoveAnnouncement {
            piece: Some(shakmaty::Role::Rook),
            from: Some(from),
            to: Square::D1,
            capture: false,
            promotion: None,
            mark: None,
        }))
    }

    #[test]
    fn only_who_is_asked_and_only_now_answers() {
        let mut which = Which::default();
        let readings = [rook(Square::A1), rook(Square::H1)];
        let file = Part::File(File::H);
        which.ask(WHITE, &readings, AT);
        let chosen = which
            .chosen(file, AT)
            .map(|(who, said)| (who, said.clone()));
        assert_eq!(chosen, Some((WHITE, rook(Square::H1))));
        assert_eq!(which.chosen(Part::File(File::D), AT), None);
        // A move was made meanwhile.
        assert_eq!(which.chosen(file, (Phase::Playing, 5)), None);
        // What somebody else says does not end the question; other words of his own do.
        which.ask(Person::Arbiter, &[], AT);
        which.forget(Person::Player(Color::Black));
        assert!(which.chosen(file, AT).is_some());
        which.ask(WHITE, &[], AT);
        assert_eq!(which.chosen(file, AT), None);
    }
}
