//! Every number and choice of one edition of the Laws, as data.

use serde::{Deserialize, Serialize};

use super::choices::{
    ArbiterCallsFlag, BothColoursTouched, BothFlags, ClaimLostBy, ClaimantLoses, Counters,
    DefaultTime, DeviceRule, DrawOfferLimit, FiveSeconds, Fivefold, HandFault, IllegalPosition,
    LateForResumption, MisplacedCastling, NoticedBy, NoticedUntil, PromotionMade, RankWords,
    ReversedColours, Sanction, SealException, TableLanguage, TimeClaimNeeds, TimesAtResumption,
    TouchRule, UnexchangedPawn,
};
use super::edition::Edition;

/// The rules of one edition of the Laws, read from `editions/<edition>.toml`. A local adaptation
/// (D.1) may override a value; see [`super::Adaptation`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The edition.
    pub edition: Edition,
    /// The day from which the edition is in force, as `2023-01-01`.
    pub in_force: String,
    /// The source of the values.
    pub source: String,
    /// The limits of rapid and blitz, by the time for sixty moves (Annexes A and B).
    pub game_types: GameTypes,
    /// Illegal moves and the faults counted with them (Article 7).
    pub illegal_moves: IllegalMoves,
    /// Touching and making a move (Article 4).
    pub moving: Moving,
    /// Claims, offers and automatic draws (Articles 5 and 9).
    pub draws: Draws,
    /// Clock, flags and arrival (Article 6).
    pub time: Time,
    /// A wrong beginning (Article 7).
    pub setup: WrongBeginningRules,
    /// Keeping the score (Article 8).
    pub recording: Recording,
    /// Conduct, devices and penalties (Articles 10 to 12).
    pub conduct: Conduct,
    /// The rules for blind and visually disabled players (Annex D).
    pub blind: Blind,
    /// Quickplay finish, or games without increment.
    pub quickplay: Quickplay,
    /// Adjournment.
    pub adjournment: Adjournment,
}

/// The limits of Annexes A and B, by the time for sixty moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTypes {
    /// Minutes at which blitz ends and rapid begins.
    pub blitz_minutes: u32,
    /// Whether exactly that time is still blitz.
    pub blitz_minutes_included: bool,
    /// Minutes at which rapid ends.
    pub rapid_minutes: u32,
    /// Whether exactly that time is still rapid (2001 does not say, trap 13).
    pub rapid_minutes_included: bool,
    /// Whether sixty increments count as allotted time.
    pub increment_counts: bool,
    /// Whether rapid and blitz with adequate supervision follow the Competition Rules.
    pub has_supervised_mode: bool,
    /// How often a player on move may ask to see the arbiter's record, if the edition has that
    /// right.
    pub looks_at_record: Option<u32>,
}

/// Article 7 on illegal moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IllegalMoves {
    /// The sanctions by type of game and supervision.
    pub standard: IllegalMoveSanction,
    /// Rapid with adequate supervision (A.3).
    pub rapid_supervised: IllegalMoveSanction,
    /// Rapid without adequate supervision (A.4).
    pub rapid_unsupervised: IllegalMoveSanction,
    /// Blitz with adequate supervision (B.3).
    pub blitz_supervised: IllegalMoveSanction,
    /// Blitz without adequate supervision (B.4).
    pub blitz_unsupervised: IllegalMoveSanction,
    /// Whether different faults add up.
    pub counters: Counters,
    /// What the arbiter does about both kings in check or a pawn on the last rank in rapid and
    /// blitz without adequate supervision (A.4.4).
    pub illegal_position: IllegalPosition,
    /// What happens to a pawn that was not exchanged.
    pub unexchanged_pawn: UnexchangedPawn,
    /// A move made with two hands.
    pub two_hands: HandFault,
    /// A press without a move.
    pub press_without_move: HandFault,
}

/// The penalty for an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IllegalMoveSanction {
    /// The number of the illegal move that loses the game.
    pub loses_at: u32,
    /// The minutes added to the opponent's time for each earlier illegal move.
    pub minutes: u32,
    /// Whether the game is drawn instead if the opponent cannot mate by any series of legal moves.
    pub any_series_draw: bool,
    /// Who has to notice it.
    pub noticed_by: NoticedBy,
    /// How long it can be noticed.
    pub noticed_until: NoticedUntil,
}

/// Article 4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moving {
    /// Which contact counts as a touch.
    pub contact: TouchRule,
    /// What binds a player who touched pieces of both colours.
    pub both_colours_touched: BothColoursTouched,
    /// When a promotion is made.
    pub promotion_made: PromotionMade,
    /// Whether only the player whose clock runs may adjust (6.2.5).
    pub adjust_needs_running_clock: bool,
    /// Whether mate, stalemate and a dead position end the game only if the move also complied with
    /// the articles on touching (5.1.1, 5.2 since 2014). Before, the move only had to be legal.
    pub end_needs_touch_move: bool,
}

/// Articles 5 and 9.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draws {
    /// Minutes the opponent gets for a wrong claim, by type of game.
    pub wrong_claim_minutes: ByGameType,
    /// What the claimant loses.
    pub wrong_claim_claimant: ClaimantLoses,
    /// What ends the right to claim.
    pub claim_lost_by: ClaimLostBy,
    /// The fifth appearance of a position.
    pub fivefold: Fivefold,
    /// Whether seventy-five moves by each end the game.
    pub seventy_five_moves: bool,
    /// What an event may restrict.
    pub offer_limit: DrawOfferLimit,
    /// How many moves each player must have made before a draw can be agreed.
    pub agreement_needs_moves: u32,
    /// Whether a resignation draws if the opponent cannot mate (5.1.2 of 2023).
    pub resignation_draws_if_no_mate: bool,
}

/// A number for each type of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByGameType {
    /// Standard.
    pub standard: u32,
    /// Rapid.
    pub rapid: u32,
    /// Blitz.
    pub blitz: u32,
}

/// Article 6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// How late a player may come.
    pub default_time: DefaultTime,
    /// The rule for two fallen flags whose order is unknown.
    pub both_flags: BothFlags,
    /// What a time claim in rapid and blitz needs.
    pub time_claim_needs: TimeClaimNeeds,
    /// What the arbiter does about a flag in rapid and blitz.
    pub arbiter_calls_flag: ArbiterCallsFlag,
    /// Whether a disabled player loses no time for having an assistant (6.2.6, 8.1.6).
    pub no_deduction_for_disabled: bool,
    /// Whether making the next move completes the previous one (6.2.1.2).
    pub next_move_completes: bool,
}

/// Article 7 on a wrong beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongBeginningRules {
    /// The rule for reversed colours.
    pub reversed_colours: ReversedColours,
    /// How many completed moves by each end the right to complain in rapid and blitz (A.4.1).
    pub complaint_moves: u32,
    /// Which castling is lost with a misplaced piece then.
    pub misplaced_castling: MisplacedCastling,
}

/// Article 8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Strictly less than so many minutes release a player from recording (8.4).
    pub free_below_minutes: u32,
    /// An increment of so many seconds or more keeps the duty.
    pub increment_keeps_duty_seconds: u32,
    /// Whether the release lasts for the rest of the period.
    pub rest_of_period: bool,
    /// Whether the clocks are set only if necessary when differing scores make the game go back. If
    /// not, they are always set accordingly (D.2.9).
    pub clocks_back_if_necessary: bool,
    /// Whether rapid and blitz players keep the score.
    pub in_rapid_and_blitz: bool,
}

/// Articles 10 to 12.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conduct {
    /// The rule on devices.
    pub device: DeviceRule,
    /// Whether the noise or possession of a device leads only to a draw if the opponent cannot
    /// mate.
    pub device_any_series_draw: bool,
    /// The arbiter's penalties.
    pub sanctions: Vec<Sanction>,
    /// Whether the players together may not get more than the game is worth (10.2).
    pub points_capped: bool,
    /// Whether a decision can be appealed, unless the event says otherwise.
    pub appeal: bool,
}

/// Annex D (F in 2001, E in 2009).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blind {
    /// The rule for the words of ranks.
    pub rank_words: RankWords,
    /// The languages of announcements that the edition itself names.
    pub languages: Vec<TableLanguage>,
    /// Whether an assistant is compulsory against a hearing-impaired opponent (D.2.11).
    pub assistant_against_hearing_impaired: bool,
}

/// Quickplay finish (Article 10, Annex G, Guidelines III).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quickplay {
    /// Whether it also applies to blitz under the Competition Rules (B2 of 2009).
    pub in_supervised_blitz: bool,
    /// Whether it must have been announced to apply.
    pub must_be_announced: bool,
    /// The claim is allowed with strictly less than so many minutes.
    pub claim_below_minutes: u32,
    /// Minutes the opponent gets when the claim is rejected.
    pub rejected_minutes: u32,
    /// The five seconds.
    pub five_seconds: FiveSeconds,
    /// Minutes the opponent gets when the five seconds are granted.
    pub five_seconds_minutes: u32,
    /// Whether the claim is also an offer of a draw (9.1.2.3 until 2009).
    pub claim_offers_draw: bool,
    /// Whether the arbiter's decision is final.
    pub decision_final: bool,
}

/// Adjournment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjournment {
    /// The rule for a late arrival at the resumption.
    pub late: LateForResumption,
    /// Whether the player who has to reply loses the time until somebody arrives, if nobody is
    /// there.
    pub both_absent_replier_loses_time: bool,
    /// The times that are set on the clocks.
    pub times_at_resumption: TimesAtResumption,
    /// The clauses that save a player whose sealed move is faulty.
    pub faulty_seal_exceptions: Vec<SealException>,
    /// Whether a wrong time after the first move stands unless the consequences are too serious.
    pub wrong_time_unless_too_serious: bool,
    /// Whether the end of the session is announced too.
    pub announce_end: bool,
}

impl Rules {
    /// Returns the article of this edition for a clause of annexd's catalogue (`D.2.3`, `7.5.5`).
    /// `None` if the edition has no such article.
    pub fn article(&self, clause: &str) -> Option<String> {
        super::numbering::article(clause, self.edition)
    }

    /// Returns the article to cite for a clause. If the edition has none, it gives the clause's own
    /// number and says so, because that shows the arbiter that the rule is newer.
    pub fn cite(&self, clause: &str) -> String {
        self.article(clause)
            .unwrap_or_else(|| format!("{clause} (not in {})", self.edition))
    }
}
