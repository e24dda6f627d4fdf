//! Two people at a board, and all that their hands do beside moving the pieces.
//!
//! This is not the simulator of the program: it was made apart from it, so that neither copies
//! the other's idea of what happens at a board.

use annexd::shell::boards::simulate::Rng;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

/// What hands may do. Each number is how often in a thousand moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// Pieces slide, hover and overshoot.
    pub(crate) slides: u64,
    /// The new square is seen before the old one is empty.
    pub(crate) swaps: u64,
    /// A victim is dragged over other squares.
    pub(crate) drags: u64,
    /// Pieces are adjusted, also onto a neighbouring square and back.
    pub(crate) nudges: u64,
    /// A piece falls over and lies for some moves.
    pub(crate) knocks: u64,
    /// A piece is put where it may not go, and back.
    pub(crate) illegal: u64,
    /// A move is made, pressed for, and taken back by agreement.
    pub(crate) takes_back: u64,
    /// The next player lifts his piece before the other has put down his.
    pub(crate) blitz: u64,
    /// The lever is seen before the last change.
    pub(crate) late: u64,
}

/// What happens, in milliseconds since the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Set(Square, Option<Piece>),
    Press,
    Start,
    Stop,
}

/// Everything that happens at a board.
#[derive(Clone, Debug)]
pub(crate) struct People {
    pub(crate) acts: Vec<(u64, Act)>,
    pub(crate) rng: Rng,
    habits: Habits,
    /// Longest time for a thought; hands are faster when there is none.
    thought: u64,
    /// A captured piece is seen to leave: boards that know no pieces see nothing else.
    pub(crate) empties: bool,
    now: u64,
    fallen: Option<(Square, Piece, u64)>,
}

impl People {
    pub(crate) fn new(habits: Habits, thought: u64, seed: u64) -> Self {
        Self {
            acts: Vec::new(),
            rng: Rng::new(seed ^ 0x7a9e5),
            habits,
            thought,
            empties: false,
            now: 1_000,
            fallen: None,
        }
    }

    fn does(&mut self, per_mille: u64) -> bool {
        self.rng.per_mille(per_mille)
    }

    /// A short moment of a hand.
    fn moment(&mut self) -> u64 {
        30 + self.rng.below(170)
    }

    fn act(&mut self, act: Act) {
        self.acts.push((self.now, act));
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.now += self.moment();
        self.act(Act::Set(square, piece));
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        self.now += ms;
    }

    pub(crate) fn press(&mut self) {
        self.now += self.moment();
        self.act(Act::Press);
    }

    pub(crate) fn start(&mut self) {
        self.act(Act::Start);
    }

    pub(crate) fn stop(&mut self) {
        self.now += 300;
        self.act(Act::Stop);
    }

    /// Plays moves from a position, and all that happens in between.
    pub(crate) fn play(&mut self, start: &Chess, moves: &[Move]) {
        let mut position = start.clone();
        for (index, &played) in moves.iter().enumerate() {
            self.think(&position);
            self.fall(&position, played);
            if self.does(self.habits.illegal) {
                self.try_illegal(&position);
            }
            if self.does(self.habits.takes_back) {
                self.take_back(&position, played);
            }
            let begun = self.acts.len();
            self.make(position.board(), played);
            self.hurry(begun, moves.get(index + 1).copied());
            self.press();
            if self.does(self.habits.late) {
                let last = self.acts.len() - 1;
                if matches!(self.acts[last - 1].1, Act::Set(..)) {
                    let (pressed, changed) = (self.acts[last].0, self.acts[last - 1].1);
                    self.acts[last - 1] = (pressed, Act::Press);
                    self.acts[last] = (pressed + 20, changed);
                    self.now += 20;
                }
            }
            position.play_unchecked(played);
        }
        self.stand_up();
    }

    fn think(&mut self, position: &Chess) {
        let time = self.rng.below(self.thought.max(1));
        self.now += time;
        if self.does(self.habits.nudges) {
            self.nudge(position.board());
        }
        self.now += time / 4;
    }

    /// A piece is adjusted: off and back, or half over to a neighbouring square and back.
    fn nudge(&mut self, board: &Board) {
        let pieces: Vec<(Square, Piece)> = self.standing(board);
        let Some((square, piece)) = self.rng.one_of(&pieces) else {
            return;
        };
        self.set(square, None);
        let near = free_near(board, square);
        if self.does(200)
            && let Some(beside) = self.rng.one_of(&near)
        {
            self.set(beside, Some(piece));
            self.set(beside, None);
        }
        self.set(square, Some(piece));
        self.now += 300;
    }

    fn standing(&self, board: &Board) -> Vec<(Square, Piece)> {
        let lies = self.fallen.map(|(square, ..)| square);
        let stands = board.iter();
        stands.filter(|(square, _)| Some(*square) != lies).collect()
    }

    /// A piece that has nothing to do with the move falls over, and is set up again later.
    fn fall(&mut self, position: &Chess, played: Move) {
        if let Some((square, piece, moves)) = self.fallen {
            let is_needed = touches(played, square);
            if moves == 0 || is_needed {
                self.set(square, Some(piece));
                self.now += 400;
                self.fallen = None;
            } else {
                self.fallen = Some((square, piece, moves - 1));
            }
        } else if self.does(self.habits.knocks) {
            let pieces: Vec<(Square, Piece)> = position.board().iter().collect();
            if let Some((square, piece)) = self.rng.one_of(&pieces)
                && !touches(played, square)
            {
                self.set(square, None);
                self.now += 400;
                self.fallen = Some((square, piece, self.rng.below(3)));
            }
        }
    }

    fn stand_up(&mut self) {
        if let Some((square, piece, _)) = self.fallen.take() {
            self.set(square, Some(piece));
            self.now += 400;
        }
    }

    /// A piece goes where it may not go, sometimes the clock is pressed, and it goes back.
    fn try_illegal(&mut self, position: &Chess) {
        let own: Vec<(Square, Piece)> = self
            .standing(position.board())
            .into_iter()
            .filter(|(_, piece)| piece.color == position.turn())
            .collect();
        let Some((from, piece)) = self.rng.one_of(&own) else {
            return;
        };
        let legal = position.legal_moves();
        let free: Vec<Square> = (!position.board().occupied())
            .into_iter()
            .filter(|&to| {
                !legal
                    .iter()
                    .any(|it| it.from() == Some(from) && it.to() == to)
            })
            .collect();
        let Some(to) = self.rng.one_of(&free) else {
            return;
        };
        self.set(from, None);
        self.set(to, Some(piece));
        self.now += 600;
        let presses = self.does(400);
        if presses {
            self.press();
            self.now += 1_500;
        }
        self.set(to, None);
        self.set(from, Some(piece));
        if presses {
            self.now += 700;
            self.press();
        }
        self.now += 900;
    }

    /// Another move than the one that counts is made and pressed for, and goes back.
    fn take_back(&mut self, position: &Chess, played: Move) {
        if self.fallen.is_some() {
            return;
        }
        let legal = position.legal_moves();
        let others: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&other| other != played && !other.is_capture() && !other.is_castle())
            .filter(|other| !other.is_promotion())
            .collect();
        let Some(other) = self.rng.one_of(&others) else {
            return;
        };
        let (Some(from), to) = (other.from(), other.to()) else {
            return;
        };
        let piece = position.board().piece_at(from);
        self.set(from, None);
        self.set(to, piece);
        self.press();
        self.now += 1_800;
        self.set(to, None);
        self.set(from, piece);
        self.now += 700;
        self.press();
        self.now += 1_200;
    }

    /// The next player lifts his piece before the last one of this move has been put down.
    fn hurry(&mut self, begun: usize, next: Option<Move>) {
        let Some(lifted) = next.and_then(|next| next.from()) else {
            return;
        };
        let last = self.acts.len() - 1;
        if last <= begun || !self.does(self.habits.blitz) {
            return;
        }
        let (at, placed) = self.acts[last];
        self.acts[last] = (at, Act::Set(lifted, None));
        self.acts.push((at + 15, placed));
        self.now = at + 15;
    }

    fn make(&mut self, board: &Board, played: Move) {
        match played {
            Move::Castle { king, rook } => self.castle(board, king, rook, played),
            Move::EnPassant { from, to } => self.en_passant(board, from, to),
            Move::Normal { from, to, .. } => self.ordinary(board, from, to, played),
            Move::Put { .. } => {}
        }
    }

    fn castle(&mut self, board: &Board, king: Square, rook: Square, played: Move) {
        let Some(side) = played.castling_side() else {
            return;
        };
        let color = board.color_at(king).unwrap_or(Color::White);
        let k = [(king, None), (side.king_to(color), Some(color.king()))];
        let r = [(rook, None), (side.rook_to(color), Some(color.rook()))];
        let order = match self.rng.below(5) {
            0 => [r[0], r[1], k[0], k[1]],
            1 => [k[0], r[0], k[1], r[1]],
            2 => [r[0], k[0], k[1], r[1]],
            3 => [k[0], r[0], r[1], k[1]],
            _ => [k[0], k[1], r[0], r[1]],
        };
        let pause = self.rng.below(1_200);
        for (index, (square, piece)) in order.into_iter().enumerate() {
            if index == 2 {
                self.now += pause;
            }
            self.set(square, piece);
        }
    }

    fn en_passant(&mut self, board: &Board, from: Square, to: Square) {
        let victim = Square::from_coords(to.file(), from.rank());
        let mut order = vec![(from, None), (to, board.piece_at(from))];
        order.insert(self.rng.below(3) as usize, (victim, None));
        for (square, piece) in order {
            self.set(square, piece);
        }
    }

    fn ordinary(&mut self, board: &Board, from: Square, to: Square, played: Move) {
        let Some(piece) = board.piece_at(from) else {
            return;
        };
        let becomes = Piece {
            role: played.promotion().unwrap_or(piece.role),
            ..piece
        };
        let victim = board.piece_at(to);
        if victim.is_none() && becomes == piece && self.does(self.habits.swaps) {
            self.set(to, Some(piece));
            self.set(from, None);
            return;
        }
        let way = if self.empties {
            2 + self.rng.below(2)
        } else {
            self.rng.below(4)
        };
        match (victim, way) {
            (None, _) => {
                self.set(from, None);
                self.wander(board, piece, from, to);
            }
            // Pushed off: never seen empty.
            (Some(_), 0 | 1) => {
                self.set(from, None);
                self.wander(board, piece, from, to);
            }
            (Some(victim), 2) => {
                self.set(to, None);
                self.drag(board, to, victim);
                self.set(from, None);
            }
            (Some(victim), _) => {
                self.set(from, None);
                self.set(to, None);
                self.drag(board, to, victim);
            }
        }
        if becomes == piece {
            self.set(to, Some(piece));
        } else {
            self.promote(to, piece, becomes);
        }
    }

    fn promote(&mut self, to: Square, pawn: Piece, becomes: Piece) {
        match self.rng.below(4) {
            0 => {
                self.set(to, Some(pawn));
                self.set(to, None);
            }
            // The piece is put upon the pawn's square while it is taken off.
            1 => self.set(to, Some(pawn)),
            // A wrong piece first.
            2 => {
                let wrong = if becomes.role == Role::Queen {
                    becomes.color.rook()
                } else {
                    becomes.color.queen()
                };
                self.set(to, Some(wrong));
                self.set(to, None);
            }
            _ => {}
        }
        self.set(to, Some(becomes));
    }

    /// The way to a square: straight, over squares between, or round about.
    fn wander(&mut self, board: &Board, piece: Piece, from: Square, to: Square) {
        if !self.does(self.habits.slides) {
            return;
        }
        let mut rests: Vec<Square> = attacks::between(from, to)
            .into_iter()
            .filter(|&square| board.piece_at(square).is_none())
            .collect();
        if from > to {
            rests.reverse();
        }
        if self.does(300) {
            // Hovers somewhere, or overshoots.
            let free: Vec<Square> = (!board.occupied()).into_iter().collect();
            let legal_looking = attacks::attacks(from, piece, board.occupied()) & !board.occupied();
            let reach: Vec<Square> = legal_looking.into_iter().collect();
            let choices = if self.does(500) { &free } else { &reach };
            if let Some(other) = self.rng.one_of(choices)
                && other != to
                && other != from
            {
                rests.push(other);
            }
        }
        for square in rests {
            self.set(square, Some(piece));
            let rests_long = self.does(150);
            self.now += if rests_long { 400 } else { 0 };
            self.set(square, None);
        }
    }

    fn drag(&mut self, board: &Board, square: Square, victim: Piece) {
        if !self.does(self.habits.drags) {
            return;
        }
        let near = free_near(board, square);
        if let Some(beside) = self.rng.one_of(&near) {
            self.set(beside, Some(victim));
            self.set(beside, None);
        }
    }

    /// The kings show the result in the centre. Gives what stands there then.
    pub(crate) fn show_result(&mut self, board: &Board, squares: [Square; 2]) -> Board {
        let mut stands = board.clone();
        let kings = [Color::White, Color::Black].map(|color| (board.king_of(color), color.king()));
        self.now += 2_000;
        for square in squares {
            if stands
                .piece_at(square)
                .is_some_and(|piece| piece.role != Role::King)
            {
                self.set(square, None);
                stands.discard_piece_at(square);
            }
        }
        let together = self.does(500);
        let mut order = [0, 1];
        if self.does(500) {
            order.reverse();
        }
        // A king that stands where the other goes has to leave first.
        let is_taken = |index: usize| kings[1 - index].0 == Some(squares[index]);
        let together = together || is_taken(0) || is_taken(1);
        for index in order.into_iter().filter(|_| together) {
            if let Some(from) = kings[index].0 {
                self.set(from, None);
                stands.discard_piece_at(from);
            }
        }
        for index in order {
            if let Some(from) = kings[index].0.filter(|_| !together) {
                self.set(from, None);
                stands.discard_piece_at(from);
            }
            self.set(squares[index], Some(kings[index].1));
            stands.set_piece_at(squares[index], kings[index].1);
        }
        self.now += 2_000;
        stands
    }

    /// The pieces are taken from one placement to another, in any order.
    pub(crate) fn set_up(&mut self, from: &Board, to: &Board) {
        let mut stands = from.clone();
        self.now += 3_000;
        let mut wrong: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| stands.piece_at(square) != to.piece_at(square))
            .collect();
        while !wrong.is_empty() {
            let index = self.rng.below(wrong.len() as u64) as usize;
            let square = wrong.swap_remove(index);
            if let Some(stood) = stands.piece_at(square) {
                self.set(square, None);
                stands.discard_piece_at(square);
                // It goes home if there is a place for it.
                let home = wrong.iter().position(|&home| {
                    to.piece_at(home) == Some(stood) && stands.piece_at(home).is_none()
                });
                if let Some(home) = home {
                    let home = wrong.swap_remove(home);
                    self.set(home, Some(stood));
                    stands.set_piece_at(home, stood);
                }
            }
            if let Some(piece) = to.piece_at(square)
                && stands.piece_at(square).is_none()
            {
                self.set(square, Some(piece));
                stands.set_piece_at(square, piece);
            }
        }
        self.now += 3_000;
    }
}

fn touches(played: Move, square: Square) -> bool {
    let beside = match played {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Castle { king, rook } => {
            if king.rank() == square.rank() && square.rank() == rook.rank() {
                return true;
            }
            None
        }
        _ => None,
    };
    played.from() == Some(square) || played.to() == square || beside == Some(square)
}

fn free_near(board: &Board, square: Square) -> Vec<Square> {
    let near = attacks::king_attacks(square) & !board.occupied();
    near.into_iter().collect()
}
