//! Files of recorded bytes: how they are written down, and in which protocol.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::device::{DeviceEvent, Kind, driver};
use super::occupancy;
use crate::board::Readings;
use crate::moment::Moment;
use crate::shell::error::{Result, told};

/// Recorders differ in whether they pad.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What begins a line that is for people.
const COMMENT: u8 = b'#';

/// The bytes of a recording: as they are, or one base64 line per read. Between such lines there
/// may be empty ones and comments, and the last may have been cut off.
///
/// # Errors
///
/// Names the line that is no base64 if all the others look like it.
pub fn bytes_of(recording: &[u8]) -> Result<Vec<u8>> {
    let text = recording.strip_prefix(b"\xef\xbb\xbf").unwrap_or(recording);
    let mut lines: Vec<(usize, &[u8])> = text
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && line[0] != COMMENT)
        .collect();
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let is_text = lines.iter().all(|(_, line)| line.iter().all(is_base64));
    if lines.is_empty() || !is_text {
        return Ok(recording.to_vec());
    }
    if !recording.ends_with(b"\n")
        && let Some((_, last)) = lines.last_mut()
        && last.len() % 4 == 1
    {
        // Cut off in the middle of a byte.
        *last = &last[..last.len() - 1];
    }
    let mut bytes = Vec::with_capacity(recording.len() * 3 / 4);
    for (index, line) in lines {
        let decoded = BASE64.decode(line).map_err(|error| {
            told!(
                BadInput,
                NoBase64,
                line = index + 1,
                why = error.to_string()
            )
        })?;
        bytes.extend(decoded);
    }
    Ok(bytes)
}

/// The protocol of a recording: that in which most can be understood.
pub fn kind_of(bytes: &[u8]) -> Kind {
    let understood = |kind: &Kind| {
        let mut board = driver(*kind);
        let mut count = 0_usize;
        for &byte in bytes {
            board.received(Moment::START, &[byte]);
            while let Some(said) = board.next_event() {
                let is_heard = matches!(
                    said,
                    DeviceEvent::Square(..)
                        | DeviceEvent::Snapshot(_)
                        | DeviceEvent::Move(_)
                        | DeviceEvent::Clock(_)
                );
                count += usize::from(is_heard);
            }
        }
        count
    };
    let kinds = [Kind::Occupancy, Kind::Cpp, Kind::Chesslink, Kind::Dgt];
    let (most, kind) = kinds
        .into_iter()
        .map(|kind| (understood(&kind), kind))
        .max_by_key(|(count, _)| *count)
        .unwrap_or((0, Kind::Dgt));
    let are_frames = || raw_frames(bytes).is_some() || frames(bytes).len() > 1;
    if most == 0 && are_frames() {
        Kind::Occupancy
    } else {
        kind
    }
}

/// Frames of occupancy in bytes.
fn frames(bytes: &[u8]) -> Vec<Readings> {
    let mut decoder = occupancy::Decoder::default();
    bytes
        .iter()
        .filter_map(|&byte| decoder.push(byte))
        .collect()
}

/// From one frame to the next no more squares change than this.
const CHANGED_MAX: u32 = 4;

/// Frames that are the eight bytes and nothing else: so few squares change from each to the next.
fn raw_frames(bytes: &[u8]) -> Option<Vec<Readings>> {
    let (chunks, _) = bytes.as_chunks::<8>();
    let bits = |chunk: &[u8; 8]| u64::from_be_bytes(*chunk);
    let is_frame = |chunk: &[u8; 8]| (2..=32).contains(&bits(chunk).count_ones());
    let is_next = |pair: &[[u8; 8]]| (bits(&pair[0]) ^ bits(&pair[1])).count_ones() <= CHANGED_MAX;
    let are_frames =
        chunks.len() > 1 && chunks.iter().all(is_frame) && chunks.windows(2).all(is_next);
    are_frames.then(|| chunks.iter().map(occupancy::readings_of_bytes).collect())
}

/// Frames of a board, each said twice: on a line a frame is believed only then, but in a recording
/// a square may be empty for the time of one frame.
pub(super) fn with_frames_doubled(bytes: &[u8]) -> Vec<u8> {
    let frames = raw_frames(bytes).unwrap_or_else(|| frames(bytes));
    let twice = |frame: &Readings| occupancy::frame_of(frame).repeat(2);
    frames.iter().flat_map(twice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::boards::dgt::Message;
    use shakmaty::Board;

    fn dump() -> Vec<u8> {
        Message::Dump(Box::new(Readings::of(&Board::new()))).to_bytes()
    }

    #[test]
    fn base64_lines_and_raw_bytes_are_the_same_recording() {
        let raw = dump();
        let text = BASE64.encode(&raw);
        let bare = text.trim_end_matches('=');
        let (first, second) = text.split_at(40);
        for lines in [
            format!("{text}\n"),
            text.clone(),
            bare.to_owned(),
            format!("{bare}\r\n\r\n"),
            format!("# a board\n\n  {text}  \n"),
            format!("\u{feff}{text}\n"),
            format!("{first}\r\n{second}\r\n"),
        ] {
            assert_eq!(bytes_of(lines.as_bytes()).unwrap(), raw, "{lines:?}");
        }
        assert_eq!(bytes_of(&raw).unwrap(), raw);
        assert_eq!(bytes_of(b"").unwrap(), b"");
        let error = bytes_of(b"jgAFDAA=\n#\nx\n").unwrap_err();
        assert!(error.message.starts_with("line 3 "), "{error}");
    }

    #[test]
    fn base64_that_was_cut_off_anywhere_gives_what_is_left() {
        let raw = dump();
        let text = BASE64.encode(&raw);
        for length in 0..text.len() {
            let left = bytes_of(&text.as_bytes()[..length]).unwrap();
            assert_eq!(left, raw[..(length * 3 / 4).min(raw.len())], "{length}");
        }
    }

    #[test]
    fn text_of_a_board_is_no_base64() {
        for text in [
            &b"move e2e4\nmove e7e5\n"[..],
            b":255 255 0 0 0 0 255 255\r\n",
        ] {
            assert_eq!(bytes_of(text).unwrap(), text);
        }
    }
}
