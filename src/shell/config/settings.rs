//! The settings file.

use crate::shell::error::{
    Error, ErrorKind, Fault, Part, Reason, Remedy, Result, Sentence, sentence, told,
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
use crate::shell::speech::voice::{EarconSettings, SpeakerSettings, VoiceSettings};
use crate::shell::told::Told;
use crate::shell::told::told_of_toml;

/// More than anybody writes into his settings, in bytes.
const MOST_BYTES: u64 = 1_000_000;

/// Everything that can be set. What is left out has its usual value; what is unknown is an error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What is agreed for a game.
    pub game: Profile,
    /// Whether the type of game is said; if not it follows from the time control.
    #[serde(skip)]
    pub says_type: bool,
    /// Which devices are used.
    pub devices: Devices,
    /// What the buttons of the gamepad do where it is not as in `assets/controls.toml`.
    pub gamepad: BTreeMap<String, String>,
    /// What letters that are typed alone do where it is not as in `assets/controls.toml`.
    pub keys: BTreeMap<String, String>,
    /// How everything sounds.
    pub voice: Voices,
    /// What is kept.
    pub record: RecordSettings,
    /// How text is shown.
    pub text: TextSettings,
    /// The pages for browsers.
    pub page: PageSettings,
}

/// Which devices are used, each by a name that `annexd check` prints. What is not named is the
/// system's own choice; `none` switches a part off.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Devices {
    /// The microphone of each side that has one, by side (`white`, `black`) or `shared`.
    pub microphone: BTreeMap<String, String>,
    /// The electronic board of each side, by side: `dgt:/dev/ttyACM0`, `tactum:/dev/ttyUSB0`, a
    /// port alone, or `auto`. What is not said is found out.
    pub board: BTreeMap<String, String>,
    /// Which way round that board lies, by side: `normal` if White sits at its first rank,
    /// `rotated` if at its eighth, `auto` if it is to be found out. A board that tells its pieces
    /// apart shows it at the start position, a Tactum or Sentio with the first move.
    pub orientation: BTreeMap<String, Lies>,
    /// The chessclock, as for `annexd clock`.
    pub clock: Option<String>,
    /// Whose gamepad is used: `white`, `black`, `white assistant`, `black assistant` or
    /// `arbiter`; `none` for nobody's. If not set, that of the player who is visually disabled.
    pub gamepad: Option<String>,
    /// Whose Braille display BRLTTY drives: `white`, `black`, or `none` for nobody's. If not set,
    /// that of the player who is visually disabled.
    pub braille: Option<String>,
}

/// Which way round a board lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lies {
    /// It is found out.
    #[default]
    Auto,
    /// White sits at its first rank.
    Normal,
    /// White sits at its eighth rank.
    Rotated,
}

impl Lies {
    /// How it lies, where that is said.
    pub const fn orientation(self) -> Option<Orientation> {
        match self {
            Self::Auto => None,
            Self::Normal => Some(Orientation::Normal),
            Self::Rotated => Some(Orientation::Rotated),
        }
    }
}

/// How everything sounds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Voices {
    /// What both players hear.
    pub table: VoiceSettings,
    /// How fast it is said in rapid chess, in percent; 125 if not set, and never slower than else.
    pub rapid_rate_percent: Option<u32>,
    /// The same in blitz: 150 if not set.
    pub blitz_rate_percent: Option<u32>,
    /// What each player hears alone: `white`, `black`. A side that is not named has none.
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
    /// The same for the speaker, in a game of this type: who has little time hears the table
    /// faster.
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

/// How fast the table is spoken to in rapid chess and blitz unless it is set, in percent.
const RAPID_RATE: u32 = 125;
const BLITZ_RATE: u32 = 150;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecordSettings {
    /// The folder of the games, if not the usual one.
    pub folder: Option<PathBuf>,
    /// Whether the time for which the program was dead is charged to the clock that ran.
    pub charge_time_away: bool,
    /// How many megabytes one game may take; beyond that it is as if the disk were full.
    pub mb_max: u64,
    /// Whether the sound of utterances is kept, of those who have agreed to it.
    pub sound: bool,
    /// How many megabytes the sound of one game may take; beyond that the oldest is deleted.
    pub sound_mb_max: u64,
    /// After how many days the sound of a game is deleted; 0: never.
    pub sound_days: u64,
}

impl RecordSettings {
    /// What is kept of the players' voices, in sentences.
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

/// How text is shown.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextSettings {
    /// The language of what is typed, read and privately heard; the table's language if not set.
    pub language: Option<String>,
    /// The longest line, for Braille displays; 0 for any.
    pub braille_width: usize,
}

/// The pages for browsers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PageSettings {
    /// Whether they are served.
    pub serve: bool,
    /// Where: an address of this computer, with a port or without. If not set, this computer alone
    /// reaches them.
    pub address: Option<String>,
    /// An audience sees what happened so many minutes ago, if the arbiter allows it. If not set,
    /// there is no page for it.
    pub audience_after_minutes: Option<u32>,
}

fn unreadable(path: &Path, why: &(impl Told + Display)) -> Error {
    told!(
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
    /// Reads the settings file named, or else the user's, which need not be there.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Usage` with file and line if something in it is unknown or wrong;
    /// `ErrorKind::BadInput` if a file that was named cannot be read.
    pub fn load(named: Option<&Path>) -> Result<Self> {
        let path = match named {
            Some(path) => path.to_path_buf(),
            None => folders::settings_file()?,
        };
        if fs::metadata(&path).is_ok_and(|it| !it.is_file() || it.len() > MOST_BYTES) {
            // A pipe would be waited for, and a device read, without end.
            let why = sentence!(SettingsNoFile, megabytes = MOST_BYTES / 1_000_000);
            return Err(unreadable(&path, &why));
        }
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).map_err(|(line, why)| {
                told!(Usage, AtLine, path = path.display(), line = line, why = why).about(
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

    /// Reads settings from text. A game without a word about it is a club game, and only a rated
    /// game has an arbiter unless it says otherwise. The error is a line, counted from 1, and what
    /// is wrong there.
    ///
    /// # Errors
    ///
    /// For everything that is no setting, and every value that cannot be.
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
