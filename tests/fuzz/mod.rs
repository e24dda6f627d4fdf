//! Hostile input: every reader of outside bytes is thrown mutations of what it usually gets.
//!
//! Each target has one property, said in its name. The short forms run with the other tests; the
//! long forms run for `ANNEXD_FUZZ_SECONDS` each, ten minutes without it; `make soak` says three.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, reads what it mutates, and runs for a given time"
)]

mod mutation;
mod readers;
use crate::work;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mutation::Mutator;
use readers::Target;
use work::worked;

/// How long a target runs among the other tests.
const SHORT: Duration = Duration::from_millis(700);

/// No input of a few kilobytes may take longer, in a debug build too.
const LONGEST: Duration = Duration::from_secs(10);

/// Runs a target, and names the input that broke its property.
fn run(mut target: Target, length: Duration) {
    let seed = std::env::var("ANNEXD_FUZZ_SEED").map_or(1, |text| text.parse().unwrap());
    let mut mutator = Mutator::new(seed, target.stock.clone());
    let begun = Instant::now();
    let mut inputs = 0_u64;
    let mut slowest = Duration::ZERO;
    while begun.elapsed() < length {
        let bytes = mutator.next();
        let since = worked();
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.check)(&bytes)));
        let took = worked().saturating_sub(since);
        slowest = slowest.max(took);
        if outcome.is_err() || took > LONGEST {
            let file = std::env::temp_dir().join(format!("annexd-fuzz-{}", target.name));
            std::fs::write(&file, &bytes).unwrap();
            panic!(
                "{}: input {inputs} of seed {seed}, kept in {}, took {:?}: {:?}",
                target.name,
                file.display(),
                took,
                String::from_utf8_lossy(&bytes)
            );
        }
        inputs += 1;
    }
    println!(
        "fuzz: {}, {inputs} inputs in {:?}, slowest {slowest:?}, no finding",
        target.name,
        begun.elapsed()
    );
}

fn long() -> Duration {
    let seconds = std::env::var("ANNEXD_FUZZ_SECONDS");
    Duration::from_secs(seconds.map_or(600, |text| text.parse().unwrap()))
}

macro_rules! targets {
    ($($(#[$only:meta])* $name:ident)*) => {
        mod short {
            $($(#[$only])*
            #[test]
            fn $name() {
                super::run(super::readers::$name(), super::SHORT);
            })*
        }

        mod in_soak {
            $($(#[$only])*
            #[test]
            #[ignore = "ten minutes: make soak"]
            fn $name() {
                super::run(super::readers::$name(), super::long());
            })*
        }
    };
}

targets! {
    settings_that_are_wrong_are_named_with_a_line_of_the_file
    a_time_control_that_is_read_is_read_the_same_again
    lexicons_that_are_read_say_their_words
    phrases_that_are_read_can_be_said
    words_of_consoles_are_read_or_refused
    typed_lines_never_upset_a_game
    scores_that_are_read_are_written_and_read_again
    braille_is_read_or_refused
    scores_in_json_can_be_written_in_every_form
    placements_are_read_or_refused
    scenarios_that_are_read_can_be_played
    sound_files_give_finite_samples_or_a_sentence
    a_damaged_game_gives_only_entries_that_were_written
    a_record_of_any_inputs_gives_a_game
    #[cfg(feature = "recognizer")]
    a_damaged_model_is_never_loaded
    board_and_clock_bytes_give_events_and_stay_bounded
    recordings_of_boards_are_replayed_to_an_end_or_refused
    lines_of_consoles_are_cut_and_admitted_or_refused
    a_damaged_seal_or_pulse_costs_no_entry
    #[cfg(feature = "recognizer")]
    manifests_of_recordings_are_read_or_named_with_a_line
}
