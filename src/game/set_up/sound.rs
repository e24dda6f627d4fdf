//! How annexd speaks, in which languages, and through which loudspeakers.

use super::Question;

/// How annexd speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voice {
    /// Whether the system's voice speaks, and not the recorded one.
    pub is_system: bool,
    /// The rate of speech in percent.
    pub rate_percent: u32,
    /// The pitch in percent.
    pub pitch_percent: u32,
    /// The loudness in percent.
    pub loudness_percent: u32,
}

impl Default for Voice {
    fn default() -> Self {
        Self {
            is_system: false,
            rate_percent: 100,
            pitch_percent: 100,
            loudness_percent: 100,
        }
    }
}

impl Voice {
    /// The pitch or loudness, if the question is about it, or else the rate.
    pub(super) const fn percent(&self, of: Question) -> u32 {
        match of {
            Question::Pitch => self.pitch_percent,
            Question::Loudness => self.loudness_percent,
            _ => self.rate_percent,
        }
    }

    /// Sets the rate, pitch or loudness that the question is about. Returns whether that is
    /// possible.
    pub(super) fn set_percent(&mut self, of: Question, percent: u32) -> bool {
        let (value, possible) = match of {
            Question::Rate => (&mut self.rate_percent, 50..=250),
            Question::Pitch => (&mut self.pitch_percent, 0..=200),
            Question::Loudness => (&mut self.loudness_percent, 1..=100),
            _ => return false,
        };
        let is_possible = possible.contains(&percent);
        if is_possible {
            *value = percent;
        }
        is_possible
    }
}

/// The languages that annexd speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Languages {
    /// That of the player who sets up, as in `grammar/`.
    pub own: String,
    /// That of the table; `None` where it is that of the Laws.
    pub table: Option<String>,
}

impl Default for Languages {
    fn default() -> Self {
        Self {
            own: "de".to_owned(),
            table: None,
        }
    }
}

impl Languages {
    /// Whether the table was made to speak the player's own language.
    pub(super) fn is_table_own(&self) -> bool {
        self.table.as_ref() == Some(&self.own)
    }

    /// Changes the language of the player, and of the table that speaks it with him.
    pub(super) fn speak(&mut self, language: String) {
        if self.is_table_own() {
            self.table = Some(language.clone());
        }
        self.own = language;
    }

    /// Makes the table speak the player's own language, or that of the Laws.
    pub(super) fn agree_on_table(&mut self, speaks_own: bool) {
        self.table = speaks_own.then(|| self.own.clone());
    }

    /// Leaves the language of the table to the arbiter, unless another one was set.
    pub(super) fn leave_table_to_arbiter(&mut self) {
        if self.is_table_own() {
            self.table = None;
        }
    }
}

/// The loudspeakers by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ears {
    /// The one that the player hears; `None` in a room without any.
    pub own: Option<String>,
    /// Whether nobody else hears that one.
    pub is_private: bool,
    /// The one that both hear, if it is another one.
    pub table: Option<String>,
    /// The one that the opponent alone hears.
    pub other: Option<String>,
}

impl Default for Ears {
    fn default() -> Self {
        Self {
            own: None,
            is_private: true,
            table: None,
            other: None,
        }
    }
}

impl Ears {
    /// Whether the opponent can hear what is meant for the player alone, so that it is not said.
    pub fn is_shared(&self) -> bool {
        self.own.is_some() && (!self.is_private || self.table_or_own() == self.own.as_ref())
    }

    /// The one that both hear.
    pub const fn table_or_own(&self) -> Option<&String> {
        match &self.table {
            Some(table) => Some(table),
            None => self.own.as_ref(),
        }
    }

    /// Takes the one that the player hears. The only one in a room is not private.
    pub(super) fn take_own(&mut self, own: Option<String>, is_only: bool) {
        self.own = own;
        self.keep_private(!is_only);
    }

    /// Says whether nobody else hears the player's own. If others do, it is the table's too.
    pub(super) fn keep_private(&mut self, is_private: bool) {
        self.is_private = is_private;
        if !is_private {
            self.table = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_voice_takes_only_percents_that_can_be_heard() {
        let mut voice = Voice::default();
        for (of, wrong) in [
            (Question::Rate, [49, 251]),
            (Question::Pitch, [201, 1_000]),
            (Question::Loudness, [0, 101]),
        ] {
            assert!(voice.set_percent(of, 60));
            assert!(wrong.into_iter().all(|it| !voice.set_percent(of, it)));
            assert_eq!(voice.percent(of), 60);
        }
    }

    #[test]
    fn the_table_follows_the_player_while_it_speaks_his_language() {
        let mut languages = Languages::default();
        languages.agree_on_table(true);
        languages.speak("da".to_owned());
        assert_eq!(languages.table.as_deref(), Some("da"));
        languages.agree_on_table(false);
        languages.speak("sv".to_owned());
        assert_eq!(languages.table, None);
    }

    #[test]
    fn an_arbiter_decides_what_the_players_had_agreed_on() {
        let mut languages = Languages::default();
        languages.agree_on_table(true);
        languages.leave_table_to_arbiter();
        assert_eq!(languages.table, None);
        languages.table = Some("sv".to_owned());
        languages.leave_table_to_arbiter();
        assert_eq!(languages.table.as_deref(), Some("sv"));
    }

    #[test]
    fn an_ear_that_others_hear_is_the_tables_too() {
        let mut ears = Ears::default();
        assert!(!ears.is_shared());
        ears.take_own(Some("headset".to_owned()), false);
        assert!(ears.is_shared(), "nothing else was chosen for the table");
        ears.table = Some("box".to_owned());
        assert!(!ears.is_shared());
        ears.keep_private(false);
        assert!(ears.is_shared());
        assert_eq!(ears.table_or_own().map(String::as_str), Some("headset"));
        ears.take_own(Some("box".to_owned()), true);
        assert!(!ears.is_private);
    }
}
