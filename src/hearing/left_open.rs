//! What an announcement left open and is being asked about: the file of a square, or the side of
//! castling. The answer is that word alone, and it completes the announcement. All this depends on
//! words only, and not on the position (X1).

use crate::letters::differing_file;
use crate::verdict::{Alternative, Decision, Limit, Verdict};
use annexd_laws::notation::{Lexicon, Value, understand};

/// What was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    words: Vec<String>,
    open: Open,
}

/// What was left open, with its place among the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// Which file this word is.
    File(usize),
    /// The side, which was not said behind this word for castling.
    Side(usize),
}

impl Asked {
    /// What an utterance leaves open, if nothing else in it is.
    pub fn by(lexicon: &Lexicon, verdict: &Verdict) -> Option<Self> {
        let best = verdict.alternatives.first()?;
        let is_asked = verdict.decision == Decision::Ask;
        let open = match best.readings.len() {
            1 => {
                let next = verdict.alternatives.get(1)?;
                Open::File(differing_file(lexicon, &best.words, &next.words)?)
            }
            _ => Open::Side(sideless(lexicon, &best.words)?),
        };
        is_asked.then(|| Self {
            words: best.words.clone(),
            open,
        })
    }

    /// Whether these words answer: the file, alone or with the rank already said, or the side.
    pub fn is_named_by(&self, lexicon: &Lexicon, words: &[String]) -> bool {
        let value = |word: &String| lexicon.value(word);
        match (self.open, words) {
            (Open::File(_), [file]) => matches!(value(file), Some(Value::File(_))),
            (Open::File(place), [file, rank]) => {
                let said = self.words.get(place + 1);
                matches!(value(file), Some(Value::File(_))) && said.and_then(value) == value(rank)
            }
            (Open::Side(_), [side]) => matches!(value(side), Some(Value::CastlingSide(_))),
            _ => false,
        }
    }

    /// The announcement completed with what this utterance names, if it does so with certainty.
    pub fn answered(&self, lexicon: &Lexicon, limit: Limit, verdict: &Verdict) -> Option<Verdict> {
        let named = verdict.alternatives.first()?;
        let is_sure = verdict.gain >= limit.clear && named.confidence >= limit.sure;
        if !is_sure || !self.is_named_by(lexicon, &named.words) {
            return None;
        }
        let answer = named.words.first()?.clone();
        let mut words = self.words.clone();
        match self.open {
            Open::File(place) => *words.get_mut(place)? = answer,
            Open::Side(place) => words.insert(place + 1, answer),
        }
        let whole = Alternative {
            readings: understand(lexicon, &words),
            words,
            confidence: named.confidence,
        };
        Some(Verdict {
            decision: Decision::Take,
            alternatives: vec![whole],
            ..verdict.clone()
        })
    }
}

/// The place of the word for castling, if no word tells the side.
fn sideless(lexicon: &Lexicon, words: &[String]) -> Option<usize> {
    let mut values = words.iter().map(|word| lexicon.value(word));
    if values.any(|value| matches!(value, Some(Value::CastlingSide(_)))) {
        return None;
    }
    let is_castling = |word: &String| lexicon.value(word) == Some(Value::Castling);
    words.iter().rposition(is_castling)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Limits, decide};
    use crate::german;
    use crate::verdict::Evidence;
    use annexd_laws::notation::{Announcement, Said};

    fn decided(text: &str) -> Verdict {
        let words = text.split_whitespace().map(str::to_owned).collect();
        let evidence = Evidence {
            sequences: vec![(words, 100.0)],
            garbage: 80.0,
            speech_s: 1.0,
            ..Evidence::default()
        };
        decide(&german(), &Limits::default(), &evidence)
    }

    #[track_caller]
    fn check(question: &str, answer: &str, expected: Option<(&str, &str)>) {
        let german = german();
        let asked = Asked::by(&german, &decided(question)).expect("a question");
        let limit = Limits::default().command;
        let whole = asked.answered(&german, limit, &decided(answer));
        let found = whole.map(|whole| {
            let best = &whole.alternatives[0];
            let [Said::Move(Announcement::Castling(castling))] = best.readings.as_slice() else {
                panic!("{best:?}");
            };
            (best.words.join(" "), format!("{:?}", castling.side))
        });
        let expected = expected.map(|(words, side)| (words.to_owned(), side.to_owned()));
        assert_eq!(found, expected, "{question}, {answer}");
    }

    #[test]
    fn the_side_alone_answers_which_castling() {
        check("rochade", "kurz", Some(("rochade kurz", "KingSide")));
        check("rochade", "kurze", Some(("rochade kurze", "KingSide")));
        check("rochade", "große", Some(("rochade große", "QueenSide")));
        let with_check = Some(("rochade lang schach", "QueenSide"));
        check("rochade schach", "lang", with_check);
        check("rochade", "anna", None);
        check("rochade", "ja", None);
    }

    #[test]
    fn castling_with_its_side_leaves_nothing_open() {
        let german = german();
        for text in [
            "kurze rochade",
            "rochade lang",
            "springer gustav eins felix drei",
        ] {
            assert_eq!(Asked::by(&german, &decided(text)), None, "{text}");
        }
    }
}
