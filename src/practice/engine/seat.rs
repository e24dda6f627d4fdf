//! The seat of a chess program at the table. It sees the game after each event, and does what a
//! person in its place would do.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use shakmaty::{Color, Position as _};

use annexd::game::{
    Command, Effect, Game, Heard, Input, Means, Origin, Phase, ProgramNotice, Said, Wish,
};
use annexd::moment::Moment;
use annexd::persons::Person;
use annexd::shell::practice::{Guest, Wanted};
use annexd::shell::table::Outlet;
use annexd::shell::table::inbox::Reports;

use super::process::Engine;
use super::worker::{self, Order, SAID_BY_THEN, Task, Terms};

/// A chess program that waits for a table.
#[derive(Debug)]
pub(super) struct EngineGuest {
    terms: Terms,
    engine: Mutex<Option<Engine>>,
}

impl EngineGuest {
    /// Makes one from a started program.
    pub(super) fn new(command: &str, wanted: &Wanted, engine: Engine) -> Self {
        Self {
            terms: Terms {
                command: command.to_owned(),
                strength: wanted.strength,
                patience: Duration::from_secs(wanted.patience),
            },
            engine: Mutex::new(Some(engine)),
        }
    }
}

impl Guest for EngineGuest {
    fn sit_down(&self, game: &Game, reports: &Reports) -> Box<dyn Outlet> {
        let engine = self
            .engine
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let side = game.profile().side_of_program().unwrap_or(Color::Black);
        Box::new(Seat {
            side,
            orders: worker::begin(self.terms.clone(), engine, side, reports.clone()),
            wish: Wish::Nothing,
            announced: None,
        })
    }
}

/// The seat.
struct Seat {
    side: Color,
    orders: Sender<Order>,
    /// Its last wish. The same wish again was ordered already.
    wish: Wish,
    /// Since when its announcement is being said.
    announced: Option<Instant>,
}

impl Seat {
    fn order(&self, order: Order) {
        // A worker that has ended has reported why.
        let _ = self.orders.send(order);
    }

    fn say(&self, said: Said) {
        let origin = Origin::Console(Person::Player(self.side));
        self.order(Order::Say(Input::heard(origin, Heard::Clear(said))));
    }

    fn task(&self, now: Moment, game: &Game) -> Option<Task> {
        let (start, moves) = game.legal_course()?;
        let mut position = start.clone();
        for one in &moves {
            position = position.play(*one).ok()?;
        }
        Some(Task {
            start,
            moves,
            now: position,
            is_960: game.profile().chess960,
            left: game.clock().map(|_| game.times(now)[self.side]),
        })
    }

    fn act(&self, now: Moment, game: &Game, wish: &Wish) {
        match wish {
            Wish::Nothing | Wish::LetSay(_) => {}
            Wish::Wait => self.order(Order::Wait),
            Wish::Answer(_, true) => self.say(Said::Command(Command::Yes)),
            Wish::Answer(_, false) => self.say(Said::Command(Command::No)),
            Wish::AnswerOffer(plies) => self.order(Order::AnswerOffer(*plies)),
            Wish::Repeat(_, words) | Wish::SayAgain(_, words) => {
                self.say(Said::Move(words.clone()));
            }
            Wish::Move(_) => self.order(match self.task(now, game) {
                Some(task) => Order::Move(task),
                None => Order::Say(Input::Program(ProgramNotice::CannotPlay)),
            }),
            Wish::Press(_) => self.order(Order::Say(Input::Pressed {
                side: self.side,
                means: Means::Key(Person::Player(self.side)),
            })),
        }
    }
}

impl Outlet for Seat {
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool {
        if let Effect::AskHint(side) = effect
            && *side != self.side
        {
            self.order(match self.task(now, game) {
                Some(task) => Order::Hint(task),
                None => Order::Say(Input::Program(ProgramNotice::CannotPlay)),
            });
        }
        false
    }

    fn look(&mut self, now: Moment, game: &Game) {
        let has_waited = self
            .announced
            .is_some_and(|it| it.elapsed() >= SAID_BY_THEN);
        let wish = game.wish_of(self.side, has_waited, true);
        if wish == self.wish {
            return;
        }
        match wish {
            Wish::LetSay(_) => self.announced = Some(Instant::now()),
            _ => self.announced = None,
        }
        let was_thinking = matches!(self.wish, Wish::Move(_));
        let has_announced = game.announced(self.side).is_some() && game.phase() == Phase::Playing;
        if was_thinking && !has_announced {
            self.order(Order::Forget);
        }
        self.act(now, game, &wish);
        self.wish = wish;
    }
}
