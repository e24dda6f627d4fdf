//! The summary of the demonstration.

use shakmaty::Color;

use super::plan::Check;
use super::tally::Tally;
use annexd::game::Game;
use annexd::score;
use annexd::shell::config::language;
use annexd::shell::error::{Sentence, sentence};
use annexd::show;

/// Prints the result, the score, what was checked and what was counted, whether or not everything
/// went well.
pub(crate) fn print(game: &Game, circumstances: &[(String, String)], tally: &Tally) {
    let result = match game.ending() {
        Some(ending) => sentence!(AsItIs, text = language::ending(ending)),
        None => sentence!(DemoNoResult),
    };
    show!();
    language::show(&sentence!(DemoResult, result = result));
    show!("\n{}", score_text(game, circumstances));
    for check in Check::ALL {
        let what = check.sentence();
        language::show(&match tally.is_met(check) {
            true => sentence!(DemoMet, what = what),
            false => sentence!(DemoNotMet, what = what),
        });
    }
    show!();
    for counted in [
        sentence!(DemoAnnounced, count = tally.announced),
        sentence!(DemoRight, count = tally.right),
        sentence!(DemoAgain, count = tally.again),
        sentence!(DemoTyped, count = tally.typed),
        sentence!(DemoCommands, count = tally.commands),
        sentence!(DemoIgnored, count = tally.ignored),
        sentence!(DemoWrong, count = tally.wrong),
        sentence!(
            DemoLatency,
            median = milliseconds(tally, 50),
            most = milliseconds(tally, 95)
        ),
    ] {
        language::show(&counted);
    }
}

fn milliseconds(tally: &Tally, percent: usize) -> String {
    tally.latency(percent).as_millis().to_string()
}

/// Why the demonstration has failed, if it has.
pub(crate) fn failure(tally: &Tally) -> Option<Sentence> {
    let failures = tally.failures().into_iter().map(Check::sentence);
    let one_after_another =
        |before, after| sentence!(VerdictTwoEntries, before = before, after = after);
    let not_so = failures.reduce(one_after_another);
    let is_heard = tally.wrong == 0 && tally.is_heard_enough();
    let has_failed = !is_heard || not_so.is_some();
    let rest = match not_so {
        None => sentence!(DemoAsItShould),
        Some(all) => sentence!(DemoNotSo, all = all),
    };
    has_failed.then(|| {
        sentence!(
            DemoWentWrong,
            wrong = tally.wrong,
            typed = tally.typed,
            rest = rest
        )
    })
}

/// The player's score as PGN, with the players' names and what the file says about the game.
fn score_text(game: &Game, circumstances: &[(String, String)]) -> String {
    let mut score = game.score(Color::White).clone();
    let sides = &game.profile().sides;
    let names = [("White", &sides.white.name), ("Black", &sides.black.name)];
    let circumstances = circumstances
        .iter()
        .map(|(name, value)| (name.as_str(), value));
    for (name, value) in names.into_iter().chain(circumstances) {
        if !value.is_empty() {
            // Nobody has signed this score, so it still takes tags.
            let _ = score.set_tag(name, value.as_str());
        }
    }
    score::to_pgn(&score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demonstration_succeeds_only_if_everything_happened_and_nothing_was_taken_wrong() {
        let mut tally = Tally::default();
        for check in Check::ALL {
            assert!(failure(&tally).is_some());
            tally.happened(check, true);
        }
        assert_eq!(failure(&tally), None);
        tally.wrong = 1;
        assert!(failure(&tally).is_some_and(|why| why.to_string().contains("1 silently wrong")));
        (tally.wrong, tally.announced, tally.typed) = (0, 40, 2);
        assert_eq!(failure(&tally), None);
        tally.typed = 3;
        assert!(failure(&tally).is_some_and(|why| why.to_string().contains("3 typed")));
    }
}
