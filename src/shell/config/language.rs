//! The language in which a command answers. ANNEXD_LANGUAGE takes precedence; then come the command
//! line, the settings, and the system; English if none of these is available.

use std::sync::OnceLock;

use super::data;
use super::settings::Settings;
use crate::game::Ending;
use crate::phrases::{Language, Sentence};
use crate::shell::consoles::folded_output;
use crate::shell::consoles::text_outlet::ending_text;

/// The environment variable for users who want another language than the table's.
pub const VARIABLE: &str = "ANNEXD_LANGUAGE";

/// The default language.
const USUAL: &str = "de";

/// The language asked for on the command line.
static ASKED: OnceLock<Option<String>> = OnceLock::new();
/// The language, read when it is first needed.
static LANGUAGE: OnceLock<Option<Language>> = OnceLock::new();

/// Notes the language that the command line asks for. Only the first call counts.
pub(crate) fn ask_for(code: Option<String>) {
    let _ = ASKED.set(code);
}

/// The language to answer in; `None` for English if its files are missing.
pub fn language() -> Option<&'static Language> {
    LANGUAGE
        .get_or_init(|| data::language(&code()?).ok())
        .as_ref()
}

/// The player's language: ANNEXD_LANGUAGE, then the one chosen for him, then the system's; else
/// German, which annexd speaks and hears.
pub fn of_player(chosen: Option<&str>) -> Option<Language> {
    let chosen = chosen.map(str::to_owned);
    let codes = [
        of_environment(),
        chosen,
        of_system(),
        Some(USUAL.to_owned()),
    ];
    let mut codes = codes.into_iter().flatten();
    codes.find_map(|code| data::language(&code).ok())
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
    folded_output::print(&text(sentence));
}

/// How a game has ended: the result in figures, the reason, and its meaning.
pub fn ending(ending: &Ending) -> String {
    match language() {
        Some(language) => ending_in(language, ending),
        None => ending_text(ending),
    }
}

/// The end of a game in a language.
pub fn ending_in(language: &Language, ending: &Ending) -> String {
    let result = ending.result.as_ref();
    let result = result.map_or_else(|| "*".to_owned(), ToString::to_string);
    let phrases = ending.phrases();
    let words: Vec<String> = phrases.iter().map(|it| language.text(it)).collect();
    format!("{result}. {} {}", words.join(" "), ending.article)
}

/// The code of the language, whether or not it is available.
pub fn code() -> Option<String> {
    let of_settings = || {
        let settings = Settings::load(None).ok()?;
        settings.text.language.or(settings.game.table_language)
    };
    let asked = ASKED.get().cloned().flatten();
    let said = of_environment().or(asked);
    said.or_else(of_settings).or_else(of_system)
}

/// The code of the language in which something is said or taken down: the requested one, else the
/// one in which the program answers, else German.
pub fn asked_or_usual(asked: Option<&str>) -> String {
    asked_or(asked, USUAL)
}

/// The same for text printed beside answers, which is English if there is no other language.
pub fn asked_or_answering(asked: Option<&str>) -> String {
    asked_or(asked, "en")
}

fn asked_or(asked: Option<&str>, otherwise: &str) -> String {
    let is_there = |code: &String| data::language(code).is_ok();
    let asked = asked.map(str::to_owned);
    let answering = || code().filter(is_there);
    asked
        .or_else(answering)
        .unwrap_or_else(|| otherwise.to_owned())
}

/// The language of a table where somebody learns or practises alone: the requested one, else that
/// of ANNEXD_LANGUAGE, of the settings, or the one in which the program answers him. `None` if that
/// is none we have.
pub fn of_own_table(asked: Option<&str>, settings: &Settings) -> Option<String> {
    let is_there = |code: &String| data::language(code).is_ok();
    let named = || of_environment().filter(is_there);
    let configured = || settings.game.table_language.clone();
    let answering = || code().filter(is_there);
    let asked = asked.map(str::to_owned);
    asked.or_else(named).or_else(configured).or_else(answering)
}

/// The language named by ANNEXD_LANGUAGE.
pub(crate) fn of_environment() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|it| !it.is_empty())
}

/// The language of the system.
pub(crate) fn of_system() -> Option<String> {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let mut values = names.iter().filter_map(|name| std::env::var(name).ok());
    let said = values.find(|value| !value.is_empty());
    #[cfg(windows)]
    let said = said.or_else(crate::shell::machine::windows::language);
    let locale = said?;
    let letters = locale.chars().take_while(char::is_ascii_lowercase);
    Some(letters.collect())
}

/// The language of what is typed and read, as configured for the program or for the table. An
/// edition that names another language for the table does not change what its players speak.
pub fn language_of(settings: &Settings) -> String {
    chosen_language(settings).unwrap_or_else(|| "de".to_owned())
}

/// The language that is configured, if there is one.
pub fn chosen_language(settings: &Settings) -> Option<String> {
    let of_program = settings.text.language.clone();
    of_program.or_else(|| settings.game.table_language.clone())
}
