//! What an announcement left open and is being asked about: the file of a square, or the side of
//! castling. The answer is that word alone, and it completes the announcement. All this depends on
//! words only, and not on the position (X1).

use crate::letters::differing_file;
use crate::verdict::{Alternative, Decision, Limit, Verdict};
use annexd_laws::notation::{Announcement, Lexicon, Said, Value, understand};

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
        let next = verdict.alternatives.get(1);
        let file = next.and_then(|next| differing_file(lexicon, &best.words, &next.words));
        let (words, open) = match file.filter(|_| best.readings.len() == 1) {
            Some(place) => (best.words.clone(), Open::File(place)),
            None => sideless(lexicon, best, next)?,
        };
        is_asked.then_some(Self { words, open })
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

/// The words of castling without its side, and that this is open: it was not said, or not heard
/// well.
fn sideless(
    lexicon: &Lexicon,
    best: &Alternative,
    next: Option<&Alternative>,
) -> Option<(Vec<String>, Open)> {
    let is_castling = |said: &Said| matches!(said, Said::Move(Announcement::Castling(_)));
    let all = |it: &Alternative| !it.readings.is_empty() && it.readings.iter().all(is_castling);
    let is_open = best.readings.len() > 1 || next.is_some_and(all);
    let is_side = |word: &String| matches!(lexicon.value(word), Some(Value::CastlingSide(_)));
    let words = best.words.iter().filter(|word| !is_side(word));
    let words: Vec<String> = words.cloned().collect();
    let is_name = |word: &String| lexicon.value(word) == Some(Value::Castling);
    let place = words.iter().rposition(is_name)?;
    (all(best) && is_open).then_some((words, Open::Side(place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Limits, decide};
    use crate::german;
    use crate::verdict::Evidence;
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
    fn a_side_that_was_not_heard_well_is_open() {
        let german = german();
        let mut verdict = decided("rochade lang");
        verdict.decision = Decision::Ask;
        assert_eq!(Asked::by(&german, &verdict), None);
        verdict.alternatives.extend(decided("rochade").alternatives);
        let asked = Asked::by(&german, &verdict).expect("a question");
        let answered = asked.answered(&german, Limits::default().command, &decided("kurz"));
        let answered = answered.expect("an answer");
        assert_eq!(answered.alternatives[0].words.join(" "), "rochade kurz");
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
