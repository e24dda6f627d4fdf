//! Unpacks an archive of unknown origin: nothing is written outside the folder, and sizes are
//! limited.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use zip::ZipArchive;

use annexd::phrases::Sentence;
use annexd::shell::error::Result;
use annexd::shell::hearing::model::unwritable;
use annexd::{error, sentence};

/// The most files that an archive may hold, and the most bytes that they may become.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: u64 = 2_000_000_000;

/// Unpacks into a new folder. The single top folder of model archives is left out.
pub(crate) fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let bad = |reason: Sentence| {
        error!(
            BadInput,
            NotUnpacked,
            path = archive.display(),
            why = reason
        )
    };
    let file =
        File::open(archive).map_err(|error| bad(sentence!(AsItIs, text = error.to_string())))?;
    let mut zip =
        ZipArchive::new(file).map_err(|error| bad(sentence!(AsItIs, text = error.to_string())))?;
    if zip.len() > MOST_FILES {
        return Err(bad(sentence!(ArchiveHolds, count = zip.len())));
    }
    let mut left = MOST_BYTES;
    for index in 0..zip.len() {
        let mut entry = zip
            .by_index(index)
            .map_err(|error| bad(sentence!(AsItIs, text = error.to_string())))?;
        let name = entry
            .name()
            .map_err(|error| bad(sentence!(AsItIs, text = error.to_string())))?
            .into_owned();
        let inside =
            inner_path(&name).ok_or_else(|| bad(sentence!(ArchiveLeadsOut, name = name)))?;
        if entry.is_symlink() {
            return Err(bad(sentence!(ArchiveLink, name = name)));
        }
        if entry.is_dir() || inside.as_os_str().is_empty() {
            continue;
        }
        let path = folder.join(inside);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| unwritable(parent, &error))?;
        }
        let mut output = File::create(&path).map_err(|error| unwritable(&path, &error))?;
        let copied = copy(&mut entry, &mut output, left).map_err(|error| match error {
            Copying::Read(error) => bad(sentence!(ArchiveDamaged, name = name, why = error)),
            Copying::Write(error) => unwritable(&path, &error),
            Copying::TooLong => bad(sentence!(ArchiveTooLarge)),
        })?;
        left -= copied;
    }
    Ok(())
}

/// Returns the path inside the top folder. `None` if it leads outside.
fn inner_path(name: &str) -> Option<PathBuf> {
    if name.contains('\\') || name.contains('\0') {
        return None;
    }
    let parts: Option<Vec<&std::ffi::OsStr>> = Path::new(name)
        .components()
        .map(|part| match part {
            Component::Normal(part) => Some(part),
            _ => None,
        })
        .collect();
    Some(parts?.into_iter().skip(1).collect())
}

enum Copying {
    Read(io::Error),
    Write(io::Error),
    TooLong,
}

fn copy(
    from: &mut impl Read,
    to: &mut impl io::Write,
    most: u64,
) -> std::result::Result<u64, Copying> {
    let mut piece = [0; 64 * 1024];
    let mut copied = 0;
    loop {
        let count = from.read(&mut piece).map_err(Copying::Read)?;
        let bytes = piece.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(copied);
        }
        copied += count as u64;
        if copied > most {
            return Err(Copying::TooLong);
        }
        to.write_all(bytes).map_err(Copying::Write)?;
    }
}
