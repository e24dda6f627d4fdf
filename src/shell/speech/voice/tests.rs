use super::settings::is_shared;
use super::*;
use crate::phrases::{Argument, PhraseKey};
use crate::shell::config::data;

fn silent() -> VoiceSettings {
    VoiceSettings {
        voice: VoiceKind::Silent,
        ..VoiceSettings::default()
    }
}

fn german() -> ChannelLanguages {
    let german = Arc::new(data::language("de").unwrap());
    ChannelLanguages {
        table: Arc::clone(&german),
        ears: ByColor {
            white: Arc::clone(&german),
            black: german,
        },
    }
}

#[test]
fn without_any_voice_everything_is_reported_as_unheard() {
    let (events, told) = crossbeam_channel::unbounded();
    let settings = SpeakerSettings {
        table: silent(),
        ears: ByColor::default(),
        earcons: EarconSettings::default(),
    };
    let speaker = Speaker::open(settings, german(), SpeechMonitor::default(), events);
    let phrase = Phrase::new(PhraseKey::NoVoice, [Argument::Text("x".to_owned())]);
    for channel in [Channel::Table, Channel::Arbiter, Channel::Ear(Color::White)] {
        let id = speaker.say(channel, &phrase, Priority::Normal);
        let extent = Extent::Unheard;
        assert_eq!(
            told.recv_timeout(Duration::from_secs(5)).unwrap(),
            SpeakerEvent::Finished { id, extent }
        );
    }
}

#[test]
fn an_ear_is_private_only_on_a_device_of_its_own() {
    let on = |voice, device: Option<&str>| VoiceSettings {
        voice,
        device: device.map(str::to_owned),
        ..VoiceSettings::default()
    };
    let (clips, system) = (VoiceKind::Clips, VoiceKind::System);
    for (ear, table, shared) in [
        (on(clips, None), on(clips, None), true),
        (on(clips, Some("a")), on(clips, Some("a")), true),
        (on(clips, Some("a")), on(clips, Some("b")), false),
        (on(system, None), on(clips, None), true),
        (on(system, None), on(clips, Some("b")), false),
        (on(system, None), silent(), false),
    ] {
        assert_eq!(is_shared(&ear, &table), shared, "{ear:?} {table:?}");
    }
    let declared = VoiceSettings {
        private: Some(true),
        ..VoiceSettings::default()
    };
    assert!(!is_shared(&declared, &VoiceSettings::default()));
}
