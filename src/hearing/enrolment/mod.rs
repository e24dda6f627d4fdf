//! Tunes the networks of a hearing model to one person, from what he has read aloud.
//!
//! All weights go a few small steps of [`mmi`]: thirty moves are enough for how somebody says what
//! is mistaken, and the steps are too few to lose what the networks knew. [`mel`] turns sound into
//! frames, [`room`] adds noise and other voices to them, [`network`] reads and writes the model's
//! file, [`layers`] answers and learns, and [`sounds`] knows what was said.

mod chance;
mod layers;
mod mel;
mod mmi;
mod network;
mod room;
mod sounds;

use ndarray::{Array2, Axis};

use self::chance::Chance;
use self::layers::{Learner, Slopes};
use self::mel::log_mel;
use self::network::{Network, STRIDE, read, written};
use self::room::in_a_room;
use self::sounds::Spoken;

pub use self::network::NotTunable;
pub use self::sounds::{NoSounds, Sounds};

/// How many steps each network goes.
pub const STEPS: usize = 12;

/// Every time an utterance is somewhat slower or faster, and louder or softer, in nats.
const SPEEDS: [f32; 2] = [0.92, 1.08];
const LOUDER: f32 = 0.3;
/// How strongly great answers are held down.
const HELD_DOWN: f32 = 2e-4;

/// Something that was read aloud.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its sound, at [`crate::SAMPLE_RATE`].
    pub sound: Vec<i16>,
    /// Its words, each with its pronunciations: "ts e: z a 3".
    pub words: Vec<Vec<String>>,
}

/// An utterance that is learnt from.
struct Lesson {
    mel: Array2<f32>,
    spoken: Spoken,
}

/// The file of a model's networks, `am/final.mdl`, tuned to whoever read this. `progress` is told
/// after every step how many of how many are done.
///
/// # Errors
///
/// [`NotTunable`] for a file whose networks are none of annexd's, and if nothing that was read is
/// of use: a word without a pronunciation that the model has, or no sound.
pub fn tuned(
    file: &[u8],
    sounds: &Sounds,
    readings: &[Reading],
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<u8>, NotTunable> {
    let mut networks = read(file, 2 * sounds.count())?;
    let lessons: Vec<Lesson> = readings
        .iter()
        .filter_map(|reading| {
            let mel = log_mel(trimmed(&reading.sound));
            let spoken = Spoken::of(&reading.words, sounds)?;
            (mel.nrows() >= STRIDE).then_some(Lesson { mel, spoken })
        })
        .collect();
    if lessons.is_empty() {
        return Err(NotTunable("nothing was read".to_owned()));
    }
    let all = STEPS * networks.len();
    for (number, (_, network)) in networks.iter_mut().enumerate() {
        let learnt = learnt(
            network,
            &lessons,
            sounds,
            Chance(number as u64 + 1),
            |step| {
                progress(number * STEPS + step, all);
            },
        );
        *network = learnt;
    }
    written(file, &networks)
}

fn learnt(
    network: &Network,
    lessons: &[Lesson],
    sounds: &Sounds,
    mut chance: Chance,
    mut progress: impl FnMut(usize),
) -> Network {
    let mels: Vec<Array2<f32>> = lessons.iter().map(|it| it.mel.clone()).collect();
    let mut learner = Learner::new(network, &mels);
    let answers: usize = mels.iter().map(|it| it.nrows() / STRIDE).sum();
    // So the slopes are those of an answer, as the training has them.
    let share = STRIDE as f32 / answers.max(1) as f32;
    for step in 1..=STEPS {
        let mut sum: Option<Slopes> = None;
        for lesson in lessons {
            let mel = changed(&lesson.mel, &mut chance);
            let mel = in_a_room(mel, &mels, &mut chance);
            let wanted = |scores: &Array2<f32>| {
                let said = mmi::said(scores, &lesson.spoken, sounds)?;
                let all = mmi::anything(scores, sounds);
                let better = (all.occupied - said.occupied).mapv(|it| it as f32);
                Some((better + scores * (2.0 * HELD_DOWN / STRIDE as f32)) * share)
            };
            match (&mut sum, learner.learn_from(&mel, wanted)) {
                (Some(sum), Some(new)) => sum.add(&new),
                (sum @ None, new) => *sum = new,
                (Some(_), None) => {}
            }
        }
        if let Some(sum) = sum {
            learner.step(&sum);
        }
        progress(step);
    }
    learner.finished()
}

/// An utterance, somewhat faster or slower, louder or softer.
fn changed(mel: &Array2<f32>, chance: &mut Chance) -> Array2<f32> {
    let [slow, fast] = SPEEDS;
    let speed = chance.between(slow, fast);
    let last = mel.nrows().saturating_sub(1);
    let count = (last as f32 / speed).ceil() as usize;
    let frames: Vec<usize> = (0..count)
        .map(|at| ((at as f32 * speed).round() as usize).min(last))
        .collect();
    mel.select(Axis(0), &frames) + chance.normal(LOUDER)
}

/// How loud the quiet edges of an utterance are at most, as a share of its loudest place and at
/// all.
const EDGE_SHARE: f32 = 0.03;
const EDGE: f32 = 20.0;
/// Over so many samples loudness is a mean, and so many stay before and, twice, behind.
const SMOOTHED: usize = 400;
const ROOM: usize = crate::SAMPLE_RATE as usize / 20;

/// A sound without its quiet edges.
fn trimmed(sound: &[i16]) -> &[i16] {
    let mut sum = 0.0;
    let loudness: Vec<f32> = (0..sound.len())
        .map(|at| {
            sum += f32::from(sound[at]).abs();
            if at >= SMOOTHED {
                sum -= f32::from(sound[at - SMOOTHED]).abs();
            }
            sum / SMOOTHED as f32
        })
        .collect();
    let loudest = loudness.iter().copied().fold(0.0, f32::max);
    let is_loud = |it: &f32| *it > EDGE.max(EDGE_SHARE * loudest);
    let first = loudness.iter().position(is_loud);
    let last = loudness.iter().rposition(is_loud);
    let (Some(first), Some(last)) = (first, last) else {
        return sound;
    };
    // The mean is of the samples before a place.
    let middle = |at: usize| at.saturating_sub(SMOOTHED / 2);
    let end = (middle(last) + 2 * ROOM).min(sound.len());
    &sound[middle(first).saturating_sub(ROOM)..end]
}

#[cfg(test)]
mod tests {
    use super::layers::tests::network;
    use super::sounds::tests::three;
    use super::*;

    /// A file with one network, as Kaldi writes it with 16 bits, around which anything may stand.
    fn file(network: &Network) -> Vec<u8> {
        let empty = |affine: &network::Affine| {
            let (rows, columns) = affine.weights.dim();
            let mut bytes = b"CM3 ".to_vec();
            bytes.extend([0.0_f32, 1.0].iter().flat_map(|it| it.to_le_bytes()));
            bytes.extend(
                [rows, columns]
                    .iter()
                    .flat_map(|&it| (it as i32).to_le_bytes()),
            );
            bytes.extend(vec![7; rows * columns]);
            bytes.extend(b"<BiasParams> FV \x04");
            bytes.extend((rows as i32).to_le_bytes());
            bytes.extend(vec![0; 4 * rows]);
            bytes
        };
        let mut file = b"<Nnet3> \n".to_vec();
        for (number, pair) in network.pairs.iter().enumerate() {
            let (before, after) = (STRIDE * pair.before, STRIDE * pair.after);
            let name = format!("narrow{number}");
            let seen = format!("Append(Offset(x, -{before}), x, Offset(x, {after}))");
            let line = format!("component-node name={name} component={name} input={seen}\n");
            file.extend(line.into_bytes());
        }
        for (name, affine) in network.layers() {
            file.extend(
                format!("<ComponentName> {name} <FixedAffineComponent> <LinearParams> ")
                    .into_bytes(),
            );
            file.extend(empty(affine));
            file.extend(b"</FixedAffineComponent> ");
        }
        written(&file, &[(String::new(), network.clone())]).unwrap()
    }

    fn reading(chance: &mut Chance) -> Reading {
        Reading {
            sound: (0..16_000).map(|_| chance.normal(3_000.0) as i16).collect(),
            words: vec![vec!["a b".to_owned()], vec!["a".to_owned()]],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let network = network(&mut Chance(9), 6);
        let file = file(&network);
        let again = read(&file, 6).unwrap();
        assert_eq!(again.len(), 1);
        let near =
            |one: &Array2<f32>, other: &Array2<f32>| (one - other).iter().all(|it| it.abs() < 1e-4);
        for ((_, one), (_, other)) in network.layers().zip(again[0].1.layers()) {
            assert!(near(&one.weights, &other.weights));
            assert_eq!(one.bias, other.bias);
        }
        let looks: Vec<_> = again[0]
            .1
            .pairs
            .iter()
            .map(|it| (it.before, it.after))
            .collect();
        assert_eq!(looks, [(1, 1), (2, 1)]);
        assert_eq!(written(&file, &again).unwrap(), file);
    }

    #[test]
    fn what_was_read_becomes_likelier() {
        let mut chance = Chance(11);
        let network = network(&mut chance, 6);
        let readings = [reading(&mut chance), reading(&mut chance)];
        let mut told = Vec::new();
        let tuned = tuned(&file(&network), &three(), &readings, |done, all| {
            told.push((done, all));
        });
        assert_eq!(told.last(), Some(&(STEPS, STEPS)));
        let tuned = read(&tuned.unwrap(), 6).unwrap().remove(0).1;
        let better = |network: &Network| -> f64 {
            let gain = |reading: &Reading| {
                let mel = log_mel(&reading.sound);
                let spoken = Spoken::of(&reading.words, &three()).unwrap();
                let learner = Learner::new(network, std::slice::from_ref(&mel));
                let mut gain = 0.0;
                learner.learn_from(&mel, |scores| {
                    let said = mmi::said(scores, &spoken, &three()).unwrap().likelihood;
                    gain = said - mmi::anything(scores, &three()).likelihood;
                    None
                });
                gain
            };
            readings.iter().map(gain).sum()
        };
        assert!(
            better(&tuned) > better(&network),
            "{} {}",
            better(&tuned),
            better(&network)
        );
    }

    #[test]
    fn a_damaged_file_is_refused_and_never_a_panic() {
        let network = network(&mut Chance(13), 6);
        let file = file(&network);
        let sounds = three();
        let mut chance = Chance(17);
        let readings = [reading(&mut chance)];
        let last = b"</FixedAffineComponent> ".len();
        for cut in (0..file.len() - last).step_by(97) {
            assert!(
                tuned(&file[..cut], &sounds, &readings, |_, _| ()).is_err(),
                "{cut}"
            );
        }
        for _ in 0..300 {
            let mut damaged = file.clone();
            let place = (chance.next() * damaged.len() as f32) as usize;
            damaged[place] ^= 1 << (chance.next() * 8.0) as u8;
            let _ = read(&damaged, 6);
        }
        assert!(tuned(&file, &sounds, &[], |_, _| ()).is_err());
    }

    #[test]
    fn quiet_edges_are_cut_off() {
        let mut sound = vec![3_i16; 16_000];
        sound[8_000..10_000].fill(5_000);
        let kept = trimmed(&sound);
        assert!((3_000..5_500).contains(&kept.len()), "{}", kept.len());
        assert!(kept.iter().filter(|it| **it == 5_000).count() == 2_000);
        assert!(trimmed(&[]).is_empty());
    }
}
