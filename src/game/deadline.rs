//! What happens when time passes without an input.

use shakmaty::Color;

use super::Game;
use annexd_laws::moment::Moment;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// When [`super::Input::Deadline`] is due if nothing happens before.
    pub fn deadline(&self) -> Option<Moment> {
        let asked = self.docket.confirmations.confirmation_due();
        if self.scores.is_over() {
            return asked.into_iter().chain(self.speech.ends()).min();
        }
        let flag = self.clocks.chessclock().and_then(|clock| clock.flag_due());
        let reminder = self.reminder_due().filter(|_| self.is_playing());
        [
            flag,
            reminder,
            asked,
            self.clocks.request_due(),
            self.mismatch_due().filter(|_| self.is_playing()),
            self.boards.rest_is_over().filter(|_| self.is_playing()),
            self.recording_due(),
            self.default_due(),
        ]
        .into_iter()
        .flatten()
        .chain(self.speech.ends())
        .min()
    }

    /// Does everything that is due.
    pub(super) fn keep_deadlines(&mut self, now: Moment) {
        self.speech.drop_silent(now);
        self.drop_stale_confirmations(now);
        if self.scores.is_over() {
            return;
        }
        if self.is_playing() {
            self.describe_mismatches(now);
            self.remind_of_repetition(now);
            self.end_after_rest(now);
        }
        self.answer_standing_requests(now);
        self.watch_recording(now);
        self.look_for_absent(now);
    }

    /// Tells the time to players who asked to be told "at five minutes", if the arbiter has allowed
    /// it (D.2.10.4). Times are told in no other case without a question.
    fn answer_standing_requests(&mut self, now: Moment) {
        for side in Color::ALL {
            let left = self.clocks.answer_request(side, now);
            if let Some(left) = left.filter(|_| self.has_ear(side)) {
                let arguments = [Argument::Time(left)];
                self.tell(side, PhraseKey::TimeLeftAsWished, arguments);
            }
        }
    }
}
