//! What hands do to the pieces on a board: the physical side of a move, with everything that can go
//! wrong.

use std::time::Duration;

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, Piece, Position, Role, Square, attacks,
};

use super::rng::Rng;

/// Something that people and lines do. Each was seen at real boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Behaviour {
    /// A piece is slid and rests for a moment on squares it passes, or on a wrong one.
    Slides,
    /// A piece is seen on its new square before it is missed on its old one.
    Swaps,
    /// A captured piece is dragged off over another square.
    Drags,
    /// A piece pushes off what it takes, or comes at once: on a board that knows no pieces too the
    /// square is not seen empty, and only the announcement tells what was taken.
    Pushes,
    /// A piece is lifted and put back (adjusted).
    Nudges,
    /// Castling begins with the rook.
    RookFirst,
    /// A piece falls over and is not seen until it is set up again.
    Knocks,
    /// Bytes are lost on the line.
    LostBytes,
    /// The line is four times slower than it should be.
    SlowLine,
    /// The cable is pulled in the middle of a move and plugged in again.
    Unplug,
    /// The clock answers twice and late.
    StaleAcks,
    /// The board says things nobody asked for, several times, and things that nobody knows.
    Hostile,
}

/// One thing that happens on or near the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A square now has this piece, or none.
    Set(Square, Option<Piece>),
    /// Nothing.
    Wait,
    /// The player who has moved presses the clock.
    Press,
    /// The cable is pulled.
    Unplug,
    /// The cable is plugged in again.
    Replug,
}

/// An action, and how long after the previous one it happens.
pub type TimedAction = (Duration, Action);

/// How long a square is empty when a hand captures without pushing the piece off, so that sensors
/// see it.
const EMPTIED_MIN: Duration = Duration::from_millis(150);

/// Two hands with their habits.
#[derive(Clone, Debug)]
pub struct Hands {
    rng: Rng,
    behaviours: Vec<Behaviour>,
    /// The time for one move, from the opponent's to the press.
    pace: Duration,
    /// Whether a captured piece leaves visibly before the capturing one arrives. A board that
    /// cannot tell pieces apart would not notice otherwise.
    empties_captures: bool,
    has_unplugged: bool,
}

impl Hands {
    /// Hands that take about `pace` for each move.
    pub fn new(
        behaviours: &[Behaviour],
        pace: Duration,
        seed: u64,
        empties_captures: bool,
    ) -> Self {
        Self {
            rng: Rng::new(seed),
            behaviours: behaviours.to_vec(),
            pace,
            empties_captures,
            has_unplugged: false,
        }
    }

    /// Everything that happens while this move is made, the press of the clock included.
    pub fn make(&mut self, before: &Chess, played: Move) -> Vec<TimedAction> {
        let mut steps = Vec::new();
        let think = self.pace * 3 / 5;
        self.fidget(before.board(), think, &mut steps);
        match played {
            Move::Castle { king, rook } => self.castle(king, rook, &mut steps),
            Move::EnPassant { from, to } => self.en_passant(before, from, to, &mut steps),
            _ => self.ordinary(before, played, &mut steps),
        }
        self.unplug(&mut steps);
        steps.push((self.pace / 5, Action::Press));
        steps
    }

    fn does(&mut self, behaviour: Behaviour, per_mille: u64) -> bool {
        self.behaviours.contains(&behaviour) && self.rng.per_mille(per_mille)
    }

    /// A moment: up to a tenth of a move, and at least one scan of the board.
    fn moment(&mut self) -> Duration {
        let tenth = self.pace.as_millis() as u64 / 10;
        Duration::from_millis(20 + self.rng.below(tenth.max(20)))
    }

    /// What happens while a player thinks: adjusted pieces, and pieces that fall over.
    fn fidget(&mut self, board: &Board, think: Duration, steps: &mut Vec<TimedAction>) {
        steps.push((think, Action::Wait));
        let pieces: Vec<(Square, Piece)> = board.iter().collect();
        if self.does(Behaviour::Nudges, 200)
            && let Some((square, piece)) = self.rng.one_of(&pieces)
        {
            steps.push((self.moment(), Action::Set(square, None)));
            steps.push((self.moment(), Action::Set(square, Some(piece))));
        }
        if self.does(Behaviour::Knocks, 60)
            && let Some((square, piece)) = self.rng.one_of(&pieces)
        {
            steps.push((self.moment(), Action::Set(square, None)));
            let lies = self.pace + self.moment();
            steps.push((lies, Action::Set(square, Some(piece))));
        }
    }

    fn ordinary(&mut self, before: &Chess, played: Move, steps: &mut Vec<TimedAction>) {
        let board = before.board();
        let (Some(from), to) = (played.from(), played.to()) else {
            return;
        };
        let Some(piece) = board.piece_at(from) else {
            return;
        };
        let arrives = Piece {
            role: played.promotion().unwrap_or(piece.role),
            ..piece
        };
        let victim = board.piece_at(to);
        if victim.is_some() {
            self.capture(board, from, to, arrives, steps);
        } else if self.does(Behaviour::Swaps, 100) {
            steps.push((self.moment(), Action::Set(to, Some(arrives))));
            steps.push((Duration::from_millis(30), Action::Set(from, None)));
        } else {
            steps.push((self.moment(), Action::Set(from, None)));
            if self.does(Behaviour::Slides, 400) {
                self.slide(board, piece, from, to, steps);
            }
            if arrives != piece && self.rng.per_mille(500) {
                // The pawn is put on the last rank and exchanged there.
                steps.push((self.moment(), Action::Set(to, Some(piece))));
                steps.push((self.moment(), Action::Set(to, None)));
            }
            steps.push((self.moment(), Action::Set(to, Some(arrives))));
        }
    }

    /// Rests on squares along the way, and sometimes on one beyond.
    fn slide(
        &mut self,
        board: &Board,
        piece: Piece,
        from: Square,
        to: Square,
        steps: &mut Vec<TimedAction>,
    ) {
        let mut rests: Vec<Square> = attacks::between(from, to).into_iter().collect();
        if from > to {
            rests.reverse();
        }
        let reach = reach(board, piece, from);
        if self.rng.per_mille(300)
            && let Some(wrong) = self.rng.one_of(&reach)
            && wrong != to
        {
            rests.push(wrong);
        }
        for square in rests {
            steps.push((self.moment(), Action::Set(square, Some(piece))));
            steps.push((self.moment(), Action::Set(square, None)));
        }
    }

    fn capture(
        &mut self,
        board: &Board,
        from: Square,
        to: Square,
        arrives: Piece,
        steps: &mut Vec<TimedAction>,
    ) {
        let victim = board.piece_at(to);
        let near: Vec<Square> = attacks::king_attacks(to)
            .into_iter()
            .filter(|&square| board.piece_at(square).is_none())
            .collect();
        match self.rng.below(3) {
            // The capturing piece pushes the other off: the square is never seen empty.
            0 if !self.empties_captures || self.does(Behaviour::Pushes, 700) => {
                steps.push((self.moment(), Action::Set(from, None)));
            }
            1 => {
                steps.push((self.moment(), Action::Set(from, None)));
                steps.push((self.moment(), Action::Set(to, None)));
            }
            _ => {
                steps.push((self.moment(), Action::Set(to, None)));
                if !self.empties_captures
                    && self.does(Behaviour::Drags, 300)
                    && let Some(aside) = self.rng.one_of(&near)
                {
                    steps.push((self.moment(), Action::Set(aside, victim)));
                    steps.push((self.moment(), Action::Set(aside, None)));
                }
                steps.push((self.moment(), Action::Set(from, None)));
            }
        }
        let is_seen = self.empties_captures && !self.behaviours.contains(&Behaviour::Pushes);
        let emptied = if is_seen {
            self.moment().max(EMPTIED_MIN)
        } else {
            self.moment()
        };
        steps.push((emptied, Action::Set(to, Some(arrives))));
    }

    fn en_passant(
        &mut self,
        before: &Chess,
        from: Square,
        to: Square,
        steps: &mut Vec<TimedAction>,
    ) {
        let victim = Square::from_coords(to.file(), from.rank());
        let pawn = before.board().piece_at(from);
        let mut order = vec![(from, None), (to, pawn)];
        let place = self.rng.below(3) as usize;
        order.insert(place, (victim, None));
        for (square, piece) in order {
            steps.push((self.moment(), Action::Set(square, piece)));
        }
    }

    fn castle(&mut self, king: Square, rook: Square, steps: &mut Vec<TimedAction>) {
        let side = CastlingSide::from_king_side(rook.file() == File::H);
        let color = Color::from_white(king.rank() == shakmaty::Rank::First);
        let kings = [(king, None), (side.king_to(color), Some(color.king()))];
        let rooks = [(rook, None), (side.rook_to(color), Some(color.rook()))];
        let order = if self.does(Behaviour::RookFirst, 500) {
            [rooks, kings]
        } else {
            [kings, rooks]
        };
        for (square, piece) in order.concat() {
            steps.push((self.moment(), Action::Set(square, piece)));
        }
    }

    /// Once in a game the cable is pulled while a piece is in the hand.
    fn unplug(&mut self, steps: &mut Vec<TimedAction>) {
        if self.has_unplugged || steps.len() < 3 || !self.does(Behaviour::Unplug, 250) {
            return;
        }
        self.has_unplugged = true;
        let middle = steps.len() - 1;
        steps.insert(middle, (Duration::from_millis(40), Action::Unplug));
        steps.push((Duration::from_millis(600), Action::Replug));
        // The board restarts and reports everything. Nobody presses before that.
        steps.push((Duration::from_millis(1_500), Action::Wait));
    }
}

/// Where a piece could go on a board, sensible or not.
fn reach(board: &Board, piece: Piece, from: Square) -> Vec<Square> {
    let occupied = board.occupied();
    let squares = match piece.role {
        Role::Pawn | Role::King => Bitboard::EMPTY,
        _ => attacks::attacks(from, piece, occupied),
    };
    (squares & !occupied).into_iter().collect()
}
