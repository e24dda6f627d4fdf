//! The driver for each kind of board.

use super::device::{Board, Kind};

/// The driver of a kind of board.
pub fn driver(kind: Kind) -> Box<dyn Board> {
    match kind {
        Kind::Dgt => Box::new(super::dgt::DgtBoard::default()),
        Kind::Cpp => Box::new(super::cpp::CppBoard::default()),
        Kind::Chesslink => Box::new(super::chesslink::ChesslinkBoard::default()),
        Kind::Occupancy => Box::new(super::occupancy::OccupancyBoard::default()),
    }
}
