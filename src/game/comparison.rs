//! The comparison of boards and scores (D.2.9): the sheets handed in, the last report until it is
//! decided, and the boards being set right after it.

use shakmaty::Color;

use annexd_laws::persons::Sides;
use annexd_phrases::Argument;
use annexd_score::Score;
use annexd_score::discrepancy::ReconcileReport;

/// How far a comparison has come.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    handed_in: Sides<Option<HandedIn>>,
    report: Option<ReconcileReport>,
    /// The number of the proposal for the report's first explanation.
    first_explanation: u32,
    correcting: Sides<bool>,
}

/// A score sheet as it was handed in.
#[derive(Clone, Debug)]
struct HandedIn {
    score: Score,
    /// What was uncertain when it was read, for the arbiter.
    remarks: Vec<Argument>,
}

impl Comparison {
    pub(super) fn new() -> Self {
        Self {
            handed_in: Sides::default(),
            report: None,
            first_explanation: 1,
            correcting: Sides::default(),
        }
    }

    /// Takes a player's sheet. It replaces an earlier one.
    pub(super) fn hand_in(&mut self, side: Color, score: Score, remarks: Vec<Argument>) {
        self.handed_in[side] = Some(HandedIn { score, remarks });
    }

    /// The sheet that a player has handed in since the last decision.
    pub(super) fn sheet(&self, side: Color) -> Option<&Score> {
        self.handed_in[side].as_ref().map(|sheet| &sheet.score)
    }

    /// What was uncertain when a player's sheet was read.
    pub(super) fn remarks(&self, side: Color) -> &[Argument] {
        let sheet = self.handed_in[side].as_ref();
        sheet.map_or(&[], |sheet| &sheet.remarks)
    }

    /// Notes the report of a comparison. It stands until it is decided or boards and scores are
    /// compared anew. Its explanations are proposed with this number and those after it.
    pub(super) fn compared(&mut self, report: ReconcileReport, first_explanation: u32) {
        self.report = Some(report);
        self.first_explanation = first_explanation;
    }

    /// The report that is not yet decided.
    pub(super) const fn report(&self) -> Option<&ReconcileReport> {
        self.report.as_ref()
    }

    /// The number of the proposal for the report's first explanation.
    pub(super) const fn first_explanation(&self) -> u32 {
        self.first_explanation
    }

    /// The arbiter has decided. Returns the sheets on which the decision rests; a sheet handed in
    /// later belongs to the next comparison.
    pub(super) fn decided(&mut self) -> Sides<Option<Score>> {
        self.report = None;
        let mut sheets = std::mem::take(&mut self.handed_in);
        Sides::from_fn(|side| sheets[side].take().map(|sheet| sheet.score))
    }

    /// Restores sheets and report as they were before a decision that is taken back. Boards being
    /// set right stay so.
    pub(super) fn restore_from(&mut self, before: &Self) {
        *self = Self {
            correcting: self.correcting,
            ..before.clone()
        };
    }

    /// A board is to be set right.
    pub(super) fn begin_correcting(&mut self, board: Color) {
        self.correcting[board] = true;
    }

    /// Whether a board is being set right.
    pub(super) fn is_correcting(&self, board: Color) -> bool {
        self.correcting[board]
    }

    /// A board is right again.
    pub(super) fn corrected(&mut self, board: Color) {
        self.correcting[board] = false;
    }

    /// Play goes on, whatever the boards show. Returns the boards that were still being set right.
    pub(super) fn end_correcting(&mut self) -> Sides<bool> {
        std::mem::take(&mut self.correcting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};

    #[test]
    fn a_sheet_serves_one_decision_and_the_last_one_handed_in_counts() {
        let mut comparison = Comparison::new();
        let remark = Argument::Text("blurred".to_owned());
        comparison.hand_in(White, Score::new(None), vec![remark.clone()]);
        assert_eq!(comparison.remarks(White), [remark]);
        comparison.hand_in(White, Score::new(Some(White)), Vec::new());
        assert_eq!(comparison.sheet(White), Some(&Score::new(Some(White))));
        assert!(comparison.remarks(White).is_empty());
        let sheets = comparison.decided();
        assert_eq!(sheets.white, Some(Score::new(Some(White))));
        assert_eq!((sheets.black, comparison.sheet(White)), (None, None));
    }

    #[test]
    fn each_board_is_set_right_for_itself() {
        let mut comparison = Comparison::new();
        for board in Color::ALL {
            comparison.begin_correcting(board);
        }
        comparison.corrected(Black);
        assert!(comparison.is_correcting(White) && !comparison.is_correcting(Black));
        let open = comparison.end_correcting();
        assert!(open.white && !open.black && !comparison.is_correcting(White));
    }
}
