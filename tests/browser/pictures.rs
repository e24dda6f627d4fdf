//! The pictures of pages in the documents, made of the program as it is: `REVIEW=1` writes them.

use std::path::Path;

use super::common::Home;
use super::common::served::Pages;
use super::driver::Browser;
use super::seat::{Looks, Seat};
use super::{PIN, sit_down_in};

/// A screen of a laptop, and one of a telephone.
const LAPTOP: (u32, u32) = (1280, 900);
const TELEPHONE: (u32, u32) = (360, 780);

#[test]
#[ignore = "needs a browser, and writes only when it is asked to"]
fn pictures_of_the_documents() {
    let Some(browser) = Browser::start() else {
        println!("skipped: there is no chromium with chromedriver in /usr/bin");
        return;
    };
    let home = Home::new();
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    let settings = "[game.sides.white]\nduties = [\"execute\", \"announce\", \"claim\"]\n";
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
    let (game, pages) = Pages::start(&home, PIN, &["--time", "90m+30s"]);
    let looks = Looks::briefly();
    let table = sit_down_in(&browser, &pages, &looks, "en");
    table.arbiter.types("start");
    table.white.types("Ng1f3");
    table.assistant.waits_until_there("#heard");
    is_pictured(&table.assistant, "assistant", LAPTOP, 1.0);
    is_pictured(&table.black, "opponent", TELEPHONE, 1.0);
    table.assistant.types("confirm");
    table.black.taps("g1f3");
    table.black.waits_until_gone("#repetition");
    table.assistant.types("executed");
    table.white.types("press");
    table.black.waits_until_there(".clock.runs:nth-child(2)");
    // A pawn goes as none may.
    table.black.taps("d7d4");
    table.white.waits_until_there("#repetition");
    is_pictured(&table.white, "player", LAPTOP, 1.0);
    table.black.types("press");
    table.arbiter.waits_until_there("#proposal-1");
    is_pictured(&table.arbiter, "arbiter", LAPTOP, 1.0);
    game.leave();
}

fn is_pictured(seat: &Seat<'_>, name: &str, size: (u32, u32), scale: f64) {
    let picture = seat.is_pictured(size, scale);
    assert!(picture.len() > 10_000, "{name}: {}", picture.len());
    if std::env::var_os("REVIEW").is_some() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        std::fs::write(docs.join(format!("pages-{name}.png")), picture).unwrap();
    }
}
