//! `annexd check --bundle`: what whoever looks for a fault needs, in one file that anybody can read
//! before it is passed on.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::journal::{Body, Entry};
use crate::shell::config::folders;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Result, sentence, told};
use crate::shell::record::{catalogue, store};
use crate::shell::{diary, help};

/// Under these keys stand names of people, places and events, and what the arbiter approved.
const NAMED: [&str; 5] = ["name", "site", "by", "scope", "arbiter"];

/// What stands instead of them.
const LEFT_OUT: &str = "(left out)";

/// What is packed.
pub(super) struct Bundle<'a> {
    /// What was found of each part, one JSON object each.
    pub findings: Vec<String>,
    /// The settings as they were read, and their file.
    pub settings: &'a Settings,
    /// Where they stand, if not in the usual place.
    pub settings_file: Option<&'a Path>,
    /// Whether names and all that was said stay in it.
    pub names: bool,
}

impl Bundle<'_> {
    /// Writes it to a new file.
    ///
    /// # Errors
    ///
    /// A file of this name is there already, or none can be written.
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
                    told!(Usage, ExistsAlready, path = path.display())
                }
                _ => told!(Unwritable, Unwritable, path = path.display(), why = error),
            })
    }

    fn text(&self) -> String {
        let diary = diary::file();
        let pages: String = diary.iter().fold(String::new(), |text, path| {
            let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
            text + &read(&diary::older(path)) + &read(path)
        });
        let text: String = [
            ("program", help::version()),
            ("parts", self.findings.join("\n")),
            ("settings", self.settings_text()),
            ("diary", pages),
            ("last game", self.last_game()),
        ]
        .into_iter()
        .map(|(name, text)| format!("== {name} ==\n{}\n\n", text.trim_end()))
        .collect();
        match (self.names, std::env::home_dir()) {
            (false, Some(home)) if home.as_os_str().len() > 1 => {
                text.replace(&*home.to_string_lossy(), "~")
            }
            _ => text,
        }
    }

    /// The settings without comments, in which names may stand too.
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

    /// What the record of the last game says of devices and faults, or all of it.
    fn last_game(&self) -> String {
        let read = catalogue::folder(self.settings)
            .and_then(|folder| catalogue::last(&folder))
            .and_then(|newest| store::read(&newest.path));
        let record = match read {
            Ok(record) => record,
            Err(error) => return error.to_string(),
        };
        let mut lines = match self.names {
            true => record.texts,
            false => record.entries.iter().map(outline).collect(),
        };
        let broken = record.broken.map(|broken| format!("{broken}"));
        lines.extend(broken);
        lines.join("\n")
    }
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

/// An input that no person made by words or decisions.
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

/// What kind of thing it is, and no more.
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

/// What is told when it is written.
pub(super) fn told_of(path: &Path, names: bool) -> crate::phrases::Sentence {
    if names {
        sentence!(BundleWithNames, path = path.display())
    } else {
        sentence!(BundleWithoutNames, path = path.display())
    }
}
