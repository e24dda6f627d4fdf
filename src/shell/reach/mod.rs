//! What a rated game can reach: the sound and speech of this computer, and nothing else.
//!
//! The sound and speech libraries connect to wherever the environment and their settings say, even
//! over a network. So these settings are read before the libraries are opened, and whatever is not
//! on this computer is refused by name. From then on the system itself refuses the program every
//! socket but local ones. What was used is recorded.

mod addresses;
mod network_block;
mod sockets;

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

pub(super) use addresses::{Remote, System};

use crate::game::Input;
use crate::journal::{Network, Reach};
use crate::persons::Person;
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::table::Report;
use crate::shell::table::inbox::Reports;

/// How often to check for open sockets, where the system does not refuse them.
const CHECK_INTERVAL: Duration = Duration::from_secs(30);

/// What may be used in a rated game, and what has to be recorded and reported.
pub(super) struct Bounds {
    /// Settings that must not be used.
    pub remote: Vec<Remote>,
    /// What is recorded.
    pub reach: Reach,
    /// The address at which this program serves its pages. That is no unknown connection.
    pages: Option<SocketAddr>,
}

/// Sets the bounds of a rated game for the rest of this process, before any device is opened. If
/// there are pages, their listener is open already.
pub(super) fn bound(system: &System, has_devices: bool, pages: Option<SocketAddr>) -> Bounds {
    let network = match network_block::block_network() {
        Ok(()) => Network::Refused,
        Err(why) => Network::NotRefused(why),
    };
    let remote = match has_devices {
        true => system.remote(),
        false => Vec::new(),
    };
    let is_allowed = |part| has_devices && remote.iter().all(|it| it.part != part);
    let is_heard = is_allowed(Part::SoundServer);
    let reach = Reach {
        sound: is_heard.then(|| system.sound()),
        speech: (is_heard && is_allowed(Part::SpeechService)).then(|| system.speech()),
        refused: remote.iter().map(|it| it.place.clone()).collect(),
        pages: pages.map(|address| address.to_string()),
        network,
    };
    Bounds {
        remote,
        reach,
        pages,
    }
}

impl Bounds {
    /// Records what is used, and tells the arbiter if the system does not refuse sockets. This also
    /// finds sockets that were open before the program began.
    pub(super) fn tell(&self, reports: &Reports) {
        let _ = reports.send(Report::Reach(self.reach.clone()));
        if let Network::NotRefused(why) = &self.reach.network {
            let fault = Fault::new(Part::Network, Reason::NotBlocked, Remedy::SwitchOff);
            let _ = reports.send(to_arbiter(fault.with(why)));
        }
        let mut told = Vec::new();
        let pages = self.pages;
        tell_open(&mut told, pages, reports);
        if self.reach.network != Network::Refused {
            let reports = reports.clone();
            thread::spawn(move || {
                loop {
                    thread::sleep(CHECK_INTERVAL);
                    if !tell_open(&mut told, pages, &reports) {
                        return;
                    }
                }
            });
        }
    }

    /// Why this part must not be used, if it must not.
    pub(super) fn fault_of(&self, part: Part) -> Option<Fault> {
        let remote = self.remote.iter().find(|it| it.part == part)?;
        Some(Fault::new(part, Reason::Elsewhere, Remedy::UseLocal).with(remote.place.clone()))
    }
}

/// Tells the arbiter of each open network connection, once. Returns false if nobody takes reports
/// any more.
fn tell_open(told: &mut Vec<String>, pages: Option<SocketAddr>, reports: &Reports) -> bool {
    let news = sockets::of_network(pages)
        .into_iter()
        .filter(|it| !told.contains(it));
    let news: Vec<String> = news.collect();
    let all = news.iter().all(|open| {
        let fault = Fault::new(Part::Network, Reason::Forbidden, Remedy::SwitchOff);
        reports.send(to_arbiter(fault.with(open.clone()))).is_ok()
    });
    told.extend(news);
    all
}

fn to_arbiter(fault: Fault) -> Report {
    Report::Input(Input::Failed {
        device: None,
        person: Some(Person::Arbiter),
        fault,
    })
}
