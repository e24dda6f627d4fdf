//! Waiting for a player elsewhere. Events are said here, and answered by voice, keys and gamepad.
//! Nobody waits in silence: what was said last is repeated.

use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use super::asking::{self, Dialogue, End};
use super::room::room;
use super::welcome;
use crate::phrases::{Language, Phrase, PhraseKey};
use crate::set_up::{AfterReply, Answers, Level, Place, Reply};
use crate::shell::config::settings::Settings;
use crate::shell::error::Result;

/// After this long in silence the reason for waiting is repeated.
const REMINDER: Duration = Duration::from_secs(30);

/// A person waiting for an opponent.
#[derive(Debug)]
struct Lobby {
    answers: Answers,
    /// The events meanwhile.
    news: Receiver<AfterReply>,
    /// Where the answers go.
    replies: Sender<Reply>,
    last: Vec<Phrase>,
}

/// Waits until the last piece of news, and says each. Returns whether it came.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub fn wait(
    settings: &Settings,
    has_devices: bool,
    news: Receiver<AfterReply>,
    replies: Sender<Reply>,
) -> Result<bool> {
    let room = room(has_devices)?;
    let lobby = Lobby {
        answers: match has_devices {
            true => welcome::answers(settings, &room),
            false => super::answers_of(settings, false),
        },
        news,
        replies,
        last: Vec::new(),
    };
    let end = asking::ask(settings, has_devices, lobby)?;
    Ok(matches!(end, End::Answered(_)))
}

impl Dialogue for Lobby {
    const BETWEEN: &'static str = "\n";
    const OUTLIVES_KEYS: bool = true;

    fn first(&mut self) -> AfterReply {
        AfterReply::default()
    }

    fn answered(&mut self, reply: Reply, _: Option<Level>) -> AfterReply {
        let again = |says: &[Phrase]| AfterReply {
            says: says.to_vec(),
            ..AfterReply::default()
        };
        match reply {
            Reply::Stop => AfterReply {
                hushes: true,
                ..AfterReply::default()
            },
            Reply::Nothing
            | Reply::Repeat
            | Reply::Help
            | Reply::Text(_)
            | Reply::Unclear
            | Reply::Likely(_) => again(&self.last),
            reply => {
                // A receiver that has gone has reported that itself.
                let _ = self.replies.send(reply);
                AfterReply::default()
            }
        }
    }

    fn waits(&self) -> Duration {
        REMINDER
    }

    fn devices(&self) -> Place<'_> {
        self.answers.own_place()
    }

    fn news(&self) -> Option<&Receiver<AfterReply>> {
        Some(&self.news)
    }

    fn told(&mut self, step: &AfterReply) {
        if !step.says.is_empty() {
            self.last.clone_from(&step.says);
        }
    }

    fn farewell(&self) -> Option<(&str, PhraseKey)> {
        None
    }

    fn read(&self, _: &str, reply: Reply, _: &Language) -> Result<Reply> {
        Ok(reply)
    }
}
