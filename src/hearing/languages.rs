//! Several languages at one microphone: what listeners of each made of the same sound, and which of
//! them counts. Who speaks which language is not known, and the position is not looked at (X1).

use crate::verdict::{Decision, Verdict};

/// How near the gain of another language's announcement may come to the best one's, as a share,
/// before it is asked which was meant. In the right language the gain is mostly much greater.
const NEAR: f64 = 0.75;

/// The index of the verdict that counts: that of the greatest gain over garbage, among those by
/// which something was heard. `None` if there is none.
pub fn clearest<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Option<usize> {
    let key = |verdict: &Verdict| (verdict.decision != Decision::Ignore, verdict.gain);
    let verdicts = verdicts.into_iter().enumerate();
    let best = verdicts.max_by(|(_, one), (_, other)| {
        let (one, other) = (key(one), key(other));
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
    fn the_clearest_that_is_heard_counts() {
        let talk = verdict(Decision::Ignore, 90.0, "eva vier");
        let asked = verdict(Decision::Ask, 20.0, "eva vier");
        let taken = verdict(Decision::Take, 30.0, "david vier");
        assert_eq!(clearest([&talk, &asked, &taken]), Some(2));
        assert_eq!(clearest([&taken, &talk]), Some(0));
        assert_eq!(clearest([&talk]), Some(0));
        assert_eq!(clearest([]), None);
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
