//! What a replay has told of one game, held against the moves that were played.

use std::collections::BTreeMap;

use annexd::shell::boards::replay::Line;

/// Of a move that was not seen whole, no more than so many are left open.
const ONE_OF_MAX: usize = 4;
/// And no more such moves in one game.
const OPEN_MAX: usize = 2;

/// The moves of one game in the order of their numbers, and how many of them were left open. A move
/// that was left open among a few counts as the one that was played, if that is among them. Too
/// much that is left open, or called unsure, is there as it was told: it is not what was played.
pub(crate) fn told(lines: &[Line], played: &[String]) -> (Vec<String>, usize) {
    let mut moves: BTreeMap<usize, String> = BTreeMap::new();
    let (mut open, mut faults) = (0, Vec::new());
    for line in lines {
        let (ply, word) = match line {
            Line::Moved(made) => (made.ply, made.played.to_string()),
            Line::NotSeenWhole { made, one_of } => {
                open += 1;
                let was_played = played.get(made.ply.wrapping_sub(1));
                let is_among = |it: &&String| one_of.iter().any(|one| one.to_string() == **it);
                let is_told = one_of.len() <= ONE_OF_MAX && open <= OPEN_MAX;
                let among = was_played.filter(|_| is_told).filter(is_among);
                let word = among
                    .cloned()
                    .unwrap_or_else(|| line.to_words().to_string());
                (made.ply, word)
            }
            Line::UnsureFrom(_) => {
                faults.push(line.to_words().to_string());
                continue;
            }
            _ => continue,
        };
        if let Some(before) = moves.insert(ply, word) {
            faults.push(format!("number {ply} twice, first {before}"));
        }
    }
    // A number that is left out leaves a gap, and no other move comes into its place.
    let last = moves.keys().next_back().copied().unwrap_or_default();
    let left_out = |ply| moves.get(&ply).cloned().unwrap_or_default();
    let moves = (1..=last).map(left_out).chain(faults).collect();
    (moves, open)
}
