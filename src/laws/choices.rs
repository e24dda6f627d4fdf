//! The choices that differ from edition to edition of the Laws, each named by what it says.

use serde::{Deserialize, Serialize};

/// Who has to notice an illegal move before it counts for a penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticedBy {
    /// The arbiter or either player, at any time during the game (7.5).
    Anybody,
    /// The arbiter who sees it, or the opponent who claims it.
    ArbiterOrClaim,
    /// Only the opponent by a claim.
    ClaimOnly,
}

/// Until when an illegal move can be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticedUntil {
    /// As long as the game lasts.
    EndOfGame,
    /// Until the opponent has made his next move: made, not completed (trap 96).
    OpponentsNextMove,
    /// Until the opponent has touched a piece (2001, B5 b).
    OpponentsTouch,
}

/// How faults of different kinds are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counters {
    /// One counter for illegal moves, two hands and presses without a move.
    Joint,
    /// One counter for each kind, as the text of July 2017 reads.
    Split,
}

/// What an unexchanged pawn on the last rank becomes once the clock is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnexchangedPawn {
    /// The position before the move is restored, as for any illegal move.
    PositionRestored,
    /// It is replaced by a queen of its colour, and the penalty follows (7.5.2, trap 94).
    Queen,
}

/// What the arbiter does about a plainly illegal position in rapid and blitz without adequate
/// supervision: both kings in check, or a pawn on the last rank (A.4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IllegalPosition {
    /// The edition does not say.
    Unsaid,
    /// He steps in at once (2009).
    ArbiterStepsIn,
    /// He waits until the next move is completed; if the position is still illegal, it is a draw.
    DrawnAfterNextMove,
}

/// What two hands, or a press without a move, are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandFault {
    /// The edition says nothing about it.
    Unsaid,
    /// Forbidden; the arbiter may give any penalty of his list (12.9).
    General,
    /// Counted and penalised as an illegal move.
    Illegal,
    /// Counted as an illegal move only once the clock has been pressed.
    IllegalOncePressed,
}

/// What a wrong claim of a draw costs the claimant himself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimantLoses {
    /// Nothing; only the opponent gains time.
    Nothing,
    /// Half of his remaining time within the bounds of 2001, 9.5 b.
    Halving2001,
}

/// What ends the right to claim a draw on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimLostBy {
    /// Making a move without having claimed (2001).
    Making,
    /// Touching a piece as in 4.3 (9.4).
    Touching,
}

/// When the fifth appearance of a position ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fivefold {
    /// Never.
    Never,
    /// Five appearances in one unbroken repetition of the same moves (the reading of 2014 that can
    /// be computed, trap 5).
    Consecutive,
    /// Any five appearances.
    Any,
}

/// What an event may forbid about agreeing a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawOfferLimit {
    /// Nothing (2001).
    Nothing,
    /// Agreeing.
    Agreeing,
    /// Offering or agreeing.
    OfferingOrAgreeing,
}

/// What happens if the game began with reversed colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "then")]
pub enum ReversedColours {
    /// The game goes on unless the arbiter rules otherwise.
    Continue,
    /// A new game while both together have made fewer than this number of moves each.
    NewGameBefore {
        /// Moves by both players (trap 101).
        moves: u32,
    },
}

/// How long a player may be late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum DefaultTime {
    /// So many minutes after the announced start, unless the event says otherwise.
    Minutes {
        /// Minutes.
        minutes: u32,
    },
    /// The event has to say it; there is no fallback (2014).
    EventMustSay,
    /// The event has to say it; where it does not, none.
    EventMustSayElseNone,
}

/// What the arbiter does about a flag that he sees in rapid and blitz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArbiterCallsFlag {
    /// He must refrain from calling it.
    Never,
    /// He must refrain unless both have fallen.
    OnlyBoth,
    /// The edition is silent.
    Unsaid,
    /// He may call it.
    May,
    /// He shall call it.
    Shall,
}

/// What a claimed win on time in rapid and blitz needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeClaimNeeds {
    /// The claimant's own flag has not fallen.
    OwnTimeLeft,
    /// Nothing more than the opponent's fallen flag.
    Nothing,
}

/// What follows when both flags have fallen and the order is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BothFlags {
    /// The game goes on; drawn in a quickplay finish and in rapid (2001: 6.12, 10.3, B8).
    ContinueDrawInQuickplay,
    /// The game goes on unless it is the last period, which is drawn.
    DrawInLastPeriod,
    /// As before, but only where the guideline on games without increment was announced.
    GuidelineOnly,
}

/// Which pieces a player who touched pieces of both colours is bound to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BothColoursTouched {
    /// One piece of each colour (2001 to 2014). Of more the first that can be moved or captured
    /// counts.
    OneOfEach,
    /// One or more of each colour: the first touched of each counts (since 2017).
    #[default]
    FirstOfEach,
}

/// What lets a contact with a piece go unpunished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contact {
    /// Only deliberate contact counts.
    Deliberate,
    /// Only deliberate contact with the intention of moving or capturing counts.
    IntendingToMove,
    /// Every contact counts that is not clearly accidental (4.2.2).
    UnlessClearlyAccidental,
}

/// What makes a promotion "made" for a player to whom the ordinary rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromotionMade {
    /// The edition does not say.
    Unsaid,
    /// The new piece has been released; the pawn is not mentioned (2014).
    PieceReleased,
    /// The new piece has been released and the pawn is off the board.
    PieceReleasedPawnOff,
}

/// Which castling is lost once a wrong setup in rapid or blitz may no longer be complained about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MisplacedCastling {
    /// King and queen exchanged: no castling with this king (2001, 2009).
    ExchangedKing,
    /// A misplaced king does not castle; nobody castles with a misplaced rook.
    KingOrRook,
}

/// What happens to a player who has been caught with an electronic device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceRule {
    /// The edition knows no rule about devices.
    Unsaid,
    /// A telephone that makes a noise loses.
    NoiseLoses,
    /// A telephone, a means of communication or of finding moves on the person loses.
    OnPersonLoses,
    /// Any electronic device that the arbiter has not specifically approved loses.
    UnapprovedLoses,
}

/// A language in which moves can be announced at the table, by the name of its folder in
/// `grammar/`. Whether there is such a folder the program knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableLanguage(String);

impl TableLanguage {
    /// Its code.
    pub fn code(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for TableLanguage {
    type Error = String;

    fn try_from(code: String) -> Result<Self, Self::Error> {
        let is_code =
            (2..=8).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_lowercase());
        if is_code {
            Ok(Self(code))
        } else {
            Err(format!("{code:?} is no code of a language such as \"de\""))
        }
    }
}

impl From<TableLanguage> for String {
    fn from(language: TableLanguage) -> Self {
        language.0
    }
}

/// What saves a player whose sealed move is at fault (E.8), by its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SealException {
    /// The game had ended by mate.
    #[serde(rename = "5.1.1")]
    Checkmate,
    /// By stalemate.
    #[serde(rename = "5.2.1")]
    Stalemate,
    /// By a dead position.
    #[serde(rename = "5.2.2")]
    DeadPosition,
    /// The opponent's flag had fallen.
    #[serde(rename = "6.9")]
    FlagFall,
    /// The fifth appearance.
    #[serde(rename = "9.6.1")]
    Fivefold,
    /// Seventy-five moves.
    #[serde(rename = "9.6.2")]
    SeventyFiveMoves,
}

/// How strictly an edition wants the German rank words; the arbiter may decide otherwise (D.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankWords {
    /// They shall be Danish or German (the Danish text of 2001).
    MustDanishOrGerman,
    /// They shall be German.
    MustGerman,
    /// German is recommended.
    RecommendedGerman,
}

/// When an adjourned game is lost by coming late to its resumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum LateForResumption {
    /// More than so many minutes late loses, with the three exceptions of the edition.
    MoreThan {
        /// Minutes.
        minutes: u32,
    },
    /// Later than the default time of the event loses.
    DefaultTime,
}

/// Which times are set on the clocks at the resumption of an adjourned game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimesAtResumption {
    /// The times used at adjournment.
    Used,
    /// The times remaining at adjournment (trap 14: never one for the other).
    Remaining,
}

/// What a player of the last two minutes may ask for besides the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FiveSeconds {
    /// Nothing.
    No,
    /// An extra five seconds a move for both, as delay or increment (2014).
    DelayOrIncrement,
    /// An increment of five seconds for both; the request is also a draw offer.
    IncrementAndDrawOffer,
}

/// A penalty of 12.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sanction {
    /// A warning.
    Warning,
    /// More time for the opponent.
    OpponentsTimeIncreased,
    /// Less time for the offender.
    OffendersTimeReduced,
    /// The game is lost; the arbiter decides the opponent's score.
    GameLost,
    /// Fewer points for the offender.
    OffendersPointsReduced,
    /// More points for the opponent, up to the most there is.
    OpponentsPointsIncreased,
    /// A fine announced in advance.
    Fine,
    /// Exclusion from one or more rounds.
    Exclusion,
    /// Expulsion from the event.
    Expulsion,
}

impl Sanction {
    /// The penalty in English.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Warning => "A warning",
            Self::OpponentsTimeIncreased => "More time for the opponent",
            Self::OffendersTimeReduced => "Less time for the offender",
            Self::GameLost => "The game is lost",
            Self::OffendersPointsReduced => "Fewer points for the offender",
            Self::OpponentsPointsIncreased => "More points for the opponent",
            Self::Fine => "A fine announced in advance",
            Self::Exclusion => "Exclusion from one or more rounds",
            Self::Expulsion => "Expulsion from the event",
        }
    }
}
