//! The lines to boards: how soon a press is seen, ports that are looked for, this machine's own
//! network, and a game that is played with two boards and a chessclock.
#![cfg(all(feature = "serial", unix))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking; processes, files and time are what is tested"
)]

mod common;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use annexd::board::Readings;
use annexd::game::{Game, Input, Profile};
use annexd::moment::Moment;
use annexd::shell::boards::clocks::{ClockReading, ClockSide, SideReading};
use annexd::shell::boards::dgt::Message;
use annexd::shell::boards::simulate::{Action, SimulatedPort, SimulationSettings, read_games};
use annexd::shell::boards::{BoardPort, Kind, PortReport, PortSettings};
use common::{Home, Talk};
use serde_json::Value;
use serialport::{SerialPort as _, TTYPort};
use shakmaty::{Board, Chess, Color, Piece, Position as _, Role, Square};

/// A press has to be seen by the protocol within this time of the byte's arrival.
const SEEN_WITHIN: Duration = Duration::from_millis(50);

fn clock(seconds: u64, to_move: ClockSide) -> Vec<u8> {
    let side = SideReading {
        time: Duration::from_secs(seconds),
        ..SideReading::default()
    };
    Message::Clock(ClockReading {
        left: side,
        right: side,
        is_running: true,
        to_move,
        is_battery_low: false,
    })
    .to_bytes()
}

#[test]
#[ignore = "measures time; cargo test --test board_lines -- --ignored on a quiet machine"]
fn a_press_is_seen_within_fifty_milliseconds() {
    let (mut device, host) = TTYPort::pair().unwrap();
    let port = host.name().unwrap();
    drop(host);
    let (sender, reports) = crossbeam_channel::unbounded();
    let begun = Instant::now();
    let settings = PortSettings {
        kind: Some(Kind::Dgt),
        white_at: Some(ClockSide::Left),
        ..PortSettings::new(port)
    };
    let _board = BoardPort::open(
        settings,
        move || Moment::START + begun.elapsed(),
        move |at, report: PortReport| {
            if let Some(input) = report.input(Some(Color::White)) {
                let _ = sender.send((at, input));
            }
        },
    )
    .unwrap();
    thread::sleep(Duration::from_millis(100));
    let start = Message::Dump(Box::new(Readings::of(&Board::new())));
    device.write_all(&start.to_bytes()).unwrap();
    device.write_all(&clock(300, ClockSide::Left)).unwrap();
    let mut game = Game::new(Profile::default());
    let mut delays = Vec::new();
    for press in 0..100 {
        thread::sleep(Duration::from_millis(13 + press % 7));
        let to_move = [ClockSide::Right, ClockSide::Left][press as usize % 2];
        let message = clock(300 - press / 2, to_move);
        let (last, before) = message.split_last().unwrap();
        device.write_all(before).unwrap();
        device.write_all(&[*last]).unwrap();
        device.flush().unwrap();
        let arrived = Instant::now();
        loop {
            let (at, input) = reports.recv_timeout(Duration::from_secs(5)).unwrap();
            let is_press = matches!(input, Input::Pressed { .. });
            game.handle(at, input);
            if is_press {
                break;
            }
        }
        delays.push(arrived.elapsed());
    }
    delays.sort();
    let (median, most) = (delays[50], delays[99]);
    println!("a press is seen after {median:?} (median), {most:?} (longest of 100)");
    assert!(delays[95] <= SEEN_WITHIN, "{delays:?}");
}

fn short() -> (Chess, Vec<shakmaty::Move>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures/short.pgn");
    let games = read_games(std::fs::File::open(path).unwrap(), 1).unwrap();
    games.into_iter().next().unwrap()
}

/// A peg board on which the short game is played once somebody listens.
fn peg_board() -> SimulatedPort {
    let mut settings = SimulationSettings::new(Kind::Cpp);
    settings.pace = Duration::from_millis(400);
    let (start, moves) = short();
    let board = SimulatedPort::open(settings, start).unwrap();
    for played in moves {
        board.make(played);
    }
    board
}

fn objects(output: &std::process::Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_board_is_found_among_the_serial_ports() {
    let home = Home::new();
    let board = peg_board();
    let (_silent, host) = TTYPort::pair().unwrap();
    let folder = home.path("dev");
    std::fs::create_dir(&folder).unwrap();
    symlink(board.path(), folder.join("rfcomm0")).unwrap();
    symlink(host.name().unwrap(), folder.join("ttyACM0")).unwrap();
    drop(host);
    let output = home
        .command(&["board", "watch", "auto", "--json", "--time", "10"])
        .env("ANNEXD_DEV", &folder)
        .output()
        .unwrap();
    let said = objects(&output);
    let found: Vec<&Value> = said.iter().filter(|it| !it["found"].is_null()).collect();
    assert_eq!(found.len(), 1, "{output:?}");
    assert_eq!(found[0]["kind"], "cpp");
    assert!(found[0]["found"].as_str().unwrap().ends_with("rfcomm0"));
    std::fs::remove_file(folder.join("rfcomm0")).unwrap();
    let output = home
        .command(&["board", "watch", "auto", "--json", "--time", "10"])
        .env("ANNEXD_DEV", &folder)
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(common::text(&output).contains("No board answers at"));
}

/// Copies bytes both ways between a simulated board and whoever connects.
fn bridge(board: &Path) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut line = serialport::new(board.to_string_lossy(), 115_200)
        .timeout(Duration::from_millis(5))
        .open_native()
        .unwrap();
    thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket
            .set_read_timeout(Some(Duration::from_millis(5)))
            .unwrap();
        while copy(&mut line, &mut socket) && copy(&mut socket, &mut line) {}
    });
    port
}

fn copy(from: &mut impl Read, to: &mut impl Write) -> bool {
    let mut bytes = [0; 256];
    match from.read(&mut bytes) {
        Ok(0) => false,
        Ok(length) => to.write_all(&bytes[..length]).is_ok(),
        Err(error) => matches!(
            error.kind(),
            std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock
        ),
    }
}

#[test]
fn a_peg_board_plays_over_this_machines_own_network_between_friends() {
    let home = Home::new();
    let board = peg_board();
    let port = format!("tcp:127.0.0.1:{}", bridge(board.path()));
    let (_, moves) = short();
    let output = home.run(&[
        "board",
        "watch",
        &port,
        "--network",
        "--json",
        "--time",
        "9",
    ]);
    let made = objects(&output);
    let made = made.iter().filter(|it| !it["move"].is_null()).count();
    // Without a lever the last move waits for the next.
    assert!(made + 1 >= moves.len().min(10), "{made}: {output:?}");
}

#[test]
fn the_network_is_refused_where_it_may_not_be_used() {
    let home = Home::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("tcp:{}", listener.local_addr().unwrap());
    for (arguments, words) in [
        (vec!["board", "watch", &port], "in club play only"),
        (
            vec!["board", "watch", "tcp:192.0.2.1:4242", "--network"],
            "only this machine's own addresses",
        ),
        (
            vec!["board", "watch", &port, "--network", "--kind", "dgt"],
            "only boards of the kind cpp",
        ),
    ] {
        let output = home.run(&arguments);
        assert!(!output.status.success());
        assert!(common::text(&output).contains(words), "{output:?}");
    }
    let settings = home.path("settings.toml");
    let board = ("white", Kind::Cpp, Path::new(&port));
    std::fs::write(&settings, game_settings("", &[board])).unwrap();
    let settings = settings.to_string_lossy().into_owned();
    let game = home.start(&[
        "play",
        "--name",
        "r",
        "--mode",
        "rated",
        "--settings",
        &settings,
        "--terminal",
        "shared",
    ]);
    game.wait_for("in dieser Partie nicht erlaubt", 1);
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "nobody has connected");
    game.leave();
}

fn piece(letter: char) -> Option<Piece> {
    Piece::from_char(letter)
}

/// A hand moves a piece.
fn moves(board: &SimulatedPort, from: Square, to: Square, letter: char) {
    let moment = Duration::from_millis(60);
    board.act(moment, Action::Set(from, None));
    board.act(moment, Action::Set(to, piece(letter)));
}

/// Settings of a game with these boards; nothing is heard or said aloud.
fn game_settings(game: &str, boards: &[(&str, Kind, &Path)]) -> String {
    let ports = boards
        .iter()
        .map(|(side, kind, port)| format!("{side} = \"{kind}:{}\"\n", port.display()));
    let ports: String = ports.collect();
    format!(
        "[game]\n{game}\n[devices.microphone]\nshared = \"none\"\n\
         [devices.board]\n{ports}[voice.table]\nvoice = \"silent\"\n"
    )
}

/// A game of a blind player with White, at one terminal for all, by these settings.
fn plays(home: &Home, name: &str, settings: &str, more: &[&str]) -> Talk {
    let file = home.path(&format!("{name}.toml"));
    std::fs::write(&file, settings).unwrap();
    let file = file.to_string_lossy();
    let always = ["play", "--name", name, "--settings", &file];
    let terminal = ["--terminal", "shared", "--blind", "white"];
    let game = home.start(&[&always, &terminal[..], more].concat());
    game.wait_for("Anfang", 1);
    game
}

#[test]
fn two_boards_and_a_chessclock_play_a_game() {
    let home = Home::new();
    let open = |kind| {
        let mut settings = SimulationSettings::new(kind);
        settings.pace = Duration::from_millis(50);
        SimulatedPort::open(settings, Chess::default()).unwrap()
    };
    let (pegs, sighted) = (open(Kind::Cpp), open(Kind::Dgt));
    let boards = [
        ("white", Kind::Cpp, pegs.path()),
        ("black", Kind::Dgt, sighted.path()),
    ];
    let settings = game_settings("clock = \"read\"\ntwo_boards = true", &boards);
    let mut game = plays(&home, "g", &settings, &["--time", "3m+2s"]);
    let pause = || thread::sleep(Duration::from_millis(700));
    thread::sleep(Duration::from_millis(1500));
    game.types("start");
    // The clock is started by its lever: Black presses, and White's time runs on the right.
    sighted.act(Duration::ZERO, Action::Press);
    pause();
    game.types("weiß: e2e4");
    moves(&pegs, Square::E2, Square::E4, 'P');
    pause();
    sighted.act(Duration::ZERO, Action::Press);
    pause();
    game.types("schwarz: e2e4");
    moves(&sighted, Square::E2, Square::E4, 'P');
    pause();
    moves(&sighted, Square::E7, Square::E5, 'p');
    game.types("schwarz: e7e5");
    pause();
    sighted.act(Duration::ZERO, Action::Press);
    pause();
    game.types("weiß: e7e5");
    moves(&pegs, Square::E7, Square::E5, 'p');
    pause();
    game.types("weiß: zeit");
    pause();
    game.types("weiß: Sg1f3");
    moves(&pegs, Square::G1, Square::F3, 'N');
    pause();
    sighted.act(Duration::ZERO, Action::Press);
    pause();
    let lines = game.leave();
    let shown = home.run(&["show", "g"]);
    let score = common::text(&shown);
    let played: Vec<&str> = score
        .split_whitespace()
        .filter(|word| ["e4", "e5", "Nf3"].contains(word))
        .collect();
    assert_eq!(played, ["e4", "e5", "Nf3"], "{score}\n{lines:#?}");
    // The clock shows whole seconds, and what it showed stands in the score.
    let export = home.run(&["score", "export", "g", "--format", "pgn"]);
    let pgn = common::text(&export).replace('\n', " ");
    let times: Vec<&str> = pgn
        .split("[%clk ")
        .skip(1)
        .filter_map(|rest| rest.split(']').next())
        .collect();
    assert_eq!(times.len(), 3, "{pgn}");
    assert!(times.iter().all(|time| !time.contains('.')), "{pgn}");
}

/// A move as people write it in German, in its long form.
fn written(position: &Chess, played: shakmaty::Move) -> String {
    if let shakmaty::Move::Castle { king, rook } = played {
        return if rook > king { "0-0" } else { "0-0-0" }.to_owned();
    }
    let letter = |role| match role {
        Role::Pawn => "",
        Role::Knight => "S",
        Role::Bishop => "L",
        Role::Rook => "T",
        Role::Queen => "D",
        Role::King => "K",
    };
    let from = played.from().unwrap();
    let role = position.board().role_at(from).unwrap();
    let becomes = played.promotion().map_or("", letter);
    format!("{}{from}{}{becomes}", letter(role), played.to())
}

/// Presses until the board has shown that the move is made, and the clock is pressed so often.
fn press_once_placed(game: &mut Talk, mover: &str, times: usize) {
    for _ in 0..30 {
        thread::sleep(Duration::from_millis(500));
        game.types(&format!("{mover}: uhr"));
        for _ in 0..40 {
            let lines = game.lines();
            let presses = lines.iter().filter(|line| line.starts_with("Uhr: Weiß"));
            if presses.count() > times {
                return;
            }
            thread::sleep(Duration::from_millis(25));
        }
    }
    panic!("not pressed {times} times: {:#?}", game.lines());
}

/// Boards that know nothing but which squares are occupied, with the announcement as the second
/// witness: en passant, a capture with a promotion, and castling to both sides.
#[test]
fn two_boards_that_know_occupancy_only_play_a_game() {
    let home = Home::new();
    let open = || {
        let mut settings = SimulationSettings::new(Kind::Occupancy);
        settings.pace = Duration::from_millis(300);
        SimulatedPort::open(settings, Chess::default()).unwrap()
    };
    let boards = [open(), open()];
    let [pegs, sighted] = &boards;
    let boards_of = [
        ("white", Kind::Occupancy, pegs.path()),
        ("black", Kind::Occupancy, sighted.path()),
    ];
    let settings = game_settings("two_boards = true", &boards_of);
    let mut game = plays(&home, "o", &settings, &["--time", "30m+10s"]);
    game.types("start");
    let (mut position, moves) = short();
    for (ply, played) in moves.into_iter().enumerate() {
        let (own, other) = (&boards[ply % 2], &boards[1 - ply % 2]);
        let (mover, listener) = [("weiß", "schwarz"), ("schwarz", "weiß")][ply % 2];
        let words = written(&position, played);
        game.types(&format!("{mover}: {words}"));
        own.make(played);
        press_once_placed(&mut game, mover, ply + 1);
        game.types(&format!("{listener}: {words}"));
        other.make(played);
        position = position.play(played).unwrap();
    }
    let lines = game.leave();
    let shown = common::text(&home.run(&["show", "o"]));
    let score: Vec<&str> = shown.split_whitespace().collect();
    let sans = "e4 d5 e5 f5 exf6 Nc6 fxg7 Nf6 gxh8=Q Be6 Nf3 Qd7 Be2 O-O-O O-O Bh6";
    let made: Vec<&str> = sans.split(' ').filter(|san| score.contains(san)).collect();
    assert_eq!(made.len(), 16, "{shown}\n{lines:#?}");
    let departs = lines.iter().filter(|line| line.contains("fehlt:"));
    assert_eq!(departs.count(), 0, "{lines:#?}");
}

/// A DGT board whose clock takes the times that are set, or refuses them; gives what it was set to.
fn clock_that_answers(answer: u8) -> (TTYPort, crossbeam_channel::Receiver<Vec<u8>>) {
    let (mut device, host) = TTYPort::pair().unwrap();
    let (sender, set) = crossbeam_channel::unbounded();
    thread::spawn(move || {
        let start = Message::Dump(Box::new(Readings::of(&Board::new())));
        let mut heard = Vec::new();
        let mut bytes = [0; 64];
        loop {
            match device.read(&mut bytes) {
                Ok(length) => heard.extend_from_slice(&bytes[..length]),
                Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {}
                Err(_) => return,
            }
            while let Some(&first) = heard.first() {
                // Commands of the clock say how long they are; all others are one byte.
                let length = match (first, heard.get(1)) {
                    (0x2b, Some(&size)) => usize::from(size) + 2,
                    (0x2b, None) => break,
                    _ => 1,
                };
                if heard.len() < length {
                    break;
                }
                let command: Vec<u8> = heard.drain(..length).collect();
                let reply = match command[..] {
                    [0x42] => start.to_bytes(),
                    [0x4d] => vec![0x93, 0, 5, 1, 7],
                    [0x2b, _, _, which, ..] => {
                        vec![0x8d, 0, 10, 0x0a, answer, which, 0x0a, 0, 0, 0]
                    }
                    _ => Vec::new(),
                };
                if command.get(3) == Some(&0x0a) {
                    let _ = sender.send(command[4..10].to_vec());
                }
                if device.write_all(&reply).is_err() {
                    return;
                }
            }
        }
    });
    (host, set)
}

#[test]
fn a_driven_clock_is_set_and_a_refusal_is_said() {
    for (answer, is_taken) in [(0x10, true), (0x40, false)] {
        let home = Home::new();
        let (host, set) = clock_that_answers(answer);
        let port = host.name().unwrap();
        let board = ("black", Kind::Dgt, Path::new(&port));
        let settings = game_settings("clock = \"driven\"", &[board]);
        let club = ["--time", "3m+2s", "--mode", "club"];
        let mut game = plays(&home, "d", &settings, &club);
        game.types("start");
        let times = set.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(
            [&times[..3], &times[3..]].contains(&&[0, 3, 2][..]),
            "{times:?}"
        );
        if !is_taken {
            // Which program of the clock lets a computer set it.
            game.wait_for("ein Computer sie stellt", 1);
        }
        let lines = game.leave();
        let is_told = lines
            .iter()
            .any(|line| line.contains("ein Computer sie stellt"));
        assert_eq!(is_told, !is_taken, "{lines:#?}");
    }
}
