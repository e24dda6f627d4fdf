//! Follows a board of one orientation.

mod beginning;
mod doubt;
mod handled;
mod reported;
mod rest;

use shakmaty::{Bitboard, Board, Chess, Color, Square, uci::UciMove};

use self::doubt::Doubt;
use self::handled::Handled;
use self::reported::Reported;
use self::rest::Rest;
use super::identify::{Identified, Sight};
use super::path::Path;
use super::tracker::Tracker;
use super::{
    Event, Fact, Observation, Orientation, Patience, PlayedMove, Reading, Readings,
    SquareDifference, fewest_differences, placement_after,
};
use annexd_laws::moment::Moment;

/// How many announcements may be ahead of the boards: both players may announce first.
const ANNOUNCED_MAX: usize = 4;

/// A press of the clock, and by which side if known.
#[derive(Clone, Copy, Debug)]
struct Press {
    by: Option<Color>,
}

/// Follows one board of one orientation. It reports no move before the pieces rest or the lever
/// moves. It corrects nothing: what it does not understand it describes.
#[derive(Clone, Debug)]
pub(super) struct Following {
    orientation: Option<Orientation>,
    /// Whether the board is also followed in the other orientation, so that this one is not given
    /// up.
    is_one_of_two: bool,
    sensors: Readings,
    /// Whether the position was only stated, and the sensors have not reported yet.
    is_assumed: bool,
    tracker: Tracker,
    path: Option<Path>,
    reported: Reported,
    /// The last few announcements that the board has not shown yet, newest last.
    announced: Vec<UciMove>,
    /// Squares that have changed since the board last showed a known position.
    disturbed: Bitboard,
    rest: Rest,
    handled: Handled,
    /// A press that came before its move could be seen.
    early_press: Option<Press>,
    /// The wait for a snapshot, if something was lost.
    doubt: Option<Doubt>,
    /// The square of a pawn that was captured en passant and still stands there.
    forgotten: Option<Square>,
}

impl Following {
    /// Waits for a board to show the start position in either orientation.
    pub(super) fn new(patience: Patience) -> Self {
        Self {
            orientation: None,
            is_one_of_two: false,
            sensors: Readings::default(),
            is_assumed: false,
            tracker: Tracker::new(Board::empty()),
            path: None,
            reported: Reported::default(),
            announced: Vec::new(),
            disturbed: Bitboard::EMPTY,
            rest: Rest::new(patience),
            handled: Handled::new(Board::empty()),
            early_press: None,
            doubt: None,
            forgotten: None,
        }
    }

    /// Sets an orientation known beforehand. Only a start position the other way round overrides
    /// it.
    #[must_use]
    pub(super) fn with_orientation(mut self, orientation: Orientation) -> Self {
        self.orientation = Some(orientation);
        self
    }

    /// Sets whether the board is also followed in the other orientation.
    #[must_use]
    pub(super) const fn one_of_two(mut self, is_one_of_two: bool) -> Self {
        self.is_one_of_two = is_one_of_two;
        self
    }

    /// Begins at a position that stands on the board, as after an interruption.
    #[must_use]
    pub(super) fn begun_at(mut self, position: Chess, now: Moment) -> Self {
        let path = Path::begin(position, now);
        self.tracker = Tracker::new(path.tip().board().clone());
        self.sensors = Readings::of(path.tip().board());
        self.is_assumed = true;
        self.handled.rest(path.tip().board());
        self.path = Some(path);
        self
    }

    /// The placement on the board, as far as known.
    pub(super) const fn shown(&self) -> &Board {
        self.tracker.shown()
    }

    /// The orientation of the board, once known.
    pub(super) const fn orientation(&self) -> Option<Orientation> {
        self.orientation
    }

    /// The side to move, as far as the board has shown.
    pub(super) fn turn(&self) -> Option<Color> {
        self.path.as_ref().map(|path| path.tip().turn())
    }

    /// Whether the side to move is known. A position found standing on the board does not tell.
    pub(super) fn knows_turn(&self) -> bool {
        self.path.as_ref().is_some_and(Path::knows_turn)
    }

    /// The side that has made a move on the board and not yet pressed the clock for it.
    pub(super) fn awaits_press_of(&self) -> Option<Color> {
        let path = self.path.as_ref().filter(|_| !self.is_unexplained())?;
        (path.plies() > 0 && !path.tip().sealed).then(|| path.tip().turn().other())
    }

    /// The last known position as a FEN.
    pub(super) fn fen(&self) -> Option<String> {
        self.path.as_ref().map(Path::fen)
    }

    /// Every move so far, reported or not. The last one may still be replaced.
    pub(super) fn moves(&self) -> Vec<PlayedMove> {
        let Some(path) = &self.path else {
            return Vec::new();
        };
        (0..path.plies())
            .filter_map(|index| played_move(path, index))
            .collect()
    }

    /// Whether the board shows anything but a known position.
    pub(super) fn is_unexplained(&self) -> bool {
        let path = self.path.as_ref();
        path.is_none_or(|path| *path.tip().board() != self.counted())
    }

    /// Whether it was reported that the board shows no known position.
    pub(super) const fn has_departed(&self) -> bool {
        self.reported.has_departed()
    }

    /// Whether the pieces are at rest.
    pub(super) const fn is_at_rest(&self) -> bool {
        self.rest.is_at_rest()
    }

    /// Whether the board reports occupied squares but no pieces.
    pub(super) fn are_pieces_nameless(&self) -> bool {
        self.sensors.are_nameless()
    }

    /// The placement shown, without a pawn that should have been taken off.
    fn counted(&self) -> Board {
        let mut counted = self.shown().clone();
        if let Some(square) = self.forgotten {
            counted.discard_piece_at(square);
        }
        counted
    }

    /// Whether an announced move was made or stands on the board, legal or not.
    pub(super) fn shows_announced(&self, announced: UciMove) -> bool {
        let Some(path) = &self.path else { return false };
        let after = placement_after(path.tip().board(), announced);
        let is_seen = |made: PlayedMove| has_same_squares(made.played, announced);
        after.is_some_and(|after| self.sensors.fit(&after)) || self.moves().into_iter().any(is_seen)
    }

    /// How many more pieces of the side to move than of the other have left their squares, if a
    /// piece has arrived elsewhere.
    pub(super) fn movers_away(&self) -> Option<i32> {
        let tip = self.path.as_ref()?.tip();
        let (mut away, mut has_arrived) = (0, false);
        for (square, reading) in self.sensors.iter() {
            match tip.board().piece_at(square) {
                Some(piece) if !reading.is_occupied() => {
                    away += if piece.color == tip.turn() { 1 } else { -1 };
                }
                None if reading.is_occupied() => has_arrived = true,
                _ => {}
            }
        }
        has_arrived.then_some(away)
    }

    /// Notes that data may come on the line until then, so that what is seen may be old.
    pub(super) const fn line_is_busy(&mut self, until: Moment) {
        self.rest.line_is_busy(until);
    }

    /// Whether there is anything for people to put right.
    fn is_wrong(&self) -> bool {
        self.forgotten.is_some() || self.is_unexplained()
    }

    /// When to call [`Self::handle`] with [`Observation::Time`].
    pub(super) fn deadline(&self) -> Option<Moment> {
        if let Some(doubt) = &self.doubt {
            return Some(doubt.until());
        }
        let is_to_tell = !self.reported.has_departed() && self.is_wrong();
        self.rest.deadline(is_to_tell)
    }

    /// Takes one observation. Moments must not go backwards.
    pub(super) fn handle(&mut self, now: Moment, observation: Observation) -> Vec<Event> {
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
                let heard = self.sensors;
                self.snapshot(&readings, now, &mut events);
                self.forget_what_seemed_so(self.sensors == heard, now);
                self.end_doubt(now, &mut events);
            }
            Observation::Lost => match &mut self.doubt {
                Some(doubt) => doubt.go_on(now),
                None => self.doubt = Some(Doubt::new(self.path.as_ref(), now)),
            },
            Observation::Lever(by) => self.lever(Press { by }, now, &mut events),
            Observation::Announced(announced) => {
                if self.announced.len() == ANNOUNCED_MAX {
                    self.announced.remove(0);
                }
                self.announced.push(announced);
                if self.is_at_rest() && self.doubt.is_none() {
                    self.rest(now, None, &mut events);
                }
            }
            Observation::Time => {}
        }
        events
    }

    /// Goes back to the position before data was lost, if it explains what is shown better.
    /// Following may have begun in the middle of a move then. If the board says nothing new,
    /// nothing was missing, and the moves were seen as they were made.
    fn forget_what_seemed_so(&mut self, says_nothing_new: bool, now: Moment) {
        let was_seen = says_nothing_new && !self.is_unexplained();
        if let Some(mut before) = self.doubt.as_mut().and_then(Doubt::take_before)
            && !was_seen
            && before.follow_one_or_two(&self.counted(), now)
        {
            self.path = Some(before);
        }
    }

    /// Ends the wait for lost data: it is known again, or will never be.
    fn end_doubt(&mut self, now: Moment, events: &mut Vec<Event>) {
        let press = self.doubt.take().and_then(Doubt::end);
        // If the next move has begun since, it will show which move was pressed for.
        if let Some(press) = press
            && !self.is_unexplained()
        {
            self.lever(press, now, events);
        }
    }

    fn pass_time(&mut self, now: Moment, events: &mut Vec<Event>) {
        match &self.doubt {
            Some(doubt) if now < doubt.until() => return,
            Some(_) => self.end_doubt(now, events),
            None => {}
        }
        if self.rest.is_due(now) {
            self.rest(now, None, events);
        }
        if !self.rest.is_patience_over(now) {
            return;
        }
        self.settle(events);
        if self.is_wrong()
            && let Some(path) = &self.path
            && self.reported.depart(self.tracker.shown())
        {
            let is_result = path.shows_result(self.shown()).is_some();
            events.extend((!is_result).then(|| Event::Departs(self.describe())));
        }
    }

    /// Takes a sensor's reading. Returns whether it really changed.
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
        let stood = self.shown().piece_at(square);
        if before.is_occupied() && stood.is_some() && reading.fits(stood) {
            // The same as before, only more or less exact.
            return false;
        }
        if self.forgotten == Some(square) {
            self.forgotten = None;
        }
        self.disturbed.add(square);
        let turn = self.turn().unwrap_or(Color::White);
        self.tracker.changed(square, reading, turn);
        if before.is_occupied() {
            self.handled.lift((square, stood));
            let piece = stood;
            events.push(Event::Fact(Fact::Lifted { square, piece }));
        }
        if reading.is_occupied() {
            self.handled.place();
            let piece = self.shown().piece_at(square);
            events.push(Event::Fact(Fact::Placed { square, piece }));
        }
        self.rest.disturb(now);
        true
    }

    /// Looks at a board that may be in the middle of a move. It reports no moves.
    fn follow(&mut self, now: Moment, events: &mut Vec<Event>) {
        let counted = self.counted();
        let Some(path) = &mut self.path else { return };
        if path.follow(&counted, now) {
            self.tracker.put_away();
            return;
        }
        if self.is_new_game() {
            self.begin_again(now, events);
        } else if let Some(path) = &mut self.path {
            path.follow_lifted(&counted, now);
        }
    }

    fn lever(&mut self, press: Press, now: Moment, events: &mut Vec<Event>) {
        if let Some(doubt) = &mut self.doubt {
            // The board may be in the middle of a move.
            doubt.press(press);
            return;
        }
        let last_sealed = |path: &Option<Path>| path.as_ref().map(Path::last_sealed);
        let before = last_sealed(&self.path);
        if let Some(path) = &mut self.path
            && path.is_press_for_move_before(press.by)
        {
            // The press was heard late: the next player has begun, and may not have finished.
            path.seal_for(press.by);
            return self.tell_moves(events);
        }
        if self
            .path
            .as_ref()
            .is_some_and(|path| path.is_press_for_any(press.by))
        {
            self.early_press = Some(press);
            return;
        }
        self.rest(now, Some(press), events);
        let Some(path) = &self.path else { return };
        if last_sealed(&self.path) > before {
            return;
        }
        if *path.tip().board() != self.counted() {
            self.early_press = Some(press);
        } else if path.tip().sealed {
            events.push(Event::PressedWithoutMove);
        }
    }

    /// The pieces rest, or the lever says so.
    fn rest(&mut self, now: Moment, pressed: Option<Press>, events: &mut Vec<Event>) {
        let press = pressed.or(self.early_press);
        let is_pressed = pressed.is_some();
        self.rest.come_to_rest();
        self.identify(is_pressed, events);
        let touched = self.handled.take_touched(&self.tracker);
        events.extend(
            touched
                .into_iter()
                .map(|(square, piece)| Event::Touched(square, piece)),
        );
        if is_pressed || self.handled.is_placed() {
            self.settle(events);
        }
        if self.path.is_some() {
            self.follow_at_rest(now, press, is_pressed, events);
        } else if self.is_new_game() {
            self.begin_again(now, events);
            return;
        }
        self.tell_moves(events);
        if self.handled.is_judged() || !self.is_unexplained() {
            self.handled.rest(self.tracker.shown());
        }
    }

    fn follow_at_rest(
        &mut self,
        now: Moment,
        press: Option<Press>,
        is_pressed: bool,
        events: &mut Vec<Event>,
    ) {
        let shown = self.tracker.shown().clone();
        if self.is_turned(&self.sensors) {
            let sensors = self.sensors;
            self.turn_round(&sensors, events);
        }
        if self.is_unexplained()
            && let Some(path) = &self.path
            && let Some(pawn) = path.forgotten_pawn(&shown)
        {
            self.forgotten = Some(pawn);
        }
        let counted = self.counted();
        let Some(path) = &mut self.path else { return };
        if let Some(gesture) = path.shows_result(&shown) {
            path.drop_king_to_centre();
            if self.reported.show_result(gesture) {
                events.push(Event::Gesture(gesture));
            }
            return;
        }
        let first = (path.plies() == 0).then(|| path.first().board().clone());
        if path.follow_at_rest(&counted, now) {
            if let Some(press) = press {
                path.seal_for(press.by);
            }
            if first.is_some_and(|first| path.plies() == 0 && first != *path.first().board()) {
                events.push(Event::Began {
                    orientation: self.orientation,
                    placement: counted,
                });
            }
            self.known_at_rest(&shown, events);
        } else if is_pressed
            && let Some(press) = press
            && path.is_tip_but_for_lifted(&counted)
        {
            // The opponent lifted his piece before the player pressed.
            path.seal_for(press.by);
        }
    }

    /// The pieces rest in a known position.
    fn known_at_rest(&mut self, shown: &Board, events: &mut Vec<Event>) {
        self.early_press = None;
        self.tracker.know(shown);
        self.disturbed = Bitboard::EMPTY;
        let Some(path) = &mut self.path else { return };
        if let Some(told) = played_move(path, path.plies().wrapping_sub(1)) {
            if self.announced.contains(&told.played) {
                path.witness_tip();
            }
            self.announced
                .retain(|&announced| !has_same_squares(announced, told.played));
        }
        if self.forgotten.is_none() {
            self.agree(events);
        }
    }

    /// Finds out which pieces stand on a board that cannot tell them apart.
    fn identify(&mut self, is_pressed: bool, events: &mut Vec<Event>) {
        let Some(path) = &self.path else { return };
        let sensors = match self.forgotten {
            Some(square) => self.sensors.without(square),
            None => self.sensors,
        };
        let sight = Sight {
            path,
            sensors: &sensors,
            shown: &self.counted(),
            announced: &self.announced,
            disturbed: self.disturbed,
            is_pressed,
        };
        let mut known = match sight.identify() {
            Identified::AsShown => return,
            Identified::Ambiguous(moves) => return events.push(Event::Ambiguous(moves)),
            Identified::Known(board) => board,
            Identified::Otherwise(path, board) => {
                self.path = Some(*path);
                board
            }
        };
        if let Some((square, pawn)) = self
            .forgotten
            .and_then(|square| Some((square, self.shown().piece_at(square)?)))
        {
            known.set_piece_at(square, pawn);
        }
        self.tracker.know(&known);
    }

    fn settle(&mut self, events: &mut Vec<Event>) {
        if self.rest.settle() {
            events.push(Event::Fact(Fact::Settled(self.shown().clone())));
        }
    }

    fn agree(&mut self, events: &mut Vec<Event>) {
        if self.reported.agree() {
            events.push(Event::Agrees);
        }
    }

    fn tell_moves(&mut self, events: &mut Vec<Event>) {
        let Some(path) = &self.path else { return };
        let is_at_tip = *path.tip().board() == self.counted();
        events.extend(self.reported.report_moves(path, is_at_tip));
    }

    /// The shortest description of what is wrong on the board.
    fn describe(&self) -> Vec<SquareDifference> {
        let Some(path) = &self.path else {
            return Vec::new();
        };
        // A king that stands elsewhere was moved, so no other piece's move is meant.
        let is_king_right = |board: &Board| {
            let shown = self.shown();
            Color::ALL.into_iter().all(|color| {
                let kings = shown.by_piece(color.king());
                kings.is_empty() || board.king_of(color).is_some_and(|it| kings.contains(it))
            })
        };
        let children = path.tip().children().map(|(_, board)| board);
        let children: Vec<Board> = children.filter(is_king_right).collect();
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

/// Whether two announcements name the same squares. If they differ only in the promotion piece, the
/// later one corrects a slip (D.2.8).
fn has_same_squares(one: UciMove, other: UciMove) -> bool {
    one.from() == other.from() && one.to() == other.to()
}
