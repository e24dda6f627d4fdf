//! Which phrases say that an order was not carried out.

use super::PhraseKey;

impl PhraseKey {
    /// Whether it tells whoever decides that what he ordered was not done.
    pub const fn refuses_order(self) -> bool {
        matches!(
            self,
            Self::NothingToDecide
                | Self::NoSuchProposal
                | Self::GameIsOver
                | Self::NoSuchPenalty
                | Self::NoArbiter
                | Self::NotAdapted
                | Self::NoSuchValue
                | Self::ValueOutOfRange
                | Self::ValueIsOneOf
                | Self::ValueIsLike
                | Self::PositionNeedsKings
                | Self::PositionHasLastPawn
                | Self::PositionTakesKing
                | Self::PositionCannotBe
        )
    }
}
