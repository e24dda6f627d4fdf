//! Sheets that are handed in at a table or compared as files, as whoever has them meets it.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "the sheets are files that a test writes"
)]

use crate::common;

use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

use common::{Home, Talk, file, given, text};

const RATED: [&str; 9] = [
    "play",
    "--text",
    "--mode",
    "rated",
    "--time",
    "90m+30s",
    "--terminal",
    "shared",
    "--name",
];

/// A rated game of this name, of which the arbiter has a PIN.
fn rated(home: &Home, name: &str) -> Talk {
    let pin = home.pin_file("7305");
    home.start(&[&RATED[..], &[name, "--arbiter-pin-file", &pin]].concat())
}

fn arbiter(home: &Home, language: &str) -> Talk {
    let role = ["console", "--game", "g", "--role", "arbiter"];
    let rest = ["--language", language, "--pin-file", &home.pin_file("7305")];
    let mut arbiter = home.start(&[&role[..], &rest[..]].concat());
    arbiter.types("");
    arbiter
}

/// A game of six half-moves by two players who see, with an arbiter.
fn game_of_three_moves(home: &Home) -> (Talk, Talk) {
    let mut game = rated(home, "g");
    game.wait_for("Hilfe sagt", 1);
    let mut arbiter = arbiter(home, "en");
    arbiter.wait_for("This is the console", 1);
    for line in ["approve A. Holm, all of it", "start"] {
        arbiter.types(line);
    }
    game.wait_for("Die Partie beginnt", 1);
    for (ply, line) in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
        .iter()
        .enumerate()
    {
        let (side, other) = if ply % 2 == 0 {
            ("weiß", "schwarz")
        } else {
            ("schwarz", "weiß")
        };
        for typed in [
            format!("{side}: {line}"),
            format!("{side}: uhr"),
            format!("{other}: {line}"),
        ] {
            game.types(&typed);
        }
    }
    game.wait_for("Richtig wiederholt", 6);
    (game, arbiter)
}

#[test]
fn an_arbiter_reads_the_verdict_in_the_language_of_his_console() {
    let home = Home::new();
    let (game, mut arbiter) = game_of_three_moves(&home);
    arbiter.types("sheet black 1. e4 e5 2. Nf3 Nc6 3. Bc4 a6");
    arbiter.types("compare");
    arbiter.wait_for("Play goes back to the position after move 2 of Black", 1);
    let told = arbiter.leave();
    let german = told.iter().find(|line| line.contains("Stellung nach"));
    assert_eq!(german, None, "{told:#?}");
    game.leave();
}

#[test]
fn who_hands_a_sheet_in_is_told_how_it_was_read() {
    let home = Home::new();
    let (mut game, mut arbiter) = game_of_three_moves(&home);
    arbiter.types("sheet black german 1. e4 e5 3. Sf3 S?6 Sg6");
    for told in [
        "The sheet is read by German letters.",
        "line 1: the number is 3, where 2 was expected.",
        "can mean more than one move",
    ] {
        arbiter.wait_for(told, 1);
    }
    // A player is not told what is legal.
    game.types("schwarz: blatt schwarz 1. e4 e5 2. Ke4 S?6 ehh");
    // In so short a sheet S may be the Czech bishop too, which is said.
    game.wait_for("mit diesen Buchstaben gelesen: Deutsch", 1);
    game.wait_for("„ehh“", 1);
    // The arbiter has it too, with what the player was not told, and again with the verdict.
    arbiter.wait_for("Sheet of black: line 1: \"ehh\" cannot be read", 1);
    arbiter.wait_for("Sheet of black: line 1: \"Ke4\" is not a legal move", 1);
    arbiter.types("compare");
    arbiter.wait_for("Sheet of black: line 1: \"ehh\" cannot be read", 2);
    game.types("schwarz: blatt schwarz figurinen gibt es nicht");
    game.wait_for("darin steht kein Zug", 1);
    let told = game.leave();
    let legal = told.iter().find(|line| line.contains("Ke4"));
    assert_eq!(legal, None, "{told:#?}");
    arbiter.leave();
}

#[test]
fn where_scores_agree_is_said_in_half_moves_or_by_a_move_and_the_clocks_are_proposed() {
    for line in ["agreed 3", "agreed white 2", "agreed 2 white"] {
        let home = Home::new();
        let (game, mut arbiter) = game_of_three_moves(&home);
        arbiter.types("sheet black 1. e4 e5 2. Nf3 Nc6 3. Bc4 a6");
        arbiter.types("compare");
        arbiter.wait_for("Play goes back", 1);
        // Nothing goes back by a slip.
        arbiter.types(line);
        arbiter.wait_for("Please confirm: ", 1);
        arbiter.types("yes");
        arbiter.wait_for("Set White's clock to", 2);
        arbiter.wait_for("The recorded times", 1);
        game.wait_for("Es gilt die Stellung nach Zug zwei von Weiß", 1);
        arbiter.leave();
        game.leave();
    }
}

/// While a sheet is read nothing else happens at the table.
#[test]
fn sheets_that_are_too_long_or_too_many_keep_no_table_busy() {
    let home = Home::new();
    let (game, mut arbiter) = game_of_three_moves(&home);
    let long = "n. Nf3 Nc6 ".repeat(4000);
    let path = home.path("long.pgn");
    fs::write(&path, &long).unwrap();
    arbiter.types(&format!("sheet black {}", path.display()));
    arbiter.wait_for("The score sheet is too long", 1);
    for moves in ["1. e4 e5", "1. e4 e6", "1. e4 c5"] {
        arbiter.types(&format!("sheet black {moves}"));
    }
    arbiter.wait_for("The score sheet was tried too often", 1);
    arbiter.leave();
    game.leave();
}

fn dictated(home: &Home, lines: &str, more: &[&str]) -> Output {
    let path = home.path("dictated.json").display().to_string();
    let dictate = [&["score", "dictate", "--output", &path][..], more].concat();
    given(home, &dictate, lines)
}

#[test]
fn a_dictation_of_nothing_writes_nothing() {
    for lines in ["", "\n", "hm\n"] {
        let home = Home::new();
        let output = dictated(&home, lines, &[]);
        assert_eq!(output.status.code(), Some(3), "{lines:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("Nothing was dictated"), "{said}");
        assert!(!home.path("dictated.json").exists());
    }
    // Lines that end without an empty one keep the result, which nobody has signed.
    let home = Home::new();
    let more = ["--keeper", "white", "--result", "1-0"];
    let output = dictated(&home, "e4\ne5", &more);
    assert!(text(&output).contains("ohne Unterschrift"), "{output:?}");
    let kept = fs::read_to_string(home.path("dictated.json")).unwrap();
    assert!(kept.contains("\"result\":\"1-0\""), "{kept}");
    assert!(kept.contains("\"signatures\":[]"), "{kept}");
    // A forfeit has a result and no moves.
    let home = Home::new();
    let result = ["--keeper", "white", "--result", "1-0"];
    assert!(dictated(&home, "\n", &result).status.success());
    assert!(home.path("dictated.json").exists());
}

#[test]
fn a_kept_game_is_compared_by_its_name() {
    let home = Home::new();
    let (game, arbiter) = game_of_three_moves(&home);
    arbiter.leave();
    game.leave();
    let same = file(&home, "same.txt", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    let other = file(&home, "other.txt", "1. e4 e5 2. Nf3 Nc6 3. Bc4 a6");
    let compared = |opponent: &str| {
        let compare = ["reconcile", "--language", "en", "--player", "g"];
        home.run(&[&compare[..], &["--opponent", opponent]].concat())
    };
    let output = compared(&same);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(compared("g").status.code(), Some(0));
    let output = compared(&other);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("after move 2 of Black"),
        "{output:?}"
    );
    let output = home.run(&["reconcile", "--player", "nobody", "--opponent", &same]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("nobody"), "{said}");
}

#[test]
fn the_score_of_a_kept_game_is_signed_by_the_games_name() {
    let home = Home::new();
    let (game, mut arbiter) = game_of_three_moves(&home);
    arbiter.types("result 1-0");
    arbiter.wait_for("White wins", 1);
    arbiter.leave();
    game.leave();
    let sign = |more: &[&str]| {
        let sign = ["score", "sign", "g", "--voice", "none", "--language", "en"];
        home.run(&[&sign[..], more].concat())
    };
    let output = sign(&["--side", "black", "--result", "0-1"]);
    assert_eq!(output.status.code(), Some(1), "another result: {output:?}");
    let output = sign(&["--side", "black"]);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output).contains("1-0"), "{output:?}");
    let shown =
        |side| text(&home.run(&["score", "export", "g", "--side", side, "--format", "json"]));
    assert!(shown("black").contains("\"signatures\":[{\"side\":\"black\""));
    assert!(sign(&["--side", "white"]).status.success());
    assert!(shown("white").contains("\"side\":\"white\""));
    assert!(
        home.run(&["verify", "g"]).status.success(),
        "the record holds"
    );
    let nobody = ["score", "sign", "nobody", "--side", "white"];
    let said = String::from_utf8(home.run(&nobody).stderr).unwrap();
    assert!(
        said.contains("nobody is neither a file nor a game"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_not_there_or_no_text_is_told_as_such() {
    let home = Home::new();
    let missing = home.path("nobody.pgn").display().to_string();
    let folder = home.path("").display().to_string();
    let sound = file(&home, "sound.wav", &"\u{1}\u{2}\u{fe}".repeat(1_500_000));
    for (path, told) in [
        (&missing, "nobody.pgn cannot be read as a score: "),
        (&folder, "cannot be read as a score: "),
        (&sound, "none that people write"),
    ] {
        let output = home.run(&["score", "show", path]);
        assert_eq!(output.status.code(), Some(3), "{path}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(told), "{said}");
    }
    let output = home.run(&["score", "show", "nobody"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("nobody is neither a file nor a game"),
        "{said}"
    );
    let output = home.run(&["reconcile", "--player", "nobody", "--opponent", &sound]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("nobody is neither a file nor a game"),
        "{said}"
    );
}

#[test]
fn a_dictation_without_a_signature_says_so_and_how_to_sign() {
    let home = Home::new();
    let output = dictated(&home, "e4\n\n", &["--language", "en"]);
    let said = text(&output);
    assert!(said.contains("1 move written to"), "{said}");
    assert!(said.contains("The score is not signed."), "{said}");
    assert!(
        said.contains("--side SIDE --result RESULT"),
        "nobody is named, and no result: {said}"
    );
    // The command that is named does it, also in a folder with a space in its name.
    let path = home.path("my scores");
    fs::create_dir(&path).unwrap();
    let path = path.join("one.json").display().to_string();
    let more = ["--output", &path, "--keeper", "black", "--result", "0-1"];
    let mut dictate = home.command(&["score", "dictate", "--language", "de"]);
    let mut child = dictate
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"e4\ne5").unwrap();
    let said = text(&child.wait_with_output().unwrap());
    let (_, command) = said.split_once("annexd score sign").unwrap();
    let command = format!("score sign{command}");
    assert_eq!(
        command.trim(),
        format!("score sign '{path}' --side black"),
        "{said}"
    );
    let unfinished = home.path("dictated.json").display().to_string();
    let sign = ["score", "sign", &unfinished, "--side", "white"];
    let said = text(&home.run(&sign));
    assert!(said.contains("--result 1-0, 0-1 or 1/2-1/2"), "{said}");
    let sign = ["score", "sign", &path, "--side", "black", "--voice", "none"];
    assert!(home.run(&sign).status.success());
    let signed = dictated(
        &Home::new(),
        "e4\n\nja\n",
        &["--keeper", "white", "--result", "1-0", "--language", "de"],
    );
    let said = text(&signed);
    assert!(!said.contains("score sign"), "{said}");
    assert!(said.contains("1 Zug steht in"), "{said}");
}

#[test]
fn several_moves_on_one_line_of_a_dictation_are_taken_one_by_one() {
    let home = Home::new();
    let lines = "e4 e5\n2. Sf3 Sc6 3. Lb5\n1. a1 a2\n\n";
    let output = dictated(&home, lines, &["--language", "de"]);
    let said = text(&output);
    for line in [
        "1 Weiß: e4",
        "1 Schwarz: e5",
        "3 Weiß: Lb5",
        "3 Züge stehen in",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(
        said.contains("Bitte einen nach dem anderen: 1. a1 a2"),
        "{said}"
    );
}

#[test]
fn commands_on_scores_answer_in_the_language_of_the_system() {
    let home = Home::new();
    let one = file(&home, "one.txt", "1. e4 e5 2. Nf3");
    let other = file(&home, "other.txt", "1. e4 e5");
    let compared = |locale: &str, more: &[&str]| {
        let compare = ["reconcile", "--player", &one, "--opponent", &other];
        let mut command = home.command(&[&compare[..], more].concat());
        text(&command.env("LANG", locale).output().unwrap())
    };
    for (locale, told) in [
        ("en_GB.UTF-8", "Both scores agree"),
        ("de_DE.UTF-8", "Beide Notationen"),
        ("da_DK.UTF-8", "Begge noteringer"),
        ("sv_SE.UTF-8", "Båda protokollen"),
        ("pt_PT.UTF-8", "Both scores agree"),
        ("C", "Both scores agree"),
    ] {
        let said = compared(locale, &[]);
        assert!(said.contains(told), "{locale}: {said}");
    }
    let said = compared("en_GB.UTF-8", &["--language", "sv"]);
    assert!(said.contains("Båda protokollen"), "{said}");
}

#[test]
fn a_sheet_may_come_through_a_pipe() {
    let home = Home::new();
    for arguments in [["score", "show", "-"], ["score", "show", "/dev/stdin"]] {
        let mut child = home
            .command(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let sheet = "1. e4 e5\n2. Sf3\n".as_bytes();
        child.stdin.take().unwrap().write_all(sheet).unwrap();
        let said = text(&child.wait_with_output().unwrap());
        assert_eq!(said, "1. e4 e5\n2. Nf3\n", "{arguments:?}");
    }
}

#[test]
fn letters_of_the_sheet_and_of_the_print_are_two_options() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. Sf3 Sf6 2. Sg1 Sg8");
    for (arguments, told) in [
        (["show", "--print-letters", "french"], "1. Cf3 Cf6"),
        (["show", "--letters", "french"], "1. Cf3 Cf6"),
        (["show", "--sheet-letters", "tyska"], "1. Nf3 Nf6"),
        (["import", "--sheet-letters", "german"], "\"entries\""),
        (["import", "--letters", "german"], "\"entries\""),
    ] {
        let output = home.run(&[&["score"][..], &arguments, &[&sheet]].concat());
        assert!(text(&output).contains(told), "{arguments:?}: {output:?}");
    }
    // Pawns in English, knights in Dutch. What is uncertain names the option that declares the
    // letters, and them in the language.
    let either = file(&home, "either.txt", "1. Pf3 Pf6 2. Pc3 Pc6");
    let told = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        text(&command.env("LANG", "sv_SE.UTF-8").output().unwrap())
    };
    let said = told(&["score", "show", &either]);
    assert!(said.contains("bokstäver: engelska; det"), "{said}");
    assert!(said.contains("nederländska. Ange"), "{said}");
    assert!(said.contains("--sheet-letters"), "{said}");
    let compare = ["reconcile", "--player", &either, "--opponent", &either];
    let said = told(&compare);
    assert!(said.contains("--player-letters"), "{said}");
    assert!(said.contains("--opponent-letters"), "{said}");
}

#[test]
fn an_empty_file_is_no_score() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5");
    let empty = file(&home, "empty.txt", " \n");
    for (player, opponent) in [(&sheet, &empty), (&empty, &sheet), (&empty, &empty)] {
        let output = home.run(&["reconcile", "--player", player, "--opponent", opponent]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("empty.txt cannot be read as a score"),
            "{said}"
        );
    }
}

#[test]
fn neither_a_signed_score_nor_the_sheet_itself_is_written_over() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5 1-0");
    let score = home.path("score.json").display().to_string();
    let import = ["score", "import", &sheet, "-o", &score];
    assert!(home.run(&import).status.success());
    // Nobody has signed it yet.
    assert!(home.run(&import).status.success());
    let sign = ["score", "sign", &score, "--voice", "none", "--side"];
    assert!(home.run(&[&sign[..], &["white"]].concat()).status.success());
    let signed = fs::read_to_string(&score).unwrap();
    let other = file(&home, "other.txt", "1. d4 d5");
    let refused = |arguments: &[&str], told: &str| {
        let output = home.run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(told), "{said}");
    };
    let one = "one side has signed";
    let export = ["score", "export", &other, "--format", "json", "-o", &score];
    refused(&export, one);
    refused(&["score", "import", &other, "-o", &score], one);
    let itself = "is the file that is being read";
    refused(&["score", "import", &sheet, "-o", &sheet], itself);
    refused(
        &["score", "export", &score, "--format", "pgn", "-o", &score],
        itself,
    );
    assert_eq!(fs::read_to_string(&score).unwrap(), signed);
    assert_eq!(fs::read_to_string(&sheet).unwrap(), "1. e4 e5 1-0");
    // The other signature is added.
    assert!(home.run(&[&sign[..], &["black"]].concat()).status.success());
    assert_ne!(fs::read_to_string(&score).unwrap(), signed);
}

#[test]
fn a_bracket_that_hides_the_rest_is_noted_with_its_line() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n2. Nf3 {good\n3. Bb5 a6\n");
    let output = home.run(&["score", "show", &sheet]);
    let said = String::from_utf8(output.stderr).unwrap();
    let told = "line 2: the bracket { is never closed";
    assert!(output.status.success() && said.contains(told), "{said}");
}

#[test]
fn what_stands_behind_an_open_bracket_is_compared() {
    let home = Home::new();
    let rows = "4. Ba4 Nf6\n5. O-O Be7\n";
    let other = "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n4. Bxc6 dxc6\n5. O-O f6\n";
    let other = file(&home, "other.txt", other);
    for open in ["(5\n", "[5\n", "{5\n", "(5 "] {
        let sheet = format!("1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6 {open}{rows}");
        for tags in ["", "[White \"A\"]\n\n"] {
            let sheet = file(&home, "sheet.txt", &format!("{tags}{sheet}"));
            let output = home.run(&["reconcile", "--player", &sheet, "--opponent", &other]);
            assert_eq!(output.status.code(), Some(1), "{tags}{open}: {output:?}");
        }
    }
}
