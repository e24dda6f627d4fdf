//! Electronic boards at their ports. What they say is understood by [`annexd_boards`], and boards
//! that are not there are played by [`simulate`].

mod find;
pub mod outlet;
mod port;

pub use annexd_boards::*;
pub use annexd_sim as simulate;
pub use find::ports;
pub use port::{BoardPort, PortReport, PortSettings, recognised};
