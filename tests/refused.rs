//! What of a score or a position is refused, and in which words.
#![cfg(unix)]

use crate::common;

use common::{Home, errors, file, printed};

#[test]
fn what_is_wrong_with_json_is_told_in_words_of_ours() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5 1-0\n");
    let json = printed(&home.run(&["score", "import", &sheet]));
    let half = &json[..json.len() / 2];
    for (text, languages) in [
        (
            half.to_owned(),
            [
                ("de", "bricht in Zeile 1, Spalte"),
                ("en", "breaks off in line 1"),
            ],
        ),
        (
            json.replacen(':', "", 1),
            [("de", "beschädigt"), ("da", "beskadiget")],
        ),
        (
            "{\"a\": 1}".to_owned(),
            [
                ("de", "kein Formular von annexd"),
                ("sv", "inget protokoll"),
            ],
        ),
        (
            json.replacen("notated", "note", 1),
            [
                ("de", "fehlt das Feld \"notated\""),
                ("sv", "saknas fältet \"notated\""),
            ],
        ),
        (
            json.replace("1-0", "2-0"),
            [("de", "ist falsch (not a result)"), ("da", "er forkert")],
        ),
    ] {
        let path = file(&home, "score.json", &text);
        for (language, told) in languages {
            let output = home.run(&["score", "show", &path, "--language", language]);
            assert_eq!(output.status.code(), Some(3), "{output:?}");
            assert!(
                errors(&output).contains(told),
                "{told}: {}",
                errors(&output)
            );
        }
    }
    let path = file(&home, "start.txt", "FEN: nonsense\n\n1. e4 e5\n");
    let output = home.run(&["score", "show", &path, "--language", "de"]);
    assert!(!errors(&output).contains("invalid"), "{output:?}");
    let path = file(&home, "score.json", &json);
    let sign = [
        "score",
        "sign",
        &path,
        "--language",
        "de",
        "--side",
        "purple",
    ];
    let output = home.run(&sign);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        errors(&output).contains("möglich sind: white, black"),
        "{output:?}"
    );
}

#[test]
fn a_starting_position_is_one_from_which_moves_can_be_judged() {
    let home = Home::new();
    let sheet = file(&home, "sheet.txt", "1. e4 e5\n");
    let compare = [
        "reconcile",
        "--player",
        &sheet,
        "--opponent",
        &sheet,
        "--language",
    ];
    let from = |language: &str, start: &str| {
        home.run(&[&compare[..], &[language, "--initial", start]].concat())
    };
    let pieces = |back: &str, front: &str, rest: &str| {
        format!("{back}/pppppppp/8/8/8/8/{front} w {rest} 0 1")
    };
    let whole = "PPPPPPPP/RNBQKBNR";
    for (start, language, told) in [
        (pieces("rnbq1bnr", whole, "KQ -"), "en", "black has no king"),
        (
            pieces("rnbqkbnr", "PPPPPPPP/RNBQ1BNR", "kq -"),
            "de",
            "Weiß hat keinen König",
        ),
        (pieces("rnbqkbnk", whole, "KQ -"), "da", "sort har 2 konger"),
        (
            pieces("rnbq1bnr", "PPPPPPPP/RNBQ1BNR", "- -"),
            "sv",
            "ingen sida har någon kung",
        ),
        (
            pieces("rnbqkbnr", "PPPPPPPP/PNBQKBNR", "- -"),
            "en",
            "a pawn stands on the first",
        ),
        (
            pieces("rnbqkbnr", "PPPNPPPP/RNBQKBNR", "- -").replace("pppp", "pp1B"),
            "en",
            "in check",
        ),
    ] {
        let output = from(language, &start);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = errors(&output);
        assert!(
            said.contains(told) && said.contains("--player-board"),
            "{said}"
        );
    }
    // A wrong note of what may be castled or taken hinders nobody from playing on.
    for start in [
        pieces("rnbqkbnr", "PPPPPPPP/RNBQKBN1", "KQkq -"),
        pieces("rnbqkbnr", whole, "KQkq e3"),
    ] {
        let output = from("en", &start);
        assert!(output.status.success(), "{output:?}");
    }
    // The same of the position that a score names.
    let start = pieces("rnbq1bnr", whole, "KQ -");
    let sheet = file(&home, "start.txt", &format!("FEN: {start}\n\n1. e4 e5\n"));
    let compare = [
        "reconcile",
        "--player",
        &sheet,
        "--opponent",
        &sheet,
        "--language",
        "en",
    ];
    let output = home.run(&compare);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(errors(&output).contains("start.txt"), "{output:?}");
    assert!(errors(&output).contains("black has no king"), "{output:?}");
    // Where a board stands otherwise, nothing is asked of it.
    let initial = pieces("rnbqkbnr", whole, "KQkq -");
    let board = ["--initial", &initial, "--player-board", "8/8/8/8/8/8/8/8"];
    let output = home.run(&[&compare[..], &board].concat());
    assert_ne!(output.status.code(), Some(2), "{output:?}");
}
