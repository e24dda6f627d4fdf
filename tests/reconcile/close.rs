//! Pairs with faults close together, by a generator written apart from `dirty`: one to four faults
//! on either sheet, most of them beside the one before, and differences right beside faults.

use annexd_score::{Entry, Notated, PartialSquare, Score, Standing};
use shakmaty::san::San;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square};

use super::boards::{boards, to_correct};
use super::dirty::Pair;
use super::games::{Dice, random_game};
use super::meanings::{all_moves, place};
use super::sheets::written;

/// What a hand does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    Lost,
    LostRow,
    Twice,
    RowTwice,
    Scrawl,
    Gap,
    Half,
    Digit,
    Letter,
    CrossedOut,
    NoOrigin,
    Neighbours,
    OneSide,
    Rows,
    Columns,
    Block,
}

const SLIPS: [Slip; 16] = [
    Slip::Lost,
    Slip::LostRow,
    Slip::Twice,
    Slip::RowTwice,
    Slip::Scrawl,
    Slip::Gap,
    Slip::Half,
    Slip::Digit,
    Slip::Letter,
    Slip::CrossedOut,
    Slip::NoOrigin,
    Slip::Neighbours,
    Slip::OneSide,
    Slip::Rows,
    Slip::Columns,
    Slip::Block,
];

/// One sheet while it is being spoilt: what stands in the place of each move of the game.
struct Sheet {
    game: Vec<Move>,
    places: Vec<Vec<Entry>>,
}

impl Sheet {
    fn of(dice: &mut Dice, game: Vec<Move>) -> Self {
        let is_long = dice.below(4) == 0;
        let mut position = Chess::default();
        let mut places = Vec::new();
        for &played in &game {
            let notated = if is_long {
                Notated::of_move(played)
            } else {
                Notated::of_san(San::from_move(&position, played))
            };
            places.push(vec![Entry::new(notated)]);
            position.play_unchecked(played);
        }
        Self { game, places }
    }

    fn standing(&self, at: usize) -> Standing {
        after(&self.game[..at])
    }

    /// Makes one slip from `at` on, and says whether it can be made there.
    fn spoil(&mut self, dice: &mut Dice, at: usize, slip: Slip) -> bool {
        let standing = self.standing(at);
        let Notated::Move(own) = Notated::of_move(self.game[at]) else {
            // Castling has neither origin nor digits.
            if matches!(
                slip,
                Slip::Half | Slip::Digit | Slip::Letter | Slip::NoOrigin
            ) {
                return false;
            }
            return self.move_about(dice, at, slip);
        };
        let mut word = own;
        word.from = PartialSquare::UNKNOWN;
        match slip {
            Slip::Half if dice.below(2) == 0 => word.to.rank = None,
            Slip::Half => word.to.file = None,
            Slip::NoOrigin => {}
            Slip::Digit => {
                let other = Square::new(dice.below(64) as u32);
                match dice.below(2) {
                    0 => word.to.rank = Some(other.rank()),
                    _ => word.to.file = Some(other.file()),
                }
            }
            Slip::Letter => word.piece = dice.choose(&Role::ALL).copied(),
            _ => return self.move_about(dice, at, slip),
        }
        let entry = Entry::new(Notated::Move(word));
        let meant = standing.meanings(&entry).len();
        let is_right = match slip {
            Slip::NoOrigin => meant > 1,
            Slip::Half => meant > 0,
            _ => meant == 0,
        };
        if is_right {
            self.places[at] = vec![entry];
        }
        is_right
    }

    fn move_about(&mut self, dice: &mut Dice, at: usize, slip: Slip) -> bool {
        let here = self.places[at].clone();
        match slip {
            Slip::Lost => self.places[at].clear(),
            Slip::LostRow => self.places[at..at + 2].iter_mut().for_each(Vec::clear),
            Slip::Twice => self.places[at].extend(here),
            Slip::RowTwice => {
                let row = self.places[at..at + 2].concat();
                self.places[at + 1].extend(row);
            }
            Slip::Scrawl => self.places[at] = vec![Entry::new(Notated::Unreadable)],
            Slip::Gap => self.places[at] = vec![Entry::new(Notated::Blank)],
            Slip::CrossedOut => {
                let others = all_moves(&self.standing(at));
                let Some(&other) = dice.choose(&others).filter(|it| **it != self.game[at]) else {
                    return false;
                };
                self.places[at].insert(0, Entry::new(Notated::of_move(other)));
            }
            Slip::Neighbours => self.places.swap(at, at + 1),
            Slip::OneSide => self.places.swap(at, at + 2),
            Slip::Rows => {
                self.places.swap(at, at + 2);
                self.places.swap(at + 1, at + 3);
            }
            _ => return false,
        }
        true
    }
}

fn after(game: &[Move]) -> Standing {
    let mut position = Chess::default();
    for &played in game {
        position.play_unchecked(played);
    }
    Standing::of(position.to_setup(EnPassantMode::Legal))
}

const fn length(slip: Slip) -> usize {
    match slip {
        Slip::LostRow | Slip::RowTwice | Slip::Neighbours => 2,
        Slip::OneSide => 3,
        Slip::Rows => 4,
        _ => 1,
    }
}

/// The pair of a number.
pub(crate) fn pair(real: &[Vec<Move>], number: u64) -> Pair {
    let mut dice = Dice::new(number.wrapping_mul(7919) ^ 0x5EED);
    for _ in 0..8 {
        dice.below(2);
    }
    let mut game = match dice.below(6) {
        0 => random_game(&mut dice, 80),
        _ => dice.choose(real).cloned().unwrap_or_default(),
    };
    game.truncate(16 + dice.below(75));
    let plies = game.len();
    let mut games = [game.clone(), game.clone()];
    let mut near = 2 + dice.below(plies.saturating_sub(10));
    let differ = plies > 14 && dice.below(3) == 0;
    let mut parts = plies;
    if differ {
        parts = near;
        let whose = dice.below(2);
        games[whose] = another(&mut dice, &game, parts);
    } else if dice.below(3) > 0 {
        let less = dice.below(7);
        games[dice.below(2)].truncate(plies - less.min(plies));
    }
    let (looks, shown) = boards(&mut dice, [&games[0], &games[1]]);
    let to_correct = to_correct([&games[0], &games[1]], differ.then_some(parts), &shown);
    let position = place(&after(&game[..parts]));
    let shortest = games[0].len().min(games[1].len());
    let mut both = games.map(|game| Sheet::of(&mut dice, game));
    let slips = make_slips(&mut dice, &mut both, near, differ.then_some(parts));
    let (mut slips, columns) = slips;
    near = slips.last().map_or(near, |(_, _, at)| *at);
    let mut entries = both.map(|sheet| sheet.places.concat());
    // The longer sheet goes on, and something there cannot be read.
    let longer = usize::from(entries[1].len() > entries[0].len());
    if !differ && entries[longer].len() > shortest + 2 && dice.below(3) == 0 {
        let at = entries[longer].len() - 1 - dice.below(2);
        entries[longer][at] = Entry::new(Notated::Unreadable);
        slips.push((longer, Slip::Scrawl, at));
    }
    if let Some((owner, slip)) = columns
        && let Some(at) = exchange(&mut dice, &mut entries[owner], slip, near)
    {
        slips.push((owner, slip, at));
    }
    let scores = entries.map(|entries| {
        let mut score = Score::new(None);
        entries
            .into_iter()
            .for_each(|entry| score.record(entry).unwrap());
        score
    });
    let sheets = [0, 1].map(|owner| written(&mut dice, &scores[owner], 0).0);
    let slip = |(owner, slip, at): &(usize, Slip, usize)| format!("{slip:?} of {owner} at {at}");
    Pair {
        scores,
        kinds: slips.iter().map(slip).collect(),
        differ,
        is_illegal: false,
        ply: parts,
        boards: (looks, shown),
        to_correct,
        sheets,
        position,
    }
}

/// Whose, which, and where.
type Slips = Vec<(usize, Slip, usize)>;

/// Makes one to four slips, most of them near the one before, and says which; columns are exchanged
/// later. Where the games differ what was played has to stand on both sheets, or nobody could know
/// of it.
fn make_slips(
    dice: &mut Dice,
    both: &mut [Sheet; 2],
    mut near: usize,
    parts: Option<usize>,
) -> (Slips, Option<(usize, Slip)>) {
    let [one, other] = [0, 1].map(|owner| both[owner].game.len());
    let (shortest, longest) = (one.min(other), one.max(other));
    let mut free = vec![true; longest + 8];
    if let Some(parts) = parts {
        free[parts] = false;
    }
    let mut slips = Vec::new();
    let (mut columns, wanted) = (None, 1 + dice.below(4));
    for _ in 0..40 {
        if slips.len() + usize::from(columns.is_some()) >= wanted {
            break;
        }
        let owner = dice.below(2);
        let slip = SLIPS[dice.below(SLIPS.len())];
        if matches!(slip, Slip::Columns | Slip::Block) {
            columns = columns.or_else(|| (dice.below(2) == 0).then_some((owner, slip)));
            continue;
        }
        let mut at = match dice.below(3) {
            0 => dice.below(shortest),
            _ => (near + dice.below(6)).saturating_sub(3),
        };
        if matches!(slip, Slip::LostRow | Slip::RowTwice | Slip::Rows) {
            at -= at % 2;
        }
        let to = at + length(slip);
        // What is wrong right at the end can be nobody's guess, and once in a place is enough.
        if to + 4 > shortest || !free[at..to].iter().all(|free| *free) {
            continue;
        }
        if both[owner].spoil(dice, at, slip) {
            free[at..to].fill(false);
            near = at + dice.below(length(slip));
            slips.push((owner, slip, at));
        }
    }
    (slips, columns)
}

/// Columns are exchanged from a row near by on, to the end or for four rows and more.
fn exchange(dice: &mut Dice, entries: &mut [Entry], slip: Slip, near: usize) -> Option<usize> {
    let rows = entries.len() / 2;
    let from = (near / 2 + dice.below(3)).min(rows.checked_sub(7)?);
    let to = match slip {
        Slip::Block => from + 4 + dice.below(rows - from - 5),
        _ => rows,
    };
    for row in from..to {
        entries.swap(2 * row, 2 * row + 1);
    }
    Some(2 * from)
}

/// Another move at `at`, and after it the same words as long as they are moves, or other moves, or
/// little more.
fn another(dice: &mut Dice, game: &[Move], at: usize) -> Vec<Move> {
    let way = dice.below(3);
    let mut moves = game[..at].to_vec();
    let mut position = Chess::default();
    for &played in &moves {
        position.play_unchecked(played);
    }
    let length = match way {
        0 => at + 4 + dice.below(4),
        _ => game.len(),
    };
    while moves.len() < length.min(game.len()) {
        let legal = position.legal_moves();
        let own = game[moves.len()];
        let mut others: Vec<Move> = legal.iter().copied().filter(|it| *it != own).collect();
        if moves.len() > at && way > 0 {
            let same = San::from_move(&position, own).to_move(&position).ok();
            if let Some(same) = same.filter(|it| legal.contains(it)) {
                others = vec![same];
            }
        }
        let Some(&played) = dice.choose(&others) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}
