//! Sockets that reach only this machine: Unix sockets, or TCP on the loopback where these do not
//! exist.

use std::io;
use std::path::Path;

#[cfg(unix)]
pub use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};

#[cfg(not(unix))]
pub use std::net::{TcpListener as Listener, TcpStream as Stream};

/// Opens a socket at this path, replacing one that a killed program left there. If others could
/// connect too, it also returns the key that a console has to send first.
///
/// # Errors
///
/// Those of the system.
#[cfg(unix)]
pub fn listen(path: &Path) -> io::Result<(Listener, Option<String>)> {
    use std::os::unix::fs::PermissionsExt as _;
    if Stream::connect(path).is_err() {
        let _ = std::fs::remove_file(path);
    }
    let listener = Listener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok((listener, None))
}

/// Opens a socket and writes its port into the file at this path. Every account of the computer can
/// connect, but only this one can read the key that has to be sent first.
///
/// # Errors
///
/// Those of the system.
#[cfg(not(unix))]
pub fn listen(path: &Path) -> io::Result<(Listener, Option<String>)> {
    use chacha20poly1305::aead::{OsRng, rand_core::RngCore as _};

    let listener = Listener::bind(("127.0.0.1", 0))?;
    let key = format!("{:016x}{:016x}", OsRng.next_u64(), OsRng.next_u64());
    std::fs::write(path, format!("{} {key}", listener.local_addr()?.port()))?;
    Ok((listener, Some(key)))
}

/// Connects to the socket at this path.
///
/// # Errors
///
/// Those of the system.
#[cfg(unix)]
pub fn connect(path: &Path) -> io::Result<Stream> {
    Stream::connect(path)
}

/// Connects to the socket whose port is in the file at this path, and sends the key from it.
///
/// # Errors
///
/// Those of the system.
#[cfg(not(unix))]
pub fn connect(path: &Path) -> io::Result<Stream> {
    use io::Write as _;

    let unknown = || io::Error::from(io::ErrorKind::InvalidData);
    let text = std::fs::read_to_string(path)?;
    let (port, key) = text.trim().split_once(' ').ok_or_else(unknown)?;
    let port: u16 = port.parse().map_err(|_| unknown())?;
    let mut stream = Stream::connect(("127.0.0.1", port))?;
    writeln!(stream, "{key}")?;
    Ok(stream)
}
