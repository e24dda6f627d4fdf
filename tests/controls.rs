//! The controls: the README's table is made from the data, and a virtual gamepad does what it
//! says.

#![expect(
    clippy::disallowed_methods,
    reason = "a test reads the project's files and starts the pad, and fails where they fail"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use annexd::persons::Person;
use annexd::shell::controls::Controls;
use annexd::shell::data;
use shakmaty::Color;

const HEAD: &str = "## Controls\n";

#[test]
fn the_readme_has_the_controls_as_they_are() {
    let lexicon = data::lexicon("de").unwrap();
    let mut page = format!(
        "{HEAD}\nEverything can be said (in German), typed in the same words, or done with a \
         gamepad. Hold `select` and press another button to be told what that does. The settings \
         change any button: `[gamepad]` with `south = \"no\"`. Two buttons with a plus: hold the \
         first.\nThis part is made from `assets/controls.toml` by `REVIEW=1 cargo test --test \
         controls`.\n"
    );
    for (title, person) in [
        ("Player", Person::Player(Color::White)),
        ("Assistant", Person::Assistant(Color::White)),
    ] {
        let controls = Controls::load(person, &BTreeMap::new()).unwrap();
        write!(
            page,
            "\n| {title} | say or type | gamepad |\n|---|---|---|\n"
        )
        .unwrap();
        for (pad, function) in controls.all() {
            let name = function.word().replace('_', " ");
            let spoken = function.spoken(&lexicon).unwrap_or_else(|| "-".to_owned());
            writeln!(page, "| {name} | {spoken} | {pad} |").unwrap();
        }
    }
    page.push_str(
        "\nEarcons on the private channel: words heard, one high tone; not understood, two \
         falling low tones; clock started, two rising tones; listening, one middle tone. Each \
         can be turned off in the settings.\n",
    );
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&file).unwrap();
    let part = readme
        .split_once(HEAD)
        .map(|(_, rest)| rest.split("\n## ").next().unwrap());
    let part = part.map(|part| format!("{HEAD}{}", part.trim_end()));
    if part.as_deref() == Some(page.trim_end()) {
        return;
    }
    if std::env::var_os("REVIEW").is_some() {
        let changed = match part {
            Some(part) => readme.replace(&part, page.trim_end()),
            None => format!("{}\n\n{page}", readme.trim_end()),
        };
        fs::write(&file, changed).unwrap();
        return;
    }
    panic!("the controls in README.md are not those of the data: REVIEW=1 writes them anew");
}

#[cfg(all(feature = "gamepad", target_os = "linux"))]
mod pad {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use annexd::game::{Heard, Input, Said};
    use annexd::shell::controls::Pad;
    use annexd::shell::gamepad::Gamepad;
    use annexd::shell::table::Report;
    use annexd::shell::watchdog::Turns;

    use super::*;

    /// Run inside a virtual world with a pad: prints what its buttons lead to.
    #[test]
    fn inside_a_virtual_world() {
        if std::env::var_os("ANNEXD_VIRTUAL_PAD").is_none() {
            return;
        }
        let person = Person::Player(Color::White);
        let pad = Pad::new(person, Controls::load(person, &BTreeMap::new()).unwrap());
        let (reports, told) = crossbeam_channel::unbounded();
        let lexicon = data::lexicon("de").unwrap();
        let _gamepad =
            Gamepad::open(pad, person, lexicon, Turns::default(), reports, None).unwrap();
        let until = Instant::now() + Duration::from_secs(4);
        while let Ok(report) = told.recv_deadline(until) {
            match report {
                Report::Input(Input::Heard {
                    heard: Heard::Clear(Said::Command(command)),
                    ..
                }) => println!("pad: {}", command.word()),
                Report::Input(Input::Heard { .. }) => println!("pad: correct"),
                _ => {}
            }
        }
    }

    const PAD: &str = include_str!("gamepad/pad.umockdev");

    #[test]
    fn a_virtual_pad_does_what_the_table_says() {
        if Command::new("umockdev-run")
            .arg("--version")
            .output()
            .is_err()
        {
            eprintln!("skipped: umockdev is not installed (make setup installs it)");
            return;
        }
        assert!(PAD.contains("ID_INPUT_JOYSTICK"));
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gamepad");
        let device = "/dev/input/event5";
        let output = Command::new("umockdev-run")
            .arg("-d")
            .arg(files.join("pad.umockdev"))
            .arg("-i")
            .arg(format!("{device}={}", files.join("pad.ioctl").display()))
            .arg("-e")
            .arg(format!("{device}={}", files.join("pad.events").display()))
            .arg("--")
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "pad::inside_a_virtual_world", "--nocapture"])
            .env("ANNEXD_VIRTUAL_PAD", "1")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let done: Vec<&str> = printed
            .lines()
            .filter_map(|line| line.split_once("pad: ").map(|(_, word)| word))
            .collect();
        assert_eq!(done, ["yes", "no", "correct", "time"], "{printed}");
    }
}
