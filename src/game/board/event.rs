//! What reaches the reconstructor, and what it makes of it.

use std::time::Duration;

use shakmaty::{Board, Color, Piece, Square, uci::UciMove};

use super::path::Gesture;
use super::{Fact, Orientation, Reading, Readings, SquareDifference};
use annexd_laws::moment::Moment;

/// How long a board has to be quiet, and the like.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// No change for so long: the pieces are at rest. 250 ms by cable, 500 ms by radio.
    pub quiet: Duration,
    /// No change for so long while the board shows no known position: it is described.
    pub mismatch: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(250),
            mismatch: Duration::from_millis(3_500),
        }
    }
}

/// What reaches the reconstructor.
#[derive(Clone, Debug)]
pub enum Observation {
    /// A sensor has changed, or says once more what it said before.
    Square(Square, Reading),
    /// All sensors at once.
    Snapshot(Readings),
    /// The lever was moved: somebody has pressed the clock, this side if it is known.
    Lever(Option<Color>),
    /// A move was announced, by either player. Boards that cannot tell pieces apart need this
    /// second witness; no board is ever made to agree with it.
    Announced(UciMove),
    /// Something that the board said was lost on the line; a snapshot will say what.
    Lost,
    /// Time has passed.
    Time,
}

/// What the reconstructor makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// What happened to the pieces; says nothing about moves and knows no legality.
    Fact(Fact),
    /// A piece was lifted and put back where it stood (4.2, 4.3, D.2.2).
    Touched(Square, Option<Piece>),
    /// A position to begin from stands on the board.
    Began {
        /// How the board lies. `None`: its pieces do not tell, and the first move will.
        orientation: Option<Orientation>,
        /// What it shows.
        placement: Board,
    },
    /// The first move, or the announcement of it, has told how the board lies.
    Lies(Orientation),
    /// The same position stands there the other way round: the board lies so from now on.
    Turned(Orientation),
    /// The pieces rest after a legal move. It may still be replaced by another.
    Seen(PlayedMove),
    /// A move was made: the clock was pressed after it, or the next one followed.
    Moved(PlayedMove),
    /// A move that was seen is castling that began with the rook, which 4.4.2 forbids.
    RookFirst(PlayedMove),
    /// Moves that were made are no longer on the board.
    TakenBack {
        /// How many moves are left.
        plies: usize,
    },
    /// The clock was pressed without a new move on the board (7.5.3).
    PressedWithoutMove,
    /// Several legal moves look the same to this board, and nobody has announced one.
    Ambiguous(Vec<UciMove>),
    /// Both kings stand in the centre, the gesture for a result. Words have to confirm it.
    Gesture(Gesture),
    /// The board has shown no known position for some time: on these squares it differs from the
    /// nearest one.
    Departs(Vec<SquareDifference>),
    /// The board shows a known position again.
    Agrees,
}

/// A move by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Its number, counting the moves of both sides from 1.
    pub ply: usize,
    /// Who played it.
    pub side: Color,
    /// The move.
    pub played: UciMove,
    /// When the board first showed it.
    pub since: Moment,
}
