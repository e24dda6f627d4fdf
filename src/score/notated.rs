//! A move as it stands in a score, independent of any language.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use shakmaty::san::San;
use shakmaty::{CastlingSide, File, Move, Rank, Role, Square};
use thiserror::Error;

use annexd_laws::notation::{Announcement, Castling, CheckMark, MoveAnnouncement, as_words};

/// What an entry of a score says. It is not judged: it may be illegal, and half of it may be
/// illegible.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notated {
    /// A piece goes to a square.
    Move(NotatedMove),
    /// 0-0 or 0-0-0, with its mark of check or mate.
    Castling(#[serde(with = "castling_words")] Castling),
    /// The entry cannot be read.
    Unreadable,
    /// The place was left empty.
    Blank,
}

/// A written or announced move other than castling, as far as it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NotatedMove {
    /// The piece. `None` if it was not said or cannot be read. A pawn is given as a pawn, because
    /// the missing letter names it (C.4).
    #[serde(with = "as_words::role", default)]
    pub piece: Option<Role>,
    /// The square of departure, as far as it was given.
    #[serde(default)]
    pub from: PartialSquare,
    /// The square of arrival, as far as it can be read.
    pub to: PartialSquare,
    /// Whether a capture was marked.
    #[serde(default)]
    pub capture: bool,
    /// The captured piece, if it is named instead of its square: `BxN`.
    #[serde(
        with = "as_words::role",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub takes: Option<Role>,
    /// The piece chosen for a promotion.
    #[serde(with = "as_words::role", default)]
    pub promotion: Option<Role>,
    /// A mark of check or mate, which may be left out.
    #[serde(default)]
    pub mark: Option<CheckMark>,
}

/// A square whose file, rank, both or neither is known. Written `f3`, `f?`, `?3`, `??`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub struct PartialSquare {
    /// The file, if known.
    pub file: Option<File>,
    /// The rank, if known.
    pub rank: Option<Rank>,
}

impl Notated {
    /// Makes castling to a side, without a mark.
    pub const fn of_castling(side: CastlingSide) -> Self {
        Self::Castling(Castling { side, mark: None })
    }

    /// The mark of check or mate of the entry, which may be left out.
    pub const fn mark(&self) -> Option<CheckMark> {
        match self {
            Self::Move(notated) => notated.mark,
            Self::Castling(castling) => castling.mark,
            Self::Unreadable | Self::Blank => None,
        }
    }

    /// Makes an entry that says everything about a legal move.
    pub const fn of_move(played: Move) -> Self {
        match played {
            Move::Castle { king, rook } => Self::of_castling(CastlingSide::from_king_side(
                (king as u8) & 7 < (rook as u8) & 7,
            )),
            _ => Self::Move(NotatedMove {
                piece: Some(played.role()),
                from: match played.from() {
                    Some(from) => PartialSquare::of(from),
                    None => PartialSquare::UNKNOWN,
                },
                to: PartialSquare::of(played.to()),
                capture: played.is_capture(),
                takes: None,
                promotion: played.promotion(),
                mark: None,
            }),
        }
    }

    /// Makes a legal move in long form, with this entry's sign of check.
    #[must_use]
    pub(super) const fn lengthened(&self, played: Move) -> Self {
        let mut long = Self::of_move(played);
        match (&mut long, self) {
            (Self::Move(long), Self::Move(short)) => long.mark = short.mark,
            (Self::Castling(long), Self::Castling(short)) => long.mark = short.mark,
            _ => {}
        }
        long
    }

    /// Returns what an entry says about a move that was played: with the piece, if its square of
    /// departure shows it, and without the sign of check, which may be left out (C.13).
    pub(super) fn told(&self, played: Move) -> Self {
        match self {
            Self::Move(notated) => {
                let of_square = notated.from.square().map(|_| played.role());
                Self::Move(NotatedMove {
                    piece: notated.piece.or(of_square),
                    mark: None,
                    ..*notated
                })
            }
            Self::Castling(castling) => Self::of_castling(castling.side),
            other => other.clone(),
        }
    }

    /// Makes an entry from standard algebraic notation.
    pub const fn of_san(san: San) -> Self {
        match san {
            San::Normal {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            } => Self::Move(NotatedMove {
                piece: Some(role),
                from: PartialSquare { file, rank },
                to: PartialSquare::of(to),
                capture,
                takes: None,
                promotion,
                mark: None,
            }),
            San::Castle(side) => Self::of_castling(side),
            San::Put { .. } | San::Null => Self::Unreadable,
        }
    }

    /// Returns whether the entry can mean a legal move.
    ///
    /// Marks of capture and check do not count, because they may be left out. A promotion without a
    /// piece can mean each of the four.
    pub fn can_mean(&self, played: Move) -> bool {
        match (self, played) {
            (Self::Castling(castling), Move::Castle { .. }) => {
                played.castling_side() == Some(castling.side)
            }
            (Self::Move(notated), Move::Castle { king, rook }) => {
                // A king's move of two squares, as devices and some writers write castling.
                let side = CastlingSide::from_king_side(king < rook);
                let to = Square::from_coords(side.king_to_file(), king.rank());
                matches!(notated.piece, Some(Role::King) | None)
                    && king.file() == File::E
                    && notated.from.file.is_none_or(|file| file == king.file())
                    && notated.from.rank.is_none_or(|rank| rank == king.rank())
                    && notated.to == PartialSquare::of(to)
                    && notated.promotion.is_none()
            }
            (Self::Move(notated), _) => {
                // If the square of a capture cannot be read, it is still a capture.
                let is_of_kind =
                    !notated.capture || notated.to != PartialSquare::UNKNOWN || played.is_capture();
                is_of_kind
                    && notated.piece.is_none_or(|role| role == played.role())
                    && played.from().is_some_and(|from| notated.from.fits(from))
                    && (notated.to.fits(played.to()) || notated.can_begin(played))
                    && notated
                        .takes
                        .is_none_or(|taken| played.capture() == Some(taken))
                    && (notated.promotion.is_none() || notated.promotion == played.promotion())
            }
            (Self::Castling(_) | Self::Unreadable | Self::Blank, _) => false,
        }
    }

    /// Returns how it would be announced, legal or not, if it names a square of arrival.
    pub fn announcement(&self) -> Option<Announcement> {
        match self {
            Self::Castling(castling) => Some(Announcement::Castling(*castling)),
            Self::Move(notated) => Some(Announcement::Move(MoveAnnouncement {
                piece: notated.piece,
                from: notated.from.square(),
                to: notated.to.square()?,
                capture: notated.capture,
                promotion: notated.promotion,
                mark: notated.mark,
            })),
            Self::Unreadable | Self::Blank => None,
        }
    }

    /// Returns whether anything can be read.
    pub const fn is_legible(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Castling(_))
    }

    /// Returns whether the destination cannot be read: `Sx?`. A pawn's capture from file to file
    /// shows it, and so does a capture that names the captured piece.
    pub fn is_half_read(&self) -> bool {
        match self {
            Self::Move(notated) => {
                notated.to.square().is_none() && notated.takes.is_none() && !notated.is_short()
            }
            _ => false,
        }
    }
}

impl From<&Announcement> for Notated {
    fn from(announced: &Announcement) -> Self {
        match announced {
            Announcement::Castling(castling) => Self::Castling(*castling),
            Announcement::Move(announced) => Self::Move(NotatedMove {
                // Without a square of departure an unnamed piece is a pawn (D.2.1). With one it may
                // be any piece.
                piece: announced
                    .piece
                    .or(announced.from.is_none().then_some(Role::Pawn)),
                from: announced.from.map(PartialSquare::of).unwrap_or_default(),
                to: PartialSquare::of(announced.to),
                capture: announced.capture,
                takes: None,
                promotion: announced.promotion,
                mark: announced.mark,
            }),
        }
    }
}

impl NotatedMove {
    /// Returns the square of arrival as it is written. In a pawn's capture from file to file (`ed`)
    /// no rank is missing.
    pub(super) fn arrival(&self) -> String {
        let file = self.to.file.filter(|_| self.is_short());
        file.map_or_else(|| self.to.to_string(), |file| file.char().to_string())
    }
}

impl PartialSquare {
    /// A square that is unknown.
    pub const UNKNOWN: Self = Self {
        file: None,
        rank: None,
    };

    /// Makes a square that is fully known.
    pub const fn of(square: Square) -> Self {
        Self {
            file: Some(square.file()),
            rank: Some(square.rank()),
        }
    }

    /// The square, if it is fully known.
    pub fn square(self) -> Option<Square> {
        Some(Square::from_coords(self.file?, self.rank?))
    }

    /// Returns whether this can be the given square.
    pub fn fits(self, square: Square) -> bool {
        self.file.is_none_or(|file| file == square.file())
            && self.rank.is_none_or(|rank| rank == square.rank())
    }
}

impl NotatedMove {
    /// Returns whether a pawn's move with only a file legible can be a capture that begins with
    /// that file: `e?` for `exd5`.
    fn can_begin(&self, played: Move) -> bool {
        let is_file = self.from == PartialSquare::UNKNOWN && self.to.rank.is_none();
        self.piece == Some(Role::Pawn)
            && is_file
            && !self.capture
            && played.is_capture()
            && self.to.file.is_some()
            && self.to.file == played.from().map(Square::file)
    }

    /// Returns whether it is a pawn's capture from file to file, without a rank.
    fn is_short(&self) -> bool {
        self.piece == Some(Role::Pawn)
            && self.from.file.is_some()
            && self.to.file.is_some()
            && self.from.rank.or(self.to.rank).is_none()
            && self.promotion.is_none()
    }
}

impl fmt::Display for PartialSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.map_or('?', File::char);
        let rank = self.rank.map_or('?', Rank::char);
        write!(f, "{file}{rank}")
    }
}

/// Castling in JSON: the side as a word, followed by its mark if it has one: `"kingside+"`.
mod castling_words {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
    use shakmaty::CastlingSide;

    use super::{Castling, CheckMark};

    const WORDS: [(CastlingSide, &str); 2] = [
        (CastlingSide::KingSide, "kingside"),
        (CastlingSide::QueenSide, "queenside"),
    ];

    const MARKS: [(Option<CheckMark>, &str); 3] = [
        (None, ""),
        (Some(CheckMark::Check), "+"),
        (Some(CheckMark::Mate), "#"),
    ];

    fn all() -> impl Iterator<Item = (Castling, String)> {
        WORDS.into_iter().flat_map(|(side, word)| {
            MARKS.map(|(mark, sign)| (Castling { side, mark }, format!("{word}{sign}")))
        })
    }

    pub(super) fn serialize<S: Serializer>(castling: &Castling, to: S) -> Result<S::Ok, S::Error> {
        let text = all().find(|(known, _)| known == castling);
        to.serialize_str(&text.map(|(_, text)| text).unwrap_or_default())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Castling, D::Error> {
        let given = String::deserialize(from)?;
        let castling = all().find(|(_, text)| *text == given);
        castling
            .map(|(castling, _)| castling)
            .ok_or_else(|| D::Error::custom(format!("no castling side: {given}")))
    }
}

/// The text is neither a square nor a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a square, nor a part of one such as f? or ?3")]
pub struct ParsePartialSquareError;

impl FromStr for PartialSquare {
    type Err = ParsePartialSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut letters = text.chars();
        let (Some(file), Some(rank), None) = (letters.next(), letters.next(), letters.next())
        else {
            return Err(ParsePartialSquareError);
        };
        let file = match file {
            '?' => None,
            file => Some(File::from_char(file).ok_or(ParsePartialSquareError)?),
        };
        let rank = match rank {
            '?' => None,
            rank => Some(Rank::from_char(rank).ok_or(ParsePartialSquareError)?),
        };
        Ok(Self { file, rank })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_keeps_its_mark_in_json_and_is_written_as_before_without() {
        for (mark, json) in [
            (None, r#"{"castling":"queenside"}"#),
            (Some(CheckMark::Check), r#"{"castling":"queenside+"}"#),
            (Some(CheckMark::Mate), r#"{"castling":"queenside#"}"#),
        ] {
            let side = CastlingSide::QueenSide;
            let castling = Notated::Castling(Castling { side, mark });
            assert_eq!(serde_json::to_string(&castling).unwrap(), json);
            assert_eq!(serde_json::from_str::<Notated>(json).unwrap(), castling);
        }
    }

    #[test]
    fn a_partial_square_is_read_as_it_is_written() {
        for text in ["f3", "f?", "?3", "??"] {
            assert_eq!(text.parse::<PartialSquare>().unwrap().to_string(), text);
        }
        assert!("f9".parse::<PartialSquare>().is_err());
        assert!("é3".parse::<PartialSquare>().is_err());
    }

    #[test]
    fn an_unnamed_piece_is_a_pawn_only_when_the_origin_is_unsaid() {
        let mut announced = Announcement::of_move(Role::Pawn, Square::E2, Square::E4);
        let Announcement::Move(said) = &mut announced else {
            unreachable!()
        };
        said.piece = None;
        let Notated::Move(any) = Notated::from(&announced) else {
            unreachable!()
        };
        assert_eq!(any.piece, None);
        let Announcement::Move(said) = &mut announced else {
            unreachable!()
        };
        said.from = None;
        let Notated::Move(pawn) = Notated::from(&announced) else {
            unreachable!()
        };
        assert_eq!(pawn.piece, Some(Role::Pawn));
    }
}
