//! A whole game on pages in a real browser: the opponent plays with the mouse, all others with the
//! keyboard alone. In every state each page is looked over for what shuts people out.
//!
//! `ANNEXD_AXE` names a file `axe.min.js` of axe-core, which is not part of the project: with it
//! every state is tested against WCAG 2.2 AA. `ANNEXD_PICTURES` names a folder for pictures of it.
//! `REVIEW=1` makes the pictures of the documents anew.
#![cfg(all(feature = "page", target_os = "linux"))]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and speaks to a browser over its socket"
)]

use crate::common;
mod driver;
mod pictures;
mod seat;
mod states;
mod tree;

use common::served::Pages;
use common::{Home, MOVES, Talk};
use driver::Browser;
use seat::{Looks, Seat};

const PIN: &str = "7305";

/// All who sit there.
struct Table<'a> {
    white: Seat<'a>,
    black: Seat<'a>,
    assistant: Seat<'a>,
    arbiter: Seat<'a>,
}

impl Table<'_> {
    fn all(&self) -> [&Seat<'_>; 4] {
        [&self.white, &self.black, &self.assistant, &self.arbiter]
    }

    fn look(&self, state: &str) {
        println!("{state}");
        for seat in self.all() {
            seat.is_looked_over(state);
        }
    }

    /// White announces, his assistant confirms and executes, Black repeats by tapping.
    fn white_moves(&self, said: &str) {
        self.white.types(said);
        self.assistant.presses("bestätigt");
        self.black.taps(said);
        self.black.waits_until_gone("#repetition");
        self.white.presses("uhr");
        self.assistant.presses("ausgeführt");
    }

    fn black_announces(&self, said: &str) {
        self.black.waits_for("#clocks", "Schwarz ist am Zug.");
        self.black.taps(said);
        self.white.waits_for("#cards", "Bitte wiederholen");
    }

    fn black_ends(&self, said: &str) {
        self.black.clicks_on("uhr");
        self.white.types(said);
        self.white.waits_until_gone("#repetition");
        self.white.presses("ausgeführt");
    }

    /// A pawn of Black goes as none may; the arbiter decides what is proposed.
    fn black_breaks_the_laws(&self) {
        self.black_announces("d7d3");
        self.black.clicks_on("uhr");
        self.arbiter
            .waits_for("#cards", "Regelwidriger Zug von Schwarz");
        self.look("illegal move");
        self.arbiter.decides();
        self.arbiter.waits_for("#clocks", "Die Uhren stehen.");
        self.look("stopped");
        // He may change his mind, and decides it all the same.
        self.arbiter.takes_back();
        self.arbiter
            .waits_for("#cards", "Regelwidriger Zug von Schwarz");
        self.arbiter.decides();
        self.arbiter.waits_for("#cards", "Entschieden:");
        self.arbiter.presses("weiter");
    }

    fn black_claims(&self) {
        self.black.clicks_on("reklamation stellung");
        self.black.waits_for("#cards", "Ja");
        self.look("claim asked back");
        // Looking takes longer than anybody is waited for.
        self.black.waits_until_gone("#confirmation");
        self.black.clicks_on("reklamation stellung");
        self.black.clicks_on("ja");
        self.arbiter.waits_for("#cards", "reklamiert");
        self.look("claim");
        self.arbiter.decides();
    }

    fn black_offers(&self) {
        self.black.clicks_on("remis");
        self.black.clicks_on("ja");
        self.white.waits_for("#cards", "bietet Remis an");
        self.look("draw offered");
    }
}

fn sit_down_in<'a>(
    browser: &'a Browser,
    pages: &Pages,
    looks: &'a Looks,
    language: &str,
) -> Table<'a> {
    let enters = |role, pin| Seat::enters(browser, pages, looks, (role, language), pin);
    Table {
        white: enters("white", None),
        black: enters("black", None),
        assistant: enters("assistant-white", Some(("4711", true))),
        arbiter: enters("arbiter", Some((PIN, false))),
    }
}

fn left(table: &Table<'_>, game: Talk) {
    game.leave();
    for seat in table.all() {
        seat.waits_for("#network", "Das Programm wurde verlassen.");
    }
    table.look("left");
}

#[test]
#[ignore = "long, and needs a browser: make soak"]
fn a_whole_game_in_a_browser() {
    let Some(browser) = Browser::start() else {
        println!("skipped: there is no chromium with chromedriver in /usr/bin");
        return;
    };
    let home = Home::new();
    let (game, pages) = Pages::start(&home, PIN, &["--time", "2h"]);
    let looks = Looks::default();
    let table = sit_down_in(&browser, &pages, &looks, "de");
    table.look("before the game");
    table.arbiter.presses("anfang");
    table.black.waits_for("#clocks", "Weiß ist am Zug.");
    for (ply, said) in MOVES.into_iter().enumerate() {
        if ply.is_multiple_of(2) {
            table.white_moves(said);
            continue;
        }
        match ply {
            3 => table.black_breaks_the_laws(),
            9 => table.black_claims(),
            _ => {}
        }
        table.black_announces(said);
        if ply == 11 {
            table.black_offers();
        }
        table.black_ends(said);
        if ply == 11 {
            table.white.presses("abgelehnt");
        }
        if matches!(ply, 1 | 13) {
            table.look("playing");
        }
    }
    table.arbiter.waits_for("#cards", "mattgesetzt");
    table.look("mate");
    table.arbiter.decides_gravely();
    table.arbiter.waits_for("#clocks", "zu Ende");
    table.white.presses("unterschrift");
    table.black.clicks_on("unterschrift");
    table.look("ended");
    left(&table, game);
    looks.are_good(&browser);
}
