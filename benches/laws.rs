//! How long the any-series question takes; `docs/any-series.md` has the figures.
//!
//! Reads positions from a file of FENs, one a line, given in ANNEXD_POSITIONS; without it, from a
//! few built in. Prints one line. `ANNEXD_POSITIONS=FILE cargo bench --bench laws`.

use std::time::Instant;

use annexd::laws::{Answer, can_mate_by_any_series, position_of};
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, Position};

const BUILT_IN: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
2r3k1/5ppp/p3b3/4p2P/4P3/1PR1BP2/PK6/7R b - - 0 30
8/8/8/1R4B1/4k1p1/2P5/5PKP/8 b - - 1 45
8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1
7k/8/8/8/8/8/8/4KN2 w - - 0 1
";

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn main() {
    let file = std::env::var("ANNEXD_POSITIONS").ok();
    let text = match &file {
        Some(file) => std::fs::read_to_string(file).expect("the file of ANNEXD_POSITIONS"),
        None => BUILT_IN.repeat(200),
    };
    let positions: Vec<Chess> = text
        .lines()
        .filter_map(|line| position_of(&line.parse::<Fen>().ok()?.into_setup()).ok())
        .collect();
    let start = Instant::now();
    let mut unknown = 0;
    for position in &positions {
        let opponent: Color = position.turn().other();
        if can_mate_by_any_series(position, opponent) == Answer::Unknown {
            unknown += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "any series: {:.0} positions a second, {:.1} microseconds each, {} positions, {unknown} not \
         decided",
        positions.len() as f64 / seconds,
        1e6 * seconds / positions.len().max(1) as f64,
        positions.len()
    );
}
