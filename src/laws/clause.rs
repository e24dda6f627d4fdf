//! Each clause of the Laws in annexd's own words, and what annexd does about it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::edition::Edition;

/// A clause, named by the numbering of July 2017.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id: `D.2.9.a`. A last part that is a letter is annexd's own division.
    pub id: String,
    /// Other ids that the same words cover.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What it says, in our words and never in those of the Laws.
    pub says: String,
    /// What annexd does about it.
    pub does: String,
    /// How editions differ, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chapter {
    clause: Vec<Clause>,
}

#[expect(
    clippy::panic,
    reason = "the text is part of the program, and a test reads all of it"
)]
static CLAUSES: LazyLock<Vec<Clause>> = LazyLock::new(|| {
    [
        include_str!("clauses/annex-d.toml"),
        include_str!("clauses/articles-1-to-5.toml"),
        include_str!("clauses/articles-6-to-8.toml"),
        include_str!("clauses/articles-9-to-12.toml"),
        include_str!("clauses/annexes.toml"),
    ]
    .into_iter()
    .flat_map(|text| match toml::from_str::<Chapter>(text) {
        Ok(chapter) => chapter.clause,
        Err(error) => panic!("src/laws/clauses: {error}"),
    })
    .collect()
});

/// A clause in the words of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wording<'a> {
    /// What it says.
    pub says: &'a str,
    /// What annexd does about it.
    pub does: &'a str,
    /// How editions differ, if they do.
    pub differs: Option<&'a str>,
}

#[expect(
    clippy::panic,
    reason = "the text is part of the program, and a test reads all of it"
)]
static GERMAN: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| match toml::from_str(include_str!("clauses/de.toml")) {
        Ok(german) => german,
        Err(error) => panic!("src/laws/clauses/de.toml: {error}"),
    });

impl Clause {
    /// The words of a language: `de`, or else English.
    pub fn wording(&self, language: &str) -> Wording<'_> {
        let german = GERMAN.get(&self.id).filter(|_| language == "de");
        match german.map(Vec::as_slice) {
            Some([says, does, differs @ ..]) => Wording {
                says,
                does,
                differs: differs.first().map(String::as_str),
            },
            _ => Wording {
                says: &self.says,
                does: &self.does,
                differs: self.differs.as_deref(),
            },
        }
    }

    /// The numbers that are most like one that is not there, of the catalogue and of the edition.
    pub fn near(number: &str, edition: Edition) -> Vec<String> {
        let wanted = number.to_lowercase();
        let mut near: Vec<(usize, String)> = Self::all()
            .iter()
            .flat_map(|clause| [Some(clause.id.clone()), clause.article(edition)])
            .flatten()
            .map(|known| {
                let distance = strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
                (distance, known)
            })
            .filter(|(distance, known)| *distance <= 1.max(known.len() / 2))
            .collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().take(4).map(|(_, known)| known).collect()
    }

    /// The editions that have an article of this number.
    pub fn editions_with(number: &str) -> Vec<Edition> {
        let has = |edition: &Edition| !Self::find(number, *edition).is_empty();
        Edition::ALL.into_iter().filter(has).collect()
    }

    /// All clauses, Annex D first.
    pub fn all() -> &'static [Self] {
        &CLAUSES
    }

    /// The clauses that a number asks for: those that this edition numbers so (`F2.3` of 2001),
    /// with all their parts (`D.2.9` gives D.2.9.a, b and c), or else the one with this id.
    pub fn find(number: &str, edition: Edition) -> Vec<&'static Self> {
        let number = number.trim().trim_end_matches('.');
        let found = Self::find_exactly(number, edition);
        if !found.is_empty() || number.is_empty() {
            return found;
        }
        // `D2.9`, `d 2 9` and `F.2.3` are the same number written otherwise.
        let key = |number: &str| number.replace(['.', ' ', '-'], "").to_lowercase();
        let wanted = key(number);
        let rules = edition.rules();
        select(|clause| {
            let article = rules.article(&clause.id);
            clause.ids().any(|id| key(id) == wanted)
                || article.is_some_and(|article| key(&article) == wanted)
        })
    }

    /// First what the edition itself numbers so, since that is what annexd cites; then the id.
    fn find_exactly(number: &str, edition: Edition) -> Vec<&'static Self> {
        let rules = edition.rules();
        let by_article = select(|clause| {
            clause.ids().any(|id| {
                let article = rules.article(id);
                article.is_some_and(|article| is_same_or_part(&article, number))
            })
        });
        if by_article.is_empty() {
            select(|clause| clause.ids().any(|id| is_same_or_part(id, number)))
        } else {
            by_article
        }
    }

    /// Whether it is no clause of the Laws but what follows from several of them for a program.
    pub fn is_derived(&self) -> bool {
        self.id.starts_with('X')
    }

    /// The article of an edition, or nothing if it has none.
    pub fn article(&self, edition: Edition) -> Option<String> {
        if self.is_derived() {
            return None;
        }
        edition.rules().article(&self.id)
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.also.iter().map(String::as_str))
    }
}

fn select(is_wanted: impl Fn(&Clause) -> bool) -> Vec<&'static Clause> {
    Clause::all()
        .iter()
        .filter(|clause| is_wanted(clause))
        .collect()
}

fn is_same_or_part(id: &str, number: &str) -> bool {
    id.get(..number.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(number))
        && matches!(
            id.as_bytes().get(number.len()),
            None | Some(b'.' | b'a'..=b'z')
        )
        && !number.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::Termination;
    use super::*;

    #[track_caller]
    fn check(number: &str, edition: Edition, expected: &[&str]) {
        let found: Vec<&str> = Clause::find(number, edition)
            .into_iter()
            .map(|clause| clause.id.as_str())
            .collect();
        assert_eq!(found, expected, "{number} in {edition}");
    }

    #[test]
    fn a_clause_is_found_by_its_id_its_whole_and_its_article() {
        check("D.2.9", Edition::E2023, &["D.2.9.a", "D.2.9.b", "D.2.9.c"]);
        check("d.2.8", Edition::E2023, &["D.2.8"]);
        check("F2.6", Edition::E2001, &["D.2.8"]);
        check("1.2", Edition::E2023, &["1.1"]);
        check("I.8", Edition::E2023, &["E.8"]);
        check("Z.9", Edition::E2023, &[]);
        check("", Edition::E2023, &[]);
    }

    #[test]
    fn the_number_of_the_edition_goes_before_that_of_the_catalogue() {
        check("7.5.3", Edition::E2018, &["7.8"]);
        check("7.4", Edition::E2001, &["7.5.1", "7.5.2", "7.5.3"]);
        check("6.12", Edition::E2001, &["G.3"]);
        check("D.2.8", Edition::E2014, &["D.2.9.a", "D.2.9.b", "D.2.9.c"]);
    }

    #[test]
    fn no_id_stands_twice_and_every_clause_speaks() {
        let mut ids: Vec<&str> = Clause::all().iter().flat_map(Clause::ids).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        for clause in Clause::all() {
            assert!(clause.says.ends_with(['.', '?']), "{}", clause.id);
            assert!(clause.does.ends_with('.'), "{}", clause.id);
        }
    }

    #[test]
    fn a_number_is_found_however_it_is_written_and_a_wrong_one_has_neighbours() {
        check("D2.8", Edition::E2023, &["D.2.8"]);
        check("f 2 6", Edition::E2001, &["D.2.8"]);
        assert!(Clause::near("D.2.12", Edition::E2023).contains(&"D.2.1".to_owned()));
        assert_eq!(Clause::editions_with("F2.6"), [Edition::E2001]);
    }

    #[test]
    fn every_clause_is_there_in_german_with_the_same_parts() {
        let ids: Vec<&String> = Clause::all().iter().map(|clause| &clause.id).collect();
        assert_eq!(GERMAN.len(), ids.len());
        for clause in Clause::all() {
            let (german, english) = (clause.wording("de"), clause.wording("en"));
            assert_ne!(german.says, english.says, "{}", clause.id);
            assert!(german.does.ends_with('.'), "{}", clause.id);
            let parts = (german.differs.is_some(), english.differs.is_some());
            assert_eq!(parts.0, parts.1, "{}", clause.id);
        }
    }

    #[test]
    fn every_clause_an_edition_renumbers_or_lacks_is_known() {
        for edition in Edition::ALL {
            let articles = &edition.rules().articles;
            for id in articles.renamed.keys().chain(&articles.absent) {
                let is_known = select(|clause| {
                    clause
                        .ids()
                        .any(|own| is_same_or_part(own, id) || is_same_or_part(id, own))
                });
                assert!(!is_known.is_empty(), "{edition}: {id}");
            }
        }
    }

    #[test]
    fn every_end_of_a_game_cites_a_clause_that_is_explained() {
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
            let found = Clause::find(end.clause(), Edition::E2023);
            assert!(!found.is_empty(), "{end:?}");
        }
    }
}
