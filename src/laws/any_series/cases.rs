//! A proof by cases that mate is excluded. A case is the next capture or the next pawn move.
//!
//! As long as nothing is captured and no pawn moves, all pawns are walls and few squares can be
//! reached. If no mate is possible by then, something must happen first: one piece captures
//! another, or a pawn moves. Each of these cases is examined in the same way, with all other pieces
//! anywhere that they could reach before. A case is closed if mate is excluded by everything that
//! can ever be reached in it. The sets of squares are never too small, so the proof is sound.

use std::collections::BTreeSet;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Rank, Role, Square};

use super::mobility::{Reach, Reachable};
use super::sets;

/// Returns whether a proof with at most this many cases excludes mate by `side`.
pub(super) fn exclude_mate(position: &Chess, side: Color, most: usize) -> bool {
    let mut cases = Cases {
        side,
        most,
        seen: BTreeSet::new(),
        open: Vec::new(),
    };
    let en_passant = position.ep_square(EnPassantMode::PseudoLegal);
    cases.add(Reach::at_first(position), en_passant) && cases.all_close()
}

/// The squares where each piece can be before the next capture or pawn move.
type Key = Vec<(char, u64, u64)>;

struct Cases {
    side: Color,
    most: usize,
    seen: BTreeSet<Key>,
    open: Vec<(Reach, Option<Square>)>,
}

impl Cases {
    fn all_close(&mut self) -> bool {
        while let Some((reach, en_passant)) = self.open.pop() {
            let events = Events {
                side: self.side,
                reach: &reach,
                en_passant,
            };
            if !events.all().into_iter().all(|next| self.add(next, None)) {
                return false;
            }
        }
        true
    }

    /// Adds a case unless it is known or closed. Returns `false` if mate may be possible in it, or
    /// if there are too many cases.
    fn add(&mut self, pieces: Vec<Reachable>, en_passant: Option<Square>) -> bool {
        let reach = Reach::until_next(pieces);
        if !reach.excludes_mate(self.side) {
            return false;
        }
        if self.seen.insert(key(&reach)) && !reach.excludes_mate_for_ever(self.side, en_passant) {
            self.open.push((reach, en_passant));
        }
        self.seen.len() <= self.most
    }
}

fn key(reach: &Reach) -> Key {
    let each = reach.pieces().iter();
    let each = each.map(|piece| (piece.piece.char(), piece.squares.0, piece.promoted.0));
    each.collect()
}

/// The captures and pawn moves that can come next.
struct Events<'a> {
    side: Color,
    reach: &'a Reach,
    en_passant: Option<Square>,
}

impl Events<'_> {
    fn all(&self) -> Vec<Vec<Reachable>> {
        let mut all = Vec::new();
        for (index, piece) in self.reach.pieces().iter().enumerate() {
            if piece.piece.role == Role::Pawn {
                self.add_pawn(index, piece, &mut all);
            }
            self.add_captures(index, piece, &mut all);
        }
        all
    }

    /// Returns the pieces that a piece of this colour can capture.
    fn victims(&self, color: Color) -> impl Iterator<Item = (usize, &Reachable)> {
        let pieces = self.reach.pieces().iter().enumerate();
        pieces
            .filter(move |(_, piece)| piece.piece.color != color && piece.piece.role != Role::King)
    }

    fn add_captures(&self, index: usize, piece: &Reachable, all: &mut Vec<Vec<Reachable>>) {
        let (color, role) = (piece.piece.color, piece.piece.role);
        let walls = self.reach.walls();
        let attacked = match role {
            Role::King => {
                sets::by_kings(piece.squares) & !self.reach.guarded_for_ever(color.other())
            }
            Role::Pawn => self.reach.attacked_once_promoted(piece.promoted),
            _ => sets::attacked(color, role, piece.squares, walls),
        };
        for (victim, taken) in self.victims(color) {
            let on = attacked & taken.anywhere();
            if on.any() {
                all.extend(self.after(index, on, Some(victim), role == Role::Pawn));
            }
        }
    }

    fn add_pawn(&self, index: usize, pawn: &Reachable, all: &mut Vec<Vec<Reachable>>) {
        let color = pawn.piece.color;
        let attacked = sets::by_pawns(color, pawn.squares);
        for (victim, taken) in self.victims(color) {
            for on in attacked & taken.anywhere() {
                all.extend(self.after(index, Bitboard::from_square(on), Some(victim), false));
            }
            if let Some(passed) = self.passed(taken)
                && attacked.contains(passed)
            {
                all.extend(self.after(index, Bitboard::from_square(passed), Some(victim), false));
            }
        }
        for to in sets::pushes(color, pawn.squares, self.reach.walls()) {
            all.extend(self.after(index, Bitboard::from_square(to), None, false));
        }
    }

    /// Returns the square that a pawn can pass now with a double step, or has just passed.
    fn passed(&self, pawn: &Reachable) -> Option<Square> {
        let color = pawn.piece.color;
        if pawn.piece.role != Role::Pawn {
            return None;
        }
        let (start, passed, landing) = color.fold_wb(
            (Rank::Second, Rank::Third, Rank::Fourth),
            (Rank::Seventh, Rank::Sixth, Rank::Fifth),
        );
        let file = pawn.origin.file();
        let passed = Square::from_coords(file, passed);
        let start = Square::from_coords(file, start);
        let landing = Square::from_coords(file, landing);
        let far = sets::pushes(color, Bitboard::from_square(start), self.reach.walls());
        let jumps = pawn.squares.contains(start) && far.contains(landing);
        let has_jumped = self.en_passant == Some(passed) && pawn.origin == landing;
        (jumps || has_jumped).then_some(passed)
    }

    /// Returns whether it matters that a piece has just arrived on its square. Other pieces of the
    /// mating side can give check from there at any time, and checks by the mated side do not
    /// matter.
    fn may_check_at_once(&self, piece: &Reachable) -> bool {
        piece.piece.color == self.side && matches!(piece.piece.role, Role::Pawn | Role::Knight)
    }

    /// Returns the pieces after one has gone to one of these squares and another was captured
    /// there. `None` if no piece can be elsewhere then.
    fn after(
        &self,
        index: usize,
        on: Bitboard,
        victim: Option<usize>,
        is_by_promoted: bool,
    ) -> Option<Vec<Reachable>> {
        let known = on.single_square();
        let mut pieces = Vec::with_capacity(self.reach.pieces().len());
        for (at, piece) in self.reach.pieces().iter().enumerate() {
            if Some(at) == victim {
                continue;
            }
            let mut piece = piece.clone();

            if at == index {
                let is_promoted = piece.piece.role == Role::Pawn
                    && (is_by_promoted || on.is_subset(Bitboard::BACKRANKS));
                (piece.squares, piece.promoted) = if is_promoted {
                    (Bitboard::EMPTY, on)
                } else {
                    (on, Bitboard::EMPTY)
                };
            } else if let Some(taken) = known {
                piece.squares.discard(taken);
                piece.promoted.discard(taken);
            }
            let anywhere = piece.anywhere();
            piece.has_arrived = at == index && self.may_check_at_once(&piece);
            if !anywhere.contains(piece.origin) {
                piece.origin = anywhere.first()?;
            }
            pieces.push(piece);
        }
        Some(pieces)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, FromSetup, Piece, Setup};

    use super::super::lines::Rng;
    use super::super::seen::Seen;
    use super::*;

    /// A random position of kings, opposed pawns on some files, some of them doubled, and a few
    /// pieces. So few positions can arise, and walls are common.
    fn random_position(rng: &mut Rng) -> Option<Chess> {
        let mut board = Board::empty();
        let mut put = |square: Square, role: Role, color| {
            let is_last = matches!(square.rank(), Rank::First | Rank::Eighth);
            if board.piece_at(square).is_none() && !(role == Role::Pawn && is_last) {
                board.set_piece_at(square, Piece { color, role });
            }
        };
        let mut any = |bound: u32| rng.below(bound) as u32;
        let (rank, first, is_wall) = (2 + any(3), any(2), any(4) > 0);
        for file in (first..8).step_by(2) {
            for (color, up) in [(Color::White, 0), (Color::Black, 1)] {
                put(Square::new(8 * (rank + up) + file), Role::Pawn, color);
            }
            if any(3) == 0 {
                let (color, rank) = [(Color::White, 1), (Color::Black, 6)][any(2) as usize];
                put(Square::new(8 * rank + file), Role::Pawn, color);
            }
        }
        if !is_wall {
            for color in Color::ALL {
                put(Square::new(8 + any(48)), Role::Pawn, color);
            }
        }
        for color in Color::ALL {
            put(Square::new(any(64)), Role::King, color);
            for _ in 0..any(3) / 2 {
                let role = [Role::Bishop, Role::Bishop, Role::Knight, Role::Rook][any(4) as usize];
                put(Square::new(any(64)), role, color);
            }
        }
        let turn = [Color::White, Color::Black][any(2) as usize];
        let ep_square = (any(2) == 0).then(|| {
            let rank = turn.fold_wb(Rank::Sixth, Rank::Third);
            Square::from_coords(shakmaty::File::new(any(8)), rank)
        });
        let setup = Setup {
            board,
            turn,
            ep_square,
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// Returns whether one of the first positions that can arise is mate. `None` if there are more
    /// positions than the limit.
    fn mates(start: &Chess, side: Color, limit: usize) -> Option<bool> {
        let mut seen = Seen::new();
        seen.add(start, None);
        let mut waiting = std::collections::VecDeque::from([start.clone()]);
        while let Some(position) = waiting.pop_front() {
            for step in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(step);
                if after.is_checkmate() && after.turn() != side {
                    return Some(true);
                }
                if seen.add(&after, None).is_some() {
                    waiting.push_back(after);
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(false)
    }

    /// Compares proofs with the positions that can arise. Returns how many were compared in full.
    fn check(positions: usize, limit: usize) -> usize {
        let mut rng = Rng::new();
        let mut held = 0;
        for position in std::iter::from_fn(|| Some(random_position(&mut rng)))
            .flatten()
            .filter(|position| !position.is_checkmate())
            .take(positions)
        {
            for side in Color::ALL {
                if !exclude_mate(&position, side, 200) {
                    continue;
                }
                let found = mates(&position, side, limit);
                assert_ne!(found, Some(true), "{side}: {:?}", position.board());
                held += usize::from(found == Some(false));
            }
        }
        held
    }

    #[test]
    fn what_is_excluded_never_comes_up() {
        let held = check(200, 2_000);
        assert!(held >= 8, "{held}");
    }

    #[test]
    #[ignore = "some minutes; make soak runs it"]
    fn what_is_excluded_never_comes_up_in_many_positions() {
        let held = check(3_000, 60_000);
        eprintln!("{held} proofs were held against all positions");
        assert!(held >= 300, "{held}");
    }
}
