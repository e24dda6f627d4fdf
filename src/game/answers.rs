//! Commands, and answers to questions. Answers come on request only, and go only to the person who
//! asked (D.2.10.4).

use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::act::Act;
use super::effect::{Effect, Priority};
use super::moving::{Play, Repetition};
use super::phase::Phase;
use super::profile::{Brevity, Duty};
use super::ruling::Ruling;
use super::speech::Repeats;
use annexd_laws::DrawClaim;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Command, Question};
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Game {
    /// Takes a command that was said or keyed. What cannot be taken back is confirmed first.
    pub(super) fn command(
        &mut self,
        now: Moment,
        person: Person,
        command: Command,
        is_voice: bool,
    ) {
        // After the game the players may still answer questions about the result and their
        // signatures (8.7).
        let is_asked =
            |side| self.is_asked_to_consent(side) || self.docket.confirmations.is_confirming(side);
        let is_for_the_end = match command {
            Command::Yes | Command::No => person.side().is_some_and(is_asked),
            Command::SignResult => true,
            Command::AskLeave => person.side().is_some_and(|side| self.may_leave(side)),
            _ => is_question(command),
        };
        if self.scores.is_over() && !is_for_the_end {
            // A player who wants to leave first hears which signature is missing.
            if let (Command::AskLeave, Person::Player(side)) = (command, person) {
                if self.signs_by_voice_now(side) {
                    return self.tell(side, PhraseKey::HelpSign, []);
                }
                if !self.profile.arbiter && !self.profile.is_visually_disabled(side) {
                    return self.tell(side, PhraseKey::LeaveByTyping, []);
                }
                if !self.scores.has_signed(!side) {
                    let other = [Argument::Side(!side)];
                    self.tell(side, PhraseKey::WaitsForSignature, other);
                    // Only the arbiter can help a player whose opponent has gone without signing.
                    return match self.profile.arbiter && self.has_ear(side) {
                        true => self.for_the_arbiter("8.7", PhraseKey::AsksLeave, side, None),
                        false => self.tell(side, PhraseKey::LeaveByTyping, []),
                    };
                }
            }
            return self.refuse_plainly(person, PhraseKey::PlayIsOver);
        }
        match person {
            // Leaving is always asked back, spoken or not.
            Person::Player(side) if command == Command::AskLeave && self.may_leave(side) => {
                self.confirm_leaving(now, side);
            }
            Person::Player(side) if self.is_asked_back(side, command, is_voice) => {
                let grave = self.grave_of(side, command);
                self.confirm_first(now, side, grave, is_voice);
            }
            Person::Player(side) if !is_answer(command) && !is_question(command) => {
                self.drop_own_wish(side);
                self.carry_out(now, person, command);
            }
            _ => self.carry_out(now, person, command),
        }
    }

    /// Carries out a command.
    pub(super) fn carry_out(&mut self, now: Moment, person: Person, command: Command) {
        match command {
            Command::OfferDraw
            | Command::Accept
            | Command::Decline
            | Command::Resign
            | Command::ClaimRepetition
            | Command::ClaimFiftyMoves
            | Command::Yes
            | Command::No
            | Command::Adjust
            | Command::Arbiter
            | Command::Shorter
            | Command::Longer => match self.only_player(person) {
                Ok(side) => self.players_command(now, side, command),
                Err(clause) => {
                    let channel = self.channel_of(person);
                    self.refuse(channel, clause, PhraseKey::NotYours);
                }
            },
            Command::ClaimTime => self.time_is_claimed(now, person),
            Command::Press => {
                let side = self.side_to_press(person);
                self.pressed(now, side, super::input::Means::Key(person));
            }
            Command::Stop => self.fall_silent(person),
            Command::Repeat => self.say_again(person),
            Command::ReadBoard => self.read_board(person),
            Command::TakeBack => self.act(now, person, Act::TakeBack),
            Command::Hint => self.act(now, person, Act::AskHint),
            Command::Start => self.rule_as_players(now, person, Ruling::Start),
            Command::Halt => self.rule_as_players(now, person, Ruling::Stop),
            Command::Restart => {
                self.rule_as_players(now, person, Ruling::Restart { clock: None });
            }
            // In a game without an arbiter the players let play go on: "weiter" does that.
            Command::NextItem if self.phase == Phase::Stopped && !self.profile.arbiter => {
                self.rule_as_players(now, person, Ruling::Restart { clock: None });
            }
            _ => match act_of(command, person) {
                Some(act) => self.act(now, person, act),
                None => self.answer(now, person, command),
            },
        }
    }

    /// Lets the players begin, stop and restart play where there is no arbiter.
    fn rule_as_players(&mut self, now: Moment, person: Person, ruling: Ruling) {
        if self.profile.arbiter && person != Person::Arbiter {
            return self.refuse_plainly(person, PhraseKey::ArbitersMatter);
        }
        self.ruling(now, ruling);
    }

    fn players_command(&mut self, now: Moment, side: Color, command: Command) {
        if self.wants_elsewhere(side, command) {
            return;
        }
        match command {
            Command::OfferDraw => self.offer(side),
            Command::Accept => self.accept(now, side),
            Command::Decline => self.decline(side),
            Command::Resign if self.phase == Phase::BeforePlay => {
                self.refuse(self.private(side), "5.1.2", PhraseKey::NotNow);
            }
            Command::Resign => self.resign(now, side),
            Command::ClaimRepetition => self.claim(now, side, DrawClaim::Repetition, None),
            Command::ClaimFiftyMoves => self.claim(now, side, DrawClaim::FiftyMoves, None),
            Command::Yes => self.answered_yes(now, side),
            Command::No => self.answered_no(now, side),
            Command::Adjust => self.adjust(side),
            Command::Shorter | Command::Longer => self.change_brevity(side, command),
            _ if !self.profile.arbiter => self.tell(side, PhraseKey::NoArbiter, []),
            _ => self.call_arbiter(now, side),
        }
    }

    /// Makes the program say less or more to a player, and tells him the new setting.
    fn change_brevity(&mut self, side: Color, command: Command) {
        let brevity = &mut self.profile.sides[side].brevity;
        *brevity = match command {
            Command::Shorter => brevity.shorter(),
            _ => brevity.longer(),
        };
        let key = match brevity {
            Brevity::Brief => PhraseKey::BrevityBrief,
            Brevity::Usual => PhraseKey::BrevityUsual,
            Brevity::Full => PhraseKey::BrevityFull,
        };
        self.tell(side, key, []);
    }

    /// Takes "I adjust". Only the player whose clock runs may say it, and it undoes no earlier
    /// touch (4.2.1, 6.2.5).
    fn adjust(&mut self, side: Color) {
        let running = self
            .clocks
            .chessclock()
            .and_then(annexd_laws::clock::Chessclock::running);
        let needs_clock = self.rules.moving.adjust_needs_running_clock;
        let may = self.is_playing()
            && self.course.turn() == side
            && (!needs_clock || running.is_none_or(|running| running == side));
        if may || !self.holds("6.2.5") {
            self.course.adjust(true);
            self.table(PhraseKey::Adjusts, [Argument::Side(side)]);
        } else {
            self.refuse(self.private(side), "6.2.5", PhraseKey::NotNow);
        }
    }

    /// A player stops the clocks to call the arbiter (6.11.2).
    fn call_arbiter(&mut self, now: Moment, side: Color) {
        self.stop_play(now);
        self.table(PhraseKey::ArbiterCalled, [Argument::Side(side)]);
        self.report("6.11.2", PhraseKey::PlayerCalls, [Argument::Side(side)]);
    }

    fn time_is_claimed(&mut self, now: Moment, person: Person) {
        let Some(side) = person.side() else { return };
        if self.wants_elsewhere(side, Command::ClaimTime) {
            return;
        }
        match self.may(person, side, Duty::Claim) {
            Ok(()) => self.claim_time(now, person, !side),
            Err(clause) => self.refuse(self.channel_of(person), clause, PhraseKey::NotYours),
        }
    }

    /// The side whose clock a person means when he presses.
    fn side_to_press(&self, person: Person) -> Color {
        person.side().unwrap_or_else(|| self.to_press())
    }

    fn fall_silent(&mut self, person: Person) {
        self.response.push(Effect::Silence(self.channel_of(person)));
        if matches!(person, Person::Player(_)) {
            self.speech.silence(Channel::Table);
            self.response.push(Effect::Silence(Channel::Table));
        }
    }

    /// Says the last announcement again; at the table a limited number of times only (11.5).
    fn say_again(&mut self, person: Person) {
        // What he is asked comes first: it waits for him.
        if let Person::Player(side) = person
            && let Some(question) = self.docket.confirmations.question_to(side)
        {
            return self.tell(side, question, []);
        }
        let turn = self.course.turn();
        // A player who owes a repetition has to hear what he is to repeat.
        let owed = person.side().and_then(|side| self.owed_words(side));
        let words = owed.or_else(|| self.last_words(turn));
        let words = words.or_else(|| self.last_words(!turn));
        let Some(said) = words.map(|words| words.said().clone()) else {
            // In a lesson the task is said again.
            if self.guests.is_taught() {
                return;
            }
            self.say(
                self.channel_of(person),
                PhraseKey::NothingSaid,
                [],
                Priority::Next,
            );
            return;
        };
        let channel = self.channel_of(person);
        let is_heard_by_all = matches!(channel, Channel::Ear(side) if !self.is_alone_with(side));
        if channel == Channel::Table || is_heard_by_all {
            let repeats = self.speech.repeat();
            if repeats != Repeats::Few && self.holds("11.5") {
                self.report("11.5", PhraseKey::AsksTooOften, []);
                // Told once, so that a player without an ear of his own knows why he hears nothing
                // more.
                if repeats == Repeats::TooMany {
                    self.refuse(channel, "11.5", PhraseKey::NoMoreRepeats);
                }
                return;
            }
        }
        self.say(
            channel,
            PhraseKey::Announced,
            [Argument::Move(said)],
            Priority::Next,
        );
    }

    /// Says an announcement again that the table has missed, because the voice was lost. Once it
    /// is repeated it would be taken for the next move.
    pub(super) fn announce_missed(&mut self) {
        let Some(missed) = self.speech.missed().cloned() else {
            return;
        };
        let awaits = |side: Color| {
            let words = self.last_words(side);
            words.is_some_and(|words| {
                words.repetition() == Repetition::Awaited
                    && missed
                        .arguments
                        .contains(&Argument::Move(words.said().clone()))
            })
        };
        let is_awaited = self.is_playing() && Color::ALL.into_iter().any(awaits);
        if is_awaited && self.holds("announcement_missed") {
            let Phrase { key, arguments } = missed;
            self.say(Channel::Table, key, arguments, Priority::Next);
        }
    }

    /// Answers a question. Only the person who asked gets the answer; the arbiter gets no answer
    /// meant for a player alone.
    fn answer(&mut self, now: Moment, person: Person, command: Command) {
        let Some(side) = person.side() else {
            self.answer_arbiter(now, command);
            return;
        };
        if matches!(person, Person::Assistant(_))
            && let Err(clause) = self.may(person, side, Duty::Tell)
        {
            self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
            return;
        }
        // What can be said now is no secret.
        let is_secret = command != Command::Help;
        if let Some((channel, side)) = self.answered_to(person, is_secret) {
            self.answer_on(now, channel, side, command);
        }
    }

    /// The channel on which a player or his assistant is answered, and the side the answer is
    /// about. A secret goes to nobody else. A player who cannot be told alone is shown it on his
    /// own console; without one he is told why he hears nothing.
    pub(super) fn answered_to(
        &mut self,
        person: Person,
        is_secret: bool,
    ) -> Option<(Channel, Color)> {
        let side = person.side()?;
        let channel = match person {
            Person::Player(side) if !is_secret => self.private(side),
            Person::Player(side) => Channel::Ear(side),
            _ => self.channel_of(person),
        };
        if channel == Channel::Ear(side) && !self.is_alone_with(side) {
            let hint = PhraseKey::AnsweredInPrivate;
            self.table(hint, [Argument::Side(side)]);
            if self.has_ear(side) {
                return None;
            }
        }
        Some((channel, side))
    }

    fn answer_on(&mut self, now: Moment, channel: Channel, side: Color, command: Command) {
        let (key, argument) = match command {
            Command::Time => {
                let brevity = self.profile.sides[side].brevity;
                return self.tell_times(now, channel, side, brevity);
            }
            Command::TimeInFull => return self.tell_times(now, channel, side, Brevity::Full),
            Command::Why => match self.speech.reason(side).map(str::to_owned) {
                Some(article) => (PhraseKey::Why, Some(Argument::Article(article))),
                None => (PhraseKey::NothingRefused, None),
            },
            Command::ReadScore => return self.read_score(channel, side, 0),
            Command::NextItem => return self.step_list(channel, side, true),
            Command::PreviousItem => return self.step_list(channel, side, false),
            Command::Moves => {
                let made = self
                    .course
                    .plays()
                    .iter()
                    .filter(|play| play.moving.side == side);
                let number = u32::try_from(made.count()).unwrap_or(u32::MAX);
                (PhraseKey::MovesMade, Some(Argument::Number(number)))
            }
            Command::LastMove => match self.course.last().map(|play| play.words()) {
                Some(said) => (PhraseKey::LastMove, Some(Argument::Move(said))),
                None => (PhraseKey::NoMoveYet, None),
            },
            Command::Turn => {
                let turn = Argument::Side(self.course.turn());
                (PhraseKey::HasTheMove, Some(turn))
            }
            Command::OpenOffer => match self.draw.offered_by() {
                Some(by) => (PhraseKey::OfferOpen, Some(Argument::Side(by))),
                None => (PhraseKey::NoOffer, None),
            },
            Command::Help => return self.help(channel, side),
            _ => return,
        };
        self.say(channel, key, argument, Priority::Next);
    }

    /// Tells the time left and the time used of both players (D.2.10.4). In the ear the usual form
    /// is short: the player's own time to the second, the opponent's to the second only in his last
    /// ten minutes. A player who wants it brief hears his own time alone.
    fn tell_times(&mut self, now: Moment, channel: Channel, side: Color, brevity: Brevity) {
        let Some(clock) = self.clocks.chessclock() else {
            self.say(channel, PhraseKey::NoClock, [], Priority::Next);
            return;
        };
        if channel == Channel::Arbiter {
            let of_both = Color::ALL.map(|side| Argument::Time(clock.left(side, now)));
            let used = Color::ALL.map(|side| Argument::Time(clock.used(side, now)));
            self.say(channel, PhraseKey::TimesLeftOfBoth, of_both, Priority::Next);
            self.say(channel, PhraseKey::TimesUsedOfBoth, used, Priority::Next);
            return;
        }
        let [own, others] = [side, !side].map(|side| clock.left(side, now));
        let used = [side, !side].map(|side| Argument::Time(clock.used(side, now)));
        let is_about = self.are_times_about(now);
        let is_into_ear = matches!(channel, Channel::Ear(_));
        if is_into_ear && brevity == Brevity::Brief {
            let key = match is_about {
                false => PhraseKey::OwnTimeLeft,
                true => PhraseKey::OwnTimeLeftAbout,
            };
            return self.say(channel, key, [Argument::Time(own)], Priority::Next);
        }
        let is_short = is_into_ear && brevity != Brevity::Full;
        let others = if is_short { in_minutes(others) } else { others };
        let key = match (is_short, is_about) {
            (true, false) => PhraseKey::TimesLeft,
            (true, true) => PhraseKey::TimesLeftAbout,
            (false, false) => PhraseKey::TimesInFull,
            (false, true) => PhraseKey::TimesInFullAbout,
        };
        let left = [own, others].map(Argument::Time);
        self.say(channel, key, left, Priority::Next);
        if !is_short {
            self.say(channel, PhraseKey::TimesUsed, used, Priority::Next);
        }
    }

    /// Reads the last moves of the score, or those from a number on, to whoever may have the score
    /// read.
    pub(super) fn answer_from_score(&mut self, person: Person, question: Question) {
        let made = self.course.plays().len();
        let first = match question {
            Question::LastMoves(count) => made.div_ceil(2).saturating_sub(index(count)),
            Question::MovesFrom(number) => index(number).saturating_sub(1),
            _ => 0,
        };
        let Some(side) = person.side() else {
            self.read_score(Channel::Arbiter, self.course.turn(), 2 * first);
            return;
        };
        match self.may(person, side, Duty::Tell) {
            Ok(()) => {
                if let Some((channel, side)) = self.answered_to(person, true) {
                    self.read_score(channel, side, 2 * first);
                }
            }
            Err(clause) => self.refuse(self.channel_of(person), clause, PhraseKey::NotYours),
        }
    }

    /// Reads the score from the move after `after` on. In rapid and blitz the score is the
    /// arbiter's, and a player may look at it five times (A.3, B.3).
    fn read_score(&mut self, channel: Channel, side: Color, after: usize) {
        // The arbiter may always look. An empty score cannot be looked at.
        let is_players = channel != Channel::Arbiter;
        let looks = match is_players && !self.course.plays().is_empty() {
            true => self.scores.look(side),
            false => self.scores.looks(side),
        };
        let most = self.rules.game_types.looks_at_record;
        let is_standard = self.profile.game_type == annexd_laws::GameType::Standard;
        let is_limited = is_players && !is_standard;
        if is_limited && most.is_some_and(|most| looks > most) && self.holds("A.3") {
            self.refuse(channel, "A.3", PhraseKey::NoMoreLooks);
            return;
        }
        let plays = self.course.plays().iter().enumerate().skip(after);
        let items: Vec<Phrase> = plays.map(|(ply, play)| score_item(ply, play)).collect();
        if items.is_empty() && after > 0 {
            self.say(channel, PhraseKey::NotSoFar, [], Priority::Next);
        } else if items.is_empty() && !self.reads_array(channel) {
            self.say(channel, PhraseKey::NoMoveYet, [], Priority::Normal);
        }
        if items.is_empty() {
            return;
        }
        match channel {
            Channel::Ear(side) => self.read_list(side, items),
            _ => {
                for item in items {
                    self.say(channel, item.key, item.arguments, Priority::Normal);
                }
            }
        }
    }

    /// Reads the starting array of Chess960 on request before play, file by file (F.2).
    fn reads_array(&mut self, channel: Channel) -> bool {
        if !self.profile.chess960 || self.phase != Phase::BeforePlay || !self.holds("F.2") {
            return false;
        }
        self.speech.read_array();
        self.read_array(channel);
        true
    }

    /// Reads the pieces of the first rank, file by file.
    pub(super) fn read_array(&mut self, channel: Channel) {
        let board = self.course.board().clone();
        for square in board.occupied() & shakmaty::Bitboard::from_rank(shakmaty::Rank::First) {
            let arguments = [
                Argument::Square(square),
                Argument::Piece(board.role_at(square)),
            ];
            self.say(channel, PhraseKey::PieceStands, arguments, Priority::Normal);
        }
    }

    fn answer_arbiter(&mut self, now: Moment, command: Command) {
        match command {
            Command::ReadScore => {
                self.read_score(Channel::Arbiter, self.course.turn(), 0);
            }
            _ => self.answer_on(now, Channel::Arbiter, Color::White, command),
        }
    }
}

/// One move of the score, with its number.
fn score_item(ply: usize, play: &Play) -> Phrase {
    let key = match ply % 2 {
        0 => PhraseKey::ScoreWhite,
        _ => PhraseKey::ScoreBlack,
    };
    let number = u32::try_from(ply / 2 + 1).unwrap_or(u32::MAX);
    Phrase::new(
        key,
        [Argument::Number(number), Argument::Move(play.words())],
    )
}

fn index(number: u32) -> usize {
    usize::try_from(number)
        .unwrap_or(usize::MAX / 4)
        .min(usize::MAX / 4)
}

/// A time of ten minutes or more to the whole minute below; a shorter one to the second.
fn in_minutes(time: Duration) -> Duration {
    match time.as_secs() {
        seconds @ 600.. => Duration::from_secs(seconds - seconds % 60),
        _ => time,
    }
}

/// The act that a command stands for, if it stands for one.
const fn act_of(command: Command, person: Person) -> Option<Act> {
    Some(match command {
        Command::HasMoved => Act::Moved,
        Command::HasExecuted => match person {
            Person::Player(board) => Act::Executed { board },
            Person::Assistant(side) => Act::Executed {
                board: side.other(),
            },
            Person::Arbiter => return None,
        },
        Command::AskComparison => Act::AskComparison,
        Command::Arrive => Act::Arrive,
        Command::AskLeave => Act::AskLeave,
        Command::SignResult => Act::Sign,
        Command::ClaimIllegalMove => Act::ClaimIllegalMove,
        Command::ClaimNoWinningAttempt => Act::ClaimNoWinningAttempt,
        Command::DemandIncrement => Act::AskIncrement,
        Command::DemandTwoBoards => Act::DemandTwoBoards,
        Command::AskToAdjourn => Act::AskAdjournment,
        _ => return None,
    })
}

const fn is_answer(command: Command) -> bool {
    matches!(command, Command::Yes | Command::No)
}

const fn is_question(command: Command) -> bool {
    matches!(
        command,
        Command::Time
            | Command::TimeInFull
            | Command::Why
            | Command::Moves
            | Command::LastMove
            | Command::Turn
            | Command::ReadScore
            | Command::ReadBoard
            | Command::NextItem
            | Command::PreviousItem
            | Command::Repeat
            | Command::Stop
            | Command::Help
    )
}
