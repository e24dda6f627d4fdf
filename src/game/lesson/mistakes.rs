//! Every lesson with everything that can go wrong in each of its steps.

use super::tests::Table;
use super::*;
use crate::profile::AsksBack;
use annexd_laws::notation::Question;

use PhraseKey as Key;

/// How often a pupil follows instructions before a lesson counts as impossible to finish.
const PATIENCE: usize = 100;

/// A pupil who does what he was told last, and knows what earlier lessons taught.
#[derive(Clone)]
struct Pupil {
    table: Table,
    /// What he was told last.
    told: Vec<Phrase>,
    /// Whether he did something since.
    has_done_it: bool,
}

impl Pupil {
    fn of(number: u32) -> Self {
        let table = Table::agreed(number, |profile| {
            profile.asks_back = Some(AsksBack::Always);
        });
        let mut pupil = Self {
            table,
            told: Vec::new(),
            has_done_it: true,
        };
        pupil.listens();
        pupil
    }

    /// Takes what he was told. Returns whether it was anything new.
    fn listens(&mut self) -> bool {
        let told = std::mem::take(&mut self.table.taught);
        let is_told = !told.is_empty();
        if is_told {
            self.told = told;
            self.has_done_it = false;
        }
        is_told
    }

    fn does(&mut self, input: Input) -> bool {
        self.has_done_it = true;
        self.table.take(input);
        self.listens()
    }

    fn was_told(&self, key: Key) -> bool {
        self.told.iter().any(|phrase| phrase.key == key)
    }

    /// What he says to what he was told or asked.
    fn says(&self) -> Said {
        let game = &self.table.game;
        let task = self.told.last().unwrap();
        let command = Said::Command;
        if let Some((own, _)) = game.question_to(LEARNER) {
            if own == Some(Key::ConfirmInterrupt) {
                return command(Command::No);
            }
            let is_right = matches!(task.key, Key::LearnOffer | Key::LearnClaim);
            let is_right = is_right && !self.was_told(Key::LearnOtherClaim);
            return command(if is_right { Command::Yes } else { Command::No });
        }
        let opponents = || Said::Move(game.announced(OPPONENT).unwrap().clone());
        if self.has_done_it {
            let waiting = game.waits_for(Person::Player(LEARNER));
            let is_owed = |it: &Waiting| matches!(it, Waiting::Repetition(_));
            return match waiting.iter().any(is_owed) {
                true => opponents(),
                false => command(Command::Press),
            };
        }
        match (task.key, task.arguments.first()) {
            (Key::LearnAskSquare, Some(Argument::Square(square))) => {
                Said::Question(Question::Square(*square))
            }
            (Key::LearnFrom, Some(Argument::Square(square))) => Said::Square(*square),
            (Key::LearnCorrect, Some(Argument::Move(said))) => Said::Correction(Some(said.clone())),
            (Key::LearnSay | Key::LearnShort | Key::LearnWhole, Some(Argument::Move(said))) => {
                match self.was_told(Key::LearnOtherMove) {
                    true => Said::Correction(Some(said.clone())),
                    false => Said::Move(said.clone()),
                }
            }
            (Key::LearnRepeat, _) => opponents(),
            (Key::LearnBegin | Key::YesGoesOn, _) => command(Command::Yes),
            (Key::LearnHearAgain, _) => command(Command::Repeat),
            (Key::LearnPress, _) => command(Command::Press),
            (Key::LearnAskTime, _) => command(Command::Time),
            (Key::LearnAskAllTimes, _) => command(Command::TimeInFull),
            (Key::LearnAskLastMove, _) => command(Command::LastMove),
            (Key::LearnAskHelp, _) => command(Command::Help),
            (Key::LearnOffer, _) => command(Command::OfferDraw),
            (Key::LearnClaim, _) => command(Command::ClaimFiftyMoves),
            _ => panic!("no task: {:?}", self.told),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.table.lesson.ended(&self.table.game)
    }

    /// Follows the instructions until the lesson ends. On failure returns what he has said.
    fn goes_on(&mut self) -> Result<(), Vec<Said>> {
        let mut said = Vec::new();
        while self.outcome() != Some(Outcome::Done) && !self.table.game.is_leaving() {
            if self.outcome() == Some(Outcome::Again) {
                *self = Self::of(self.table.lesson.number());
            }
            let now = self.says();
            said.push(now.clone());
            self.does(says(LEARNER, now));
            if said.len() > PATIENCE {
                said.truncate(20);
                return Err(said);
            }
        }
        Ok(())
    }
}

/// Commands that everybody can say, except "Stopp", which asks for silence.
const COMMANDS: [Command; 43] = [
    Command::Yes,
    Command::No,
    Command::Repeat,
    Command::Time,
    Command::TimeInFull,
    Command::Moves,
    Command::LastMove,
    Command::Turn,
    Command::OfferDraw,
    Command::Accept,
    Command::Decline,
    Command::OpenOffer,
    Command::Resign,
    Command::Arbiter,
    Command::Adjust,
    Command::ClaimRepetition,
    Command::ClaimFiftyMoves,
    Command::ClaimTime,
    Command::Press,
    Command::ReadScore,
    Command::ReadBoard,
    Command::NextItem,
    Command::PreviousItem,
    Command::Help,
    Command::Why,
    Command::Shorter,
    Command::Longer,
    Command::Start,
    Command::Halt,
    Command::Restart,
    Command::TakeBack,
    Command::Hint,
    Command::HasMoved,
    Command::HasExecuted,
    Command::AskComparison,
    Command::Arrive,
    Command::AskLeave,
    Command::SignResult,
    Command::ClaimIllegalMove,
    Command::ClaimNoWinningAttempt,
    Command::DemandIncrement,
    Command::DemandTwoBoards,
    Command::AskToAdjourn,
];

/// Inputs that may come instead of the right words.
fn intruders() -> Vec<Input> {
    let goes = |role, from, to| Ply::Goes(role, from, to).announcement();
    let moves = [
        // Legal at first, illegal later.
        goes(Role::Pawn, Square::E2, Square::E4),
        goes(Role::Pawn, Square::D2, Square::D4),
        goes(Role::Knight, Square::G1, Square::F3),
        // The opponent's move.
        goes(Role::Pawn, Square::E7, Square::E5),
        // Never legal.
        goes(Role::Knight, Square::G1, Square::G5),
        Ply::Short(Role::Knight, Square::D2).announcement(),
        Ply::Short(Role::Rook, Square::D4).announcement(),
        Ply::CastlesShort.announcement(),
        // The promotion piece is missing.
        goes(Role::Pawn, Square::E7, Square::E8),
    ];
    let mut said: Vec<Said> = COMMANDS.map(Said::Command).into();
    said.extend(moves.iter().cloned().map(Said::Move));
    said.extend(moves.into_iter().map(|it| Said::Correction(Some(it))));
    said.extend([
        Said::Correction(None),
        Said::Square(Square::B1),
        Said::Square(Square::E4),
        Said::Piece(Role::Queen),
        Said::Question(Question::Square(Square::E4)),
    ]);
    let mut inputs: Vec<Input> = said.into_iter().map(|it| says(LEARNER, it)).collect();
    let origin = Origin::Console(Person::Player(LEARNER));
    inputs.push(Input::heard(origin, Heard::Unclear(Vec::new())));
    inputs.push(presses(LEARNER));
    inputs
}

/// Whether the game has just asked him something, which comes first.
fn is_asked(before: &Pupil, pupil: &Pupil) -> bool {
    let asked = |pupil: &Pupil| pupil.table.game.question_to(LEARNER);
    asked(pupil).is_some() && asked(pupil) != asked(before)
}

#[test]
fn whatever_is_said_the_task_is_told_again_and_the_lesson_can_be_learnt() {
    let intruders = intruders();
    let mut wrong = Vec::new();
    for number in 1..=LAST {
        let mut pupil = Pupil::of(number);
        while pupil.outcome().is_none() {
            for intruder in &intruders {
                for answer in [None, Some(Command::Yes), Some(Command::No)] {
                    wrong.extend(goes_wrong(&pupil, intruder, answer));
                }
            }
            let now = pupil.says();
            pupil.does(says(LEARNER, now));
        }
        assert_eq!(pupil.outcome(), Some(Outcome::Done), "{number}");
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

/// What goes wrong when something else comes instead of the right words, with an answer if he is
/// asked back.
fn goes_wrong(before: &Pupil, intruder: &Input, answer: Option<Command>) -> Option<String> {
    let (number, at) = (
        before.table.lesson.number(),
        before.table.lesson.open.index(),
    );
    let mut pupil = before.clone();
    let mut is_told = pupil.does(intruder.clone());
    is_told |= is_asked(before, &pupil);
    if let Some(answer) = answer {
        let asked = pupil.clone();
        if !is_asked(before, &asked) {
            return None;
        }
        is_told = pupil.does(says(LEARNER, Said::Command(answer)));
        is_told |= is_asked(&asked, &pupil);
    }
    let is_leaving = pupil.table.game.is_leaving();
    let has_ended = pupil.table.lesson.open.index() > at || pupil.outcome().is_some() || is_leaving;
    let moves = |pupil: &Pupil| number_of_move(&pupil.table.game);
    let is_other_game = !has_ended && moves(&pupil) != moves(before);
    let what = match (is_told || has_ended, pupil.goes_on()) {
        (false, _) => "silence".to_owned(),
        (true, Err(said)) => format!("no end, after {said:?}"),
        (true, Ok(())) if is_other_game => "a move that was not to be made".to_owned(),
        (true, Ok(())) => return None,
    };
    Some(format!("{number}.{at}: {intruder:?}, {answer:?}: {what}"))
}
