//! Which of the lines a Braille display shows: the newest, or where its reader has moved with the
//! display's keys. Pure.

use std::collections::VecDeque;
use std::ops::Range;

/// How many lines back the reader can go.
const KEPT: usize = 500;

/// One cell of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A character, in the Braille that the reader has chosen in BRLTTY.
    Letter(char),
    /// These dots, whatever the reader has chosen. Dot 1 is the lowest bit.
    Dots(u8),
}

/// A text as a line.
pub(super) fn letters(text: &str) -> Vec<Cell> {
    let plain = text.chars().filter(|it| !it.is_control());
    plain.map(Cell::Letter).collect()
}

/// Where a key of the display leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pan {
    /// The previous line.
    Up,
    /// The next line.
    Down,
    /// The previous part of this line, or else the end of the previous line.
    Left,
    /// The next part of this line, or else the next line.
    Right,
    /// The first line of what was received last.
    Top,
    /// The newest line.
    Bottom,
}

/// The lines, and the reader's place in them.
#[derive(Debug, Default)]
pub(super) struct View {
    lines: VecDeque<Vec<Cell>>,
    /// The index of the line shown. After the last one the screen is shown again.
    at: usize,
    /// The part of the line, if it is longer than the display.
    part: usize,
    /// The index of the first line received last.
    top: usize,
}

impl View {
    /// Adds lines that belong together. They are read from the first on.
    pub(super) fn push(&mut self, lines: Vec<Vec<Cell>>) {
        if lines.is_empty() {
            return;
        }
        self.top = self.lines.len();
        self.lines.extend(lines);
        while self.lines.len() > KEPT {
            self.lines.pop_front();
            self.top = self.top.saturating_sub(1);
        }
        (self.at, self.part) = (self.top, 0);
    }

    /// Moves as a key says, on a display with this many cells.
    pub(super) fn go(&mut self, step: Pan, width: usize) {
        let parts = |at: usize| self.lines.get(at).map_or(1, |it| parts_of(it, width).len());
        let end = self.lines.len();
        (self.at, self.part) = match step {
            Pan::Up => (self.at.saturating_sub(1), 0),
            Pan::Down => ((self.at + 1).min(end), 0),
            Pan::Left if self.part > 0 => (self.at, self.part - 1),
            Pan::Left if self.at == 0 => (0, 0),
            Pan::Left => (self.at - 1, parts(self.at - 1) - 1),
            Pan::Right if self.part + 1 < parts(self.at) => (self.at, self.part + 1),
            Pan::Right => ((self.at + 1).min(end), 0),
            Pan::Top => (self.top, 0),
            Pan::Bottom => (end.saturating_sub(1), 0),
        };
    }

    /// What a display with this many cells shows; `None` after the last line.
    pub(super) fn shown(&self, width: usize) -> Option<&[Cell]> {
        let line = self.lines.get(self.at)?;
        let parts = parts_of(line, width);
        let part = parts.get(self.part).or(parts.last())?;
        line.get(part.clone())
    }
}

/// The parts of a line that fit a display, cut between words where possible. There is at least one.
fn parts_of(line: &[Cell], width: usize) -> Vec<Range<usize>> {
    let width = width.max(1);
    let mut parts = Vec::new();
    let mut from = 0;
    loop {
        let rest = line.get(from..).unwrap_or_default();
        if rest.len() <= width {
            parts.push(from..line.len());
            return parts;
        }
        let is_gap = |cell: &Cell| *cell == Cell::Letter(' ');
        // A gap just after the last cell also separates words.
        let gap = rest.iter().take(width + 1).rposition(is_gap);
        let length = gap.filter(|it| *it > 0).unwrap_or(width);
        parts.push(from..from + length);
        from += length + usize::from(rest.get(length).is_some_and(is_gap));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cells: Option<&[Cell]>) -> Option<String> {
        let letter = |cell: &Cell| match cell {
            Cell::Letter(letter) => *letter,
            Cell::Dots(dots) => char::from_u32(0x2800 + u32::from(*dots)).unwrap_or('?'),
        };
        Some(cells?.iter().map(letter).collect())
    }

    fn view(lines: &[&[&str]]) -> View {
        let mut view = View::default();
        for page in lines {
            view.push(page.iter().map(|line| letters(line)).collect());
        }
        view
    }

    #[track_caller]
    fn check(view: &mut View, width: usize, steps: &[(Pan, Option<&str>)]) {
        for (step, shown) in steps {
            view.go(*step, width);
            assert_eq!(text(view.shown(width)).as_deref(), *shown, "{step:?}");
        }
    }

    #[test]
    fn the_newest_line_is_shown_and_the_others_can_be_gone_back_to() {
        let mut view = view(&[&["eins"], &["zwei"], &["drei"]]);
        assert_eq!(text(view.shown(40)).as_deref(), Some("drei"));
        check(
            &mut view,
            40,
            &[
                (Pan::Up, Some("zwei")),
                (Pan::Up, Some("eins")),
                (Pan::Up, Some("eins")),
                (Pan::Down, Some("zwei")),
                (Pan::Bottom, Some("drei")),
                // Below the newest line the screen is shown again.
                (Pan::Down, None),
                (Pan::Right, None),
                (Pan::Up, Some("drei")),
            ],
        );
        view.push(vec![letters("vier")]);
        assert_eq!(text(view.shown(40)).as_deref(), Some("vier"));
    }

    #[test]
    fn what_belongs_together_is_read_from_its_first_line_on() {
        let mut view = view(&[&["zuvor"], &["8", "7", "6"]]);
        assert_eq!(text(view.shown(40)).as_deref(), Some("8"));
        check(
            &mut view,
            40,
            &[
                (Pan::Right, Some("7")),
                (Pan::Bottom, Some("6")),
                (Pan::Top, Some("8")),
                (Pan::Left, Some("zuvor")),
            ],
        );
    }

    #[test]
    fn a_long_line_is_read_in_parts_that_end_between_words() {
        let mut view = view(&[&["Springer Gustav eins Felix drei"], &["ja"]]);
        check(
            &mut view,
            15,
            &[
                (Pan::Left, Some("eins Felix drei")),
                (Pan::Left, Some("Springer Gustav")),
                (Pan::Left, Some("Springer Gustav")),
                (Pan::Right, Some("eins Felix drei")),
                (Pan::Right, Some("ja")),
            ],
        );
        // A word longer than the display is cut.
        let long = letters("Schachmattstellung ja");
        let parts: Vec<_> = parts_of(&long, 8).into_iter().collect();
        assert_eq!(parts, [0..8, 8..16, 16..21]);
        let parts: Vec<_> = parts_of(&[], 8).into_iter().collect();
        assert_eq!((parts.len(), parts.first()), (1, Some(&(0..0))));
    }

    #[test]
    fn of_an_evening_only_the_last_lines_are_kept() {
        let mut view = View::default();
        for number in 0..KEPT + 10 {
            view.push(vec![letters(&number.to_string())]);
        }
        assert_eq!(view.lines.len(), KEPT);
        let last = (KEPT + 9).to_string();
        assert_eq!(text(view.shown(40)), Some(last));
    }
}
