//! Recorded bytes of a board, replayed.

use std::time::Duration;

use shakmaty::{Board, Chess, EnPassantMode, Position, fen::Fen};

use super::device::{DeviceCommand, DeviceEvent, Kind, driver};
use super::follower::{Follower, Report};
pub use super::line::Line;
use super::line::clock_words;
pub(crate) use super::line::{ROOK_FIRST, move_words, reading_json, reading_words};
use super::recording::with_frames_doubled;
use super::rise::Rise;
use crate::board::{Event, Hindsight, Orientation, Patience, Readings, Reconstructor};
use crate::moment::Moment;
use crate::shell::clocks::ClockReading;

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
    rise: Rise,
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
            rise: Rise::default(),
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
        let before = std::mem::replace(&mut self.readings, readings);
        self.look(&before);
        if is_snapshot && self.kind == Kind::Dgt {
            self.seek_two();
        }
    }

    /// Looks at what the board shows now.
    fn look(&mut self, before: &Readings) {
        self.turn_round();
        let orientation = self.orientation.unwrap_or_default();
        let (before, readings) = (
            orientation.readings(before),
            orientation.readings(&self.readings),
        );
        let Some(game) = &mut self.game else {
            return self.begin_with(&readings);
        };
        if before == readings {
            return;
        }
        if game.is_new_start(&readings) {
            self.end_game(true);
            return self.begin_with(&readings);
        }
        let (is_more, plies) = (game.is_still_set_up(&readings), game.plies());
        let had_result = game.gesture().is_some();
        game.see(&readings, self.now);
        let is_explained = game.is_explained();
        for square in game.take_touched() {
            let piece = game.board().piece_at(square);
            let touched = Line::Touched {
                square: square.to_string(),
                piece: piece.map(shakmaty::Piece::char),
            };
            self.lines.push((self.now, touched));
        }
        let set_up = self.rise.take(&before, &readings, is_more, plies);
        if let Some((first, others)) = set_up.as_deref().and_then(<[_]>::split_first)
            && !is_explained
        {
            self.end_game(true);
            self.begin_with(first);
            for readings in others {
                self.see(readings);
            }
            return;
        }
        if is_explained {
            self.rise.forget();
        }
        let Some(game) = &self.game else { return };
        if let Some(gesture) = game.gesture().filter(|_| !had_result) {
            self.lines.push((self.now, Line::Result(gesture.result())));
        }
        self.look_for_another_game(&readings);
    }

    fn see(&mut self, readings: &Readings) {
        if let Some(game) = &mut self.game {
            game.see(readings, self.now);
        }
    }

    /// A game begins with what stands there.
    fn begin_with(&mut self, readings: &Readings) {
        self.rise = Rise::default();
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
            if past.rook_first.contains(&played) {
                let note = Line::Note(ROOK_FIRST.to_owned());
                self.lines.push((played.since, note));
            }
        }
    }

    fn tell(&mut self, reports: Vec<Report>) {
        // What the board showed in the end is known better than what it seems to show now.
        let is_understood = self
            .game
            .as_ref()
            .is_some_and(|game| game.is_explained() || game.gesture().is_some());
        for report in reports {
            if is_understood && matches!(report, Report::Board(Event::Departs(_))) {
                continue;
            }
            if let Some(line) = Self::line(report) {
                self.lines.push((self.now, line));
            }
        }
    }

    fn line(report: Report) -> Option<Line> {
        Some(match report {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Reading;
    use crate::shell::boards::dgt::Message;
    use crate::shell::clocks::{ClockSide, SideReading};
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

    /// Field changes: `e2 ` empties a square, `e4P` puts a piece on one.
    fn fields(changes: &str) -> Vec<u8> {
        let one = |change: &str| {
            let (square, piece) = change.split_at(2);
            let piece = piece.chars().next().unwrap_or(' ');
            field(square.parse().unwrap(), piece)
        };
        changes.split_whitespace().flat_map(one).collect()
    }

    fn told(bytes: &[u8]) -> Vec<String> {
        let lines = replay(bytes, &settings()).into_iter();
        lines.map(|line| line.to_words()).collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn castling_that_began_with_the_rook_is_reported() {
        let bare = "4k3/8/8/8/8/8/8/4K2R";
        let rook = [dump(bare), fields("h1 f1R e1 g1K e8 d8k")].concat();
        assert!(told(&rook).iter().any(|line| line == ROOK_FIRST));
        let king = [dump(bare), fields("e1 g1K h1 f1R e8 d8k")].concat();
        assert!(!told(&king).iter().any(|line| line == ROOK_FIRST));
    }

    #[test]
    fn a_piece_that_has_rolled_away_disturbs_no_game() {
        let played = "g1 h4N d2 d4P d7 d5p c2 c4P h4 g1N e7 e6p";
        let bytes = [dump(START), fields(played)].concat();
        assert_eq!(moves(&bytes), ["d2d4", "d7d5", "c2c4", "e7e6"]);
    }

    #[test]
    fn castling_that_is_not_legal_is_no_move_of_the_rook() {
        let castled = "e1 g1K h1 f1R";
        let bytes = [dump("4k3/8/8/8/2b5/8/8/4K2R"), fields(castled)].concat();
        assert_eq!(moves(&bytes), [""; 0]);
    }

    #[test]
    fn a_game_goes_on_beside_pieces_that_lie_about() {
        let down = "a2 h2 b1";
        let played = "e2 e4P e7 e5p g1 f3N";
        let ghost = "d6p b8 c6n d6";
        let bytes = [
            dump(START),
            fields(down),
            fields(played),
            fields("a2P h2P b1N"),
            fields(ghost),
            fields("f1 b5B"),
        ]
        .concat();
        assert_eq!(moves(&bytes), ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
    }

    #[test]
    fn a_short_game_is_told_though_its_pieces_go_back_by_the_way_they_came() {
        let played = "f2 f3P e7 e5p g2 g4P d8 h4q";
        let away = "h4 d8q g4 g2P e5 e7p f3 f2P";
        let bytes = [dump(START), fields(played), fields(away), fields("d2 d4P")].concat();
        assert_eq!(moves(&bytes), ["f2f3", "e7e5", "g2g4", "d8h4", "d2d4"]);
    }

    #[test]
    fn a_piece_that_is_told_less_exactly_was_not_touched() {
        let lines = "sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n\
                     state uuuuuuuu/uuuuuuuu/8/8/8/8/UUUU1UUU/UUUUUUUU\n\
                     state uuuuuuuu/uuuuuuuu/8/8/4U3/8/UUUU1UUU/UUUUUUUU\n\
                     state rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR\n";
        let settings = Settings {
            kind: Kind::Cpp,
            ..settings()
        };
        let told = replay(lines.as_bytes(), &settings);
        let touched = told.iter().filter(|it| matches!(it, Line::Touched { .. }));
        assert_eq!(touched.count(), 0, "{told:?}");
    }

    #[test]
    fn a_hand_that_rests_on_a_piece_has_touched_it() {
        let clock = |seconds| {
            let side = SideReading {
                time: Duration::from_secs(seconds),
                ..SideReading::default()
            };
            Message::Clock(ClockReading {
                left: side,
                right: side,
                is_running: true,
                to_move: ClockSide::Left,
                is_battery_low: false,
            })
            .to_bytes()
        };
        let bytes = [
            dump(START),
            clock(60),
            fields("b1"),
            clock(58),
            fields("b1N g1 f3N"),
        ]
        .concat();
        assert!(told(&bytes).contains(&"touched b1 (N)".to_owned()));
        // Where a piece moves and comes back later nobody has touched it besides.
        let to_and_fro = fields("g1 f3N g8 f6n f3 g1N f6 g8n e2 e4P");
        let bytes = [dump(START), to_and_fro].concat();
        assert!(!told(&bytes).iter().any(|line| line.contains("touched")));
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
