//! The position as it is: a legal one where possible, else a bare placement. Legality is known
//! here, and told to nobody but the arbiter.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, Piece, Position as _, Rank, Role,
    Setup, Square,
};

use annexd_laws as laws;
use annexd_laws::WhyIllegal;
use annexd_laws::notation::{Announcement, Castling, MoveAnnouncement};

/// A placement with the side to move and, as far as known, castling rights and counters.
#[derive(Clone, Debug)]
pub(super) enum Position {
    /// A legal position, in which moves can be judged.
    Legal(Box<Chess>),
    /// Not a position of chess, or one of unknown origin.
    Free(Box<Setup>),
}

/// A move as it was made, complete in form, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A piece moves; whatever stood on the target square is captured.
    Piece {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    /// King and rook go to their castled squares.
    Castling(CastlingSide),
}

impl Step {
    /// The square of the new piece, if a pawn is promoted.
    pub(super) const fn promotes_on(self) -> Option<Square> {
        match self {
            Self::Piece {
                to,
                promotion: Some(_),
                ..
            } => Some(to),
            _ => None,
        }
    }
}

/// What an announcement means on a board, judged only by the pieces that stand on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// A complete step.
    Step(Step),
    /// The origin was not said, and not exactly one such piece stands on the board.
    OriginUnsaid,
    /// A pawn reaches this square on the last rank, and the new piece was not named (D.2.1).
    PromotionUnsaid(Square),
}

impl Position {
    pub(super) fn new(setup: Setup) -> Self {
        match laws::position_of(&setup) {
            Ok(chess) => Self::Legal(Box::new(chess)),
            Err(_) => Self::Free(Box::new(setup)),
        }
    }

    pub(super) fn board(&self) -> &Board {
        match self {
            Self::Legal(chess) => chess.board(),
            Self::Free(setup) => &setup.board,
        }
    }

    pub(super) fn turn(&self) -> Color {
        match self {
            Self::Legal(chess) => chess.turn(),
            Self::Free(setup) => setup.turn,
        }
    }

    pub(super) fn chess(&self) -> Option<&Chess> {
        match self {
            Self::Legal(chess) => Some(chess),
            Self::Free(_) => None,
        }
    }

    pub(super) fn setup(&self) -> Setup {
        match self {
            Self::Legal(chess) => laws::setup_of(chess),
            Self::Free(setup) => (**setup).clone(),
        }
    }

    /// The legal move that a step is, if it is legal.
    pub(super) fn legal(&self, step: Step) -> Option<Move> {
        let chess = self.chess()?;
        match step {
            Step::Castling(side) => chess
                .legal_moves()
                .into_iter()
                .find(|legal| legal.castling_side() == Some(side)),
            Step::Piece {
                from,
                to,
                promotion,
            } => {
                let role = chess.board().role_at(from)?;
                let matches = |legal: &Move| {
                    legal.from() == Some(from)
                        && legal.to() == to
                        && !legal.is_castle()
                        && legal.promotion() == promotion
                };
                if role == Role::King {
                    return chess.legal_moves().into_iter().find(matches);
                }
                chess.san_candidates(role, to).into_iter().find(matches)
            }
        }
    }

    /// Why a step is certainly illegal in a position that is not one of chess, such as one in which
    /// a king was left in check. No own piece moves, it captures its own piece or a king, it cannot
    /// go there, or it leaves its king attacked (1.4, 3.1 to 3.9).
    pub(super) fn plainly_illegal(&self, step: Step) -> Option<WhyIllegal> {
        let Step::Piece { from, to, .. } = step else {
            return None;
        };
        let (board, side) = (self.board(), self.turn());
        let piece = match board.piece_at(from) {
            None => return Some(WhyIllegal::NoPiece),
            Some(piece) if piece.color != side => return Some(WhyIllegal::OpponentsPiece),
            Some(piece) => piece,
        };
        let taken = board.piece_at(to);
        match taken {
            Some(taken) if taken.color == side => return Some(WhyIllegal::OwnPieceThere),
            Some(taken) if taken.role == Role::King => return Some(WhyIllegal::KingCaptured),
            _ => {}
        }
        let goes_there = if piece.role == Role::Pawn && from.file() == to.file() {
            let steps = to.rank() as i32 - from.rank() as i32;
            let forward = side.fold_wb(1, -1);
            let home = side.fold_wb(Rank::Second, Rank::Seventh);
            let free = (shakmaty::attacks::between(from, to) & board.occupied()).is_empty();
            let far = steps == forward || steps == 2 * forward && from.rank() == home;
            taken.is_none() && far && free
        } else {
            shakmaty::attacks::attacks(from, piece, board.occupied()).contains(to)
        };
        if !goes_there {
            return Some(WhyIllegal::CannotGoThere);
        }
        let after = self.stepped(step);
        let after = after.board();
        let is_attacked = after
            .king_of(side)
            .is_none_or(|king| after.attacks_to(king, !side, after.occupied()).any());
        is_attacked.then_some(WhyIllegal::KingInCheck)
    }

    /// The position after a legal move.
    pub(super) fn played(&self, legal: Move) -> Self {
        match self {
            Self::Legal(chess) => {
                let mut chess = chess.clone();
                chess.play_unchecked(legal);
                Self::Legal(chess)
            }
            Self::Free(_) => self.clone(),
        }
    }

    /// The position after a step, legal or not.
    pub(super) fn after(&self, step: Step) -> Self {
        match self.legal(step) {
            Some(legal) => self.played(legal),
            None => self.stepped(step),
        }
    }

    /// The position after a step that is illegal or cannot be judged.
    pub(super) fn stepped(&self, step: Step) -> Self {
        let mut setup = self.setup();
        let side = setup.turn;
        let quiet = match step {
            Step::Piece {
                from,
                to,
                promotion,
            } => put(&mut setup.board, from, to, promotion),
            Step::Castling(castling) => {
                castle(&mut setup.board, side, castling);
                true
            }
        };
        setup.ep_square = None;
        setup.halfmoves = if quiet {
            setup.halfmoves.saturating_add(1)
        } else {
            0
        };
        keep_possible_rights(&mut setup);
        pass_turn(&mut setup);
        Self::new(setup)
    }

    /// The same turn and rights with another placement, as the arbiter has set it up.
    pub(super) fn with_board(&self, board: Board) -> Self {
        let mut setup = self.setup();
        setup.board = board;
        setup.ep_square = None;
        Self::new(setup)
    }

    /// The same position with these castling rights and no others.
    pub(super) fn with_castling(&self, rights: Bitboard) -> Self {
        let mut setup = self.setup();
        setup.castling_rights = rights;
        Self::new(setup)
    }

    /// The step of the legal move that leads to another position.
    pub(super) fn step_to(&self, after: &Setup) -> Option<Step> {
        let legal = self
            .chess()?
            .legal_moves()
            .into_iter()
            .find(|&legal| self.played(legal).board() == &after.board)?;
        Some(match legal.castling_side() {
            Some(side) => Step::Castling(side),
            None => Step::Piece {
                from: legal.from()?,
                to: legal.to(),
                promotion: legal.promotion(),
            },
        })
    }

    /// The squares that the step changes.
    pub(super) fn squares_of(&self, step: Step) -> Bitboard {
        changed(self.board(), self.after(step).board())
    }
}

/// The squares on which two placements differ.
pub(super) fn changed(one: &Board, other: &Board) -> Bitboard {
    let mut squares = (one.white() ^ other.white()) | (one.black() ^ other.black());
    for role in Role::ALL {
        squares |= one.by_role(role) ^ other.by_role(role);
    }
    squares
}

/// A king's two squares from its first square towards an unmoved rook. Such words can only mean
/// castling (C.13, as devices and some people write it), so players, game and scores all take them
/// for castling. Legality plays no part.
pub(super) fn as_castling(said: &Announcement, side: Color, board: &Board) -> Option<Castling> {
    let Announcement::Move(words) = said else {
        return None;
    };
    let castling = words.castles_as_king()?;
    let is_own = words.from == board.king_of(side);
    (is_own && stand_to_castle(castling, side, board)).then_some(Castling {
        side: castling,
        mark: words.mark,
    })
}

/// Whether a king and a rook stand where they stood at the beginning. Whether they may castle is
/// another question.
pub(super) fn stand_to_castle(castling: CastlingSide, side: Color, board: &Board) -> bool {
    let rank = side.fold_wb(Rank::First, Rank::Eighth);
    let rook = Square::from_coords(first_file(castling), rank);
    board.king_of(side) == Some(Square::from_coords(File::E, rank))
        && board.piece_at(rook) == Some(side.rook())
}

/// What an announcement means on the mover's own board. Pieces are only counted: which of them can
/// reach the square plays no part, so nothing is revealed about legality. `lifted` is the square
/// that an own piece has left since the turn began, if the board shows it.
pub(super) fn resolve(
    said: &Announcement,
    side: Color,
    board: &Board,
    lifted: Option<Square>,
) -> Resolved {
    let said = match said {
        Announcement::Castling(castling) => {
            return Resolved::Step(Step::Castling(castling.side));
        }
        Announcement::Move(said) => said,
    };
    let Some(from) = said.from.or(lifted).or_else(|| only_one(said, side, board)) else {
        return Resolved::OriginUnsaid;
    };
    let is_pawn = match said.piece {
        Some(role) => role == Role::Pawn,
        None => board.role_at(from).is_none_or(|role| role == Role::Pawn),
    };
    let last_rank = side.fold_wb(Rank::Eighth, Rank::First);
    if is_pawn && said.to.rank() == last_rank && said.promotion.is_none() {
        return Resolved::PromotionUnsaid(said.to);
    }
    Resolved::Step(Step::Piece {
        from,
        to: said.to,
        promotion: said.promotion,
    })
}

/// The first file of the castling rook, in a game that began from the usual array.
const fn first_file(castling: CastlingSide) -> File {
    match castling {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    }
}

fn only_one(said: &MoveAnnouncement, side: Color, board: &Board) -> Option<Square> {
    let role = said.piece.unwrap_or(Role::Pawn);
    let pieces = board.by_piece(Piece { color: side, role });
    pieces.single_square()
}

fn pass_turn(setup: &mut Setup) {
    if setup.turn.is_black() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.turn = !setup.turn;
}

/// Moves a piece. Returns whether that was neither a capture nor a pawn move.
fn put(board: &mut Board, from: Square, to: Square, promotion: Option<Role>) -> bool {
    let Some(piece) = board.remove_piece_at(from) else {
        return true;
    };
    let is_pawn = piece.role == Role::Pawn;
    let is_capture = board.piece_at(to).is_some();
    if is_pawn && !is_capture && from.file() != to.file() {
        // Announced and made like an en passant capture: the pawn beside it is removed.
        let beside = Square::from_coords(to.file(), from.rank());
        if board.piece_at(beside)
            == Some(Piece {
                color: !piece.color,
                role: Role::Pawn,
            })
        {
            board.discard_piece_at(beside);
        }
    }
    let role = promotion.unwrap_or(piece.role);
    board.set_piece_at(to, Piece { role, ..piece });
    !is_pawn && !is_capture
}

/// Puts king and rook on their castled squares, if they are there.
fn castle(board: &mut Board, side: Color, castling: CastlingSide) {
    let Some(king) = board.king_of(side) else {
        return;
    };
    let rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
    let mut rooks = (board.by_piece(side.rook()) & rank).into_iter();
    let rook = match castling {
        CastlingSide::KingSide => rooks.rfind(|&rook| rook > king),
        CastlingSide::QueenSide => rooks.find(|&rook| rook < king),
    };
    board.discard_piece_at(king);
    if let Some(rook) = rook {
        board.discard_piece_at(rook);
        board.set_piece_at(castling.rook_to(side), side.rook());
    }
    board.set_piece_at(castling.king_to(side), side.king());
}

/// Removes the castling rights whose king or rook is no longer on its first square.
fn keep_possible_rights(setup: &mut Setup) {
    for side in Color::ALL {
        let rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
        let king_at_home = setup.board.king_of(side).is_some_and(|king| {
            rank.contains(king) && (king.file() != File::A && king.file() != File::H)
        });
        setup.castling_rights &= !rank | setup.board.by_piece(side.rook());
        if !king_at_home {
            setup.castling_rights &= !rank;
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn position(fen: &str) -> Position {
        Position::new(fen.parse::<Fen>().unwrap().into_setup())
    }

    fn said(piece: Option<Role>, to: Square) -> Announcement {
        Announcement::Move(MoveAnnouncement {
            piece,
            from: None,
            to,
            capture: false,
            promotion: None,
            mark: None,
        })
    }

    #[test]
    fn an_unsaid_origin_is_found_only_by_counting() {
        let two = position("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1");
        let knight = said(Some(Role::Knight), Square::F3);
        let of = |position: &Position| resolve(&knight, Color::White, position.board(), None);
        assert_eq!(of(&two), Resolved::OriginUnsaid);
        // The only knight cannot go there. That makes no difference.
        let one = position("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1");
        let step = Step::Piece {
            from: Square::B1,
            to: Square::F3,
            promotion: None,
        };
        assert_eq!(of(&one), Resolved::Step(step));
    }

    #[test]
    fn an_illegal_step_is_held_as_it_is() {
        let start = position("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1");
        let step = Step::Piece {
            from: Square::B1,
            to: Square::B8,
            promotion: None,
        };
        assert_eq!(start.legal(step), None);
        let after = start.stepped(step);
        assert_eq!(
            after.board().piece_at(Square::B8),
            Some(Color::White.knight())
        );
        assert_eq!(after.turn(), Color::Black);
    }

    #[test]
    fn a_pawn_on_the_last_rank_needs_its_new_piece_named() {
        let start = position("4k3/6P1/8/8/8/8/8/4K3 w - - 0 1");
        let pawn = said(None, Square::G8);
        let resolved = resolve(&pawn, Color::White, start.board(), None);
        assert_eq!(resolved, Resolved::PromotionUnsaid(Square::G8));
    }
}
