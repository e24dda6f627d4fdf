//! Makes pairs of dirty scores of which the truth is known.

use annexd_score::{
    Entry, Letters, Meaning, Notated, NotatedMove, PartialSquare, Score, Standing, read_score,
    write_move,
};
use shakmaty::san::San;
use shakmaty::{Board, Chess, Move, Position, Square};

use super::boards::{Boards, boards, to_correct};
use super::games::Dice;
use super::meanings::place;
use super::oracle::Outcome;
use super::sheets::written;

/// The faults that a pair can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Missing,
    Doubled,
    Neighbours,
    SameSide,
    Unreadable,
    HalfReadable,
    Illegal,
    WrongOrigin,
    NoOrigin,
    Blank,
    MissingRow,
    DoubledRow,
    Rows,
    OtherPiece,
    Extra,
    WrongNumbers,
    Columns,
    ColumnsBlock,
}

pub(crate) const KINDS: [Kind; 18] = [
    Kind::Missing,
    Kind::Doubled,
    Kind::Neighbours,
    Kind::SameSide,
    Kind::Unreadable,
    Kind::HalfReadable,
    Kind::Illegal,
    Kind::WrongOrigin,
    Kind::NoOrigin,
    Kind::Blank,
    Kind::MissingRow,
    Kind::DoubledRow,
    Kind::Rows,
    Kind::OtherPiece,
    Kind::Extra,
    Kind::WrongNumbers,
    Kind::Columns,
    Kind::ColumnsBlock,
];

/// Two scores and what is true of them.
pub(crate) struct Pair {
    pub(crate) scores: [Score; 2],
    /// The faults that were made, in words.
    pub(crate) kinds: Vec<String>,
    /// Whether the scores differ for good.
    pub(crate) differ: bool,
    /// Whether both record the same illegal move at `ply`.
    pub(crate) is_illegal: bool,
    /// The ply on which the games part, or the length of the longer one.
    pub(crate) ply: usize,
    /// What the boards are like, and what they show.
    pub(crate) boards: (Boards, [Option<Board>; 2]),
    /// Which of them has to be corrected.
    pub(crate) to_correct: [bool; 2],
    /// The sheets of which the scores were read.
    pub(crate) sheets: [String; 2],
    /// The position at `ply`.
    pub(crate) position: String,
}

impl Pair {
    /// What is true, as the oracle says it.
    pub(crate) fn truth(&self) -> Outcome {
        if self.is_illegal {
            Outcome::Illegal(self.ply, self.position.clone())
        } else if self.differ {
            Outcome::Back(self.ply, self.position.clone())
        } else {
            Outcome::OneGame(self.ply, self.position.clone())
        }
    }
}

/// Makes a pair from a game with `faults` faults; `kind` fixes their kind.
pub(crate) fn pair(dice: &mut Dice, game: &[Move], faults: usize, kind: Option<Kind>) -> Pair {
    let mut games = [game.to_vec(), game.to_vec()];
    let mut ply = game.len();
    let differ = game.len() > 12 && dice.below(5) < 2;
    if differ {
        ply = 2 + dice.below(game.len() - 6);
        let whose = dice.below(2);
        games[whose] = parted(dice, game, ply);
    } else {
        // A score may end earlier than the other.
        let shorter = dice.below(2);
        let less = [0, 0, 1, 2, 5][dice.below(5)];
        games[shorter].truncate(game.len().saturating_sub(less));
    }
    let (looks, boards) = boards(dice, [&games[0], &games[1]]);
    let to_correct = to_correct([&games[0], &games[1]], differ.then_some(ply), &boards);
    let longer = &games[usize::from(games[1].len() > games[0].len())];
    let mut position = Chess::default();
    for &played in &longer[..ply.min(longer.len())] {
        position.play_unchecked(played);
    }
    let position = place(&Standing::of(
        position.to_setup(shakmaty::EnPassantMode::Legal),
    ));
    let mut made = Vec::new();
    let mut numbers = [0, 0];
    let mut exchanged = None;
    let mut entries = [0, 1].map(|owner| entries(dice, &games[owner]));
    let mut free = [0, 1].map(|owner| vec![true; entries[owner].len()]);
    for _ in 0..faults {
        let owner = dice.below(2);
        let kind = kind.unwrap_or_else(|| KINDS[dice.below(KINDS.len())]);
        if kind == Kind::WrongNumbers {
            numbers[owner] += 1;
            made.push(kind);
            continue;
        }
        // Once is enough, and it comes last, for it moves what the other faults have touched.
        if matches!(kind, Kind::Columns | Kind::ColumnsBlock) {
            exchanged = exchanged.or(Some((owner, kind)));
            continue;
        }
        if spoil(
            dice,
            &games[owner],
            &mut entries[owner],
            &mut free[owner],
            kind,
        ) {
            made.push(kind);
        }
    }
    let mut entries = entries.map(|entries| entries.concat());
    if let Some((owner, kind)) = exchanged
        && exchange(dice, &mut entries[owner], kind)
    {
        made.push(kind);
    }
    let [one, other] = entries;
    let (one, first) = on_a_sheet(dice, one, numbers[0]);
    let (other, second) = on_a_sheet(dice, other, numbers[1]);
    Pair {
        scores: [one, other],
        kinds: made.iter().map(|kind| format!("{kind:?}")).collect(),
        differ,
        is_illegal: false,
        ply,
        boards: (looks, boards),
        to_correct,
        sheets: [first, second],
        position,
    }
}

/// The entries written on a sheet and read from it, with so many wrong numbers.
fn on_a_sheet(dice: &mut Dice, entries: Vec<Entry>, wrong: usize) -> (Score, String) {
    let mut made = Score::new(None);
    for entry in entries {
        made.record(entry).unwrap();
    }
    let (sheet, letters) = written(dice, &made, wrong);
    let read = read_score(&sheet, Some(letters.parse().unwrap()), 1);
    // Perhaps nothing stands on it.
    let score = read.map_or_else(|_| made.clone(), |read| read.score);
    let said = |score: &Score| -> Vec<String> {
        let entries = score.entries().iter();
        entries.map(|entry| plain(&entry.notated)).collect()
    };
    assert_eq!(said(&score), said(&made), "{sheet}");
    (score, sheet)
}

/// What an entry says, without marks of check.
fn plain(notated: &Notated) -> String {
    let word = write_move(notated, Letters::English);
    word.trim_end_matches(['+', '#']).to_owned()
}

/// White's moves stand in Black's column and the other way round, from some row on, at least six
/// rows before the end, to the end or for four rows or more.
fn exchange(dice: &mut Dice, entries: &mut [Entry], kind: Kind) -> bool {
    let rows = entries.len() / 2;
    if rows < 8 {
        return false;
    }
    let from = dice.below(rows - 6);
    let to = match kind {
        Kind::ColumnsBlock => from + 4 + dice.below(rows - from - 5),
        _ => rows,
    };
    for row in from..to {
        entries.swap(2 * row, 2 * row + 1);
    }
    true
}

/// The other game: another move at `ply`, then the same words as long as they can be said, as
/// happens when somebody has misheard.
fn parted(dice: &mut Dice, game: &[Move], ply: usize) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = game[..ply].to_vec();
    for &played in &moves {
        position.play_unchecked(played);
    }
    while moves.len() < game.len() {
        let words = San::from_move(&position, game[moves.len()]);
        let legal = position.legal_moves();
        let same = words.to_move(&position).ok().filter(|_| moves.len() > ply);
        let others: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&other| moves.len() > ply || other != game[ply])
            .collect();
        let Some(played) = same.or_else(|| dice.choose(&others).copied()) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

/// Clean entries, each in long or in short form. Every entry is a list, so that faults can take
/// entries away and add some without moving the others.
fn entries(dice: &mut Dice, game: &[Move]) -> Vec<Vec<Entry>> {
    let mut position = Chess::default();
    let mut entries = Vec::new();
    for &played in game {
        let notated = match dice.below(3) {
            0 => Notated::of_move(played),
            _ => Notated::of_san(San::from_move(&position, played)),
        };
        entries.push(vec![Entry::new(notated)]);
        position.play_unchecked(played);
    }
    entries
}

/// Spoils one entry. Not the last two, whose loss would only make the score shorter, and none
/// that is spoilt already.
fn spoil(
    dice: &mut Dice,
    game: &[Move],
    entries: &mut [Vec<Entry>],
    free: &mut [bool],
    kind: Kind,
) -> bool {
    for _ in 0..40 {
        let at = dice.below(entries.len().saturating_sub(4));
        let reach = match kind {
            Kind::Neighbours | Kind::MissingRow | Kind::DoubledRow => 2,
            Kind::SameSide => 3,
            Kind::Rows => 4,
            _ => 1,
        };
        // A row begins with White's move.
        let is_row = matches!(kind, Kind::MissingRow | Kind::DoubledRow | Kind::Rows);
        let at = if is_row { at / 2 * 2 } else { at };
        if entries.len() < 8 || !free[at..at + reach].iter().all(|&free| free) {
            continue;
        }
        if spoil_at(dice, game, entries, at, kind) {
            free[at..at + reach].fill(false);
            return true;
        }
    }
    false
}

fn spoil_at(
    dice: &mut Dice,
    game: &[Move],
    entries: &mut [Vec<Entry>],
    at: usize,
    kind: Kind,
) -> bool {
    let mut position = Chess::default();
    for &played in &game[..at] {
        position.play_unchecked(played);
    }
    let standing = Standing::of(position.to_setup(shakmaty::EnPassantMode::Legal));
    let entry = entries[at][0].clone();
    let unread = |notated: Notated| vec![Entry::new(notated)];
    match kind {
        // These are made elsewhere.
        Kind::WrongNumbers | Kind::Columns | Kind::ColumnsBlock => return false,
        Kind::Missing => entries[at].clear(),
        Kind::Doubled => entries[at].push(entry),
        Kind::Neighbours => entries.swap(at, at + 1),
        Kind::SameSide => entries.swap(at, at + 2),
        Kind::MissingRow => entries[at..at + 2].iter_mut().for_each(Vec::clear),
        Kind::DoubledRow => {
            let row = entries[at..at + 2].concat();
            entries[at + 1].extend(row);
        }
        Kind::Rows => {
            entries.swap(at, at + 2);
            entries.swap(at + 1, at + 3);
        }
        Kind::OtherPiece => {
            let Some(other) = another_piece(dice, &position, game[at]) else {
                return false;
            };
            entries[at] = unread(Notated::of_move(other));
        }
        Kind::Extra => {
            let legal = position.legal_moves();
            let Some(&crossed_out) = dice.choose(&legal) else {
                return false;
            };
            entries[at].insert(0, Entry::new(Notated::of_move(crossed_out)));
        }
        Kind::Unreadable => entries[at] = unread(Notated::Unreadable),
        Kind::Blank => entries[at] = unread(Notated::Blank),
        Kind::HalfReadable => {
            let Notated::Move(mut notated) = entry.notated else {
                return false;
            };
            notated.from = PartialSquare::UNKNOWN;
            match dice.below(3) {
                0 => notated.to.rank = None,
                1 => notated.to.file = None,
                _ => notated.piece = None,
            }
            entries[at] = unread(Notated::Move(notated));
        }
        Kind::Illegal | Kind::WrongOrigin => {
            let Some(wrong) = wrong_entry(dice, &standing, game[at], kind) else {
                return false;
            };
            entries[at] = vec![wrong];
        }
        Kind::NoOrigin => {
            let Notated::Move(mut notated) = entry.notated else {
                return false;
            };
            notated.from = PartialSquare::UNKNOWN;
            let entry = Entry::new(Notated::Move(notated));
            if !matches!(standing.read(&entry), Meaning::Ambiguous(_)) {
                return false;
            }
            entries[at] = vec![entry];
        }
    }
    true
}

/// A legal move of another piece of the kind to the same square.
fn another_piece(dice: &mut Dice, position: &Chess, right: Move) -> Option<Move> {
    let mut others = position.legal_moves();
    others.retain(|other| {
        (other.role(), other.to()) == (right.role(), right.to())
            && other.from() != right.from()
            && other.promotion() == right.promotion()
    });
    dice.choose(&others).copied()
}

/// An entry that is no legal move where it stands.
fn wrong_entry(dice: &mut Dice, standing: &Standing, played: Move, kind: Kind) -> Option<Entry> {
    let Notated::Move(right) = Notated::of_move(played) else {
        return None;
    };
    for _ in 0..20 {
        let square = PartialSquare::of(Square::new(dice.below(64) as u32));
        let notated = match kind {
            Kind::WrongOrigin => NotatedMove {
                from: PartialSquare {
                    rank: None,
                    ..square
                },
                ..right
            },
            _ => NotatedMove {
                to: square,
                from: PartialSquare::UNKNOWN,
                ..right
            },
        };
        let entry = Entry::new(Notated::Move(notated));
        if standing.meanings(&entry).is_empty() {
            return Some(entry);
        }
    }
    None
}
