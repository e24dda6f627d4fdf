//! The positions that a search has seen, packed, each with its predecessor.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move,
    Position, PositionError, Setup,
};

/// A position in four words, without loss. For each square three bits give the piece and one bit
/// gives the colour. A rook with the right to castle has a code of its own. A white empty square is
/// the en passant square. With Black to move the fourth word is inverted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed([u64; 4]);

impl Packed {
    pub(super) fn of(position: &Chess) -> Self {
        let board = position.board();
        let castling = position.castles().castling_rights();
        let passant = position
            .ep_square(EnPassantMode::PseudoLegal)
            .map_or(Bitboard::EMPTY, Bitboard::from_square);
        let white = board.white() | passant;
        Self([
            (board.pawns() | board.bishops() | board.queens() | castling).0,
            (board.knights() | board.bishops() | board.kings() | castling).0,
            (board.rooks_and_queens() | board.kings()).0,
            position.turn().fold_wb(white, !white).0,
        ])
    }

    /// Unpacks the position. `None` would be an error of the packing.
    fn position(self) -> Option<Chess> {
        let [first, second, third, fourth] = self.0.map(Bitboard);
        let occupied = first | second | third;
        // Most squares are empty, and at most one empty square is white.
        let turn = if (fourth & !occupied).count() > 1 {
            Color::Black
        } else {
            Color::White
        };
        let white = turn.fold_wb(fourth, !fourth);
        let castling = first & second & third;
        let role = ByRole {
            pawn: first & !second & !third,
            knight: !first & second & !third,
            bishop: first & second & !third,
            rook: !first & !second & third | castling,
            queen: first & !second & third,
            king: !first & second & third,
        };
        let color = ByColor {
            white: white & occupied,
            black: occupied & !white,
        };
        let setup = Setup {
            board: Board::try_from_bitboards(role, color).ok()?,
            turn,
            castling_rights: castling,
            ep_square: (white & !occupied).first(),
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    fn pawns(self) -> Bitboard {
        let [first, second, third, _] = self.0.map(Bitboard);
        first & !second & !third
    }

    /// Returns whether a pawn has moved or a piece was captured.
    fn has_other_material(self, before: Self) -> bool {
        let count = |packed: Self| {
            let [first, second, third, _] = packed.0;
            (first | second | third).count_ones()
        };
        self.pawns() != before.pawns() || count(self) != count(before)
    }

    /// Multiplies and folds the words, so that each bit of the position changes the upper bits.
    fn hash(self) -> u64 {
        self.0
            .into_iter()
            .fold(0x9e37_79b9_7f4a_7c15, |hash, word| {
                let product = u128::from(hash ^ word) * 0xe703_7ed1_a0b4_28db;
                (product as u64) ^ ((product >> 64) as u64)
            })
    }
}

/// The index that stands for no predecessor.
const NONE: u32 = u32::MAX;

struct Entry {
    packed: Packed,
    before: u32,
}

/// All positions seen, in the order in which they came up, with a hash table to find them.
pub(super) struct Seen {
    entries: Vec<Entry>,
    /// The index of an entry plus one, at the first free place from its hash on. Zero is a free
    /// place. At least half of the table is free.
    table: Vec<u32>,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            table: vec![0; 1 << 10],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a position unless it is there. Returns its index if it is new.
    pub(super) fn add(&mut self, position: &Chess, before: Option<u32>) -> Option<u32> {
        if 2 * (self.entries.len() + 1) > self.table.len() {
            self.grow();
        }
        let packed = Packed::of(position);
        let place = self.place(packed)?;
        let index = self.entries.len() as u32;
        self.entries.push(Entry {
            packed,
            before: before.unwrap_or(NONE),
        });
        if let Some(place) = self.table.get_mut(place) {
            *place = index + 1;
        }
        Some(index)
    }

    /// Returns where this position belongs in the table. `None` if it is there.
    fn place(&self, packed: Packed) -> Option<usize> {
        let mask = self.table.len() - 1;
        let mut place = packed.hash() as usize & mask;
        loop {
            match self.table.get(place) {
                Some(&taken) if taken > 0 => {
                    if self.entries.get(taken as usize - 1)?.packed == packed {
                        return None;
                    }
                }
                _ => return Some(place),
            }
            place = (place + 1) & mask;
        }
    }

    fn grow(&mut self) {
        self.table = vec![0; 2 * self.table.len()];
        for (index, entry) in self.entries.iter().enumerate() {
            let place = self.place(entry.packed);
            if let Some(place) = place.and_then(|place| self.table.get_mut(place)) {
                *place = index as u32 + 1;
            }
        }
    }

    /// Returns a position, and whether it came from a capture or a pawn move.
    pub(super) fn position(&self, index: u32) -> Option<(Chess, bool)> {
        let entry = self.entries.get(index as usize)?;
        let is_new_material = self
            .entries
            .get(entry.before as usize)
            .is_some_and(|before| entry.packed.has_other_material(before.packed));
        Some((entry.packed.position()?, is_new_material))
    }

    /// Returns the moves from the first position to this one.
    pub(super) fn line_to(&self, index: u32) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut entry = self.entries.get(index as usize)?;
        while let Some(before) = self.entries.get(entry.before as usize) {
            let position = before.packed.position()?;
            let played = position.legal_moves().into_iter().find(|&candidate| {
                let mut after = position.clone();
                after.play_unchecked(candidate);
                Packed::of(&after) == entry.packed
            })?;
            line.push(played);
            entry = before;
        }
        line.reverse();
        Some(line)
    }
}
