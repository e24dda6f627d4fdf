//! Floods of lines and of connections blind nobody.

use super::*;

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
fn a_flood_at_the_terminal_that_all_use_is_joined_and_counted_too() {
    let home = Home::new();
    let mut game = club(&home);
    let mut arbiter = arbiter(&home);
    arbiter.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    for number in 0..3000 {
        game.types("uhr");
        game.types(&format!("zeit {number}"));
    }
    game.wait_for("Ausgelassene Zeilen", 1);
    arbiter.types("blubb");
    arbiter.wait_for("blubb", 1);
    arbiter.leave();
    game.leave();
    let record = store::read(&home.game("g")).unwrap();
    assert!(record.entries.len() < 1_000, "{}", record.entries.len());
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
