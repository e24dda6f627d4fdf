//! The sounds of a model, which of them follows which in announcements, and those of what was read.

use std::collections::BTreeMap;

/// The name of silence.
const SILENCE: &str = "SIL";
/// How the first row is called: what an announcement begins with.
const START: &str = "start";
/// The chance that a sound goes on for another frame, and that silence does.
const STAY: f64 = 0.6;
const STAY_SILENT: f64 = 0.9;

/// The sounds of a model and the chance that one comes after another, from the `sounds.tsv` of the
/// model.
#[derive(Clone, Debug, PartialEq)]
pub struct Sounds {
    numbers: BTreeMap<String, usize>,
    silence: usize,
    /// The chance that an announcement begins with a sound.
    pub(super) start: Vec<f64>,
    /// The chance that a sound is followed by another.
    pub(super) follow: Vec<Vec<f64>>,
}

/// What is wrong in a `sounds.tsv`, with the line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {0} of the table of sounds")]
pub struct NoSounds(pub usize);

impl Sounds {
    /// Reads the table: a line with the sounds, then a line for the start and for each of them,
    /// with what it costs in nats that each comes next.
    ///
    /// # Errors
    ///
    /// The first line that is not so.
    pub fn parse(text: &str) -> Result<Self, NoSounds> {
        let mut lines = text.lines();
        let mut names = lines.next().ok_or(NoSounds(1))?.split('\t');
        names.next();
        let names: Vec<&str> = names.collect();
        let silence = names.iter().position(|it| *it == SILENCE);
        let silence = silence.ok_or(NoSounds(1))?;
        let mut rows = Vec::new();
        let expected = std::iter::once(&START).chain(&names);
        for (line, name) in (2..).zip(expected) {
            let mut fields = lines.next().ok_or(NoSounds(line))?.split('\t');
            let is_it = fields.next() == Some(name);
            let chances: Vec<f64> = fields
                .map_while(|it| it.parse::<f64>().ok())
                .filter(|it| *it >= 0.0)
                .map(|cost| (-cost).exp())
                .collect();
            if !is_it || chances.len() != names.len() {
                return Err(NoSounds(line));
            }
            rows.push(chances);
        }
        let follow = rows.split_off(1);
        let numbers = names.into_iter().map(str::to_owned).zip(0..).collect();
        Ok(Self {
            numbers,
            silence,
            start: rows.concat(),
            follow,
        })
    }

    pub(super) fn count(&self) -> usize {
        self.start.len()
    }

    /// The chance that a sound goes on.
    pub(super) fn stay(&self, sound: usize) -> f64 {
        if sound == self.silence {
            STAY_SILENT
        } else {
            STAY
        }
    }
}

/// What may have been said in an utterance: its words with their variants one after another, and
/// silence around them or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spoken {
    /// The sound of each node.
    pub(super) sounds: Vec<usize>,
    /// Which nodes come after each.
    pub(super) after: Vec<Vec<usize>>,
    pub(super) starts: Vec<usize>,
    pub(super) ends: Vec<usize>,
}

impl Spoken {
    /// The words, each with its pronunciations, as the lexicon writes them: "ts e: z a 3". `None`
    /// if one has a sound that the model does not know, or no pronunciation.
    pub(super) fn of(words: &[Vec<String>], sounds: &Sounds) -> Option<Self> {
        let mut spoken = Self::default();
        let silence = spoken.node(sounds.silence);
        spoken.starts.push(silence);
        let mut frontier = vec![silence];
        for (number, forms) in words.iter().enumerate() {
            let mut lasts = Vec::new();
            let mut firsts = Vec::new();
            for form in forms {
                let mut last = None;
                for sound in form.split_whitespace() {
                    let node = spoken.node(*sounds.numbers.get(sound)?);
                    match last {
                        None => firsts.push(node),
                        Some(last) => spoken.follows(last, node),
                    }
                    last = Some(node);
                }
                lasts.push(last?);
            }
            if firsts.is_empty() {
                return None;
            }
            for node in frontier {
                for &first in &firsts {
                    spoken.follows(node, first);
                }
            }
            if number == 0 {
                spoken.starts.extend(&firsts);
            }
            let silence = spoken.node(sounds.silence);
            for &node in &lasts {
                spoken.follows(node, silence);
            }
            lasts.push(silence);
            frontier = lasts;
        }
        spoken.ends = frontier;
        Some(spoken)
    }

    fn node(&mut self, sound: usize) -> usize {
        self.sounds.push(sound);
        self.after.push(Vec::new());
        self.sounds.len() - 1
    }

    fn follows(&mut self, node: usize, next: usize) {
        if let Some(after) = self.after.get_mut(node) {
            after.push(next);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Silence, a and b, of which each is as likely after each.
    pub(crate) fn three() -> Sounds {
        let row = |name: &str| format!("{name}\t1.1\t1.1\t1.1\n");
        let rows = ["start", "SIL", "a", "b"].map(row).concat();
        Sounds::parse(&format!("before\tSIL\ta\tb\n{rows}")).unwrap()
    }

    #[test]
    fn words_with_variants_have_silence_around_them_or_none() {
        let words = [vec!["a b".to_owned(), "b".to_owned()], vec!["a".to_owned()]];
        let spoken = Spoken::of(&words, &three()).unwrap();
        assert_eq!(spoken.sounds, [0, 1, 2, 2, 0, 1, 0]);
        assert_eq!(spoken.starts, [0, 1, 3]);
        assert_eq!(spoken.ends, [5, 6]);
        let after = [
            vec![1, 3],
            vec![2],
            vec![4, 5],
            vec![4, 5],
            vec![5],
            vec![6],
            vec![],
        ];
        assert_eq!(spoken.after, after);
        assert_eq!(Spoken::of(&[vec!["x".to_owned()]], &three()), None);
        assert_eq!(Spoken::of(&[vec![]], &three()), None);
        assert_eq!(Spoken::of(&[vec![String::new()]], &three()), None);
    }

    #[test]
    fn a_table_with_a_fault_is_refused_with_the_line() {
        let good = "before\tSIL\ta\nstart\t1\t1\nSIL\t1\t1\na\t1\t1\n";
        assert!(Sounds::parse(good).is_ok());
        assert_eq!(Sounds::parse(""), Err(NoSounds(1)));
        assert_eq!(Sounds::parse("before\ta\n"), Err(NoSounds(1)));
        assert_eq!(
            Sounds::parse(&good.replace("SIL\t1", "SIL\tx")),
            Err(NoSounds(3))
        );
        assert_eq!(Sounds::parse(&good.replace("\na", "\nb")), Err(NoSounds(4)));
        assert_eq!(
            Sounds::parse(&good.replace("start\t1\t1", "start\t-1\t1")),
            Err(NoSounds(2))
        );
    }
}
