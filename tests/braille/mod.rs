//! The whole program with a Braille display, over the socket of a BRLTTY of our own.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test runs the program, and fails where it fails"
)]

mod brltty;
use crate::common;

use std::process::Stdio;

use annexd::game::{Device, Input};
use annexd::journal::Body;
use annexd::shell::record::store;
use brltty::{Brltty, Door, Felt, HOME, LINE_DOWN, LINE_UP, RIGHT, TOP};
use common::{Home, Talk, text};
use shakmaty::Color;

/// A club game of a blind player, with nothing but what is tested here.
const SETTINGS: &str = r#"
[game]
time_control = "15m+10s"
[game.sides.white]
name = "Anna"
visually_disabled = true
[game.sides.black]
name = "Ben"
[devices]
gamepad = "none"
microphone.white = "none"
[voice.table]
voice = "silent"
"#;

struct Game {
    home: Home,
}

impl Game {
    fn new(settings: &str) -> Self {
        let home = Home::new();
        std::fs::create_dir_all(home.path("config/annexd")).unwrap();
        std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
        Self { home }
    }

    fn brltty(&self, cells: u32, door: Door) -> Brltty {
        Brltty::start(&self.home.path("brltty"), cells, door)
    }

    fn start(&self, arguments: &[&str]) -> Talk {
        let mut command = self.home.command(arguments);
        command.env("ANNEXD_BRLAPI", self.home.path("brltty")).env(
            "BRLAPI_AUTH",
            format!("keyfile:{}", self.home.path("key").display()),
        );
        Talk::with(command)
    }

    fn play(&self) -> Talk {
        self.start(&["play", "--name", "b"])
    }

    /// What `annexd check` says of the display.
    fn check(&self) -> String {
        let mut command = self.home.command(&["check"]);
        command
            .env("ANNEXD_LANGUAGE", "de")
            .env("ANNEXD_BRLAPI", self.home.path("brltty"))
            .env(
                "BRLAPI_AUTH",
                format!("keyfile:{}", self.home.path("key").display()),
            )
            .stdin(Stdio::null());
        let said = text(&command.output().unwrap());
        let line = said.lines().find(|it| it.starts_with("Braillezeile"));
        line.unwrap_or(&said).to_owned()
    }
}

/// White's first move, up to Black's turn.
fn opens(game: &mut Talk) {
    game.types("anfang");
    game.types("weiß: e2e4");
}

#[test]
fn what_is_said_is_felt_and_the_keys_go_back_and_on() {
    let stage = Game::new(SETTINGS);
    let display = stage.brltty(20, Door::Open);
    let mut game = stage.play();
    opens(&mut game);
    display.reads("Eva zwei Eva vier");
    assert_eq!(
        display.press(LINE_UP),
        Felt::Line("Die Partie beginnt.".to_owned())
    );
    assert_eq!(
        display.press(RIGHT),
        Felt::Line("Eva zwei Eva vier".to_owned())
    );
    // Below the newest line the screen is felt, and can be read with all keys but one, that leads
    // back.
    assert_eq!(display.press(LINE_DOWN), Felt::Screen);
    assert!(!display.is_wanted(LINE_UP) && !display.is_wanted(RIGHT));
    let newest = Felt::Line("Eva zwei Eva vier".to_owned());
    assert_eq!(display.press(HOME), newest);
    assert_eq!(display.press(LINE_DOWN), Felt::Screen);
    game.types("weiß: uhr");
    game.types("schwarz: e2e4");
    game.types("schwarz: Springer Gustav acht Felix sechs");
    display.reads("Springer Gustav acht");
    assert_eq!(display.press(RIGHT), Felt::Line("Felix sechs".to_owned()));
    drop(game.leave());
    // The screen is given back by whoever leaves.
    display.feel(&Felt::Screen);
}

#[test]
fn the_board_comes_in_figures_and_times_in_digits_on_request() {
    let stage = Game::new(SETTINGS);
    let display = stage.brltty(40, Door::Open);
    let mut game = stage.play();
    opens(&mut game);
    display.reads("Eva zwei Eva vier");
    game.types("weiß: uhr");
    game.types("schwarz: e2e4");
    game.types("weiß: stellung vorlesen");
    display.reads("8 ⠞⠎⠇⠙⠅⠇⠎⠞");
    let ranks: Vec<Felt> = (0..8).map(|_| display.press(LINE_DOWN)).collect();
    let line = |text: &str| Felt::Line(text.to_owned());
    assert_eq!(ranks[0], line("7 ⠃⠃⠃⠃⠃⠃⠃⠃"));
    assert_eq!(ranks[3], line("4 ⠄⠤⠄⠤⡃⠤⠄⠤"));
    assert_eq!(ranks[5], line("2 ⡃⡃⡃⡃⠄⡃⡃⡃"));
    assert_eq!(ranks[6], line("1 ⡞⡎⡇⡙⡅⡇⡎⡞"));
    assert_eq!(ranks[7], line("  abcdefgh"));
    assert_eq!(display.press(TOP), line("8 ⠞⠎⠇⠙⠅⠇⠎⠞"));
    game.types("weiß: uhr vorlesen");
    // An answer of two lines is read from its first on.
    let before = display.felt_with("Sie haben noch 0:1");
    assert!(before.is_empty(), "{before:#?}");
    assert!(matches!(display.press(RIGHT), Felt::Line(rest) if rest.contains("0:1")));
    // Of a part of the board the words are felt.
    game.types("weiß: wo springer");
    display.felt_with("pringer");
    drop(game.leave());
}

#[test]
fn in_rated_play_the_board_is_felt_only_where_the_arbiter_allows_it() {
    let stage = Game::new(SETTINGS);
    let display = stage.brltty(40, Door::Open);
    let pin = stage.home.pin_file("4711");
    let rated = [
        "--mode",
        "rated",
        "--terminal",
        "shared",
        "--arbiter-pin-file",
        &pin,
    ];
    let mut game = stage.start(&[&["play", "--name", "b"][..], &rated].concat());
    game.types("arbiter 4711: genehmigt Anna");
    game.types("arbiter 4711: anfang");
    game.types("weiß: e2e4");
    display.reads("Eva zwei Eva vier");
    game.types("weiß: stellung vorlesen");
    let before = display.felt_with("wird nicht vorgelesen");
    assert!(!format!("{before:?}").contains('⠃'));
    game.types("arbiter 4711: erlaube brett");
    game.types("weiß: stellung vorlesen");
    display.reads("8 ⠞⠎⠇⠙⠅⠇⠎⠞");
    drop(game.leave());
    let record = store::read(&stage.home.game("b")).unwrap();
    let is_told = |body: &Body| {
        let braille = Device::Braille(Color::White);
        let there = Input::Device {
            device: braille,
            present: true,
        };
        matches!(body, Body::Step { input, .. } if *input == there)
    };
    assert!(record.entries.iter().any(|it| is_told(&it.body)));
}

#[test]
fn a_display_that_goes_and_comes_back_shows_the_last_line_again() {
    let stage = Game::new(SETTINGS);
    let display = stage.brltty(40, Door::Open);
    let mut game = stage.play();
    opens(&mut game);
    display.reads("Eva zwei Eva vier");
    // The display alone.
    display.set_cells(0);
    game.wait_for("Die Braillezeile ist weg.", 1);
    display.set_cells(40);
    // That is told him alone, now that he can be.
    display.reads("Die Braillezeile ist wieder da.");
    // BRLTTY itself.
    display.end();
    game.wait_for("Die Braillezeile ist weg.", 2);
    let display = stage.brltty(20, Door::Open);
    display.reads("Die Braillezeile ist");
    drop(game.leave());
}

#[test]
fn without_brltty_nobody_misses_it_but_who_has_set_it() {
    let stage = Game::new(SETTINGS);
    let mut game = stage.play();
    opens(&mut game);
    game.wait_for("Eva zwei Eva vier", 1);
    let shown = game.leave();
    assert!(!shown.iter().any(|it| it.contains("Braille")), "{shown:#?}");
    let set = SETTINGS.replace("gamepad = ", "braille = \"white\"\ngamepad = ");
    let stage = Game::new(&set);
    let mut game = stage.play();
    game.wait_for("Die Braillezeile ist nicht da.", 1);
    opens(&mut game);
    let display = stage.brltty(40, Door::Open);
    // That is told him alone, now that he can be.
    display.reads("Die Braillezeile ist wieder da.");
    drop(game.leave());
}

#[test]
fn check_says_what_there_is_and_what_to_do() {
    let stage = Game::new(SETTINGS);
    assert!(stage.check().contains("BRLTTY läuft hier nicht"));
    let display = stage.brltty(40, Door::Key(b"secret".to_vec()));
    assert!(stage.check().contains("lässt dieses Programm nicht zu"));
    std::fs::write(stage.home.path("key"), "guessed").unwrap();
    assert!(stage.check().contains("lässt dieses Programm nicht zu"));
    std::fs::write(stage.home.path("key"), "secret").unwrap();
    assert!(stage.check().contains("Fake, 40 Zeichen"));
    display.set_cells(0);
    assert!(stage.check().contains("hat keine Zeile gefunden"));
}
