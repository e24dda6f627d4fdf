//! Setting boards right after a decision: square by square in words, until both match (D.2.9).

use shakmaty::{Board, Color, Square};

use super::Game;
use super::effect::Effect;
use super::profile::Sensors;
use annexd_laws::persons::Sides;
use annexd_phrases::{Argument, PhraseKey};
use annexd_score::discrepancy::{Correction, corrections};

impl Game {
    /// Says at each board what has to be changed until it shows the position. `shown` holds the
    /// placements on the boards, as far as known.
    pub(super) fn guide_boards(&mut self, shown: &Sides<Board>) {
        let boards: &[Color] = if self.profile.two_boards {
            &Color::ALL
        } else {
            &[Color::White]
        };
        for &board in boards {
            // A player who is elsewhere has no board here.
            if self.profile.side_of_guest() == Some(board) && self.profile.two_boards {
                continue;
            }
            let steps = corrections(&shown[board], self.course.board());
            self.comparison.begin_correcting(board);
            if steps.is_empty() && self.sensors(board) != Sensors::None {
                self.board_is_right(board);
                continue;
            }
            if steps.is_empty() {
                self.tell(board, PhraseKey::PleaseCheckBoard, []);
            } else if self.profile.two_boards && self.private(board) == self.private(!board) {
                // Both players hear this on one channel, so the message has to name the board.
                self.tell(board, PhraseKey::BoardIsCorrected, [Argument::Side(board)]);
            } else {
                self.tell(board, PhraseKey::PleaseCorrectBoard, []);
            }
            for &step in &steps {
                self.tell_step(board, step);
            }
            self.light_steps(board, &steps);
        }
    }

    /// Whether a board is being set right.
    pub(super) fn is_correcting(&self, board: Color) -> bool {
        self.comparison.is_correcting(board)
    }

    /// A board with sensors has come to rest: it is right, or the next step is said.
    pub(super) fn check_correction(&mut self, board: Color) {
        if !self.comparison.is_correcting(board) {
            return;
        }
        let steps = corrections(self.boards.placement(board), self.course.board());
        match steps.first() {
            None => self.board_is_right(board),
            Some(&step) => {
                self.tell_step(board, step);
                self.light_steps(board, &steps);
            }
        }
    }

    /// A person says that a board without sensors shows the position.
    pub(super) fn confirm_correction(&mut self, board: Color) {
        self.boards.set(board, self.course.board().clone());
        self.board_is_right(board);
    }

    /// From here on boards without sensors are taken to show the position that the moves lead to.
    pub(super) fn end_correcting(&mut self) {
        let was_asked = self.comparison.end_correcting();
        for board in Color::ALL {
            if was_asked[board] && self.sensors(board) == Sensors::None {
                self.boards.set(board, self.course.board().clone());
            }
        }
        self.report_uncorrected(was_asked);
    }

    /// Tells the arbiter at once when play goes on although boards with sensors do not show the
    /// position they were to be brought to.
    fn report_uncorrected(&mut self, was_asked: Sides<bool>) {
        for board in Color::ALL {
            if was_asked[board] && !self.board_matches(board) {
                self.report_squares(board, "D.2.9.b");
            }
        }
    }

    fn board_is_right(&mut self, board: Color) {
        self.comparison.corrected(board);
        if !self.profile.two_boards {
            self.boards.set(!board, self.course.board().clone());
        }
        self.light_steps(board, &[]);
        self.tell(board, PhraseKey::BoardIsRight, [Argument::Side(board)]);
        self.report("D.2.9.b", PhraseKey::BoardIsRight, [Argument::Side(board)]);
        if !self.comparison.is_correcting(!board)
            && Color::ALL.iter().all(|&side| self.board_matches(side))
        {
            self.table(PhraseKey::BoardsAreRight, []);
        }
    }

    fn board_matches(&self, side: Color) -> bool {
        !self.boards.differs(side, self.course.board())
    }

    fn tell_step(&mut self, board: Color, step: Correction) {
        let (key, piece, squares) = match step {
            Correction::Move { piece, from, to } => (PhraseKey::StepMove, piece, vec![from, to]),
            Correction::Remove { piece, from } => (PhraseKey::StepRemove, piece, vec![from]),
            Correction::Place { piece, to } => (PhraseKey::StepPlace, piece, vec![to]),
        };
        let arguments = [
            Argument::Side(piece.color),
            Argument::Piece(Some(piece.role)),
        ];
        let squares = squares.into_iter().map(Argument::Square);
        self.tell(board, key, arguments.into_iter().chain(squares));
    }

    fn light_steps(&mut self, board: Color, steps: &[Correction]) {
        if self.sensors(board) == Sensors::None {
            return;
        }
        let mut squares: Vec<Square> = steps
            .iter()
            .flat_map(|step| match *step {
                Correction::Move { from, to, .. } => vec![from, to],
                Correction::Remove { from, .. } => vec![from],
                Correction::Place { to, .. } => vec![to],
            })
            .collect();
        squares.dedup();
        self.response.push(Effect::Light { board, squares });
    }
}
