//! Carries out what the arbiter decides.

use std::time::Duration;

use shakmaty::{Board, Color};

use super::Game;
use super::docket::Docket;
use super::effect::Priority;
use super::phase::Phase;
use super::profile::{Profile, Sensors};
use super::ruling::{Penalty, Ruling};
use super::speech::Speech;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_laws::{Adaptation, AdaptationError, Expected, NotAPosition, Rules, Termination};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Takes a ruling from the arbiter's console. In a game without an arbiter anybody may start,
    /// stop and restart play. Both players have to agree to all else that an arbiter would decide,
    /// and to going on while a claim is undecided.
    pub(super) fn ruling(&mut self, now: Moment, ruling: Ruling) {
        if self.is_for_the_server(&ruling) {
            return;
        }
        let is_anybodys = matches!(
            ruling,
            Ruling::Start | Ruling::Stop | Ruling::Restart { .. }
        ) && !self.scores.is_over()
            && !(matches!(ruling, Ruling::Restart { .. })
                && self.draw.claim().is_some()
                && !self.is_asking_both())
            || matches!(ruling, Ruling::ChangeProfile(_) | Ruling::SetArray { .. })
                && self.phase == Phase::BeforePlay;
        let needs_arbiter = matches!(
            ruling,
            Ruling::Accept { .. }
                | Ruling::Dismiss { .. }
                | Ruling::TakeBack
                | Ruling::Adjourn
                | Ruling::AdjournEarly { .. }
                | Ruling::OpenEnvelope { .. }
        );
        if matches!(ruling, Ruling::Stop | Ruling::Restart { .. }) {
            for side in Color::ALL {
                self.drop_own_wish(side);
            }
        }
        let comes_too_late = self.scores.is_over()
            && matches!(ruling, Ruling::Start | Ruling::Stop | Ruling::NoteState);
        if self.profile.arbiter || is_anybodys {
            self.decide(now, ruling);
        } else if comes_too_late {
            self.table(PhraseKey::PlayIsOver, []);
        } else if needs_arbiter {
            self.table(PhraseKey::NoArbiter, []);
        } else {
            self.propose_to_players(ruling);
        }
    }

    pub(super) fn rule_all(&mut self, now: Moment, rulings: Vec<Ruling>) {
        let sets_clocks = rulings
            .iter()
            .any(|ruling| matches!(ruling, Ruling::SetClock { .. }));
        for ruling in rulings {
            self.rule(now, ruling);
        }
        if sets_clocks {
            // The times were part of the proposal.
            self.clocks.go_back_to(None);
        }
        self.propose_logged_times();
    }

    pub(super) fn rule(&mut self, now: Moment, ruling: Ruling) {
        if self.scores.is_over() && self.holds("8.7") && self.is_done_after_the_end(&ruling) {
            return;
        }
        let is_over = self.scores.is_over();
        match ruling {
            Ruling::ApproveDevice(approval) => self.approve_device(approval),
            Ruling::Adapt(adaptation) => self.adapt(now, adaptation),
            Ruling::ChangeProfile(profile) => self.change_profile(*profile),
            Ruling::SetArray { number } => self.set_array(number),
            Ruling::Start => self.start(now),
            Ruling::Stop => {
                self.stop_play(now);
                self.table(PhraseKey::ClocksStopped, []);
            }
            Ruling::Restart { .. } if self.must_answer_before_going_on() => {}
            Ruling::Restart { .. } if self.phase != Phase::Stopped && self.holds("6.11.3") => {
                self.nothing_to_decide();
            }
            Ruling::Restart { clock } => self.restart(now, clock),
            Ruling::SetClock { side, left } => self.set_clock(now, side, left),
            Ruling::AddTime { side, time } => self.add_time(now, side, time),
            Ruling::SetMoveCounter { side, moves } => self.set_move_counter(side, moves),
            Ruling::CallFlag { side } => self.call_flag(now, side),
            Ruling::Accept { proposal } => self.decide_proposal(now, proposal, true),
            Ruling::Dismiss { proposal } => self.decide_proposal(now, proposal, false),
            Ruling::TakeBack => self.take_decision_back(now),
            Ruling::DecideClaim { upheld } => self.decide_claim(now, upheld),
            // The scores of an ended game may be signed: nothing is struck out of them any more.
            Ruling::Restore { .. } if is_over => self.nothing_to_decide(),
            Ruling::Restore { plies } => self.restore(now, plies),
            Ruling::HoldToTouch(touch) => self.hold_to_touch(touch),
            Ruling::Compare if !is_over => self.compare(now),
            Ruling::ReadVerdict => self.read_verdict(),
            Ruling::GoBack { plies, explanation } if !is_over => {
                self.go_back(now, plies, explanation);
            }
            Ruling::BoardShows { board, placement } => self.board_shows(board, placement),
            Ruling::Report { side, irregularity } => self.irregularity(now, side, irregularity),
            Ruling::CountFault { side, fault } => {
                let number = self.course.position().setup().fullmoves.get();
                self.conduct.count_fault(side, fault, number);
            }
            Ruling::PlaceQueen { square } => self.place_queen(square),
            Ruling::Penalise { side, penalty } => self.penalise(now, side, penalty),
            Ruling::AllowDraw => {
                self.draw.allow();
                self.report("9.1.1", PhraseKey::DrawAllowed, []);
            }
            Ruling::Aid { aid, is_allowed } => self.allow_aid(aid, is_allowed),
            Ruling::DecideQuickplay(decision) => self.decide_quickplay(now, decision),
            Ruling::NoteState => self.note_state(now),
            Ruling::SetPosition(fen) => self.set_position(now, fen.into_setup()),
            Ruling::Adjourn => self.adjourn(None),
            Ruling::AdjournEarly { session_left } => self.adjourn(Some(session_left)),
            Ruling::OpenEnvelope {
                replier_present,
                sealed,
            } => self.open_envelope(now, replier_present, sealed),
            Ruling::EnvelopeMissing { position_known } => {
                self.envelope_is_missing(position_known);
            }
            Ruling::Resume { present } => self.resume(now, present),
            Ruling::AllowStandingRequest { side, at } => {
                self.clocks.allow_request(side, at);
                let arguments = [Argument::Side(side), Argument::Time(at)];
                self.report("D.2.10.4", PhraseKey::StandingAllowed, arguments);
            }
            Ruling::End(termination) if !is_over => self.finish(now, termination),
            Ruling::Result(result) if !is_over => {
                self.finish_with(now, Some(result), None, "12.9");
            }
            Ruling::Annul if !is_over => self.finish(now, Termination::Annulled),
            Ruling::End(_)
            | Ruling::Result(_)
            | Ruling::Annul
            | Ruling::Compare
            | Ruling::GoBack { .. } => {}
        }
    }

    /// Whether a ruling after the end needs nothing more. The result stands unless the arbiter
    /// decides otherwise, and nothing is struck out of scores that may be signed before the result
    /// is lifted.
    fn is_done_after_the_end(&mut self, ruling: &Ruling) -> bool {
        match ruling {
            Ruling::End(_) | Ruling::Result(_) | Ruling::Annul => {
                self.lift_result();
                false
            }
            Ruling::Restart { .. } => {
                self.lift_result();
                self.table(PhraseKey::ClocksStopped, []);
                true
            }
            Ruling::Stop
            | Ruling::Start
            | Ruling::SetClock { .. }
            | Ruling::AddTime { .. }
            | Ruling::CallFlag { .. }
            | Ruling::Restore { .. }
            | Ruling::HoldToTouch(_)
            | Ruling::Compare
            | Ruling::GoBack { .. }
            | Ruling::PlaceQueen { .. }
            | Ruling::SetPosition(_)
            | Ruling::Adjourn
            | Ruling::AdjournEarly { .. }
            | Ruling::Resume { .. }
            | Ruling::OpenEnvelope { .. } => {
                let article = self.article("8.7");
                let key = PhraseKey::GameIsOver;
                self.say(Channel::Arbiter, key, [article], Priority::Next);
                true
            }
            _ => false,
        }
    }

    /// Takes a local adaptation, with the arbiter's name and the time (D.1).
    fn adapt(&mut self, now: Moment, mut adaptation: Adaptation) {
        if adaptation.at.is_empty() {
            adaptation.at = now.to_string();
        }
        let mut profile = self.profile.clone();
        profile.adaptations.push(adaptation.clone());
        self.change_profile(profile);
        if self.profile.adaptations.last() != Some(&adaptation) {
            return;
        }
        if adaptation.key == Adaptation::LANGUAGES {
            let language = Argument::Language(self.profile.language_of_table());
            let said = [language.clone(), Argument::Text(adaptation.arbiter)];
            self.report("D.1", PhraseKey::LanguageDecided, said);
            self.table(PhraseKey::TableLanguage, [language]);
            self.tell_other_languages();
        } else {
            let said = [
                adaptation.key,
                adaptation.value,
                adaptation.arbiter,
                adaptation.at,
            ];
            self.report("D.1", PhraseKey::Adapted, said.map(Argument::Text));
        }
    }

    /// Tells both in which other languages announcements are heard, as was decided or agreed.
    pub(super) fn tell_other_languages(&mut self) {
        if !self.holds("two_languages") {
            return;
        }
        for language in self.profile.languages_heard().into_iter().skip(1) {
            self.table(PhraseKey::AlsoHeard, [Argument::Language(language)]);
        }
    }

    /// Says why an adaptation cannot be taken, and what may have been meant.
    fn not_adapted(&mut self, error: AdaptationError) {
        let (key, said) = match error {
            AdaptationError::UnknownKey { key, nearest } => {
                (PhraseKey::NoSuchValue, vec![key, nearest])
            }
            AdaptationError::BadValue {
                key,
                value,
                expected,
            } => return self.value_cannot_be(key, value, expected),
            AdaptationError::NoArbiter(key) | AdaptationError::NoTime(key) => {
                (PhraseKey::NotAdapted, vec![key])
            }
        };
        let said = said.into_iter().map(Argument::Text);
        self.say(Channel::Arbiter, key, said, Priority::Next);
    }

    /// Says which values are possible for a rejected one.
    fn value_cannot_be(&mut self, key: String, value: String, expected: Expected) {
        let named = [key, value].map(Argument::Text).into_iter();
        let (key, expected) = match expected {
            Expected::Between(least, most) => {
                let range = [least, most].map(Argument::Number).to_vec();
                (PhraseKey::ValueOutOfRange, range)
            }
            Expected::OneOf(all) => (
                PhraseKey::ValueIsOneOf,
                vec![Argument::Text(all.join(", "))],
            ),
            Expected::Like(now) => (PhraseKey::ValueIsLike, vec![Argument::Text(now)]),
        };
        let said = named.chain(expected);
        self.say(Channel::Arbiter, key, said, Priority::Next);
    }

    /// Changes what was agreed, as only the arbiter can after the first move (D.1).
    pub(super) fn change_profile(&mut self, profile: Profile) {
        let adapted = profile.edition.rules().adapted(&profile.adaptations);
        let rules: Rules = match adapted {
            Ok(rules) => rules,
            Err(error) => {
                self.not_adapted(error);
                return;
            }
        };
        if self.phase == Phase::BeforePlay {
            let response = self.response.clone();
            let (utterances, proposed) = (self.speech.utterances(), self.docket.proposed());
            let is_array_read = self.speech.is_array_read() && self.profile.start == profile.start;
            *self = Self::new(profile);
            self.response = response;
            self.docket = Docket::after(proposed);
            self.speech = Speech::after(utterances);
            if is_array_read {
                self.speech.read_array();
            }
            return;
        }
        self.rules = rules;
        // Past moves stay. The clock keeps the time control it was started with.
        self.profile = Profile {
            time_control: self.profile.time_control.clone(),
            black_time_control: self.profile.black_time_control.clone(),
            start: self.profile.start.clone(),
            chess960: self.profile.chess960,
            ..profile
        };
        self.report("D.1", PhraseKey::ProfileChanged, []);
    }

    /// Lets play go on, on the arbiter's word only (6.11.3).
    pub(super) fn restart(&mut self, now: Moment, clock: Option<Color>) {
        if !matches!(self.phase, Phase::Stopped) {
            return;
        }
        self.phase = Phase::Playing;
        self.adjournment.end_making();
        // The clocks were set anew, so a press before the move no longer counts.
        if self.holds("6.11.3") {
            self.course.press_early(false);
        }
        self.end_correcting();
        // A player who has made his move and not pressed goes on at his own time (6.2.2).
        let side = clock.unwrap_or_else(|| match self.holds("6.2.2") {
            true => self.to_press(),
            false => self.course.turn(),
        });
        self.clocks.start(side, now);
        self.table(PhraseKey::PlayGoesOn, []);
        self.announce_missed();
    }

    /// Sets a clock. The record keeps the old time (6.10).
    pub(super) fn set_clock(&mut self, now: Moment, side: Color, left: Duration) {
        let Some(old) = self.clocks.set(side, left, now) else {
            return;
        };
        let arguments = [
            Argument::Side(side),
            Argument::Time(old),
            Argument::Time(left),
        ];
        self.report("6.10.1", PhraseKey::ClockSet, arguments);
    }

    /// Sets a move counter. The record keeps the old number (6.10.2).
    fn set_move_counter(&mut self, side: Color, moves: u32) {
        let Some(old) = self.clocks.set_moves(side, moves) else {
            return;
        };
        let numbers = [old, moves].map(Argument::Number);
        let arguments = [Argument::Side(side)].into_iter().chain(numbers);
        self.report("6.10.2", PhraseKey::CounterSet, arguments);
    }

    pub(super) fn add_time(&mut self, now: Moment, side: Color, time: Duration) {
        self.clocks.add_to_logged(side, time);
        let left = self.clocks.chessclock().map(|clock| clock.left(side, now));
        if let Some(left) = left {
            self.set_clock(now, side, left.saturating_add(time));
            self.table(
                PhraseKey::TimeAdded,
                [Argument::Side(side), Argument::Time(time)],
            );
        }
    }

    /// Goes back to the position after this many plies. Everything later is struck out: moves,
    /// repetition, counters, castling and en passant, an open offer. Counted penalties stay (D.2.9,
    /// 7.5.1).
    fn restore(&mut self, now: Moment, plies: u32) {
        let plies = plies as usize;
        if plies > self.course.plays().len() {
            self.nothing_to_decide();
            return;
        }
        self.stop_play(now);
        self.seal_lapses();
        let times = self.times_at(plies);
        let mut bound_by = Vec::new();
        if let Some(play) = self.course.plays().get(plies) {
            bound_by = self.bound_after(play);
            self.scores.truncate(plies);
        }
        // A player who has repeated a move has it on his own board, even if no sensor shows it
        // (D.2.1).
        for side in Color::ALL {
            let shows = self.sensors(side) != Sensors::None;
            if !shows && self.has_repeated_last(side) && self.holds("repeated_stands") {
                self.boards.set(side, self.course.board().clone());
            }
        }
        self.course.go_back(plies, bound_by);
        self.draw.lapses();
        self.docket.clear();
        self.boards.report_all_anew();
        let shown = self.boards.placements();
        for side in Color::ALL {
            self.boards.forget_lifted(side);
        }
        self.tell_restored(plies);
        self.guide_boards(&shown);
        let times = times.filter(|_| self.holds("7.1"));
        self.clocks.go_back_to(times.map(|times| (times, "7.1")));
    }

    /// Whether a player has repeated the opponent's last move.
    fn has_repeated_last(&self, side: Color) -> bool {
        let last = self.course.last_of(!side);
        let words = last.and_then(|play| play.moving.complete_words());
        words.is_some_and(|words| !words.is_awaiting_repetition())
    }

    /// Says at the table to which position play goes back.
    pub(super) fn tell_restored(&mut self, plies: usize) {
        match u32::try_from(plies).unwrap_or(u32::MAX) {
            0 => self.table(PhraseKey::RestoredToStart, []),
            number => self.table(PhraseKey::Restored, [Argument::Number(number)]),
        }
    }

    /// Says why no game can be played from the given position.
    fn no_position(&mut self, why: NotAPosition) {
        let key = match why {
            NotAPosition::Kings => PhraseKey::PositionNeedsKings,
            NotAPosition::PawnOnLastRank => PhraseKey::PositionHasLastPawn,
            NotAPosition::OppositeCheck => PhraseKey::PositionTakesKing,
            NotAPosition::Other => PhraseKey::PositionCannotBe,
        };
        self.say(self.deciders(), key, [], Priority::Next);
    }

    /// Proposes the logged times after the other rulings of a decision, because time given for the
    /// irregularity is added to them.
    pub(super) fn propose_logged_times(&mut self) {
        if let Some((left, clause)) = self.clocks.take_logged() {
            let rulings = Color::ALL.map(|side| Ruling::SetClock {
                side,
                left: left[side],
            });
            self.propose(rulings.to_vec(), clause, PhraseKey::TimesAsLogged, []);
        }
    }

    /// The times logged when this many plies had been completed (7.1).
    pub(super) fn times_at(&self, plies: usize) -> Option<Sides<Duration>> {
        match plies.checked_sub(1) {
            Some(index) => self.course.plays().get(index)?.left,
            None => {
                let clock = self.profile.chessclock()?;
                Some(Sides::from_fn(|side| clock.left(side, Moment::START)))
            }
        }
    }

    /// Sets the position by hand on the arbiter's word. The moves stay in the scores; earlier
    /// positions no longer count for repetition.
    fn set_position(&mut self, now: Moment, setup: shakmaty::Setup) {
        if let Err(why) = annexd_laws::position_of(&setup) {
            return self.no_position(why);
        }
        self.stop_play(now);
        self.seal_lapses();
        self.course.set_position(setup);
        self.draw.lapses();
        self.docket.clear();
        self.boards.report_all_anew();
        let placement = self.course.board().clone();
        let shown = self.boards.placements();
        for side in Color::ALL {
            if self.sensors(side) == Sensors::None {
                self.boards.set(side, placement.clone());
            }
        }
        self.report("7.6", PhraseKey::DoSetPosition, []);
        if self.phase != Phase::BeforePlay {
            self.guide_boards(&shown);
        }
    }

    /// Takes the arbiter's word for what stands on a board that he has set right by hand.
    fn board_shows(&mut self, board: Color, placement: Board) {
        self.boards.tell(board, placement);
        self.course.forget_touches();
        let is_right = !self.boards.differs(board, self.course.board());
        if is_right && !self.is_correcting(board) {
            self.report("D.2.9.b", PhraseKey::BoardIsRight, [Argument::Side(board)]);
        }
        self.check_correction(board);
    }

    fn place_queen(&mut self, square: shakmaty::Square) {
        if !self.course.place_queen(square) {
            self.nothing_to_decide();
            return;
        }
        let placement = self.course.board().clone();
        let shown = self.boards.placements();
        for side in Color::ALL {
            if self.sensors(side) == Sensors::None {
                self.boards.set(side, placement.clone());
            }
        }
        self.table(PhraseKey::QueenPlaced, [Argument::Square(square)]);
        self.guide_boards(&shown);
    }

    /// Imposes a penalty of 12.9, if the edition provides it.
    fn penalise(&mut self, now: Moment, side: Color, penalty: Penalty) {
        let known = &self.rules.conduct.sanctions;
        if !known.contains(&penalty.sanction()) && self.holds("12.9") {
            self.refuse(Channel::Arbiter, "12.9", PhraseKey::NoSuchPenalty);
            return;
        }
        self.report("12.9", PhraseKey::Penalised, [Argument::Side(side)]);
        match penalty {
            Penalty::Warning => self.table(PhraseKey::Warned, [Argument::Side(side)]),
            Penalty::MoreTimeForOpponent(time) => self.add_time(now, !side, time),
            Penalty::LessTimeForOffender(time) => {
                let left = self.clocks.chessclock().map(|clock| clock.left(side, now));
                if let Some(left) = left {
                    self.set_clock(now, side, left.saturating_sub(time));
                }
            }
            Penalty::LossOfGame => self.finish(now, Termination::Declared(side)),
            Penalty::MorePointsForOpponent(_) | Penalty::FewerPointsForOffender(_) => {
                self.penalise_points(side, penalty);
            }
            Penalty::Fine | Penalty::ExclusionFromRounds(_) | Penalty::Expulsion => {}
        }
    }

    pub(super) fn nothing_to_decide(&mut self) {
        self.say(
            self.deciders(),
            PhraseKey::NothingToDecide,
            [],
            Priority::Next,
        );
    }

    /// The channel of those who decide: the arbiter, or without one both players.
    const fn deciders(&self) -> Channel {
        match self.profile.arbiter {
            true => Channel::Arbiter,
            false => Channel::Table,
        }
    }
}
