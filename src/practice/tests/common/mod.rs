//! A running program, its folders, and its output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait. Everything that is waited for comes much sooner, whatever else the machine
/// does.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of its own for one test.
pub(crate) struct Home(pub(crate) tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        for name in ["data", "config", "run"] {
            std::fs::create_dir(home.path(name)).unwrap();
        }
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annexd-practice"));
        command
            .args(arguments)
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_RUNTIME_DIR", self.path("run"));
        for language in ["LC_ALL", "LC_MESSAGES", "LANG", "ANNEXD_LANGUAGE"] {
            command.env_remove(language);
        }
        command
    }

    /// Returns the score from the record of the game.
    pub(crate) fn score(&self) -> String {
        let folder = self.path("data/annexd/games");
        let path = folder.join("uebung.annexd");
        let record = annexd::shell::record::store::read(&path).unwrap();
        let game = annexd::journal::replay(&record.entries).unwrap().game;
        annexd::score::to_pgn(&annexd::shell::record::kept_score::kept_score(
            &game,
            &record.entries,
            shakmaty::Color::White,
        ))
    }
}

/// A running program.
pub(crate) struct Talk {
    child: Child,
    typed: Option<ChildStdin>,
    lines: Arc<Mutex<Vec<String>>>,
    reader: thread::JoinHandle<()>,
}

impl Talk {
    pub(crate) fn with(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let typed = child.stdin.take();
        let out = BufReader::new(child.stdout.take().unwrap());
        let lines = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&lines);
        let reader = thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                seen.lock().unwrap().push(line);
            }
        });
        Self {
            child,
            typed,
            lines,
            reader,
        }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, part: &str) -> usize {
        let lines = self.lines.lock().unwrap();
        lines.iter().filter(|line| line.contains(part)).count()
    }

    /// Types a line and waits for one more line with this in it.
    #[track_caller]
    pub(crate) fn types(&mut self, line: &str, answer: &str) {
        let before = self.count(answer);
        self.enters(line);
        self.wait_for(answer, before + 1);
    }

    pub(crate) fn enters(&mut self, line: &str) {
        writeln!(self.typed.as_mut().unwrap(), "{line}").unwrap();
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, part: &str, times: usize) {
        let until = Instant::now() + PATIENCE;
        while self.count(part) < times {
            assert!(
                Instant::now() < until,
                "{part:?} is missing: {:#?}",
                self.lines()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Closes its input and waits for its end.
    pub(crate) fn leaves(mut self) -> Vec<String> {
        self.typed = None;
        assert!(self.child.wait().unwrap().success());
        self.reader.join().unwrap();
        Arc::try_unwrap(self.lines).unwrap().into_inner().unwrap()
    }
}
