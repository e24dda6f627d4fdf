//! The output about an utterance: one object, or one line.

use serde::Serialize;
use shakmaty::CastlingSide;

use super::listener::Utterance;
use super::verdict::Decision;
use crate::notation::{
    Announcement, Lexicon, MoveAnnouncement, Said, Style, as_words, sentence, words as words_of,
};
use crate::shell::error::{Sentence, sentence};

/// One line of `annexd listen --json`. The format is stable: fields are added, never changed.
#[derive(Debug, Serialize)]
pub struct Report {
    file: String,
    utterance: usize,
    language: Option<String>,
    words: Vec<ReportedWord>,
    announcement: Option<Reported>,
    decision: &'static str,
    alternatives: Vec<ReportedAlternative>,
    audio_s: f64,
    compute_s: f64,
    latency_ms: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ReportedWord {
    word: String,
    confidence: f64,
}

#[derive(Debug, Serialize)]
struct ReportedAlternative {
    words: Vec<String>,
    confidence: f64,
    announcement: Option<Reported>,
}

/// An announcement for other programs. What was not said is null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reported {
    /// A piece in English.
    pub piece: Option<&'static str>,
    /// A square such as "g1".
    pub from: Option<String>,
    /// A square such as "f3".
    pub to: Option<String>,
    /// Whether "schlägt" was said.
    pub capture: bool,
    /// A piece in English.
    pub promotion: Option<&'static str>,
    /// "kingside" or "queenside".
    pub castling: Option<&'static str>,
    /// A name of commands.toml; a move after "Korrektur" has "correct" here.
    pub command: Option<&'static str>,
}

impl Reported {
    /// The parts of an announcement, or of a command.
    pub fn new(said: &Said) -> Self {
        match said {
            Said::Move(announcement) => Self::of(announcement),
            Said::Correction(None) => Self::command("correct"),
            Said::Correction(Some(announcement)) => Self {
                command: Some("correct"),
                ..Self::of(announcement)
            },
            Said::Piece(role) => Self {
                piece: Some(as_words::role::word(*role)),
                ..Self::default()
            },
            Said::Square(square) => Self {
                to: Some(square.to_string()),
                ..Self::default()
            },
            Said::Command(command) => Self::command(command.word()),
            Said::Question(_) => Self::command("question"),
        }
    }

    fn command(word: &'static str) -> Self {
        Self {
            command: Some(word),
            ..Self::default()
        }
    }

    fn of(announcement: &Announcement) -> Self {
        match announcement {
            Announcement::Move(MoveAnnouncement {
                piece,
                from,
                to,
                capture,
                promotion,
                mark: _,
            }) => Self {
                piece: piece.map(as_words::role::word),
                from: from.map(|square| square.to_string()),
                to: Some(to.to_string()),
                capture: *capture,
                promotion: promotion.map(as_words::role::word),
                ..Self::default()
            },
            Announcement::Castling(castling) => Self {
                castling: Some(match castling.side {
                    CastlingSide::KingSide => "kingside",
                    CastlingSide::QueenSide => "queenside",
                }),
                ..Self::default()
            },
        }
    }
}

impl Report {
    /// The report of an utterance; `number` counts from 1 in its file.
    pub fn new(file: &str, number: usize, utterance: &Utterance, latency_ms: Option<f64>) -> Self {
        let alternatives = utterance
            .verdict
            .alternatives
            .iter()
            .map(|alternative| ReportedAlternative {
                words: alternative.words.clone(),
                confidence: rounded(alternative.confidence),
                announcement: alternative.readings.first().map(Reported::new),
            })
            .collect();
        let words = utterance.words.iter().map(|heard| ReportedWord {
            word: heard.word.clone(),
            confidence: rounded(heard.confidence),
        });
        let announcement = if utterance.verdict.is_speech {
            utterance.reading().map(Reported::new)
        } else {
            None
        };
        Self {
            file: file.to_owned(),
            utterance: number,
            language: Some(utterance.lexicon.language().to_owned()),
            words: words.collect(),
            announcement,
            decision: utterance.verdict.decision.word(),
            alternatives,
            audio_s: rounded(utterance.audio.as_secs_f64()),
            compute_s: rounded(utterance.compute.as_secs_f64()),
            latency_ms: latency_ms.map(rounded),
        }
    }

    /// The report about a file without speech.
    pub fn of_silence(file: &str, audio_s: f64, compute_s: f64) -> Self {
        Self {
            file: file.to_owned(),
            utterance: 1,
            language: None,
            words: Vec::new(),
            announcement: None,
            decision: "ignore",
            alternatives: Vec::new(),
            audio_s: rounded(audio_s),
            compute_s: rounded(compute_s),
            latency_ms: None,
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// One line for people.
pub fn line(lexicon: &Lexicon, file: &str, utterance: &Utterance) -> Sentence {
    let decision = match utterance.verdict.decision {
        Decision::Take => sentence!(HeardTake),
        Decision::Ask => sentence!(HeardAsk),
        Decision::Ignore => sentence!(HeardIgnore),
    };
    sentence!(
        HeardLine,
        file = file,
        decision = decision,
        heard = with_rivals(lexicon, utterance, heard(lexicon, utterance)),
        seconds = format!("{:.1}", utterance.audio.as_secs_f64()),
        compute = format!("{:.2}", utterance.compute.as_secs_f64())
    )
}

/// The words, what they mean, and the confidence of each of them in order.
fn heard(lexicon: &Lexicon, utterance: &Utterance) -> Sentence {
    if utterance.words.is_empty() {
        return sentence!(HeardNothing);
    }
    let words: Vec<&str> = utterance.words.iter().map(|w| w.word.as_str()).collect();
    let heard = sentence!(AsItIs, text = sentence(lexicon, &words));
    let heard = match utterance.reading() {
        None => heard,
        Some(Said::Move(announcement)) => {
            let words = words_of(lexicon, announcement, Style::Long);
            sentence!(HeardMove, heard = heard, words = sentence(lexicon, &words))
        }
        Some(Said::Correction(_)) => sentence!(HeardCorrection, heard = heard),
        Some(Said::Piece(_)) => sentence!(HeardPiece, heard = heard),
        Some(Said::Square(square)) => {
            sentence!(HeardSquare, heard = heard, square = square.to_string())
        }
        Some(Said::Command(command)) => {
            sentence!(HeardCommand, heard = heard, command = command.word())
        }
        Some(Said::Question(_)) => sentence!(HeardQuestion, heard = heard),
    };
    let sure = utterance.words.iter();
    let sure: Vec<String> = sure.map(|it| format!("{:.2}", it.confidence)).collect();
    sentence!(HeardConfidence, heard = heard, numbers = sure.join(" "))
}

/// Adds the other readings. The first alternative is what was heard.
fn with_rivals(lexicon: &Lexicon, utterance: &Utterance, heard: Sentence) -> Sentence {
    let rivals = utterance.verdict.alternatives.iter().skip(1);
    rivals.fold(heard, |heard, rival| {
        let words: Vec<&str> = rival.words.iter().map(String::as_str).collect();
        sentence!(
            HeardOr,
            heard = heard,
            words = sentence(lexicon, &words),
            confidence = format!("{:.2}", rival.confidence)
        )
    })
}
