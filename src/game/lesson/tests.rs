use std::collections::VecDeque;
use std::time::Duration;

use super::*;
use crate::{Program, VoiceMark};
use annexd_laws::moment::Moment;
use annexd_laws::notation::Question;

/// A lesson at a table where everything is heard to its end at once.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) game: Game,
    pub(super) lesson: Lesson,
    now: Moment,
    /// What was taught since the last look.
    pub(super) taught: Vec<Phrase>,
}

impl Table {
    pub(super) fn new(number: u32) -> Self {
        Self::agreed(number, |_| {})
    }

    /// A table with something else agreed.
    pub(super) fn agreed(number: u32, agree: impl FnOnce(&mut Profile)) -> Self {
        let lesson = Lesson::new(number);
        let mut profile = Profile {
            arbiter: false,
            two_boards: true,
            ..Profile::default()
        };
        lesson.agree(&mut profile);
        profile.sides.white.ear = true;
        profile.sides.black.program = Some(Program {
            command: String::new(),
            strength: String::new(),
            patience: 0,
        });
        profile.sides.black.visually_disabled = false;
        agree(&mut profile);
        let mut table = Self {
            game: Game::new(profile),
            lesson,
            now: Moment::from_ms(1),
            taught: Vec::new(),
        };
        table.take(Input::Deadline);
        table
    }

    pub(super) fn take(&mut self, input: Input) {
        let mut coming = VecDeque::from([input]);
        while let Some(input) = coming.pop_front() {
            self.now = self.now + Duration::from_millis(100);
            for effect in self.game.handle(self.now, input) {
                self.lesson.hear(&effect);
                let Effect::Say {
                    channel,
                    utterance,
                    phrase,
                    ..
                } = effect
                else {
                    continue;
                };
                let name = <&str>::from(phrase.key);
                if name.starts_with("learn_") || phrase.key == Key::YesGoesOn {
                    assert_eq!(channel, Channel::Ear(LEARNER), "{name}");
                    self.taught.push(phrase);
                }
                coming.push_back(Input::Voice {
                    channel,
                    utterance,
                    mark: VoiceMark::Finished,
                });
            }
            coming.extend(self.lesson.act(&self.game));
            assert!(coming.len() < 50, "it goes on for ever");
        }
    }

    fn says(&mut self, said: Said) -> Vec<PhraseKey> {
        self.take(says(LEARNER, said));
        self.looks()
    }

    /// What was taught since the last look.
    fn looks(&mut self) -> Vec<PhraseKey> {
        let taught = std::mem::take(&mut self.taught);
        taught.into_iter().map(|phrase| phrase.key).collect()
    }

    fn announces(&mut self, ply: Ply) -> Vec<PhraseKey> {
        self.says(Said::Move(ply.announcement()))
    }

    fn commands(&mut self, command: Command) -> Vec<PhraseKey> {
        self.says(Said::Command(command))
    }

    fn asks(&mut self, square: Square) -> Vec<PhraseKey> {
        self.says(Said::Question(Question::Square(square)))
    }

    fn mumbles(&mut self, readings: &[Ply]) -> Vec<PhraseKey> {
        let origin = Origin::Console(Person::Player(LEARNER));
        let readings = readings.iter().map(|it| Said::Move(it.announcement()));
        self.take(Input::heard(origin, Heard::Unclear(readings.collect())));
        self.looks()
    }

    /// Announces, presses, and repeats the reply.
    fn plays(&mut self, ply: Ply, reply: Ply) -> Vec<PhraseKey> {
        self.announces(ply);
        self.commands(Command::Press);
        self.announces(reply)
    }

    #[track_caller]
    fn assert_done(self) {
        assert_eq!(self.lesson.ended(&self.game), Some(Outcome::Done));
    }
}

const fn goes(role: Role, from: Square, to: Square) -> Ply {
    Ply::Goes(role, from, to)
}

const E4: Ply = goes(Role::Pawn, Square::E2, Square::E4);
const D4: Ply = goes(Role::Pawn, Square::D2, Square::D4);
const E5: Ply = goes(Role::Pawn, Square::E7, Square::E5);
const NF3: Ply = goes(Role::Knight, Square::G1, Square::F3);
const NC6: Ply = goes(Role::Knight, Square::B8, Square::C6);
const NF6: Ply = goes(Role::Knight, Square::G8, Square::F6);
const BC4: Ply = goes(Role::Bishop, Square::F1, Square::C4);
const QH5: Ply = goes(Role::Queen, Square::D1, Square::H5);

use PhraseKey as Key;

#[test]
fn whoever_asks_for_another_square_or_mumbles_is_told_again() {
    let mut table = Table::new(1);
    assert_eq!(
        table.looks(),
        [Key::LearnLesson, Key::LearnSquareIs, Key::LearnAskSquare]
    );
    assert_eq!(
        table.asks(Square::E4),
        [Key::LearnOtherSquare, Key::LearnAskSquare]
    );
    assert_eq!(table.mumbles(&[]), [Key::LearnAskSquare]);
    // A file with the square in it is not the square.
    let file = Said::Question(Question::File(shakmaty::File::E));
    assert_eq!(
        table.says(file),
        [Key::LearnOtherSquare, Key::LearnAskSquare]
    );
    assert_eq!(table.asks(Square::E2), [Key::LearnAskSquare]);
    assert_eq!(table.asks(Square::G1), [Key::LearnAskSquare]);
    assert_eq!(table.asks(Square::D5), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn a_wrong_move_is_corrected_before_the_clock_is_pressed_for_the_learner() {
    let mut table = Table::new(2);
    table.taught.clear();
    // Before play nothing can be announced.
    assert_eq!(table.announces(E4), [Key::LearnBegin]);
    assert_eq!(
        table.commands(Command::Yes),
        [Key::LearnMoveIs, Key::LearnSay]
    );
    assert_eq!(table.announces(D4), [Key::LearnOtherMove, Key::LearnSay]);
    assert_eq!(table.game.plies(), 0);
    let corrected = Said::Correction(Some(E4.announcement()));
    assert_eq!(table.says(corrected), [Key::LearnSay]);
    assert_eq!(table.game.plies(), 2);
    assert_eq!(table.announces(NF3), [Key::LearnSay]);
    assert_eq!(table.announces(BC4), [Key::LearnSay]);
    assert_eq!(table.announces(Ply::CastlesShort), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn what_was_right_before_is_not_pressed_for_the_learner_again() {
    let mut table = Table::new(2);
    table.commands(Command::Yes);
    assert_eq!(table.announces(E4), [Key::LearnSay]);
    assert_eq!(table.announces(E4), [Key::LearnOtherMove, Key::LearnSay]);
    assert_eq!(table.game.plies(), 2);
    let corrected = Said::Correction(Some(NF3.announcement()));
    assert_eq!(table.says(corrected), [Key::LearnSay]);
}

#[test]
fn who_corrects_before_the_press_is_told_the_right_move() {
    let mut table = Table::new(5);
    assert_eq!(table.announces(E4).last(), Some(&Key::LearnPress));
    let other = Said::Correction(Some(D4.announcement()));
    assert_eq!(table.says(other), [Key::LearnOtherMove, Key::LearnSay]);
    assert_eq!(table.says(Said::Correction(None)), [Key::LearnSay]);
    assert_eq!(table.announces(E4), [Key::LearnPress]);
}

#[test]
fn a_draw_that_is_offered_at_another_time_is_not_offered_in_time() {
    let rook = goes(Role::Rook, Square::D2, Square::D3);
    let mut table = Table::new(7);
    table.taught.clear();
    assert_eq!(table.commands(Command::OfferDraw), [Key::LearnSay]);
    assert_eq!(table.announces(rook), [Key::LearnOffer]);
    assert_eq!(table.commands(Command::Time), [Key::LearnOffer]);
    table.commands(Command::Press);
    assert_eq!(table.lesson.ended(&table.game), Some(Outcome::Again));
}

#[test]
fn to_repeat_where_nothing_was_announced_is_to_hear_the_task_again() {
    let mut table = Table::new(1);
    table.taught.clear();
    let said = table
        .game
        .handle(table.now, says(LEARNER, Said::Command(Command::Repeat)));
    let is_said = |it: &Effect| matches!(it, Effect::Say { .. });
    assert!(!said.iter().any(is_said), "{said:?}");
    assert_eq!(table.commands(Command::Repeat), [Key::LearnAskSquare]);
}

#[test]
fn what_was_heard_wrong_is_corrected_and_what_is_left_out_is_asked() {
    let mut table = Table::new(3);
    assert_eq!(
        table.looks(),
        [Key::LearnLesson, Key::LearnMisheard, Key::LearnCorrect]
    );
    // "Korrektur" alone leaves everything to be said.
    table.says(Said::Correction(None));
    let short = table.announces(NF3);
    assert_eq!(short, [Key::LearnShort]);
    let from = table.announces(Ply::Short(Role::Knight, Square::D2));
    assert_eq!(from, [Key::LearnFrom]);
    let other = table.says(Said::Square(Square::F3));
    assert_eq!(other, [Key::LearnOtherMove, Key::LearnSay]);
    let right = goes(Role::Knight, Square::B1, Square::D2);
    let corrected = Said::Correction(Some(right.announcement()));
    assert_eq!(table.says(corrected), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn a_wrong_repetition_and_an_own_move_before_it_are_no_repetition() {
    let mut table = Table::new(4);
    table.taught.clear();
    let differs = [Key::LearnRepeatDiffers, Key::LearnRepeat];
    assert_eq!(
        table.announces(goes(Role::Pawn, Square::D7, Square::D5)),
        differs
    );
    table.commands(Command::Repeat);
    assert_eq!(table.announces(E5), [Key::LearnSay]);
    assert_eq!(table.announces(NF3), [Key::LearnHearAgain]);
    assert_eq!(table.commands(Command::Repeat), [Key::LearnRepeat]);
    assert_eq!(table.announces(NC6), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn who_is_asked_which_of_two_he_has_said_is_not_told_the_task_over_it() {
    let mut table = Table::new(4);
    table.taught.clear();
    let other = goes(Role::Pawn, Square::D7, Square::D5);
    assert_eq!(table.mumbles(&[E5, other]), []);
    let differs = [Key::LearnRepeatDiffers, Key::LearnRepeat];
    assert_eq!(table.announces(other), differs);
    assert_eq!(table.mumbles(&[other, E5]), []);
    assert_eq!(table.announces(E5), [Key::LearnSay]);
}

#[test]
fn who_presses_before_he_has_announced_is_told_the_order() {
    let mut table = Table::new(5);
    table.taught.clear();
    assert_eq!(
        table.commands(Command::Press),
        [Key::LearnPressEarly, Key::LearnSay]
    );
    assert_eq!(table.announces(E4), [Key::LearnPress]);
    assert_eq!(table.commands(Command::Press), [Key::LearnRepeat]);
    assert_eq!(table.announces(E5), [Key::LearnWhole]);
    assert_eq!(table.announces(NF3), []);
    assert_eq!(table.commands(Command::Press), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn all_questions_are_asked() {
    let mut table = Table::new(6);
    table.taught.clear();
    assert_eq!(table.commands(Command::Help), [Key::LearnAskTime]);
    assert_eq!(table.commands(Command::Time), [Key::LearnAskAllTimes]);
    assert_eq!(table.commands(Command::TimeInFull), [Key::LearnAskLastMove]);
    assert_eq!(table.commands(Command::LastMove), [Key::LearnAskHelp]);
    assert_eq!(table.commands(Command::Help), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn a_draw_is_offered_in_time_and_the_right_claim_made() {
    let mut table = Table::new(7);
    table.taught.clear();
    let rook = goes(Role::Rook, Square::D2, Square::D3);
    assert_eq!(table.announces(rook), [Key::LearnOffer]);
    assert_eq!(table.commands(Command::OfferDraw), [Key::LearnPress]);
    assert_eq!(table.commands(Command::Press), [Key::LearnClaim]);
    let other = table.commands(Command::ClaimRepetition);
    assert_eq!(other, [Key::LearnOtherClaim, Key::LearnClaim]);
    table.commands(Command::No);
    table.commands(Command::ClaimFiftyMoves);
    assert_eq!(table.commands(Command::Yes), [Key::LearnDone]);
    table.assert_done();
}

#[test]
fn a_whole_game_is_played_to_mate() {
    let mut table = Table::new(LAST);
    table.commands(Command::Yes);
    assert_eq!(table.plays(E4, E5), [Key::LearnWhole]);
    assert_eq!(table.plays(BC4, NC6), [Key::LearnWhole]);
    assert_eq!(table.plays(QH5, NF6), [Key::LearnWhole]);
    table.announces(Ply::Takes(Role::Queen, Square::H5, Square::F7));
    assert_eq!(table.commands(Command::Press), [Key::LearnAllDone]);
    table.assert_done();
}

#[test]
fn who_completes_another_move_or_resigns_begins_again() {
    for command in [Command::Press, Command::Resign] {
        let mut table = Table::new(LAST);
        table.commands(Command::Yes);
        assert_eq!(table.announces(D4), [Key::LearnOtherMove, Key::LearnWhole]);
        table.commands(command);
        if command == Command::Resign {
            table.commands(Command::Yes);
        }
        assert_eq!(table.lesson.ended(&table.game), Some(Outcome::Again));
    }
}
