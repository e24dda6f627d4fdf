//! What a player announces (D.2.1).

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{CastlingSide, Move, Role, Square};

use super::as_words;

/// A move as it was announced. It is not judged: it may be illegal, and the named piece may not
/// stand there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Announcement {
    /// A piece goes from one square to another.
    Move(MoveAnnouncement),
    /// "Kurze Rochade" or "Lange Rochade". The moves of king and rook are never announced singly.
    Castling(Castling),
}

/// The announcement of a move other than castling. A part that was not said is `None`.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MoveAnnouncement {
    /// The piece named. A pawn need not be named (D.2.1).
    #[serde(with = "as_words::role", default)]
    pub piece: Option<Role>,
    /// The square of departure, if it was said.
    #[serde_as(as = "Option<DisplayFromStr>")]
    #[serde(default)]
    pub from: Option<Square>,
    /// The square of arrival.
    #[serde_as(as = "DisplayFromStr")]
    pub to: Square,
    /// Whether "schlägt" was said.
    #[serde(default)]
    pub capture: bool,
    /// The piece chosen for a promotion (D.2.1 requires it to be named).
    #[serde(with = "as_words::role", default)]
    pub promotion: Option<Role>,
    /// "Schach" or "matt", which a player may leave out.
    #[serde(default)]
    pub mark: Option<CheckMark>,
}

impl Announcement {
    /// Returns the two squares in which this announcement differs from another, if they differ in
    /// one square only, and only in its file.
    pub fn differs_in_file(&self, other: &Self) -> Option<[Square; 2]> {
        let (Self::Move(one), Self::Move(two)) = (self, other) else {
            return None;
        };
        let differ_in_file = |[a, b]: &[Square; 2]| a.rank() == b.rank() && a.file() != b.file();
        let arrival = Some([one.to, two.to]).filter(|_| one.from == two.from);
        let departure = one.from.zip(two.from).filter(|_| one.to == two.to);
        let squares = departure.map(|(a, b)| [a, b]).filter(differ_in_file);
        squares
            .or(arrival.filter(differ_in_file))
            .filter(|_| one.piece == two.piece)
    }
}

impl MoveAnnouncement {
    /// Returns the castling that a king's move of two squares from e1 or e8 towards a rook means,
    /// as devices and some players write it. The caller must check that king and rook stand there.
    pub fn castles_as_king(&self) -> Option<CastlingSide> {
        let is_plain = matches!(self.piece, None | Some(Role::King))
            && !self.capture
            && self.promotion.is_none();
        match (self.from?, self.to) {
            _ if !is_plain => None,
            (Square::E1, Square::G1) | (Square::E8, Square::G8) => Some(CastlingSide::KingSide),
            (Square::E1, Square::C1) | (Square::E8, Square::C8) => Some(CastlingSide::QueenSide),
            _ => None,
        }
    }
}

/// An announced castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Castling {
    /// King's side for "Kurze", queen's side for "Lange" Rochade.
    #[serde(with = "as_words::castling")]
    pub side: CastlingSide,
    /// "Schach" or "matt", which a player may leave out.
    #[serde(default)]
    pub mark: Option<CheckMark>,
}

/// The word that may end an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckMark {
    /// "Schach".
    Check,
    /// "Matt" or "Schachmatt".
    Mate,
}

impl Announcement {
    /// Makes the announcement of a piece that goes from one square to another, without any mark.
    pub const fn of_move(piece: Role, from: Square, to: Square) -> Self {
        Self::Move(MoveAnnouncement {
            piece: Some(piece),
            from: Some(from),
            to,
            capture: false,
            promotion: None,
            mark: None,
        })
    }

    /// Makes the announcement of a square alone, which is a move of a pawn.
    pub const fn of_square(to: Square) -> Self {
        Self::Move(MoveAnnouncement {
            piece: None,
            from: None,
            to,
            capture: false,
            promotion: None,
            mark: None,
        })
    }

    /// Makes the announcement of castling to a side.
    pub const fn of_castling(side: CastlingSide) -> Self {
        Self::Castling(Castling { side, mark: None })
    }
}

/// Makes the long form of a move, with every part said.
impl From<&Move> for Announcement {
    fn from(played: &Move) -> Self {
        if let Some(side) = played.castling_side() {
            return Self::of_castling(side);
        }
        Self::Move(MoveAnnouncement {
            piece: Some(played.role()),
            from: played.from(),
            to: played.to(),
            capture: played.is_capture(),
            promotion: played.promotion(),
            mark: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_survives_json() {
        let announced = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        let json = serde_json::to_string(&announced).unwrap();
        assert!(
            json.contains(r#""piece":"knight","from":"g1","to":"f3""#),
            "{json}"
        );
        assert_eq!(
            serde_json::from_str::<Announcement>(&json).unwrap(),
            announced
        );
        let castling = Announcement::of_castling(CastlingSide::QueenSide);
        let json = serde_json::to_string(&castling).unwrap();
        assert_eq!(
            serde_json::from_str::<Announcement>(&json).unwrap(),
            castling
        );
    }
}
