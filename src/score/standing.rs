//! A position within a score: a legal one if possible, or a bare placement.

use std::hash::{DefaultHasher, Hash, Hasher};

use shakmaty::fen::{Fen, LossyFenError};
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move,
    Piece, Position, PositionError, Rank, Role, Setup, Square,
};

use super::entry::Entry;
use super::notated::{Notated, NotatedMove};

/// A position that a score leads to, with the side to move, rights and counters.
///
/// Positions that no legal play can reach are kept as they are. In them every piece can go
/// anywhere, and nothing is judged.
#[derive(Clone, Debug)]
pub struct Standing(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// A position in which moves can be judged.
    Legal(Chess),
    /// A placement that shakmaty does not accept as a position.
    Free(Box<Setup>),
}

/// The meaning of an entry in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One legal move.
    Legal(Move),
    /// Several legal moves.
    Ambiguous(Vec<Move>),
    /// No legal move, but it is clear which piece goes where.
    Illegal(Step),
    /// No legal move, and not even the piece and its square are clear.
    Unplayable,
}

/// A piece that goes from one square to another, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A piece goes, and a piece on the square of arrival is captured.
    Piece {
        /// The square of departure.
        from: Square,
        /// The square of arrival.
        to: Square,
        /// The piece that the pawn becomes.
        promotion: Option<Role>,
    },
    /// King and rook go to their castled squares.
    Castling(CastlingSide),
}

impl Standing {
    /// Makes the position from which a score starts.
    pub fn of(setup: Setup) -> Self {
        let mode = CastlingMode::detect(&setup);
        // A wrong castling right or en passant square must not make a position impossible to judge.
        let accepted = Chess::from_setup(setup.clone(), mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .ok();
        Self(match accepted {
            Some(position) => Kind::Legal(position),
            None => Kind::Free(Box::new(setup)),
        })
    }

    /// The position, if moves can be judged in it.
    pub const fn position(&self) -> Option<&Chess> {
        match &self.0 {
            Kind::Legal(position) => Some(position),
            Kind::Free(_) => None,
        }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        match &self.0 {
            Kind::Legal(position) => position.turn(),
            Kind::Free(setup) => setup.turn,
        }
    }

    /// The placement of the pieces.
    pub fn board(&self) -> &Board {
        match &self.0 {
            Kind::Legal(position) => position.board(),
            Kind::Free(setup) => &setup.board,
        }
    }

    /// Placement, turn, rights and counters.
    pub fn setup(&self) -> Setup {
        match &self.0 {
            Kind::Legal(position) => position.to_setup(EnPassantMode::Legal),
            Kind::Free(setup) => (**setup).clone(),
        }
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        fen_of(self.setup()).to_string()
    }

    /// Returns every legal move that the entry can mean, in a fixed order.
    pub fn meanings(&self, entry: &Entry) -> Vec<Move> {
        let Kind::Legal(position) = &self.0 else {
            return Vec::new();
        };
        let candidates = match &entry.notated {
            Notated::Castling(castling) => position.castling_moves(castling.side),
            Notated::Move(NotatedMove {
                piece: Some(role),
                to,
                ..
            }) if *role != Role::King => match to.square() {
                Some(to) => position.san_candidates(*role, to),
                None => position.legal_moves(),
            },
            Notated::Move(_) => position.legal_moves(),
            Notated::Unreadable | Notated::Blank => return Vec::new(),
        };
        let is_meant = |candidate: &Move| {
            entry.notated.can_mean(*candidate)
                && entry.left.is_none_or(|left| candidate.from() == Some(left))
        };
        // The list has room for 256 moves and is expensive to copy.
        candidates.iter().copied().filter(is_meant).collect()
    }

    /// Returns the meaning of the entry here.
    pub fn read(&self, entry: &Entry) -> Meaning {
        let mut meanings = self.meanings(entry);
        match (meanings.len(), meanings.pop()) {
            (1, Some(only)) => Meaning::Legal(only),
            (0, _) => self
                .step(entry)
                .map_or(Meaning::Unplayable, Meaning::Illegal),
            (_, last) => {
                meanings.extend(last);
                Meaning::Ambiguous(meanings)
            }
        }
    }

    /// A hash that is the same for the same placement, turn, rights and en passant square, whatever
    /// the counters.
    pub fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match &self.0 {
            Kind::Legal(position) => {
                position.board().hash(&mut hasher);
                position.turn().hash(&mut hasher);
                position.castles().castling_rights().hash(&mut hasher);
                position.ep_square(EnPassantMode::Legal).hash(&mut hasher);
            }
            Kind::Free(setup) => {
                setup.board.hash(&mut hasher);
                setup.turn.hash(&mut hasher);
                setup.castling_rights.hash(&mut hasher);
                setup.ep_square.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// Returns the position with the other side to move, for an unknown entry.
    pub fn passed(&self) -> Self {
        let mut setup = self.setup();
        setup.ep_square = None;
        pass_turn(&mut setup);
        Self::of(setup)
    }

    /// Returns the position after a legal move.
    ///
    /// The move must come from [`Standing::meanings`] or [`Standing::read`] of this same position.
    /// In a bare placement only the turn changes.
    pub fn after(&self, played: Move) -> Self {
        match &self.0 {
            Kind::Legal(position) => {
                let mut position = position.clone();
                position.play_unchecked(played);
                Self(Kind::Legal(position))
            }
            Kind::Free(setup) => {
                let mut setup = setup.clone();
                pass_turn(&mut setup);
                Self(Kind::Free(setup))
            }
        }
    }

    /// Returns the position after a step, legal or not.
    pub fn after_step(&self, step: Step) -> Self {
        let mut setup = self.setup();
        let side = setup.turn;
        let pawn_or_capture = match step {
            Step::Piece {
                from,
                to,
                promotion,
            } => put(&mut setup, from, to, promotion),
            Step::Castling(castling) => {
                castle(&mut setup, castling);
                false
            }
        };
        setup.ep_square = None;
        setup.halfmoves = if pawn_or_capture {
            0
        } else {
            setup.halfmoves.saturating_add(1)
        };
        keep_possible_rights(&mut setup, side);
        pass_turn(&mut setup);
        Self::of(setup)
    }

    /// Returns the position after an entry, legal or not. An entry without a meaning passes the
    /// turn, and of several legal moves the first is taken.
    pub fn after_entry(&self, entry: &Entry) -> Self {
        match self.read(entry) {
            Meaning::Legal(played) => self.after(played),
            Meaning::Ambiguous(meanings) => meanings
                .first()
                .map_or_else(|| self.passed(), |&played| self.after(played)),
            Meaning::Illegal(step) => self.after_step(step),
            Meaning::Unplayable => self.passed(),
        }
    }

    /// Returns the step of an entry without a legal meaning, if it is clear.
    fn step(&self, entry: &Entry) -> Option<Step> {
        let side = self.turn();
        let notated = match &entry.notated {
            Notated::Castling(castling) => return Some(Step::Castling(castling.side)),
            Notated::Move(notated) => notated,
            Notated::Unreadable | Notated::Blank => return None,
        };
        let to = notated.to.square()?;
        let own = self.board().by_color(side);
        let mut origins = own & !Bitboard::from_square(to);
        if let Some(role) = notated.piece {
            origins &= self.board().by_role(role);
        }
        let known = entry.left.or(notated.from.square());
        let from = match known {
            Some(from) if origins.contains(from) => from,
            Some(_) => return None,
            None => {
                notated.piece?;
                let mut fitting = origins.into_iter().filter(|&at| notated.from.fits(at));
                let (from, None) = (fitting.next()?, fitting.next()) else {
                    return None;
                };
                from
            }
        };
        Some(Step::Piece {
            from,
            to,
            promotion: notated.promotion,
        })
    }
}

impl PartialEq for Standing {
    fn eq(&self, other: &Self) -> bool {
        self.setup() == other.setup()
    }
}

impl Eq for Standing {}

/// Returns a position as FEN. What FEN cannot hold is left out; no chess board has such a thing.
pub(super) fn fen_of(setup: Setup) -> Fen {
    Fen::try_from_setup(setup).unwrap_or_else(LossyFenError::ignore)
}

fn pass_turn(setup: &mut Setup) {
    if setup.turn.is_black() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.turn = !setup.turn;
}

/// Puts a piece. Returns whether a pawn moved or a piece was captured.
fn put(setup: &mut Setup, from: Square, to: Square, promotion: Option<Role>) -> bool {
    let Some(piece) = setup.board.remove_piece_at(from) else {
        return false;
    };
    let captured = setup.board.piece_at(to).is_some();
    let role = promotion.unwrap_or(piece.role);
    setup.board.set_piece_at(to, Piece { role, ..piece });
    piece.role == Role::Pawn || captured
}

fn castle(setup: &mut Setup, castling: CastlingSide) {
    let side = setup.turn;
    let Some(king) = setup.board.king_of(side) else {
        return;
    };
    let rank = side.fold_wb(Rank::First, Rank::Eighth);
    let rooks = setup.board.by_piece(side.rook()) & Bitboard::from_rank(rank);
    let rook = match castling {
        CastlingSide::KingSide => rooks.into_iter().rfind(|&rook| rook > king),
        CastlingSide::QueenSide => rooks.into_iter().find(|&rook| rook < king),
    };
    setup.board.discard_piece_at(king);
    if let Some(rook) = rook {
        setup.board.discard_piece_at(rook);
        setup
            .board
            .set_piece_at(castling.rook_to(side), side.rook());
    }
    setup
        .board
        .set_piece_at(castling.king_to(side), side.king());
}

/// Removes the castling rights of kings and rooks that are no longer on their first squares.
fn keep_possible_rights(setup: &mut Setup, mover: Color) {
    let rank = Bitboard::from_rank(mover.fold_wb(Rank::First, Rank::Eighth));
    let king_home = setup
        .board
        .king_of(mover)
        .is_some_and(|king| rank.contains(king) && has_king_between_rooks(setup, mover));
    for side in Color::ALL {
        let own_rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
        let rooks = setup.board.by_piece(side.rook());
        setup.castling_rights &= !own_rank | rooks;
    }
    if !king_home {
        setup.castling_rights &= !rank;
    }
}

fn has_king_between_rooks(setup: &Setup, side: Color) -> bool {
    // In the usual array the king must stand on the e-file. In Chess960 the file is unknown here,
    // and the rooks with rights show whether the king can still be on his first square.
    let Some(king) = setup.board.king_of(side) else {
        return false;
    };
    match CastlingMode::detect(setup) {
        CastlingMode::Standard => king.file() == shakmaty::File::E,
        CastlingMode::Chess960 => true,
    }
}
