//! The editions of the Laws, and what else chooses among their rules.

use serde::{Deserialize, Serialize};

/// An edition of the Laws of Chess, named by when it came into force.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Edition {
    /// 1 July 2001.
    #[serde(rename = "2001")]
    E2001,
    /// 1 July 2009.
    #[serde(rename = "2009")]
    E2009,
    /// 1 July 2014.
    #[serde(rename = "2014")]
    E2014,
    /// 1 July 2017.
    #[serde(rename = "2017-07")]
    E2017July,
    /// 1 January 2018.
    #[serde(rename = "2018")]
    E2018,
    /// 1 January 2023.
    #[default]
    #[serde(rename = "2023")]
    E2023,
}

/// Which rules hold by the length of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameType {
    /// The Competition Rules of articles 6 to 12.
    #[default]
    Standard,
    /// Appendix A.
    Rapid,
    /// Appendix B.
    Blitz,
}

/// Whether the Competition Rules hold in a rapid or blitz game (A.3, B.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Supervision {
    /// They do: an arbiter watches and the game is recorded.
    #[default]
    Adequate,
    /// They do not.
    Inadequate,
}
