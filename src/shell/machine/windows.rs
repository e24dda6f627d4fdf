//! What is special on Windows: its console, its sleep, and its user's language.
#![expect(unsafe_code, reason = "a foreign library has a foreign interface")]

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Globalization::GetUserDefaultLocaleName;
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, CTRL_BREAK_EVENT, CTRL_C_EVENT, ENABLE_ECHO_INPUT,
    FlushConsoleInputBuffer, GetConsoleMode, GetConsoleScreenBufferInfo, GetStdHandle,
    STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleCtrlHandler, SetConsoleMode,
};
use windows_sys::Win32::System::Power::{
    ES_CONTINUOUS, ES_SYSTEM_REQUIRED, SetThreadExecutionState,
};

use crate::shell::table::Report;
use crate::shell::table::inbox::Reports;

/// The user's display language, such as `de-DE`.
pub(crate) fn language() -> Option<String> {
    let mut name = [0; 85];
    // SAFETY: it writes no more characters than there is room for, and returns their number.
    let length = unsafe { GetUserDefaultLocaleName(name.as_mut_ptr(), name.len() as i32) };
    let length = usize::try_from(length).ok()?.checked_sub(1)?;
    Some(String::from_utf16_lossy(name.get(..length)?))
}

/// The width of the window in characters; `None` if the output is no window.
pub(crate) fn columns() -> Option<usize> {
    let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: an invalid handle is refused.
    let is_told = unsafe { GetConsoleScreenBufferInfo(standard(STD_OUTPUT_HANDLE), &mut info) };
    let width = i32::from(info.srWindow.Right) - i32::from(info.srWindow.Left) + 1;
    (is_told != 0).then(|| usize::try_from(width).ok())?
}

/// Shows or hides typing from now on. If the input is no console, this does nothing.
pub(crate) fn set_echo(is_shown: bool) {
    let input = standard(STD_INPUT_HANDLE);
    let mut mode = 0;
    // SAFETY: an invalid handle is refused.
    if unsafe { GetConsoleMode(input, &mut mode) } == 0 {
        return;
    }
    let set = match is_shown {
        true => mode | ENABLE_ECHO_INPUT,
        false => mode & !ENABLE_ECHO_INPUT,
    };
    // SAFETY: as above.
    unsafe { SetConsoleMode(input, set) };
}

/// Discards what was typed ahead.
pub(crate) fn forget_typed() {
    // SAFETY: an invalid handle is refused.
    unsafe { FlushConsoleInputBuffer(standard(STD_INPUT_HANDLE)) };
}

fn standard(which: u32) -> HANDLE {
    // SAFETY: it takes no memory of ours.
    unsafe { GetStdHandle(which) }
}

/// Whether this system can sleep at all.
pub(super) const fn can_sleep() -> bool {
    true
}

/// While it lives, the computer does not fall asleep. Closing its lid still sends it to sleep.
pub(super) struct Awake {
    _let_go: Sender<()>,
}

impl Awake {
    /// Asks the system to stay awake. Calls `refused` if that is refused.
    pub(super) fn keep(refused: impl FnOnce() + Send + 'static) -> Option<Self> {
        let (let_go, is_over) = bounded(0);
        // The request lasts as long as the thread that makes it.
        let asking = thread::Builder::new().spawn(move || {
            // SAFETY: it takes no memory of ours.
            if unsafe { SetThreadExecutionState(ES_CONTINUOUS | ES_SYSTEM_REQUIRED) } == 0 {
                refused();
            }
            let _ = is_over.recv();
        });
        asking.ok().map(|_| Self { _let_go: let_go })
    }
}

/// Where to report that the game is to be left, and since when that was reported.
static LEAVING: Mutex<Option<(Reports, Option<Instant>)>> = Mutex::new(None);

/// If the program is asked again after this time, it does not wait until the disk has taken
/// everything.
const PATIENCE: Duration = Duration::from_secs(15);

/// Calls [`asked`] on Ctrl-C, when the window is closed, and when the user logs off.
pub(crate) fn heed(reports: Reports) {
    let mut leaving = LEAVING.lock().unwrap_or_else(PoisonError::into_inner);
    *leaving = Some((reports, None));
    drop(leaving);
    show_at_end();
}

/// Shows typing again if the program is ended meanwhile.
pub(crate) fn show_at_end() {
    // SAFETY: the function exists as long as the program. If it is registered twice it is called
    // twice, and the second call finds that the first has done the work.
    unsafe {
        SetConsoleCtrlHandler(Some(asked), 0);
        SetConsoleCtrlHandler(Some(asked), 1);
    }
}

/// Called by Windows in a thread of its own. 0 lets the program be ended.
unsafe extern "system" fn asked(event: u32) -> i32 {
    crate::shell::consoles::echo::show();
    let mut leaving = LEAVING.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((reports, since)) = leaving.as_mut() else {
        return 0;
    };
    let is_late = since
        .get_or_insert_with(Instant::now)
        .elapsed()
        .gt(&PATIENCE);
    if is_late || reports.send(Report::Leave).is_err() {
        return 0;
    }
    drop(leaving);
    // If the window is closed, the program is ended as soon as this returns.
    if ![CTRL_C_EVENT, CTRL_BREAK_EVENT].contains(&event) {
        thread::sleep(PATIENCE);
    }
    1
}
