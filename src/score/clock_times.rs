//! The times beside the moves. A time of two parts may be hours and minutes or minutes and seconds.
//! The times around it show which.

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::Color;

use super::entry::{Entry, SheetPlace};
use super::places::places_of;
use super::scan::number;

/// No player gets so many hours for a game.
const TOO_LONG: Duration = Duration::from_secs(10 * 3600);

/// No time control adds more between two moves.
const MOST_ADDED: Duration = Duration::from_secs(65 * 60);

/// A time as it is written on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockTime {
    /// The time left. Two parts count as hours and minutes.
    pub(super) left: Duration,
    /// Whether it has only two parts.
    pub(super) is_short: bool,
}

/// Reads a time: `0:45`, `1:29:59` or `1:29:59.5`.
pub(super) fn clock_time(word: &str) -> Option<ClockTime> {
    let mut parts = word.split(':');
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() || second.len() != 2 {
        return None;
    }
    let hours: u64 = number(first, 3)?;
    let minutes: u64 = number(second, 2)?;
    let (seconds, ms) = match third {
        None => (0, 0),
        Some(third) => {
            let (whole, part) = third.split_once('.').unwrap_or((third, ""));
            if whole.len() != 2 || part.len() > 3 {
                return None;
            }
            let ms = match part {
                "" => 0,
                part => number::<u64>(part, 3)? * 10_u64.pow(3 - part.len() as u32),
            };
            (number(whole, 2)?, ms)
        }
    };
    let left = Duration::from_millis(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms);
    let is_short = third.is_none();
    (minutes < 60 && seconds < 60).then_some(ClockTime { left, is_short })
}

/// Decides what each time of two parts means. As hours and minutes it must not exceed the previous
/// time of its side. Once a side has minutes and seconds, as clocks show them near the end, it
/// keeps them.
pub(super) fn settle(entries: &mut [Entry], short: &BTreeSet<usize>, first: SheetPlace) {
    let sides: Vec<Color> = places_of(first, entries).iter().map(|it| it.side).collect();
    let mut last = [None; 2];
    let mut in_seconds = [false; 2];
    for (at, (entry, side)) in entries.iter_mut().zip(sides).enumerate() {
        let Some(left) = entry.clock else { continue };
        let own = usize::from(side.is_black());
        let [before, others] = [own, 1 - own].map(|side| last.get(side).copied().flatten());
        let limit = match before.or(others) {
            Some(before) => before + MOST_ADDED,
            None => TOO_LONG,
        };
        let seconds = left / 60;
        let goes_on = in_seconds.get(own) == Some(&true)
            && before.is_some_and(|before| seconds <= before + Duration::from_secs(60));
        let is_seconds = short.contains(&at) && (left > limit || left >= TOO_LONG || goes_on);
        let read = if is_seconds { seconds } else { left };
        entry.clock = Some(read);
        if let Some(last) = last.get_mut(own) {
            *last = Some(read);
        }
        if let Some(in_seconds) = in_seconds.get_mut(own) {
            *in_seconds = is_seconds;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read_score;

    fn seconds(sheet: &str) -> Vec<u64> {
        let read = read_score(sheet, None, 1).unwrap();
        let entries = read.score.entries().iter();
        entries
            .filter_map(|entry| entry.clock)
            .map(|left| left.as_secs())
            .collect()
    }

    #[test]
    fn a_time_of_two_parts_is_what_fits_the_times_around_it() {
        for (sheet, told) in [
            (
                "1. e4 (0:14:58) e5 (0:14:55)\n2. Nf3 14:40 Nc6 14:30",
                vec![14 * 60 + 58, 14 * 60 + 55, 14 * 60 + 40, 14 * 60 + 30],
            ),
            ("1. e4 1:29 e5 1:28", vec![89 * 60, 88 * 60]),
            // Digital clocks count down like this.
            (
                "1. e4 0:21 e5 0:25\n2. Nf3 19:59 Nc6 0:24\n3. Bb5 9:30 a6 18:00",
                vec![21 * 60, 25 * 60, 1199, 24 * 60, 570, 18 * 60],
            ),
            ("1. e4 59:40 e5 59:10", vec![59 * 60 + 40, 59 * 60 + 10]),
            // After the time control an hour is added.
            ("1. e4 0:05 e5 0:10\n2. Nf3 1:04 Nc6", vec![300, 600, 3840]),
            ("1. e4 {[%clk 0:14:58]} e5 {[%clk 14:40]}", vec![898, 880]),
        ] {
            assert_eq!(seconds(sheet), told, "{sheet}");
        }
    }
}
