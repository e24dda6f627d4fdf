//! What a typed line means at this table.

use shakmaty::{Color, Role, Square};

use crate::game::Game;
use crate::notation::{Announcement, Lexicon, MoveAnnouncement, Said, typed_at_table};

/// Returns the meanings of a line. Where a move names only the file or rank it comes from, it is
/// known by the pieces that stand there: a pawn never captures backwards, and an officer is one of
/// the side to move. Whether the move is legal plays no part.
pub(super) fn at_table(lexicon: &Lexicon, game: &Game, text: &str) -> Vec<Said> {
    let mut said = typed_at_table(lexicon, text);
    if said.len() > 1 {
        said.retain(|it| match it {
            Said::Move(Announcement::Move(it)) => may_be_meant(game, it),
            _ => true,
        });
    }
    said
}

fn may_be_meant(game: &Game, announced: &MoveAnnouncement) -> bool {
    let Some(from) = announced.from else {
        return true;
    };
    match announced.piece {
        None | Some(Role::Pawn) => !goes_back(from, announced.to, game.turn()),
        Some(role) => game.position().piece_at(from) == Some(role.of(game.turn())),
    }
}

/// Whether this is a pawn move of a side that would go backwards.
fn goes_back(from: Square, to: Square, side: Color) -> bool {
    !side.fold_wb(from.rank() < to.rank(), from.rank() > to.rank())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Profile;
    use crate::shell::german;

    #[test]
    fn a_file_or_rank_finds_the_piece_that_stands_there() {
        let game = Game::new(Profile::default());
        let from = |text: &str| {
            let said = at_table(&german(), &game, text);
            let squares = said.iter().map(|said| match said {
                Said::Move(Announcement::Move(it)) => it.from.unwrap().to_string(),
                other => panic!("{other:?}"),
            });
            squares.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(from("Sbc3"), "b1");
        assert_eq!(from("Ngf3"), "g1");
        // Two stand on that rank, and which is meant is asked. Whether one can go there is not.
        assert_eq!(from("T1e3"), "a1 h1");
        // Nobody of the side to move stands there.
        assert_eq!(from("Sae3"), "");
        assert_eq!(from("S8c6"), "");
        assert_eq!(from("exd5"), "e4");
        assert_eq!(from("eva schlägt david fünf"), "e4");
    }
}
