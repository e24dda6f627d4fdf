//! What stands in brackets beside a move and belongs to it.

use std::time::Duration;

use shakmaty::Color;

use super::draw_words::{DrawWords, all_draw_words};
use super::scan::{TokenKind, number};

/// Before a slip that an entry has replaced, in square brackets.
pub(super) const SLIP: &str = "slip ";
/// Before what was heard and not said.
pub(super) const MISHEARD: &str = "misheard ";

/// A draw offer, a time or a slip in brackets beside a move.
pub(super) fn bracketed(inside: &str) -> Option<TokenKind> {
    for (name, misheard) in [(SLIP, false), (MISHEARD, true)] {
        let word = inside.strip_prefix(name).map(str::trim);
        if let Some(word) = word.filter(|word| !word.is_empty() && !word.contains(' ')) {
            let word = word.to_owned();
            return Some(TokenKind::Replaced { word, misheard });
        }
    }
    if inside.trim_end_matches(['?', '!', '.']) == "=" {
        return Some(TokenKind::Offer);
    }
    match all_draw_words(inside) {
        Some(DrawWords::Agreed) => Some(TokenKind::Draw),
        Some(DrawWords::Offer(by)) => Some(offer(by)),
        Some(DrawWords::Bare) => Some(TokenKind::Offer),
        None => clock_time(inside).map(TokenKind::Clock),
    }
}

/// An offer, by who is said to have made it.
pub(super) fn offer(by: Option<Color>) -> TokenKind {
    by.map_or(TokenKind::Offer, TokenKind::OfferBy)
}

/// Reads `0:45`, `1:29:59` or `1:29:59.5` as a time.
pub(super) fn clock_time(word: &str) -> Option<Duration> {
    let mut parts = word.split(':');
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() || second.len() != 2 {
        return None;
    }
    let hours: u64 = number(first, 3)?;
    let minutes: u64 = number(second, 2)?;
    let (seconds, ms) = match third {
        None => (0, 0),
        Some(third) => {
            let (whole, part) = third.split_once('.').unwrap_or((third, ""));
            if whole.len() != 2 || part.len() > 3 {
                return None;
            }
            let ms = match part {
                "" => 0,
                part => number::<u64>(part, 3)? * 10_u64.pow(3 - part.len() as u32),
            };
            (number(whole, 2)?, ms)
        }
    };
    (minutes < 60 && seconds < 60)
        .then(|| Duration::from_millis(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms))
}
