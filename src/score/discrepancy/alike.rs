//! Two sheets with the same mistake. They say the same, although as written it is no legal game.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::agreed::{AgreedPly, Explanation, ExplanationKind};
use super::class::Class;
use super::fault::{FaultKind, SheetFault};
use super::owner::Owner;
use super::report::Verdict;
use super::suppose::misreading;
use crate::{Entry, Meaning, Score, Standing};

/// How many plies must support a move that neither sheet has.
const AFTER_SLIPS: usize = 4;

/// Returns whether both scores are word for word the same. Then they cannot differ.
pub(super) fn are_the_same(scores: [&Score; 2]) -> bool {
    let [one, other] = scores.map(Score::entries);
    let mut pairs = one.iter().zip(other);
    one.len() == other.len()
        && scores.iter().all(|score| score.suspended().is_empty())
        && pairs.all(|(one, other)| one.notated == other.notated)
}

impl Class {
    /// Returns whether both scores are read in the same way, each with the same faults.
    pub(super) fn is_of_both(&self) -> bool {
        let of = |owner: Owner| {
            let faults = self.explanation.faults.iter();
            let own = faults.filter(move |fault| fault.owner == owner);
            own.map(|fault| (fault.entry, fault.kind))
        };
        self.verdict != Verdict::GoBack && of(Owner::Player).eq(of(Owner::Opponent))
    }
}

/// Handles scores that differ where neither has a legal move, but agree on everything after.
/// Returns the games that they can be with a move there that one of them names, or else with any
/// move.
pub(super) fn after_two_slips(
    scores: [&Score; 2],
    start: &Standing,
    parting: &Class,
) -> Vec<Class> {
    let at = parting.agreed.last().map_or([0, 0], |ply| ply.entries);
    let before = parting.position(start);
    let lists = [0, 1].map(|owner| scores[owner].entries().get(at[owner]..).unwrap_or_default());
    let ([one, ..], [other, ..], Some(position)) = (lists[0], lists[1], before.position()) else {
        return Vec::new();
    };
    let is_slip = |entry: &Entry| entry.notated.is_legible() && before.meanings(entry).is_empty();
    if parting.explanation.orders.is_some() || !is_slip(one) || !is_slip(other) {
        return Vec::new();
    }
    let kinds = |played: Move| [one, other].map(|entry| misreading(&entry.notated, played));
    let legal = position.legal_moves();
    let mut games: Vec<(Move, Explanation)> = legal
        .into_iter()
        .filter_map(|played| {
            let mut game = parting.explanation.clone();
            game.kind = ExplanationKind::OneGame;
            game.agreed = parting.agreed.clone();
            read_both(&mut game, at, before.after(played), lists)?;
            let faults = Owner::BOTH.into_iter().zip(kinds(played));
            game.faults.extend(faults.map(|(owner, kind)| SheetFault {
                owner,
                entry: at[owner as usize],
                ply: parting.agreed.len(),
                kind,
                until: None,
            }));
            Some((played, game))
        })
        .collect();
    let is_named =
        |(played, _): &(Move, Explanation)| kinds(*played).contains(&FaultKind::WrongOrigin);
    if games.iter().any(is_named) {
        games.retain(is_named);
    }
    games.into_iter().map(|(_, game)| Class::of(game)).collect()
}

/// Reads on in both lists after their first entries, which stand for one move. `None` if they do
/// not agree long enough and to their end.
fn read_both(
    game: &mut Explanation,
    entries: [usize; 2],
    standing: Standing,
    lists: [&[Entry]; 2],
) -> Option<()> {
    let entries = entries.map(|entries| entries + 1);
    let after = standing.clone();
    game.agreed.push(AgreedPly { after, entries });
    read_on_in_both(game, entries, standing, lists.map(|list| &list[1..]))
}

/// Reads on in both lists. `None` if they do not agree long enough and to their end.
pub(super) fn read_on_in_both(
    game: &mut Explanation,
    mut entries: [usize; 2],
    mut standing: Standing,
    lists: [&[Entry]; 2],
) -> Option<()> {
    let longest = lists[0].len().max(lists[1].len());
    for more in 0..longest {
        let next = lists.map(|list| list.get(more));
        let mut played = next.into_iter().flatten().map(|entry| standing.read(entry));
        let reading = played.next();
        match (reading, played.next()) {
            (Some(Meaning::Legal(one)), Some(Meaning::Legal(other))) if one == other => {
                standing = standing.after(one);
            }
            (Some(Meaning::Legal(one)), None) => standing = standing.after(one),
            _ => return None,
        }
        entries = [0, 1].map(|owner| entries[owner] + usize::from(next[owner].is_some()));
        game.agreed.push(AgreedPly {
            after: standing.clone(),
            entries,
        });
    }
    let shorter = lists[0].len().min(lists[1].len());
    game.by_both = game.agreed.len() - (longest - shorter);
    game.shorter = (shorter < longest).then(|| Owner::BOTH[usize::from(lists[1].len() == shorter)]);
    (shorter >= AFTER_SLIPS).then_some(())
}
