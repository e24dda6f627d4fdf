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

/// One decision of the arbiter or, in a game without one, of both players together.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Approves the program as an electronic device (11.3.2).
    ApproveDevice(DeviceApproval),
    /// Orders a local adaptation (D.1).
    Adapt(Adaptation),
    /// Changes what was agreed. After the first move nothing else can change it.
    ChangeProfile(Box<Profile>),
    /// Sets the starting position of a Chess960 game by its number, drawn by program, dice, coin or
    /// cards (F.2). Both boards are set up as it is read out.
    SetArray {
        /// From 0 to 959; 518 is the usual position.
        number: u32,
    },
    /// Starts the game: White's clock runs (6.6).
    Start,
    /// Stops both clocks (6.11.1).
    Stop,
    /// Restarts play after a stop with this player's clock, or with that of the player having the
    /// move (6.11.3).
    Restart {
        /// The side whose clock runs; `None`: that of the player having the move.
        #[serde_as(as = "Option<DisplayFromStr>")]
        #[serde(default)]
        clock: Option<Color>,
    },
    /// Sets a player's clock (6.10, 7.1, D.2.9). The old time is kept in the record.
    SetClock {
        /// The player whose clock it is.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The time he has left.
        left: Duration,
    },
    /// Gives a player more time (7.5, 9.5, 12.9).
    AddTime {
        /// The player who gains the time.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The time added.
        time: Duration,
    },
    /// Sets the number of moves completed in the clock's counter (6.10.2, 7.1).
    SetMoveCounter {
        /// The player whose counter it is.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// Moves completed.
        moves: u32,
    },
    /// Observes that a player's flag has fallen (6.8).
    CallFlag {
        /// The player whose flag has fallen.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
    },
    /// Carries out a proposal of the program unchanged.
    Accept {
        /// The number of the proposal.
        proposal: u32,
    },
    /// Puts a proposal aside. Nothing changes.
    Dismiss {
        /// The number of the proposal.
        proposal: u32,
    },
    /// Takes back the last decision: the game stands as it did before.
    TakeBack,
    /// Decides an open claim.
    DecideClaim {
        /// Whether it is correct.
        upheld: bool,
    },
    /// Goes back to the position after this many plies (7.5.1, D.2.9).
    Restore {
        /// The number of plies that stand.
        plies: u32,
    },
    /// Lets a reported touch count: the piece binds the player in that move (4.3).
    HoldToTouch(ReportedTouch),
    /// Stops the clocks and compares both boards and both scores (D.2.9).
    Compare,
    /// Reads the verdict of the last comparison to both players.
    ReadVerdict,
    /// Carries out D.2.9 after a comparison. The position after this many plies, as both scores
    /// record them, stands, and both boards are set right. If the scores agree it is the last
    /// position.
    GoBack {
        /// The number of plies that stand.
        plies: u32,
        /// The explanation of an ambiguous comparison that holds, counted from 1; `None` for what
        /// all of them have in common.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        explanation: Option<u32>,
    },
    /// Sets the game's position by hand: the last one that can be identified, or one transferred
    /// from a misplaced board (7.2.2, 7.5.1, 7.6). Earlier positions no longer count for
    /// repetition.
    SetPosition(#[serde_as(as = "DisplayFromStr")] Fen),
    /// States the placement on a player's board after it was set right by hand (7.4, 7.6, D.2.9).
    BoardShows {
        /// The player whose board it is.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
        /// The placement on it.
        #[serde_as(as = "DisplayFromStr")]
        placement: Board,
    },
    /// Reports what no sensor sees. The game judges it by the edition.
    Report {
        /// The player who did it.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// What he did.
        irregularity: Irregularity,
    },
    /// Counts an illegal move, or a fault that counts like one (7.5.3).
    CountFault {
        /// The player against whom it counts.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The fault.
        fault: Fault,
    },
    /// Replaces a pawn that was left on the last rank by a queen (7.5.2).
    PlaceQueen {
        /// The square of the pawn.
        #[serde_as(as = "DisplayFromStr")]
        square: Square,
    },
    /// Penalises a player (12.9).
    Penalise {
        /// The player penalised.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The penalty.
        penalty: Penalty,
    },
    /// Consents to a draw where the event requires the arbiter's consent (9.1.1).
    AllowDraw,
    /// Allows or forbids an aid that tells about the position on request (11.3.1).
    Aid {
        /// The aid.
        aid: Aid,
        /// Whether it is allowed.
        is_allowed: bool,
    },
    /// Decides a request or claim in a game without increment (G.4, G.5).
    DecideQuickplay(QuickplayDecision),
    /// Notes position, times and moves before a reconstruction (8.5.3).
    NoteState,
    /// Orders the player having the move to seal it (E.1.1). Ordered again, it asks him again.
    Adjourn,
    /// Lets a player adjourn before the end of the session. The rest of the session is booked on
    /// his clock (E.1.2).
    AdjournEarly {
        /// The rest of the session.
        session_left: Duration,
    },
    /// Opens the envelope when the replier is present (E.7).
    OpenEnvelope {
        /// Whether the replier is there. If not, the envelope stays closed.
        replier_present: bool,
        /// The move in the envelope, if the game itself does not know it because it was encrypted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sealed: Option<Announcement>,
    },
    /// The envelope is missing (E.12).
    EnvelopeMissing {
        /// Whether the position is known. If not, a new game is played.
        position_known: bool,
    },
    /// Resumes an adjourned game with those present (E.9, E.11).
    Resume {
        /// Who is present.
        present: Present,
    },
    /// Lets a player be told the time by a standing request (D.2.10.4).
    AllowStandingRequest {
        /// The player.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// The time left at which he is told, once.
        at: Duration,
    },
    /// Ends the game for this reason.
    End(Termination),
    /// Ends the game with this result.
    Result(GameResult),
    /// Annuls the game; a new one is to be played (7.2, 7.3).
    Annul,
}

/// A touch that a person has reported.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedTouch {
    /// Who touched the piece.
    #[serde_as(as = "DisplayFromStr")]
    pub side: Color,
    /// The square of the piece.
    #[serde_as(as = "DisplayFromStr")]
    pub square: Square,
    /// The number of plies made before the touch.
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
    /// A telephone, or a device that communicates or suggests moves, on the player (11.3b of 2014).
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
    /// A touch that may or may not have been an accident. The edition decides (4.2.2).
    DoubtfulTouch,
}

/// A penalty the arbiter can impose (12.9). Which ones exist depends on the edition.
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
    /// The sanction that an edition has to provide for this penalty (12.9).
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
