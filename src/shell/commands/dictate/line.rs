//! What one typed line of a dictation says: one thing, a move and a command behind it such as
//! `Sf3 Remis`, or several moves such as `1. e4 e5`. An entry that cannot be read is `?` or a word,
//! an empty one `---` or a word.

use shakmaty::Role;

use crate::moment::Moment;
use crate::notation::{Announcement, Command, Lexicon, MoveAnnouncement, Said, typed};
use crate::score::{Entry, EntryWords, Notated, Reading, Standing};

/// A line with more words is not looked at for several moves.
const MOST_WORDS: usize = 24;

/// No announcement has more words.
const LONGEST: usize = 9;

/// No more ways to part a line are looked at.
const MOST_WAYS: usize = 200;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// This, one after the other.
    Says(Vec<Part>),
    /// One move or more; not clear which.
    Several,
    /// Nothing.
    Nothing,
}

/// One thing that a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What could be spoken as well.
    Said(Said),
    /// An entry without a move: [`Notated::Blank`] or [`Notated::Unreadable`].
    Entry(Notated),
    /// The same instead of the last entry.
    Instead(Notated),
}

/// What a line says where the score so far leads to `standing`.
///
/// `e4 e5` may be one move and may be two; the position decides, in which only one of them is
/// possible as long as the score is in order. No game is played here, so nobody learns anything by
/// it, and every entry is read back.
pub(super) fn line(lexicon: &Lexicon, words: &EntryWords, line: &str, standing: &Standing) -> Line {
    let one = |text: &str| part(lexicon, words, text);
    let offer = Part::Said(Said::Command(Command::OfferDraw));
    let text = line.trim().replace("(=)", " (=) ");
    if text.trim() == "(=)" {
        return Line::Says(vec![offer]);
    }
    let whole = one(line);
    let rows = rows(&text);
    let has_numbers = rows.len() > 1;
    let count: usize = rows.iter().map(Vec::len).sum();
    let is_move = |part: &Part| matches!(part, Part::Said(Said::Move(_) | Said::Square(_)));
    if whole.as_ref().is_some_and(|whole| !is_move(whole)) || count > MOST_WORDS {
        return whole.map_or(Line::Nothing, |whole| Line::Says(vec![whole]));
    }
    let mut ways = vec![Vec::new()];
    for row in &rows {
        let parts = parted(row, &one);
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

/// The one thing that a text says, if it is one.
fn part(lexicon: &Lexicon, words: &EntryWords, text: &str) -> Option<Part> {
    let text = text.trim();
    if let Some(entry) = without_a_move(words, text) {
        return Some(Part::Entry(entry));
    }
    if let Some((first, rest)) = text.split_once(char::is_whitespace)
        && let Some(entry) = without_a_move(words, rest.trim())
        && let [Said::Correction(None)] = typed(lexicon, first).as_slice()
    {
        return Some(Part::Instead(entry));
    }
    // A sign of its own between moves is an entry, and no opinion of the move before it.
    let mut single = text.split_whitespace();
    if single.any(|word| without_a_move(words, word).is_some()) {
        return None;
    }
    match typed(lexicon, text).as_slice() {
        [said] => Some(Part::Said(said.clone())),
        _ => None,
    }
}

/// The entry that a word stands for, in a language or by signs: `?`, `---`. One stroke alone joins
/// two squares.
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

/// The words of a line, cut where the number of a move stands.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let mut rows: Vec<Vec<&str>> = vec![Vec::new()];
    for word in text.split_whitespace() {
        let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let is_number = rest.len() < word.len() && rest.starts_with(['.', '…']);
        let move_behind = rest.trim_start_matches(['.', '…']);
        if is_number {
            rows.push(Vec::new());
        }
        let word = if is_number { move_behind } else { word };
        if let Some(row) = rows.last_mut().filter(|_| !word.is_empty()) {
            row.push(word);
        }
    }
    rows
}

/// Every way in which words can be parted into moves, with commands behind them. An empty row has
/// one way: nothing.
fn parted(words: &[&str], one: &impl Fn(&str) -> Option<Part>) -> Vec<Vec<Part>> {
    if words.is_empty() {
        return vec![Vec::new()];
    }
    let mut ways = Vec::new();
    for count in 1..=words.len().min(LONGEST) {
        let (first, rest) = words.split_at(count);
        let said = match first {
            ["(=)"] => Some(Part::Said(Said::Command(Command::OfferDraw))),
            _ => one(&first.join(" ")),
        };
        let Some(said) = said else { continue };
        // What is no move is the last thing that is said; an offer belongs to the move before it.
        let is_between = matches!(
            said,
            Part::Entry(_)
                | Part::Said(Said::Move(_) | Said::Square(_) | Said::Command(Command::OfferDraw))
        );
        let is_last = matches!(said, Part::Said(Said::Command(_))) && rest.is_empty();
        if is_between || is_last {
            let behind = parted(rest, one).into_iter();
            ways.extend(behind.map(|way| [vec![said.clone()], way].concat()));
        }
        if ways.len() >= MOST_WAYS {
            break;
        }
    }
    ways
}

/// Whether all moves are possible one after the other. Of what is no move nobody can tell.
fn is_possible(way: &[Part], standing: &Standing) -> bool {
    let mut standing = standing.clone();
    let entries = way.iter().filter_map(|part| match part {
        Part::Said(said) => {
            as_move(said).map(|announced| Entry::announced(&announced, Moment::START))
        }
        Part::Entry(notated) | Part::Instead(notated) => Some(Entry::new(notated.clone())),
    });
    let mut has_move = false;
    for entry in entries {
        if entry.notated.is_legible() {
            has_move = true;
            if !matches!(standing.read(&entry), Reading::Legal(_)) {
                return false;
            }
        }
        standing = standing.after_entry(&entry);
    }
    has_move
}

/// What is said as a move. A bare square is the pawn's move to it (C.4).
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
    use crate::notation::german;
    use crate::score::{Letters, Score, SheetWords, write_move};

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
        let told = match line(&german(), &words(), text, &standing) {
            Line::Nothing => "nothing".to_owned(),
            Line::Several => "several".to_owned(),
            Line::Says(said) => {
                let said = said.iter().map(|part| match part {
                    Part::Said(said) => match as_move(said) {
                        Some(announced) => {
                            let entry = Entry::announced(&announced, Moment::START);
                            write_move(&entry.notated, Letters::German)
                        }
                        None => format!("{said:?}"),
                    },
                    Part::Entry(notated) => format!("{notated:?}"),
                    Part::Instead(notated) => format!("now {notated:?}"),
                });
                said.collect::<Vec<_>>().join(" ")
            }
        };
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
        let corrected = line(
            &german(),
            &words(),
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
    fn what_the_position_leaves_open_is_one_move_or_asked_for() {
        // Neither is possible: it is taken as it was said, and read back.
        check("1. e4 e5 2. Ke4", "h3 h5", "h3h5");
        check("", "1. h5 h4", "several");
        check("", "hm", "nothing");
        check("", "", "nothing");
    }
}
