//! Announcing, repeating and correcting (D.2.1, D.2.8).

use std::time::Duration;

use shakmaty::{Color, Role, Square};

use super::Game;
use super::effect::Earcon;
use super::moving::{Asked, Moving, Play, Reminder, Repetition, Words, repeats};
use super::phase::Phase;
use super::position::{Resolved, Step, resolve};
use super::profile::Sensors;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Announcement, MoveAnnouncement};
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// No reminder comes sooner than this after anything else was said.
const REMINDER_REST: Duration = Duration::from_secs(1);

impl Game {
    /// Takes the announcement of a side's move, from whoever may give it.
    pub(super) fn announce(&mut self, now: Moment, side: Color, said: Announcement) {
        self.drop_own_wish(side);
        if self.is_to_recall(side) {
            self.recall_sealed(now, side, said);
        } else if self.may_announce_the_end(side) {
            self.announce_late(now, side, said);
        } else if !self.is_playing() {
            self.refuse(self.private(side), "6.11.1", PhraseKey::NotNow);
        } else if self.is_malformed(&said) {
            self.ask_again(self.private(side), &[]);
        } else if !self.has_move(side) {
            self.announce_again(now, side, said);
        } else if self
            .course
            .moving()
            .complete_words()
            .is_some_and(|words| *words.said() == said)
        {
            self.renew_words(now, side);
        } else if self.completes_words(&said) {
            self.course.take_words();
            self.set_words(now, said);
        } else {
            if let Some(slip) = self.course.void_words() {
                self.corrected(side, &slip);
            }
            self.set_words(now, said);
        }
    }

    /// Whether this announcement completes words about which something is still asked. Saying the
    /// whole move is an answer too, and no slip of the tongue.
    fn completes_words(&self, said: &Announcement) -> bool {
        let asked = self.course.moving().asked.is_some() && self.holds("D.2.8");
        let words = self.course.moving().words.as_ref().filter(|_| asked);
        match (words.map(|words| words.said()), said) {
            (Some(Announcement::Move(before)), Announcement::Move(said)) => {
                let piece = |it: &MoveAnnouncement| it.piece.unwrap_or(Role::Pawn);
                piece(before) == piece(said)
                    && before.to == said.to
                    && before.from.is_none_or(|from| said.from == Some(from))
                    && before
                        .promotion
                        .is_none_or(|role| said.promotion == Some(role))
            }
            _ => false,
        }
    }

    /// Whether an announcement has no valid form: only a pawn is promoted, and only to queen, rook,
    /// bishop or knight (D.2.1). The position plays no part.
    pub(super) fn is_malformed(&self, said: &Announcement) -> bool {
        let Announcement::Move(said) = said else {
            return false;
        };
        let Some(role) = said.promotion else {
            return false;
        };
        let is_pawn = said.piece.is_none_or(|piece| piece == Role::Pawn);
        (!is_pawn || matches!(role, Role::King | Role::Pawn)) && self.holds("D.2.1.d")
    }

    /// Whether a player has the move: once the opponent's is made, whether or not his clock was
    /// pressed (1.3).
    fn has_move(&self, side: Color) -> bool {
        let is_open = self.course.is_open();
        self.course.turn() == side && (self.holds("1.3") || !is_open)
    }

    /// The last mover says his move again, as he is asked to when the repetition differs.
    fn announce_again(&mut self, now: Moment, side: Color, said: Announcement) {
        let words = self.last_words(side).map(|words| words.said().clone());
        match words {
            None => {
                self.comes_to_rest(now, side);
                self.announce_late(now, side, said);
            }
            Some(words) if repeats(&words, &said) => self.renew_words(now, side),
            // Before he has pressed, other words would be a correction. Now they are neither that
            // nor his next move.
            Some(_) if self.course.last().is_some_and(|play| play.pressed) => {
                self.refuse_plainly(Person::Player(side), PhraseKey::NotYourTurn);
            }
            Some(_) => self.correct(now, side, Some(said)),
        }
    }

    /// Whether a side may still announce a move that seems to have ended the game and that nobody
    /// has announced yet (D.2.1).
    fn may_announce_the_end(&self, side: Color) -> bool {
        let is_unannounced = |play: &Play| play.moving.side == side && play.moving.words.is_none();
        self.phase == Phase::Stopped
            && self.course.seems_over()
            && self.course.last().is_some_and(is_unannounced)
            && self.holds("D.2.1")
    }

    /// Announces a move that a board has shown before anybody announced it.
    pub(super) fn announce_late(&mut self, now: Moment, side: Color, said: Announcement) {
        if self.is_shown_otherwise(side, &said) {
            self.unmake(now);
            self.course.rest(true);
            return self.set_words(now, said);
        }
        if !self.course.announce_last(side, said.clone(), now) {
            self.tell(side, PhraseKey::NotYourTurn, []);
            return;
        }
        self.read_back(&said);
        let is_open = self.course.is_open();
        if self.is_playing() && is_open && !self.profile.sides[side].announced_by_program {
            self.is_over_at_once(now);
        }
    }

    /// Whether the sighted player's board fits the move he now announces, though it was taken for
    /// another move. This happens in castling of Chess960 where only one piece moves (F.3).
    fn is_shown_otherwise(&self, side: Color, said: &Announcement) -> bool {
        let Some(play) = self.course.last() else {
            return false;
        };
        let is_open = play.moving.side == side && !play.pressed && play.moving.words.is_none();
        match resolve(said, side, play.before.board(), None) {
            Resolved::Step(step) if is_open && step != play.step && self.holds("4.7") => {
                self.sensors(side) != Sensors::None
                    && play.before.after(step).board() == self.boards.placement(side)
            }
            _ => false,
        }
    }

    /// Reads an announcement back once more and waits for its repetition anew.
    fn renew_words(&mut self, now: Moment, side: Color) {
        if let Some(words) = self.words_of_mut(side) {
            words.wait_again(now);
            let said = words.said().clone();
            self.read_back(&said);
        }
    }

    /// Takes an announcement of the side to move as its words, reads it back and asks for what
    /// is missing.
    pub(super) fn set_words(&mut self, now: Moment, said: Announcement) {
        let side = self.course.moving().side;
        // The opponent's "yes" would be said to another position than he was asked in.
        self.drop_own_wish(!side);
        self.read_back(&said);
        let asked = match self.resolve_words(&said) {
            Resolved::PromotionUnsaid(_) if self.holds("D.2.1.d") => Some(Asked::Promotion),
            Resolved::OriginUnsaid if self.sensors(side) == Sensors::None => {
                self.holds("D.2.1.a").then_some(Asked::Origin)
            }
            _ => None,
        };
        self.course.set_words(said, asked, now);
        self.read_holes(side);
        match asked {
            Some(Asked::Origin) => self.tell(side, PhraseKey::FromWhere, []),
            Some(Asked::Promotion) => self.tell(side, PhraseKey::WhichPiece, []),
            None => self.words_are_complete(now),
        }
    }

    fn words_are_complete(&mut self, now: Moment) {
        self.light_the_move();
        self.try_make(now);
    }

    /// Takes the answer to "from where?".
    pub(super) fn answer_origin(&mut self, now: Moment, from: Square) {
        if let Some(Announcement::Move(mut said)) = self.course.take_asked(Asked::Origin) {
            said.from = Some(from);
            self.set_words(now, Announcement::Move(said));
        }
    }

    /// Takes the answer to "which piece?".
    pub(super) fn answer_promotion(&mut self, now: Moment, side: Color, role: Role) {
        if matches!(role, Role::King | Role::Pawn) {
            self.tell(side, PhraseKey::WhichPiece, []);
        } else if let Some(Announcement::Move(mut said)) = self.course.take_asked(Asked::Promotion)
        {
            said.promotion = Some(role);
            self.set_words(now, Announcement::Move(said));
        }
    }

    /// Takes the opponent's repetition of a side's announcement.
    pub(super) fn repeat(&mut self, now: Moment, repeater: Color, said: &Announcement) {
        let holds = self.holds("D.2.1.b");
        let Some(words) = self.words_of_mut(!repeater) else {
            self.tell(repeater, PhraseKey::NothingToRepeat, []);
            return;
        };
        let is_matched = !holds || repeats(words.said(), said);
        let is_confirmed = words.is_confirmed();
        words.repeat(now, said, is_matched);
        if is_matched {
            self.sound(repeater, Earcon::Taken);
        } else if is_confirmed {
            self.ask_repetition_alone(now, !repeater);
        } else {
            self.table(PhraseKey::RepetitionDiffers, []);
        }
        self.record_repetition(now, repeater);
        let last = self.course.plays().len().checked_sub(1);
        let is_repeated = self
            .last_words(!repeater)
            .is_some_and(|words| words.repetition() == Repetition::Matched);
        if let Some(last) = last.filter(|_| is_repeated && self.course.turn() == repeater) {
            self.answered_without_clock(last);
        }
    }

    /// Whether a player who has gone on to his own move says, word for word, the announcement he
    /// still had to repeat. Then this is the missing repetition, and takes back nothing of his own
    /// move.
    pub(super) fn repeats_late(&self, repeater: Color, said: &Announcement) -> bool {
        let owed = self.owed_words(repeater);
        owed.is_some_and(|words| repeats(words.said(), said)) && self.holds("late_repetition")
    }

    /// The opponent's words that a player has yet to repeat, be it after his own move.
    pub(super) fn owed_words(&self, repeater: Color) -> Option<&Words> {
        let owed = self.course.to_repeat(repeater).map(|play| &play.moving);
        let owed = owed.and_then(Moving::complete_words);
        owed.filter(|words| words.is_awaiting_repetition())
    }

    /// Whether a player has yet to repeat the opponent's announcement, and these are its words.
    pub fn owes(&self, repeater: Color, said: &Announcement) -> bool {
        let last = self.last_words(!repeater);
        let last = last.filter(|words| words.is_awaiting_repetition());
        let owed = last.or_else(|| self.owed_words(repeater));
        owed.is_some_and(|words| repeats(words.said(), said))
    }

    /// Takes the late repetition. The last move takes it in the usual way; an earlier one has its
    /// words in the score already, so only the repetition is noted.
    pub(super) fn repeat_late(&mut self, now: Moment, repeater: Color, said: &Announcement) {
        if self.words_of_mut(!repeater).is_some() {
            return self.repeat(now, repeater, said);
        }
        self.course.repeat_late(now, repeater, said);
        self.sound(repeater, Earcon::Taken);
    }

    /// Corrects a slip of the tongue before the opponent's clock starts, and never after (D.2.8). A
    /// correction changes the words; it takes no move back.
    pub(super) fn correct(&mut self, now: Moment, side: Color, new: Option<Announcement>) {
        let is_last = self
            .course
            .last()
            .is_some_and(|play| play.moving.side == side);
        if new.as_ref().is_some_and(|said| self.is_malformed(said)) {
            self.ask_again(self.private(side), &[]);
            return;
        }
        if !matches!(self.phase, Phase::Playing | Phase::Stopped) {
            // What was played stands, and a sealed move is sealed again and never announced.
            if self.is_sealing(side) {
                self.unseal(side);
            } else {
                self.tell(side, PhraseKey::NothingToCorrect, []);
            }
            return;
        }
        if self.course.turn() != side && is_last {
            if self.course.last().is_some_and(|play| play.pressed) && self.holds("D.2.8") {
                self.refuse(self.private(side), "D.2.8", PhraseKey::TooLateToCorrect);
                self.report(
                    "D.2.8",
                    PhraseKey::CorrectionTooLate,
                    [Argument::Side(side)],
                );
                return;
            }
            self.unmake(now);
        } else if self.course.turn() != side || self.course.moving().words.is_none() {
            self.tell(side, PhraseKey::NothingToCorrect, []);
            return;
        }
        if let Some(slip) = self.course.void_words() {
            self.corrected(side, &slip);
            if new.is_none() {
                self.was_rejected(now, side, &slip);
            }
        }
        match new {
            Some(said) => self.set_words(now, said),
            None => self.tell(side, PhraseKey::AnnounceAgain, []),
        }
    }

    fn corrected(&mut self, side: Color, slip: &Announcement) {
        self.put_lights_out(!side);
        self.table(PhraseKey::Corrected, []);
        let arguments = [Argument::Side(side), Argument::Move(slip.clone())];
        self.report("D.2.8", PhraseKey::SlipCorrected, arguments);
    }

    pub(super) fn words_of_mut(&mut self, side: Color) -> Option<&mut Words> {
        let is_sealed = self.is_adjourning() && self.course.turn() == side;
        self.course.words_mut(side).filter(|_| !is_sealed)
    }

    /// Whether a player has yet to repeat the opponent's announcement.
    pub(super) fn owes_repetition(&self, repeater: Color) -> bool {
        self.last_words(!repeater)
            .is_some_and(Words::is_awaiting_repetition)
    }

    /// Reminds a player of a missing repetition. After some reminders it becomes the arbiter's
    /// matter.
    pub(super) fn remind_of_repetition(&mut self, now: Moment) {
        if self.is_speaking() {
            return;
        }
        for side in Color::ALL {
            let words = self.words_of_mut(side);
            match words.and_then(|words| words.remind(now)) {
                Some(Reminder::Opponent) => self.table(PhraseKey::PleaseRepeat, []),
                Some(Reminder::Arbiter) => {
                    self.report("D.2.1.b", PhraseKey::NotRepeated, [Argument::Side(!side)]);
                }
                None => {}
            }
        }
    }

    /// An announcement was heard to its end. The wait for its repetition starts now, even if it was
    /// said again at somebody's request. No reminder follows closely on anything else either.
    pub(super) fn wait_for_repetition(&mut self, now: Moment, heard: &Phrase) {
        if !self.holds("patience_from_hearing") {
            return;
        }
        for side in Color::ALL {
            let Some(words) = self.words_of_mut(side) else {
                continue;
            };
            let is_it = heard.arguments.first() == Some(&Argument::Move(words.said().clone()));
            match heard.key {
                PhraseKey::Announced if is_it => words.was_heard(now),
                _ => words.rest_until(now + REMINDER_REST),
            }
        }
    }

    /// Whether the program is speaking to the players. A reminder would be said over it.
    fn is_speaking(&self) -> bool {
        let is_said = |channel| matches!(channel, Channel::Table | Channel::Ear(_));
        self.speech.is_speaking(is_said) && self.holds("patience_from_hearing")
    }

    /// When the next reminder is due.
    pub(super) fn reminder_due(&self) -> Option<Moment> {
        if self.is_speaking() {
            return None;
        }
        let due = |side| self.last_words(side)?.remind_at();
        [due(Color::White), due(Color::Black)]
            .into_iter()
            .flatten()
            .min()
    }

    /// Lights the squares of the announced move on the opponent's board, so that he can execute it
    /// (D.2.1).
    fn light_the_move(&mut self) {
        let side = self.course.moving().side;
        let Some(words) = self.course.moving().complete_words() else {
            return;
        };
        if !self.profile.two_boards || self.sensors(!side) == Sensors::None {
            return;
        }
        let squares = match self.resolve_words(words.said()) {
            Resolved::Step(Step::Piece { from, to, .. }) => vec![from, to],
            Resolved::Step(step) => self
                .course
                .position()
                .squares_of(step)
                .into_iter()
                .collect(),
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => return,
        };
        self.response.push(self.boards.light(!side, squares));
    }

    pub(super) fn put_lights_out(&mut self, board: Color) {
        if self.profile.two_boards && self.sensors(board) != Sensors::None {
            self.response.push(self.boards.light(board, Vec::new()));
        }
    }
}
