//! Before and at the start: what must be in order, and who is present (6.5 to 6.7, 11.3.2).

use shakmaty::fen::Fen;
use shakmaty::{Color, Setup};

use super::Game;
use super::effect::Priority;
use super::phase::Phase;
use super::position::changed;
use super::profile::{Aid, DeviceApproval, Duty, Mode, Profile, Sensors};
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_laws::{Arrival, CannotWrite, GameType, RankWords, Termination};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// The phrase for a type of game, and the clause that defines its times.
pub const fn type_phrase(game_type: GameType) -> (PhraseKey, &'static str) {
    match game_type {
        GameType::Standard => (PhraseKey::IsStandard, "A.1"),
        GameType::Rapid => (PhraseKey::IsRapid, "A.1"),
        GameType::Blitz => (PhraseKey::IsBlitz, "B.1"),
    }
}

/// The phrase for a duty of an assistant, and its clause.
const fn words_of_duty(duty: Duty) -> (PhraseKey, &'static str) {
    match duty {
        Duty::Execute => (PhraseKey::DutyExecute, "D.2.10.1"),
        Duty::Announce => (PhraseKey::DutyAnnounce, "D.2.10.2"),
        Duty::ScoreAndClock => (PhraseKey::DutyScore, "D.2.10.3"),
        Duty::Tell => (PhraseKey::DutyTell, "D.2.10.4"),
        Duty::Claim => (PhraseKey::DutyClaim, "D.2.10.5"),
        Duty::Adjourn => (PhraseKey::DutyAdjourn, "D.2.10.6"),
    }
}

impl Game {
    /// Sets the drawn starting position of a Chess960 game and reads it out at the table, so that
    /// both boards can be set up (F.2).
    pub(super) fn set_array(&mut self, number: u32) {
        if self.phase != Phase::BeforePlay {
            self.refuse(Channel::Arbiter, "F.2", PhraseKey::NotNow);
            return;
        }
        let Some(board) = laws::chess960_start(number).filter(|_| self.holds("F.2")) else {
            self.refuse(Channel::Arbiter, "F.2", PhraseKey::WrongChess960Start);
            return;
        };
        let rooks = board.rooks();
        let setup = Setup {
            board,
            castling_rights: rooks,
            ..Setup::initial()
        };
        self.change_profile(Profile {
            chess960: true,
            start: Fen::try_from_setup(setup).ok(),
            ..self.profile.clone()
        });
        self.table(PhraseKey::ArrayIs, [Argument::Number(number)]);
        self.read_array(Channel::Table);
        self.speech.read_array();
    }

    /// Starts the game with White's clock (6.6), or that of the side to move.
    pub(super) fn start(&mut self, now: Moment) {
        if self.phase != Phase::BeforePlay {
            self.nothing_to_decide();
            return;
        }
        if let Some((clause, key)) = self.hindrance() {
            self.refuse(Channel::Arbiter, clause, key);
            if key == PhraseKey::BoardNotSetUp {
                self.report_not_set_up("2.3");
            }
            if key == PhraseKey::DeviceNotApproved {
                self.tell_what_is_approved();
                let how = PhraseKey::HowToApprove;
                self.say(Channel::Arbiter, how, [], Priority::Next);
            }
            if !self.profile.arbiter {
                self.table(key, [self.article(clause)]);
            }
            return;
        }
        self.read_array_unasked();
        self.phase = Phase::Playing;
        self.clocks.begin_play(self.course.turn(), now);
        self.table(PhraseKey::PlayStarts, []);
        self.report_type_by_clock();
        self.report_rank_words();
        if self.profile.second_language.is_some() {
            self.tell_other_languages();
        }
        if let Some(side) = self.profile.draw_odds {
            self.table(PhraseKey::DrawCountsAsWin, [Argument::Side(side)]);
        }
        for side in Color::ALL {
            let has_helper = !self.profile.sides[side].duties.is_empty();
            if has_helper && !self.may_have_helper(side) {
                self.report("D.2.11", PhraseKey::HelperNotAllowed, []);
            }
            self.report_loss_of_time(side);
        }
    }

    /// Reads the Chess960 array before play to a player who cannot see it, if it was not read to
    /// him before (F.2).
    fn read_array_unasked(&mut self) {
        let is_due = self.profile.chess960
            && !self.speech.is_array_read()
            && self.course.plays().is_empty()
            && self.holds("F.2");
        for side in Color::ALL {
            if is_due && self.profile.is_visually_disabled(side) {
                self.read_array(self.private(side));
            }
        }
    }

    /// Until 2009 the arbiter may deduct time even from a disabled player whose assistant writes
    /// and presses for him (8.1.6).
    fn report_loss_of_time(&mut self, side: Color) {
        let player = &self.profile.sides[side];
        let why = match player.visually_disabled {
            true => CannotWrite::Disabled,
            false => CannotWrite::Other,
        };
        let writes = player.duties.contains(&Duty::ScoreAndClock);
        if writes && laws::loses_time_for_assistant(&self.rules, why) {
            self.report("8.1.6", PhraseKey::MayLoseTime, [Argument::Side(side)]);
        }
    }

    /// Reports to the arbiter that other rank words are spoken than the edition requires, if nobody
    /// has decided on them (D.2.1).
    fn report_rank_words(&mut self) {
        let language = self.profile.language_of_table();
        let is_right = match self.rules.blind.rank_words {
            RankWords::MustDanishOrGerman => matches!(language.as_str(), "da" | "de"),
            RankWords::MustGerman => language == "de",
            RankWords::RecommendedGerman => true,
        };
        if !is_right && self.profile.decided_language().is_none() {
            self.report(
                "D.2.1.f",
                PhraseKey::RankWordsUndecided,
                [Argument::Language(language)],
            );
        }
    }

    /// Reports to the arbiter that the time control makes another type of game than the agreed one
    /// (A.1, B.1).
    fn report_type_by_clock(&mut self) {
        let by_clock = self.profile.type_under(&self.rules);
        let is_told = |by: &GameType| self.profile.arbiter && *by != self.profile.game_type;
        let Some(by_clock) = by_clock.filter(is_told) else {
            return;
        };
        let (key, clause) = type_phrase(by_clock);
        self.report(clause, key, []);
    }

    /// Takes the arbiter's approval of the program as a device. Both players are told (11.3.2).
    pub(super) fn approve_device(&mut self, approval: DeviceApproval) {
        self.profile.device = Some(approval);
        if self.holds("11.3.2") {
            self.table(PhraseKey::DeviceApproved, [self.article("11.3.2")]);
            self.tell_what_is_approved();
        }
    }

    /// Tells the arbiter, on approving the device, what else the settings allow. He is not told
    /// again when it is used.
    fn tell_what_is_approved(&mut self) {
        for Phrase { key, arguments } in self.approved_besides() {
            self.say(Channel::Arbiter, key, arguments, Priority::Normal);
        }
    }

    /// What the arbiter approves with the device because the settings allow it: information about
    /// the position, and what assistants and the program do for the players (11.3.1, D.2.10).
    pub fn approved_besides(&self) -> Vec<Phrase> {
        let aids = self.profile.aids.iter().map(|aid| match aid {
            Aid::Board => (PhraseKey::BoardAllowed, "11.3.1", None),
        });
        let of_sides = Color::ALL.into_iter().flat_map(|side| {
            let player = &self.profile.sides[side];
            let duties = player.duties.iter().map(|duty| words_of_duty(*duty));
            let program = (PhraseKey::ProgramAnnounces, "D.2.10.2");
            let program = player.announced_by_program.then_some(program);
            duties
                .chain(program)
                .map(move |(key, clause)| (key, clause, Some(side)))
        });
        aids.chain(of_sides)
            .filter(|(_, clause, _)| self.holds(clause))
            .map(|(key, clause, side)| {
                let side = side.map(Argument::Side);
                Phrase::new(key, side.into_iter().chain([self.article(clause)]))
            })
            .collect()
    }

    /// Whether the game cannot start before the arbiter has approved the program as a device. That
    /// holds for a rated game with an arbiter (11.3.2).
    pub fn needs_approval(&self) -> bool {
        self.phase == Phase::BeforePlay
            && self.profile.mode == Mode::Rated
            && self.profile.arbiter
            && self.profile.device.is_none()
            && laws::needs_approval(&self.rules)
            && self.holds("11.3.2")
    }

    /// The clause and phrase that say why the game cannot start yet.
    fn hindrance(&self) -> Option<(&'static str, PhraseKey)> {
        if self.needs_approval() {
            return Some(("11.3.2", PhraseKey::DeviceNotApproved));
        }
        if let Some(wrong) = self.wrong_chess960_start() {
            return Some(wrong);
        }
        for side in Color::ALL {
            let needs = self.profile.is_visually_disabled(side)
                && laws::needs_assistant(&self.rules, self.profile.sides[!side].hearing_impaired);
            if needs && self.profile.sides[side].duties.is_empty() && self.holds("D.2.11") {
                return Some(("D.2.11", PhraseKey::AssistantNeeded));
            }
            let senses = self.sensors(side) != Sensors::None;
            let board = self.boards.placement(side);
            if senses && !changed(board, self.course.board()).is_empty() && self.holds("2.3") {
                return Some(("2.3", PhraseKey::BoardNotSetUp));
            }
        }
        None
    }

    /// Reports which boards are not set up, and on which squares (2.3).
    fn report_not_set_up(&mut self, clause: &'static str) {
        for board in Color::ALL {
            let shown = self.boards.placement(board);
            let differs = !changed(shown, self.course.board()).is_empty();
            if differs && self.sensors(board) != Sensors::None {
                self.report_squares(board, clause);
                self.boards.report_anew(board);
            }
        }
    }

    /// Whether the start of a Chess960 game at move one is not among the 960 (F.2).
    fn wrong_chess960_start(&self) -> Option<(&'static str, PhraseKey)> {
        let setup = self.course.position().setup();
        let is_start = setup.board.occupied().count() == 32 && setup.fullmoves.get() == 1;
        let is_wrong = laws::check_chess960_start(&setup.board).is_err();
        let is_refused = self.profile.chess960 && is_start && is_wrong && self.holds("F.2");
        is_refused.then_some(("F.2", PhraseKey::WrongChess960Start))
    }

    /// A player reports at the board. After the default time he has lost, unless the arbiter
    /// decides otherwise (6.7.1).
    pub(super) fn arrived(&mut self, now: Moment, side: Color) {
        let Some(started) = self.clocks.started_at() else {
            return self.refuse(self.private(side), "6.7.1", PhraseKey::NotNow);
        };
        let has_moved = self
            .course
            .plays()
            .iter()
            .any(|play| play.moving.side == side);
        // Without an arbiter the players began when both were present.
        if has_moved || !self.profile.arbiter || !self.holds("6.7.1") {
            return self.refuse(self.private(side), "6.7.1", PhraseKey::NotNow);
        }
        self.tell(side, PhraseKey::IsReported, []);
        self.clocks.came(side, now);
        let arguments = [Argument::Side(side), Argument::Time(now.since(started))];
        self.report("6.7.1", PhraseKey::CameLate, arguments);
        match laws::arrival(&self.rules, self.profile.default_time, now.since(started)) {
            Arrival::InTime => {}
            Arrival::TooLate => {
                let end = Termination::Default(side);
                let rulings = vec![Ruling::End(end)];
                let arguments = [Argument::Side(side)];
                self.propose(rulings, "6.7.1", PhraseKey::EndDefault, arguments);
            }
            Arrival::EventMustSay => self.report("6.7.1", PhraseKey::NoDefaultTime, []),
        }
    }
}
