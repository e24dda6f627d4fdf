//! Whether somebody is speaking now, as the microphones report it to the voices.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of microphones that hear somebody. No reminders are said meanwhile.
#[derive(Clone, Debug, Default)]
pub struct SpeechMonitor(Arc<AtomicUsize>);

impl SpeechMonitor {
    /// Whether anybody is speaking.
    pub fn is_under_way(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// The state of one microphone.
    pub const fn of_microphone(self) -> MicrophoneSpeech {
        MicrophoneSpeech {
            talk: self,
            is_under_way: false,
        }
    }
}

/// Whether one microphone hears somebody. A microphone that has gone hears nobody.
#[derive(Debug)]
pub struct MicrophoneSpeech {
    talk: SpeechMonitor,
    is_under_way: bool,
}

impl MicrophoneSpeech {
    /// Notes whether this microphone hears somebody.
    pub fn tell(&mut self, is_under_way: bool) {
        if self.is_under_way != is_under_way {
            self.is_under_way = is_under_way;
            if is_under_way {
                self.talk.0.fetch_add(1, Ordering::Relaxed);
            } else {
                self.talk.0.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for MicrophoneSpeech {
    fn drop(&mut self) {
        self.tell(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_when_no_microphone_hears_anybody() {
        let talk = SpeechMonitor::default();
        let mut one = talk.clone().of_microphone();
        let mut other = talk.clone().of_microphone();
        one.tell(true);
        one.tell(true);
        other.tell(true);
        one.tell(false);
        assert!(talk.is_under_way());
        drop(other);
        assert!(!talk.is_under_way());
    }
}
