//! Help at a console: what can be typed, and what one thing does.

use super::controls::Function;
use super::line::{Line, NOT_UNDERSTOOD};
use crate::game::{Command, Heard, Input, Origin, Said};
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::table::{Report, Seat};

impl Line<'_> {
    /// What can be done now, or what one thing does.
    pub(super) fn help(
        &self,
        seat: Seat,
        person: Person,
        asked: &str,
    ) -> Result<Vec<Report>, Phrase> {
        let controls = self.keys.of(person);
        let tell = |phrase| Report::Tell { seat, phrase };
        let line_of = |function: Function| self.language.typed(function.word());
        let topic_line = |topic| self.language.typed(topic).unwrap_or_default();
        if asked.is_empty() {
            let mut reports = Vec::new();
            if matches!(person, Person::Player(_)) {
                let origin = Origin::Console(person);
                let heard = Heard::Clear(Said::Command(Command::Help));
                reports.push(Report::Input(Input::heard(origin, heard)));
            }
            reports.extend(controls.topics().into_iter().map(|topic| {
                let word = topic_line(topic).rsplit(' ').next().unwrap_or_default();
                let line = Argument::Text(word.to_owned());
                let lists = Argument::Control(topic.to_owned());
                tell(Phrase::new(PhraseKey::HelpAbout, [line, lists]))
            }));
            reports.push(tell(PhraseKey::AskAbout.into()));
            return Ok(reports);
        }
        let named = |line: &str| {
            line.split_once(' ')
                .is_some_and(|(_, topic)| topic == asked.to_lowercase())
        };
        if let Some(topic) = controls
            .topics()
            .into_iter()
            .find(|topic| named(topic_line(topic)))
        {
            let listed = controls.all().iter().filter(|it| it.topic == topic);
            return Ok(listed
                .filter_map(|control| {
                    let line = line_of(control.function)?;
                    let line = match controls.key_of(control.function) {
                        Some(key) => format!("{line} ({key})"),
                        None => line.to_owned(),
                    };
                    Some(tell(Phrase::new(
                        PhraseKey::CanType,
                        [Argument::Text(line)],
                    )))
                })
                .collect());
        }
        let mut letters = asked.chars();
        let key = letters.next().filter(|_| letters.next().is_none());
        let asked_words = self.canonical(asked);
        let begins = |line: &str| self.canonical(line).starts_with(&asked_words);
        let named = controls
            .all()
            .iter()
            .find(|control| line_of(control.function).is_some_and(begins));
        let function = key
            .and_then(|key| controls.key(key))
            .or_else(|| named.map(|control| control.function));
        let unset = match key {
            Some(_) => Fault::new(Part::Key, Reason::Unset, Remedy::AskHelp),
            None => NOT_UNDERSTOOD,
        };
        let function = function.ok_or_else(|| unset.with(asked))?;
        let about = Argument::Control(function.word().to_owned());
        Ok(vec![tell(Phrase::new(PhraseKey::About, [about]))])
    }
}

/// What somebody asks about who types a question mark or the word for help; nothing if he asks
/// what can be done at all.
pub(super) fn asked_about<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    if let Some(asked) = text.strip_prefix('?') {
        return Some(asked.trim());
    }
    if words.first() == Some(&"help") {
        let asked = text.split_once(char::is_whitespace);
        return Some(asked.map_or("", |(_, asked)| asked.trim()));
    }
    None
}
