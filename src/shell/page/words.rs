//! What the pages are called by: their words in a language, and whose each of them is.

use annexd_pages::{Role, Words};
use shakmaty::Color;

use crate::persons::Person;
use crate::shell::config::data;
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};

/// The words of the pages in a language.
///
/// # Errors
///
/// If its file is missing or wrong.
pub fn words(language: &str) -> Result<Words> {
    let text = data::grammar_text(language, "pages.toml")?;
    let words = Words::parse(&text).map_err(|why| {
        error!(
            BadInput,
            GrammarWrong,
            language = language,
            why = why.to_string()
        )
        .about(
            Fault::new(Part::Grammar, Reason::Wrong, Remedy::Reinstall)
                .with(format!("{language}: {why}")),
        )
    })?;
    let of_consoles = console_words(language)?;
    Ok(Words {
        irregularities: of_consoles.irregularities,
        penalties: of_consoles.penalties,
        ..words
    })
}

/// The person of a page; `None` for the audience, which is nobody at the table.
pub const fn person_of(role: Role) -> Option<Person> {
    Some(match role {
        Role::Audience => return None,
        Role::White => Person::Player(Color::White),
        Role::Black => Person::Player(Color::Black),
        Role::AssistantWhite => Person::Assistant(Color::White),
        Role::AssistantBlack => Person::Assistant(Color::Black),
        Role::Arbiter => Person::Arbiter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_all_words_of_the_pages() {
        let german = words("de").unwrap();
        let keys = |words: &Words| {
            let parts = [
                &words.view,
                &words.irregularities,
                &words.penalties,
                &words.states,
            ];
            parts.map(|it| it.keys().cloned().collect::<Vec<_>>())
        };
        for code in data::languages().unwrap() {
            let words = words(&code).unwrap();
            assert_eq!(words.language, code);
            assert_eq!(keys(&words), keys(&german), "{code}");
        }
    }
}
