//! A part of a move: the answer to "Anna one, or Hector one?" and to "short or long castling?".

use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::typed::words_of;
use super::{Announcement, Lexicon, Said, Value};

/// What a player names alone to tell which of two moves he means. It depends on the two
/// announcements only, and on no position (X1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A square.
    Square(Square),
    /// A file: "Anna".
    File(File),
    /// A rank: "eins".
    Rank(Rank),
    /// A piece.
    Piece(Role),
    /// "Kurz", "lang".
    Castling(CastlingSide),
}

impl Part {
    /// Reads typed text. `None` if it is anything but a part of a move.
    pub fn typed(lexicon: &Lexicon, text: &str) -> Option<Self> {
        let words = words_of(lexicon, text)?;
        let values: Option<Vec<Value>> = words.iter().map(|word| lexicon.value(word)).collect();
        Some(match values?.as_slice() {
            [Value::File(file), Value::Rank(rank)] => {
                Self::Square(Square::from_coords(*file, *rank))
            }
            [Value::File(file)] => Self::File(*file),
            [Value::Rank(rank)] => Self::Rank(*rank),
            [Value::Role(role)] => Self::Piece(*role),
            [Value::CastlingSide(side)] => Self::Castling((*side).into()),
            _ => return None,
        })
    }

    /// Returns the part that was said alone. `None` if more was said.
    pub const fn of(said: &Said) -> Option<Self> {
        match said {
            Said::Square(square) => Some(Self::Square(*square)),
            Said::Piece(role) => Some(Self::Piece(*role)),
            _ => None,
        }
    }

    /// Returns the meaning that this part chooses: the only one that has it where the two differ.
    pub fn chosen(self, [one, other]: &[Said; 2]) -> Option<&Said> {
        let [first, second] = [one, other].map(parts);
        match (self.is_in(&first, &second), self.is_in(&second, &first)) {
            (true, false) => Some(one),
            (false, true) => Some(other),
            _ => None,
        }
    }

    /// Whether what was said has this part anywhere.
    pub fn is_of(self, said: &Said) -> bool {
        self.is_in(&parts(said), &Parts::default())
    }

    /// Whether a move has this part where it differs from the other.
    fn is_in(self, of: &Parts, other: &Parts) -> bool {
        let squares = [(of.from, other.from), (of.to, other.to)];
        let mut squares = squares
            .into_iter()
            .filter(|(of, other)| of != other)
            .filter_map(|(of, _)| of);
        let roles = [(of.piece, other.piece), (of.promotion, other.promotion)];
        let mut roles = roles.into_iter().filter(|(of, other)| of != other);
        match self {
            Self::Square(square) => squares.any(|it| it == square),
            Self::File(file) => squares.any(|it| it.file() == file),
            Self::Rank(rank) => squares.any(|it| it.rank() == rank),
            Self::Piece(role) => roles.any(|(of, _)| of == Some(role)),
            Self::Castling(side) => of.castling == Some(side) && other.castling != of.castling,
        }
    }
}

/// The parts of what was said, as far as it is a move.
#[derive(Default)]
struct Parts {
    piece: Option<Role>,
    from: Option<Square>,
    to: Option<Square>,
    promotion: Option<Role>,
    castling: Option<CastlingSide>,
}

fn parts(said: &Said) -> Parts {
    match said {
        Said::Square(to) => Parts {
            to: Some(*to),
            ..Parts::default()
        },
        Said::Move(announced) | Said::Correction(Some(announced)) => match announced {
            Announcement::Move(it) => Parts {
                piece: it.piece,
                from: it.from,
                to: Some(it.to),
                promotion: it.promotion,
                castling: None,
            },
            Announcement::Castling(it) => Parts {
                castling: Some(it.side),
                ..Parts::default()
            },
        },
        _ => Parts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{german, typed};

    /// Returns which of the two is chosen, by its place.
    #[track_caller]
    fn check(two: [&str; 2], answer: &str, expected: Option<usize>) {
        let german = german();
        let two = two.map(|text| typed(&german, text).remove(0));
        let part = Part::typed(&german, answer);
        let chosen = part.and_then(|part| part.chosen(&two));
        let place = chosen.and_then(|said| two.iter().position(|it| it == said));
        assert_eq!(place, expected, "{answer}");
    }

    #[test]
    fn what_parts_the_two_chooses_one() {
        let rooks = ["Ta1d1", "Th1d1"];
        for (answer, expected) in [
            ("a1", Some(0)),
            ("Anna eins", Some(0)),
            ("Anna", Some(0)),
            ("a", Some(0)),
            ("Hector 1", Some(1)),
            ("h", Some(1)),
            // Both begin on this rank, both are rooks, and both go to this square.
            ("eins", None),
            ("Turm", None),
            ("d1", None),
            ("b1", None),
            ("ja", None),
            ("kurz", None),
            ("Turm Anna eins David eins", None),
            ("", None),
        ] {
            check(rooks, answer, expected);
        }
        check(["Ta1a4", "Ta8a4"], "8", Some(1));
        check(["Ta1a4", "Ta8a4"], "a", None);
        check(["Sf3", "Lf3"], "Läufer", Some(1));
        check(["Eva acht Dame", "Eva acht Turm"], "Turm", Some(1));
        check(["e4", "d4"], "d", Some(1));
        check(["Korrektur Sg1f3", "Korrektur Sg1h3"], "h3", Some(1));
    }

    #[test]
    fn the_side_alone_chooses_the_castling() {
        for (answer, expected) in [
            ("kurz", Some(0)),
            ("Kurze", Some(0)),
            ("lang", Some(1)),
            ("große", Some(1)),
            ("Rochade", None),
            ("a1", None),
        ] {
            check(["0-0", "0-0-0"], answer, expected);
        }
        check(["0-0", "Ke1f1"], "kurz", Some(0));
        check(["0-0", "Ke1f1"], "f1", Some(1));
    }
}
