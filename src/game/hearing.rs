//! Takes what was heard, typed or keyed, and decides whose words it was.

use std::ops::Range;

use shakmaty::Color;

use super::Game;
use super::effect::{Earcon, Effect, Priority};
use super::expectation::Form;
use super::input::{MicrophoneState, Origin, VoiceMark};
use super::moving::{Repetition, Words};
use super::phase::Phase;
use super::position::stand_to_castle;
use super::profile::{Duty, Microphones, Sensors};
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Announcement, Command, Heard, Said};
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Somebody spoke, typed or pressed a key.
    ///
    /// Words into a microphone count by when they were said, because deciding on them takes time.
    /// What was said just before the program spoke was not said over its voice.
    pub(super) fn heard(
        &mut self,
        now: Moment,
        origin: Origin,
        heard: Heard,
        said: Option<Range<Moment>>,
    ) {
        let begun = said.as_ref().map(|said| said.start);
        let person = match origin {
            Origin::Console(person) => person,
            Origin::Microphone(microphone) => {
                if self.is_microphone_muted(microphone, said.as_ref().map(|said| said.start)) {
                    return;
                }
                let Some(side) = self.voice_in(microphone, &heard) else {
                    return;
                };
                let is_press = heard == Heard::Clear(Said::Command(Command::Press));
                if is_press && microphone.is_none() && self.is_press_for_nothing() {
                    return self.table(PhraseKey::PleaseAnnounce, []);
                }
                let said = said.filter(|_| self.holds("said_before"));
                let is_spoken_over = match &said {
                    Some(said) => self.spoke_over(now, microphone, said),
                    None => self.speaks_into(microphone),
                };
                let is_spoken_over = is_spoken_over && self.holds("urgent_words");
                if is_spoken_over && !is_urgent(&heard) {
                    if let (Some(side), Heard::Clear(_)) = (microphone, heard) {
                        self.unheeded(now, side, said.as_ref());
                    }
                    return;
                }
                Person::Player(side)
            }
        };
        // A player who only silences the program has not said anything else.
        if heard != Heard::Clear(Said::Command(Command::Stop)) {
            self.has_done_something(person);
        }
        let is_voice = matches!(origin, Origin::Microphone(_));
        if let (Person::Player(side), true) = (person, interrupts(&heard)) {
            self.silence_ear(side);
        }
        // The microphone is opened first when the answer is said into an ear: the answer may be
        // long, and the microphone has to be open when it ends.
        if let Origin::Microphone(Some(side)) = origin
            && self.has_ear(side)
        {
            self.close_after(now, Some(side));
        }
        let own = match origin {
            Origin::Microphone(own) => own,
            Origin::Console(_) => None,
        };
        let meant = match heard {
            Heard::Unclear(readings) => self.take_unclear(now, person, own, readings, begun),
            Heard::Clear(words) => self.take_answer(now, person, own, words, begun),
        };
        if let Some(meant) = meant {
            self.said(now, person, meant, is_voice);
        }
        if let Origin::Microphone(microphone) = origin {
            self.close_after(now, microphone);
        }
    }

    /// Clear words were said over the program's voice and are not obeyed. If the program spoke only
    /// into the speaker's own ear, the words cannot be its own voice, and a tone asks him to say
    /// them again.
    pub(super) fn unheeded(&mut self, now: Moment, side: Color, said: Option<&Range<Moment>>) {
        let was_muted = self.is_microphone_muted(Some(side), said.map(|said| said.start));
        let is_no_leak = !was_muted && self.only_his_ear_spoke(now, side, said);
        if is_no_leak && self.holds("ignored_words") {
            let (channel, earcon) = (Channel::Ear(side), Earcon::Again);
            self.response.push(Effect::Earcon { channel, earcon });
            self.has_done_something(Person::Player(side));
            self.docket.which.was_unheeded(side);
        }
    }

    /// Cuts off what is being said into the ear of a player who says an urgent word, so that his
    /// answer comes at once. "Stopp" does more.
    fn silence_ear(&mut self, side: Color) {
        let ear = Channel::Ear(side);
        if self.speech.is_speaking(|on| on == ear) && self.holds("urgent_words_hush") {
            self.response.push(Effect::Silence(ear));
        }
    }

    /// The side whose voice it is. In a shared microphone this is the side whose turn it is to
    /// speak, except: "Korrektur" and "nein" belong to the last announcer, and "nein" to an offer
    /// to the side that it was made to; the press to the side whose move it ends, repeated or not
    /// (D.2.1 is no condition of D.2.4); the next move, before the press, to the side having the
    /// move; "ich berichtige" to that side too (4.2.1); a question to the one who can be answered
    /// alone.
    fn voice_in(&self, microphone: Option<Color>, heard: &Heard) -> Option<Color> {
        if microphone.is_some() {
            return microphone;
        }
        match heard {
            Heard::Clear(Said::Correction(_)) => Some(self.last_announcer()),
            Heard::Clear(Said::Command(Command::Yes | Command::No)) if self.is_answer_eithers() => {
                self.asked_by_name().or_else(|| self.speaker())
            }
            Heard::Clear(Said::Command(Command::No)) if !self.is_anybody_asked() => {
                Some(self.who_says_no())
            }
            Heard::Clear(Said::Command(command)) if self.holds("words_of_the_order") => {
                self.commander(*command)
            }
            Heard::Clear(Said::Question(_)) => self.speaker().map(|it| self.told_alone(it)),
            Heard::Clear(Said::Move(said)) if self.is_next_before_press(said) => {
                Some(self.course.turn())
            }
            Heard::Clear(Said::Move(_) | Said::Square(_) | Said::Piece(_)) => {
                self.speaker_of_move().or_else(|| self.speaker())
            }
            _ => self.speaker(),
        }
    }

    /// Whether a press of which nobody says whose it is ends no move: nothing is announced, and no
    /// board shows anything. It may have been said twice, and would press for the opponent.
    pub fn is_press_for_nothing(&self) -> bool {
        let moving = self.course.moving();
        // The opponent may have pressed for his reply before (6.2.2).
        let mut last = self.course.plays().iter().rev().take(2);
        let is_moving = moving.words.is_some() || moving.asked.is_some();
        let ends_move = is_moving || last.any(|play| !play.pressed);
        self.is_playing() && !ends_move && self.sensors(self.to_press()) == Sensors::None
    }

    /// The side that has announced a move last.
    pub fn last_announcer(&self) -> Color {
        let turn = self.course.turn();
        match self.course.moving().words {
            Some(_) => turn,
            None => !turn,
        }
    }

    /// The side that says "nein" where nobody is asked anything: it was offered a draw, or it has
    /// announced and was heard wrong.
    fn who_says_no(&self) -> Color {
        let offered = self.draw.offered_by().map(|by| !by);
        offered.unwrap_or_else(|| self.last_announcer())
    }

    /// Whether a player is asked something that is answered by yes or no.
    fn is_anybody_asked(&self) -> bool {
        let mut sides = Color::ALL.into_iter();
        sides.any(|side| self.form_for(side) == Form::Confirmation)
    }

    /// The side a command belongs to when nobody says who speaks. The press and everything that
    /// ends or stops the game belong to the player whose clock runs, even while his announcement
    /// has yet to be repeated: an offer comes between announcement and press (9.1.2.1). An answer
    /// belongs to the player who was offered a draw.
    pub fn whose(&self, command: Command) -> Option<Color> {
        match command {
            Command::Press | Command::Resign | Command::OfferDraw | Command::Arbiter => {
                Some(self.to_press())
            }
            Command::Adjust => Some(self.course.turn()),
            // Who is asked something answers that.
            Command::No if self.is_playing() && !self.is_anybody_asked() => {
                Some(self.who_says_no())
            }
            Command::Accept | Command::Decline => self.draw.offered_by().map(|by| !by),
            _ => None,
        }
    }

    /// The side that gave a command in the shared microphone.
    fn commander(&self, command: Command) -> Option<Color> {
        let speaker = self.speaker()?;
        if let Some(side) = self.whose(command) {
            return Some(side);
        }
        Some(self.who_asks(command, speaker).unwrap_or(speaker))
    }

    /// The side that asks a private question which either player may have put: the only one who can
    /// be told alone, if there is one. `None` if it is no private question.
    pub fn who_asks(&self, command: Command, likely: Color) -> Option<Color> {
        let is_private = matches!(
            command,
            Command::Time
                | Command::TimeInFull
                | Command::Why
                | Command::Moves
                | Command::LastMove
                | Command::Turn
                | Command::OpenOffer
                | Command::ReadScore
                | Command::ReadBoard
                | Command::NextItem
                | Command::PreviousItem
        );
        is_private.then(|| self.told_alone(likely))
    }

    /// The side that asks about board or score when nobody says who speaks: the likely one, unless
    /// only the other can be told alone.
    pub fn told_alone(&self, likely: Color) -> Color {
        let can_be_told = |side| self.is_alone_with(side);
        let is_the_others = !can_be_told(likely) && can_be_told(!likely);
        if is_the_others { !likely } else { likely }
    }

    fn said(&mut self, now: Moment, person: Person, said: Said, is_voice: bool) {
        if let (Person::Player(side), false) =
            (person, matches!(said, Said::Command(_) | Said::Question(_)))
        {
            self.drop_own_wish(side);
        }
        match said {
            Said::Command(command) => self.command(now, person, command, is_voice),
            Said::Move(announced) => self.said_move(now, person, announced, is_voice),
            // A move being sealed is changed by sealing again (E.1.1).
            Said::Correction(Some(new)) if self.phase == Phase::Sealing => {
                self.said_move(now, person, new, is_voice);
            }
            Said::Correction(new) => {
                if let Some(side) = self.speaks_for(person, Form::Commands) {
                    if self.is_others_helper(person, side) {
                        self.refuse(self.channel_of(person), "D.2.8", PhraseKey::NotYours);
                    } else if new.is_some()
                        || self.may_correct(side)
                        || !self.takes_back_from_program(now, side)
                    {
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
                } else if let (Person::Player(side), false) = (person, is_voice) {
                    self.tell(side, PhraseKey::NothingAsked, []);
                }
            }
            Said::Square(square) => self.said_square(now, person, square, is_voice),
            Said::Question(question) => self.question(person, question),
        }
    }

    /// A square alone answers "from where?"; otherwise it is a pawn move.
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
        let pawn = Announcement::of_square(square);
        self.said_move(now, person, pawn, is_voice);
    }

    /// Takes a spoken move as an announcement or a repetition, whichever the phase expects.
    fn said_move(&mut self, now: Moment, person: Person, announced: Announcement, is_voice: bool) {
        let turn = self.course.turn();
        let side = match person {
            Person::Player(side) => side,
            // An assistant or the arbiter announces for the side whose turn it is to speak.
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
            Form::Confirmation | Form::Answer | Form::Nothing => {}
            // A player who begins too early is told so, because he would wait for an answer.
            Form::Commands if self.phase == Phase::BeforePlay => {
                self.announce(now, side, announced);
            }
            // A move in a voice from which none is expected may be the opponent's, overheard. It
            // changes nothing. "Korrektur" changes words (D.2.8).
            Form::Commands if is_voice && self.has_ear(side) => {
                if self.course.moving().side != side && self.course.moving().asked.is_some() {
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

    /// Whether words are a reply instead of the missing repetition: they begin at one of the
    /// speaker's own pieces. No rule forbids replying first while the clock runs (D.2.1 is no
    /// condition of D.2.3). Spoken words may be a misheard repetition, so they must be said twice
    /// alike.
    fn is_reply(&self, side: Color, announced: &Announcement, is_voice: bool) -> bool {
        let is_said_again = self.last_words(!side).is_some_and(|words| {
            words.repetition() == Repetition::Differs && words.repeated() == Some(announced)
        });
        self.names_own_piece(side, announced) && (!is_voice || is_said_again)
    }

    /// Words taken for a repetition were none. The score gets the announced move again (D.2.7).
    fn forget_repetition(&mut self, now: Moment, side: Color) {
        let words = self.words_of_mut(!side);
        if words.is_some_and(Words::repeat_as_said) {
            self.record_repetition(now, side);
        }
        if let Some(words) = self.words_of_mut(!side) {
            words.forget_repetition();
        }
    }

    /// Whether words begin at a piece of the side's own. A repetition begins at a square that the
    /// opponent's piece has left.
    fn names_own_piece(&self, side: Color, announced: &Announcement) -> bool {
        let Announcement::Move(said) = announced else {
            return false;
        };
        let own = self.course.board().by_color(side);
        said.from.is_some_and(|from| own.contains(from))
    }

    /// Whether words that either player may have said are the next move, though the last one has
    /// yet to be pressed for: the opponent has the move (1.3), and the words begin at one of his
    /// pieces or castle with them. Who made the last move would correct it by "Korrektur".
    fn is_next_before_press(&self, said: &Announcement) -> bool {
        let turn = self.course.turn();
        self.is_playing()
            && self.course.is_open()
            && self.speaker_of_move() == Some(!turn)
            && self.form_besides_questions(!turn) == Form::Commands
            && (self.names_own_piece(turn, said) || self.castles_next(turn, said))
            && self.holds("next_before_press")
    }

    /// Whether words are castling for which this side's king and rook stand where they began. If
    /// either player has just castled, they may as well be the repetition, or another side of it.
    fn castles_next(&self, side: Color, said: &Announcement) -> bool {
        let Announcement::Castling(castling) = said else {
            return false;
        };
        let has_castled = |side: Color| {
            let words = self.last_words(side);
            matches!(words.map(Words::said), Some(Announcement::Castling(_)))
        };
        stand_to_castle(castling.side, side, self.course.board())
            && !Color::ALL.into_iter().any(has_castled)
    }

    /// The side for which a person speaks.
    fn speaks_for(&self, person: Person, form: Form) -> Option<Color> {
        match person {
            Person::Player(side) => Some(side),
            Person::Assistant(own) => {
                let turn = self.course.turn();
                let side = if form == Form::Commands && self.course.moving().words.is_none() {
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

    /// Notes how far a voice has come with an utterance.
    pub(super) fn voice(&mut self, now: Moment, channel: Channel, utterance: u32, mark: VoiceMark) {
        if let Some(phrase) = self.speech.mark(now, channel, utterance, mark) {
            self.wait_for_repetition(now, &phrase);
        }
    }

    /// Notes that a microphone was muted or opened. A shared microphone is meant whoever did it.
    pub(super) fn microphone(&mut self, now: Moment, side: Option<Color>, state: MicrophoneState) {
        let by = side;
        let side = match self.profile.microphones {
            Microphones::Shared => None,
            Microphones::Own => side,
        };
        let is_muted = matches!(state, MicrophoneState::Muted | MicrophoneState::KeyUp);
        if is_muted {
            self.equipment.mute(side, now);
        } else {
            self.equipment.open(side, state == MicrophoneState::Once);
        }
        if let Some(by) = by.filter(|_| !is_muted) {
            self.response.push(Effect::Earcon {
                channel: self.private(by),
                earcon: Earcon::Listening,
            });
        }
        let (key, priority) = match state {
            MicrophoneState::Muted => (PhraseKey::MicrophoneMuted, Priority::Now),
            MicrophoneState::Open | MicrophoneState::Once => {
                (PhraseKey::MicrophoneOpen, Priority::Now)
            }
            // Words would be picked up by the player's own microphone. A tone tells him that it
            // listens.
            MicrophoneState::KeyDown => return,
            // A player who lets the key go knows it, and an answer he asked for must not be cut
            // off.
            MicrophoneState::KeyUp => (PhraseKey::MicrophoneMuted, Priority::Normal),
        };
        let is_key = state == MicrophoneState::KeyUp;
        let to = if is_key { by } else { side };
        match to.filter(|&to| self.has_ear(to)) {
            Some(to) => self.say(Channel::Ear(to), key, [], priority),
            // At the table both would hear it after each word.
            None if is_key => {}
            // Nothing said to both players is cut off for it.
            None => self.table(key, []),
        }
    }

    /// Mutes a microphone that was opened for these words only.
    fn close_after(&mut self, now: Moment, microphone: Option<Color>) {
        if self.equipment.is_open_once(microphone) {
            self.microphone(now, microphone, MicrophoneState::Muted);
        }
    }
}

/// The few words that are obeyed while the program speaks.
fn is_urgent(heard: &Heard) -> bool {
    interrupts(heard) || matches!(heard, Heard::Clear(Said::Command(Command::Stop)))
}

/// Those urgent words that are answered.
fn interrupts(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::Clear(Said::Correction(_) | Said::Command(Command::No | Command::Adjust))
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Input, Profile};
    use super::*;

    #[test]
    fn that_a_microphone_is_mute_again_is_said_before_a_long_answer() {
        let mut profile = Profile {
            microphones: Microphones::Own,
            time_control: "15m".parse().ok(),
            ..Profile::default()
        };
        profile.sides.white.ear = true;
        let mut game = Game::new(profile);
        let said = |effects: Vec<Effect>| -> Vec<(PhraseKey, Priority)> {
            let said = effects.into_iter().filter_map(|effect| match effect {
                Effect::Say {
                    phrase, priority, ..
                } => Some((phrase.key, priority)),
                _ => None,
            });
            said.collect()
        };
        let mut tell = |input| said(game.handle(Moment::from_ms(1), input));
        let microphone = |state| Input::Microphone {
            side: Some(Color::White),
            state,
        };
        let open = tell(microphone(MicrophoneState::Once));
        assert_eq!(open, [(PhraseKey::MicrophoneOpen, Priority::Now)]);
        let origin = Origin::Microphone(Some(Color::White));
        let time = Heard::Clear(Said::Command(Command::Time));
        let answered = tell(Input::heard(origin, time));
        assert_eq!(
            answered,
            [
                (PhraseKey::MicrophoneMuted, Priority::Now),
                (PhraseKey::TimesLeft, Priority::Next),
            ]
        );
        // Letting a key go cuts off no answer.
        let let_go = tell(microphone(MicrophoneState::KeyUp));
        assert_eq!(let_go, [(PhraseKey::MicrophoneMuted, Priority::Normal)]);
    }
}
