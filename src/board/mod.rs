//! What a board shows: placements, handling of pieces, and the moves they amount to.
