//! `annexd run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use crate::game::scenario::Scenario;
use crate::phrases::Phrase;
use crate::shell::config::data;
use crate::shell::error::{Error, ErrorKind, Result, error, sentence};
use crate::show;

/// Plays games that are written down, and checks what they expect.
///
/// Prints every effect as a line: its time, where it is said or what it is, its key with its
/// values, and the words in quotation marks. All files are played; the exit status is 1 if an
/// expectation is not met and 3 if a file cannot be read, and each message names file and line.
/// `annexd run --format` prints the description of the format.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The files; - is what comes in.
    #[arg(required_unless_present = "format")]
    files: Vec<PathBuf>,
    /// Print one JSON object per effect: its line in the file, its time in milliseconds, the
    /// effect as it stands in the record, and its words.
    #[arg(long)]
    json: bool,
    /// Print how such a file is written.
    #[arg(long)]
    format: bool,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the effects are the output")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    if arguments.format {
        print!("{}", include_str!("../../../tests/games/README.md"));
        return Ok(ExitCode::SUCCESS);
    }
    let mut faults: Vec<Error> = Vec::new();
    for file in &arguments.files {
        faults.extend(play(file, arguments.json).err());
    }
    match faults.len() {
        0 => Ok(ExitCode::SUCCESS),
        1 => Err(faults.remove(0)),
        _ => {
            let is_bad = |error: &Error| error.kind == ErrorKind::BadInput;
            let kind = if faults.iter().any(is_bad) {
                ErrorKind::BadInput
            } else {
                ErrorKind::Negative
            };
            let mut faults = faults.iter().map(Error::sentence);
            let first = faults.next().unwrap_or(sentence!(AsItIs));
            let all = faults.fold(first, |before, fault| {
                sentence!(TwoLines, before = before, after = fault)
            });
            Err(Error::of(kind, all))
        }
    }
}

/// Plays one file.
#[expect(clippy::print_stdout, reason = "the effects are the output")]
fn play(file: &Path, as_json: bool) -> Result<()> {
    let name = file.display();
    let text = match file.as_os_str() == "-" {
        true => io::read_to_string(io::stdin()),
        false => fs::read_to_string(file),
    };
    let text = text.map_err(|error| error!(BadInput, SoundUnreadable, name = name, why = error))?;
    let scenario = Scenario::parse(&text)
        .map_err(|fault| error!(BadInput, About, name = name, why = fault))?;
    // Without the grammar files the keys are enough. Files of another version than the program's
    // would lack words without notice.
    let language = match data::language(&scenario.table_language()) {
        Err(error) if error.kind == ErrorKind::BadInput => return Err(error),
        other => other.ok(),
    };
    let render = |phrase: &Phrase| Some(language.as_ref()?.text(phrase));
    let (happened, outcome) = scenario.play_aloud(&render);
    for happening in &happened {
        if as_json {
            println!("{}", serde_json::to_string(happening).unwrap_or_default());
        } else {
            show!("{}", happening.text());
        }
    }
    outcome.map_err(|fault| error!(Negative, About, name = name, why = fault))
}
