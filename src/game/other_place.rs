//! The state of the place where a player elsewhere sits.

/// The state of the other place.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherPlace {
    /// Whether the server does not answer.
    pub(super) is_lost: bool,
    /// Whether the player there has been gone so long that the game can be claimed.
    pub(super) is_given_up: bool,
}
