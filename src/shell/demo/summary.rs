//! The summary of the demonstration.

use shakmaty::Color;

use super::plan::Check;
use super::tally::Tally;
use crate::game::Game;
use crate::score;
use crate::shell::consoles::text_outlet::ending_text;
use crate::show;

/// Prints the result, the score, what was checked and what was counted, whether or not everything
/// went well.
pub(super) fn print(game: &Game, circumstances: &[(String, String)], tally: &Tally) {
    let result = game
        .ending()
        .map_or_else(|| "*, the game has no result".to_owned(), ending_text);
    show!("\nResult: {result}\n\n{}", score_text(game, circumstances));
    for check in Check::ALL {
        let is_met = if tally.is_met(check) { "yes" } else { "NO" };
        show!("{is_met}: {}", check.name());
    }
    show!(
        "\nAnnouncements and repetitions by voice: {}",
        tally.announced
    );
    show!("Heard right at once: {}", tally.right);
    show!("Asked again or said again: {}", tally.again);
    show!("Typed, because not understood: {}", tally.typed);
    show!("Commands by voice: {}", tally.commands);
    show!("Ignored, as they must be: {}", tally.ignored);
    show!("Silently wrong: {}", tally.wrong);
    show!(
        "From the end of speech to the read-back: median {} ms, 95th percentile {} ms",
        tally.latency(50).as_millis(),
        tally.latency(95).as_millis()
    );
}

/// Why the demonstration has failed, if it has.
pub(super) fn failure(tally: &Tally) -> Option<String> {
    let failures: Vec<&str> = tally.failures().into_iter().map(Check::name).collect();
    let not_so = match failures.as_slice() {
        [] => "everything else as it should be".to_owned(),
        failures => format!("not so, but should be: {}", failures.join("; ")),
    };
    let is_heard = tally.wrong == 0 && tally.is_heard_enough();
    (!is_heard || !failures.is_empty()).then(|| {
        format!(
            "The demonstration failed: {} silently wrong, {} typed because not understood; \
             {not_so}.",
            tally.wrong, tally.typed
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
        assert!(failure(&tally).is_some_and(|why| why.contains("1 silently wrong")));
        (tally.wrong, tally.announced, tally.typed) = (0, 40, 2);
        assert_eq!(failure(&tally), None);
        tally.typed = 3;
        assert!(failure(&tally).is_some_and(|why| why.contains("3 typed")));
    }
}
