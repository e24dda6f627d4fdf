//! Decodes a file of unknown encoding.

/// The characters of Windows-1252 that Latin-1 does not have. Undefined ones stay as in Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, in which every byte
/// is a character.
pub fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => from_pairs(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => from_pairs(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| windows(byte)).collect(),
        },
    }
}

fn from_pairs(bytes: &[u8], order: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks();
    let units: Vec<u16> = pairs.iter().map(|&pair| order(pair)).collect();
    String::from_utf16_lossy(&units)
}

fn windows(byte: u8) -> char {
    let known = match byte {
        0x80..=0x9f => WINDOWS.get(usize::from(byte - 0x80)).copied(),
        _ => None,
    };
    known.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_are_text_too() {
        assert_eq!(decoded("Söderström – e4".as_bytes()), "Söderström – e4");
        assert_eq!(decoded(b"S\xf6derstr\xf6m \x96 e4"), "Söderström – e4");
        assert_eq!(decoded(b"\xff\xfee\x004\x00"), "e4");
        assert_eq!(decoded(b"\xfe\xff\x00e\x004"), "e4");
        assert_eq!(decoded(b""), "");
    }
}
