//! Where following a board begins, and the board's orientation.

use shakmaty::{Bitboard, Board, Chess, Square};

use super::Following;
use crate::board::path::Path;
use crate::board::tracker::Tracker;
use crate::board::{Event, Fact, Orientation, Reading, Readings};
use annexd_laws::moment::Moment;

/// With at most this many moves, the start position is a take-back; with more it is a new game.
const TAKEN_BACK_TO_START_MAX: usize = 2;

/// If this many squares are wrong, and none with the board turned, the board was turned.
const TURNED_MIN: usize = 6;

impl Following {
    /// The same board in the other orientation.
    #[must_use]
    pub(in crate::board) fn turned(mut self) -> Self {
        self.orientation = Some(self.orientation.unwrap_or_default().other());
        self.sensors = self.sensors.rotated();
        self
    }

    /// Takes a reading of all sensors at once.
    pub(super) fn snapshot(&mut self, readings: &Readings, now: Moment, events: &mut Vec<Event>) {
        if let Some(orientation) = self.begins_in(readings) {
            self.begin(orientation, readings, now, events);
            return;
        }
        if self.path.is_none() && !self.begin_with_pieces_in_hands(readings, now, events) {
            return self.begin_anywhere(readings, now, events);
        }
        let orientation = self.find_orientation(readings);
        let readings = orientation.readings(readings);
        if std::mem::take(&mut self.is_assumed) && readings.fit(self.shown()) {
            // The stated position stands there, as far as this board can tell. Nobody has handled
            // anything.
            self.sensors = readings;
            return;
        }
        if self.is_turned(&readings) {
            return self.turn_round(&readings, events);
        }
        let changed: Vec<_> = readings
            .iter()
            .filter(|&(square, reading)| self.sensors.at(square) != reading)
            .collect();
        // Departures come first, so that a board without piece recognition knows what may have
        // arrived.
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

    /// The orientation of the board. If the position that should stand on it is known, it is the
    /// one with fewer wrong squares.
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

    /// The orientation in which the start position begins a game: if no game was followed yet, or
    /// if it stands the other way round. A board that cannot tell pieces apart shows it in either.
    fn begins_in(&self, readings: &Readings) -> Option<Orientation> {
        let Some(known) = self.orientation else {
            return Orientation::found_at_start(readings);
        };
        if known.fits_start(readings) {
            return self.path.is_none().then_some(known);
        }
        Some(known.other()).filter(|other| other.fits_start(readings))
    }

    /// Begins at a start position of which somebody held a piece at the first look.
    fn begin_with_pieces_in_hands(
        &mut self,
        readings: &Readings,
        now: Moment,
        events: &mut Vec<Event>,
    ) -> bool {
        let found = match self.orientation {
            Some(known) => Some(known).filter(|known| known.nearly_fits_start(readings)),
            None => Orientation::nearly_at_start(readings),
        };
        let Some(orientation) = found else {
            return false;
        };
        let start = orientation.readings(&Readings::of(&Board::new()));
        self.begin(orientation, &start, now, events);
        for (square, reading) in orientation.readings(readings).iter() {
            self.change(square, reading, now, events);
        }
        // Nobody has seen who touched them.
        self.handled.forgive();
        true
    }

    /// Begins at a position that nobody has stated. If the pieces do not show the orientation, the
    /// next look may.
    fn begin_anywhere(&mut self, readings: &Readings, now: Moment, events: &mut Vec<Event>) {
        let orientation = self
            .orientation
            .unwrap_or_else(|| Orientation::likely(readings));
        self.sensors = orientation.readings(readings);
        let placement = self.sensors.board();
        self.tracker = Tracker::new(placement.clone());
        self.handled.rest(&placement);
        let Some(path) = Path::begin_anywhere(&placement, now) else {
            return;
        };
        self.path = Some(path);
        self.orientation = Some(orientation);
        events.push(Event::Began {
            orientation: self.orientation,
            placement,
        });
    }

    /// Begins a game at the start position.
    fn begin(
        &mut self,
        orientation: Orientation,
        readings: &Readings,
        now: Moment,
        events: &mut Vec<Event>,
    ) {
        let sensors = orientation.readings(readings);
        *self = Self::new(self.rest.patience())
            .with_orientation(orientation)
            .one_of_two(self.is_one_of_two)
            .begun_at(Chess::default(), now);
        self.sensors = sensors;
        self.is_assumed = false;
        self.rest.begin(now);
        let placement = self.shown().clone();
        events.push(Event::Began {
            orientation: self.orientation,
            placement: placement.clone(),
        });
        events.push(Event::Fact(Fact::Settled(placement)));
    }

    /// Whether the last position stands there as seen from the other side.
    pub(super) fn is_turned(&self, readings: &Readings) -> bool {
        let Some(path) = &self.path else { return false };
        let tip = path.tip().board();
        !self.is_one_of_two && readings.misfits(tip) >= TURNED_MIN && readings.rotated().fit(tip)
    }

    /// Turns the orientation, with the same position on the board.
    pub(super) fn turn_round(&mut self, readings: &Readings, events: &mut Vec<Event>) {
        let Some(path) = &self.path else { return };
        let tip = path.tip().board().clone();
        let orientation = self.orientation.unwrap_or_default().other();
        self.orientation = Some(orientation);
        self.sensors = readings.rotated();
        self.tracker.know(&tip);
        self.handled.rest(&tip);
        self.disturbed = Bitboard::EMPTY;
        self.forgotten = None;
        self.handled.forgive();
        events.push(Event::Turned(orientation));
        self.agree(events);
    }

    /// Whether the start position stands there, and not because one or two moves were taken back.
    pub(super) fn is_new_game(&self) -> bool {
        let start = Board::new();
        let may_be_new = self.path.as_ref().is_none_or(|path| {
            path.plies() > TAKEN_BACK_TO_START_MAX || *path.first().board() != start
        });
        may_be_new && (self.sensors.fit(&start) || self.sensors.rotated().fit(&start))
    }

    pub(super) fn begin_again(&mut self, now: Moment, events: &mut Vec<Event>) {
        let before = self.orientation.unwrap_or_default();
        let readings = before.readings(&self.sensors);
        let orientation = if self.sensors.fit(&Board::new()) {
            before
        } else {
            before.other()
        };
        self.begin(orientation, &readings, now, events);
    }
}
