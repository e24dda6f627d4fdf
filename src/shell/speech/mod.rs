//! Everything that is said aloud: voices, recorded words, signals, loudspeakers.

pub mod earcons;
pub mod outlet;
pub(crate) mod score_as_sound;
pub mod sound;
pub mod startup_speech;
pub mod voice;
