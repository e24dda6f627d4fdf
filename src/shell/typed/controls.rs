//! The act of each button and key: `assets/controls.toml`, changed by the settings. Pure but for
//! reading the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;

use crate::game::{Act, Heard, Input, Means, MicrophoneState, Origin, Said};
use crate::notation::{CommandName, Lexicon};
use crate::persons::Person;
use crate::shell::config::data;
use crate::shell::error::{
    Error, ErrorKind, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence,
};

/// The changes of the settings: a button or key, and its function.
pub type Changes = BTreeMap<String, String>;

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

/// Returns whether this word names a function that a button can have.
pub fn is_function(word: &str) -> bool {
    Function::from_word(word).is_some()
}

/// What a person can do, and with which button and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controls {
    /// All controls, in the order of the file.
    all: Vec<Control>,
    /// The function of a button, by its name or by "held+pressed".
    by_pad: BTreeMap<String, Function>,
    /// The function of a letter that is typed alone.
    by_key: BTreeMap<char, Function>,
}

/// One thing that a person can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// The function.
    pub function: Function,
    /// The part of the help that lists it, by its name in `controls.toml`.
    pub topic: String,
    /// Why no key or no button alone does it, if that is so.
    pub unkeyed: Option<Unkeyed>,
    /// Why no spoken word does it, if that is so.
    pub unsaid: Option<Unsaid>,
    /// The German words that do it, if they are not the words that are typed.
    pub said: Option<String>,
}

/// Why no key or no button alone does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unkeyed {
    /// It takes words of its own, such as a square.
    Words,
    /// It is too serious for one letter.
    Grave,
}

/// Why no spoken word does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsaid {
    /// It is for the eye.
    Eye,
    /// What is said then is not recorded.
    Record,
    /// It is about the device that hears.
    Device,
    /// It takes free words.
    Words,
    /// Only a console accepts it: no voice counts as the arbiter's, and an assistant has no
    /// microphone.
    Console,
}

/// The functions of buttons and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A command, which can also be said.
    Command(CommandName),
    /// Press the clock.
    Press,
    /// Mute the microphone, or open it again.
    Mute,
    /// Speak while it is held.
    Talk,
    /// While it is held, another button tells its function.
    Help,
    /// The assistant says that the announcement is right.
    Confirm,
    /// The assistant says that the announcement is wrong.
    Reject,
    /// The assistant says that the move is made on the opponent's board.
    Executed,
    /// The assistant says that the opponent has touched a piece (D.2.10.5).
    Touched,
    /// A line as it is typed, by its name in `controls.toml`.
    Line(&'static str),
}

/// The result of pressing or releasing a button.
#[derive(Clone, Debug, PartialEq)]
pub enum Pressed {
    /// This happens in the game.
    Input(Input),
    /// The line of this name counts as typed.
    Line(&'static str),
    /// The function of the button is to be told.
    Tell(Function),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    player: Vec<Entry>,
    assistant: Vec<Entry>,
    arbiter: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    does: String,
    topic: String,
    pad: Option<String>,
    key: Option<char>,
    unkeyed: Option<Unkeyed>,
    unsaid: Option<Unsaid>,
    said: Option<String>,
}

/// The names of typed lines that are no commands.
const LINES: [&str; 68] = [
    "give_duties",
    "diagram",
    "moved",
    "executed_here",
    "here",
    "leave",
    "sign",
    "compare",
    "two_boards",
    "claim_illegal",
    "claim_no_attempt",
    "ask_increment",
    "ask_adjournment",
    "announce",
    "repeat_move",
    "intend_repetition",
    "intend_fifty",
    "complain",
    "appeal",
    "seal",
    "recall",
    "sheet",
    "unrecorded",
    "envelope",
    "approve",
    "set_clock",
    "add_time",
    "set_moves",
    "call_flag",
    "accept_proposal",
    "dismiss_proposal",
    "take_decision_back",
    "uphold",
    "deny",
    "restore",
    "agreed",
    "read_verdict",
    "report",
    "penalise",
    "adjourn",
    "open_envelope",
    "resume",
    "missing",
    "allow_draw",
    "decide",
    "note_state",
    "result",
    "annul",
    "adapt",
    "set_position",
    "board_shows",
    "place_queen",
    "allow_time",
    "array",
    "table_language",
    "ask_square",
    "ask_file",
    "ask_rank",
    "ask_diagonals",
    "ask_pieces",
    "ask_pawns",
    "ask_side",
    "ask_material",
    "ask_taken",
    "ask_last_moves",
    "ask_moves_from",
    "allow_board",
    "forbid_board",
];

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
            .or_else(|| {
                let line = LINES.iter().find(|line| **line == word);
                line.map(|line| Self::Line(line))
            })
    }

    /// The name of this function in `controls.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Command(command) => command.word(),
            Self::Line(name) => name,
            other => Self::OTHERS
                .iter()
                .find(|(_, function)| *function == other)
                .map_or("", |(name, _)| name),
        }
    }

    /// The words that can be said instead of pressing the button, if there are any.
    pub fn spoken(self, lexicon: &Lexicon) -> Option<String> {
        let name = CommandName::from_word(self.word())?;
        let phrase = lexicon.phrases().find(|(other, _)| *other == name)?.1;
        Some(phrase.join(" "))
    }
}

impl Controls {
    /// Loads the controls of a person: `assets/controls.toml`, and then the changes of the
    /// settings.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] or [`ErrorKind::Usage`] with the name that is wrong.
    pub fn load(person: Person, pad: &Changes, keys: &Changes) -> Result<Self> {
        let path = data::folder()?.join("assets/controls.toml");
        let text = fs::read_to_string(&path).map_err(|error| {
            let name = path.display();
            error!(BadInput, Unreadable, path = name, why = error).about(
                Fault::new(Part::Controls, Reason::Unreadable, Remedy::Reinstall)
                    .with(format!("{name}: {error}")),
            )
        })?;
        Self::parse(person, &text, pad, keys)
    }

    fn parse(person: Person, text: &str, pad: &Changes, keys: &Changes) -> Result<Self> {
        let page: Page = toml::from_str(text).map_err(|error| {
            bad(
                ErrorKind::BadInput,
                sentence!(AsItIs, text = error.message()),
            )
        })?;
        let entries = match person {
            Person::Player(_) => page.player,
            Person::Assistant(_) => page.assistant,
            Person::Arbiter => page.arbiter,
        };
        let mut controls = Self {
            all: Vec::new(),
            by_pad: BTreeMap::new(),
            by_key: BTreeMap::new(),
        };
        for entry in entries {
            let function = controls.set_pad(entry.pad.as_deref(), &entry.does)?;
            controls.by_key.extend(entry.key.map(|key| (key, function)));
            controls.all.push(Control {
                function,
                topic: entry.topic,
                unkeyed: entry.unkeyed,
                unsaid: entry.unsaid,
                said: entry.said,
            });
        }
        for (pad, does) in pad {
            controls.set_pad(Some(pad), does)?;
        }
        let mine = |does: &str| controls.all.iter().find(|it| it.function.word() == does);
        let changed: Vec<(char, Function)> = keys
            .iter()
            .filter_map(|(key, does)| Some((key.chars().next()?, mine(does)?.function)))
            .collect();
        controls.by_key.extend(changed);
        Ok(controls)
    }

    fn set_pad(&mut self, pad: Option<&str>, does: &str) -> Result<Function> {
        let function = Function::from_word(does).ok_or_else(|| {
            let why = sentence!(SetButtonFunction, function = does);
            bad(ErrorKind::Usage, why)
        })?;
        let Some(pad) = pad else { return Ok(function) };
        if let Some(other) = pad.split('+').find(|part| !BUTTONS.contains(part)) {
            let names = BUTTONS.join(", ");
            let why = sentence!(SetButton, button = other, buttons = names);
            return Err(bad(ErrorKind::Usage, why));
        }
        self.by_pad.insert(pad.to_owned(), function);
        Ok(function)
    }

    /// All controls, in the order of the file.
    pub fn all(&self) -> &[Control] {
        &self.all
    }

    /// The parts of the help, in the order of the file.
    pub fn topics(&self) -> Vec<&str> {
        let mut topics: Vec<&str> = Vec::new();
        for control in &self.all {
            if !topics.contains(&control.topic.as_str()) {
                topics.push(&control.topic);
            }
        }
        topics
    }

    /// The function of a letter that is typed alone.
    pub fn key(&self, key: char) -> Option<Function> {
        self.by_key.get(&key).copied()
    }

    /// The function of a line that is one letter.
    pub fn keyed(&self, line: &str) -> Option<Function> {
        let mut letters = line.chars();
        let letter = letters.next().filter(|_| letters.next().is_none());
        letter.and_then(|key| self.key(key))
    }

    /// The letter with this function.
    pub fn key_of(&self, function: Function) -> Option<char> {
        let mut keys = self.by_key.iter();
        keys.find(|(_, other)| **other == function)
            .map(|(key, _)| *key)
    }

    /// The button with this function, or the button that is held and the one that is pressed.
    pub fn pad_of(&self, function: Function) -> Option<&str> {
        let mut pads = self.by_pad.iter();
        pads.find(|(_, other)| **other == function)
            .map(|(pad, _)| pad.as_str())
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

fn bad(kind: ErrorKind, why: Sentence) -> Error {
    let fault = Fault::new(Part::Controls, Reason::Wrong, Remedy::CorrectSettings);
    Error::of(kind, sentence!(ControlsWrong, why = why)).about(fault)
}

/// A pad in a person's hands: which buttons are down, and whether the microphone is muted.
#[derive(Clone, Debug)]
pub struct Pad {
    person: Person,
    controls: Controls,
    held: BTreeSet<&'static str>,
    muted: bool,
}

impl Pad {
    /// Makes a pad with no button down.
    pub const fn new(person: Person, controls: Controls) -> Self {
        Self {
            person,
            controls,
            held: BTreeSet::new(),
            muted: false,
        }
    }

    /// Takes in that a button goes down or up. Unknown names do nothing.
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
            Function::Line(name) => Some(Pressed::Line(name)),
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
                    CommandName::Question(question) => Said::Question(question),
                };
                let origin = Origin::Console(person);
                let heard = Heard::Clear(said);
                Some(Pressed::Input(Input::heard(origin, heard)))
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
    use crate::notation::Command;
    use crate::shell::german;

    const TEXT: &str = include_str!("../../../assets/controls.toml");
    const WHITE: Person = Person::Player(Color::White);

    fn pad(person: Person) -> Pad {
        Pad::new(
            person,
            Controls::parse(person, TEXT, &Changes::new(), &Changes::new()).unwrap(),
        )
    }

    fn says(command: Command) -> Option<Pressed> {
        let said = Said::Command(command);
        let heard = Heard::Clear(said);
        Some(Pressed::Input(Input::heard(Origin::Console(WHITE), heard)))
    }

    #[test]
    fn every_command_has_a_button_a_key_and_words() {
        let german = german();
        let controls = pad(WHITE).controls;
        for (name, phrase) in german.phrases() {
            // Of the questions the kinds are listed, and some are said as examples.
            if matches!(name, CommandName::Question(_)) {
                continue;
            }
            // A command that is also an act has the act's name.
            let does_it = |control: &&Control| {
                let said = control.said.as_deref().unwrap_or_default().to_lowercase();
                control.function.word() == name.word() || said == phrase.join(" ")
            };
            let found = controls.all().iter().find(does_it);
            let function = found.unwrap_or_else(|| panic!("{}", name.word())).function;
            assert!(controls.pad_of(function).is_some(), "{}", name.word());
            assert!(controls.key_of(function).is_some(), "{}", name.word());
        }
    }

    #[test]
    fn no_button_and_no_key_does_two_things_and_every_function_is_somewhere() {
        let mut used: Vec<&str> = Vec::new();
        for person in [WHITE, Person::Assistant(Color::White), Person::Arbiter] {
            let controls = pad(person).controls;
            for control in controls.all() {
                let name = control.function.word();
                let twice = controls
                    .all()
                    .iter()
                    .filter(|it| it.function == control.function);
                assert_eq!(twice.count(), 1, "{name}");
                used.push(name);
            }
            let page: Page = toml::from_str(TEXT).unwrap();
            let entries = match person {
                Person::Player(_) => page.player,
                Person::Assistant(_) => page.assistant,
                Person::Arbiter => page.arbiter,
            };
            let pads = entries.iter().filter(|entry| entry.pad.is_some()).count();
            let keys = entries.iter().filter(|entry| entry.key.is_some()).count();
            assert_eq!(pads, controls.by_pad.len(), "{person:?}");
            assert_eq!(keys, controls.by_key.len(), "{person:?}");
        }
        for line in LINES {
            assert!(used.contains(&line), "nobody can {line}");
        }
    }

    #[test]
    fn keys_are_changed_by_the_settings() {
        let keys = Changes::from([("ö".to_owned(), "time".to_owned())]);
        let controls = Controls::parse(WHITE, TEXT, &Changes::new(), &keys).unwrap();
        assert_eq!(controls.key('ö').map(Function::word), Some("time"));
        assert_eq!(controls.key('u').map(Function::word), Some("press"));
        assert_eq!(controls.key('~'), None);
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
            Controls::parse(WHITE, TEXT, &changes, &Changes::new())
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
