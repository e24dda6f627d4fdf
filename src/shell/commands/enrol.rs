//! `annexd enrol`: tunes hearing to one person, who reads aloud for five minutes.

#[cfg(all(feature = "audio", feature = "recognizer"))]
mod reading;
#[cfg(feature = "recognizer")]
mod review;
#[cfg(feature = "recognizer")]
mod reviewed;
#[cfg(feature = "recognizer")]
mod tuning;
#[cfg(feature = "recognizer")]
mod unsure;

use std::path::PathBuf;
use std::process::ExitCode;

#[cfg(feature = "recognizer")]
use crate::shell::config::language;
use crate::shell::error::Result;
#[cfg(not(feature = "recognizer"))]
use crate::shell::error::error;
#[cfg(feature = "recognizer")]
use crate::shell::error::{error, sentence};
#[cfg(feature = "recognizer")]
use crate::shell::hearing::enrolled::{Enrolment, Place, base_sum, command, take};

/// Tunes hearing to you: annexd says moves and commands, and you say each after it.
///
/// It takes five minutes, and may be broken off and gone on with. Then annexd learns for a minute
/// or two, tells what that changed, and from then on hears you so in every game in which you play
/// under that name, or as the one who is visually disabled. What you read, and what was learnt,
/// stay on this computer. The file that --show names may be carried to another one, where --take
/// takes it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Your name, as you give it in games. Without it the enrolment is for whoever is visually
    /// disabled and has none of his own.
    #[arg(long, value_name = "NAME", default_value = "")]
    name: String,
    /// The language that you speak: de, en, da or sv; usually that of your settings or your system.
    #[arg(long)]
    language: Option<String>,
    /// The microphone, by a part of its name.
    #[arg(long, value_name = "DEVICE")]
    mic: Option<String>,
    /// By what the lines are said to you: clips, system, or none, where you read them yourself.
    #[arg(long, value_enum, default_value_t = super::say::Through::Clips)]
    voice: super::say::Through,
    /// Learns from these recordings instead: a folder of `annexd record-kit` that you have filled.
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Goes through what annexd did not hear well in your games: it plays each sound, you type what
    /// you said, and it learns from that too. With a game only through that one.
    #[arg(long, value_name = "GAME", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["from", "mic", "voice", "show", "delete", "take"])]
    review: Option<String>,
    /// Says who is enrolled on this computer, and where that is kept.
    #[arg(long, conflicts_with_all = ["from", "mic", "delete", "take"])]
    show: bool,
    /// Deletes an enrolment with all that was recorded here for it. What --from read stays.
    #[arg(long, conflicts_with_all = ["from", "mic", "take"])]
    delete: bool,
    /// Takes an enrolment that was made on another computer, if there is none of that name here.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "mic", "name", "language"])]
    take: Option<PathBuf>,
}

/// Runs the command.
#[cfg(feature = "recognizer")]
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.show {
        return show_all();
    }
    if let Some(file) = &arguments.take {
        let enrolment = take(file)?;
        language::show(&sentence!(
            EnrolmentTaken,
            name = who(&enrolment.name),
            language = enrolment.language,
            count = enrolment.utterances
        ));
        return Ok(ExitCode::SUCCESS);
    }
    let code = language::asked_or_usual(arguments.language.as_deref());
    let place = Place::of(&arguments.name, &code)?;
    if arguments.delete {
        if !place.folder().is_dir() {
            return Err(error!(
                Missing,
                NotEnrolled,
                name = who(&arguments.name),
                language = code
            ));
        }
        place.delete()?;
        language::show(&sentence!(
            EnrolmentDeleted,
            name = who(&arguments.name),
            language = code
        ));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(game) = &arguments.review {
        let game = Some(game.as_str()).filter(|it| !it.is_empty());
        let is_through = review::review(&arguments.name, &code, &place, game)?;
        return match is_through && reviewed::Reviewed::read(&place)?.has_new() {
            false => Ok(ExitCode::SUCCESS),
            true if place.has_lines() => {
                tuning::tune(&arguments.name, &code, &place, place.folder())
            }
            true => {
                let command = command(&arguments.name, &code, "");
                language::show(&sentence!(ReviewLater, command = command));
                Ok(ExitCode::SUCCESS)
            }
        };
    }
    let folder = match &arguments.from {
        Some(folder) => folder.clone(),
        None => match read(arguments, &place, &code)? {
            true => place.folder().to_path_buf(),
            false => return Ok(ExitCode::SUCCESS),
        },
    };
    let learnt = tuning::tune(&arguments.name, &code, &place, &folder);
    if arguments.from.is_none() {
        let told = tell_result(learnt.is_ok(), arguments, &code);
        return learnt.and_then(|done| told.map(|()| done));
    }
    learnt
}

/// Says what came of the learning.
#[cfg(all(feature = "audio", feature = "recognizer"))]
fn tell_result(has_learnt: bool, arguments: &Arguments, code: &str) -> Result<()> {
    reading::tell_result(has_learnt, arguments.voice, code)
}

#[cfg(all(not(feature = "audio"), feature = "recognizer"))]
fn tell_result(_has_learnt: bool, _arguments: &Arguments, _code: &str) -> Result<()> {
    Ok(())
}

/// Lets him read. Returns whether he has read enough.
#[cfg(all(feature = "audio", feature = "recognizer"))]
fn read(arguments: &Arguments, place: &Place, code: &str) -> Result<bool> {
    reading::read(
        &arguments.name,
        place,
        code,
        arguments.mic.as_deref(),
        arguments.voice,
    )
}

#[cfg(all(not(feature = "audio"), feature = "recognizer"))]
fn read(_arguments: &Arguments, _place: &Place, _code: &str) -> Result<bool> {
    Err(error!(Usage, EnrolWithoutMicrophone))
}

/// Says who is enrolled.
#[cfg(feature = "recognizer")]
fn show_all() -> Result<ExitCode> {
    let places = Place::all()?;
    for place in &places {
        let path = place.file();
        let told = match place.enrolment() {
            Ok(Some(it)) if base_sum(&it.language).is_ok_and(|sum| sum != it.base) => sentence!(
                EnrolledOtherwise,
                path = path.display(),
                command = command(&it.name, &it.language, "")
            ),
            Ok(Some(it)) => is_enrolled(&it, &path.display().to_string()),
            Ok(None) => sentence!(EnrolmentBegun, path = place.folder().display()),
            Err(error) => error.sentence(),
        };
        language::show(&told);
    }
    if places.is_empty() {
        language::show(&sentence!(NobodyEnrolled));
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "recognizer")]
fn is_enrolled(enrolment: &Enrolment, path: &str) -> crate::phrases::Sentence {
    sentence!(
        IsEnrolled,
        name = who(&enrolment.name),
        language = enrolment.language,
        count = enrolment.utterances,
        path = path
    )
}

/// Whose enrolment it is.
#[cfg(feature = "recognizer")]
fn who(name: &str) -> crate::phrases::Sentence {
    if name.is_empty() {
        sentence!(EnrolledNameless)
    } else {
        sentence!(AsItIs, text = name)
    }
}

/// Reports why the command is impossible.
#[cfg(not(feature = "recognizer"))]
pub(crate) fn run(_arguments: &Arguments) -> Result<ExitCode> {
    Err(error!(Missing, BuiltWithoutRecogniser))
}
