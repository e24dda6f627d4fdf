//! The settings of the voices.

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};

/// The kinds of voices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoiceKind {
    /// The clips of `assets/voice`, on a device of the settings' choice.
    Clips,
    /// The player's own system voice, or the clips where it fails.
    System,
    /// No voice: the person reads.
    Silent,
}

/// How one channel sounds. Percentages are of the normal value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VoiceSettings {
    /// The kind of voice.
    pub voice: VoiceKind,
    /// The device of the clips. If it is not set, the system's own choice.
    pub device: Option<String>,
    /// The name of a system voice. If it is not set, one that speaks the language.
    pub name: Option<String>,
    /// Loudness, 0 to 100.
    pub loudness_percent: u32,
    /// Rate of speech, 50 to 250. A faster rate suits rapid chess and blitz.
    pub rate_percent: u32,
    /// Pitch of a system voice, 0 to 200.
    pub pitch_percent: u32,
    /// Whether only the player hears the device. If it is not set, the device counts as private
    /// when it is not the device of the table.
    pub private: Option<bool>,
}

impl Default for VoiceSettings {
    fn default() -> Self {
        Self {
            voice: VoiceKind::Clips,
            device: None,
            name: None,
            loudness_percent: 100,
            rate_percent: 100,
            pitch_percent: 100,
            private: None,
        }
    }
}

impl VoiceSettings {
    /// The system voice, which a player's ear has unless the settings say otherwise.
    pub fn system() -> Self {
        Self {
            voice: VoiceKind::System,
            ..Self::default()
        }
    }
}

/// Which earcons sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EarconSettings {
    /// The microphone listens.
    pub listening: bool,
    /// Words were heard.
    pub heard: bool,
    /// Words were heard and not understood.
    pub not_understood: bool,
    /// It is the player's turn.
    pub your_turn: bool,
}

impl Default for EarconSettings {
    fn default() -> Self {
        Self {
            listening: true,
            heard: true,
            not_understood: true,
            your_turn: true,
        }
    }
}

/// The settings of all voices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeakerSettings {
    /// The channel TABLE.
    pub table: VoiceSettings,
    /// The channel EAR of each side that has one.
    pub ears: ByColor<Option<VoiceSettings>>,
    /// The short sounds on EAR.
    pub earcons: EarconSettings,
}

impl SpeakerSettings {
    /// Returns whether the table can hear what is said into this ear.
    pub fn is_ear_shared(&self, side: Color) -> bool {
        let ear = self.ears.get(side).as_ref();
        ear.is_some_and(|ear| is_shared(ear, &self.table))
    }
}

/// Returns whether the table can hear what is said into this ear.
pub(super) fn is_shared(ear: &VoiceSettings, table: &VoiceSettings) -> bool {
    let same_device = match ear.voice {
        VoiceKind::System => table.device.is_none(),
        VoiceKind::Clips | VoiceKind::Silent => ear.device == table.device,
    };
    !ear.private
        .unwrap_or(table.voice == VoiceKind::Silent || !same_device)
}
