//! The computer that runs the game: it may sleep despite everything, or its battery may run down.

use super::notices::MachineNotice;
use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::effect::Priority;
use super::profile::ClockKind;
use super::ruling::Ruling;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Takes what was noticed about the computer.
    pub(super) fn machine(&mut self, now: Moment, notice: MachineNotice) {
        match notice {
            MachineNotice::Slept(time) if !self.scores.is_over() => self.slept(now, time),
            MachineNotice::Slept(_) => {}
            MachineNotice::Away => self.stands_since_away(now),
            MachineNotice::BatteryAt(percent) => self.battery_at(percent),
        }
    }

    /// The computer slept: nobody was heard, and its own clocks stood still. A chessclock with its
    /// own power ran on, and is right as it stands (6.10.1). What the program's clock should show
    /// is unknown. It is stopped, and the arbiter, or both players, decide how play goes on
    /// (6.11.3).
    fn slept(&mut self, now: Moment, time: Duration) {
        if !self.holds("sleep") {
            return;
        }
        let ran = self.running();
        let is_evidence = self.profile.clock == ClockKind::Read;
        self.table(PhraseKey::ComputerSlept, [Argument::Time(time)]);
        let Some(side) = ran.filter(|_| !is_evidence && self.is_playing()) else {
            if self.profile.arbiter {
                let arguments = [Argument::Time(time)];
                let normal = Priority::Normal;
                self.say(
                    Channel::Arbiter,
                    PhraseKey::ComputerSlept,
                    arguments,
                    normal,
                );
            }
            return;
        };
        self.stop_play(now);
        self.table(PhraseKey::ClocksStopped, []);
        let go_on = vec![Ruling::Restart { clock: Some(side) }];
        let left = self.times(now)[side];
        let charged = [
            Argument::Side(side),
            Argument::Time(left),
            Argument::Time(left.saturating_sub(time)),
        ];
        self.report("6.11.3", PhraseKey::SleepIfCharged, charged);
        let slept = [Argument::Time(time)];
        self.propose(go_on, "6.11.3", PhraseKey::SleptUncharged, slept);
    }

    /// The program was closed. The players may not be back at the table yet: the program's clock
    /// stands until the arbiter, or without one the players, restart play (6.11.3).
    fn stands_since_away(&mut self, now: Moment) {
        let ran = self.running().filter(|_| self.is_playing());
        let Some(side) = ran.filter(|_| self.has_own_clock() && self.holds("away")) else {
            return;
        };
        self.stop_play(now);
        self.table(PhraseKey::ClocksStopped, []);
        let go_on = vec![Ruling::Restart { clock: Some(side) }];
        self.propose(go_on, "6.11.3", PhraseKey::StandsSinceAway, []);
    }

    /// Tells whoever can plug the computer in: the assistants and the arbiter, or else the players.
    fn battery_at(&mut self, percent: u8) {
        if !self.holds("battery") {
            return;
        }
        let key = PhraseKey::BatteryAt;
        let arguments = || [Argument::Number(u32::from(percent))];
        let assisted = |side: &Color| !self.profile.sides[*side].duties.is_empty();
        let assisted: Vec<Color> = Color::ALL.into_iter().filter(assisted).collect();
        let has_nobody = assisted.is_empty() && !self.profile.arbiter;
        for side in assisted {
            self.say(Channel::Assistant(side), key, arguments(), Priority::Next);
        }
        if self.profile.arbiter {
            self.say(Channel::Arbiter, key, arguments(), Priority::Next);
        }
        if has_nobody {
            self.tell_players(key, percent);
        }
    }

    /// Tells the blind player, who cannot see the battery, or everybody at the table if not exactly
    /// one player is blind.
    fn tell_players(&mut self, key: PhraseKey, percent: u8) {
        let arguments = || [Argument::Number(u32::from(percent))];
        let is_blind = |side: &Color| self.profile.is_visually_disabled(*side);
        let blind: Vec<Color> = Color::ALL.into_iter().filter(is_blind).collect();
        match blind.as_slice() {
            [side] => self.tell(*side, key, arguments()),
            _ => self.table(key, arguments()),
        }
    }
}
