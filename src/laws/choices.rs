//! The choices that differ between editions of the Laws. Each variant is named by what the edition
//! says.

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

/// How long an illegal move can be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticedUntil {
    /// As long as the game lasts.
    EndOfGame,
    /// Until the opponent has made, not completed, his next move (trap 96).
    OpponentsNextMove,
    /// Until the opponent has touched a piece (2001, B5 b).
    OpponentsTouch,
}

/// How faults of different kinds are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counters {
    /// One counter for illegal moves, two hands and presses without a move.
    Joint,
    /// One counter for each kind, as in the text of July 2017.
    Split,
}

/// What happens to an unexchanged pawn on the last rank once the clock is pressed.
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
    /// He intervenes at once (2009).
    ArbiterStepsIn,
    /// He waits until the next move is completed. If the position is still illegal, the game is
    /// drawn.
    DrawnAfterNextMove,
}

/// How two hands, or a press without a move, are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandFault {
    /// The edition says nothing about it.
    Unsaid,
    /// Forbidden. The arbiter may give any penalty of his list (12.9).
    General,
    /// Counted and penalised as an illegal move.
    Illegal,
    /// Counted as an illegal move only once the clock has been pressed.
    IllegalOncePressed,
}

/// What a wrong claim of a draw costs the claimant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimantLoses {
    /// Nothing: only the opponent gains time.
    Nothing,
    /// Half of his remaining time within the limits of 2001, 9.5 b.
    Halving2001,
}

/// When the right to claim a draw on a move ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimLostBy {
    /// When a move is made without a claim (2001).
    Making,
    /// When a piece is touched as in 4.3 (9.4).
    Touching,
}

/// When the fifth appearance of a position ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fivefold {
    /// Never.
    Never,
    /// After five appearances in one unbroken repetition of the same moves. That is the reading of
    /// 2014 that can be computed (trap 5).
    Consecutive,
    /// Any five appearances.
    Any,
}

/// What an event may forbid about draws by agreement.
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

/// What happens if the game began with the colours reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "then")]
pub enum ReversedColours {
    /// The game continues unless the arbiter rules otherwise.
    Continue,
    /// A new game is played as long as not both players have made this number of moves.
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
    /// The event has to set it; there is no default (2014).
    EventMustSay,
    /// The event has to set it. If it does not, the default time is zero.
    EventMustSayElseNone,
}

/// What the arbiter does about a fallen flag that he sees in rapid and blitz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArbiterCallsFlag {
    /// He must refrain from calling it.
    Never,
    /// He must refrain unless both have fallen.
    OnlyBoth,
    /// The edition does not say.
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
    /// The game continues. In a quickplay finish and in rapid it is drawn (2001: 6.12, 10.3, B8).
    ContinueDrawInQuickplay,
    /// The game continues, but is drawn in the last period.
    DrawInLastPeriod,
    /// As [`Self::DrawInLastPeriod`], but only where the guideline on games without increment was
    /// announced.
    GuidelineOnly,
}

/// Which pieces bind a player who touched pieces of both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BothColoursTouched {
    /// One piece of each colour (2001 to 2014). If there were more, the first that can be moved or
    /// captured counts.
    OneOfEach,
    /// One or more of each colour: of each, the first touched counts (since 2017).
    #[default]
    FirstOfEach,
}

/// Which contact with a piece counts as touching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TouchRule {
    /// Only deliberate contact counts.
    Deliberate,
    /// Only deliberate contact with the intention of moving or capturing counts.
    IntendingToMove,
    /// Every contact counts that is not clearly accidental (4.2.2).
    UnlessClearlyAccidental,
}

/// What makes a promotion "made" for a player under the ordinary rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromotionMade {
    /// The edition does not say.
    Unsaid,
    /// The new piece has been released. The pawn is not mentioned (2014).
    PieceReleased,
    /// The new piece has been released and the pawn is off the board.
    PieceReleasedPawnOff,
}

/// Which castling is lost when nobody may complain any more about a wrong initial position in rapid
/// or blitz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MisplacedCastling {
    /// If king and queen were exchanged, no castling with this king (2001, 2009).
    ExchangedKing,
    /// A misplaced king cannot castle, and nobody can castle with a misplaced rook.
    KingOrRook,
}

/// The consequence for a player who is found with an electronic device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceRule {
    /// The edition has no rule about devices.
    Unsaid,
    /// A player whose telephone makes a noise loses.
    NoiseLoses,
    /// A player with a telephone, a means of communication or a means of finding moves on his
    /// person loses.
    OnPersonLoses,
    /// A player with any electronic device that the arbiter has not specifically approved loses.
    UnapprovedLoses,
}

/// A language in which moves can be announced at the table, by the name of its folder in
/// `grammar/`. Only the shell knows whether the folder exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableLanguage(String);

impl TableLanguage {
    /// The code of the language.
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

/// What saves a player whose sealed move is faulty (E.8), by its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SealException {
    /// The game had ended by mate.
    #[serde(rename = "5.1.1")]
    Checkmate,
    /// The game had ended by stalemate.
    #[serde(rename = "5.2.1")]
    Stalemate,
    /// The game had ended by a dead position.
    #[serde(rename = "5.2.2")]
    DeadPosition,
    /// The opponent's flag had fallen.
    #[serde(rename = "6.9")]
    FlagFall,
    /// The position had appeared for the fifth time.
    #[serde(rename = "9.6.1")]
    Fivefold,
    /// Seventy-five moves had been made by each.
    #[serde(rename = "9.6.2")]
    SeventyFiveMoves,
}

/// How strictly an edition demands the German words for ranks. The arbiter may decide otherwise
/// (D.1).
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

/// When a player loses an adjourned game because he is late for its resumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum LateForResumption {
    /// More than so many minutes late, with the three exceptions of the edition.
    MoreThan {
        /// Minutes.
        minutes: u32,
    },
    /// Later than the default time of the event.
    DefaultTime,
}

/// Which times are set on the clock when an adjourned game is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimesAtResumption {
    /// The times used at adjournment.
    Used,
    /// The times remaining at adjournment (trap 14: times used and times remaining are never
    /// exchanged).
    Remaining,
}

/// What a player may ask for in the last two minutes besides a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FiveSeconds {
    /// Nothing.
    No,
    /// Five extra seconds for each move of both, as delay or increment (2014).
    DelayOrIncrement,
    /// An increment of five seconds for both. The request is also a draw offer.
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
    /// The game is lost. The arbiter decides the opponent's score.
    GameLost,
    /// Fewer points for the offender.
    OffendersPointsReduced,
    /// More points for the opponent, up to the maximum.
    OpponentsPointsIncreased,
    /// A fine announced in advance.
    Fine,
    /// Exclusion from one or more rounds.
    Exclusion,
    /// Expulsion from the event.
    Expulsion,
}
