//! How long it takes from the decision to say something to its first sample in the callback of
//! the sound device, and apart from that how long the disk's sync takes before it.
//!
//! Opens a room of its own: a sound server without hardware. Prints one line for each figure.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark starts a sound server and fails where it fails"
)]

#[cfg(all(feature = "audio", feature = "voice"))]
#[path = "../tests/room/mod.rs"]
mod room;
#[path = "../tests/common/waiting.rs"]
mod waiting;

use std::time::Duration;

/// Sayings that are measured.
const SAYINGS: usize = 200;

fn main() {
    if std::env::var_os("ANNEXD_IN_A_ROOM").is_some() {
        inside();
    } else {
        #[cfg(all(feature = "audio", feature = "voice"))]
        outside();
    }
}

/// Starts this benchmark again inside a room.
#[cfg(all(feature = "audio", feature = "voice"))]
fn outside() {
    let Some(room) = room::Room::open("bench") else {
        return;
    };
    let mut inside = std::process::Command::new(std::env::current_exe().unwrap());
    let inside = room.with(&mut inside).env("ANNEXD_IN_A_ROOM", "1");
    assert!(inside.status().unwrap().success());
}

fn inside() {
    let mut first_samples = speaking::measure();
    tell(
        "decision to first sample, without the disk",
        &mut first_samples,
    );
    let mut syncs = syncing::measure();
    tell("one entry of the record written and synced", &mut syncs);
}

#[expect(clippy::print_stdout, reason = "the figures")]
fn tell(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    println!(
        "speaking: {what}: median {:.1} ms, 95th percentile {:.1} ms, longest {:.1} ms of {}",
        at(50),
        at(95),
        at(100),
        times.len()
    );
}

mod speaking {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use annexd::game::Priority;
    use annexd::notation::Announcement;
    use annexd::persons::Channel;
    use annexd::phrases::{Argument, Phrase, PhraseKey};
    use annexd::shell::config::data;
    use annexd::shell::hearing::somebody_speaks::SpeechMonitor;
    use annexd::shell::speech::voice::{
        ChannelLanguages, EarconSettings, Speaker, SpeakerEvent, SpeakerSettings, VoiceSettings,
    };
    use shakmaty::{ByColor, Role, Square};

    /// From [`Speaker::say`] to the first sample, of announcements that all differ.
    pub(super) fn measure() -> Vec<Duration> {
        let german = Arc::new(data::language("de").unwrap());
        let settings = SpeakerSettings {
            table: VoiceSettings::default(),
            ears: ByColor::new_with(|_| None),
            earcons: EarconSettings::default(),
        };
        let languages = ChannelLanguages {
            table: Arc::clone(&german),
            ears: ByColor::new_with(|_| Arc::clone(&german)),
        };
        let (told, events) = crossbeam_channel::unbounded();
        let speaker = Speaker::open(settings, languages, SpeechMonitor::default(), told);
        speaker.wait_for_voices(Duration::from_secs(5));
        let mut took = Vec::new();
        for number in 0..super::SAYINGS {
            let square = |at: usize| Square::ALL[at % 64];
            let role = Role::ALL[number % 6];
            let announced =
                Announcement::of_move(role, square(number * 7), square(number * 11 + 1));
            let phrase = Phrase::new(PhraseKey::Announced, [Argument::Move(announced)]);
            let decided = Instant::now();
            let saying = speaker.say(Channel::Table, &phrase, Priority::Next);
            loop {
                match events.recv_timeout(Duration::from_secs(10)).unwrap() {
                    SpeakerEvent::Begun { id, at } if id == saying => {
                        took.push(at.duration_since(decided));
                        speaker.silence(Channel::Table);
                    }
                    SpeakerEvent::Finished { id, .. } if id == saying => break,
                    _ => {}
                }
            }
        }
        took
    }
}

mod syncing {
    use std::time::{Duration, Instant};

    use annexd::game::{Game, Profile};
    use annexd::journal::{Body, Entry, FORMAT, Opened};
    use annexd::moment::Moment;
    use annexd::shell::record::recorder::{Kept, Recorder};
    use annexd::shell::record::store::Store;

    /// What comes before anything is said: the entry is on the disk.
    pub(super) fn measure() -> Vec<Duration> {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("bench.annexd")).unwrap();
        let mut recorder = Recorder::new(store);
        let profile = Game::new(Profile::default()).profile().clone();
        let opened = Opened {
            format: FORMAT,
            program: "bench".to_owned(),
            profile,
        };
        let entry = |body| Entry {
            seq: 0,
            at: Moment::START,
            wall_ms: 0,
            body,
        };
        let opening = entry(Body::Opened(Box::new(opened)));
        assert!(matches!(
            recorder.append(Moment::START, 0, vec![opening]),
            Kept::Durable
        ));
        (0..super::SAYINGS)
            .map(|number| {
                let note = entry(Body::Note(format!("note {number}")));
                let began = Instant::now();
                let kept = recorder.append(Moment::START, 0, vec![note]);
                assert!(matches!(kept, Kept::Durable));
                began.elapsed()
            })
            .collect()
    }
}
