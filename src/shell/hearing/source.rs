//! Reads WAV and FLAC files of any rate, channel count and sample format, piece by piece.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use claxon::FlacReader;
use hound::{SampleFormat, WavReader};

use super::front_for;
use crate::shell::error::{Result, error};

/// The lowest and highest valid sample rates of a sound file.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=384_000;

/// Lengths from this value on are placeholders of programs that cannot know the length.
const UNKNOWN_LENGTH: u64 = 0x7fff_0000;

/// An open sound file.
pub struct Source {
    name: String,
    rate: u32,
    channels: usize,
    coding: Coding,
}

enum Coding {
    Whole(Box<dyn Iterator<Item = hound::Result<i32>>>, f32, bool),
    Float(Box<dyn Iterator<Item = hound::Result<f32>>>, bool),
    Flac(Box<FlacReader<BufReader<File>>>, f32, u64),
}

impl Source {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the file cannot be read, is empty, or is no WAV or FLAC.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let mut file = File::open(path)
            .map_err(|error| error!(BadInput, SoundUnreadable, name = name, why = error))?;
        if path.is_dir() {
            return Err(error!(BadInput, SoundIsFolder, name = name));
        }
        let mut head = Vec::new();
        let read = (&mut file).take(12).read_to_end(&mut head);
        read.map_err(|error| error!(BadInput, SoundUnreadable, name = name, why = error))?;
        file.rewind()
            .map_err(|error| error!(BadInput, SoundNoRewind, name = name, why = error))?;
        let file = BufReader::new(file);
        let source = match head.as_slice() {
            [] => return Err(error!(BadInput, SoundEmpty, name = name)),
            [b'R', b'I', b'F', b'F', ..] => Self::open_wav(name.clone(), file),
            [b'f', b'L', b'a', b'C', ..] => Self::open_flac(name.clone(), file),
            _ => {
                return Err(error!(BadInput, SoundOfNoKind, name = name));
            }
        }?;
        if !RATES.contains(&source.rate) || !(1..=64).contains(&source.channels) {
            return Err(error!(
                BadInput,
                SoundOfNoShape,
                name = name,
                rate = source.rate,
                channels = source.channels
            ));
        }
        Ok(source)
    }

    fn open_wav(name: String, file: BufReader<File>) -> Result<Self> {
        let reader = WavReader::new(file).map_err(|error| match error {
            hound::Error::IoError(_) => error!(BadInput, WavHead, name = name),
            hound::Error::Unsupported => error!(BadInput, WavCoding, name = name),
            other => error!(BadInput, WavWrong, name = name, why = other.to_string()),
        })?;
        let spec = reader.spec();
        let bytes = u64::from(reader.len()) * u64::from(spec.bits_per_sample / 8);
        let has_length = bytes < UNKNOWN_LENGTH;
        let coding = match spec.sample_format {
            SampleFormat::Float => Coding::Float(Box::new(reader.into_samples()), has_length),
            SampleFormat::Int => {
                let full_scale = full_scale(u32::from(spec.bits_per_sample));
                Coding::Whole(Box::new(reader.into_samples()), full_scale, has_length)
            }
        };
        Ok(Self {
            name,
            rate: spec.sample_rate,
            channels: usize::from(spec.channels),
            coding,
        })
    }

    fn open_flac(name: String, file: BufReader<File>) -> Result<Self> {
        let reader = FlacReader::new(file)
            .map_err(|error| error!(BadInput, FlacWrong, name = name, why = error))?;
        let info = reader.streaminfo();
        let samples = info.samples.unwrap_or(0);
        Ok(Self {
            name,
            rate: info.sample_rate,
            channels: info.channels as usize,
            coding: Coding::Flac(Box::new(reader), full_scale(info.bits_per_sample), samples),
        })
    }

    /// Samples per second of each channel.
    pub const fn rate(&self) -> u32 {
        self.rate
    }

    /// Channels, whose samples are interleaved.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// The next samples, between -1 and 1: about 20 ms or one FLAC block; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the file breaks off or is damaged. Earlier samples are valid.
    pub fn read(&mut self) -> Result<Option<Vec<f32>>> {
        let count = self.rate as usize / 50 * self.channels;
        let (samples, error) = match &mut self.coding {
            Coding::Whole(samples, full_scale, has_length) => {
                let scale = 1.0 / *full_scale;
                let scaled = samples.map(|sample| sample.map(|value| value as f32 * scale));
                take(scaled, count, *has_length)
            }
            Coding::Float(samples, has_length) => take(samples, count, *has_length),
            Coding::Flac(reader, full_scale, left) => {
                read_flac(reader, self.channels, *full_scale, left)
            }
        };
        match error {
            Some(reason) if samples.is_empty() => Err(error!(
                BadInput,
                SoundBreaksOff,
                name = self.name,
                why = reason
            )),
            _ if samples.is_empty() => Ok(None),
            _ => Ok(Some(samples)),
        }
    }
}

/// A whole file at [`super::SAMPLE_RATE`].
///
/// # Errors
///
/// Those of [`Source::open`] and [`Source::read`].
pub fn read_whole(path: &Path) -> Result<Vec<i16>> {
    let mut source = Source::open(path)?;
    let mut front = front_for(source.rate, source.channels)?;
    let mut sound = Vec::new();
    while let Some(samples) = source.read()? {
        sound.extend(front.feed(&samples));
    }
    sound.extend(front.finish());
    Ok(sound)
}

fn full_scale(bits: u32) -> f32 {
    2_f32.powi(bits.clamp(1, 32) as i32 - 1)
}

/// Samples, and why there are no more. An end without a known length is no error.
fn take(
    samples: impl Iterator<Item = hound::Result<f32>>,
    count: usize,
    has_length: bool,
) -> (Vec<f32>, Option<String>) {
    let mut taken = Vec::with_capacity(count);
    for sample in samples.take(count) {
        match sample {
            Ok(value) if value.is_finite() => taken.push(value),
            Ok(_) => taken.push(0.0),
            Err(error) => return (taken, has_length.then(|| error.to_string())),
        }
    }
    (taken, None)
}

fn read_flac(
    reader: &mut FlacReader<BufReader<File>>,
    channels: usize,
    full_scale: f32,
    left: &mut u64,
) -> (Vec<f32>, Option<String>) {
    let block = match reader.blocks().read_next_or_eof(Vec::new()) {
        Ok(Some(block)) => block,
        Ok(None) if *left > 0 => return (Vec::new(), Some("samples are missing".to_owned())),
        Ok(None) => return (Vec::new(), None),
        Err(error) => return (Vec::new(), Some(error.to_string())),
    };
    *left = left.saturating_sub(u64::from(block.duration()));
    let mut samples = Vec::with_capacity(block.duration() as usize * channels);
    for index in 0..block.duration() {
        for channel in 0..block.channels().min(channels as u32) {
            samples.push(block.sample(channel, index) as f32 / full_scale);
        }
    }
    (samples, None)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::shell::error::ErrorKind;

    fn file(name: &str, bytes: &[u8]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("annexd-source-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn wav(rate: u32, channels: u16, seconds: f32) -> Vec<u8> {
        let spec = hound::WavSpec {
            channels,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: SampleFormat::Int,
        };
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
        for index in 0..(rate as f32 * seconds) as u32 * u32::from(channels) {
            writer.write_sample((index % 100) as i16 * 100).unwrap();
        }
        writer.finalize().unwrap();
        bytes.into_inner()
    }

    fn read_all(path: &Path) -> Result<usize> {
        let mut source = Source::open(path)?;
        let mut count = 0;
        while let Some(samples) = source.read()? {
            count += samples.len();
        }
        Ok(count)
    }

    #[test]
    fn rates_and_channels_are_read() {
        for (rate, channels) in [(8_000, 1), (16_000, 1), (44_100, 2), (96_000, 2)] {
            let path = file(&format!("{rate}-{channels}.wav"), &wav(rate, channels, 0.5));
            let expected = rate as usize / 2 * usize::from(channels);
            assert_eq!(read_all(&path).unwrap(), expected);
        }
    }

    #[test]
    fn bad_files_get_one_sentence_that_names_them() {
        let whole = wav(16_000, 1, 0.5);
        let mut foreign = whole.clone();
        foreign[20] = 6;
        for (name, bytes, expected) in [
            ("empty.wav", Vec::new(), "the file is empty"),
            (
                "text.wav",
                b"Springer Gustav eins".to_vec(),
                "neither WAV nor FLAC",
            ),
            (
                "header.wav",
                whole[..20].to_vec(),
                "breaks off in its header",
            ),
            (
                "short.wav",
                whole[..whole.len() / 2].to_vec(),
                "breaks off or is damaged",
            ),
            ("law.wav", foreign, "not supported"),
            ("short.flac", b"fLaC\0\0\0".to_vec(), "no proper FLAC"),
        ] {
            let error = read_all(&file(name, &bytes)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::BadInput);
            assert!(error.message.contains(name), "{error}");
            assert!(error.message.contains(expected), "{error}");
        }
        let error = read_all(Path::new("/nowhere/at.wav")).unwrap_err();
        assert!(error.message.contains("/nowhere/at.wav"), "{error}");
    }

    #[test]
    fn a_streamed_wav_without_a_length_is_read_to_its_end() {
        let mut bytes = wav(16_000, 1, 0.5);
        let at = bytes.windows(4).position(|four| four == b"data").unwrap() + 4;
        bytes[at..at + 4].copy_from_slice(&0x7fff_f000_u32.to_le_bytes());
        assert_eq!(read_all(&file("streamed.wav", &bytes)).unwrap(), 8_000);
    }
}
