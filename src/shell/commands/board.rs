//! `annexd board`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::board::Orientation;
use crate::shell::boards::{Kind, replay};
use crate::shell::error::{Error, ErrorKind, Result};

/// Tries, replays and simulates electronic boards.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Replay(Replay),
}

/// Prints the moves, clock readings and touches in recorded bytes of a board.
///
/// With --json each line is one object; its first field tells what it is:
/// {"board":PLACEMENT,"rotated":BOOL} begins a game;
/// {"move":UCI,"ply":N,"side":"white"|"black"} is a move;
/// {"touched":SQUARE,"piece":LETTER|null} a piece lifted and put back;
/// {"clock":{"left":{"seconds","flag","fallen","per_move"},"right":{…},"running","to_move",
/// "battery_low"}} a reading; {"pressed":"left"|"right","side"} the lever;
/// {"result":"1-0"|"0-1"|"1/2-1/2"} a result shown with pieces; {"note":WORDS} anything else;
/// {"end":{"plies","fen"}} the end.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct Replay {
    /// The recording: raw bytes, or one base64 line per read.
    file: PathBuf,
    /// The protocol.
    #[arg(long, value_enum, default_value = "dgt")]
    kind: Kind,
    /// The position it begins with, if it is not the start position.
    #[arg(long, value_name = "FEN")]
    position: Option<Fen>,
    /// White sat on the other side of the board. At a start position this is found by itself.
    #[arg(long)]
    rotated: bool,
    /// One object per line.
    #[arg(long)]
    json: bool,
}

/// Does it.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    match arguments.command {
        Command::Replay(arguments) => replay_file(arguments),
    }
}

fn replay_file(arguments: Replay) -> Result<ExitCode> {
    let name = arguments.file.display();
    let recording = fs::read(&arguments.file).map_err(|error| {
        let message = format!("Cannot read {name}: {error}.");
        Error::new(ErrorKind::BadInput, message)
    })?;
    let bytes = replay::bytes_of(&recording)
        .map_err(|error| Error::new(ErrorKind::BadInput, format!("{name}, {error}.")))?;
    let position = arguments.position.map(position_of).transpose()?;
    let settings = replay::Settings {
        kind: arguments.kind,
        position,
        orientation: arguments.rotated.then_some(Orientation::Rotated),
    };
    let mut out = std::io::stdout().lock();
    for line in replay::replay(&bytes, &settings) {
        let text = if arguments.json {
            line.to_json().to_string()
        } else {
            line.to_words()
        };
        if writeln!(out, "{text}").is_err() {
            // Whoever read it has seen enough.
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn position_of(fen: Fen) -> Result<Chess> {
    fen.clone()
        .into_position(CastlingMode::Standard)
        .map_err(|error| {
            let message = format!("{fen} is no position to play on from: {error}.");
            Error::new(ErrorKind::Usage, message)
        })
}
