//! Lines in which both sides work together towards a mate, played out by simple preferences.
//!
//! Nothing here has to be right about chess: a line that ends in mate is a proof, any other line
//! is forgotten.

use shakmaty::attacks::{
    attacks, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Position, Role, Square};

/// Plies after which a line is given up.
const LONGEST_LINE: u32 = 90;

/// Successive attempts for one side. The same attempts follow each other every time.
pub(super) struct Lines {
    side: Color,
    tried: u32,
    chance: Chance,
}

impl Lines {
    pub(super) const fn new(side: Color) -> Self {
        Self {
            side,
            tried: 0,
            chance: Chance(0x9e37_79b9_7f4a_7c15),
        }
    }

    /// Plays one line and says whether it ended with the side giving mate.
    pub(super) fn finds_mate(&mut self, start: &Chess) -> bool {
        let mut position = start.clone();
        let spread = 4 + 6 * self.tried.min(6);
        self.tried += 1;
        for _ in 0..LONGEST_LINE {
            let legal = position.legal_moves();
            if legal.is_empty() {
                return position.is_check() && position.turn() != self.side;
            }
            let is_own_turn = position.turn() == self.side;
            if is_own_turn && has_mate(&position, &legal) {
                return true;
            }
            let next = if is_own_turn {
                let own = Own::of(&position);
                self.choose(&legal, spread, |candidate| own.score(candidate))
            } else {
                let other = Other::of(&position);
                self.choose(&legal, spread, |candidate| other.score(candidate))
            };
            let Some(next) = next else {
                return false;
            };
            position.play_unchecked(next);
            if position.has_insufficient_material(self.side) {
                return false;
            }
        }
        false
    }

    fn choose(&mut self, legal: &[Move], spread: u32, score: impl Fn(Move) -> i32) -> Option<Move> {
        legal
            .iter()
            .copied()
            .max_by_key(|&candidate| score(candidate) + self.chance.below(spread))
    }
}

/// Whether a move in this list mates. Only direct checks are tried.
fn has_mate(position: &Chess, legal: &[Move]) -> bool {
    let checks = Checks::against(position, position.turn().other());
    legal.iter().any(|&candidate| {
        checks.gives(candidate) && {
            let mut after = position.clone();
            after.play_unchecked(candidate);
            after.is_check() && after.legal_moves().is_empty()
        }
    })
}

/// The squares from which a piece would give check.
struct Checks {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
}

impl Checks {
    fn against(position: &Chess, side: Color) -> Self {
        let Some(king) = position.board().king_of(side) else {
            return Self {
                pawn: Bitboard::EMPTY,
                knight: Bitboard::EMPTY,
                bishop: Bitboard::EMPTY,
                rook: Bitboard::EMPTY,
            };
        };
        let occupied = position.board().occupied();
        Self {
            pawn: pawn_attacks(side, king),
            knight: knight_attacks(king),
            bishop: bishop_attacks(king, occupied),
            rook: rook_attacks(king, occupied),
        }
    }

    fn gives(&self, candidate: Move) -> bool {
        let squares = match candidate.promotion().unwrap_or(candidate.role()) {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => Bitboard::EMPTY,
        };
        squares.contains(candidate.to())
    }
}

/// What the mating side likes: its pieces and its king close to the king, and new queens.
struct Own<'a> {
    position: &'a Chess,
    king: Square,
    own_king: Square,
    ring: Bitboard,
    has_heavy: bool,
}

impl<'a> Own<'a> {
    fn of(position: &'a Chess) -> Self {
        let (us, board) = (position.turn(), position.board());
        let king = board.king_of(us.other()).unwrap_or(Square::A1);
        Self {
            position,
            king,
            own_king: board.king_of(us).unwrap_or(Square::A1),
            ring: king_attacks(king),
            has_heavy: position.us().intersects(board.rooks_and_queens()),
        }
    }

    fn score(&self, candidate: Move) -> i32 {
        let (role, to) = (candidate.role(), candidate.to());
        let from = candidate.from().unwrap_or(to);
        let mut score = match candidate.promotion() {
            Some(Role::Queen) => 60,
            Some(_) => 20,
            None => 0,
        };
        if candidate.is_capture() {
            score += if role == Role::Pawn { 4 } else { -4 };
        }
        match role {
            Role::King => {
                let closer = distance(from, self.king) - distance(to, self.king);
                let weight = if self.has_heavy { 3 } else { 2 };
                score += if candidate.is_castle() {
                    0
                } else {
                    weight * closer
                };
            }
            Role::Pawn if !self.has_heavy => {
                let rank = to.rank() as i32;
                let advanced = self.position.turn().fold_wb(rank, 7 - rank);
                score += 8 + 2 * advanced;
            }
            Role::Pawn => score += self.covers(Role::Pawn, to) * 3,
            role => score += 5 * (self.covers(role, to) - self.covers(role, from)),
        }
        if role != Role::King && distance(to, self.king) == 1 && distance(to, self.own_king) > 1 {
            score -= 1;
        }
        score
    }

    /// How many squares beside the king a piece covers from a square.
    fn covers(&self, role: Role, from: Square) -> i32 {
        let color = self.position.turn();
        let piece = shakmaty::Piece { color, role };
        let attacked = attacks(from, piece, self.position.board().occupied());
        (attacked & self.ring).count() as i32
    }
}

/// What the side to be mated likes: its king at the edge with its own pieces around it, and to be
/// in nobody's way.
struct Other {
    king: Square,
    ring: Bitboard,
    checks: Checks,
    /// The squares that are neither attacked nor taken by an own piece.
    free: Bitboard,
}

impl Other {
    fn of(position: &Chess) -> Self {
        let (board, side) = (position.board(), position.turn().other());
        let king = board.king_of(side.other()).unwrap_or(Square::A1);
        let taken = position.us() & !Bitboard::from_square(king);
        Self {
            king,
            ring: king_attacks(king),
            checks: Checks::against(position, side),
            free: !taken & !attacked(board, side, king),
        }
    }

    fn score(&self, candidate: Move) -> i32 {
        let (role, to) = (candidate.role(), candidate.to());
        let from = candidate.from().unwrap_or(to);
        let mut score = match candidate {
            Move::Normal {
                capture: Some(Role::Queen | Role::Rook | Role::Pawn),
                ..
            } => -60,
            _ if candidate.is_capture() => -25,
            _ => 0,
        };
        score += match candidate.promotion() {
            Some(Role::Queen | Role::Rook) => -20,
            Some(_) => -4,
            None => 0,
        };
        if self.checks.gives(candidate) {
            score -= 15;
        }
        if role == Role::King && !candidate.is_castle() {
            let edges = 4 * (to_edge(from) - to_edge(to)) + to_corner(from) - to_corner(to);
            return score + edges + 3 * (self.flights(self.king) - self.flights(to));
        }
        if self.ring.contains(to) {
            score += 5;
        }
        if self.ring.contains(from) {
            score -= 5;
        }
        score
    }

    /// Squares to which a king on this square could go on.
    fn flights(&self, from: Square) -> i32 {
        (king_attacks(from) & self.free).count() as i32
    }
}

/// The squares that a side attacks when the other king is away.
fn attacked(board: &Board, attacker: Color, king: Square) -> Bitboard {
    let occupied = board.occupied() & !Bitboard::from_square(king);
    let pawns = board.by_color(attacker) & board.pawns();
    let (left, right) = attacker.fold_wb((7, 9), (-9, -7));
    let by_pawns = (pawns & !Bitboard::from_file(File::A)).shift(left)
        | (pawns & !Bitboard::from_file(File::H)).shift(right);
    (board.by_color(attacker) & !pawns)
        .into_iter()
        .filter_map(|square| Some(attacks(square, board.piece_at(square)?, occupied)))
        .fold(by_pawns, |all, some| all | some)
}

/// Moves of a king from one square to another.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

fn edges(square: Square) -> (i32, i32) {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    (file.min(7 - file), rank.min(7 - rank))
}

/// Steps to the nearest edge of the board.
fn to_edge(square: Square) -> i32 {
    let (file, rank) = edges(square);
    file.min(rank)
}

/// Steps to the nearest corner.
fn to_corner(square: Square) -> i32 {
    let (file, rank) = edges(square);
    file.max(rank)
}

/// Chance that is the same every time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::from(bound.max(1))) as i32
    }
}
