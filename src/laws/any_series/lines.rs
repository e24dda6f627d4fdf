//! Lines in which both sides cooperate towards a mate, chosen by simple preferences.
//!
//! Nothing here needs to be correct about chess: a line that ends in mate is a proof, and any other
//! line is discarded.

use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};

use super::preferences::{Other, Own};

/// Plies after which a line is abandoned.
const LONGEST_LINE: u32 = 109;

/// The range of the random number that is added to every preference, and how much it grows with
/// every line.
const SPREAD: u32 = 6;
const SPREAD_GROWS: u32 = 8;

/// Successive attempts for one side. Each run makes the same attempts in the same order.
pub(super) struct Lines {
    side: Color,
    tried: u32,
    rng: Rng,
    line: Vec<Move>,
}

impl Lines {
    pub(super) fn new(side: Color) -> Self {
        Self {
            side,
            tried: 0,
            rng: Rng::new(),
            line: Vec::with_capacity(LONGEST_LINE as usize),
        }
    }

    /// Plays one line. Returns whether it ended in mate by the side.
    pub(super) fn finds_mate(&mut self, start: &Chess) -> bool {
        let mut position = start.clone();
        let spread = SPREAD + SPREAD_GROWS * self.tried.min(6);
        self.tried += 1;
        self.line.clear();
        for _ in 0..LONGEST_LINE {
            let is_own = position.turn() == self.side;
            let mut best = Best::new(&mut self.rng, spread);
            if is_own {
                let own = Own::of(&position);
                if let Some(mate) = own.mate() {
                    self.line.push(mate);
                    return true;
                }
                own.choose(&mut best);
            } else {
                Other::of(&position).choose(&mut best);
            }
            let Some(next) = best.into_move(position.board()) else {
                return !is_own && position.is_checkmate();
            };
            self.line.push(next);
            position.play_unchecked(next);
            if next.is_capture() && position.has_insufficient_material(self.side) {
                return false;
            }
        }
        false
    }

    /// The line that was played last.
    pub(super) fn into_line(self) -> Vec<Move> {
        self.line
    }
}

/// A possible move before a [`Move`] is built for it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) role: Role,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) promotion: Option<Role>,
}

/// The most preferred move so far, after a random number is added.
pub(super) struct Best<'a> {
    rng: &'a mut Rng,
    spread: u32,
    most: i32,
    chosen: Option<Chosen>,
}

#[derive(Clone, Copy)]
enum Chosen {
    Candidate(Candidate),
    Move(Move),
}

impl<'a> Best<'a> {
    fn new(rng: &'a mut Rng, spread: u32) -> Self {
        Self {
            rng,
            spread,
            most: i32::MIN,
            chosen: None,
        }
    }

    /// Returns whether no move could be played so far.
    pub(super) const fn is_none(&self) -> bool {
        self.chosen.is_none()
    }

    /// Returns whether a move with this score could still be preferred.
    pub(super) const fn could_be(&self, score: i32) -> bool {
        score + self.spread as i32 > self.most
    }

    fn is_better(&mut self, score: i32) -> bool {
        let value = score + self.rng.below(self.spread);
        let is_better = value > self.most;
        if is_better {
            self.most = value;
        }
        is_better
    }

    pub(super) fn offer(&mut self, score: i32, candidate: Candidate) {
        if self.could_be(score) && self.is_better(score) {
            self.chosen = Some(Chosen::Candidate(candidate));
        }
    }

    /// Chooses from all legal moves, where the reach of the pieces alone does not suffice.
    pub(super) fn offer_all(&mut self, position: &Chess, score: impl Fn(Candidate, bool) -> i32) {
        for candidate in position.legal_moves() {
            let (to, is_castle) = (candidate.to(), candidate.is_castle());
            let step = Candidate {
                role: candidate.role(),
                from: candidate.from().unwrap_or(to),
                to: if is_castle {
                    candidate.from().unwrap_or(to)
                } else {
                    to
                },
                promotion: candidate.promotion(),
            };
            if self.is_better(score(step, candidate.is_capture())) {
                self.chosen = Some(Chosen::Move(candidate));
            }
        }
    }

    fn into_move(self, board: &Board) -> Option<Move> {
        match self.chosen? {
            Chosen::Move(chosen) => Some(chosen),
            Chosen::Candidate(candidate) => Some(candidate.written(board)),
        }
    }
}

impl Candidate {
    pub(super) fn written(self, board: &Board) -> Move {
        let Self {
            role,
            from,
            to,
            promotion,
        } = self;
        Move::Normal {
            role,
            from,
            capture: board.role_at(to),
            to,
            promotion,
        }
    }
}

/// Pseudorandom numbers that are the same in every run (xorshift).
pub(super) struct Rng(u64);

impl Rng {
    pub(super) const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(super) fn below(&mut self, bound: u32) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 40) * u64::from(bound)) >> 24) as i32
    }
}
