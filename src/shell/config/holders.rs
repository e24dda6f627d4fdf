//! The people to whom the configured devices belong.

use shakmaty::Color;

use super::settings::Settings;
use crate::persons::Person;
use crate::shell::error::{Result, error};

/// The person who holds the gamepad.
pub(crate) fn gamepad_of(settings: &Settings) -> Result<Option<Person>> {
    let set = settings.devices.gamepad.as_deref();
    Ok(match set {
        Some("none") => None,
        Some("white") => Some(Person::Player(Color::White)),
        Some("black") => Some(Person::Player(Color::Black)),
        Some("white assistant") => Some(Person::Assistant(Color::White)),
        Some("black assistant") => Some(Person::Assistant(Color::Black)),
        Some("arbiter") => Some(Person::Arbiter),
        Some(other) => {
            return Err(error!(Usage, SetGamepad, who = other));
        }
        None => Color::ALL
            .into_iter()
            .find(|side| settings.game.is_visually_disabled(*side))
            .map(Person::Player),
    })
}

/// The player whose Braille display BRLTTY drives.
pub(crate) fn braille_of(settings: &Settings) -> Result<Option<Color>> {
    match settings.devices.braille.as_deref() {
        Some("none") => Ok(None),
        Some("white") => Ok(Some(Color::White)),
        Some("black") => Ok(Some(Color::Black)),
        Some(other) => Err(error!(Usage, SetBraille, who = other)),
        None => Ok(Color::ALL
            .into_iter()
            .find(|side| settings.game.is_visually_disabled(*side))),
    }
}
