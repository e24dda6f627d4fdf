//! One evening at the consoles: who has never sat there decides what comes, without a manual.
#![cfg(unix)]

use crate::common;

use common::{Home, Talk};

const PIN: &str = "730512";

/// A rated game with a blind player at his own terminal, and the consoles of these roles.
fn table(home: &Home, more: &[&str], roles: &[&str]) -> (Talk, Vec<Talk>) {
    let pin = home.pin_file(PIN);
    let usual = ["play", "--text", "--name", "ev", "--mode", "rated"];
    let rest = ["--blind", "white", "--arbiter-pin-file", &pin];
    let game = home.start(&[&usual[..], &rest[..], more].concat());
    game.wait_for("Hilfe sagt", 1);
    let consoles = roles.iter().map(|role| {
        let console = home.console("ev", role, PIN);
        console.wait_for("Das ist die Konsole", 1);
        console
    });
    let consoles: Vec<Talk> = consoles.collect();
    (game, consoles)
}

/// Types a line, and waits for what has to come, so often that it has come once more.
fn types(who: &mut Talk, line: &str, comes: &str) {
    let times = who.lines().iter().filter(|it| it.contains(comes)).count();
    who.types(line);
    who.wait_for(comes, times + 1);
}

#[test]
fn an_arbiter_decides_a_whole_evening_without_a_manual() {
    let home = Home::new();
    let roles = ["arbiter", "assistant", "opponent"];
    let (mut white, mut consoles) = table(&home, &["--time", "60m", "--assistant"], &roles);
    let [arbiter, assistant, black] = consoles.as_mut_slice() else {
        unreachable!()
    };
    arbiter.wait_for("Jetzt: genehmigt NAME, anfang, hilfe", 1);
    types(arbiter, "genehmigt Frau Holm", "Jetzt: anfang, hilfe");
    types(
        arbiter,
        "anfang",
        "Uhr: Weiß 1:00:00 läuft, Schwarz 1:00:00",
    );
    arbiter.wait_for("Jetzt: anhalten,", 1);
    types(&mut white, "e2e4", "Tisch: Eva zwei Eva vier");
    for sighted in [&*arbiter, &*assistant, &*black] {
        sighted.wait_for("Zug: 1. Weiß e2e4", 1);
    }
    white.types("gezogen");
    types(&mut white, "uhr", "Gedrückt.");
    types(black, "wiederholung e2e4", "Richtig wiederholt.");

    touched_piece(&home, arbiter, assistant, black);
    illegal_move(arbiter, &mut white);
    claim_and_comparison(arbiter, &mut white);
    // The player at the terminal stops no arbiter's game by one word.
    types(&mut white, "ende", "tippt noch einmal: ende");
    fallen_flag(arbiter);
    white.leave();
}

/// A touched piece, and a move that does not keep to it. Another console of the arbiter begins with
/// what waits.
fn touched_piece(home: &Home, arbiter: &mut Talk, assistant: &mut Talk, black: &mut Talk) {
    types(assistant, "berührt d7", "Gemeldet.");
    arbiter.wait_for("Vorschlag: 1: annehmen 1, verwerfen 1", 1);
    let mut second = home.console("ev", "arbiter", PIN);
    second.wait_for("Vorschlag: 1: Schwarz soll berührt haben", 1);
    second.wait_for("Jetzt: annehmen 1, verwerfen 1, anhalten,", 1);
    types(&mut second, "ende", "Konsole geschlossen");
    types(
        arbiter,
        "?",
        "Zu entscheiden: 1: Schwarz soll berührt haben",
    );
    types(arbiter, "annehmen 1", "Die Berührung durch Schwarz bindet.");
    types(black, "e7e5", "Tisch: Eva sieben Eva fünf");
    types(black, "uhr", "läuft, Schwarz");
    arbiter.wait_for("Vorschlag: 2: annehmen 2, verwerfen 2", 1);
    types(
        arbiter,
        "annehmen 2",
        "Die Stellung nach dem ersten Halbzug gilt.",
    );
    arbiter.wait_for("Vorschlag: 3: annehmen 3, verwerfen 3", 1);
    arbiter.types("verwerfen 3");
    types(arbiter, "weiter", "Es geht weiter.");
    types(black, "d7d5", "Zug: 1. Schwarz d7d5");
    types(black, "uhr", "läuft, Schwarz");
}

/// An illegal move. A key that goes back is asked back.
fn illegal_move(arbiter: &mut Talk, white: &mut Talk) {
    types(white, "wiederholung d7d5", "Richtig wiederholt.");
    types(white, "Lf1b7", "Läufer Felix eins Bella sieben");
    white.types("gezogen");
    types(white, "uhr", "Gedrückt.");
    arbiter.wait_for("Vorschlag: 4: annehmen 4, verwerfen 4", 1);
    arbiter.wait_for(
        "Begründung: 4: Regelwidrig, weil die Figur so nicht zieht.",
        1,
    );
    types(arbiter, "j", "Bitte bestätigen: ");
    types(arbiter, "j", "Die Stellung nach zwei Halbzügen gilt.");
    arbiter.wait_for("Vorschlag: 5: annehmen 5, verwerfen 5", 1);
    arbiter.types("n");
    types(arbiter, "weiter", "Es geht weiter.");
}

/// A claim has its own two words, whatever annexd thinks of it; and no letter and no half line ends
/// or rewinds a game.
fn claim_and_comparison(arbiter: &mut Talk, white: &mut Talk) {
    types(white, "reklamation stellung", "Wirklich reklamieren?");
    types(white, "ja", "Die Uhren sind angehalten.");
    arbiter.wait_for("Vorschlag: 6: Die Reklamation ist unberechtigt.", 1);
    arbiter.wait_for("Vorschlag: 6: berechtigt, unberechtigt", 1);
    types(arbiter, "unberechtigt", "Es geht weiter.");
    types(
        arbiter,
        "vergleich",
        "Beide Notationen stimmen bis zum Ende überein",
    );
    types(arbiter, "x", "wurde nicht verstanden");
    types(arbiter, "zurück 1", "Bitte bestätigen: ");
    types(arbiter, "nein", "Gut, dann nicht.");
}

/// A fallen flag is observed, and then ends the game.
fn fallen_flag(arbiter: &mut Talk) {
    types(arbiter, "setze weiß 0:01", "Uhr: Weiß 0:00:01");
    types(arbiter, "weiter", "Es geht weiter.");
    arbiter.wait_for("Feststellen: Das Blättchen von Weiß ist gefallen.", 1);
    types(arbiter, "annehmen", "Schwarz gewinnt.");
    types(arbiter, "annehmen", "Bitte bestätigen: ");
    types(arbiter, "ja", "Ende: 0-1, Artikel 6.9");
}

/// An assistant without duties reads so, and how the arbiter gives them.
#[test]
fn an_assistant_without_duties_is_told_how_he_gets_them() {
    let home = Home::new();
    let (game, mut consoles) = table(&home, &["--time", "60m"], &["arbiter", "assistant"]);
    let [arbiter, assistant] = consoles.as_mut_slice() else {
        unreachable!()
    };
    assistant.wait_for(
        "Der Schiedsrichter gibt sie an seiner Konsole: aufgaben weiß alle",
        1,
    );
    types(arbiter, "genehmigt Frau Holm", "Jetzt: anfang");
    types(arbiter, "anfang", "Die Partie beginnt.");
    types(assistant, "berührt d7", "Diese Aufgabe haben Sie nicht.");
    arbiter.types("aufgaben weiß alle");
    assistant.wait_for("Jetzt: bestätigt, falsch, ausgeführt, uhr, berührt,", 1);
    types(assistant, "berührt d7", "Gemeldet.");
    game.leave();
}

/// A board is shown to whoever sees, and to a blind player only where it may be read to him.
#[test]
fn a_diagram_is_shown_on_request() {
    let home = Home::new();
    let roles = ["arbiter", "opponent"];
    let (mut white, mut consoles) = table(&home, &["--time", "60m"], &roles);
    let [arbiter, black] = consoles.as_mut_slice() else {
        unreachable!()
    };
    types(arbiter, "#", "Hinweis: Brett von Weiß");
    arbiter.wait_for("Hinweis: T S L D K L S T 1", 2);
    types(black, "diagramm", "Hinweis: h g f e d c b a");
    black.wait_for("Hinweis: Brett von Schwarz", 1);
    types(&mut white, "diagramm", "Das Brett wird nicht vorgelesen.");
    white.leave();
}
