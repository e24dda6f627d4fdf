//! The order in which one voice says its utterances. Pure: time is an argument.

use std::time::{Duration, Instant};

use super::UtteranceId;
use crate::game::Priority;
use crate::phrases::{Phrase, PhraseKey};

/// How long an utterance may wait before it is stale. A move never becomes stale.
const STALE_AFTER: Duration = Duration::from_secs(8);
/// How long a reminder waits while somebody speaks or is answered. After that the speech may be
/// noise.
const REMINDER_WAIT: Duration = Duration::from_secs(8);
/// How long an ear waits for the table to finish, for nobody understands two voices at once.
const TABLE_WAIT: Duration = Duration::from_secs(4);
/// How many answers may wait. The last that is no move makes room, with all its lines.
const WAITING: usize = 16;

/// The lines that are asked for together. A list with lines left out is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AnswerId(pub(crate) u64);

/// Phrases that state the same thing: a microphone, or a board that is being corrected.
const SAME_THING: [&[PhraseKey]; 2] = [
    &[PhraseKey::MicrophoneMuted, PhraseKey::MicrophoneOpen],
    &[
        PhraseKey::StepMove,
        PhraseKey::StepRemove,
        PhraseKey::StepPlace,
    ],
];

/// One utterance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) id: UtteranceId,
    /// The answer to which it belongs.
    pub(super) answer: AnswerId,
    pub(super) phrase: Phrase,
    pub(super) priority: Priority,
    /// The moment at which it was asked for.
    pub(super) since: Instant,
}

impl Item {
    /// Returns whether the phrase asks for something that somebody owes.
    fn is_reminder(&self) -> bool {
        matches!(
            self.phrase.key,
            PhraseKey::PleaseRepeat | PhraseKey::PleaseAnnounce
        )
    }

    /// Returns whether this utterance is stale as soon as `item` is to be said. That holds if
    /// `item` is the same, or states something that has changed since. Lines of one answer never
    /// replace each other.
    fn is_replaced_by(&self, item: &Self) -> bool {
        if self.answer == item.answer && self.phrase != item.phrase {
            return false;
        }
        let (one, other) = (self.phrase.key, item.phrase.key);
        one == other
            || SAME_THING
                .iter()
                .any(|it| it.contains(&one) && it.contains(&other))
    }
}

/// The utterances that wait, in order, and the current one.
#[derive(Debug, Default)]
pub(super) struct Queue {
    saying: Option<Item>,
    waiting: Vec<Item>,
    /// The answer whose line was said last. Its other lines never become stale.
    begun: Option<AnswerId>,
}

/// What a change of the queue asks its owner to do.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Turn {
    /// Utterances that will never be heard.
    pub(super) dropped: Vec<UtteranceId>,
    /// Whether to cut the current utterance.
    pub(super) cut: bool,
}

impl Queue {
    /// Takes in an utterance.
    ///
    /// - A newer utterance of the same key, or of another state of the same thing, replaces one
    ///   that waits and is no move, unless both are lines of one answer.
    /// - A move drops what waits with [`Priority::Normal`] and is no move, and cuts it. A move or
    ///   its correction goes before all that waits, except what is urgent and other moves and
    ///   corrections.
    /// - A correction drops the announcement that it takes back, if that has not begun.
    /// - [`Priority::Now`] cuts what is being said, unless that is a move.
    pub(super) fn push(&mut self, item: Item) -> Turn {
        let mut turn = Turn::default();
        let moves_in = item.phrase.is_announcement();
        let priority = item.priority;
        self.drop_where(&mut turn, |waiting| {
            let stale = moves_in && waiting.priority == Priority::Normal;
            !waiting.phrase.is_announcement() && (stale || waiting.is_replaced_by(&item))
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
        let is_of_moves = |it: &Item| it.phrase.is_announcement() || it.phrase.voids_announcement();
        let overtakes = is_of_moves(&item);
        let goes_before = |waiting: &Item| {
            let is_overtaken = overtakes && !is_of_moves(waiting) && waiting.priority == priority;
            waiting.priority < priority || is_overtaken
        };
        // A move never passes a move or a correction that was asked for before it.
        let behind = self
            .waiting
            .iter()
            .rposition(|waiting| !goes_before(waiting));
        self.waiting.insert(behind.map_or(0, |last| last + 1), item);
        self.make_room(&mut turn);
        turn
    }

    fn make_room(&mut self, turn: &mut Turn) {
        let mut answers: Vec<AnswerId> = self.waiting.iter().map(|it| it.answer).collect();
        answers.sort_unstable();
        answers.dedup();
        if answers.len() <= WAITING {
            return;
        }
        let chatter = |waiting: &&Item| !waiting.phrase.is_announcement();
        if let Some(last) = self.waiting.iter().rfind(chatter).map(|it| it.answer) {
            self.drop_where(turn, |it| it.answer == last && !it.phrase.is_announcement());
        } else {
            turn.dropped.push(self.waiting.remove(0).id);
        }
    }

    /// Returns the next utterance, if nothing is being said, and drops what has become stale. No
    /// reminder is said while somebody is speaking, for he may be saying what it asks for.
    pub(super) fn next(&mut self, now: Instant, somebody_speaks: bool) -> (Option<Item>, Turn) {
        let mut turn = Turn::default();
        if self.saying.is_some() {
            return (None, turn);
        }
        let begun = self.begun;
        self.drop_where(&mut turn, |waiting| {
            let waited = now.saturating_duration_since(waiting.since);
            let chatter = !waiting.phrase.is_announcement();
            let may_be_stale = chatter && waiting.priority == Priority::Normal;
            may_be_stale && begun != Some(waiting.answer) && waited > STALE_AFTER
        });
        let may_be_said = |waiting: &Item| {
            let waited = now.saturating_duration_since(waiting.since);
            !somebody_speaks || !waiting.is_reminder() || waited > REMINDER_WAIT
        };
        if let Some(next) = self.waiting.iter().position(may_be_said) {
            let next = self.waiting.remove(next);
            self.begun = Some(next.answer);
            self.saying = Some(next);
        }
        (self.saying.clone(), turn)
    }

    /// Drops utterances of this kind that have not begun, because they no longer hold.
    pub(super) fn drop_waiting(&mut self, key: PhraseKey) -> Turn {
        let mut turn = Turn::default();
        self.drop_where(&mut turn, |waiting| waiting.phrase.key == key);
        turn
    }

    /// Returns whether something is being said, or will be as soon as possible.
    pub(super) fn is_at_work(&self) -> bool {
        self.saying.is_some() || self.waiting.iter().any(|waiting| !waiting.is_reminder())
    }

    /// Returns whether everything that waits can wait until another voice has ended.
    pub(super) fn can_wait(&self, now: Instant) -> bool {
        self.waiting.iter().all(|waiting| {
            let waited = now.saturating_duration_since(waiting.since);
            waiting.priority != Priority::Now && waited < TABLE_WAIT
        })
    }

    /// Ends the current utterance, if it is this one.
    pub(super) fn ended(&mut self, id: UtteranceId) {
        self.saying.take_if(|saying| saying.id == id);
    }

    /// The current utterance.
    pub(super) const fn saying(&self) -> Option<&Item> {
        self.saying.as_ref()
    }

    /// Empties the queue and cuts the current utterance, even a move: a person asked for silence.
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
    use crate::phrases::Argument;

    fn item(id: u64, phrase: Phrase, priority: Priority) -> Item {
        Item {
            id: UtteranceId(id),
            answer: AnswerId(id),
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
        while let (Some(item), _) = queue.next(Instant::now(), false) {
            order.push(item.id.0);
            queue.ended(item.id);
        }
        assert_eq!(order, [4, 2, 3, 1]);
    }

    #[test]
    fn a_move_is_never_cut_by_chatter_but_by_a_person() {
        let mut queue = Queue::default();
        queue.push(item(1, announced(), Priority::Next));
        queue.next(Instant::now(), false);
        assert!(!queue.push(item(2, chatter(), Priority::Now)).cut);
        let turn = queue.silence();
        assert!(turn.cut);
        assert_eq!(turn.dropped, [UtteranceId(2)]);
    }

    #[test]
    fn chatter_gives_way_to_a_move() {
        let mut queue = Queue::default();
        queue.push(item(1, chatter(), Priority::Normal));
        queue.next(Instant::now(), false);
        queue.push(item(2, chatter(), Priority::Normal));
        let turn = queue.push(item(3, announced(), Priority::Next));
        assert!(turn.cut);
        assert_eq!(turn.dropped, [UtteranceId(2)]);
    }

    #[test]
    fn a_move_goes_before_remarks_that_wait() {
        let mut queue = Queue::default();
        let corrected = || PhraseKey::Corrected.into();
        let waiting =
            |queue: &Queue| -> Vec<u64> { queue.waiting.iter().map(|it| it.id.0).collect() };
        queue.push(item(1, chatter(), Priority::Next));
        queue.push(item(2, PhraseKey::NothingSaid.into(), Priority::Next));
        queue.push(item(3, announced(), Priority::Next));
        assert_eq!(waiting(&queue), [3, 1, 2]);
        queue.push(item(4, corrected(), Priority::Next));
        queue.push(item(5, announced(), Priority::Next));
        assert_eq!(waiting(&queue), [4, 5, 1, 2]);
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
            queue.next(Instant::now(), false);
        }
        assert_eq!(dropped, [UtteranceId(11), UtteranceId(1)]);
        let waiting: Vec<u64> = queue.waiting.iter().map(|it| it.id.0).collect();
        assert_eq!(waiting, [12, 2]);
    }

    #[test]
    fn what_waited_too_long_is_dropped() {
        let mut queue = Queue::default();
        queue.push(item(1, chatter(), Priority::Normal));
        let (next, turn) = queue.next(Instant::now() + Duration::from_secs(60), false);
        assert_eq!((next, turn.dropped), (None, vec![UtteranceId(1)]));
    }

    #[test]
    fn nobody_is_reminded_while_he_speaks_nor_of_what_he_has_done() {
        let mut queue = Queue::default();
        let reminder = || Phrase::from(PhraseKey::PleaseRepeat);
        queue.push(item(1, reminder(), Priority::Next));
        queue.push(item(2, chatter(), Priority::Next));
        let now = Instant::now();
        let said = |queue: &mut Queue, at, talk| queue.next(at, talk).0.map(|it| it.id.0);
        assert_eq!(said(&mut queue, now, true), Some(2));
        queue.ended(UtteranceId(2));
        assert_eq!(said(&mut queue, now, true), None);
        let noise = now + REMINDER_WAIT + Duration::from_secs(1);
        assert_eq!(said(&mut queue, noise, true), Some(1));
        queue.ended(UtteranceId(1));
        queue.push(item(3, reminder(), Priority::Next));
        let done = queue.drop_waiting(PhraseKey::PleaseRepeat);
        assert_eq!(done.dropped, [UtteranceId(3)]);
        assert_eq!(said(&mut queue, now, false), None);
    }

    #[test]
    fn a_state_that_has_changed_is_not_said() {
        let mut queue = Queue::default();
        let [muted, open] = [PhraseKey::MicrophoneMuted, PhraseKey::MicrophoneOpen];
        queue.push(item(1, chatter(), Priority::Next));
        queue.next(Instant::now(), false);
        queue.push(item(2, muted.into(), Priority::Normal));
        let turn = queue.push(item(3, open.into(), Priority::Now));
        assert_eq!((turn.dropped, turn.cut), (vec![UtteranceId(2)], true));
        let turn = queue.push(item(4, muted.into(), Priority::Normal));
        assert_eq!(turn.dropped, [UtteranceId(3)]);
    }

    #[test]
    fn another_voice_is_let_finish_but_not_for_long() {
        let mut queue = Queue::default();
        let now = Instant::now();
        assert!(queue.can_wait(now));
        queue.push(item(1, PhraseKey::FromWhere.into(), Priority::Next));
        assert!(queue.can_wait(now) && queue.is_at_work());
        assert!(!queue.can_wait(now + TABLE_WAIT + Duration::from_secs(1)));
        queue.push(item(2, chatter(), Priority::Now));
        assert!(!queue.can_wait(now));
        // A reminder that waits for somebody to finish does not delay anything else.
        let mut table = Queue::default();
        table.push(item(3, PhraseKey::PleaseRepeat.into(), Priority::Next));
        assert!(!table.is_at_work());
    }

    fn line(id: u64, answer: u64, key: PhraseKey, square: Square) -> Item {
        Item {
            answer: AnswerId(answer),
            ..item(
                id,
                Phrase::new(key, [Argument::Square(square)]),
                Priority::Normal,
            )
        }
    }

    #[test]
    fn a_list_is_said_line_by_line_to_its_end() {
        let mut queue = Queue::default();
        for square in Square::ALL {
            let line = line(u64::from(square), 100, PhraseKey::BoardHas, square);
            assert_eq!(queue.push(line), Turn::default());
        }
        let mut now = Instant::now();
        let mut said = Vec::new();
        while let (Some(item), turn) = queue.next(now, false) {
            assert_eq!(turn.dropped, []);
            said.push(item.id.0);
            now += Duration::from_secs(2);
            queue.ended(item.id);
        }
        assert_eq!(said, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn a_list_is_replaced_by_the_next_one_and_falls_silent_when_asked_to() {
        let mut queue = Queue::default();
        for (id, square) in (0..).zip([Square::A1, Square::B1, Square::C1]) {
            queue.push(line(id, 100, PhraseKey::StepMove, square));
        }
        queue.next(Instant::now(), false);
        // The board has come to rest meanwhile, so the next instruction is another list.
        let turn = queue.push(line(3, 101, PhraseKey::StepRemove, Square::C1));
        assert_eq!(turn.dropped, [UtteranceId(1), UtteranceId(2)]);
        let turn = queue.push(line(4, 101, PhraseKey::StepPlace, Square::D1));
        assert_eq!(turn.dropped, []);
        let turn = queue.silence();
        assert!(turn.cut && turn.dropped == [UtteranceId(3), UtteranceId(4)]);
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
