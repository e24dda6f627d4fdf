//! Carries out the arbiter's decision after a comparison (D.2.9): both scores, the move counters,
//! castling and en passant, and the open offer are set back. Penalties and counted faults stay.

use std::time::Duration;

use shakmaty::{Color, Setup};

use super::Game;
use super::differing::agreed_until;
use super::effect::Priority;
use super::position::Position;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, PhraseKey};
use annexd_score::discrepancy::{Decision, Owner, ReconcileReport, Restored, Verdict};
use annexd_score::{Entry, Notated, Provenance, Score};

impl Game {
    /// Goes back to the position after this many plies of the game that both scores record, and
    /// guides both boards to it.
    pub(super) fn go_back(&mut self, now: Moment, plies: u32, explanation: Option<u32>) {
        if self.comparison.report().is_none() {
            // Nobody has compared yet: the arbiter wants that first.
            self.compare(now);
        }
        let Some(report) = self.comparison.report().cloned() else {
            self.nothing_to_decide();
            return;
        };
        let taken = explanation.and_then(|number| report.taking(number as usize));
        let report = taken.unwrap_or(report);
        let decision = Decision {
            ply: plies as usize,
            clocks: None,
        };
        let Ok(restored) = report.restored(decision) else {
            // Nobody can go back to a position later than the one where the scores stop agreeing.
            let (key, arguments) = agreed_until(&report, report.ply);
            self.say(Channel::Arbiter, key, arguments, Priority::Next);
            return;
        };
        let sheets = self.comparison.decided();
        self.stop_play(now);
        self.seal_lapses();
        let times = self.times_to_go_back(&report, decision.ply);
        let shown = self.boards.placements();
        let common = self.plays_in_common(&restored.setups);
        let is_unchanged =
            common == self.course.plays().len() && common + 1 == restored.setups.len();
        self.take_scores(&report, &restored, &sheets);
        if !is_unchanged {
            self.course.take_agreed(now, common, &restored.setups);
            self.draw.goes_back_to(self.offerer_in_scores());
            self.count_moves();
        }
        self.docket.clear();
        self.boards.report_all_anew();
        let last = report.move_of(decision.ply);
        match last {
            Some((number, side)) => self.table(
                PhraseKey::PositionAfterHolds,
                [Argument::Number(number), Argument::Side(side)],
            ),
            None => self.table(PhraseKey::StartHolds, []),
        }
        self.guide_boards(&shown);
        self.clocks.go_back_to(times);
    }

    /// The times to which the arbiter readjusts the clocks if play goes back. If only a board is
    /// set right because the scores agree, the clocks stay as they are (D.2.9).
    fn times_to_go_back(
        &self,
        report: &ReconcileReport,
        ply: usize,
    ) -> Option<(Sides<Duration>, &'static str)> {
        if report.is_one_game() && ply == report.ply {
            return None;
        }
        let clause = match report.verdict {
            Verdict::IllegalMove => "7.1",
            _ => "D.2.9.c",
        };
        let times = self.times_at(ply).filter(|_| self.holds(clause))?;
        Some((times, clause))
    }

    /// The number of the game's own moves with which the agreed game begins.
    fn plays_in_common(&self, agreed: &[Setup]) -> usize {
        let after = |index: usize| {
            let next = self.course.plays().get(index + 1).map(|play| &play.before);
            next.unwrap_or(self.course.position()).board()
        };
        (0..self.course.plays().len())
            .take_while(|&index| {
                agreed
                    .get(index + 1)
                    .is_some_and(|setup| setup.board == *after(index))
            })
            .count()
    }

    /// Each score keeps its own entries for the plies that stand, and gets missing ones from the
    /// agreed game. Later entries are struck out.
    fn take_scores(
        &mut self,
        report: &ReconcileReport,
        restored: &Restored,
        sheets: &Sides<Option<Score>>,
    ) {
        for (number, owner) in Owner::BOTH.into_iter().enumerate() {
            let side = self.side_of_owner(owner);
            let sheet = sheets[side].as_ref();
            let source = sheet.unwrap_or_else(|| self.scores.of(side));
            let mut score = Score::new(Some(side)).starting_from(self.course.start());
            for (name, value) in source.tags() {
                let _ = score.set_tag(name, value.clone());
            }
            for (ply, kept) in report.kept_entries(restored).into_iter().enumerate() {
                let number = kept.get(number).copied().flatten();
                let entry = number.and_then(|entry| source.entries().get(entry));
                let entry = match entry {
                    Some(entry) => Entry {
                        place: None,
                        ..entry.clone()
                    },
                    None => completed(restored.setups.get(ply..ply + 2)),
                };
                let _ = score.record(entry);
            }
            self.scores.replace(side, score);
        }
    }

    /// The side whose offer is open after the last entry, according to either score (8.1.5).
    fn offerer_in_scores(&self) -> Option<Color> {
        let offered = Color::ALL.into_iter().any(|side| {
            let last = self.scores.of(side).entries().last();
            last.is_some_and(|entry| entry.offer)
        });
        offered.then(|| !self.course.turn())
    }

    /// Sets the clock's move counters to the moves that stand (6.10.2).
    fn count_moves(&mut self) {
        let made = |side: Color| {
            let made = self
                .course
                .plays()
                .iter()
                .filter(|play| play.moving.side == side);
            u32::try_from(made.count()).unwrap_or(u32::MAX)
        };
        let counts = Sides::from_fn(made);
        for side in Color::ALL {
            self.clocks.set_moves(side, counts[side]);
        }
    }
}

/// Makes an entry that a score lacks from the positions before and after it.
fn completed(pair: Option<&[Setup]>) -> Entry {
    let notated = match pair {
        Some([before, after]) => {
            let before = Position::new(before.clone());
            let legal = before.step_to(after).and_then(|step| before.legal(step));
            legal.map_or(Notated::Unreadable, Notated::of_move)
        }
        _ => Notated::Unreadable,
    };
    Entry {
        provenance: Provenance::Completed,
        ..Entry::new(notated)
    }
}
