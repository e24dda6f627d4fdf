//! Questions about the board and the score that need more than one word.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, File, Rank, Role, Square};

use super::as_words::{self, RoleWord};

/// What a player asks about the board or the score. Only he gets the answer. A question about the
/// board is answered only where that is allowed (11.3.1).
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// What stands on a square?
    Square(#[serde_as(as = "DisplayFromStr")] Square),
    /// What stands on a file?
    File(#[serde(with = "as_words::file")] File),
    /// What stands on a rank?
    Rank(#[serde(with = "as_words::rank")] Rank),
    /// What stands on the diagonals that meet on a square?
    Diagonals(#[serde_as(as = "DisplayFromStr")] Square),
    /// Where do the pieces of a kind stand?
    Pieces {
        /// The kind of piece.
        #[serde_as(as = "RoleWord")]
        role: Role,
        /// The side, or `None` for both.
        #[serde_as(as = "Option<DisplayFromStr>")]
        #[serde(default)]
        side: Option<Color>,
    },
    /// Where do all pieces of a side stand?
    Side(#[serde_as(as = "DisplayFromStr")] Color),
    /// How many pieces of each kind has each side?
    Material,
    /// What did the player who asks capture?
    Taken,
    /// What were the last moves, so many of each side?
    LastMoves(u32),
    /// What were the moves from this number on?
    MovesFrom(u32),
}

impl Question {
    /// Returns whether the answer comes from the score and not from the board.
    pub const fn is_about_score(self) -> bool {
        matches!(self, Self::LastMoves(_) | Self::MovesFrom(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_survives_the_record() {
        for (question, json) in [
            (Question::Square(Square::E4), r#"{"square":"e4"}"#),
            (Question::File(File::E), r#"{"file":"e"}"#),
            (Question::Rank(Rank::Fourth), r#"{"rank":"4"}"#),
            (
                Question::Pieces {
                    role: Role::Knight,
                    side: None,
                },
                r#"{"pieces":{"role":"knight","side":null}}"#,
            ),
            (Question::Side(Color::Black), r#"{"side":"black"}"#),
            (Question::Taken, r#""taken""#),
            (Question::LastMoves(5), r#"{"last_moves":5}"#),
        ] {
            assert_eq!(serde_json::to_string(&question).unwrap(), json);
            assert_eq!(serde_json::from_str::<Question>(json).unwrap(), question);
        }
    }
}
