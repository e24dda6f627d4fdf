//! annexd-practice does what the program for rated games must not do: it talks to chess programs
//! and uses the network.
//!
//! `annexd` itself links no protocol of chess programs and no network client. It starts this
//! program, if it is installed, with its own command line.

#[expect(
    clippy::disallowed_methods,
    reason = "a chess program is a device: it has a thread and a clock of its own"
)]
mod engine;
#[cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "its tests serve files from a thread of their own"
    )
)]
mod fetch;
#[expect(
    clippy::disallowed_methods,
    reason = "a server is a device: it has threads and a clock of its own"
)]
mod lichess;
mod lines;
mod network;
mod unpack;

use std::process::ExitCode;

use annexd::shell::cli;
use annexd::shell::practice::elsewhere::Against;
use annexd::shell::practice::{self, Arguments as Practice, Resumption};
use clap::{Parser, Subcommand};

/// What annexd does outside rated games: it speaks to chess programs and reaches the network.
#[derive(Parser)]
#[command(name = "annexd-practice", version, about)]
struct Arguments {
    /// Fold what a person reads to this many letters, for Braille displays; usually as the
    /// settings say.
    #[arg(long, global = true, value_name = "LETTERS")]
    braille_width: Option<usize>,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Practice(Box<Practice>),
    Resume(Box<Resumption>),
    /// Fetches hearing models.
    Model {
        #[command(subcommand)]
        action: ModelAction,
    },
}

#[derive(Subcommand)]
enum ModelAction {
    /// Fetches a model, checks it and unpacks it.
    Fetch {
        /// A name from `annexd model list`.
        model: String,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let language = match &arguments.action {
        Action::Practice(practice) => practice.language().map(str::to_owned),
        Action::Resume(_) | Action::Model { .. } => None,
    };
    cli::begin("annexd-practice", arguments.braille_width, language);
    cli::exit_status(match arguments.action {
        Action::Practice(practice) => match practice.against() {
            Some(Against::Lichess(arguments)) => lichess::play(arguments),
            None => engine::play(&practice),
        },
        Action::Resume(resumption) => practice::resume(&resumption, engine::bring, lichess::find),
        Action::Model {
            action: ModelAction::Fetch { model },
        } => fetch::run(&model),
    })
}
