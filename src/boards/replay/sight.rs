//! How much of a position the sensors see.

use shakmaty::{Board, CastlingMode, Chess, Color, File, Piece, Position, Role, Square};

use annexd_game::board::{Reading, Readings, unmoved_rooks};

/// How much of a placement the sensors see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    Occupancy,
    Color,
    Piece,
}

/// A placement as the sensors see it.
pub(super) type Seen = [u64; 8];

impl Sight {
    pub(super) fn of(readings: &Readings) -> Self {
        let knows = |reading| match reading {
            Reading::Empty | Reading::Piece(_) => Self::Piece,
            Reading::OfColor(_) => Self::Color,
            Reading::Occupied => Self::Occupancy,
        };
        let all = readings.iter().map(|(_, reading)| knows(reading));
        all.min().unwrap_or(Self::Piece)
    }

    pub(super) fn seen(self, board: &Board) -> Seen {
        let colors = [board.white().0, board.black().0];
        match self {
            Self::Occupancy => [board.occupied().0, 0, 0, 0, 0, 0, 0, 0],
            Self::Color => [colors[0], colors[1], 0, 0, 0, 0, 0, 0],
            Self::Piece => {
                let roles = Role::ALL.map(|role| board.by_role(role).0);
                let [pawns, knights, bishops, rooks, queens, kings] = roles;
                [
                    colors[0], colors[1], pawns, knights, bishops, rooks, queens, kings,
                ]
            }
        }
    }

    pub(super) fn seen_readings(self, readings: &Readings) -> Seen {
        match self {
            Self::Piece => self.seen(&readings.board()),
            Self::Occupancy | Self::Color => {
                let (mut white, mut black) = (0, 0);
                for (square, reading) in readings.iter() {
                    let bit = 1_u64 << square as u32;
                    let color = match reading {
                        Reading::Empty => continue,
                        Reading::Occupied => None,
                        Reading::OfColor(color) => Some(color),
                        Reading::Piece(piece) => Some(piece.color),
                    };
                    if self == Self::Color && color == Some(Color::Black) {
                        black |= bit;
                    } else {
                        white |= bit;
                    }
                }
                [white, black, 0, 0, 0, 0, 0, 0]
            }
        }
    }
}

/// Every position that a placement can be: either side to move, and any pawn just having moved two
/// squares.
pub(super) fn roots_of(readings: &Readings) -> Vec<Chess> {
    if Sight::of(readings) != Sight::Piece {
        return Vec::new();
    }
    let placement = readings.board();
    let at = |turn: Color, passed: Option<Square>| {
        let mut setup = shakmaty::Setup::initial();
        setup.board = placement.clone();
        setup.turn = turn;
        setup.castling_rights = unmoved_rooks(&placement);
        setup.ep_square = passed;
        setup.position::<Chess>(CastlingMode::Standard).ok()
    };
    let mut roots: Vec<Chess> = [Color::White, Color::Black]
        .into_iter()
        .filter_map(|turn| at(turn, None))
        .collect();
    for turn in Color::ALL {
        let rank = turn.fold_wb(shakmaty::Rank::Sixth, shakmaty::Rank::Third);
        for file in File::ALL {
            let passed = Square::from_coords(file, rank);
            let pawn = Square::from_coords(
                file,
                turn.fold_wb(shakmaty::Rank::Fifth, shakmaty::Rank::Fourth),
            );
            let stands = placement.piece_at(pawn)
                == Some(Piece {
                    color: turn.other(),
                    role: Role::Pawn,
                });
            if let Some(position) = stands.then(|| at(turn, Some(passed))).flatten() {
                let takes = position
                    .legal_moves()
                    .iter()
                    .any(|legal| legal.is_en_passant());
                if takes {
                    roots.push(position);
                }
            }
        }
    }
    roots
}
