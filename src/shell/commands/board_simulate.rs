//! `annexd board simulate`.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::board::Orientation;
use crate::shell::boards::simulate::{Behaviour, SimulatedPort, SimulationSettings, read_games};
use crate::shell::boards::{Kind, Senses};
use crate::shell::error::{Error, ErrorKind, Result, Sentence, error, sentence};

/// Plays a game on a board that is not there, behind a port that any program can open.
///
/// Prints the port, waits until a program opens it and talks to the board, plays the game and
/// ends. The DGT board has a clock with three minutes and two seconds a move, White at the left.
/// The kind occupancy is what a TabuTronic Tactum or Sentio says.
#[derive(clap::Args)]
pub(crate) struct Simulate {
    /// The protocol.
    #[arg(long, value_enum)]
    kind: Kind,
    /// The game: the first of a PGN file.
    #[arg(long, value_name = "FILE")]
    game: PathBuf,
    /// What people and line do; may be given several times, or several with commas.
    #[arg(long, value_enum, value_delimiter = ',')]
    behaviour: Vec<Behaviour>,
    /// What chance is made of.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Milliseconds for each move.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(50..))]
    pace: u64,
    /// The board lies so that White sits on its other side.
    #[arg(long)]
    rotated: bool,
    /// Its sensors tell occupied from empty only (for cpp; occupancy never tells more).
    #[arg(long)]
    occupancy: bool,
}

/// Runs the command.
#[expect(
    clippy::print_stdout,
    reason = "the port is what the program is asked for"
)]
pub(crate) fn run(arguments: Simulate) -> Result<ExitCode> {
    let name = arguments.game.display();
    let bad = |problem: Sentence| error!(BadInput, GameNotPlayed, name = name, why = problem);
    let file = File::open(&arguments.game)
        .map_err(|error| error!(BadInput, GameNotPlayed, name = name, why = error))?;
    let games = read_games(file, 1).map_err(bad)?;
    let Some((start, moves)) = games.into_iter().next() else {
        return Err(bad(sentence!(NoGameInIt)));
    };
    let mut settings = SimulationSettings::new(arguments.kind);
    settings.behaviours = arguments.behaviour;
    settings.seed = arguments.seed;
    settings.pace = Duration::from_millis(arguments.pace);
    if arguments.occupancy && arguments.kind == Kind::Cpp {
        settings.senses = Senses::Occupancy;
    }
    if arguments.rotated {
        settings.orientation = Orientation::Rotated;
    }
    let port =
        SimulatedPort::open(settings, start).map_err(|why| Error::of(ErrorKind::Missing, why))?;
    clear_away_when_ended(port.path().to_owned());
    println!("{}", port.path().display());
    for played in moves {
        port.make(played);
    }
    port.finish();
    Ok(ExitCode::SUCCESS)
}

/// Removes the link to the port when the system ends the program, because nothing answers there
/// then.
fn clear_away_when_ended(link: PathBuf) {
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
        return;
    };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _ = std::fs::remove_file(&link);
            let _ = emulate_default_handler(signal);
        }
    });
}
