//! Turns samples into utterances, for files, microphones and the demonstration alike.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::activity::{Activity, NEAR, are_pauses_filled, are_voices_near, foreground, loudness};
use super::decide::decide;
use super::endpoint::{AfterBlock, BLOCK_MS, Endpointer, Patience};
use super::front::{at_speed, with_hiss};
use super::left_open::Asked;
use super::model::HearingModel;
use super::recogniser::Recogniser;
use super::voicing::Voicing;
use super::{BLOCK, SAMPLE_RATE};
use crate::notation::{Command, Completeness, Heard, Lexicon, Said, completeness};
use crate::shell::error::Result;
use crate::shell::hearing::verdict::{Decision, Evidence, Verdict, is_words};

/// How many blocks are kept from before an utterance stood out: its first sound may be soft.
const BEFORE: usize = 15;

/// Shorter sound, in blocks, is a click.
const SHORTEST: usize = 4;

/// Less silence than this at its end, in blocks, shows that an utterance was cut off.
const SILENCE: usize = 7;

/// How long annexd's voice stays in the air and in the microphone, in blocks.
const ECHO: u64 = 10;

/// How much of a speaker's voice counts as his, however near annexd's own voice is to it, in
/// decibels.
const NEAREST: f32 = 6.0;

/// Words that begin within this many blocks of talk may belong to it: "ich dachte … Läufer Eva
/// vier". Shorter sounds are coughs and pieces being put down.
const AFTER_TALK: u64 = 40;
const TALK_S: f64 = 0.3;

/// A question is answered within this many blocks, or not at all.
const ANSWER: u64 = 750;

/// The number of words in the shortest long-form announcement that names its piece.
const LONG: usize = 5;

/// A yes or no that is too faint is asked about where one is wanted, if it is this short, in
/// seconds, and hardly like other words.
const ANSWER_MAX_S: f64 = 1.0;
const ANSWER_SURE: f64 = 0.9;

/// Which words are obeyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Obeying {
    /// Everything.
    #[default]
    Everything,
    /// Only Stopp, Korrektur, nein and j'adoube: while annexd itself speaks.
    BargeIn,
    /// Nothing: the microphone is muted.
    Nothing,
}

/// A listener on one stream of sound.
pub struct Listener {
    model: Arc<HearingModel>,
    lexicon: Arc<Lexicon>,
    recogniser: Recogniser,
    activity: Activity,
    /// Detects a voice. The recogniser only works once there was one.
    voicing: Voicing,
    endpointer: Endpointer,
    obeying: Obeying,
    /// Whether the speaker is asked by yes or no what he has said.
    expects_answer: bool,
    waiting: Vec<i16>,
    sound: Vec<i16>,
    stood_out: usize,
    /// How much of that came while annexd spoke, and while nothing was obeyed.
    spoken_over: usize,
    unobeyed: usize,
    /// The block in which the current utterance began.
    began: Option<u64>,
    /// The block until which annexd's voice can be heard after it has fallen silent.
    echo_until: u64,
    quiet: usize,
    /// Whether the last utterance was ended although its sound went on.
    was_cut: bool,
    /// The block at which the last utterance ended, if that was talk.
    talk_ended: Option<u64>,
    /// The words of the last glimpse, and the block at which they were new.
    glimpsed: (Vec<String>, u64),
    blocks: u64,
    compute: Duration,
    /// The decision if nothing more is said.
    prepared: Option<Hearing>,
    is_thorough: bool,
    /// What was asked about last, and the block until which it may be answered.
    asked: Option<(Asked, u64)>,
}

/// A verdict and its evidence.
struct Hearing {
    verdict: Verdict,
    evidence: Evidence,
}

/// What was said, and what to do about it.
#[derive(Clone, Debug)]
pub struct Utterance {
    /// The language of its words.
    pub lexicon: Arc<Lexicon>,
    /// The words with their confidences; empty for noise or talk.
    pub words: Vec<HeardWord>,
    /// The decision, with all alternatives.
    pub verdict: Verdict,
    /// The evidence for it.
    pub evidence: Evidence,
    /// When its speech began, from the start of the stream.
    pub speech_began: Duration,
    /// When its speech ended, from the start of the stream.
    pub speech_ended: Duration,
    /// When it was decided, from the start of the stream, not counting computation.
    pub decided: Duration,
    /// Its sound, at [`SAMPLE_RATE`].
    pub sound: Arc<[i16]>,
    /// How much sound was processed.
    pub audio: Duration,
    /// Whether annexd spoke during it. Then only urgent words are obeyed.
    pub was_spoken_over: bool,
    /// Whether it would have been taken if annexd had not spoken during it.
    pub was_unheeded: bool,
    /// Whether the microphone was muted during it.
    pub was_unobeyed: bool,
    /// The computing time since its beginning.
    pub compute: Duration,
    /// The computing time after the last sound, for which the speaker waits.
    pub compute_at_end: Duration,
}

/// A word of an utterance.
#[derive(Clone, Debug, PartialEq)]
pub struct HeardWord {
    /// The word, as the lexicon spells it.
    pub word: String,
    /// How sure the recogniser is of it, 0 to 1.
    pub confidence: f64,
}

impl Utterance {
    /// What the game is told; `None` if it is ignored.
    pub fn heard(&self) -> Option<Heard> {
        self.verdict.heard()
    }

    /// The reading that would be taken, or the best guess.
    pub fn reading(&self) -> Option<&Said> {
        self.verdict.reading()
    }
}

impl Listener {
    /// A listener that has heard nothing yet.
    ///
    /// # Errors
    ///
    /// Those of creating a recogniser with this model.
    pub fn new(
        model: Arc<HearingModel>,
        lexicon: Arc<Lexicon>,
        patience: Patience,
    ) -> Result<Self> {
        Ok(Self {
            recogniser: Recogniser::new(&model)?,
            model,
            lexicon,
            activity: Activity::default(),
            voicing: Voicing::default(),
            endpointer: Endpointer::new(patience),
            obeying: Obeying::Everything,
            expects_answer: false,
            waiting: Vec::new(),
            sound: Vec::new(),
            stood_out: 0,
            spoken_over: 0,
            unobeyed: 0,
            began: None,
            echo_until: 0,
            quiet: 0,
            was_cut: false,
            talk_ended: None,
            glimpsed: (Vec::new(), 0),
            blocks: 0,
            compute: Duration::ZERO,
            prepared: None,
            is_thorough: false,
            asked: None,
        })
    }

    /// Always seeks second opinions from now on, so that other limits can be tried on them.
    pub const fn be_thorough(&mut self) {
        self.is_thorough = true;
    }

    /// Sets which words are obeyed from now on.
    pub const fn obey(&mut self, obeying: Obeying) {
        self.obeying = obeying;
    }

    /// Sets whether the speaker is asked from now on by yes or no what he has said.
    pub const fn expect_answer(&mut self, is_asked: bool) {
        self.expects_answer = is_asked;
    }

    /// Whether somebody is speaking now.
    pub const fn hears_somebody(&self) -> bool {
        self.endpointer.is_under_way()
    }

    /// When the speech that is heard now began, if somebody speaks.
    pub fn began(&self) -> Option<Duration> {
        let began = self.began.filter(|_| self.hears_somebody())?;
        Some(Duration::from_millis((began - 1) * u64::from(BLOCK_MS)))
    }

    /// Whether what was heard stands out from garbage as an announcement must.
    pub fn is_clear(&self, verdict: &Verdict) -> bool {
        verdict.gain >= self.model.limits.long.clear
    }

    /// Ends the utterance in progress, if there is one, because it is known otherwise that the
    /// speaker has finished.
    pub fn end_now(&mut self) -> Option<Utterance> {
        self.endpointer
            .end_now()
            .then(Instant::now)
            .and_then(|begun| self.end(begun))
    }

    /// What was talk was something in another language, to which what follows cannot belong.
    pub const fn forget_talk(&mut self) {
        self.talk_ended = None;
        self.was_cut = false;
    }

    /// Takes samples at [`SAMPLE_RATE`]. Returns the utterances that ended in them.
    pub fn feed(&mut self, samples: &[i16]) -> Vec<Utterance> {
        self.waiting.extend_from_slice(samples);
        let whole = self.waiting.len() / BLOCK * BLOCK;
        let rest = self.waiting.split_off(whole);
        let blocks = std::mem::replace(&mut self.waiting, rest);
        blocks
            .chunks_exact(BLOCK)
            .filter_map(|block| self.block(block))
            .collect()
    }

    /// Ends the stream. Returns the utterance in progress, if any.
    pub fn finish(&mut self) -> Option<Utterance> {
        let most = Patience::default().unfinished / BLOCK_MS + 2;
        let mut last = std::mem::take(&mut self.waiting);
        (0..most).find_map(|_| {
            last.resize(BLOCK, 0);
            self.block(&std::mem::take(&mut last))
        })
    }

    fn block(&mut self, block: &[i16]) -> Option<Utterance> {
        self.blocks += 1;
        self.sound.extend_from_slice(block);
        if self.obeying == Obeying::BargeIn {
            self.echo_until = self.blocks + ECHO;
        }
        let is_over = self.blocks <= self.echo_until;
        let stands_out = self.activity.stands_out(block, is_over);
        self.stood_out += usize::from(stands_out);
        self.spoken_over += usize::from(stands_out && is_over);
        let is_unobeyed = self.obeying == Obeying::Nothing;
        self.unobeyed += usize::from(stands_out && is_unobeyed);
        if stands_out && self.began.is_none() {
            self.began = Some(self.blocks);
        }
        self.quiet = if stands_out { 0 } else { self.quiet + 1 };
        if stands_out {
            self.prepared = None;
        }
        self.voicing.hear(block, stands_out);
        let begun = Instant::now();
        let step = match self.endpointer.block(stands_out, self.activity.is_noisy()) {
            AfterBlock::Look if self.is_for_the_recogniser() => self.look(),
            AfterBlock::Look => {
                let is_noisy = self.activity.is_noisy();
                self.endpointer.looked(Completeness::Nothing, 0, is_noisy)
            }
            step => step,
        };
        match step {
            AfterBlock::End => return self.end(begun),
            AfterBlock::Rest => {
                let keep = BEFORE * BLOCK;
                let excess = self.sound.len().saturating_sub(keep);
                self.sound.drain(..excess);
                self.activity.rest();
                self.stood_out = usize::from(stands_out);
                self.spoken_over = usize::from(stands_out && is_over);
                self.unobeyed = usize::from(stands_out && is_unobeyed);
                self.began = stands_out.then_some(self.blocks);
            }
            AfterBlock::Prepare if self.is_for_the_recogniser() => {
                self.prepared = Some(self.heard_to_the_end());
            }
            AfterBlock::Go | AfterBlock::Look | AfterBlock::Prepare => {
                if self.prepared.is_none() && self.is_for_the_recogniser() {
                    self.recogniser.follow(&self.sound);
                }
                self.compute += begun.elapsed();
            }
        }
        None
    }

    /// Whether there was a voice in the utterance so far.
    const fn is_for_the_recogniser(&self) -> bool {
        self.voicing.is_found()
    }

    fn look(&mut self) -> AfterBlock {
        let words = self.recogniser.glimpse(&self.lexicon, &self.sound);
        let completeness = if words.is_empty() {
            Completeness::Nothing
        } else if self
            .asked()
            .is_some_and(|asked| asked.is_named_by(&self.lexicon, &words))
        {
            Completeness::MayGoOn
        } else {
            completeness(&self.lexicon, &words)
        };
        if words != self.glimpsed.0 {
            self.glimpsed = (words, self.blocks);
        }
        let unchanged_ms = (self.blocks - self.glimpsed.1) as u32 * BLOCK_MS;
        let step = self
            .endpointer
            .looked(completeness, unchanged_ms, self.activity.is_noisy());
        if step == AfterBlock::Go {
            self.recogniser.forget_glimpse();
        }
        step
    }

    /// What would be decided now.
    fn heard_to_the_end(&mut self) -> Hearing {
        let begun = Instant::now();
        let sound = std::mem::take(&mut self.sound);
        let above_the_leak = self.activity.above_the_leak();
        let above_the_leak = above_the_leak.filter(|_| 2 * self.spoken_over > self.stood_out);
        let is_noisy =
            self.activity.is_noisy() || above_the_leak.is_some() || are_pauses_filled(&sound);
        let heard = if is_noisy {
            // Otherwise the grammar would begin with what somebody else said in the pause before.
            self.recogniser.forget();
            let near = above_the_leak.map_or(NEAR, |above| above.clamp(NEAREST, NEAR));
            foreground(&sound, near)
        } else {
            &sound
        };
        let sequences = self.recogniser.sequences(&self.lexicon, heard);
        let best = sequences.iter().find(|one| is_words(&one.words));
        let times = best.map_or(&[][..], |best| &best.times);
        let blocks = self.stood_out.min(heard.len() / BLOCK);
        let sibilants = self.model.limits.sibilants.as_ref().filter(|_| !is_noisy);
        let hisses = sibilants
            .zip(best)
            .map(|(sibilants, best)| sibilants.heard(heard, &best.words, times));
        let evidence = Evidence {
            hisses: hisses.unwrap_or_default(),
            levels: times.iter().map(|time| loudness(heard, *time)).collect(),
            garbage: self.recogniser.garbage(&self.lexicon, heard),
            sequences: sequences.into_iter().map(|s| (s.words, s.score)).collect(),
            speech_s: blocks as f64 * f64::from(BLOCK_MS) / 1000.0,
            is_noisy,
            is_among_voices: are_voices_near(&sound),
            opinions: Vec::new(),
        };
        let mut hearing = self.decided(evidence, heard);
        self.take_as_answer(&mut hearing.verdict);
        self.sound = sound;
        self.compute += begun.elapsed();
        hearing
    }

    fn end(&mut self, block_begun: Instant) -> Option<Utterance> {
        let was_behind = self.activity.is_behind();
        let hearing = match self.prepared.take() {
            Some(hearing) => Some(hearing),
            None if self.stood_out < SHORTEST => None,
            None if !self.is_for_the_recogniser() => {
                // Noise counts like talk: neither is a word, and what follows may belong to it.
                self.was_cut = self.quiet < SILENCE;
                let is_long = self.stood_out as f64 * f64::from(BLOCK_MS) / 1000.0 >= TALK_S;
                let is_over = 2 * self.spoken_over > self.stood_out;
                let ended = self.blocks - self.quiet as u64;
                self.talk_ended = (is_long && !is_over).then_some(ended);
                None
            }
            None => Some(self.heard_to_the_end()),
        };
        self.voicing.forget();
        let quiet = self.quiet;
        let keep = self.sound.len().saturating_sub(BEFORE.min(quiet) * BLOCK);
        let after = self.sound.get(keep..).unwrap_or_default().to_vec();
        let sound = std::mem::replace(&mut self.sound, after);
        self.glimpsed = (Vec::new(), self.blocks);
        let stood_out = std::mem::take(&mut self.stood_out);
        let spoken_over = std::mem::take(&mut self.spoken_over);
        let unobeyed = std::mem::take(&mut self.unobeyed);
        let began = self.began.take();
        let Some(Hearing {
            mut verdict,
            evidence,
        }) = hearing
        else {
            self.activity.ended(false);
            self.recogniser.forget();
            self.compute = Duration::ZERO;
            return None;
        };
        // While annexd speaks, and just afterwards, the loudest voice may be its own. This does not
        // apply to what was said before it spoke, even if annexd speaks while that is decided.
        let is_speaking = 2 * spoken_over > stood_out;
        let was_unheeded = is_speaking && obey_urgent(&mut verdict);
        let was_cut = std::mem::replace(&mut self.was_cut, quiet < SILENCE);
        let talk_ended = self.talk_ended.take();
        let is_in_talk = is_speaking || was_cut || was_behind || talk_ended.is_some();
        let is_short = evidence.speech_s < ANSWER_MAX_S;
        if self.expects_answer && !is_in_talk && is_short && is_faint_answer(&verdict) {
            verdict.decision = Decision::Ask;
        }
        if !is_speaking && verdict.decision == Decision::Ignore && evidence.speech_s >= TALK_S {
            self.talk_ended = Some(self.blocks - quiet as u64);
        }
        if !is_speaking && (was_cut || was_behind) {
            verdict.decision = when_doubtful(&verdict);
        }
        let may_belong = |ended| began.is_some_and(|began| began < ended + AFTER_TALK);
        if talk_ended.is_some_and(may_belong) && is_taken_move(&verdict) {
            verdict.decision = Decision::Ask;
        }
        self.keep_question(&verdict);
        self.activity.ended(verdict.is_speech && !is_speaking);
        let decided = Duration::from_millis(self.blocks * u64::from(BLOCK_MS));
        let quiet = Duration::from_millis(quiet as u64 * u64::from(BLOCK_MS));
        Some(Utterance {
            lexicon: Arc::clone(&self.lexicon),
            words: words(&verdict),
            verdict,
            evidence,
            was_spoken_over: is_speaking,
            was_unheeded,
            was_unobeyed: 2 * unobeyed > stood_out,
            speech_began: began.map_or(decided, |block| {
                Duration::from_millis((block - 1) * u64::from(BLOCK_MS))
            }),
            speech_ended: decided.saturating_sub(quiet),
            decided,
            audio: Duration::from_millis(u64::from(milliseconds(sound.len()))),
            sound: sound.into(),
            compute: std::mem::take(&mut self.compute),
            compute_at_end: block_begun.elapsed(),
        })
    }
}

impl Listener {
    /// What is being asked about now.
    fn asked(&self) -> Option<&Asked> {
        let asked = self.asked.as_ref();
        let (asked, _) = asked.filter(|(_, until)| self.blocks < *until)?;
        Some(asked)
    }

    /// Takes a word that answers the question as the whole announcement.
    fn take_as_answer(&self, verdict: &mut Verdict) {
        let limits = &self.model.limits;
        let asked = self.asked();
        let whole = asked.and_then(|it| it.answered(&self.lexicon, limits.command, verdict));
        if let Some(whole) = whole {
            *verdict = whole;
            if let Some(letters) = &limits.letters {
                letters.ask(&self.lexicon, verdict);
            }
        }
    }

    /// Remembers the question. Talk and noise in between change nothing.
    fn keep_question(&mut self, verdict: &Verdict) {
        if verdict.decision != Decision::Ignore {
            let asked = Asked::by(&self.lexicon, verdict);
            self.asked = asked.map(|asked| (asked, self.blocks + ANSWER));
        }
    }

    fn decided(&mut self, mut evidence: Evidence, sound: &[i16]) -> Hearing {
        let limits = &self.model.limits;
        let verdict = decide(&self.lexicon, limits, &evidence);
        let is_wanted = verdict.wants_opinions || (self.is_thorough && verdict.is_speech);
        let Some(opinions) = limits.opinions.as_ref().filter(|_| is_wanted) else {
            return Hearing { verdict, evidence };
        };
        let hiss = opinions.hiss.filter(|_| evidence.is_noisy);
        let is_one_enough = verdict.is_one_enough && !self.is_thorough;
        let left_out = opinions.speeds.len().saturating_sub(1) * usize::from(is_one_enough);
        let speeds = opinions.speeds.iter().skip(left_out);
        let changed = speeds.map(|speed| at_speed(sound, *speed));
        for changed in changed.chain(hiss.map(|below| with_hiss(sound, below))) {
            let heard = self.recogniser.sequences(&self.lexicon, &changed);
            let heard = heard.into_iter().map(|s| (s.words, s.score));
            evidence.opinions.push(heard.collect());
        }
        let verdict = decide(&self.lexicon, limits, &evidence);
        Hearing { verdict, evidence }
    }
}

/// In the middle of talk or noise, or behind a speaker, no short form is believed.
fn when_doubtful(verdict: &Verdict) -> Decision {
    match verdict.alternatives.first() {
        Some(best) if best.words.len() >= LONG => verdict.decision,
        _ => Decision::Ignore,
    }
}

/// Whether a yes or a no would be ignored that is more like itself than like noise.
fn is_faint_answer(verdict: &Verdict) -> bool {
    let answers = [Command::Yes, Command::No].map(Said::Command);
    let best = verdict.alternatives.first();
    verdict.decision == Decision::Ignore
        && verdict.gain > 0.0
        && best.is_some_and(|it| it.confidence >= ANSWER_SURE)
        && verdict.reading().is_some_and(|it| answers.contains(it))
}

fn is_taken_move(verdict: &Verdict) -> bool {
    verdict.decision == Decision::Take && matches!(verdict.reading(), Some(Said::Move(_)))
}

/// What is done with words over annexd's own voice. Nobody is asked then: a doubtful "Stopp"
/// counts, because it only makes annexd silent. Returns whether clear words are not obeyed.
fn obey_urgent(verdict: &mut Verdict) -> bool {
    let is_clear = verdict.decision == Decision::Take;
    if !is_barge_in(verdict) {
        verdict.decision = Decision::Ignore;
        return is_clear;
    }
    let is_stop = verdict.reading() == Some(&Said::Command(Command::Stop));
    if is_stop && verdict.decision == Decision::Ask {
        verdict.decision = Decision::Take;
    }
    false
}

fn is_barge_in(verdict: &Verdict) -> bool {
    matches!(
        verdict
            .alternatives
            .first()
            .and_then(|best| best.readings.first()),
        Some(Said::Correction(_) | Said::Command(Command::Stop | Command::No | Command::Adjust))
    )
}

/// The words with their confidences. A word's confidence is the share of alternatives that have it
/// in that place.
fn words(verdict: &Verdict) -> Vec<HeardWord> {
    let Some(best) = verdict.alternatives.first().filter(|_| verdict.is_speech) else {
        return Vec::new();
    };
    let heard = |index: usize, word: &String| {
        let confidence: f64 = verdict
            .alternatives
            .iter()
            .filter(|other| other.words.get(index) == Some(word))
            .map(|other| other.confidence)
            .sum();
        HeardWord {
            word: word.clone(),
            confidence: confidence.min(1.0),
        }
    };
    best.words
        .iter()
        .enumerate()
        .map(|(index, word)| heard(index, word))
        .collect()
}

const fn milliseconds(samples: usize) -> u32 {
    (samples as u64 * 1000 / SAMPLE_RATE as u64) as u32
}
