//! The any-series question on positions with known answers: never wrong.
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads the positions, where they are"
)]

use std::path::Path;

use annexd::laws::{Answer, can_mate_by_any_series, judged};
use shakmaty::Color;
use shakmaty::fen::Fen;

#[test]
fn no_answer_is_wrong_on_positions_with_known_answers() {
    check_every(5);
}

#[test]
#[ignore = "a minute without optimisation; make soak runs it"]
fn no_answer_is_wrong_on_any_position_with_a_known_answer() {
    check_every(1);
}

/// Checks every `step`th line of the file.
fn check_every(step: usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/unwinnable/positions.txt");
    let Ok(text) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: {} is not there", file.display());
        return;
    };
    let (mut questions, mut decided) = (0, 0);
    for (number, line) in text.lines().enumerate().step_by(step) {
        let Some((answers, fen)) = line.split_once(' ') else {
            continue;
        };
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let position = judged(&setup).expect("a position");
        for (side, letter) in [Color::White, Color::Black]
            .into_iter()
            .zip(answers.chars())
        {
            questions += 1;
            let answer = can_mate_by_any_series(&position, side);
            let expected = if letter == '-' {
                Answer::No
            } else {
                Answer::Yes
            };
            if answer != Answer::Unknown {
                decided += 1;
                assert_eq!(answer, expected, "line {}: {side} in {line}", number + 1);
            }
        }
    }
    let share = 100.0 * f64::from(decided) / f64::from(questions.max(1));
    eprintln!("{decided} of {questions} questions decided ({share:.1} %), none wrong");
    // More than 70 % of all were decided when this was written; less would be a loss of insight.
    assert!(share > 65.0);
}
