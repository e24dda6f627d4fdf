//! The devices and languages that a set-up can choose from: loudspeakers, microphones, languages.

use std::collections::BTreeSet;

use crate::set_up::Room;
use crate::shell::config::data;
use crate::shell::error::Result;
use crate::shell::speech::sound;

/// Parts and doubles of a sound card that ALSA lists beside the card. A person who tries one device
/// after another by ear should not have to try these.
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

/// ALSA's names for the system's own choice, and for the sound servers that make it.
const CHOICES: [&str; 4] = ["default", "pipewire", "pulse", "sysdefault"];
const SERVERS: [&str; 2] = ["pipewire", "pulse"];

/// Finds the devices and languages of this computer. Without devices it finds languages alone.
///
/// # Errors
///
/// If the data of a language is wrong.
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
        loudspeakers: some_that_opens(usual(sound::loudspeakers()), plays),
        microphones: some_that_opens(usual(microphones()), hears),
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

#[cfg(feature = "audio")]
fn plays(loudspeaker: &str) -> bool {
    sound::Loudspeaker::open(Some(loudspeaker), |_| {}).is_ok()
}

#[cfg(not(feature = "audio"))]
fn plays(_: &str) -> bool {
    false
}

#[cfg(all(feature = "audio", feature = "recognizer"))]
fn hears(microphone: &str) -> bool {
    crate::shell::hearing::microphone::Microphone::open(Some(microphone)).is_ok()
}

#[cfg(not(all(feature = "audio", feature = "recognizer")))]
fn hears(_: &str) -> bool {
    false
}

/// Returns the names, or none if not one of the devices can be opened: ALSA lists names for sound
/// hardware that is not there. A device that another program is using is offered as long as another
/// device can be opened.
fn some_that_opens(names: Vec<String>, opens: impl Fn(&str) -> bool) -> Vec<String> {
    if names.iter().any(|name| opens(name)) {
        names
    } else {
        Vec::new()
    }
}

/// Returns the devices that a person would name, or all of them if none is left.
fn usual(names: Vec<String>) -> Vec<String> {
    let is_double = |name: &String| {
        let kind = name.split(':').next().unwrap_or(name);
        let has_better = |better: &str| names.iter().any(|it| it.starts_with(better));
        DOUBLES.contains(&kind) || (kind == "hw" && has_better("sysdefault"))
    };
    let chosen: Vec<String> = names.iter().filter(|it| !is_double(it)).cloned().collect();
    let chosen = without_second_names(chosen);
    if chosen.is_empty() { names } else { chosen }
}

/// Returns the devices without those that are another one under a second name. A person who hears
/// two names for one loudspeaker may take one for his own and one for the table's.
///
/// The system's own choice is the first card. Where a sound server makes the choice, it is known
/// only if there is one card: a server does not tell here which of several it has chosen.
fn without_second_names(names: Vec<String>) -> Vec<String> {
    let is_choice = |name: &String| CHOICES.contains(&name.as_str());
    let Some(choice) = names.iter().find(|name| is_choice(name)).cloned() else {
        return names;
    };
    let has_server = names.iter().any(|name| SERVERS.contains(&name.as_str()));
    let cards: BTreeSet<&str> = names.iter().filter_map(|name| card(name)).collect();
    let first = names.iter().find_map(|name| card(name));
    let chosen = first.filter(|_| !has_server || cards.len() == 1);
    let is_second = |name: &String| {
        (is_choice(name) && *name != choice) || (chosen.is_some() && card(name) == chosen)
    };
    let kept = names.iter().filter(|name| !is_second(name));
    kept.cloned().collect()
}

/// Returns the sound card of which this is the usual output or input. Other outputs of a card are
/// devices of their own.
fn card(name: &str) -> Option<&str> {
    let (kind, place) = name.split_once(":CARD=")?;
    let (card, device) = place.split_once(",DEV=").unwrap_or((place, "0"));
    (["sysdefault", "hw", "default"].contains(&kind) && device == "0").then_some(card)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_offered_where_nothing_opens() {
        let names = || vec!["default".to_owned(), "hw:CARD=Headset".to_owned()];
        assert_eq!(some_that_opens(names(), |_| false), Vec::<String>::new());
        let opens = |name: &str| name == "hw:CARD=Headset";
        assert_eq!(some_that_opens(names(), opens), names());
    }

    #[test]
    fn a_card_is_offered_once() {
        let names = [
            "default",
            "sysdefault:CARD=A",
            "front:CARD=A,DEV=0",
            "hw:CARD=A,DEV=0",
        ];
        let names = names.map(str::to_owned).to_vec();
        assert_eq!(usual(names), ["default"]);
        let only = vec!["hw:CARD=A,DEV=0".to_owned()];
        assert_eq!(usual(only.clone()), only);
    }

    #[test]
    fn the_systems_own_choice_is_not_offered_by_a_second_name() {
        for (names, offered) in [
            // A server has chosen the only card. The monitor's output is another loudspeaker.
            (
                "default pipewire pulse sysdefault:CARD=A hdmi:CARD=A,DEV=0",
                "default hdmi:CARD=A,DEV=0",
            ),
            // Without a server the choice is the first card.
            (
                "default sysdefault sysdefault:CARD=A hw:CARD=A,DEV=1 sysdefault:CARD=USB",
                "default sysdefault:CARD=USB",
            ),
            // Nobody knows which of several cards a server has chosen.
            (
                "pipewire default sysdefault:CARD=A sysdefault:CARD=USB",
                "pipewire sysdefault:CARD=A sysdefault:CARD=USB",
            ),
            ("default room headset", "default room headset"),
        ] {
            let listed = names.split(' ').map(str::to_owned).collect();
            assert_eq!(usual(listed).join(" "), offered, "{names}");
        }
    }
}
