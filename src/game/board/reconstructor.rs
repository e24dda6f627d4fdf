//! From what the sensors of a board read to moves, whichever way the board lies.

use std::collections::VecDeque;

use shakmaty::{Board, Chess, Color, uci::UciMove};

use super::following::Following;
use super::{Event, Observation, Orientation, Patience, PlayedMove};
use annexd_laws::moment::Moment;

/// So much is kept of what a board has shown before it was known how it lies.
const HELD_MAX: usize = 2_000;

/// Follows one board. It never speaks of a move before the pieces rest or the lever moves, and it
/// corrects nothing: what it does not understand it describes.
///
/// The start position looks the same from both sides to a board that knows occupancy only. Until
/// the first move, or the announcement of it, tells how such a board lies, it is followed both
/// ways, and only what is true either way is told.
#[derive(Clone, Debug)]
pub struct Reconstructor {
    /// How it lies, where somebody has said so.
    said: Option<Orientation>,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Known(Box<Following>),
    Either(Box<Either>),
}

impl Reconstructor {
    /// Waits for a board to show the start position, in either orientation.
    pub fn new(patience: Patience) -> Self {
        Self {
            said: None,
            way: Way::Known(Box::new(Following::new(patience))),
        }
    }

    /// How the board lies is known beforehand; only a start position the other way round says
    /// otherwise.
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

    /// What is followed; of two ways the first.
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

    /// What the board shows, as far as it is known.
    pub fn shown(&self) -> &Board {
        self.nearest().shown()
    }

    /// How the board lies, once it is known.
    pub fn orientation(&self) -> Option<Orientation> {
        self.known()?.orientation()
    }

    /// Who is to move, as far as the board has shown.
    pub fn turn(&self) -> Option<Color> {
        self.nearest().turn()
    }

    /// Whether it is known who is to move: a position that was found standing on the board does
    /// not say.
    pub fn knows_turn(&self) -> bool {
        self.nearest().knows_turn()
    }

    /// Who has made a move that stands on the board, and has not yet pressed the clock for it.
    pub fn awaits_press_of(&self) -> Option<Color> {
        self.known()?.awaits_press_of()
    }

    /// The last known position as a FEN.
    pub fn fen(&self) -> Option<String> {
        self.nearest().fen()
    }

    /// Every move so far, told or not; the last one may still be replaced.
    pub fn moves(&self) -> Vec<PlayedMove> {
        self.known().map(Following::moves).unwrap_or_default()
    }

    /// Whether the board shows something else than a known position.
    pub fn is_unexplained(&self) -> bool {
        match &self.way {
            Way::Known(way) => way.is_unexplained(),
            Way::Either(either) => either.ways.iter().all(Following::is_unexplained),
        }
    }

    /// Bytes are coming on the line, and more may come until then: what is seen may be old.
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

    /// When to wake it with [`Observation::Time`].
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

    /// The pieces that are seen first do not tell how the board lies.
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

    /// Another game begins, and the players may have changed sides.
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

    /// It is known how the board lies: tells all that it has shown.
    fn take(&mut self, found: usize) -> Vec<Event> {
        let Way::Either(either) = &mut self.way else {
            return Vec::new();
        };
        let (Some(way), Some(held)) = (either.ways.get(found), either.held.get_mut(found)) else {
            return Vec::new();
        };
        let lies = way.orientation().map(Event::Lies);
        let events = lies.into_iter().chain(held.drain(..)).collect();
        self.way = Way::Known(Box::new(way.clone().one_of_two(false)));
        events
    }
}

/// A board of which it is not known how it lies.
#[derive(Clone, Debug)]
struct Either {
    ways: [Following; 2],
    /// What each way would tell, since they differ.
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

    /// What is true either way, and which way is the right one once that is known.
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

    /// The way that makes sense of what was seen, if the other does not: the one in which an
    /// announced move stands there, legal or not; or the one in which the pieces rest after a
    /// legal move of the side whose turn it is. Where an announcement contradicts that, it takes
    /// a second move to believe it. In the end whoever moved first was whose turn it was.
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

/// What both say, if they say the same.
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
