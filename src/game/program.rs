//! Practice against a chess program that plays a side: what it reports, and what its opponent may
//! ask of it. The game itself speaks to no program; a guest of the shell reports the program's
//! moves as a person's.

use super::notices::ProgramNotice;
use shakmaty::{Chess, Color, Move};

use super::Game;
use super::act::Act;
use super::confirmations::Grave;
use super::effect::{Effect, Priority};
use super::expectation::Form;
use super::phase::Phase;
use super::profile::Mode;
use super::ruling::Ruling;
use annexd_laws::ClaimVerdict;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// What a person would do now in place of one who is not at the table: a chess program, a teacher,
/// or somebody elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing: it is the opponent's turn to act.
    Nothing,
    /// Say that he waits for the opponent to begin or to go on.
    Wait,
    /// Give the opponent's answer to the question to both with this number.
    Answer(u32, bool),
    /// Answer the draw offer after this many plies.
    AnswerOffer(usize),
    /// Repeat the opponent's announcement of this ply, counted from 1 (D.2.1).
    Repeat(usize, Announcement),
    /// Say his own announcement of this ply again, because it was repeated differently.
    SayAgain(usize, Announcement),
    /// Find a move after this many plies.
    Move(usize),
    /// Nothing while his announcement is being said: the opponent cannot think meanwhile.
    LetSay(usize),
    /// Press the clock after this many plies.
    Press(usize),
}

impl Game {
    /// Takes a report of the chess program.
    pub(super) fn program_tells(&mut self, now: Moment, notice: ProgramNotice) {
        let Some(player) = self.opponent_of_guest() else {
            return;
        };
        match notice {
            ProgramNotice::Ready if self.phase == Phase::BeforePlay => {
                self.tell(player, PhraseKey::ProgramIsReady, []);
            }
            ProgramNotice::Ready if self.phase == Phase::Stopped => {
                // A question to the player already waits for his "yes".
                if !self.docket.confirmations.is_confirming(player) {
                    self.tell(player, PhraseKey::YesGoesOn, []);
                }
            }
            ProgramNotice::Ready => {}
            ProgramNotice::Failed(_) | ProgramNotice::CannotPlay if !self.is_playing() => {}
            ProgramNotice::CannotPlay => {
                self.stop_play(now);
                self.want_back(now, player);
            }
            ProgramNotice::Failed(fault) => {
                self.stop_play(now);
                // The player is told what a "yes" does now.
                self.drop_own_wish(player);
                let Phrase { key, arguments } = fault.into();
                self.say(Channel::Table, key, arguments, Priority::Next);
            }
            ProgramNotice::Hint(said) => {
                self.tell(player, PhraseKey::HintIs, [Argument::Move(said)]);
            }
            ProgramNotice::Teaches(Phrase { key, arguments }) => {
                self.guests.teach();
                self.tell(player, key, arguments);
            }
        }
    }

    /// Whether an opponent who is not at the table waits for this player's "yes" to begin or go on.
    pub(super) fn is_waited_for_by_guest(&self, side: Color) -> bool {
        let stands = matches!(self.phase, Phase::BeforePlay | Phase::Stopped);
        stands && self.opponent_of_guest() == Some(side)
    }

    pub(super) fn has_done_something(&mut self, person: Person) {
        if let Person::Player(side) = person {
            self.guests.note_act(side);
        }
    }

    /// How many of a player's words and acts were taken, whatever came of them.
    pub fn act_count(&self, side: Color) -> u32 {
        self.guests.acts(side)
    }

    /// Whether this side has nothing left to do but to press the clock.
    pub(super) fn has_only_to_press(&self, side: Color) -> bool {
        matches!(self.wish_of(side, true, false), Wish::Press(_))
    }

    /// What a person playing this side would do now. `has_waited` says whether his announcement had
    /// enough time to be said, and `answers_offers` whether he answers draw offers himself.
    pub fn wish_of(&self, side: Color, has_waited: bool, answers_offers: bool) -> Wish {
        let other = !side;
        let plies = self.plies();
        let form = self.expectation(Some(side)).form;
        if form == Form::Confirmation {
            let number = self.last_proposal().unwrap_or_default();
            // It does not grant a wrong claim.
            let claim = self.draw.claim().and_then(|it| it.verdict.as_ref());
            let is_wrong = matches!(claim, Some(ClaimVerdict::Wrong { .. }));
            let agrees = |yes| yes && !is_wrong;
            return match (self.answer_of(other), self.answer_of(side)) {
                (Some(yes), own) if own != Some(agrees(yes)) => Wish::Answer(number, agrees(yes)),
                _ => Wish::Nothing,
            };
        }
        match self.phase {
            Phase::BeforePlay | Phase::Stopped => return Wish::Wait,
            Phase::Playing => {}
            Phase::Sealing | Phase::Adjourned | Phase::Ended => return Wish::Nothing,
        }
        if answers_offers && self.offered_by() == Some(other) {
            return Wish::AnswerOffer(plies);
        }
        if let (Form::Repetition, Some(words)) = (form, self.announced(other)) {
            // The announcement has the same number whether or not its move counts as made.
            let announced = plies + usize::from(self.turn() == other);
            return Wish::Repeat(announced, words.clone());
        }
        // Before that his words are not final (D.2.8).
        if self.to_press() == other {
            return Wish::Nothing;
        }
        match (form, self.announced(side)) {
            (Form::Announcement, Some(words)) => Wish::SayAgain(plies, words.clone()),
            (_, None) if self.turn() == side => Wish::Move(plies),
            (_, Some(_)) if self.is_table_spoken_to() && !has_waited => Wish::LetSay(plies),
            (_, Some(_)) => Wish::Press(plies),
            _ => Wish::Nothing,
        }
    }

    /// The player whose opponent is not at the table.
    fn opponent_of_guest(&self) -> Option<Color> {
        self.profile.side_of_guest().map(|side| !side)
    }

    /// The player whose opponent is a chess program.
    fn opponent_of_program(&self) -> Option<Color> {
        self.profile.side_of_program().map(|side| !side)
    }

    /// A "yes" when nothing is asked begins the game or goes on with it. The opponent is always
    /// ready, and nobody else is there to be surprised.
    pub(super) fn goes_on_with_program(&mut self, now: Moment, side: Color) -> bool {
        if self.opponent_of_guest() != Some(side) || self.is_asking_both() {
            return false;
        }
        match self.phase {
            Phase::BeforePlay => self.start(now),
            Phase::Stopped => self.rule(now, Ruling::Restart { clock: None }),
            _ => return false,
        }
        true
    }

    /// Asks the program for a hint, on the player's own move only (X5).
    pub(super) fn ask_hint(&mut self, side: Color) {
        if self.opponent_of_program() != Some(side) {
            self.tell(side, PhraseKey::NoHints, []);
        } else if !self.is_playing() || self.turn() != side {
            self.tell(side, PhraseKey::NoHintNow, []);
        } else {
            self.response.push(Effect::AskHint(side));
        }
    }

    /// Whether play stands because a player's chess program cannot answer his illegal move.
    pub(super) fn program_waits_for_take_back(&self, side: Color) -> bool {
        let is_illegal = self.course.last().is_some_and(|it| it.legal == Some(false));
        is_illegal && self.phase == Phase::Stopped && self.opponent_of_program() == Some(side)
    }

    /// A player wants to take back his last move and all since, which is possible in practice only.
    /// A program consents, and the player only confirms; a human opponent is asked himself.
    pub(super) fn want_back(&mut self, now: Moment, side: Color) {
        if self.wants_back_elsewhere(side) {
            return;
        }
        if self.profile.mode != Mode::Practice || self.profile.arbiter {
            self.tell(side, PhraseKey::NoTakingBack, []);
            return;
        }
        let Some(plies) = self.plies_before_last_of(side) else {
            self.tell(side, PhraseKey::NoMoveYet, []);
            return;
        };
        match self.opponent_of_program() == Some(side) {
            true => self.confirm_first(now, side, Grave::Claim(Act::TakeBack), false),
            false => self.propose_to_players(Ruling::Restore { plies }),
        }
    }

    /// Takes the player's move back after he confirmed. Both get back the time they had before it.
    pub(super) fn take_back(&mut self, now: Moment, side: Color) {
        let Some(plies) = self.plies_before_last_of(side) else {
            return;
        };
        self.rule(now, Ruling::Restore { plies });
        if let Some((left, _)) = self.clocks.take_logged() {
            for side in Color::ALL {
                self.set_clock(now, side, left[side]);
            }
        }
        if self.is_waited_for_by_guest(side) {
            self.tell(side, PhraseKey::YesGoesOn, []);
        }
    }

    /// Takes a move back after a correction that came too late, if the opponent is a program.
    /// Returns whether he is.
    pub(super) fn takes_back_from_program(&mut self, now: Moment, side: Color) -> bool {
        let is_against_it = self.opponent_of_program() == Some(side);
        if is_against_it {
            self.want_back(now, side);
        }
        is_against_it
    }

    /// The number of plies made before this player's last move.
    fn plies_before_last_of(&self, side: Color) -> Option<u32> {
        let mut plays = self.course.plays().iter();
        let index = plays.rposition(|play| play.moving.side == side)?;
        u32::try_from(index).ok()
    }

    /// A player's answer to the question that both are being asked.
    pub fn answer_of(&self, side: Color) -> Option<bool> {
        self.docket.asked()?.1.answer_of(side)
    }

    /// The side whose draw offer is open.
    pub fn offered_by(&self) -> Option<Color> {
        self.draw.offered_by()
    }

    /// Whether anything is still to be said or read at the table.
    pub fn is_table_spoken_to(&self) -> bool {
        self.speech.is_owed(Channel::Table)
    }

    /// Whether anything is still to be said to a player, or at the table.
    pub fn is_spoken_to(&self, side: Color) -> bool {
        self.is_table_spoken_to() || self.speech.is_owed(self.private(side))
    }

    /// The starting position of play and all moves since, if all of them are legal.
    pub fn legal_course(&self) -> Option<(Chess, Vec<Move>)> {
        self.chess()?;
        let plays = self.course.plays();
        let first = plays.first().map(|play| &play.before);
        let start = first.unwrap_or(self.course.position()).chess()?;
        let moves = plays.iter().map(|play| play.before.legal(play.step));
        Some((start.clone(), moves.collect::<Option<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role, Square};

    use super::*;
    use crate::{Command, Heard, Input, Means, Origin, Profile, Program, Said};
    use annexd_laws::notation::MoveAnnouncement;
    use annexd_laws::persons::Person;

    /// A practice game of White against a program, already begun.
    fn begun() -> Game {
        let mut profile = Profile {
            mode: Mode::Practice,
            arbiter: false,
            two_boards: true,
            ..Profile::default()
        };
        profile.sides.black.program = Some(Program {
            command: String::new(),
            strength: String::new(),
            patience: 0,
        });
        let mut game = Game::new(profile);
        game.handle(Moment::from_ms(1), Input::Ruling(Ruling::Start));
        game
    }

    #[test]
    fn a_press_before_the_repetition_does_not_ask_for_it_twice() {
        let mut game = begun();
        let said = Announcement::Move(MoveAnnouncement {
            piece: Some(Role::Pawn),
            from: Some(Square::E2),
            to: Square::E4,
            capture: false,
            promotion: None,
            mark: None,
        });
        let white = Person::Player(Color::White);
        let says = Input::heard(Origin::Console(white), Heard::Clear(Said::Move(said)));
        game.handle(Moment::from_ms(2), says);
        let wish = game.wish_of(Color::Black, true, true);
        assert!(matches!(wish, Wish::Repeat(1, _)), "{wish:?}");
        let pressed = Input::Pressed {
            side: Color::White,
            means: Means::Key(white),
        };
        game.handle(Moment::from_ms(3), pressed);
        assert_eq!(game.plies(), 1);
        assert_eq!(game.wish_of(Color::Black, true, true), wish);
    }

    #[test]
    fn a_wrong_claim_is_not_granted_and_who_says_he_is_there_loses_nothing() {
        let mut game = begun();
        let white = Person::Player(Color::White);
        let says = |command| {
            let heard = Heard::Clear(Said::Command(command));
            Input::heard(Origin::Console(white), heard)
        };
        game.handle(Moment::from_ms(2), says(Command::Arrive));
        assert!(!game.is_asking_both());
        game.handle(Moment::from_ms(3), says(Command::ClaimRepetition));
        game.handle(Moment::from_ms(4), says(Command::Yes));
        let wish = game.wish_of(Color::Black, true, true);
        assert!(matches!(wish, Wish::Answer(_, false)), "{wish:?}");
    }
}
