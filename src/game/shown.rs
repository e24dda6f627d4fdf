//! What the boards show, and what the words mean on them. Nothing here changes anything.

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, CastlingSide, Color, Role, Square};

use super::Game;
use super::position::{Position, Resolved, Step, changed, resolve};
use super::profile::{Mode, Sensors};
use annexd_laws::PromotionMade;
use annexd_laws::notation::{Announcement, MoveAnnouncement};

/// An unmet condition of D.2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// The move was not announced (D.2.3.3).
    Announcement,
    /// The piece was not put into its new hole (D.2.3.2).
    Placement,
    /// The captured piece was not removed (D.2.3.1).
    Removal,
    /// The promoted pawn was not removed (4.7.3).
    Pawn,
}

impl Game {
    /// Whether king and rook have changed places, each taken out of its hole and put into the
    /// other's. The holes look as before, and the announced castling stands (F.3).
    pub(super) fn has_swapped(&self, board: Color) -> bool {
        let words = self
            .course
            .moving()
            .complete_words()
            .map(|words| words.said());
        let is_castling = matches!(words, Some(Announcement::Castling(_)));
        let (true, Some(after)) = (
            is_castling && board == self.course.moving().side && self.holds("F.3"),
            self.announced_placement(),
        ) else {
            return false;
        };
        let was_lifted = |square| {
            let mut touched = self.course.moving().hands.touched.iter();
            touched.any(|touch| touch.square == square)
        };
        let mut swapped = changed(&after, self.course.board()).into_iter();
        after.occupied() == self.course.board().occupied() && swapped.all(was_lifted)
    }

    /// Whether the opponent's last move still has to be executed on this player's board.
    pub(super) fn owes_execution(&self, side: Color) -> bool {
        self.profile.two_boards
            && self
                .course
                .last()
                .is_some_and(|play| play.moving.side != side && !play.moving.executed)
            && self.course.turn() == side
    }

    pub(super) fn squares_to_execute(&self, side: Color) -> Bitboard {
        match self.course.last() {
            Some(play) if self.owes_execution(side) => {
                changed(play.before.board(), self.course.board())
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether the opponent's move is being executed on this board. Then taking out any peg is no
    /// touch (D.2.2, trap 66).
    pub(super) fn is_executing(&self, side: Color) -> bool {
        let squares = self.squares_to_execute(side);
        let before = self.course.last().map(|play| play.before.board());
        before.is_some_and(|before| {
            let begun = changed(self.boards.placement(side), before);
            !(begun & squares).is_empty()
        })
    }

    /// The placement after the announced move being made, legal or not.
    pub(super) fn announced_placement(&self) -> Option<Board> {
        let step = self.announced_step()?;
        let after = match self.course.position().legal(step) {
            Some(legal) => self.course.position().played(legal),
            None => self.course.position().stepped(step),
        };
        Some(after.board().clone())
    }

    pub(super) fn announced_step(&self) -> Option<Step> {
        let words = self.course.moving().complete_words()?;
        match self.resolve_words(words.said()) {
            Resolved::Step(step) => Some(step),
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => None,
        }
    }

    /// The squares of the announced move being made, or else of the last one made. Boards that
    /// cannot tell pieces apart need it as a second source, and some show it.
    pub fn announced_move(&self) -> Option<UciMove> {
        let (side, step, before) = match self.announced_step() {
            Some(step) => (self.course.moving().side, step, self.course.board()),
            None => {
                let play = self
                    .course
                    .last()
                    .filter(|play| play.moving.words.is_some())?;
                (play.moving.side, play.step, play.before.board())
            }
        };
        Some(match step {
            Step::Piece {
                from,
                to,
                promotion,
            } => UciMove::Normal {
                from,
                to,
                promotion,
            },
            Step::Castling(castling) => UciMove::Normal {
                from: before.king_of(side)?,
                to: castling.king_to(side),
                promotion: None,
            },
        })
    }

    /// What an announcement of the side to move means on its own board.
    pub(super) fn resolve_words(&self, said: &Announcement) -> Resolved {
        let side = self.course.moving().side;
        if self.is_guided()
            && let Some(from) = self.only_legal_origin(said)
        {
            return resolve(said, side, self.course.board(), Some(from));
        }
        let lifted = self.lifted_for(said);
        resolve(said, side, self.course.board(), lifted)
    }

    /// The one square that the mover's own board gives for an unsaid origin.
    pub(super) fn lifted_for(&self, said: &Announcement) -> Option<Square> {
        let Announcement::Move(said) = said else {
            return None;
        };
        let side = self.course.moving().side;
        if self.sensors(side) == Sensors::None {
            return None;
        }
        let before = self.course.board();
        let mut left = self.boards.of(side).left(side, before);
        // Something that stands elsewhere than announced is another move.
        let arrived = self.boards.of(side).arrived(side, before);
        if !arrived.is_empty() && !arrived.contains(said.to) && self.holds("D.2.8") {
            return None;
        }
        if let Some(role) = said.piece {
            left &= before.by_role(role);
        }
        left.single_square()
    }

    /// Whether recognition may use legality: always in practice, in club games if agreed, never in
    /// rated games.
    pub(super) const fn is_guided(&self) -> bool {
        match self.profile.mode {
            Mode::Practice => true,
            Mode::Club => self.profile.guided,
            Mode::Rated => false,
        }
    }

    pub(super) fn only_legal_origin(&self, said: &Announcement) -> Option<Square> {
        let Announcement::Move(said) = said else {
            return None;
        };
        if said.from.is_some() {
            return None;
        }
        let chess = self.course.position().chess()?;
        let role = said.piece.unwrap_or(Role::Pawn);
        let moves = shakmaty::Position::san_candidates(chess, role, said.to);
        let first = moves.first()?.from()?;
        moves
            .iter()
            .all(|legal| legal.from() == Some(first))
            .then_some(first)
    }

    /// Whether the last mover's board differs from his announcement.
    pub(super) fn board_contradicts_words(&self, side: Color) -> bool {
        self.sensors(side) != Sensors::None && self.boards.differs(side, self.course.board())
    }

    /// The move that the mover's own board plainly shows, if any.
    pub(super) fn shown_step(&self) -> Option<Step> {
        self.step_shown(self.course.moving().side, self.course.position())
    }

    pub(super) fn step_shown(&self, side: Color, position: &Position) -> Option<Step> {
        if self.sensors(side) == Sensors::None {
            return None;
        }
        if let Some(castling) = self.castling_shown(side, position) {
            return Some(Step::Castling(castling));
        }
        let before = position.board();
        let board = self.boards.of(side);
        let (arrived, left) = (board.arrived(side, before), board.left(side, before));
        if let (Some(to), Some(from)) = (arrived.single_square(), left.single_square()) {
            let (was, is) = (before.role_at(from)?, board.placement().role_at(to)?);
            let promotion = (was == Role::Pawn && is != Role::Pawn).then_some(is);
            return Some(Step::Piece {
                from,
                to,
                promotion,
            });
        }
        let king = (arrived & board.placement().kings()).single_square()?;
        let had_king = before.king_of(side)?;
        let is_castling = arrived.count() == 2 && left.count() == 2;
        is_castling
            .then(|| Step::Castling(CastlingSide::from_king_side(king.file() > had_king.file())))
    }

    /// Recognises castling in Chess960 by the final squares of king and rook. One of them may stay,
    /// or both change places (F.3). No other move ends so.
    pub(super) fn castling_shown(&self, side: Color, before: &Position) -> Option<CastlingSide> {
        let is_shown = |castling: &CastlingSide| {
            before.after(Step::Castling(*castling)).board() == self.boards.placement(side)
        };
        let may_be = self.profile.chess960 && self.holds("F.3");
        CastlingSide::ALL
            .into_iter()
            .filter(|_| may_be && before.board() != self.boards.placement(side))
            .find(is_shown)
    }

    /// Whether a piece was put into another hole (D.2.3.2). Announced castling needs both pieces.
    pub(super) fn is_placed(&self) -> bool {
        let side = self.course.moving().side;
        let before = self.course.board();
        let board = self.boards.of(side);
        let arrived = board.arrived(side, before) & !self.squares_to_execute(side);
        if arrived.is_empty() || board.gone(side, before) > 0 {
            return false;
        }
        match self
            .course
            .moving()
            .complete_words()
            .map(|words| words.said())
        {
            Some(Announcement::Castling(_)) => {
                // In Chess960 the king or the rook may stay where it is.
                arrived.count() >= 2 || self.profile.chess960 && self.holds("F.3")
            }
            _ => true,
        }
    }

    /// Whether a captured piece has still to be removed from the mover's own board (D.2.3.1). This
    /// applies only if a capture was announced or the target square was occupied.
    pub(super) fn is_removal_owed(&self) -> bool {
        let side = self.course.moving().side;
        let before = self.course.board();
        let said = match self
            .course
            .moving()
            .complete_words()
            .map(|words| words.said())
        {
            Some(Announcement::Move(said)) => {
                said.capture || before.by_color(!side).contains(said.to)
            }
            _ => false,
        };
        let arrived = self.boards.of(side).arrived(side, before) & !self.squares_to_execute(side);
        let is_capture = said || !(arrived & before.by_color(!side)).is_empty();
        is_capture && self.boards.of(side).gone(!side, before) == 0
    }

    /// Whether the new piece of an announced promotion stands in its hole and the pawn still in its
    /// own. In whatever order the hands work, the move is made when the holes are as it leaves them
    /// (4.6).
    pub(super) fn new_piece_stands(&self) -> bool {
        let side = self.course.moving().side;
        match self
            .course
            .moving()
            .complete_words()
            .map(|words| words.said())
        {
            Some(Announcement::Move(MoveAnnouncement {
                from: Some(from),
                to,
                promotion: Some(_),
                ..
            })) => {
                self.sensors(side) == Sensors::Occupancy
                    && self.boards.of(side).may_hold_new_piece(*to)
                    && self.boards.placement(side).by_color(side).contains(*from)
            }
            _ => false,
        }
    }

    /// Whether the promoted pawn still stands on its old square, where the edition says so (4.7.3).
    /// This applies only if a promotion from there was announced.
    pub(super) fn is_pawn_on_board(&self) -> bool {
        let side = self.course.moving().side;
        // A hole sensor cannot tell the new piece from the pawn. The move shows only once the pawn
        // is gone.
        let wants = self.rules.moving.promotion_made == PromotionMade::PieceReleasedPawnOff
            || self.sensors(side) == Sensors::Occupancy;
        match self
            .course
            .moving()
            .complete_words()
            .map(|words| words.said())
        {
            Some(Announcement::Move(MoveAnnouncement {
                from: Some(from),
                promotion: Some(_),
                ..
            })) => wants && self.boards.placement(side).by_color(side).contains(*from),
            _ => false,
        }
    }

    /// What is missing before the move of the side to move is made (D.2.3; for a sighted player
    /// 4.7). Legality plays no part.
    pub(super) fn missing(&self) -> Vec<Missing> {
        let side = self.course.moving().side;
        let mut missing = Vec::new();
        let is_announced = self.course.moving().complete_words().is_some();
        let senses = self.sensors(side) != Sensors::None;
        let is_blind = self.profile.is_visually_disabled(side);
        if is_blind {
            if !is_announced && self.holds("D.2.3.3") {
                missing.push(Missing::Announcement);
            }
            if senses {
                let waits_for_pawn = self.new_piece_stands();
                if !self.is_placed() && !waits_for_pawn && self.holds("D.2.3.2") {
                    missing.push(Missing::Placement);
                }
                if self.is_removal_owed() && !waits_for_pawn && self.holds("D.2.3.1") {
                    missing.push(Missing::Removal);
                }
                if self.is_pawn_on_board() && self.holds("4.7.3") {
                    missing.push(Missing::Pawn);
                }
            } else if !self.course.moving().placed_by_word {
                missing.push(Missing::Placement);
            }
        } else if senses {
            if !(self.course.moving().at_rest && self.is_placed()) {
                missing.push(Missing::Placement);
            }
        } else if !is_announced {
            missing.push(Missing::Announcement);
        }
        missing
    }

    /// The step to be made: as announced, or as a sighted player's board shows it unannounced.
    pub(super) fn step_to_make(&self) -> Option<Step> {
        match self.course.moving().complete_words() {
            Some(words) => match self.resolve_words(words.said()) {
                Resolved::Step(step) => Some(step),
                Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => self.shown_step(),
            },
            None => self.shown_step(),
        }
    }

    /// Whether the opponent's last announced move stands on this player's board; `None` if there is
    /// none to execute.
    pub fn is_executed(&self, board: Color) -> Option<bool> {
        let mover = !board;
        if self.course.turn() == mover {
            self.course
                .moving()
                .complete_words()
                .map(|_| self.course.moving().executed)
        } else {
            let last = self.course.last()?;
            (last.moving.side == mover).then_some(last.moving.executed)
        }
    }

    /// The placements that a board may rightly show: after the moves made, and while the last
    /// announcement is being executed also before or after it.
    pub(super) fn rightful(&self, side: Color) -> Vec<Board> {
        let mut boards = vec![self.course.board().clone()];
        if self.course.turn() != side {
            boards.extend(self.announced_placement());
            let sealed = self.course.last().filter(|play| play.moving.sealed);
            boards.extend(sealed.map(|play| play.before.board().clone()));
        } else if self.owes_execution(side)
            && let Some(play) = self.course.last()
        {
            boards.push(play.before.board().clone());
        }
        boards
    }

    pub(super) fn may_be_moving(&self, side: Color) -> bool {
        self.course.turn() == side
            && (self.course.moving().words.is_some()
                || self.course.moving().hands.adjusting && self.boards.of(side).is_holding(side)
                || !self.course.moving().hands.touched.is_empty()
                // Placing may come before announcing (D.2.3).
                || self.shown_step().is_some())
    }

    /// Whether a board differs although its owner is neither making nor executing a move.
    pub(super) fn differs_at_rest(&self, side: Color) -> bool {
        let shown = self.boards.placement(side);
        self.is_playing()
            && self.sensors(side) != Sensors::None
            && self.holds("D.2.9")
            && !self.may_be_moving(side)
            && self.rightful(side).iter().all(|board| board != shown)
    }
}
