//! A list that is read to one player: its items and how far he has heard it.
//!
//! It is read in one go. A player who stops it, or asks for the next or previous item, hears it
//! item by item from there on.

use super::input::VoiceMark;
use annexd_phrases::Phrase;

/// The list that was read to a player last.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadList {
    items: Vec<Phrase>,
    /// The utterance number that the first item has, or would have.
    first: u32,
    /// The index of the item where the player is.
    at: usize,
    heard: HeardPart,
    /// Whether the following items are said without being asked for.
    in_one_go: bool,
}

/// How much of the current item the player has heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum HeardPart {
    /// Not all of it: it comes next.
    #[default]
    Part,
    /// It is being said now.
    Now,
    /// All of it.
    Whole,
}

impl ReadList {
    /// A list to be said in one go, with utterance numbers from `first` on.
    pub(super) const fn new(items: Vec<Phrase>, first: u32) -> Self {
        Self {
            items,
            first,
            at: 0,
            heard: HeardPart::Part,
            in_one_go: true,
        }
    }

    /// Whether the list is empty.
    pub(super) const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether an item is being said, or more of them will be unless they are silenced.
    pub(super) fn is_under_way(&self) -> bool {
        let is_last = self.at + 1 >= self.items.len() && self.heard == HeardPart::Whole;
        self.heard == HeardPart::Now || self.in_one_go && !is_last
    }

    /// Whether this utterance is one of the items.
    pub(super) fn has(&self, utterance: u32) -> bool {
        self.item(utterance).is_some()
    }

    /// Notes how far the voice has come.
    pub(super) fn mark(&mut self, utterance: u32, mark: VoiceMark) {
        let Some(item) = self.item(utterance) else {
            return;
        };
        match mark {
            VoiceMark::Begun => (self.at, self.heard) = (item, HeardPart::Now),
            VoiceMark::Finished | VoiceMark::Shown => {
                (self.at, self.heard) = (item, HeardPart::Whole);
            }
            VoiceMark::Unheard if item == self.at => self.heard = HeardPart::Part,
            VoiceMark::Unheard => {}
        }
    }

    /// Goes to the next item, or to the current one if it was cut off, to be said with this
    /// utterance number. `None` at the end.
    pub(super) fn forward(&mut self, utterance: u32) -> Option<Phrase> {
        let next = match self.heard {
            HeardPart::Part => self.at,
            HeardPart::Now | HeardPart::Whole => self.at + 1,
        };
        self.go(next, utterance)
    }

    /// Goes to the previous item, or stays at the first, to be said with this utterance number.
    pub(super) fn back(&mut self, utterance: u32) -> Option<Phrase> {
        self.go(self.at.saturating_sub(1), utterance)
    }

    fn go(&mut self, to: usize, utterance: u32) -> Option<Phrase> {
        self.in_one_go = false;
        let item = self.items.get(to).cloned()?;
        self.at = to;
        self.heard = HeardPart::Whole;
        self.first = utterance.wrapping_sub(u32::try_from(to).unwrap_or_default());
        Some(item)
    }

    /// The index of the item that this utterance says.
    fn item(&self, utterance: u32) -> Option<usize> {
        let item = usize::try_from(utterance.wrapping_sub(self.first)).ok()?;
        (item < self.items.len()).then_some(item)
    }
}

#[cfg(test)]
mod tests {
    use annexd_phrases::{Argument, PhraseKey};

    use super::*;

    fn phrase(number: u32) -> Phrase {
        Phrase::new(PhraseKey::MovesMade, [Argument::Number(number)])
    }

    /// Three items with the utterance numbers 11 to 13.
    fn reading() -> ReadList {
        ReadList::new((0..3).map(phrase).collect(), 11)
    }

    #[test]
    fn nothing_is_read_at_first() {
        let mut none = ReadList::default();
        assert!(none.is_empty());
        assert!(!none.has(0));
        assert_eq!(none.forward(1), None);
        assert_eq!(none.back(1), None);
    }

    #[test]
    fn what_was_cut_off_comes_again_and_what_was_heard_does_not() {
        let mut list = reading();
        list.mark(11, VoiceMark::Finished);
        list.mark(12, VoiceMark::Begun);
        list.mark(12, VoiceMark::Unheard);
        list.mark(13, VoiceMark::Unheard);
        assert_eq!(list.forward(20), Some(phrase(1)));
        assert_eq!(list.forward(21), Some(phrase(2)));
        assert_eq!(list.forward(22), None);
        // It stays at the last item.
        assert_eq!(list.back(23), Some(phrase(1)));
    }

    #[test]
    fn who_goes_on_while_an_item_is_said_hears_the_next() {
        let mut list = reading();
        list.mark(11, VoiceMark::Begun);
        assert!(list.is_under_way());
        assert_eq!(list.forward(20), Some(phrase(1)));
        // The marks of silenced items come late and change nothing.
        list.mark(12, VoiceMark::Unheard);
        assert_eq!(list.forward(21), Some(phrase(2)));
    }

    #[test]
    fn back_goes_to_the_item_before_and_not_beyond_the_first() {
        let mut list = reading();
        list.mark(12, VoiceMark::Finished);
        assert_eq!(list.back(20), Some(phrase(0)));
        assert_eq!(list.back(21), Some(phrase(0)));
        list.mark(21, VoiceMark::Begun);
        assert_eq!(list.forward(22), Some(phrase(1)));
    }

    #[test]
    fn a_list_that_was_read_to_its_end_is_under_way_no_more() {
        let mut list = reading();
        assert!(list.is_under_way());
        assert!(list.has(11) && list.has(13) && !list.has(10) && !list.has(14));
        for utterance in 11..=13 {
            list.mark(utterance, VoiceMark::Shown);
        }
        assert!(!list.is_under_way());
        assert_eq!(list.forward(20), None);
    }
}
