//! What the Laws of Chess say, edition by edition.
//!
//! This crate judges for the arbiter and does not hold the state of the game. Most files take facts
//! and return a decision with the clause it rests on. [`clock`], [`notation`], [`persons`] and
//! [`moment`] are the words and values that the other crates share. A clause is named as July 2017
//! numbers it; [`Rules::article`] turns it into the article of the edition in force.
//!
//! ```
//! use annexd_laws::{Answer, Edition, PositionKey, is_dead, is_threefold};
//! use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::San};
//!
//! // The second illegal move loses a standard game. Each edition has its own number and article.
//! let rules = Edition::E2023.rules();
//! assert_eq!(rules.illegal_moves.standard.loses_at, 2);
//! assert_eq!(rules.article("7.5.3").as_deref(), Some("7.5.5"));
//! let earlier: Edition = "2009".parse()?;
//! assert_eq!(earlier.rules().illegal_moves.standard.loses_at, 3);
//!
//! // Nobody can mate with one knight: the game is over (5.2.2).
//! let fen: Fen = "8/8/4k3/8/8/3NK3/8/8 w - - 0 1".parse()?;
//! assert_eq!(is_dead(&fen.into_position(CastlingMode::Standard)?), Answer::Yes);
//!
//! // The knights return twice, and the position is there for the third time (9.2).
//! let mut game = Chess::default();
//! let mut history = vec![PositionKey::of(&game)];
//! for san in ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(2) {
//!     let played = san.parse::<San>()?.to_move(&game)?;
//!     game = game.play(played)?;
//!     history.push(PositionKey::of(&game));
//! }
//! assert!(is_threefold(&history));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments use the numbers of two lists. `trap 66` is explained in `docs/traps.md`. `X1` (silent
//! legality) and the other X rules are explained in `ARCHITECTURE.md`.

// No input may end a game. So nothing here panics on purpose, except where data of the program
// itself is wrong, and nothing indexes a place that may not exist.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

pub mod clock;
pub mod moment;
pub mod notation;
pub mod persons;

mod adaptation;
mod adjournment;
mod any_series;
mod assistant;
mod beginning;
mod chess960;
mod choices;
mod claim;
mod device;
mod draw_offer;
mod edition;
mod flag_fall;
mod game_type;
mod illegal_move;
mod legality;
mod numbering;
mod position;
mod quickplay;
mod recording;
mod repetition;
mod result;
mod rules;
mod termination;
mod touch_move;

pub use adaptation::{Adaptation, AdaptationError, Expected};
pub use adjournment::*;
pub use any_series::{
    Answer, Effort, Series, can_mate_by_any_series, can_mate_with_effort, is_dead, mating_series,
};
pub use assistant::{may_have_sighted_helper, needs_assistant};
pub use beginning::*;
pub use chess960::{Wrong960, castled, check_chess960_start, chess960_start};
pub use choices::*;
pub use claim::*;
pub use device::{DeviceFound, device_penalty, needs_approval};
pub use draw_offer::*;
pub use edition::{Edition, UnknownEdition};
pub use flag_fall::*;
pub use game_type::{GameType, Supervision};
pub use illegal_move::*;
pub use legality::{MoveFacts, WhyIllegal, captured_square, is_plainly_illegal, judge_move};
pub use numbering::Clause;
pub use position::{NotAPosition, position_of, setup_of};
pub use quickplay::*;
pub use recording::{CannotWrite, RecordingDuty, is_recorded, loses_time_for_assistant};
pub use repetition::{PositionKey, appearances, is_fivefold, is_threefold};
pub use result::{
    GameResult, ParseGameResultError, ParseScoringError, Points, PointsError, Scoring, in_halves,
};
pub use rules::*;
pub use termination::{ImmediateEnd, LossOrDraw, Termination, immediate_end, resignation};
pub use touch_move::*;
