//! Second opinions: the results for the same sound at other speeds, and how certain they make a
//! phrase.

use serde::Deserialize;

use crate::verdict::{Alternative, Limit};

/// The confidence of a meaning that a hearing does not have among its alternatives.
const UNHEARD: f64 = 0.0067;

/// Second opinions: the recogniser's results for the same sound played slower and faster.
///
/// A recognition error seldom survives that, and an uncertain phrase often becomes clear.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opinions {
    /// The speeds, where 1 is the original.
    pub speeds: Vec<f64>,
    /// The weight of each hearing when they are joined.
    pub scale: f64,
    /// The least joint confidence for taking a phrase that was not certain by itself.
    pub sure: f64,
    /// The same in noise, where every hearing must also have the same meaning.
    pub sure_in_noise: f64,
    /// The least confidence of each other hearing in noise.
    #[serde(default)]
    pub each_in_noise: f64,
    /// In noise the sound is recognised once more with hiss this many decibels below the voice. A
    /// result that depends on a trace of sound does not survive that.
    #[serde(default)]
    pub hiss: Option<f64>,
    /// Words that people said, and words that were heard instead. If such a word is heard, every
    /// opinion must have the same meaning. If the phrase was not certain by itself, and only these
    /// two words distinguish the two best meanings, the speaker is asked, because all opinions err
    /// alike then.
    #[serde(default)]
    pub confused: Vec<Confused>,
}

/// A word that is mistaken for another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confused {
    /// The word that people said.
    pub said: String,
    /// The word that was heard.
    pub heard: String,
}

impl Opinions {
    /// Whether there is an unsettled word among these for which others are mistaken.
    pub fn suspect(&self, words: &[String], settled: &[usize]) -> bool {
        let is_known = |word: &String| self.confused.iter().any(|pair| pair.heard == *word);
        let mut words = words.iter().enumerate();
        words.any(|(place, word)| !settled.contains(&place) && is_known(word))
    }

    /// Whether the two best meanings differ by a word that all opinions mistake for another.
    pub fn are_deaf_to(&self, alternatives: &[Alternative]) -> bool {
        let [best, next, ..] = alternatives else {
            return false;
        };
        let mut differing = best
            .words
            .iter()
            .zip(&next.words)
            .filter(|(heard, said)| heard != said);
        let (Some((heard, said)), None) = (differing.next(), differing.next()) else {
            return false;
        };
        let is_known = |pair: &Confused| pair.heard == *heard && pair.said == *said;
        best.words.len() == next.words.len() && self.confused.iter().any(is_known)
    }
}

/// The meanings after second opinions, and whether the best one is now certain.
pub fn with_opinions(
    alternatives: Vec<Alternative>,
    others: &[Vec<Alternative>],
    opinions: &Opinions,
    limit: Limit,
    is_noisy: bool,
) -> (Vec<Alternative>, bool) {
    let confidence = |all: &[Alternative]| all.first().map_or(0.0, |best| best.confidence);
    if is_noisy || limit.unanimous {
        let needed = if is_noisy {
            opinions.sure_in_noise
        } else {
            limit.sure
        };
        let are_sure = |other: &Vec<Alternative>| confidence(other) >= opinions.each_in_noise;
        let is_sure = confidence(&alternatives) >= needed
            && are_unanimous(&alternatives, others)
            && (!is_noisy || others.iter().all(are_sure));
        return (alternatives, is_sure);
    }
    let alternatives = joined(alternatives, others, opinions.scale);
    let is_sure = confidence(&alternatives) >= opinions.sure;
    (alternatives, is_sure)
}

/// Whether every hearing has the same best meaning.
pub fn are_unanimous(first: &[Alternative], others: &[Vec<Alternative>]) -> bool {
    let same = |other: &Vec<Alternative>| match (first.first(), other.first()) {
        (Some(one), Some(other)) => one.is_same(other),
        _ => false,
    };
    others.iter().all(same)
}

/// Joins several hearings: the confidences of a meaning are multiplied. The best meaning comes
/// first.
fn joined(first: Vec<Alternative>, others: &[Vec<Alternative>], scale: f64) -> Vec<Alternative> {
    let mut all = first.clone();
    for other in others.iter().flatten() {
        if !all.iter().any(|known| known.is_same(other)) {
            all.push(other.clone());
        }
    }
    let share = |hearing: &[Alternative], meaning: &Alternative| {
        let known = hearing.iter().find(|other| other.is_same(meaning));
        known
            .map_or(0.0, |other| other.confidence)
            .max(UNHEARD)
            .ln()
    };
    let weights: Vec<f64> = all
        .iter()
        .map(|meaning| {
            let others: f64 = others.iter().map(|hearing| share(hearing, meaning)).sum();
            (scale * (share(&first, meaning) + others)).exp()
        })
        .collect();
    let total: f64 = weights.iter().sum();
    for (meaning, weight) in all.iter_mut().zip(weights) {
        meaning.confidence = weight / total;
    }
    all.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    all
}
