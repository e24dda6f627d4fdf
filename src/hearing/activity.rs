//! Detects sound that stands out from the noise of the room.

use std::collections::VecDeque;

use super::leak::Leak;
use super::{BLOCK, SAMPLE_RATE};

/// The number of blocks (20 ms) whose quietest moment counts as the noise of the room.
const MEMORY: usize = 100;

/// The number of blocks at the start of a stream in which the room is still unknown: a file may
/// begin in the middle of the first word.
const UNKNOWN_ROOM: usize = 30;

/// How far sound must be above the noise of the room, in decibels.
const ABOVE_NOISE: f32 = 6.0;

/// The level below which nothing counts, in decibels of full scale.
const LOWEST: f32 = -75.0;

/// The level below which nothing counts while somebody speaks at a normal level: breath and echo.
const LOWEST_BY_VOICE: f32 = -62.0;

/// How much fainter than the loudest moment the soft sounds of a faint voice are, in decibels.
const SOFTEST: f32 = 40.0;

/// Speech less than this far above the noise of the room is treated as noisy, in decibels.
const CLEARLY_ABOVE: f32 = 30.0;

/// Usually a tenth of the sound is pauses, and a fifth is pauses and soft sounds. If these are not
/// this far below the loudest moment, in decibels, the pauses are filled. Set on the development
/// voices: in quiet the tenth lies 42 or more below and the fifth 19 or more; with others 20 dB
/// behind the speaker the tenth lies 24 to 43 below.
const FILLED: [(usize, f32); 2] = [(10, 40.0), (5, 24.0)];

/// In every second of an announcement there is a stop or pause at least this far below the loudest
/// moment, in decibels, unless others speak meanwhile. The silence around the announcement does not
/// count. Set on the development voices: in quiet it is 47 or more, for diphones from people 33.
const STOPS: f32 = 30.0;
const SECOND: usize = 50;

/// If a fifth of the sound is this near to its loudest moment, in decibels, the pauses are loud. If
/// a tenth of it lies this far below that fifth, voices fill them, which pause too, and not a
/// steady hiss. Set on the development voices: with others 20 dB behind the speaker the fifth lies
/// 24 to 30 below, with others 10 dB behind him 16 to 22.
const LOUD: f32 = 23.0;
const UNSTEADY: f32 = 1.5;

/// How far below his loudest moment a speaker begins and ends, in decibels; and how many blocks
/// around that still belong to him, as the soft sounds of his first and last word.
pub const NEAR: f32 = 18.0;
const AROUND: usize = 6;

/// How much fainter than the previous voice a voice may be and still count as the speaker's, in
/// decibels.
const FAINTER: f32 = 9.0;

/// How fast the loudest voice is forgotten, in decibels per block. Another person who answers in a
/// softer voice is heard; what was spoken behind the same announcement is not.
const FORGET: f32 = 0.05;

/// Tracks the noise of the room and the loudness of the speaker.
#[derive(Debug)]
pub struct Activity {
    recent: VecDeque<f32>,
    blocks: usize,
    smooth: Option<f32>,
    noise: f32,
    /// The loudest moment of this utterance, and of earlier ones.
    loudest: f32,
    speaker: f32,
    leak: Leak,
}

impl Default for Activity {
    fn default() -> Self {
        Self {
            recent: VecDeque::new(),
            blocks: 0,
            smooth: None,
            noise: f32::MIN,
            loudest: f32::MIN,
            speaker: f32::MIN,
            leak: Leak::default(),
        }
    }
}

impl Activity {
    /// Whether this block stands out from the noise, and from annexd's own voice while that can be
    /// heard.
    pub fn stands_out(&mut self, block: &[i16], annexd_speaks: bool) -> bool {
        let level = level(block);
        let smooth = self
            .smooth
            .map_or(level, |before| 0.6 * before + 0.4 * level);
        self.smooth = Some(smooth);
        if self.recent.len() == MEMORY {
            self.recent.pop_front();
        }
        self.recent.push_back(smooth);
        self.blocks = self.blocks.saturating_add(1);
        let quietest = self.recent.iter().copied().fold(0.0_f32, f32::min);
        let is_known = self.blocks > UNKNOWN_ROOM;
        self.noise = if is_known {
            quietest
        } else {
            quietest.min(LOWEST_BY_VOICE)
        };
        self.loudest = self.loudest.max(smooth);
        self.speaker -= FORGET;
        let lowest = (self.loudest - SOFTEST).clamp(LOWEST, LOWEST_BY_VOICE);
        let stands_out = level > (self.noise + ABOVE_NOISE).max(lowest);
        self.leak.is_somebody(level, stands_out, annexd_speaks)
    }

    /// How far the utterance so far is above annexd's own voice, in decibels, if that leaks.
    pub fn above_the_leak(&self) -> Option<f32> {
        self.leak.limit().map(|limit| self.loudest - limit)
    }

    /// Whether the utterance so far is not clearly above the noise.
    pub fn is_noisy(&self) -> bool {
        self.loudest < self.noise + CLEARLY_ABOVE
    }

    /// Whether the utterance so far is much fainter than those just before it, as voices behind a
    /// speaker are.
    pub fn is_behind(&self) -> bool {
        self.loudest < self.speaker - FAINTER
    }

    /// Ends an utterance. Only words show how loud a speaker is; a cough does not.
    pub fn ended(&mut self, has_words: bool) {
        if has_words {
            self.speaker = self.speaker.max(self.loudest);
        }
        self.loudest = f32::MIN;
    }

    /// Notes that nothing is being said.
    pub const fn rest(&mut self) {
        self.loudest = f32::MIN;
    }
}

/// Whether other voices or a lasting noise fill the pauses of an utterance. The quietest moment
/// does not reveal voices, which pause too.
pub fn are_pauses_filled(sound: &[i16]) -> bool {
    let mut levels: Vec<f32> = sound.chunks_exact(BLOCK).map(level).collect();
    let is_never_still = is_never_still(&levels);
    levels.sort_by(f32::total_cmp);
    let mut filled = FILLED.iter().map(|(part, filled)| {
        match (levels.get(levels.len() / part), levels.last()) {
            (Some(pause), Some(loudest)) => loudest - pause < *filled,
            _ => false,
        }
    });
    is_never_still || filled.any(|filled| filled)
}

/// Whether there is no quiet moment between the first loud moment and the last.
fn is_never_still(levels: &[f32]) -> bool {
    let Some((first, last)) = loud_part(levels, NEAR) else {
        return false;
    };
    let mut spoken = levels[first..=last].to_vec();
    spoken.sort_by(f32::total_cmp);
    match (spoken.first(), spoken.last()) {
        (Some(stillest), Some(loudest)) => spoken.len() >= SECOND && loudest - stillest < STOPS,
        _ => false,
    }
}

/// The first and last index at most this many decibels below the loudest.
fn loud_part(levels: &[f32], near: f32) -> Option<(usize, usize)> {
    let loudest = levels.iter().copied().fold(f32::MIN, f32::max);
    let is_near = |level: &f32| *level > loudest - near;
    let first = levels.iter().position(is_near)?;
    Some((first, levels.iter().rposition(is_near)?))
}

/// Whether other voices in the pauses are nearly as loud as the speaker. Their words would pass for
/// his.
pub fn are_voices_near(sound: &[i16]) -> bool {
    let mut levels: Vec<f32> = sound.chunks_exact(BLOCK).map(level).collect();
    levels.sort_by(f32::total_cmp);
    let at = |part: usize| levels.get(levels.len() / part).copied();
    let (Some(loudest), Some(fifth), Some(tenth)) = (levels.last(), at(5), at(10)) else {
        return false;
    };
    loudest - fifth < LOUD && fifth - tenth > UNSTEADY
}

/// The speaker's part of the sound, without other people's words before and after it. It reaches
/// from the first to the last moment within this many decibels of the loudest, with a small margin.
pub fn foreground(sound: &[i16], near: f32) -> &[i16] {
    let levels: Vec<f32> = sound.windows(3 * BLOCK).step_by(BLOCK).map(level).collect();
    let Some((first, last)) = loud_part(&levels, near) else {
        return sound;
    };
    let from = (first + 1).saturating_sub(AROUND) * BLOCK;
    let to = ((last + 2 + AROUND) * BLOCK).min(sound.len());
    sound.get(from..to).unwrap_or(sound)
}

/// The loudness of a word: the louder half of the sound between two moments, in seconds.
pub fn loudness(sound: &[i16], (from, to): (f32, f32)) -> f64 {
    let place = |moment: f32| (moment.max(0.0) * SAMPLE_RATE as f32) as usize / BLOCK;
    let blocks: Vec<_> = sound.chunks_exact(BLOCK).collect();
    let last = place(to).clamp(0, blocks.len());
    let first = place(from).min(last.saturating_sub(1));
    let mut levels: Vec<f32> = blocks[first..last]
        .iter()
        .map(|block| level(block))
        .collect();
    levels.sort_by(f32::total_cmp);
    let louder = &levels[levels.len() / 2..];
    let power: f32 = louder.iter().map(|level| 10_f32.powf(level / 10.0)).sum();
    f64::from(10.0 * (power / louder.len().max(1) as f32 + 1e-10).log10())
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
    fn voices_behind_the_speaker_are_told_from_his() {
        let mut activity = Activity::default();
        for level in [8_000, 5_000, 8_000, 2_000, 800, 8_000] {
            for _ in 0..20 {
                activity.stands_out(&[level; 320], false);
            }
            assert_eq!(activity.is_behind(), level <= 2_000, "{level}");
            activity.ended(true);
            for _ in 0..20 {
                activity.stands_out(&[0; 320], false);
            }
            activity.rest();
        }
    }

    #[test]
    fn speech_in_noise_is_heard_with_care() {
        for (noise, expected) in [(3, false), (1_000, true)] {
            let mut activity = Activity::default();
            for level in [noise, 9_000] {
                for _ in 0..40 {
                    activity.stands_out(&[level; 320], false);
                }
            }
            assert_eq!(activity.is_noisy(), expected, "{noise}");
        }
    }

    #[test]
    fn sound_stands_out_from_steady_noise_of_any_level() {
        for noise in [3_i16, 300, 3_000] {
            let mut activity = Activity::default();
            let hiss: Vec<i16> = (0..320)
                .map(|i| if i % 2 == 0 { noise } else { -noise })
                .collect();
            let loud: Vec<i16> = hiss.iter().map(|&s| s.saturating_mul(8)).collect();
            let loud = if noise == 3 { vec![3_000; 320] } else { loud };
            for _ in 0..=UNKNOWN_ROOM {
                activity.stands_out(&hiss, false);
            }
            assert!(!activity.stands_out(&hiss, false));
            assert!(activity.stands_out(&loud, false));
        }
    }

    #[test]
    fn pauses_are_filled_by_voices_that_pause_too() {
        let words = |pause: i16| -> Vec<i16> {
            let speech = [8_000; 4 * BLOCK].into_iter();
            let babble = [pause; 3 * BLOCK].into_iter().chain([0; BLOCK]);
            speech.chain(babble).cycle().take(100 * BLOCK).collect()
        };
        assert!(!are_pauses_filled(&words(30)));
        assert!(are_pauses_filled(&words(800)));
    }

    #[test]
    fn stops_are_filled_by_voices_that_are_silent_before_and_behind() {
        let words = |stop: i16, count: usize| -> Vec<i16> {
            let still = vec![0; 40 * BLOCK];
            let word = [vec![8_000; 5 * BLOCK], vec![stop; BLOCK]].concat();
            [still.clone(), word.repeat(count), still].concat()
        };
        assert!(!are_pauses_filled(&words(80, 12)));
        assert!(are_pauses_filled(&words(500, 12)));
        assert!(!are_pauses_filled(&words(500, 4)), "one word may have none");
    }

    #[test]
    fn voices_are_near_when_the_pauses_are_loud_and_have_pauses() {
        let with = |behind: [i16; 3]| -> Vec<i16> {
            let blocks = [8_000, 8_000, 8_000, behind[0], behind[1], behind[2]];
            let sound = blocks.into_iter().flat_map(|level| [level; BLOCK]);
            sound.cycle().take(100 * BLOCK).collect()
        };
        assert!(are_voices_near(&with([1_500, 1_000, 300])));
        assert!(!are_voices_near(&with([150, 100, 30])));
        assert!(!are_voices_near(&with([1_000, 1_000, 1_000])));
        assert!(!are_voices_near(&[]));
    }

    #[test]
    fn others_before_and_behind_a_speaker_are_cut_off() {
        let blocks = |level: i16, count: usize| vec![level; count * BLOCK];
        let sound = [blocks(300, 30), blocks(6_000, 50), blocks(300, 20)].concat();
        let cut = foreground(&sound, NEAR).len() / BLOCK;
        assert!((50..=66).contains(&cut), "{cut}");
        assert!(foreground(&sound, NEAR).contains(&300));
        assert_eq!(foreground(&sound[..BLOCK], NEAR).len(), BLOCK);
    }

    #[test]
    fn a_faint_voice_stands_out_with_its_soft_sounds() {
        for (loud, soft, expected) in [(60, 10, true), (6_000, 10, false)] {
            let mut activity = Activity::default();
            for level in [0, loud] {
                for _ in 0..=UNKNOWN_ROOM {
                    activity.stands_out(&[level; 320], false);
                }
            }
            assert_eq!(activity.stands_out(&[soft; 320], false), expected, "{loud}");
        }
    }

    #[test]
    fn a_stream_may_begin_in_the_middle_of_a_word() {
        let mut activity = Activity::default();
        assert!((0..10).all(|_| activity.stands_out(&[2_000; 320], false)));
    }
}
