//! What was written beside the moves: clock times and draw offers.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use std::time::Duration;

use shakmaty::Color;

use super::agreed::AgreedPly;
use super::owner::{ByOwner, Owner};
use super::report::{Case, ClockTimes, LoneOffer};
use crate::{Entry, Score, Standing};
use annexd_laws::clock::{Bonus, TimeControl};

/// The plies on which both agree, and the order in which the entries of each sheet were read, or
/// `None` for the order on the sheets.
type Agreed<'a> = (&'a [AgreedPly], Option<&'a ByOwner<Vec<usize>>>);

/// Returns the entries that record a ply, as far as a score has one for it.
fn entries_of<'a>(case: &Case<'a>, read: Agreed<'_>, ply: usize) -> [Option<&'a Entry>; 2] {
    let scores = [case.scores.player, case.scores.opponent];
    let places = entries_at(read, ply);
    [0, 1].map(|owner| scores[owner].entries().get(places[owner]?))
}

/// Returns their places on the sheets.
pub(super) fn entries_at((agreed, orders): Agreed<'_>, ply: usize) -> [Option<usize>; 2] {
    let before = ply.checked_sub(1).map_or([0, 0], |ply| agreed[ply].entries);
    let after = agreed[ply].entries;
    [0, 1].map(|owner| {
        let last = after[owner].checked_sub(1)?;
        let order = orders.map(|orders| orders.get(Owner::BOTH[owner]));
        let last = order
            .and_then(|order| order.get(last).copied())
            .unwrap_or(last);
        (after[owner] > before[owner]).then_some(last)
    })
}

/// Returns the draw offers of the first plies that only one score has.
pub(super) fn lone_offers(case: &Case<'_>, read: Agreed<'_>, plies: usize) -> Vec<LoneOffer> {
    let (agreed, _) = read;
    let lone = |ply: usize| {
        let [player, opponent] = entries_of(case, read, ply);
        let owner = match (player?.offer, opponent?.offer) {
            (true, false) => Owner::Player,
            (false, true) => Owner::Opponent,
            _ => return None,
        };
        Some(LoneOffer { ply, owner })
    };
    (0..plies.min(agreed.len())).filter_map(lone).collect()
}

pub(super) fn open_offer(
    case: &Case<'_>,
    start: &Standing,
    (agreed, orders): Agreed<'_>,
) -> Option<Color> {
    let turn = agreed.last().map_or(start, |ply| &ply.after).turn();
    let noted = offer_noted(case, (agreed, orders));
    noted.contains(&true).then_some(!turn)
}

/// Returns the owner of the only score with the offer, if the other has the move without it.
pub(super) fn offer_only_of(case: &Case<'_>, read: Agreed<'_>) -> Option<Owner> {
    match offer_noted(case, read) {
        [true, false] => Some(Owner::Player),
        [false, true] => Some(Owner::Opponent),
        _ => None,
    }
}

/// Returns whether each score has a draw offer beside the last ply on which both agree.
fn offer_noted(case: &Case<'_>, (agreed, orders): Agreed<'_>) -> [bool; 2] {
    let Some(last) = agreed.len().checked_sub(1) else {
        return [false; 2];
    };
    entries_of(case, (agreed, orders), last).map(|entry| entry.is_some_and(|entry| entry.offer))
}

/// Returns the last times known at the end of the agreed plies, from the journal or the scores. A
/// side that has not moved yet has the time of the time control.
pub(super) fn clocks(
    case: &Case<'_>,
    start: &Standing,
    (agreed, orders): Agreed<'_>,
) -> Option<ClockTimes> {
    let logged = case
        .clock_log
        .iter()
        .rev()
        .find(|times| times.ply <= agreed.len());
    if let Some(logged) = logged {
        return Some(*logged);
    }
    let scores = [case.scores.player, case.scores.opponent];
    let at_first = scores.into_iter().find_map(allotted).map(milliseconds);
    let noted = |side: Color| {
        let plies = (0..agreed.len()).rev().filter(|&ply| {
            let before = ply.checked_sub(1).map_or(start, |ply| &agreed[ply].after);
            before.turn() == side
        });
        let mut plies = plies.peekable();
        if plies.peek().is_none() {
            return at_first;
        }
        let left = plies.find_map(|ply| {
            let mut entries = entries_of(case, (agreed, orders), ply)
                .into_iter()
                .flatten();
            entries.find_map(|entry| entry.clock)
        });
        left.map(milliseconds)
    };
    let times = ClockTimes {
        ply: agreed.len(),
        white_ms: noted(Color::White),
        black_ms: noted(Color::Black),
    };
    (times.white_ms.is_some() || times.black_ms.is_some()).then_some(times)
}

/// Returns the time of the first period, if the score names the time control, in PGN (`5400+30`,
/// `40/5400:1800`) or in annexd's own form.
pub fn allotted(score: &Score) -> Option<Duration> {
    let text = score.tag("TimeControl")?;
    let first = text.split(':').next().unwrap_or(text);
    let period = first.rsplit('/').next().unwrap_or(first);
    let (main, increment) = period.split_once('+').unwrap_or((period, "0"));
    let seconds = |digits: &str| digits.trim().parse::<u32>().ok().map(u64::from);
    match seconds(main).zip(seconds(increment)) {
        Some((main, increment)) => Some(Duration::from_secs(main + increment)),
        None => {
            let control: TimeControl = text.parse().ok()?;
            let first = control.period(0);
            let bonus = match first.bonus {
                Bonus::Increment(bonus) => bonus,
                _ => Duration::ZERO,
            };
            Some(first.time + bonus)
        }
    }
}

fn milliseconds(left: Duration) -> u64 {
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
}
