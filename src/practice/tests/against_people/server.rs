//! A server on this computer that implements the documented board API. Each test decides how it
//! writes its lines: late, twice, by halves, wrongly, or not at all.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use crate::common::PATIENCE;

/// The calls that wait for an answer.
type Calls = Arc<(Mutex<VecDeque<Call>>, Condvar)>;

pub(crate) struct Server {
    pub(crate) address: String,
    calls: Calls,
}

/// A request that waits for its answer.
pub(crate) struct Call {
    /// Such as `POST /api/board/seek`.
    pub(crate) asks: String,
    /// The rest of the head, and the form that was sent.
    pub(crate) head: String,
    pub(crate) body: String,
    connection: TcpStream,
}

/// A stream that is open as long as this value lives.
pub(crate) struct Stream(TcpStream);

impl Server {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let calls = Calls::default();
        let heard = Arc::clone(&calls);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let heard = Arc::clone(&heard);
                thread::spawn(move || {
                    if let Some(call) = read(connection) {
                        heard.0.lock().unwrap().push_back(call);
                        heard.1.notify_all();
                    }
                });
            }
        });
        Self { address, calls }
    }

    /// Returns the next call with this request. Other calls go on waiting.
    #[track_caller]
    pub(crate) fn call(&self, asks: &str) -> Call {
        let until = Instant::now() + PATIENCE;
        let mut calls = self.calls.0.lock().unwrap();
        loop {
            if let Some(place) = calls.iter().position(|it| it.asks == asks) {
                return calls.remove(place).unwrap();
            }
            let left = until.saturating_duration_since(Instant::now());
            let waiting: Vec<&str> = calls.iter().map(|it| it.asks.as_str()).collect();
            assert!(!left.is_zero(), "{asks} was not asked for, but {waiting:?}");
            calls = self.calls.1.wait_timeout(calls, left).unwrap().0;
        }
    }

    /// Returns how many calls with this request are waiting.
    pub(crate) fn waiting(&self, asks: &str) -> usize {
        let calls = self.calls.0.lock().unwrap();
        calls.iter().filter(|it| it.asks == asks).count()
    }
}

fn read(connection: TcpStream) -> Option<Call> {
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    let mut asks = String::new();
    reader.read_line(&mut asks).ok()?;
    let asks = asks.trim().strip_suffix(" HTTP/1.1")?.to_owned();
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        let line = line.to_lowercase();
        if let Some(said) = line.strip_prefix("content-length:") {
            length = said.trim().parse().ok()?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    Some(Call {
        asks,
        head,
        body,
        connection,
    })
}

impl Call {
    /// Answers once.
    pub(crate) fn answers(mut self, status: &str, body: &str) {
        let length = body.len();
        let _ = write!(
            self.connection,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
    }

    pub(crate) fn succeeds(self) {
        self.answers("200 OK", "{\"ok\":true}");
    }

    /// Ends the call without an answer.
    pub(crate) fn breaks_off(self) {}

    /// Answers with a stream.
    pub(crate) fn streams(mut self) -> Stream {
        let _ = write!(
            self.connection,
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\
             Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        );
        Stream(self.connection)
    }
}

impl Stream {
    /// Writes these bytes as they are.
    pub(crate) fn writes(&mut self, bytes: &[u8]) {
        let _ = write!(self.0, "{:x}\r\n", bytes.len());
        let _ = self.0.write_all(bytes);
        let _ = self.0.write_all(b"\r\n");
        let _ = self.0.flush();
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.writes(format!("{line}\n").as_bytes());
    }

    /// Ends the stream in order.
    pub(crate) fn ends(mut self) {
        let _ = self.0.write_all(b"0\r\n\r\n");
    }

    /// Cuts the stream in the middle.
    pub(crate) fn breaks_off(self) {
        let _ = self.0.shutdown(std::net::Shutdown::Both);
    }
}
