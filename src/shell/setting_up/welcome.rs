//! annexd without a command: asks the user what to do.

use std::time::Duration;

use shakmaty::Color;

use super::asking::{self, Dialogue, End, OFF};
use super::{answers_of, read, room};
use crate::phrases::{Language, PhraseKey};
use crate::set_up::{AfterReply, Answers, Choice, Level, Place, Reply, Room, Welcome};
use crate::shell::config::settings::Settings;
use crate::shell::error::Result;
use crate::shell::speech::voice::VoiceKind;

/// Asks which of several things to do. It uses the devices in the settings, or else the system's
/// own.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub fn choose(
    settings: &Settings,
    has_devices: bool,
    among: impl FnOnce(Answers) -> Welcome,
) -> Result<End<Welcome>> {
    let answers = answers(settings, &room(has_devices)?);
    asking::ask(settings, has_devices, among(answers))
}

/// The answers that the settings give, in this room.
pub(super) fn answers(settings: &Settings, room: &Room) -> Answers {
    let ears = &settings.voice.ear;
    let ear = match answers_of(settings, false).own_side {
        Color::White => ears.white.as_ref(),
        Color::Black => ears.black.as_ref(),
    };
    let voice = ear.unwrap_or(&settings.voice.table);
    let speaks = voice.voice != VoiceKind::Silent && !room.loudspeakers.is_empty();
    let mut answers = answers_of(settings, speaks);
    let usual = || room.loudspeakers.first().cloned();
    answers.ears.own = answers.ears.own.or_else(usual).filter(|_| speaks);
    let usual = || room.microphones.first().cloned();
    let microphone = answers.own_microphone.or_else(usual);
    answers.own_microphone = microphone.filter(|name| name != OFF);
    answers
}

impl Dialogue for Welcome {
    const BETWEEN: &'static str = "\n";
    const OUTLIVES_KEYS: bool = true;

    fn first(&mut self) -> AfterReply {
        self.begin()
    }

    fn answered(&mut self, reply: Reply, _: Option<Level>) -> AfterReply {
        self.hear(&reply)
    }

    fn waits(&self) -> Duration {
        self.patience()
    }

    fn devices(&self) -> Place<'_> {
        self.place()
    }

    fn farewell(&self) -> Option<(&str, PhraseKey)> {
        None
    }

    /// A choice can be typed in full, or by a beginning that no other choice shares. Half a word is
    /// asked back.
    fn read(&self, line: &str, reply: Reply, language: &Language) -> Result<Reply> {
        if !matches!(reply, Reply::Text(_)) {
            return Ok(reply);
        }
        let word = line.trim().to_lowercase();
        let by_word = (1..).zip(self.choices()).find(|(_, it)| it.word() == word);
        let by_word = by_word.map(|(number, _)| Reply::Number(number));
        let phrases = self.choices().iter().map(Choice::phrase);
        let chosen = by_word.or_else(|| read::chosen(line, phrases, language));
        Ok(chosen.unwrap_or(reply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::config::data;

    fn room() -> Room {
        Room {
            loudspeakers: vec!["box".to_owned()],
            microphones: vec!["left".to_owned()],
            ..Room::default()
        }
    }

    #[test]
    fn it_is_asked_with_the_devices_that_are_set() {
        let devices = |text: &str| {
            let answers = answers(&Settings::parse(text).unwrap(), &room());
            (answers.ears.own, answers.own_microphone)
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(devices(""), (some("box"), some("left")));
        let set = "[game.sides.black]\nvisually_disabled = true\n\
                   [voice.ear.black]\ndevice = \"headset\"\n\
                   [devices.microphone]\nblack = \"right\"\n";
        assert_eq!(devices(set), (some("headset"), some("right")));
        let off = "[voice.table]\nvoice = \"silent\"\n\
                   [devices.microphone]\nshared = \"none\"\n";
        assert_eq!(devices(off), (None, None));
    }

    #[test]
    fn a_choice_is_typed_by_its_words_in_every_language() {
        let game = Choice::Resume("opera".to_owned());
        let choices = vec![game, Choice::Play, Choice::SetUp, Choice::Leave];
        let welcome = Welcome::new(choices, Answers::default());
        for (code, line, number) in [
            ("de", "Fortsetzen", Some(1)),
            ("de", "Spielen", Some(2)),
            ("de", "e", None),
            ("de", "einrichten", Some(3)),
            ("de", "Ende", Some(4)),
            ("en", "go on", Some(1)),
            ("en", "resume", Some(1)),
            ("en", "set-up", Some(3)),
            ("sv", "spela", Some(2)),
            ("da", "spil", Some(2)),
            ("da", "afslut", Some(4)),
            ("da", "skak", None),
        ] {
            let language = data::language(code).unwrap();
            let text = Reply::Text(line.to_owned());
            let read = welcome.read(line, text.clone(), &language).unwrap();
            let expected = number.map_or(text, Reply::Number);
            assert_eq!(read, expected, "{code}: {line}");
        }
        // Half a word ends nothing.
        for (code, line, number) in [("de", "en", 4), ("de", "spiel", 2), ("da", "afsl", 4)] {
            let language = data::language(code).unwrap();
            let text = Reply::Text(line.to_owned());
            let read = welcome.read(line, text, &language).unwrap();
            assert_eq!(read, Reply::Likely(number), "{code}: {line}");
        }
    }
}
