//! The questions of the set-up, in their order.

/// A person at the board, from the view of the player who sets up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The player himself.
    Own,
    /// His opponent.
    Other,
}

impl Whose {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Own, Self::Other];
}

/// A question of the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// The loudspeaker of a person.
    Ear(Whose),
    /// The language.
    Language,
    /// The recorded voice or the system's own.
    Voice,
    /// The rate of speech.
    Rate,
    /// The pitch of a system voice.
    Pitch,
    /// The loudness.
    Loudness,
    /// The side that the player plays.
    Colour,
    /// The microphone of a person. It is tested by being heard.
    Microphone(Whose),
    /// Which of the two is blind or visually disabled.
    Disabled,
    /// Whether nobody else hears the player's loudspeaker.
    Private,
    /// The loudspeaker that both hear.
    Table,
    /// The microphone into which the opponent speaks.
    OthersMicrophone,
    /// Whether a person has an assistant (D.2.10).
    Assistant(Whose),
    /// The electronic board of a person.
    Board(Whose),
    /// The orientation of a person's board.
    Orientation(Whose),
    /// The edition of the Laws.
    Edition,
    /// The time control.
    Time,
    /// Whether annexd's clock counts, or the chessclock at the board.
    Clock,
    /// How strict the game is.
    Mode,
    /// Whether there is an arbiter.
    Arbiter,
    /// Whether the table speaks this language too, and not what the Laws suggest (D.2.1).
    TableLanguage,
    /// The name of a person, which can only be typed.
    Name(Whose),
    /// Whether a person's voice may be recorded.
    Consent(Whose),
    /// Whether the arbiter approves the device (11.3.2). Only he answers, by typing his name.
    Approval,
    /// The topic to change.
    Topic,
    /// Whether everything is right.
    Summary,
}

impl Question {
    /// All questions in order, first those that make it possible to hear and answer the others. The
    /// topic to change is asked only of a player who denies the last question.
    pub const ORDER: [Self; 32] = [
        Self::Ear(Whose::Own),
        Self::Language,
        Self::Voice,
        Self::Rate,
        Self::Pitch,
        Self::Loudness,
        Self::Microphone(Whose::Own),
        Self::Colour,
        Self::Disabled,
        Self::Private,
        Self::Table,
        Self::Ear(Whose::Other),
        Self::OthersMicrophone,
        Self::Microphone(Whose::Other),
        Self::Assistant(Whose::Own),
        Self::Assistant(Whose::Other),
        Self::Board(Whose::Own),
        Self::Orientation(Whose::Own),
        Self::Board(Whose::Other),
        Self::Orientation(Whose::Other),
        Self::Edition,
        Self::Time,
        Self::Clock,
        Self::Mode,
        Self::Arbiter,
        Self::TableLanguage,
        Self::Name(Whose::Own),
        Self::Name(Whose::Other),
        Self::Consent(Whose::Own),
        Self::Consent(Whose::Other),
        Self::Approval,
        Self::Summary,
    ];

    /// Whether its possibilities are devices, each of which has to be tried.
    pub const fn is_device(self) -> bool {
        matches!(self, Self::Ear(_) | Self::Table | Self::Microphone(_))
    }
}
