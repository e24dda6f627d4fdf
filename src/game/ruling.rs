//! What the arbiter decides.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::fen::Fen;
use shakmaty::{Board, Color, Square};

use super::profile::{Aid, DeviceApproval, Profile};
use annexd_laws::notation::Announcement;
use annexd_laws::{
    Adaptation, Fault, GameResult, Present, QuickplayDecision, Sanction, Termination,
};

/// One decision of the arbiter, or in a game without one, what both players have confirmed.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Approves the program as an electronic device (11.3.2).
    ApproveDevice(DeviceApproval),
    /// Orders a local adaptation (D.1).
    Adapt(Adaptation),
    /// Changes what was agreed. Before the first move anyone may set it; after it only this does.
    ChangeProfile(Box<Profile>),
    /// Sets the starting position of a Chess960 game by its number, which was drawn by program,
    /// dice, coin or cards (F.2): both boards are set up as it is read out.
    SetArray {
        /// From 0 to 959; 518 is the usual position.
        number: u32,
    },
    /// Starts the game: White's clock runs (6.6).
    Start,
    /// Stops both clocks (6.11.1).
    Stop,
    /// Restarts play after a stop, with this player's clock, or with that of the player who has
    /// the move (6.11.3).
    Restart {
        /// Whose clock runs; `None`: that of the player to move.
        #[serde_as(as = "Option<DisplayFromStr>")]
        #[serde(default)]
        clock: Option<Color>,
    },
    /// Sets a player's clock (6.10, 7.1, D.2.9). The old time is kept in the record.
    SetClock {
        /// Whose.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The time he has left.
        left: Duration,
    },
    /// Gives a player more time (7.5, 9.5, 12.9).
    AddTime {
        /// To whom.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// How much.
        time: Duration,
    },
    /// Sets the number of moves completed in the clock's counter (6.10.2, 7.1).
    SetMoveCounter {
        /// Whose.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// Moves completed.
        moves: u32,
    },
    /// Observes that a player's flag has fallen (6.8).
    CallFlag {
        /// Whose.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
    },
    /// Carries out what the program has proposed, as it stands.
    Accept {
        /// The number of the proposal.
        proposal: u32,
    },
    /// Puts a proposal aside. Nothing changes.
    Dismiss {
        /// The number of the proposal.
        proposal: u32,
    },
    /// Takes back what was decided last: the game stands as before it.
    TakeBack,
    /// Decides an open claim.
    DecideClaim {
        /// Whether it is correct.
        upheld: bool,
    },
    /// Goes back to the position after this many moves of both players together (7.5.1, D.2.9).
    Restore {
        /// Moves of White and Black together that stand.
        plies: u32,
    },
    /// A touch that was reported counts: the piece binds in the move of this index (4.3).
    HoldToTouch(ReportedTouch),
    /// Stops the clocks and compares both boards and both scores (D.2.9).
    Compare,
    /// Reads the verdict of the last comparison to both players.
    ReadVerdict,
    /// Carries out D.2.9 after a comparison: the position after this many moves of both together,
    /// as both scores record them, stands, and both boards are set right. With agreeing scores it
    /// is the last one.
    GoBack {
        /// Moves of White and Black together that stand.
        plies: u32,
        /// Which explanation of an ambiguous comparison holds, counted from 1; without it what all
        /// have in common.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        explanation: Option<u32>,
    },
    /// Sets the position of the game by hand: the last one that can be identified, or one that was
    /// transferred from a board that lay wrong (7.2.2, 7.5.1, 7.6). What was played before it
    /// gives no repetition any more.
    SetPosition(#[serde_as(as = "DisplayFromStr")] Fen),
    /// Says what stands on a player's board, after setting it right by hand (7.4, 7.6, D.2.9).
    BoardShows {
        /// Whose board.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
        /// What stands on it.
        #[serde_as(as = "DisplayFromStr")]
        placement: Board,
    },
    /// Reports what no sensor sees, for the game to judge by the edition.
    Report {
        /// Who did it.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// What.
        irregularity: Irregularity,
    },
    /// Counts an illegal move or what is counted with it (7.5.3).
    CountFault {
        /// Against whom.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// What.
        fault: Fault,
    },
    /// Replaces a pawn that was left on the last rank by a queen (7.5.2).
    PlaceQueen {
        /// Where it stands.
        #[serde_as(as = "DisplayFromStr")]
        square: Square,
    },
    /// Penalises a player (12.9).
    Penalise {
        /// Whom.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// How.
        penalty: Penalty,
    },
    /// Consents to a draw where the event wants the arbiter's consent (9.1.1).
    AllowDraw,
    /// Allows what tells of the position on request, or forbids it (11.3.1).
    Aid {
        /// What.
        aid: Aid,
        /// Whether it is allowed.
        is_allowed: bool,
    },
    /// Decides what was asked or claimed in a game without increment (G.4, G.5).
    DecideQuickplay(QuickplayDecision),
    /// Notes position, times and moves before a reconstruction (8.5.3).
    NoteState,
    /// Orders that the player to move seal his move (E.1.1). Ordered again, it asks him again.
    Adjourn,
    /// Lets a player adjourn before the end of the session, the rest of which is booked on his
    /// clock (E.1.2).
    AdjournEarly {
        /// How long the session would have lasted.
        session_left: Duration,
    },
    /// Opens the envelope; the player who is to reply is present (E.7).
    OpenEnvelope {
        /// Whether the replier is there. If not, the envelope stays closed.
        replier_present: bool,
        /// The move that was in it, where the game has it no longer because it was locked away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sealed: Option<Announcement>,
    },
    /// The envelope is missing (E.12).
    EnvelopeMissing {
        /// Whether the position is known. If not, a new game is played.
        position_known: bool,
    },
    /// Resumes an adjourned game with those who are there (E.9, E.11).
    Resume {
        /// Who is there.
        present: Present,
    },
    /// Lets a player have the time said at a standing request (D.2.10.4).
    AllowStandingRequest {
        /// Whom.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// At which time left he is told, once.
        at: Duration,
    },
    /// Ends the game for this reason.
    End(Termination),
    /// Ends the game with this result.
    Result(GameResult),
    /// Annuls the game; a new one is to be played (7.2, 7.3).
    Annul,
}

/// A touch that somebody has reported.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedTouch {
    /// Who touched the piece.
    #[serde_as(as = "DisplayFromStr")]
    pub side: Color,
    /// Where it stands.
    #[serde_as(as = "DisplayFromStr")]
    pub square: Square,
    /// Moves of White and Black together that were made before.
    pub plies: u32,
}

/// What no sensor sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Irregularity {
    /// Two hands for one move (4.1, 7.5.4).
    TwoHands,
    /// The clock pressed without a move (7.5.3).
    PressWithoutMove,
    /// An illegal move completed (7.5.1).
    IllegalMove,
    /// The initial position was wrong (7.2.1).
    WrongSetup,
    /// The board is turned the wrong way (7.2.2).
    BoardTurned,
    /// The colours are reversed (7.3).
    ColoursReversed,
    /// Pieces were knocked over or moved (7.4).
    PiecesDisplaced,
    /// An electronic device that is not approved (11.3.2).
    Device,
    /// A device that made a noise (12.3b of 2009).
    DeviceNoise,
    /// A telephone, or a device that communicates or suggests moves, on the person (11.3b of 2014).
    DeviceOnPerson,
    /// Distracting or annoying the opponent (11.5).
    Disturbance,
    /// Leaving without permission (11.2).
    Leaving,
    /// A clock that is set wrongly (6.10.2, A.4.1), or shows a wrong time after an adjournment
    /// (E.13).
    ClockSetWrong,
    /// A touch that was clearly an accident (4.2.2).
    AccidentalTouch,
    /// A touch of which nobody can tell whether it was an accident: the edition says (4.2.2).
    DoubtfulTouch,
}

/// A penalty the arbiter can give (12.9). Which exist depends on the edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// A warning.
    Warning,
    /// More time for the opponent.
    MoreTimeForOpponent(Duration),
    /// Less time for the offender.
    LessTimeForOffender(Duration),
    /// Half points more for the opponent.
    MorePointsForOpponent(u8),
    /// Half points less for the offender.
    FewerPointsForOffender(u8),
    /// The game is lost; the arbiter sets the opponent's points.
    LossOfGame,
    /// A fine that was announced in advance.
    Fine,
    /// Exclusion from rounds.
    ExclusionFromRounds(u8),
    /// Expulsion from the competition.
    Expulsion,
}

impl Penalty {
    /// What an edition has to know for it (12.9).
    pub const fn sanction(self) -> Sanction {
        match self {
            Self::Warning => Sanction::Warning,
            Self::MoreTimeForOpponent(_) => Sanction::OpponentsTimeIncreased,
            Self::LessTimeForOffender(_) => Sanction::OffendersTimeReduced,
            Self::MorePointsForOpponent(_) => Sanction::OpponentsPointsIncreased,
            Self::FewerPointsForOffender(_) => Sanction::OffendersPointsReduced,
            Self::LossOfGame => Sanction::GameLost,
            Self::Fine => Sanction::Fine,
            Self::ExclusionFromRounds(_) => Sanction::Exclusion,
            Self::Expulsion => Sanction::Expulsion,
        }
    }
}
