//! Boards beside the scores: right ones, wrong ones, impossible ones, and ones that are behind.

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::games::Dice;

/// What the boards of a pair are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Boards {
    NotLookedAt,
    Right,
    OneLookedAt,
    OneWrong,
    BothWrong,
    Impossible,
    Behind,
}

const KINDS: [Boards; 7] = [
    Boards::NotLookedAt,
    Boards::Right,
    Boards::OneLookedAt,
    Boards::OneWrong,
    Boards::BothWrong,
    Boards::Impossible,
    Boards::Behind,
];

/// Boards for two games, each as its owner has played it.
pub(crate) fn boards(dice: &mut Dice, games: [&[Move]; 2]) -> (Boards, [Option<Board>; 2]) {
    let kind = KINDS[dice.below(KINDS.len())];
    let mut shown = games.map(|game| Some(after(game)));
    let one = dice.below(2);
    match kind {
        Boards::NotLookedAt => shown = [None, None],
        Boards::Right => {}
        Boards::OneLookedAt => shown[one] = None,
        Boards::OneWrong => shown[one].iter_mut().for_each(|board| disturb(dice, board)),
        Boards::BothWrong => shown
            .iter_mut()
            .flatten()
            .for_each(|board| disturb(dice, board)),
        Boards::Impossible => shown[one] = Some(impossible(dice, after(games[one]))),
        Boards::Behind => {
            let game = games[one];
            shown[one] = Some(after(&game[..game.len().saturating_sub(1)]));
        }
    }
    (kind, shown)
}

fn after(game: &[Move]) -> Board {
    let mut position = Chess::default();
    for &played in game {
        position.play_unchecked(played);
    }
    position.board().clone()
}

/// One to three pieces are put elsewhere, taken off or added.
fn disturb(dice: &mut Dice, board: &mut Board) {
    for _ in 0..=dice.below(3) {
        let squares: Vec<Square> = board.occupied().into_iter().collect();
        let empty: Vec<Square> = (!board.occupied()).into_iter().collect();
        let (Some(&from), Some(&to)) = (dice.choose(&squares), dice.choose(&empty)) else {
            return;
        };
        let piece = board.piece_at(from);
        match (dice.below(4), piece) {
            (0, _) => board.discard_piece_at(from),
            (1, Some(piece)) => board.set_piece_at(to, piece),
            (_, Some(piece)) => {
                board.discard_piece_at(from);
                board.set_piece_at(to, piece);
            }
            _ => {}
        }
    }
}

/// A placement that no game can reach.
fn impossible(dice: &mut Dice, mut board: Board) -> Board {
    let color = Color::from_white(dice.below(2) == 0);
    match dice.below(4) {
        0 => board = Board::empty(),
        1 => board.set_piece_at(Square::new(dice.below(8) as u32), color.pawn()),
        2 => {
            let kings = board.by_piece(color.king());
            kings
                .into_iter()
                .for_each(|square| board.discard_piece_at(square));
        }
        _ => {
            for square in Square::ALL {
                if dice.below(3) == 0 {
                    let role = Role::ALL[dice.below(Role::ALL.len())];
                    board.set_piece_at(square, Piece { color, role });
                }
            }
        }
    }
    board
}

/// Which boards have to be corrected in truth: back to `ply` of the first game if they differ, or
/// to the end of the longer one. A board that lags one ply behind with its owner's score is right.
pub(crate) fn to_correct(
    games: [&[Move]; 2],
    back_to: Option<usize>,
    boards: &[Option<Board>; 2],
) -> [bool; 2] {
    let longer = usize::from(games[1].len() > games[0].len());
    let game = &games[longer][..back_to.unwrap_or(games[longer].len())];
    let target = after(game);
    let before = after(&game[..game.len().saturating_sub(1)]);
    [0, 1].map(|owner| {
        let lags = back_to.is_none() && games[owner].len() < game.len();
        boards[owner]
            .as_ref()
            .is_some_and(|board| *board != target && !(lags && *board == before))
    })
}
