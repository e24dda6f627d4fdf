//! A draw offer in the same utterance as its move: "Eva zwei Eva vier Remis".
//!
//! The strict grammar has no such phrase, because in a game an offer is a separate command. It
//! finds only the move, or nothing clear. A dictation hears the same sound again with few choices:
//! each possible move alone, with the offer, or with something else after it; and then the part
//! before the offer by itself.

use super::SAMPLE_RATE;
use super::listener::Utterance;
use super::recogniser::compared;
use super::session::Session;
use crate::game::Heard;
use crate::notation::{Command, CommandName, Said, understand};
use crate::shell::hearing::verdict::{Alternative, UNKNOWN, same_meaning};

/// How much less than any other sound after the move the offer may score, in nats. A spoken offer
/// is hardly ever behind by more than ten. Other words are behind by more than fifteen or not found
/// at all, unless they sound like it.
const NEAR: f64 = 10.0;

/// How long the offer may last, in seconds. This much is cut from the end of a sound heard as no
/// announcement, to find the move before it.
const OFFERS_S: [f64; 4] = [0.4, 0.45, 0.5, 0.6];

/// How many readings of a sound are tried.
const READINGS: usize = 4;

impl Session {
    /// The move before a draw offer, if both are in this one sound. It is clear if nothing but the
    /// offer made it unclear or unrecognisable.
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
        let (offered, sounds) = (heard(&with(&offer.join(" "))), heard(&with(UNKNOWN)));
        let (best, any) = (offered.first()?, sounds.first()?);
        let before = best.words.strip_suffix(offer)?;
        if best.score < any.score - NEAR {
            return None;
        }
        let whole = said.heard();
        if matches!(whole, Some(Heard::Clear(_))) {
            return whole;
        }
        let meant = understand(self.lexicon(), before);
        let ends = best.times.get(before.len());
        let alone = ends.and_then(|(ends, _)| self.heard_until(f64::from(*ends), said));
        match alone.and_then(|alone| alone.heard()) {
            Some(Heard::Clear(alone)) if same_meaning(std::slice::from_ref(&alone), &meant) => {
                Some(Heard::Clear(alone))
            }
            _ => whole.or(Some(Heard::Unclear(meant))),
        }
    }

    /// What is heard in a sound up to this second, as if nothing more had been said.
    fn heard_until(&self, ends: f64, said: &Utterance) -> Option<Utterance> {
        let samples = (ends * f64::from(SAMPLE_RATE)) as usize;
        let sound = said.sound.get(..samples)?;
        let mut listeners = self.listeners().ok()?;
        let heard = listeners.feed(sound).pop();
        heard.or_else(|| listeners.finish().pop())
    }

    /// The moves that this sound may be. A last word that stands for the beginning of the offer,
    /// such as "matt" or "Dame", may not belong to the move.
    fn moves_in(&self, said: &Utterance) -> Vec<String> {
        let phrases = self.moves_among(&said.verdict.alternatives);
        if !phrases.is_empty() {
            return phrases;
        }
        let lasts = said.sound.len() as f64 / f64::from(SAMPLE_RATE);
        let silence = said.decided.saturating_sub(said.speech_ended).as_secs_f64();
        let mut before = OFFERS_S
            .iter()
            .filter_map(|offer| self.heard_until(lasts - silence - offer, said))
            .filter(|before| before.verdict.is_speech);
        let before = before.next().map(|before| before.verdict.alternatives);
        self.moves_among(&before.unwrap_or_default())
    }

    fn moves_among(&self, alternatives: &[Alternative]) -> Vec<String> {
        let readings = alternatives.iter();
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
