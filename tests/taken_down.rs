//! Scores that are dictated, marked and compared at a command line, as whoever types meets it.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "the sheets are files that a test writes"
)]

use crate::common;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Output, Stdio};

use annexd::score::{Letters, Notated, Provenance, from_json, write_move};
use common::{Home, errors, file, given, printed, text};

#[test]
fn an_entry_that_is_empty_or_cannot_be_read_is_dictated() {
    for (language, lines, told) in [
        (
            "de",
            "e4\n?\nleer Sc6\nunleserlich\n",
            ["1 Schwarz: unleserlich", "2 Weiß: leer"],
        ),
        (
            "en",
            "e4\n???\n--- Nc6\nillegible\n",
            ["1 Black: unreadable", "2 White: blank"],
        ),
        (
            "da",
            "e4\n?\ntom Sc6\nulæselig\n",
            ["1 Sort: ulæselig", "2 Hvid: tom"],
        ),
        (
            "sv",
            "e4\n?\ntom Sc6\noläslig\n",
            ["1 Svart: oläslig", "2 Vit: tom"],
        ),
    ] {
        let home = Home::new();
        let path = home.path("score.json").display().to_string();
        let dictate = [
            "score",
            "dictate",
            "--language",
            language,
            "--output",
            &path,
        ];
        let output = given(&home, &dictate, format!("{lines}\n"));
        let said = text(&output);
        for told in told {
            assert!(said.contains(told), "{told}: {said}");
        }
        let kept = from_json(&fs::read_to_string(&path).unwrap()).unwrap();
        let entries: Vec<_> = kept.entries().iter().map(|it| &it.notated).collect();
        assert_eq!(entries.len(), 5, "{said}");
        assert_eq!(entries[1], &Notated::Unreadable);
        assert_eq!(entries[2], &Notated::Blank);
        assert_eq!(entries[4], &Notated::Unreadable);
    }
}

/// Dictates lines in a language: what is said, and the moves that are kept, in English letters.
fn dictated(language: &str, lines: &str) -> (String, Vec<String>) {
    let home = Home::new();
    let path = home.path("score.json").display().to_string();
    let dictate = [
        "score",
        "dictate",
        "--language",
        language,
        "--output",
        &path,
    ];
    let said = text(&given(&home, &dictate, format!("{lines}\n")));
    let kept = fs::read_to_string(&path).expect("a score was kept");
    let kept = from_json(&kept).expect("it is one of ours");
    let entries = kept.entries().iter();
    let moves = entries.map(|it| write_move(&it.notated, Letters::English));
    (said, moves.collect())
}

#[test]
fn a_capture_is_dictated_with_the_words_that_it_is_en_passant() {
    for (language, capture) in [
        ("en", "pawn e5 takes f6"),
        ("de", "Bauer Eva fünf schlägt Felix sechs"),
        ("da", "bonde e5 slår f6"),
        ("sv", "bonde e5 slår f6"),
        ("de", "exf6"),
    ] {
        for behind in ["en passant", "e.p.", "E. P."] {
            let lines = format!("1. e4 d5\n2. e5 f5\n{capture} {behind}\n");
            let (said, moves) = dictated(language, &lines);
            assert_eq!(moves.len(), 5, "{language}, {behind}: {said}");
            let last = moves.last().unwrap();
            assert!(last == "e5xf6" || last == "exf6", "{last}: {said}");
        }
    }
}

/// "Va?" asks again, and is no rook on the a-file in Czech letters.
#[test]
fn what_asks_again_is_no_move() {
    for line in ["va?", "vad?", "Vad sa du?"] {
        let (said, moves) = dictated("sv", &format!("e4\n{line}\n"));
        assert_eq!(moves, ["e4"], "{line}: {said}");
    }
}

#[test]
fn of_a_line_what_can_stand_is_taken_and_the_rest_is_named() {
    for (language, rest) in [
        (
            "en",
            "The rest is not taken. One at a time, please: 2. Kg5 Nc6 3. Bb5",
        ),
        (
            "de",
            "Der Rest ist nicht aufgenommen. Bitte einen nach dem anderen: 2. Kg5 Nc6 3. Bb5",
        ),
        (
            "da",
            "Resten er ikke taget med. Ét ad gangen, tak: 2. Kg5 Nc6 3. Bb5",
        ),
        (
            "sv",
            "Resten är inte medtagen. Ett i taget, tack: 2. Kg5 Nc6 3. Bb5",
        ),
    ] {
        let (said, moves) = dictated(language, "1. e4 e5 2. Kg5 Nc6 3. Bb5\n2. Kg5\n");
        assert!(said.contains(rest), "{said}");
        assert_eq!(moves, ["e4", "e5", "Kg5"], "{said}");
    }
    // Of what is no move nothing is lost either.
    let (said, moves) = dictated("en", "1. e4 e5 2. Nf3 hm\nNc6\n");
    assert!(said.contains("please: hm\n"), "{said}");
    assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6"], "{said}");
    // The last one is kept as it was said, as on a line of its own.
    let (said, moves) = dictated("en", "1. e4 e5 2. Ke2 Ke7 3. Rf1\n");
    assert!(
        said.contains("3 White: Rf1, not a legal move here"),
        "{said}"
    );
    assert_eq!(moves, ["e4", "e5", "Ke2", "Ke7", "Rf1"]);
}

#[test]
fn games_of_a_file_in_braille_are_counted_and_chosen() {
    let home = Home::new();
    let exported = |name: &str, format: &str, sheet: &str| {
        let sheet = file(&home, name, sheet);
        printed(&home.run(&["score", "export", &sheet, "--format", format]))
    };
    for format in ["brf", "braille"] {
        let first = exported("1.txt", format, "White: Anna\n\n1. e4 e5 1-0\n");
        let second = exported("2.txt", format, "White: Berta\n\n1. d4 d5 2. c4\n");
        let both = file(&home, "both", &(first + &second));
        let show = ["score", "show", &both];
        let read = home.run(&show);
        assert!(errors(&read).contains("the file has 2 games"), "{read:?}");
        assert!(printed(&read).contains("Anna") && !printed(&read).contains("d4"));
        let read = home.run(&[&show[..], &["--game", "2"]].concat());
        assert!(
            read.status.success() && errors(&read).is_empty(),
            "{read:?}"
        );
        let told = printed(&read);
        assert!(told.contains("Berta") && told.contains("2. c4"), "{told}");
        let read = home.run(&[&show[..], &["--game", "3"]].concat());
        assert_eq!(read.status.code(), Some(3), "{read:?}");
        assert!(errors(&read).contains("only 2 games"), "{read:?}");
    }
}

#[test]
fn a_signed_game_behind_another_in_braille_is_not_written_over() {
    let home = Home::new();
    let braille = |sheet: &str| {
        let sheet = file(&home, "sheet.txt", sheet);
        printed(&home.run(&["score", "export", &sheet, "--format", "brf"]))
    };
    let first = braille("White: Anna\n\n1. e4 e5\n");
    let second = braille("White: Berta\nResult: 1-0\nSigned: White\n\n1. d4 d5\n");
    let both = file(&home, "both.brf", &(first + &second));
    let sheet = file(&home, "other.txt", "1. e4 e5\n");
    let over = ["score", "export", &sheet, "--format", "brf", "-o", &both];
    let output = home.run(&over);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_dictation_that_was_broken_off_goes_on_and_nothing_is_lost() {
    let home = Home::new();
    let path = home.path("score.json").display().to_string();
    let dictate = [
        "score",
        "dictate",
        "--language",
        "de",
        "--keeper",
        "black",
        "--output",
    ];
    let mut child = home
        .command(&[&dictate[..], &[&path]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"e4 e5\n2. Sf3\n").unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for told in ["1 Weiß: e4", "1 Schwarz: e5", "2 Weiß: Sf3"] {
        assert_eq!(answers.next().unwrap().unwrap(), told);
    }
    // The answer to the next line comes after the entry before it was kept.
    input.write_all(b"letzter Zug\n").unwrap();
    assert_eq!(answers.next().unwrap().unwrap(), "2 Weiß: Sf3");
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = fs::read_to_string(&path).unwrap();
    assert_eq!(from_json(&begun).unwrap().entries().len(), 3);
    // Anew it would be written over.
    let output = given(&home, &[&dictate[..], &[&path]].concat(), "d4\n\n");
    assert!(errors(&output).contains("--continue"), "{output:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), begun);
    // It goes on where it was; its end without an empty line says how.
    let go_on = ["score", "dictate", "--language", "de", "--continue", &path];
    let said = text(&given(&home, &go_on, "Sc6\n"));
    for told in [
        "Weiter nach 2 Weiß: Sf3\n2 Schwarz: Sc6\n",
        "2 Züge stehen in",
        &format!("annexd score dictate --continue {path}\n"),
        "--side black --result ERGEBNIS\nERGEBNIS ist 1-0, 0-1 oder 1/2-1/2.\n",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let other = [&go_on[..], &["--keeper", "white"]].concat();
    assert!(errors(&given(&home, &other, "Lb5\n\n")).contains("von Schwarz"));
    let ended = [&go_on[..], &["--result", "1-0"]].concat();
    let said = text(&given(&home, &ended, "Lb5\n\nja\n"));
    let told = "3 Züge, zuletzt Weiß. Das Ergebnis ist 1-0.";
    assert!(
        said.contains(told) && !said.contains("--continue"),
        "{said}"
    );
    let kept = from_json(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((kept.entries().len(), kept.signatures().len()), (5, 1));
    // Who has signed wants nothing more in it.
    let output = given(&home, &go_on, "a6\n\n");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let after = from_json(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(after, kept);
    let files = fs::read_dir(home.path("")).unwrap();
    let left = files.filter(|file| {
        let name = file.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".new")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_result_without_a_keeper_is_refused() {
    let home = Home::new();
    let path = home.path("score.json").display().to_string();
    let dictate = ["score", "dictate", "--result", "1-0", "--output", &path];
    let output = given(&home, &dictate, "e4\n\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--keeper white"), "{output:?}");
}

const GAMES: &str = "[Event \"one\"]\n\n1. e4 e5 *\n\n[Event \"two\"]\n\n1. d4 d5 2. c4 *\n";

#[test]
fn of_several_games_the_first_is_taken_which_is_said_or_the_one_that_is_chosen() {
    let home = Home::new();
    let games = file(&home, "games.pgn", GAMES);
    for action in [&["import"][..], &["show"], &["export", "--format", "list"]] {
        let all = [&["score"][..], action, &[&games]].concat();
        let output = home.run(&all);
        let told = "the file has 2 games; the first is read, and --game chooses another";
        assert!(errors(&output).contains(told), "{output:?}");
        assert!(printed(&output).contains("one"), "{output:?}");
        let output = home.run(&[&all[..], &["--game", "2"]].concat());
        assert_eq!(errors(&output), "");
        assert!(printed(&output).contains("two"), "{output:?}");
        let output = home.run(&[&all[..], &["--game", "3"]].concat());
        assert_eq!(output.status.code(), Some(3));
        assert!(errors(&output).contains("only 2 games"), "{output:?}");
    }
    // What holds one game has no second.
    let json = printed(&home.run(&["score", "import", &games]));
    let list = printed(&home.run(&["score", "show", &games]));
    let braille = ["score", "export", "--format", "braille", &games];
    let braille = printed(&home.run(&braille));
    for (name, sheet) in [("one.json", json), ("one.txt", list), ("one.brl", braille)] {
        let sheet = file(&home, name, &sheet);
        let output = home.run(&["score", "show", &sheet, "--game", "2"]);
        assert!(errors(&output).contains("only 1 game"), "{output:?}");
        let output = home.run(&["score", "show", &sheet, "--game", "1"]);
        assert_eq!(errors(&output), "", "{name}");
    }
    let one = file(&home, "one.txt", "1. d4 d5 2. c4");
    let compare = ["reconcile", "--player", &games, "--opponent", &one];
    let output = home.run(&compare);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("--player-game"), "{output:?}");
    let output = home.run(&[&compare[..], &["--player-game", "2"]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(errors(&output), "");
}

#[test]
fn the_clock_log_of_another_game_gives_no_times() {
    let home = Home::new();
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
                9. h3 Nb8 10. d4 Nbd7";
    let one = file(&home, "one.txt", &format!("{game} 11. c4"));
    let two = file(&home, "two.txt", &format!("{game} 11. a4"));
    let log = |game: &str| game.replace(" e5 ", " {[%clk 1:29:00]} e5 {[%clk 1:28:00]} ");
    let own = file(
        &home,
        "own.pgn",
        &format!("[Event \"own\"]\n\n{} *\n", log(game)),
    );
    let other = format!("[Event \"other\"]\n\n{} *\n", log("1. e4 e5 2. Bc4 Nf6"));
    let other = file(&home, "other.pgn", &other);
    let compare = [
        "reconcile",
        "--player",
        &one,
        "--opponent",
        &two,
        "--language",
        "en",
    ];
    let compared =
        |log: &str, more: &[&str]| home.run(&[&compare[..], &["--clock-log", log], more].concat());
    let output = compared(&own, &[]);
    assert!(printed(&output).contains("1:29"), "{output:?}");
    assert_eq!(errors(&output), "");
    let output = compared(&other, &[]);
    assert!(!printed(&output).contains("1:29"), "{output:?}");
    let told =
        "the moves of this clock log are not those of the two scores (only 2 half-moves agree)";
    assert!(errors(&output).contains(told), "{output:?}");
    for (log, belongs) in [(&own, true), (&other, false)] {
        let json: serde_json::Value =
            serde_json::from_slice(&compared(log, &["--json"]).stdout).unwrap();
        assert_eq!(json["clock_log"]["belongs"], belongs);
        assert_eq!(json["clocks"].is_null(), !belongs);
        let notes = json["notes"].as_array().unwrap();
        assert_eq!(notes.is_empty(), belongs, "{notes:?}");
    }
    // Without a log there is nothing to belong.
    let json = home.run(&[&compare[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json["clock_log"].is_null());
}

const PAGE: &str = "40. e4 e5\n41. Nf3 Nc6\n42. Bb5 a6\n";

/// A later page as a score, and its name.
fn page(home: &Home) -> String {
    let sheet = file(home, "sheet.txt", PAGE);
    let score = home.path("score.json").display().to_string();
    let import = ["score", "import", &sheet, "-o", &score];
    assert!(home.run(&import).status.success());
    score
}

fn mark(home: &Home, score: &str, more: &[&str]) -> Output {
    let mark = ["score", "mark", score, "--language", "de"];
    home.run(&[&mark[..], more].concat())
}

#[test]
fn moves_are_marked_as_completed_or_reconstructed_in_every_form() {
    let home = Home::new();
    let score = page(&home);
    let marks = [
        "--suspended-from",
        "41b,43w",
        "--completed",
        "41b-42w",
        "--reconstructed",
        "42s",
    ];
    let output = mark(&home, &score, &marks);
    let told = "Mitschrift unterbrochen vor: 41 Schwarz, 43 Weiß\n\
                Nachgetragen: 41 Schwarz-42 Weiß\n\
                Wiederhergestellt: 42 Schwarz\n";
    assert_eq!(printed(&output), told, "{output:?}");
    let before = from_json(&fs::read_to_string(&score).unwrap()).unwrap();
    assert_eq!(before.entries()[5].provenance, Provenance::Reconstructed);
    for (form, told) in [
        ("html", "<dt>Nachgetragen</dt><dd>41 Schwarz-42 Weiß</dd>"),
        ("pgn", "[%completed]"),
        (
            "list",
            "Completed: 41 Black-42 White\nReconstructed: 42 Black\n",
        ),
        ("braille", ""),
        ("brf", ""),
        ("json", ""),
    ] {
        let export = ["score", "export", "--format", form, "--language", "de"];
        let export = printed(&home.run(&[&export[..], &[&score]].concat()));
        assert!(export.contains(told), "{export}");
        if form == "html" {
            continue;
        }
        let again = file(&home, "again", &export);
        let again = home.run(&["score", "import", &again]);
        let again = from_json(&printed(&again)).unwrap();
        assert_eq!(again.suspended(), before.suspended(), "{form}");
        let both = [&again, &before].map(|score| -> Vec<_> {
            let entries = score.entries().iter();
            entries.map(|it| it.provenance).collect()
        });
        assert_eq!(both[0], both[1], "{form}");
    }
    let shown = printed(&home.run(&["score", "show", &score]));
    assert!(
        shown.starts_with("Recording suspended before: 41 Black, 43 White\n"),
        "{shown}"
    );
    let off = ["--recorded", "41b-42b", "--not-suspended", "41b,43w"];
    let output = mark(&home, &score, &off);
    assert!(
        printed(&output).starts_with("Nichts ist vermerkt"),
        "{output:?}"
    );
}

#[test]
fn wrong_marks_are_refused_and_signed_scores_are_left_alone() {
    let home = Home::new();
    let score = page(&home);
    let before = fs::read_to_string(&score).unwrap();
    for (wrong, told) in [
        (&["--completed", "50w"][..], "keinen Zug 50w"),
        (&["--completed", "43w"], "keinen Zug 43w"),
        (
            &["--completed", "41w", "--completed", "42w#2"],
            "keinen Zug 42w#2",
        ),
        (&["--reconstructed", "42w-41b"], "42w steht hinter 41b"),
        (&["--completed", "41"], "--completed"),
        (&[], "annexd"),
    ] {
        let output = mark(&home, &score, wrong);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(told), "{output:?}");
        assert_eq!(fs::read_to_string(&score).unwrap(), before);
    }
    let sheet = home.path("sheet.txt").display().to_string();
    let output = mark(&home, &sheet, &["--completed", "41b"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let sign = [
        "score", "sign", &score, "--voice", "none", "--result", "1-0",
    ];
    let signed = home.run(&[&sign[..], &["--side", "white"]].concat());
    assert!(signed.status.success());
    let output = mark(&home, &score, &["--completed", "41b"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("unterschrieben"), "{output:?}");
}

#[test]
fn one_of_two_scores_may_come_through_a_pipe_and_results_are_said_once() {
    let home = Home::new();
    let fen = "FEN: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\n";
    let one = file(&home, "one.txt", &format!("Result: 1-0\n{fen}1. O-O Kd7"));
    let piped = "Result: 0-1\n\n1. O-O Kd7";
    for input in ["-", "/dev/stdin"] {
        let compare = [
            "reconcile",
            "--player",
            input,
            "--opponent",
            &one,
            "--language",
            "en",
        ];
        // It is read once, although the start of the other score holds for it too.
        let output = given(&home, &compare, piped);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let said = text(&output);
        assert_eq!(said.matches("1-0").count(), 1, "{said}");
        let output = given(&home, &[&compare[..], &["--json"]].concat(), piped);
        assert!(errors(&output).contains("The results differ"), "{output:?}");
    }
    let output = given(
        &home,
        &["reconcile", "--player", "-", "--opponent", "-"],
        piped,
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("Only one score"), "{output:?}");
}

#[test]
fn a_layout_that_cannot_be_is_an_error() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n");
    let export = ["score", "export", &sheet, "--format", "brf"];
    for wrong in [
        ["--cells", "3"],
        ["--cells", "0"],
        ["--cells", "100000"],
        ["--lines", "0"],
        ["--lines", "2"],
        ["--lines", "x"],
    ] {
        let output = home.run(&[&export[..], &wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
        assert!(errors(&output).contains(wrong[0]), "{output:?}");
        assert_eq!(output.stdout, b"");
    }
    assert!(
        home.run(&[&export[..], &["--cells", "20"]].concat())
            .status
            .success()
    );
}

#[test]
fn a_signature_is_told_in_one_language_and_letters_in_that_of_the_list() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5 2. Nf3\n");
    let score = home.path("score.json").display().to_string();
    assert!(
        home.run(&["score", "import", &sheet, "-o", &score])
            .status
            .success()
    );
    let sign = ["score", "sign", &score, "--voice", "none", "--side"];
    let english = home.run(&[&sign[..], &["white", "--result", "1-0"]].concat());
    assert!(english.status.success(), "{english:?}");
    assert!(!printed(&english).contains('ß'), "{english:?}");
    let german = home.run(&[&sign[..], &["black", "--language", "de"]].concat());
    let said = printed(&german);
    assert!(
        said.contains("unterschrieben") && !said.contains("igned"),
        "{said}"
    );
    for (letters, heading) in [
        ("german", "Buchstaben: deutsch"),
        ("danish", "Bogstaver: dansk"),
        ("swedish", "Bokstäver: svenska"),
        ("dutch", "Letters: dutch"),
    ] {
        let listed = [
            "score",
            "export",
            &score,
            "--format",
            "list",
            "--print-letters",
        ];
        let list = printed(&home.run(&[&listed[..], &[letters]].concat()));
        assert!(list.lines().any(|line| line == heading), "{list}");
        let again = file(&home, "again.txt", &list);
        let read = home.run(&["score", "import", &again]);
        let read = from_json(&printed(&read)).unwrap();
        assert_eq!(read.entries().len(), 3, "{list}");
        assert_eq!(read.signatures().len(), 2, "{list}");
    }
}

#[test]
fn signatures_outside_json_are_said_to_be_unchecked() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5 2. Nf3\n");
    let score = home.path("score.json").display().to_string();
    home.run(&["score", "import", &sheet, "-o", &score]);
    let sign = [
        "score", "sign", &score, "--voice", "none", "--side", "white",
    ];
    home.run(&[&sign[..], &["--result", "1-0"]].concat());
    for form in ["pgn", "list", "braille", "brf", "json"] {
        let path = home.path(form).display().to_string();
        home.run(&["score", "export", &score, "--format", form, "-o", &path]);
        let read = home.run(&["score", "import", &path]);
        assert!(read.status.success(), "{form}: {read:?}");
        let is_told = errors(&read).contains("signatures cannot be checked");
        assert_eq!(is_told, form != "json", "{form}: {read:?}");
    }
    let unsigned = home.run(&["score", "import", &sheet]);
    assert_eq!(errors(&unsigned), "");
}

#[test]
fn a_signed_score_that_is_broken_is_not_written_over() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5 2. Nf3\n");
    let score = home.path("score.json").display().to_string();
    home.run(&["score", "import", &sheet, "-o", &score]);
    let sign = [
        "score", "sign", &score, "--voice", "none", "--side", "white",
    ];
    home.run(&[&sign[..], &["--result", "1-0"]].concat());
    let signed = fs::read_to_string(&score).unwrap();
    let half = signed.find("\"side\":\"white\",\"at\"").unwrap();
    for broken in [
        signed.replace("\"entries\"", "\"entrees\""),
        signed.replace("\"white\"", "\"whiteish\""),
        signed[..half + 8].to_owned(),
        signed.replace("\"keeper\":null,", "\"keeper\":null;"),
    ] {
        let path = file(&home, "broken.json", &broken);
        let output = home.run(&["score", "import", &sheet, "-o", &path]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains("has signatures"), "{output:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), broken);
    }
    // Without signatures it is only a broken file.
    let path = file(&home, "broken.json", "{\"signatures\":[],");
    let output = home.run(&["score", "import", &sheet, "-o", &path]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_is_no_score_is_named() {
    let home = Home::new();
    let page = "<!DOCTYPE html>\n<html><body><p>A page about knights and nothing else, with so \
                many words that nobody would take it for the moves of a game.</p></body></html>\n";
    for (name, text, told) in [
        ("page.html", page, "a page for a browser (HTML)"),
        (
            "page.pdf",
            "%PDF-1.7\nwords of a printed page and more of them",
            "PDF",
        ),
        (
            "text.rtf",
            "{\\rtf1 words of a letter to a friend of mine}",
            "word processor",
        ),
    ] {
        let path = file(&home, name, text);
        let output = home.run(&["score", "import", &path]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let said = errors(&output);
        assert!(said.contains(told) && said.contains("PGN"), "{said}");
    }
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n2. Matt d6\n3. Matt\n");
    let output = home.run(&["score", "import", &sheet]);
    let said = errors(&output);
    assert!(
        said.contains("line 2: \"Matt\" cannot be read as a move"),
        "{said}"
    );
    assert!(
        said.contains("line 3: \"Matt\" is no move and is passed over"),
        "{said}"
    );
    assert_eq!(from_json(&printed(&output)).unwrap().entries().len(), 4);
}
