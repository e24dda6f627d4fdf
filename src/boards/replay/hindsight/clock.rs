//! What is known of the clock of a game.

/// Where the clock was stopped.
#[derive(Clone, Copy, Debug)]
struct Stop {
    /// The last node then.
    node: usize,
    /// Whether it was being shown.
    is_in_play: bool,
}

/// Whether there is a clock that runs, and where it was stopped. If it is not started again, what
/// happens after that is no play.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    has_run: bool,
    stop: Option<Stop>,
}

impl Clock {
    /// The clock runs.
    pub(super) const fn run(&mut self) {
        self.has_run = true;
        self.stop = None;
    }

    /// The clock was stopped at this node. A clock that never ran says nothing.
    pub(super) fn stop(&mut self, node: usize, is_shown: bool) {
        if self.has_run {
            self.stop.get_or_insert(Stop {
                node,
                is_in_play: is_shown,
            });
        }
    }

    /// The players have played on to this node, although the clock is stopped.
    pub(super) const fn play_on(&mut self, node: usize) {
        if let Some(stop) = &mut self.stop {
            stop.node = node;
            stop.is_in_play = true;
        }
    }

    /// The last node of play, if the clock is stopped.
    pub(super) fn stopped(&self) -> Option<usize> {
        self.stop.map(|stop| stop.node)
    }

    /// Whether the clock was stopped while the last node of play was shown.
    pub(super) fn is_stopped_in_play(&self) -> bool {
        self.stop.is_some_and(|stop| stop.is_in_play)
    }
}

/// The presses of the clock.
#[derive(Clone, Debug, Default)]
pub(super) struct Presses {
    /// The last node for which it was pressed.
    last: Option<usize>,
    /// The number of presses for nothing that was recognised.
    odd: usize,
    /// Whether the last press was one of these.
    is_open: bool,
}

impl Presses {
    /// A press while nothing known was shown.
    pub(super) const fn press_for_nothing(&mut self) {
        self.odd += 1;
        self.is_open = true;
    }

    /// A press for a node. `is_again`: it is not the first one for it. Then an open press before
    /// was for the move that is taken back, and is explained. `is_odd`: nothing explains this one.
    pub(super) fn press_for(&mut self, node: usize, is_again: bool, is_odd: bool) {
        self.odd += usize::from(is_odd);
        if std::mem::take(&mut self.is_open) && is_again {
            self.odd -= 1;
        }
        self.last = Some(node);
    }

    /// The last node for which the clock was pressed.
    pub(super) const fn last(&self) -> Option<usize> {
        self.last
    }

    /// Whether the last press was for nothing known.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether every press was for a move.
    pub(super) const fn are_explained(&self) -> bool {
        self.odd == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_never_ran_is_not_stopped() {
        let mut clock = Clock::default();
        clock.stop(3, true);
        assert_eq!(clock.stopped(), None);
        clock.play_on(4);
        assert_eq!(clock.stopped(), None);
    }

    #[test]
    fn play_ends_where_the_clock_was_first_stopped_unless_it_goes_on() {
        let mut clock = Clock::default();
        clock.run();
        clock.stop(3, false);
        clock.stop(5, true);
        assert_eq!(clock.stopped(), Some(3));
        assert!(!clock.is_stopped_in_play());
        clock.play_on(4);
        assert_eq!(clock.stopped(), Some(4));
        assert!(clock.is_stopped_in_play());
        clock.run();
        assert_eq!(clock.stopped(), None);
        assert!(!clock.is_stopped_in_play());
    }

    #[test]
    fn a_press_for_nothing_is_explained_by_pressing_back() {
        let mut presses = Presses::default();
        presses.press_for(1, false, false);
        presses.press_for_nothing();
        assert!(presses.is_open() && !presses.are_explained());
        presses.press_for(1, true, false);
        assert!(!presses.is_open() && presses.are_explained());
    }

    #[test]
    fn a_press_for_a_new_move_explains_nothing_before() {
        let mut presses = Presses::default();
        presses.press_for_nothing();
        presses.press_for(1, false, false);
        assert!(!presses.is_open() && !presses.are_explained());
        assert_eq!(presses.last(), Some(1));
    }
}
