//! A table with everything on it, as real as a machine without hardware can have it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use annexd::board::Fact;
use annexd::game::{Device, Effect, Input, Origin};
use annexd::journal::{Body, Entry, replay};
use annexd::persons::{Channel, Person};
use annexd::phrases::PhraseKey;
use annexd::shell::boards::Kind;
use annexd::shell::boards::simulate::{Action, SimulatedPort, SimulationSettings};
use annexd::shell::record::store;
use shakmaty::{Board, Chess, Color, Position as _, san::San};

use crate::common::{Home, Talk};
use crate::pad::Pad;
use crate::room::{Room, SpeechService};

/// What can be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    Microphone,
    Loudspeaker,
    SoundServer,
    SpeechService,
    Board,
    Clock,
    Gamepad,
}

pub(crate) const THINGS: [Thing; 7] = [
    Thing::Microphone,
    Thing::Loudspeaker,
    Thing::SoundServer,
    Thing::SpeechService,
    Thing::Board,
    Thing::Clock,
    Thing::Gamepad,
];

/// The longest that anything may take to be noticed, on a machine full of other work.
const PATIENCE: Duration = Duration::from_secs(300);

/// A game under way.
pub(crate) struct Stage {
    home: Home,
    room: Room,
    service: SpeechService,
    pad: Pad,
    board: SimulatedPort,
    clock: SimulatedPort,
    game: Talk,
    position: Chess,
    gone: BTreeSet<Thing>,
}

impl Stage {
    /// Lays everything out and begins a game; `None`, and a line that says why, if something is
    /// not installed.
    pub(crate) fn set(name: &str) -> Option<Self> {
        if !Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(".deps/lib/libvosk.so")
            .exists()
        {
            eprintln!("skipped: libvosk is not there (make setup fetches it)");
            return None;
        }
        let home = Home::new();
        let pad = Pad::new(&home.path("run"))?;
        let room = Room::furnished(name, &["ear"], &["mouth"])?;
        let service = SpeechService::start(name)?;
        let port = |kind| {
            let mut settings = SimulationSettings::new(kind);
            settings.pace = Duration::from_millis(400);
            settings.wait = Duration::from_millis(200);
            SimulatedPort::open(settings, Chess::default()).unwrap()
        };
        let (board, clock) = (port(Kind::Chesslink), port(Kind::Dgt));
        let settings = format!(
            "[game]\nclock = \"read\"\n\
             [game.sides.white]\nname = \"Anna\"\nvisually_disabled = true\near = true\n\
             [devices]\nmicrophone.white = \"mouth\"\nboard.white = \"chesslink:{}\"\n\
             clock = \"dgt:{}\"\ngamepad = \"white\"\n\
             [voice.table]\nvoice = \"clips\"\ndevice = \"room\"\n\
             [voice.ear.white]\nvoice = \"system\"\ndevice = \"ear\"\n",
            board.path().display(),
            clock.path().display()
        );
        std::fs::create_dir(home.path("config/annexd")).unwrap();
        std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
        let mut command = pad.world();
        command.arg(env!("CARGO_BIN_EXE_annexd"));
        command.args(["play", "--name", "v", "--time", "3m+2s"]);
        service.with(room.with(&mut command));
        for (name, folder) in [("DATA", "data"), ("CONFIG", "config"), ("RUNTIME", "run")] {
            let name = match name {
                "RUNTIME" => "XDG_RUNTIME_DIR".to_owned(),
                other => format!("XDG_{other}_HOME"),
            };
            command.env(name, home.path(folder));
        }
        let mut game = Talk::with(command);
        game.types("anfang");
        game.wait_for("Die Partie beginnt", 1);
        let mut stage = Self {
            home,
            room,
            service,
            pad,
            board,
            clock,
            game,
            position: Chess::default(),
            gone: BTreeSet::new(),
        };
        stage.start_clock();
        Some(stage)
    }

    /// White's clock, the right one, is started. It may run before it was ever read; then it is
    /// asked who sits where, and somebody answers.
    fn start_clock(&mut self) {
        self.clock.act(Duration::ZERO, Action::Press);
        let is_read = |stage: &Self| stage.entries().iter().any(is_clock_reading);
        let is_asked = |stage: &Self| {
            let lines = stage.game.lines();
            lines
                .iter()
                .any(|line| line.contains("Der Platz an der Uhr"))
        };
        let since = Instant::now();
        while !is_read(self) && !is_asked(self) && since.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(50));
        }
        if !is_read(self) {
            self.types("weiß rechts");
        }
        self.until("the chessclock is read", |entries| {
            entries.iter().any(is_clock_reading)
        });
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        store::read(&self.home.game("v")).unwrap().entries
    }

    /// Waits for something in the record.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, is_there: impl Fn(&[Entry]) -> bool) {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if is_there(&self.entries()) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("not in {PATIENCE:?}: {what}; {:#?}", self.game.lines());
    }

    pub(crate) fn has(&self, thing: Thing) -> bool {
        let needs_server = matches!(thing, Thing::Microphone | Thing::Loudspeaker);
        let is_gone = |thing| self.gone.contains(&thing);
        !(is_gone(thing) || needs_server && is_gone(Thing::SoundServer))
    }

    pub(crate) fn take_away(&mut self, thing: Thing) {
        self.gone.insert(thing);
        match thing {
            Thing::Microphone => self.room.pull("mouth"),
            Thing::Loudspeaker => self.room.pull("room"),
            Thing::SoundServer => self.room.kill(),
            Thing::SpeechService => self.service.kill(),
            Thing::Board => self.board.act(Duration::ZERO, Action::Unplug),
            Thing::Clock => self.clock.act(Duration::ZERO, Action::Unplug),
            Thing::Gamepad => self.pad.pull(),
        }
    }

    pub(crate) fn bring_back(&mut self, thing: Thing) {
        self.gone.remove(&thing);
        match thing {
            Thing::Microphone => self.room.plug("mouth"),
            Thing::Loudspeaker => self.room.plug("room"),
            Thing::SoundServer => self.room.restart(),
            Thing::SpeechService => self.service.restart(),
            Thing::Board => self.board.act(Duration::ZERO, Action::Replug),
            Thing::Clock => self.clock.act(Duration::ZERO, Action::Replug),
            Thing::Gamepad => self.pad.plug(),
        }
    }

    pub(crate) fn types(&mut self, line: &str) {
        self.game.types(line);
    }

    /// White asks for the time, with the gamepad if there is one; it is told in the ear.
    pub(crate) fn ask_time(&mut self) {
        if self.has(Thing::Gamepad) {
            let is_pushed = |entry: &Entry| {
                let from = Origin::Console(Person::Player(Color::White));
                matches!(input(entry), Some(Input::Heard { origin, .. }) if *origin == from)
            };
            let before = count(&self.entries(), is_pushed);
            self.pad.push_up();
            self.until("the gamepad's button", |entries| {
                count(entries, is_pushed) > before
            });
        } else {
            self.types("weiß: zeit");
        }
    }

    /// White announces by voice if there is a microphone, else in writing.
    pub(crate) fn announce(&mut self, words: &str) {
        let is_heard = |entry: &Entry| {
            let from = Origin::Microphone(Some(Color::White));
            matches!(input(entry), Some(Input::Heard { origin, .. }) if *origin == from)
        };
        let before = count(&self.entries(), is_heard);
        if !self.has(Thing::Microphone) {
            self.types(&format!("weiß: {words}"));
            return;
        }
        // What a microphone of a busy machine lets through may be too little to be understood.
        let is_understood = |entry: &Entry| is_heard(entry) && is_read_back(entry);
        let understood = count(&self.entries(), is_understood);
        for times in 1..=4 {
            self.say(words);
            let since = Instant::now();
            while since.elapsed() < Duration::from_secs(10) * times {
                if count(&self.entries(), is_understood) > understood {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
        }
        let heard = count(&self.entries(), is_heard);
        assert!(heard > before, "{words}; {:#?}", self.game.lines());
        self.types(&format!("weiß: {words}"));
    }

    /// Says something into the microphone.
    fn say(&self, words: &str) {
        let wav = self.home.path("said.wav");
        let mut say = Command::new(env!("CARGO_BIN_EXE_annexd"));
        let said = say
            .args(["say", "--wav"])
            .arg(&wav)
            .arg(words)
            .output()
            .unwrap();
        assert!(said.status.success(), "{said:?}");
        self.room.play("mouth", &wav);
    }

    /// Makes a move on White's board, and presses the chessclock; what is gone is typed.
    pub(crate) fn carry_out(&mut self, side: Color, san: &str) {
        let played = san.parse::<San>().unwrap().to_move(&self.position).unwrap();
        let before = self.entries().len();
        self.board.make(played);
        self.position.play_unchecked(played);
        let name = if side == Color::White {
            "weiß"
        } else {
            "schwarz"
        };
        if side == Color::White && !self.has(Thing::Board) {
            self.types("weiß: gezogen");
        }
        if self.has(Thing::Board) {
            let placed = self.position.board();
            self.until("the move stands on the board", |entries| {
                entries[before..].iter().any(|entry| shows(entry, placed))
            });
        }
        self.clock.act(Duration::ZERO, Action::Press);
        if !self.has(Thing::Clock) {
            self.types(&format!("{name}: uhr"));
        }
    }

    /// A move of a knight as it is typed.
    pub(crate) fn typed(&self, san: &str) -> String {
        let played = san.parse::<San>().unwrap().to_move(&self.position).unwrap();
        format!("S{}{}", played.from().unwrap(), played.to())
    }

    pub(crate) fn plies(&self) -> usize {
        replay(&self.entries()).unwrap().game.plies()
    }

    /// Leaves the game, whose record has to be whole.
    pub(crate) fn leave(self) -> Vec<String> {
        let lines = self.game.leave();
        let verified = self.home.run(&["verify", "v"]);
        assert!(
            verified.status.success(),
            "{}",
            crate::common::text(&verified)
        );
        lines
    }
}

/// What a thing is to the game: all that is said to be lost with it, if nothing else is gone.
pub(crate) fn devices_of(thing: Thing) -> Vec<Device> {
    match thing {
        Thing::Microphone => vec![Device::Microphone(Some(Color::White))],
        Thing::Loudspeaker => vec![Device::Voice(Channel::Table)],
        Thing::SoundServer => vec![
            Device::Microphone(Some(Color::White)),
            Device::Voice(Channel::Table),
        ],
        Thing::SpeechService => vec![Device::SystemVoice(Channel::Ear(Color::White))],
        Thing::Board => vec![Device::Board(Color::White)],
        Thing::Clock => vec![Device::Clock],
        Thing::Gamepad => vec![Device::Gamepad(Color::White)],
    }
}

pub(crate) fn input(entry: &Entry) -> Option<&Input> {
    match &entry.body {
        Body::Step { input, .. } => Some(input),
        _ => None,
    }
}

/// Whether White's board shows this, its pieces at rest.
fn shows(entry: &Entry, placed: &Board) -> bool {
    match input(entry) {
        Some(Input::Board {
            board: Color::White,
            fact: Fact::Settled(shown),
        }) => shown.occupied() == placed.occupied(),
        _ => false,
    }
}

/// Whether an announcement is read back at the table because of this.
fn is_read_back(entry: &Entry) -> bool {
    let Body::Step { effects, .. } = &entry.body else {
        return false;
    };
    effects.iter().any(
        |effect| matches!(effect, Effect::Say { phrase, .. } if phrase.key == PhraseKey::Announced),
    )
}

pub(crate) fn is_clock_reading(entry: &Entry) -> bool {
    matches!(input(entry), Some(Input::ClockReads { .. }))
}

pub(crate) fn count(entries: &[Entry], of: impl Fn(&Entry) -> bool) -> usize {
    entries.iter().filter(|entry| of(entry)).count()
}
