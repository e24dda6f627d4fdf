//! The meaning of words, whether they were said, typed or chosen.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Role, Square};

use super::as_words::RoleWord;
use super::{Announcement, Question};

/// What hearing understood of an utterance. Noise and talk never become an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    /// One clear reading, which is accepted and read back.
    Clear(Said),
    /// Two readings that are close, or none that is complete. The player is asked to say it again.
    Unclear(Vec<Said>),
}

/// What an utterance means.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A move: an announcement or a repetition, depending on the phase of the move.
    Move(Announcement),
    /// "Korrektur", alone or with the right move (D.2.8).
    Correction(Option<Announcement>),
    /// A piece alone, which answers "which piece?".
    Piece(#[serde_as(as = "RoleWord")] Role),
    /// A square alone, which answers "from where?". The short form of a pawn move looks the same,
    /// and the phase decides.
    Square(#[serde_as(as = "DisplayFromStr")] Square),
    /// A command, or a question of one word.
    Command(Command),
    /// A question about the board or the score.
    Question(Question),
}

/// Commands and questions, named as in `grammar/<language>/commands.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Yes: confirms what was asked.
    Yes,
    /// No: rejects what was asked or read back.
    No,
    /// Stop speaking at once.
    Stop,
    /// Say the last announcement again.
    Repeat,
    /// The time left to both, in short (D.2.10.4).
    Time,
    /// The time left and used, of both, to the second.
    TimeInFull,
    /// The number of moves (D.2.10.4).
    Moves,
    /// The last move.
    LastMove,
    /// Whose move it is.
    Turn,
    /// Offer a draw (9.1.2.1).
    OfferDraw,
    /// Accept the open offer.
    Accept,
    /// Decline the open offer.
    Decline,
    /// Is an offer open, and whose?
    OpenOffer,
    /// Resign; has to be confirmed (5.1.2).
    Resign,
    /// Stop the clock and call the arbiter (6.11.2).
    Arbiter,
    /// "Ich berichtige", "j'adoube" (4.2.1).
    Adjust,
    /// Claim a draw by repetition (9.2).
    ClaimRepetition,
    /// Claim a draw by the fifty-move rule (9.3).
    ClaimFiftyMoves,
    /// Claim that the opponent's flag has fallen (6.8).
    ClaimTime,
    /// Press the clock.
    Press,
    /// Read the score back.
    ReadScore,
    /// Read the board, where that is allowed (11.3.1).
    ReadBoard,
    /// The next item of the list that is being read.
    NextItem,
    /// The previous item.
    PreviousItem,
    /// Tell what can be said now.
    Help,
    /// Tell the article on which the last refusal rests.
    Why,
    /// Answer more shortly from now on.
    Shorter,
    /// Answer at more length.
    Longer,
    /// Begin the game, where there is no arbiter.
    Start,
    /// Stop the clocks, where there is no arbiter.
    Halt,
    /// Continue after a stop, where there is no arbiter.
    Restart,
    /// Take back the own last move, in practice.
    TakeBack,
    /// Ask the chess program for a hint, in practice.
    Hint,
    /// The move stands on the own board.
    HasMoved,
    /// The opponent's move was executed on the own board.
    HasExecuted,
    /// Compare boards and scores (D.2.9).
    AskComparison,
    /// The player is at the board (6.7).
    Arrive,
    /// Ask for permission to leave (11.2).
    AskLeave,
    /// Sign the result (8.7).
    SignResult,
    /// Claim an illegal move of the opponent.
    ClaimIllegalMove,
    /// Claim that the opponent does not try to win (III.5).
    ClaimNoWinningAttempt,
    /// Ask for an increment (III.4).
    DemandIncrement,
    /// Demand two boards (D.1).
    DemandTwoBoards,
    /// Ask to adjourn early.
    AskToAdjourn,
}

impl Command {
    /// The name of this command in `commands.toml` and in `--json`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Stop => "stop",
            Self::Repeat => "repeat",
            Self::Time => "time",
            Self::TimeInFull => "time_in_full",
            Self::Moves => "moves",
            Self::LastMove => "last_move",
            Self::Turn => "turn",
            Self::OfferDraw => "offer_draw",
            Self::Accept => "accept",
            Self::Decline => "decline",
            Self::OpenOffer => "open_offer",
            Self::Resign => "resign",
            Self::Arbiter => "arbiter",
            Self::Adjust => "adjust",
            Self::ClaimRepetition => "claim_repetition",
            Self::ClaimFiftyMoves => "claim_fifty_moves",
            Self::ClaimTime => "claim_time",
            Self::Press => "press",
            Self::ReadScore => "read_score",
            Self::ReadBoard => "read_board",
            Self::NextItem => "next_item",
            Self::PreviousItem => "previous_item",
            Self::Help => "help",
            Self::Why => "why",
            Self::Shorter => "shorter",
            Self::Longer => "longer",
            Self::Start => "start",
            Self::Halt => "halt",
            Self::Restart => "restart",
            Self::TakeBack => "take_back",
            Self::Hint => "hint",
            Self::HasMoved => "has_moved",
            Self::HasExecuted => "has_executed",
            Self::AskComparison => "ask_comparison",
            Self::Arrive => "arrive",
            Self::AskLeave => "ask_leave",
            Self::SignResult => "sign_result",
            Self::ClaimIllegalMove => "claim_illegal_move",
            Self::ClaimNoWinningAttempt => "claim_no_winning_attempt",
            Self::DemandIncrement => "demand_increment",
            Self::DemandTwoBoards => "demand_two_boards",
            Self::AskToAdjourn => "ask_to_adjourn",
        }
    }

    /// Returns whether people begin other sentences with these words: "Ja, Moment", "ich nehme an,
    /// dass …". They may bind the speaker or call somebody, so they count only if nothing follows
    /// them.
    pub const fn may_open_talk(self) -> bool {
        matches!(
            self,
            Self::Yes
                | Self::No
                | Self::OfferDraw
                | Self::Accept
                | Self::Decline
                | Self::Resign
                | Self::Arbiter
                | Self::HasMoved
                | Self::HasExecuted
                | Self::AskComparison
                | Self::Arrive
                | Self::AskLeave
                | Self::SignResult
                | Self::AskToAdjourn
        )
    }
}
