//! Tells sound that stands out from the noise of the room.

use std::collections::VecDeque;

/// Blocks (20 ms) in which the quietest moment is taken for the noise of the room.
const MEMORY: usize = 100;

/// How far above the noise of the room sound must be, in decibels.
const ABOVE_NOISE: f32 = 9.0;

/// Nothing below this level counts, in decibels of full scale.
const LOWEST: f32 = -62.0;

/// The noise of the room, as it changes.
#[derive(Debug, Default)]
pub(super) struct Activity {
    recent: VecDeque<f32>,
    smooth: Option<f32>,
}

impl Activity {
    /// Whether this block stands out.
    pub(super) fn stands_out(&mut self, block: &[i16]) -> bool {
        let level = level(block);
        let smooth = self
            .smooth
            .map_or(level, |before| 0.6 * before + 0.4 * level);
        self.smooth = Some(smooth);
        if self.recent.len() == MEMORY {
            self.recent.pop_front();
        }
        self.recent.push_back(smooth);
        let noise = self.recent.iter().copied().fold(0.0_f32, f32::min);
        level > (noise + ABOVE_NOISE).max(LOWEST)
    }
}

/// The level of a block in decibels of full scale.
fn level(block: &[i16]) -> f32 {
    let sum: f32 = block
        .iter()
        .map(|&s| (f32::from(s) / 32_768.0).powi(2))
        .sum();
    10.0 * (sum / block.len().max(1) as f32 + 1e-10).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_stands_out_from_steady_noise_of_any_level() {
        for noise in [3_i16, 300, 3_000] {
            let mut activity = Activity::default();
            let hiss: Vec<i16> = (0..320)
                .map(|i| if i % 2 == 0 { noise } else { -noise })
                .collect();
            let loud: Vec<i16> = hiss.iter().map(|&s| s.saturating_mul(8)).collect();
            let loud = if noise == 3 { vec![3_000; 320] } else { loud };
            for _ in 0..20 {
                activity.stands_out(&hiss);
            }
            assert!(!activity.stands_out(&hiss));
            assert!(activity.stands_out(&loud));
        }
    }
}
