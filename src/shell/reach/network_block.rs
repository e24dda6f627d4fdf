//! The network block of a rated game. The system refuses the program, all its threads and all that
//! it starts every socket but local ones. It cannot be removed.

/// Blocks the network for the whole process.
///
/// # Errors
///
/// Why the system cannot.
#[cfg(target_os = "linux")]
pub(super) fn block_network() -> Result<(), String> {
    let filter = filter().map_err(|why| why.to_string())?;
    seccompiler::apply_filter_all_threads(&filter).map_err(|why| why.to_string())
}

/// On other systems we know no such filter.
#[cfg(not(target_os = "linux"))]
pub(super) fn block_network() -> Result<(), String> {
    Err(format!("{} has no such filter", std::env::consts::OS))
}

/// The filter lists what is allowed, not what is forbidden, because new kinds of sockets keep
/// appearing. Local sockets are those of files on this computer (consoles, sound, speech) and the
/// kernel's own (connected devices). Boards over Bluetooth are files too.
#[cfg(target_os = "linux")]
fn filter() -> Result<seccompiler::BpfProgram, seccompiler::BackendError> {
    use seccompiler::{
        SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };

    let is_not = |family: i32| {
        let family = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    };
    let foreign = || SeccompRule::new(vec![is_not(libc::AF_UNIX)?, is_not(libc::AF_NETLINK)?]);
    let rules = [
        (libc::SYS_socket, vec![foreign()?]),
        (libc::SYS_socketpair, vec![foreign()?]),
        // Such a ring can open sockets without a separate system call.
        (libc::SYS_io_uring_setup, Vec::new()),
    ];
    SeccompFilter::new(
        rules.into_iter().collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EAFNOSUPPORT.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?
    .try_into()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, UdpSocket};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::process::Command;

    use super::*;

    #[test]
    fn inside_there_are_local_sockets_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        // It applies to this thread only: other tests use a network.
        let inside = std::thread::spawn(move || {
            let filter = filter().unwrap();
            if let Err(why) = seccompiler::apply_filter(&filter) {
                eprintln!("skipped: {why}");
                return;
            }
            for address in ["127.0.0.1:0", "[::1]:0"] {
                let refused = TcpListener::bind(address).unwrap_err();
                assert_eq!(refused.raw_os_error(), Some(libc::EAFNOSUPPORT));
                assert!(UdpSocket::bind(address).is_err());
            }
            let listener = UnixListener::bind(&path).unwrap();
            UnixStream::connect(&path).unwrap();
            listener.accept().unwrap();
            UnixStream::pair().unwrap();
            // Programs started inside are blocked too.
            let network = "exec 3<>/dev/tcp/127.0.0.1/9";
            let tried = Command::new("bash").args(["-c", network]).output();
            if let Ok(tried) = tried {
                let why = String::from_utf8_lossy(&tried.stderr);
                assert!(why.contains("not supported"), "{why}");
            }
        });
        inside.join().unwrap();
    }
}
