//! The likeliest game, when a board has not reported everything.
//!
//! One lost change, or one piece that lies about, leaves a square wrong for long, and following a
//! game move by move may stop there for good. Here many games are followed at once, and each pays
//! for every square it leaves unexplained. The right one pays least in the end. If two pay the
//! same, both are reported as possible.

mod search;

use std::collections::BTreeMap;

use shakmaty::{Board, Chess, Piece, Position, Square, uci::UciMove};

use self::search::Search;
use super::sight::roots_of;
use annexd_game::board::{PlayedMove, Reading, Readings, SquareDifference};
use annexd_laws::moment::Moment;

/// No real game shows more. Beyond that it is noise, and following it would take too long.
const SEEN_MAX: usize = 4_000;
/// A repeated reading of one of the last few squares reported may be an echo.
const ECHO_MAX: usize = 3;

#[derive(Clone, Debug)]
enum Sighting {
    /// The board shows this placement.
    Shown(Board),
    /// The board repeats a reading that it reported before.
    SaidAgain(Square, Option<Piece>),
    /// The board reports every square.
    SaidWhole,
    /// The clock was pressed.
    Pressed,
    /// Something was lost on the line.
    Lost,
}

/// What a board has shown of one game, with the presses of the clock.
#[derive(Clone, Debug)]
pub(super) struct Retrace {
    roots: Vec<Chess>,
    seen: Vec<(Moment, Sighting)>,
    readings: Readings,
    /// The last squares reported.
    told: Vec<Square>,
    /// How much had been seen when the clock was stopped.
    stopped: Option<usize>,
    since: Moment,
}

/// The likeliest game.
#[derive(Clone, Debug)]
pub(super) struct Retraced {
    /// The game's moves.
    pub(super) moves: Vec<PlayedMove>,
    /// The moves that may have been others, by their number.
    pub(super) doubts: BTreeMap<usize, Vec<UciMove>>,
    /// The game's last position.
    pub(super) end: Chess,
    /// Whether nearly every press was for a move.
    pub(super) is_sound: bool,
    /// The squares that differed when the clock was last pressed.
    pub(super) wrong_at_press: Vec<SquareDifference>,
}

impl Retrace {
    /// A game that begins with this position.
    pub(super) fn from_position(position: Chess, now: Moment) -> Self {
        let readings = Readings::of(position.board());
        Self {
            roots: vec![position],
            seen: Vec::new(),
            readings,
            told: Vec::new(),
            stopped: None,
            since: now,
        }
    }

    /// A game that begins with this placement. Its moves show whose turn it is.
    pub(super) fn from_placement(readings: &Readings, now: Moment) -> Option<Self> {
        let start = Board::new();
        if readings.fit_but_for_missing(&start, super::hindsight::MISSING_MAX) {
            let mut retrace = Self::from_position(Chess::default(), now);
            retrace.see(readings, now);
            return Some(retrace);
        }
        let roots = roots_of(readings);
        (!roots.is_empty()).then(|| Self {
            roots,
            seen: Vec::new(),
            readings: *readings,
            told: Vec::new(),
            stopped: None,
            since: now,
        })
    }

    /// Takes what the board shows now.
    pub(super) fn see(&mut self, readings: &Readings, now: Moment) {
        let changed = |&(square, reading): &(Square, Reading)| self.readings.at(square) != reading;
        let changed: Vec<Square> = readings.iter().filter(changed).map(|it| it.0).collect();
        if changed.is_empty() {
            return;
        }
        self.told.extend(changed);
        self.readings = *readings;
        self.seen.push((now, Sighting::Shown(readings.board())));
    }

    /// Takes a repeated reading of a square.
    pub(super) fn said_again(&mut self, square: Square, reading: Reading, now: Moment) {
        if !self
            .told
            .iter()
            .rev()
            .take(ECHO_MAX)
            .any(|&it| it == square)
        {
            let said = Sighting::SaidAgain(square, reading.piece());
            self.seen.push((now, said));
        }
        self.told.push(square);
    }

    /// Takes a report of every square.
    pub(super) fn said_whole(&mut self, now: Moment) {
        self.seen.push((now, Sighting::SaidWhole));
    }

    /// Notes that something was lost on the line.
    pub(super) fn lost(&mut self, now: Moment) {
        self.seen.push((now, Sighting::Lost));
    }

    /// Notes a press of the clock.
    pub(super) fn press(&mut self, now: Moment) {
        self.stopped = None;
        self.seen.push((now, Sighting::Pressed));
    }

    /// Forgets the last press, which was none. Returns whether that is possible: only if the board
    /// has reported nothing since.
    pub(super) fn forget_press(&mut self) -> bool {
        let is_loud =
            |(_, seen): &(Moment, Sighting)| !matches!(seen, Sighting::Lost | Sighting::SaidWhole);
        let last = self.seen.iter().rposition(is_loud);
        let last = last.filter(|&at| matches!(self.seen.get(at), Some((_, Sighting::Pressed))));
        if let Some(at) = last {
            self.seen.remove(at);
        }
        last.is_some()
    }

    /// Notes that the clock runs, or was stopped. While it is stopped nothing counts as play.
    pub(super) fn clock_runs(&mut self, runs: bool) {
        self.stopped = match self.stopped {
            _ if runs => None,
            None => Some(self.seen.len()),
            stopped => stopped,
        };
    }

    /// The likeliest game.
    pub(super) fn game(&self) -> Option<Retraced> {
        let is_press = |(_, seen): &&(Moment, Sighting)| matches!(seen, Sighting::Pressed);
        let presses = self.seen.iter().filter(is_press).count();
        if self.seen.len() > SEEN_MAX {
            return None;
        }
        let mut search = Search::new(&self.roots, self.since, presses > 0);
        let of_play = self.stopped.unwrap_or(self.seen.len());
        for (moment, sighting) in self.seen.iter().take(of_play) {
            search.step(sighting, *moment);
        }
        search.finish(presses)
    }
}
