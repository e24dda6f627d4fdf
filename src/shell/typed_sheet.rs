//! A score sheet that is handed in at a console.

use std::path::Path;

use shakmaty::Color;

use super::commands::score::read_file;
use super::error::{Fault, Part, Reason, Remedy};
use crate::game::Act;
use crate::score::read_score;

/// A sheet that is handed in: after `sheet` and its side comes a file, or what stands on it.
pub(super) fn handed_in(side: Color, text: &str) -> Result<Act, Fault> {
    let fault = |reason: Reason| Fault::new(Part::Sheet, reason, Remedy::CorrectLine);
    let mut words = text.splitn(3, char::is_whitespace).skip(2);
    let sheet = words.next().unwrap_or_default().trim();
    let path = Path::new(sheet);
    let score = if path.is_file() {
        let read = read_file(path, None, 1).map_err(|_| fault(Reason::Unreadable))?;
        read.score
    } else if names_a_file(sheet) {
        return Err(fault(Reason::Absent).with(sheet));
    } else {
        let read = read_score(sheet, None, 1).map_err(|_| fault(Reason::Unreadable))?;
        read.score
    };
    let score = Box::new(score);
    Ok(Act::HandInScore { side, score })
}

/// Whether somebody has written the name of a file and no moves.
fn names_a_file(sheet: &str) -> bool {
    let has_ending = Path::new(sheet).extension().is_some_and(|ending| {
        let letters = ending.to_string_lossy();
        letters.len() >= 3 && letters.chars().all(|letter| letter.is_ascii_alphabetic())
    });
    !sheet.contains(char::is_whitespace) && (has_ending || sheet.starts_with(['/', '~', '\\']))
}
