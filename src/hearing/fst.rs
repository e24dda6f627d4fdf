//! Checks the headers of network files against their contents: libvosk trusts them and would read
//! beyond the end.
//!
//! It knows OpenFst's constant networks with the usual weights, plain and with a lookahead table.
//! For other kinds only the head is checked; a separate process tries those.

/// The magic number of every file, and of every symbol table in it.
const FST: i32 = 0x7eb2_fdd6;
const TABLE: i32 = 0x7eb2_fb74;
/// The magic number before a lookahead table.
const ADD_ON: i32 = 0x1a9f_d15a;

/// Flags of the head: there is a symbol table for inputs, one for outputs; states and arcs are
/// aligned to 16 bytes.
const HAS_INPUTS: i32 = 1;
const HAS_OUTPUTS: i32 = 2;
const IS_ALIGNED: i32 = 4;

/// The sizes of a state (20 bytes) and an arc (16 bytes).
const STATE: u64 = 20;
const ARC: u64 = 16;

/// Checks a network file.
///
/// # Errors
///
/// What it claims that is impossible, in English, for the diary.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let mut page = ByteReader { bytes, at: 0 };
    let head = page.head()?;
    match head.kind.as_str() {
        "const" => {
            page.arcs(&head)?;
            page.end()
        }
        kind if kind.ends_with("_lookahead") => {
            if page.int()? != ADD_ON {
                return Err("its table does not begin as one".to_owned());
            }
            let inner = page.head()?;
            if inner.kind != "const" {
                return Ok(());
            }
            page.arcs(&inner)?;
            page.tables(inner.states)?;
            page.end()
        }
        _ => Ok(()),
    }
}

/// What a network's header claims.
struct Head {
    kind: String,
    arcs_are: String,
    version: i32,
    flags: i32,
    start: i64,
    states: u64,
    arcs: u64,
}

/// The bytes, read from the front.
struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8], String> {
        let end = usize::try_from(count).ok();
        let end = end.and_then(|count| self.at.checked_add(count));
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or("it ends too early")?;
        self.at += taken.len();
        Ok(taken)
    }

    fn int(&mut self) -> Result<i32, String> {
        let four = self.take(4)?.try_into();
        Ok(i32::from_le_bytes(four.unwrap_or_default()))
    }

    fn long(&mut self) -> Result<i64, String> {
        let eight = self.take(8)?.try_into();
        Ok(i64::from_le_bytes(eight.unwrap_or_default()))
    }

    fn count(&mut self) -> Result<u64, String> {
        let count = self.long()?;
        u64::try_from(count).map_err(|_| format!("it counts {count}"))
    }

    fn is_there(&mut self) -> Result<bool, String> {
        match self.take(1)? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err("yes or no is neither".to_owned()),
        }
    }

    fn text(&mut self) -> Result<String, String> {
        let length = self.int()?;
        let length = u64::try_from(length).map_err(|_| format!("a word has {length} bytes"))?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn head(&mut self) -> Result<Head, String> {
        if self.int()? != FST {
            return Err("it does not begin as a network".to_owned());
        }
        let (kind, arcs_are) = (self.text()?, self.text()?);
        let (version, flags) = (self.int()?, self.int()?);
        self.take(8)?;
        let start = self.long()?;
        let (states, arcs) = (self.count()?, self.count()?);
        for flag in [HAS_INPUTS, HAS_OUTPUTS] {
            if flags & flag != 0 {
                self.words()?;
            }
        }
        Ok(Head {
            kind,
            arcs_are,
            version,
            flags,
            start,
            states,
            arcs,
        })
    }

    /// A symbol table.
    fn words(&mut self) -> Result<(), String> {
        if self.int()? != TABLE {
            return Err("its words do not begin as such".to_owned());
        }
        self.text()?;
        self.long()?;
        for _ in 0..self.count()? {
            self.text()?;
            self.long()?;
        }
        Ok(())
    }

    fn align(&mut self, head: &Head) -> Result<(), String> {
        let is_aligned = head.version == 1 || head.flags & IS_ALIGNED != 0;
        let rest = if is_aligned { self.at % 16 } else { 0 };
        self.take(if rest == 0 { 0 } else { 16 - rest as u64 })?;
        Ok(())
    }

    /// The states and arcs of a constant network.
    fn arcs(&mut self, head: &Head) -> Result<(), String> {
        if head.arcs_are != "standard" || !(1..=2).contains(&head.version) {
            return Err(format!(
                "its arcs are {} in version {}",
                head.arcs_are, head.version
            ));
        }
        let is_state = |number: i64| u64::try_from(number).is_ok_and(|it| it < head.states);
        if !is_state(head.start) {
            return Err(format!("it begins at state {}", head.start));
        }
        self.align(head)?;
        let states = self.take(head.states.saturating_mul(STATE))?;
        self.align(head)?;
        let arcs = self.take(head.arcs.saturating_mul(ARC))?;
        let word = |bytes: &[u8], at: usize| {
            let four = bytes.get(at..at + 4).unwrap_or_default().try_into();
            u32::from_le_bytes(four.unwrap_or_default())
        };
        for (number, state) in states.chunks_exact(STATE as usize).enumerate() {
            let end = u64::from(word(state, 4)) + u64::from(word(state, 8));
            let empty = word(state, 12).max(word(state, 16));
            if end > head.arcs || empty > word(state, 8) {
                return Err(format!("state {number} has arcs that are not there"));
            }
        }
        for (number, arc) in arcs.chunks_exact(ARC as usize).enumerate() {
            let has_labels = [0, 4].iter().all(|at| word(arc, *at) < i32::MAX as u32);
            if !has_labels || u64::from(word(arc, 12)) >= head.states {
                return Err(format!("arc {number} leads nowhere"));
            }
        }
        Ok(())
    }

    /// The lookahead tables, for inputs and for outputs.
    fn tables(&mut self, states: u64) -> Result<(), String> {
        if !self.is_there()? {
            return Ok(());
        }
        for _ in 0..2 {
            if self.is_there()? {
                self.table(states)?;
            }
        }
        Ok(())
    }

    fn end(&self) -> Result<(), String> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err("something follows it".to_owned()),
        }
    }

    /// The labels that can be reached from each state.
    fn table(&mut self, states: u64) -> Result<(), String> {
        self.is_there()?;
        if self.is_there()? {
            for _ in 0..self.count()? {
                self.take(8)?;
            }
        }
        self.int()?;
        let sets = self.count()?;
        if sets != states {
            return Err(format!("it looks ahead from {sets} of {states} states"));
        }
        for _ in 0..sets {
            for _ in 0..self.count()? {
                if self.int()? > self.int()? {
                    return Err("a range of labels ends before it begins".to_owned());
                }
            }
            self.int()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUNDS: &[u8] = include_bytes!("../../assets/model-de/graph/HCLr.fst");
    const WORDS: &[u8] = include_bytes!("../../assets/model-de/graph/Gr.fst");

    #[test]
    fn the_bundled_networks_are_what_they_say_and_no_beginning_of_them_is() {
        for whole in [SOUNDS, WORDS] {
            assert_eq!(check(whole), Ok(()));
            for end in (0..whole.len()).step_by(97) {
                assert!(
                    check(&whole[..end]).is_err(),
                    "{end} of {} bytes",
                    whole.len()
                );
            }
        }
    }

    #[test]
    fn what_leads_nowhere_or_counts_what_is_not_there_is_found() {
        // Its kind, its arcs' kind, its numbers of states and arcs, a state's arcs, an arc's
        // target.
        let arcs = WORDS.len() - 16;
        for (at, byte) in [(0, 1), (17, 88), (49, 9), (57, 9), (75, 9), (arcs + 13, 9)] {
            let mut bytes = WORDS.to_vec();
            bytes[at] = byte;
            assert!(check(&bytes).is_err(), "byte {at}");
        }
        let mut other = SOUNDS.to_vec();
        // The number of states is in the header and, last, in the lookahead table.
        let states = other[129..137].to_vec();
        let table = other.windows(8).rposition(|bytes| bytes == states);
        other[table.filter(|table| *table > 129).unwrap()] ^= 1;
        assert!(check(&other).is_err());
    }
}
