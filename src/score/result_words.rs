//! The ways in which people write the result (8.7), in signs and in words: `+:-`, `remis`,
//! `White won`, `Schwarz gibt auf`.

use shakmaty::Color;

use super::draw_words::{DrawWords, all_draw_words, side_named};
use annexd_laws::GameResult;

/// Verbs for the player who has won.
const WON: &str = "won wins win gewinnt gewann siegt siegte vinder vandt vundet vinner \
                   vann vunnit ganham ganharam vencem venceram gagnent gagne gagné wint gewonnen";

/// Verbs for the player who has lost.
const LOST: &str = "resigns resigned loses lost verliert verlor verloren aufgegeben opgiver opgav \
                    opgivet taber tabte tabt förlorar förlorade förlorat abandonam abandonaram \
                    desistem desistiram perdem perderam abandonnent abandonne abandonné perdent \
                    opgegeven verliest verloor";

/// Verbs that need a second word, and that word.
const GIVES: &str = "gibt gab giver gav ger geeft gaf";
const UP: &str = "auf op upp";

/// Words that may stand before the side and before the verb.
const BEFORE: &str = "the les as de";
const HELPS: &str = "hat has have har heeft ont";

/// How the game was won, in two words.
const BY: [&str; 10] = [
    "on time",
    "by checkmate",
    "by resignation",
    "by forfeit",
    "auf zeit",
    "durch zeitüberschreitung",
    "durch matt",
    "på tid",
    "au temps",
    "op tijd",
];

/// Returns the result that a text consists of.
pub(super) fn result_in(text: &str) -> Option<GameResult> {
    let text = text.trim().trim_end_matches('.');
    let words = || text.split_whitespace();
    let drawn = || {
        let said = all_draw_words(text)?;
        matches!(said, DrawWords::Agreed | DrawWords::Bare).then_some(GameResult::Draw)
    };
    let won = || {
        let (taken, result) = winner_words(words())?;
        (taken == words().count()).then_some(result)
    };
    let in_signs = text.parse().ok().or_else(|| forfeit(text));
    in_signs.or_else(drawn).or_else(won)
}

/// Returns whether the value of the result is neither a result nor left open.
pub(super) fn says_no_result(value: &str) -> bool {
    !matches!(value.trim(), "" | "*" | "?" | "-") && result_in(value).is_none()
}

/// Reads the signs of a game that was not played.
fn forfeit(text: &str) -> Option<GameResult> {
    let signs = text.split_whitespace().collect::<String>();
    let signs = signs.replace(['–', '—', '−', '‐', '‑', '‒'], "-");
    Some(match signs.replace('/', ":").as_str() {
        "+:-" | "+-" | "1:0" => GameResult::Won(Color::White),
        "-:+" | "-+" | "0:1" => GameResult::Won(Color::Black),
        "-:-" => GameResult::BothLost,
        _ => return None,
    })
}

/// Returns how many of these words name the winner, and the result. `None` if none of them does.
pub(super) fn winner_words<'a>(
    words: impl IntoIterator<Item = &'a str>,
) -> Option<(usize, GameResult)> {
    const MOST: usize = 7;

    let words: Vec<String> = words.into_iter().take(MOST).map(plain).collect();
    let is_at = |at: usize, known: &str| {
        let word = words.get(at);
        word.is_some_and(|word| known.split_ascii_whitespace().any(|known| known == word))
    };
    let mut at = usize::from(is_at(0, BEFORE));
    let side = side_named(words.get(at)?)?;
    at += 1;
    at += usize::from(is_at(at, HELPS));
    let winner = if is_at(at, WON) {
        side
    } else if is_at(at, LOST) {
        !side
    } else if is_at(at, GIVES) && is_at(at + 1, UP) {
        at += 1;
        !side
    } else {
        return None;
    };
    at += 1;
    let by = words.get(at..at + 2).map(|by| by.join(" "));
    if by.is_some_and(|by| BY.contains(&by.as_str())) {
        at += 2;
    }
    Some((at, GameResult::Won(winner)))
}

fn plain(word: &str) -> String {
    word.trim_end_matches(['.', '!', ',']).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Option<GameResult> = Some(GameResult::Won(Color::White));
    const BLACK: Option<GameResult> = Some(GameResult::Won(Color::Black));

    #[test]
    fn results_are_read_in_signs_and_words() {
        for (text, result) in [
            ("1-0", WHITE),
            ("+:-", WHITE),
            ("+/-", WHITE),
            ("- / +", BLACK),
            ("0‑1", BLACK),
            ("-:-", Some(GameResult::BothLost)),
            ("0,5-0,5", Some(GameResult::Draw)),
            ("0.5 : 0.5", Some(GameResult::Draw)),
            ("remis", Some(GameResult::Draw)),
            ("Remis vereinbart.", Some(GameResult::Draw)),
            ("White won", WHITE),
            ("White wins on time.", WHITE),
            ("Black resigns", WHITE),
            ("Weiß hat gewonnen", WHITE),
            ("Schwarz gibt auf", WHITE),
            ("Weiß gab auf.", BLACK),
            ("hvid opgiver", BLACK),
            ("Sort giver op", WHITE),
            ("vit vann", WHITE),
            ("svart ger upp", WHITE),
            ("les blancs gagnent", WHITE),
            ("as pretas abandonam", WHITE),
            ("zwart geeft op", WHITE),
        ] {
            assert_eq!(result_in(text), result, "{text}");
            assert!(!says_no_result(text), "{text}");
        }
    }

    #[test]
    fn what_says_no_result_is_none() {
        for text in [
            "foo",
            "White",
            "White wins a pawn",
            "Schwarz gab nach 40 Minuten auf",
            "Remis angeboten",
            "3/4-1/4",
        ] {
            assert_eq!(result_in(text), None, "{text}");
            assert!(says_no_result(text), "{text}");
        }
        for open in ["*", "", "?", " - "] {
            assert!(!says_no_result(open), "{open}");
        }
    }
}
