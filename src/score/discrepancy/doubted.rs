//! Differences that show in the words of an entry that was taken for the other score's move.
//!
//! An entry that is unreadable or no legal move is taken for the move of the other score, if the
//! rest of both continues well. But the entry has words. The scores may differ there if its own
//! score continues from another move as well, and that move fits the words better. A few agreed
//! plies give little support: before those it is enough that the other move fits as well. If the
//! entry plainly contradicts the move, any other will do, until twice as many plies follow.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::alone::read_on;
use super::class::Class;
use super::fault::{FaultKind, SheetFault};
use super::handwriting::{HandwrittenMove, READ, SheetLetters};
use super::owner::Owner;
use super::report::{Case, Verdict};
use super::words::marks_capture;
use crate::{Entry, Meaning, Notated, Standing};

/// How much worse every other move must fit where nothing supports the move that an entry is taken
/// for.
const BETTER: u32 = 4;

/// So few agreed plies after an entry give little support if the scores differ then.
const FEW: usize = 2;

/// So many agreed plies support a move against another that fits as well: six of each side.
const LONG: usize = 12;

/// So many agreed plies support even a move that the entry plainly contradicts, unless the entry
/// resembles another move.
const VERY_LONG: usize = 2 * LONG;

/// A legal move that is treated as a slip is uncertain so few plies from another fault.
const NEAR: usize = 2;

/// Returns the explanations in which the scores differ at words that do not say the move they are
/// taken for.
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
    /// The words of its own score on each agreed ply after it, if it has the move, and the
    /// positions before and after that ply.
    agreed: Vec<(Option<Entry>, [&'a Standing; 2])>,
    /// The words of its own score after that, in the order in which they are read.
    rest: Vec<Entry>,
    before: &'a Standing,
    played: Move,
    letters: SheetLetters,
    /// Whether the scores differ after the agreed plies.
    is_parting: bool,
    /// How many entries of its own score can be read on after the agreed plies.
    read_here: usize,
    /// Whether reading stops at an entry that is legible but no legal move.
    is_refuted: bool,
}

impl<'a> Doubted<'a> {
    fn of(
        case: &Case<'a>,
        start: &'a Standing,
        known: &'a Class,
        fault: &SheetFault,
    ) -> Option<Self> {
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
        // A player's own board shows what he has played.
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

    /// Returns whether it may be another move.
    fn is_another(&self) -> bool {
        if self.entry.notated == Notated::Blank {
            return false;
        }
        let written = HandwrittenMove::of(self.entry, &self.letters);
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
        // If the words fit other moves as badly as this one, none of those fits better than the
        // others.
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

    /// Returns where the agreed plies lead after another move, as far as its own score has them.
    fn led_on(&self, other: Move) -> Option<Standing> {
        let mut standing = self.before.after(other);
        for (said, [before, after]) in &self.agreed {
            let own = said
                .as_ref()
                .map(|said| (before.read(said), standing.read(said)));
            let played = match own {
                Some((Meaning::Legal(agreed), Meaning::Legal(played)))
                    if agreed.is_capture() <= played.is_capture()
                        || !said.as_ref().is_some_and(marks_capture) =>
                {
                    played
                }
                Some((Meaning::Legal(_), _)) => return None,
                // Only one move can be meant here.
                Some((_, Meaning::Legal(played))) => played,
                // If the score does not have the ply, the same move is assumed, if it is legal.
                _ => leading_to(before, after)
                    .and_then(|it| standing.position()?.is_legal(it).then_some(it))?,
            };
            standing = standing.after(played);
        }
        Some(standing)
    }

    /// Returns how many entries of its own score can be read on after a move and all agreed plies.
    fn read_after(&self, played: Move) -> Option<usize> {
        let (read, ..) = read_on(&self.rest, 0, self.led_on(played)?);
        Some(read)
    }

    /// Returns whether its own score continues after another move as far as after this one.
    fn goes_on_after(&self, other: Move) -> bool {
        self.read_after(other) >= Some(self.read_here)
    }

    /// Returns whether its own score can be read to its end after another move, and not after this
    /// one.
    fn reads_to_end(&self, other: Move) -> bool {
        self.is_refuted && self.read_after(other) == Some(self.rest.len())
    }
}

/// Returns the legal move that leads from one position to another.
fn leading_to(before: &Standing, after: &Standing) -> Option<Move> {
    let mut legal = before.position()?.legal_moves().into_iter();
    legal.find(|played| before.after(*played).key() == after.key())
}

/// Returns the first ply of entries that are assumed missing, if only a half-read entry on either
/// sheet supports that.
fn unsupported(case: &Case<'_>, known: &Class) -> Option<usize> {
    let by_both = known.explanation.by_both.min(known.agreed.len());
    let mut back = known.explanation.faults.iter().rev();
    let last = back.next()?;
    let is_unsupported =
        known.is_game() && last.kind == FaultKind::Missing && last.ply + 1 >= by_both;
    let is_of_row =
        |it: &&SheetFault| (it.kind, it.owner) == (last.kind, last.owner) && it.ply + 1 == last.ply;
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
            let has_blots = HandwrittenMove::of(entry, &SheetLetters::of(&[])).has_blots();
            entry.notated.is_half_read() || !entry.notated.is_legible() || has_blots
        })
    };
    (is_unsupported && beside.any(can_half_be_read)).then_some(first.ply)
}

/// Returns the plies on which a legal move is treated as a slip although another fault is assumed
/// near it. The scores may also differ there, and that fault may belong to what follows.
fn slips_beside_faults(known: &Class) -> impl Iterator<Item = usize> {
    let faults = || known.explanation.faults.iter();
    let is_beside = move |slip: &&SheetFault| {
        faults().any(|fault| fault != *slip && fault.ply.abs_diff(slip.ply) <= NEAR)
    };
    let slips = faults().filter(|it| it.kind == FaultKind::OtherMove);
    let slips = slips.filter(|it| it.ply < known.agreed.len());
    slips.filter(is_beside).map(|slip| slip.ply)
}
