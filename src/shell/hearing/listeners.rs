//! What listens at one microphone: one listener for each language that is announced there.
//!
//! All hear the same sound. Whoever is sure first ends what the others are hearing, and then the
//! clearest counts. So two languages take no longer to be heard than one, but twice the computing.

use std::sync::Arc;

use super::BLOCK;
use super::endpoint::{BLOCK_MS, Patience};
use super::languages::{clearest, doubt};
use super::listener::{Listener, Obeying, Utterance};
use super::model::HearingModel;
use super::verdict::Decision;
use crate::notation::Lexicon;
use crate::shell::error::Result;

/// How many blocks what one language asked about or ignored waits for the others.
const LONGEST_WAIT: u32 = 2_000 / BLOCK_MS;

/// The words of a language and the model that hears them.
pub type Heard = (Arc<Lexicon>, Arc<HearingModel>);

/// The listeners of one microphone.
pub struct Listeners {
    listeners: Vec<Listener>,
    /// What some of them have heard of a sound that others still hear.
    held: Vec<Utterance>,
    /// How many blocks it has been held.
    waited: u32,
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
            Listener::new(model, lexicon, Patience::default())
        };
        Ok(Self {
            listeners: languages.iter().map(new).collect::<Result<_>>()?,
            held: Vec::new(),
            waited: 0,
        })
    }

    /// Always seeks second opinions from now on.
    pub fn be_thorough(&mut self) {
        self.listeners.iter_mut().for_each(Listener::be_thorough);
    }

    /// Sets which words are obeyed from now on.
    pub fn obey(&mut self, obeying: Obeying) {
        self.listeners.iter_mut().for_each(|it| it.obey(obeying));
    }

    /// Whether somebody is speaking now.
    pub fn hears_somebody(&self) -> bool {
        self.listeners.iter().any(Listener::hears_somebody)
    }

    /// Takes samples. Returns the utterances that ended in them.
    pub fn feed(&mut self, samples: &[i16]) -> Vec<Utterance> {
        match self.listeners.as_mut_slice() {
            [only] => only.feed(samples),
            _ => samples
                .chunks(BLOCK)
                .filter_map(|block| self.block(block))
                .collect(),
        }
    }

    /// Ends the stream. Returns the utterance in progress, if any.
    pub fn finish(&mut self) -> Option<Utterance> {
        let last = self.listeners.iter_mut().filter_map(Listener::finish);
        self.held.extend(last);
        self.chosen()
    }

    fn block(&mut self, block: &[i16]) -> Option<Utterance> {
        for listener in &mut self.listeners {
            self.held.extend(listener.feed(block));
        }
        if self.held.is_empty() {
            return None;
        }
        self.waited += 1;
        let is_sure = |it: &Utterance| it.verdict.decision == Decision::Take || it.was_unheeded;
        if self.held.iter().any(is_sure) || self.waited > LONGEST_WAIT {
            let others = self.listeners.iter_mut().filter_map(Listener::end_now);
            self.held.extend(others);
        } else if self.hears_somebody() {
            return None;
        }
        self.chosen()
    }

    /// The clearest of what is held.
    fn chosen(&mut self) -> Option<Utterance> {
        self.waited = 0;
        let mut held = std::mem::take(&mut self.held);
        let best = clearest(held.iter().map(|it| &it.verdict))?;
        let mut best = held.swap_remove(best);
        let next = clearest(held.iter().map(|it| &it.verdict));
        if let Some(next) = next.and_then(|next| held.get(next)) {
            doubt(&mut best.verdict, &next.verdict);
        }
        if best.verdict.decision != Decision::Ignore {
            // To the others it was talk, behind which little is believed.
            self.listeners.iter_mut().for_each(Listener::forget_talk);
        }
        Some(best)
    }
}
