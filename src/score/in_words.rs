//! Moves whose pieces, squares or castling are written in words: `Springer b1 nach c3`,
//! `kurze Rochade`, `knight takes e5`, `Eva zwei Eva vier`. The words of all languages of sheets
//! are read in every language.

use shakmaty::{CastlingSide, Role, Square};

use super::written::joining_sign;

/// The greatest number of words of a move.
const LONGEST: usize = 9;

const PIECES: [(Role, char, &str); 6] = [
    (
        Role::King,
        '♔',
        "könig koenig king konge kung rei roi koning",
    ),
    (
        Role::Queen,
        '♕',
        "dame queen dronning dam drottning dama reine koningin",
    ),
    (
        Role::Rook,
        '♖',
        "turm rook tårn taarn torn torre tour toren",
    ),
    (
        Role::Bishop,
        '♗',
        "läufer laeufer bishop løber loeber löpare lopare bispo fou loper",
    ),
    (
        Role::Knight,
        '♘',
        "springer knight springare häst cavalo cavalier paard",
    ),
    (Role::Pawn, '♙', "bauer pawn bonde peão peao pion"),
];

/// Words before the square of departure.
const FROM: &str = "von from fra från fran de van auf on på paa op em";

/// Words before the piece of a promotion.
const PROMOTES: &str = "= wird wird_zu umwandlung zu promotes promotes_to becomes to forvandling \
                        förvandling til till";

const CASTLING: &str = "rochade rokade rockad castling castles castle roque";
const SHORT: &str = "kurze kurz kleine klein korte kort short kingside petit pequeno menor curto";
const LONG: &str =
    "lange lang lång große grosse groß gross grande grand long queenside maior longo";

const FILES: [&str; 8] = [
    "anna",
    "bella",
    "cesar cäsar caesar",
    "david",
    "eva ewa",
    "felix",
    "gustav gustaf",
    "hector hektor",
];
const RANKS: [&str; 8] = [
    "1 eins one et ett",
    "2 zwei zwo two to två",
    "3 drei three tre",
    "4 vier four fire fyra",
    "5 fünf fuenf five fem",
    "6 sechs six seks sex",
    "7 sieben seven syv sju",
    "8 acht eight otte åtta",
];

/// Reads the move that begins with `word` and continues in `rest`, the remainder of its line.
/// Returns the move and how many characters of `rest` belong to it, if some of its words are
/// written out. Gaps wider than a space separate columns. `squares_join` says whether a piece
/// followed by two squares is one move in this text.
pub(super) fn spelt_out(
    word: &str,
    rest: impl Iterator<Item = char>,
    squares_join: bool,
) -> Option<(String, usize)> {
    let line: String = word.chars().chain(rest).collect();
    let line = line.split("  ").next().unwrap_or_default();
    let words: Vec<&str> = line.split(' ').collect();
    let taken = move_in_words(&words, squares_join)?;
    let whole = words.get(..taken)?.join(" ");
    let signs = whole.chars().count().checked_sub(word.chars().count())?;
    Some((whole, signs))
}

/// Returns how many of these words are one move.
fn move_in_words(words: &[&str], squares_join: bool) -> Option<usize> {
    let words = words.get(..words.len().min(LONGEST))?;
    Reader::new(words, squares_join)
        .read()
        .map(|(_, taken)| taken)
}

/// Returns the same text in signs that every language of sheets has: `♘b1-c3`, `0-0`.
pub(super) fn in_signs_of_all(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    if words.len() < 2 || words.len() > LONGEST {
        return None;
    }
    let (signs, taken) = Reader::new(&words, true).read()?;
    (taken == words.len()).then_some(signs)
}

/// Returns whether a text writes a move as two squares. Then one of its rows has more than two.
pub(super) fn squares_join(text: &str, begins_row: impl Fn(&str, &str) -> bool) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut squares = 0;
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if begins_row(word, next) {
            squares = 0;
        }
        squares += usize::from(square(&bare(word).0).is_some() || is_square(word, next));
        squares > 2
    })
}

/// Returns whether two words are a square: `Eva vier`.
fn is_square(file: &str, rank: &str) -> bool {
    let ((file, marks), (rank, _)) = (bare(file), bare(rank));
    let is_named = |names: &[&str], word: &str| names.iter().any(|names| is_one_of(names, word));
    marks.is_empty() && is_named(&FILES, &file) && is_named(&RANKS, &rank)
}

struct Reader<'a> {
    words: &'a [&'a str],
    at: usize,
    squares_join: bool,
    /// Whether a written-out word was read.
    is_in_words: bool,
    /// The marks after the last word that was read. Nothing after them belongs to the move.
    marks: String,
}

impl<'a> Reader<'a> {
    const fn new(words: &'a [&'a str], squares_join: bool) -> Self {
        Self {
            words,
            at: 0,
            squares_join,
            is_in_words: false,
            marks: String::new(),
        }
    }

    /// Returns the signs of the move that begins here, and the number of its words.
    fn read(&mut self) -> Option<(String, usize)> {
        let signs = match self.castling() {
            Some(side) => side.to_owned(),
            None => self.movement()?,
        };
        self.is_in_words
            .then(|| (format!("{signs}{}", self.marks), self.at))
    }

    /// Returns the next word in small letters, without the marks after it.
    fn peek(&self, ahead: usize) -> Option<(String, String)> {
        let is_closed = ahead > 0
            && (0..ahead).any(|it| {
                let word = self.words.get(self.at + it);
                word.is_none_or(|word| !bare(word).1.is_empty())
            });
        let word = self.words.get(self.at + ahead);
        word.filter(|_| !is_closed && self.marks.is_empty())
            .map(|word| bare(word))
    }

    /// Takes so many words.
    fn take(&mut self, words: usize) {
        if let Some((_, marks)) = words.checked_sub(1).and_then(|last| self.peek(last)) {
            self.marks = marks;
        }
        self.at += words;
    }

    fn next_is(&self, ahead: usize, known: &str) -> bool {
        self.peek(ahead)
            .is_some_and(|(word, _)| is_one_of(known, &word))
    }

    fn castling(&mut self) -> Option<&'static str> {
        let side = |reader: &Self, ahead: usize| {
            let is_side = |word: &str| {
                let is_word = |it: &(String, String)| it.0.trim_end_matches("'s") == word;
                reader.peek(ahead).as_ref().is_some_and(is_word)
                    && reader.next_is(ahead + 1, "side")
            };
            if reader.next_is(ahead, SHORT) {
                Some((CastlingSide::KingSide, 1))
            } else if reader.next_is(ahead, LONG) {
                Some((CastlingSide::QueenSide, 1))
            } else if is_side("king") {
                Some((CastlingSide::KingSide, 2))
            } else {
                is_side("queen").then_some((CastlingSide::QueenSide, 2))
            }
        };
        let (side, words) = if self.next_is(0, CASTLING) {
            let (side, words) = side(self, 1)?;
            (side, words + 1)
        } else {
            let (side, words) = side(self, 0)?;
            self.next_is(words, CASTLING).then_some((side, words + 1))?
        };
        self.take(words);
        self.is_in_words = true;
        Some(match side {
            CastlingSide::KingSide => "0-0",
            CastlingSide::QueenSide => "0-0-0",
        })
    }

    fn movement(&mut self) -> Option<String> {
        let piece = self.piece();
        let has_from = piece.is_some() && self.next_is(0, FROM);
        if has_from {
            self.take(1);
        }
        let first = self.square();
        let part = first.is_none().then(|| self.file_of_departure()).flatten();
        let join = self.join();
        if join.is_none() && (has_from || part.is_some())
            || join.is_some() && first.is_none() && piece.is_none()
        {
            return None;
        }
        let second = match (first, join) {
            (Some(_), None) => self.second_square(piece.map(|(role, _)| role), first?),
            _ => Some(self.square()?),
        };
        let target = second.or(first)?;
        let mut signs = String::new();
        match piece {
            Some((_, sign)) => signs.push(sign),
            // The piece on the first square decides which piece it is.
            None if second.is_some() && join == Some('x') => signs.push('?'),
            None => {}
        }
        if let Some(from) = first.filter(|_| second.is_some()) {
            signs.push_str(&from.to_string());
        }
        signs.extend(part);
        let dash = join.filter(|sign| *sign == 'x' || piece.is_some() && first.is_some());
        signs.extend(dash);
        signs.push_str(&target.to_string());
        if piece.is_none_or(|(role, _)| role == Role::Pawn) {
            signs.extend(self.promotion(target));
        }
        Some(signs)
    }

    fn piece(&mut self) -> Option<(Role, char)> {
        let (word, marks) = self.peek(0)?;
        let (role, sign, _) = PIECES
            .into_iter()
            .find(|(_, _, names)| marks.is_empty() && is_one_of(names, &word))?;
        self.take(1);
        self.is_in_words = true;
        Some((role, sign))
    }

    /// Reads a square: `e4`, `e 4`, `Eva vier`, `e vier`.
    fn square(&mut self) -> Option<Square> {
        let (word, marks) = self.peek(0)?;
        if let Some(square) = square(&word) {
            self.take(1);
            return Some(square);
        }
        let named = FILES.iter().position(|names| is_one_of(names, &word));
        let file = named.or_else(|| match word.as_bytes() {
            [file @ b'a'..=b'h'] => Some(usize::from(file - b'a')),
            _ => None,
        });
        let (rank, _) = self.peek(1).filter(|_| marks.is_empty())?;
        // Nobody can tell whether "e to e4" is Danish.
        let is_rank = |names: &&str| is_one_of(names, &rank) && (named.is_some() || rank != "to");
        let number = RANKS.iter().position(is_rank)?;
        let square = Square::new(u32::try_from(number * 8 + file?).ok()?);
        self.take(2);
        self.is_in_words |= named.is_some() || rank.len() > 1;
        Some(square)
    }

    /// Reads a file alone before a joining word: `Springer b nach d2`.
    fn file_of_departure(&mut self) -> Option<char> {
        let (word, _) = self.peek(0)?;
        let (next, _) = self.peek(1)?;
        let mut signs = word.chars();
        let file = signs.next().filter(|sign| ('a'..='h').contains(sign))?;
        if signs.next().is_some() || joining_sign(&next).is_none() {
            return None;
        }
        self.take(1);
        Some(file)
    }

    fn join(&mut self) -> Option<char> {
        let (word, _) = self.peek(0)?;
        let sign = match word.as_str() {
            "x" | ":" | "×" => Some('x'),
            "-" | "–" | "—" => Some('-'),
            word => joining_sign(word),
        }?;
        self.take(1);
        Some(sign)
    }

    /// Reads a second square directly after the first. Both are one move in a text where that is
    /// usual, if a piece is named or the first square is in words, as it is announced.
    fn second_square(&mut self, role: Option<Role>, first: Square) -> Option<Square> {
        let before = (self.at, self.marks.clone(), self.is_in_words);
        let is_usual = self.squares_join && (role.is_some() || self.is_in_words);
        let second = is_usual.then(|| self.square()).flatten();
        let second = second.filter(|second| can_go(role, first, *second));
        if second.is_none() {
            (self.at, self.marks, self.is_in_words) = before;
        }
        second
    }

    /// Reads the piece of a promotion.
    fn promotion(&mut self, target: Square) -> Option<char> {
        if !matches!(
            target.rank(),
            shakmaty::Rank::First | shakmaty::Rank::Eighth
        ) {
            return None;
        }
        let opening = (0..=2)
            .rev()
            .find(|words| (0..*words).all(|ahead| self.next_is(ahead, PROMOTES)))?;
        let (word, _) = self.peek(opening)?;
        let officers = PIECES.into_iter();
        let mut officers = officers.filter(|(role, ..)| !matches!(role, Role::King | Role::Pawn));
        let (_, sign, _) = officers.find(|(_, _, names)| is_one_of(names, &word))?;
        // After a bare square, the piece may also be that of the next move.
        let is_next = opening == 0 && (self.at_square(1) || self.next_joins(1));
        if is_next {
            return None;
        }
        self.take(opening + 1);
        self.is_in_words = true;
        Some(sign)
    }

    fn at_square(&self, ahead: usize) -> bool {
        self.peek(ahead)
            .is_some_and(|(word, _)| square(&word).is_some())
    }

    fn next_joins(&self, ahead: usize) -> bool {
        let next = self.peek(ahead);
        next.is_some_and(|(word, _)| joining_sign(&word).is_some() || is_one_of(FROM, &word))
    }
}

fn is_one_of(known: &str, word: &str) -> bool {
    known.split_ascii_whitespace().any(|known| known == word)
}

/// Returns a word in small letters, and the marks of check and opinion after it.
fn bare(word: &str) -> (String, String) {
    let stem = word.trim_end_matches(['+', '#', '!', '?', '†', '‡', '.']);
    let marks = word.get(stem.len()..).unwrap_or_default();
    (stem.to_lowercase(), marks.trim_end_matches('.').to_owned())
}

fn square(word: &str) -> Option<Square> {
    word.parse().ok()
}

/// Returns whether a piece can go from one square to another on an empty board.
fn can_go(role: Option<Role>, from: Square, to: Square) -> bool {
    let files = from.file().distance(to.file());
    let ranks = from.rank().distance(to.rank());
    let is_straight = files == 0 || ranks == 0;
    from != to
        && match role {
            None => true,
            Some(Role::King) => files <= 2 && ranks <= 1,
            Some(Role::Queen) => is_straight || files == ranks,
            Some(Role::Rook) => is_straight,
            Some(Role::Bishop) => files == ranks,
            Some(Role::Knight) => files * ranks == 2,
            Some(Role::Pawn) => files <= 1 && (1..=2).contains(&ranks),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, signs: &str) {
        assert_eq!(in_signs_of_all(text).as_deref(), Some(signs), "{text}");
    }

    #[test]
    fn moves_in_the_words_of_every_language_are_read() {
        for (text, signs) in [
            ("Springer b1 nach c3", "♘b1-c3"),
            ("Springer von b1 nach c3", "♘b1-c3"),
            ("Springer b1 c3", "♘b1c3"),
            ("Springer c3", "♘c3"),
            ("Dame a5+", "♕a5+"),
            ("Läufer schlägt c6", "♗xc6"),
            ("Laeufer auf b5 schlägt c6", "♗b5xc6"),
            ("Turm a nach d1", "♖ad1"),
            ("Bauer e schlägt d5", "♙exd5"),
            ("kurze Rochade", "0-0"),
            ("Rochade lang", "0-0-0"),
            ("große Rochade+", "0-0-0+"),
            ("knight takes e5", "♘xe5"),
            ("rook from a1 to d1", "♖a1-d1"),
            ("castles kingside", "0-0"),
            ("castles queen's side", "0-0-0"),
            ("short castling", "0-0"),
            ("Løber tager c6", "♗xc6"),
            ("lang rokade", "0-0-0"),
            ("Dronning d1 til h5", "♕d1-h5"),
            ("Springare från g1 till f3", "♘g1-f3"),
            ("lång rockad", "0-0-0"),
            ("Cavalo captura e5", "♘xe5"),
            ("roque grande", "0-0-0"),
            ("Fou prend c6", "♗xc6"),
            ("petit roque", "0-0"),
            ("Paard naar f3", "♘f3"),
            ("Toren slaat d8", "♖xd8"),
            ("Bauer e8 Dame", "♙e8♕"),
            ("e7 - e8 = Dame", "e7e8♕"),
            ("Bauer e7 schlägt d8 wird Springer", "♙e7xd8♘"),
            ("Eva zwei Eva vier", "e2e4"),
            ("Springer Gustav eins Felix drei", "♘g1f3"),
            ("Eva vier", "e4"),
            ("e vier schlägt d fünf", "?e4xd5"),
        ] {
            check(text, signs);
        }
    }

    #[test]
    fn what_is_no_whole_move_is_none() {
        for text in [
            "Springer von",
            "Springer b1 nach",
            "Rochade",
            "kurze",
            "Dame Dame",
            "König auf",
            "e4 e5",
            "Springer c3 a6",
            "Springer b1 nach c3 Dame",
            "von b1 nach c3",
            "Herr Turm",
        ] {
            assert_eq!(in_signs_of_all(text), None, "{text}");
        }
    }

    #[test]
    fn a_move_ends_where_the_next_begins() {
        for (text, taken, taken_if_joined) in [
            ("Springer b1 nach c3 Dame a5", 4, 4),
            ("Dame a5 Springer f6", 2, 2),
            ("Springer b1 c3 Springer f6", 2, 3),
            ("Springer c3 a6", 2, 2),
            ("Bauer e4 e5", 2, 3),
            ("Dame h5+ Springer c6", 2, 2),
            ("Eva vier Eva fünf", 2, 4),
            ("Bauer e8 Dame d5", 2, 2),
            ("Bauer e8 Dame Dame d5", 3, 3),
            ("kurze Rochade d6", 2, 2),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(move_in_words(&words, false), Some(taken), "{text}");
            assert_eq!(move_in_words(&words, true), Some(taken_if_joined), "{text}");
        }
    }

    #[test]
    fn two_squares_are_a_move_where_a_row_has_more_than_two() {
        let begins = |word: &str, _: &str| word.ends_with('.');
        let is_long = |text: &str| squares_join(text, begins);
        assert!(is_long("1. Bauer e2 e4 Bauer e7 e5 2. Springer g1 f3"));
        assert!(is_long("1. Eva zwei Eva vier Eva sieben Eva fünf"));
        assert!(!is_long("1. Eva vier Eva fünf 2. Springer Felix drei d6"));
        assert!(!is_long(
            "1. Bauer e4 e5 2. Springer f3 Springer c6 3. d4 d6"
        ));
    }
}
