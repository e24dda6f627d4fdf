//! Boards beside the scores: right ones, wrong ones, impossible ones, and ones that are behind.

use std::collections::BTreeSet;

use annexd::score::{Entry, Standing};
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::games::Dice;
use super::oracle::{Answer, Outcome, Outcomes, Way};

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

/// Keeps the outcomes that more boards bear out than the others, if there are such.
pub(crate) fn decided(
    answer: &Answer,
    scores: [&[Entry]; 2],
    boards: &[Option<Board>; 2],
) -> Outcomes {
    if answer.outcomes.len() < 2 {
        return answer.outcomes.clone();
    }
    let borne_out = |outcome: &Outcome, ways: &BTreeSet<Way>| {
        let bears_out = |owner: &usize| {
            let Some(board) = boards[*owner].as_ref().map(Board::to_string) else {
                return false;
            };
            match outcome {
                Outcome::OneGame(_, place) => placement(place) == board,
                Outcome::Back(_, place) | Outcome::Illegal(_, place) => ways
                    .iter()
                    .any(|way| gone_on(place, &scores[*owner][way.read[*owner]..]) == board),
            }
        };
        [0, 1].iter().filter(|owner| bears_out(owner)).count()
    };
    let counts: Vec<usize> = answer
        .outcomes
        .iter()
        .map(|(outcome, ways)| borne_out(outcome, ways))
        .collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let is_one = counts.iter().filter(|&&count| count == most).count() == 1;
    let kept = answer.outcomes.iter().zip(counts);
    kept.filter(|(_, count)| most == 0 || !is_one || *count == most)
        .map(|((outcome, ways), _)| (outcome.clone(), ways.clone()))
        .collect()
}

fn placement(place: &str) -> &str {
    place.split(' ').next().unwrap_or_default()
}

/// The placement if somebody goes on from a position as his score says, legal or not.
fn gone_on(place: &str, entries: &[Entry]) -> String {
    let fen: shakmaty::fen::Fen = format!("{place} 0 1").parse().unwrap();
    let mut standing = Standing::of(fen.into_setup());
    for entry in entries {
        standing = standing.after_entry(entry);
    }
    standing.board().to_string()
}

/// Which boards an outcome asks to correct.
pub(crate) fn asked(
    outcome: &Outcome,
    ways: &BTreeSet<Way>,
    boards: &[Option<Board>; 2],
) -> [bool; 2] {
    let (Outcome::OneGame(_, place) | Outcome::Back(_, place) | Outcome::Illegal(_, place)) =
        outcome;
    [0, 1].map(|owner| {
        let lags = |board: &str| {
            ways.iter().all(|way| {
                let shorter = way.shorter.as_ref();
                shorter.is_some_and(|(of, before)| *of == owner && placement(before) == board)
            })
        };
        let board = boards[owner].as_ref().map(Board::to_string);
        board.is_some_and(|board| board != placement(place) && !lags(&board))
    })
}
