//! Files of scores that are dictated, marked, signed and compared: nothing in them is lost, and
//! nothing wrong is told.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the sheets are files that a test writes"
)]

use crate::common;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use annexd::laws::GameResult;
use annexd::score::{Provenance, Score, from_json};
use shakmaty::Color;

use common::{Home, errors, file, given, printed, text};

fn score(path: &str) -> Score {
    from_json(&fs::read_to_string(path).unwrap()).unwrap()
}

const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 \
                    Bb7 Bc2 Re8 Nf1 Bf8 Ng3 g6 a4 c5 d5 c4 Bg5 h6 Be3 Nc5";

/// Rows with numbers from `first` on, and with the time that White and Black have after each move:
/// 89:00 and 88:53 after the first.
fn rows(moves: &[&str], first: usize, with_times: bool) -> String {
    let mut text = String::new();
    for (row, pair) in moves.chunks(2).enumerate() {
        write!(text, "{}.", row + first).unwrap();
        for (column, san) in pair.iter().enumerate() {
            write!(text, " {san}").unwrap();
            if with_times {
                let minutes = 90 - row - first - column;
                let seconds = if column == 0 { 0 } else { 53 };
                let (hours, minutes) = (minutes / 60, minutes % 60);
                write!(text, " ({hours}:{minutes:02}:{seconds:02})").unwrap();
            }
        }
        text.push('\n');
    }
    text
}

#[test]
fn clock_times_of_another_move_are_not_told() {
    let home = Home::new();
    let game: Vec<&str> = GAME.split_whitespace().collect();
    let other = [&game[..28], &["Qd2", "Rc8", "b3", "Qc7"]].concat();
    let player = file(&home, "player.txt", &rows(&game, 1, false));
    let opponent = file(&home, "opponent.txt", &rows(&other, 1, false));
    // Times are numbered by the rows as they were; then a row is left out, with its number or not.
    let without = |from: usize, text: &str| {
        let lines = text.lines().enumerate().filter(|(at, _)| *at != from);
        lines
            .map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    };
    let whole = rows(&game, 1, true);
    let missing = without(6, &whole);
    let unnumbered = missing.lines().map(|line| line.split_once(". ").unwrap().1);
    let unnumbered = unnumbered.collect::<Vec<_>>().join("\n");
    let short = rows(&game[..10], 1, true);
    for (name, log, times) in [
        ("whole.txt", &whole, true),
        ("later.txt", &rows(&game[16..], 9, true), false),
        ("missing.txt", &missing, false),
        ("unnumbered.txt", &unnumbered, false),
        ("short.txt", &short, false),
    ] {
        let log = file(&home, name, log);
        let compare = [
            "reconcile",
            "--player",
            &player,
            "--opponent",
            &opponent,
            "--language",
            "de",
            "--clock-log",
            &log,
        ];
        let output = home.run(&compare);
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(told.contains("Zug 14 von Schwarz"), "{name}: {told}");
        let right = "Weiß 1:16:00, Schwarz 1:15:53";
        assert_eq!(told.contains(right), times, "{name}: {told}");
        assert_eq!(told.contains("Die Uhren"), times, "{name}: {told}");
        let noted = errors(&output).contains("Deshalb werden keine Zeiten");
        assert_eq!(noted, !times, "{name}: {output:?}");
        let json = home.run(&[&compare[..], &["--json"]].concat());
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json["clocks"].is_null(), !times, "{name}");
        let belongs = times || name == "short.txt";
        assert_eq!(json["clock_log"]["belongs"], belongs, "{name}: {json}");
    }
}

#[test]
fn clock_times_are_told_where_both_sheets_are_faulty_before() {
    let home = Home::new();
    let game: Vec<&str> = GAME.split_whitespace().collect();
    let other = [&game[..28], &["Qd2", "Rc8", "b3", "Qc7"]].concat();
    let without = |moves: &[&str], row: usize| {
        let rows = rows(moves, 1, false);
        let rows = rows.lines().enumerate().filter(|(at, _)| *at != row);
        rows.map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    };
    let player = file(&home, "player.txt", &without(&game, 3));
    let opponent = file(&home, "opponent.txt", &without(&other, 7));
    let logged = rows(&game, 1, true);
    let [row, unnumbered] = [4, 10].map(|row| {
        let lines = logged.lines().enumerate().filter(|(at, _)| *at != row);
        lines
            .map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    });
    for (name, log, times) in [
        ("whole.txt", &logged, true),
        ("row.txt", &row, false),
        ("later.txt", &unnumbered, false),
    ] {
        let log = file(&home, name, log);
        let compare = ["reconcile", "--player", &player, "--opponent", &opponent];
        let more = ["--language", "de", "--clock-log", &log];
        let output = home.run(&[&compare[..], &more].concat());
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(told.contains("Zug 14 von Schwarz"), "{name}: {told}");
        let right = "Weiß 1:16:00, Schwarz 1:15:53";
        assert_eq!(told.contains(right), times, "{name}: {told}");
        let noted = errors(&output).contains("gebraucht werden die Zeiten beim Halbzug 28");
        assert_eq!(noted, !times, "{name}: {output:?}");
    }
}

#[test]
fn a_signed_score_is_found_in_a_file_of_any_length() {
    let home = Home::new();
    let game = |signed: &str| {
        format!("[Event \"e\"]\n[Result \"1-0\"]\n{signed}\n1. e4 e5 2. Nf3 1-0\n\n")
    };
    let many = game("").repeat(140);
    let signed = many.clone() + &game("[Signed \"White\"]\n") + &many;
    let long = signed.clone() + &many.repeat(600);
    assert!(long.len() > annexd::score::MOST_BYTES);
    let source = file(&home, "source.txt", "1. d4 d5");
    for (name, text, kept) in [
        ("many.pgn", &many, false),
        ("signed.pgn", &signed, true),
        ("long.pgn", &long, true),
    ] {
        let path = file(&home, name, text);
        let export = ["score", "export", &source, "--format", "pgn", "-o", &path];
        let output = home.run(&export);
        assert_eq!(output.status.code(), Some(i32::from(kept)), "{name}");
        assert_eq!(fs::read_to_string(&path).unwrap() == *text, kept, "{name}");
    }
}

#[test]
fn a_signed_score_that_was_changed_is_told_as_such() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n2. Nf3 Nc6\n");
    let path = home.path("score.json").display().to_string();
    let import = ["score", "import", &sheet, "-o", &path];
    assert!(home.run(&import).status.success());
    let sign = |side: &str| {
        let sign = ["score", "sign", &path, "--result", "1-0", "--voice", "none"];
        home.run(&[&sign[..], &["--side", side, "--language", "en"]].concat())
    };
    assert!(sign("white").status.success());
    let show = || home.run(&["score", "show", &path, "--language", "en"]);
    let shown = show();
    assert!(text(&shown).contains("Signed by: White"), "{shown:?}");
    assert_eq!(errors(&shown), "");
    let signed = fs::read_to_string(&path).unwrap();
    fs::write(&path, signed.replace("1-0", "0-1")).unwrap();
    let shown = show();
    assert!(!text(&shown).contains("Signed by"), "{shown:?}");
    assert!(
        errors(&shown).contains("changed after it was signed"),
        "{shown:?}"
    );
    let output = sign("black");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let again = home.run(&["score", "import", &sheet, "-o", &path]);
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    // Without the hash it is a file of an earlier version.
    let (before, _) = signed.split_once(",\"digest\"").unwrap();
    fs::write(&path, format!("{before}}}\n")).unwrap();
    assert!(sign("black").status.success());
}

/// A score of six moves.
fn six_moves(home: &Home) -> String {
    let sheet = file(home, "sheet.txt", "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n");
    let path = home.path("score.json").display().to_string();
    let import = ["score", "import", &sheet, "-o", &path];
    assert!(home.run(&import).status.success());
    path
}

/// Programs that run at once, and which of them said that it is done.
fn at_once(home: &Home, all: &[Vec<&str>]) -> Vec<bool> {
    let start = |arguments: &Vec<&str>| {
        let mut command = home.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = all.iter().map(start).collect();
    let ended = children.into_iter().map(|mut it| it.wait().unwrap());
    ended.map(|status| status.success()).collect()
}

#[test]
fn what_programs_mark_and_sign_at_once_is_all_in_the_file() {
    let home = Home::new();
    let moves = ["1w", "1b", "2w", "2b", "3w", "3b"];
    for _ in 0..3 {
        let path = six_moves(&home);
        let mark = |name| vec!["score", "mark", &path, "--reconstructed", name];
        // Whoever had to wait too long, while the disk stood still, is told so and tries again.
        let mut rest: Vec<_> = moves.map(mark).to_vec();
        for _ in 0..5 {
            let done = at_once(&home, &rest);
            let mut done = done.iter();
            rest.retain(|_| done.next() == Some(&false));
        }
        assert!(rest.is_empty(), "{rest:?}");
        let marked = score(&path);
        let mut entries = marked.entries().iter();
        assert!(entries.all(|it| it.provenance == Provenance::Reconstructed));
        let sign = |(side, result)| {
            let sign = ["score", "sign", &path, "--voice", "none", "--side", side];
            [&sign[..], &["--result", result]].concat()
        };
        let both = [("black", "0-1"), ("white", "1-0")];
        let done = at_once(&home, &both.map(sign));
        let signed = score(&path);
        // They contradict each other, so one of them is told so.
        assert_eq!(done.iter().filter(|it| **it).count(), 1);
        let side = Color::from_white(done[1]);
        assert_eq!(signed.signatures()[0].side, side);
        assert_eq!(signed.result(), Some(GameResult::Won(side)));
        let (_, result) = both[usize::from(done[1])];
        let agreed = [("black", result), ("white", result)];
        assert_eq!(at_once(&home, &agreed.map(sign)).len(), 2);
        assert_eq!(score(&path).signatures().len(), 2);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_full_disk_behind_the_output_is_said_and_a_gone_reader_is_not() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n2. Nf3 Nc6\n");
    let compare = ["reconcile", "--player", &sheet, "--opponent", &sheet];
    for arguments in [
        &["score", "show", &sheet][..],
        &["score", "export", &sheet, "--format", "brf"],
        &["score", "import", &sheet],
        &compare,
        &[&compare[..], &["--json"]].concat(),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let output = home.command(arguments).stdout(full.unwrap()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(6), "{output:?}");
        assert_ne!(errors(&output), "", "{arguments:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = home.command(arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{output:?}");
        assert_eq!(errors(&output), "", "{arguments:?}");
    }
}

#[test]
fn no_device_keeps_a_score_and_what_has_no_end_is_read_to_the_limit() {
    let home = Home::new();
    let folder = home.path("").display().to_string();
    for path in ["/dev/full", "/dev/zero", &folder] {
        let output = given(&home, &["score", "dictate", "-o", path], "e4\n\n");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        for change in [
            &["score", "sign", path, "--side", "white"][..],
            &["score", "mark", path, "--completed", "1w"],
            &["score", "dictate", "--continue", path],
        ] {
            let output = given(&home, change, "");
            assert_eq!(output.status.code(), Some(2), "{output:?}");
        }
    }
    let output = home.run(&["score", "show", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let long = file(&home, "long.txt", &"1. e4 e5\n".repeat(4_000_000));
    let output = home.run(&["score", "show", &long]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let output = given(&home, &["score", "show", "-"], "1. e4 e5\n");
    assert!(text(&output).contains("e4"), "{output:?}");
}

#[test]
fn one_game_of_a_long_pgn_file_is_read_and_a_long_list_is_none() {
    let home = Home::new();
    let game = |number: usize, moves: &str| {
        let remark = "a long remark ".repeat(60);
        format!("[Event \"E\"]\n[White \"W{number}\"]\n\n1. {moves} {{{remark}}} *\n\n")
    };
    let mut games: String = (1..6000).map(|number| game(number, "e4 e5")).collect();
    games.push_str(&game(6000, "d4 Nf6"));
    assert!(games.len() > 5_000_000, "{}", games.len());
    let path = file(&home, "long.pgn", &games);
    for (number, moves) in [("1", "e4"), ("3000", "e4"), ("6000", "d4")] {
        let output = home.run(&["score", "import", &path, "--game", number]);
        let read = from_json(&printed(&output)).unwrap();
        assert_eq!(read.tag("White"), Some(format!("W{number}").as_str()));
        let first = serde_json::to_string(&read.entries()[0].notated).unwrap();
        assert!(first.contains(moves), "{number}: {first}");
    }
    let output = home.run(&["score", "import", &path, "--game", "6001"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    // A line that PGN passes over may stand above them.
    let path = file(&home, "escaped.pgn", &format!("% by a program\n{games}"));
    let output = home.run(&["score", "import", &path, "--game", "6000"]);
    let read = from_json(&printed(&output)).unwrap();
    assert_eq!(read.tag("White"), Some("W6000"));
}

#[test]
fn castling_keeps_its_mark_in_what_is_printed() {
    let home = Home::new();
    let sheet = file(
        &home,
        "sheet.txt",
        "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n4. O-O+\n",
    );
    let output = home.run(&["score", "show", &sheet]);
    assert!(
        text(&output).contains("0-0+") || text(&output).contains("O-O+"),
        "{output:?}"
    );
    let json = file(
        &home,
        "score.json",
        &printed(&home.run(&["score", "import", &sheet])),
    );
    for format in ["list", "braille", "brf", "html"] {
        let output = home.run(&["score", "export", &json, "--format", format]);
        assert!(output.status.success(), "{output:?}");
        if format == "html" {
            assert!(printed(&output).contains("O-O+") || printed(&output).contains("0-0+"));
            continue;
        }
        let exported = file(&home, "exported", &printed(&output));
        let again = from_json(&printed(&home.run(&["score", "import", &exported]))).unwrap();
        let castling = serde_json::to_string(&again.entries()[6].notated).unwrap();
        assert_eq!(castling, r#"{"castling":"kingside+"}"#, "{format}");
    }
}

#[test]
fn a_sheet_with_nothing_but_a_result_is_read() {
    let home = Home::new();
    for result in ["1-0", "Result: 1-0"] {
        let sheet = file(
            &home,
            "sheet.txt",
            &format!("White: A\nBlack: B\n{result}\n"),
        );
        let read = from_json(&text(&home.run(&["score", "import", &sheet]))).unwrap();
        assert_eq!(read.result(), Some(GameResult::Won(Color::White)));
    }
    let prose = file(&home, "prose.txt", "We were there.\nIt was 1-0 for us\n");
    let output = home.run(&["score", "import", &prose]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn what_another_program_writes_meanwhile_is_not_written_over() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n2. Nf3 Nc6\n");
    let path = home.path("score.json").display().to_string();
    assert!(
        home.run(&["score", "import", &sheet, "-o", &path])
            .status
            .success()
    );
    let go_on = ["score", "dictate", "--language", "en", "--continue", &path];
    let mut child = home
        .command(&go_on)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(answers.next().unwrap().unwrap().contains("2 Black: Nc6"));
    input.write_all(b"Bb5\nlast move\n").unwrap();
    answers.next().unwrap().unwrap();
    answers.next().unwrap().unwrap();
    let mark = ["score", "mark", &path, "--completed", "1w"];
    assert!(home.run(&mark).status.success());
    let marked = fs::read_to_string(&path).unwrap();
    input.write_all(b"a6\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        errors(&output).contains("changed by another program"),
        "{output:?}"
    );
    assert!(errors(&output).contains("score-2.json"), "{output:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), marked);
    let kept = score(&home.path("score-2.json").display().to_string());
    assert_eq!(kept.entries().len(), 6);
}

#[test]
fn a_stroke_is_no_file_that_can_be_changed() {
    let home = Home::new();
    let sheet = "1. e4 e5\n";
    for arguments in [
        &["score", "mark", "-", "--completed", "1w"][..],
        &[
            "score", "sign", "-", "--side", "white", "--result", "1-0", "--voice", "none",
        ],
        &["score", "dictate", "--continue", "-"],
        &["score", "dictate", "-o", "-"],
    ] {
        let output = given(&home, arguments, sheet.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(errors(&output).contains(" - "), "{output:?}");
    }
    for arguments in [
        &["score", "import", "-", "-o", "-"][..],
        &["score", "export", "-", "--format", "list", "-o", "-"],
    ] {
        let said = text(&given(&home, arguments, sheet.as_bytes()));
        assert!(said.contains("e4"), "{said}");
    }
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn a_signed_score_of_any_form_is_not_written_over() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5 1-0");
    let other = file(&home, "other.txt", "1. d4 d5");
    let signed = home.path("signed.json").display().to_string();
    assert!(
        home.run(&["score", "import", &sheet, "-o", &signed])
            .status
            .success()
    );
    let sign = [
        "score", "sign", &signed, "--side", "white", "--voice", "none",
    ];
    assert!(home.run(&sign).status.success());
    for form in ["json", "pgn", "list", "braille", "brf"] {
        let path = home
            .path(&format!("signed.{form}-out"))
            .display()
            .to_string();
        let export = ["score", "export", &signed, "--format", form, "-o", &path];
        assert!(home.run(&export).status.success(), "{form}");
        // The same again changes nothing.
        assert!(home.run(&export).status.success(), "{form}");
        let there = fs::read(&path).unwrap();
        for arguments in [
            &["score", "import", &other, "-o", &path][..],
            &["score", "export", &other, "--format", form, "-o", &path],
            &["score", "export", &other, "--format", "html", "-o", &path],
        ] {
            let output = home.run(arguments);
            assert_eq!(output.status.code(), Some(1), "{form}: {output:?}");
            assert!(
                errors(&output).contains("one side has signed"),
                "{output:?}"
            );
            assert_eq!(fs::read(&path).unwrap(), there, "{form}");
        }
    }
}

#[test]
fn a_dictation_with_numbers_is_the_sheet_with_these_numbers() {
    let home = Home::new();
    for (name, sheet) in [
        (
            "wrong",
            "1. e4 e5\n2. Sf3 Sc6\n3. Lb5 a6\n5. La4 Sf6\n6. O-O Le7\n",
        ),
        ("later", "40. e4 e5\n41. Sf3 Sc6\n"),
        ("black", "1. e4 e5\n2. Sf3\n2... Sc6\n3. exd5 Sbd7\n"),
        ("empty", "1. e4\n2. Sf3 Sc6\n4... a6\n"),
    ] {
        let imported = file(&home, name, sheet);
        let from = ["score", "import", "--sheet-letters", "german", &imported];
        let from = home.run(&from).stdout;
        let from = from_json(&String::from_utf8(from).unwrap()).unwrap();
        let path = home.path(&format!("{name}.json")).display().to_string();
        let dictate = ["score", "dictate", "--language", "de", "-o", &path];
        let output = given(&home, &dictate, format!("{sheet}\n").as_bytes());
        let dictated = score(&path);
        assert_eq!(dictated.places(), from.places(), "{name}: {output:?}");
        let [one, two] = [&dictated, &from].map(|score| -> Vec<_> {
            let entries = score.entries().iter();
            entries.map(|it| (it.notated.clone(), it.place)).collect()
        });
        assert_eq!(one, two, "{name}: {output:?}");
    }
}

#[test]
fn short_notation_is_dictated_in_the_letters_of_the_language() {
    let home = Home::new();
    for (language, lines, told) in [
        (
            "de",
            "exd5\ned5\nbxc3\nexd6 e.p.\nSbd7\nS1d7\nTad1\ne4xd5\ne4 schlägt d5\n3. Sbd2 d6\n",
            &[
                "1 Weiß: exd5",
                "1 Schwarz: ed5",
                "Sbd7",
                "S1d7",
                "Tad1",
                "3 Weiß: Sbd2",
            ][..],
        ),
        (
            "en",
            "exd5\nNbd7\nRae8\nbxc3\n",
            &[
                "1 White: exd5",
                "1 Black: Nbd7",
                "2 White: Rae8",
                "2 Black: bxc3",
            ],
        ),
    ] {
        let path = home.path(&format!("{language}.json")).display().to_string();
        let dictate = ["score", "dictate", "--language", language, "-o", &path];
        let said = text(&given(&home, &dictate, format!("{lines}\n").as_bytes()));
        for told in told {
            assert!(said.contains(told), "{told}: {said}");
        }
        assert!(!said.contains('?'), "{said}");
    }
}

#[test]
fn a_dictation_that_cannot_be_kept_or_read_says_so_and_keeps_what_it_has() {
    let home = Home::new();
    let path = home.path("score.json").display().to_string();
    let dictate = ["score", "dictate", "--language", "de", "-o", &path];
    let mut command = home.command(&dictate);
    let mut child = command
        .env("LANG", "de_DE.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = b"e4\ne5\nSf\xfc3\nSf3\n";
    child.stdin.take().unwrap().write_all(lines).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let told = format!("annexd score dictate --continue {path}");
    assert!(errors(&output).contains(&told), "{output:?}");
    assert!(errors(&output).contains("1 Schwarz: e5"), "{output:?}");
    assert_eq!(score(&path).entries().len(), 2);
    let nowhere = home.path("nowhere/score.json").display().to_string();
    let dictate = ["score", "dictate", "--language", "de", "-o", &nowhere];
    let output = given(&home, &dictate, b"e4\n\n");
    assert!(!output.status.success());
    assert_eq!(output.stdout, b"", "nothing is read back");
    assert!(errors(&output).contains("nowhere/score.json"), "{output:?}");
}

#[test]
fn marks_that_contradict_each_other_are_refused() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n2. Nf3 Nc6\n");
    let path = home.path("score.json").display().to_string();
    assert!(
        home.run(&["score", "import", &sheet, "-o", &path])
            .status
            .success()
    );
    let before = fs::read_to_string(&path).unwrap();
    for marks in [
        ["--completed", "1w", "--reconstructed", "1w"],
        ["--recorded", "1w-2w", "--completed", "2w"],
        ["--suspended-from", "2w", "--not-suspended", "2w"],
    ] {
        let output = home.run(&[&["score", "mark", &path][..], &marks].concat());
        assert_eq!(output.status.code(), Some(2), "{marks:?}: {output:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
    }
    let off = [
        "score",
        "mark",
        &path,
        "--language",
        "en",
        "--not-suspended",
        "2w",
    ];
    let output = home.run(&off);
    assert!(text(&output).contains("2w"), "{output:?}");
}
