//! Moves with their numbers, and boards as diagrams, for sighted readers.

use shakmaty::{Board, Color, File, Rank, Role, Square};

use crate::game::{Aid, Game};
use crate::notation::{Announcement, Lexicon, Value};
use crate::persons::Person;
use crate::phrases::Language;

/// The latest standing announcement, with its side.
pub(crate) fn last_said(game: &Game) -> Option<(Color, &Announcement)> {
    let turn = game.turn();
    [turn, !turn]
        .into_iter()
        .find_map(|side| Some((side, game.announced(side)?)))
}

/// The number and side of the move after this many plies.
pub(crate) fn number_of(game: &Game, plies: usize) -> (u32, Color) {
    let start = game.score(Color::White).start();
    let half = plies + usize::from(start.turn.is_black());
    let number = start.fullmoves.get() as usize + half / 2;
    let side = Color::from_white(half.is_multiple_of(2));
    (u32::try_from(number).unwrap_or(u32::MAX), side)
}

/// The number of the move that this side announced last.
pub(crate) fn number_said(game: &Game, side: Color) -> u32 {
    let before = match game.turn() == side {
        true => game.plies(),
        false => game.plies().saturating_sub(1),
    };
    number_of(game, before).0
}

/// An announcement in notation, with its number and side.
pub(crate) fn numbered(game: &Game, language: &Language, said: &Announcement) -> String {
    let signs = language.signs(said);
    match last_said(game).filter(|(_, last)| *last == said) {
        Some((side, _)) => {
            let (number, side) = (number_said(game, side), language.side(side));
            format!("{number}. {side} {signs}")
        }
        // Something else has been said meanwhile.
        None => signs,
    }
}

/// The boards that a person may see, each with the side from which he sees it. A player who cannot
/// see has his own board under his hands. Any other way to learn the position is an aid, which the
/// arbiter has to allow (11.3.1). A page stands open, so it shows him none of itself.
pub(crate) fn boards_seen(game: &Game, person: Person) -> Vec<(Color, Color)> {
    match person {
        Person::Player(side) if game.profile().is_visually_disabled(side) => {
            let is_allowed = game.profile().aids.contains(&Aid::Board);
            is_allowed.then_some((side, side)).into_iter().collect()
        }
        Person::Player(side) => vec![(side, side)],
        // An assistant sits at the opponent's board, on which he executes moves (D.2.10.1).
        Person::Assistant(side) => vec![(!side, !side)],
        Person::Arbiter => Color::ALL.map(|side| (side, Color::White)).into(),
    }
}

/// All squares as a side sees them, from the upper left.
pub(crate) fn seen_from(side: Color) -> impl Iterator<Item = Square> {
    (0..8).flat_map(move |row| {
        (0..8).map(move |column| {
            let (file, rank) = match side {
                Color::White => (column, 7 - row),
                Color::Black => (7 - column, row),
            };
            Square::from_coords(File::new(file), Rank::new(rank))
        })
    })
}

/// A board in lines as a side sees it: White's pieces in capital letters, Black's in lower case,
/// and each rank's number after it.
pub(crate) fn diagram(board: &Board, from: Color, lexicon: &Lexicon) -> Vec<String> {
    let sign = |square: Square| match board.piece_at(square) {
        Some(piece) => {
            let letter = letter_on_diagram(lexicon, piece.role);
            piece.color.fold_wb(letter, letter.to_ascii_lowercase())
        }
        None => '-',
    };
    let squares: Vec<Square> = seen_from(from).collect();
    let ranks = squares.chunks(8).map(|rank| {
        let signs: Vec<String> = rank.iter().map(|it| sign(*it).to_string()).collect();
        let number = rank.first().map_or('1', |square| square.rank().char());
        format!("{} {number}", signs.join(" "))
    });
    let files = squares
        .iter()
        .take(8)
        .map(|it| it.file().char().to_string());
    let files: Vec<String> = files.collect();
    ranks.chain([files.join(" ")]).collect()
}

/// The letter of a piece in notation; empty for a pawn.
pub(crate) fn letter_of(lexicon: &Lexicon, role: Role) -> String {
    let is_it = |word: &&crate::notation::Word| word.value == Value::Role(role);
    let word = lexicon.words().iter().find(is_it);
    let letter = word.and_then(|word| word.letter);
    letter.map(String::from).unwrap_or_default()
}

/// The letter of a piece on a diagram. A pawn has the first letter of its name.
fn letter_on_diagram(lexicon: &Lexicon, role: Role) -> char {
    let name = lexicon.word_for(Value::Role(role)).unwrap_or_default();
    let letter = letter_of(lexicon, role);
    let mut signs = letter.chars().chain(name.chars());
    signs.next().unwrap_or('?').to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::config::data;

    #[test]
    fn each_side_sees_its_own_pieces_below() {
        let first = |side| seen_from(side).next().unwrap();
        assert_eq!(first(Color::White), Square::A8);
        assert_eq!(first(Color::Black), Square::H1);
    }

    /// No two kinds of pieces share a letter, in any language.
    #[test]
    fn a_diagram_has_a_letter_for_each_kind() {
        for code in ["de", "en", "sv", "da"] {
            let language = data::language(code).unwrap();
            let letters = Role::ALL.map(|role| letter_on_diagram(language.lexicon(), role));
            let mut kinds = letters.to_vec();
            kinds.sort_unstable();
            kinds.dedup();
            assert_eq!(kinds.len(), 6, "{code}: {letters:?}");
        }
        let german = data::language("de").unwrap();
        let lines = diagram(&Board::default(), Color::Black, german.lexicon());
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[0], "T S L K D L S T 1");
        assert_eq!(lines[2], "- - - - - - - - 3");
        assert_eq!(lines[6], "b b b b b b b b 7");
        assert_eq!(lines[8], "h g f e d c b a");
    }
}
