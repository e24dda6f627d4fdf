//! `annexd` without a command: asks what to do, starting from where this player left off.

use std::io::IsTerminal as _;

use super::command_line;
use super::other_program::{DEMONSTRATION, PRACTICE, is_installed};
use super::play::in_language_of;
use crate::set_up::{Choice, Welcome};
use crate::shell::config::language::chosen_language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output;
use crate::shell::error::{Result, error};
use crate::shell::record::{catalogue, heartbeat};
use crate::shell::setting_up::{self, End};
use crate::shell::speech::voice::has_system_voice;

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nothing.
    Nothing,
    /// The command that was entered into the command line.
    Command,
    /// A command that only shows something. The question is asked again after it.
    Look,
}

/// Asks what to do, and enters the choice into the command line. Only the first time annexd says
/// what it is.
pub(crate) fn choose(is_first: bool) -> Result<Wanted> {
    let mut settings = Settings::load(None)?;
    settings.text.braille_width = folded_output::width_asked();
    let choices = choices(&settings);
    let among = |answers| match Welcome::new(choices, answers) {
        welcome if is_first => welcome,
        welcome => welcome.without_greeting(),
    };
    let mut looks = false;
    let words = match setting_up::choose(&settings, true, among)? {
        End::Answered(welcome) => {
            let looks_at = [Choice::Demonstration, Choice::Check, Choice::Manual];
            looks = welcome.offered().is_some_and(|it| looks_at.contains(it));
            words(&welcome)
        }
        End::Unanswered if !std::io::stdin().is_terminal() => {
            let code = chosen_language(&settings);
            return Err(in_language_of(
                error!(Usage, NobodyAnswers),
                code.as_deref(),
            ));
        }
        End::Left | End::Unanswered => Vec::new(),
    };
    let wanted = match words.is_empty() {
        true => Wanted::Nothing,
        false if looks => Wanted::Look,
        false => Wanted::Command,
    };
    command_line::choose(words);
    Ok(wanted)
}

/// The choices here. First comes what a player most likely wants: to go on.
fn choices(settings: &Settings) -> Vec<Choice> {
    let mut choices: Vec<Choice> = interrupted(settings)
        .map(Choice::Resume)
        .into_iter()
        .collect();
    choices.push(Choice::Play);
    if is_installed(PRACTICE) {
        choices.push(Choice::Practise);
    }
    choices.push(Choice::Learn);
    if is_installed(DEMONSTRATION) {
        choices.push(Choice::Demonstration);
    }
    choices.extend([Choice::SetUp, Choice::Check, Choice::Manual, Choice::Leave]);
    choices
}

/// The last game that was interrupted or adjourned, unless it is being played in another process.
/// Problems with the folder of games are reported when it is used.
fn interrupted(settings: &Settings) -> Option<String> {
    let folder = catalogue::folder(settings).ok()?;
    let path = catalogue::interrupted(&folder).ok()?.path;
    (!heartbeat::is_held(&path)).then(|| catalogue::name_of(&path))
}

/// The words that would be typed for the choice; empty if there is nothing to do.
fn words(welcome: &Welcome) -> Vec<String> {
    let words = match welcome.offered() {
        None | Some(Choice::Leave | Choice::Lesson(_) | Choice::OnceMore) => Vec::new(),
        Some(Choice::Resume(name)) => vec!["resume", name.as_str()],
        Some(Choice::Play) => vec!["play"],
        Some(Choice::Practise) => vec!["practice"],
        Some(Choice::Learn) => vec!["learn"],
        Some(Choice::Demonstration) => vec!["demo", "--aloud"],
        Some(Choice::SetUp) => vec!["play", "--set-up"],
        Some(Choice::Check) => vec!["check"],
        Some(Choice::Manual) => {
            let language = welcome.place().language;
            let mut words = vec!["manual", "player", "--language", language];
            words.extend(has_system_voice().then_some("--aloud"));
            words
        }
    };
    words.into_iter().map(str::to_owned).collect()
}
