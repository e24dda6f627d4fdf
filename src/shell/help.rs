//! The output of `--help` and `--version`.

use std::sync::LazyLock;

use clap::Command;
use serde::Deserialize;

use crate::score::read_page;
use crate::shell::config::data;

/// The text of `annexd --help`, and the note that all other help is in English:
/// `grammar/<language>/help.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HelpWords {
    overview: String,
    /// The note that the help of a command is in English.
    pub(super) english: String,
}

impl HelpWords {
    /// The words of a language, if it has them.
    pub(super) fn of(language: &str) -> Option<Self> {
        Self::parse(&data::grammar_text(language, "help.toml").ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        read_page(text).ok()
    }

    /// The overview as it is shown. It fits a screen of 24 lines and 80 columns.
    pub(super) fn overview(&self) -> String {
        self.overview.replace('`', "")
    }
}

/// The overview in English, built into the program.
static OVERVIEW: LazyLock<String> = LazyLock::new(|| {
    let words = HelpWords::parse(include_str!("../../grammar/en/help.toml"));
    words.map_or_else(String::new, |words| words.overview())
});

/// The most common use of each command, which is the first line of its help.
const EXAMPLES: [(&str, &str); 39] = [
    ("play", "annexd play"),
    ("practice", "annexd practice --strength beginner"),
    ("practice lichess", "annexd practice lichess --seek"),
    ("learn", "annexd learn"),
    ("resume", "annexd resume"),
    ("games", "annexd games"),
    ("show", "annexd show"),
    ("listen", "annexd listen move.wav"),
    ("eval", "annexd eval manifest.tsv"),
    ("model", "annexd model list"),
    ("model list", "annexd model list"),
    ("model check", "annexd model check"),
    ("model use", "annexd model use bundled"),
    ("model fetch", "annexd model fetch vosk-model-small-de-0.15"),
    ("enrol", "annexd enrol"),
    ("record-kit", "annexd record-kit recordings"),
    ("say", "annexd say Nf3"),
    ("check", "annexd check"),
    ("demo", "annexd demo"),
    ("console", "annexd console --role arbiter"),
    ("board", "annexd board watch auto"),
    ("board replay", "annexd board replay --kind dgt bytes.cap"),
    ("board watch", "annexd board watch auto"),
    (
        "board simulate",
        "annexd board simulate --kind dgt --game game.pgn",
    ),
    ("clock", "annexd clock watch auto"),
    ("clock watch", "annexd clock watch auto"),
    ("clock set", "annexd clock set auto 1:30:00 1:30:00"),
    ("score", "annexd score show sheet.txt"),
    (
        "score import",
        "annexd score import sheet.txt --output score.json",
    ),
    (
        "score export",
        "annexd score export score.json --format brf",
    ),
    ("score show", "annexd score show sheet.txt"),
    ("score dictate", "annexd score dictate --output score.json"),
    (
        "score mark",
        "annexd score mark score.json --suspended-from 41w",
    ),
    ("score sign", "annexd score sign score.json --side white"),
    (
        "reconcile",
        "annexd reconcile --player sheet.txt --opponent game.pgn",
    ),
    ("run", "annexd run evening.game"),
    ("law", "annexd law D.2.9"),
    ("manual", "annexd manual player"),
    ("verify", "annexd verify"),
];

/// The command line with its help: the overview, an example first in the help of each command, and
/// the common options last.
pub(super) fn with_help(command: Command) -> Command {
    EXAMPLES
        .iter()
        .fold(command, |command, (path, example)| {
            let path: Vec<&str> = path.split(' ').collect();
            with_example(command, &path, example)
        })
        .override_help(OVERVIEW.as_str())
}

fn with_example(command: Command, path: &[&str], example: &str) -> Command {
    match path.split_first() {
        None => command.help_template(format!(
            "{{about-with-newline}}\nExample: {example}\n\n\
             {{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}"
        )),
        // A build without some part lacks its commands.
        Some((first, _)) if command.find_subcommand(first).is_none() => command,
        Some((first, rest)) => {
            command.mut_subcommand(first, |command| with_example(command, rest, example))
        }
    }
}

/// The output of `--version`: everything that determines what this program does.
pub(super) fn version() -> String {
    format!(
        "{}\nhearing model: {}\nlibvosk: {}",
        build_parts().join("\n"),
        models(),
        recogniser(),
    )
}

/// What was built, in one line.
pub(super) fn build() -> String {
    build_parts().join("; ")
}

fn build_parts() -> [String; 4] {
    let commit = option_env!("ANNEXD_COMMIT").unwrap_or("unknown");
    [
        env!("CARGO_PKG_VERSION").to_owned(),
        format!("commit: {commit}"),
        format!("target: {}", env!("ANNEXD_TARGET")),
        format!("parts: {}", parts()),
    ]
}

/// The bundled hearing models with their versions.
fn models() -> String {
    let languages = data::languages().unwrap_or_default();
    let models: Vec<String> = languages
        .iter()
        .filter_map(|language| data::model_version(language))
        .collect();
    if models.is_empty() {
        "none".to_owned()
    } else {
        models.join(", ")
    }
}

/// The features with which this program was built.
fn parts() -> String {
    let parts = [
        ("audio", cfg!(feature = "audio")),
        ("recognizer", cfg!(feature = "recognizer")),
        ("voice", cfg!(feature = "voice")),
        ("gamepad", cfg!(feature = "gamepad")),
        ("serial", cfg!(feature = "serial")),
        ("page", cfg!(feature = "page")),
    ];
    let there: Vec<&str> = parts.iter().filter(|it| it.1).map(|it| it.0).collect();
    if there.is_empty() {
        return "none".to_owned();
    }
    there.join(", ")
}

#[cfg(feature = "recognizer")]
fn recogniser() -> String {
    let file = crate::shell::hearing::libvosk::file();
    file.map_or_else(|| "none".to_owned(), |it| it.display().to_string())
}

#[cfg(not(feature = "recognizer"))]
fn recogniser() -> String {
    "none".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::cli;

    /// Every command that does something, as the words that lead to it.
    fn paths(command: &Command, before: &str) -> Vec<String> {
        let inner = command
            .get_subcommands()
            .filter(|it| it.get_name() != "help");
        inner
            .flat_map(|it| {
                let path = format!("{before} {}", it.get_name())
                    .trim_start()
                    .to_owned();
                let mut all = paths(it, &path);
                all.push(path);
                all
            })
            .collect()
    }

    #[test]
    fn every_command_begins_its_help_with_an_example_that_can_be_typed() {
        let command = cli::command();
        for path in paths(&command, "") {
            let example = EXAMPLES.iter().find(|it| it.0 == path);
            let (_, example) = example.unwrap_or_else(|| panic!("{path} has no example"));
            let typed = example.split(' ');
            let read = command.clone().try_get_matches_from(typed);
            assert!(read.is_ok(), "{example}: {:?}", read.err());
            let first = path.split(' ').next().unwrap_or_default();
            assert!(example.split(' ').nth(1) == Some(first), "{example}");
        }
        assert!(EXAMPLES.len() >= paths(&command, "").len());
    }

    #[test]
    fn the_overview_names_every_command_and_fits_a_screen_in_every_language() {
        for code in data::languages().unwrap() {
            let overview = HelpWords::of(&code).unwrap().overview();
            for command in cli::command().get_subcommands() {
                let name = command.get_name();
                let mut words = overview.split(|sign: char| sign != '-' && !sign.is_alphabetic());
                assert!(words.any(|word| word == name), "{code}: {name}");
            }
            assert!(overview.lines().count() <= 23, "{code}");
            let is_narrow = |line: &str| line.chars().count() <= 79;
            assert!(overview.lines().all(is_narrow), "{code}");
        }
        assert!(OVERVIEW.starts_with("annexd plays"));
    }
}
