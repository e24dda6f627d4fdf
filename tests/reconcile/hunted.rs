//! Pairs by a generator written apart from `dirty` and `close`, after pairs that had gone wrong:
//! scenes in which faults stand beside each other and beside true differences.

use annexd_score::{Entry, Meaning, Notated, PartialSquare, Score, Standing};
use shakmaty::san::San;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square};

use super::boards::Boards;
use super::dirty::Pair;
use super::games::{Dice, random_game};
use super::meanings::{all_moves, place};
use super::sheets::written;

/// What stands beside what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    /// One to three faults anywhere.
    Scattered,
    /// One to three faults within a few entries.
    Heaped,
    /// An entry too many shortly before a difference.
    TooManyBefore,
    /// Columns of a block, and another fault where it begins or ends.
    BlockAndBeside,
    /// Two pairs of neighbours, or a pair and a row that stands twice, close together.
    TwoPairs,
    /// Something is missing, a few moves agree, then the scores differ.
    MissingBefore,
    /// The scores differ in nothing but the piece of the kind that went there.
    Origins,
    /// One row is lost.
    LostRow,
    /// Both have the same illegal move, and something is wrong elsewhere.
    IllegalInBoth,
    /// Columns of a block, which is right again at most three plies before the scores differ.
    BlockBefore,
    /// A pawn's move written wrongly, so that it reads as a capture without its sign.
    PawnSlip,
    /// Entries or an origin are wrong just where the scores differ.
    AtDifference,
    /// Both name a square of departure that is not possible, each another.
    TwoOrigins,
    /// The longer score has a row twice after the end of the other.
    RowTwiceLater,
}

const SCENES: [Scene; 14] = [
    Scene::Scattered,
    Scene::Heaped,
    Scene::TooManyBefore,
    Scene::BlockAndBeside,
    Scene::TwoPairs,
    Scene::MissingBefore,
    Scene::Origins,
    Scene::LostRow,
    Scene::IllegalInBoth,
    Scene::BlockBefore,
    Scene::PawnSlip,
    Scene::AtDifference,
    Scene::TwoOrigins,
    Scene::RowTwiceLater,
];

/// One mistake of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    Lose,
    LoseRow,
    Repeat,
    RepeatRow,
    Scrawl,
    Leave,
    Smear,
    Misname,
    Insert,
    InsertIllegal,
    Neighbours,
    SameSide,
    Rows,
    Origin,
    Pawn,
}

const MISTAKES: [Mistake; 14] = [
    Mistake::Lose,
    Mistake::LoseRow,
    Mistake::Repeat,
    Mistake::RepeatRow,
    Mistake::Scrawl,
    Mistake::Leave,
    Mistake::Smear,
    Mistake::Misname,
    Mistake::Insert,
    Mistake::InsertIllegal,
    Mistake::Neighbours,
    Mistake::SameSide,
    Mistake::Rows,
    Mistake::Origin,
];

impl Mistake {
    const fn reach(self) -> usize {
        match self {
            Self::LoseRow | Self::RepeatRow | Self::Neighbours => 2,
            Self::SameSide => 3,
            Self::Rows => 4,
            _ => 1,
        }
    }

    const fn is_of_a_row(self) -> bool {
        matches!(self, Self::LoseRow | Self::RepeatRow | Self::Rows)
    }
}

/// What one hand writes: for each ply of its game the entries that stand there.
pub(super) struct Hand {
    positions: Vec<Chess>,
    pub(super) game: Vec<Move>,
    pub(super) cells: Vec<Vec<Notated>>,
    /// Which cells a mistake may still touch.
    free: Vec<bool>,
}

impl Hand {
    pub(super) fn writing(dice: &mut Dice, game: Vec<Move>) -> Self {
        let is_long = dice.below(5) == 0;
        let mut positions = vec![Chess::default()];
        let mut cells = Vec::new();
        for &played in &game {
            let mut position = positions[cells.len()].clone();
            cells.push(vec![if is_long {
                Notated::of_move(played)
            } else {
                Notated::of_san(San::from_move(&position, played))
            }]);
            position.play_unchecked(played);
            positions.push(position);
        }
        let free = vec![true; game.len()];
        Self {
            positions,
            game,
            cells,
            free,
        }
    }

    fn standing(&self, at: usize) -> Standing {
        Standing::of(self.positions[at].to_setup(EnPassantMode::Legal))
    }

    /// Makes a mistake at a ply, if it can be made there.
    pub(super) fn err(&mut self, dice: &mut Dice, at: usize, mistake: Mistake) -> bool {
        let at = if mistake.is_of_a_row() { at & !1 } else { at };
        let to = at + mistake.reach();
        if self
            .free
            .get(at..to)
            .is_none_or(|free| free.contains(&false))
        {
            return false;
        }
        let is_made = self.write_wrong(dice, at, mistake);
        if is_made {
            self.free[at..to].fill(false);
        }
        is_made
    }

    fn write_wrong(&mut self, dice: &mut Dice, at: usize, mistake: Mistake) -> bool {
        let here = self.cells[at].clone();
        match mistake {
            Mistake::Lose => self.cells[at].clear(),
            Mistake::LoseRow => self.cells[at..at + 2].iter_mut().for_each(Vec::clear),
            Mistake::Repeat => self.cells[at].extend(here),
            Mistake::RepeatRow => {
                let row = self.cells[at..at + 2].concat();
                self.cells[at + 1].extend(row);
            }
            Mistake::Scrawl => self.cells[at] = vec![Notated::Unreadable],
            Mistake::Leave => self.cells[at] = vec![Notated::Blank],
            Mistake::Neighbours => self.cells.swap(at, at + 1),
            Mistake::SameSide => self.cells.swap(at, at + 2),
            Mistake::Rows => {
                self.cells.swap(at, at + 2);
                self.cells.swap(at + 1, at + 3);
            }
            Mistake::Insert | Mistake::InsertIllegal => {
                let is_legal = mistake == Mistake::Insert;
                let Some(more) = self.another(dice, at, is_legal) else {
                    return false;
                };
                self.cells[at].insert(0, more);
            }
            Mistake::Misname => {
                let Some(other) = self.another(dice, at, false) else {
                    return false;
                };
                self.cells[at] = vec![other];
            }
            Mistake::Pawn => {
                let Some(word) = self.unsigned_capture(dice, at) else {
                    return false;
                };
                self.cells[at] = vec![word];
            }
            Mistake::Smear | Mistake::Origin => {
                let Notated::Move(mut word) = Notated::of_move(self.game[at]) else {
                    return false;
                };
                word.from = PartialSquare::UNKNOWN;
                match (mistake, dice.below(3)) {
                    (Mistake::Origin, half) => {
                        let other = PartialSquare::of(Square::new(dice.below(64) as u32));
                        match half {
                            0 => word.from.rank = other.rank,
                            _ => word.from.file = other.file,
                        }
                    }
                    (_, 0) => word.to.rank = None,
                    (_, 1) => word.to.file = None,
                    _ => word.piece = None,
                }
                let word = Notated::Move(word);
                let meant = self.standing(at).meanings(&Entry::new(word.clone())).len();
                if (mistake == Mistake::Origin) != (meant == 0) {
                    return false;
                }
                self.cells[at] = vec![word];
            }
        }
        true
    }

    /// A word that is another legal move here, or none at all.
    fn another(&self, dice: &mut Dice, at: usize, is_legal: bool) -> Option<Notated> {
        let standing = self.standing(at);
        if is_legal {
            let others = all_moves(&standing);
            let other = dice.choose(&others).filter(|it| **it != self.game[at])?;
            return Some(Notated::of_san(San::from_move(&self.positions[at], *other)));
        }
        for _ in 0..20 {
            let Notated::Move(mut word) = Notated::of_move(*dice.choose(&self.game)?) else {
                continue;
            };
            word.from = PartialSquare::UNKNOWN;
            if dice.below(2) == 0 {
                word.piece = dice.choose(&Role::ALL).copied();
                word.to = PartialSquare::of(Square::new(dice.below(64) as u32));
                word.promotion = None;
            }
            let word = Notated::Move(word);
            if standing.meanings(&Entry::new(word.clone())).is_empty() {
                return Some(word);
            }
        }
        None
    }

    /// For a pawn's move the word for another one, which only a capture can mean.
    fn unsigned_capture(&self, dice: &mut Dice, at: usize) -> Option<Notated> {
        let own = self.game[at];
        let legal = all_moves(&self.standing(at));
        let goes = |to: Square| legal.iter().any(|it| it.to() == to && !it.is_capture());
        let captures = legal.iter().filter(|it| {
            (it.role(), own.role()) == (Role::Pawn, Role::Pawn)
                && it.is_capture()
                && it.to() != own.to()
                && it.promotion().is_none()
                && !goes(it.to())
        });
        let captures: Vec<_> = captures.copied().collect();
        let Notated::Move(mut word) = Notated::of_move(*dice.choose(&captures)?) else {
            return None;
        };
        word.from = PartialSquare::UNKNOWN;
        word.capture = false;
        Some(Notated::Move(word))
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        self.cells.concat().into_iter().map(Entry::new).collect()
    }
}

/// The games of both, and where they part.
fn games(dice: &mut Dice, real: &[Vec<Move>], scene: Scene) -> ([Vec<Move>; 2], Option<usize>) {
    let mut game = match dice.below(8) {
        0 => random_game(dice, 90),
        _ => dice.choose(real).cloned().unwrap_or_default(),
    };
    game.truncate(24 + dice.below(70));
    let differ = match scene {
        Scene::TooManyBefore
        | Scene::MissingBefore
        | Scene::Origins
        | Scene::AtDifference
        | Scene::PawnSlip => true,
        Scene::BlockBefore => dice.below(4) > 0,
        Scene::IllegalInBoth | Scene::LostRow | Scene::RowTwiceLater => false,
        _ => dice.below(3) == 0,
    };
    let mut both = [game.clone(), game.clone()];
    let whose = dice.below(2);
    if scene == Scene::IllegalInBoth {
        return (both, None);
    }
    if scene == Scene::RowTwiceLater {
        let less = 3 + dice.below(10).min(game.len() / 2);
        both[whose].truncate(game.len().saturating_sub(less));
        return (both, None);
    }
    if !differ || game.len() < 22 {
        if dice.below(2) == 0 {
            let less = dice.below(6).min(game.len());
            both[whose].truncate(game.len() - less);
        }
        return (both, None);
    }
    let mut at = 6 + dice.below(game.len() - 14);
    if scene == Scene::Origins {
        let first = at;
        let of_origin = (first..game.len() - 8).find_map(|at| Some((at, other_origin(&game, at)?)));
        if let Some((there, other)) = of_origin {
            at = there;
            both[whose] = going_on(dice, &game, at, Some(other));
            return (both, Some(at));
        }
    }
    let other = going_on(dice, &game, at, None);
    // There may be no other move.
    if other.len() <= at {
        return (both, None);
    }
    both[whose] = other;
    (both, Some(at))
}

pub(super) fn position_after(game: &[Move]) -> Chess {
    let mut position = Chess::default();
    for &played in game {
        position.play_unchecked(played);
    }
    position
}

pub(super) fn standing_at(game: &[Move]) -> Standing {
    Standing::of(position_after(game).to_setup(EnPassantMode::Legal))
}

/// A move of another piece of the kind to the same square.
fn other_origin(game: &[Move], at: usize) -> Option<Move> {
    let own = game[at];
    let legal = position_after(&game[..at]).legal_moves();
    legal.into_iter().find(|it| {
        (it.role(), it.to(), it.promotion()) == (own.role(), own.to(), own.promotion())
            && it.from() != own.from()
            && own.role() != Role::Pawn
            && !own.is_castle()
    })
}

/// Another move, and after it the words of the game as long as they can be said, moves of its own,
/// or some of both.
pub(super) fn going_on(
    dice: &mut Dice,
    game: &[Move],
    at: usize,
    other: Option<Move>,
) -> Vec<Move> {
    let same = [0, 2, 3][dice.below(3)];
    let mut moves = game[..at].to_vec();
    let mut position = position_after(&moves);
    let length = match dice.below(4) {
        0 => (at + 5 + dice.below(6)).min(game.len()),
        _ => game.len(),
    };
    while moves.len() < length {
        let legal = position.legal_moves();
        let own = game[moves.len()];
        let mut next = dice.choose(&legal).copied();
        if moves.len() == at {
            let others: Vec<Move> = legal.iter().copied().filter(|it| *it != own).collect();
            next = other.or_else(|| dice.choose(&others).copied());
        } else if dice.below(3) < same {
            let word = San::from_move(&position, own);
            next = word.to_move(&position).ok().or(next);
        }
        let Some(played) = next else { break };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

/// The scene and the pair of a number.
pub(crate) fn pair(real: &[Vec<Move>], number: u64) -> (Option<String>, Pair) {
    let mut dice = Dice::new(number.wrapping_mul(104_729) ^ 0xA5A5);
    for _ in 0..9 {
        dice.below(2);
    }
    let scene = SCENES[number as usize % SCENES.len()];
    let (games, parts) = games(&mut dice, real, scene);
    let longer = usize::from(games[1].len() > games[0].len());
    let ply = parts.unwrap_or(games[longer].len());
    let shortest = games[0].len().min(games[1].len());
    let mut hands = games.clone().map(|game| Hand::writing(&mut dice, game));
    for hand in &mut hands {
        if let Some(parts) = parts {
            hand.free[parts] = scene == Scene::AtDifference;
        }
        // What is wrong right at the end can be nobody's guess.
        let end = hand
            .free
            .len()
            .saturating_sub(6)
            .min(shortest.saturating_sub(6));
        hand.free[end..].fill(false);
    }
    let mut made = Vec::new();
    let block = play(
        &mut dice,
        &mut hands,
        (scene, parts.unwrap_or(shortest / 2)),
        &mut made,
    );
    let mut entries = [0, 1].map(|owner| hands[owner].entries());
    let illegal = match scene {
        Scene::IllegalInBoth => after_illegal(&mut dice, &hands[0]),
        _ => Vec::new(),
    };
    for entries in &mut entries {
        entries.extend(illegal.iter().cloned());
    }
    if let Some((owner, near)) = block {
        let rows = match scene {
            Scene::BlockBefore => rows_before(&mut dice, near),
            _ => rows_from(&mut dice, entries[owner].len() / 2, near),
        };
        if let Some([from, to]) = rows {
            let rows = entries[owner].chunks_exact_mut(2);
            rows.take(to).skip(from).for_each(|row| row.swap(0, 1));
            made.push(format!("Block of {owner} at {:?}", [2 * from, 2 * to]));
        }
    }
    let scores = entries.map(|entries| {
        let mut score = Score::new(None);
        entries
            .into_iter()
            .for_each(|entry| score.record(entry).unwrap());
        score
    });
    let sheets = [0, 1].map(|owner| written(&mut dice, &scores[owner], 0).0);
    let position = position_after(&games[longer][..ply]);
    let pair = Pair {
        scores,
        kinds: made,
        differ: parts.is_some(),
        is_illegal: !illegal.is_empty(),
        ply,
        boards: (Boards::NotLookedAt, [None, None]),
        to_correct: [false; 2],
        sheets,
        position: place(&Standing::of(position.to_setup(EnPassantMode::Legal))),
    };
    (Some(format!("{scene:?}")), pair)
}

/// An illegal move of a piece that is there, and how the game goes on from where it led.
fn after_illegal(dice: &mut Dice, hand: &Hand) -> Vec<Entry> {
    let standing = hand.standing(hand.game.len());
    for _ in 0..40 {
        let Some(word) = hand.another(dice, hand.game.len(), false) else {
            continue;
        };
        let mut entries = vec![Entry::new(word)];
        let Meaning::Illegal(step) = standing.read(&entries[0]) else {
            continue;
        };
        let Some(mut position) = standing.after_step(step).position().cloned() else {
            continue;
        };
        for _ in 0..dice.below(9) {
            let legal = position.legal_moves();
            let Some(&played) = dice.choose(&legal) else {
                break;
            };
            entries.push(Entry::new(Notated::of_san(San::from_move(
                &position, played,
            ))));
            position.play_unchecked(played);
        }
        return entries;
    }
    Vec::new()
}

/// Makes the mistakes of a scene, and says whose columns are exchanged, and from where about.
fn play(
    dice: &mut Dice,
    hands: &mut [Hand; 2],
    (scene, near): (Scene, usize),
    made: &mut Vec<String>,
) -> Option<(usize, usize)> {
    let mut any = |dice: &mut Dice, owner: usize, at: usize, of: &[Mistake]| {
        for _ in 0..8 {
            let mistake = of[dice.below(of.len())];
            if hands[owner].err(dice, at, mistake) {
                made.push(format!("{mistake:?} of {owner} at {at}"));
                break;
            }
        }
    };
    let whose = dice.below(2);
    let length = 2 * near + 8;
    match scene {
        Scene::Scattered | Scene::IllegalInBoth => {
            for _ in 0..1 + dice.below(3) {
                let (owner, at) = (dice.below(2), dice.below(length));
                any(dice, owner, at, &MISTAKES);
            }
        }
        Scene::Heaped => {
            for _ in 0..1 + dice.below(3) {
                let (owner, at) = (dice.below(2), (near + dice.below(9)).saturating_sub(6));
                any(dice, owner, at, &MISTAKES);
            }
        }
        Scene::TooManyBefore => {
            let at = near - 1 - dice.below(4);
            any(dice, whose, at, &[Mistake::Insert, Mistake::InsertIllegal]);
        }
        Scene::BlockAndBeside => {
            let (owner, at) = (dice.below(2), near + dice.below(5) - 2);
            any(dice, owner, at, &MISTAKES);
            return Some((whose, near));
        }
        Scene::TwoPairs => {
            let pair = [Mistake::Neighbours, Mistake::SameSide];
            let at = near - 2 - dice.below(2);
            any(dice, whose, at, &pair);
            let owner = dice.below(2);
            let other = [Mistake::Neighbours, Mistake::SameSide, Mistake::RepeatRow];
            let at = near - 1 + dice.below(4);
            any(dice, owner, at, &other);
        }
        Scene::MissingBefore => {
            let at = (near - 1 - dice.below(3)).saturating_sub(dice.below(3));
            any(dice, whose, at, &[Mistake::Lose, Mistake::LoseRow]);
        }
        Scene::Origins => {
            for _ in 0..dice.below(3) {
                let (owner, at) = (dice.below(2), dice.below(length));
                any(dice, owner, at, &MISTAKES);
            }
        }
        Scene::LostRow => {
            let at = dice.below(length);
            any(dice, whose, at, &[Mistake::LoseRow]);
        }
        Scene::BlockBefore => return Some((whose, near)),
        Scene::AtDifference => {
            let of = [
                Mistake::Neighbours,
                Mistake::SameSide,
                Mistake::Rows,
                Mistake::Origin,
            ];
            let mistake = of[dice.below(of.len())];
            let at = near + 1 - mistake.reach() + dice.below(mistake.reach());
            any(dice, whose, at, &[mistake]);
        }
        Scene::PawnSlip | Scene::TwoOrigins | Scene::RowTwiceLater => {
            made.extend(play_later(dice, hands, (scene, near), whose));
        }
    }
    None
}

/// Makes the mistakes of a scene that is about one kind of them.
fn play_later(
    dice: &mut Dice,
    hands: &mut [Hand; 2],
    (scene, near): (Scene, usize),
    whose: usize,
) -> Vec<String> {
    let mut made = Vec::new();
    match scene {
        Scene::PawnSlip => {
            // Where it can be made, at least two plies before the difference.
            for _ in 0..12 {
                let at = dice.below(near - 2);
                if hands[whose].err(dice, at, Mistake::Pawn) {
                    made.push(format!("Pawn of {whose} at {at}"));
                    break;
                }
            }
        }
        Scene::TwoOrigins => {
            let first = (0..near).rev();
            let mut first = first.filter(|&at| hands[0].err(dice, at, Mistake::Origin));
            if let Some(at) = first.next() {
                made.push(format!("Origin of 0 at {at}"));
                let is_made = (0..8).any(|_| hands[1].err(dice, at, Mistake::Origin));
                made.extend(is_made.then(|| format!("Origin of 1 at {at}")));
            }
        }
        Scene::RowTwiceLater => {
            let lengths = [0, 1].map(|owner| hands[owner].game.len());
            let longer = usize::from(lengths[1] > lengths[0]);
            let (from, to) = (lengths[1 - longer].div_ceil(2), lengths[longer] / 2);
            if from < to {
                let at = 2 * (from + dice.below(to - from));
                hands[longer].write_wrong(dice, at, Mistake::RepeatRow);
                made.push(format!("RepeatRow of {longer} at {at}"));
            }
        }
        _ => {}
    }
    made
}

/// Four rows and more in which White's moves stand in Black's column and the other way round.
fn rows_from(dice: &mut Dice, rows: usize, near: usize) -> Option<[usize; 2]> {
    let from = (near / 2).min(rows.checked_sub(8)?);
    Some([from, from + 4 + dice.below(rows - from - 5)])
}

/// Three to eight rows that end at most three plies before a ply.
fn rows_before(dice: &mut Dice, near: usize) -> Option<[usize; 2]> {
    let to = (near / 2).checked_sub(dice.below(2))?;
    let from = to.checked_sub(3 + dice.below(6))?;
    Some([from, to])
}
