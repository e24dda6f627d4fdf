//! How squares, lines, roles and castling sides are written in JSON and in the journal.

use serde_with::{DeserializeAs, SerializeAs};
use shakmaty::Role;

/// Roles as English words, where `serde_as` asks for them.
#[derive(Clone, Copy, Debug)]
pub struct RoleWord;

impl SerializeAs<Role> for RoleWord {
    fn serialize_as<S: serde::Serializer>(role: &Role, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(role::word(*role))
    }
}

impl<'de> DeserializeAs<'de, Role> for RoleWord {
    fn deserialize_as<D: serde::Deserializer<'de>>(from: D) -> Result<Role, D::Error> {
        let word: String = serde::Deserialize::deserialize(from)?;
        role::from_word(&word).ok_or_else(|| serde::de::Error::custom(format!("no role: {word}")))
    }
}

/// Makes a module that writes a line of the board as its letter or digit.
macro_rules! line {
    ($name:ident, $line:ident, $about:literal) => {
        #[doc = $about]
        pub mod $name {
            use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
            use shakmaty::$line;

            /// Writes the line.
            pub fn serialize<S: Serializer>(line: &$line, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_char(line.char())
            }

            /// Reads the line.
            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$line, D::Error> {
                let letter = char::deserialize(from)?;
                $line::from_char(letter)
                    .ok_or_else(|| D::Error::custom(format!("no line: {letter}")))
            }
        }
    };
}

line!(file, File, "Files as their letters: `\"e\"`.");
line!(rank, Rank, "Ranks as their digits: `\"4\"`.");

/// Roles as English words in lower case: `"knight"`.
pub mod role {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use shakmaty::Role;

    /// Returns the English word for a role.
    pub const fn word(role: Role) -> &'static str {
        match role {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        }
    }

    /// Returns the role that an English word names.
    pub fn from_word(word: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self::word(role) == word)
    }

    /// Writes a role or null.
    pub fn serialize<S: Serializer>(role: &Option<Role>, to: S) -> Result<S::Ok, S::Error> {
        match role {
            Some(role) => to.serialize_some(word(*role)),
            None => to.serialize_none(),
        }
    }

    /// Reads a role or null.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Role>, D::Error> {
        Option::<String>::deserialize(from)?
            .map(|word| {
                from_word(&word).ok_or_else(|| D::Error::custom(format!("no role: {word}")))
            })
            .transpose()
    }
}

/// The side to which a king castles, as `"kingside"` or `"queenside"`.
pub mod castling {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use shakmaty::CastlingSide;

    /// Writes the side.
    pub fn serialize<S: Serializer>(side: &CastlingSide, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match side {
            CastlingSide::KingSide => "kingside",
            CastlingSide::QueenSide => "queenside",
        })
    }

    /// Reads the side.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<CastlingSide, D::Error> {
        match String::deserialize(from)?.as_str() {
            "kingside" => Ok(CastlingSide::KingSide),
            "queenside" => Ok(CastlingSide::QueenSide),
            other => Err(D::Error::custom(format!("no castling side: {other}"))),
        }
    }
}
