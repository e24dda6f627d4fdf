//! Notes in brackets beside a move that belong to it.

use shakmaty::Color;

use super::clock_times::clock_time;
use super::draw_words::{DrawWords, all_draw_words};
use super::scan::TokenKind;

/// The word before a slip that an entry has replaced, in square brackets.
pub(super) const SLIP: &str = "slip ";
/// The word before a move that was heard although it was not said.
pub(super) const MISHEARD: &str = "misheard ";

/// Reads a draw offer, a time or a slip in brackets beside a move.
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

/// Makes an offer by this side, if the side is known.
pub(super) fn offer(by: Option<Color>) -> TokenKind {
    by.map_or(TokenKind::Offer, TokenKind::OfferBy)
}
