//! From where somebody comes who shows a PIN.

/// From where somebody comes, from the widest place to the narrowest: whose program it is, the
/// terminal in which it was started, what runs in there, and the program itself. Whoever guesses
/// can have many programs, and not so easily many terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    places: Vec<u64>,
    kind: Kind,
}

/// What somebody comes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// A program: a console, or what runs at the terminal.
    #[default]
    Program,
    /// A page in some browser. Behind one address there may be many persons.
    Page,
    /// A page in a browser that is known again by what it was given to keep.
    Browser,
}

impl Source {
    /// A program with these places, the widest first.
    pub fn new(places: impl IntoIterator<Item = u64>) -> Self {
        Self {
            places: places.into_iter().collect(),
            kind: Kind::Program,
        }
    }

    /// A page that is asked for from these places, the widest first.
    pub fn of_page(places: impl IntoIterator<Item = u64>) -> Self {
        Self {
            kind: Kind::Page,
            ..Self::new(places)
        }
    }

    /// The same in a browser that is known by this number.
    #[must_use]
    pub fn in_browser(mut self, browser: u64) -> Self {
        self.places.push(browser);
        self.kind = Kind::Browser;
        self
    }

    /// All its places, the widest first, each with those around it.
    pub(super) fn places(&self) -> impl Iterator<Item = &[u64]> {
        (1..=self.places.len()).map(|end| &self.places[..end])
    }

    /// Whether it lies there.
    pub(super) fn is_in(&self, place: &[u64]) -> bool {
        self.places.starts_with(place)
    }

    /// Whether it is a page.
    pub(super) fn is_page(&self) -> bool {
        self.kind != Kind::Program
    }

    /// By what is known again who had the right PIN. Of a program it is where it was without the
    /// program itself: who comes back comes with another one. Of a page it is its browser alone:
    /// whoever else comes from that computer has shown nothing.
    pub(super) fn known_by(&self) -> Option<Self> {
        let mut known = self.clone();
        match self.kind {
            Kind::Page => return None,
            Kind::Program => drop(known.places.pop()),
            Kind::Browser => {}
        }
        Some(known)
    }
}
