//! From where somebody comes who shows a PIN.

/// From where somebody comes, from the widest place to the narrowest: whose program it is, the
/// terminal in which it was started, what runs in there, and the program itself. Whoever guesses
/// can have many programs, and not so easily many terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source(Vec<u64>);

impl Source {
    /// One with these places, the widest first.
    pub fn new(places: impl IntoIterator<Item = u64>) -> Self {
        Self(places.into_iter().collect())
    }

    /// All its places, the widest first, each with those around it.
    pub(super) fn places(&self) -> impl Iterator<Item = &[u64]> {
        (1..=self.0.len()).map(|end| &self.0[..end])
    }

    /// Whether it lies there.
    pub(super) fn is_in(&self, place: &[u64]) -> bool {
        self.0.starts_with(place)
    }

    /// Where it is without the program itself: who comes back comes with another one.
    pub(super) fn place(&self) -> Self {
        let mut places = self.0.clone();
        places.pop();
        Self(places)
    }
}
