//! Estimates how far a position is from mate. The search uses it to choose its order.
//!
//! Nearly every position can be brought to a mate in a corner. The king to be mated stands in the
//! corner, the other king covers two of the three adjacent squares from two squares away, and the
//! third is covered by a heavy piece or filled by a piece of the mated side. The estimate says how
//! much is missing for the nearest such corner. Nothing here needs to be correct: it decides what
//! is examined first, and never the answer.

use std::sync::LazyLock;

use shakmaty::attacks::{attacks, king_attacks, knight_attacks, pawn_attacks};
use shakmaty::{Bitboard, Board, Chess, Color, Position, Rank, Role, Square};

use super::preferences::distance;

/// The estimate for what cannot be reached, or only by a long detour.
const FAR: i32 = 12;

/// An estimate greater than any that can be reached.
const NEVER: i32 = 120;

/// Returns the estimate. Less is better.
pub(super) fn distance_estimate(position: &Chess, side: Color) -> i32 {
    let board = position.board();
    let (Some(own), Some(king)) = (board.king_of(side), board.king_of(side.other())) else {
        return i32::MAX;
    };
    let helped = Helped { board, side, own };
    let needs = helped.needs();
    let nearest = [Square::A1, Square::H1, Square::A8, Square::H8]
        .into_iter()
        .map(|corner| 4 * distance(king, corner) + helped.missing(needs, corner))
        .min();
    nearest.unwrap_or(0) + in_the_way(board, side.other())
}

/// Queens and rooks of the side to be mated only hinder the mate.
fn in_the_way(board: &Board, mated: Color) -> i32 {
    let theirs = board.by_color(mated);
    let (queens, rooks) = (theirs & board.queens(), theirs & board.rooks());
    (4 * queens.count() + 3 * rooks.count()) as i32
}

/// What a side needs for a mate besides the two kings on their squares.
#[derive(Clone, Copy)]
enum Needs {
    /// It needs nothing: it has a rook, a queen, or minor pieces that mate without help.
    Nothing,
    /// It needs the promotion of a pawn that is so many moves away.
    Promotion(i32),
    /// Its only knight, or its bishops of one colour, need a blocking piece of the mated side.
    Block(Role),
}

struct Helped<'a> {
    board: &'a Board,
    side: Color,
    own: Square,
}

impl Helped<'_> {
    fn needs(&self) -> Needs {
        let ours = self.board.by_color(self.side);
        if ours.intersects(self.board.rooks_and_queens()) {
            return Needs::Nothing;
        }
        let pawns = (ours & self.board.pawns()).into_iter();
        if let Some(nearest) = pawns.map(|pawn| self.to_promotion(pawn)).min() {
            return Needs::Promotion(nearest);
        }
        let (bishops, knights) = (ours & self.board.bishops(), ours & self.board.knights());
        let is_one_colour = bishops.is_disjoint(Bitboard::LIGHT_SQUARES)
            || bishops.is_disjoint(Bitboard::DARK_SQUARES);
        match (bishops.any(), knights.count()) {
            (true, 0) if is_one_colour => Needs::Block(Role::Bishop),
            (false, 1) => Needs::Block(Role::Knight),
            _ => Needs::Nothing,
        }
    }

    fn missing(&self, needs: Needs, corner: Square) -> i32 {
        let opposition = 3 * (distance(self.own, corner) - 2).max(0);
        match needs {
            Needs::Nothing => opposition,
            Needs::Promotion(moves) => opposition + 20 + 4 * moves,
            Needs::Block(role) => self.to_block(role, corner),
        }
    }

    /// Estimates how many moves a pawn needs to be promoted when both sides help.
    fn to_promotion(&self, pawn: Square) -> i32 {
        let steps = steps_to_go(pawn, self.side);
        let in_the_way = ahead(pawn, self.side) & self.board.pawns();
        if in_the_way.is_empty() {
            return steps;
        }
        let theirs = self.board.by_color(self.side.other());
        let targets = pawn_attacks(self.side, pawn);
        let offered = (theirs & !self.board.kings())
            .into_iter()
            .flat_map(|from| targets.into_iter().map(move |to| (from, to)))
            .map(|(from, to)| self.moves(from, to))
            .min();
        let taken = in_the_way
            .into_iter()
            .map(|at| {
                if theirs.contains(at) {
                    distance(self.own, at)
                } else {
                    FAR
                }
            })
            .max();
        steps + 1 + offered.unwrap_or(FAR).min(taken.unwrap_or(FAR))
    }

    /// Estimates what is missing for a mate in this corner by one minor piece, with a piece of the
    /// mated side beside its king.
    fn to_block(&self, checker: Role, corner: Square) -> i32 {
        let ours = self.board.by_color(self.side) & self.board.by_role(checker);
        let Some(minor) = ours.first() else {
            return NEVER;
        };
        if checker == Role::Bishop && minor.is_light() != corner.is_light() {
            return NEVER;
        }
        let theirs = self.board.by_color(self.side.other()) & !self.board.kings();
        neighbours_along_edges(corner)
            .into_iter()
            .flat_map(|beside| theirs.into_iter().map(move |from| (from, beside)))
            .filter_map(|(from, beside)| self.to_block_by(from, beside, corner, minor))
            .min()
            .unwrap_or(NEVER)
    }

    /// Estimates the same with one piece on one square beside the king, if that is possible.
    fn to_block_by(
        &self,
        from: Square,
        beside: Square,
        corner: Square,
        minor: Square,
    ) -> Option<i32> {
        let (blocker, checker) = (self.board.piece_at(from)?, self.board.role_at(minor)?);
        // The one piece captures, or steps in front of, the piece that gives check.
        if matches!(
            (blocker.role, checker),
            (Role::Queen, _) | (Role::Rook, Role::Bishop)
        ) {
            return None;
        }
        let moves = self.moves(from, beside);
        let guarded = if blocker.role == Role::Pawn {
            Bitboard::EMPTY
        } else {
            attacks(beside, blocker, Bitboard::EMPTY)
        };
        let king = (standing(corner, beside) & !guarded)
            .into_iter()
            .map(|to| distance(self.own, to))
            .min()?;
        let check = match checker {
            Role::Knight => (knight_attacks(corner) & !guarded)
                .into_iter()
                .map(|to| KNIGHT_MOVES.between(minor, to))
                .min()?,
            _ => 0,
        };
        (moves < FAR).then_some(4 * moves + 3 * king + check)
    }

    /// Counts the moves of a piece from one square to another on an empty board. A pawn may be
    /// promoted.
    fn moves(&self, from: Square, to: Square) -> i32 {
        if from == to {
            return 0;
        }
        let is_aligned = from.file() == to.file() || from.rank() == to.rank();
        let is_diagonal = distance(from, to) == (from.file() as i32 - to.file() as i32).abs()
            && distance(from, to) == (from.rank() as i32 - to.rank() as i32).abs();
        match self.board.piece_at(from).map(|piece| piece.role) {
            Some(Role::Rook) => 2 - i32::from(is_aligned),
            Some(Role::Bishop) if from.is_light() != to.is_light() => FAR,
            Some(Role::Bishop) => 2 - i32::from(is_diagonal),
            Some(Role::Queen) => 2 - i32::from(is_aligned || is_diagonal),
            Some(Role::Knight) => KNIGHT_MOVES.between(from, to),
            Some(Role::King) => distance(from, to),
            _ => self.moves_of_pawn(from, to),
        }
    }

    fn moves_of_pawn(&self, from: Square, to: Square) -> i32 {
        let color = self.side.other();
        let last = color.fold_wb(Rank::Eighth, Rank::First);
        let (to_go, then) = (steps_to_go(from, color), steps_to_go(to, color));
        if from.file() == to.file() && then < to_go && to.rank() != last {
            return to_go - then - 1;
        }
        let promoted = Square::from_coords(from.file(), last);
        to_go + KNIGHT_MOVES.between(promoted, to).min(2)
    }
}

fn steps_to_go(pawn: Square, color: Color) -> i32 {
    let rank = pawn.rank() as i32;
    color.fold_wb(7 - rank, rank)
}

/// The squares in front of a pawn.
fn ahead(pawn: Square, side: Color) -> Bitboard {
    Bitboard::from_file(pawn.file())
        .into_iter()
        .filter(|&square| steps_to_go(square, side) < steps_to_go(pawn, side))
        .collect()
}

/// The two squares beside a corner along the edges.
fn neighbours_along_edges(corner: Square) -> Bitboard {
    let others = if corner.is_light() {
        Bitboard::DARK_SQUARES
    } else {
        Bitboard::LIGHT_SQUARES
    };
    king_attacks(corner) & others
}

/// Returns the squares from which a king covers the squares beside a corner, except the blocked
/// one.
fn standing(corner: Square, blocked: Square) -> Bitboard {
    let near = king_attacks(corner) | Bitboard::from_square(corner);
    (king_attacks(corner) & !Bitboard::from_square(blocked))
        .into_iter()
        .fold(!near, |all, square| all & king_attacks(square))
}

static KNIGHT_MOVES: LazyLock<KnightMoves> = LazyLock::new(KnightMoves::all);

/// How many moves a knight needs between any two squares.
struct KnightMoves([[u8; 64]; 64]);

impl KnightMoves {
    fn all() -> Self {
        let mut table = [[0; 64]; 64];
        for (from, row) in Square::ALL.into_iter().zip(&mut table) {
            let (mut reached, mut moves) = (Bitboard::from_square(from), 0);
            while reached != Bitboard::FULL {
                moves += 1;
                let next = reached
                    .into_iter()
                    .fold(reached, |all, square| all | knight_attacks(square));
                for square in next & !reached {
                    if let Some(entry) = row.get_mut(square as usize) {
                        *entry = moves;
                    }
                }
                reached = next;
            }
        }
        Self(table)
    }

    fn between(&self, from: Square, to: Square) -> i32 {
        let row = self.0.get(from as usize);
        row.and_then(|row| row.get(to as usize))
            .map_or(FAR, |&moves| i32::from(moves))
    }
}
