//! Moves the answers of a set-up to and from the settings. Earlier settings are offered, and the
//! answers are written into the settings file, where everything else stays unchanged.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use shakmaty::Color;
use toml_edit::{DocumentMut, Item, Table, Value, value};

use crate::board::Orientation;
use crate::game::{ClockKind, Duty, Microphones};
use crate::set_up::{
    Answers, Disabled, Ears, Languages, OthersMicrophone, Pair, Terms, Voice, Whose,
};
use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::config::language;
use crate::shell::config::language::{chosen_language, language_of};
use crate::shell::config::settings::Settings;
use crate::shell::error::{Error, Result, error};
use crate::shell::record::access::private_file;
use crate::shell::record::seal::sync_folder;
use crate::shell::speech::voice::{Clips, VoiceKind, has_system_voice};

/// The language in which the set-up begins: ANNEXD_LANGUAGE, the configured one, or the system's,
/// if it can be spoken here. A player who cannot see must hear the first question.
fn begun_in(settings: &Settings, has_devices: bool) -> String {
    let is_there = |code: &String| data::language(code).is_ok();
    let can_be_said =
        |code: &String| !has_devices || has_system_voice() || Clips::open(code).is_ok();
    language::of_environment()
        .filter(is_there)
        .or_else(|| chosen_language(settings))
        .or_else(|| language::of_system().filter(is_there).filter(can_be_said))
        .unwrap_or_else(|| language_of(settings))
}

/// The side of the player who sets up, and who is visually disabled.
fn own_side(settings: &Settings) -> (Color, Disabled) {
    let game = &settings.game;
    let is_disabled = |side| game.is_visually_disabled(side);
    let own_side = match (is_disabled(Color::White), is_disabled(Color::Black)) {
        (true, false) => Color::White,
        (false, true) => Color::Black,
        // Only he is remembered by his name.
        _ if game.sides.white.name.is_empty() && !game.sides.black.name.is_empty() => Color::Black,
        _ => Color::White,
    };
    let disabled = match (is_disabled(own_side), is_disabled(!own_side)) {
        (true, false) => Disabled::Own,
        (true, true) => Disabled::Both,
        (false, true) => Disabled::Other,
        (false, false) => Disabled::Neither,
    };
    (own_side, disabled)
}

/// The answers that the settings already give.
pub fn answers_of(settings: &Settings, has_devices: bool) -> Answers {
    let game = &settings.game;
    let (own_side, disabled) = own_side(settings);
    let ear = match own_side {
        Color::White => &settings.voice.ear.white,
        Color::Black => &settings.voice.ear.black,
    };
    let table = &settings.voice.table;
    let voice = ear.as_ref().unwrap_or(table);
    let board = |side| {
        let place = settings.devices.board.get(name_of(side)).cloned();
        place.filter(|place| place != "none")
    };
    let orientation = |side| {
        let lies = settings.devices.orientation.get(name_of(side));
        lies.and_then(|lies| lies.orientation())
    };
    let microphone = |key: &str| settings.devices.microphone.get(key).cloned();
    let key = |side| microphone(name_of(side));
    let shared = microphone("shared");
    let others_microphone = match key(!own_side) {
        Some(name) => OthersMicrophone::Own(name),
        None if shared.is_some() => OthersMicrophone::Shared,
        None => OthersMicrophone::None,
    };
    let sides = &game.sides;
    Answers {
        languages: Languages {
            own: begun_in(settings, has_devices),
            table: game.table_language.clone(),
        },
        voice: Voice {
            is_system: voice.voice == VoiceKind::System,
            rate_percent: voice.rate_percent,
            pitch_percent: voice.pitch_percent,
            loudness_percent: voice.loudness_percent,
        },
        ears: Ears {
            own: ear.as_ref().unwrap_or(table).device.clone(),
            is_private: ear.as_ref().is_none_or(|ear| ear.private != Some(false)),
            table: table.device.clone(),
            other: None,
        },
        own_microphone: shared.or_else(|| key(own_side)),
        others_microphone,
        own_side,
        disabled,
        has_assistant: Pair {
            own: !sides[own_side].duties.is_empty(),
            other: !sides[!own_side].duties.is_empty(),
        },
        boards: Pair {
            own: board(own_side),
            other: board(!own_side),
        },
        orientations: Pair {
            own: orientation(own_side),
            other: orientation(!own_side),
        },
        terms: Terms {
            edition: game.edition,
            time_control: game.time_control.clone(),
            by_chessclock: game.clock == ClockKind::Read,
            mode: game.mode,
        },
        arbiter: game.arbiter,
        names: Pair {
            own: sides[own_side].name.clone(),
            other: sides[!own_side].name.clone(),
        },
        // The opponent may be another one.
        consents: Pair {
            own: sides[own_side].consents_to_recording,
            other: false,
        },
        approval: None,
    }
}

/// The settings with what applies to one game only: the opponent's name, and his consent.
pub fn with_answers(mut settings: Settings, answers: &Answers) -> Settings {
    for whose in Whose::BOTH {
        let side = &mut settings.game.sides[answers.side(whose)];
        side.name.clone_from(&answers.names[whose]);
        side.consents_to_recording = answers.consents[whose];
    }
    settings
}

/// Writes the answers into the settings file.
pub(super) fn write(named: Option<&Path>, answers: &Answers) -> Result<()> {
    let path = match named {
        Some(path) => path.to_path_buf(),
        None => folders::settings_file()?,
    };
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(unwritable(&path, &error)),
    };
    let after = kept(&before, answers)
        .map_err(|why| error!(BadInput, SettingsWrong, path = path.display(), why = why))?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| unwritable(&path, &error))?;
    }
    // If the settings file is a link, its target is written.
    let path = fs::canonicalize(&path).unwrap_or(path);
    replace(&path, after.as_bytes()).map_err(|error| unwritable(&path, &error))
}

/// Replaces the settings file only when the new one is complete. Names, disabilities and consents
/// are in it, so nobody else can read it.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let new = PathBuf::from(format!("{}.new", path.display()));
    let _ = fs::remove_file(&new);
    let mut file = private_file(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    sync_folder(path)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    error!(
        Unwritable,
        SettingsUnwritable,
        path = path.display(),
        why = error
    )
}

/// The text of a settings file with these answers. Comments and all other settings stay.
///
/// # Errors
///
/// What is wrong with the text, in one sentence without its full stop.
pub fn kept(text: &str, answers: &Answers) -> std::result::Result<String, String> {
    let page: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| error.message().trim_end_matches('.').to_owned())?;
    let mut page = SettingsDocument(page);
    page.put(&["game", "edition"], answers.terms.edition.name());
    match &answers.terms.time_control {
        Some(control) => page.put(&["game", "time_control"], control.to_string()),
        None => page.remove(&["game", "time_control"]),
    }
    page.put(&["game", "mode"], json_word(&answers.terms.mode));
    page.put(&["game", "arbiter"], answers.arbiter);
    let is_shared = answers.others_microphone == OthersMicrophone::Shared;
    let microphones = if is_shared {
        Microphones::Shared
    } else {
        Microphones::Own
    };
    page.put(&["game", "microphones"], json_word(&microphones));
    page.put(&["text", "language"], answers.languages.own.as_str());
    match &answers.languages.table {
        Some(language) => page.put(&["game", "table_language"], language.as_str()),
        None => page.remove(&["game", "table_language"]),
    }
    for whose in Whose::BOTH {
        keep_side(&mut page, answers, whose);
    }
    keep_boards(&mut page, answers);
    keep_microphones(&mut page, answers, is_shared);
    keep_voices(&mut page, answers);
    Ok(page.0.to_string())
}

fn keep_side(page: &mut SettingsDocument, answers: &Answers, whose: Whose) {
    let side = ["game", "sides", name_of(answers.side(whose))];
    let at = |key: &'static str| [side[0], side[1], side[2], key];
    page.put(&at("visually_disabled"), answers.disabled.is(whose));
    if !answers.has_assistant[whose] {
        page.remove(&at("duties"));
    } else if !page.has(&at("duties")) {
        let duties: toml_edit::Array = Duty::ALL.iter().map(json_word).collect();
        page.put(&at("duties"), duties);
    }
    if whose == Whose::Own {
        page.put(&at("name"), answers.names.own.as_str());
        page.put(&at("consents_to_recording"), answers.consents.own);
    } else {
        page.remove(&at("name"));
        page.remove(&at("consents_to_recording"));
    }
}

/// Enters the boards and their clock. In a room with none connected, earlier settings stay.
fn keep_boards(page: &mut SettingsDocument, answers: &Answers) {
    for whose in Whose::BOTH {
        let side = name_of(answers.side(whose));
        if let Some(port) = &answers.boards[whose] {
            page.put(&["devices", "board", side], port.as_str());
            let lies = match answers.orientations[whose] {
                None => "auto",
                Some(Orientation::Normal) => "normal",
                Some(Orientation::Rotated) => "rotated",
            };
            page.put(&["devices", "orientation", side], lies);
        } else {
            page.remove(&["devices", "board", side]);
            page.remove(&["devices", "orientation", side]);
        }
    }
    if answers.terms.by_chessclock {
        page.put(&["game", "clock"], json_word(&ClockKind::Read));
    } else if page.has(&["game", "clock"]) && answers.boards != Pair::default() {
        page.put(&["game", "clock"], json_word(&ClockKind::Program));
    }
}

fn keep_microphones(page: &mut SettingsDocument, answers: &Answers, is_shared: bool) {
    // A player who types in a room without microphones may have one tomorrow.
    let Some(name) = &answers.own_microphone else {
        return;
    };
    for key in ["white", "black", "shared"] {
        page.remove(&["devices", "microphone", key]);
    }
    let own = if is_shared {
        "shared"
    } else {
        name_of(answers.own_side)
    };
    page.put(&["devices", "microphone", own], name.as_str());
    if let OthersMicrophone::Own(name) = &answers.others_microphone {
        let other = name_of(!answers.own_side);
        page.put(&["devices", "microphone", other], name.as_str());
    }
}

fn keep_voices(page: &mut SettingsDocument, answers: &Answers) {
    let (own, other) = (name_of(answers.own_side), name_of(!answers.own_side));
    let Some(own_ear) = &answers.ears.own else {
        return;
    };
    let table = answers.ears.table_or_own().unwrap_or(own_ear);
    page.put(&["voice", "table", "device"], table.as_str());
    let rate = i64::from(answers.voice.rate_percent);
    page.put(&["voice", "table", "rate_percent"], rate);
    let sounds = [
        ("pitch_percent", answers.voice.pitch_percent),
        ("loudness_percent", answers.voice.loudness_percent),
    ];
    let voice = if answers.voice.is_system {
        VoiceKind::System
    } else {
        VoiceKind::Clips
    };
    if answers.disabled.is(Whose::Own) {
        page.put(&["voice", "ear", own, "voice"], json_word(&voice));
        for (key, percent) in sounds {
            page.put(&["voice", "ear", own, key], i64::from(percent));
        }
        page.put(&["voice", "ear", own, "device"], own_ear.as_str());
        let is_private = !answers.ears.is_shared();
        page.put(&["voice", "ear", own, "private"], is_private);
        page.put(&["voice", "ear", own, "rate_percent"], rate);
    } else {
        page.remove(&["voice", "ear", own]);
    }
    match &answers.ears.other {
        Some(ear) if answers.disabled.is(Whose::Other) => {
            page.put(&["voice", "ear", other, "device"], ear.as_str());
            page.put(&["voice", "ear", other, "private"], ear != table);
        }
        _ => page.remove(&["voice", "ear", other]),
    }
}

const fn name_of(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The word for a value in the settings.
fn json_word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The text of the settings, to be changed key by key.
struct SettingsDocument(DocumentMut);

impl SettingsDocument {
    fn put(&mut self, path: &[&str], new: impl Into<Value>) {
        let Some((last, tables)) = path.split_last() else {
            return;
        };
        let mut item = self.0.as_item_mut();
        for name in tables {
            let Some(table) = item.as_table_like_mut() else {
                return;
            };
            item = table.entry(name).or_insert_with(|| {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            });
        }
        if let Some(table) = item.as_table_like_mut() {
            match table.get_mut(last).and_then(Item::as_value_mut) {
                // What surrounds the old value, such as a comment, stays.
                Some(old) => {
                    let around = old.decor().clone();
                    *old = new.into();
                    *old.decor_mut() = around;
                }
                None => {
                    table.insert(last, value(new));
                }
            }
        }
    }

    fn has(&self, path: &[&str]) -> bool {
        let mut item = self.0.as_item();
        path.iter().all(|name| match item.get(name) {
            Some(inner) => {
                item = inner;
                true
            }
            None => false,
        })
    }

    fn remove(&mut self, path: &[&str]) {
        let Some((last, tables)) = path.split_last() else {
            return;
        };
        let mut item = self.0.as_item_mut();
        for name in tables {
            // Indexing a missing item would create it.
            match item
                .as_table_like_mut()
                .and_then(|table| table.get_mut(name))
            {
                Some(inner) => item = inner,
                None => return,
            }
        }
        if let Some(table) = item.as_table_like_mut() {
            table.remove(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Mode;
    use crate::laws::Edition;

    fn all_different() -> Answers {
        Answers {
            languages: Languages {
                own: "en".to_owned(),
                table: Some("en".to_owned()),
            },
            voice: Voice {
                rate_percent: 125,
                ..Voice::default()
            },
            ears: Ears {
                own: Some("headset".to_owned()),
                is_private: true,
                table: Some("box".to_owned()),
                other: Some("second".to_owned()),
            },
            own_microphone: Some("left".to_owned()),
            others_microphone: OthersMicrophone::Own("right".to_owned()),
            own_side: Color::Black,
            disabled: Disabled::Both,
            has_assistant: Pair {
                own: true,
                other: false,
            },
            terms: Terms {
                edition: Edition::E2014,
                time_control: "90m+30s".parse().ok(),
                by_chessclock: false,
                mode: Mode::Rated,
            },
            arbiter: true,
            names: Pair {
                own: "Anna".to_owned(),
                other: "Bella".to_owned(),
            },
            consents: Pair {
                own: true,
                other: true,
            },
            ..Answers::default()
        }
    }

    #[test]
    fn answers_are_kept_and_offered_again() {
        let answers = all_different();
        let text = kept("", &answers).unwrap();
        let settings = Settings::parse(&text).unwrap();
        let again = answers_of(&settings, false);
        // What applies to one game only is not remembered.
        let mut expected = answers.clone();
        expected.names.other = String::new();
        expected.consents.other = false;
        expected.ears.other = None;
        assert_eq!(again, expected);
        let black = &settings.game.sides.black;
        assert_eq!((black.name.as_str(), black.duties.len()), ("Anna", 6));
        assert!(black.consents_to_recording);
        let white = &settings.game.sides.white;
        assert!(white.name.is_empty() && !white.consents_to_recording);
        let ears = settings
            .voice
            .for_speaker(settings.game.type_by_time())
            .ears;
        assert_eq!(ears.black.unwrap().device.as_deref(), Some("headset"));
        assert_eq!(ears.white.unwrap().device.as_deref(), Some("second"));
        assert_eq!(settings.devices.microphone["black"], "left");
        let now = with_answers(settings, &answers);
        assert_eq!(now.game.sides.white.name, "Bella");
        assert!(now.game.sides.white.consents_to_recording);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_the_settings_and_a_link_to_them_stays_one() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("mine.toml"), folder.path().join("link"));
        fs::write(&file, "# mine\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        symlink(&file, &link).unwrap();
        write(Some(&link), &Answers::default()).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(fs::read_to_string(&file).unwrap().contains("# mine\n"));
    }

    #[test]
    fn what_was_not_asked_stays_with_its_comments() {
        let text = "# mine\n[game]\nedition = \"2009\" # old\nquickplay = true\n\n\
                    [gamepad]\nsouth = \"no\"\n";
        let text = kept(text, &Answers::default()).unwrap();
        for part in [
            "# mine",
            "edition = \"2023\" # old",
            "quickplay = true",
            "south = \"no\"",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(kept("[game", &Answers::default()).is_err());
    }

    #[test]
    fn who_has_no_board_any_more_is_offered_none() {
        let text = "[devices.board]\nwhite = \"dgt:/dev/ttyACM0\"\nblack = \"none\"\n";
        let mut answers = answers_of(&Settings::parse(text).unwrap(), true);
        assert_eq!(answers.boards.own.as_deref(), Some("dgt:/dev/ttyACM0"));
        assert_eq!(answers.boards.other, None);
        let same = Settings::parse(&kept(text, &answers).unwrap()).unwrap();
        assert_eq!(same.devices.board["white"], "dgt:/dev/ttyACM0");
        answers.boards.own = None;
        let without = Settings::parse(&kept(text, &answers).unwrap()).unwrap();
        assert!(without.devices.board.is_empty());
    }

    #[test]
    fn one_loudspeaker_for_all_is_no_private_one() {
        let answers = Answers {
            ears: Ears {
                own: Some("default".to_owned()),
                is_private: false,
                ..Ears::default()
            },
            ..Answers::default()
        };
        let text = kept("", &answers).unwrap();
        let settings = Settings::parse(&text).unwrap();
        assert_eq!(settings.voice.ear.white.unwrap().private, Some(false));
    }
}
