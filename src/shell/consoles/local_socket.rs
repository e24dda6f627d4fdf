//! Sockets that only reach this machine: Unix sockets, and TCP on the loopback where there are
//! none.

use std::io;
use std::path::Path;

#[cfg(unix)]
pub use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};

#[cfg(not(unix))]
pub use std::net::{TcpListener as Listener, TcpStream as Stream};

/// Opens a socket under this path, in place of one that a killed program left there.
///
/// # Errors
///
/// Those of the system.
#[cfg(unix)]
pub fn listen(path: &Path) -> io::Result<Listener> {
    use std::os::unix::fs::PermissionsExt as _;
    if Stream::connect(path).is_err() {
        let _ = std::fs::remove_file(path);
    }
    let listener = Listener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Opens a socket and writes its port into the file of this path.
///
/// # Errors
///
/// Those of the system.
#[cfg(not(unix))]
pub fn listen(path: &Path) -> io::Result<Listener> {
    let listener = Listener::bind(("127.0.0.1", 0))?;
    std::fs::write(path, listener.local_addr()?.port().to_string())?;
    Ok(listener)
}

/// Connects to the socket under this path.
///
/// # Errors
///
/// Those of the system.
#[cfg(unix)]
pub fn connect(path: &Path) -> io::Result<Stream> {
    Stream::connect(path)
}

/// Connects to the socket whose port stands in the file of this path.
///
/// # Errors
///
/// Those of the system.
#[cfg(not(unix))]
pub fn connect(path: &Path) -> io::Result<Stream> {
    let port: u16 = std::fs::read_to_string(path)?
        .trim()
        .parse()
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Stream::connect(("127.0.0.1", port))
}
