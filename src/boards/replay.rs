//! Replays a board's recorded bytes.
//!
//! [`hindsight`] finds the game of a recording in which nothing is missing. Where something was
//! lost, [`retrace`] finds the likeliest game. Both look back from the end, as nothing can during
//! play, so the game does not use them. A [`Follower`] beside them tells of the clock, and of a
//! board that departs from every position.

mod agreement;
mod another;
mod clock;
mod hindsight;
mod retrace;
mod sight;
mod told;

use std::cmp::Reverse;
use std::time::Duration;

use shakmaty::{Board, Chess, EnPassantMode, Position, fen::Fen};

use self::agreement::Agreement;
use self::another::Another;
use self::clock::Clock;
use self::hindsight::{Hindsight, PastGame};
use self::retrace::Retrace;
use self::told::Told;
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
    Event, Orientation, Patience, PlayedMove, Readings, Reconstructor, SquareDifference,
    differences,
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
        return told.lines();
    }
    let retraced = Replay::run(bytes, settings, orientation, true);
    // The one that agrees better with the clock and with the final placement; of equals the one
    // with more moves.
    let rank = |told: &Told| (told.faults, Reverse(told.moves));
    if rank(&retraced) <= rank(&told) {
        retraced.lines()
    } else {
        told.lines()
    }
}

/// After this many changes that lead to no known position, two moves at once are tried.
const UNEXPLAINED_MIN: u32 = 3;
/// If more moves than this may have been others, it is unknown which move is which.
const OPEN_MAX: usize = 4;
/// The count of wrong squares at the end is capped at this.
const WRONG_AT_END_MAX: usize = 4;

struct Replay<'a> {
    settings: &'a Settings,
    orientation: Option<Orientation>,
    /// Whether the likeliest game is followed too.
    retraces: bool,
    /// Follows the clock and touched pieces.
    follower: Follower,
    now: Moment,
    has_begun: bool,
    /// The readings, by the board's own squares.
    readings: Readings,
    game: Option<Hindsight>,
    /// The likeliest game, where something was lost.
    retrace: Option<Retrace>,
    another: Another,
    rise: Rise,
    /// Whether the board reports that moves were taken back.
    takes_back: bool,
    clock: Clock,
    told: Told,
}

impl<'a> Replay<'a> {
    fn run(
        bytes: &[u8],
        settings: &'a Settings,
        orientation: Option<Orientation>,
        retraces: bool,
    ) -> Told {
        let mut replay = Self {
            settings,
            orientation,
            retraces,
            follower: Follower::new(Patience::default()),
            now: Moment::START,
            has_begun: false,
            readings: Readings::default(),
            game: None,
            retrace: None,
            another: Another::default(),
            rise: Rise::default(),
            takes_back: false,
            clock: Clock::default(),
            told: Told::default(),
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
                replay.told.line(replay.now, Line::Note(note));
                replay.clock.lost(replay.now);
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
        replay.told
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
        if is_snapshot && self.settings.kind == Kind::Dgt {
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
            self.told.line(self.now, touched);
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
            self.told.line(self.now, Line::Result(gesture.result()));
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
        if self.game.as_ref().is_some_and(Hindsight::is_explained) {
            self.another = Another::default();
            return;
        }
        if let Some(another) = self.another.look(readings, self.now, !self.retraces) {
            self.end_game(true);
            self.game = Some(another);
            self.tell_begin();
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
        if self.clock.reading().is_none() && self.another.unexplained() >= UNEXPLAINED_MIN {
            self.now = self.now + Patience::default().quiet;
            let reports = self.follower.wake(self.now);
            self.tell(reports);
        }
    }

    /// Lets the time of the clock's reading pass, the only time in a recording.
    fn pass_clock_time(&mut self, reading: ClockReading) {
        if let Some(moment) = self.clock.moment_of(&reading) {
            self.now = self.now.max(moment);
            let reports = self.follower.wake(self.now);
            self.tell(reports);
        }
        let is_pressed = self.clock.take(self.now, reading);
        if let Some(retrace) = &mut self.retrace {
            retrace.clock_runs(reading.is_running);
        }
        let Some(game) = &mut self.game else { return };
        if reading.is_running {
            game.clock_runs();
        } else {
            game.clock_stops();
        }
        if is_pressed {
            game.press(self.now);
            self.note_press();
        }
    }

    /// Notes a press. If something was lost and the next reading undoes the press as if nothing had
    /// been, it was none: the rest of two messages has looked like another one.
    fn note_press(&mut self) {
        let seems_undone = self.clock.seems_to_undo_a_press();
        if seems_undone && self.retrace.as_mut().is_some_and(Retrace::forget_press) {
            self.clock.forget_press();
            return;
        }
        self.clock.press(self.now);
        if let Some(retrace) = &mut self.retrace {
            retrace.press(self.now);
        }
    }

    fn begin(&mut self, first: &DeviceEvent) {
        let mut reconstructor = Reconstructor::new(Patience::default());
        if let Some(orientation) = self.orientation {
            reconstructor = reconstructor.with_orientation(orientation);
        }
        if let DeviceEvent::Snapshot(readings) = first {
            self.orientation = self
                .orientation
                .or_else(|| Orientation::nearly_at_start(readings));
        }
        let position = match (&self.settings.position, first) {
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
        self.told.line(self.now, began);
    }

    fn finish(&mut self) {
        self.seek_two();
        self.now = self.now + Duration::from_secs(10);
        let reports = self.follower.wake(self.now);
        self.tell(reports);
        self.end_game(false);
        self.told.end(self.now);
    }

    fn end_game(&mut self, is_cleared: bool) {
        let Some(game) = self.game.take() else { return };
        let past = game.finish(is_cleared);
        let is_whole = game.is_whole(is_cleared);
        let (presses, first_lost) = self.clock.end_game();
        let (past, open_from) = self.retraced(past, is_cleared, &presses);
        if !is_whole {
            self.told.faults += self.faults(&past, is_cleared, &presses);
            let unsure = self.unsure_from(&past, &presses, is_cleared, open_from, first_lost);
            self.told.unsure(unsure);
        }
        self.told.game(&past, is_whole);
    }

    /// The game, or the likeliest one if that agrees better with everything seen. With it comes
    /// the ply from which so many moves may have been others that none is certain.
    fn retraced(
        &mut self,
        past: PastGame,
        is_cleared: bool,
        presses: &[Moment],
    ) -> (PastGame, Option<usize>) {
        let Some(retraced) = self.retrace.take().and_then(|retrace| retrace.game()) else {
            return (past, None);
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
            return (past, None);
        }
        self.told.forget_departures();
        let wrong = if is_cleared || past.gesture.is_some() {
            wrong_at_press
        } else {
            self.wrong_at_end(&likeliest)
        };
        if !wrong.is_empty() {
            let departs = Line::Note(departs_words(&wrong));
            self.told.line(self.now, departs);
        }
        let mut open_from = None;
        if likeliest.doubts.len() > OPEN_MAX {
            open_from = likeliest.doubts.keys().next().copied();
            likeliest.doubts.clear();
        }
        (likeliest, open_from)
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

    /// The move from which moves and presses do not agree, so that something was not seen.
    fn unsure_from(
        &self,
        past: &PastGame,
        presses: &[Moment],
        is_cleared: bool,
        open_from: Option<usize>,
        first_lost: Option<Moment>,
    ) -> Option<PlayedMove> {
        let pressed_from = Agreement::of(&past.moves, presses).unsure_from;
        let fits = past.gesture.is_none() && (is_cleared || self.wrong_at_end(past).is_empty());
        // If nothing was lost, people pressed differently from how they played.
        let pressed_from = pressed_from.filter(|_| first_lost.is_some());
        let from = open_from.into_iter().chain(pressed_from).min();
        let mut moves = past.moves.iter().copied();
        match (from, first_lost) {
            (Some(ply), _) => moves.find(|made| made.ply == ply),
            // Without a clock only the end shows whether everything was recognised.
            (None, Some(lost)) if presses.is_empty() && !fits => {
                moves.find(|made| made.since >= lost)
            }
            _ => None,
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
            match Self::line(report) {
                Some(line) if departs => self.told.departure(self.now, line),
                Some(line) => self.told.line(self.now, line),
                None => {}
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

#[cfg(test)]
mod tests;
