//! Files of recorded bytes: their format and protocol.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::device::{DeviceEvent, Kind};
use super::occupancy;
use crate::driver;
use annexd_game::board::Readings;
use annexd_laws::moment::Moment;
use annexd_phrases::{Sentence, sentence};

/// Base64 with optional padding, because recorders differ.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Messages of boards begin with at least this byte; text does not.
const FIRST_MIN: u8 = 0x80;

/// The first byte of a comment line.
const COMMENT: u8 = b'#';

/// The bytes of a recording: raw, or one line per read in base64 or pairs of hex digits, perhaps
/// after a time. Empty lines and comments may stand between, and the last line may be cut off.
///
/// # Errors
///
/// Names the first line that is no base64 if there is no valid one.
pub fn bytes_of(recording: &[u8]) -> Result<Vec<u8>, Sentence> {
    lines_of(recording).map(|recorded| recorded.bytes)
}

/// What a recording holds.
pub struct Recorded {
    /// The recorded bytes.
    pub bytes: Vec<u8>,
    /// Unreadable lines among readable ones, with what is wrong with each.
    pub left_out: Vec<Sentence>,
}

impl Recorded {
    const fn whole(bytes: Vec<u8>) -> Self {
        let left_out = Vec::new();
        Self { bytes, left_out }
    }
}

/// The bytes of a recording, and which of its lines could not be read.
///
/// # Errors
///
/// As [`bytes_of`].
pub fn lines_of(recording: &[u8]) -> Result<Recorded, Sentence> {
    let text = recording.strip_prefix(b"\xef\xbb\xbf").unwrap_or(recording);
    let mut lines: Vec<(usize, &[u8])> = text
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && line[0] != COMMENT)
        .collect();
    if let Some(bytes) = lines
        .iter()
        .map(|(_, line)| hex(line))
        .collect::<Option<Vec<_>>>()
    {
        let bytes = bytes.concat();
        if bytes.first().is_some_and(|byte| *byte >= FIRST_MIN) {
            return Ok(Recorded::whole(bytes));
        }
    }
    for (_, line) in &mut lines {
        *line = without_time(line);
    }
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let are_text = lines.iter().filter(|(_, line)| line.iter().all(is_base64));
    let texts = are_text.clone().count();
    let begins_message = |(_, line): &(usize, &[u8])| {
        let decoded = BASE64.decode(line).unwrap_or_default();
        decoded.first().is_some_and(|byte| *byte >= FIRST_MIN)
    };
    // A single other line among lines of base64 is an error, not a raw recording.
    let is_slip = texts > lines.len() / 2 && are_text.copied().any(|line| begins_message(&line));
    if texts == 0 || texts < lines.len() && !is_slip {
        return Ok(Recorded::whole(recording.to_vec()));
    }
    if !recording.ends_with(b"\n")
        && let Some((_, last)) = lines.last_mut()
        && last.len() % 4 == 1
    {
        // Cut off in the middle of a byte.
        *last = &last[..last.len() - 1];
    }
    let mut recorded = Recorded::whole(Vec::with_capacity(recording.len() * 3 / 4));
    for (index, line) in lines {
        match BASE64.decode(line) {
            Ok(decoded) => recorded.bytes.extend(decoded),
            Err(error) => {
                let why = error.to_string();
                let wrong = sentence!(NoBase64, line = index + 1, why = why);
                recorded.left_out.push(wrong);
            }
        }
    }
    match recorded.left_out.first() {
        Some(wrong) if recorded.bytes.is_empty() => Err(wrong.clone()),
        _ => Ok(recorded),
    }
}

/// Bytes in pairs of hex digits, with or without spaces.
fn hex(line: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = line
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| (*byte as char).to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// A line without the recorder's time before it.
fn without_time(line: &[u8]) -> &[u8] {
    let is_time = line
        .first()
        .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'[');
    let after = line.iter().rposition(|byte| byte.is_ascii_whitespace());
    match after {
        Some(space) if is_time => &line[space + 1..],
        _ => line,
    }
}

/// Bytes of a recording that belong to no message: position and number.
pub(super) fn gaps(bytes: &[u8], kind: Kind) -> Vec<(usize, usize)> {
    if kind != Kind::Dgt {
        // The other protocols have no frames that would show it.
        return Vec::new();
    }
    let message = |rest: &[u8]| {
        let [first, high, low, ..] = *rest else {
            return None;
        };
        let length = usize::from(high) << 7 | usize::from(low);
        let payload = rest.get(1..length)?;
        let is_whole = first >= FIRST_MIN && payload.iter().all(|byte| *byte < FIRST_MIN);
        (length >= 3 && is_whole).then_some(length)
    };
    let mut gaps: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(length) = message(&bytes[at..]) {
            at += length;
            continue;
        }
        match gaps.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => gaps.push((at, 1)),
        }
        at += 1;
    }
    gaps
}

/// The protocol of a recording: the one in which most messages are valid.
pub fn kind_of(bytes: &[u8]) -> Kind {
    let kinds = [Kind::Occupancy, Kind::Cpp, Kind::Chesslink, Kind::Dgt];
    let (most, kind) = kinds
        .into_iter()
        .map(|kind| (understood(bytes, kind), kind))
        .max_by_key(|(count, _)| *count)
        .unwrap_or((0, Kind::Dgt));
    let are_frames = || raw_frames(bytes).is_some() || frames(bytes).len() > 1;
    if most == 0 && are_frames() {
        Kind::Occupancy
    } else {
        kind
    }
}

/// Whether these bytes contain messages of this kind of board.
pub fn is_understood(bytes: &[u8], kind: Kind) -> bool {
    // By chance some bytes look like a message.
    let least = bytes.len() / BYTES_PER_MESSAGE_MAX;
    let are_frames = || raw_frames(bytes).is_some() || frames(bytes).len() > least;
    kind == Kind::Occupancy && are_frames() || understood(bytes, kind) > least
}

/// Bytes with fewer valid messages than one in this many are noise.
const BYTES_PER_MESSAGE_MAX: usize = 500;

/// How many messages of this kind of board these bytes contain.
fn understood(bytes: &[u8], kind: Kind) -> usize {
    let mut board = driver(kind);
    let mut count = 0;
    for &byte in bytes {
        board.received(Moment::START, &[byte]);
        while let Some(said) = board.next_event() {
            let is_heard = matches!(
                said,
                DeviceEvent::Square(..)
                    | DeviceEvent::Snapshot(_)
                    | DeviceEvent::Move(_)
                    | DeviceEvent::Clock(_)
                    | DeviceEvent::Identity(_)
                    | DeviceEvent::Battery(_)
            );
            count += usize::from(is_heard);
        }
    }
    count
}

/// The occupancy frames in bytes.
fn frames(bytes: &[u8]) -> Vec<Readings> {
    let mut decoder = occupancy::Decoder::default();
    bytes
        .iter()
        .filter_map(|&byte| decoder.push(byte))
        .collect()
}

/// At most this many squares change from one frame to the next.
const CHANGED_MAX: u32 = 4;

/// The frames of a recording that consists of bare eight-byte frames. Only few squares change from
/// each to the next.
fn raw_frames(bytes: &[u8]) -> Option<Vec<Readings>> {
    let (chunks, _) = bytes.as_chunks::<8>();
    let bits = |chunk: &[u8; 8]| u64::from_be_bytes(*chunk);
    let is_frame = |chunk: &[u8; 8]| (2..=32).contains(&bits(chunk).count_ones());
    let is_next = |pair: &[[u8; 8]]| (bits(&pair[0]) ^ bits(&pair[1])).count_ones() <= CHANGED_MAX;
    let are_frames =
        chunks.len() > 1 && chunks.iter().all(is_frame) && chunks.windows(2).all(is_next);
    are_frames.then(|| chunks.iter().map(occupancy::readings_of_bytes).collect())
}

/// The frames of a board, each repeated. On a line a frame is believed only then, but in a
/// recording a square may be empty for a single frame.
pub(super) fn with_frames_doubled(bytes: &[u8]) -> Vec<u8> {
    let frames = raw_frames(bytes).unwrap_or_else(|| frames(bytes));
    let twice = |frame: &Readings| occupancy::frame_of(frame).repeat(2);
    frames.iter().flat_map(twice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dgt::Message;
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
        for (lines, messages) in [
            (&b"jgAFDAA=\n#\nx\n"[..], 1),
            (b"jgAFDAA=\njgAFDAA=\nno line\njgAFDAA=\n", 3),
        ] {
            let recorded = lines_of(lines).unwrap();
            assert_eq!(recorded.bytes.len(), messages * 5);
            assert_eq!(recorded.left_out.len(), 1);
            assert!(recorded.left_out[0].to_string().starts_with("line 3 "));
        }
    }

    #[test]
    fn lines_of_hex_and_lines_with_times_are_recordings_too() {
        let message = [0x8e, 0, 5, 12, 0];
        for lines in [
            "8e 00 05 0c 00\n",
            "8e00050c00\r\n",
            "8E 00 05\n0C 00\n",
            "12:00:01.250 jgAFDAA=\n",
            "[3.5] jgAFDAA=\n",
        ] {
            assert_eq!(bytes_of(lines.as_bytes()).unwrap(), message, "{lines:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_message_are_found() {
        let field: &[u8] = &[0x8e, 0, 5, 12, 0];
        let bytes = [field, b"abc", field, &field[..3], field, &field[..2]].concat();
        assert_eq!(gaps(&bytes, Kind::Dgt), [(5, 3), (13, 3), (21, 2)]);
        assert!(is_understood(&bytes, Kind::Dgt) && !is_understood(b"abc", Kind::Dgt));
        assert!(!is_understood(&bytes, Kind::Cpp) && !is_understood(b"", Kind::Occupancy));
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
