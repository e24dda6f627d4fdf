//! A file with a score that is changed in place, perhaps while another program has it too.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use super::score::{is_standard_input, json, json_score, replace};
use crate::score::Score;
use crate::shell::error::{Result, told};

/// A file, and what stood in it when it was read or written last.
pub(super) struct Held {
    path: PathBuf,
    seen: RefCell<Option<Vec<u8>>>,
}

impl Held {
    /// A score that is there.
    pub(super) fn read(path: &Path) -> Result<(Self, Score)> {
        refuse_stream(path)?;
        // First the bytes: what changes while they are read is a change.
        let held = Self::at(path, content(path));
        let score = json_score(path)?;
        if !score.is_as_signed() {
            let path = path.display();
            return Err(told!(Negative, ScoreChangedAfterSigning, path = path));
        }
        Ok((held, score))
    }

    /// A file that is to come, in a folder in which one can be written.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        refuse_stream(path)?;
        let probe = beside(path, "new");
        let tried = fs::File::create(&probe).and_then(|_| fs::remove_file(&probe));
        match tried {
            Ok(()) => Ok(Self::at(path, None)),
            Err(error) => {
                let path = path.display();
                Err(told!(Unwritable, Unwritable, path = path, why = error))
            }
        }
    }

    fn at(path: &Path, seen: Option<Vec<u8>>) -> Self {
        Self {
            path: path.to_owned(),
            seen: RefCell::new(seen),
        }
    }

    /// Writes the score, unless somebody else has written there.
    pub(super) fn write(&self, score: &Score) -> Result<()> {
        if self.is_changed() {
            return Err(told!(Negative, ScoreChanged, path = self.path.display()));
        }
        let bytes = json(score)?.into_bytes();
        replace(&self.path, &bytes)?;
        self.seen.replace(Some(bytes));
        Ok(())
    }

    /// The same for what cannot be done again: then it is written to a file beside it.
    pub(super) fn write_somewhere(&self, score: &Score) -> Result<()> {
        if !self.is_changed() {
            return self.write(score);
        }
        let name = |number: usize| {
            let stem = self.path.file_stem().unwrap_or_default();
            self.path
                .with_file_name(format!("{}-{number}.json", stem.to_string_lossy()))
        };
        let free = (2..).map(name).find(|path| !path.exists());
        let other = free.unwrap_or_else(|| name(2));
        replace(&other, json(score)?.as_bytes())?;
        let (path, other) = (self.path.display(), other.display());
        Err(told!(
            Negative,
            ScoreChangedKept,
            path = path,
            other = other
        ))
    }

    /// Whether something else stands there now. What is gone cannot be lost.
    fn is_changed(&self) -> bool {
        let now = content(&self.path);
        now.is_some() && now != *self.seen.borrow()
    }
}

/// What stands in a file; nothing of what is none, which might be read for ever.
fn content(path: &Path) -> Option<Vec<u8>> {
    let bytes = path.is_file().then(|| fs::read(path).ok());
    bytes.flatten()
}

/// A hidden file in the same folder.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{ending}"))
}

/// What is changed in place cannot be a stream.
fn refuse_stream(path: &Path) -> Result<()> {
    if is_standard_input(path) {
        return Err(told!(Usage, ScoreNeedsFile));
    }
    Ok(())
}
