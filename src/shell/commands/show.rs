//! `annexd show`.

use std::process::ExitCode;

use shakmaty::Color;

use super::kept::Kept;
use crate::clock::TimeControl;
use crate::game::Game;
use crate::journal::Body;
use crate::score::{Score, to_pgn};
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Result, sentence};
use crate::shell::record::catalogue;
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
    kept: Kept,
}

/// Does it.
#[expect(clippy::print_stdout, reason = "the game is what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let (path, _) = arguments.kept.path(arguments.game.as_deref())?;
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
            None => language::text(&sentence!(GamesNotEnded)),
        };
        show!("{}: {state}", catalogue::name_of(&path));
        show!();
        print!("{}", score_text(game, &record));
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

/// White's score as PGN, with what is known of the game.
fn score_text(game: &Game, record: &Record) -> String {
    to_pgn(&kept_score(game, record, Color::White))
}

/// A time control as PGN writes it: `40/5400+30:1800+30`.
fn pgn_time_control(control: &TimeControl) -> String {
    let periods = control.periods().iter().flat_map(|period| {
        let bonus = Some(period.bonus.time().as_secs()).filter(|seconds| *seconds > 0);
        let without = period.bonus_from - 1;
        // What begins later in a period is written as two: in the second no time is added but that.
        let is_split = bonus.is_some() && without > 0;
        let first = is_split.then(|| pgn_period(Some(without), period.time.as_secs(), None));
        let (moves, time) = match is_split {
            true => (period.moves.map(|moves| moves.saturating_sub(without)), 0),
            false => (period.moves, period.time.as_secs()),
        };
        first.into_iter().chain([pgn_period(moves, time, bonus)])
    });
    periods.collect::<Vec<_>>().join(":")
}

fn pgn_period(moves: Option<u32>, seconds: u64, bonus: Option<u64>) -> String {
    let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    let bonus = bonus.map(|bonus| format!("+{bonus}")).unwrap_or_default();
    format!("{moves}{seconds}{bonus}")
}

/// A player's score of a kept game, with what is known of the game.
pub(super) fn kept_score(game: &Game, record: &Record, side: Color) -> Score {
    let mut score = game.score(side).clone();
    // The players have signed what they recorded; what is known of the game is put beside it.
    let signatures = score.signatures().to_vec();
    score.reopen();
    let date = record.entries.first().and_then(|first| {
        let opened = jiff::Timestamp::from_millisecond(i64::try_from(first.wall_ms).ok()?).ok()?;
        let zoned = opened.to_zoned(jiff::tz::TimeZone::system());
        Some(zoned.strftime("%Y.%m.%d").to_string())
    });
    let sides = &game.profile().sides;
    let time_control = game.profile().time_control.as_ref();
    let time_control = time_control.map(pgn_time_control);
    let tags = [
        ("White", Some(sides.white.name.clone())),
        ("Black", Some(sides.black.name.clone())),
        ("Date", date),
        ("TimeControl", time_control),
    ];
    for (name, value) in tags {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = score.set_tag(name, value);
        }
    }
    for signature in signatures {
        let _ = score.sign(signature);
    }
    score
}
