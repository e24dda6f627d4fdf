//! What a rated game reaches: the sound and the speech of this computer, and nothing else.
//!
//! Sound and speech are libraries that go where the environment and their settings tell them, over
//! a network too. So what is set is read before they are opened, and what is not on this computer
//! is refused by its name; and from then on the system itself refuses the program every socket but
//! local ones. What was used is recorded.

mod addresses;
mod fence;
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

/// Where the system does not refuse sockets, it is looked so often whether one is open.
const LOOK: Duration = Duration::from_secs(30);

/// What may be used in a rated game, and what has to be recorded and told.
pub(super) struct Bounds {
    /// What is set and must not be used.
    pub remote: Vec<Remote>,
    /// What the record says of it.
    pub reach: Reach,
    /// Where this program serves its pages: that is no connection that nobody knows of.
    pages: Option<SocketAddr>,
}

/// Sets the bounds of a rated game for the rest of this process, before any device is opened. The
/// pages listen already, if there are any.
pub(super) fn bound(system: &System, has_devices: bool, pages: Option<SocketAddr>) -> Bounds {
    let network = match fence::put_up() {
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
    /// Records what is used, and tells the arbiter what the system does not refuse. What was open
    /// before the program began, or is opened in spite of all, is found too.
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
                    thread::sleep(LOOK);
                    if !tell_open(&mut told, pages, &reports) {
                        return;
                    }
                }
            });
        }
    }

    /// Why this must not be used, if it must not.
    pub(super) fn fault_of(&self, part: Part) -> Option<Fault> {
        let remote = self.remote.iter().find(|it| it.part == part)?;
        Some(Fault::new(part, Reason::Elsewhere, Remedy::UseLocal).with(remote.place.clone()))
    }
}

/// Tells the arbiter of each open connection to a network, once. False if nobody hears it.
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
