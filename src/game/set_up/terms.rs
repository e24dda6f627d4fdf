//! The terms on which a game is played.

use std::ops::RangeInclusive;

use crate::Mode;
use annexd_laws::clock::TimeControl;
use annexd_laws::{Edition, needs_approval};

/// A number alone that chooses nothing is one of minutes; a larger one is a mistake, as of a year.
const MINUTES: RangeInclusive<u32> = 1..=180;

/// The terms on which a game is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The edition of the Laws.
    pub edition: Edition,
    /// The time control; `None` plays without a clock.
    pub time_control: Option<TimeControl>,
    /// Whether the chessclock at the board counts, not annexd's own clock.
    pub by_chessclock: bool,
    /// How strict the game is.
    pub mode: Mode,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            edition: Edition::default(),
            time_control: "15m+10s".parse().ok(),
            by_chessclock: false,
            mode: Mode::Club,
        }
    }
}

impl Terms {
    /// Whether an arbiter has to approve the device (11.3.2).
    pub(super) fn needs_approval(&self) -> bool {
        needs_approval(self.edition.rules())
    }

    /// The language that the Laws suggest for the table.
    pub(super) fn suggested_language(&self) -> Option<&'static str> {
        let languages = &self.edition.rules().blind.languages;
        languages.first().map(|language| language.code())
    }

    /// Takes an edition by its name. Returns whether there is such a one.
    pub(super) fn write_edition(&mut self, name: &str) -> bool {
        match name.parse() {
            Ok(edition) => {
                self.edition = edition;
                true
            }
            Err(_) => false,
        }
    }

    /// Takes a time control, a number of minutes, or none for "0". Returns whether it is one.
    pub(super) fn write_time(&mut self, text: &str) -> bool {
        let minutes = text.parse().ok().filter(|it| MINUTES.contains(it));
        let minutes = minutes.map(|it| format!("{it}m"));
        let control = minutes.as_deref().unwrap_or(text).parse().ok();
        let is_one = control.is_some() || text == "0";
        if is_one {
            self.time_control = control;
        }
        is_one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_time_control_changes_nothing() {
        let mut terms = Terms::default();
        let usual = terms.time_control.clone();
        assert!(!terms.write_time("soon"));
        assert_eq!(terms.time_control, usual);
        assert!(terms.write_time("0"));
        assert_eq!(terms.time_control, None);
        assert!(terms.write_time("25m+10s"));
        assert_eq!(terms.time_control, "25m+10s".parse().ok());
        assert!(terms.write_time("15"), "minutes alone");
        assert_eq!(terms.time_control, "15m".parse().ok());
        assert!(!terms.write_time("2009"), "a year");
    }

    #[test]
    fn what_is_no_edition_changes_nothing() {
        let mut terms = Terms::default();
        assert!(terms.write_edition("2014"));
        assert!(!terms.write_edition("1999"));
        assert_eq!(terms.edition, Edition::E2014);
    }
}
