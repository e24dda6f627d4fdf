use super::*;

/// A voice whose worker is the test.
fn voice(sounding: &Sounding) -> SystemVoice {
    let report = Box::new(|_, _| {});
    SystemVoice::unstarted(None, VoiceSettings::system(), "de", sounding, report)
}

#[test]
fn what_takes_no_text_is_tried_ever_more_seldom_until_it_speaks() {
    let mut voice = voice(&Arc::default());
    let mut waits_after = |speaks: bool| {
        let (id, wait) = (UtteranceId(1), voice.retry.as_secs());
        let until = Instant::now() + START_WITHIN;
        voice.state = State::Starting { until };
        voice.tell(voice.worker, WorkerReport::Ready);
        voice.say(id, "ja", "ja", 100);
        voice.tell(voice.worker, WorkerReport::Taken(id, "1".to_owned()));
        if speaks {
            voice.tell(voice.worker, WorkerReport::Begun("1".to_owned()));
        }
        voice.tell(voice.worker, WorkerReport::Failed);
        wait
    };
    let waits = [false, false, false, false, true, false].map(&mut waits_after);
    assert_eq!(waits, [2, 4, 8, 10, 10, 4]);
    // A service that is not there at all costs nothing.
    voice.state = State::Starting {
        until: Instant::now() + START_WITHIN,
    };
    voice.tell(voice.worker, WorkerReport::Failed);
    assert_eq!(voice.retry, RETRY_FIRST * 2);
}

#[test]
fn a_text_that_waits_for_another_of_ours_is_not_late() {
    let sounding = Arc::default();
    let [mut table, mut ear] = [voice(&sounding), voice(&sounding)];
    let (long, short) = (UtteranceId(1), UtteranceId(2));
    let say = |voice: &mut SystemVoice, id: UtteranceId| {
        voice.say(
            id,
            "Springer Gustav eins Felix drei",
            "Springer Gustav eins Felix drei",
            100,
        );
        voice.tell(voice.worker, WorkerReport::Taken(id, format!("{id:?}")));
    };
    let long_ago = |voice: &mut SystemVoice| {
        voice.saying.as_mut().unwrap().until = Instant::now();
    };
    say(&mut ear, long);
    ear.tell(ear.worker, WorkerReport::Begun(format!("{long:?}")));
    say(&mut table, short);
    long_ago(&mut table);
    assert_eq!(table.watch(), None, "the service still says the other one");
    // The other one has ended, and now the wait counts.
    let ended = ear.tell(ear.worker, WorkerReport::Ended(format!("{long:?}"), true));
    assert_eq!(ended, Some(SystemVoiceEvent::Ended(long, true)));
    assert_eq!(table.watch(), None, "it has time from here on");
    long_ago(&mut table);
    assert_eq!(table.watch(), Some(SystemVoiceEvent::Lost(Some(short))));
    // A voice that fails while it sounds keeps nobody waiting.
    say(&mut ear, long);
    ear.tell(ear.worker, WorkerReport::Begun(format!("{long:?}")));
    long_ago(&mut ear);
    assert_eq!(ear.watch(), Some(SystemVoiceEvent::Lost(Some(long))));
    assert_eq!(sounding.load(Ordering::Relaxed), 0);
}
