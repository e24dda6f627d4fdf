//! A bounded search through the lines that a position has left.
//!
//! The most promising position is looked at first, so a mate is found early if there is one. If
//! every line has been seen, or leads to positions in which mate is excluded, there is none.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use shakmaty::attacks::king_attacks;
use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square};

use super::super::repetition::PositionKey;
use super::lines::to_edge;
use super::{Answer, mobility};

/// Looks at up to `limit` positions.
pub(super) fn search(start: &Chess, side: Color, limit: usize) -> Answer {
    let mut seen = HashSet::new();
    let mut waiting = BinaryHeap::new();
    let mut positions = vec![start.clone()];
    seen.insert(PositionKey::of(start));
    waiting.push(Reverse((0, 0)));
    let mut looked_at = 0;
    while let Some(Reverse((_, index))) = waiting.pop() {
        if looked_at == limit {
            return Answer::Unknown;
        }
        looked_at += 1;
        let Some(position) = positions.get(index).cloned() else {
            continue;
        };
        for candidate in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(candidate);
            if !seen.insert(PositionKey::of(&after)) {
                continue;
            }
            if after.legal_moves().is_empty() {
                if after.is_check() && after.turn() != side {
                    return Answer::Yes;
                }
                continue;
            }
            let is_excluded = after.has_insufficient_material(side)
                || candidate.is_zeroing() && mobility::excludes_mate(&after, side);
            if !is_excluded {
                waiting.push(Reverse((promise(&after, side), positions.len())));
                positions.push(after);
            }
        }
    }
    Answer::No
}

/// How far a position looks from mate; less is better.
fn promise(position: &Chess, side: Color) -> i32 {
    let board = position.board();
    let (Some(own), Some(king)) = (board.king_of(side), board.king_of(side.other())) else {
        return i32::MAX;
    };
    let occupied = board.occupied() & !Bitboard::from_square(king);
    let others = board.by_color(side.other());
    let flights = (king_attacks(king) & !others)
        .into_iter()
        .filter(|&square| board.attacks_to(square, side, occupied).is_empty())
        .count() as i32;
    let ours = board.by_color(side);
    let pawns = ours & board.by_role(Role::Pawn);
    let has_heavy = ours.intersects(board.rooks_and_queens());
    let still_to_promote = if has_heavy || pawns.is_empty() {
        0
    } else {
        20 + 6 * pawns
            .into_iter()
            .map(|pawn| to_go(pawn, side))
            .min()
            .unwrap_or(0)
    };
    let kings = (king_distance(own, king) - 2).max(0);
    5 * flights
        + 4 * to_edge(king)
        + 2 * to_mating_corner(board, king, side)
        + 3 * kings
        + still_to_promote
}

/// Steps of the king to the nearest corner in which the pieces of `side` can mate: bishops of one
/// colour need a corner of their colour.
fn to_mating_corner(board: &Board, king: Square, side: Color) -> i32 {
    let ours = board.by_color(side);
    let bishops = ours & board.bishops();
    let only_bishops = (ours & !bishops).count() == 1;
    let light = bishops.intersects(Bitboard::LIGHT_SQUARES);
    let dark = bishops.intersects(Bitboard::DARK_SQUARES);
    [Square::A1, Square::H1, Square::A8, Square::H8]
        .into_iter()
        .filter(|corner| !only_bishops || if corner.is_light() { light } else { dark })
        .map(|corner| king_distance(corner, king))
        .min()
        .unwrap_or(0)
}

fn to_go(pawn: Square, side: Color) -> i32 {
    let rank = pawn.rank() as i32;
    side.fold_wb(7 - rank, rank)
}

fn king_distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    files.max((a.rank() as i32 - b.rank() as i32).abs())
}
