//! Recognises files that are no score by their first bytes.

/// A kind of file that people mistake for a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A page for a browser. annexd prints such pages itself.
    Page,
    /// PDF or PostScript.
    Pdf,
    /// A document of a word processor.
    Office,
    /// An archive. Some documents of word processors are archives too.
    Archive,
    /// A picture.
    Picture,
    /// A sound or a film.
    Sound,
}

/// Returns the kind of a file, if it begins like something that is no score.
pub fn kind_of_file(bytes: &[u8]) -> Option<FileKind> {
    const BEGINNINGS: [(&[u8], FileKind); 16] = [
        (b"%PDF", FileKind::Pdf),
        (b"%!PS", FileKind::Pdf),
        (b"{\\rtf", FileKind::Office),
        (b"\xd0\xcf\x11\xe0", FileKind::Office),
        (b"\x1f\x8b", FileKind::Archive),
        (b"7z\xbc\xaf", FileKind::Archive),
        (b"Rar!", FileKind::Archive),
        (b"\x89PNG", FileKind::Picture),
        (b"\xff\xd8\xff", FileKind::Picture),
        (b"GIF8", FileKind::Picture),
        (b"II*\0", FileKind::Picture),
        (b"MM\0*", FileKind::Picture),
        (b"RIFF", FileKind::Sound),
        (b"fLaC", FileKind::Sound),
        (b"OggS", FileKind::Sound),
        (b"ID3", FileKind::Sound),
    ];
    /// The range of bytes with the names of the parts of a word processor's document.
    const PARTS: usize = 4_000;

    if bytes.starts_with(b"PK\x03\x04") {
        let begin = bytes.get(..bytes.len().min(PARTS)).unwrap_or_default();
        let has = |part: &[u8]| begin.windows(part.len()).any(|it| it == part);
        let is_text = has(b"[Content_Types]") || has(b"opendocument") || has(b"word/");
        return Some(if is_text {
            FileKind::Office
        } else {
            FileKind::Archive
        });
    }
    let known = BEGINNINGS
        .iter()
        .find(|(begin, _)| bytes.starts_with(begin));
    known
        .map(|(_, kind)| *kind)
        .or_else(|| is_page(bytes).then_some(FileKind::Page))
}

/// Returns whether a text is JSON: an object or a list of objects. Scores in other forms also begin
/// with a bracket.
pub fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let first = text.strip_prefix('[').map_or(text, str::trim_start);
    first.starts_with('{')
}

fn is_page(bytes: &[u8]) -> bool {
    const HEAD: usize = 1_000;

    let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    let head = String::from_utf8_lossy(head).to_lowercase();
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let is_tag = |tag: &str| head.starts_with(tag);
    is_tag("<!doctype html") || is_tag("<html") || head.starts_with('<') && head.contains("<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_from_what_begins_with_a_bracket() {
        for text in ["{", " {\"entries\":[]}", "[{}, {}]", "[\n {"] {
            assert!(is_json(text), "{text}");
        }
        for text in ["", "[White \"A\"]", "[1] e4 e5", "1. e4 {good} e5", "[1,2]"] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn files_are_told_by_how_they_begin() {
        for (bytes, kind) in [
            (
                &b"<!DOCTYPE html>\n<html lang=en>"[..],
                Some(FileKind::Page),
            ),
            (
                b"<?xml version=\"1.0\"?>\n<!-- x -->\n<HTML>",
                Some(FileKind::Page),
            ),
            (b"%PDF-1.7", Some(FileKind::Pdf)),
            (b"{\\rtf1\\ansi", Some(FileKind::Office)),
            (b"PK\x03\x04....[Content_Types].xml", Some(FileKind::Office)),
            (b"PK\x03\x04....a.txt", Some(FileKind::Archive)),
            (b"\x89PNG\r\n", Some(FileKind::Picture)),
            (b"RIFF....WAVE", Some(FileKind::Sound)),
            (b"1. e4 e5", None),
            (b"{\"entries\":[]}", None),
            (b"[Event \"<html>\"]", None),
            (b"", None),
        ] {
            assert_eq!(kind_of_file(bytes), kind, "{:?}", bytes.escape_ascii());
        }
    }
}
