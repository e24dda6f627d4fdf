//! What is not understood in a sound file. Nobody is there to be asked, so an unreadable entry
//! takes its place, and the person dictating is told in which file to listen again.

use super::Dictation;
use crate::game::Heard;
use crate::notation::{Command, Said};
use crate::score::{Entry, Notated};

impl Dictation {
    /// Takes what was heard in a file, as [`Dictation::take`] does, or keeps its place.
    pub(super) fn take_from_file(&mut self, heard: &Heard, file: &str) -> String {
        use super::DictationState;

        if self.state != DictationState::Moves {
            return self.take(heard);
        }
        match heard {
            Heard::Clear(Said::Command(Command::Yes)) if self.is_asked_for_entry() => {
                // It stands for the unreadable entry. The offer itself is not in doubt.
                let has_offer = self.score.entries().last().is_some_and(|last| last.offer);
                self.corrects = true;
                let told = self.take(heard);
                if !has_offer {
                    return told;
                }
                format!("{told} {}", self.offered())
            }
            Heard::Clear(said @ Said::Piece(_)) => {
                self.not_understood(std::slice::from_ref(said), file)
            }
            Heard::Clear(_) => self.take(heard),
            Heard::Unclear(readings) => self.not_understood(readings, file),
        }
    }

    /// Keeps the place of an entry about which a file tells nothing.
    pub(super) fn unheard(&mut self, file: &str, what: &str) -> String {
        self.missed += 1;
        // The open question was about another entry.
        self.asked = None;
        let entry = Entry::new(Notated::Unreadable);
        let kept = if self.corrects {
            self.instead(entry)
        } else {
            self.record(entry)
        };
        let last = self.score.entries().len().checked_sub(1);
        self.unheard.extend(last.filter(|_| kept.is_ok()));
        let told = kept.unwrap_or_else(|error| self.not_done(&error));
        format!("{file}: {what} {told}")
    }

    /// Marks a draw offer with the entry that was said in the same utterance.
    pub(super) fn offered(&mut self) -> String {
        let offer = Said::Command(Command::OfferDraw);
        let kept = self.entry(&offer);
        kept.unwrap_or_else(|error| self.not_done(&error))
    }

    fn is_asked_for_entry(&self) -> bool {
        matches!(self.asked, Some(Said::Move(_) | Said::Square(_)))
    }

    fn not_understood(&mut self, readings: &[Said], file: &str) -> String {
        let what = self.perhaps(readings);
        let is_entry =
            |said: &Said| matches!(said, Said::Move(_) | Said::Square(_) | Said::Piece(_));
        let told = if readings.is_empty() || readings.iter().any(is_entry) {
            self.unheard(file, &what)
        } else {
            self.missed += 1;
            format!("{file}: {what}")
        };
        // Nobody can say "yes" to something that was not named.
        self.asked = match readings {
            [said] if self.named(said).is_some() => Some(said.clone()),
            _ => None,
        };
        told
    }

    /// Says that something is unclear, with what it may have been.
    fn perhaps(&self, readings: &[Said]) -> String {
        let answers = self.answers();
        let mut named = readings.iter().filter_map(|said| self.named(said));
        match (named.next(), named.next()) {
            (Some(first), Some(second)) => {
                let places = [("move", first.as_str()), ("other", &second)];
                answers.unclear_either.filled(&places)
            }
            (Some(first), None) => answers.unclear_perhaps.filled(&[("move", &first)]),
            _ => answers.unclear.clone(),
        }
    }
}
