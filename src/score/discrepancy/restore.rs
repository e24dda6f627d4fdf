//! Carries out the arbiter's decision: back to a ply, and both boards to its position.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use serde::Serialize;
use shakmaty::{Board, Setup};
use thiserror::Error;

use super::owner::{ByOwner, Owner};
use super::placement::{Correction, corrections};
use super::report::{ClockTimes, Position, Report};
use crate::{KeepError, Score, Standing};

/// What the arbiter has decided after a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The ply to which play goes back, at most that of the last agreement.
    pub ply: usize,
    /// The times that the clocks are set to; `None` leaves them as they are.
    pub clocks: Option<ClockTimes>,
}

/// The game after the decision. Penalties and illegal-move counts are not part of it: they stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// Placement, turn, castling rights, en-passant square and counters.
    pub position: Position,
    /// How many entries of each score stay; what comes after is struck out.
    pub entries: ByOwner<usize>,
    /// What the clocks are set to.
    pub clocks: Option<ClockTimes>,
    /// The positions of the game so far, starting position first, each as FEN: what repetition is
    /// counted from.
    pub history: Vec<String>,
    /// The same positions, with everything that FEN holds.
    #[serde(skip)]
    pub setups: Vec<Setup>,
    #[serde(skip)]
    pub(super) standing: Standing,
}

/// Why a decision cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RestoreError {
    /// The scores agree only up to an earlier ply.
    #[error("the scores agree up to ply {0} only; choose that ply or an earlier one")]
    NotAgreed(usize),
    /// A score is signed.
    #[error(transparent)]
    Locked(#[from] KeepError),
}

impl Report {
    /// What the arbiter confirms when he changes nothing.
    pub const fn proposal(&self) -> Decision {
        Decision {
            ply: self.ply,
            clocks: match self.verdict {
                // With agreeing scores the clocks stay (D.2.9).
                super::Verdict::GoBack => self.clocks,
                _ => None,
            },
        }
    }

    /// The same report if the arbiter takes one of its explanations for the true one, counted from
    /// 1. `None` if there is no such explanation, or if it leaves more than one position open.
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

    /// The game after the arbiter's decision.
    ///
    /// # Errors
    ///
    /// [`RestoreError::NotAgreed`] if the scores do not agree that far.
    pub fn restored(&self, decision: Decision) -> Result<Restored, RestoreError> {
        let Some(agreed) = self.agreed.get(..decision.ply) else {
            return Err(RestoreError::NotAgreed(self.agreed.len()));
        };
        let standing = agreed.last().map_or(&self.start, |ply| &ply.after);
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
            standing: standing.clone(),
        })
    }

    /// For each ply up to the restored position the entries, player's and opponent's, that record
    /// it; nothing where a score lacks the move.
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

impl Report {
    /// Where an entry stands on the sheet, if its columns were exchanged to read it.
    fn on_sheet(&self, owner: usize, entry: usize) -> usize {
        let orders = self.orders.as_ref();
        let order = orders.map(|orders| orders.get(Owner::BOTH[owner]));
        order
            .and_then(|order| order.get(entry).copied())
            .unwrap_or(entry)
    }
}

impl Restored {
    /// Strikes out of both scores what comes after the restored position.
    ///
    /// # Errors
    ///
    /// [`RestoreError::Locked`] if a score is signed by both players; then neither is changed.
    pub fn strike_out(&self, player: &mut Score, opponent: &mut Score) -> Result<(), RestoreError> {
        if player.is_locked() || opponent.is_locked() {
            return Err(KeepError::Locked.into());
        }
        player.truncate(self.entries.player)?;
        opponent.truncate(self.entries.opponent)?;
        Ok(())
    }

    /// The placement that both boards must show.
    pub fn board(&self) -> &Board {
        self.standing.board()
    }

    /// What is left to do at a board; nothing when it matches.
    pub fn guidance(&self, board: &Board) -> Vec<Correction> {
        corrections(board, self.board())
    }
}
