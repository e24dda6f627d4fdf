//! The places of entries on a sheet: under the number and in the column that were written there, or
//! counted on from the previous entry.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Color, Setup};
use thiserror::Error;

use super::entry::{Entry, SheetPlace};
use super::kept::Score;

impl SheetPlace {
    /// The place of the first move of a game from a starting position.
    pub(super) const fn first(start: &Setup) -> Self {
        Self {
            number: start.fullmoves.get(),
            side: start.turn,
        }
    }

    /// The next place.
    pub(super) const fn next(self) -> Self {
        Self {
            number: match self.side {
                Color::White => self.number,
                Color::Black => self.number.saturating_add(1),
            },
            side: self.side.other(),
        }
    }

    /// Returns how many places there are before this one, from a row with the number 0 on.
    pub(super) fn before(self) -> i64 {
        2 * i64::from(self.number) + i64::from(self.side.is_black())
    }

    /// Returns the place with so many others before it, if a row has such a number.
    pub(super) fn behind(places: i64) -> Option<Self> {
        Some(Self {
            number: u32::try_from(places.div_euclid(2)).ok()?,
            side: Color::from_white(places.rem_euclid(2) == 0),
        })
    }
}

/// Writes a place as in PGN: `12.` and `12...`.
impl fmt::Display for SheetPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = self.side.fold_wb(".", "...");
        write!(f, "{}{dots}", self.number)
    }
}

/// The text names no place of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no move of a sheet; one is named by its number and side, as in 41w or 41b")]
pub struct ParsePlaceError;

/// Reads a place as in PGN, or with the letter of the side in one of our languages: `41w`, `41b`,
/// `41s`.
impl FromStr for SheetPlace {
    type Err = ParsePlaceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, side) = text.split_at(digits);
        let number = number.parse().map_err(|_| ParsePlaceError)?;
        let side = match side.trim().to_lowercase().as_str() {
            "." | "w" | "white" | "weiß" | "weiss" | "h" | "hvid" | "v" | "vit" => Color::White,
            "..." | "b" | "black" | "s" | "schwarz" | "sort" | "svart" => Color::Black,
            _ => return Err(ParsePlaceError),
        };
        Ok(Self { number, side })
    }
}

/// An entry as a person names it: `41w`, or `41w#2` for the second one in this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedEntry {
    place: SheetPlace,
    /// Which of the entries in this place, counted from 0.
    which: usize,
}

impl NamedEntry {
    /// Returns the index of the entry, if these places have it.
    pub(super) fn among(self, places: &[SheetPlace]) -> Option<usize> {
        let those = places
            .iter()
            .enumerate()
            .filter(|(_, it)| **it == self.place);
        those.map(|(at, _)| at).nth(self.which)
    }
}

impl fmt::Display for NamedEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.place.side.fold_wb("w", "b");
        write!(f, "{}{side}", self.place.number)?;
        match self.which {
            0 => Ok(()),
            earlier => write!(f, "#{}", earlier + 1),
        }
    }
}

impl FromStr for NamedEntry {
    type Err = ParsePlaceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (place, which) = text.split_once('#').unwrap_or((text, "1"));
        let which: usize = which.trim().parse().map_err(|_| ParsePlaceError)?;
        Ok(Self {
            place: place.parse()?,
            which: which.checked_sub(1).ok_or(ParsePlaceError)?,
        })
    }
}

/// Consecutive entries: `41w-44b`, or a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedRun {
    /// The first entry.
    pub first: NamedEntry,
    /// The last entry.
    pub last: NamedEntry,
}

impl FromStr for NamedRun {
    type Err = ParsePlaceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
        Ok(Self {
            first: first.parse()?,
            last: last.parse()?,
        })
    }
}

impl Score {
    /// Returns the entry with this name. The one after the last has the place of the next entry.
    pub fn entry_named(&self, name: NamedEntry) -> Option<usize> {
        name.among(&self.places())
    }

    /// Returns the place of each entry, and that of the next one: as written, or counted on from
    /// the previous entry.
    pub fn places(&self) -> Vec<SheetPlace> {
        places_of(SheetPlace::first(&self.start()), self.entries())
    }
}

/// Returns the places of entries. The first has the place `first`, if nothing else is written.
pub(super) fn places_of(first: SheetPlace, entries: &[Entry]) -> Vec<SheetPlace> {
    let mut next = first;
    let mut places = Vec::with_capacity(entries.len() + 1);
    for entry in entries {
        let place = entry.place.unwrap_or(next);
        next = place.next();
        places.push(place);
    }
    places.push(next);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_score;

    #[test]
    fn places_are_as_written_or_counted_on() {
        let told = |sheet: &str| {
            let score = read_score(sheet, None, 1).unwrap().score;
            let places = score.places();
            places
                .iter()
                .map(SheetPlace::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(told("e4 e5 Nf3"), "1. 1... 2. 2...");
        assert_eq!(
            told("1. e4 e5\n3. Nf3 Nc6\n3. Bb5 a6"),
            "1. 1... 3. 3... 3. 3... 4."
        );
        assert_eq!(told("1. e4 e5\n7... Nc6 8. Bb5"), "1. 1... 7. 7... 8. 8...");
        let black = "FEN: 4k3/8/8/8/8/8/8/4K2R b K - 3 40\n\nKd7 41. O-O";
        assert_eq!(told(black), "40... 41. 41...");
    }

    #[test]
    fn places_are_named_as_people_do() {
        let place = |number, side| Ok(SheetPlace { number, side });
        for text in ["41w", "41.", "41 White", "41 weiß", "41H", "41 vit"] {
            assert_eq!(
                text.parse::<SheetPlace>(),
                place(41, Color::White),
                "{text}"
            );
        }
        for text in ["41b", "41...", "41s", "41 Schwarz", "41 sort"] {
            assert_eq!(
                text.parse::<SheetPlace>(),
                place(41, Color::Black),
                "{text}"
            );
        }
        for text in ["", "w", "41", "41x", "-1w", "99999999999w"] {
            assert_eq!(text.parse::<SheetPlace>(), Err(ParsePlaceError), "{text}");
        }
        let run: NamedRun = "41w-44b".parse().unwrap();
        assert_eq!(run.first.to_string(), "41w");
        assert_eq!(run.last.to_string(), "44b");
        let one: NamedRun = "6 Weiß #2".parse().unwrap();
        assert_eq!(
            (one.first, one.last.to_string()),
            (one.last, "6w#2".to_owned())
        );
        for text in ["", "41w-", "41w#0", "41w#x", "41-44"] {
            assert_eq!(text.parse::<NamedRun>(), Err(ParsePlaceError), "{text}");
        }
        for places in [0, 1, 81, 82, i64::from(u32::MAX) * 2] {
            assert_eq!(SheetPlace::behind(places).unwrap().before(), places);
        }
        assert_eq!(SheetPlace::behind(-1), None);
    }
}
