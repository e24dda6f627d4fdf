//! What a typed line means at this table.

use crate::game::Game;
use crate::notation::{Lexicon, Part, Said, typed_at_table};
use crate::persons::Person;

/// Returns the meanings of a line. A pawn's capture without its square is that of the side whose
/// move the person names. Where the pieces stand plays no part: else a refusal would tell it.
pub(super) fn at_table(lexicon: &Lexicon, game: &Game, person: Person, text: &str) -> Vec<Said> {
    let own = match person {
        Person::Player(side) => side,
        Person::Assistant(_) | Person::Arbiter => game.turn(),
    };
    let repeated = typed_at_table(lexicon, text, !own);
    match repeated.as_slice() {
        [Said::Move(said)] if game.owes(own, said) => repeated,
        _ => typed_at_table(lexicon, text, own),
    }
}

/// Returns who is being asked which of two moves he means, and the one that a line chooses, which
/// names only what parts them.
pub(super) fn of_two(lexicon: &Lexicon, game: &Game, text: &str) -> Option<(Person, Said)> {
    game.chosen_by(Part::typed(lexicon, text)?)
}
