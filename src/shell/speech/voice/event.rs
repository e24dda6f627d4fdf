//! What a speaker tells of what it says.

use std::time::Instant;

use crate::persons::Channel;
use crate::phrases::Phrase;

/// Names something that was to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SayingId(pub u64);

/// How much of a saying was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// It was begun and cut.
    Cut,
    /// Nothing: it was stale, or there is no voice.
    Unheard,
}

/// What the speaker tells.
#[derive(Clone, Debug, PartialEq)]
pub enum SpeakerEvent {
    /// A saying sounds: the first sample was handed to the device, or the system voice began.
    Begun {
        /// Which.
        id: SayingId,
        /// When.
        at: Instant,
    },
    /// The machine was too busy to play all of a saying: a short one is said again, once.
    Torn {
        /// Which.
        id: SayingId,
    },
    /// A saying is over.
    Finished {
        /// Which.
        id: SayingId,
        /// How much of it was heard.
        extent: Extent,
    },
    /// A voice or device of a channel has failed. It is told once, until it works again.
    Fault {
        /// The channel.
        channel: Channel,
        /// The sentence for it.
        phrase: Phrase,
        /// Whether clips have taken over from a system voice. Else the channel is mute.
        speaks_on: bool,
    },
    /// A channel speaks again, or as it was wished to.
    Recovered {
        /// The channel.
        channel: Channel,
        /// The sentence for it.
        phrase: Phrase,
        /// Whether by the voice that was wished for, and not by clips in its place.
        as_wished: bool,
    },
}
