//! Who sits where: PINs that the record keeps, guesses, floods, and consoles that say nothing. One
//! client never shuts out or blinds another.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and looks at what the program leaves behind"
)]

mod common;

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

fn answer(lines: &mut BufReader<UnixStream>) -> Answer {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
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

#[test]
fn the_record_knows_the_pin_and_no_file_has_it() {
    let home = Home::new();
    let mut game = club(&home);
    arbiter(&home).leave();
    game.types("ende");
    game.leave();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    only_the_arbiter_comes(&home);
    game.kill();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    only_the_arbiter_comes(&home);
    // A file may have the same PIN again, and no other.
    game.leave();
    let other = ["resume", "g", "--text", "--arbiter-pin-file"];
    let other = home.run(&[&other[..], &[&home.pin_file("7306")]].concat());
    assert_eq!(other.status.code(), Some(2), "{}", text(&other));
    assert!(
        text(&other).contains("--new-pin arbiter"),
        "{}",
        text(&other)
    );
    is_verified(&home);
    let mut left = vec![home.games(), home.path("run/annexd")];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(path).unwrap().map(|it| it.unwrap().path()));
        } else {
            let bytes = fs::read(&path).unwrap();
            let has_pin = bytes.windows(PIN.len()).any(|it| it == PIN.as_bytes());
            let record = text(&home.run(&["show", "g", "--jsonl"]));
            // Four digits may stand anywhere by chance, but not as a value of their own.
            assert!(!record.contains(&format!("\"{PIN}\"")), "{record}");
            assert!(!has_pin || record.contains(PIN), "{}", path.display());
        }
    }
}

#[test]
fn a_pin_is_made_of_what_is_typed_twice_and_is_no_command() {
    let home = Home::new();
    let game = home.start(&CLUB);
    game.wait_for("Hilfe sagt", 1);
    let mut made = home.start(&role("arbiter"));
    made.wait_for("noch keine PIN", 1);
    for (times, (line, why)) in (1..).zip([
        ("anhalten", "Die PIN sieht aus wie ein Befehl"),
        ("1234", "Die PIN ist zu leicht zu erraten"),
    ]) {
        made.types(line);
        made.wait_for("noch einmal tippen", times);
        made.types(line);
        made.wait_for(why, 1);
    }
    made.wait_for("noch keine PIN", 3);
    for line in [PIN, "7306"] {
        made.types(line);
    }
    made.wait_for("zwei verschiedene", 1);
    for line in [PIN, PIN] {
        made.types(line);
    }
    made.wait_for("Das ist die Konsole", 1);
    game.wait_for("Neue PIN: Schiedsrichter.", 1);
    game.kill();
    made.wait_for("Die Verbindung zur Partie ist abgebrochen", 1);
    made.ended();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    only_the_arbiter_comes(&home);
    game.leave();
    is_verified(&home);
}

#[test]
fn a_lost_pin_is_given_up_before_all_and_a_new_one_made() {
    let home = Home::new();
    club(&home).leave();
    let game = home.start(&["resume", "g", "--text", "--new-pin", "arbiter"]);
    game.wait_for("Die PIN gilt nicht mehr: Schiedsrichter", 1);
    let arbiter = home.console("g", "arbiter", "582114");
    arbiter.wait_for("Das ist die Konsole", 1);
    game.wait_for("Neue PIN: Schiedsrichter", 1);
    game.leave();
    arbiter.ended();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    let (status, _) = home.console("g", "arbiter", PIN).ended();
    assert_eq!(status, Some(1));
    let arbiter = home.console("g", "arbiter", "582114");
    arbiter.wait_for("Das ist die Konsole", 1);
    game.leave();
    is_verified(&home);
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert!(record.contains("pin_given_up"), "{record}");
}

#[test]
fn no_pin_stands_on_the_command_line() {
    let home = Home::new();
    for (line, instead) in [
        (
            ["play", "--text", "--arbiter-pin", PIN],
            "--arbiter-pin-file",
        ),
        (["console", "--role=arbiter", "--pin", PIN], "--pin-file"),
    ] {
        let refused = home.run(&line);
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
        assert!(text(&refused).contains(instead), "{}", text(&refused));
    }
    assert!(!home.games().exists());
}

#[test]
fn who_signs_in_the_record_shows_the_pin_of_his_seat() {
    let home = Home::new();
    let mut game = club(&home);
    let black = home.console("g", "opponent", "4711x");
    black.wait_for("Das ist die Konsole", 1);
    for line in ["anfang", "ergebnis 1-0"] {
        game.types(&format!("schiedsrichter {PIN}: {line}"));
    }
    black.wait_for("Ende: 1-0", 1);
    game.leave();
    black.ended();
    let sign = ["score", "sign", "g", "--voice", "none", "--language", "de"];
    let black = [&sign[..], &["--side", "black"]].concat();
    let is_signed = |side| {
        let json = ["score", "export", "g", "--side", side, "--format", "json"];
        text(&home.run(&json)).contains(&format!("\"side\":\"{side}\""))
    };
    let none = home.run(&black);
    assert_eq!(none.status.code(), Some(2), "{}", text(&none));
    let wrong = home.pin_file("4712x");
    let wrong = [&black[..], &["--pin-file", &wrong]].concat();
    let begun = Instant::now();
    let refused = (0..6).map(|_| home.run(&wrong));
    let refused: Vec<String> = refused.map(|it| text(&it)).collect();
    let minutes = begun.elapsed().as_secs() / 60 + 1;
    let count = |part: &str| refused.iter().filter(|it| it.contains(part)).count() as u64;
    let (tried, unheard) = (count("Die PIN ist falsch"), count("Die PIN wurde zu oft"));
    assert_eq!(tried + unheard, 6, "{refused:#?}");
    assert!((3..=3 + minutes).contains(&tried), "{refused:#?}");
    assert_eq!(recorded(&home), (tried, 0));
    assert!(!is_signed("black"));
    // Nobody has to wait at the seat of another. He reads that nobody knows who has signed.
    let white = home.run(&[&sign[..], &["--side", "white"]].concat());
    assert!(white.status.success(), "{}", text(&white));
    assert!(text(&white).contains("Weiß hat in dieser Partie keine PIN"));
    assert!(is_signed("white"));
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert!(record.contains("signed_without_pin"), "{record}");
    is_verified(&home);
}

#[test]
fn who_has_the_pin_signs_at_the_second_try() {
    let home = Home::new();
    let game = club(&home);
    let black = home.console("g", "opponent", "4711x");
    black.wait_for("Das ist die Konsole", 1);
    let mut arbiter = arbiter(&home);
    for line in ["anfang", "ergebnis 1-0"] {
        arbiter.types(line);
    }
    black.wait_for("Ende: 1-0", 1);
    game.leave();
    arbiter.ended();
    black.ended();
    let sign = ["score", "sign", "g", "--voice", "none", "--side", "black"];
    let signed = given(&home, &sign, "4712x\n4711x\n");
    assert!(signed.status.success(), "{}", text(&signed));
    assert_eq!(recorded(&home), (1, 0));
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert!(!record.contains("signed_without_pin"), "{record}");
    is_verified(&home);
}

#[test]
fn guesses_over_250_connections_are_few_and_all_know_of_them() {
    let home = Home::new();
    let mut game = club(&home);
    let opponent = home.start(&role("opponent"));
    opponent.wait_for("Das ist die Konsole", 1);
    let guess = |number: u32| greet(&home, Person::Arbiter, &format!("a{number}")).0;
    let one_after_the_other: Vec<Answer> = (1000..1100).map(guess).collect();
    let begun = Instant::now();
    let at_once = thread::scope(|scope| {
        let guessing = (2000..2250).map(|number| scope.spawn(move || guess(number)));
        let guessing: Vec<_> = guessing.collect();
        let answers = guessing.into_iter().map(|it| it.join().unwrap());
        answers.collect::<Vec<Answer>>()
    });
    let (tried, unheard) = guesses(one_after_the_other.into_iter().chain(at_once));
    let minutes = begun.elapsed().as_secs() / 60 + 1;
    assert!((4..=4 + minutes).contains(&tried), "{tried}");
    assert!(tried + unheard >= 100, "{unheard}");
    for all in [&game, &opponent] {
        all.wait_for("Falsche PIN: Schiedsrichter", 1);
    }
    // He who is at the terminal is not shut out by who guesses elsewhere.
    game.types(&format!("schiedsrichter {PIN}: anfang"));
    game.wait_for("Die Partie beginnt", 1);
    game.leave();
    assert_eq!(recorded(&home), (tried, unheard));
    is_verified(&home);
}

#[test]
fn guesses_at_the_terminal_that_all_use_are_few_and_leave_the_consoles_open() {
    let home = Home::new();
    let mut game = club(&home);
    game.types("schiedsrichter anhalten: anfang");
    game.wait_for("Die PIN sieht aus wie ein Befehl", 1);
    let begun = Instant::now();
    for number in 1000..3000 {
        game.types(&format!("schiedsrichter {number}: ergebnis 1-0"));
    }
    arbiter(&home).leave();
    let seen = game.leave();
    let minutes = begun.elapsed().as_secs() / 60 + 1;
    let count = |part: &str| seen.iter().filter(|it| it.contains(part)).count() as u64;
    let (tried, unheard) = (count("Die PIN ist falsch"), count("Die PIN wurde zu oft"));
    // "1234" and its like are never looked at.
    let simple = count("zu leicht zu erraten");
    assert!((4..=4 + minutes).contains(&tried), "{tried}");
    assert_eq!(tried + unheard + simple, 2000);
    assert_eq!(recorded(&home), (tried, unheard));
    assert!(!seen.iter().any(|it| it.contains("1-0")), "{seen:#?}");
}

#[test]
fn who_starts_the_program_anew_has_no_more_guesses() {
    let home = Home::new();
    let game = club(&home);
    let guess = |number: u32| greet(&home, Person::Arbiter, &format!("a{number}")).0;
    let begun = Instant::now();
    let first: Vec<Answer> = (1000..1010).map(guess).collect();
    game.leave();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    let second: Vec<Answer> = (1000..1010).map(guess).collect();
    let minutes = begun.elapsed().as_secs() / 60 + 1;
    let (tried, _) = guesses(first.into_iter().chain(second));
    assert!((4..=4 + minutes).contains(&tried), "{tried}");
    game.leave();
}

/// The opponent must not read what is private to who cannot see.
#[test]
fn in_a_rated_game_the_seat_of_who_cannot_see_needs_a_pin() {
    let home = Home::new();
    let rated = [
        "play", "--text", "--name", "g", "--mode", "rated", "--blind", "white",
    ];
    let game = home.start(&[&rated[..], &["--terminal", "shared"]].concat());
    game.wait_for("Hilfe sagt", 1);
    let (unknown, _) = greet(&home, Person::Player(Color::White), "");
    let is_asked = |answer: &Answer, why| match answer {
        Answer::Refused(fault) => (fault.part, fault.reason) == (Part::Pin, why),
        _ => false,
    };
    assert!(is_asked(&unknown, Reason::NotChosen), "{unknown:?}");
    let player = home.console("g", "player", PIN);
    player.wait_for("Das ist die Konsole", 1);
    game.wait_for("Neue PIN: Weiß", 1);
    player.leave();
    for (pin, why) in [("", Reason::Missing), ("7306", Reason::Wrong)] {
        let (usurper, _) = greet(&home, Person::Player(Color::White), pin);
        assert!(is_asked(&usurper, why), "{usurper:?}");
    }
    // Who sees sits down without, and nobody else does then.
    let opponent = home.start(&role("opponent"));
    opponent.wait_for("Das ist die Konsole", 1);
    let (status, _) = home.start(&role("opponent")).ended();
    assert_eq!(status, Some(1));
    game.leave();
}

#[test]
fn each_seat_has_consoles_of_its_own_and_who_gives_way_is_told_why() {
    let home = Home::new();
    let mut game = club(&home);
    let mut black = Vec::new();
    let (first, lines) = greet(&home, Person::Player(Color::Black), PIN);
    assert!(matches!(first, Answer::Welcome { .. }), "{first:?}");
    black.push(lines);
    for _ in 0..10 {
        let (next, lines) = greet(&home, Person::Player(Color::Black), PIN);
        assert!(matches!(next, Answer::Welcome { .. }), "{next:?}");
        black.push(lines);
    }
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut black[0], &mut rest).unwrap();
    assert!(rest.contains("console_replaced"), "{rest}");
    let assistant = home.console("g", "assistant", "815221");
    assistant.wait_for("Das ist die Konsole", 1);
    let arbiter = arbiter(&home);
    game.types(&format!("schiedsrichter {PIN}: anfang"));
    arbiter.wait_for("Die Partie beginnt", 1);
    game.leave();
    for console in [assistant, arbiter] {
        let (_, seen) = console.ended();
        assert_eq!(seen.last().unwrap(), "Die Partie wurde verlassen.");
    }
}

/// Lines that come faster than anybody types neither fill the record nor cut anybody off.
#[test]
fn floods_of_lines_are_joined_counted_and_blind_nobody() {
    let home = Home::new();
    let mut game = club(&home);
    let mut arbiter = arbiter(&home);
    arbiter.types("anfang");
    arbiter.wait_for("Die Partie beginnt", 1);
    let size = |home: &Home| fs::metadata(home.game("g")).unwrap().len();
    let (welcome, black) = greet(&home, Person::Player(Color::Black), "");
    assert!(matches!(welcome, Answer::Welcome { .. }), "{welcome:?}");
    let mut typed = black.into_inner();
    // He never reads what he is answered.
    typed.write_all("uhr\n".repeat(3000).as_bytes()).unwrap();
    for number in 0..3000 {
        typed
            .write_all(format!("zeit {number}\n").as_bytes())
            .unwrap();
    }
    game.types("weiß: e2e4");
    arbiter.wait_for("Eva zwei Eva vier", 1);
    arbiter.types("blubb");
    arbiter.wait_for("blubb", 1);
    drop(typed);
    game.wait_for("Konsole geschlossen: Schwarz", 1);
    assert!(size(&home) < 1 << 20, "{}", size(&home));
    game.leave();
    let (_, seen) = arbiter.ended();
    assert_eq!(seen.last().unwrap(), "Die Partie wurde verlassen.");
    let record = store::read(&home.game("g")).unwrap();
    let left_out = record.entries.iter().filter_map(|entry| match &entry.body {
        Body::Shed { device, reports } if device == "console of black" => Some(*reports),
        _ => None,
    });
    let left_out: u64 = left_out.sum();
    assert!((5_000..6_000).contains(&left_out), "{left_out}");
    assert!(record.entries.len() < 2_000, "{}", record.entries.len());
    is_verified(&home);
}

#[test]
fn who_says_nothing_is_sent_away_and_keeps_nobody_out() {
    let home = Home::new();
    let mut game = club(&home);
    let mut silent: Vec<UnixStream> = (0..340).map(|_| connect(&home)).collect();
    let mut arbiter = arbiter(&home);
    arbiter.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    let process = game.child.id();
    let held = fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    assert!(held < 200, "{held} descriptors");
    game.types("weiß: e2e4");
    arbiter.wait_for("Eva zwei Eva vier", 1);
    // The last waits for its time to be over, the first had to give way before.
    for stream in [silent.pop().unwrap(), silent.remove(0)] {
        match answer(&mut BufReader::new(stream)) {
            Answer::Refused(fault) => {
                assert_eq!((fault.part, fault.reason), (Part::Console, Reason::Silent));
            }
            other => panic!("{other:?}"),
        }
    }
    drop(silent);
    arbiter.leave();
    game.leave();
}

/// Everything at once, for figures: what a game needs to answer while others try to blind it.
#[test]
#[ignore = "long: make soak"]
fn a_game_answers_at_once_beside_floods_guesses_and_connections() {
    let home = Home::new();
    let mut game = club(&home);
    let mut arbiter = arbiter(&home);
    arbiter.types("anfang");
    arbiter.wait_for("Die Partie beginnt", 1);
    let quiet = latencies(&mut arbiter, 50, "leise");
    let (welcome, black) = greet(&home, Person::Player(Color::Black), "");
    assert!(matches!(welcome, Answer::Welcome { .. }), "{welcome:?}");
    let mut typed = black.into_inner();
    let is_over = AtomicBool::new(false);
    let goes_on = || !is_over.load(Ordering::Relaxed);
    let attacked = thread::scope(|scope| {
        scope.spawn(|| {
            while goes_on() {
                typed
                    .write_all("uhr\nzeit\n".repeat(50).as_bytes())
                    .unwrap();
            }
        });
        scope.spawn(|| {
            let mut number = 1000;
            while goes_on() {
                number += 1;
                greet(&home, Person::Arbiter, &format!("a{number}"));
            }
        });
        scope.spawn(|| {
            while goes_on() {
                let _silent: Vec<UnixStream> = (0..340).map(|_| connect(&home)).collect();
                thread::sleep(Duration::from_millis(500));
            }
        });
        let attacked = latencies(&mut arbiter, 120, "laut");
        is_over.store(true, Ordering::Relaxed);
        attacked
    });
    let size = fs::metadata(home.game("g")).unwrap().len();
    println!(
        "seats: an answer took {:?} at the median and {:?} at the 99th percentile of 50 in quiet, \
         {:?} and {:?} of 120 beside floods; the record has {} KB",
        quiet[25],
        quiet[49],
        attacked[60],
        attacked[118],
        size >> 10,
    );
    game.types("weiß: e2e4");
    arbiter.wait_for("Eva zwei Eva vier", 1);
    game.leave();
    let (_, seen) = arbiter.ended();
    assert_eq!(seen.last().unwrap(), "Die Partie wurde verlassen.");
    is_verified(&home);
}

/// How long so many questions wait for their answers, in order.
fn latencies(console: &mut Talk, questions: usize, word: &str) -> Vec<Duration> {
    let mut all: Vec<Duration> = (0..questions)
        .map(|number| {
            let line = format!("{word}{number}x");
            let asked = Instant::now();
            console.types(&line);
            console.wait_for(&line, 1);
            let took = asked.elapsed();
            thread::sleep(Duration::from_millis(200));
            took
        })
        .collect();
    all.sort();
    all
}
