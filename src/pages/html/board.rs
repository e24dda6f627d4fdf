//! Boards. A board is a table, so that who does not see it can walk over its squares; the pieces
//! are simple shapes, drawn for this program and free like it (GPL-3.0-or-later).

use maud::{Markup, html};

use super::{Asked, Sent, hidden, to};
use crate::view::{Board, Square, Taps};

/// The shapes of pawn, knight, bishop, rook, queen and king on a square of 40 by 40.
const SHAPES: [(char, &[&str]); 6] = [
    (
        'p',
        &[
            "M20 8a5.5 5.5 0 0 1 3.6 9.7c3 1.4 4.6 4.6 4.9 8.8l3.5 3.5v4H8v-4l3.5-3.5c.3-4.2 1.9-7.4 4.9-8.8A5.5 5.5 0 0 1 20 8z",
        ],
    ),
    (
        'n',
        &[
            "M13 34c0-8 6-9.500 6-15-3 0-4.500 3.500-8 4.500L8.500 20c2.500-3 2-6.500 5-9.500L13.500 6l5 3c9 0 13.500 7 13 25z",
            "M16.300 14.200h.1",
        ],
    ),
    (
        'b',
        &[
            "M20 4.500a2.600 2.600 0 0 1 1.700 4.500c5 3.500 7.300 7.500 7.300 11 0 3-1.700 5-3.500 6l1 4 5.500 1v3.500H8v-3.500l5.500-1 1-4c-1.800-1-3.500-3-3.500-6 0-3.500 2.300-7.500 7.300-11A2.600 2.600 0 0 1 20 4.500z",
            "M20 13v8M16.500 17h7",
        ],
    ),
    (
        'r',
        &[
            "M9.500 6.500h5v3.500h3V6.500h5v3.500h3V6.500h5v8l-3.500 3v9l3.500 3.500V35H9.500v-5l3.500-3.500v-9l-3.500-3z",
            "M13 17.500h14M13 26.500h14",
        ],
    ),
    (
        'q',
        &[
            "M5.500 12.500l6.500 6 2-10.500 6 9.500 6-9.500 2 10.500 6.500-6-4 14.500 1.500 3v4.500H8V30l1.500-3z",
            "M9.500 27h21",
        ],
    ),
    (
        'k',
        &[
            "M18.500 3.500h3v3h3v3h-3v3.800c6-2.800 12.500-.3 12.500 5.200 0 3.500-2.500 6-4.500 8l1.500 3.500v4.500H9V30l1.500-3.500c-2-2-4.500-4.500-4.500-8 0-5.500 6.500-8 12.500-5.200V9.500h-3v-3h3z",
            "M10.500 26.500h19M20 14v10",
        ],
    ),
];

/// The shapes, once for all boards of a page.
pub(super) fn pieces() -> Markup {
    html! {
        svg.shapes aria-hidden="true" width="0" height="0" {
            @for (letter, paths) in SHAPES {
                symbol id=(format!("piece-{letter}")) viewBox="0 0 40 40" {
                    @for path in paths { path d=(path) {} }
                }
            }
        }
    }
}

/// One board, with what tapping it does now.
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
            data-promotes=[promotes(&board.taps)] data-asks=(words.promotes) {
            figcaption {
                (board.title)
                @if let Taps::Move(_) = board.taps {
                    span.hint { @if chosen.is_some() { (words.tap_to) } @else { (words.tap_from) } }
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

/// The new pieces, for the script.
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

/// Whether a pawn goes to its last rank.
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
