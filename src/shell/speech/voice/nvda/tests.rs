//! The voice with a library that imitates NVDA's. The tests build it. It says nothing, and reaches
//! a mark only when the test lets it.

use std::process::Command;
use std::time::Instant;

use crossbeam_channel::unbounded;
use tempfile::TempDir;

use super::super::UtteranceId;
use super::super::system::{SystemVoice, SystemVoiceEvent, WorkerReport};
use super::*;

/// Longer than anything takes that is not lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// The library, a voice that speaks through it, and the reports of the voice.
struct Stage {
    _folder: TempDir,
    library: Library,
    nvda: Arc<Nvda>,
    voice: SystemVoice,
    told: Receiver<(u32, WorkerReport)>,
    /// How many words began to sound.
    begun: usize,
}

impl Stage {
    fn with(flags: &[&str]) -> Self {
        let stage = Self::prepared(flags);
        let mut stage = stage.starting();
        assert_eq!(stage.step(), SystemVoiceEvent::Ready);
        stage
    }

    fn prepared(flags: &[&str]) -> Prepared {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("controller.dll");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvda/controller.rs");
        let mut compiler = Command::new(option_env!("RUSTC").unwrap_or("rustc"));
        compiler
            .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort"])
            .args(flags)
            .arg("-o")
            .arg(&place)
            .arg(source);
        assert!(compiler.status().unwrap().success());
        // SAFETY: this is the library that was just built.
        let library = unsafe { Library::new(&place) }.unwrap();
        let nvda = Arc::new(Nvda::open(&place).unwrap());
        Prepared {
            folder,
            library,
            nvda,
        }
    }

    /// Waits until the voice takes a step.
    fn step(&mut self) -> SystemVoiceEvent {
        loop {
            let (worker, told) = self.told.recv_timeout(PATIENCE).unwrap();
            self.begun += usize::from(matches!(told, WorkerReport::Begun(_)));
            if let Some(step) = self.voice.tell(worker, told) {
                return step;
            }
        }
    }

    /// Waits until so many words have begun.
    fn hear(&mut self, words: usize) {
        while self.begun < words {
            let (worker, told) = self.told.recv_timeout(PATIENCE).unwrap();
            self.begun += usize::from(matches!(told, WorkerReport::Begun(_)));
            assert_eq!(self.voice.tell(worker, told), None);
        }
    }

    fn allow(&self, marks: u32) {
        function::<extern "C" fn(u32)>(&self.library, "test_allow").unwrap()(marks);
    }

    fn call(&self, name: &str) {
        call(&self.library, name);
    }

    /// Returns what the library was asked, without the question whether NVDA runs. Texts are
    /// numbered across all tests, so the number is removed from the marks.
    fn log(&self) -> Vec<String> {
        let text = log_of(&self.library);
        let unnumbered = |line: &str| {
            let mut parts = line.split("name=\"");
            let head = parts.next().unwrap_or_default().to_owned();
            parts.fold(head, |line, part| {
                let place = part.split_once('-').map_or(part, |(_, place)| place);
                format!("{line}name=\"{place}")
            })
        };
        let lines = text.lines().filter(|it| *it != "running?");
        lines.map(unnumbered).collect()
    }
}

/// A library that has no voice yet.
struct Prepared {
    folder: TempDir,
    library: Library,
    nvda: Arc<Nvda>,
}

impl Prepared {
    fn starting(self) -> Stage {
        let (sender, told) = unbounded();
        let report = Box::new(move |worker, told| {
            let _ = sender.send((worker, told));
        });
        let nvda = Some(Arc::clone(&self.nvda));
        let settings = VoiceSettings::system();
        Stage {
            _folder: self.folder,
            library: self.library,
            nvda: self.nvda,
            voice: SystemVoice::start_with(nvda, settings, "de", &Arc::default(), report),
            told,
            begun: 0,
        }
    }
}

/// Returns everything that the library was asked.
fn log_of(library: &Library) -> String {
    type Log = unsafe extern "C" fn(*mut u8, usize) -> usize;
    let mut bytes = vec![0_u8; 1 << 16];
    let log = function::<Log>(library, "test_log").unwrap();
    // SAFETY: the buffer has as much room as is stated.
    let length = unsafe { log(bytes.as_mut_ptr(), bytes.len()) };
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

fn call(library: &Library, name: &str) {
    function::<extern "C" fn()>(library, name).unwrap()();
}

const MOVE: &str = "Springer Gustav eins";

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn who_hangs_is_asked_once_and_again_when_he_has_answered() {
    let Prepared { library, nvda, .. } = &Stage::prepared(&[]);
    call(library, "test_hang");
    assert!((0..5).all(|_| !nvda.is_running()));
    assert_eq!(log_of(library).lines().count(), 1);
    call(library, "test_wake");
    // Wait until the thread that has waited has sent its answer.
    let mut again = std::iter::repeat_with(|| nvda.is_running());
    assert!(again.any(|runs| runs));
}

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn texts_are_said_and_shown_in_their_order_and_each_to_its_end() {
    let mut stage = Stage::with(&[]);
    for (id, text, voiced, rate, marks) in
        [(1, MOVE, MOVE, 100, 4), (2, "Turm < C", "Turm < Ze", 70, 4)]
    {
        stage.voice.say(UtteranceId(id), text, voiced, rate);
        stage.allow(marks);
        assert_eq!(stage.step(), SystemVoiceEvent::Ended(UtteranceId(id), true));
    }
    let ssml = |text: &str| {
        let text = text.replace('|', "<mark name=\"").replace('/', "\"/>");
        let speak = "<speak version=\"1.0\" xml:lang=\"de\">";
        format!("ssml -1 2 0 {speak}{text}</speak>")
    };
    let slower = ssml("{|0/Turm |1/&lt; |2/Ze |3/}");
    let slower = slower.replace('{', "<prosody rate=\"70%\">");
    let expected = [
        format!("braille {MOVE}"),
        ssml("|0/Springer |1/Gustav |2/eins |3/"),
        "braille Turm < C".to_owned(),
        slower.replace('}', "</prosody>"),
    ];
    assert_eq!(stage.log(), expected);
}

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn what_is_cut_off_was_heard_up_to_the_last_mark_and_the_next_is_said() {
    let mut stage = Stage::with(&[]);
    let id = UtteranceId(7);
    stage.voice.say(id, MOVE, MOVE, 100);
    stage.allow(2);
    stage.hear(2);
    stage.voice.stop();
    assert_eq!(stage.step(), SystemVoiceEvent::Ended(id, false));
    assert_eq!(stage.begun, 2, "\"eins\" was not heard");
    assert_eq!(stage.log().last().unwrap(), "cancel");
    let next = UtteranceId(8);
    stage.voice.say(next, "ja", "ja", 100);
    stage.allow(2);
    assert_eq!(stage.step(), SystemVoiceEvent::Ended(next, true));
}

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn a_text_of_which_nothing_sounded_was_not_heard() {
    let mut stage = Stage::with(&[]);
    let id = UtteranceId(3);
    stage.voice.say(id, MOVE, MOVE, 100);
    stage.voice.stop();
    // The order to stop may come before NVDA has the text, which then is said nevertheless.
    stage.allow(4);
    let SystemVoiceEvent::Ended(ended, whole) = stage.step() else {
        panic!("it has no end");
    };
    assert_eq!((ended, whole), (id, stage.begun == 4));
}

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn a_library_before_2_0_takes_texts_and_is_silenced_too() {
    let mut stage = Stage::with(&["--cfg", "old"]);
    assert!(stage.nvda.functions.ssml.is_none());
    stage.voice.say(UtteranceId(1), "ja", "ja", 100);
    assert_eq!(stage.step(), SystemVoiceEvent::Ended(UtteranceId(1), true));
    stage
        .voice
        .say(UtteranceId(2), &MOVE.repeat(50), &MOVE.repeat(50), 100);
    stage.hear(2);
    stage.voice.stop();
    assert_eq!(stage.step(), SystemVoiceEvent::Ended(UtteranceId(2), false));
    // The text ends as soon as it is stopped, and NVDA is silenced at the same time by another
    // thread.
    let end = Instant::now() + PATIENCE;
    while stage.log().last().unwrap() != "cancel" {
        assert!(Instant::now() < end, "NVDA was not silenced");
        thread::yield_now();
    }
    assert_eq!(stage.log()[..2], ["braille ja", "text ja"]);
}

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn nvda_that_is_ended_is_lost_in_the_middle_of_a_text_and_asked_no_more() {
    let mut stage = Stage::with(&[]);
    assert!(stage.nvda.is_running());
    let id = UtteranceId(4);
    stage.voice.say(id, MOVE, MOVE, 100);
    stage.allow(1);
    stage.hear(1);
    stage.call("test_break");
    assert_eq!(stage.step(), SystemVoiceEvent::Lost(Some(id)));
    assert!(stage.voice.is_lost());
    // The next worker asks, and speaks through whatever is there then.
    assert!(!stage.nvda.is_running());
    stage.call("test_mend");
    assert!(stage.nvda.is_running());
}

#[test]
#[cfg_attr(windows, ignore = "needs rustc, which Wine has not")]
fn nvda_that_does_not_run_is_given_no_text() {
    let prepared = Stage::prepared(&[]);
    call(&prepared.library, "test_break");
    assert!(!prepared.nvda.is_running());
}

#[test]
fn who_has_named_another_voice_hears_that() {
    let named = |name: &str| VoiceSettings {
        name: Some(name.to_owned()),
        ..VoiceSettings::system()
    };
    assert!(Nvda::wanted_by(&named("Hedda")).is_none());
    // Without the library there is nothing to ask.
    assert!(Nvda::open(Path::new("annexd-has-no-such.dll")).is_none());
    // Another library is not taken for NVDA's.
    assert!(cfg!(windows) || Nvda::open(Path::new("libc.so.6")).is_none());
}
