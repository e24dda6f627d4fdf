//! Replays a board's recorded bytes.

use std::cmp::Reverse;
use std::time::Duration;

use shakmaty::{Board, Chess, EnPassantMode, Position, fen::Fen};

use super::clocks::ClockReading;
use super::device::{DeviceCommand, DeviceEvent, Kind};
use super::follower::{Follower, Report};
pub use super::line::Line;
use super::line::clock_words;
pub use super::line::{
    alike_words, departs_words, move_words, reading_json, reading_words, side_words,
};
use super::recording::{gaps, with_frames_doubled};
use super::rise::Rise;
use crate::driver;
use annexd_game::board::{
    Agreement, Event, Hindsight, Orientation, PastGame, Patience, Readings, Reconstructor, Retrace,
    SquareDifference, differences,
};
use annexd_laws::moment::Moment;
use annexd_phrases::sentence;

/// What is known about a recording besides its bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its protocol.
    pub kind: Kind,
    /// The position at its beginning, if not the start position.
    pub position: Option<Chess>,
    /// The board's orientation; `None`: found at the start position.
    pub orientation: Option<Orientation>,
}

/// Replays a recording. It has no times except its clock's, and nobody waits for an answer. So each
/// move is reported as it finally turned out, at the place where it was played.
pub fn replay(bytes: &[u8], settings: &Settings) -> Vec<Line> {
    let doubled = (settings.kind == Kind::Occupancy).then(|| with_frames_doubled(bytes));
    let bytes = doubled.as_deref().unwrap_or(bytes);
    let mut orientations = vec![settings.orientation];
    if settings.orientation.is_none() {
        // If nothing tells the orientation, it is the one in which the game makes sense.
        orientations.push(Some(Orientation::Rotated));
    }
    let runs = orientations.into_iter().map(|orientation| {
        let told = Replay::run(bytes, settings, orientation, false);
        (orientation, told)
    });
    // The first of equals.
    let Some((orientation, told)) = runs.rev().max_by_key(|(_, told)| told.moves) else {
        return Vec::new();
    };
    if told.is_whole {
        return told.lines;
    }
    let retraced = Replay::run(bytes, settings, orientation, true);
    // The one that agrees better with the clock and with the final placement; of equals the one
    // with more moves.
    let rank = |told: &ReplayReport| (told.faults, Reverse(told.moves));
    if rank(&retraced) <= rank(&told) {
        retraced.lines
    } else {
        told.lines
    }
}

/// What is reported of a recording.
struct ReplayReport {
    lines: Vec<Line>,
    /// Whether every press was for a move, and nothing was left unexplained.
    is_whole: bool,
    /// The number of moves reported or known to have been made.
    moves: usize,
    /// How much of it disagrees with the clock or with the final placement.
    faults: usize,
}

/// After this many changes that lead to no known position, two moves at once are tried.
const UNEXPLAINED_MIN: u32 = 3;
/// After this many, another game may have begun.
const LOST_MIN: u32 = 10;
/// With this many moves in a row, it has.
const ANOTHER_GAME_MIN: usize = 4;

/// The longest time between a reading and the next but one.
const RUNS_ON_MAX: Duration = Duration::from_secs(5);
/// If more moves than this may have been others, it is unknown which move is which.
const OPEN_MAX: usize = 4;
/// The count of wrong squares at the end is capped at this.
const WRONG_AT_END_MAX: usize = 4;

struct Replay {
    /// Follows the clock and touched pieces.
    follower: Follower,
    patience: Patience,
    kind: Kind,
    position: Option<Chess>,
    orientation: Option<Orientation>,
    /// The readings, by the board's own squares.
    readings: Readings,
    game: Option<Hindsight>,
    /// Another game that may have begun while this one was not recognised.
    another: Option<Hindsight>,
    rise: Rise,
    now: Moment,
    clock: Option<(Moment, ClockReading)>,
    /// The reading before that.
    clock_before: Option<ClockReading>,
    has_begun: bool,
    /// Whether the board reports that moves were taken back.
    takes_back: bool,
    /// The number of changes in a row that have led to no known position.
    unexplained: u32,
    fen: Option<String>,
    plies: usize,
    lines: Vec<(Moment, Line)>,
    /// What the board seemed to differ in.
    departures: Vec<(Moment, Line)>,
    /// The likeliest game, followed where something was lost.
    retrace: Option<Retrace>,
    retraces: bool,
    is_whole: bool,
    moves: usize,
    faults: usize,
    /// Presses of the clock in this game, and when something was first lost on the line.
    presses: Vec<Moment>,
    first_lost: Option<Moment>,
    /// The number of readings of the clock so far, before the last press, and before the last loss.
    clock_readings: usize,
    last_press: usize,
    last_lost: usize,
    /// From this move on so many may have been others that none is certain.
    open_from: Option<usize>,
}

impl Replay {
    fn run(
        bytes: &[u8],
        settings: &Settings,
        orientation: Option<Orientation>,
        retraces: bool,
    ) -> ReplayReport {
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
            clock_before: None,
            has_begun: false,
            takes_back: false,
            unexplained: 0,
            fen: None,
            plies: 0,
            lines: Vec::new(),
            departures: Vec::new(),
            retrace: None,
            retraces,
            is_whole: true,
            moves: 0,
            faults: 0,
            presses: Vec::new(),
            first_lost: None,
            clock_readings: 0,
            last_press: 0,
            last_lost: 0,
            open_from: None,
        };
        let mut board = driver(settings.kind);
        if let Some(position) = &settings.position {
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            board.command(replay.now, DeviceCommand::Expect(fen));
        }
        let mut gaps = gaps(bytes, settings.kind).into_iter().peekable();
        for (at, &byte) in bytes.iter().enumerate() {
            replay.now = replay.now + Duration::from_millis(1);
            if let Some((start, length)) = gaps.next_if(|(start, _)| *start == at) {
                let note = sentence!(BytesNoMessage, start = start, count = length);
                replay.lines.push((replay.now, Line::Note(note)));
                replay.first_lost.get_or_insert(replay.now);
                replay.last_lost = replay.clock_readings;
                if let Some(retrace) = &mut replay.retrace {
                    retrace.lost(replay.now);
                }
            }
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
        ReplayReport {
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            is_whole: replay.is_whole,
            moves: replay.moves,
            faults: replay.faults,
        }
    }

    fn hear(&mut self, said: DeviceEvent) {
        if let DeviceEvent::Clock(reading) = &said {
            self.pass_clock_time(*reading);
        }
        if let (DeviceEvent::Move(played), Some(game)) = (&said, &mut self.game) {
            game.announced(*played, self.now);
        }
        self.takes_back |= said == DeviceEvent::TakenBack;
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
            DeviceEvent::Square(square, reading) => {
                if readings.at(*square) == *reading
                    && let Some(retrace) = &mut self.retrace
                {
                    let square = self.orientation.unwrap_or_default().square(*square);
                    retrace.said_again(square, *reading, self.now);
                }
                readings.set(*square, *reading);
            }
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
            if let Some(retrace) = &mut self.retrace {
                retrace.said_whole(self.now);
            }
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
        if !std::mem::take(&mut self.takes_back) && game.is_new_start(&readings) {
            self.end_game(true);
            return self.begin_with(&readings);
        }
        let (is_more, plies) = (game.is_still_set_up(&readings), game.plies());
        let had_result = game.gesture().is_some();
        game.see(&readings, self.now);
        let is_explained = game.is_explained();
        if let Some(retrace) = &mut self.retrace {
            retrace.see(&readings, self.now);
        }
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
        if let Some(retrace) = &mut self.retrace {
            retrace.see(readings, self.now);
        }
    }

    /// Begins a game with this placement.
    fn begin_with(&mut self, readings: &Readings) {
        self.rise = Rise::default();
        self.game = Hindsight::from_placement(readings, self.now);
        if self.retraces && self.game.as_ref().is_some_and(Hindsight::knows_pieces) {
            self.retrace = Retrace::from_placement(readings, self.now);
        }
        self.tell_begin();
    }

    /// Checks whether another game has begun from a position that was set up, if nothing has been
    /// recognised for long.
    fn look_for_another_game(&mut self, readings: &Readings) {
        let is_lost = self.game.as_ref().is_none_or(|game| !game.is_explained());
        if !is_lost {
            self.unexplained = 0;
            self.another = None;
            return;
        }
        self.unexplained += 1;
        if self.unexplained < LOST_MIN || self.retraces {
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

    /// Turns the orientation if the start position stands the other way round.
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

    /// Without a clock nothing shows that pieces have rested. If several changes in a row lead to
    /// no known position, they count as having rested in between.
    fn rest_without_clock(&mut self) {
        if self.clock.is_none() && self.unexplained >= UNEXPLAINED_MIN {
            self.now = self.now + self.patience.quiet;
            let reports = self.follower.wake(self.now);
            self.tell(reports);
        }
    }

    /// Lets the time of the clock's reading pass, the only time in a recording.
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
        let older = std::mem::replace(&mut self.clock_before, before.map(|(_, reading)| reading));
        self.clock = Some((self.now, reading));
        self.clock_readings += 1;
        if let Some(retrace) = &mut self.retrace {
            retrace.clock_runs(reading.is_running);
        }
        let Some(game) = &mut self.game else { return };
        if reading.is_running {
            game.clock_runs();
        } else {
            game.clock_stops();
        }
        if before.is_some_and(|(_, before)| before.to_move != reading.to_move) {
            game.press(self.now);
            self.note_press(older.is_some_and(|older| runs_on(&older, &reading)));
        }
    }

    /// Notes a press. If something was lost and the next reading undoes the press as if nothing had
    /// been, it was none: the rest of two messages has looked like another one.
    fn note_press(&mut self, runs_on: bool) {
        let before = std::mem::replace(&mut self.last_press, self.clock_readings);
        let is_taken_back = runs_on
            && before + 1 == self.clock_readings
            && self.last_lost + 2 >= self.clock_readings
            && self.retrace.as_mut().is_some_and(Retrace::forget_press);
        if is_taken_back {
            self.presses.pop();
            self.last_press = 0;
            return;
        }
        self.presses.push(self.now);
        if let Some(retrace) = &mut self.retrace {
            retrace.press(self.now);
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
                self.follower.follow_with(reconstructor);
                return;
            }
            (None, _) => Chess::default(),
        };
        // Nobody has stated a placement, so it is taken to be right.
        let stands = Readings::of(position.board());
        self.readings = self.orientation.unwrap_or_default().readings(&stands);
        let sight = match first {
            DeviceEvent::Snapshot(readings) => **readings,
            _ => stands,
        };
        self.game = Some(Hindsight::from_position(position.clone(), &sight, self.now));
        if self.retraces {
            self.retrace = Some(Retrace::from_position(position.clone(), self.now));
        }
        self.tell_begin();
        let reconstructor = reconstructor.from_position(position, self.now);
        self.follower.follow_with(reconstructor);
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
        let is_whole = game.is_whole(is_cleared);
        self.is_whole &= is_whole;
        let presses = std::mem::take(&mut self.presses);
        let past = self.retraced(past, is_cleared, &presses);
        if !is_whole {
            self.tell_unsure(&past, &presses, is_cleared);
        }
        self.first_lost = None;
        self.tell_doubts(&past);
        self.lines.append(&mut self.departures);
        self.plies = past.moves.last().map_or(0, |last| last.ply);
        self.moves += self.plies;
        self.fen = Some(Fen::from_position(&past.end, EnPassantMode::Legal).to_string());
        for played in past.moves {
            if past.doubts.contains_key(&played.ply) {
                continue;
            }
            self.lines.push((played.since, Line::Moved(played)));
            if past.rook_first.contains(&played) {
                let note = Line::Note(sentence!(RookCameFirst));
                self.lines.push((played.since, note));
            }
        }
    }

    /// The game, or the likeliest one if that agrees better with everything seen.
    fn retraced(&mut self, past: PastGame, is_cleared: bool, presses: &[Moment]) -> PastGame {
        let Some(retraced) = self.retrace.take().and_then(|retrace| retrace.game()) else {
            return past;
        };
        let wrong_at_press = retraced.wrong_at_press;
        let mut likeliest = PastGame {
            moves: retraced.moves,
            doubts: retraced.doubts,
            end: retraced.end,
            ..past.clone()
        };
        let rank = |game: &PastGame| {
            let faults = self.faults(game, is_cleared, presses);
            (faults, Reverse(game.moves.len()))
        };
        if !retraced.is_sound || rank(&likeliest) > rank(&past) {
            return past;
        }
        self.departures.clear();
        let wrong = if is_cleared || past.gesture.is_some() {
            wrong_at_press
        } else {
            self.wrong_at_end(&likeliest)
        };
        if !wrong.is_empty() {
            let departs = Line::Note(departs_words(&wrong));
            self.lines.push((self.now, departs));
        }
        if likeliest.doubts.len() > OPEN_MAX {
            self.open_from = likeliest.doubts.keys().next().copied();
            likeliest.doubts.clear();
        }
        likeliest
    }

    /// How much of a game disagrees with the clock or with the final placement. Without presses
    /// this is unknown and counts as nothing.
    fn faults(&self, game: &PastGame, is_cleared: bool, presses: &[Moment]) -> usize {
        if presses.is_empty() {
            return 0;
        }
        let has_ended = is_cleared || game.gesture.is_some();
        let wrong = if has_ended {
            0
        } else {
            self.wrong_at_end(game).len()
        };
        Agreement::of(&game.moves, presses).faults + wrong.min(WRONG_AT_END_MAX)
    }

    fn wrong_at_end(&self, game: &PastGame) -> Vec<SquareDifference> {
        let orientation = self.orientation.unwrap_or_default();
        let shown = orientation.readings(&self.readings);
        if shown.fit(game.end.board()) {
            return Vec::new();
        }
        differences(game.end.board(), &shown.board())
    }

    /// Reports that moves and presses do not agree, so that something was not seen.
    fn tell_unsure(&mut self, past: &PastGame, presses: &[Moment], is_cleared: bool) {
        self.faults += self.faults(past, is_cleared, presses);
        let pressed_from = Agreement::of(&past.moves, presses).unsure_from;
        let open_from = self.open_from.take();
        let first_lost = self.first_lost;
        let fits = past.gesture.is_none() && (is_cleared || self.wrong_at_end(past).is_empty());
        // If nothing was lost, people pressed differently from how they played.
        let pressed_from = pressed_from.filter(|_| first_lost.is_some());
        let from = open_from.into_iter().chain(pressed_from).min();
        let mut moves = past.moves.iter();
        let first = match (from, first_lost) {
            (Some(ply), _) => moves.find(|made| made.ply == ply),
            // Without a clock only the end shows whether everything was recognised.
            (None, Some(lost)) if presses.is_empty() && !fits => {
                moves.find(|made| made.since >= lost)
            }
            _ => None,
        };
        if let Some(&first) = first {
            self.lines.push((first.since, Line::UnsureFrom(first)));
        }
    }

    /// Reports moves that may have been others as uncertain.
    fn tell_doubts(&mut self, past: &PastGame) {
        for (ply, others) in &past.doubts {
            let Some(made) = past.moves.iter().find(|made| made.ply == *ply) else {
                continue;
            };
            let all = std::iter::once(&made.played).chain(others);
            let one_of = all.copied().collect();
            let made = *made;
            self.lines
                .push((made.since, Line::NotSeenWhole { made, one_of }));
        }
    }

    fn tell(&mut self, reports: Vec<Report>) {
        // What the board showed at the end is known better than what it seems to show now.
        let is_understood = self
            .game
            .as_ref()
            .is_some_and(|game| game.is_explained() || game.gesture().is_some());
        for report in reports {
            if is_understood && matches!(report, Report::Board(Event::Departs(_))) {
                continue;
            }
            let departs = matches!(report, Report::Board(Event::Departs(_)));
            if let Some(line) = Self::line(report) {
                let lines = if departs {
                    &mut self.departures
                } else {
                    &mut self.lines
                };
                lines.push((self.now, line));
            }
        }
    }

    fn line(report: Report) -> Option<Line> {
        Some(match report {
            Report::Result(result) => Line::Result(result),
            Report::Board(Event::Departs(wrong)) => Line::Note(departs_words(&wrong)),
            Report::Board(Event::Ambiguous(moves)) => Line::Note(alike_words(&moves)),
            Report::Board(Event::PressedWithoutMove) => Line::Note(sentence!(PressedWithoutMove)),
            Report::Clock { reading, .. } => Line::Clock(reading),
            Report::Pressed { clock_side, by } => Line::Pressed(clock_side, by),
            Report::ClockEvent(event) => Line::Note(clock_words(event)?),
            Report::Board(_)
            | Report::ClockNotice(_)
            | Report::WhiteSitsAt(_)
            | Report::WhoSitsWhere
            | Report::Device(_) => return None,
        })
    }
}

/// Whether the same side runs in two readings, and nobody has pressed in between.
fn runs_on(older: &ClockReading, reading: &ClockReading) -> bool {
    let side = reading.to_move;
    let [was, is] = [older, reading].map(|it| it.side(side).time);
    let [others, other] = [older, reading].map(|it| it.side(side.other()).time);
    older.to_move == side && others == other && was >= is && was - is <= RUNS_ON_MAX
}

#[cfg(test)]
mod tests;
