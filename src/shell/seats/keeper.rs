//! The one who lets persons to their seats, shared by all threads that ask.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::pin::{Pin, Rules};
use super::{Asks, News, Seats, Way};
use crate::journal::SeatEvent;
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::consoles::server::named;
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::table::inbox::Reports;
use crate::shell::table::timeline::Timeline;
use crate::shell::table::{Report, Seat};

/// How long who makes a PIN waits until it is recorded. A disk that takes longer has failed, which
/// is told; then the PIN holds, and is recorded with all else.
const RECORDED: Duration = Duration::from_secs(5);

/// Lets persons to their seats. A check takes some hundredths of a second on the thread that asks;
/// the table never waits for one.
#[derive(Clone)]
pub struct Keeper(Arc<Inner>);

struct Inner {
    seats: Mutex<Seats>,
    rules: OnceLock<Option<Rules>>,
    /// One PIN at a time is looked at: each look takes memory.
    looking: Mutex<()>,
    timeline: Timeline,
    reports: Reports,
    /// Wakes whoever tells the news.
    news: Sender<()>,
}

impl Keeper {
    /// Keeps these seats of a game, and reports what is to be recorded and told of them.
    pub fn new(seats: Seats, timeline: Timeline, reports: Reports) -> Self {
        let (news, woken) = bounded(1);
        let keeper = Self(Arc::new(Inner {
            seats: Mutex::new(seats),
            rules: OnceLock::new(),
            looking: Mutex::new(()),
            timeline,
            reports,
            news,
        }));
        let told = keeper.clone();
        thread::spawn(move || told.tell_news(&woken));
        keeper
    }

    /// Whether there is an arbiter at all.
    pub fn has_arbiter(&self) -> bool {
        self.seats().has_arbiter()
    }

    /// What a seat asks of whoever wants to sit there.
    pub fn asks(&self, person: Person) -> Asks {
        self.seats().asks(person)
    }

    /// Lets somebody to a seat, if it asks nothing or he has its PIN. Where there is none yet, the
    /// PIN that is given is made the seat's.
    ///
    /// # Errors
    ///
    /// Why he is not let there. A PIN that has to be given or made is `Missing` or `NotChosen`.
    pub fn admit(&self, person: Person, pin: &Pin, way: Way) -> Result<(), Fault> {
        let refuse = |reason, remedy| Err(Fault::new(Part::Pin, reason, remedy));
        match self.asks(person) {
            Asks::Nothing if pin.is_empty() => Ok(()),
            Asks::NewPin if pin.is_empty() => refuse(Reason::NotChosen, Remedy::ChoosePin),
            Asks::Pin if pin.is_empty() => refuse(Reason::Missing, Remedy::GivePin),
            Asks::Pin => self.check(person, pin, way),
            Asks::Nothing | Asks::NewPin => self.make(person, pin, way),
        }
    }

    /// Lets a console come to a seat, unless they come and go without end.
    ///
    /// # Errors
    ///
    /// If there were too many of late.
    pub fn may_attach(&self, person: Person) -> Result<(), Fault> {
        let may = self.seats().may_attach(self.0.timeline.now(), person);
        let fault = || Fault::new(Part::Console, Reason::TooOften, Remedy::Again);
        may.then_some(()).ok_or_else(fault)
    }

    /// Whether a line that was typed there is taken.
    pub fn may_type(&self, person: Person, line: &str) -> bool {
        let is_taken = self.seats().may_type(self.0.timeline.now(), person, line);
        if !is_taken {
            self.wake();
        }
        is_taken
    }

    /// Whether this word names the arbiter before a line at a terminal that all use.
    pub fn names_arbiter(&self, word: &str) -> bool {
        self.rules().is_some_and(|rules| rules.names_arbiter(word))
    }

    /// What was not told yet of the seats, because the game is left.
    pub fn last_news(&self) -> Vec<Report> {
        let news = self.seats().last_news();
        news.into_iter().flat_map(reports_of).collect()
    }

    fn check(&self, person: Person, pin: &Pin, way: Way) -> Result<(), Fault> {
        // Such a one is never the right one: somebody types at the wrong place.
        self.may_be_pin(pin).map_err(|why| Fault {
            remedy: Remedy::Again,
            ..why
        })?;
        let tried = self.seats().try_pin(self.0.timeline.now(), person, way);
        let is_right = match tried {
            Ok(None) => return Err(Fault::new(Part::Pin, Reason::NotChosen, Remedy::ChoosePin)),
            Ok(Some(kept)) => {
                let _alone = lock(&self.0.looking);
                pin.is(&kept)
            }
            Err(wait) => {
                self.wake();
                let fault = Fault::new(Part::Pin, Reason::TooOften, Remedy::WaitOrNewPin);
                return Err(fault.with(format!("{} s", wait.as_secs() + 1)));
            }
        };
        if is_right {
            self.seats().right(person, way);
            return Ok(());
        }
        self.seats().wrong(person);
        self.wake();
        Err(Fault::new(Part::Pin, Reason::Wrong, Remedy::Again))
    }

    fn make(&self, person: Person, pin: &Pin, way: Way) -> Result<(), Fault> {
        self.may_be_pin(pin)?;
        let alone = lock(&self.0.looking);
        // Somebody else may have been faster.
        if self.asks(person) == Asks::Pin {
            drop(alone);
            return self.check(person, pin, way);
        }
        let event = SeatEvent::PinMade(pin.hash()?);
        let now = self.0.timeline.now();
        self.seats().take_up(now, person, &event);
        drop(alone);
        let (kept, is_kept) = bounded(1);
        let kept = Some(kept);
        let report = Report::Seat {
            person,
            event,
            kept,
        };
        if self.0.reports.send(report).is_ok() {
            let _ = is_kept.recv_timeout(RECORDED);
        }
        Ok(())
    }

    fn may_be_pin(&self, pin: &Pin) -> Result<(), Fault> {
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

    /// Tells the news when they are due. As long as there is nothing to tell it sleeps.
    fn tell_news(&self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            loop {
                // Nobody waits for the seats while this sleeps.
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

/// What is recorded and told of news.
fn reports_of((person, news): (Person, News)) -> Vec<Report> {
    match news {
        News::WrongPins { tried, unheard } => vec![Report::Seat {
            person,
            event: SeatEvent::WrongPins { tried, unheard },
            kept: None,
        }],
        News::LeftOut(lines) => vec![
            Report::Shed {
                device: format!("console of {person}"),
                reports: lines,
            },
            Report::Tell {
                seat: Seat::Of(person),
                phrase: Phrase::new(PhraseKey::LinesLeftOut, [number(lines)]),
            },
        ],
    }
}

/// What all are told of what happened to a seat.
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

/// A lock is never poisoned for good: no code under one can leave its data half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
