//! What the pieces touched bind a player to, for the arbiter (4.3 to 4.5, 4.8, D.2.10.5).

use shakmaty::{Chess, Color, Square};

use super::Game;
use super::moving::{Moving, Play};
use super::position::{Position, Step};
use annexd_laws as laws;
use annexd_laws::notation::Announcement;
use annexd_laws::{Bound, Fault, Obligation, Remedy, Touched};
use annexd_phrases::{Argument, PhraseKey};

/// Two pieces lifted within this time: nobody can say which came first (4.3.3).
const UNCLEAR_MS: u64 = 150;

impl Game {
    /// A completed move that the pieces touched before did not allow is the arbiter's matter, and
    /// so is the move that replaces an illegal one (4.3, 4.7, 7.5.1).
    pub(super) fn judge_touches(&mut self, index: usize) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let Some(obligation) = self.obligation_of(play) else {
            return;
        };
        // The pawn that was left becomes a queen: nothing replaces the move (7.5.2).
        let fault = self.course.fault_of(index);
        let becomes_queen = fault == Fault::UnexchangedPawn
            && matches!(fault.remedy(&self.rules), Remedy::PlaceQueen);
        if becomes_queen && play.legal == Some(false) {
            return;
        }
        let met = play
            .before
            .legal(play.step)
            .is_some_and(|legal| obligation.moves.contains(&legal));
        if (!met || play.legal == Some(false)) && self.holds(obligation.clause) {
            let moving = play.moving.clone();
            self.report_obligation(&moving, &obligation);
        }
    }

    /// Tells the arbiter what was touched, in order, and what that binds the player to.
    fn report_obligation(&mut self, moving: &Moving, obligation: &Obligation) {
        let side = moving.side;
        for touch in &moving.hands.touched {
            let piece = touch.piece.map(|piece| piece.role);
            let arguments = [Argument::Square(touch.square), Argument::Piece(piece)];
            self.report(obligation.clause, PhraseKey::TouchedPiece, arguments);
        }
        let square = Argument::Square;
        let (key, squares) = match obligation.bound {
            Bound::Free => (PhraseKey::BoundFree, vec![]),
            Bound::Move(piece) => (PhraseKey::BoundMove, vec![square(piece)]),
            Bound::Capture(piece) => (PhraseKey::BoundCapture, vec![square(piece)]),
            Bound::CaptureWith { piece, captured } => (
                PhraseKey::BoundCaptureWith,
                vec![square(piece), square(captured)],
            ),
            Bound::Castle(rook) => (PhraseKey::BoundCastle, vec![square(rook)]),
            Bound::King(_) => (PhraseKey::BoundKing, vec![]),
        };
        let arguments = std::iter::once(Argument::Side(side)).chain(squares);
        self.report(obligation.clause, key, arguments);
    }

    /// A player or an assistant reports that the opponent has touched a piece (D.2.10.5, 4.8).
    pub(super) fn report_touch(
        &mut self,
        reporter: Color,
        square: Option<Square>,
        piece: Option<shakmaty::Role>,
    ) {
        let has_touched =
            !self.course.moving().hands.touched.is_empty() && self.course.moving().side == reporter;
        if has_touched && self.holds("4.8") {
            self.report(
                "4.8",
                PhraseKey::ReportedTooLate,
                [Argument::Side(reporter)],
            );
            return;
        }
        let mut arguments = vec![Argument::Side(!reporter), Argument::Piece(piece)];
        arguments.extend(square.map(Argument::Square));
        let key = if square.is_some() {
            PhraseKey::TouchReportedAt
        } else {
            PhraseKey::TouchReported
        };
        self.report("D.2.10.5", key, arguments);
        if let Some(square) = square {
            self.note_reported_touch(!reporter, square);
        }
    }

    /// A reported touch counts with those that a board has seen, and the arbiter hears at once
    /// what it would bind to.
    fn note_reported_touch(&mut self, of: Color, square: Square) {
        self.course.bind(of, square);
        if self.course.moving().side == of {
            let Some(chess) = self.course.position().chess() else {
                return;
            };
            let obligation =
                self.obligation_in(chess, self.course.moving(), self.course.position());
            let moving = self.course.moving().clone();
            self.report_obligation(&moving, &obligation);
        } else {
            self.report_obligation_of(of);
        }
    }

    /// The arbiter says how a piece came to be touched; the edition says whether that binds
    /// (4.2.2). What does not bind has declined no offer either (9.1.2.1).
    pub(super) fn judge_contact(&mut self, side: Color, contact: laws::Contacted) {
        let binds = laws::is_touch(&self.rules, contact);
        if !binds
            && self.holds("4.2.2")
            && let Some(offer) = self.course.untouch(side)
        {
            let by = self.draw.give_back(offer);
            self.report("9.1.2.1", PhraseKey::OfferOpen, [Argument::Side(by)]);
        }
        let key = if binds {
            PhraseKey::TouchBinds
        } else {
            PhraseKey::TouchDoesNotBind
        };
        self.report("4.2.2", key, [Argument::Side(side)]);
    }

    /// What binds a player by what he has touched, in this move or in the last one, when somebody
    /// complains about it in time (4.8).
    pub(super) fn report_obligation_of(&mut self, side: Color) {
        if self.course.moving().side == side {
            if !self.course.moving().hands.touched.is_empty()
                && let Some(chess) = self.course.position().chess()
            {
                let obligation =
                    self.obligation_in(chess, self.course.moving(), self.course.position());
                let moving = self.course.moving().clone();
                self.report_obligation(&moving, &obligation);
            }
        } else if let Some(play) = self.course.last()
            && let Some(obligation) = self.obligation_of(play)
        {
            let moving = play.moving.clone();
            self.report_obligation(&moving, &obligation);
        }
    }

    /// What binds the player who has to replace an illegal move: everything he had touched,
    /// the piece he moved and the one he captured (4.3, 4.7, trap 95).
    pub(super) fn bound_after_illegal(&self, play: &Play) -> Vec<Square> {
        if play.legal != Some(false) || !self.holds("7.5.1") {
            return Vec::new();
        }
        let (moved, captured) = match play.step {
            Step::Piece { from, to, .. } => (Some(from), Some(to)),
            Step::Castling(_) => (play.before.board().king_of(play.moving.side), None),
        };
        let captured = captured.filter(|&to| play.before.board().piece_at(to).is_some());
        let touched = play.moving.hands.touched.iter().map(|touch| touch.square);
        play.moving
            .hands
            .bound_by
            .iter()
            .copied()
            .chain(touched)
            .chain(moved)
            .chain(captured)
            .collect()
    }

    /// What a move that was made had to be, if anything was touched and the position can be
    /// judged.
    fn obligation_of(&self, play: &Play) -> Option<Obligation> {
        let moving = &play.moving;
        if moving.hands.touched.is_empty() && moving.hands.bound_by.is_empty() {
            return None;
        }
        Some(self.obligation_in(play.before.chess()?, moving, &play.before))
    }

    fn obligation_in(&self, chess: &Chess, moving: &Moving, before: &Position) -> Obligation {
        let touches = moving.hands.touched.iter().map(|touch| touch.square);
        let squares: Vec<Square> = moving
            .hands
            .bound_by
            .iter()
            .copied()
            .chain(touches)
            .collect();
        let means_castling = moving
            .words
            .as_ref()
            .is_some_and(|words| matches!(words.said(), Announcement::Castling(_)));
        let touched = Touched {
            squares,
            is_order_unclear: is_order_unclear(moving, before),
            meant_to_castle: means_castling,
            is_chess960: self.profile.chess960 && self.holds("F.3"),
            both_colours: self.rules.moving.both_colours_touched,
        };
        laws::obligation(chess, &touched)
    }
}

/// Whether the first own piece and the first piece of the opponent left their squares so soon
/// after each other that the board cannot tell which came first.
fn is_order_unclear(moving: &Moving, before: &Position) -> bool {
    let first_of = |side: Color| {
        moving
            .hands
            .touched
            .iter()
            .find(|touch| before.board().color_at(touch.square) == Some(side))
    };
    match (first_of(moving.side), first_of(!moving.side)) {
        (Some(own), Some(other)) => own.at.as_ms().abs_diff(other.at.as_ms()) <= UNCLEAR_MS,
        _ => false,
    }
}
