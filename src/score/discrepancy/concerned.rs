//! The entries that an explanation is about, as written in each score. The arbiter asks the players
//! about them.

use super::class::Class;
use super::fault::{FaultKind, SheetFault};
use super::owner::{ByOwner, Owner};
use super::report::{Case, Concerned, DifferingEntry, Verdict};
use super::times::entries_at;

/// Returns the entries that an explanation is about, in the order of the game.
pub(super) fn concerned(
    case: &Case<'_>,
    class: &Class,
    differing: impl FnOnce() -> ByOwner<Option<DifferingEntry>>,
) -> Vec<Concerned> {
    let mut found: Vec<Concerned> = Vec::new();
    // The entry of a fault is listed as it is, whatever another fault of the same ply reads beside
    // it.
    let is_own = |at: &Concerned, owner: Owner| {
        let named = at.entries.get(owner).as_ref().map(|it| it.entry);
        let mut faults = class.explanation.faults.iter();
        faults.any(|it| (it.owner, it.ply) == (owner, at.ply) && Some(it.entry) == named)
    };
    for fault in &class.explanation.faults {
        let new = of_fault(case, class, fault);
        let can_join = |known: &&mut Concerned| {
            let are_moves = !known.extra && !new.extra && known.ply == new.ply;
            let is_same = known.entries.get(fault.owner) == new.entries.get(fault.owner);
            are_moves && (is_same || !is_own(known, fault.owner))
        };
        let Some(known) = found.iter_mut().find(can_join) else {
            found.push(new);
            continue;
        };
        let ByOwner { player, opponent } = new.entries;
        let entries = &mut known.entries;
        let (own, theirs, named, other) = match fault.owner {
            Owner::Player => (&mut entries.player, &mut entries.opponent, player, opponent),
            Owner::Opponent => (&mut entries.opponent, &mut entries.player, opponent, player),
        };
        *own = named.or_else(|| own.take());
        *theirs = theirs.take().or(other);
    }
    if matches!(class.verdict, Verdict::GoBack | Verdict::IllegalMove) {
        let ply = class.agreed.len();
        found.retain(|it| it.ply != ply || it.extra);
        found.push(Concerned {
            ply,
            entries: differing(),
            extra: false,
        });
    }
    found.sort_by_key(|it| (it.ply, !it.extra));
    found
}

fn of_fault(case: &Case<'_>, class: &Class, fault: &SheetFault) -> Concerned {
    let read = (class.agreed.as_slice(), class.explanation.orders.as_ref());
    let recorded = if fault.ply < class.agreed.len() {
        entries_at(read, fault.ply)
    } else {
        [None, None]
    };
    let own = (fault.kind != FaultKind::Missing).then_some(fault.entry);
    let passed_over = [FaultKind::Doubled, FaultKind::Extra, FaultKind::Blank];
    let [player, opponent] = recorded;
    let of_owner = [player, opponent].into_iter().nth(fault.owner as usize);
    let extra = passed_over.contains(&fault.kind) && of_owner.flatten() != own;
    let entries = ByOwner::each(|owner| {
        let at = match (owner == fault.owner, extra) {
            (true, _) => own,
            (false, true) => None,
            (false, false) if owner == Owner::Player => player,
            (false, false) => opponent,
        };
        DifferingEntry::at(case.scores.get(owner), at?)
    });
    Concerned {
        ply: fault.ply,
        entries,
        extra,
    }
}
