//! What lies ready for each role: its view and its log. The table puts it here and never waits.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc as waiting};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use crate::entrance::Entrance;
use crate::sessions::Sessions;
use crate::view::{Line, View};
use crate::{House, Role};

/// So many lines of a log are kept: those of a long game.
const LINES_MAX: usize = 4096;

/// So long the last word is waited for when the game is left.
const LEAVING: Duration = Duration::from_secs(1);

/// All pages, from the side of whoever fills them.
#[derive(Clone)]
pub struct Pages(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) house: Arc<dyn House>,
    pub(crate) address: SocketAddr,
    pub(crate) sessions: Sessions,
    pub(crate) entrance: Entrance,
    pub(crate) desks: Mutex<Vec<Desk>>,
    /// Counts all that changes, so that whoever waits for a change sees it.
    pub(crate) changed: watch::Sender<u64>,
    /// Set when the game is left.
    pub(crate) left: watch::Sender<bool>,
    /// What is shown later, and when.
    pub(crate) later: mpsc::UnboundedSender<(Instant, Role, View)>,
    /// Closed when nothing is served any more.
    pub(crate) served: Mutex<waiting::Receiver<()>>,
}

pub(crate) struct Desk {
    role: Role,
    view: Arc<View>,
    log: VecDeque<Line>,
    lines: u64,
}

impl Pages {
    /// Where they are.
    pub fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// Shows this to a role from now on.
    pub fn show(&self, role: Role, view: View) {
        self.0.with_desk(role, |desk| desk.view = Arc::new(view));
        self.0.note_change();
    }

    /// Shows this to a role from a moment on, behind all that is shown to it before.
    pub fn show_at(&self, at: Instant, role: Role, view: View) {
        // Nobody takes it once the pages are gone.
        let _ = self.0.later.send((at, role, view));
    }

    /// Appends a line to the log of a role.
    pub fn log(&self, role: Role, label: &str, text: &str) {
        self.0.with_desk(role, |desk| {
            desk.lines += 1;
            if desk.log.len() == LINES_MAX {
                desk.log.pop_front();
            }
            desk.log.push_back(Line {
                number: desk.lines,
                label: label.to_owned(),
                text: text.to_owned(),
            });
        });
        self.0.note_change();
    }

    /// Whether anybody reads the page of a role just now.
    pub fn is_read(&self, role: Role) -> bool {
        self.0.sessions.is_read(role)
    }

    /// Tells all pages that the game is left, and serves no more. Waits for a second at most until
    /// they have read it.
    pub fn leave(&self) {
        self.0.left.send_replace(true);
        self.0.note_change();
        let served = self.0.served.lock();
        let served = served.unwrap_or_else(PoisonError::into_inner);
        // Nothing is ever sent: it ends when the thread does.
        let _ = served.recv_timeout(LEAVING);
    }
}

impl Inner {
    fn with_desk<T>(&self, role: Role, then: impl FnOnce(&mut Desk) -> T) -> T {
        let mut desks = self.desks();
        let at = desks.iter().position(|desk| desk.role == role);
        let at = at.unwrap_or_else(|| {
            desks.push(Desk {
                role,
                view: Arc::default(),
                log: VecDeque::new(),
                lines: 0,
            });
            desks.len() - 1
        });
        then(&mut desks[at])
    }

    /// What a role sees now.
    pub(crate) fn view(&self, role: Role) -> Arc<View> {
        self.with_desk(role, |desk| Arc::clone(&desk.view))
    }

    /// The lines of a log behind this number.
    pub(crate) fn log_after(&self, role: Role, number: u64) -> Vec<Line> {
        self.with_desk(role, |desk| {
            let lines = desk.log.iter().filter(|line| line.number > number);
            lines.cloned().collect()
        })
    }

    /// For whoever waits for a change of anything.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Whether the game was left, for whoever waits for it.
    pub(crate) fn left(&self) -> watch::Receiver<bool> {
        self.left.subscribe()
    }

    /// Wakes whoever waits for a change.
    pub(crate) fn note_change(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    fn desks(&self) -> MutexGuard<'_, Vec<Desk>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
