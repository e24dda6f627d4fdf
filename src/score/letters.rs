//! The letters that languages use for the pieces (Annex C, C.1 to C.4).

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};
use shakmaty::Role;
use thiserror::Error;

/// The piece letters of a language. Figurines are read in every one of them.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, SerializeDisplay, DeserializeFromStr,
)]
pub enum Letters {
    /// K Q R B N.
    English,
    /// K D T L S.
    German,
    /// K D T L S, as in German.
    Danish,
    /// K D T L S, as in German.
    Swedish,
    /// R D T B C.
    Portuguese,
    /// R D T F C.
    French,
    /// K D T L P.
    Dutch,
    /// ♔ ♕ ♖ ♗ ♘.
    Figurine,
}

impl Letters {
    /// All of them; a language comes before those that share its letters.
    pub const ALL: [Self; 8] = [
        Self::English,
        Self::German,
        Self::Danish,
        Self::Swedish,
        Self::Portuguese,
        Self::French,
        Self::Dutch,
        Self::Figurine,
    ];

    /// One for each different set of letters, as there is no telling Danish from German.
    pub const DISTINCT: [Self; 6] = [
        Self::English,
        Self::German,
        Self::Portuguese,
        Self::French,
        Self::Dutch,
        Self::Figurine,
    ];

    /// The letters of king, queen, rook, bishop and knight.
    const fn table(self) -> [char; 5] {
        match self {
            Self::English => ['K', 'Q', 'R', 'B', 'N'],
            Self::German | Self::Danish | Self::Swedish => ['K', 'D', 'T', 'L', 'S'],
            Self::Portuguese => ['R', 'D', 'T', 'B', 'C'],
            Self::French => ['R', 'D', 'T', 'F', 'C'],
            Self::Dutch => ['K', 'D', 'T', 'L', 'P'],
            Self::Figurine => ['♔', '♕', '♖', '♗', '♘'],
        }
    }

    /// The letter of a piece; a pawn has none (C.4).
    pub const fn letter(self, role: Role) -> Option<char> {
        let [king, queen, rook, bishop, knight] = self.table();
        match role {
            Role::Pawn => None,
            Role::King => Some(king),
            Role::Queen => Some(queen),
            Role::Rook => Some(rook),
            Role::Bishop => Some(bishop),
            Role::Knight => Some(knight),
        }
    }

    /// The letter or figurine of a piece that is taken, a pawn too.
    pub(super) fn letter_of_taken(self, role: Role) -> char {
        self.letter(role).or_else(|| self.pawn()).unwrap_or('♙')
    }

    /// The piece that a capital letter or a figurine names; some hands give pawns a letter too.
    pub fn role(self, letter: char) -> Option<Role> {
        const ROLES: [Role; 5] = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
        ];
        let own = self
            .table()
            .into_iter()
            .zip(ROLES)
            .find(|&(known, _)| known == letter);
        own.map(|(_, role)| role)
            .or_else(|| figurine(letter))
            .or_else(|| (Some(letter) == self.pawn()).then_some(Role::Pawn))
    }

    /// The letter that some hands write for a pawn: pawn, Bauer, bonde, peão, pion.
    const fn pawn(self) -> Option<char> {
        match self {
            Self::English | Self::Portuguese | Self::French => Some('P'),
            Self::German | Self::Danish | Self::Swedish => Some('B'),
            Self::Dutch | Self::Figurine => None,
        }
    }
}

const fn figurine(letter: char) -> Option<Role> {
    Some(match letter {
        '♔' | '♚' => Role::King,
        '♕' | '♛' => Role::Queen,
        '♖' | '♜' => Role::Rook,
        '♗' | '♝' => Role::Bishop,
        '♘' | '♞' => Role::Knight,
        '♙' | '♟' => Role::Pawn,
        _ => return None,
    })
}

/// What the letters are called in the four languages of the program, besides English.
const NAMES: [(Letters, &[&str]); 8] = [
    (Letters::English, &["englisch", "engelsk", "engelska"]),
    (Letters::German, &["deutsch", "tysk", "tyska"]),
    (Letters::Danish, &["dänisch", "daenisch", "dansk", "danska"]),
    (Letters::Swedish, &["schwedisch", "svensk", "svenska"]),
    (
        Letters::Portuguese,
        &["portugiesisch", "portugisisk", "portugisiska"],
    ),
    (
        Letters::French,
        &["französisch", "franzoesisch", "fransk", "franska"],
    ),
    (
        Letters::Dutch,
        &[
            "niederländisch",
            "niederlaendisch",
            "nederlandsk",
            "nederländska",
        ],
    ),
    (Letters::Figurine, &["figurinen", "figurer"]),
];

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::English => "english",
            Self::German => "german",
            Self::Danish => "danish",
            Self::Swedish => "swedish",
            Self::Portuguese => "portuguese",
            Self::French => "french",
            Self::Dutch => "dutch",
            Self::Figurine => "figurine",
        })
    }
}

/// What was given names no letters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no letters of that name; there are english, german, danish, swedish, portuguese, french, \
     dutch and figurine"
)]
pub struct ParseLettersError;

impl FromStr for Letters {
    type Err = ParseLettersError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.to_lowercase();
        // Figurines are many.
        let singular = text.trim_end_matches('s');
        let is_called = |letters: &Self| {
            let name = letters.to_string();
            name == text || name == singular
        };
        let translated = || {
            let known = NAMES.iter().find(|(_, names)| names.contains(&&*text));
            known.map(|(letters, _)| *letters)
        };
        let own = Self::ALL.into_iter().find(is_called);
        own.or_else(translated).ok_or(ParseLettersError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_roles_are_a_pair() {
        for letters in Letters::ALL {
            assert_eq!(letters.to_string().parse(), Ok(letters));
            for role in Role::ALL {
                if let Some(letter) = letters.letter(role) {
                    assert_eq!(letters.role(letter), Some(role), "{letters} {letter}");
                }
            }
        }
    }

    #[test]
    fn letters_are_called_as_consoles_and_sentences_call_them() {
        for (text, letters) in [
            ("German", Letters::German),
            ("Deutsch", Letters::German),
            ("tyska", Letters::German),
            ("Französisch", Letters::French),
            ("figurines", Letters::Figurine),
            ("Figurinen", Letters::Figurine),
        ] {
            assert_eq!(text.parse(), Ok(letters), "{text}");
        }
        assert!("klingon".parse::<Letters>().is_err());
    }

    #[test]
    fn the_same_letter_names_different_pieces() {
        assert_eq!(Letters::English.role('R'), Some(Role::Rook));
        assert_eq!(Letters::Portuguese.role('R'), Some(Role::King));
        assert_eq!(Letters::English.role('B'), Some(Role::Bishop));
        assert_eq!(Letters::Danish.role('B'), Some(Role::Pawn));
        assert_eq!(Letters::Dutch.role('P'), Some(Role::Knight));
    }
}
