//! A phrase is a key and its arguments; `grammar/<language>/phrases.toml` has the words.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, Square};

use crate::notation::{Announcement, as_words};

/// Something to be said, free of any language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// Which phrase it is.
    pub key: PhraseKey,
    /// What fills its places, in the order of the places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Argument>,
}

impl Phrase {
    /// A phrase with its arguments.
    pub fn new(key: PhraseKey, arguments: impl IntoIterator<Item = Argument>) -> Self {
        Self {
            key,
            arguments: arguments.into_iter().collect(),
        }
    }
}

impl Phrase {
    /// Whether it announces a move: such a phrase is never cut by another.
    pub fn is_announcement(&self) -> bool {
        self.key == PhraseKey::Announced
    }
}

impl From<PhraseKey> for Phrase {
    fn from(key: PhraseKey) -> Self {
        Self::new(key, [])
    }
}

/// What can fill a place in a phrase.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// A move, said in the long form.
    Move(Announcement),
    /// A square, said by its file name and rank word.
    Square(#[serde_as(as = "DisplayFromStr")] Square),
    /// A piece.
    Piece(#[serde(with = "as_words::role")] Option<shakmaty::Role>),
    /// A side.
    Side(#[serde_as(as = "DisplayFromStr")] Color),
    /// A time, said as people say it: "fünf Minuten dreißig".
    Time(Duration),
    /// A number.
    Number(u32),
    /// An article of the edition in force, such as "D.2.3".
    Article(String),
    /// Words that are already words: a name, a device, a reason of the operating system.
    Text(String),
}

/// Every phrase there is. Each has its text in every `grammar/<language>/phrases.toml`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PhraseKey {
    /// The announcement of a move, as it was understood: {move}.
    Announced,
    /// The system voice does not answer; the clips go on.
    VoiceLost,
    /// The loudspeaker does not play; it is tried again.
    LoudspeakerLost,
    /// A voice or loudspeaker works again.
    VoiceBack,
    /// Nothing can be said aloud, because: {text}.
    NoVoice,
    /// The ear has no device of its own, so private things are not said.
    EarIsShared,
    /// Words that are already words: {text}.
    Words,
    /// The square of departure was not said and is asked for.
    FromWhere,
    /// The piece chosen for a promotion was not said and is asked for (D.2.1).
    WhichPiece,
    /// It was not understood.
    SayAgain,
    /// Two announcements sound alike; the right one is to be said again.
    EitherOr,
    /// The repetition of an announcement is missing (D.2.1).
    PleaseRepeat,
    /// A move was not announced (D.2.1).
    PleaseAnnounce,
    /// The repetition is not the announcement; which is right is not said.
    RepetitionDiffers,
    /// An announcement was withdrawn (D.2.8).
    Corrected,
    /// What was read back had not been said: it was heard wrong (D.2.10.2).
    HeardWrong,
    /// The announcement was confirmed to have been heard right (D.2.10.2).
    Confirmed,
    /// The announcement is confirmed, so the repetition was wrong: {move} (D.2.1).
    RepeatAgain,
    /// The last move stands on the board of {side} (D.2.10.1).
    Executed,
    /// The board of {side} does not show the last move yet (D.2.10.1).
    NotExecuted,
    /// The announcement is to be given again.
    AnnounceAgain,
    /// A second move was said without "Korrektur".
    SayCorrectionFirst,
    /// No announcement waits for its repetition.
    NothingToRepeat,
    /// No announcement can be corrected.
    NothingToCorrect,
    /// The clock was started: a slip can no longer be corrected (D.2.8).
    TooLateToCorrect,
    /// The opponent has the move.
    NotYourTurn,
    /// The player's own board shows another move than he announced.
    BoardShowsAnother,
    /// Something is missing on the player's board: square, piece, side (D.2.9).
    SquareLacks,
    /// Something stands on the player's board that should not (D.2.9).
    SquareHoldsTooMuch,
    /// Something else should stand on a square of the player's board (D.2.9).
    SquareHoldsAnother,
    /// There is no announcement to say again.
    NothingSaid,
    /// The move was not announced (D.2.3.3).
    NotAnnounced,
    /// No piece was put into another hole (D.2.3.2).
    NotPlaced,
    /// The captured piece was not removed (D.2.3.1).
    NotRemoved,
    /// The number of moves made by the player who asks (D.2.10.4).
    MovesMade,
    /// The time left to both (D.2.10.4).
    TimesLeft,
    /// The same where the clock has not been read for some time.
    TimesLeftAbout,
    /// The time used by both (D.2.10.4).
    TimesUsed,
    /// The time left, told at a standing request that the arbiter allowed.
    TimeLeftAsWished,
    /// There is no clock to ask about.
    NoClock,
    /// The last move.
    LastMove,
    /// No move has been made.
    NoMoveYet,
    /// Whose move it is.
    HasTheMove,
    /// A move of White in the score, read aloud.
    ScoreWhite,
    /// A move of Black in the score, read aloud.
    ScoreBlack,
    /// The score was read five times already (A.3).
    NoMoreLooks,
    /// Help: a move is to be announced.
    HelpAnnounce,
    /// Help: an announcement is to be repeated.
    HelpRepeat,
    /// Help: something is to be confirmed.
    HelpConfirm,
    /// Help: questions and commands can be said.
    HelpCommands,
    /// It cannot be done now.
    NotNow,
    /// This person may not do that (D.2.10).
    NotYours,
    /// Only an arbiter could decide that, and there is none.
    NoArbiter,
    /// Resigning has to be confirmed (5.1.2).
    ConfirmResign,
    /// A draw offer has to be confirmed.
    ConfirmOffer,
    /// Accepting a draw has to be confirmed.
    ConfirmAccept,
    /// A claim has to be confirmed.
    ConfirmClaim,
    /// Calling the arbiter has to be confirmed.
    ConfirmArbiter,
    /// Something was not confirmed and is dropped.
    Dropped,
    /// There was nothing to confirm.
    NothingAsked,
    /// Both players are to confirm what an arbiter would decide.
    BothConfirm,
    /// A player does not confirm what was proposed.
    NotConfirmed,
    /// A draw was offered (9.1.2.1).
    DrawOffered,
    /// The offer was accepted.
    DrawAccepted,
    /// The offer was declined, by word or by touching a piece.
    DrawDeclined,
    /// An offer is open.
    OfferOpen,
    /// The player's own offer is still open; it cannot be withdrawn.
    OfferStands,
    /// No draw offer is open.
    NoOffer,
    /// A draw cannot be offered or agreed now (5.2.3, 9.1.1).
    OfferBarred,
    /// The game starts.
    PlayStarts,
    /// The arbiter has stopped the clocks.
    ClocksStopped,
    /// Play goes on.
    PlayGoesOn,
    /// A player adjusts pieces (4.2.1).
    Adjusts,
    /// A player has stopped the clocks to call the arbiter (6.11.2).
    ArbiterCalled,
    /// A player gets more time.
    TimeAdded,
    /// The position after so many moves of both together is restored.
    Restored,
    /// A pawn left on the last rank became a queen (7.5.2).
    QueenPlaced,
    /// A warning (12.9).
    Warned,
    /// A claim was wrong (9.5.3).
    ClaimRejected,
    /// Two boards are used (D.1).
    TwoBoards,
    /// The player on move is asked to seal (E.1.1).
    SealAsked,
    /// The game is adjourned.
    Adjourned,
    /// A move was illegal; said in practice games only.
    IllegalInPractice,
    /// A microphone was muted.
    MicrophoneMuted,
    /// A microphone listens again.
    MicrophoneOpen,
    /// A claim was passed on (9.5.1).
    ClaimTaken,
    /// A claim by the player who has not the move.
    ClaimNotOnMove,
    /// The right to claim on this move was lost by touching a piece (9.4).
    ClaimAfterTouch,
    /// The right to claim on this move was lost by making it (9.4 of 2001).
    ClaimAfterMove,
    /// The opponent's flag has not fallen.
    FlagIsUp,
    /// The claimant's own flag has fallen (A.4.3 until 2017).
    OwnFlagIsDown,
    /// A claim of an illegal move that was none.
    NoIllegalMove,
    /// An illegal move was claimed too late (A.4.2).
    ClaimedTooLate,
    /// A message was passed to the arbiter.
    ArbiterInformed,
    /// The sealed move is to be dictated in private (E.1.1).
    SealNow,
    /// The sealed move as understood, to the sealer alone.
    Sealed,
    /// The player has signed (8.7).
    Signed,
    /// A board was lost; persons confirm in its place.
    BoardLost,
    /// A board works again.
    BoardReturned,
    /// The chessclock was lost.
    ClockLost,
    /// The chessclock works again.
    ClockReturned,
    /// The chessclock says that it runs, and stands still.
    ClockFrozen,
    /// The chessclock's battery has to be changed.
    ClockBatteryLow,
    /// A microphone was lost.
    MicrophoneLost,
    /// A microphone works again.
    MicrophoneReturned,
    /// A gamepad was lost.
    GamepadLost,
    /// A gamepad works again.
    GamepadReturned,
    /// The record cannot be written.
    DiskLost,
    /// The record can be written again.
    DiskReturned,
    /// Checkmate (5.1.1).
    Checkmate,
    /// Stalemate (5.2.1).
    Stalemate,
    /// A dead position (5.2.2).
    DeadPosition,
    /// A draw by agreement (5.2.3).
    Agreed,
    /// A player resigns (5.1.2).
    Resigned,
    /// The game ended by resignation.
    EndResigned,
    /// Resignation where the opponent cannot mate (2023).
    EndResignedDrawn,
    /// The time was overstepped (6.9).
    EndFlag,
    /// The time was overstepped but the opponent cannot mate (6.9).
    EndFlagDrawn,
    /// Both flags are down (G.3).
    EndBothFlags,
    /// The last illegal move allowed (7.5.3).
    EndIllegal,
    /// The same where the opponent cannot mate.
    EndIllegalDrawn,
    /// An illegal position stood too long (A.4.4).
    EndIllegalPosition,
    /// A correct claim of repetition (9.2).
    EndThreefold,
    /// A correct claim of fifty moves (9.3).
    EndFifty,
    /// The fifth appearance (9.6.1).
    EndFivefold,
    /// Seventy-five moves (9.6.2).
    EndSeventyFive,
    /// A correct claim of no winning attempt (G.5).
    EndNormalMeans,
    /// A player came after the default time (6.7.1).
    EndDefault,
    /// Both came after the default time.
    EndBothDefault,
    /// A device that was not approved (11.3.2).
    EndDevice,
    /// The same where the opponent cannot mate.
    EndDeviceDrawn,
    /// The arbiter declared the game lost (12.9).
    EndDeclared,
    /// Both were found guilty (11.8).
    EndBothGuilty,
    /// The sealed move is ambiguous or illegal (E.8).
    EndFaultySeal,
    /// The game is annulled (7.2, 7.3).
    EndAnnulled,
    /// The result: a win.
    Wins,
    /// The result: a draw.
    Draw,
    /// The result: no point for either.
    BothLose,
    /// The result: half a point for one side, none for the other.
    HalfFor,
    /// There is no result.
    Annulled,
    /// A slip of the tongue was corrected in time (D.2.8).
    SlipCorrected,
    /// An announcement was heard wrong and is announced again (D.2.10.2).
    Misheard,
    /// An announcement was rejected after the clock had been started (D.2.8, D.2.10.2).
    RejectedTooLate,
    /// A correction was refused (D.2.8).
    CorrectionTooLate,
    /// A repetition is missing in spite of reminders (D.2.1).
    NotRepeated,
    /// An illegal move was completed (7.5.1).
    IllegalMove,
    /// Why a remedy is proposed: an illegal move.
    IllegalMoveBy,
    /// Two hands for one move (7.5.4).
    TwoHands,
    /// The clock was pressed without a move (7.5.3).
    PressedWithoutMove,
    /// A chessclock was pressed before D.2.3 was met.
    PressedTooEarly,
    /// A clock was pressed although no move was to be completed.
    PressedOutOfTurn,
    /// A clock was pressed while play was stopped.
    PressedWhileStopped,
    /// A piece that was touched, with what binds the player (4.3).
    TouchedPiece,
    /// A touched piece was reported (D.2.10.5).
    TouchReported,
    /// A touched piece was reported with its square (D.2.10.5).
    TouchReportedAt,
    /// A touch was reported after the reporter himself touched (4.8).
    ReportedTooLate,
    /// A complaint (4.8).
    Complains,
    /// A complaint after the complainant himself touched (4.8).
    ComplainsTooLate,
    /// A board differs from the moves announced (D.2.9).
    BoardDiffers,
    /// What the moves announced put on a square that differs (D.2.9).
    SquareShouldHold,
    /// A time on the chessclock has changed by itself (6.10.1).
    ClockJumped,
    /// A player asks that boards and scores be compared (D.2.9).
    AsksComparison,
    /// A draw offer that is valid but not at the proper time (9.1.2.1).
    OfferedOutOfTime,
    /// A draw offer that is not allowed now (9.1.1).
    OfferedThoughBarred,
    /// A claim of repetition (9.2).
    ClaimsRepetition,
    /// A claim of fifty moves (9.3).
    ClaimsFifty,
    /// The intended move of a claim; not for the table.
    ClaimIntends,
    /// How often the position has appeared.
    Appearances,
    /// Quiet moves of both together.
    QuietPlies,
    /// The intended move of a claim is illegal.
    IntendedIllegal,
    /// A claim on time (6.8).
    TimeClaimed,
    /// A flag has fallen; that is no result yet (6.8).
    FlagFallen,
    /// A clock was set; the old time and the new one (6.10).
    ClockSet,
    /// Why times are proposed: they were logged at that move (7.1).
    TimesAsLogged,
    /// A player calls the arbiter (6.11.2).
    PlayerCalls,
    /// A claim of an illegal move (A.4.2).
    IllegalClaimed,
    /// A wrong beginning: annul and play anew (7.2.1, 7.3).
    NewGame,
    /// The board lay the wrong way (7.2.2).
    TransferPosition,
    /// A wrong beginning that is no longer corrected.
    GameContinues,
    /// Displaced pieces; the recorded position follows (7.4).
    Displaced,
    /// A device that was not approved (11.3.2).
    DeviceFound,
    /// A disturbance (11.5).
    Disturbance,
    /// Leaving without permission (11.2).
    LeftTheHall,
    /// Leave is asked for (11.2).
    AsksLeave,
    /// The last announcement was asked for too often at the table (11.5).
    AsksTooOften,
    /// An appeal (11.10).
    Appeals,
    /// The five seconds of games without increment (G.4).
    AsksIncrement,
    /// A claim of no winning attempt (G.5).
    ClaimsNoAttempt,
    /// A player arrived after the start (6.7).
    CameLate,
    /// The event had to set a default time and has not (2014).
    NoDefaultTime,
    /// The program was not approved as a device (11.3.2).
    DeviceNotApproved,
    /// The arbiter has approved the program as a device (11.3.2).
    DeviceApproved,
    /// An assistant is compulsory (D.2.11).
    AssistantNeeded,
    /// A board does not show the initial position (2.3).
    BoardNotSetUp,
    /// An adaptation could not be taken.
    NotAdapted,
    /// What was agreed was changed after the first move (D.1).
    ProfileChanged,
    /// A penalty was given (12.9).
    Penalised,
    /// The edition has no such penalty (12.9).
    NoSuchPenalty,
    /// The ruling fits nothing that is open.
    NothingToDecide,
    /// There is no proposal of this number.
    NoSuchProposal,
    /// Both players have signed (8.7).
    BothSigned,
    /// The envelope: the names (E.2).
    EnvelopeNames,
    /// The envelope: who sealed, and the number of the move (E.2).
    EnvelopeSealedBy,
    /// The envelope: the position before the sealed move (E.2).
    EnvelopePosition,
    /// The envelope: the times used (E.2).
    EnvelopeTimes,
    /// The envelope: when and where play is resumed (E.2).
    EnvelopeResumption,
    /// The assistant has filled the envelope (D.2.10.6).
    EnvelopeFilled,
    /// The envelope is missing (E.12).
    EnvelopeMissing,
    /// The envelope is opened only in the presence of the replier (E.7).
    ReplierAbsent,
    /// The absent replier's clock was started (E.9.2).
    RepliersClockRuns,
    /// Both scores agree to the end (D.2.9).
    ScoresAgree,
    /// Both scores agree up to the move of this number by this side (D.2.9).
    ScoresAgreeUntil,
    /// The scores agree on nothing but the starting position (D.2.9).
    ScoresDifferAtOnce,
    /// Play goes back to the position on which the scores agree (D.2.9).
    BackToThere,
    /// The board of a player is corrected by the scores (D.2.9).
    BoardIsCorrected,
    /// Both scores then have the same illegal move (7.5).
    BothRecordedIllegal,
    /// After that the scores can be explained in more than one way, or in none.
    ScoresUnclear,
    /// The position after the move of this number by this side holds (D.2.9).
    PositionAfterHolds,
    /// The starting position holds (D.2.9).
    StartHolds,
    /// A board is to be set right; what to do follows.
    PleaseCorrectBoard,
    /// A piece of a side goes from a square to a square.
    StepMove,
    /// A piece of a side comes off a square.
    StepRemove,
    /// A piece of a side comes onto a square.
    StepPlace,
    /// The board of a player is set right.
    BoardIsRight,
    /// Both boards are set right.
    BoardsAreRight,
    /// Why a comparison is proposed: boards or scores may differ (D.2.9).
    CompareBoards,
    /// A player has handed in a sheet (D.2.9).
    ScoreHandedIn,
    /// Why a correction is proposed: the scores agree and a board does not (D.2.9).
    CorrectBoardByScores,
    /// Why going back is proposed: there the scores agree last (D.2.9).
    GoBackToAgreement,
    /// The game has not begun, so it cannot be done yet.
    NotBegun,
    /// The game is stopped, so it cannot be done now.
    IsStopped,
    /// The arbiter has given a result without naming a reason (12.9).
    ByTheArbiter,
    /// A ruling in words: the program is approved as a device (11.3.2).
    DoApprove,
    /// A ruling in words: a local adaptation (D.1).
    DoAdapt,
    /// A ruling in words: what was agreed is changed.
    DoChangeProfile,
    /// A ruling in words: the game starts.
    DoStart,
    /// A ruling in words: the clocks are stopped.
    DoStop,
    /// A ruling in words: play goes on.
    DoRestart,
    /// A ruling in words: a clock is set (6.10).
    DoSetClock,
    /// A ruling in words: a player gets more time.
    DoAddTime,
    /// A ruling in words: the clock's move counter is set (6.10.2).
    DoSetMoves,
    /// A ruling in words: a fallen flag is observed (6.8).
    DoCallFlag,
    /// A ruling in words: a claim is correct (9.5.2).
    DoUphold,
    /// A ruling in words: a claim is wrong (9.5.3).
    DoDeny,
    /// A ruling in words: an earlier position is restored (7.5.1, D.2.9).
    DoRestore,
    /// A ruling in words: the position is set by hand (7.6).
    DoSetPosition,
    /// A ruling in words: a board was set right by hand.
    DoBoardShows,
    /// A ruling in words: an irregularity is reported.
    DoReport,
    /// A ruling in words: a fault is counted (7.5.3).
    DoCountFault,
    /// A ruling in words: an unexchanged pawn becomes a queen (7.5.2).
    DoPlaceQueen,
    /// A ruling in words: a penalty (12.9).
    DoPenalise,
    /// A ruling in words: the game is adjourned (E.1.1).
    DoAdjourn,
    /// A ruling in words: the envelope is opened (E.7).
    DoOpenEnvelope,
    /// A ruling in words: an adjourned game is resumed (E.9).
    DoResume,
    /// A ruling in words: something is allowed as an exception.
    DoAllow,
    /// A ruling in words: both get five seconds a move (G.4).
    DoFiveSeconds,
    /// A ruling in words: a claim is decided later (G.5).
    DoPostpone,
    /// A ruling in words: the state of the game is noted (8.5.3).
    DoNoteState,
    /// A local adaptation: value, new value, who ordered it, when (D.1).
    Adapted,
    /// Both flags are down and it is known which fell first.
    BothFlagsDown,
    /// Both flags are down and nobody knows which fell first (G.3).
    BothFlagsUnknown,
    /// What was misplaced at the start does not castle (A.4.1).
    CastlingLost,
    /// A wrong clock setting stays (A.4.1).
    ClockSettingStays,
    /// A wrong clock setting is to be put right (6.10.2).
    ClockSetWrong,
    /// An illegal position stands; it is looked at again after the next move (A.4.4).
    IllegalPosition,
    /// A player need not record for the rest of the period (8.4).
    NeedNotRecord,
    /// The duty to record has returned with a new period (8.4).
    MustRecordAgain,
    /// Neither player has to record: the arbiter should be there and keep the score (8.5.1).
    NobodyRecords,
    /// After a flag has fallen a player completes his score (8.5).
    CompleteScore,
    /// The state before a reconstruction: position, times, moves of both (8.5.3).
    StateNoted,
    /// A player is bound to move a piece (4.3.1).
    BoundMove,
    /// A player is bound to capture a piece (4.3.2).
    BoundCapture,
    /// A player is bound to capture one piece with another (4.3.3).
    BoundCaptureWith,
    /// A player is bound to castle with a rook (4.4.1).
    BoundCastle,
    /// A player is bound to move his king (4.4.3).
    BoundKing,
    /// No touched piece can be moved or captured (4.5).
    BoundFree,
    /// After a wrong claim the intended move has to be played (9.5.3).
    MustPlay,
    /// The points of both after a penalty (12.9, 10.2).
    Points,
    /// These points are more than the game is worth (10.2).
    TooManyPoints,
    /// A player offers a draw again and again (11.5).
    OffersAgain,
    /// A sighted player has no helper where the opponent has an assistant (D.2.11).
    HelperNotAllowed,
    /// The initial position is none of Chess960 (F.2).
    WrongChess960Start,
    /// A piece of the initial position, read out (F.2).
    PieceStands,
    /// A player asks to adjourn before the end of the session (E.1.2).
    AsksAdjournment,
    /// The rest of the session is booked on the clock of the player who adjourns early (E.1.2).
    TimeBooked,
    /// Time and place of resumption are not on the envelope yet (E.2).
    EnvelopeLacks,
    /// The envelope: an open draw offer (E.2).
    EnvelopeOffer,
    /// The envelope: no draw offer is open (E.2).
    EnvelopeNoOffer,
    /// The replier is present: the envelope can be opened (E.7, E.9).
    EnvelopeCanBeOpened,
    /// The sealer is absent: the replier may seal his reply (E.9.3).
    MaySealReply,
    /// Nobody is there: the replier loses the time (E.11).
    ReplierLosesTime,
    /// Nobody is there and the edition does not say what follows.
    ArbiterDecidesAbsence,
    /// If the sealed move ended the game, that stands (E.10).
    LateUnlessSealed,
    /// The envelope is missing: the sealer says his move and plays it (E.12).
    SealerSays,
    /// A faulty sealed move does not lose: the game had ended by itself (E.8).
    SealExcepted,
    /// A player has sealed his reply (E.9.3).
    ReplySealed,
    /// The times used, to be set at resumption (E.5).
    TimesUsedToSet,
    /// The times remaining, to be set at resumption (E.5).
    TimesLeftToSet,
    /// A wrong time noticed before the own first move is corrected (E.13).
    WrongTimeCorrect,
    /// A wrong time stays unless the consequences are too serious (E.13).
    WrongTimeUnlessSerious,
    /// A wrong time stays unless the arbiter decides otherwise (E.13).
    WrongTimeStays,
    /// Without an arbiter the claim goes to the one the event has named (G.6).
    ClaimReferred,
}
