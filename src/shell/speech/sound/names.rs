//! The names of sound devices, the same for microphones and loudspeakers.

use cpal::traits::DeviceTrait;

/// ALSA lists these as devices, but they are parts to build devices from. No person looks for them.
const PARTS: [&str; 10] = [
    "null",
    "lavrate",
    "samplerate",
    "speexrate",
    "speex",
    "jack",
    "oss",
    "upmix",
    "vdownmix",
    "usbstream",
];

/// The short name of a device in the settings: `pulse`, `hw:CARD=Headset,DEV=0`. On Windows and
/// macOS it is the name that the system shows, because the identifier there is a row of digits.
pub(crate) fn identifier(device: &cpal::Device) -> Option<String> {
    if !cfg!(target_os = "linux")
        && let Ok(shown) = device.description()
    {
        return Some(shown.name().to_owned());
    }
    let id = device.id().ok()?.to_string();
    Some(match id.split_once(':') {
        Some((_, name)) => name.to_owned(),
        None => id,
    })
}

/// The short names of the devices that a person can mean, each once, in their order.
pub(crate) fn known(devices: impl Iterator<Item = cpal::Device>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    devices
        .filter_map(|device| identifier(&device))
        .filter(|name| is_device(name) && seen.insert(name.clone()))
        .collect()
}

fn is_device(name: &str) -> bool {
    let part = name.split(':').next().unwrap_or(name);
    !PARTS.contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_sound_system_are_no_devices() {
        assert!(!is_device("lavrate") && !is_device("usbstream:CARD=Headset"));
        assert!(is_device("pulse") && is_device("hw:CARD=Headset,DEV=0"));
    }
}
