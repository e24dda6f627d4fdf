//! Measures hearing on recordings: how often exact, asked, ignored, and silently wrong.

mod baseline;
mod manifest;
mod noise;
mod tally;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

pub use baseline::FlatWords;
pub use manifest::{Recording, read};
pub use noise::Noise;
pub use tally::{Outcome, Result as RowResult, Tally, confusions};

use super::decide::{Limits, decide};
use super::listener::Utterance;
use super::session::Session;
use super::source::read_whole;
use super::{BLOCK, SAMPLE_RATE};
use crate::notation::{Lexicon, Said, understand};
use crate::shell::error::{Error, Result};
use crate::shell::hearing::verdict::{Decision, same_meaning};

/// How far below the loudest moment sound counts as ended, in decibels.
const SPEECH_RANGE_DB: f32 = 35.0;

/// A noise and its level in decibels.
pub type AtLevel = (Noise, f32);

/// Recognises every row, on all processors. Results are in the order of the rows.
///
/// # Errors
///
/// The first file that cannot be read.
pub fn hear(
    session: &Session,
    rows: &[Recording],
    noise: Option<AtLevel>,
    is_thorough: bool,
) -> Result<Vec<RowResult>> {
    let heard = on_all_processors(rows, |index| {
        hear_row(session, rows, index, noise, is_thorough)
    });
    heard.into_iter().collect()
}

/// Reads every row's file. Returns what is wrong with each, in the order of the rows.
pub fn faults(rows: &[Recording]) -> Vec<Option<Error>> {
    on_all_processors(rows, |index| read_whole(&rows[index].file).err())
}

/// The results of thoroughly recognised recordings with other limits.
pub fn with_limits(
    lexicon: &Lexicon,
    rows: &[Recording],
    results: &[RowResult],
    limits: &Limits,
) -> Vec<RowResult> {
    let again = |(row, result): (&Recording, &RowResult)| {
        let verdicts = result.evidence.iter();
        let acts = verdicts.filter_map(|evidence| {
            let verdict = decide(lexicon, limits, evidence);
            act(verdict.decision, verdict.reading().cloned())
        });
        let heard = result.heard.clone();
        judged(lexicon, row, acts.collect(), heard, result.audio_s)
    };
    rows.iter().zip(results).map(again).collect()
}

/// What is done with an utterance; `None` if it is ignored.
fn act(decision: Decision, said: Option<Said>) -> Option<(Decision, Said)> {
    match (decision, said) {
        (Decision::Ignore, _) | (Decision::Take, None) => None,
        (Decision::Ask, None) => Some((decision, Said::Correction(None))),
        (_, Some(said)) => Some((decision, said)),
    }
}

/// The same recordings through a plain recogniser with a flat list of words.
///
/// # Errors
///
/// As [`hear`].
pub fn hear_flat(
    session: &Session,
    rows: &[Recording],
    noise: Option<AtLevel>,
) -> Result<Vec<RowResult>> {
    let heard = on_all_processors(rows, |index| {
        let sound = sound(rows, index, noise)?;
        let heard = FlatWords::new(session)?.hear(&sound);
        let readings = understand(session.lexicon(), &heard);
        let decision = match readings.as_slice() {
            [_] => Decision::Take,
            _ => Decision::Ignore,
        };
        let acts = readings.into_iter().map(|said| (decision, said)).collect();
        let row = &rows[index];
        let seconds = sound.len() as f64 / f64::from(SAMPLE_RATE);
        Ok(judged(
            session.lexicon(),
            row,
            acts,
            heard.join(" "),
            seconds,
        ))
    });
    heard.into_iter().collect()
}

fn on_all_processors<T: Send>(rows: &[Recording], hear: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(rows.len()));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= rows.len() {
                        break;
                    }
                    let heard = hear(index);
                    match done.lock() {
                        Ok(mut done) => done.push((index, heard)),
                        Err(_) => break,
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, heard)| heard).collect()
}

fn sound(rows: &[Recording], index: usize, noise: Option<AtLevel>) -> Result<Vec<i16>> {
    let clean = read_whole(&rows[index].file)?;
    let Some((noise, level)) = noise else {
        return Ok(clean);
    };
    let mut rng = noise::Rng::new(index as u64 + 1);
    let mut others = Vec::new();
    while noise == Noise::Babble && others.len() < noise::VOICES {
        others.push(read_whole(&rows[rng.below(rows.len())].file)?);
    }
    Ok(noise::mixed(&clean, noise, &others, level, &mut rng))
}

fn hear_row(
    session: &Session,
    rows: &[Recording],
    index: usize,
    noise: Option<AtLevel>,
    is_thorough: bool,
) -> Result<RowResult> {
    let row = &rows[index];
    let sound = sound(rows, index, noise)?;
    let mut listeners = session.listeners()?;
    if is_thorough {
        listeners.be_thorough();
    }
    let mut utterances = listeners.feed(&sound);
    utterances.extend(listeners.finish());
    let acts = utterances
        .iter()
        .filter_map(|heard| act(heard.verdict.decision, heard.reading().cloned()));
    let words: Vec<&str> = utterances
        .iter()
        .flat_map(|utterance| &utterance.words)
        .map(|word| word.word.as_str())
        .collect();
    let seconds = sound.len() as f64 / f64::from(SAMPLE_RATE);
    let mut result = judged(
        session.lexicon(),
        row,
        acts.collect(),
        words.join(" "),
        seconds,
    );
    let expected = expected(session.lexicon(), row);
    if let Some(best) = utterances
        .iter()
        .max_by(|a, b| a.verdict.gain.total_cmp(&b.verdict.gain))
        && let Some(first) = best.verdict.alternatives.first()
    {
        result.confidence = first.confidence;
        result.gain = best.verdict.gain;
        result.is_best_right = !expected.is_empty() && same_meaning(&first.readings, &expected);
    }
    let is_quiet = noise.is_none() && !row.kind.contains('+');
    if let Some(last) = utterances
        .last()
        .filter(|_| is_quiet && !expected.is_empty())
    {
        result.latency_ms = Some(latency_ms(&sound, last));
    }
    if is_thorough {
        result.evidence = utterances.iter().map(|u| u.evidence.clone()).collect();
    }
    result.compute_s = utterances.iter().map(|u| u.compute.as_secs_f64()).sum();
    Ok(result)
}

fn expected(lexicon: &Lexicon, row: &Recording) -> Vec<Said> {
    let words: Vec<&str> = row.text.split_whitespace().collect();
    understand(lexicon, &words)
}

fn judged(
    lexicon: &Lexicon,
    row: &Recording,
    acts: Vec<(Decision, Said)>,
    heard: String,
    audio_s: f64,
) -> RowResult {
    let expected = expected(lexicon, row);
    let words: Vec<&str> = row.text.split_whitespace().collect();
    let is_word = matches!(words.as_slice(), [word] if lexicon.value(word).is_some());
    let takes = || {
        acts.iter()
            .filter(|(decision, _)| *decision == Decision::Take)
    };
    let is_right = |said: &Said| same_meaning(std::slice::from_ref(said), &expected);
    let outcome = if !expected.is_empty() {
        if takes().any(|(_, said)| !is_right(said)) {
            Outcome::SilentlyWrong
        } else if takes().next().is_some() {
            Outcome::Exact
        } else if acts.is_empty() {
            Outcome::Ignored
        } else {
            Outcome::Asked
        }
    } else if takes().next().is_some() {
        Outcome::FalseTake
    } else if is_word {
        if heard == row.text {
            Outcome::WordHeard
        } else {
            Outcome::WordMissed
        }
    } else if acts.is_empty() {
        Outcome::Left
    } else {
        Outcome::TalkAsked
    };
    RowResult {
        file: row.file.display().to_string(),
        speaker: row.speaker.clone(),
        kind: row.kind.clone(),
        outcome,
        said: row.text.clone(),
        heard,
        confidence: 0.0,
        gain: 0.0,
        is_best_right: false,
        latency_ms: None,
        audio_s,
        compute_s: 0.0,
        evidence: Vec::new(),
    }
}

/// The milliseconds from the last moment near the loudest to the decision, with computation counted
/// as immediate.
fn latency_ms(sound: &[i16], utterance: &Utterance) -> f64 {
    let levels: Vec<f32> = sound
        .chunks(BLOCK)
        .map(|block| {
            let power: f32 = block.iter().map(|&s| f32::from(s).powi(2)).sum();
            10.0 * (power / block.len() as f32 + 1e-3).log10()
        })
        .collect();
    let loudest = levels.iter().copied().fold(f32::MIN, f32::max);
    let last = levels
        .iter()
        .rposition(|&level| level > loudest - SPEECH_RANGE_DB);
    let ended = Duration::from_millis(20 * (last.unwrap_or(0) as u64 + 1));
    let waited = utterance.decided.as_secs_f64() - ended.as_secs_f64();
    (waited + utterance.compute_at_end.as_secs_f64()) * 1000.0
}
