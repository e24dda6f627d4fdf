//! The letters of the pieces in different languages (Annex C, C.1 to C.4).

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};
use shakmaty::Role;
use thiserror::Error;

use super::{Entry, Notated};

/// The king in Russian and Ukrainian.
pub(super) const CYRILLIC_KING: &str = "Кр";

/// The piece letters of a language. Figurines are read in every language.
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
    /// R D T A C.
    Spanish,
    /// R D T A C, as in Spanish.
    Italian,
    /// K H W G S.
    Polish,
    /// K D V S J.
    Czech,
    /// K V B F H.
    Hungarian,
    /// K D T L R.
    Finnish,
    /// K D H B R.
    Icelandic,
    /// R D T N C.
    Romanian,
    /// Кр Ф Л С К.
    Russian,
    /// Кр Ф Т С К.
    Ukrainian,
    /// Ц Д Т О К.
    Bulgarian,
    /// ♔ ♕ ♖ ♗ ♘.
    Figurine,
}

impl Letters {
    /// All sets of letters. A language comes before those that share its letters.
    pub const ALL: [Self; 19] = [
        Self::English,
        Self::German,
        Self::Danish,
        Self::Swedish,
        Self::Portuguese,
        Self::French,
        Self::Dutch,
        Self::Spanish,
        Self::Italian,
        Self::Polish,
        Self::Czech,
        Self::Hungarian,
        Self::Finnish,
        Self::Icelandic,
        Self::Romanian,
        Self::Russian,
        Self::Ukrainian,
        Self::Bulgarian,
        Self::Figurine,
    ];

    /// One language for each different set of letters, because Danish cannot be told from German,
    /// or Italian from Spanish.
    pub const DISTINCT: [Self; 16] = [
        Self::English,
        Self::German,
        Self::Portuguese,
        Self::French,
        Self::Dutch,
        Self::Spanish,
        Self::Polish,
        Self::Czech,
        Self::Hungarian,
        Self::Finnish,
        Self::Icelandic,
        Self::Romanian,
        Self::Russian,
        Self::Ukrainian,
        Self::Bulgarian,
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
            Self::Spanish | Self::Italian => ['R', 'D', 'T', 'A', 'C'],
            Self::Polish => ['K', 'H', 'W', 'G', 'S'],
            Self::Czech => ['K', 'D', 'V', 'S', 'J'],
            Self::Hungarian => ['K', 'V', 'B', 'F', 'H'],
            Self::Finnish => ['K', 'D', 'T', 'L', 'R'],
            Self::Icelandic => ['K', 'D', 'H', 'B', 'R'],
            Self::Romanian => ['R', 'D', 'T', 'N', 'C'],
            // Their king has two letters, which are read and written as one sign.
            Self::Russian => ['♔', 'Ф', 'Л', 'С', 'К'],
            Self::Ukrainian => ['♔', 'Ф', 'Т', 'С', 'К'],
            Self::Bulgarian => ['Ц', 'Д', 'Т', 'О', 'К'],
            Self::Figurine => ['♔', '♕', '♖', '♗', '♘'],
        }
    }

    /// Returns the letter of a piece. A pawn has none (C.4).
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

    /// Returns the letter or figurine of a captured piece, which may be a pawn.
    pub(super) fn letter_of_taken(self, role: Role) -> char {
        self.letter(role).or_else(|| self.pawn()).unwrap_or('♙')
    }

    /// Returns the piece that a capital letter or a figurine names. Some writers give pawns a
    /// letter too.
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

    /// Returns the piece as it is written: with one letter, or two for the king in Russian and
    /// Ukrainian.
    pub(super) fn written(self, role: Role) -> String {
        match (self, role) {
            (Self::Russian | Self::Ukrainian, Role::King) => CYRILLIC_KING.to_owned(),
            _ => self.letter(role).map(String::from).unwrap_or_default(),
        }
    }

    /// Returns whether some pawns of a sheet have the letter of a pawn and others have none. Nobody
    /// writes so, and therefore the letter means another piece.
    pub(super) fn names_some_pawns(self, entries: &[Entry]) -> bool {
        let Some(letter) = self.pawn() else {
            return false;
        };
        let is_pawn = |entry: &&Entry| match &entry.notated {
            Notated::Move(written) => written.piece == Some(Role::Pawn),
            _ => false,
        };
        let mut pawns = entries.iter().filter(is_pawn);
        let is_named = |entry: &Entry| entry.words().starts_with(letter);
        let first = pawns.next().map(is_named);
        first.is_some_and(|first| pawns.any(|entry| is_named(entry) != first))
    }

    /// Returns the letter that some writers use for a pawn: pawn, Bauer, bonde, peão, pion, gyalog.
    const fn pawn(self) -> Option<char> {
        match self {
            Self::English
            | Self::Portuguese
            | Self::French
            | Self::Spanish
            | Self::Italian
            | Self::Polish
            | Self::Czech
            | Self::Icelandic
            | Self::Romanian => Some('P'),
            Self::Hungarian => Some('G'),
            Self::German | Self::Danish | Self::Swedish => Some('B'),
            // A Finnish S would turn a single German knight entry into a pawn. Writers who use it
            // are rare.
            Self::Dutch
            | Self::Finnish
            | Self::Russian
            | Self::Ukrainian
            | Self::Bulgarian
            | Self::Figurine => None,
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

/// The names of the letters in the program's four languages, besides English.
const NAMES: [(Letters, &[&str]); 19] = [
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
    (Letters::Spanish, &["spanisch", "spansk", "spanska"]),
    (
        Letters::Italian,
        &["italienisch", "italiensk", "italienska"],
    ),
    (Letters::Polish, &["polnisch", "polsk", "polska"]),
    (Letters::Czech, &["tschechisch", "tjekkisk", "tjeckiska"]),
    (Letters::Hungarian, &["ungarisch", "ungarsk", "ungerska"]),
    (Letters::Finnish, &["finnisch", "finsk", "finska"]),
    (Letters::Icelandic, &["isländisch", "islandsk", "isländska"]),
    (Letters::Romanian, &["rumänisch", "rumænsk", "rumänska"]),
    (Letters::Russian, &["russisch", "russisk", "ryska"]),
    (Letters::Ukrainian, &["ukrainisch", "ukrainsk", "ukrainska"]),
    (
        Letters::Bulgarian,
        &["bulgarisch", "bulgarsk", "bulgariska"],
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
            Self::Spanish => "spanish",
            Self::Italian => "italian",
            Self::Polish => "polish",
            Self::Czech => "czech",
            Self::Hungarian => "hungarian",
            Self::Finnish => "finnish",
            Self::Icelandic => "icelandic",
            Self::Romanian => "romanian",
            Self::Russian => "russian",
            Self::Ukrainian => "ukrainian",
            Self::Bulgarian => "bulgarian",
            Self::Figurine => "figurine",
        })
    }
}

/// The text names no letters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no letters of that name; there are english, german, danish, swedish, portuguese, french, \
     dutch, spanish, italian, polish, czech, hungarian, finnish, icelandic, romanian, russian, \
     ukrainian, bulgarian and figurine"
)]
pub struct ParseLettersError;

impl FromStr for Letters {
    type Err = ParseLettersError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.to_lowercase();
        // "Figurines" is a plural.
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
    use crate::{Notated, Score, read_score, write_move};

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
    fn letters_of_a_sheet_are_found_from_legality() {
        let game = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 d3 O-O Kh1 Kh8 Rg1 Qe8 Bd2 \
            Rb8 Qe2 Bd8";
        let english = read_score(game, None, 1).unwrap().score;
        for letters in Letters::DISTINCT {
            let words = english.entries().iter();
            let words: Vec<String> = words.map(|it| write_move(&it.notated, letters)).collect();
            let rows = words.chunks(2).zip(1..);
            let rows = rows.map(|(row, number)| format!("{number}. {}\n", row.join(" ")));
            let read = read_score(&rows.collect::<String>(), None, 1).unwrap();
            // Figurines are read in all letters.
            let found = match letters {
                Letters::Figurine => Letters::English,
                letters => letters,
            };
            assert_eq!(read.letters, found);
            let said = |score: &Score| -> Vec<Notated> {
                let entries = score.entries().iter();
                entries.map(|it| it.notated.clone()).collect()
            };
            assert_eq!(said(&read.score), said(&english), "{letters}");
        }
        // Cyrillic letters are also read in squares, as far as they look alike.
        let read = read_score("1. е4 с5 2. Кf3 Кс6 3. Сb5 а6 4. С:с6", None, 1).unwrap();
        assert_eq!(read.letters, Letters::Russian);
        assert!(
            read.score
                .entries()
                .iter()
                .all(|it| it.notated.is_legible())
        );
    }

    #[test]
    fn an_illegal_move_makes_no_pawn_of_a_knight() {
        // With S for a Finnish pawn, Sf6 and Sg3 would be pawn moves beside d4 and e3.
        let sheet = "1. d4 Sf6\n2. Sg3 d5\n3. e3 Lf5\n4. Ld3 e6\n5. Lxf5 exf5\n6. c4 c6\n";
        let read = read_score(sheet, None, 1).unwrap();
        assert_eq!(read.letters, Letters::German);
        assert_eq!(read.other_letters, []);
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
