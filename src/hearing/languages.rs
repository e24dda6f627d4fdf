//! Several languages at one microphone: what listeners of each made of the same speech, and which
//! of them counts. Who speaks which language is not known, and the position is not looked at (X1).

use std::time::Duration;

use crate::verdict::{Decision, Verdict};

/// How near the gain of another language's announcement may come to the best one's, as a share,
/// before it is asked which was meant. In the right language the gain is mostly much greater.
const NEAR: f64 = 0.9;

/// How much more of the speech a language must have heard to count whatever its gain. To a wrong
/// one the pause of a slow speaker is an end.
const LONGER: Duration = Duration::from_millis(500);

/// What one language heard of the same speech, all in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Account {
    /// Whether something was taken or is asked about.
    pub is_heard: bool,
    /// How long the longest of these utterances lasted, if something was heard.
    pub lasted: Duration,
    /// The greatest gain among them.
    pub gain: f64,
}

/// The index of the account that counts. `None` if there is none.
pub fn clearest(accounts: &[Account]) -> Option<usize> {
    let heard = accounts.iter().filter(|it| it.is_heard);
    let longest = heard.map(|it| it.lasted).max().unwrap_or_default();
    let rank = |it: &Account| (it.is_heard && it.lasted + LONGER > longest, it.gain);
    let accounts = accounts.iter().enumerate();
    let best = accounts.max_by(|(_, one), (_, other)| {
        let (one, other) = (rank(one), rank(other));
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    });
    Some(best?.0)
}

/// Asks instead of taking if another language heard something else nearly as clearly.
pub fn doubt(best: &mut Verdict, other: &Verdict) {
    let is_heard = best.decision != Decision::Ignore && other.decision != Decision::Ignore;
    if !is_heard || best.reading() == other.reading() || other.gain < best.gain * NEAR {
        return;
    }
    best.decision = Decision::Ask;
    best.alternatives
        .splice(1.., other.alternatives.first().cloned());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::german;
    use crate::verdict::Alternative;
    use annexd_laws::notation::{Heard, understand};

    fn verdict(decision: Decision, gain: f64, words: &str) -> Verdict {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        Verdict {
            decision,
            is_speech: true,
            wants_opinions: false,
            is_one_enough: true,
            alternatives: vec![Alternative {
                readings: understand(&german(), &words),
                words,
                confidence: 1.0,
            }],
            gain,
        }
    }

    #[test]
    fn the_longest_that_is_heard_counts_and_of_those_the_clearest() {
        let account = |is_heard, lasted, gain| Account {
            is_heard,
            lasted: Duration::from_millis(lasted),
            gain,
        };
        let talk = account(false, 9_000, 90.0);
        let asked = account(true, 2_000, 20.0);
        let taken = account(true, 1_900, 30.0);
        assert_eq!(clearest(&[talk, asked, taken]), Some(2));
        assert_eq!(clearest(&[taken, talk]), Some(0));
        assert_eq!(clearest(&[talk]), Some(0));
        assert_eq!(clearest(&[]), None);
        // Two parts of what another language heard as one.
        assert_eq!(clearest(&[taken, account(true, 3_500, 20.0)]), Some(1));
    }

    #[test]
    fn what_two_languages_hear_nearly_as_clearly_is_asked() {
        let mut best = verdict(Decision::Take, 30.0, "david vier");
        doubt(&mut best, &verdict(Decision::Take, 10.0, "eva vier"));
        doubt(&mut best, &verdict(Decision::Ignore, 29.0, "eva vier"));
        doubt(&mut best, &verdict(Decision::Take, 29.0, "david vier"));
        assert_eq!(best.decision, Decision::Take);
        doubt(&mut best, &verdict(Decision::Take, 29.0, "eva vier"));
        assert_eq!(best.decision, Decision::Ask);
        assert!(matches!(best.heard(), Some(Heard::Unclear(two)) if two.len() == 2));
    }
}
