//! What neither works nor fails stops nothing: a terminal that is held, a disk that hangs.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test runs the program, and fails where it fails"
)]

use crate::common;

use std::path::Path;
use std::process::Command;

use annexd::game::Input;
use annexd::journal::{Body, Entry};
use annexd::shell::record::store;
use annexd::shell::table::timeline::wall_ms;
use common::{Home, Talk, text};

/// Moments and times of the day are taken one after the other, on a busy machine not at once. The
/// game waits longer than that for the disk before it says so.
const ROUNDING_MS: u64 = 1_000;

const PLAY: [&str; 6] = ["play", "--text", "--name", "s", "--time", "30m"];

/// A home whose disk hangs as long as its file `stall` is there.
struct Hanging {
    home: Home,
}

impl Hanging {
    fn new() -> Self {
        let home = Home::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stalling/stall.c");
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-o"])
            .arg(home.path("stall.so"))
            .arg(source);
        assert!(compiler.status().unwrap().success());
        Self { home }
    }

    fn command(&self) -> Command {
        let mut command = self.home.command(&PLAY);
        command
            .env("LD_PRELOAD", self.home.path("stall.so"))
            .env("ANNEXD_STALL", self.home.path("stall"));
        command
    }

    fn start(&self) -> Talk {
        let mut game = Talk::with(self.command());
        game.types("anfang");
        game.wait_for("Die Partie beginnt", 1);
        game
    }

    fn hang(&self) {
        std::fs::write(self.home.path("stall"), "").unwrap();
    }

    fn answer(&self) {
        std::fs::remove_file(self.home.path("stall")).unwrap();
    }
}

/// White's move is announced, and her clock pressed; gives when.
fn move_and_press(game: &mut Talk) -> u64 {
    game.types("weiß: e2e4");
    let pressed = wall_ms();
    game.types("weiß: uhr");
    pressed
}

fn entries(home: &Home) -> Vec<Entry> {
    store::read(&home.game("s")).unwrap().entries
}

fn pressed(entries: &[Entry]) -> Option<&Entry> {
    let is_press = |entry: &&Entry| match &entry.body {
        Body::Step { input, .. } => matches!(input, Input::Pressed { .. }),
        _ => false,
    };
    entries.iter().find(is_press)
}

#[test]
fn a_disk_that_hangs_is_said_and_nothing_is_charged_for_it() {
    let disk = Hanging::new();
    let mut game = disk.start();
    disk.hang();
    let made = move_and_press(&mut game);
    game.wait_for("Der Datenträger antwortet nicht", 1);
    let shown = game.lines();
    assert!(
        !shown.iter().any(|line| line.contains("Eva zwei Eva vier")),
        "nothing is read back that is not recorded: {shown:#?}"
    );
    let answered = wall_ms();
    disk.answer();
    game.wait_for("wieder gespeichert", 1);
    game.wait_for("Eva zwei Eva vier", 1);
    game.leave();
    let entries = entries(&disk.home);
    let press = pressed(&entries).unwrap();
    assert!(
        (made - ROUNDING_MS..answered).contains(&press.wall_ms),
        "pressed at {made}, recorded as of {}, the disk back at {answered}",
        press.wall_ms
    );
    let is_gap = |entry: &&Entry| matches!(&entry.body, Body::Gap { reason, .. } if reason.contains("does not answer"));
    assert!(entries.iter().any(|entry| is_gap(&entry)));
    let verified = disk.home.run(&["verify", "s"]);
    assert!(verified.status.success(), "{}", text(&verified));
}

#[test]
fn a_game_that_begins_on_a_hanging_disk_says_what_it_waits_for() {
    let disk = Hanging::new();
    disk.hang();
    let mut game = Talk::with(disk.command());
    game.wait_for("Der Datenträger antwortet nicht", 1);
    game.types("anfang");
    disk.answer();
    game.wait_for("Die Partie beginnt", 1);
    game.leave();
}

#[test]
fn play_goes_on_beside_a_hanging_disk_when_both_agree() {
    let disk = Hanging::new();
    let mut game = disk.start();
    disk.hang();
    move_and_press(&mut game);
    game.wait_for("Der Datenträger antwortet nicht", 1);
    game.types("weiß: unaufgezeichnet");
    game.types("schwarz: unaufgezeichnet");
    game.wait_for("Eva zwei Eva vier", 1);
    game.types("schwarz: e2e4");
    game.types("schwarz: e7e5");
    game.wait_for("Eva sieben Eva fünf", 1);
    disk.answer();
    game.wait_for("wieder gespeichert", 1);
    game.leave();
    let verified = disk.home.run(&["verify", "s"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let shown = text(&disk.home.run(&["show", "s"]));
    assert!(shown.contains("e5"), "{shown}");
}

#[test]
fn what_a_hanging_disk_does_not_take_at_the_end_is_shown_and_kept_elsewhere() {
    let disk = Hanging::new();
    let mut game = disk.start();
    disk.hang();
    move_and_press(&mut game);
    game.wait_for("Der Datenträger antwortet nicht", 1);
    game.types("weiß: unaufgezeichnet");
    game.types("schwarz: unaufgezeichnet");
    game.types("schwarz: e7e5");
    game.wait_for("Eva sieben Eva fünf", 1);
    let said = game.leave().join("\n");
    assert!(said.contains("ScoreOf") && said.contains(" e5"), "{said}");
    assert!(said.contains("stehen nicht in der Datei"), "{said}");
    let kept = disk.home.path("run/annexd/s-unwritten.jsonl");
    let lines = std::fs::read_to_string(&kept).unwrap();
    assert!(lines.contains("\"to\":\"e5\""), "{lines}");
}

#[cfg(feature = "serial")]
mod terminal {
    use std::fs::OpenOptions;
    use std::io::{Read as _, Write as _};
    use std::process::Stdio;
    use std::time::Instant;

    use annexd::game::VoiceMark;
    use serialport::{SerialPort as _, TTYPort};

    use super::*;
    use crate::waiting::{PATIENCE, wait_until};

    const HOLD: u8 = 0x13;
    const GO_ON: u8 = 0x11;

    /// A terminal on which somebody can press Ctrl-S.
    struct Terminal {
        hand: TTYPort,
        line: TTYPort,
        seen: String,
    }

    impl Terminal {
        fn new() -> Self {
            let (hand, line) = TTYPort::pair().unwrap();
            let mut stty = Command::new("stty");
            stty.arg("-F")
                .arg(line.name().unwrap())
                .args(["sane", "ixon", "-echo"]);
            assert!(stty.status().unwrap().success());
            let seen = String::new();
            Self { hand, line, seen }
        }

        fn command(&self, mut command: Command) -> Command {
            let line = OpenOptions::new()
                .write(true)
                .open(self.line.name().unwrap());
            command.stdin(Stdio::piped()).stdout(line.unwrap());
            command
        }

        /// Holds what is written, or lets it go on. It is not the program that reads these keys.
        fn press(&mut self, key: u8) {
            self.hand.write_all(&[key]).unwrap();
            let line = std::cell::RefCell::new(&mut self.line);
            // What is held takes nothing.
            wait_until("the terminal is held or goes on", || {
                let taken = line.borrow_mut().write(&[]);
                taken.is_err() == (key == HOLD)
            });
        }

        #[track_caller]
        fn wait_for(&mut self, part: &str) {
            let until = Instant::now() + PATIENCE;
            let mut bytes = [0; 4096];
            while !self.seen.contains(part) {
                assert!(Instant::now() < until, "no {part:?} in {:?}", self.seen);
                if let Ok(count) = self.hand.read(&mut bytes) {
                    self.seen += &String::from_utf8_lossy(&bytes[..count]);
                }
            }
        }
    }

    /// Whether what was last said at the table is marked as read.
    fn is_heard(entries: &[Entry]) -> bool {
        let last = entries.iter().rev().find_map(|entry| match &entry.body {
            Body::Step {
                input: Input::Voice {
                    mark, utterance, ..
                },
                ..
            } if *mark == VoiceMark::Shown => Some(*utterance),
            _ => None,
        });
        let said = entries.iter().rev().find_map(|entry| match &entry.body {
            Body::Step { effects, .. } => effects.iter().rev().find_map(|effect| match effect {
                annexd::game::Effect::Say {
                    utterance, channel, ..
                } if *channel == annexd::persons::Channel::Table => Some(*utterance),
                _ => None,
            }),
            _ => None,
        });
        said.is_some() && last >= said
    }

    #[test]
    fn a_terminal_that_is_held_stops_nothing() {
        let home = Home::new();
        let mut terminal = Terminal::new();
        let mut game = terminal.command(home.command(&PLAY)).spawn().unwrap();
        let mut typed = game.stdin.take().unwrap();
        writeln!(typed, "anfang").unwrap();
        terminal.wait_for("Die Partie beginnt");
        wait_until("the beginning is heard", || is_heard(&entries(&home)));

        terminal.press(HOLD);
        writeln!(typed, "weiß: e2e4").unwrap();
        wait_until("the read-back is recorded", || !is_heard(&entries(&home)));
        let made = wall_ms();
        writeln!(typed, "weiß: uhr").unwrap();
        wait_until("the press is recorded", || {
            pressed(&entries(&home)).is_some()
        });
        let heartbeat = || std::fs::read(home.game("s").with_extension("beat")).unwrap();
        let before = heartbeat();
        wait_until("the heartbeat goes on", || heartbeat() != before);
        assert!(!is_heard(&entries(&home)), "nobody has read it");
        assert!(!terminal.seen.contains("Eva zwei Eva vier"));
        let known = wall_ms();

        terminal.press(GO_ON);
        terminal.wait_for("Eva zwei Eva vier");
        wait_until("it is marked as heard", || is_heard(&entries(&home)));
        let entries = entries(&home);
        let press = pressed(&entries).unwrap();
        let at = press.wall_ms;
        assert!(
            (made - ROUNDING_MS..=known).contains(&at),
            "{made} {at} {known}"
        );
        game.kill().unwrap();
        game.wait().unwrap();
    }

    #[test]
    fn what_a_held_terminal_did_not_show_is_said_again_after_a_kill() {
        let home = Home::new();
        let mut terminal = Terminal::new();
        let mut game = terminal.command(home.command(&PLAY)).spawn().unwrap();
        let mut typed = game.stdin.take().unwrap();
        writeln!(typed, "anfang").unwrap();
        terminal.wait_for("Die Partie beginnt");
        wait_until("the beginning is heard", || is_heard(&entries(&home)));
        terminal.press(HOLD);
        writeln!(typed, "weiß: e2e4").unwrap();
        wait_until("the read-back is recorded", || !is_heard(&entries(&home)));
        game.kill().unwrap();
        game.wait().unwrap();
        let resumed = home.start(&["resume", "s", "--text"]);
        resumed.wait_for("Eva zwei Eva vier", 1);
        resumed.leave();
    }
}
