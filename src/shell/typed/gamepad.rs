//! Gamepads. Each can be plugged in at any time.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use gilrs::ff::{BaseEffect, BaseEffectType, EffectBuilder, Replay, Ticks};
use gilrs::{Axis, Button, EventType, GamepadId, Gilrs};

use super::controls::{Pad, Pressed};
use crate::game::{Device, Earcon, Effect, Game, Input};
use crate::moment::Moment;
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};
use crate::shell::machine::libraries;
use crate::shell::table::inbox::{Reporter, Reports};
use crate::shell::table::watchdog::Turns;
use crate::shell::table::{Outlet, Report, Seat};

/// How often the thread checks whether the game has ended.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// A gamepad in the hands of a person, as an outlet for effects: it vibrates.
pub struct Gamepad {
    person: Person,
    buzzes: Sender<Buzz>,
}

/// A short vibration of the pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Buzz {
    /// One soft vibration: heard.
    Heard,
    /// A strong vibration: not understood, refused or lost.
    NotUnderstood,
}

impl Gamepad {
    /// Listens to all pads, including those plugged in later.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Missing` if the system has no support for gamepads.
    pub fn open(
        pad: Pad,
        person: Person,
        language: Language,
        turns: Turns,
        reports: Reports,
    ) -> Result<Self> {
        let (buzzes, waiting) = bounded(4);
        let (opened, answer) = bounded(1);
        let reporter = reports.reporter("gamepad");
        std::thread::spawn(move || match libraries::has_udev().then(Gilrs::new) {
            Some(Ok(gilrs)) => {
                let _ = opened.send(true);
                GamepadThread {
                    gilrs,
                    pad,
                    person,
                    language,
                    turns,
                    reporter,
                    connected: Vec::new(),
                }
                .work(&waiting);
            }
            _ => {
                let _ = opened.send(false);
            }
        });
        if answer.recv_timeout(Duration::from_secs(5)) == Ok(true) {
            return Ok(Self { person, buzzes });
        }
        Err(error!(Missing, GamepadsUnusable).about(Fault::new(
            Part::Gamepad,
            Reason::Unusable,
            Remedy::UseKeys,
        )))
    }
}

impl Outlet for Gamepad {
    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        // A player without an ear of his own is answered at the table. The pad still tells him
        // alone.
        let own = match self.person {
            Person::Player(side) if game.has_ear(side) => Channel::Ear(side),
            Person::Player(_) => Channel::Table,
            Person::Assistant(side) => Channel::Assistant(side),
            Person::Arbiter => Channel::Arbiter,
        };
        if let Effect::Earcon { channel, earcon } = effect
            && *channel == own
        {
            let buzz = match earcon {
                Earcon::Taken | Earcon::PressTaken | Earcon::Pressed | Earcon::Listening => {
                    Buzz::Heard
                }
                Earcon::Again | Earcon::Refused | Earcon::Lost => Buzz::NotUnderstood,
            };
            // A pad that vibrates already need not be told again.
            let _ = self.buzzes.try_send(buzz);
        }
        false
    }
}

/// The gamepad's thread.
struct GamepadThread {
    gilrs: Gilrs,
    pad: Pad,
    person: Person,
    language: Language,
    turns: Turns,
    reporter: Reporter,
    connected: Vec<GamepadId>,
}

impl GamepadThread {
    fn work(&mut self, buzzes: &Receiver<Buzz>) {
        let present: Vec<GamepadId> = self.gilrs.gamepads().map(|(id, _)| id).collect();
        self.connected = present;
        let mut effects = Vec::new();
        loop {
            self.turns.turn();
            if let Some(event) = self.gilrs.next_event_blocking(Some(CHECK_INTERVAL))
                && !self.handle(event.id, event.event)
            {
                return;
            }
            match buzzes.try_recv() {
                Ok(buzz) => effects.extend(self.buzz(buzz).map(|it| (it, Instant::now()))),
                Err(crossbeam_channel::TryRecvError::Empty) => {}
                Err(crossbeam_channel::TryRecvError::Disconnected) => return,
            }
            // An effect stops when it is dropped.
            effects.retain(|(_, since)| since.elapsed() < Duration::from_secs(1));
        }
    }

    /// Takes in an event. Returns `false` if nobody takes reports any more.
    fn handle(&mut self, id: GamepadId, event: EventType) -> bool {
        match event {
            EventType::ButtonPressed(button, _) => self.button(name(button), true),
            EventType::ButtonReleased(button, _) => self.button(name(button), false),
            EventType::AxisChanged(axis @ (Axis::DPadX | Axis::DPadY), value, _) => {
                self.directions(axis, value)
            }
            EventType::Connected => {
                if !self.connected.contains(&id) {
                    self.connected.push(id);
                }
                self.presence(true)
            }
            EventType::Disconnected => {
                self.connected.retain(|other| *other != id);
                !self.connected.is_empty() || self.presence(false)
            }
            _ => true,
        }
    }

    /// Turns an axis into direction buttons: pads without a mapping report directions as an axis.
    fn directions(&mut self, axis: Axis, value: f32) -> bool {
        let (low, high) = if axis == Axis::DPadX {
            ("left", "right")
        } else {
            ("down", "up")
        };
        if value.abs() < 0.5 {
            return self.button(low, false) && self.button(high, false);
        }
        self.button(if value < 0.0 { low } else { high }, true)
    }

    fn button(&mut self, name: &str, down: bool) -> bool {
        match self.pad.button(name, down) {
            None => true,
            Some(Pressed::Input(input)) => self.reporter.report(Report::Input(input)),
            Some(Pressed::Line(name)) => {
                let text = self.language.typed(name).unwrap_or_default().to_owned();
                let seat = Seat::Of(self.person);
                self.reporter.report(Report::Typed { seat, text })
            }
            Some(Pressed::Tell(function)) => {
                let name = Argument::Control(function.word().to_owned());
                let phrase = Phrase::new(PhraseKey::About, [name]);
                let seat = Seat::Of(self.person);
                self.reporter.report(Report::Tell { seat, phrase })
            }
        }
    }

    fn presence(&mut self, present: bool) -> bool {
        let Some(side) = self.person.side() else {
            return true;
        };
        let device = Device::Gamepad(side);
        let input = Input::Device { device, present };
        self.reporter.report(Report::Input(input))
    }

    fn buzz(&mut self, buzz: Buzz) -> Option<gilrs::ff::Effect> {
        let able: Vec<GamepadId> = self
            .gilrs
            .gamepads()
            .filter(|(_, pad)| pad.is_ff_supported())
            .map(|(id, _)| id)
            .collect();
        if able.is_empty() {
            return None;
        }
        let (kind, length) = match buzz {
            Buzz::Heard => (BaseEffectType::Weak { magnitude: 30_000 }, 80),
            Buzz::NotUnderstood => (BaseEffectType::Strong { magnitude: 50_000 }, 300),
        };
        let scheduling = Replay {
            play_for: Ticks::from_ms(length),
            ..Replay::default()
        };
        let effect = EffectBuilder::new()
            .add_effect(BaseEffect {
                kind,
                scheduling,
                ..BaseEffect::default()
            })
            .gamepads(&able)
            .finish(&mut self.gilrs)
            .ok()?;
        effect.play().ok()?;
        Some(effect)
    }
}

/// The name of a button in `controls.toml`.
const fn name(button: Button) -> &'static str {
    match button {
        Button::South => "south",
        Button::East => "east",
        Button::North => "north",
        Button::West => "west",
        Button::DPadUp => "up",
        Button::DPadDown => "down",
        Button::DPadLeft => "left",
        Button::DPadRight => "right",
        Button::LeftTrigger => "left_trigger",
        Button::LeftTrigger2 => "left_trigger2",
        Button::RightTrigger => "right_trigger",
        Button::RightTrigger2 => "right_trigger2",
        Button::Select => "select",
        Button::Start => "start",
        Button::Mode => "mode",
        Button::LeftThumb => "left_thumb",
        Button::RightThumb => "right_thumb",
        _ => "",
    }
}
