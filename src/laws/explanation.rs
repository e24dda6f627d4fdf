//! Why something was decided, as data for the arbiter (11.9: a right to an explanation).

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

use super::any_series::{Answer, can_mate_by_any_series};
use super::claim::{ClaimEvidence, ClaimVerdict, DrawClaim, MustPlay};
use super::illegal_move::{Fault, Penalty};
use super::rules::Rules;
use super::termination::{LossOrDraw, Termination};
use super::touch_move::{Bound, Obligation};

/// A decision with the article it rests on, the facts it was taken from and what else the arbiter
/// could decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The clause of the catalogue.
    pub clause: String,
    /// The article of the edition in force.
    pub article: String,
    /// What is proposed, in one sentence.
    pub decision: String,
    /// What it rests on.
    pub facts: Vec<Fact>,
    /// What else is open to the arbiter, each in one sentence.
    pub alternatives: Vec<String>,
}

/// One fact of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about: `move`, `quiet_plies`, `time_left`.
    pub about: String,
    /// The value, readable aloud.
    pub value: String,
}

impl Explanation {
    /// An explanation without facts or alternatives yet.
    pub fn new(rules: &Rules, clause: &str, decision: impl Into<String>) -> Self {
        Self {
            clause: clause.to_owned(),
            article: rules.cite(clause),
            decision: decision.into(),
            facts: Vec::new(),
            alternatives: Vec::new(),
        }
    }

    /// With one more fact.
    #[must_use]
    pub fn fact(mut self, about: &str, value: impl ToString) -> Self {
        self.facts.push(Fact {
            about: about.to_owned(),
            value: value.to_string(),
        });
        self
    }

    /// With one more thing the arbiter could decide instead.
    #[must_use]
    pub fn or(mut self, alternative: impl Into<String>) -> Self {
        self.alternatives.push(alternative.into());
        self
    }

    /// As lines that a screen reader reads well.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("Article {}: {}", self.article, self.decision)];
        lines.extend(
            self.facts
                .iter()
                .map(|fact| format!("{}: {}", fact.about.replace('_', " "), fact.value)),
        );
        lines.extend(self.alternatives.iter().map(|other| format!("Or: {other}")));
        lines
    }
}

/// Why a claim of a draw was decided so.
pub fn explain_claim(rules: &Rules, claim: DrawClaim, verdict: &ClaimVerdict) -> Explanation {
    let right = match claim {
        DrawClaim::Repetition => "9.2",
        DrawClaim::FiftyMoves => "9.3",
    };
    let (decision, clause, evidence) = match verdict {
        ClaimVerdict::Correct { evidence } => (
            "The claim is correct; the game is drawn.",
            "9.5.2",
            evidence,
        ),
        ClaimVerdict::Wrong { evidence, .. } => {
            ("The claim is wrong; the game goes on.", "9.5.3", evidence)
        }
    };
    let explanation =
        Explanation::new(rules, clause, decision).fact("claimed_under", rules.cite(right));
    let explanation = match evidence {
        ClaimEvidence::Appearances(plies) => explanation
            .fact("appearances", plies.len())
            .fact("after_plies", words(plies)),
        ClaimEvidence::QuietPlies(plies) => {
            explanation.fact("moves_by_each_without_pawn_move_or_capture", plies / 2)
        }
        ClaimEvidence::IntendedIllegal => explanation.fact("intended_move", "illegal"),
    };
    let ClaimVerdict::Wrong { consequences, .. } = verdict else {
        return explanation;
    };
    let minutes = consequences.opponent_gains.as_secs() / 60;
    let explanation = explanation.fact("opponent_gains", format!("{minutes} min"));
    let explanation = match consequences.claimant_left {
        Some(left) => explanation.fact("claimant_keeps", seconds(left)),
        None => explanation,
    };
    match consequences.must_play {
        MustPlay::Anything => explanation,
        MustPlay::Intended(intended) => explanation.fact("must_play", uci(intended)),
        MustPlay::Piece(square) => explanation.fact("must_move_the_piece_on", square),
    }
}

/// Why a fault is penalised so. `faults` are the earlier ones, with their move numbers.
pub fn explain_penalty(
    rules: &Rules,
    offender: Color,
    (move_number, fault): (u32, Fault),
    faults: &[(u32, Fault)],
    penalty: &Penalty,
) -> Explanation {
    let decision = match penalty {
        Penalty::OpponentGains { time, .. } => format!(
            "The opponent of {offender} gains {} min.",
            time.as_secs() / 60
        ),
        Penalty::GameOver { end, .. } => sentence(*end),
        Penalty::ArbiterChooses(_) => "The arbiter may penalise it.".to_owned(),
        Penalty::CountedAlready => "It was penalised in the same move already.".to_owned(),
        Penalty::NotAFault => "This edition does not penalise it.".to_owned(),
    };
    let clause = match penalty {
        Penalty::OpponentGains { .. } | Penalty::GameOver { .. } => "7.5.3",
        Penalty::ArbiterChooses(_) => "12.9",
        Penalty::CountedAlready | Penalty::NotAFault => fault.clause(),
    };
    let explanation = Explanation::new(rules, clause, decision)
        .fact("fault", rules.cite(fault.clause()))
        .fact("by", offender)
        .fact("move", move_number);
    let explanation = if faults.is_empty() {
        explanation
    } else {
        let moves: Vec<u32> = faults.iter().map(|(number, _)| *number).collect();
        explanation.fact("earlier_faults_in_moves", words(&moves))
    };
    match penalty {
        Penalty::ArbiterChooses(sanctions) => {
            sanctions.iter().fold(explanation, |all, sanction| {
                all.or(format!("{}.", sanction.words()))
            })
        }
        Penalty::GameOver {
            end: LossOrDraw::ArbiterDecides { .. },
            ..
        } => explanation.fact("can_the_opponent_mate_by_any_series", "not proved"),
        _ => explanation,
    }
}

/// Why a player is bound to a move by the pieces he touched.
pub fn explain_obligation(rules: &Rules, obligation: &Obligation) -> Explanation {
    let decision = match obligation.bound {
        Bound::Free => "Any legal move may be played.".to_owned(),
        Bound::Move(square) => format!("The piece on {square} must be moved."),
        Bound::Capture(square) => format!("The piece on {square} must be captured."),
        Bound::CaptureWith { piece, captured } => {
            format!("The piece on {captured} must be captured with the piece on {piece}.")
        }
        Bound::Castle(rook) => format!("Castling with the rook on {rook} must be played."),
        Bound::King(king) => format!("The king on {king} must be moved."),
    };
    let moves: Vec<String> = obligation.moves.iter().map(|m| uci(*m)).collect();
    Explanation::new(rules, obligation.clause, decision).fact("moves_that_meet_it", words(&moves))
}

/// Why a game has ended so, with what was found about mating where it matters.
pub fn explain_end(rules: &Rules, end: LossOrDraw, position: Option<&Chess>) -> Explanation {
    let shown = match end {
        LossOrDraw::Ended(termination) => termination,
        LossOrDraw::ArbiterDecides {
            if_mate_is_possible,
            ..
        } => if_mate_is_possible,
    };
    let explanation =
        Explanation::new(rules, shown.clause(), sentence(end)).fact("result", result_words(shown));
    let explanation = match position {
        Some(position) => Color::ALL.into_iter().fold(explanation, |all, side| {
            let answer = match can_mate_by_any_series(position, side) {
                Answer::Yes => "yes",
                Answer::No => "no",
                Answer::Unknown => "not proved",
            };
            all.fact(&format!("{side}_can_mate_by_some_series"), answer)
        }),
        None => explanation.fact("position", "cannot be judged"),
    };
    match end {
        LossOrDraw::Ended(_) => explanation,
        LossOrDraw::ArbiterDecides { if_not, .. } => explanation.or(termination_sentence(if_not)),
    }
}

fn sentence(end: LossOrDraw) -> String {
    match end {
        LossOrDraw::Ended(termination) => termination_sentence(termination),
        LossOrDraw::ArbiterDecides {
            if_mate_is_possible,
            ..
        } => format!(
            "If the opponent can mate by some series of legal moves: {}",
            termination_sentence(if_mate_is_possible)
        ),
    }
}

fn termination_sentence(termination: Termination) -> String {
    format!("{} {}.", termination.words(), result_words(termination))
}

/// The result as a score writes it; `*` for an annulled game.
fn result_words(termination: Termination) -> String {
    termination
        .result()
        .map_or_else(|| "*".to_owned(), |result| result.to_string())
}

fn uci(played: shakmaty::Move) -> String {
    shakmaty::uci::UciMove::from_chess960(played).to_string()
}

fn seconds(time: std::time::Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn words<T: ToString>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    values.join(", ")
}
