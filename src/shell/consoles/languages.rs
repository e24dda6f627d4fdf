//! The language in which each person reads and types.

use std::sync::{Arc, Mutex, PoisonError};

use crate::persons::Person;

/// The languages of consoles that have their own.
#[derive(Clone, Debug, Default)]
pub struct ConsoleLanguages(Arc<Mutex<Vec<(Person, String)>>>);

impl ConsoleLanguages {
    /// Notes the language of a person's console.
    pub(in crate::shell) fn set(&self, person: Person, language: &str) {
        let mut languages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        languages.retain(|(of, _)| *of != person);
        languages.push((person, language.to_owned()));
    }

    /// The language of a person's console, if it has one of its own.
    pub fn of(&self, person: Person) -> Option<String> {
        let languages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = languages.iter().find(|(of, _)| *of == person);
        found.map(|(_, language)| language.clone())
    }
}
