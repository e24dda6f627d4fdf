//! Recorded bytes of a board, replayed.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::{Board, Chess, Color, EnPassantMode, Position, fen::Fen};

use super::device::{DeviceCommand, DeviceEvent, Kind, driver};
use super::follower::{Follower, Report};
use super::recording::with_frames_doubled;
use crate::board::{Event, Hindsight, Orientation, Patience, PlayedMove, Readings, Reconstructor};
use crate::moment::Moment;
use crate::shell::clocks::{ClockEvent, ClockReading, ClockSide};

/// What is known about a recording besides its bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which protocol it is in.
    pub kind: Kind,
    /// The position it begins with, if that is not the start position.
    pub position: Option<Chess>,
    /// How the board lay; `None`: found at the start position.
    pub orientation: Option<Orientation>,
}

/// One line of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A position to begin from.
    Began {
        /// The placement, as in a FEN.
        placement: String,
        /// Whether the board lay the other way round.
        is_rotated: bool,
    },
    /// A move that was made.
    Moved(PlayedMove),
    /// A piece was lifted and put back.
    Touched {
        /// Where.
        square: String,
        /// Which, where it is known.
        piece: Option<char>,
    },
    /// What the clock showed.
    Clock(ClockReading),
    /// The clock was pressed at this side.
    Pressed(ClockSide, Option<Color>),
    /// Something else about the clock or the board, in words.
    Note(String),
    /// A result was shown with the kings or with a piece for it.
    Result(&'static str),
    /// The end: how many moves, and the position.
    End {
        /// Moves of the last game.
        plies: usize,
        /// Its position.
        fen: Option<String>,
    },
}

/// Replays a recording. A recording has no times but those of its clock, and nobody waits for an
/// answer, so each move is told as it turned out in the end, at the place where it was played.
pub fn replay(bytes: &[u8], settings: &Settings) -> Vec<Line> {
    let doubled = (settings.kind == Kind::Occupancy).then(|| with_frames_doubled(bytes));
    let bytes = doubled.as_deref().unwrap_or(bytes);
    let lines = Replay::run(bytes, settings, settings.orientation);
    if settings.orientation.is_some() {
        return lines;
    }
    // Where nothing says how the board lay, it lay so that the game makes sense.
    let moves = |lines: &[Line]| {
        let is_move = |line: &&Line| matches!(line, Line::Moved(_));
        lines.iter().filter(is_move).count()
    };
    let rotated = Replay::run(bytes, settings, Some(Orientation::Rotated));
    if moves(&rotated) > moves(&lines) {
        rotated
    } else {
        lines
    }
}

/// After so many changes that have led to no known position it is asked what two moves would.
const UNEXPLAINED_MIN: u32 = 3;
/// After so many it is asked whether another game began meanwhile.
const LOST_MIN: u32 = 10;
/// With so many moves in a row it did.
const ANOTHER_GAME_MIN: usize = 4;

struct Replay {
    /// Knows the clock, and what was touched.
    follower: Follower,
    patience: Patience,
    kind: Kind,
    position: Option<Chess>,
    orientation: Option<Orientation>,
    /// What the board reads, by its own squares.
    readings: Readings,
    game: Option<Hindsight>,
    /// Another game that may have begun while this one was not understood.
    another: Option<Hindsight>,
    /// What was read when more stood there than at the beginning, until the next change.
    more: Option<Readings>,
    now: Moment,
    clock: Option<(Moment, ClockReading)>,
    has_begun: bool,
    /// Changes in a row that have led to no known position.
    unexplained: u32,
    fen: Option<String>,
    plies: usize,
    lines: Vec<(Moment, Line)>,
}

impl Replay {
    fn run(bytes: &[u8], settings: &Settings, orientation: Option<Orientation>) -> Vec<Line> {
        let patience = Patience::default();
        let mut replay = Self {
            follower: Follower::new(patience),
            patience,
            kind: settings.kind,
            position: settings.position.clone(),
            orientation,
            readings: Readings::default(),
            game: None,
            another: None,
            more: None,
            now: Moment::START,
            clock: None,
            has_begun: false,
            unexplained: 0,
            fen: None,
            plies: 0,
            lines: Vec::new(),
        };
        let mut board = driver(settings.kind);
        if let Some(position) = &settings.position {
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            board.command(replay.now, DeviceCommand::Expect(fen));
        }
        for &byte in bytes {
            replay.now = replay.now + Duration::from_millis(1);
            board.received(replay.now, &[byte]);
            while let Some(said) = board.next_event() {
                replay.hear(said);
            }
        }
        if matches!(settings.kind, Kind::Cpp | Kind::Occupancy) {
            // The last line may have been cut off before its end.
            board.received(replay.now, b"\n");
            while let Some(said) = board.next_event() {
                replay.hear(said);
            }
        }
        replay.finish();
        let mut lines = replay.lines;
        lines.sort_by_key(|(moment, _)| *moment);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn hear(&mut self, said: DeviceEvent) {
        if let DeviceEvent::Clock(reading) = &said {
            self.pass_clock_time(*reading);
        }
        if let (DeviceEvent::Move(played), Some(game)) = (&said, &mut self.game) {
            game.announced(*played, self.now);
        }
        let is_snapshot = matches!(said, DeviceEvent::Snapshot(_));
        if !is_snapshot && !matches!(said, DeviceEvent::Square(..)) {
            let reports = self.follower.hear(self.now, said);
            return self.tell(reports);
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            self.begin(&said);
        }
        let mut readings = self.readings;
        match &said {
            DeviceEvent::Square(square, reading) => readings.set(*square, *reading),
            DeviceEvent::Snapshot(all) => readings = **all,
            _ => {}
        }
        let reports = self.follower.hear(self.now, said);
        self.tell(reports);
        self.rest_without_clock();
        let has_changed = readings != self.readings;
        self.readings = readings;
        self.look(has_changed);
        if is_snapshot && self.kind == Kind::Dgt {
            self.seek_two();
        }
    }

    /// Looks at what the board shows now.
    fn look(&mut self, has_changed: bool) {
        self.turn_round();
        let readings = self
            .orientation
            .unwrap_or_default()
            .readings(&self.readings);
        let Some(game) = &mut self.game else {
            return self.begin_with(&readings);
        };
        if !has_changed {
            return;
        }
        let more = self.more.take();
        if game.is_new_start(&readings) || game.is_still_set_up(&readings) && more.is_some() {
            self.end_game(true);
            return self.begin_with(&readings);
        }
        if game.is_still_set_up(&readings) {
            self.more = Some(readings);
        }
        let had_result = game.gesture().is_some();
        game.see(&readings, self.now);
        if let Some(more) = more.filter(|_| !game.is_explained()) {
            // No piece that was seen on its new square before it had left the old one.
            self.end_game(true);
            self.begin_with(&more);
            let Some(game) = &mut self.game else { return };
            game.see(&readings, self.now);
            return;
        }
        if let Some(gesture) = game.gesture().filter(|_| !had_result) {
            self.lines.push((self.now, Line::Result(gesture.result())));
        }
        self.look_for_another_game(&readings);
    }

    /// A game begins with what stands there.
    fn begin_with(&mut self, readings: &Readings) {
        self.more = None;
        self.game = Hindsight::from_placement(readings, self.now);
        self.tell_begin();
    }

    /// Where nothing has been understood for long, another game may have begun from a position
    /// that was set up.
    fn look_for_another_game(&mut self, readings: &Readings) {
        let is_lost = self.game.as_ref().is_none_or(|game| !game.is_explained());
        if !is_lost {
            self.unexplained = 0;
            self.another = None;
            return;
        }
        self.unexplained += 1;
        if self.unexplained < LOST_MIN {
            return;
        }
        let Some(another) = &mut self.another else {
            self.another = Hindsight::from_placement(readings, self.now);
            return;
        };
        another.see(readings, self.now);
        if another.is_explained() && another.plies() >= ANOTHER_GAME_MIN {
            let another = self.another.take();
            self.end_game(true);
            self.game = another;
            self.unexplained = 0;
            self.tell_begin();
        } else if !another.is_explained() && another.plies() == 0
            || another.is_still_set_up(readings)
            || another.is_lost()
        {
            self.another = Hindsight::from_placement(readings, self.now);
        }
    }

    /// The start position the other way round begins a game that is turned round.
    fn turn_round(&mut self) {
        let found = Orientation::found_at_start(&self.readings);
        let cannot_tell = Readings::of(&Board::new())
            .iter()
            .all(|(square, _)| self.readings.at(square).piece().is_none());
        if let Some(found) = found
            && !cannot_tell
            && self.orientation.unwrap_or_default() != found
        {
            self.end_game(true);
            self.orientation = Some(found);
            self.game = None;
        }
    }

    fn seek_two(&mut self) {
        let now = self.now;
        if let Some(game) = &mut self.game {
            game.seek_two(now);
        }
    }

    /// Without a clock nothing tells that pieces have rested. If several changes in a row lead to
    /// no known position, they had rested in between.
    fn rest_without_clock(&mut self) {
        if self.clock.is_none() && self.unexplained >= UNEXPLAINED_MIN {
            self.now = self.now + self.patience.quiet;
            let reports = self.follower.wake(self.now);
            self.tell(reports);
        }
    }

    /// The clock is the only witness of time in a recording.
    fn pass_clock_time(&mut self, reading: ClockReading) {
        let before = self.clock;
        if let Some((then, before)) = before
            && before.is_running
        {
            let side = before.to_move;
            let fallen = before
                .side(side)
                .time
                .saturating_sub(reading.side(side).time);
            self.now = self.now.max(then + fallen);
            let reports = self.follower.wake(self.now);
            self.tell(reports);
        }
        self.clock = Some((self.now, reading));
        let Some(game) = &mut self.game else { return };
        if reading.is_running {
            game.clock_runs();
        } else {
            game.clock_stops();
        }
        if before.is_some_and(|(_, before)| before.to_move != reading.to_move) {
            game.press(self.now);
        }
    }

    fn begin(&mut self, first: &DeviceEvent) {
        let mut reconstructor = Reconstructor::new(self.patience);
        if let Some(orientation) = self.orientation {
            reconstructor = reconstructor.with_orientation(orientation);
        }
        if let DeviceEvent::Snapshot(readings) = first {
            self.orientation = self
                .orientation
                .or_else(|| Orientation::nearly_at_start(readings));
        }
        let position = match (&self.position, first) {
            (Some(position), _) => position.clone(),
            (None, DeviceEvent::Snapshot(_)) => {
                self.follower = Follower::of(reconstructor);
                return;
            }
            (None, _) => Chess::default(),
        };
        // Nobody has said what stands there: it is as it should be.
        let stands = Readings::of(position.board());
        self.readings = self.orientation.unwrap_or_default().readings(&stands);
        let sight = match first {
            DeviceEvent::Snapshot(readings) => **readings,
            _ => stands,
        };
        self.game = Some(Hindsight::from_position(position.clone(), &sight, self.now));
        self.tell_begin();
        self.follower = Follower::of(reconstructor.from_position(position, self.now));
    }

    fn tell_begin(&mut self) {
        let Some(game) = &self.game else { return };
        let placement = game.board().to_string();
        let is_rotated = self.orientation == Some(Orientation::Rotated);
        let began = Line::Began {
            placement,
            is_rotated,
        };
        self.lines.push((self.now, began));
    }

    fn finish(&mut self) {
        self.seek_two();
        self.now = self.now + Duration::from_secs(10);
        let reports = self.follower.wake(self.now);
        self.tell(reports);
        self.end_game(false);
        let (plies, fen) = (self.plies, self.fen.take());
        self.lines.push((self.now, Line::End { plies, fen }));
    }

    fn end_game(&mut self, is_cleared: bool) {
        let Some(game) = self.game.take() else { return };
        let past = game.finish(is_cleared);
        self.plies = past.moves.len();
        self.fen = Some(Fen::from_position(&past.end, EnPassantMode::Legal).to_string());
        for played in past.moves {
            self.lines.push((played.since, Line::Moved(played)));
        }
    }

    fn tell(&mut self, reports: Vec<Report>) {
        for report in reports {
            if let Some(line) = Self::line(report) {
                self.lines.push((self.now, line));
            }
        }
    }

    fn line(report: Report) -> Option<Line> {
        Some(match report {
            Report::Board(Event::Touched(square, piece)) => Line::Touched {
                square: square.to_string(),
                piece: piece.map(shakmaty::Piece::char),
            },
            Report::Result(result) => Line::Result(result),
            Report::Board(Event::Departs(differences)) => {
                let words: Vec<String> = differences.iter().map(ToString::to_string).collect();
                Line::Note(format!("the board departs: {}", words.join(", ")))
            }
            Report::Board(Event::Ambiguous(moves)) => {
                let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
                Line::Note(format!("these moves look the same: {}", words.join(", ")))
            }
            Report::Board(Event::PressedWithoutMove) => {
                Line::Note("the clock was pressed without a move".to_owned())
            }
            Report::Clock { reading, .. } => Line::Clock(reading),
            Report::Pressed { clock_side, by } => Line::Pressed(clock_side, by),
            Report::ClockEvent(event) => Line::Note(clock_words(event)?.to_owned()),
            Report::Board(_)
            | Report::ClockNotice(_)
            | Report::WhiteSitsAt(_)
            | Report::WhoSitsWhere
            | Report::Device(_) => return None,
        })
    }
}

/// What happened at the clock, in words. Its silences and jumps are none in a recording.
const fn clock_words(event: ClockEvent) -> Option<&'static str> {
    Some(match event {
        ClockEvent::Started(ClockSide::Left) => "the left clock was started",
        ClockEvent::Started(ClockSide::Right) => "the right clock was started",
        ClockEvent::Stopped => "the clock was stopped",
        ClockEvent::FlagShown(ClockSide::Left) => "a flag is shown on the left",
        ClockEvent::FlagShown(ClockSide::Right) => "a flag is shown on the right",
        ClockEvent::FlagFallen(ClockSide::Left) => "the left flag has fallen",
        ClockEvent::FlagFallen(ClockSide::Right) => "the right flag has fallen",
        ClockEvent::BatteryLow => "the clock's battery is low",
        ClockEvent::Pressed(_)
        | ClockEvent::Jumped(_)
        | ClockEvent::Frozen
        | ClockEvent::Silent
        | ClockEvent::Returned => return None,
    })
}

/// Minutes and seconds, or hours too.
pub(crate) fn time_words(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// A clock reading as people say it.
pub(crate) fn reading_words(reading: &ClockReading) -> String {
    let run = match (reading.is_running, reading.to_move) {
        (false, _) => "stopped",
        (true, ClockSide::Left) => "left runs",
        (true, ClockSide::Right) => "right runs",
    };
    let flag = |side: ClockSide| match reading.side(side) {
        side if side.is_fallen => " (flag)",
        side if side.has_flag => " (flag of a period)",
        _ => "",
    };
    format!(
        "clock: left {}{}, right {}{}, {run}",
        time_words(reading.left.time),
        flag(ClockSide::Left),
        time_words(reading.right.time),
        flag(ClockSide::Right),
    )
}

/// A clock reading in JSON: seconds of each side, who runs, flags.
pub(crate) fn reading_json(reading: &ClockReading) -> Value {
    let side = |side: ClockSide| {
        let shown = reading.side(side);
        json!({
            "seconds": shown.time.as_secs(),
            "flag": shown.is_fallen || shown.has_flag,
            "fallen": shown.is_fallen,
            "per_move": shown.is_per_move,
        })
    };
    json!({
        "left": side(ClockSide::Left),
        "right": side(ClockSide::Right),
        "running": reading.is_running,
        "to_move": reading.to_move,
        "battery_low": reading.is_battery_low,
    })
}

impl Line {
    /// The line as an object; what kind of line it is its first field says.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Began {
                placement,
                is_rotated,
            } => json!({"board": placement, "rotated": is_rotated}),
            Self::Moved(played) => json!({
                "move": played.played.to_string(),
                "ply": played.ply,
                "side": played.side.to_string(),
            }),
            Self::Touched { square, piece } => json!({"touched": square, "piece": piece}),
            Self::Clock(reading) => json!({"clock": reading_json(reading)}),
            Self::Pressed(clock_side, by) => {
                json!({"pressed": clock_side, "side": by.map(|side| side.to_string())})
            }
            Self::Note(words) => json!({"note": words}),
            Self::Result(result) => json!({"result": result}),
            Self::End { plies, fen } => json!({"end": {"plies": plies, "fen": fen}}),
        }
    }

    /// The line as people read it.
    pub fn to_words(&self) -> String {
        match self {
            Self::Began { is_rotated, .. } => {
                let turned = if *is_rotated { ", rotated" } else { "" };
                format!("a game begins{turned}")
            }
            Self::Moved(played) => move_words(played),
            Self::Touched { square, piece } => match piece {
                Some(piece) => format!("touched {square} ({piece})"),
                None => format!("touched {square}"),
            },
            Self::Clock(reading) => reading_words(reading),
            Self::Pressed(ClockSide::Left, _) => "pressed on the left".to_owned(),
            Self::Pressed(ClockSide::Right, _) => "pressed on the right".to_owned(),
            Self::Note(words) => words.clone(),
            Self::Result(result) => format!("shown as the result: {result}"),
            Self::End { plies, fen } => match fen {
                Some(fen) => format!("{plies} moves, position {fen}"),
                None => "no position".to_owned(),
            },
        }
    }
}

/// A move with its number: `12. g1f3`, or `12... g8f6` for Black.
pub(crate) fn move_words(played: &PlayedMove) -> String {
    let number = played.ply.div_ceil(2);
    let dots = played.side.fold_wb(".", "...");
    format!("{number}{dots} {}", played.played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Reading;
    use crate::shell::boards::dgt::Message;
    use crate::shell::clocks::SideReading;
    use shakmaty::Square;

    fn settings() -> Settings {
        Settings {
            kind: Kind::Dgt,
            position: None,
            orientation: None,
        }
    }

    fn moves(bytes: &[u8]) -> Vec<String> {
        replay(bytes, &settings())
            .into_iter()
            .filter_map(|line| match line {
                Line::Moved(played) => Some(played.played.to_string()),
                _ => None,
            })
            .collect()
    }

    fn field(square: Square, piece: char) -> Vec<u8> {
        let reading = Reading::from(shakmaty::Piece::from_char(piece));
        Message::Field { square, reading }.to_bytes()
    }

    #[test]
    fn a_recording_without_a_dump_begins_with_the_start_position_either_way() {
        let moved = [field(Square::E2, ' '), field(Square::E4, 'P')].concat();
        assert_eq!(moves(&moved), ["e2e4"]);
        let moved = [field(Square::D7, ' '), field(Square::D5, 'P')].concat();
        assert_eq!(moves(&moved), ["e2e4"]);
    }

    fn dump(placement: &str) -> Vec<u8> {
        let placement: Board = placement.parse().unwrap();
        Message::Dump(Box::new(Readings::of(&placement))).to_bytes()
    }

    #[test]
    fn a_piece_seen_on_two_squares_for_a_moment_sets_up_no_position() {
        let bytes = [
            dump("4k3/8/8/8/8/8/4P3/4K3"),
            // The first move, and one of the other side.
            field(Square::E4, 'P'),
            field(Square::E2, ' '),
            field(Square::D7, 'k'),
            field(Square::E8, ' '),
        ]
        .concat();
        assert_eq!(moves(&bytes), ["e2e4", "e8d7"]);
    }

    #[test]
    fn the_last_piece_may_be_set_up_after_the_others() {
        let bytes = [
            dump("4k3/8/8/8/8/8/4P3/4K3"),
            field(Square::H1, 'R'),
            field(Square::E2, ' '),
            field(Square::E4, 'P'),
            field(Square::E8, ' '),
            field(Square::E7, 'k'),
            field(Square::H1, ' '),
            field(Square::H7, 'R'),
        ]
        .concat();
        assert_eq!(moves(&bytes), ["e2e4", "e8e7", "h1h7"]);
    }

    #[test]
    fn a_first_move_that_is_taken_back_begins_no_other_game() {
        let bytes = [
            field(Square::C2, ' '),
            field(Square::C4, 'P'),
            field(Square::C4, ' '),
            field(Square::C2, 'P'),
            field(Square::D2, ' '),
            field(Square::D4, 'P'),
        ]
        .concat();
        assert_eq!(moves(&bytes), ["d2d4"]);
    }

    #[test]
    fn play_goes_on_after_the_clock_has_stopped_if_it_is_pressed() {
        let clock = |seconds, to_move, is_running| {
            let side = SideReading {
                time: Duration::from_secs(seconds),
                ..SideReading::default()
            };
            Message::Clock(ClockReading {
                left: side,
                right: side,
                is_running,
                to_move,
                is_battery_low: false,
            })
            .to_bytes()
        };
        let game = |presses: bool| {
            let to_move = if presses {
                ClockSide::Right
            } else {
                ClockSide::Left
            };
            [
                dump("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
                clock(2, ClockSide::Left, true),
                clock(0, ClockSide::Left, false),
                field(Square::E2, ' '),
                field(Square::E4, 'P'),
                clock(0, to_move, false),
                field(Square::E7, ' '),
            ]
            .concat()
        };
        assert_eq!(moves(&game(true)), ["e2e4"]);
        assert_eq!(moves(&game(false)), [""; 0]);
    }

    #[test]
    fn castling_that_begins_with_the_rook_is_castling() {
        let dump = "4k3/8/8/8/8/8/8/4K2R".parse().unwrap();
        let bytes = [
            Message::Dump(Box::new(Readings::of(&dump))).to_bytes(),
            field(Square::H1, ' '),
            field(Square::F1, 'R'),
            field(Square::E1, ' '),
            field(Square::G1, 'K'),
        ]
        .concat();
        assert_eq!(moves(&bytes), ["e1g1"]);
    }
}
