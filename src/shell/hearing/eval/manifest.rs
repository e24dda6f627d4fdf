//! The recordings to measure: a table of files, texts and speakers.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::error::{Result, error};

/// One recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The sound file.
    pub file: PathBuf,
    /// What is said in it, as canonical words if it is an announcement; empty for noise.
    pub text: String,
    /// The speaker.
    pub speaker: String,
    /// The kind of recording, such as "long", "talk" or "noise".
    pub kind: String,
}

/// Reads a tab-separated table with the columns file, text, speaker and, optionally, kind, named in
/// its first line. Files are relative to the table.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] with the line.
pub fn read(path: &Path) -> Result<Vec<Recording>> {
    let text = fs::read_to_string(path)
        .map_err(|error| error!(BadInput, Unreadable, path = path.display(), why = error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    rows(&text, folder).map_err(|(line, why)| {
        error!(
            BadInput,
            AtLine,
            path = path.display(),
            line = line,
            why = why
        )
    })
}

fn rows(text: &str, folder: &Path) -> std::result::Result<Vec<Recording>, (usize, String)> {
    // Some editors put an invisible mark before the first letter.
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().enumerate();
    let (_, head) = lines.next().ok_or((1, "the table is empty".to_owned()))?;
    let names: Vec<&str> = head.split('\t').map(str::trim).collect();
    let column = |name: &str| names.iter().position(|other| *other == name);
    let needed = |name: &str| column(name).ok_or((1, format!("there is no column \"{name}\"")));
    let (file, text, speaker) = (needed("file")?, needed("text")?, needed("speaker")?);
    let kind = column("kind");
    let mut rows = Vec::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| {
            let missing = || {
                (
                    index + 1,
                    format!("the column \"{}\" is missing", names[column]),
                )
            };
            cells
                .get(column)
                .map(|cell| cell.trim().to_owned())
                .ok_or_else(missing)
        };
        rows.push(Recording {
            file: folder.join(cell(file)?),
            text: cell(text)?,
            speaker: cell(speaker)?,
            kind: kind.map_or(Ok(String::new()), cell)?,
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_by_its_column_names() {
        let rows = rows(
            "\u{feff}speaker\tfile\ttext\r\nina\ta.wav\tfelix drei\r\n",
            Path::new("d"),
        )
        .unwrap();
        assert_eq!(rows[0].file, Path::new("d/a.wav"));
        assert_eq!(
            (rows[0].speaker.as_str(), rows[0].kind.as_str()),
            ("ina", "")
        );
    }

    #[test]
    fn a_bad_table_is_named_by_line() {
        let here = Path::new("");
        assert_eq!(rows("", here).unwrap_err().0, 1);
        assert_eq!(
            rows("file\ttext\n", here).unwrap_err(),
            (1, "there is no column \"speaker\"".to_owned())
        );
        assert_eq!(rows("file\ttext\tspeaker\na.wav\n", here).unwrap_err().0, 2);
    }
}
