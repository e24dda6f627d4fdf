//! Who has come in: for each page a name that only its browser knows, and one for its forms.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::Role;

/// So many browsers of one role there are at most. Beyond that the oldest gives way: whoever has
/// the PIN may have lost it on another device.
const SESSIONS_A_ROLE: usize = 3;

/// So many of the audience.
const SESSIONS_OF_AUDIENCE: usize = 200;

/// So many presses of a page are remembered, so that none counts twice.
const PRESSES: usize = 64;

/// A page that changes by itself is read as long as it is connected, and so long after.
const STAYS: Duration = Duration::from_secs(15);

/// A page without the script is read so long after it was loaded.
const STAYS_WITHOUT_SCRIPT: Duration = Duration::from_secs(300);

/// All that have come in.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Vec<Session>>);

struct Session {
    role: Role,
    token: String,
    /// What its forms carry.
    forms: String,
    language: String,
    seen: Instant,
    /// How many connections read changes just now.
    live: usize,
    was_live: bool,
    presses: VecDeque<String>,
}

/// What a request learns of its session.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) token: String,
    pub(crate) forms: String,
    pub(crate) language: String,
}

impl Sessions {
    /// Somebody comes in. If nobody else may sit there, whoever sat there before has gone.
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
            live: 0,
            was_live: false,
            presses: VecDeque::new(),
        });
    }

    /// The session of a role with this name; it was seen now.
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

    /// Ends one.
    pub(crate) fn end(&self, role: Role, token: &str) {
        self.all()
            .retain(|it| it.role != role || !alike(&it.token, token));
    }

    /// Whether this press is a new one. From now on it is not.
    pub(crate) fn is_new(&self, role: Role, token: &str, press: &str) -> bool {
        let mut all = self.all();
        let Some(found) = find(&mut all, role, token) else {
            return false;
        };
        if found.presses.iter().any(|it| it == press) {
            return false;
        }
        if found.presses.len() == PRESSES {
            found.presses.pop_front();
        }
        found.presses.push_back(press.to_owned());
        true
    }

    /// A connection begins or ends to read changes.
    pub(crate) fn live(&self, role: Role, token: &str, is_live: bool) {
        let mut all = self.all();
        if let Some(found) = find(&mut all, role, token) {
            found.seen = Instant::now();
            found.was_live = true;
            found.live = match is_live {
                true => found.live + 1,
                false => found.live.saturating_sub(1),
            };
        }
    }

    /// Whether anybody reads a page of this role.
    pub(crate) fn is_read(&self, role: Role) -> bool {
        self.all().iter().any(|it| {
            let stays = if it.was_live {
                STAYS
            } else {
                STAYS_WITHOUT_SCRIPT
            };
            it.role == role && (it.live > 0 || it.seen.elapsed() < stays)
        })
    }

    fn all(&self) -> MutexGuard<'_, Vec<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find<'a>(all: &'a mut [Session], role: Role, token: &str) -> Option<&'a mut Session> {
    all.iter_mut()
        .find(|it| it.role == role && alike(&it.token, token))
}

/// Compares in a time that does not tell how much of it is right.
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
}
