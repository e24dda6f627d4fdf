//! What the clauses of the Laws say, by edition, and what annexd does about them, from
//! `grammar/<language>/laws.toml`. The words are our own and never those of the Laws.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::LanguageError;
use annexd_laws::{Clause, Edition};
use annexd_score::{Template, read_page};

/// The clauses in the words of one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LawWords {
    page: Page,
    says: BTreeMap<String, Says>,
    does: BTreeMap<String, String>,
}

/// The sentences around a clause. Places: {article}, {clause}, {edition}, {editions}, {does}.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    article: Template,
    absent: Template,
    own: Template,
    does: Template,
    differs: Template,
}

/// What a clause says: in every edition, or from each of these editions until the next.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Says {
    Always(Template),
    Since(BTreeMap<Edition, Template>),
}

impl LawWords {
    /// Reads `laws.toml`.
    ///
    /// # Errors
    ///
    /// If the file is wrong. The error gives the line and the fault.
    pub fn parse(text: &str) -> Result<Self, LanguageError> {
        let file = "laws.toml";
        read_page(text).map_err(|fault| LanguageError { file, fault })
    }

    /// Returns what a clause says in an edition, with the values of that edition. `None` if the
    /// clause said nothing of its own at that time.
    pub fn says(&self, clause: &str, edition: Edition) -> Option<String> {
        let template = match self.says.get(clause)? {
            Says::Always(says) => says,
            Says::Since(says) => says.range(..=edition).next_back()?.1,
        };
        let values = edition.rules().values();
        Some(template.fill(&|place, _| values.get(place).cloned().unwrap_or_default()))
    }

    /// Returns what annexd does about a clause, or about the whole of which it is a part.
    pub fn does(&self, clause: &str) -> Option<&str> {
        let mut whole = clause;
        loop {
            if let Some(does) = self.does.get(whole) {
                return Some(does);
            }
            whole = whole.rsplit_once('.')?.0;
        }
    }

    /// Returns the editions that have the clause in other words than this one, oldest first.
    pub fn differing(&self, clause: &str, edition: Edition) -> Vec<Edition> {
        let here = self.says(clause, edition);
        let has = |other: &Edition| other.rules().article(clause).is_some();
        let differs = |other: &Edition| {
            let there = self.says(clause, *other);
            there.is_some() && there != here
        };
        let others = Edition::ALL.into_iter();
        others.filter(|it| has(it) && differs(it)).collect()
    }

    /// Returns the words of a clause that an edition lacks: those of the next edition that has it,
    /// or else of the last one that had it.
    pub fn says_elsewhere(&self, clause: &str, edition: Edition) -> Option<String> {
        let has = |other: &Edition| other.rules().article(clause).is_some();
        let (earlier, later): (Vec<Edition>, Vec<Edition>) = Edition::ALL
            .into_iter()
            .filter(has)
            .partition(|it| *it < edition);
        let nearest = later.first().or(earlier.last()).copied();
        self.says(clause, nearest.unwrap_or(edition))
    }

    /// Returns a clause as it is read: what it says, what annexd does, and which editions differ.
    /// Empty if the clause says nothing of its own in the edition.
    pub fn lines(&self, clause: Clause, edition: Edition) -> Vec<String> {
        let name = clause.name;
        let (head, says) = match clause.article {
            _ if clause.is_derived() => (&self.page.own, self.says(name, edition)),
            Some(_) => (&self.page.article, self.says(name, edition)),
            None => (&self.page.absent, self.says_elsewhere(name, edition)),
        };
        let Some(says) = says else {
            return Vec::new();
        };
        let edition_name = edition.to_string();
        let places = [
            ("article", clause.article.unwrap_or_default()),
            ("clause", name),
            ("edition", &edition_name),
        ];
        let mut lines = vec![format!("{} {says}", head.filled(&places))];
        if let Some(does) = self.does(name) {
            lines.push(self.page.does.filled(&[("does", does)]));
        }
        let others = self.differing(name, edition);
        if clause.article.is_some() && !others.is_empty() {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            let others = others.join(", ");
            lines.push(self.page.differs.filled(&[("editions", &others)]));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use annexd_score::Part;

    use super::*;

    fn languages() -> [(&'static str, LawWords); 4] {
        [
            ("de", include_str!("../../grammar/de/laws.toml")),
            ("en", include_str!("../../grammar/en/laws.toml")),
            ("da", include_str!("../../grammar/da/laws.toml")),
            ("sv", include_str!("../../grammar/sv/laws.toml")),
        ]
        .map(|(code, text)| (code, LawWords::parse(text).unwrap()))
    }

    /// Clauses that are only cited. Their words are at their parts or at another clause.
    const ONLY_CITED: [&str; 6] = ["7.7", "7.8", "B.4.c", "D.2.9", "G.3.finish", "G.6"];

    #[test]
    fn every_clause_speaks_in_all_languages_and_no_other_does() {
        for (code, words) in languages() {
            for name in Clause::names() {
                let is_cited_only = ONLY_CITED.contains(&name);
                let speaks = words.says.contains_key(name);
                assert_ne!(speaks, is_cited_only, "{code}: {name}");
                assert!(
                    words.does(name).is_some() || is_cited_only,
                    "{code}: {name}"
                );
            }
            let names: Vec<&str> = Clause::names().collect();
            for clause in words.says.keys() {
                assert!(names.contains(&clause.as_str()), "{code}: {clause}");
            }
        }
    }

    #[test]
    fn all_languages_tell_the_same_editions_apart_with_the_same_values() {
        let [(_, german), others @ ..] = languages();
        for (code, words) in others {
            assert_eq!(words.does.len(), german.does.len(), "{code}");
            for (clause, says) in &words.says {
                let [here, there] = [says, &german.says[clause]].map(|says| match says {
                    Says::Always(says) => vec![(None, says.places())],
                    Says::Since(says) => says
                        .iter()
                        .map(|(edition, says)| (Some(*edition), says.places()))
                        .collect(),
                });
                assert_eq!(here, there, "{code}: {clause}");
            }
        }
    }

    #[test]
    fn every_place_is_a_value_of_every_edition_and_every_sentence_ends() {
        for (code, words) in languages() {
            for (clause, says) in &words.says {
                let says: Vec<&Template> = match says {
                    Says::Always(says) => vec![says],
                    Says::Since(says) => says.values().collect(),
                };
                for text in says {
                    let is_whole =
                        matches!(text.parts(), [.., Part::Words(end)] if end.ends_with('.'));
                    assert!(is_whole, "{code} {clause}: {text:?}");
                    for place in text.places() {
                        let values = Edition::E2023.rules().values();
                        assert!(values.contains_key(place), "{code} {clause}: {place}");
                    }
                }
            }
            assert!(words.does.values().all(|does| does.ends_with('.')));
        }
    }

    #[test]
    fn a_sentence_has_the_values_of_its_edition() {
        for (code, words) in languages() {
            let says = |edition| words.says("9.5.3", edition).unwrap();
            assert!(says(Edition::E2009).contains('3'), "{code}");
            assert!(says(Edition::E2014).contains('2'), "{code}");
            let resigned = |edition| words.says("5.1.2", edition).unwrap();
            assert_eq!(resigned(Edition::E2001), resigned(Edition::E2018), "{code}");
            assert!(resigned(Edition::E2023).contains("remis") || code != "de");
            assert_ne!(resigned(Edition::E2018), resigned(Edition::E2023), "{code}");
            assert_eq!(words.says("4.7.3", Edition::E2001), None, "{code}");
        }
    }

    #[test]
    fn what_an_edition_lacks_is_said_from_the_next_that_has_it() {
        let [(_, german), ..] = languages();
        let clause = Clause::find("9.6.1", Edition::E2001)[0];
        let lines = german.lines(clause, Edition::E2001);
        assert!(lines[0].starts_with("9.6.1 steht nicht"), "{}", lines[0]);
        assert!(lines[0].contains("aufeinanderfolgenden"), "{}", lines[0]);
    }
}
