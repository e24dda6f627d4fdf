//! `annexd check --bundle`: everything needed for finding a fault, in one file that anybody can
//! read before passing it on.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::game::Profile;
use crate::journal::{Body, Entry};
use crate::shell::config::folders;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Result, error, sentence};
use crate::shell::record::{catalogue, store};
use crate::shell::{diary, help};

/// Keys of names: of people, places, events, files and games on a server, and what the arbiter
/// approved.
const NAMED: [&str; 7] = ["name", "site", "by", "scope", "arbiter", "game", "key_file"];

/// Shorter parts of names could be ordinary words.
const NAME_LEAST: usize = 3;

/// The text put in place of names.
const LEFT_OUT: &str = "(left out)";

/// What goes into the bundle.
pub(super) struct Bundle<'a> {
    /// What was found about each part, one JSON object each.
    pub findings: Vec<String>,
    /// The settings as they were read, and their file.
    pub settings: &'a Settings,
    /// The settings file, if not the usual one.
    pub settings_file: Option<&'a Path>,
    /// Whether names and everything that was said are included.
    pub names: bool,
}

impl Bundle<'_> {
    /// Writes the bundle to a new file.
    ///
    /// # Errors
    ///
    /// A file of this name exists, or none can be written.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let text = self.text();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    error!(Usage, ExistsAlready, path = path.display())
                }
                _ => error!(Unwritable, Unwritable, path = path.display(), why = error),
            })
    }

    fn text(&self) -> String {
        let diary = diary::file();
        let pages: String = diary.iter().fold(String::new(), |text, path| {
            let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
            text + &read(&diary::older(path)) + &read(path)
        });
        let (last_game, profile) = self.last_game();
        let text: String = [
            ("program", help::version()),
            ("parts", self.findings.join("\n")),
            ("settings", self.settings_text()),
            ("diary", pages),
            ("last game", last_game),
        ]
        .into_iter()
        .map(|(name, text)| format!("== {name} ==\n{}\n\n", text.trim_end()))
        .collect();
        if self.names {
            return text;
        }
        let home = std::env::home_dir().unwrap_or_default();
        let text = match home.as_os_str().len() {
            0 | 1 => text,
            _ => text.replace(&*home.to_string_lossy(), "~"),
        };
        let mut names = names_in(&self.settings.game);
        names.extend(profile.iter().flat_map(names_in));
        without(&text, &names)
    }

    /// The settings without comments, which may contain names too.
    fn settings_text(&self) -> String {
        let usual = folders::settings_file().ok();
        let Some(path) = self.settings_file.or(usual.as_deref()) else {
            return String::new();
        };
        let read = fs::read_to_string(path).ok();
        let values = read.and_then(|text| text.parse::<toml::Table>().ok());
        let Some(mut values) = values.and_then(|it| serde_json::to_value(it).ok()) else {
            return String::new();
        };
        if let (false, Some(game)) = (self.names, values.get_mut("game")) {
            leave_out_names(game);
        }
        serde_json::to_string_pretty(&values).unwrap_or_default()
    }

    /// The record of the last game, reduced to devices and faults or complete; and what was agreed
    /// for the game.
    fn last_game(&self) -> (String, Option<Profile>) {
        let read = catalogue::folder(self.settings)
            .and_then(|folder| catalogue::last(&folder))
            .and_then(|newest| store::read(&newest.path));
        let record = match read {
            Ok(record) => record,
            Err(error) => return (error.to_string(), None),
        };
        let profile = record.entries.iter().find_map(|entry| match &entry.body {
            Body::Opened(opened) => Some(opened.profile.clone()),
            _ => None,
        });
        let entries = record.entries.iter().zip(&record.texts);
        let mut lines: Vec<String> = entries
            .map(|(entry, text)| match self.names && may_be_told(entry) {
                true => text.clone(),
                false => outline(entry),
            })
            .collect();
        let broken = record.broken.map(|broken| format!("{broken}"));
        lines.extend(broken);
        (lines.join("\n"), profile)
    }
}

/// Whether an entry may be included at all: a PIN is soon guessed from its hash.
const fn may_be_told(entry: &Entry) -> bool {
    !matches!(entry.body, Body::Seat { .. })
}

/// The names of people, word by word, because they also occur in names of devices, folders and
/// games.
fn names_in(profile: &Profile) -> BTreeSet<String> {
    let [white, black] = [&profile.sides.white.name, &profile.sides.black.name];
    let approved = profile.device.iter().map(|it| &it.by);
    let adapted = profile.adaptations.iter().map(|it| &it.arbiter);
    let names = [white, black].into_iter().chain(approved).chain(adapted);
    let words = names.flat_map(|name| name.split(|it: char| !it.is_alphanumeric()));
    let words = words.filter(|word| word.chars().count() >= NAME_LEAST);
    words.map(str::to_owned).collect()
}

/// A text without these words.
fn without(text: &str, words: &BTreeSet<String>) -> String {
    let parts = text.split_inclusive(|it: char| !it.is_alphanumeric());
    parts.fold(String::new(), |text, part| {
        let word = part.trim_end_matches(|it: char| !it.is_alphanumeric());
        match words.contains(word) {
            true => text + LEFT_OUT + part.get(word.len()..).unwrap_or_default(),
            false => text + part,
        }
    })
}

/// An entry without what people said, wrote and decided.
fn outline(entry: &Entry) -> String {
    let mut body = serde_json::to_value(&entry.body).unwrap_or_default();
    let kept = match &entry.body {
        Body::Opened(_) => {
            leave_out_names(&mut body);
            body
        }
        Body::Step { input, effects } => {
            let input = match devices_or_faults(body["step"]["input"].take()) {
                Some(whole) => whole,
                None => kind(&serde_json::to_value(input).unwrap_or_default()),
            };
            serde_json::json!({ "step": input, "effects": effects.len() })
        }
        Body::Told(phrase) => serde_json::json!({ "told": phrase.key }),
        Body::Reach(_) | Body::Resumed { .. } | Body::Gap { .. } | Body::Shed { .. } => body,
        Body::Locked(_) | Body::Sound(_) | Body::Seat { .. } | Body::Note(_) => kind(&body),
    };
    format!("{} {} {kept}", entry.seq, entry.at)
}

/// An input about devices or faults, which no person made by words or decisions.
fn devices_or_faults(input: Value) -> Option<Value> {
    const KINDS: [&str; 12] = [
        "board",
        "pressed",
        "clock_reads",
        "clock_tells",
        "voice",
        "microphone",
        "console",
        "ear",
        "device",
        "failed",
        "machine",
        "program",
    ];
    let is_kept = input
        .as_object()
        .is_some_and(|it| it.keys().all(|key| KINDS.contains(&key.as_str())));
    is_kept.then_some(input)
}

/// The kind of a value and nothing else.
fn kind(value: &Value) -> Value {
    let name = value.as_object().and_then(|it| it.keys().next());
    name.map_or_else(|| value.clone(), |name| Value::from(name.as_str()))
}

fn leave_out_names(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if NAMED.contains(&key.as_str()) && !text.is_empty() => {
                        LEFT_OUT.clone_into(text);
                    }
                    _ => leave_out_names(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(leave_out_names),
        _ => {}
    }
}

/// The message after writing the bundle.
pub(super) fn told_of(path: &Path, names: bool) -> crate::phrases::Sentence {
    if names {
        sentence!(BundleWithNames, path = path.display())
    } else {
        sentence!(BundleWithoutNames, path = path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{PinHash, SeatEvent};
    use crate::moment::Moment;
    use crate::persons::Person;

    #[test]
    fn names_are_left_out_wherever_they_stand() {
        let mut profile = Profile::default();
        profile.sides.white.name = "Anna-Lena de Vries".to_owned();
        profile.sides.black.name = "Bo".to_owned();
        let names = names_in(&profile);
        let text = "AirPods von Anna, ~/Vries/Annabel Lena.pgn, Bo, Anna";
        let expected =
            "AirPods von (left out), ~/(left out)/Annabel (left out).pgn, Bo, (left out)";
        assert_eq!(without(text, &names), expected);
    }

    #[test]
    fn what_is_kept_of_a_pin_is_told_to_nobody() {
        let entry = Entry {
            seq: 7,
            at: Moment::from_ms(5),
            wall_ms: 0,
            body: Body::Seat {
                person: Person::Arbiter,
                event: SeatEvent::PinMade(PinHash {
                    salt: "c2FsdA".to_owned(),
                    hash: "aGFzaA".to_owned(),
                }),
            },
        };
        assert!(!may_be_told(&entry));
        let told = outline(&entry);
        assert!(
            !told.contains("c2FsdA") && !told.contains("aGFzaA"),
            "{told}"
        );
    }
}
