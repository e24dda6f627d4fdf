//! What touched pieces bind a player to, for the arbiter (4.3 to 4.5, 4.8, D.2.10.5).

use shakmaty::{Chess, Color, Square};

use super::Game;
use super::moving::{Moving, Play};
use super::position::{Position, Step};
use super::ruling::{ReportedTouch, Ruling};
use annexd_laws as laws;
use annexd_laws::notation::Announcement;
use annexd_laws::{Bound, Fault, Obligation, PositionRemedy, Touched};
use annexd_phrases::{Argument, PhraseKey};

/// If two pieces are lifted within this time, nobody can say which came first (4.3.3).
const UNCLEAR_MS: u64 = 150;

impl Game {
    /// Reports a completed move that breaks touch-move to the arbiter, and likewise the move that
    /// replaces an illegal one (4.3, 4.7, 7.5.1).
    pub(super) fn judge_touches(&mut self, index: usize) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let Some(obligation) = self.obligation_of(play) else {
            return;
        };
        // The pawn that was left becomes a queen, and no other move replaces this one (7.5.2).
        let fault = self.course.fault_of(index);
        let becomes_queen = fault == Fault::UnexchangedPawn
            && matches!(fault.remedy(&self.rules), PositionRemedy::PlaceQueen);
        if becomes_queen && play.legal == Some(false) {
            return;
        }
        let met = is_met(play, &obligation);
        if (met && play.legal != Some(false)) || !self.holds(obligation.clause) {
            return;
        }
        let moving = play.moving.clone();
        let is_legal = play.legal != Some(false);
        self.report_obligation(&moving, &obligation);
        // The penalty for an illegal move is proposed separately, and goes back as well (7.5.1).
        if !met && is_legal && self.profile.arbiter {
            let plies = u32::try_from(index).unwrap_or(u32::MAX);
            let rulings = vec![Ruling::Stop, Ruling::Restore { plies }];
            if self.docket.proposes(&rulings) {
                // This was checked before the game ended on the board.
                return;
            }
            let (key, arguments) = words_of(moving.side, &obligation);
            self.propose(rulings, obligation.clause, key, arguments);
        }
    }

    /// Tells the arbiter what was touched, in order, and what it binds the player to.
    fn report_obligation(&mut self, moving: &Moving, obligation: &Obligation) {
        let side = moving.side;
        for touch in &moving.hands.touched {
            let piece = touch.piece.map(|piece| piece.role);
            let arguments = [Argument::Square(touch.square), Argument::Piece(piece)];
            self.report(obligation.clause, PhraseKey::TouchedPiece, arguments);
        }
        let (key, arguments) = words_of(side, obligation);
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
        let of = !reporter;
        let mut arguments = vec![Argument::Side(of), Argument::Piece(piece)];
        arguments.extend(square.map(Argument::Square));
        let key = if square.is_some() {
            PhraseKey::TouchReportedAt
        } else {
            PhraseKey::TouchReported
        };
        self.report("D.2.10.5", key, arguments.clone());
        let plies = u32::try_from(self.course.index_of(of)).unwrap_or(u32::MAX);
        match square {
            // The arbiter decides whether it was touched; without one nobody does.
            Some(square) => {
                let binds = self.would_bind(of, square);
                let touch = ReportedTouch {
                    side: of,
                    square,
                    plies,
                };
                let holds = vec![Ruling::HoldToTouch(touch)];
                match self.profile.arbiter {
                    _ if !binds => {}
                    true => self.propose(holds, "4.3.1", key, arguments),
                    false => self.hold_to_touch(touch),
                }
            }
            // He has to ask which piece it was.
            None if self.profile.arbiter && self.is_playing() => {
                self.propose(vec![Ruling::Stop], "4.3.1", key, arguments);
            }
            None => {}
        }
    }

    /// Tells the arbiter what a reported touch would bind the player to. Returns whether it would
    /// bind him to anything.
    fn would_bind(&mut self, of: Color, square: Square) -> bool {
        let play = self.course.last().filter(|play| play.moving.side == of);
        let (mut moving, before) = match play {
            Some(play) if self.course.moving().side != of => (play.moving.clone(), &play.before),
            _ => (self.course.moving().clone(), self.course.position()),
        };
        let Some(chess) = before.chess().filter(|_| moving.side == of) else {
            return true;
        };
        moving.hands.bound_by.push(square);
        let obligation = self.obligation_in(chess, &moving, before);
        self.report_obligation(&moving, &obligation);
        obligation.bound != Bound::Free && self.holds(obligation.clause)
    }

    /// Counts a reported touch with those that a board has seen. If the move was completed
    /// meanwhile, it is judged anew.
    pub(super) fn hold_to_touch(&mut self, touch: ReportedTouch) {
        let index = touch.plies as usize;
        self.course.bind(index, touch.side, touch.square);
        let side = Argument::Side(touch.side);
        self.report("4.3.1", PhraseKey::TouchBinds, [side]);
        let made = self.course.plays().get(index);
        if made.is_some_and(|play| play.completed_at.is_some()) {
            self.judge_touches(index);
        }
    }

    /// Takes the arbiter's word on how a piece came to be touched. The edition decides whether that
    /// binds (4.2.2). A touch that does not bind has not declined an offer either (9.1.2.1).
    pub(super) fn judge_contact(&mut self, side: Color, contact: laws::HowTouched) {
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

    /// Reports what binds a player by his touches in this move or the last one, when somebody
    /// complains in time (4.8).
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

    /// The pieces that bind a player who has to replace a move. After an illegal move these are all
    /// he had touched, the piece he moved and the one he captured (4.3, 4.7, trap 95). After a move
    /// that broke touch-move, only what he had touched.
    pub(super) fn bound_after(&self, play: &Play) -> Vec<Square> {
        let touched = play.moving.hands.touched.iter().map(|touch| touch.square);
        let bound = play.moving.hands.bound_by.iter().copied().chain(touched);
        if play.legal != Some(false) {
            let is_unmet = |it: &Obligation| !is_met(play, it) && self.holds(it.clause);
            let unmet = self.obligation_of(play).is_some_and(|it| is_unmet(&it));
            return if unmet { bound.collect() } else { Vec::new() };
        }
        if !self.holds("7.5.1") {
            return Vec::new();
        }
        let (moved, captured) = match play.step {
            Step::Piece { from, to, .. } => (Some(from), Some(to)),
            Step::Castling(_) => (play.before.board().king_of(play.moving.side), None),
        };
        let captured = captured.filter(|&to| play.before.board().piece_at(to).is_some());
        bound.chain(moved).chain(captured).collect()
    }

    /// What touch-move required of a move made, if anything was touched and the position can be
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

/// Whether a move met the obligation of the pieces touched before.
fn is_met(play: &Play, obligation: &Obligation) -> bool {
    let legal = play.before.legal(play.step);
    legal.is_some_and(|legal| obligation.moves.contains(&legal))
}

/// The obligation of a side as a phrase without the article.
fn words_of(side: Color, obligation: &Obligation) -> (PhraseKey, Vec<Argument>) {
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
    (key, arguments.collect())
}

/// Whether the first own piece and the first opposing piece left their squares so shortly after
/// each other that the board cannot tell which came first.
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
