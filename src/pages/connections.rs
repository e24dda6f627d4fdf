//! The connections: limits on their number and on silence, so that no one keeps others out. If
//! there are too many, the origin with most connections loses its oldest one.

use std::collections::VecDeque;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time;

use crate::role_pages::Inner;
use crate::{Origin, Role, routes};

/// How many connections without a session there can be.
const STRANGERS_MAX: usize = 64;

/// How many connections with a session there can be.
const GUESTS_MAX: usize = 256;

/// How long a request may take to arrive, and how long a connection may be silent.
const HEADERS: Duration = Duration::from_secs(10);

/// How long a connection without a session may last. Its user may have to wait for his turn with a
/// PIN.
const STRANGER: Duration = Duration::from_secs(90);

/// How long any connection may last. A page connects again by itself.
const GUEST: Duration = Duration::from_secs(30 * 60);

/// The most bytes of a request before its body.
const HEADER_BYTES: usize = 16 * 1024;

/// How long to wait when the system gives no more connections.
const NO_ROOM: Duration = Duration::from_millis(50);

/// How often to check whose pages are read.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// How long the last bytes may take to be sent.
const LAST_BYTES: Duration = Duration::from_millis(50);

/// One connection.
pub(crate) struct Connection {
    /// Where it comes from.
    pub(crate) from: Origin,
    /// The role of the session that it has named.
    role: OnceLock<Role>,
    /// Whether it has named a session of any role, the audience included.
    is_known: AtomicBool,
    close: Notify,
}

impl Connection {
    /// Records that the connection has named a session of this role. One of the audience gives way
    /// like a connection without a session, but is not closed like one.
    pub(crate) fn is_of(&self, role: Role) {
        self.is_known.store(true, Ordering::Relaxed);
        if role != Role::Audience {
            let _ = self.role.set(role);
        }
    }

    fn is_guest(&self) -> bool {
        self.role.get().is_some()
    }

    /// The groups of the connection, the widest first.
    fn places(&self) -> impl Iterator<Item = u64> + '_ {
        let role = self.role.get().map_or(0, |role| *role as u64);
        [role].into_iter().chain(self.from.iter().copied())
    }
}

/// All connections, the oldest first.
#[derive(Default)]
struct Connections(Mutex<VecDeque<Arc<Connection>>>);

impl Connections {
    fn comes(&self, from: Origin) -> Arc<Connection> {
        let connection = Arc::new(Connection {
            from,
            role: OnceLock::new(),
            is_known: AtomicBool::new(false),
            close: Notify::new(),
        });
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (is_guest, most) in [(false, STRANGERS_MAX), (true, GUESTS_MAX)] {
            let such = all.iter().filter(|it| it.is_guest() == is_guest);
            let such: Vec<_> = such.cloned().collect();
            if such.len() >= most
                && let Some(gone) = oldest_to_close(such)
            {
                all.retain(|it| !Arc::ptr_eq(it, &gone));
                gone.close.notify_one();
            }
        }
        all.push_back(Arc::clone(&connection));
        connection
    }

    fn goes(&self, connection: &Arc<Connection>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|it| !Arc::ptr_eq(it, connection));
    }
}

/// Returns the connection that gives way. It is in the group with most connections, within that in
/// the narrower group with most, and so on, and is the oldest there.
fn oldest_to_close(mut such: Vec<Arc<Connection>>) -> Option<Arc<Connection>> {
    let depth = such.iter().map(|it| it.places().count()).max()?;
    for depth in 0..depth {
        let place = |it: &Arc<Connection>| it.places().nth(depth);
        let mut counts: Vec<(Option<u64>, usize)> = Vec::new();
        for one in such.iter().map(place) {
            match counts.iter_mut().find(|(of, _)| *of == one) {
                Some((_, count)) => *count += 1,
                None => counts.push((one, 1)),
            }
        }
        let (most, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        such.retain(|it| place(it) == most);
    }
    such.into_iter().next()
}

/// Serves until the game is left.
pub(crate) async fn serve(listener: TcpListener, inner: Arc<Inner>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let router = routes::router(Arc::clone(&inner));
    let connections = Arc::new(Connections::default());
    let mut left = inner.left();
    tokio::spawn(attend(Arc::clone(&inner)));
    loop {
        let accepted = tokio::select! {
            _ = left.changed() => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, from)) = accepted else {
            time::sleep(NO_ROOM).await;
            continue;
        };
        let host = Arc::clone(&inner.host);
        let origin = spawn_blocking(move || host.origin(from)).await;
        let connection = connections.comes(origin.unwrap_or_default());
        let (all, router) = (Arc::clone(&connections), router.clone());
        tokio::spawn(async move {
            converse(stream, router, &connection).await;
            all.goes(&connection);
        });
    }
    // The last bytes are on their way.
    let begun = time::Instant::now();
    while begun.elapsed() < CHECK_INTERVAL
        && Role::ALL.iter().any(|role| inner.sessions.is_read(*role))
    {
        time::sleep(LAST_BYTES).await;
    }
    time::sleep(LAST_BYTES).await;
}

/// Serves one connection from its first request to its last.
async fn converse(stream: TcpStream, router: Router, connection: &Arc<Connection>) {
    let _ = stream.set_nodelay(true);
    let service = router.layer(Extension(Arc::clone(connection)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(HEADER_BYTES);
    let service = TowerToHyperService::new(service);
    let conversation = http.serve_connection(TokioIo::new(stream), service);
    let over = async {
        time::sleep(STRANGER).await;
        if connection.is_known.load(Ordering::Relaxed) {
            time::sleep(GUEST).await;
        }
    };
    tokio::select! {
        _ = conversation => {}
        () = connection.close.notified() => {}
        () = over => {}
    }
}

/// Tells the host whose pages are read, and whose are no longer.
async fn attend(inner: Arc<Inner>) {
    let mut were_read = Vec::new();
    loop {
        let are_read = Role::ALL.into_iter();
        let are_read: Vec<Role> = are_read
            .filter(|role| inner.sessions.is_read(*role))
            .collect();
        if are_read != were_read {
            for role in Role::ALL {
                let is_read = are_read.contains(&role);
                if is_read != were_read.contains(&role) {
                    let host = Arc::clone(&inner.host);
                    let told = spawn_blocking(move || host.on_attendance(role, is_read));
                    let _ = told.await;
                }
            }
            were_read = are_read;
        }
        time::sleep(CHECK_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_cut_off(connection: &Arc<Connection>) -> bool {
        // A notice that waits is taken at once.
        let mut closed = std::pin::pin!(connection.close.notified());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        closed.as_mut().poll(&mut context).is_ready()
    }

    #[test]
    fn connections_without_end_from_one_place_cut_off_their_own() {
        let all = Connections::default();
        let honest = [all.comes(vec![1, 2, 3]), all.comes(vec![1, 2, 3])];
        let other = all.comes(vec![9, 2, 3]);
        let crowd: Vec<_> = (0..1000).map(|_| all.comes(vec![1, 2, 4])).collect();
        assert!(!honest.iter().chain([&other]).any(is_cut_off));
        let cut_off = crowd.iter().filter(|it| is_cut_off(it)).count();
        assert_eq!(cut_off, 1000 + 3 - STRANGERS_MAX);
        // Many connections do not give one origin more of a page than all others together.
        let page = all.comes(vec![1, 2, 3]);
        page.is_of(Role::Arbiter);
        for _ in 0..1000 {
            all.comes(vec![1, 2, 3]).is_of(Role::White);
        }
        assert!(!is_cut_off(&page));
    }

    #[test]
    fn who_looks_on_gives_way_like_a_stranger_and_stays_like_a_guest() {
        let all = Connections::default();
        let audience = all.comes(vec![1, 2, 3]);
        audience.is_of(Role::Audience);
        assert!(audience.is_known.load(Ordering::Relaxed) && !audience.is_guest());
    }
}
