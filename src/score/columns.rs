//! Tables in which White's place in a row may be empty. Only the columns show that: the entry
//! stands where Black's entries stand in the other rows.

use super::clock_times::clock_time;
use super::scan::number;

/// The separators of cells, the most reliable first. Semicolons are read elsewhere.
const SEPARATORS: [char; 4] = ['|', '\t', ',', ' '];

/// Returns the text with dots in every row that has an entry in Black's column and none in White's.
pub(super) fn with_empty_places(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let rows: Vec<Option<RowPlaces>> = lines.iter().map(|line| RowPlaces::of(line)).collect();
    let tables = SEPARATORS.map(|separator| {
        let rows = rows.iter().flatten();
        Table::of(rows.filter(|row| row.separator == separator), separator)
    });
    let lines = lines.iter().zip(&rows).map(|(line, row)| {
        let is_of = |row: &&RowPlaces| {
            let mut tables = SEPARATORS.iter().zip(&tables);
            let own = tables.find(|(separator, _)| **separator == row.separator);
            own.is_some_and(|(_, table)| table.lacks_whites(row))
        };
        match row.as_ref().filter(is_of) {
            Some(row) => {
                let end = row.number.map_or(0, |(_, end)| end);
                let (number, rest) = line.split_at_checked(end).unwrap_or((line, ""));
                format!("{number} ... {rest}")
            }
            None => (*line).to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The places of the cells of a line.
struct RowPlaces {
    separator: char,
    /// The column of its number, and the byte after it.
    number: Option<(usize, usize)>,
    /// The columns of its entries.
    entries: Vec<usize>,
}

impl RowPlaces {
    fn of(line: &str) -> Option<Self> {
        if line.contains(';') {
            return None;
        }
        let separator = SEPARATORS.into_iter().find(|it| line.contains(*it))?;
        let cells = cells(line, separator);
        let (first, rest) = cells.split_first()?;
        let digits = first.words.trim_end_matches(['.', ')', ':', '-']);
        let number = number::<u32>(digits, 4).map(|_| (first.column, first.end));
        let rest = if number.is_some() { rest } else { &cells };
        let is_beside = |cell: &&Cell| {
            let words = cell.words;
            words.starts_with(['(', '[', '{'])
                || words.split(' ').all(|it| clock_time(it).is_some())
                || words.bytes().all(|sign| sign.is_ascii_digit())
        };
        let entries = rest.iter().filter(|cell| !is_beside(cell));
        Some(Self {
            separator,
            number,
            entries: entries.map(|cell| cell.column).collect(),
        })
    }
}

/// A filled cell of a row.
struct Cell<'a> {
    /// The number of the cell, or where it begins if only blanks separate the cells.
    column: usize,
    words: &'a str,
    /// The byte after it.
    end: usize,
}

/// Returns the filled cells of a line.
fn cells(line: &str, separator: char) -> Vec<Cell<'_>> {
    let (mut cells, mut begin, mut letters) = (Vec::new(), 0, 0);
    for (at, cell) in line.split(separator).enumerate() {
        let words = cell.trim_matches(|sign: char| sign == '"' || sign.is_whitespace());
        let before = cell.find(words).unwrap_or_default();
        if !words.is_empty() {
            cells.push(Cell {
                column: if separator == ' ' { letters } else { at },
                words,
                end: begin + before + words.len(),
            });
        }
        begin += cell.len() + separator.len_utf8();
        letters += cell.chars().count() + 1;
    }
    cells
}

/// The columns of a table.
enum Table {
    /// No row of it is full.
    Unknown(char),
    /// White's and Black's column in most full rows.
    Columns(usize, usize),
    /// The rows do not agree.
    None,
}

impl Table {
    fn of<'a>(rows: impl Iterator<Item = &'a RowPlaces>, separator: char) -> Self {
        let mut pairs: Vec<(usize, usize)> = rows
            .filter(|row| row.number.is_some() || separator != ' ')
            .filter_map(|row| match row.entries.as_slice() {
                [white, black] => Some((*white, *black)),
                _ => None,
            })
            .collect();
        pairs.sort_unstable();
        let most = pairs.chunk_by(|one, other| one == other);
        let most = most.max_by_key(|same| same.len()).unwrap_or_default();
        match most {
            [] => Self::Unknown(separator),
            [(white, black), ..] if most.len() > pairs.len() / 2 && pairs.len() > 1 => {
                Self::Columns(*white, *black)
            }
            // Blanks alone prove nothing, and one row is not yet a table.
            [(white, black)] if separator != ' ' => Self::Columns(*white, *black),
            _ => Self::None,
        }
    }

    /// Returns whether a row has an entry in Black's column and none in White's.
    fn lacks_whites(&self, row: &RowPlaces) -> bool {
        let number = row.number.map(|(column, _)| column);
        let [entry] = row.entries.as_slice() else {
            return false;
        };
        match self {
            Self::Columns(white, black) => {
                let is_numbered = number.is_some_and(|number| number < *white);
                let is_in_table = is_numbered || number.is_none() && row.separator != ' ';
                is_in_table && entry == black
            }
            // The cell between the number and the entry is empty.
            Self::Unknown('|' | ',') => number.is_some_and(|number| number + 2 == *entry),
            Self::Unknown(_) | Self::None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Letters, read_score, to_list};

    fn read(text: &str) -> String {
        let read = read_score(text, Some(Letters::English), 1).unwrap();
        assert_eq!(read.notes, [], "{text}");
        to_list(&read.score, Letters::English).replace('\n', "|")
    }

    #[test]
    fn an_empty_cell_of_whites_is_an_empty_place() {
        for text in [
            "1,e4,e5\n2,Nf3,Nc6\n3,,a6\n4,Ba4,Nf6\n",
            "1\te4\te5\n2\tNf3\tNc6\n3\t\ta6\n4\tBa4\tNf6\n",
            "\"1\",\"e4\",\"e5\"\n\"2\",\"Nf3\",\"Nc6\"\n\"3\",\"\",\"a6\"\n\"4\",\"Ba4\",\"Nf6\"",
            "| 1 | e4 | e5 |\n| 2 | Nf3 | Nc6 |\n| 3 |  | a6 |\n| 4 | Ba4 | Nf6 |",
            "1.  e4   e5\n2.  Nf3  Nc6\n3.       a6\n4.  Ba4  Nf6",
            "1;e4;e5\n2;Nf3;Nc6\n3;;a6\n4;Ba4;Nf6\n",
        ] {
            let rows = "1. e4 e5|2. Nf3 Nc6|3. -- a6|4. Ba4 Nf6|";
            assert_eq!(read(text), rows, "{text}");
        }
        let without_numbers = "e4,e5\nNf3,Nc6\n,a6\nBa4,Nf6";
        assert_eq!(
            read(without_numbers),
            "1. e4 e5|2. Nf3 Nc6|3. -- a6|4. Ba4 Nf6|"
        );
        let with_times = "1,e4,0:59:00,e5,0:58:00\n2,,,a6,0:57:00\n3,d4,0:56:00,,";
        assert_eq!(
            read(with_times),
            "1. e4 (0:59:00) e5 (0:58:00)|2. -- a6 (0:57:00)|3. d4 (0:56:00)|"
        );
    }

    #[test]
    fn separators_that_only_align_are_no_empty_cells() {
        for text in [
            "1\te4\te5\n2\tNf3\tNc6\n3\tBb5",
            "1\t\te4\t\te5\n2\t\tNf3\t\tNc6\n3\t\tBb5",
            "1,e4,e5\n2,Nf3,Nc6\n3,Bb5,\n",
            "\te4\te5\n\tNf3\tNc6\n\tBb5",
            "1. e4, e5,\n2. Nf3, Nc6,\n3. Bb5,",
            "1. e4 e5\n2. Nf3 Nc6\n3.    Bb5",
            "1.\t\te4 e5\n2.\t\tNf3 Nc6\n3.\t\tBb5",
        ] {
            let rows = "1. e4 e5|2. Nf3 Nc6|3. Bb5|";
            assert_eq!(read(text), rows, "{text}");
        }
    }
}
