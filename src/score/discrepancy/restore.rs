//! Carries out the arbiter's decision: the game goes back to a ply, and both boards to its
//! position.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use serde::Serialize;
use shakmaty::Setup;
use thiserror::Error;

use super::owner::{ByOwner, Owner};
use super::report::{ClockTimes, Position, ReconcileReport};
use crate::Standing;

/// The arbiter's decision after a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The ply to which the game goes back, at most the last agreed ply.
    pub ply: usize,
    /// The times to which the clocks are set. `None` leaves them as they are.
    pub clocks: Option<ClockTimes>,
}

/// The game after the decision. Penalties and the counts of illegal moves are not part of it and
/// stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// Placement, turn, castling rights, en-passant square and counters.
    pub position: Position,
    /// How many entries of each score stay. Those after them are to be struck out.
    pub entries: ByOwner<usize>,
    /// The times to which the clocks are set.
    pub clocks: Option<ClockTimes>,
    /// The positions of the game so far as FEN, the starting position first. Repetition is counted
    /// from them.
    pub history: Vec<String>,
    /// The same positions as setups.
    #[serde(skip)]
    pub setups: Vec<Setup>,
}

/// Why a decision cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RestoreError {
    /// The scores agree only up to an earlier ply.
    #[error("the scores agree up to ply {0} only; choose that ply or an earlier one")]
    NotAgreed(usize),
}

impl ReconcileReport {
    /// The decision that the arbiter confirms when he changes nothing.
    pub const fn proposal(&self) -> Decision {
        Decision {
            ply: self.ply,
            clocks: match self.verdict {
                // If the scores agree, the clocks stay as they are (D.2.9).
                super::Verdict::GoBack => self.clocks,
                _ => None,
            },
        }
    }

    /// Returns the report in which the arbiter takes one explanation as true, counted from 1.
    /// `None` if there is no such explanation, or if it leaves more than one position open.
    pub fn taking(&self, explanation: usize) -> Option<Self> {
        let way = self.alternatives.get(explanation.checked_sub(1)?)?;
        if way.positions > 1 {
            return None;
        }
        Some(Self {
            verdict: way.verdict,
            agreed_ply: way.agreed_ply,
            ply: way.ply,
            position: Position::after(&self.start, &way.agreed),
            open_offer: way.open_offer,
            clocks: way.clocks,
            faults: way.faults.clone(),
            alternatives: Vec::new(),
            agreed: way.agreed.clone(),
            orders: way.orders.clone(),
            ..self.clone()
        })
    }

    /// Returns the game after the arbiter's decision.
    ///
    /// # Errors
    ///
    /// [`RestoreError::NotAgreed`] if the scores do not agree that far.
    pub fn restored(&self, decision: Decision) -> Result<Restored, RestoreError> {
        let Some(agreed) = self.agreed.get(..decision.ply) else {
            return Err(RestoreError::NotAgreed(self.agreed.len()));
        };
        let entries = agreed.last().map_or([0, 0], |ply| ply.entries);
        let standings = || std::iter::once(&self.start).chain(agreed.iter().map(|ply| &ply.after));
        Ok(Restored {
            position: Position::after(&self.start, agreed),
            entries: ByOwner {
                player: entries[0],
                opponent: entries[1],
            },
            clocks: decision.clocks,
            history: standings().map(Standing::fen).collect(),
            setups: standings().map(Standing::setup).collect(),
        })
    }

    /// Returns, for each ply up to the restored position, the entries that record it, the player's
    /// and the opponent's. `None` where a score lacks the move.
    pub fn kept_entries(&self, restored: &Restored) -> Vec<[Option<usize>; 2]> {
        let plies = restored.setups.len().saturating_sub(1);
        let mut before = [0, 0];
        let agreed = self.agreed.iter().take(plies);
        agreed
            .map(|ply| {
                let kept = [0, 1].map(|owner| {
                    let is_recorded = ply.entries[owner] > before[owner];
                    let entry = ply.entries[owner].checked_sub(1).filter(|_| is_recorded);
                    entry.map(|entry| self.on_sheet(owner, entry))
                });
                before = ply.entries;
                kept
            })
            .collect()
    }
}

impl ReconcileReport {
    /// Returns where an entry stands on the sheet, if its columns were exchanged to read it.
    fn on_sheet(&self, owner: usize, entry: usize) -> usize {
        let orders = self.orders.as_ref();
        let order = orders.map(|orders| orders.get(Owner::BOTH[owner]));
        order
            .and_then(|order| order.get(entry).copied())
            .unwrap_or(entry)
    }
}
