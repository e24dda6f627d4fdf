//! The sessions: for each page a token that only its browser knows, and one for its forms.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::Role;

/// How many browsers of one role there may be. Beyond that the oldest gives way, because a person
/// with the PIN may have lost his page on another device.
const SESSIONS_A_ROLE: usize = 3;

/// How many browsers of the audience there may be.
const SESSIONS_OF_AUDIENCE: usize = 200;

/// How many presses of a page are remembered, so that none counts twice. No game has more.
const PRESSES: usize = 4096;

/// How many connections may read the changes of one session. The oldest gives way. A browser needs
/// one for each window.
const LIVE: usize = 6;

/// How long a page that updates by itself counts as read after it was last connected.
const STAYS: Duration = Duration::from_secs(15);

/// How long a page without the script counts as read after it was loaded.
const STAYS_WITHOUT_SCRIPT: Duration = Duration::from_secs(300);

/// All sessions.
#[derive(Default)]
pub(crate) struct Sessions {
    all: Mutex<Vec<Session>>,
    /// The hash for recognising presses. Nobody outside can make two presses with one hash.
    alike: RandomState,
}

struct Session {
    role: Role,
    token: String,
    /// The token that its forms carry.
    forms: String,
    language: String,
    seen: Instant,
    /// The connections that are reading changes, the oldest first.
    live: VecDeque<u64>,
    was_live: bool,
    presses: Presses,
}

/// The last presses.
#[derive(Default)]
struct Presses {
    order: VecDeque<u64>,
    known: HashSet<u64>,
}

impl Presses {
    /// Returns whether this press is new, and remembers it.
    fn is_new(&mut self, press: u64) -> bool {
        if !self.known.insert(press) {
            return false;
        }
        self.order.push_back(press);
        if self.order.len() > PRESSES
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

/// What a request learns about its session.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) token: String,
    pub(crate) forms: String,
    pub(crate) language: String,
}

impl Sessions {
    /// Begins a session. If the role has the most sessions it may have, its oldest one ends.
    pub(crate) fn begin(&self, role: Role, token: String, forms: String, language: String) {
        let mut all = self.all();
        let of_role = all.iter().filter(|it| it.role == role).count();
        let most = match role {
            Role::Audience => SESSIONS_OF_AUDIENCE,
            _ => SESSIONS_A_ROLE,
        };
        if of_role >= most
            && let Some(oldest) = all.iter().position(|it| it.role == role)
        {
            all.remove(oldest);
        }
        all.push(Session {
            role,
            token,
            forms,
            language,
            seen: Instant::now(),
            live: VecDeque::new(),
            was_live: false,
            presses: Presses::default(),
        });
    }

    /// Returns the session of a role with this token, and marks it as seen now.
    pub(crate) fn known(&self, role: Role, token: &str) -> Option<Known> {
        let mut all = self.all();
        let found = find(&mut all, role, token)?;
        found.seen = Instant::now();
        Some(Known {
            token: found.token.clone(),
            forms: found.forms.clone(),
            language: found.language.clone(),
        })
    }

    /// Ends a session.
    pub(crate) fn end(&self, role: Role, token: &str) {
        self.all()
            .retain(|it| it.role != role || !alike(&it.token, token));
    }

    /// Returns whether this press is new, and remembers it.
    pub(crate) fn is_new(&self, role: Role, token: &str, press: &str) -> bool {
        let press = self.alike.hash_one(press);
        let mut all = self.all();
        let found = find(&mut all, role, token);
        found.is_some_and(|it| it.presses.is_new(press))
    }

    /// Begins the reading of changes by a connection, and returns its number. If the session has
    /// too many, the oldest reads no more.
    pub(crate) fn begin_reading(&self, role: Role, token: &str) -> u64 {
        let mut all = self.all();
        let Some(found) = find(&mut all, role, token) else {
            return 0;
        };
        found.seen = Instant::now();
        found.was_live = true;
        let number = found.live.back().map_or(1, |last| last + 1);
        found.live.push_back(number);
        if found.live.len() > LIVE {
            found.live.pop_front();
        }
        number
    }

    /// Ends the reading of changes by a connection.
    pub(crate) fn end_reading(&self, role: Role, token: &str, number: u64) {
        let mut all = self.all();
        if let Some(found) = find(&mut all, role, token) {
            found.seen = Instant::now();
            found.live.retain(|it| *it != number);
        }
    }

    /// Returns whether a connection is still one of those that may read the changes of this
    /// session.
    pub(crate) fn may_read(&self, role: Role, token: &str, number: u64) -> bool {
        let mut all = self.all();
        find(&mut all, role, token).is_some_and(|it| it.live.contains(&number))
    }

    /// Returns whether anybody is reading a page of this role.
    pub(crate) fn is_read(&self, role: Role) -> bool {
        self.all().iter().any(|it| {
            let stays = if it.was_live {
                STAYS
            } else {
                STAYS_WITHOUT_SCRIPT
            };
            it.role == role && (!it.live.is_empty() || it.seen.elapsed() < stays)
        })
    }

    fn all(&self) -> MutexGuard<'_, Vec<Session>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find<'a>(all: &'a mut [Session], role: Role, token: &str) -> Option<&'a mut Session> {
    all.iter_mut()
        .find(|it| it.role == role && alike(&it.token, token))
}

/// Compares two tokens in a time that does not depend on how much of them agrees.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes());
    let differing = differing.fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && !one.is_empty() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_counts_once_and_only_in_its_session() {
        let sessions = Sessions::default();
        let begin = |token: &str| {
            sessions.begin(Role::Black, token.into(), "f".into(), "de".into());
        };
        begin("a");
        assert!(sessions.is_new(Role::Black, "a", "1"));
        assert!(!sessions.is_new(Role::Black, "a", "1"));
        assert!(!sessions.is_new(Role::White, "a", "2"));
        assert!(sessions.known(Role::White, "a").is_none());
        for other in ["b", "c", "d"] {
            begin(other);
        }
        assert!(sessions.known(Role::Black, "a").is_none());
        assert!(sessions.known(Role::Black, "b").is_some());
        assert!(sessions.is_read(Role::Black) && !sessions.is_read(Role::White));
        assert!(!alike("", "") && !alike("ab", "a") && alike("ab", "ab"));
    }

    #[test]
    fn a_press_that_is_sent_again_after_a_thousand_others_counts_no_more() {
        let sessions = Sessions::default();
        sessions.begin(Role::White, "a".into(), "f".into(), "de".into());
        for press in 0..1000 {
            assert!(sessions.is_new(Role::White, "a", &press.to_string()));
        }
        assert!(!sessions.is_new(Role::White, "a", "0"));
        assert!(!sessions.is_new(Role::White, "a", "999"));
    }

    #[test]
    fn whoever_reads_on_ever_more_connections_keeps_the_latest() {
        let sessions = Sessions::default();
        sessions.begin(Role::White, "a".into(), "f".into(), "de".into());
        let read: Vec<u64> = (0..1000)
            .map(|_| sessions.begin_reading(Role::White, "a"))
            .collect();
        let still: Vec<u64> = read
            .iter()
            .copied()
            .filter(|it| sessions.may_read(Role::White, "a", *it))
            .collect();
        assert_eq!(still, read[1000 - LIVE..]);
        for number in still {
            sessions.end_reading(Role::White, "a", number);
            assert!(!sessions.may_read(Role::White, "a", number));
        }
    }
}
