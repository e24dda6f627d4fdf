//! `annexd games`.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use super::games_folder::GamesFolder;
use crate::game::{Ending, Phase, result_phrase};
use crate::shell::config::language;
use crate::shell::consoles::text_outlet::ending_text;
use crate::shell::error::{Result, Sentence, sentence};
use crate::shell::record::{catalogue, heartbeat, reading};
use crate::show;

/// Lists the games that are kept, the last one at the end.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print one JSON object per game; its "standing" is running, adjourned, interrupted, ended,
    /// damaged or unreadable.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GamesFolder,
}

/// The state of a kept game.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum GameState {
    /// A program is playing it now.
    Running,
    Adjourned,
    /// It was left, or its program was killed. `annexd resume` continues it.
    Interrupted,
    Ended,
    Damaged,
    Unreadable,
}

impl GameState {
    /// The state of a game that has not ended.
    fn unended(path: &Path, phase: Phase) -> Self {
        match phase {
            _ if heartbeat::is_held(path) => Self::Running,
            Phase::Adjourned => Self::Adjourned,
            _ => Self::Interrupted,
        }
    }
}

/// One line of the list.
#[derive(Serialize)]
struct GameLine {
    name: String,
    white: String,
    black: String,
    entries: usize,
    state: String,
    standing: GameState,
    /// The same for a person, in his language.
    #[serde(skip)]
    told: String,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the list is what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let folder = arguments.games.folder()?;
    let all = catalogue::all(&folder);
    let lines: Vec<GameLine> = all.iter().filter_map(|path| line(path)).collect();
    if lines.is_empty() && !arguments.json {
        language::show(&sentence!(GamesNone, path = folder.display()));
    }
    for line in lines {
        if arguments.json {
            println!("{}", serde_json::to_string(&line).unwrap_or_default());
        } else if line.white.is_empty() && line.black.is_empty() {
            show!("{}: {}", line.name, line.told);
        } else {
            language::show(&sentence!(
                GamesLine,
                name = line.name,
                white = line.white,
                black = line.black,
                state = line.told
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The line of a game; `None` for one that was killed before its first entry.
fn line(path: &Path) -> Option<GameLine> {
    let name = catalogue::name_of(path);
    Some(match catalogue::load(path) {
        Ok((record, replayed)) => {
            let sides = &replayed.game.profile().sides;
            let (standing, (state, told)) = match (&record.broken, replayed.game.ending()) {
                (Some(broken), _) => (
                    GameState::Damaged,
                    in_both(&sentence!(GamesDamaged, why = broken)),
                ),
                (None, Some(ending)) => {
                    (GameState::Ended, (ending_text(ending), told_ending(ending)))
                }
                (None, None) => {
                    let standing = GameState::unended(path, replayed.game.phase());
                    let state = sentence!(GamesNotEnded).to_string();
                    (standing, (state, language::text(&told_of(standing))))
                }
            };
            GameLine {
                name,
                white: sides.white.name.clone(),
                black: sides.black.name.clone(),
                entries: record.entries.len(),
                state,
                standing,
                told,
            }
        }
        Err(_) if reading::is_unbegun(path) => return None,
        Err(error) => GameLine {
            name,
            white: String::new(),
            black: String::new(),
            entries: 0,
            state: error.message.clone(),
            standing: GameState::Unreadable,
            told: match language::language() {
                Some(language) => error.in_language(language).message,
                None => error.message,
            },
        },
    })
}

/// The state of a game that has not ended, in words.
pub(super) fn unended(path: &Path, phase: Phase) -> Sentence {
    told_of(GameState::unended(path, phase))
}

fn told_of(standing: GameState) -> Sentence {
    match standing {
        GameState::Running => sentence!(GamesRunning),
        GameState::Adjourned => sentence!(GamesAdjourned),
        _ => sentence!(GamesInterrupted),
    }
}

/// A sentence for programs, and for a person.
fn in_both(sentence: &Sentence) -> (String, String) {
    (sentence.to_string(), language::text(sentence))
}

/// The result in figures and words; in English with its reason, as in the record.
fn told_ending(ending: &Ending) -> String {
    match (language::language(), ending.result.as_ref()) {
        (Some(language), Some(result)) if language.lexicon().language() != "en" => {
            let words = language.text(&result_phrase(Some(*result)));
            format!("{result}, {}", words.trim_end_matches('.'))
        }
        _ => ending_text(ending),
    }
}
