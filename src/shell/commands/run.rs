//! `annexd run`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::game::scenario::Scenario;
use crate::shell::error::{Error, ErrorKind, Result};

/// Plays scenario files through the game and checks what they expect.
///
/// Prints every effect as a line. The exit status is 1 if an expectation is not met and 3 if a
/// file cannot be read; the message names the file and the line. The format is documented in
/// tests/games/README.md.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The scenario files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per effect: its line in the file, its time in milliseconds, and the
    /// effect as it stands in the record.
    #[arg(long)]
    json: bool,
}

/// Does it.
#[expect(clippy::print_stdout, reason = "the effects are the output")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    for file in &arguments.files {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| {
            Error::new(
                ErrorKind::BadInput,
                format!("{name}: cannot be read: {error}."),
            )
        })?;
        let scenario = Scenario::parse(&text)
            .map_err(|fault| Error::new(ErrorKind::BadInput, format!("{name}: {fault}.")))?;
        let (happened, outcome) = scenario.play();
        for happening in &happened {
            if arguments.json {
                println!("{}", serde_json::to_string(happening).unwrap_or_default());
            } else {
                println!("{}", happening.text());
            }
        }
        outcome.map_err(|fault| Error::new(ErrorKind::Negative, format!("{name}: {fault}.")))?;
    }
    Ok(ExitCode::SUCCESS)
}
