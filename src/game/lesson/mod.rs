//! The course: lessons in which a player learns annexd by using it, in a real game against an
//! opponent who follows a script.
//!
//! A [`Lesson`] sees what the game says, and the game itself, as anybody at the table does. It
//! answers with the acts of its teacher and the opponent, which are ordinary inputs. It knows no
//! rules. What each lesson asks for is data, in `lessons.rs`.

mod learner;
mod lessons;
mod task;

use shakmaty::{CastlingSide, Color, Role, Square};

use super::{
    ClockKind, Command, Earcon, Effect, Game, Heard, Input, Means, Mode, Origin, Phase, Profile,
    ProgramNotice, Ruling, Said, Waiting, Wish,
};
use annexd_laws::notation::{Announcement, MoveAnnouncement};
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

use learner::{Acts, Listening, OpenStep, OwnMoves, Told};
use lessons::LESSONS;

/// The learner's side.
pub const LEARNER: Color = Color::White;
const OPPONENT: Color = Color::Black;

/// How many lessons there are.
pub const LAST: u32 = 8;

/// What the game asks the learner: a question about his own wish, and the number of the question to
/// both players.
type Asked = (Option<PhraseKey>, Option<u32>);

/// How a lesson has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is learnt.
    Done,
    /// It cannot go on, and has to be started again.
    Again,
}

/// What a lesson is made of.
struct Plan {
    name: PhraseKey,
    /// The starting position, if it is not the initial one.
    start: Option<&'static str>,
    time: Option<&'static str>,
    /// The opponent's moves.
    replies: &'static [Ply],
    /// Whether play is started for the learner, who does not know how yet.
    begins: bool,
    /// Whether the opponent's announcements are repeated for him.
    repeats: bool,
    /// Whether the clock is pressed for him.
    presses: bool,
    steps: &'static [Step],
}

/// One thing to learn.
struct Step {
    /// Whether the step is explained only once the learner has the move and owes nothing else.
    on_turn: bool,
    does: &'static [Does],
    until: Until,
}

/// What the teacher does.
#[derive(Clone, Copy)]
enum Does {
    /// Says this.
    Says(PhraseKey),
    /// Says this about a square.
    Names(PhraseKey, Square),
    /// Says this about a move.
    Tells(PhraseKey, Ply),
    /// Makes the learner misheard, as if he had said this.
    Mishears(Ply),
}

impl Does {
    /// What the teacher says.
    fn phrase(self) -> Option<Phrase> {
        match self {
            Self::Says(key) => Some(key.into()),
            Self::Names(key, square) => Some(Phrase::new(key, [Argument::Square(square)])),
            Self::Tells(key, ply) => Some(Phrase::new(key, [Argument::Move(ply.announcement())])),
            Self::Mishears(_) => None,
        }
    }
}

/// When a step is learnt.
#[derive(Clone, Copy)]
enum Until {
    /// Play has begun.
    Begun,
    /// The learner was told what stands on this square.
    Asked(Square),
    /// The learner, or everybody at the table, was told one of these.
    Told(&'static [PhraseKey]),
    /// The learner has announced this move.
    Announced(Ply),
    /// He was asked from where this move goes, or has said it.
    FromWhere(Ply),
    /// He has offered a draw with this move before pressing (9.1.2.1).
    Offered(Ply),
    /// He has completed this move.
    Pressed(Ply),
    /// He has given mate with this move.
    Mates(Ply),
    /// He has heard an announcement of the opponent again.
    HeardAgain,
    /// He has repeated an announcement correctly (D.2.1).
    Repeated,
}

/// A move of a lesson.
#[derive(Clone, Copy, Debug)]
enum Ply {
    Goes(Role, Square, Square),
    Takes(Role, Square, Square),
    /// A piece's move without the square of departure.
    Short(Role, Square),
    CastlesShort,
}

impl Ply {
    fn announcement(self) -> Announcement {
        let (piece, from, to, capture) = match self {
            Self::Goes(piece, from, to) => (piece, Some(from), to, false),
            Self::Takes(piece, from, to) => (piece, Some(from), to, true),
            Self::Short(piece, to) => (piece, None, to, false),
            Self::CastlesShort => return Announcement::of_castling(CastlingSide::KingSide),
        };
        Announcement::Move(MoveAnnouncement {
            piece: Some(piece),
            from,
            to,
            capture,
            promotion: None,
            mark: None,
        })
    }

    /// Whether this move was announced, in the long form or any shorter one.
    fn is(self, said: &Announcement) -> bool {
        match (self.announcement(), said) {
            (Announcement::Move(own), Announcement::Move(said)) => {
                let is_from = own
                    .from
                    .zip(said.from)
                    .is_none_or(|(own, said)| own == said);
                own.piece == said.piece.or(Some(Role::Pawn)) && is_from && own.to == said.to
            }
            (Announcement::Castling(own), Announcement::Castling(said)) => own.side == said.side,
            _ => false,
        }
    }
}

/// A lesson in progress.
#[derive(Clone, Debug)]
pub struct Lesson {
    number: u32,
    has_begun: bool,
    open: OpenStep,
    told: Told,
    acts: Acts,
    /// What the game asks him, and whether that is about another claim than the lesson's.
    question: Option<Asked>,
    claims_other: bool,
    /// Whether he was being asked for a missing part of his move at the last look.
    was_asked_back: bool,
    own_moves: OwnMoves,
    listening: Listening,
    /// The last wishes of the opponent and of the learner's helper, which were carried out.
    wishes: [Wish; 2],
    outcome: Option<Outcome>,
    /// Whether the end of the lesson has been said.
    is_closed: bool,
}

impl Lesson {
    /// The lesson with this number, counted from 1; the last one if there are fewer.
    pub fn new(number: u32) -> Self {
        Self {
            number: number.clamp(1, LAST),
            has_begun: false,
            open: OpenStep::default(),
            told: Told::default(),
            acts: Acts::default(),
            question: None,
            claims_other: false,
            was_asked_back: false,
            own_moves: OwnMoves::default(),
            listening: Listening::default(),
            wishes: [Wish::Nothing, Wish::Nothing],
            outcome: None,
            is_closed: false,
        }
    }

    /// The lesson's number.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The lesson's name.
    pub fn name(&self) -> Phrase {
        let name = Argument::Phrase(Box::new(self.plan().name.into()));
        Phrase::new(
            PhraseKey::LearnLesson,
            [Argument::Number(self.number), name],
        )
    }

    /// What a learner who makes no mistake is told, step by step.
    pub fn script(&self) -> Vec<Vec<Phrase>> {
        let steps = self.plan().steps.iter();
        let says = |step: &Step| step.does.iter().filter_map(|does| does.phrase()).collect();
        steps
            .map(says)
            .filter(|says: &Vec<_>| !says.is_empty())
            .collect()
    }

    /// How the lesson has ended, once everything has been said.
    pub fn ended(&self, game: &Game) -> Option<Outcome> {
        let is_said = self.is_closed && !game.is_spoken_to(LEARNER);
        self.outcome.filter(|_| is_said)
    }

    /// Adds what is agreed for this lesson to what is agreed for practice.
    pub fn agree(&self, profile: &mut Profile) {
        let plan = self.plan();
        profile.mode = Mode::Practice;
        profile.start = plan.start.and_then(|start| start.parse().ok());
        profile.time_control = plan.time.and_then(|time| time.parse().ok());
        profile.game_type = profile.type_by_clock().unwrap_or_default();
        // The board and its clock know nothing of the lesson.
        profile.clock = ClockKind::Program;
    }

    fn plan(&self) -> &'static Plan {
        let [first, ..] = &LESSONS;
        let index = usize::try_from(self.number - 1);
        let plan = index.ok().and_then(|index| LESSONS.get(index));
        plan.unwrap_or(first)
    }

    fn step(&self) -> Option<&'static Step> {
        self.plan().steps.get(self.open.index())
    }

    /// Takes what is said or sounds at the table.
    pub fn hear(&mut self, effect: &Effect) {
        match effect {
            Effect::Say {
                channel, phrase, ..
            } => self.hear_phrase(*channel, phrase),
            Effect::Earcon { channel, earcon }
                if *channel == Channel::Ear(LEARNER) && *earcon == Earcon::Taken =>
            {
                self.listening.repeat();
            }
            _ => {}
        }
    }

    fn hear_phrase(&mut self, channel: Channel, phrase: &Phrase) {
        match (channel, phrase.key) {
            (Channel::Arbiter, PhraseKey::ClaimsRepetition) => self.claims_other = true,
            (
                Channel::Ear(LEARNER),
                PhraseKey::LearnDone | PhraseKey::LearnAllDone | PhraseKey::LearnAgain,
            ) => self.is_closed = true,
            (Channel::Table, PhraseKey::NothingToDecide | PhraseKey::PlayStarts)
                if !self.plan().begins =>
            {
                self.told.teach_again_if(true);
            }
            (Channel::Table | Channel::Ear(LEARNER), _) => self.told.hear(phrase),
            _ => {}
        }
    }

    /// Notes that the learner typed something unreadable.
    pub const fn was_not_understood(&mut self) {
        self.told.teach_again_if(true);
    }

    /// What teacher and opponent do now.
    pub fn act(&mut self, game: &Game) -> Vec<Input> {
        let mut acts = Vec::new();
        if self.outcome.is_some() || game.is_leaving() {
            return acts;
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            acts.push(teaches(self.name()));
            let begins = self.plan().begins.then_some(Input::Ruling(Ruling::Start));
            acts.extend(begins);
        }
        self.look_at_learner(game);
        self.listen_to_opponent(game);
        while let Some(step) = self.step().filter(|step| self.is_learnt(step.until, game)) {
            match step.until {
                Until::Announced(ply) if self.plan().presses => self.own_moves.accept(ply, game),
                Until::Pressed(ply) => self.own_moves.accept(ply, game),
                Until::Repeated => self.listening.forget(),
                _ => {}
            }
            self.open.go_on();
            self.told.forget();
        }
        self.was_asked_back = is_asked_back(game);
        match self.step() {
            None => self.end(Outcome::Done, &mut acts),
            Some(step) if self.is_spoilt(step, game) => self.end(Outcome::Again, &mut acts),
            Some(step) => {
                self.teach(step, game, &mut acts);
                let taught = acts.len();
                self.play(game, &mut acts);
                // Something that another person does now may end the step.
                let is_opponent_done = self.acts.is_opponent_done(game.act_count(OPPONENT));
                if acts.len() == taught && is_opponent_done {
                    self.teach_again(step, game, &mut acts);
                }
            }
        }
        acts
    }

    /// Checks whether the learner has said or done something. A question that he has caused comes
    /// first.
    fn look_at_learner(&mut self, game: &Game) {
        let has_acted = self.acts.look(game.act_count(LEARNER));
        let is_to_choose = self.told.take_choice();
        self.told.teach_again_if(has_acted && !is_to_choose);
        let question = game.question_to(LEARNER);
        match question {
            None => {
                self.told.teach_again_if(self.question.is_some());
                self.claims_other = false;
            }
            Some(_) if question != self.question => {
                self.told.teach_again_only_if(self.claims_other);
            }
            Some(_) => {}
        }
        self.question = question;
        self.own_moves.look(game);
    }

    fn end(&mut self, outcome: Outcome, acts: &mut Vec<Input>) {
        self.outcome = Some(outcome);
        let number = || [Argument::Number(self.number)];
        acts.push(teaches(match outcome {
            Outcome::Done if self.number == LAST => PhraseKey::LearnAllDone.into(),
            Outcome::Done => Phrase::new(PhraseKey::LearnDone, number()),
            Outcome::Again => PhraseKey::LearnAgain.into(),
        }));
    }

    /// Counts how often the opponent's current announcement was heard.
    fn listen_to_opponent(&mut self, game: &Game) {
        let words = game.announced(OPPONENT).cloned().map(Argument::Move);
        self.listening
            .hear(self.told.take_announcements(words.as_ref()));
    }

    fn is_learnt(&self, until: Until, game: &Game) -> bool {
        let announced = game.announced(LEARNER);
        let is_announced = |ply: Ply| announced.is_some_and(|said| ply.is(said));
        match until {
            Until::Begun => game.phase() != Phase::BeforePlay,
            Until::Asked(square) => self.told.is_only_about(square),
            Until::Told(keys) => keys.iter().any(|key| {
                let is_question = matches!(key, PhraseKey::FromWhere | PhraseKey::WhichPiece);
                self.told.has(*key) && (!is_question || self.was_asked_back)
            }),
            Until::Announced(ply) => is_announced(ply),
            Until::FromWhere(ply) => self.told.has(PhraseKey::FromWhere) || is_announced(ply),
            Until::Offered(ply) => {
                let is_in_time = standing(game).is_some_and(|said| ply.is(said));
                is_in_time && self.told.has(PhraseKey::DrawOffered)
            }
            Until::Pressed(ply) => has_completed(game) && is_announced(ply),
            Until::Mates(_) => self.told.has(PhraseKey::Checkmate),
            Until::HeardAgain => self.listening.is_heard_again(),
            Until::Repeated => self.listening.is_repeated(),
        }
    }

    /// Whether the game is no longer that of the lesson: it has ended or is adjourned, or the
    /// learner has made another move, or taken one back.
    fn is_spoilt(&self, step: &Step, game: &Game) -> bool {
        let is_over = !matches!(
            game.phase(),
            Phase::BeforePlay | Phase::Playing | Phase::Stopped
        );
        let is_back = self.own_moves.is_taken_back(game);
        // He would hear his own announcement again.
        let hears_himself = matches!(step.until, Until::HeardAgain) && standing(game).is_some();
        let is_done = has_completed(game) || hears_himself;
        is_over || is_back || is_done && !self.own_moves.is_accepted(game)
    }

    /// Tells the learner what to do.
    fn teach(&mut self, step: &Step, game: &Game, acts: &mut Vec<Input>) {
        if self.open.is_told() || step.on_turn && !self.has_turn(game) {
            return;
        }
        self.open.tell();
        self.told.forget();
        for does in step.does {
            self.do_it(*does, acts);
        }
        if self.is_other(step, game) {
            acts.extend(self.task(step, game).into_iter().map(teaches));
        }
    }

    /// Tells him again if he has said or done something that has not ended the step.
    fn teach_again(&mut self, step: &Step, game: &Game, acts: &mut Vec<Input>) {
        if !self.told.is_to_hear() {
            return;
        }
        let task = self.task(step, game);
        if !task.is_empty() {
            self.told.forget();
            acts.extend(task.into_iter().map(teaches));
        }
    }

    fn do_it(&mut self, does: Does, acts: &mut Vec<Input>) {
        acts.extend(does.phrase().map(teaches));
        if let Does::Mishears(ply) = does {
            let words = ply.announcement();
            self.open.mishear(words.clone());
            self.acts.act_for(LEARNER);
            acts.push(says(LEARNER, Said::Move(words)));
        }
    }

    /// Makes the opponent play, and does for the learner what he has not learnt yet.
    fn play(&mut self, game: &Game, acts: &mut Vec<Input>) {
        let plan = self.plan();
        for (index, side) in [OPPONENT, LEARNER].into_iter().enumerate() {
            let wish = game.wish_of(side, false, true);
            if self.wishes.get(index) == Some(&wish) {
                continue;
            }
            let act = match &wish {
                _ if side == OPPONENT => self.opponent_does(game, &wish),
                Wish::Repeat(_, words) if plan.repeats => {
                    Some(says(side, Said::Move(words.clone())))
                }
                Wish::Press(_) if plan.presses && self.own_moves.is_accepted(game) => {
                    Some(presses(side))
                }
                // A press that was not possible now is considered again later.
                Wish::Press(_) => continue,
                _ => None,
            };
            if act.is_some() {
                self.acts.act_for(side);
            }
            acts.extend(act);
            if let Some(last) = self.wishes.get_mut(index) {
                *last = wish;
            }
        }
    }

    fn opponent_does(&mut self, game: &Game, wish: &Wish) -> Option<Input> {
        let command = |command| Some(says(OPPONENT, Said::Command(command)));
        match wish {
            Wish::Nothing | Wish::LetSay(_) | Wish::Wait => None,
            Wish::Answer(_, true) => command(Command::Yes),
            Wish::Answer(_, false) => command(Command::No),
            Wish::AnswerOffer(_) => command(Command::Decline),
            Wish::Repeat(_, words) | Wish::SayAgain(_, words) => {
                Some(says(OPPONENT, Said::Move(words.clone())))
            }
            Wish::Move(plies) => {
                self.listening.forget();
                let begins = usize::from(self.plan().start_turn(game) == LEARNER);
                let made = plies.saturating_sub(begins) / 2;
                let reply = self.plan().replies.get(made)?;
                Some(says(OPPONENT, Said::Move(reply.announcement())))
            }
            Wish::Press(_) => Some(presses(OPPONENT)),
        }
    }
}

impl Plan {
    /// The side that began the game of the lesson.
    fn start_turn(&self, game: &Game) -> Color {
        let turn = game.turn();
        match game.plies().is_multiple_of(2) {
            true => turn,
            false => !turn,
        }
    }
}

fn teaches(phrase: Phrase) -> Input {
    Input::Program(ProgramNotice::Teaches(phrase))
}

fn says(side: Color, said: Said) -> Input {
    Input::heard(Origin::Console(Person::Player(side)), Heard::Clear(said))
}

const fn presses(side: Color) -> Input {
    Input::Pressed {
        side,
        means: Means::Key(Person::Player(side)),
    }
}

/// What a learner has to hear first after he was told this.
const fn hint(key: PhraseKey) -> Option<PhraseKey> {
    match key {
        PhraseKey::RepetitionDiffers => Some(PhraseKey::LearnRepeatDiffers),
        PhraseKey::NotAnnounced => Some(PhraseKey::LearnPressEarly),
        _ => None,
    }
}

fn is_about_square(phrase: &Phrase) -> bool {
    matches!(
        phrase.key,
        PhraseKey::SquareHolds | PhraseKey::SquareIsEmpty
    )
}

/// Whether the learner has to make or complete the next move.
fn is_to_move(game: &Game) -> bool {
    game.phase() == Phase::Playing && game.to_press() == LEARNER
}

/// The learner's announcement for that move, if any.
fn standing(game: &Game) -> Option<&Announcement> {
    game.announced(LEARNER)
        .filter(|_| game.to_press() == LEARNER)
}

/// Whether the learner is being asked for a missing part of his move.
fn is_asked_back(game: &Game) -> bool {
    let waiting = game.waits_for(Person::Player(LEARNER));
    let mut waiting = waiting.iter();
    waiting.any(|it| matches!(it, Waiting::Origin | Waiting::Promotion))
}

/// The number of the learner's last or next move in the game, counted from 1. It is the same before
/// and after the move is made.
fn number_of_move(game: &Game) -> usize {
    game.plies() + usize::from(game.turn() == LEARNER)
}

/// Whether the learner's move is completed and the opponent's not yet made.
fn has_completed(game: &Game) -> bool {
    game.plies() > 0 && game.turn() == OPPONENT && game.to_press() == OPPONENT
}

#[cfg(test)]
mod mistakes;
#[cfg(test)]
mod tests;
