//! Boards. A board is a table, so that a reader who cannot see it can move over its squares. The
//! pieces are simple shapes, drawn for this program and under its licence (GPL-3.0-or-later).

use maud::{Markup, PreEscaped, html};

use super::{Asked, Sent, hidden, to};
use crate::view::{Board, Square, Taps};

/// The shapes of the pieces, which a printed sheet uses too.
const SHAPES: &str = include_str!("../../../assets/pieces.svg");

/// Returns the shapes, once for all boards of a page.
pub(super) fn pieces() -> Markup {
    PreEscaped(SHAPES.to_owned())
}

/// Returns one board, with what a tap does now.
pub(super) fn board(sent: &Sent<'_>, board: &Board, asked: &Asked) -> Markup {
    let words = &sent.words.page;
    let chosen = board.squares.iter().find(|square| {
        asked.board == board.id && square.name == asked.from && !square.from.is_empty()
    });
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let is_turned = board.squares.first().is_some_and(|it| it.name == "h1");
    let file = |at: usize| letters[if is_turned { 7 - at } else { at }];
    html! {
        figure.board id=(board.id) data-taps=(kind(&board.taps))
            data-promotes=[promotes(&board.taps)] data-asks=(words.promotes)
            data-again=(words.choose_again) {
            figcaption {
                (board.title)
                @if let Taps::Move(_) = board.taps {
                    span.hint data-from=(words.tap_from) data-to=(words.tap_to) {
                        @if chosen.is_some() { (words.tap_to) } @else { (words.tap_from) }
                    }
                }
            }
            @if let (Some(from), Taps::Move(pieces)) = (chosen, &board.taps)
                && is_promotion(from, &asked.to) {
                (promotion(sent, from, &asked.to, pieces))
            }
            table {
                caption.hidden { (board.title) }
                colgroup { col.edge; col span="8"; }
                tbody {
                    @for (row, squares) in board.squares.chunks(8).enumerate() {
                        tr {
                            th scope="row" { @if is_turned { (row + 1) } @else { (8 - row) } }
                            @for (column, it) in squares.iter().enumerate() {
                                td.dark[(row + column) % 2 == 1]
                                    .marked[it.is_marked].differs[it.differs]
                                    .chosen[chosen.is_some_and(|from| from.name == it.name)] {
                                    (square(sent, board, it, chosen))
                                }
                            }
                        }
                    }
                    tr { td {} @for at in 0..8 { th scope="col" { (file(at)) } } }
                }
            }
        }
    }
}

/// Returns the promotion pieces for the script.
fn promotes(taps: &Taps) -> Option<String> {
    match taps {
        Taps::Move(pieces) => serde_json::to_string(pieces).ok(),
        Taps::Nothing | Taps::Square(_) => None,
    }
}

const fn kind(taps: &Taps) -> &'static str {
    match taps {
        Taps::Nothing => "nothing",
        Taps::Square(_) => "square",
        Taps::Move(_) => "move",
    }
}

fn square(sent: &Sent<'_>, board: &Board, square: &Square, chosen: Option<&Square>) -> Markup {
    let words = &sent.words.page;
    let inside = html! {
        @if let Some(piece) = square.piece {
            svg class=(if piece.is_uppercase() { "white" } else { "black" }) aria-hidden="true" viewBox="0 0 40 40" {
                use href=(format!("#piece-{}", piece.to_ascii_lowercase())) {}
            }
        }
        span.hidden {
            (square.name) @if !square.words.is_empty() { " " (square.words) }
            @if square.is_marked { ", " (words.marked) }
            @if square.differs { ", " (words.differs) }
        }
        @if square.differs { span.sign aria-hidden="true" { "≠" } }
    };
    let press = |line: &str| {
        html! {
            form method="post" action=(to(sent)) {
                (hidden(sent, line))
                button type="submit" data-square=(square.name) data-from=(square.from)
                    data-pawn=[is_pawn(square).then_some("1")] { (inside) }
            }
        }
    };
    let ask = |from: &str, to: &str| {
        html! {
            form method="get" {
                input type="hidden" name="board" value=(board.id);
                input type="hidden" name="from" value=(from);
                @if !to.is_empty() { input type="hidden" name="to" value=(to); }
                button type="submit" data-square=(square.name) data-from=(square.from)
                    data-pawn=[is_pawn(square).then_some("1")] { (inside) }
            }
        }
    };
    html! {
        @match (&board.taps, chosen) {
            (Taps::Nothing, _) => (inside),
            (Taps::Square(line), _) => (press(&line.replace("{0}", square.name))),
            (Taps::Move(_), Some(from)) if from.name == square.name => (ask("", "")),
            (Taps::Move(_), Some(from)) if is_promotion(from, square.name) => {
                (ask(from.name, square.name))
            }
            (Taps::Move(_), Some(from)) => (press(&format!("{}{}", from.from, square.name))),
            (Taps::Move(_), None) => (ask(square.name, "")),
        }
    }
}

fn is_pawn(square: &Square) -> bool {
    square
        .piece
        .is_some_and(|piece| piece.eq_ignore_ascii_case(&'p'))
}

/// Returns whether a pawn goes to its last rank.
fn is_promotion(from: &Square, to: &str) -> bool {
    match from.piece {
        Some('P') => to.ends_with('8'),
        Some('p') => to.ends_with('1'),
        _ => false,
    }
}

fn promotion(sent: &Sent<'_>, from: &Square, square: &str, pieces: &[(String, String)]) -> Markup {
    html! {
        div.promotion {
            p { (sent.words.page.promotes) }
            div.buttons {
                @for (letter, name) in pieces {
                    form.press method="post" action=(to(sent)) {
                        (hidden(sent, &format!("{}{square}{letter}", from.from)))
                        button.main type="submit" { (name) }
                    }
                }
            }
        }
    }
}
