//! `annexd console`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::ExitCode;
use std::thread;

use shakmaty::Color;

use crate::persons::Person;
use crate::shell::console::{Answer, Hello, open_games, read_line, socket, write_json};
use crate::shell::error::{Error, ErrorKind, Result};
use crate::shell::local_socket::{Stream, connect};

/// Attaches this terminal to a game that is being played on this machine, for another person:
/// what he may hear or read is printed, and what he types counts as his.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Who sits here.
    #[arg(long, value_parser = ["player", "opponent", "assistant", "arbiter"])]
    role: String,
    /// The side of a player or assistant. Usually an opponent is black and an assistant white's.
    #[arg(long, value_parser = ["white", "black"])]
    side: Option<String>,
    /// The PIN of an assistant or arbiter; asked for if not given. The first that is used is
    /// the right one from then on.
    #[arg(long)]
    pin: Option<String>,
    /// The name of the game, if more than one is being played.
    #[arg(long)]
    game: Option<String>,
}

/// Does it.
#[expect(
    clippy::print_stdout,
    reason = "the lines of the game are what was asked for"
)]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let game = game(arguments.game.as_deref())?;
    let person = person(&arguments);
    let pin = match arguments.pin {
        Some(pin) => pin,
        None if matches!(person, Person::Player(_)) => String::new(),
        None => ask_pin()?,
    };
    let gone = |why: &str| {
        Error::new(
            ErrorKind::DeviceLost,
            format!("The game {game} cannot be reached: {why}. Is it still being played?"),
        )
    };
    let mut stream = connect(&socket(&game)?).map_err(|error| gone(&error.to_string()))?;
    let clone = |stream: &Stream| stream.try_clone().map_err(|error| gone(&error.to_string()));
    write_json(&mut stream, &Hello { person, pin }).map_err(|error| gone(&error.to_string()))?;
    let mut lines = BufReader::new(clone(&stream)?);
    let answer = read_line(&mut lines).ok_or_else(|| gone("it closed the line"))?;
    match serde_json::from_str(&answer) {
        Ok(Answer::Welcome(name)) => println!("annexd: this is the console of {person} in {name}."),
        Ok(Answer::Refused(why)) => return Err(Error::new(ErrorKind::Negative, why)),
        Err(_) => return Err(gone("it does not answer like a game")),
    }
    send_typed(stream);
    for line in lines.lines() {
        let Ok(line) = line else { break };
        println!("{line}");
    }
    println!("annexd: the game was left.");
    Ok(ExitCode::SUCCESS)
}

/// Sends what is typed on a thread of its own; the end of the input, and `quit`, detach.
fn send_typed(mut stream: Stream) {
    thread::spawn(move || {
        let mut typed = std::io::stdin().lock();
        while let Some(line) = read_line(&mut typed) {
            if line == "quit" || writeln!(stream, "{line}").is_err() {
                break;
            }
        }
        let _ = stream.shutdown(std::net::Shutdown::Both);
    });
}

fn game(named: Option<&str>) -> Result<String> {
    if let Some(name) = named {
        return Ok(name.to_owned());
    }
    let mut games = open_games()?;
    match games.len() {
        1 => Ok(games.remove(0)),
        0 => Err(Error::new(
            ErrorKind::BadInput,
            "No game is being played on this machine. Start one with `annexd play`.",
        )),
        _ => Err(Error::new(
            ErrorKind::Usage,
            format!(
                "Several games are being played. Choose one with --game: {}.",
                games.join(", ")
            ),
        )),
    }
}

fn person(arguments: &Arguments) -> Person {
    let side = |usual: Color| match arguments.side.as_deref() {
        Some("white") => Color::White,
        Some("black") => Color::Black,
        _ => usual,
    };
    match arguments.role.as_str() {
        "player" => Person::Player(side(Color::White)),
        "opponent" => Person::Player(side(Color::Black)),
        "assistant" => Person::Assistant(side(Color::White)),
        _ => Person::Arbiter,
    }
}

#[expect(
    clippy::print_stdout,
    reason = "a question needs to be seen and read aloud"
)]
fn ask_pin() -> Result<String> {
    println!("Type the PIN and press Enter. If there is none yet, choose one.");
    let mut typed = std::io::stdin().lock();
    read_line(&mut typed)
        .filter(|pin| !pin.is_empty())
        .ok_or_else(|| Error::new(ErrorKind::Usage, "Without a PIN nobody gets this console."))
}
