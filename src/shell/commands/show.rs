//! `annexd show`.

use std::process::ExitCode;

use shakmaty::Color;

use super::games::unended;
use super::games_folder::GamesFolder;
use crate::game::Game;
use crate::journal::Body;
use crate::score::to_pgn;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output::without_controls;
use crate::shell::error::Result;
use crate::shell::record::catalogue;
use crate::shell::record::kept_score::kept_score;
use crate::shell::record::store;
use crate::shell::record::store::Record;
use crate::shell::record::utterance_files;
use crate::show;

/// Prints one game: who played, how it ended, and its score.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The name of the game or its file; the last one if not given.
    game: Option<String>,
    /// Print the whole record, one JSON object per entry, as it is kept.
    #[arg(long)]
    jsonl: bool,
    /// Print what the arbiter was told, each proposal with its article, facts and alternatives
    /// (11.9), and what he decided.
    #[arg(long, conflicts_with_all = ["jsonl", "record"])]
    decisions: bool,
    /// Print every input and what followed, for reading.
    #[arg(long, conflicts_with = "jsonl")]
    record: bool,
    #[command(flatten)]
    games: GamesFolder,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the game is what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let (path, _) = arguments.games.path(arguments.game.as_deref())?;
    if arguments.jsonl {
        let record = store::read(&path)?;
        for text in &record.texts {
            println!("{text}");
        }
        return match &record.broken {
            Some(broken) => Err(store::broken_record(&path, broken)),
            None => Ok(ExitCode::SUCCESS),
        };
    }
    let (record, replayed) = catalogue::load(&path)?;
    if arguments.decisions {
        super::show_decisions::print(&record, &replayed.game, &Settings::load(None)?)?;
    } else if arguments.record {
        for entry in &record.entries {
            let text = match &entry.body {
                Body::Step { input, .. } => serde_json::to_string(input),
                other => serde_json::to_string(other),
            };
            show!("{} {} {}", entry.seq, entry.at, text.unwrap_or_default());
        }
    } else {
        let game = &replayed.game;
        let state = match game.ending() {
            Some(ending) => language::ending(ending),
            None => language::text(&unended(&path, game.phase())),
        };
        show!("{}: {state}", catalogue::name_of(&path));
        show!();
        // A program may read this too, so no line is folded.
        print!("{}", without_controls(&score_text(game, &record)));
        let sound = utterance_files::find(&path, &record.entries);
        if sound.recorded > 0 {
            show!("{}", sound.told());
        }
    }
    match &record.broken {
        Some(broken) => Err(store::broken_record(&path, broken)),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// White's score as PGN, with what is known about the game.
fn score_text(game: &Game, record: &Record) -> String {
    to_pgn(&kept_score(game, &record.entries, Color::White))
}
