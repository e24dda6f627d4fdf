//! Sheets as people write them, read as a whole: what was taken, and what was said about it.
//!
//! Beside each file of `tests/sheets` stands what is read from it.
//! `ANNEXD_REWRITE=1 cargo test --test records sheets::` writes that anew for review.

#![expect(
    clippy::disallowed_methods,
    reason = "the sheets are files, and one variable rewrites what is read from them"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use annexd::score::{Letters, Meaning, Standing, decoded, read_score, to_list};
use shakmaty::{CastlingMode, CastlingSide, Move, Role};

#[test]
fn sheets_are_read_as_they_were_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    let mut sheets: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_none_or(|ending| ending != "read"))
        .collect();
    sheets.sort();
    assert!(sheets.len() >= 10, "only {} sheets", sheets.len());
    for path in sheets {
        let text = decoded(&fs::read(&path).unwrap());
        let read = read(&text);
        let reviewed = path.with_extension("read");
        if env::var("ANNEXD_REWRITE").is_ok() {
            fs::write(&reviewed, read).unwrap();
        } else {
            let reviewed = fs::read_to_string(&reviewed).unwrap();
            assert_eq!(read, reviewed, "{}", path.display());
        }
    }
}

fn read(text: &str) -> String {
    let mut said = String::new();
    for game in 1.. {
        let read = match read_score(text, None, game) {
            Ok(read) => read,
            Err(error) if game > 1 && error.to_string().contains("only") => break,
            Err(error) => return format!("{error}\n"),
        };
        let _ = writeln!(said, "letters: {}", read.letters);
        for note in &read.notes {
            let _ = writeln!(said, "line {}: {}", note.line, note.kind);
        }
        let _ = writeln!(said, "\n{}", to_list(&read.score, Letters::English));
        // A list holds one game; only PGN is cut into several.
        if !text.trim_start().starts_with('[') {
            break;
        }
    }
    said
}

/// The words of a language for the five officers and the pawn, from, to, a capture and both kinds
/// of castling.
type Words = ([&'static str; 6], [&'static str; 5]);

const WORDS: [Words; 7] = [
    (
        ["Bauer", "Springer", "Läufer", "Turm", "Dame", "König"],
        ["von", "nach", "schlägt", "kurze Rochade", "lange Rochade"],
    ),
    (
        ["pawn", "knight", "bishop", "rook", "queen", "king"],
        [
            "from",
            "to",
            "takes",
            "castles kingside",
            "castles queenside",
        ],
    ),
    (
        ["Bonde", "Springer", "Løber", "Tårn", "Dronning", "Konge"],
        ["fra", "til", "slår", "kort rokade", "lang rokade"],
    ),
    (
        ["bonde", "springare", "löpare", "torn", "dam", "kung"],
        ["från", "till", "slår", "kort rockad", "lång rockad"],
    ),
    (
        ["peão", "cavalo", "bispo", "torre", "dama", "rei"],
        ["de", "to", "captura", "roque pequeno", "roque grande"],
    ),
    (
        ["pion", "cavalier", "fou", "tour", "dame", "roi"],
        ["de", "to", "prend", "petit roque", "grand roque"],
    ),
    (
        ["pion", "paard", "loper", "toren", "dame", "koning"],
        ["van", "naar", "slaat", "korte rochade", "lange rochade"],
    ),
];

/// A move in words, in one of several ways to say it.
fn spelt_out(played: Move, (pieces, words): &Words, way: usize) -> String {
    let [from, to, takes, short, long] = words;
    if let Some(side) = played.castling_side() {
        return (if side == CastlingSide::KingSide {
            short
        } else {
            long
        })
        .to_string();
    }
    let piece = |role: Role| pieces[role as usize - 1];
    let origin = played.from().expect("a piece that stands somewhere");
    let join = if played.is_capture() { takes } else { to };
    let mut said = match way % 3 {
        0 => format!(
            "{} {from} {origin} {join} {}",
            piece(played.role()),
            played.to()
        ),
        1 => format!("{} {origin} {join} {}", piece(played.role()), played.to()),
        _ => format!("{origin} {join} {}", played.to()),
    };
    if let Some(role) = played.promotion() {
        said = format!("{said} = {}", piece(role));
    }
    said
}

#[test]
fn whole_games_in_the_words_of_each_language_are_read_like_games_in_letters() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let games = fs::read_to_string(folder.join("tests/scores/classics.pgn")).unwrap();
    let mut moves = 0;
    for game in 1..=25 {
        let Ok(read) = read_score(&games, None, game) else {
            break;
        };
        for (tongue, words) in WORDS.iter().enumerate() {
            let mut standing = Standing::of(read.score.start());
            let mut sheet = String::new();
            let mut played = Vec::new();
            for (ply, entry) in read.score.entries().iter().enumerate() {
                let Meaning::Legal(one) = standing.read(entry) else {
                    break;
                };
                standing = standing.after(one);
                played.push(one);
                if ply % 2 == 0 {
                    let _ = write!(sheet, "\n{}.", ply / 2 + 1);
                }
                // Now and then a move stands in letters.
                let said = match (ply * 7 + game * 3 + tongue) % 5 {
                    4 => one.to_uci(CastlingMode::Standard).to_string(),
                    way => spelt_out(one, words, way),
                };
                let _ = write!(sheet, " {said}");
            }
            let again = read_score(&sheet, None, 1).unwrap();
            let mut standing = Standing::of(again.score.start());
            let mut found = Vec::new();
            for entry in again.score.entries() {
                let Meaning::Legal(one) = standing.read(entry) else {
                    panic!("game {game}: {} in {sheet}", entry.words());
                };
                standing = standing.after(one);
                found.push(one);
            }
            assert_eq!(found, played, "game {game}: {sheet}");
            moves += found.len();
        }
    }
    assert!(moves > 800, "only {moves} moves");
}
