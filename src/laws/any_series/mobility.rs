//! Where pieces can ever go, and whether mate is excluded by that.
//!
//! The reach of each piece is the least set that no legal move can leave, computed from what may
//! at most become possible: a piece that can move or be captured frees its square, a piece that
//! can do neither is a wall for ever, and a king never enters a square that such a piece attacks.
//! Whose turn it is, checks and pins are left out, so the reach is never too small.

use shakmaty::attacks::{attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks};
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Square,
};

/// Whether `side` can never mate because no square that the opponent's king can reach can become
/// a mate: it cannot be attacked there, or a square beside it can be neither covered nor blocked.
pub(super) fn excludes_mate(position: &Chess, side: Color) -> bool {
    let reach = Reach::of(position);
    let checked = reach.squares_of_check(side);
    let covered = reach.squares_covered_by_pieces(side);
    let blocked = reach.squares_of_pieces(side.other());
    let (own_king, king) = (reach.of_king(side), reach.of_king(side.other()));
    (king & checked).into_iter().all(|mated| {
        let open = king_attacks(mated) & !(covered | blocked);
        let may_be_mate = open.is_empty()
            || (own_king & !king_attacks(mated) & !Bitboard::from_square(mated))
                .into_iter()
                .any(|own| king_attacks(own).is_superset(open));
        !may_be_mate
    })
}

/// A piece with all that it can ever do.
struct Reachable {
    piece: Piece,
    origin: Square,
    /// The squares it can stand on as it is.
    squares: Bitboard,
    /// The squares it can stand on once promoted, to a queen or a knight.
    promoted: Bitboard,
    can_be_captured: bool,
}

impl Reachable {
    fn can_move(&self) -> bool {
        self.promoted.any() || self.squares != Bitboard::from_square(self.origin)
    }

    fn is_wall(&self) -> bool {
        !self.can_be_captured && !self.can_move()
    }

    fn anywhere(&self) -> Bitboard {
        self.squares | self.promoted
    }
}

struct Reach {
    pieces: Vec<Reachable>,
    /// Squares of pieces that can neither move nor be captured.
    walls: Bitboard,
}

impl Reach {
    fn of(position: &Chess) -> Self {
        let mut reach = Self::at_first(position);
        let en_passant = position.ep_square(EnPassantMode::Always);
        loop {
            reach.walls = reach
                .pieces
                .iter()
                .filter(|piece| piece.is_wall())
                .map(|piece| piece.origin)
                .collect();
            let before = reach.size();
            for index in 0..reach.pieces.len() {
                reach.grow(index, en_passant);
            }
            if reach.size() == before {
                return reach;
            }
        }
    }

    /// Every piece where it stands, and king and rook where castling may put them.
    fn at_first(position: &Chess) -> Self {
        let mut pieces: Vec<Reachable> = position
            .board()
            .iter()
            .map(|(origin, piece)| Reachable {
                piece,
                origin,
                squares: Bitboard::from_square(origin),
                promoted: Bitboard::EMPTY,
                can_be_captured: false,
            })
            .collect();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = position.castles().rook(color, side) else {
                    continue;
                };
                for piece in &mut pieces {
                    if piece.piece.color == color && piece.piece.role == Role::King {
                        piece.squares |= Bitboard::from_square(side.king_to(color));
                    } else if piece.origin == rook {
                        piece.squares |= Bitboard::from_square(side.rook_to(color));
                    }
                }
            }
        }
        Self {
            pieces,
            walls: Bitboard::EMPTY,
        }
    }

    fn size(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| {
                piece.squares.count() + piece.promoted.count() + usize::from(piece.can_be_captured)
            })
            .sum()
    }

    /// Adds one move of one piece from wherever it can be, and what it can capture by it.
    fn grow(&mut self, index: usize, en_passant: Option<Square>) {
        let Some(growing) = self.pieces.get(index) else {
            return;
        };
        let Piece { color, role } = growing.piece;
        let (squares, mut promoted) = (growing.squares, growing.promoted);
        let own_walls = self.walls_of(color);
        let enemy_king = self.wall_king(color.other());
        let barred = own_walls | enemy_king;
        let targets = match role {
            Role::Pawn => self.pawn_targets(color, squares, en_passant),
            Role::King => {
                let steps: Bitboard = union(squares, king_attacks);
                steps & !barred & !self.guarded_for_ever(color.other())
            }
            _ => {
                union(squares, |from| {
                    attacks(from, Piece { color, role }, self.walls)
                }) & !barred
            }
        };
        let last = Bitboard::from_rank(color.fold_wb(Rank::Eighth, Rank::First));
        if role == Role::Pawn {
            promoted |= targets & last;
            let steps = union(promoted, |from| {
                queen_attacks(from, self.walls) | knight_attacks(from)
            });
            promoted |= steps & !barred;
        }
        let arrivals = match role {
            Role::Pawn => self.pawn_captures(color, squares) | promoted,
            _ => targets,
        };
        for other in &mut self.pieces {
            if other.piece.color != color
                && other.piece.role != Role::King
                && !other.anywhere().is_disjoint(arrivals)
            {
                other.can_be_captured = true;
            }
        }
        if role == Role::Pawn {
            self.mark_en_passant(color, squares);
        }
        let Some(piece) = self.pieces.get_mut(index) else {
            return;
        };
        piece.promoted = promoted;
        piece.squares |= if role == Role::Pawn {
            targets & !last
        } else {
            targets
        };
    }

    fn pawn_targets(
        &self,
        color: Color,
        squares: Bitboard,
        en_passant: Option<Square>,
    ) -> Bitboard {
        let captures = self.pawn_captures(color, squares);
        let possible = self.squares_of_pieces(color.other());
        let passing = self.passed_squares(color.other())
            | en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square);
        pawn_pushes(color, squares, self.walls) | captures & (possible | passing)
    }

    /// The squares pawns attack from where they can be.
    fn pawn_captures(&self, color: Color, squares: Bitboard) -> Bitboard {
        union(squares, |from| pawn_attacks(color, from))
    }

    /// The squares that pawns of a side may jump over, so that en passant may be possible there.
    fn passed_squares(&self, color: Color) -> Bitboard {
        let (start, passed, landing) = color.fold_wb(
            (Rank::Second, Rank::Third, Rank::Fourth),
            (Rank::Seventh, Rank::Sixth, Rank::Fifth),
        );
        let pawn = Piece {
            color,
            role: Role::Pawn,
        };
        self.pieces
            .iter()
            .filter(|piece| piece.piece == pawn && piece.origin.rank() == start)
            .map(|piece| (piece, piece.origin.file()))
            .filter(|&(piece, file)| piece.squares.contains(Square::from_coords(file, landing)))
            .map(|(_, file)| Square::from_coords(file, passed))
            .collect()
    }

    /// A pawn beside the squares from which pawns of `color` attack may be taken en passant.
    fn mark_en_passant(&mut self, color: Color, squares: Bitboard) {
        let fifth = Bitboard::from_rank(color.fold_wb(Rank::Fifth, Rank::Fourth));
        let beside = union(squares & fifth, king_attacks) & fifth;
        for other in &mut self.pieces {
            if other.piece.color != color
                && other.piece.role == Role::Pawn
                && !other.squares.is_disjoint(beside)
            {
                other.can_be_captured = true;
            }
        }
    }

    fn walls_of(&self, color: Color) -> Bitboard {
        self.select(|piece| piece.piece.color == color && piece.is_wall())
    }

    fn wall_king(&self, color: Color) -> Bitboard {
        self.select(|piece| {
            piece.piece.color == color && piece.piece.role == Role::King && piece.is_wall()
        })
    }

    fn select(&self, is_wanted: impl Fn(&Reachable) -> bool) -> Bitboard {
        self.pieces
            .iter()
            .filter(|piece| is_wanted(piece))
            .map(|piece| piece.origin)
            .collect()
    }

    /// Squares attacked by pieces of `color` that will stand where they stand for ever. Of a
    /// rook, bishop or queen only the squares next to it count: others can be shielded.
    fn guarded_for_ever(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|piece| piece.piece.color == color && piece.is_wall())
            .map(|piece| {
                let all = attacks(piece.origin, piece.piece, Bitboard::FULL);
                match piece.piece.role {
                    Role::Pawn | Role::Knight | Role::King => all,
                    _ => all & king_attacks(piece.origin),
                }
            })
            .fold(Bitboard::EMPTY, |all, some| all | some)
    }

    fn of_king(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|piece| {
                piece.piece
                    == Piece {
                        color,
                        role: Role::King,
                    }
            })
            .fold(Bitboard::EMPTY, |all, piece| all | piece.squares)
    }

    /// Squares on which any piece of a side but its king can ever stand.
    fn squares_of_pieces(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|piece| piece.piece.color == color && piece.piece.role != Role::King)
            .fold(Bitboard::EMPTY, |all, piece| all | piece.anywhere())
    }

    /// Squares that any piece of a side but its king can ever attack.
    fn squares_covered_by_pieces(&self, color: Color) -> Bitboard {
        self.attacked(color, |piece| piece.squares)
    }

    /// Squares on which a king can be in check by a piece of `color`. A pawn or knight that has
    /// not moved gives no check: the king would have had to step into it.
    fn squares_of_check(&self, color: Color) -> Bitboard {
        self.attacked(color, |piece| match piece.piece.role {
            Role::Pawn => piece.squares & !Bitboard::from_square(piece.origin),
            Role::Knight if !piece.can_move() => Bitboard::EMPTY,
            _ => piece.squares,
        })
    }

    fn attacked(&self, color: Color, from: impl Fn(&Reachable) -> Bitboard) -> Bitboard {
        // A king that steps back along the line of a check is still in check: kings cast no shadow.
        let walls = self.walls & !self.wall_king(Color::White) & !self.wall_king(Color::Black);
        self.pieces
            .iter()
            .filter(|piece| piece.piece.color == color && piece.piece.role != Role::King)
            .fold(Bitboard::EMPTY, |all, piece| {
                let as_it_is = union(from(piece), |square| attacks(square, piece.piece, walls));
                let promoted = union(piece.promoted, |square| {
                    queen_attacks(square, walls) | knight_attacks(square)
                });
                all | as_it_is | promoted
            })
    }
}

fn pawn_pushes(color: Color, squares: Bitboard, walls: Bitboard) -> Bitboard {
    let forward = color.fold_wb(8, -8);
    let start = Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
    let once = squares.shift(forward) & !walls;
    let twice = (squares & start).shift(forward) & !walls;
    once | twice.shift(forward) & !walls
}

fn union(squares: Bitboard, of: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares
        .into_iter()
        .fold(Bitboard::EMPTY, |all, square| all | of(square))
}
