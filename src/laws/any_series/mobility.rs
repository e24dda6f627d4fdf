//! The squares that each piece can ever reach, and whether they exclude mate.
//!
//! The reach of each piece is the least set that no legal move can leave. It is computed from what
//! may become possible at most: a piece that can move or be captured frees its square, a piece that
//! can do neither is a permanent wall, and a king never enters a square that such a piece attacks.
//! The side to move, checks and pins are ignored, so the reach is never too small.

use shakmaty::attacks::king_attacks;
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Square,
};

use super::sets;

/// Returns whether `side` can never mate, because the opponent's king can reach no square where
/// mate is possible. On such a square it cannot be attacked, or the adjacent squares can never all
/// be covered or blocked at once, each blocked one by another piece.
pub(super) fn excludes_mate(position: &Chess, side: Color) -> bool {
    Reach::of(position).excludes_mate(side)
}

/// The squares that each piece of the mated side can ever fill, without its king.
struct Blockers(Vec<Bitboard>);

impl Blockers {
    fn of(reach: &Reach, side: Color) -> Self {
        let pieces = reach.pieces.iter();
        Self(
            pieces
                .filter(|piece| piece.piece.color == side && piece.piece.role != Role::King)
                .map(Reachable::anywhere)
                .collect(),
        )
    }

    /// Returns whether as many different pieces can stand on these squares. It looks for a matching
    /// with augmenting paths.
    fn can_fill(&self, squares: Bitboard) -> bool {
        let all = self
            .0
            .iter()
            .fold(Bitboard::EMPTY, |all, &piece| all | piece);
        if !all.is_superset(squares) {
            return false;
        }
        let mut fills: Vec<Option<Square>> = vec![None; self.0.len()];
        squares.into_iter().all(|square| {
            let mut asked = vec![false; self.0.len()];
            self.fill(square, &mut fills, &mut asked)
        })
    }

    fn fill(&self, square: Square, fills: &mut [Option<Square>], asked: &mut [bool]) -> bool {
        for (piece, reach) in self.0.iter().enumerate() {
            let is_new = asked.get(piece) == Some(&false);
            if !reach.contains(square) || !is_new {
                continue;
            }
            set(asked, piece, true);
            let other = fills.get(piece).copied().flatten();
            if other.is_none_or(|other| self.fill(other, fills, asked)) {
                set(fills, piece, Some(square));
                return true;
            }
        }
        false
    }
}

fn set<T>(places: &mut [T], at: usize, value: T) {
    if let Some(place) = places.get_mut(at) {
        *place = value;
    }
}

/// A piece with all squares that it can ever reach.
#[derive(Clone)]
pub(super) struct Reachable {
    pub(super) piece: Piece,
    /// The square where it stands, or one of its squares if that is not known.
    pub(super) origin: Square,
    /// The squares it can stand on as it is.
    pub(super) squares: Bitboard,
    /// The squares it can stand on once promoted, to a queen or a knight.
    pub(super) promoted: Bitboard,
    /// Whether it has just arrived, so that it may give check without moving.
    pub(super) has_arrived: bool,
    can_be_captured: bool,
}

impl Reachable {
    fn can_move(&self) -> bool {
        self.promoted.any() || self.squares != Bitboard::from_square(self.origin)
    }

    fn is_wall(&self) -> bool {
        !self.can_be_captured && !self.can_move()
    }

    pub(super) fn anywhere(&self) -> Bitboard {
        self.squares | self.promoted
    }
}

/// The squares that every piece can ever reach.
pub(super) struct Reach {
    pieces: Vec<Reachable>,
    /// Squares of pieces that can neither move nor be captured.
    walls: Bitboard,
}

impl Reach {
    pub(super) fn of(position: &Chess) -> Self {
        let en_passant = position.ep_square(EnPassantMode::Always);
        Self::from(Self::at_first(position), |reach, index| {
            reach.grow(index, en_passant);
        })
    }

    /// Returns whether `side` can never mate with pieces that may be anywhere on these squares.
    pub(super) fn excludes_mate_for_ever(&self, side: Color, en_passant: Option<Square>) -> bool {
        let grow = |reach: &mut Self, index| reach.grow(index, en_passant);
        Self::from(self.pieces.clone(), grow).excludes_mate(side)
    }

    /// The squares that pieces can reach before anything is captured and before a pawn moves.
    pub(super) fn until_next(pieces: Vec<Reachable>) -> Self {
        Self::from(pieces, Self::grow_quietly)
    }

    fn from(pieces: Vec<Reachable>, grow: impl Fn(&mut Self, usize)) -> Self {
        let mut reach = Self {
            pieces,
            walls: Bitboard::EMPTY,
        };
        loop {
            reach.walls = reach
                .pieces
                .iter()
                .filter(|piece| piece.is_wall())
                .map(|piece| piece.origin)
                .collect();
            let before = reach.size();
            for index in 0..reach.pieces.len() {
                grow(&mut reach, index);
            }
            if reach.size() == before {
                return reach;
            }
        }
    }

    /// Adds one move of one piece to an empty square. Pawns stay until one is promoted.
    fn grow_quietly(&mut self, index: usize) {
        let Some(growing) = self.pieces.get(index) else {
            return;
        };
        let Piece { color, role } = growing.piece;
        let targets = match role {
            Role::Pawn => Bitboard::EMPTY,
            Role::King => sets::by_kings(growing.squares) & !self.guarded_for_ever(color.other()),
            _ => sets::attacked(color, role, growing.squares, self.walls),
        };
        let promoted = self.attacked_once_promoted(growing.promoted);
        let walls = self.walls;
        if let Some(piece) = self.pieces.get_mut(index) {
            piece.squares |= targets & !walls;
            piece.promoted |= promoted & !walls;
        }
    }

    /// Returns whether `side` cannot mate with pieces on these squares.
    pub(super) fn excludes_mate(&self, side: Color) -> bool {
        let checked = self.squares_of_check(side);
        let covered = self.squares_covered_by_pieces(side);
        let blockers = Blockers::of(self, side.other());
        let (own_king, king) = (self.of_king(side), self.of_king(side.other()));
        !(king & checked).into_iter().any(|mated| {
            let open = king_attacks(mated) & !covered;
            let own = own_king & !king_attacks(mated) & !Bitboard::from_square(mated);
            let mut refuted = None;
            open.is_empty()
                || own.into_iter().any(|own| {
                    let rest = open & !king_attacks(own);
                    let is_new = refuted != Some(rest);
                    refuted = Some(rest);
                    is_new && blockers.can_fill(rest)
                })
        })
    }

    pub(super) fn pieces(&self) -> &[Reachable] {
        &self.pieces
    }

    /// Every piece on its square, and king and rook also where castling may put them.
    pub(super) fn at_first(position: &Chess) -> Vec<Reachable> {
        let mut pieces: Vec<Reachable> = position
            .board()
            .iter()
            .map(|(origin, piece)| Reachable {
                piece,
                origin,
                squares: Bitboard::from_square(origin),
                promoted: Bitboard::EMPTY,
                has_arrived: false,
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
        pieces
    }

    fn size(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| {
                piece.squares.count() + piece.promoted.count() + usize::from(piece.can_be_captured)
            })
            .sum()
    }

    /// Adds one move of one piece from every square where it can be, and the captures it makes
    /// possible.
    fn grow(&mut self, index: usize, en_passant: Option<Square>) {
        let Some(growing) = self.pieces.get(index) else {
            return;
        };
        let Piece { color, role } = growing.piece;
        let (squares, mut promoted) = (growing.squares, growing.promoted);
        let barred = self.own_walls(color) | self.wall_king(color.other());
        let targets = match role {
            Role::Pawn => self.pawn_targets(color, squares, en_passant),
            Role::King => sets::by_kings(squares) & !barred & !self.guarded_for_ever(color.other()),
            _ => sets::attacked(color, role, squares, self.walls) & !barred,
        };
        let last = Bitboard::from_rank(color.fold_wb(Rank::Eighth, Rank::First));
        if role == Role::Pawn {
            promoted |= targets & last;
            promoted |= self.attacked_once_promoted(promoted) & !barred;
        }
        let arrivals = match role {
            Role::Pawn => sets::by_pawns(color, squares) | promoted,
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
            self.mark_en_passant(color, squares, en_passant);
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

    pub(super) fn attacked_once_promoted(&self, from: Bitboard) -> Bitboard {
        if from.is_empty() {
            return from;
        }
        [Role::Queen, Role::Knight]
            .into_iter()
            .map(|role| sets::attacked(Color::White, role, from, self.walls))
            .fold(Bitboard::EMPTY, |all, some| all | some)
    }

    fn pawn_targets(
        &self,
        color: Color,
        squares: Bitboard,
        en_passant: Option<Square>,
    ) -> Bitboard {
        let captures = sets::by_pawns(color, squares);
        let possible = self.squares_of_pieces(color.other());
        let passing = self.passed_squares(color.other())
            | en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square);
        sets::pushes(color, squares, self.walls) | captures & (possible | passing)
    }

    /// Returns the squares that pawns of a side may pass with a double step, so that en passant may
    /// be possible there.
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
            .filter(|piece| piece.piece == pawn)
            .map(|piece| (piece, piece.origin.file()))
            .filter(|&(piece, file)| piece.squares.contains(Square::from_coords(file, start)))
            .filter(|&(piece, file)| piece.squares.contains(Square::from_coords(file, landing)))
            .map(|(_, file)| Square::from_coords(file, passed))
            .collect()
    }

    /// Marks as capturable the pawns that pass a square attacked by a pawn of `color`, and the pawn
    /// that has just passed one.
    fn mark_en_passant(&mut self, color: Color, squares: Bitboard, en_passant: Option<Square>) {
        let attacked = sets::by_pawns(color, squares);
        let (passed, landing) =
            color.fold_wb((Rank::Sixth, Rank::Fifth), (Rank::Third, Rank::Fourth));
        let start = color.fold_wb(Rank::Seventh, Rank::Second);
        for other in &mut self.pieces {
            if other.piece.color == color || other.piece.role != Role::Pawn {
                continue;
            }
            let file = other.origin.file();
            let passed = Square::from_coords(file, passed);
            let landing = Square::from_coords(file, landing);
            let jumps = other.squares.contains(Square::from_coords(file, start))
                && other.squares.contains(landing);
            let has_jumped = en_passant == Some(passed) && other.origin == landing;
            if (jumps || has_jumped) && attacked.contains(passed) {
                other.can_be_captured = true;
            }
        }
    }

    /// Returns the squares of a side's pieces that never move and are never captured.
    fn own_walls(&self, color: Color) -> Bitboard {
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

    /// Returns the squares attacked by pieces of `color` that never move and are never captured. Of
    /// a rook, bishop or queen only the adjacent squares count, because others can be shielded.
    pub(super) fn guarded_for_ever(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|piece| piece.piece.color == color && piece.is_wall())
            .map(|piece| {
                let Piece { color, role } = piece.piece;
                sets::attacked(
                    color,
                    role,
                    Bitboard::from_square(piece.origin),
                    Bitboard::FULL,
                )
            })
            .fold(Bitboard::EMPTY, |all, some| all | some)
    }

    /// Squares of pieces that never move and are never captured.
    pub(super) const fn walls(&self) -> Bitboard {
        self.walls
    }

    /// Returns whether a pawn of a side may ever be promoted.
    pub(super) fn can_promote(&self, color: Color) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.piece.color == color && piece.promoted.any())
    }

    /// Returns the squares where pieces of this kind can ever be, without promoted ones.
    pub(super) fn of_role(&self, color: Color, role: Role) -> Bitboard {
        let pieces = self.pieces.iter();
        pieces
            .filter(|piece| piece.piece == Piece { color, role })
            .fold(Bitboard::EMPTY, |all, piece| all | piece.squares)
    }

    /// Returns whether the piece on a square can ever be on another.
    pub(super) fn can_fill(&self, from: Square, to: Square) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.origin == from && piece.anywhere().contains(to))
    }

    pub(super) fn of_king(&self, color: Color) -> Bitboard {
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

    /// Returns the squares on which any piece of a side but its king can ever stand.
    fn squares_of_pieces(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|piece| piece.piece.color == color && piece.piece.role != Role::King)
            .fold(Bitboard::EMPTY, |all, piece| all | piece.anywhere())
    }

    /// Returns the squares that any piece of a side but its king can ever attack.
    fn squares_covered_by_pieces(&self, color: Color) -> Bitboard {
        self.attacked(color, |piece| piece.squares)
    }

    /// Returns the squares on which a king can be in check by a piece of `color`. A pawn or knight
    /// that has not moved gives no check, because the king would have had to step into it.
    fn squares_of_check(&self, color: Color) -> Bitboard {
        self.attacked(color, |piece| match piece.piece.role {
            _ if piece.has_arrived => piece.squares,
            Role::Pawn => piece.squares & !Bitboard::from_square(piece.origin),
            Role::Knight if !piece.can_move() => Bitboard::EMPTY,
            _ => piece.squares,
        })
    }

    fn attacked(&self, color: Color, from: impl Fn(&Reachable) -> Bitboard) -> Bitboard {
        // A king that steps back along the line of a check is still in check, so kings do not
        // shield squares.
        let walls = self.walls & !self.wall_king(Color::White) & !self.wall_king(Color::Black);
        self.pieces
            .iter()
            .filter(|piece| piece.piece.color == color && piece.piece.role != Role::King)
            .fold(Bitboard::EMPTY, |all, piece| {
                let Piece { color, role } = piece.piece;
                let as_it_is = sets::attacked(color, role, from(piece), walls);
                let promoted = self.attacked_once_promoted(piece.promoted);
                all | as_it_is | promoted
            })
    }
}
