//! What a typed line of a dictation means: one thing, a move with a command after it such as
//! `Sf3 Remis`, or several moves such as `1. e4 e5`. An unreadable entry is `?` or a word, an empty
//! one `---` or a word.

use shakmaty::Role;

use super::begun::begun;
use crate::moment::Moment;
use crate::notation::{
    Announcement, Command, Lexicon, MoveAnnouncement, Said, typed, without_en_passant,
};
use crate::score::{Entry, EntryWords, Letters, Meaning, Notated, Standing, is_joining, read_move};

/// A line with more words is not searched for several moves.
const MOST_WORDS: usize = 24;

/// No announcement has more words.
pub(super) const LONGEST: usize = 11;

/// At most this many ways to split a line are considered.
pub(super) const MOST_WAYS: usize = 200;

/// What a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// These parts, one after the other.
    Says(Vec<Part>),
    /// These moves, and then this text, which is impossible there or unclear.
    Begins(Vec<Part>, String),
    /// One or more moves, ambiguously.
    Several,
    /// Nothing.
    Nothing,
}

/// One part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What could also be spoken.
    Said(Said),
    /// An entry as on a sheet: a short notation that nobody announces, or [`Notated::Blank`] or
    /// [`Notated::Unreadable`].
    Entry(Notated),
    /// A row number, with dots for White's place or without.
    Number {
        /// The number.
        number: u32,
        /// Whether Black's move follows.
        black: bool,
    },
    /// An entry that replaces the last one.
    Instead(Notated),
}

/// The words and notation letters in which a line is typed.
pub(super) struct Wording<'a> {
    pub(super) lexicon: &'a Lexicon,
    pub(super) words: &'a EntryWords,
    pub(super) letters: Letters,
}

/// What a line means where the score so far leads to `standing`.
///
/// `e4 e5` may be one move or two. The position decides: as long as the score is in order, only one
/// reading is possible in it. No game is being played, so this reveals nothing to anybody, and
/// every entry is read back.
///
/// A move in the letters of another language is taken too, if the own letters do not know its
/// piece. The `B` of Bauer, which hardly anybody writes, counts as another language's bishop where
/// nothing else is possible.
///
/// From a line that is unclear as a whole, the possible moves are taken up to the first impossible
/// one.
pub(super) fn line(wording: &Wording<'_>, text: &str, standing: &Standing) -> Line {
    // What only a command means is no move, though letters of another language might make it one.
    let text = wording.lexicon.meant_by(text).unwrap_or(text);
    let whole = whole_line(wording, text, standing);
    if matches!(whole, Line::Says(_)) {
        return whole;
    }
    let text = text.trim().replace("(=)", " (=) ");
    let own = begun(&rows(&text), &|text| own_part(wording, text), standing);
    let mixed = |text: &str| parts_in_any_letters(wording, text);
    let mixed = begun(&rows(&text), &mixed, standing);
    let furthest = [mixed, own].into_iter().flatten();
    let furthest = furthest.max_by_key(|begun| begun.words);
    furthest.map_or(whole, |begun| match begun.rest {
        None => Line::Says(begun.parts),
        Some(rest) => Line::Begins(begun.parts, rest),
    })
}

fn own_part(wording: &Wording<'_>, text: &str) -> Vec<Part> {
    part(wording, text).into_iter().collect()
}

/// What a line means, if it is clear as a whole.
fn whole_line(wording: &Wording<'_>, text: &str, standing: &Standing) -> Line {
    let own = line_of(&|text| own_part(wording, text), text, standing);
    let is_settled = |line: &Line| match line {
        Line::Says(way) => {
            is_possible(way, standing) || !text.contains(|sign: char| sign.is_uppercase())
        }
        Line::Begins(..) | Line::Several | Line::Nothing => false,
    };
    if is_settled(&own) {
        return own;
    }
    let mixed = line_of(&|text| parts_in_any_letters(wording, text), text, standing);
    match &mixed {
        Line::Says(way) if own == Line::Nothing || is_possible(way, standing) => mixed,
        _ => own,
    }
}

/// What a line means, if `one` gives the possible meanings of each part.
fn line_of(one: &impl Fn(&str) -> Vec<Part>, line: &str, standing: &Standing) -> Line {
    let offer = Part::Said(Said::Command(Command::OfferDraw));
    let text = line.trim().replace("(=)", " (=) ");
    if text.trim() == "(=)" {
        return Line::Says(vec![offer]);
    }
    let whole = one(line).into_iter().next();
    let rows = rows(&text);
    let has_numbers = rows.len() > 1;
    let count: usize = rows.iter().map(|row| row.words.len()).sum();
    let is_move = |part: &Part| matches!(part, Part::Said(Said::Move(_) | Said::Square(_)));
    if whole.as_ref().is_some_and(|whole| !is_move(whole)) || count > MOST_WORDS {
        return whole.map_or(Line::Nothing, |whole| Line::Says(vec![whole]));
    }
    let mut ways = vec![Vec::new()];
    for row in &rows {
        let mut parts = parted(&row.words, one);
        for way in parts.iter_mut().filter(|_| !row.words.is_empty()) {
            way.splice(0..0, row.number());
        }
        let longer = ways
            .iter()
            .flat_map(|way| parts.iter().map(move |part| [&way[..], part].concat()));
        ways = longer.take(MOST_WAYS).collect();
    }
    ways.retain(|way| !way.is_empty());
    let mut possible = ways.iter().filter(|way| is_possible(way, standing));
    if let (Some(way), None) = (possible.next(), possible.next()) {
        return Line::Says(way.clone());
    }
    match (whole, ways.as_slice()) {
        (Some(whole), _) if !has_numbers => Line::Says(vec![whole]),
        (_, [only]) => Line::Says(only.clone()),
        (_, []) => Line::Nothing,
        _ => Line::Several,
    }
}

/// The single part that a text means, if it is one.
fn part(wording: &Wording<'_>, text: &str) -> Option<Part> {
    let Wording { lexicon, words, .. } = *wording;
    let text = text.trim();
    if let Some(entry) = without_a_move(words, text) {
        return Some(Part::Entry(entry));
    }
    let instead = |entry_of: &dyn Fn(&str) -> Option<Notated>| {
        let (first, rest) = text.split_once(char::is_whitespace)?;
        let entry = entry_of(rest.trim())?;
        let said = typed(lexicon, first);
        matches!(said[..], [Said::Correction(None)]).then_some(Part::Instead(entry))
    };
    if let Some(instead) = instead(&|rest| without_a_move(words, rest)) {
        return Some(instead);
    }
    // A separate sign between moves is an entry, not a comment on the move before.
    let mut single = text.split_whitespace();
    if single.any(|word| without_a_move(words, word).is_some()) {
        return None;
    }
    let on_sheet = |text: &str| on_a_sheet(wording.letters, text);
    match typed(lexicon, text).as_slice() {
        // On a sheet only a pawn has no letter.
        [said @ Said::Move(Announcement::Move(it))] if it.piece.is_none() && it.capture => {
            let spoken = || Part::Said(said.clone());
            Some(on_sheet(text).map_or_else(spoken, Part::Entry))
        }
        [said] => Some(Part::Said(said.clone())),
        [] => on_sheet(text)
            .map(Part::Entry)
            .or_else(|| instead(&on_sheet)),
        _ => None,
    }
}

/// What a text can mean in the letters of any language, the own ones first.
fn parts_in_any_letters(wording: &Wording<'_>, text: &str) -> Vec<Part> {
    let own = part(wording, text);
    let is_open = match own.as_ref().map(entry_of) {
        None => true,
        Some(Some(Notated::Move(it))) => {
            // With its letter, a pawn or captured pawn may be another language's bishop.
            let is_pawn = it.piece == Some(Role::Pawn) && text.starts_with(char::is_uppercase);
            is_pawn || it.takes == Some(Role::Pawn)
        }
        Some(_) => false,
    };
    let mut parts: Vec<Part> = own.into_iter().collect();
    let is_one_word = !text.trim().contains(char::is_whitespace);
    for letters in Letters::DISTINCT
        .into_iter()
        .filter(|_| is_open && is_one_word)
    {
        let read = on_a_sheet(letters, text).map(Part::Entry);
        parts.extend(read.filter(|read| !parts.contains(read)));
    }
    parts
}

/// A part as an entry.
pub(super) fn entry_of(part: &Part) -> Option<Notated> {
    match part {
        Part::Said(said) => {
            as_move(said).map(|announced| Entry::announced(&announced, Moment::START).notated)
        }
        Part::Entry(notated) | Part::Instead(notated) => Some(notated.clone()),
        Part::Number { .. } => None,
    }
}

/// A move in the short notation of sheets, such as `exd5`, `Sbd7` or `exd6 e.p.`, which the words
/// of announcements lack. A sign marks an unreadable target square.
fn on_a_sheet(letters: Letters, text: &str) -> Option<Notated> {
    let without = without_en_passant(text);
    let text = without.as_deref().unwrap_or(text);
    if text.split_whitespace().any(is_joining) {
        // `Lb5 schlägt c6`: neither an announcement nor signs alone.
        let notated = read_move(text, letters);
        return notated.announcement().map(|_| notated);
    }
    let mut words = text.split_whitespace();
    let (first, None) = (words.next()?, words.next()) else {
        return None;
    };
    let notated = read_move(first, letters);
    let is_move = match &notated {
        Notated::Move(it) => it.to.square().is_some() || it.takes.is_some() || first.contains('?'),
        Notated::Castling(_) => true,
        Notated::Unreadable | Notated::Blank => false,
    };
    is_move.then_some(notated)
}

/// The entry that a word or sign stands for: `?`, `---`. A single dash joins two squares.
fn without_a_move(words: &EntryWords, word: &str) -> Option<Notated> {
    let is_one_of = |words: &str| {
        let small = word.to_lowercase();
        words.split(' ').any(|known| known == small)
    };
    let is_all = |signs: &str| !word.is_empty() && word.chars().all(|it| signs.contains(it));
    if is_all("?") || is_one_of(&words.unreadable) {
        Some(Notated::Unreadable)
    } else if is_all("-–—_") && word.chars().count() > 1 || is_one_of(&words.blank) {
        Some(Notated::Blank)
    } else {
        None
    }
}

/// The words after a move number, or before the first one.
#[derive(Default)]
pub(super) struct Row<'a> {
    number: Option<u32>,
    /// Whether dots stand in White's place.
    black: bool,
    pub(super) words: Vec<&'a str>,
}

impl Row<'_> {
    pub(super) fn number(&self) -> Option<Part> {
        let black = self.black;
        self.number.map(|number| Part::Number { number, black })
    }
}

/// The words of a line, split at move numbers.
fn rows(text: &str) -> Vec<Row<'_>> {
    const DOTS: [char; 2] = ['.', '…'];

    let mut rows = vec![Row::default()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let digits = word.get(..word.len() - rest.len()).unwrap_or_default();
        let is_bare = rest.is_empty() && words.peek().is_some() && begins_row(&rows, digits);
        let is_number = !digits.is_empty() && rest.starts_with(DOTS) || is_bare;
        let move_behind = rest.trim_start_matches(DOTS);
        if is_number {
            rows.push(Row {
                number: digits.parse().ok(),
                black: rest.starts_with("..") || rest.starts_with('…'),
                words: Vec::new(),
            });
        }
        let word = if is_number { move_behind } else { word };
        let Some(row) = rows.last_mut().filter(|_| !word.is_empty()) else {
            continue;
        };
        let is_dots = word.len() > 1 && word.chars().all(|sign| DOTS.contains(&sign));
        if is_dots && row.number.is_some() && row.words.is_empty() {
            row.black = true;
        } else {
            row.words.push(word);
        }
    }
    rows
}

/// Whether digits without a dot are a row number and not a rank. They are if they begin the line,
/// or continue the count after a row whose last word is no file waiting for its rank.
fn begins_row(rows: &[Row<'_>], digits: &str) -> bool {
    let number: Option<u32> = digits.parse().ok();
    let Some((number, row)) = number.zip(rows.last()).filter(|_| !digits.starts_with('0')) else {
        return false;
    };
    match row.words.last() {
        None => rows.len() == 1 && row.number.is_none(),
        Some(last) => {
            let counts_on = row.number.and_then(|it| it.checked_add(1)) == Some(number);
            counts_on && !last.ends_with(char::is_lowercase)
        }
    }
}

/// The ways in which words can be split into moves, with commands after them. If there are very
/// many, only the first. An empty row has one way, without parts.
pub(super) fn parted(words: &[&str], one: &impl Fn(&str) -> Vec<Part>) -> Vec<Vec<Part>> {
    // For no words, the last word, the last two and so on: every rest is read once.
    let mut behind = vec![vec![Vec::new()]];
    for from in (0..words.len()).rev() {
        let ways = beginnings(&words[from..], &behind, one);
        behind.push(ways);
    }
    behind.pop().unwrap_or_default()
}

/// The ways in which words begin with a move and go on in one of the ways in `behind`. These are
/// for fewer words each, none first.
fn beginnings(
    words: &[&str],
    behind: &[Vec<Vec<Part>>],
    one: &impl Fn(&str) -> Vec<Part>,
) -> Vec<Vec<Part>> {
    let mut ways = Vec::new();
    for count in 1..=words.len().min(LONGEST) {
        let (first, rest) = words.split_at(count);
        let said = match first {
            ["(=)"] => vec![Part::Said(Said::Command(Command::OfferDraw))],
            _ => one(&first.join(" ")),
        };
        // A part without a move is the last one. An offer belongs to the move before it.
        let goes_on = |said: &Part| match said {
            Part::Entry(_)
            | Part::Said(Said::Move(_) | Said::Square(_) | Said::Command(Command::OfferDraw)) => {
                true
            }
            Part::Said(Said::Command(_)) => rest.is_empty(),
            _ => false,
        };
        for said in said.into_iter().filter(goes_on) {
            let room = MOST_WAYS - ways.len();
            let behind = behind[rest.len()].iter().take(room);
            ways.extend(behind.map(|way| [std::slice::from_ref(&said), way].concat()));
        }
    }
    ways
}

/// Whether all moves are possible one after the other. Parts without a move do not count.
fn is_possible(way: &[Part], standing: &Standing) -> bool {
    let mut standing = standing.clone();
    let entries = way.iter().filter_map(entry_of).map(Entry::new);
    let mut has_move = false;
    for entry in entries {
        if entry.notated.is_legible() {
            has_move = true;
            if !matches!(standing.read(&entry), Meaning::Legal(_)) {
                return false;
            }
        }
        standing = standing.after_entry(&entry);
    }
    has_move
}

/// A spoken part as a move. A bare square is the pawn's move to it (C.4).
pub(super) fn as_move(said: &Said) -> Option<Announcement> {
    match said {
        Said::Move(announced) => Some(announced.clone()),
        Said::Square(to) => Some(Announcement::Move(MoveAnnouncement {
            piece: Some(Role::Pawn),
            from: None,
            to: *to,
            capture: false,
            promotion: None,
            mark: None,
        })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Letters, Score, SheetWords, write_move};
    use crate::shell::german;

    fn words() -> EntryWords {
        let words = include_str!("../../../../grammar/de/scores.toml");
        SheetWords::parse(words).unwrap().entries
    }

    #[track_caller]
    fn check(before: &str, text: &str, expected: &str) {
        let standing = if before.is_empty() {
            Standing::of(Score::new(None).start())
        } else {
            let read = crate::score::read_score(before, None, 1).unwrap();
            let start = Standing::of(read.score.start());
            let entries = read.score.entries().iter();
            entries.fold(start, |standing, entry| standing.after_entry(entry))
        };
        let wording = Wording {
            lexicon: &german(),
            words: &words(),
            letters: Letters::German,
        };
        let (said, rest) = match line(&wording, text, &standing) {
            Line::Nothing => (Vec::new(), Some("nothing".to_owned())),
            Line::Several => (Vec::new(), Some("several".to_owned())),
            Line::Says(said) => (said, None),
            Line::Begins(said, rest) => (said, Some(format!("| {rest}"))),
        };
        let is_number = |part: &&Part| matches!(part, Part::Number { .. });
        let said = said.iter().filter(|part| !is_number(part));
        let said = said.map(|part| match part {
            Part::Said(said) => match as_move(said) {
                Some(announced) => {
                    let entry = Entry::announced(&announced, Moment::START);
                    write_move(&entry.notated, Letters::German)
                }
                None => format!("{said:?}"),
            },
            Part::Entry(notated) if notated.is_legible() => write_move(notated, Letters::German),
            Part::Entry(notated) => format!("{notated:?}"),
            Part::Number { .. } => String::new(),
            Part::Instead(notated) => format!("now {notated:?}"),
        });
        let told = said.chain(rest).collect::<Vec<_>>().join(" ");
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn several_moves_on_a_line_are_taken_one_after_the_other() {
        check("", "e4 e5", "e4 e5");
        check("", "1. d4 d5", "d4 d5");
        check("", "1.d4 d5 2.c4", "d4 d5 c4");
        check("", "e2 e4 e7 e5", "e2e4 e7e5");
        check("", "1. e2e4 e7e5 2. Sf3 Sc6", "e2e4 e7e5 Sf3 Sc6");
        check("", "Sf3 d5 Remis", "Sf3 d5 Command(OfferDraw)");
        check("", "e4 (=) e5", "e4 Command(OfferDraw) e5");
        check("1. e4", "1... e5", "e5");
        check("", "1 e4 e5 2 Sf3", "e4 e5 Sf3");
        check("", "1 e 2 e 4 e 7 e 5 2 Sf3", "e2e4 e7e5 Sf3");
    }

    #[test]
    fn numbers_are_told_from_ranks_without_a_dot() {
        let numbers = |text: &str| -> Vec<Option<u32>> {
            let rows = rows(text);
            rows.iter().skip(1).map(|row| row.number).collect()
        };
        assert_eq!(numbers("9 h3"), [Some(9)]);
        assert_eq!(numbers("9 h3 a6 10 g4"), [Some(9), Some(10)]);
        assert_eq!(numbers("9 h3 a6 11 g4"), [Some(9)]);
        assert_eq!(
            numbers("4 0-0 Le7 5 Te1+ Kf8 6 a3"),
            [Some(4), Some(5), Some(6)]
        );
        for text in ["e 4", "Springer g 1 f 3", "9", "0 0", "h3"] {
            assert_eq!(numbers(text), [], "{text}");
        }
        assert_eq!(numbers("1 Springer Gustav 2 f 4"), [Some(1)]);
    }

    #[test]
    fn one_move_stays_one() {
        check("", "e2 e4", "e2e4");
        check("", "1. e2 e4", "e2e4");
        check("", "Springer g1 f3", "Sg1-f3");
        check("1. e4 d6", "e4 e5", "e4e5");
        check("", "e4", "e4");
        check("", "Sf3 (=)", "Sf3 Command(OfferDraw)");
        check("", "(=)", "Command(OfferDraw)");
        let wording = Wording {
            lexicon: &german(),
            words: &words(),
            letters: Letters::German,
        };
        let corrected = line(
            &wording,
            "Korrektur e4",
            &Standing::of(Score::new(None).start()),
        );
        assert!(matches!(
            corrected,
            Line::Says(said) if matches!(said[..], [Part::Said(Said::Correction(Some(_)))])
        ));
    }

    #[test]
    fn entries_without_a_move_are_typed_as_signs_or_words() {
        for sign in ["?", "???", "unleserlich", "Unleserlich"] {
            check("", sign, "Unreadable");
            check("", &format!("e4 {sign}"), "e4 Unreadable");
            check("1. e4", &format!("Korrektur {sign}"), "now Unreadable");
        }
        for sign in ["---", "--", "leer"] {
            check("", sign, "Blank");
            check("", &format!("1. {sign} e5 2. Sf3"), "Blank e5 Sf3");
            check("1. e4", &format!("Korrektur {sign}"), "now Blank");
        }
        check("", "? ?", "Unreadable Unreadable");
        check("", "e2 - e4", "e2e4");
        check("", "e4?", "e4");
    }

    #[test]
    fn short_notation_is_taken_as_it_stands_on_sheets() {
        for text in ["exd5", "bxc3", "Sbd7", "S1d7", "Tad1", "Sbxd7", "Txd1+"] {
            check("", text, text);
        }
        check("", "ed5", "ed5");
        check("", "exd6 e.p.", "exd6");
        check("", "exd6 en passant", "exd6");
        check("1. e4 a6 2. e5 d5", "e5 schlägt d6 en passant", "?e5xd6");
        check(
            "1. e4 a6 2. e5 d5",
            "3. Bauer e5 schlägt d6 en passant cxd6",
            "e5xd6 cxd6",
        );
        check("", "e4xd5", "e4xd5");
        check("", "Lb5 schlägt c6", "Lb5xc6");
        check("1. e4 d5 2. Sf3", "2... d5 nimmt e4 3 Lb5+", "?d5xe4 Lb5+");
        check("1. d4 d5 2. c4 c6", "3. Sbd2 d6", "Sbd2 d6");
        check("1. e4 d5", "2. exd5 Dxd5", "exd5 Dxd5");
        check("", "exd5 Remis", "exd5 Command(OfferDraw)");
    }

    #[test]
    fn letters_of_several_languages_are_taken_in_one_line() {
        check("1. e4 e5", "2. Sf3 Nc6", "Sf3 Sc6");
        check("1. e4 e5", "2. Nf3 Sc6 3. Bb5 a6", "Sf3 Sc6 Lb5 a6");
        check("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "BxN dxB", "LxS dxL");
        check("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "LxS", "LxS");
        check("", "Cf3 Nf6", "Sf3 Sf6");
        // Legal as it stands, or without letters: it keeps its meaning in the own letters.
        check("1. Sf3", "Bd5", "d5");
        check("1. e4 e5", "Bb5", "Lb5");
        check("1. e4 e5", "Bb6", "b6");
        check("1. e4 e5 2. Nf3 Nc6", "Bc4", "c4");
        check("", "Kf3", "Kf3");
        check("", "Zf3", "nothing");
    }

    #[test]
    fn what_the_position_leaves_open_is_one_move_or_asked_for() {
        // Neither is possible: it is taken as it was said, and read back.
        check("1. e4 e5 2. Ke4", "h3 h5", "h3h5");
        check("", "1. h5 h4", "several");
        check("", "hm", "nothing");
        check("", "", "nothing");
    }

    #[test]
    fn what_can_stand_is_taken_and_what_cannot_is_named() {
        check("", "1. e4 e5 2. Zf9 Sc6", "e4 e5 | 2. Zf9 Sc6");
        check("", "1. e4 e5 2. Sf3 hm Lb5", "e4 e5 Sf3 | hm Lb5");
        check("", "e4 e5 Sf3 Lb4 Sxe5 xyz", "e4 e5 Sf3 Lb4 Sxe5 | xyz");
        check("", "1. e4 e5 2. Sf4 Sc6 3. d4", "e4 e5 | 2. Sf4 Sc6 3. d4");
        let offered = "1. e4 e5 (=) 2. Sf4 Sc6 3. d4";
        check("", offered, "e4 e5 Command(OfferDraw) | 2. Sf4 Sc6 3. d4");
        // The last one is kept, as on a line of its own.
        check("", "1. e4 e5 2. Ke2 Ke7 3. Tf1", "e4 e5 Ke2 Ke7 Tf1");
        // Nothing of it is possible, or more than one way leads as far.
        check("", "1. e5 e4 2. hm", "nothing");
        check("1. e4 e5 2. ?", "3. Lb5 hm", "nothing");
        check("", "Korrektur e4 hm", "nothing");
    }

    #[test]
    fn a_line_may_have_as_many_moves_as_a_game() {
        let text = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O Le7 6. Te1 b5 7. Lb3 d6 8. c3 \
                    O-O 9. h3 Sb8 10. d4 Sbd7 11. Sbd2 Lb7 12. Lc2 Te8 13. Sf1 Lf8 14. Sg3 g6";
        let is_move = |word: &&str| !word.ends_with('.');
        let moves: Vec<&str> = text.split_whitespace().filter(is_move).collect();
        assert!(moves.len() > MOST_WORDS);
        check("", text, &moves.join(" ").replace("O-O", "0-0"));
    }

    #[test]
    fn a_long_line_of_moves_with_two_readings_is_read_at_once() {
        let text = ["Rd1", "Bb5"].repeat(MOST_WORDS / 2).join(" ");
        check("", &text, "nothing");
    }
}
