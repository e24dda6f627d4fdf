//! A sheet to print: HTML, one A4 page for each sixty moves, with tables that a screen reader can
//! read.

use std::fmt::Write as _;

use shakmaty::Color;

use super::diagram::{self, write_diagram};
use super::entry::Entry;
use super::kept::Score;
use super::letters::Letters;
use super::list_out::{Row, in_letters, replaced, rows, time_shown};
use super::marks;
use super::sheet_words::SheetWords;
use super::written::write_move;

/// How many moves are on one page, in two tables side by side.
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

/// Writes a score as an HTML page that prints on one A4 sheet for each sixty moves, in a language
/// with its code and words.
///
/// Every table has a caption and headers for its columns and rows. The last position is drawn and
/// listed in letters. The page needs no script and fetches nothing.
pub fn to_html(score: &Score, letters: Letters, language: &str, words: &SheetWords) -> String {
    let captions = &words.sheet;
    let title = format!(
        "{} – {}",
        score.tag("White").unwrap_or(&captions.white),
        score.tag("Black").unwrap_or(&captions.black)
    );
    let title = escaped(&title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n",
        escaped(language),
        diagram::STYLE,
    );
    let rows = rows(score);
    let pages: Vec<&[Row]> = if rows.is_empty() {
        vec![&[]]
    } else {
        rows.chunks(ON_A_PAGE).collect()
    };
    let all = pages.len().to_string();
    for (at, page) in pages.iter().enumerate() {
        let number = (at + 1).to_string();
        let places = [("number", number.as_str()), ("all", &all)];
        let label = escaped(&captions.page_label.filled(&places));
        let _ = write!(html, "<section aria-label=\"{label}\">\n<h1>{title}");
        if pages.len() > 1 {
            let _ = write!(html, ", {}", escaped(&captions.page.filled(&places)));
        }
        html.push_str("</h1>\n");
        if at == 0 {
            write_facts(score, words, &mut html);
        }
        html.push_str("<div class=\"tables\">\n");
        for half in page.chunks(ON_A_PAGE / 2) {
            write_table(half, letters, words, &mut html);
        }
        html.push_str("</div>\n");
        if at + 1 == pages.len() {
            write_diagram(score, letters, words, &mut html);
            write_end(score, words, &mut html);
        }
        html.push_str("</section>\n");
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn write_facts(score: &Score, words: &SheetWords, html: &mut String) {
    let tags = score.tags().iter().map(|(name, value)| {
        let name = words.tags.get(name).unwrap_or(name);
        (name.as_str(), value.clone())
    });
    let keeper = score.keeper().map(|side| words.side(side).to_owned());
    let keeper = keeper.map(|side| (words.sheet.score_of.as_str(), side));
    let start = score.start_fen();
    let start = start.map(|fen| (words.sheet.start.as_str(), fen));
    html.push_str("<dl>\n");
    let said = marks::lines(score, [words.side(Color::White), words.side(Color::Black)]);
    let said = said.iter().map(|(name, at)| {
        let name = words.tags.get(*name).map_or(*name, String::as_str);
        (name, at.clone())
    });
    for (name, value) in tags.chain(keeper).chain(start).chain(said) {
        let _ = writeln!(
            html,
            "<dt>{}</dt><dd>{}</dd>",
            escaped(name),
            escaped(&value)
        );
    }
    html.push_str("</dl>\n");
}

fn write_table(rows: &[Row], letters: Letters, words: &SheetWords, html: &mut String) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return;
    };
    let captions = &words.sheet;
    let caption = captions.moves.filled(&[
        ("first", &first.number.to_string()),
        ("last", &last.number.to_string()),
    ]);
    let _ = write!(
        html,
        "<table>\n<caption>{}</caption>\n<thead><tr>",
        escaped(&caption)
    );
    let columns = [
        &captions.number,
        &captions.white,
        &captions.time,
        &captions.black,
        &captions.time,
    ];
    for column in columns {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(column));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", row.number);
        for (entry, third) in [
            (row.white.as_ref(), None),
            (row.black.as_ref(), row.third.as_ref()),
        ] {
            let both = entry.into_iter().chain(third);
            let written: Vec<String> = both.map(|entry| written(entry, letters)).collect();
            let written = written.join(" ");
            let left = entry.and_then(|entry| entry.clock).map(time_shown);
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
    for (name, replaced) in replaced(entry) {
        let _ = write!(text, " [{name}{}]", write_move(replaced, letters));
    }
    if entry.offer {
        text.push_str(" (=)");
    }
    text
}

fn write_end(score: &Score, words: &SheetWords, html: &mut String) {
    let captions = &words.sheet;
    let result = score
        .result()
        .map_or_else(String::new, |result| result.to_string());
    let _ = writeln!(html, "<p>{}: {result}</p>", escaped(&captions.result));
    for side in Color::ALL {
        let signed = score
            .holding_signatures()
            .iter()
            .any(|signed| signed.side == side);
        let state = if signed {
            escaped(&captions.signed)
        } else {
            "____________________".to_owned()
        };
        let whose = captions.signature.filled(&[("side", words.side(side))]);
        let _ = writeln!(html, "<p>{}: {state}</p>", escaped(&whose));
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_score;

    #[test]
    fn a_sheet_has_a_page_for_each_sixty_moves_and_headers_in_every_table() {
        let moves: String = (1..=61)
            .map(|number| match number % 2 {
                1 => format!("{number}. Nf3 Nf6 "),
                _ => format!("{number}. Ng1 Ng8 "),
            })
            .collect();
        let score = read_score(&format!("White: <b>\n{moves}"), None, 1).unwrap();
        let words = include_str!("../../grammar/de/scores.toml");
        let words = SheetWords::parse(words).unwrap();
        let html = to_html(&score.score, Letters::German, "de", &words);
        assert_eq!(html.matches("<section").count(), 2);
        assert_eq!(html.matches("<table>").count(), 3);
        assert_eq!(html.matches("<caption>").count(), 3);
        assert_eq!(html.matches("scope=\"col\"").count(), 15);
        assert_eq!(html.matches("scope=\"row\"").count(), 61);
        assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"));
        assert!(html.contains("<td>Sf3</td>"));
        assert!(html.contains("<html lang=\"de\">") && html.contains("<dt>Weiß</dt>"));
        assert!(html.contains("<caption>Züge 1 bis 30</caption>"));
    }
}
