//! What we read of PGN, held against a reader that others maintain.

use std::ops::ControlFlow;
use std::path::Path;

use annexd::score::{Letters, read_score, write_move};
use shakmaty::san::SanPlus;

#[test]
fn our_reader_and_the_maintained_one_read_the_same_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut games = 0;
    for file in [
        "tests/scores/classics.pgn",
        "../shared/games/twic1599_100k.pgn",
    ] {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            println!("skipped {file}: it is not there");
            continue;
        };
        let mut theirs = Games(Vec::new());
        pgn_reader::Reader::new(text.as_bytes())
            .visit_all_games(&mut theirs)
            .unwrap();
        for (game, (tags, sans)) in theirs.0.iter().enumerate() {
            let ours = read_score(&text, None, game + 1).unwrap().score;
            let moves: Vec<_> = ours
                .entries()
                .iter()
                .map(|entry| write_move(&entry.notated, Letters::English).replace('0', "O"))
                .map(|san| san.trim_end_matches(['+', '#']).to_owned())
                .collect();
            assert_eq!(moves, *sans, "{file}, game {}", game + 1);
            for (name, value) in tags
                .iter()
                .filter(|(name, value)| name != "Result" && value != "?")
            {
                let own = ours.tag(name);
                assert_eq!(own, Some(value.as_str()), "{file}, game {}", game + 1);
            }
        }
        games += theirs.0.len();
        let one_more = read_score(&text, None, theirs.0.len() + 1);
        assert!(one_more.is_err(), "{file}: there are no more games");
    }
    assert!(games > 0);
}

/// The tags and the moves of each game, as the maintained reader has them.
struct Games(Vec<(Tags, Vec<String>)>);

type Tags = Vec<(String, String)>;

impl pgn_reader::Visitor for Games {
    type Tags = Tags;
    type Movetext = (Tags, Vec<String>);
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<()> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), Self::Movetext> {
        ControlFlow::Continue((tags, Vec::new()))
    }

    fn san(&mut self, (_, sans): &mut Self::Movetext, san: SanPlus) -> ControlFlow<()> {
        sans.push(san.san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Self::Movetext) {
        self.0.push(game);
    }
}
