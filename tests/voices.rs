//! What is really played, through a real sound server and a real speech service, and heard again
//! with our own recogniser. Where one of them is not installed, that is said and nothing tested.

#![cfg(all(feature = "audio", feature = "voice", feature = "recognizer"))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the servers and the program, and fails where they fail"
)]

use crate::common::{Home, Talk as Game};
use crate::room;
use crate::waiting::wait_until;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use annexd::game::Priority;
use annexd::notation::{Announcement, Style, words};
use annexd::persons::Channel;
use annexd::phrases::{Argument, Phrase, PhraseKey};
use annexd::shell::config::data;
use annexd::shell::hearing::somebody_speaks::SpeechMonitor;
use annexd::shell::speech::voice::{
    ChannelLanguages, EarconSettings, Speaker, SpeakerEvent, SpeakerSettings, VoiceKind,
    VoiceSettings,
};
use room::{Folder, Room, SpeechService};
use shakmaty::{ByColor, CastlingMode, Chess, Position, fen::Fen};

fn annexd() -> Command {
    Command::new(env!("CARGO_BIN_EXE_annexd"))
}

/// One announcement from each of so many random positions, the same for the same seed. Every
/// second position is chosen for a castling, a promotion or a capture, if it has one.
fn random_announcements(count: usize, mut seed: u64) -> Vec<Announcement> {
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
        "1n1q1n2/P1P1P1P1/4k3/8/8/4K3/p1p1p1p1/1N1Q1N2 w - - 0 1",
    ];
    let mut announcements = Vec::new();
    while announcements.len() < count {
        let start: Fen = starts[random(starts.len())].parse().unwrap();
        let mut position: Chess = start.into_position(CastlingMode::Standard).unwrap();
        for _ in 0..random(40) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play_unchecked(legal[random(legal.len())]);
        }
        let legal = position.legal_moves();
        let special = |it: &&shakmaty::Move| it.is_promotion() || it.is_castle() || it.is_capture();
        let special: Vec<_> = legal.iter().filter(special).collect();
        let chosen = if announcements.len() % 2 == 0 && !special.is_empty() {
            special[random(special.len())]
        } else if legal.is_empty() {
            continue;
        } else {
            &legal[random(legal.len())]
        };
        announcements.push(Announcement::from(chosen));
    }
    announcements
}

fn sentence(announcement: &Announcement) -> String {
    words(&data::lexicon("de").unwrap(), announcement, Style::Long).join(" ")
}

/// The utterances that `annexd listen` hears in each file, as their words.
fn listen(files: &[PathBuf]) -> Vec<Vec<String>> {
    let output = annexd()
        .arg("listen")
        .arg("--json")
        .args(files)
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut heard = vec![Vec::new(); files.len()];
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let file = Path::new(line["file"].as_str().unwrap());
        let index = files.iter().position(|it| it == file).unwrap();
        let words = line["words"].as_array().unwrap();
        let words = words.iter().map(|word| word["word"].as_str().unwrap());
        let words = words.collect::<Vec<_>>().join(" ");
        if !words.is_empty() {
            heard[index].push(words);
        }
    }
    heard
}

/// Sentences as moves: a pawn need not be named (D.2.1).
fn moves(sentences: &[String]) -> Vec<&str> {
    let unnamed = |sentence: &'_ String| sentence.strip_prefix("bauer ").map(str::len);
    sentences
        .iter()
        .map(|it| &it[it.len() - unnamed(it).unwrap_or(it.len())..])
        .collect()
}

fn can_listen() -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let can = root.join(".deps/lib/libvosk.so").exists();
    if !can {
        eprintln!("skipped: libvosk is not there (make setup fetches it)");
    }
    can
}

fn announcements_in_files_are_heard_again(count: usize, seed: u64) {
    if !can_listen() {
        return;
    }
    let folder = Folder::new("files");
    let announcements = random_announcements(count, seed);
    let mut files = Vec::new();
    for (index, announcement) in announcements.iter().enumerate() {
        let file = folder.path().join(format!("{index}.wav"));
        let said = annexd()
            .arg("say")
            .arg("--wav")
            .arg(&file)
            .arg(sentence(announcement))
            .output();
        assert!(said.unwrap().status.success());
        files.push(file);
    }
    for (files, announcements) in files.chunks(100).zip(announcements.chunks(100)) {
        let expected: Vec<String> = announcements.iter().map(sentence).collect();
        assert_eq!(moves(&listen(files).concat()), moves(&expected));
    }
}

fn announcements_in_a_room_are_heard_again(count: usize, seed: u64) {
    let (true, Some(room)) = (can_listen(), Room::open("announcements")) else {
        return;
    };
    let expected: Vec<String> = random_announcements(count, seed)
        .iter()
        .map(sentence)
        .collect();
    let recording = room.record();
    let mut talk = Talk::start(room.with(annexd().args(["say", "--lines"])));
    let (mut ends, mut torn) = (Vec::new(), Vec::new());
    for sentence in &expected {
        let before = talk.torn;
        talk.say_until_whole(sentence);
        torn.push(talk.torn - before);
        // What a listener needs to tell two announcements apart.
        recording.goes_on_for(Duration::from_millis(900));
        ends.push(recording.samples());
    }
    drop(talk);
    eprintln!("said again: {} of {count}", torn.iter().sum::<usize>());
    let pieces = recording.stop_in_pieces(&ends);
    let mut heard = listen(&pieces);
    assert_eq!(heard.pop().unwrap(), [""; 0], "after the last");
    // Whatever was heard of one that was torn, it is heard right in the end, and nothing else is.
    let last: Vec<String> = heard
        .iter()
        .map(|it| it.last().cloned().unwrap_or_default())
        .collect();
    assert_eq!(moves(&last), moves(&expected));
    for (heard, torn) in heard.iter().zip(torn) {
        assert!(torn > 0 || heard.len() == 1, "{heard:?}");
    }
}

#[test]
fn twenty_announcements_in_files_are_heard_again() {
    announcements_in_files_are_heard_again(20, 1);
}

#[test]
fn twenty_announcements_in_a_room_are_heard_again() {
    announcements_in_a_room_are_heard_again(20, 2);
}

#[test]
#[ignore = "half an hour of speech, for make soak"]
fn two_thousand_announcements_in_files_are_heard_again() {
    announcements_in_files_are_heard_again(2_000, 3);
}

#[test]
#[ignore = "ten minutes in real time, for make soak"]
fn two_hundred_announcements_in_a_room_are_heard_again() {
    announcements_in_a_room_are_heard_again(200, 4);
}

#[test]
fn a_device_that_is_not_there_is_one_clear_sentence() {
    let Some(room) = Room::open("nonsense") else {
        return;
    };
    let said = room
        .with(annexd().args(["say", "Nf3", "--device", "nonsense"]))
        .output()
        .unwrap();
    let errors = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(5), "{errors}");
    assert!(
        errors.contains("There is no loudspeaker nonsense."),
        "{errors}"
    );
    assert!(!errors.contains("ALSA"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn a_sound_server_that_dies_is_noticed_and_used_again() {
    let Some(mut room) = Room::open("dying") else {
        return;
    };
    let mut talk = Talk::start(room.with(annexd().args(["say", "--lines"])));
    assert_eq!(talk.say("springer"), ["heard: springer"]);
    room.kill();
    let answers = talk.say("turm");
    assert_eq!(answers.last().unwrap(), "unheard: turm", "{answers:?}");
    room.restart();
    talk.say_until("läufer", "heard: läufer");
}

#[test]
fn a_loudspeaker_that_sleeps_says_the_first_words() {
    let Some(mut room) = Room::open("asleep") else {
        return;
    };
    room.fall_asleep();
    let said = room
        .with(annexd().args(["say", "Springer Gustav eins Felix drei"]))
        .output()
        .unwrap();
    assert!(said.status.success(), "{said:?}");
}

#[test]
fn a_speech_service_that_dies_gives_way_to_clips_and_comes_back() {
    let (Some(room), Some(mut service)) = (Room::open("speech"), SpeechService::start("speech"))
    else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let mut talk = Talk::start(command.args(["say", "--lines", "--voice", "system"]));
    // No clip says this: it is heard because the service says it.
    let free = "Guten Tag";
    talk.say_until(free, &format!("heard: {free}"));
    service.kill();
    let answers = talk.say("springer gustav eins");
    assert_eq!(
        answers.last().unwrap(),
        "heard: springer gustav eins",
        "{answers:?}"
    );
    assert!(answers[0].contains("Systemstimme"), "{answers:?}");
    // The fault is said once.
    assert_eq!(talk.say("turm"), ["heard: turm"]);
    service.restart();
    talk.say_until(free, &format!("heard: {free}"));
}

#[test]
fn a_language_without_clips_is_spoken_by_the_service_and_nothing_is_missed() {
    let (Some(room), Some(service)) = (Room::open("english"), SpeechService::start("english"))
    else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let clips = ["say", "--lines", "--language", "en", "--voice", "clips"];
    let mut talk = Talk::start(command.args(clips));
    assert_eq!(talk.say("knight gustav one"), ["heard: knight gustav one"]);
}

/// In English there are no clips: what is announced while the service hangs is heard by nobody.
#[test]
fn what_was_announced_while_a_service_hung_is_announced_once_it_answers() {
    let (Some(room), Some(service)) = (Room::open("missed"), SpeechService::start("missed")) else {
        return;
    };
    let home = Home::new();
    let settings = home.path("missed.toml");
    let text = "[game]\ntable_language = \"en\"\n[devices.microphone]\nshared = \"none\"\n\
                [voice.table]\nvoice = \"system\"\n";
    std::fs::write(&settings, text).unwrap();
    let play = [
        "play",
        "--name",
        "missed",
        "--terminal",
        "shared",
        "--blind",
        "white",
    ];
    let mut command = home.command(&play);
    command.args(["--time", "30m+10s", "--language", "en", "--settings"]);
    command.arg(&settings);
    room.with(&mut command);
    service.with(&mut command);
    let mut game = Game::with(command);
    game.wait_for("Help says", 1);
    game.types("start");
    game.wait_for("The game begins.", 1);
    service.hang();
    game.types("white: Ng1f3");
    let announced = "Table: Knight Gustav one Felix three";
    game.wait_for(announced, 1);
    wait_until("the voice is lost", || {
        let count = |part: &str| game.lines().iter().filter(|it| it.contains(part)).count();
        count("The system voice does not answer.") > count("The voice is back.")
    });
    service.go_on();
    game.wait_for(announced, 2);
    game.leave();
}

#[test]
fn a_speech_service_that_hangs_gives_way_to_clips_and_comes_back() {
    let (Some(room), Some(service)) = (Room::open("hang"), SpeechService::start("hang")) else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let mut talk = Talk::start(command.args(["say", "--lines", "--voice", "system"]));
    let free = "Guten Tag";
    talk.say_until(free, &format!("heard: {free}"));
    service.hang();
    let answers = talk.say("springer gustav eins");
    assert_eq!(
        answers,
        [
            "Die Systemstimme antwortet nicht. Ich spreche weiter.",
            "heard: springer gustav eins"
        ]
    );
    // The fault is said once.
    assert_eq!(talk.say("turm"), ["heard: turm"]);
    service.go_on();
    talk.say_until(free, &format!("heard: {free}"));
}

/// Whatever happens to the service, and in whatever order, the voice comes back when it does.
#[test]
#[ignore = "two minutes of waiting, for make soak"]
fn a_speech_service_that_dies_and_hangs_by_turns_comes_back_each_time() {
    let (Some(room), Some(mut service)) = (Room::open("turns"), SpeechService::start("turns"))
    else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let mut talk = Talk::start(command.args(["say", "--lines", "--voice", "system"]));
    let free = "Guten Tag";
    let comes_back = |talk: &mut Talk| talk.say_until(free, &format!("heard: {free}"));
    let goes = |talk: &mut Talk| {
        let answers = talk.say("turm");
        assert_eq!(answers.last().unwrap(), "heard: turm", "{answers:?}");
    };
    comes_back(&mut talk);
    for _ in 0..2 {
        service.kill();
        goes(&mut talk);
        service.restart();
        comes_back(&mut talk);
        service.hang();
        goes(&mut talk);
        service.go_on();
        comes_back(&mut talk);
    }
    // Hanging when it is killed, and dead for longer than the first try.
    service.hang();
    goes(&mut talk);
    service.kill();
    goes(&mut talk);
    thread::sleep(Duration::from_secs(3));
    service.restart();
    comes_back(&mut talk);
}

/// The figure of the watchdog: from the words to the notice that the system voice does not answer,
/// killed and hanging; each time the voice comes back.
#[test]
#[ignore = "a figure, for make soak on a machine without other work"]
fn a_speech_service_that_fails_is_noticed_within_two_seconds() {
    let (Some(room), Some(mut service)) = (Room::open("timed"), SpeechService::start("timed"))
    else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let mut talk = Talk::start(command.args(["say", "--lines", "--voice", "system"]));
    let free = "Guten Tag";
    let comes_back = |talk: &mut Talk| {
        talk.say_until(free, &format!("heard: {free}"));
        // What is said next waits for the silence behind it, which is not measured.
        thread::sleep(Duration::from_millis(500));
    };
    comes_back(&mut talk);
    service.kill();
    let noticed = talk.noticed_after("springer gustav eins");
    eprintln!("killed: noticed after {noticed:?}");
    assert!(noticed <= Duration::from_secs(2), "{noticed:?}");
    service.restart();
    comes_back(&mut talk);
    service.hang();
    let noticed = talk.noticed_after("springer gustav eins");
    eprintln!("hanging: noticed after {noticed:?}");
    assert!(noticed <= Duration::from_secs(2), "{noticed:?}");
    service.go_on();
    comes_back(&mut talk);
}

#[test]
fn a_speech_service_without_sound_gives_way_to_clips() {
    let (Some(room), Some(service)) = (Room::open("mute"), SpeechService::start_mute("mute"))
    else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let mut talk = Talk::start(command.args(["say", "--lines", "--voice", "system"]));
    for _ in 0..4 {
        let answers = talk.say("springer gustav eins");
        assert_eq!(
            answers.last().unwrap(),
            "heard: springer gustav eins",
            "{answers:?}"
        );
    }
}

#[test]
fn what_no_voice_can_say_does_no_harm() {
    let (Some(room), Some(service)) = (Room::open("odd"), SpeechService::start("odd")) else {
        return;
    };
    let mut command = annexd();
    room.with(&mut command);
    service.with(&mut command);
    let mut talk = Talk::start(command.args(["say", "--lines", "--voice", "system"]));
    for odd in ["", " ", "\0", "...", "<speak>", "\u{7f}\u{1b}[2J"] {
        let answers = talk.say(odd);
        assert_eq!(answers.len(), 1, "{odd:?}: {answers:?}");
    }
    assert_eq!(talk.say("turm"), ["heard: turm"]);
}

/// How long anything is waited for, on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(180);

/// A running `annexd say --lines`.
struct Talk {
    child: std::process::Child,
    answers: std::sync::mpsc::Receiver<String>,
    /// How often something was said again, because the machine was too busy to play it whole.
    torn: usize,
}

impl Talk {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (told, answers) = std::sync::mpsc::channel();
        thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .try_for_each(|line| told.send(line))
        });
        Self {
            child,
            answers,
            torn: 0,
        }
    }

    /// Says a line; gives what was printed up to how much of it was heard.
    fn say(&mut self, line: &str) -> Vec<String> {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        let mut answers = Vec::new();
        loop {
            let answer = self.answers.recv_timeout(PATIENCE).unwrap();
            let is_last = ["heard: ", "cut: ", "unheard: "]
                .iter()
                .any(|it| answer.starts_with(it));
            if answer == format!("torn: {line}") {
                self.torn += 1;
                continue;
            }
            answers.push(answer);
            if is_last {
                return answers;
            }
        }
    }

    /// Says a line until the machine was not too busy, as somebody does who is asked to repeat:
    /// what was torn is said again once, and then was torn again.
    fn say_until_whole(&mut self, line: &str) {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let before = self.torn;
            assert_eq!(self.say(line), [format!("heard: {line}")]);
            if self.torn - before < 2 {
                return;
            }
            thread::sleep(Duration::from_secs(1));
        }
        panic!("always torn: {line}");
    }

    /// Says a line, and how long it takes until the fault of the system voice is told; the line is
    /// heard all the same.
    fn noticed_after(&mut self, line: &str) -> Duration {
        let began = Instant::now();
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        let told = self.answers.recv_timeout(PATIENCE).unwrap();
        let noticed = began.elapsed();
        assert!(told.contains("Systemstimme"), "{told}");
        let heard = self.answers.recv_timeout(PATIENCE).unwrap();
        assert_eq!(heard, format!("heard: {line}"));
        noticed
    }

    #[track_caller]
    fn say_until(&mut self, line: &str, answer: &str) {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if self.say(line).last().unwrap() == answer {
                return;
            }
            thread::sleep(Duration::from_millis(300));
        }
        panic!("never: {answer}");
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Run inside a room: prints how long it takes from the decision to the first sample, in
/// microseconds.
#[test]
fn inside_a_room() {
    if std::env::var_os("ANNEXD_IN_A_ROOM").is_none() {
        return;
    }
    let german = Arc::new(data::language("de").unwrap());
    let silent = VoiceSettings {
        voice: VoiceKind::Silent,
        ..VoiceSettings::default()
    };
    let settings = SpeakerSettings {
        table: VoiceSettings::default(),
        ears: ByColor::new_with(|_| Some(silent.clone())),
        earcons: EarconSettings::default(),
    };
    let languages = ChannelLanguages {
        table: Arc::clone(&german),
        ears: ByColor::new_with(|_| Arc::clone(&german)),
    };
    let (told, events) = crossbeam_channel::unbounded();
    let speaker = Speaker::open(settings, languages, SpeechMonitor::default(), told);
    speaker.wait_for_voices(PATIENCE);
    for announcement in random_announcements(20, 5) {
        let phrase = Phrase::new(PhraseKey::Announced, [Argument::Move(announcement)]);
        let decided = Instant::now();
        let saying = speaker.say(Channel::Table, &phrase, Priority::Next);
        loop {
            match events.recv_timeout(PATIENCE).unwrap() {
                SpeakerEvent::Begun { id, at } if id == saying => {
                    println!("took: {}", at.duration_since(decided).as_micros());
                    speaker.silence(Channel::Table);
                }
                SpeakerEvent::Finished { id, .. } if id == saying => break,
                _ => {}
            }
        }
    }
}

#[test]
#[ignore = "a figure, for make soak; `cargo bench --bench speaking` has more of it"]
fn from_the_decision_to_the_first_sample_it_takes_30_ms_at_most() {
    let Some(room) = Room::open("latency") else {
        return;
    };
    let mut inside = Command::new(std::env::current_exe().unwrap());
    inside.args(["--exact", "voices::inside_a_room", "--nocapture"]);
    let output = room
        .with(&mut inside)
        .env("ANNEXD_IN_A_ROOM", "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut took: Vec<u32> = printed
        .lines()
        .filter_map(|line| line.split_once("took: ")?.1.parse().ok())
        .collect();
    took.sort_unstable();
    assert_eq!(took.len(), 20, "{printed}");
    let (median, longest) = (took[10], took[19]);
    eprintln!("decision to first sample: median {median} us, longest {longest} us");
    // The longest depends on what else the machine does; the median is ours.
    assert!(median <= 30_000, "{took:?}");
}
