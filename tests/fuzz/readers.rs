//! The readers, what they usually get, and what must hold whatever they get.

#[cfg(feature = "recognizer")]
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use annexd::board::{Reading, Readings};
use annexd::clock::TimeControl;
use annexd::discrepancy::{ByOwner, Case, corrections, read_placement, reconcile};
use annexd::game::scenario::Scenario;
use annexd::game::{Game, Mode, Profile};
use annexd::journal::{self, Body, Entry};
use annexd::laws::Edition;
use annexd::moment::Moment;
use annexd::notation::{Lexicon, typed};
use annexd::persons::Person;
use annexd::phrases::{Language, Phrase, PhraseKey, in_english, verdict};
use annexd::score::{
    BrailleCode, BrailleForm, BraillePage, Letters, Score, braille_games, from_json, read_score,
    to_braille, to_html, to_list, to_pgn,
};
use annexd::shell::boards::{
    Follower, Kind, chesslink, cpp, dgt, driver, occupancy, recording, replay,
};
use annexd::shell::config::data;
use annexd::shell::config::settings::Settings;
use annexd::shell::consoles::languages::ConsoleLanguages;
use annexd::shell::consoles::lines;
use annexd::shell::consoles::server;
use annexd::shell::consoles::words::ConsoleWords;
#[cfg(feature = "recognizer")]
use annexd::shell::hearing::eval;
#[cfg(feature = "recognizer")]
use annexd::shell::hearing::model::{check_files, sum_of};
use annexd::shell::hearing::source::Source;
use annexd::shell::record::recorder::Recorder;
use annexd::shell::record::store::{Store, read};
use annexd::shell::seats::{Rules, Seats};
use annexd::shell::table::{Report, Seat, Table};
use annexd::shell::typed::line::{Keys, Typist, Vocabulary};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shakmaty::{Color, Square};

/// Panics if the property does not hold.
type Check = Box<dyn FnMut(&[u8])>;

/// A reader under fire.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// What it usually gets.
    pub(crate) stock: Vec<Vec<u8>>,
    pub(crate) check: Check,
}

fn target(name: &'static str, stock: Vec<Vec<u8>>, check: impl FnMut(&[u8]) + 'static) -> Target {
    let check = Box::new(check);
    Target { name, stock, check }
}

fn of_text(name: &'static str, stock: &[&str], mut check: impl FnMut(&str) + 'static) -> Target {
    let stock = stock.iter().map(|text| text.as_bytes().to_vec()).collect();
    target(name, stock, move |bytes| {
        check(&String::from_utf8_lossy(bytes));
    })
}

fn grammar(name: &str) -> String {
    data::grammar_text("de", name).unwrap()
}

/// All files with this ending in a folder of the project.
fn project_files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == ending))
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

pub(crate) fn settings_that_are_wrong_are_named_with_a_line_of_the_file() -> Target {
    let whole = "[game]\nedition = \"2023\"\ntime_control = \"90m/40+30m+30s\"\nmode = \"rated\"\n\
                 [game.sides.white]\nname = \"Anna\"\nvisually_disabled = true\nduties = [\"tell\"]\n\
                 [devices]\nmicrophone.white = \"Headset\"\nboard.black = \"dgt:/dev/ttyACM0\"\n\
                 [gamepad]\nsouth = \"no\"\n[voice.ear.white]\nvoice = \"system\"\n\
                 rate_percent = 140\n[record]\nmb_max = 5\nsound_days = 3\n\
                 [text]\nbraille_width = 40\n";
    of_text("settings", &[whole], |text| {
        if let Err((line, why)) = Settings::parse(text) {
            assert!((1..=text.split('\n').count()).contains(&line), "{line}");
            assert!(!why.to_string().is_empty());
        }
    })
}

pub(crate) fn a_time_control_that_is_read_is_read_the_same_again() -> Target {
    let stock = [
        "90m/40+30m+30s",
        "15m+10s",
        "2h/40, 1h/20, 30m",
        "5m~3s",
        "none",
    ];
    of_text("time control", &stock, |text| {
        if let Ok(control) = TimeControl::from_str(text) {
            let again = TimeControl::from_str(&control.to_string());
            assert_eq!(again.as_ref(), Ok(&control), "{control}");
            // A game can be played with it.
            let mut clock = annexd::clock::Chessclock::new(control);
            clock.start(Color::White, Moment::START);
            let _ = clock.left(Color::White, Moment::from_ms(u64::MAX));
        }
    })
}

pub(crate) fn lexicons_that_are_read_say_their_words() -> Target {
    let (words, commands) = (grammar("lexicon.toml"), grammar("commands.toml"));
    let both = format!("{words}\0{commands}");
    of_text("lexicon", &[&both], |text| {
        let (words, commands) = text.split_once('\0').unwrap_or((text, ""));
        if let Ok(lexicon) = Lexicon::parse(words, commands) {
            for word in lexicon.words() {
                assert!(lexicon.canonical(&word.word).is_some(), "{}", word.word);
            }
            typed(&lexicon, "Sg1f3 Bauer e2 e4 0-0 Korrektur");
        }
    })
}

pub(crate) fn phrases_that_are_read_can_be_said() -> Target {
    let lexicon = data::lexicon("de").unwrap();
    let files = Language::FILES.map(grammar);
    of_text("phrases", &[&files.join("\0")], move |text| {
        let mut files = text.splitn(Language::FILES.len(), '\0');
        let texts = Language::FILES.map(|_| files.next().unwrap_or_default());
        if let Ok(language) = Language::parse(lexicon.clone(), texts) {
            language.text(&Phrase::from(PhraseKey::PlayStarts));
            language.number(4_000_000_000);
        }
    })
}

pub(crate) fn words_of_consoles_are_read_or_refused() -> Target {
    of_text("console words", &[&grammar("console.toml")], |text| {
        if let Err(why) = ConsoleWords::parse(text) {
            assert!(!why.to_string().is_empty());
        }
    })
}

pub(crate) fn typed_lines_never_upset_a_game() -> Target {
    let lines = "anfang\nweiß: e2e4\nweiß: uhr\nschwarz: e2e4\nschwarz: Bauer e7 e5\nweiß: Korrektur\n\
                 weiß: zeit\nschwarz: remis\nweiß: angenommen\narbiter 1: setze weiß 1:30:00\n\
                 arbiter 1: gib schwarz 2m\narbiter 1: ergebnis 1-0\nassistent: berührt e4\n\
                 weiß: reklamation stellung\narbiter 1: strafe weiß verwarnung\n\
                 weiß: siegeln e2e4\n\
                 arbiter 1: annehmen 1\nschwarz: aufgabe\nweiß: ja\nassistent: fahne\nhilfe\n?u\nschwarz: ? zeit\nz\nq\np\n";
    let stock = [
        lines,
        "anfang\nweiß: 0-0\nweiß: e7e8=D\nweiß: Ich berichtige\nweiß: von wo\n",
    ];
    let words = ConsoleWords::parse(&grammar("console.toml")).unwrap();
    let german = data::language("de").unwrap();
    let keys = Keys::load(&Default::default()).unwrap();
    of_text("typed lines", &stock, move |text| {
        let usual = Vocabulary::new(german.clone(), words.clone());
        let reader = Typist::new(usual, keys.clone(), ConsoleLanguages::default());
        let profile = Profile {
            mode: Mode::Club,
            arbiter: text.len() % 2 == 0,
            time_control: "5m+3s".parse().ok(),
            ..Profile::default()
        };
        let recorder = Recorder::keeping_nothing();
        let mut table = Table::new(Game::new(profile), recorder, Box::new(reader));
        for (number, line) in text.lines().take(200).enumerate() {
            let seat = match number % 5 {
                4 => Seat::Of(Person::Arbiter),
                _ => Seat::Shared,
            };
            let text = line.to_owned();
            let at = Moment::from_ms(number as u64 * 700);
            table.take(at, 0, vec![Report::Typed { seat, text }]);
        }
    })
}

pub(crate) fn scores_that_are_read_are_written_and_read_again() -> Target {
    let mut stock = project_files("tests/scores", "pgn");
    stock.extend(project_files("tests/journals/v1", "pgn"));
    stock.push(b"1. e2-e4 e7-e5 2. Sf3 Sc6 3. Lb5 a6 4. O-O (=) Dxd4+ 1-0\n".to_vec());
    stock.extend(lists_in_all_letters());
    stock.push(b"1) e4 e5; 2) Nf3 ??? 3) Bc4 [%clk 1:02:03] {slip} 0-1\n".to_vec());
    for file in &mut stock {
        file.truncate(6_000);
    }
    target("scores", stock, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let Ok(read) = read_score(&text, None, 1) else {
            return;
        };
        let written = to_pgn(&read.score);
        let again = read_score(&written, None, 1).unwrap_or_else(|why| panic!("{why}: {written}"));
        let (one, two) = (read.score.entries().len(), again.score.entries().len());
        assert_eq!(one, two, "{written}");
    })
}

/// A game with every piece, a promotion and both castlings, in the letters of every language.
fn lists_in_all_letters() -> impl Iterator<Item = Vec<u8>> {
    let game = "1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8=N Qc7 6. Nc3 e6 7. d3 Bd6 \
                8. Be3 O-O 9. Qd2 Rd8 10. O-O-O Qb6 11. Bxb6 axb6 12. Kb1 Kh8 13. Re1";
    let score = read_score(game, Some(Letters::English), 1).unwrap().score;
    Letters::ALL
        .into_iter()
        .map(move |letters| to_list(&score, letters).into_bytes())
}

pub(crate) fn braille_is_read_or_refused() -> Target {
    let score = short_score();
    let page = BraillePage::default();
    let stock: Vec<String> = [BrailleCode::British, BrailleCode::German]
        .into_iter()
        .flat_map(|code| {
            [BrailleForm::Unicode, BrailleForm::Brf]
                .map(|form| to_braille(&score, code, form, page))
        })
        .collect();
    let stock: Vec<&str> = stock.iter().map(String::as_str).collect();
    of_text("Braille", &stock, |text| {
        for (list, letters) in braille_games(text) {
            let _ = read_score(&list, Some(letters), 1);
        }
    })
}

/// A score with everything that can stand in one.
fn short_score() -> Score {
    let sheet = "[White \"A\"]\n[ScoreOf \"White\"]\n[Signed \"White\"]\n[Result \"1-0\"]\n\n\
                 1. e4 {[%clk 1:29:00] (=)} e5 {[%slip e6]} 2. Nf3 {[%suspended]} Nc6 3. O-O \
                 {[%illegible x]} {[%blank]} {[%written Ng5] [%completed]} 1-0\n";
    read_score(sheet, None, 1).unwrap().score
}

pub(crate) fn scores_in_json_can_be_written_in_every_form() -> Target {
    let score = serde_json::to_string(&short_score()).unwrap();
    of_text("scores in JSON", &[&score], |text| {
        let Ok(score) = from_json(text) else {
            return;
        };
        let again = serde_json::to_string(&score).unwrap();
        assert_eq!(from_json(&again).unwrap(), score);
        let _ = to_pgn(&score);
        let _ = to_list(&score, Letters::Figurine);
        let words = data::sheet_words("en").unwrap();
        let _ = to_html(&score, Letters::French, "en", &words);
        let page = BraillePage::default();
        let _ = to_braille(&score, BrailleCode::German, BrailleForm::Brf, page);
        let scores = ByOwner {
            player: &score,
            opponent: &score,
        };
        let report = reconcile(&Case {
            scores,
            boards: ByOwner::default(),
            start: None,
            clock_log: &[],
        });
        let _ = in_english(&verdict(&report, Edition::E2023.rules(), 1));
    })
}

pub(crate) fn placements_are_read_or_refused() -> Target {
    let stock = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/8/4K3/4k3",
    ];
    of_text("placements", &stock, |text| {
        if let Ok(board) = read_placement(text) {
            assert_eq!(corrections(&board, &board), []);
        }
    })
}

pub(crate) fn scenarios_that_are_read_can_be_played() -> Target {
    target("scenarios", project_files("tests/games", "txt"), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        match Scenario::parse(&text) {
            Ok(scenario) => {
                let _ = scenario.play();
            }
            Err(fault) => assert!((1..=text.lines().count()).contains(&fault.line)),
        }
    })
}

pub(crate) fn sound_files_give_finite_samples_or_a_sentence() -> Target {
    let mut stock = project_files("assets/voice/de", "flac");
    stock.truncate(4);
    let shape = |channels, bits_per_sample, sample_format| hound::WavSpec {
        channels,
        sample_rate: 16_000,
        bits_per_sample,
        sample_format,
    };
    for spec in [
        shape(1, 16, hound::SampleFormat::Int),
        shape(2, 24, hound::SampleFormat::Int),
        shape(1, 32, hound::SampleFormat::Float),
    ] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
        for index in 0..400 {
            match spec.sample_format {
                hound::SampleFormat::Int => writer.write_sample(index * 50).unwrap(),
                hound::SampleFormat::Float => writer.write_sample(index as f32 / 500.0).unwrap(),
            }
        }
        writer.finalize().unwrap();
        stock.push(bytes.into_inner());
    }
    let folder = tempfile::tempdir().unwrap();
    target("sound files", stock, move |bytes| {
        let path = folder.path().join("sound");
        fs::write(&path, bytes).unwrap();
        let Ok(mut source) = Source::open(&path) else {
            return;
        };
        let mut count = 0;
        while let Ok(Some(samples)) = source.read() {
            assert!(samples.iter().all(|sample| sample.is_finite()));
            count += samples.len();
            assert!(count < 100_000_000, "a file of {} bytes", bytes.len());
        }
    })
}

pub(crate) fn a_damaged_game_gives_only_entries_that_were_written() -> Target {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.annexd");
    let mut store = Store::create(&path).unwrap();
    let entry = |number: u64| Entry {
        seq: 0,
        at: Moment::from_ms(number),
        wall_ms: number,
        body: Body::Note(format!("remark number {number}")),
    };
    let mut entries: Vec<Entry> = (1..120).map(entry).collect();
    store.append(&mut entries).unwrap();
    drop(store);
    let stock = vec![fs::read(&path).unwrap()];
    target("games", stock, move |bytes| {
        let path = folder.path().join("game.annexd");
        fs::write(&path, bytes).unwrap();
        if let Ok(record) = read(&path) {
            assert!(entries.starts_with(&record.entries), "a foreign entry");
        }
    })
}

pub(crate) fn a_record_of_any_inputs_gives_a_game() -> Target {
    let stock = project_files("tests/journals/v1", "jsonl");
    target("records", stock, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let entries: Vec<Entry> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if let Ok(replayed) = journal::replay(&entries) {
            let _ = replayed.game.deadline();
            let _ = replayed.game.times(replayed.last);
        }
    })
}

#[cfg(feature = "recognizer")]
pub(crate) fn a_damaged_model_is_never_loaded() -> Target {
    let folder = tempfile::tempdir().unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/model-de");
    let sums = fs::read(model.join("SHA256SUMS")).unwrap();
    let mut originals = BTreeMap::new();
    for line in String::from_utf8_lossy(&sums).lines() {
        let name = line.split_once("  ").unwrap().1.to_owned();
        let to = folder.path().join(&name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let mut bytes = fs::read(model.join(&name)).unwrap();
        // Only files that are short enough to be written anew for each input.
        if bytes.len() > 20_000 {
            bytes.truncate(20_000);
        }
        fs::write(&to, &bytes).unwrap();
        originals.insert(name, bytes);
    }
    let shown = originals.keys().map(|name| {
        let sum = sum_of(&folder.path().join(name)).unwrap();
        format!("{sum}  {name}\n")
    });
    let sums: String = shown.collect();
    let list = folder.path().join("SHA256SUMS");
    fs::write(&list, &sums).unwrap();
    assert!(check_files(folder.path()).is_ok(), "the stock is whole");
    let mut stock = vec![sums.clone().into_bytes()];
    stock.extend(originals.values().take(3).cloned());
    let names: Vec<String> = originals.keys().take(3).cloned().collect();
    target("models", stock, move |bytes| {
        // The list of sums is mutated, and one of the files is.
        fs::write(&list, bytes).unwrap();
        let _ = check_files(folder.path());
        fs::write(&list, &sums).unwrap();
        for name in &names {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let is_same = originals[name] == bytes;
            assert_eq!(check_files(folder.path()).is_ok(), is_same, "{name}");
            fs::write(&path, &originals[name]).unwrap();
        }
    })
}

fn message(kind: Kind, readings: &Readings) -> Vec<u8> {
    match kind {
        Kind::Dgt => dgt::Message::Dump(Box::new(*readings)).to_bytes(),
        Kind::Chesslink => chesslink::framed(&chesslink::state_text(readings)),
        Kind::Cpp => format!("state {}\n", cpp::placement_of(readings)).into_bytes(),
        Kind::Occupancy => occupancy::frame_of(readings),
    }
}

pub(crate) fn board_and_clock_bytes_give_events_and_stay_bounded() -> Target {
    let start = Readings::of(&shakmaty::Board::new());
    let mut moved = start;
    moved.set(Square::E2, Reading::Empty);
    let both = [start, moved].map(|readings| Kind::ALL.map(|kind| message(kind, &readings)));
    let mut stock: Vec<Vec<u8>> = both.concat();
    let square = Square::E4;
    let reading = Reading::Piece(Color::White.pawn());
    let field = dgt::Message::Field { square, reading };
    // A clock that says that it is not there, and messages after one another.
    stock.push(dgt::Message::NoClock.to_bytes());
    stock.push([field.to_bytes(), stock[0].clone(), field.to_bytes()].concat());
    stock.push(stock.concat());
    target("boards", stock, |bytes| {
        for kind in Kind::ALL {
            let mut board = driver(kind);
            let mut follower = Follower::new(annexd::board::Patience::default());
            board.opened(Moment::START);
            for (number, part) in bytes.chunks(7).enumerate() {
                let now = Moment::from_ms(number as u64 * 40);
                board.received(now, part);
                board.wake(now);
                let mut writes = 0;
                while board.next_write(now).is_some() {
                    writes += 1;
                    assert!(writes < 1_000, "{kind} writes without end");
                }
                let mut events = 0;
                while let Some(event) = board.next_event() {
                    events += 1;
                    assert!(events < 10_000, "{kind} tells without end");
                    for report in follower.hear(now, event) {
                        let _ = report.input(Some(Color::White));
                    }
                }
                follower.wake(now);
            }
        }
    })
}

pub(crate) fn recordings_of_boards_are_replayed_to_an_end_or_refused() -> Target {
    let start = Readings::of(&shakmaty::Board::new());
    let mut moved = start;
    moved.set(Square::E2, Reading::Empty);
    moved.set(Square::E4, Reading::Piece(Color::White.pawn()));
    let mut stock = Vec::new();
    for kind in Kind::ALL {
        let bytes = [message(kind, &start), message(kind, &moved)];
        stock.push(bytes.concat());
        // In lines, as recordings are kept.
        let lines = bytes.map(|bytes| STANDARD.encode(bytes));
        stock.push(lines.join("\n").into_bytes());
    }
    target("recordings", stock, |bytes| {
        let Ok(recorded) = recording::bytes_of(bytes) else {
            return;
        };
        for kind in Kind::ALL {
            let settings = replay::Settings {
                kind,
                position: None,
                orientation: None,
            };
            let lines = replay::replay(&recorded, &settings);
            let ends = lines
                .iter()
                .filter(|line| matches!(line, replay::Line::End { .. }));
            assert_eq!(ends.count(), 1, "{kind}");
            for line in lines {
                assert!(!line.to_words().to_string().is_empty() && line.to_json().is_object());
            }
        }
    })
}

pub(crate) fn lines_of_consoles_are_cut_and_admitted_or_refused() -> Target {
    let lines = "{\"person\":\"arbiter\",\"pin\":\"1234\"}\nanfang\nsetze weiß 1:30:00\n";
    let stock = [
        lines,
        "{\"person\":{\"player\":\"white\"},\"pin\":\"\"}\ne2e4\nuhr\n",
        "{\"person\":{\"assistant\":\"black\"},\"pin\":\"7\"}\nbestätigt\n",
    ];
    let mut others: Vec<Vec<u8>> = stock.iter().map(|it| it.as_bytes().to_vec()).collect();
    // A line without end.
    others.push(vec![b'x'; 20_000]);
    let rules = Rules::load().unwrap();
    target("console lines", others, move |bytes| {
        let mut from = bytes;
        let mut lines = 0;
        let mut seats = Seats::of(&Profile::default());
        let mut taken = 0;
        while let Some(line) = lines::read_line(&mut from) {
            // A byte that is no text takes three.
            assert!(line.len() <= 3 * lines::LINE_BYTES_MAX as usize);
            lines += 1;
            assert!(lines <= bytes.len(), "a line of nothing");
            if let Ok(hello) = serde_json::from_str::<server::Hello>(&line) {
                assert!(!hello.pin.is_empty() || rules.check(&hello.pin).is_err());
            }
            let now = Moment::from_ms(lines as u64);
            taken += u64::from(seats.may_type(now, Seat::Of(Person::Arbiter), &line));
        }
        assert!(
            taken <= 201 + lines as u64 / 1000,
            "no seat types without end"
        );
        assert!(from.is_empty(), "all of it was read");
    })
}

pub(crate) fn a_damaged_seal_or_pulse_costs_no_entry() -> Target {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.annexd");
    let mut store = Store::create(&path).unwrap();
    let note = |number: u64| Entry {
        seq: 0,
        at: Moment::from_ms(number),
        wall_ms: number,
        body: Body::Note(format!("remark number {number}")),
    };
    for number in 1..9 {
        store.append(&mut [note(number)]).unwrap();
        store.write_heartbeat(Moment::from_ms(number * 100), number, 0);
    }
    drop(store);
    let files = ["seal", "beat", "annexd"].map(|ending| path.with_extension(ending));
    let whole = files.each_ref().map(|file| fs::read(file).unwrap());
    let stock = whole[..2].to_vec();
    target("seals and heartbeats", stock, move |bytes| {
        let path = folder.path().join("game.annexd");
        for damaged in 0..2 {
            for (file, bytes) in files.iter().zip(&whole) {
                fs::write(file, bytes).unwrap();
            }
            fs::write(&files[damaged], bytes).unwrap();
            let (store, entries) = Store::resume(&path).unwrap();
            assert_eq!(entries.len(), 8);
            assert!(*bytes == whole[damaged] || !store.findings().remarks.is_empty());
        }
    })
}

#[cfg(feature = "recognizer")]
pub(crate) fn manifests_of_recordings_are_read_or_named_with_a_line() -> Target {
    let folder = tempfile::tempdir().unwrap();
    let stock = "file\ttext\tspeaker\tkind\na.wav\tspringer gustav eins felix drei\tina\tlong\n\
                 b.flac\t\tnobody\tnoise\n";
    of_text("manifests", &[stock], move |text| {
        let path = folder.path().join("manifest.tsv");
        fs::write(&path, text).unwrap();
        if let Err(error) = eval::read(&path) {
            assert!(error.message.contains("manifest.tsv"), "{error}");
        }
    })
}
