//! The order in which one voice says things. Pure: time is an argument.

use std::time::{Duration, Instant};

use super::SayingId;
use crate::game::Priority;
use crate::phrases::Phrase;

/// What waits longer than this is stale, unless it is a move.
const STALE_AFTER: Duration = Duration::from_secs(8);
/// Sayings that wait at most; the last that is no move makes room.
const WAITING: usize = 16;

/// Something to be said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) id: SayingId,
    pub(super) phrase: Phrase,
    pub(super) priority: Priority,
    /// When it was asked for.
    pub(super) since: Instant,
}

/// What waits, in order, and what is being said.
#[derive(Debug, Default)]
pub(super) struct Queue {
    saying: Option<Item>,
    waiting: Vec<Item>,
}

/// What a change of the queue asks for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Turn {
    /// Sayings that will never be heard.
    pub(super) dropped: Vec<SayingId>,
    /// Whether the saying under way is to be cut.
    pub(super) cut: bool,
}

impl Queue {
    /// Takes something in.
    ///
    /// - A newer saying of the same key replaces one that waits and is no move.
    /// - A move makes all waiting chatter stale and cuts it.
    /// - A correction drops the announcement that it takes back, if that has not begun yet.
    /// - [`Priority::Now`] cuts what is being said, unless that is a move.
    pub(super) fn push(&mut self, item: Item) -> Turn {
        let mut turn = Turn::default();
        let moves_in = item.phrase.is_announcement();
        let (key, priority) = (item.phrase.key, item.priority);
        self.drop_where(&mut turn, |waiting| {
            let stale = moves_in && waiting.priority == Priority::Normal;
            !waiting.phrase.is_announcement() && (stale || waiting.phrase.key == key)
        });
        if item.phrase.voids_announcement() {
            let mut waiting = self.waiting.iter().rev();
            let void = waiting.find(|waiting| waiting.phrase.is_announcement());
            if let Some(void) = void.map(|void| void.phrase.clone()) {
                self.drop_where(&mut turn, |waiting| waiting.phrase == void);
            }
        }
        turn.cut = self.saying.as_ref().is_some_and(|saying| {
            let gives_way = moves_in && saying.priority == Priority::Normal;
            !saying.phrase.is_announcement() && (priority == Priority::Now || gives_way)
        });
        let less_urgent = |waiting: &Item| waiting.priority < priority;
        let place = self.waiting.iter().position(less_urgent);
        self.waiting
            .insert(place.unwrap_or(self.waiting.len()), item);
        if self.waiting.len() > WAITING {
            let chatter = |waiting: &Item| !waiting.phrase.is_announcement();
            let stale = self.waiting.iter().rposition(chatter).unwrap_or(0);
            turn.dropped.push(self.waiting.remove(stale).id);
        }
        turn
    }

    /// The next thing to say, if nothing is being said; what has become stale is dropped.
    pub(super) fn next(&mut self, now: Instant) -> (Option<Item>, Turn) {
        let mut turn = Turn::default();
        if self.saying.is_some() {
            return (None, turn);
        }
        self.drop_where(&mut turn, |waiting| {
            let waited = now.saturating_duration_since(waiting.since);
            let chatter = !waiting.phrase.is_announcement();
            chatter && waiting.priority == Priority::Normal && waited > STALE_AFTER
        });
        if !self.waiting.is_empty() {
            self.saying = Some(self.waiting.remove(0));
        }
        (self.saying.clone(), turn)
    }

    /// Ends the saying under way, if it is this one.
    pub(super) fn ended(&mut self, id: SayingId) {
        self.saying.take_if(|saying| saying.id == id);
    }

    /// What is being said.
    pub(super) const fn saying(&self) -> Option<&Item> {
        self.saying.as_ref()
    }

    /// Empties the queue and cuts what is being said, a move too: a person asked for silence.
    pub(super) fn silence(&mut self) -> Turn {
        let mut turn = Turn::default();
        self.drop_where(&mut turn, |_| true);
        turn.cut = self.saying.is_some();
        turn
    }

    fn drop_where(&mut self, turn: &mut Turn, is_stale: impl Fn(&Item) -> bool) {
        self.waiting.retain(|waiting| {
            let stale = is_stale(waiting);
            if stale {
                turn.dropped.push(waiting.id);
            }
            !stale
        });
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::notation::Announcement;
    use crate::phrases::{Argument, PhraseKey};

    fn item(id: u64, phrase: Phrase, priority: Priority) -> Item {
        Item {
            id: SayingId(id),
            phrase,
            priority,
            since: Instant::now(),
        }
    }

    fn announced() -> Phrase {
        let announcement = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        Phrase::new(PhraseKey::Announced, [Argument::Move(announcement)])
    }

    fn chatter() -> Phrase {
        Phrase::from(PhraseKey::VoiceLost)
    }

    #[test]
    fn the_more_urgent_comes_first_and_equals_keep_their_order() {
        let mut queue = Queue::default();
        queue.push(item(1, announced(), Priority::Normal));
        queue.push(item(2, announced(), Priority::Next));
        queue.push(item(3, announced(), Priority::Next));
        queue.push(item(4, announced(), Priority::Now));
        let mut order = Vec::new();
        while let (Some(item), _) = queue.next(Instant::now()) {
            order.push(item.id.0);
            queue.ended(item.id);
        }
        assert_eq!(order, [4, 2, 3, 1]);
    }

    #[test]
    fn a_move_is_never_cut_by_chatter_but_by_a_person() {
        let mut queue = Queue::default();
        queue.push(item(1, announced(), Priority::Next));
        queue.next(Instant::now());
        assert!(!queue.push(item(2, chatter(), Priority::Now)).cut);
        let turn = queue.silence();
        assert!(turn.cut);
        assert_eq!(turn.dropped, [SayingId(2)]);
    }

    #[test]
    fn chatter_gives_way_to_a_move() {
        let mut queue = Queue::default();
        queue.push(item(1, chatter(), Priority::Normal));
        queue.next(Instant::now());
        queue.push(item(2, chatter(), Priority::Normal));
        let turn = queue.push(item(3, announced(), Priority::Next));
        assert!(turn.cut);
        assert_eq!(turn.dropped, [SayingId(2)]);
    }

    #[test]
    fn what_is_corrected_before_it_has_begun_is_not_said() {
        let moves = [Square::F3, Square::H3, Square::C3].map(|to| {
            let announcement = Announcement::of_move(Role::Knight, Square::G1, to);
            Phrase::new(PhraseKey::Announced, [Argument::Move(announcement)])
        });
        let mut queue = Queue::default();
        let mut dropped = Vec::new();
        for (id, said) in (0..).zip(moves) {
            let correction = PhraseKey::Corrected.into();
            if id > 0 {
                let turn = queue.push(item(10 + id, correction, Priority::Next));
                assert!(!turn.cut, "an announcement that has begun is finished");
                dropped.extend(turn.dropped);
            }
            dropped.extend(queue.push(item(id, said, Priority::Next)).dropped);
            queue.next(Instant::now());
        }
        assert_eq!(dropped, [SayingId(11), SayingId(1)]);
        let waiting: Vec<u64> = queue.waiting.iter().map(|it| it.id.0).collect();
        assert_eq!(waiting, [12, 2]);
    }

    #[test]
    fn what_waited_too_long_is_dropped() {
        let mut queue = Queue::default();
        queue.push(item(1, chatter(), Priority::Normal));
        let (next, turn) = queue.next(Instant::now() + Duration::from_secs(60));
        assert_eq!((next, turn.dropped), (None, vec![SayingId(1)]));
    }

    #[test]
    fn the_queue_is_bounded() {
        let mut queue = Queue::default();
        for id in 0..100 {
            queue.push(item(id, announced(), Priority::Next));
        }
        assert_eq!(queue.waiting.len(), WAITING);
    }
}
