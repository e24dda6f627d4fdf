//! How movetext is split into words.

use super::*;

fn words(text: &str) -> Vec<String> {
    scan(text, 1)
        .into_iter()
        .map(|token| match token.kind {
            TokenKind::Number { number, black } => {
                format!("{number}{}", if black { "b" } else { "w" })
            }
            TokenKind::Dots => "dots".to_owned(),
            TokenKind::Word(word) => word,
            TokenKind::Offer => "offer".to_owned(),
            TokenKind::OfferBy(side) => format!("offer by {side}"),
            TokenKind::Draw => "draw".to_owned(),
            TokenKind::Replaced { word, misheard } => format!("[{word} {misheard}]"),
            TokenKind::Clock(time) => format!("{:?}", time.left),
            TokenKind::Result(result) => result.to_string(),
            TokenKind::Unfinished => "*".to_owned(),
            TokenKind::Comment(text) => format!("{{{text}}}"),
            TokenKind::Aside(text) => format!("aside {text}"),
            TokenKind::Unclosed(bracket) => format!("unclosed {bracket}"),
        })
        .collect()
}

#[test]
fn movetext_is_cut_into_words() {
    assert_eq!(
        words("1.e4 e5 2. Nf3! $1 (2. f4 (2. Bc4) exf4) 2... Nc6 {[%clk 0:59:00]} (=) 1-0"),
        [
            "1w",
            "e4",
            "e5",
            "2w",
            "Nf3!",
            "2b",
            "Nc6",
            "{[%clk 0:59:00]}",
            "offer",
            "1-0"
        ]
    );
    assert_eq!(
        words("| 12 | Sf3 (1:02:03) | ... |"),
        ["12w", "Sf3", "3723s", "dots"]
    );
    assert_eq!(words("7. 0-0 000 0-1"), ["7w", "0-0", "000", "0-1"]);
    assert_eq!(words("8. e8=(Q)+ ) } ]"), ["8w", "e8=(Q)+"]);
    assert_eq!(
        words("1. Sf3 [slip Sh3] (=) d5 [misheard d6] [slip]"),
        [
            "1w",
            "Sf3",
            "[Sh3 false]",
            "offer",
            "d5",
            "[d6 true]",
            "aside [slip]"
        ]
    );
    assert_eq!(words("9 ? -- ??"), ["9w", "?", "--"]);
    assert_eq!(
        words("1. Sf3= 0-0= e8="),
        ["1w", "Sf3", "offer", "0-0", "offer", "e8", "offer"]
    );
    assert_eq!(
        words("-----\n4- e4 \"e5\" schach! (remis?) *\n=="),
        ["4w", "e4", "e5", "offer", "*"]
    );
}

#[test]
fn spaces_inside_a_move_are_passed_over() {
    assert_eq!(
        words("5. O - O d6 6. T e1 0 - 0 - 0 7.S x e5 1 - 0"),
        ["5w", "O-O", "d6", "6w", "Te1", "0-0-0", "7w", "Sxe5", "1-0"]
    );
    // After a pawn on the last rank comes its promotion.
    assert_eq!(
        words("9. hxg8 D a6 10. T e8 D a6"),
        ["9w", "hxg8", "D", "a6", "10w", "Te8", "Da6"]
    );
    // A letter with an unreadable rest stays one if Black's move follows it.
    assert_eq!(
        words("8. S e5\n9. d4 T d8 10. S e5 11. S e5"),
        [
            "8w", "S", "e5", "9w", "d4", "Td8", "10w", "S", "e5", "11w", "Se5"
        ]
    );
    assert_eq!(
        words("1. e4 - e5 2. Sf3 - Sc6"),
        ["1w", "e4", "e5", "2w", "Sf3", "Sc6"]
    );
    assert_eq!(words("1. e2 - e4 e7 - e5"), ["1w", "e2-e4", "e7-e5"]);
    // A stroke alone is an empty place.
    assert_eq!(
        words("1. - e5 2. d4 - 3. e3"),
        ["1w", "-", "e5", "2w", "d4", "-", "3w", "e3"]
    );
}

#[test]
fn words_for_en_passant_are_no_entries() {
    for mark in [
        "e.p.",
        "e.p.+",
        "ep+",
        "e.p.#",
        "ep!",
        "E.P.",
        "e. p.+",
        "i.V.",
        "i.V.+",
        "i. V.",
        "en passant",
        "en passant+",
        "im Vorbeigehen",
        "i förbifarten",
    ] {
        let text = format!("3. exd6 {mark} cxd6 4. d4");
        let whole = ["3w", "exd6", "cxd6", "4w", "d4"];
        assert_eq!(words(&text), whole, "{mark}");
    }
    // Alone they may be the remains of something.
    assert_eq!(words("3. en Sf6 4. im d5").len(), 6);
}

#[test]
fn strokes_right_behind_a_number_are_an_empty_place() {
    for strokes in ["2.--", "2. --", "2.---", "2.––"] {
        let text = format!("1. e4 e5 {strokes} Nc6 3. d4");
        let read = words(&text);
        let [_, _, _, number, rest @ ..] = read.as_slice() else {
            panic!("{read:?}");
        };
        assert_eq!(number, "2w", "{strokes}");
        assert_eq!(rest.get(1).map(String::as_str), Some("Nc6"), "{strokes}");
    }
    assert_eq!(words("2...-- 3. d4"), ["2b", "--", "3w", "d4"]);
    assert_eq!(words("4- e4 e5"), ["4w", "e4", "e5"]);
}

#[test]
fn a_word_for_a_draw_is_no_question() {
    assert_eq!(words("9. e4 remis? Remis."), ["9w", "e4", "offer", "draw"]);
}

#[test]
fn unclosed_brackets_are_told_with_their_line() {
    let read = words("1. e4 {never closed\n2. d4");
    let aside = "aside {never closed}";
    assert_eq!(read, ["1w", "e4", "unclosed {", aside, "2w", "d4"]);
    assert_eq!(
        words("1. e4 [2. d4"),
        ["1w", "e4", "unclosed [", "2w", "d4"]
    );
    assert_eq!(words("1. e4 {closed}"), ["1w", "e4", "{closed}"]);
    let tokens = scan("1. e4\ne5 {2. d4", 5);
    let unclosed = |it: &&Token| matches!(it.kind, TokenKind::Unclosed(_));
    assert_eq!(tokens.iter().find(unclosed).map(|it| it.line), Some(6));
}

#[test]
fn brackets_of_a_list_hide_no_entry() {
    for (text, whole) in [
        (
            "1. e4 (e5)\n2. Nf3 (Nc6)",
            vec!["1w", "e4", "e5", "2w", "Nf3", "Nc6"],
        ),
        ("e4 (e5)\nNf3 (Nc6)", vec!["e4", "e5", "Nf3", "Nc6"]),
        ("1. (e4) e5", vec!["1w", "e4", "e5"]),
        (
            "1. e4 e5 [2. Nf3 Nc6]\n3. d4",
            vec!["1w", "e4", "e5", "2w", "Nf3", "Nc6", "3w", "d4"],
        ),
        ("2. Sf3 (Sc3) Sc6", vec!["2w", "Sf3", "aside (Sc3)", "Sc6"]),
        ("1. e4 (59) e5", vec!["1w", "e4", "aside (59)", "e5"]),
        (
            "2. Nf3 (2. f4 (2. d4)) Nc6",
            vec!["2w", "Nf3", "aside (2. f4 (2. d4))", "Nc6"],
        ),
        ("[1] e4 e5\n[2] d4", vec!["1w", "e4", "e5", "2w", "d4"]),
        (
            "2. Nf3 (Nc3) 2... Nc6",
            vec!["2w", "Nf3", "aside (Nc3)", "2b", "Nc6"],
        ),
        ("1. e4 e5 (1-0)", vec!["1w", "e4", "e5", "1-0"]),
        // A text with comments or glyphs has variations.
        ("1. e4 (1. d4) e5 {x}", vec!["1w", "e4", "e5", "{x}"]),
        ("1. e4 $1 (1. d4) e5", vec!["1w", "e4", "e5"]),
    ] {
        assert_eq!(words(text), whole, "{text}");
    }
}

#[test]
fn a_number_before_moves_is_no_result() {
    for text in [
        "1: e4 e5\n2: d4",
        "1- e4 e5\n2- d4",
        "1 : e4 e5\n2 : d4",
        "1:e4 e5\n2:d4",
        "1:\te4 e5\n2:\td4",
        "#1 e4 e5\n#2 d4",
        "• 1. e4 e5\n• 2. d4",
    ] {
        assert_eq!(words(text), ["1w", "e4", "e5", "2w", "d4"], "{text}");
    }
    assert_eq!(words("1: ??? e5\n2: d4"), ["1w", "?", "e5", "2w", "d4"]);
    assert_eq!(words("0-1. e4 e5").last().map(String::as_str), Some("e5"));
    assert!(!words("0-1. e4 e5").contains(&"0-1".to_owned()));
    // After the moves it is one.
    for text in [
        "1. e4 e5 1-0.",
        "1. e4 e5 1:0",
        "1. e4 e5 1-",
        "1. e4 e5\n+:-",
    ] {
        assert_eq!(words(text), ["1w", "e4", "e5", "1-0"], "{text}");
    }
    for text in ["0,5-0,5", "0.5-0.5", "0,5 - 0,5", "0,5:0,5", "½-½"] {
        let text = format!("1. e4 e5 {text}");
        assert_eq!(words(&text), ["1w", "e4", "e5", "1/2-1/2"], "{text}");
    }
}

#[test]
fn words_for_who_has_won_are_a_result() {
    for text in [
        "White won",
        "Schwarz gibt auf.",
        "vit vann 1-0",
        "sort opgav",
    ] {
        let read = words(&format!("1. e4 e5\n{text}\n"));
        assert_eq!(read.get(3).map(String::as_str), Some("1-0"), "{text}");
    }
    // It is none where the game continues.
    assert!(!words("1. e4 e5 White wins\n2. d4").contains(&"1-0".to_owned()));
}

#[test]
fn every_hyphen_is_one() {
    for hyphen in ['‐', '‑', '‒', '–', '—'] {
        let text = format!("1. e2{hyphen}e4 e5 2. O{hyphen}O {hyphen} 1{hyphen}0");
        let read = words(&text);
        let moves = read.iter().filter(|word| word.chars().count() >= 3).count();
        assert_eq!((moves, read.len()), (3, 7), "{text}: {read:?}");
    }
}

#[test]
fn marks_of_print_are_no_entries_of_pgn() {
    let read = |text: &str| scan_pgn(text, 1).len();
    assert_eq!(read("8. Bb3 N d6 D 9. c3 TN O-O"), 6);
    assert_eq!(read("8. Bb3 N 8... d6 D 9. c3"), 6);
    // In a list they are pieces.
    assert_eq!(words("8. Bb3 N d6"), ["8w", "Bb3", "Nd6"]);
}

#[test]
fn a_bracket_that_nothing_closes_hides_no_rows() {
    let rows = ["1w", "e4", "e5", "2w", "Nf3", "Nc6"];
    let hidden = |more: &[&str]| -> Vec<String> {
        let all = rows.iter().chain(more).chain(&["3w", "Bb5", "a6"]);
        all.map(|&word| word.to_owned()).collect()
    };
    for bracket in ['(', '[', '{'] {
        let begun = format!("unclosed {bracket}");
        let end = [('(', ')'), ('[', ']'), ('{', '}')];
        let end = end.into_iter().find(|(it, _)| *it == bracket).unwrap().1;
        let aside = format!("aside {bracket}5{end}");
        for gap in ["\n", " "] {
            let text = format!("1. e4 e5{gap}2. Nf3 Nc6 {bracket}5{gap}3. Bb5 a6\n");
            assert_eq!(words(&text), hidden(&[&begun, &aside]), "{text}");
        }
        let text = format!("1. e4 e5 2. Nf3 {bracket}Nc6 3. Bb5 a6");
        let mut kept = hidden(&[]);
        kept.insert(5, begun);
        assert_eq!(words(&text), kept, "{text}");
    }
    // A bracket far below closes it.
    let closed = words("1. e4 e5\n2. Nf3 Nc6 (5\n3. Bb5 a6)\n");
    assert_eq!(closed, hidden(&["unclosed (", "aside (5)"]));
    // In PGN brackets hold variations and remarks over many lines, so nobody can tell.
    let pgn = |text: &str| {
        let last = scan_pgn(text, 1).pop().unwrap();
        last.kind
    };
    let unread = TokenKind::Word("?".to_owned());
    assert_eq!(pgn("1. e4 e5 {good\n2. Nf3 Nc6"), unread);
    assert_eq!(pgn("1. e4 e5 (1... c5\n2. Nf3 d6"), unread);
    assert_eq!(pgn("1. e4 e5 {White was late"), TokenKind::Unclosed('{'));
}
