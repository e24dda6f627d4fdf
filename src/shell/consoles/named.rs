//! The names of persons.

use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};

/// The name of a person.
pub(crate) fn named(person: Person) -> Phrase {
    match person {
        Person::Player(side) => Phrase::new(PhraseKey::WhoPlayer, [Argument::Side(side)]),
        Person::Assistant(side) => Phrase::new(PhraseKey::WhoAssistant, [Argument::Side(side)]),
        Person::Arbiter => PhraseKey::WhoArbiter.into(),
    }
}
