//! Every number of the six editions of the Laws, asked as `annexd law` asks it.
//!
//! `tests/laws/numbers/<edition>.tsv` has the numbers of each edition as its source document
//! prints them, each with two words that the English answer must have. Where the variable
//! ANNEXD_LAW_SOURCES names a folder with those documents, the numbers are looked up in them too.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads its tables, and says so by failing when it cannot"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use annexd::laws::{Clause, Edition};
use annexd::phrases::LawWords;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The numbers of an edition, each with the words that tell its answer.
fn numbers(edition: Edition) -> Vec<(String, String)> {
    let file = root().join(format!("tests/laws/numbers/{edition}.tsv"));
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(number, label)| (number.to_owned(), label.to_owned()))
        .collect()
}

fn words(language: &str) -> LawWords {
    let file = root().join(format!("grammar/{language}/laws.toml"));
    LawWords::parse(&fs::read_to_string(file).unwrap()).unwrap()
}

/// What the clauses under exactly this number say, without those of its parts.
fn said(words: &LawWords, number: &str, edition: Edition) -> String {
    let own = Clause::find(number, edition)
        .into_iter()
        .filter(|clause| clause.article == Some(number));
    own.filter_map(|clause| words.says(clause.name, edition))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_number_of_every_edition_answers_its_own_clause() {
    let english = words("en");
    let mut count = 0;
    for edition in Edition::ALL {
        for (number, label) in numbers(edition) {
            let says = said(&english, &number, edition).to_lowercase();
            for word in label.split(' ') {
                assert!(
                    says.contains(word),
                    "{number} of {edition}: {says:?}: {word}"
                );
            }
            count += 1;
        }
    }
    assert!(count > 1_700, "{count}");
}

#[test]
fn every_number_answers_in_all_languages() {
    for language in ["de", "en", "da", "sv"] {
        let words = words(language);
        for edition in Edition::ALL {
            for (number, _) in numbers(edition) {
                let says = said(&words, &number, edition);
                let is_whole = says.ends_with('.') && !says.contains(['{', '}']);
                assert!(is_whole, "{language}: {number} of {edition}: {says:?}");
            }
        }
    }
}

/// `12.3b` is also asked as `12.3 (b)`, `12.3.b`, `12.3B` and `Article 12.3 b`.
#[test]
fn every_number_is_found_in_other_writing() {
    for edition in Edition::ALL {
        for (number, _) in numbers(edition) {
            let names = |asked: &str| -> Vec<&str> {
                let found = Clause::find(asked, edition);
                found.iter().map(|clause| clause.name).collect()
            };
            let expected = names(&number);
            let last = number.chars().next_back().unwrap();
            let mut others = vec![
                number.to_lowercase(),
                format!(" Article {number}."),
                format!("§ {number})"),
            ];
            if last.is_ascii_lowercase() {
                let whole = number.trim_end_matches(last);
                others.push(format!("{whole} ({last})"));
                others.push(format!("{whole}.{last}"));
                others.push(format!("{whole}{}", last.to_ascii_uppercase()));
            }
            // `F2.3` is printed without a full stop and `D.2.3` with one.
            if number.starts_with(|c: char| c.is_ascii_uppercase()) {
                let (letter, rest) = number.split_at(1);
                let rest = rest.trim_start_matches('.');
                if rest.starts_with(|c: char| c.is_ascii_digit()) {
                    others.push(format!("{letter}{rest}"));
                    others.push(format!("{letter}.{rest}"));
                    others.push(format!("{letter} {rest}"));
                }
            }
            for other in others {
                // Roman numbers of 2001 are capitals after a small letter.
                if !number.contains("aI") {
                    assert_eq!(names(&other), expected, "{other} for {number} of {edition}");
                }
            }
        }
    }
}

/// A table that lacks a number would hide it: both must have the same.
#[test]
fn the_table_has_every_number_that_speaks() {
    let english = words("en");
    for edition in Edition::ALL {
        let known: Vec<String> = numbers(edition).into_iter().map(|(it, _)| it).collect();
        for number in Clause::numbers(edition) {
            let speaks = !said(&english, number, edition).is_empty();
            let is_there = known.iter().any(|it| it == number);
            assert_eq!(is_there, speaks, "{number} of {edition}");
        }
    }
}

/// Every number that the source documents refer to is one that is answered.
#[test]
fn every_number_in_the_sources_is_found() {
    let Some(folder) = std::env::var_os("ANNEXD_LAW_SOURCES").map(PathBuf::from) else {
        return;
    };
    let mut seen: BTreeMap<Edition, usize> = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let Some((edition, laws)) = laws_in(&text) else {
            continue;
        };
        for number in cited(laws) {
            let found = Clause::find(number, edition);
            assert!(!found.is_empty(), "{number} of {edition}");
            *seen.entry(edition).or_default() += 1;
        }
    }
    assert!(seen.len() >= 2, "{seen:?}");
    assert!(seen.values().all(|count| *count > 80), "{seen:?}");
}

/// The part of a document that is the Laws, told by words that only one translation has.
fn laws_in(text: &str) -> Option<(Edition, &str)> {
    let marks = [
        (
            Edition::E2001,
            "1.1 Et parti skak",
            "3.5 Skaknævnets kendelser Forord",
        ),
        (
            Edition::E2014,
            "GRUNDREGLER 1. Schack",
            "Bilaga H. Ordlista för",
        ),
    ];
    marks.into_iter().find_map(|(edition, from, to)| {
        let (_, laws) = text.split_once(from)?;
        Some((edition, laws.split_once(to)?.0))
    })
}

/// Numbers such as 6.2, with a letter where one follows: `9.2b`, `13.4`. The headings of the
/// Danish handbook have three parts; its sample game castles in move 14 (`14.0-0`).
fn cited(laws: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| !(c.is_ascii_digit() || c == '.' || c.is_ascii_lowercase());
    laws.split(ends)
        .map(|word| word.trim_matches('.'))
        .filter(|word| {
            let dots = word.matches('.').count();
            let letter = usize::from(word.ends_with(|c: char| c.is_ascii_lowercase()));
            let (main, rest) = word.split_at(word.len() - letter);
            let is_number = main.split('.').all(|it| {
                (1..=2).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_digit())
            });
            dots == 1 && is_number && rest.len() < 2 && !main.ends_with(".0")
        })
}
