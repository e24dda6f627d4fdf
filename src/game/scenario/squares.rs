//! The basic words of scenarios: moves, times, persons.

use std::time::Duration;

use serde::de::DeserializeOwned;
use shakmaty::{Board, CastlingSide, Color, Role, Square};

use annexd_laws::notation::{Announcement, Castling, MoveAnnouncement};
use annexd_laws::persons::Person;

/// Reads `Ng1f3`, `Nf3`, `Ng1-f3`, `e2e4`, `e5xd6`, `e7e8=Q`, `e7e8Q`, `O-O`, `0-0`. A pawn may be
/// `Pe2e4` or have no letter.
pub(super) fn announcement(text: &str) -> Option<Announcement> {
    let plain = text.trim_end_matches(['+', '#', '!', '?', ',', '.']);
    let side = match plain.replace(['0', 'o'], "O").as_str() {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if let Some(side) = side {
        return Some(Announcement::Castling(Castling { side, mark: None }));
    }
    let plain = plain.replace('-', "");
    let first = plain.chars().next()?;
    let (piece, squares) = if first.is_ascii_uppercase() {
        (Some(Role::from_char(first)?), plain.get(1..)?)
    } else {
        (None, plain.as_str())
    };
    let capture = squares.contains('x');
    let squares = squares.replace(['x', '=', ':'], "");
    let (squares, promotion) = match squares.chars().last()? {
        last if last.is_ascii_alphabetic() => {
            (squares.strip_suffix(last)?, Some(Role::from_char(last)?))
        }
        _ => (squares.as_str(), None),
    };
    let (from, to) = match squares.len() {
        2 => (None, squares),
        4 => {
            let (from, to) = squares.split_at_checked(2)?;
            (Some(from.parse().ok()?), to)
        }
        _ => return None,
    };
    Some(Announcement::Move(MoveAnnouncement {
        piece,
        from,
        to: to.parse().ok()?,
        capture: capture || text.contains(':'),
        promotion,
        mark: None,
    }))
}

/// An announcement in the same notation.
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

/// Reads `1:30:00`, `2:03`, `2:03.250`, `1h30m`, `90m` or `45s`.
pub(super) fn time(text: &str) -> Option<Duration> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, part)) if part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit()) => {
            (whole, format!("{part:0<3}").parse::<u64>().ok()?)
        }
        Some(_) => return None,
        None => (text, 0),
    };
    let mut seconds = 0u64;
    if whole.contains(':') {
        for part in whole.split(':') {
            seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
        }
    } else {
        let mut rest = whole;
        for (unit, worth) in [('h', 3600), ('m', 60), ('s', 1)] {
            if let Some((number, after)) = rest.split_once(unit) {
                let number: u64 = number.parse().ok()?;
                seconds = seconds.checked_add(number.checked_mul(worth)?)?;
                rest = after;
            }
        }
        if !rest.is_empty() || whole.is_empty() {
            return None;
        }
    }
    (seconds < 1_000_000).then(|| Duration::from_millis(seconds * 1000 + fraction))
}

pub(super) fn written_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

pub(super) fn color(text: &str) -> Option<Color> {
    match text.trim_end_matches("'s") {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// Reads `white`, `black-assistant`, `white assistant`, `arbiter`. Returns also how many words
/// after the first belong to the name.
pub(super) fn person(first: &str, second: Option<&str>) -> Option<(Person, usize)> {
    let (side, what) = match first.split_once('-') {
        Some((side, what)) => (side, Some(what)),
        None => (first, None),
    };
    if first == "arbiter" {
        return Some((Person::Arbiter, 0));
    }
    let side = color(side)?;
    match (what, second) {
        (Some("assistant" | "helper"), _) => Some((Person::Assistant(side), 0)),
        (Some(_), _) => None,
        (None, Some("assistant" | "helper")) => Some((Person::Assistant(side), 1)),
        (None, _) => Some((Person::Player(side), 0)),
    }
}

/// Reads `e2e4`, `e7e8=Q`.
pub(super) fn plain_move(text: &str) -> Result<(Square, Square, Option<Role>), String> {
    match announcement(text) {
        Some(Announcement::Move(MoveAnnouncement {
            from: Some(from),
            to,
            promotion,
            ..
        })) => Ok((from, to, promotion)),
        _ => Err(format!(
            "{text}: write both squares, such as e2e4, g1f3, e1g1 for castling or e7e8=Q"
        )),
    }
}

pub(super) fn a_move(text: &str) -> Result<Announcement, String> {
    announcement(text).ok_or_else(|| {
        format!(
            "{text}: no move: write Ng1f3, Nf3, e2e4, e5xd6, e7e8=Q, O-O or O-O-O, with both \
             squares or the last one alone"
        )
    })
}

pub(super) fn a_square(text: &str) -> Result<Square, String> {
    text.parse()
        .map_err(|_| format!("{text}: no square such as e4"))
}

pub(super) fn a_color(text: &str) -> Result<Color, String> {
    color(text).ok_or_else(|| format!("{text}: write white or black"))
}

pub(super) fn a_time(text: &str) -> Result<Duration, String> {
    time(text).ok_or_else(|| format!("{text}: no time such as 5:00, 1:30:00 or 90m"))
}

pub(super) fn a_number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text}: no number"))
}

pub(super) fn a_board(text: &str) -> Result<Board, String> {
    text.parse()
        .map_err(|error| format!("{text}: no placement such as 4k3/8/8/8/8/8/4P3/4K3: {error}"))
}

/// A word as the value of a closed type. The error lists the values.
pub(super) fn data<T: DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).map_err(|error| {
        let error = error.to_string().replace("unknown variant", "there is no");
        format!("{word}: {}", error.replace("expected one of", "there are"))
    })
}

pub(super) fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))
}
