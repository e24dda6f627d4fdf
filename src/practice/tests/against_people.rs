//! Whole typed games with people elsewhere, over a server on this computer that is lost, late,
//! busy, confused and gone.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, starts the program, and is its server"
)]

mod common;
#[path = "against_people/server.rs"]
mod server;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use common::{Home, Talk};
use server::{Server, Stream};

const KEY: &str = "lip_ThisIsNoRealKey";
const GAME: &str = "GET /api/board/game/stream/abcd1234";

/// A game that was found, and its stream.
struct Played {
    home: Home,
    server: Server,
    talk: Talk,
    stream: Stream,
}

fn at_home() -> Home {
    let home = Home::new();
    let folder = home.path("config/annexd");
    std::fs::create_dir(&folder).unwrap();
    let key = folder.join("lichess-key");
    std::fs::write(&key, format!("{KEY}\n")).unwrap();
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    home
}

fn begin(home: &Home, server: &Server, more: &[&str]) -> Talk {
    let usual = ["practice", "lichess", "--text", "--name", "uebung"];
    let mut command = home.command(&[&usual[..], more].concat());
    command.env("ANNEXD_TEST_SERVER", &server.address);
    Talk::with(command)
}

/// The server accepts the key, and the player's events are read.
fn let_in(server: &Server, talk: &Talk) -> Stream {
    let call = server.call("GET /api/account");
    assert!(
        call.head
            .contains(&format!("authorization: bearer {}", KEY.to_lowercase()))
    );
    call.answers("200 OK", r#"{"id":"anna","username":"Anna"}"#);
    talk.wait_for("Verbunden als Anna.", 1);
    server.call("GET /api/stream/event").streams()
}

fn starts(side: &str) -> String {
    format!(
        r#"{{"type":"gameStart","game":{{"gameId":"abcd1234","color":"{side}","speed":"rapid",
        "compat":{{"bot":false,"board":true}}}}}}"#
    )
    .replace('\n', " ")
}

/// Returns the state of the game. `more` has further members.
fn state(moves: &str, more: &str) -> String {
    let comma = if more.is_empty() { "" } else { "," };
    format!(
        r#"{{"type":"gameState","moves":"{moves}","wtime":600000,"btime":540000,"winc":5000,
        "binc":5000,"status":"started"{comma}{more}}}"#
    )
    .replace('\n', " ")
}

/// Returns the whole of the game.
fn whole(moves: &str, more: &str) -> String {
    let state = state(moves, more);
    format!(
        r#"{{"type":"gameFull","id":"abcd1234","variant":{{"key":"standard"}},"speed":"rapid",
        "rated":false,"white":{{"id":"anna","name":"Anna"}},"black":{{"id":"bert","name":"Bert"}},
        "initialFen":"startpos","clock":{{"initial":600000,"increment":5000}},"state":{state}}}"#
    )
    .replace('\n', " ")
}

/// A search that finds a game at once. Anna has White.
fn found() -> Played {
    found_with(at_home(), &[])
}

fn found_with(home: Home, more: &[&str]) -> Played {
    let server = Server::new();
    let seek = ["--seek", "--time", "10m+5s"];
    let talk = begin(&home, &server, &[&seek[..], more].concat());
    let mut events = let_in(&server, &talk);
    let seek = server.call("POST /api/board/seek");
    for part in ["rated=false", "time=10", "increment=5"] {
        assert!(seek.body.contains(part), "{}", seek.body);
    }
    let seek = seek.streams();
    talk.wait_for("Lichess sucht einen Gegner", 1);
    events.line("");
    events.line(&starts("white"));
    seek.ends();
    server.call(GAME).streams().line(&whole("", ""));
    talk.wait_for("Die Partie beginnt. Sie haben Weiß gegen Bert.", 1);
    let mut stream = server.call(GAME).streams();
    stream.line(&whole("", ""));
    talk.wait_for("Tisch: Die Partie beginnt.", 1);
    Played {
        home,
        server,
        talk,
        stream,
    }
}

impl Played {
    /// The player moves and presses, and the server is told.
    #[track_caller]
    fn moves(&mut self, typed: &str, heard: &str, uci: &str) {
        self.announces(typed, heard);
        self.server
            .call(&format!("POST /api/board/game/abcd1234/move/{uci}"))
            .succeeds();
    }

    #[track_caller]
    fn announces(&mut self, typed: &str, heard: &str) {
        let repeated = self.talk.count("Tisch: Richtig wiederholt.");
        self.talk.asks(typed, heard);
        self.talk
            .wait_for("Tisch: Richtig wiederholt.", repeated + 1);
        self.talk.asks("uhr", "Weiß privat: Gedrückt.");
    }

    /// The other player moves.
    #[track_caller]
    fn replies(&mut self, moves: &str, more: &str, heard: &str) {
        let times = self.talk.count(heard);
        let runs = self.talk.count("Ihre Uhr läuft");
        self.stream.line(&state(moves, more));
        self.talk.wait_for(heard, times + 1);
        self.talk.wait_for("Ihre Uhr läuft", runs + 1);
    }

    #[track_caller]
    fn first_moves(&mut self) {
        self.moves("e2e4", "Eva zwei Eva vier", "e2e4");
        self.stream.line(&state("e2e4", ""));
        self.replies("e2e4 e7e5", "", "Bauer Eva sieben Eva fünf");
        self.talk.asks("e7e5", "Tisch: Richtig wiederholt.");
    }
}

#[test]
fn a_whole_game_survives_whatever_the_server_does() {
    let mut game = found();
    game.first_moves();
    // The same line twice, a line of another kind, and half a line.
    game.stream.line(&state("e2e4 e7e5", ""));
    for nonsense in [
        "",
        "{",
        "null",
        "[1,2]",
        "{\"type\":\"gameState\"}",
        "{\"type\":7}",
        "\u{1}",
    ] {
        game.stream.line(nonsense);
    }
    game.stream.writes(b"\xff\xfe\n\n");
    game.moves("Lf1c4", "Läufer Felix eins Cesar vier", "f1c4");
    let line = state("e2e4 e7e5 f1c4 b8c6", "");
    let (half, rest) = line.split_at(40);
    game.stream.writes(half.as_bytes());
    game.stream.line(rest);
    game.talk.wait_for("Springer Bella acht Cesar sechs", 1);
    game.talk.asks("Sb8c6", "Tisch: Richtig wiederholt.");
    // The stream is cut, then refused, then empty, then back.
    game.stream.breaks_off();
    game.talk.wait_for(
        "Der Server antwortet nicht. Neuer Versuch in einer Sekunde.",
        1,
    );
    game.server.call(GAME).answers("502 Bad Gateway", "<html>");
    game.talk.wait_for("Neuer Versuch in zwei Sekunden.", 1);
    game.server.call(GAME).streams().ends();
    game.talk.wait_for("Neuer Versuch in vier Sekunden.", 1);
    game.stream = game.server.call(GAME).streams();
    game.stream.line(&whole("e2e4 e7e5 f1c4 b8c6", ""));
    game.talk.wait_for("Der Server ist wieder da.", 1);
    // The server is busy, then lost in the middle of a move that did arrive. It is not sent twice.
    let sends = "POST /api/board/game/abcd1234/move/d1h5";
    game.announces("Dd1h5", "Dame David eins Hector fünf");
    game.server
        .call(sends)
        .answers("429 Too Many Requests", "{}");
    game.talk.wait_for("Der Server bittet um eine Pause.", 1);
    game.server.call(sends).breaks_off();
    game.stream = game.server.call(GAME).streams();
    game.stream
        .line(&whole("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6", ""));
    game.talk.wait_for("Springer Gustav acht Felix sechs", 1);
    game.talk.asks("Sg8f6", "Tisch: Richtig wiederholt.");
    assert_eq!(game.server.waiting(sends), 0);
    game.moves("Dh5xf7", "Dame Hector fünf schlägt Felix sieben", "h5f7");
    let mate = state("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", r#""winner":"white""#);
    game.stream.line(&mate.replace("started", "mate"));
    game.talk.wait_for("Ende: 1-0", 1);
    game.stream.ends();
    let Played { home, talk, .. } = game;
    let lines = talk.leaves();
    assert!(!lines.iter().any(|line| line.contains(KEY)), "{lines:#?}");
    let pgn = home.score();
    for part in [
        "[Event \"Unrated game\"]",
        "[Site \"https://lichess.org/abcd1234\"]",
        "[White \"Anna\"]",
        "[Black \"Bert\"]",
        "[TimeControl \"600+5\"]",
        "2... Nc6 {[%clk 0:09:00]} 3. Qh5 {[%clk 0:10:00]}",
        "4. Qxf7# {[%clk 0:10:00]} 1-0",
    ] {
        let flowing = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flowing.contains(part), "{part}: {pgn}");
    }
    assert!(!pgn.contains("program"), "{pgn}");
    let record = std::fs::read(home.path("data/annexd/games/uebung.annexd")).unwrap();
    assert!(!String::from_utf8_lossy(&record).contains(KEY));
}

#[test]
fn a_move_that_the_server_refuses_is_undone_and_the_clock_goes_on() {
    let mut game = found();
    game.first_moves();
    game.announces("Lf1b6", "Läufer Felix eins Bella sechs");
    let sends = "POST /api/board/game/abcd1234/move/f1b6";
    game.server
        .call(sends)
        .answers("400 Bad Request", r#"{"error":"No such move"}"#);
    // Only the whole of the game shows whether it came twice.
    game.stream = game.server.call(GAME).streams();
    game.stream.line(&whole("e2e4 e7e5", ""));
    game.talk
        .wait_for("Der Server nimmt Ihren Zug nicht an.", 1);
    game.talk.wait_for("Tisch: Es geht weiter.", 1);
    game.moves("Lf1c4", "Läufer Felix eins Cesar vier", "f1c4");
    game.talk.leaves();
}

#[test]
fn offers_takebacks_and_an_absent_opponent_are_told_and_answered() {
    let mut game = found();
    game.first_moves();
    game.stream.line(&state("e2e4 e7e5", r#""bdraw":true"#));
    game.talk.wait_for("Tisch: Schwarz bietet Remis an.", 1);
    game.talk.asks("abgelehnt", "Tisch: Weiß lehnt ab.");
    game.server
        .call("POST /api/board/game/abcd1234/draw/no")
        .succeeds();
    game.stream.line(&state("e2e4 e7e5", ""));
    game.stream.line(&state("e2e4 e7e5", r#""btakeback":true"#));
    game.talk
        .wait_for("Ihr Gegner will seinen Zug zurücknehmen.", 1);
    game.talk.asks("ja", "Gesendet.");
    game.server
        .call("POST /api/board/game/abcd1234/takeback/yes")
        .succeeds();
    game.stream.line(&state("e2e4", ""));
    game.talk
        .wait_for("Die Stellung nach dem ersten Halbzug gilt.", 1);
    game.talk.wait_for("Tisch: Es geht weiter.", 1);
    game.replies("e2e4 c7c5", "", "Bauer Cesar sieben Cesar fünf");
    game.talk.asks("c7c5", "Tisch: Richtig wiederholt.");
    game.talk.asks("zurücknehmen", "Ihr Gegner ist gefragt");
    game.server
        .call("POST /api/board/game/abcd1234/takeback/yes")
        .succeeds();
    game.stream.line(&state("e2e4 c7c5", r#""wtakeback":true"#));
    game.stream.line(&state("e2e4 c7c5", ""));
    game.talk
        .wait_for("Ihr Gegner lässt Sie nicht zurücknehmen.", 1);
    // His messages are read out only if that was asked for.
    game.stream
        .line(r#"{"type":"chatLine","room":"player","username":"Bert","text":"hello"}"#);
    game.stream
        .line(r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":30}"#);
    game.talk
        .wait_for("In dreißig Sekunden können Sie den Sieg verlangen.", 1);
    game.stream.line(r#"{"type":"opponentGone","gone":false}"#);
    game.talk.wait_for("Ihr Gegner ist wieder da.", 1);
    game.stream
        .line(r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":0}"#);
    game.talk
        .wait_for("Ihr Gegner ist fort. Den Sieg verlangen?", 1);
    game.talk.asks("ja", "Gesendet.");
    game.server
        .call("POST /api/board/game/abcd1234/claim-victory")
        .succeeds();
    let left = state("e2e4 c7c5", r#""winner":"white""#).replace("started", "timeout");
    game.stream.line(&left);
    game.talk.wait_for("Schwarz hat die Partie verlassen.", 1);
    game.talk.wait_for("Ende: 1-0", 1);
    let lines = game.talk.leaves();
    assert!(
        !lines.iter().any(|line| line.contains("hello")),
        "{lines:#?}"
    );
}

#[test]
fn an_own_move_goes_back_at_once_and_what_is_not_the_game_is_told() {
    let mut game = found();
    game.first_moves();
    game.moves("Lf1c4", "Läufer Felix eins Cesar vier", "f1c4");
    game.stream.line(&state("e2e4 e7e5 f1c4", ""));
    game.talk.asks("zurücknehmen", "Ihr Gegner ist gefragt");
    let takes_back = "POST /api/board/game/abcd1234/takeback/yes";
    game.server.call(takes_back).succeeds();
    let wanted = state("e2e4 e7e5 f1c4", r#""wtakeback":true"#);
    game.stream.line(&wanted);
    game.stream.line(&state("e2e4 e7e5", ""));
    game.talk
        .wait_for("Die Stellung nach zwei Halbzügen gilt.", 1);
    game.talk.wait_for("Tisch: Es geht weiter.", 1);
    // A page of a network in between is no answer to a move.
    game.announces("Sg1f3", "Springer Gustav eins Felix drei");
    let sends = "POST /api/board/game/abcd1234/move/g1f3";
    game.server.call(sends).answers("200 OK", "<html>");
    game.talk.wait_for("Der Server antwortet nicht.", 1);
    game.server
        .call(GAME)
        .answers("404 Not Found", r#"{"error":"Not found."}"#);
    game.talk
        .wait_for("Der Server antwortet, aber nicht mit dieser Partie.", 1);
    game.stream = game.server.call(GAME).streams();
    game.stream.line(&whole("e2e4 e7e5", ""));
    game.talk.wait_for("Der Server ist wieder da.", 1);
    game.server.call(sends).succeeds();
    game.talk.leaves();
}

#[test]
fn what_cannot_be_taken_back_is_asked_first_and_the_server_decides() {
    let mut game = found();
    game.talk
        .asks("aufgabe", "Die Partie abbrechen? Sie zählt dann nicht.");
    game.talk.asks("nein", "Gut, dann nicht.");
    game.first_moves();
    game.talk.asks("aufgabe", "Wirklich aufgeben?");
    game.talk.asks("ja", "Gesendet.");
    // It is sent until it arrives.
    let sends = "POST /api/board/game/abcd1234/resign";
    game.server.call(sends).breaks_off();
    game.talk.wait_for("Der Server antwortet nicht.", 1);
    game.server.call(sends).succeeds();
    let over = state("e2e4 e7e5", r#""winner":"black""#).replace("started", "resign");
    game.stream.line(&over);
    game.talk.wait_for("Ende: 0-1", 1);
    game.talk.leaves();
}

#[test]
fn a_game_goes_on_after_the_program_was_gone() {
    // The key is in another file, and is found again.
    let home = at_home();
    let key = home.path("key");
    std::fs::rename(home.path("config/annexd/lichess-key"), &key).unwrap();
    let mut game = found_with(home, &["--key-file", key.to_str().unwrap()]);
    game.first_moves();
    let Played {
        home, server, talk, ..
    } = game;
    talk.leaves();
    let mut command = home.command(&["resume", "--text"]);
    command.env("ANNEXD_TEST_SERVER", &server.address);
    let talk = Talk::with(command);
    let mut stream = server.call(GAME).streams();
    stream.line(&whole("e2e4 e7e5", ""));
    talk.wait_for("Die Partie geht weiter.", 1);
    let mut game = Played {
        home,
        server,
        talk,
        stream,
    };
    game.moves("Lf1c4", "Läufer Felix eins Cesar vier", "f1c4");
    game.replies(
        "e2e4 e7e5 f1c4 g8f6",
        "",
        "Springer Gustav acht Felix sechs",
    );
    game.talk.leaves();
}

#[test]
fn a_challenge_is_put_to_the_player_and_he_has_the_colour_of_it() {
    let (home, server) = (at_home(), Server::new());
    let mut talk = begin(&home, &server, &[]);
    let mut events = let_in(&server, &talk);
    talk.wait_for("Warten auf eine Herausforderung.", 1);
    let challenge = |id: &str, variant: &str| {
        format!(
            r#"{{"type":"challenge","challenge":{{"id":"{id}","challenger":{{"id":"bert","name":
            "Bert"}},"variant":{{"key":"{variant}"}},"rated":false,"speed":"rapid","timeControl":
            {{"type":"clock","limit":600,"increment":5}}}},"compat":{{"board":true}}}}"#
        )
        .replace('\n', " ")
    };
    events.line(&challenge("atomic01", "atomic"));
    talk.wait_for(
        "Bert schlägt eine Partie vor, die hier nicht gespielt werden kann.",
        1,
    );
    events.line(&challenge("first001", "standard"));
    events.line(&challenge("first001", "standard"));
    talk.wait_for("Bert fordert Sie heraus", 1);
    talk.asks("nein", "Warten auf eine Herausforderung.");
    server
        .call("POST /api/challenge/first001/decline")
        .succeeds();
    events.breaks_off();
    talk.wait_for("Der Server antwortet nicht.", 1);
    let mut events = server.call("GET /api/stream/event").streams();
    talk.wait_for("Der Server ist wieder da.", 1);
    events.line(&challenge("abcd1234", "standard"));
    talk.wait_for("Bert fordert Sie heraus", 2);
    talk.asks("ja", "Angenommen.");
    server
        .call("POST /api/challenge/abcd1234/accept")
        .succeeds();
    events.line(&starts("black"));
    server.call(GAME).streams().line(&whole("", ""));
    talk.wait_for("Die Partie beginnt. Sie haben Schwarz gegen Anna.", 1);
    let mut stream = server.call(GAME).streams();
    stream.line(&whole("", ""));
    talk.wait_for("Tisch: Die Partie beginnt.", 1);
    stream.line(&state("e2e4", ""));
    talk.wait_for("Bauer Eva zwei Eva vier", 1);
    talk.asks("e2e4", "Tisch: Richtig wiederholt.");
    talk.leaves();
}

#[test]
fn a_friend_who_declines_can_be_challenged_again() {
    let (home, server) = (at_home(), Server::new());
    let mut talk = begin(
        &home,
        &server,
        &["--challenge", "bert", "--colour", "white"],
    );
    let mut events = let_in(&server, &talk);
    let call = server.call("POST /api/challenge/bert");
    for part in [
        "rated=false",
        "clock.limit=900",
        "clock.increment=10",
        "color=white",
    ] {
        assert!(call.body.contains(part), "{}", call.body);
    }
    let mut open = call.streams();
    talk.wait_for("bert ist herausgefordert", 1);
    events.line(
        r#"{"type":"challengeDeclined","challenge":{"id":"abcd1234","destUser":{"id":"bert"}}}"#,
    );
    open.line(r#"{"done":"declined"}"#);
    open.ends();
    talk.wait_for("bert lehnt ab.", 1);
    talk.asks("ja", "bert ist herausgefordert");
    server
        .call("POST /api/challenge/bert")
        .answers("400 Bad Request", r#"{"error":"Not now"}"#);
    talk.wait_for("Der Server lehnt ab: Not now.", 1);
    talk.types("nein");
    assert!(!home.path("data/annexd/games/uebung.annexd").exists());
    talk.leaves();
}

#[test]
fn a_key_that_is_not_taken_missing_or_open_is_told_with_what_to_do() {
    let (home, server) = (at_home(), Server::new());
    let run = |home: &Home, more: &[&str]| {
        let mut command = home.command(&[&["practice", "lichess", "--text"], more].concat());
        command.env("ANNEXD_TEST_SERVER", &server.address);
        let child = command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn();
        child.unwrap()
    };
    let errors = |child: std::process::Child| {
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains(KEY), "{errors}");
        (output.status.code(), errors)
    };
    let mut child = run(&home, &["--seek"]);
    let typed = child.stdin.take();
    server
        .call("GET /api/account")
        .answers("401 Unauthorized", "{}");
    let (code, told) = errors(child);
    drop(typed);
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("nimmt den Zugangsschlüssel nicht an"),
        "{told}"
    );
    let key = home.path("config/annexd/lichess-key");
    std::fs::set_permissions(&key, Permissions::from_mode(0o644)).unwrap();
    let (code, told) = errors(run(&home, &[]));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("chmod 600"), "{told}");
    let (code, told) = errors(run(&Home::new(), &[]));
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("lichess.org"), "{told}");
    let (code, told) = errors(run(&home, &["--seek", "--time", "3m+2s"]));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("15m+10s"), "{told}");
    let output = {
        let mut command = home.command(&["practice", "lichess", "--text"]);
        command.env("ANNEXD_TEST_SERVER", "http://example.org:80");
        std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
        command.stdin(std::process::Stdio::null()).output().unwrap()
    };
    assert!(!output.status.success());
}
