//! A stand-in on systems without BRLTTY. On Windows NVDA drives the Braille display.

use shakmaty::Color;

use crate::shell::config::holders::braille_of;
use crate::shell::config::settings::Settings;
use crate::shell::error::Result;
use crate::shell::table::Table;
use crate::shell::table::inbox::Reports;

/// No display.
pub(super) struct Braille;

/// Finds none.
///
/// # Errors
///
/// If the settings name neither a side nor nobody.
pub(super) fn look(settings: &Settings, _: bool) -> Result<Option<Braille>> {
    braille_of(settings).map(|_| None)
}

impl Braille {
    /// Nobody has a display.
    pub(super) const fn side(&self) -> Option<Color> {
        None
    }

    /// Does nothing.
    ///
    /// # Errors
    ///
    /// None.
    pub(super) fn seat(self, _: &mut Table, _: &Settings, _: &Reports) -> Result<()> {
        Ok(())
    }
}
