//! What a running game has recorded so far, which tells a test what has happened.

use annexd::board::Fact;
use annexd::game::Input;
use annexd::journal::Body;
use annexd::shell::record::store;
use shakmaty::{Bitboard, Board, Color};

use super::Home;
use crate::waiting::{PATIENCE, comes_within};

/// What the game was told.
pub(crate) fn inputs(home: &Home, game: &str) -> Vec<Input> {
    let entries = store::read(&home.game(game)).unwrap().entries;
    let inputs = entries.into_iter().filter_map(|entry| match entry.body {
        Body::Step { input, .. } => Some(input),
        _ => None,
    });
    inputs.collect()
}

/// What the board of a side showed last when its pieces were at rest.
pub(crate) fn shown(inputs: &[Input], side: Color) -> Option<&Board> {
    inputs.iter().rev().find_map(|input| match input {
        Input::Board {
            board,
            fact: Fact::Settled(shown),
        } if *board == side => Some(shown),
        _ => None,
    })
}

/// The squares on which something stands, by what the board of a side has told so far; a piece may
/// be in the hand still.
pub(crate) fn occupied(inputs: &[Input], side: Color) -> Bitboard {
    let facts = inputs.iter().filter_map(|input| match input {
        Input::Board { board, fact } if *board == side => Some(fact),
        _ => None,
    });
    facts.fold(Bitboard::EMPTY, |squares, fact| match fact {
        Fact::Lifted { square, .. } => squares.without(*square),
        Fact::Placed { square, .. } => squares.with(*square),
        Fact::Settled(shown) => shown.occupied(),
    })
}

/// Waits until the record of a game says that something is so.
#[track_caller]
pub(crate) fn until_recorded(home: &Home, game: &str, is_so: impl Fn(&[Input]) -> bool) {
    let comes = comes_within(PATIENCE, || is_so(&inputs(home, game)));
    assert!(comes, "never recorded: {:#?}", inputs(home, game));
}
