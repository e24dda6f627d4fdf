//! Numbers that look random and are the same every time.

/// The state of splitmix64.
#[derive(Clone, Debug)]
pub(super) struct Chance(pub(super) u64);

impl Chance {
    /// The next number, from 0 to below 1.
    pub(super) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// A number from `low` to below `high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }

    /// A number of a normal distribution around nought, by Box and Muller.
    pub(super) fn normal(&mut self, deviation: f32) -> f32 {
        let far = (-2.0 * (1.0 - self.next()).ln()).sqrt();
        deviation * far * (std::f32::consts::TAU * self.next()).cos()
    }
}
