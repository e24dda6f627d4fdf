//! Which button does what: `assets/controls.toml`, changed by the settings. Pure but for reading
//! the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;

use super::data;
use super::error::{Error, ErrorKind, Result};
use crate::game::{Act, Heard, Input, Means, MicrophoneState, Origin, Said};
use crate::notation::{CommandName, Lexicon};
use crate::persons::Person;

/// The buttons of a pad, by the names that the settings use.
pub const BUTTONS: [&str; 17] = [
    "south",
    "east",
    "north",
    "west",
    "up",
    "down",
    "left",
    "right",
    "left_trigger",
    "left_trigger2",
    "right_trigger",
    "right_trigger2",
    "select",
    "start",
    "mode",
    "left_thumb",
    "right_thumb",
];

/// Whether a button can do this.
pub fn is_function(word: &str) -> bool {
    Function::from_word(word).is_some()
}

/// The controls of a pad for one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controls {
    /// What a button does, by its name or "held+pressed".
    by_pad: BTreeMap<String, Function>,
}

/// What a button can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// What can be said, too.
    Command(CommandName),
    /// Press the clock.
    Press,
    /// Mute the microphone, or open it again.
    Mute,
    /// Hold to speak.
    Talk,
    /// Hold, and another button tells what it does.
    Help,
    /// The assistant: the announcement is right.
    Confirm,
    /// The assistant: the announcement is wrong.
    Reject,
    /// The assistant: the move is made on the opponent's board.
    Executed,
    /// The assistant: the opponent has touched a piece (D.2.10.5).
    Touched,
}

/// What pressing or letting go of a button leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Pressed {
    /// This happens to the game.
    Input(Input),
    /// What the button does is to be told.
    Tell(Function),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    player: Vec<Entry>,
    assistant: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    does: String,
    pad: String,
}

impl Function {
    const OTHERS: [(&str, Self); 8] = [
        ("press", Self::Press),
        ("mute", Self::Mute),
        ("talk", Self::Talk),
        ("help", Self::Help),
        ("confirm", Self::Confirm),
        ("reject", Self::Reject),
        ("executed", Self::Executed),
        ("touched", Self::Touched),
    ];

    fn from_word(word: &str) -> Option<Self> {
        let other = Self::OTHERS.iter().find(|(name, _)| *name == word);
        other
            .map(|(_, function)| *function)
            .or_else(|| CommandName::from_word(word).map(Self::Command))
    }

    /// Its name in `controls.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Command(command) => command.word(),
            other => Self::OTHERS
                .iter()
                .find(|(_, function)| *function == other)
                .map_or("", |(name, _)| name),
        }
    }

    /// What is said instead of pressing the button, if it can be said.
    pub fn spoken(self, lexicon: &Lexicon) -> Option<String> {
        let name = CommandName::from_word(self.word())?;
        let phrase = lexicon.phrases().find(|(other, _)| *other == name)?.1;
        Some(phrase.join(" "))
    }
}

impl Controls {
    /// The controls of a person, as `assets/controls.toml` and then the settings have them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] or [`ErrorKind::Usage`] with the name that is wrong.
    pub fn load(person: Person, changes: &BTreeMap<String, String>) -> Result<Self> {
        let path = data::folder()?.join("assets/controls.toml");
        let text = fs::read_to_string(&path).map_err(|error| {
            let name = path.display();
            Error::new(
                ErrorKind::BadInput,
                format!("{name} cannot be read: {error}."),
            )
        })?;
        Self::parse(person, &text, changes)
    }

    fn parse(person: Person, text: &str, changes: &BTreeMap<String, String>) -> Result<Self> {
        let bad = |kind, why: String| Error::new(kind, format!("The controls are wrong: {why}."));
        let page: Page = toml::from_str(text)
            .map_err(|error| bad(ErrorKind::BadInput, error.message().to_owned()))?;
        let entries = match person {
            Person::Assistant(_) => page.assistant,
            Person::Player(_) | Person::Arbiter => page.player,
        };
        let entries = entries.into_iter().map(|entry| (entry.pad, entry.does));
        let changes = changes
            .iter()
            .map(|(pad, does)| (pad.clone(), does.clone()));
        let mut by_pad = BTreeMap::new();
        for (pad, does) in entries.chain(changes) {
            if let Some(other) = pad.split('+').find(|part| !BUTTONS.contains(part)) {
                return Err(bad(
                    ErrorKind::Usage,
                    format!(
                        "there is no button {other}; there are {}",
                        BUTTONS.join(", ")
                    ),
                ));
            }
            let function = Function::from_word(&does)
                .ok_or_else(|| bad(ErrorKind::Usage, format!("no button can do \"{does}\"")))?;
            by_pad.insert(pad, function);
        }
        Ok(Self { by_pad })
    }

    /// Every button and what it does, in the order of their names.
    pub fn all(&self) -> impl Iterator<Item = (&str, Function)> {
        self.by_pad
            .iter()
            .map(|(pad, function)| (pad.as_str(), *function))
    }

    fn holds(&self, held: &BTreeSet<&str>, button: &str) -> Option<Function> {
        let with = |first: &&str| self.by_pad.get(&format!("{first}+{button}")).copied();
        held.iter()
            .find_map(with)
            .or_else(|| self.by_pad.get(button).copied())
    }

    fn is_prefix(&self, button: &str) -> bool {
        let prefix = format!("{button}+");
        self.by_pad.keys().any(|pad| pad.starts_with(&prefix))
    }
}

/// A pad in a person's hands: which buttons are down, whether the microphone is muted.
#[derive(Clone, Debug)]
pub struct Pad {
    person: Person,
    controls: Controls,
    held: BTreeSet<&'static str>,
    muted: bool,
}

impl Pad {
    /// A pad with no button down.
    pub const fn new(person: Person, controls: Controls) -> Self {
        Self {
            person,
            controls,
            held: BTreeSet::new(),
            muted: false,
        }
    }

    /// A button goes down or up. Unknown names do nothing.
    pub fn button(&mut self, name: &str, down: bool) -> Option<Pressed> {
        let name = *BUTTONS.iter().find(|button| **button == name)?;
        let function = self.controls.holds(&self.held, name);
        if !down {
            self.held.remove(name);
            let talked = function == Some(Function::Talk);
            return talked.then(|| self.microphone(MicrophoneState::KeyUp));
        }
        let asks = self
            .held
            .iter()
            .any(|held| self.controls.by_pad.get(*held) == Some(&Function::Help));
        if self.controls.is_prefix(name) || function == Some(Function::Help) {
            self.held.insert(name);
        }
        let function = function?;
        if asks {
            return Some(Pressed::Tell(function));
        }
        let person = self.person;
        let act = |act| Some(Pressed::Input(Input::Act { person, act }));
        match function {
            Function::Help => None,
            Function::Talk => Some(self.microphone(MicrophoneState::KeyDown)),
            Function::Mute => {
                self.muted = !self.muted;
                Some(self.microphone(if self.muted {
                    MicrophoneState::Muted
                } else {
                    MicrophoneState::Open
                }))
            }
            Function::Press => person.side().map(|side| {
                let means = Means::Key(person);
                Pressed::Input(Input::Pressed { side, means })
            }),
            Function::Confirm => act(Act::ConfirmAnnouncement),
            Function::Reject => act(Act::RejectAnnouncement),
            Function::Executed => {
                let board = person.side()?.other();
                act(Act::Executed { board })
            }
            Function::Touched => act(Act::ReportTouch {
                square: None,
                piece: None,
            }),
            Function::Command(name) => {
                let said = match name {
                    CommandName::Command(command) => Said::Command(command),
                    CommandName::Correct => Said::Correction(None),
                };
                let origin = Origin::Console(person);
                let heard = Heard::Clear(said);
                Some(Pressed::Input(Input::Heard { origin, heard }))
            }
        }
    }

    fn microphone(&self, state: MicrophoneState) -> Pressed {
        let side = self.person.side();
        Pressed::Input(Input::Microphone { side, state })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::notation::{Command, german};

    const TEXT: &str = include_str!("../../assets/controls.toml");
    const WHITE: Person = Person::Player(Color::White);

    fn pad(person: Person) -> Pad {
        Pad::new(
            person,
            Controls::parse(person, TEXT, &BTreeMap::new()).unwrap(),
        )
    }

    fn says(command: Command) -> Option<Pressed> {
        Some(Pressed::Input(Input::Heard {
            origin: Origin::Console(WHITE),
            heard: Heard::Clear(Said::Command(command)),
        }))
    }

    #[test]
    fn every_command_has_a_button_and_words() {
        let german = german();
        let controls = pad(WHITE).controls;
        for (name, _) in german.phrases() {
            let found = controls
                .all()
                .any(|(_, function)| function.word() == name.word());
            assert!(found, "no button for {}", name.word());
        }
        for (pad, function) in controls.all() {
            let silent = [Function::Mute, Function::Talk];
            let spoken = function.spoken(&german);
            assert_eq!(spoken.is_none(), silent.contains(&function), "{pad}");
        }
    }

    #[test]
    fn a_held_button_changes_what_another_does() {
        let mut pad = pad(WHITE);
        assert_eq!(pad.button("south", true), says(Command::Yes));
        assert_eq!(pad.button("south", false), None);
        assert_eq!(pad.button("left_trigger", true), None);
        assert_eq!(pad.button("south", true), says(Command::OfferDraw));
        pad.button("south", false);
        pad.button("left_trigger", false);
        assert_eq!(pad.button("south", true), says(Command::Yes));
    }

    #[test]
    fn help_tells_and_does_nothing() {
        let mut pad = pad(WHITE);
        pad.button("select", true);
        let told = Some(Pressed::Tell(Function::Command(CommandName::Command(
            Command::Time,
        ))));
        assert_eq!(pad.button("up", true), told);
        pad.button("select", false);
        assert_eq!(pad.button("up", true), says(Command::Time));
    }

    #[test]
    fn the_microphone_is_open_while_the_key_is_held() {
        let mut pad = pad(WHITE);
        let state = |state| {
            let side = Some(Color::White);
            Some(Pressed::Input(Input::Microphone { side, state }))
        };
        let down = state(MicrophoneState::KeyDown);
        assert_eq!(pad.button("right_trigger", true), down);
        let up = state(MicrophoneState::KeyUp);
        assert_eq!(pad.button("right_trigger", false), up);
        assert_eq!(pad.button("mode", true), state(MicrophoneState::Muted));
        assert_eq!(pad.button("mode", true), state(MicrophoneState::Open));
    }

    #[test]
    fn an_assistant_has_his_own_buttons() {
        let person = Person::Assistant(Color::Black);
        let act = Act::ConfirmAnnouncement;
        let input = Input::Act { person, act };
        assert_eq!(
            pad(person).button("south", true),
            Some(Pressed::Input(input))
        );
    }

    #[test]
    fn settings_change_buttons_and_typos_are_named() {
        let change = |pad: &str, does: &str| {
            let changes = BTreeMap::from([(pad.to_owned(), does.to_owned())]);
            Controls::parse(WHITE, TEXT, &changes)
        };
        let mut pad = Pad::new(WHITE, change("south", "no").unwrap());
        assert_eq!(pad.button("south", true), says(Command::No));
        for (button, does, fault) in [
            ("sout", "no", "no button sout;"),
            ("south", "dance", "can do \"dance\""),
        ] {
            let error = change(button, does).unwrap_err();
            assert!(error.message.contains(fault), "{error}");
        }
    }
}
