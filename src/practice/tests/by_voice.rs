//! A whole practice game by voice alone, from `annexd` without a command to the exported score. It
//! has forty moves against Stockfish in a simulated room, with a synthetic voice as the player.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the room and the programs, and fails where they fail"
)]

#[path = "../../../tests/room/mod.rs"]
mod room;
#[path = "../../../tests/common/waiting.rs"]
mod waiting;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use annexd::game::{Effect, Form, Game, Input, VoiceMark};
use annexd::journal::Body;
use annexd::moment::Moment;
use annexd::notation::{Announcement, Said, typed};
use annexd::persons::Channel;
use annexd::phrases::{Phrase, PhraseKey};
use annexd::shell::config::data;
use room::Room;
use room::player::Player;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

/// Where Debian puts Stockfish.
const STOCKFISH: &str = "/usr/games/stockfish";

/// How many moves of each are played.
const MOVES: usize = 40;

/// Announces a move, hears it repeated, and presses. Returns the opponent's next announcement.
#[track_caller]
fn plays(player: &mut Player, announcement: &Announcement) -> Announcement {
    let sentence = player.sentence(announcement);
    let corrected = format!("Korrektur. {sentence}");
    let repeated = player.count(REPEATED);
    let read_back = player.read_back(announcement);
    player.says_one_of(&[&sentence, &sentence, &corrected], &read_back);
    player.waits_for(REPEATED, repeated + 1);
    let told = player.lines().len();
    let runs = player.count(HIS_TURN);
    player.says("Uhr drücken", "Weiß privat: Gedrückt.");
    player.waits_for(HIS_TURN, runs + 1);
    let lines = player.lines();
    let said = lines[told..]
        .iter()
        .filter_map(|line| line.strip_prefix("Tisch: "));
    let mut said =
        said.filter_map(
            |line| match typed(player.language.lexicon(), line).as_slice() {
                [Said::Move(announcement)] => Some(announcement.clone()),
                _ => None,
            },
        );
    said.next()
        .unwrap_or_else(|| panic!("no reply: {lines:#?}"))
}

/// Repeats the opponent's announcement.
#[track_caller]
fn repeats(player: &mut Player, announcement: &Announcement) {
    let sentence = player.sentence(announcement);
    player.says(&sentence, REPEATED);
}

const REPEATED: &str = "Tisch: Richtig wiederholt.";
const HIS_TURN: &str = "Ihre Uhr läuft";

/// Tells the player what to play, so that the game stays even and goes on.
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

    /// Returns the moves of a position, those that keep it most even first.
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

    /// Returns the move that was announced.
    fn meant(&self, announcement: &Announcement) -> Move {
        let legal = self.position.legal_moves();
        let is_it = |it: &&Move| is_same(&Announcement::from(*it), announcement);
        *legal.iter().find(is_it).unwrap()
    }

    /// Returns the player's next move: it keeps the game even and repeats no position.
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

/// Returns whether two announcements are the same move. Check may be left out.
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

/// Returns the program, or `None` and a line that says so if something necessary is missing.
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

/// A home folder of its own, and the program in it.
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

    /// Returns the record of the only game.
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
    let offered = [("Ja nimmt die erste", "Zwei"), ("Richtig?", "Ja")];
    player.answers(&offered, "Ja beginnt die Partie.");
    player.says("Ja", "Tisch: Die Partie beginnt.");
    let (mut known, mut adviser) = (Known::default(), Adviser::new());
    for number in 1..=MOVES {
        let made = known.next(&mut adviser);
        known.play(made);
        let announced = Announcement::from(&made);
        let reply = plays(&mut player, &announced);
        if number == 1 {
            let begun = player.at(&player.read_back(&announced));
            eprintln!("from the start to the first move: {:?}", begun - started);
        }
        let meant = known.meant(&reply);
        repeats(&mut player, &Announcement::from(&meant));
        known.play(meant);
        let is_over = known.position.is_game_over();
        assert!(!is_over, "after {number} moves: {:?}", known.played);
    }
    player.says("Aufgabe", "aufgeben?");
    player.says("Ja", "Ende: 0-1");
    player.says("Ich unterschreibe", "Das Ergebnis unterschreiben?");
    player.says("Ja", "Zum Beenden sagen Sie");
    player.says("Ich möchte gehen", "Annexd beenden?");
    player.says("Ja", "Als PGN liegt sie in:");
    eprintln!("said again: {} of {}", player.again, player.said);
    player.ends();
    let record = home.record();
    Heard::of(&record).assert_all();
    let name = record.file_stem().unwrap().to_str().unwrap();
    let verified = home.command(&["verify", name]).output().unwrap();
    let told = String::from_utf8_lossy(&verified.stdout);
    eprintln!("{told}");
    assert!(verified.status.success(), "{verified:?}");
    let pgn = std::fs::read_to_string(record.with_extension("pgn")).unwrap();
    eprintln!("{pgn}");
    let number = |word: &str| word.strip_suffix('.')?.parse::<usize>().ok();
    let numbers: Vec<usize> = pgn.split_whitespace().filter_map(number).collect();
    assert_eq!(numbers, (1..=MOVES).collect::<Vec<_>>(), "{pgn}");
}

/// What a record says about what the player heard.
struct Heard {
    game: Game,
    /// How long each answer took to be said, and the answer.
    answers: Vec<(Duration, Phrase)>,
    /// The phrases after which he could not speak.
    stuck: Vec<Phrase>,
    /// How often the opponent's words were repeated differently.
    wrong: usize,
    /// Utterances that have begun and not ended.
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
        if form == Form::Nothing && phrase.key != PhraseKey::Farewell {
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
        // Words that were taken back are also in the score.
        assert!(self.game.score(Color::White).entries().len() >= 2 * MOVES);
    }
}
