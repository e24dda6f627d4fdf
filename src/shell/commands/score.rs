//! `annexd score`.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shakmaty::Color;

use super::dictate;
use super::games_folder::GamesFolder;
use super::held::{Alone, Held, refuse_stream};
use super::mark;
use super::overwriting::refuse_signed;
use super::reconcile::remarks;
use super::side::side;
use super::sign;
use crate::score::{
    BrailleCode, BrailleForm, BraillePage, Letters, ReadScore, Score, to_braille, to_html, to_list,
    to_pgn, to_shown_list, to_worded_list,
};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::consoles::folded_output;
use crate::shell::error::{Result, error};
use crate::shell::record::format::EXTENSION;
use crate::shell::record::kept_score::kept_score;
use crate::shell::score_files::{
    is_standard_input, json, json_score, letters_of, only_game, read_file,
};
use crate::shell::speech::score_as_sound::spoken_wave;

/// The option that names the notation letters of a sheet.
const SHEET_LETTERS: &str = "--sheet-letters";

/// Imports, exports, shows, takes dictated, marks and signs scores.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Reads a score of any form and writes it as JSON.
    Import {
        /// PGN, a list of moves, Braille of ours, or JSON; `-` is the standard input.
        file: PathBuf,
        /// The letters in which the sheet is written; without them they are found out. They print
        /// nothing: that is what `score export --print-letters` does.
        #[arg(long, visible_alias = "letters", value_name = "LETTERS")]
        sheet_letters: Option<Letters>,
        /// Which of several games in a file, counted from 1; without it the first, which is said.
        #[arg(long, value_name = "NUMBER")]
        game: Option<NonZeroUsize>,
        /// Where to; the standard output if not given.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Writes a score in another form.
    Export {
        /// The score: a file, `-` for the standard input, or the name of a kept game.
        file: PathBuf,
        /// Whose score of a kept game: white or black.
        #[arg(long, value_parser = side(), default_value = "white")]
        side: Color,
        /// The form.
        #[arg(long, value_enum)]
        format: Format,
        /// Where to; the standard output if not given.
        #[arg(long, short)]
        output: Option<PathBuf>,
        /// The letters that list and html are written with, whatever those of the file are.
        #[arg(
            long,
            visible_alias = "letters",
            value_name = "LETTERS",
            default_value = "english"
        )]
        print_letters: Letters,
        /// The letters in which the file is written; without them they are found out.
        #[arg(long, value_name = "LETTERS")]
        sheet_letters: Option<Letters>,
        /// Which of several games in a file, counted from 1; without it the first, which is said.
        #[arg(long, value_name = "NUMBER")]
        game: Option<NonZeroUsize>,
        /// The Braille code: british or german.
        #[arg(long, default_value = "british")]
        code: BrailleCode,
        /// Cells in a line of Braille.
        #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(20..=200))]
        cells: u16,
        /// Lines on a page of Braille ASCII.
        #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u16).range(5..=500))]
        lines: u16,
        /// The language of what stands around the moves of html: de, en, da or sv; usually that of
        /// the letters, as it always is in a list. Audio is in German, of which there are recorded
        /// words.
        #[arg(long)]
        language: Option<String>,
        #[command(flatten)]
        games: GamesFolder,
    },
    /// Prints a score as plain lines.
    Show {
        /// The score: a file, `-` for the standard input, or the name of a kept game.
        file: PathBuf,
        /// Whose score of a kept game: white or black.
        #[arg(long, value_parser = side(), default_value = "white")]
        side: Color,
        /// The letters to print it with, whatever those of the file are; usually English ones, or
        /// those of the language if one is named.
        #[arg(long, visible_alias = "letters", value_name = "LETTERS")]
        print_letters: Option<Letters>,
        /// The letters in which the file is written; without them they are found out.
        #[arg(long, value_name = "LETTERS")]
        sheet_letters: Option<Letters>,
        /// Which of several games in a file, counted from 1; without it the first, which is said.
        #[arg(long, value_name = "NUMBER")]
        game: Option<NonZeroUsize>,
        /// The language of what stands above the moves: de, en, da or sv; usually that of your
        /// settings or your system.
        #[arg(long)]
        language: Option<String>,
        #[command(flatten)]
        games: GamesFolder,
    },
    /// Takes a score from announcements: typed, one or more on each line, until an empty line; or
    /// spoken, from sound files or the microphone, until "Stopp".
    ///
    /// "Korrektur" with the move, or before it, corrects the last one, "Remis" marks a draw offer
    /// with it, "letzter Zug" reads it back once more. Typed, "?" or "unleserlich" is an entry that
    /// cannot be read, "---" or "leer" an empty one.
    Dictate(dictate::Arguments),
    /// Marks where recording was suspended (8.4), and which moves were completed afterwards or
    /// reconstructed (8.5); every form shows it.
    ///
    /// A score that somebody has signed is left as it is.
    Mark(mark::Arguments),
    /// Says and prints the result and signs the score with it; both signatures lock it (8.7).
    ///
    /// At a terminal it asks first; anything but a yes leaves the score as it is. Who signs in the
    /// record of a kept game shows the PIN of his seat.
    Sign(sign::Arguments),
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// PGN with clock times.
    Pgn,
    /// Plain lines.
    List,
    /// Unicode Braille.
    Braille,
    /// Braille ASCII for embossers.
    Brf,
    /// A page to print.
    Html,
    /// One JSON object.
    Json,
    /// A WAV file of all announcements with marks.
    Audio,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the score is what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    match arguments.action {
        Action::Import {
            file,
            sheet_letters,
            game,
            output,
        } => {
            let read = read_and_told(&file, sheet_letters, game)?;
            write_beside(&file, output.as_deref(), json(&read.score)?.as_bytes())?;
        }
        Action::Export {
            file,
            side,
            format,
            output,
            print_letters: letters,
            sheet_letters,
            game,
            code,
            cells,
            lines,
            language,
            games,
        } => {
            let score = read_file_or_game(&file, sheet_letters, game, side, &games)?;
            let [lines, cells] = [lines, cells].map(usize::from);
            let page = BraillePage { lines, cells };
            let bytes = match format {
                Format::Pgn => to_pgn(&score).into_bytes(),
                Format::List => listed(&score, letters)?.into_bytes(),
                Format::Braille => {
                    to_braille(&score, code, BrailleForm::Unicode, page).into_bytes()
                }
                Format::Brf => to_braille(&score, code, BrailleForm::Brf, page).into_bytes(),
                Format::Html => printed(&score, letters, language)?.into_bytes(),
                Format::Json => json(&score)?.into_bytes(),
                Format::Audio => spoken_wave(&score, language.as_deref().unwrap_or("de"))?,
            };
            write_beside(&file, output.as_deref(), &bytes)?;
        }
        Action::Show {
            file,
            side,
            print_letters,
            sheet_letters,
            game,
            language,
            games,
        } => {
            let words = data::sheet_words(&language::asked_or_answering(language.as_deref()))?;
            let score = read_file_or_game(&file, sheet_letters, game, side, &games)?;
            let letters = print_letters.unwrap_or_else(|| letters_of(language.as_deref()));
            print!("{}", to_shown_list(&score, letters, &words));
        }
        Action::Dictate(arguments) => {
            let status = taken_down(&arguments)?.told();
            return Ok(status);
        }
        Action::Mark(arguments) => mark::run(&arguments)?,
        Action::Sign(arguments) => return sign::run(&arguments),
    }
    Ok(ExitCode::SUCCESS)
}

/// A dictation into its own file, in which every entry is kept at once.
fn taken_down(arguments: &dictate::Arguments) -> Result<dictate::Dictated> {
    if let Some(file) = &arguments.go_on {
        let (held, begun) = Held::read(file)?;
        if begun.is_locked() {
            return Err(error!(Negative, ScoreLocked, path = file.display()));
        }
        if !begun.signatures().is_empty() {
            return Err(error!(Negative, ScoreSignedThere, path = file.display()));
        }
        let keep = |score: &Score| held.write_somewhere(score);
        return dictate::dictated(arguments, file, Some(begun), &keep);
    }
    let output = arguments.output.clone().unwrap_or_default();
    refuse_stream(&output)?;
    if output.exists() {
        let begun = json_score(&output);
        return Err(match begun {
            Ok(begun) if begun.signatures().is_empty() => {
                error!(Usage, DictatedAlready, path = output.display())
            }
            _ => error!(Usage, ExistsAlready, path = output.display()),
        });
    }
    let held = Held::begin(&output)?;
    let keep = |score: &Score| held.write_somewhere(score);
    dictate::dictated(arguments, &output, None, &keep)
}

/// The sheet to print.
fn printed(score: &Score, letters: Letters, language: Option<String>) -> Result<String> {
    let language = language.unwrap_or_else(|| language_of(letters));
    let words = data::sheet_words(&language)?;
    Ok(to_html(score, letters, &language, &words))
}

/// The list, with its heading in the language of the letters.
fn listed(score: &Score, letters: Letters) -> Result<String> {
    let language = language_of(letters);
    if language == "en" {
        return Ok(to_list(score, letters));
    }
    let words = data::sheet_words(&language)?;
    Ok(to_worded_list(score, letters, &words))
}

/// The language in which a sheet with these letters is printed, if no other is named.
fn language_of(letters: Letters) -> String {
    let has = |code: &String| data::letters(code).is_ok_and(|it| it == letters);
    let known = (letters != Letters::English).then(data::languages);
    let found = known.and_then(|codes| codes.ok()?.into_iter().find(has));
    found.unwrap_or_else(|| "en".to_owned())
}

/// A score from a file, or a player's score of a kept game by the game's name or file.
/// Uncertainties are reported.
fn read_file_or_game(
    path: &Path,
    letters: Option<Letters>,
    game: Option<NonZeroUsize>,
    side: Color,
    games: &GamesFolder,
) -> Result<Score> {
    // Pipes are read like files.
    let is_there = is_standard_input(path) || path.exists() && !path.is_dir();
    if is_there && path.extension().is_none_or(|ending| ending != EXTENSION) {
        return Ok(read_and_told(path, letters, game)?.score);
    }
    let (record, replayed) = games.game_or_file(path)?;
    only_game(path, game)?;
    Ok(kept_score(&replayed.game, &record.entries, side))
}

/// A score from a file. Uncertainties are reported.
#[expect(
    clippy::print_stderr,
    reason = "what is uncertain must be said beside the score"
)]
fn read_and_told(
    path: &Path,
    letters: Option<Letters>,
    game: Option<NonZeroUsize>,
) -> Result<ReadScore> {
    let read = read_file(path, letters, game)?;
    for line in remarks(&read, SHEET_LETTERS, game.is_none().then_some("--game")) {
        eprintln!("annexd: {}: {}", path.display(), language::text(&line));
    }
    Ok(read)
}

fn write(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match path.filter(|path| !is_standard_input(path)) {
        Some(path) => {
            // A device or pipe may make its reader wait as long as it likes.
            let is_file = path.is_file() || !path.exists();
            let _alone = is_file.then(|| Alone::at(path)).transpose()?;
            refuse_signed(path, bytes)?;
            fs::write(path, bytes)
                .map_err(|error| error!(Unwritable, Unwritable, path = path.display(), why = error))
        }
        None => {
            let mut output = std::io::stdout();
            let written = output.write_all(bytes).and_then(|()| output.flush());
            written.map_err(folded_output::unwritten)
        }
    }
}

/// Writes what was read from `file`, but never over it: it may be the only copy of a sheet.
fn write_beside(file: &Path, output: Option<&Path>, bytes: &[u8]) -> Result<()> {
    let is_itself = |output: &Path| {
        let both = [file, output].map(fs::canonicalize);
        matches!(both, [Ok(one), Ok(other)] if one == other)
    };
    match output.filter(|output| !is_standard_input(file) && is_itself(output)) {
        Some(output) => Err(error!(Usage, ScoreIsSource, path = output.display())),
        None => write(output, bytes),
    }
}
