//! `annexd score sign`: in the file of a score, or in the record of a kept game.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shakmaty::Color;

use super::games_folder::GamesFolder;
use super::held::{Held, locked};
use super::kept_pin::Shown;
use super::say::{OneVoice, Through};
use super::side::side;
use super::sign_kept;
use crate::game::result_phrase;
use crate::laws::GameResult;
use crate::notation::{Command, Said, typed};
use crate::persons::Person;
use crate::phrases::Language;
use crate::score::{KeepError, Score, Signature};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::consoles::folded_output;
use crate::shell::error::{ErrorKind, Result, error, sentence};
use crate::shell::record::catalogue;
use crate::shell::record::kept_score::keep_as_pgn;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The score, as JSON, or the name of a kept game. It is changed.
    file: PathBuf,
    /// Who signs: white or black.
    #[arg(long, value_parser = side())]
    side: Color,
    /// The result, if it is not written yet: 1-0, 0-1, 1/2-1/2. Another one than is written is
    /// refused.
    #[arg(long)]
    result: Option<GameResult>,
    /// A file whose first line is the PIN of the seat in a kept game. If not given it is asked for
    /// where the seat has one, and not shown.
    #[arg(long, value_name = "FILE")]
    pin_file: Option<PathBuf>,
    /// The PIN of the seat in a kept game was lost: it is given up, and the signature is recorded
    /// as one without a PIN.
    #[arg(long, conflicts_with = "pin_file")]
    pin_lost: bool,
    /// By what the result is said.
    #[arg(long, value_enum, default_value_t = Through::System)]
    voice: Through,
    /// The language in which it is said: de, da, sv or en; usually that of your settings or
    /// your system.
    #[arg(long)]
    language: Option<String>,
    #[command(flatten)]
    games: GamesFolder,
}

/// Signs, once the result was read out and confirmed.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments {
        file, side, result, ..
    } = arguments;
    let (side, result) = (*side, *result);
    let code = language::asked_or_answering(arguments.language.as_deref());
    let language = data::language(&code)?;
    let game = arguments.games.game_to_sign(file)?;
    let mut agreed = match &game {
        Some(path) => sign_kept::to_sign(path, side, result)?,
        None => Held::read(file)?.1,
    };
    if game.is_none() {
        sign(&mut agreed, side, result)?;
    }
    if !is_agreed(agreed.result(), arguments.voice, &language)? {
        folded_output::print(&language.sentence(&sentence!(ScoreNotSigned)));
        return Ok(ExitCode::from(ErrorKind::Negative.exit_status()));
    }
    let score = match &game {
        Some(path) => {
            let shown = Shown {
                file: arguments.pin_file.as_deref().map(|file| (file, 0)),
                language: &language,
            };
            let has_signed = agreed.signatures().iter().any(|it| it.side == side);
            if arguments.pin_lost && !has_signed {
                shown.is_given_up(path, Person::Player(side))?;
            }
            sign_kept::sign(path, side, &shown).map_err(|error| error.in_language(&language))?
        }
        None => signed(file, &agreed, side, result)?,
    };
    tell_signature(&score, side, &language);
    if let Some(path) = &game {
        let (record, replayed) = catalogue::load(path)?;
        let kept = keep_as_pgn(&replayed.game, &record.entries, path);
        folded_output::print(&language.sentence(&kept));
    }
    Ok(ExitCode::SUCCESS)
}

/// Signs what was confirmed in the file, because the other side may have signed there meanwhile.
fn signed(file: &Path, agreed: &Score, side: Color, result: Option<GameResult>) -> Result<Score> {
    let (score, ()) = Held::change(file, |score| {
        sign(score, side, result)?;
        if is_same_game(score, agreed) {
            Ok(())
        } else {
            Err(error!(Negative, ScoreChanged, path = file.display()))
        }
    })?;
    Ok(score)
}

/// Whether two scores have the same moves, start and result.
fn is_same_game(one: &Score, other: &Score) -> bool {
    let moves = |score: &Score| -> Vec<_> {
        let entries = score.entries().iter();
        entries.map(|it| it.notated.clone()).collect()
    };
    let rest = |score: &Score| (score.start(), score.result());
    moves(one) == moves(other) && rest(one) == rest(other)
}

fn sign(score: &mut Score, side: Color, result: Option<GameResult>) -> Result<()> {
    if let (Some(other), Some(recorded)) = (result, score.result())
        && other != recorded
    {
        let result = recorded.to_string();
        return Err(match score.signatures().first().map(|first| first.side) {
            None => error!(Negative, OtherResultRecorded, result = result),
            Some(Color::White) => error!(Negative, OtherResultSignedWhite, result = result),
            Some(Color::Black) => error!(Negative, OtherResultSignedBlack, result = result),
        });
    }
    if result.is_some() {
        score.set_result(result).map_err(|error| locked(&error))?;
    }
    score
        .sign(Signature { side, at: None })
        .map_err(|error| match error {
            KeepError::NoResult => error!(Negative, ScoreNeedsResult),
            _ => locked(&error),
        })
}

/// Says the result to the signer, and at a terminal asks whether it is right.
#[expect(
    clippy::print_stdout,
    reason = "the result is read before it is signed"
)]
fn is_agreed(result: Option<GameResult>, voice: Through, language: &Language) -> Result<bool> {
    let lexicon = data::lexicon(language.lexicon().language())?;
    let phrase = result_phrase(result);
    println!("{}", language.text(&phrase));
    if voice != Through::None {
        // What the voice cannot say has been printed.
        let _ = OneVoice::open(voice, None, 100, language.clone()).say(&phrase, language);
    }
    if !std::io::stdin().is_terminal() {
        return Ok(true);
    }
    println!("{}", language.sentence(&sentence!(YesSigns)));
    let mut answer = String::new();
    let wrong = |error: std::io::Error| error!(BadInput, AsItIs, text = error.to_string());
    std::io::stdin().read_line(&mut answer).map_err(wrong)?;
    let said = typed(&lexicon, answer.trim());
    Ok(matches!(said.as_slice(), [Said::Command(Command::Yes)]))
}

fn tell_signature(score: &Score, side: Color, language: &Language) {
    let result = score.result().map(|result| result.to_string());
    let result = result.unwrap_or_default();
    let signed = sentence!(ScoreSigned, result = result, side = side);
    folded_output::print(&language.sentence(&signed));
    if score.is_locked() {
        folded_output::print(&language.sentence(&sentence!(ScoreBothSigned)));
    }
}
