//! A simulated board behind a pseudo-terminal, which a program opens like any serial port.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use shakmaty::{Chess, Move};

use super::{Action, Simulation, SimulationSettings};
use annexd_laws::moment::Moment;
use annexd_phrases::{Sentence, sentence};

const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// How long the cable stays connected after everything is done.
const LINGER: Duration = Duration::from_millis(4_000);
/// A program that has just opened the port needs this long to set it up before it listens.
const SET_UP: Duration = Duration::from_millis(60);
/// How many bytes wait for the line when nobody reads; the oldest are lost.
const WAITING_MAX: usize = 16_384;

/// The folder of the links to simulated ports. A pseudo-terminal has another name when it is
/// connected again; its link has not.
pub fn link_folder() -> PathBuf {
    std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from)
}

enum Order {
    Make(Move),
    Act(Duration, Action),
    EndWhenDone,
}

/// A simulated board that plays in its own thread. Dropping it pulls the cable for good.
pub struct SimulatedPort {
    link: PathBuf,
    orders: Option<Sender<Order>>,
    done: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl SimulatedPort {
    /// Puts a position on a simulated board and waits for a program to open its port.
    ///
    /// # Errors
    ///
    /// If the system provides no pseudo-terminal.
    pub fn open(settings: SimulationSettings, position: Chess) -> Result<Self, Sentence> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("annexd-{}-{}-{number}", settings.kind, std::process::id());
        let link = link_folder().join(name);
        let terminal = plug_in(&link)?;
        let (orders, receiver) = unbounded();
        let (done_sender, done) = unbounded();
        let mut worker = Worker {
            simulation: Simulation::new(settings, position),
            link: link.clone(),
            orders: receiver,
            begun: Instant::now(),
            waiting: Vec::new(),
            sent_until: Duration::ZERO,
            attached: None,
            ends_when_done: false,
            done_at: None,
        };
        let thread = std::thread::Builder::new()
            .name("simulated board".to_owned())
            .spawn(move || {
                worker.run(Some(terminal));
                // Nobody may be waiting.
                let _ = done_sender.send(());
            })
            .map_err(|error| sentence!(NoThread, why = error.to_string()))?;
        Ok(Self {
            link,
            orders: Some(orders),
            done,
            thread: Some(thread),
        })
    }

    /// The port to open.
    pub fn path(&self) -> &Path {
        &self.link
    }

    /// Has a move made, after everything ordered before.
    pub fn make(&self, played: Move) {
        self.order(Order::Make(played));
    }

    /// Has something else done, this long after what was ordered before.
    pub fn act(&self, after: Duration, action: Action) {
        self.order(Order::Act(after, action));
    }

    /// Waits until everything has been done and sent.
    pub fn finish(self) {
        self.order(Order::EndWhenDone);
        let _ = self.done.recv();
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
}

impl Drop for SimulatedPort {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = fs::remove_file(&self.link);
    }
}

/// A new pseudo-terminal, and the link to its other end.
fn plug_in(link: &Path) -> Result<File, Sentence> {
    let missing = |reason: String| sentence!(NoTerminal, why = reason);
    let (ours, name) = pair().map_err(|error| missing(error.to_string()))?;
    let _ = fs::remove_file(link);
    symlink(name, link).map_err(|error| missing(format!("{}: {error}", link.display())))?;
    Ok(ours)
}

/// Our end of a new pseudo-terminal, which never waits, and the name of the other end.
///
/// Programs that are started meanwhile inherit neither end. They would hold the line when we pull
/// the cable, and nobody would notice that.
fn pair() -> std::io::Result<(File, OsString)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    #[cfg(target_os = "linux")]
    let flags = flags | OpenptFlags::CLOEXEC;
    let ours = openpt(flags)?;
    fcntl_setfd(&ours, FdFlags::CLOEXEC)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    ioctl_fionbio(&ours, true)?;
    // The line is raw before anybody opens it. Our own handle on the other end is closed, which
    // lets us notice when a program opens it.
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let theirs = open(&name, flags, Mode::empty())?;
    let mut attributes = tcgetattr(&theirs)?;
    attributes.make_raw();
    tcsetattr(&theirs, OptionalActions::Now, &attributes)?;
    Ok((ours.into(), OsString::from_vec(name.into_bytes())))
}

struct Worker {
    simulation: Simulation,
    link: PathBuf,
    orders: Receiver<Order>,
    begun: Instant,
    waiting: Vec<u8>,
    /// When the bytes sent so far will have passed the line.
    sent_until: Duration,
    attached: Option<Duration>,
    ends_when_done: bool,
    done_at: Option<Duration>,
}

impl Worker {
    fn run(&mut self, mut terminal: Option<File>) {
        let mut bytes = [0; 256];
        while self.take_orders() {
            let elapsed = self.begun.elapsed();
            let now = Moment::START + elapsed;
            match &mut terminal {
                Some(port) => match port.read(&mut bytes) {
                    Ok(length) => {
                        self.attach(elapsed);
                        self.simulation.received(now, &bytes[..length]);
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                        self.attach(elapsed);
                        std::thread::sleep(POLL_INTERVAL);
                    }
                    Err(_) => {
                        // Nobody has the port open.
                        self.attached = None;
                        self.waiting.clear();
                        std::thread::sleep(POLL_INTERVAL);
                    }
                },
                None => std::thread::sleep(POLL_INTERVAL),
            }
            if self.is_listening(elapsed) || terminal.is_none() {
                self.simulation.wake(now);
            }
            let bytes = self.simulation.take_bytes();
            if self.waiting.is_empty() && !bytes.is_empty() {
                // A line that was idle carries nothing for the time before.
                self.sent_until = self.sent_until.max(elapsed);
            }
            self.waiting.extend(bytes);
            self.follow_cable(&mut terminal);
            if let Some(port) = &mut terminal {
                self.send(port, elapsed);
            }
            let is_idle = self.simulation.is_done() && self.waiting.is_empty();
            if self.ends_when_done && is_idle && self.has_lingered(elapsed) {
                return;
            }
        }
    }

    /// Whether people have looked at the final position for a while, so that the last bytes are
    /// read.
    fn has_lingered(&mut self, elapsed: Duration) -> bool {
        elapsed >= *self.done_at.get_or_insert(elapsed) + LINGER
    }

    fn attach(&mut self, elapsed: Duration) {
        self.attached.get_or_insert(elapsed);
    }

    fn is_listening(&self, elapsed: Duration) -> bool {
        self.attached.is_some_and(|since| elapsed >= since + SET_UP)
    }

    fn follow_cable(&mut self, terminal: &mut Option<File>) {
        if !self.simulation.is_plugged() {
            if terminal.take().is_some() {
                self.waiting.clear();
                self.attached = None;
                let _ = fs::remove_file(&self.link);
            }
        } else if terminal.is_none() {
            *terminal = plug_in(&self.link).ok();
        }
    }

    /// Sends as many bytes as the line would have carried by now, however late this is called.
    fn send(&mut self, port: &mut File, elapsed: Duration) {
        if !self.is_listening(elapsed) {
            self.sent_until = elapsed;
            return;
        }
        let per_byte = Duration::from_secs(1) / self.simulation.bytes_per_second().max(1);
        let mut count = 0;
        while count < self.waiting.len() && self.sent_until + per_byte <= elapsed {
            self.sent_until += per_byte;
            count += 1;
        }
        if count == 0 {
            return;
        }
        let written = port.write(&self.waiting[..count]).unwrap_or(0);
        self.waiting.drain(..written);
        let excess = self.waiting.len().saturating_sub(WAITING_MAX);
        self.waiting.drain(..excess);
    }

    /// Carries out waiting orders. Returns whether anybody still wants the board.
    fn take_orders(&mut self) -> bool {
        loop {
            match self.orders.try_recv() {
                Ok(Order::Make(played)) => self.simulation.make(played),
                Ok(Order::Act(after, action)) => self.simulation.act(after, action),
                Ok(Order::EndWhenDone) => self.ends_when_done = true,
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }
}
