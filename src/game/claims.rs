//! Claims of a draw, silent at the table (9.2 to 9.5), and draws that need no claim (9.6).

use shakmaty::{Color, Position as _};

use super::Game;
use super::draw::Claim;
use super::phase::Phase;
use super::position::{self, Resolved, Step};
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Person;
use annexd_laws::{
    ClaimCase, ClaimEvidence, ClaimVerdict, ClaimantFacts, DrawClaim, Intended, MustPlay,
    NoRightToClaim, Termination,
};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// The player having the move claims a draw, with or without an intended move. The table hears
    /// only what everybody sees: that the clocks are stopped and why, and that a claim is an offer
    /// too. The intended move is neither announced nor shown (trap 68).
    pub(super) fn claim(
        &mut self,
        now: Moment,
        side: Color,
        claim: DrawClaim,
        intended: Option<&Announcement>,
    ) {
        // A player who is to seal still has the move, and may claim instead (9.2, E.8).
        if self.is_sealing(side) && self.draw.claim().is_none() {
            self.phase = Phase::Playing;
            self.report("E.1.1", PhraseKey::AdjournAgain, []);
        }
        if !self.is_playing() || self.draw.claim().is_some() {
            self.refuse(self.private(side), "9.5.1", PhraseKey::NotNow);
            return;
        }
        let facts = ClaimantFacts {
            has_move: self.course.turn() == side,
            has_touched: !self.course.moving().hands.touched.is_empty() && self.holds("9.4"),
            has_made: false,
        };
        if let Err(no_right) = laws::may_claim(&self.rules, facts) {
            let (clause, key) = match no_right {
                NoRightToClaim::NotOnMove => ("9.2", PhraseKey::ClaimNotOnMove),
                NoRightToClaim::Touched => ("9.4", PhraseKey::ClaimAfterTouch),
                NoRightToClaim::Made => ("9.4", PhraseKey::ClaimAfterMove),
            };
            if self.holds(clause) {
                self.refuse(self.private(side), clause, key);
                return;
            }
        }
        let verdict = self.judge_claim(now, side, claim, intended);
        if self.holds("9.5.1") {
            self.stop_play(now);
            self.table(PhraseKey::ClocksStopped, []);
        }
        self.table(PhraseKey::ClaimsDraw, [Argument::Side(side)]);
        if self.holds("9.1.2.3") {
            self.offer_by_claim(side);
        }
        self.report_claim(side, claim, intended, verdict.as_ref());
        // Without an arbiter both players are asked.
        if self.has_ear(side) && self.profile.arbiter {
            self.tell(side, PhraseKey::ClaimTaken, []);
        }
        self.draw.take_claim(Claim {
            side,
            claim,
            verdict: verdict.clone(),
            intended: intended.cloned(),
        });
        self.propose_claim(side, claim, verdict.as_ref());
    }

    fn judge_claim(
        &self,
        now: Moment,
        side: Color,
        claim: DrawClaim,
        intended: Option<&Announcement>,
    ) -> Option<ClaimVerdict> {
        let position = self.course.position().chess()?;
        if self.course.position_keys().is_empty() {
            return None;
        }
        let intended = intended.map(|said| self.intended(said));
        let left = self.clocks.chessclock().map(|clock| clock.left(side, now));
        Some(laws::decide_claim(&ClaimCase {
            rules: &self.rules,
            game_type: self.profile.game_type,
            claim,
            history: self.course.position_keys(),
            position,
            quiet_plies: position.halfmoves(),
            intended: intended.as_ref(),
            claimant_left: left.unwrap_or_default(),
        }))
    }

    fn intended(&self, said: &Announcement) -> Intended {
        match self.resolve_words(said) {
            Resolved::Step(step) => match (self.course.position().legal(step), step) {
                (Some(legal), _) => Intended::Legal(legal),
                (None, Step::Piece { from, .. }) => Intended::Illegal(Some(from)),
                (None, Step::Castling(_)) => Intended::Illegal(None),
            },
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => Intended::Illegal(None),
        }
    }

    fn report_claim(
        &mut self,
        side: Color,
        claim: DrawClaim,
        intended: Option<&Announcement>,
        verdict: Option<&ClaimVerdict>,
    ) {
        let (clause, key) = match (claim, intended) {
            (DrawClaim::Repetition, None) => ("9.2.1.2", PhraseKey::ClaimsRepetition),
            (DrawClaim::Repetition, Some(_)) => ("9.2.1.1", PhraseKey::ClaimsRepetition),
            (DrawClaim::FiftyMoves, None) => ("9.3.2", PhraseKey::ClaimsFifty),
            (DrawClaim::FiftyMoves, Some(_)) => ("9.3.1", PhraseKey::ClaimsFifty),
        };
        self.report(clause, key, [Argument::Side(side)]);
        if let Some(said) = intended {
            let arguments = [Argument::Move(said.clone())];
            self.report(clause, PhraseKey::ClaimIntends, arguments);
        }
        let Some(ClaimVerdict::Correct { evidence } | ClaimVerdict::Wrong { evidence, .. }) =
            verdict
        else {
            return;
        };
        match evidence {
            ClaimEvidence::Appearances(plies) => {
                let number = u32::try_from(plies.len()).unwrap_or(u32::MAX);
                self.report(clause, PhraseKey::Appearances, [Argument::Number(number)]);
            }
            ClaimEvidence::QuietPlies(plies) => {
                self.report(clause, PhraseKey::QuietPlies, [Argument::Number(*plies)]);
            }
            ClaimEvidence::IntendedIllegal => {
                self.report(clause, PhraseKey::IntendedIllegal, []);
            }
        }
    }

    fn propose_claim(&mut self, side: Color, claim: DrawClaim, verdict: Option<&ClaimVerdict>) {
        let key = match claim {
            DrawClaim::Repetition => PhraseKey::ClaimsRepetition,
            DrawClaim::FiftyMoves => PhraseKey::ClaimsFifty,
        };
        let (clause, is_upheld) = match verdict {
            Some(ClaimVerdict::Correct { .. }) => ("9.5.2", true),
            Some(ClaimVerdict::Wrong { .. }) => ("9.5.3", false),
            // If the claim cannot be judged, the arbiter judges it himself. Without an arbiter both
            // players are asked as about any claim: nobody is told that a position cannot be judged
            // (X1).
            None if self.profile.arbiter || !self.holds("X1") => return,
            None => ("9.5.3", false),
        };
        // The players are always asked whether the claim is justified. Answering "no" to a negative
        // question would be ambiguous.
        let is_upheld = is_upheld || !self.profile.arbiter;
        if self.holds(clause) {
            let rulings = vec![Ruling::DecideClaim { upheld: is_upheld }];
            self.propose(rulings, clause, key, [Argument::Side(side)]);
        }
    }

    /// The arbiter decides a claim: a draw at once, or the opponent gets time and play goes on
    /// (9.5.2, 9.5.3).
    pub(super) fn decide_claim(&mut self, now: Moment, is_upheld: bool) {
        let Some(claim) = self.draw.decide_claim(is_upheld) else {
            self.nothing_to_decide();
            return;
        };
        self.docket.clear();
        if is_upheld {
            let end = match claim.claim {
                DrawClaim::Repetition => Termination::Threefold,
                DrawClaim::FiftyMoves => Termination::FiftyMoves,
            };
            self.finish(now, end);
            return;
        }
        if let Some(ClaimVerdict::Wrong { consequences, .. }) = claim.verdict
            && self.holds("9.5.3")
        {
            self.add_time(now, !claim.side, consequences.opponent_gains);
            if let Some(left) = consequences.claimant_left {
                self.set_clock(now, claim.side, left);
            }
            self.must_play(claim.side, &consequences.must_play, claim.intended);
        }
        self.table(PhraseKey::ClaimRejected, [Argument::Side(claim.side)]);
        self.say_offer_still_open();
        self.restart(now, Some(claim.side));
    }

    /// After a wrong claim binds the player to the intended move or, if that is illegal, to a move
    /// with the same piece (9.5.3).
    fn must_play(&mut self, side: Color, must: &MustPlay, intended: Option<Announcement>) {
        if self.course.turn() != side {
            return;
        }
        match (must, intended) {
            (MustPlay::Intended(_), Some(said)) => {
                let arguments = [Argument::Side(side), Argument::Move(said.clone())];
                self.report("9.5.3", PhraseKey::MustPlay, arguments);
                self.course.must_play(said);
            }
            (MustPlay::Piece(square), _) => {
                let index = self.course.index_of(side);
                self.course.bind(index, side, *square);
                let arguments = [Argument::Side(side), Argument::Square(*square)];
                self.report("9.5.3", PhraseKey::BoundMove, arguments);
            }
            _ => {}
        }
    }

    /// Checks whether the move after a wrong claim was the declared one (9.5.3).
    pub(super) fn judge_intended(&mut self, index: usize) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let Some(said) = play.moving.hands.must_play.clone() else {
            return;
        };
        let side = play.moving.side;
        let board = play.before.board();
        let is_played = match position::resolve(&said, side, board, None) {
            Resolved::Step(step) => step == play.step,
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => true,
        };
        if !is_played {
            let arguments = [Argument::Side(side), Argument::Move(said)];
            self.report("9.5.3", PhraseKey::MustPlay, arguments);
        }
    }

    /// Proposes the draw after five appearances or seventy-five moves by each. Only the arbiter is
    /// told (9.6).
    pub(super) fn look_for_automatic_draws(&mut self) {
        let Some(chess) = self.course.position().chess() else {
            return;
        };
        let quiet = chess.halfmoves();
        if quiet >= 8
            && laws::is_fivefold(&self.rules, self.course.position_keys())
            && self.holds("9.6.1")
        {
            let end = vec![Ruling::End(Termination::Fivefold)];
            self.propose(end, "9.6.1", PhraseKey::EndFivefold, []);
        }
        if laws::is_seventy_five_moves(&self.rules, quiet) && self.holds("9.6.2") {
            let end = vec![Ruling::End(Termination::SeventyFiveMoves)];
            self.propose(end, "9.6.2", PhraseKey::EndSeventyFive, []);
        }
    }

    /// Takes a claim with an intended move, from a console (9.2.1, 9.3.1).
    pub(super) fn claim_with_move(
        &mut self,
        now: Moment,
        person: Person,
        claim: DrawClaim,
        intended: &Announcement,
    ) {
        match self.only_player(person) {
            Ok(side) => self.claim(now, side, claim, Some(intended)),
            Err(clause) => self.refuse(self.channel_of(person), clause, PhraseKey::NotYours),
        }
    }
}
