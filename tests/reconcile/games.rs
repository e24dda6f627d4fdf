//! Games to make scores from: real ones and random ones.

use std::path::Path;

use annexd_score::{Meaning, Standing, read_score};
use shakmaty::{Chess, Move, Position};

/// A small, well-known generator, so that a seed names the same pairs on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `sides`; 0 if there are no sides.
    pub(crate) fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % sides.max(1)
    }

    pub(crate) fn choose<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// The games in the repository: with them a seed names the same pairs on every machine.
pub(crate) fn classics() -> Vec<Vec<Move>> {
    games_of("tests/scores/classics.pgn")
}

/// These, and those of `../shared/games`.
pub(crate) fn real_games() -> Vec<Vec<Move>> {
    let mut games = classics();
    games.extend(games_of("../shared/games/twic1599_100k.pgn"));
    games
}

fn games_of(file: &str) -> Vec<Vec<Move>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match std::fs::read_to_string(root.join(file)) {
        Ok(text) => moves_of_all(&text),
        Err(_) => {
            eprintln!("{file} is not there; its games are skipped");
            Vec::new()
        }
    }
}

/// The moves of all games of a PGN file, each as far as it is legal.
pub(crate) fn moves_of_all(pgn: &str) -> Vec<Vec<Move>> {
    let mut games = Vec::new();
    while let Ok(read) = read_score(pgn, None, games.len() + 1) {
        let mut standing = Standing::of(read.score.start());
        let mut moves = Vec::new();
        for entry in read.score.entries() {
            let Meaning::Legal(played) = standing.read(entry) else {
                break;
            };
            standing = standing.after(played);
            moves.push(played);
        }
        games.push(moves);
    }
    games
}

/// A game of random legal moves, which sees promotions, en passant and long king walks.
pub(crate) fn random_game(dice: &mut Dice, plies: usize) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        let Some(&played) = dice.choose(&legal) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}
