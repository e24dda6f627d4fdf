//! Chance from a seed: the same every time.

/// Small, fast and good enough to throw dice (xorshift64*).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`.
    pub(crate) fn throw(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides.max(1)
    }

    pub(crate) fn any<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.throw(of.len())]
    }

    pub(crate) fn often(&mut self, percent: usize) -> bool {
        self.throw(100) < percent
    }
}
