//! The entries of a score in Braille.

use super::braille::{
    BREAK, BrailleCode, CHECK, Cell, HYPHEN, LETTERS, UNKNOWN, letter, lower, piece_letter, text_of,
};

/// Returns the cells of an entry. The British code has capital signs only where it could be
/// misread.
pub(super) fn move_cells(written: &str, code: BrailleCode) -> Vec<Cell> {
    let whole = signed_move_cells(written, code);
    if code == BrailleCode::German {
        return whole;
    }
    let meant = text_of(&whole, code, false);
    let signs = |cell: &Cell| *cell == code.capital();
    let short = whole.iter().copied().filter(|cell| !signs(cell)).collect();
    let small = [&[BREAK], whole.as_slice()].concat();
    [short, whole]
        .into_iter()
        .find(|cells| word_of(cells, code) == meant)
        .unwrap_or(small)
}

/// Returns a word of the moves as it is read. British pieces need no capital sign.
pub(super) fn word_of(cells: &[Cell], code: BrailleCode) -> String {
    let text = text_of(cells, code, false);
    if code == BrailleCode::German || cells.first() == Some(&BREAK) {
        return text;
    }
    if text.starts_with("o-o") {
        return text.to_ascii_uppercase();
    }
    let letters: Vec<char> = text.chars().collect();
    let piece = |at: usize, letter: char| {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let is_piece = match letter {
            'k' | 'q' | 'r' | 's' => before.is_none() || before.is_some_and(char::is_ascii_digit),
            // A bishop goes to a square or comes from one. A pawn of the b-file captures.
            'b' if before.is_none() => after.is_some_and(|next| ('a'..='h').contains(next)),
            'b' => after.is_none() && before.is_some_and(char::is_ascii_digit),
            _ => false,
        };
        if is_piece {
            piece_letter(letter, code, false).to_ascii_uppercase()
        } else {
            letter
        }
    };
    letters
        .iter()
        .enumerate()
        .map(|(at, &letter)| piece(at, letter))
        .collect()
}

/// Returns the cells of an entry with all signs.
fn signed_move_cells(written: &str, code: BrailleCode) -> Vec<Cell> {
    let mut cells = Vec::new();
    for sign in written.chars() {
        match sign {
            // Castling is written with the letter o.
            '0' => cells.extend(letter('o')),
            '1'..='8' => cells.extend(lower(sign)),
            '-' => cells.push(HYPHEN),
            '?' => cells.push(UNKNOWN),
            'a'..='z' => cells.extend(letter(sign)),
            'N' if code == BrailleCode::British => cells.extend([code.capital(), LETTERS[18]]),
            'A'..='Z' => {
                cells.push(code.capital());
                cells.extend(letter(sign.to_ascii_lowercase()));
            }
            '+' => cells.extend(CHECK),
            '#' => cells.extend([CHECK, CHECK].concat()),
            // The sign of promotion may be left out (C.13).
            _ => {}
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn british_pieces_are_told_from_files_without_signs_of_capitals() {
        let moves = "bxc3 Bxc3 Bb3 b4 Bbd4 bxa8=B O-O-O Nb1d2 Qb7 R1e2 Kb8 e8=N b7xc8=Q";
        for word in moves.split(' ') {
            let written = word.replace('=', "");
            let cells = move_cells(&written, BrailleCode::British);
            assert_eq!(word_of(&cells, BrailleCode::British), written);
            let signs = cells
                .iter()
                .filter(|&&cell| cell == BrailleCode::British.capital());
            assert_eq!(signs.count(), usize::from(word == "Bxc3"), "{word}");
        }
    }
}
