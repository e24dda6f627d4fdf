//! Where annexd keeps what it writes.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;

use crate::shell::error::{Fault, Part, Reason, Remedy, Result, told};

/// The folder of the games: `annexd/games` in the user's data folder, made if it is not there
/// and readable by nobody else.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be made.
pub fn games_folder() -> Result<PathBuf> {
    private(user()?.data_dir().join("annexd/games"))
}

/// The folder of hearing models that were fetched or chosen: `annexd/models` in the user's data
/// folder. It need not be there.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn models_folder() -> Result<PathBuf> {
    Ok(user()?.data_dir().join("annexd/models"))
}

/// The folder of the course: how far somebody has come, and the game of the lesson that he has.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be made.
pub fn lessons_folder() -> Result<PathBuf> {
    private(user()?.data_dir().join("annexd/lessons"))
}

/// Where the settings stand: `annexd/settings.toml` in the user's settings folder. It need not
/// be there.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn settings_file() -> Result<PathBuf> {
    Ok(user()?.config_dir().join("annexd/settings.toml"))
}

/// The folder for what is neither a game nor a setting: `annexd` in the user's folder for state, or
/// in that for data where the system has none. It need not be there.
///
/// # Errors
///
/// `ErrorKind::Missing` if the user has no home folder.
pub fn state_folder() -> Result<PathBuf> {
    let user = user()?;
    let base = user.state_dir().unwrap_or_else(|| user.data_dir());
    Ok(base.join("annexd"))
}

/// The folder of the sockets by which other consoles attach, readable by nobody else.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be made.
pub fn runtime_folder() -> Result<PathBuf> {
    let user = user()?;
    let base = user
        .runtime_dir()
        .unwrap_or_else(|| user.data_dir().join("annexd/run"));
    private(base.join("annexd"))
}

fn user() -> Result<impl etcetera::BaseStrategy> {
    etcetera::choose_base_strategy().map_err(|_| {
        told!(Missing, NoHome)
            .about(Fault::new(Part::Folder, Reason::Absent, Remedy::SetUp).with("HOME"))
    })
}

/// Makes a folder that nobody else can read, if it is not there.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it cannot be made.
pub fn private(path: PathBuf) -> Result<PathBuf> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path).map_err(|error| {
        told!(
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

/// What helps where something cannot be written: room, or the right to write.
pub(crate) fn remedy_of(error: &std::io::Error) -> Remedy {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match error.kind() {
        PermissionDenied | ReadOnlyFilesystem => Remedy::GiveAccess,
        _ => Remedy::MakeRoom,
    }
}
