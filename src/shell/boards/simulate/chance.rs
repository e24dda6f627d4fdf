//! Chance that can be had again: the same seed, the same game, everywhere and for ever.

/// A small generator (SplitMix64).
#[derive(Clone, Copy, Debug)]
pub struct Chance(u64);

impl Chance {
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

    /// A number below `end`; 0 if there is none.
    pub const fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.next() % end }
    }

    /// Whether something happens that happens so often in a thousand times.
    pub const fn per_mille(&mut self, chance: u64) -> bool {
        self.below(1000) < chance
    }

    /// One of several.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices
            .get(self.below(choices.len() as u64) as usize)
            .copied()
    }
}
