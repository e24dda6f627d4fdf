//! The lines to boards: how soon a press is seen, ports that are looked for, this machine's own
//! network, and a game that is played with two boards and a chessclock.
#![cfg(all(feature = "serial", unix))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking; processes, files and time are what is tested"
)]

use crate::common;
use crate::waiting::{comes_within, wait_until};

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use annexd::board::{Orientation, Readings};
use annexd::game::{Game, Input, Profile};
use annexd::moment::Moment;
use annexd::shell::boards::clocks::{ClockReading, ClockSide, SideReading};
use annexd::shell::boards::dgt::Message;
use annexd::shell::boards::simulate::{Action, SimulatedPort, SimulationSettings, read_games};
use annexd::shell::boards::{BoardPort, Kind, PortReport, PortSettings};
use common::{Home, Talk, record};
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

/// A board says what its clock shows whenever it is asked.
fn answer_for_the_clock(device: &TTYPort, shown: &Arc<Mutex<Vec<u8>>>) {
    let mut device = device.try_clone_native().unwrap();
    device.set_timeout(Duration::from_millis(200)).unwrap();
    let shown = Arc::clone(shown);
    thread::spawn(move || {
        let mut byte = [0];
        loop {
            match device.read(&mut byte) {
                Ok(1) if byte == [0x41] => {
                    let message = shown.lock().unwrap().clone();
                    let _ = device.write_all(&message);
                }
                Ok(1..) => {}
                Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {}
                _ => return,
            }
        }
    });
}

#[test]
#[ignore = "measures time; cargo test --test devices board_lines:: -- --ignored on a quiet machine"]
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
    let shown = Arc::new(Mutex::new(clock(300, ClockSide::Left)));
    let message = shown.lock().unwrap().clone();
    device.write_all(&message).unwrap();
    answer_for_the_clock(&device, &shown);
    // What a clock shows first is read again before it counts: before that nothing is a press.
    let reports_of = |wanted: fn(&Input) -> bool| loop {
        let (at, input) = reports.recv_timeout(Duration::from_secs(60)).unwrap();
        if wanted(&input) {
            break (at, input);
        }
    };
    reports_of(|input| matches!(input, Input::ClockReads { .. }));
    let mut game = Game::new(Profile::default());
    let mut delays = Vec::new();
    for press in 0..100 {
        // A board is written to every 100 ms at most, and nobody presses faster.
        thread::sleep(Duration::from_millis(110 + press % 7));
        let to_move = [ClockSide::Right, ClockSide::Left][press as usize % 2];
        let message = clock(300 - press / 2, to_move);
        shown.lock().unwrap().clone_from(&message);
        let (last, before) = message.split_last().unwrap();
        device.write_all(before).unwrap();
        device.write_all(&[*last]).unwrap();
        device.flush().unwrap();
        let arrived = Instant::now();
        let (at, input) = reports_of(|input| matches!(input, Input::Pressed { .. }));
        game.handle(at, input);
        delays.push(arrived.elapsed());
    }
    delays.sort();
    let (median, most) = (delays[50], delays[99]);
    println!("a press is seen after {median:?} (median), {most:?} (longest of 100)");
    assert!(delays[95] <= SEEN_WITHIN, "{delays:?}");
}

fn short() -> (Chess, Vec<shakmaty::Move>) {
    game_of("tests/captures/short.pgn")
}

/// The first game of a file.
fn game_of(file: &str) -> (Chess, Vec<shakmaty::Move>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
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

fn objects(lines: &[String]) -> Vec<Value> {
    let objects = lines.iter().map(|line| serde_json::from_str(line).unwrap());
    objects.collect()
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
    // Where many programs run at once, a board may not be found the first time. Whoever is told
    // that none answers tries again.
    let tried = |_| {
        let mut command = home.command(&["board", "watch", "auto", "--json"]);
        let mut watch = Talk::with({
            command.env("ANNEXD_DEV", &folder);
            command
        });
        let has_found = |watch: &Talk| {
            let lines = watch.lines();
            lines.iter().any(|line| line.contains("\"found\""))
        };
        wait_until("it finds a board or ends", || {
            has_found(&watch) || watch.child.try_wait().unwrap().is_some()
        });
        has_found(&watch).then_some(watch)
    };
    let watch = (0..3).find_map(tried).expect("a board is found");
    watch.wait_for("\"move\":\"", 1);
    let said = objects(&watch.kill());
    let found: Vec<&Value> = said.iter().filter(|it| !it["found"].is_null()).collect();
    assert_eq!(found.len(), 1, "{said:?}");
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
    let watch = home.start(&["board", "watch", &port, "--network", "--json"]);
    // Without a lever the last move waits for the next.
    watch.wait_for("\"move\":\"", moves.len().min(10) - 1);
    watch.kill();
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
            "only this computer's own addresses",
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
pub(crate) fn moves(board: &SimulatedPort, from: Square, to: Square, letter: char) {
    let moment = Duration::from_millis(60);
    board.act(moment, Action::Set(from, None));
    board.act(moment, Action::Set(to, piece(letter)));
}

/// Settings of a game with these boards; nothing is heard or said aloud.
pub(crate) fn game_settings(game: &str, boards: &[(&str, Kind, &Path)]) -> String {
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
pub(crate) fn plays(home: &Home, name: &str, settings: &str, more: &[&str]) -> Talk {
    let file = home.path(&format!("{name}.toml"));
    std::fs::write(&file, settings).unwrap();
    let file = file.to_string_lossy();
    let always = ["play", "--name", name, "--settings", &file];
    let terminal = ["--terminal", "shared", "--blind", "white"];
    let game = home.start(&[&always, &terminal[..], more].concat());
    game.wait_for("Anfang", 1);
    game
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

/// Presses once the board of a side has shown that the move is made, until the clock is pressed so
/// often.
fn press_once_placed(
    (home, name): (&Home, &str),
    game: &mut Talk,
    mover: &str,
    (side, after): (Color, &Chess),
    times: usize,
) {
    record::until_recorded(home, name, |inputs| {
        record::occupied(inputs, side) == after.board().occupied()
    });
    // Until the hands count as at rest a press is refused, and he presses again.
    for tried in 1..=12 {
        game.types(&format!("{mover}: uhr"));
        let is_pressed = || {
            let lines = game.lines();
            let presses = lines.iter().filter(|line| line.starts_with("Uhr: Weiß"));
            presses.count() > times
        };
        if comes_within(Duration::from_secs(2) * tried, is_pressed) {
            return;
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
    // On a busy machine the first move was made before its board was known, and no board that shows
    // occupancy only can tell then what happened.
    record::until_recorded(&home, "o", |inputs| {
        let mut sides = Color::ALL.into_iter();
        sides.all(|side| record::shown(inputs, side).is_some())
    });
    game.types("start");
    let (mut position, moves) = short();
    for (ply, played) in moves.into_iter().enumerate() {
        let (own, other) = (&boards[ply % 2], &boards[1 - ply % 2]);
        let (mover, listener) = [("weiß", "schwarz"), ("schwarz", "weiß")][ply % 2];
        let words = written(&position, played);
        game.types(&format!("{mover}: {words}"));
        own.make(played);
        position = position.play(played).unwrap();
        let side = [Color::White, Color::Black][ply % 2];
        press_once_placed((&home, "o"), &mut game, mover, (side, &position), ply + 1);
        game.types(&format!("{listener}: {words}"));
        other.make(played);
        // Nobody announces before he has executed what the opponent has announced.
        record::until_recorded(&home, "o", |inputs| {
            record::occupied(inputs, !side) == position.board().occupied()
        });
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

/// A folder in which one port is found, that of this board.
fn only_port(home: &Home, board: &SimulatedPort) -> PathBuf {
    let folder = home.path("dev");
    std::fs::create_dir(&folder).unwrap();
    symlink(board.path(), folder.join("ttyUSB0")).unwrap();
    folder
}

/// In which order hands may promote: what is taken is lifted first or last, the pawn is put on the
/// last rank before it is exchanged, or the new piece stands there before the pawn is lifted.
fn promote(board: &SimulatedPort, position: &Chess, played: shakmaty::Move, order: usize) {
    let (from, to) = (played.from().unwrap(), played.to());
    let color = position.turn();
    let becomes = played.promotion().map(|role| Piece { color, role });
    let (lift, take) = (Action::Set(from, None), Action::Set(to, None));
    let place = Action::Set(to, becomes);
    let pawn = Action::Set(
        to,
        Some(Piece {
            color,
            role: Role::Pawn,
        }),
    );
    let deeds = match (played.is_capture(), order % 3) {
        (true, 0) => vec![take, lift, place],
        (true, 1) => vec![lift, take, pawn, take, place],
        (true, _) => vec![take, place, lift],
        (false, 0) => vec![lift, pawn, take, place],
        (false, 1) => vec![lift, place],
        (false, _) => vec![place, lift],
    };
    for deed in deeds {
        board.act(Duration::from_millis(170), deed);
    }
}

/// A tactile board for the blind that feels only what is occupied: nobody says which port it is
/// at, what kind it is, nor which way round it lies. Pieces are promoted to in every order of
/// hands, and nothing is asked. Returns what was printed.
fn plays_on_a_board_that_is_found(orientation: Orientation, orders: usize) -> Vec<String> {
    let home = Home::new();
    let mut simulation = SimulationSettings::new(Kind::Occupancy);
    simulation.pace = Duration::from_millis(300);
    simulation.orientation = orientation;
    let board = SimulatedPort::open(simulation, Chess::default()).unwrap();
    let folder = only_port(&home, &board);
    let settings = "[game]\ntwo_boards = false\n[devices.microphone]\nshared = \"none\"\n\
                    [devices.board]\nwhite = \"auto\"\n[voice.table]\nvoice = \"silent\"\n";
    let file = home.path("found.toml");
    std::fs::write(&file, settings).unwrap();
    let mut command = home.command(&["play", "--name", "found", "--time", "30m+10s"]);
    command.args(["--terminal", "shared", "--blind", "white", "--settings"]);
    let mut game = Talk::with({
        command.arg(&file).env("ANNEXD_DEV", &folder);
        command
    });
    game.wait_for("Ich suche die elektronischen Bretter.", 1);
    game.wait_for("Anfang", 1);
    game.types("start");
    let (mut position, moves) = game_of("tests/captures/promotions.pgn");
    let mut promotions = orders;
    for (ply, played) in moves.into_iter().enumerate() {
        let (mover, listener) = [("weiß", "schwarz"), ("schwarz", "weiß")][ply % 2];
        let words = written(&position, played);
        game.types(&format!("{mover}: {words}"));
        if played.is_promotion() {
            promote(&board, &position, played, promotions);
            promotions += 1;
        } else {
            moved_by_hand(&board, &position, played);
        }
        position = position.play(played).unwrap();
        let shown = (Color::White, &position);
        press_once_placed((&home, "found"), &mut game, mover, shown, ply + 1);
        game.types(&format!("{listener}: {words}"));
    }
    let lines = game.leave();
    let shown = common::text(&home.run(&["show", "found"]));
    let sans = "a4 b5 axb5 a6 bxa6 c5 a7 c4 axb8=Q c3 Na3 cxb2 h4 b1=N h5 g6 hxg6 f5 g7 f4 gxh8=R \
                f3 d4 fxg2 d5 gxf1=B Kxf1";
    let mut score = shown.split_whitespace();
    let missing = sans
        .split_whitespace()
        .find(|san| !score.any(|word| word == *san));
    assert_eq!(missing, None, "{shown}\n{lines:#?}");
    let asked: Vec<&String> = lines.iter().filter(|line| line.contains('?')).collect();
    assert!(asked.is_empty(), "{asked:?}\n{lines:#?}");
    lines
}

/// Any other move, the captured piece first.
fn moved_by_hand(board: &SimulatedPort, position: &Chess, played: shakmaty::Move) {
    let (from, to) = (played.from().unwrap(), played.to());
    let moment = Duration::from_millis(170);
    if played.is_capture() {
        board.act(moment, Action::Set(to, None));
    }
    board.act(moment, Action::Set(from, None));
    board.act(moment, Action::Set(to, position.board().piece_at(from)));
}

#[test]
fn a_game_with_promotions_on_a_tactum_that_is_found() {
    plays_on_a_board_that_is_found(Orientation::Normal, 0);
}

#[test]
fn a_game_with_promotions_on_a_tactum_that_lies_the_other_way() {
    plays_on_a_board_that_is_found(Orientation::Rotated, 1);
}

#[test]
fn a_game_with_promotions_on_a_tactum_with_the_last_order_of_hands() {
    plays_on_a_board_that_is_found(Orientation::Rotated, 2);
}

/// A busy machine sees moves late, and tells that they are missing. So this needs a quiet one.
#[test]
#[ignore = "needs a quiet machine: make soak"]
fn nothing_is_missed_on_a_tactum() {
    for (orientation, orders) in [(Orientation::Normal, 0), (Orientation::Rotated, 1)] {
        let lines = plays_on_a_board_that_is_found(orientation, orders);
        let wrong = lines.iter().find(|line| line.contains("fehlt:"));
        assert_eq!(wrong, None, "{lines:#?}");
    }
}

/// What `check` calls good was opened, and has answered.
#[test]
fn check_opens_the_boards_that_it_calls_good() {
    let home = Home::new();
    let board =
        SimulatedPort::open(SimulationSettings::new(Kind::Occupancy), Chess::default()).unwrap();
    let folder = only_port(&home, &board);
    let check = |place: &str| {
        let file = home.path("check.toml");
        std::fs::write(&file, format!("[devices.board]\nwhite = \"{place}\"\n")).unwrap();
        let mut command = home.command(&["check", "--json", "--settings"]);
        let output = command.arg(&file).env("ANNEXD_DEV", &folder).output();
        common::text(&output.unwrap())
    };
    for place in ["auto", "tactum:auto"] {
        let found = check(place);
        assert!(found.contains("TabuTronic Tactum"), "{place}: {found}");
    }
    // A port that is there, at which nothing answers, is none.
    let (_silent, host) = TTYPort::pair().unwrap();
    let found = check(&format!("chesslink:{}", host.name().unwrap()));
    assert!(!found.contains("Millennium"), "{found}");
}

/// The link to a simulated port does not outlive it.
#[test]
fn a_simulator_that_is_ended_leaves_no_port_behind() {
    let home = Home::new();
    let arguments = [
        "board",
        "simulate",
        "--kind",
        "dgt",
        "--game",
        "tests/captures/short.pgn",
    ];
    let mut simulator = Talk::with(home.command(&arguments));
    simulator.wait_for("annexd-dgt-", 1);
    let link = PathBuf::from(&simulator.lines()[0]);
    assert!(link.is_symlink());
    let pid = simulator.child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .arg(&pid)
            .status()
            .unwrap()
            .success()
    );
    simulator.child.wait().unwrap();
    assert!(!link.is_symlink());
}
