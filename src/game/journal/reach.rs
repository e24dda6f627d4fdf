//! What the program reached of the world when a rated game began, as a fact of its record.

use serde::{Deserialize, Serialize};

/// With what a rated game sounds and is spoken, and whether anything of it could reach a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The sound server or sound system that is used, such as
    /// `unix:/run/user/1000/pulse/native`; nothing if no sound is used.
    pub sound: Option<String>,
    /// The address of the speech service that is used; nothing if none is.
    pub speech: Option<String>,
    /// What is set and was not used, because it is not on this computer: each with the place where
    /// it is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Where pages are served to browsers; nothing if none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    /// Whether the system refuses every socket but local ones to this program.
    pub network: Network,
}

/// Whether a program can open sockets of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// The system refuses them, to this program and to all that it starts.
    Refused,
    /// The system does not refuse them, for this reason.
    NotRefused(String),
}
