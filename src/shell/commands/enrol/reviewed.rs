//! The table of what was gone through: sounds of games, each with the words that were said in it.

use std::fs;
use std::path::Path;

use crate::shell::error::{Result, error};
use crate::shell::hearing::enrolled::{Place, replace};
use crate::shell::hearing::eval::Recording;

/// Its file, in the folder of the enrolment.
const FILE: &str = "REVIEWED.tsv";
const HEAD: &str = "file\ttext\tspeaker\tkind";

/// What became of a sound.
#[derive(Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Kind {
    /// To be learnt from.
    New,
    /// To be learnt from with other words than were learnt.
    Changed,
    /// Learnt from.
    Learnt,
    /// Not to be learnt from.
    LeftOut,
    /// Not to be learnt from any more.
    Dropped,
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
        let place = place.clone();
        if !table.is_file() {
            let rows = Vec::new();
            return Ok(Self { place, rows });
        }
        let wrong = |line: usize| {
            let path = table.display();
            error!(BadInput, ReviewedWrong, path = path, line = line)
        };
        let text = fs::read_to_string(&table).map_err(|_| wrong(1))?;
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(HEAD) {
            return Err(wrong(1));
        }
        let rows = lines.map(|(at, line)| Row::of(line).ok_or_else(|| wrong(at + 1)));
        let rows = rows.collect::<Result<_>>()?;
        Ok(Self { place, rows })
    }

    /// What is to be learnt from.
    pub(super) fn recordings(&self) -> Vec<Recording> {
        let said = |row: &&Row| matches!(row.kind, Kind::New | Kind::Changed | Kind::Learnt);
        let recordings = self.rows.iter().filter(said).map(|row| Recording {
            file: self.place.folder().join(copy_of(&row.sum)),
            text: row.text.clone(),
            speaker: String::new(),
            kind: String::new(),
        });
        recordings.collect()
    }

    /// Whether anything is to be learnt anew.
    pub(super) fn has_new(&self) -> bool {
        self.mends() || self.rows.iter().any(|row| row.kind == Kind::New)
    }

    /// Whether what was learnt is to be mended.
    pub(super) fn mends(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| matches!(row.kind, Kind::Changed | Kind::Dropped))
    }

    /// Whether a sound has been dealt with.
    pub(super) fn knows(&self, sum: &str) -> bool {
        self.rows.iter().any(|row| row.sum == sum)
    }

    /// What was answered about a sound before: its words, or none if it was left out.
    pub(super) fn answer(&self, sum: &str) -> Option<Vec<String>> {
        let row = self.row(sum).filter(|row| row.kind != Kind::Clear)?;
        Some(row.text.split_whitespace().map(str::to_owned).collect())
    }

    fn row(&self, sum: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.sum == sum)
    }

    /// Takes an answer back: the sound is to be asked for.
    pub(super) fn reopen(&mut self, sum: &str) -> Result<()> {
        let _ = fs::remove_file(self.place.folder().join(copy_of(sum)));
        self.rows.retain(|row| row.sum != sum);
        self.write()
    }

    /// Keeps a copy of a sound, with what was said in it.
    pub(super) fn keep(&mut self, sum: &str, sound: &Path, words: &[String]) -> Result<()> {
        let unreadable =
            |why: std::io::Error| error!(BadInput, Unreadable, path = sound.display(), why = why);
        let bytes = fs::read(sound).map_err(unreadable)?;
        self.place.make()?;
        replace(&self.place.folder().join(copy_of(sum)), &bytes)?;
        let text = words.join(" ");
        let kind = match self.row(sum) {
            Some(row) if row.kind == Kind::Learnt && row.text == text => Kind::Learnt,
            Some(row) if row.was_learnt() => Kind::Changed,
            _ => Kind::New,
        };
        self.put(sum, text, kind);
        self.write()
    }

    /// Remembers that a sound is not to be learnt from, and deletes a copy of it.
    pub(super) fn leave_out(&mut self, sum: &str) -> Result<()> {
        let _ = fs::remove_file(self.place.folder().join(copy_of(sum)));
        let was_learnt = self.row(sum).is_some_and(Row::was_learnt);
        let kind = if was_learnt {
            Kind::Dropped
        } else {
            Kind::LeftOut
        };
        self.put(sum, String::new(), kind);
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
        for row in &mut self.rows {
            row.kind = match row.kind {
                Kind::New | Kind::Changed => Kind::Learnt,
                Kind::Dropped => Kind::LeftOut,
                kind => kind,
            };
        }
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
    /// Reads a line of the table.
    fn of(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [sum, text, _, kind] = cells[..] else {
            return None;
        };
        let is_sum = !sum.is_empty() && sum.bytes().all(|it| it.is_ascii_hexdigit());
        Some(Self {
            sum: Some(sum).filter(|_| is_sum)?.to_owned(),
            text: text.to_owned(),
            kind: kind.parse().ok()?,
        })
    }

    const fn was_learnt(&self) -> bool {
        matches!(self.kind, Kind::Changed | Kind::Learnt | Kind::Dropped)
    }
}

/// The file of a copy.
fn copy_of(sum: &str) -> String {
    format!("{sum}.flac")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_row_or_refused() {
        let row = Row::of("0a1f\tbauer eva zwei\town\tlearnt").unwrap();
        assert_eq!(
            (row.sum.as_str(), row.text.as_str()),
            ("0a1f", "bauer eva zwei")
        );
        for wrong in [
            "",
            "0a1f\tbauer",
            "../x\ta\town\tnew",
            "0a1f\ta\town\tother",
        ] {
            assert!(Row::of(wrong).is_none(), "{wrong}");
        }
    }
}
