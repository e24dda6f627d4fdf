//! `annexd games`.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use super::kept::Kept;
use crate::shell::error::Result;
use crate::shell::games;
use crate::shell::text_outlet::ending_text;
use crate::show;

/// Lists the games that are kept, the last one at the end.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print one JSON object per game.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    kept: Kept,
}

/// One line of the list.
#[derive(Serialize)]
struct Line {
    name: String,
    white: String,
    black: String,
    entries: usize,
    state: String,
}

/// Does it.
#[expect(clippy::print_stdout, reason = "the list is what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let folder = arguments.kept.folder()?;
    let all = games::all(&folder);
    if all.is_empty() && !arguments.json {
        show!("There is no game in {}.", folder.display());
    }
    for path in all {
        let line = line(&path);
        if arguments.json {
            println!("{}", serde_json::to_string(&line).unwrap_or_default());
        } else if line.white.is_empty() && line.black.is_empty() {
            show!("{}: {}", line.name, line.state);
        } else {
            show!(
                "{}: {} against {}, {}",
                line.name,
                line.white,
                line.black,
                line.state
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn line(path: &Path) -> Line {
    let name = games::name_of(path);
    match games::load(path) {
        Ok((record, replayed)) => {
            let sides = &replayed.game.profile().sides;
            Line {
                name,
                white: sides.white.name.clone(),
                black: sides.black.name.clone(),
                entries: record.entries.len(),
                state: match (&record.broken, replayed.game.ending()) {
                    (Some(broken), _) => format!("damaged: {broken}"),
                    (None, Some(ending)) => ending_text(ending),
                    (None, None) => "not ended".to_owned(),
                },
            }
        }
        Err(error) => Line {
            name,
            white: String::new(),
            black: String::new(),
            entries: 0,
            state: error.message,
        },
    }
}
