//! Recordings of real games come out exactly, and still do when the line or the players make
//! trouble.
#![expect(clippy::disallowed_methods, reason = "recordings are files")]

use std::fs;
use std::path::{Path, PathBuf};

use annexd::board::{Reading, Readings};
use annexd::shell::boards::Kind;
use annexd::shell::boards::dgt::{Decoder, Message};
use annexd::shell::boards::recording::bytes_of;
use annexd::shell::boards::replay::{Line, Settings, replay};
use shakmaty::Square;

/// Recordings with the moves that were played, from wherever there are any.
fn captures() -> Vec<(PathBuf, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["tests/captures", "../shared/captures/dgt"] {
        let folder = root.join(folder);
        let Ok(entries) = fs::read_dir(&folder) else {
            eprintln!("skipped: there is no {}", folder.display());
            continue;
        };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "inbytes"))
            .collect();
        files.sort();
        for file in files {
            let moves = played(&file);
            found.push((file, moves));
        }
    }
    found
}

/// The moves beside a recording: UCI in `.uci`, or moves of a `.pgn`.
fn played(recording: &Path) -> Vec<String> {
    if let Ok(text) = fs::read_to_string(recording.with_extension("uci")) {
        return text
            .split_whitespace()
            .filter(|word| word.parse::<shakmaty::uci::UciMove>().is_ok())
            .map(str::to_owned)
            .collect();
    }
    let text = fs::read_to_string(recording.with_extension("pgn")).expect("a .uci or a .pgn");
    let mut position = shakmaty::Chess::default();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let Ok(san) = word.parse::<shakmaty::san::SanPlus>() else {
            continue;
        };
        let played = san.san.to_move(&position).expect("a legal move");
        moves.push(played.to_uci(shakmaty::CastlingMode::Standard).to_string());
        position = shakmaty::Position::play(position, played).expect("a legal move");
    }
    moves
}

fn moves(bytes: &[u8]) -> Vec<String> {
    let settings = Settings {
        kind: Kind::Dgt,
        position: None,
        orientation: None,
    };
    replay(bytes, &settings)
        .into_iter()
        .filter_map(|line| match line {
            Line::Moved(played) => Some(played.played.to_string()),
            _ => None,
        })
        .collect()
}

fn messages(bytes: &[u8]) -> Vec<Message> {
    let mut decoder = Decoder::default();
    bytes
        .iter()
        .filter_map(|&byte| decoder.push(byte))
        .collect()
}

/// A generator of our own, so that a seed means the same everywhere and for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }
}

/// Swaps neighbouring changes of different squares, says changes twice, and nudges pieces.
fn troubled(messages: Vec<Message>, seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut troubled = messages;
    let mut index = 0;
    while index + 1 < troubled.len() {
        let are_different = matches!(
            (&troubled[index], &troubled[index + 1]),
            (Message::Field { square: one, .. }, Message::Field { square: other, .. })
                if one != other
        );
        if are_different && random.percent(50) {
            troubled.swap(index, index + 1);
            index += 1;
        }
        index += 1;
    }
    let mut bytes = Vec::new();
    let mut stands = Readings::default();
    for message in troubled {
        bytes.extend(message.to_bytes());
        match &message {
            Message::Dump(readings) => stands = **readings,
            Message::Field { square, reading } => {
                stands.set(*square, *reading);
                if random.percent(30) {
                    bytes.extend(message.to_bytes());
                }
            }
            Message::Clock(_) if random.percent(20) => {
                let square = Square::ALL[random.below(64) as usize];
                let reading = stands.at(square);
                if reading.is_occupied() {
                    for reading in [Reading::Empty, reading] {
                        bytes.extend(Message::Field { square, reading }.to_bytes());
                    }
                }
            }
            _ => {}
        }
    }
    bytes
}

#[test]
fn recorded_games_come_out_exactly() {
    for (file, played) in captures() {
        let bytes = bytes_of(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(moves(&bytes), played, "{}", file.display());
    }
}

#[test]
fn recorded_games_come_out_exactly_through_swaps_duplicates_and_nudges() {
    for (file, played) in captures() {
        let recorded = messages(&bytes_of(&fs::read(&file).unwrap()).unwrap());
        for seed in 0..20 {
            let bytes = troubled(recorded.clone(), seed);
            assert_eq!(moves(&bytes), played, "{} with seed {seed}", file.display());
        }
    }
}

#[test]
fn a_rotated_recording_is_the_same_game() {
    for (file, played) in captures() {
        let rotated: Vec<u8> = messages(&bytes_of(&fs::read(&file).unwrap()).unwrap())
            .into_iter()
            .flat_map(|message| {
                match message {
                    Message::Dump(readings) => Message::Dump(Box::new(readings.rotated())),
                    Message::Field { square, reading } => Message::Field {
                        square: square.rotate_180(),
                        reading,
                    },
                    other => other,
                }
                .to_bytes()
            })
            .collect();
        assert_eq!(moves(&rotated), played, "{}", file.display());
    }
}

#[test]
fn a_recording_cut_off_anywhere_gives_a_beginning_of_the_game() {
    for (file, played) in captures() {
        let bytes = bytes_of(&fs::read(&file).unwrap()).unwrap();
        let mut longest = 0;
        for end in (0..bytes.len()).step_by(97) {
            let found = moves(&bytes[..end]);
            // The last move may be on its way to its square when the recording ends.
            let sure = found.len().saturating_sub(1);
            assert_eq!(found[..sure], played[..sure], "{} to {end}", file.display());
            assert!(found.len() + 1 >= longest, "{} to {end}", file.display());
            longest = longest.max(found.len());
        }
    }
}

/// What was told of a recording with losses: its moves by their numbers, and from which on they
/// were called unsure.
struct Told {
    moves: Vec<(usize, String)>,
    unsure_from: Option<usize>,
}

impl Told {
    fn of(bytes: &[u8]) -> Self {
        let settings = Settings {
            kind: Kind::Dgt,
            position: None,
            orientation: None,
        };
        let mut told = Self {
            moves: Vec::new(),
            unsure_from: None,
        };
        for line in replay(bytes, &settings) {
            match line {
                Line::Moved(made) => told.moves.push((made.ply, made.played.to_string())),
                Line::UnsureFrom(first) => {
                    told.unsure_from.get_or_insert(first.ply);
                }
                _ => {}
            }
        }
        told
    }

    /// The first move that was not played and was told as if it surely had been.
    fn first_false(&self, played: &[String]) -> Option<&(usize, String)> {
        self.moves.iter().find(|(ply, word)| {
            let is_sure = self.unsure_from.is_none_or(|from| *ply < from);
            is_sure && played.get(ply - 1) != Some(word)
        })
    }
}

/// Loses one change after the other; none may hide more than the move it belongs to, or show a
/// move that was not played.
fn lose_one_of(step: usize) {
    let (mut lost, mut hidden, mut whole, mut wrong) = (0, 0, 0, Vec::new());
    let mut unsure = 0;
    for (file, played) in captures() {
        let recorded = fs::read(&file).expect("a recording");
        let recorded = messages(&bytes_of(&recorded).expect("bytes"));
        let is_field = |at: &usize| matches!(recorded[*at], Message::Field { .. });
        for index in (0..recorded.len()).filter(is_field).step_by(step) {
            let rest = recorded.iter().enumerate().filter(|(at, _)| *at != index);
            let bytes: Vec<u8> = rest.flat_map(|(_, message)| message.to_bytes()).collect();
            let told = Told::of(&bytes);
            let found = &told.moves;
            unsure += usize::from(told.unsure_from.is_some());
            lost += 1;
            whole += usize::from(found.len() == played.len());
            hidden += played.len().saturating_sub(found.len());
            if let Some(first) = told.first_false(&played) {
                wrong.push(format!("{} without {index}: {first:?}", file.display()));
            }
            if found.len() + 2 < played.len() {
                println!(
                    "{} without {index}: {} of {}",
                    file.display(),
                    found.len(),
                    played.len()
                );
            }
        }
    }
    println!(
        "{lost} lost changes: {whole} games whole, {hidden} moves hidden, {unsure} games unsure, \
         {} false",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        hidden <= 2 * lost,
        "{hidden} moves hidden by {lost} lost changes"
    );
}

#[test]
fn one_lost_change_hides_no_game() {
    lose_one_of(9);
}

#[test]
#[ignore = "takes a minute: make soak"]
fn no_lost_change_hides_a_game() {
    lose_one_of(1);
}

/// A recording with dumps between its messages or without, and with bytes lost in some places, two
/// to nineteen at a time.
fn with_bursts(recorded: &[Message], random: &mut Random) -> Vec<u8> {
    let every = [None, Some(5), Some(10), Some(20)][random.below(4) as usize];
    let mut stands = Readings::default();
    let (mut bytes, mut clocks) = (Vec::new(), 0);
    for message in recorded {
        bytes.extend(message.to_bytes());
        match message {
            Message::Dump(readings) => stands = **readings,
            Message::Field { square, reading } => stands.set(*square, *reading),
            Message::Clock(_) => {
                clocks += 1;
                if every.is_some_and(|every| clocks % every == 0) {
                    bytes.extend(Message::Dump(Box::new(stands)).to_bytes());
                }
            }
            _ => {}
        }
    }
    for _ in 0..[1, 1, 2, 4][random.below(4) as usize] {
        // The first dump stays whole.
        let start = 80 + random.below(bytes.len() as u64 - 110) as usize;
        bytes.drain(start..start + 2 + random.below(18) as usize);
    }
    bytes
}

/// Loses bytes in bursts; no move that was not played is told as if it surely had been.
fn lose_bursts(seeds: std::ops::Range<u64>) {
    let (mut cut, mut whole, mut unsure, mut left_out, mut wrong) = (0, 0, 0, 0, Vec::new());
    for (file, played) in captures() {
        let recorded = messages(&bytes_of(&fs::read(&file).expect("a recording")).expect("bytes"));
        for seed in seeds.clone() {
            let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let told = Told::of(&with_bursts(&recorded, &mut random));
            cut += 1;
            left_out += played.len().saturating_sub(told.moves.len());
            unsure += usize::from(told.unsure_from.is_some());
            let are_played = told.moves.iter().map(|(_, word)| word).eq(&played);
            whole += usize::from(are_played);
            if !are_played {
                println!(
                    "{} seed {seed}: {} of {}, unsure from {:?}",
                    file.display(),
                    told.moves.len(),
                    played.len(),
                    told.unsure_from
                );
            }
            if let Some(first) = told.first_false(&played) {
                println!("{} seed {seed}: {first:?} is false", file.display());
                wrong.push(format!("{} seed {seed}: {first:?}", file.display()));
            }
        }
    }
    println!(
        "{cut} recordings with bursts lost: {whole} games whole, {left_out} moves left out, \
         {unsure} games unsure, {} false",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        whole * 4 >= cut * 3,
        "only {whole} of {cut} games are whole"
    );
    assert!(
        unsure * 10 <= cut,
        "{unsure} of {cut} games are called unsure"
    );
}

#[test]
fn bytes_lost_in_bursts_give_no_false_moves() {
    lose_bursts(0..12);
}

#[test]
#[ignore = "takes minutes: make soak"]
fn bytes_lost_in_hundreds_of_bursts_give_no_false_moves() {
    let rounds: u64 = std::env::var("ANNEXD_ROUNDS").map_or(1, |text| text.parse().unwrap());
    lose_bursts(12..12 + 200 * rounds);
}
