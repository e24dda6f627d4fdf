//! The connection to the server: streams and single requests, each on a thread of its own. The
//! results are reported, and nothing waits for them.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use ureq::http::{Response, StatusCode};

use annexd::error;
use annexd::shell::error::Result;

use super::key::Key;
use super::pace::Pace;
use super::wire::{self, Event, Request};
use crate::lines::Lines;

/// The address of the server.
const SERVER: &str = "https://lichess.org";

/// For tests only: the address of a server on this computer.
const OF_TESTS: &str = "ANNEXD_TEST_SERVER";
const THIS_COMPUTER: &str = "http://127.0.0.1:";

/// One unit of waiting: a second, or less for a server on this computer.
const SECOND: Duration = Duration::from_secs(1);
const SECOND_OF_TESTS: Duration = Duration::from_millis(20);

/// How long to wait for a connection and an answer. An open stream writes an empty line every seven
/// seconds. It counts as lost when three are missing.
const PATIENCE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(25);

/// How long a single answer may take to arrive completely.
const ANSWERED_WITHIN: Duration = Duration::from_secs(40);

/// The greatest length of an answer, in bytes.
const ANSWER_MAX: u64 = 64 * 1024;

/// A result of a stream or a request, with its number.
#[derive(Debug)]
pub(super) struct NetReport {
    pub(super) of: u64,
    pub(super) what: NetEvent,
}

/// The result.
#[derive(Debug)]
pub(super) enum NetEvent {
    /// A stream is open.
    Opened,
    /// An event was written.
    Wrote(Event),
    /// The single answer, or the end of a stream.
    Ended(Answer),
}

/// How a request was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It was done. The text is what the server wrote.
    Done(String),
    /// The server refuses the key.
    NotLetIn,
    /// There were too many requests. None may be sent for so many seconds.
    Busy(Option<u32>),
    /// What was asked for does not exist.
    Unknown,
    /// It was refused, with the reason.
    Refused(String),
    /// No answer arrived.
    Lost,
}

/// The connection to the server.
#[derive(Clone)]
pub(super) struct Net {
    base: String,
    agent: ureq::Agent,
    key: Key,
    unit: Duration,
}

/// A stream that is open as long as this value lives.
#[derive(Debug)]
pub(super) struct Stream {
    /// The number of its lines.
    pub(super) number: u64,
    is_closed: Arc<AtomicBool>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

impl Net {
    /// Makes a connection with this key.
    pub(super) fn new(key: Key) -> Result<Self> {
        let (base, is_here) = match std::env::var(OF_TESTS) {
            Ok(address) => match is_on_this_computer(&address) {
                true => (address, true),
                false => return Err(error!(Usage, AddressNotHttps, address = address)),
            },
            Err(_) => (SERVER.to_owned(), false),
        };
        let config = ureq::Agent::config_builder()
            .https_only(!is_here)
            // The key is sent to no other server.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_per_read(Some(SILENCE))
            .user_agent(concat!("annexd/", env!("CARGO_PKG_VERSION")));
        let config = match is_here {
            true => config.proxy(None),
            false => config,
        };
        Ok(Self {
            base,
            agent: config.build().into(),
            key,
            unit: if is_here { SECOND_OF_TESTS } else { SECOND },
        })
    }

    /// Returns the pace for repeated requests.
    pub(super) const fn pace(&self) -> Pace {
        Pace::new(self.unit)
    }

    /// Opens a stream. Its lines and its end are reported.
    pub(super) fn open(&self, request: Request, number: u64, to: &Sender<NetReport>) -> Stream {
        let is_closed = Arc::new(AtomicBool::new(false));
        let stream = Stream {
            number,
            is_closed: Arc::clone(&is_closed),
        };
        let (net, to) = (self.clone(), to.clone());
        thread::spawn(move || {
            let answer = net.read_lines(&request, &is_closed, &|what| {
                to.send(NetReport { of: number, what }).is_ok()
            });
            let what = NetEvent::Ended(answer);
            let _ = to.send(NetReport { of: number, what });
        });
        stream
    }

    /// Sends a request, and reports the answer.
    pub(super) fn ask(&self, request: Request, number: u64, to: &Sender<NetReport>) {
        let (net, to) = (self.clone(), to.clone());
        thread::spawn(move || {
            let answer = net.answer(&request);
            let what = NetEvent::Ended(answer);
            let _ = to.send(NetReport { of: number, what });
        });
    }

    fn answer(&self, request: &Request) -> Answer {
        match self.call(request, Some(ANSWERED_WITHIN)) {
            Ok(response) => answer_of(response),
            Err(_) => Answer::Lost,
        }
    }

    /// Sends a request. `within` limits the time until the answer is complete.
    fn call(
        &self,
        request: &Request,
        within: Option<Duration>,
    ) -> std::result::Result<Response<ureq::Body>, ureq::Error> {
        let address = format!("{}{}", self.base, request.path());
        let key = self.key.header();
        if request.is_question() {
            let get = self.agent.get(address).header("Authorization", key);
            return get.config().timeout_global(within).build().call();
        }
        let post = self.agent.post(address).header("Authorization", key);
        let post = post.config().timeout_global(within).build();
        match request.form() {
            [] => post.send_empty(),
            form => post.send_form(form.iter().map(|(name, value)| (*name, value.as_str()))),
        }
    }

    /// Reports what is written, until it ends or nobody listens.
    fn read_lines(
        &self,
        request: &Request,
        is_closed: &AtomicBool,
        report: &dyn Fn(NetEvent) -> bool,
    ) -> Answer {
        let mut response = match self.call(request, None) {
            Ok(response) if response.status() == StatusCode::OK => response,
            Ok(response) => return answer_of(response),
            Err(_) => return Answer::Lost,
        };
        if !report(NetEvent::Opened) {
            return Answer::Lost;
        }
        let mut body = response.body_mut().as_reader();
        let (mut lines, mut bytes) = (Lines::default(), [0; 4096]);
        let mut line_ended = Instant::now();
        loop {
            let count = match body.read(&mut bytes) {
                Ok(0) => return Answer::Done(String::new()),
                Ok(count) => count,
                Err(_) => return Answer::Lost,
            };
            let read = bytes.get(..count).unwrap_or_default();
            if read.contains(&b'\n') {
                line_ended = Instant::now();
            }
            // Bytes that make no line are no sign of life.
            if is_closed.load(Ordering::Relaxed) || line_ended.elapsed() > SILENCE {
                return Answer::Lost;
            }
            let Ok(ended) = lines.take(read) else {
                return Answer::Lost;
            };
            for line in ended.iter().filter(|line| !line.trim().is_empty()) {
                if !report(NetEvent::Wrote(wire::read(line))) {
                    return Answer::Lost;
                }
            }
        }
    }
}

fn answer_of(mut response: Response<ureq::Body>) -> Answer {
    let wait = response.headers().get("Retry-After");
    let wait = wait.and_then(|it| it.to_str().ok()?.trim().parse().ok());
    let status = response.status();
    let body = response.body_mut().with_config().limit(ANSWER_MAX);
    let body = body.read_to_string().unwrap_or_default();
    match status.as_u16() {
        // A login page of a hotel network is no answer of the server.
        200..=299 if !wire::is_answer(&body) => Answer::Lost,
        200..=299 => Answer::Done(body),
        401 | 403 => Answer::NotLetIn,
        404 => Answer::Unknown,
        429 => Answer::Busy(wait),
        400..=499 => Answer::Refused(wire::reason(&body)),
        _ => Answer::Lost,
    }
}

/// Returns whether an address can only lead to this computer.
fn is_on_this_computer(address: &str) -> bool {
    let port = address.strip_prefix(THIS_COMPUTER);
    port.is_some_and(|port| {
        port.bytes().all(|it| it.is_ascii_digit()) && port.parse::<u16>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_computer_can_stand_for_the_server() {
        assert!(is_on_this_computer("http://127.0.0.1:8080"));
        for address in [
            "http://127.0.0.1",
            "http://127.0.0.1:",
            "http://127.0.0.1:80/",
            "http://127.0.0.1:80@example.org",
            "http://127.0.0.1:+80",
            "http://127.0.0.1:99999",
            "http://127.0.0.1.example.org:80",
            "http://localhost:80",
            "https://example.org",
            "",
        ] {
            assert!(!is_on_this_computer(address), "{address}");
        }
    }
}
