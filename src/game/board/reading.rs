//! What the sensors of a board read.

use shakmaty::{Board, Color, Piece, Square};

/// The reading of one square's sensor. Boards differ in how much they can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The square is empty.
    #[default]
    Empty,
    /// A piece stands on the square.
    Occupied,
    /// A piece of this colour stands on the square.
    OfColor(Color),
    /// This piece stands on the square.
    Piece(Piece),
}

impl Reading {
    /// Whether a piece stands on the square.
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

/// The readings of all sensors, by square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings([Reading; 64]);

impl Default for Readings {
    fn default() -> Self {
        Self([Reading::Empty; 64])
    }
}

impl Readings {
    /// The readings of a board that recognises pieces for this placement.
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

    /// The pieces that the readings name.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        for (square, reading) in self.iter() {
            if let Some(piece) = reading.piece() {
                board.set_piece_at(square, piece);
            }
        }
        board
    }

    /// Whether these readings fit `board`.
    pub fn fit(&self, board: &Board) -> bool {
        self.iter()
            .all(|(square, reading)| reading.fits(board.piece_at(square)))
    }

    /// Whether these readings fit `board` with at most `most` pieces missing.
    pub fn fit_but_for_missing(&self, board: &Board, most: usize) -> bool {
        let mut missing = 0;
        self.iter().all(|(square, reading)| {
            let piece = board.piece_at(square);
            let is_missing = piece.is_some() && !reading.is_occupied();
            missing += usize::from(is_missing);
            (is_missing || reading.fits(piece)) && missing <= most
        })
    }

    /// Whether squares are occupied, but no reading names a piece or a colour.
    pub fn are_nameless(&self) -> bool {
        let mut occupied = self.iter().filter(|(_, reading)| reading.is_occupied());
        let are_all = |reading| matches!(reading, Reading::Occupied);
        self.0 != [Reading::Empty; 64] && occupied.all(|(_, reading)| are_all(reading))
    }

    /// The same readings with one square empty.
    #[must_use]
    pub const fn without(mut self, square: Square) -> Self {
        self.set(square, Reading::Empty);
        self
    }

    /// On how many squares these readings do not fit `board`.
    pub fn misfits(&self, board: &Board) -> usize {
        let fits = |(square, reading): &(Square, Reading)| reading.fits(board.piece_at(*square));
        self.iter().filter(|read| !fits(read)).count()
    }

    /// The same readings as seen from the other side.
    #[must_use]
    pub fn rotated(&self) -> Self {
        let mut rotated = *self;
        rotated.0.reverse();
        rotated
    }
}

/// How many pieces may be in hands when a board is first looked at.
const IN_HANDS_MAX: usize = 2;

/// How a board lies on the table: its squares are fixed, but the players may sit either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// White sits where the board's own first rank is.
    #[default]
    Normal,
    /// White sits where the board's own eighth rank is.
    Rotated,
}

impl Orientation {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Normal, Self::Rotated];

    /// Whether these readings are the start position in this orientation.
    pub fn fits_start(self, readings: &Readings) -> bool {
        self.readings(readings).fit(&Board::new())
    }

    /// Whether these readings are the start position in this orientation, except for a piece or two
    /// in a hand.
    pub fn nearly_fits_start(self, readings: &Readings) -> bool {
        let nearly = self.readings(readings);
        nearly.fit_but_for_missing(&Board::new(), IN_HANDS_MAX)
    }

    /// The first orientation in which these readings are the start position, if any. The readings
    /// of a board that knows only occupancy fit either.
    pub fn found_at_start(readings: &Readings) -> Option<Self> {
        Self::BOTH.into_iter().find(|it| it.fits_start(readings))
    }

    /// The first orientation in which these readings are the start position, except for a piece or
    /// two in a hand.
    pub fn nearly_at_start(readings: &Readings) -> Option<Self> {
        Self::BOTH
            .into_iter()
            .find(|it| it.nearly_fits_start(readings))
    }

    /// The orientation in which White's pieces stand nearer to White than Black's do, for any other
    /// position. It is a guess that a person may correct.
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

    /// The square of the game for a square of the board.
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
