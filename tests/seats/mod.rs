//! Who sits where: PINs that the record keeps, guesses, floods, and consoles that say nothing. One
//! client never shuts out or blinds another.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and looks at what the program leaves behind"
)]

use crate::common;
mod floods;
mod guesses;
mod pins;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use annexd::journal::{Body, SeatEvent};
use annexd::persons::Person;
use annexd::shell::consoles::server::{Answer, Hello};
use annexd::shell::error::{Fault, Part, Reason};
use annexd::shell::record::store;
use annexd::shell::seats::Pin;
use common::{Home, Talk, given, text};
use shakmaty::Color;

const PIN: &str = "7305";

const CLUB: [&str; 7] = ["play", "--text", "--name", "g", "--arbiter", "--time", "5m"];

/// A club game with an arbiter, who has a PIN.
fn club(home: &Home) -> Talk {
    let game = home.start(&[&CLUB[..], &["--arbiter-pin-file", &home.pin_file(PIN)]].concat());
    game.wait_for("Hilfe sagt", 1);
    game
}

fn arbiter(home: &Home) -> Talk {
    let arbiter = home.console("g", "arbiter", PIN);
    arbiter.wait_for("Das ist die Konsole", 1);
    arbiter
}

fn role(role: &str) -> [&str; 5] {
    ["console", "--game", "g", "--role", role]
}

/// A connection of somebody's own program.
fn connect(home: &Home) -> UnixStream {
    let path = home.path("run/annexd/g.socket");
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        match UnixStream::connect(&path) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        thread::yield_now();
    }
}

/// Says who he is, and gives the first answer with the connection.
fn greet(home: &Home, person: Person, pin: &str) -> (Answer, BufReader<UnixStream>) {
    let mut stream = connect(home);
    let hello = Hello {
        person,
        pin: Pin::new(pin),
        language: None,
    };
    let hello = serde_json::to_string(&hello).unwrap();
    // Who is sent away while he speaks reads why all the same.
    let _ = writeln!(stream, "{hello}");
    let mut lines = BufReader::new(stream);
    (answer(&mut lines), lines)
}

/// What is answered in the end: who has to wait for his turn is told so before.
fn answer(lines: &mut BufReader<UnixStream>) -> Answer {
    loop {
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let answer = serde_json::from_str(&line);
        match answer.unwrap_or_else(|error| panic!("{error}: {line}")) {
            Answer::Waits => {}
            answer => return answer,
        }
    }
}

/// Guesses of the arbiter's PIN, all at once.
fn guess_at_once(home: &Home, numbers: std::ops::Range<u32>) -> Vec<Answer> {
    let guess = |number: u32| greet(home, Person::Arbiter, &format!("a{number}")).0;
    thread::scope(|scope| {
        let guessing: Vec<_> = numbers.map(|it| scope.spawn(move || guess(it))).collect();
        let answers = guessing.into_iter().map(|it| it.join().unwrap());
        answers.collect()
    })
}

/// At most so many wrong PINs are tried by connections since then.
fn most_since(begun: Instant) -> u64 {
    2 + begun.elapsed().as_secs() / 15 + 1
}

/// How many of so many PINs were tried, and how many refused without a look. In a crowd some are
/// sent away before they could say anything.
fn guesses(answers: impl IntoIterator<Item = Answer>) -> (u64, u64) {
    let (mut tried, mut unheard) = (0, 0);
    for answer in answers {
        match answer {
            Answer::Refused(Fault {
                part: Part::Pin,
                reason: Reason::Wrong,
                ..
            }) => tried += 1,
            Answer::Refused(Fault {
                part: Part::Pin,
                reason: Reason::TooOften,
                ..
            }) => unheard += 1,
            Answer::Refused(Fault {
                part: Part::Console,
                reason: Reason::Silent,
                ..
            }) => {}
            other => panic!("{other:?}"),
        }
    }
    (tried, unheard)
}

/// How many wrong PINs the record of a game that was left has.
fn recorded(home: &Home) -> (u64, u64) {
    let record = store::read(&home.game("g")).unwrap();
    let mut sums = (0, 0);
    for entry in &record.entries {
        if let Body::Seat {
            event: SeatEvent::WrongPins { tried, unheard },
            ..
        } = &entry.body
        {
            sums = (sums.0 + tried, sums.1 + unheard);
        }
    }
    sums
}

fn is_verified(home: &Home) {
    let verified = home.run(&["verify", "g"]);
    assert!(verified.status.success(), "{}", text(&verified));
}

/// The usurper is refused, the arbiter is not.
fn only_the_arbiter_comes(home: &Home) {
    let wrong = home.console("g", "arbiter", "7306");
    let (status, seen) = wrong.ended();
    assert_eq!((status, seen), (Some(1), vec![]));
    arbiter(home).leave();
}
