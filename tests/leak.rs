//! Annexd's own voice leaks from the loudspeaker into the microphone: "Stopp" is heard over it,
//! and nothing that annexd says is taken for an announcement.
#![cfg(feature = "recognizer")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use annexd::notation::{Command as Order, Heard, Said};
use annexd::shell::hearing::endpoint::Patience;
use annexd::shell::hearing::listener::{Listener, Obeying, Utterance};
use annexd::shell::hearing::model::HearingModel;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const RATE: usize = 16_000;

/// What annexd says at the table, as its clips say it.
const SAYINGS: [&str; 4] = ["Nf3", "e4", "a4", "Nc3"];
const BLOCK: usize = RATE / 50;

fn samples(path: &Path) -> Vec<f32> {
    let mut reader = hound::WavReader::open(path).expect("a WAV file");
    let rate = reader.spec().sample_rate as usize;
    let sound: Vec<f32> = reader
        .samples::<i16>()
        .map(|it| f32::from(it.expect("a sample")))
        .collect();
    // The nearest sample will do: both rates are those of speech.
    let count = sound.len() * RATE / rate;
    (0..count).map(|at| sound[at * rate / RATE]).collect()
}

fn of_annexd(folder: &TempDir, text: &str) -> Vec<f32> {
    let path = folder.path().join("annexd.wav");
    let said = Command::new(env!("CARGO_BIN_EXE_annexd"))
        .args(["say", "--wav"])
        .args([path.as_os_str(), text.as_ref()])
        .env("ANNEXD_DATA", ROOT)
        .output()
        .expect("the program was built");
    assert!(said.status.success(), "{said:?}");
    samples(&path)
}

/// A voice that says this, or nothing where nobody can speak.
fn of_player(folder: &TempDir, voice: &str, text: &str) -> Option<Vec<f32>> {
    let path = folder.path().join("player.wav");
    let mut command = Command::new("espeak-ng");
    command.args(["-v", voice, "-w"]).arg(&path).arg(text);
    if command.status().is_ok_and(|status| status.success()) {
        return Some(samples(&path));
    }
    eprintln!("skipped: espeak-ng is not installed");
    None
}

/// Annexd says four things, which leak so many decibels below what is played; over the last one
/// the player speaks. What is obeyed.
fn obeyed(listener: &mut Listener, sayings: &[Vec<f32>], leak: f32, player: &[f32]) -> Vec<Heard> {
    let gain = 10_f32.powf(leak / 20.0);
    let mut heard: Vec<Utterance> = Vec::new();
    for (number, saying) in sayings.iter().enumerate() {
        let mut sound: Vec<f32> = saying.iter().map(|it| it * gain).collect();
        if number + 1 == sayings.len() {
            let from = RATE * 7 / 10;
            sound.resize(sound.len().max(from + player.len()), 0.0);
            for (sample, of_player) in sound[from..].iter_mut().zip(player) {
                *sample += of_player;
            }
        }
        let (mut said, mut hiss) = (0, 1_u32);
        sound.resize(sound.len() + 3 * RATE / 2, 0.0);
        for block in sound.chunks(BLOCK) {
            listener.obey(match said < saying.len() {
                true => Obeying::BargeIn,
                false => Obeying::Everything,
            });
            said += block.len();
            let block: Vec<i16> = block
                .iter()
                .map(|sample| {
                    hiss = hiss.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (sample + (hiss >> 29) as f32).round() as i16
                })
                .collect();
            heard.extend(listener.feed(&block));
        }
    }
    heard.iter().filter_map(Utterance::heard).collect()
}

#[test]
fn stopp_is_heard_over_annexds_own_voice_and_nothing_else() {
    let folder = TempDir::new().expect("a folder");
    let lexicon = Arc::new(annexd::shell::config::data::lexicon("de").expect("the lexicon"));
    let model = match HearingModel::open(&Path::new(ROOT).join("assets/model-de"), &lexicon) {
        Ok(model) => Arc::new(model),
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let listener = || Listener::new(model.clone(), lexicon.clone(), Patience::default()).unwrap();
    let sayings: Vec<_> = SAYINGS.iter().map(|it| of_annexd(&folder, it)).collect();
    for leak in [0.0, -12.0, -18.0, -24.0, -31.0] {
        assert_eq!(obeyed(&mut listener(), &sayings, leak, &[]), []);
    }
    let stop = Heard::Clear(Said::Command(Order::Stop));
    for (leak, voice) in [
        (-60.0, "de"),
        (-31.0, "de"),
        (-31.0, "de+m3"),
        (-18.0, "de+m3"),
        (-18.0, "de+f2"),
    ] {
        let Some(player) = of_player(&folder, voice, "Stopp") else {
            return;
        };
        let heard = obeyed(&mut listener(), &sayings, leak, &player);
        assert_eq!(
            heard,
            std::slice::from_ref(&stop),
            "a leak of {leak} dB, {voice}"
        );
    }
}

/// Words, and what is obeyed from then on while they are decided: what each utterance comes to.
fn said_before(listener: &mut Listener, words: &[f32], then: Obeying) -> Vec<Utterance> {
    let last = words.iter().rposition(|it| it.abs() > 500.0).unwrap_or(0);
    let mut sound = vec![0.0; RATE];
    sound.extend(&words[..=last]);
    let spoken = sound.len();
    sound.resize(spoken + 3 * RATE / 2, 0.0);
    let (mut fed, mut heard) = (0, Vec::new());
    for block in sound.chunks(BLOCK) {
        listener.obey(match fed < spoken {
            true => Obeying::Everything,
            false => then,
        });
        fed += block.len();
        let block: Vec<i16> = block.iter().map(|it| it.round() as i16).collect();
        heard.extend(listener.feed(&block));
    }
    heard
}

#[test]
fn what_was_said_before_annexd_spoke_or_the_key_was_let_go_is_obeyed() {
    let folder = TempDir::new().expect("a folder");
    let lexicon = Arc::new(annexd::shell::config::data::lexicon("de").expect("the lexicon"));
    let Ok(model) = HearingModel::open(&Path::new(ROOT).join("assets/model-de"), &lexicon) else {
        eprintln!("skipped: there is no model");
        return;
    };
    let Some(words) = of_player(&folder, "de+f2", "letzter Zug") else {
        return;
    };
    let model = Arc::new(model);
    let asked = Heard::Clear(Said::Command(Order::LastMove));
    for then in [Obeying::Everything, Obeying::BargeIn, Obeying::Nothing] {
        let (model, lexicon) = (model.clone(), lexicon.clone());
        let mut listener = Listener::new(model, lexicon, Patience::default()).unwrap();
        let heard = said_before(&mut listener, &words, then);
        let obeyed = heard.iter().filter(|it| !it.was_unobeyed);
        let obeyed: Vec<Heard> = obeyed.filter_map(Utterance::heard).collect();
        assert_eq!(obeyed, std::slice::from_ref(&asked), "{then:?}");
        let began = heard[0].speech_began.as_millis();
        assert!((900..1300).contains(&began), "{began} ms");
    }
    // What is said into a muted microphone is not.
    let mut listener = Listener::new(model, lexicon, Patience::default()).unwrap();
    listener.obey(Obeying::Nothing);
    let sound: Vec<i16> = words.iter().map(|it| it.round() as i16).collect();
    let mut heard = listener.feed(&sound);
    heard.extend(listener.finish());
    assert!(heard.iter().all(|it| it.was_unobeyed), "{heard:?}");
}
