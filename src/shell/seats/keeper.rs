//! The keeper, which admits people to their seats. All threads share it.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use shakmaty::Color;

use super::pin::{Pin, Rules};
use super::{Asks, BEGIN, News, Seats, Secret, Turn, Way};
use crate::game::Input;
use crate::journal::SeatEvent;
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::consoles::named::named;
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::table::inbox::Reports;
use crate::shell::table::timeline::Timeline;
use crate::shell::table::{Report, Seat};

/// How long a person who makes a PIN waits until it is recorded. A disk that takes longer has
/// failed, which is reported. Then the PIN is valid, and is recorded with everything else.
const RECORDED: Duration = Duration::from_secs(5);

/// How long a person on a connection waits for his turn.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a person who types faster than his lines are taken waits for each line left out.
const LEFT_OUT: Duration = Duration::from_millis(1);

/// Admits people to their seats. A check takes some hundredths of a second in the asking thread;
/// the table never waits for it.
#[derive(Clone)]
pub struct Keeper(Arc<Inner>);

struct Inner {
    /// The name of the game.
    game: String,
    seats: Mutex<Seats>,
    /// Signalled when somebody had his turn or waits no longer.
    turned: Condvar,
    rules: OnceLock<Option<Rules>>,
    /// Held while a new PIN is made, so that only one is made at a time.
    making: Mutex<()>,
    timeline: Timeline,
    reports: Reports,
    /// The seat at the terminal in which the game was started.
    at_terminal: Seat,
    /// How many private places each person has now: consoles, a page, the terminal.
    places: Mutex<HashMap<Person, u32>>,
    /// Wakes the thread that reports news.
    news: Sender<()>,
}

impl Keeper {
    /// Keeps these seats of the game of this name, one of which is at the terminal. What has to be
    /// recorded and told about them goes to `reports`.
    pub fn new(game: String, seats: Seats, at_terminal: Seat, reports: Reports) -> Self {
        let (news, woken) = bounded(1);
        let keeper = Self(Arc::new(Inner {
            game,
            seats: Mutex::new(seats),
            turned: Condvar::new(),
            rules: OnceLock::new(),
            making: Mutex::new(()),
            timeline: Timeline::starting_at(BEGIN),
            reports,
            at_terminal,
            places: Mutex::default(),
            news,
        }));
        let told = keeper.clone();
        thread::spawn(move || told.tell_news(&woken));
        keeper
    }

    /// Whether there is an arbiter.
    pub fn has_arbiter(&self) -> bool {
        self.seats().has_arbiter()
    }

    /// What a seat requires of a person who wants to sit there.
    pub fn asks(&self, person: Person) -> Asks {
        self.seats().asks(person)
    }

    /// Admits a person to a seat if it requires nothing or he has its PIN. If it has none yet, the
    /// given PIN becomes the seat's. A seat already occupied admits others only with its existing
    /// PIN: making one is no way in. A person on a connection waits for his turn; `waits` is called
    /// if it is not at once.
    ///
    /// # Errors
    ///
    /// Why he is not admitted. A PIN that has to be given or made is `Missing` or `NotChosen`.
    pub fn admit(
        &self,
        person: Person,
        pin: &Pin,
        way: &Way,
        waits: &mut dyn FnMut(),
    ) -> Result<(), Fault> {
        let refuse = |reason, remedy| Err(Fault::new(Part::Pin, reason, remedy));
        match self.asks(person) {
            Asks::Nothing | Asks::NewPin if self.is_taken(person) => {
                Err(Fault::new(Part::Console, Reason::Taken, Remedy::CloseOther))
            }
            Asks::Nothing if pin.is_empty() => Ok(()),
            Asks::NewPin if pin.is_empty() => refuse(Reason::NotChosen, Remedy::ChoosePin),
            Asks::Pin if pin.is_empty() => refuse(Reason::Missing, Remedy::GivePin),
            Asks::Pin => self.check(person, pin, way, waits),
            Asks::Nothing | Asks::NewPin => self.make(person, pin, way, waits),
        }
    }

    /// Counts one more place where a person is told things alone.
    pub fn add_place(&self, person: Person) {
        self.count_place(person, |places| *places += 1);
    }

    /// Counts one place less.
    pub fn remove_place(&self, person: Person) {
        self.count_place(person, |places| *places = places.saturating_sub(1));
    }

    /// Whether somebody sits there.
    pub fn is_taken(&self, person: Person) -> bool {
        self.0.at_terminal == Seat::Of(person)
            || lock(&self.0.places)
                .get(&person)
                .is_some_and(|places| *places > 0)
    }

    /// Changes a person's number of places. The game is told of a player's first and last one.
    fn count_place(&self, person: Person, change: impl FnOnce(&mut u32)) {
        let mut all = lock(&self.0.places);
        let places = all.entry(person).or_default();
        let before = *places > 0;
        change(places);
        let present = *places > 0;
        if let Person::Player(side) = person
            && present != before
        {
            let input = Input::Console { side, present };
            let _ = self.0.reports.send(Report::Input(input));
        }
    }

    /// Lets a console come to a seat, unless consoles come and go endlessly.
    ///
    /// # Errors
    ///
    /// If there were too many recently.
    pub fn may_attach(&self, person: Person) -> Result<(), Fault> {
        let may = self.seats().may_attach(self.0.timeline.now(), person);
        let fault = || Fault::new(Part::Console, Reason::TooOften, Remedy::Again);
        may.then_some(()).ok_or_else(fault)
    }

    /// Whether a typed line is taken. If not, this takes a moment, so that flooding a seat only
    /// delays the flooder.
    pub fn may_type(&self, seat: Seat, line: &str) -> bool {
        let is_taken = self.seats().may_type(self.0.timeline.now(), seat, line);
        if !is_taken {
            self.wake();
            thread::sleep(LEFT_OUT);
        }
        is_taken
    }

    /// Whether this word before a line at a shared terminal names the arbiter.
    pub fn names_arbiter(&self, word: &str) -> bool {
        self.rules().is_some_and(|rules| rules.names_arbiter(word))
    }

    /// Everything about the seats that was not reported yet, because the game is left.
    pub fn last_news(&self) -> Vec<Report> {
        let news = self.seats().last_news();
        news.into_iter().flat_map(reports_of).collect()
    }

    fn check(
        &self,
        person: Person,
        pin: &Pin,
        way: &Way,
        waits: &mut dyn FnMut(),
    ) -> Result<(), Fault> {
        // Such a text is never the right PIN: somebody types in the wrong place.
        self.may_be_pin(pin).map_err(|why| Fault {
            remedy: Remedy::Again,
            ..why
        })?;
        // The seats are not locked while he waits.
        let kept = self.seats().pin(person).cloned();
        let tried = match (way, kept) {
            (_, None) => Ok(None),
            (Way::Terminal, _) => self.seats().try_pin(self.0.timeline.now(), person, way),
            (Way::Connection(_), kept) => {
                let turn = self.wait_for_turn(Secret::Pin(person), way, waits);
                turn.map(|()| kept)
            }
        };
        let is_right = match tried {
            Ok(None) => return Err(Fault::new(Part::Pin, Reason::NotChosen, Remedy::ChoosePin)),
            Ok(Some(kept)) => pin.is(&kept),
            Err(wait) => {
                self.wake();
                let fault = Fault::new(Part::Pin, Reason::TooOften, Remedy::WaitOrNewPin);
                let (game, who) = (&self.0.game, word_of(person));
                let resume = format!("annexd resume {game} --new-pin {who}");
                return Err(fault.with(format!("{} s; {resume}", wait.as_secs() + 1)));
            }
        };
        self.looked_at(Secret::Pin(person), way, is_right);
        if is_right {
            return Ok(());
        }
        Err(Fault::new(Part::Pin, Reason::Wrong, Remedy::Again))
    }

    /// Admits a person with the code of the table. He waits for his turn if many wrong ones were
    /// tried.
    ///
    /// # Errors
    ///
    /// `Wrong`, or `TooOften` if it was not checked.
    pub fn check_code(&self, is_right: impl FnOnce() -> bool, way: &Way) -> Result<(), Reason> {
        let turn = self.wait_for_turn(Secret::Code, way, &mut || {});
        turn.map_err(|_| {
            self.wake();
            Reason::TooOften
        })?;
        let is_right = is_right();
        self.looked_at(Secret::Code, way, is_right);
        is_right.then_some(()).ok_or(Reason::Wrong)
    }

    /// Notes the result of an attempt.
    fn looked_at(&self, secret: Secret, way: &Way, is_right: bool) {
        let mut seats = self.seats();
        if is_right {
            seats.right(secret, way);
        } else {
            seats.wrong(self.0.timeline.now(), secret, way);
        }
        drop(seats);
        self.0.turned.notify_all();
        if !is_right {
            self.wake();
        }
    }

    /// Waits until it is a person's turn, with a limit.
    fn wait_for_turn(
        &self,
        secret: Secret,
        way: &Way,
        waits: &mut dyn FnMut(),
    ) -> Result<(), Duration> {
        let until = Instant::now() + PATIENCE;
        let mut seats = self.seats();
        let ticket = seats.line_up(self.0.timeline.now(), secret, way)?;
        let mut is_told = false;
        loop {
            let wait = match seats.turn(self.0.timeline.now(), secret, way, ticket) {
                Turn::Now => {
                    self.0.turned.notify_all();
                    return Ok(());
                }
                Turn::SentAway => return Err(Duration::ZERO),
                Turn::After(wait) => wait,
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                seats.step_back(secret, way, ticket);
                self.0.turned.notify_all();
                return Err(wait);
            }
            if !std::mem::replace(&mut is_told, true) {
                // The seats are not locked while he is told.
                drop(seats);
                waits();
                seats = self.seats();
                continue;
            }
            // If it is another's turn, that one is awake.
            let wait = if wait.is_zero() { left } else { wait.min(left) };
            let waited = self.0.turned.wait_timeout(seats, wait);
            seats = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn make(
        &self,
        person: Person,
        pin: &Pin,
        way: &Way,
        waits: &mut dyn FnMut(),
    ) -> Result<(), Fault> {
        self.may_be_pin(pin)?;
        let alone = lock(&self.0.making);
        // Somebody else may have been faster.
        if self.asks(person) == Asks::Pin {
            drop(alone);
            return self.check(person, pin, way, waits);
        }
        let event = SeatEvent::PinMade(pin.hash()?);
        let now = self.0.timeline.now();
        self.seats().apply_event(now, person, &event);
        drop(alone);
        let (kept, is_kept) = bounded(1);
        let kept = Some(kept);
        let report = Report::Seat {
            person,
            told: Some(told_of(person, &event)),
            event,
            kept,
        };
        if self.0.reports.send(report).is_ok() {
            let _ = is_kept.recv_timeout(RECORDED);
        }
        Ok(())
    }

    /// Checks whether this can be a PIN at all.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    pub fn may_be_pin(&self, pin: &Pin) -> Result<(), Fault> {
        self.rules().map_or(Ok(()), |rules| rules.check(pin))
    }

    fn rules(&self) -> Option<&Rules> {
        self.0.rules.get_or_init(|| Rules::load().ok()).as_ref()
    }

    fn seats(&self) -> MutexGuard<'_, Seats> {
        lock(&self.0.seats)
    }

    fn wake(&self) {
        let _ = self.0.news.try_send(());
    }

    /// Reports the news when they are due. Sleeps as long as there are none.
    fn tell_news(&self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            loop {
                // The seats are not locked while this sleeps.
                let due = self.seats().news_due();
                let Some(due) = due else { break };
                thread::sleep(self.0.timeline.until(due));
                let news = self.seats().news(self.0.timeline.now());
                for report in news.into_iter().flat_map(reports_of) {
                    if self.0.reports.send(report).is_err() {
                        return;
                    }
                }
            }
        }
    }
}

/// The reports that record and tell a piece of news.
fn reports_of(news: News) -> Vec<Report> {
    match news {
        News::Tried { person, tried } => {
            let unheard = 0;
            vec![Report::Seat {
                person,
                event: SeatEvent::WrongPins { tried, unheard },
                told: None,
                kept: None,
            }]
        }
        News::WrongPins {
            person,
            tried,
            unheard,
        } => {
            let told = told_of(person, &SeatEvent::WrongPins { tried, unheard });
            let event = SeatEvent::WrongPins { tried: 0, unheard };
            vec![match unheard {
                0 => Report::Note(told),
                _ => Report::Seat {
                    person,
                    event,
                    told: Some(told),
                    kept: None,
                },
            }]
        }
        News::WrongCodes(tried) => {
            let told = Phrase::new(PhraseKey::WrongCodes, [number(tried)]);
            vec![Report::Note(told)]
        }
        News::LeftOut { seat, lines } => vec![
            Report::Shed {
                device: match seat {
                    Seat::Of(person) | Seat::Page(person) => format!("console of {person}"),
                    Seat::Shared | Seat::SharedAs(_) => "terminal".to_owned(),
                },
                reports: lines,
            },
            Report::Tell {
                seat,
                phrase: Phrase::new(PhraseKey::LinesLeftOut, [number(lines)]),
            },
        ],
    }
}

/// The word for a person after `--new-pin`.
const fn word_of(person: Person) -> &'static str {
    match person {
        Person::Player(Color::White) => "white",
        Person::Player(Color::Black) => "black",
        Person::Assistant(Color::White) => "assistant-white",
        Person::Assistant(Color::Black) => "assistant-black",
        Person::Arbiter => "arbiter",
    }
}

/// What everybody is told about an event at a seat.
pub fn told_of(person: Person, event: &SeatEvent) -> Phrase {
    let who = Argument::Phrase(Box::new(named(person)));
    match event {
        SeatEvent::PinMade(_) => Phrase::new(PhraseKey::PinMade, [who]),
        SeatEvent::PinGivenUp => Phrase::new(PhraseKey::PinGivenUp, [who]),
        SeatEvent::WrongPins { tried, unheard } => {
            let (key, counts) = match (tried, unheard) {
                (0, _) => (PhraseKey::WrongPinsUnchecked, vec![number(*unheard)]),
                (_, 0) => (PhraseKey::WrongPinsTried, vec![number(*tried)]),
                _ => (PhraseKey::WrongPins, vec![number(*tried), number(*unheard)]),
            };
            Phrase::new(key, [who].into_iter().chain(counts))
        }
    }
}

fn number(count: u64) -> Argument {
    Argument::Number(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A poisoned lock is used all the same: no code under one can leave its data half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
