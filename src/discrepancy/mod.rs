//! Differing positions and scores, and the remedy of D.2.9.
