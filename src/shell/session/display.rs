//! Gives a player his Braille display, if he has one.

use shakmaty::Color;

use super::open_devices::failed;
use crate::game::Device;
use crate::shell::braille::{Display, Place};
use crate::shell::config::data;
use crate::shell::config::holders::braille_of;
use crate::shell::config::language::language_of;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result};
use crate::shell::table::Table;
use crate::shell::table::inbox::Reports;

/// A display that may be at the table.
pub(super) struct Braille {
    side: Color,
    place: Place,
    /// Whether it is present already.
    is_there: bool,
}

/// Looks for a display, if anybody may have one.
///
/// # Errors
///
/// If the settings name neither a side nor nobody.
pub(super) fn look(settings: &Settings, has_devices: bool) -> Result<Option<Braille>> {
    let side = braille_of(settings)?.filter(|_| has_devices);
    Ok(side.map(|side| {
        let place = Place::usual();
        let is_there = place.find().is_ok();
        Braille {
            side,
            place,
            is_there,
        }
    }))
}

impl Braille {
    /// The player whose display is present.
    pub(super) fn side(&self) -> Option<Color> {
        self.is_there.then_some(self.side)
    }

    /// Gives the display to its player. A missing one is reported only if it was configured.
    ///
    /// # Errors
    ///
    /// If the words of a language are missing or wrong.
    pub(super) fn seat(
        self,
        table: &mut Table,
        settings: &Settings,
        reports: &Reports,
    ) -> Result<()> {
        if settings.devices.braille.is_some() && !self.is_there {
            let fault = Fault::new(Part::Braille, Reason::Absent, Remedy::Connect);
            failed(reports, Some(Device::Braille(self.side)), fault);
        }
        let of_table = data::language(&table.game().profile().language_of_table())?;
        let language = data::language(&language_of(settings))?;
        tracing::info!(side = ?self.side, is_there = self.is_there, "a Braille display is opened");
        let display = Display::open(self.place, self.side, (language, of_table), reports);
        table.add(Box::new(display));
        Ok(())
    }
}
