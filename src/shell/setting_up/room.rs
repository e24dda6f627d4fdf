//! What there is for a set-up: loudspeakers, microphones, languages.

use crate::set_up::Room;
use crate::shell::config::data;
use crate::shell::error::Result;

/// Parts and doubles of a sound card that ALSA lists beside the card: who tries one device after
/// the other by ear should not have to try these.
const DOUBLES: [&str; 11] = [
    "surround21",
    "surround40",
    "surround41",
    "surround50",
    "surround51",
    "surround71",
    "front",
    "iec958",
    "dmix",
    "dsnoop",
    "plughw",
];

/// What there is. Without devices there are languages alone.
///
/// # Errors
///
/// If a language is wrong.
pub(super) fn room(has_devices: bool) -> Result<Room> {
    let mut languages = Vec::new();
    for code in data::languages()? {
        let name = data::lexicon(&code)?.name().to_owned();
        languages.push((code, name));
    }
    if !has_devices {
        return Ok(Room {
            languages,
            ..Room::default()
        });
    }
    Ok(Room {
        loudspeakers: usual(crate::shell::speech::sound::loudspeakers()),
        microphones: usual(microphones()),
        languages,
        has_system_voice: crate::shell::speech::voice::has_system_voice(),
        ports: crate::shell::boards::ports(),
    })
}

#[cfg(all(feature = "audio", feature = "recognizer"))]
fn microphones() -> Vec<String> {
    crate::shell::hearing::microphone::names()
}

#[cfg(not(all(feature = "audio", feature = "recognizer")))]
fn microphones() -> Vec<String> {
    Vec::new()
}

/// The devices that a person would name; all of them if that leaves none.
fn usual(names: Vec<String>) -> Vec<String> {
    let is_double = |name: &String| {
        let kind = name.split(':').next().unwrap_or(name);
        let has_better = |better: &str| names.iter().any(|it| it.starts_with(better));
        DOUBLES.contains(&kind) || (kind == "hw" && has_better("sysdefault"))
    };
    let chosen: Vec<String> = names.iter().filter(|it| !is_double(it)).cloned().collect();
    if chosen.is_empty() { names } else { chosen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_offered_once() {
        let names = [
            "default",
            "sysdefault:CARD=A",
            "front:CARD=A,DEV=0",
            "hw:CARD=A,DEV=0",
        ];
        let names = names.map(str::to_owned).to_vec();
        assert_eq!(usual(names), ["default", "sysdefault:CARD=A"]);
        let only = vec!["hw:CARD=A,DEV=0".to_owned()];
        assert_eq!(usual(only.clone()), only);
    }
}
