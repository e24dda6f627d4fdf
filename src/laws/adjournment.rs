//! Adjourned games: the sealed move and every way to resume (Annex E; A in 2001, Guidelines I).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::choices::{LateForResumption, SealException};
use super::rules::Rules;

/// Who is present at the time of resumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Present {
    /// Both players.
    Both,
    /// Only the player who has to reply to the sealed move.
    Replier,
    /// Only the player who sealed.
    Sealer,
    /// Nobody.
    Nobody,
}

/// What is known of the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Envelope {
    /// It is there.
    There,
    /// It is missing, but the position is known (E.12).
    MissingPositionKnown,
    /// It is missing and the position cannot be found again (E.12).
    MissingPositionLost,
}

/// What is done at the time of resumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resume {
    /// The envelope is opened, the sealed move made on the board, and the replier's clock started
    /// (E.9.1).
    OpenAndPlay,
    /// The replier's clock is started; when he comes he may stop it and call the arbiter, who then
    /// opens the envelope (E.9.2).
    StartRepliersClock,
    /// The envelope is opened and the move made; the replier may seal his reply instead of making
    /// it, and starts the absent player's clock (E.9.3).
    OpenAndMaySealReply,
    /// Nobody is there: the replier loses the time until he comes (E.11).
    ReplierLosesTime,
    /// Nobody is there and the edition does not say: the arbiter decides.
    ArbiterDecides,
    /// The game goes on from the position and the times noted; the sealer says what he sealed and
    /// plays it (E.12).
    SealerSaysHisMove,
    /// The game is annulled and a new one played (E.12).
    NewGame,
}

/// What is done at the time of resumption, with the clause it rests on.
pub const fn resume(rules: &Rules, present: Present, envelope: Envelope) -> (Resume, &'static str) {
    match (envelope, present) {
        (Envelope::MissingPositionLost, _) => (Resume::NewGame, "E.12"),
        (_, Present::Nobody) => {
            if rules.adjournment.both_absent_replier_loses_time {
                (Resume::ReplierLosesTime, "E.11")
            } else {
                (Resume::ArbiterDecides, "E.11")
            }
        }
        (Envelope::MissingPositionKnown, _) => (Resume::SealerSaysHisMove, "E.12"),
        (Envelope::There, Present::Both) => (Resume::OpenAndPlay, "E.9.1"),
        (Envelope::There, Present::Sealer) => (Resume::StartRepliersClock, "E.9.2"),
        (Envelope::There, Present::Replier) => (Resume::OpenAndMaySealReply, "E.9.3"),
    }
}

/// What the sealed move turns out to be when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opened {
    /// One legal move.
    Legal,
    /// Two or more moves could be meant.
    Ambiguous,
    /// Nobody can tell what is meant.
    Undeterminable,
    /// An illegal move.
    Illegal,
}

/// What saves the sealer of a faulty move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saved {
    /// The game had already ended by mate, stalemate, a dead position, agreement or resignation.
    GameHadEnded,
    /// The other side's flag had fallen (6.9).
    OpponentsFlag,
    /// Drawn by itself (9.6).
    DrawnByItself,
}

/// What follows from the opened move (E.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SealVerdict {
    /// It is played.
    Play,
    /// The sealer has lost, unless the arbiter finds one of the exceptions.
    SealerLoses,
    /// An exception of the edition holds; the result is that of the exception.
    Excepted,
}

/// Judges an opened envelope.
pub fn judge_seal(rules: &Rules, opened: Opened, saved: Option<Saved>) -> SealVerdict {
    use SealException::{Checkmate, DeadPosition, Fivefold, FlagFall, SeventyFiveMoves, Stalemate};
    let saving: &[SealException] = match saved {
        None => &[],
        Some(Saved::GameHadEnded) => &[Checkmate, Stalemate, DeadPosition],
        Some(Saved::OpponentsFlag) => &[FlagFall],
        Some(Saved::DrawnByItself) => &[Fivefold, SeventyFiveMoves],
    };
    let exceptions = &rules.adjournment.faulty_seal_exceptions;
    let is_excepted = saving.iter().any(|it| exceptions.contains(it));
    match opened {
        Opened::Legal => SealVerdict::Play,
        _ if is_excepted => SealVerdict::Excepted,
        _ => SealVerdict::SealerLoses,
    }
}

/// What saves a player who comes too late to the resumption (E.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LateButSaved {
    /// His sealed move mated.
    SealedMate,
    /// His sealed move stalemated or brought a dead position.
    SealedDraw,
    /// The player who is present has lost on time.
    PresentLostOnTime,
}

/// Whether a player who comes so late to the resumption has lost; `event` is its default time.
pub fn is_late_for_resumption(
    rules: &Rules,
    late: Duration,
    event: Duration,
    saved: Option<LateButSaved>,
) -> bool {
    late > latest_for_resumption(rules, event) && saved.is_none()
}

/// How late one may come to a resumption, if `event` is the default time of the event (E.10).
pub fn latest_for_resumption(rules: &Rules, event: Duration) -> Duration {
    match rules.adjournment.late {
        LateForResumption::MoreThan { minutes } => Duration::from_secs(60 * u64::from(minutes)),
        LateForResumption::DefaultTime => event,
    }
}

/// What is done about a clock that shows a wrong time after resumption (E.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongTime {
    /// It is corrected.
    Correct,
    /// The game goes on with it, unless the consequences are too serious.
    ContinueUnlessSerious,
    /// The game goes on with it, unless the arbiter decides otherwise.
    ContinueUnlessArbiter,
}

/// Judges a wrong time: corrected if it is noticed before the player's own first move.
pub const fn wrong_time(rules: &Rules, before_own_first_move: bool) -> WrongTime {
    if before_own_first_move {
        WrongTime::Correct
    } else if rules.adjournment.wrong_time_unless_too_serious {
        WrongTime::ContinueUnlessSerious
    } else {
        WrongTime::ContinueUnlessArbiter
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn every_case_of_resumption_has_its_rule() {
        let rules = Edition::E2023.rules();
        for (present, envelope, expected) in [
            (Present::Both, Envelope::There, Resume::OpenAndPlay),
            (Present::Sealer, Envelope::There, Resume::StartRepliersClock),
            (
                Present::Replier,
                Envelope::There,
                Resume::OpenAndMaySealReply,
            ),
            (Present::Nobody, Envelope::There, Resume::ReplierLosesTime),
            (
                Present::Both,
                Envelope::MissingPositionKnown,
                Resume::SealerSaysHisMove,
            ),
            (
                Present::Both,
                Envelope::MissingPositionLost,
                Resume::NewGame,
            ),
        ] {
            assert_eq!(resume(rules, present, envelope).0, expected);
        }
        let nobody = resume(Edition::E2001.rules(), Present::Nobody, Envelope::There);
        assert_eq!(nobody.0, Resume::ArbiterDecides);
    }

    #[test]
    fn an_illegal_sealed_move_loses_except_where_the_game_was_over() {
        for edition in Edition::ALL {
            let rules = edition.rules();
            assert_eq!(
                judge_seal(rules, Opened::Illegal, None),
                SealVerdict::SealerLoses
            );
            let flag = judge_seal(rules, Opened::Ambiguous, Some(Saved::OpponentsFlag));
            assert_eq!(flag, SealVerdict::Excepted);
        }
    }

    #[test]
    fn late_for_resumption_is_an_hour_or_the_default_time() {
        let event = Duration::from_secs(30 * 60);
        let late = Duration::from_secs(45 * 60);
        for edition in Edition::ALL {
            let has_lost = is_late_for_resumption(edition.rules(), late, event, None);
            assert_eq!(has_lost, edition >= Edition::E2014, "{edition}");
        }
    }
}
