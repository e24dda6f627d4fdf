//! Who is connected: not too many, none for too long without a word, and none that shuts others
//! out. Whoever has no session gives way to newer ones, the oldest first.

use std::collections::VecDeque;
use std::net::{IpAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time;

use crate::desks::Inner;
use crate::{Role, routes};

/// So many may be connected without a session.
const STRANGERS_MAX: usize = 64;

/// So many with one.
const GUESTS_MAX: usize = 256;

/// So long a request may take to say what it wants, and a connection may be silent.
const HEADERS: Duration = Duration::from_secs(10);

/// So long a stranger is connected at most: he may have to wait for his turn with a PIN.
const STRANGER: Duration = Duration::from_secs(90);

/// So long anybody is: a page connects anew by itself.
const GUEST: Duration = Duration::from_secs(30 * 60);

/// The most bytes of a request before its body.
const HEADER_BYTES: usize = 16 * 1024;

/// Nobody is let in for so long when the system gives no more connections.
const NO_ROOM: Duration = Duration::from_millis(50);

/// How often it is looked whose pages are read.
const LOOK: Duration = Duration::from_millis(500);

/// One connection.
pub(crate) struct Connection {
    /// From which computer it comes.
    pub(crate) from: IpAddr,
    /// Whether it has named a session.
    is_guest: AtomicBool,
    close: Notify,
}

impl Connection {
    /// It has named a session.
    pub(crate) fn is_known(&self) {
        self.is_guest.store(true, Ordering::Relaxed);
    }
}

/// All of them, the oldest first.
#[derive(Default)]
struct Connections(Mutex<VecDeque<Arc<Connection>>>);

impl Connections {
    fn comes(&self, from: IpAddr) -> Arc<Connection> {
        let connection = Arc::new(Connection {
            from,
            is_guest: AtomicBool::new(false),
            close: Notify::new(),
        });
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (is_guest, most) in [(false, STRANGERS_MAX), (true, GUESTS_MAX)] {
            let is_such = |it: &Arc<Connection>| it.is_guest.load(Ordering::Relaxed) == is_guest;
            if all.iter().filter(|it| is_such(it)).count() >= most
                && let Some(oldest) = all.iter().position(is_such)
                && let Some(oldest) = all.remove(oldest)
            {
                oldest.close.notify_one();
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
        let connection = connections.comes(from.ip());
        let (all, router) = (Arc::clone(&connections), router.clone());
        tokio::spawn(async move {
            converse(stream, router, &connection).await;
            all.goes(&connection);
        });
    }
    // The last word is on its way.
    time::sleep(LOOK).await;
}

/// One connection from its first request to its last.
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
        if connection.is_guest.load(Ordering::Relaxed) {
            time::sleep(GUEST).await;
        }
    };
    tokio::select! {
        _ = conversation => {}
        () = connection.close.notified() => {}
        () = over => {}
    }
}

/// Tells the house whose pages are read, and whose no longer.
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
                    let house = Arc::clone(&inner.house);
                    let told = tokio::task::spawn_blocking(move || house.attends(role, is_read));
                    let _ = told.await;
                }
            }
            were_read = are_read;
        }
        time::sleep(LOOK).await;
    }
}
