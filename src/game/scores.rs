//! Both players' scores: their moves, the duty to record, looks at the score, the ending and the
//! signatures (8, A.3, D.2.7).

use std::time::Duration;

use shakmaty::{Color, Setup};

use super::ending::Ending;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Sides;
use annexd_laws::{GameResult, Points, RecordingDuty, Rules};
use annexd_score::{Entry, Score, Signature};

/// Both scores. They have the same moves, but a repetition is written in the repeater's own score.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    of: Sides<Score>,
    duty: Sides<RecordingDuty>,
    /// The period each player was in when his duty was last checked.
    period: Sides<usize>,
    /// How often each player has looked at his score (A.3).
    looks: Sides<u32>,
    ending: Option<Ending>,
    signed: Sides<bool>,
}

impl Scores {
    /// Empty scores of a game with this starting position.
    pub(super) fn new(start: &Setup) -> Self {
        Self {
            of: Sides::from_fn(|side| Score::new(Some(side)).starting_from(start.clone())),
            duty: Sides::default(),
            period: Sides::default(),
            looks: Sides::default(),
            ending: None,
            signed: Sides::default(),
        }
    }

    /// A player's score.
    pub(super) const fn of(&self, side: Color) -> &Score {
        match side {
            Color::White => &self.of.white,
            Color::Black => &self.of.black,
        }
    }

    /// Enters a move (8.1.2).
    pub(super) fn record(&mut self, entry: &Entry) {
        self.in_both(|score| score.record(entry.clone()));
    }

    /// Notes a draw offer with the last move (8.1.5).
    pub(super) fn mark_offer(&mut self) {
        self.in_both(Score::mark_offer);
    }

    /// Notes the time left after the last move.
    pub(super) fn note_clock(&mut self, left: Duration) {
        self.in_both(|score| score.note_clock(left));
    }

    /// Strikes out everything after this many plies.
    pub(super) fn truncate(&mut self, plies: usize) {
        self.in_both(|score| score.truncate(plies));
    }

    /// Rewrites the last move in the repeater's own score as he said it (D.2.7).
    pub(super) fn rewrite(
        &mut self,
        repeater: Color,
        said: &Announcement,
        left: Option<shakmaty::Square>,
        now: Moment,
    ) {
        let _ = self.of[repeater].rewrite(said, left, now);
    }

    /// Replaces a player's score after a decision (D.2.9).
    pub(super) fn replace(&mut self, side: Color, score: Score) {
        self.of[side] = score;
    }

    // A score that is signed or has no such move ignores the change, and says so itself.
    fn in_both<T>(&mut self, change: impl Fn(&mut Score) -> T) {
        for side in Color::ALL {
            change(&mut self.of[side]);
        }
    }

    /// Checks whether a player has to record with this time left in this period and this bonus per
    /// move. Returns his duty if it has changed (8.4).
    pub(super) fn watch_duty(
        &mut self,
        rules: &Rules,
        side: Color,
        period: usize,
        (left, bonus): (Duration, Duration),
    ) -> Option<RecordingDuty> {
        let before = self.duty[side];
        let owed = if self.period[side] == period {
            before
        } else {
            RecordingDuty::Owed
        };
        self.period[side] = period;
        self.duty[side] = owed.now(rules, left, bonus);
        Some(self.duty[side]).filter(|after| *after != before)
    }

    /// Whether a player is released from recording.
    pub(super) fn is_released(&self, side: Color) -> bool {
        self.duty[side] == RecordingDuty::Released
    }

    /// Whether neither player has to record.
    pub(super) fn is_nobody_recording(&self) -> bool {
        Color::ALL.into_iter().all(|side| self.is_released(side))
    }

    /// Counts a player's look at his score. Returns how often he has looked.
    pub(super) fn look(&mut self, side: Color) -> u32 {
        self.looks[side] += 1;
        self.looks[side]
    }

    /// How often a player has looked.
    pub(super) fn looks(&self, side: Color) -> u32 {
        self.looks[side]
    }

    /// How the game ended, if it has.
    pub(super) const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether the game is over.
    pub(super) const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Ends the game: both scores get the result.
    pub(super) fn end(&mut self, ending: Ending) {
        self.in_both(|score| score.set_result(ending.result));
        self.ending = Some(ending);
    }

    /// Changes the ending after a later penalty (12.9). Returns the new ending. The scores keep the
    /// signed result.
    pub(super) fn penalised(
        &mut self,
        result: Option<GameResult>,
        points: Option<Points>,
    ) -> Option<Ending> {
        let ending = self.ending.as_mut()?;
        (ending.result, ending.points) = (result, points);
        Some(ending.clone())
    }

    /// Strikes the result out of both scores, with the signatures under it, because the arbiter
    /// decides otherwise (7.5.1, 8.7). Returns whether there was a result.
    pub(super) fn lift_result(&mut self) -> bool {
        if self.ending.take().is_none() {
            return false;
        }
        self.signed = Sides::default();
        self.in_both(|score| {
            score.reopen();
            score.set_result(None)
        });
        true
    }

    /// Whether a player has signed.
    pub(super) fn has_signed(&self, side: Color) -> bool {
        self.signed[side]
    }

    /// Signs both scores for a player (8.7). Returns whether both players have signed.
    pub(super) fn sign(&mut self, now: Moment, side: Color) -> bool {
        self.signed[side] = true;
        let at = Some(now);
        self.in_both(|score| score.sign(Signature { side, at }));
        self.signed.white && self.signed.black
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};
    use annexd_laws::{Edition, Termination};
    use annexd_score::Notated;

    fn scores() -> Scores {
        Scores::new(&Setup::initial())
    }

    fn drawn() -> Ending {
        Ending::of(Termination::Agreement, "9.1".to_owned())
    }

    #[test]
    fn both_scores_get_each_move_and_lose_it_together() {
        let mut scores = scores();
        scores.record(&Entry::new(Notated::Unreadable));
        scores.mark_offer();
        for side in Color::ALL {
            let entries = scores.of(side).entries();
            assert!(entries.len() == 1 && entries[0].offer);
        }
        scores.truncate(0);
        assert!(Color::ALL.map(|side| scores.of(side).entries().is_empty()) == [true; 2]);
    }

    #[test]
    fn a_result_that_is_lifted_takes_the_signatures_with_it() {
        let mut scores = scores();
        assert!(!scores.lift_result());
        scores.end(drawn());
        assert!(scores.is_over());
        assert_eq!(scores.of(White).result(), Some(GameResult::Draw));
        assert!(!scores.sign(Moment::START, White));
        assert!(scores.sign(Moment::START, Black));
        assert!(scores.lift_result());
        assert_eq!(scores.of(Black).result(), None);
        scores.end(drawn());
        assert!(!scores.sign(Moment::START, White), "he signs anew");
    }

    #[test]
    fn penalties_change_an_ending_and_make_none() {
        let mut scores = scores();
        let points = Some(Points { white: 0, black: 1 });
        assert_eq!(scores.penalised(None, points), None);
        scores.end(drawn());
        let ending = scores.penalised(Some(GameResult::HalfFor(Black)), points);
        assert_eq!(ending.and_then(|ending| ending.points), points);
    }

    #[test]
    fn whoever_is_released_stays_so_to_the_end_of_the_period() {
        let mut scores = scores();
        let rules = Edition::default().rules();
        let mut watch = |period, minutes: u64| {
            let left = Duration::from_secs(60 * minutes);
            scores.watch_duty(rules, White, period, (left, Duration::ZERO))
        };
        assert_eq!(watch(0, 20), None);
        assert_eq!(watch(0, 4), Some(RecordingDuty::Released));
        assert_eq!(watch(0, 6), None);
        assert_eq!(watch(1, 20), Some(RecordingDuty::Owed));
        assert!(!scores.is_released(White) && !scores.is_nobody_recording());
    }

    #[test]
    fn looks_are_counted_for_each_player() {
        let mut scores = scores();
        assert_eq!([scores.look(White), scores.look(White)], [1, 2]);
        assert_eq!((scores.looks(White), scores.looks(Black)), (2, 0));
    }
}
