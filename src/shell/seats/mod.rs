//! Who may sit where: the PINs of seats, how often they may be tried, and how fast a seat may type.
//!
//! One mechanism for every way to a seat: consoles, the terminal that all use, pages. [`Seats`] is
//! a value with time as its argument; it holds what the record says of the seats and counts what
//! is tried. [`Keeper`] shares it between the threads that let persons in. Whoever lets somebody
//! in asks [`Keeper::admit`], and takes his lines only as far as [`Keeper::may_type`] allows.
//!
//! What is counted belongs to the seat and not to a connection: more connections give no more
//! tries and no more lines.

mod bucket;
mod keeper;
mod pin;

pub use keeper::{Keeper, told_of};
pub use pin::{Pin, Rules};

use std::time::Duration;

use shakmaty::Color;

use self::bucket::Bucket;
use crate::game::{Mode, Profile};
use crate::journal::{Body, Entry, PinHash, SeatEvent};
use crate::moment::Moment;
use crate::persons::Person;

/// When the time line begins by which seats are kept. It is that of the computer and not of a game,
/// which may stand still or be set.
pub const BEGIN: Moment = Moment::from_ms(24 * 60 * 60 * 1000);

/// So many wrong PINs of a seat are tried at once by each way.
const TRIES: u32 = 4;

/// After so long one more is. By both ways together these are at most ten in any minute.
const ONE_MORE_TRY: Duration = Duration::from_secs(60);

/// So many lines may be typed at a seat at once: far more than anybody types.
const LINES: u32 = 200;

/// After so long one more may be.
const ONE_MORE_LINE: Duration = Duration::from_secs(1);

/// So many consoles may come to a seat at once.
const CONSOLES: u32 = 12;

/// After so long one more may.
const ONE_MORE_CONSOLE: Duration = Duration::from_secs(5);

/// A line that is typed so often, each time soon after the last, is taken once more.
const ALIKE: u32 = 4;

/// How soon that is.
const SOON: Duration = Duration::from_secs(2);

/// After something was told of a seat, the next is told so much later, joined and counted.
const QUIET: Duration = Duration::from_secs(20);

/// By which way somebody comes to a seat. Each has tries of its own, so that whoever guesses by
/// one does not shut out who comes by the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// At the terminal that all use.
    Terminal,
    /// By a connection: a console, a page.
    Connection,
}

/// What a seat asks of whoever wants to sit there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: a player's seat that nobody has reserved.
    Nothing,
    /// Its PIN.
    Pin,
    /// A PIN, which has not been made yet.
    NewPin,
}

/// What is to be recorded and told of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Wrong PINs.
    WrongPins {
        /// How many were tried.
        tried: u64,
        /// How many more were refused without a look.
        unheard: u64,
    },
    /// Lines that were left out, because they came too fast or were the same again and again.
    LeftOut(u64),
}

/// All seats.
#[derive(Clone, Debug)]
pub struct Seats {
    has_arbiter: bool,
    all: Vec<(Person, Seat)>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Seat {
    /// Whether nobody sits there without a PIN.
    is_guarded: bool,
    pin: Option<PinHash>,
    at_terminal: Bucket,
    by_connection: Bucket,
    consoles: Bucket,
    lines: Bucket,
    /// The last line, when it came and how often in a row.
    last: (String, Moment, u32),
    tried: u64,
    unheard: u64,
    left_out: u64,
    /// When anything may be told of its PIN again.
    pins_due: Moment,
    /// When anything may be told of its lines again.
    lines_due: Moment,
}

impl Seats {
    /// The seats at a table. An assistant's and the arbiter's always need a PIN; of the players'
    /// the one of who cannot see does in a rated game, because his opponent must neither read what
    /// is private to him nor act for him. Any other player may make one.
    pub fn of(profile: &Profile) -> Self {
        let is_guarded = |person| match person {
            Person::Player(side) => {
                profile.mode == Mode::Rated && profile.is_visually_disabled(side)
            }
            Person::Assistant(_) | Person::Arbiter => true,
        };
        let all = Color::ALL
            .into_iter()
            .flat_map(|side| [Person::Player(side), Person::Assistant(side)])
            .chain([Person::Arbiter]);
        Self {
            has_arbiter: profile.arbiter,
            all: all.map(|it| (it, Seat::new(is_guarded(it)))).collect(),
        }
    }

    /// Whether there is an arbiter at all.
    pub const fn has_arbiter(&self) -> bool {
        self.has_arbiter
    }

    /// The same, as the record has them, in the time of the computer: what was tried before the
    /// program was started anew lies so far before [`BEGIN`] as the clock on the wall says.
    #[must_use]
    pub fn as_recorded(mut self, entries: &[Entry], wall_ms: u64) -> Self {
        for entry in entries {
            if let Body::Seat { person, event } = &entry.body {
                let age = wall_ms.saturating_sub(entry.wall_ms);
                let at = Moment::from_ms(BEGIN.as_ms().saturating_sub(age));
                self.take_up(at, *person, event);
            }
        }
        self
    }

    /// What was recorded of a seat.
    pub fn take_up(&mut self, at: Moment, person: Person, event: &SeatEvent) {
        let seat = self.seat(person);
        match event {
            SeatEvent::PinMade(pin) => seat.pin = Some(pin.clone()),
            SeatEvent::PinGivenUp => seat.pin = None,
            // Whoever starts the program anew has no more tries for it.
            SeatEvent::WrongPins { tried, .. } => {
                for _ in 0..*tried {
                    let _ = seat.at_terminal.take(at);
                    let _ = seat.by_connection.take(at);
                }
            }
        }
    }

    /// What a seat asks of whoever wants to sit there.
    pub fn asks(&self, person: Person) -> Asks {
        let seat = self.all.iter().find(|(of, _)| *of == person);
        match seat {
            Some((_, seat)) if seat.pin.is_some() => Asks::Pin,
            Some((_, seat)) if seat.is_guarded => Asks::NewPin,
            _ => Asks::Nothing,
        }
    }

    /// What was kept of the PIN of a seat.
    pub fn pin(&self, person: Person) -> Option<&PinHash> {
        let seat = self.all.iter().find(|(of, _)| *of == person);
        seat.and_then(|(_, seat)| seat.pin.as_ref())
    }

    /// A try at the PIN of a seat, if there is one and one may be tried: what to compare it with.
    /// Whether it was [right](Self::right) or [wrong](Self::wrong) is told afterwards; until then
    /// it counts as wrong.
    ///
    /// # Errors
    ///
    /// How long to wait. The PIN that was given is not looked at.
    pub fn try_pin(
        &mut self,
        now: Moment,
        person: Person,
        way: Way,
    ) -> Result<Option<PinHash>, Duration> {
        let seat = self.seat(person);
        if seat.pin.is_none() {
            return Ok(None);
        }
        let taken = seat.tries(way).take(now);
        seat.unheard += u64::from(taken.is_err());
        taken.map(|()| seat.pin.clone())
    }

    /// It was right: the try does not count.
    pub fn right(&mut self, person: Person, way: Way) {
        self.seat(person).tries(way).give_back();
    }

    /// It was wrong.
    pub fn wrong(&mut self, person: Person) {
        self.seat(person).tried += 1;
    }

    /// Whether one more console may come to a seat: each is recorded and told to all.
    pub fn may_attach(&mut self, now: Moment, person: Person) -> bool {
        self.seat(person).consoles.take(now).is_ok()
    }

    /// Whether a line that was typed at a seat is taken. Nobody types faster than it allows; what
    /// is left out is counted.
    pub fn may_type(&mut self, now: Moment, person: Person, line: &str) -> bool {
        let seat = self.seat(person);
        let (last, at, times) = &mut seat.last;
        let is_again = last == line && now.since(*at) < SOON;
        *times = if is_again { *times + 1 } else { 1 };
        *at = now;
        if !is_again {
            line.clone_into(last);
        }
        let is_taken = *times < ALIKE && seat.lines.take(now).is_ok();
        seat.left_out += u64::from(!is_taken);
        is_taken
    }

    /// What is to be recorded and told now of which seat.
    pub fn news(&mut self, now: Moment) -> Vec<(Person, News)> {
        let seats = self.all.iter_mut();
        let news = seats.flat_map(|(of, seat)| seat.news(now).into_iter().map(|it| (*of, it)));
        news.collect()
    }

    /// All that was not told yet, because the game is left.
    pub fn last_news(&mut self) -> Vec<(Person, News)> {
        self.news(Moment::from_ms(u64::MAX))
    }

    /// When there will be news, if anything is to be told.
    pub fn news_due(&self) -> Option<Moment> {
        self.all.iter().filter_map(|(_, seat)| seat.due()).min()
    }

    fn seat(&mut self, person: Person) -> &mut Seat {
        let found = self.all.iter().position(|(of, _)| *of == person);
        let index = found.unwrap_or_else(|| {
            self.all.push((person, Seat::new(true)));
            self.all.len() - 1
        });
        &mut self.all[index].1
    }
}

impl Seat {
    const fn new(is_guarded: bool) -> Self {
        Self {
            is_guarded,
            pin: None,
            at_terminal: Bucket::new(TRIES, ONE_MORE_TRY),
            by_connection: Bucket::new(TRIES, ONE_MORE_TRY),
            consoles: Bucket::new(CONSOLES, ONE_MORE_CONSOLE),
            lines: Bucket::new(LINES, ONE_MORE_LINE),
            last: (String::new(), Moment::START, 0),
            tried: 0,
            unheard: 0,
            left_out: 0,
            pins_due: Moment::START,
            lines_due: Moment::START,
        }
    }

    const fn tries(&mut self, way: Way) -> &mut Bucket {
        match way {
            Way::Terminal => &mut self.at_terminal,
            Way::Connection => &mut self.by_connection,
        }
    }

    const fn has_wrong_pins(&self) -> bool {
        self.tried + self.unheard > 0
    }

    fn news(&mut self, now: Moment) -> Vec<News> {
        let mut news = Vec::new();
        if self.has_wrong_pins() && now >= self.pins_due {
            self.pins_due = now + QUIET;
            let (tried, unheard) = (self.tried, self.unheard);
            (self.tried, self.unheard) = (0, 0);
            news.push(News::WrongPins { tried, unheard });
        }
        if self.left_out > 0 && now >= self.lines_due {
            self.lines_due = now + QUIET;
            news.push(News::LeftOut(std::mem::take(&mut self.left_out)));
        }
        news
    }

    fn due(&self) -> Option<Moment> {
        let pins = self.has_wrong_pins().then_some(self.pins_due);
        let lines = (self.left_out > 0).then_some(self.lines_due);
        pins.into_iter().chain(lines).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: [Way; 2] = [Way::Terminal, Way::Connection];
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

    /// A rated game of a blind White; the arbiter has made a PIN.
    fn rated() -> Seats {
        let mut profile = Profile {
            mode: Mode::Rated,
            arbiter: true,
            ..Profile::default()
        };
        profile.sides.white.visually_disabled = true;
        let mut seats = Seats::of(&profile);
        seats.take_up(Moment::START, Person::Arbiter, &made());
        seats
    }

    fn is_tried(seats: &mut Seats, now: Moment, way: Way) -> bool {
        let is_tried = seats.try_pin(now, Person::Arbiter, way).is_ok();
        if is_tried {
            seats.wrong(Person::Arbiter);
        }
        is_tried
    }

    #[test]
    fn power_and_the_seat_of_who_cannot_see_need_a_pin() {
        let seats = rated();
        let asked = |person| seats.asks(person);
        assert_eq!(asked(Person::Arbiter), Asks::Pin);
        assert_eq!(asked(Person::Assistant(Color::White)), Asks::NewPin);
        assert_eq!(asked(Person::Player(Color::White)), Asks::NewPin);
        assert_eq!(asked(BLACK), Asks::Nothing);
        let club = Seats::of(&Profile {
            mode: Mode::Club,
            ..Profile::default()
        });
        assert_eq!(club.asks(Person::Player(Color::White)), Asks::Nothing);
    }

    #[test]
    fn at_most_ten_wrong_pins_are_tried_in_any_minute_by_all_ways_together() {
        let mut seats = rated();
        let mut tried = Vec::new();
        for second in 0..600 {
            for way in WAYS {
                for _ in 0..50 {
                    if is_tried(&mut seats, at(second), way) {
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
        assert_eq!(tried.len(), 2 * (4 + 9), "{tried:?}");
    }

    #[test]
    fn who_guesses_by_one_way_shuts_nobody_out_who_comes_by_the_other() {
        let mut seats = rated();
        while is_tried(&mut seats, at(1), Way::Connection) {}
        for _ in 0..100 {
            let kept = seats.try_pin(at(1), Person::Arbiter, Way::Terminal);
            assert!(kept.unwrap().is_some());
            seats.right(Person::Arbiter, Way::Terminal);
        }
        let other = seats.try_pin(at(1), Person::Assistant(Color::White), Way::Connection);
        assert_eq!(other, Ok(None));
        let wait = seats.try_pin(at(11), Person::Arbiter, Way::Connection);
        assert_eq!(wait, Err(Duration::from_secs(50)));
    }

    #[test]
    fn the_record_gives_back_pins_and_what_was_tried_at_them() {
        // The game's own time says nothing of how long ago something was.
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
            for way in WAYS {
                let is_tried = is_tried(&mut seats, BEGIN, way);
                assert_eq!(is_tried, is_free, "{seconds} {way:?}");
            }
        }
        entries.push(entry(1170, SeatEvent::PinGivenUp));
        let given_up = resumed(&entries, 1180);
        assert_eq!(given_up.asks(Person::Arbiter), Asks::NewPin);
        assert_eq!(resumed(&[], 0).asks(Person::Arbiter), Asks::NewPin);
    }

    #[test]
    fn wrong_pins_are_told_at_once_and_then_joined() {
        let mut seats = rated();
        assert_eq!((seats.news_due(), seats.news(at(1))), (None, vec![]));
        assert!(is_tried(&mut seats, at(1), Way::Connection));
        let told = |tried, unheard| vec![(Person::Arbiter, News::WrongPins { tried, unheard })];
        assert_eq!(seats.news(at(1)), told(1, 0));
        for _ in 0..1000 {
            is_tried(&mut seats, at(2), Way::Connection);
        }
        assert_eq!(seats.news(at(20)), vec![]);
        assert_eq!(seats.news_due(), Some(at(21)));
        assert_eq!(seats.news(at(21)), told(3, 997));
        assert_eq!(seats.news_due(), None);
        is_tried(&mut seats, at(22), Way::Terminal);
        assert_eq!(seats.last_news(), told(1, 0));
    }

    #[test]
    fn the_same_line_again_and_again_is_one_and_no_seat_types_without_end() {
        let mut seats = rated();
        let taken =
            |seats: &mut Seats, ms, line: &str| seats.may_type(Moment::from_ms(ms), BLACK, line);
        let alike = (0..300).filter(|it| taken(&mut seats, *it, "uhr"));
        assert_eq!(alike.count(), 3);
        assert!(taken(&mut seats, 301, "zeit"));
        assert!(taken(&mut seats, 302, "uhr"));
        let black = |left_out| vec![(BLACK, News::LeftOut(left_out))];
        assert_eq!(seats.news(at(1)), black(297));
        let others = (0..10_000).filter(|it| taken(&mut seats, 1000 + it, &it.to_string()));
        // Ten seconds went by.
        assert_eq!(others.count(), LINES as usize - 5 + 10);
        let white = Person::Player(Color::White);
        assert!(seats.may_type(at(11), white, "uhr"));
        assert!(taken(&mut seats, 60_000, "uhr"));
    }
}
