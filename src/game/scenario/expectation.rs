//! What must follow an event.

use shakmaty::{Board, Color};

use super::Happening;
use super::squares::{color, letters, time, written_time};
use super::words::nearest;
use crate::{Effect, Form, Game};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, Phrase};

/// One expectation.
#[derive(Clone, Debug)]
pub(super) enum Expected {
    /// This is said or proposed: all words stand in the plain line, in this order.
    Line(Vec<String>),
    /// No plain line has these words.
    NoLine(Vec<String>),
    /// Nothing is said, on any channel or on this one.
    Silence(Option<String>),
    /// The side whose clock runs.
    Runs(Option<Color>),
    /// The time that a clock shows.
    Shows(Color, std::time::Duration),
    /// The side having the move.
    Turn(Color),
    /// The position after the moves made.
    Position(Board),
    /// The placement on a board.
    Board(Color, Board),
    /// The number of plies in the scores.
    Moves(usize),
    /// The number of draw offers marked in the scores.
    Offers(usize),
    /// The game goes on.
    GoesOn,
    /// What a microphone expects.
    Listens(Option<Color>, Form),
}

impl Expected {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.trim_start_matches("- ").split_whitespace().collect();
        let side = |word: &str| color(word).ok_or(format!("{word}: write white or black"));
        let board = |word: &str| word.parse().map_err(|error| format!("{word}: {error}"));
        let words: Vec<&str> = words.into_iter().map(channel_name).collect();
        Ok(match words.as_slice() {
            ["nothing"] => Self::Silence(None),
            ["nothing", "on", channel @ ..] => Self::Silence(Some(channel.join(" "))),
            ["no", words @ ..] => Self::NoLine(owned(words)),
            ["clock" | "clocks", "stands" | "stand" | "stopped"] => Self::Runs(None),
            ["clock", on, "runs" | "running"] => Self::Runs(Some(side(on)?)),
            ["clock", on, "shows", left] | ["clock", on, left] => {
                let left = time(left).ok_or(format!("{left}: no time such as 1:30:00"))?;
                Self::Shows(side(on)?, left)
            }
            ["turn", on] => Self::Turn(side(on)?),
            ["position", placement, ..] => Self::Position(board(placement)?),
            ["board", on, placement, ..] => Self::Board(side(on)?, board(placement)?),
            ["moves", number] => {
                Self::Moves(number.parse().map_err(|_| format!("{number}: no number"))?)
            }
            ["offers", number] => {
                Self::Offers(number.parse().map_err(|_| format!("{number}: no number"))?)
            }
            ["the", "game", "goes", "on"] => Self::GoesOn,
            ["listens", who, form] => {
                let form = serde_json::from_value((*form).into());
                Self::Listens(color(who), form.map_err(|error| error.to_string())?)
            }
            ["result", result] => Self::Line(vec!["ends".to_owned(), (*result).to_owned()]),
            [
                "EAR" | "TABLE" | "ARBITER" | "ASSISTANT" | "proposes" | "explains" | "ends"
                | "lights" | "silence" | "earcon",
                ..,
            ] => Self::Line(owned(&words)),
            _ => {
                let first = words.first().copied().unwrap_or_default();
                return Err(format!(
                    "nothing like this can be expected: {text}{}",
                    nearest(first, &KINDS)
                ));
            }
        })
    }

    pub(super) fn check(
        &self,
        game: &Game,
        at: Moment,
        effects: &[Happening],
    ) -> Result<(), String> {
        let lines = || effects.iter().map(Happening::line).collect::<Vec<_>>();
        let is = |is: bool, otherwise: String| if is { Ok(()) } else { Err(otherwise) };
        match self {
            Self::Line(words) => is(
                lines().iter().any(|line| has(line, words)),
                format!(
                    "expected: {}; came: {}",
                    words.join(" "),
                    lines().join("; ")
                ),
            ),
            Self::NoLine(words) => is(
                !lines().iter().any(|line| has(line, words)),
                format!(
                    "must not come: {}; came: {}",
                    words.join(" "),
                    lines().join("; ")
                ),
            ),
            Self::Silence(channel) => {
                let spoken: Vec<String> = effects
                    .iter()
                    .filter(|happening| {
                        matches!(&happening.effect, Effect::Say { channel: on, .. }
                            if channel.as_ref().is_none_or(|only| on.to_string().starts_with(only)))
                    })
                    .map(Happening::line)
                    .collect();
                is(
                    spoken.is_empty(),
                    format!("expected nothing; came: {}", spoken.join("; ")),
                )
            }
            Self::Runs(side) => is(
                game.running() == *side,
                format!("runs: {:?}", game.running()),
            ),
            Self::Shows(side, left) => {
                let shown = game.times(at)[*side];
                is(
                    shown.as_secs() == left.as_secs(),
                    format!("the clock shows {}", written_time(shown)),
                )
            }
            Self::Turn(side) => is(
                game.turn() == *side,
                format!("{} has the move", game.turn()),
            ),
            Self::Position(board) => is(
                game.position() == board,
                format!("the position is {}", game.position()),
            ),
            Self::Board(side, board) => {
                let shown = game.placement(*side);
                is(shown == board, format!("the board shows {shown}"))
            }
            Self::Moves(number) => {
                let entries = game.score(Color::White).entries().len();
                is(entries == *number, format!("the score has {entries} moves"))
            }
            Self::Offers(number) => {
                let entries = game.score(Color::White).entries();
                let marked = entries.iter().filter(|entry| entry.offer).count();
                is(marked == *number, format!("{marked} offers are marked"))
            }
            Self::GoesOn => is(game.ending().is_none(), "the game has ended".to_owned()),
            Self::Listens(microphone, form) => {
                let expected = game.expectation(*microphone).form;
                is(expected == *form, format!("it expects {expected:?}"))
            }
        }
    }
}

/// The words with which an expectation can begin.
const KINDS: [&str; 23] = [
    "EAR",
    "TABLE",
    "ARBITER",
    "ASSISTANT",
    "proposes",
    "explains",
    "ends",
    "result",
    "lights",
    "silence",
    "earcon",
    "no",
    "nothing",
    "clock",
    "turn",
    "position",
    "board",
    "moves",
    "offers",
    "the",
    "listens",
    "clocks",
    "game",
];

/// A channel's name, from the short names too, in any case.
fn channel_name(word: &str) -> &str {
    match word.to_uppercase().as_str() {
        "ARBC" | "ARB" => "ARBITER",
        "SP" => "TABLE",
        "AST" => "ASSISTANT",
        "EAR" => "EAR",
        "TABLE" => "TABLE",
        "ARBITER" => "ARBITER",
        _ => word,
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Whether all words stand in the line in this order, the first at its beginning.
fn has(line: &str, words: &[String]) -> bool {
    let mut rest = line.split_whitespace().map(bare);
    let mut words = words.iter().map(|word| bare(word));
    let Some(first) = words.next() else {
        return true;
    };
    rest.next() == Some(first) && words.all(|word| rest.any(|there| there == word))
}

/// A word without surrounding punctuation, in lower case; moves keep their case.
fn bare(word: &str) -> String {
    let bare = word.trim_matches(['"', '.', ',', ':', ';', '?', '!']);
    match bare.len() {
        2.. if !bare.bytes().any(|byte| byte.is_ascii_digit()) => bare.to_lowercase(),
        _ => bare.to_owned(),
    }
}

/// An effect as one plain line.
pub(super) fn plain(effect: &Effect) -> String {
    match effect {
        Effect::Say {
            channel, phrase, ..
        } => format!("{} {}", channel_word(*channel), words(phrase)),
        Effect::Silence(channel) => format!("silence {}", channel_word(*channel)),
        Effect::Earcon { channel, earcon } => {
            format!("earcon {} {}", json_words(earcon), channel_word(*channel))
        }
        Effect::Clock { running, left } => {
            let running = running.map_or("stands".to_owned(), |side| format!("{side} runs"));
            let [white, black] = [left.white, left.black].map(written_time);
            format!("clock {running} {white} {black}")
        }
        Effect::Listen(expectation) => {
            let who = expectation
                .microphone
                .map_or("shared".to_owned(), |side| side.to_string());
            format!("listens {who} {}", json_words(&expectation.form))
        }
        Effect::Light { board, squares } => {
            let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
            format!("lights {board} {}", squares.join(" "))
        }
        Effect::Propose {
            proposal,
            rulings,
            because,
        } => format!(
            "proposes {proposal} {} {}",
            words(because),
            json_words(rulings)
        ),
        Effect::Explain(explanation) => {
            let of = explanation
                .proposal
                .map_or("end".to_owned(), |it| it.to_string());
            let facts = explanation.facts.iter();
            let facts = facts.map(|fact| keyed(&json_words(&fact.key), &fact.arguments));
            let mut line = format!("explains {of} {}", explanation.article);
            for part in facts {
                line.push_str(" | ");
                line.push_str(&part);
            }
            for other in &explanation.otherwise {
                line.push_str(" | or ");
                line.push_str(&words(other));
            }
            line
        }
        Effect::AskHint(side) => format!("asks hint {side}"),
        Effect::Elsewhere(wish) => format!("wants elsewhere {}", json_words(wish)),
        Effect::Ended(ending) => {
            let result = ending
                .result
                .map_or("*".to_owned(), |result| result.to_string());
            format!(
                "ends {result} {} {}",
                json_words(&ending.termination),
                ending.article
            )
        }
    }
}

fn channel_word(channel: Channel) -> String {
    channel.to_string()
}

fn words(phrase: &Phrase) -> String {
    keyed(&json_words(&phrase.key), &phrase.arguments)
}

fn keyed(key: &str, arguments: &[Argument]) -> String {
    let mut line = key.to_owned();
    for argument in arguments {
        line.push(' ');
        line.push_str(&match argument {
            Argument::Move(said) => letters(said),
            Argument::Square(square) => square.to_string(),
            Argument::Piece(role) => role
                .map_or("nothing", annexd_laws::notation::as_words::role::word)
                .to_owned(),
            Argument::Pieces(role) => {
                format!("{}s", annexd_laws::notation::as_words::role::word(*role))
            }
            Argument::Squares(squares) => {
                let squares = squares.iter().map(ToString::to_string);
                squares.collect::<Vec<_>>().join(" ")
            }
            Argument::Counted(counted) => {
                let word = annexd_laws::notation::as_words::role::word;
                let counted = counted.iter();
                let counted = counted.map(|(role, number)| format!("{} {number}", word(*role)));
                counted.collect::<Vec<_>>().join(" ")
            }
            Argument::Side(side) => side.to_string(),
            Argument::Time(time) => written_time(*time),
            Argument::Allotment(control) => control.to_string(),
            Argument::Number(number) => number.to_string(),
            Argument::Article(text) | Argument::Text(text) | Argument::Language(text) => {
                text.clone()
            }
            Argument::Sentences(sentences) => {
                let keys = sentences.iter().map(|it| it.key.into());
                keys.collect::<Vec<&str>>().join(" ")
            }
            Argument::Fault(fault) => {
                let words = (fault.part, fault.reason, fault.remedy);
                json_words(&words)
            }
            Argument::Control(name) => name.clone(),
            Argument::Phrase(phrase) => words(phrase),
        });
    }
    line
}

/// A recorded value in words: `{"restore":{"plies":4}}` is `restore plies 4`.
fn json_words<T: serde::Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let spaced: String = json
        .chars()
        .map(|letter| match letter {
            '{' | '}' | '[' | ']' | '"' | ':' | ',' => ' ',
            other => other,
        })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}
