//! What can be typed in the current state of the game, for people who have never used a console.

use super::words::Labels;
use crate::game::{Duty, Game, Phase, Waiting};
use crate::persons::Person;
use crate::phrases::Language;

/// The lines that are useful now, by their functions in `assets/controls.toml`.
pub(crate) fn now_typed(
    game: &Game,
    person: Person,
    language: &Language,
    labels: &Labels,
) -> Vec<String> {
    let functions = match person {
        Person::Arbiter if game.profile().arbiter => of_arbiter(game),
        Person::Assistant(side) => of_assistant(game, side),
        // Players ask for help, and are told which words they can say.
        Person::Arbiter | Person::Player(_) => return Vec::new(),
    };
    let waiting = match person {
        Person::Arbiter => game.waits_for(person),
        Person::Assistant(_) | Person::Player(_) => Vec::new(),
    };
    let answers = waiting.iter().map(|it| match it {
        Waiting::Proposal {
            number, rulings, ..
        } => labels.answers(*number, rulings),
        _ => format!("{}, {}", labels.uphold, labels.deny),
    });
    let is_arbiter = person == Person::Arbiter;
    let last = game.last_decision().filter(|_| is_arbiter);
    let takes_back = last.map(|_| "take_decision_back");
    let functions = functions.iter().chain(&takes_back).chain(&["help"]);
    let lines = functions.filter_map(|function| language.typed(function).map(str::to_owned));
    answers.chain(lines).collect()
}

fn of_arbiter(game: &Game) -> Vec<&'static str> {
    let profile = game.profile();
    match game.phase() {
        Phase::BeforePlay if profile.device.is_none() => vec!["approve", "start"],
        Phase::BeforePlay => vec!["start"],
        Phase::Playing => vec!["halt", "report", "compare", "diagram"],
        Phase::Stopped => vec!["restart", "set_clock", "report", "compare", "result"],
        Phase::Sealing => vec!["open_envelope", "result"],
        Phase::Adjourned => vec!["resume", "open_envelope", "missing"],
        Phase::Ended => vec!["result", "restart"],
    }
}

fn of_assistant(game: &Game, side: shakmaty::Color) -> Vec<&'static str> {
    if game.ending().is_some() {
        return vec!["read_score"];
    }
    by_duty(game, side).chain(["diagram"]).collect()
}

/// What an assistant does by his duties (D.2.10).
pub(crate) fn by_duty(game: &Game, side: shakmaty::Color) -> impl Iterator<Item = &'static str> {
    let duties = [
        (Duty::Announce, "confirm"),
        (Duty::Announce, "reject"),
        (Duty::Execute, "executed"),
        (Duty::ScoreAndClock, "press"),
        (Duty::Claim, "touched"),
        (Duty::Claim, "claim_time"),
    ];
    let his = duties
        .into_iter()
        .filter(move |(duty, _)| game.has_duty(side, *duty));
    his.map(|(_, function)| function)
}
