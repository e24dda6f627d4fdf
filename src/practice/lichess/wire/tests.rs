//! Lines as the server documents them, and lines that no server should write.

use super::*;

fn line(text: &str) -> Event {
    read(&text.replace('\n', " "))
}

#[test]
fn what_happens_to_a_player_is_understood() {
    let game = r#"{"type":"gameStart","game":{"fullId":"abcd1234wxyz","gameId":"abcd1234",
        "color":"black","speed":"rapid","compat":{"bot":false,"board":true}}}"#;
    let going = Going {
        id: "abcd1234".to_owned(),
        side: Color::Black,
        is_for_boards: true,
    };
    assert_eq!(line(game), Event::GameGoesOn(going.clone()));
    for slow in [
        game.replace("rapid", "correspondence"),
        game.replace("true", "false"),
    ] {
        let is_for_boards = false;
        let going = Going {
            is_for_boards,
            ..going.clone()
        };
        assert_eq!(line(&slow), Event::GameGoesOn(going));
    }
    let challenge = r#"{"type":"challenge","challenge":{"id":"abcd1234","challenger":{"id":"bert",
        "name":"Bert"},"variant":{"key":"standard"},"rated":true,"speed":"rapid","timeControl":
        {"type":"clock","limit":600,"increment":5}},"compat":{"bot":false,"board":true}}"#;
    let Event::Challenge(read) = line(challenge) else {
        panic!("{:?}", line(challenge));
    };
    assert!(read.is_playable && read.is_rated);
    let seconds = Duration::from_secs;
    assert_eq!(read.clock, Some((seconds(600), seconds(5))));
    for other in [
        challenge.replace("standard", "atomic"),
        challenge.replace("\"board\":true", "\"board\":false"),
        challenge.replace(
            "\"type\":\"clock\",\"limit\":600,",
            "\"type\":\"unlimited\",",
        ),
    ] {
        assert!(
            matches!(line(&other), Event::Challenge(it) if !it.is_playable),
            "{other}"
        );
    }
    let gone = |kind: &str| {
        line(&format!(
            r#"{{"type":"{kind}","challenge":{{"id":"abcd1234","destUser":{{"id":"bert"}}}}}}"#
        ))
    };
    assert_eq!(
        gone("challengeCanceled"),
        Event::Withdrawn("abcd1234".to_owned())
    );
    assert_eq!(
        gone("challengeDeclined"),
        Event::Declined("bert".to_owned())
    );
    assert_eq!(line(r#"{"type":"gameFinish","game":{}}"#), Event::Talk);
    assert_eq!(line(r#"{"done":"accepted"}"#), Event::Talk);
}

#[test]
fn who_has_no_name_is_called_something() {
    let names = |white: &str, black: &str| {
        let read = line(&format!(
            r#"{{"type":"gameFull","white":{white},"black":{black},"state":
            {{"moves":"","wtime":1,"btime":1,"status":"started"}}}}"#
        ));
        match read {
            Event::Whole(whole) => (whole.names.white.clone(), whole.names.black.clone()),
            other => panic!("{other:?}"),
        }
    };
    let (white, black) = names(r#"{"aiLevel":3}"#, r#"{"id":null,"name":null}"#);
    assert_eq!(
        (white.as_str(), black.as_str()),
        ("Stockfish 3", "Anonymous")
    );
    let (white, black) = names(r#"{"name":"Anna","aiLevel":1}"#, "7");
    assert_eq!((white.as_str(), black.as_str()), ("Anna", "Anonymous"));
}

#[test]
fn a_page_on_the_way_is_no_answer() {
    for body in ["", "<html>", "null", "[1]", "\"ok\"", "{\"id\":\"a"] {
        assert!(!is_answer(body), "{body}");
    }
    assert!(is_answer(r#"{"ok":true}"#));
}

#[test]
fn what_happens_in_a_game_is_understood() {
    let state = r#"{"type":"gameState","moves":"e2e4 e7e5","wtime":7598040,"btime":-5,"winc":0,
        "binc":0,"status":"started","wdraw":true,"btakeback":true,
        "expiration":{"idleMillis":1500,"millisToMove":20000}}"#;
    let Event::State(read) = line(state) else {
        panic!("{:?}", line(state));
    };
    assert_eq!(read.moves, ["e2e4", "e7e5"]);
    assert_eq!(read.left.white, Duration::from_millis(7_598_040));
    assert_eq!(read.left.black, Duration::ZERO);
    assert!(read.offers_draw.white && !read.offers_draw.black);
    assert!(!read.wants_back.white && read.wants_back.black);
    assert_eq!(read.first_move_in, Some(18));
    let whole = format!(
        r#"{{"type":"gameFull","id":"abcd1234","variant":{{"key":"standard"}},"white":{{"id":"anna",
        "name":"Anna"}},"black":{{"id":null,"aiLevel":1}},"initialFen":"startpos","clock":
        {{"initial":900000,"increment":10000}},"state":{state}}}"#
    );
    let Event::Whole(read) = line(&whole) else {
        panic!("{:?}", line(&whole));
    };
    assert_eq!(
        (read.names.white.as_str(), read.names.black.as_str()),
        ("Anna", "Stockfish 1")
    );
    assert!(read.is_usual_chess && read.start.is_none() && read.clock.is_some());
    let gone = r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":8}"#;
    let seconds = Some(8);
    assert_eq!(
        line(gone),
        Event::Gone {
            is_gone: true,
            seconds
        }
    );
    let writes = r#"{"type":"chatLine","room":"player","username":"Bert","text":"a\u0007\nb"}"#;
    let (by, text) = ("Bert".to_owned(), "ab".to_owned());
    assert_eq!(line(writes), Event::Writes { by, text });
    assert_eq!(line(&writes.replace("player", "spectator")), Event::Talk);
}

#[test]
fn nonsense_is_nonsense_and_harms_nobody() {
    for text in [
        "{",
        "null",
        "[]",
        "7",
        "\"type\"",
        "\u{fffd}\u{0}",
        r#"{"type":"gameState"}"#,
        r#"{"type":"gameState","moves":"e2e4; rm","wtime":1,"btime":1,"status":"started"}"#,
        r#"{"type":"gameState","moves":"e2e4e5","wtime":1,"btime":1,"status":"started"}"#,
        r#"{"type":"gameState","moves":"","wtime":"1","btime":1,"status":"started"}"#,
        r#"{"type":"gameStart","game":{"gameId":"../../x","color":"white"}}"#,
        r#"{"type":"gameStart","game":{"gameId":"abcd1234"}}"#,
        r#"{"type":"challenge"}"#,
        r#"{"type":"opponentGone","gone":1}"#,
    ] {
        assert_eq!(read(text), Event::Nonsense, "{text}");
    }
    let deep = "[".repeat(60_000);
    assert_eq!(read(&deep), Event::Nonsense);
    assert_eq!(read(r#"{"type":"whatever"}"#), Event::Talk);
}

#[test]
fn requests_lead_where_they_are_documented() {
    let game = || "abcd1234".to_owned();
    let moves = |offers_draw| Request::Move {
        game: game(),
        uci: "e7e8q".to_owned(),
        offers_draw,
    };
    for (request, path) in [
        (moves(false), "/api/board/game/abcd1234/move/e7e8q"),
        (
            moves(true),
            "/api/board/game/abcd1234/move/e7e8q?offeringDraw=true",
        ),
        (
            Request::Draw(game(), false),
            "/api/board/game/abcd1234/draw/no",
        ),
        (
            Request::TakeBack(game(), true),
            "/api/board/game/abcd1234/takeback/yes",
        ),
        (
            Request::ClaimVictory(game()),
            "/api/board/game/abcd1234/claim-victory",
        ),
        (
            Request::AcceptChallenge(game()),
            "/api/challenge/abcd1234/accept",
        ),
    ] {
        assert_eq!(request.path(), path);
        assert!(!request.is_question());
    }
    assert!(Request::Game(game()).is_question() && Request::Account.is_question());
    for id in ["", "a/b", "a?b", "a b", "ä", &"a".repeat(41)] {
        assert!(!is_id(id), "{id}");
    }
    assert_eq!(reason(r#"{"error":"Not\nyour turn"}"#), "Notyour turn");
    assert_eq!(reason("<html>"), "");
}
