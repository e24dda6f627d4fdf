//! Scores in every form: written, read again, and thrown at the readers broken.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the games are files, the time limit is measured, and a test fails by panicking"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use annexd::discrepancy::{ByOwner, Case, Verdict, reconcile};
use annexd::laws::GameResult;
use annexd::score::{
    BrailleCode, BrailleForm, BraillePage, Entry, Letters, Meaning, Notated, ReadScore, Score,
    SheetWords, Signature, Standing, braille_games, decoded, from_json, read_move, read_score,
    to_braille, to_html, to_list, to_pgn,
};
use proptest::prelude::*;
use shakmaty::{Chess, Color, Move, Position};
use work::worked;

#[path = "scores/maintained.rs"]
mod maintained;
#[path = "scores/numbers.rs"]
mod numbers;
use crate::work;

fn sheet_words() -> SheetWords {
    SheetWords::parse(include_str!("../grammar/de/scores.toml")).unwrap()
}

/// All games there are, as scores with times and offers here and there.
fn scores() -> Vec<Score> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut scores = Vec::new();
    for file in [
        "tests/scores/classics.pgn",
        "../shared/games/twic1599_100k.pgn",
    ] {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            eprintln!("{file} is not there; its games are skipped");
            continue;
        };
        for game in 1.. {
            let Ok(read) = read_score(&text, None, game) else {
                break;
            };
            scores.push(read.score);
        }
    }
    // Random games see promotions and en passant.
    scores.extend((1..120).map(random_score));
    scores
}

fn random_score(seed: u64) -> Score {
    let mut score = Score::new(Some(Color::Black));
    let mut position = Chess::default();
    let mut dice = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for ply in 0..300 {
        let legal = position.legal_moves();
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let Some(&played) = legal.get((dice >> 20) as usize % legal.len().max(1)) else {
            break;
        };
        score.record(Entry::new(Notated::of_move(played))).unwrap();
        if ply % 3 == 0 {
            score.note_clock(Duration::from_secs(5400 - ply)).unwrap();
        }
        if ply % 50 == 7 {
            score.mark_offer().unwrap();
        }
        position.play_unchecked(played);
    }
    score.set_result(Some(GameResult::Draw)).unwrap();
    score
}

/// A ply as a score says it: the move, the time left, and whether a draw was offered.
type Ply = (Option<Move>, Option<Duration>, bool);

/// What a score says as a game.
fn said(score: &Score) -> (Vec<Ply>, Option<GameResult>) {
    let mut standing = Standing::of(score.start());
    let plies = score.entries().iter().map(|entry| {
        let played = match standing.read(entry) {
            Meaning::Legal(played) => Some(played),
            _ => None,
        };
        standing = standing.after_entry(entry);
        (played, entry.clock, entry.offer)
    });
    (plies.collect(), score.result())
}

#[track_caller]
fn check_again(score: &Score, again: &ReadScore, form: &str) {
    assert_eq!(said(&again.score), said(score), "{form}");
    assert_eq!(again.score.keeper(), score.keeper(), "{form}");
}

#[test]
fn every_third_game_is_read_again_from_every_form() {
    read_again_from_every_form(scores().into_iter().step_by(3));
}

#[test]
#[ignore = "takes minutes: make soak"]
fn every_game_is_read_again_from_every_form() {
    let scores = scores();
    assert!(scores.len() > 100);
    read_again_from_every_form(scores.into_iter());
}

fn read_again_from_every_form(scores: impl Iterator<Item = Score>) {
    for score in scores {
        let score = &score;
        let (plies, _) = said(score);
        assert!(plies.iter().all(|(played, ..)| played.is_some()));
        let pgn = to_pgn(score);
        check_again(score, &read_score(&pgn, None, 1).unwrap(), "PGN");
        for letters in Letters::ALL {
            let list = to_list(score, letters);
            let read = read_score(&list, Some(letters), 1).unwrap();
            check_again(score, &read, &format!("{letters}"));
            assert_eq!(read.notes, [], "{letters}");
        }
        for code in [BrailleCode::British, BrailleCode::German] {
            for form in [BrailleForm::Unicode, BrailleForm::Brf] {
                let braille = to_braille(score, code, form, BraillePage::default());
                let (list, letters) = braille_games(&braille).remove(0);
                let read = read_score(&list, Some(letters), 1).unwrap();
                check_again(score, &read, &format!("{code} {form:?}\n{braille}\n{list}"));
            }
        }
        let json = serde_json::to_string(score).unwrap();
        assert_eq!(serde_json::from_str::<Score>(&json).unwrap(), *score);
        assert!(to_html(score, Letters::German, "de", &sheet_words()).contains("</html>"));
    }
}

#[test]
fn letters_are_found_out_and_doubt_is_said() {
    for (sheet, letters, doubtful) in [
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5", Letters::German, false),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5", Letters::English, false),
        ("1. e4 e5 2. Cf3 Cc6 3. Bb5", Letters::Portuguese, false),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5", Letters::French, false),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5", Letters::Dutch, false),
        ("1. e4 e5 2. ♘f3 ♞c6 3. ♗b5", Letters::English, false),
        ("1. e4 e5 2. Cf3 Cc6", Letters::Portuguese, false),
        ("1. e4 e5", Letters::English, false),
    ] {
        let read = read_score(sheet, None, 1).unwrap();
        assert_eq!(read.letters, letters, "{sheet}");
        assert_eq!(!read.other_letters.is_empty(), doubtful, "{sheet}");
    }
    // K in the corner: only the position tells the king from the rook, and here it does not.
    let start = "FEN: 4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let read = read_score(&format!("{start}\n1. Rd1"), None, 1).unwrap();
    assert!(
        !read.other_letters.is_empty(),
        "R is a rook or a Portuguese king"
    );
}

#[test]
fn the_sample_game_of_the_danish_laws_is_read_and_written() {
    let sheet = "1.d4,Sf6 2.c4,e6 3.Sc3,Lb4 4.Ld2,0-0 5.e4,d5 6.exd5,exd5 7.cxd5,Lxc3 8.Lxc3,Sxd5 \
                 9.Sf3,b6 10.Db3,Sxc3 11.bxc3,c5 12.Le2,cxd4 13.Sxd4,Te8 14.0-0,Sd7 15.a4,Sc5 \
                 16.Db4,Lb7 17.a5";
    for letters in [None, Some(Letters::Danish)] {
        let read = read_score(sheet, letters, 1).unwrap();
        assert_eq!(read.notes, [], "{letters:?}");
        let (plies, _) = said(&read.score);
        assert_eq!(plies.len(), 33);
        let mut standing = Standing::of(read.score.start());
        for (played, ..) in plies {
            standing = standing.after(played.unwrap());
        }
        let placement = standing.board().to_string();
        assert_eq!(placement, "r2qr1k1/pb3ppp/1p6/P1n5/1Q1N4/2P5/4BPPP/R4RK1");
        let list = to_list(&read.score, Letters::Danish);
        assert!(list.contains("Sxd4 Te8"), "{list}");
    }
}

#[test]
fn result_offers_times_and_both_signatures_survive() {
    let mut score = Score::new(Some(Color::White));
    for played in random_long(3).into_iter().take(9) {
        score.record(Entry::new(Notated::of_move(played))).unwrap();
        score.note_clock(Duration::from_secs(3599)).unwrap();
    }
    score.mark_offer().unwrap();
    score.set_result(Some(GameResult::Draw)).unwrap();
    for side in Color::ALL {
        score.sign(Signature { side, at: None }).unwrap();
    }
    let check = |text: &str, letters: Option<Letters>, form: &str| {
        let again = read_score(text, letters, 1).unwrap();
        check_again(&score, &again, form);
        assert!(again.score.is_locked(), "{form}: {text}");
    };
    check(&to_pgn(&score), None, "PGN");
    let list = to_list(&score, Letters::French);
    check(&list, Some(Letters::French), "list");
    for code in [BrailleCode::British, BrailleCode::German] {
        for form in [BrailleForm::Unicode, BrailleForm::Brf] {
            let braille = to_braille(&score, code, form, BraillePage::default());
            let (list, letters) = braille_games(&braille).remove(0);
            check(&list, Some(letters), "Braille");
        }
    }
}

#[test]
fn a_line_can_have_several_names_and_a_sheet_can_end_in_remis() {
    let sheet =
        "Datum: 12. 3. 2024  Ort: Köln, Saal: 3\nWeiß: A Schwarz: B\n\n1. e4 e5 (=) 2. Sf3 remis";
    let score = read_score(sheet, None, 1).unwrap().score;
    let tag = |name| score.tag(name).unwrap_or_default();
    assert_eq!(tag("Date"), "12. 3. 2024");
    assert_eq!(tag("Site"), "Köln, Saal: 3");
    assert_eq!((tag("White"), tag("Black")), ("A", "B"));
    assert_eq!(score.result(), Some(GameResult::Draw));
    let offers: Vec<_> = score.entries().iter().map(|entry| entry.offer).collect();
    assert_eq!(offers, [false, true, false]);
}

#[test]
fn faulty_sheets_are_kept_with_notes() {
    let sheet = "1. e4 e5\n2. Sf? Sc6\n4. Lb5 Qqq\n5. La4\n6. 0-0 Le7 Zug!";
    let read = read_score(sheet, Some(Letters::German), 1).unwrap();
    assert_eq!(read.score.entries().len(), 10);
    assert_eq!(read.score.entries()[7].notated, Notated::Blank);
    let lines: Vec<_> = read.notes.iter().map(|note| note.line).collect();
    assert_eq!(lines, [3, 3, 5], "{:?}", read.notes);
    let empty = read_score("no moves here", None, 1).unwrap_err();
    assert!(empty.to_string().contains("no move"), "{empty}");
    let two = read_score("[Event \"x\"]\n\n1. e4 *\n", None, 2).unwrap_err();
    assert!(two.to_string().contains("only 1"), "{two}");
    let fen = read_score("[FEN \"nonsense\"]\n\n1. e4 *\n", None, 1).unwrap_err();
    assert!(fen.to_string().contains("FEN"), "{fen}");
}

#[test]
fn what_is_no_legal_move_comes_back_from_pgn() {
    let sheet = "1. e4 e5 2. Sf? Zzz 3. -- S]} (=) 0:59:59 4. Kb8 e8=D";
    let score = read_score(sheet, Some(Letters::German), 1).unwrap().score;
    let again = read_score(&to_pgn(&score), None, 1).unwrap().score;
    let notated = |score: &Score| -> Vec<Notated> {
        let entries = score.entries().iter();
        entries.map(|entry| entry.notated.clone()).collect()
    };
    assert_eq!(notated(&again), notated(&score));
    assert_eq!(said(&again), said(&score));
    assert_eq!(again.entries()[5].written, score.entries()[5].written);
}

#[test]
fn two_sheets_of_three_hundred_moves_are_settled_in_time() {
    let long = (1..400)
        .map(random_long)
        .find(|moves| moves.len() == 600)
        .unwrap();
    let clean = score_of(&long);
    let mut dirty: Vec<Entry> = clean.entries().to_vec();
    dirty.remove(200);
    dirty.insert(400, Entry::new(Notated::Unreadable));
    dirty.remove(401);
    let mut other = Score::new(None);
    for entry in dirty {
        other.record(entry).unwrap();
    }
    let case = Case {
        scores: ByOwner {
            player: &clean,
            opponent: &other,
        },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    };
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let begun = Instant::now();
        let report = reconcile(&case);
        fastest = fastest.min(begun.elapsed());
        assert_eq!(report.verdict, Verdict::Same);
        assert_eq!(report.faults.len(), 2);
    }
    eprintln!("two sheets of 300 moves with two faults: {fastest:?}");
    // The limit is for the program as it is shipped; without optimisation it is slower, and how
    // much depends on what else the machine does.
    if !cfg!(debug_assertions) {
        assert!(fastest < Duration::from_millis(20), "{fastest:?}");
    }
}

fn random_long(seed: u64) -> Vec<Move> {
    let mut position = Chess::default();
    let mut dice = seed.wrapping_mul(0xD129_0D3C_6E5B_4F97) | 1;
    let mut moves = Vec::new();
    while moves.len() < 600 {
        let legal = position.legal_moves();
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let quiet: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|played| !played.is_capture())
            .collect();
        let choice = if quiet.is_empty() { &legal[..] } else { &quiet };
        let Some(&played) = choice.get((dice >> 20) as usize % choice.len().max(1)) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

fn score_of(moves: &[Move]) -> Score {
    let mut score = Score::new(None);
    for &played in moves {
        score.record(Entry::new(Notated::of_move(played))).unwrap();
    }
    score
}

#[test]
fn a_printed_sheet_can_be_read_by_a_screen_reader() {
    for score in scores().iter().take(30) {
        let html = to_html(score, Letters::German, "de", &sheet_words());
        assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"de\">"));
        let mut open: Vec<&str> = Vec::new();
        let mut rows_of_page = 0;
        let mut has_caption = false;
        for tag in html.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').unwrap();
            let name = tag.split(' ').next().unwrap();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
                None if matches!(name, "!DOCTYPE" | "meta") => {}
                None => open.push(name),
            }
            match name {
                "section" => rows_of_page = 0,
                "table" => has_caption = false,
                "caption" => has_caption = !text.is_empty(),
                "th" if open.contains(&"thead") => assert_eq!(tag, "th scope=\"col\""),
                "th" => {
                    assert_eq!(tag, "th scope=\"row\"");
                    rows_of_page += 1;
                    assert!(has_caption && rows_of_page <= 60);
                }
                "td" => assert!(open.contains(&"tr")),
                "script" | "img" | "link" => panic!("nothing is fetched: {tag}"),
                _ => {}
            }
        }
        assert_eq!(open, Vec::<&str>::new());
    }
}

/// The chunks of a WAV file, read apart from the writer: name and content.
fn chunks(mut bytes: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let mut chunks = Vec::new();
    while let [a, b, c, d, rest @ ..] = bytes {
        let (length, rest) = rest.split_first_chunk::<4>().unwrap();
        let length = u32::from_le_bytes(*length) as usize;
        chunks.push(([*a, *b, *c, *d], &rest[..length]));
        bytes = rest.get(length + length % 2..).unwrap_or_default();
    }
    chunks
}

/// The samples of a recording, and its marks: where each stands, and what it is called.
fn recording(bytes: &[u8]) -> (Vec<i16>, Vec<usize>, Vec<String>) {
    assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    let all = chunks(&bytes[12..]);
    let content = |name: &[u8; 4]| all.iter().find(|(known, _)| known == name).unwrap().1;
    let samples: Vec<i16> = content(b"data")
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let points: Vec<usize> = content(b"cue ")[4..]
        .chunks_exact(24)
        .map(|point| number(&point[20..]) as usize)
        .collect();
    let labels: Vec<String> = chunks(&content(b"LIST")[4..])
        .into_iter()
        .map(|(_, label)| String::from_utf8_lossy(&label[4..label.len() - 1]).into_owned())
        .collect();
    (samples, points, labels)
}

#[test]
fn the_recording_has_a_mark_for_each_entry_and_sound_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let [sheet, sound] = ["sheet.txt", "sound.wav"].map(|name| folder.path().join(name));
    let text = "Ergebnis: 1-0\n1. e4 e5 2. Dh5 Sc6 3. Lc4 Sf6 (=) 4. Dxf7#\n";
    std::fs::write(&sheet, text).unwrap();
    let exported = std::process::Command::new(env!("CARGO_BIN_EXE_annexd"))
        .args(["score", "export", "--format", "audio", "--output"])
        .args([&sound, &sheet])
        .status()
        .unwrap();
    assert!(exported.success());
    let (samples, points, labels) = recording(&std::fs::read(&sound).unwrap());
    let named = [
        "1. e4", "1... e5", "2. Dh5", "2... Sc6", "3. Lc4", "3... Sf6", "4. Dxf7#", "1-0",
    ];
    assert_eq!(labels, named);
    assert_eq!(points.len(), labels.len());
    assert!(points.is_sorted_by(|one, other| one < other));
    for point in points {
        let second = &samples[point..(point + 16_000).min(samples.len())];
        assert!(second.iter().any(|&sample| sample.abs() > 1000), "{point}");
    }
}

#[test]
fn the_recording_says_the_numbers_of_the_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = |text: &str| {
        let [sheet, sound] = ["sheet.txt", "sound.wav"].map(|name| folder.path().join(name));
        std::fs::write(&sheet, text).unwrap();
        let exported = std::process::Command::new(env!("CARGO_BIN_EXE_annexd"))
            .args(["score", "export", "--format", "audio", "--output"])
            .args([&sound, &sheet])
            .status();
        assert!(exported.unwrap().success());
        recording(&std::fs::read(&sound).unwrap())
    };
    let (usual, ..) = recorded("1. e4 e5 2. Sf3 Sc6");
    let (samples, _, labels) = recorded("1. e4 e5 9. Sf3 Sc6");
    assert_eq!(labels, ["1. e4", "1... e5", "9. Sf3", "9... Sc6"]);
    assert_ne!(samples, usual);
    // Black's move stands alone in its row, which has its number as well.
    let (.., labels) = recorded("1. e4 e5\n9... Sc6");
    assert_eq!(labels, ["1. e4", "1... e5", "9. -", "9... Sc6"]);
}

#[test]
fn the_recording_says_what_is_no_legal_move_and_is_silent_where_nothing_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let [sheet, sound] = ["sheet.txt", "sound.wav"].map(|name| folder.path().join(name));
    std::fs::write(&sheet, "1. e4 Nf3 2. ??? Nc6\n").unwrap();
    let export = |language: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_annexd"))
            .args([
                "score",
                "export",
                "--format",
                "audio",
                "--language",
                language,
            ])
            .args(["--output".as_ref(), sound.as_os_str(), sheet.as_os_str()])
            .output()
            .unwrap()
    };
    assert!(export("de").status.success());
    let bytes = std::fs::read(&sound).unwrap();
    let all = chunks(&bytes[12..]);
    let content = |name: &[u8; 4]| all.iter().find(|(known, _)| known == name).unwrap().1;
    let samples: Vec<i16> = content(b"data")
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let points: Vec<usize> = content(b"cue ")[4..]
        .chunks_exact(24)
        .map(|point| u32::from_le_bytes(point[20..].try_into().unwrap()) as usize)
        .collect();
    let is_said: Vec<bool> = points
        .iter()
        .zip(points.iter().skip(1).chain([&samples.len()]))
        .map(|(&from, &to)| samples[from..to].iter().any(|&sample| sample.abs() > 1000))
        .collect();
    assert_eq!(is_said, [true, true, false, true]);
    // Of other languages there are no recorded words, which is said.
    for language in ["en", "da", "sv"] {
        let export = export(language);
        assert_eq!(export.status.code(), Some(4), "{language}");
        let told = String::from_utf8_lossy(&export.stderr).into_owned();
        assert!(told.contains(&format!("assets/voice/{language}")), "{told}");
    }
}

#[test]
fn names_with_any_signs_come_back() {
    for value in [
        r"two \\ in a row",
        r"\\\\",
        r#"\" and \\""#,
        r#"a "quoted" word"#,
        "x;y {z} [1] (=)",
    ] {
        let mut score = read_score("1. e4 e5 2. Nf3", None, 1).unwrap().score;
        score.set_tag("Event", value).unwrap();
        let pgn = read_score(&to_pgn(&score), None, 1).unwrap().score;
        let list = to_list(&score, Letters::German);
        let list = read_score(&list, Some(Letters::German), 1).unwrap().score;
        let json = from_json(&serde_json::to_string(&score).unwrap()).unwrap();
        let page = BraillePage::default();
        let braille = [BrailleCode::British, BrailleCode::German].map(|code| {
            let (list, letters) =
                braille_games(&to_braille(&score, code, BrailleForm::Brf, page)).remove(0);
            read_score(&list, Some(letters), 1).unwrap().score
        });
        for again in [pgn, list, json].iter().chain(&braille) {
            assert_eq!(again.tag("Event"), Some(value));
        }
    }
}

#[test]
fn a_name_that_would_be_read_as_something_else_stands_above_no_list() {
    let sheet = "[e \"1\"]\n[Re \"2\"]\n[No move \"3\"]\n[White_Elo \"4\"]\n\n1. e4 e5 2. Nf3 *\n";
    let score = read_score(sheet, None, 1).unwrap().score;
    assert_eq!(score.tag("No move"), None);
    let list = to_list(&score, Letters::German);
    let again = read_score(&list, Some(Letters::German), 1).unwrap().score;
    assert_eq!(again.entries().len(), 3, "{list}");
    assert_eq!(again.tag("White_Elo"), Some("4"));
}

proptest! {
    #[test]
    fn readers_survive_any_text(text in "\\PC{0,300}", game in 0_usize..4) {
        let _ = read_score(&text, None, game);
        let _ = read_score(&format!("[Event \"x\"]\n\n{text}"), None, game);
        let _ = braille_games(&text);
        for letters in Letters::ALL {
            let _ = read_move(&text, letters);
        }
    }

    #[test]
    fn readers_survive_anything_like_a_score(
        words in proptest::collection::vec(
            "[KQRBNSDTLCFP♘?]?[a-h?]?[1-8]?[-x:]?[a-h?]?[1-8?]?[=/(]?[QDSN]?[)+#!?]{0,2}\
             |[0-9]{1,3}\\.{0,3}|\\(|\\)|\\{|\\}|;|\\[%clk 0:00:0[0-9]\\]|\\$[0-9]|0-0|O-O-O|\n",
            0..80,
        ),
    ) {
        let text = words.join(" ");
        if let Ok(read) = read_score(&text, None, 1) {
            let again = read_score(&to_pgn(&read.score), None, 1);
            let again = again.map(|again| said(&again.score));
            prop_assert_eq!(again, Ok(said(&read.score)));
            let case = Case {
                scores: ByOwner { player: &read.score, opponent: &read.score },
                boards: ByOwner::default(),
                start: None,
                clock_log: &[],
            };
            let _ = reconcile(&case);
        }
    }
}

/// Sheets with very long lines, or very many.
fn long_sheets() -> [String; 4] {
    [
        format!("e4 e5 1-0\n{}", "foo ".repeat(20_000)),
        format!("1. e4 e5 1-0\n{}", "foo\n".repeat(10_000)),
        format!("1. e4 e5\n2. {}Nf3", "9.".repeat(50_000)),
        "1. e4 e5\n\n".repeat(1_000),
    ]
}

#[test]
fn long_lines_are_read_or_refused() {
    for text in long_sheets() {
        if let Err(error) = read_score(&text, None, 1) {
            assert!((1..=text.lines().count()).contains(&error.line), "{error}");
        }
    }
}

/// Whatever stands in a sheet, to read it does not take ever longer for each line.
#[test]
#[ignore = "measures time, for make soak"]
fn long_lines_are_read_or_refused_in_time() {
    for text in long_sheets() {
        let since = worked();
        let _ = read_score(&text, None, 1);
        let took = worked().saturating_sub(since);
        let begin: String = text.chars().take(40).collect();
        assert!(took < Duration::from_secs(60), "{begin:?}: {took:?}");
    }
}

/// What is no sheet at all is refused with its place: bytes and letters by chance.
#[test]
fn noise_is_no_score() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    };
    let mut refused = 0;
    for round in 0..120 {
        let bytes: Vec<u8> = (0..3_000)
            .map(|_| match round % 3 {
                0 => below(256) as u8,
                1 => 32 + below(95) as u8,
                _ => [b'\n', b' ', 32 + below(95) as u8, 32 + below(95) as u8][below(4) as usize],
            })
            .collect();
        match read_score(&decoded(&bytes), None, 1) {
            Ok(read) => {
                // What follows a bracket that is never closed is passed over.
                let entries = read.score.entries().len();
                assert!(entries <= 6, "round {round}: {entries} entries");
            }
            Err(error) => {
                assert!((1..=3_000).contains(&error.line), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 110, "only {refused} of 120 are refused");
}

/// Half of a sheet that cannot be read is no reason to refuse the rest.
#[test]
fn a_half_readable_sheet_is_read() {
    for sheet in [
        "1. e4 e5\n2. S?3 ~~~\n3. L?? ###\n4. #### Sf6\n5. ---- ????\n6. %%% Le7",
        "1. %%% e5\n2. Sf3 %%%\n3. %%% a6\n4. %%% %%%\n5. 0-0 %%%",
        "e4 %% Sf3 %% Lb5 a6",
        "e4\u{1}\u{2} e5 Sf3\u{1b}[0m Sc6",
    ] {
        let read = read_score(sheet, None, 1);
        assert!(read.is_ok(), "{sheet}: {read:?}");
    }
}
