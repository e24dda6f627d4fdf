//! What the oracle says when it may also read a sheet in the order of its numbers.

use annexd_score::{Entry, Standing};
use shakmaty::{Color, Setup};

use super::oracle::{self, Outcomes};

/// What another order of the rows costs.
const OTHER_ORDER: u32 = 2;

/// The outcomes, with the entries of either sheet as they stand or as their numbers say.
pub(crate) fn outcomes(scores: [&[Entry]; 2]) -> Outcomes {
    let start = Standing::of(Setup::initial());
    let sorted = scores.map(by_numbers);
    let mut all = oracle::outcomes(&start, scores);
    for (one, other) in [(true, false), (false, true), (true, true)] {
        let mut read = scores;
        let mut cost = 0;
        for (owner, is_sorted) in [(0, one), (1, other)] {
            if let (true, Some(sorted)) = (is_sorted, &sorted[owner]) {
                read[owner] = sorted;
                cost += OTHER_ORDER;
            }
        }
        if cost == OTHER_ORDER * (u32::from(one) + u32::from(other)) {
            for (outcome, more) in oracle::outcomes(&start, read) {
                let known = all.entry(outcome).or_insert(u32::MAX);
                *known = (*known).min(cost + more);
            }
        }
    }
    let cheapest = all.values().copied().min().unwrap_or_default();
    all.retain(|_, cost| *cost <= cheapest + 1);
    all
}

/// The entries in the order of their numbers, if all are different and that is another order.
fn by_numbers(entries: &[Entry]) -> Option<Vec<Entry>> {
    let mut numbered: Vec<(u32, &Entry)> = Vec::new();
    for entry in entries {
        let own = entry
            .place
            .map(|place| 2 * place.number + u32::from(place.side == Color::Black));
        let number = own.or(numbered.last().map(|(number, _)| number + 1))?;
        numbered.push((number, entry));
    }
    if numbered.is_sorted_by_key(|(number, _)| *number) {
        return None;
    }
    numbered.sort_by_key(|(number, _)| *number);
    let are_different = numbered.windows(2).all(|two| two[0].0 != two[1].0);
    are_different.then(|| {
        numbered
            .into_iter()
            .map(|(_, entry)| entry.clone())
            .collect()
    })
}
