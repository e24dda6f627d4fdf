//! Pairs in which what is wrong stands right behind a true difference, or around it, or in both
//! sheets alike: each kind by which a reader had been misled, in other games and on either sheet.

use annexd_score::{Entry, Score, SheetPlace, Standing};
use shakmaty::{Color, EnPassantMode, Move, Position};

use super::boards::Boards;
use super::dirty::Pair;
use super::games::{Dice, random_game};
use super::hunted::{Hand, Mistake, going_on, position_after};
use super::meanings::place;
use super::sheets::written;

/// What is wrong, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    /// Right behind the difference one score lacks an entry; both go on in much the same words.
    LostBehind,
    /// Entries are exchanged where the scores differ, and another is missing elsewhere.
    ExchangedAndLost,
    /// One fault shortly before the difference, and one behind it.
    Around,
    /// Both sheets have the same entries exchanged, or lack the same ones.
    InBoth,
    /// The row in which the scores part is missing, and its number is left out.
    LostThere,
    /// A row is missing right before the difference.
    LostBefore,
}

const SCENES: [Scene; 6] = [
    Scene::LostBehind,
    Scene::ExchangedAndLost,
    Scene::Around,
    Scene::InBoth,
    Scene::LostThere,
    Scene::LostBefore,
];

const EXCHANGES: [Mistake; 3] = [Mistake::Neighbours, Mistake::SameSide, Mistake::Rows];

const SLIPS: [Mistake; 5] = [
    Mistake::Misname,
    Mistake::Origin,
    Mistake::Misname,
    Mistake::Insert,
    Mistake::Lose,
];

/// A pair while it is made.
struct Making<'a> {
    dice: &'a mut Dice,
    hands: [Hand; 2],
    made: Vec<String>,
}

impl Making<'_> {
    /// Makes one of these mistakes at a ply, if one can be made there.
    fn err(&mut self, owner: usize, at: usize, of: &[Mistake]) {
        for _ in 0..8 {
            let mistake = of[self.dice.below(of.len())];
            if self.hands[owner].err(self.dice, at, mistake) {
                self.made.push(format!("{mistake:?} of {owner} at {at}"));
                return;
            }
        }
    }

    /// Makes the mistakes of a scene about the ply from which the scores differ.
    fn play(&mut self, scene: Scene, near: usize) {
        let whose = self.dice.below(2);
        match scene {
            Scene::LostBehind => {
                let at = near + 1 + self.dice.below(3);
                self.err(whose, at, &[Mistake::Lose]);
            }
            Scene::ExchangedAndLost => {
                let mistake = EXCHANGES[self.dice.below(EXCHANGES.len())];
                self.err(whose, near, &[mistake]);
                let (owner, at) = (self.dice.below(2), near + self.dice.below(16));
                let lost = [Mistake::Lose, Mistake::Leave, Mistake::LoseRow];
                self.err(owner, at.saturating_sub(8), &lost);
            }
            Scene::Around => {
                let of = [SLIPS.as_slice(), &EXCHANGES].concat();
                let at = near - 1 - self.dice.below(3);
                self.err(whose, at, &of);
                let owner = if self.dice.below(4) == 0 {
                    1 - whose
                } else {
                    whose
                };
                let at = near + 1 + self.dice.below(3);
                self.err(owner, at, &of);
            }
            Scene::InBoth => {
                let of = [EXCHANGES.as_slice(), &[Mistake::LoseRow, Mistake::Lose]].concat();
                let mistake = of[self.dice.below(of.len())];
                for hand in &mut self.hands {
                    hand.err(self.dice, near, mistake);
                }
                self.made.push(format!("{mistake:?} of both at {near}"));
            }
            Scene::LostThere => self.err(whose, near, &[Mistake::LoseRow]),
            Scene::LostBefore => {
                let at = (near & !1).saturating_sub(2);
                self.err(whose, at, &[Mistake::LoseRow]);
            }
        }
    }
}

/// The games of both, and where they part.
fn games(dice: &mut Dice, real: &[Vec<Move>], scene: Scene) -> ([Vec<Move>; 2], usize) {
    loop {
        let mut game = match dice.below(8) {
            0 => random_game(dice, 90),
            _ => dice.choose(real).cloned().unwrap_or_default(),
        };
        game.truncate(24 + dice.below(70));
        if game.len() < 22 {
            continue;
        }
        let at = 6 + dice.below(game.len() - 14);
        let mut both = [game.clone(), game.clone()];
        if scene == Scene::InBoth {
            return (both, at);
        }
        let other = going_on(dice, &game, at, None);
        if other.len() > at + 3 {
            both[dice.below(2)] = other;
            return (both, at);
        }
    }
}

/// The scene and the pair of a number.
pub(crate) fn pair(real: &[Vec<Move>], number: u64) -> (Option<String>, Pair) {
    let mut dice = Dice::new(number.wrapping_mul(130_363) ^ 0x5AA5);
    for _ in 0..9 {
        dice.below(2);
    }
    let scene = SCENES[number as usize % SCENES.len()];
    let (games, parts) = games(&mut dice, real, scene);
    let hands = games.clone().map(|game| Hand::writing(&mut dice, game));
    let mut making = Making {
        dice: &mut dice,
        hands,
        made: Vec::new(),
    };
    making.play(scene, parts);
    let Making { hands, made, .. } = making;
    let differ = scene != Scene::InBoth;
    let ply = if differ { parts } else { games[0].len() };
    let scores = hands.map(|hand| score(&hand));
    let sheets = [0, 1].map(|owner| written(&mut dice, &scores[owner], 0).0);
    let longer = usize::from(games[1].len() > games[0].len());
    let position = position_after(&games[longer][..ply]);
    let pair = Pair {
        scores,
        kinds: made,
        differ,
        is_illegal: false,
        ply,
        boards: (Boards::NotLookedAt, [None, None]),
        to_correct: [false; 2],
        sheets,
        position: place(&Standing::of(position.to_setup(EnPassantMode::Legal))),
    };
    (Some(format!("{scene:?}")), pair)
}

/// The entries, under the numbers of their moves.
fn score(hand: &Hand) -> Score {
    let mut score = Score::new(None);
    // Rows that are lost leave their number out; what is written otherwise goes on counting.
    let mut at = 0_u32;
    for row in hand.cells.chunks(2) {
        let words = row.concat();
        if words.is_empty() {
            at = at.next_multiple_of(2) + 2;
        }
        for notated in words {
            let mut entry = Entry::new(notated);
            entry.place = Some(SheetPlace {
                number: at / 2 + 1,
                side: Color::from_white(at.is_multiple_of(2)),
            });
            score.record(entry).unwrap();
            at += 1;
        }
    }
    score
}
