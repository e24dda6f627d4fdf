//! Lines in which both sides work together towards a mate, played out by simple preferences.
//!
//! Nothing here has to be right about chess: a line that ends in mate is a proof, any other line
//! is forgotten.

use shakmaty::attacks::{
    attacks, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Piece, Position, Role, Square};

/// Plies after which a line is given up.
const LONGEST_LINE: u32 = 109;

// How much each side likes what a move brings about. The figures were found by changing them at
// random on one half of 5,000 ends of games lost on time, as long as the lines became shorter.
/// A pawn becomes a queen.
const NEW_QUEEN: i32 = 62;
/// A pawn becomes another piece.
const NEW_PIECE: i32 = 24;
/// A pawn takes.
const PAWN_TAKES: i32 = 2;
/// A piece takes.
const PIECE_TAKES: i32 = 4;
/// The own king comes a step nearer, beside a rook or queen.
const KING_NEARER_WITH_HEAVY: i32 = 9;
/// The own king comes a step nearer.
const KING_NEARER: i32 = 4;
/// A pawn moves where there is no rook or queen.
const PAWN_MOVES: i32 = 6;
/// The same for each rank that it has come.
const RANK_OF_PAWN: i32 = 3;
/// A square beside the king that a pawn covers.
const PAWN_COVERS: i32 = 8;
/// A square beside the king that a piece covers.
const PIECE_COVERS: i32 = 5;
/// A piece beside the king without the own king.
const TOO_NEAR: i32 = -6;
/// A check that does not mate.
const CHECKS: i32 = -4;
/// A queen, rook or pawn of the mating side is taken.
const TAKEN_MAIN: i32 = -20;
/// Another piece is taken.
const TAKEN: i32 = -14;
/// The other side gets a queen or rook.
const OTHER_NEW_HEAVY: i32 = -30;
/// The other side gets a minor piece.
const OTHER_NEW_MINOR: i32 = -9;
/// The other side gives check.
const OTHER_CHECKS: i32 = -18;
/// Its king comes a step nearer to the edge.
const TO_EDGE: i32 = 7;
/// Its king comes a step nearer to a corner.
const TO_CORNER: i32 = 2;
/// Its king has one flight less.
const FLIGHT: i32 = 3;
/// A piece of its own goes beside the king.
const INTO_RING: i32 = 4;
/// A piece of its own leaves the king.
const OUT_OF_RING: i32 = -5;
/// Its king comes a step nearer to the other king.
const KINGS_NEARER: i32 = 4;
/// The chance that is added to every preference, and by how much it grows with every line.
const SPREAD: u32 = 6;
const SPREAD_GROWS: u32 = 8;

/// Successive attempts for one side. The same attempts follow each other every time.
pub(super) struct Lines {
    side: Color,
    tried: u32,
    chance: Chance,
    line: Vec<Move>,
}

impl Lines {
    pub(super) fn new(side: Color) -> Self {
        Self {
            side,
            tried: 0,
            chance: Chance::new(),
            line: Vec::new(),
        }
    }

    /// Plays one line and says whether it ended with the side giving mate.
    pub(super) fn finds_mate(&mut self, start: &Chess) -> bool {
        let mut position = start.clone();
        let spread = SPREAD + SPREAD_GROWS * self.tried.min(6);
        self.tried += 1;
        self.line.clear();
        for _ in 0..LONGEST_LINE {
            let legal = position.legal_moves();
            if legal.is_empty() {
                return position.is_check() && position.turn() != self.side;
            }
            let next = if position.turn() == self.side {
                let own = Own::of(&position);
                if let Some(mate) = own.mate(&legal) {
                    self.line.push(mate);
                    return true;
                }
                self.choose(&legal, spread, |candidate| own.score(candidate))
            } else {
                let other = Other::of(&position);
                self.choose(&legal, spread, |candidate| other.score(candidate))
            };
            let Some(next) = next else {
                return false;
            };
            self.line.push(next);
            position.play_unchecked(next);
            if next.is_capture() && position.has_insufficient_material(self.side) {
                return false;
            }
        }
        false
    }

    /// The line played last.
    pub(super) fn into_line(self) -> Vec<Move> {
        self.line
    }

    fn choose(&mut self, legal: &[Move], spread: u32, score: impl Fn(Move) -> i32) -> Option<Move> {
        let mut best = None;
        let mut most = i32::MIN;
        for &candidate in legal {
            let value = score(candidate) + self.chance.below(spread);
            if value > most {
                most = value;
                best = Some(candidate);
            }
        }
        best
    }
}

/// The squares from which a piece would give check.
struct Checks {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
}

impl Checks {
    fn against(board: &Board, side: Color, king: Square) -> Self {
        let occupied = board.occupied();
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
    /// The squares to which the king could go.
    flights: Bitboard,
    has_heavy: bool,
    checks: Checks,
}

impl<'a> Own<'a> {
    fn of(position: &'a Chess) -> Self {
        let (us, board) = (position.turn(), position.board());
        let king = board.king_of(us.other()).unwrap_or(Square::A1);
        let ring = king_attacks(king);
        Self {
            position,
            king,
            own_king: board.king_of(us).unwrap_or(Square::A1),
            ring,
            flights: ring & !position.them() & !attacked(board, us, king),
            has_heavy: position.us().intersects(board.rooks_and_queens()),
            checks: Checks::against(board, us.other(), king),
        }
    }

    /// A move in this list that mates. Only direct checks are tried that cover all flights.
    fn mate(&self, legal: &[Move]) -> Option<Move> {
        let occupied = self.position.board().occupied() & !Bitboard::from_square(self.king);
        legal.iter().copied().find(|&candidate| {
            self.checks.gives(candidate) && {
                let role = candidate.promotion().unwrap_or(candidate.role());
                let color = self.position.turn();
                let covered = attacks(candidate.to(), Piece { color, role }, occupied);
                covered.is_superset(self.flights) && {
                    let mut after = self.position.clone();
                    after.play_unchecked(candidate);
                    after.is_checkmate()
                }
            }
        })
    }

    fn score(&self, candidate: Move) -> i32 {
        let (role, to) = (candidate.role(), candidate.to());
        let from = candidate.from().unwrap_or(to);
        let mut score = match candidate.promotion() {
            Some(Role::Queen) => NEW_QUEEN,
            Some(_) => NEW_PIECE,
            None => 0,
        };
        if candidate.is_capture() {
            score += if role == Role::Pawn {
                PAWN_TAKES
            } else {
                PIECE_TAKES
            };
        }
        match role {
            Role::King => {
                let closer = distance(from, self.king) - distance(to, self.king);
                let weight = if self.has_heavy {
                    KING_NEARER_WITH_HEAVY
                } else {
                    KING_NEARER
                };
                score += if candidate.is_castle() {
                    0
                } else {
                    weight * closer
                };
            }
            Role::Pawn if !self.has_heavy => {
                let rank = to.rank() as i32;
                let advanced = self.position.turn().fold_wb(rank, 7 - rank);
                score += PAWN_MOVES + RANK_OF_PAWN * advanced;
            }
            Role::Pawn => score += self.covers(Role::Pawn, to) * PAWN_COVERS,
            role => score += PIECE_COVERS * (self.covers(role, to) - self.covers(role, from)),
        }
        if role != Role::King && distance(to, self.king) == 1 && distance(to, self.own_king) > 1 {
            score += TOO_NEAR;
        }
        if self.checks.gives(candidate) {
            score += CHECKS;
        }
        score
    }

    /// How many squares beside the king a piece covers from a square.
    fn covers(&self, role: Role, from: Square) -> i32 {
        let color = self.position.turn();
        let piece = Piece { color, role };
        let attacked = attacks(from, piece, self.position.board().occupied());
        (attacked & self.ring).count() as i32
    }
}

/// What the side to be mated likes: its king at the edge with its own pieces around it, and to be
/// in nobody's way.
struct Other {
    own_king: Square,
    ring: Bitboard,
    checks: Checks,
    /// The squares that are neither attacked nor taken by an own piece.
    free: Bitboard,
    from_flights: i32,
}

impl Other {
    fn of(position: &Chess) -> Self {
        let (board, side) = (position.board(), position.turn().other());
        let king = board.king_of(side.other()).unwrap_or(Square::A1);
        let own_king = board.king_of(side).unwrap_or(Square::A1);
        let taken = position.us() & !Bitboard::from_square(king);
        let free = !taken & !attacked(board, side, king);
        Self {
            own_king,
            ring: king_attacks(king),
            checks: Checks::against(board, side, own_king),
            free,
            from_flights: (king_attacks(king) & free).count() as i32,
        }
    }

    fn score(&self, candidate: Move) -> i32 {
        let (role, to) = (candidate.role(), candidate.to());
        let from = candidate.from().unwrap_or(to);
        let mut score = match candidate {
            Move::Normal {
                capture: Some(Role::Queen | Role::Rook | Role::Pawn),
                ..
            } => TAKEN_MAIN,
            _ if candidate.is_capture() => TAKEN,
            _ => 0,
        };
        score += match candidate.promotion() {
            Some(Role::Queen | Role::Rook) => OTHER_NEW_HEAVY,
            Some(_) => OTHER_NEW_MINOR,
            None => 0,
        };
        if self.checks.gives(candidate) {
            score += OTHER_CHECKS;
        }
        if role == Role::King && !candidate.is_castle() {
            let edges = TO_EDGE * (to_edge(from) - to_edge(to))
                + TO_CORNER * (to_corner(from) - to_corner(to));
            let flights = (king_attacks(to) & self.free).count() as i32;
            let near = KINGS_NEARER * (distance(from, self.own_king) - distance(to, self.own_king));
            return score + edges + FLIGHT * (self.from_flights - flights) + near;
        }
        if self.ring.contains(to) {
            score += INTO_RING;
        }
        if self.ring.contains(from) {
            score += OUT_OF_RING;
        }
        score
    }
}

/// The squares that a side attacks when the other king is away.
fn attacked(board: &Board, attacker: Color, king: Square) -> Bitboard {
    let occupied = board.occupied() & !Bitboard::from_square(king);
    let ours = board.by_color(attacker);
    let pawns = ours & board.pawns();
    let (left, right) = attacker.fold_wb((7, 9), (-9, -7));
    let mut all = (pawns & !Bitboard::from_file(File::A)).shift(left)
        | (pawns & !Bitboard::from_file(File::H)).shift(right);
    for square in ours & board.knights() {
        all |= knight_attacks(square);
    }
    for square in ours & board.bishops_and_queens() {
        all |= bishop_attacks(square, occupied);
    }
    for square in ours & board.rooks_and_queens() {
        all |= rook_attacks(square, occupied);
    }
    for square in ours & board.kings() {
        all |= king_attacks(square);
    }
    all
}

/// Moves of a king from one square to another.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    a.distance(b) as i32
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
pub(super) struct Chance(u64);

impl Chance {
    pub(super) const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(super) fn below(&mut self, bound: u32) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 40) * u64::from(bound)) >> 24) as i32
    }
}
