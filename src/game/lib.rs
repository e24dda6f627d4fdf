//! The protocol of Annex D as a state machine: inputs and the time in, effects out.
//!
//! Nothing here fails or panics, whatever the input. The same inputs at the same moments give the
//! same game: the journal is the list of inputs.
//!
//! What must always hold is named `X1` to `X8`, explained in `ARCHITECTURE.md`. `docs/traps.md`
//! explains `trap 66` and the like.

// No input may end the program: nothing here panics unless the program's own data are wrong, and
// nothing indexes a place that may not exist.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

pub mod board;
pub mod journal;
pub mod lesson;
pub mod set_up;

mod act;
mod acting;
mod adjournment;
mod announcing;
mod answers;
mod assisting;
mod boards;
mod castling_words;
mod claims;
mod clocks;
mod comparison;
mod conduct;
mod confirmations;
mod confirming;
mod correcting;
mod course;
mod deadline;
mod device_clock;
mod devices;
mod differing;
mod docket;
mod draw;
mod effect;
mod elsewhere;
mod ending;
mod equipment;
mod expectation;
mod expecting;
mod explaining;
mod flags;
mod going_back;
mod guests;
mod handling;
mod hearing;
mod helping;
mod input;
mod irregularities;
mod leaving;
mod machine;
mod making;
mod mismatch;
mod moving;
mod notices;
mod offers;
mod own_board;
mod permissions;
mod phase;
mod points;
mod position;
mod pressing;
mod profile;
mod program;
mod queries;
mod question;
mod quickplay;
mod reading;
mod reading_out;
mod recording;
mod releasing;
mod response;
mod result;
mod resuming;
mod resumption;
mod ruling;
mod ruling_words;
mod rulings;
mod saying;
pub mod scenario;
mod scores;
mod sealing;
mod shown;
mod speech;
mod start;
#[cfg(test)]
mod switched_off;
mod taking_back;
mod touching;
mod waiting;
mod which;

use shakmaty::Setup;

pub use act::{Act, ClaimGround, Envelope};
pub use effect::{Earcon, Effect, Explanation, Priority};
pub use elsewhere::ServerMove;
pub use ending::{Ending, result_phrase};
pub use expectation::{Expectation, Form};
pub use input::{ClockNotice, Device, Input, Means, MicrophoneState, Origin, VoiceMark};
pub use notices::{ElsewhereEnd, ElsewhereNotice, ElsewhereWish, MachineNotice, ProgramNotice};
pub use phase::Phase;
pub use profile::{
    Agreement, Aid, AsksBack, Brevity, ClockKind, DeviceApproval, Duty, Elsewhere, Event,
    Microphones, Mode, Profile, Program, Sensors, SideProfile,
};
pub use program::Wish;
pub use ruling::{Irregularity, Penalty, ReportedTouch, Ruling};
pub use start::type_phrase;
pub use waiting::Waiting;

pub use annexd_laws::notation::{Command, Heard, Question, Said};

use annexd_laws::Rules;
use annexd_laws::moment::Moment;
use boards::Boards;
use clocks::Clocks;
use comparison::Comparison;
use conduct::Conduct;
use course::Course;
use docket::Docket;
use draw::Draw;
use equipment::Equipment;
use guests::Guests;
use response::Response;
use scores::Scores;
use speech::Speech;

/// A game under Annex D.
///
/// The state is a free placement with the announced moves: a completed illegal move, a wrong
/// setup and two boards that differ are held as they are, until the arbiter decides.
#[derive(Clone, Debug)]
pub struct Game {
    profile: Profile,
    rules: Rules,
    phase: Phase,
    course: Course,
    boards: Boards,
    scores: Scores,
    comparison: Comparison,
    clocks: Clocks,
    draw: Draw,
    docket: Docket,
    conduct: Conduct,
    speech: Speech,
    equipment: Equipment,
    adjournment: adjournment::Adjournment,
    guests: Guests,
    /// The arbiter's last decision, as long as he can take it back.
    decided: Option<taking_back::Decided>,
    /// What is to be done about the input being handled.
    response: Response,
    #[cfg(test)]
    switched_off: Vec<String>,
}

impl Game {
    /// A game before its start.
    ///
    /// Adaptations that cannot be applied (an unknown value, no arbiter's name) are left out.
    /// [`annexd_laws::Rules::adapted`] reports them beforehand.
    pub fn new(mut profile: Profile) -> Self {
        let start = profile.start.as_ref();
        let setup = start.map_or_else(Setup::initial, |fen| fen.as_setup().clone());
        let rules;
        (rules, profile.adaptations) = profile
            .edition
            .rules()
            .adapted_as_possible(&profile.adaptations);
        Self {
            rules,
            phase: Phase::BeforePlay,
            boards: Boards::new(&setup.board),
            scores: Scores::new(&setup),
            course: Course::new(setup),
            comparison: Comparison::new(),
            clocks: Clocks::new(profile.chessclock()),
            draw: Draw::default(),
            docket: Docket::after(0),
            conduct: Conduct::new(),
            speech: Speech::default(),
            equipment: Equipment::default(),
            adjournment: adjournment::Adjournment::default(),
            guests: Guests::default(),
            decided: None,
            response: Response::none(),
            #[cfg(test)]
            switched_off: Vec::new(),
            profile,
        }
    }

    /// Handles an input that happened at `now`, and returns what is to be done, in order.
    pub fn handle(&mut self, now: Moment, input: Input) -> Vec<Effect> {
        self.response.begin(now);
        let happened = self.happened(&input);
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
            Input::Act { person, act } => {
                self.has_done_something(person);
                self.docket.which.forget(person);
                self.act(now, person, act);
            }
            Input::Ruling(ruling) => self.ruling(now, ruling),
            Input::Board { board, fact } => self.board(now, board, &fact),
            Input::Pressed { side, means } => {
                if let Means::Key(person) = means {
                    self.has_done_something(person);
                }
                self.pressed(now, side, means);
            }
            Input::ClockReads { left, running } => self.clock_reads(now, left, running),
            Input::ClockTells(notice) => self.clock_tells(now, notice),
            Input::WhiteSitsAt(side) => self.white_sits_at(side),
            Input::Voice {
                channel,
                utterance,
                mark,
            } => self.voice(now, channel, utterance, mark),
            Input::Microphone { side, state } => self.microphone(now, side, state),
            Input::Console { side, present } => self.equipment.set_console(side, present),
            Input::Ear { side, shared } => self.equipment.share_ear(side, shared),
            Input::Device { device, present } => self.device(device, present),
            Input::Failed {
                device,
                person,
                fault,
            } => self.failed(device, person, fault),
            Input::Machine(notice) => self.machine(now, notice),
            Input::Program(notice) => self.program_tells(now, notice),
            Input::Elsewhere(notice) => self.elsewhere_tells(now, notice),
            Input::Resumed => self.resumed(now),
            Input::Locked {
                utterances,
                is_sealed,
            } => self.locked(utterances, is_sealed),
            Input::Deadline => {}
        }
        // A clock may just have been set to zero.
        self.check_flag(now);
        self.keep_deadlines(now);
        self.let_decision_stand(happened.as_ref());
        self.drop_doubts(now);
        self.ask_what_is_open();
        self.show_clock(now);
        self.listen();
        #[cfg(test)]
        self.break_silence();
        self.response.take()
    }

    /// Updates the chessclock when something about it has changed.
    fn show_clock(&mut self, now: Moment) {
        if let Some((running, left)) = self.clocks.show_if_changed(now) {
            self.response.push(Effect::Clock { running, left });
        }
    }
}
