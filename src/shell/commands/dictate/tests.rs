use shakmaty::{Role, Square};

use super::*;
use crate::notation::Announcement;

fn words() -> SheetWords {
    SheetWords::parse(include_str!("../../../../grammar/en/scores.toml")).unwrap()
}

fn dictation(keeper: Option<Color>, result: Option<GameResult>) -> Dictation {
    Dictation::new(Score::new(keeper), result, words(), Letters::English)
}

fn moved(to: Square) -> Said {
    Said::Move(Announcement::of_move(Role::Pawn, Square::E2, to))
}

#[test]
fn a_dictation_is_corrected_ended_and_signed() {
    let mut dictation = dictation(Some(Color::White), Some(GameResult::Draw));
    let mut take = |said: Said| dictation.take(&Heard::Clear(said));
    assert_eq!(take(moved(Square::E3)), "1 White: e2-e3");
    assert!(take(Said::Correction(None)).contains("again"));
    assert_eq!(take(moved(Square::E4)), "1 White: now e2-e4");
    assert!(take(Said::Command(Command::OfferDraw)).ends_with("(=)"));
    let end = take(Said::Command(Command::Stop));
    assert!(end.starts_with("1 move, the last by White. The result is 1/2-1/2."));
    assert_eq!(take(Said::Command(Command::Yes)), "Signed by White.");
    assert!(dictation.is_done());
    assert_eq!(dictation.score.entries().len(), 1);
    assert!(dictation.score.entries()[0].slips.is_empty());
    assert!(dictation.score.entries()[0].offer);
    assert_eq!(dictation.score.signatures().len(), 1);
}

#[test]
fn an_offer_is_read_back_and_goes_with_the_entry_that_is_corrected() {
    let mut dictation = dictation(None, None);
    let mut take = |said: Said| dictation.take(&Heard::Clear(said));
    take(moved(Square::E4));
    let offered = take(Said::Command(Command::OfferDraw));
    assert_eq!(offered, "1 White: e2-e4 (=)");
    assert_eq!(take(Said::Command(Command::LastMove)), offered);
    take(Said::Correction(None));
    assert_eq!(take(moved(Square::E4)), "1 White: now e2-e4");
    assert!(!dictation.score.entries()[0].offer);
}

#[test]
fn numbers_are_kept_as_the_reader_of_sheets_keeps_them() {
    let mut dictation = dictation(None, None);
    let mut row = |number, black, squares: &[Square]| {
        let mut told = vec![dictation.take_part(Part::Number { number, black })];
        for &to in squares {
            told.push(dictation.take_part(Part::Said(moved(to))));
        }
        told.retain(|line| !line.is_empty());
        // One pawn can stand for any gap: the test asks which one.
        for line in &mut told {
            *line = line.replace(", not a legal move here", "");
        }
        told.join(", ")
    };
    assert_eq!(
        row(1, false, &[Square::E4, Square::E5]),
        "1 White: e2-e4, 1 Black: e2-e5"
    );
    assert_eq!(row(3, false, &[Square::D4]), "3 White: e2-d4");
    assert_eq!(row(3, true, &[Square::D5]), "3 Black: e2-d5");
    assert_eq!(
        row(7, true, &[Square::C4]),
        "7 White: blank, 7 Black: e2-c4"
    );
    assert_eq!(row(8, false, &[Square::C5]), "8 White: e2-c5");
    assert_eq!(
        row(9, false, &[Square::F4]),
        "8 Black: blank, 9 White: e2-f4"
    );
    assert_eq!(row(9, false, &[Square::F5]), "9 Black: e2-f5");
}

#[test]
fn what_is_no_move_is_taken_corrected_and_counted_as_players_do() {
    let mut dictation = dictation(None, None);
    let mut take = |part: Part| dictation.take_part(part);
    assert_eq!(
        take(Part::Instead(Notated::Blank)),
        "There is no entry yet."
    );
    assert_eq!(take(Part::Said(moved(Square::E4))), "1 White: e2-e4");
    assert_eq!(
        take(Part::Entry(Notated::Unreadable)),
        "1 Black: unreadable"
    );
    assert_eq!(take(Part::Entry(Notated::Blank)), "2 White: blank");
    assert_eq!(
        take(Part::Instead(Notated::Unreadable)),
        "2 White: now unreadable"
    );
    take(Part::Said(Said::Correction(None)));
    assert_eq!(take(Part::Entry(Notated::Blank)), "2 White: now blank");
    let stop = Part::Said(Said::Command(Command::Stop));
    assert_eq!(take(stop), "2 moves, the last by White.");
    assert_eq!(dictation.score.entries().len(), 3);
    assert!(dictation.score.entries()[2].slips.is_empty());
}

#[test]
fn words_that_are_not_clear_are_asked_for_again() {
    let mut dictation = dictation(None, None);
    let heard = Heard::Unclear(vec![moved(Square::E3), moved(Square::E4)]);
    let answer = dictation.take(&heard);
    assert_eq!(answer, "Not clear. e2-e3 or e2-e4? Once more, please.");
    assert!(dictation.score.entries().is_empty());
    let nothing = dictation.take(&Heard::Unclear(Vec::new()));
    assert_eq!(nothing, "Not clear. Once more, please.");
}

#[test]
fn a_yes_takes_what_was_asked_and_nothing_later() {
    let mut dictation = dictation(None, None);
    let yes = Heard::Clear(Said::Command(Command::Yes));
    dictation.take(&Heard::Clear(moved(Square::E4)));
    let offer = Heard::Unclear(vec![Said::Command(Command::OfferDraw)]);
    assert!(dictation.take(&offer).contains("(=)?"));
    assert_eq!(dictation.take(&yes), "1 White: e2-e4 (=)");
    dictation.take(&Heard::Unclear(vec![moved(Square::E3)]));
    dictation.take(&Heard::Clear(moved(Square::E4)));
    dictation.take(&yes);
    assert_eq!(dictation.score.entries().len(), 2);
    assert!(dictation.score.entries()[0].offer);
}

#[cfg(feature = "recognizer")]
#[test]
fn what_is_not_understood_in_a_file_keeps_its_place() {
    let mut dictation = dictation(None, None);
    let knight = Said::Move(Announcement::of_move(Role::Knight, Square::B8, Square::C6));
    let clear = |said: &Said| Heard::Clear(said.clone());
    dictation.take_from_file(&clear(&moved(Square::E4)), "1.wav");
    for (heard, told) in [
        (
            Heard::Unclear(Vec::new()),
            "2.wav: Not clear. 1 Black: unreadable",
        ),
        (
            Heard::Unclear(vec![moved(Square::E3)]),
            "2.wav: Not clear, perhaps e2-e3. 2 White: unreadable",
        ),
        (
            Heard::Clear(Said::Piece(Role::Queen)),
            "2.wav: Not clear. 2 Black: unreadable",
        ),
    ] {
        assert_eq!(dictation.take_from_file(&heard, "2.wav"), told);
    }
    // A command is no entry, so none is missing.
    let offer = Heard::Unclear(vec![Said::Command(Command::OfferDraw)]);
    let told = dictation.take_from_file(&offer, "3.wav");
    assert_eq!(told, "3.wav: Not clear, perhaps (=).");
    assert_eq!(dictation.missed, 4);
    dictation.take_from_file(&clear(&knight), "4.wav");
    let entries: Vec<_> = dictation.score.entries().iter().collect();
    assert_eq!(entries.len(), 5);
    assert!(
        entries[1..4]
            .iter()
            .all(|it| it.notated == Notated::Unreadable)
    );
    let told = dictation.written("x.json");
    assert!(
        told.contains("3 entries of the sound files were not understood")
            && told.contains("1 Black, 2 White, 2 Black"),
        "{told}"
    );
}

#[cfg(feature = "recognizer")]
#[test]
fn a_yes_or_a_correction_in_a_file_mends_the_entry_that_was_not_understood() {
    let mut dictation = dictation(None, None);
    let doubtful = Heard::Unclear(vec![moved(Square::E4)]);
    dictation.take_from_file(&doubtful, "1.wav");
    let yes = Heard::Clear(Said::Command(Command::Yes));
    assert_eq!(
        dictation.take_from_file(&yes, "2.wav"),
        "1 White: now e2-e4"
    );
    dictation.take_from_file(&Heard::Unclear(Vec::new()), "3.wav");
    let correction = Announcement::of_move(Role::Pawn, Square::E7, Square::E5);
    let corrected = Heard::Clear(Said::Correction(Some(correction)));
    let told = dictation.take_from_file(&corrected, "4.wav");
    assert_eq!(told, "1 Black: now e7-e5");
    assert!(dictation.unheard.is_empty());
    // A misheard correction removes what it corrects, but no place.
    dictation.take_from_file(&Heard::Clear(Said::Correction(None)), "5.wav");
    let told = dictation.take_from_file(&Heard::Unclear(Vec::new()), "5.wav");
    assert_eq!(told, "5.wav: Not clear. 1 Black: now unreadable");
    assert_eq!(dictation.score.entries().len(), 2);
}

#[test]
fn an_entry_that_is_no_legal_move_is_kept_and_told_at_once_and_at_the_end() {
    let mut dictation = dictation(None, None);
    let mut take = |said: Said| dictation.take(&Heard::Clear(said));
    assert_eq!(take(moved(Square::E4)), "1 White: e2-e4");
    let told = "1 Black: e2-e5, not a legal move here";
    assert_eq!(take(moved(Square::E5)), told);
    let last = Said::Command(Command::LastMove);
    assert_eq!(take(last), told);
    let offered = take(Said::Command(Command::OfferDraw));
    assert_eq!(offered, "1 Black: e2-e5 (=), not a legal move here");
    let told = dictation.written("x.json");
    assert!(told.contains("1 Black: not a legal move here."), "{told}");
    assert_eq!(dictation.score.entries().len(), 2);
}

#[cfg(feature = "recognizer")]
#[test]
fn a_yes_in_the_next_file_keeps_the_offer_and_mends_the_count() {
    let mut dictation = dictation(None, None);
    let yes = Heard::Clear(Said::Command(Command::Yes));
    dictation.take_from_file(&Heard::Unclear(vec![moved(Square::E4)]), "1.wav");
    dictation.offered();
    dictation.take_from_file(&yes, "2.wav");
    let entry = dictation.score.entries().first().unwrap();
    assert!(entry.offer && entry.notated.is_legible(), "{entry:?}");
    assert_eq!(dictation.missed, 0);
}

#[cfg(feature = "recognizer")]
#[test]
fn a_yes_behind_a_silent_file_is_no_answer_for_an_earlier_entry() {
    let mut dictation = dictation(None, None);
    let yes = Heard::Clear(Said::Command(Command::Yes));
    dictation.take_from_file(&Heard::Unclear(vec![moved(Square::E4)]), "1.wav");
    dictation.unheard("2.wav", "Nothing.");
    dictation.take_from_file(&yes, "3.wav");
    let entries: Vec<_> = dictation.score.entries().iter().collect();
    assert!(entries.iter().all(|it| it.notated == Notated::Unreadable));
    assert_eq!(dictation.missed, 2);
}

#[cfg(feature = "recognizer")]
#[test]
fn what_was_kept_before_an_entry_got_unreadable_stays_a_score() {
    let mut dictation = dictation(None, None);
    dictation.take_from_file(&Heard::Clear(moved(Square::E4)), "1.wav");
    assert!(dictation.is_any_understood());
    dictation.is_kept = true;
    dictation.take_from_file(&Heard::Clear(Said::Correction(None)), "2.wav");
    dictation.take_from_file(&Heard::Unclear(Vec::new()), "2.wav");
    assert!(dictation.is_any_understood());
}
