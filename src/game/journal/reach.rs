//! What the program could reach outside itself when a rated game began, as a fact of its record.

use serde::{Deserialize, Serialize};

/// The sound and voices of a rated game, and whether anything in it could reach a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The sound server or sound system in use, such as `unix:/run/user/1000/pulse/native`; `None`
    /// without sound.
    pub sound: Option<String>,
    /// The address of the speech service in use; `None` if there is none.
    pub speech: Option<String>,
    /// Settings that were not used because they are not local to this computer, each with the place
    /// where it is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Where pages are served to browsers; `None` if none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    /// Whether the system refuses all but local sockets to this program.
    pub network: Network,
}

/// Whether a program can open network sockets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// The system refuses them to this program and to all that it starts.
    Refused,
    /// The system does not refuse them, for this reason.
    NotRefused(String),
}
