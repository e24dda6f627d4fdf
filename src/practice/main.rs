//! annexd-practice: what the program that plays rated games must not do. It reaches the network.
//!
//! `annexd` itself links no network client. It starts this program, if it is installed, for
//! `annexd model fetch`.

#[cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "its tests serve files from a thread of their own"
    )
)]
mod fetch;
mod network;
mod unpack;

use std::process::ExitCode;

use annexd::shell::cli;
use clap::{Parser, Subcommand};

/// What annexd does outside rated games: it reaches the network.
#[derive(Parser)]
#[command(name = "annexd-practice", version, about)]
struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
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
    let Action::Model { action } = arguments.action;
    let ModelAction::Fetch { model } = action;
    cli::exit_status(fetch::run(&model))
}
