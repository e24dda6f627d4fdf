//! How an edition numbers its articles.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The article of one edition for each clause of annexd's catalogue.
///
/// Clauses are named by the numbering of 2017-07, the edition the catalogue was made from. A part
/// of a clause (`D.2.1.a`) that has no number of its own in an edition takes the number of the
/// whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Articles {
    /// Clauses whose number differs, with the article.
    pub renamed: BTreeMap<String, String>,
    /// Clauses that this edition does not have, with all their parts.
    pub absent: Vec<String>,
}

impl Articles {
    /// The article for a clause, or nothing if this edition has no such article.
    pub fn of(&self, clause: &str) -> Option<String> {
        let mut part = clause;
        loop {
            if self.absent.iter().any(|absent| absent == part) {
                return None;
            }
            if let Some(article) = self.renamed.get(part) {
                return Some(article.clone());
            }
            match part.rsplit_once('.') {
                Some((whole, _)) => part = whole,
                None => return Some(without_letter(clause).to_owned()),
            }
        }
    }
}

/// The clause without a last part that is annexd's own letter: `D.2.1.a` is part of D.2.1.
fn without_letter(clause: &str) -> &str {
    match clause.rsplit_once('.') {
        Some((whole, part)) if part.bytes().all(|b| b.is_ascii_lowercase()) => whole,
        _ => clause,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;

    #[track_caller]
    fn check(clause: &str, expected: [&str; 6]) {
        for (edition, expected) in Edition::ALL.into_iter().zip(expected) {
            let article = edition.rules().article(clause).unwrap_or_default();
            assert_eq!(article, expected, "{clause} in {edition}");
        }
    }

    #[test]
    fn a_clause_has_the_number_of_each_edition() {
        check(
            "D.2.3",
            ["F2.3", "E2.3", "D.2.3", "D.2.3", "D.2.3", "D.2.3"],
        );
        check(
            "D.2.4",
            ["F2.3", "E2.3", "D.2.3", "D.2.4", "D.2.4", "D.2.4"],
        );
        check(
            "D.2.10.5",
            [
                "F2.9e", "E2.9e", "D.2.9e", "D.2.10.5", "D.2.10.5", "D.2.10.5",
            ],
        );
        check(
            "D.2.1.d",
            ["F2.1", "E2.1", "D.2.1", "D.2.1", "D.2.1", "D.2.1"],
        );
        check("7.7", ["4.1", "4.1", "4.1", "7.7", "7.5.4", "7.5.4"]);
        check("9.6.1", ["", "", "9.6a", "9.6.1", "9.6.1", "9.6.1"]);
        check(
            "E.8",
            ["A8", "Adjourned games 8", "E.8", "E.8", "I.8", "I.8"],
        );
    }
}
