//! Reads scores: move lists of any origin, and PGN.

use super::read_score::{
    MOST_BYTES, MOST_PGN_BYTES, ReadNote, ReadNoteKind, ReadScore, ReadScoreError,
    ReadScoreErrorKind, at, legal_plies,
};
use super::source::Source;
use shakmaty::Setup;
use shakmaty::fen::Fen;

use super::entry::{Entry, SheetPlace};
use super::games_in::games_of;
use super::kept::Score;
use super::letters::Letters;
use super::list_in::{list_source, tag_name};
use super::notated::Notated;
use super::pgn_in::{is_pgn, pgn_source};
use super::refusal::{refuse_other_texts, refuse_remains, refuse_what_is_no_text};
use super::scan::Token;
use super::sheet::{Entries, assemble};
use super::standing::{Meaning, Standing};

/// Reads a score: PGN if it begins with a tag, otherwise a list of moves.
///
/// `letters` are those of the sheet. If they are `None`, they are guessed. `game` chooses one of
/// the games of a text, counted from 1.
///
/// # Errors
///
/// [`ReadScoreError`] with the line. A word that is no move gives a note and no error.
pub fn read_score(
    text: &str,
    letters: Option<Letters>,
    game: usize,
) -> Result<ReadScore, ReadScoreError> {
    read_score_from(text, letters, game, None)
}

/// Reads a score from another starting position, if the text has none.
///
/// # Errors
///
/// As [`read_score`].
pub fn read_score_from(
    text: &str,
    letters: Option<Letters>,
    game: usize,
    start: Option<&Setup>,
) -> Result<ReadScore, ReadScoreError> {
    // A recording or a picture is no text, however long it is.
    refuse_what_is_no_text(text)?;
    let text = &plain(text);
    let most = if is_pgn(text) {
        MOST_PGN_BYTES
    } else {
        MOST_BYTES
    };
    if text.len() > most {
        return Err(at(1, ReadScoreErrorKind::TooLong));
    }
    let games = games_of(text);
    let Some(&(first_line, game_text)) = games.get(game.saturating_sub(1)) else {
        return Err(at(1, ReadScoreErrorKind::NoSuchGame(games.len())));
    };
    if game_text.len() > MOST_BYTES {
        return Err(at(first_line, ReadScoreErrorKind::TooLong));
    }
    let mut source = if is_pgn(text) {
        pgn_source(game_text, first_line)
    } else {
        list_source(game_text, first_line)
    };
    let start = match source.tag("FEN") {
        Some(fen) => Some(
            fen.parse::<Fen>()
                .map(Fen::into_setup)
                .map_err(|error| at(source.first_line, ReadScoreErrorKind::Start(error)))?,
        ),
        None => start.cloned(),
    };
    let blank = match start {
        Some(setup) => Score::new(None).starting_from(setup),
        None => Score::new(None),
    };
    // A list of ours names its letters.
    let letters = letters.or_else(|| source.tag("Letters")?.to_lowercase().parse().ok());
    let tokens = std::mem::take(&mut source.tokens);
    let (mut read, entries) = in_best_letters(&tokens, letters, &blank, &source)?;
    read.games = games.len();
    read.notes.splice(0..0, source.notes.drain(..));
    read.notes.extend(source.other_result(&entries));
    read.notes.extend(another_game(&games, game, source.is_pgn));
    read.score = source.into_score(blank, entries);
    Ok(read)
}

/// Returns the signed scores of a text, whatever its length and its number of games.
pub fn signed_scores(text: &str) -> Vec<Score> {
    let is_signature = |line: &str| {
        let is_named = |name: &str| tag_name(name.trim()).as_deref() == Some("Signed");
        let mut tags = line
            .split('[')
            .skip(1)
            .filter_map(|tag| tag.split_once('"'));
        let name = line.split_once(':');
        tags.any(|(name, _)| is_named(name)) || name.is_some_and(|(name, _)| is_named(name))
    };
    let names_one = |text: &str| text.lines().any(is_signature);
    if refuse_what_is_no_text(text).is_err() || !names_one(text) {
        return Vec::new();
    }
    let text = plain(text);
    let games = games_of(&text).into_iter().map(|(_, game)| game);
    let read = games
        .filter(|game| names_one(game))
        .filter_map(|game| read_score(game, None, 1).ok());
    read.map(|read| read.score)
        .filter(|score| !score.signatures().is_empty())
        .collect()
}

/// Returns a text without control characters that would affect the terminal on which the score is
/// shown, and without what PGN ignores.
fn plain(text: &str) -> String {
    let is_text = |sign: &char| !sign.is_control() || matches!(sign, '\n' | '\r' | '\t' | '\u{c}');
    let text: String = text.chars().filter(is_text).collect();
    without_escapes(text.trim_start_matches('\u{feff}'))
}

/// Notes where the next game begins in a file of lists, if nobody has chosen a game. The reader
/// only guesses this from the moves, so a person with one game in his file must hear of it.
fn another_game(games: &[(usize, &str)], game: usize, is_pgn: bool) -> Option<ReadNote> {
    let &(line, text) = games.get(1).filter(|_| game <= 1 && !is_pgn)?;
    let empty = text.lines().take_while(|line| line.trim().is_empty());
    let line = line + empty.count();
    let kind = ReadNoteKind::AnotherGame;
    Some(ReadNote { line, kind })
}

/// Returns a text without lines that begin with `%`, if it is a PGN whose first lines are such
/// escapes.
fn without_escapes(text: &str) -> String {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
    if !first.is_some_and(is_pgn) {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| {
        let is_escape = line.starts_with('%');
        if is_escape { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the tokens with the declared letters, or with those in which most of it is a game.
fn in_best_letters(
    tokens: &[Token],
    declared: Option<Letters>,
    blank: &Score,
    source: &Source,
) -> Result<(ReadScore, Entries), ReadScoreError> {
    let is_pgn = source.is_pgn;
    let has_result = source.tag("Result").is_some();
    let first = SheetPlace::first(&blank.start());
    let mut readings = Vec::new();
    let choices: Vec<Letters> = declared.map_or_else(|| Letters::DISTINCT.to_vec(), |l| vec![l]);
    for letters in choices {
        let entries = assemble(tokens, letters, first)?;
        let legible = |entry: &&Entry| entry.notated.is_legible();
        let unreadable = entries.entries.len() - entries.entries.iter().filter(legible).count();
        let legal = legal_plies(Standing::of(blank.start()), &entries.entries);
        readings.push((letters, unreadable, legal, entries));
    }
    // A writer who uses a letter for pawns uses it for all of them. PGN is English unless that
    // reads worse. The order of the letters decides the rest.
    readings.sort_by_key(|(letters, unreadable, legal, entries)| {
        let foreign = is_pgn && *letters != Letters::English;
        let is_mixed = letters.names_some_pawns(&entries.entries);
        (*unreadable, is_mixed, usize::MAX - legal, foreign)
    });
    let mut readings = readings.into_iter();
    let Some((letters, unreadable, legal, mut entries)) = readings.next() else {
        return Err(at(1, ReadScoreErrorKind::NoMoves));
    };
    let is_legible = |entry: &Entry| entry.notated.is_legible();
    // A forfeit or a bye has a result and no moves.
    let is_unplayed = (is_pgn || has_result) && entries.entries.is_empty();
    if !is_unplayed && !entries.entries.iter().any(is_legible) {
        let line = tokens.first().map_or(1, |token| token.line);
        return Err(at(line, ReadScoreErrorKind::NoMoves));
    }
    refuse_other_texts(tokens, &entries)?;
    if !is_pgn && legal == 0 {
        refuse_remains(tokens, &entries)?;
    }
    note_first_doubt(blank, &mut entries);
    let said = |entries: &Entries| -> Vec<Notated> {
        let notated = entries.entries.iter();
        notated.map(|entry| entry.notated.clone()).collect()
    };
    let other_letters = readings
        .filter(|(other_letters, other_unreadable, other_legal, other)| {
            (*other_unreadable, *other_legal) == (unreadable, legal)
                && !other_letters.names_some_pawns(&other.entries)
                && said(other) != said(&entries)
        })
        .map(|(letters, ..)| letters)
        .collect();
    let read = ReadScore {
        score: Score::new(None),
        letters,
        other_letters,
        notes: std::mem::take(&mut entries.notes),
        games: 1,
    };
    Ok((read, entries))
}

/// Notes the first legible entry that is not one legal move. Later entries cannot be judged.
fn note_first_doubt(blank: &Score, entries: &mut Entries) {
    let setup = blank.start();
    let first = entries.entries.iter().find_map(|entry| entry.place);
    if first.is_some_and(|place| place.number > setup.fullmoves.get()) {
        // On a later page nothing can be judged without the previous one.
        return;
    }
    let mut standing = Standing::of(setup);
    for (entry, line) in entries.entries.iter().zip(&entries.lines) {
        let words = || entry.words();
        let kind = match standing.read(entry) {
            Meaning::Legal(played) => {
                standing = standing.after(played);
                continue;
            }
            _ if !entry.notated.is_legible() || standing.position().is_none() => return,
            Meaning::Ambiguous(_) => ReadNoteKind::Ambiguous(words()),
            _ if entry.notated.is_half_read() => ReadNoteKind::HalfRead(words()),
            _ => ReadNoteKind::NotLegal(words()),
        };
        entries.notes.push(ReadNote { line: *line, kind });
        entries.notes.sort_by_key(|note| note.line);
        return;
    }
}
