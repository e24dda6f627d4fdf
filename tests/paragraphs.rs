//! The paragraph that is read to both players, in all four languages.
//!
//! Each file of `tests/paragraphs` has two scores, perhaps boards, a line of dashes, and what is
//! said. `ANNEXD_REWRITE=1 cargo test --test whole paragraphs::` writes the last part anew, for
//! review.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the cases are files, and one variable rewrites them"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use annexd::discrepancy::{ByOwner, Case, read_placement, reconcile};
use annexd::laws::Edition;
use annexd::phrases::verdict;
use annexd::score::read_score;
use annexd::shell::config::data;

const DASHES: &str = "\n----\n";

#[test]
fn paragraphs_are_as_they_were_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/paragraphs");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 8, "only {} cases", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (case, reviewed) = text.split_once(DASHES).unwrap_or((text.trim_end(), ""));
        let said = paragraphs(case);
        if env::var("ANNEXD_REWRITE").is_ok() {
            fs::write(&file, format!("{case}{DASHES}{said}")).unwrap();
        } else {
            assert_eq!(said, reviewed, "{}", file.display());
        }
    }
}

fn paragraphs(case: &str) -> String {
    let part = |name: &str| {
        case.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    let score = |name: &str| read_score(part(name).unwrap(), None, 1).unwrap().score;
    let board = |name: &str| part(name).map(|placement| read_placement(placement).unwrap());
    let (player, opponent) = (score("player"), score("opponent"));
    let report = reconcile(&Case {
        scores: ByOwner {
            player: &player,
            opponent: &opponent,
        },
        boards: ByOwner {
            player: board("player's board"),
            opponent: board("opponent's board"),
        },
        start: None,
        clock_log: &[],
    });
    let mut said = String::new();
    let verdict = verdict(&report, Edition::E2023.rules(), 1);
    for language in ["de", "en", "da", "sv"] {
        let paragraph = data::language(language).unwrap().paragraph(&verdict);
        let _ = writeln!(said, "{language}: {paragraph}");
    }
    said
}
