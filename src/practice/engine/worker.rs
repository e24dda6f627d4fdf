//! Talks to the chess program on a thread of its own, and reports the results.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move};

use annexd::game::{Command, Heard, Input, Origin, ProgramNotice, Said};
use annexd::notation::Announcement;
use annexd::persons::Person;
use annexd::shell::error::{Fault, Part, Reason, Remedy};
use annexd::shell::practice::Strength;
use annexd::shell::table::Report;
use annexd::shell::table::inbox::Reports;

use super::codec::{self, EngineLine};
use super::process::{Engine, EngineOutput, Failure};

/// The longest time for a move, which is also the time without a clock.
const LONGEST: Duration = Duration::from_secs(5);
const WITHOUT_CLOCK: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(50);
const FOR_HINT: Duration = Duration::from_millis(1500);

/// How long a program may exceed its time before it is told to stop.
const OVERTIME: Duration = Duration::from_secs(1);

/// How long an announcement may take before the clock is pressed in any case.
pub(super) const SAID_BY_THEN: Duration = Duration::from_secs(10);

/// The first ply at which the program agrees to a draw, if it has no more than a small advantage.
const DRAWS_FROM: usize = 40;
const DRAWS_AT_MOST: i32 = 20;
/// The evaluation at or below which it agrees to a draw at any time.
const DRAWS_WHEN_LOSING: i32 = -150;

/// Orders to the chess program.
#[derive(Debug)]
pub(super) enum Order {
    /// Something is said or done for it, without asking it.
    Say(Input),
    /// It waits for its opponent.
    Wait,
    /// It is to move.
    Move(Task),
    /// Its opponent wants a hint.
    Hint(Task),
    /// It was offered a draw, after so many plies.
    AnswerOffer(usize),
    /// The result of its thinking is no longer wanted.
    Forget,
}

/// A position to think about.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) start: Chess,
    pub(super) moves: Vec<Move>,
    pub(super) now: Chess,
    pub(super) is_960: bool,
    /// Its time left, if there is a clock.
    pub(super) left: Option<Duration>,
}

/// How a chess program is started and played.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) command: String,
    pub(super) strength: Strength,
    pub(super) patience: Duration,
}

/// The current task.
#[derive(Debug)]
struct Job {
    task: Task,
    is_hint: bool,
    until: Instant,
    was_told_to_stop: bool,
}

/// The worker that talks to the chess program.
pub(super) struct Worker {
    terms: Terms,
    side: Color,
    reports: Reports,
    engine: Option<Engine>,
    job: Option<Job>,
    /// How many unwanted answers will still come.
    unwanted: u32,
    /// Whether it has written something that is no answer since it began to think.
    wrote_nonsense: bool,
    /// Its last evaluation of its position.
    score: Option<i32>,
    has_failed: bool,
    /// When the table is to check again whether the announcement was said.
    look_again: Option<Instant>,
}

/// Starts a worker that plays this side. Returns the sender for its orders.
pub(super) fn begin(
    terms: Terms,
    engine: Option<Engine>,
    side: Color,
    reports: Reports,
) -> Sender<Order> {
    let (orders, obeyed) = unbounded();
    let worker = Worker {
        terms,
        side,
        reports,
        engine,
        job: None,
        unwanted: 0,
        wrote_nonsense: false,
        score: None,
        has_failed: false,
        look_again: None,
    };
    std::thread::spawn(move || worker.work(&obeyed));
    orders
}

impl Worker {
    fn work(mut self, orders: &Receiver<Order>) {
        let nothing = never();
        loop {
            let wake = [self.job.as_ref().map(|job| job.until), self.look_again];
            let wake = wake.into_iter().flatten().min();
            let patience = wake.map_or(Duration::from_secs(3600), |at| {
                at.saturating_duration_since(Instant::now())
            });
            let lines = self.engine.as_ref().map_or(&nothing, Engine::lines);
            select! {
                recv(orders) -> order => match order {
                    Ok(order) => self.obey(order),
                    Err(_) => return,
                },
                recv(lines) -> came => self.comes(came.ok()),
                default(patience) => {}
            }
            self.mind_the_time();
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Say(input) => self.report(input),
            // Its failure was reported with the remedy.
            Order::Wait if self.has_failed => {}
            Order::Wait => self.report(Input::Program(ProgramNotice::Ready)),
            Order::Move(task) => {
                let time = match task.left {
                    Some(left) => (left / 40).min(LONGEST).max(SHORTEST),
                    None => WITHOUT_CLOCK,
                };
                self.think(task, self.terms.strength, time, false);
            }
            Order::Hint(task) => self.think(task, Strength::Full, FOR_HINT, true),
            Order::AnswerOffer(plies) => {
                let answer = match self.takes_draw(plies) {
                    true => Command::Accept,
                    false => Command::Decline,
                };
                self.say(Said::Command(answer));
            }
            Order::Forget => self.forget(),
        }
    }

    /// Returns whether it agrees to a draw. A side whose program has failed always agrees.
    fn takes_draw(&self, plies: usize) -> bool {
        self.has_failed
            || self.score.is_some_and(|score| {
                score <= DRAWS_WHEN_LOSING || plies >= DRAWS_FROM && score <= DRAWS_AT_MOST
            })
    }

    fn think(&mut self, task: Task, strength: Strength, time: Duration, is_hint: bool) {
        self.forget();
        self.has_failed = false;
        self.wrote_nonsense = false;
        if let Err(failure) = self.begin_thinking(&task, strength, time) {
            return self.fail(&failure);
        }
        self.job = Some(Job {
            task,
            is_hint,
            until: Instant::now() + time + OVERTIME,
            was_told_to_stop: false,
        });
    }

    /// Starts a task. A program that has ended in between is started again.
    fn begin_thinking(
        &mut self,
        task: &Task,
        strength: Strength,
        time: Duration,
    ) -> Result<(), Failure> {
        let position = codec::position(&task.start, &task.moves, task.is_960);
        if let Some(mut engine) = self.engine.take()
            && engine.go(strength, time, &position, task.is_960).is_ok()
        {
            self.engine = Some(engine);
            return Ok(());
        }
        self.unwanted = 0;
        let mut engine = Engine::start(&self.terms.command, self.terms.patience)?;
        engine.go(strength, time, &position, task.is_960)?;
        self.engine = Some(engine);
        Ok(())
    }

    fn comes(&mut self, came: Option<EngineOutput>) {
        match came {
            Some(EngineOutput::Line(EngineLine::BestMove(_))) if self.unwanted > 0 => {
                self.unwanted -= 1;
            }
            Some(EngineOutput::Line(EngineLine::BestMove(written))) => self.plays(&written),
            Some(EngineOutput::Line(EngineLine::Score(score))) => {
                if self.job.as_ref().is_some_and(|job| !job.is_hint) {
                    self.score = Some(score);
                }
            }
            Some(EngineOutput::Line(EngineLine::Nonsense)) => self.wrote_nonsense = true,
            Some(EngineOutput::Line(_)) => {}
            Some(EngineOutput::Endless) => self.gives_up(&Failure::NotUci),
            None => self.gives_up(&Failure::Crashed),
        }
    }

    /// Drops the program, which is of no more use. It is reported only if somebody waits for it.
    fn gives_up(&mut self, failure: &Failure) {
        match self.job {
            Some(_) => self.fail(failure),
            None => self.engine = None,
        }
    }

    fn plays(&mut self, written: &str) {
        let Some(job) = self.job.take() else {
            return;
        };
        let read = UciMove::from_ascii(written.as_bytes()).ok();
        match read.and_then(|read| read.to_move(&job.task.now).ok()) {
            Some(played) if job.is_hint => {
                let hint = ProgramNotice::Hint(Announcement::from(&played));
                self.report(Input::Program(hint));
            }
            Some(played) => {
                self.look_again = Some(Instant::now() + SAID_BY_THEN);
                self.say(Said::Move(Announcement::from(&played)));
            }
            None => {
                let written: String = written.chars().take(12).collect();
                self.fail(&Failure::Illegal(written));
            }
        }
    }

    fn mind_the_time(&mut self) {
        let now = Instant::now();
        if self.look_again.is_some_and(|at| at <= now) {
            self.look_again = None;
            self.report(Input::Deadline);
        }
        let Some(job) = self.job.as_mut().filter(|job| job.until <= now) else {
            return;
        };
        let failure = match self.wrote_nonsense {
            true => Failure::NotUci,
            false => Failure::Silent,
        };
        if job.was_told_to_stop {
            return self.fail(&failure);
        }
        job.was_told_to_stop = true;
        job.until = now + self.terms.patience;
        let sent = self.engine.as_mut().map(|engine| engine.send("stop"));
        if !matches!(sent, Some(Ok(()))) {
            self.fail(&Failure::Crashed);
        }
    }

    fn forget(&mut self) {
        if self.job.take().is_none() {
            return;
        }
        match self.engine.as_mut().map(|engine| engine.send("stop")) {
            Some(Ok(())) => self.unwanted += 1,
            _ => self.engine = None,
        }
    }

    /// Records a failure. The program plays no more, and is started again the next time.
    fn fail(&mut self, failure: &Failure) {
        self.engine = None;
        self.job = None;
        self.unwanted = 0;
        self.has_failed = true;
        let (reason, detail) = match failure {
            Failure::Absent => (Reason::Gone, ""),
            Failure::NotStarted(why) => (Reason::Unusable, why.as_str()),
            Failure::Crashed => (Reason::Crashed, ""),
            Failure::Silent => (Reason::Silent, ""),
            Failure::NotUci => (Reason::Babbles, ""),
            Failure::Illegal(written) => (Reason::PlaysIllegally, written.as_str()),
        };
        let fault = Fault::new(Part::Engine, reason, Remedy::YesStartsAnew).with(detail);
        self.report(Input::Program(ProgramNotice::Failed(fault)));
    }

    fn say(&self, said: Said) {
        let origin = Origin::Console(Person::Player(self.side));
        self.report(Input::heard(origin, Heard::Clear(said)));
    }

    fn report(&self, input: Input) {
        let _ = self.reports.send(Report::Input(input));
    }
}
