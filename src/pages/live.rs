//! What changes on a page, as events. Whoever reads slowly gets less often what is new, and never
//! makes anybody wait: it is always the latest that is sent.

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
use crate::desks::Inner;
use crate::html::{self, Sent};
use crate::sessions::Known;
use crate::view::Line;
use crate::words::Words;

/// After an event the next one is sent so much later, with all that has changed meanwhile.
const PAUSE: Duration = Duration::from_millis(30);

/// A silent connection says so often that it is still there.
const ALIVE: Duration = Duration::from_secs(5);

/// What a page is told at once.
#[derive(Serialize)]
struct Change {
    /// The parts of the page that are different now.
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

impl From<Line> for NewLine {
    fn from(line: Line) -> Self {
        let Line {
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

/// All changes from now on, with the lines of the log behind the last that the page has.
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
            // Whoever was sent away meanwhile reads no more.
            if !here.may_read() {
                return;
            }
        }
    });
    // A comment would be read by no script.
    let alive = Event::default().event("alive").data("1");
    let alive = KeepAlive::new().interval(ALIVE).event(alive);
    Sse::new(Events(events)).keep_alive(alive)
}

fn event(change: &Change, last: u64) -> Event {
    let json = serde_json::to_string(change).unwrap_or_default();
    Event::default().id(last.to_string()).data(json)
}

/// Somebody reads, as long as this lives.
struct Here {
    inner: Arc<Inner>,
    role: Role,
    token: String,
    number: u64,
}

impl Here {
    fn comes(inner: &Arc<Inner>, role: Role, token: &str) -> Self {
        let number = inner.sessions.reads_on(role, token);
        // Whoever has to give way for it learns of it by this.
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
        sessions.reads_no_more(self.role, &self.token, self.number);
    }
}

struct Events(mpsc::Receiver<Event>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
