//! The output of a replay, line by line, for people and for programs.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::{Color, uci::UciMove};

use super::clocks::{ClockEvent, ClockReading, ClockSide};
use annexd_game::board::{PlayedMove, SquareDifference};
use annexd_phrases::{Sentence, sentence};
use annexd_phrases::{SentenceKey, piece};

/// One line of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A starting position.
    Began {
        /// The placement, as in a FEN.
        placement: String,
        /// Whether the board lay the other way round.
        is_rotated: bool,
    },
    /// A move that was made.
    Moved(PlayedMove),
    /// A move that was not seen completely enough to be certain.
    NotSeenWhole {
        /// The likeliest one, with its number.
        made: PlayedMove,
        /// The possible moves.
        one_of: Vec<UciMove>,
    },
    /// From this move on the moves do not agree with the presses of the clock.
    UnsureFrom(PlayedMove),
    /// A piece was lifted and put back.
    Touched {
        /// The square.
        square: String,
        /// The piece, if known.
        piece: Option<char>,
    },
    /// A reading of the clock.
    Clock(ClockReading),
    /// The clock was pressed at this side.
    Pressed(ClockSide, Option<Color>),
    /// Something else about the clock or the board, in words.
    Note(Sentence),
    /// A result was shown with the kings or with a result piece.
    Result(&'static str),
    /// The end of the recording.
    End {
        /// The number of moves of the last game.
        plies: usize,
        /// The final position.
        fen: Option<String>,
    },
}

/// What happened at the clock. Silences and jumps mean nothing in a recording.
pub(super) fn clock_words(event: ClockEvent) -> Option<Sentence> {
    Some(match event {
        ClockEvent::Started(at) => sentence!(ClockWasStarted, side = side_words(at)),
        ClockEvent::Stopped => sentence!(ClockWasStopped),
        ClockEvent::FlagShown(at) => sentence!(FlagIsShown, side = side_words(at)),
        ClockEvent::FlagFallen(at) => sentence!(FlagHasFallen, side = side_words(at)),
        ClockEvent::BatteryLow => sentence!(ClockBatteryIsLow),
        ClockEvent::Pressed(_)
        | ClockEvent::Jumped(_)
        | ClockEvent::Frozen
        | ClockEvent::Silent
        | ClockEvent::Returned => return None,
    })
}

/// A side of the clock, as people say it.
pub const fn side_words(at: ClockSide) -> Sentence {
    Sentence::new(match at {
        ClockSide::Left => SentenceKey::Left,
        ClockSide::Right => SentenceKey::Right,
    })
}

/// What stands otherwise on a board than it should.
pub fn departs_words(differences: &[SquareDifference]) -> Sentence {
    let words = differences.iter().map(|it| {
        let square = it.square.to_string();
        match (it.expected.map(piece), it.shown.map(piece)) {
            (Some(expected), None) => sentence!(PieceMissing, piece = expected, square = square),
            (None, Some(shown)) => sentence!(PieceExtra, piece = shown, square = square),
            (Some(expected), Some(shown)) => {
                sentence!(
                    PieceInstead,
                    shown = shown,
                    expected = expected,
                    square = square
                )
            }
            (None, None) => sentence!(VerdictNothing),
        }
    });
    let words: Vec<Sentence> = words.collect();
    sentence!(BoardDeparts, squares = words)
}

/// Moves of which the board shows only that one of them was made.
pub fn alike_words(moves: &[UciMove]) -> Sentence {
    sentence!(MovesLookAlike, moves = named(moves))
}

fn named(moves: &[UciMove]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// A time as minutes and seconds, or with hours.
fn time_words(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// A clock reading as people say it.
pub fn reading_words(reading: &ClockReading) -> Sentence {
    let running = match (reading.is_running, reading.to_move) {
        (false, _) => sentence!(BothClocksStopped),
        (true, ClockSide::Left) => sentence!(LeftClockRuns),
        (true, ClockSide::Right) => sentence!(RightClockRuns),
    };
    let shown = |side: ClockSide| {
        let shown = reading.side(side);
        let time = time_words(shown.time);
        match shown {
            shown if shown.is_fallen => sentence!(TimeWithFlag, time = time),
            shown if shown.has_flag => sentence!(TimeWithPeriodFlag, time = time),
            _ => sentence!(AsItIs, text = time),
        }
    };
    sentence!(
        ClockReading,
        left = shown(ClockSide::Left),
        right = shown(ClockSide::Right),
        running = running
    )
}

/// A clock reading in JSON: the seconds of each side, who runs, flags.
pub fn reading_json(reading: &ClockReading) -> Value {
    let side = |side: ClockSide| {
        let shown = reading.side(side);
        json!({
            "seconds": shown.time.as_secs(),
            "flag": shown.is_fallen || shown.has_flag,
            "fallen": shown.is_fallen,
            "per_move": shown.is_per_move,
        })
    };
    json!({
        "left": side(ClockSide::Left),
        "right": side(ClockSide::Right),
        "running": reading.is_running,
        "to_move": reading.to_move,
        "battery_low": reading.is_battery_low,
    })
}

impl Line {
    /// The line as a JSON object. Its first field tells the kind of line.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Began {
                placement,
                is_rotated,
            } => json!({"board": placement, "rotated": is_rotated}),
            Self::Moved(played) => json!({
                "move": played.played.to_string(),
                "ply": played.ply,
                "side": played.side.to_string(),
            }),
            Self::NotSeenWhole { made, one_of } => {
                let one_of: Vec<String> = one_of.iter().map(ToString::to_string).collect();
                json!({"note": self.note(), "ply": made.ply, "one_of": one_of})
            }
            Self::UnsureFrom(first) => {
                json!({"note": self.note(), "unsure_from_ply": first.ply})
            }
            Self::Touched { square, piece } => json!({"touched": square, "piece": piece}),
            Self::Clock(reading) => json!({"clock": reading_json(reading)}),
            Self::Pressed(clock_side, by) => {
                json!({"pressed": clock_side, "side": by.map(|side| side.to_string())})
            }
            Self::Note(_) => json!({"note": self.note()}),
            Self::Result(result) => json!({"result": result}),
            Self::End { plies, fen } => json!({"end": {"plies": plies, "fen": fen}}),
        }
    }

    /// The line in English, as programs have always read it.
    fn note(&self) -> String {
        self.to_words().to_string()
    }

    /// The line in words.
    pub fn to_words(&self) -> Sentence {
        match self {
            Self::Began { is_rotated, .. } => match is_rotated {
                true => sentence!(GameBeginsRotated),
                false => sentence!(GameBegins),
            },
            Self::Moved(played) => sentence!(AsItIs, text = move_words(played)),
            Self::NotSeenWhole { made, one_of } if one_of.len() > NAMED_MAX => {
                sentence!(MoveNotSeen, which = whose_move(made))
            }
            Self::NotSeenWhole { made, one_of } => sentence!(
                MoveNotSeenWhole,
                which = whose_move(made),
                moves = named(one_of)
            ),
            Self::UnsureFrom(first) => sentence!(MovesUnsureFrom, which = whose_move(first)),
            Self::Touched { square, piece } => match piece {
                Some(letter) => {
                    sentence!(
                        PieceTouched,
                        square = square.as_str(),
                        piece = letter.to_string()
                    )
                }
                None => sentence!(SquareTouched, square = square.as_str()),
            },
            Self::Clock(reading) => reading_words(reading),
            Self::Pressed(at, _) => sentence!(ClockPressed, side = side_words(*at)),
            Self::Note(words) => words.clone(),
            Self::Result(result) => sentence!(ShownAsResult, result = *result),
            Self::End { plies, fen } => match fen {
                Some(fen) => sentence!(ReplayEnd, count = *plies, fen = fen.as_str()),
                None => sentence!(NoPositionSeen),
            },
        }
    }
}

/// Up to this many possible moves are named. If there are more, the move counts as unseen.
const NAMED_MAX: usize = 6;

/// A move by its number: "Black's move 20".
fn whose_move(made: &PlayedMove) -> Sentence {
    let white = SentenceKey::VerdictWhite;
    let side = Sentence::new(made.side.fold_wb(white, SentenceKey::VerdictBlack));
    sentence!(MoveOfSide, side = side, number = made.ply.div_ceil(2))
}

/// A move with its number: `12. g1f3`, or `12... g8f6` for Black.
pub fn move_words(played: &PlayedMove) -> String {
    let number = played.ply.div_ceil(2);
    let dots = played.side.fold_wb(".", "...");
    format!("{number}{dots} {}", played.played)
}
