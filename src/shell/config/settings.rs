//! The settings file.

use crate::shell::error::{
    Error, ErrorKind, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence,
};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use shakmaty::ByColor;

use super::check;
use super::folders;
use crate::board::Orientation;
use crate::game::{AsksBack, Mode, Profile};
use crate::laws::GameType;
use crate::shell::errors_in_words::AsValue;
use crate::shell::errors_in_words::told_of_toml;
use crate::shell::speech::voice::{EarconSettings, SpeakerSettings, VoiceSettings};

/// The largest settings file, in bytes. Nobody writes more.
const MOST_BYTES: u64 = 1_000_000;

/// All settings. A missing one has its default; an unknown one is an error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What is agreed for the game.
    pub game: Profile,
    /// Whether the type of game is given. If not, it follows from the time control.
    #[serde(skip)]
    pub says_type: bool,
    /// Which devices are used.
    pub devices: Devices,
    /// What the gamepad's buttons do, where it differs from `assets/controls.toml`.
    pub gamepad: BTreeMap<String, String>,
    /// What single typed letters do, where it differs from `assets/controls.toml`.
    pub keys: BTreeMap<String, String>,
    /// The settings of all voices and sounds.
    pub voice: Voices,
    /// The settings of the record.
    pub record: RecordSettings,
    /// The settings of text.
    pub text: TextSettings,
    /// The pages for browsers.
    pub page: PageSettings,
}

/// The devices, each by a name that `annexd check` prints. For those not named the system's default
/// is used; `none` switches a part off.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Devices {
    /// The microphone of each side that has one, by side (`white`, `black`) or `shared`.
    pub microphone: BTreeMap<String, String>,
    /// The electronic board of each side, by side: `dgt:/dev/ttyACM0`, `tactum:/dev/ttyUSB0`, a
    /// port alone, or `auto`. What is not given is found out.
    pub board: BTreeMap<String, String>,
    /// The orientation of that board, by side: `normal` if White sits at its first rank, `rotated`
    /// if at its eighth, `auto` if it is to be found out. A board that recognises pieces shows it
    /// at the start position, a Tactum or Sentio with the first move.
    pub orientation: BTreeMap<String, OrientationSetting>,
    /// The chessclock, as for `annexd clock`.
    pub clock: Option<String>,
    /// The person whose gamepad is used: `white`, `black`, `white assistant`, `black assistant` or
    /// `arbiter`; `none` for nobody. By default the visually disabled player.
    pub gamepad: Option<String>,
    /// The player whose Braille display BRLTTY drives: `white`, `black`, or `none` for nobody. By
    /// default the visually disabled player.
    pub braille: Option<String>,
}

/// The orientation of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrientationSetting {
    /// The board's readings show it.
    #[default]
    Auto,
    /// White sits at its first rank.
    Normal,
    /// White sits at its eighth rank.
    Rotated,
}

impl OrientationSetting {
    /// The orientation, if given.
    pub const fn orientation(self) -> Option<Orientation> {
        match self {
            Self::Auto => None,
            Self::Normal => Some(Orientation::Normal),
            Self::Rotated => Some(Orientation::Rotated),
        }
    }
}

/// The settings of all voices and sounds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Voices {
    /// What both players hear.
    pub table: VoiceSettings,
    /// The rate of speech at the table in rapid chess, in percent; 125 by default, and never slower
    /// than usual.
    pub rapid_rate_percent: Option<u32>,
    /// The rate of speech at the table in blitz, in percent; 150 by default.
    pub blitz_rate_percent: Option<u32>,
    /// What each player hears alone: `white`, `black`. A side not named has no ear.
    pub ear: Ears,
    /// The short sounds.
    pub earcons: EarconSettings,
}

/// The private voices.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ears {
    /// White's.
    pub white: Option<VoiceSettings>,
    /// Black's.
    pub black: Option<VoiceSettings>,
}

impl Voices {
    /// The settings for the speaker in a game of this type. The table is spoken to faster when
    /// players have little time.
    pub fn for_speaker(&self, game_type: GameType) -> SpeakerSettings {
        let usual = self.table.rate_percent;
        let rate_percent = match game_type {
            GameType::Standard => usual,
            GameType::Rapid => self.rapid_rate_percent.unwrap_or(RAPID_RATE.max(usual)),
            GameType::Blitz => self.blitz_rate_percent.unwrap_or(BLITZ_RATE.max(usual)),
        };
        SpeakerSettings {
            table: VoiceSettings {
                rate_percent,
                ..self.table.clone()
            },
            ears: ByColor {
                white: self.ear.white.clone(),
                black: self.ear.black.clone(),
            },
            earcons: self.earcons,
        }
    }
}

/// The default rate at the table in rapid chess and blitz, in percent.
const RAPID_RATE: u32 = 125;
const BLITZ_RATE: u32 = 150;

/// The settings of the record.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecordSettings {
    /// The folder of the games, if not the usual one.
    pub folder: Option<PathBuf>,
    /// Whether the time for which the program was closed is charged to the clock that ran.
    pub charge_time_away: bool,
    /// How many megabytes one game may take. Beyond that the disk counts as full.
    pub mb_max: u64,
    /// Whether the voices of players who have agreed are recorded.
    pub sound: bool,
    /// How many megabytes the sound of one game may take. Beyond that the oldest is deleted.
    pub sound_mb_max: u64,
    /// After how many days the sound of a game is deleted; 0: never.
    pub sound_days: u64,
}

impl RecordSettings {
    /// What is kept of the players' voices, in a sentence.
    pub fn sound_policy(&self) -> Sentence {
        let megabytes = self.sound_mb_max;
        match (self.sound, self.sound_days) {
            (false, _) => sentence!(NoSoundKept),
            (true, 0) => sentence!(SoundKeptUntilDeleted, megabytes = megabytes),
            (true, days) => sentence!(SoundKeptForDays, days = days, megabytes = megabytes),
        }
    }
}

impl Default for RecordSettings {
    fn default() -> Self {
        Self {
            folder: None,
            charge_time_away: false,
            mb_max: 512,
            sound: true,
            sound_mb_max: 200,
            sound_days: 30,
        }
    }
}

/// The settings of text.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextSettings {
    /// The language of what is typed, read and privately heard; by default the table's.
    pub language: Option<String>,
    /// The longest line in characters, for Braille displays; 0 for any length.
    pub braille_width: usize,
}

/// The pages for browsers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PageSettings {
    /// Whether they are served.
    pub serve: bool,
    /// The address of this computer, with or without a port. By default only this computer reaches
    /// the pages.
    pub address: Option<String>,
    /// The delay in minutes after which an audience sees the game, if the arbiter allows it. By
    /// default there is no page for an audience.
    pub audience_after_minutes: Option<u32>,
}

fn unreadable(path: &Path, why: &(impl AsValue + Display)) -> Error {
    error!(
        BadInput,
        SettingsUnreadable,
        path = path.display(),
        why = why
    )
    .about(
        Fault::new(Part::Settings, Reason::Unreadable, Remedy::CorrectSettings)
            .with(format!("{}: {why}", path.display())),
    )
}

impl Settings {
    /// Reads the named settings file, or else the user's, which need not exist.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Usage` with file and line if something in it is unknown or wrong;
    /// `ErrorKind::BadInput` if a named file cannot be read.
    pub fn load(named: Option<&Path>) -> Result<Self> {
        let path = match named {
            Some(path) => path.to_path_buf(),
            None => folders::settings_file()?,
        };
        if fs::metadata(&path).is_ok_and(|it| !it.is_file() || it.len() > MOST_BYTES) {
            // Reading a pipe or a device might never end.
            let why = sentence!(SettingsNoFile, megabytes = MOST_BYTES / 1_000_000);
            return Err(unreadable(&path, &why));
        }
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).map_err(|(line, why)| {
                error!(Usage, AtLine, path = path.display(), line = line, why = why).about(
                    Fault::new(Part::Settings, Reason::Wrong, Remedy::CorrectSettings)
                        .with(format!("{}:{line}: {why}", path.display())),
                )
            }),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
                Self::parse("").map_err(|(_, why)| Error::of(ErrorKind::Usage, why))
            }
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    /// Parses settings. A game is a club game by default, and only a rated game has an arbiter by
    /// default.
    ///
    /// # Errors
    ///
    /// A line, counted from 1, and what is wrong in it: an unknown setting or an impossible value.
    pub fn parse(text: &str) -> std::result::Result<Self, (usize, Sentence)> {
        let mut settings: Self = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start).unwrap_or(text);
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            (line, told_of_toml(text, &error))
        })?;
        let table: toml::Table = toml::from_str(text).unwrap_or_default();
        let says = |key: &str| {
            table
                .get("game")
                .is_some_and(|game| game.get(key).is_some())
        };
        if !says("mode") {
            settings.game.mode = Mode::Club;
        }
        settings.says_type = says("game_type");
        if !says("arbiter") {
            settings.game.arbiter = settings.game.mode == Mode::Rated;
        }
        // A finger slips as easily as a tongue.
        settings.game.asks_back.get_or_insert(AsksBack::Always);
        if !says("signed_by_voice") {
            settings.game.signed_by_voice = true;
        }
        check::check(text, &settings)?;
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Brevity;

    #[track_caller]
    fn check_error(text: &str, line: usize, part: &str) {
        let (found, why) = Settings::parse(text).unwrap_err();
        assert_eq!(found, line, "{why}");
        assert!(why.to_string().contains(part), "{why}");
    }

    #[test]
    fn without_a_word_it_is_a_club_game_without_arbiter() {
        let settings = Settings::parse("").unwrap();
        assert_eq!(settings.game.mode, Mode::Club);
        assert!(!settings.game.arbiter);
        assert_eq!(settings.game.asks_back, Some(AsksBack::Always));
        let text = "[game]\nmode = \"rated\"\nasks_back = \"spoken\"";
        let rated = Settings::parse(text).unwrap();
        assert!(rated.game.arbiter);
        assert_eq!(rated.game.asks_back, Some(AsksBack::Spoken));
    }

    #[test]
    fn settings_say_who_plays_what_and_with_which_devices() {
        let settings = Settings::parse(
            r#"
            [game]
            time_control = "15m+10s"
            mode = "club"
            [game.sides.white]
            name = "Eva"
            visually_disabled = true
            brevity = "brief"
            [voice.ear.white]
            voice = "system"
            rate_percent = 140
            [text]
            braille_width = 40
            "#,
        )
        .unwrap();
        let white = &settings.game.sides.white;
        assert_eq!(
            (white.name.as_str(), white.brevity),
            ("Eva", Brevity::Brief)
        );
        let speaker = settings.voice.for_speaker(GameType::Standard);
        assert_eq!(speaker.ears.white.unwrap().rate_percent, 140);
        assert_eq!(settings.text.braille_width, 40);
    }

    #[test]
    fn the_table_is_spoken_to_faster_in_rapid_and_blitz() {
        let rates = |text: &str| {
            let voice = Settings::parse(text).unwrap().voice;
            [GameType::Standard, GameType::Rapid, GameType::Blitz]
                .map(|game_type| voice.for_speaker(game_type).table.rate_percent)
        };
        assert_eq!(rates(""), [100, 125, 150]);
        assert_eq!(rates("[voice.table]\nrate_percent = 140"), [140, 140, 150]);
        assert_eq!(rates("[voice]\nblitz_rate_percent = 110"), [100, 125, 110]);
        check_error("[voice]\nrapid_rate_percent = 300\n", 2, "50 to 250");
    }

    #[test]
    fn a_typo_is_named_with_its_line() {
        check_error("[game]\nmode = \"clubb\"\n", 2, "clubb");
        check_error("\n\n[divices]\n", 3, "divices");
        check_error("[text]\nbraille_with = 40\n", 2, "braille_with");
        check_error("[game]\ntime_control = \"ninety\"\n", 2, "ninety");
        check_error("[game\n", 1, "");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "\\PC{0,200}") {
            let _ = Settings::parse(&text);
        }
    }
}
