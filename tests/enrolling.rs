//! Somebody reads, and is heard from then on as he speaks.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::common::{Home, Talk, printed};
use super::room::Room;
use super::waiting::wait_until;
use super::{TIMES, can_listen, comes_within, count, game, say_until, until_all_is_said};

const VOICE: &str = "de+m3";

/// A game that Anna plays, with a microphone for both.
const SETTINGS: &str = "[game]\nmode = \"club\"\nmicrophones = \"shared\"\ntime_control = \"30m\"\n\
                    [game.sides.white]\nname = \"Anna\"\nvisually_disabled = true\n\
                    consents_to_recording = true\n[game.sides.black]\n\
                    consents_to_recording = true\n[devices.microphone]\nshared = \"mouth\"\n";

/// The line that is to be said after the number.
fn wanted(talk: &Talk, number: usize) -> Option<String> {
    let lines = talk.lines();
    let start = format!("{number} von ");
    let line = lines.iter().rev().find(|line| line.starts_with(&start))?;
    Some(line.split_once(": ")?.1.to_owned())
}

/// Says the line of a number until it is the turn of the next one.
fn say_line(room: &Room, talk: &Talk, number: usize) {
    wait_until("the line is said", || wanted(talk, number).is_some());
    let words = wanted(talk, number).unwrap();
    for times in 1..=TIMES {
        room.speak("mouth", VOICE, &words);
        if comes_within(super::ANSWERED_BY * times, || {
            wanted(talk, number + 1).is_some()
        }) {
            return;
        }
    }
    panic!("{words:?} was not taken: {:#?}", talk.lines());
}

/// Says "Stopp" until it ends.
fn stop(room: &Room, talk: &Talk) {
    for times in 1..=TIMES {
        room.speak("mouth", VOICE, "Stopp");
        let has_stopped = || count(talk, "macht dort weiter") > 0;
        if comes_within(super::ANSWERED_BY * times, has_stopped) {
            return;
        }
    }
    panic!("Stopp was not heard: {:#?}", talk.lines());
}

/// The files that are still to be read, with their words.
fn unread(folder: &Path) -> Vec<(PathBuf, String)> {
    let table = fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|row| {
        let mut cells = row.split('\t');
        let file = folder.join(cells.next().unwrap());
        (file, cells.next().unwrap().to_owned())
    });
    rows.filter(|(file, _)| !file.exists()).collect()
}

/// annexd enrol, in German.
fn enrol(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(&[&["enrol"], arguments].concat());
    command.env("ANNEXD_LANGUAGE", "de");
    command
}

fn enrolled(home: &Home, arguments: &[&str]) -> Output {
    enrol(home, arguments).output().unwrap()
}

#[test]
fn who_has_read_is_heard_as_he_speaks() {
    let (true, Some(room)) = (can_listen(), Room::furnished("enrol", &[], &["mouth"])) else {
        return;
    };
    let home = Home::new();
    let mut command = enrol(&home, &["--name", "Anna", "--voice", "none"]);
    room.with(&mut command);
    let talk = Talk::with(command);
    say_line(&room, &talk, 1);
    say_line(&room, &talk, 2);
    stop(&room, &talk);
    assert_eq!(talk.ended().0, Some(0));
    let place = home.path("data/annexd/enrolled/de/anna");
    let left = unread(&place);
    let all = fs::read_to_string(place.join("MANIFEST.tsv")).unwrap();
    assert_eq!(left.len() + 2, all.lines().count() - 1);
    let begun = printed(&enrolled(&home, &["--show"]));
    assert!(begun.contains("noch nicht genug zum Lernen"), "{begun}");
    // The others are read by nobody here: it would take five minutes.
    for (file, words) in left {
        fs::copy(room.spoken("mouth", VOICE, &words), file).unwrap();
    }
    let learnt = printed(&enrolled(&home, &["--name", "Anna"]));
    assert!(learnt.contains("Fertig. "), "{learnt}");
    let shown = printed(&enrolled(&home, &["--show"]));
    let file = place.join("hearing.annexd").display().to_string();
    assert!(shown.contains(&file), "{shown}");
    // A model is tried when it is first used; so this tells whether the game uses it.
    let tried = home.path("data/annexd/models/tried");
    fs::remove_file(&tried).unwrap();
    let talk = game(&home, &room, SETTINGS);
    assert!(tried.is_file(), "the game hears with the usual model");
    say_until(
        (&home, &room),
        "mouth",
        (VOICE, "Bauer Eva zwei Eva vier"),
        || count(&talk, "Eva zwei Eva vier") > 0,
    );
    until_all_is_said(&home);
    say_until((&home, &room), "mouth", (VOICE, "Korrektur"), || {
        count(&talk, "Korrektur.") > 0
    });
    until_all_is_said(&home);
    talk.leave();
    it_goes_to_another_computer(&room, Path::new(&file));
    // Nothing but an enrolment is ever deleted.
    for language in ["..", "", "de/..", "../games"] {
        let outside = enrolled(
            &home,
            &["--delete", "--language", language, "--name", "games"],
        );
        assert!(!outside.status.success());
    }
    assert!(home.game("table").exists());
    // And it is gone when it is deleted.
    let deleted = enrolled(&home, &["--name", "Anna", "--delete"]);
    assert!(deleted.status.success() && !place.exists());
    what_was_taken_back_is_sorted(&home, &room, &place);
    let deleted = enrolled(&home, &["--name", "Anna", "--delete"]);
    assert!(deleted.status.success() && !place.exists());
    assert!(
        !home
            .run(&["enrol", "--name", "Anna", "--delete"])
            .status
            .success()
    );
}

/// One file is all that is carried. When it is damaged there, a game tells so and hears by the
/// usual model.
fn it_goes_to_another_computer(room: &Room, file: &Path) {
    let path = file.display().to_string();
    let other = Home::new();
    let taken = printed(&enrolled(&other, &["--take", &path]));
    assert!(taken.contains("für Anna"), "{taken}");
    let model = other.path("data/annexd/enrolled/de/anna/hearing.annexd");
    assert_eq!(fs::read(&model).unwrap(), fs::read(file).unwrap());
    let damaged = other.path("damaged.annexd");
    fs::write(&damaged, &fs::read(file).unwrap()[..9_000]).unwrap();
    let refused = enrolled(&other, &["--take", &damaged.display().to_string()]);
    assert_eq!(refused.status.code(), Some(3));
    let again = enrolled(&other, &["--take", &path]);
    assert_eq!(again.status.code(), Some(2), "one of that name is there");
    fs::copy(&damaged, &model).unwrap();
    let talk = game(&other, room, SETTINGS);
    wait_until("it is told", || {
        count(&talk, "Das Hörmodell für die eigene Stimme ist beschädigt.") > 0
    });
    talk.leave();
}

/// The announcement that was withdrawn in the game is asked for once, and its sound is kept.
fn what_was_taken_back_is_sorted(home: &Home, room: &Room, place: &Path) {
    let words = "\näh Bauer\n77\n".to_owned() + &"1\n".repeat(20);
    let review = |typed: &str| {
        let mut command = enrol(home, &["--review", "--name", "Anna"]);
        room.with(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // It may have ended before it has read all.
        let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let told = review(&words);
    let parts = [
        "1: Bauer Eva zwei Eva vier.",
        "„äh“",
        "Eine 77",
        "Gelernt wird: Bauer Eva zwei Eva vier.",
        "--name \"Anna\"",
    ];
    for part in parts {
        assert!(told.contains(part), "{part}: {told}");
    }
    let table = fs::read_to_string(place.join("REVIEWED.tsv")).unwrap();
    let rows = table.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let new: Vec<_> = rows.filter(|row| row[3] == "new").collect();
    assert_eq!(new[0][1], "bauer eva zwei eva vier", "{table}");
    assert!(place.join(new[0][0]).with_extension("flac").is_file());
    let again = review("");
    assert!(again.contains("nichts weiter"), "{again}");
}
