//! What a player who has touched pieces must play (4.2 to 4.5). For the arbiter.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};

use super::choices::{BothColoursTouched, TouchRule};
use super::legality::captured_square;
use super::rules::Rules;

/// The pieces that a player on move has touched with intent, in the order of touching. A blind
/// player touches a piece when its peg is out of its hole (D.2.2). Adjusting (4.2.1) and executing
/// the opponent's move (trap 66) are not touches and do not belong here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The squares of the pieces, first touched first.
    pub squares: Vec<Square>,
    /// Whether it is unclear which was touched first, the own piece or the opponent's. The own
    /// piece then counts as the first (4.3.3).
    pub is_order_unclear: bool,
    /// Whether the player meant to castle when he touched his king (4.4.3).
    pub meant_to_castle: bool,
    /// Whether it is Chess960. There an intended castling does not depend on which piece was
    /// touched first, and the king may stay where it is (F.3).
    pub is_chess960: bool,
    /// The rule of the edition for pieces of both colours (4.3.3).
    pub both_colours: BothColoursTouched,
}

/// What a player is bound to.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Nothing: no piece was touched, or none of those touched can be moved or captured (4.5).
    Free,
    /// To move the piece on this square (4.3.1).
    Move(#[serde_as(as = "DisplayFromStr")] Square),
    /// To capture the piece on this square (4.3.2).
    Capture(#[serde_as(as = "DisplayFromStr")] Square),
    /// To capture one piece with the other (4.3.3).
    CaptureWith {
        /// The own piece.
        #[serde_as(as = "DisplayFromStr")]
        piece: Square,
        /// The opponent's.
        #[serde_as(as = "DisplayFromStr")]
        captured: Square,
    },
    /// To castle with the king and this rook (4.4.1).
    Castle(#[serde_as(as = "DisplayFromStr")] Square),
    /// To move the king (4.4.3).
    King(#[serde_as(as = "DisplayFromStr")] Square),
}

/// The obligation, with the clause it rests on and the moves that meet it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What the player is bound to.
    pub bound: Bound,
    /// The clause.
    pub clause: &'static str,
    /// Every legal move that meets it.
    pub moves: Vec<Move>,
}

/// How a piece was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowTouched {
    /// With the intention of moving or capturing.
    Intending,
    /// Deliberately, but not to move or capture.
    Deliberately,
    /// Perhaps by accident; nobody can tell.
    Doubtful,
    /// Clearly by accident.
    ClearlyByAccident,
}

/// Returns whether a contact is a touch under the edition (4.2.2, 4.3).
pub const fn is_touch(rules: &Rules, contact: HowTouched) -> bool {
    match rules.moving.contact {
        TouchRule::Deliberate => {
            matches!(contact, HowTouched::Intending | HowTouched::Deliberately)
        }
        TouchRule::IntendingToMove => matches!(contact, HowTouched::Intending),
        TouchRule::UnlessClearlyAccidental => !matches!(contact, HowTouched::ClearlyByAccident),
    }
}

/// Returns what the player on move is bound to.
pub fn obligation(position: &Chess, touched: &Touched) -> Obligation {
    let legal = position.legal_moves().to_vec();
    let squares = ordered(position, touched);
    let castling = Castling::of(position, &squares, touched);
    castling_obligation(position, &legal, castling, touched.meant_to_castle)
        .or_else(|| both_colours(position, &legal, (&squares, touched.both_colours), castling))
        .or_else(|| first_possible(position, &legal, &squares, castling))
        .unwrap_or(Obligation {
            bound: Bound::Free,
            clause: if squares.is_empty() { "4.3" } else { "4.5" },
            moves: legal,
        })
}

/// Returns the touched squares that hold a piece, each once. If the order is unclear, an own piece
/// comes first.
fn ordered(position: &Chess, touched: &Touched) -> Vec<Square> {
    let mut squares = Vec::new();
    for &square in &touched.squares {
        if position.board().occupied().contains(square) && !squares.contains(&square) {
            squares.push(square);
        }
    }
    if touched.is_order_unclear {
        squares.sort_by_key(|&square| position.them().contains(square));
    }
    squares
}

/// What the touched king and rooks mean for castling.
#[derive(Clone, Copy)]
enum Castling {
    /// Nothing.
    NotConcerned,
    /// The king first, then this rook (4.4.1).
    KingThenRook(Square),
    /// This rook first, then the king: no castling with it on this move (4.4.2).
    RookThenKing(Square),
    /// The king alone.
    KingAlone,
}

impl Castling {
    fn of(position: &Chess, squares: &[Square], touched: &Touched) -> Self {
        let us = position.turn();
        let is_own = |square: &Square, role| {
            position.board().piece_at(*square) == Some(Piece { color: us, role })
        };
        let first_own = |role| {
            let mut touched = squares.iter().copied().enumerate();
            touched.find(|(_, square)| is_own(square, role))
        };
        let (king, rook) = (first_own(Role::King), first_own(Role::Rook));
        let in_any_order = touched.is_chess960 && touched.meant_to_castle;
        match (king, rook) {
            (_, Some((_, rook))) if in_any_order => Self::KingThenRook(rook),
            (Some((first, _)), Some((then, rook))) if first < then => Self::KingThenRook(rook),
            (Some(_), Some((_, rook))) => Self::RookThenKing(rook),
            (Some(_), None) => Self::KingAlone,
            _ => Self::NotConcerned,
        }
    }

    /// Returns whether this move is the castling that 4.4.2 forbids.
    fn forbids(self, candidate: Move) -> bool {
        matches!((self, candidate), (Self::RookThenKing(touched), Move::Castle { rook, .. })
            if rook == touched)
    }
}

fn castling_obligation(
    position: &Chess,
    legal: &[Move],
    castling: Castling,
    meant_to_castle: bool,
) -> Option<Obligation> {
    let king = position.board().king_of(position.turn())?;
    let castle_with = |touched: Square| {
        legal
            .iter()
            .copied()
            .find(move |m| matches!(m, Move::Castle { rook, .. } if *rook == touched))
    };
    match castling {
        Castling::KingThenRook(rook) => Some(match castle_with(rook) {
            Some(castle) => Obligation {
                bound: Bound::Castle(rook),
                clause: "4.4.1",
                moves: vec![castle],
            },
            None => king_or_anything(legal, king),
        }),
        Castling::KingAlone if meant_to_castle => {
            let other_side = legal.iter().any(|m| m.is_castle());
            (!other_side).then(|| king_or_anything(legal, king))
        }
        _ => None,
    }
}

/// Castling is illegal, so the player must make another move of the king, which may be castling to
/// the other side. If there is none, any legal move will do (4.4.3).
fn king_or_anything(legal: &[Move], king: Square) -> Obligation {
    let moves: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|m| m.from() == Some(king))
        .collect();
    if moves.is_empty() {
        Obligation {
            bound: Bound::Free,
            clause: "4.4.3",
            moves: legal.to_vec(),
        }
    } else {
        Obligation {
            bound: Bound::King(king),
            clause: "4.4.3",
            moves,
        }
    }
}

/// The first touched piece of the opponent must be captured with the first touched own one (4.3.3).
/// Until 2014 the rule speaks of only one piece of each colour.
fn both_colours(
    position: &Chess,
    legal: &[Move],
    (squares, editions): (&[Square], BothColoursTouched),
    castling: Castling,
) -> Option<Obligation> {
    if editions == BothColoursTouched::OneOfEach && squares.len() > 2 {
        return None;
    }
    let first_of = |side: Color| {
        squares
            .iter()
            .copied()
            .find(|&square| position.board().color_at(square) == Some(side))
    };
    let us = position.turn();
    let (piece, captured) = (first_of(us)?, first_of(us.other())?);
    let moves: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&m| m.from() == Some(piece) && captured_square(m) == Some(captured))
        .filter(|&m| !castling.forbids(m))
        .collect();
    (!moves.is_empty()).then_some(Obligation {
        bound: Bound::CaptureWith { piece, captured },
        clause: "4.3.3",
        moves,
    })
}

/// Returns the obligation of the first touched piece that can be moved or captured.
fn first_possible(
    position: &Chess,
    legal: &[Move],
    squares: &[Square],
    castling: Castling,
) -> Option<Obligation> {
    let has_both = squares.iter().any(|s| position.us().contains(*s))
        && squares.iter().any(|s| position.them().contains(*s));
    squares.iter().find_map(|&square| {
        let is_own = position.us().contains(square);
        let moves: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&m| {
                if is_own {
                    m.from() == Some(square) && !castling.forbids(m)
                } else {
                    captured_square(m) == Some(square)
                }
            })
            .collect();
        let (bound, clause) = match (is_own, castling) {
            (true, Castling::RookThenKing(_)) => (Bound::Move(square), "4.4.2"),
            (true, _) => (Bound::Move(square), "4.3.1"),
            (false, _) => (Bound::Capture(square), "4.3.2"),
        };
        let clause = if has_both { "4.3.3" } else { clause };
        (!moves.is_empty()).then_some(Obligation {
            bound,
            clause,
            moves,
        })
    })
}
