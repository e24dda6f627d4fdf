//! Adjourned games: the sealed move and every way to resume (Annex E; A in 2001, Guidelines I).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use super::choices::{LateForResumption, SealException};
use super::rules::Rules;
use super::termination::{ImmediateEnd, Termination, immediate_end};

/// Who is present at the time of resumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Present {
    /// Both players.
    Both,
    /// Only the player who has to reply to the sealed move.
    Replier,
    /// Only the player who sealed the move.
    Sealer,
    /// Nobody.
    Nobody,
}

/// What is known about the envelope.
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

/// The procedure at the time of resumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resume {
    /// The envelope is opened, the sealed move is made on the board, and the clock of the player
    /// who has to reply is started (E.9.1).
    OpenAndPlay,
    /// The clock of the player who has to reply is started. When he arrives, he may stop it and
    /// call the arbiter, who then opens the envelope (E.9.2).
    StartRepliersClock,
    /// The envelope is opened and the move is made. The player who has to reply may seal his reply
    /// instead of making it, and then starts the absent player's clock (E.9.3).
    OpenAndMaySealReply,
    /// Nobody is present. The player who has to reply loses the time until he arrives (E.11).
    ReplierLosesTime,
    /// Nobody is present and the edition has no rule for it. The arbiter decides.
    ArbiterDecides,
    /// The game continues from the recorded position and times. The sealer tells his sealed move
    /// and plays it (E.12).
    SealerSaysHisMove,
    /// The game is annulled and a new one played (E.12).
    NewGame,
}

/// Returns the procedure at the time of resumption, with the clause it rests on.
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
    /// Two or more moves could be meant, or nobody can tell what is meant (E.8.1, E.8.2).
    Ambiguous,
    /// An illegal move.
    Illegal,
}

/// What saves the player who sealed a faulty move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saved {
    /// The game had already ended by mate, stalemate, a dead position, agreement or resignation.
    GameHadEnded,
    /// The other side's flag had fallen (6.9).
    OpponentsFlag,
    /// The game is drawn without a claim (9.6).
    DrawnByItself,
}

/// What follows from the opened move (E.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SealVerdict {
    /// It is played.
    Play,
    /// The sealer loses, unless the arbiter finds one of the exceptions.
    SealerLoses,
    /// An exception of the edition applies, and the result is that of the exception.
    Excepted,
}

/// Judges the move in an opened envelope (E.8).
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

/// What saves a player who arrives too late for the resumption (E.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LateButSaved {
    /// His sealed move was checkmate.
    SealedMate,
    /// His sealed move was stalemate or led to a dead position.
    SealedDraw,
    /// The player who is present has lost on time.
    PresentLostOnTime,
}

impl LateButSaved {
    /// What a player's own sealed move saves him by, when it stands on the board: it has ended the
    /// game.
    pub fn by_sealed_move(position: &Chess) -> Option<Self> {
        match immediate_end(position) {
            ImmediateEnd::Ended(Termination::Checkmate(_)) => Some(Self::SealedMate),
            ImmediateEnd::Ended(_) => Some(Self::SealedDraw),
            ImmediateEnd::GoesOn => None,
        }
    }
}

/// Returns whether a player who is so late for the resumption has lost (E.10). `event` is the
/// default time of the event.
pub fn is_late_for_resumption(
    rules: &Rules,
    late: Duration,
    event: Duration,
    saved: Option<LateButSaved>,
) -> bool {
    late > latest_for_resumption(rules, event) && saved.is_none()
}

/// Returns how late a player may arrive for a resumption (E.10). `event` is the default time of the
/// event.
pub fn latest_for_resumption(rules: &Rules, event: Duration) -> Duration {
    match rules.adjournment.late {
        LateForResumption::MoreThan { minutes } => Duration::from_secs(60 * u64::from(minutes)),
        LateForResumption::DefaultTime => event,
    }
}

/// What to do about a clock that shows a wrong time after resumption (E.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongTime {
    /// It is corrected.
    Correct,
    /// The game continues with it, unless the consequences are too serious.
    ContinueUnlessSerious,
    /// The game continues with it, unless the arbiter decides otherwise.
    ContinueUnlessArbiter,
}

/// Judges a wrong time (E.13). It is corrected if it is noticed before the player's own first move.
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
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

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
    fn a_sealed_move_that_ended_the_game_saves_who_is_late() {
        for (fen, expected) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                Some(LateButSaved::SealedMate),
            ),
            (
                "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                Some(LateButSaved::SealedDraw),
            ),
            (
                "7k/8/6K1/8/8/8/8/8 b - - 0 1",
                Some(LateButSaved::SealedDraw),
            ),
            ("7k/8/6K1/8/8/8/8/7R b - - 0 1", None),
        ] {
            let fen: Fen = fen.parse().unwrap();
            let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            let saved = LateButSaved::by_sealed_move(&position);
            assert_eq!(saved, expected);
            let event = Duration::from_secs(30 * 60);
            let rules = Edition::E2023.rules();
            assert_eq!(
                is_late_for_resumption(rules, 2 * event, event, saved),
                expected.is_none()
            );
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
