//! Which phrases say that an order was not carried out, and which belong to a question put to both.

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
                | Self::AnswerFirst
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

    /// Whether it asks both players something, or says what one of them, or both, have answered.
    pub const fn is_of_question(self) -> bool {
        matches!(
            self,
            Self::BothConfirm
                | Self::YesOrNo
                | Self::SaysYes
                | Self::SaysNo
                | Self::OpenStill
                | Self::BothSayNo
                | Self::PlayOnAsItStands
                | Self::NotAgreed
                | Self::Restored
                | Self::RestoredToStart
        )
    }
}
