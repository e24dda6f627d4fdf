//! `annexd show --decisions`: what the arbiter was told and what he decided.

use std::io;

use crate::game::{Effect, Game, Input, Ruling};
use crate::journal::Body;
use crate::persons::{Channel, Person};
use crate::phrases::Language;
use crate::shell::config::data;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::text_outlet::TextOutlet;
use crate::shell::consoles::words::Labels;
use crate::shell::error::Result;
use crate::shell::record::store::Record;
use crate::shell::session::assemble::console_words;
use crate::shell::table::{Outlet as _, Seat};

/// Prints it, in the language of the game's table.
#[expect(clippy::print_stdout, reason = "the decisions are what was asked for")]
pub(super) fn print(record: &Record, game: &Game, settings: &Settings) -> Result<()> {
    let language = settings.text.language.clone();
    let language = language.unwrap_or_else(|| game.profile().language_of_table());
    let labels = console_words(&language)?.labels;
    let spoken = data::language(&language)?;
    let channel = if game.profile().arbiter {
        Channel::Arbiter
    } else {
        Channel::Table
    };
    let mut outlet = TextOutlet::new(
        Box::new(io::stdout()),
        Seat::Of(Person::Arbiter),
        vec![channel],
        data::language(&language)?,
        labels.clone(),
        settings.text.braille_width,
    )
    .with_time();
    for entry in &record.entries {
        let Body::Step { input, effects } = &entry.body else {
            continue;
        };
        if let Input::Ruling(ruling) = input {
            println!("{} {}", entry.at, decided(ruling, &labels, &spoken));
        }
        let is_for_arbiter = |effect: &&Effect| match effect {
            Effect::Say { channel, .. } => *channel == Channel::Arbiter,
            Effect::Propose { .. } | Effect::Explain(_) | Effect::Ended(_) => true,
            _ => false,
        };
        for effect in effects.iter().filter(is_for_arbiter) {
            outlet.carry_out(entry.at, game, effect);
        }
    }
    Ok(())
}

/// A ruling in words: `Schiedsrichter: annehmen 3`, or what it does.
fn decided(ruling: &Ruling, labels: &Labels, language: &Language) -> String {
    let what = match ruling {
        Ruling::Accept { proposal } => format!("{} {proposal}", labels.accept),
        Ruling::Dismiss { proposal } => format!("{} {proposal}", labels.dismiss),
        other => {
            let phrases = other.phrases();
            let words: Vec<String> = phrases.iter().map(|it| language.text(it)).collect();
            words.join(" ")
        }
    };
    format!("> {}: {what}", labels.arbiter)
}
