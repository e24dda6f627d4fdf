//! Writes a score as PGN.
//!
//! Legal moves are written as SAN. From the first entry on that is not legal, or that could be more
//! than one move, every entry is in a comment such as `[%written …]`. So any PGN reader reads the
//! game up to there, and nothing that was recorded is lost.

use super::english::{english, mark_sign};
use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::san::SanPlus;
use shakmaty::{Color, Move};

use super::date;
use super::entry::{Entry, Provenance, SheetPlace};
use super::kept::Score;
use super::letters::Letters;
use super::notated::Notated;
use super::standing::{Meaning, Standing};
use super::written::read_move;

/// The seven names that every PGN game has, with the values for unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The names that the writer itself sets.
const OWN: [&str; 7] = [
    "Result",
    "SetUp",
    "FEN",
    "ScoreOf",
    "Signed",
    NOTATION,
    WRITTEN_DATE,
];

/// The name for a date as it was written, if it can be read as no day or as more than one.
pub(super) const WRITTEN_DATE: &str = "WrittenDate";

/// The name for the form in which the moves were recorded, if it is not that of PGN.
pub(super) const NOTATION: &str = "Notation";

/// Both squares of each move were recorded.
pub(super) const LONG: &str = "long";

/// The greatest length of a line, as PGN's export format demands.
const LINE: usize = 79;

/// Writes a score as one PGN game, followed by an empty line.
///
/// The time left is `[%clk 0:59:30]`, and a draw offer is `(=)` in the comment of its move. A
/// half-readable entry is `[%reads Nf?]`, and so is one that says more or less than PGN's own words
/// (`[%reads Ngf3]`), except for signs of check. A corrected slip is `[%slip …]`, a move that was
/// heard without having been said is `[%misheard …]`, and a suspension of recording (8.4) is
/// `[%suspended]`.
///
/// A sheet with most moves in long form says so above them (`[Notation "long"]`), so that only the
/// other entries need marks. Announced moves, which have both squares, have no marks.
///
/// The numbers are consecutive, as PGN demands. If those of the sheet differ, `[%number 7.]` says
/// so, or `[%number 7...]` in Black's column. The numbers of the sheet count on from there.
pub fn to_pgn(score: &Score) -> String {
    let mut text = String::new();
    write_tags(score, &mut text);
    let is_long = is_long(score);
    if is_long {
        write_tag(NOTATION, LONG, &mut text);
    }
    text.push('\n');
    let mut words = Vec::new();
    let mut standing = Some(Standing::of(score.start()));
    let mut comment_before = true;
    let mut numbers = Numbers::of(score);
    for (ply, entry) in score.entries().iter().enumerate() {
        let number = numbers.differing();
        if score.suspended().contains(&ply) {
            words.push("{[%suspended]}".to_owned());
            comment_before = true;
        }
        let reading = standing.as_ref().map(|standing| standing.read(entry));
        match (&standing, reading) {
            (Some(before), Some(Meaning::Legal(played))) if before.position().is_some() => {
                write_number(before, comment_before, &mut words);
                let mut after = before.position().cloned().unwrap_or_default();
                let san = SanPlus::from_move_and_play_unchecked(&mut after, played);
                words.push(san.to_string());
                let usual = if is_long {
                    Notated::of_move(played)
                } else {
                    Notated::of_san(san.san)
                };
                let mut parts: Vec<_> = reads(entry, before, played, &usual).into_iter().collect();
                standing = Some(before.after(played));
                parts.extend(beside(entry));
                parts.extend(number);
                comment_before = !parts.is_empty();
                if comment_before {
                    words.push(format!("{{{}}}", parts.join(" ")));
                }
            }
            _ => {
                standing = None;
                let mut parts = vec![not_played(entry)];
                parts.extend(beside(entry));
                parts.extend(number);
                words.push(format!("{{{}}}", parts.join(" ")));
            }
        }
    }
    if score.suspended().contains(&score.entries().len()) {
        words.push("{[%suspended]}".to_owned());
    }
    words.push(score.result().map_or_else(
        || "*".to_owned(),
        |result| match result.to_string() {
            usual if matches!(usual.as_str(), "1-0" | "0-1" | "1/2-1/2") => usual,
            _ => "*".to_owned(),
        },
    ));
    fill(&words, &mut text);
    text.push('\n');
    text
}

/// The name of the keeper of the score in the tag `ScoreOf`.
pub(super) const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Returns the mark of an entry that is no legal move: `[%written Ng1-f3]` in English letters and
/// long form, `[%illegible …]` with the text on the sheet, or `[%blank]`.
fn not_played(entry: &Entry) -> String {
    match (&entry.notated, &entry.written) {
        (Notated::Blank, _) => "[%blank]".to_owned(),
        (Notated::Unreadable, Some(written)) => format!("[%illegible {}]", escaped(written)),
        (notated, _) => format!("[%written {}]", escaped(&english(notated))),
    }
}

/// Writes hours, minutes and seconds, with tenths if there are any, as in `[%clk]`.
pub(super) fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    let whole = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    match left.subsec_millis() {
        0 => whole,
        ms if ms % 100 == 0 => format!("{whole}.{}", ms / 100),
        ms => format!("{whole}.{ms:03}"),
    }
}

fn write_tags(score: &Score, text: &mut String) {
    let result = score
        .result()
        .map_or_else(|| "*".to_owned(), |result| result.to_string());
    let day = score.tag("Date").and_then(date::in_pgn);
    for (name, unknown) in ROSTER {
        let value = match name {
            "Result" => &result,
            "Date" => day.as_deref().unwrap_or(unknown),
            _ => score.tag(name).unwrap_or(unknown),
        };
        write_tag(name, value, text);
    }
    if let Some(written) = score.tag("Date").filter(|_| day.is_none()) {
        write_tag(WRITTEN_DATE, written, text);
    }
    if let Some(fen) = score.start_fen() {
        write_tag("SetUp", "1", text);
        write_tag("FEN", &fen, text);
    }
    if let Some(keeper) = score.keeper() {
        write_tag("ScoreOf", side_name(keeper), text);
    }
    let signed: Vec<_> = score
        .holding_signatures()
        .iter()
        .map(|signed| side_name(signed.side))
        .collect();
    if !signed.is_empty() {
        write_tag("Signed", &signed.join(" "), text);
    }
    for (name, value) in score.tags() {
        if !OWN.contains(&name.as_str()) && !ROSTER.iter().any(|(known, _)| known == name) {
            write_tag(name, value, text);
        }
    }
}

/// A character that no machine could read is a question mark here too; see [`escaped`].
fn write_tag(name: &str, value: &str, text: &mut String) {
    let value = value
        .replace(char::is_control, " ")
        .replace(char::REPLACEMENT_CHARACTER, "?")
        .replace('\\', r"\\")
        .replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

fn write_number(before: &Standing, always: bool, words: &mut Vec<String>) {
    let number = before.setup().fullmoves;
    match before.turn() {
        Color::White => words.push(format!("{number}.")),
        Color::Black if always => words.push(format!("{number}...")),
        Color::Black => {}
    }
}

/// Compares the numbers of the sheet with those of PGN, entry by entry.
struct Numbers {
    written: std::vec::IntoIter<SheetPlace>,
    /// The place of the next entry by PGN's numbers.
    counted: SheetPlace,
    /// How many places the sheet is ahead of PGN.
    ahead: i64,
}

impl Numbers {
    fn of(score: &Score) -> Self {
        Self {
            written: score.places().into_iter(),
            counted: SheetPlace::first(&score.start()),
            ahead: 0,
        }
    }

    /// Returns the mark of the next entry, if its number does not follow from the marks before.
    fn differing(&mut self) -> Option<String> {
        let written = self.written.next()?;
        let ahead = written.before() - self.counted.before();
        self.counted = self.counted.next();
        let is_other = std::mem::replace(&mut self.ahead, ahead) != ahead;
        is_other.then(|| format!("[%number {written}]"))
    }
}

/// Returns whether most moves are in long form on the sheet. Announced moves are on no sheet.
fn is_long(score: &Score) -> bool {
    let mut standing = Standing::of(score.start());
    let (mut long, mut all) = (0_usize, 0_usize);
    for entry in score.entries() {
        let Meaning::Legal(played) = standing.read(entry) else {
            break;
        };
        standing = standing.after(played);
        let is_move = entry.written.is_some() && matches!(entry.notated, Notated::Move(_));
        all += usize::from(is_move);
        long += usize::from(is_move && entry.notated.told(played) == Notated::of_move(played));
    }
    long * 2 > all
}

/// Returns the mark of a played entry that says something other than PGN does, if the entry by
/// itself shows which move it was. What a board has shown in addition is only in the move.
fn reads(entry: &Entry, before: &Standing, played: Move, usual: &Notated) -> Option<String> {
    let told = entry.notated.told(played);
    let words = english(&told);
    let again = Entry::new(read_move(&words, Letters::English));
    let is_kept = again.notated == told && before.read(&again) == Meaning::Legal(played);
    // Announcements always have both squares, which gives no information.
    let is_announced = entry.written.is_none() && told == Notated::of_move(played);
    (told != *usual && is_kept && !is_announced).then(|| {
        let mark = mark_sign(entry.notated.mark());
        format!("[%reads {}]", escaped(&(words + mark)))
    })
}

/// Returns the notes beside the move.
fn beside(entry: &Entry) -> Vec<String> {
    let mut parts = Vec::new();
    for slip in &entry.slips {
        parts.push(format!("[%slip {}]", escaped(&english(slip))));
    }
    for heard in &entry.misheard {
        parts.push(format!("[%misheard {}]", escaped(&english(heard))));
    }
    if let Some(left) = entry.clock {
        parts.push(format!("[%clk {}]", clock_text(left)));
    }
    match entry.provenance {
        Provenance::Recorded => {}
        Provenance::Completed => parts.push("[%completed]".to_owned()),
        Provenance::Reconstructed => parts.push("[%reconstructed]".to_owned()),
    }
    if entry.offer {
        parts.push("(=)".to_owned());
    }
    parts
}

/// Returns words for the inside of our comments, with brackets and `%` written as `%5D`. A
/// character that no machine could read becomes a question mark, because a short score full of such
/// characters would not count as text.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for letter in words.chars() {
        match letter {
            '[' | ']' | '{' | '}' | '%' => {
                let _ = write!(text, "%{:02X}", u32::from(letter));
            }
            char::REPLACEMENT_CHARACTER => text.push('?'),
            control if control.is_control() => text.push(' '),
            plain => text.push(plain),
        }
    }
    text
}

/// Breaks the lines, but never before a `%`, because readers ignore a line that begins with it.
fn fill(words: &[String], text: &mut String) {
    let mut length = 0;
    for word in words.iter().flat_map(|word| word.split(' ')) {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > LINE && !word.starts_with('%') {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += letters;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use annexd_laws::GameResult;
    use annexd_laws::moment::Moment;
    use annexd_laws::notation::Announcement;
    use shakmaty::Role;

    fn moved(role: Role, from: Square, to: Square) -> Entry {
        Entry::announced(&Announcement::of_move(role, from, to), Moment::START)
    }

    #[test]
    fn slips_and_mishearings_are_kept_apart() {
        let mut score = Score::new(None);
        let mut entry = moved(Role::Knight, Square::G1, Square::F3);
        let another = moved(Role::Knight, Square::G1, Square::H3).notated;
        entry.misheard.push(another.clone());
        score.record(entry).unwrap();
        let mut entry = moved(Role::Pawn, Square::E7, Square::E5);
        entry.slips.push(another);
        score.record(entry).unwrap();
        let pgn = to_pgn(&score);
        assert!(pgn.contains("1. Nf3 {[%misheard Ng1-h3]}"), "{pgn}");
        assert!(pgn.contains("e5 {[%slip Ng1-h3]}"), "{pgn}");
        let read = crate::read_score(&pgn, None, 1).unwrap();
        let entries = read.score.entries();
        assert_eq!((entries[0].misheard.len(), entries[0].slips.len()), (1, 0));
        assert_eq!((entries[1].misheard.len(), entries[1].slips.len()), (0, 1));
    }

    #[test]
    fn a_score_is_written_with_times_and_offers() {
        let mut score = Score::new(Some(Color::White));
        score.set_tag("White", "A \"B\"").unwrap();
        score
            .record(moved(Role::Pawn, Square::E2, Square::E4))
            .unwrap();
        score.note_clock(Duration::from_millis(5_399_500)).unwrap();
        score.mark_offer().unwrap();
        score
            .record(moved(Role::Knight, Square::G8, Square::F6))
            .unwrap();
        score.set_result(Some(GameResult::Draw)).unwrap();
        let pgn = to_pgn(&score);
        assert!(pgn.contains(r#"[White "A \"B\""]"#), "{pgn}");
        assert!(
            pgn.ends_with("\n1. e4 {[%clk 1:29:59.5] (=)} 1... Nf6 1/2-1/2\n\n"),
            "{pgn}"
        );
    }

    /// Returns the moves of a sheet as PGN, and its entries before and after they were read again.
    fn there_and_back(sheet: &str) -> (String, [Vec<Notated>; 2]) {
        let read = |text: &str| crate::read_score(text, None, 1).unwrap().score;
        let notated = |score: &Score| -> Vec<Notated> {
            let entries = score.entries().iter();
            entries.map(|entry| entry.notated.clone()).collect()
        };
        let score = read(sheet);
        let pgn = to_pgn(&score);
        let again = read(&pgn);
        assert_eq!(to_pgn(&again), pgn);
        let (tags, moves) = pgn.split_once("\n\n").unwrap();
        let form = tags.lines().filter(|line| line.contains(NOTATION));
        let told: Vec<_> = form.chain(moves.lines()).collect();
        (
            told.join(" ").trim().to_owned(),
            [notated(&score), notated(&again)],
        )
    }

    #[test]
    fn what_a_sheet_says_more_or_less_than_pgn_comes_back() {
        for (sheet, pgn) in [
            (
                "1. Sgf3 d5 2. g3 Sf6 3. Lg2 c5 4. 0-0",
                "1. Nf3 {[%reads Ngf3]} 1... d5 2. g3 Nf6 3. Bg2 c5 4. O-O *",
            ),
            (
                "1. e4 d5 2. ed Dd5: 3. Sc3 De5 4. Le2",
                "1. e4 d5 2. exd5 {[%reads ed]} 2... Qxd5 3. Nc3 Qe5+ 4. Be2 *",
            ),
            (
                "1. e4 d5 2. e4 schlägt d5 Dd5 3. Sb1-c3",
                "1. e4 d5 2. exd5 {[%reads e4xd5]} 2... Qxd5 {[%reads Qd5]} 3. Nc3 {[%reads \
                 Nb1-c3]} *",
            ),
        ] {
            let (told, [before, after]) = there_and_back(sheet);
            assert_eq!(told, pgn);
            let told = before.iter().zip(&after);
            let differ = told.filter(|(one, other)| match (one, other) {
                (Notated::Move(one), Notated::Move(other)) => {
                    let same = (one.from, one.to, one.capture);
                    same != (other.from, other.to, other.capture)
                }
                _ => one != other,
            });
            assert_eq!(differ.count(), 0, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_score_in_long_form_says_so_once() {
        let sheet = "1. e2-e4 e7-e5 2. Sg1-f3 Sb8-c6 3. Lf1-b5 a6 4. 0-0 a6xb5";
        let (told, [before, after]) = there_and_back(sheet);
        assert_eq!(
            told,
            "[Notation \"long\"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {[%reads a6]} 4. O-O axb5 *"
        );
        assert_eq!(before, after);
    }

    #[test]
    fn what_only_a_board_has_shown_stands_in_the_move() {
        let mut score = crate::read_score("1. Nf3 d5 2. d3 d4", None, 1)
            .unwrap()
            .score;
        let said = read_move("Nd2", Letters::English);
        score
            .record(Entry {
                left: Some(Square::B1),
                ..Entry::new(said)
            })
            .unwrap();
        let pgn = to_pgn(&score);
        assert!(pgn.contains("3. Nbd2 *"), "{pgn}");
    }

    #[test]
    fn no_line_begins_with_a_percent_sign() {
        for before in 0..90 {
            let mut score = Score::new(None);
            score
                .record(moved(Role::Pawn, Square::E2, Square::E4))
                .unwrap();
            let mut illegible = Entry::new(Notated::Unreadable);
            illegible.written = Some(format!("{} %clk", "x".repeat(before + 1)));
            score.record(illegible.clone()).unwrap();
            let pgn = to_pgn(&score);
            assert!(!pgn.contains("\n%"), "{pgn}");
            let read = crate::read_score(&pgn, None, 1).unwrap();
            assert_eq!(read.score.entries()[1].written, illegible.written);
        }
    }

    #[test]
    fn a_date_is_written_as_the_standard_has_it_or_kept_beside_it() {
        let scored = |text: &str| crate::read_score(text, None, 1).unwrap().score;
        let again = |score: &Score| scored(&to_pgn(score));
        for (written, date, kept) in [
            ("12.03.2026", "2026.03.12", "2026.03.12"),
            ("2026.3.12", "2026.03.12", "2026.03.12"),
            ("03/04/2026", "????.??.??", "03/04/2026"),
            ("Easter \"2026\"", "????.??.??", "Easter \"2026\""),
        ] {
            let score = scored(&format!("Date: {written}\n\n1. e4 e5"));
            let pgn = to_pgn(&score);
            assert!(pgn.contains(&format!("[Date \"{date}\"]\n")), "{pgn}");
            assert_eq!(pgn.contains(WRITTEN_DATE), date.starts_with('?'), "{pgn}");
            assert_eq!(again(&score).tag("Date"), Some(kept), "{pgn}");
            assert_eq!(to_pgn(&again(&score)), pgn);
        }
        let unknown = to_pgn(&scored("1. e4 e5"));
        assert!(unknown.contains("[Date \"????.??.??\"]") && !unknown.contains(WRITTEN_DATE));
    }

    #[test]
    fn what_is_not_legal_is_kept_in_comments() {
        let mut score = Score::new(None);
        score
            .record(moved(Role::Pawn, Square::E2, Square::E4))
            .unwrap();
        score
            .record(moved(Role::Knight, Square::G8, Square::G5))
            .unwrap();
        let mut illegible = Entry::new(Notated::Unreadable);
        illegible.written = Some("S]f?".to_owned());
        score.record(illegible).unwrap();
        let pgn = to_pgn(&score);
        assert!(
            pgn.contains("1. e4 {[%written Ng8-g5]} {[%illegible S%5Df?]} *"),
            "{pgn}"
        );
    }

    #[test]
    fn an_entry_that_no_machine_could_read_is_still_text_when_read_again() {
        let mut score = Score::new(None);
        score
            .record(moved(Role::Pawn, Square::E2, Square::E4))
            .unwrap();
        let mut lost = Entry::new(Notated::Unreadable);
        lost.written = Some("\u{fffd}".repeat(40));
        score.record(lost).unwrap();
        score.set_tag("Date", "\u{fffd}".repeat(40)).unwrap();
        let again = crate::read_score(&to_pgn(&score), None, 1).unwrap().score;
        assert_eq!(again.entries()[1].written, Some("?".repeat(40)));
        assert_eq!(again.tag("Date"), Some("?".repeat(40).as_str()));
    }
}
