//! Sends the changes of a page as events. A slow reader gets fewer of them and never makes anybody
//! wait. The latest state is always sent.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time;

use crate::Role;
use crate::html::{self, Sent};
use crate::role_pages::Inner;
use crate::sessions::Known;
use crate::view::LogLine;
use crate::words::Words;

/// The least time between two events. The next one has everything that has changed meanwhile.
const PAUSE: Duration = Duration::from_millis(30);

/// How often a silent connection shows that it is alive.
const ALIVE: Duration = Duration::from_secs(5);

/// What a page is told in one event.
#[derive(Serialize)]
struct Change {
    /// The parts of the page that have changed.
    parts: BTreeMap<&'static str, String>,
    /// New lines of the log.
    log: Vec<NewLine>,
    /// Whether the game was left.
    is_over: bool,
}

#[derive(Serialize)]
struct NewLine {
    number: u64,
    label: String,
    text: String,
}

impl From<LogLine> for NewLine {
    fn from(line: LogLine) -> Self {
        let LogLine {
            number,
            label,
            text,
        } = line;
        Self {
            number,
            label,
            text,
        }
    }
}

/// Returns all changes from now on, and the lines of the log after the last one that the page has.
pub(crate) fn events(
    inner: Arc<Inner>,
    role: Role,
    known: Known,
    words: Arc<Words>,
    mut last: u64,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (sender, events) = mpsc::channel(1);
    tokio::spawn(async move {
        let here = Here::comes(&inner, role, &known.token);
        let mut changes = inner.changes();
        let left = inner.left();
        let mut shown = BTreeMap::new();
        loop {
            changes.mark_unchanged();
            let is_over = *left.borrow();
            let sent = Sent {
                role,
                words: &words,
                forms: &known.forms,
                once: "",
            };
            let log = inner.log_after(role, last);
            last = log.last().map_or(last, |line| line.number);
            let parts = html::parts(&sent, &inner.view(role));
            let parts: BTreeMap<_, _> = parts
                .into_iter()
                .filter(|(id, html)| shown.get(id) != Some(html))
                .collect();
            shown.extend(parts.clone());
            let change = Change {
                parts,
                log: log.into_iter().map(NewLine::from).collect(),
                is_over,
            };
            let is_news = is_over || !change.parts.is_empty() || !change.log.is_empty();
            if is_news && sender.send(event(&change, last)).await.is_err() || is_over {
                return;
            }
            time::sleep(PAUSE).await;
            tokio::select! {
                () = sender.closed() => return,
                changed = changes.changed() => if changed.is_err() { return },
            }
            // A session that was ended meanwhile reads no more.
            if !here.may_read() {
                return;
            }
        }
    });
    // A script would not read a comment.
    let alive = Event::default().event("alive").data("1");
    let alive = KeepAlive::new().interval(ALIVE).event(alive);
    Sse::new(Events(events)).keep_alive(alive)
}

fn event(change: &Change, last: u64) -> Event {
    let json = serde_json::to_string(change).unwrap_or_default();
    Event::default().id(last.to_string()).data(json)
}

/// A reader, for as long as this value lives.
struct Here {
    inner: Arc<Inner>,
    role: Role,
    token: String,
    number: u64,
}

impl Here {
    fn comes(inner: &Arc<Inner>, role: Role, token: &str) -> Self {
        let number = inner.sessions.begin_reading(role, token);
        // This tells a reader that he has to give way.
        inner.note_change();
        let (inner, token) = (Arc::clone(inner), token.to_owned());
        Self {
            inner,
            role,
            token,
            number,
        }
    }

    fn may_read(&self) -> bool {
        let sessions = &self.inner.sessions;
        sessions.may_read(self.role, &self.token, self.number)
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let sessions = &self.inner.sessions;
        sessions.end_reading(self.role, &self.token, self.number);
    }
}

struct Events(mpsc::Receiver<Event>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
