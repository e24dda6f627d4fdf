//! A chess program of the user as an opponent at the table.
//!
//! The necessary lines of UCI are read here without a crate. `shakmaty-uci` has one error for an
//! unreadable move and for other lines, which must be distinguished here. It also does not handle
//! processes, which are most of the work.

mod codec;
mod levels;
mod process;
mod seat;
mod worker;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use annexd::error;
use annexd::shell::error::{Error, Result};
use annexd::shell::practice::{self, Opponent, Wanted};

use process::{Engine, Failure};
use seat::EngineGuest;

/// Where to look for Stockfish when no chess program is named: on the search path, and in Debian's
/// folder for games, which may not be on the path.
const USUAL: [&str; 2] = ["stockfish", "/usr/games/stockfish"];

/// Plays a game against a chess program.
pub(crate) fn play(arguments: &practice::Arguments) -> Result<ExitCode> {
    practice::play(arguments, bring)
}

/// Starts the chess program, so that its faults are known before the game.
pub(crate) fn bring(wanted: &Wanted) -> Result<Opponent> {
    let patience = Duration::from_secs(wanted.patience);
    let named = wanted.engine.as_deref().map(whole_path);
    let usual = USUAL.map(str::to_owned).to_vec();
    let candidates = named.clone().map_or(usual, |name| vec![name]);
    let mut failure = Failure::Absent;
    let mut command = String::new();
    for candidate in candidates {
        command = candidate;
        match Engine::start(&command, patience) {
            Ok(engine) => {
                return Ok(Opponent {
                    name: engine.name(&command),
                    guest: Arc::new(EngineGuest::new(&command, wanted, engine)),
                    command,
                });
            }
            Err(why) => failure = why,
        }
        if !matches!(failure, Failure::Absent) {
            break;
        }
    }
    Err(error(&failure, named.is_some(), &command, wanted.patience))
}

/// Returns the full path of a file, because the game may continue in another folder.
fn whole_path(name: &str) -> String {
    let path = Path::new(name);
    let whole = std::path::absolute(path).ok().filter(|it| it.is_file());
    whole.map_or_else(|| name.to_owned(), |path| path.display().to_string())
}

fn error(failure: &Failure, is_named: bool, path: &str, seconds: u64) -> Error {
    match failure {
        Failure::Absent if !is_named => error!(Missing, NoChessProgram),
        Failure::Absent => error!(Missing, ChessProgramNotThere, path = path),
        Failure::NotStarted(why) => error!(Missing, ChessProgramNotStarted, path = path, why = why),
        Failure::Crashed => error!(Missing, ChessProgramCrashed, path = path),
        Failure::Silent => error!(Missing, ChessProgramSilent, path = path, seconds = seconds),
        Failure::NotUci | Failure::Illegal(_) => {
            error!(Missing, ChessProgramBabbles, path = path)
        }
    }
}
