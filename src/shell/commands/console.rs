//! `annexd console`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use shakmaty::Color;

use super::play::in_language_of;
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::local_socket::{Stream, connect};
use crate::shell::consoles::server::{
    Answer, Hello, named, open_games, read_line, socket, write_json,
};
use crate::shell::consoles::terminal::is_leaving;
use crate::shell::error::{
    Error, ErrorKind, Fault, Part, Reason, Remedy, Result, Sentence, sentence, told,
};
use crate::shell::session::assemble::chosen_language;

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
    /// The language of what is read and typed here, such as en; usually that of the game.
    #[arg(long)]
    language: Option<String>,
}

/// Does it. What goes wrong is said in the language of whoever sits here.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let settings = Settings::load(None).ok();
    let usual = settings.as_ref().and_then(chosen_language);
    let code = arguments.language.clone().or(usual);
    attach(&arguments, code.as_deref()).map_err(|error| in_language_of(error, code.as_deref()))
}

fn attach(arguments: &Arguments, code: Option<&str>) -> Result<ExitCode> {
    let language = match (&arguments.language, language::of_player(code)) {
        (None, Some(language)) => language,
        (Some(code), _) => data::language(code)?,
        (None, None) => data::language("de")?,
    };
    let game = game(arguments.game.as_deref())?;
    let person = person(arguments);
    let mut page = Screen { language };
    let mut tries = if arguments.pin.is_none() { TRIES } else { 1 };
    let (stream, mut lines) = loop {
        let pin = match &arguments.pin {
            Some(pin) => pin.clone(),
            None if matches!(person, Person::Player(_)) => String::new(),
            None => page.ask_pin()?,
        };
        let hello = Hello {
            person,
            pin,
            language: arguments.language.clone(),
        };
        let (stream, mut lines) = call(&game, &hello)?;
        let answer = read_line(&mut lines).ok_or_else(|| gone(&game, &sentence!(LineClosed)))?;
        match serde_json::from_str(&answer) {
            Ok(Answer::Welcome { game, language }) => {
                page.language = data::language(&language)?;
                let who = Argument::Phrase(Box::new(named(person)));
                let who = [who, Argument::Text(game)];
                page.show(&Phrase::new(PhraseKey::ConsoleIs, who));
                break (stream, lines);
            }
            Ok(Answer::Refused(fault)) => {
                tries -= 1;
                let is_pin = (fault.part, fault.reason) == (Part::Pin, Reason::Wrong);
                if !is_pin || tries == 0 {
                    return Err(Error::of_fault(ErrorKind::Negative, fault));
                }
                // What the sentence asks for can be done.
                page.show(&fault.into());
            }
            Err(_) => return Err(gone(&game, &sentence!(NoGameLikeAnswer))),
        }
    };
    let has_left = send_typed(stream);
    for line in lines.by_ref().lines() {
        let Ok(line) = line else { break };
        folded_output::print(&line);
    }
    let who = Argument::Phrase(Box::new(named(person)));
    page.show(&match has_left.load(Ordering::Relaxed) {
        true => Phrase::new(PhraseKey::ConsoleGone, [who]),
        false => PhraseKey::GameLeft.into(),
    });
    Ok(ExitCode::SUCCESS)
}

/// How often a PIN that is wrong may be typed.
const TRIES: u32 = 3;

/// Says who is there, and leaves the answer to be read.
fn call(game: &str, hello: &Hello) -> Result<(Stream, BufReader<Stream>)> {
    let as_it_is = |error: std::io::Error| gone(game, &sentence!(AsItIs, text = error));
    let mut stream = connect(&socket(game)?).map_err(as_it_is)?;
    let answers = stream.try_clone().map_err(as_it_is)?;
    write_json(&mut stream, hello).map_err(as_it_is)?;
    Ok((stream, BufReader::new(answers)))
}

fn gone(game: &str, why: &Sentence) -> Error {
    told!(DeviceLost, GameNotReached, game = game, why = why).about(
        Fault::new(Part::Game, Reason::Silent, Remedy::ListGames).with(format!("{game}: {why}")),
    )
}

/// Where lines are appended.
struct Screen {
    language: Language,
}

impl Screen {
    fn show(&self, phrase: &Phrase) {
        folded_output::print(&self.language.text_with_detail(phrase));
    }

    fn ask_pin(&self) -> Result<String> {
        self.show(&PhraseKey::AskPin.into());
        let mut typed = std::io::stdin().lock();
        read_line(&mut typed)
            .filter(|pin| !pin.is_empty())
            .ok_or_else(|| {
                told!(Usage, PinNeeded).about(Fault::new(Part::Pin, Reason::Missing, Remedy::Again))
            })
    }
}

/// Sends what is typed on a thread of its own; the end of the input, and the words that leave a
/// game, detach. Tells whether it was that.
fn send_typed(mut stream: Stream) -> Arc<AtomicBool> {
    let has_left = Arc::new(AtomicBool::new(false));
    let leaves = Arc::clone(&has_left);
    thread::spawn(move || {
        let mut typed = std::io::stdin().lock();
        while let Some(line) = read_line(&mut typed) {
            if is_leaving(&line) {
                break;
            }
            if writeln!(stream, "{line}").is_err() {
                return;
            }
        }
        leaves.store(true, Ordering::Relaxed);
        let _ = stream.shutdown(std::net::Shutdown::Both);
    });
    has_left
}

fn game(named: Option<&str>) -> Result<String> {
    if let Some(name) = named {
        return Ok(name.to_owned());
    }
    let mut games = open_games()?;
    match games.len() {
        1 => Ok(games.remove(0)),
        0 => Err(told!(BadInput, NoGameIsPlayed).about(Fault::new(
            Part::Game,
            Reason::Absent,
            Remedy::BeginGame,
        ))),
        _ => Err(
            told!(Usage, SeveralGamesPlayed, games = games.join(", ")).about(
                Fault::new(Part::Game, Reason::Several, Remedy::SayWhich)
                    .with(format!("--game {}", games.join(", "))),
            ),
        ),
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
