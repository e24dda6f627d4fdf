//! The small words of scenarios: moves, times, persons.

use std::time::Duration;

use shakmaty::{CastlingSide, Color, Role, Square};

use crate::notation::{Announcement, Castling, MoveAnnouncement};
use crate::persons::Person;

/// `Ng1f3`, `Nf3`, `e2e4`, `e5xd6`, `e7e8=Q`, `O-O`. A pawn may be `Pe2e4` or have no letter.
pub(super) fn announcement(text: &str) -> Option<Announcement> {
    let plain = text.trim_end_matches(['+', '#']);
    let side = match plain {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if let Some(side) = side {
        return Some(Announcement::Castling(Castling { side, mark: None }));
    }
    let (plain, promotion) = match plain.split_once('=') {
        Some((plain, role)) => (plain, Some(Role::from_char(role.chars().next()?)?)),
        None => (plain, None),
    };
    let first = plain.chars().next()?;
    let (piece, squares) = if first.is_ascii_uppercase() {
        (Some(Role::from_char(first)?), &plain[1..])
    } else {
        (None, plain)
    };
    let capture = squares.contains('x');
    let squares = squares.replace('x', "");
    let (from, to) = match squares.len() {
        2 => (None, squares.as_str()),
        4 if squares.is_ascii() => (Some(squares[..2].parse().ok()?), &squares[2..]),
        _ => return None,
    };
    Some(Announcement::Move(MoveAnnouncement {
        piece,
        from,
        to: to.parse().ok()?,
        capture,
        promotion,
        mark: None,
    }))
}

/// An announcement in the same letters.
pub(super) fn letters(said: &Announcement) -> String {
    match said {
        Announcement::Castling(castling) => match castling.side {
            CastlingSide::KingSide => "O-O".to_owned(),
            CastlingSide::QueenSide => "O-O-O".to_owned(),
        },
        Announcement::Move(said) => {
            let mut text = String::new();
            text.extend(said.piece.map(Role::upper_char));
            text.extend(said.from.map(|from: Square| from.to_string()));
            if said.capture {
                text.push('x');
            }
            text.push_str(&said.to.to_string());
            if let Some(role) = said.promotion {
                text.push('=');
                text.push(role.upper_char());
            }
            text
        }
    }
}

/// `1:30:00`, `2:03` or `2:03.250`.
pub(super) fn time(text: &str) -> Option<Duration> {
    let (whole, ms) = match text.split_once('.') {
        Some((whole, ms)) => (whole, ms.parse::<u64>().ok()?),
        None => (text, 0),
    };
    if !whole.contains(':') {
        return None;
    }
    let mut seconds = 0u64;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    (seconds < 1_000_000).then(|| Duration::from_millis(seconds * 1000 + ms))
}

pub(super) fn written_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

pub(super) fn color(text: &str) -> Option<Color> {
    match text {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// `white`, `black-assistant`, `arbiter`.
pub(super) fn person(text: &str) -> Option<Person> {
    match text {
        "arbiter" => Some(Person::Arbiter),
        "white-assistant" => Some(Person::Assistant(Color::White)),
        "black-assistant" => Some(Person::Assistant(Color::Black)),
        other => color(other).map(Person::Player),
    }
}
