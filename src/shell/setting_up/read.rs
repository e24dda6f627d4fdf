//! Answers from what was typed, said and pressed.

use crate::game::Input;
use crate::notation::{Command, CommandName, Heard, Lexicon, Said, typed};
use crate::phrases::{Language, Phrase};
use crate::set_up::Reply;
use crate::shell::consoles::words::ConsoleWords;
use crate::shell::table::Report;

/// What a typed line answers. Its first letter is enough for ja and nein.
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
    if let Ok(number) = text.parse() {
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

/// What answers the question for the language, in any of these languages: who does not know the
/// one he is asked in cannot say no in it.
pub(super) fn typed_reply_in_any(
    line: &str,
    among: &[(&Language, &ConsoleWords)],
) -> Option<Reply> {
    let mut replies = among
        .iter()
        .map(|(language, words)| typed_reply(line, language, words));
    replies.find(|reply| !matches!(reply, Reply::Text(_)))
}

/// Which of these choices a line begins, by its number, if it begins no other.
pub(super) fn chosen(
    line: &str,
    choices: impl Iterator<Item = Phrase>,
    language: &Language,
) -> Option<Reply> {
    let line = line.trim().to_lowercase();
    let begins = |choice: &Phrase| language.text(choice).to_lowercase().starts_with(&line);
    let mut begun = (1..).zip(choices).filter(|(_, it)| begins(it));
    match (begun.next(), begun.next()) {
        (Some((number, _)), None) => Some(Reply::Number(number)),
        _ => None,
    }
}

/// What something that was said answers; nothing if it is no answer to any question.
pub(super) const fn said_reply(said: &Said) -> Option<Reply> {
    Some(match said {
        Said::Command(Command::Yes | Command::Accept) => Reply::Yes,
        Said::Command(Command::No | Command::Decline) => Reply::No,
        Said::Command(Command::Repeat) => Reply::Repeat,
        Said::Command(Command::Stop) => Reply::Stop,
        Said::Command(Command::Help) => Reply::Help,
        Said::Command(Command::NextItem) => Reply::Next,
        Said::Command(Command::PreviousItem) | Said::Correction(None) => Reply::Back,
        _ => return None,
    })
}

/// What a button answers.
pub(super) fn pressed_reply(report: &Report) -> Option<Reply> {
    match report {
        Report::Input(Input::Heard {
            heard: Heard::Clear(said),
            ..
        }) => said_reply(said),
        _ => None,
    }
}

/// A rank said alone is a number.
#[cfg_attr(
    not(all(feature = "audio", feature = "recognizer")),
    expect(dead_code, reason = "nobody is heard")
)]
pub(super) fn number_of(lexicon: &Lexicon, words: &[String]) -> Option<u32> {
    use crate::notation::Value;

    match words {
        [word] => match lexicon.value(word) {
            Some(Value::Rank(rank)) => Some(u32::from(rank) + 1),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::config::data;
    use crate::shell::session::assemble::console_words;

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
