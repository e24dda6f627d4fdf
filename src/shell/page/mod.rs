//! Pages for browsers: connects the crate of the pages to seats, the inbox and the outlets.
//!
//! There is no second way of acting. A button pressed on a page is a typed line, taken at the seat
//! [`Seat::Page`] with the same limits and by the same reader as a console's. What a page may know
//! is made in one place, [`view`], from the game and the person; its log is the outlet of a
//! console.

mod acts;
mod audience;
mod boards;
mod host;
mod origin;
mod outlet;
mod qr;
pub mod view;
mod words;

pub use self::audience::view as audience_view;
pub use self::words::{person_of, words};

use std::io::IsTerminal as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, OnceLock};

use annexd_pages::Pages;
use chacha20poly1305::aead::{OsRng, rand_core::RngCore as _};

use self::audience::Audience;
use self::host::Reception;
use self::outlet::PageOutlet;
use crate::game::{Game, Input, Mode, Ruling};
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::config::language::language_of;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::seats::Keeper;
use crate::shell::session::seating::Seating;
use crate::shell::table::inbox::Reports;
use crate::shell::table::{Report, Table};

/// The port that is tried first, so that it can be remembered.
const PORT: u16 = 8129;

/// The number of possible codes of a table.
const CODE: u32 = 1_000_000;

/// The pages of a game; `None` if none are served.
pub(super) struct Served(Option<Pages>);

impl Served {
    /// Tells all readers that the game is left.
    pub(super) fn leave(&self) {
        if let Some(pages) = &self.0 {
            pages.leave();
        }
    }
}

/// Opens the listener for pages, if they are served. That happens before a rated game is closed off
/// from every network.
///
/// # Errors
///
/// If it is no address of this computer, or a rated game's arbiter has not approved it.
pub(super) fn listen(
    game: &Game,
    seating: &Seating,
    settings: &Settings,
) -> Result<Option<TcpListener>> {
    if !settings.page.serve {
        return Ok(None);
    }
    let address = settings.page.address.as_deref().unwrap_or_default();
    let wanted = address_of(address).ok_or_else(|| {
        let fault = Fault::new(Part::Option, Reason::Wrong, Remedy::UseOther);
        error!(Usage, PageAddressWrong, address = address).about(fault.with(address))
    })?;
    if !wanted.ip().is_loopback() && !is_approved(game, seating, wanted.ip()) {
        let fault = Fault::new(Part::Network, Reason::Forbidden, Remedy::CallArbiter);
        let fault = fault.with(wanted.ip().to_string());
        return Err(error!(Usage, PageNotApproved, address = wanted.ip().to_string()).about(fault));
    }
    let listener = TcpListener::bind(wanted).or_else(|error| {
        // Another game may have the usual port.
        if address.parse::<SocketAddr>().is_ok() {
            return Err(error);
        }
        TcpListener::bind(SocketAddr::new(wanted.ip(), 0))
    });
    let listener = listener.map_err(|error| {
        let fault = Fault::new(Part::Option, Reason::Unusable, Remedy::UseOther);
        let fault = fault.with(format!("{wanted}: {error}"));
        Error::of_fault(ErrorKind::Usage, fault)
    })?;
    Ok(Some(listener))
}

fn address_of(text: &str) -> Option<SocketAddr> {
    if text.is_empty() {
        return Some(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT));
    }
    let with_port = |host: IpAddr| SocketAddr::new(host, PORT);
    let address = text.parse().ok();
    let address = address.or_else(|| text.parse().ok().map(with_port))?;
    // An IPv4 address may be written as an IPv6 one.
    let host = address.ip().to_canonical();
    // An address for every interface, or for many listeners, is never a named one.
    let is_one = !host.is_unspecified() && !host.is_multicast();
    is_one.then(|| SocketAddr::new(host, address.port()))
}

/// Whether pages may be served to other computers. In a rated game the arbiter's recorded approval
/// must name the address (11.3.2).
fn is_approved(game: &Game, seating: &Seating, host: IpAddr) -> bool {
    if game.profile().mode != Mode::Rated {
        return true;
    }
    let now = seating.first.iter().find_map(|input| match input {
        Input::Ruling(Ruling::ApproveDevice(approval)) => Some(approval),
        _ => None,
    });
    let approval = now.or(game.profile().device.as_ref());
    approval.is_some_and(|approval| {
        let host = host.to_string();
        let mut parts = approval.scope.split([',', ';']);
        parts.any(|part| names(part, &host))
    })
}

/// Whether a part of the approval is this address, by itself or as "pages at" it. A longer sentence
/// could also name what is not approved.
fn names(part: &str, host: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    words.len() <= 3 && words.last() == Some(&host)
}

/// Serves the pages, and tells the person who started the game where they are.
pub(super) fn open(
    table: &mut Table,
    at: Option<TcpListener>,
    settings: &Settings,
    seating: &Seating,
    (keeper, reports): (&Keeper, &Reports),
) -> Served {
    let Some(listener) = at else {
        return Served(None);
    };
    match serve(table, listener, settings, seating, (keeper, reports)) {
        Ok(pages) => Served(Some(pages)),
        Err(error) => {
            let _ = reports.send(Report::Note(error.fault(Part::Console).into()));
            Served(None)
        }
    }
}

fn serve(
    table: &mut Table,
    listener: TcpListener,
    settings: &Settings,
    seating: &Seating,
    (keeper, reports): (&Keeper, &Reports),
) -> Result<Pages> {
    let code = format!("{:06}", drawn_code());
    let language = language_of(settings);
    let minutes = settings.page.audience_after_minutes;
    let open_pages = outlet::OpenPages::new(minutes.is_some());
    let served = Arc::new(OnceLock::new());
    let may_look_on = Arc::default();
    let reception = Reception::new(
        table.game(),
        (keeper.clone(), reports.clone()),
        seating,
        language.clone(),
        code.clone(),
        (open_pages.clone(), Arc::clone(&served)),
        Arc::clone(&may_look_on),
    )?;
    let pages = Pages::serve(listener, Arc::new(reception)).map_err(|error| {
        let fault = Fault::new(Part::Console, Reason::Unusable, Remedy::GoesOn);
        Error::of_fault(ErrorKind::Unwritable, fault.with(error.to_string()))
    })?;
    let _ = served.set(pages.clone());
    let audience = minutes.map(|minutes| {
        let language = data::language(&language)?;
        Audience::new(language, minutes, may_look_on, &pages)
    });
    let audience = audience.transpose()?;
    table.add(Box::new(PageOutlet::new(
        pages.clone(),
        open_pages,
        audience,
    )));
    tell(&pages, &code, &language, seating, reports)?;
    Ok(pages)
}

/// Tells where the pages are: in words, and as a QR code if a telephone can reach them and somebody
/// sees the terminal.
fn tell(
    pages: &Pages,
    code: &str,
    language: &str,
    seating: &Seating,
    reports: &Reports,
) -> Result<()> {
    let address = format!("http://{}", pages.address());
    let words = words(language)?;
    let (first, last) = code.split_at(code.len() / 2);
    let told = words.of("address").replace("{0}", &address);
    let told = told.replace("{1}", &format!("{first} {last}"));
    let phrase = Phrase::new(PhraseKey::Words, [Argument::Text(told)]);
    let seat = seating.seat;
    let _ = reports.send(Report::Tell { seat, phrase });
    let is_seen = seat.is_shared() && std::io::stdout().is_terminal();
    if is_seen && !pages.address().ip().is_loopback() && folded_output::width_asked() == 0 {
        print!("{}", qr::drawn(&format!("{address}/?code={code}")));
    }
    Ok(())
}

fn drawn_code() -> u32 {
    // The remainder makes no code more likely than another by more than one in four thousand.
    OsRng.next_u32() % CODE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_only_this_computer_reaches_the_pages() {
        let of = |text| address_of(text).map(|it| it.to_string());
        assert_eq!(of("").as_deref(), Some("127.0.0.1:8129"));
        assert_eq!(of("192.0.2.7").as_deref(), Some("192.0.2.7:8129"));
        assert_eq!(of("[::1]:80").as_deref(), Some("[::1]:80"));
        assert_eq!(of("::ffff:192.0.2.7").as_deref(), Some("192.0.2.7:8129"));
        for many in ["0.0.0.0", "::", "::ffff:0.0.0.0", "224.0.0.1", "ff02::1"] {
            assert_eq!(of(many), None, "{many}");
        }
        assert_eq!(of("table.example"), None);
    }
}
