//! `annexd show --decisions`: what the arbiter was told and what he decided.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use crate::game::{Earcon, Effect, Game, Input, Penalty, Ruling};
use crate::journal::Body;
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::text_outlet::TextOutlet;
use crate::shell::consoles::words::ConsoleWords;
use crate::shell::consoles::words::console_words;
use crate::shell::error::Result;
use crate::shell::record::store::Record;
use crate::shell::seats::told_of;
use crate::shell::table::{Outlet as _, Seat};

/// Prints the decisions in the language of the game's table.
#[expect(clippy::print_stdout, reason = "the decisions are what was asked for")]
pub(super) fn print(record: &Record, game: &Game, settings: &Settings) -> Result<()> {
    let language = settings.text.language.clone();
    let language = language.unwrap_or_else(|| game.profile().language_of_table());
    let words = console_words(&language)?;
    let labels = &words.labels;
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
    let mut proposed = BTreeMap::new();
    for entry in &record.entries {
        let (input, effects) = match &entry.body {
            Body::Step { input, effects } => (input, effects),
            Body::Seat { person, event } => {
                let told = spoken.text(&told_of(*person, event));
                println!("{} > {}: {told}", entry.at, labels.of(channel));
                continue;
            }
            _ => continue,
        };
        for effect in effects {
            if let Effect::Propose {
                proposal, rulings, ..
            } = effect
            {
                proposed.insert(*proposal, rulings.clone());
            }
        }
        if let Input::Ruling(ruling) = input {
            let what = decided(ruling, &proposed, game, (&spoken, &words));
            let what = match is_refused(effects) {
                true => spoken.text(&Phrase::new(PhraseKey::OrderRefused, [what])),
                false => spoken.text(&Phrase::new(PhraseKey::Words, [what])),
            };
            println!("{} > {}: {what}", entry.at, labels.of(channel));
        }
        // Without an arbiter, what both were asked and answered is the decision.
        let is_asked = channel == Channel::Table && effects.iter().any(is_of_question);
        let is_for_arbiter = |effect: &&Effect| match effect {
            Effect::Say { channel: on, .. } => {
                *on == Channel::Arbiter || is_asked && *on == channel
            }
            Effect::Propose { .. } | Effect::Explain(_) | Effect::Ended(_) => true,
            _ => false,
        };
        for effect in effects.iter().filter(is_for_arbiter) {
            outlet.carry_out(entry.at, game, effect);
        }
    }
    Ok(())
}

/// A ruling in words; for an accepted or dismissed proposal also its content.
fn decided(
    ruling: &Ruling,
    proposed: &BTreeMap<u32, Vec<Ruling>>,
    game: &Game,
    (language, console): (&Language, &ConsoleWords),
) -> Argument {
    let mut phrases = game.ruling_phrases(ruling);
    if let Ruling::Accept { proposal } | Ruling::Dismiss { proposal } = ruling {
        let does = proposed.get(proposal).into_iter().flatten();
        phrases.extend(does.flat_map(|ruling| game.ruling_phrases(ruling)));
    }
    let mut words: Vec<String> = phrases.iter().map(|it| language.text(it)).collect();
    words.extend(details(ruling, console));
    Argument::Text(words.join(" "))
}

/// What was approved, adapted, reported or imposed, as it was typed or would be typed.
fn details(ruling: &Ruling, console: &ConsoleWords) -> Option<String> {
    let kind = |kinds: &BTreeMap<String, String>, name: &str| {
        kinds
            .get(name)
            .map_or_else(|| name.to_owned(), Clone::clone)
    };
    let details = match ruling {
        Ruling::ApproveDevice(approval) if approval.scope.is_empty() => approval.by.clone(),
        Ruling::ApproveDevice(approval) => format!("{}: {}", approval.by, approval.scope),
        Ruling::Adapt(adaptation) => format!("{} = {}", adaptation.key, adaptation.value),
        Ruling::Report { irregularity, .. } => {
            let name = serde_json::to_value(irregularity).ok()?;
            kind(&console.irregularities, name.as_str()?)
        }
        Ruling::Penalise { penalty, .. } => {
            let (name, amount) = typed_penalty(*penalty);
            format!("{} {amount}", kind(&console.penalties, name))
        }
        _ => return None,
    };
    Some(format!("({})", details.trim()))
}

/// A penalty in the words of a console, with its amount.
fn typed_penalty(penalty: Penalty) -> (&'static str, String) {
    let time = |time: Duration| format!("{} s", time.as_secs());
    match penalty {
        Penalty::Warning => ("warning", String::new()),
        Penalty::MoreTimeForOpponent(more) => ("opponent_more", time(more)),
        Penalty::LessTimeForOffender(less) => ("less", time(less)),
        Penalty::MorePointsForOpponent(halves) => ("opponent_points", halves.to_string()),
        Penalty::FewerPointsForOffender(halves) => ("points", halves.to_string()),
        Penalty::ExclusionFromRounds(rounds) => ("exclusion", rounds.to_string()),
        Penalty::LossOfGame => ("loss", String::new()),
        Penalty::Fine => ("fine", String::new()),
        Penalty::Expulsion => ("expulsion", String::new()),
    }
}

/// Whether both players are being asked something, or one of them answers it.
const fn is_of_question(effect: &Effect) -> bool {
    matches!(effect, Effect::Say { phrase, .. } if phrase.key.is_of_question())
}

/// Whether the game has refused an order, with a reason.
fn is_refused(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Say { phrase, .. } => phrase.key.refuses_order(),
        Effect::Earcon { earcon, .. } => *earcon == Earcon::Refused,
        _ => false,
    })
}
