//! The language in which a command answers: the one that the command line asks for, else that of
//! the settings, else that of the system; English where there is no such language. Above them all
//! is ANNEXD_LANGUAGE.

use std::sync::OnceLock;

use super::data;
use super::screen;
use super::settings::Settings;
use crate::phrases::{Language, Sentence};

/// The variable of the environment that says it, for whoever wants another language than the
/// table's.
pub const VARIABLE: &str = "ANNEXD_LANGUAGE";

/// What was asked for.
static ASKED: OnceLock<Option<String>> = OnceLock::new();
/// The language, read when it is first needed.
static TONGUE: OnceLock<Option<Language>> = OnceLock::new();

/// Notes the language that the command line asks for. Only the first counts.
pub(super) fn ask_for(code: Option<String>) {
    let _ = ASKED.set(code);
}

/// The language to answer in; none for English where its files are missing.
pub fn language() -> Option<&'static Language> {
    TONGUE
        .get_or_init(|| data::language(&code()?).ok())
        .as_ref()
}

/// A sentence in the language to answer in.
pub fn text(sentence: &Sentence) -> String {
    match language() {
        Some(language) => language.sentence(sentence),
        None => sentence.to_string(),
    }
}

/// Prints a sentence in the language to answer in.
pub fn show(sentence: &Sentence) {
    screen::print(&text(sentence));
}

/// The code of the language, whether there is one or not.
pub fn code() -> Option<String> {
    let said = std::env::var(VARIABLE).ok().filter(|it| !it.is_empty());
    let of_settings = || {
        let settings = Settings::load(None).ok()?;
        settings.text.language.or(settings.game.table_language)
    };
    let of_system = || {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
        let mut values = names.iter().filter_map(|name| std::env::var(name).ok());
        let locale = values.find(|value| !value.is_empty())?;
        Some(
            locale
                .chars()
                .take_while(char::is_ascii_lowercase)
                .collect(),
        )
    };
    let asked = ASKED.get().cloned().flatten();
    said.or(asked).or_else(of_settings).or_else(of_system)
}
