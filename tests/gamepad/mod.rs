//! A virtual gamepad in the hands of the blind player of the real program: every function is
//! reached, the settings change the layout, the motors tell heard from not understood, and the pad
//! is pulled out and put in again. Where umockdev is not installed, that is said and nothing
//! tested.
#![cfg(all(target_os = "linux", feature = "gamepad", feature = "serial"))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the program, and fails where it fails"
)]

use crate::common;
use crate::pad;

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use annexd::persons::Person;
use annexd::phrases::{Argument, Phrase, PhraseKey};
use annexd::shell::config::data;
use annexd::shell::typed::controls::Controls;
use common::{Home, Talk};
use pad::Pad;
use shakmaty::Color;

const KEY: u16 = 1;
const AXIS: u16 = 3;

/// What the kernel reports for each button, and its value when it is pressed.
const BUTTONS: [(&str, u16, u16, i32); 17] = [
    ("south", KEY, 0x130, 1),
    ("east", KEY, 0x131, 1),
    ("west", KEY, 0x133, 1),
    ("north", KEY, 0x134, 1),
    ("left_trigger", KEY, 0x136, 1),
    ("right_trigger", KEY, 0x137, 1),
    ("select", KEY, 0x13a, 1),
    ("start", KEY, 0x13b, 1),
    ("mode", KEY, 0x13c, 1),
    ("left_thumb", KEY, 0x13d, 1),
    ("right_thumb", KEY, 0x13e, 1),
    ("left_trigger2", AXIS, 2, 255),
    ("right_trigger2", AXIS, 5, 255),
    ("left", AXIS, 16, -1),
    ("right", AXIS, 16, 1),
    ("up", AXIS, 17, -1),
    ("down", AXIS, 17, 1),
];

/// The game, at White's own terminal and with his pad.
struct Play {
    pad: Pad,
    talk: Talk,
    _home: Home,
}

impl Play {
    fn begin(settings: &str) -> Option<Self> {
        let home = Home::new();
        let pad = Pad::new(&home.path("run"))?;
        let settings = format!(
            "[game]\nmode = \"club\"\ntime_control = \"30m\"\n\
             [game.sides.white]\nvisually_disabled = true\near = true\n\
             [devices]\ngamepad = \"white\"\nmicrophone.white = \"none\"\n\
             [voice.table]\nvoice = \"silent\"\n{settings}"
        );
        std::fs::create_dir(home.path("config/annexd")).unwrap();
        std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
        let mut command = pad.world();
        command.arg(env!("CARGO_BIN_EXE_annexd"));
        command.args(["play", "--name", "pad", "--terminal", "white"]);
        for (name, folder) in [
            ("DATA_HOME", "data"),
            ("CONFIG_HOME", "config"),
            ("RUNTIME_DIR", "run"),
        ] {
            command.env(format!("XDG_{name}"), home.path(folder));
        }
        let mut talk = Talk::with(command);
        talk.types("anfang");
        talk.wait_for("Die Partie beginnt", 1);
        Some(Self {
            pad,
            talk,
            _home: home,
        })
    }

    fn moves(&mut self, button: &str, down: bool) {
        let (_, kind, code, value) = BUTTONS.into_iter().find(|it| it.0 == button).unwrap();
        self.pad.moves(kind, code, if down { value } else { 0 });
    }

    /// Presses a button, or the second of two while the first is held.
    fn press(&mut self, buttons: &str) {
        let buttons: Vec<&str> = buttons.split('+').collect();
        for button in &buttons {
            self.moves(button, true);
        }
        for button in buttons.iter().rev() {
            self.moves(button, false);
        }
    }

    /// Presses until it is answered: a pad that was just plugged in is found a little later.
    fn press_until(&mut self, buttons: &str, part: &str) {
        for _ in 0..30 {
            self.press(buttons);
            let end = Instant::now() + Duration::from_secs(1);
            while Instant::now() < end {
                if self.talk.lines().iter().any(|line| line.contains(part)) {
                    return;
                }
                thread::sleep(Duration::from_millis(20));
            }
        }
        panic!(
            "{buttons} did not lead to {part:?}: {:#?}",
            self.talk.lines()
        );
    }

    /// Waits until a motor has turned so.
    fn turns(&self, is_so: impl Fn((u32, u32)) -> bool) {
        let end = Instant::now() + Duration::from_secs(30);
        while !self.pad.turned().into_iter().any(&is_so) {
            assert!(Instant::now() < end, "{:?}", self.pad.turned());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// With the help button held, every button and pair says what it does, by the table of the
/// program and of the settings.
fn every_function_is_reached(settings: &str, changes: &[(&str, &str)]) {
    let Some(mut play) = Play::begin(settings) else {
        return;
    };
    let changes: BTreeMap<String, String> = changes
        .iter()
        .map(|(pad, does)| ((*pad).to_owned(), (*does).to_owned()))
        .collect();
    let controls = Controls::load(Person::Player(Color::White), &changes, &BTreeMap::new());
    let controls = controls.unwrap();
    let german = data::language("de").unwrap();
    let about = |word: &str| {
        let name = Argument::Control(word.to_owned());
        german.text(&Phrase::new(PhraseKey::About, [name]))
    };
    play.press_until("select+up", &about("time"));
    let mut reached = 0;
    for control in controls.all() {
        let word = control.function.word();
        let Some(buttons) = controls
            .pad_of(control.function)
            .filter(|it| *it != "select")
        else {
            continue;
        };
        let count = |play: &Play| {
            let lines = play.talk.lines();
            lines.iter().filter(|it| it.contains(&about(word))).count()
        };
        let before = count(&play);
        play.press(&format!("select+{buttons}"));
        play.talk.wait_for(&about(word), before + 1);
        reached += 1;
    }
    assert!(reached > 35, "{reached}");
}

#[test]
fn every_function_is_reached_with_the_pad() {
    every_function_is_reached("", &[]);
}

#[test]
fn the_settings_change_the_layout() {
    let settings = "[gamepad]\nsouth = \"no\"\neast = \"yes\"\n\"left_trigger+mode\" = \"time\"\n";
    let changes = [
        ("south", "no"),
        ("east", "yes"),
        ("left_trigger+mode", "time"),
    ];
    every_function_is_reached(settings, &changes);
}

#[test]
fn grave_buttons_ask_back_and_the_motors_tell_heard_from_refused() {
    let Some(mut play) = Play::begin("") else {
        return;
    };
    play.press_until("up", "Weiß privat");
    play.press("left_trigger+east");
    play.talk.wait_for("Wirklich aufgeben? Ja oder nein.", 1);
    play.press("east");
    play.talk.wait_for("Gut, dann nicht.", 1);
    // The microphone opens: heard.
    play.press("mode");
    play.press("mode");
    play.turns(|(heavy, light)| heavy == 0 && light > 0);
    // He has not moved: his clock is not pressed.
    play.press("right_trigger2");
    play.turns(|(heavy, _)| heavy > 0);
    play.press("left_trigger+east");
    play.talk.wait_for("Wirklich aufgeben? Ja oder nein.", 2);
    play.press("south");
    play.talk.wait_for("Weiß gibt auf", 1);
    play.talk.leave();
}

#[test]
fn a_pad_is_pulled_out_and_put_in_again() {
    let Some(mut play) = Play::begin("") else {
        return;
    };
    play.press_until("up", "Weiß privat");
    play.pad.pull();
    play.talk.wait_for("Das Gamepad", 1);
    play.pad.plug();
    play.talk.wait_for("Das Gamepad", 2);
    play.press_until("select+south", "Ja, bestätigt, was gefragt ist.");
    play.talk.leave();
}
