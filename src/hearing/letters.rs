//! Bare letters: "b", "d", "e", "g" and others sound alike, so none of them is taken.
//!
//! The program asks for the file by its name, as `left_open` has it. Two names that are hard to
//! tell apart are handled the same way. All this depends on words only, and not on the position
//! (X1).

use serde::Deserialize;

use crate::verdict::{Alternative, Decision, Verdict};
use annexd_laws::notation::{Lexicon, Said, Value, understand};

/// Which letters sound alike.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letters {
    /// Groups of them, the most often confused first.
    pub alike: Vec<Vec<String>>,
}

impl Letters {
    /// The first letter among these words that sounds like others: its index and its group.
    fn doubtful(&self, words: &[String]) -> Option<(usize, &[String])> {
        words.iter().enumerate().find_map(|(place, word)| {
            let mut groups = self.alike.iter();
            let group = groups.find(|group| group.contains(word))?;
            Some((place, group.as_slice()))
        })
    }

    /// Turns taking such a letter into asking about it and the likeliest one that sounds like it.
    pub fn ask(&self, lexicon: &Lexicon, verdict: &mut Verdict) {
        let Some(best) = verdict.alternatives.first() else {
            return;
        };
        // The "a" of "I offer a draw" is a word like any other.
        let is_of_use = verdict.decision != Decision::Ignore
            && matches!(best.readings.as_slice(), [said] if names_file(said));
        let Some((place, group)) = self.doubtful(&best.words).filter(|_| is_of_use) else {
            return;
        };
        let is_rival =
            |other: &Alternative| differing_file(lexicon, &best.words, &other.words) == Some(place);
        let rival = verdict.alternatives.iter().position(is_rival);
        let rival = match rival {
            Some(index) => verdict.alternatives.remove(index),
            None => {
                let mut words = best.words.clone();
                if let Some(other) = group.iter().find(|other| **other != words[place]) {
                    words[place].clone_from(other);
                }
                Alternative {
                    readings: understand(lexicon, &words),
                    words,
                    confidence: 0.0,
                }
            }
        };
        verdict.alternatives.insert(1, rival);
        verdict.decision = Decision::Ask;
    }
}

/// Whether a phrase of this meaning may name a file. A letter in another is only a word.
const fn names_file(said: &Said) -> bool {
    matches!(
        said,
        Said::Move(_) | Said::Square(_) | Said::Correction(Some(_)) | Said::Question(_)
    )
}

/// The index of the only word in which two phrases differ, if it is a file in both.
pub(crate) fn differing_file(lexicon: &Lexicon, one: &[String], other: &[String]) -> Option<usize> {
    let mut places = (0..one.len()).filter(|place| one.get(*place) != other.get(*place));
    let (place, None) = (places.next()?, places.next()) else {
        return None;
    };
    let is_file = |words: &[String]| {
        let value = words.get(place).and_then(|word| lexicon.value(word));
        matches!(value, Some(Value::File(_)))
    };
    (one.len() == other.len() && is_file(one) && is_file(other)).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Limits, decide};
    use crate::german;
    use crate::left_open::Asked;
    use crate::verdict::Evidence;
    use annexd_laws::notation::Heard;

    fn limits() -> Limits {
        let group = |letters: &[&str]| letters.iter().map(|&letter| letter.to_owned()).collect();
        Limits {
            letters: Some(Letters {
                alike: vec![group(&["b", "d", "g", "e", "c"]), group(&["a", "h"])],
            }),
            ..Limits::default()
        }
    }

    fn decided(sequences: &[(&str, f64)]) -> Verdict {
        decided_in(&german(), sequences)
    }

    fn decided_in(lexicon: &Lexicon, sequences: &[(&str, f64)]) -> Verdict {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let evidence = Evidence {
            sequences: sequences
                .iter()
                .map(|(text, score)| (words(text), *score))
                .collect(),
            garbage: 80.0,
            speech_s: 1.0,
            ..Evidence::default()
        };
        decide(lexicon, &limits(), &evidence)
    }

    fn line(said: &Said) -> String {
        match said {
            Said::Move(annexd_laws::notation::Announcement::Move(m)) => {
                format!(
                    "{} {}",
                    m.from.map_or_else(String::new, |from| from.to_string()),
                    m.to
                )
            }
            Said::Square(square) => square.to_string(),
            other => format!("{other:?}"),
        }
    }

    fn heard(verdict: &Verdict) -> String {
        match verdict.heard() {
            Some(Heard::Clear(said)) => line(&said),
            Some(Heard::Unclear(two)) => two.iter().map(line).collect::<Vec<_>>().join(" or "),
            None => String::new(),
        }
    }

    #[test]
    fn a_letter_that_others_sound_like_is_asked_however_sure_it_is() {
        for (text, expected) in [
            ("springer g eins felix drei", "g1 f3 or b1 f3"),
            ("springer gustav eins d drei", "g1 d3 or g1 b3"),
            ("springer gustav eins f drei", "g1 f3"),
            ("h vier", "h4 or a4"),
            ("springer gustav eins felix drei", "g1 f3"),
        ] {
            assert_eq!(heard(&decided(&[(text, 100.0)])), expected, "{text}");
        }
        let close = [
            ("springer g eins felix drei", 100.0),
            ("springer e eins felix drei", 92.0),
        ];
        assert_eq!(heard(&decided(&close)), "g1 f3 or e1 f3");
    }

    #[test]
    fn a_word_of_a_command_is_no_letter() {
        let english = Lexicon::parse(
            include_str!("../../grammar/en/lexicon.toml"),
            include_str!("../../grammar/en/commands.toml"),
        )
        .unwrap();
        let verdict = decided_in(&english, &[("i offer a draw", 100.0)]);
        assert_eq!(verdict.decision, Decision::Take);
        let verdict = decided_in(&english, &[("rook a one a eight", 100.0)]);
        assert_eq!(verdict.decision, Decision::Ask);
    }

    #[test]
    fn the_name_alone_or_the_square_answers() {
        let german = german();
        let answer = |question: &Verdict, text: &str| {
            let asked = Asked::by(&german, question)?;
            let mut whole =
                asked.answered(&german, limits().command, &decided(&[(text, 100.0)]))?;
            limits().letters?.ask(&german, &mut whole);
            Some(whole)
        };
        let question = decided(&[("springer g eins felix drei", 100.0)]);
        for (text, expected) in [
            ("gustav", Some("g1 f3")),
            ("bella", Some("b1 f3")),
            ("bella eins", Some("b1 f3")),
            ("david", Some("d1 f3")),
            ("d", Some("d1 f3 or b1 f3")),
            ("bella zwei", None),
            ("springer", None),
            ("ja", None),
        ] {
            let found = answer(&question, text).map(|whole| heard(&whole));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        let both = decided(&[("springer g eins e zwei", 100.0)]);
        let whole = answer(&both, "gustav").expect("an answer");
        assert_eq!(heard(&whole), "g1 e2 or g1 b2");
        assert_eq!(
            answer(&whole, "eva").map(|whole| heard(&whole)).as_deref(),
            Some("g1 e2")
        );
        assert_eq!(
            Asked::by(&german, &decided(&[("springer f drei", 100.0)])),
            None
        );
    }
}
