//! Pairs in which one entry is wrong or cannot be read, and what its own sheet goes on to say tells
//! what stood there, or that the other sheet's move did not.

use annexd_score::{Entry, Meaning, Notated, Score, Standing};
use shakmaty::san::San;
use shakmaty::{Move, Role};

use super::boards::Boards;
use super::dirty::Pair;
use super::games::{Dice, random_game};
use super::hunted::{Hand, Mistake, going_on, position_after, standing_at};
use super::meanings::{all_moves, place};
use super::sheets::written;

/// What is wrong, and what tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    /// Another legal move is named, after which the sheet's own later entries are not possible;
    /// the scores differ later, or never.
    Slip,
    /// Two moves of one side, two rows apart, stand in each other's place.
    Apart,
    /// Where the scores differ one cannot be read, and goes on otherwise than after the move of the
    /// other.
    Unread,
    /// An entry is missing about a difference.
    LostNear,
    /// A pawn takes on its own file, by what is written; the scores differ soon after.
    OwnFile,
}

const SCENES: [Scene; 5] = [
    Scene::Slip,
    Scene::Apart,
    Scene::Unread,
    Scene::LostNear,
    Scene::OwnFile,
];

/// Within so many entries a sheet has to tell.
const SOON: usize = 12;

/// Whether the next entries of a hand are legal after a position.
fn goes_on(mut standing: Standing, words: &[Vec<Notated>]) -> bool {
    let mut words = words.iter().flatten().take(SOON);
    words.all(|word| {
        let Meaning::Legal(played) = standing.read(&Entry::new(word.clone())) else {
            return false;
        };
        standing = standing.after(played);
        true
    })
}

/// Whether a hand's own words behind a ply do not go on from another move there.
fn refutes(hand: &Hand, at: usize, other: Move) -> bool {
    let standing = standing_at(&hand.game[..at]);
    let after = |played: Move| goes_on(standing.after(played), &hand.cells[at + 1..]);
    after(hand.game[at]) && !after(other)
}

/// A word for another legal move of the piece, or of another piece to the same square, or of
/// another pawn, that the hand's own words refute.
fn slip(dice: &mut Dice, hand: &mut Hand, at: usize) -> bool {
    let own = hand.game[at];
    let mut others = all_moves(&standing_at(&hand.game[..at]));
    others.retain(|it| {
        *it != own
            && (it.role() == own.role() || it.to() == own.to())
            && (it.role(), it.to()) != (own.role(), own.to())
            && refutes(hand, at, *it)
    });
    let Some(&other) = dice.choose(&others) else {
        return false;
    };
    let word = San::from_move(&position_after(&hand.game[..at]), other);
    hand.cells[at] = vec![Notated::of_san(word)];
    true
}

/// A pawn's capture with its own file in the place of the other.
fn on_own_file(hand: &mut Hand, at: usize) -> bool {
    let own = hand.game[at];
    let is_pawn = own.role() == Role::Pawn && own.is_capture() && own.promotion().is_none();
    let Notated::Move(mut word) = Notated::of_move(own) else {
        return false;
    };
    word.from.rank = None;
    word.to.file = word.from.file;
    let word = Notated::Move(word);
    let meant = standing_at(&hand.game[..at]).meanings(&Entry::new(word.clone()));
    let is_made = is_pawn && !meant.is_empty();
    if is_made {
        hand.cells[at] = vec![word];
    }
    is_made
}

/// The games of both, and where they part, if they do: after a ply.
fn games(dice: &mut Dice, game: &[Move], parts: Option<usize>) -> Option<[Vec<Move>; 2]> {
    let mut both = [game.to_vec(), game.to_vec()];
    let whose = dice.below(2);
    match parts {
        Some(parts) => {
            both[whose] = going_on(dice, game, parts, None);
            (both[whose].len() > parts + 3).then_some(both)
        }
        None => {
            let less = [0, 0, 1, 2, 4][dice.below(5)];
            both[whose].truncate(game.len() - less);
            Some(both)
        }
    }
}

/// Makes the mistake of a scene about a ply, on games that part, and says where and what.
fn make(
    dice: &mut Dice,
    game: &[Move],
    scene: Scene,
) -> Option<([Hand; 2], Option<usize>, String)> {
    let near = 4 + dice.below(game.len() - 18);
    let behind = near + 2 + dice.below(10);
    let parts = match scene {
        Scene::Slip | Scene::Apart => (dice.below(4) > 0).then_some(behind + 3),
        Scene::Unread | Scene::LostNear => Some(near),
        Scene::OwnFile => Some((near + 1 + dice.below(5)).min(behind)),
    };
    let parts = parts.filter(|&parts| parts + 4 < game.len());
    let games = games(dice, game, parts)?;
    let mut hands = games.map(|game| Hand::writing(dice, game));
    let whose = dice.below(2);
    let hand = &mut hands[whose];
    let made = match scene {
        Scene::Slip => slip(dice, hand, near).then(|| format!("Slip of {whose} at {near}")),
        Scene::Apart => {
            let differ = hand.cells[near] != hand.cells[near + 4];
            hand.cells.swap(near, near + 4);
            let is_before = parts.is_none_or(|parts| parts > near + 5);
            (differ && is_before).then(|| format!("Apart of {whose} at {near}"))
        }
        Scene::Unread => {
            let of = [
                Mistake::Scrawl,
                Mistake::Leave,
                Mistake::Lose,
                Mistake::LoseRow,
            ];
            let mistake = of[dice.below(of.len())];
            let other = hands[1 - whose].game[near];
            let tells = refutes(&hands[whose], near, other);
            let is_made = tells && hands[whose].err(dice, near, mistake);
            // Of a row that is lost nobody could tell whether its first half differs already.
            let is_there = mistake != Mistake::LoseRow || near.is_multiple_of(2);
            (is_made && is_there).then(|| format!("{mistake:?} of {whose} at {near}"))
        }
        Scene::LostNear => {
            let of = [Mistake::Lose, Mistake::LoseRow, Mistake::Leave];
            let mistake = of[dice.below(of.len())];
            let at = (near + dice.below(10)).saturating_sub(4);
            let is_elsewhere = at != near && at + 1 != near;
            let is_made = is_elsewhere && hand.err(dice, at, mistake);
            is_made.then(|| format!("{mistake:?} of {whose} at {at}"))
        }
        Scene::OwnFile => {
            let mut before = (near.saturating_sub(8)..=near).rev();
            let at = before.find(|&at| on_own_file(hand, at))?;
            Some(format!("OwnFile of {whose} at {at}"))
        }
    };
    made.map(|made| (hands, parts, made))
}

/// The scene and the pair of a number.
pub(crate) fn pair(real: &[Vec<Move>], number: u64) -> (Option<String>, Pair) {
    let mut dice = Dice::new(number.wrapping_mul(15_485_863) ^ 0x3C3C);
    for _ in 0..9 {
        dice.below(2);
    }
    let scene = SCENES[number as usize % SCENES.len()];
    let (hands, parts, made) = loop {
        let mut game = match dice.below(8) {
            0 => random_game(&mut dice, 90),
            _ => dice.choose(real).cloned().unwrap_or_default(),
        };
        game.truncate(30 + dice.below(60));
        if game.len() < 30 {
            continue;
        }
        if let Some(made) = make(&mut dice, &game, scene) {
            break made;
        }
    };
    let lengths = [0, 1].map(|owner| hands[owner].game.len());
    let longer = usize::from(lengths[1] > lengths[0]);
    let ply = parts.unwrap_or(lengths[longer]);
    let position = standing_at(&hands[longer].game[..ply]);
    let scores = hands.map(|hand| {
        let mut score = Score::new(None);
        let entries = hand.entries().into_iter();
        entries.for_each(|entry| score.record(entry).unwrap());
        score
    });
    let sheets = [0, 1].map(|owner| written(&mut dice, &scores[owner], 0).0);
    let pair = Pair {
        scores,
        kinds: vec![made],
        differ: parts.is_some(),
        is_illegal: false,
        ply,
        boards: (Boards::NotLookedAt, [None, None]),
        to_correct: [false; 2],
        sheets,
        position: place(&position),
    };
    (Some(format!("{scene:?}")), pair)
}
