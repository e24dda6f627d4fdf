//! Stopping the own clock and starting the opponent's (6.2, D.2.4).

use shakmaty::Color;

use super::Game;
use super::effect::{Earcon, Effect};
use super::input::{Device, Means};
use super::moving::{Asked, Play};
use super::phase::Phase;
use super::profile::{Duty, Sensors};
use super::shown::Missing;
use annexd_laws::Fault;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// A clock was pressed, or a person asks for the press.
    pub(super) fn pressed(&mut self, now: Moment, side: Color, means: Means) {
        if let Means::Key(person) = means
            && let Err(clause) = self.may(person, side, Duty::ScoreAndClock)
        {
            self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
            return;
        }
        self.drop_own_wish(side);
        // He should have pressed before the order to seal (6.2.2).
        let is_due = |play: &Play| play.moving.side == side && !play.pressed;
        if self.phase == Phase::Sealing && self.course.last().is_some_and(is_due) {
            self.press_after_move(now, side, means);
            return;
        }
        if self.is_sealing(side) {
            self.sealed_and_stopped(now, side);
            return;
        }
        if !self.is_playing() {
            if means == Means::Chessclock {
                self.report(
                    "6.2.4",
                    PhraseKey::PressedWhileStopped,
                    [Argument::Side(side)],
                );
            } else if let Means::Key(person) = means {
                self.refuse(self.channel_of(person), "6.11.3", PhraseKey::NotNow);
            }
            return;
        }
        if self.course.turn() == side {
            self.press_on_turn(now, side, means);
        } else {
            self.comes_to_rest(now, side);
            self.press_after_move(now, side, means);
        }
    }

    /// Presses for a move already made, which completes it.
    fn press_after_move(&mut self, now: Moment, side: Color, means: Means) {
        let is_asked_for = !self.has_own_clock() && means != Means::Chessclock;
        let last = self.course.last();
        match last.map(|play| (play.pressed, play.press_asked)) {
            Some((false, _)) => {
                // A "yes" of the opponent would answer what he wanted before this move.
                self.drop_own_wish(!side);
                self.course.ask_press(is_asked_for);
                self.switch_clock(now, side, means);
                self.complete(now, self.course.plays().len() - 1, true);
                self.announce_for(side, now);
            }
            // The player now presses the counting clock himself, as requested by key before (6.10).
            Some((true, true)) if means == Means::Chessclock => self.course.ask_press(false),
            _ => {
                self.report("6.2.4", PhraseKey::PressedOutOfTurn, [Argument::Side(side)]);
                let was_back = self.course.moving().pressed_early;
                self.press_back(now, side);
                let is_back = was_back != self.course.moving().pressed_early;
                let sees_no_arbiter = !self.profile.arbiter && means == Means::Chessclock;
                if sees_no_arbiter && !is_back {
                    // The opponent's clock runs now, and only the players can correct it.
                    let said = [Argument::Side(side), self.article("6.2.4")];
                    self.table(PhraseKey::PressedOutOfTurn, said);
                }
                // A player who cannot see that nothing happened is told so.
                if let Means::Key(person) = means
                    && was_back == self.course.moving().pressed_early
                {
                    self.refuse_plainly(person, PhraseKey::NotYourTurn);
                }
            }
        }
    }

    /// The opponent of a player who pressed before moving presses back. The mover's clock runs
    /// again, and he presses anew after moving.
    fn press_back(&mut self, now: Moment, side: Color) {
        let is_back = self.course.moving().pressed_early && self.running() == Some(side);
        if !is_back || !self.holds("6.2.2") {
            return;
        }
        self.course.press_early(false);
        if self.has_own_clock() || self.is_lost(Device::Clock) {
            self.clocks.press_without_move(side, now);
            self.sound(!side, Earcon::Pressed);
        }
    }

    fn press_on_turn(&mut self, now: Moment, side: Color, means: Means) {
        if self.presses_for_move_before(now, side, means) {
            return;
        }
        self.press_is_placement(now, side);
        if self.course.turn() != side || !self.is_playing() {
            if self.is_playing() {
                self.press_after_move(now, side, means);
            }
            return;
        }
        let is_blind = self.profile.is_visually_disabled(side);
        // An incomplete announcement cannot be executed: it is completed first (D.2.1).
        let is_asked = self.course.moving().asked.is_some() && self.sensors(side) == Sensors::None;
        match means {
            Means::Key(_) if is_asked && !is_blind && self.holds("D.2.1.a") => {
                let key = match self.course.moving().asked {
                    Some(Asked::Promotion) => PhraseKey::WhichPiece,
                    _ => PhraseKey::FromWhere,
                };
                self.tell(side, key, []);
            }
            Means::Key(person) if is_blind && self.holds("D.2.4") => {
                self.refuse_press(person);
            }
            _ => self.press_unmade(now, side, means),
        }
    }

    /// Lets a player still press for his last move although the opponent has replied (6.2.2).
    fn presses_for_move_before(&mut self, now: Moment, side: Color, means: Means) -> bool {
        let [earlier @ .., play, reply] = self.course.plays() else {
            return false;
        };
        if play.moving.side != side || play.pressed {
            return false;
        }
        let (index, reply_is_pressed) = (earlier.len(), reply.pressed);
        let is_untouched =
            self.course.moving().hands.touched.is_empty() && self.course.moving().words.is_none();
        if !is_untouched || !self.holds("6.2.2") {
            return false;
        }
        if reply_is_pressed {
            // The opponent has already pressed for his reply. The clock runs as if both had pressed
            // in turn.
            self.course.press_in_turn(index);
            self.sound(side, Earcon::Pressed);
        } else {
            self.switch_clock(now, side, means);
        }
        self.complete(now, index, true);
        true
    }

    /// On a board without sensors the press by a player or his assistant says that the move stands
    /// there.
    fn press_is_placement(&mut self, now: Moment, side: Color) {
        if self.sensors(side) == Sensors::None {
            self.course.place_by_word(true);
        }
        self.course.rest(true);
        self.try_make(now);
        if self.course.turn() == side {
            self.course.place_by_word(false);
        }
    }

    /// Tells in private what is missing; never whether the move is legal (D.2.4).
    fn refuse_press(&mut self, person: Person) {
        let channel = self.channel_of(person);
        self.response.push(Effect::Earcon {
            channel,
            earcon: Earcon::Refused,
        });
        for missing in self.missing() {
            let (clause, key) = match missing {
                Missing::Announcement => ("D.2.3.3", PhraseKey::NotAnnounced),
                Missing::Placement => ("D.2.3.2", PhraseKey::NotPlaced),
                Missing::Removal => ("D.2.3.1", PhraseKey::NotRemoved),
                Missing::Pawn => ("4.7.3", PhraseKey::PawnNotRemoved),
            };
            let article = self.article(clause);
            self.say(channel, key, [article], super::effect::Priority::Next);
        }
    }

    /// The clock was pressed although the move was not made. The press is neither blocked nor
    /// undone, and the arbiter is told.
    fn press_unmade(&mut self, now: Moment, side: Color, means: Means) {
        let is_blind = self.profile.is_visually_disabled(side);
        let has_begun = self.course.moving().words.is_some() || self.shown_step().is_some();
        self.switch_clock(now, side, means);
        self.course.press_early(true);
        if is_blind {
            self.report("D.2.4", PhraseKey::PressedTooEarly, [Argument::Side(side)]);
        }
        if has_begun {
            if let Some(step) = self.step_to_make() {
                self.make_pressed(now, step);
            }
        } else if self.sensors(side) != Sensors::None || is_blind {
            self.conduct.begin_act();
            self.report_fault(side, Fault::PressWithoutMove, None);
        }
        if self.course.turn() == side && !is_blind {
            self.table(PhraseKey::PleaseAnnounce, []);
        }
    }

    fn make_pressed(&mut self, now: Moment, step: super::position::Step) {
        let side = self.course.moving().side;
        self.force_make(now, step);
        self.announce_for(side, now);
    }

    /// Deals with a move that the board has shown without an announcement. The program announces it
    /// if that is its duty (D.2.10.2); otherwise the player is asked to (D.2.1, D.2.5).
    fn announce_for(&mut self, side: Color, now: Moment) {
        let Some(play) = self.course.last_of(side) else {
            return;
        };
        if play.moving.words.is_some() {
            return;
        }
        let said = play.announcement();
        if self.profile.sides[side].announced_by_program {
            self.announce(now, side, said);
        } else if self.holds("D.2.5") {
            self.table(PhraseKey::PleaseAnnounce, []);
        }
    }

    /// Stops the clock of a side and starts the other's.
    fn switch_clock(&mut self, now: Moment, side: Color, means: Means) {
        // While a counting chessclock cannot be read, the program estimates its times. Once it can
        // be read again, its reading counts (6.10).
        let is_read = !self.has_own_clock() && !self.is_lost(Device::Clock);
        // Nobody sees a server's clock. The player hears his press, and the times come with the
        // server's answer.
        if is_read && !self.is_elsewhere() {
            return;
        }
        if !is_read {
            match self.course.turn() == side {
                true => self.clocks.press_without_move(side, now),
                false => self.clocks.press(side, now),
            }
        }
        if let Means::Key(person) = means {
            let channel = self.channel_of(person);
            // If both hear the same device, the tone for the other player says enough.
            if channel != Channel::Table || self.private(!side) != Channel::Table {
                let earcon = Earcon::PressTaken;
                self.response.push(Effect::Earcon { channel, earcon });
            }
        }
        self.sound(!side, Earcon::Pressed);
    }
}
