//! Counts the attempts at a secret, a PIN or the code of the table, and decides what is recorded
//! and reported about them.

use std::time::Duration;

use super::tries::{Ticket, Tries, Turn};
use super::{QUIET, Source, Way};
use crate::moment::Moment;

/// The attempts at one secret by all ways, and the wrong ones.
#[derive(Clone, Debug)]
pub(super) struct Guesses {
    at_terminal: Tries,
    by_connection: Tries,
    /// Wrong ones checked and not reported yet.
    tried: u64,
    /// Attempts refused unchecked and not reported yet.
    unheard: u64,
    /// Those of the checked ones not recorded yet.
    unrecorded: u64,
    /// When anything may be reported about it again.
    due: Moment,
}

impl Guesses {
    /// No attempts yet. For each way: this many wrong ones at once, and one more after each
    /// interval.
    pub(super) const fn new(at_terminal: (u32, Duration), by_connection: (u32, Duration)) -> Self {
        Self {
            at_terminal: Tries::new(at_terminal.0, at_terminal.1),
            by_connection: Tries::new(by_connection.0, by_connection.1),
            tried: 0,
            unheard: 0,
            unrecorded: 0,
            due: Moment::START,
        }
    }

    /// Queues a person who comes with the secret.
    pub(super) fn line_up(&mut self, now: Moment, way: &Way) -> Result<Ticket, Duration> {
        let (tries, source) = self.tries(way);
        let waits = tries.line_up(now, &source);
        self.unheard += u64::from(waits.is_err());
        waits
    }

    /// Whether it is a person's turn.
    pub(super) fn turn(&mut self, now: Moment, way: &Way, ticket: Ticket) -> Turn {
        let turn = self.tries(way).0.turn(now, ticket);
        self.unheard += u64::from(turn == Turn::SentAway);
        turn
    }

    /// Removes a person from the queue. What he offers is not checked.
    pub(super) fn step_back(&mut self, way: &Way, ticket: Ticket) {
        self.tries(way).0.step_back(ticket);
        self.unheard += 1;
    }

    /// Notes a right attempt, which does not count.
    pub(super) fn right(&mut self, way: &Way) {
        let (tries, source) = self.tries(way);
        tries.right(&source);
    }

    /// Notes a wrong attempt.
    pub(super) fn wrong(&mut self, now: Moment, way: &Way) {
        let (tries, source) = self.tries(way);
        tries.wrong(now, &source);
        self.tried += 1;
        self.unrecorded += 1;
    }

    /// Notes this many wrong attempts at that time, from the record.
    pub(super) fn note(&mut self, at: Moment, tried: u64) {
        self.at_terminal.note(at, tried);
        self.by_connection.note(at, tried);
    }

    /// How many have to be recorded now. They are recorded at once, because an attempt that is not
    /// recorded is forgotten when the program is killed, and could be repeated.
    pub(super) fn take_unrecorded(&mut self) -> Option<u64> {
        let tried = std::mem::take(&mut self.unrecorded);
        (tried > 0).then_some(tried)
    }

    /// How many were checked, and how many more refused unchecked, if that has to be reported now.
    pub(super) fn take_untold(&mut self, now: Moment) -> Option<(u64, u64)> {
        if !self.has_any() || now < self.due {
            return None;
        }
        self.due = now + QUIET;
        let (tried, unheard) = (self.tried, self.unheard);
        (self.tried, self.unheard) = (0, 0);
        Some((tried, unheard))
    }

    /// When there will be anything to record or report.
    pub(super) fn due(&self) -> Option<Moment> {
        match self.unrecorded {
            0 => self.has_any().then_some(self.due),
            _ => Some(Moment::START),
        }
    }

    const fn has_any(&self) -> bool {
        self.tried + self.unheard > 0
    }

    /// The attempts by this way, and their source.
    fn tries(&mut self, way: &Way) -> (&mut Tries, Source) {
        match way {
            Way::Terminal => (&mut self.at_terminal, Source::default()),
            Way::Connection(source) => (&mut self.by_connection, source.clone()),
        }
    }
}
