//! Reads and writes one move in the letters of a language.

use shakmaty::{CastlingSide, File, Rank, Role};

use super::english::mark_sign;
use super::in_words::in_signs_of_all;
use super::letters::{CYRILLIC_KING, Letters};
use super::notated::{Notated, NotatedMove, PartialSquare};
use annexd_laws::notation::{Castling, CheckMark};

/// Reads one written word of a score. Nothing is an error: an unreadable word is
/// [`Notated::Unreadable`], or [`Notated::Blank`] if only the place is marked.
///
/// It reads long and short form, any mark of capture, check, mate, en passant and promotion, both
/// kinds of castling, and figurines. `?` inside a move stands for an illegible letter. After a
/// whole move, `!` and `?` are an opinion and are ignored.
pub fn read_move(word: &str, letters: Letters) -> Notated {
    // Only a move in words has spaces inside.
    let in_words = word.trim().contains(' ').then(|| in_signs_of_all(word));
    if let Some(signs) = in_words.flatten() {
        return read_move(&signs, letters);
    }
    let plain: String = word
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '\u{fe0e}')
        .map(plain_stroke)
        .collect();
    let plain = in_latin_squares(&plain.replace(CYRILLIC_KING, "♔"));
    if plain.is_empty() || plain.chars().all(|letter| "-–—_.…·".contains(letter)) {
        return Notated::Blank;
    }
    let (body, mark) = without_mark(&plain);
    if let Some(signs) = in_signs(body) {
        return match piece_move(&signs, mark, letters) {
            Some(Notated::Move(notated)) => Notated::Move(of_any_piece(notated, &signs)),
            _ => Notated::Unreadable,
        };
    }
    if let Some(side) = castling(body) {
        return Notated::Castling(Castling { side, mark });
    }
    // A capital and a rank are a square, not a piece without its file.
    let is_square = matches!(body.as_bytes(), [b'A'..=b'H', b'1'..=b'8']);
    let as_written = (!is_square).then(|| piece_move(body, mark, letters));
    let is_new = || {
        piece_move(
            body.strip_suffix('N').filter(|it| is_whole(it))?,
            mark,
            letters,
        )
    };
    as_written
        .flatten()
        .or_else(|| piece_move(&without_capitals(body), mark, letters))
        .or_else(is_new)
        .or_else(|| capture_of_piece(body, mark, letters))
        .unwrap_or(Notated::Unreadable)
}

/// Returns a move in Cyrillic letters with Latin ones for squares and capture marks, as far as they
/// look alike.
fn in_latin_squares(word: &str) -> String {
    let latin = word.chars().map(|sign| match sign {
        'а' => 'a',
        'в' => 'b',
        'с' => 'c',
        'е' => 'e',
        'х' | 'Х' => 'x',
        sign => sign,
    });
    latin.collect()
}

/// Replaces the hyphens that word processors use by the usual one.
pub(super) const fn plain_stroke(sign: char) -> char {
    match sign {
        '‐' | '‑' | '‒' => '-',
        sign => sign,
    }
}

/// Words between two squares, or between a piece and a square, with their signs.
const WORDS: [(&str, char); 21] = [
    ("captures", 'x'),
    ("capture", 'x'),
    ("captura", 'x'),
    ("takes", 'x'),
    ("schlägt", 'x'),
    ("schlaegt", 'x'),
    ("nimmt", 'x'),
    ("slår", 'x'),
    ("slaar", 'x'),
    ("tager", 'x'),
    ("tar", 'x'),
    ("toma", 'x'),
    ("come", 'x'),
    ("prend", 'x'),
    ("slaat", 'x'),
    ("neemt", 'x'),
    ("nach", '-'),
    ("naar", '-'),
    ("till", '-'),
    ("til", '-'),
    ("to", '-'),
];

/// Returns whether a word joins two squares to a move.
pub fn is_joining(word: &str) -> bool {
    joining_sign(word).is_some()
}

/// Returns the sign for a word between two squares.
pub(super) fn joining_sign(word: &str) -> Option<char> {
    let known = WORDS.iter().find(|(known, _)| *known == word);
    known.map(|(_, sign)| *sign)
}

/// Returns a move with the sign for the word between its parts: `e4schlägtd5`.
fn in_signs(body: &str) -> Option<String> {
    let sign = |(word, sign): &(&str, char)| {
        let (before, after) = body.split_once(word)?;
        let is_inside = !before.is_empty() && !after.is_empty();
        is_inside.then(|| format!("{before}{sign}{after}"))
    };
    WORDS.iter().find_map(sign)
}

/// Returns a move from square to square in words, as it is announced. Without a name the piece on
/// the first square decides.
fn of_any_piece(notated: NotatedMove, signs: &str) -> NotatedMove {
    let is_unnamed = signs.starts_with(|first: char| ('a'..='h').contains(&first));
    let piece = notated
        .piece
        .filter(|_| !is_unnamed || notated.from.square().is_none());
    NotatedMove { piece, ..notated }
}

/// Reads a capture that names the captured piece and not its square, as some people write: `LxS`,
/// `exB`.
fn capture_of_piece(body: &str, mark: Option<CheckMark>, letters: Letters) -> Option<Notated> {
    let (at, last) = body.char_indices().next_back()?;
    let capture = body.get(..at)?;
    let is_capture = capture.ends_with(['x', 'X', ':', '×']) && capture.chars().count() > 1;
    let taken = letters.role(last).filter(|role| *role != Role::King);
    match piece_move(&format!("{capture}??"), mark, letters)? {
        Notated::Move(notated) if is_capture && taken.is_some() => {
            let takes = taken;
            Some(Notated::Move(NotatedMove { takes, ..notated }))
        }
        _ => None,
    }
}

/// Returns squares in small letters, for text typed with caps lock: `SG1-F3`, `EXD5`.
fn without_capitals(body: &str) -> String {
    let letters: Vec<char> = body.chars().collect();
    let small = letters.iter().enumerate().map(|(at, &letter)| {
        let next = letters.get(at + 1);
        let is_file = matches!(letter, 'A'..='H')
            && next.is_some_and(|next| next.is_ascii_digit() || matches!(next, 'x' | 'X' | ':'));
        if is_file {
            letter.to_ascii_lowercase()
        } else {
            letter
        }
    });
    small.collect()
}

/// Writes a move in the letters of a language, as short or as long as it is known: `Sg1-f3`,
/// `exd6`, `e8D`, `0-0`. Unknown parts are `?`.
///
/// Reading it gives the same move. An unnamed piece is written as `?`, or as devices do: `g1f3`.
pub fn write_move(notated: &Notated, letters: Letters) -> String {
    let notated = match notated {
        Notated::Move(notated) => notated,
        Notated::Castling(Castling { side, mark }) => {
            let rings = match side {
                CastlingSide::KingSide => "0-0",
                CastlingSide::QueenSide => "0-0-0",
            };
            return format!("{rings}{}", mark_sign(*mark));
        }
        Notated::Unreadable => return "?".to_owned(),
        Notated::Blank => return "-".to_owned(),
    };
    let mut text = String::new();
    let both = notated.from.square().zip(notated.to.square());
    let is_coordinates = notated.piece.is_none() && both.is_some() && !notated.capture;
    match notated.piece {
        Some(role) => text.push_str(&letters.written(role)),
        None if is_coordinates => {}
        None => text.push('?'),
    }
    text.extend(notated.from.file.map(File::char));
    text.extend(notated.from.rank.map(Rank::char));
    if notated.capture {
        text.push('x');
    } else if notated.from.square().is_some() && !is_coordinates {
        text.push('-');
    }
    match notated
        .takes
        .filter(|_| notated.to == PartialSquare::UNKNOWN)
    {
        Some(taken) => text.push(letters.letter_of_taken(taken)),
        None => text.push_str(&notated.arrival()),
    }
    if let Some(role) = notated.promotion {
        text.push('=');
        text.extend(letters.letter(role));
    }
    text.push_str(mark_sign(notated.mark));
    text
}

/// Returns the word without marks of check, mate, en passant and opinion, and the mark of check or
/// mate.
fn without_mark(word: &str) -> (&str, Option<CheckMark>) {
    const ENDINGS: [(&str, Option<CheckMark>); 28] = [
        // An annotator's opinion of the position, or the mark of a new move.
        ("+-", None),
        ("-+", None),
        ("+/-", None),
        ("-/+", None),
        ("+=", None),
        ("=+", None),
        ("TN", None),
        ("++", Some(CheckMark::Mate)),
        ("+", Some(CheckMark::Check)),
        ("#", Some(CheckMark::Mate)),
        ("‡", Some(CheckMark::Mate)),
        ("†", Some(CheckMark::Check)),
        ("matt", Some(CheckMark::Mate)),
        ("mate", Some(CheckMark::Mate)),
        ("mat", Some(CheckMark::Mate)),
        ("sch", Some(CheckMark::Check)),
        ("sch.", Some(CheckMark::Check)),
        ("schach", Some(CheckMark::Check)),
        ("dbl.ch", Some(CheckMark::Check)),
        ("ch.", Some(CheckMark::Check)),
        ("ch", Some(CheckMark::Check)),
        ("e.p.", None),
        ("e.p", None),
        ("ep", None),
        ("i.V.", None),
        ("i.V", None),
        ("!", None),
        (",", None),
    ];
    let (mut body, mut mark) = (word, None);
    loop {
        let before = body;
        for (ending, meaning) in ENDINGS {
            if let Some(rest) = body.strip_suffix(ending) {
                body = rest;
                mark = mark.or(meaning);
                break;
            }
        }
        // A question mark after a whole square, promotion or castling is an opinion. A full stop
        // has no meaning.
        if let Some(rest) = body.strip_suffix(['?', '.'])
            && is_whole(rest.trim_end_matches(['?', '!', '+', '#']))
        {
            body = rest;
        }
        if body == before {
            return (body, mark);
        }
    }
}

fn is_whole(body: &str) -> bool {
    let mut backwards = body.chars().rev();
    let (last, before) = (backwards.next(), backwards.next());
    let ends_in_square = last.is_some_and(|rank| ('1'..='8').contains(&rank))
        && before.is_some_and(|file| ('a'..='h').contains(&file));
    let inner = body.strip_suffix(')').unwrap_or(body);
    let stem = inner
        .strip_suffix(char::is_alphabetic)
        .map(|stem| stem.trim_end_matches(['=', '/', '(']))
        .and_then(|stem| stem.strip_suffix(['1', '8']));
    let ends_in_promotion =
        stem.is_some_and(|stem| stem.ends_with(|file| ('a'..='h').contains(&file)));
    ends_in_square || ends_in_promotion || castling(body).is_some()
}

fn castling(body: &str) -> Option<CastlingSide> {
    let rings: usize = body
        .chars()
        .map(|letter| match letter {
            'O' | 'o' | '0' | 'Ο' | 'О' => Some(1),
            '-' | '–' | '—' | '−' | '.' => Some(0),
            _ => None,
        })
        .sum::<Option<usize>>()?;
    match rings {
        2 => Some(CastlingSide::KingSide),
        3 => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// One sign between the piece letter and the promotion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    File(File),
    Rank(Rank),
    Illegible,
    Dash,
    Capture,
}

fn sign(letter: char) -> Option<Sign> {
    Some(match letter {
        'a'..='h' => Sign::File(File::from_char(letter)?),
        '1'..='8' => Sign::Rank(Rank::from_char(letter)?),
        '?' | '_' | '*' | '·' => Sign::Illegible,
        '-' | '–' | '—' | '−' => Sign::Dash,
        'x' | 'X' | ':' | '×' => Sign::Capture,
        _ => return None,
    })
}

fn piece_move(body: &str, mark: Option<CheckMark>, letters: Letters) -> Option<Notated> {
    let mut rest = body;
    let first = rest.chars().next()?;
    let named = letters
        .role(first)
        .or_else(|| small_letter(first, letters))
        .map(Some);
    // A question mark before a whole square stands for the piece.
    let illegible = first == '?';
    let piece = match named {
        Some(role) => role,
        None if illegible && unnamed_piece(rest) => None,
        None => Some(Role::Pawn),
    };
    if named.is_some() || (illegible && piece.is_none()) {
        rest = rest.strip_prefix(first)?;
    }
    let (rest, promotion) = without_promotion(rest, letters)?;
    let mut signs: Vec<Sign> = rest.chars().map(sign).collect::<Option<_>>()?;
    let nothing_legible = signs.iter().all(|sign| *sign == Sign::Illegible);
    if named.is_none() && nothing_legible {
        return None;
    }
    let capture = signs.contains(&Sign::Capture);
    // Lf4: is an old way to write a capture.
    if signs.last() == Some(&Sign::Capture) {
        signs.pop();
        // But d: captures from that file, and the rest is lost.
        if matches!(signs.as_slice(), [Sign::File(_)]) {
            signs.extend([Sign::Capture, Sign::Illegible]);
        }
    }
    let (from, to) = squares(&signs, piece)?;
    if piece == Some(Role::Pawn) && from == to && to == PartialSquare::UNKNOWN {
        return None;
    }
    if promotion.is_some() && piece.is_some_and(|role| role != Role::Pawn) {
        return None;
    }
    let is_coordinates = named.is_none() && from.square().is_some() && !signs.contains(&Sign::Dash);
    Some(Notated::Move(NotatedMove {
        // g1f3 without a letter and a dash is how devices write any piece.
        piece: if is_coordinates && !capture {
            None
        } else {
            piece
        },
        from,
        to,
        capture,
        takes: None,
        promotion,
        mark,
    }))
}

/// Returns whether `?` at the beginning stands for a piece letter. A square follows, whose file or
/// rank may also be illegible.
fn unnamed_piece(word: &str) -> bool {
    let signs = word.chars().skip(1).map(sign);
    let mut signs = signs.filter(|sign| *sign != Some(Sign::Capture));
    match (signs.next(), signs.next()) {
        (Some(Some(Sign::File(_))), second) => second.is_some(),
        (Some(Some(Sign::Illegible)), Some(Some(second))) => matches!(second, Sign::Rank(_)),
        _ => false,
    }
}

/// Some writers and scans lose the capitals. A small letter that is no file can still be
/// recognised.
fn small_letter(letter: char, letters: Letters) -> Option<Role> {
    if ('a'..='h').contains(&letter) || !letter.is_lowercase() {
        return None;
    }
    letters.role(letter.to_ascii_uppercase())
}

fn without_promotion(body: &str, letters: Letters) -> Option<(&str, Option<Role>)> {
    let inner = body.strip_suffix(')').unwrap_or(body);
    let Some(last) = inner.chars().next_back() else {
        return Some((body, None));
    };
    let before = inner.strip_suffix(last).unwrap_or(inner);
    let stem = before.trim_end_matches(['=', '/', '(']);
    let mut backwards = stem.chars().rev();
    let on_last_rank = match (backwards.next(), backwards.next()) {
        (Some('1' | '8'), Some(_)) => true,
        // a?D: the rank cannot be read, but only a promotion can follow a square.
        (Some('?'), Some('a'..='h')) => !('a'..='h').contains(&last),
        _ => false,
    };
    // After the last rank a letter can only be the promotion, even a small one: d8d.
    let role = letters
        .role(last)
        .or_else(|| letters.role(last.to_ascii_uppercase()))
        .filter(|role| !matches!(role, Role::Pawn | Role::King));
    match role {
        Some(role) if on_last_rank || stem.len() < before.len() => Some((stem, Some(role))),
        // A letter of other sheets leaves the piece open, but not the square.
        _ if stem.len() < before.len() && (last == '?' || on_last_rank && last.is_uppercase()) => {
            Some((stem, None))
        }
        _ => Some((body, None)),
    }
}

/// Splits the signs of a move into its squares of departure and arrival.
fn squares(signs: &[Sign], piece: Option<Role>) -> Option<(PartialSquare, PartialSquare)> {
    let parts: Vec<&[Sign]> = signs
        .split(|sign| matches!(sign, Sign::Dash | Sign::Capture))
        .collect();
    match parts.as_slice() {
        [whole] => unseparated(whole, piece),
        [left, right] => Some((partial(left)?, arrival(right)?)),
        _ => None,
    }
}

fn unseparated(signs: &[Sign], piece: Option<Role>) -> Option<(PartialSquare, PartialSquare)> {
    match signs {
        // ed: the short form of a pawn's capture.
        [Sign::File(from), Sign::File(to)] if piece == Some(Role::Pawn) => Some((
            PartialSquare {
                file: Some(*from),
                rank: None,
            },
            PartialSquare {
                file: Some(*to),
                rank: None,
            },
        )),
        [] => None,
        [_] | [_, _] => Some((PartialSquare::UNKNOWN, arrival(signs)?)),
        [from @ .., file, rank] if from.len() <= 2 => {
            Some((partial(from)?, arrival(&[*file, *rank])?))
        }
        _ => None,
    }
}

fn arrival(signs: &[Sign]) -> Option<PartialSquare> {
    let to = partial(signs)?;
    (!signs.is_empty()).then_some(to)
}

fn partial(signs: &[Sign]) -> Option<PartialSquare> {
    let (file, rank) = match signs {
        [] | [Sign::Illegible] | [Sign::Illegible, Sign::Illegible] => (None, None),
        [Sign::File(file)] | [Sign::File(file), Sign::Illegible] => (Some(*file), None),
        [Sign::Rank(rank)] | [Sign::Illegible, Sign::Rank(rank)] => (None, Some(*rank)),
        [Sign::File(file), Sign::Rank(rank)] => (Some(*file), Some(*rank)),
        _ => return None,
    };
    Some(PartialSquare { file, rank })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, letters: Letters, english: &str) {
        let read = read_move(word, letters);
        assert_eq!(
            super::super::english::english(&read),
            english,
            "{word}: {read:?}"
        );
    }

    #[test]
    fn moves_are_read_in_every_hand() {
        check("Sf3", Letters::German, "Nf3");
        check("Sg1-f3", Letters::German, "Ng1-f3");
        check("S5xf3+", Letters::Danish, "N5xf3+");
        check("Sgf3!?", Letters::Swedish, "Ngf3");
        check("e5xd6e.p.", Letters::German, "e5xd6");
        check("exd6ep", Letters::English, "exd6");
        check("ed", Letters::German, "ed");
        check("exd", Letters::German, "exd");
        check("d8D", Letters::Danish, "d8=Q");
        check("d8d", Letters::Danish, "d8=Q");
        check("hxg8/D", Letters::German, "hxg8=Q");
        check("hxg8/D", Letters::English, "hxg8");
        check("e2‑e4", Letters::German, "e2-e4");
        check("Sf3+.", Letters::German, "Nf3+");
        check("0-0.", Letters::German, "O-O");
        check("f8C", Letters::Portuguese, "f8=N");
        check("e8=(Q)", Letters::English, "e8=Q");
        check("e7-e8/D++", Letters::German, "e7-e8=Q#");
        check("b1B", Letters::English, "b1=B");
        check("b1L", Letters::Danish, "b1=B");
        check("Re1", Letters::Portuguese, "Ke1");
        check("Fb5", Letters::French, "Bb5");
        check("Pf3", Letters::Dutch, "Nf3");
        check("♘f3", Letters::German, "Nf3");
        check("♞xd4", Letters::Figurine, "Nxd4");
        check("O-O", Letters::German, "O-O");
        check("0-0-0+", Letters::English, "O-O-O+");
        check("Be2-e4", Letters::German, "e2-e4");
        check("sf3", Letters::German, "Nf3");
        check("Td1:d8#", Letters::German, "Rd1xd8#");
        check("g1f3", Letters::English, "g1f3");
        check("e4??", Letters::English, "e4");
        check("Lf4:", Letters::German, "Bxf4");
        check("Se4:+", Letters::German, "Nxe4+");
        check("0.0", Letters::German, "O-O");
        check("Bb5N", Letters::English, "Bb5");
        check("Lb5sch", Letters::German, "Bb5+");
        check("Bb5ch.", Letters::English, "Bb5+");
        check("D5", Letters::German, "d5");
        check("EXD5", Letters::German, "exd5");
        check("SG1-F3", Letters::German, "Ng1-f3");
        check("d8N", Letters::English, "d8=N");
        check("O-O??", Letters::English, "O-O");
    }

    #[test]
    fn words_join_squares_and_leave_the_piece_to_the_board() {
        check("e4 schlägt d5", Letters::German, "?e4xd5");
        check("e4 takes d5+", Letters::English, "?e4xd5+");
        check("e4 prend d5", Letters::French, "?e4xd5");
        check("e4 toma d5", Letters::Portuguese, "?e4xd5");
        check("e4 slaat d5", Letters::Dutch, "?e4xd5");
        check("e4 slår d5", Letters::Danish, "?e4xd5");
        check("e4 tar d5", Letters::Swedish, "?e4xd5");
        check("e7 schlägt d8D", Letters::German, "?e7xd8=Q");
        check("e2 nach e4", Letters::German, "e2e4");
        check("Sf3 schlägt e5", Letters::German, "Nf3xe5");
        check("S schlägt e5", Letters::German, "Nxe5");
        check("e schlägt d5", Letters::German, "exd5");
        for letters in Letters::ALL {
            check("Springer b1 nach c3", letters, "Nb1-c3");
            check("bishop takes f7+", letters, "Bxf7+");
            check("kort rockad", letters, "O-O");
            check("peão e8 = dama", letters, "e8=Q");
            check("Eva zwei Eva vier", letters, "e2e4");
        }
        check("schlägt", Letters::German, "?");
        check("schlägt d5", Letters::German, "?");
        check("e4 schlägt", Letters::German, "?");
    }

    #[test]
    fn half_readable_moves_keep_the_half() {
        check("Sf?", Letters::German, "Nf?");
        check("Sf", Letters::German, "Nf?");
        check("S?3", Letters::German, "N?3");
        check("S??", Letters::German, "N??");
        check("?f3", Letters::German, "?f3");
        check("??6", Letters::German, "??6");
        check("?x?6", Letters::German, "?x?6");
        check("?xd5", Letters::German, "?xd5");
        check("e?", Letters::German, "e?");
        check("e:", Letters::German, "ex??");
        check("Sfx", Letters::German, "Nfx??");
        check("a?D", Letters::German, "a?=Q");
        check("bxa?=D", Letters::German, "bxa?=Q");
        check("?8D", Letters::German, "?8=Q");
        check("D?5", Letters::German, "Q?5");
        check("?", Letters::German, "?");
        check("--", Letters::German, "-");
        check("Zz9", Letters::German, "?");
        check("Pa9", Letters::English, "?");
    }

    #[test]
    fn a_capture_may_name_the_piece_that_is_taken() {
        check("BxN", Letters::English, "BxN");
        check("exB+", Letters::English, "exB+");
        check("L:S", Letters::German, "BxN");
        check("SxB", Letters::German, "NxP");
        check("PxP", Letters::English, "?");
        check("ExS", Letters::German, "?");
        check("xS", Letters::German, "?");
        check("SxK", Letters::German, "?");
        for letters in Letters::ALL {
            for taken in [
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
            ] {
                let capture = format!("Bx{}", Letters::English.letter_of_taken(taken));
                let capture = read_move(&capture, Letters::English);
                let written = write_move(&capture, letters);
                assert_eq!(read_move(&written, letters), capture, "{written}");
            }
        }
    }

    #[test]
    fn castling_keeps_its_mark_in_all_letters() {
        for letters in Letters::ALL {
            for (word, english) in [
                ("O-O+", "O-O+"),
                ("0-0+", "O-O+"),
                ("0-0-0+", "O-O-O+"),
                ("o-o-o#", "O-O-O#"),
                ("0–0++", "O-O#"),
                ("0-0 sch.", "O-O+"),
                ("O-O+!", "O-O+"),
            ] {
                let read = read_move(word, letters);
                assert_eq!(crate::english::english(&read), english, "{word}");
                let written = write_move(&read, letters);
                assert_eq!(read_move(&written, letters), read, "{written}");
            }
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (word, letters) in [
            ("Sg1xf3+", Letters::German),
            ("e7-e8=D#", Letters::Swedish),
            ("S?3", Letters::German),
            ("C5f3", Letters::French),
            ("0-0-0", Letters::English),
            ("0-0-0+", Letters::German),
            ("0-0#", Letters::English),
            ("exd6", Letters::Dutch),
            ("♕d1xd8", Letters::Figurine),
            ("g1f3", Letters::German),
            ("e7e8=D", Letters::German),
            ("?g1xf3", Letters::German),
            ("?a3-??", Letters::German),
        ] {
            assert_eq!(write_move(&read_move(word, letters), letters), word);
        }
    }
}
