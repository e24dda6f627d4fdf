//! The likeliest game, where a board has not told everything.
//!
//! One change lost on the line, or a piece that lies about, leaves a square wrong for long, and
//! whoever follows a game move by move may stand still there for ever. Here many games are followed
//! at once, and each pays for every square that it leaves unexplained: the right one pays least in
//! the end. Where two pay the same, nobody knows, and it is said.

mod search;

use std::collections::BTreeMap;

use shakmaty::{Board, Chess, Piece, Position, Square, uci::UciMove};

use self::search::Search;
use super::sight::roots_of;
use super::{PlayedMove, Reading, Readings, SquareDifference};
use annexd_laws::moment::Moment;

/// Nobody's game shows more; what does is noise, and following it would take for ever.
const SEEN_MAX: usize = 4_000;
/// A change said so many times in a row, or after so many others, may be an echo.
const ECHO_MAX: usize = 3;

#[derive(Clone, Debug)]
enum Sighting {
    /// The board shows this.
    Shown(Board),
    /// It says once more what it showed before.
    SaidAgain(Square, Option<Piece>),
    /// It says what it shows on every square.
    SaidWhole,
    /// The clock was pressed.
    Pressed,
    /// Something was lost on the line.
    Lost,
}

/// What a board has shown of one game, and when the clock was pressed.
#[derive(Clone, Debug)]
pub struct Retrace {
    roots: Vec<Chess>,
    seen: Vec<(Moment, Sighting)>,
    readings: Readings,
    /// The last squares that were told.
    told: Vec<Square>,
    /// How much had been seen when the clock was stopped.
    stopped: Option<usize>,
    since: Moment,
}

/// The likeliest game.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// Its moves.
    pub moves: Vec<PlayedMove>,
    /// Of these, by their number, those that may have been others.
    pub doubts: BTreeMap<usize, Vec<UciMove>>,
    /// Its last position.
    pub end: Chess,
    /// Whether nearly every press was for a move.
    pub is_sound: bool,
    /// What the board showed otherwise when the clock was last pressed.
    pub wrong_at_press: Vec<SquareDifference>,
}

impl Retrace {
    /// A game that begins with this position.
    pub fn from_position(position: Chess, now: Moment) -> Self {
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

    /// A game that begins with what stands there; whose turn it is, its moves tell.
    pub fn from_placement(readings: &Readings, now: Moment) -> Option<Self> {
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

    /// The board shows this now.
    pub fn see(&mut self, readings: &Readings, now: Moment) {
        let changed = |&(square, reading): &(Square, Reading)| self.readings.at(square) != reading;
        let changed: Vec<Square> = readings.iter().filter(changed).map(|it| it.0).collect();
        if changed.is_empty() {
            return;
        }
        self.told.extend(changed);
        self.readings = *readings;
        self.seen.push((now, Sighting::Shown(readings.board())));
    }

    /// The board says of a square what it shows already.
    pub fn said_again(&mut self, square: Square, reading: Reading, now: Moment) {
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

    /// The board says what it shows on every square.
    pub fn said_whole(&mut self, now: Moment) {
        self.seen.push((now, Sighting::SaidWhole));
    }

    /// Something was lost on the line.
    pub fn lost(&mut self, now: Moment) {
        self.seen.push((now, Sighting::Lost));
    }

    /// The clock was pressed.
    pub fn press(&mut self, now: Moment) {
        self.stopped = None;
        self.seen.push((now, Sighting::Pressed));
    }

    /// The last press was none. Says whether that can be: the board has told of nothing since.
    pub fn forget_press(&mut self) -> bool {
        let is_loud =
            |(_, seen): &(Moment, Sighting)| !matches!(seen, Sighting::Lost | Sighting::SaidWhole);
        let last = self.seen.iter().rposition(is_loud);
        let last = last.filter(|&at| matches!(self.seen.get(at), Some((_, Sighting::Pressed))));
        if let Some(at) = last {
            self.seen.remove(at);
        }
        last.is_some()
    }

    /// The clock runs, or it was stopped: then nothing is play until it runs again.
    pub fn clock_runs(&mut self, runs: bool) {
        self.stopped = match self.stopped {
            _ if runs => None,
            None => Some(self.seen.len()),
            stopped => stopped,
        };
    }

    /// The likeliest game.
    pub fn game(&self) -> Option<Retraced> {
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
