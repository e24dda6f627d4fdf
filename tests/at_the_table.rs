//! What is heard and said around the real program: its own voice in the microphone, words spoken
//! over it, and two players who are both visually disabled, each with an ear and a microphone.

#![cfg(all(feature = "audio", feature = "recognizer"))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the servers and the program, and fails where they fail"
)]

mod common;
mod enrolling;
mod room;
#[path = "common/waiting.rs"]
mod waiting;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use annexd::game::{Effect, Input, Origin, VoiceMark};
use annexd::journal::{Body, Entry};
use annexd::moment::Moment;
use annexd::notation::{Command, Heard, Said};
use annexd::persons::Channel;
use annexd::shell::record::store;
use common::{Home, Talk, text};
use room::{Recording, Room};
use waiting::{comes_within, wait_until};

#[cfg(feature = "serial")]
use annexd::shell::boards::Kind;
#[cfg(feature = "serial")]
use annexd::shell::boards::simulate::{SimulatedPort, SimulationSettings};
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
    until_all_is_said(home);
    talk
}

/// How often words are said that are not heard, as on a busy machine.
const TIMES: u32 = 6;

/// How long an answer is waited for before the words are said again; each time so much longer.
const ANSWERED_BY: Duration = Duration::from_secs(15);

/// The record of the game so far.
fn entries(home: &Home) -> Vec<Entry> {
    store::read(&home.game("table")).unwrap().entries
}

/// What belongs to the game and was to be said aloud. Hints are said too, and have marks only.
fn sayings(entries: &[Entry]) -> Vec<(Channel, u32)> {
    let effects = entries.iter().filter_map(|entry| match &entry.body {
        Body::Step { effects, .. } => Some(effects),
        _ => None,
    });
    let said = effects.flatten().filter_map(|effect| match effect {
        Effect::Say {
            channel, utterance, ..
        } => Some((*channel, *utterance)),
        _ => None,
    });
    let is_aloud = |it: &(Channel, u32)| matches!(it.0, Channel::Table | Channel::Ear(_));
    said.filter(is_aloud).collect()
}

/// How far a voice has come, and when.
struct Mark {
    at: Moment,
    saying: (Channel, u32),
    mark: VoiceMark,
}

fn marks(entries: &[Entry]) -> Vec<Mark> {
    let marks = entries.iter().filter_map(|entry| match &entry.body {
        Body::Step {
            input:
                Input::Voice {
                    channel,
                    utterance,
                    mark,
                },
            ..
        } => Some(Mark {
            at: entry.at,
            saying: (*channel, *utterance),
            mark: *mark,
        }),
        _ => None,
    });
    marks.collect()
}

/// How often a voice has come so far on a channel.
fn marked(home: &Home, channel: Channel, mark: VoiceMark) -> usize {
    let marks = marks(&entries(home));
    let its = marks.iter().filter(|it| it.saying.0 == channel);
    its.filter(|it| it.mark == mark).count()
}

/// How many texts are over on a channel, whether or not they were heard to their end.
fn ended_on(home: &Home, channel: Channel) -> usize {
    let marks = marks(&entries(home));
    let its = marks.iter().filter(|it| it.saying.0 == channel);
    let ended = its.filter(|it| it.mark != VoiceMark::Begun);
    ended.map(|it| it.saying.1).collect::<BTreeSet<_>>().len()
}

/// Whether annexd speaks, and whether it speaks or is about to.
fn speech(home: &Home) -> (bool, bool) {
    let entries = entries(home);
    let marks = marks(&entries);
    let is_over = |saying: (Channel, u32)| {
        let mut its = marks.iter().filter(|it| it.saying == saying);
        its.any(|it| it.mark != VoiceMark::Begun)
    };
    let speaks = marks.iter().any(|it| !is_over(it.saying));
    (
        speaks,
        speaks || sayings(&entries).into_iter().any(|it| !is_over(it)),
    )
}

/// Between two hints it is silent too.
fn until_all_is_said(home: &Home) {
    wait_until("all is said", || {
        !speech(home).1 && !comes_within(Duration::from_millis(1_200), || speech(home).1)
    });
}

/// Begins something that is said until annexd speaks: what is typed while a busy disk does not
/// answer is not taken.
#[track_caller]
fn until_it_speaks(home: &Home, mut begin: impl FnMut()) {
    for times in 1..=TIMES {
        begin();
        if comes_within(ANSWERED_BY * times, || speech(home).0) {
            return;
        }
    }
    panic!("annexd never spoke");
}

/// What microphones heard that began while annexd spoke: its own voice.
fn overheard(home: &Home) -> Vec<Input> {
    let entries = entries(home);
    let marks = marks(&entries);
    let spoke_at = |moment: Moment| {
        let begun = marks.iter().filter(|it| it.mark == VoiceMark::Begun);
        let mut its = begun.filter(|it| it.at <= moment);
        its.any(|it| {
            let mut ends = marks.iter().filter(|end| end.saying == it.saying);
            ends.all(|end| end.mark == VoiceMark::Begun || end.at >= moment)
        })
    };
    let inputs = entries.iter().filter_map(|entry| match &entry.body {
        Body::Step { input, .. } => Some(input),
        _ => None,
    });
    let of_itself = inputs.filter(|input| match input {
        Input::Heard { begun, .. } => begun.is_some_and(spoke_at),
        _ => false,
    });
    of_itself.cloned().collect()
}

/// How often microphones have heard something.
fn heard(home: &Home) -> usize {
    let is_heard = |entry: &&Entry| match &entry.body {
        Body::Step { input, .. } => matches!(
            input,
            Input::Heard {
                origin: Origin::Microphone(_),
                ..
            }
        ),
        _ => false,
    };
    entries(home).iter().filter(is_heard).count()
}

/// Says words into a mouth while annexd is silent, until something is so. They are said again once
/// they were heard as something else, or when nothing has come of them for long.
#[track_caller]
fn say_until(
    (home, room): (&Home, &Room),
    mouth: &str,
    (voice, words): (&str, &str),
    is_so: impl Fn() -> bool,
) {
    for times in 1..=TIMES {
        until_all_is_said(home);
        let before = heard(home);
        room.speak(mouth, voice, words);
        let is_otherwise = || heard(home) > before && !speech(home).1;
        comes_within(ANSWERED_BY * times, || is_so() || is_otherwise());
        // What is recorded may be shown a little later.
        if comes_within(Duration::from_secs(2), &is_so) {
            return;
        }
    }
    let shown = text(&home.run(&["show", "table", "--jsonl"]));
    panic!("nothing came of {words:?}: {shown}");
}

/// How many lines have this in them.
fn count(talk: &Talk, part: &str) -> usize {
    let lines = talk.lines();
    lines.iter().filter(|line| line.contains(part)).count()
}

const VOICE: &str = "de+f2";

/// Of whose time it tells: whoever asks by the shared microphone.
const PRIVATE: &str = "ist privat";

/// Asks for the time until that is answered. Whatever a microphone heard before has then been dealt
/// with, because it is dealt with in its order.
#[track_caller]
fn ask(home: &Home, room: &Room, talk: &Talk) {
    let before = count(talk, PRIVATE);
    say_until((home, room), "mouth", (VOICE, "Zeit"), || {
        count(talk, PRIVATE) > before
    });
    until_all_is_said(home);
}

/// Says words into the mouth while annexd speaks, from before their first sound to after their
/// last. What it says is begun anew if it was over too early.
#[track_caller]
fn say_over(home: &Home, room: &Room, words: &str, mut begin: impl FnMut()) {
    let file = room.spoken("mouth", VOICE, words);
    for _ in 0..TIMES {
        until_it_speaks(home, &mut begin);
        room.play("mouth", &file);
        if speech(home).0 {
            return;
        }
        until_all_is_said(home);
    }
    panic!("annexd never spoke as long as {words:?} took");
}

/// What was said at the table, save that the disk was slow, which on a busy machine is true and in
/// which no microphone has any part, and save the answers to [`ask`].
fn said_at_the_table(talk: &Talk) -> Vec<String> {
    let is_of_the_disk = |line: &String| {
        line.contains("Der Datenträger antwortet nicht")
            || line.contains("Die Partie wird wieder gespeichert")
    };
    let lines = talk.lines();
    lines
        .into_iter()
        .filter(|it| it.starts_with("Tisch") && !is_of_the_disk(it) && !it.contains(PRIVATE))
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
    let is_leak = |line: &String| line.to_lowercase().contains("eva zwei eva vier");
    // On a busy machine the control may miss it.
    for times in 1..=TIMES as usize {
        talk.types(["weiß: e2e4", "weiß: wiederholen"][usize::from(times > 1)]);
        talk.wait_for("Eva zwei Eva vier", times);
        // Heard by the microphone, it would be Black's repetition and then a move of his.
        ask(&home, &room, &talk);
        assert!(overheard(&home).is_empty(), "{:#?}", overheard(&home));
        if comes_within(ANSWERED_BY, || control.lines().iter().any(is_leak)) {
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
    let mut talk = game(&home, &room, &format!("{settings}{SLOW}"));
    let part = "Hector sieben schlägt Gustav acht";
    // A long one, so that there is time to speak into it.
    talk.types("weiß: Bauer Hector sieben schlägt Gustav acht Springer");
    talk.wait_for(part, 1);
    until_all_is_said(&home);
    let mut announced = 0;
    say_over(&home, &room, "wiederholen", || {
        announced = count(&talk, part) + 1;
        talk.types("weiß: wiederholen");
        talk.wait_for(part, announced);
    });
    ask(&home, &room, &talk);
    assert_eq!(
        count(&talk, part),
        announced,
        "it was obeyed: {:?}",
        talk.lines()
    );
    // The control: the same words are obeyed in silence.
    say_until((&home, &room), "mouth", (VOICE, "wiederholen"), || {
        count(&talk, part) > announced
    });
    over(
        &home,
        &room,
        "nein",
        &mut talk,
        "Tisch: Korrektur.",
        |talk| {
            talk.types("weiß: wiederholen");
        },
    );
    the_sound_is_kept(&home, &["wiederholen", "nein"], talk);
}

/// Each of these words is in one of the files that were kept with both players' consent, and the
/// game that is left then knows of all of them.
fn the_sound_is_kept(home: &Home, words: &[&str], talk: Talk) {
    let folder = home.game("table").with_extension("sound");
    wait_until("the sound is kept", || {
        let files = std::fs::read_dir(&folder).unwrap();
        let files: Vec<String> = files
            .map(|entry| entry.unwrap().path().display().to_string())
            .collect();
        let mut listen = vec!["listen", "--json"];
        listen.extend(files.iter().map(String::as_str));
        let heard = text(&home.run(&listen));
        let is_heard = |word: &&str| heard.contains(&format!(r#""word":"{word}""#));
        words.iter().all(is_heard)
    });
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
}

/// Speaks while the table is spoken to until a line is there.
#[track_caller]
fn over(
    home: &Home,
    room: &Room,
    words: &str,
    talk: &mut Talk,
    part: &str,
    mut begin: impl FnMut(&mut Talk),
) {
    for times in 1..=TIMES {
        say_over(home, room, words, || begin(talk));
        let is_there = || count(talk, part) > 0;
        if comes_within(ANSWERED_BY * times, is_there) {
            return;
        }
        until_all_is_said(home);
    }
    panic!("{words:?} did not lead to {part:?}: {:#?}", talk.lines());
}

/// Whether "Stopp" cuts off what is being said and all that was to follow, and nothing sounds then.
/// What is typed cuts off older hints too; so what counts is what became of them once the word was
/// heard.
fn is_stopped(home: &Home, room: &Room, times: u32) -> bool {
    let before = entries(home).len();
    room.speak("mouth", VOICE, "Stopp");
    let since = || {
        let new = entries(home).split_off(before);
        let mut new = new.into_iter();
        new.any(|entry| is_stop(&entry))
            .then(|| marks(&new.collect::<Vec<_>>()))
    };
    let is_cut = || {
        let marks = since().unwrap_or_default();
        let is_unheard = |it: &Mark| it.mark == VoiceMark::Unheard;
        marks.iter().any(is_unheard) && !speech(home).1
    };
    if !comes_within(ANSWERED_BY * times, is_cut) {
        return false;
    }
    let rest = room.record();
    let is_silent = || rest.is_silent_for(Duration::from_secs(2));
    comes_within(ANSWERED_BY, is_silent) && {
        let marks = since().unwrap_or_default();
        marks.iter().all(|it| it.mark != VoiceMark::Finished)
    }
}

/// Whether "Stopp" was heard.
fn is_stop(entry: &Entry) -> bool {
    let Body::Step { input, .. } = &entry.body else {
        return false;
    };
    matches!(
        input,
        Input::Heard {
            heard: Heard::Clear(Said::Command(Command::Stop)),
            ..
        }
    )
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
    say_over(&home, &room, "Zeit", || half_a_minute_is_said(&mut talk));
    // Nothing that was said before the word is heard any more: else it would go on for long.
    let is_silent = (1..=TIMES).any(|times| {
        until_it_speaks(&home, || half_a_minute_is_said(&mut talk));
        is_stopped(&home, &room, times)
    });
    assert!(is_silent, "it speaks on: {:#?}", talk.lines());
    // What came before the word has been dealt with before it.
    assert_eq!(count(&talk, answer), 0);
    // The control: in silence the question is answered.
    ask(&home, &room, &talk);
    assert!(count(&talk, answer) > 0, "{:#?}", talk.lines());
    over(
        &home,
        &room,
        "Ich berichtige",
        &mut talk,
        "Weiß berichtigt.",
        half_a_minute_is_said,
    );
    talk.types("weiß: stopp");
    talk.types("weiß: e2e4");
    talk.wait_for("Eva zwei Eva vier", 1);
    over(
        &home,
        &room,
        "Korrektur",
        &mut talk,
        "Tisch: Korrektur.",
        half_a_minute_is_said,
    );
    talk.leave();
}

/// White orders, and both agree, until a line tells of it: what is typed while a busy disk does not
/// answer is not taken.
fn agree_on(talk: &mut Talk, order: &str, told: &str) {
    for times in 1..=TIMES {
        for line in [format!("weiß: {order}").as_str(), "weiß: ja", "schwarz: ja"] {
            talk.types(line);
        }
        if comes_within(ANSWERED_BY * times, || count(talk, told) > 0) {
            return;
        }
    }
    panic!("{told:?} was never said: {:#?}", talk.lines());
}

/// Where another language is agreed on in the game, the microphone hears that one from then on.
#[test]
fn the_microphone_follows_the_language_of_the_table() {
    let (true, Some(room)) = (can_listen(), Room::furnished("follow", &[], &["mouth"])) else {
        return;
    };
    let home = Home::new();
    let mut talk = game(&home, &room, SHARED);
    agree_on(
        &mut talk,
        "sprache en",
        "At the table English is spoken now.",
    );
    let (who, words) = ("en-gb", "pawn Eva two Eva four");
    say_until((&home, &room), "mouth", (who, words), || {
        count(&talk, "Pawn Eva two Eva four") > 0
    });
    talk.leave();
}

/// Where the players announce in two languages, one microphone hears both.
#[test]
fn one_microphone_hears_two_languages() {
    let (true, Some(room)) = (can_listen(), Room::furnished("both", &[], &["mouth"])) else {
        return;
    };
    let home = Home::new();
    let mut talk = game(&home, &room, SHARED);
    agree_on(&mut talk, "sprache de en", "Auch Englisch wird verstanden.");
    ask(&home, &room, &talk);
    let (who, words) = ("en-gb", "pawn Eva two Eva four");
    say_until((&home, &room), "mouth", (who, words), || {
        count(&talk, "Bauer Eva zwei Eva vier") > 0
    });
    ask(&home, &room, &talk);
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
    let before = ended_on(&home, Channel::Table);
    let words = ["zeit", "züge", "letzter", "remis", "aufgabe", "wer"];
    for word in words {
        talk.types(&format!("weiß: ? {word}"));
    }
    wait_until("all of it is read out", || {
        ended_on(&home, Channel::Table) >= before + words.len()
    });
    ask(&home, &room, &talk);
    assert!(overheard(&home).is_empty(), "{:#?}", overheard(&home));
    let said = said_at_the_table(&talk);
    let last = said.last().unwrap();
    assert!(last.contains("Die Partie beginnt."), "{said:#?}");
    talk.leave();
}

/// How loud a recording is at its loudest.
fn peak(recording: Recording) -> u16 {
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
    let of_board = |entry: &&Entry| match &entry.body {
        Body::Step { input, .. } => matches!(input, Input::Board { board, .. } if *board == side),
        _ => false,
    };
    wait_until("the board tells", || {
        entries(home).iter().filter(of_board).count() >= times
    });
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
    let here = (&home, &room);
    let (white, black) = ("mouth_white", "mouth_black");
    let says = |mouth: &str, words: &str, part: &str| {
        say_until(here, mouth, (VOICE, words), || count(&talk, part) > 0);
    };
    let first = "Bauer Eva zwei Eva vier";
    says(white, first, "Eva zwei Eva vier");
    let e4: San = "e4".parse().unwrap();
    let e4 = e4.to_move(&Chess::default()).unwrap();
    boards.white.make(e4);
    until_board_told(&home, Color::White, 2);
    // Whoever presses by voice is heard, and so is whoever repeats.
    for (mouth, words) in [(white, "Uhr drücken"), (black, first)] {
        let before = heard(&home);
        say_until(here, mouth, (VOICE, words), || heard(&home) > before);
    }
    boards.black.make(e4);
    until_board_told(&home, Color::Black, 2);
    let second = "Springer Bella acht Cesar sechs";
    says(black, second, "Bella acht Cesar sechs");
    // Only he who asks is told, in his own ear. What Black is told about his own words meanwhile,
    // late where the machine is busy, is no answer to White.
    let told = |side, mark| marked(&home, Channel::Ear(side), mark);
    let measured = |_| {
        until_all_is_said(&home);
        let white_before = told(Color::White, VoiceMark::Finished);
        let black_before = told(Color::Black, VoiceMark::Begun);
        let ears = ["ear_white", "ear_black"].map(|ear| room.record_from(ear));
        say_until(here, white, (VOICE, "Zeit"), || {
            told(Color::White, VoiceMark::Finished) > white_before
        });
        let peaks = ears.map(peak);
        (told(Color::Black, VoiceMark::Begun) == black_before).then_some(peaks)
    };
    let measured = (0..4).find_map(measured);
    let [white_heard, black_heard] = measured.expect("Black is told nothing");
    assert!(white_heard > 3_000, "White heard {white_heard}");
    assert!(black_heard < 100, "Black heard {black_heard}");
    talk.leave();
    let shown = home.run(&["show", "table"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("e2e4") || shown.contains("1. e4"), "{shown}");
}
