//! Where the settings say that a board is.

use shakmaty::Color;

use super::device::Kind;
use annexd_game::board::Orientation;
use annexd_phrases::{Sentence, sentence};

/// The place of a board in the settings, such as `dgt:/dev/ttyACM0`. If only a port is named, the
/// kind of board is found out. `auto` and `dgt:auto` search for it at all ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The player whose board it is; `None`: only the chessclock connected to it is used.
    pub side: Option<Color>,
    /// Its protocol; `None`: to be found out.
    pub kind: Option<Kind>,
    /// Its port.
    pub port: String,
    /// Its orientation; `None`: to be found out.
    pub orientation: Option<Orientation>,
}

/// The board of a side, `white` or `black`, at a place such as `dgt:/dev/ttyACM0`.
///
/// # Errors
///
/// What is wrong with it, in one sentence.
pub fn wire(side: &str, place: &str) -> Result<Wire, Sentence> {
    let side = match side {
        "white" => Color::White,
        "black" => Color::Black,
        other => {
            return Err(sentence!(SetBoardSide, side = other));
        }
    };
    wire_at(Some(side), place)
}

/// The board of this side, or only the chessclock connected to it, at a place such as
/// `dgt:/dev/ttyACM0`.
///
/// # Errors
///
/// What is wrong with it, in one sentence.
pub fn wire_at(side: Option<Color>, place: &str) -> Result<Wire, Sentence> {
    let (kind, port) = match place.split_once(':') {
        Some(("tcp", _)) => (Some(Kind::Cpp), place),
        Some((kind, port)) if is_word(kind) => (Some(kind.parse()?), port),
        _ => (None, place),
    };
    Ok(Wire {
        side,
        kind,
        port: port.to_owned(),
        orientation: None,
    })
}

/// Whether this may be meant as a kind of board: it is no path, address or `COM3`.
fn is_word(text: &str) -> bool {
    text != "localhost" && !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase())
}
