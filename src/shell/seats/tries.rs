//! Decides whose PIN is checked next. Few are checked, so they are shared among the sources: a
//! person who guesses endlessly waits for his own guesses, and nobody else does.

use std::time::Duration;

use super::bucket::Bucket;
use super::source::Source;
use crate::moment::Moment;

/// How many may wait.
const WAITING: usize = 32;

/// How long the source of a wrong PIN is remembered.
const REMEMBERED: Duration = Duration::from_secs(60 * 60);

/// The attempts at one seat's PIN.
#[derive(Clone, Debug)]
pub(super) struct Tries {
    bucket: Bucket,
    /// The waiting ones, in order of arrival.
    waiting: Vec<(Ticket, Source)>,
    last: Ticket,
    /// The sources of wrong PINs, and when each was last wrong.
    wrong: Vec<(Moment, Source)>,
    /// The places of people who had the right PIN.
    right: Vec<Source>,
}

/// The identity of one waiting attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// Whether it is a person's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// His PIN is checked now. It counts as wrong until it was right.
    Now,
    /// He waits at least this long, or until another had his turn.
    After(Duration),
    /// Too many wait who tried longer ago. His PIN is not checked.
    SentAway,
}

impl Tries {
    /// This many wrong ones at once, and one more after each interval.
    pub(super) const fn new(most: u32, every: Duration) -> Self {
        Self {
            bucket: Bucket::new(most, every),
            waiting: Vec::new(),
            last: Ticket(0),
            wrong: Vec::new(),
            right: Vec::new(),
        }
    }

    /// Queues a person who comes with a PIN.
    ///
    /// # Errors
    ///
    /// How long until another can be checked. He is not queued if he waits already, or if too many
    /// wait who tried longer ago.
    pub(super) fn line_up(&mut self, now: Moment, source: &Source) -> Result<Ticket, Duration> {
        self.wrong.retain(|(at, _)| now.since(*at) < REMEMBERED);
        let refused = Err(self.bucket.wait(now));
        if self.waiting.iter().any(|(_, of)| of == source) {
            return refused;
        }
        if self.waiting.len() >= WAITING {
            let places = self.waiting.iter().enumerate();
            let worst = places.max_by_key(|(_, (ticket, of))| (self.rank(of), *ticket));
            match worst.map(|(place, (_, of))| (place, self.rank(of))) {
                Some((place, worst)) if self.rank(source) < worst => self.waiting.remove(place),
                _ => return refused,
            };
        }
        self.last.0 += 1;
        self.waiting.push((self.last, source.clone()));
        Ok(self.last)
    }

    /// Whether it is a person's turn.
    pub(super) fn turn(&mut self, now: Moment, ticket: Ticket) -> Turn {
        let ranks = self
            .waiting
            .iter()
            .map(|(of, source)| (self.rank(source), *of));
        let Some((_, first)) = ranks.min() else {
            return Turn::SentAway;
        };
        if self.waiting.iter().all(|(of, _)| *of != ticket) {
            return Turn::SentAway;
        }
        let wait = self.bucket.wait(now);
        if !wait.is_zero() || first != ticket {
            return Turn::After(wait);
        }
        // There is one, as has just been checked.
        let _ = self.bucket.take(now);
        self.step_back(ticket);
        Turn::Now
    }

    /// Removes a person from the queue.
    pub(super) fn step_back(&mut self, ticket: Ticket) {
        self.waiting.retain(|(of, _)| *of != ticket);
    }

    /// Notes a right attempt, which does not count.
    pub(super) fn right(&mut self, source: &Source) {
        self.bucket.give_back();
        let place = source.place();
        if !self.right.contains(&place) {
            self.right.push(place);
        }
    }

    /// Notes a wrong attempt.
    pub(super) fn wrong(&mut self, now: Moment, source: &Source) {
        self.wrong.retain(|(_, of)| of != source);
        self.wrong.push((now, source.clone()));
    }

    /// Notes this many attempts at that time from unknown sources.
    pub(super) fn note(&mut self, at: Moment, tried: u64) {
        for _ in 0..tried.min(100) {
            let _ = self.bucket.take(at);
        }
    }

    /// The rank of a source; the lower, the sooner. First comes a person who sat there before, then
    /// a person from the widest place that was wrong longest ago, and within the same place from
    /// the next narrower one. So places take turns: being wrong often, or guessing in many ways,
    /// neither gains nor costs anything.
    fn rank(&self, source: &Source) -> (bool, Vec<Option<Moment>>) {
        let is_new = !self.right.contains(&source.place());
        let wrong = source.places().map(|place| {
            let from = self.wrong.iter().filter(|(_, of)| of.is_in(place));
            from.map(|(at, _)| *at).max()
        });
        (is_new, wrong.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::from_ms(seconds * 1000)
    }

    fn tries() -> Tries {
        Tries::new(2, Duration::from_secs(15))
    }

    fn source<const N: usize>(path: [u64; N]) -> Source {
        Source::new(path)
    }

    /// Gives turns to all who wait, until nobody has one.
    fn served(tries: &mut Tries, now: Moment, waiting: &[Ticket]) -> Vec<Ticket> {
        let mut served = Vec::new();
        while let Some(next) = waiting.iter().find(|it| tries.turn(now, **it) == Turn::Now) {
            served.push(*next);
        }
        served
    }

    #[test]
    fn who_guesses_over_ever_new_connections_keeps_nobody_out() {
        let mut tries = tries();
        let guesser = source([1000, 1, 50, 51]);
        let mut waiting = Vec::new();
        let mut wrong = 0;
        for second in 0..300 {
            for _ in 0..2 {
                waiting.extend(tries.line_up(at(second), &guesser));
                let tried = served(&mut tries, at(second), &waiting);
                for _ in &tried {
                    tries.wrong(at(second), &guesser);
                    wrong += 1;
                }
                waiting.retain(|it| !tried.contains(it));
            }
        }
        assert_eq!(wrong, 2 + 299 / 15);
        // He sits at another terminal, in another window of the same one, or is another program in
        // the same window.
        for honest in [[1000, 1, 60, 61], [1000, 1, 50, 61]] {
            let mut tries = tries.clone();
            let honest = source(honest);
            let ticket = tries.line_up(at(300), &honest).unwrap();
            let until = (300..).find(|second| tries.turn(at(*second), ticket) == Turn::Now);
            assert!(until.unwrap() <= 315, "{until:?}");
        }
    }

    #[test]
    fn who_tried_longer_ago_goes_first_and_who_sat_there_before_all() {
        let mut tries = tries();
        tries.wrong(at(0), &source([1000, 1, 60, 61]));
        for _ in 0..5 {
            tries.wrong(at(1), &source([1000, 1, 50, 51]));
        }
        tries.note(at(0), 4);
        let order = [
            source([1000, 1, 50, 52]),
            source([1000, 1, 60, 61]),
            source([1000, 1, 60, 62]),
            source([1000, 0, 3, 4]),
            source([1000, 1, 70, 71]),
        ];
        let tickets: Vec<Ticket> = order
            .iter()
            .map(|it| tries.line_up(at(1), it).unwrap())
            .collect();
        assert!(tries.line_up(at(1), &order[0]).is_err(), "he waits already");
        tries.right.push(source([1000, 1, 70]));
        let mut served_in = Vec::new();
        for second in 1..200 {
            served_in.extend(served(&mut tries, at(second), &tickets));
        }
        assert_eq!(served_in, [4, 3, 2, 1, 0].map(|it| tickets[it]));
    }

    #[test]
    fn who_guesses_at_pages_and_consoles_at_once_keeps_no_console_waiting() {
        let mut tries = tries();
        let page = |it| source([u64::MAX, 127, it]);
        let console = |it| source([1000, 1, it, it]);
        for it in 0..40 {
            tries.wrong(at(it), &console(50));
        }
        // On pages nobody was wrong yet. From now on somebody guesses there too, endlessly.
        tries.note(at(40), 4);
        let honest = tries.line_up(at(40), &console(60)).unwrap();
        let mut waiting = Vec::new();
        let served = (40..200).find(|second| {
            for from in [page(*second), console(50)] {
                let ticket = tries.line_up(at(*second), &from);
                waiting.extend(ticket.map(|ticket| (ticket, from)));
            }
            waiting.retain(|(ticket, from)| {
                let is_tried = tries.turn(at(*second), *ticket) == Turn::Now;
                if is_tried {
                    tries.wrong(at(*second), from);
                }
                !is_tried
            });
            tries.turn(at(*second), honest) == Turn::Now
        });
        assert!(served.is_some_and(|it| it <= 40 + 30), "{served:?}");
    }

    #[test]
    fn a_crowd_gives_way_to_who_has_not_tried() {
        let mut tries = tries();
        tries.note(at(0), 4);
        tries.wrong(at(0), &source([1000, 0, 7, 8]));
        let crowd: Vec<Ticket> = (0..WAITING as u64)
            .map(|it| tries.line_up(at(1), &source([1000, 0, it, it])).unwrap())
            .collect();
        assert!(tries.line_up(at(1), &source([1000, 0, 7, 9])).is_err());
        let honest = tries.line_up(at(1), &source([1000, 1, 50, 51])).unwrap();
        let sent_away = crowd
            .iter()
            .filter(|it| tries.turn(at(1), **it) == Turn::SentAway);
        assert_eq!(sent_away.count(), 1);
        assert_eq!(tries.turn(at(31), honest), Turn::Now);
        tries.right(&source([1000, 1, 50, 51]));
        assert!(matches!(
            tries.turn(at(31), crowd[0]),
            Turn::Now | Turn::After(_)
        ));
    }
}
