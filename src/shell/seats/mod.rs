//! Who may sit where: the PINs of seats, how often they may be tried, and how fast a seat may type.
//!
//! One mechanism serves every way to a seat: consoles, the shared terminal, pages, and the code of
//! the table that pages require first. [`Seats`] is a value with time as its argument; it holds
//! what the record says about the seats and counts attempts. [`Keeper`] shares it between the
//! threads that admit people. Code that admits a person calls [`Keeper::admit`], and takes his
//! lines only as [`Keeper::may_type`] allows.
//!
//! Limits belong to the seat and not to a connection: more connections give no more attempts and no
//! more lines. Each source gets its share of the few attempts.

mod bucket;
mod guesses;
mod keeper;
mod lines;
mod pin;
mod source;
mod tries;

pub use keeper::{Keeper, told_of};
pub use pin::{Pin, Rules};
pub use source::Source;
pub use tries::{Ticket, Turn};

use std::time::Duration;

use shakmaty::Color;

use self::bucket::Bucket;
use self::guesses::Guesses;
use self::lines::Lines;
use crate::game::{Mode, Profile};
use crate::journal::{Body, Entry, PinHash, SeatEvent};
use crate::moment::Moment;
use crate::persons::Person;
use crate::shell::table::Seat;

/// The start of the time line of the seats. It follows the computer's time and not a game's, which
/// may stand still or be set.
pub const BEGIN: Moment = Moment::from_ms(24 * 60 * 60 * 1000);

/// How many wrong PINs of a seat may be tried at once at the shared terminal, and the interval for
/// one more. Together with those by connections these are at most ten in any minute.
const AT_TERMINAL: (u32, Duration) = (3, Duration::from_secs(60));

/// How many wrong PINs of a seat may be tried at once over connections, and the interval for one
/// more. Nobody who has not tried waits longer than this for those who have.
const BY_CONNECTION: (u32, Duration) = (2, Duration::from_secs(15));

/// How many wrong codes of the table may be tried at once, and the interval for one more. Of a
/// million codes that is one in seventy in four hours, and after that come the PINs.
const CODES: (u32, Duration) = (20, Duration::from_secs(1));

/// How many consoles may come to a seat at once.
const CONSOLES: u32 = 12;

/// The interval after which one more console may come.
const ONE_MORE_CONSOLE: Duration = Duration::from_secs(5);

/// How long after a report about a seat the next one follows, joined and counted.
const QUIET: Duration = Duration::from_secs(20);

/// The way by which a person comes to a seat. Each way has its own attempts, so that guessing by
/// one way does not shut out people who come by the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// At the shared terminal.
    Terminal,
    /// By a connection from this source: a console or a page.
    Connection(Source),
}

/// What a person has to know to come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// The PIN of a person's seat.
    Pin(Person),
    /// The code of the table, which all visitors of pages have.
    Code,
}

/// What a seat requires of a person who wants to sit there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: a player's seat without a PIN.
    Nothing,
    /// The seat's PIN.
    Pin,
    /// A PIN, which has not been made yet.
    NewPin,
}

/// What has to be recorded and told about a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Wrong PINs that were checked, to be recorded but not told yet.
    Tried {
        /// The person whose seat it is.
        person: Person,
        /// Their number.
        tried: u64,
    },
    /// Wrong PINs, to be told. Those checked are recorded already.
    WrongPins {
        /// The person whose seat it is.
        person: Person,
        /// How many were checked.
        tried: u64,
        /// How many more were refused unchecked.
        unheard: u64,
    },
    /// The number of wrong codes of the table, to be told.
    WrongCodes(u64),
    /// Lines left out because they came too fast or were repeated.
    LeftOut {
        /// The seat where they were typed.
        seat: Seat,
        /// Their number.
        lines: u64,
    },
}

/// All seats.
#[derive(Clone, Debug)]
pub struct Seats {
    has_arbiter: bool,
    all: Vec<(Person, Chair)>,
    /// The attempts at the code of the table.
    code: Guesses,
    /// The lines typed at the shared terminal.
    shared: Lines,
}

/// The seat of one person.
#[derive(Clone, Debug)]
struct Chair {
    /// Whether nobody sits there without a PIN.
    is_guarded: bool,
    pin: Option<PinHash>,
    guesses: Guesses,
    consoles: Bucket,
    lines: Lines,
}

impl Seats {
    /// The seats at a table. An assistant's and the arbiter's always need a PIN. In a rated game
    /// the players' do too, because only the player himself may read what is private to him and
    /// resign, sign or agree for him, even while his console is gone. In any other game a player
    /// may make one.
    pub fn of(profile: &Profile) -> Self {
        let is_guarded = |person| match person {
            Person::Player(_) => profile.mode == Mode::Rated,
            Person::Assistant(_) | Person::Arbiter => true,
        };
        let all = Color::ALL
            .into_iter()
            .flat_map(|side| [Person::Player(side), Person::Assistant(side)])
            .chain([Person::Arbiter]);
        Self {
            has_arbiter: profile.arbiter,
            all: all.map(|it| (it, Chair::new(is_guarded(it)))).collect(),
            code: Guesses::new(CODES, CODES),
            shared: Lines::new(),
        }
    }

    /// Whether there is an arbiter.
    pub const fn has_arbiter(&self) -> bool {
        self.has_arbiter
    }

    /// The seats as recorded, on the computer's time. Attempts before the program was restarted lie
    /// before [`BEGIN`] by as much as the wall clock says.
    #[must_use]
    pub fn as_recorded(mut self, entries: &[Entry], wall_ms: u64) -> Self {
        for entry in entries {
            if let Body::Seat { person, event } = &entry.body {
                let age = wall_ms.saturating_sub(entry.wall_ms);
                let at = Moment::from_ms(BEGIN.as_ms().saturating_sub(age));
                self.apply_event(at, *person, event);
            }
        }
        self
    }

    /// Takes over a recorded event of a seat.
    pub fn apply_event(&mut self, at: Moment, person: Person, event: &SeatEvent) {
        let chair = self.chair(person);
        match event {
            SeatEvent::PinMade(pin) => chair.pin = Some(pin.clone()),
            SeatEvent::PinGivenUp => chair.pin = None,
            // Restarting the program gives no more attempts.
            SeatEvent::WrongPins { tried, .. } => {
                chair.guesses.note(at, *tried);
            }
        }
    }

    /// What a seat requires of a person who wants to sit there.
    pub fn asks(&self, person: Person) -> Asks {
        let chair = self.all.iter().find(|(of, _)| *of == person);
        match chair {
            Some((_, chair)) if chair.pin.is_some() => Asks::Pin,
            Some((_, chair)) if chair.is_guarded => Asks::NewPin,
            _ => Asks::Nothing,
        }
    }

    /// The stored hash of a seat's PIN.
    pub fn pin(&self, person: Person) -> Option<&PinHash> {
        let chair = self.all.iter().find(|(of, _)| *of == person);
        chair.and_then(|(_, chair)| chair.pin.as_ref())
    }

    /// An attempt at a seat's PIN by a person who does not wait. Returns the hash to compare with,
    /// if there is a PIN and it may be tried. Afterwards the caller reports [right](Self::right) or
    /// [wrong](Self::wrong); until then it counts as wrong.
    ///
    /// # Errors
    ///
    /// How long to wait. The given PIN is not checked.
    pub fn try_pin(
        &mut self,
        now: Moment,
        person: Person,
        way: &Way,
    ) -> Result<Option<PinHash>, Duration> {
        if self.pin(person).is_none() {
            return Ok(None);
        }
        let guesses = self.guesses(Secret::Pin(person));
        let ticket = guesses.line_up(now, way)?;
        match guesses.turn(now, way, ticket) {
            Turn::Now => Ok(self.pin(person).cloned()),
            Turn::After(wait) => {
                guesses.step_back(way, ticket);
                Err(wait)
            }
            Turn::SentAway => Err(Duration::ZERO),
        }
    }

    /// Queues a person with a secret until it is his turn.
    ///
    /// # Errors
    ///
    /// How long to wait before coming again: he is queued already, or too many people are who have
    /// tried less.
    pub fn line_up(&mut self, now: Moment, of: Secret, way: &Way) -> Result<Ticket, Duration> {
        self.guesses(of).line_up(now, way)
    }

    /// Whether it is a person's turn.
    pub fn turn(&mut self, now: Moment, of: Secret, way: &Way, ticket: Ticket) -> Turn {
        self.guesses(of).turn(now, way, ticket)
    }

    /// Removes a person from the queue. What he offers is not checked.
    pub fn step_back(&mut self, of: Secret, way: &Way, ticket: Ticket) {
        self.guesses(of).step_back(way, ticket);
    }

    /// Notes a right attempt, which does not count.
    pub fn right(&mut self, of: Secret, way: &Way) {
        self.guesses(of).right(way);
    }

    /// Notes a wrong attempt.
    pub fn wrong(&mut self, now: Moment, of: Secret, way: &Way) {
        self.guesses(of).wrong(now, way);
    }

    fn guesses(&mut self, of: Secret) -> &mut Guesses {
        match of {
            Secret::Pin(person) => &mut self.chair(person).guesses,
            Secret::Code => &mut self.code,
        }
    }

    /// Whether one more console may come to a seat. Each is recorded and announced to everybody.
    pub fn may_attach(&mut self, now: Moment, person: Person) -> bool {
        self.chair(person).consoles.take(now).is_ok()
    }

    /// Whether a line typed at a seat is taken. Nobody types faster than the limit; lines left out
    /// are counted.
    pub fn may_type(&mut self, now: Moment, seat: Seat, line: &str) -> bool {
        let lines = match seat {
            Seat::Of(person) | Seat::Page(person) => &mut self.chair(person).lines,
            Seat::Shared | Seat::SharedAs(_) => &mut self.shared,
        };
        lines.may_type(now, line)
    }

    /// What has to be recorded and told now, and about which seat.
    pub fn news(&mut self, now: Moment) -> Vec<News> {
        let chairs = self.all.iter_mut();
        let mut news: Vec<News> = chairs
            .flat_map(|(of, chair)| chair.news(now, *of))
            .collect();
        // They are not recorded: the code changes each time the program starts.
        self.code.take_unrecorded();
        let codes = self.code.take_untold(now);
        news.extend(codes.map(|(tried, unheard)| News::WrongCodes(tried + unheard)));
        let seat = Seat::Shared;
        let lines = self.shared.news(now, QUIET);
        news.extend(lines.map(|lines| News::LeftOut { seat, lines }));
        news
    }

    /// Everything not told yet, because the game is left.
    pub fn last_news(&mut self) -> Vec<News> {
        self.news(Moment::from_ms(u64::MAX))
    }

    /// When there will be news, if anything has to be told.
    pub fn news_due(&self) -> Option<Moment> {
        let chairs = self.all.iter().filter_map(|(_, chair)| chair.due());
        let others = self.code.due().into_iter().chain(self.shared.due());
        chairs.chain(others).min()
    }

    fn chair(&mut self, person: Person) -> &mut Chair {
        let found = self.all.iter().position(|(of, _)| *of == person);
        let index = found.unwrap_or_else(|| {
            self.all.push((person, Chair::new(true)));
            self.all.len() - 1
        });
        &mut self.all[index].1
    }
}

impl Chair {
    const fn new(is_guarded: bool) -> Self {
        Self {
            is_guarded,
            pin: None,
            guesses: Guesses::new(AT_TERMINAL, BY_CONNECTION),
            consoles: Bucket::new(CONSOLES, ONE_MORE_CONSOLE),
            lines: Lines::new(),
        }
    }

    fn news(&mut self, now: Moment, person: Person) -> Vec<News> {
        let recorded = self.guesses.take_unrecorded();
        let recorded = recorded.map(|tried| News::Tried { person, tried });
        let told = self.guesses.take_untold(now);
        let told = told.map(|(tried, unheard)| News::WrongPins {
            person,
            tried,
            unheard,
        });
        let seat = Seat::Of(person);
        let lines = self.lines.news(now, QUIET);
        let lines = lines.map(|lines| News::LeftOut { seat, lines });
        recorded.into_iter().chain(told).chain(lines).collect()
    }

    fn due(&self) -> Option<Moment> {
        self.guesses.due().into_iter().chain(self.lines.due()).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways() -> [Way; 2] {
        [Way::Terminal, from(1)]
    }

    /// By a connection from this program.
    fn from(program: u64) -> Way {
        Way::Connection(Source::new([1000, 1, program]))
    }
    const BLACK: Person = Person::Player(Color::Black);

    fn at(seconds: u64) -> Moment {
        Moment::from_ms(seconds * 1000)
    }

    fn made() -> SeatEvent {
        SeatEvent::PinMade(PinHash {
            salt: "c2FsdA==".to_owned(),
            hash: "aGFzaA==".to_owned(),
        })
    }

    /// A rated game with a blind White. The arbiter has made a PIN.
    fn rated() -> Seats {
        let mut profile = Profile {
            mode: Mode::Rated,
            arbiter: true,
            ..Profile::default()
        };
        profile.sides.white.visually_disabled = true;
        let mut seats = Seats::of(&profile);
        seats.apply_event(Moment::START, Person::Arbiter, &made());
        seats
    }

    fn is_tried(seats: &mut Seats, now: Moment, way: &Way) -> bool {
        let is_tried = seats.try_pin(now, Person::Arbiter, way).is_ok();
        if is_tried {
            seats.wrong(now, Secret::Pin(Person::Arbiter), way);
        }
        is_tried
    }

    #[test]
    fn power_needs_a_pin_and_so_does_every_seat_of_a_rated_game() {
        let seats = rated();
        let asked = |person| seats.asks(person);
        assert_eq!(asked(Person::Arbiter), Asks::Pin);
        assert_eq!(asked(Person::Assistant(Color::White)), Asks::NewPin);
        assert_eq!(asked(Person::Player(Color::White)), Asks::NewPin);
        assert_eq!(asked(BLACK), Asks::NewPin);
        let club = Seats::of(&Profile {
            mode: Mode::Club,
            ..Profile::default()
        });
        for side in Color::ALL {
            assert_eq!(club.asks(Person::Player(side)), Asks::Nothing);
        }
    }

    #[test]
    fn at_most_ten_wrong_pins_are_tried_in_any_minute_by_all_ways_together() {
        let mut seats = rated();
        let mut tried = Vec::new();
        for second in 0..600 {
            for way in ways() {
                for _ in 0..50 {
                    if is_tried(&mut seats, at(second), &way) {
                        tried.push(second);
                    }
                }
            }
        }
        let in_minute = |from: u64| {
            tried
                .iter()
                .filter(move |it| (from..=from + 60).contains(it))
        };
        let most = (0..600).map(|from| in_minute(from).count()).max();
        assert_eq!(most, Some(10), "{tried:?}");
        assert_eq!(tried.len(), 3 + 9 + 2 + 599 / 15, "{tried:?}");
    }

    #[test]
    fn who_guesses_by_one_way_shuts_nobody_out_who_comes_by_the_other() {
        let mut seats = rated();
        while is_tried(&mut seats, at(1), &from(1)) {}
        for _ in 0..100 {
            let kept = seats.try_pin(at(1), Person::Arbiter, &Way::Terminal);
            assert!(kept.unwrap().is_some());
            seats.right(Secret::Pin(Person::Arbiter), &Way::Terminal);
        }
        let other = seats.try_pin(at(1), Person::Assistant(Color::White), &from(1));
        assert_eq!(other, Ok(None));
        let wait = seats.try_pin(at(11), Person::Arbiter, &from(2));
        assert_eq!(wait, Err(Duration::from_secs(5)));
    }

    #[test]
    fn the_record_gives_back_pins_and_what_was_tried_at_them() {
        // The game's own time does not tell how long ago something was.
        let entry = |seconds: u64, event| Entry {
            seq: 0,
            at: at(5),
            wall_ms: seconds * 1000,
            body: Body::Seat {
                person: Person::Arbiter,
                event,
            },
        };
        let (tried, unheard) = (4, 90);
        let wrong = SeatEvent::WrongPins { tried, unheard };
        let mut entries = vec![entry(1000, made()), entry(1100, wrong)];
        let resumed = |entries: &[Entry], seconds: u64| {
            Seats::of(&Profile::default()).as_recorded(entries, seconds * 1000)
        };
        for (seconds, is_free) in [(1101, false), (1160, true), (1, false)] {
            let mut seats = resumed(&entries, seconds);
            assert_eq!(seats.asks(Person::Arbiter), Asks::Pin);
            for way in ways() {
                let is_tried = is_tried(&mut seats, BEGIN, &way);
                assert_eq!(is_tried, is_free, "{seconds} {way:?}");
            }
        }
        entries.push(entry(1170, SeatEvent::PinGivenUp));
        let given_up = resumed(&entries, 1180);
        assert_eq!(given_up.asks(Person::Arbiter), Asks::NewPin);
        assert_eq!(resumed(&[], 0).asks(Person::Arbiter), Asks::NewPin);
    }

    #[test]
    fn wrong_pins_are_recorded_at_once_and_told_joined() {
        let mut seats = rated();
        assert_eq!((seats.news_due(), seats.news(at(1))), (None, vec![]));
        let person = Person::Arbiter;
        let told = |tried, unheard| News::WrongPins {
            person,
            tried,
            unheard,
        };
        let recorded = News::Tried { person, tried: 1 };
        assert!(is_tried(&mut seats, at(1), &from(1)));
        assert_eq!(seats.news(at(1)), [recorded, told(1, 0)]);
        for _ in 0..1000 {
            is_tried(&mut seats, at(2), &from(1));
        }
        // If it were recorded only when told, killing the program would give a free attempt.
        assert_eq!(seats.news_due(), Some(Moment::START));
        assert_eq!(seats.news(at(2)), [recorded]);
        assert_eq!(seats.news(at(20)), vec![]);
        assert_eq!(seats.news_due(), Some(at(21)));
        assert_eq!(seats.news(at(21)), [told(1, 999)]);
        assert_eq!(seats.news_due(), None);
        is_tried(&mut seats, at(22), &Way::Terminal);
        assert_eq!(seats.last_news(), [recorded, told(1, 0)]);
    }

    #[test]
    fn who_waits_has_his_turn_and_who_waits_no_longer_is_counted() {
        let mut seats = rated();
        while is_tried(&mut seats, at(1), &from(1)) {}
        let unheard = seats.last_news().len();
        assert_eq!(unheard, 2);
        let line_up =
            |seats: &mut Seats, way: &Way| seats.line_up(at(1), Secret::Pin(Person::Arbiter), way);
        let guesser = line_up(&mut seats, &from(1)).unwrap();
        assert!(line_up(&mut seats, &from(1)).is_err());
        let honest = line_up(&mut seats, &from(2)).unwrap();
        let turn = |seats: &mut Seats, seconds, way: &Way, ticket| {
            seats.turn(at(seconds), Secret::Pin(Person::Arbiter), way, ticket)
        };
        let wait = Turn::After(Duration::from_secs(15));
        assert_eq!(turn(&mut seats, 1, &from(2), honest), wait);
        let no_wait = Turn::After(Duration::ZERO);
        assert_eq!(turn(&mut seats, 16, &from(1), guesser), no_wait);
        assert_eq!(turn(&mut seats, 16, &from(2), honest), Turn::Now);
        seats.right(Secret::Pin(Person::Arbiter), &from(2));
        seats.step_back(Secret::Pin(Person::Arbiter), &from(1), guesser);
        assert_eq!(turn(&mut seats, 16, &from(1), guesser), Turn::SentAway);
        let (person, tried, unheard) = (Person::Arbiter, 0, 3);
        let told = News::WrongPins {
            person,
            tried,
            unheard,
        };
        assert_eq!(seats.last_news(), [told]);
    }

    #[test]
    fn the_same_line_again_and_again_is_one_and_no_seat_types_without_end() {
        let mut seats = rated();
        let taken = |seats: &mut Seats, ms, line: &str| {
            let seat = Seat::Of(BLACK);
            seats.may_type(Moment::from_ms(ms), seat, line)
        };
        let alike = (0..300).filter(|it| taken(&mut seats, *it, "uhr"));
        assert_eq!(alike.count(), 3);
        assert!(taken(&mut seats, 301, "zeit"));
        assert!(taken(&mut seats, 302, "uhr"));
        let (seat, lines) = (Seat::Of(BLACK), 297);
        assert_eq!(seats.news(at(1)), [News::LeftOut { seat, lines }]);
        let others = (0..10_000).filter(|it| taken(&mut seats, 1000 + it, &it.to_string()));
        // Ten seconds have passed.
        assert_eq!(others.count(), lines::LINES as usize - 5 + 10);
        let white = Seat::Of(Person::Player(Color::White));
        assert!(seats.may_type(at(11), white, "uhr"));
        let all = |seat| {
            let typed = (0..5000).filter(|it: &u32| seats.may_type(at(12), seat, &it.to_string()));
            typed.count()
        };
        let everybody = [Seat::Shared, Seat::SharedAs(Person::Arbiter)].map(all);
        assert_eq!(everybody, [lines::LINES as usize, 0]);
        assert!(taken(&mut seats, 60_000, "uhr"));
    }
}
