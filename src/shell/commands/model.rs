//! `annexd model`.

#[cfg(feature = "recognizer")]
mod shelf;

use std::process::ExitCode;

#[cfg(feature = "recognizer")]
use super::other_program::{PRACTICE, start};
use crate::shell::error::Result;
#[cfg(not(feature = "recognizer"))]
use crate::shell::error::error;

/// Lists, checks, chooses and fetches hearing models.
///
/// annexd itself reaches no network: `annexd model fetch` starts the program annexd-practice.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// The language that is heard.
    #[arg(long, default_value = "de", global = true)]
    language: String,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Lists the models that are there, which one is used, and which can be fetched.
    List,
    /// Checks the files and the words of a model; without a name, of the one that is used.
    Check {
        /// A name from the list, or a folder.
        model: Option<String>,
        /// Try the files as they are, though nothing tells whether they are damaged.
        #[arg(long, hide = true)]
        untried: bool,
    },
    /// Uses this model from now on; "bundled" is the one that comes with annexd.
    Use {
        /// A name from the list, or a folder.
        model: String,
    },
    /// Fetches a model from the network, checks it and unpacks it.
    Fetch {
        /// A name from the list.
        model: String,
    },
}

/// Runs the command.
#[cfg(feature = "recognizer")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let language = &arguments.language;
    match arguments.action {
        Action::List => shelf::list(language),
        Action::Check { model, untried } => shelf::check(language, model.as_deref(), untried),
        Action::Use { model } => shelf::choose(language, &model),
        Action::Fetch { model } => start(PRACTICE, ["model", "fetch", &model]),
    }
}

/// Reports why the command is impossible.
#[cfg(not(feature = "recognizer"))]
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(error!(Missing, BuiltWithoutRecogniser))
}
