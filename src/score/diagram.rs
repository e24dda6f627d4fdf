//! The last position of a score, as a picture to print.

use std::fmt::Write as _;

use shakmaty::{Board, Color, Role, Square};

use super::kept::Score;
use super::letters::Letters;
use super::sheet_html::escaped;
use super::sheet_words::SheetWords;
use super::standing::{Meaning, Standing};

/// The shapes of the pieces, which the pages use too.
const SHAPES: &str = include_str!("../../assets/pieces.svg");

/// The style on a printed sheet: black, white and grey.
pub(super) const STYLE: &str = "\
figure { display: flex; gap: 6mm; margin: 3mm 0; break-inside: avoid; }\n\
figure p { margin: 0 0 1mm; }\n\
.shapes { position: absolute; }\n\
.board { width: 50mm; height: 50mm; flex: none; }\n\
.board text { font: 11px sans-serif; }\n\
.board use { stroke: #000; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }\n\
.board .white { fill: #fff; }\n\
.board .black { fill: #222; stroke: #fff; }\n";

/// Writes the last position of a score as a picture, and in letters for readers who cannot see it.
/// It writes nothing if the score does not determine the position.
pub(super) fn write_diagram(
    score: &Score,
    letters: Letters,
    words: &SheetWords,
    html: &mut String,
) {
    let Some((last, number, side)) = last_position(score) else {
        return;
    };
    let number = number.to_string();
    let places = [("number", number.as_str()), ("side", words.side(side))];
    let caption = escaped(&words.sheet.position.filled(&places));
    let _ = write!(
        html,
        "{SHAPES}<figure>\n<svg class=\"board\" role=\"img\" aria-label=\"{caption}\" \
         viewBox=\"-14 0 334 334\">"
    );
    write_board(last.board(), html);
    let _ = writeln!(html, "</svg>\n<figcaption>\n<p>{caption}</p>");
    for side in Color::ALL {
        let whose = escaped(words.side(side));
        let pieces = pieces_of(last.board(), side, letters);
        let _ = writeln!(html, "<p>{whose}: {}</p>", escaped(&pieces));
    }
    html.push_str("</figcaption>\n</figure>\n");
}

/// Returns the position after the last entry, with its number and side. A score determines the
/// position only if each entry is one legal move.
fn last_position(score: &Score) -> Option<(Standing, u32, Color)> {
    let mut standing = Standing::of(score.start());
    let mut last = None;
    for entry in score.entries() {
        let Meaning::Legal(played) = standing.read(entry) else {
            return None;
        };
        last = Some((standing.setup().fullmoves.get(), standing.turn()));
        standing = standing.after(played);
    }
    let (number, side) = last.filter(|_| score.suspended().is_empty())?;
    Some((standing, number, side))
}

/// Draws a board of eight by eight squares of 40 by 40 units, with White at the bottom.
fn write_board(board: &Board, html: &mut String) {
    let corner = |square: Square| {
        let at = usize::from(square);
        (at % 8 * 40, (7 - at / 8) * 40)
    };
    html.push_str("<path fill=\"#fff\" stroke=\"#000\" d=\"M0 0h320v320H0z\"></path>");
    html.push_str("<path fill=\"#bbb\" d=\"");
    for (x, y) in Square::ALL
        .into_iter()
        .filter(|it| it.is_dark())
        .map(corner)
    {
        let _ = write!(html, "M{x} {y}h40v40h-40z");
    }
    html.push_str("\"></path>");
    for square in Square::ALL {
        if let Some(piece) = board.piece_at(square) {
            let (x, y) = corner(square);
            let (shape, side) = (piece.role.char(), piece.color);
            let _ = write!(
                html,
                "<use href=\"#piece-{shape}\" class=\"{side}\" x=\"{x}\" y=\"{y}\" \
                 width=\"40\" height=\"40\"></use>"
            );
        }
    }
    for (at, letter) in ('a'..='h').enumerate() {
        let (along, rank) = (at * 40, 8 - at);
        let _ = write!(
            html,
            "<text x=\"{}\" y=\"332\">{letter}</text><text x=\"-12\" y=\"{}\">{rank}</text>",
            along + 17,
            along + 24,
        );
    }
}

/// Lists the pieces of a side, the king first.
fn pieces_of(board: &Board, side: Color, letters: Letters) -> String {
    let roles = Role::ALL.into_iter().rev();
    let pieces = roles.flat_map(|role| {
        let letter = letters.letter(role).map_or_else(String::new, String::from);
        let squares = board.by_piece(role.of(side)).into_iter();
        squares.map(move |square| format!("{letter}{square}"))
    });
    pieces.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_score;

    fn diagram(sheet: &str) -> String {
        let score = read_score(sheet, Some(Letters::English), 1).unwrap().score;
        let words = include_str!("../../grammar/de/scores.toml");
        let words = SheetWords::parse(words).unwrap();
        let mut html = String::new();
        write_diagram(&score, Letters::German, &words, &mut html);
        html
    }

    #[test]
    fn the_last_position_is_drawn_and_told() {
        let html = diagram("1. e4 e5 2. Nf3\n");
        assert_eq!(html.matches("<use").count(), 32);
        assert!(
            html.contains("<p>Stellung nach Zug 2 von Weiß</p>"),
            "{html}"
        );
        // The knight stands on f3, the sixth file and the third rank.
        let knight = "<use href=\"#piece-n\" class=\"white\" x=\"200\" y=\"200\"";
        assert!(html.contains(knight), "{html}");
        assert!(html.contains("<p>Weiß: Ke1, Dd1, Ta1, Th1, Lc1, Lf1, Sb1, Sf3, a2,"));
    }

    #[test]
    fn what_a_score_does_not_tell_is_not_drawn() {
        for sheet in [
            "1. e4 e5 2. Nf3 Zz\n",
            "1. e4 e5 2. Rh5\n",
            "1. e4 -- 2. d4\n",
        ] {
            assert_eq!(diagram(sheet), "", "{sheet}");
        }
    }
}
