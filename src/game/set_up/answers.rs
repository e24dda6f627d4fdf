//! What is known after the set-up.

use std::ops::{Index, IndexMut, Not as _};

use shakmaty::Color;

use super::{Ears, Languages, Terms, Voice, Whose};
use crate::board::Orientation;

/// Something of the player who sets up, and of his opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair<T> {
    /// The player's own.
    pub own: T,
    /// The opponent's.
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
    /// The player who sets up.
    #[default]
    Own,
    /// Both.
    Both,
    /// The opponent.
    Other,
    /// Nobody.
    Neither,
}

impl Disabled {
    /// Every possibility, in the order offered.
    pub const ALL: [Self; 4] = [Self::Own, Self::Both, Self::Other, Self::Neither];

    /// Whether this person is.
    pub const fn is(self, whose: Whose) -> bool {
        match whose {
            Whose::Own => matches!(self, Self::Own | Self::Both),
            Whose::Other => matches!(self, Self::Other | Self::Both),
        }
    }
}

/// The microphone into which the opponent speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OthersMicrophone {
    /// None: he types, or his moves are typed.
    #[default]
    None,
    /// The same microphone as the first player's.
    Shared,
    /// His own, with this name.
    Own(String),
}

/// The arbiter's approval of the device (11.3.2). It applies to one game, and counts only once he
/// has identified himself with his PIN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The arbiter's name.
    pub by: String,
}

/// The answers of the set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// The languages.
    pub languages: Languages,
    /// How annexd speaks.
    pub voice: Voice,
    /// The loudspeakers.
    pub ears: Ears,
    /// The player's microphone; `None` if he types.
    pub own_microphone: Option<String>,
    /// The opponent's microphone.
    pub others_microphone: OthersMicrophone,
    /// The side that the player plays.
    pub own_side: Color,
    /// Who is blind or visually disabled.
    pub disabled: Disabled,
    /// Who has an assistant.
    pub has_assistant: Pair<bool>,
    /// The ports of their electronic boards.
    pub boards: Pair<Option<String>>,
    /// The orientations of those boards; `None` if it is to be found out.
    pub orientations: Pair<Option<Orientation>>,
    /// The terms of the game.
    pub terms: Terms,
    /// Whether there is an arbiter.
    pub arbiter: bool,
    /// The names of both.
    pub names: Pair<String>,
    /// Who has agreed to have his voice recorded.
    pub consents: Pair<bool>,
    /// The arbiter's approval, if he has given it here.
    pub approval: Option<Approval>,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            languages: Languages::default(),
            voice: Voice::default(),
            ears: Ears::default(),
            own_microphone: None,
            others_microphone: OthersMicrophone::default(),
            own_side: Color::White,
            disabled: Disabled::default(),
            has_assistant: Pair::default(),
            boards: Pair::default(),
            orientations: Pair::default(),
            terms: Terms::default(),
            arbiter: false,
            names: Pair::default(),
            consents: Pair::default(),
            approval: None,
        }
    }
}

impl Answers {
    /// Says whether there is an arbiter. What the players had agreed on for the table is then his
    /// to decide.
    pub(super) fn have_arbiter(&mut self, is_there: bool) {
        self.arbiter = is_there;
        if is_there {
            self.languages.leave_table_to_arbiter();
        }
    }

    /// The side that a person plays.
    pub fn side(&self, whose: Whose) -> Color {
        match whose {
            Whose::Own => self.own_side,
            Whose::Other => self.own_side.not(),
        }
    }
}
