//! What is known of the place where a player elsewhere sits.

/// What is known of the other place.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherPlace {
    /// Whether it does not answer.
    pub(super) is_lost: bool,
    /// Whether its player has gone for so long that the game can be claimed.
    pub(super) is_given_up: bool,
}
