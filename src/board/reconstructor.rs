//! From what the sensors of a board read to moves.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Square, uci::UciMove};

use super::path::{Gesture, Path};
use super::tracker::Tracker;
use super::{
    Fact, Orientation, Reading, Readings, SquareDifference, fewest_differences, placement_after,
};
use crate::moment::Moment;

/// How long a board has to be quiet, and the like.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// No change for so long: the pieces are at rest. 250 ms by cable, 500 ms by radio.
    pub quiet: Duration,
    /// No change for so long while the board shows no known position: it is described.
    pub mismatch: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(250),
            mismatch: Duration::from_millis(3_500),
        }
    }
}

/// With so many moves, the start position is a take-back; with more it is a new game.
const TAKEN_BACK_TO_START_MAX: usize = 2;

/// A snapshot that was asked for comes within this time, or not at all.
const DOUBT_MAX: Duration = Duration::from_secs(2);

/// Both players may announce before the boards have followed.
const ANNOUNCED_MAX: usize = 4;

/// What reaches the reconstructor.
#[derive(Clone, Debug)]
pub enum Observation {
    /// A sensor has changed, or says once more what it said before.
    Square(Square, Reading),
    /// All sensors at once.
    Snapshot(Readings),
    /// The lever was moved: somebody has pressed the clock.
    Lever,
    /// A move was announced, by either player. Boards that cannot tell pieces apart need this
    /// second witness; no board is ever made to agree with it.
    Announced(UciMove),
    /// Something that the board said was lost on the line; a snapshot will say what.
    Lost,
    /// Time has passed.
    Time,
}

/// What the reconstructor makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// What happened to the pieces; says nothing about moves and knows no legality.
    Fact(Fact),
    /// A piece was lifted and put back where it stood (4.2, 4.3, D.2.2).
    Touched(Square, Option<Piece>),
    /// A position to begin from stands on the board.
    Began {
        /// How the board lies.
        orientation: Orientation,
        /// What it shows.
        placement: Board,
    },
    /// The pieces rest after a legal move. It may still be replaced by another.
    Seen(PlayedMove),
    /// A move was made: the clock was pressed after it, or the next one followed.
    Moved(PlayedMove),
    /// Moves that were made are no longer on the board.
    TakenBack {
        /// How many moves are left.
        plies: usize,
    },
    /// The clock was pressed without a new move on the board (7.5.3).
    PressedWithoutMove,
    /// Several legal moves look the same to this board, and nobody has announced one.
    Ambiguous(Vec<UciMove>),
    /// Both kings stand in the centre, the gesture for a result. Words have to confirm it.
    Gesture(Gesture),
    /// The board has shown no known position for some time: on these squares it differs from the
    /// nearest one.
    Departs(Vec<SquareDifference>),
    /// The board shows a known position again.
    Agrees,
}

/// A move by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Its number, counting the moves of both sides from 1.
    pub ply: usize,
    /// Who played it.
    pub side: Color,
    /// The move.
    pub played: UciMove,
    /// When the board first showed it.
    pub since: Moment,
}

/// Follows one board. It never speaks of a move before the pieces rest or the lever moves, and it
/// corrects nothing: what it does not understand it describes.
#[derive(Clone, Debug)]
pub struct Reconstructor {
    patience: Patience,
    orientation: Option<Orientation>,
    sensors: Readings,
    /// The position was said to stand there, and the sensors have not spoken yet.
    is_assumed: bool,
    tracker: Tracker,
    path: Option<Path>,
    /// Moves that were told, and whether as made.
    told: Vec<(Move, bool)>,
    /// The last few announcements that no board has shown yet, the newest last.
    announced: Vec<UciMove>,
    /// Squares that have changed since the board last showed a known position.
    disturbed: Bitboard,
    last_change: Moment,
    /// Something has changed since the pieces last rested.
    is_astir: bool,
    /// As [`Self::is_astir`], for [`Fact::Settled`], which waits longer while a piece is in hand.
    is_unsettled: bool,
    /// What was shown when the pieces last rested.
    at_rest: Board,
    lifted: Vec<(Square, Option<Piece>)>,
    /// Something has been placed since the last piece was lifted.
    is_hand_explained: bool,
    lever_waits: bool,
    /// Until when a snapshot is awaited, because something was lost; and whether the clock was
    /// pressed since.
    doubt: Option<Moment>,
    is_pressed_in_doubt: bool,
    departed: Option<Board>,
    gesture: Option<Gesture>,
}

impl Reconstructor {
    /// Waits for a board to show the start position, in either orientation.
    pub fn new(patience: Patience) -> Self {
        Self {
            patience,
            orientation: None,
            sensors: Readings::default(),
            is_assumed: false,
            tracker: Tracker::new(Board::empty()),
            path: None,
            told: Vec::new(),
            announced: Vec::new(),
            disturbed: Bitboard::EMPTY,
            last_change: Moment::START,
            is_astir: false,
            is_unsettled: false,
            at_rest: Board::empty(),
            lifted: Vec::new(),
            is_hand_explained: true,
            lever_waits: false,
            doubt: None,
            is_pressed_in_doubt: false,
            departed: None,
            gesture: None,
        }
    }

    /// How the board lies is known beforehand; only a start position the other way round says
    /// otherwise.
    #[must_use]
    pub fn with_orientation(mut self, orientation: Orientation) -> Self {
        self.orientation = Some(orientation);
        self
    }

    /// Begins at a position that stands on the board, as after an interruption.
    #[must_use]
    pub fn from_position(mut self, position: Chess, now: Moment) -> Self {
        let path = Path::begin(position, now);
        self.tracker = Tracker::new(path.tip().board().clone());
        self.sensors = Readings::of(path.tip().board());
        self.is_assumed = true;
        self.at_rest = path.tip().board().clone();
        self.path = Some(path);
        self
    }

    /// What the board shows, as far as it is known.
    pub const fn shown(&self) -> &Board {
        self.tracker.shown()
    }

    /// How the board lies, once it is known.
    pub const fn orientation(&self) -> Option<Orientation> {
        self.orientation
    }

    /// Who is to move, as far as the board has shown.
    pub fn turn(&self) -> Option<Color> {
        self.path.as_ref().map(|path| path.tip().turn())
    }

    /// The last known position as a FEN.
    pub fn fen(&self) -> Option<String> {
        self.path.as_ref().map(Path::fen)
    }

    /// Every move so far, told or not; the last one may still be replaced.
    pub fn moves(&self) -> Vec<PlayedMove> {
        let Some(path) = &self.path else {
            return Vec::new();
        };
        (0..path.plies())
            .filter_map(|index| played_move(path, index))
            .collect()
    }

    /// Whether the board shows something else than a known position.
    pub fn is_unexplained(&self) -> bool {
        self.path
            .as_ref()
            .is_none_or(|path| path.tip().board() != self.shown())
    }

    /// When to wake it with [`Observation::Time`].
    pub fn deadline(&self) -> Option<Moment> {
        if self.doubt.is_some() {
            return self.doubt;
        }
        let quiet = self
            .is_astir
            .then(|| self.last_change + self.patience.quiet);
        let patient = (self.is_unsettled || (self.is_unexplained() && self.departed.is_none()))
            .then(|| self.last_change + self.patience.mismatch);
        quiet.or(patient)
    }

    /// Takes one observation. Moments must not go backwards.
    pub fn handle(&mut self, now: Moment, observation: Observation) -> Vec<Event> {
        let mut events = Vec::new();
        self.pass_time(now, &mut events);
        match observation {
            Observation::Square(square, reading) => {
                let square = self.orientation.unwrap_or_default().square(square);
                if self.change(square, reading, now, &mut events) {
                    self.follow(now, &mut events);
                }
            }
            Observation::Snapshot(readings) => {
                self.snapshot(&readings, now, &mut events);
                self.end_doubt(now, &mut events);
            }
            Observation::Lost => self.doubt = Some(now + DOUBT_MAX),
            Observation::Lever => self.lever(now, &mut events),
            Observation::Announced(announced) => {
                if self.announced.len() == ANNOUNCED_MAX {
                    self.announced.remove(0);
                }
                self.announced.push(announced);
                if !self.is_astir && self.doubt.is_none() {
                    self.rest(now, false, &mut events);
                }
            }
            Observation::Time => {}
        }
        events
    }

    /// What was lost is known again, or will never be.
    fn end_doubt(&mut self, now: Moment, events: &mut Vec<Event>) {
        self.doubt = None;
        // Where the next move has begun since, it will tell what was pressed for.
        if std::mem::take(&mut self.is_pressed_in_doubt) && !self.is_unexplained() {
            self.lever(now, events);
        }
    }

    fn pass_time(&mut self, now: Moment, events: &mut Vec<Event>) {
        match self.doubt {
            Some(until) if now < until => return,
            Some(_) => self.end_doubt(now, events),
            None => {}
        }
        if self.is_astir && now >= self.last_change + self.patience.quiet {
            self.rest(now, false, events);
        }
        if now < self.last_change + self.patience.mismatch {
            return;
        }
        self.settle(events);
        if self.is_unexplained()
            && self.path.is_some()
            && self.departed.as_ref() != Some(self.shown())
        {
            self.departed = Some(self.shown().clone());
            events.push(Event::Departs(self.describe()));
        }
    }

    /// A sensor has changed. Says whether it really did.
    fn change(
        &mut self,
        square: Square,
        reading: Reading,
        now: Moment,
        events: &mut Vec<Event>,
    ) -> bool {
        let before = self.sensors.at(square);
        if before == reading {
            return false;
        }
        self.sensors.set(square, reading);
        self.disturbed.add(square);
        let stood = self.shown().piece_at(square);
        let turn = self.turn().unwrap_or(Color::White);
        self.tracker.changed(square, reading, turn);
        if before.is_occupied() {
            self.lifted.push((square, stood));
            self.is_hand_explained = false;
            let piece = stood;
            events.push(Event::Fact(Fact::Lifted { square, piece }));
        }
        if reading.is_occupied() {
            self.is_hand_explained = true;
            let piece = self.shown().piece_at(square);
            events.push(Event::Fact(Fact::Placed { square, piece }));
        }
        self.last_change = now;
        self.is_astir = true;
        self.is_unsettled = true;
        true
    }

    /// Looks at a board that may be in the middle of a move; tells nothing about moves.
    fn follow(&mut self, now: Moment, events: &mut Vec<Event>) {
        let Some(path) = &mut self.path else { return };
        let plies = path.plies();
        if !path.follow(self.tracker.shown(), now) {
            if self.is_new_game() {
                self.begin_again(now, events);
            }
            return;
        }
        if path.plies() > plies && self.lever_waits {
            // The last change of the move arrived after the lever's.
            path.seal();
            self.rest(now, true, events);
        }
    }

    fn snapshot(&mut self, readings: &Readings, now: Moment, events: &mut Vec<Event>) {
        let found = Orientation::found_at_start(readings);
        if found.is_some() && (self.orientation.is_none() || found != self.orientation) {
            let cannot_tell = readings.fit(&Board::new()) && readings.rotated().fit(&Board::new());
            if !cannot_tell || self.orientation.is_none() {
                self.begin(
                    found.unwrap_or_default(),
                    readings,
                    Chess::default(),
                    now,
                    events,
                );
                return;
            }
        }
        let orientation = self.find_orientation(readings);
        let readings = orientation.readings(readings);
        if self.path.is_none() {
            self.begin_anywhere(&readings, now, events);
            return;
        }
        if std::mem::take(&mut self.is_assumed) && readings.fit(self.shown()) {
            // It stands there as was said, seen with what this board can tell: nobody has
            // handled anything.
            self.sensors = readings;
            return;
        }
        let changed: Vec<_> = readings
            .iter()
            .filter(|&(square, reading)| self.sensors.at(square) != reading)
            .collect();
        // Departures first, so that a board without identities knows what may have arrived.
        let (left, arrived): (Vec<_>, Vec<_>) = changed
            .into_iter()
            .partition(|(_, reading)| !reading.is_occupied());
        let mut is_changed = false;
        for (square, reading) in left.into_iter().chain(arrived) {
            is_changed |= self.change(square, reading, now, events);
        }
        if is_changed {
            self.follow(now, events);
        }
    }

    /// How the board lies. Where a position is known that should stand on it, the board lies so
    /// that fewer squares are wrong.
    fn find_orientation(&mut self, readings: &Readings) -> Orientation {
        let Some(path) = &self.path else {
            return self.orientation.unwrap_or_default();
        };
        let wrong = |orientation: &Orientation| {
            let seen = orientation.readings(readings);
            let fits = |(square, reading): &(Square, Reading)| {
                reading.fits(path.tip().board().piece_at(*square))
            };
            seen.iter().filter(|seen| !fits(seen)).count()
        };
        let both = [Orientation::Normal, Orientation::Rotated];
        let likely = both.into_iter().min_by_key(wrong).unwrap_or_default();
        *self.orientation.get_or_insert(likely)
    }

    fn begin_anywhere(&mut self, readings: &Readings, now: Moment, events: &mut Vec<Event>) {
        self.sensors = *readings;
        let mut placement = Board::empty();
        for (square, reading) in readings.iter() {
            if let Some(piece) = reading.piece() {
                placement.set_piece_at(square, piece);
            }
        }
        self.tracker = Tracker::new(placement.clone());
        self.at_rest = placement.clone();
        let Some(path) = Path::begin_anywhere(&placement, now) else {
            return;
        };
        self.path = Some(path);
        events.push(Event::Began {
            orientation: *self.orientation.get_or_insert_default(),
            placement,
        });
    }

    fn begin(
        &mut self,
        orientation: Orientation,
        readings: &Readings,
        position: Chess,
        now: Moment,
        events: &mut Vec<Event>,
    ) {
        let patience = self.patience;
        let sensors = orientation.readings(readings);
        *self = Self::new(patience)
            .with_orientation(orientation)
            .from_position(position, now);
        self.sensors = sensors;
        self.is_assumed = false;
        self.last_change = now;
        let placement = self.shown().clone();
        events.push(Event::Began {
            orientation,
            placement: placement.clone(),
        });
        events.push(Event::Fact(Fact::Settled(placement)));
    }

    /// The start position stands there, or stands there again, and not because a move or two were
    /// taken back.
    fn is_new_game(&self) -> bool {
        let start = Board::new();
        let may_be_new = self.path.as_ref().is_none_or(|path| {
            path.plies() > TAKEN_BACK_TO_START_MAX || *path.first().board() != start
        });
        may_be_new && (self.sensors.fit(&start) || self.sensors.rotated().fit(&start))
    }

    fn begin_again(&mut self, now: Moment, events: &mut Vec<Event>) {
        let before = self.orientation.unwrap_or_default();
        let readings = before.readings(&self.sensors);
        let orientation = if self.sensors.fit(&Board::new()) {
            before
        } else {
            before.other()
        };
        self.begin(orientation, &readings, Chess::default(), now, events);
    }

    fn lever(&mut self, now: Moment, events: &mut Vec<Event>) {
        if self.doubt.is_some() {
            // What is shown may be the middle of a move.
            self.is_pressed_in_doubt = true;
            return;
        }
        let (plies, was_sealed) = self
            .path
            .as_ref()
            .map_or((0, false), |path| (path.plies(), path.tip().sealed));
        self.rest(now, true, events);
        let Some(path) = &mut self.path else { return };
        if path.tip().board() != self.tracker.shown() {
            self.lever_waits = true;
        } else if path.plies() == plies && was_sealed {
            events.push(Event::PressedWithoutMove);
        }
    }

    /// The pieces rest, or the lever says that they do.
    fn rest(&mut self, now: Moment, is_pressed: bool, events: &mut Vec<Event>) {
        self.is_astir = false;
        self.resolve_unidentified(is_pressed, events);
        self.tell_touches(events);
        if is_pressed || self.is_hand_explained {
            self.settle(events);
        }
        let shown = self.tracker.shown().clone();
        if let Some(path) = &mut self.path {
            let gesture = path.shows_result(&shown);
            if let Some(gesture) = gesture {
                path.drop_king_to_centre();
                if self.gesture != Some(gesture) {
                    self.gesture = Some(gesture);
                    events.push(Event::Gesture(gesture));
                }
            } else if path.follow_at_rest(&shown, now) {
                if is_pressed && path.plies() > 0 {
                    path.seal();
                }
                self.lever_waits = false;
                self.tracker.know(&shown);
                self.disturbed = Bitboard::EMPTY;
                if let Some(told) = played_move(path, path.plies().wrapping_sub(1)) {
                    self.announced
                        .retain(|&announced| !has_same_squares(announced, told.played));
                }
                self.agree(events);
            }
        } else if self.is_new_game() {
            self.begin_again(now, events);
            return;
        }
        self.tell_moves(events);
        self.at_rest = self.tracker.shown().clone();
    }

    /// A board without identities gets them from the announcement, or else from the only legal
    /// move that fits. A capture that looks like another one fits only if its square was emptied,
    /// or at the lever if no other was.
    fn resolve_unidentified(&mut self, is_pressed: bool, events: &mut Vec<Event>) {
        let knows_all = |reading| matches!(reading, Reading::Piece(_) | Reading::Empty);
        let Some(path) = &self.path else { return };
        if self.sensors.iter().all(|(_, reading)| knows_all(reading)) {
            return;
        }
        let tip = path.tip();
        let nodes = [Some(tip), path.before_tip()];
        let witnessed = self.announced.iter().rev().find_map(|&announced| {
            let mut after = nodes
                .into_iter()
                .flatten()
                .filter_map(|node| placement_after(node.board(), announced));
            after.find(|after| self.sensors.fit(after))
        });
        if let Some(witnessed) = witnessed {
            self.tracker.know(&witnessed);
            return;
        }
        let shown = self.tracker.shown();
        let is_child = tip.children().any(|(_, board)| board == *shown);
        if self.sensors.fit(shown) && (is_child || shown == tip.board()) {
            return;
        }
        if self.sensors.fit(tip.board()) {
            let board = tip.board().clone();
            self.tracker.know(&board);
            return;
        }
        let fitting: Vec<(UciMove, Board)> = tip
            .children()
            .filter(|(_, board)| self.sensors.fit(board))
            .collect();
        let is_emptied = |(played, _): &&(UciMove, Board)| {
            let UciMove::Normal { to, .. } = played else {
                return false;
            };
            tip.board().piece_at(*to).is_none() || self.disturbed.contains(*to)
        };
        let sure: Vec<&(UciMove, Board)> = fitting.iter().filter(is_emptied).collect();
        match (&sure[..], &fitting[..]) {
            ([(_, board)], _) => self.tracker.know(board),
            ([], [(_, board)]) if is_pressed => self.tracker.know(board),
            ([], []) => {}
            (several, _) if is_pressed => {
                let moves = if several.is_empty() {
                    fitting.iter().map(|(played, _)| *played).collect()
                } else {
                    several.iter().map(|(played, _)| *played).collect()
                };
                events.push(Event::Ambiguous(moves));
            }
            _ => {}
        }
    }

    fn tell_touches(&mut self, events: &mut Vec<Event>) {
        let mut told: Vec<Square> = Vec::new();
        for (square, piece) in std::mem::take(&mut self.lifted) {
            let stands = self.tracker.shown().piece_at(square);
            let is_back = stands.is_some() && stands == self.at_rest.piece_at(square);
            if is_back && !told.contains(&square) {
                told.push(square);
                events.push(Event::Touched(square, piece));
            } else if stands.is_none() && self.tracker.held_from(square).is_some() {
                // Still in the hand: judged when it lands.
                self.lifted.push((square, piece));
            }
        }
    }

    fn settle(&mut self, events: &mut Vec<Event>) {
        if std::mem::take(&mut self.is_unsettled) {
            events.push(Event::Fact(Fact::Settled(self.shown().clone())));
        }
    }

    fn agree(&mut self, events: &mut Vec<Event>) {
        self.gesture = None;
        if self.departed.take().is_some() {
            events.push(Event::Agrees);
        }
    }

    fn tell_moves(&mut self, events: &mut Vec<Event>) {
        let Some(path) = &self.path else { return };
        let nodes = path.played();
        let same = nodes
            .iter()
            .zip(&self.told)
            .take_while(|(node, told)| node.played == Some(told.0))
            .count();
        let were_made = self.told[same..].iter().any(|(_, made)| *made);
        self.told.truncate(same);
        if were_made {
            events.push(Event::TakenBack { plies: same });
        }
        let is_at_tip = path.tip().board() == self.tracker.shown();
        for (index, node) in nodes.iter().enumerate() {
            let is_last = index + 1 == nodes.len();
            if is_last && !node.sealed && !is_at_tip {
                // The piece is in the air again.
                break;
            }
            let (Some(played), Some(told)) = (node.played, played_move(path, index)) else {
                continue;
            };
            let is_made = node.sealed || !is_last;
            match self.told.get_mut(index) {
                Some((_, was_made)) if is_made && !*was_made => {
                    *was_made = true;
                    events.push(Event::Moved(told));
                }
                Some(_) => {}
                None => {
                    self.told.push((played, is_made));
                    events.push(if is_made {
                        Event::Moved(told)
                    } else {
                        Event::Seen(told)
                    });
                }
            }
        }
    }

    /// The shortest description of what is wrong on the board.
    fn describe(&self) -> Vec<SquareDifference> {
        let Some(path) = &self.path else {
            return Vec::new();
        };
        let children: Vec<Board> = path.tip().children().map(|(_, board)| board).collect();
        let candidates = [path.tip().board()].into_iter().chain(&children);
        fewest_differences(candidates, self.shown())
    }
}

fn played_move(path: &Path, index: usize) -> Option<PlayedMove> {
    let node = path.played().get(index)?;
    Some(PlayedMove {
        ply: index + 1,
        side: node.turn().other(),
        played: node.played?.to_uci(shakmaty::CastlingMode::Standard),
        since: node.since,
    })
}

/// Whether two announcements name the same hand's way. A slip in the promotion piece goes with
/// the move that corrected it (D.2.8).
fn has_same_squares(one: UciMove, other: UciMove) -> bool {
    one.from() == other.from() && one.to() == other.to()
}
