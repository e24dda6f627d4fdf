//! `annexd console`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
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
use crate::shell::config::language::chosen_language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::echo;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::lines::read_line;
use crate::shell::consoles::local_socket::{Stream, connect};
use crate::shell::consoles::named::named;
use crate::shell::consoles::server::{Answer, Hello, open_games, socket, write_json};
use crate::shell::consoles::terminal::{is_leaving, new_pin, typed_pin};
use crate::shell::error::{
    Error, ErrorKind, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence,
};
use crate::shell::seats::{Pin, Rules};
use crate::shell::table::signals;

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
    /// A file whose first line is the PIN of the seat, or the new one if it has none yet. If not
    /// given it is asked for where the seat needs one, and not shown; a new one twice.
    #[arg(long, value_name = "FILE")]
    pin_file: Option<PathBuf>,
    /// Make a PIN for a player's seat that needs none: nobody else sits there then.
    #[arg(long, conflicts_with = "pin_file")]
    choose_pin: bool,
    /// Gone: everybody on the machine can read a command line.
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    pin: Option<String>,
    /// The name of the game, if more than one is being played.
    #[arg(long)]
    game: Option<String>,
    /// The language of what is read and typed here, such as en; usually that of the game.
    #[arg(long)]
    language: Option<String>,
}

/// Runs the command. Errors are reported in the language of the person who sits here.
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
    if arguments.pin.is_some() {
        return Err(error!(Usage, PinOnCommandLine, option = "--pin-file"));
    }
    let game = game(arguments.game.as_deref())?;
    let person = person(arguments);
    let mut page = Screen { language };
    signals::show_at_end();
    let (stream, mut lines) = page.attach(&game, person, arguments)?;
    let has_left = send_typed(stream);
    let mut closed = None;
    for line in lines.by_ref().lines() {
        let Ok(line) = line else { break };
        match closed_by(&line) {
            Some(why) => closed = Some(why),
            None => folded_output::print(&line),
        }
    }
    let who = Argument::Phrase(Box::new(named(person)));
    page.show(&match has_left.load(Ordering::Relaxed) {
        true => Phrase::new(PhraseKey::ConsoleGone, [who]),
        false => closed.unwrap_or_else(|| {
            let again = Argument::Text(command(arguments, &game));
            Phrase::new(PhraseKey::ConsoleCutOff, [again])
        }),
    });
    Ok(ExitCode::SUCCESS)
}

/// Why a line is the last one, if it is.
fn closed_by(line: &str) -> Option<Phrase> {
    // No line for people begins like this.
    line.starts_with('{').then_some(())?;
    match serde_json::from_str(line) {
        Ok(Answer::Closed(why)) => Some(why),
        _ => None,
    }
}

/// How often a console that was sent away in a crowd tries again by itself.
const COMES_AGAIN: u32 = 5;

/// Says who is here. Returns the line from which the answer is read.
fn call(game: &str, hello: &Hello) -> Result<(Stream, BufReader<Stream>)> {
    let as_it_is = |error: std::io::Error| gone(game, &sentence!(AsItIs, text = error));
    let mut stream = connect(&socket(game)?).map_err(as_it_is)?;
    let answers = stream.try_clone().map_err(as_it_is)?;
    write_json(&mut stream, hello).map_err(as_it_is)?;
    Ok((stream, BufReader::new(answers)))
}

fn gone(game: &str, why: &Sentence) -> Error {
    error!(DeviceLost, GameNotReached, game = game, why = why).about(
        Fault::new(Part::Game, Reason::Silent, Remedy::ListGames).with(format!("{game}: {why}")),
    )
}

/// The screen to which lines are appended.
struct Screen {
    language: Language,
}

impl Screen {
    fn show(&self, phrase: &Phrase) {
        folded_output::print(&self.language.text_with_detail(phrase));
    }

    /// Takes the seat, with a PIN if it needs one. After a wrong PIN, or one that cannot be checked
    /// now, it asks again without limit: if the program ended, the next PIN would be typed where
    /// everybody sees it.
    fn attach(
        &mut self,
        game: &str,
        person: Person,
        arguments: &Arguments,
    ) -> Result<(Stream, BufReader<Stream>)> {
        let hidden = echo::hide();
        let attached = self.attach_hidden(game, person, arguments);
        if attached.is_err() {
            hidden.forget();
        }
        attached
    }

    fn attach_hidden(
        &mut self,
        game: &str,
        person: Person,
        arguments: &Arguments,
    ) -> Result<(Stream, BufReader<Stream>)> {
        let mut crowded = 0;
        let mut pin = match &arguments.pin_file {
            Some(file) => Pin::in_file(file)?,
            None if arguments.choose_pin => self.choose_pin(person)?,
            None => Pin::default(),
        };
        loop {
            let hello = Hello {
                person,
                pin,
                language: arguments.language.clone(),
            };
            let (stream, mut lines) = call(game, &hello)?;
            let fault = match self.answer(game, &mut lines)? {
                Answer::Welcome { game, language } => {
                    self.language = data::language(&language)?;
                    let who = Argument::Phrase(Box::new(named(person)));
                    let who = [who, Argument::Text(game)];
                    self.show(&Phrase::new(PhraseKey::ConsoleIs, who));
                    return Ok((stream, lines));
                }
                Answer::Refused(fault) => fault,
                Answer::Closed(_) | Answer::Waits => {
                    return Err(gone(game, &sentence!(NoGameLikeAnswer)));
                }
            };
            if fault.reason == Reason::Silent && crowded < COMES_AGAIN {
                crowded += 1;
                pin = hello.pin;
                continue;
            }
            let is_typed = arguments.pin_file.is_none();
            if fault.part != Part::Pin || !is_typed {
                return Err(Error::of_fault(ErrorKind::Negative, fault));
            }
            // The person can do what the sentence asks for.
            if !hello.pin.is_empty() {
                self.show(&fault.clone().into());
            }
            pin = match fault.remedy {
                Remedy::ChoosePin => self.choose_pin(person)?,
                _ => self.ask_pin()?,
            };
        }
    }

    /// The final answer.
    fn answer(&self, game: &str, lines: &mut BufReader<Stream>) -> Result<Answer> {
        loop {
            let line = read_line(lines).ok_or_else(|| gone(game, &sentence!(LineClosed)))?;
            match serde_json::from_str(&line) {
                Ok(Answer::Waits) => self.show(&PhraseKey::PinWaits.into()),
                Ok(answer) => return Ok(answer),
                Err(_) => return Err(gone(game, &sentence!(NoGameLikeAnswer))),
            }
        }
    }

    fn ask_pin(&self) -> Result<Pin> {
        let show = |key: PhraseKey| self.show(&key.into());
        typed_pin(show, next_typed).ok_or_else(pin_missing)
    }

    fn choose_pin(&self, person: Person) -> Result<Pin> {
        let rules = Rules::load()?;
        let show = |phrase: Phrase| self.show(&phrase);
        new_pin(person, show, next_typed, |pin| rules.check(pin)).ok_or_else(pin_missing)
    }
}

/// The next typed line.
pub(super) fn next_typed() -> Option<String> {
    read_line(&mut std::io::stdin().lock())
}

/// The error that a person who was asked for a PIN gave none.
pub(super) fn pin_missing() -> Error {
    error!(Usage, PinNeeded).about(Fault::new(Part::Pin, Reason::Missing, Remedy::Again))
}

/// Sends what is typed in its own thread. The end of the input and the words that leave a game
/// detach. Returns a flag that tells whether they did.
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
        0 => Err(error!(BadInput, NoGameIsPlayed).about(Fault::new(
            Part::Game,
            Reason::Absent,
            Remedy::BeginGame,
        ))),
        _ => Err(
            error!(Usage, SeveralGamesPlayed, games = games.join(", ")).about(
                Fault::new(Part::Game, Reason::Several, Remedy::SayWhich)
                    .with(format!("--game {}", games.join(", "))),
            ),
        ),
    }
}

/// The command to type for coming back.
fn command(arguments: &Arguments, game: &str) -> String {
    let mut command = format!("annexd console --role {}", arguments.role);
    if let Some(side) = &arguments.side {
        command.push_str(&format!(" --side {side}"));
    }
    command + " --game " + game
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
