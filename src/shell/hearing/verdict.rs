//! What the recogniser made of an utterance, and what may be decided of it.

use serde::{Deserialize, Serialize};

use crate::notation::{Announcement, CheckMark, Heard, Said};

/// What recognisers call a sound that is no word of theirs.
pub const UNKNOWN: &str = "[unk]";

/// What is done with an utterance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It is taken and read back.
    Take,
    /// The speaker is asked.
    Ask,
    /// It was no announcement.
    Ignore,
}

impl Decision {
    /// Its word in `--json`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Ask => "ask",
            Self::Ignore => "ignore",
        }
    }
}

/// What must be reached in noise besides.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InNoise {
    /// The least gain over garbage with which a phrase is taken, a second of speech.
    pub clear: f64,
    /// As [`Limits::fainter`], but less, for there are others to be heard.
    pub fainter: f64,
    /// The least gain where other voices are nearly as loud as the speaker, if more than `clear`.
    #[serde(default)]
    pub clear_among_voices: f64,
}

/// The limits of one kind of phrase.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The least confidence (0 to 1) in its meaning with which a phrase is taken.
    pub sure: f64,
    /// The least gain over garbage with which a phrase is taken, a second of speech.
    pub clear: f64,
    /// Below this gain it is ignored; between the two it is asked.
    pub speech: f64,
    /// Whether every opinion must have the same meaning, in a quiet room too.
    #[serde(default)]
    pub unanimous: bool,
}

/// What the recogniser made of an utterance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The word sequences it finds possible, best first, with their scores (log-likelihoods).
    pub sequences: Vec<(Vec<String>, f64)>,
    /// The score of the best way to hear no word at all in it.
    pub garbage: f64,
    /// How long the speech lasted, in seconds.
    pub speech_s: f64,
    /// Whether the speech was not clearly above the noise of the room.
    pub is_noisy: bool,
    /// Whether other voices were nearly as loud as the speaker.
    pub is_among_voices: bool,
    /// What was heard at the speeds of [`Opinions`], as `sequences`; nothing if it was not tried.
    pub opinions: Vec<Vec<(Vec<String>, f64)>>,
    /// How loud each word of the best sequence is, in decibels.
    pub levels: Vec<f64>,
    /// Whether each word of the best sequence begins with a hiss, as far as that matters and is
    /// known; nothing in noise.
    pub hisses: Vec<Option<bool>>,
}

/// One possible meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its words.
    pub words: Vec<String>,
    /// What they mean, if they are a phrase.
    pub readings: Vec<Said>,
    /// How probable the recogniser finds this meaning, 0 to 1.
    pub confidence: f64,
}

/// What was decided, and on what grounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// Whether it sounded like words of the lexicon at all.
    pub is_speech: bool,
    /// Whether second opinions would decide it; then they are to be sought.
    pub wants_opinions: bool,
    /// Whether the fastest of them, which takes the least time, is enough: it was sure alone.
    pub is_one_enough: bool,
    /// The possible meanings, best first, without garbage.
    pub alternatives: Vec<Alternative>,
    /// The gain of the best of them over garbage, a second of speech.
    pub gain: f64,
}

impl Evidence {
    /// Changes the words of all sequences, those of the opinions too.
    pub fn each(&mut self, mut change: impl FnMut(&mut Vec<String>)) {
        let opinions = self.opinions.iter_mut().flatten();
        for (words, _) in self.sequences.iter_mut().chain(opinions) {
            change(words);
        }
    }

    /// The least gain that the noise asks for, if there is one.
    pub(super) fn clear_in(&self, noise: Option<InNoise>) -> f64 {
        noise.map_or(f64::NEG_INFINITY, |noise| match self.is_among_voices {
            true => noise.clear.max(noise.clear_among_voices),
            false => noise.clear,
        })
    }

    /// Whether the first word and the last are about as loud as the others.
    pub(super) fn is_of_one_voice(&self, fainter: f64) -> bool {
        let mut levels = self.levels.clone();
        levels.sort_by(f64::total_cmp);
        let (Some(first), Some(last), Some(common)) = (
            self.levels.first(),
            self.levels.last(),
            levels.get(levels.len() / 2),
        ) else {
            return true;
        };
        first.min(*last) >= common - fainter
    }
}

/// Whether there is a word among these.
pub(super) fn is_words(words: &[String]) -> bool {
    words.iter().any(|word| word != UNKNOWN)
}

impl Alternative {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.words == other.words
            || (!self.readings.is_empty() && same_meaning(&self.readings, &other.readings))
    }
}

/// Whether two phrases mean the same. "Schach" makes no other move of it, nor does "matt".
pub fn same_meaning(one: &[Said], other: &[Said]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(a, b)| without_mark(a) == without_mark(b))
}

fn without_mark(said: &Said) -> Said {
    const UNSAID: Option<CheckMark> = None;
    let mut said = said.clone();
    if let Said::Move(announcement) | Said::Correction(Some(announcement)) = &mut said {
        match announcement {
            Announcement::Move(m) => m.mark = UNSAID,
            Announcement::Castling(c) => c.mark = UNSAID,
        }
    }
    said
}

impl Verdict {
    /// What would be taken, or is the best guess.
    pub fn reading(&self) -> Option<&Said> {
        self.alternatives.first()?.readings.first()
    }

    /// What the game is told; nothing if it is to be ignored.
    pub fn heard(&self) -> Option<Heard> {
        let best = self.alternatives.first()?;
        match self.decision {
            Decision::Ignore => None,
            Decision::Take => best.readings.first().cloned().map(Heard::Clear),
            Decision::Ask => {
                let mut readings: Vec<Said> = Vec::new();
                for reading in self.alternatives.iter().flat_map(|a| &a.readings) {
                    if readings.len() < 2 && !readings.contains(reading) {
                        readings.push(reading.clone());
                    }
                }
                Some(Heard::Unclear(readings))
            }
        }
    }
}
