//! Where kept games are searched for: options that several commands share.

use std::path::{Path, PathBuf};

use crate::journal::Replayed;
use crate::phrases::SentenceKey;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Error, Result, error, sentence};
use crate::shell::record::catalogue;
use crate::shell::record::format::EXTENSION;
use crate::shell::record::store::Record;

/// The folder of the games, named or from the settings.
#[derive(clap::Args)]
pub(super) struct GamesFolder {
    /// The folder of the games, if not that of the settings.
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// The settings file, if not the usual one.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

impl GamesFolder {
    /// The folder. It is created if missing.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let mut settings = Settings::load(self.settings.as_deref())?;
        if self.games.is_some() {
            settings.record.folder.clone_from(&self.games);
        }
        catalogue::folder(&settings)
    }

    /// The file of a game by its name, or else of the last one. Games that had to be skipped are
    /// reported, and returned.
    #[expect(clippy::print_stderr, reason = "it is no part of what was asked for")]
    pub(super) fn path(&self, name: Option<&str>) -> Result<(PathBuf, Vec<Error>)> {
        let folder = self.folder()?;
        let Some(name) = name else {
            let newest = catalogue::last(&folder)?;
            for error in &newest.passed_over {
                let passed = sentence!(PassedOver, why = error.sentence());
                eprintln!("annexd: {}", language::text(&passed));
            }
            return Ok((newest.path, newest.passed_over));
        };
        Ok((catalogue::find(&folder, name)?, Vec::new()))
    }

    /// A kept game by its name or file, where another kind of file could have been named. If the
    /// name looks like a missing file, the error says so; any other name is reported as neither.
    pub(super) fn game_or_file(&self, name: &Path) -> Result<(Record, Replayed)> {
        let is_other = name.extension().is_some_and(|ending| ending != EXTENSION);
        let is_like_a_file = is_other || name.components().count() > 1;
        self.game(name).map_err(|error| match std::fs::read(name) {
            Err(why) if is_like_a_file || name.exists() => {
                error!(BadInput, NoScore, path = name.display(), why = why)
            }
            Err(_) if error.is_of(SentenceKey::NoSuchGame) => {
                let folder = self.folder().unwrap_or_default();
                let (name, path) = (name.display(), folder.display());
                error!(BadInput, NoFileNorGame, name = name, path = path)
            }
            _ => error,
        })
    }

    /// The file of a kept game named where a score could be named too; `None` if it is a score.
    pub(super) fn game_to_sign(&self, name: &Path) -> Result<Option<PathBuf>> {
        let is_game = name.extension().is_some_and(|ending| ending == EXTENSION);
        if name.exists() && !is_game || name.as_os_str() == "-" {
            return Ok(None);
        }
        // A name that is neither is reported as what it looks like.
        self.game_or_file(name)?;
        catalogue::find(&self.folder()?, &name.to_string_lossy()).map(Some)
    }

    /// A kept game by its name or file.
    pub(super) fn game(&self, name: &Path) -> Result<(Record, Replayed)> {
        catalogue::load(&catalogue::find(&self.folder()?, &name.to_string_lossy())?)
    }
}
