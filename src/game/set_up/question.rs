//! The questions of the set-up, in their order.

/// A person at the board, seen by the one who sets up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// He himself.
    Own,
    /// His opponent.
    Other,
}

impl Whose {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Own, Self::Other];
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// From which loudspeaker he is spoken to.
    Ear(Whose),
    /// In which language.
    Language,
    /// With the recorded voice or the system's own.
    Voice,
    /// How fast.
    Rate,
    /// How high a system voice speaks.
    Pitch,
    /// How loudly.
    Loudness,
    /// Which side he plays.
    Colour,
    /// Which microphone he speaks into; it is tested by being heard.
    Microphone(Whose),
    /// Who of the two is blind or visually disabled.
    Disabled,
    /// Whether nobody else hears his loudspeaker.
    Private,
    /// Which loudspeaker both hear.
    Table,
    /// Into which microphone the opponent speaks.
    OthersMicrophone,
    /// Whether he has an assistant (D.2.10).
    Assistant(Whose),
    /// Which electronic board is his.
    Board(Whose),
    /// Which way round it lies.
    Orientation(Whose),
    /// Which edition of the Laws holds.
    Edition,
    /// How much time there is.
    Time,
    /// Whether annexd's clock counts, or the chessclock at the board.
    Clock,
    /// How strict the game is.
    Mode,
    /// Whether there is an arbiter.
    Arbiter,
    /// What he is called. That can only be typed.
    Name(Whose),
    /// Whether what he says may be kept as sound.
    Consent(Whose),
    /// Whether the arbiter approves the device (11.3.2). Only he answers, by typing his name.
    Approval,
    /// What of it is to be different.
    Topic,
    /// Whether all of it is right.
    Summary,
}

impl Question {
    /// All questions in their order: first what makes it possible to hear and answer the others.
    /// What is to be different is asked by whoever denies the last.
    pub const ORDER: [Self; 31] = [
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
