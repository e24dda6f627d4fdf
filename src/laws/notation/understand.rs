//! From words to meanings: the strict grammar of everything that may be announced.
//!
//! The hearing model has the same grammar in its own graph. Neither knows a position: a phrase is
//! well formed or it is not (X1, silent legality).

use shakmaty::{File, Rank, Role, Square};

use super::{
    Announcement, Castling, CastlingWord, CheckMark, CommandName, Lexicon, MoveAnnouncement,
    Question, Said, Value,
};

/// Returns the meanings of a phrase of lexicon words. There is one reading, none if it is no
/// announcement, or two if it leaves open which is meant ("Rochade" alone).
pub fn understand<S: AsRef<str>>(lexicon: &Lexicon, words: &[S]) -> Vec<Said> {
    let (readings, completeness) = parse(lexicon, words);
    match completeness {
        Completeness::Nothing | Completeness::Unfinished => Vec::new(),
        Completeness::Piece
        | Completeness::Part
        | Completeness::MayGoOn
        | Completeness::Finished => readings,
    }
}

/// How complete an announcement or command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completeness {
    /// No phrase begins with these words.
    Nothing,
    /// More words are needed.
    Unfinished,
    /// A piece alone. It may be an answer, but mostly begins a move.
    Piece,
    /// Less than a move in the long form, but it may be complete: a square alone, a short form, a
    /// pawn that arrives on the last rank, castling without its side. Slow speakers pause here.
    Part,
    /// It may be complete, but more words are likely: "Korrektur", "Remis", "ja", "ich nehme an".
    MayGoOn,
    /// Only "Schach" or "matt" can follow, which a player may leave out.
    Finished,
}

/// Returns how complete an utterance is. It depends on the words only.
pub fn completeness<S: AsRef<str>>(lexicon: &Lexicon, words: &[S]) -> Completeness {
    parse(lexicon, words).1
}

fn parse<S: AsRef<str>>(lexicon: &Lexicon, words: &[S]) -> (Vec<Said>, Completeness) {
    let begins_longer = lexicon.begins_command(words);
    if let Some(name) = lexicon.command(words) {
        let (said, open) = match name {
            CommandName::Command(command) => (Said::Command(command), command.may_open_talk()),
            CommandName::Correct => (Said::Correction(None), true),
            CommandName::Question(question) => (Said::Question(question), false),
        };
        return (vec![said], may_go_on(open || begins_longer));
    }
    let behind_slip = (1..words.len())
        .filter_map(|count| words.split_at_checked(count))
        .find(|(opening, _)| lexicon.command(opening) == Some(CommandName::Correct));
    let is_correction = behind_slip.is_some();
    let said = behind_slip.map_or(words, |(_, rest)| rest);
    // What was begun and taken back does not count, but it must have begun a move.
    let restart = lexicon.at_restart(said);
    let restart = restart.filter(|(before, _)| begins_move(lexicon, before));
    let is_restarted = restart.is_some();
    let said = restart.map_or(said, |(_, behind)| behind);
    if is_restarted && said.is_empty() {
        return (Vec::new(), Completeness::Unfinished);
    }
    let rest = lexicon.behind_openings(said);
    let is_opened = rest.len() < said.len();
    if lexicon.begins_opening(rest) && (is_opened || !rest.is_empty()) {
        return (Vec::new(), Completeness::Unfinished);
    }
    let Some(values) = values(lexicon, rest) else {
        return (Vec::new(), Completeness::Nothing);
    };
    let mut reader = Reader {
        rest: &values,
        ran_out: false,
    };
    match reader.phrase() {
        Some((mut readings, open)) if reader.rest.is_empty() => {
            if (is_opened || is_restarted) && !readings.iter().all(is_whole) {
                return (Vec::new(), Completeness::Unfinished);
            }
            if is_correction {
                readings = readings.into_iter().filter_map(corrected).collect();
            }
            let completeness = match readings.as_slice() {
                [Said::Piece(_)] if open => Completeness::Piece,
                _ if open => Completeness::Part,
                _ => may_go_on(begins_longer),
            };
            (readings, completeness)
        }
        _ if reader.ran_out || begins_longer => (Vec::new(), Completeness::Unfinished),
        _ => (Vec::new(), Completeness::Nothing),
    }
}

fn values<S: AsRef<str>>(lexicon: &Lexicon, words: &[S]) -> Option<Vec<Value>> {
    let values = words.iter().map(|word| lexicon.value(word.as_ref()));
    values.collect()
}

/// Returns whether these words are a move or the beginning of one.
fn begins_move<S: AsRef<str>>(lexicon: &Lexicon, words: &[S]) -> bool {
    let Some(values) = values(lexicon, lexicon.behind_openings(words)) else {
        return false;
    };
    let mut reader = Reader {
        rest: &values,
        ran_out: false,
    };
    let is_phrase = reader.phrase().is_some();
    reader.ran_out || is_phrase && reader.rest.is_empty()
}

const fn may_go_on(open: bool) -> Completeness {
    if open {
        Completeness::MayGoOn
    } else {
        Completeness::Finished
    }
}

/// Returns whether every part of a move is said. After "ich spiele" a part of a move may be talk.
const fn is_whole(said: &Said) -> bool {
    match said {
        Said::Move(Announcement::Move(m)) => m.piece.is_some() && m.from.is_some(),
        Said::Move(Announcement::Castling(_)) => true,
        _ => false,
    }
}

/// Makes a correction. After "Korrektur" a square alone can only be a pawn's move.
fn corrected(said: Said) -> Option<Said> {
    match said {
        Said::Move(announcement) => Some(Said::Correction(Some(announcement))),
        Said::Square(to) => Some(Said::Correction(Some(Announcement::of_square(to)))),
        _ => None,
    }
}

/// Reads values from the front. `ran_out` tells that a phrase ended before it was complete.
struct Reader<'a> {
    rest: &'a [Value],
    ran_out: bool,
}

/// The readings of a phrase, and whether more words may follow.
type Phrase = (Vec<Said>, bool);

impl Reader<'_> {
    fn phrase(&mut self) -> Option<Phrase> {
        match self.peek() {
            Some(Value::Castling | Value::CastlingSide(_)) => self.castling(),
            Some(Value::Board) => self.question(),
            Some(Value::Promotes) => {
                let role = self.promotion()?;
                Some((vec![Said::Piece(role)], false))
            }
            _ => self.movement(),
        }
    }

    /// Reads a question: what stands on a square, file, rank or diagonals, or where the pieces of a
    /// kind stand ("Stellung Eva vier").
    fn question(&mut self) -> Option<Phrase> {
        self.skip();
        let value = self.peek();
        self.skip();
        let (question, open) = match value {
            Some(Value::Role(role)) => (Question::Pieces { role, side: None }, false),
            Some(Value::Rank(rank)) => (Question::Rank(rank), false),
            Some(Value::Diagonals) => (Question::Diagonals(self.square()?), false),
            Some(Value::File(file)) => match self.peek() {
                Some(Value::Rank(rank)) => {
                    self.skip();
                    (Question::Square(Square::from_coords(file, rank)), false)
                }
                _ => (Question::File(file), true),
            },
            _ => return self.fail(),
        };
        Some((vec![Said::Question(question)], open))
    }

    fn castling(&mut self) -> Option<Phrase> {
        let before = self.castling_side();
        self.expect(Value::Castling)?;
        let side = before.or_else(|| self.castling_side());
        let open = side.is_none();
        let sides = side.map_or(vec![CastlingWord::Short, CastlingWord::Long], |side| {
            vec![side]
        });
        let mark = self.mark();
        let readings = sides
            .into_iter()
            .map(|side| {
                let side = side.into();
                Said::Move(Announcement::Castling(Castling { side, mark }))
            })
            .collect();
        Some((readings, open))
    }

    fn movement(&mut self) -> Option<Phrase> {
        let piece = self.role();
        if let (Some(piece), None) = (piece, self.peek()) {
            return Some((vec![Said::Piece(piece)], true));
        }
        let (from, to, capture) = self.squares()?;
        let is_bare = piece.is_none() && from.is_none() && !matches!(capture, Joined::Word(_));
        let can_promote = matches!(piece, None | Some(Role::Pawn));
        let promotion = if can_promote && self.promotion_begins() {
            Some(self.promotion()?)
        } else {
            None
        };
        let mark = self.mark();
        if is_bare && promotion.is_none() && mark.is_none() {
            return Some((vec![Said::Square(to)], true));
        }
        let is_due = can_promote && matches!(to.rank(), Rank::First | Rank::Eighth);
        let open = mark.is_none() && promotion.is_none() && (from.is_none() || is_due);
        let announcement = Announcement::Move(MoveAnnouncement {
            piece,
            from,
            to,
            capture: capture == Joined::Word(Value::Captures),
            promotion,
            mark,
        });
        Some((vec![Said::Move(announcement)], open))
    }

    /// Reads the squares of a move, in every word order that people use.
    fn squares(&mut self) -> Option<(Option<Square>, Square, Joined)> {
        if self.take(Value::On) {
            let from = self.square()?;
            let joined = self.join();
            if joined == Joined::Nothing {
                return self.fail();
            }
            return Some((Some(from), self.square()?, joined));
        }
        let must_join = self.take(Value::From);
        if !must_join {
            let joined = self.join();
            if joined != Joined::Nothing {
                return Some((None, self.square()?, joined));
            }
        }
        let first = self.square()?;
        let joined = self.join();
        if joined == Joined::Nothing {
            if must_join {
                return self.fail();
            }
            if !matches!(self.peek(), Some(Value::File(_))) {
                return Some((None, first, joined));
            }
        }
        Some((Some(first), self.square()?, joined))
    }

    fn join(&mut self) -> Joined {
        match self.peek() {
            Some(value @ (Value::To | Value::Captures)) => {
                self.skip();
                Joined::Word(value)
            }
            _ => Joined::Nothing,
        }
    }

    fn square(&mut self) -> Option<Square> {
        let file: File = match self.peek() {
            Some(Value::File(file)) => file,
            _ => return self.fail(),
        };
        self.skip();
        let rank: Rank = match self.peek() {
            Some(Value::Rank(rank)) => rank,
            _ => return self.fail(),
        };
        self.skip();
        Some(Square::from_coords(file, rank))
    }

    fn promotion_begins(&self) -> bool {
        matches!(self.peek(), Some(Value::Promotes | Value::Role(_)))
    }

    fn promotion(&mut self) -> Option<Role> {
        if self.take(Value::Promotes) {
            self.take(Value::To);
        }
        match self.role() {
            Some(role @ (Role::Queen | Role::Rook | Role::Bishop | Role::Knight)) => Some(role),
            _ => self.fail(),
        }
    }

    fn role(&mut self) -> Option<Role> {
        let Some(Value::Role(role)) = self.peek() else {
            return None;
        };
        self.skip();
        Some(role)
    }

    fn castling_side(&mut self) -> Option<CastlingWord> {
        let Some(Value::CastlingSide(side)) = self.peek() else {
            return None;
        };
        self.skip();
        Some(side)
    }

    fn mark(&mut self) -> Option<CheckMark> {
        let is_check = self.take(Value::Check);
        if self.take(Value::Mate) {
            return Some(CheckMark::Mate);
        }
        is_check.then_some(CheckMark::Check)
    }

    fn peek(&self) -> Option<Value> {
        self.rest.first().copied()
    }

    fn skip(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn take(&mut self, value: Value) -> bool {
        let is_next = self.peek() == Some(value);
        if is_next {
            self.skip();
        }
        is_next
    }

    fn expect(&mut self, value: Value) -> Option<()> {
        if self.take(value) {
            return Some(());
        }
        self.fail()
    }

    fn fail<T>(&mut self) -> Option<T> {
        self.ran_out |= self.rest.is_empty();
        None
    }
}

/// The word between two squares, or before the only one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    Nothing,
    Word(Value),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Command, german};

    fn said(text: &str) -> Vec<Said> {
        let words: Vec<&str> = text.split_whitespace().collect();
        understand(&german(), &words)
    }

    /// Writes piece, from, to, promotion and mark as one short line: "knight g1 f3".
    fn line(said: &Said) -> String {
        match said {
            Said::Move(Announcement::Move(m)) => {
                let mut parts = Vec::new();
                parts.extend(m.piece.map(|role| format!("{role:?}").to_lowercase()));
                parts.extend(m.from.map(|square| square.to_string()));
                parts.push(format!("{}{}", if m.capture { "x" } else { "" }, m.to));
                parts.extend(m.promotion.map(|role| format!("={role:?}").to_lowercase()));
                parts.extend(m.mark.map(|mark| format!("{mark:?}").to_lowercase()));
                parts.join(" ")
            }
            Said::Move(Announcement::Castling(c)) => format!("{:?} {:?}", c.side, c.mark),
            Said::Correction(Some(a)) => format!("correction {}", line(&Said::Move(a.clone()))),
            other => format!("{other:?}"),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let lines: Vec<String> = said(text).iter().map(line).collect();
        assert_eq!(lines.join(" or "), expected, "{text}");
    }

    #[test]
    fn every_form_of_a_move_is_understood() {
        check("springer gustav eins felix drei", "knight g1 f3");
        check("springer von gustav eins nach felix drei", "knight g1 f3");
        check("springer gustav eins nach felix drei", "knight g1 f3");
        check("bauer eva fünf schlägt david sechs", "pawn e5 xd6");
        check("läufer auf felix eins schlägt bella fünf", "bishop f1 xb5");
        check("läufer auf felix eins nach bella fünf", "bishop f1 b5");
        check(
            "springer von gustav eins schlägt felix drei",
            "knight g1 xf3",
        );
        check("läufer schlägt hector sieben schach", "bishop xh7 check");
        check("bauer eva vier", "pawn e4");
        check("springer nach felix drei", "knight f3");
        check("eva zwei eva vier", "e2 e4");
        check("e zwei e vier", "e2 e4");
        check("dame d eins h fünf schachmatt", "queen d1 h5 mate");
        check("turm a eins a acht schach matt", "rook a1 a8 mate");
        check("felix drei", "Square(F3)");
        check("nach felix drei", "f3");
        check("eva vier schach", "e4 check");
        check("kurze rochade", "KingSide None");
        check("lange rochade schach", "QueenSide Some(Check)");
        check("rochade", "KingSide None or QueenSide None");
    }

    #[test]
    fn questions_about_the_board_begin_with_its_word() {
        check("stellung eva vier", "Question(Square(E4))");
        check("stellung e vier", "Question(Square(E4))");
        check("stellung eva", "Question(File(E))");
        check("stellung vier", "Question(Rank(Fourth))");
        check(
            "stellung turm",
            "Question(Pieces { role: Rook, side: None })",
        );
        check("stellung vorlesen", "Command(ReadBoard)");
        for text in [
            "stellung",
            "stellung remis",
            "stellung turm eva",
            "stellung eva vier eva fünf",
            "korrektur stellung eva",
            "ich spiele stellung eva",
            "turm stellung eva",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn castling_is_understood_in_every_everyday_form() {
        for short in [
            "kurze rochade",
            "kleine rochade",
            "rochade kurz",
            "ich rochiere kurz",
            "ich mache die kleine rochade",
        ] {
            check(short, "KingSide None");
        }
        for long in [
            "große rochade",
            "rochade lang",
            "ich rochiere lang",
            "also ich spiele die große rochade",
        ] {
            check(long, "QueenSide None");
        }
        check("korrektur rochade lang", "correction QueenSide None");
        check("ich rochiere", "KingSide None or QueenSide None");
    }

    #[test]
    fn a_polite_sentence_is_its_move() {
        check(
            "also ich spiele springer gustav eins felix drei",
            "knight g1 f3",
        );
        check(
            "ich ziehe den springer von gustav eins nach felix drei schach",
            "knight g1 f3 check",
        );
        check("mein zug ist bauer eva zwei eva vier", "pawn e2 e4");
        check(
            "korrektur bitte turm anna eins anna acht",
            "correction rook a1 a8",
        );
        // Less than a whole move may be talk.
        check("ich spiele felix drei", "");
        check("die dame", "");
        check("ich spiele remis", "");
        check("bitte", "");
        check("springer also gustav eins felix drei", "");
    }

    #[test]
    fn behind_a_word_that_takes_back_only_what_follows_counts() {
        for begun in [
            "springer",
            "springer gustav",
            "springer gustav eins nach felix",
            "bauer eva zwei eva vier",
        ] {
            for word in ["nein", "korrektur", "nein nein", "nein korrektur"] {
                check(
                    &format!("{begun} {word} turm anna eins anna acht"),
                    "rook a1 a8",
                );
            }
        }
        check(
            "korrektur springer gustav nein turm anna eins anna acht",
            "correction rook a1 a8",
        );
        // Less than a whole move may be talk, and words that fit no announcement are none.
        check("springer gustav nein turm anna acht", "");
        check("springer gustav turm anna eins anna acht", "");
        check("nein turm anna eins anna acht", "");
        check("remis nein turm anna eins anna acht", "");
    }

    #[test]
    fn a_promotion_names_queen_rook_bishop_or_knight() {
        check("anna acht dame", "a8 =queen");
        check(
            "bauer felix sieben felix acht umwandlung springer schach",
            "pawn f7 f8 =knight check",
        );
        check(
            "bauer eva sieben schlägt david acht turm",
            "pawn e7 xd8 =rook",
        );
        check("umwandlung dame", "Piece(Queen)");
        check("anna acht könig", "");
        check("anna acht bauer", "");
        check("anna sieben dame", "a7 =queen");
        check("turm anna eins anna acht dame", "");
    }

    #[test]
    fn commands_and_corrections_are_no_moves() {
        check("remis", "Command(OfferDraw)");
        check("remis angebot", "Command(OpenOffer)");
        check("ich berichtige", "Command(Adjust)");
        check("korrektur", "Correction(None)");
        check(
            "korrektur springer gustav eins felix drei",
            "correction knight g1 f3",
        );
        check("korrektur felix drei", "correction f3");
        check("korrektur lange rochade", "correction QueenSide None");
        check("dame", "Piece(Queen)");
        assert_eq!(said("ja"), [Said::Command(Command::Yes)]);
    }

    #[test]
    fn what_is_no_phrase_has_no_reading() {
        for text in [
            "",
            "schach",
            "turm felix drei drei",
            "springer gustav",
            "springer von gustav eins",
            "springer auf felix drei",
            "ja nein",
            "kurze",
            "springer gustav eins felix drei springer gustav eins felix drei",
            "korrektur ja",
            "eins",
            "blaubeere",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn completeness_depends_on_the_words_alone() {
        let german = german();
        for (text, expected) in [
            ("springer", Completeness::Piece),
            ("springer gustav", Completeness::Unfinished),
            ("springer gustav eins", Completeness::Part),
            ("springer gustav eins felix", Completeness::Unfinished),
            ("springer gustav eins felix drei", Completeness::Finished),
            ("springer eva eins david sieben", Completeness::Finished),
            ("bauer felix sieben felix acht", Completeness::Part),
            ("bauer felix sieben felix acht dame", Completeness::Finished),
            ("springer von gustav eins", Completeness::Unfinished),
            ("kurze", Completeness::Unfinished),
            ("kurze rochade", Completeness::Finished),
            ("rochade", Completeness::Part),
            ("rochade lang", Completeness::Finished),
            ("ich", Completeness::Unfinished),
            ("mein zug", Completeness::Unfinished),
            ("ich ziehe den", Completeness::Unfinished),
            ("ich ziehe den springer", Completeness::Unfinished),
            (
                "ich ziehe den turm anna eins anna acht",
                Completeness::Finished,
            ),
            ("felix drei", Completeness::Part),
            ("läufer schlägt hector sieben", Completeness::Part),
            ("remis", Completeness::MayGoOn),
            ("remis angebot", Completeness::Finished),
            ("wer ist am", Completeness::Unfinished),
            ("korrektur", Completeness::MayGoOn),
            ("korrektur springer gustav", Completeness::Unfinished),
            ("ja", Completeness::MayGoOn),
            ("nein", Completeness::MayGoOn),
            ("aufgabe", Completeness::MayGoOn),
            ("ich nehme an", Completeness::MayGoOn),
            ("uhr drücken", Completeness::Finished),
            ("stopp", Completeness::Finished),
            ("nein springer", Completeness::Nothing),
            ("turm felix drei drei", Completeness::Nothing),
            ("turm felix nein", Completeness::Unfinished),
            ("turm felix nein dame david eins", Completeness::Unfinished),
            (
                "turm felix nein dame david eins david acht",
                Completeness::Finished,
            ),
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(completeness(&german, &words), expected, "{text}");
        }
    }
}
