//! Devices vanish in the middle of a move, two at a time and in every order, and come back: the
//! game goes on, and each loss and each return is said in one sentence.
//!
//! The sound server, the speech service, the recogniser and the program are the real ones. Boards
//! and clocks are simulated behind pseudo-terminals, the gamepad behind umockdev. The microphone
//! and the loudspeakers are those of a sound server without hardware, which records and plays
//! nothing while they are pulled.
#![cfg(all(
    target_os = "linux",
    feature = "audio",
    feature = "voice",
    feature = "recognizer",
    feature = "gamepad",
    feature = "serial"
))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the servers and the program, and fails where they fail"
)]

mod stage;

use annexd::game::{Device, Effect, Input, VoiceMark};
use annexd::journal::Entry;
use annexd::persons::Channel;
use annexd::phrases::PhraseKey;
use shakmaty::Color;
use stage::{Stage, THINGS, Thing, count, devices_of, input, is_clock_reading};

/// Moves that lead round in no circle of five times the same position: White's words, White's
/// move, Black's.
const MOVES: [(&str, &str, &str); 6] = [
    ("springer gustav eins felix drei", "Nf3", "Nf6"),
    ("springer bella eins cesar drei", "Nc3", "Nc6"),
    ("springer felix drei gustav eins", "Ng1", "Ng8"),
    ("springer cesar drei anna vier", "Na4", "Na5"),
    ("springer gustav eins hector drei", "Nh3", "Nh6"),
    ("springer anna vier cesar drei", "Nc3", "Nc6"),
];

#[test]
fn devices_vanish_two_at_a_time_in_mid_move_and_return() {
    let pairs = [(Thing::SoundServer, Thing::Gamepad)];
    play("pairs", &pairs);
}

#[test]
#[ignore = "ten minutes: make soak"]
fn all_devices_vanish_in_every_order_of_two_and_return() {
    for first in THINGS {
        let others = THINGS.into_iter().filter(|second| *second != first);
        let pairs: Vec<(Thing, Thing)> = others.map(|second| (first, second)).collect();
        play(&format!("{first:?}"), &pairs);
    }
}

/// One game, in each move of which a pair of devices vanishes.
fn play(name: &str, pairs: &[(Thing, Thing)]) {
    let Some(mut stage) = Stage::set(name) else {
        return;
    };
    for (number, (&pair, moves)) in pairs.iter().zip(MOVES).enumerate() {
        let begun = std::time::Instant::now();
        lose_and_find(&mut stage, pair, moves, number * 2);
        println!(
            "vanishing: {pair:?} went and came back in {:?}",
            begun.elapsed()
        );
    }
    stage.leave();
}

/// A move of White's in whose middle two devices are taken away, and Black's reply; then they are
/// brought back, and work.
fn lose_and_find(
    stage: &mut Stage,
    (first, second): (Thing, Thing),
    (words, white, black): (&str, &str, &str),
    plies: usize,
) {
    let before = stage.entries().len();
    stage.announce(words);
    stage.until("the announcement is read back", |entries| {
        said_and_heard(&entries[before..], Channel::Table, PhraseKey::Announced)
    });

    for thing in [first, second] {
        stage.take_away(thing);
    }
    // A system voice is only noticed to be gone when it is to say something.
    stage.ask_time();
    let mut expected: Vec<Device> = [first, second].into_iter().flat_map(devices_of).collect();
    if [first, second].contains(&Thing::SoundServer) && !stage.has(Thing::SpeechService) {
        // Nothing is left to speak in the ear.
        expected.retain(|device| *device != Device::SystemVoice(Channel::Ear(Color::White)));
        expected.push(Device::Voice(Channel::Ear(Color::White)));
    }
    for &device in &expected {
        stage.until(&format!("{device:?} is lost"), |entries| {
            changes(&entries[before..], device, false) > 0
        });
    }

    // The game goes on through what is left.
    stage.carry_out(Color::White, white);
    stage.until("White's move is made", |_| stage.plies() == plies + 1);
    stage.types(&format!("schwarz: {words}"));
    let reply = stage.typed(black);
    stage.types(&format!("schwarz: {reply}"));
    stage.types(&format!("weiß: {reply}"));
    stage.carry_out(Color::Black, black);
    stage.until("Black's move is made", |_| stage.plies() == plies + 2);

    let back = stage.entries().len();
    for thing in [first, second] {
        stage.bring_back(thing);
    }
    for &device in &expected {
        stage.until(&format!("{device:?} is back"), |entries| {
            changes(&entries[back..], device, true) > 0
        });
    }
    // What went with them unasked comes back too, before the next ones go.
    stage.until("nothing is missing any more", |entries| {
        nothing_is_missing(&entries[before..])
    });
    everything_works(stage);
    let entries = stage.entries();
    for device in expected {
        told_once(&entries[before..], device);
    }
    for entry in entries[before..]
        .iter()
        .filter(|entry| change(entry).is_some())
    {
        assert!(sentences(entry).len() <= 2, "{entry:?}");
    }
}

/// The clock is read, the gamepad asks, the system voice answers. Microphone, loudspeaker and
/// board are used for the next move.
fn everything_works(stage: &mut Stage) {
    let before = stage.entries().len();
    stage.until("the chessclock is read again", |entries| {
        entries[before..].iter().any(is_clock_reading)
    });
    stage.ask_time();
    let ear = Channel::Ear(Color::White);
    stage.until("the time is told in the ear", |entries| {
        said_and_heard(&entries[before..], ear, PhraseKey::TimesLeft)
    });
}

/// How often a device went or returned.
fn changes(entries: &[Entry], of: Device, is_there: bool) -> usize {
    let is_told = |entry: &Entry| !sentences(entry).is_empty();
    count(entries, |entry| {
        change(entry) == Some((of, is_there)) && is_told(entry)
    })
}

/// Whether every device that went has returned.
fn nothing_is_missing(entries: &[Entry]) -> bool {
    let last = |of| {
        let changes = entries.iter().filter_map(change);
        changes.rev().find(|(device, _)| *device == of)
    };
    let mut went = entries.iter().filter_map(change);
    went.all(|(device, _)| last(device).is_some_and(|(_, is_there)| is_there))
}

/// The device that went or returned with an entry.
fn change(entry: &Entry) -> Option<(Device, bool)> {
    match input(entry)? {
        Input::Device { device, present } => Some((*device, *present)),
        Input::Failed { device, .. } => Some(((*device)?, false)),
        _ => None,
    }
}

/// What is said because of an entry, to whom it may concern.
fn sentences(entry: &Entry) -> Vec<(Channel, u32, PhraseKey)> {
    let annexd::journal::Body::Step { effects, .. } = &entry.body else {
        return Vec::new();
    };
    let said = effects.iter().filter_map(|effect| match effect {
        Effect::Say {
            channel,
            utterance,
            phrase,
            ..
        } => Some((*channel, *utterance, phrase.key)),
        _ => None,
    });
    said.collect()
}

/// One sentence of each loss and one of each return, by turns, the last of a return. There is one
/// of each, unless a voice is so slow on a busy machine that it counts as lost again.
#[track_caller]
fn told_once(entries: &[Entry], device: Device) {
    let told = entries.iter().filter(|entry| !sentences(entry).is_empty());
    let told: Vec<bool> = told
        .filter_map(change)
        .filter(|(of, _)| *of == device)
        .map(|(_, present)| present)
        .collect();
    let by_turns: Vec<bool> = (0..told.len()).map(|place| place % 2 == 1).collect();
    let story = || {
        let lines = entries.iter().filter_map(|entry| {
            let (of, present) = change(entry)?;
            Some(format!(
                "{:?} {of:?} {present} {:?}",
                entry.at,
                sentences(entry)
            ))
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(told, by_turns, "{device:?}:\n{}", story());
    assert_eq!(told.last(), Some(&true), "{device:?}:\n{}", story());
    let may_be_slow = matches!(device, Device::SystemVoice(_));
    assert!(told.len() == 2 || may_be_slow, "{device:?}:\n{}", story());
}

/// Whether a phrase was said on a channel, and heard to its end.
fn said_and_heard(entries: &[Entry], channel: Channel, key: PhraseKey) -> bool {
    let said: Vec<u32> = entries
        .iter()
        .flat_map(sentences)
        .filter(|(on, _, what)| (*on, *what) == (channel, key))
        .map(|(_, utterance, _)| utterance)
        .collect();
    let is_heard = |entry: &Entry| match input(entry) {
        Some(Input::Voice {
            channel: on,
            utterance,
            mark: VoiceMark::Finished,
        }) => *on == channel && said.contains(utterance),
        _ => false,
    };
    entries.iter().any(is_heard)
}
