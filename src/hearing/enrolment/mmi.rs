//! Lattice-free MMI: what was said against everything that could have been said.
//!
//! Both sides are hidden Markov models. Every sound has two states, its first answer and the rest;
//! their outputs are 2 · sound and 2 · sound + 1. The passes run on chances, scaled answer by
//! answer.

use ndarray::{Array2, ArrayView1, Axis};

use super::sounds::{Sounds, Spoken};

/// What keeps a division from being one by nought.
const TINY: f64 = 1e-30;
/// Less than this is no way at all through what was said.
const LOST: f64 = 1e-25;

/// How often each output was passed, and the logarithm of the likelihood, of which that is the
/// slope.
pub(super) struct Passed {
    pub(super) occupied: Array2<f64>,
    #[cfg_attr(not(test), expect(dead_code, reason = "tests measure the slope by it"))]
    pub(super) likelihood: f64,
}

/// The chances of an answer's outputs, up to a factor, and the logarithm of that.
fn likely(scores: ArrayView1<'_, f32>) -> (Vec<f64>, f64) {
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    let chances = scores.iter().map(|it| f64::from(it - top).exp());
    (chances.collect(), f64::from(top))
}

/// Divides by the sum, and gives it.
fn scale(chances: &mut [f64]) -> f64 {
    let total = chances.iter().sum::<f64>() + TINY;
    chances.iter_mut().for_each(|it| *it /= total);
    total
}

/// All that could have been said: any sound after any other, with its chance.
pub(super) fn anything(scores: &Array2<f32>, sounds: &Sounds) -> Passed {
    let answers: Vec<(Vec<f64>, f64)> = scores.rows().into_iter().map(likely).collect();
    let count = sounds.count();
    // Where a sound is left to, whether it was in its first answer or in the rest.
    let leave = |sound: usize| 1.0 - sounds.stay(sound);
    let mut forward: Vec<Vec<f64>> = Vec::with_capacity(answers.len());
    let mut likelihood = 0.0;
    for (chances, top) in &answers {
        let mut state = vec![0.0; 2 * count];
        match forward.last() {
            None => {
                for (sound, start) in sounds.start.iter().enumerate() {
                    state[2 * sound] = *start;
                }
            }
            Some(before) => {
                for (sound, follow) in sounds.follow.iter().enumerate() {
                    let both = before[2 * sound] + before[2 * sound + 1];
                    state[2 * sound + 1] = both * sounds.stay(sound);
                    let left = both * leave(sound);
                    for (next, chance) in follow.iter().enumerate() {
                        state[2 * next] += left * chance;
                    }
                }
            }
        }
        state
            .iter_mut()
            .zip(chances)
            .for_each(|(it, chance)| *it *= chance);
        likelihood += scale(&mut state).ln() + top;
        forward.push(state);
    }
    let mut occupied = Array2::zeros(scores.dim());
    let mut behind = vec![1.0; 2 * count];
    for (at, (chances, _)) in answers.iter().enumerate().rev() {
        let mut here: Vec<f64> = forward[at]
            .iter()
            .zip(&behind)
            .map(|(a, b)| a * b)
            .collect();
        scale(&mut here);
        occupied
            .row_mut(at)
            .iter_mut()
            .zip(here)
            .for_each(|(it, new)| *it = new);
        let ahead: Vec<f64> = behind.iter().zip(chances).map(|(a, b)| a * b).collect();
        for (sound, follow) in sounds.follow.iter().enumerate() {
            let entered = follow.iter().enumerate();
            let next: f64 = entered.map(|(next, chance)| chance * ahead[2 * next]).sum();
            let on = sounds.stay(sound) * ahead[2 * sound + 1] + leave(sound) * next;
            behind[2 * sound] = on;
            behind[2 * sound + 1] = on;
        }
        scale(&mut behind);
    }
    Passed {
        occupied,
        likelihood,
    }
}

/// The same over what was said; `None` if it cannot have been said in so short a time.
pub(super) fn said(scores: &Array2<f32>, spoken: &Spoken, sounds: &Sounds) -> Option<Passed> {
    let answers: Vec<(Vec<f64>, f64)> = scores.rows().into_iter().map(likely).collect();
    let nodes = spoken.sounds.len();
    let stay: Vec<f64> = spoken.sounds.iter().map(|it| sounds.stay(*it)).collect();
    let chance = |node: usize, next: usize| {
        (1.0 - stay[node]) * sounds.follow[spoken.sounds[node]][spoken.sounds[next]]
    };
    // For each answer the nodes in their first one, and behind these the nodes in the rest.
    let mut forward: Vec<Vec<f64>> = Vec::with_capacity(answers.len());
    let mut likelihood = 0.0;
    for (chances, top) in &answers {
        let mut state = vec![0.0; 2 * nodes];
        match forward.last() {
            None => {
                for &node in &spoken.starts {
                    state[node] = sounds.start[spoken.sounds[node]];
                }
            }
            Some(before) => {
                for node in 0..nodes {
                    let both = before[node] + before[nodes + node];
                    state[nodes + node] = both * stay[node];
                    for &next in &spoken.after[node] {
                        state[next] += both * chance(node, next);
                    }
                }
            }
        }
        for (node, &sound) in spoken.sounds.iter().enumerate() {
            state[node] *= chances[2 * sound];
            state[nodes + node] *= chances[2 * sound + 1];
        }
        likelihood += scale(&mut state).ln() + top;
        forward.push(state);
    }
    let mut occupied = Array2::zeros(scores.dim());
    let mut behind = vec![0.0; nodes];
    for &node in &spoken.ends {
        behind[node] = 1.0;
    }
    let ended = forward.last()?;
    let ended: f64 = (0..nodes)
        .map(|node| (ended[node] + ended[nodes + node]) * behind[node])
        .sum();
    for (at, (chances, _)) in answers.iter().enumerate().rev() {
        let state = &forward[at];
        let total: f64 = (0..nodes)
            .map(|node| (state[node] + state[nodes + node]) * behind[node])
            .sum();
        if total < LOST {
            return None;
        }
        let mut row = occupied.index_axis_mut(Axis(0), at);
        for (node, &sound) in spoken.sounds.iter().enumerate() {
            row[2 * sound] += state[node] * behind[node] / total;
            row[2 * sound + 1] += state[nodes + node] * behind[node] / total;
        }
        let sound = |node: usize| spoken.sounds[node];
        let ahead: Vec<f64> = (0..nodes)
            .map(|node| behind[node] * chances[2 * sound(node)])
            .collect();
        let mut most = TINY;
        for node in 0..nodes {
            let next = spoken.after[node].iter();
            let next: f64 = next.map(|&next| chance(node, next) * ahead[next]).sum();
            behind[node] = next + behind[node] * stay[node] * chances[2 * sound(node) + 1];
            most = behind[node].max(most);
        }
        behind.iter_mut().for_each(|it| *it /= most);
    }
    Some(Passed {
        occupied,
        likelihood: likelihood + (ended + TINY).ln(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::sounds::tests::three;
    use super::*;

    fn scores(chance: &mut super::super::chance::Chance) -> Array2<f32> {
        Array2::from_shape_fn((7, 6), |_| chance.between(-2.0, 2.0))
    }

    /// Moving a score moves the likelihood by how often its output was passed.
    fn slopes_are_occupations(
        likelihood: impl Fn(&Array2<f32>) -> f64,
        scores: &Array2<f32>,
        occupied: &Array2<f64>,
    ) {
        for place in scores.indexed_iter().map(|(place, _)| place) {
            let mut moved = [scores.clone(), scores.clone()];
            moved[0][place] += 0.01;
            moved[1][place] -= 0.01;
            let [more, less] = moved.map(|it| likelihood(&it));
            let slope = (more - less) / 0.02;
            assert!(
                (slope - occupied[place]).abs() < 1e-3,
                "{place:?}: {slope} {}",
                occupied[place]
            );
        }
    }

    #[test]
    fn what_was_passed_is_the_slope_of_the_likelihood() {
        let sounds = three();
        let scores = scores(&mut super::super::chance::Chance(1));
        let words = [vec!["a b".to_owned(), "b".to_owned()], vec!["a".to_owned()]];
        let spoken = Spoken::of(&words, &sounds).unwrap();
        let passed = said(&scores, &spoken, &sounds).unwrap();
        slopes_are_occupations(
            |it| said(it, &spoken, &sounds).unwrap().likelihood,
            &scores,
            &passed.occupied,
        );
        let all = anything(&scores, &sounds);
        slopes_are_occupations(
            |it| anything(it, &sounds).likelihood,
            &scores,
            &all.occupied,
        );
        assert!(passed.likelihood < all.likelihood);
    }

    #[test]
    fn what_is_longer_than_its_sound_was_not_said() {
        let sounds = three();
        let scores = scores(&mut super::super::chance::Chance(2));
        let long = vec![vec!["a b a b a b a b".to_owned()]];
        let spoken = Spoken::of(&long, &sounds).unwrap();
        assert!(said(&scores, &spoken, &sounds).is_none());
    }
}
