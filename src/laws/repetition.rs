//! When two positions are the same, and how often a position has appeared (9.2, 9.6.1).

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Square};

use super::choices::Fivefold;
use super::rules::Rules;

/// Everything that makes positions the same in the sense of 9.2.2: the same player has the move,
/// the same kinds of pieces stand on the same squares, and the same moves are possible.
///
/// An en passant capture counts only if it is legal (trap 89). A castling right counts as long as
/// king and rook have not moved, even while castling is prevented (trap 90).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey {
    board: Board,
    turn: Color,
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl PositionKey {
    /// The key of a position.
    pub fn of(position: &Chess) -> Self {
        Self {
            board: position.board().clone(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
        }
    }
}

/// Returns the plies after which the last position of `history` appeared, oldest first. The history
/// begins with the initial position, so an index is a number of plies. The last position itself is
/// always among them.
pub fn appearances(history: &[PositionKey]) -> Vec<usize> {
    let Some(last) = history.last() else {
        return Vec::new();
    };
    history
        .iter()
        .enumerate()
        .filter(|(_, key)| *key == last)
        .map(|(ply, _)| ply)
        .collect()
}

/// Returns whether the last position of the history has appeared three times or more (9.2). That
/// gives a right to claim and ends nothing by itself.
pub fn is_threefold(history: &[PositionKey]) -> bool {
    appearances(history).len() >= 3
}

/// Returns whether the fifth appearance of the last position ends the game (9.6.1).
pub fn is_fivefold(rules: &Rules, history: &[PositionKey]) -> bool {
    match rules.draws.fivefold {
        Fivefold::Never => false,
        Fivefold::Any => appearances(history).len() >= 5,
        Fivefold::Consecutive => is_unbroken_fivefold(history),
    }
}

/// Returns whether the last position ends an unbroken repetition in which it appeared five times,
/// with the same moves between its appearances each time.
fn is_unbroken_fivefold(history: &[PositionKey]) -> bool {
    let plies = appearances(history);
    let [.., before, last] = plies.as_slice() else {
        return false;
    };
    let period = last - before;
    let Some(first) = last.checked_sub(4 * period) else {
        return false;
    };
    (first..=last - period).all(|ply| history.get(ply) == history.get(ply + period))
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::san::San;
    use shakmaty::{CastlingMode, Chess};

    use super::super::Edition;
    use super::*;

    fn play(moves: &str) -> Vec<PositionKey> {
        let mut position = Chess::default();
        let mut history = vec![PositionKey::of(&position)];
        for word in moves.split_whitespace() {
            let played = word.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
            history.push(PositionKey::of(&position));
        }
        history
    }

    #[track_caller]
    fn key(fen: &str) -> PositionKey {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        PositionKey::of(&position)
    }

    #[test]
    fn a_repetition_need_not_be_consecutive() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
        assert!(!is_threefold(&play(shuffle)));
        assert!(is_threefold(&play(&shuffle.repeat(2))));
        let between = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8";
        assert_eq!(appearances(&play(between)), [0, 4, 8]);
    }

    #[test]
    fn the_fifth_appearance_ends_the_game_by_the_edition() {
        let unbroken = play(&"Nf3 Nf6 Ng1 Ng8 ".repeat(4));
        let broken = play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 Nf3 Nf6 Ng1 Ng8");
        for edition in Edition::ALL {
            let rules = edition.rules();
            assert_eq!(is_fivefold(rules, &unbroken), edition >= Edition::E2014);
            assert_eq!(is_fivefold(rules, &broken), edition >= Edition::E2017July);
        }
    }

    #[test]
    fn en_passant_counts_only_if_it_can_be_played() {
        // The capture would expose the king on the fifth rank.
        assert_eq!(
            key("8/8/8/K2pP2r/8/8/8/7k w - d6"),
            key("8/8/8/K2pP2r/8/8/8/7k w - -")
        );
        assert_ne!(
            key("8/8/8/3pP3/8/8/8/K6k w - d6"),
            key("8/8/8/3pP3/8/8/8/K6k w - -")
        );
    }

    #[test]
    fn a_castling_right_counts_even_while_castling_is_barred() {
        let barred = "4k2r/8/8/8/8/8/8/R3KB1R w KQk -";
        let lost = "4k2r/8/8/8/8/8/8/R3KB1R w Qk -";
        assert_ne!(key(barred), key(lost));
    }
}
