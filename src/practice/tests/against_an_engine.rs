//! Whole typed games against chess programs: against scripts that misbehave, and against Stockfish
//! where it is installed.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and starts the program and the scripts"
)]

mod common;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use common::{Home, Talk};

/// Where Debian puts Stockfish.
const STOCKFISH: &str = "/usr/games/stockfish";

/// Black's replies in the scholar's mate, by the number of plies made.
const REPLIES: &str = "1) echo bestmove e7e5;; 3) echo bestmove b8c6;; 5) echo bestmove g8f6;;";

impl Home {
    /// Makes a script that answers "go" with this, and everything else as a chess program does.
    /// `$#` is the number of plies made, `$here` a folder of the test.
    fn engine(&self, go: &str) -> String {
        self.script(&format!(
            "here={}\nwhile read -r line; do case $line in\nuci) echo id name Fake 1; echo uciok;;\n\
             isready) echo readyok;;\nposition*' moves '*) moves=${{line##* moves }};;\n\
             position*) moves=;;\ngo*) set -- $moves; {go};;\nquit) exit;;\nesac; done",
            self.path("").display()
        ))
    }

    fn script(&self, text: &str) -> String {
        let path = self.path("engine");
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    /// Starts a game as White against this program, without a clock.
    fn practice(&self, engine: &str, more: &[&str]) -> Talk {
        let usual = ["practice", "--text", "--name", "uebung", "--engine", engine];
        let time: &[&str] = match more.contains(&"--time") {
            true => &[],
            false => &["--time", "none"],
        };
        let usual = [&usual[..], time, &["--patience", "2"], more];
        Talk::with(self.command(&usual.concat()))
    }
}

impl Talk {
    /// Announces a move, presses, and waits for the reply and its press.
    #[track_caller]
    fn moves(&mut self, typed: &str, heard: &str, reply: &str) {
        let repeated = self.count("Tisch: Richtig wiederholt.");
        self.asks(typed, heard);
        self.wait_for("Tisch: Richtig wiederholt.", repeated + 1);
        let runs = self.count("Ihre Uhr läuft");
        let replies = self.count(reply);
        self.asks("uhr", "Weiß privat: Gedrückt.");
        self.wait_for(reply, replies + 1);
        self.wait_for("Ihre Uhr läuft", runs + 1);
    }

    #[track_caller]
    fn repeats(&mut self, typed: &str) {
        self.asks(typed, "Tisch: Richtig wiederholt.");
    }
}

fn begin(game: &mut Talk) {
    game.wait_for("Der Gegner ist bereit. Ja beginnt die Partie.", 1);
    game.asks("ja", "Tisch: Die Partie beginnt.");
}

/// Plays the first move of the scholar's mate, and the reply.
fn first_move(game: &mut Talk) {
    game.moves("e2e4", "Eva zwei Eva vier", "Bauer Eva sieben Eva fünf");
    game.repeats("e7e5");
}

/// Plays the rest of it, to mate.
fn to_mate(game: &mut Talk) {
    let reply = "Springer Bella acht Cesar sechs";
    game.moves("Lf1c4", "Läufer Felix eins Cesar vier", reply);
    game.repeats("Sb8c6");
    let reply = "Springer Gustav acht Felix sechs";
    game.moves("Dd1h5", "Dame David eins Hector fünf", reply);
    game.repeats("Sg8f6");
    game.asks("Dh5xf7", "Dame Hector fünf schlägt Felix sieben");
    game.asks("uhr", "Ende: 1-0");
}

#[test]
fn a_whole_game_is_played_to_mate_and_its_score_says_against_whom() {
    let home = Home::new();
    let engine = home.engine(&format!("case $# in {REPLIES} esac"));
    let mut game = home.practice(&engine, &["--player", "Anna", "--strength", "verein"]);
    begin(&mut game);
    first_move(&mut game);
    to_mate(&mut game);
    let lines = game.leaves();
    assert!(
        lines.iter().any(|line| line.ends_with("Fake 1 (Verein).")),
        "{lines:#?}"
    );
    let pgn = home.score();
    for part in [
        "[Event \"Practice against a chess program\"]",
        "[White \"Anna\"]",
        "[Black \"Fake 1 (Verein)\"]",
        "[WhiteType \"human\"]",
        "[BlackType \"program\"]",
        "4. Qxf7# 1-0",
    ] {
        let flowing = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flowing.contains(part), "{part}: {pgn}");
    }
}

/// Checks that the game continues when the program is started again, whatever it did once.
#[track_caller]
fn goes_on_after(once: &str, told: &str) {
    let home = Home::new();
    let engine = home.engine(&format!(
        "if [ $# = 1 ] && [ ! -e $here/once ]; then touch $here/once; {once}; fi; \
         case $# in {REPLIES} esac"
    ));
    let mut game = home.practice(&engine, &[]);
    begin(&mut game);
    game.asks("e2e4", "Eva zwei Eva vier");
    game.asks("uhr", told);
    game.asks("e7e5", "Die Partie ist angehalten");
    game.asks("ja", "Tisch: Es geht weiter.");
    game.wait_for("Bauer Eva sieben Eva fünf", 1);
    game.wait_for("Ihre Uhr läuft", 1);
    game.repeats("e7e5");
    to_mate(&mut game);
    game.leaves();
    assert!(home.score().contains("Qxf7#"));
}

#[test]
fn a_crash_in_mid_game_costs_nobody_the_game() {
    goes_on_after("exit 1", "Tisch: Das Schachprogramm ist abgestürzt.");
}

#[test]
fn a_program_that_hangs_is_started_anew() {
    let told = "Tisch: Das Schachprogramm antwortet nicht.";
    goes_on_after("while read -r line; do :; done", told);
}

#[test]
fn an_illegal_move_is_not_played() {
    let told = "Tisch: Das Schachprogramm spielt einen regelwidrigen Zug.";
    goes_on_after("echo bestmove e7e4; continue", told);
    goes_on_after("echo bestmove; continue", told);
}

#[test]
fn garbage_is_no_answer() {
    let garbage = "head -c 3000 /dev/urandom; echo; while read -r line; do :; done";
    goes_on_after(
        garbage,
        "Tisch: Das Schachprogramm schreibt Unverständliches.",
    );
}

#[test]
fn output_without_an_end_fills_no_memory() {
    let endless = "cat /dev/zero";
    goes_on_after(
        endless,
        "Tisch: Das Schachprogramm schreibt Unverständliches.",
    );
}

#[test]
fn lines_without_an_end_hide_no_silence() {
    let talk = "exec yes info depth 1";
    goes_on_after(talk, "Tisch: Das Schachprogramm antwortet nicht.");
}

#[test]
fn what_is_no_chess_program_is_refused_at_the_start_with_what_to_do() {
    for (script, told) in [
        ("exit 1", "hat sich gleich wieder beendet"),
        (
            "while read -r line; do :; done",
            "hat in 2 Sekunden nicht geantwortet",
        ),
        (
            "echo hello; while read -r line; do :; done",
            "schreibt Unverständliches",
        ),
        ("exec cat", "schreibt Unverständliches"),
        ("exec cat /dev/zero", "schreibt Unverständliches"),
        ("exec yes hello", "schreibt Unverständliches"),
        (
            "head -c 3000 /dev/urandom",
            "hat sich gleich wieder beendet",
        ),
    ] {
        let home = Home::new();
        let engine = home.script(script);
        let usual = ["practice", "--text", "--engine", &engine, "--patience", "2"];
        let output = home.run(&usual);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{script}: {errors}");
        assert!(errors.contains(told), "{script}: {errors}");
        assert!(errors.contains("--engine"), "{script}: {errors}");
        // No game was begun.
        assert!(!home.path("data/annexd/games").exists(), "{script}");
    }
}

#[test]
fn a_program_that_is_not_there_is_one_sentence() {
    let home = Home::new();
    let absent = home.path("absent").display().to_string();
    let output = home.run(&["practice", "--text", "--engine", &absent]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{errors}");
    assert!(errors.contains("ist nicht da"), "{errors}");
    let text = home.path("data").display().to_string();
    let output = home.run(&["practice", "--text", "--engine", &text]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("startet nicht"), "{errors}");
    if Path::new(STOCKFISH).exists() {
        eprintln!("skipped: what is said without any chess program; Stockfish is installed");
        return;
    }
    let mut command = home.command(&["practice", "--text"]);
    let output = command.env("PATH", home.path("run")).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("apt install stockfish"), "{errors}");
}

#[test]
fn a_strength_that_nobody_knows_is_told_with_all_there_are() {
    let home = Home::new();
    let output = home.run(&["practice", "--text", "--strength", "gut"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("Anfänger, Gelegenheit, Verein"), "{errors}");
}

/// A move is taken back, also by a correction that comes too late. A hint comes from the program.
#[test]
fn moves_are_taken_back_and_hints_are_given() {
    let home = Home::new();
    let engine = home.engine("case $# in 2) echo bestmove g1f3;; *) echo bestmove e7e5;; esac");
    let mut game = home.practice(&engine, &[]);
    begin(&mut game);
    for (typed, asked) in [
        ("zurücknehmen", "Ihren letzten Zug zurücknehmen?"),
        ("korrektur", "Ihren letzten Zug zurücknehmen?"),
    ] {
        first_move(&mut game);
        game.asks("tipp", "Weiß privat: Tipp: Springer Gustav eins Felix drei");
        game.asks(typed, asked);
        game.asks("ja", "Weiß, Bauer von Eva vier nach Eva zwei");
        game.asks("ja", "Tisch: Es geht weiter.");
    }
    first_move(&mut game);
    let lines = game.leaves();
    // Its move is on the player's board only. It has no board that could be corrected.
    let its_move = lines
        .iter()
        .filter(|line| line.contains("Schwarz, Bauer von"));
    assert_eq!(its_move.count(), 2, "{lines:#?}");
    let pgn = home.score();
    let flowing = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flowing.contains("1. e4 e5 *"), "{pgn}");
}

#[test]
fn a_game_goes_on_another_day_and_what_is_illegal_goes_back() {
    let home = Home::new();
    let engine = home.engine(&format!("case $# in {REPLIES} esac"));
    let mut game = home.practice(&engine, &["--time", "90m+30s"]);
    begin(&mut game);
    first_move(&mut game);
    game.leaves();
    let mut game = Talk::with(home.command(&["resume", "--text"]));
    game.wait_for("Bitte antworten beide mit ja oder nein.", 1);
    game.asks("ja", "Tisch: Es geht weiter.");
    game.asks("Lf1b6", "Läufer Felix eins Bella sechs");
    game.asks("uhr", "Ihren letzten Zug zurücknehmen?");
    game.asks("ja", "Bitte das Brett richtig stellen");
    game.asks("ja", "Tisch: Es geht weiter.");
    to_mate(&mut game);
    game.leaves();
}

#[test]
fn a_draw_is_declined_at_first_and_taken_where_no_program_plays() {
    let home = Home::new();
    let engine = home.engine("echo bestmove a1a1");
    let mut game = home.practice(&engine, &["--colour", "black"]);
    game.wait_for("Ja beginnt die Partie.", 1);
    game.asks("ja", "spielt einen regelwidrigen Zug");
    game.asks("aufgabe", "Wirklich aufgeben?");
    game.asks("ja", "Ende: 1-0");
    game.leaves();
    let home = Home::new();
    let engine = home.engine(&format!("case $# in {REPLIES} esac"));
    let mut game = home.practice(&engine, &[]);
    begin(&mut game);
    game.asks("e2e4", "Eva zwei Eva vier");
    game.asks("remis", "Remis anbieten?");
    game.asks("ja", "Tisch: Weiß bietet Remis an.");
    game.wait_for("Tisch: Schwarz lehnt ab.", 1);
    game.leaves();
}

#[test]
fn a_short_game_with_stockfish() {
    if !Path::new(STOCKFISH).exists() {
        eprintln!("skipped: a game with Stockfish, which is not installed");
        return;
    }
    let home = Home::new();
    let usual = [
        "practice", "--text", "--name", "uebung", "--time", "15m+10s",
    ];
    let mut game = Talk::with(home.command(&[&usual[..], &["--patience", "120"]].concat()));
    begin(&mut game);
    for (typed, heard) in [
        ("e2e4", "Eva zwei Eva vier"),
        ("d2d3", "David zwei David drei"),
        ("a2a3", "Anna zwei Anna drei"),
    ] {
        let runs = game.count("Ihre Uhr läuft");
        game.asks(typed, heard);
        game.asks("uhr", "Weiß privat: Gedrückt.");
        game.wait_for("Ihre Uhr läuft", runs + 1);
    }
    let lines = game.leaves();
    assert!(
        lines.iter().any(|line| line.contains("Stockfish")),
        "{lines:#?}"
    );
    assert!(home.score().contains("3. a3"), "{}", home.score());
}
