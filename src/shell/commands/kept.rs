//! Where kept games are looked for: the options that several commands share.

use std::path::{Path, PathBuf};

use crate::journal::Replayed;
use crate::shell::error::Result;
use crate::shell::games;
use crate::shell::settings::Settings;
use crate::shell::store::Record;

/// The folder of the games, named or from the settings.
#[derive(clap::Args)]
pub(super) struct Kept {
    /// The folder of the games, if not that of the settings.
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// The settings file, if not the usual one.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

impl Kept {
    /// The folder; it is made if it is not there.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let mut settings = Settings::load(self.settings.as_deref())?;
        if self.games.is_some() {
            settings.record.folder.clone_from(&self.games);
        }
        games::folder(&settings)
    }

    /// A kept game by its name or file.
    pub(super) fn game(&self, name: &Path) -> Result<(Record, Replayed)> {
        games::load(&games::find(&self.folder()?, &name.to_string_lossy())?)
    }
}
