//! Devices that are lost or back, and other faults. None of them ends a game by itself.

use shakmaty::Color;

use super::Game;
use super::effect::{Earcon, Effect, Priority};
use super::input::Device;
use super::profile::ClockKind;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Fault, Phrase, PhraseKey};

impl Game {
    /// Notes that a device has gone or is back.
    pub(super) fn device(&mut self, device: Device, present: bool) {
        if let Device::Braille(side) = device {
            self.equipment.set_display(side, present);
        }
        if !self.is_lost_anew(device, present) {
            return;
        }
        if let Device::Board(side) = device {
            let back = present.then_some(self.response.now());
            self.boards.note_back(side, back);
            if !self.profile.two_boards {
                self.boards.note_back(!side, back);
            }
        }
        let phrase = phrase_of(device, present);
        if device == Device::Voice(Channel::Table) && !present {
            // What can no longer be heard at the table is said into the ears.
            for side in Color::ALL {
                if self.has_ear(side) {
                    self.tell(side, phrase.key, []);
                }
            }
        }
        self.tell_of(side_of(device, present), phrase);
        if device == Device::Voice(Channel::Table) && present {
            self.announce_missed();
        }
    }

    /// Reports something that does not work, with its cause.
    pub(super) fn failed(&mut self, device: Option<Device>, person: Option<Person>, fault: Fault) {
        let side = match device {
            Some(device) if !self.is_lost_anew(device, false) => return,
            Some(device) => side_of(device, false),
            None => person.and_then(Person::side),
        };
        if person == Some(Person::Arbiter) && self.profile.arbiter {
            // The arbiter decides what to do about it.
            let Phrase { key, arguments } = fault.into();
            self.say(Channel::Arbiter, key, arguments, Priority::Next);
            return;
        }
        if let Some(side) = side {
            self.response.push(Effect::Earcon {
                channel: self.private(side),
                earcon: Earcon::Lost,
            });
        }
        self.tell_of(side, fault.into());
    }

    /// Notes a device as lost or present. Returns whether that is news.
    fn is_lost_anew(&mut self, device: Device, present: bool) -> bool {
        // A board reports that it has no clock. That matters only if the game uses one.
        let is_missed = device != Device::Clock || self.profile.clock != ClockKind::Program;
        let is_news = self.is_lost(device) == present;
        if !is_missed || !is_news || !self.holds("devices") {
            return false;
        }
        match present {
            true => self.equipment.find(device),
            false => self.equipment.lose(device),
        }
        if device == Device::Voice(Channel::Table) && !present {
            self.speech.lose_table();
        }
        true
    }

    /// Tells the player concerned and his assistant, or both players; and the arbiter.
    fn tell_of(&mut self, side: Option<Color>, phrase: Phrase) {
        let Phrase { key, arguments } = phrase;
        match side {
            Some(side) => {
                self.tell(side, key, arguments.clone());
                if !self.profile.sides[side].duties.is_empty() {
                    let channel = Channel::Assistant(side);
                    self.say(channel, key, arguments.clone(), Priority::Next);
                }
            }
            None => self.table(key, arguments.clone()),
        }
        if self.profile.arbiter {
            self.say(Channel::Arbiter, key, arguments, Priority::Normal);
        }
    }
}

/// The player to tell about a device; `None` for both. A lost ear is told at the table, because the
/// ear itself cannot say it.
const fn side_of(device: Device, present: bool) -> Option<Color> {
    match device {
        Device::Board(side) | Device::Gamepad(side) | Device::Braille(side) => Some(side),
        Device::Microphone(side) => side,
        Device::Voice(Channel::Ear(side)) if present => Some(side),
        Device::Voice(Channel::Assistant(side))
        | Device::SystemVoice(Channel::Ear(side) | Channel::Assistant(side)) => Some(side),
        Device::Voice(_) | Device::SystemVoice(_) | Device::Clock | Device::Disk => None,
    }
}

fn phrase_of(device: Device, present: bool) -> Phrase {
    match (device, present) {
        (Device::Voice(Channel::Ear(side)), false) => {
            Phrase::new(PhraseKey::EarLost, [Argument::Side(side)])
        }
        _ => word_of(device, present).into(),
    }
}

const fn word_of(device: Device, present: bool) -> PhraseKey {
    match (device, present) {
        (Device::Board(_), false) => PhraseKey::BoardLost,
        (Device::Board(_), true) => PhraseKey::BoardReturned,
        (Device::Clock, false) => PhraseKey::ClockLost,
        (Device::Clock, true) => PhraseKey::ClockReturned,
        (Device::Microphone(_), false) => PhraseKey::MicrophoneLost,
        (Device::Microphone(_), true) => PhraseKey::MicrophoneReturned,
        (Device::Voice(_), false) => PhraseKey::LoudspeakerLost,
        (Device::SystemVoice(_), false) => PhraseKey::VoiceLost,
        (Device::Voice(_) | Device::SystemVoice(_), true) => PhraseKey::VoiceBack,
        (Device::Gamepad(_), false) => PhraseKey::GamepadLost,
        (Device::Gamepad(_), true) => PhraseKey::GamepadReturned,
        (Device::Braille(_), false) => PhraseKey::BrailleLost,
        (Device::Braille(_), true) => PhraseKey::BrailleReturned,
        (Device::Disk, false) => PhraseKey::DiskLost,
        (Device::Disk, true) => PhraseKey::DiskReturned,
    }
}
