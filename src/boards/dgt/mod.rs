//! The serial protocol of DGT boards with their clocks.

mod command;
mod driver;
mod message;

pub use command::{ClockCommand, Command, CommandDecoder};
pub(super) use driver::DgtBoard;
pub use message::{Ack, ClockButton, Decoder, Message, ResultPiece};
