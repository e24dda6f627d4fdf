//! The wait for data that were lost on the line.

use std::time::Duration;

use super::Press;
use crate::board::path::Path;
use annexd_laws::moment::Moment;

/// A requested snapshot arrives within this time, or not at all.
const DOUBT_MAX: Duration = Duration::from_secs(2);

/// A wait for a snapshot, because something was lost.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    until: Moment,
    /// The path before anything was lost.
    before: Option<Path>,
    /// The last press since then.
    press: Option<Press>,
}

impl Doubt {
    /// Something was lost on the way to the end of this path.
    pub(super) fn new(path: Option<&Path>, now: Moment) -> Self {
        Self {
            until: now + DOUBT_MAX,
            before: path.cloned(),
            press: None,
        }
    }

    /// Something more was lost.
    pub(super) fn go_on(&mut self, now: Moment) {
        self.until = now + DOUBT_MAX;
    }

    /// Until when a snapshot is awaited.
    pub(super) const fn until(&self) -> Moment {
        self.until
    }

    /// The clock was pressed. What for is known only afterwards.
    pub(super) const fn press(&mut self, press: Press) {
        self.press = Some(press);
    }

    /// Takes the path before anything was lost.
    pub(super) const fn take_before(&mut self) -> Option<Path> {
        self.before.take()
    }

    /// Ends the wait. Returns the press that was put off.
    pub(super) fn end(self) -> Option<Press> {
        self.press
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Color};

    #[test]
    fn a_further_loss_extends_the_wait_and_keeps_the_path_before_the_first() {
        let path = Path::begin(Chess::default(), Moment::START);
        let mut doubt = Doubt::new(Some(&path), Moment::from_ms(1_000));
        assert_eq!(doubt.until(), Moment::from_ms(3_000));
        doubt.go_on(Moment::from_ms(2_500));
        assert_eq!(doubt.until(), Moment::from_ms(4_500));
        assert_eq!(
            doubt.take_before().map(|before| before.fen()),
            Some(path.fen())
        );
    }

    #[test]
    fn the_last_press_is_put_off_until_the_end() {
        let mut doubt = Doubt::new(None, Moment::START);
        for by in [None, Some(Color::Black)] {
            doubt.press(Press { by });
        }
        assert_eq!(doubt.end().map(|press| press.by), Some(Some(Color::Black)));
    }
}
