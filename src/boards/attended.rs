//! A board on its line: its driver and its follower.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::device::{Board, DeviceCommand, DeviceEvent};
use super::follower::{Follower, Report};
use super::rush::Rush;
use annexd_game::board::Event;
use annexd_laws::moment::Moment;

/// A board that shows no known position for this long is asked for all its squares.
const UNEXPLAINED_MAX: Duration = Duration::from_secs(2);
/// A line that received bytes within this time may have more of them under way.
const LINE_QUIET: Duration = Duration::from_millis(40);

/// A driver and a follower. The owner of the line feeds them with bytes and time. Pure.
pub struct Attended {
    board: Box<dyn Board>,
    follower: Follower,
    unexplained_since: Option<Moment>,
    rush: Rush,
}

impl Attended {
    /// Follows what a driver reports.
    pub fn new(board: Box<dyn Board>, follower: Follower) -> Self {
        Self {
            board,
            follower,
            unexplained_since: None,
            rush: Rush::default(),
        }
    }

    /// The driver.
    pub fn board(&mut self) -> &mut dyn Board {
        &mut *self.board
    }

    /// The follower.
    pub const fn follower(&self) -> &Follower {
        &self.follower
    }

    /// The follower, to be told something.
    pub const fn follower_mut(&mut self) -> &mut Follower {
        &mut self.follower
    }

    /// Notes that a move was announced, the second source for boards that do not recognise pieces.
    pub fn announced(&mut self, now: Moment, announced: UciMove) -> Vec<Report> {
        self.board.command(now, DeviceCommand::Announced(announced));
        self.follower.announced(now, announced)
    }

    /// The line is open, for the first time or again.
    pub fn opened(&mut self, now: Moment) {
        self.rush = Rush::default();
        self.board.opened(now);
        self.follower.line_opened(now);
    }

    /// The line is lost until it is opened again. The pieces may be moved meanwhile, so what was
    /// seen last is no rest.
    pub fn cut_off(&mut self, now: Moment) -> Vec<Report> {
        let mut reports = self.follower.hear(now, DeviceEvent::Lost);
        reports.extend(self.follower.wake(now));
        reports
    }

    /// Bytes have arrived.
    pub fn received(&mut self, now: Moment, bytes: &[u8]) {
        if !bytes.is_empty() {
            if !self.board.capabilities().is_never_quiet {
                self.follower.line_is_busy(now + LINE_QUIET);
            }
            self.board.received(now, bytes);
        }
    }

    /// Lets time pass: the driver may want to write.
    pub fn wake(&mut self, now: Moment) {
        let deadline = self.board.deadline();
        if deadline.is_some_and(|deadline| deadline <= now) {
            self.board.wake(now);
        }
    }

    /// Everything that bytes and time have brought since the last call.
    pub fn reports(&mut self, now: Moment) -> Vec<Report> {
        let mut reports = Vec::new();
        while let Some(said) = self.board.next_event() {
            let said = if self.rush.is_on() {
                self.rush.pass(now, said)
            } else {
                Some(said)
            };
            let heard = said.map(|said| self.follower.hear(now, said));
            self.note(now, heard.unwrap_or_default(), &mut reports);
        }
        if self.rush.ends(now) {
            reports.push(Report::Device(DeviceEvent::Back));
            self.board.command(now, DeviceCommand::Refresh);
        } else if self.rush.is_on() {
            // What was seen last is no rest: the board will be read anew.
            let doubted = self.follower.hear(now, DeviceEvent::Lost);
            self.note(now, doubted, &mut reports);
        }
        if self.board.is_mid_message() {
            self.follower.line_is_busy(now + LINE_QUIET);
        }
        let deadline = self.follower.deadline();
        if deadline.is_some_and(|deadline| deadline <= now) {
            let passed = self.follower.wake(now);
            self.note(now, passed, &mut reports);
        }
        if self.rush.is_on() || !self.follower.reconstructor().is_unexplained() {
            self.unexplained_since = None;
        } else if now.since(*self.unexplained_since.get_or_insert(now)) >= UNEXPLAINED_MAX {
            // A change may have been lost on the line.
            self.unexplained_since = Some(now);
            self.board.command(now, DeviceCommand::Refresh);
        }
        reports
    }

    /// Adds reports. A board that reports more than hands can do is reported silent.
    fn note(&mut self, now: Moment, heard: Vec<Report>, reports: &mut Vec<Report>) {
        let is_fact = |report: &&Report| matches!(report, Report::Board(Event::Fact(_)));
        let facts = heard.iter().filter(is_fact).count();
        reports.extend(heard);
        if self.rush.count(now, facts) {
            reports.push(Report::Device(DeviceEvent::Silent));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dgt::Message;
    use crate::{Kind, driver};
    use annexd_game::board::{Fact, Patience, Reading, Readings};
    use shakmaty::{Board as Placement, Chess, Color, Position as _, Square};

    fn dump(placement: &Placement) -> Vec<u8> {
        Message::Dump(Box::new(Readings::of(placement))).to_bytes()
    }

    /// Everything reported in a range of milliseconds while these bytes come every five
    /// milliseconds.
    fn follow(
        attended: &mut Attended,
        ms: std::ops::Range<u64>,
        bytes: impl Fn(u64) -> Vec<u8>,
    ) -> Vec<Report> {
        let mut reports = Vec::new();
        for ms in ms.step_by(5) {
            let now = Moment::from_ms(ms);
            attended.wake(now);
            attended.received(now, &bytes(ms));
            reports.extend(attended.reports(now));
        }
        reports
    }

    #[test]
    fn a_board_on_which_more_happens_than_hands_can_do_is_lost_until_it_is_quiet() {
        let follower = Follower::new(Patience::default());
        let mut attended = Attended::new(driver(Kind::Dgt), follower);
        attended.opened(Moment::START);
        let start = dump(&Placement::new());
        let whole = |at: u64, bytes: &[u8]| {
            let bytes = bytes.to_vec();
            move |ms: u64| if ms == at { bytes.clone() } else { Vec::new() }
        };
        follow(&mut attended, 0..2_000, whole(0, &start));
        // Valid messages, each of which means that something was lifted or placed.
        let nonsense = |ms: u64| {
            let square = Square::ALL[(ms / 10 % 64) as usize];
            let reading = if ms.is_multiple_of(10) {
                Reading::Piece(Color::Black.queen())
            } else {
                Reading::Empty
            };
            Message::Field { square, reading }.to_bytes()
        };
        let reports = follow(&mut attended, 2_000..62_000, nonsense);
        let is_fact = |report: &&Report| matches!(report, Report::Board(Event::Fact(_)));
        let facts = reports.iter().filter(is_fact).count();
        assert!(facts < 400, "{facts} facts in a minute");
        let said = |event| reports.contains(&Report::Device(event));
        assert!(said(DeviceEvent::Silent) && !said(DeviceEvent::Back));

        // It is quiet, so it is asked for all its squares, and shows a move that was made.
        while attended
            .board()
            .next_write(Moment::from_ms(62_000))
            .is_some()
        {}
        let reports = follow(&mut attended, 62_000..66_000, |_| Vec::new());
        assert!(reports.contains(&Report::Device(DeviceEvent::Back)));
        let mut asked = Vec::new();
        while let Some(write) = attended.board().next_write(Moment::from_ms(66_000)) {
            asked.extend(write);
        }
        assert!(asked.contains(&0x42), "{asked:?}");
        let mut position = Chess::default();
        let played = "e2e4".parse::<UciMove>().expect("a move");
        position.play_unchecked(played.to_move(&position).expect("legal"));
        let shown = dump(position.board());
        let reports = follow(&mut attended, 66_000..70_000, whole(66_000, &shown));
        let settled = Fact::Settled(position.board().clone());
        assert!(
            reports.contains(&Report::Board(Event::Fact(settled))),
            "{reports:?}"
        );
        let is_it = |event: &Event| matches!(event, Event::Seen(it) if it.played == played);
        let seen = |report: &Report| matches!(report, Report::Board(event) if is_it(event));
        assert!(reports.iter().any(seen), "{reports:?}");
    }
}
