//! Folders for a test, and a program that it talks to. The tests of practice take this file too.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::PROGRAM;

/// How long to wait. Everything that is waited for comes much sooner, whatever else the machine
/// does.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Folders for one test, and the program run in them.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for name in ["data", "config", "run"] {
            fs::create_dir(home.path(name)).unwrap();
        }
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn games(&self) -> PathBuf {
        self.path("data/annexd/games")
    }

    pub(crate) fn game(&self, name: &str) -> PathBuf {
        self.games().join(format!("{name}.annexd"))
    }

    /// A file with this PIN in it.
    pub(crate) fn pin_file(&self, pin: &str) -> String {
        let path = self.path(&format!("{pin}.pin"));
        fs::write(&path, format!("{pin}\n")).unwrap();
        path.display().to_string()
    }

    /// A console of a game, for a seat with this PIN.
    pub(crate) fn console(&self, game: &str, role: &str, pin: &str) -> Talk {
        let pin = self.pin_file(pin);
        let usual = ["console", "--game", game, "--role", role];
        self.start(&[&usual[..], &["--pin-file", &pin]].concat())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments)
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_RUNTIME_DIR", self.path("run"));
        // What is said must not depend on whose machine this is.
        for language in ["LC_ALL", "LC_MESSAGES", "LANG", "ANNEXD_LANGUAGE"] {
            command.env_remove(language);
        }
        command
    }

    /// The same, started by another program.
    pub(crate) fn command_by(&self, starter: &[&str], arguments: &[&str]) -> Command {
        let usual = self.command(arguments);
        let mut command = Command::new(starter[0]);
        command
            .args(&starter[1..])
            .arg(usual.get_program())
            .args(usual.get_args());
        for (name, value) in usual.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Starts the program and keeps talking to it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Talk {
        Talk::with(self.command(arguments))
    }
}

/// A running program.
pub(crate) struct Talk {
    pub(crate) child: Child,
    typed: Option<ChildStdin>,
    lines: Arc<Mutex<Vec<(Instant, String)>>>,
    reader: Option<JoinHandle<()>>,
}

impl Talk {
    pub(crate) fn with(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let typed = child.stdin.take();
        let out = BufReader::new(child.stdout.take().unwrap());
        let lines = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&lines);
        let reader = thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                seen.lock().unwrap().push((Instant::now(), line));
            }
        });
        Self {
            child,
            typed,
            lines,
            reader: Some(reader),
        }
    }

    /// Types a line. A program that is gone takes none, which other checks will notice.
    pub(crate) fn types(&mut self, line: &str) {
        if let Some(typed) = &mut self.typed {
            let _ = writeln!(typed, "{line}");
        }
    }

    /// What was printed so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap();
        lines.iter().map(|(_, line)| line.clone()).collect()
    }

    /// When each of these lines was printed.
    pub(crate) fn printed_at(&self, is_meant: impl Fn(&str) -> bool) -> Vec<Instant> {
        let lines = self.lines.lock().unwrap();
        let meant = lines.iter().filter(|(_, line)| is_meant(line));
        meant.map(|(at, _)| *at).collect()
    }

    /// Waits until so many lines with this in them were printed.
    #[track_caller]
    pub(crate) fn wait_for(&self, part: &str, times: usize) {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            let seen = self.lines();
            if seen.iter().filter(|line| line.contains(part)).count() >= times {
                return;
            }
            if self.reader.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let seen = self.lines();
        let count = seen.iter().filter(|line| line.contains(part)).count();
        assert!(
            count >= times,
            "{part:?} was printed {count} times, not {times}: {seen:#?}\n{}",
            self.threads()
        );
    }

    /// What each of its threads waits for; nothing where the system does not tell.
    fn threads(&self) -> String {
        let tasks = format!("/proc/{}/task", self.child.id());
        let tasks = fs::read_dir(tasks).into_iter().flatten().flatten();
        let read = |folder: &Path, name| fs::read_to_string(folder.join(name)).unwrap_or_default();
        tasks
            .map(|task| {
                let (name, at) = (read(&task.path(), "comm"), read(&task.path(), "wchan"));
                format!("{} waits in {at}\n", name.trim())
            })
            .collect()
    }

    /// Kills it at once and gives all it has printed.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        self.lines()
    }

    /// Ends its input, waits for its end and gives all it has printed.
    pub(crate) fn leave(self) -> Vec<String> {
        self.left().1
    }

    /// The same, with the exit status.
    pub(crate) fn left(mut self) -> (Option<i32>, Vec<String>) {
        self.typed = None;
        self.ended()
    }

    /// Waits for its end, and gives its exit status and all it has printed.
    pub(crate) fn ended(mut self) -> (Option<i32>, Vec<String>) {
        let status = self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        (status.code(), self.lines())
    }
}
