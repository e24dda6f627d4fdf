//! Games with a chessclock that a board reads or sets.
#![cfg(all(feature = "serial", unix))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking; processes and time are what is tested"
)]

use crate::board_lines::{game_settings, moves, plays};
use crate::common;
use crate::waiting::{PATIENCE, comes_within};

use std::io::{Read, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use annexd::board::Readings;
use annexd::game::Input;
use annexd::shell::boards::Kind;
use annexd::shell::boards::dgt::Message;
use annexd::shell::boards::simulate::{Action, SimulatedPort, SimulationSettings};
use common::{Home, Talk, record};
use serialport::{SerialPort as _, TTYPort};
use shakmaty::{Board, Chess, Color, Square};

/// A game with a board of pegs for White, and for Black one with a chessclock.
struct Game {
    home: Home,
    talk: Talk,
    pegs: SimulatedPort,
    sighted: SimulatedPort,
}

impl Game {
    fn until(&self, is_so: impl Fn(&[Input]) -> bool) {
        record::until_recorded(&self.home, "g", is_so);
    }

    /// The clock is started by its lever: Black presses, and White's time runs on the right. It may
    /// run before it was ever read; then it is asked who sits where.
    fn start_clock(&mut self) {
        self.sighted.act(Duration::ZERO, Action::Press);
        let is_read = |game: &Self| {
            let inputs = record::inputs(&game.home, "g");
            let is_reading = |it: &Input| matches!(it, Input::ClockReads { .. });
            inputs.iter().any(is_reading)
        };
        let is_asked = |game: &Self| {
            let lines = game.talk.lines();
            let is_question = |it: &String| it.contains("Der Platz an der Uhr");
            lines.iter().any(is_question)
        };
        comes_within(PATIENCE, || is_read(self) || is_asked(self));
        if !is_read(self) {
            self.talk.types("weiß rechts");
        }
        self.until(|inputs| {
            inputs
                .iter()
                .any(|it| matches!(it, Input::ClockReads { .. }))
        });
    }

    /// A hand moves a piece on the board of a side, until it is seen there.
    fn moves(&self, side: Color, from: Square, to: Square, letter: char) {
        let board = side.fold_wb(&self.pegs, &self.sighted);
        moves(board, from, to, letter);
        self.until(|inputs| {
            let shown = record::shown(inputs, side).map(Board::occupied);
            shown.is_some_and(|it| it.contains(to) && !it.contains(from))
        });
    }

    /// Presses the chessclock, until it has been pressed so often.
    fn presses(&self, times: usize) {
        self.sighted.act(Duration::ZERO, Action::Press);
        self.until(|inputs| {
            let is_press = |it: &&Input| matches!(it, Input::Pressed { .. });
            inputs.iter().filter(is_press).count() >= times
        });
    }
}

#[test]
fn two_boards_and_a_chessclock_play_a_game() {
    let open = |kind| {
        let mut settings = SimulationSettings::new(kind);
        settings.pace = Duration::from_millis(50);
        SimulatedPort::open(settings, Chess::default()).unwrap()
    };
    let (home, pegs, sighted) = (Home::new(), open(Kind::Cpp), open(Kind::Dgt));
    let boards = [
        ("white", Kind::Cpp, pegs.path()),
        ("black", Kind::Dgt, sighted.path()),
    ];
    let settings = game_settings("clock = \"read\"\ntwo_boards = true", &boards);
    let talk = plays(&home, "g", &settings, &["--time", "3m+2s"]);
    let mut game = Game {
        home,
        talk,
        pegs,
        sighted,
    };
    game.talk.types("start");
    game.talk.wait_for("Die Partie beginnt", 1);
    game.start_clock();
    game.talk.types("weiß: e2e4");
    game.moves(Color::White, Square::E2, Square::E4, 'P');
    game.talk.wait_for("Eva zwei Eva vier", 1);
    game.presses(1);
    game.talk.types("schwarz: e2e4");
    game.moves(Color::Black, Square::E2, Square::E4, 'P');
    game.talk.types("schwarz: e7e5");
    game.moves(Color::Black, Square::E7, Square::E5, 'p');
    game.talk.wait_for("Eva sieben Eva fünf", 1);
    game.presses(2);
    game.talk.types("weiß: e7e5");
    game.moves(Color::White, Square::E7, Square::E5, 'p');
    game.talk.types("weiß: zeit");
    game.talk.types("weiß: Sg1f3");
    game.moves(Color::White, Square::G1, Square::F3, 'N');
    game.talk.wait_for("Gustav eins Felix drei", 1);
    game.presses(3);
    let Game { home, talk, .. } = game;
    let lines = talk.leave();
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
        let times = set.recv_timeout(Duration::from_secs(120)).unwrap();
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
