//! Games with people elsewhere, through the board API of lichess.org.
//!
//! `wire` says what lines mean, and `lobby` and `progress` say what follows. All three are pure.
//! `host` carries it out before a game, and `worker` in a game, over the threads of `net`.

mod host;
mod key;
mod lobby;
mod net;
mod pace;
mod progress;
mod seat;
mod wire;
mod worker;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::thread;

use crossbeam_channel::{bounded, unbounded};

use annexd::error;
use annexd::game::Profile;
use annexd::shell::error::Result;
use annexd::shell::practice::Guest;
use annexd::shell::practice::elsewhere::{self, Meeting, Met, Waiting};

use host::Host;
use net::Net;
use seat::Elsewhere;

/// Plays with a person elsewhere.
pub(crate) fn play(arguments: &elsewhere::Arguments) -> Result<ExitCode> {
    elsewhere::play(arguments, meet)
}

/// Brings the person elsewhere back to a game.
pub(crate) fn find(profile: &Profile) -> Result<Arc<dyn Guest>> {
    let other = profile.side_elsewhere();
    let terms = other.and_then(|other| profile.sides[other].elsewhere.as_ref());
    let named = terms.and_then(|terms| terms.key_file.as_deref());
    Ok(guest(Net::new(key::read(named.map(Path::new))?)?))
}

fn guest(net: Net) -> Arc<dyn Guest> {
    Arc::new(Elsewhere(Mutex::new(Some(net))))
}

/// Finds an opponent. `None` if the player leaves before.
fn meet(meeting: &Meeting, waiting: &Waiting<'_>) -> Result<Option<Met>> {
    if let Some(name) = meeting.friend.as_deref().filter(|name| !wire::is_id(name)) {
        return Err(error!(Usage, NoSuchPlayerElsewhere, name = name));
    }
    let net = Net::new(key::read(meeting.key_file.as_deref())?)?;
    let (tells, news) = unbounded();
    let (answers, replies) = unbounded();
    let (finds, found) = bounded(1);
    let host = Host::new(net, meeting.clone(), tells.clone());
    thread::spawn(move || {
        let met = host.work(&replies);
        // The result is there before the end of the waiting is told.
        let _ = finds.send(met);
        let _ = tells.send(host::over());
    });
    match waiting.wait(news, answers)? {
        true => found.recv().unwrap_or(Ok(None)),
        false => Ok(None),
    }
}
