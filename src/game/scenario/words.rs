//! The words of a line, which may be written in various ways.

/// Words without meaning that may stand anywhere.
const FILLERS: [&str; 14] = [
    "the", "a", "an", "to", "of", "for", "his", "her", "its", "that", "from", "on", "at", "move",
];

/// The verbs as they stand in the patterns. Other forms of them are understood too.
pub(super) const VERBS: [&str; 75] = [
    "accepts",
    "adapts",
    "adds",
    "adjourns",
    "adjusts",
    "allows",
    "announces",
    "annuls",
    "answers",
    "appeals",
    "approves",
    "arrives",
    "asks",
    "begins",
    "breaks",
    "calls",
    "claims",
    "compares",
    "complains",
    "confirms",
    "corrects",
    "counts",
    "decides",
    "declines",
    "demands",
    "denies",
    "dismisses",
    "does",
    "ends",
    "executes",
    "fills",
    "finishes",
    "forbids",
    "freezes",
    "gives",
    "goes",
    "hands",
    "jumps",
    "keys",
    "lifts",
    "misses",
    "moves",
    "mumbles",
    "mutes",
    "notes",
    "offers",
    "opens",
    "orders",
    "penalises",
    "places",
    "presses",
    "reads",
    "recalls",
    "rejects",
    "removes",
    "repeats",
    "reports",
    "resigns",
    "restarts",
    "restores",
    "resumes",
    "rules",
    "says",
    "seals",
    "sets",
    "settles",
    "shows",
    "signs",
    "starts",
    "stops",
    "tells",
    "types",
    "unheeded",
    "unmutes",
    "upholds",
];

/// Other words for verbs.
const SYNONYMS: [(&str, &str); 9] = [
    ("penalizes", "penalises"),
    ("penalize", "penalises"),
    ("captures", "removes"),
    ("puts", "places"),
    ("drops", "places"),
    ("agrees", "accepts"),
    ("refuses", "declines"),
    ("continues", "restarts"),
    ("halts", "stops"),
];

/// A line cut into words, without the fillers.
#[derive(Clone, Debug)]
pub(super) struct Words {
    raw: Vec<String>,
    low: Vec<String>,
    /// The line, with the start of each word.
    line: String,
    starts: Vec<usize>,
}

impl Words {
    pub(super) fn of(line: &str) -> Self {
        let mut words = Self {
            raw: Vec::new(),
            low: Vec::new(),
            line: line.to_owned(),
            starts: Vec::new(),
        };
        let mut start = 0;
        for word in line.split_whitespace() {
            let found = line.get(start..).and_then(|rest| rest.find(word));
            start += found.unwrap_or_default();
            let low = word.to_lowercase();
            if !FILLERS.contains(&low.as_str()) {
                let low = canonical(&low);
                words.raw.push(word.to_owned());
                words.low.push(low);
                words.starts.push(start);
            }
            start += word.len();
        }
        words
    }

    /// The words in lower case, verbs in their usual form.
    pub(super) fn low(&self) -> Vec<&str> {
        self.low.iter().map(String::as_str).collect()
    }

    /// The words as they were written, from this one on.
    pub(super) fn raw_from(&self, first: usize) -> &[String] {
        self.raw.get(first..).unwrap_or_default()
    }

    /// One word as it was written.
    pub(super) fn raw(&self, index: usize) -> &str {
        self.raw.get(index).map_or("", String::as_str)
    }

    /// The line from this word on, as it was written.
    pub(super) fn rest(&self, first: usize) -> String {
        let start = self.starts.get(first).copied();
        let rest = start.and_then(|start| self.line.get(start..));
        rest.unwrap_or_default().trim().to_owned()
    }

    /// The words after the first ones.
    pub(super) fn after(&self, count: usize) -> Self {
        let tail = |all: &[String]| all.get(count..).unwrap_or_default().to_vec();
        Self {
            raw: tail(&self.raw),
            low: tail(&self.low),
            line: self.line.clone(),
            starts: self.starts.get(count..).unwrap_or_default().to_vec(),
        }
    }
}

/// A verb in its usual form: `announce` and `announced` are `announces`.
fn canonical(word: &str) -> String {
    let word = word.trim_end_matches(',');
    if let Some((_, usual)) = SYNONYMS.iter().find(|(other, _)| *other == word) {
        return (*usual).to_owned();
    }
    let is_form = |verb: &&&str| {
        let stem = verb.strip_suffix('s').unwrap_or(verb);
        let short = verb.strip_suffix("es").unwrap_or(stem);
        let ies = verb.strip_suffix("ies").map(|stem| format!("{stem}y"));
        word == stem
            || word == short
            || ies.as_deref() == Some(word)
            || word.len() > 3 && (word == format!("{stem}d") || word == format!("{short}ed"))
            || word == format!("{stem}ed")
    };
    match VERBS.iter().find(is_form) {
        Some(verb) => (*verb).to_owned(),
        None => word.to_owned(),
    }
}

/// `; do you mean …?` with the nearest words; empty if none is near.
pub(super) fn nearest(word: &str, known: &[&str]) -> String {
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(word, known), *known))
        .filter(|(distance, known)| *distance <= 2.max(known.len() / 3))
        .collect();
    near.sort_unstable();
    match near.first() {
        Some((_, known)) => format!("; do you mean {known}?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_understood_in_other_forms_and_fillers_left_out() {
        let words = Words::of("Arbiter  announced the move Nb1d2 to A");
        assert_eq!(words.low(), ["arbiter", "announces", "nb1d2"]);
        assert_eq!(words.raw(2), "Nb1d2");
        for (word, usual) in [
            ("deny", "denies"),
            ("press", "presses"),
            ("pressed", "presses"),
            ("miss", "misses"),
            ("go", "goes"),
            ("moved", "moves"),
            ("white", "white"),
        ] {
            assert_eq!(canonical(word), usual);
        }
        assert_eq!(Words::of("x  does  {\"a\": 1}").rest(2), "{\"a\": 1}");
    }

    #[test]
    fn a_word_that_is_nearly_right_is_found() {
        assert_eq!(nearest("annouces", &VERBS), "; do you mean announces?");
        assert_eq!(nearest("xylophone", &VERBS), "");
    }
}
