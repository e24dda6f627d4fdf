//! The protocol of Annex D as a state machine: inputs and the time in, effects out.
//!
//! Nothing here fails or panics, whatever comes in, and the same inputs at the same moments give
//! the same game: the journal is the list of inputs.
//!
//! What must always hold has names, `X1` to `X8`, which `ARCHITECTURE.md` explains; `docs/traps.md`
//! explains what comments call `trap 66` and the like.

// No input may end a game: nothing here panics on purpose but where data of the program itself
// is wrong, and nothing looks at a place that may not be there.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

pub mod board;
pub mod journal;
pub mod set_up;

mod act;
mod acting;
mod adjournment;
mod announcing;
mod answers;
mod assisting;
mod castling_words;
mod claims;
mod confirming;
mod correcting;
mod deadline;
mod device_clock;
mod devices;
mod differing;
mod effect;
mod ending;
mod expectation;
mod expecting;
mod explaining;
mod flags;
mod going_back;
mod handling;
mod hearing;
mod input;
mod irregularities;
mod machine;
mod making;
mod mismatch;
mod moving;
mod offers;
mod own_board;
mod permissions;
mod points;
mod position;
mod pressing;
mod profile;
mod queries;
mod question;
mod quickplay;
mod reading_out;
mod recording;
mod releasing;
mod result;
mod resuming;
mod resumption;
mod ruling;
mod ruling_words;
mod rulings;
mod saying;
pub mod scenario;
mod start;
#[cfg(test)]
mod switched_off;
mod touching;

use shakmaty::{Color, Setup};

pub use act::{Act, ClaimGround, Envelope};
pub use effect::{Earcon, Effect, Explanation, Priority};
pub use ending::Ending;
pub use expectation::{Expectation, Form};
pub use input::{ClockNotice, Device, Input, Means, MicrophoneState, Origin, VoiceMark};
pub use machine::MachineNotice;
pub use profile::{
    Agreement, Aid, AsksBack, ClockKind, DeviceApproval, Duty, Microphones, Mode, Profile, Sensors,
    SideProfile,
};
pub use queries::Phase;
pub use ruling::{Irregularity, Penalty, Ruling};
pub use ruling_words::result_phrase;
pub use start::type_phrase;

pub use annexd_laws::notation::{Command, Heard, Said};

use annexd_laws::clock::{Chessclock, ClockSide};
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_laws::{FaultRecord, PositionKey, Rules};
use annexd_score::Score;
use annexd_score::discrepancy::Report;
use claims::Claim;
use confirming::{Confirmation, Proposal};
use differing::HandedIn;
use mismatch::Mismatch;
use moving::{Moving, Play};
use offers::Offer;
use own_board::OwnBoard;
use position::Position;
use resuming::Saying;

/// A game under Annex D.
///
/// The state is a free placement with the announced moves: a completed illegal move, a wrong
/// setup and two boards that differ are held as they are, until the arbiter decides.
#[derive(Clone, Debug)]
pub struct Game {
    profile: Profile,
    rules: Rules,
    phase: Phase,
    /// The position after all moves made; the player whose turn it is has the move (1.3).
    position: Position,
    /// What each player's board shows. They are never assumed to be the same (D.2.9).
    boards: Sides<OwnBoard>,
    moving: Moving,
    plays: Vec<Play>,
    /// All positions since the start, for repetition (9.2.2); empty once one was no position.
    keys: Vec<PositionKey>,
    scores: Sides<Score>,
    /// Scores as they were handed in by the players, where they were (D.2.9).
    handed_in: Sides<Option<HandedIn>>,
    /// The last comparison of boards and scores, until it is decided (D.2.9).
    differing: Option<Report>,
    /// The number of the proposal for its first explanation.
    first_explanation: u32,
    /// Boards that are being set right after a decision.
    correcting: Sides<bool>,
    clock: Option<Chessclock>,
    started_at: Option<Moment>,
    offer: Option<Offer>,
    claim: Option<Claim>,
    confirmations: Sides<Option<Confirmation>>,
    proposals: Vec<Proposal>,
    /// What both players are asked, where there is no arbiter, and since when.
    question: Option<u32>,
    asked_at: Moment,
    faults: Sides<FaultRecord>,
    /// The numbers of the moves in which they were made.
    fault_moves: Sides<Vec<u32>>,
    /// How many moves and presses without one there were, those taken back included: what was
    /// done wrong in one of them counts once (7.5.5).
    acts: u32,
    /// Half points given or taken by penalties (12.9).
    points: Sides<i32>,
    /// The clause by which a game would be annulled.
    annulled_by: &'static str,
    /// The proposal to end the game that the last move brought about.
    over_by: Option<u32>,
    /// The claim that was upheld.
    upheld: Option<Claim>,
    /// What is being said now, on which channel, since when.
    speaking: Vec<(Channel, u32, Moment)>,
    /// What was said just before: from when to when.
    spoken: Vec<(Channel, std::ops::Range<Moment>)>,
    /// What was to be said and is not known to have been heard.
    unheard: Vec<Saying>,
    /// The squares that are lit on each board.
    lit: Sides<Vec<shakmaty::Square>>,
    /// Microphones that hear nothing, and since when.
    muted: Vec<(Option<Color>, Moment)>,
    /// Microphones that are muted again after the next words.
    once: Vec<Option<Color>>,
    lost: Vec<Device>,
    /// Who has a console of his own just now.
    consoles: Sides<bool>,
    /// Whose ear all at the table hear.
    shared_ears: Sides<bool>,
    /// Whether a difference of a board from the position was reported since the last move.
    difference_reported: Sides<bool>,
    /// Since when a move rests that the program announces and nobody has pressed for.
    rests_since: Option<Moment>,
    /// Boards that rest and differ, and since when.
    mismatches: Sides<Option<Mismatch>>,
    /// Since when boards are back that have not come to rest since.
    boards_back: Sides<Option<Moment>>,
    standing_requests: Sides<Option<std::time::Duration>>,
    recording: recording::Recording,
    /// Who has asked for something in a game without increment that is not decided yet (G.4, G.5).
    quickplay_by: Option<Color>,
    /// Whether the arbiter consents to a draw that the event restricts (9.1.1).
    draw_allowed: bool,
    /// How often each player has offered a draw without a word of the other since (11.5).
    offers_made: Sides<u32>,
    /// After how many moves of both an illegal position was first seen (A.4.4).
    illegal_since: Option<usize>,
    adjournment: adjournment::Adjournment,
    looks: Sides<u32>,
    repeats: u32,
    signed: Sides<bool>,
    ending: Option<Ending>,
    listening: Vec<Expectation>,
    shown_running: Option<Color>,
    clock_changed: bool,
    /// When the chessclock was last read.
    clock_read_at: Option<Moment>,
    /// When the chessclock was last set.
    clock_set_at: Option<Moment>,
    /// At which side of it White sits, once that is known.
    white_at_clock: Option<ClockSide>,
    utterances: u32,
    proposed: u32,
    /// The times that were logged where play has gone back to, until they are proposed, with what
    /// a player was given meanwhile, and the clause that asks for them (7.1, D.2.9).
    restored_times: Option<(Sides<std::time::Duration>, &'static str)>,
    /// Whether the array of a Chess960 game was read out (F.2).
    array_is_read: bool,
    /// When each player came late.
    came_at: Sides<Option<Moment>>,
    /// The moment of the input that is being handled.
    now: Moment,
    out: Vec<Effect>,
    #[cfg(test)]
    switched_off: Vec<String>,
}

impl Game {
    /// A game before its start.
    ///
    /// Adaptations that cannot be taken (an unknown value, no arbiter's name) are left out;
    /// [`annexd_laws::Rules::adapted`] says why beforehand.
    pub fn new(mut profile: Profile) -> Self {
        let start = profile.start.as_ref();
        let setup = start.map_or_else(Setup::initial, |fen| fen.as_setup().clone());
        let position = Position::new(setup.clone());
        let rules;
        (rules, profile.adaptations) = profile
            .edition
            .rules()
            .adapted_as_possible(&profile.adaptations);
        let keys = position.chess().map(PositionKey::of).into_iter().collect();
        Self {
            rules,
            phase: Phase::BeforePlay,
            boards: Sides::from_fn(|_| OwnBoard::new(setup.board.clone())),
            moving: Moving::new(setup.turn),
            plays: Vec::new(),
            keys,
            scores: Sides::from_fn(|side| Score::new(Some(side)).starting_from(setup.clone())),
            handed_in: Sides::default(),
            differing: None,
            first_explanation: 1,
            correcting: Sides::default(),
            clock: profile.chessclock(),
            started_at: None,
            offer: None,
            claim: None,
            confirmations: Sides::default(),
            proposals: Vec::new(),
            question: None,
            asked_at: Moment::START,
            faults: Sides::default(),
            fault_moves: Sides::default(),
            acts: 0,
            points: Sides::default(),
            annulled_by: "7.2.1",
            over_by: None,
            upheld: None,
            speaking: Vec::new(),
            spoken: Vec::new(),
            unheard: Vec::new(),
            lit: Sides::default(),
            muted: Vec::new(),
            once: Vec::new(),
            lost: Vec::new(),
            consoles: Sides::default(),
            shared_ears: Sides::default(),
            difference_reported: Sides::default(),
            rests_since: None,
            mismatches: Sides::default(),
            boards_back: Sides::default(),
            standing_requests: Sides::default(),
            recording: recording::Recording::default(),
            quickplay_by: None,
            draw_allowed: false,
            offers_made: Sides::default(),
            illegal_since: None,
            adjournment: adjournment::Adjournment::default(),
            looks: Sides::default(),
            repeats: 0,
            signed: Sides::default(),
            ending: None,
            listening: Vec::new(),
            shown_running: None,
            clock_changed: false,
            clock_read_at: None,
            clock_set_at: None,
            white_at_clock: None,
            utterances: 0,
            proposed: 0,
            restored_times: None,
            array_is_read: false,
            came_at: Sides::default(),
            now: Moment::START,
            out: Vec::new(),
            #[cfg(test)]
            switched_off: Vec::new(),
            position,
            profile,
        }
    }

    /// Takes what happened at `now` and says what is to be done, in this order.
    pub fn handle(&mut self, now: Moment, input: Input) -> Vec<Effect> {
        self.now = now;
        self.check_flag(now);
        match self.with_castling(input) {
            Input::Heard {
                origin,
                heard,
                begun,
                ended,
            } => {
                let said = begun.map(|begun| begun..ended.unwrap_or(begun));
                self.heard(now, origin, heard, said);
            }
            Input::Unheeded { side, begun, ended } => {
                self.unheeded(now, side, Some(&(begun..ended)));
            }
            Input::Act { person, act } => self.act(now, person, act),
            Input::Ruling(ruling) => self.ruling(now, ruling),
            Input::Board { board, fact } => self.board(now, board, &fact),
            Input::Pressed { side, means } => self.pressed(now, side, means),
            Input::ClockReads { left, running } => self.clock_reads(now, left, running),
            Input::ClockTells(notice) => self.clock_tells(now, notice),
            Input::WhiteSitsAt(side) => self.white_sits_at(side),
            Input::Voice {
                channel,
                utterance,
                mark,
            } => self.voice(now, channel, utterance, mark),
            Input::Microphone { side, state } => self.microphone(now, side, state),
            Input::Console { side, present } => self.consoles[side] = present,
            Input::Ear { side, shared } => self.shared_ears[side] = shared,
            Input::Device { device, present } => self.device(device, present),
            Input::Failed {
                device,
                person,
                fault,
            } => self.failed(device, person, fault),
            Input::Machine(notice) => self.machine(now, notice),
            Input::Resumed => self.resumed(now),
            Input::Locked {
                utterances,
                is_sealed,
            } => self.locked(utterances, is_sealed),
            Input::Deadline => {}
        }
        // A clock may just have been set to nothing.
        self.check_flag(now);
        self.keep_deadlines(now);
        self.ask_what_is_open();
        self.show_clock(now);
        self.listen();
        #[cfg(test)]
        self.break_silence();
        std::mem::take(&mut self.out)
    }

    /// Whether a rule is in force. Every rule can be switched off by its clause in tests, which
    /// shows that its scenario would notice.
    #[cfg(test)]
    fn holds(&self, clause: &str) -> bool {
        !self.switched_off.iter().any(|off| off == clause)
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the test build asks the game")]
    const fn holds(&self, _clause: &str) -> bool {
        true
    }

    /// Whether play is going on.
    const fn is_playing(&self) -> bool {
        matches!(self.phase, Phase::Playing)
    }

    /// Brings the chessclock in line when something about it has changed.
    fn show_clock(&mut self, now: Moment) {
        let Some(clock) = &self.clock else { return };
        let running = clock.running();
        if running != self.shown_running || self.clock_changed {
            self.shown_running = running;
            self.clock_changed = false;
            self.clock_set_at = Some(now);
            let left = Sides::from_fn(|side| clock.left(side, now));
            self.out.push(Effect::Clock { running, left });
        }
    }
}
