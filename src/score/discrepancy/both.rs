//! The same fault in both sheets. An illegal move in both may really be exchanged entries in both,
//! or moves that both lack.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::Position;

use super::agreed::{AgreedPly, Explanation, ExplanationKind};
use super::alike::read_on_in_both;
use super::class::Class;
use super::costs::FAULT;
use super::fault::{FaultKind, SheetFault};
use super::owner::{ByOwner, Owner};
use super::report::Verdict;
use super::suppose::ORDERS;
use crate::{Entry, Meaning, Score, Standing};

/// How many plies before the illegal move the fault can be. An exchanged entry may be legal in the
/// other's place.
const BEFORE: usize = 3;

/// How many entries must follow the illegal move and support the fault.
const AFTER: usize = 4;

/// Returns the games that both scores record, legal to their end, if both have the same fault near
/// the illegal move of an explanation. It uses the most likely kind of fault that explains it.
pub(super) fn with_one_fault(scores: [&Score; 2], start: &Standing, illegal: &Class) -> Vec<Class> {
    let of = illegal.agreed.len();
    let is_plain = illegal.verdict == Verdict::IllegalMove && illegal.explanation.orders.is_none();
    let ended = illegal.agreed.last().map_or([0, 0], |ply| ply.entries);
    let follow = [0, 1].map(|owner| scores[owner].entries().len() - ended[owner]);
    if !is_plain || follow.iter().any(|entries| *entries <= AFTER) {
        return Vec::new();
    }
    let places: Vec<Place<'_>> = (0..=BEFORE.min(of))
        .filter_map(|back| Place::of(scores, start, illegal, back))
        .collect();
    let each = |games: &dyn Fn(&Place<'_>) -> Vec<Explanation>| -> Vec<Explanation> {
        places.iter().flat_map(games).collect()
    };
    let mut games = each(&|place| place.exchanged());
    // If a score continues legally from where the illegal move led, that move was played.
    let is_carried_out = places.first().is_some_and(Place::goes_on);
    for missing in [1, 2] {
        if games.is_empty() && !is_carried_out {
            games = each(&|place| place.missing(missing));
        }
    }
    games.into_iter().map(Class::of).collect()
}

/// A point shortly before the illegal move, from which both scores are read on.
struct Place<'a> {
    illegal: &'a Class,
    ply: usize,
    at: [usize; 2],
    before: &'a Standing,
    lists: [&'a [Entry]; 2],
}

impl<'a> Place<'a> {
    fn of(
        scores: [&'a Score; 2],
        start: &'a Standing,
        illegal: &'a Class,
        back: usize,
    ) -> Option<Self> {
        let plies = &illegal.agreed;
        let after = |ply: usize| ply.checked_sub(1).and_then(|last| plies.get(last));
        let ply = plies.len().checked_sub(back)?;
        let [at, end] = [ply, plies.len()].map(|ply| after(ply).map_or([0, 0], |it| it.entries));
        // Both scores must have been read entry by entry up to here.
        (0..2).all(|of| end[of] - at[of] == back).then(|| Self {
            illegal,
            ply,
            at,
            before: after(ply).map_or(start, |it| &it.after),
            lists: [0, 1].map(|owner| &scores[owner].entries()[at[owner]..]),
        })
    }

    /// Returns whether both scores continue legally to their end from where the illegal move led.
    fn goes_on(&self) -> bool {
        let [Some(one), Some(other)] = self.lists.map(<[Entry]>::first) else {
            return false;
        };
        let readings = [one, other].map(|entry| self.before.read(entry));
        let step = readings.into_iter().find_map(|reading| match reading {
            Meaning::Illegal(step) => Some(step),
            _ => None,
        });
        step.is_some_and(|step| {
            let led = self.before.after_step(step);
            let rests = self.lists.map(|list| &list[1..]);
            let mut game = self.game(FaultKind::NotLegal, 0);
            read_on_in_both(&mut game, self.at.map(|at| at + 1), led, rests).is_some()
        })
    }

    /// Returns the games in which the next entries are exchanged in both scores.
    fn exchanged(&self) -> Vec<Explanation> {
        let games = ORDERS.iter().filter_map(|(order, _)| {
            let mut lists = self.lists.map(<[Entry]>::to_vec);
            for list in &mut lists {
                let read: Vec<Entry> = order
                    .iter()
                    .map(|&place| list.get(place).cloned())
                    .collect::<Option<_>>()?;
                list.splice(..order.len(), read);
            }
            let mut game = self.game(FaultKind::Transposed, 1);
            let lists = [0, 1].map(|owner| lists[owner].as_slice());
            read_on_in_both(&mut game, self.at, self.before.clone(), lists)?;
            game.orders = Some(ByOwner::each(|owner| {
                let own = self.at[owner as usize];
                let all = own + lists[owner as usize].len();
                let read = |at: usize| {
                    let place = at.checked_sub(own).and_then(|more| order.get(more));
                    place.map_or(at, |place| own + place)
                };
                (0..all).map(read).collect()
            }));
            Some(game)
        });
        games.collect()
    }

    /// Returns the games in which so many moves are missing in both scores: one, or those of a row.
    fn missing(&self, moves: usize) -> Vec<Explanation> {
        let is_row = moves == 2;
        if is_row && self.before.turn().is_black() {
            return Vec::new();
        }
        let mut ways = vec![vec![self.before.clone()]];
        for _ in 0..moves {
            let further = ways.iter().flat_map(|way| {
                let last = way.last().unwrap_or(self.before);
                let legal = last.position().map(Position::legal_moves);
                let legal = legal.into_iter().flatten();
                legal.map(|played| [way.as_slice(), &[last.after(played)]].concat())
            });
            ways = further.collect();
        }
        let games = ways.into_iter().filter_map(|mut way| {
            let mut game = self.game(FaultKind::Missing, moves);
            let after = way.pop()?;
            let between = way.into_iter().skip(1);
            game.agreed.extend(between.map(|after| AgreedPly {
                after,
                entries: self.at,
            }));
            let reads = self.lists.iter().all(|list| {
                let next = list.first().map(|entry| after.meanings(entry));
                next.is_none_or(|next| next.len() == 1)
            });
            if !reads {
                return None;
            }
            game.agreed.push(AgreedPly {
                after: after.clone(),
                entries: self.at,
            });
            read_on_in_both(&mut game, self.at, after, self.lists)?;
            Some(game)
        });
        games.collect()
    }

    /// Returns the game up to this place, with so many faults of a kind in each score.
    fn game(&self, kind: FaultKind, faults: usize) -> Explanation {
        let illegal = &self.illegal.explanation;
        let mut game = illegal.clone();
        game.kind = ExplanationKind::OneGame;
        game.illegal_at = None;
        game.agreed = self.illegal.agreed[..self.ply].to_vec();
        game.faults.retain(|fault| fault.ply < self.ply);
        for owner in Owner::BOTH {
            game.faults.extend((0..faults).map(|more| SheetFault {
                owner,
                entry: self.at[owner as usize],
                ply: self.ply + more,
                kind,
                until: None,
            }));
        }
        game.cost = FAULT * game.faults.len() as u32;
        game
    }
}
