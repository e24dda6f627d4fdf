//! Deliberate acts of persons, by key, form or console, that no spoken word or command expresses.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, Role, Square};

use annexd_laws::notation::{Announcement, as_words};
use annexd_phrases::Sentence;
use annexd_score::Score;

/// One act of a person. The game checks who may do it; a refusal names the article.
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
    /// Says that the last move was executed on a player's board (D.2.1, D.2.10.1).
    Executed {
        /// The player whose board it is.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
    },
    /// Says that the person's own move stands on his own board, with any captured piece removed
    /// (D.2.3). Needed where the board cannot tell.
    Moved,
    /// Claims a draw by declaring to the arbiter the move that would bring it about (9.2.1, 9.3.1).
    ClaimWithMove {
        /// The ground of the claim.
        ground: ClaimGround,
        /// The intended move; it is neither announced nor executed.
        intended: Announcement,
    },
    /// Reports that the opponent has touched a piece (D.2.10.5; 4.8 for a player).
    ReportTouch {
        /// The square of the piece, if known.
        #[serde_as(as = "Option<DisplayFromStr>")]
        #[serde(default)]
        square: Option<Square>,
        /// The kind of piece, if known.
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
        /// The player whose sheet it is.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The moves on the sheet.
        score: Box<Score>,
        /// What was uncertain when the sheet was read, for the arbiter.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Sentence>,
    },
    /// Asks the chess program for a hint, in practice against one.
    AskHint,
    /// Takes back the person's own last move, in practice.
    TakeBack,
    /// Asks that both boards and scores be compared (D.2.9).
    AskComparison,
    /// Signs the scores with the result (8.7).
    Sign,
    /// Appeals against a ruling, in the player's own words (11.10).
    Appeal(String),
    /// Asks to adjourn before the end of the session (E.1.2).
    AskAdjournment,
    /// Seals a move (E.1.1). It is never announced or shown, and the shell stores it encrypted.
    Seal(Announcement),
    /// Fills in the outside of the envelope (E.2).
    FillEnvelope(Envelope),
    /// Repeats at the resumption the move that was sealed in an envelope since lost (E.12).
    RecallSealed(Announcement),
}

/// The ground on which a draw is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimGround {
    /// The same position for the third time (9.2).
    Repetition,
    /// Fifty moves by each without a capture or pawn move (9.3).
    FiftyMoves,
}

/// The part of the envelope's outside that the game does not know itself. The game knows the names,
/// the position, the times, the sealer, the number of the sealed move, and an open draw offer
/// (E.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// When play is resumed, in words.
    pub resumption: String,
    /// Where play is resumed.
    pub place: String,
}
