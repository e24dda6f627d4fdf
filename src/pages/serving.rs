//! Serves the pages on a thread of their own.

use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, mpsc as waiting};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::time;

use crate::entrance::{self, Entrance};
use crate::role_pages::{Inner, Pages};
use crate::sessions::Sessions;
use crate::view::View;
use crate::{PageHost, Role, connections};

/// How many threads answer visitors who have entered, besides those that let somebody in.
const ANSWERING: usize = 8;

impl Pages {
    /// Serves pages on an open listener, on a thread of their own.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn serve(listener: TcpListener, host: Arc<dyn PageHost>) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let (later, shown_later) = mpsc::unbounded_channel();
        let (serving, served) = waiting::channel();
        let pages = Self(Arc::new(Inner {
            address: listener.local_addr()?,
            host,
            sessions: Sessions::default(),
            entrance: Entrance::default(),
            role_pages: Mutex::default(),
            changed: watch::Sender::new(0),
            left: watch::Sender::new(false),
            later,
            served: Mutex::new(served),
        }));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(entrance::ALL + ANSWERING)
            .build()?;
        let inner = Arc::clone(&pages.0);
        runtime.spawn(show_later(pages.clone(), shown_later));
        thread::Builder::new()
            .name("pages".to_owned())
            .spawn(move || {
                let _serving: waiting::Sender<()> = serving;
                runtime.block_on(connections::serve(listener, inner));
                runtime.shutdown_timeout(Duration::from_millis(100));
            })?;
        Ok(pages)
    }
}

async fn show_later(pages: Pages, mut later: mpsc::UnboundedReceiver<(Instant, Role, View)>) {
    while let Some((at, role, view)) = later.recv().await {
        time::sleep_until(at.into()).await;
        pages.show(role, view);
    }
}
