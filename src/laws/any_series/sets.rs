//! The squares that pieces on several squares attack, for all these squares at once.

use shakmaty::{Bitboard, Color, File, Rank, Role};

const NOT_A: Bitboard = Bitboard(!Bitboard::from_file(File::A).0);
const NOT_H: Bitboard = Bitboard(!Bitboard::from_file(File::H).0);

/// A step on the board: how far the bits move, and the squares from which it stays on the board.
type Step = (i32, Bitboard);

const ALONG: [Step; 4] = [
    (8, Bitboard::FULL),
    (-8, Bitboard::FULL),
    (1, NOT_H),
    (-1, NOT_A),
];
const ACROSS: [Step; 4] = [(9, NOT_H), (7, NOT_A), (-7, NOT_H), (-9, NOT_A)];

fn step(from: Bitboard, (by, inside): Step) -> Bitboard {
    (from & inside).shift(by)
}

/// Returns the squares that pieces of this kind attack from these squares. Only `walls` block them.
/// The walls themselves are attacked.
pub(super) fn attacked(color: Color, role: Role, from: Bitboard, walls: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => by_pawns(color, from),
        Role::Knight => by_knights(from),
        Role::Bishop => by_sliders(from, walls, ACROSS),
        Role::Rook => by_sliders(from, walls, ALONG),
        Role::Queen => by_sliders(from, walls, ACROSS) | by_sliders(from, walls, ALONG),
        Role::King => by_kings(from),
    }
}

pub(super) fn by_pawns(color: Color, from: Bitboard) -> Bitboard {
    let [right, left] = color.fold_wb([ACROSS[0], ACROSS[1]], [ACROSS[2], ACROSS[3]]);
    step(from, right) | step(from, left)
}

/// Returns the squares to which pawns can go straight on, by one or two steps.
pub(super) fn pushes(color: Color, from: Bitboard, walls: Bitboard) -> Bitboard {
    let forward = color.fold_wb(ALONG[0], ALONG[1]);
    let third = Bitboard::from_rank(color.fold_wb(Rank::Third, Rank::Sixth));
    let start = Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
    let once = step(from, forward) & !walls;
    let twice = step(step(from & start, forward) & !walls & third, forward) & !walls;
    once | twice
}

fn by_knights(from: Bitboard) -> Bitboard {
    let near = step(from, ALONG[2]) | step(from, ALONG[3]);
    let far = step(step(from, ALONG[2]), ALONG[2]) | step(step(from, ALONG[3]), ALONG[3]);
    near.shift(16) | near.shift(-16) | far.shift(8) | far.shift(-8)
}

pub(super) fn by_kings(from: Bitboard) -> Bitboard {
    let beside = step(from, ALONG[2]) | step(from, ALONG[3]);
    let row = from | beside;
    beside | row.shift(8) | row.shift(-8)
}

fn by_sliders(from: Bitboard, walls: Bitboard, steps: [Step; 4]) -> Bitboard {
    steps.into_iter().fold(Bitboard::EMPTY, |all, way| {
        // Each round doubles the distance, so after three rounds every square up to seven steps
        // away is filled.
        let mut open = !walls & step(Bitboard::FULL, way);
        let mut filled = from;
        for far in [way.0, 2 * way.0, 4 * way.0] {
            filled |= open & filled.shift(far);
            open &= open.shift(far);
        }
        all | step(filled, way)
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Piece, Square, attacks::attacks};

    use super::*;

    #[test]
    fn a_set_attacks_what_its_squares_attack() {
        let mut chance = 1_u64;
        let mut some = || {
            chance = chance.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(11);
            Bitboard(chance ^ chance >> 29)
        };
        for _ in 0..2_000 {
            let (from, walls) = (some() & some() & some(), some() & some());
            for role in Role::ALL {
                for color in Color::ALL {
                    let one_by_one = from
                        .into_iter()
                        .fold(Bitboard::EMPTY, |all, square: Square| {
                            all | attacks(square, Piece { color, role }, walls)
                        });
                    assert_eq!(attacked(color, role, from, walls), one_by_one, "{role:?}");
                }
            }
        }
    }
}
