//! How each edition numbers its articles, and which clauses of the catalogue a number contains.
//!
//! Clauses have the numbering of July 2017, the edition from which the catalogue was made. A last
//! part in letters (`D.2.1.a`, `G.3.rapid`) is annexd's own division.
//! `grammar/<language>/laws.toml` has the text of a clause and what annexd does about it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::edition::Edition;

/// Rules for a program that follow from several clauses. No edition numbers them.
const DERIVED: [&str; 8] = ["X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8"];

/// Words that people put before a number, in the languages of the grammar.
const BEFORE: [&str; 15] = [
    "article",
    "articles",
    "artikel",
    "artiklen",
    "artikeln",
    "art",
    "annex",
    "appendix",
    "anhang",
    "tillæg",
    "bilag",
    "bilaga",
    "punkt",
    "guideline",
    "guidelines",
];

/// A clause with the number that an edition gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The name of the clause in the catalogue: `D.2.9.a`.
    pub name: &'static str,
    /// Its number in the edition that was asked for, or `None` if the edition has no such article.
    pub article: Option<&'static str>,
}

/// A number as its parts, so that `F2.3a`, `f 2.3 (a)` and `F.2.3.a` are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Number(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Digits(u32),
    Letters(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Clauses {
    One(String),
    Several(Vec<String>),
}

/// The numbers of one edition, in their order.
struct Numbering(BTreeMap<Number, (String, Vec<String>)>);

#[expect(
    clippy::panic,
    reason = "the tables are part of the program, and a test reads all of them"
)]
static NUMBERINGS: LazyLock<[Numbering; 6]> = LazyLock::new(|| {
    Edition::ALL.map(|edition| {
        let numbers: BTreeMap<String, Clauses> = match toml::from_str(table(edition)) {
            Ok(numbers) => numbers,
            Err(error) => panic!("the numbers of {edition}: {error}"),
        };
        let entry = |(number, clauses): (String, Clauses)| {
            let clauses = match clauses {
                Clauses::One(clause) => vec![clause],
                Clauses::Several(clauses) => clauses,
            };
            (Number::of(&number), (number, clauses))
        };
        Numbering(numbers.into_iter().map(entry).collect())
    })
});

const fn table(edition: Edition) -> &'static str {
    match edition {
        Edition::E2001 => include_str!("numbers/2001.toml"),
        Edition::E2009 => include_str!("numbers/2009.toml"),
        Edition::E2014 => include_str!("numbers/2014.toml"),
        Edition::E2017July => include_str!("numbers/2017-07.toml"),
        Edition::E2018 => include_str!("numbers/2018.toml"),
        Edition::E2023 => include_str!("numbers/2023.toml"),
    }
}

fn numbering(edition: Edition) -> &'static Numbering {
    let [first, second, third, fourth, fifth, sixth] = &*NUMBERINGS;
    match edition {
        Edition::E2001 => first,
        Edition::E2009 => second,
        Edition::E2014 => third,
        Edition::E2017July => fourth,
        Edition::E2018 => fifth,
        Edition::E2023 => sixth,
    }
}

impl Clause {
    /// The names of all clauses in the order of their numbers. annexd's own (X1 to X8) come last.
    pub fn names() -> impl Iterator<Item = &'static str> {
        static NAMES: LazyLock<BTreeMap<Number, &'static str>> = LazyLock::new(|| {
            let held = NUMBERINGS.iter().flat_map(|numbering| numbering.0.values());
            let names = held.flat_map(|(_, clauses)| clauses.iter().map(String::as_str));
            let all = names.chain(DERIVED);
            all.map(|name| (Number::of(name), name)).collect()
        });
        NAMES.values().copied()
    }

    /// The numbers of an edition, in their order.
    pub fn numbers(edition: Edition) -> impl Iterator<Item = &'static str> {
        let numbers = numbering(edition).0.values();
        numbers.map(|(number, _)| number.as_str())
    }

    /// Finds the clauses for a number: those that this edition numbers so (`F2.3` of 2001) with all
    /// their parts (`F2` gives F2.1 and so on), or else those with this name.
    pub fn find(number: &str, edition: Edition) -> Vec<Self> {
        let wanted = Number::of(number);
        if wanted.0.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<Self> = Vec::new();
        for (number, clauses) in numbering(edition).within(&wanted) {
            for name in clauses {
                if found.iter().all(|known| known.name != name) {
                    let article = Some(number.as_str());
                    found.push(Self { name, article });
                }
            }
        }
        if found.is_empty() {
            let named = Self::names().filter(|name| Number::of(name).is_within(&wanted));
            found.extend(named.map(|name| Self {
                name,
                article: numbering(edition).first(name),
            }));
        }
        found
    }

    /// Returns the numbers and the names of clauses that are most like an unknown one.
    pub fn near(number: &str, edition: Edition) -> Vec<String> {
        let wanted = number.to_lowercase();
        let mut near: Vec<(usize, &str)> = Self::names()
            .chain(Self::numbers(edition))
            .map(|known| {
                let distance = strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
                (distance, known)
            })
            .filter(|(distance, known)| *distance <= 1.max(known.len() / 2))
            .collect();
        near.sort_unstable();
        near.dedup();
        let nearest = near.into_iter().take(4);
        nearest.map(|(_, known)| known.to_owned()).collect()
    }

    /// Returns the editions that have an article with this number.
    pub fn editions_with(number: &str) -> Vec<Edition> {
        let wanted = Number::of(number);
        let has = |edition: &Edition| numbering(*edition).within(&wanted).next().is_some();
        let editions = Edition::ALL.into_iter();
        editions
            .filter(|it| !wanted.0.is_empty() && has(it))
            .collect()
    }

    /// Returns whether the clause is not in the Laws but follows from several of them for a
    /// program.
    pub fn is_derived(&self) -> bool {
        DERIVED.contains(&self.name)
    }
}

/// Returns the article of an edition for a clause. `None` if the edition has no such article.
///
/// A part of a clause may be annexd's own division and have no number. It then has the number of
/// the whole. A whole without a number has the number that its parts share.
pub(super) fn article(clause: &str, edition: Edition) -> Option<String> {
    let numbering = numbering(edition);
    if let Some(number) = numbering.first(clause) {
        return Some(number.to_owned());
    }
    if let Some(shared) = numbering.shared(clause) {
        return Some(shared.to_owned());
    }
    let (whole, part) = clause.rsplit_once('.')?;
    let is_own_division = part.starts_with(|c: char| c.is_ascii_lowercase());
    if is_own_division {
        article(whole, edition)
    } else {
        None
    }
}

impl Numbering {
    /// Returns the entries of a number and all its parts.
    fn within(&self, wanted: &Number) -> impl Iterator<Item = &(String, Vec<String>)> {
        let from = self.0.range(wanted.clone()..);
        let within = from.take_while(|(number, _)| number.is_within(wanted));
        within.map(|(_, entry)| entry)
    }

    /// Returns the number that begins with a clause, or else the first that contains it.
    fn first(&self, clause: &str) -> Option<&str> {
        let begins = |clauses: &[String]| clauses.first().is_some_and(|it| it == clause);
        let holds = |clauses: &[String]| clauses.iter().any(|it| it == clause);
        let mut entries = self.0.values();
        let number = entries
            .clone()
            .find(|(_, clauses)| begins(clauses))
            .or_else(|| entries.find(|(_, clauses)| holds(clauses)));
        number.map(|(number, _)| number.as_str())
    }

    /// Returns what the numbers of all parts of a clause have in common, or else the first of them.
    /// Parts in another article, or in another numbering of the same article, do not count.
    fn shared(&self, clause: &str) -> Option<&str> {
        let whole = Number::of(clause);
        let is_part = |name: &String| Number::of(name).is_within(&whole) && name != clause;
        let entries = self.0.iter();
        let mut parts = entries.filter(|(_, (_, clauses))| clauses.iter().any(is_part));
        let (first, (text, _)) = parts.next()?;
        let related = parts.filter(|(number, _)| number.0.first() == first.0.first());
        let common = related.fold(first.0.len(), |common, (number, _)| {
            let both = first.0.iter().zip(&number.0).take(common);
            both.take_while(|(one, other)| one == other).count()
        });
        Some(if common < 2 {
            text
        } else {
            start(text, common)
        })
    }
}

impl Number {
    fn of(text: &str) -> Self {
        let parts = pieces(text).map(|(_, piece)| match piece.parse() {
            Ok(digits) => Part::Digits(digits),
            Err(_) => Part::Letters(piece.to_lowercase()),
        });
        let is_said_before = |part: &Part| match part {
            Part::Letters(word) => BEFORE.contains(&word.as_str()),
            Part::Digits(_) => false,
        };
        Self(parts.skip_while(is_said_before).collect())
    }

    /// Returns whether this is the other number or a part of it.
    fn is_within(&self, whole: &Self) -> bool {
        self.0.starts_with(&whole.0)
    }
}

/// Returns the first parts of a number as it is written: two parts of `F2.3a` are `F2`.
fn start(text: &str, parts: usize) -> &str {
    let end = pieces(text).nth(parts).map_or(text.len(), |(at, _)| at);
    text.get(..end).map_or(text, |it| it.trim_end_matches('.'))
}

/// Returns the runs of digits and of letters, with the byte where each begins. A capital after a
/// small letter begins a new one: `3.8aII` is 3, 8, a and II.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = rest.chars().next()?;
        let mut last = first;
        let end = rest.find(|c: char| {
            let is_other_kind = c.is_ascii_digit() != first.is_ascii_digit();
            let is_new = last.is_lowercase() && c.is_uppercase();
            last = c;
            !c.is_alphanumeric() || is_other_kind || is_new
        });
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        let at = text.len() - rest.len();
        rest = after;
        Some((at, piece))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Termination;
    use super::*;

    #[track_caller]
    fn finds(number: &str, edition: Edition, expected: &[&str]) {
        let found = Clause::find(number, edition);
        let names: Vec<&str> = found.iter().map(|clause| clause.name).collect();
        assert_eq!(names, expected, "{number} in {edition}");
    }

    #[track_caller]
    fn cites(clause: &str, expected: [&str; 6]) {
        for (edition, expected) in Edition::ALL.into_iter().zip(expected) {
            let article = article(clause, edition).unwrap_or_default();
            assert_eq!(article, expected, "{clause} in {edition}");
        }
    }

    #[test]
    fn a_clause_is_found_by_its_number_its_whole_and_its_name() {
        finds("D.2.9", Edition::E2023, &["D.2.9.a", "D.2.9.b", "D.2.9.c"]);
        finds("d.2.8", Edition::E2023, &["D.2.8"]);
        finds("F2.6", Edition::E2001, &["D.2.8"]);
        finds("1.2", Edition::E2023, &["1.2"]);
        finds("9.6.1", Edition::E2001, &["9.6.1"]);
        finds("X4", Edition::E2023, &["X4"]);
        finds("Z.9", Edition::E2023, &[]);
        finds("", Edition::E2023, &[]);
    }

    #[test]
    fn the_number_of_the_edition_goes_before_the_name_in_the_catalogue() {
        finds("7.5.3", Edition::E2018, &["7.8.1", "7.8.2"]);
        finds("6.12", Edition::E2001, &["G.3.1"]);
        finds("12.9g", Edition::E2014, &["12.9.7"]);
        let sides = ["D.2.9.a", "D.2.9.b", "D.2.9.c"];
        finds("D.2.8", Edition::E2014, &sides);
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for written in [
            "F2.9e",
            "f 2.9 (e)",
            "F.2.9.e",
            "f2 9E",
            "Annex F.2.9 e",
            "Article F2.9e",
            "Bilag F2.9e.",
            "§ F2.9 e)",
        ] {
            finds(written, Edition::E2001, &["D.2.10.5"]);
        }
        finds("7.4 b", Edition::E2001, &["7.5.3"]);
        finds("11.1", Edition::E2023, &["11.1"]);
        finds("3.8 a II", Edition::E2001, &["3.8.2"]);
        finds("Guidelines III.4", Edition::E2023, &["G.4"]);
    }

    #[test]
    fn a_wrong_number_has_neighbours_and_perhaps_another_edition() {
        assert!(Clause::near("D.2.12", Edition::E2023).contains(&"D.2.11".to_owned()));
        assert_eq!(Clause::editions_with("F2.6"), [Edition::E2001]);
        assert!(Clause::editions_with("").is_empty());
    }

    #[test]
    fn a_clause_has_the_number_of_each_edition() {
        cites(
            "D.2.3",
            ["F2.3", "E2.3", "D.2.3", "D.2.3", "D.2.3", "D.2.3"],
        );
        cites(
            "D.2.4",
            ["F2.3", "E2.3", "D.2.3", "D.2.4", "D.2.4", "D.2.4"],
        );
        cites(
            "D.2.10.5",
            [
                "F2.9e", "E2.9e", "D.2.9e", "D.2.10.5", "D.2.10.5", "D.2.10.5",
            ],
        );
        cites(
            "D.2.1.d",
            ["F2.1", "E2.1", "D.2.1", "D.2.1", "D.2.1", "D.2.1"],
        );
        cites(
            "D.2.1",
            ["F2.1", "E2.1", "D.2.1", "D.2.1", "D.2.1", "D.2.1"],
        );
        cites("7.7", ["4.1", "4.1", "4.1", "7.7", "7.5.4", "7.5.4"]);
        cites("9.6.1", ["", "", "9.6a", "9.6.1", "9.6.1", "9.6.1"]);
        cites("6.11", ["6.13", "6.12", "6.12", "6.11", "6.11", "6.11"]);
        cites(
            "E.8",
            ["A8", "Adjourned games 8", "E.8", "E.8", "I.8", "I.8"],
        );
    }

    #[test]
    fn claims_and_blitz_cite_the_article_of_their_edition() {
        cites(
            "9.2.1.1",
            ["9.2a", "9.2a", "9.2a", "9.2.1.1", "9.2.1.1", "9.2.1"],
        );
        cites(
            "9.2.1.2",
            ["9.2b", "9.2b", "9.2b", "9.2.1.2", "9.2.1.2", "9.2.2"],
        );
        cites("9.2", ["9.2", "9.2", "9.2", "9.2.1", "9.2.1", "9.2"]);
        cites("B.4.c", ["C3", "B3c", "A.4b", "A.4.2", "A.4.2", "A.5.2"]);
        cites(
            "A.4.1.2",
            ["B4", "A4a", "A.4a2", "A.4.1.2", "A.4.1.2", "A.5.1.2"],
        );
    }

    #[test]
    fn every_end_of_a_game_cites_a_clause_that_some_edition_has() {
        use shakmaty::Color::White;
        for end in [
            Termination::Checkmate(White),
            Termination::Resignation(White),
            Termination::Stalemate,
            Termination::DeadPosition,
            Termination::Agreement,
            Termination::FlagFall(White),
            Termination::BothFlags,
            Termination::IllegalMoves(White),
            Termination::IllegalPosition,
            Termination::Threefold,
            Termination::FiftyMoves,
            Termination::Fivefold,
            Termination::SeventyFiveMoves,
            Termination::NormalMeans,
            Termination::Default(White),
            Termination::Device(White),
            Termination::Declared(White),
            Termination::BothGuilty,
            Termination::FaultySeal(White),
            Termination::Annulled,
        ] {
            let cited = article(end.clause(), Edition::E2023);
            assert!(cited.is_some(), "{end:?}");
        }
    }

    #[test]
    fn no_number_stands_twice_in_other_writing() {
        for edition in Edition::ALL {
            let lines = table(edition).lines().filter(|line| line.starts_with('"'));
            let numbers: BTreeSet<&str> = Clause::numbers(edition).collect();
            assert_eq!(lines.count(), numbers.len(), "{edition}");
        }
    }
}
