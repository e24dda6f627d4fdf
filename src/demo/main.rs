//! annexd-demo plays a whole game by voice without hardware.
//!
//! It has the real table, boards and hearing of `annexd`, which starts it as `annexd demo`. The
//! program that plays rated games has none of this in it.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

mod audience;
mod boards;
mod ending;
#[expect(clippy::disallowed_methods, reason = "it reads the game from a file")]
mod game_file;
mod plan;
mod player;
mod room;
mod script;
#[expect(
    clippy::disallowed_methods,
    reason = "it measures how long hearing takes"
)]
mod stage;
mod summary;
mod tally;
mod transcript;
mod wire;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use shakmaty::Color;

use self::audience::Audience;
use self::game_file::GameFile;
use self::room::Dice;
use self::script::Script;
use self::stage::Stage;
use annexd::clock::ParseTimeControlError;
use annexd::game::{DeviceApproval, Duty, Game, Mode, Profile, Sensors};
use annexd::phrases::SentenceKey;
use annexd::shell::cli;
use annexd::shell::config::data;
use annexd::shell::config::language;
use annexd::shell::consoles::languages::ConsoleLanguages;
use annexd::shell::consoles::words::console_words;
use annexd::shell::demo::Arguments as Choices;
use annexd::shell::error::{Error, ErrorKind, Result, Sentence, error, sentence};
use annexd::shell::hearing::model::HearingModel;
use annexd::shell::record::recorder::Recorder;
use annexd::shell::table::Table;
use annexd::shell::typed::controls::Changes;
use annexd::shell::typed::line::{Keys, Typist, Vocabulary};

/// The default game.
const GAME: &str = "assets/games/opera.pgn";

/// The language of the demonstration.
const LANGUAGE: &str = "de";

/// What annexd shows of itself.
#[derive(Parser)]
#[command(name = "annexd-demo", version, about)]
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
    Demo(Choices),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    cli::begin("annexd-demo", arguments.braille_width, None);
    let Action::Demo(choices) = arguments.action;
    cli::exit_status(play(&choices))
}

/// Plays the demonstration and prints its transcript and summary. What did not happen as it should
/// is an error.
fn play(choices: &Choices) -> Result<ExitCode> {
    let path = match &choices.game {
        Some(path) => path.clone(),
        None => data::folder()?.join(Path::new(GAME)),
    };
    let file = GameFile::read(&path)?;
    let lexicon = Arc::new(data::lexicon(LANGUAGE)?);
    let model = Arc::new(HearingModel::bundled(&lexicon)?);
    // A missing voice is detected before anybody waits for it.
    room::speak(&choices.voice, player::WORDS_A_MINUTE, player::TIME)?;
    let audience = if choices.aloud {
        annexd::shell::speech::sound::quiet_alsa();
        Some(Audience::open(LANGUAGE, data::language(LANGUAGE)?)?)
    } else {
        None
    };
    introduce(&file, choices)?;
    let stage = Stage::new(
        table(&file)?,
        model,
        Arc::clone(&lexicon),
        &file.first_position(),
        choices.seed,
        audience,
    )?;
    let dice = Dice::new(choices.seed);
    let mut script = Script::new(
        stage,
        data::language(LANGUAGE)?,
        choices.voice.clone(),
        dice,
    );
    let played = script.play(&file);
    summary::print(script.stage.game(), &file.circumstances, &script.tally);
    played?;
    match summary::failure(&script.tally) {
        Some(why) => Err(Error::of(ErrorKind::Negative, why)),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// A real table, without a record.
fn table(file: &GameFile) -> Result<Table> {
    let usual = Vocabulary::new(data::language(LANGUAGE)?, console_words(LANGUAGE)?);
    let keys = Keys::load(&Changes::new())?;
    let typist = Typist::new(usual, keys, ConsoleLanguages::default());
    let mut table = Table::new(
        Game::new(profile(file)?),
        Recorder::keeping_nothing(),
        Box::new(typist),
    );
    let labels = console_words(LANGUAGE)?.labels;
    table.add(Box::new(transcript::outlet(
        data::language(LANGUAGE)?,
        labels,
    )));
    Ok(table)
}

/// Prints what is about to be heard and read.
fn introduce(file: &GameFile, choices: &Choices) -> Result<()> {
    language::show(&sentence!(
        DemoPlayers,
        white = name_of(&file.white, SentenceKey::VerdictWhite),
        black = name_of(&file.black, SentenceKey::VerdictBlack),
        voice = choices.voice,
        seed = choices.seed
    ));
    let ear = console_words(LANGUAGE)?.labels.ear_white;
    let label = transcript::of_annexd(&ear);
    language::show(&sentence!(DemoEachLine, label = label));
    Ok(())
}

fn name_of(name: &str, side: SentenceKey) -> Sentence {
    if name.is_empty() || name == "?" {
        side.into()
    } else {
        sentence!(AsItIs, text = name)
    }
}

/// A rated game with an arbiter and an assistant. The blind player has a peg board that senses
/// which holes are filled. The sighted player has a board that recognises pieces, and the program
/// announces its moves.
fn profile(file: &GameFile) -> Result<Profile> {
    let time_control = "90m+30s".parse().map_err(|error| {
        let error: ParseTimeControlError = error;
        error!(
            Usage,
            TimeControlWrong,
            part = error.part,
            why = error.wrong
        )
    })?;
    let mut profile = Profile {
        mode: Mode::Rated,
        arbiter: true,
        two_boards: true,
        time_control: Some(time_control),
        start: file.start.clone(),
        device: Some(DeviceApproval {
            by: "the arbiter".to_owned(),
            scope: "annexd, offline, as shown here".to_owned(),
        }),
        ..Profile::default()
    };
    let white = &mut profile.sides[Color::White];
    white.name.clone_from(&file.white);
    white.visually_disabled = true;
    white.ear = true;
    white.board = Sensors::Occupancy;
    white.duties = Duty::ALL.into_iter().collect();
    let black = &mut profile.sides[Color::Black];
    black.name.clone_from(&file.black);
    black.visually_disabled = false;
    black.board = Sensors::Pieces;
    black.announced_by_program = true;
    Ok(profile)
}
