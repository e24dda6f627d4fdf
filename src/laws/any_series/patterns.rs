//! Mates that minor pieces can give with the opponent's help, and how far a position is from them.
//!
//! A side without a heavy piece, whose pawns can never be promoted, mates only when the squares
//! beside the king are filled or covered by its own king. Such pictures are made once, from the
//! squares that the pieces can ever reach. The search then prefers positions close to one of them.
//! Nothing here needs to be correct: it decides what is examined first, and never the answer.

use shakmaty::attacks::{between, king_attacks};
use shakmaty::{Bitboard, Board, Chess, Color, Position, Rank, Role, Square};

use super::mobility::Reach;
use super::sets;

/// How many squares on which the king may be mated are kept.
const WAYS: usize = 8;

/// How many pictures are kept of each.
const PICTURES_OF_A_WAY: usize = 4;

/// How many squares beside the king can be filled at most.
const FILLED_MOST: usize = 4;

// The weight of a missing move. The king to be mated goes to its square first and the check comes
// last, because in another order they hinder each other.
const KING: i32 = 6;
const FILLER: i32 = 4;
const OWN_KING: i32 = 2;
const CHECKER: i32 = 1;

/// How many moves the own king stays away, to let the other king pass to its square.
const KEEPS_AWAY: u8 = 2;

/// The weight of a queen of the mated side, which can hardly be kept from spoiling the mate.
const QUEEN: i32 = 4;

/// The weight of a rook of the mated side.
const ROOK: i32 = 2;

/// How many moves it takes to leave a square where check can be given, and to come back.
const TOO_SOON: u8 = 3;

/// The number of moves for a square that cannot be reached.
const FAR: u8 = 30;

/// How many moves it takes from every square to one square.
type Moves = [u8; 64];

/// The roles of pieces that fill squares. A pawn is counted separately.
const FILLERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];

pub(super) struct Picture {
    king: Moves,
    own_king: Moves,
    checker: (Role, Moves),
    filled: Vec<[Moves; 4]>,
}

/// The pictures for one side, the nearest first.
pub(super) struct Patterns {
    side: Color,
    /// Whether no pawn of the side can ever be promoted.
    pub(super) is_only_way: bool,
    /// The pictures of each of a few squares on which the king may be mated.
    ways: Vec<Vec<Picture>>,
}

/// A picture whose moves are not yet counted.
#[derive(Clone, Copy)]
struct Sketch {
    mated: Square,
    own_king: Square,
    checker: (Role, Square),
    filled: Bitboard,
}

impl Sketch {
    /// Returns whether the two differ only in the square that the check comes from.
    fn is_alike(self, other: Self) -> bool {
        (self.mated, self.own_king, self.filled) == (other.mated, other.own_king, other.filled)
    }
}

impl Patterns {
    /// Returns the pictures that a position allows. `None` if a heavy piece or a pawn can mate.
    pub(super) fn of(position: &Chess, side: Color, mated: Bitboard) -> Option<Self> {
        let board = position.board();
        let reach = Reach::of(position);
        if (board.by_color(side)).intersects(board.rooks_and_queens()) {
            return None;
        }
        let drawing = Drawing::of(board, &reach, side);
        let mut sketches = drawing.sketches(mated);
        sketches.sort_by_key(|&(cost, _)| cost);
        let mut ways: Vec<(Square, Vec<(Sketch, Picture)>)> = Vec::new();
        for (_, sketch) in sketches {
            let at = ways.iter().position(|(mated, _)| *mated == sketch.mated);
            let is_wanted = match at.and_then(|at| ways.get(at)) {
                Some((_, kept)) => {
                    kept.len() < PICTURES_OF_A_WAY
                        && kept.iter().all(|(other, _)| !other.is_alike(sketch))
                }
                None => ways.len() < WAYS,
            };
            if !is_wanted {
                continue;
            }
            let picture = drawing.picture(sketch);
            if picture.is_missing(board, side) >= i32::from(FAR) * FILLER {
                continue;
            }
            match at.and_then(|at| ways.get_mut(at)) {
                Some((_, kept)) => kept.push((sketch, picture)),
                None => ways.push((sketch.mated, vec![(sketch, picture)])),
            }
        }
        let ways = ways
            .into_iter()
            .map(|(_, kept)| kept.into_iter().map(|(_, picture)| picture).collect())
            .collect();
        let is_only_way = !reach.can_promote(side);
        Some(Self {
            side,
            is_only_way,
            ways,
        })
    }

    /// Returns the nearest picture of each square, then the next of each, and so on.
    pub(super) fn pictures(&self) -> impl Iterator<Item = &Picture> {
        (0..PICTURES_OF_A_WAY).flat_map(|nth| self.ways.iter().filter_map(move |way| way.get(nth)))
    }

    /// The number of squares.
    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// Estimates how much is missing to the nearest picture on each of these squares.
    pub(super) fn missing(&self, board: &Board) -> impl Iterator<Item = i32> {
        let king = board.king_of(self.side.other()).unwrap_or(Square::A1);
        let own_king = board.king_of(self.side).unwrap_or(Square::A1);
        self.ways.iter().map(move |pictures| {
            let each = pictures.iter();
            each.map(|picture| picture.missing(board, self.side, king, own_king))
                .min()
                .unwrap_or(0)
        })
    }
}

impl Picture {
    /// Estimates how far a position is from this picture.
    pub(super) fn is_missing(&self, board: &Board, side: Color) -> i32 {
        let king = board.king_of(side.other()).unwrap_or(Square::A1);
        let own_king = board.king_of(side).unwrap_or(Square::A1);
        self.missing(board, side, king, own_king)
    }

    fn missing(&self, board: &Board, side: Color, king: Square, own_king: Square) -> i32 {
        let (role, ref checker) = self.checker;
        let checkers = board.by_piece(role.of(side));
        let to_go = at(&self.king, king);
        let own = at(&self.own_king, own_king);
        let own = if to_go > 0 { own.max(KEEPS_AWAY) } else { own };
        let mut missing = KING * i32::from(to_go)
            + OWN_KING * i32::from(own)
            + CHECKER * i32::from(nearest(checkers, checker));
        for fillers in &self.filled {
            let moves = FILLERS
                .into_iter()
                .zip(fillers)
                .map(|(role, moves)| nearest(board.by_piece(role.of(side.other())), moves))
                .min();
            missing += FILLER * i32::from(moves.unwrap_or(FAR));
        }
        let theirs = board.by_color(side.other());
        let (queens, rooks) = (theirs & board.queens(), theirs & board.rooks());
        missing + QUEEN * queens.count() as i32 + ROOK * rooks.count() as i32
    }
}

fn at(moves: &Moves, square: Square) -> u8 {
    moves.get(square as usize).copied().unwrap_or(FAR)
}

fn nearest(pieces: Bitboard, moves: &Moves) -> u8 {
    let each = pieces.into_iter().map(|square| at(moves, square));
    each.min().unwrap_or(FAR)
}

struct Drawing<'a> {
    board: &'a Board,
    reach: &'a Reach,
    side: Color,
    king: Square,
    own_king: Square,
    walls: Bitboard,
}

impl<'a> Drawing<'a> {
    fn of(board: &'a Board, reach: &'a Reach, side: Color) -> Self {
        Self {
            board,
            reach,
            side,
            king: board.king_of(side.other()).unwrap_or(Square::A1),
            own_king: board.king_of(side).unwrap_or(Square::A1),
            walls: reach.walls(),
        }
    }

    fn sketches(&self, mated: Bitboard) -> Vec<(u32, Sketch)> {
        let mut sketches = Vec::new();
        let kings = self.reach.of_king(self.side.other()) & mated;
        for mated in kings {
            for role in [Role::Bishop, Role::Knight] {
                let checks =
                    sets::attacked(self.side, role, Bitboard::from_square(mated), self.walls);
                let from = checks & self.reach.of_role(self.side, role);
                for checker in from & !king_attacks(mated) {
                    self.add_sketches(mated, (role, checker), &mut sketches);
                }
            }
        }
        sketches
    }

    fn add_sketches(
        &self,
        mated: Square,
        checker: (Role, Square),
        sketches: &mut Vec<(u32, Sketch)>,
    ) {
        let walls = self.walls & !Bitboard::from_square(mated);
        let from = Bitboard::from_square(checker.1);
        let covered = sets::attacked(self.side, checker.0, from, walls);
        let open = king_attacks(mated) & !covered;
        let near = sets::by_kings(sets::by_kings(king_attacks(mated)));
        let places = self.reach.of_king(self.side) & !king_attacks(mated) & !from;
        let places = places & !Bitboard::from_square(mated);
        for own_king in places & (near | Bitboard::from_square(self.own_king)) {
            let filled = open & !king_attacks(own_king);
            let sketch = Sketch {
                mated,
                own_king,
                checker,
                filled,
            };
            if filled.count() <= FILLED_MOST
                && let Some(cost) = self.cost(sketch)
            {
                sketches.push((cost, sketch));
            }
        }
    }

    /// Estimates how far a picture is before its moves are counted.
    fn cost(&self, sketch: Sketch) -> Option<u32> {
        let mut cost = self.king.distance(sketch.mated) + self.own_king.distance(sketch.own_king);
        let theirs = self.board.by_color(self.side.other()) & !self.board.kings();
        let mut left = theirs;
        for square in sketch.filled {
            let (moves, by) = left
                .into_iter()
                .filter(|&from| self.reach.can_fill(from, square))
                .filter_map(|from| Some((self.filler_moves(from, square, sketch)?, from)))
                .min()?;
            left.discard(by);
            cost += 2 * moves;
        }
        Some(cost)
    }

    /// Returns how many moves the piece on a square needs to a square beside its king, if it does
    /// no harm there.
    fn filler_moves(&self, from: Square, to: Square, sketch: Sketch) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        let role = self.board.role_at(from)?;
        let roles: &[Role] = match role {
            Role::Pawn if from.file() == to.file() && !is_last(to) => &[Role::Pawn],
            Role::Pawn => &[Role::Knight, Role::Bishop, Role::Rook],
            Role::Knight => &[Role::Knight],
            Role::Bishop => &[Role::Bishop],
            Role::Rook => &[Role::Rook],
            _ => return None,
        };
        let is_harmless = roles.iter().any(|&role| self.is_harmless(role, to, sketch));
        is_harmless.then(|| match role {
            Role::Pawn => 4,
            Role::Knight => from.distance(to).div_ceil(2) + 1,
            _ => 2,
        })
    }

    /// Returns whether a piece on a square beside its king neither checks nor captures or blocks
    /// the checking piece.
    fn is_harmless(&self, role: Role, on: Square, sketch: Sketch) -> bool {
        let (color, from) = (self.side.other(), Bitboard::from_square(on));
        let filled = Bitboard::from_square(sketch.mated) | sketch.filled;
        let mut attacked = sets::attacked(color, role, from, filled);
        if role == Role::Pawn {
            attacked |= sets::pushes(color, from, filled);
        }
        let line = between(sketch.checker.1, sketch.mated);
        let spoiled =
            Bitboard::from_square(sketch.checker.1) | Bitboard::from_square(sketch.own_king) | line;
        attacked.is_disjoint(spoiled)
    }

    fn picture(&self, sketch: Sketch) -> Picture {
        let kings = |color, to| self.moves_of_king(color, to);
        Picture {
            king: kings(self.side.other(), sketch.mated),
            own_king: kings(self.side, sketch.own_king),
            checker: (sketch.checker.0, self.moves_of_checker(sketch)),
            filled: sketch
                .filled
                .into_iter()
                .map(|to| {
                    FILLERS.map(|role| match role {
                        Role::Pawn => self.moves_of_pawn(to, sketch),
                        _ if self.is_harmless(role, to, sketch) => self.moves(role, to),
                        _ => [FAR; 64],
                    })
                })
                .collect(),
        }
    }

    fn moves(&self, role: Role, to: Square) -> Moves {
        ways_back(to, |from| sets::attacked(self.side, role, from, self.walls))
    }

    /// Counts the moves of the checking piece. The check comes last: a piece that attacks the
    /// king's square before the king is there only keeps it away.
    fn moves_of_checker(&self, sketch: Sketch) -> Moves {
        let (role, to) = sketch.checker;
        let mut moves = self.moves(role, to);
        let mated = Bitboard::from_square(sketch.mated);
        for too_soon in sets::attacked(self.side, role, mated, self.walls) {
            if let Some(moves) = moves.get_mut(too_soon as usize) {
                *moves = TOO_SOON;
            }
        }
        moves
    }

    fn moves_of_king(&self, color: Color, to: Square) -> Moves {
        let inside = self.reach.of_king(color);
        ways_back(to, |from| sets::by_kings(from) & inside)
    }

    /// Counts the moves of a pawn that goes straight on, or is first promoted to a harmless piece.
    fn moves_of_pawn(&self, to: Square, sketch: Sketch) -> Moves {
        let color = self.side.other();
        let promoted = [Role::Knight, Role::Bishop, Role::Rook]
            .into_iter()
            .filter(|&role| self.is_harmless(role, to, sketch))
            .map(|role| self.moves(role, to));
        let mut moves = [FAR; 64];
        let last = color.fold_wb(Rank::Eighth, Rank::First);
        let is_harmless = self.is_harmless(Role::Pawn, to, sketch) && !is_last(to);
        for after in promoted {
            for square in Square::ALL {
                let to_go = steps(square, last);
                let then = at(&after, Square::from_coords(square.file(), last));
                let new = to_go.saturating_add(then);
                if let Some(moves) = moves.get_mut(square as usize) {
                    *moves = new.min(*moves);
                }
            }
        }
        for square in Bitboard::from_file(to.file()) {
            let is_before = steps(square, last) >= steps(to, last);
            if let Some(moves) = moves.get_mut(square as usize)
                && is_harmless
                && is_before
            {
                *moves = steps(square, last) - steps(to, last);
            }
        }
        moves
    }
}

fn is_last(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

/// The steps of a pawn to its last rank.
fn steps(from: Square, last: Rank) -> u8 {
    from.rank().distance(last) as u8
}

/// Returns how many moves it takes from every square to one square, counted backwards.
fn ways_back(to: Square, step: impl Fn(Bitboard) -> Bitboard) -> Moves {
    let mut moves = [FAR; 64];
    let mut seen = Bitboard::from_square(to);
    let mut edge = seen;
    let mut count = 0;
    while edge.any() && count < FAR {
        for square in edge {
            if let Some(moves) = moves.get_mut(square as usize) {
                *moves = count;
            }
        }
        edge = step(edge) & !seen;
        seen |= edge;
        count += 1;
    }
    moves
}
