//! Who reads and types: the terminal, and consoles that attach over a local socket.

pub mod folded_output;
pub mod local_socket;
pub(crate) mod nonblocking_writer;
pub mod server;
pub mod terminal;
pub mod text_outlet;
pub mod words;
