//! Why something is proposed or decided: the article, the facts with their times, and the arbiter's
//! alternatives (11.9).

use shakmaty::Color;

use super::Game;
use super::draw::Claim;
use super::effect::{Effect, Explanation};
use super::moving::Play;
use super::position::Step;
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::{
    Answer, ClaimEvidence, ClaimVerdict, DefaultTime, Effort, MoveFacts, MustPlay,
    QuickplayDecision, Termination, WhyIllegal,
};
use annexd_phrases::{Argument, Ground, GroundKey, Phrase, PhraseKey};

impl Game {
    /// Tells the arbiter the grounds of a proposal, or of the end of the game, and his
    /// alternatives.
    pub(super) fn explain(
        &mut self,
        proposal: Option<u32>,
        clause: &'static str,
        rulings: &[Ruling],
    ) {
        if !self.holds("11.9") {
            return;
        }
        let mut facts = Vec::new();
        for ruling in rulings {
            for fact in self.facts_of(ruling) {
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
        facts.extend(self.facts_of_the_moment());
        let mut otherwise = Vec::new();
        for other in rulings.iter().flat_map(alternatives) {
            if proposal.is_some() && !otherwise.contains(&other) {
                otherwise.push(other);
            }
        }
        self.response.push(Effect::Explain(Explanation {
            proposal,
            article: self.rules.cite(clause),
            facts,
            otherwise,
        }));
    }

    /// The current time, what the clocks show, and how far the last move has come.
    fn facts_of_the_moment(&self) -> Vec<Ground> {
        let mut facts = vec![fact(GroundKey::CameUp, [self.time_of(self.response.now())])];
        if self.clocks.chessclock().is_some() {
            let times = self.times(self.response.now());
            let times = [times.white, times.black].map(Argument::Time);
            facts.push(fact(GroundKey::Clocks, times));
        }
        if let Some(play) = self.course.last() {
            let number = play.before.setup().fullmoves.get();
            let arguments = [
                Argument::Number(number),
                Argument::Side(play.moving.side),
                Argument::Move(play.announcement()),
                self.time_of(play.made_at),
            ];
            facts.push(fact(GroundKey::LastMove, arguments));
            facts.push(match play.completed_at.filter(|_| play.pressed) {
                Some(at) => fact(GroundKey::Pressed, [self.time_of(at)]),
                None => fact(GroundKey::NotPressed, []),
            });
        }
        if let Some(by) = self.draw.offered_by() {
            facts.push(fact(GroundKey::OfferOpen, [Argument::Side(by)]));
        }
        facts
    }

    /// A moment as the time since the start of play.
    fn time_of(&self, at: Moment) -> Argument {
        Argument::Time(at.since(self.clocks.started_at().unwrap_or(Moment::START)))
    }

    /// The facts on which a ruling rests.
    fn facts_of(&self, ruling: &Ruling) -> Vec<Ground> {
        match ruling {
            Ruling::AddTime { side, time } => {
                let arguments = [Argument::Side(*side), Argument::Time(*time)];
                vec![fact(GroundKey::Gains, arguments)]
            }
            Ruling::CountFault { side, .. } => self.facts_of_faults(*side),
            Ruling::CallFlag { .. } => self.facts_of_flags(),
            Ruling::DecideClaim { .. } => self.facts_of_claim(self.draw.claim()),
            Ruling::Annul => vec![self.moves_completed()],
            Ruling::DecideQuickplay(_) => self.facts_of_quickplay(),
            Ruling::End(end) => self.facts_of_end(*end),
            _ => Vec::new(),
        }
    }

    fn facts_of_end(&self, end: Termination) -> Vec<Ground> {
        let with = |mut facts: Vec<Ground>, mating: Color| {
            facts.push(self.mating(mating));
            facts
        };
        match end {
            Termination::IllegalMoves(side) | Termination::IllegalMovesDrawn(side) => {
                with(self.facts_of_faults(side), !side)
            }
            Termination::FlagFall(side) | Termination::FlagFallDrawn(side) => {
                with(self.facts_of_flags(), !side)
            }
            Termination::BothFlags => self.facts_of_flags(),
            Termination::Resignation(side)
            | Termination::ResignationDrawn(side)
            | Termination::DeviceDrawn(side) => with(Vec::new(), !side),
            Termination::DeadPosition => Color::ALL.map(|side| self.mating(side)).to_vec(),
            Termination::Default(side) => {
                let mut facts = vec![self.default_time_fact()];
                if let Some(at) = self.clocks.came_at(side) {
                    let arguments = [Argument::Side(side), self.time_of(at)];
                    facts.push(fact(GroundKey::Arrived, arguments));
                }
                facts
            }
            Termination::BothDefault => vec![self.default_time_fact()],
            Termination::Threefold | Termination::FiftyMoves
                if self.draw.upheld().is_some_and(|it| it.verdict.is_some()) =>
            {
                self.facts_of_claim(self.draw.upheld())
            }
            Termination::Threefold | Termination::Fivefold => self.appearances(),
            Termination::FiftyMoves | Termination::SeventyFiveMoves => vec![self.quiet_plies()],
            Termination::Annulled => vec![self.moves_completed()],
            _ => Vec::new(),
        }
    }

    fn mating(&self, side: Color) -> Ground {
        let answer = self
            .course
            .position()
            .chess()
            .map_or(Answer::Unknown, |chess| {
                laws::can_mate_with_effort(chess, side, Effort::DECISION)
            });
        let key = match answer {
            Answer::Yes => GroundKey::CanMate,
            Answer::No => GroundKey::CannotMate,
            Answer::Unknown => GroundKey::MateUnproved,
        };
        fact(key, [Argument::Side(side)])
    }

    /// Why the last move was illegal, if it was; the faults counted before; and which fault loses.
    fn facts_of_faults(&self, side: Color) -> Vec<Ground> {
        let mut facts = Vec::new();
        let last = self.course.last_of(side);
        if let Some(play) = last {
            facts.extend(why_illegal(play).map(|why| fact(key_of(why), [])));
            let shown = self.step_shown(side, &play.before);
            if let Some(shown) = shown.filter(|shown| *shown != play.step) {
                let step = Argument::Move(play.announcement_of(shown));
                facts.push(fact(GroundKey::BoardShows, [step]));
            }
            for touch in &play.moving.hands.touched {
                let arguments = [
                    Argument::Piece(touch.piece.map(|piece| piece.role)),
                    Argument::Square(touch.square),
                    self.time_of(touch.at),
                ];
                facts.push(fact(GroundKey::Touched, arguments));
            }
        }
        let earlier = self.conduct.fault_moves(side);
        if earlier.is_empty() {
            facts.push(fact(GroundKey::NoFaultBefore, [Argument::Side(side)]));
        }
        for &number in earlier {
            let arguments = [Argument::Side(side), Argument::Number(number)];
            facts.push(fact(GroundKey::FaultBefore, arguments));
        }
        let sanction = self.sanction();
        let clause = self.clause_of(Termination::IllegalMoves(side));
        let arguments = [
            Argument::Number(sanction.loses_at),
            Argument::Article(self.rules.cite(clause)),
        ];
        facts.push(fact(GroundKey::FaultLoses, arguments));
        facts
    }

    /// The flags that fell, and how many moves were completed when the first one fell (6.4).
    fn facts_of_flags(&self) -> Vec<Ground> {
        let falls = self
            .clocks
            .chessclock()
            .into_iter()
            .flat_map(|clock| clock.falls());
        let first = falls.clone().map(|fall| fall.at).min();
        let completed = self.moves_completed_until(first.unwrap_or(self.response.now()));
        falls
            .map(|fall| {
                let arguments = [Argument::Side(fall.side), self.time_of(fall.at)];
                fact(GroundKey::FlagFell, arguments)
            })
            .chain([completed])
            .collect()
    }

    fn facts_of_claim(&self, claim: Option<&Claim>) -> Vec<Ground> {
        let Some(claim) = claim else {
            return Vec::new();
        };
        let mut facts = Vec::new();
        if let Some(intended) = &claim.intended {
            let arguments = [Argument::Move(intended.clone())];
            facts.push(fact(GroundKey::Intended, arguments));
        }
        let (evidence, consequences) = match &claim.verdict {
            Some(ClaimVerdict::Correct { evidence }) => (Some(evidence), None),
            Some(ClaimVerdict::Wrong {
                evidence,
                consequences,
            }) => (Some(evidence), Some(consequences)),
            None => (None, None),
        };
        match evidence {
            Some(ClaimEvidence::Appearances(plies)) => facts.extend(self.stood(plies)),
            Some(ClaimEvidence::QuietPlies(plies)) => {
                facts.push(fact(GroundKey::QuietPlies, [Argument::Number(*plies)]));
            }
            Some(ClaimEvidence::IntendedIllegal) | None => {}
        }
        let Some(wrong) = consequences else {
            return facts;
        };
        let (side, other) = (Argument::Side(claim.side), Argument::Side(!claim.side));
        let gains = [other, Argument::Time(wrong.opponent_gains)];
        facts.push(fact(GroundKey::Gains, gains));
        if let Some(left) = wrong.claimant_left {
            facts.push(fact(GroundKey::Keeps, [side.clone(), Argument::Time(left)]));
        }
        match (&wrong.must_play, &claim.intended) {
            (MustPlay::Intended(_), Some(said)) => {
                let arguments = [side, Argument::Move(said.clone())];
                facts.push(fact(GroundKey::MustPlay, arguments));
            }
            (MustPlay::Piece(square), _) => {
                facts.push(fact(GroundKey::MustMove, [side, Argument::Square(*square)]));
            }
            _ => {}
        }
        facts
    }

    fn facts_of_quickplay(&self) -> Vec<Ground> {
        let (Some(side), Some(clock)) = (self.draw.quickplay_by(), self.clocks.chessclock()) else {
            return Vec::new();
        };
        let left = clock.left(side, self.response.now());
        let arguments = [Argument::Side(side), Argument::Time(left)];
        vec![fact(GroundKey::TimeLeft, arguments)]
    }

    fn appearances(&self) -> Vec<Ground> {
        self.stood(&laws::appearances(self.course.position_keys()))
    }

    /// The moves after which a position stood on the board.
    fn stood(&self, plies: &[usize]) -> Vec<Ground> {
        let after = |&ply: &usize| match ply
            .checked_sub(1)
            .map(|index| self.course.plays().get(index))
        {
            None => fact(GroundKey::StoodAtStart, []),
            Some(None) => fact(GroundKey::WouldStand, []),
            Some(Some(play)) => {
                let number = play.before.setup().fullmoves.get();
                let arguments = [Argument::Number(number), Argument::Side(play.moving.side)];
                fact(GroundKey::StoodAfter, arguments)
            }
        };
        plies.iter().map(after).collect()
    }

    fn quiet_plies(&self) -> Ground {
        let quiet = self.course.position().setup().halfmoves;
        fact(GroundKey::QuietPlies, [Argument::Number(quiet)])
    }

    fn moves_completed(&self) -> Ground {
        self.moves_completed_until(self.response.now())
    }

    fn moves_completed_until(&self, moment: Moment) -> Ground {
        let completed = Color::ALL.map(|side| {
            let plays = self.course.plays().iter();
            let is_complete = |play: &&Play| play.completed_at.is_some_and(|at| at <= moment);
            let his = plays.filter(|play| play.moving.side == side && is_complete(play));
            Argument::Number(u32::try_from(his.count()).unwrap_or(u32::MAX))
        });
        fact(GroundKey::MovesCompleted, completed)
    }

    fn default_time_fact(&self) -> Ground {
        let at_the_start = self.default_time_at_start();
        let time = match self.adjournment.resumption() {
            Some(_) => laws::latest_for_resumption(&self.rules, at_the_start),
            None => at_the_start,
        };
        fact(GroundKey::DefaultTime, [Argument::Time(time)])
    }

    fn default_time_at_start(&self) -> std::time::Duration {
        match (self.profile.default_time, self.rules.time.default_time) {
            (Some(event), _) => event,
            (None, DefaultTime::Minutes { minutes }) => {
                std::time::Duration::from_secs(60 * u64::from(minutes))
            }
            (None, _) => std::time::Duration::ZERO,
        }
    }
}

fn fact(key: GroundKey, arguments: impl IntoIterator<Item = Argument>) -> Ground {
    Ground::new(key, arguments)
}

/// What the arbiter can decide instead of a ruling, besides putting it aside.
fn alternatives(ruling: &Ruling) -> Vec<Phrase> {
    let penalise = |side: Color| Phrase::new(PhraseKey::DoPenalise, [Argument::Side(side)]);
    let play_on = || Phrase::from(PhraseKey::DoRestart);
    match ruling {
        Ruling::Restore { .. } => vec![PhraseKey::DoSetPosition.into()],
        Ruling::CountFault { side, .. } => vec![penalise(*side), play_on()],
        Ruling::DecideClaim { upheld } => {
            let other = Ruling::DecideClaim { upheld: !upheld };
            other.phrases()
        }
        Ruling::DecideQuickplay(decision) => [
            QuickplayDecision::Draw,
            QuickplayDecision::Postpone { with_time: true },
            QuickplayDecision::Reject,
        ]
        .into_iter()
        .filter(|other| other != decision && !is_five_seconds(*decision))
        .flat_map(|other| Ruling::DecideQuickplay(other).phrases())
        .collect(),
        Ruling::End(Termination::IllegalMoves(side) | Termination::Device(side)) => {
            vec![penalise(*side), play_on()]
        }
        Ruling::End(_) | Ruling::Annul | Ruling::GoBack { .. } | Ruling::Compare => vec![play_on()],
        _ => Vec::new(),
    }
}

const fn is_five_seconds(decision: QuickplayDecision) -> bool {
    matches!(
        decision,
        QuickplayDecision::FiveSeconds | QuickplayDecision::FiveSecondsDelay
    )
}

fn why_illegal(play: &Play) -> Option<WhyIllegal> {
    let facts = match play.step {
        Step::Castling(side) => MoveFacts::Castling(side),
        Step::Piece {
            from,
            to,
            promotion,
        } => MoveFacts::Step {
            from,
            to,
            promotion,
        },
    };
    match play.before.chess() {
        Some(chess) => laws::judge_move(chess, facts).err(),
        // A king was left in check before. Capturing it is illegal all the same.
        None => play.before.plainly_illegal(play.step),
    }
}

const fn key_of(why: WhyIllegal) -> GroundKey {
    match why {
        WhyIllegal::NoPiece => GroundKey::NoPiece,
        WhyIllegal::OpponentsPiece => GroundKey::OpponentsPiece,
        WhyIllegal::OwnPieceThere => GroundKey::OwnPieceThere,
        WhyIllegal::KingCaptured => GroundKey::KingCaptured,
        WhyIllegal::CannotGoThere => GroundKey::CannotGoThere,
        WhyIllegal::KingInCheck => GroundKey::KingInCheck,
        WhyIllegal::NotExchanged => GroundKey::NotExchanged,
        WhyIllegal::NoSuchPromotion => GroundKey::NoSuchPromotion,
        WhyIllegal::CastlingRightLost => GroundKey::CastlingRightLost,
        WhyIllegal::CastlingPrevented => GroundKey::CastlingPrevented,
    }
}
