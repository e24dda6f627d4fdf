//! Draws an address as a QR code in a terminal, for a telephone's camera.

use qrcodegen::{QrCode, QrCodeEcc};

/// The light margin that cameras need, in modules (ISO/IEC 18004).
const MARGIN: i32 = 4;

/// The QR code of a text, two rows to a line; empty if the text is too long.
pub(super) fn drawn(text: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else {
        return String::new();
    };
    let rows = (-MARGIN..code.size() + MARGIN).step_by(2);
    let line = |row: i32| -> String {
        let columns = -MARGIN..code.size() + MARGIN;
        let cells = columns.map(|column| {
            // Most terminals are dark, so the light modules are drawn.
            match (
                code.get_module(column, row),
                code.get_module(column, row + 1),
            ) {
                (false, false) => '\u{2588}',
                (false, true) => '\u{2580}',
                (true, false) => '\u{2584}',
                (true, true) => ' ',
            }
        });
        cells.chain(['\n']).collect()
    };
    rows.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_equal_lines_and_a_margin() {
        let drawn = drawn("http://192.0.2.7:8129/?code=012345");
        let lines: Vec<usize> = drawn.lines().map(|line| line.chars().count()).collect();
        assert!(lines.len() > 10 && lines.iter().all(|length| *length == lines[0]));
        assert!(
            drawn
                .lines()
                .next()
                .unwrap()
                .chars()
                .all(|it| it == '\u{2588}')
        );
    }
}
