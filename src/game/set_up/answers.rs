//! What is known after the set-up.

use std::ops::{Index, IndexMut, Not as _};

use shakmaty::Color;

use super::Whose;
use crate::Mode;
use crate::board::Orientation;
use annexd_laws::Edition;
use annexd_laws::clock::TimeControl;

/// Something that the one who sets up has, and his opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair<T> {
    /// His own.
    pub own: T,
    /// His opponent's.
    pub other: T,
}

impl<T> Index<Whose> for Pair<T> {
    type Output = T;

    fn index(&self, whose: Whose) -> &T {
        match whose {
            Whose::Own => &self.own,
            Whose::Other => &self.other,
        }
    }
}

impl<T> IndexMut<Whose> for Pair<T> {
    fn index_mut(&mut self, whose: Whose) -> &mut T {
        match whose {
            Whose::Own => &mut self.own,
            Whose::Other => &mut self.other,
        }
    }
}

/// Who is blind or visually disabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Disabled {
    /// The one who sets up.
    #[default]
    Own,
    /// Both.
    Both,
    /// His opponent.
    Other,
    /// Nobody.
    Neither,
}

impl Disabled {
    /// Every possibility, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Own, Self::Both, Self::Other, Self::Neither];

    /// Whether this one is.
    pub const fn is(self, whose: Whose) -> bool {
        match whose {
            Whose::Own => matches!(self, Self::Own | Self::Both),
            Whose::Other => matches!(self, Self::Other | Self::Both),
        }
    }
}

/// Into which microphone the opponent speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OthersMicrophone {
    /// Into none: he types, or his moves are typed.
    #[default]
    None,
    /// Into the same.
    Shared,
    /// Into one of his own, of this name.
    Own(String),
}

/// The arbiter's approval of the device (11.3.2). It is good for one game, and counts only once he
/// has shown who he is with his PIN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// His name.
    pub by: String,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// In which language the one who sets up is spoken to, as in `grammar/`.
    pub language: String,
    /// Whether by the system's voice.
    pub by_system_voice: bool,
    /// How fast, in percent.
    pub rate_percent: u32,
    /// How high, in percent.
    pub pitch_percent: u32,
    /// How loudly, in percent.
    pub loudness_percent: u32,
    /// The loudspeaker he hears; none in a room without any.
    pub own_ear: Option<String>,
    /// Whether nobody else hears it.
    pub is_private: bool,
    /// The loudspeaker both hear, if it is another.
    pub table: Option<String>,
    /// The loudspeaker that the opponent alone hears.
    pub others_ear: Option<String>,
    /// His microphone; none if he types.
    pub own_microphone: Option<String>,
    /// The opponent's.
    pub others_microphone: OthersMicrophone,
    /// The side he plays.
    pub own_side: Color,
    /// Who is blind or visually disabled.
    pub disabled: Disabled,
    /// Who has an assistant.
    pub has_assistant: Pair<bool>,
    /// The ports of their electronic boards.
    pub boards: Pair<Option<String>>,
    /// Which way round those lie; `None` is found out.
    pub orientations: Pair<Option<Orientation>>,
    /// The edition of the Laws.
    pub edition: Edition,
    /// The time control; `None` plays without a clock.
    pub time_control: Option<TimeControl>,
    /// Whether the chessclock at the board counts, and not annexd's own.
    pub by_chessclock: bool,
    /// How strict the game is.
    pub mode: Mode,
    /// Whether there is an arbiter.
    pub arbiter: bool,
    /// What they are called.
    pub names: Pair<String>,
    /// Who has agreed that what he says is kept as sound.
    pub consents: Pair<bool>,
    /// The arbiter's approval, if he has given it here.
    pub approval: Option<Approval>,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            language: "de".to_owned(),
            by_system_voice: false,
            rate_percent: 100,
            pitch_percent: 100,
            loudness_percent: 100,
            own_ear: None,
            is_private: true,
            table: None,
            others_ear: None,
            own_microphone: None,
            others_microphone: OthersMicrophone::default(),
            own_side: Color::White,
            disabled: Disabled::default(),
            has_assistant: Pair::default(),
            boards: Pair::default(),
            orientations: Pair::default(),
            edition: Edition::default(),
            time_control: "15m+10s".parse().ok(),
            by_chessclock: false,
            mode: Mode::Club,
            arbiter: false,
            names: Pair::default(),
            consents: Pair::default(),
            approval: None,
        }
    }
}

impl Answers {
    /// The side that somebody plays.
    pub fn side(&self, whose: Whose) -> Color {
        match whose {
            Whose::Own => self.own_side,
            Whose::Other => self.own_side.not(),
        }
    }

    /// Whether what is said to him alone can be heard by his opponent, so that it is not said.
    pub fn is_ear_shared(&self) -> bool {
        self.own_ear.is_some() && (!self.is_private || self.table_or_ear() == self.own_ear.as_ref())
    }

    /// The loudspeaker both hear.
    pub const fn table_or_ear(&self) -> Option<&String> {
        match &self.table {
            Some(table) => Some(table),
            None => self.own_ear.as_ref(),
        }
    }
}
