//! Who is coming in just now. With a PIN one may have to wait for one's turn, and keeps a thread
//! meanwhile: so that a crowd from one computer keeps nobody out, each has few.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Origin;

/// So many may come in at once.
pub(crate) const ALL: usize = 48;

/// So many from one place.
const OF_ONE: usize = 3;

/// Those who are coming in.
#[derive(Clone, Default)]
pub(crate) struct Entrance(Arc<Mutex<Vec<Origin>>>);

/// The place of somebody who comes in, until he is in or sent away.
pub(crate) struct Coming {
    entrance: Entrance,
    from: Origin,
}

impl Entrance {
    /// Lets somebody try to come in, unless too many do.
    pub(crate) fn comes(&self, from: &Origin) -> Option<Coming> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_one = all.iter().filter(|it| *it == from).count();
        if all.len() >= ALL || of_one >= OF_ONE {
            return None;
        }
        all.push(from.clone());
        Some(Coming {
            entrance: self.clone(),
            from: from.clone(),
        })
    }
}

impl Drop for Coming {
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
            .filter_map(|_| entrance.comes(&vec![1, 2, 3]))
            .collect();
        assert_eq!(crowd.len(), OF_ONE);
        let other = entrance.comes(&vec![1, 2, 4]);
        assert!(other.is_some());
        drop(crowd);
        assert!(entrance.comes(&vec![1, 2, 3]).is_some());
    }
}
