//! A library that looks like NVDA's controller client, for the tests of the voice: it says nothing,
//! keeps a log of what it was asked, and reaches a mark only when the test lets it.
//!
//! With `--cfg old` it lacks what has come with 2.0.

use std::sync::{Condvar, Mutex, MutexGuard};

type Wide = *const u16;
type OnMark = extern "system" fn(Wide) -> u32;

/// The server is not there, as Windows numbers it.
const NOT_RUNNING: u32 = 1722;

struct State {
    log: String,
    /// How many marks may still be reached.
    allowed: u32,
    is_cancelled: bool,
    is_broken: bool,
    /// Whether it does not answer whether it runs.
    hangs: bool,
    #[cfg_attr(old, allow(dead_code))]
    on_mark: Option<OnMark>,
}

static STATE: Mutex<State> = Mutex::new(State {
    log: String::new(),
    allowed: 0,
    is_cancelled: false,
    is_broken: false,
    hangs: false,
    on_mark: None,
});
static CHANGED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|it| it.into_inner())
}

fn text(wide: Wide) -> String {
    let mut text = Vec::new();
    unsafe {
        let mut at = wide;
        while *at != 0 {
            text.push(*at);
            at = at.add(1);
        }
    }
    String::from_utf16_lossy(&text)
}

/// Notes what was asked, and answers as NVDA would that runs or does not.
fn asked(what: String) -> u32 {
    let mut state = state();
    state.log += &what;
    state.log.push('\n');
    if state.is_broken { NOT_RUNNING } else { 0 }
}

#[unsafe(no_mangle)]
pub extern "system" fn nvdaController_testIfRunning() -> u32 {
    let answer = asked("running?".to_owned());
    let mut state = state();
    while state.hangs {
        state = CHANGED.wait(state).unwrap_or_else(|it| it.into_inner());
    }
    answer
}

#[unsafe(no_mangle)]
pub extern "system" fn nvdaController_speakText(said: Wide) -> u32 {
    asked(format!("text {}", text(said)))
}

#[unsafe(no_mangle)]
pub extern "system" fn nvdaController_brailleMessage(shown: Wide) -> u32 {
    asked(format!("braille {}", text(shown)))
}

#[unsafe(no_mangle)]
pub extern "system" fn nvdaController_cancelSpeech() -> u32 {
    let answer = asked("cancel".to_owned());
    state().is_cancelled = true;
    CHANGED.notify_all();
    answer
}

#[cfg(not(old))]
#[unsafe(no_mangle)]
pub extern "system" fn nvdaController_setOnSsmlMarkReachedCallback(on_mark: Option<OnMark>) -> u32 {
    state().on_mark = on_mark;
    0
}

#[cfg(not(old))]
#[unsafe(no_mangle)]
pub extern "system" fn nvdaController_speakSsml(
    ssml: Wide,
    symbols: i32,
    priority: i32,
    asynchronous: u8,
) -> u32 {
    let ssml = text(ssml);
    let answer = asked(format!("ssml {symbols} {priority} {asynchronous} {ssml}"));
    if answer != 0 {
        return answer;
    }
    state().is_cancelled = false;
    for mark in ssml.split("<mark name=\"").skip(1) {
        let name = mark.split('"').next().unwrap_or_default();
        let mut name: Vec<u16> = name.encode_utf16().collect();
        name.push(0);
        let mut waiting = state();
        while waiting.allowed == 0 && !waiting.is_cancelled && !waiting.is_broken {
            waiting = CHANGED.wait(waiting).unwrap_or_else(|it| it.into_inner());
        }
        if waiting.is_broken {
            return NOT_RUNNING;
        }
        if waiting.is_cancelled {
            return 0;
        }
        waiting.allowed -= 1;
        let on_mark = waiting.on_mark;
        drop(waiting);
        if let Some(on_mark) = on_mark {
            on_mark(name.as_ptr());
        }
    }
    0
}

/// Lets so many more marks be reached.
#[unsafe(no_mangle)]
pub extern "C" fn test_allow(marks: u32) {
    state().allowed += marks;
    CHANGED.notify_all();
}

/// NVDA is ended, in the middle of what it says.
#[unsafe(no_mangle)]
pub extern "C" fn test_break() {
    state().is_broken = true;
    CHANGED.notify_all();
}

/// NVDA hangs.
#[unsafe(no_mangle)]
pub extern "C" fn test_hang() {
    state().hangs = true;
}

/// It does so no more.
#[unsafe(no_mangle)]
pub extern "C" fn test_wake() {
    state().hangs = false;
    CHANGED.notify_all();
}

/// NVDA is started again.
#[unsafe(no_mangle)]
pub extern "C" fn test_mend() {
    state().is_broken = false;
}

/// Writes the log to this place, as much as there is room for, and says how long it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn test_log(to: *mut u8, room: usize) -> usize {
    let state = state();
    let length = state.log.len().min(room);
    unsafe { std::ptr::copy_nonoverlapping(state.log.as_ptr(), to, length) };
    length
}
