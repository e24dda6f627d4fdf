//! Scores in files: reading them, recognising their format, and writing them.

use std::fs;
use std::io::Read as _;
use std::num::NonZeroUsize;
use std::path::Path;

use shakmaty::Setup;

use crate::score::{
    FileKind, Letters, MOST_BYTES, MOST_PGN_BYTES, ReadNote, ReadNoteKind, ReadScore, Score,
    braille_games, decoded, from_json, is_json, kind_of_file, read_score_from,
};
use crate::shell::config::data;
use crate::shell::error::{Result, Sentence, error, sentence};
use crate::shell::errors_in_words::InWords as _;

/// The notation letters of a language, if one is named.
pub(crate) fn letters_of(language: Option<&str>) -> Letters {
    let letters = language.and_then(|code| data::letters(code).ok());
    letters.unwrap_or(Letters::English)
}

/// Refuses a second game from a file that holds one.
pub(crate) fn only_game(path: &Path, game: Option<NonZeroUsize>) -> Result<()> {
    if game.is_none_or(|game| game == NonZeroUsize::MIN) {
        return Ok(());
    }
    let why = sentence!(ReadFewGames, games = 1_usize);
    Err(error!(BadInput, NoScore, path = path.display(), why = why))
}

/// Reads a score from a file: JSON if it begins like it, Braille if it is Braille, else PGN or a
/// list of moves.
pub(crate) fn read_file(
    path: &Path,
    letters: Option<Letters>,
    game: Option<NonZeroUsize>,
) -> Result<ReadScore> {
    read_file_from(path, letters, game, None)
}

/// Whether `-` is given for a file, meaning the standard input as in other programs.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The content of a file, or as much of it as shows that it is longer than any score. So an endless
/// file is not read for ever.
pub(crate) fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    // A character may take two bytes.
    const MOST: u64 = 2 * (MOST_PGN_BYTES as u64 + 1);

    let mut bytes = Vec::new();
    if is_standard_input(path) {
        std::io::stdin().take(MOST).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The same, from another starting position if the file names none.
pub(crate) fn read_file_from(
    path: &Path,
    letters: Option<Letters>,
    game: Option<NonZeroUsize>,
    start: Option<&Setup>,
) -> Result<ReadScore> {
    let bytes = bytes_of(path)
        .map_err(|error| error!(BadInput, NoScore, path = path.display(), why = error))?;
    read_bytes_from(path, &bytes, letters, game, start)
}

/// The same for bytes read from a file.
pub(crate) fn read_bytes_from(
    path: &Path,
    bytes: &[u8],
    letters: Option<Letters>,
    game: Option<NonZeroUsize>,
    start: Option<&Setup>,
) -> Result<ReadScore> {
    let wrong = |reason: Sentence| error!(BadInput, NoScore, path = path.display(), why = reason);
    let text = decoded(bytes);
    if is_json(&text) && kind_of_file(bytes).is_none() {
        only_game(path, game)?;
        let score = from_json(&text).map_err(|error| wrong(error.in_words()))?;
        let changed = (!score.is_as_signed()).then_some(ReadNote {
            line: 1,
            kind: ReadNoteKind::ChangedAfterSigning,
        });
        let is_untied = !score.signatures().is_empty() && !score.is_tied_to_signatures();
        let changed = changed.or_else(|| is_untied.then_some(UNCHECKED));
        return Ok(ReadScore {
            score,
            letters: letters.unwrap_or(Letters::English),
            other_letters: Vec::new(),
            notes: changed.into_iter().collect(),
            games: 1,
        });
    }
    let read = read_text_from(path, &text, letters, game, start);
    match kind_of_file(bytes) {
        Some(kind) => read.map_err(|_| wrong(sentence!(ReadOtherKind, kind = kind_name(kind)))),
        None => read,
    }
}

/// The same for a text other than JSON. Nothing ties signatures to it.
fn read_text_from(
    path: &Path,
    text: &str,
    letters: Option<Letters>,
    game: Option<NonZeroUsize>,
    start: Option<&Setup>,
) -> Result<ReadScore> {
    let wrong = |reason: Sentence| error!(BadInput, NoScore, path = path.display(), why = reason);
    let checked = |mut read: ReadScore| {
        // Reading has just tied the signatures to whatever was there.
        let is_signed = !read.score.signatures().is_empty();
        read.notes.extend(is_signed.then_some(UNCHECKED));
        read
    };
    let game = game.map_or(1, NonZeroUsize::get);
    let braille = if text.len() <= MOST_BYTES {
        braille_games(text)
    } else {
        Vec::new()
    };
    let read = match braille.as_slice() {
        [] => read_score_from(text, letters, game, start),
        [(list, letters)] => read_score_from(list, Some(*letters), game, start),
        games => {
            let Some((list, letters)) = games.get(game - 1) else {
                return Err(wrong(sentence!(ReadFewGames, games = games.len())));
            };
            let read = read_score_from(list, Some(*letters), 1, start);
            read.map(|read| ReadScore {
                games: games.len(),
                ..read
            })
        }
    };
    read.map(checked).map_err(|error| wrong(error.in_words()))
}

/// The remark that nobody can tell whether a signed score was changed since.
const UNCHECKED: ReadNote = ReadNote {
    line: 1,
    kind: ReadNoteKind::UncheckedSignatures,
};

fn kind_name(kind: FileKind) -> Sentence {
    match kind {
        FileKind::Page => sentence!(KindPage),
        FileKind::Pdf => sentence!(KindPdf),
        FileKind::Office => sentence!(KindOffice),
        FileKind::Archive => sentence!(KindArchive),
        FileKind::Picture => sentence!(KindPicture),
        FileKind::Sound => sentence!(KindSound),
    }
}

pub(crate) fn json(score: &Score) -> Result<String> {
    serde_json::to_string(score)
        .map(|json| json + "\n")
        .map_err(|error| error!(BadInput, AsItIs, text = error.to_string()))
}

/// A score that can be signed. Only JSON can, because any other format would be overwritten.
pub(crate) fn json_score(path: &Path) -> Result<Score> {
    let text = bytes_of(path).unwrap_or_default();
    let text = String::from_utf8(text).unwrap_or_default();
    if path.is_file() && !is_json(&text) {
        return Err(error!(BadInput, ScoreNotJson, path = path.display()));
    }
    Ok(read_file(path, None, None)?.score)
}
