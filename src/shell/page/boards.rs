//! The boards of a page: their placements as far as known, and what a tap types.

use annexd_pages::{Board, Square as Cell, Taps};
use shakmaty::{Board as Placement, Color, Role, Square};

use super::view::{Reader, capitalised};
use crate::game::{Duty, Game, Waiting};
use crate::notation::{Announcement, Value};
use crate::persons::Person;
use crate::shell::consoles::signs::{boards_seen, last_said, letter_of, seen_from};

/// The pieces of a promotion.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The boards that a person may see.
pub(super) fn boards(game: &Game, reader: &Reader) -> Vec<Board> {
    let compares = reader.person == Person::Arbiter;
    boards_seen(game, reader.person)
        .into_iter()
        .map(|(of, from)| board(game, reader, of, from, compares))
        .collect()
}

/// The board of a side, seen from a side. `compares` marks where it differs from the other one.
pub(super) fn board(game: &Game, reader: &Reader, of: Color, from: Color, compares: bool) -> Board {
    let placement = game.placement(of);
    let other = compares.then(|| game.placement(!of));
    let marked = marked(game);
    let title = reader.word("board_of");
    Board {
        id: format!("board-{of}"),
        title: title.replace("{side}", reader.language.side(of)),
        squares: seen_from(from)
            .map(|square| cell(reader, placement, other, &marked, square))
            .collect(),
        taps: taps(game, reader),
    }
}

fn cell(
    reader: &Reader,
    placement: &Placement,
    other: Option<&Placement>,
    marked: &[Square],
    square: Square,
) -> Cell {
    let lexicon = reader.language.lexicon();
    let piece = placement.piece_at(square);
    let words = piece.map(|piece| {
        let name = lexicon
            .word_for(Value::Role(piece.role))
            .unwrap_or_default();
        format!(
            "{} {}",
            reader.language.side(piece.color),
            capitalised(name)
        )
    });
    let from = piece.map(|piece| format!("{}{square}", letter_of(lexicon, piece.role)));
    Cell {
        name: NAMES[usize::from(square)],
        piece: piece.map(shakmaty::Piece::char),
        words: words.unwrap_or_default(),
        is_marked: marked.contains(&square),
        differs: other.is_some_and(|other| other.piece_at(square) != piece),
        from: from.unwrap_or_default(),
    }
}

/// The squares of the last announced move.
fn marked(game: &Game) -> Vec<Square> {
    match last_said(game) {
        Some((_, Announcement::Move(said))) => said.from.into_iter().chain([said.to]).collect(),
        _ => Vec::new(),
    }
}

/// What a tap does. A player taps any move, which is announced or repeated as if it had been said.
/// An assistant taps the piece that was touched (D.2.10.5).
fn taps(game: &Game, reader: &Reader) -> Taps {
    let is_over = game.ending().is_some();
    match reader.person {
        _ if is_over => Taps::Nothing,
        Person::Player(_) if game.waits_for(reader.person).contains(&Waiting::Origin) => {
            Taps::Square("{0}".to_owned())
        }
        Person::Player(_) => {
            let lexicon = reader.language.lexicon();
            let piece = |role: Role| {
                let name = lexicon.word_for(Value::Role(role)).unwrap_or_default();
                (letter_of(lexicon, role), capitalised(name))
            };
            Taps::Move(PROMOTIONS.into_iter().map(piece).collect())
        }
        Person::Assistant(side) if game.has_duty(side, Duty::Claim) => {
            Taps::Square("touched {0}".to_owned())
        }
        Person::Assistant(_) | Person::Arbiter => Taps::Nothing,
    }
}

/// The names of all squares, a1 first.
static NAMES: [&str; 64] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
    "a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4",
    "a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5", "a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6",
    "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_its_name() {
        let all = seen_from(Color::White);
        assert!(
            all.into_iter()
                .all(|it| NAMES[usize::from(it)] == it.to_string())
        );
    }
}
