//! Differences that the words of an entry tell which was taken for the other score's move.
//!
//! An entry that cannot be read, or is no legal move, is taken for the move of the other score
//! where the rest of both goes on well. But something stands there. The scores may differ there if
//! its own score goes on from another move as well, and if that fits what stands there better. Few
//! plies bear out little: before those it is enough that it fits as well. Where the entry plainly
//! speaks against the move it is taken for, any other will do, until twice as many follow.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::alone::read_on;
use super::class::Class;
use super::fault::{Fault, FaultKind};
use super::handwriting::{READ, SheetLetters, Written};
use super::owner::Owner;
use super::report::{Case, Verdict};
use super::words::marks_capture;
use crate::{Entry, Notated, Reading, Standing};

/// By so much every other move has to fit worse where nothing bears out what an entry is taken for.
const BETTER: u32 = 4;

/// So few plies on which both agree behind an entry bear out little where they differ then.
const FEW: usize = 2;

/// So many bear out what it is taken for against a move that fits as well: six of each side.
const LONG: usize = 12;

/// So many bear out even what an entry plainly speaks against, unless it resembles another move.
const VERY_LONG: usize = 2 * LONG;

/// A legal move that is taken for a slip so few plies from another fault is none for sure.
const NEAR: usize = 2;

/// The same scores, if they differ where words that are taken for a move do not say it.
pub(super) fn differences_written(case: &Case<'_>, start: &Standing, known: &Class) -> Vec<Class> {
    let faults = known.explanation.faults.iter();
    let told = faults.filter_map(|fault| {
        let doubted = Doubted::of(case, start, known, fault)?;
        doubted.is_another().then_some(fault.ply)
    });
    let told = told.chain(unsupported(case, known));
    let mut plies: Vec<usize> = told.chain(slips_beside_faults(known)).collect();
    plies.sort_unstable();
    plies.dedup();
    let parting = plies.into_iter().map(|ply| known.parting_at(ply));
    parting.collect()
}

/// An entry that is taken for a move.
struct Doubted<'a> {
    entry: &'a Entry,
    /// What its own score says behind it on each ply on which both agree, if it has the move, and
    /// the positions before and after that.
    agreed: Vec<(Option<Entry>, [&'a Standing; 2])>,
    /// What its own score says after that, in the order in which it is read.
    rest: Vec<Entry>,
    before: &'a Standing,
    played: Move,
    letters: SheetLetters,
    /// Whether the scores differ then.
    is_parting: bool,
    /// How many entries of its own score can be read on after what both agree on.
    read_here: usize,
    /// Whether that ends at what can be read, and is no legal move.
    is_refuted: bool,
}

impl<'a> Doubted<'a> {
    fn of(case: &Case<'a>, start: &'a Standing, known: &'a Class, fault: &Fault) -> Option<Self> {
        let is_taken = matches!(
            fault.kind,
            FaultKind::Unreadable
                | FaultKind::NotLegal
                | FaultKind::Incomplete
                | FaultKind::WrongOrigin
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
        let played = leading_to(before, &agreed.after)?;
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
        let read = |at: usize| entries.get(place(at)).cloned();
        let behind = known.agreed.get(fault.ply..by_both)?.windows(2).map(|two| {
            let [from, to] = [&two[0], &two[1]].map(|ply| ply.entries[owner as usize]);
            let said = (to > from).then(|| read(to - 1)).flatten();
            (said, [&two[0].after, &two[1].after])
        });
        let last = known.agreed.get(by_both.checked_sub(1)?)?;
        let rest = (last.entries[owner as usize]..entries.len()).filter_map(read);
        let rest: Vec<Entry> = rest.collect();
        let (read_here, after, _) = read_on(&rest, 0, last.after.clone());
        let stop = rest.get(read_here);
        let is_no_move = |it: &Entry| it.notated.is_legible() && after.meanings(it).is_empty();
        let is_refuted = stop.is_some_and(is_no_move);
        Some(Self {
            entry: entries.get(fault.entry)?,
            agreed: behind.collect(),
            rest,
            before,
            played,
            letters: SheetLetters::of(entries),
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
        let behind = self.agreed.len();
        if !written.says_something(&self.letters) {
            let is_open = |other: Move| behind <= LONG && self.goes_on_after(other);
            return behind == 0 || self.others().any(|it| is_open(it) || self.reads_to_end(it));
        }
        let misfit = written.misfit(self.played, &self.letters);
        let fits = |other: Move| written.misfit(other, &self.letters);
        let says_it = self.before.meanings(self.entry).contains(&self.played);
        let is_read = says_it && !self.entry.notated.is_half_read() && !written.has_blots();
        if behind == 0 || self.is_parting && behind < FEW {
            let fits_alone = misfit <= READ && self.others().all(|it| fits(it) >= misfit + BETTER);
            if !is_read && !fits_alone {
                return true;
            }
        }
        let is_against = !says_it && written.speaks_against(self.played, &self.letters);
        if is_against && behind <= VERY_LONG {
            return self.others().any(|it| self.goes_on_after(it));
        }
        let better = if is_read {
            BETTER
        } else {
            u32::from(behind > LONG)
        };
        // Of moves that it says as little as this one, none fits better than the others.
        let is_rival = |other: Move| {
            fits(other) + better <= misfit
                && !(is_against && written.speaks_against(other, &self.letters))
        };
        self.others().any(|other| {
            is_rival(other) && self.goes_on_after(other) || !is_read && self.reads_to_end(other)
        })
    }

    fn others(&self) -> impl Iterator<Item = Move> {
        let legal = self.before.position().map(Position::legal_moves);
        let legal = legal.into_iter().flatten();
        legal.filter(|other| *other != self.played)
    }

    /// Where all that both agree on leads after another move, as far as its own score says it.
    fn led_on(&self, other: Move) -> Option<Standing> {
        let mut standing = self.before.after(other);
        for (said, [before, after]) in &self.agreed {
            let own = said
                .as_ref()
                .map(|said| (before.read(said), standing.read(said)));
            let played = match own {
                Some((Reading::Legal(agreed), Reading::Legal(played)))
                    if agreed.is_capture() <= played.is_capture()
                        || !said.as_ref().is_some_and(marks_capture) =>
                {
                    played
                }
                Some((Reading::Legal(_), _)) => return None,
                // Here one move alone can be meant.
                Some((_, Reading::Legal(played))) => played,
                // What it does not say is the same move, if that is one.
                _ => leading_to(before, after)
                    .and_then(|it| standing.position()?.is_legal(it).then_some(it))?,
            };
            standing = standing.after(played);
        }
        Some(standing)
    }

    /// How many entries of its own score can be read on after a move, behind all on which both
    /// agree.
    fn read_after(&self, played: Move) -> Option<usize> {
        let (read, ..) = read_on(&self.rest, 0, self.led_on(played)?);
        Some(read)
    }

    /// Whether its own score goes on after another move as far as after this one.
    fn goes_on_after(&self, other: Move) -> bool {
        self.read_after(other) >= Some(self.read_here)
    }

    /// Whether its own score goes on to its end after another move, and not after this one.
    fn reads_to_end(&self, other: Move) -> bool {
        self.is_refuted && self.read_after(other) == Some(self.rest.len())
    }
}

/// The legal move that leads from one position to another.
fn leading_to(before: &Standing, after: &Standing) -> Option<Move> {
    let mut legal = before.position()?.legal_moves().into_iter();
    legal.find(|played| before.after(*played).key() == after.key())
}

/// The ply from which on entries are supposed to be missing where nothing bears that out but one of
/// which half can be read, on either sheet.
fn unsupported(case: &Case<'_>, known: &Class) -> Option<usize> {
    let by_both = known.explanation.by_both.min(known.agreed.len());
    let mut back = known.explanation.faults.iter().rev();
    let last = back.next()?;
    let is_unsupported =
        known.is_game() && last.kind == FaultKind::Missing && last.ply + 1 >= by_both;
    let is_of_row =
        |it: &&Fault| (it.kind, it.owner) == (last.kind, last.owner) && it.ply + 1 == last.ply;
    let first = back.next().filter(is_of_row).unwrap_or(last);
    let other = Owner::BOTH.into_iter().find(|it| *it != last.owner)?;
    let there = (first.ply..=last.ply).filter_map(|ply| {
        let read = known.agreed.get(ply)?.entries[other as usize];
        Some((other, read.checked_sub(1)?))
    });
    let mut beside = there.chain([(last.owner, last.entry)]);
    let can_half_be_read = |(owner, at): (Owner, usize)| {
        let entry = case.scores.get(owner).entries().get(at);
        entry.is_some_and(|entry| {
            let has_blots = Written::of(entry, &SheetLetters::of(&[])).has_blots();
            entry.notated.is_half_read() || !entry.notated.is_legible() || has_blots
        })
    };
    (is_unsupported && beside.any(can_half_be_read)).then_some(first.ply)
}

/// The plies on which a legal move is taken for a slip although another fault is supposed near it:
/// the scores may as well differ there, and that fault belong to what follows.
fn slips_beside_faults(known: &Class) -> impl Iterator<Item = usize> {
    let faults = || known.explanation.faults.iter();
    let is_beside = move |slip: &&Fault| {
        faults().any(|fault| fault != *slip && fault.ply.abs_diff(slip.ply) <= NEAR)
    };
    let slips = faults().filter(|it| it.kind == FaultKind::OtherMove);
    let slips = slips.filter(|it| it.ply < known.agreed.len());
    slips.filter(is_beside).map(|slip| slip.ply)
}
