//! Where grammar and assets are, and how they are read.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::notation::Lexicon;
use crate::phrases::{Language, LawWords, Sentences};
use crate::score::{Letters, SheetWords};
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::errors_in_words::AsValue;

/// The folder that holds `grammar/` and `assets/`.
///
/// It is `ANNEXD_DATA` if set, else `../lib/annexd` relative to the program (where `make install`
/// puts it), else the root of the project in which the program was built, unless it is packaged.
///
/// # Errors
///
/// [`ErrorKind::Missing`] if none of them holds a grammar.
pub fn folder() -> Result<PathBuf> {
    let places = places();
    if let Some(place) = places.iter().find(|place| place.join("grammar").is_dir()) {
        return Ok(place.clone());
    }
    let looked_in: Vec<String> = places.iter().map(|p| p.display().to_string()).collect();
    Err(
        error!(Missing, NoData, places = looked_in.join(", ")).about(
            Fault::new(Part::Folder, Reason::Absent, Remedy::Reinstall).with(looked_in.join(", ")),
        ),
    )
}

fn places() -> Vec<PathBuf> {
    if let Some(place) = std::env::var_os("ANNEXD_DATA") {
        return vec![PathBuf::from(place)];
    }
    let mut places = Vec::new();
    if let Ok(program) = std::env::current_exe()
        && let Some(folder) = program.parent()
    {
        places.push(folder.join("../lib/annexd"));
    }
    places.extend(project());
    places
}

/// The root of the project in which the program was built. A packaged program knows none: otherwise
/// a user who may write to a folder of that name could put his own library there.
pub(in crate::shell) fn project() -> Option<PathBuf> {
    let is_packaged = option_env!("ANNEXD_PACKAGED").is_some();
    (!is_packaged).then(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}

/// A text file of a language: `grammar/<language>/<name>`.
///
/// # Errors
///
/// [`ErrorKind::Usage`] if there is no such language, [`ErrorKind::BadInput`] if the file cannot
/// be read.
pub fn grammar_text(language: &str, name: &str) -> Result<String> {
    let grammar = folder()?.join("grammar");
    let is_code = !language.is_empty() && language.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_code || !grammar.join(language).is_dir() {
        return Err(error!(
            Usage,
            NoLanguage,
            language = language,
            languages = languages_in(&grammar).join(", ")
        )
        .about(
            Fault::new(Part::Language, Reason::Unknown, Remedy::SayWhich)
                .with(format!("{language}; {}", languages_in(&grammar).join(", "))),
        ));
    }
    let file = grammar.join(language).join(name);
    fs::read_to_string(&file).map_err(|error| {
        error!(BadInput, Unreadable, path = file.display(), why = error).about(
            Fault::new(Part::Grammar, Reason::Unreadable, Remedy::Reinstall)
                .with(format!("{}: {error}", file.display())),
        )
    })
}

/// The codes of all available languages, in order.
///
/// # Errors
///
/// [`ErrorKind::Missing`] if there is no grammar.
pub fn languages() -> Result<Vec<String>> {
    Ok(languages_in(&folder()?.join("grammar")))
}

fn languages_in(grammar: &Path) -> Vec<String> {
    let mut languages: Vec<String> = fs::read_dir(grammar)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    languages.sort();
    languages
}

/// The error about a file of a language.
fn wrong(language: &str, why: &(impl AsValue + Display)) -> Error {
    error!(BadInput, GrammarWrong, language = language, why = why).about(
        Fault::new(Part::Grammar, Reason::Wrong, Remedy::Reinstall)
            .with(format!("{language}: {why}")),
    )
}

/// The words of a language.
///
/// # Errors
///
/// As [`grammar_text`]; [`ErrorKind::BadInput`] with file and line if a text is wrong.
pub fn lexicon(language: &str) -> Result<Lexicon> {
    let words = grammar_text(language, "lexicon.toml")?;
    let commands = grammar_text(language, "commands.toml")?;
    Lexicon::parse(&words, &commands).map_err(|error| wrong(language, &error))
}

/// The clauses of the Laws in the words of a language.
///
/// # Errors
///
/// As [`grammar_text`]; [`ErrorKind::BadInput`] with file and line if the text is wrong.
pub fn law_words(language: &str) -> Result<LawWords> {
    let text = grammar_text(language, "laws.toml")?;
    LawWords::parse(&text).map_err(|error| wrong(language, &error))
}

/// The phrases of a language.
///
/// # Errors
///
/// As [`grammar_text`]; [`ErrorKind::BadInput`] with file and line if a text is wrong.
pub fn language(language: &str) -> Result<Language> {
    let lexicon = lexicon(language)?;
    let mut texts = <[String; Language::FILES.len()]>::default();
    for (text, file) in texts.iter_mut().zip(Language::FILES) {
        *text = grammar_text(language, file)?;
    }
    let read = Language::parse(lexicon, texts.each_ref().map(String::as_str));
    read.map_err(|error| wrong(language, &error))
}

/// The notation letters of a language.
///
/// # Errors
///
/// As [`grammar_text`]; [`ErrorKind::BadInput`] if the text is wrong.
pub fn letters(language: &str) -> Result<Letters> {
    let text = grammar_text(language, "verdict.toml")?;
    Sentences::letters_of(&text).map_err(|error| wrong(language, &error))
}

/// The words of a printed sheet and of a dictation.
///
/// # Errors
///
/// As [`grammar_text`]; [`ErrorKind::BadInput`] if the text is wrong.
pub fn sheet_words(language: &str) -> Result<SheetWords> {
    let text = grammar_text(language, "scores.toml")?;
    SheetWords::parse(&text).map_err(|error| wrong(language, &error))
}

/// The bundled hearing model of a language with its version: the beginning of the hash of its
/// files.
pub fn model_version(language: &str) -> Option<String> {
    let name = format!("model-{language}");
    let sums = fs::read(folder().ok()?.join("assets").join(&name).join("SHA256SUMS")).ok()?;
    let hash = Sha256::digest(sums);
    let short: String = hash
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Some(format!("{name} {short}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::error::ErrorKind;

    #[test]
    fn german_is_found_and_an_unknown_language_is_named() {
        assert_eq!(lexicon("de").unwrap().name(), "Deutsch");
        for language in ["xx", "", "../de"] {
            let error = lexicon(language).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage, "{language}");
            assert!(error.message.contains("It has "), "{error}");
        }
    }
}
