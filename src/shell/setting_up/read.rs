//! Answers from what was typed, said and pressed.

use crate::game::Input;
use crate::notation::{Command, CommandName, Heard, Lexicon, Said, Value, typed};
use crate::phrases::{Language, Phrase};
use crate::set_up::Reply;
use crate::shell::consoles::words::ConsoleWords;
use crate::shell::table::Report;

/// The answer of a typed line. For ja and nein the first letter is enough.
pub(super) fn typed_reply(line: &str, language: &Language, words: &ConsoleWords) -> Reply {
    let text = line.trim();
    let lower = text.to_lowercase();
    let canonical = words
        .words
        .get(&lower)
        .map_or(lower.as_str(), String::as_str);
    match canonical {
        "" | "restart" => return Reply::Next,
        "restore" => return Reply::Back,
        "help" | "?" => return Reply::Help,
        _ => {}
    }
    if let Some(number) = typed_number(&lower, language) {
        return Reply::Number(number);
    }
    if lower.chars().count() == 1 {
        for (command, reply) in [(Command::Yes, Reply::Yes), (Command::No, Reply::No)] {
            let mut phrases = language.lexicon().phrases();
            let words = phrases.find(|(name, _)| *name == CommandName::Command(command));
            let begins = words.is_some_and(|(_, words)| words[0].starts_with(&lower));
            if begins {
                return reply;
            }
        }
    }
    match typed(language.lexicon(), text).as_slice() {
        [said @ (Said::Command(_) | Said::Correction(None))] => {
            said_reply(said).unwrap_or_else(|| Reply::Text(text.to_owned()))
        }
        _ => Reply::Text(text.to_owned()),
    }
}

/// The answer to the question for the language, in any of these languages. A person who does not
/// know the language of the question cannot say no in it.
pub(super) fn typed_reply_in_any(
    line: &str,
    among: &[(&Language, &ConsoleWords)],
) -> Option<Reply> {
    let mut replies = among
        .iter()
        .map(|(language, words)| typed_reply(line, language, words));
    replies.find(|reply| !matches!(reply, Reply::Text(_)))
}

/// The number of the choice that begins with this line, if no other one does. A line that ends
/// within a word gives a likely number only.
pub(super) fn chosen(
    line: &str,
    choices: impl Iterator<Item = Phrase>,
    language: &Language,
) -> Option<Reply> {
    let line = line.trim().to_lowercase();
    let rest = |choice: &Phrase| {
        let choice = language.text(choice).to_lowercase();
        choice.strip_prefix(&line).map(str::to_owned)
    };
    let mut begun = (1..)
        .zip(choices)
        .filter_map(|(number, it)| Some((number, rest(&it)?)));
    match (begun.next(), begun.next()) {
        (Some((number, rest)), None) if rest.starts_with(char::is_alphanumeric) => {
            Some(Reply::Likely(number))
        }
        (Some((number, _)), None) => Some(Reply::Number(number)),
        _ => None,
    }
}

/// The answer in something said. None if it answers no question.
pub(super) const fn said_reply(said: &Said) -> Option<Reply> {
    Some(match said {
        Said::Command(Command::Yes | Command::Accept) => Reply::Yes,
        Said::Command(Command::No | Command::Decline) => Reply::No,
        Said::Command(Command::Repeat) => Reply::Repeat,
        Said::Command(Command::Stop) => Reply::Stop,
        Said::Command(Command::Help) => Reply::Help,
        Said::Command(Command::NextItem) => Reply::Next,
        Said::Command(Command::AskLeave) => Reply::Leave,
        Said::Command(Command::PreviousItem) | Said::Correction(None) => Reply::Back,
        _ => return None,
    })
}

/// The answer that a button gives.
pub(super) fn pressed_reply(report: &Report) -> Option<Reply> {
    match report {
        Report::Input(Input::Heard {
            heard: Heard::Clear(said),
            ..
        }) => said_reply(said),
        _ => None,
    }
}

/// Returns the number of a rank that is said or typed alone.
pub(super) fn number_of<S: AsRef<str>>(lexicon: &Lexicon, words: &[S]) -> Option<u32> {
    let [word] = words else {
        return None;
    };
    match lexicon.value(lexicon.canonical(word.as_ref())?) {
        Some(Value::Rank(rank)) => Some(u32::from(rank) + 1),
        _ => None,
    }
}

/// Reads a number in figures, as it can be spoken, or as annexd itself says it.
fn typed_number(line: &str, language: &Language) -> Option<u32> {
    let spoken = || number_of(language.lexicon(), &[line]);
    let said = |number: &u32| language.number(*number).text().to_lowercase() == line;
    let number = line.parse().ok();
    number.or_else(spoken).or_else(|| (1..100).find(said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::config::data;
    use crate::shell::consoles::words::console_words;

    #[test]
    fn the_question_for_the_language_is_answered_in_any() {
        let codes = ["en", "de", "da", "sv"];
        let languages = codes.map(|code| data::language(code).unwrap());
        let words = codes.map(|code| console_words(code).unwrap());
        let among: Vec<_> = languages.iter().zip(&words).collect();
        for (line, reply) in [
            ("nein", Some(Reply::No)),
            ("nej", Some(Reply::No)),
            ("ja", Some(Reply::Yes)),
            ("yes", Some(Reply::Yes)),
            ("j", Some(Reply::Yes)),
            ("hilfe", Some(Reply::Help)),
            ("korrektur", Some(Reply::Back)),
            ("correction", Some(Reply::Back)),
            ("Deutsch", None),
        ] {
            assert_eq!(typed_reply_in_any(line, &among), reply, "{line:?}");
        }
    }

    #[test]
    fn answers_are_typed_in_every_language() {
        for (language, line, reply) in [
            ("de", "ja", Reply::Yes),
            ("de", "N", Reply::No),
            ("de", "", Reply::Next),
            ("de", " weiter ", Reply::Next),
            ("de", "zurück", Reply::Back),
            ("de", "Korrektur", Reply::Back),
            ("de", "wiederholen", Reply::Repeat),
            ("de", "stopp", Reply::Stop),
            ("de", "hilfe", Reply::Help),
            ("de", "3", Reply::Number(3)),
            ("de", "e", Reply::Text("e".to_owned())),
            (
                "de",
                "1234 Anna Schmidt",
                Reply::Text("1234 Anna Schmidt".to_owned()),
            ),
            ("de", "90m+30s", Reply::Text("90m+30s".to_owned())),
            ("de", "eins", Reply::Number(1)),
            ("de", "Zwei", Reply::Number(2)),
            ("de", "neun", Reply::Number(9)),
            ("en", "one", Reply::Number(1)),
            ("sv", "ett", Reply::Number(1)),
            ("sv", "en", Reply::Number(1)),
            ("sv", "två", Reply::Number(2)),
            ("da", "et", Reply::Number(1)),
            ("da", "en", Reply::Number(1)),
            ("da", "syv", Reply::Number(7)),
            ("da", "nej", Reply::No),
            ("sv", "ja", Reply::Yes),
            ("en", "y", Reply::Yes),
            ("en", "back", Reply::Back),
        ] {
            let words = console_words(language).unwrap();
            let language = data::language(language).unwrap();
            assert_eq!(typed_reply(line, &language, &words), reply, "{line:?}");
        }
    }
}
