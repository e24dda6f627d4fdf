//! Where a console connects from. The system tells that, but not who connects.

use super::local_socket::Stream;
use crate::shell::seats::Source;

/// How many programs to follow at most to the one that owns the terminal.
#[cfg(target_os = "linux")]
const ANCESTORS: usize = 64;

/// The source of this connection: the user; whether any program that led to it was started at a
/// terminal; the sessions from the outermost such terminal to the program; the program.
#[cfg(target_os = "linux")]
pub(super) fn source_of(stream: &Stream, number: u64) -> Source {
    let Ok(peer) = rustix::net::sockopt::socket_peercred(stream) else {
        return Source::new([number]);
    };
    let program = u64::from(peer.pid.as_raw_nonzero().get().unsigned_abs());
    let mut led: Vec<Program> = Vec::new();
    let mut next = program;
    while led.len() < ANCESTORS
        && let Some(program) = Program::of(next)
    {
        next = program.parent;
        led.push(program);
    }
    let outermost = led.iter().rposition(|it| it.has_terminal);
    let inside = &led[..outermost.map_or(led.len(), |it| it + 1)];
    let mut sessions: Vec<u64> = inside.iter().rev().map(|it| it.session).collect();
    sessions.dedup();
    let user = [u64::from(peer.uid.as_raw()), u64::from(outermost.is_some())];
    Source::new(user.into_iter().chain(sessions).chain([program]))
}

/// On other systems the source is unknown: each connection counts as its own program.
#[cfg(not(target_os = "linux"))]
pub(super) fn source_of(_stream: &Stream, number: u64) -> Source {
    Source::new([number])
}

/// What the system knows about a program.
#[cfg(target_os = "linux")]
struct Program {
    parent: u64,
    session: u64,
    has_terminal: bool,
}

#[cfg(target_os = "linux")]
impl Program {
    /// The program with this number, while it runs.
    fn of(number: u64) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        Self::parse(&text)
    }

    /// Parses `number (name) state parent group session terminal …`. The name may contain anything.
    fn parse(text: &str) -> Option<Self> {
        let (_, rest) = text.rsplit_once(')')?;
        let mut fields = rest.split_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        let session = fields.nth(1)?.parse().ok()?;
        let terminal: i64 = fields.next()?.parse().ok()?;
        Some(Self {
            parent,
            session,
            has_terminal: terminal != 0,
        })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_whatever_it_is_called() {
        let found = Program::parse("41 (a) S 9 (b) S 40 41 39 34816 41 4194560").unwrap();
        assert_eq!((found.parent, found.session), (40, 39));
        assert!(found.has_terminal);
        assert!(
            !Program::parse("41 (a) S 40 41 39 0 -1")
                .unwrap()
                .has_terminal
        );
        assert!(Program::parse("41 (a) S").is_none());
    }

    #[test]
    fn who_connects_twice_from_one_program_comes_from_one_place() {
        let (one, other) = Stream::pair().unwrap();
        let source = source_of(&one, 1);
        assert_eq!(source, source_of(&other, 2));
        assert_ne!(source, Source::new([1]));
    }
}
