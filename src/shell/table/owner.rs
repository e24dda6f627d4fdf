//! The one owner of the game. It takes the reports of devices, records them, then acts.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::Sender;
use shakmaty::Color;

use super::inbox::Arrivals;
use super::outlet::{Outlet, Shown};
use super::reader::Reader;
use super::report::{Report, Seat};
use super::timeline::{Timeline, wall_ms};
use crate::game::{Device, Effect, Game, Input, Phase, ProgramNotice, Ruling, VoiceMark};
use crate::journal::{Body, Entry, Locked};
use crate::moment::Moment;
use crate::notation::{Command, Heard, Said};
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::record::recorder::{Kept, Recorder};
use crate::shell::record::rescue::Lost;
use crate::shell::record::sealed_move::{self, Vault};

/// How many unread texts are remembered. Beyond that, nobody can tell when a text was shown.
const UNREAD_MAX: usize = 4096;

/// How often the table checks by itself that its file is still there.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// How often the table checks whether a terminal that takes no lines has taken those that wait.
const TERMINAL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Within this time a second line confirms that somebody leaves.
const QUIT_PATIENCE: Duration = Duration::from_secs(20);

/// How many more times arrived reports are taken when the game is left.
const LAST_ROUNDS: usize = 4;

/// The text that everybody reads when a move is to be sealed and there is no key.
const NO_PASSPHRASE: Fault =
    Fault::new(Part::Passphrase, Reason::Missing, Remedy::ArbiterPassphrase);

/// The table: the game, its record and all outlets.
pub struct Table {
    game: Game,
    recorder: Recorder,
    outlets: Vec<Box<dyn Outlet>>,
    reader: Box<dyn Reader>,
    /// Effects that were not carried out because the disk failed before they were recorded.
    held: Vec<Effect>,
    /// The persons who have said that play may go on unrecorded.
    agreed: Vec<Person>,
    vault: Vault,
    /// The step with which a move was last sealed.
    locked: Option<Locked>,
    /// Texts that are only read, and wait for a terminal that takes no lines.
    unread: Vec<(Channel, u32)>,
    /// Texts that are shown as well as said, until a voice reports how far it came.
    shown: Vec<(Channel, u32)>,
    /// The moment of the last event. Nothing is recorded as earlier.
    latest: Moment,
    /// When and where somebody last typed that he leaves, and was asked back.
    quit_asked: Option<(Moment, Seat)>,
    /// Whether the program is being left.
    is_leaving: bool,
}

/// Why the table stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The game has ended and everything was said.
    Ended,
    /// Somebody asked to leave before the end.
    Early,
}

impl Table {
    /// Makes a table for a game.
    pub fn new(game: Game, recorder: Recorder, reader: Box<dyn Reader>) -> Self {
        Self {
            game,
            recorder,
            outlets: Vec::new(),
            reader,
            held: Vec::new(),
            agreed: Vec::new(),
            vault: Vault::default(),
            locked: None,
            unread: Vec::new(),
            shown: Vec::new(),
            latest: Moment::START,
            quit_asked: None,
            is_leaving: false,
        }
    }

    /// Adds the envelope of a game that is resumed from its record.
    #[must_use]
    pub fn with_locked(mut self, locked: Option<Locked>) -> Self {
        self.locked = locked;
        self
    }

    /// Adds an outlet.
    pub fn add(&mut self, outlet: Box<dyn Outlet>) {
        self.outlets.push(outlet);
    }

    /// Closes the record. Returns what could not be written.
    pub fn close(&mut self, now: Moment, wall_ms: u64) -> Lost {
        self.recorder.close(now.max(self.latest), wall_ms)
    }

    /// The game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The record.
    pub const fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Plays until somebody leaves, or until the game has ended if `leave_at_end` is set.
    pub fn run(&mut self, arrivals: &Arrivals, timeline: Timeline, leave_at_end: bool) -> Left {
        self.recorder.follow(timeline);
        loop {
            let now = timeline.now();
            self.recorder.write_heartbeat(now, wall_ms());
            if leave_at_end && self.game.ending().is_some() && arrivals.is_empty() {
                return Left::Ended;
            }
            let Some(arrived) = arrivals.wait(self.patience(now)) else {
                return Left::Early;
            };
            let reports = arrived
                .into_iter()
                .map(|arrived| (timeline.at(arrived.at), arrived.report));
            self.take_all(timeline.now(), wall_ms(), reports.collect());
            if self.is_leaving || self.game.is_left() {
                self.take_sounds(arrivals, timeline);
                return match self.game.ending() {
                    Some(_) => Left::Ended,
                    None => Left::Early,
                };
            }
        }
    }

    /// Takes the reports of sounds that were kept until now. Otherwise a sound file would lie
    /// beside a record that does not mention it.
    fn take_sounds(&mut self, arrivals: &Arrivals, timeline: Timeline) {
        // The number of rounds is limited, so that endless reports do not keep the game open.
        for _ in 0..LAST_ROUNDS {
            let Some(arrived) = arrivals.wait(Duration::ZERO) else {
                return;
            };
            let sounds = arrived
                .into_iter()
                .filter(|it| matches!(it.report, Report::Sound(_)))
                .map(|it| (timeline.at(it.at), it.report));
            self.take_all(timeline.now(), wall_ms(), sounds.collect());
        }
    }

    /// Takes the reports of one moment. All go into one commit, then their effects are carried out,
    /// and then what these effects cause at once is taken in the same way.
    pub fn take(&mut self, now: Moment, wall_ms: u64, reports: Vec<Report>) {
        let reports = reports.into_iter().map(|report| (now, report));
        self.take_all(now, wall_ms, reports.collect());
    }

    /// Takes the reports until now, each at its own moment. A key that was pressed while the table
    /// waited for the disk counts from when it was pressed.
    fn take_all(&mut self, now: Moment, wall_ms: u64, mut waiting: VecDeque<(Moment, Report)>) {
        if self.game.deadline().is_some_and(|deadline| deadline <= now) {
            waiting.push_back((now, Report::Input(Input::Deadline)));
        }
        self.notice_read(now, &mut waiting);
        let is_retry = self.recorder.retry_at().is_some_and(|at| at <= now);
        if waiting.is_empty() && !is_retry && !self.recorder.has_lost_file() {
            return;
        }
        loop {
            let mut commit = Commit::new(now, wall_ms);
            while let Some((at, report)) = waiting.pop_front() {
                self.latest = at.clamp(self.latest, now.max(self.latest));
                commit.at = self.latest;
                self.digest(report, &mut commit, &mut waiting);
            }
            let kept = self.recorder.append(now, wall_ms, commit.entries);
            for waiting in commit.waiting {
                let _ = waiting.send(());
            }
            self.act(now, kept, commit.outcomes, &mut waiting);
            if waiting.is_empty() {
                return;
            }
        }
    }

    /// Marks as read what waited for a terminal that now takes lines again.
    fn notice_read(&mut self, now: Moment, waiting: &mut VecDeque<(Moment, Report)>) {
        if self.unread.is_empty() || self.shown() != Shown::Now {
            return;
        }
        for (channel, utterance) in std::mem::take(&mut self.unread) {
            waiting.push_back((now, self.marked(channel, utterance, VoiceMark::Shown)));
        }
    }

    /// Returns whether the effects that were carried out last can be read everywhere.
    fn shown(&mut self) -> Shown {
        let shown = self.outlets.iter_mut().map(|outlet| outlet.shown());
        shown.max().unwrap_or(Shown::Now)
    }

    /// Lets one report change the game, and notes what to record and to do.
    fn digest(
        &mut self,
        report: Report,
        commit: &mut Commit,
        waiting: &mut VecDeque<(Moment, Report)>,
    ) {
        let at = commit.at;
        match report {
            // Nobody has heard yet what is asked.
            Report::Input(input) if !self.held.is_empty() && is_yes(&input) => {
                let disk = Fault::new(Part::Disk, Reason::Unwritable, Remedy::AgreeUnrecorded);
                commit.remark(None, disk.into());
            }
            Report::Input(input) if self.game.is_secret(&input) => self.seal(input, commit),
            Report::Input(mut input) => {
                self.correct_mark(&mut input);
                note_in_diary(&input);
                let effects = self.game.handle(commit.at, input.clone());
                commit.act(&effects);
                commit.note(Body::Step { input, effects });
            }
            Report::Passphrase {
                seat,
                passphrase,
                ruling,
            } => {
                if let Err(why) = self.vault.take(&passphrase) {
                    commit.remark(Some(seat), why.into());
                } else {
                    waiting.push_front((at, Report::Input(Input::Ruling(ruling))));
                }
            }
            Report::OpenEnvelope { seat, passphrase } => match self.opened(&passphrase) {
                Ok(ruling) => waiting.push_front((at, Report::Input(Input::Ruling(ruling)))),
                Err(why) => commit.remark(Some(seat), why.into()),
            },
            Report::Typed { seat, text } => self.read_line(seat, &text, commit, waiting),
            Report::Note(phrase) => {
                commit.note(Body::Told(phrase.clone()));
                commit.remark(None, phrase);
            }
            Report::Seat {
                person,
                event,
                told,
                kept,
            } => {
                if let Some(told) = told {
                    commit.remark(None, told);
                }
                commit.note(Body::Seat { person, event });
                commit.waiting.extend(kept);
            }
            Report::Tell { seat, phrase } => {
                // He is typing something else, such as a PIN.
                self.goes_on(seat);
                commit.remark(Some(seat), phrase);
            }
            Report::Sound(file) => commit.note(Body::Sound(file)),
            Report::Reach(reach) => commit.note(Body::Reach(reach)),
            Report::Shed { device, reports } => commit.note(Body::Shed { device, reports }),
            Report::GoOnUnrecorded(person) => self.go_on_unrecorded(person, commit),
            Report::Leave => self.is_leaving = true,
            Report::Quit { seat, is_left } => {
                let is_asked = self.asks_before_leaving(at, seat);
                if is_asked {
                    commit.remark(Some(seat), PhraseKey::QuitAgain.into());
                }
                self.is_leaving |= !is_asked;
                let _ = is_left.send(!is_asked);
            }
        }
    }

    /// Reads a typed line, and puts what it means before everything that waits.
    fn read_line(
        &mut self,
        seat: Seat,
        text: &str,
        commit: &mut Commit,
        waiting: &mut VecDeque<(Moment, Report)>,
    ) {
        self.goes_on(seat);
        match self.reader.read(&self.game, seat, text) {
            Ok(reports) => reports
                .into_iter()
                .filter(|report| !matches!(report, Report::Typed { .. }))
                .rev()
                .for_each(|report| waiting.push_front((commit.at, report))),
            Err(why) => commit.remark(Some(seat), why),
        }
    }

    /// Notes that a person lets play go on unrecorded, and says whose word is still missing.
    fn go_on_unrecorded(&mut self, person: Person, commit: &mut Commit) {
        commit.note(Body::Note(format!(
            "play may go on unrecorded, says {person}"
        )));
        // An agreement while the disk works has no meaning.
        if !self.recorder.has_gap() {
            return;
        }
        self.agreed.push(person);
        if let Some(missing) = self.who_has_to_agree() {
            commit.remark(None, missing);
        }
    }

    /// Whoever types something else has not left.
    fn goes_on(&mut self, seat: Seat) {
        self.quit_asked.take_if(|(_, asked)| asked.is_at(seat));
    }

    /// Whether somebody who has typed that he leaves is asked to type it again: an arbiter's game
    /// would stop for everybody. Nobody misses it once it is adjourned, or signed by both (8.7).
    fn asks_before_leaving(&mut self, now: Moment, seat: Seat) -> bool {
        let is_done = match self.game.phase() {
            Phase::Adjourned => true,
            Phase::Ended => self.game.is_signed(),
            _ => false,
        };
        let was_asked = self.quit_asked.replace((now, seat));
        let is_confirmed = was_asked.is_some_and(|(at, _)| now <= at + QUIT_PATIENCE);
        self.game.profile().arbiter && !is_done && !is_confirmed
    }

    /// Takes a move that belongs in the envelope. It is recorded encrypted, and refused while there
    /// is no key.
    fn seal(&mut self, input: Input, commit: &mut Commit) {
        let mut game = self.game.clone();
        let effects = game.handle(commit.at, input.clone());
        let body = Body::Step {
            input,
            effects: effects.clone(),
        };
        let (utterances, is_sealed) = (game.utterances(), game.has_sealed());
        let Some(locked) = self.vault.lock(&body, utterances, is_sealed) else {
            commit.remark(None, NO_PASSPHRASE.into());
            return;
        };
        self.game = game;
        if let Body::Locked(locked) = &locked {
            if !is_sealed {
                self.locked = None;
            } else if locked.seals {
                self.locked = Some(locked.clone());
            }
        }
        commit.act(&effects);
        commit.note(locked);
    }

    /// Opens the envelope. The same passphrase encrypts a reply that may have to be sealed now, if
    /// the sealer has not come (E.9.3).
    fn opened(&mut self, passphrase: &str) -> Result<Ruling, Fault> {
        let none = Fault::new(Part::Envelope, Reason::Absent, Remedy::ArbiterPassphrase);
        let locked = self.locked.as_ref().ok_or(none)?;
        let sealed = sealed_move::sealed_move(locked, passphrase)?;
        self.vault.take(passphrase)?;
        Ok(Ruling::OpenEnvelope {
            replier_present: true,
            sealed: Some(sealed),
        })
    }

    /// Carries out what was recorded, in its order. While the disk fails, only the loss itself is
    /// told, and remarks that are no effects of the game, until play may go on unrecorded.
    fn act(
        &mut self,
        now: Moment,
        kept: Kept,
        outcomes: Vec<Outcome>,
        waiting: &mut VecDeque<(Moment, Report)>,
    ) {
        for outlet in &mut self.outlets {
            outlet.begin();
        }
        let may_act = match &kept {
            Kept::Durable | Kept::DurableAgain => true,
            Kept::Failed(_) => false,
            Kept::Waiting => self.who_has_to_agree().is_none(),
        };
        match kept {
            Kept::Durable | Kept::Waiting => {}
            Kept::DurableAgain => {
                self.agreed.clear();
                let device = Device::Disk;
                let present = true;
                self.tell_disk(now, Input::Device { device, present }, waiting);
            }
            Kept::Failed(fault) => {
                let failed = Input::Failed {
                    device: Some(Device::Disk),
                    person: None,
                    fault: *fault,
                };
                self.tell_disk(now, failed, waiting);
            }
        }
        if may_act {
            for effect in std::mem::take(&mut self.held) {
                self.carry_out(now, &effect, waiting);
            }
        }
        for outcome in outcomes {
            match outcome {
                Outcome::Remark(seat, phrase) => self.remark(seat, &phrase),
                Outcome::Effect(effect) if may_act => self.carry_out(now, &effect, waiting),
                Outcome::Effect(effect) => self.held.push(effect),
            }
        }
        for outlet in &mut self.outlets {
            outlet.look(now, &self.game);
        }
    }

    /// Tells the game that the disk has failed or works again, and carries out the effects of that.
    /// Only these are said before they are recorded.
    fn tell_disk(&mut self, now: Moment, input: Input, waiting: &mut VecDeque<(Moment, Report)>) {
        let mut commit = Commit::new(now, wall_ms());
        self.digest(Report::Input(input), &mut commit, waiting);
        self.recorder.append(now, commit.wall_ms, commit.entries);
        for outcome in commit.outcomes {
            if let Outcome::Effect(effect) = outcome {
                self.carry_out(now, &effect, waiting);
            }
        }
    }

    /// Whose word is still missing before play may go on unrecorded. With an arbiter his word
    /// decides. Without one, the word of the players at the table does.
    fn who_has_to_agree(&self) -> Option<Phrase> {
        let profile = self.game.profile();
        if profile.arbiter {
            let has_agreed = self.agreed.contains(&Person::Arbiter);
            return (!has_agreed).then(|| PhraseKey::UnrecordedByArbiter.into());
        }
        let guest = profile.side_of_guest();
        let mut sides = Color::ALL.into_iter().filter(|side| guest != Some(*side));
        let missing = sides.find(|side| !self.agreed.contains(&Person::Player(*side)))?;
        Some(Phrase::new(
            PhraseKey::UnrecordedWaits,
            [Argument::Side(missing)],
        ))
    }

    fn remark(&mut self, seat: Option<Seat>, phrase: &Phrase) {
        let is_his = |outlet: &dyn Outlet| seat.is_some_and(|seat| outlet.seats(seat));
        let has_own = self.outlets.iter().any(|outlet| is_his(&**outlet));
        for outlet in &mut self.outlets {
            // What a person is told at his own console is not shown to everybody.
            if !has_own || is_his(&**outlet) {
                outlet.remark(seat, phrase);
            }
        }
    }

    fn carry_out(
        &mut self,
        now: Moment,
        effect: &Effect,
        waiting: &mut VecDeque<(Moment, Report)>,
    ) {
        let (mut is_voiced, mut is_shown) = (false, false);
        for outlet in &mut self.outlets {
            is_voiced |= outlet.carry_out(now, &self.game, effect);
            is_shown |= outlet.shows(&self.game, effect);
        }
        let Effect::Say {
            utterance, channel, ..
        } = effect
        else {
            return;
        };
        let (channel, utterance) = (*channel, *utterance);
        let mark = match (is_voiced, is_shown) {
            (true, false) => return,
            (true, true) => return self.note_shown(channel, utterance),
            (false, false) => VoiceMark::Unheard,
            (false, true) => match self.shown() {
                Shown::Now => VoiceMark::Shown,
                Shown::Later => {
                    if self.unread.len() < UNREAD_MAX {
                        self.unread.push((channel, utterance));
                    }
                    return;
                }
                // Nobody is known to have read it.
                Shown::Never => return,
            },
        };
        waiting.push_back((now, self.marked(channel, utterance, mark)));
    }

    /// Makes the report that a text was read, or reached nobody.
    fn marked(&mut self, channel: Channel, utterance: u32, mark: VoiceMark) -> Report {
        if mark == VoiceMark::Shown {
            self.note_shown(channel, utterance);
        }
        Report::Input(Input::Voice {
            channel,
            utterance,
            mark,
        })
    }

    fn note_shown(&mut self, channel: Channel, utterance: u32) {
        if self.shown.len() == UNREAD_MAX {
            self.shown.remove(0);
        }
        self.shown.push((channel, utterance));
    }

    /// Corrects the mark of a voice that failed. Such a voice counts as read what it could not say,
    /// but it was read only where it is shown.
    fn correct_mark(&mut self, input: &mut Input) {
        let Input::Voice {
            channel,
            utterance,
            mark,
        } = input
        else {
            return;
        };
        if *mark == VoiceMark::Begun {
            return;
        }
        let before = self.shown.len();
        self.shown.retain(|it| *it != (*channel, *utterance));
        if *mark == VoiceMark::Shown && self.shown.len() == before {
            *mark = VoiceMark::Unheard;
        }
    }

    fn patience(&self, now: Moment) -> Duration {
        [self.game.deadline(), self.recorder.retry_at()]
            .into_iter()
            .flatten()
            .map(|moment| moment.since(now))
            .min()
            .unwrap_or(Duration::MAX)
            .min(match self.unread.is_empty() {
                true => CHECK_INTERVAL,
                false => TERMINAL_CHECK_INTERVAL,
            })
    }
}

/// Whether somebody answers a question with yes.
const fn is_yes(input: &Input) -> bool {
    matches!(
        input,
        Input::Heard {
            heard: Heard::Clear(Said::Command(Command::Yes)),
            ..
        }
    )
}

/// Writes events of devices and of the computer into the diary too. A person who looks for a fault
/// finds them there beside the messages of the libraries.
fn note_in_diary(input: &Input) {
    match input {
        Input::Failed { device, fault, .. } => tracing::warn!(?device, ?fault, "failed"),
        Input::Device { device, present } => tracing::info!(?device, present),
        Input::Machine(notice) => tracing::warn!(?notice),
        Input::Program(ProgramNotice::Failed(fault)) => tracing::warn!(?fault, "chess program"),
        _ => {}
    }
}

/// The contents of one commit, and what follows from it.
struct Commit {
    now: Moment,
    /// The moment of the report that is being taken in.
    at: Moment,
    wall_ms: u64,
    entries: Vec<Entry>,
    outcomes: Vec<Outcome>,
    /// The channels that wait until the entries are recorded.
    waiting: Vec<Sender<()>>,
}

/// What follows from a report.
enum Outcome {
    /// An effect that the game decided on.
    Effect(Effect),
    /// A remark to somebody or to everybody.
    Remark(Option<Seat>, Phrase),
}

impl Commit {
    const fn new(now: Moment, wall_ms: u64) -> Self {
        Self {
            now,
            at: now,
            wall_ms,
            entries: Vec::new(),
            outcomes: Vec::new(),
            waiting: Vec::new(),
        }
    }

    fn act(&mut self, effects: &[Effect]) {
        let effects = effects.iter().cloned();
        self.outcomes.extend(effects.map(Outcome::Effect));
    }

    fn remark(&mut self, seat: Option<Seat>, phrase: Phrase) {
        self.outcomes.push(Outcome::Remark(seat, phrase));
    }

    fn note(&mut self, body: Body) {
        let ago = self.now.since(self.at).as_millis() as u64;
        self.entries.push(Entry {
            seq: 0,
            at: self.at,
            wall_ms: self.wall_ms.saturating_sub(ago),
            body,
        });
    }
}
