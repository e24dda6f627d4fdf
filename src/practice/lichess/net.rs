//! The way to the server: streams and single requests, each on a thread of its own. Whatever comes
//! of it is reported, and nothing waits for it.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use ureq::http::{Response, StatusCode};

use annexd::shell::error::Result;
use annexd::told;

use super::key::Key;
use super::pace::Pace;
use super::wire::{self, Event, Request};
use crate::lines::Lines;

/// Where the server is.
const SERVER: &str = "https://lichess.org";

/// For tests alone: a server on this computer.
const OF_TESTS: &str = "ANNEXD_TEST_SERVER";
const THIS_COMPUTER: &str = "http://127.0.0.1:";

/// A second, and what it is for a server on this computer.
const SECOND: Duration = Duration::from_secs(1);
const SECOND_OF_TESTS: Duration = Duration::from_millis(20);

/// How long to wait for a connection and an answer. An open stream writes an empty line every seven
/// seconds: when three are missing it is dead.
const PATIENCE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(25);

/// A single answer is whole within this time, however slowly it trickles.
const ANSWERED_WITHIN: Duration = Duration::from_secs(40);

/// What an answer says is no longer.
const ANSWER_MAX: u64 = 64 * 1024;

/// What came of a stream or a request, by its number.
#[derive(Debug)]
pub(super) struct Came {
    pub(super) of: u64,
    pub(super) what: What,
}

/// What has come.
#[derive(Debug)]
pub(super) enum What {
    /// A stream is open.
    Opened,
    /// Something was written.
    Wrote(Event),
    /// The single answer, or the end of a stream.
    Ended(Answer),
}

/// How something was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It is done; what was written.
    Done(String),
    /// The key is not taken.
    NotLetIn,
    /// It was asked too often, and is to be left alone for so many seconds.
    Busy(Option<u32>),
    /// There is no such thing.
    Unknown,
    /// It is not done, and why.
    Refused(String),
    /// There is no answer.
    Lost,
}

/// The way to the server.
#[derive(Clone)]
pub(super) struct Net {
    base: String,
    agent: ureq::Agent,
    key: Key,
    unit: Duration,
}

/// A stream that is open as long as this is held.
#[derive(Debug)]
pub(super) struct Stream {
    /// By which its lines are known.
    pub(super) number: u64,
    is_closed: Arc<AtomicBool>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

impl Net {
    /// The way to the server with this key.
    pub(super) fn new(key: Key) -> Result<Self> {
        let (base, is_here) = match std::env::var(OF_TESTS) {
            Ok(address) => match is_on_this_computer(&address) {
                true => (address, true),
                false => return Err(told!(Usage, AddressNotHttps, address = address)),
            },
            Err(_) => (SERVER.to_owned(), false),
        };
        let config = ureq::Agent::config_builder()
            .https_only(!is_here)
            // The key goes to nobody else.
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

    /// The pace at which it is asked again.
    pub(super) const fn pace(&self) -> Pace {
        Pace::new(self.unit)
    }

    /// Opens a stream, whose lines and end are reported.
    pub(super) fn open(&self, request: Request, number: u64, to: &Sender<Came>) -> Stream {
        let is_closed = Arc::new(AtomicBool::new(false));
        let stream = Stream {
            number,
            is_closed: Arc::clone(&is_closed),
        };
        let (net, to) = (self.clone(), to.clone());
        thread::spawn(move || {
            let answer = net.read_lines(&request, &is_closed, &|what| {
                to.send(Came { of: number, what }).is_ok()
            });
            let what = What::Ended(answer);
            let _ = to.send(Came { of: number, what });
        });
        stream
    }

    /// Asks for something, and reports the answer.
    pub(super) fn ask(&self, request: Request, number: u64, to: &Sender<Came>) {
        let (net, to) = (self.clone(), to.clone());
        thread::spawn(move || {
            let answer = net.answer(&request);
            let what = What::Ended(answer);
            let _ = to.send(Came { of: number, what });
        });
    }

    fn answer(&self, request: &Request) -> Answer {
        match self.call(request, Some(ANSWERED_WITHIN)) {
            Ok(response) => answer_of(response),
            Err(_) => Answer::Lost,
        }
    }

    /// Asks the server; what it answers is whole after so long, if it ever is.
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
        report: &dyn Fn(What) -> bool,
    ) -> Answer {
        let mut response = match self.call(request, None) {
            Ok(response) if response.status() == StatusCode::OK => response,
            Ok(response) => return answer_of(response),
            Err(_) => return Answer::Lost,
        };
        if !report(What::Opened) {
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
                if !report(What::Wrote(wire::read(line))) {
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
        // A page to log in at a hotel is no answer of the server.
        200..=299 if !wire::is_answer(&body) => Answer::Lost,
        200..=299 => Answer::Done(body),
        401 | 403 => Answer::NotLetIn,
        404 => Answer::Unknown,
        429 => Answer::Busy(wait),
        400..=499 => Answer::Refused(wire::reason(&body)),
        _ => Answer::Lost,
    }
}

/// Whether an address can lead nowhere else.
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
