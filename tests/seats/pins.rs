//! PINs: how they are made, kept, lost and asked for.

use super::*;

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
    assert_eq!(other.status.code(), Some(1), "{}", text(&other));
    assert!(text(&other).contains("Die PIN ist falsch"));
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
    made.wait_for("Schiedsrichter: Bitte eine neue PIN", 1);
    // Each is refused when it is typed first, and however many are.
    for (times, (line, why)) in (1..).zip([
        ("anhalten", "Die PIN sieht aus wie ein Befehl"),
        ("1234", "Die PIN ist zu leicht zu erraten"),
        ("73", "Die PIN ist zu kurz"),
        ("Sg1f3", "Die PIN sieht aus wie ein Befehl"),
        ("1111", "Die PIN ist zu leicht zu erraten"),
    ]) {
        made.types(line);
        made.wait_for(why, 1 + usize::from(times > 3));
    }
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
    made.wait_for("annexd console --role arbiter --game g", 1);
    made.ended();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    only_the_arbiter_comes(&home);
    game.leave();
    is_verified(&home);
}

/// It is made before anybody can connect, so that nobody is faster.
#[test]
fn a_lost_pin_is_made_anew_where_the_game_goes_on_and_all_are_told() {
    let home = Home::new();
    club(&home).leave();
    let resume = ["resume", "g", "--text", "--new-pin", "arbiter"];
    // Who makes none leaves all as it was.
    let none = home.run(&resume);
    assert_eq!(none.status.code(), Some(2), "{}", text(&none));
    let mut game = home.start(&resume);
    game.wait_for("Schiedsrichter: Bitte eine neue PIN tippen", 1);
    assert!(!home.path("run/annexd/g.socket").exists());
    for line in ["anfang", "582114", "582114"] {
        game.types(line);
    }
    game.wait_for("Die PIN gilt nicht mehr: Schiedsrichter", 1);
    game.wait_for("Neue PIN: Schiedsrichter", 1);
    let (status, _) = home.console("g", "arbiter", "815221").ended();
    assert_eq!(status, Some(1), "he is faster, and has no PIN");
    let arbiter = home.console("g", "arbiter", "582114");
    arbiter.wait_for("Das ist die Konsole", 1);
    game.leave();
    arbiter.ended();
    let by_file = ["--new-pin-file", &home.pin_file("4711x")];
    let game = home.start(&[&resume[..], &by_file].concat());
    game.wait_for("Neue PIN: Schiedsrichter", 1);
    game.leave();
    let game = home.start(&["resume", "g", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    let arbiter = home.console("g", "arbiter", "4711x");
    arbiter.wait_for("Das ist die Konsole", 1);
    let (status, _) = home.console("g", "arbiter", PIN).ended();
    assert_eq!(status, Some(1));
    game.leave();
    arbiter.ended();
    is_verified(&home);
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert_eq!(record.matches("\"pin_given_up\"").count(), 2, "{record}");
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

/// As at the table, a lost PIN keeps nobody from his score, and everybody can see it later.
#[test]
fn who_has_lost_his_pin_signs_and_the_record_says_so() {
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
    let signed = home.run(&[&sign[..], &["--side", "black", "--pin-lost"]].concat());
    assert!(signed.status.success(), "{}", text(&signed));
    assert!(
        text(&signed).contains("Die PIN gilt nicht mehr"),
        "{signed:?}"
    );
    let decisions = text(&home.run(&["show", "g", "--decisions"]));
    assert!(decisions.contains("Neue PIN: Schwarz"), "{decisions}");
    assert!(decisions.contains("Die PIN gilt nicht mehr"), "{decisions}");
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

/// Nobody reads what is private to a player, and nobody resigns or signs for him while his console
/// has gone.
#[test]
fn in_a_rated_game_every_seat_needs_a_pin() {
    let home = Home::new();
    let rated = [
        "play", "--text", "--name", "g", "--mode", "rated", "--blind", "white",
    ];
    let game = home.start(&[&rated[..], &["--terminal", "shared", "--arbiter"]].concat());
    game.wait_for("Hilfe sagt", 1);
    let is_asked = |answer: &Answer, why| match answer {
        Answer::Refused(fault) => (fault.part, fault.reason) == (Part::Pin, why),
        _ => false,
    };
    let of = |side| (Person::Player(side), Person::Assistant(side));
    let (white, assistant) = of(Color::White);
    let (black, other_assistant) = of(Color::Black);
    for person in [white, black, assistant, other_assistant, Person::Arbiter] {
        let (unknown, _) = greet(&home, person, "");
        assert!(
            is_asked(&unknown, Reason::NotChosen),
            "{person}: {unknown:?}"
        );
        // He sits down and makes a PIN, and his console goes.
        let (welcome, lines) = greet(&home, person, PIN);
        assert!(
            matches!(welcome, Answer::Welcome { .. }),
            "{person}: {welcome:?}"
        );
        drop(lines);
        for (pin, why) in [("", Reason::Missing), ("7306", Reason::Wrong)] {
            let (usurper, _) = greet(&home, person, pin);
            assert!(is_asked(&usurper, why), "{person}: {usurper:?}");
        }
        let (again, _) = greet(&home, person, PIN);
        assert!(
            matches!(again, Answer::Welcome { .. }),
            "{person}: {again:?}"
        );
    }
    game.wait_for("Neue PIN", 5);
    game.kill();
    // Nor does he who goes on with the game sit down at a seat whose PIN he does not have.
    let wrong = home.pin_file("7306");
    let before = recorded(&home).0;
    for terminal in ["white", "black", "arbiter", "assistant-black"] {
        let resume = ["resume", "g", "--text", "--terminal", terminal];
        let usurped = home.run(&[&resume[..], &["--pin-file", &wrong]].concat());
        assert_eq!(
            usurped.status.code(),
            Some(1),
            "{terminal}: {}",
            text(&usurped)
        );
        assert!(
            text(&usurped).contains("Die PIN ist falsch"),
            "{}",
            text(&usurped)
        );
    }
    assert_eq!(recorded(&home).0, before + 4);
    // Where both players sit each has a line.
    let right = home.pin_file(PIN);
    fs::write(&right, format!("{PIN}\n{PIN}\n")).unwrap();
    let resume = ["resume", "g", "--text", "--terminal", "shared"];
    let game = home.start(&[&resume[..], &["--pin-file", &right]].concat());
    game.wait_for("Die Partie geht weiter", 1);
    let (usurper, _) = greet(&home, black, "");
    assert!(is_asked(&usurper, Reason::Missing), "{usurper:?}");
    game.leave();
}

#[test]
fn in_a_club_game_a_player_sits_down_without_a_pin_and_nobody_else_does_then() {
    let home = Home::new();
    let game = club(&home);
    let opponent = home.start(&role("opponent"));
    opponent.wait_for("Das ist die Konsole", 1);
    let (status, _) = home.start(&role("opponent")).ended();
    assert_eq!(status, Some(1));
    game.leave();
}
