//! What is reported of a recording.

use shakmaty::{EnPassantMode, fen::Fen};

use super::hindsight::PastGame;
use crate::line::Line;
use annexd_game::board::PlayedMove;
use annexd_laws::moment::Moment;
use annexd_phrases::sentence;

/// The lines of a recording, and how far they can be trusted.
pub(super) struct Told {
    lines: Vec<(Moment, Line)>,
    /// What the board seemed to differ in, until the game is known.
    departures: Vec<(Moment, Line)>,
    /// The position and the number of moves at the end of the last game.
    fen: Option<String>,
    plies: usize,
    /// Whether every press was for a move, and nothing was left unexplained.
    pub(super) is_whole: bool,
    /// The number of moves reported or known to have been made.
    pub(super) moves: usize,
    /// How much of it disagrees with the clock or with the final placement.
    pub(super) faults: usize,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            lines: Vec::new(),
            departures: Vec::new(),
            fen: None,
            plies: 0,
            is_whole: true,
            moves: 0,
            faults: 0,
        }
    }
}

impl Told {
    /// The lines, in the order in which their things happened.
    pub(super) fn lines(mut self) -> Vec<Line> {
        self.lines.sort_by_key(|(moment, _)| *moment);
        self.lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Reports something that happened at this moment.
    pub(super) fn line(&mut self, at: Moment, line: Line) {
        self.lines.push((at, line));
    }

    /// Notes that the board seems to differ from the game. It is reported with the game.
    pub(super) fn departure(&mut self, at: Moment, line: Line) {
        self.departures.push((at, line));
    }

    /// Forgets what the board seemed to differ in, since the game turned out to be another one.
    pub(super) fn forget_departures(&mut self) {
        self.departures.clear();
    }

    /// Reports the move from which the game is not certain, if there is one.
    pub(super) fn unsure(&mut self, from: Option<PlayedMove>) {
        self.lines
            .extend(from.map(|first| (first.since, Line::UnsureFrom(first))));
    }

    /// Reports a game: its moves, and instead of those that may have been others what they may have
    /// been.
    pub(super) fn game(&mut self, past: &PastGame, is_whole: bool) {
        self.is_whole &= is_whole;
        for (ply, others) in &past.doubts {
            let Some(made) = past.moves.iter().find(|made| made.ply == *ply) else {
                continue;
            };
            let all = std::iter::once(&made.played).chain(others);
            let one_of = all.copied().collect();
            let made = *made;
            self.line(made.since, Line::NotSeenWhole { made, one_of });
        }
        self.lines.append(&mut self.departures);
        self.plies = past.moves.last().map_or(0, |last| last.ply);
        self.moves += self.plies;
        self.fen = Some(Fen::from_position(&past.end, EnPassantMode::Legal).to_string());
        for &played in &past.moves {
            if past.doubts.contains_key(&played.ply) {
                continue;
            }
            self.line(played.since, Line::Moved(played));
            if past.rook_first.contains(&played) {
                let note = Line::Note(sentence!(RookCameFirst));
                self.line(played.since, note);
            }
        }
    }

    /// Reports the end of the recording.
    pub(super) fn end(&mut self, at: Moment) {
        let (plies, fen) = (self.plies, self.fen.take());
        self.line(at, Line::End { plies, fen });
    }
}
