//! Grounds of a decision: facts that the arbiter reads. They are never said, so they have no clips,
//! and numbers and times are in figures. The words are in `grammar/<language>/reasons.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::complete::has_all;
use super::pieces::{Pieces, PlaceKind};
use super::spoken::Spoken;
use super::{Argument, Language, Message};
use annexd_score::{PageError, read_page};

/// One fact on which a proposal or a decision rests.
pub type Ground = Message<GroundKey>;

/// All facts. A time without further description is counted from the start of the game.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
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
pub enum GroundKey {
    /// When it came up: {time}.
    CameUp,
    /// What both clocks show: White {time}, Black {time}.
    Clocks,
    /// The last move: {number} {side} {move}, made at {time}.
    LastMove,
    /// The clock was pressed for it at {time}.
    Pressed,
    /// The clock was not pressed for it.
    NotPressed,
    /// The flag of {side} fell at {time}.
    FlagFell,
    /// {side} has {time} left.
    TimeLeft,
    /// {side} has no earlier fault.
    NoFaultBefore,
    /// An earlier fault of {side} in move {number}.
    FaultBefore,
    /// Fault {number} loses ({article}).
    FaultLoses,
    /// {side} gains {time} by it.
    Gains,
    /// {side} keeps {time} (the halving of 2001).
    Keeps,
    /// {side} has to play {move}.
    MustPlay,
    /// {side} has to move the piece on {square}.
    MustMove,
    /// The intended move: {move}.
    Intended,
    /// The position appeared at the start.
    StoodAtStart,
    /// The position appeared after move {number} of {side}.
    StoodAfter,
    /// The position would appear again after the intended move.
    WouldStand,
    /// Plies without a capture or a pawn move: {number}.
    QuietPlies,
    /// {side} can mate by some series of moves.
    CanMate,
    /// {side} cannot mate by any series of moves.
    CannotMate,
    /// It is not proved whether {side} can mate.
    MateUnproved,
    /// Moves completed: White {number}, Black {number}.
    MovesCompleted,
    /// {side} arrived at {time} after the start.
    Arrived,
    /// The default time is {time}.
    DefaultTime,
    /// {piece} on {square} was touched at {time}.
    Touched,
    /// A draw offer of {side} is open.
    OfferOpen,
    /// Why the move is illegal: nothing stood there.
    NoPiece,
    /// Why the move is illegal: the piece was the opponent's.
    OpponentsPiece,
    /// Why the move is illegal: an own piece stands on the square of arrival.
    OwnPieceThere,
    /// Why the move is illegal: a king was captured.
    KingCaptured,
    /// Why the move is illegal: the piece does not go there.
    CannotGoThere,
    /// Why the move is illegal: the king is in check after it.
    KingInCheck,
    /// Why the move is illegal: the pawn was not exchanged.
    NotExchanged,
    /// The board shows another move than the announced one: {move}.
    BoardShows,
    /// Why the move is illegal: there is no such promotion.
    NoSuchPromotion,
    /// Why the move is illegal: the right to castle was lost.
    CastlingRightLost,
    /// Why the move is illegal: castling was prevented.
    CastlingPrevented,
}

/// The texts of all facts in one language.
#[derive(Clone, Debug, Default)]
pub struct Grounds(BTreeMap<GroundKey, Pieces>);

impl Grounds {
    /// Reads `reasons.toml`: `key = "text"` for every fact, and nothing else.
    ///
    /// # Errors
    ///
    /// If the file is wrong. The error gives the line and the fault.
    pub fn parse(text: &str) -> Result<Self, PageError> {
        let facts = read_page(text)?;
        has_all(&facts, text)?;
        Ok(Self(facts))
    }

    /// The places in a fact's text. They are the same in every language.
    pub fn places(&self, key: GroundKey) -> Vec<PlaceKind> {
        self.0.get(&key).map(Pieces::places).unwrap_or_default()
    }

    /// Returns a fact in the words of the language.
    pub fn text(&self, language: &Language, reason: &Ground) -> String {
        let pieces = self.0.get(&reason.key);
        let said = |argument: &Argument| language.in_figures(argument);
        let segments = pieces.map(|pieces| pieces.filled(&reason.arguments, &said));
        let segments = segments.unwrap_or_default();
        Spoken { segments }.text()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::Color;
    use strum::IntoEnumIterator as _;

    use super::*;
    use crate::german_language;

    #[test]
    fn a_fact_is_read_in_figures() {
        let german = german_language();
        let fell = Ground::new(
            GroundKey::FlagFell,
            [
                Argument::Side(Color::White),
                Argument::Time(Duration::from_secs(5430)),
            ],
        );
        assert_eq!(
            german.reason(&fell),
            "Das Blättchen von Weiß fiel 1:30:30 nach dem Anfang."
        );
    }

    #[test]
    fn every_language_has_every_fact_with_the_same_places() {
        let de = Grounds::parse(include_str!("../../grammar/de/reasons.toml")).unwrap();
        for text in [
            include_str!("../../grammar/en/reasons.toml"),
            include_str!("../../grammar/da/reasons.toml"),
            include_str!("../../grammar/sv/reasons.toml"),
        ] {
            let other = Grounds::parse(text).unwrap();
            for key in GroundKey::iter() {
                let sorted = |mut places: Vec<PlaceKind>| {
                    places.sort_unstable();
                    places
                };
                assert_eq!(sorted(other.places(key)), sorted(de.places(key)), "{key:?}");
            }
        }
        assert!(Grounds::parse("came_up = \"{time}\"").is_err());
        assert!(Grounds::parse("cam_up = \"{time}\"").is_err());
    }
}
