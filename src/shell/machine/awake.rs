//! Keeps the computer awake while a game runs. A child process holds the lock of logind as long as
//! it lives, and it lives as long as its input is open. If the program is killed, it ends too.

use std::fs;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The program that holds the lock.
const INHIBIT: &[&str] = &["systemd-inhibit"];

/// What is prevented: sleep, what leads to it, and where allowed the effect of closing the lid.
const HELD_OFF: [&str; 2] = ["sleep:idle:handle-lid-switch", "sleep:idle"];

/// The command that runs under the lock: it prints a line when the lock is held, and ends with its
/// input.
const UNDER_THE_LOCK: [&str; 3] = ["sh", "-c", "echo && exec cat >/dev/null"];

/// Whether this system can sleep at all.
pub(super) fn can_sleep() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    fs::read_to_string("/sys/power/state").is_ok_and(|states| !states.trim().is_empty())
}

/// The lock. It is released when this is dropped.
pub(super) struct Awake {
    held: Arc<Mutex<Held>>,
}

#[derive(Default)]
struct Held {
    is_over: bool,
    /// Closing it ends the child.
    input: Option<ChildStdin>,
}

impl Awake {
    /// Takes the lock in its own thread, because the system may be slow. Calls `refused` if it
    /// cannot be had.
    pub(super) fn keep(refused: impl FnOnce() + Send + 'static) -> Option<Self> {
        Self::keep_by(INHIBIT, refused)
    }

    fn keep_by(
        program: &'static [&'static str],
        refused: impl FnOnce() + Send + 'static,
    ) -> Option<Self> {
        let held = Arc::new(Mutex::new(Held::default()));
        let holding = Arc::clone(&held);
        let spawned = thread::Builder::new().spawn(move || {
            if !HELD_OFF.iter().any(|what| hold(program, what, &holding)) {
                refused();
            }
        });
        spawned.is_ok().then_some(Self { held })
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.is_over = true;
        held.input = None;
    }
}

/// Takes the lock with this program, and waits until it is released. Returns false if it cannot be
/// had.
fn hold(program: &[&str], what: &str, held: &Mutex<Held>) -> bool {
    let Ok(mut child) = start(program, what) else {
        return false;
    };
    {
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        held.input = child.stdin.take().filter(|_| !held.is_over);
    }
    let is_held = says_a_line(&mut child);
    // The thread that has the lock waits here until the game is left.
    let _ = child.wait();
    is_held
}

fn start(program: &[&str], what: &str) -> std::io::Result<Child> {
    let (name, arguments) = program.split_first().ok_or(std::io::ErrorKind::NotFound)?;
    let mut command = Command::new(name);
    command
        .args(arguments)
        .arg(format!("--what={what}"))
        .args([
            "--mode=block",
            "--who=annexd",
            "--why=A game of chess is played",
        ])
        .args(UNDER_THE_LOCK)
        // A remote bus would keep another computer awake.
        .env_remove("DBUS_SYSTEM_BUS_ADDRESS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // Ctrl-C is for the game; the lock ends with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

fn says_a_line(child: &mut Child) -> bool {
    use std::io::Read as _;
    let Some(out) = &mut child.stdout else {
        return false;
    };
    matches!(out.read(&mut [0]), Ok(1))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use crossbeam_channel::unbounded;

    use super::*;

    /// A stand-in for `systemd-inhibit` that notes what it was asked for.
    fn stand_in(folder: &Path, refuses: &str) -> &'static [&'static str] {
        let notes = folder.join("asked");
        let script = format!(
            "echo \"$1\" >>'{0}'\ncase $1 in {refuses}) exit 1;; esac\n\
             while [ \"${{1#--}}\" != \"$1\" ]; do shift; done\n\"$@\"\necho over >>'{0}'\n",
            notes.display()
        );
        let path = folder.join("inhibit");
        fs::write(&path, script).unwrap();
        let path = String::leak(path.display().to_string());
        Vec::leak(vec!["sh", path])
    }

    fn asked(folder: &Path, lines: usize) -> Vec<String> {
        loop {
            let text = fs::read_to_string(folder.join("asked")).unwrap_or_default();
            let asked: Vec<String> = text.lines().map(str::to_owned).collect();
            if asked.len() >= lines {
                return asked;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn the_lock_is_held_until_it_is_let_go_and_without_the_lid_where_that_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let program = stand_in(folder.path(), "*lid*");
        let (refused, is_refused) = unbounded();
        let awake = Awake::keep_by(program, move || refused.send(()).unwrap());
        let wanted = ["--what=sleep:idle:handle-lid-switch", "--what=sleep:idle"];
        assert_eq!(asked(folder.path(), 2), wanted);
        drop(awake);
        assert_eq!(asked(folder.path(), 3)[2], "over");
        // The thread has ended, and no refusal was reported.
        assert!(is_refused.recv().is_err());
    }

    #[test]
    fn a_system_that_refuses_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let refusing = stand_in(folder.path(), "*");
        for program in [refusing, &["annexd-has-no-such-program"]] {
            let (refused, is_refused) = unbounded();
            let _awake = Awake::keep_by(program, move || refused.send(()).unwrap());
            assert_eq!(is_refused.recv(), Ok(()));
        }
        assert_eq!(asked(folder.path(), 2).len(), 2);
    }
}
