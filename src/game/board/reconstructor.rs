//! Turns the readings of a board's sensors into moves, in either orientation.

use std::collections::VecDeque;

use shakmaty::{Board, Chess, Color, uci::UciMove};

use super::following::Following;
use super::{Event, Observation, Orientation, Patience, PlayedMove};
use annexd_laws::moment::Moment;

/// How much is kept of what a board has shown before its orientation was known.
const HELD_MAX: usize = 2_000;

/// Follows one board. It reports no move before the pieces rest or the lever moves. It corrects
/// nothing: what it does not understand it describes.
///
/// To a board that knows only occupancy, the start position looks the same from both sides. Until
/// the first move or its announcement shows the orientation, the board is followed in both, and
/// only what is true in both is reported.
#[derive(Clone, Debug)]
pub struct Reconstructor {
    /// The orientation, if somebody has stated it.
    said: Option<Orientation>,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Known(Box<Following>),
    Either(Box<Either>),
}

impl Reconstructor {
    /// Waits for a board to show the start position in either orientation.
    pub fn new(patience: Patience) -> Self {
        Self {
            said: None,
            way: Way::Known(Box::new(Following::new(patience))),
        }
    }

    /// Sets an orientation known beforehand. Only a start position the other way round overrides
    /// it.
    #[must_use]
    pub fn with_orientation(self, orientation: Orientation) -> Self {
        let way = self.nearest().clone().with_orientation(orientation);
        Self {
            said: Some(orientation),
            way: Way::Known(Box::new(way)),
        }
    }

    /// Begins at a position that stands on the board, as after an interruption.
    #[must_use]
    pub fn from_position(self, position: Chess, now: Moment) -> Self {
        let way = self.nearest().clone().begun_at(position, now);
        Self {
            way: Way::Known(Box::new(way)),
            ..self
        }
    }

    /// The followed board; of two orientations the first.
    fn nearest(&self) -> &Following {
        match &self.way {
            Way::Known(way) => way,
            Way::Either(either) => &either.ways[0],
        }
    }

    const fn known(&self) -> Option<&Following> {
        match &self.way {
            Way::Known(way) => Some(way),
            Way::Either(_) => None,
        }
    }

    /// The placement on the board, as far as known.
    pub fn shown(&self) -> &Board {
        self.nearest().shown()
    }

    /// The orientation of the board, once known.
    pub fn orientation(&self) -> Option<Orientation> {
        self.known()?.orientation()
    }

    /// The side to move, as far as the board has shown.
    pub fn turn(&self) -> Option<Color> {
        self.nearest().turn()
    }

    /// Whether the side to move is known. A position found standing on the board does not tell.
    pub fn knows_turn(&self) -> bool {
        self.nearest().knows_turn()
    }

    /// The side that has made a move on the board and not yet pressed the clock for it.
    pub fn awaits_press_of(&self) -> Option<Color> {
        self.known()?.awaits_press_of()
    }

    /// The last known position as a FEN.
    pub fn fen(&self) -> Option<String> {
        self.nearest().fen()
    }

    /// Every move so far, reported or not. The last one may still be replaced.
    pub fn moves(&self) -> Vec<PlayedMove> {
        self.known().map(Following::moves).unwrap_or_default()
    }

    /// Whether the board shows anything but a known position.
    pub fn is_unexplained(&self) -> bool {
        match &self.way {
            Way::Known(way) => way.is_unexplained(),
            Way::Either(either) => either.ways.iter().all(Following::is_unexplained),
        }
    }

    /// Notes that data may come on the line until then, so that what is seen may be old.
    pub fn line_is_busy(&mut self, until: Moment) {
        match &mut self.way {
            Way::Known(way) => way.line_is_busy(until),
            Way::Either(either) => {
                for way in &mut either.ways {
                    way.line_is_busy(until);
                }
            }
        }
    }

    /// When to call [`Self::handle`] with [`Observation::Time`].
    pub fn deadline(&self) -> Option<Moment> {
        match &self.way {
            Way::Known(way) => way.deadline(),
            Way::Either(either) => either.deadline(),
        }
    }

    /// Takes one observation. Moments must not go backwards.
    pub fn handle(&mut self, now: Moment, observation: Observation) -> Vec<Event> {
        self.look_either_way(&observation);
        let mut events = match &mut self.way {
            Way::Known(way) => way.handle(now, observation),
            Way::Either(either) => {
                let (mut events, found) = either.handle(now, observation);
                if let Some(found) = found {
                    events.extend(self.take(found));
                }
                events
            }
        };
        self.forget_how_it_lay(&mut events);
        events
    }

    /// Follows the board in both orientations if the first pieces seen do not show which is right.
    fn look_either_way(&mut self, observation: &Observation) {
        if let Way::Known(way) = &self.way
            && let Observation::Snapshot(readings) = observation
            && way.orientation().is_none()
            && readings.are_nameless()
        {
            let ways = Orientation::BOTH.map(|it| (**way).clone().with_orientation(it));
            self.way = Way::Either(Box::new(Either::of(ways)));
        }
    }

    /// Forgets the orientation when another game begins, because the players may have changed
    /// sides.
    fn forget_how_it_lay(&mut self, events: &mut [Event]) {
        let began = events.iter_mut().find_map(|event| match event {
            Event::Began { orientation, .. } => Some(orientation),
            _ => None,
        });
        if self.said.is_none()
            && let Some(orientation) = began
            && let Way::Known(way) = &self.way
            && way.are_pieces_nameless()
        {
            *orientation = None;
            let ways = [(**way).clone(), (**way).clone().turned()];
            self.way = Way::Either(Box::new(Either::of(ways)));
        }
    }

    /// The orientation is known: reports all that the board has shown in it.
    fn take(&mut self, found: usize) -> Vec<Event> {
        let Way::Either(either) = &mut self.way else {
            return Vec::new();
        };
        let (Some(way), Some(held)) = (either.ways.get(found), either.held.get_mut(found)) else {
            return Vec::new();
        };
        let lies = way.orientation().map(Event::OrientationShown);
        let events = lies.into_iter().chain(held.drain(..)).collect();
        self.way = Way::Known(Box::new(way.clone().one_of_two(false)));
        events
    }
}

/// A board of unknown orientation.
#[derive(Clone, Debug)]
struct Either {
    ways: [Following; 2],
    /// What each orientation would report, where they differ.
    held: [VecDeque<Event>; 2],
    announced: Vec<UciMove>,
}

impl Either {
    fn of(ways: [Following; 2]) -> Self {
        Self {
            ways: ways.map(|way| way.one_of_two(true)),
            held: Default::default(),
            announced: Vec::new(),
        }
    }

    fn deadline(&self) -> Option<Moment> {
        self.ways.iter().filter_map(Following::deadline).min()
    }

    /// Returns what is true in both orientations, and which one is right once that is known.
    fn handle(&mut self, now: Moment, observation: Observation) -> (Vec<Event>, Option<usize>) {
        if let Observation::Announced(announced) = &observation {
            self.announced.push(*announced);
        }
        let [one, other] = &mut self.ways;
        let [one, other] = [
            one.handle(now, observation.clone()),
            other.handle(now, observation),
        ];
        let has_held = self.held.iter().any(|held| !held.is_empty());
        let same = |(one, other): (&Event, &Event)| either_way(one, other);
        let told: Option<Vec<Event>> = (!has_held && one.len() == other.len())
            .then(|| one.iter().zip(&other).map(same).collect())
            .flatten();
        if let Some(told) = told {
            return (told, self.found());
        }
        for (held, events) in self.held.iter_mut().zip([one, other]) {
            held.extend(events);
            let excess = held.len().saturating_sub(HELD_MAX);
            held.drain(..excess);
        }
        (Vec::new(), self.found())
    }

    /// The orientation that makes sense of what was seen, if the other does not. Either an
    /// announced move stands there, legal or not, or the pieces rest after a legal move of the side
    /// to move. If an announcement contradicts that, a second move is needed. In the end the side
    /// that moved first was to move.
    fn found(&self) -> Option<usize> {
        let only = |of: [bool; 2]| match of {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        };
        let ways = self.ways.each_ref();
        let is_announced = |way: &Following| {
            let mut announced = self.announced.iter();
            announced.any(|it| way.shows_announced(*it))
        };
        let announced = only(ways.map(is_announced));
        let plies_min = if self.announced.is_empty() { 0 } else { 2 };
        let makes_sense = |way: &Following| {
            way.is_at_rest() && !way.is_unexplained() && way.moves().len() >= plies_min
        };
        let is_wrong = |way: &Following| way.is_unexplained();
        let understood = only(ways.map(makes_sense)).filter(|_| ways.map(is_wrong).contains(&true));
        let first_moved = || {
            let is_lost =
                self.announced.is_empty() && self.ways.iter().all(Following::has_departed);
            let away = ways.map(|way| way.movers_away().unwrap_or(0));
            only(away.map(|away| away > 0)).filter(|_| is_lost)
        };
        announced.or(understood).or_else(first_moved)
    }
}

/// The event that both report, if it is the same.
fn either_way(one: &Event, other: &Event) -> Option<Event> {
    if let (
        Event::Began { placement, .. },
        Event::Began {
            placement: other, ..
        },
    ) = (one, other)
        && placement == other
    {
        return Some(Event::Began {
            orientation: None,
            placement: placement.clone(),
        });
    }
    (one == other).then(|| one.clone())
}

#[cfg(test)]
mod tests;
