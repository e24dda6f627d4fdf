//! Taking back the arbiter's last decision, by another decision. The record keeps both, and nothing
//! that was said is unsaid.
//!
//! A decision can be taken back until something has happened that would be lost with it.

use std::sync::Arc;

use shakmaty::Color;

use super::Game;
use super::act::Act;
use super::effect::{Earcon, Effect};
use super::input::Input;
use super::phase::Phase;
use super::ruling::Ruling;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Heard, Said};
use annexd_laws::persons::Sides;
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// A decision that can be taken back.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    ruling: Ruling,
    /// The game as it was before the decision.
    before: Arc<Game>,
    /// Since when play stands still, by the decision or a later order; `None` while it goes on.
    stopped_at: Option<Moment>,
}

/// The progress of a game, as far as it would be lost by taking a decision back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Happened {
    /// Whether the coming input is a deed of a player or an assistant.
    is_deed: bool,
    phase: Phase,
    running: Option<Color>,
    plies: usize,
    touched: usize,
    proposed: u32,
    offered_by: Option<Color>,
    claimed_by: Option<Color>,
    signatures: Sides<usize>,
    sheets: Sides<bool>,
}

impl Ruling {
    /// Whether a ruling changes only what can be restored: not what was agreed, what is in an
    /// envelope, or what stands on the boards.
    const fn can_be_taken_back(&self) -> bool {
        matches!(
            self,
            Self::Restart { .. }
                | Self::SetClock { .. }
                | Self::AddTime { .. }
                | Self::SetMoveCounter { .. }
                | Self::CallFlag { .. }
                | Self::Dismiss { .. }
                | Self::DecideClaim { .. }
                | Self::Restore { .. }
                | Self::HoldToTouch(_)
                | Self::GoBack { .. }
                | Self::SetPosition(_)
                | Self::Report { .. }
                | Self::CountFault { .. }
                | Self::PlaceQueen { .. }
                | Self::Penalise { .. }
                | Self::AllowDraw
                | Self::DecideQuickplay(_)
                | Self::End(_)
                | Self::Result(_)
                | Self::Annul
        )
    }

    /// Whether the decision before this ruling can still be taken back after it.
    const fn leaves_the_last(&self) -> bool {
        matches!(
            self,
            Self::TakeBack
                | Self::Stop
                | Self::ReadVerdict
                | Self::NoteState
                | Self::Aid { .. }
                | Self::AllowStandingRequest { .. }
        )
    }
}

impl Game {
    /// Carries out a decision. If it can be taken back, the game before it is kept.
    pub(super) fn decide(&mut self, now: Moment, ruling: Ruling) {
        let is_kept = self.profile.arbiter && self.can_be_taken_back(&ruling);
        let before = is_kept.then(|| Arc::new(self.clone()));
        let said = self.response.effects().len();
        self.rule(now, ruling.clone());
        self.propose_logged_times();
        let stopped_at = (!self.is_playing()).then_some(now);
        // A ruling that was not carried out is no decision.
        let is_done = !self.is_refused_since(said, &ruling);
        match before {
            Some(before) if is_done => {
                self.decided = Some(Decided {
                    ruling,
                    before,
                    stopped_at,
                });
            }
            None if is_done && !ruling.leaves_the_last() => self.decided = None,
            _ => {
                if let Some(last) = &mut self.decided {
                    last.stopped_at = last.stopped_at.or(stopped_at);
                }
            }
        }
    }

    fn can_be_taken_back(&self, ruling: &Ruling) -> bool {
        let is_open = matches!(self.phase, Phase::Playing | Phase::Stopped);
        let does = match ruling {
            Ruling::Accept { proposal } => {
                let mut open = self.docket.for_the_arbiter();
                let accepted = open.find(|it| it.number() == *proposal);
                accepted.is_some_and(|it| {
                    let mut rulings = it.rulings().iter();
                    rulings.all(|it| *it == Ruling::Stop || it.can_be_taken_back())
                })
            }
            Ruling::SetClock { .. } | Ruling::AddTime { .. } | Ruling::SetMoveCounter { .. } => {
                self.clocks.chessclock().is_some()
            }
            other => other.can_be_taken_back(),
        };
        is_open && does
    }

    /// Whether a message since then says that a decision is not carried out.
    fn is_refused_since(&self, said: usize, ruling: &Ruling) -> bool {
        // A decided comparison is closed.
        let stands_open =
            matches!(ruling, Ruling::GoBack { .. }) && self.comparison.report().is_some();
        let refuses = |effect: &Effect| match effect {
            Effect::Say { phrase, .. } => phrase.key.refuses_order(),
            Effect::Earcon { earcon, .. } => *earcon == Earcon::Refused,
            _ => false,
        };
        stands_open || self.response.effects().iter().skip(said).any(refuses)
    }

    /// Takes back the last decision. Time that ran since the decision stopped or restarted play
    /// counts for nobody.
    pub(super) fn take_decision_back(&mut self, now: Moment) {
        let last = self.decided.take().filter(|_| self.holds("take_back"));
        let Some(Decided {
            before, stopped_at, ..
        }) = last
        else {
            return self.nothing_to_decide();
        };
        let (was_playing, was_over) = (self.is_playing(), self.scores.is_over());
        let shown = self.boards.placements();
        let plies = before.plies();
        let goes_elsewhere = plies != self.plies();
        let is_changed = goes_elsewhere || self.course.board() != before.course.board();
        let opens_again = self.restore_from(&before);
        let stopped_at = stopped_at.unwrap_or(now);
        if !was_playing && self.is_playing() {
            self.stop_play(stopped_at);
        }
        if let Some(last) = &mut self.decided
            && self.phase != Phase::Playing
        {
            last.stopped_at = last.stopped_at.or(Some(stopped_at));
        }
        if was_over {
            self.table(PhraseKey::ResultLifted, []);
        }
        self.table(PhraseKey::DecisionTakenBack, []);
        if was_playing && !self.is_playing() {
            self.table(PhraseKey::ClocksStopped, []);
        }
        if goes_elsewhere {
            self.tell_restored(plies);
        }
        if is_changed {
            self.boards.report_all_anew();
            for side in Color::ALL {
                self.boards.forget_lifted(side);
            }
            self.guide_boards(&shown);
        }
        if opens_again {
            self.propose_again();
        }
    }

    /// Restores everything of an earlier game except devices, boards, what was agreed and what was
    /// said. Returns whether other proposals are open again.
    fn restore_from(&mut self, before: &Self) -> bool {
        self.phase = before.phase;
        self.course.clone_from(&before.course);
        self.scores.clone_from(&before.scores);
        self.draw.clone_from(&before.draw);
        self.conduct.clone_from(&before.conduct);
        self.adjournment.clone_from(&before.adjournment);
        self.decided.clone_from(&before.decided);
        self.clocks.restore_from(&before.clocks);
        self.comparison.restore_from(&before.comparison);
        self.docket.restore_from(&before.docket)
    }

    /// The progress before this input; `None` if nothing can be taken back, or if the input is the
    /// arbiter's own ruling.
    pub(super) fn happened(&self, input: &Input) -> Option<Happened> {
        self.decided.as_ref()?;
        if matches!(input, Input::Ruling(_)) {
            return None;
        }
        Some(Happened {
            is_deed: self.is_deed(input),
            ..self.so_far()
        })
    }

    /// Whether an input is a deed of a player or his assistant. A question is no deed, and setting
    /// a board right while play stands still is part of the decision. Other deeds are recognised by
    /// their results.
    const fn is_deed(&self, input: &Input) -> bool {
        match input {
            Input::Act {
                act: Act::Executed { .. } | Act::Moved,
                ..
            } => self.is_playing(),
            Input::Act { .. } | Input::Pressed { .. } | Input::Program(_) | Input::Elsewhere(_) => {
                true
            }
            Input::Heard { heard, .. } => {
                let is_of_move = matches!(
                    heard,
                    Heard::Clear(
                        Said::Move(_) | Said::Correction(_) | Said::Piece(_) | Said::Square(_)
                    )
                );
                is_of_move && self.is_playing()
            }
            _ => false,
        }
    }

    fn so_far(&self) -> Happened {
        let sheets = Sides::from_fn(|side| self.comparison.sheet(side).is_some());
        Happened {
            is_deed: false,
            phase: self.phase,
            running: self.running(),
            plies: self.plies(),
            touched: self.course.moving().hands.touched.len(),
            proposed: self.docket.proposed(),
            offered_by: self.draw.offered_by(),
            claimed_by: self.draw.claim().map(|claim| claim.side),
            signatures: Sides::from_fn(|side| self.scores.of(side).signatures().len()),
            sheets,
        }
    }

    /// Makes the last decision final if more has happened since.
    pub(super) fn let_decision_stand(&mut self, before: Option<&Happened>) {
        if before.is_some_and(|before| *before != self.so_far()) {
            self.decided = None;
        }
    }

    /// The arbiter's last decision in phrases, while he can take it back. Of a proposal: what it
    /// did, or that it was put aside and why it had been made.
    pub fn last_decision(&self) -> Option<Vec<Phrase>> {
        let Decided { ruling, before, .. } = self.decided.as_ref()?;
        let proposal = |number: u32| {
            let mut open = before.docket.for_the_arbiter();
            open.find(|it| it.number() == number)
        };
        let words = |ruling: &Ruling| before.ruling_phrases(ruling);
        Some(match ruling {
            Ruling::Accept { proposal: number } => {
                let rulings = proposal(*number)?.rulings();
                rulings.iter().flat_map(words).collect()
            }
            Ruling::Dismiss { proposal: number } => {
                let because = proposal(*number)?.because().clone();
                words(ruling).into_iter().chain([because]).collect()
            }
            ruling => words(ruling),
        })
    }

    /// The effect of taking back the last decision in phrases; `None` if it cannot be taken back.
    pub fn taking_back(&self) -> Option<Vec<Phrase>> {
        let decided = self.decided.as_ref()?;
        let before = &decided.before;
        let mut does = vec![Phrase::from(PhraseKey::DoTakeBack)];
        if self.scores.is_over() {
            does.push(PhraseKey::ResultLifted.into());
        }
        let stops = self.is_playing() && !before.is_playing();
        if stops {
            does.push(PhraseKey::DoStop.into());
        }
        if self.plies() != before.plies() {
            let plies = u32::try_from(before.plies()).unwrap_or(u32::MAX);
            does.extend(self.ruling_phrases(&Ruling::Restore { plies }));
        }
        let stood_at = decided.stopped_at.filter(|_| before.is_playing());
        let is = self.times(self.response.now());
        let was = before.times(stood_at.unwrap_or(self.response.now()));
        for side in Color::ALL {
            if is[side] != was[side] || stops && self.running() == Some(side) {
                let said = [Argument::Side(side), Argument::Time(was[side])];
                does.push(Phrase::new(PhraseKey::DoSetClock, said));
            }
        }
        Some(does)
    }
}
