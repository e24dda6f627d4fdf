//! The demonstration: a whole game by voice with no hardware.

mod audience;
mod game_file;
mod plan;
mod room;
mod script;
mod stage;
mod tally;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use shakmaty::Color;

use self::audience::Audience;
use self::game_file::GameFile;
use self::room::Dice;
use self::script::Script;
use self::stage::Stage;
use self::tally::Tally;
use super::console::Pins;
use super::data;
use super::error::{Error, ErrorKind, Result};
use super::hearing::model::HearingModel;
use super::recorder::Recorder;
use super::seating::console_words;
use super::table::{Seat, Table};
use super::text_outlet::{TextOutlet, ending_text};
use super::typing::Typist;
use crate::game::{DeviceApproval, Duty, Game, Mode, Profile};
use crate::persons::{Channel, Person};
use crate::score;

/// The game that is played if no other is named.
const GAME: &str = "assets/games/opera.pgn";

/// The language of the demonstration.
const LANGUAGE: &str = "de";

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The PGN file of the game.
    pub game: Option<PathBuf>,
    /// The voice of espeak-ng that speaks for the player.
    pub voice: String,
    /// From which the order of the mishaps, the thinking times and the noise follow.
    pub seed: u64,
    /// Whether it is played in real time.
    pub is_aloud: bool,
}

/// Plays the demonstration and prints its transcript and summary.
///
/// # Errors
///
/// What is missing, or [`ErrorKind::Negative`] if something did not happen as it should.
pub fn play(choices: &Choices) -> Result<ExitCode> {
    let path = match &choices.game {
        Some(path) => path.clone(),
        None => data::folder()?.join(Path::new(GAME)),
    };
    let file = GameFile::read(&path)?;
    let lexicon = Arc::new(data::lexicon(LANGUAGE)?);
    let model = Arc::new(HearingModel::bundled(&lexicon)?);
    let mut table = Table::new(
        Game::new(profile(&file)?),
        Recorder::keeping_nothing(),
        Box::new(Typist::new(
            (*lexicon).clone(),
            console_words(LANGUAGE)?,
            Pins::default(),
        )),
    );
    table.add(Box::new(transcript()?));
    let audience = if choices.is_aloud {
        #[cfg(feature = "audio")]
        super::sound::quiet_alsa();
        Some(Audience::open(LANGUAGE, data::language(LANGUAGE)?)?)
    } else {
        None
    };
    let stage = Stage::new(table, model, Arc::clone(&lexicon), choices.seed, audience)?;
    let dice = Dice::new(choices.seed);
    let script = Script::new(stage, &lexicon, choices.voice.clone(), dice);
    let (stage, tally) = script.play(&file)?;
    print_summary(&stage, &tally);
    let failures = tally.failures();
    if tally.wrong > 0 || !failures.is_empty() {
        return Err(Error::new(
            ErrorKind::Negative,
            format!(
                "The demonstration failed: {} silently wrong; not as it should be: {}.",
                tally.wrong,
                failures.join("; ")
            ),
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// A rated game with an arbiter, an assistant and two boards without sensors.
fn profile(file: &GameFile) -> Result<Profile> {
    let time_control = "15m+10s".parse().map_err(|error| {
        Error::new(
            ErrorKind::Usage,
            format!("The time control is wrong: {error}."),
        )
    })?;
    let mut profile = Profile {
        mode: Mode::Rated,
        arbiter: true,
        two_boards: true,
        time_control: Some(time_control),
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
    white.duties = Duty::ALL.into_iter().collect();
    let black = &mut profile.sides[Color::Black];
    black.name.clone_from(&file.black);
    black.visually_disabled = false;
    Ok(profile)
}

/// Plain lines: the time, the channel, the words.
fn transcript() -> Result<TextOutlet> {
    let outlet = TextOutlet::new(
        Box::new(std::io::stdout()),
        Seat::Of(Person::Arbiter),
        vec![
            Channel::Table,
            Channel::Ear(Color::White),
            Channel::Ear(Color::Black),
            Channel::Assistant(Color::White),
            Channel::Assistant(Color::Black),
            Channel::Arbiter,
        ],
        data::language(LANGUAGE)?,
        console_words(LANGUAGE)?.labels,
        0,
    );
    Ok(outlet.with_time().with_clock())
}

fn score_text(game: &Game) -> String {
    let mut score = game.score(Color::White).clone();
    let sides = &game.profile().sides;
    for (name, value) in [("White", &sides.white.name), ("Black", &sides.black.name)] {
        if !value.is_empty() {
            // Nobody has signed this score, so it still takes tags.
            let _ = score.set_tag(name, value.as_str());
        }
    }
    score::to_pgn(&score)
}

#[expect(clippy::print_stdout, reason = "the summary is what was asked for")]
fn print_summary(stage: &Stage, tally: &Tally) {
    let game = stage.game();
    if let Some(ending) = game.ending() {
        println!("\nResult: {}", ending_text(ending));
    }
    println!("\n{}", score_text(game));
    println!(
        "Announcements and repetitions by voice: {}",
        tally.announced
    );
    println!("Heard right at once: {}", tally.right);
    println!("Asked again or said again: {}", tally.again);
    println!("Commands by voice: {}", tally.commands);
    println!("Ignored, as they must be: {}", tally.ignored);
    println!("Silently wrong: {}", tally.wrong);
    println!(
        "From the end of speech to the read-back: median {} ms, 95th percentile {} ms",
        tally.latency(50).as_millis(),
        tally.latency(95).as_millis()
    );
}
