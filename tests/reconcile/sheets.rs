//! Writes scores down as people do, in the letters of their languages, with right numbers and wrong
//! ones.

use annexd_score::{Notated, NotatedMove, Score};
use shakmaty::{CastlingSide, Role};

use super::games::Dice;

/// The letters of king, queen, rook, bishop and knight.
const LETTERS: [(&str, &str); 6] = [
    ("english", "KQRBN"),
    ("german", "KDTLS"),
    ("portuguese", "RDTBC"),
    ("french", "RDTFC"),
    ("dutch", "KDTLP"),
    ("figurine", "♔♕♖♗♘"),
];

/// A sheet, and the letters it is written in. The faulty numbers are so many.
pub(crate) fn written(dice: &mut Dice, score: &Score, mut wrong: usize) -> (String, &'static str) {
    let (name, letters) = LETTERS[dice.below(LETTERS.len())];
    let style = Style {
        letters: letters.chars().collect(),
        zeros: dice.below(2) == 0,
        equals: dice.below(2) == 0,
        colon: dice.below(3) == 0,
    };
    let mut text = String::new();
    let mut number = 1;
    for row in score.entries().chunks(2) {
        if wrong > 0 && dice.below(8) == 0 {
            wrong -= 1;
            number = match dice.below(4) {
                0 => number + 1,
                1 => number + 10,
                2 => (number as usize).saturating_sub(1).max(1) as u32,
                _ => 1 + dice.below(60) as u32,
            };
        }
        let mut words = row.iter().map(|entry| style.word(&entry.notated));
        let white = words.next().unwrap_or_default();
        let black = words.next().unwrap_or_default();
        text.push_str(&format!("{number}. {white} {black}\n"));
        number += 1;
    }
    (text, name)
}

struct Style {
    letters: Vec<char>,
    zeros: bool,
    equals: bool,
    colon: bool,
}

impl Style {
    fn word(&self, notated: &Notated) -> String {
        match notated {
            Notated::Move(notated) => self.of_move(notated),
            Notated::Castling(castling) => {
                let ring = if self.zeros { "0" } else { "O" };
                let rings = if castling.side == CastlingSide::KingSide {
                    2
                } else {
                    3
                };
                vec![ring; rings].join("-")
            }
            Notated::Unreadable => "xyz".to_owned(),
            Notated::Blank => "---".to_owned(),
        }
    }

    fn of_move(&self, notated: &NotatedMove) -> String {
        let mut word = String::new();
        match notated.piece {
            Some(role) => word.extend(self.letter(role)),
            None => word.push('?'),
        }
        word.extend(notated.from.file.map(shakmaty::File::char));
        word.extend(notated.from.rank.map(shakmaty::Rank::char));
        if notated.capture {
            word.push(if self.colon { ':' } else { 'x' });
        } else if notated.from.square().is_some() {
            word.push('-');
        }
        word.push(notated.to.file.map_or('?', shakmaty::File::char));
        word.push(notated.to.rank.map_or('?', shakmaty::Rank::char));
        if let Some(role) = notated.promotion {
            if self.equals {
                word.push('=');
            }
            word.extend(self.letter(role));
        }
        word
    }

    fn letter(&self, role: Role) -> Option<char> {
        let place = match role {
            Role::Pawn => return None,
            Role::King => 0,
            Role::Queen => 1,
            Role::Rook => 2,
            Role::Bishop => 3,
            Role::Knight => 4,
        };
        self.letters.get(place).copied()
    }
}
