//! The equipment at the table: consoles, ears that all can hear, lost devices, and microphones with
//! what they were told to expect.

use shakmaty::Color;

use super::expectation::Expectation;
use super::input::Device;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Sides;

/// What is present and what is not. A microphone is named by its owner; `None` means that both
/// share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Equipment {
    lost: Vec<Device>,
    /// Who has a console of his own.
    consoles: Sides<bool>,
    /// Who has a Braille display.
    displays: Sides<bool>,
    /// The players whose ear everybody at the table hears.
    shared_ears: Sides<bool>,
    /// Muted microphones, and since when.
    muted: Vec<(Option<Color>, Moment)>,
    /// Microphones that are muted again after the next words.
    once: Vec<Option<Color>>,
    /// What each microphone was told to expect.
    listening: Vec<Expectation>,
    /// Whether a player has left annexd.
    is_left: bool,
}

impl Equipment {
    /// Notes whether a player has a console of his own.
    pub(super) fn set_console(&mut self, side: Color, is_there: bool) {
        self.consoles[side] = is_there;
    }

    /// Notes whether a player has a Braille display.
    pub(super) fn set_display(&mut self, side: Color, is_there: bool) {
        self.displays[side] = is_there;
    }

    /// Whether a player reads something that nobody else does: his own console or a Braille
    /// display.
    pub(super) fn reads_alone(&self, side: Color) -> bool {
        self.consoles[side] || self.displays[side]
    }

    /// Notes whether everybody at the table hears a player's ear.
    pub(super) fn share_ear(&mut self, side: Color, is_shared: bool) {
        self.shared_ears[side] = is_shared;
    }

    /// Whether all at the table hear a player's ear.
    pub(super) fn is_ear_shared(&self, side: Color) -> bool {
        self.shared_ears[side]
    }

    /// A device has gone.
    pub(super) fn lose(&mut self, device: Device) {
        if !self.is_lost(device) {
            self.lost.push(device);
        }
    }

    /// A device is back.
    pub(super) fn find(&mut self, device: Device) {
        self.lost.retain(|&lost| lost != device);
    }

    /// Whether a device is gone.
    pub(super) fn is_lost(&self, device: Device) -> bool {
        self.lost.contains(&device)
    }

    /// Mutes a microphone.
    pub(super) fn mute(&mut self, microphone: Option<Color>, now: Moment) {
        self.forget(microphone);
        self.muted.push((microphone, now));
    }

    /// Opens a microphone, or with `is_once` for the next words only.
    pub(super) fn open(&mut self, microphone: Option<Color>, is_once: bool) {
        self.forget(microphone);
        self.once.extend(is_once.then_some(microphone));
    }

    fn forget(&mut self, microphone: Option<Color>) {
        self.muted.retain(|&(muted, _)| muted != microphone);
        self.once.retain(|&once| once != microphone);
    }

    /// Whether a microphone is muted now, and was already at that moment.
    pub(super) fn is_muted(&self, microphone: Option<Color>, at: Option<Moment>) -> bool {
        let mut muted = self.muted.iter();
        self.is_left
            || muted.any(|(muted, since)| *muted == microphone && at.is_none_or(|at| *since <= at))
    }

    /// Whether a microphone was opened for these words only.
    pub(super) fn is_open_once(&self, microphone: Option<Color>) -> bool {
        self.once.contains(&microphone)
    }

    /// Takes all current expectations. Returns those that are new.
    pub(super) fn expect(&mut self, expected: Vec<Expectation>) -> Vec<Expectation> {
        let is_new = |it: &&Expectation| !self.listening.contains(it);
        let news = expected.iter().filter(is_new).copied().collect();
        self.listening = expected;
        news
    }

    /// Notes that a player leaves annexd: nothing more is heard.
    pub(super) const fn leave(&mut self) {
        self.is_left = true;
    }

    /// Whether a player has left annexd.
    pub(super) const fn is_left(&self) -> bool {
        self.is_left
    }

    /// Starts over after the program was away. Devices count as present until one reports
    /// otherwise. Microphones are told again what to expect; a muted one stays muted.
    pub(super) fn begin_again(&mut self) {
        *self = Self {
            muted: std::mem::take(&mut self.muted),
            once: std::mem::take(&mut self.once),
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectation::Form;
    use super::*;

    const OWN: Option<Color> = Some(Color::White);

    fn at(ms: u64) -> Moment {
        Moment::from_ms(ms)
    }

    #[test]
    fn what_was_said_before_a_microphone_was_muted_was_heard() {
        let mut equipment = Equipment::default();
        equipment.mute(OWN, at(5));
        assert!(equipment.is_muted(OWN, None) && equipment.is_muted(OWN, Some(at(5))));
        assert!(!equipment.is_muted(OWN, Some(at(4))) && !equipment.is_muted(None, None));
        equipment.open(OWN, false);
        assert!(!equipment.is_muted(OWN, None) && !equipment.is_open_once(OWN));
    }

    #[test]
    fn a_microphone_opened_for_some_words_is_muted_once() {
        let mut equipment = Equipment::default();
        equipment.open(OWN, true);
        assert!(equipment.is_open_once(OWN));
        equipment.mute(OWN, at(1));
        assert!(!equipment.is_open_once(OWN));
    }

    #[test]
    fn after_a_pause_all_is_taken_for_present_and_mute_stays_mute() {
        let mut equipment = Equipment::default();
        equipment.lose(Device::Clock);
        equipment.lose(Device::Clock);
        equipment.set_console(Color::Black, true);
        equipment.mute(OWN, at(1));
        equipment.begin_again();
        assert!(!equipment.is_lost(Device::Clock) && !equipment.reads_alone(Color::Black));
        assert!(equipment.is_muted(OWN, None));
        equipment.lose(Device::Clock);
        equipment.find(Device::Clock);
        assert!(!equipment.is_lost(Device::Clock));
    }

    #[test]
    fn only_news_is_told_to_a_microphone() {
        let expectation = |microphone, form| Expectation {
            microphone,
            voice: microphone,
            form,
            urgent_only: false,
        };
        let (white, black) = (OWN, Some(Color::Black));
        let first = vec![
            expectation(white, Form::Announcement),
            expectation(black, Form::Commands),
        ];
        let mut equipment = Equipment::default();
        assert_eq!(equipment.expect(first.clone()), first);
        assert!(equipment.expect(first.clone()).is_empty());
        let next = expectation(black, Form::Repetition);
        assert_eq!(equipment.expect(vec![first[0], next]), [next]);
        equipment.begin_again();
        assert_eq!(equipment.expect(first.clone()), first);
    }
}
