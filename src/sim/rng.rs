//! Reproducible chance: the same seed gives the same game, everywhere and always.

/// A small generator (SplitMix64).
#[derive(Clone, Copy, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The chance of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub const fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.next() % end }
    }

    /// Returns true in this many of a thousand cases.
    pub const fn per_mille(&mut self, chance: u64) -> bool {
        self.below(1000) < chance
    }

    /// One of several values.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices
            .get(self.below(choices.len() as u64) as usize)
            .copied()
    }
}
