//! Where a board begins to be followed, and which way round it lies.

use shakmaty::{Bitboard, Board, Chess, Square};

use super::Following;
use crate::board::path::Path;
use crate::board::tracker::Tracker;
use crate::board::{Event, Fact, Orientation, Reading, Readings};
use annexd_laws::moment::Moment;

/// With so many moves, the start position is a take-back; with more it is a new game.
const TAKEN_BACK_TO_START_MAX: usize = 2;

/// If so many squares are wrong, and none when the board is turned, it was turned.
const TURNED_MIN: usize = 6;

impl Following {
    /// The same board if it lies the other way.
    #[must_use]
    pub(in crate::board) fn turned(mut self) -> Self {
        self.orientation = Some(self.orientation.unwrap_or_default().other());
        self.sensors = self.sensors.rotated();
        self
    }

    /// Takes all that the sensors read at once.
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
            // It stands there as was said, seen with what this board can tell: nobody has
            // handled anything.
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

    /// In which orientation the start position begins a game: where none was followed yet, or
    /// where it stands there the other way round. A board that cannot tell pieces apart shows it
    /// either way.
    fn begins_in(&self, readings: &Readings) -> Option<Orientation> {
        let Some(known) = self.orientation else {
            return Orientation::found_at_start(readings);
        };
        if known.fits_start(readings) {
            return self.path.is_none().then_some(known);
        }
        Some(known.other()).filter(|other| other.fits_start(readings))
    }

    /// Somebody had a piece of the start position in his hand when the board was first looked at.
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
        // Nobody has seen who has touched them.
        self.lifted.clear();
        true
    }

    /// A position that nobody has said stands there. Where its pieces do not tell how the board
    /// lies, the next look may.
    fn begin_anywhere(&mut self, readings: &Readings, now: Moment, events: &mut Vec<Event>) {
        let orientation = self
            .orientation
            .unwrap_or_else(|| Orientation::likely(readings));
        self.sensors = orientation.readings(readings);
        let placement = self.sensors.board();
        self.tracker = Tracker::new(placement.clone());
        self.at_rest = placement.clone();
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

    /// The start position stands there.
    fn begin(
        &mut self,
        orientation: Orientation,
        readings: &Readings,
        now: Moment,
        events: &mut Vec<Event>,
    ) {
        let sensors = orientation.readings(readings);
        *self = Self::new(self.patience)
            .with_orientation(orientation)
            .one_of_two(self.is_one_of_two)
            .begun_at(Chess::default(), now);
        self.sensors = sensors;
        self.is_assumed = false;
        self.last_change = now;
        let placement = self.shown().clone();
        events.push(Event::Began {
            orientation: self.orientation,
            placement: placement.clone(),
        });
        events.push(Event::Fact(Fact::Settled(placement)));
    }

    /// Whether the last position stands there as the other side sees it.
    pub(super) fn is_turned(&self, readings: &Readings) -> bool {
        let Some(path) = &self.path else { return false };
        let tip = path.tip().board();
        !self.is_one_of_two && readings.misfits(tip) >= TURNED_MIN && readings.rotated().fit(tip)
    }

    /// The board lies the other way from now on, with the same position on it.
    pub(super) fn turn_round(&mut self, readings: &Readings, events: &mut Vec<Event>) {
        let Some(path) = &self.path else { return };
        let tip = path.tip().board().clone();
        let orientation = self.orientation.unwrap_or_default().other();
        self.orientation = Some(orientation);
        self.sensors = readings.rotated();
        self.tracker.know(&tip);
        self.at_rest = tip;
        self.disturbed = Bitboard::EMPTY;
        self.forgotten = None;
        self.lifted.clear();
        events.push(Event::Turned(orientation));
        self.agree(events);
    }

    /// The start position stands there, or stands there again, and not because a move or two were
    /// taken back.
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
