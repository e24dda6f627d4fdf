//! NVDA, the screen reader. Where it runs, utterances go to it, in the voice and at the rate that
//! the player has set there, and onto the Braille display that he has connected to it.
//!
//! Its controller client is a library that is opened at run time. Facts about it:
//!
//! - From 2.0 on it speaks SSML and reports each mark that is reached, but only while the call
//!   waits for the end. So each text has a thread that waits, and another thread cancels.
//! - The callback for marks is set for the calling thread, and gets only the name of the mark. So
//!   the names say to which text they belong.
//! - Before 2.0 it takes a text and reports nothing. The text counts as heard after the time that
//!   it takes at the normal rate.
//! - A screen reader that hangs answers no call. So every wait for an answer has a limit.
#![expect(unsafe_code, reason = "a foreign library has a foreign interface")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, bounded};
use libloading::Library;

use super::VoiceSettings;

/// The library's file names: as it comes with NVDA, and as its makers once called it.
const NAMES: [&str; 2] = ["nvdaControllerClient.dll", "nvdaControllerClient64.dll"];

/// How long NVDA may take to answer whether it runs.
const ANSWERS_WITHIN: Duration = Duration::from_millis(1500);

/// The result for a text that was cancelled, as Windows numbers it.
const CANCELLED: u32 = 1223;

/// Symbols are read as NVDA is set.
const SYMBOLS_AS_SET: i32 = -1;

/// Speaks before what NVDA reads by itself, which continues afterwards: a clock may be running.
const PRIORITY_NOW: i32 = 2;

/// The greatest length of a mark's name, in UTF-16 units.
const NAME_MAX: usize = 40;

/// Text in the form that Windows uses: 16-bit units, with a zero at the end.
type Wide = *const u16;
/// The callback that gets the name of a mark that was reached.
type OnMark = extern "system" fn(Wide) -> u32;

/// The functions of the library. Each returns 0 if it succeeds.
struct Functions {
    test_if_running: unsafe extern "system" fn() -> u32,
    speak_text: unsafe extern "system" fn(Wide) -> u32,
    cancel_speech: unsafe extern "system" fn() -> u32,
    braille_message: unsafe extern "system" fn(Wide) -> u32,
    ssml: Option<Ssml>,
}

/// The functions that came with 2.0.
struct Ssml {
    speak: unsafe extern "system" fn(Wide, i32, i32, u8) -> u32,
    on_mark: unsafe extern "system" fn(Option<OnMark>) -> u32,
}

/// The library of NVDA's controller client. It stays open as long as the program runs, because NVDA
/// may still report a mark.
pub(super) struct Nvda {
    functions: Functions,
    /// The pending answer to whether NVDA runs. While it is pending, NVDA hangs and is not asked
    /// again.
    asked: Mutex<Option<Receiver<bool>>>,
}

/// A text that is to be said.
pub(super) struct Text<'a> {
    /// The words, as they are read.
    pub text: &'a str,
    /// The words, as a voice is told them.
    pub voiced: &'a str,
    /// The language of the words.
    pub language: &'a str,
    /// The rate, in percent of the rate that is set in NVDA.
    pub rate: u32,
    /// How long the text takes at the normal rate.
    pub length: Duration,
}

/// NVDA has not done what it was told, so it counts as gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused;

impl Nvda {
    /// Returns the library if it is there and these settings name NVDA or leave the choice open. It
    /// may be there although NVDA does not run.
    pub(super) fn wanted_by(settings: &VoiceSettings) -> Option<Arc<Self>> {
        let name = settings.name.as_deref();
        let is_wanted = name.is_none_or(|it| it.eq_ignore_ascii_case("nvda"));
        is_wanted.then(Self::find).flatten()
    }

    /// Finds the library: the file named in `ANNEXD_NVDA`, and on Windows also beside the program
    /// and where the system looks for libraries.
    pub(super) fn find() -> Option<Arc<Self>> {
        let named = std::env::var_os("ANNEXD_NVDA").map(PathBuf::from);
        let program = std::env::current_exe().ok();
        let folder = program.as_deref().and_then(Path::parent);
        let beside = NAMES.iter().filter_map(|name| Some(folder?.join(name)));
        let of_system = NAMES.iter().map(PathBuf::from);
        let of_windows = beside.chain(of_system).filter(|_| cfg!(windows));
        let mut places = named.into_iter().chain(of_windows);
        places.find_map(|it| Self::open(&it)).map(Arc::new)
    }

    /// Opens the library in this file, if it is NVDA's.
    pub(super) fn open(place: &Path) -> Option<Self> {
        // SAFETY: NVDA's library runs no code of note on loading, and nothing else of that name is
        // looked for.
        let library = unsafe { Library::new(place) }.ok()?;
        let ssml = function(&library, "nvdaController_speakSsml")
            .zip(function(
                &library,
                "nvdaController_setOnSsmlMarkReachedCallback",
            ))
            .map(|(speak, on_mark)| Ssml { speak, on_mark });
        let functions = Functions {
            test_if_running: function(&library, "nvdaController_testIfRunning")?,
            speak_text: function(&library, "nvdaController_speakText")?,
            cancel_speech: function(&library, "nvdaController_cancelSpeech")?,
            braille_message: function(&library, "nvdaController_brailleMessage")?,
            ssml,
        };
        std::mem::forget(library);
        Some(Self {
            functions,
            asked: Mutex::default(),
        })
    }

    /// Returns whether NVDA runs and answers soon.
    pub(super) fn is_running(self: &Arc<Self>) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = asked.take().map(|answer| (answer.try_recv(), answer));
        if let Some((Err(TryRecvError::Empty), answer)) = waited {
            *asked = Some(answer);
            return false;
        }
        let (sender, answer) = bounded(1);
        let nvda = Arc::clone(self);
        thread::spawn(move || {
            // SAFETY: the type is that of the public interface.
            let _ = sender.send(unsafe { (nvda.functions.test_if_running)() } == 0);
        });
        let runs = answer.recv_timeout(ANSWERS_WITHIN);
        if runs.is_err() {
            *asked = Some(answer);
        }
        runs.unwrap_or(false)
    }

    /// Says a text, and shows it on NVDA's Braille display. It calls `on_word` before each word
    /// sounds, and once more after the last. It waits for the end and returns whether all was
    /// heard. A message on `stopped` or a call of [`Self::cancel`] ends it too.
    ///
    /// # Errors
    ///
    /// If NVDA does not take the text, or is lost while it speaks.
    pub(super) fn say(
        &self,
        text: &Text<'_>,
        stopped: &Receiver<()>,
        on_word: impl Fn() + Send + Sync + 'static,
    ) -> Result<bool, Refused> {
        let shown = wide(text.text);
        // SAFETY: the text ends with a zero and lives as long as the call. Without a display it
        // fails, which nobody needs to know.
        unsafe { (self.functions.braille_message)(shown.as_ptr()) };
        // An order to stop may have come first, and NVDA would not know of it.
        if stopped.try_recv() != Err(TryRecvError::Empty) {
            return Ok(false);
        }
        match &self.functions.ssml {
            Some(ssml) => ssml.say(text, on_word),
            None => self.say_plainly(text, stopped, on_word),
        }
    }

    /// Says a text with a library that reports no marks.
    fn say_plainly(
        &self,
        text: &Text<'_>,
        stopped: &Receiver<()>,
        on_word: impl Fn(),
    ) -> Result<bool, Refused> {
        let said = wide(text.voiced);
        // SAFETY: the text ends with a zero and lives as long as the call.
        refused(unsafe { (self.functions.speak_text)(said.as_ptr()) })?;
        on_word();
        let end = stopped.recv_timeout(text.length);
        Ok(end == Err(RecvTimeoutError::Timeout))
    }

    /// Silences NVDA.
    ///
    /// # Errors
    ///
    /// If NVDA does not obey.
    pub(super) fn cancel(&self) -> Result<(), Refused> {
        // SAFETY: the type is that of the public interface.
        refused(unsafe { (self.functions.cancel_speech)() })
    }
}

impl Ssml {
    fn say(
        &self,
        text: &Text<'_>,
        on_word: impl Fn() + Send + Sync + 'static,
    ) -> Result<bool, Refused> {
        let reached = Arc::new(AtomicU64::new(0));
        let (count, number) = (Arc::clone(&reached), NEXT.fetch_add(1, Ordering::Relaxed));
        let on_mark = move |place: u64| {
            count.fetch_max(place.saturating_add(1), Ordering::Relaxed);
            on_word();
        };
        listeners().insert(number, Arc::new(on_mark));
        let (ssml, marks) = marked(text, number);
        let ssml = wide(&ssml);
        // SAFETY: both are functions of the public interface. The text ends with a zero and lives
        // as long as the call, and the callback lives as long as the program.
        let result = unsafe {
            (self.on_mark)(Some(mark_reached));
            let result = (self.speak)(ssml.as_ptr(), SYMBOLS_AS_SET, PRIORITY_NOW, 0);
            (self.on_mark)(None);
            result
        };
        listeners().remove(&number);
        if result != CANCELLED {
            refused(result)?;
        }
        Ok(reached.load(Ordering::Relaxed) == marks)
    }
}

/// The number of the next text.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The callback that gets the place of a mark that was reached.
type Listener = Arc<dyn Fn(u64) + Send + Sync>;

/// The listener of each text that is being said.
static LISTENERS: Mutex<BTreeMap<u64, Listener>> = Mutex::new(BTreeMap::new());

fn listeners() -> MutexGuard<'static, BTreeMap<u64, Listener>> {
    LISTENERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The callback by which NVDA reports a mark.
extern "system" fn mark_reached(name: Wide) -> u32 {
    if name.is_null() {
        return 0;
    }
    let name: String = (0..NAME_MAX)
        // SAFETY: the text ends with a zero, and nothing after it is read.
        .map(|at| unsafe { *name.add(at) })
        .take_while(|it| *it != 0)
        .filter_map(|it| char::from_u32(it.into()))
        .collect();
    let parts = name.split_once('-');
    let parts = parts.and_then(|(text, place)| Some((text.parse().ok()?, place.parse().ok()?)));
    if let Some((text, place)) = parts {
        let listener = listeners().get(&text).cloned();
        if let Some(listener) = listener {
            listener(place);
        }
    }
    0
}

/// Returns a text as SSML with a mark before each word and one after the last, and the number of
/// marks.
fn marked(text: &Text<'_>, number: u64) -> (String, u64) {
    let mut ssml = format!("<speak version=\"1.0\" xml:lang=\"{}\">", text.language);
    if text.rate != 100 {
        let _ = write!(ssml, "<prosody rate=\"{}%\">", text.rate);
    }
    let mut marks = 0;
    for word in text.voiced.split_whitespace() {
        let _ = write!(ssml, "<mark name=\"{number}-{marks}\"/>");
        for letter in word.chars().filter(|it| !it.is_control()) {
            match letter {
                '&' => ssml.push_str("&amp;"),
                '<' => ssml.push_str("&lt;"),
                '>' => ssml.push_str("&gt;"),
                other => ssml.push(other),
            }
        }
        ssml.push(' ');
        marks += 1;
    }
    let _ = write!(ssml, "<mark name=\"{number}-{marks}\"/>");
    if text.rate != 100 {
        ssml.push_str("</prosody>");
    }
    ssml.push_str("</speak>");
    (ssml, marks + 1)
}

fn wide(text: &str) -> Vec<u16> {
    let text = text.encode_utf16().filter(|it| *it != 0);
    text.chain([0]).collect()
}

const fn refused(result: u32) -> Result<(), Refused> {
    match result {
        0 => Ok(()),
        _ => Err(Refused),
    }
}

fn function<F: Copy>(library: &Library, name: &str) -> Option<F> {
    // SAFETY: the names and types are those of the library's public interface.
    let found = unsafe { library.get::<F>(name.as_bytes()) };
    found.ok().map(|it| *it)
}

#[cfg(test)]
mod tests;
