//! Corrections that make a board show a position.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use thiserror::Error;

use annexd_laws::notation::as_words;

/// One correction at a board.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Correction {
    /// Take a piece off the board.
    Remove {
        /// The piece.
        #[serde(with = "piece_words")]
        piece: Piece,
        /// Its square.
        #[serde_as(as = "DisplayFromStr")]
        from: Square,
    },
    /// Move a piece to another square.
    Move {
        /// The piece.
        #[serde(with = "piece_words")]
        piece: Piece,
        /// Its square now.
        #[serde_as(as = "DisplayFromStr")]
        from: Square,
        /// Its correct square.
        #[serde_as(as = "DisplayFromStr")]
        to: Square,
    },
    /// Put a piece on the board.
    Place {
        /// The piece.
        #[serde(with = "piece_words")]
        piece: Piece,
        /// Its correct square.
        #[serde_as(as = "DisplayFromStr")]
        to: Square,
    },
}

/// Returns the corrections until `board` shows `target`, in an order in which every square is empty
/// when a piece is put on it. Where pieces have to change places, one is taken off and put back
/// last. A piece goes to the nearest square that lacks one.
pub fn corrections(board: &Board, target: &Board) -> Vec<Correction> {
    let (mut removals, mut moves, mut placings) = (Vec::new(), Vec::new(), Vec::new());
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece { color, role };
            let (now, right) = (board.by_piece(piece), target.by_piece(piece));
            let (mut surplus, mut lacking) = (now & !right, right & !now);
            while let Some((from, to)) = nearest(role, surplus, lacking) {
                moves.push(Correction::Move { piece, from, to });
                surplus.discard(from);
                lacking.discard(to);
            }
            removals.extend(
                surplus
                    .into_iter()
                    .map(|from| Correction::Remove { piece, from }),
            );
            placings.extend(
                lacking
                    .into_iter()
                    .map(|to| Correction::Place { piece, to }),
            );
        }
    }
    in_order(board, removals, moves, placings)
}

fn in_order(
    board: &Board,
    removals: Vec<Correction>,
    mut moves: Vec<Correction>,
    mut placings: Vec<Correction>,
) -> Vec<Correction> {
    let mut occupied = board.occupied();
    for removal in &removals {
        if let Correction::Remove { from, .. } = removal {
            occupied.discard(*from);
        }
    }
    let mut steps = removals;
    while !moves.is_empty() {
        let is_free = |step: &Correction| match step {
            Correction::Move { to, .. } => !occupied.contains(*to),
            _ => true,
        };
        let free = moves.iter().position(is_free);
        let step = moves.remove(free.unwrap_or(0));
        match step {
            Correction::Move { piece, from, to } if free.is_none() => {
                steps.push(Correction::Remove { piece, from });
                placings.push(Correction::Place { piece, to });
                occupied.discard(from);
            }
            Correction::Move { from, to, .. } => {
                steps.push(step);
                occupied.discard(from);
                occupied.add(to);
            }
            _ => steps.push(step),
        }
    }
    steps.extend(placings);
    steps
}

/// Returns the two squares between which a piece of this kind has most likely moved. A pawn keeps
/// its file if it can, and a bishop its colour.
fn nearest(role: Role, surplus: Bitboard, lacking: Bitboard) -> Option<(Square, Square)> {
    let pairs = surplus
        .into_iter()
        .flat_map(|from| lacking.into_iter().map(move |to| (from, to)));
    pairs.min_by_key(|&(from, to)| {
        let is_odd = match role {
            Role::Pawn => from.file() != to.file(),
            Role::Bishop => from.is_light() != to.is_light(),
            _ => false,
        };
        (is_odd, from.distance(to), from, to)
    })
}

/// The text is not a placement.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no placement: give a FEN, or its first part, such as 8/8/8/8/8/8/4K3/4k3")]
pub struct ParsePlacementError;

/// Reads a placement: a whole FEN or its first field. The position need not be reachable.
///
/// # Errors
///
/// [`ParsePlacementError`] if the text is not a placement.
pub fn read_placement(text: &str) -> Result<Board, ParsePlacementError> {
    let placement = text.split_whitespace().next().unwrap_or_default();
    match placement.trim_matches('"') {
        "startpos" => Ok(Board::new()),
        fen => Fen::from_ascii(fen.as_bytes())
            .map(|fen| fen.into_setup().board)
            .map_err(|_| ParsePlacementError),
    }
}

pub(super) mod piece_words {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use shakmaty::{Color, Piece};

    use super::as_words;

    pub(super) fn serialize<S: Serializer>(piece: &Piece, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&words(*piece))
    }

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(in super::super) fn serialize_option<S: Serializer>(
        piece: &Option<Piece>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match piece {
            Some(piece) => to.serialize_some(&words(*piece)),
            None => to.serialize_none(),
        }
    }

    fn words(piece: Piece) -> String {
        format!("{} {}", piece.color, as_words::role::word(piece.role))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Piece, D::Error> {
        let words = String::deserialize(from)?;
        let (color, role) = words.split_once(' ').unwrap_or_default();
        let color: Option<Color> = color.parse().ok();
        color
            .zip(as_words::role::from_word(role))
            .map(|(color, role)| Piece { color, role })
            .ok_or_else(|| D::Error::custom(format!("no piece: {words}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Carries out corrections as a person would, one by one, each onto an empty square.
    fn carried_out(board: &Board, corrections: &[Correction]) -> Board {
        let mut board = board.clone();
        for correction in corrections {
            if let Correction::Remove { piece, from } | Correction::Move { piece, from, .. } =
                *correction
            {
                assert_eq!(board.remove_piece_at(from), Some(piece));
            }
            if let Correction::Place { piece, to } | Correction::Move { piece, to, .. } =
                *correction
            {
                assert_eq!(board.piece_at(to), None, "{correction:?}");
                board.set_piece_at(to, piece);
            }
        }
        board
    }

    #[test]
    fn corrections_lead_to_the_position() {
        let right = read_placement("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R").unwrap();
        for wrong in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R",
            "8/8/8/8/8/8/8/8",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "QQQQQQQQ/8/8/8/8/8/8/kkkkkkkk",
            // King, queen and a pawn in a ring.
            "r1bqkbnr/pppp1ppp/2n5/1B2p3/3KP3/5N2/PPPPQPPP/RNBP3R",
            "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RBNKQ2R",
        ] {
            let wrong = read_placement(wrong).unwrap();
            let steps = corrections(&wrong, &right);
            assert_eq!(carried_out(&wrong, &steps), right);
        }
    }

    #[test]
    fn a_bishop_on_the_wrong_square_is_one_correction() {
        let right = read_placement("4k3/8/8/1B6/8/8/8/4K3 w - - 0 1").unwrap();
        let wrong = read_placement("4k3/8/8/8/2B5/8/8/4K3").unwrap();
        let steps = corrections(&wrong, &right);
        assert_eq!(
            steps,
            [Correction::Move {
                piece: Color::White.bishop(),
                from: Square::C4,
                to: Square::B5
            }]
        );
        let json = serde_json::to_string(&steps).unwrap();
        assert_eq!(
            json,
            r#"[{"do":"move","piece":"white bishop","from":"c4","to":"b5"}]"#
        );
    }

    #[test]
    fn pieces_go_to_the_nearest_square() {
        let right = read_placement("rnbqkbnr/1ppp1ppp/p7/4p3/4P3/8/PPPP1PPP/RNBQKBNR").unwrap();
        let steps = corrections(&Board::new(), &right);
        let squares = steps.iter().map(|step| match *step {
            Correction::Move { from, to, .. } => format!("{from}{to}"),
            Correction::Remove { from, .. } => format!("{from}-"),
            Correction::Place { to, .. } => format!("-{to}"),
        });
        let mut squares: Vec<String> = squares.collect();
        squares.sort();
        assert_eq!(squares, ["a7a6", "e2e4", "e7e5"]);
    }

    #[test]
    fn nonsense_is_no_placement() {
        assert!(read_placement("").is_err());
        assert!(read_placement("9/8").is_err());
    }
}
