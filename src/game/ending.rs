//! How a game ends.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use annexd_laws::{GameResult, Points, Termination};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The result; `None` if the game is annulled.
    pub result: Option<GameResult>,
    /// The reason; `None` if the arbiter gave a result without naming one.
    pub termination: Option<Termination>,
    /// Both players' points, if a penalty made them differ from those of the result (12.9).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// The article of the edition in force.
    pub article: String,
}

impl Ending {
    /// The end of a game for this reason.
    pub fn of(termination: Termination, article: String) -> Self {
        Self {
            result: termination.result(),
            termination: Some(termination),
            points: None,
            article,
        }
    }

    /// The reason and the result, in phrases to be said one after the other.
    pub fn phrases(&self) -> Vec<Phrase> {
        let reason = self.termination.map_or_else(
            || Phrase::from(PhraseKey::ByTheArbiter),
            |end| Phrase::new(key_of(end), side_of(end).map(Argument::Side)),
        );
        vec![reason, result_phrase(self.result)]
    }
}

/// The phrase for an end of the game.
pub(super) const fn key_of(end: Termination) -> PhraseKey {
    match end {
        Termination::Checkmate(_) => PhraseKey::Checkmate,
        Termination::Resignation(_) => PhraseKey::EndResigned,
        Termination::ResignationDrawn(_) => PhraseKey::EndResignedDrawn,
        Termination::Stalemate => PhraseKey::Stalemate,
        Termination::DeadPosition => PhraseKey::DeadPosition,
        Termination::Agreement => PhraseKey::Agreed,
        Termination::FlagFall(_) => PhraseKey::EndFlag,
        Termination::FlagFallDrawn(_) => PhraseKey::EndFlagDrawn,
        Termination::BothFlags => PhraseKey::EndBothFlags,
        Termination::IllegalMoves(_) => PhraseKey::EndIllegal,
        Termination::IllegalMovesDrawn(_) => PhraseKey::EndIllegalDrawn,
        Termination::IllegalPosition => PhraseKey::EndIllegalPosition,
        Termination::Threefold => PhraseKey::EndThreefold,
        Termination::FiftyMoves => PhraseKey::EndFifty,
        Termination::Fivefold => PhraseKey::EndFivefold,
        Termination::SeventyFiveMoves => PhraseKey::EndSeventyFive,
        Termination::NormalMeans => PhraseKey::EndNormalMeans,
        Termination::Default(_) => PhraseKey::EndDefault,
        Termination::BothDefault => PhraseKey::EndBothDefault,
        Termination::Device(_) => PhraseKey::EndDevice,
        Termination::DeviceDrawn(_) => PhraseKey::EndDeviceDrawn,
        Termination::Declared(_) => PhraseKey::EndDeclared,
        Termination::BothGuilty => PhraseKey::EndBothGuilty,
        Termination::FaultySeal(_) => PhraseKey::EndFaultySeal,
        Termination::Annulled => PhraseKey::EndAnnulled,
    }
}

/// The side that an end is about.
pub(super) const fn side_of(end: Termination) -> Option<Color> {
    match end {
        Termination::Checkmate(side)
        | Termination::Resignation(side)
        | Termination::ResignationDrawn(side)
        | Termination::FlagFall(side)
        | Termination::FlagFallDrawn(side)
        | Termination::IllegalMoves(side)
        | Termination::IllegalMovesDrawn(side)
        | Termination::Default(side)
        | Termination::Device(side)
        | Termination::DeviceDrawn(side)
        | Termination::Declared(side)
        | Termination::FaultySeal(side) => Some(side),
        _ => None,
    }
}

/// The phrase for a result.
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
