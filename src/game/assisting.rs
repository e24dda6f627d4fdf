//! What assistants say about the program's work: heard right, heard wrong, executed (D.2.10).

use shakmaty::Color;

use super::Game;
use super::effect::{Earcon, Effect, Priority};
use super::profile::Sensors;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Person;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Somebody who may confirms that the last announcement was read back as it was said
    /// (D.2.10.2). From then on the announcement is not in doubt. If a repetition differs from it,
    /// the repetition is asked for again, not the announcement.
    pub(super) fn confirm_announcement(&mut self, now: Moment, person: Person, side: Color) {
        let channel = self.channel_of(person);
        let Some(words) = self.words_of_mut(side) else {
            self.say(channel, PhraseKey::NothingSaid, [], Priority::Next);
            return;
        };
        let is_repeated_wrongly = words.confirm();
        let said = words.said().clone();
        self.response.push(Effect::Earcon {
            channel,
            earcon: Earcon::Taken,
        });
        let arguments = [Argument::Move(said)];
        self.say(channel, PhraseKey::Confirmed, arguments, Priority::Next);
        if is_repeated_wrongly {
            self.ask_repetition_alone(now, side);
        }
    }

    /// Asks for the repetition again, because the announcement itself is confirmed (D.2.1).
    pub(super) fn ask_repetition_alone(&mut self, now: Moment, announcer: Color) {
        let Some(words) = self.words_of_mut(announcer) else {
            return;
        };
        words.wait_again(now);
        let said = words.said().clone();
        self.table(PhraseKey::RepeatAgain, [Argument::Move(said)]);
    }

    /// Somebody who may says that the last announcement was heard wrong. The player announces
    /// again, and nothing is chosen for him (D.2.10.2). He has made no slip of the tongue, but as
    /// with a slip it is too late once the opponent's clock runs.
    pub(super) fn reject_announcement(&mut self, now: Moment, person: Person, side: Color) {
        let channel = self.channel_of(person);
        if self.course.turn() != side {
            let last = self.course.last_of(side);
            match last.map(|play| play.pressed) {
                Some(true) if self.holds("D.2.8") => {
                    self.refuse(channel, "D.2.8", PhraseKey::TooLateToCorrect);
                    let arguments = [Argument::Side(side)];
                    self.report("D.2.10.2", PhraseKey::RejectedTooLate, arguments);
                    return;
                }
                Some(_) => self.unmake(now),
                None => {}
            }
        }
        let is_his = self.course.moving().side == side && !self.is_adjourning();
        let Some(heard) = is_his.then(|| self.course.void_misheard()).flatten() else {
            self.say(channel, PhraseKey::NothingSaid, [], Priority::Next);
            return;
        };
        self.put_lights_out(!side);
        self.was_rejected(now, side, &heard);
        self.table(PhraseKey::HeardWrong, []);
        let arguments = [Argument::Side(side), Argument::Move(heard)];
        self.report("D.2.10.2", PhraseKey::Misheard, arguments);
        self.tell(side, PhraseKey::AnnounceAgain, []);
    }

    /// A person says that the last move stands on a board (D.2.10.1). A board with sensors is
    /// believed rather than the person, who is told what the board shows.
    pub(super) fn said_executed(&mut self, now: Moment, person: Person, board: Color) {
        let has_sensors = self.sensors(board) != Sensors::None;
        if !has_sensors && self.is_correcting(board) {
            self.confirm_correction(board);
            return;
        }
        if !has_sensors {
            self.executed(board);
        }
        let key = match self.is_executed(board) {
            Some(true) => PhraseKey::Executed,
            Some(false) => PhraseKey::NotExecuted,
            None => PhraseKey::NothingSaid,
        };
        let is_sealed = self.is_making_sealed();
        let key = match key {
            PhraseKey::NothingSaid if is_sealed && !has_sensors => PhraseKey::Executed,
            PhraseKey::NothingSaid if is_sealed => PhraseKey::NotExecuted,
            key => key,
        };
        let channel = self.channel_of(person);
        let arguments = [Argument::Side(board)];
        self.say(channel, key, arguments, Priority::Next);
        if is_sealed && !has_sensors {
            self.sealed_move_executed(now, board);
        }
    }

    /// Whether a side's standing announcement was confirmed to have been heard right (D.2.10.2);
    /// `None` if no announcement stands.
    pub fn is_confirmed(&self, side: Color) -> Option<bool> {
        self.last_words(side).map(|words| words.is_confirmed())
    }
}
