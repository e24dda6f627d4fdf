//! The states of pages to which the demonstration's game does not come, in all four languages: the
//! approval of a rated game, every form, scores that differ, an adjournment, and the audience. All
//! but the opponent's tapping is done with the keyboard alone.

use super::PIN;
use super::common::Home;
use super::common::served::Pages;
use super::driver::Browser;
use super::seat::{Looks, Seat};

const SETTINGS: &str = "[game]\nadjournment = true\naids = [\"board\"]\n\
    [game.sides.white]\n\
    duties = [\"execute\", \"announce\", \"claim\", \"adjourn\"]\nannounced_by_program = true\n\
    [page]\naudience_after_minutes = 0\n";

const PASSPHRASE: &str = "a long passphrase of nobody";

#[test]
#[ignore = "long, and needs a browser: make soak"]
fn all_other_states_in_all_languages() {
    let Some(browser) = Browser::start() else {
        println!("skipped: there is no chromium with chromedriver in /usr/bin");
        return;
    };
    for language in ["de", "en", "sv", "da"] {
        println!("in {language}");
        let looks = match language {
            "de" => Looks::default(),
            _ => Looks::briefly(),
        };
        in_a_language(&browser, &looks, language);
        looks.are_good(&browser);
    }
}

fn in_a_language(browser: &Browser, looks: &Looks, language: &'static str) {
    let home = Home::new();
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    std::fs::write(home.path("config/annexd/settings.toml"), SETTINGS).unwrap();
    let more = ["--mode", "rated", "--terminal", "shared", "--time", "2h"];
    let (game, pages) = Pages::start(&home, PIN, &more);
    let enters = |role, pin| Seat::enters(browser, &pages, looks, (role, language), pin);
    let mut seats = vec![
        enters("white", Some(("471100", true))),
        enters("black", Some(("471102", true))),
        enters("assistant-white", Some(("471101", true))),
        enters("arbiter", Some((PIN, false))),
    ];
    approval(&seats);
    let audience = ("audience", language);
    seats.push(Seat::follows_the_picture(browser, &pages, looks, audience));
    first_move(&seats);
    scores_that_differ(&seats);
    adjournment(&seats);
    game.leave();
}

/// Each page with all that can be opened.
fn look(seats: &[Seat<'_>], state: &str) {
    println!("{state}");
    for seat in seats {
        seat.opens_all();
        seat.is_looked_over(state);
    }
}

/// The arbiter approves the program, sees with it what the settings allow, and lets an audience in.
fn approval(seats: &[Seat<'_>]) {
    let arbiter = &seats[3];
    arbiter.waits_for("#approval", "11.3.2");
    arbiter.waits_for("#approval", "11.3.1");
    arbiter.waits_for("#approval", "D.2.10.1");
    arbiter.waits_for("#approval", "D.2.10.2");
    look(seats, "approval");
    arbiter.fills("approve", &["A. Arbiter", "no network", "1"]);
    arbiter.waits_until_gone("#approval");
}

fn first_move(seats: &[Seat<'_>]) {
    let [white, black, assistant, arbiter, audience] = seats else {
        unreachable!("five sit there");
    };
    arbiter.types("start");
    black.waits_until_there(".clock.runs");
    white.types("e2e4");
    assistant.types("confirm");
    black.taps("e2e4");
    black.waits_until_gone("#repetition");
    assistant.types("executed");
    white.types("press");
    black.waits_until_there(".clock.runs:nth-child(2)");
    audience.waits_for("#said", "e4");
    look(seats, "forms");
}

fn scores_that_differ(seats: &[Seat<'_>]) {
    let arbiter = &seats[3];
    arbiter.fills("sheet", &["0", "1. d4 d5"]);
    arbiter.waits_for("#scores", "d4");
    arbiter.fills("sheet", &["1", "1. e4 e5"]);
    arbiter.waits_until_there("#scores td.differs");
    arbiter.types("compare");
    arbiter.waits_until_there("#verdict li");
    look(seats, "scores that differ");
    arbiter.types("restart");
    arbiter.waits_until_there(".clock.runs");
}

fn adjournment(seats: &[Seat<'_>]) {
    let (black, arbiter) = (&seats[1], &seats[3]);
    arbiter.fills("adjourn", &[PASSPHRASE]);
    black.waits_until_there("#fields-seal");
    look(seats, "sealing");
    black.fills("seal", &["e7e5"]);
    black.types("press");
    seats[2].waits_until_there("#fields-envelope");
    arbiter.waits_until_there("#fields-resume");
    look(seats, "adjourned");
    seats[2].fills("envelope", &["ten, hall"]);
    arbiter.fills("resume", &["0"]);
    arbiter.fills("open_envelope", &[PASSPHRASE]);
    arbiter.waits_for("#said", "e5");
}
