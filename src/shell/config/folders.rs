//! The folders to which annexd writes.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;

use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};

/// The folder of the games: `annexd/games` in the user's data folder. It is created if missing, and
/// readable by nobody else.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be created.
pub fn games_folder() -> Result<PathBuf> {
    private(user()?.data_dir().join("annexd/games"))
}

/// The folder of fetched or chosen hearing models: `annexd/models` in the user's data folder. It
/// need not exist.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn models_folder() -> Result<PathBuf> {
    Ok(user()?.data_dir().join("annexd/models"))
}

/// The folder of those to whom hearing was tuned, with what they read. It need not exist.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn enrolled_folder() -> Result<PathBuf> {
    Ok(user()?.data_dir().join("annexd/enrolled"))
}

/// The folder of the course: the learner's progress, and the game of his current lesson.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be created.
pub fn lessons_folder() -> Result<PathBuf> {
    private(user()?.data_dir().join("annexd/lessons"))
}

/// The settings file: `annexd/settings.toml` in the user's settings folder. It need not exist.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn settings_file() -> Result<PathBuf> {
    Ok(user()?.config_dir().join("annexd/settings.toml"))
}

/// The folder for what is neither a game nor a setting: `annexd` in the user's state folder, or in
/// the data folder if the system has no state folder. It need not exist.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn state_folder() -> Result<PathBuf> {
    let user = user()?;
    let base = user.state_dir().unwrap_or_else(|| user.data_dir());
    Ok(base.join("annexd"))
}

/// The folder of the sockets to which other consoles attach, readable by nobody else.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be created.
pub fn runtime_folder() -> Result<PathBuf> {
    let user = user()?;
    let base = user
        .runtime_dir()
        .unwrap_or_else(|| user.data_dir().join("annexd/run"));
    private(base.join("annexd"))
}

fn user() -> Result<impl etcetera::BaseStrategy> {
    etcetera::choose_base_strategy().map_err(|_| {
        error!(Missing, NoHome)
            .about(Fault::new(Part::Folder, Reason::Absent, Remedy::SetUp).with("HOME"))
    })
}

/// Creates a folder that nobody else can read, if it is missing.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be created.
pub fn private(path: PathBuf) -> Result<PathBuf> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path).map_err(|error| {
        error!(
            Unwritable,
            FolderNotMade,
            path = path.display(),
            why = error
        )
        .about(
            Fault::new(Part::Folder, Reason::Unwritable, remedy_of(&error))
                .with(format!("{}: {error}", path.display())),
        )
    })?;
    Ok(path)
}

/// What helps if something cannot be written: more space, or write access.
pub(crate) fn remedy_of(error: &std::io::Error) -> Remedy {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match error.kind() {
        PermissionDenied | ReadOnlyFilesystem => Remedy::GiveAccess,
        _ => Remedy::MakeRoom,
    }
}
