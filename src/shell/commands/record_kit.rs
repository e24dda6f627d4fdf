//! `annexd record-kit`: makes a folder with everything that a club needs to record a speaker.
//!
//! The lines to be read are random. All squares are equally likely, as in hearing: the lines
//! follow no position and no rule of chess (X1).

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

use crate::notation::{Announcement, MoveAnnouncement, Style, words};
use crate::phrases::{Language, LanguageError};
use crate::score::{Template, read_page};
use crate::shell::boards::simulate::Rng;
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::error::{Result, error, sentence};

/// Makes a folder with which a club records a speaker, for training and measuring hearing.
///
/// In it are lines to be read aloud, a form of consent, what to do, and the table that
/// `annexd eval` reads. The lines are drawn by lot: announcements in the long form, commands, and
/// some talk. The same seed gives the same lines, another seed others.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where to: a new folder, or an empty one.
    folder: PathBuf,
    /// The language that is read: de, en, da or sv; usually that of your settings or your system.
    #[arg(long)]
    language: Option<String>,
    /// How many lines, 10 to 500.
    #[arg(long, value_name = "NUMBER", default_value_t = 60,
          value_parser = clap::value_parser!(u16).range(10..=500))]
    lines: u16,
    /// What the lines are drawn by.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Who reads: a code, with a digit in it, and never a name.
    #[arg(long, value_name = "CODE", default_value = "s1")]
    speaker: String,
}

/// The file in the folder of a language with the texts of a kit.
const WORDS: &str = "kit.toml";
/// The file that is read first.
const READ_ME: &str = "READ-ME.txt";
/// The maximum length of a speaker's code.
const CODE_LETTERS: usize = 16;
/// The number of moves that is enough to name every file, rank and piece.
const LEAST_MOVES: usize = 6;
/// The minimum number of castlings: one to each side.
const LEAST_CASTLINGS: usize = 2;
/// There is one more castling for this many announcements.
const CASTLINGS_IN: usize = 20;

/// The texts of a kit in a language, from its `kit.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KitWords {
    /// The first lines of `reading.txt`.
    reading: Template,
    /// The instructions, with a place for `check` or `no_model`.
    read_me: Template,
    /// How to check the recordings if the language has a hearing model.
    check: Template,
    /// How to check them without a model.
    no_model: Template,
    /// The form that the speaker signs.
    consent: Template,
    /// Sentences that are no announcements.
    talk: Vec<String>,
}

impl KitWords {
    fn of(language: &str) -> Result<Self> {
        let text = data::grammar_text(language, WORDS)?;
        read_page(&text).map_err(|fault| {
            let why = LanguageError { file: WORDS, fault };
            error!(BadInput, GrammarWrong, language = language, why = why)
        })
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if !is_code(&arguments.speaker) {
        return Err(error!(Usage, KitNoCode, speaker = arguments.speaker));
    }
    let code = language::asked_or_usual(arguments.language.as_deref());
    let language = data::language(&code)?;
    let kit = Kit::new(&code, &language, arguments)?;
    let folder = &arguments.folder;
    prepare(folder)?;
    for (name, text) in kit.files() {
        let path = folder.join(name);
        write_new(&path, &text).map_err(|why| {
            error!(
                Unwritable,
                UnwritableMakeRoom,
                path = path.display(),
                why = why
            )
        })?;
    }
    language::show(&sentence!(
        KitMade,
        path = folder.display(),
        count = kit.lines().count(),
        speaker = kit.speaker,
        name = READ_ME
    ));
    Ok(ExitCode::SUCCESS)
}

/// Whether this can be a code. A digit is required, because names hardly ever have one.
fn is_code(speaker: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
    let has_digit = speaker.contains(|sign: char| sign.is_ascii_digit());
    has_digit && speaker.chars().all(is_sign) && speaker.len() <= CODE_LETTERS
}

/// Makes the folder. A folder with anything in it is refused: it may be full of recordings.
fn prepare(folder: &Path) -> Result<()> {
    let path = folder.display();
    let is_taken = match fs::read_dir(folder) {
        Ok(mut there) => there.next().is_some(),
        Err(why) => why.kind() != io::ErrorKind::NotFound,
    };
    if is_taken {
        return Err(error!(Usage, KitFolderTaken, path = path));
    }
    fs::create_dir_all(folder)
        .map_err(|why| error!(Unwritable, FolderNotMade, path = path, why = why))
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Lines that a language's lexicon has all words of: announcements and commands.
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub(super) fn lines_of(
    code: &str,
    language: &Language,
    lines: u16,
    seed: u64,
) -> Result<Vec<ReadingLine>> {
    let words = KitWords::of(code)?;
    let [announcements, commands, _] = parts(language, &words.talk, lines, seed);
    Ok([announcements, commands].concat())
}

/// The table of such lines, as `annexd eval` reads it.
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub(super) fn manifest_of(lines: &[ReadingLine]) -> String {
    table((1..).zip(lines), "own")
}

/// A line of `reading.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReadingLine {
    /// The text for the reader.
    read: String,
    /// The text for the table: words of the lexicon, or talk in small letters without punctuation.
    text: String,
    kind: Kind,
}

/// The kinds of lines, named as in the sets that the model is judged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Kind {
    /// A move in the long form.
    Long,
    /// Castling or a command.
    Form,
    /// A sentence that is no announcement.
    Talk,
}

/// The contents of a kit.
struct Kit {
    words: KitWords,
    english: KitWords,
    /// Announcements, commands and talk.
    parts: [Vec<ReadingLine>; 3],
    speaker: String,
    code: String,
    has_model: bool,
}

impl Kit {
    fn new(code: &str, language: &Language, arguments: &Arguments) -> Result<Self> {
        let words = KitWords::of(code)?;
        Ok(Self {
            parts: parts(language, &words.talk, arguments.lines, arguments.seed),
            words,
            english: KitWords::of("en")?,
            speaker: arguments.speaker.clone(),
            has_model: data::model_version(code).is_some(),
            code: code.to_owned(),
        })
    }

    fn files(&self) -> [(&'static str, String); 4] {
        [
            (READ_ME, self.read_me()),
            ("consent.txt", self.consent()),
            ("reading.txt", self.reading()),
            ("MANIFEST.tsv", self.manifest()),
        ]
    }

    /// Returns the lines with the numbers of their files.
    fn lines(&self) -> impl Iterator<Item = (usize, &ReadingLine)> {
        (1..).zip(self.parts.iter().flatten())
    }

    /// Returns the text of `reading.txt`, with an empty line before each part.
    fn reading(&self) -> String {
        let count = self.lines().count().to_string();
        let mut text = self.words.reading.filled(&[("lines", &count)]);
        let mut lines = self.lines();
        for part in &self.parts {
            text.push('\n');
            for (number, line) in lines.by_ref().take(part.len()) {
                text.push_str(&format!("{number}. {}\n", line.read));
            }
        }
        text
    }

    fn manifest(&self) -> String {
        table(self.lines(), &self.speaker)
    }

    /// Returns the form in the language of the speaker and, for collectors elsewhere, in English.
    fn consent(&self) -> String {
        let speaker = [("speaker", self.speaker.as_str())];
        let own = self.words.consent.filled(&speaker);
        if self.code == "en" {
            return own;
        }
        format!("{own}\n\n\n{}", self.english.consent.filled(&speaker))
    }

    fn read_me(&self) -> String {
        let count = self.lines().count();
        let command = match self.code.as_str() {
            "de" => "annexd eval MANIFEST.tsv".to_owned(),
            code => format!("annexd eval --language {code} MANIFEST.tsv"),
        };
        let check = match self.has_model {
            true => &self.words.check,
            false => &self.words.no_model,
        };
        let check = check.filled(&[("command", &command)]);
        let text = self.words.read_me.filled(&[
            ("lines", &count.to_string()),
            ("last", &file_name(count)),
            ("speaker", &self.speaker),
            ("language", &self.code),
            ("check", check.trim_end()),
        ]);
        // Backticks only mark what is no word of the language.
        text.replace('`', "")
    }
}

/// The table of lines with the numbers of their files.
fn table<'a>(lines: impl Iterator<Item = (usize, &'a ReadingLine)>, speaker: &str) -> String {
    let rows = lines.map(|(number, line)| {
        let kind: &str = line.kind.into();
        let file = file_name(number);
        format!("{file}\t{}\t{speaker}\t{kind}\n", line.text)
    });
    "file\ttext\tspeaker\tkind\n".to_owned() + &rows.collect::<String>()
}

fn file_name(number: usize) -> String {
    format!("{number:03}.wav")
}

/// Draws the lines: announcements, commands and talk.
fn parts(language: &Language, talk: &[String], lines: u16, seed: u64) -> [Vec<ReadingLine>; 3] {
    let mut chance = Rng::new(seed);
    let all = usize::from(lines);
    let mut talk = shuffled(talk.to_vec(), &mut chance);
    talk.truncate(all / 10);
    let mut commands = commands(language, &mut chance);
    let room = all.saturating_sub(talk.len() + LEAST_MOVES + LEAST_CASTLINGS);
    commands.truncate((all / 3).min(room));
    let left = all - talk.len() - commands.len();
    let talk = talk.into_iter().map(|read| ReadingLine {
        text: bare(&read),
        read,
        kind: Kind::Talk,
    });
    let announcements = announcements(language, left, &mut chance);
    [announcements, commands, talk.collect()]
}

/// Returns a sentence in small letters, without punctuation.
fn bare(sentence: &str) -> String {
    let is_kept = |sign: &char| sign.is_alphanumeric() || *sign == ' ';
    let kept: String = sentence.chars().filter(is_kept).collect();
    kept.to_lowercase()
}

/// Returns the phrases of all commands in random order: first one of each command, then the rest.
fn commands(language: &Language, chance: &mut Rng) -> Vec<ReadingLine> {
    let phrases = shuffled(language.lexicon().phrases().collect(), chance);
    let mut seen = BTreeSet::new();
    let (mut first, others): (Vec<_>, Vec<_>) = phrases
        .into_iter()
        .partition(|(name, _)| seen.insert(format!("{name:?}")));
    first.extend(others);
    let said = first.into_iter().map(|(_, phrase)| ReadingLine {
        read: language.as_read(phrase),
        text: phrase.join(" "),
        kind: Kind::Form,
    });
    said.collect()
}

/// Makes announcements. Their parts are dealt from decks, so that a few name every part.
fn announcements(language: &Language, count: usize, chance: &mut Rng) -> Vec<ReadingLine> {
    let mut maker = Maker::new();
    let castlings = LEAST_CASTLINGS + count / CASTLINGS_IN;
    let mut all: Vec<(Kind, Announcement)> = (0..count.saturating_sub(castlings))
        .map(|_| (Kind::Long, maker.long_move(chance)))
        .collect();
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let sides = sides.into_iter().cycle().take(castlings);
    all.extend(sides.map(|side| (Kind::Form, Announcement::of_castling(side))));
    let said = shuffled(all, chance)
        .into_iter()
        .map(|(kind, announcement)| ReadingLine {
            read: language.announcement(&announcement, Style::Long).text(),
            text: words(language.lexicon(), &announcement, Style::Long).join(" "),
            kind,
        });
    said.collect()
}

/// Makes random moves in the long form.
struct Maker {
    pieces: Deck<Role>,
    files: Deck<File>,
    ranks: Deck<Rank>,
    /// The ranks from which and to which a pawn promotes.
    last_ranks: Deck<[Rank; 2]>,
    captures: Deck<bool>,
    promotions: Deck<Role>,
    /// Whether the next pawn has to promote. Every second one does.
    promotes: bool,
}

impl Maker {
    fn new() -> Self {
        Self {
            pieces: Deck::new(&Role::ALL),
            files: Deck::new(&File::ALL),
            ranks: Deck::new(&Rank::ALL),
            last_ranks: Deck::new(&[[Rank::Seventh, Rank::Eighth], [Rank::Second, Rank::First]]),
            captures: Deck::new(&[true, false, false]),
            promotions: Deck::new(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]),
            promotes: true,
        }
    }

    fn long_move(&mut self, chance: &mut Rng) -> Announcement {
        let piece = self.pieces.deal(chance);
        let is_pawn = piece == Role::Pawn;
        let has_to_promote = is_pawn && self.promotes;
        self.promotes ^= is_pawn;
        let [departure, arrival] = if has_to_promote {
            self.last_ranks.deal(chance)
        } else {
            [(); 2].map(|()| self.ranks.deal(chance))
        };
        let from = Square::from_coords(self.files.deal(chance), departure);
        let mut to = Square::from_coords(self.files.deal(chance), arrival);
        while to == from {
            to = Square::from_coords(self.files.deal(chance), arrival);
        }
        let promotes = is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
        Announcement::Move(MoveAnnouncement {
            piece: Some(piece),
            from: Some(from),
            to,
            capture: self.captures.deal(chance),
            promotion: promotes.then(|| self.promotions.deal(chance)),
            mark: None,
        })
    }
}

/// Values that are dealt in random order. All of them are dealt before any is repeated.
struct Deck<T: 'static> {
    all: &'static [T],
    left: Vec<T>,
}

impl<T: Copy> Deck<T> {
    /// Makes a deck of at least one value.
    const fn new(all: &'static [T]) -> Self {
        let left = Vec::new();
        Self { all, left }
    }

    fn deal(&mut self, chance: &mut Rng) -> T {
        if self.left.is_empty() {
            self.left = shuffled(self.all.to_vec(), chance);
        }
        self.left.pop().unwrap_or(self.all[0])
    }
}

fn shuffled<T>(mut cards: Vec<T>, chance: &mut Rng) -> Vec<T> {
    for end in (1..cards.len()).rev() {
        cards.swap(end, chance.below(end as u64 + 1) as usize);
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Said, Value, understand};
    use crate::shell::error::ErrorKind;

    fn arguments(lines: u16, seed: u64) -> Arguments {
        Arguments {
            folder: PathBuf::new(),
            language: None,
            lines,
            seed,
            speaker: "s1".to_owned(),
        }
    }

    fn kit(code: &str, lines: u16, seed: u64) -> Kit {
        let language = data::language(code).unwrap();
        Kit::new(code, &language, &arguments(lines, seed)).unwrap()
    }

    #[test]
    fn every_line_means_what_is_read_and_talk_means_nothing() {
        for code in data::languages().unwrap() {
            let lexicon = data::lexicon(&code).unwrap();
            for (_, line) in kit(&code, 500, 7).lines() {
                let words: Vec<&str> = line.text.split(' ').collect();
                let said = understand(&lexicon, &words);
                assert_eq!(said.is_empty(), line.kind == Kind::Talk, "{code}: {line:?}");
                let is_move = matches!(said.as_slice(), [Said::Move(_)]);
                assert!(is_move || line.kind != Kind::Long, "{code}: {line:?}");
                let apostrophe = line
                    .read
                    .replace('\'', "")
                    .replace(['!', '?', ',', '.'], "");
                assert_eq!(apostrophe.to_lowercase(), line.text, "{code}");
            }
        }
    }

    #[test]
    fn the_fewest_lines_have_every_file_rank_piece_and_sort() {
        let language = data::language("de").unwrap();
        let talk = ["Danke.".to_owned()];
        let names = |line: &ReadingLine, word: &str| line.text.split(' ').any(|it| it == word);
        for seed in 0..200 {
            let lines = parts(&language, &talk, 10, seed).concat();
            let values = Value::all_with_meaning().filter(|it| {
                matches!(
                    it,
                    Value::File(_)
                        | Value::Rank(_)
                        | Value::Role(_)
                        | Value::CastlingSide(_)
                        | Value::Captures
                )
            });
            for value in values {
                let word = language.lexicon().word_for(value).unwrap();
                let is_there = lines.iter().any(|it| names(it, word));
                assert!(is_there, "seed {seed}: {word}");
            }
            let promotes = |it: &ReadingLine| {
                let words: Vec<&str> = it.text.split(' ').collect();
                let last = language.lexicon().value(words[words.len() - 1]);
                words.len() > 5 && matches!(last, Some(Value::Role(_)))
            };
            assert!(lines.iter().any(promotes), "seed {seed}");
            for kind in [Kind::Long, Kind::Form, Kind::Talk] {
                assert!(lines.iter().any(|it| it.kind == kind), "seed {seed}");
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_lines_and_another_others() {
        for count in [10, 60, 500] {
            let lines = |seed| kit("de", count, seed).parts.concat();
            assert_eq!(lines(1).len(), usize::from(count));
            assert_eq!(lines(1), lines(1));
            assert_ne!(lines(1), lines(2));
        }
    }

    #[test]
    fn the_table_names_a_file_for_each_numbered_line() {
        let kit = kit("de", 60, 1);
        let table = kit.manifest();
        let mut rows = table.lines();
        assert_eq!(rows.next(), Some("file\ttext\tspeaker\tkind"));
        let reading = kit.reading();
        for (number, line) in kit.lines() {
            let kind: &str = line.kind.into();
            let row = format!("{number:03}.wav\t{}\ts1\t{kind}", line.text);
            assert_eq!(rows.next(), Some(row.as_str()));
            let numbered = format!("{number}. {}", line.read);
            assert!(reading.lines().any(|it| it == numbered), "{numbered}");
        }
        assert_eq!(rows.next(), None);
    }

    #[test]
    fn nothing_is_left_open_in_the_files() {
        let codes = data::languages().unwrap();
        for code in &codes {
            let kit = kit(code, 60, 1);
            for (name, text) in kit.files() {
                assert!(!text.contains(['{', '}', '`']), "{code} {name}");
                assert!(name.ends_with(".tsv") || text.contains("60") || text.contains("s1"));
            }
            let is_there = kit.read_me().contains("060.wav");
            assert!(is_there && kit.read_me().contains("annexd eval"), "{code}");
            let consents = kit.consent().matches("[ ]").count();
            assert_eq!(consents, if code == "en" { 4 } else { 8 }, "{code}");
        }
    }

    #[test]
    fn a_name_is_no_code() {
        for code in ["s1", "club7-2", "B_03"] {
            assert!(is_code(code), "{code}");
        }
        for name in ["", "Anna", "Anna 1", "s1\t", "ä1", "a1b2c3d4e5f6g7h8i"] {
            assert!(!is_code(name), "{name}");
        }
    }

    #[test]
    fn only_a_new_or_empty_folder_is_taken() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("empty")).unwrap();
        for name in ["empty", "new/inside"] {
            prepare(&at(name)).unwrap();
            write_new(&at(name).join("a"), "1").unwrap();
            let error = prepare(&at(name)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage, "{name}");
            assert!(write_new(&at(name).join("a"), "2").is_err());
            assert_eq!(fs::read(at(name).join("a")).unwrap(), b"1");
        }
        assert!(prepare(&at("empty/a")).is_err());
    }
}
