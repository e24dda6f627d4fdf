//! The command line.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::iter;
use std::panic::PanicHookInfo;
use std::process::{self, ExitCode};
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use shakmaty::fen::ParseFenError;

use super::commands;
use super::commands::alone::Wanted;
use super::diary;
use super::error::{Error, Result, Sentence, sentence};
use super::help::{self, HelpWords};
use crate::phrases::Language;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::text_outlet::fold;
use crate::shell::table::signals;

/// Plays over-the-board chess by voice under Annex D of the FIDE Laws.
#[derive(Parser)]
#[command(name = "annexd", version, long_version = VERSION.as_str(), about)]
struct Arguments {
    /// Fold what a person reads to this many letters, for Braille displays; usually as the
    /// settings say. What a program reads stays as it is.
    #[arg(
        long,
        global = true,
        value_name = "LETTERS",
        help_heading = "With every command"
    )]
    braille_width: Option<usize>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

/// The text of `--version`.
static VERSION: LazyLock<String> = LazyLock::new(help::version);

#[derive(Subcommand)]
enum Subcommands {
    Play(commands::play::Arguments),
    Practice(commands::practice::Arguments),
    Learn(commands::learn::Arguments),
    Resume(commands::resume::Arguments),
    Games(commands::games::Arguments),
    Show(commands::show::Arguments),
    Listen(commands::listen::Arguments),
    Eval(commands::eval::Arguments),
    Model(commands::model::Arguments),
    Enrol(commands::enrol::Arguments),
    RecordKit(commands::record_kit::Arguments),
    Say(commands::say::Arguments),
    Check(commands::check::Arguments),
    Demo(commands::demo::Arguments),
    Console(commands::console::Arguments),
    Board(commands::board::Arguments),
    Clock(commands::clock::Arguments),
    Score(commands::score::Arguments),
    Reconcile(commands::reconcile::Arguments),
    Run(commands::run::Arguments),
    Law(commands::law::Arguments),
    Manual(commands::manual::Arguments),
    Verify(commands::verify::Arguments),
}

/// The command line. Its manual pages and shell completions are generated from it too.
pub fn command() -> clap::Command {
    help::with_help(Arguments::command())
}

/// Runs the program with the arguments of the process. Returns its exit status.
pub fn main() -> ExitCode {
    hold_out();
    let (matches, arguments) = read();
    note_start("annexd", matches.subcommand_name());
    prepare(arguments.braille_width, language_asked(&matches));
    exit_status(match arguments.command {
        Some(command) => dispatch(command),
        None => alone(),
    })
}

/// Reads the command line. A wrong one ends the program.
fn read() -> (ArgMatches, Arguments) {
    let name = OsString::from("annexd");
    let line = iter::once(name).chain(commands::command_line::command_line());
    let matches = match command().try_get_matches_from(line) {
        Ok(matches) => matches,
        Err(error) => refuse(&error),
    };
    match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => (matches, arguments),
        Err(error) => refuse(&error),
    }
}

/// Asks for a command if none was typed, and runs it as if it had been typed.
fn alone() -> Result<ExitCode> {
    let mut is_first = true;
    loop {
        let wanted = commands::alone::choose(is_first)?;
        if wanted == Wanted::Nothing {
            return Ok(ExitCode::SUCCESS);
        }
        let (matches, arguments) = read();
        note_start("annexd", matches.subcommand_name());
        let done = arguments.command.map_or(Ok(ExitCode::SUCCESS), dispatch);
        if wanted == Wanted::Command {
            return done;
        }
        if let Err(error) = done {
            tell(error);
        }
        is_first = false;
    }
}

/// Starts another program of annexd's, with the text width and language of its command line.
pub fn begin(program: &str, braille_width: Option<usize>, language: Option<String>) {
    hold_out();
    note_start(program, None);
    prepare(braille_width, language);
}

/// Notes in the diary what was started. The rest of the command line may have names in it.
fn note_start(program: &str, command: Option<&str>) {
    tracing::info!(command, "{program} begins: {}", help::build());
}

/// Prepares for failures: every one is reported.
fn hold_out() {
    diary::begin();
    std::panic::set_hook(Box::new(last_words));
    signals::outlive_limits();
}

fn prepare(braille_width: Option<usize>, language: Option<String>) {
    language::ask_for(language);
    let from_settings = || Settings::load(None).map_or(0, |it| it.text.braille_width);
    folded_output::set_width(braille_width.unwrap_or_else(from_settings));
}

/// The exit status of the result. An error is printed in the user's language.
pub fn exit_status(done: Result<ExitCode>) -> ExitCode {
    let status = done.unwrap_or_else(tell);
    diary::end();
    status
}

/// Prints an error in the user's language, and returns its exit status.
#[expect(clippy::print_stderr, reason = "this tells why something was not done")]
fn tell(error: Error) -> ExitCode {
    tracing::error!("ended: {}", error.outline());
    let error = match language::language() {
        Some(language) => error.in_language(language),
        None => error,
    };
    for line in fold(&format!("annexd: {error}"), folded_output::width()) {
        eprintln!("{line}");
    }
    ExitCode::from(&error)
}

/// Says in the user's language what is wrong with the command line. The parser knows only English;
/// its message follows if it says more.
#[expect(clippy::print_stderr, reason = "the last word of a failed program")]
fn refuse(error: &clap::Error) -> ! {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand};

    if matches!(
        error.kind(),
        DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        show_help(error);
    }
    let language = error.use_stderr().then(language_of_whoever_types).flatten();
    let Some(language) = language.filter(|it| it.lexicon().language() != "en") else {
        error.exit();
    };
    let (wrong, is_all) = wrong_with(error);
    let wrong: Vec<String> = wrong.iter().map(|it| language.sentence(it)).collect();
    for line in fold(
        &format!("annexd: {}", wrong.join(" ")),
        folded_output::width(),
    ) {
        eprintln!("{line}");
    }
    if is_all {
        process::exit(error.exit_code());
    }
    error.exit()
}

/// Shows the overview in the user's language. The help of a command is in English, which is said
/// before it.
#[expect(clippy::print_stdout, reason = "the help is what was asked for")]
fn show_help(error: &clap::Error) -> ! {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let language = asked_language(&typed);
    let language = language.map(|it| it.lexicon().language().to_owned());
    let words = language.filter(|code| code != "en");
    let Some(words) = words.and_then(|code| HelpWords::of(&code)) else {
        error.exit();
    };
    if typed.iter().all(|it| it.starts_with('-') || it == "help") {
        print!("{}", words.overview());
        process::exit(error.exit_code());
    }
    println!("{}\n", words.english);
    error.exit()
}

/// The language asked for on an unreadable command line, or elsewhere.
fn asked_language(typed: &[String]) -> Option<Language> {
    let mut rest = typed.iter().skip_while(|word| *word != "--language");
    let joined = typed.iter().find_map(|it| it.strip_prefix("--language="));
    language::ask_for(
        joined
            .or(rest.nth(1).map(String::as_str))
            .map(str::to_owned),
    );
    language::language().cloned()
}

/// The same for reporting a wrong command line: a player has a language in any case.
fn language_of_whoever_types() -> Option<Language> {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let plays = ["play", "practice", "learn", "resume", "console"];
    let plays = typed.first().is_some_and(|it| plays.contains(&it.as_str()));
    let usual = || language::of_player(None).filter(|_| plays);
    asked_language(&typed).or_else(usual)
}

/// What is wrong with the command line, and whether nothing more needs to be said.
fn wrong_with(error: &clap::Error) -> (Vec<Sentence>, bool) {
    let named = |kind| {
        error
            .get(kind)
            .map_or_else(String::new, ToString::to_string)
    };
    let option = named(ContextKind::InvalidArg);
    let value = named(ContextKind::InvalidValue);
    let other = named(ContextKind::PriorArg);
    let wrong = match error.kind() {
        ErrorKind::UnknownArgument => sentence!(NoSuchOption, option = option),
        ErrorKind::InvalidSubcommand => {
            sentence!(NoSuchOption, option = named(ContextKind::InvalidSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() => sentence!(ValueMissing, option = option),
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(values)) if !values.is_empty() => {
                let values = values.join(", ");
                sentence!(BadOptionOf, value = value, option = option, values = values)
            }
            _ => sentence!(BadOption, value = value, option = option),
        },
        ErrorKind::MissingRequiredArgument => sentence!(OptionMissing, option = option),
        ErrorKind::ArgumentConflict if other.is_empty() || other == option => {
            sentence!(OptionTwice, option = option)
        }
        ErrorKind::ArgumentConflict => {
            sentence!(OptionsConflict, option = option, other = other)
        }
        ErrorKind::MissingSubcommand => {
            sentence!(ActionMissing, values = named(ContextKind::ValidSubcommand))
        }
        ErrorKind::ValueValidation => match refused_with(error) {
            Some(why) => sentence!(BadOptionWhy, value = value, option = option, why = why),
            None => {
                let wrong = sentence!(BadOption, value = value, option = option);
                return (vec![wrong, sentence!(InEnglish)], false);
            }
        },
        _ => {
            return (
                vec![sentence!(CommandLineWrong), sentence!(InEnglish)],
                false,
            );
        }
    };
    let mut all = vec![wrong];
    let suggested = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    let meant = suggested.map(named).into_iter().find(|it| !it.is_empty());
    all.extend(meant.map(|meant| sentence!(PerhapsMeant, meant = meant)));
    let usage = named(ContextKind::Usage);
    let usage: Vec<&str> = usage.split_whitespace().skip(1).collect();
    if !usage.is_empty() {
        all.push(sentence!(TypedSo, line = usage.join(" ")));
    }
    (all, true)
}

/// Why a reader of ours refused a value.
fn refused_with(error: &clap::Error) -> Option<Sentence> {
    let why = error.source()?;
    let ours = why.downcast_ref::<Sentence>().cloned();
    ours.or_else(|| {
        Some(sentence!(
            AsItIs,
            text = why.downcast_ref::<ParseFenError>()?
        ))
    })
}

/// The language that the command line asks for, after any command.
fn language_asked(matches: &ArgMatches) -> Option<String> {
    let (_, inner) = matches.subcommand()?;
    let is_asked = inner.ids().any(|id| id.as_str() == LANGUAGE)
        && inner.value_source(LANGUAGE) == Some(ValueSource::CommandLine);
    let asked = || inner.get_raw(LANGUAGE)?.next()?.to_str();
    match is_asked.then(asked).flatten() {
        Some(language) => Some(language.to_owned()),
        None => language_asked(inner),
    }
}

/// The option that all commands share.
const LANGUAGE: &str = "language";

/// Reports a panic, or output that cannot be written.
#[expect(clippy::print_stderr, reason = "the last word of a failed program")]
fn last_words(panic: &PanicHookInfo<'_>) {
    let why = panic.payload_as_str().unwrap_or("unknown");
    if why.starts_with("failed printing to std") {
        let error = folded_output::unwritten(unprinted(why));
        let error = match language::language() {
            Some(language) => error.in_language(language),
            None => error,
        };
        // The standard error may be what cannot be written.
        let _ = writeln!(io::stderr(), "annexd: {error}");
        process::exit(error.kind.exit_status().into());
    }
    let place = panic
        .location()
        .map_or_else(String::new, ToString::to_string);
    let outcome = if is_main_thread() {
        "A game is kept up to here; `annexd resume` continues it."
    } else {
        "The rest of annexd goes on; what this was a part of may be missing."
    };
    tracing::error!("a fault in annexd: {why} ({place})");
    eprintln!("annexd: this is a fault in annexd, please report it: {why} ({place}). {outcome}");
}

/// The system error because of which nothing could be printed. The standard library gives its
/// number at the end.
fn unprinted(why: &str) -> io::Error {
    let number = why.rsplit_once("(os error ").map(|(_, rest)| rest);
    let number = number.and_then(|rest| rest.trim_end_matches(')').parse().ok());
    number.map_or_else(|| io::Error::other(why), io::Error::from_raw_os_error)
}

/// Whether this is the main thread, which plays the game. The others serve devices.
fn is_main_thread() -> bool {
    std::thread::current().name() == Some("main")
}

fn dispatch(command: Subcommands) -> Result<ExitCode> {
    match command {
        Subcommands::Play(arguments) => commands::play::run(arguments),
        Subcommands::Practice(_) => commands::practice::run(),
        Subcommands::Learn(arguments) => commands::learn::run(&arguments),
        Subcommands::Resume(arguments) => commands::resume::run(arguments),
        Subcommands::Games(arguments) => commands::games::run(arguments),
        Subcommands::Show(arguments) => commands::show::run(arguments),
        Subcommands::Listen(arguments) => commands::listen::run(arguments),
        Subcommands::Eval(arguments) => commands::eval::run(arguments),
        Subcommands::Model(arguments) => commands::model::run(arguments),
        Subcommands::Enrol(arguments) => commands::enrol::run(&arguments),
        Subcommands::RecordKit(arguments) => commands::record_kit::run(&arguments),
        Subcommands::Say(arguments) => commands::say::run(arguments),
        Subcommands::Check(arguments) => commands::check::run(arguments),
        Subcommands::Demo(_) => commands::demo::run(),
        Subcommands::Console(arguments) => commands::console::run(arguments),
        Subcommands::Board(arguments) => commands::board::run(arguments),
        Subcommands::Clock(arguments) => commands::clock::run(arguments),
        Subcommands::Score(arguments) => commands::score::run(arguments),
        Subcommands::Reconcile(arguments) => commands::reconcile::run(arguments),
        Subcommands::Run(arguments) => commands::run::run(arguments),
        Subcommands::Law(arguments) => commands::law::run(arguments),
        Subcommands::Manual(arguments) => commands::manual::run(arguments),
        Subcommands::Verify(arguments) => commands::verify::run(arguments),
    }
}
