//! What was heard, typed or keyed, and whose words it was.

use shakmaty::Color;

use super::Game;
use super::effect::{Earcon, Effect, Priority};
use super::expectation::Form;
use super::input::{MicrophoneState, Origin, VoiceMark};
use super::moving::Repetition;
use super::profile::{Duty, Microphones};
use super::queries::Phase;
use crate::moment::Moment;
use crate::notation::{Announcement, Command, Heard, Said};
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, PhraseKey};

impl Game {
    /// Somebody spoke, typed or pressed a key.
    pub(super) fn heard(&mut self, now: Moment, origin: Origin, heard: Heard) {
        let person = match origin {
            Origin::Console(person) => person,
            Origin::Microphone(microphone) => {
                if self.muted.contains(&microphone) {
                    return;
                }
                let Some(side) = self.voice_in(microphone, &heard) else {
                    return;
                };
                let is_spoken_over = self.speaks_into(microphone) && self.holds("urgent_words");
                if is_spoken_over && !is_urgent(&heard) {
                    return;
                }
                Person::Player(side)
            }
        };
        let is_voice = matches!(origin, Origin::Microphone(_));
        match heard {
            Heard::Unclear(readings) => self.ask_again(self.channel_of(person), &readings),
            Heard::Clear(said) => self.said(now, person, said, is_voice),
        }
        if let Origin::Microphone(microphone) = origin {
            self.close_after(microphone);
        }
    }

    /// Whose voice it is. In a shared microphone the side whose turn it is to speak; "Korrektur"
    /// and "nein" belong to the one who announced last.
    fn voice_in(&self, microphone: Option<Color>, heard: &Heard) -> Option<Color> {
        if microphone.is_some() {
            return microphone;
        }
        let turn = self.position.turn();
        let announcer = if self.moving.words.is_some() {
            turn
        } else {
            !turn
        };
        let is_asked = Color::ALL
            .into_iter()
            .any(|side| self.form_for(side) == Form::Confirmation);
        match heard {
            Heard::Clear(Said::Correction(_)) => Some(announcer),
            Heard::Clear(Said::Command(Command::No)) if !is_asked => Some(announcer),
            _ => self.speaker(),
        }
    }

    /// Asks for the words again, for reasons of sound and grammar only.
    pub(super) fn ask_again(&mut self, channel: Channel, readings: &[Said]) {
        if !self.holds("X1") {
            return;
        }
        self.out.push(Effect::Earcon {
            channel,
            earcon: Earcon::Again,
        });
        match readings {
            [Said::Move(one), Said::Move(other), ..] => {
                let arguments = [Argument::Move(one.clone()), Argument::Move(other.clone())];
                self.say(channel, PhraseKey::EitherOr, arguments, Priority::Next);
            }
            _ => self.say(channel, PhraseKey::SayAgain, [], Priority::Next),
        }
    }

    fn said(&mut self, now: Moment, person: Person, said: Said, is_voice: bool) {
        match said {
            Said::Command(command) => self.command(now, person, command, is_voice),
            Said::Move(announced) => self.said_move(now, person, announced, is_voice),
            // What is being sealed is changed by sealing anew (E.1.1).
            Said::Correction(Some(new)) if self.phase == Phase::Sealing => {
                self.said_move(now, person, new, is_voice);
            }
            Said::Correction(new) => {
                if let Some(side) = self.speaks_for(person, Form::Commands) {
                    if self.is_others_helper(person, side) {
                        self.refuse(self.channel_of(person), "D.2.8", PhraseKey::NotYours);
                    } else {
                        self.correct(now, side, new);
                    }
                }
            }
            Said::Piece(role) => {
                if let Some(side) = self.speaks_for(person, Form::Promotion)
                    && self.form_for(side) == Form::Promotion
                {
                    if self.is_sealing(side) {
                        self.seal_promotion(person, side, role);
                    } else {
                        self.answer_promotion(now, side, role);
                    }
                }
            }
            Said::Square(square) => self.said_square(now, person, square, is_voice),
        }
    }

    /// A square alone answers "from where?"; otherwise it is a pawn move without the pawn.
    fn said_square(
        &mut self,
        now: Moment,
        person: Person,
        square: shakmaty::Square,
        is_voice: bool,
    ) {
        let asked = self
            .speaks_for(person, Form::Origin)
            .filter(|&side| self.form_for(side) == Form::Origin);
        if let Some(side) = asked {
            if self.is_sealing(side) {
                self.seal_origin(person, side, square);
            } else {
                self.answer_origin(now, square);
            }
            return;
        }
        let pawn = Announcement::Move(crate::notation::MoveAnnouncement {
            piece: None,
            from: None,
            to: square,
            capture: false,
            promotion: None,
            mark: None,
        });
        self.said_move(now, person, pawn, is_voice);
    }

    /// A move was said: an announcement or a repetition, as the phase decides.
    fn said_move(&mut self, now: Moment, person: Person, announced: Announcement, is_voice: bool) {
        let turn = self.position.turn();
        let side = match person {
            Person::Player(side) => side,
            // An assistant, or the arbiter, who announces speaks for the side that is to speak.
            Person::Assistant(_) | Person::Arbiter => match self.form_for(turn) {
                Form::Commands => !turn,
                _ => turn,
            },
        };
        if let Err(clause) = self.may(person, side, Duty::Announce) {
            self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
            return;
        }
        if self.is_others_helper(person, side) && self.last_words(side).is_some() {
            return self.repeat(now, !side, &announced);
        }
        let form = match self.holds("D.2.1") {
            true => self.form_besides_questions(side),
            false => self.form_for(side),
        };
        if matches!(form, Form::Announcement | Form::Commands)
            && self.repeats_late(side, &announced)
        {
            return self.repeat_late(now, side, &announced);
        }
        match form {
            Form::Repetition if self.is_reply(side, &announced, is_voice) => {
                if is_voice {
                    self.forget_repetition(now, side);
                }
                let article = self.article("D.2.1");
                self.tell(side, PhraseKey::RepetitionMissing, [article]);
                self.announce(now, side, announced);
            }
            Form::Repetition => self.repeat(now, side, &announced),
            Form::Announcement | Form::Origin | Form::Promotion => {
                if self.is_sealing(side) {
                    self.seal(person, side, announced);
                } else {
                    self.announce(now, side, announced);
                }
            }
            Form::Confirmation | Form::Nothing => {}
            // A move in a voice that no move is expected of may be the opponent's, overheard:
            // it changes nothing. To change the words there is "Korrektur" (D.2.8).
            Form::Commands if is_voice && self.has_ear(side) => {
                if self.moving.side != side && self.moving.asked.is_some() {
                    let asked = [Argument::Side(!side)];
                    self.tell(side, PhraseKey::IncompleteStill, asked);
                } else if self.last_words(side).is_some() {
                    self.tell(side, PhraseKey::SayCorrectionFirst, []);
                }
            }
            Form::Commands if is_voice => {}
            Form::Commands => self.announce(now, side, announced),
        }
    }

    /// Whether words are no repetition but the reply of one who has not repeated, which no rule
    /// forbids him under a running clock (D.2.1 is no condition of D.2.3): they begin at a piece of
    /// his own. What is spoken may be a repetition heard wrong, so it must be said twice alike.
    fn is_reply(&self, side: Color, announced: &Announcement, is_voice: bool) -> bool {
        let is_said_again = self.last_words(!side).is_some_and(|words| {
            words.repetition == Repetition::Differs && words.repeated.as_ref() == Some(announced)
        });
        self.names_own_piece(side, announced) && (!is_voice || is_said_again)
    }

    /// What was taken for a repetition was none: the score has what was announced again (D.2.7).
    fn forget_repetition(&mut self, now: Moment, side: Color) {
        if let Some(words) = self.words_of_mut(!side).filter(|w| w.repeated.is_some()) {
            words.repeated = Some(words.said.clone());
            self.record_repetition(now, side);
        }
        if let Some(words) = self.words_of_mut(!side) {
            words.repeated = None;
            words.repetition = Repetition::Awaited;
        }
    }

    /// Whether words begin at a piece of the side's own. A repetition begins where the opponent's
    /// piece stood, which is not there any more.
    fn names_own_piece(&self, side: Color, announced: &Announcement) -> bool {
        let Announcement::Move(said) = announced else {
            return false;
        };
        let own = self.position.board().by_color(side);
        said.from.is_some_and(|from| own.contains(from))
    }

    /// The side a person speaks for.
    fn speaks_for(&self, person: Person, form: Form) -> Option<Color> {
        match person {
            Person::Player(side) => Some(side),
            Person::Assistant(own) => {
                let turn = self.position.turn();
                let side = if form == Form::Commands && self.moving.words.is_none() {
                    !turn
                } else {
                    turn
                };
                let may = self.may(person, side, Duty::Announce).is_ok();
                may.then_some(if form == Form::Commands { side } else { turn })
                    .or(Some(own).filter(|_| may))
            }
            Person::Arbiter => None,
        }
    }

    /// How far a voice has come.
    pub(super) fn voice(&mut self, now: Moment, channel: Channel, utterance: u32, mark: VoiceMark) {
        self.speaking
            .retain(|&(on, number, _)| (on, number) != (channel, utterance));
        self.note_mark(channel, utterance, mark);
        if mark == VoiceMark::Begun {
            self.speaking.push((channel, utterance, now));
        }
    }

    /// A microphone was muted or opened. With one for both it is that one, whoever did it.
    pub(super) fn microphone(&mut self, side: Option<Color>, state: MicrophoneState) {
        let by = side;
        let side = match self.profile.microphones {
            Microphones::Shared => None,
            Microphones::Own => side,
        };
        self.muted.retain(|&muted| muted != side);
        self.once.retain(|&once| once != side);
        let is_muted = matches!(state, MicrophoneState::Muted | MicrophoneState::KeyUp);
        if is_muted {
            self.muted.push(side);
        } else if let Some(by) = by {
            self.out.push(Effect::Earcon {
                channel: self.private(by),
                earcon: Earcon::Listening,
            });
        }
        if state == MicrophoneState::Once {
            self.once.push(side);
        }
        let key = match state {
            MicrophoneState::Muted => PhraseKey::MicrophoneMuted,
            MicrophoneState::Open | MicrophoneState::Once => PhraseKey::MicrophoneOpen,
            // The key itself tells the hand, and words would be heard by the microphone.
            MicrophoneState::KeyDown | MicrophoneState::KeyUp => return,
        };
        match side {
            Some(side) => self.tell(side, key, []),
            None => self.table(key, []),
        }
    }

    /// Mutes a microphone that was opened for these words only.
    fn close_after(&mut self, microphone: Option<Color>) {
        if self.once.contains(&microphone) {
            self.microphone(microphone, MicrophoneState::Muted);
        }
    }
}

/// The few words that are obeyed while the program speaks.
fn is_urgent(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::Clear(
            Said::Correction(_) | Said::Command(Command::Stop | Command::No | Command::Adjust)
        )
    )
}
