//! What the sensors of a board read.

use shakmaty::{Board, Color, Piece, Square};

/// What one square's sensor reads. Boards differ in how much they can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Nothing stands there.
    #[default]
    Empty,
    /// Something stands there.
    Occupied,
    /// Something of this colour stands there.
    OfColor(Color),
    /// This piece stands there.
    Piece(Piece),
}

impl Reading {
    /// Whether something stands there.
    pub const fn is_occupied(self) -> bool {
        !matches!(self, Self::Empty)
    }

    /// The piece, if the board knows it.
    pub const fn piece(self) -> Option<Piece> {
        match self {
            Self::Piece(piece) => Some(piece),
            _ => None,
        }
    }

    /// Whether a sensor could read this if `piece` stood there.
    pub fn fits(self, piece: Option<Piece>) -> bool {
        match (self, piece) {
            (Self::Empty, None) | (Self::Occupied, Some(_)) => true,
            (Self::OfColor(color), Some(piece)) => piece.color == color,
            (Self::Piece(read), Some(piece)) => read == piece,
            _ => false,
        }
    }
}

impl From<Option<Piece>> for Reading {
    fn from(piece: Option<Piece>) -> Self {
        piece.map_or(Self::Empty, Self::Piece)
    }
}

/// What all sensors read, by square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings([Reading; 64]);

impl Default for Readings {
    fn default() -> Self {
        Self([Reading::Empty; 64])
    }
}

impl Readings {
    /// What a board that tells pieces apart reads of a placement.
    pub fn of(board: &Board) -> Self {
        let mut readings = Self::default();
        for (square, piece) in board.iter() {
            readings.set(square, Reading::Piece(piece));
        }
        readings
    }

    /// The reading of a square.
    #[allow(clippy::indexing_slicing, reason = "a square is one of 64")]
    pub const fn at(&self, square: Square) -> Reading {
        self.0[square as usize]
    }

    /// Sets the reading of a square.
    #[allow(clippy::indexing_slicing, reason = "a square is one of 64")]
    pub const fn set(&mut self, square: Square, reading: Reading) {
        self.0[square as usize] = reading;
    }

    /// Every square with its reading, from a1 to h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Reading)> {
        Square::ALL
            .into_iter()
            .map(|square| (square, self.at(square)))
    }

    /// The pieces that are told.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        for (square, reading) in self.iter() {
            if let Some(piece) = reading.piece() {
                board.set_piece_at(square, piece);
            }
        }
        board
    }

    /// Whether these could be read if `board` stood there.
    pub fn fit(&self, board: &Board) -> bool {
        self.iter()
            .all(|(square, reading)| reading.fits(board.piece_at(square)))
    }

    /// Whether these could be read if `board` stood there without at most so many pieces.
    pub fn fit_but_for_missing(&self, board: &Board, most: usize) -> bool {
        let mut missing = 0;
        self.iter().all(|(square, reading)| {
            let piece = board.piece_at(square);
            let is_missing = piece.is_some() && !reading.is_occupied();
            missing += usize::from(is_missing);
            (is_missing || reading.fits(piece)) && missing <= most
        })
    }

    /// The same as seen by somebody who sits on the other side.
    #[must_use]
    pub fn rotated(&self) -> Self {
        let mut rotated = *self;
        rotated.0.reverse();
        rotated
    }
}

/// How a board lies on the table: its own squares never move, the players may sit either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// White sits where the board's own first rank is.
    #[default]
    Normal,
    /// White sits where the board's own eighth rank is.
    Rotated,
}

impl Orientation {
    /// The orientation in which these readings are the start position, if there is one. A board
    /// that reads occupancy only cannot tell, and is taken to lie as it should.
    pub fn found_at_start(readings: &Readings) -> Option<Self> {
        let start = Board::new();
        if readings.fit(&start) {
            Some(Self::Normal)
        } else if readings.rotated().fit(&start) {
            Some(Self::Rotated)
        } else {
            None
        }
    }

    /// The orientation in which these readings are the start position but for a piece or two that
    /// somebody has in his hand.
    pub fn nearly_at_start(readings: &Readings) -> Option<Self> {
        let start = Board::new();
        let is_near = |readings: &Readings| readings.fit_but_for_missing(&start, 2);
        if is_near(readings) {
            Some(Self::Normal)
        } else if is_near(&readings.rotated()) {
            Some(Self::Rotated)
        } else {
            None
        }
    }

    /// The orientation in which White's pieces stand nearer to White than Black's do, for a
    /// position that is not the first one. It is a guess, and whoever sees the board can say.
    pub fn likely(readings: &Readings) -> Self {
        let ranks = |color: Color| {
            let pieces = readings.iter().filter_map(|(square, reading)| {
                let is_own = reading.piece().is_some_and(|piece| piece.color == color);
                is_own.then_some(square.rank() as u32)
            });
            pieces.fold((0, 0), |(sum, count), rank| (sum + rank, count + 1))
        };
        let (white, whites) = ranks(Color::White);
        let (black, blacks) = ranks(Color::Black);
        // The mean of White's ranks against that of Black's.
        if white * blacks > black * whites {
            Self::Rotated
        } else {
            Self::Normal
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Normal => Self::Rotated,
            Self::Rotated => Self::Normal,
        }
    }

    /// The square of the game that a square of the board is.
    pub fn square(self, square: Square) -> Square {
        match self {
            Self::Normal => square,
            Self::Rotated => square.rotate_180(),
        }
    }

    /// The readings by squares of the game.
    #[must_use]
    pub fn readings(self, readings: &Readings) -> Readings {
        match self {
            Self::Normal => *readings,
            Self::Rotated => readings.rotated(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_board_is_found_at_the_start_position() {
        let start = Readings::of(&Board::new());
        assert_eq!(
            Orientation::found_at_start(&start),
            Some(Orientation::Normal)
        );
        assert_eq!(
            Orientation::found_at_start(&start.rotated()),
            Some(Orientation::Rotated)
        );
        assert_eq!(Orientation::found_at_start(&Readings::default()), None);
        assert_eq!(
            Orientation::Rotated.readings(&start.rotated()),
            start,
            "turned twice is not turned"
        );
    }

    #[test]
    fn how_a_board_lies_is_guessed_in_the_middle_of_a_game() {
        let middle = "r1bqkb1r/ppp2ppp/2np1n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R";
        let readings = Readings::of(&middle.parse().unwrap());
        assert_eq!(Orientation::likely(&readings), Orientation::Normal);
        assert_eq!(
            Orientation::likely(&readings.rotated()),
            Orientation::Rotated
        );
    }

    #[test]
    fn a_sensor_of_occupancy_fits_any_piece() {
        let pawn = Piece::from_char('P');
        assert!(Reading::Occupied.fits(pawn) && !Reading::Occupied.fits(None));
        assert!(Reading::OfColor(Color::White).fits(pawn));
        assert!(!Reading::OfColor(Color::Black).fits(pawn));
        assert!(!Reading::from(Piece::from_char('Q')).fits(pawn));
    }
}
