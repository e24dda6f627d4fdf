//! What hearing should expect, and whose voice it is. Legality plays no part in it.

use std::ops::Range;

use shakmaty::Color;

use super::Game;
use super::effect::Effect;
use super::expectation::{Expectation, Form};
use super::moving::{Asked, Repetition};
use super::phase::Phase;
use super::profile::Microphones;
use super::shown::Missing;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;

impl Game {
    /// What a microphone should expect now.
    pub fn expectation(&self, microphone: Option<Color>) -> Expectation {
        let voice = microphone.or_else(|| self.speaker());
        let form = match voice {
            _ if self.is_microphone_muted(microphone, None) => Form::Nothing,
            Some(side) if self.is_asked_to_consent(side) => Form::Confirmation,
            Some(side) if self.scores.is_over() => self.form_at_end(side),
            None if self.scores.is_over() => Form::Nothing,
            Some(side) if self.is_asked_whether(side) => Form::Answer,
            Some(side) => self.form_for(side),
            None => Form::Commands,
        };
        Expectation {
            microphone,
            voice,
            form,
            urgent_only: self.speaks_into(microphone),
        }
    }

    /// What a side may say after the game. A player who signs by voice (8.7), or may leave by
    /// voice, is heard until he has left.
    fn form_at_end(&self, side: Color) -> Form {
        let is_blind = self.profile.is_visually_disabled(side);
        let signs_by_voice = is_blind && self.profile.signed_by_voice && !self.is_elsewhere();
        if self.docket.confirmations.is_confirming(side) {
            Form::Confirmation
        } else if signs_by_voice || self.leaves_by_voice_now(side) {
            Form::Commands
        } else {
            Form::Nothing
        }
    }

    /// Whether a player can sign by voice now.
    pub(super) fn signs_by_voice_now(&self, side: Color) -> bool {
        self.scores.is_over() && self.signs_by_voice(side)
    }

    /// Whether a player can say now that he leaves annexd.
    pub(super) fn leaves_by_voice_now(&self, side: Color) -> bool {
        let is_heard = self.profile.signed_by_voice || !self.profile.arbiter;
        let is_blind = self.profile.is_visually_disabled(side);
        self.scores.is_over() && is_heard && is_blind && self.may_leave(side)
    }

    /// Whether a player has yet to sign and cannot do it on paper.
    fn signs_by_voice(&self, side: Color) -> bool {
        let is_blind = self.profile.is_visually_disabled(side);
        let does_sign = self.profile.signed_by_voice && !self.is_elsewhere();
        does_sign && is_blind && !self.scores.has_signed(side)
    }

    /// The side whose turn it is to speak, for a microphone that both share.
    pub(super) fn speaker(&self) -> Option<Color> {
        let asked_by_name = || self.asked_by_name().filter(|_| !self.is_playing());
        let asked = self
            .docket
            .confirmations
            .asked_last()
            .or_else(asked_by_name);
        asked.or_else(|| self.speaker_of_move())
    }

    /// The side that is to say a move, be it an announcement or a repetition. A question that is
    /// still open does not change that.
    pub fn speaker_of_move(&self) -> Option<Color> {
        let turn = self.course.turn();
        match self.phase {
            Phase::Playing => {}
            Phase::Sealing => return Some(turn),
            Phase::Stopped if self.is_making_sealed() => {}
            // If both sign by voice, nobody could tell which of them spoke.
            Phase::Ended => {
                let is_to_sign = Color::ALL.iter().any(|side| self.signs_by_voice(*side));
                let is_heard = |side: &Color| match is_to_sign {
                    true => self.signs_by_voice(*side),
                    false => self.leaves_by_voice_now(*side),
                };
                let mut heard = Color::ALL.into_iter().filter(is_heard);
                return heard.next().filter(|_| heard.next().is_none());
            }
            _ => return None,
        }
        let must_announce_again = |side| {
            self.last_words(side)
                .is_some_and(|words| words.repetition() == Repetition::Differs)
        };
        // An owed repetition comes before anything else its player may say.
        for side in [turn, !turn] {
            if self.form_for(side) == Form::Repetition && !must_announce_again(!side) {
                return Some(side);
            }
        }
        if let Some(side) = [turn, !turn]
            .into_iter()
            .find(|&side| must_announce_again(side))
        {
            return Some(side);
        }
        let last_is_open = self.course.is_open();
        Some(if last_is_open && self.course.moving().words.is_none() {
            !turn
        } else {
            turn
        })
    }

    /// What a side may be expected to say besides commands.
    pub(super) fn form_for(&self, side: Color) -> Form {
        if self.docket.confirmations.is_confirming(side) || self.is_asked_to_consent(side) {
            return Form::Confirmation;
        }
        self.form_besides_questions(side)
    }

    /// The expected form without regard to open questions. A move is neither yes nor no, and is
    /// accepted nevertheless.
    pub(super) fn form_besides_questions(&self, side: Color) -> Form {
        match self.phase {
            Phase::Playing => {}
            // The opened move is announced and repeated before any clock runs.
            Phase::Stopped if self.is_making_sealed() => {
                return match self.owes_repetition(side) {
                    true => Form::Repetition,
                    false => Form::Commands,
                };
            }
            Phase::Adjourned if self.is_to_recall(side) => return Form::Announcement,
            Phase::Sealing if self.course.turn() == side => {
                return match self.asked_of_sealer() {
                    Some(Asked::Origin) => Form::Origin,
                    Some(Asked::Promotion) => Form::Promotion,
                    None => Form::Announcement,
                };
            }
            _ => return Form::Commands,
        }
        if self.owes_repetition(side) && !self.has_begun_own_move(side) {
            return Form::Repetition;
        }
        if self.course.turn() == side {
            match (self.course.moving().asked, &self.course.moving().words) {
                (Some(Asked::Origin), _) => return Form::Origin,
                (Some(Asked::Promotion), _) => return Form::Promotion,
                (None, None) => return Form::Announcement,
                (None, Some(_)) => {}
            }
        }
        match self.last_words(side) {
            Some(words) if words.repetition() == Repetition::Differs => Form::Announcement,
            _ if self.has_played_without_words(side) => Form::Announcement,
            _ => Form::Commands,
        }
    }

    /// Whether a side's own board shows that it has gone on to its own move.
    fn has_begun_own_move(&self, side: Color) -> bool {
        self.course.turn() == side
            && self.sensors(side) != super::profile::Sensors::None
            && !self.owes_execution(side)
            && !self.missing().contains(&Missing::Placement)
    }

    fn has_played_without_words(&self, side: Color) -> bool {
        self.course.turn() != side
            && self
                .course
                .last()
                .is_some_and(|play| play.moving.words.is_none())
    }

    /// Whether something is being said that this microphone can pick up.
    pub(super) fn speaks_into(&self, microphone: Option<Color>) -> bool {
        let is_heard = |on| self.is_heard_by(microphone, on);
        self.speech.is_speaking(is_heard)
    }

    /// Whether the program spoke for more than half of what this microphone has heard.
    pub(super) fn spoke_over(
        &self,
        now: Moment,
        microphone: Option<Color>,
        said: &Range<Moment>,
    ) -> bool {
        let is_heard = |on| self.is_heard_by(microphone, on);
        let heard = self.speech.spoken_during(said, now, is_heard);
        2 * heard > said.end.since(said.start)
    }

    /// Whether nothing was said meanwhile except into this player's own ear, which nobody else
    /// hears. Then what a microphone heard is not the program's own voice.
    pub(super) fn only_his_ear_spoke(
        &self,
        now: Moment,
        side: Color,
        said: Option<&Range<Moment>>,
    ) -> bool {
        let ear = Channel::Ear(side);
        let others = |on| on != ear && self.is_heard_by(Some(side), on);
        let is_silent = match said {
            Some(said) => self.speech.spoken_during(said, now, others).is_zero(),
            None => !self.speech.is_speaking(others),
        };
        is_silent && self.is_alone_with(side)
    }

    /// Whether the program is speaking to this player alone.
    pub fn speaks_to_him_alone(&self, side: Color) -> bool {
        let speaks = self.speech.is_speaking(|on| on == Channel::Ear(side));
        speaks && self.only_his_ear_spoke(self.response.now(), side, None)
    }

    /// Whether a microphone can pick up a channel. An ear that everybody hears is as loud as the
    /// table.
    fn is_heard_by(&self, microphone: Option<Color>, channel: Channel) -> bool {
        match channel {
            Channel::Table => true,
            Channel::Ear(side) => {
                let is_shared = self.equipment.is_ear_shared(side);
                microphone == Some(side) || is_shared && self.holds("shared_ear")
            }
            Channel::Assistant(_) | Channel::Arbiter => false,
        }
    }

    /// Whether a microphone is muted now, and was already at that moment.
    pub(super) fn is_microphone_muted(
        &self,
        microphone: Option<Color>,
        at: Option<Moment>,
    ) -> bool {
        self.equipment.is_muted(microphone, at)
    }

    /// The microphones in use.
    fn microphones(&self) -> Vec<Option<Color>> {
        match self.profile.microphones {
            Microphones::Own => vec![Some(Color::White), Some(Color::Black)],
            Microphones::Shared => vec![None],
        }
    }

    /// Sends new expectations to the microphones wherever they have changed.
    pub(super) fn listen(&mut self) {
        let expected: Vec<Expectation> = self
            .microphones()
            .into_iter()
            .map(|microphone| self.expectation(microphone))
            .collect();
        let news = self.equipment.expect(expected);
        self.response.extend(news.into_iter().map(Effect::Listen));
    }
}
