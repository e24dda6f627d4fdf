//! What a text says about a score before its moves are read.

use shakmaty::Color;

use super::kept::{Score, Signature};
use super::list_in::sides_in;
use super::marks;
use super::pgn_out::{LONG, NOTATION, WRITTEN_DATE};
use super::read_score::{ReadNote, ReadNoteKind};
use super::result_words::result_in;
use super::scan::Token;
use super::sheet::Entries;
use super::standing::Standing;
use annexd_laws::GameResult;

/// What a text says before its letters are known.
pub(super) struct Source {
    pub(super) tags: Vec<(String, String)>,
    pub(super) tokens: Vec<Token>,
    pub(super) first_line: usize,
    pub(super) is_pgn: bool,
    pub(super) notes: Vec<ReadNote>,
}

impl Source {
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The result above the moves.
    pub(super) fn result(&self) -> Option<GameResult> {
        result_in(self.tag("Result")?)
    }

    /// Returns a note if the result after the moves differs from the one above them.
    pub(super) fn other_result(&self, entries: &Entries) -> Option<ReadNote> {
        let (above, found) = (self.result()?, entries.result?);
        let kind = ReadNoteKind::OtherResult {
            before: above,
            found,
            taken: above,
        };
        let line = entries.result_line;
        (above != found).then_some(ReadNote { line, kind })
    }

    /// Returns the sides that a line with this name gives.
    pub(super) fn sides(&self, name: &str) -> Vec<Color> {
        let words = self.tag(name).unwrap_or_default();
        sides_in(words).collect()
    }

    pub(super) fn into_score(self, blank: Score, mut entries: Entries) -> Score {
        let keeper = self.sides("ScoreOf").first().copied();
        let result = self.result().or(entries.result);
        let signed = self.sides("Signed");
        if self.is_pgn && self.tag(NOTATION) == Some(LONG) {
            entries.lengthen(Standing::of(blank.start()));
        }
        let mut score = blank;
        // Nothing is signed yet, so nothing can be refused.
        let _ = score.set_keeper(keeper);
        for (name, value) in self.tags {
            let is_date = self.is_pgn && name == WRITTEN_DATE;
            let name = if is_date { "Date".to_owned() } else { name };
            let is_own = matches!(
                name.as_str(),
                "Result" | "SetUp" | "FEN" | "ScoreOf" | "Signed" | "Letters"
            ) || self.is_pgn && name == NOTATION;
            if !self.is_pgn && marks::NAMES.contains(&name.as_str()) {
                let (read, suspended) = (&mut entries.entries, &mut entries.suspended);
                marks::take(&score.start(), &name, &value, read, suspended);
                continue;
            }
            if !is_own && !matches!(value.as_str(), "?" | "????.??.??") {
                let _ = score.set_tag(&name, value);
            }
        }
        score.set_entries(entries.entries, entries.suspended);
        let _ = score.set_result(result);
        for side in signed {
            let _ = score.sign(Signature { side, at: None });
        }
        score
    }
}
