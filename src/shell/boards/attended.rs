//! A board on its line: its driver, and what follows it.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::device::{Board, DeviceCommand, DeviceEvent};
use super::follower::{Follower, Report};
use crate::moment::Moment;

/// A board that shows no known position for so long is asked for all its squares.
const UNEXPLAINED_MAX: Duration = Duration::from_secs(2);
/// A line on which bytes came so lately may have more of them under way.
const LINE_QUIET: Duration = Duration::from_millis(40);

/// A driver and a follower, which whoever owns the line feeds with bytes and time. Pure.
pub struct Attended {
    board: Box<dyn Board>,
    follower: Follower,
    unexplained_since: Option<Moment>,
}

impl Attended {
    /// Follows what a driver says.
    pub const fn new(board: Box<dyn Board>, follower: Follower) -> Self {
        Self {
            board,
            follower,
            unexplained_since: None,
        }
    }

    /// The driver.
    pub fn board(&mut self) -> &mut dyn Board {
        &mut *self.board
    }

    /// What follows it.
    pub const fn follower(&self) -> &Follower {
        &self.follower
    }

    /// What follows it, to be told something.
    pub const fn follower_mut(&mut self) -> &mut Follower {
        &mut self.follower
    }

    /// A move was announced, the second witness of boards that know no pieces.
    pub fn announced(&mut self, now: Moment, announced: UciMove) -> Vec<Report> {
        self.board.command(now, DeviceCommand::Announced(announced));
        self.follower.announced(now, announced)
    }

    /// The line is open, for the first time or again.
    pub fn opened(&mut self, now: Moment) {
        self.board.opened(now);
        self.follower.line_opened(now);
    }

    /// The line is away, now and until it is opened: the pieces may be moved meanwhile, so what
    /// was seen last is no rest.
    pub fn cut_off(&mut self, now: Moment) -> Vec<Report> {
        let mut reports = self.follower.hear(now, DeviceEvent::Lost);
        reports.extend(self.follower.wake(now));
        reports
    }

    /// Bytes have arrived.
    pub fn received(&mut self, now: Moment, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.follower.line_is_busy(now + LINE_QUIET);
            self.board.received(now, bytes);
        }
    }

    /// Time has passed: the driver may want to write.
    pub fn wake(&mut self, now: Moment) {
        let deadline = self.board.deadline();
        if deadline.is_some_and(|deadline| deadline <= now) {
            self.board.wake(now);
        }
    }

    /// Everything that bytes and time have brought.
    pub fn reports(&mut self, now: Moment) -> Vec<Report> {
        let mut reports = Vec::new();
        while let Some(said) = self.board.next_event() {
            reports.extend(self.follower.hear(now, said));
        }
        if self.board.is_mid_message() {
            self.follower.line_is_busy(now + LINE_QUIET);
        }
        let deadline = self.follower.deadline();
        if deadline.is_some_and(|deadline| deadline <= now) {
            reports.extend(self.follower.wake(now));
        }
        if !self.follower.reconstructor().is_unexplained() {
            self.unexplained_since = None;
        } else if now.since(*self.unexplained_since.get_or_insert(now)) >= UNEXPLAINED_MAX {
            // A change may have been lost on the line.
            self.unexplained_since = Some(now);
            self.board.command(now, DeviceCommand::Refresh);
        }
        reports
    }
}
