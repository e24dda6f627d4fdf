//! The view and the log of each role, ready to be served. The table puts them here and never waits.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc as waiting};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use crate::entrance::Entrance;
use crate::sessions::Sessions;
use crate::view::{LogLine, View};
use crate::{PageHost, Role};

/// How many lines of a log are kept: those of a long game.
const LINES_MAX: usize = 4096;

/// How long to wait for the last pages when the game is left.
const LEAVING: Duration = Duration::from_secs(1);

/// All pages, as the program fills them.
#[derive(Clone)]
pub struct Pages(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) host: Arc<dyn PageHost>,
    pub(crate) address: SocketAddr,
    pub(crate) sessions: Sessions,
    pub(crate) entrance: Entrance,
    pub(crate) role_pages: Mutex<Vec<RolePage>>,
    /// Counts the changes, so that every waiting reader notices them.
    pub(crate) changed: watch::Sender<u64>,
    /// Set when the game is left.
    pub(crate) left: watch::Sender<bool>,
    /// The views to be shown later, and when.
    pub(crate) later: mpsc::UnboundedSender<(Instant, Role, View)>,
    /// Closed when nothing is served any more.
    pub(crate) served: Mutex<waiting::Receiver<()>>,
}

pub(crate) struct RolePage {
    role: Role,
    view: Arc<View>,
    log: VecDeque<LogLine>,
    lines: u64,
}

impl Pages {
    /// The address of the pages.
    pub fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// Shows a view to a role from now on.
    pub fn show(&self, role: Role, view: View) {
        self.0
            .with_role_page(role, |page| page.view = Arc::new(view));
        self.0.note_change();
    }

    /// Shows a view to a role from a moment on, after everything that was to be shown before.
    pub fn show_at(&self, at: Instant, role: Role, view: View) {
        // Nobody receives it once the pages are closed.
        let _ = self.0.later.send((at, role, view));
    }

    /// Appends a line to the log of a role.
    pub fn log(&self, role: Role, label: &str, text: &str) {
        self.0.with_role_page(role, |page| {
            page.lines += 1;
            if page.log.len() == LINES_MAX {
                page.log.pop_front();
            }
            page.log.push_back(LogLine {
                number: page.lines,
                label: label.to_owned(),
                text: text.to_owned(),
            });
        });
        self.0.note_change();
    }

    /// Returns whether anybody is reading the page of a role.
    pub fn is_read(&self, role: Role) -> bool {
        self.0.sessions.is_read(role)
    }

    /// Tells all pages that the game is left, and stops serving. It waits for at most a second
    /// until they have read that.
    pub fn leave(&self) {
        self.0.left.send_replace(true);
        self.0.note_change();
        let served = self.0.served.lock();
        let served = served.unwrap_or_else(PoisonError::into_inner);
        // Nothing is ever sent: the channel closes when the thread ends.
        let _ = served.recv_timeout(LEAVING);
    }
}

impl Inner {
    fn with_role_page<T>(&self, role: Role, then: impl FnOnce(&mut RolePage) -> T) -> T {
        let mut role_pages = self.role_pages();
        let at = role_pages.iter().position(|page| page.role == role);
        let at = at.unwrap_or_else(|| {
            role_pages.push(RolePage {
                role,
                view: Arc::default(),
                log: VecDeque::new(),
                lines: 0,
            });
            role_pages.len() - 1
        });
        then(&mut role_pages[at])
    }

    /// Returns what a role sees now.
    pub(crate) fn view(&self, role: Role) -> Arc<View> {
        self.with_role_page(role, |page| Arc::clone(&page.view))
    }

    /// Returns the lines of a log after this number.
    pub(crate) fn log_after(&self, role: Role, number: u64) -> Vec<LogLine> {
        self.with_role_page(role, |page| {
            let lines = page.log.iter().filter(|line| line.number > number);
            lines.cloned().collect()
        })
    }

    /// Returns a receiver for changes of anything.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Returns a receiver that tells when the game is left.
    pub(crate) fn left(&self) -> watch::Receiver<bool> {
        self.left.subscribe()
    }

    /// Wakes everybody who waits for a change.
    pub(crate) fn note_change(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    fn role_pages(&self) -> MutexGuard<'_, Vec<RolePage>> {
        self.role_pages
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
