//! PINs: what can be one, and how one is recognised.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use argon2::{Argon2, Block};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{OsRng, rand_core::RngCore as _};
use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

use crate::journal::PinHash;
use crate::notation::{Lexicon, typed};
use crate::shell::config::data;
use crate::shell::consoles::lines::read_line;
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};

/// The least number of characters.
const LETTERS_MIN: usize = 4;

const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;

/// The memory for hashing a PIN, nineteen megabytes. It is shared, so one PIN is hashed at a time.
/// Allocated in each connection's thread, it would stay there.
static MEMORY: Mutex<Vec<Block>> = Mutex::new(Vec::new());

/// A typed PIN. It is wiped from memory when dropped.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pin(String);

impl Pin {
    /// The PIN with this text.
    pub fn new(typed: impl Into<String>) -> Self {
        Self(typed.into())
    }

    /// The PIN in the first line of a file.
    ///
    /// # Errors
    ///
    /// `ErrorKind::BadInput` if there is none.
    pub fn in_file(path: &Path) -> Result<Self> {
        Self::at_line(path, 0)
    }

    /// The PIN in a line of a file, counted from 0.
    ///
    /// # Errors
    ///
    /// `ErrorKind::BadInput` if there is none.
    pub fn at_line(path: &Path, number: usize) -> Result<Self> {
        let file = File::open(path).map_err(|error| {
            let path = path.display();
            error!(BadInput, Unreadable, path = path, why = error)
        })?;
        let mut file = BufReader::new(file);
        let before = (0..number).map_while(|_| read_line(&mut file)).count();
        let line = read_line(&mut file).filter(|_| before == number);
        line.filter(|line| !line.is_empty())
            .map(Self)
            .ok_or_else(|| error!(BadInput, PinFileEmpty, path = path.display()))
    }

    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hash that may be stored. This takes some hundredths of a second.
    ///
    /// # Errors
    ///
    /// If the PIN is far too long.
    pub fn hash(&self) -> std::result::Result<PinHash, Fault> {
        let mut salt = [0; SALT_BYTES];
        OsRng.fill_bytes(&mut salt);
        let unusable = Fault::new(Part::Pin, Reason::Unusable, Remedy::ChoosePin);
        let mut hash = self.stretched(&salt).ok_or(unusable)?;
        let kept = PinHash {
            salt: STANDARD.encode(salt),
            hash: STANDARD.encode(hash),
        };
        hash.zeroize();
        Ok(kept)
    }

    /// Whether this PIN has that hash. This takes as long.
    pub fn is(&self, kept: &PinHash) -> bool {
        let Ok(salt) = STANDARD.decode(&kept.salt) else {
            return false;
        };
        let hash = self.stretched(&salt);
        hash.is_some_and(|hash| STANDARD.encode(hash) == kept.hash)
    }

    fn stretched(&self, salt: &[u8]) -> Option<[u8; HASH_BYTES]> {
        let argon2 = Argon2::default();
        let mut memory = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
        memory.resize(argon2.params().block_count(), Block::default());
        let mut hash = [0; HASH_BYTES];
        let pin = self.0.as_bytes();
        let stretched =
            argon2.hash_password_into_with_memory(pin, salt, &mut hash, memory.as_mut_slice());
        stretched.ok().map(|()| hash)
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Debug output does not show the PIN, so that no log has it.
impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pin")
    }
}

/// What cannot be a PIN, in any language in which lines are typed.
pub struct Rules {
    lexicons: Vec<Lexicon>,
    /// The words with which lines begin.
    words: BTreeSet<String>,
    /// Those words that name the arbiter.
    arbiter: BTreeSet<String>,
}

impl Rules {
    /// The rules for all available languages.
    ///
    /// # Errors
    ///
    /// If the words of a language are missing or wrong.
    pub fn load() -> Result<Self> {
        let mut rules = Self {
            lexicons: Vec::new(),
            words: BTreeSet::new(),
            arbiter: BTreeSet::from([ARBITER.to_owned()]),
        };
        for code in data::languages()? {
            rules.lexicons.push(data::lexicon(&code)?);
            for (word, meaning) in console_words(&code)?.words {
                if meaning == ARBITER {
                    rules.arbiter.insert(word.clone());
                }
                rules.words.extend([word, meaning]);
            }
        }
        Ok(rules)
    }

    /// Whether this word before a line at a shared terminal names the arbiter.
    pub fn names_arbiter(&self, word: &str) -> bool {
        self.arbiter.contains(&word.to_lowercase())
    }

    /// Checks that a text can be a PIN. One that looks like a line is refused, because it was
    /// probably typed in the wrong place, and so is one that is easily guessed.
    ///
    /// # Errors
    ///
    /// Why it cannot be a PIN.
    pub fn check(&self, pin: &Pin) -> std::result::Result<(), Fault> {
        let wrong = if self.is_line(&pin.0) {
            Reason::IsCommand
        } else if pin.0.chars().count() < LETTERS_MIN {
            Reason::TooShort
        } else if is_simple(&pin.0) {
            Reason::TooSimple
        } else {
            return Ok(());
        };
        Err(Fault::new(Part::Pin, wrong, Remedy::ChoosePin))
    }

    fn is_line(&self, text: &str) -> bool {
        let is_of_several_words = text.contains(|letter: char| letter.is_whitespace());
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        is_of_several_words
            || text.contains(':')
            || self.words.contains(&text.to_lowercase())
            || !is_number && self.lexicons.iter().any(|it| !typed(it, text).is_empty())
    }
}

/// The word for the arbiter in all languages, besides their own.
const ARBITER: &str = "arbiter";

/// Whether all its characters are the same, or each is next to the previous one, in one direction.
fn is_simple(text: &str) -> bool {
    let letters: Vec<i64> = text.chars().map(|it| i64::from(u32::from(it))).collect();
    let mut steps = letters.windows(2).map(|pair| pair[1] - pair[0]);
    let first = steps.next().unwrap_or(0);
    (-1..=1).contains(&first) && steps.all(|step| step == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_pin_is_known_again_and_the_same_is_never_kept_alike() {
        let pin = Pin::new("7305");
        let kept = pin.hash().unwrap();
        assert!(pin.is(&kept));
        assert!(!Pin::new("7306").is(&kept));
        assert!(!Pin::default().is(&kept));
        assert_ne!(pin.hash().unwrap(), kept);
        let text = serde_json::to_string(&kept).unwrap();
        assert!(!text.contains("7305"), "{text}");
        assert!(!pin.is(&PinHash {
            salt: "?".to_owned(),
            ..kept
        }));
        assert_eq!(format!("{pin:?}"), "Pin");
    }

    #[test]
    fn what_is_a_line_or_anybody_would_guess_is_no_pin() {
        let rules = Rules::load().unwrap();
        for (text, wrong) in [
            ("", Reason::TooShort),
            ("12", Reason::TooShort),
            ("1111", Reason::TooSimple),
            ("1234", Reason::TooSimple),
            ("9876", Reason::TooSimple),
            ("abcd", Reason::TooSimple),
            ("e2e4", Reason::IsCommand),
            ("Sg1f3", Reason::IsCommand),
            ("0-0-0", Reason::IsCommand),
            ("anhalten", Reason::IsCommand),
            ("Anfang", Reason::IsCommand),
            ("genehmigt", Reason::IsCommand),
            ("remis", Reason::IsCommand),
            ("resign", Reason::IsCommand),
            ("genehmigt Frau Holm", Reason::IsCommand),
            ("weiß:uhr", Reason::IsCommand),
        ] {
            let why = rules.check(&Pin::new(text)).unwrap_err();
            assert_eq!((why.part, why.reason), (Part::Pin, wrong), "{text}");
        }
        for text in ["7305", "0815", "471147", "Zug2Zug", "Turmuhr9"] {
            assert_eq!(rules.check(&Pin::new(text)), Ok(()), "{text}");
        }
        assert!(rules.names_arbiter("Schiedsrichterin") && rules.names_arbiter("dommer"));
        assert!(!rules.names_arbiter("assistent"));
    }
}
