//! Finds the entries of a dictation that are no legal moves. They are kept as they were said, but
//! the person dictating has to hear of them while the sheet is before him.

use super::Dictation;
use crate::score::{Meaning, Score, Standing};

/// What is doubtful about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// No such move is legal there.
    NotLegal,
    /// More than one legal move can be meant.
    Ambiguous,
}

/// The doubtful entries by their index in the score. After an entry that leaves open which piece
/// moved where, nothing can be judged.
pub(super) fn doubts(score: &Score) -> Vec<(usize, Doubt)> {
    let mut found = Vec::new();
    let mut standing = Standing::of(score.start());
    for (at, entry) in score.entries().iter().enumerate() {
        if standing.position().is_none() || !entry.notated.is_legible() {
            break;
        }
        standing = match standing.read(entry) {
            Meaning::Legal(played) => standing.after(played),
            Meaning::Illegal(step) => {
                found.push((at, Doubt::NotLegal));
                standing.after_step(step)
            }
            // What cannot be read cannot be called illegal.
            Meaning::Unplayable if entry.notated.is_half_read() => break,
            Meaning::Unplayable => {
                found.push((at, Doubt::NotLegal));
                break;
            }
            Meaning::Ambiguous(_) => {
                found.push((at, Doubt::Ambiguous));
                break;
            }
        };
    }
    found
}

impl Dictation {
    /// Whether any entry was understood, now or earlier, or no sound file was involved.
    pub(super) fn is_any_understood(&self) -> bool {
        let entries = self.score.entries().len();
        self.is_kept || self.unheard.is_empty() || self.unheard.len() < entries
    }

    /// How many entries were not understood, and where they are.
    pub(super) fn unheard_entries(&self) -> Option<String> {
        let number = self.unheard.len().to_string();
        let list = self.places_of(&self.unheard);
        let places = [("number", number.as_str()), ("list", &list)];
        (!self.unheard.is_empty()).then(|| self.answers().unheard.filled(&places))
    }

    /// Entries by their numbers on the sheet and their sides.
    pub(super) fn places_of(&self, entries: &[usize]) -> String {
        let places = self.score.places();
        let named = entries.iter().filter_map(|&at| {
            let place = places.get(at)?;
            Some(format!("{} {}", place.number, self.words.side(place.side)))
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::read_score;

    #[track_caller]
    fn check(sheet: &str, expected: &[(usize, Doubt)]) {
        let read = read_score(sheet, None, 1).expect("a score");
        assert_eq!(doubts(&read.score), expected, "{sheet}");
    }

    #[test]
    fn what_is_not_legal_is_doubtful_and_what_follows_is_judged_behind_it() {
        use Doubt::{Ambiguous, NotLegal};
        check("1. e4 e5 2. Nf3 Nc6", &[]);
        check("1. e4 e5 2. Nf4 Nc6", &[(2, NotLegal)]);
        check(
            "1. e4 e5 2. Ke3 Nc6 3. Nb5",
            &[(2, NotLegal), (4, NotLegal)],
        );
        check("1. e4 e5 2. Ng1-f4 d6 3. Nf4-d5", &[(2, NotLegal)]);
        check("1. Nf3 d5 2. d3 d4 3. Nd2 d1 4. Nd6", &[(4, Ambiguous)]);
        check("1. e4 ? 2. Nf7 e5", &[]);
        check("1. e4 e5 2. Bx? Nc6", &[]);
        check("1. e4 -- 2. Nf7 e5", &[]);
    }
}
