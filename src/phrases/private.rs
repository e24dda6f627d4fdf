//! Phrases that only the player himself may hear.

use super::PhraseKey;

impl PhraseKey {
    /// Returns whether only the player himself may hear it. Then it is not said where the opponent
    /// also hears the ear.
    pub const fn is_private(self) -> bool {
        matches!(
            self,
            Self::BoardShowsAnother
                | Self::NotAnnounced
                | Self::NotPlaced
                | Self::NotRemoved
                | Self::MovesMade
                | Self::TimesLeft
                | Self::TimesLeftAbout
                | Self::OwnTimeLeft
                | Self::OwnTimeLeftAbout
                | Self::TimesInFull
                | Self::TimesInFullAbout
                | Self::TimesUsed
                | Self::TimeLeftAsWished
                | Self::LastMove
                | Self::BoardHas
                | Self::PiecesOf
                | Self::NoPieces
                | Self::NothingThere
                | Self::MaterialOf
                | Self::HasTaken
                | Self::HasTakenNothing
                | Self::SquareHolds
                | Self::SquareIsEmpty
                | Self::ScoreWhite
                | Self::ScoreBlack
                | Self::NoMoreLooks
                | Self::ConfirmResign
                | Self::ConfirmOffer
                | Self::ConfirmAccept
                | Self::ConfirmClaim
                | Self::ConfirmArbiter
                | Self::ConfirmSignature
                | Self::ConfirmArrival
                | Self::ConfirmLeave
                | Self::ConfirmEnd
                | Self::ConfirmInterrupt
                | Self::ConfirmUnsigned
                | Self::ConfirmComparison
                | Self::ConfirmTwoBoards
                | Self::ConfirmAdjourn
                | Self::ConfirmHalt
                | Self::ConfirmTakeBack
                | Self::ConfirmAbort
                | Self::ConfirmVictory
                | Self::Dropped
                | Self::OfferStands
                | Self::ClaimTaken
                | Self::ClaimNotOnMove
                | Self::ClaimAfterTouch
                | Self::ClaimAfterMove
                | Self::FlagIsUp
                | Self::OwnFlagIsDown
                | Self::NoIllegalMove
                | Self::ClaimedTooLate
                | Self::ArbiterInformed
                | Self::SealNow
                | Self::Sealed
                | Self::Signed
        )
    }
}
