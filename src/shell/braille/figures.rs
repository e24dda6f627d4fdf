//! The board in cells of eight dots, one rank a line.
//!
//! A piece is the letter of its name, as in the German chess table of liblouis: k d t l s, and b
//! for the pawn. White's pieces have dot 7 in addition, like capital letters. In English the
//! letters are those of the English names. A light empty square is dot 3, a dark one dots 3 and 6:
//! blank cells cannot be counted with a finger.

use shakmaty::{Board, Color, File, Rank, Role, Square};

use super::view::Cell;

/// The dot that marks a white piece.
const DOT_7: u8 = 1 << 6;
const LIGHT: u8 = 0b00_0100;
const DARK: u8 = 0b10_0100;

/// The ranks of the board as a player sees them: his own is last, and the files run from his left.
/// Each begins with its number, and the letters of the files follow below.
pub(super) fn board(board: &Board, side: Color, language: &str) -> Vec<Vec<Cell>> {
    let mut ranks = Rank::ALL.to_vec();
    let mut files = File::ALL.to_vec();
    match side {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let line = |head: char, cells: Vec<Cell>| {
        let head = [Cell::Letter(head), Cell::Letter(' ')];
        head.into_iter().chain(cells).collect::<Vec<_>>()
    };
    let of_rank = |rank: &Rank| {
        let square = |file: &File| square(board, Square::from_coords(*file, *rank), language);
        line(rank.char(), files.iter().map(square).collect())
    };
    let letters = files.iter().map(|file| Cell::Letter(file.char())).collect();
    let ranks = ranks.iter().map(of_rank);
    ranks.chain([line(' ', letters)]).collect()
}

fn square(board: &Board, square: Square, language: &str) -> Cell {
    let dots = match board.piece_at(square) {
        Some(piece) => {
            let colour = piece.color.fold_wb(DOT_7, 0);
            letter(piece.role, language) | colour
        }
        None if square.is_light() => LIGHT,
        None => DARK,
    };
    Cell::Dots(dots)
}

/// The lower-case letter of a piece. Danish and Swedish names begin like the German ones.
fn letter(role: Role, language: &str) -> u8 {
    match (role, language) {
        (Role::King, _) => dots(&[1, 3]),
        (Role::Queen, "en") => dots(&[1, 2, 3, 4, 5]),
        (Role::Rook, "en") => dots(&[1, 2, 3, 5]),
        (Role::Bishop, "en") => dots(&[1, 2]),
        (Role::Knight, "en") => dots(&[1, 3, 4, 5]),
        (Role::Pawn, "en") => dots(&[1, 2, 3, 4]),
        (Role::Queen, _) => dots(&[1, 4, 5]),
        (Role::Rook, _) => dots(&[2, 3, 4, 5]),
        (Role::Bishop, _) => dots(&[1, 2, 3]),
        (Role::Knight, _) => dots(&[2, 3, 4]),
        (Role::Pawn, _) => dots(&[1, 2]),
    }
}

fn dots(numbers: &[u8]) -> u8 {
    numbers.iter().fold(0, |cell, dot| cell | 1 << (dot - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells as Unicode Braille patterns.
    fn texts(lines: &[Vec<Cell>]) -> Vec<String> {
        let sign = |cell: &Cell| match cell {
            Cell::Letter(letter) => *letter,
            Cell::Dots(dots) => char::from_u32(0x2800 + u32::from(*dots)).unwrap(),
        };
        let text = |line: &Vec<Cell>| line.iter().map(sign).collect();
        lines.iter().map(text).collect()
    }

    #[test]
    fn white_sees_the_eighth_rank_first_and_black_the_first() {
        let start = Board::default();
        let white = texts(&board(&start, Color::White, "de"));
        let expected = [
            "8 ⠞⠎⠇⠙⠅⠇⠎⠞",
            "7 ⠃⠃⠃⠃⠃⠃⠃⠃",
            "6 ⠄⠤⠄⠤⠄⠤⠄⠤",
            "5 ⠤⠄⠤⠄⠤⠄⠤⠄",
            "4 ⠄⠤⠄⠤⠄⠤⠄⠤",
            "3 ⠤⠄⠤⠄⠤⠄⠤⠄",
            "2 ⡃⡃⡃⡃⡃⡃⡃⡃",
            "1 ⡞⡎⡇⡙⡅⡇⡎⡞",
            "  abcdefgh",
        ];
        assert_eq!(white, expected);
        let black = texts(&board(&start, Color::Black, "de"));
        assert_eq!(black[0], "1 ⡞⡎⡇⡅⡙⡇⡎⡞");
        assert_eq!(black[7], "8 ⠞⠎⠇⠅⠙⠇⠎⠞");
        assert_eq!(black[8], "  hgfedcba");
    }

    #[test]
    fn in_english_the_letters_are_english() {
        let english = texts(&board(&Board::default(), Color::White, "en"));
        assert_eq!(english[0], "8 ⠗⠝⠃⠟⠅⠃⠝⠗");
        assert_eq!(english[6], "2 ⡏⡏⡏⡏⡏⡏⡏⡏");
    }
}
