//! What listens at one microphone: one listener for each language that is announced there.
//!
//! All hear the same sound. Who is sure first ends what the others are hearing, unless they hear
//! more than he does, and then the clearest counts. So two languages take hardly longer to be heard
//! than one, but twice the computing.

use std::sync::Arc;
use std::time::Duration;

use super::BLOCK;
use super::endpoint::Patience;
use super::languages::{Account, clearest, doubt};
use super::listener::{Listener, Obeying, Utterance};
use super::model::HearingModel;
use super::verdict::Decision;
use crate::notation::Lexicon;
use crate::shell::error::Result;

/// Whose utterance began so much earlier hears more of the same speech.
const EARLIER: Duration = Duration::from_millis(300);

/// The words of a language and the model that hears them.
pub type Heard = (Arc<Lexicon>, Arc<HearingModel>);

/// The listeners of one microphone.
pub struct Listeners {
    /// Each with what it has heard of a speech that others still hear.
    listeners: Vec<(Listener, Vec<Utterance>)>,
}

impl Listeners {
    /// Listeners for these languages that have heard nothing yet.
    ///
    /// # Errors
    ///
    /// Those of [`Listener::new`].
    pub fn new(languages: &[Heard]) -> Result<Self> {
        let new = |(lexicon, model): &Heard| {
            let (lexicon, model) = (Arc::clone(lexicon), Arc::clone(model));
            let listener = Listener::new(model, lexicon, Patience::default())?;
            Ok((listener, Vec::new()))
        };
        let listeners = languages.iter().map(new).collect::<Result<_>>()?;
        Ok(Self { listeners })
    }

    /// Always seeks second opinions from now on.
    pub fn be_thorough(&mut self) {
        self.each(Listener::be_thorough);
    }

    /// Sets which words are obeyed from now on.
    pub fn obey(&mut self, obeying: Obeying) {
        self.each(|it| it.obey(obeying));
    }

    /// Sets whether the speaker is asked from now on by yes or no what he has said.
    pub fn expect_answer(&mut self, is_asked: bool) {
        self.each(|it| it.expect_answer(is_asked));
    }

    /// Whether somebody is speaking now.
    pub fn hears_somebody(&self) -> bool {
        self.listeners.iter().any(|(it, _)| it.hears_somebody())
    }

    /// Takes samples. Returns the utterances that ended in them.
    pub fn feed(&mut self, samples: &[i16]) -> Vec<Utterance> {
        match self.listeners.as_mut_slice() {
            [(only, _)] => only.feed(samples),
            _ => samples
                .chunks(BLOCK)
                .flat_map(|block| self.block(block))
                .collect(),
        }
    }

    /// Ends the stream. Returns the utterances in progress.
    pub fn finish(&mut self) -> Vec<Utterance> {
        for (listener, held) in &mut self.listeners {
            let last = listener.finish();
            held.extend(last);
        }
        self.chosen()
    }

    fn each(&mut self, act: impl FnMut(&mut Listener)) {
        self.listeners.iter_mut().map(|(it, _)| it).for_each(act);
    }

    /// A block for listeners of several languages.
    fn block(&mut self, block: &[i16]) -> Vec<Utterance> {
        for (listener, held) in &mut self.listeners {
            let mut ended = listener.feed(block);
            for utterance in &mut ended {
                let verdict = &mut utterance.verdict;
                // Talk in one language resembles words of another.
                if verdict.decision == Decision::Ask && !listener.is_clear(verdict) {
                    verdict.decision = Decision::Ignore;
                }
            }
            held.append(&mut ended);
        }
        if self.listeners.iter().all(|(_, held)| held.is_empty()) {
            return Vec::new();
        }
        if self.is_settled() {
            for (listener, held) in &mut self.listeners {
                let last = listener.end_now();
                held.extend(last);
            }
        } else if self.hears_somebody() {
            return Vec::new();
        }
        self.chosen()
    }

    /// Whether something is taken of which no other listener hears an earlier beginning.
    fn is_settled(&self) -> bool {
        let began = self.listeners.iter().filter_map(|(it, _)| it.began());
        let earliest = began.min();
        let mut held = self.listeners.iter().flat_map(|(_, held)| held);
        held.any(|it| {
            let is_sure = it.verdict.decision == Decision::Take || it.was_unheeded;
            is_sure && earliest.is_none_or(|began| it.speech_began <= began + EARLIER)
        })
    }

    /// What the language heard that counts.
    fn chosen(&mut self) -> Vec<Utterance> {
        let held = self.listeners.iter_mut();
        let mut held: Vec<Vec<Utterance>> = held.map(|(_, it)| std::mem::take(it)).collect();
        let accounts: Vec<Account> = held.iter().map(|it| account(it)).collect();
        let Some(best) = clearest(&accounts) else {
            return Vec::new();
        };
        let mut heard = held.swap_remove(best);
        if !accounts.get(best).is_some_and(|it| it.is_heard) {
            // Only its sound is of use.
            heard.truncate(1);
            return heard;
        }
        if let [only] = heard.as_mut_slice() {
            let others = held.iter().flatten();
            others.for_each(|other| doubt(&mut only.verdict, &other.verdict));
        }
        // To the others it was talk, behind which little is believed.
        self.each(Listener::forget_talk);
        heard.retain(|it| it.verdict.decision != Decision::Ignore || it.was_unheeded);
        heard
    }
}

/// What one language has heard of a speech.
fn account(utterances: &[Utterance]) -> Account {
    let is_heard = |it: &&Utterance| it.verdict.decision != Decision::Ignore || it.was_unheeded;
    let heard = utterances.iter().filter(is_heard);
    let lasted = heard
        .clone()
        .map(|it| it.speech_ended.saturating_sub(it.speech_began));
    let counted = if heard.clone().next().is_some() {
        heard.clone().map(|it| it.verdict.gain).reduce(f64::max)
    } else {
        utterances.iter().map(|it| it.verdict.gain).reduce(f64::max)
    };
    Account {
        is_heard: heard.count() > 0,
        lasted: lasted.max().unwrap_or_default(),
        gain: counted.unwrap_or(f64::NEG_INFINITY),
    }
}
