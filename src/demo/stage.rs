//! The table of the demonstration: a real one, in simulated time, with one microphone and two
//! boards.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, Color, Move, Square};

use super::audience::Audience;
use super::boards::PlayersBoard;
use super::room::{RATE, Room};
use super::transcript::{Means, tell};
use annexd::game::{Effect, Form, Game, Heard, Input, Origin};
use annexd::moment::Moment;
use annexd::notation::{Announcement, Lexicon};
use annexd::persons::{Channel, Person, Sides};
use annexd::phrases::{Argument, PhraseKey};
use annexd::shell::error::{Error, Result, error};
use annexd::shell::hearing::endpoint::Patience;
use annexd::shell::hearing::front::Front;
use annexd::shell::hearing::front_for;
use annexd::shell::hearing::listener::{Listener, Obeying};
use annexd::shell::hearing::model::HearingModel;
use annexd::shell::table::{Outlet, Report, Seat, Table};

/// The samples of one block of 20 ms, as from a microphone.
const BLOCK: usize = RATE as usize / 50;
const BLOCK_TIME: Duration = Duration::from_millis(20);

/// How long the room is listened to before somebody speaks, in blocks.
const BEFORE: usize = 20;

/// How long to wait for an answer after somebody has spoken, in blocks.
const AFTER: usize = 150;

/// How long the pieces on a board may take to come to rest.
const HANDS_MAX: Duration = Duration::from_secs(30);

/// How long a board may take to identify itself and report its placement.
const SET_UP_MAX: Duration = Duration::from_secs(10);

/// Collects everything the game does, for the script, and what was read back, for boards that need
/// a second source.
#[derive(Clone, Default)]
pub(crate) struct Witness {
    effects: Rc<RefCell<Vec<Effect>>>,
    read_back: Rc<RefCell<Vec<UciMove>>>,
}

impl Outlet for Witness {
    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        self.effects.borrow_mut().push(effect.clone());
        if let Effect::Say {
            channel: Channel::Table,
            phrase,
            ..
        } = effect
            && phrase.key == PhraseKey::Announced
            && let Some(Argument::Move(announcement)) = phrase.arguments.first()
        {
            let announced = witnessed(game, announcement);
            self.read_back.borrow_mut().extend(announced);
        }
        false
    }

    /// Utterances are shown in the transcript.
    fn shows(&self, _game: &Game, effect: &Effect) -> bool {
        matches!(effect, Effect::Say { .. })
    }
}

/// The move that an announcement names, if it names it in full.
fn witnessed(game: &Game, announcement: &Announcement) -> Option<UciMove> {
    match announcement {
        Announcement::Move(said) => Some(UciMove::Normal {
            from: said.from?,
            to: said.to,
            promotion: said.promotion,
        }),
        Announcement::Castling(castling) => {
            let turn = game.turn();
            let side = match game.announced(turn) {
                Some(said) if said == announcement => turn,
                _ => !turn,
            };
            let from = side.fold_wb(Square::E1, Square::E8);
            let to = CastlingSide::king_to(castling.side, side);
            Some(UciMove::Normal {
                from,
                to,
                promotion: None,
            })
        }
    }
}

/// The result of something said into the microphone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// How the utterances were understood, clear or not. Ignored ones are left out.
    pub(crate) heard: Vec<Heard>,
    /// How long the answer took after the end of the speech, if there was one.
    pub(crate) latency: Option<Duration>,
    /// What the game did.
    pub(crate) effects: Vec<Effect>,
}

/// The table with its microphone and its boards.
pub(crate) struct Stage {
    table: Table,
    witness: Witness,
    now: Moment,
    room: Room,
    front: Front,
    listener: Listener,
    boards: Sides<PlayersBoard>,
    /// The first problem with a line, reported as soon as somebody asks.
    trouble: Option<Error>,
    audience: Option<Audience>,
    begun: Instant,
}

impl Stage {
    /// A stage for a table. Its microphone and the peg board are White's.
    ///
    /// # Errors
    ///
    /// If the recogniser cannot be created, or a board does not start.
    pub(crate) fn new(
        mut table: Table,
        model: Arc<HearingModel>,
        lexicon: Arc<Lexicon>,
        position: &Chess,
        seed: u64,
        audience: Option<Audience>,
    ) -> Result<Self> {
        let witness = Witness::default();
        table.add(Box::new(witness.clone()));
        if let Some(audience) = &audience {
            table.add(Box::new(audience.clone()));
        }
        let mut stage = Self {
            table,
            witness,
            now: Moment::START,
            room: Room::new(seed),
            front: front_for(RATE, 1)?,
            listener: Listener::new(model, lexicon, Patience::default())?,
            boards: Sides {
                white: PlayersBoard::of_pegs(Color::White, position, seed),
                black: PlayersBoard::of_dgt(Color::Black, position, seed),
            },
            trouble: None,
            audience,
            begun: Instant::now(),
        };
        stage.wait_for_boards()?;
        Ok(stage)
    }

    /// The game.
    pub(crate) const fn game(&self) -> &Game {
        self.table.game()
    }

    /// The current moment.
    pub(crate) const fn now(&self) -> Moment {
        self.now
    }

    /// A person types a line at his console, or presses the equivalent key.
    pub(crate) fn types(&mut self, person: Person, text: &str) -> Vec<Effect> {
        tell(self.now, person, Means::Keys, text);
        let report = Report::Typed {
            seat: Seat::Of(person),
            text: text.to_owned(),
        };
        self.table.take(self.now, 0, vec![report]);
        let mut effects = self.witness.effects.take();
        effects.append(&mut self.let_finish());
        effects
    }

    /// Makes a move by hand on a player's board, until the pieces rest.
    ///
    /// # Errors
    ///
    /// `ErrorKind::DeviceLost` if the board never shows it.
    pub(crate) fn executes(&mut self, board: Color, played: Move) -> Result<Vec<Effect>> {
        self.boards[board].execute(played);
        let begun = self.now;
        let mut effects = self.wait(BLOCK_TIME);
        while !self.boards[board].is_at_rest() {
            effects.append(&mut self.wait(BLOCK_TIME));
            if self.now.since(begun) > HANDS_MAX {
                return Err(error!(
                    DeviceLost,
                    DemoBoardRestless,
                    board = board,
                    played = played
                ));
            }
        }
        self.check_lines()?;
        Ok(effects)
    }

    /// Lets time pass. Returns what the game did.
    pub(crate) fn wait(&mut self, time: Duration) -> Vec<Effect> {
        let until = self.now + time;
        while self.now < until {
            self.pass(Vec::new());
        }
        self.keep_pace();
        self.witness.effects.take()
    }

    /// Plays a sound in front of the microphone. It is processed like any microphone's samples: in
    /// blocks of 20 ms, resampled, recognised, understood, and reported to the table.
    pub(crate) fn sounds(&mut self, words: &str, samples: &[f32]) -> Result<Answer> {
        let mut answer = Answer::default();
        for _ in 0..BEFORE {
            self.block(&[0.0; BLOCK], None, &mut answer);
        }
        tell(
            self.now,
            Person::Player(Color::White),
            Means::Microphone,
            words,
        );
        if let Some(audience) = &self.audience {
            audience.hears(samples)?;
        }
        let ended = self.now + Duration::from_millis(samples.len() as u64 * 1000 / u64::from(RATE));
        for block in samples.chunks(BLOCK) {
            let mut whole = block.to_vec();
            whole.resize(BLOCK, 0.0);
            self.block(&whole, Some(ended), &mut answer);
        }
        for _ in 0..AFTER {
            self.block(&[0.0; BLOCK], Some(ended), &mut answer);
            if !answer.heard.is_empty() {
                break;
            }
        }
        answer.effects.append(&mut self.let_finish());
        self.check_lines()?;
        Ok(answer)
    }

    fn wait_for_boards(&mut self) -> Result<()> {
        while !Color::ALL.iter().all(|&side| {
            let board = &self.boards[side];
            board.is_recognised() && board.is_at_rest() && board.shown() == self.game().position()
        }) {
            self.wait(BLOCK_TIME);
            if self.now.since(Moment::START) > SET_UP_MAX {
                return Err(error!(DeviceLost, DemoBoardUnsettled));
            }
        }
        self.check_lines()
    }

    fn check_lines(&mut self) -> Result<()> {
        self.trouble.take().map_or(Ok(()), Err)
    }

    /// With an audience, waits until utterances already begun have been said.
    fn let_finish(&mut self) -> Vec<Effect> {
        let owed = self.audience.as_ref().map(Audience::take_owed);
        match owed {
            Some(time) if !time.is_zero() => self.wait(time),
            _ => Vec::new(),
        }
    }

    fn block(&mut self, samples: &[f32], ended: Option<Moment>, answer: &mut Answer) {
        let before = Instant::now();
        let expectation = self.game().expectation(Some(Color::White));
        self.listener.obey(if expectation.urgent_only {
            Obeying::BargeIn
        } else {
            Obeying::Everything
        });
        let is_asked = expectation.form == Form::Answer;
        self.listener.expect_answer(is_asked);
        let ready = self.front.feed(&self.room.around(samples));
        let mut reports = Vec::new();
        for utterance in self.listener.feed(&ready) {
            if let Some(heard) = utterance.heard() {
                answer.heard.push(heard.clone());
                let origin = Origin::Microphone(Some(Color::White));
                reports.push(Report::Input(Input::heard(origin, heard)));
            }
        }
        let is_answer = !reports.is_empty();
        self.pass(reports);
        if let Some(ended) = ended.filter(|_| is_answer) {
            // In real time the computation adds to the duration of the sound.
            answer.latency = Some(self.now.since(ended) + before.elapsed());
        }
        answer
            .effects
            .append(&mut self.witness.effects.borrow_mut());
        self.keep_pace();
    }

    /// Lets one block of time pass for the boards too, and reports everything to the table.
    fn pass(&mut self, mut reports: Vec<Report>) {
        self.now = self.now + BLOCK_TIME;
        for side in Color::ALL {
            let board = &mut self.boards[side];
            let mut inputs = Vec::new();
            for &announced in self.witness.read_back.borrow().iter() {
                inputs.append(&mut board.announced(self.now, announced));
            }
            match board.pass_time(self.now, BLOCK_TIME) {
                Ok(mut more) => inputs.append(&mut more),
                Err(error) => {
                    self.trouble.get_or_insert(error);
                }
            }
            reports.extend(inputs.into_iter().map(Report::Input));
            for hands in board.take_handled() {
                tell(self.now, Person::Player(side), Means::Board, &hands);
            }
        }
        self.witness.read_back.take();
        self.table.take(self.now, 0, reports);
    }

    /// With an audience, keeps simulated time equal to real time.
    fn keep_pace(&self) {
        if self.audience.is_some() {
            let played = self.now.since(Moment::START);
            std::thread::sleep(played.saturating_sub(self.begun.elapsed()));
        }
    }
}
