//! Detects whether a word begins with a hiss, as "zwei" does and "drei" does not.
//!
//! To the network, an r rubbed in the throat after a d is noise, and so is "ts": it takes some
//! Germans' "drei" for "zwei". Acoustically they differ, because only a hiss has most of its power
//! above 5 kHz. So the sound itself decides which of the two was said, wherever it is clear.

use annexd_sound::spectrum::Spectrum;
use serde::Deserialize;

use super::{BLOCK, SAMPLE_RATE};
use crate::verdict::{Evidence, is_words};

/// The frequency ranges of hisses and of voices, in hertz.
const HIGH: [usize; 2] = [5_000, 7_600];
const LOW: [usize; 2] = [200, 3_000];

/// A window of 20 ms every 5 ms, and how many of them are joined: a hiss lasts, the burst of a d
/// does not.
const WINDOW: usize = BLOCK;
const STEP: usize = WINDOW / 4;
const TOGETHER: usize = 9;

/// A sound this many decibels below its word does not belong to it.
const FAINTEST_DB: f32 = 35.0;
/// The share of a word that counts as its beginning.
const BEGINNING: f32 = 0.5;
/// How much earlier than the recogniser says a word may begin, in seconds.
const EARLIER_S: f32 = 0.06;
/// How far behind the best one a phrase is placed that only the hiss supports, in nats: as far as
/// something the recogniser did not find possible.
const UNHEARD: f64 = 4.0;

/// The words that a hiss distinguishes, and how strong it must be, in decibels of the high band
/// over the low one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sibilants {
    /// The pairs of words.
    pub pairs: Vec<Pair>,
    /// Words that end with a hiss, after which a hiss at the beginning of the next word proves
    /// nothing.
    pub ends_hissing: Vec<String>,
    /// From this strength on there is a hiss.
    pub surely: f32,
    /// Below this strength there is none.
    pub hardly: f32,
}

/// Two words that are mistaken for each other.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The one that begins with a hiss.
    pub hissing: String,
    /// The one that does not.
    pub plain: String,
}

impl Pair {
    fn has(&self, word: &str) -> bool {
        self.hissing == word || self.plain == word
    }

    fn word(&self, hisses: bool) -> &str {
        if hisses { &self.hissing } else { &self.plain }
    }
}

impl Sibilants {
    /// For every word whether it begins with a hiss, if that matters and can be detected. In a
    /// sound without high frequencies it cannot: they may have been lost on the way. Where there
    /// are some, a word without a hiss is as far below the strongest of them as one usually is
    /// below a sure hiss.
    pub fn heard(
        &self,
        sound: &[i16],
        words: &[String],
        times: &[(f32, f32)],
    ) -> Vec<Option<bool>> {
        let matters = |word: &String| self.pairs.iter().any(|pair| pair.has(word));
        if words.len() != times.len() || !words.iter().any(matters) {
            return Vec::new();
        }
        let powers = Powers::of(sound);
        let strongest = powers.hiss(0..powers.0.len());
        if strongest < self.hardly {
            return Vec::new();
        }
        let hardly = self.hardly.min(strongest - (self.surely - self.hardly));
        let told = |place: usize| {
            let hisses = Some(&words[place])
                .filter(|word| matters(word))
                .and_then(|_| self.begins(&powers, times[place], hardly))?;
            let before = place.checked_sub(1).map(|before| &words[before]);
            let is_of_another = before.is_some_and(|word| self.ends_hissing.contains(word));
            (!hisses || !is_of_another).then_some(hisses)
        };
        (0..words.len()).map(told).collect()
    }

    fn begins(&self, powers: &Powers, (from, to): (f32, f32), hardly: f32) -> Option<bool> {
        // If the wrong word was found, the hiss of the right one may lie before it.
        let beginning =
            Powers::place(from - EARLIER_S)..Powers::place(from + (to - from) * BEGINNING);
        let hiss = powers.hiss(beginning);
        (hiss >= self.surely || hiss < hardly).then_some(hiss >= self.surely)
    }

    /// Makes the words of all hearings agree with the hisses. Returns whether they support a word
    /// that the recogniser did not find possible, and the indices of the words they settled.
    pub fn settle(&self, evidence: &mut Evidence) -> (bool, Vec<usize>) {
        let Some(best) = evidence.sequences.iter().find(|one| is_words(&one.0)) else {
            return (false, Vec::new());
        };
        let (best, score) = best.clone();
        let (mut is_contradicted, mut settled) = (false, Vec::new());
        let hisses = evidence.hisses.clone();
        for (place, word) in best.iter().enumerate() {
            let Some(hisses) = hisses.get(place).copied().flatten() else {
                continue;
            };
            let Some(pair) = self.pairs.iter().find(|pair| pair.has(word)) else {
                continue;
            };
            let (said, other) = (pair.word(hisses), pair.word(!hisses));
            let is_said = |words: &[String]| words.len() == best.len() && words[place] == said;
            if evidence.sequences.iter().any(|one| is_said(&one.0)) {
                evidence.each(|words| {
                    if words.len() == best.len() && words[place] == other {
                        words[place] = said.to_owned();
                    }
                });
                settled.push(place);
            } else {
                let mut unheard = best.clone();
                unheard[place] = said.to_owned();
                evidence.sequences.push((unheard, score - UNHEARD));
                is_contradicted = true;
            }
        }
        (is_contradicted, settled)
    }
}

/// The powers of the two bands, window by window.
struct Powers(Vec<[f32; 2]>);

impl Powers {
    fn of(sound: &[i16]) -> Self {
        let mut spectrum = Spectrum::of_windows(WINDOW);
        let turn = std::f32::consts::TAU / WINDOW as f32;
        let bell: Vec<f32> = (0..WINDOW)
            .map(|place| 0.5 - 0.5 * (turn * place as f32).cos())
            .collect();
        let windows = sound.windows(WINDOW).step_by(STEP);
        let powers: Vec<_> = windows
            .map(|window| {
                let samples = window.iter().zip(&bell);
                let samples = samples.map(|(&s, b)| f32::from(s) * b).collect();
                let powers: Vec<f32> = spectrum.powers(samples).collect();
                [HIGH, LOW].map(|band| {
                    let band = band.map(|hertz| hertz * WINDOW / SAMPLE_RATE as usize);
                    powers[band[0]..band[1]].iter().sum::<f32>() + 1.0
                })
            })
            .collect();
        Self(powers)
    }

    /// The index of the window that begins at a moment, in seconds.
    fn place(moment: f32) -> usize {
        (moment.max(0.0) * SAMPLE_RATE as f32) as usize / STEP
    }

    /// The strongest hiss in these windows, in decibels.
    fn hiss(&self, windows: std::ops::Range<usize>) -> f32 {
        let last = windows.end.min(self.0.len());
        let windows = &self.0[windows.start.min(last)..last];
        let sum = |some: &[[f32; 2]]| {
            some.iter().fold([0.0, 0.0], |sum: [f32; 2], one| {
                [sum[0] + one[0], sum[1] + one[1]]
            })
        };
        let together = TOGETHER.min(windows.len()).max(1);
        let loudest = windows
            .windows(together)
            .map(|some| sum(some).iter().sum())
            .fold(0.0, f32::max);
        let audible = loudest * 10_f32.powf(-FAINTEST_DB / 10.0);
        windows
            .windows(together)
            .map(sum)
            .filter(|[high, _]| *high > audible)
            .map(|[high, low]| 10.0 * (high / low).log10())
            .fold(f32::NEG_INFINITY, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Limits, decide};
    use crate::german;
    use crate::verdict::Decision;
    use annexd_laws::notation::Heard;

    const ZWEI: &str = "turm anna eins anna zwei";
    const DREI: &str = "turm anna eins anna drei";

    fn sibilants() -> Sibilants {
        Sibilants {
            pairs: vec![Pair {
                hissing: "zwei".to_owned(),
                plain: "drei".to_owned(),
            }],
            ends_hissing: vec!["felix".to_owned()],
            surely: 16.0,
            hardly: 4.0,
        }
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// A sound of parts of 100 ms each: `s` hisses, `f` hisses over a voice, `a` sounds like a
    /// vowel, `_` is a quiet room.
    fn sound(parts: &str) -> Vec<i16> {
        let mut state = 7_u32;
        let mut noise = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as f32 / 32_768.0 - 1.0
        };
        let mut last = [0.0; 3];
        let part = |part: char| {
            (0..SAMPLE_RATE / 10)
                .map(move |place| (part, place))
                .collect::<Vec<_>>()
        };
        parts
            .chars()
            .flat_map(part)
            .map(|(part, place)| {
                let new = noise();
                // Differences of neighbours have most of their power in the high frequencies.
                let hiss = new - 3.0 * last[0] + 3.0 * last[1] - last[2];
                last = [new, last[0], last[1]];
                let voice = (place as f32 * std::f32::consts::TAU * 400.0 / 16e3).sin();
                (match part {
                    's' => 2e3 * hiss,
                    'f' => 2e3 * hiss + 2e3 * voice,
                    'a' => 8e3 * voice,
                    _ => 3.0 * new,
                }) as i16
            })
            .collect()
    }

    #[track_caller]
    fn check(parts: &str, said: &str, expected: &[Option<bool>]) {
        let times = [(0.1, 0.3), (0.4, 0.7)];
        let heard = sibilants().heard(&sound(parts), &words(said), &times);
        assert_eq!(heard, expected, "{parts}");
    }

    #[test]
    fn a_hiss_is_heard_at_the_beginning() {
        check("_aa_saa_", "anna zwei", &[None, Some(true)]);
        check("_aa_aaas", "anna zwei", &[None, Some(false)]);
        check("_aa_aaas", "anna drei", &[None, Some(false)]);
        check("_as_saa_", "felix drei", &[None, None]);
        check("_aa_aaas", "felix drei", &[None, Some(false)]);
        check("_aa_aaa_", "anna zwei", &[]);
        check("_aa_saa_", "anna vier", &[]);
    }

    #[test]
    fn where_nothing_hisses_for_sure_a_word_far_below_the_strongest_has_no_hiss() {
        check("_aa_aaaf", "anna zwei", &[None, Some(false)]);
        check("_aa_faa_", "anna zwei", &[None, None]);
        check("_aa_faaf", "anna drei", &[None, None]);
    }

    fn evidence(sequences: &[(&str, f64)]) -> Evidence {
        let sequences = sequences.iter();
        Evidence {
            sequences: sequences
                .map(|(text, score)| (words(text), *score))
                .collect(),
            garbage: 90.0,
            speech_s: 2.0,
            ..Evidence::default()
        }
    }

    /// Settles sequences with their scores, given the hiss at the beginning of the last word.
    fn settled(hiss: Option<bool>, sequences: &[(&str, f64)]) -> (bool, Vec<usize>, Vec<String>) {
        let mut evidence = Evidence {
            sequences: sequences
                .iter()
                .map(|(text, score)| (words(text), *score))
                .collect(),
            opinions: vec![vec![(words(ZWEI), 9.0)]],
            hisses: vec![None, None, None, None, hiss],
            ..Evidence::default()
        };
        let (is_contradicted, settled) = sibilants().settle(&mut evidence);
        let opinion = evidence.opinions[0].iter();
        let all = evidence.sequences.iter().chain(opinion);
        (
            is_contradicted,
            settled,
            all.map(|one| one.0.join(" ")).collect(),
        )
    }

    #[test]
    fn a_hiss_settles_what_the_recogniser_finds_possible() {
        let both = [(ZWEI, 10.0), (DREI, 9.0)];
        let all = |text: &str| vec![text.to_owned(); 3];
        assert_eq!(settled(Some(true), &both), (false, vec![4], all(ZWEI)));
        assert_eq!(settled(Some(false), &both), (false, vec![4], all(DREI)));
        let unsettled = [ZWEI, DREI, ZWEI].map(str::to_owned).to_vec();
        assert_eq!(settled(None, &both), (false, Vec::new(), unsettled));
    }

    #[test]
    fn what_the_recogniser_holds_against_it_is_asked() {
        let (is_contradicted, settled, all) = settled(Some(false), &[(ZWEI, 10.0)]);
        assert!(is_contradicted && settled.is_empty());
        assert_eq!(all[..2], [ZWEI.to_owned(), DREI.to_owned()]);
    }

    #[test]
    fn a_hiss_decides_between_words_that_are_confused() {
        let limits: Limits = toml::from_str(
            "strict_graph = true
            scale = 1.0
            long = { sure = 0.9, clear = 0.0, speech = -5.0 }
            short = { sure = 0.9, clear = 0.0, speech = -5.0 }
            command = { sure = 0.9, clear = 0.0, speech = -5.0 }
            sibilants = { pairs = [{ hissing = 'zwei', plain = 'drei' }], ends_hissing = [], surely = 9, hardly = 4 }",
        )
        .unwrap();
        let decided = |sequences: &[(&str, f64)], hisses: Option<bool>| {
            let mut evidence = evidence(sequences);
            evidence.hisses = vec![None, None, None, None, hisses];
            let verdict = decide(&german(), &limits, &evidence);
            (
                verdict.decision,
                verdict.alternatives[0].words.join(" "),
                verdict.heard(),
            )
        };
        let close = [(ZWEI, 100.0), (DREI, 99.0)];
        assert_eq!(decided(&close, None).0, Decision::Ask);
        for (hisses, words) in [(true, ZWEI), (false, DREI)] {
            let (decision, heard, _) = decided(&close, Some(hisses));
            assert_eq!((decision, heard.as_str()), (Decision::Take, words));
        }
        let (decision, _, heard) = decided(&[(ZWEI, 100.0)], Some(false));
        assert_eq!(decision, Decision::Ask);
        assert!(matches!(heard, Some(Heard::Unclear(two)) if two.len() == 2));
    }
}
