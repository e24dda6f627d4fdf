//! The output of a replay, line by line, for people and for programs.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::{Color, uci::UciMove};

use super::clocks::{ClockEvent, ClockReading, ClockSide};
use crate::board::PlayedMove;

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
    Note(String),
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

/// Castling that began with the rook, in words.
pub(crate) const ROOK_FIRST: &str = "the rook came first: this castling was not allowed (4.4.2)";

/// What happened at the clock, in words. Silences and jumps mean nothing in a recording.
pub(super) const fn clock_words(event: ClockEvent) -> Option<&'static str> {
    Some(match event {
        ClockEvent::Started(ClockSide::Left) => "the left clock was started",
        ClockEvent::Started(ClockSide::Right) => "the right clock was started",
        ClockEvent::Stopped => "the clock was stopped",
        ClockEvent::FlagShown(ClockSide::Left) => "a flag is shown on the left",
        ClockEvent::FlagShown(ClockSide::Right) => "a flag is shown on the right",
        ClockEvent::FlagFallen(ClockSide::Left) => "the left flag has fallen",
        ClockEvent::FlagFallen(ClockSide::Right) => "the right flag has fallen",
        ClockEvent::BatteryLow => "the clock's battery is low",
        ClockEvent::Pressed(_)
        | ClockEvent::Jumped(_)
        | ClockEvent::Frozen
        | ClockEvent::Silent
        | ClockEvent::Returned => return None,
    })
}

/// A time as minutes and seconds, or with hours.
pub(crate) fn time_words(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// A clock reading as people say it.
pub(crate) fn reading_words(reading: &ClockReading) -> String {
    let run = match (reading.is_running, reading.to_move) {
        (false, _) => "stopped",
        (true, ClockSide::Left) => "left runs",
        (true, ClockSide::Right) => "right runs",
    };
    let flag = |side: ClockSide| match reading.side(side) {
        side if side.is_fallen => " (flag)",
        side if side.has_flag => " (flag of a period)",
        _ => "",
    };
    format!(
        "clock: left {}{}, right {}{}, {run}",
        time_words(reading.left.time),
        flag(ClockSide::Left),
        time_words(reading.right.time),
        flag(ClockSide::Right),
    )
}

/// A clock reading in JSON: the seconds of each side, who runs, flags.
pub(crate) fn reading_json(reading: &ClockReading) -> Value {
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
                json!({"note": self.to_words(), "ply": made.ply, "one_of": one_of})
            }
            Self::UnsureFrom(first) => {
                json!({"note": self.to_words(), "unsure_from_ply": first.ply})
            }
            Self::Touched { square, piece } => json!({"touched": square, "piece": piece}),
            Self::Clock(reading) => json!({"clock": reading_json(reading)}),
            Self::Pressed(clock_side, by) => {
                json!({"pressed": clock_side, "side": by.map(|side| side.to_string())})
            }
            Self::Note(words) => json!({"note": words}),
            Self::Result(result) => json!({"result": result}),
            Self::End { plies, fen } => json!({"end": {"plies": plies, "fen": fen}}),
        }
    }

    /// The line in words.
    pub fn to_words(&self) -> String {
        match self {
            Self::Began { is_rotated, .. } => {
                let turned = if *is_rotated { ", rotated" } else { "" };
                format!("a game begins{turned}")
            }
            Self::Moved(played) => move_words(played),
            Self::NotSeenWhole { made, one_of } if one_of.len() > NAMED_MAX => {
                format!("{} was not seen", whose_move(made))
            }
            Self::NotSeenWhole { made, one_of } => {
                let words: Vec<String> = one_of.iter().map(ToString::to_string).collect();
                let whose = whose_move(made);
                format!("{whose} was not seen whole: one of {}", words.join(", "))
            }
            Self::UnsureFrom(first) => {
                let whose = whose_move(first);
                format!("from {whose} on the moves are not sure")
            }
            Self::Touched { square, piece } => match piece {
                Some(piece) => format!("touched {square} ({piece})"),
                None => format!("touched {square}"),
            },
            Self::Clock(reading) => reading_words(reading),
            Self::Pressed(ClockSide::Left, _) => "pressed on the left".to_owned(),
            Self::Pressed(ClockSide::Right, _) => "pressed on the right".to_owned(),
            Self::Note(words) => words.clone(),
            Self::Result(result) => format!("shown as the result: {result}"),
            Self::End { plies, fen } => match fen {
                Some(fen) => format!("{plies} moves, position {fen}"),
                None => "no position".to_owned(),
            },
        }
    }
}

/// Up to this many possible moves are named. If there are more, the move counts as unseen.
const NAMED_MAX: usize = 6;

/// A move by its number: "Black's move 20".
fn whose_move(made: &PlayedMove) -> String {
    let whose = made.side.fold_wb("White", "Black");
    format!("{whose}'s move {}", made.ply.div_ceil(2))
}

/// A move with its number: `12. g1f3`, or `12... g8f6` for Black.
pub(crate) fn move_words(played: &PlayedMove) -> String {
    let number = played.ply.div_ceil(2);
    let dots = played.side.fold_wb(".", "...");
    format!("{number}{dots} {}", played.played)
}
