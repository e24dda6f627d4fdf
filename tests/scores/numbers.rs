//! The numbers of a sheet, right or wrong, in every form, and what a comparison makes of them.

use std::time::Duration;

use annexd::discrepancy::{ByOwner, Case, reconcile};
use annexd::score::{
    BrailleCode, BrailleForm, BraillePage, Letters, Notated, Provenance, Score, braille_games,
    from_json, read_move, read_score, to_braille, to_html, to_list, to_pgn, to_shown_list,
};
use serde_json::Value;

use super::sheet_words;

/// A score as it comes back from every form, by the name of the form.
fn again(score: &Score) -> Vec<(String, Score)> {
    let read = |text: &str, letters| read_score(text, letters, 1).unwrap().score;
    let json = serde_json::to_string(score).unwrap();
    let mut all = vec![
        ("JSON".to_owned(), from_json(&json).unwrap()),
        ("PGN".to_owned(), read(&to_pgn(score), None)),
    ];
    for letters in [Letters::German, Letters::French] {
        let list = to_list(score, letters);
        all.push((format!("list\n{list}"), read(&list, Some(letters))));
    }
    for code in [BrailleCode::British, BrailleCode::German] {
        for form in [BrailleForm::Unicode, BrailleForm::Brf] {
            let braille = to_braille(score, code, form, BraillePage::default());
            let (list, letters) = braille_games(&braille).remove(0);
            all.push((
                format!("{code} {form:?}\n{list}"),
                read(&list, Some(letters)),
            ));
        }
    }
    all
}

/// Each entry under its number, with what the forms have to keep of it.
fn rows(score: &Score) -> Vec<String> {
    let entries = score.entries().iter().zip(score.places());
    let entries = entries.map(|(entry, place)| {
        let notated = match &entry.notated {
            // A capture, a check and the square of departure may be left out.
            Notated::Move(notated) => format!("{:?} {}", notated.piece, notated.to),
            other => format!("{other:?}"),
        };
        format!("{place} {notated} {:?}", entry.provenance)
    });
    let suspended = format!("suspended {:?}", score.suspended());
    entries.chain([suspended]).collect()
}

/// What a comparison says, without the words of the entries, which are in other letters.
fn verdict(player: &Score, opponent: &Score) -> Value {
    fn forget_words(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("written");
                fields.values_mut().for_each(forget_words);
            }
            Value::Array(items) => items.iter_mut().for_each(forget_words),
            _ => {}
        }
    }
    let report = reconcile(&Case {
        scores: ByOwner { player, opponent },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    });
    let mut report = serde_json::to_value(report).unwrap();
    forget_words(&mut report);
    report
}

#[track_caller]
fn check(sheet: &str, clean: &Score) {
    let score = read_score(sheet, Some(Letters::English), 1).unwrap().score;
    let said = verdict(&score, clean);
    for (form, again) in again(&score) {
        assert_eq!(rows(&again), rows(&score), "{form}\nof\n{sheet}");
        assert_eq!(verdict(&again, clean), said, "{form}\nof\n{sheet}");
    }
}

const GAME: &str = "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n4. Ba4 Nf6\n5. O-O Be7\n6. Re1 b5\n7. Bb3 d6\n\
                    8. c3 O-O\n9. h3 Nb8\n10. d4 Nbd7\n11. c4 c6\n12. cxb5 axb5\n13. Nc3 Bb7\n";

#[test]
fn numbers_come_back_as_they_were_written() {
    let clean = read_score(GAME, None, 1).unwrap().score;
    let [row_6, row_7] = ["6. Re1 b5\n", "7. Bb3 d6\n"];
    for sheet in [
        // A row left out together with its number, or without.
        GAME.replace(row_6, ""),
        GAME.replace("6. Re1 b5\n7.", "6."),
        // A number that stands twice, one that is wrong, and one far off.
        GAME.replace("7. Bb3", "6. Bb3"),
        GAME.replace("7. Bb3", "17. Bb3"),
        GAME.replace("7. Bb3", "7 Bb3").replace("8. c3", "80. c3"),
        // Rows out of order, and a row twice.
        GAME.replace(&format!("{row_6}{row_7}"), &format!("{row_7}{row_6}")),
        GAME.replace(row_6, &format!("{row_6}{row_6}")),
        // A later page, from either column; nothing in its first row can be read.
        GAME.split_inclusive('\n').skip(5).collect(),
        format!(
            "5... Be7\n{}",
            GAME.split_inclusive('\n').skip(5).collect::<String>()
        ),
        GAME.split_inclusive('\n')
            .skip(5)
            .collect::<String>()
            .replace("Re1 b5", "? ?"),
        // The same with words that nobody can read.
        GAME.split_inclusive('\n')
            .skip(5)
            .collect::<String>()
            .replace("Re1 b5", "? Qqq"),
        // An entry too many in a row, and a row of which the number is left out.
        GAME.replace("6. Re1 b5", "6. Re1 Re1 b5"),
        GAME.replace("6. Re1 b5", "6... Re1 b5"),
        GAME.replace("b5\n7. Bb3 d6", "b5 Bb3 d6"),
        GAME.replace("b5\n7. Bb3 d6", "b5 Bb3"),
        // Places left empty, and Black's column alone.
        GAME.replace("6. Re1 b5", "6. Re1"),
        GAME.replace("6. Re1 b5", "6... b5"),
        GAME.replace("6. Re1 b5", "6. Re1\n6... b5"),
        GAME.replace("6. Re1 b5\n7. Bb3", "6. Re1\n9. Bb3"),
        GAME.replace("6. Re1 b5", "6. Re1\n8... b5"),
        GAME.replace("6. Re1 b5", "6. Re1\n7... b5"),
        GAME.replace("5. O-O Be7\n6. Re1 b5", "5. O-O Be7\n7... Re1 b5"),
        GAME.replace("6. Re1 b5", "6."),
        // No numbers at all, and an illegal move before a wrong one.
        GAME.split_whitespace()
            .filter(|it| !it.ends_with('.'))
            .collect::<Vec<_>>()
            .join(" "),
        GAME.replace("Re1", "Re8").replace("9. h3", "10. h3"),
    ] {
        assert_ne!(sheet, GAME);
        check(&sheet, &clean);
    }
}

#[test]
fn a_transcript_shows_the_numbers_of_the_sheet_and_pgn_its_own() {
    let sheet = "6. Re1 b5\n8. Bb3 d6\n8. c3 O-O\n10... Na5\n";
    let score = read_score(sheet, None, 1).unwrap().score;
    let list = to_list(&score, Letters::English);
    assert_eq!(list, "6. Re1 b5\n8. Bb3 d6\n8. c3 0-0\n10. -- Na5\n");
    let html = to_html(&score, Letters::German, "de", &sheet_words());
    let numbers = html.match_indices("scope=\"row\">");
    let numbers: Vec<_> = numbers
        .map(|(at, sign)| html[at + sign.len()..].split('<').next().unwrap())
        .collect();
    assert_eq!(numbers, ["6", "8", "8", "10"]);
    // Where the moves are legal PGN counts on, and says only where the sheet does not.
    let sheet = GAME.replace("6. ", "7. ").replace("8. c3", "9. c3");
    let score = read_score(&sheet, None, 1).unwrap().score;
    let pgn = to_pgn(&score);
    let flat = pgn.replace('\n', " ");
    for told in [
        "6. Re1 {[%number 7.]} 6... b5 7. Bb3 {[%number 7.]} 7... d6 8. c3 {[%number 9.]} 8... O-O",
        "O-O 9. h3 {[%number 9.]} 9... Nb8 10. d4",
    ] {
        assert!(flat.contains(told), "{told}\n{pgn}");
    }
    assert_eq!(pgn.matches("[%number").count(), 4, "{pgn}");
}

#[test]
fn an_entry_too_many_moves_no_number_behind_it() {
    let sheet = "1. e4 e5\n2. Nf3 Nf3 Nc6\n3. Bb5 a6\n";
    let score = read_score(sheet, None, 1).unwrap().score;
    assert_eq!(to_list(&score, Letters::English), sheet);
    let html = to_html(&score, Letters::English, "de", &sheet_words());
    assert!(html.contains("<td>Nf3 Nc6</td>"), "{html}");
}

#[test]
fn marks_above_a_list_name_the_numbers_of_the_sheet() {
    let sheet = GAME.replace("7. Bb3", "6. Bb3");
    let mut score = read_score(&sheet, None, 1).unwrap().score;
    let mut marked = Score::new(None);
    for (at, entry) in score.entries().iter().enumerate() {
        let mut entry = entry.clone();
        if at == 12 || at == 13 {
            entry.provenance = Provenance::Reconstructed;
        }
        if at == 10 {
            marked.suspend().unwrap();
        }
        marked.record(entry).unwrap();
    }
    marked.suspend().unwrap();
    score = marked;
    let list = to_list(&score, Letters::English);
    assert!(list.contains("Suspended: 6 White, 14 White\n"), "{list}");
    assert!(
        list.contains("Reconstructed: 6 White #2-6 Black #2\n"),
        "{list}"
    );
    for (form, again) in again(&score) {
        assert_eq!(rows(&again), rows(&score), "{form}");
    }
}

/// Sheets of real games with faults in their numbers and rows, by chance.
#[test]
fn numbers_of_dirty_sheets_come_back_from_every_form() {
    let text = include_str!("classics.pgn");
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    };
    let mut sheets = 0;
    for game in 1..=3 {
        let clean = read_score(text, None, game).unwrap().score;
        let list = to_list(&clean, Letters::English);
        let rows: Vec<&str> = list.lines().filter(|row| row.contains(". ")).collect();
        for _ in 0..8 {
            let mut dirty: Vec<String> = rows.iter().map(|&row| row.to_owned()).collect();
            for _ in 0..=below(2) {
                let at = 2 + below(dirty.len() - 4);
                let (_, moves) = dirty[at].split_once(' ').unwrap();
                match below(6) {
                    0 => drop(dirty.remove(at)),
                    1 => dirty[at] = moves.to_owned(),
                    2 => dirty[at] = format!("{}. {moves}", at + below(4)),
                    3 => dirty.insert(at, dirty[at].clone()),
                    4 => dirty.swap(at, at + 1),
                    _ => drop(dirty.drain(..at)),
                }
                if dirty.len() < 8 {
                    break;
                }
            }
            check(&dirty.join("\n"), &clean);
            sheets += 1;
        }
    }
    assert_eq!(sheets, 24);
}

#[test]
fn slips_and_words_that_cannot_be_read_come_back_from_lists_and_braille() {
    let sheet = "1. e4 L~~\n2. Sf3 Zz9!\n3. %% d6\n";
    let mut score = read_score(sheet, Some(Letters::German), 1).unwrap().score;
    let mut entries = score.entries().to_vec();
    let slip = |word| read_move(word, Letters::German);
    entries[0].slips = vec![slip("d4"), slip("Sg1-f3"), Notated::Unreadable];
    entries[0].clock = Some(Duration::from_millis(3_599_250));
    entries[2].misheard = vec![slip("Sh3")];
    entries[2].offer = true;
    entries[5].slips = vec![slip("0-0-0"), Notated::Blank];
    score = Score::new(None);
    for entry in entries {
        score.record(entry).unwrap();
    }
    let kept = |score: &Score| -> Vec<_> {
        let entries = score.entries().iter();
        let kept = entries.map(|entry| {
            let unreadable = entry.notated == Notated::Unreadable;
            let written = entry.written.clone().filter(|_| unreadable);
            let replaced = (entry.slips.clone(), entry.misheard.clone());
            (written, replaced, entry.clock, entry.offer)
        });
        kept.collect()
    };
    assert_eq!(kept(&score)[1].0.as_deref(), Some("L~~"));
    for (form, again) in again(&score) {
        assert_eq!(rows(&again), rows(&score), "{form}");
        assert_eq!(kept(&again), kept(&score), "{form}");
    }
    let list = to_list(&score, Letters::German);
    let told = "1. e4 [slip d4] [slip Sg1-f3] [slip ?] (0:59:59.250) L~~\n\
                2. Sf3 [misheard Sh3] (=) Zz9!\n";
    assert!(list.contains(told), "{list}");
    // A person reads whole seconds.
    let shown = to_shown_list(&score, Letters::German, &sheet_words());
    assert!(shown.contains("(0:59:59) L~~"), "{shown}");
    let html = to_html(&score, Letters::German, "de", &sheet_words());
    assert!(
        html.contains("<td>0:59:59</td>") && html.contains("[slip d4]"),
        "{html}"
    );
}

#[test]
fn a_third_entry_in_a_row_is_noted_unless_a_number_was_left_out() {
    let notes = |sheet: &str| -> Vec<String> {
        let read = read_score(sheet, Some(Letters::English), 1).unwrap();
        let notes = read
            .notes
            .iter()
            .map(|note| format!("{} {}", note.line, note.kind));
        notes.collect()
    };
    let told = "\"Nc6\" is the third entry of its row; it is kept as an entry of its own";
    for sheet in ["1. e4 e5 Nc6\n2. Nf3", "1. e4 e5\n2. Nf3 d6 Nc6"] {
        let notes = notes(sheet);
        assert_eq!(
            notes.iter().filter(|it| it.contains(told)).count(),
            1,
            "{notes:?}"
        );
    }
    for sheet in [
        "1. e4 e5 Nf3 Nc6 3. Bb5",
        "1. e4 e5 Nf3\n3. Bb5 a6",
        "1. e4 e5\nNf3 Nc6\n3. Bb5",
        "1. e4\n2. Nf3 Nc6",
        "1. e4\n1. e5\n2. Nf3",
        "e4 e5 Nf3",
        "1. e4 e5 2. ... Nc6",
        "[Event \"x\"]\n\n1. e4 e5 {[%written Ke4]} {[%written Ke5]} {[%written Ke3]} *\n",
    ] {
        let notes = notes(sheet);
        assert!(
            !notes.iter().any(|it| it.contains("third")),
            "{sheet}: {notes:?}"
        );
    }
}

#[test]
fn an_offer_beside_the_clock_is_read() {
    for comment in [
        "[%clk 0:59:00] draw offered",
        "[%clk 0:59:00] (=)",
        "(=) [%clk 0:59:00]",
        "[%clk 0:59:00] =",
        "Remis angeboten [%emt 0:00:03] [%clk 0:59:00]",
    ] {
        let pgn = format!("[Event \"x\"]\n\n1. e4 {{{comment}}} e5 *\n");
        let score = read_score(&pgn, None, 1).unwrap().score;
        let [white, black] = score.entries() else {
            panic!("{pgn}");
        };
        assert!(white.offer && !black.offer, "{comment}");
        assert_eq!(white.clock, Some(Duration::from_secs(3540)), "{comment}");
    }
    for comment in ["[%clk 0:59:00] a draw", "[%eval 0.00] equal = drawn"] {
        let pgn = format!("[Event \"x\"]\n\n1. e4 {{{comment}}} e5 *\n");
        let score = read_score(&pgn, None, 1).unwrap().score;
        assert!(!score.entries()[0].offer, "{comment}");
    }
}
