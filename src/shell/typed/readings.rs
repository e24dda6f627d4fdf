//! What a typed line means at this table.

use shakmaty::{Color, Role, Square};

use crate::game::Game;
use crate::notation::{Announcement, Lexicon, Said, typed_at_table};

/// Returns the meanings of a line. A pawn never captures backwards, so such readings are dropped.
/// Where the pieces stand plays no part: else a refusal would tell it.
pub(super) fn at_table(lexicon: &Lexicon, game: &Game, text: &str) -> Vec<Said> {
    let mut said = typed_at_table(lexicon, text);
    if said.len() > 1 {
        said.retain(|it| !goes_back(it, game.turn()));
    }
    said
}

/// Whether this is a pawn move of a side that would go backwards.
fn goes_back(said: &Said, side: Color) -> bool {
    let Said::Move(Announcement::Move(it)) = said else {
        return false;
    };
    let is_pawn = it.piece.is_none_or(|piece| piece == Role::Pawn);
    let forward =
        |from: Square| side.fold_wb(from.rank() < it.to.rank(), from.rank() > it.to.rank());
    is_pawn && it.from.is_some_and(|from| !forward(from))
}
