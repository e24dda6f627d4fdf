//! What is heard and said around the real program: its own voice in the microphone, words spoken
//! over it, and two players who are both visually disabled, each with an ear and a microphone.

#![cfg(all(feature = "audio", feature = "recognizer"))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the servers and the program, and fails where they fail"
)]

mod common;
mod room;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use common::{Home, Talk, text};
use room::Room;

#[cfg(feature = "serial")]
use annexd::game::Input;
#[cfg(feature = "serial")]
use annexd::journal::Body;
#[cfg(feature = "serial")]
use annexd::shell::boards::Kind;
#[cfg(feature = "serial")]
use annexd::shell::boards::simulate::{SimulatedPort, SimulationSettings};
#[cfg(feature = "serial")]
use annexd::shell::record::store;
#[cfg(feature = "serial")]
use shakmaty::{ByColor, Chess, Color, san::San};

fn can_listen() -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let can = root.join(".deps/lib/libvosk.so").exists();
    if !can {
        eprintln!("skipped: libvosk is not there (make setup fetches it)");
    }
    can
}

/// A game in a room with these settings, begun.
fn game(home: &Home, room: &Room, settings: &str) -> Talk {
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
    let mut command = home.command(&["play", "--name", "table"]);
    room.with(&mut command);
    let mut talk = Talk::with(command);
    talk.types("anfang");
    talk.wait_for("Die Partie beginnt.", 1);
    until_marked(home, 1, "finished");
    talk
}

/// Waits until the record has this mark of what was said at the table with this number.
fn until_marked(home: &Home, utterance: u32, mark: &str) {
    let marked = format!(r#""channel":"table","utterance":{utterance},"mark":"{mark}""#);
    let began = Instant::now();
    while !text(&home.run(&["show", "table", "--jsonl"])).contains(&marked) {
        let waited = began.elapsed();
        assert!(waited < Duration::from_secs(60), "never: {marked}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// What was said at the table, save that the disk was slow: on a busy machine that is true, and no
/// microphone has any part in it.
fn said_at_the_table(talk: &Talk) -> Vec<String> {
    let is_of_the_disk = |line: &String| {
        line.contains("Der Datenträger antwortet nicht")
            || line.contains("Die Partie wird wieder gespeichert")
    };
    let lines = talk.lines();
    lines
        .into_iter()
        .filter(|it| it.starts_with("Tisch") && !is_of_the_disk(it))
        .collect()
}

const SHARED: &str = "[game]\nmode = \"club\"\nmicrophones = \"shared\"\n\
                      time_control = \"30m\"\n\
                      [game.sides.white]\nvisually_disabled = true\n\
                      [devices.microphone]\nshared = \"mouth\"\n";

#[test]
fn our_own_voice_in_the_microphone_announces_nothing() {
    let (true, Some(room)) = (can_listen(), Room::furnished("leak", &[], &["mouth"])) else {
        return;
    };
    room.leak("room", "mouth");
    let home = Home::new();
    // The control listens to the same microphone and does not know that annexd speaks.
    let mut control = home.command(&["listen", "--mic"]);
    room.with(&mut control);
    let control = Talk::with(control);
    let mut talk = game(&home, &room, SHARED);
    let before = said_at_the_table(&talk).len();
    let is_leak = |line: &String| line.to_lowercase().contains("eva zwei eva vier");
    // On a busy machine the control may miss it once.
    for times in 1..=3 {
        talk.types(["weiß: e2e4", "weiß: wiederholen"][usize::from(times > 1)]);
        talk.wait_for("Eva zwei Eva vier", times);
        // Heard by the microphone, it would be Black's repetition and then a move of his.
        thread::sleep(Duration::from_secs(6));
        let said = said_at_the_table(&talk);
        assert_eq!(said.len(), before + times, "{said:?}");
        if control.lines().iter().any(is_leak) {
            talk.leave();
            return;
        }
    }
    panic!("the control heard nothing: {:?}", control.lines());
}

#[test]
fn while_annexd_speaks_only_urgent_words_are_obeyed() {
    let (true, Some(room)) = (can_listen(), Room::furnished("over", &[], &["mouth"])) else {
        return;
    };
    let home = Home::new();
    let consent = "visually_disabled = true\nconsents_to_recording = true\n\
                   [game.sides.black]\nconsents_to_recording = true\n";
    let settings = SHARED.replace("visually_disabled = true\n", consent);
    let mut talk = game(&home, &room, &settings);
    // A long one, so that there is time to speak into it.
    talk.types("weiß: Bauer Hector sieben schlägt Gustav acht Springer");
    until_marked(&home, 2, "begun");
    room.speak("mouth", "de+f2", "wiederholen");
    until_marked(&home, 2, "finished");
    thread::sleep(Duration::from_secs(1));
    let announced = |talk: &Talk| {
        let said = said_at_the_table(talk);
        said.iter()
            .filter(|it| it.contains("Hector sieben"))
            .count()
    };
    assert_eq!(announced(&talk), 1, "it was obeyed: {:?}", talk.lines());
    // The control: the same words are obeyed in silence.
    room.speak("mouth", "de+f2", "wiederholen");
    talk.wait_for("Hector sieben schlägt Gustav acht", 2);
    thread::sleep(Duration::from_millis(300));
    room.speak("mouth", "de+f2", "nein");
    talk.wait_for("Tisch: Korrektur.", 1);
    the_sound_is_kept(&home, &["wiederholen", "nein"], talk);
}

/// Each of these words is in one of the files that were kept with both players' consent, and the
/// game that is left then knows of all of them.
fn the_sound_is_kept(home: &Home, words: &[&str], talk: Talk) {
    let folder = home.game("table").with_extension("sound");
    let began = Instant::now();
    loop {
        let files = std::fs::read_dir(&folder).unwrap();
        let files: Vec<String> = files
            .map(|entry| entry.unwrap().path().display().to_string())
            .collect();
        let mut listen = vec!["listen", "--json"];
        listen.extend(files.iter().map(String::as_str));
        let heard = text(&home.run(&listen));
        let is_heard = |word: &&str| heard.contains(&format!(r#""word":"{word}""#));
        if words.iter().all(is_heard) {
            break;
        }
        let waited = began.elapsed();
        assert!(waited < Duration::from_secs(60), "of {files:?}: {heard}");
        thread::sleep(Duration::from_millis(200));
    }
    talk.leave();
    let verified = home.run(&["verify", "table"]);
    assert!(verified.status.success(), "{}", text(&verified));
}

/// A table that is spoken to slowly, so that there is time to speak over it.
const SLOW: &str = "[voice]\nrapid_rate_percent = 60\n";

/// What takes half a minute to be said at the table then.
fn half_a_minute_is_said(talk: &mut Talk) {
    for word in [
        "korrektur",
        "hilfe",
        "reklamation fünfzig",
        "berichtige",
        "korrektur",
    ] {
        talk.types(&format!("weiß: ? {word}"));
    }
    thread::sleep(Duration::from_millis(700));
}

/// Speaks while the table is spoken to until a line is there.
fn over(room: &Room, words: &str, talk: &mut Talk, part: &str) {
    for _ in 0..3 {
        half_a_minute_is_said(talk);
        room.speak("mouth", "de+f2", words);
        let end = Instant::now() + Duration::from_secs(8);
        while Instant::now() < end {
            if talk.lines().iter().any(|line| line.contains(part)) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
    panic!("{words:?} did not lead to {part:?}: {:#?}", talk.lines());
}

/// "Stopp" silences at once, "Ich berichtige" and "Korrektur" are done, and a question is not
/// answered, all of it spoken over what annexd says.
#[test]
fn four_words_are_obeyed_while_annexd_speaks() {
    let (true, Some(room)) = (can_listen(), Room::furnished("four", &[], &["mouth"])) else {
        return;
    };
    let home = Home::new();
    let mut talk = game(&home, &room, &format!("{SHARED}{SLOW}"));
    let answer = "Die Antwort für Weiß ist privat";
    half_a_minute_is_said(&mut talk);
    room.speak("mouth", "de+f2", "Zeit");
    thread::sleep(Duration::from_secs(3));
    assert!(!talk.lines().iter().any(|line| line.contains(answer)));
    // Nothing that was said before the word is heard any more: else it would go on for long.
    let is_silent = (0..3).any(|_| {
        room.speak("mouth", "de+f2", "Stopp");
        thread::sleep(Duration::from_millis(1_500));
        let rest = room.record();
        thread::sleep(Duration::from_secs(2));
        peak(rest) < 100
    });
    assert!(is_silent, "it speaks on: {:#?}", talk.lines());
    // The control: in silence the question is answered.
    room.speak("mouth", "de+f2", "Zeit");
    talk.wait_for(answer, 1);
    over(&room, "Ich berichtige", &mut talk, "Weiß berichtigt.");
    talk.types("weiß: stopp");
    talk.types("weiß: e2e4");
    talk.wait_for("Eva zwei Eva vier", 1);
    over(&room, "Korrektur", &mut talk, "Tisch: Korrektur.");
    talk.leave();
}

/// Where another language is agreed on in the game, the microphone hears that one from then on.
#[test]
fn the_microphone_follows_the_language_of_the_table() {
    let (true, Some(room)) = (can_listen(), Room::furnished("follow", &[], &["mouth"])) else {
        return;
    };
    let home = Home::new();
    let mut talk = game(&home, &room, SHARED);
    for line in ["weiß: sprache en", "weiß: ja", "schwarz: ja"] {
        talk.types(line);
    }
    talk.wait_for("At the table English is spoken now.", 1);
    let is_heard = (0..30).any(|_| {
        room.speak("mouth", "en-gb", "pawn Eva two Eva four");
        thread::sleep(Duration::from_secs(3));
        talk.lines()
            .iter()
            .any(|it| it.contains("Pawn Eva two Eva four"))
    });
    assert!(is_heard, "{:#?}", talk.lines());
    talk.leave();
}

/// What annexd says of itself when somebody types is no announcement and no command either when
/// the microphone hears it.
#[test]
fn help_read_out_into_the_microphone_does_nothing() {
    let (true, Some(room)) = (can_listen(), Room::furnished("help", &[], &["mouth"])) else {
        return;
    };
    room.leak("room", "mouth");
    let home = Home::new();
    let mut talk = game(&home, &room, SHARED);
    for word in ["zeit", "züge", "letzter", "remis", "aufgabe", "wer"] {
        talk.types(&format!("weiß: ? {word}"));
    }
    thread::sleep(Duration::from_secs(22));
    let said = said_at_the_table(&talk);
    let last = said.last().unwrap();
    assert!(last.contains("Die Partie beginnt."), "{said:#?}");
    talk.leave();
}

/// Waits until a line is there, saying the words again if they were not heard.
fn until(room: &Room, mouth: &str, words: &str, talk: &Talk, part: &str, times: usize) {
    for _ in 0..3 {
        room.speak(mouth, "de+f2", words);
        let end = Instant::now() + Duration::from_secs(4);
        while Instant::now() < end {
            let lines = talk.lines();
            if lines.iter().filter(|line| line.contains(part)).count() >= times {
                // Until it has been said.
                thread::sleep(Duration::from_millis(3_300));
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
    panic!("{words:?} did not lead to {part:?}: {:#?}", talk.lines());
}

/// How loud a recording is at its loudest.
fn peak(recording: room::Recording) -> u16 {
    let mut file = hound::WavReader::open(recording.stop()).unwrap();
    let samples = file.samples::<i16>();
    samples
        .map(|it| it.unwrap().unsigned_abs())
        .max()
        .unwrap_or(0)
}

/// A board of pegs that tells which holes are taken, behind a pseudo-terminal.
#[cfg(feature = "serial")]
fn pegs() -> SimulatedPort {
    let mut settings = SimulationSettings::new(Kind::Occupancy);
    settings.pace = Duration::from_millis(400);
    settings.wait = Duration::from_millis(200);
    SimulatedPort::open(settings, Chess::default()).unwrap()
}

/// Waits until the record has so much from the board of a side.
#[cfg(feature = "serial")]
fn until_board_told(home: &Home, side: Color, times: usize) {
    let began = Instant::now();
    let count = || {
        let entries = store::read(&home.game("table")).unwrap().entries;
        let of_board = |body: &Body| match body {
            Body::Step { input, .. } => {
                matches!(input, Input::Board { board, .. } if *board == side)
            }
            _ => false,
        };
        entries.iter().filter(|entry| of_board(&entry.body)).count()
    };
    while count() < times {
        assert!(
            began.elapsed() < Duration::from_secs(180),
            "{side}: {}",
            count()
        );
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[cfg(feature = "serial")]
fn two_blind_players_have_two_boards_two_ears_and_two_microphones() {
    let furniture = (["ear_white", "ear_black"], ["mouth_white", "mouth_black"]);
    let room = Room::furnished("blind", &furniture.0, &furniture.1);
    let (true, Some(room)) = (can_listen(), room) else {
        return;
    };
    let home = Home::new();
    let boards = ByColor::new_with(|_| pegs());
    let settings = format!(
        "[game]\nmode = \"club\"\ntime_control = \"30m\"\n\
                    [game.sides.white]\nvisually_disabled = true\n\
                    [game.sides.black]\nvisually_disabled = true\n\
                    [devices.microphone]\nwhite = \"mouth_white\"\nblack = \"mouth_black\"\n\
                    [devices.board]\nwhite = \"occupancy:{white}\"\n\
         black = \"occupancy:{black}\"\n\
                    [voice.table]\ndevice = \"room\"\n\
                    [voice.ear.white]\ndevice = \"ear_white\"\n\
                    [voice.ear.black]\ndevice = \"ear_black\"\n",
        white = boards.white.path().display(),
        black = boards.black.path().display(),
    );
    let talk = game(&home, &room, &settings);
    let (white, black) = ("mouth_white", "mouth_black");
    let first = "Bauer Eva zwei Eva vier";
    until(&room, white, first, &talk, "Eva zwei Eva vier", 1);
    let e4: San = "e4".parse().unwrap();
    let e4 = e4.to_move(&Chess::default()).unwrap();
    boards.white.make(e4);
    until_board_told(&home, Color::White, 2);
    room.speak(white, "de+f2", "Uhr drücken");
    thread::sleep(Duration::from_secs(2));
    until(&room, black, first, &talk, "Eva zwei Eva vier", 1);
    boards.black.make(e4);
    until_board_told(&home, Color::Black, 2);
    let second = "Springer Bella acht Cesar sechs";
    until(&room, black, second, &talk, "Bella acht Cesar sechs", 1);
    // Only he who asks is told, in his own ear.
    let ears = ["ear_white", "ear_black"].map(|ear| room.record_from(ear));
    room.speak(white, "de+f2", "Zeit");
    thread::sleep(Duration::from_secs(5));
    let [white_heard, black_heard] = ears.map(peak);
    assert!(white_heard > 3_000, "White heard {white_heard}");
    assert!(black_heard < 100, "Black heard {black_heard}");
    talk.leave();
    let shown = home.run(&["show", "table"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("e2e4") || shown.contains("1. e4"), "{shown}");
}
