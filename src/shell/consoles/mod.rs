//! The terminal, and consoles that attach over a local socket.

pub(crate) mod echo;
pub mod folded_output;
pub mod languages;
mod letterbox;
pub mod lines;
pub mod local_socket;
pub(crate) mod named;
pub(crate) mod nonblocking_writer;
pub(crate) mod now_typed;
mod peer;
pub mod reception;
pub mod server;
pub(crate) mod signs;
pub mod terminal;
pub mod text_outlet;
pub mod words;
