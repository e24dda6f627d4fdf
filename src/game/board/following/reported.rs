//! What was reported of a board.

use shakmaty::{Board, Move};

use super::played_move;
use crate::board::path::Path;
use crate::board::{Event, Gesture};

/// What was reported of a board, so that nothing is reported twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Reported {
    /// The moves, and whether as made.
    moves: Vec<(Move, bool)>,
    /// The placement that was no known position.
    departed: Option<Board>,
    /// The result that the kings showed.
    gesture: Option<Gesture>,
}

impl Reported {
    /// Whether it was reported that the board shows no known position.
    pub(super) const fn has_departed(&self) -> bool {
        self.departed.is_some()
    }

    /// The board shows this, which is no known position. Returns whether that is news.
    pub(super) fn depart(&mut self, shown: &Board) -> bool {
        let is_news = self.departed.as_ref() != Some(shown);
        if is_news {
            self.departed = Some(shown.clone());
        }
        is_news
    }

    /// The board shows a known position, and no result. Returns whether it was reported to depart
    /// from it.
    pub(super) fn agree(&mut self) -> bool {
        self.gesture = None;
        self.departed.take().is_some()
    }

    /// The kings show a result. Returns whether that is news.
    pub(super) fn show_result(&mut self, gesture: Gesture) -> bool {
        self.gesture.replace(gesture) != Some(gesture)
    }

    /// Takes the moves made so far, and returns what is new about them. `is_at_tip`: the board
    /// shows the last position of the path.
    pub(super) fn report_moves(&mut self, path: &Path, is_at_tip: bool) -> Vec<Event> {
        let mut events = Vec::new();
        let nodes = path.played();
        let same = nodes
            .iter()
            .zip(&self.moves)
            .take_while(|(node, told)| node.played == Some(told.0))
            .count();
        let were_made = self.moves.iter().skip(same).any(|(_, made)| *made);
        self.moves.truncate(same);
        if were_made {
            events.push(Event::TakenBack { plies: same });
        }
        for (index, node) in nodes.iter().enumerate() {
            let is_last = index + 1 == nodes.len();
            let is_made = path.is_made(index);
            if !is_made && (!node.rested || (is_last && !is_at_tip)) {
                // The piece is lifted again, or on its way.
                break;
            }
            let (Some(played), Some(told)) = (node.played, played_move(path, index)) else {
                continue;
            };
            match self.moves.get_mut(index) {
                Some((_, was_made)) if is_made && !*was_made => {
                    *was_made = true;
                    events.push(Event::Moved(told));
                }
                Some(_) => {}
                None => {
                    self.moves.push((played, is_made));
                    events.push(if is_made {
                        Event::Moved(told)
                    } else {
                        Event::Seen(told)
                    });
                    events.extend(node.is_rook_first.then_some(Event::RookFirst(told)));
                }
            }
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annexd_laws::moment::Moment;
    use shakmaty::{Chess, Position as _, Square};

    #[test]
    fn a_departure_is_news_once_and_then_an_agreement() {
        let mut reported = Reported::default();
        let shown = Board::empty();
        assert!(!reported.agree());
        assert!(reported.depart(&shown) && reported.has_departed());
        assert!(!reported.depart(&shown));
        assert!(reported.depart(&Board::new()));
        assert!(reported.agree());
        assert!(!reported.agree() && !reported.has_departed());
    }

    #[test]
    fn a_result_is_news_again_after_play_goes_on() {
        let mut reported = Reported::default();
        let draw = Gesture::Draw;
        assert!(reported.show_result(draw));
        assert!(!reported.show_result(draw));
        reported.agree();
        assert!(reported.show_result(draw));
    }

    #[test]
    fn a_move_is_seen_once_and_made_once() {
        let start = Chess::default();
        let mut path = Path::begin(start.clone(), Moment::START);
        let mut after = start.board().clone();
        let pawn = after.remove_piece_at(Square::E2).unwrap();
        after.set_piece_at(Square::E4, pawn);
        assert!(path.follow_at_rest(&after, Moment::START));
        let mut reported = Reported::default();
        let seen = reported.report_moves(&path, true);
        assert!(matches!(seen[..], [Event::Seen(_)]), "{seen:?}");
        assert!(reported.report_moves(&path, true).is_empty());
        path.seal_for(None);
        let made = reported.report_moves(&path, true);
        assert!(matches!(made[..], [Event::Moved(_)]), "{made:?}");
        assert!(reported.report_moves(&path, true).is_empty());
    }
}
