//! How loud annexd itself comes out of the loudspeaker into the microphone.
//!
//! While it speaks, only what is louder than that can be somebody who says "Stopp".

use std::collections::VecDeque;

/// Sayings that are remembered. The middle one counts, so that it does no harm if somebody spoke
/// over one or two of them.
const REMEMBERED: usize = 5;

/// Above its loudest moment in the last sayings it may still be annexd, in decibels.
const LOUDER: f32 = 4.0;

/// Through headphones nothing leaks: where less than this share of a saying stands out, it was
/// somebody else.
const SHARE: f32 = 0.4;

/// Sayings shorter than this teach nothing, in blocks (20 ms).
const SHORTEST: usize = 25;

/// What was heard while annexd spoke.
#[derive(Debug, Default)]
pub(super) struct Leak {
    /// Of the saying under way: blocks, those that stood out, and the loudest level.
    blocks: usize,
    stood_out: usize,
    loudest: Option<f32>,
    before: VecDeque<Option<f32>>,
}

impl Leak {
    /// Takes in a block's level (decibels of full scale), whether it stands out from the noise of
    /// the room, and whether annexd speaks; tells whether somebody else may be heard in it.
    pub(super) fn is_somebody(&mut self, level: f32, stands_out: bool, is_over: bool) -> bool {
        if !is_over {
            self.said();
            return stands_out;
        }
        self.blocks += 1;
        self.stood_out += usize::from(stands_out);
        self.loudest = Some(self.loudest.map_or(level, |before| before.max(level)));
        stands_out && self.limit().is_none_or(|limit| level > limit)
    }

    /// The level above which it is somebody else, if anything leaks.
    pub(super) fn limit(&self) -> Option<f32> {
        let mut levels: Vec<f32> = self
            .before
            .iter()
            .map(|level| level.unwrap_or(f32::MIN))
            .collect();
        levels.sort_by(f32::total_cmp);
        let middle = levels.get(levels.len().checked_sub(1)? / 2)?;
        (*middle > f32::MIN).then_some(middle + LOUDER)
    }

    /// A saying has ended.
    fn said(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        let stood_out = std::mem::take(&mut self.stood_out);
        let loudest = self.loudest.take();
        if blocks < SHORTEST {
            return;
        }
        if self.before.len() == REMEMBERED {
            self.before.pop_front();
        }
        let leaks = stood_out as f32 > SHARE * blocks as f32;
        self.before.push_back(loudest.filter(|_| leaks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saying of two seconds at this level, with pauses; how many blocks may be somebody.
    fn saying(leak: &mut Leak, level: f32, stands_out: bool) -> usize {
        let somebody = (0..100)
            .filter(|block| {
                let pauses = block % 10 > 7;
                let level = if pauses { -70.0 } else { level };
                leak.is_somebody(level, stands_out && !pauses, true)
            })
            .count();
        leak.is_somebody(-70.0, false, false);
        somebody
    }

    #[test]
    fn the_leak_is_learnt_from_one_saying_and_a_louder_voice_stands_out() {
        let mut leak = Leak::default();
        assert_eq!(saying(&mut leak, -45.0, true), 80);
        assert_eq!(saying(&mut leak, -43.0, true), 0);
        assert!(leak.is_somebody(-30.0, true, true));
        assert!(leak.is_somebody(-60.0, true, false), "annexd is silent");
    }

    #[test]
    fn somebody_who_speaks_over_a_saying_or_two_is_not_taken_for_the_leak() {
        let mut leak = Leak::default();
        for level in [-45.0, -20.0, -45.0, -20.0, -45.0] {
            saying(&mut leak, level, true);
        }
        assert!(leak.is_somebody(-35.0, true, true));
    }

    #[test]
    fn through_headphones_nothing_leaks() {
        let mut leak = Leak::default();
        for _ in 0..REMEMBERED {
            saying(&mut leak, -70.0, false);
        }
        assert!(leak.is_somebody(-65.0, true, true));
    }
}
