//! A side on the command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use shakmaty::Color;

/// Reads the name of a side. Whoever names another thing is told both.
pub(super) fn side() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"]).map(|name| Color::from_white(name == "white"))
}
