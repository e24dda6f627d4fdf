//! Where a page connects from.

use std::net::{IpAddr, SocketAddr};

/// A first place that no console has.
const PAGES: u64 = u64::MAX;

/// The origin of a page, widest place first: that it is a page, the network, and the computer. For
/// this computer it is the user, where the system tells it: another account that guesses codes
/// shuts out nobody who sits here.
pub(super) fn origin_of(from: SocketAddr, ours: Option<SocketAddr>) -> [u64; 3] {
    if from.ip().is_loopback() {
        let user = ours.and_then(|ours| user_of(from, ours));
        return [PAGES, 0, user.map_or(u64::MAX, u64::from)];
    }
    match from.ip() {
        IpAddr::V4(from) => {
            let host = u64::from(from.to_bits());
            [PAGES, host >> 8, host]
        }
        IpAddr::V6(from) => {
            let host = from.to_bits();
            [PAGES, (host >> 64) as u64, host as u64]
        }
    }
}

/// The user at the other end of a connection from this computer.
#[cfg(target_os = "linux")]
fn user_of(from: SocketAddr, ours: SocketAddr) -> Option<u32> {
    let table = match from {
        SocketAddr::V4(_) => "/proc/net/tcp",
        SocketAddr::V6(_) => "/proc/net/tcp6",
    };
    let table = std::fs::read_to_string(table).ok()?;
    user_in(&table, &written(from), &written(ours))
}

/// On other systems the user is unknown.
#[cfg(not(target_os = "linux"))]
fn user_of(_from: SocketAddr, _ours: SocketAddr) -> Option<u32> {
    None
}

/// Reads `number: local remote state queues timer retransmits user …`, one connection a line.
#[cfg(target_os = "linux")]
fn user_in(table: &str, local: &str, remote: &str) -> Option<u32> {
    table.lines().find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let is_it = fields.next() == Some(local) && fields.next() == Some(remote);
        is_it.then(|| fields.nth(4)?.parse().ok())?
    })
}

/// An address as the system writes it there: 32-bit words as in memory, and the port.
#[cfg(target_os = "linux")]
fn written(address: SocketAddr) -> String {
    let bytes = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let words = bytes.chunks_exact(4);
    let words = words.map(|it| u32::from_ne_bytes([it[0], it[1], it[2], it[3]]));
    let words: String = words.map(|word| format!("{word:08X}")).collect();
    format!("{words}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computers_of_one_net_lie_in_one_place() {
        let of = |from: &str| origin_of(from.parse().unwrap(), None);
        let (one, other) = (of("192.168.1.20:1"), of("192.168.1.21:1"));
        assert_eq!(one[..2], other[..2]);
        assert_ne!(one, other);
        assert_eq!(one, of("192.168.1.20:2"));
        assert_ne!(one[..2], of("10.0.0.1:1")[..2]);
        assert_eq!(of("[fe80::1]:1")[..2], of("[fe80::2]:1")[..2]);
        assert_ne!(of("127.0.0.1:1"), one);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn on_this_computer_the_user_counts() {
        use std::os::unix::fs::MetadataExt as _;

        let user = std::fs::metadata("/proc/self").unwrap().uid();
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = std::net::TcpListener::bind(address) else {
                eprintln!("skipped: {address} cannot be used here");
                continue;
            };
            let ours = listener.local_addr().unwrap();
            let stream = std::net::TcpStream::connect(ours).unwrap();
            let from = stream.local_addr().unwrap();
            assert_eq!(user_of(from, ours), Some(user), "{address}");
            let origin = origin_of(from, Some(ours));
            assert_eq!(origin, [PAGES, 0, u64::from(user)]);
        }
        assert_eq!(user_in("nonsense\n 1: a b 1 2 3", "a", "b"), None);
    }
}
