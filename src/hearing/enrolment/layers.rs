//! A network that learns: what it answers to frames, and what would have made the answer better.
//!
//! In the file, what leaves a layer is the plain sum of what it found. To learn in small steps it
//! has a mean of nought here: it is taken off behind each layer, and made up for in the bias of the
//! layer that comes next.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};

use super::mel::{BINS, FLOOR};
use super::network::{Affine, Network, SKIP, STRIDE};

/// How fast it learns: Adam's rate, and how slowly the means of what it goes by change.
const RATE: f32 = 1e-4;
const MEAN_KEPT: f32 = 0.9;
const SQUARE_KEPT: f32 = 0.999;
const LEAST: f32 = 1e-8;

/// A network that learns.
pub(super) struct Learner {
    network: Network,
    /// The mean and the deviation of what it hears, by value of a frame.
    mean: Array1<f32>,
    deviation: Array1<f32>,
    /// The mean of what each layer finds, the first and then those of the pairs.
    means: Vec<Array1<f32>>,
    moments: Vec<Moments>,
    steps: i32,
}

/// What the layers saw when they answered.
struct Trace {
    windows: Array2<f32>,
    /// What the first layer found, before its mean was taken off.
    first: Array2<f32>,
    pairs: Vec<PairTrace>,
    hidden: Array2<f32>,
    last: Array2<f32>,
    answers: Array2<f32>,
}

struct PairTrace {
    seen: Array2<f32>,
    narrow: Array2<f32>,
    /// What the pair found, before its mean was taken off.
    found: Array2<f32>,
}

/// How each layer would have to change, in the order of [`Learner::layers`].
pub(super) struct Slopes(Vec<Affine>);

/// Adam's running means of a layer's slopes and of their squares.
struct Moments {
    mean: Affine,
    square: Affine,
}

impl Learner {
    /// A learner of this network for what it will hear.
    pub(super) fn new(network: &Network, mels: &[Array2<f32>]) -> Self {
        let all: Vec<ArrayView2<'_, f32>> = mels.iter().map(|it| it.view()).collect();
        let all = concatenate(Axis(0), &all).unwrap_or_default();
        let all = all.mapv(|it| it.max(FLOOR));
        let mean = all
            .mean_axis(Axis(0))
            .unwrap_or_else(|| Array1::zeros(BINS));
        let deviation = all.std_axis(Axis(0), 0.0).mapv(|it| it.max(1e-3));
        let size = network.first.bias.len();
        let mut learner = Self {
            network: network.clone(),
            mean,
            deviation,
            means: vec![Array1::zeros(size); 1 + network.pairs.len()],
            moments: Vec::new(),
            steps: 0,
        };
        learner.weigh_inputs(true);
        let means = learner.means_of(mels);
        learner.centre(&means, 1.0);
        learner.means = means;
        learner.moments = learner
            .layers()
            .map(|it| {
                let nought = Affine {
                    weights: Array2::zeros(it.weights.dim()),
                    bias: Array1::zeros(it.bias.len()),
                };
                Moments {
                    mean: nought.clone(),
                    square: nought,
                }
            })
            .collect();
        learner
    }

    /// The network as it stands in a file.
    pub(super) fn finished(mut self) -> Network {
        let means = std::mem::take(&mut self.means);
        self.centre(&means, -1.0);
        self.weigh_inputs(false);
        self.network
    }

    /// Lets the first layer take values by their mean and deviation, or plain ones again.
    fn weigh_inputs(&mut self, by_deviation: bool) {
        let first = &mut self.network.first;
        let shift = self.mean.mapv(|it| it - FLOOR);
        let times = first.weights.ncols() / BINS;
        let along = |values: &Array1<f32>| {
            let values = values.iter().copied().cycle().take(times * BINS);
            values.collect::<Array1<f32>>()
        };
        if by_deviation {
            first.bias += &first.weights.dot(&along(&shift));
            first.weights *= &along(&self.deviation);
        } else {
            first.weights /= &along(&self.deviation);
            first.bias -= &first.weights.dot(&along(&shift));
        }
    }

    /// Makes up in the biases for means that are taken off behind the layers (`sign` 1), or no
    /// longer are (-1).
    fn centre(&mut self, means: &[Array1<f32>], sign: f32) {
        let mut missing: Array1<f32> = Array1::zeros(self.network.first.bias.len());
        for (mean, pair) in means.iter().zip(&mut self.network.pairs) {
            missing = missing * SKIP + mean * sign;
            let thrice = [missing.view(), missing.view(), missing.view()];
            let thrice = concatenate(Axis(0), &thrice).unwrap_or_default();
            pair.wide.bias += &pair.wide.weights.dot(&pair.narrow.weights.dot(&thrice));
        }
        if let Some(mean) = means.last() {
            missing = missing * SKIP + mean * sign;
        }
        let out = &mut self.network.out;
        out.bias += &out.weights.dot(&self.network.last.weights.dot(&missing));
    }

    /// The mean of what each layer finds.
    fn means_of(&self, mels: &[Array2<f32>]) -> Vec<Array1<f32>> {
        let mut sums = self.means.clone();
        let mut count = 0.0;
        for trace in mels.iter().filter_map(|it| self.trace(it)) {
            let found = trace.pairs.iter().map(|it| &it.found);
            let found = std::iter::once(&trace.first).chain(found);
            for (sum, found) in sums.iter_mut().zip(found) {
                if let Some(mean) = found.mean_axis(Axis(0)) {
                    *sum += &mean;
                }
            }
            count += 1.0;
        }
        sums.into_iter()
            .map(|it| it / f32::max(count, 1.0))
            .collect()
    }

    fn layers(&self) -> impl Iterator<Item = &Affine> {
        let network = &self.network;
        let pairs = network.pairs.iter().flat_map(|it| [&it.narrow, &it.wide]);
        std::iter::once(&network.first)
            .chain(pairs)
            .chain([&network.last, &network.out])
    }

    fn layers_mut(&mut self) -> impl Iterator<Item = &mut Affine> {
        let network = &mut self.network;
        let pairs = network.pairs.iter_mut();
        let pairs = pairs.flat_map(|it| [&mut it.narrow, &mut it.wide]);
        std::iter::once(&mut network.first)
            .chain(pairs)
            .chain([&mut network.last, &mut network.out])
    }

    /// One answer for every third frame, and the slopes for what `wanted` says of the answers: how
    /// much less each of them should be. `None` for a sound too short to be answered.
    pub(super) fn learn_from(
        &self,
        mel: &Array2<f32>,
        wanted: impl FnOnce(&Array2<f32>) -> Option<Array2<f32>>,
    ) -> Option<Slopes> {
        let trace = self.trace(mel)?;
        let slope = wanted(&trace.answers)?;
        Some(self.slopes(&trace, slope))
    }

    /// What the layers find, from frame to answer. At the edges, frames are repeated.
    fn trace(&self, mel: &Array2<f32>) -> Option<Trace> {
        let answers = mel.nrows() / STRIDE;
        if answers == 0 {
            return None;
        }
        let network = &self.network;
        let reach = network.reach();
        let before: usize = network.pairs.iter().map(|it| it.before).sum();
        let after: usize = network.pairs.iter().map(|it| it.after).sum();
        let last = (answers * STRIDE - 1) as isize;
        let width = (2 * reach + 1) * BINS;
        let count = answers + before + after;
        let windows = Array2::from_shape_fn((count, width), |(row, column)| {
            let middle = (STRIDE * row) as isize - (STRIDE * before) as isize;
            let frame = middle + (column / BINS) as isize - reach as isize;
            let frame = frame.clamp(0, last) as usize;
            let bin = column % BINS;
            (mel[(frame, bin)].max(FLOOR) - self.mean[bin]) / self.deviation[bin]
        });
        let mut means = self.means.iter();
        let first = relu(network.first.applied(&windows));
        let mut hidden = &first - means.next()?;
        let mut pairs = Vec::new();
        for (pair, mean) in network.pairs.iter().zip(means) {
            let rows = hidden.nrows().checked_sub(pair.before + pair.after)?;
            let middle = hidden.slice(s![pair.before..pair.before + rows, ..]);
            let parts = [
                hidden.slice(s![..rows, ..]),
                middle,
                hidden.slice(s![pair.before + pair.after.., ..]),
            ];
            let seen = concatenate(Axis(1), &parts).ok()?;
            let narrow = pair.narrow.applied(&seen);
            let found = relu(pair.wide.applied(&narrow));
            let next = &middle * SKIP + &found - mean;
            pairs.push(PairTrace {
                seen,
                narrow,
                found,
            });
            hidden = next;
        }
        let last = network.last.applied(&hidden);
        Some(Trace {
            answers: network.out.applied(&last),
            windows,
            first,
            pairs,
            hidden,
            last,
        })
    }

    /// The slopes of all layers, from the answers backwards.
    fn slopes(&self, trace: &Trace, slope: Array2<f32>) -> Slopes {
        let network = &self.network;
        let (out, slope) = network.out.back(&trace.last, slope);
        let (last, mut slope) = network.last.back(&trace.hidden, slope);
        let mut slopes = vec![out, last];
        for (pair, trace) in network.pairs.iter().zip(&trace.pairs).rev() {
            let found = below(&slope, &trace.found);
            let (wide, narrow) = pair.wide.back(&trace.narrow, found);
            let (narrow, seen) = pair.narrow.back(&trace.seen, narrow);
            slopes.extend([wide, narrow]);
            let (rows, size) = slope.dim();
            let (before, after) = (pair.before, pair.after);
            let mut under = Array2::zeros((rows + before + after, size));
            let parts = [
                (0, seen.slice(s![.., ..size])),
                (before, seen.slice(s![.., size..2 * size])),
                (before + after, seen.slice(s![.., 2 * size..])),
            ];
            for (start, part) in parts {
                let mut place = under.slice_mut(s![start..start + rows, ..]);
                place += &part;
            }
            let mut middle = under.slice_mut(s![before..before + rows, ..]);
            middle.scaled_add(SKIP, &slope);
            slope = under;
        }
        let (first, _) = network
            .first
            .back(&trace.windows, below(&slope, &trace.first));
        slopes.push(first);
        slopes.reverse();
        Slopes(slopes)
    }

    /// One small step against the slopes (Adam).
    pub(super) fn step(&mut self, slopes: &Slopes) {
        self.steps += 1;
        let mean_share = 1.0 - MEAN_KEPT.powi(self.steps);
        let square_share = 1.0 - SQUARE_KEPT.powi(self.steps);
        let change = |mean: &mut f32, square: &mut f32, slope: f32| {
            *mean = MEAN_KEPT * *mean + (1.0 - MEAN_KEPT) * slope;
            *square = SQUARE_KEPT * *square + (1.0 - SQUARE_KEPT) * slope * slope;
            RATE * (*mean / mean_share) / ((*square / square_share).sqrt() + LEAST)
        };
        let mut moments = std::mem::take(&mut self.moments);
        for ((layer, moments), slope) in self.layers_mut().zip(&mut moments).zip(&slopes.0) {
            let weights = layer.weights.iter_mut().zip(&slope.weights);
            let of_weights = moments
                .mean
                .weights
                .iter_mut()
                .zip(&mut moments.square.weights);
            for ((weight, slope), (mean, square)) in weights.zip(of_weights) {
                *weight -= change(mean, square, *slope);
            }
            // What has no bias of its own gets none.
            if layer.bias.iter().all(|it| *it == 0.0) {
                continue;
            }
            let bias = layer.bias.iter_mut().zip(&slope.bias);
            let of_bias = moments.mean.bias.iter_mut().zip(&mut moments.square.bias);
            for ((bias, slope), (mean, square)) in bias.zip(of_bias) {
                *bias -= change(mean, square, *slope);
            }
        }
        self.moments = moments;
    }
}

impl Slopes {
    /// Adds those of another utterance.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, new) in self.0.iter_mut().zip(&other.0) {
            sum.weights += &new.weights;
            sum.bias += &new.bias;
        }
    }
}

impl Affine {
    fn applied(&self, input: &Array2<f32>) -> Array2<f32> {
        input.dot(&self.weights.t()) + &self.bias
    }

    /// The slopes of this layer and of what went into it.
    fn back(&self, input: &Array2<f32>, slope: Array2<f32>) -> (Self, Array2<f32>) {
        let own = Self {
            weights: slope.t().dot(input),
            bias: slope.sum_axis(Axis(0)),
        };
        let under = slope.dot(&self.weights);
        (own, under)
    }
}

fn relu(values: Array2<f32>) -> Array2<f32> {
    values.mapv_into(|it| it.max(0.0))
}

/// The slope before a relu: nothing passes where it found nothing.
fn below(slope: &Array2<f32>, found: &Array2<f32>) -> Array2<f32> {
    let mut slope = slope.clone();
    slope.zip_mut_with(found, |slope, found| {
        if *found <= 0.0 {
            *slope = 0.0;
        }
    });
    slope
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::chance::Chance;
    use super::super::network::Pair;
    use super::*;

    fn affine(chance: &mut Chance, rows: usize, columns: usize, has_bias: bool) -> Affine {
        let width = 1.0 / (columns as f32).sqrt();
        Affine {
            weights: Array2::from_shape_fn((rows, columns), |_| chance.normal(width)),
            bias: Array1::from_shape_fn(rows, |_| if has_bias { chance.normal(0.3) } else { 0.0 }),
        }
    }

    /// A small network with chance weights and so many outputs.
    pub(crate) fn network(chance: &mut Chance, outputs: usize) -> Network {
        let size = 12;
        let mut first = affine(chance, size, 3 * BINS, true);
        first.weights *= 0.1;
        let mut pair = |before, after| Pair {
            before,
            after,
            narrow: affine(chance, 5, 3 * size, false),
            wide: affine(chance, size, 5, true),
        };
        let pairs = vec![pair(1, 1), pair(2, 1)];
        Network {
            first,
            pairs,
            last: affine(chance, 6, size, false),
            out: affine(chance, outputs, 6, true),
        }
    }

    pub(crate) fn mel(chance: &mut Chance, frames: usize) -> Array2<f32> {
        Array2::from_shape_fn((frames, BINS), |_| 11.0 + chance.normal(4.0))
    }

    fn answers(learner: &Learner, mel: &Array2<f32>) -> Array2<f32> {
        learner.trace(mel).unwrap().answers
    }

    #[test]
    fn a_learner_that_learns_nothing_is_the_network_it_was() {
        let mut chance = Chance(3);
        let network = network(&mut chance, 6);
        let mels = [mel(&mut chance, 40), mel(&mut chance, 31)];
        let again = Learner::new(&network, &mels).finished();
        for (one, other) in [(&network.first, &again.first), (&network.out, &again.out)] {
            assert!(
                (&one.weights - &other.weights)
                    .iter()
                    .all(|it| it.abs() < 1e-5)
            );
            assert!((&one.bias - &other.bias).iter().all(|it| it.abs() < 1e-3));
        }
        let one = Learner::new(&network, &mels);
        let other = Learner::new(&again, &mels[..1]);
        let difference = answers(&one, &mels[1]) - answers(&other, &mels[1]);
        assert!(difference.iter().all(|it| it.abs() < 1e-3), "{difference}");
        // Ten answers for one and thirty frames.
        assert_eq!(difference.dim(), (10, 6));
    }

    #[test]
    fn slopes_are_those_of_the_answers() {
        let mut chance = Chance(5);
        let network = network(&mut chance, 6);
        let mel = mel(&mut chance, 30);
        let learner = Learner::new(&network, std::slice::from_ref(&mel));
        let weights = Array2::from_shape_fn((10, 6), |_| chance.normal(1.0));
        let sum = |learner: &Learner| (answers(learner, &mel) * &weights).sum();
        let slopes = learner.learn_from(&mel, |_| Some(weights.clone())).unwrap();
        for (number, slope) in slopes.0.iter().enumerate() {
            let (place, slope) = slope.weights.indexed_iter().next().unwrap();
            let moved = |by: f32| {
                let mut moved = Learner::new(&network, std::slice::from_ref(&mel));
                moved.layers_mut().nth(number).unwrap().weights[place] += by;
                sum(&moved)
            };
            let measured = (moved(0.004) - moved(-0.004)) / 0.008;
            let near = 0.03 * slope.abs().max(0.3);
            assert!(
                (measured - slope).abs() < near,
                "{number}: {measured} {slope}"
            );
        }
    }
}
