//! Fallen flags: who may say so, and what follows when both are down (6.8, 6.9, A.4.3, A.4.5, G.3).

use shakmaty::Color;

use super::Game;
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Person};
use annexd_laws::{
    BothFallen, FlagCall, GameType, LossOrDraw, NoTimeClaim, PeriodKind, Termination,
};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Notices a fallen flag. That is no result yet: it has to be claimed or called (6.8). Where
    /// the arbiter may call it, that is proposed to him (6.8, A.4.5).
    pub(super) fn check_flag(&mut self, now: Moment) {
        let Some(fall) = self.clocks.check_flag(now) else {
            return;
        };
        let side = fall.side;
        // A mate on the mover's board comes before his flag, even if not yet announced (5.1.1).
        let is_unsaid = self.course.last().is_some_and(|play| {
            play.moving.side == side && play.moving.words.is_none() && !play.pressed
        });
        if is_unsaid && self.is_playing() && self.holds("5.1.1") {
            self.ends_on_the_board(now);
        }
        self.report("6.8", PhraseKey::FlagFallen, [Argument::Side(side)]);
        self.watch_recording(now);
        self.scores_to_complete();
        let game = (self.profile.game_type, self.profile.supervision);
        let both = self.are_both_down(now);
        let may_call = laws::arbiter_calls_flag(&self.rules, game, both) != FlagCall::Never;
        if self.profile.arbiter && may_call && self.holds("A.4.5") {
            let call = vec![Ruling::CallFlag { side }];
            // A.4.5 is cited in rapid and blitz if the edition has it. Otherwise, as in 2014, only
            // the article on the flag fall can be cited.
            let is_fast = self.profile.game_type != GameType::Standard;
            let clause = match self.rules.article("A.4.5").filter(|_| is_fast) {
                Some(_) => "A.4.5",
                None => "6.8",
            };
            self.propose(call, clause, PhraseKey::FlagFallen, [Argument::Side(side)]);
        }
    }

    /// Sets a side's time to zero, as if it had passed.
    pub(super) fn run_down(&mut self, now: Moment, side: Color) {
        self.clocks.run_down(side, now);
    }

    /// Somebody claims that a side has overstepped the time (6.8, D.2.10.5).
    pub(super) fn claim_time(&mut self, now: Moment, claimant: Person, loser: Color) {
        self.report("6.8", PhraseKey::TimeClaimed, [Argument::Side(loser)]);
        let Some(clock) = self.clocks.chessclock() else {
            let channel = self.channel_of(claimant);
            self.say(channel, PhraseKey::NoClock, [], crate::Priority::Next);
            return;
        };
        let game = (self.profile.game_type, self.profile.supervision);
        let (opponents, own) = (clock.left(loser, now), clock.left(!loser, now));
        match laws::time_claim(&self.rules, game, opponents, own) {
            Err(NoTimeClaim::NoOwnTime) if self.holds("A.4.3") => {
                self.refuse(self.channel_of(claimant), "A.4.3", PhraseKey::OwnFlagIsDown);
                self.both_flags_are_down(now, None);
            }
            Err(NoTimeClaim::NotFallen) if self.holds("6.8") => {
                self.refuse(self.channel_of(claimant), "6.8", PhraseKey::FlagIsUp);
            }
            _ => self.flag_is_down(now, loser),
        }
    }

    /// The arbiter says that he has seen a fallen flag. In rapid and blitz not every edition allows
    /// that (A.4.5).
    pub(super) fn call_flag(&mut self, now: Moment, side: Color) {
        let game = (self.profile.game_type, self.profile.supervision);
        let both = self.are_both_down(now);
        let call = laws::arbiter_calls_flag(&self.rules, game, both);
        if call == FlagCall::Never && self.holds("A.4.5") {
            self.refuse(Channel::Arbiter, "A.4.5", PhraseKey::NotYours);
        } else {
            self.flag_is_down(now, side);
        }
    }

    fn are_both_down(&self, now: Moment) -> bool {
        self.clocks.chessclock().is_some_and(|clock| {
            Color::ALL
                .into_iter()
                .all(|side| clock.left(side, now).is_zero())
        })
    }

    /// A flag is down, and somebody entitled to has said so (6.9).
    pub(super) fn flag_is_down(&mut self, now: Moment, loser: Color) {
        // The arbiter need not be asked what he has been told.
        self.docket.drop_call_of_flag();
        if self.are_both_down(now) && self.holds("G.3") {
            self.both_flags_are_down(now, self.first_to_fall());
        } else {
            self.lost_on_time(now, loser);
        }
    }

    /// The side whose flag fell first, if the log shows it.
    fn first_to_fall(&self) -> Option<Color> {
        match self.clocks.chessclock()?.falls() {
            [first, second, ..] if first.at != second.at => Some(first.side),
            _ => None,
        }
    }

    /// Both flags are down. `first` is the side whose flag fell first, if that is known and counts.
    fn both_flags_are_down(&mut self, now: Moment, first: Option<Color>) {
        let Some(clock) = self.clocks.chessclock() else {
            return;
        };
        let in_last = Color::ALL
            .into_iter()
            .all(|side| clock.period(side).moves.is_none());
        let period = if in_last {
            PeriodKind::Last
        } else {
            PeriodKind::Earlier
        };
        // Until 2009 quickplay finish is any period in which all moves have to be made in a limited
        // time.
        let is_limited = Color::ALL
            .into_iter()
            .all(|side| clock.period(side).bonus.time().is_zero());
        match first {
            Some(side) => self.report("G.3", PhraseKey::BothFlagsDown, [Argument::Side(side)]),
            None => self.report("G.3", PhraseKey::BothFlagsUnknown, []),
        }
        let guideline =
            self.profile.quickplay || !self.rules.quickplay.must_be_announced && is_limited;
        let game_type = self.profile.game_type;
        match laws::both_flags(&self.rules, game_type, period, guideline, first) {
            BothFallen::First(side) => self.lost_on_time(now, side),
            BothFallen::Continue => self.report("G.3", PhraseKey::GameContinues, []),
            BothFallen::Draw => self.put_to_decision(now, Termination::BothFlags),
            BothFallen::ArbiterDecides => {
                let lost = Color::ALL.map(Termination::FlagFall);
                let ends = [lost[0], lost[1], Termination::BothFlags];
                self.put_to_arbiter(now, &ends);
            }
        }
    }

    fn lost_on_time(&mut self, now: Moment, loser: Color) {
        let lost = Termination::FlagFall(loser);
        if !self.holds("6.9") {
            self.put_to_decision(now, lost);
            return;
        }
        match laws::flag_fall(self.position_to_mate_in(), loser) {
            LossOrDraw::Ended(end) => self.put_to_decision(now, end),
            LossOrDraw::ArbiterDecides {
                if_mate_is_possible,
                if_not,
            } => self.put_to_arbiter(now, &[if_mate_is_possible, if_not]),
        }
    }
}
