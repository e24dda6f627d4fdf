//! Assumes the faults that can explain why two scores do not say the same.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Piece, Position, Role, Square};

use super::costs::FAULT;
use super::explain::{Advance, ReadOrder, Search, one};
use super::fault::{FaultKind, SheetFault};
use super::owner::Owner;
use super::words::{can_be_the_same, differ_in_origin, is_doubled, same_words};
use crate::{Entry, Meaning, Notated, NotatedMove, PartialSquare};

/// The orders in which exchanged entries are read, and how many of them must stand where the other
/// score has them.
pub(super) const ORDERS: [(&[usize], usize); 4] = [
    (&[1, 0], 1),
    (&[2, 1, 0], 2),
    (ROWS, 2),
    (&[4, 1, 2, 3, 0], 5),
];

/// The order of two exchanged rows.
const ROWS: &[usize] = &[2, 3, 0, 1];

/// The order as written, as long as the longest other order.
const AS_WRITTEN: [usize; 5] = [0, 1, 2, 3, 4];

/// How many plies two different ways to the same position may take.
const OTHER_ORDER: usize = 8;

impl Search<'_> {
    /// Assumes every fault that can be here.
    pub(super) fn suppose_faults(&mut self, node: usize) {
        if !self.together {
            for owner in [0, 1] {
                self.suppose_extra(node, owner);
                self.suppose_row(node, owner);
            }
        }
        let [a, b] = self.nodes[node].at;
        if a >= self.list(node, 0).len() || b >= self.list(node, 1).len() {
            return;
        }
        let meant = self.meanings(node);
        self.suppose_misread(node, &meant);
        if self.together {
            return;
        }
        for owner in [0, 1] {
            self.suppose_missing(node, owner, &meant);
            self.suppose_transposed(node, owner, &meant);
        }
        if self.can_differ(node, &meant) && !self.suppose_other_order(node, &meant) {
            self.end_in_difference(node);
        }
    }

    /// Returns whether the scores can differ permanently here: each has a legal move, and not the
    /// same; or neither has one; or only one has, and they do not continue in the same words, as
    /// they do after a slip.
    fn can_differ(&self, node: usize, meant: &[Vec<Move>; 2]) -> bool {
        let [a, b] = self.here(node);
        if !a.notated.is_legible() || !b.notated.is_legible() {
            return self.is_no_such_move(node, meant);
        }
        // Nobody can tell among exchanged entries, unless both agree on half of them, read or still
        // to come.
        let point = &self.nodes[node];
        let is_told = |owner: usize| {
            point.ahead[owner].is_none_or(|ahead| {
                let left = 1..ahead.order.len() - ahead.read;
                let alike = left.filter(|&more| self.says_there(node, owner, more, more));
                ahead.read + alike.count() >= ahead.order.len().div_ceil(2)
            })
        };
        let is_busy = point.ahead != [None, None];
        if is_busy && (point.anchor.is_some() || [0, 1].map(is_told) != [true; 2]) {
            return false;
        }
        if meant.iter().all(Vec::is_empty) {
            !can_be_the_same(&a.notated, &b.notated)
                && !(0..2).any(|owner| self.is_doubled(node, owner))
        } else {
            let is_slip = |owner: usize| {
                let entry = [a, b][owner];
                meant[owner].is_empty() && !self.says_another(node, owner, meant)
                    || is_odd_capture(&entry.notated, &meant[owner])
            };
            let is_one_slip = [0, 1].into_iter().any(is_slip);
            let agree = meant[0].iter().any(|played| meant[1].contains(played));
            !(agree || is_one_slip && self.rest(node).goes_on_side_by_side())
        }
    }

    /// Returns whether the next entry of a score repeats one of the two before it. Castling of both
    /// sides in succession does not count.
    fn is_doubled(&self, node: usize, owner: usize) -> bool {
        let point = &self.nodes[node];
        let castles = |entry: &Entry| {
            let is_castling = matches!(entry.notated, Notated::Castling(_));
            is_castling && !point.standing.meanings(entry).is_empty()
        };
        if self.upcoming(node, owner, 0).is_some_and(castles) {
            return false;
        }
        point.ahead[owner].is_none() && is_doubled(self.list(node, owner), point.at[owner])
    }

    fn fault(&self, node: usize, owner: usize, kind: FaultKind) -> SheetFault {
        SheetFault {
            owner: Owner::BOTH[owner],
            entry: self.on_sheet(node, owner, self.place(node, owner, 0)),
            ply: self.nodes[node].ply,
            kind,
            until: None,
        }
    }

    /// Assumes that an entry does not count. It repeats one of the two before it, or is an empty
    /// place in between, or nothing fits it.
    fn suppose_extra(&mut self, node: usize, owner: usize) {
        let Some(entry) = self.upcoming(node, owner, 0) else {
            return;
        };
        let standing = &self.nodes[node].standing;
        let kind = if entry.notated == Notated::Blank {
            FaultKind::Blank
        } else if self.is_doubled(node, owner) {
            FaultKind::Doubled
        } else {
            let meant = |entry: Option<&Entry>| {
                entry.map_or_else(Vec::new, |entry| standing.meanings(entry))
            };
            let theirs = self.upcoming(node, 1 - owner, 0);
            let says_the_same = |it: &Entry| can_be_the_same(&it.notated, &entry.notated);
            let ours = meant(Some(entry));
            let is_theirs = meant(theirs).iter().any(|it| ours.contains(it));
            // An entry that both have is too many in neither. Among exchanged entries, one too many
            // could be anywhere.
            let is_busy = self.nodes[node].ahead != [None, None];
            if is_busy || is_theirs || theirs.is_some_and(says_the_same) {
                return;
            }
            // An unreadable entry stands for a move, unless that move is directly after it.
            let next = meant(self.upcoming(node, owner, 1));
            let follows = meant(theirs).iter().any(|it| next.contains(it));
            let is_sure = self.nodes[node].anchor.is_none() && follows;
            if !entry.notated.is_legible() && !is_sure {
                return;
            }
            FaultKind::Extra
        };
        let fault = self.fault(node, owner, kind);
        let standing = standing.clone();
        let agreed = self.nodes[node].anchor.is_none();
        let step = Advance {
            entries: one(owner),
            plies: 0,
            standing,
            faults: vec![fault],
            agreed,
            more: 0,
        };
        self.go(node, step);
    }

    /// Assumes that two entries of a score are missing in the other, or are there twice.
    fn suppose_row(&mut self, node: usize, owner: usize) {
        let at = self.nodes[node].at[owner];
        let entries = self.list(node, owner);
        let [first, second] = [0, 1].map(|more| self.upcoming(node, owner, more));
        let (Some(first), Some(second)) = (first, second) else {
            return;
        };
        let row = |owner: usize, kind: FaultKind, plies: [usize; 2]| {
            plies.map(|more| {
                let mut fault = self.fault(node, owner, kind);
                fault.ply += more;
                fault
            })
        };
        let is_busy = self.nodes[node].ahead[owner].is_some();
        // If the columns are read exchanged, the previous row may have been in the right order.
        let plain = self.lists.of(owner, false);
        let is_again = [entries, plain].into_iter().any(|earlier| {
            let mut row = [at, at + 1].into_iter();
            row.all(|at| is_doubled_row(entries, earlier, at))
        });
        if !is_busy && at >= 2 && is_again {
            let mut faults = row(owner, FaultKind::Doubled, [0, 0]);
            faults[1].entry += 1;
            let step = Advance {
                entries: one(owner).map(|entries| 2 * entries),
                plies: 0,
                standing: self.nodes[node].standing.clone(),
                faults: faults.to_vec(),
                agreed: self.nodes[node].anchor.is_none(),
                more: 0,
            };
            self.go(node, step);
            return;
        }
        let other = 1 - owner;
        if self.nodes[node].at[other] >= self.list(node, other).len() {
            return;
        }
        let before = &self.nodes[node].standing;
        let Meaning::Legal(played) = before.read(first) else {
            return;
        };
        let between = before.after(played);
        let Meaning::Legal(answer) = between.read(second) else {
            return;
        };
        let step = Advance {
            entries: one(owner).map(|entries| 2 * entries),
            plies: 2,
            standing: between.after(answer),
            faults: row(other, FaultKind::Missing, [0, 1]).to_vec(),
            agreed: false,
            more: 0,
        };
        if let Some(next) = self.go(node, step) {
            self.nodes[next].between = vec![between];
        }
    }

    /// Assumes that one or both entries are incomplete, illegible or not legal.
    fn suppose_misread(&mut self, node: usize, meant: &[Vec<Move>; 2]) {
        let incomplete = [0, 1].map(|owner| meant[owner].len() > 1);
        for &played in &meant[0] {
            if meant[1].contains(&played) && incomplete.contains(&true) {
                let faults = self.incomplete(node, incomplete);
                self.step(node, [1, 1], played, faults, true);
            }
        }
        for owner in [0, 1] {
            let other = 1 - owner;
            if let [_] = meant[owner].as_slice() {
                let named = self.in_full(node, owner);
                for &played in &meant[other] {
                    if differ_in_origin(&named, &Notated::of_move(played)) {
                        let mut faults = self.incomplete(node, incomplete);
                        faults.push(self.fault(node, owner, FaultKind::OtherOrigin));
                        self.step(node, [1, 1], played, faults, false);
                    }
                }
            }
            self.suppose_other_move(node, owner, meant);
            let notated = &self.here(node)[owner].notated;
            if !(meant[owner].is_empty() || is_odd_capture(notated, &meant[owner]))
                || meant[other].is_empty()
                || meant[other] == meant[owner]
            {
                continue;
            }
            let choices: Vec<_> = meant[other]
                .iter()
                .map(|&played| (played, misreading(notated, played)))
                .collect();
            let is_one = choices.len() == 1;
            let says_another = self.says_another(node, owner, meant);
            for (played, kind) in choices {
                let mut faults = self.incomplete(node, incomplete);
                faults.push(self.fault(node, owner, kind));
                // A player who names an impossible square of departure means the only move there
                // is.
                let agreed = is_one && kind == FaultKind::WrongOrigin;
                // But if another move is meant, the entry fits this one as little as a legal one
                // would.
                let is_other = says_another && kind == FaultKind::NotLegal;
                let more = if is_other { FAULT } else { 0 };
                let step = Advance {
                    entries: [1, 1],
                    plies: 1,
                    standing: self.nodes[node].standing.after(played),
                    faults,
                    agreed,
                    more,
                };
                self.go(node, step);
            }
        }
        if meant.iter().all(Vec::is_empty) {
            self.suppose_two_origins(node);
        }
        let here = self.here(node).map(|entry| &entry.notated);
        let are_unread = here.iter().any(|it| !it.is_legible()) || are_half_read(here);
        if meant.iter().all(Vec::is_empty) && are_unread {
            let kinds = self.here(node).map(|entry| unread(&entry.notated));
            let faults = vec![self.fault(node, 0, kinds[0]), self.fault(node, 1, kinds[1])];
            self.any_move(node, [1, 1], &faults);
        }
    }

    /// Returns the moves that the next entry of a score can mean if its square of departure is
    /// wrong, because no move is possible from it.
    fn but_for_origin(&self, node: usize, owner: usize) -> Vec<Move> {
        let entry = self.here(node)[owner];
        let Notated::Move(notated) = &entry.notated else {
            return Vec::new();
        };
        let standing = &self.nodes[node].standing;
        let is_named = notated.from != PartialSquare::UNKNOWN;
        if !is_named || notated.to.square().is_none() || !standing.meanings(entry).is_empty() {
            return Vec::new();
        }
        standing.meanings(&Entry::new(Notated::Move(NotatedMove {
            from: PartialSquare::UNKNOWN,
            ..*notated
        })))
    }

    /// Returns whether an entry without a meaning names another move than the other score, except
    /// for an impossible square of departure.
    fn says_another(&self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) -> bool {
        let named = self.but_for_origin(node, owner);
        let theirs = &meant[1 - owner];
        !named.is_empty() && !named.iter().any(|played| theirs.contains(played))
    }

    /// Assumes that both name the same move, except for impossible squares of departure.
    fn suppose_two_origins(&mut self, node: usize) {
        let [one, other] = self.here(node).map(|entry| &entry.notated);
        if same_words(one, other) && self.can_be_one_illegal(node) {
            return;
        }
        let named = self.named_by_both(node);
        let faults = [0, 1].map(|owner| self.fault(node, owner, FaultKind::WrongOrigin));
        for &played in &named {
            self.step(node, [1, 1], played, faults.to_vec(), named.len() == 1);
        }
    }

    /// Returns whether both entries, neither of which is legal, can be the same illegal move. A
    /// piece must stand on the named square of departure, if a move is legal except for that
    /// square.
    ///
    /// If neither says where the piece goes, nobody can call it illegal, because the illegible part
    /// may be the legal rest.
    pub(super) fn can_be_one_illegal(&self, node: usize) -> bool {
        let [one, other] = self.here(node).map(|entry| &entry.notated);
        if are_half_read([one, other]) {
            return false;
        }
        let (Notated::Move(ours), Notated::Move(theirs)) = (one, other) else {
            return can_be_the_same(one, other);
        };
        let standing = &self.nodes[node].standing;
        let turn = standing.turn();
        let is_there = |square: Square, piece: Piece| {
            piece.color == turn
                && Some(piece.role) == ours.piece.or(theirs.piece)
                && [ours, theirs].iter().all(|it| it.from.fits(square))
        };
        let mut pieces = standing.board().clone().into_iter();
        can_be_the_same(one, other)
            && (pieces.any(|(square, piece)| is_there(square, piece))
                || self.named_by_both(node).is_empty())
    }

    /// Returns the moves that both name, except for impossible squares of departure.
    fn named_by_both(&self, node: usize) -> Vec<Move> {
        let [mut one, other] = [0, 1].map(|owner| self.but_for_origin(node, owner));
        one.retain(|played| other.contains(played));
        one
    }

    /// Assumes that one of two legal moves is a slip that the rest of its score does not fit.
    fn suppose_other_move(&mut self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) {
        if self.nodes[node].ahead != [None, None] {
            return;
        }
        let says_other = |other: Move| {
            let other = Notated::of_move(other);
            let mut own = meant[owner].iter().map(|&played| Notated::of_move(played));
            !meant[owner].is_empty()
                && own.all(|own| own != other && !differ_in_origin(&own, &other))
        };
        if let [other] = meant[1 - owner].as_slice()
            && says_other(*other)
            && !is_odd_capture(&self.here(node)[owner].notated, &meant[owner])
        {
            let fault = self.fault(node, owner, FaultKind::OtherMove);
            self.step(node, [1, 1], *other, vec![fault], false);
        }
    }

    /// Returns what the next entry of a score says, in full if it leaves out squares and means one
    /// move.
    pub(super) fn in_full(&self, node: usize, owner: usize) -> Notated {
        let entry = self.here(node)[owner];
        match (&entry.notated, self.nodes[node].standing.read(entry)) {
            (Notated::Move(notated), Meaning::Legal(played)) if notated.to.square().is_none() => {
                Notated::of_move(played)
            }
            (notated, _) => notated.clone(),
        }
    }

    fn incomplete(&self, node: usize, incomplete: [bool; 2]) -> Vec<SheetFault> {
        (0..2)
            .filter(|&owner| incomplete[owner])
            .map(|owner| self.fault(node, owner, FaultKind::Incomplete))
            .collect()
    }

    /// Assumes any move, because nobody has a legible record of it.
    fn any_move(&mut self, node: usize, entries: [usize; 2], faults: &[SheetFault]) {
        let Some(position) = self.nodes[node].standing.position() else {
            return;
        };
        for played in position.legal_moves() {
            self.step(node, entries, played, faults.to_vec(), false);
        }
    }

    /// Assumes that the other score lacks the move that this one has.
    fn suppose_missing(&mut self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) {
        let missing = self.fault(node, 1 - owner, FaultKind::Missing);
        let mut faults = vec![missing];
        if meant[owner].len() > 1 {
            faults.push(self.fault(node, owner, FaultKind::Incomplete));
        }
        for &played in &meant[owner] {
            self.step(node, one(owner), played, faults.clone(), false);
        }
        let notated = &self.here(node)[owner].notated;
        if !notated.is_legible() {
            faults.push(self.fault(node, owner, unread(notated)));
            self.any_move(node, one(owner), &faults);
        }
    }

    /// Assumes that two neighbouring moves of a score, two moves of one side, or two rows are
    /// exchanged. Its words must support that.
    fn suppose_transposed(&mut self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) {
        let agree = meant[0].iter().any(|played| meant[1].contains(played));
        if agree || self.nodes[node].ahead[owner].is_some() {
            return;
        }
        let at = self.nodes[node].at[owner];
        let left = self.list(node, 1 - owner).len() - self.nodes[node].at[1 - owner];
        for (order, fewest) in ORDERS {
            // A shorter order is preferred if all its entries fit.
            let fits_shorter = ORDERS.iter().any(|(shorter, _)| {
                let length = shorter.len();
                length < order.len() && self.in_place(node, owner, shorter, 2) == length
            });
            if fits_shorter {
                break;
            }
            let Some(entries) = self.list(node, owner).get(at..at + order.len()) else {
                continue;
            };
            if entries.iter().any(|entry| !entry.notated.is_legible())
                || same_words(&entries[0].notated, &entries[order[0]].notated)
                || !self.is_borne_out(node, owner, order, fewest)
            {
                continue;
            }
            let fault = self.fault(node, owner, FaultKind::Transposed);
            let step = Advance {
                entries: [0, 0],
                plies: 0,
                standing: self.nodes[node].standing.clone(),
                faults: vec![fault],
                agreed: self.nodes[node].anchor.is_none(),
                // If the other score ends in between, a row may also be missing or be there twice.
                more: u32::from(order == ROWS && left < order.len()),
            };
            if let Some(next) = self.go(node, step) {
                self.nodes[next].ahead[owner] = Some(ReadOrder { order, read: 0 });
            }
        }
    }

    /// Returns whether at least `fewest` of the next entries, read in that order, stand where the
    /// other score has the same, and more than as written. All but one are enough too, plus or
    /// minus a row.
    fn is_borne_out(&self, node: usize, owner: usize, order: &[usize], fewest: usize) -> bool {
        let as_written = self.in_place(node, owner, &AS_WRITTEN[..order.len()], 2);
        // If the other score ends in between, only its existing entries count.
        let other = 1 - owner;
        let left = self.list(node, other).len() - self.nodes[node].at[other];
        (0..=4).any(|shift| {
            let fewest = if shift == 2 {
                fewest.min(left)
            } else {
                (order.len() - 1).max(2).max(fewest)
            };
            let in_order = self.in_place(node, owner, order, shift);
            in_order >= fewest && in_order > as_written
        })
    }

    /// Counts the next entries, read in an order, that stand where the other score has the same.
    /// The other score is read from two entries before the next one, `shift` entries further.
    fn in_place(&self, node: usize, owner: usize, order: &[usize], shift: usize) -> usize {
        let places = order.iter().enumerate();
        let same = places.filter(|&(more, &place)| {
            let there = (more + shift).checked_sub(2);
            there.is_some_and(|there| self.says_there(node, owner, place, there))
        });
        same.count()
    }

    /// Returns whether at least two of the entries that another order moves, from a node on, say
    /// what the other score says there. One alone may be a move that is played in both games, but
    /// later in one of them.
    pub(super) fn moves_two(&self, node: usize) -> bool {
        (0..2).all(|owner| {
            self.nodes[node].ahead[owner].is_none_or(|ahead| {
                let moved = (0..ahead.order.len()).filter(|&more| ahead.order[more] != more);
                let alike = moved.filter(|&more| self.says_there(node, owner, more, more));
                alike.count() > 1
            })
        })
    }

    /// Returns whether the entry that is read after `more` others says what the other score says
    /// after `there` others.
    fn says_there(&self, node: usize, owner: usize, more: usize, there: usize) -> bool {
        let here = self.upcoming(node, owner, more);
        let there = self.upcoming(node, 1 - owner, there);
        here.zip(there)
            .is_some_and(|(here, there)| can_be_the_same(&here.notated, &there.notated))
    }

    /// Returns whether all next entries stand in the other score in another order, as far as they
    /// are legible.
    pub(super) fn stands_in_another_order(&self, node: usize) -> bool {
        [0, 1].into_iter().any(|owner| {
            ORDERS.iter().any(|(order, _)| {
                let as_written = self.in_place(node, owner, &AS_WRITTEN[..order.len()], 2);
                let illegible = (0..order.len()).flat_map(|more| [0, 1].map(|of| (of, more)));
                let illegible = illegible.filter(|&(of, more)| {
                    let entry = self.upcoming(node, of, more);
                    // After the end of a score any move can have followed.
                    entry.is_none_or(|entry| !entry.notated.is_legible())
                });
                let in_order = self.in_place(node, owner, order, 2);
                // An entry in its own place gives no support to the others.
                let moved = (0..order.len()).filter(|&more| order[more] != more);
                let moved = moved.filter(|&more| self.says_there(node, owner, order[more], more));
                moved.count() >= 2 && as_written < 2 && in_order + illegible.count() >= order.len()
            })
        })
    }

    /// Assumes that both scores continue by themselves and soon meet in the same position. Returns
    /// whether they do.
    fn suppose_other_order(&mut self, node: usize, meant: &[Vec<Move>; 2]) -> bool {
        if meant.iter().any(Vec::is_empty) || self.nodes[node].ahead != [None, None] {
            return false;
        }
        let mut ways = [0, 1].map(|_| self.nodes[node].standing.clone());
        let mut moves: [Vec<_>; 2] = [Vec::new(), Vec::new()];
        let mut between = Vec::new();
        for plies in 1..=OTHER_ORDER {
            for owner in [0, 1] {
                let at = self.nodes[node].at[owner] + plies - 1;
                let Some(entry) = self.list(node, owner).get(at) else {
                    return false;
                };
                let Meaning::Legal(played) = ways[owner].read(entry) else {
                    return false;
                };
                ways[owner] = ways[owner].after(played);
                // What it captures does not matter.
                moves[owner].push((played.from(), played.to(), played.promotion()));
            }
            if ways[0].key() == ways[1].key() {
                let [mut left, others] = moves;
                for played in &others {
                    if let Some(at) = left.iter().position(|it| it == played) {
                        left.swap_remove(at);
                    }
                }
                // Other moves that lead to the same position do not count as the same moves.
                if !left.is_empty() {
                    return false;
                }
                let fault = self.fault(node, 1, FaultKind::OtherOrder);
                let [standing, _] = ways;
                let step = Advance {
                    entries: [plies, plies],
                    plies,
                    standing,
                    faults: vec![fault],
                    agreed: true,
                    more: 0,
                };
                if let Some(next) = self.go(node, step) {
                    self.nodes[next].between = between;
                }
                return true;
            }
            between.push(ways[0].clone());
        }
        false
    }
}

/// Returns whether an entry repeats the one two before it, as in a row that is there twice.
pub(super) fn is_doubled_row(entries: &[Entry], earlier: &[Entry], at: usize) -> bool {
    let earlier = at.checked_sub(2).and_then(|at| earlier.get(at));
    let pair = earlier.zip(entries.get(at));
    pair.is_some_and(|(earlier, again)| same_words(&earlier.notated, &again.notated))
}

/// Returns whether a pawn's entry is likely a slip. Either it names only the square of arrival,
/// without a capture sign, where only captures arrive; or it has that sign, and the pawn stays on
/// its file.
fn is_odd_capture(notated: &Notated, meant: &[Move]) -> bool {
    let Notated::Move(notated) = notated else {
        return false;
    };
    if notated.piece != Some(Role::Pawn) || meant.is_empty() {
        return false;
    }
    let is_bare = notated.from == PartialSquare::UNKNOWN && !notated.capture;
    is_bare && meant.iter().all(|played| played.is_capture()) || takes_on_own_file(notated)
}

/// Returns whether a pawn captures and stays on its file, as written.
pub(super) fn takes_on_own_file(notated: &NotatedMove) -> bool {
    notated.piece == Some(Role::Pawn)
        && notated.capture
        && notated.from.file.is_some()
        && notated.from.file == notated.to.file
}

/// Returns why an entry without a meaning here can still stand for a move.
pub(super) fn misreading(notated: &Notated, played: Move) -> FaultKind {
    match notated {
        Notated::Unreadable => FaultKind::Unreadable,
        Notated::Blank => FaultKind::Blank,
        Notated::Move(notated)
            if notated.piece.is_none_or(|role| role == played.role())
                && notated.to.fits(played.to()) =>
        {
            FaultKind::WrongOrigin
        }
        Notated::Move(_) | Notated::Castling(_) => FaultKind::NotLegal,
    }
}

/// Returns whether neither entry shows where the piece goes.
fn are_half_read(entries: [&Notated; 2]) -> bool {
    entries.iter().all(|entry| entry.is_half_read())
}

fn unread(notated: &Notated) -> FaultKind {
    match notated {
        half if half.is_half_read() => FaultKind::Unreadable,
        Notated::Blank => FaultKind::Blank,
        Notated::Unreadable => FaultKind::Unreadable,
        Notated::Move(_) | Notated::Castling(_) => FaultKind::NotLegal,
    }
}
