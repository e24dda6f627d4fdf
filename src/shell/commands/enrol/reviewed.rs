//! The table of what was gone through: sounds of games, each with the words that were said in it.

use std::fs;
use std::path::Path;

use crate::shell::error::{Result, error};
use crate::shell::hearing::enrolled::{Place, replace};
use crate::shell::hearing::eval::{self, Recording};

/// Its file, in the folder of the enrolment.
const FILE: &str = "REVIEWED.tsv";
const HEAD: &str = "file\ttext\tspeaker\tkind";

/// What became of a sound.
#[derive(Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Kind {
    /// To be learnt from.
    New,
    /// Learnt from.
    Learnt,
    /// Not to be learnt from.
    LeftOut,
    /// It was heard without doubt, and nobody was asked.
    Clear,
}

/// What was gone through. A sound is named by its checksum, so that it is the same one wherever its
/// game is. What is kept or left out is on the disk at once.
pub(super) struct Reviewed {
    place: Place,
    rows: Vec<Row>,
}

struct Row {
    sum: String,
    text: String,
    kind: Kind,
}

impl Reviewed {
    /// Reads the table; there need be none yet.
    pub(super) fn read(place: &Place) -> Result<Self> {
        let table = place.folder().join(FILE);
        let mut rows = Vec::new();
        if table.is_file() {
            rows = eval::read(&table)?
                .into_iter()
                .filter_map(Row::of)
                .collect();
        }
        let place = place.clone();
        Ok(Self { place, rows })
    }

    /// What is to be learnt from.
    pub(super) fn recordings(&self) -> Vec<Recording> {
        let said = |row: &&Row| matches!(row.kind, Kind::New | Kind::Learnt);
        let recordings = self.rows.iter().filter(said).map(|row| Recording {
            file: self.place.folder().join(copy_of(&row.sum)),
            text: row.text.clone(),
            speaker: String::new(),
            kind: String::new(),
        });
        recordings.collect()
    }

    /// Whether there is anything that was not learnt from yet.
    pub(super) fn has_new(&self) -> bool {
        self.rows.iter().any(|row| row.kind == Kind::New)
    }

    /// Whether a sound has been dealt with.
    pub(super) fn knows(&self, sum: &str) -> bool {
        self.rows.iter().any(|row| row.sum == sum)
    }

    /// Whether a sound is to be learnt from and was not yet.
    pub(super) fn is_new(&self, sum: &str) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| row.sum == sum && row.kind == Kind::New)
    }

    /// Keeps a copy of a sound, with what was said in it.
    pub(super) fn keep(&mut self, sum: &str, sound: &Path, words: &[String]) -> Result<()> {
        let unreadable =
            |why: std::io::Error| error!(BadInput, Unreadable, path = sound.display(), why = why);
        let bytes = fs::read(sound).map_err(unreadable)?;
        self.place.make()?;
        replace(&self.place.folder().join(copy_of(sum)), &bytes)?;
        self.put(sum, words.join(" "), Kind::New);
        self.write()
    }

    /// Remembers that a sound is not to be learnt from, and deletes a copy of it.
    pub(super) fn leave_out(&mut self, sum: &str) -> Result<()> {
        let _ = fs::remove_file(self.place.folder().join(copy_of(sum)));
        self.put(sum, String::new(), Kind::LeftOut);
        self.place.make()?;
        self.write()
    }

    /// Remembers that a sound was heard without doubt. It is written with the next one that is
    /// kept or left out.
    pub(super) fn is_clear(&mut self, sum: &str) {
        if !self.knows(sum) {
            self.put(sum, String::new(), Kind::Clear);
        }
    }

    /// Notes that all was learnt from.
    pub(super) fn learnt(&mut self) -> Result<()> {
        if !self.has_new() {
            return Ok(());
        }
        let new = self.rows.iter_mut().filter(|row| row.kind == Kind::New);
        new.for_each(|row| row.kind = Kind::Learnt);
        self.write()
    }

    /// Forgets what was not learnt from yet, so that it is asked for again.
    pub(super) fn forget_new(&mut self) -> Result<()> {
        let folder = self.place.folder();
        self.rows.retain(|row| {
            let is_new = row.kind == Kind::New;
            if is_new {
                let _ = fs::remove_file(folder.join(copy_of(&row.sum)));
            }
            !is_new
        });
        self.write()
    }

    fn put(&mut self, sum: &str, text: String, kind: Kind) {
        self.rows.retain(|row| row.sum != sum);
        let sum = sum.to_owned();
        self.rows.push(Row { sum, text, kind });
    }

    fn write(&self) -> Result<()> {
        let mut table = format!("{HEAD}\n");
        for row in &self.rows {
            let kind: &str = row.kind.into();
            table += &format!("{}\t{}\town\t{kind}\n", row.sum, row.text);
        }
        replace(&self.place.folder().join(FILE), table.as_bytes())
    }
}

impl Row {
    fn of(row: Recording) -> Option<Self> {
        let sum = row.file.file_name()?.to_str()?.to_owned();
        let kind = row.kind.parse().ok()?;
        let text = row.text;
        let is_sum = sum.bytes().all(|it| it.is_ascii_hexdigit());
        is_sum.then_some(Self { sum, text, kind })
    }
}

/// The file of a copy.
fn copy_of(sum: &str) -> String {
    format!("{sum}.flac")
}
