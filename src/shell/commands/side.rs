//! A side on the command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use shakmaty::Color;

/// Parses the name of a side. The error for anything else lists both names.
pub(super) fn side() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"]).map(|name| Color::from_white(name == "white"))
}
