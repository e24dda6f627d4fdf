//! Differing positions and scores. Both boards and both scores are compared, and the arbiter gets
//! the verdict with proposed remedies (D.2.9). Nothing is corrected before he has decided.

use std::time::Duration;

use shakmaty::Color;
use shakmaty::fen::Fen;

use super::Game;
use super::effect::Priority;
use super::position::{Position, changed};
use super::profile::Sensors;
use super::ruling::Ruling;
use annexd_laws::Fault;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, PhraseKey, Sentence, explanation, verdict};
use annexd_score::Score;
use annexd_score::discrepancy::{
    Alternative, ByOwner, Case, ClockTimes, Owner, ReconcileReport, Verdict, reconcile,
};

/// At most this many explanations are offered one by one.
const MOST_EXPLANATIONS: usize = 6;

impl Game {
    /// The side of the player or the opponent in the sense of Annex D. The player is the visually
    /// disabled one, or White if both or neither are.
    pub fn side_of_owner(&self, owner: Owner) -> Color {
        let blind = |side| self.profile.is_visually_disabled(side);
        let player = Color::from_white(blind(Color::White) || !blind(Color::Black));
        match owner {
            Owner::Player => player,
            Owner::Opponent => !player,
        }
    }

    /// Takes a player's sheet, which is his score for D.2.9 from now on. The arbiter is told what
    /// was uncertain in reading it, whoever handed it in.
    pub(super) fn hand_in(&mut self, side: Color, score: Score, remarks: Vec<Sentence>) {
        let remarks = remarks.into_iter();
        let remarks = remarks.map(|it| Argument::Sentences(vec![it])).collect();
        self.comparison.hand_in(side, score, remarks);
        self.report("D.2.9.a", PhraseKey::ScoreHandedIn, [Argument::Side(side)]);
        self.tell_sheet_remarks(side);
        if !self.profile.arbiter {
            let taken = [Argument::Side(side), self.article("D.2.9.a")];
            self.table(PhraseKey::ScoreHandedIn, taken);
        }
    }

    fn tell_sheet_remarks(&mut self, side: Color) {
        if !self.profile.arbiter {
            return;
        }
        for remark in self.comparison.remarks(side).to_vec() {
            let key = PhraseKey::Words;
            self.say(Channel::Arbiter, key, [remark], Priority::Normal);
        }
    }

    /// A player asks for a comparison. The arbiter orders it; without one both players have to
    /// agree.
    pub(super) fn ask_comparison(&mut self, side: Color) {
        let asks = [Argument::Side(side)];
        self.report("D.2.9.a", PhraseKey::AsksComparison, asks.clone());
        // The player hears that his request was taken.
        let article = self.article("D.2.9.a");
        self.tell(
            side,
            PhraseKey::AsksComparison,
            asks.into_iter().chain([article]),
        );
        for board in Color::ALL {
            self.boards.report_anew(board);
            let seen = self.seen_board(board);
            if seen.is_some_and(|shown| !changed(&shown, self.course.board()).is_empty()) {
                self.report_difference(board);
            }
        }
        self.propose_comparison(true);
    }

    /// Proposes a comparison to the arbiter, one at a time.
    pub(super) fn propose_comparison(&mut self, is_asked_for: bool) {
        if self.is_proposed(&Ruling::Compare) || !(self.profile.arbiter || is_asked_for) {
            return;
        }
        let key = PhraseKey::CompareBoards;
        self.propose(vec![Ruling::Compare], "D.2.9.a", key, []);
    }

    /// Stops the clocks on the arbiter's word, and compares boards and scores.
    pub(super) fn compare(&mut self, now: Moment) {
        if !self.holds("D.2.9.a") {
            return;
        }
        self.stop_play(now);
        let report = self.reconciled();
        let first = self.number_for_explanations(&report);
        self.comparison.compared(report.clone(), first);
        let words = [self.verdict_in_words(&report)];
        self.say(Channel::Arbiter, PhraseKey::Words, words, Priority::Next);
        // The verdict rests on the sheets as they were read.
        for side in Color::ALL {
            self.tell_sheet_remarks(side);
        }
        self.docket.clear_but_claims();
        if !self.profile.arbiter {
            // The reasons come before the question.
            self.read_verdict();
        }
        self.propose_remedy(&report);
    }

    /// The verdict of the last comparison, until it is decided.
    pub fn verdict(&self) -> Option<Vec<Sentence>> {
        let first = self.comparison.first_explanation() as usize;
        Some(verdict(self.comparison()?, &self.rules, first))
    }

    /// The verdict as one paragraph.
    fn verdict_in_words(&self, report: &ReconcileReport) -> Argument {
        let first = self.comparison.first_explanation() as usize;
        Argument::Sentences(verdict(report, &self.rules, first))
    }

    /// The number that the proposal for the first explanation will have, counted after those made
    /// before it. Without an arbiter nobody chooses, and explanations are counted from 1.
    fn number_for_explanations(&self, report: &ReconcileReport) -> u32 {
        if !self.profile.arbiter {
            return 1;
        }
        let before = u32::from(report.needs_no_correction());
        // With a single explanation, going back to the common position is the same as that
        // explanation.
        let is_the_only_one = matches!(
            report.alternatives.as_slice(),
            [way] if way.ply == report.ply && way.positions == 1
        );
        self.docket.proposed() + before + if is_the_only_one { 1 } else { 2 }
    }

    fn reconciled(&self) -> ReconcileReport {
        let score = |owner| {
            let side = self.side_of_owner(owner);
            let sheet = self.comparison.sheet(side);
            sheet.unwrap_or_else(|| self.scores.of(side))
        };
        reconcile(&Case {
            scores: ByOwner::each(score),
            boards: ByOwner::each(|owner| self.seen_board(self.side_of_owner(owner))),
            start: Some(self.course.start()),
            clock_log: &self.clock_log(),
        })
    }

    /// The placement on a board, if it can be known: by its sensors, or because somebody has
    /// reported it. A single board for both is the player's.
    fn seen_board(&self, side: Color) -> Option<shakmaty::Board> {
        let is_only = !self.profile.two_boards && side != self.side_of_owner(Owner::Player);
        let board = self.boards.of(side);
        let is_seen = self.sensors(side) != Sensors::None || board.is_told();
        (is_seen && !is_only).then(|| board.placement().clone())
    }

    /// The times logged at the start and after each move of either player.
    pub fn clock_log(&self) -> Vec<ClockTimes> {
        let clock = self.profile.chessclock();
        let start = clock.map(|clock| Sides::from_fn(|side| clock.left(side, Moment::START)));
        let played = self.course.plays().iter().map(|play| play.left);
        std::iter::once(start)
            .chain(played)
            .enumerate()
            .filter_map(|(ply, left)| Some(clock_times(ply, left?)))
            .collect()
    }

    /// Proposes what the verdict suggests, for the arbiter to confirm or change.
    fn propose_remedy(&mut self, report: &ReconcileReport) {
        let back = |ply: usize| Ruling::GoBack {
            plies: u32::try_from(ply).unwrap_or(u32::MAX),
            explanation: None,
        };
        if report.needs_no_correction() {
            // Boards that show the same need no correction: D.2.9 applies to boards that differ.
            let go_on = vec![Ruling::Restart { clock: None }];
            self.propose(go_on, "D.2.9.a", PhraseKey::BoardsAreAlike, []);
        }
        let mut rulings = vec![back(report.ply)];
        let clocks = rulings_of(report.clocks);
        match report.verdict {
            Verdict::CorrectBoard if self.holds("D.2.9.b") => {
                let key = PhraseKey::CorrectBoardByScores;
                self.propose(rulings, "D.2.9.b", key, []);
            }
            Verdict::GoBack if self.holds("D.2.9.c") => {
                rulings.extend(clocks);
                let key = PhraseKey::GoBackToAgreement;
                self.propose(rulings, "D.2.9.c", key, []);
            }
            // Only the arbiter can find out which explanation holds. He takes one of them, or goes
            // back to what all of them have in common.
            Verdict::Ambiguous => {
                rulings.extend(clocks);
                let key = PhraseKey::GoBackToAgreement;
                self.propose(rulings, "D.2.9.c", key, []);
                self.propose_explanations(report);
            }
            // D.2.9 does not apply: play goes back to the position before the irregularity, with
            // the penalty of the Laws.
            Verdict::IllegalMove => {
                rulings.extend(clocks);
                let side = report.position.turn;
                let before = report.position.fen.parse::<Fen>().ok();
                let before = before.map(|fen| Position::new(fen.into_setup()));
                self.propose_for_fault(side, Fault::IllegalMove, rulings, before.as_ref());
            }
            Verdict::Same | Verdict::Shorter | Verdict::CorrectBoard | Verdict::GoBack => {}
        }
    }

    /// Proposes each explanation of an ambiguous comparison to the arbiter, who alone can find out.
    fn propose_explanations(&mut self, report: &ReconcileReport) {
        if !self.profile.arbiter || report.alternatives.len() < 2 {
            return;
        }
        let first = self.comparison.first_explanation();
        let ways = (0_u32..).zip(&report.alternatives);
        let decided = ways.clone().filter(|(_, way)| way.positions == 1);
        for (index, way) in decided.take(MOST_EXPLANATIONS) {
            let mut rulings = vec![Ruling::GoBack {
                plies: u32::try_from(way.ply).unwrap_or(u32::MAX),
                explanation: Some(index + 1),
            }];
            if matches!(way.verdict, Verdict::GoBack | Verdict::IllegalMove) {
                rulings.extend(rulings_of(way.clocks));
            }
            let (at, number) = (index as usize, first as usize);
            let words = Argument::Sentences(explanation(report, at, number));
            // An explanation with more than one possible position is read out but cannot be chosen.
            // Its number stays unused.
            self.docket.skip_to(first + index - 1);
            self.propose(rulings, "D.2.9.a", PhraseKey::Words, [words]);
        }
        let last = ways.last().map_or(0, |(index, _)| first + index);
        self.docket.skip_to(last);
    }

    /// Reads the verdict to both players at the table in words that every voice has, then its
    /// reasons.
    pub(super) fn read_verdict(&mut self) {
        let Some(report) = self.comparison.report().cloned() else {
            self.nothing_to_decide();
            return;
        };
        let until = |ply: usize| agreed_until(&report, ply);
        let (key, arguments) = match report.verdict {
            Verdict::Same | Verdict::Shorter | Verdict::CorrectBoard => {
                (PhraseKey::ScoresAgree, Vec::new())
            }
            _ => until(report.ply),
        };
        self.table(key, arguments);
        match report.verdict {
            Verdict::Same | Verdict::Shorter => {}
            Verdict::CorrectBoard => {
                for owner in Owner::BOTH {
                    let steps = report.boards.get(owner).as_ref();
                    if steps.is_some_and(|steps| !steps.is_empty()) {
                        let side = self.side_of_owner(owner);
                        self.table(PhraseKey::BoardIsCorrected, [Argument::Side(side)]);
                    }
                }
            }
            Verdict::GoBack => self.table(PhraseKey::BackToThere, []),
            Verdict::IllegalMove => self.table(PhraseKey::BothRecordedIllegal, []),
            Verdict::Ambiguous => self.table(PhraseKey::ScoresUnclear, []),
        }
        let alternatives: Vec<&Alternative> = report.alternatives.iter().collect();
        for way in alternatives.into_iter().take(4) {
            let (key, arguments) = until(way.ply);
            self.table(key, arguments);
        }
        self.read_reasons(&report);
    }

    /// Reads the whole paragraph to both players: at the table, and into the ear of a player who
    /// cannot read it, because the table's clips may lack its words.
    fn read_reasons(&mut self, report: &ReconcileReport) {
        let words = self.verdict_in_words(report);
        let has_to_hear = |side| self.profile.is_visually_disabled(side) && self.has_ear(side);
        let ears = Color::ALL.into_iter().filter(|&side| has_to_hear(side));
        let channels: Vec<_> = ears.map(Channel::Ear).chain([Channel::Table]).collect();
        for channel in channels {
            self.say(channel, PhraseKey::Words, [words.clone()], Priority::Normal);
        }
    }
}

/// The phrase that says up to which move the scores agree.
pub(super) fn agreed_until(report: &ReconcileReport, ply: usize) -> (PhraseKey, Vec<Argument>) {
    match report.move_of(ply) {
        Some((number, side)) => (
            PhraseKey::ScoresAgreeUntil,
            vec![Argument::Number(number), Argument::Side(side)],
        ),
        None => (PhraseKey::ScoresDifferAtOnce, Vec::new()),
    }
}

fn clock_times(ply: usize, left: Sides<Duration>) -> ClockTimes {
    let ms = |time: Duration| u64::try_from(time.as_millis()).ok();
    ClockTimes {
        ply,
        white_ms: ms(left.white),
        black_ms: ms(left.black),
    }
}

fn rulings_of(times: Option<ClockTimes>) -> Vec<Ruling> {
    let Some(times) = times else {
        return Vec::new();
    };
    [
        (Color::White, times.white_ms),
        (Color::Black, times.black_ms),
    ]
    .into_iter()
    .filter_map(|(side, ms)| {
        let left = Duration::from_millis(ms?);
        Some(Ruling::SetClock { side, left })
    })
    .collect()
}
