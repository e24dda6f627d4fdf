//! A sheet to print: HTML, one A4 page for each sixty moves, with tables a screen reader can read.

use std::fmt::Write as _;

use super::entry::Entry;
use super::kept::Score;
use super::letters::Letters;
use super::list_out::{Row, in_letters, rows};
use super::pgn_out::{clock_text, side_name};

/// Moves on one page, in two tables beside each other.
const ON_A_PAGE: usize = 60;

const STYLE: &str = "\
@page { size: A4; margin: 14mm; }\n\
body { font: 9.5pt/1.25 sans-serif; color: #000; background: #fff; }\n\
h1 { font-size: 14pt; margin: 0 0 2mm; }\n\
dl { display: grid; grid-template-columns: auto 1fr auto 1fr; gap: 0 4mm; margin: 0 0 3mm; }\n\
dd { margin: 0; }\n\
section { break-after: page; }\n\
section:last-of-type { break-after: auto; }\n\
.tables { display: flex; gap: 6mm; }\n\
table { flex: 1; border-collapse: collapse; }\n\
caption { text-align: left; font-weight: bold; }\n\
th, td { border: 0.3mm solid #555; padding: 0.6mm 1.5mm; text-align: left; height: 4mm; }\n";

/// Writes a score as a page of HTML that prints on one sheet of A4 for each sixty moves.
///
/// Every table has a caption and headers for its columns and rows. It stands alone: no script, no
/// picture, nothing to fetch.
pub fn to_html(score: &Score, letters: Letters) -> String {
    let title = format!(
        "{} – {}",
        score.tag("White").unwrap_or("White"),
        score.tag("Black").unwrap_or("Black")
    );
    let title = escaped(&title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    let rows = rows(score);
    let pages: Vec<&[Row]> = if rows.is_empty() {
        vec![&[]]
    } else {
        rows.chunks(ON_A_PAGE).collect()
    };
    for (number, page) in pages.iter().enumerate() {
        let _ = write!(
            html,
            "<section aria-label=\"Page {}\">\n<h1>{title}",
            number + 1
        );
        if pages.len() > 1 {
            let _ = write!(html, ", page {} of {}", number + 1, pages.len());
        }
        html.push_str("</h1>\n");
        if number == 0 {
            write_facts(score, &mut html);
        }
        html.push_str("<div class=\"tables\">\n");
        for half in page.chunks(ON_A_PAGE / 2) {
            write_table(half, letters, &mut html);
        }
        html.push_str("</div>\n");
        if number + 1 == pages.len() {
            write_end(score, &mut html);
        }
        html.push_str("</section>\n");
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn write_facts(score: &Score, html: &mut String) {
    html.push_str("<dl>\n");
    for (name, value) in score.tags() {
        let _ = writeln!(
            html,
            "<dt>{}</dt><dd>{}</dd>",
            escaped(name),
            escaped(value)
        );
    }
    if let Some(keeper) = score.keeper() {
        let _ = writeln!(html, "<dt>Score of</dt><dd>{}</dd>", side_name(keeper));
    }
    if let Some(fen) = score.start_fen() {
        let _ = writeln!(html, "<dt>Starting position</dt><dd>{}</dd>", escaped(&fen));
    }
    html.push_str("</dl>\n");
}

fn write_table(rows: &[Row], letters: Letters, html: &mut String) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return;
    };
    let _ = write!(
        html,
        "<table>\n<caption>Moves {} to {}</caption>\n<thead><tr><th scope=\"col\">No.</th>\
         <th scope=\"col\">White</th><th scope=\"col\">Time</th><th scope=\"col\">Black</th>\
         <th scope=\"col\">Time</th></tr></thead>\n<tbody>\n",
        first.number, last.number
    );
    for row in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", row.number);
        for entry in [row.white.as_ref(), row.black.as_ref()] {
            let written = entry.map_or_else(String::new, |entry| written(entry, letters));
            let left = entry.and_then(|entry| entry.clock).map(clock_text);
            let _ = write!(
                html,
                "<td>{}</td><td>{}</td>",
                escaped(&written),
                left.unwrap_or_default()
            );
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n");
}

fn written(entry: &Entry, letters: Letters) -> String {
    let mut text = in_letters(entry, letters);
    if entry.offer {
        text.push_str(" (=)");
    }
    text
}

fn write_end(score: &Score, html: &mut String) {
    let result = score
        .result()
        .map_or_else(String::new, |result| result.to_string());
    let _ = writeln!(html, "<p>Result: {result}</p>");
    for side in shakmaty::Color::ALL {
        let signed = score.signatures().iter().any(|signed| signed.side == side);
        let state = if signed {
            "signed"
        } else {
            "____________________"
        };
        let _ = writeln!(html, "<p>Signature of {}: {state}</p>", side_name(side));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::read_score;

    #[test]
    fn a_sheet_has_a_page_for_each_sixty_moves_and_headers_in_every_table() {
        let moves: String = (1..=61)
            .map(|number| match number % 2 {
                1 => format!("{number}. Nf3 Nf6 "),
                _ => format!("{number}. Ng1 Ng8 "),
            })
            .collect();
        let score = read_score(&format!("White: <b>\n{moves}"), None, 1).unwrap();
        let html = to_html(&score.score, Letters::German);
        assert_eq!(html.matches("<section").count(), 2);
        assert_eq!(html.matches("<table>").count(), 3);
        assert_eq!(html.matches("<caption>").count(), 3);
        assert_eq!(html.matches("scope=\"col\"").count(), 15);
        assert_eq!(html.matches("scope=\"row\"").count(), 61);
        assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"));
        assert!(html.contains("<td>Sf3</td>"));
    }
}
