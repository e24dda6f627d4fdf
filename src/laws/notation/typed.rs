//! Typed text: the words of an announcement in any accepted spelling, or a written move.

use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};

use super::{
    Announcement, Castling, CheckMark, Lexicon, MoveAnnouncement, Said, Value, understand,
};

/// Returns the meanings of typed text. The list is empty if it has none.
///
/// Letter case and the spaces between words do not matter. Besides words it accepts one written
/// move: `e2e4`, `e2-e4`, `Sg1f3`, `Sf3`, `e5xd6`, `e7e8D`, `O-O`, `0-0-0`, followed by `+` or `#`.
/// A piece's letter is that of the language. Where the letter could also be a file, it must be a
/// capital. A note that a pawn's capture is en passant may follow it; nobody needs to write one.
pub fn typed(lexicon: &Lexicon, text: &str) -> Vec<Said> {
    let readings = typed_as_it_is(lexicon, text);
    if !readings.is_empty() {
        return readings;
    }
    let rest = without_en_passant(text);
    let readings = rest.map(|rest| typed_as_it_is(lexicon, &rest));
    let is_fitting = |said: &Said| match said {
        Said::Move(announced) | Said::Correction(Some(announced)) => can_be_en_passant(announced),
        _ => false,
    };
    readings
        .filter(|readings| readings.iter().all(is_fitting))
        .unwrap_or_default()
}

/// Returns a text without the words for an en passant capture. `None` if it has none. Every
/// language has the words of the Laws (3.7.4) and the sign of score sheets. German sheets have one
/// of their own (im Vorübergehen).
pub fn without_en_passant(text: &str) -> Option<String> {
    const WORDS: [&str; 4] = ["en passant", "en-passant", "enpassant", "e. p."];
    const SIGNS: [&str; 6] = ["e.p.", "e.p", "ep.", "ep", "i.v.", "i.v"];

    let small = text.to_ascii_lowercase();
    let is_end = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    let found = WORDS.iter().chain(&SIGNS).find_map(|words| {
        let (before, behind) = small.split_once(words)?;
        // The sign may follow the square directly, and a check may follow the sign.
        let begins = !before.ends_with(char::is_alphabetic) && !before.trim().is_empty();
        (begins && is_end(behind)).then_some((before.len(), before.len() + words.len()))
    });
    let (end, begin) = found?;
    let (before, behind) = (text.get(..end)?, text.get(begin..)?);
    let is_sign = behind.starts_with(['+', '#']);
    let gap = if is_sign { "" } else { " " };
    Some(format!("{}{gap}{}", before.trim_end(), behind.trim_start()))
}

/// Returns whether a pawn captures, or goes to another file.
fn can_be_en_passant(announced: &Announcement) -> bool {
    let Announcement::Move(it) = announced else {
        return false;
    };
    let changes_file = it.from.is_some_and(|from| from.file() != it.to.file());
    matches!(it.piece, None | Some(Role::Pawn)) && (it.capture || changes_file)
}

/// Returns the meanings of the text exactly as typed.
fn typed_as_it_is(lexicon: &Lexicon, text: &str) -> Vec<Said> {
    let text = text.trim();
    let words = words_of(lexicon, text);
    let readings = words.map(|words| understand(lexicon, &words));
    let readings = readings.unwrap_or_default();
    if !readings.is_empty() {
        return readings;
    }
    let said = corrected(lexicon, text).or_else(|| written(lexicon, text));
    said.into_iter().collect()
}

/// Returns the meanings as [`typed`] does, with more forms that are typed at a table. These are the
/// letters `N`, `Q` and `R` of English notation, where the language has no piece of that letter,
/// a pawn's capture by its file, `exd5` and "eva takes david five", and a line in capitals, `EXD5`.
/// `side` is the side that moves. A pawn of it that could not come to the square, from wherever it
/// started, is not read: `exd2` is nothing that White can mean.
pub fn typed_at_table(lexicon: &Lexicon, text: &str, side: Color) -> Vec<Said> {
    let readings = in_any_letters(lexicon, text, side);
    let Some(small) = in_small_letters(text) else {
        return readings;
    };
    let by_file = by_file(lexicon, &small, side);
    match by_file {
        _ if readings.is_empty() => in_any_letters(lexicon, &small, side),
        // A capital letter may be a piece's as well as a file's. Then both are meant, but a pawn is
        // a pawn.
        Some(said) => {
            let others = readings.into_iter().filter(|it| !is_bare_pawn(it));
            others.chain([said]).collect()
        }
        None => readings,
    }
}

/// Returns whether a pawn captures and nothing says where it comes from.
fn is_bare_pawn(said: &Said) -> bool {
    matches!(
        said,
        Said::Move(Announcement::Move(MoveAnnouncement {
            piece: Some(Role::Pawn),
            from: None,
            ..
        }))
    )
}

/// Returns the meanings of text in the letters of the language, and else in English ones.
fn in_any_letters(lexicon: &Lexicon, text: &str, side: Color) -> Vec<Said> {
    let readings = typed(lexicon, text);
    if !readings.is_empty() {
        return readings;
    }
    let own = in_own_letters(lexicon, text.trim());
    let text = own.as_deref().unwrap_or(text);
    let readings = typed(lexicon, text);
    if readings.is_empty() {
        by_file(lexicon, text, side).into_iter().collect()
    } else {
        readings
    }
}

/// Returns a move that is typed in capitals, in small letters. `None` if it is something else.
fn in_small_letters(text: &str) -> Option<String> {
    let is_capitals = text.len() <= 16
        && text.contains(|letter: char| letter.is_ascii_digit())
        && text.contains(|letter: char| letter.is_ascii_uppercase())
        && !text.contains(char::is_lowercase);
    is_capitals.then(|| text.to_lowercase())
}

/// Returns a written move with the unambiguous English letters replaced by those of the language.
/// `None` if it has none.
fn in_own_letters(lexicon: &Lexicon, text: &str) -> Option<String> {
    let is_written = text.len() <= 16 && text.contains(|letter: char| letter.is_ascii_digit());
    let own = |letter: char| {
        let role = english(letter)?;
        lexicon.role_of_letter(letter).is_none().then_some(())?;
        ('A'..='Z').find(|other| lexicon.role_of_letter(*other) == Some(role))
    };
    let changed: String = text.chars().map(|it| own(it).unwrap_or(it)).collect();
    (is_written && changed != text).then_some(changed)
}

/// Reads a pawn's capture that names only the file it comes from, such as `exd5` or "eva takes
/// david five". A pawn never stands on the first or the last rank, and never captures backwards.
fn by_file(lexicon: &Lexicon, text: &str, side: Color) -> Option<Said> {
    let plain = without_en_passant(text);
    let text = plain.as_deref().unwrap_or(text);
    let spelt = capture_in_signs(lexicon, text);
    let letters = without_spaces(spelt.as_deref().unwrap_or(text));
    let [file, 'x' | ':', to @ ..] = letters.as_slice() else {
        return None;
    };
    let (from, (to_square, _)) = (File::from_char(*file)?, leading_square(to)?);
    if from.distance(to_square.file()) != 1 {
        return None;
    }
    let rank = to_square.rank().offset(side.fold_wb(-1, 1))?;
    if matches!(rank, Rank::First | Rank::Eighth) {
        return None;
    }
    let origin = Square::from_coords(from, rank);
    let behind: String = to.iter().collect();
    written(lexicon, &format!("{origin}x{behind}")).map(of_a_pawn)
}

/// Names the pawn: another piece that stands there is not meant.
fn of_a_pawn(said: Said) -> Said {
    match said {
        Said::Move(Announcement::Move(it)) => Said::Move(Announcement::Move(MoveAnnouncement {
            piece: Some(Role::Pawn),
            ..it
        })),
        other => other,
    }
}

/// Writes the words of such a capture as it is written: "pawn eva takes d5+" is `exd5+`.
fn capture_in_signs(lexicon: &Lexicon, text: &str) -> Option<String> {
    let text = without_remarks(text);
    let unmarked = text.trim_end_matches(['+', '#']);
    let (text, mark) = text.split_at(unmarked.len());
    let mut words = Vec::new();
    let is_all_words = text
        .split_whitespace()
        .all(|token| push_words(lexicon, token, &mut words));
    let values: Option<Vec<Value>> = words.iter().map(|word| lexicon.value(word)).collect();
    match values.filter(|_| is_all_words)?.as_slice() {
        [
            Value::File(from),
            Value::Captures,
            Value::File(file),
            Value::Rank(rank),
        ]
        | [
            Value::Role(Role::Pawn),
            Value::File(from),
            Value::Captures,
            Value::File(file),
            Value::Rank(rank),
        ] => Some(format!(
            "{}x{}{}{mark}",
            from.char(),
            file.char(),
            rank.char()
        )),
        _ => None,
    }
}

/// Reads a correction followed by a written move: `Korrektur Sg1h3`.
fn corrected(lexicon: &Lexicon, text: &str) -> Option<Said> {
    let (command, rest) = text.split_once(char::is_whitespace)?;
    let word = lexicon.canonical(command.trim_end_matches([',', ':', '.', '!']))?;
    let is_correction = understand(lexicon, &[word]) == [Said::Correction(None)];
    match written(lexicon, rest)? {
        Said::Move(announced) if is_correction => Some(Said::Correction(Some(announced))),
        _ => None,
    }
}

/// Returns the words of a text in their usual spelling. `None` if any of them is none.
pub(super) fn words_of<'a>(lexicon: &'a Lexicon, text: &str) -> Option<Vec<&'a str>> {
    let mut words = Vec::new();
    let is_all_words = text
        .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '.' | '!' | '?'))
        .filter(|token| !token.is_empty())
        .all(|token| push_words(lexicon, token, &mut words));
    is_all_words.then_some(words)
}

/// Adds a word in any spelling, or squares such as `e4`, `g1-f3` or `e5xd6+`, each of which is two
/// words.
fn push_words<'a>(lexicon: &'a Lexicon, token: &str, words: &mut Vec<&'a str>) -> bool {
    if let Some(word) = lexicon.canonical(token) {
        words.push(word);
        return true;
    }
    let letters: Vec<char> = token.chars().take(16).collect();
    let Some(values) = squares_in(&letters) else {
        return false;
    };
    words.extend(
        values
            .into_iter()
            .filter_map(|value| lexicon.word_for(value)),
    );
    true
}

/// Reads one square, or two with what joins them, and the sign of a check behind them.
fn squares_in(letters: &[char]) -> Option<Vec<Value>> {
    let of = |square: Square| [Value::File(square.file()), Value::Rank(square.rank())];
    let (first, rest) = leading_square(letters)?;
    let mut values = Vec::from(of(first));
    let (joined, behind) = leading_join(rest);
    let rest = match leading_square(behind) {
        Some((second, rest)) => {
            values.extend(joined.filter(|it| *it == 'x').map(|_| Value::Captures));
            values.extend(of(second));
            rest
        }
        None => rest,
    };
    match rest {
        [] => {}
        ['+'] | ['+', '+'] => values.push(Value::Check),
        ['#'] => values.push(Value::Mate),
        _ => return None,
    }
    Some(values)
}

/// Returns a move without the marks of whoever comments on it: `Qb4!?`.
fn without_remarks(text: &str) -> &str {
    text.trim().trim_end_matches(['!', '?']).trim_end()
}

fn without_spaces(text: &str) -> Vec<char> {
    let letters = without_remarks(text).chars();
    letters.filter(|c| !c.is_whitespace()).take(16).collect()
}

/// Reads a written move. Texts longer than any such move are ignored.
fn written(lexicon: &Lexicon, text: &str) -> Option<Said> {
    let letters = without_spaces(text);
    let (letters, mark) = match letters.as_slice() {
        [rest @ .., '+', '+'] | [rest @ .., '+'] => (rest, Some(CheckMark::Check)),
        [rest @ .., '#'] => (rest, Some(CheckMark::Mate)),
        rest => (rest, None),
    };
    let castling: String = letters
        .iter()
        .map(|letter| {
            if matches!(letter, 'o' | 'O') {
                '0'
            } else {
                *letter
            }
        })
        .collect();
    let side = match castling.as_str() {
        "0-0" | "00" => Some(CastlingSide::KingSide),
        "0-0-0" | "000" => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if let Some(side) = side {
        return Some(Said::Move(Announcement::Castling(Castling { side, mark })));
    }
    let (piece, rest) = leading_piece(lexicon, letters);
    let (first, rest) = leading_square(rest)?;
    let (joined, rest) = leading_join(rest);
    let (from, to, capture, rest) = match leading_square(rest) {
        Some((second, rest)) => (Some(first), second, joined == Some('x'), rest),
        None if joined.is_none() => (None, first, rest_captures(letters), rest),
        None => return None,
    };
    let promotion = match rest {
        [] => None,
        ['=', letter] | ['(', letter, ')'] | [letter] => Some(promotion(lexicon, *letter)?),
        _ => return None,
    };
    let can_promote = matches!(piece, None | Some(Role::Pawn));
    if promotion.is_some() && !can_promote {
        return None;
    }
    Some(Said::Move(Announcement::Move(MoveAnnouncement {
        piece,
        from,
        to,
        capture,
        promotion,
        mark,
    })))
}

fn leading_piece<'a>(lexicon: &Lexicon, letters: &'a [char]) -> (Option<Role>, &'a [char]) {
    let [first, rest @ ..] = letters else {
        return (None, letters);
    };
    if leading_square(letters).is_some() {
        return (None, letters);
    }
    let role = if File::from_char(*first).is_some() {
        None
    } else {
        capital(*first).and_then(|letter| lexicon.role_of_letter(letter))
    };

    match (role, rest) {
        (Some(role), ['x' | 'X' | ':', rest @ ..]) => (Some(role), rest),
        (Some(role), rest) => (Some(role), rest),
        (None, _) => (None, letters),
    }
}

/// Returns the piece of an English letter that looks like no other piece.
const fn english(letter: char) -> Option<Role> {
    match letter {
        'N' => Some(Role::Knight),
        'Q' => Some(Role::Queen),
        'R' => Some(Role::Rook),
        _ => None,
    }
}

/// Returns whether a short form captures. Its second letter shows that, as in `Sxf3`.
fn rest_captures(letters: &[char]) -> bool {
    matches!(letters, [_, 'x' | 'X' | ':', ..])
}

fn leading_square(letters: &[char]) -> Option<(Square, &[char])> {
    let [file, rank, rest @ ..] = letters else {
        return None;
    };
    let file = File::from_char(file.to_ascii_lowercase())?;
    let rank = Rank::from_char(*rank)?;
    Some((Square::from_coords(file, rank), rest))
}

fn leading_join(letters: &[char]) -> (Option<char>, &[char]) {
    match letters {
        ['x' | 'X' | ':', rest @ ..] => (Some('x'), rest),
        ['-', rest @ ..] => (Some('-'), rest),
        rest => (None, rest),
    }
}

fn promotion(lexicon: &Lexicon, letter: char) -> Option<Role> {
    let role = lexicon.role_of_letter(capital(letter)?)?;
    matches!(role, Role::Queen | Role::Rook | Role::Bishop | Role::Knight).then_some(role)
}

fn capital(letter: char) -> Option<char> {
    letter.to_uppercase().next()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::{Style, german, words};

    #[track_caller]
    fn at_table(lexicon: &Lexicon, side: Color, text: &str, expected: &str) {
        let said = typed_at_table(lexicon, text, side);
        let said = said.iter().map(|said| match said {
            Said::Move(announcement) => words(lexicon, announcement, Style::Long).join(" "),
            other => format!("{other:?}"),
        });
        assert_eq!(said.collect::<Vec<_>>().join(" or "), expected, "{text}");
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let german = german();
        let said = typed(&german, text)
            .iter()
            .map(|said| match said {
                Said::Move(announcement) => words(&german, announcement, Style::Long).join(" "),
                other => format!("{other:?}"),
            })
            .collect::<Vec<_>>();
        assert_eq!(said.join(" or "), expected, "{text}");
    }

    #[test]
    fn english_notation_is_taken_where_it_looks_like_nothing_else() {
        let table = |text: &str, expected: &str| at_table(&german(), Color::White, text, expected);
        table("Nf3", "springer felix drei");
        table("Qxd5", "dame schlägt david fünf");
        table("Qxd5+", "dame schlägt david fünf schach");
        table("e7e8Q", "eva sieben eva acht dame");
        // The bishop's letter is also a file and the German pawn's letter. A small letter is a
        // file.
        table("Bb5", "bauer bella fünf");
        table("exd5", "bauer eva vier schlägt david fünf");
        table("exd8Q+", "bauer eva sieben schlägt david acht dame schach");
        table("axc3", "");
        for text in ["eva schlägt david fünf", "Bauer e schlägt d5", "e x d5"] {
            table(text, "bauer eva vier schlägt david fünf");
        }
        table("eva schlägt", "");
        table("eva schlägt gustav fünf", "");
    }

    #[test]
    fn a_pawn_comes_from_where_a_pawn_can_stand() {
        let german = german();
        for (side, text, expected) in [
            (Color::Black, "exd5", "bauer eva sechs schlägt david fünf"),
            (Color::White, "exd3", "bauer eva zwei schlägt david drei"),
            (Color::White, "exd2", ""),
            (Color::White, "exd1", ""),
            (Color::White, "EXD2+", ""),
            (Color::White, "e schlägt d2", ""),
            (Color::Black, "exd6", "bauer eva sieben schlägt david sechs"),
            (Color::Black, "exd7", ""),
            (Color::Black, "exd8", ""),
            (
                Color::Black,
                "exd1=D",
                "bauer eva zwei schlägt david eins dame",
            ),
        ] {
            at_table(&german, side, text, expected);
        }
    }

    #[test]
    fn what_is_typed_as_players_write_it_is_understood() {
        let table = |text: &str, expected: &str| at_table(&german(), Color::White, text, expected);
        let captures = "bauer eva fünf schlägt david sechs";
        for text in [
            "exd6 e.p.",
            "exd6 ep",
            "EXD6",
            "EXD6 EP",
            "e x d6!",
            "e:d6?!",
        ] {
            table(text, captures);
        }
        table("e x d6+", &format!("{captures} schach"));
        table("eva schlägt d6+", &format!("{captures} schach"));
        table("Springer g1-f3", "springer gustav eins felix drei");
        table(
            "Springer g1xf3+",
            "springer gustav eins schlägt felix drei schach",
        );
        table("SG1-F3", "springer gustav eins felix drei");
        table("Db4!", "dame bella vier");
        table("Qb4?!", "dame bella vier");
        table("Db4++", "dame bella vier schach");
        table("DXB4", "dame schlägt bella vier");
        table("e8(D)", "eva acht dame");
        table("e7e8 = Dame", "eva sieben eva acht dame");
        table("e7e8 Umwandlung Dame", "eva sieben eva acht dame");
        // The letter of the queen and the file of the pawn are the same in capitals.
        let both = "dame schlägt eva fünf or bauer david vier schlägt eva fünf";
        table("DXE5", both);
        table("BXC3", "bauer bella zwei schlägt cesar drei");
        for text in [
            "e8(",
            "e8()",
            "g1-",
            "Db4+++",
            "Springer g1-f3-e5",
            "!",
            "e x",
        ] {
            table(text, "");
        }
    }

    #[test]
    fn words_are_accepted_in_every_spelling() {
        check(
            "Springer Gustaf 1 Felix drei",
            "springer gustav eins felix drei",
        );
        check("LAEUFER x hektor 7", "läufer schlägt hector sieben");
        check("Bauer e2 e4", "bauer eva zwei eva vier");
        check("bauer e 2 e 4", "bauer eva zwei eva vier");
        check("Kurze Rochade!", "kurze rochade");
        check("j'adoube", "Command(Adjust)");
        check("a8 = Dame", "anna acht dame");
        check("e4", "Square(E4)");
        check("felix drei", "Square(F3)");
    }

    #[test]
    fn written_moves_are_accepted() {
        check("e2e4", "eva zwei eva vier");
        check("E2-E4", "eva zwei eva vier");
        check("Sg1f3", "springer gustav eins felix drei");
        check("sg1-f3+", "springer gustav eins felix drei schach");
        check("Sxf3", "springer schlägt felix drei");
        check("e5xd6", "eva fünf schlägt david sechs");
        check("De1", "dame eva eins");
        check("de1", "");
        check("Bb5", "bauer bella fünf");
        check("e7e8D", "eva sieben eva acht dame");
        check("e7e8=s#", "eva sieben eva acht springer matt");
        check("O-O", "kurze rochade");
        check("0-0-0+", "lange rochade schach");
        check("Ta1a8D", "");
        check("e7e8K", "");
        for text in ["Korrektur Sg1h3", "korrektur: Sg1-h3"] {
            let said = typed(&german(), text);
            assert!(matches!(said[..], [Said::Correction(Some(_))]), "{text}");
        }
        check("Korrektur Zf3", "");
    }

    #[test]
    fn a_capture_may_be_said_to_be_en_passant() {
        let captures = "bauer eva fünf schlägt felix sechs";
        for words in ["en passant", "En Passant", "e.p.", "e. p.", "i.V."] {
            check(&format!("Bauer e5 schlägt f6 {words}"), captures);
        }
        check(
            &format!("{captures} en passant matt"),
            &format!("{captures} matt"),
        );
        check("e5xf6 e.p.", "eva fünf schlägt felix sechs");
        check("e5xf6e.p.+", "eva fünf schlägt felix sechs schach");
        check("e5 f6 en passant", "eva fünf felix sechs");
        let corrected = typed(&german(), "Korrektur e5xf6 e.p.");
        assert!(matches!(corrected[..], [Said::Correction(Some(_))]));
        for text in [
            "Sg1f3 e.p.",
            "e2 e4 en passant",
            "en passant",
            "e4 en passant",
            "remis ep",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn nonsense_means_nothing() {
        for text in [
            "", "   ", "e9", "exd", "Zf3", "x", "hallo", "e2e4e5", "+", "ßßß",
        ] {
            check(text, "");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "\\PC{0,40}") {
            typed(&german(), &text);
        }
    }
}
