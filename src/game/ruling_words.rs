//! What a ruling does, as phrases: what an arbiter reads before he accepts a proposal, and what
//! both players hear where there is no arbiter.

use shakmaty::Color;

use super::Game;
use super::ending::Ending;
use super::ruling::Ruling;
use annexd_laws::GameResult;
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Ruling {
    /// What it does, in phrases to be said one after the other.
    pub fn phrases(&self) -> Vec<Phrase> {
        let one = |key, arguments: Vec<Argument>| vec![Phrase::new(key, arguments)];
        let side = |side| Argument::Side(side);
        match self {
            Self::SetClock { side: of, left } => one(
                PhraseKey::DoSetClock,
                vec![side(*of), Argument::Time(*left)],
            ),
            Self::AddTime { side: of, time } => {
                one(PhraseKey::DoAddTime, vec![side(*of), Argument::Time(*time)])
            }
            Self::SetMoveCounter { side: of, moves } => one(
                PhraseKey::DoSetMoves,
                vec![side(*of), Argument::Number(*moves)],
            ),
            Self::CallFlag { side: of } => one(PhraseKey::DoCallFlag, vec![side(*of)]),
            Self::Restore { plies } | Self::GoBack { plies, .. } => {
                vec![restored(*plies, 1, Color::White)]
            }
            Self::BoardShows { board, .. } => one(PhraseKey::DoBoardShows, vec![side(*board)]),
            Self::Report { side: of, .. } => one(PhraseKey::DoReport, vec![side(*of)]),
            Self::CountFault { side: of, .. } => one(PhraseKey::DoCountFault, vec![side(*of)]),
            Self::PlaceQueen { square } => {
                one(PhraseKey::DoPlaceQueen, vec![Argument::Square(*square)])
            }
            Self::Penalise { side: of, .. } => one(PhraseKey::DoPenalise, vec![side(*of)]),
            Self::End(termination) => Ending::of(*termination, String::new()).phrases(),
            Self::Result(result) => vec![result_phrase(Some(*result))],
            Self::Compare => one(
                PhraseKey::CompareBoards,
                vec![Argument::Article("D.2.9".to_owned())],
            ),
            Self::Annul => one(PhraseKey::EndAnnulled, vec![]),
            other => one(key_without_arguments(other), vec![]),
        }
    }
}

impl Game {
    /// What a ruling does, with the numbers of this game's moves.
    pub fn ruling_phrases(&self, ruling: &Ruling) -> Vec<Phrase> {
        match ruling {
            Ruling::Restore { plies } | Ruling::GoBack { plies, .. } => {
                let start = self.starting_position();
                vec![restored(*plies, start.fullmoves.get(), start.turn)]
            }
            other => other.phrases(),
        }
    }
}

/// The position after so many plies, by the number and side of the last of them.
fn restored(plies: u32, first: u32, turn: Color) -> Phrase {
    let Some(before) = plies.checked_sub(1) else {
        return PhraseKey::StartHolds.into();
    };
    let half = before.saturating_add(u32::from(turn.is_black()));
    let number = first.saturating_add(half / 2);
    let side = Color::from_white(half % 2 == 0);
    let arguments = [Argument::Number(number), Argument::Side(side)];
    Phrase::new(PhraseKey::DoRestore, arguments)
}

/// The words for rulings that name nobody and nothing.
const fn key_without_arguments(ruling: &Ruling) -> PhraseKey {
    use annexd_laws::QuickplayDecision as Quickplay;
    match ruling {
        Ruling::ApproveDevice(_) => PhraseKey::DoApprove,
        Ruling::Adapt(_) => PhraseKey::DoAdapt,
        Ruling::ChangeProfile(_) | Ruling::SetArray { .. } => PhraseKey::DoChangeProfile,
        Ruling::Start => PhraseKey::DoStart,
        Ruling::Stop => PhraseKey::DoStop,
        Ruling::DecideClaim { upheld: true } => PhraseKey::DoUphold,
        Ruling::DecideClaim { upheld: false } => PhraseKey::DoDeny,
        Ruling::DecideQuickplay(Quickplay::Draw) => PhraseKey::EndNormalMeans,
        Ruling::DecideQuickplay(Quickplay::Postpone { .. }) => PhraseKey::DoPostpone,
        Ruling::DecideQuickplay(Quickplay::Reject) => PhraseKey::DoDeny,
        Ruling::DecideQuickplay(Quickplay::FiveSeconds) => PhraseKey::DoFiveSeconds,
        Ruling::DecideQuickplay(Quickplay::FiveSecondsDelay) => PhraseKey::DoFiveSecondsDelay,
        Ruling::SetPosition(_) => PhraseKey::DoSetPosition,
        Ruling::AllowDraw | Ruling::AllowStandingRequest { .. } => PhraseKey::DoAllow,
        Ruling::Aid {
            is_allowed: true, ..
        } => PhraseKey::BoardAllowed,
        Ruling::Aid { .. } => PhraseKey::BoardForbidden,
        Ruling::NoteState => PhraseKey::DoNoteState,
        Ruling::Adjourn | Ruling::AdjournEarly { .. } => PhraseKey::DoAdjourn,
        Ruling::OpenEnvelope { .. } => PhraseKey::DoOpenEnvelope,
        Ruling::EnvelopeMissing { .. } => PhraseKey::EnvelopeMissing,
        Ruling::Resume { .. } => PhraseKey::DoResume,
        _ => PhraseKey::DoRestart,
    }
}

/// The words for a result.
pub fn result_phrase(result: Option<GameResult>) -> Phrase {
    let (key, side) = match result {
        Some(GameResult::Won(side)) => (PhraseKey::Wins, Some(side)),
        Some(GameResult::Draw) => (PhraseKey::Draw, None),
        Some(GameResult::BothLost) => (PhraseKey::BothLose, None),
        Some(GameResult::HalfFor(side)) => (PhraseKey::HalfFor, Some(side)),
        None => (PhraseKey::Annulled, None),
    };
    Phrase::new(key, side.map(Argument::Side))
}
