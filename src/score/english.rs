//! Moves in English letters, as PGN writes them.

use std::fmt::Write as _;

use shakmaty::{CastlingSide, Role};

use super::notated::{Notated, NotatedMove, PartialSquare};
use annexd_laws::notation::{Castling, CheckMark};

/// Writes an entry in English letters, as far as it is known.
pub(super) fn english(notated: &Notated) -> String {
    match notated {
        Notated::Move(notated) => english_move(notated),
        Notated::Castling(Castling { side, mark }) => {
            let rings = match side {
                CastlingSide::KingSide => "O-O",
                CastlingSide::QueenSide => "O-O-O",
            };
            format!("{rings}{}", mark_sign(*mark))
        }
        Notated::Unreadable => "?".to_owned(),
        Notated::Blank => "-".to_owned(),
    }
}

fn english_move(notated: &NotatedMove) -> String {
    let mut text = String::new();
    let both = notated.from.square().zip(notated.to.square());
    let is_coordinates = notated.piece.is_none() && both.is_some() && !notated.capture;
    match notated.piece {
        Some(Role::Pawn) => {}
        Some(role) => text.push(role.upper_char()),
        None if is_coordinates => {}
        None => text.push('?'),
    }
    match (notated.from.file, notated.from.rank) {
        (None, None) => {}
        (Some(file), None) => text.push(file.char()),
        (None, Some(rank)) => text.push(rank.char()),
        (Some(_), Some(_)) => {
            let _ = write!(text, "{}", notated.from);
            if !notated.capture && !is_coordinates {
                text.push('-');
            }
        }
    }
    if notated.capture {
        text.push('x');
    }
    match notated
        .takes
        .filter(|_| notated.to == PartialSquare::UNKNOWN)
    {
        Some(taken) => text.push(taken.upper_char()),
        None => text.push_str(&notated.arrival()),
    }
    if let Some(role) = notated.promotion {
        text.push('=');
        text.push(role.upper_char());
    }
    text.push_str(mark_sign(notated.mark));
    text
}

pub(super) const fn mark_sign(mark: Option<CheckMark>) -> &'static str {
    match mark {
        Some(CheckMark::Check) => "+",
        Some(CheckMark::Mate) => "#",
        None => "",
    }
}
