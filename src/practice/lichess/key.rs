//! The player's access key to the server. It is in a file that nobody else may read, and nowhere
//! else: not on the command line, in no record, and in no message.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use annexd::error;
use annexd::shell::config::folders;
use annexd::shell::error::Result;

/// The name of the file, beside the settings.
const FILE: &str = "lichess-key";

/// The greatest length of a key, in bytes.
const MOST: u64 = 1024;

/// The mark that some editors write before a text.
const BYTE_ORDER: char = '\u{feff}';

/// An access key. It cannot be displayed.
#[derive(Clone)]
pub(super) struct Key(String);

impl Key {
    /// The header of a request.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

/// Reads the key from this file, or from the usual one.
pub(super) fn read(named: Option<&Path>) -> Result<Key> {
    let usual = || folders::settings_file().map(|file| file.with_file_name(FILE));
    let path: PathBuf = named.map_or_else(usual, |path| Ok(path.to_path_buf()))?;
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => error!(Missing, ServerKeyMissing, path = path.display()),
        _ => error!(
            BadInput,
            ServerKeyUnreadable,
            path = path.display(),
            why = error
        ),
    };
    let wrong = || error!(BadInput, ServerKeyWrong, path = path.display());
    // Only a regular file can be opened without waiting for somebody at its other end.
    if !std::fs::metadata(&path).map_err(unreadable)?.is_file() {
        return Err(wrong());
    }
    let file = File::open(&path).map_err(unreadable)?;
    if is_readable_by_others(&file).map_err(unreadable)? {
        return Err(error!(Usage, ServerKeyNotPrivate, path = path.display()));
    }
    let mut text = String::new();
    file.take(MOST)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    let key = text.trim_start_matches(BYTE_ORDER).trim();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if key.is_empty() || !key.chars().all(is_plain) {
        return Err(wrong());
    }
    Ok(Key(key.to_owned()))
}

/// Returns whether others may read the file. It checks the open file, so that nobody can replace
/// the file between the check and the reading.
#[cfg(unix)]
fn is_readable_by_others(file: &File) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;

    let metadata = file.metadata()?;
    Ok(!metadata.is_file() || metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_readable_by_others(file: &File) -> std::io::Result<bool> {
    Ok(!file.metadata()?.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use annexd::shell::error::ErrorKind;

    use super::*;

    /// Reads a file with this text and these permissions.
    fn of(text: &str, mode: u32) -> std::io::Result<Result<Key>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("key");
        std::fs::write(&path, text)?;
        std::fs::set_permissions(&path, Permissions::from_mode(mode))?;
        Ok(read(Some(&path)))
    }

    #[test]
    fn a_key_is_read_where_nobody_else_can() {
        assert_eq!(
            of("lip_Abc1\n", 0o600).unwrap().ok().unwrap().header(),
            "Bearer lip_Abc1"
        );
        let of_another_editor = of("\u{feff} lip_Abc1 \r\n", 0o400);
        assert!(of_another_editor.is_ok(), "{:?}", of_another_editor.err());
        for mode in [0o640, 0o604, 0o660, 0o601] {
            let error = of("lip_Abc1", mode).unwrap().err().unwrap();
            assert_eq!(error.kind, ErrorKind::Usage, "{mode:o}");
            assert!(!error.message.contains("lip_"), "{error}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused_and_not_repeated() {
        for text in [
            "",
            "\n",
            "two words",
            "line\r\nX-Header: 1",
            "sch\u{fc}ssel",
        ] {
            let error = of(text, 0o600).unwrap().err().unwrap();
            assert_eq!(error.kind, ErrorKind::BadInput, "{text:?}");
            assert!(text.is_empty() || !error.message.contains(text.trim()) || text == "\n");
        }
        let absent = read(Some(Path::new("/absent/key"))).err().unwrap();
        assert_eq!(absent.kind, ErrorKind::Missing);
        assert!(absent.message.contains("lichess.org"), "{absent}");
        let folder = tempfile::tempdir().unwrap();
        let no_file = read(Some(folder.path())).err().unwrap();
        assert_eq!(no_file.kind, ErrorKind::BadInput);
    }
}
