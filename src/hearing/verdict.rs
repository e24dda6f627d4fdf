//! What the recogniser made of an utterance, and what was decided about it.

use serde::{Deserialize, Serialize};

use annexd_laws::notation::{Announcement, CheckMark, Heard, Said};

/// The recogniser's word for a sound that is no known word.
pub const UNKNOWN: &str = "[unk]";

/// What to do with an utterance.
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

/// Additional limits in noise.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InNoise {
    /// The least gain over garbage for taking a phrase, per second of speech.
    pub clear: f64,
    /// As [`Limits::fainter`], but less, because other people can be heard.
    pub fainter: f64,
    /// The least gain if other voices are nearly as loud as the speaker, if more than `clear`.
    #[serde(default)]
    pub clear_among_voices: f64,
}

/// The limits of one kind of phrase.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The least confidence (0 to 1) in its meaning for taking a phrase.
    pub sure: f64,
    /// The least gain over garbage for taking a phrase, per second of speech.
    pub clear: f64,
    /// A phrase below this gain is ignored; between the two it is asked about.
    pub speech: f64,
    /// Whether every opinion must have the same meaning even in a quiet room.
    #[serde(default)]
    pub unanimous: bool,
    /// The least gain for each sound of the words; `None`: any.
    #[serde(default)]
    pub each_sound: Option<EachSound>,
}

/// The gain of a phrase over garbage, in nats.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// For each second of speech.
    pub each_second: f64,
    /// For each sound of the words; of no words it is endless.
    each_sound: f64,
}

impl Gain {
    /// This much in all, in so many seconds of speech, with so many sounds in the words.
    pub fn new(whole: f64, speech_s: f64, sounds: usize) -> Self {
        let each_sound = match sounds {
            0 => f64::INFINITY,
            sounds => whole / sounds as f64,
        };
        Self {
            each_second: whole / speech_s.max(0.2),
            each_sound,
        }
    }
}

impl Limit {
    /// Whether this gain is that of a phrase, and not of talk.
    pub fn is_speech(&self, gain: Gain) -> bool {
        let is_said = |least: EachSound| gain.each_sound >= least.speech;
        gain.each_second >= self.speech && self.each_sound.is_none_or(is_said)
    }

    /// Whether a phrase of this gain may be taken where each second has to have at least `clear`.
    pub fn is_clear(&self, gain: Gain, clear: f64) -> bool {
        let is_said = |least: EachSound| gain.each_sound >= least.clear;
        gain.each_second >= clear && self.each_sound.is_none_or(is_said)
    }
}

/// How much of its words must have been said: the gain over garbage in nats, divided by the number
/// of sounds in the words. Talk that resembles a phrase shares some of its sounds, and pays with
/// the others.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EachSound {
    /// The least gain for taking the phrase.
    pub clear: f64,
    /// Below this it is ignored; between the two it is asked about.
    pub speech: f64,
}

impl EachSound {
    /// The same for what is only an answer: it is never asked about for this.
    pub const fn of_an_answer(self) -> Self {
        Self {
            clear: self.speech,
            ..self
        }
    }
}

/// What the recogniser made of an utterance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The possible word sequences, best first, with their scores (log-likelihoods).
    pub sequences: Vec<(Vec<String>, f64)>,
    /// The score of the best way to hear no words at all.
    pub garbage: f64,
    /// The length of the speech in seconds.
    pub speech_s: f64,
    /// Whether the speech was not clearly above the noise of the room.
    pub is_noisy: bool,
    /// Whether other voices were nearly as loud as the speaker.
    pub is_among_voices: bool,
    /// The word sequences at the speeds of [`Opinions`]; empty if they were not tried.
    pub opinions: Vec<Vec<(Vec<String>, f64)>>,
    /// The loudness of each word of the best sequence, in decibels.
    pub levels: Vec<f64>,
    /// Whether each word of the best sequence begins with a hiss, if that matters and is known;
    /// empty in noise.
    pub hisses: Vec<Option<bool>>,
}

/// One possible meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its words.
    pub words: Vec<String>,
    /// The meanings of the words, if they are a phrase.
    pub readings: Vec<Said>,
    /// The recogniser's probability of this meaning, 0 to 1.
    pub confidence: f64,
}

/// What was decided, and on what grounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// Whether it sounded like words of the lexicon at all.
    pub is_speech: bool,
    /// Whether second opinions would decide it, so that they have to be sought.
    pub wants_opinions: bool,
    /// Whether the fastest of them, which takes the least time, is enough, because the phrase was
    /// certain by itself.
    pub is_one_enough: bool,
    /// The possible meanings, best first, without garbage.
    pub alternatives: Vec<Alternative>,
    /// The gain of the best meaning over garbage, per second of speech.
    pub gain: f64,
}

impl Evidence {
    /// Changes the words of all sequences, including those of opinions.
    pub fn each(&mut self, mut change: impl FnMut(&mut Vec<String>)) {
        let opinions = self.opinions.iter_mut().flatten();
        for (words, _) in self.sequences.iter_mut().chain(opinions) {
            change(words);
        }
    }

    /// The least gain that the noise requires, if there is noise.
    pub fn clear_in(&self, noise: Option<InNoise>) -> f64 {
        noise.map_or(f64::NEG_INFINITY, |noise| match self.is_among_voices {
            true => noise.clear.max(noise.clear_among_voices),
            false => noise.clear,
        })
    }

    /// Whether the first and last word are about as loud as the others.
    pub fn is_of_one_voice(&self, fainter: f64) -> bool {
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

/// Whether there is a known word among these.
pub fn is_words(words: &[String]) -> bool {
    words.iter().any(|word| word != UNKNOWN)
}

impl Alternative {
    /// Whether it has the same words.
    pub fn is_same(&self, other: &Self) -> bool {
        self.words == other.words
            || (!self.readings.is_empty() && same_meaning(&self.readings, &other.readings))
    }
}

/// Whether two phrases mean the same. "Schach" and "matt" do not make it another move.
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

/// How many readings the game is told of words that are asked about. It names the first two, and
/// asks about the others where these are denied.
const ASKED_MAX: usize = 4;

impl Verdict {
    /// The reading that would be taken, or the best guess.
    pub fn reading(&self) -> Option<&Said> {
        self.alternatives.first()?.readings.first()
    }

    /// What the game is told; `None` if it is ignored.
    pub fn heard(&self) -> Option<Heard> {
        let best = self.alternatives.first()?;
        match self.decision {
            Decision::Ignore => None,
            Decision::Take => best.readings.first().cloned().map(Heard::Clear),
            Decision::Ask => {
                let mut readings: Vec<Said> = Vec::new();
                for reading in self.alternatives.iter().flat_map(|a| &a.readings) {
                    if readings.len() < ASKED_MAX && !readings.contains(reading) {
                        readings.push(reading.clone());
                    }
                }
                Some(Heard::Unclear(readings))
            }
        }
    }
}
