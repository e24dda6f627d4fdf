//! The chessclock as a value.
