//! The source of a person who shows a PIN.

/// The source of a connection, from the widest place to the narrowest: the user, the terminal in
/// which the program was started, what runs in it, and the program itself. A guesser can have many
/// programs, but not so easily many terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source(Vec<u64>);

impl Source {
    /// A source with these places, widest first.
    pub fn new(places: impl IntoIterator<Item = u64>) -> Self {
        Self(places.into_iter().collect())
    }

    /// All its places, widest first, each with those around it.
    pub(super) fn places(&self) -> impl Iterator<Item = &[u64]> {
        (1..=self.0.len()).map(|end| &self.0[..end])
    }

    /// Whether it lies in this place.
    pub(super) fn is_in(&self, place: &[u64]) -> bool {
        self.0.starts_with(place)
    }

    /// The source without the program itself, which differs when a person comes back.
    pub(super) fn place(&self) -> Self {
        let mut places = self.0.clone();
        places.pop();
        Self(places)
    }
}
