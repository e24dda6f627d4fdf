//! A phrase as it is spoken: words and pauses for clips, and text for consoles and system voices.

/// A rendered phrase.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Spoken {
    /// The segments, in order.
    pub segments: Vec<Segment>,
}

/// One piece of speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Words with a clip of their own.
    Clip(String),
    /// Words that were not known in advance: a name, a device. Only a system voice says them fully.
    Free(String),
    /// A silence.
    Pause(Pause),
}

/// The silence of a punctuation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pause {
    /// A comma.
    Comma,
    /// A full stop, an exclamation mark, a semicolon.
    Sentence,
    /// A colon.
    Colon,
    /// A question mark.
    Question,
}

impl Pause {
    pub(super) const fn of(mark: char) -> Option<Self> {
        match mark {
            ',' => Some(Self::Comma),
            '.' | '!' | ';' => Some(Self::Sentence),
            ':' => Some(Self::Colon),
            '?' => Some(Self::Question),
            _ => None,
        }
    }

    /// The length at the normal rate, in milliseconds.
    pub const fn milliseconds(self) -> u32 {
        match self {
            Self::Comma | Self::Colon => 120,
            Self::Sentence | Self::Question => 250,
        }
    }

    const fn mark(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Sentence => '.',
            Self::Colon => ':',
            Self::Question => '?',
        }
    }
}

impl Spoken {
    /// The words as inside a sentence.
    pub fn plain(&self) -> String {
        let words = self.segments.iter().filter_map(|segment| match segment {
            Segment::Clip(words) | Segment::Free(words) => Some(words.as_str()),
            Segment::Pause(_) => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The text for consoles and system voices, with a capital at the beginning of each sentence.
    /// It is never empty if there is a word in it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut begins_sentence = true;
        for segment in &self.segments {
            match segment {
                Segment::Clip(words) | Segment::Free(words) => {
                    // "White" and "'s board" are one word.
                    if !text.is_empty() && !words.starts_with('\'') {
                        text.push(' ');
                    }
                    // Free words, such as a name, stay as they were written.
                    let is_ours = matches!(segment, Segment::Clip(_));
                    let mut letters = words.chars();
                    if begins_sentence && is_ours {
                        text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    }
                    text.push_str(letters.as_str());
                    begins_sentence = false;
                }
                Segment::Pause(pause) => {
                    // If a place was left empty, the mark after it counts.
                    let before = text.trim_end_matches([',', ':']).len();
                    text.truncate(before);
                    if !text.is_empty() && !text.ends_with(pause.mark()) {
                        text.push(pause.mark());
                    }
                    begins_sentence |= matches!(pause, Pause::Sentence | Pause::Question);
                }
            }
        }
        text
    }

    /// Returns the name of the clip of some words: lower-case ASCII letters, digits and hyphens,
    /// the same on every system. Words that differ only in case or inner punctuation share a clip.
    pub fn clip_name(words: &str) -> String {
        let mut name = String::new();
        for character in words.chars().flat_map(char::to_lowercase) {
            match character {
                'ä' | 'æ' => name.push_str("ae"),
                'ö' | 'ø' => name.push_str("oe"),
                'ü' => name.push_str("ue"),
                'å' => name.push_str("aa"),
                'ß' => name.push_str("ss"),
                'é' | 'è' => name.push('e'),
                '?' => name.push_str("-frage"),
                'a'..='z' | '0'..='9' => name.push(character),
                _ if name.is_empty() || name.ends_with('-') => {}
                _ => name.push('-'),
            }
        }
        let name = name.trim_end_matches('-');
        if name.len() <= 60 {
            return name.to_owned();
        }
        let (start, _) = name.split_at(48);
        format!("{}-{:08x}", start.trim_end_matches('-'), checksum(name))
    }
}

/// The FNV-1a hash. It tells long names with the same beginning apart.
fn checksum(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_names_are_plain_and_short() {
        for (words, name) in [
            ("schlägt", "schlaegt"),
            ("Von wo?", "von-wo-frage"),
            ("Ja, bitte", "ja-bitte"),
            ("D", "d"),
        ] {
            assert_eq!(Spoken::clip_name(words), name);
        }
        let long = "sehr ".repeat(30);
        assert!(Spoken::clip_name(&format!("{long}lang")).len() <= 60);
        assert_ne!(
            Spoken::clip_name(&format!("{long}lang")),
            Spoken::clip_name(&format!("{long}kurz"))
        );
    }

    #[test]
    fn text_has_its_punctuation_back() {
        let spoken = Spoken {
            segments: vec![
                Segment::Clip("Zug".to_owned()),
                Segment::Clip("fünf".to_owned()),
                Segment::Pause(Pause::Comma),
                Segment::Free("Weiß am Zug".to_owned()),
                Segment::Pause(Pause::Sentence),
            ],
        };
        assert_eq!(spoken.text(), "Zug fünf, Weiß am Zug.");
        let clip = |words: &str| Segment::Clip(words.to_owned());
        let owned = vec![clip("executed on"), clip("White"), clip("'s board")];
        assert_eq!(
            Spoken { segments: owned }.text(),
            "Executed on White's board"
        );
        let stop = || Segment::Pause(Pause::Sentence);
        let free = Segment::Free("van Dyck".to_owned());
        let segments = vec![clip("ordered"), stop(), free, stop(), clip("article")];
        assert_eq!(Spoken { segments }.text(), "Ordered. van Dyck. Article");
    }
}
