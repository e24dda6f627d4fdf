//! One player's score, with the rules of Article 8.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::fen::Fen;
use shakmaty::{Color, Setup, Square};
use thiserror::Error;

use super::digest::Digest;
use super::entry::{Entry, Provenance};
use super::notated::Notated;
use super::standing::fen_of;
use annexd_laws::GameResult;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;

/// What one player recorded of a game.
///
/// Entry 0 is the first move after the starting position. A score can be changed only while it is
/// not locked. Both signatures lock it (8.7).
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The player whose score it is, or `None` if that is unknown.
    #[serde_as(as = "Option<DisplayFromStr>")]
    #[serde(default)]
    keeper: Option<Color>,
    /// Names and circumstances, in the order of the sheet: `("White", "Anderssen, Adolf")`.
    #[serde(default)]
    tags: Vec<(String, String)>,
    /// The starting position, if it is not the usual one.
    #[serde_as(as = "Option<DisplayFromStr>")]
    #[serde(default)]
    start: Option<Fen>,
    entries: Vec<Entry>,
    /// The entries before which recording was suspended (8.4).
    #[serde(default)]
    suspended: Vec<usize>,
    #[serde(default)]
    result: Option<GameResult>,
    #[serde(default)]
    signatures: Vec<Signature>,
    /// The hash of all this as JSON, from the time of the last signature. `None` if nobody has
    /// signed, or if a program signed that does not make one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<Digest>,
}

/// A player's signature under a score (8.7).
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// Who signed.
    #[serde_as(as = "DisplayFromStr")]
    pub side: Color,
    /// When it was signed, if the program was there.
    #[serde(default)]
    pub at: Option<Moment>,
}

/// Why a score could not be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeepError {
    /// Both players have signed (8.7).
    #[error("the score is signed by both players and can no longer be changed")]
    Locked,
    /// No such entry exists.
    #[error("the score has no such entry")]
    NoSuchEntry,
    /// A score without a result cannot be signed (8.7).
    #[error("a score cannot be signed before it has a result")]
    NoResult,
    /// The player has signed already.
    #[error("this player has signed already")]
    SignedAlready,
}

impl Score {
    /// Makes an empty score from the usual starting position.
    pub const fn new(keeper: Option<Color>) -> Self {
        Self {
            keeper,
            tags: Vec::new(),
            start: None,
            entries: Vec::new(),
            suspended: Vec::new(),
            result: None,
            signatures: Vec::new(),
            digest: None,
        }
    }

    /// Returns the same score with another starting position, which need not be reachable.
    pub fn starting_from(mut self, start: Setup) -> Self {
        self.start = (start != Setup::initial()).then(|| fen_of(start));
        self
    }

    /// The player whose score it is.
    pub const fn keeper(&self) -> Option<Color> {
        self.keeper
    }

    /// Names and circumstances in the order of the sheet.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Returns the value of a name, such as `White`, `Event` or `Date`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The starting position.
    pub fn start(&self) -> Setup {
        self.start
            .as_ref()
            .map_or_else(Setup::initial, |fen| fen.as_setup().clone())
    }

    /// The starting position as FEN, if it is not the usual one.
    pub fn start_fen(&self) -> Option<String> {
        self.start.as_ref().map(Fen::to_string)
    }

    /// The entries, with the first move first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries before which recording was suspended under 8.4. A score that is shorter there
    /// does not differ from the other.
    pub fn suspended(&self) -> &[usize] {
        &self.suspended
    }

    /// The result, if there is one.
    pub const fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The signatures so far.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Returns whether the score is as it was when it was signed. It is `true` too if nobody has
    /// signed it, or if nothing shows it.
    pub fn is_as_signed(&self) -> bool {
        self.digest.is_none_or(|signed| signed == self.digest_now())
    }

    /// Returns whether a change after signing would be noticed.
    pub const fn is_tied_to_signatures(&self) -> bool {
        self.digest.is_some()
    }

    /// The signatures, or none if the score was changed after signing.
    pub fn holding_signatures(&self) -> &[Signature] {
        if self.is_as_signed() {
            &self.signatures
        } else {
            &[]
        }
    }

    fn digest_now(&self) -> Digest {
        let content = Self {
            digest: None,
            ..self.clone()
        };
        // A score can always be written as JSON: its keys are names, and its numbers are whole.
        Digest::of(&serde_json::to_vec(&content).unwrap_or_default())
    }

    /// Returns whether both players have signed (8.7).
    pub fn is_locked(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|side| self.signatures.iter().any(|signed| signed.side == side))
    }

    /// Sets a name or circumstance.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`].
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) -> Result<(), KeepError> {
        self.unlocked()?;
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Records the next move.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`].
    pub fn record(&mut self, entry: Entry) -> Result<(), KeepError> {
        self.unlocked()?;
        self.entries.push(entry);
        Ok(())
    }

    /// Replaces the words of the last entry and keeps the old ones beside it (D.2.8).
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if nothing is recorded yet.
    pub fn correct(&mut self, announced: &Announcement, at: Moment) -> Result<(), KeepError> {
        self.correct_to(Notated::from(announced), at)
    }

    /// Replaces the last entry by something that is no announcement: an unreadable entry or an
    /// empty place.
    ///
    /// # Errors
    ///
    /// As [`Score::correct`].
    pub fn correct_to(&mut self, notated: Notated, at: Moment) -> Result<(), KeepError> {
        let last = self.last()?;
        let slip = std::mem::replace(&mut last.notated, notated);
        last.slips.push(slip);
        last.left = None;
        last.at = Some(at);
        Ok(())
    }

    /// Writes the last entry anew, as if it had been so from the start. A person who takes a score
    /// down corrects himself and not a player's sheet.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if nothing is recorded yet.
    pub fn write_anew(&mut self, entry: Entry) -> Result<(), KeepError> {
        *self.last()? = entry;
        Ok(())
    }

    /// Writes the last entry in the keeper's own words: his repetition of the opponent's move
    /// instead of the announcement. `left` is the square of departure, if a board showed it.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if nothing is recorded yet.
    pub fn rewrite(
        &mut self,
        repeated: &Announcement,
        left: Option<Square>,
        at: Moment,
    ) -> Result<(), KeepError> {
        let last = self.last()?;
        let notated = Notated::from(repeated);
        if notated != last.notated {
            last.notated = notated;
            last.left = left;
            last.at = Some(at);
        }
        Ok(())
    }

    /// Marks a draw offer beside the last entry: (=) (8.1.5).
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if nothing is recorded yet.
    pub fn mark_offer(&mut self) -> Result<(), KeepError> {
        self.last()?.offer = true;
        Ok(())
    }

    /// Records the time left to the player who made the last entry.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if nothing is recorded yet.
    pub fn note_clock(&mut self, left: Duration) -> Result<(), KeepError> {
        self.last()?.clock = Some(left);
        Ok(())
    }

    /// Suspends recording from here on (8.4). The game decides when that is allowed.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`].
    pub fn suspend(&mut self) -> Result<(), KeepError> {
        self.unlocked()?;
        let here = self.entries.len();
        if self.suspended.last() != Some(&here) {
            self.suspended.push(here);
        }
        Ok(())
    }

    /// Records afterwards whether recording was suspended before an entry, or before the next one.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if the score is shorter.
    pub fn mark_suspended(&mut self, before: usize, suspended: bool) -> Result<(), KeepError> {
        self.unlocked()?;
        if before > self.entries.len() {
            return Err(KeepError::NoSuchEntry);
        }
        self.suspended.retain(|&at| at != before);
        if suspended {
            self.suspended.push(before);
            self.suspended.sort_unstable();
        }
        Ok(())
    }

    /// Records afterwards how entries came into the score (8.5).
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if there are none, or not so many.
    pub fn mark(
        &mut self,
        entries: RangeInclusive<usize>,
        provenance: Provenance,
    ) -> Result<(), KeepError> {
        self.unlocked()?;
        let entries = self.entries.get_mut(entries);
        let entries = entries.filter(|those| !those.is_empty());
        for entry in entries.ok_or(KeepError::NoSuchEntry)? {
            entry.provenance = provenance;
        }
        Ok(())
    }

    /// Fills in entries that were not recorded, from another sheet or a reconstruction (8.5).
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`].
    pub fn complete(
        &mut self,
        missing: impl IntoIterator<Item = Entry>,
        provenance: Provenance,
    ) -> Result<(), KeepError> {
        self.unlocked()?;
        self.entries.extend(missing.into_iter().map(|entry| Entry {
            provenance,
            ..entry
        }));
        Ok(())
    }

    /// Strikes out everything from an entry on, as when the game goes back (7.5.1, D.2.9). Returns
    /// what was struck out.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`], or [`KeepError::NoSuchEntry`] if the score is shorter.
    pub fn truncate(&mut self, entries: usize) -> Result<Vec<Entry>, KeepError> {
        self.unlocked()?;
        if entries > self.entries.len() {
            return Err(KeepError::NoSuchEntry);
        }
        self.suspended.retain(|&at| at <= entries);
        Ok(self.entries.split_off(entries))
    }

    /// Writes the result, or removes it.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`].
    pub fn set_result(&mut self, result: Option<GameResult>) -> Result<(), KeepError> {
        self.unlocked()?;
        if result != self.result {
            // A signature belongs to the result that was read to the player.
            self.reopen();
        }
        self.result = result;
        Ok(())
    }

    /// Signs the score. The second player's signature locks it (8.7).
    ///
    /// # Errors
    ///
    /// [`KeepError::NoResult`] or [`KeepError::SignedAlready`].
    pub fn sign(&mut self, signature: Signature) -> Result<(), KeepError> {
        if self.result.is_none() {
            return Err(KeepError::NoResult);
        }
        if self
            .signatures
            .iter()
            .any(|signed| signed.side == signature.side)
        {
            return Err(KeepError::SignedAlready);
        }
        // A score that was changed after the first signature stays changed.
        let is_as_signed = self.is_as_signed();
        self.signatures.push(signature);
        if is_as_signed {
            self.digest = Some(self.digest_now());
        }
        Ok(())
    }

    /// Unlocks a score on the arbiter's order. Both signatures are struck out (8.7).
    pub fn reopen(&mut self) {
        self.signatures.clear();
        self.digest = None;
    }

    /// Sets the player whose score it is.
    ///
    /// # Errors
    ///
    /// [`KeepError::Locked`].
    pub fn set_keeper(&mut self, keeper: Option<Color>) -> Result<(), KeepError> {
        self.unlocked()?;
        self.keeper = keeper;
        Ok(())
    }

    /// Fills a score, for readers, before anybody can have signed it.
    pub(super) fn set_entries(&mut self, entries: Vec<Entry>, suspended: Vec<usize>) {
        self.entries = entries;
        self.suspended = suspended;
    }

    fn unlocked(&self) -> Result<(), KeepError> {
        if self.is_locked() {
            Err(KeepError::Locked)
        } else {
            Ok(())
        }
    }

    fn last(&mut self) -> Result<&mut Entry, KeepError> {
        self.unlocked()?;
        self.entries.last_mut().ok_or(KeepError::NoSuchEntry)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    fn announced(from: Square, to: Square) -> Entry {
        Entry::announced(
            &Announcement::of_move(Role::Pawn, from, to),
            Moment::from_ms(10),
        )
    }

    #[test]
    fn both_signatures_lock_a_score() {
        let mut score = Score::new(Some(Color::Black));
        score.record(announced(Square::E2, Square::E4)).unwrap();
        let white = Signature {
            side: Color::White,
            at: None,
        };
        let black = Signature {
            side: Color::Black,
            at: Some(Moment::from_ms(20)),
        };
        assert_eq!(score.sign(white), Err(KeepError::NoResult));
        score.set_result(Some(GameResult::Draw)).unwrap();
        score.sign(white).unwrap();
        assert_eq!(score.sign(white), Err(KeepError::SignedAlready));
        assert!(!score.is_locked());
        score.sign(black).unwrap();
        assert!(score.is_locked());
        assert_eq!(score.mark_offer(), Err(KeepError::Locked));
        assert_eq!(score.truncate(0), Err(KeepError::Locked));
        score.reopen();
        assert_eq!(score.mark_offer(), Ok(()));
    }

    #[test]
    fn another_result_needs_new_signatures() {
        let mut score = Score::new(None);
        score.set_result(Some(GameResult::Draw)).unwrap();
        score
            .sign(Signature {
                side: Color::White,
                at: None,
            })
            .unwrap();
        score
            .set_result(Some(GameResult::Won(Color::Black)))
            .unwrap();
        assert!(score.signatures().is_empty());
    }

    #[test]
    fn what_is_changed_after_signing_is_told() {
        let mut score = Score::new(Some(Color::White));
        score.set_tag("White", "Anna").unwrap();
        score.record(announced(Square::E2, Square::E4)).unwrap();
        score.set_result(Some(GameResult::Draw)).unwrap();
        assert!(score.is_as_signed());
        for side in Color::ALL {
            score.sign(Signature { side, at: None }).unwrap();
            assert!(score.is_as_signed());
        }
        let signed = serde_json::to_string(&score).unwrap();
        let read = |json: &str| serde_json::from_str::<Score>(json).unwrap();
        assert!(read(&signed).is_as_signed());
        assert_eq!(read(&signed), score);
        let spaced = signed.replace(',', ", ");
        assert!(read(&spaced).is_as_signed());
        for (there, instead) in [
            ("\"to\":\"e4\"", "\"to\":\"e3\""),
            ("\"1/2-1/2\"", "\"1-0\""),
            ("Anna", "Berta"),
            ("\"keeper\":\"white\"", "\"keeper\":\"black\""),
            ("\"suspended\":[]", "\"suspended\":[0]"),
            ("{\"side\":\"black\",\"at\":null}", ""),
        ] {
            let changed = signed.replace(there, instead).replace(",]", "]");
            assert_ne!(changed, signed, "{there}");
            let mut changed = read(&changed);
            assert!(!changed.is_as_signed(), "{there}");
            assert_eq!(changed.holding_signatures(), []);
            // Another signature does not repair it.
            let _ = changed.sign(Signature {
                side: Color::Black,
                at: Some(Moment::START),
            });
            assert!(!changed.is_as_signed(), "{there}");
            changed.reopen();
            assert!(changed.is_as_signed(), "{there}");
        }
    }

    #[test]
    fn signatures_of_older_files_hold() {
        let old = "{\"entries\":[],\"result\":\"1-0\",\"signatures\":[{\"side\":\"white\"}]}";
        let mut score: Score = serde_json::from_str(old).unwrap();
        assert!(score.is_as_signed());
        assert_eq!(score.holding_signatures().len(), 1);
        let side = Color::Black;
        score.sign(Signature { side, at: None }).unwrap();
        assert!(score.is_as_signed());
        assert!(serde_json::to_string(&score).unwrap().contains("digest"));
    }

    #[test]
    fn a_correction_keeps_the_slip() {
        let mut score = Score::new(None);
        let right = Announcement::of_move(Role::Pawn, Square::E2, Square::E3);
        assert_eq!(
            score.correct(&right, Moment::START),
            Err(KeepError::NoSuchEntry)
        );
        score.record(announced(Square::E2, Square::E4)).unwrap();
        score.correct(&right, Moment::from_ms(30)).unwrap();
        let entry = &score.entries()[0];
        assert_eq!(entry.notated, Notated::from(&right));
        assert_eq!(entry.slips.len(), 1);
    }

    #[test]
    fn recording_is_suspended_and_completed() {
        let mut score = Score::new(Some(Color::White));
        score.record(announced(Square::E2, Square::E4)).unwrap();
        score.suspend().unwrap();
        score.suspend().unwrap();
        assert_eq!(score.suspended(), [1]);
        let missing = [
            announced(Square::E7, Square::E5),
            Entry::new(Notated::Blank),
        ];
        score.complete(missing, Provenance::Reconstructed).unwrap();
        assert_eq!(score.entries()[1].provenance, Provenance::Reconstructed);
    }

    #[test]
    fn marks_are_set_afterwards_and_taken_off() {
        let mut score = Score::new(None);
        for _ in 0..4 {
            score.record(announced(Square::E2, Square::E4)).unwrap();
        }
        score.mark_suspended(4, true).unwrap();
        score.mark_suspended(2, true).unwrap();
        score.mark_suspended(2, true).unwrap();
        assert_eq!(score.suspended(), [2, 4]);
        score.mark_suspended(4, false).unwrap();
        assert_eq!(score.suspended(), [2]);
        assert_eq!(score.mark_suspended(5, true), Err(KeepError::NoSuchEntry));
        score.mark(2..=3, Provenance::Completed).unwrap();
        score.mark(3..=3, Provenance::Recorded).unwrap();
        let marked: Vec<_> = score.entries().iter().map(|it| it.provenance).collect();
        assert_eq!(marked[1..3], [Provenance::Recorded, Provenance::Completed]);
        assert_eq!(marked[3], Provenance::Recorded);
        #[expect(clippy::reversed_empty_ranges, reason = "it is to be refused")]
        for run in [3..=4, 3..=1, 4..=4] {
            let refused = score.mark(run, Provenance::Completed);
            assert_eq!(refused, Err(KeepError::NoSuchEntry));
        }
    }

    #[test]
    fn a_score_survives_json() {
        let mut score = Score::new(Some(Color::White));
        score.set_tag("White", "N.N.").unwrap();
        score.record(announced(Square::E2, Square::E4)).unwrap();
        score.note_clock(Duration::from_secs(5399)).unwrap();
        score.mark_offer().unwrap();
        score.suspend().unwrap();
        score.set_result(Some(GameResult::Draw)).unwrap();
        let json = serde_json::to_string(&score).unwrap();
        assert_eq!(serde_json::from_str::<Score>(&json).unwrap(), score);
    }
}
