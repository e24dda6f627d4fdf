//! The chain of hashes that ties the entries together.

use std::fmt;

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::entry::{Entry, FORMAT};

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash(pub [u8; 32]);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An entry as it is stored: its text, and the hash of the previous hash and this text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of the entry.
    pub seq: u64,
    /// The entry as one line of JSON.
    pub text: String,
    /// The hash that covers everything up to and with this entry.
    pub hash: Hash,
}

/// What is wrong with a record. Each variant names the entry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// The text or its hash is not what was written.
    #[error("entry {seq} was changed after it was written, or an entry before it was taken out")]
    Changed {
        /// The number of the entry.
        seq: u64,
    },
    /// An entry is missing.
    #[error("entry {expected} is missing; the next one there is {found}")]
    Missing {
        /// The number of the entry expected.
        expected: u64,
        /// The number of the entry found.
        found: u64,
    },
    /// Entries that were durable are missing at the end.
    #[error("the record ends with entry {last}, but {written} entries had been written")]
    CutOff {
        /// The number of the last entry left.
        last: u64,
        /// How many there were.
        written: u64,
    },
    /// The text belongs to the chain, but this program cannot read it.
    #[error("entry {seq} cannot be read: {why}")]
    Unreadable {
        /// The number of the entry.
        seq: u64,
        /// The reader's message.
        why: String,
    },
}

impl Broken {
    /// The number of the entry at which the trouble begins.
    pub const fn seq(&self) -> u64 {
        match self {
            Self::Changed { seq } | Self::Unreadable { seq, .. } => *seq,
            Self::Missing { expected, .. } => *expected,
            Self::CutOff { last, .. } => *last + 1,
        }
    }
}

/// The end of a chain, to which the next entry is tied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    last: Hash,
    next_seq: u64,
}

impl Default for Chain {
    fn default() -> Self {
        Self::new()
    }
}

impl Chain {
    /// The chain before the first entry.
    pub fn new() -> Self {
        let first = Sha256::digest(format!("annexd journal {FORMAT}\n"));
        Self {
            last: Hash(first.into()),
            next_seq: 1,
        }
    }

    /// The number the next entry gets.
    pub const fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// The hash that covers everything so far. Noted at the end of a game, it later proves that
    /// nothing was added, changed or removed.
    pub const fn seal(&self) -> Hash {
        self.last
    }

    /// Ties an entry to the chain, giving it the next number.
    pub fn tie(&mut self, entry: &mut Entry) -> Link {
        entry.seq = self.next_seq;
        let text = serde_json::to_string(entry).unwrap_or_else(|error| {
            // No type in an entry has a map with keys other than strings, so this cannot happen. If
            // it ever does, the record says so instead of ending the game.
            format!(r#"{{"seq":{},"unwritable":"{error}"}}"#, entry.seq)
        });
        let hash = after(self.last, &text);
        self.last = hash;
        self.next_seq += 1;
        Link {
            seq: entry.seq,
            text,
            hash,
        }
    }

    /// Checks a stored link, and returns its entry if it is the next one of this chain.
    ///
    /// # Errors
    ///
    /// [`Broken`] names the entry. The chain stays where it was.
    pub fn check(&mut self, link: &Link) -> Result<Entry, Broken> {
        if link.seq != self.next_seq {
            return Err(Broken::Missing {
                expected: self.next_seq,
                found: link.seq,
            });
        }
        if after(self.last, &link.text) != link.hash {
            return Err(Broken::Changed { seq: link.seq });
        }
        let entry: Entry =
            serde_json::from_str(&link.text).map_err(|error| Broken::Unreadable {
                seq: link.seq,
                why: error.to_string(),
            })?;
        if entry.seq != link.seq {
            return Err(Broken::Changed { seq: link.seq });
        }
        self.last = link.hash;
        self.next_seq += 1;
        Ok(entry)
    }
}

fn after(before: Hash, text: &str) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(before.0);
    hasher.update(text.as_bytes());
    Hash(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Body;
    use annexd_laws::moment::Moment;

    fn chain_of(count: u64) -> Vec<Link> {
        let mut chain = Chain::new();
        (0..count)
            .map(|number| {
                chain.tie(&mut Entry {
                    seq: 0,
                    at: Moment::from_ms(number * 100),
                    wall_ms: 1_700_000_000_000 + number,
                    body: Body::Note(format!("remark {number}")),
                })
            })
            .collect()
    }

    fn check(links: &[Link]) -> Result<usize, Broken> {
        let mut chain = Chain::new();
        for link in links {
            chain.check(link)?;
        }
        Ok(links.len())
    }

    #[test]
    fn an_untouched_chain_checks() {
        assert_eq!(check(&chain_of(20)), Ok(20));
    }

    #[test]
    fn any_changed_byte_is_found_in_its_entry() {
        let links = chain_of(3);
        for index in 0..links[1].text.len() {
            let mut changed = links.clone();
            let mut bytes = changed[1].text.clone().into_bytes();
            bytes[index] ^= 1;
            let Ok(text) = String::from_utf8(bytes) else {
                continue;
            };
            changed[1].text = text;
            assert_eq!(check(&changed), Err(Broken::Changed { seq: 2 }));
        }
    }

    #[test]
    fn an_entry_taken_out_is_missed_even_when_the_rest_is_renumbered() {
        let mut links = chain_of(4);
        links.remove(1);
        let missing = Broken::Missing {
            expected: 2,
            found: 3,
        };
        assert_eq!(check(&links), Err(missing));
        for (index, link) in links.iter_mut().enumerate() {
            link.seq = index as u64 + 1;
        }
        assert_eq!(check(&links), Err(Broken::Changed { seq: 2 }));
    }

    #[test]
    fn two_entries_swapped_are_found() {
        let mut links = chain_of(3);
        links.swap(0, 1);
        assert_eq!(check(&links).unwrap_err().seq(), 1);
    }
}
