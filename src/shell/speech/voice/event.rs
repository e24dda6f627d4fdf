//! What a speaker reports of the utterances it was given.

use std::time::Instant;

use crate::persons::Channel;
use crate::phrases::Phrase;

/// Number of an utterance that was to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UtteranceId(pub u64);

/// How much of an utterance was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// It began and was cut.
    Cut,
    /// None of it: it was stale, or there is no voice.
    Unheard,
}

/// What the speaker reports.
#[derive(Clone, Debug, PartialEq)]
pub enum SpeakerEvent {
    /// An utterance sounds: the first sample was handed to the device, or the system voice began.
    Begun {
        /// Which utterance.
        id: UtteranceId,
        /// When it began.
        at: Instant,
    },
    /// The machine was too busy to play all of an utterance. A short one is said again, once.
    Torn {
        /// Which utterance.
        id: UtteranceId,
    },
    /// An utterance is over.
    Finished {
        /// Which utterance.
        id: UtteranceId,
        /// How much of it was heard.
        extent: Extent,
    },
    /// A voice or device of a channel has failed. It is reported once, until it works again.
    Fault {
        /// The channel.
        channel: Channel,
        /// The sentence that reports it.
        phrase: Phrase,
        /// Whether clips have taken over from a system voice. If not, the channel is mute.
        speaks_on: bool,
    },
    /// A channel speaks again, or speaks again by the voice in the settings.
    Recovered {
        /// The channel.
        channel: Channel,
        /// The sentence that reports it.
        phrase: Phrase,
        /// Whether the voice in the settings speaks, and not clips in its place.
        as_wished: bool,
    },
}
