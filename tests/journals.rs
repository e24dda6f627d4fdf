//! Records that earlier versions wrote still give their games.
#![expect(
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and the records are files"
)]

use std::path::Path;

use annexd::journal::{Entry, replay};
use annexd::score::to_pgn;
use shakmaty::Color;

/// Each `.jsonl` is a record as `annexd show --jsonl` printed it; the `.pgn` beside it is White's
/// score of that game.
#[test]
fn records_of_all_versions_replay_to_their_scores() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/v1");
    let mut records = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        records += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let entries: Vec<Entry> = text
            .lines()
            .enumerate()
            .map(|(index, line)| {
                serde_json::from_str(line)
                    .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), index + 1))
            })
            .collect();
        let replayed = replay(&entries).unwrap();
        let score = to_pgn(replayed.game.score(Color::White));
        let expected = std::fs::read_to_string(path.with_extension("pgn")).unwrap();
        assert_eq!(score, expected, "{}", path.display());
    }
    assert!(records > 0);
}
