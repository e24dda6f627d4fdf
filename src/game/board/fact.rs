//! What a board reports to the game.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Board, Piece, Square};

/// One observation of a board, or of a person for a board without sensors.
///
/// A fact says only what happened to the pieces. Whether it is a move, and a legal one, is decided
/// elsewhere. On a tactile board a piece is lifted when its peg leaves its hole (D.2.2), and placed
/// when it is in another one (D.2.3).
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A piece has left a square.
    Lifted {
        /// The square it stood on.
        #[serde_as(as = "DisplayFromStr")]
        square: Square,
        /// The piece, if known. A board that senses only occupancy knows no pieces.
        #[serde_as(as = "Option<AsLetter>")]
        #[serde(default)]
        piece: Option<Piece>,
    },
    /// A piece has arrived on a square.
    Placed {
        /// The square it stands on.
        #[serde_as(as = "DisplayFromStr")]
        square: Square,
        /// The piece, if known.
        #[serde_as(as = "Option<AsLetter>")]
        #[serde(default)]
        piece: Option<Piece>,
    },
    /// The pieces have come to rest: quiet for long enough, or the lever was pressed. The placement
    /// is what the board shows, uncorrected; written as in a FEN.
    Settled(#[serde_as(as = "DisplayFromStr")] Board),
}

/// Pieces as the letters of a FEN: `N` is a white knight, `n` a black one.
pub struct AsLetter;

impl serde_with::SerializeAs<Piece> for AsLetter {
    fn serialize_as<S: serde::Serializer>(piece: &Piece, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_char(piece.char())
    }
}

impl<'de> serde_with::DeserializeAs<'de, Piece> for AsLetter {
    fn deserialize_as<D: serde::Deserializer<'de>>(from: D) -> Result<Piece, D::Error> {
        let letter = char::deserialize(from)?;
        Piece::from_char(letter)
            .ok_or_else(|| serde::de::Error::custom(format!("no piece: {letter}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_json_and_read_well() {
        for (fact, json) in [
            (
                Fact::Lifted {
                    square: Square::G1,
                    piece: Piece::from_char('N'),
                },
                r#"{"lifted":{"square":"g1","piece":"N"}}"#,
            ),
            (
                Fact::Placed {
                    square: Square::F3,
                    piece: None,
                },
                r#"{"placed":{"square":"f3","piece":null}}"#,
            ),
            (
                Fact::Settled(Board::new()),
                r#"{"settled":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&fact).unwrap(), json);
            assert_eq!(serde_json::from_str::<Fact>(json).unwrap(), fact);
        }
    }

    #[test]
    fn an_unknown_piece_may_be_left_out() {
        assert_eq!(
            serde_json::from_str::<Fact>(r#"{"lifted":{"square":"g1"}}"#).unwrap(),
            Fact::Lifted {
                square: Square::G1,
                piece: None
            }
        );
        assert!(serde_json::from_str::<Fact>(r#"{"lifted":{"square":"g1","piece":"x"}}"#).is_err());
    }
}
