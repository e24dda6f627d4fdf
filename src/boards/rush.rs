//! More changes on a board than hands can make.

use std::time::Duration;

use super::device::DeviceEvent;
use annexd_game::board::Readings;
use annexd_laws::moment::Moment;

/// How many facts may come at once: a board cleared and set up again twice, and more.
const FACTS_MAX: u32 = 256;
/// Beyond that, hands cause fewer facts than this in a second, even in the fastest game.
const FACTS_A_SECOND: u32 = 20;
/// A board without a change for this long is quiet again.
const QUIET: Duration = Duration::from_secs(3);

/// Counts what happens on a board. A board with more changes than hands can make is defective and
/// not believed: nothing it reports is passed on or recorded until it is quiet. Pure.
#[derive(Clone, Debug)]
pub(super) struct Rush {
    /// How many more facts are believed.
    left: u32,
    /// Until when passed time has been counted in `left`.
    counted: Moment,
    /// When it last changed something, while it is not believed.
    noisy: Option<Moment>,
    /// What it showed last, while it is not believed.
    shown: Option<Box<Readings>>,
}

impl Default for Rush {
    fn default() -> Self {
        Self {
            left: FACTS_MAX,
            counted: Moment::START,
            noisy: None,
            shown: None,
        }
    }
}

impl Rush {
    /// Whether the board is not believed now.
    pub(super) const fn is_on(&self) -> bool {
        self.noisy.is_some()
    }

    /// Counts reported facts. Returns whether the board ceases to be believed with them.
    pub(super) fn count(&mut self, now: Moment, facts: usize) -> bool {
        let seconds = now.since(self.counted).as_secs();
        self.counted = self.counted + Duration::from_secs(seconds);
        let more = u32::try_from(seconds).map_or(FACTS_MAX, |it| it.saturating_mul(FACTS_A_SECOND));
        let left = self.left.saturating_add(more).min(FACTS_MAX);
        let facts = u32::try_from(facts).unwrap_or(u32::MAX);
        self.left = left.saturating_sub(facts);
        if facts <= left || self.is_on() {
            return false;
        }
        self.noisy = Some(now);
        true
    }

    /// Filters the report of a board that is not believed. `None` if it is about squares.
    pub(super) fn pass(&mut self, now: Moment, said: DeviceEvent) -> Option<DeviceEvent> {
        match said {
            DeviceEvent::Snapshot(readings) => {
                // Some boards report all their squares again and again.
                if self.shown.as_ref() != Some(&readings) {
                    self.noisy = Some(now);
                    self.shown = Some(readings);
                }
            }
            DeviceEvent::Square(..) | DeviceEvent::Move(_) | DeviceEvent::TakenBack => {
                self.noisy = Some(now);
            }
            other => return Some(other),
        }
        None
    }

    /// Whether the board has just become quiet, so that it has to be read anew.
    pub(super) fn ends(&mut self, now: Moment) -> bool {
        let is_quiet = self.noisy.is_some_and(|noisy| now.since(noisy) >= QUIET);
        if is_quiet {
            // All its squares may have changed since it was read.
            *self = Self {
                counted: now,
                ..Self::default()
            };
        }
        is_quiet
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annexd_game::board::Reading;
    use shakmaty::{Board, Square};

    #[test]
    fn hands_at_their_fastest_are_believed() {
        let mut rush = Rush::default();
        // A board is cleared and set up, and bullet is played on it for an hour: two moves a
        // second, each a capture.
        assert!(!rush.count(Moment::START, 128));
        for move_made in 0..7_200_u64 {
            assert!(
                !rush.count(Moment::from_ms(move_made * 500), 5),
                "{move_made}"
            );
        }
    }

    #[test]
    fn nonsense_is_not_believed_until_it_ends() {
        let mut rush = Rush::default();
        let field = || DeviceEvent::Square(Square::E4, Reading::Empty);
        let mut at = 0;
        while !rush.count(Moment::from_ms(at), 1) {
            at += 4;
            assert!(at < 1_500, "250 facts a second");
        }
        for more in 0..1_000_u64 {
            let now = Moment::from_ms(at + 4 * more);
            assert_eq!(rush.pass(now, field()), None);
            assert!(!rush.ends(now));
        }
        let end = Moment::from_ms(at + 4_000);
        // Repeated squares are no change, and the battery report is unaffected.
        let shown = || DeviceEvent::Snapshot(Box::new(Readings::of(&Board::new())));
        assert_eq!(rush.pass(end, shown()), None);
        let battery = DeviceEvent::Battery(7);
        assert_eq!(rush.pass(end, battery.clone()), Some(battery));
        let later = end + Duration::from_secs(2);
        assert_eq!(rush.pass(later, shown()), None);
        assert!(!rush.ends(later));
        assert!(rush.ends(end + QUIET));
        assert!(!rush.is_on());
        assert!(!rush.count(end + QUIET, 64), "it is read anew");
    }
}
