//! The network sockets that this program has open, as Linux reports them.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

/// The protocols for which the kernel lists sockets.
const PROTOCOLS: [&str; 8] = [
    "tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6",
];

/// The open network sockets, each with its protocol and the other end as the kernel writes it:
/// `tcp 0100007F:1269`. Those at which this program serves its pages are left out. Empty on systems
/// other than Linux.
pub(super) fn of_network(pages: Option<SocketAddr>) -> Vec<String> {
    in_folder(Path::new("/proc/self"), pages.map(written).as_deref())
}

/// An address as the kernel writes it.
fn written(address: SocketAddr) -> String {
    let words = |octets: &[u8]| -> String {
        let words = octets.chunks_exact(4);
        let words = words.map(|it| u32::from_ne_bytes([it[0], it[1], it[2], it[3]]));
        words.map(|word| format!("{word:08X}")).collect()
    };
    let host = match address.ip() {
        IpAddr::V4(host) => words(&host.octets()),
        IpAddr::V6(host) => words(&host.octets()),
    };
    format!("{host}:{:04X}", address.port())
}

fn in_folder(process: &Path, pages: Option<&str>) -> Vec<String> {
    let open = fs::read_dir(process.join("fd"))
        .into_iter()
        .flatten()
        .flatten();
    let own: Vec<String> = open
        .filter_map(|file| {
            let target = fs::read_link(file.path()).ok()?;
            let target = target.to_str()?.strip_prefix("socket:[")?;
            Some(target.strip_suffix(']')?.to_owned())
        })
        .collect();
    let mut found = Vec::new();
    for protocol in PROTOCOLS {
        let list = fs::read_to_string(process.join("net").join(protocol)).unwrap_or_default();
        found.extend(of_list(&list, protocol, &own, pages));
    }
    found
}

/// The sockets of a kernel's list that belong to this program.
fn of_list<'a>(
    list: &'a str,
    protocol: &'a str,
    own: &'a [String],
    pages: Option<&'a str>,
) -> impl Iterator<Item = String> + 'a {
    list.lines().skip(1).filter_map(move |line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (other_end, number) = (fields.get(2)?, fields.get(9)?);
        let counts = fields.get(1).copied() != pages && own.iter().any(|it| it.as_str() == *number);
        counts.then(|| format!("{protocol} {other_end}"))
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn a_connection_is_found_with_its_other_end() {
        let Ok(listener) = TcpListener::bind("127.0.0.1:0") else {
            eprintln!("skipped: there is no network, not even one's own");
            return;
        };
        let port = listener.local_addr().unwrap().port();
        let other_end = format!("tcp 0100007F:{port:04X}");
        let connected = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let found = of_network(None);
        assert!(found.contains(&other_end), "{found:?}");
        drop(connected);
        let found = of_network(None);
        assert!(!found.contains(&other_end), "{found:?}");
    }
    /// Other tests of the process have sockets, so this one reads a list.
    #[test]
    fn what_serves_the_pages_is_left_out() {
        let list = "sl local_address rem_address st queues timer retransmits uid timeout inode\n\
                    0: 0100007F:1F90 00000000:0000 0A 0:0 00:0 0 0 0 71 1\n\
                    1: 0100007F:1F91 00000000:0000 0A 0:0 00:0 0 0 0 72 1\n\
                    2: 0100007F:1F92 0100007F:1269 01 0:0 00:0 0 0 0 73 1\n";
        let own = ["71".to_owned(), "73".to_owned()];
        let all: Vec<String> = of_list(list, "tcp", &own, None).collect();
        assert_eq!(all, ["tcp 00000000:0000", "tcp 0100007F:1269"]);
        let pages = written("127.0.0.1:8080".parse().unwrap());
        let others: Vec<String> = of_list(list, "tcp", &own, Some(&pages)).collect();
        assert_eq!(others, ["tcp 0100007F:1269"]);
    }
}
