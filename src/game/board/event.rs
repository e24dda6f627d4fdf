//! The input and output of the reconstructor.

use std::time::Duration;

use shakmaty::{Board, Color, Piece, Square, uci::UciMove};

use super::path::Gesture;
use super::{Fact, Orientation, Reading, Readings, SquareDifference};
use annexd_laws::moment::Moment;

/// How long a board has to be quiet before conclusions are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After this long without a change the pieces are at rest: 250 ms by cable, 500 ms by radio.
    pub quiet: Duration,
    /// After this long without a change while no known position is shown, the board is described.
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

/// The input of the reconstructor.
#[derive(Clone, Debug)]
pub enum Observation {
    /// A sensor has changed, or reports the same again.
    Square(Square, Reading),
    /// All sensors at once.
    Snapshot(Readings),
    /// The lever was moved: somebody has pressed the clock; the side, if known.
    Lever(Option<Color>),
    /// A player announced a move. Boards that cannot tell pieces apart need this as a second
    /// source. No board is ever made to agree with it.
    Announced(UciMove),
    /// Something that the board sent was lost on the line. A snapshot will follow.
    Lost,
    /// Time has passed.
    Time,
}

/// The output of the reconstructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// What happened to the pieces. It implies no move and no legality.
    Fact(Fact),
    /// A piece was lifted and put back where it stood (4.2, 4.3, D.2.2).
    Touched(Square, Option<Piece>),
    /// A position to begin from stands on the board.
    Began {
        /// How the board lies; `None` if only the first move will show it.
        orientation: Option<Orientation>,
        /// The placement shown.
        placement: Board,
    },
    /// The first move, or its announcement, has shown how the board lies.
    OrientationShown(Orientation),
    /// The board shows the same position turned round. It has this orientation from now on.
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
    /// Several legal moves look the same on this board, and none of them was announced.
    Ambiguous(Vec<UciMove>),
    /// Both kings stand in the centre, the gesture for a result. The players have to confirm it in
    /// words.
    Gesture(Gesture),
    /// The board has shown no known position for some time. On these squares it differs from the
    /// nearest one.
    Departs(Vec<SquareDifference>),
    /// The board shows a known position again.
    Agrees,
}

/// A move with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Its number, counting the moves of both sides from 1.
    pub ply: usize,
    /// The side that played it.
    pub side: Color,
    /// The move.
    pub played: UciMove,
    /// When the board first showed it.
    pub since: Moment,
}
