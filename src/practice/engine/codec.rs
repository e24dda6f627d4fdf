//! The part of UCI that a game needs: reads lines, and writes the lines to send. Pure.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move};

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EngineLine {
    /// The name that the program gives itself.
    Name(String),
    /// An option that can be set.
    Choice(Choice),
    /// All options were listed.
    UciOk,
    /// The move it plays, as it wrote it.
    BestMove(String),
    /// The program's evaluation of its position, in hundredths of a pawn. A mate counts far more
    /// than any other.
    Score(i32),
    /// Lines of the protocol that do not matter here.
    Talk,
    /// A line that is no UCI.
    Nonsense,
}

/// An option of a chess program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) name: String,
    /// The range of its value, if that is a number.
    pub(super) range: Option<(i64, i64)>,
}

/// The value of a mate.
const MATE: i32 = 100_000;

/// Returns the meaning of a line.
pub(super) fn read(line: &str) -> EngineLine {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [] | ["info" | "readyok" | "copyprotection" | "registration", ..] => score(&words),
        ["id", "name", name @ ..] => EngineLine::Name(name.join(" ")),
        ["id", ..] => EngineLine::Talk,
        ["uciok"] => EngineLine::UciOk,
        ["bestmove", rest @ ..] => {
            EngineLine::BestMove(rest.first().copied().unwrap_or("").to_owned())
        }
        ["option", "name", rest @ ..] => choice(rest),
        _ => EngineLine::Nonsense,
    }
}

fn score(words: &[&str]) -> EngineLine {
    let number = |word: &str| word.parse::<i32>().ok();
    let found = words.windows(3).find_map(|three| match three {
        ["score", "cp", value] => number(value),
        ["score", "mate", moves] => {
            let moves = number(moves)?;
            Some(if moves > 0 { MATE } else { -MATE })
        }
        _ => None,
    });
    found.map_or(EngineLine::Talk, EngineLine::Score)
}

/// Reads an option: `Skill Level type spin default 20 min 0 max 20`.
fn choice(words: &[&str]) -> EngineLine {
    let Some(place) = words.iter().position(|word| *word == "type") else {
        return EngineLine::Nonsense;
    };
    let (name, rest) = words.split_at(place);
    let value = |of: &str| {
        let mut pairs = rest.windows(2);
        let found = pairs.find(|pair| pair.first() == Some(&of))?;
        found.get(1)?.parse::<i64>().ok()
    };
    let range = value("min").zip(value("max"));
    EngineLine::Choice(Choice {
        name: name.join(" "),
        range: range.filter(|(least, most)| least <= most),
    })
}

/// Writes the starting position and the moves since, so that the program notices repetitions.
pub(super) fn position(start: &Chess, moves: &[Move], is_960: bool) -> String {
    let fen = Fen::from_position(start, EnPassantMode::Legal);
    let mut line = format!("position fen {fen}");
    if !moves.is_empty() {
        line.push_str(" moves");
    }
    for one in moves {
        line.push_str(&format!(" {}", one.to_uci(mode(is_960))));
    }
    line
}

/// Returns how castling is written.
pub(super) const fn mode(is_960: bool) -> CastlingMode {
    match is_960 {
        true => CastlingMode::Chess960,
        false => CastlingMode::Standard,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position as _;

    use super::*;

    #[test]
    fn what_stockfish_says_is_understood() {
        for (line, meaning) in [
            (
                "id name Stockfish 15.1",
                EngineLine::Name("Stockfish 15.1".to_owned()),
            ),
            ("id author the Stockfish developers", EngineLine::Talk),
            (
                "option name Skill Level type spin default 20 min 0 max 20",
                EngineLine::Choice(Choice {
                    name: "Skill Level".to_owned(),
                    range: Some((0, 20)),
                }),
            ),
            (
                "option name EvalFile type string default nn.nnue",
                EngineLine::Choice(Choice {
                    name: "EvalFile".to_owned(),
                    range: None,
                }),
            ),
            ("  uciok  ", EngineLine::UciOk),
            ("readyok", EngineLine::Talk),
            (
                "info depth 9 seldepth 12 score cp -31 nodes 9 pv e7e5",
                EngineLine::Score(-31),
            ),
            (
                "info depth 9 score mate -2 pv e7e5",
                EngineLine::Score(-MATE),
            ),
            ("info string score", EngineLine::Talk),
            (
                "bestmove e2e4 ponder e7e5",
                EngineLine::BestMove("e2e4".to_owned()),
            ),
        ] {
            assert_eq!(read(line), meaning, "{line}");
        }
    }

    #[test]
    fn nonsense_is_nonsense_and_harms_nobody() {
        for line in [
            "hello",
            "option name",
            "bestmov e2e4",
            "\u{fffd}\u{0}",
            "uciok?",
        ] {
            assert_eq!(read(line), EngineLine::Nonsense, "{line}");
        }
        assert_eq!(read("bestmove"), EngineLine::BestMove(String::new()));
        assert_eq!(
            read("bestmove (none)"),
            EngineLine::BestMove("(none)".to_owned())
        );
        let turned = "option name X type spin default 1 min 9 max 2";
        assert!(matches!(
            read(turned),
            EngineLine::Choice(Choice { range: None, .. })
        ));
    }

    #[test]
    fn a_position_is_told_with_its_moves() {
        let start = Chess::default();
        let first = start.legal_moves()[0];
        let told = position(&start, &[first], false);
        let begins = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves ";
        assert!(told.starts_with(begins), "{told}");
        assert_eq!(told.len(), begins.len() + 4, "{told}");
    }
}
