//! What a typed line means at this table.

use crate::game::Game;
use crate::notation::{Command, CommandName, Lexicon, Part, Said, Value, typed_at_table};
use crate::persons::Person;

/// Returns the meanings of a line. A pawn's capture without its square is that of the side whose
/// move the person names. Where the pieces stand plays no part: else a refusal would tell it.
pub(super) fn at_table(lexicon: &Lexicon, game: &Game, person: Person, text: &str) -> Vec<Said> {
    let own = match person {
        Person::Player(side) => side,
        Person::Assistant(_) | Person::Arbiter => game.turn(),
    };
    let read = |text: &str| {
        let repeated = typed_at_table(lexicon, text, !own);
        match repeated.as_slice() {
            [Said::Move(said)] if game.owes(own, said) => repeated,
            _ => typed_at_table(lexicon, text, own),
        }
    };
    let readings = read(text);
    if readings.is_empty() {
        read(&without_ornaments(lexicon, text))
    } else {
        readings
    }
}

/// Returns a line without what people add to it: a "no" before a move, thanks behind anything, the
/// "on" of "takes on". The dash that a score is printed with becomes a hyphen.
fn without_ornaments(lexicon: &Lexicon, text: &str) -> String {
    let text = text.replace(['–', '−'], "-");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let known = |word: &str| lexicon.canonical(word.trim_end_matches([',', '.', '!', '?']));
    let value = |word: &str| lexicon.value(known(word)?);
    let no = CommandName::Command(Command::No);
    let is_no = |word: &str| known(word).is_some_and(|word| lexicon.command(&[word]) == Some(no));
    let is_talk = |word: &str| known(word).is_some_and(|word| lexicon.is_talk(&[word]));
    if let [first, next, ..] = words[..]
        && is_no(first)
        && matches!(value(next), Some(Value::Role(_)))
    {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| is_talk(word)) {
        words.pop();
    }
    let mut after = None;
    words.retain(|word| {
        let before = std::mem::replace(&mut after, value(word));
        (before, after) != (Some(Value::Captures), Some(Value::On))
    });
    words.join(" ")
}

/// Returns who is being asked which of two moves he means, and the one that a line chooses, which
/// names only what parts them.
pub(super) fn of_two(lexicon: &Lexicon, game: &Game, text: &str) -> Option<(Person, Said)> {
    game.chosen_by(Part::typed(lexicon, text)?)
}
