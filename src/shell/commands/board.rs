//! `annexd board`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::board_watch::{Wanted, watch};
use crate::board::Orientation;
use crate::shell::boards::{Kind, PortSettings, recording, replay};
use crate::shell::config::language;
use crate::shell::error::{Result, error, sentence};

/// Tries, replays and simulates electronic boards.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Replay(Replay),
    Watch(Watch),
    #[cfg(all(feature = "serial", unix))]
    Simulate(super::board_simulate::Simulate),
}

/// Prints what a board at a port says: moves, touches, clock readings, and what is wrong.
///
/// A move typed here in UCI (e2e4) is an announcement, which boards that sense occupancy only
/// need as a second witness. With --json each line is one object, as annexd board replay has
/// them; besides, {"seen":UCI,"ply":N} is a move on which the pieces rest and that may yet be
/// replaced, {"taken_back":N} says how many moves are left, {"departs":[…]} lists squares that
/// are wrong, {"lies":"normal"|"rotated"} how a board lies of which that was undetermined
/// ("rotated":null where it begins), {"turned":…} that it was turned; "found", "lost", "returned", "identity", "battery" and "trouble" speak of the
/// device.
#[derive(clap::Args)]
struct Watch {
    /// The port, such as /dev/ttyACM0, or auto.
    port: String,
    /// The protocol; without it all are tried.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// White sits on the other side of the board. At a start position this is found by itself.
    #[arg(long)]
    rotated: bool,
    /// The position that stands on it, if it is not the start position.
    #[arg(long, value_name = "FEN")]
    position: Option<Fen>,
    /// Also take boards at tcp:127.0.0.1:PORT.
    #[arg(long)]
    network: bool,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// One object per line.
    #[arg(long)]
    json: bool,
}

/// Prints the moves, clock readings and touches in recorded bytes of a board.
///
/// With --json each line is one object, and the field it has tells what it is:
/// {"board":PLACEMENT,"rotated":BOOL} begins a game;
/// {"move":UCI,"ply":N,"side":"white"|"black"} is a move;
/// {"touched":SQUARE,"piece":LETTER|null} a piece lifted and put back;
/// {"clock":{"left":{"seconds","flag","fallen","per_move"},"right":{…},"running","to_move",
/// "battery_low"}} a reading; {"pressed":"left"|"right","side"} the lever;
/// {"result":"1-0"|"0-1"|"1/2-1/2"} a result shown with pieces; {"note":WORDS} anything else,
/// with "ply" and "one_of" a move that was not seen whole and is not told, with "unsure_from_ply"
/// where from a move on the moves and the presses of the clock do not agree;
/// {"end":{"plies","fen"}} the end.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct Replay {
    /// The recording: raw bytes, or one base64 line per read.
    file: PathBuf,
    /// The protocol; without it the one in which most is understood.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
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

/// Runs the command.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    match arguments.command {
        Command::Replay(arguments) => replay_file(arguments),
        Command::Watch(arguments) => watch_port(arguments),
        #[cfg(all(feature = "serial", unix))]
        Command::Simulate(arguments) => super::board_simulate::run(arguments),
    }
}

fn watch_port(arguments: Watch) -> Result<ExitCode> {
    let settings = PortSettings {
        kind: arguments.kind,
        orientation: arguments.rotated.then_some(Orientation::Rotated),
        position: arguments.position.map(position_of).transpose()?,
        allows_network: arguments.network,
        ..PortSettings::new(arguments.port)
    };
    let time = arguments.time.map(Duration::from_secs);
    watch(settings, Wanted::Board, arguments.json, time)?;
    Ok(ExitCode::SUCCESS)
}

fn replay_file(arguments: Replay) -> Result<ExitCode> {
    let name = arguments.file.display();
    let recording = fs::read(&arguments.file)
        .map_err(|error| error!(BadInput, RecordingUnreadable, name = name, why = error))?;
    let recorded = recording::lines_of(&recording)
        .map_err(|why| error!(BadInput, RecordingWrong, name = name, why = why))?;
    let bytes = recorded.bytes;
    let position = arguments.position.map(position_of).transpose()?;
    let kind = arguments.kind.unwrap_or_else(|| recording::kind_of(&bytes));
    if !recording::is_understood(&bytes, kind) {
        let kind = arguments.kind.map_or("auto", Kind::name);
        return Err(error!(BadInput, RecordingNothing, name = name, kind = kind));
    }
    let settings = replay::Settings {
        kind,
        position,
        orientation: arguments.rotated.then_some(Orientation::Rotated),
    };
    let mut out = std::io::stdout().lock();
    let left_out = recorded.left_out.into_iter();
    let left_out = left_out.map(|wrong| replay::Line::Note(sentence!(LineLeftOut, why = wrong)));
    for line in left_out.chain(replay::replay(&bytes, &settings)) {
        let text = if arguments.json {
            line.to_json().to_string()
        } else {
            language::text(&line.to_words())
        };
        if writeln!(out, "{text}").is_err() {
            // The reader of the output has closed it.
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn position_of(fen: Fen) -> Result<Chess> {
    fen.clone()
        .into_position(CastlingMode::Standard)
        .map_err(|error| {
            error!(
                Usage,
                NoPlayablePosition,
                fen = fen.to_string(),
                why = error.to_string()
            )
        })
}
