//! Phrases that say that an order was not carried out, and phrases of a question to both players.

use super::PhraseKey;

impl PhraseKey {
    /// Returns whether it says that an order was not carried out.
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

    /// Returns whether it asks both players something, or tells the answer of one or both.
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
