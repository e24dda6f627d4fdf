//! How squares, roles and castling sides are written in JSON and in the journal.

/// Roles as English words in lower case: `"knight"`.
pub mod role {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use shakmaty::Role;

    /// The English word for a role.
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

    /// The role an English word names.
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
