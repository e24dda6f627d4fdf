//! The effect of a ruling in phrases: what an arbiter reads before he accepts a proposal, and what
//! both players hear without an arbiter.

use super::ending::result_phrase;
use shakmaty::Color;

use super::Game;
use super::ending::Ending;
use super::profile::Aid;
use super::ruling::Ruling;
use annexd_laws::QuickplayDecision;
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Ruling {
    /// Whether the ruling ends the game.
    pub const fn ends(&self) -> bool {
        matches!(self, Self::End(_) | Self::Result(_) | Self::Annul)
    }

    /// Whether play goes back by the ruling.
    pub const fn rewinds(&self) -> bool {
        matches!(self, Self::Restore { .. } | Self::GoBack { .. })
    }

    /// The effect of the ruling in phrases, to be said one after the other. Every ruling has its
    /// own words.
    pub fn phrases(&self) -> Vec<Phrase> {
        let one = |key, arguments: Vec<Argument>| vec![Phrase::new(key, arguments)];
        let side = |side: &Color| Argument::Side(*side);
        let count = |number: &u32| Argument::Number(*number);
        match self {
            Self::ApproveDevice(_) => one(PhraseKey::DoApprove, vec![]),
            Self::Adapt(_) => one(PhraseKey::DoAdapt, vec![]),
            Self::ChangeProfile(_) => one(PhraseKey::DoChangeProfile, vec![]),
            Self::SetArray { number } => one(PhraseKey::DoSetArray, vec![count(number)]),
            Self::Start => one(PhraseKey::DoStart, vec![]),
            Self::Stop => one(PhraseKey::DoStop, vec![]),
            Self::Restart { .. } => one(PhraseKey::DoRestart, vec![]),
            Self::SetClock { side: of, left } => {
                one(PhraseKey::DoSetClock, vec![side(of), Argument::Time(*left)])
            }
            Self::AddTime { side: of, time } => {
                one(PhraseKey::DoAddTime, vec![side(of), Argument::Time(*time)])
            }
            Self::SetMoveCounter { side: of, moves } => {
                one(PhraseKey::DoSetMoves, vec![side(of), count(moves)])
            }
            Self::CallFlag { side: of } => one(PhraseKey::DoCallFlag, vec![side(of)]),
            Self::Accept { proposal } => one(PhraseKey::DoAccept, vec![count(proposal)]),
            Self::Dismiss { proposal } => one(PhraseKey::DoDismiss, vec![count(proposal)]),
            Self::TakeBack => one(PhraseKey::DoTakeBack, vec![]),
            Self::DecideClaim { upheld: true } => one(PhraseKey::DoUphold, vec![]),
            Self::DecideClaim { upheld: false } => one(PhraseKey::DoDeny, vec![]),
            Self::Restore { plies } => vec![restored(*plies, 1, Color::White)],
            Self::GoBack { plies, .. } => gone_back(restored(*plies, 1, Color::White)),
            Self::HoldToTouch(touch) => {
                let article = Argument::Article("4.3".to_owned());
                one(PhraseKey::TouchBinds, vec![side(&touch.side), article])
            }
            Self::Compare => {
                let article = Argument::Article("D.2.9".to_owned());
                one(PhraseKey::CompareBoards, vec![article])
            }
            Self::ReadVerdict => one(PhraseKey::DoReadVerdict, vec![]),
            Self::SetPosition(_) => one(PhraseKey::DoSetPosition, vec![]),
            Self::BoardShows { board, .. } => one(PhraseKey::DoBoardShows, vec![side(board)]),
            Self::Report { side: of, .. } => one(PhraseKey::DoReport, vec![side(of)]),
            Self::CountFault { side: of, .. } => one(PhraseKey::DoCountFault, vec![side(of)]),
            Self::PlaceQueen { square } => {
                one(PhraseKey::DoPlaceQueen, vec![Argument::Square(*square)])
            }
            Self::Penalise { side: of, .. } => one(PhraseKey::DoPenalise, vec![side(of)]),
            Self::AllowDraw => one(PhraseKey::DoAllowDraw, vec![]),
            Self::Aid { aid, is_allowed } => one(words_of_aid(*aid, *is_allowed), vec![]),
            Self::DecideQuickplay(decision) => one(words_of_quickplay(*decision), vec![]),
            Self::NoteState => one(PhraseKey::DoNoteState, vec![]),
            Self::Adjourn => one(PhraseKey::DoAdjourn, vec![]),
            Self::AdjournEarly { session_left } => one(
                PhraseKey::DoAdjournEarly,
                vec![Argument::Time(*session_left)],
            ),
            Self::OpenEnvelope { .. } => one(PhraseKey::DoOpenEnvelope, vec![]),
            Self::EnvelopeMissing { .. } => one(PhraseKey::DoEnvelopeMissing, vec![]),
            Self::Resume { .. } => one(PhraseKey::DoResume, vec![]),
            Self::AllowStandingRequest { side: of, at } => {
                one(PhraseKey::DoAllowTime, vec![side(of), Argument::Time(*at)])
            }
            Self::End(termination) => Ending::of(*termination, String::new()).phrases(),
            Self::Result(result) => vec![result_phrase(Some(*result))],
            Self::Annul => one(PhraseKey::EndAnnulled, vec![]),
        }
    }
}

impl Game {
    /// The effect of a ruling, with this game's move numbers.
    pub fn ruling_phrases(&self, ruling: &Ruling) -> Vec<Phrase> {
        match ruling {
            Ruling::Restore { plies } | Ruling::GoBack { plies, .. } => {
                let start = self.course.start();
                let restored = restored(*plies, start.fullmoves.get(), start.turn);
                match ruling {
                    Ruling::GoBack { .. } => gone_back(restored),
                    _ => vec![restored],
                }
            }
            other => other.phrases(),
        }
    }
}

/// The position after this many plies, by the number and side of the last move.
fn restored(plies: u32, first: u32, turn: Color) -> Phrase {
    let Some(before) = plies.checked_sub(1) else {
        return PhraseKey::DoRestoreStart.into();
    };
    let half = before.saturating_add(u32::from(turn.is_black()));
    let number = first.saturating_add(half / 2);
    let side = Color::from_white(half % 2 == 0);
    let arguments = [Argument::Number(number), Argument::Side(side)];
    Phrase::new(PhraseKey::DoRestore, arguments)
}

/// Going back by the scores, and to which position (D.2.9).
fn gone_back(restored: Phrase) -> Vec<Phrase> {
    vec![PhraseKey::DoGoBack.into(), restored]
}

/// The phrase for allowing or forbidding an aid.
const fn words_of_aid(aid: Aid, is_allowed: bool) -> PhraseKey {
    match (aid, is_allowed) {
        (Aid::Board, true) => PhraseKey::DoAllowBoard,
        (Aid::Board, false) => PhraseKey::DoForbidBoard,
    }
}

/// The phrase for a decision in a game without increment.
const fn words_of_quickplay(decision: QuickplayDecision) -> PhraseKey {
    match decision {
        QuickplayDecision::Draw => PhraseKey::DoDrawQuickplay,
        QuickplayDecision::Postpone { with_time: false } => PhraseKey::DoPostpone,
        QuickplayDecision::Postpone { with_time: true } => PhraseKey::DoPostponeWithTime,
        QuickplayDecision::Reject => PhraseKey::DoRejectQuickplay,
        QuickplayDecision::FiveSeconds => PhraseKey::DoFiveSeconds,
        QuickplayDecision::FiveSecondsDelay => PhraseKey::DoFiveSecondsDelay,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::time::Duration;

    use shakmaty::{Board, Square};

    use super::*;
    use crate::{DeviceApproval, Irregularity, Penalty, Profile, ReportedTouch};
    use annexd_laws::notation::Lexicon;
    use annexd_laws::{Adaptation, Fault, GameResult, Present, Termination};
    use annexd_phrases::Language;

    /// The number of a kind of ruling. It has no fallback, so a new ruling does not compile without
    /// one.
    const fn number(ruling: &Ruling) -> usize {
        match ruling {
            Ruling::ApproveDevice(_) => 0,
            Ruling::Adapt(_) => 1,
            Ruling::ChangeProfile(_) => 2,
            Ruling::SetArray { .. } => 3,
            Ruling::Start => 4,
            Ruling::Stop => 5,
            Ruling::Restart { .. } => 6,
            Ruling::SetClock { .. } => 7,
            Ruling::AddTime { .. } => 8,
            Ruling::SetMoveCounter { .. } => 9,
            Ruling::CallFlag { .. } => 10,
            Ruling::Accept { .. } => 11,
            Ruling::Dismiss { .. } => 12,
            Ruling::DecideClaim { .. } => 13,
            Ruling::Restore { .. } => 14,
            Ruling::Compare => 15,
            Ruling::ReadVerdict => 16,
            Ruling::GoBack { .. } => 17,
            Ruling::SetPosition(_) => 18,
            Ruling::BoardShows { .. } => 19,
            Ruling::Report { .. } => 20,
            Ruling::CountFault { .. } => 21,
            Ruling::PlaceQueen { .. } => 22,
            Ruling::Penalise { .. } => 23,
            Ruling::AllowDraw => 24,
            Ruling::Aid { .. } => 25,
            Ruling::DecideQuickplay(_) => 26,
            Ruling::NoteState => 27,
            Ruling::Adjourn => 28,
            Ruling::AdjournEarly { .. } => 29,
            Ruling::OpenEnvelope { .. } => 30,
            Ruling::EnvelopeMissing { .. } => 31,
            Ruling::Resume { .. } => 32,
            Ruling::AllowStandingRequest { .. } => 33,
            Ruling::End(_) => 34,
            Ruling::Result(_) => 35,
            Ruling::Annul => 36,
            Ruling::HoldToTouch(_) => 37,
            Ruling::TakeBack => 38,
        }
    }
    const KINDS: usize = 39;

    /// Rulings of every kind, with one for each different effect of a kind.
    fn rulings() -> Vec<Ruling> {
        let (side, time) = (Color::White, Duration::from_secs(60));
        let text = |text: &str| text.to_owned();
        let mut all = vec![
            Ruling::ApproveDevice(DeviceApproval {
                by: text("A"),
                scope: text("B"),
            }),
            Ruling::Adapt(Adaptation {
                key: text("k"),
                value: text("1"),
                arbiter: text("A"),
                at: text("now"),
            }),
            Ruling::ChangeProfile(Box::default()),
            Ruling::SetArray { number: 518 },
            Ruling::Start,
            Ruling::Stop,
            Ruling::Restart { clock: None },
            Ruling::SetClock { side, left: time },
            Ruling::AddTime { side, time },
            Ruling::SetMoveCounter { side, moves: 40 },
            Ruling::CallFlag { side },
            Ruling::Accept { proposal: 3 },
            Ruling::Dismiss { proposal: 3 },
            Ruling::TakeBack,
            Ruling::DecideClaim { upheld: true },
            Ruling::DecideClaim { upheld: false },
            Ruling::Restore { plies: 4 },
            Ruling::HoldToTouch(ReportedTouch {
                side,
                square: Square::E4,
                plies: 4,
            }),
            Ruling::Compare,
            Ruling::ReadVerdict,
            Ruling::GoBack {
                plies: 4,
                explanation: None,
            },
            Ruling::SetPosition(shakmaty::fen::Fen::default()),
            Ruling::BoardShows {
                board: side,
                placement: Board::new(),
            },
            Ruling::Report {
                side,
                irregularity: Irregularity::Disturbance,
            },
            Ruling::CountFault {
                side,
                fault: Fault::IllegalMove,
            },
            Ruling::PlaceQueen { square: Square::A8 },
            Ruling::Penalise {
                side,
                penalty: Penalty::Warning,
            },
            Ruling::AllowDraw,
            Ruling::NoteState,
            Ruling::Adjourn,
            Ruling::AdjournEarly { session_left: time },
            Ruling::OpenEnvelope {
                replier_present: true,
                sealed: None,
            },
            Ruling::EnvelopeMissing {
                position_known: true,
            },
            Ruling::Resume {
                present: Present::Both,
            },
            Ruling::AllowStandingRequest { side, at: time },
            Ruling::End(Termination::NormalMeans),
            Ruling::Result(GameResult::Draw),
            Ruling::Annul,
        ];
        all.extend(several_of_a_kind());
        all
    }

    fn several_of_a_kind() -> Vec<Ruling> {
        let quickplay = [
            QuickplayDecision::Draw,
            QuickplayDecision::Postpone { with_time: false },
            QuickplayDecision::Postpone { with_time: true },
            QuickplayDecision::Reject,
            QuickplayDecision::FiveSeconds,
            QuickplayDecision::FiveSecondsDelay,
        ];
        let aids = [true, false].map(|is_allowed| Ruling::Aid {
            aid: Aid::Board,
            is_allowed,
        });
        aids.into_iter()
            .chain(quickplay.map(Ruling::DecideQuickplay))
            .collect()
    }

    fn language(code: &str) -> Language {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../grammar")
            .join(code);
        #[expect(clippy::disallowed_methods, reason = "tests read the words from files")]
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let lexicon = Lexicon::parse(&read("lexicon.toml"), &read("commands.toml")).unwrap();
        let texts = Language::FILES.map(read);
        Language::parse(lexicon, texts.each_ref().map(String::as_str)).unwrap()
    }

    #[test]
    fn every_ruling_has_words_of_its_own_in_every_language() {
        let all = rulings();
        let mut kinds: Vec<usize> = all.iter().map(number).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(
            kinds,
            (0..KINDS).collect::<Vec<_>>(),
            "a ruling of every kind"
        );
        for code in ["de", "en", "da", "sv"] {
            let language = language(code);
            let mut said: BTreeMap<String, &Ruling> = BTreeMap::new();
            for ruling in &all {
                let phrases = ruling.phrases();
                let texts: Vec<String> = phrases.iter().map(|it| language.text(it)).collect();
                let words = texts.join(" ");
                assert!(
                    !words.trim().is_empty() && !words.contains('{'),
                    "{ruling:?}: {words}"
                );
                if let Some(other) = said.insert(words.clone(), ruling) {
                    panic!("{code}: {words}: both {ruling:?} and {other:?}");
                }
            }
        }
        let profile = Profile::default();
        let game = Game::new(profile);
        let read = game.ruling_phrases(&Ruling::ReadVerdict);
        assert_eq!(read, vec![Phrase::from(PhraseKey::DoReadVerdict)]);
    }
}
