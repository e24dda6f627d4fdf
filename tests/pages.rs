//! Pages: a game is played over HTTP as over consoles, nobody's page has what is private to
//! another, and whoever floods, forges or guesses harms no game.
#![cfg(all(feature = "page", target_os = "linux"))]

use crate::common;

use std::io::Write as _;
use std::net::TcpStream;
use std::thread;

use annexd::journal::{Body, SeatEvent};
use annexd::persons::Person;
use annexd::shell::record::store;
use common::served::{Page, Pages};
use common::{Home, file, text};

const PIN: &str = "7305";

#[test]
fn a_game_is_played_on_pages_as_at_consoles() {
    let home = Home::new();
    let (mut game, served) = Pages::start(&home, PIN, &[]);
    let black = served.page("black", "", "");
    let arbiter = served.page("arbiter", PIN, "");
    let assistant = served.page("assistant-white", "4711", "4711");
    // What people have written is text wherever it stands.
    assert!(
        black.html.contains("Anna &lt;b&gt;&amp;amp;"),
        "{}",
        black.html
    );
    assert!(!black.html.contains("<b>&"), "{}", black.html);
    assert!(black.html.len() < 50_000, "{}", black.html.len());
    arbiter.press("start");
    black.wait_for("Die Partie beginnt.");
    let changes = black.live();
    game.types("weiß: Sg1f3");
    let seen = changes.into_iter().find(|line| line.contains("Sg1–f3"));
    assert!(seen.unwrap().contains("Springer Gustav eins Felix drei"));
    assistant.wait_for("Wurde die Ansage von Weiß richtig verstanden?");
    assistant.press("bestätigt");
    // Without the script a move is two loads of the page.
    let second = served_with(&black, "?board=board-black&from=g1");
    assert!(second.contains("value=\"Sg1f3\""), "{second}");
    black.press("Sg1f3");
    black.wait_for("Richtig wiederholt.");
    game.types("weiß: uhr");
    assistant.press("executed");
    assistant.wait_for("Ausgeführt auf dem Brett von Schwarz.");
    // A pawn that goes as none may: nobody is told but the arbiter, and only after the press.
    black.press("Be7e4");
    black.wait_for("Bauer Eva sieben Eva vier");
    let before = arbiter.load();
    assert!(!before.contains("Regelwidriger Zug von"), "{before}");
    black.press("uhr");
    arbiter.wait_for("Regelwidriger Zug von Schwarz.");
    for page in [&black, &assistant] {
        let html = page.load();
        assert!(!html.contains("Regelwidriger Zug von Schwarz"), "{html}");
    }
    // The same press twice is one.
    for _ in 0..2 {
        let answer = arbiter.press_as("k", "accept 1");
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    }
    arbiter.wait_for("Die Uhren stehen.");
    assert!(!arbiter.load().contains("Einen Vorschlag 1 gibt es nicht"));
    game.leave();
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert!(record.contains("\"confirm_announcement\""), "{record}");
    assert!(record.contains("\"accept\":{\"proposal\":1}"), "{record}");
}

/// A page with a question in its address.
fn served_with(page: &Page<'_>, asked: &str) -> String {
    let what = format!("GET /{}{asked}", page.role);
    page.served.ask(&what, &page.cookie, "")
}

#[test]
fn what_no_page_has_sent_is_refused() {
    let home = Home::new();
    let (game, served) = Pages::start(&home, PIN, &[]);
    let black = served.page("black", "", "");
    let form = format!("form={}&once=1&line=aufgabe", black.form);
    let refused = |what: &str, headers: &str, body: &str| {
        let answer = served.ask(what, headers, body);
        let status = answer.split(' ').nth(1).unwrap_or_default().to_owned();
        assert!(answer.contains("default-src 'none'"), "{answer}");
        status
    };
    let cookie = &black.cookie;
    // Another site, another name that leads here, no token, a foreign one, no cookie.
    let foreign = format!("{cookie}origin: http://evil.example\r\n");
    assert_eq!(refused("POST /black/do", &foreign, &form), "403");
    let other = format!("{cookie}host: evil.example:80\r\n");
    assert_eq!(refused("POST /black/do", &other, &form), "403");
    assert_eq!(refused("GET /black", &other, ""), "403");
    assert_eq!(
        refused("POST /black/do", cookie, "once=1&line=aufgabe"),
        "403"
    );
    assert_eq!(
        refused("POST /black/do", cookie, "form=0123&line=aufgabe"),
        "403"
    );
    assert_eq!(refused("POST /black/do", "", &form), "303");
    // One role's cookie opens no other page, and an answer for another is none.
    assert_eq!(refused("GET /arbiter", cookie, ""), "303");
    assert_eq!(refused("POST /arbiter/do", cookie, &form), "303");
    assert_eq!(refused("GET /nobody", cookie, ""), "404");
    // What is too long is not taken, and the page stays as good as it was.
    let long = format!("{form}{}", "x".repeat(200_000));
    let by_script = format!("{cookie}x-annexd: 1\r\n");
    assert_eq!(refused("POST /black/do", &by_script, &long), "409");
    // A page names no file of this computer; a console may.
    black.press("blatt schwarz /etc/passwd");
    let html = black.wait_for("Das Formular");
    assert!(!html.contains("root"), "{html}");
    assert!(!black.load().contains("Wirklich aufgeben"), "{html}");
    // Whoever sits there is not pushed away.
    let taken = served.enter("black", &served.code, "", "");
    assert!(taken.contains("ist schon vergeben"), "{taken}");
    game.leave();
}

#[test]
fn codes_and_pins_are_not_guessed() {
    let home = Home::new();
    let (game, served) = Pages::start(&home, PIN, &[]);
    let wrong = if served.code == "000000" {
        "000001"
    } else {
        "000000"
    };
    let refused = served.enter("black", wrong, "", "");
    assert!(
        refused.contains("nicht der Code dieses Tisches"),
        "{refused}"
    );
    let told = |pin: &str| served.enter("arbiter", &served.code, pin, "");
    // They are tried at the seats, as from a console: more of them wait for their turn.
    for wrong in ["8251", "8252"] {
        let refused = told(wrong);
        assert!(refused.contains("Die PIN ist falsch"), "{refused}");
    }
    let differ = served.enter("assistant-white", &served.code, "4711", "4712");
    assert!(differ.starts_with("HTTP/1.1 403"), "{differ}");
    game.wait_for("Falsche PIN", 1);
    // So do codes. Of those from one place one waits; all the others are refused without a look.
    let is_refused = || {
        thread::scope(|scope| {
            let codes = (0..60).map(|_| scope.spawn(|| served.enter("black", wrong, "", "")));
            let codes: Vec<_> = codes.collect();
            let mut answers = codes.into_iter().map(|code| code.join().unwrap());
            answers.any(|answer| answer.contains("Zu viele falsche Codes") || is_crowd(&answer))
        })
    };
    // A busy machine may let them come one by one.
    assert!((0..10).any(|_| is_refused()));
    game.wait_for("Falscher Code der Seiten", 2);
    // Whoever has the right one comes in all the same, and so does whoever has no place by a PIN.
    served.page("black", "", "");
    game.leave();
    let entries = store::read(&home.game("g")).unwrap().entries;
    let tried = entries.iter().filter_map(|entry| match entry.body {
        Body::Seat {
            event: SeatEvent::WrongPins { tried, .. },
            ..
        } => Some(tried),
        _ => None,
    });
    assert_eq!(tried.sum::<u64>(), 2);
}

/// Whether somebody was sent away because too many of his place were coming in.
fn is_crowd(answer: &str) -> bool {
    answer.contains("Es kommen gerade zu viele herein")
}

#[test]
fn whoever_floods_stalls_or_says_nothing_harms_no_page() {
    let home = Home::new();
    let (mut game, served) = Pages::start(&home, PIN, &[]);
    let arbiter = served.page("arbiter", PIN, "");
    // Those that say nothing, those that stop in the middle, and those that never read.
    let mut strangers: Vec<TcpStream> = Vec::new();
    for number in 0..500 {
        let mut stream = served.connect();
        let begun = match number % 3 {
            0 => "",
            1 => "POST /enter HTTP/1.1\r\ncontent-length: 90000\r\n\r\nrole=",
            _ => "GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        };
        let _ = stream.write_all(begun.as_bytes());
        strangers.push(stream);
    }
    let silent: Vec<_> = (0..8).map(|_| arbiter.live()).collect();
    arbiter.press("start");
    arbiter.wait_for("Die Partie beginnt.");
    game.types("weiß: Be2e4");
    game.wait_for("Eva zwei Eva vier", 1);
    arbiter.wait_for("e2–e4");
    // Nobody types without end at a seat, not over pages either.
    let answers: Vec<String> = (0..250)
        .map(|it| arbiter.press_as(&it.to_string(), &format!("stand {it}")))
        .collect();
    let busy = answers.iter().filter(|it| it.contains("note=Das"));
    assert!(busy.count() > 0);
    drop((strangers, silent));
    game.leave();
}

#[test]
fn a_rated_game_shows_its_pages_to_this_computer_alone() {
    let home = Home::new();
    let (game, served) = Pages::start(&home, PIN, &["--mode", "rated", "--terminal", "shared"]);
    let arbiter = served.page("arbiter", PIN, "");
    arbiter.press("approve Frau Holm, ohne Netz");
    arbiter.press("start");
    arbiter.wait_for("Die Partie beginnt.");
    let told = arbiter.load();
    assert!(!told.contains("Netzverbindung"), "{told}");
    let host = served.host.clone();
    game.leave();
    let entries = store::read(&home.game("g")).unwrap().entries;
    let reach = entries.iter().find_map(|entry| match &entry.body {
        Body::Reach(reach) => Some(reach.clone()),
        _ => None,
    });
    assert_eq!(reach.unwrap().pages, Some(host));
    let elsewhere = [
        "play",
        "--text",
        "--name",
        "n",
        "--mode",
        "rated",
        "--page",
        "192.0.2.7",
    ];
    let refused = home.run(&elsewhere);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused).contains("nennt 192.0.2.7 nicht"),
        "{}",
        text(&refused)
    );
    assert!(!home.game("n").exists());
}

/// Whoever makes a PIN for a seat is let in there. Where somebody sits that would be theft.
#[test]
fn no_pin_is_made_for_a_seat_where_somebody_sits() {
    for (terminal, role) in [("white", "white"), ("assistant-white", "assistant-white")] {
        let home = Home::new();
        let more = ["--mode", "rated", "--terminal", terminal];
        let (game, served) = Pages::start(&home, PIN, &more);
        for pin in ["", "thief-pin-1"] {
            let refused = served.enter(role, &served.code, pin, pin);
            assert!(refused.contains("ist schon vergeben"), "{refused}");
        }
        let (who, side) = match role {
            "white" => ("player", "white"),
            _ => ("assistant", "white"),
        };
        let thief = ["console", "--game", "g", "--role", who, "--side", side];
        let pin = home.pin_file("thief-pin-1");
        let console = home.run(&[&thief[..], &["--pin-file", &pin]].concat());
        assert!(text(&console).contains("ist schon vergeben"), "{console:?}");
        game.leave();
        let entries = store::read(&home.game("g")).unwrap().entries;
        let made = entries.iter().filter_map(|entry| match entry.body {
            Body::Seat {
                person,
                event: SeatEvent::PinMade(_),
            } => Some(person),
            _ => None,
        });
        assert!(made.eq([Person::Arbiter]));
    }
    // At a console or a page without a PIN somebody sits no less.
    let home = Home::new();
    let (game, served) = Pages::start(&home, PIN, &[]);
    let console = home.start(&["console", "--game", "g", "--role", "opponent"]);
    console.wait_for("Das ist die Konsole", 1);
    let refused = served.enter("black", &served.code, "4711x", "");
    assert!(refused.contains("ist schon vergeben"), "{refused}");
    console.leave();
    let page = served.page("black", "", "");
    let refused = served.enter("black", &served.code, "4711x", "");
    assert!(refused.contains("ist schon vergeben"), "{refused}");
    drop(page);
    game.leave();
}

#[test]
fn an_audience_looks_on_if_the_arbiter_allows_it_and_says_nothing() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    let settings = "[page]\naudience_after_minutes = 0\n";
    file(&home, "config/annexd/settings.toml", settings);
    let (mut game, served) = Pages::start(&home, PIN, &[]);
    let refused = served.enter("audience", &served.code, "", "");
    assert!(refused.contains("gibt es keine Seite"), "{refused}");
    let arbiter = served.page("arbiter", PIN, "");
    arbiter.press("approve Frau Holm, ohne Netz, Zuschauer");
    arbiter.press("start");
    arbiter.wait_for("Die Partie beginnt.");
    let audience = served.page("audience", "", "");
    game.types("weiß: Sg1f3");
    audience.wait_for("Springer Gustav eins Felix drei");
    // He has no line to type, and none that is sent all the same is taken.
    assert!(
        !audience.html.contains("name=\"line\""),
        "{}",
        audience.html
    );
    let answer = audience.press_as("1", "aufgabe");
    assert!(answer.contains("note=F"), "{answer}");
    assert!(!arbiter.load().contains("aufgabe"));
    game.leave();
}
