//! What the Laws of Chess say, edition by edition.
