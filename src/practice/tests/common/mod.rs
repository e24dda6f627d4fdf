//! What the tests of practice share.
#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and touches the world; no test file uses all of this"
)]

#[path = "../../../../tests/common/home.rs"]
mod home;

pub(crate) use home::{Home, PATIENCE, Talk};

/// The program that is tested.
const PROGRAM: &str = env!("CARGO_BIN_EXE_annexd-practice");

impl Home {
    /// Returns the score from the record of the game.
    pub(crate) fn score(&self) -> String {
        let folder = self.path("data/annexd/games");
        let path = folder.join("uebung.annexd");
        let record = annexd::shell::record::store::read(&path).unwrap();
        let game = annexd::journal::replay(&record.entries).unwrap().game;
        annexd::score::to_pgn(&annexd::shell::record::kept_score::kept_score(
            &game,
            &record.entries,
            shakmaty::Color::White,
        ))
    }
}

impl Talk {
    pub(crate) fn count(&self, part: &str) -> usize {
        let lines = self.lines();
        lines.iter().filter(|line| line.contains(part)).count()
    }

    /// Types a line and waits for one more line with this in it.
    #[track_caller]
    pub(crate) fn asks(&mut self, line: &str, answer: &str) {
        let before = self.count(answer);
        self.types(line);
        self.wait_for(answer, before + 1);
    }

    /// Closes its input and waits for its end, which has to be in order.
    pub(crate) fn leaves(self) -> Vec<String> {
        let (status, lines) = self.left();
        assert_eq!(status, Some(0), "{lines:#?}");
        lines
    }
}
