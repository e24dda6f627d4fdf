//! The process of a chess program: starts it, writes to it, ends it. Whatever the process does
//! causes only a [`Failure`].

use std::fmt::Display;
use std::io::{ErrorKind, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use annexd::shell::practice::Strength;

use super::codec::{self, Choice, EngineLine};
use super::levels::{Level, level};
use crate::lines::Lines;

/// How many of its lines may wait. A program that writes more waits until they are read.
const LINES: usize = 1024;

/// How many letters of its name are kept, because it is in the record and is read aloud.
const NAME_MAX: usize = 60;

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// There is no such program.
    Absent,
    /// The system cannot start it.
    NotStarted(String),
    /// It has ended.
    Crashed,
    /// It does not answer.
    Silent,
    /// What it writes is no answer.
    NotUci,
    /// It plays an illegal move. The text is what it wrote.
    Illegal(String),
}

/// What came from the program.
#[derive(Debug)]
pub(super) enum EngineOutput {
    /// A line.
    Line(EngineLine),
    /// A line without an end. Nothing comes after it.
    Endless,
}

/// A chess program that has answered. It is ended when this value is dropped.
#[derive(Debug)]
pub(super) struct Engine {
    /// Dropped together with this value.
    _process: Process,
    input: ChildStdin,
    lines: Receiver<EngineOutput>,
    name: Option<String>,
    choices: Vec<Choice>,
    /// The strength at which it plays now.
    strength: Option<Strength>,
}

/// A process that ends with its owner.
#[derive(Debug)]
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Engine {
    /// Starts a program and reads its options.
    pub(super) fn start(command: &str, patience: Duration) -> Result<Self, Failure> {
        let child = Command::new(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::Absent,
            _ => Failure::NotStarted(error.to_string()),
        })?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let process = Process(child);
        let (Some(input), Some(output)) = (input, output) else {
            return Err(Failure::Crashed);
        };
        let (sender, lines) = bounded(LINES);
        thread::spawn(move || forward_lines(output, &sender));
        let mut engine = Self {
            _process: process,
            input,
            lines,
            name: None,
            choices: Vec::new(),
            strength: None,
        };
        engine.send("uci")?;
        engine.introduces_itself(Instant::now() + patience)?;
        engine.send("ucinewgame")?;
        Ok(engine)
    }

    fn introduces_itself(&mut self, until: Instant) -> Result<(), Failure> {
        let mut failure = Failure::Silent;
        loop {
            // A program that writes endlessly must not be waited for endlessly.
            if Instant::now() >= until {
                return Err(failure);
            }
            match self.lines.recv_deadline(until) {
                Ok(EngineOutput::Line(EngineLine::UciOk)) => return Ok(()),
                Ok(EngineOutput::Line(EngineLine::Name(name))) => {
                    let name: String = name.chars().filter(|it| !it.is_control()).collect();
                    let name: String = name.chars().take(NAME_MAX).collect();
                    self.name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
                }
                Ok(EngineOutput::Line(EngineLine::Choice(choice)))
                    if self.choices.len() < LINES =>
                {
                    self.choices.push(choice);
                }
                Ok(EngineOutput::Line(EngineLine::Nonsense)) => failure = Failure::NotUci,
                Ok(EngineOutput::Line(_)) => {}
                Ok(EngineOutput::Endless) => return Err(Failure::NotUci),
                Err(RecvTimeoutError::Timeout) => return Err(failure),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Crashed),
            }
        }
    }

    /// Returns the name that it gives itself, or else the name of its file.
    pub(super) fn name(&self, command: &str) -> String {
        let file = || {
            Path::new(command)
                .file_name()
                .map(|it| it.to_string_lossy())
        };
        let of_file = || file().map_or_else(|| command.to_owned(), |name| name.into_owned());
        self.name.clone().unwrap_or_else(of_file)
    }

    /// Its lines. They end when it ends.
    pub(super) const fn lines(&self) -> &Receiver<EngineOutput> {
        &self.lines
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: impl Display) -> Result<(), Failure> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| Failure::Crashed)
    }

    /// Starts its search for a move with this strength, time and position.
    pub(super) fn go(
        &mut self,
        strength: Strength,
        time: Duration,
        position: &str,
        is_960: bool,
    ) -> Result<(), Failure> {
        let Level { options, nodes } = level(strength, &self.choices);
        if self.strength != Some(strength) {
            for (name, value) in options {
                self.send(format_args!("setoption name {name} value {value}"))?;
            }
            if self.choices.iter().any(|it| it.name == "UCI_Chess960") {
                self.send(format_args!("setoption name UCI_Chess960 value {is_960}"))?;
            }
            self.strength = Some(strength);
        }
        self.send(position)?;
        let nodes = nodes.map_or_else(String::new, |nodes| format!(" nodes {nodes}"));
        self.send(format_args!("go movetime {}{nodes}", time.as_millis()))
    }
}

/// Forwards what a program writes, until it ends or nobody listens.
fn forward_lines(mut output: impl Read, to: &Sender<EngineOutput>) {
    let mut lines = Lines::default();
    let mut bytes = [0; 8192];
    loop {
        let count = match output.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let Ok(ended) = lines.take(bytes.get(..count).unwrap_or_default()) else {
            let _ = to.send(EngineOutput::Endless);
            return;
        };
        for line in ended {
            if to.send(EngineOutput::Line(codec::read(&line))).is_err() {
                return;
            }
        }
    }
}
