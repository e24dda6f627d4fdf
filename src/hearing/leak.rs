//! Tracks how loud annexd's own voice is in the microphone.
//!
//! While annexd speaks, only something louder can be a person saying "Stopp".

use std::collections::VecDeque;

/// How many utterances of annexd are remembered. The median counts, so that a person speaking over
/// one of them does no harm.
const REMEMBERED: usize = 3;

/// The quantile of levels that represents an utterance, instead of its loudest moment, which may
/// have been a person's short "Stopp".
const COMMON: f32 = 0.65;

/// How far above that level may still be annexd, in decibels: the loudest moments of its clips are
/// 5 to 9 above it.
const LOUDER: f32 = 10.0;

/// If less than this share of an utterance stands out, it was somebody else, because nothing leaks
/// through headphones.
const SHARE: f32 = 0.4;

/// Shorter utterances, in blocks (20 ms), teach nothing.
const SHORTEST: usize = 25;

/// From longer utterances the beginning is enough.
const LONGEST: usize = 3_000;

/// What was heard while annexd spoke.
#[derive(Debug, Default)]
pub struct Leak {
    /// Of the current utterance: its blocks, and the levels of those that stood out.
    blocks: usize,
    levels: Vec<f32>,
    /// The levels of annexd's voice in the last utterances.
    before: VecDeque<Option<f32>>,
}

impl Leak {
    /// Takes a block's level (decibels of full scale), whether it stands out from the noise of the
    /// room, and whether annexd speaks. Returns whether a person may be heard in it.
    pub fn is_somebody(&mut self, level: f32, stands_out: bool, is_over: bool) -> bool {
        if !is_over {
            self.said();
            return stands_out;
        }
        self.blocks += 1;
        if stands_out && self.levels.len() < LONGEST {
            self.levels.push(level);
        }
        stands_out && self.limit().is_none_or(|limit| level > limit)
    }

    /// The level above which it is a person, if anything leaks.
    pub fn limit(&self) -> Option<f32> {
        let mut levels: Vec<f32> = self
            .before
            .iter()
            .map(|level| level.unwrap_or(f32::MIN))
            .collect();
        levels.sort_by(f32::total_cmp);
        let middle = levels.get(levels.len().checked_sub(1)? / 2)?;
        (*middle > f32::MIN).then_some(middle + LOUDER)
    }

    /// Ends an utterance of annexd.
    fn said(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        let mut levels = std::mem::take(&mut self.levels);
        if blocks < SHORTEST {
            return;
        }
        if self.before.len() == REMEMBERED {
            self.before.pop_front();
        }
        levels.sort_by(f32::total_cmp);
        let common = levels.get((levels.len() as f32 * COMMON) as usize).copied();
        let leaks = levels.len() as f32 > SHARE * blocks.min(LONGEST) as f32;
        self.before.push_back(common.filter(|_| leaks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays an utterance of two seconds at this level, with pauses. Returns how many blocks may be
    /// a person.
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
        assert!(leak.is_somebody(-32.0, true, true));
        assert!(leak.is_somebody(-60.0, true, false), "annexd is silent");
    }

    #[test]
    fn somebody_who_speaks_over_a_saying_is_not_taken_for_the_leak() {
        let mut leak = Leak::default();
        for level in [-45.0, -20.0, -45.0] {
            saying(&mut leak, level, true);
        }
        assert!(leak.is_somebody(-34.0, true, true));
    }

    #[test]
    fn a_word_over_each_saying_is_not_taken_for_the_leak() {
        let mut leak = Leak::default();
        for _ in 0..REMEMBERED {
            for block in 0..80 {
                let level = if block < 20 { -15.0 } else { -45.0 };
                leak.is_somebody(level, true, true);
            }
            leak.is_somebody(-70.0, false, false);
        }
        assert!(leak.is_somebody(-20.0, true, true));
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
