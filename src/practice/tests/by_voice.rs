//! A whole practice game by voice alone, from `annexd` without a command to the exported score:
//! forty moves against Stockfish in a simulated room, where a synthetic voice plays.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the room and the programs, and fails where they fail"
)]

#[path = "../../../tests/room/mod.rs"]
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use annexd::game::{Effect, Form, Game, Input, VoiceMark};
use annexd::journal::Body;
use annexd::moment::Moment;
use annexd::notation::{Announcement, Said, Style, typed, words};
use annexd::persons::Channel;
use annexd::phrases::{Language, Phrase, PhraseKey};
use annexd::shell::config::data;
use room::{Recording, Room};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

/// Where Debian puts Stockfish.
const STOCKFISH: &str = "/usr/games/stockfish";

/// How many moves of each are played.
const MOVES: usize = 40;

/// What is waited for comes long before that, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whoever has said something, and hears nothing for so long, says it again.
const ANSWERED_BY: Duration = Duration::from_secs(10);

/// Whoever plays: he hears what sounds in the room, reads nothing but what was said there, and
/// speaks.
struct Player {
    room: Room,
    sound: Recording,
    child: Child,
    typed: Option<ChildStdin>,
    lines: Arc<Mutex<Vec<(Instant, String)>>>,
    german: Language,
    /// How often he had to say something again.
    again: usize,
}

impl Player {
    fn starts(room: Room, mut command: Command) -> Self {
        let sound = room.record();
        let command = room.with(&mut command);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let lines = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&lines);
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                eprintln!("    {line}");
                seen.lock().unwrap().push((Instant::now(), line));
            }
        });
        Self {
            room,
            sound,
            typed: child.stdin.take(),
            child,
            lines,
            german: data::language("de").unwrap(),
            again: 0,
        }
    }

    fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap();
        lines.iter().map(|(_, line)| line.clone()).collect()
    }

    fn count(&self, part: &str) -> usize {
        let lines = self.lines();
        lines.iter().filter(|line| line.contains(part)).count()
    }

    /// When this was printed first.
    fn at(&self, part: &str) -> Instant {
        let lines = self.lines.lock().unwrap();
        lines
            .iter()
            .find(|(_, line)| line.contains(part))
            .unwrap()
            .0
    }

    /// Whether this is printed so often within some time.
    fn comes(&self, part: &str, times: usize, within: Duration) -> bool {
        let until = Instant::now() + within;
        while self.count(part) < times {
            if Instant::now() > until {
                return false;
            }
            thread::sleep(Duration::from_millis(10));
        }
        true
    }

    #[track_caller]
    fn waits_for(&self, part: &str, times: usize) {
        let has_come = self.comes(part, times, PATIENCE);
        assert!(has_come, "{part:?} is missing: {:#?}", self.lines());
    }

    /// Waits until nobody speaks. What was just decided is not said yet.
    fn waits_for_silence(&self) {
        thread::sleep(Duration::from_millis(500));
        let until = Instant::now() + PATIENCE;
        while !self.sound.is_silent() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Says something when it is silent, until it is answered by this.
    #[track_caller]
    fn says(&mut self, words: &str, answer: &str) {
        self.says_one_of(&[words], answer);
    }

    /// The same, with other words when the first were not heard.
    #[track_caller]
    fn says_one_of(&mut self, words: &[&str], answer: &str) {
        let before = self.count(answer);
        for words in words.iter().cycle().take(8) {
            self.waits_for_silence();
            self.speaks(words);
            if self.comes(answer, before + 1, ANSWERED_BY) {
                return;
            }
            self.again += 1;
        }
        panic!(
            "{words:?} was never answered {answer:?}: {:#?}",
            self.lines()
        );
    }

    fn speaks(&self, words: &str) {
        eprintln!("> {words}");
        self.room.speak("mouth", "de", words);
    }

    fn sentence(&self, announcement: &Announcement) -> String {
        words(self.german.lexicon(), announcement, Style::Long).join(" ")
    }

    /// Announces a move, hears it repeated, and presses; gives what the opponent then announces.
    #[track_caller]
    fn moves(&mut self, announcement: &Announcement) -> Announcement {
        let sentence = self.sentence(announcement);
        let corrected = format!("Korrektur. {sentence}");
        let repeated = self.count(REPEATED);
        let read_back = format!("Tisch: {}", first_upper(&sentence));
        self.says_one_of(&[&sentence, &sentence, &corrected], &read_back);
        self.waits_for(REPEATED, repeated + 1);
        let told = self.lines().len();
        let runs = self.count(HIS_TURN);
        self.says("Uhr drücken", "Weiß privat: Gedrückt.");
        self.waits_for(HIS_TURN, runs + 1);
        let lines = self.lines();
        let said = lines[told..]
            .iter()
            .filter_map(|line| line.strip_prefix("Tisch: "));
        let mut said =
            said.filter_map(|line| match typed(self.german.lexicon(), line).as_slice() {
                [Said::Move(announcement)] => Some(announcement.clone()),
                _ => None,
            });
        said.next()
            .unwrap_or_else(|| panic!("no reply: {lines:#?}"))
    }

    /// Repeats what the opponent has announced.
    #[track_caller]
    fn repeats(&mut self, announcement: &Announcement) {
        let sentence = self.sentence(announcement);
        self.says(&sentence, REPEATED);
    }

    /// Ends what is typed, which was nothing, and waits for the end.
    fn leaves(mut self) -> Vec<String> {
        self.typed = None;
        assert!(self.child.wait().unwrap().success());
        self.lines()
    }
}

const REPEATED: &str = "Tisch: Richtig wiederholt.";
const HIS_TURN: &str = "Ihre Uhr läuft";

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Whoever tells the player what to play, so that the game is even and goes on.
struct Adviser {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Adviser {
    fn new() -> Self {
        let mut program = Command::new(STOCKFISH);
        let program = program.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = program.spawn().unwrap();
        let orders = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut adviser = Self {
            child,
            orders,
            answers,
        };
        adviser.order("setoption name MultiPV value 12");
        adviser
    }

    fn order(&mut self, order: &str) {
        writeln!(self.orders, "{order}").unwrap();
    }

    /// The moves of a position, that which keeps it most even first.
    fn even(&mut self, played: &[String]) -> Vec<UciMove> {
        self.order(&format!("position startpos moves {}", played.join(" ")));
        self.order("go nodes 20000");
        let mut lines: Vec<(i32, UciMove)> = Vec::new();
        let mut best = None;
        for line in (&mut self.answers).lines().map_while(Result::ok) {
            let parts: Vec<&str> = line.split(' ').collect();
            let behind = |word: &str| {
                let at = parts.iter().position(|part| *part == word)?;
                parts.get(at + 1).copied()
            };
            if let Some(found) = behind("bestmove") {
                best = found.parse().ok();
                break;
            }
            if let (Some(score), Some(first)) = (behind("cp"), behind("pv")) {
                let first: UciMove = first.parse().unwrap();
                lines.retain(|(_, other)| *other != first);
                lines.push((score.parse::<i32>().unwrap().abs(), first));
            }
        }
        lines.sort_by_key(|(score, _)| *score);
        let even = lines.into_iter().map(|(_, first)| first);
        even.chain(best).collect()
    }
}

impl Drop for Adviser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The game as the player knows it.
#[derive(Default)]
struct Known {
    position: Chess,
    played: Vec<String>,
    seen: BTreeSet<String>,
}

impl Known {
    fn play(&mut self, made: Move) {
        let as_written = made.to_uci(CastlingMode::Standard);
        self.played.push(as_written.to_string());
        self.position.play_unchecked(made);
        self.seen.insert(self.position.board().to_string());
    }

    /// The move that was announced.
    fn meant(&self, announcement: &Announcement) -> Move {
        let legal = self.position.legal_moves();
        let is_it = |it: &&Move| is_same(&Announcement::from(*it), announcement);
        *legal.iter().find(is_it).unwrap()
    }

    /// What the player plays: what keeps the game even, and no position twice.
    fn next(&self, adviser: &mut Adviser) -> Move {
        let even = adviser.even(&self.played);
        let moves = even.iter().filter_map(|it| it.to_move(&self.position).ok());
        let moves: Vec<Move> = moves.collect();
        let is_new = |it: &&Move| {
            let mut after = self.position.clone();
            after.play_unchecked(**it);
            !self.seen.contains(&after.board().to_string())
        };
        *moves.iter().find(is_new).unwrap_or(&moves[0])
    }
}

/// Whether two announcements are the same move: nobody has to say check.
fn is_same(one: &Announcement, other: &Announcement) -> bool {
    match (one, other) {
        (Announcement::Move(one), Announcement::Move(other)) => {
            let squares = (one.from, one.to) == (other.from, other.to);
            squares && one.promotion == other.promotion
        }
        (Announcement::Castling(one), Announcement::Castling(other)) => one.side == other.side,
        _ => false,
    }
}

/// What is needed; `None`, and a line that says so, where something is missing.
fn can_play() -> Option<PathBuf> {
    let annexd = Path::new(env!("CARGO_BIN_EXE_annexd-practice")).with_file_name("annexd");
    let libvosk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/lib/libvosk.so");
    for (path, name) in [
        (Path::new(STOCKFISH), "Stockfish"),
        (&annexd, "annexd (cargo build)"),
        (&libvosk, "libvosk (make setup)"),
    ] {
        if !path.exists() {
            eprintln!("skipped: a game by voice, for which {name} is missing");
            return None;
        }
    }
    Some(annexd)
}

/// A home of its own, and the program in it.
struct Home {
    folder: tempfile::TempDir,
    annexd: PathBuf,
}

impl Home {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.annexd);
        command.args(arguments);
        for (name, folder) in [("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config")] {
            command.env(name, self.folder.path().join(folder));
        }
        for language in ["LC_ALL", "LC_MESSAGES", "LANG", "ANNEXD_LANGUAGE"] {
            command.env_remove(language);
        }
        command
    }

    /// The record of the only game.
    fn record(&self) -> PathBuf {
        let games = self.folder.path().join("data/annexd/games");
        let records = games.read_dir().unwrap().flatten().map(|it| it.path());
        let mut records = records.filter(|it| it.extension().is_some_and(|it| it == "annexd"));
        records.next().unwrap()
    }
}

#[test]
#[ignore = "a quarter of an hour in real time, for make soak"]
fn forty_moves_against_stockfish_are_played_by_voice_alone() {
    let Some(annexd) = can_play() else {
        return;
    };
    let Some(room) = Room::furnished("practice", &[], &["mouth"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let home = Home { folder, annexd };
    let started = Instant::now();
    let mut player = Player::starts(room, home.command(&[]));
    player.waits_for("Zwei: üben.", 1);
    player.waits_for("Ja nimmt die erste", 1);
    player.says("Zwei", "Ja beginnt die Partie.");
    player.says("Ja", "Tisch: Die Partie beginnt.");
    let (mut known, mut adviser) = (Known::default(), Adviser::new());
    for number in 1..=MOVES {
        let made = known.next(&mut adviser);
        known.play(made);
        let announced = Announcement::from(&made);
        let reply = player.moves(&announced);
        if number == 1 {
            let begun = player.at(&first_upper(&player.sentence(&announced)));
            eprintln!("from the start to the first move: {:?}", begun - started);
        }
        let meant = known.meant(&reply);
        player.repeats(&Announcement::from(&meant));
        known.play(meant);
        let is_over = known.position.is_game_over();
        assert!(!is_over, "after {number} moves: {:?}", known.played);
    }
    player.says("Aufgabe", "aufgeben?");
    player.says("Ja", "Ende: 0-1");
    eprintln!("said again: {} of {}", player.again, 3 * MOVES + 4);
    player.leaves();
    let record = home.record();
    Heard::of(&record).assert_all();
    let name = record.file_stem().unwrap().to_str().unwrap();
    let mut export = home.command(&["score", "export", name, "--format", "pgn"]);
    let pgn = String::from_utf8(export.output().unwrap().stdout).unwrap();
    eprintln!("{pgn}");
    let number = |word: &str| word.strip_suffix('.')?.parse::<usize>().ok();
    let numbers: Vec<usize> = pgn.split_whitespace().filter_map(number).collect();
    assert_eq!(numbers, (1..=MOVES).collect::<Vec<_>>(), "{pgn}");
}

/// What a record says of what the player heard.
struct Heard {
    game: Game,
    /// How long each answer took to be said, and which it was.
    answers: Vec<(Duration, Phrase)>,
    /// That after which he could say nothing.
    stuck: Vec<Phrase>,
    /// How often the opponent's words were repeated otherwise.
    wrong: usize,
    /// What was begun and has not ended.
    open: BTreeMap<u32, (Phrase, Option<Moment>)>,
}

impl Heard {
    fn of(record: &Path) -> Self {
        let entries = annexd::shell::record::store::read(record).unwrap().entries;
        let Body::Opened(opened) = &entries[0].body else {
            panic!("{:?}", entries[0]);
        };
        let mut heard = Self {
            game: Game::new(opened.profile.clone()),
            answers: Vec::new(),
            stuck: Vec::new(),
            wrong: 0,
            open: BTreeMap::new(),
        };
        for entry in &entries[1..] {
            if let Body::Step { input, effects } = &entry.body {
                heard.game.handle(entry.at, input.clone());
                heard.marked(entry.at, input);
                effects.iter().for_each(|effect| heard.said(effect));
            }
        }
        heard.answers.sort_by_key(|(took, _)| *took);
        heard
    }

    fn marked(&mut self, at: Moment, input: &Input) {
        let Input::Voice {
            utterance, mark, ..
        } = input
        else {
            return;
        };
        match (mark, self.open.get_mut(utterance)) {
            (VoiceMark::Begun, Some((_, begun))) => *begun = Some(at),
            (VoiceMark::Finished, Some((phrase, Some(begun)))) if !phrase.is_announcement() => {
                self.answers.push((at.since(*begun), phrase.clone()));
            }
            _ => {}
        }
    }

    fn said(&mut self, effect: &Effect) {
        let Effect::Say {
            utterance,
            channel: Channel::Table | Channel::Ear(Color::White),
            phrase,
            ..
        } = effect
        else {
            return;
        };
        self.open.insert(*utterance, (phrase.clone(), None));
        self.wrong += usize::from(phrase.key == PhraseKey::RepetitionDiffers);
        let form = self.game.expectation(Some(Color::White)).form;
        if form == Form::Nothing && self.game.ending().is_none() {
            self.stuck.push(phrase.clone());
        }
    }

    fn assert_all(&self) {
        let german = data::language("de").unwrap();
        let told = |index: usize| {
            let (took, phrase) = &self.answers[index];
            format!("{took:?} {}", german.text(phrase))
        };
        let count = self.answers.len();
        eprintln!("answers: {count}, median {}", told(count / 2));
        eprintln!("longest: {}", told(count - 1));
        eprintln!("repeated wrongly: {}", self.wrong);
        assert_eq!(self.stuck, [], "after which nothing can be said");
        assert_eq!(self.game.plies(), 2 * MOVES);
        // A word of what was taken back stands in the score as well.
        assert!(self.game.score(Color::White).entries().len() >= 2 * MOVES);
    }
}
