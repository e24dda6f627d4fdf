//! What one score says by itself: after the end of the other, and after a difference.

use std::rc::Rc;

use annexd_score::Standing;
use shakmaty::Move;

use super::meanings::{alike, place};
use super::oracle::{BORNE_OUT, MOST_ALONE, Oracle, Outcome, State};

/// How soon after a difference a score has to stop making sense, in entries, so that faults may be
/// the whole difference.
const SOON: usize = 2;

impl Oracle<'_> {
    /// Whether a score by itself makes no sense right after a difference.
    pub(super) fn is_senseless(&mut self, state: &State, owner: usize) -> bool {
        let (read, _) = self.read_on(state, owner, 0, state.standing.clone());
        let are_more = self.entry(state, owner, read).is_some();
        read < SOON && are_more && self.alone(state, owner) == MOST_ALONE
    }

    /// A score ends here.
    pub(super) fn end(&mut self, state: &State, left: u32) {
        let owner = usize::from(state.at[0] >= self.scores[0].len());
        // All that was left has to be used up.
        if 2 * self.alone(state, owner) != left {
            return;
        }
        if state.contradicted || state.illegal.is_some() {
            self.parted(state);
        }
        let (mut more, standing) = self.read_on(state, owner, 0, state.standing.clone());
        // What only one of them goes on to say can bear out a slip as well.
        let is_slip = more >= BORNE_OUT;
        if state.illegal.is_some() || state.contradicted && !is_slip {
            return;
        }
        let Some(stop) = self.entry(state, owner, more) else {
            let outcome = Outcome::OneGame(state.ply + more, place(&standing));
            self.found.insert(outcome);
            return;
        };
        // A row that stands there twice is passed over, if all fits then.
        let again = |place: usize| -> bool {
            let at = state.at[owner] + place;
            let entry = |at: usize| {
                let place = state.order[owner].get(at)?;
                self.scores[owner].get(*place)
            };
            let earlier = at.checked_sub(2).and_then(entry);
            earlier
                .zip(entry(at))
                .is_some_and(|(one, two)| alike(one, two))
        };
        if again(more) && again(more + 1) {
            let (to, end) = self.read_on(state, owner, more + 2, Rc::clone(&standing));
            if self.entry(state, owner, to).is_none() {
                let outcome = Outcome::OneGame(state.ply + to - 2, place(&end));
                self.found.insert(outcome);
                return;
            }
        }
        // Nobody else has recorded what was played there: any move that fits all that follows.
        self.found.insert(Outcome::Uncounted);
        let meant = self.moves(&standing, stop);
        let moves: Rc<[Move]> = if meant.is_empty() {
            self.all(&standing)
        } else {
            meant.into()
        };
        more += 1;
        for &played in moves.iter() {
            let after = Rc::new(standing.after(played));
            let (to, end) = self.read_on(state, owner, more, after);
            if self.entry(state, owner, to).is_none() {
                let outcome = Outcome::OneGame(state.ply + to, place(&end));
                self.found.insert(outcome);
            }
        }
    }

    /// Reads a score from an entry on as long as each is one legal move.
    fn read_on(
        &mut self,
        state: &State,
        owner: usize,
        mut more: usize,
        mut standing: Rc<Standing>,
    ) -> (usize, Rc<Standing>) {
        while let Some(entry) = self.entry(state, owner, more) {
            let meant = self.moves(&standing, entry);
            let [only] = meant.as_slice() else { break };
            standing = standing.after(*only).into();
            more += 1;
        }
        (more, standing)
    }
}
