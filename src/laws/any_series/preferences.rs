//! The preferences of each side in a line towards a mate. Most moves are left out because of the
//! squares that a piece can go to.

use std::sync::LazyLock;

use shakmaty::attacks::{
    attacks, between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Position, Role, Square};

use super::lines::{Best, Candidate};
use super::sets;

// The score of each result of a move. Most scores were found by random changes on one half of 5,000
// final positions of games lost on time, as long as the lines became shorter.
/// A pawn becomes a queen.
const NEW_QUEEN: i32 = 62;
/// A pawn becomes another piece.
const NEW_PIECE: i32 = 24;
/// A pawn captures.
const PAWN_TAKES: i32 = 2;
/// A piece captures.
const PIECE_TAKES: i32 = 4;
/// The own king moves a step nearer, with a rook or queen on its side.
const KING_NEARER_WITH_HEAVY: i32 = 9;
/// The own king moves a step nearer.
const KING_NEARER: i32 = 4;
/// A pawn moves, and the side has no rook or queen.
const PAWN_MOVES: i32 = 6;
/// A pawn moves: the score for each rank that it has advanced.
const RANK_OF_PAWN: i32 = 3;
/// A square beside the king that a pawn covers.
const PAWN_COVERS: i32 = 8;
/// A square beside the king that a piece covers.
const PIECE_COVERS: i32 = 5;
/// A piece stands beside the king without the support of the own king.
const TOO_NEAR: i32 = -6;
/// A queen, rook or pawn of the mating side is captured.
const TAKEN_MAIN: i32 = -20;
/// Another piece is captured.
const TAKEN: i32 = -14;
/// The other side gets a queen or rook.
const OTHER_NEW_HEAVY: i32 = -30;
/// The other side gets a minor piece.
const OTHER_NEW_MINOR: i32 = -9;
/// The other side gives check.
const OTHER_CHECKS: i32 = -18;
/// It offers a piece to a pawn that needs a capture.
const OFFERED: i32 = 20;
/// Its king moves a step nearer to the edge.
const TO_EDGE: i32 = 7;
/// Its king moves a step nearer to a corner.
const TO_CORNER: i32 = 2;
/// Its king has one flight square less.
const FLIGHT: i32 = 3;
/// One of its own pieces goes beside the king.
const INTO_RING: i32 = 4;
/// One of its own pieces leaves the king's side.
const OUT_OF_RING: i32 = -5;
/// Its king moves a step nearer to the other king.
const KINGS_NEARER: i32 = 4;
/// How many squares beside a king one piece can cover at most while it gives check.
const MOST_COVERED: usize = 6;

/// All roles but the king.
const PIECES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// Returns the pinned pieces of the side to move.
fn pinned(board: &Board, king: Square, them: Bitboard) -> Bitboard {
    let snipers = rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let occupied = board.occupied();
    (snipers & them)
        .into_iter()
        .map(|sniper| between(king, sniper) & occupied)
        .filter(|shield| !shield.more_than_one())
        .fold(Bitboard::EMPTY, |all, shield| all | shield)
}

/// Returns the squares that a pawn can go to, without en passant.
fn pawn_targets(color: Color, pawn: Square, occupied: Bitboard, them: Bitboard) -> Bitboard {
    let from = Bitboard::from_square(pawn);
    sets::pushes(color, from, occupied) | pawn_attacks(color, pawn) & them
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

    fn by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => Bitboard::EMPTY,
        }
    }
}

/// Returns the squares on which a pawn of a side could capture, if the side needs a promotion, has
/// only pawns and none of them can advance.
fn wanted(board: &Board, side: Color) -> Bitboard {
    let pawns = board.by_color(side) & board.pawns();
    let needs_no_pawn = board.by_color(side).intersects(board.rooks_and_queens());
    if needs_no_pawn || sets::pushes(side, pawns, board.pawns()).any() {
        return Bitboard::EMPTY;
    }
    sets::by_pawns(side, pawns)
}

/// How many squares beside a king a piece covers, on an empty board.
static COVER: LazyLock<Cover> = LazyLock::new(Cover::all);

struct Cover([[[u8; 64]; 64]; 7]);

impl Cover {
    fn all() -> Self {
        let mut table = [[[0; 64]; 64]; 7];
        for (role, kings) in Role::ALL.into_iter().zip(table.iter_mut().skip(1)) {
            for (king, row) in Square::ALL.into_iter().zip(kings) {
                for (from, covered) in Square::ALL.into_iter().zip(row) {
                    let piece = role.of(Color::White);
                    let seen = attacks(from, piece, Bitboard::EMPTY) & king_attacks(king);
                    *covered = seen.count() as u8;
                }
            }
        }
        Self(table)
    }

    /// The numbers for a piece of this kind beside this king, from every square.
    fn of(&self, role: Role, king: Square) -> Option<&[u8; 64]> {
        self.0.get(role as usize)?.get(king as usize)
    }
}

fn covers(cover: &[u8; 64], from: Square) -> i32 {
    cover.get(from as usize).copied().map_or(0, i32::from)
}

/// The preferences of the mating side: its pieces and its king near the other king, and new queens.
pub(super) struct Own<'a> {
    position: &'a Chess,
    color: Color,
    occupied: Bitboard,
    us: Bitboard,
    them: Bitboard,
    pinned: Bitboard,
    is_check: bool,
    king: Square,
    own_king: Square,
    ring: Bitboard,
    /// The squares to which the king could go.
    flights: Bitboard,
    has_heavy: bool,
    checks: Checks,
}

impl<'a> Own<'a> {
    pub(super) fn of(position: &'a Chess) -> Self {
        let (color, board) = (position.turn(), position.board());
        let king = board.king_of(color.other()).unwrap_or(Square::A1);
        let own_king = board.king_of(color).unwrap_or(Square::A1);
        let ring = king_attacks(king);
        let (us, them, occupied) = (position.us(), position.them(), board.occupied());
        Self {
            position,
            color,
            occupied,
            us,
            them,
            pinned: pinned(board, own_king, them),
            is_check: position.is_check(),
            king,
            own_king,
            ring,
            flights: ring & !them & !attacked(board, color, king),
            has_heavy: us.intersects(board.rooks_and_queens()),
            checks: Checks::against(board, color.other(), king),
        }
    }

    fn pieces(&self, role: Role) -> Bitboard {
        self.us & self.position.board().by_role(role) & !self.pinned
    }

    fn targets(&self, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => pawn_targets(self.color, from, self.occupied, self.them),
            _ => attacks(from, role.of(self.color), self.occupied) & !self.us,
        }
    }

    /// Returns a move that mates. Only direct checks that cover all flight squares are tried.
    pub(super) fn mate(&self) -> Option<Move> {
        if self.is_check {
            let mut legal = self.position.legal_moves().into_iter();
            return legal.find(|&candidate| {
                let role = candidate.promotion().unwrap_or(candidate.role());
                self.checks.by(role).contains(candidate.to()) && self.is_mate(candidate)
            });
        }
        if self.flights.count() > MOST_COVERED {
            return None;
        }
        PIECES.into_iter().rev().find_map(|role| {
            let last = if role == Role::Pawn {
                Bitboard::BACKRANKS
            } else {
                Bitboard::EMPTY
            };
            let checks = self.checks.by(role) | last;
            let mut pieces = self.pieces(role).into_iter();
            pieces.find_map(|from| {
                let to = self.targets(role, from) & checks;
                to.any().then(|| self.mate_with(role, from, to)).flatten()
            })
        })
    }

    fn mate_with(&self, role: Role, from: Square, targets: Bitboard) -> Option<Move> {
        let occupied = self.occupied & !Bitboard::from_square(self.king);
        for to in targets {
            let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
            let becomes = if promotes { Role::Queen } else { role };
            if !self.checks.by(becomes).contains(to) {
                continue;
            }
            let covered = attacks(to, becomes.of(self.color), occupied);
            if covered.is_superset(self.flights) && !self.is_taken(to) {
                let candidate = Candidate {
                    role,
                    from,
                    to,
                    promotion: promotes.then_some(becomes),
                };
                let candidate = candidate.written(self.position.board());
                if self.is_mate(candidate) {
                    return Some(candidate);
                }
            }
        }
        None
    }

    /// Returns whether a piece of the other side, except its king, could capture on a square.
    fn is_taken(&self, to: Square) -> bool {
        let board = self.position.board();
        let takers = board.attacks_to(to, self.color.other(), self.occupied);
        takers.intersects(!board.kings())
    }

    fn is_mate(&self, candidate: Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(candidate);
        after.is_checkmate()
    }

    pub(super) fn choose(&self, best: &mut Best<'_>) {
        if !self.is_check {
            self.offer_king(best);
            self.offer_pieces(best);
        }
        if best.is_none() {
            best.offer_all(self.position, |candidate, _| match candidate.role {
                Role::King => self.score_of_king(candidate.to),
                _ => self.score(candidate, self.cover(candidate.role)),
            });
        }
    }

    fn cover(&self, role: Role) -> &'static [u8; 64] {
        COVER.of(role, self.king).unwrap_or(&[0; 64])
    }

    fn offer_pieces(&self, best: &mut Best<'_>) {
        self.offer_pawns(best);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let cover = self.cover(role);
            for from in self.pieces(role) {
                let before = covers(cover, from);
                for to in self.targets(role, from) {
                    // Most moves are left out by this test alone.
                    let gain = PIECE_COVERS * (covers(cover, to) - before);
                    if best.could_be(gain + PIECE_TAKES) {
                        let candidate = Candidate {
                            role,
                            from,
                            to,
                            promotion: None,
                        };
                        best.offer(self.score(candidate, cover), candidate);
                    }
                }
            }
        }
    }

    fn offer_pawns(&self, best: &mut Best<'_>) {
        let cover = self.cover(Role::Pawn);
        for from in self.pieces(Role::Pawn) {
            for to in self.targets(Role::Pawn, from) {
                let promotes = Bitboard::BACKRANKS.contains(to);
                let candidate = Candidate {
                    role: Role::Pawn,
                    from,
                    to,
                    promotion: promotes.then_some(Role::Queen),
                };
                best.offer(self.score(candidate, cover), candidate);
            }
        }
    }

    /// Offers the king's moves. Whether a move is safe is tested only if the move would be the
    /// best.
    fn offer_king(&self, best: &mut Best<'_>) {
        let board = self.position.board();
        let without = self.occupied & !Bitboard::from_square(self.own_king);
        for to in king_attacks(self.own_king) & !self.us & !self.ring {
            let score = self.score_of_king(to);
            if !best.could_be(score) || board.attacks_to(to, self.color.other(), without).any() {
                continue;
            }
            let candidate = Candidate {
                role: Role::King,
                from: self.own_king,
                to,
                promotion: None,
            };
            best.offer(score, candidate);
        }
    }

    fn score_of_king(&self, to: Square) -> i32 {
        let closer = distance(self.own_king, self.king) - distance(to, self.king);
        let weight = if self.has_heavy {
            KING_NEARER_WITH_HEAVY
        } else {
            KING_NEARER
        };
        let takes = if self.them.contains(to) {
            PIECE_TAKES
        } else {
            0
        };
        weight * closer + takes
    }

    fn score(&self, candidate: Candidate, cover: &[u8; 64]) -> i32 {
        let Candidate { role, from, to, .. } = candidate;
        let mut score = match candidate.promotion {
            Some(Role::Queen) => NEW_QUEEN,
            Some(_) => NEW_PIECE,
            None => 0,
        };
        score += match role {
            Role::Pawn if self.has_heavy => PAWN_COVERS * covers(cover, to),
            Role::Pawn => {
                let rank = to.rank() as i32;
                PAWN_MOVES + RANK_OF_PAWN * self.color.fold_wb(rank, 7 - rank)
            }
            _ => PIECE_COVERS * (covers(cover, to) - covers(cover, from)),
        };
        if self.them.contains(to) {
            score += if role == Role::Pawn {
                PAWN_TAKES
            } else {
                PIECE_TAKES
            };
        }
        if self.ring.contains(to) && !king_attacks(self.own_king).contains(to) {
            score += TOO_NEAR;
        }
        score
    }
}

/// The preferences of the side to be mated: its king at the edge with its own pieces around it, and
/// no piece in the way.
pub(super) struct Other<'a> {
    position: &'a Chess,
    king: Square,
    own_king: Square,
    us: Bitboard,
    them: Bitboard,
    ring: Bitboard,
    /// The squares on which a capture is wanted.
    wanted: Bitboard,
    attacked: Bitboard,
    /// The squares that are neither attacked nor occupied by a piece of its own.
    free: Bitboard,
}

impl<'a> Other<'a> {
    pub(super) fn of(position: &'a Chess) -> Self {
        let (board, side) = (position.board(), position.turn().other());
        let king = board.king_of(side.other()).unwrap_or(Square::A1);
        let (us, them) = (position.us(), position.them());
        let attacked = attacked(board, side, king);
        Self {
            position,
            king,
            own_king: board.king_of(side).unwrap_or(Square::A1),
            us,
            them,
            ring: king_attacks(king),
            wanted: wanted(board, side),
            attacked,
            free: !attacked & !(us & !Bitboard::from_square(king)),
        }
    }

    pub(super) fn choose(&self, best: &mut Best<'_>) {
        let from_flights = (self.ring & self.free).count() as i32;
        for to in self.ring & self.free {
            let candidate = Candidate {
                role: Role::King,
                from: self.king,
                to,
                promotion: None,
            };
            let takes = self.taken(to);
            best.offer(takes + self.score_of_king(to, from_flights), candidate);
        }
        let is_check = self.attacked.contains(self.king);
        if !is_check && (self.wanted.any() || best.could_be(INTO_RING)) {
            self.offer_pieces(best);
        }
        if best.is_none() {
            let checks = self.checks();
            best.offer_all(self.position, |candidate, is_capture| {
                let takes = if is_capture {
                    self.taken(candidate.to)
                } else {
                    0
                };
                takes + self.score(candidate, &checks)
            });
        }
    }

    fn checks(&self) -> Checks {
        let side = self.position.turn().other();
        Checks::against(self.position.board(), side, self.own_king)
    }

    fn offer_pieces(&self, best: &mut Best<'_>) {
        let (board, color) = (self.position.board(), self.position.turn());
        let checks = self.checks();
        let free = self.us & !pinned(board, self.king, self.them);
        let quiet = !self.them & !Bitboard::BACKRANKS;
        for role in PIECES {
            let unwanted = if role == Role::Pawn {
                !quiet
            } else {
                self.them
            };
            let unwanted = unwanted | checks.by(role);
            for from in free & board.by_role(role) {
                let targets = match role {
                    Role::Pawn => pawn_targets(color, from, board.occupied(), self.them),
                    _ => attacks(from, role.of(color), board.occupied()) & !self.us,
                };
                let targets = targets & !unwanted;
                let good = targets & (self.ring | self.wanted);
                // All other squares are equally good, so one is enough.
                for to in good.into_iter().chain((targets & !good).first()) {
                    let candidate = Candidate {
                        role,
                        from,
                        to,
                        promotion: None,
                    };
                    best.offer(self.score(candidate, &checks), candidate);
                }
            }
        }
    }

    fn taken(&self, to: Square) -> i32 {
        let board = self.position.board();
        if !self.them.contains(to) {
            0
        } else if (board.rooks_and_queens() | board.pawns()).contains(to) {
            TAKEN_MAIN
        } else {
            TAKEN
        }
    }

    fn score_of_king(&self, to: Square, from_flights: i32) -> i32 {
        let from = self.king;
        let edges =
            TO_EDGE * (to_edge(from) - to_edge(to)) + TO_CORNER * (to_corner(from) - to_corner(to));
        let flights = (king_attacks(to) & self.free).count() as i32;
        let near = KINGS_NEARER * (distance(from, self.own_king) - distance(to, self.own_king));
        edges + FLIGHT * (from_flights - flights) + near
    }

    fn score(&self, candidate: Candidate, checks: &Checks) -> i32 {
        if self.wanted.contains(candidate.to) {
            return OFFERED;
        }
        let mut score = match candidate.promotion {
            Some(Role::Queen | Role::Rook) => OTHER_NEW_HEAVY,
            Some(_) => OTHER_NEW_MINOR,
            None => 0,
        };
        if checks
            .by(candidate.promotion.unwrap_or(candidate.role))
            .contains(candidate.to)
        {
            score += OTHER_CHECKS;
        }
        if self.ring.contains(candidate.to) {
            score += INTO_RING;
        }
        if self.ring.contains(candidate.from) {
            score += OUT_OF_RING;
        }
        score
    }
}

/// Returns the squares that a side attacks when the other king is removed.
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

/// How many moves a king needs from one square to another.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    a.distance(b) as i32
}

fn edges(square: Square) -> (i32, i32) {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    (file.min(7 - file), rank.min(7 - rank))
}

/// How many steps a square is from the nearest edge of the board.
fn to_edge(square: Square) -> i32 {
    let (file, rank) = edges(square);
    file.min(rank)
}

/// How many steps a square is from the nearest corner.
fn to_corner(square: Square) -> i32 {
    let (file, rank) = edges(square);
    file.max(rank)
}
