//! Who guesses PINs has few tries, and keeps nobody out.

use super::*;

#[test]
fn guesses_over_250_connections_are_few_and_all_know_of_them() {
    let home = Home::new();
    let mut game = club(&home);
    let opponent = home.start(&role("opponent"));
    opponent.wait_for("Das ist die Konsole", 1);
    let begun = Instant::now();
    let answers = guess_at_once(&home, 2000..2250);
    // Who is refused reads what he can type.
    let resume = "annexd resume g --new-pin arbiter";
    let says = |answer: &Answer| format!("{answer:?}").contains(resume);
    assert!(answers.iter().any(says), "{answers:?}");
    let (tried, unheard) = guesses(answers);
    assert!((2..=most_since(begun)).contains(&tried), "{tried}");
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

/// Somebody guesses over 250 connections for as long as the game lasts, also when it is killed and
/// goes on. The arbiter gets in all the same, who has no console open.
#[test]
fn an_honest_arbiter_gets_in_beside_250_connections_that_guess() {
    let home = Home::new();
    club(&home).kill();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    let begun = Instant::now();
    let is_over = AtomicBool::new(false);
    let tried = thread::scope(|scope| {
        let guess = |number: u32| {
            let mut tried = 0;
            for round in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let pin = format!("a{number}b{round}");
                tried += guesses([greet(&home, Person::Arbiter, &pin).0]).0;
                thread::sleep(Duration::from_millis(500));
            }
            tried
        };
        let guessing: Vec<_> = (2000..2250)
            .map(|it| scope.spawn(move || guess(it)))
            .collect();
        game.wait_for("Falsche PIN: Schiedsrichter", 1);
        let asked = Instant::now();
        let honest = arbiter(&home);
        println!(
            "seats: beside 250 who guess the arbiter sat after {:?}",
            asked.elapsed()
        );
        // He sat there before, so he does not wait behind anybody.
        honest.leave();
        arbiter(&home).leave();
        is_over.store(true, Ordering::Relaxed);
        guessing
            .into_iter()
            .map(|it| it.join().unwrap())
            .sum::<u64>()
    });
    assert!((2..=most_since(begun)).contains(&tried), "{tried}");
    game.leave();
    is_verified(&home);
}

#[test]
fn who_types_three_wrong_pins_is_asked_once_more_and_never_put_before_the_shell() {
    let home = Home::new();
    let game = club(&home);
    let mut honest = home.start(&role("arbiter"));
    for (times, pin) in (1..).zip(["7306", "7307", "7308", PIN]) {
        honest.wait_for("Bitte die PIN tippen", times);
        honest.types(pin);
    }
    honest.wait_for("Es werden gerade mehrere PINs probiert", 1);
    honest.wait_for("Das ist die Konsole", 1);
    honest.leave();
    game.leave();
    assert_eq!(recorded(&home), (3, 0));
}

/// One look needs nineteen megabytes; they stayed with the thread of each connection.
#[test]
fn many_looks_at_pins_need_the_memory_of_one() {
    let home = Home::new();
    let game = club(&home);
    let used = || {
        let status = fs::read_to_string(format!("/proc/{}/status", game.child.id())).unwrap();
        let line = status.lines().find(|it| it.starts_with("VmRSS:")).unwrap();
        let kilobytes = line.split_whitespace().nth(1).unwrap();
        kilobytes.parse::<u64>().unwrap() >> 10
    };
    let before = used();
    for _ in 0..8 {
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| greet(&home, Person::Arbiter, PIN));
            }
        });
    }
    let after = used();
    println!("seats: {before} MB before 64 looks at a PIN and {after} MB after");
    assert!(after < before + 60, "{before} MB became {after} MB");
    game.leave();
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
    let seconds = begun.elapsed().as_secs();
    let count = |part: &str| seen.iter().filter(|it| it.contains(part)).count() as u64;
    let (tried, unheard) = (count("Die PIN ist falsch"), count("Die PIN wurde zu oft"));
    // "1234" and its like are never looked at, and few lines are taken at all.
    let simple = count("zu leicht zu erraten");
    assert!((3..=4 + seconds / 60).contains(&tried), "{tried}");
    let taken = tried + unheard + simple;
    assert!((190..=201 + seconds).contains(&taken), "{taken}");
    assert_eq!(recorded(&home), (tried, unheard));
    let record = store::read(&home.game("g")).unwrap();
    let left_out = record.entries.iter().filter_map(|entry| match &entry.body {
        Body::Shed { device, reports } if device == "terminal" => Some(*reports),
        _ => None,
    });
    assert_eq!(left_out.sum::<u64>() + taken, 2000);
    assert!(!seen.iter().any(|it| it.contains("1-0")), "{seen:#?}");
}

#[test]
fn who_starts_the_program_anew_has_no_more_guesses() {
    let home = Home::new();
    let game = club(&home);
    let begun = Instant::now();
    let first = guess_at_once(&home, 1000..1010);
    game.leave();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    let second = guess_at_once(&home, 1000..1010);
    let (tried, _) = guesses(first.into_iter().chain(second));
    assert!((2..=most_since(begun)).contains(&tried), "{tried}");
    game.leave();
}
