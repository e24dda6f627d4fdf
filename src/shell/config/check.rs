//! Errors in settings of valid form: unknown names and impossible values, each with its line.

use toml::de::{DeTable, DeValue};

use super::data;
use super::holders;
use super::settings::Settings;
use crate::shell::boards::wire;
use crate::shell::error::{Sentence, sentence};
use crate::shell::speech::voice::VoiceSettings;
use crate::shell::typed::controls::{self, BUTTONS};

/// A line, counted from 1, and what is wrong in it.
pub(crate) type Wrong = (usize, Sentence);

/// A Braille display narrower than this could not hold an announcement's longest word.
const BRAILLE_WIDTH_MIN: usize = 12;

/// Checks settings that were read from this text.
///
/// # Errors
///
/// The first unknown name or value out of range.
pub(crate) fn check(text: &str, settings: &Settings) -> Result<(), Wrong> {
    let page = SettingsText::new(text);
    check_devices(&page, settings)?;
    check_gamepad(&page, settings)?;
    check_keys(&page, settings)?;
    check_languages(&page, settings)?;
    check_voices(&page, settings)?;
    let width = settings.text.braille_width;
    if width != 0 && width < BRAILLE_WIDTH_MIN {
        let why = sentence!(SetBrailleWidth, least = BRAILLE_WIDTH_MIN);
        return Err(page.wrong(&["text", "braille_width"], why));
    }
    if settings.record.mb_max == 0 {
        let why = sentence!(SetMbMax);
        return Err(page.wrong(&["record", "mb_max"], why));
    }
    Ok(())
}

fn check_devices(page: &SettingsText, settings: &Settings) -> Result<(), Wrong> {
    let devices = &settings.devices;
    for key in devices.microphone.keys() {
        if !["white", "black", "shared"].contains(&key.as_str()) {
            let why = sentence!(SetMicrophone, key = key);
            return Err(page.wrong(&["devices", "microphone", key], why));
        }
    }
    for (key, place) in &devices.board {
        wire::wire(key, place).map_err(|why| page.wrong(&["devices", "board", key], why))?;
    }
    for side in devices.orientation.keys() {
        let place = ["devices", "orientation", side];
        wire::wire(side, "auto").map_err(|why| page.wrong(&place, why))?;
    }
    holders::gamepad_of(settings)
        .map_err(|error| page.wrong(&["devices", "gamepad"], error.sentence()))?;
    holders::braille_of(settings)
        .map_err(|error| page.wrong(&["devices", "braille"], error.sentence()))?;
    Ok(())
}

fn check_gamepad(page: &SettingsText, settings: &Settings) -> Result<(), Wrong> {
    for (button, function) in &settings.gamepad {
        let place = ["gamepad", button];
        if let Some(other) = button.split('+').find(|part| !BUTTONS.contains(part)) {
            let why = sentence!(SetButton, button = other, buttons = BUTTONS.join(", "));
            return Err(page.wrong(&place, why));
        }
        if !controls::is_function(function) {
            let why = sentence!(SetButtonFunction, function = function);
            return Err(page.wrong(&place, why));
        }
    }
    Ok(())
}

fn check_keys(page: &SettingsText, settings: &Settings) -> Result<(), Wrong> {
    for (key, function) in &settings.keys {
        let place = ["keys", key];
        if key.chars().count() != 1 {
            let why = sentence!(SetKey, key = key);
            return Err(page.wrong(&place, why));
        }
        if !controls::is_function(function) {
            let why = sentence!(SetKeyFunction, function = function);
            return Err(page.wrong(&place, why));
        }
    }
    Ok(())
}

fn check_languages(page: &SettingsText, settings: &Settings) -> Result<(), Wrong> {
    let table = settings.game.table_language.as_ref();
    for (place, language) in [
        (["game", "table_language"], table),
        (
            ["game", "second_language"],
            settings.game.second_language.as_ref(),
        ),
        (["text", "language"], settings.text.language.as_ref()),
    ] {
        if let Some(language) = language {
            data::grammar_text(language, "lexicon.toml")
                .map_err(|error| page.wrong(&place, error.sentence()))?;
        }
    }
    Ok(())
}

fn check_voices(page: &SettingsText, settings: &Settings) -> Result<(), Wrong> {
    let voice = &settings.voice;
    check_voice(page, &["voice", "table"], &voice.table)?;
    for (key, rate) in [
        ("rapid_rate_percent", voice.rapid_rate_percent),
        ("blitz_rate_percent", voice.blitz_rate_percent),
    ] {
        if rate.is_some_and(|rate| !(50..=250).contains(&rate)) {
            return Err(page.wrong(
                &["voice", key],
                sentence!(SetRange, key = key, low = 50_u32, high = 250_u32),
            ));
        }
    }
    for (side, ear) in [("white", &voice.ear.white), ("black", &voice.ear.black)] {
        if let Some(ear) = ear {
            check_voice(page, &["voice", "ear", side], ear)?;
        }
    }
    Ok(())
}

fn check_voice(page: &SettingsText, place: &[&str], voice: &VoiceSettings) -> Result<(), Wrong> {
    for (key, value, range) in [
        ("rate_percent", voice.rate_percent, 50..=250),
        ("loudness_percent", voice.loudness_percent, 0..=100),
        ("pitch_percent", voice.pitch_percent, 0..=200),
    ] {
        if !range.contains(&value) {
            let why = sentence!(
                SetRange,
                key = key,
                low = *range.start(),
                high = *range.end()
            );
            let place: Vec<&str> = place.iter().copied().chain([key]).collect();
            return Err(page.wrong(&place, why));
        }
    }
    Ok(())
}

/// The text of the settings, for finding the line of a key.
struct SettingsText<'a> {
    text: &'a str,
    table: Option<DeTable<'a>>,
}

impl<'a> SettingsText<'a> {
    fn new(text: &'a str) -> Self {
        let table = DeTable::parse(text).ok().map(toml::Spanned::into_inner);
        Self { text, table }
    }

    fn wrong(&self, place: &[&str], why: Sentence) -> Wrong {
        (self.line(place).unwrap_or(1), why)
    }

    /// The line of the key with this path of names, or of the last part that exists.
    fn line(&self, place: &[&str]) -> Option<usize> {
        let mut table = self.table.as_ref()?;
        let mut line = None;
        for name in place {
            let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else {
                break;
            };
            let before = self.text.get(..key.span().start)?;
            line = Some(before.bytes().filter(|byte| *byte == b'\n').count() + 1);
            let DeValue::Table(inner) = value.get_ref() else {
                break;
            };
            table = inner;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_wrong(text: &str, line: usize, part: &str) {
        let (found, why) = Settings::parse(text).unwrap_err();
        assert_eq!(found, line, "{why}");
        assert!(why.to_string().contains(part), "{why}");
    }

    #[test]
    fn what_nothing_has_is_named_with_its_line() {
        check_wrong("[devices]\nmicrophone.red = \"USB\"\n", 2, "red");
        check_wrong(
            "\n[devices.board]\ngreen = \"dgt:/dev/ttyACM0\"\n",
            3,
            "green",
        );
        check_wrong("[devices.board]\nwhite = \"dgd:/dev/ttyACM0\"\n", 2, "dgd");
        check_wrong("[devices]\ngamepad = \"opponent\"\n", 2, "opponent");
        check_wrong("[devices]\nbraille = \"arbiter\"\n", 2, "arbiter");
        check_wrong("[gamepad]\nsuoth = \"no\"\n", 2, "suoth");
        check_wrong("[gamepad]\nsouth = \"dance\"\n", 2, "dance");
        check_wrong("[keys]\nxy = \"yes\"\n", 2, "one letter");
        check_wrong("[keys]\ny = \"dance\"\n", 2, "dance");
        check_wrong(
            "[game]\nmode = \"club\"\ntable_language = \"xx\"\n",
            3,
            "xx",
        );
        check_wrong("[text]\nlanguage = \"klingon\"\n", 2, "klingon");
    }

    #[test]
    fn what_is_out_of_its_range_is_named_with_its_line() {
        check_wrong("[voice.table]\nrate_percent = 900\n", 2, "50 to 250");
        check_wrong(
            "[voice.ear.white]\nvoice = \"system\"\npitch_percent = 201\n",
            3,
            "200",
        );
        check_wrong(
            "[voice.ear]\nblack = { loudness_percent = 101 }\n",
            2,
            "100",
        );
        check_wrong("[text]\nbraille_width = 3\n", 2, "at least 12");
        check_wrong("[record]\nmb_max = 0\n", 2, "megabyte");
    }
}
