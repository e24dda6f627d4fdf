//! Lines towards one mating picture. Each move is the one that leaves the least to do.

use shakmaty::{Chess, Color, Move, Position};

use super::lines::Rng;
use super::patterns::{Patterns, Picture};
use super::seen::Packed;

/// Plies after which a line is abandoned.
const LONGEST_LINE: usize = 80;

/// The range of the random number that is added, so that equal moves do not always come in the same
/// order.
const SPREAD: u32 = 2;

/// Returns a line that ends in mate, if the straight way to one of the first `tries` pictures does.
pub(super) fn line_to_picture(
    start: &Chess,
    side: Color,
    patterns: &Patterns,
    tries: u32,
) -> Option<Vec<Move>> {
    let mut rng = Rng::new();
    let mut pictures = patterns.pictures().take(tries as usize);
    pictures.find_map(|picture| straight_line(start, side, picture, &mut rng))
}

fn straight_line(
    start: &Chess,
    side: Color,
    picture: &Picture,
    rng: &mut Rng,
) -> Option<Vec<Move>> {
    let mut position = start.clone();
    let mut line = Vec::new();
    let mut seen = vec![Packed::of(start)];
    let mut after = start.clone();
    while line.len() < LONGEST_LINE {
        let mut best: Option<(i32, Move)> = None;
        for candidate in position.legal_moves() {
            after.clone_from(&position);
            after.play_unchecked(candidate);
            if after.turn() != side && after.is_checkmate() {
                line.push(candidate);
                return Some(line);
            }
            let missing = picture.is_missing(after.board(), side) + rng.below(SPREAD);
            let is_better = best.is_none_or(|(least, _)| missing < least);
            if is_better
                && !after.has_insufficient_material(side)
                && !seen.contains(&Packed::of(&after))
            {
                best = Some((missing, candidate));
            }
        }
        let (_, next) = best?;
        position.play_unchecked(next);
        line.push(next);
        seen.push(Packed::of(&position));
    }
    None
}
