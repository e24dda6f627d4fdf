//! A draw offer in one breath with its move: "Eva zwei Eva vier Remis".
//!
//! The strict grammar has no such phrase, for in a game an offer is a command of its own, and finds
//! the move alone or nothing clear. A dictation hears the same sound once more, with nothing to
//! choose from but what it may have been, alone, with the offer or with something else behind it.

use super::decide::{Evidence, UNKNOWN, decide};
use super::listener::Utterance;
use super::recogniser::compared;
use super::session::Session;
use crate::game::Heard;
use crate::notation::{Command, CommandName, Said, understand};

/// The offer may score so much less than any sound behind the move, in nats. Where it is said it
/// is hardly ever behind by more than ten; other words are by more than fifteen, or are not found
/// at all, unless they sound like it.
const NEAR: f64 = 10.0;

/// So many readings of a sound are tried.
const READINGS: usize = 4;

impl Session {
    /// The move before a draw offer, if both are in this one sound: clear, if nothing but the offer
    /// made it unclear, or made it sound like no announcement at all.
    pub fn with_offer(&self, said: &Utterance) -> Option<Heard> {
        let moves = self.moves_in(said);
        let offers = CommandName::Command(Command::OfferDraw);
        let mut offers = self.lexicon().phrases().filter(|(name, _)| *name == offers);
        let (_, offer) = offers.next().filter(|_| !moves.is_empty())?;
        let with = |behind: &str| -> Vec<String> {
            let phrases = moves.iter().map(|words| format!("{words} {behind}"));
            moves.iter().cloned().chain(phrases).collect()
        };
        let heard = |phrases: &[String]| {
            compared(self.model(), self.lexicon(), phrases, &said.sound).unwrap_or_default()
        };
        let mut offered = heard(&with(&offer.join(" ")));
        let is_best = offered
            .first()
            .is_some_and(|(words, _)| words.ends_with(offer));
        let sounds = heard(&with(UNKNOWN));
        let ((_, found), (_, best)) = (offered.first()?, sounds.first()?);
        if !is_best || *found < best - NEAR {
            return None;
        }
        offered.retain_mut(|(words, _)| {
            let is_offered = words.ends_with(offer);
            words.truncate(words.len().saturating_sub(offer.len()));
            is_offered
        });
        let whole = said.heard();
        if matches!(whole, Some(Heard::Clear(_))) {
            return whole;
        }
        let evidence = Evidence {
            sequences: offered,
            levels: Vec::new(),
            hisses: Vec::new(),
            opinions: Vec::new(),
            ..said.evidence.clone()
        };
        let again = decide(self.lexicon(), &self.model().limits, &evidence).heard();
        let is_clear = matches!(again, Some(Heard::Clear(_)));
        if is_clear { again } else { whole.or(again) }
    }

    /// The moves that this sound may be. What stands for the beginning of the offer at the end of
    /// one, such as "matt" or "Dame", may be none of its words.
    fn moves_in(&self, said: &Utterance) -> Vec<String> {
        let readings = said.verdict.alternatives.iter();
        let moves = readings.filter(|it| matches!(it.readings[..], [ref one] if is_move(one)));
        let mut phrases: Vec<String> = Vec::new();
        for found in moves.take(READINGS) {
            let shorter = found.words.split_last().map_or(&[][..], |(_, words)| words);
            let is_whole =
                matches!(understand(self.lexicon(), shorter)[..], [ref one] if is_move(one));
            for words in [Some(&found.words[..]), is_whole.then_some(shorter)] {
                let phrase = words.map(|words| words.join(" "));
                phrases.extend(phrase.filter(|phrase| !phrases.contains(phrase)));
            }
        }
        phrases
    }
}

const fn is_move(said: &Said) -> bool {
    matches!(
        said,
        Said::Move(_) | Said::Square(_) | Said::Correction(Some(_))
    )
}
