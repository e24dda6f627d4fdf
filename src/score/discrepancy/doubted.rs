//! Differences that the words of an entry tell which was taken for the other score's move.
//!
//! An entry that cannot be read, or is no legal move, is taken for the move of the other score
//! where the rest of both goes on well. But something stands there. Where it is plainly not that
//! move, or another move that its own score goes on from fits it better, the scores may differ
//! there. So they may where nothing behind it bears out what it is taken for.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::alone::read_on;
use super::class::Class;
use super::fault::{Fault, FaultKind};
use super::handwriting::{READ, SheetLetters, Written};
use super::report::{Case, Verdict};
use crate::{Entry, Notated, Standing};

/// By so much another move has to fit better.
const BETTER: u32 = 4;

/// So few plies on which both agree behind an entry bear out little.
const FEW: usize = 2;

/// The same scores, if they differ where words that are taken for a move do not say it.
pub(super) fn differences_written(case: &Case<'_>, start: &Standing, known: &Class) -> Vec<Class> {
    let faults = known.explanation.faults.iter();
    let told = faults.filter_map(|fault| {
        let doubted = Doubted::of(case, start, known, fault)?;
        doubted.is_another().then_some(fault.ply)
    });
    let mut plies: Vec<usize> = told.chain(unsupported(case, known)).collect();
    plies.sort_unstable();
    plies.dedup();
    let parting = plies.into_iter().map(|ply| known.parting_at(ply));
    parting.collect()
}

/// An entry that is taken for a move.
struct Doubted<'a> {
    entry: &'a Entry,
    /// What its own score says behind it, in the order in which it is read.
    rest: Vec<Entry>,
    before: &'a Standing,
    played: Move,
    letters: SheetLetters,
    /// How many plies on which both agree stand behind it.
    agreed_behind: usize,
    /// Whether the scores differ then.
    is_parting: bool,
    /// How many entries of its own score can be read on behind it.
    read_here: usize,
    /// Whether that ends at what can be read, and is no legal move.
    is_refuted: bool,
}

impl<'a> Doubted<'a> {
    fn of(case: &Case<'a>, start: &'a Standing, known: &'a Class, fault: &Fault) -> Option<Self> {
        let is_taken = matches!(
            fault.kind,
            FaultKind::Unreadable | FaultKind::NotLegal | FaultKind::Incomplete
        );
        let agreed = known.agreed.get(fault.ply).filter(|_| is_taken)?;
        let by_both = known.explanation.by_both.min(known.agreed.len());
        if fault.ply >= by_both {
            return None;
        }
        let before = match fault.ply.checked_sub(1) {
            None => start,
            Some(ply) => &known.agreed.get(ply)?.after,
        };
        let position = before.position()?;
        let legal = position.legal_moves();
        let leads_there = |played: &Move| before.after(*played).key() == agreed.after.key();
        let played = legal.into_iter().find(leads_there)?;
        let owner = fault.owner;
        // His own board shows what he has played.
        let board = case.boards.get(owner).as_ref();
        if known.is_game() && board.is_some_and(|board| board == known.position(start).board()) {
            return None;
        }
        let entries = case.scores.get(owner).entries();
        let orders = known.explanation.orders.as_ref();
        let place = |at: usize| {
            let order = orders.map(|orders| orders.get(owner));
            order.and_then(|order| order.get(at).copied()).unwrap_or(at)
        };
        let behind = agreed.entries[owner as usize];
        let rest = (behind..entries.len()).filter_map(|at| entries.get(place(at)).cloned());
        let rest: Vec<Entry> = rest.collect();
        let (read_here, after, _) = read_on(&rest, 0, agreed.after.clone());
        let stop = rest.get(read_here);
        let is_no_move = |it: &Entry| it.notated.is_legible() && after.meanings(it).is_empty();
        let is_refuted = stop.is_some_and(is_no_move);
        Some(Self {
            entry: entries.get(fault.entry)?,
            rest,
            before,
            played,
            letters: SheetLetters::of(entries),
            agreed_behind: by_both - fault.ply - 1,
            is_parting: known.verdict == Verdict::GoBack,
            read_here,
            is_refuted,
        })
    }

    /// Whether it may be another move.
    fn is_another(&self) -> bool {
        if self.entry.notated == Notated::Blank {
            return false;
        }
        let written = Written::of(self.entry, &self.letters);
        let is_last = self.agreed_behind == 0;
        let is_soon_over = self.agreed_behind <= FEW;
        if !written.says_something(&self.letters) {
            return is_last
                || self.is_parting && self.agreed_behind < FEW
                || self.others().any(|it| self.reads_to_end(it));
        }
        let misfit = written.misfit(self.played, &self.letters);
        let says_it = self.before.meanings(self.entry).contains(&self.played);
        let is_clear = |other: Move| written.misfit(other, &self.letters) >= misfit + BETTER;
        let is_read = if says_it {
            !self.entry.notated.is_half_read()
        } else {
            misfit <= READ && (!is_soon_over || self.others().all(is_clear))
        };
        let is_beside = self.is_parting && self.agreed_behind < FEW;
        if (is_last || is_beside) && !is_read
            || !says_it && written.is_no_part_of(self.played, &self.letters)
        {
            return true;
        }
        let is_soon_over = is_soon_over && !is_read;
        self.others().any(|other| {
            let fits = written.misfit(other, &self.letters);
            let may_be = fits + BETTER <= misfit || is_soon_over && fits <= misfit;
            may_be && !says_it && self.goes_on_after(other)
                || fits <= misfit && self.reads_to_end(other)
        })
    }

    fn others(&self) -> impl Iterator<Item = Move> {
        let legal = self.before.position().map(Position::legal_moves);
        let legal = legal.into_iter().flatten();
        legal.filter(|other| *other != self.played)
    }

    /// How many entries of its own score can be read on after a move.
    fn read_after(&self, played: Move) -> usize {
        let (read, ..) = read_on(&self.rest, 0, self.before.after(played));
        read
    }

    /// Whether its own score goes on after another move as far as after this one.
    fn goes_on_after(&self, other: Move) -> bool {
        self.read_after(other) >= self.read_here
    }

    /// Whether its own score goes on to its end after another move, and not after this one.
    fn reads_to_end(&self, other: Move) -> bool {
        self.is_refuted && self.read_after(other) == self.rest.len()
    }
}

/// The ply before which an entry is supposed to be missing where nothing bears that out but an
/// entry of which half can be read.
fn unsupported(case: &Case<'_>, known: &Class) -> Option<usize> {
    let by_both = known.explanation.by_both.min(known.agreed.len());
    let last = known.explanation.faults.last()?;
    let entry = case.scores.get(last.owner).entries().get(last.entry)?;
    let is_unsupported = known.is_game()
        && last.kind == FaultKind::Missing
        && last.ply + 1 >= by_both
        && (entry.notated.is_half_read() || !entry.notated.is_legible());
    is_unsupported.then_some(last.ply)
}
