//! What persons do on purpose, by key, form or console, when no word or command says it.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, Role, Square};

use annexd_laws::notation::{Announcement, as_words};
use annexd_phrases::Sentence;
use annexd_score::Score;

/// One act of a person. Who may do it is checked by the game; a refusal names the article.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Announces a move of the person's side, or of the opponent's for an assistant (D.2.10.2).
    Announce(Announcement),
    /// Repeats the opponent's announcement (D.2.1).
    Repeat(Announcement),
    /// Corrects a slip of the tongue, at once or by announcing again (D.2.8).
    Correct(Option<Announcement>),
    /// Confirms that the last announcement was heard right.
    ConfirmAnnouncement,
    /// Says that the last announcement was heard wrong: it is announced again.
    RejectAnnouncement,
    /// Says that the last move was executed on this player's board (D.2.1, D.2.10.1).
    Executed {
        /// Whose board.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
    },
    /// Says that the own move stands on the own board, captured piece removed (for D.2.3 where
    /// the board cannot tell).
    Moved,
    /// Declares to the arbiter the intention of a move that draws (9.2.1, 9.3.1).
    ClaimWithMove {
        /// On which ground.
        ground: ClaimGround,
        /// The intended move; it is neither announced nor executed.
        intended: Announcement,
    },
    /// Reports that the opponent has touched a piece (D.2.10.5; 4.8 for a player).
    ReportTouch {
        /// Where it stands, if known.
        #[serde_as(as = "Option<DisplayFromStr>")]
        #[serde(default)]
        square: Option<Square>,
        /// Which piece, if known.
        #[serde(with = "as_words::role", default)]
        piece: Option<Role>,
    },
    /// Claims an illegal move of the opponent where the Laws ask for a claim (A.4.2, B.4).
    ClaimIllegalMove,
    /// Demands two boards (D.1).
    DemandTwoBoards,
    /// Reports having arrived at the board (6.7).
    Arrive,
    /// Asks for leave to go (11.2).
    AskLeave,
    /// Complains about something, in words for the arbiter alone.
    Complain(String),
    /// Asks for the 5 seconds of the guidelines for games without increment (G.4, III.4).
    AskIncrement,
    /// Claims that the opponent cannot win or does not try to (10.2 of 2001, G.5, III.5).
    ClaimNoWinningAttempt,
    /// Hands in what stands on a player's score sheet (D.2.9, 8.1).
    HandInScore {
        /// Whose sheet.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// What stands there.
        score: Box<Score>,
        /// What was uncertain when it was read: for the arbiter.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Sentence>,
    },
    /// Asks the chess program for a hint, in practice against one.
    AskHint,
    /// Takes the own last move back, in practice.
    TakeBack,
    /// Asks that both boards and scores be compared (D.2.9).
    AskComparison,
    /// Signs the scores with the result (8.7).
    Sign,
    /// Appeals against a ruling (11.10).
    Appeal(String),
    /// Asks to adjourn before the end of the session (E.1.2).
    AskAdjournment,
    /// Seals a move (E.1.1). Never announced, never shown, encrypted at rest by the shell.
    Seal(Announcement),
    /// Fills the outside of the envelope (E.2).
    FillEnvelope(Envelope),
    /// Says at resumption, in so many words, the move that was sealed in a lost envelope (E.12).
    RecallSealed(Announcement),
}

/// On which ground a draw is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimGround {
    /// The same position for the third time (9.2).
    Repetition,
    /// Fifty moves by each without a capture or pawn move (9.3).
    FiftyMoves,
}

/// What stands on the envelope besides what the game knows itself: names, position, times, who
/// sealed, the number of the sealed move, and an open draw offer (E.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// When play is resumed, in words.
    pub resumption: String,
    /// Where play is resumed.
    pub place: String,
}
