//! Sound with cue marks: the recording that D.2.7 allows, as one WAV file.

/// A mark in a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    /// The number of the sample.
    pub sample: u32,
    /// What begins there, such as `12... Nf6`.
    pub label: String,
}

/// Writes samples of one channel as a WAV file, with marks to which sound players can jump.
///
/// `None` if it does not fit into a WAV file, which holds 4 gigabytes.
pub fn to_wave(samples: &[i16], rate: u32, cues: &[Cue]) -> Option<Vec<u8>> {
    let mut chunks = Vec::new();
    let mut format = Vec::new();
    for half in [1_u16, 1] {
        format.extend(half.to_le_bytes());
    }
    format.extend(rate.to_le_bytes());
    format.extend(rate.checked_mul(2)?.to_le_bytes());
    for half in [2_u16, 16] {
        format.extend(half.to_le_bytes());
    }
    push_chunk(&mut chunks, *b"fmt ", &format)?;
    let data: Vec<u8> = samples
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    push_chunk(&mut chunks, *b"data", &data)?;
    let mut points = u32::try_from(cues.len()).ok()?.to_le_bytes().to_vec();
    let mut labels = b"adtl".to_vec();
    for (number, cue) in (1_u32..).zip(cues) {
        points.extend(number.to_le_bytes());
        points.extend(cue.sample.to_le_bytes());
        points.extend(b"data");
        points.extend([0; 8]);
        points.extend(cue.sample.to_le_bytes());
        let mut label = number.to_le_bytes().to_vec();
        label.extend(cue.label.bytes().filter(|&byte| byte != 0));
        label.push(0);
        push_chunk(&mut labels, *b"labl", &label)?;
    }
    push_chunk(&mut chunks, *b"cue ", &points)?;
    push_chunk(&mut chunks, *b"LIST", &labels)?;
    let mut file = b"RIFF".to_vec();
    file.extend(u32::try_from(chunks.len() + 4).ok()?.to_le_bytes());
    file.extend(b"WAVE");
    file.extend(chunks);
    Some(file)
}

fn push_chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) -> Option<()> {
    file.extend(name);
    file.extend(u32::try_from(content.len()).ok()?.to_le_bytes());
    file.extend(content);
    if content.len() % 2 == 1 {
        file.push(0);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_with_cues_is_read_by_others() {
        let samples: Vec<i16> = (0..1000).collect();
        let cue = Cue {
            sample: 500,
            label: "1. e4".to_owned(),
        };
        let wave = to_wave(&samples, 16_000, &[cue]).unwrap();
        let mut reader = hound::WavReader::new(wave.as_slice()).unwrap();
        assert_eq!(reader.spec().sample_rate, 16_000);
        let read: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        assert_eq!(read, samples);
        assert!(wave.windows(4).any(|chunk| chunk == b"cue "));
        assert!(wave.windows(5).any(|chunk| chunk == b"1. e4"));
        assert_eq!(wave.len() % 2, 0);
    }
}
