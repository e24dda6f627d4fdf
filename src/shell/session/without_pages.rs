//! A stand-in for the pages in a program built without them, with the same functions.

use std::net::TcpListener;

use crate::game::Game;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result};
use crate::shell::seats::Keeper;
use crate::shell::session::seating::Seating;
use crate::shell::table::Table;
use crate::shell::table::inbox::Reports;

/// No pages.
pub(super) struct NoPages;

impl NoPages {
    /// Does nothing.
    pub(super) const fn leave(&self) {}
}

/// Listens nowhere.
///
/// # Errors
///
/// If pages are set.
pub(super) fn listen(_: &Game, _: &Seating, settings: &Settings) -> Result<Option<TcpListener>> {
    let fault = Fault::new(Part::Option, Reason::NotBuilt, Remedy::UseOther);
    match settings.page.serve {
        true => Err(Error::of_fault(ErrorKind::Usage, fault.with("page"))),
        false => Ok(None),
    }
}

/// Opens nothing.
pub(super) fn open(
    _: &mut Table,
    _: Option<TcpListener>,
    _: &Settings,
    _: &Seating,
    _: (&Keeper, &Reports),
) -> NoPages {
    NoPages
}
