//! The visitors who are entering. Entering with a PIN may have to wait for its turn and occupies a
//! thread meanwhile. A limit for each origin keeps a crowd from one computer from blocking others.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Origin;

/// How many visitors may be entering at once.
pub(crate) const ALL: usize = 48;

/// How many of them may come from one origin.
const OF_ONE: usize = 3;

/// The visitors who are entering.
#[derive(Clone, Default)]
pub(crate) struct Entrance(Arc<Mutex<Vec<Origin>>>);

/// The place of a visitor who is entering. It is free again when he is in or refused.
pub(crate) struct EntryTicket {
    entrance: Entrance,
    from: Origin,
}

impl Entrance {
    /// Lets a visitor enter, unless too many are entering.
    pub(crate) fn admit(&self, from: &Origin) -> Option<EntryTicket> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_one = all.iter().filter(|it| *it == from).count();
        if all.len() >= ALL || of_one >= OF_ONE {
            return None;
        }
        all.push(from.clone());
        Some(EntryTicket {
            entrance: self.clone(),
            from: from.clone(),
        })
    }
}

impl Drop for EntryTicket {
    fn drop(&mut self) {
        let all = self.entrance.0.lock();
        let mut all = all.unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = all.iter().position(|it| *it == self.from) {
            all.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_from_one_computer_keeps_nobody_out() {
        let entrance = Entrance::default();
        let crowd: Vec<_> = (0..1000)
            .filter_map(|_| entrance.admit(&vec![1, 2, 3]))
            .collect();
        assert_eq!(crowd.len(), OF_ONE);
        let other = entrance.admit(&vec![1, 2, 4]);
        assert!(other.is_some());
        drop(crowd);
        assert!(entrance.admit(&vec![1, 2, 3]).is_some());
    }
}
