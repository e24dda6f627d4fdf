//! An adjourned game with the real program: the move is sealed under the arbiter's passphrase, the
//! game left, and resumed in each way that Guideline E knows, by what everybody types.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use crate::common;

use common::{Home, text};

const PASSPHRASE: &str = "ein langer Abend";
const ARBITER: &str = "schiedsrichter 7305: ";

/// What the arbiter types.
fn rules(line: &str) -> String {
    format!("{ARBITER}{line}")
}

fn opens() -> String {
    rules(&format!("öffnen {PASSPHRASE}"))
}

/// Two moves are played and White's next one is sealed, a knight's; the program is left.
fn adjourned(home: &Home, with: &[&str]) {
    std::fs::create_dir(home.path("config/annexd")).unwrap();
    let settings = "[game]\nmode = \"club\"\narbiter = true\nadjournment = true\n";
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
    let command = ["play", "--text", "--name", "g", "--time", "90m+30s"];
    let pin = home.pin_file("7305");
    let command = [&command[..], &["--arbiter-pin-file", &pin], with].concat();
    let mut game = home.start(&command);
    for line in [
        &rules("anfang"),
        "weiß: e2e4",
        "weiß: uhr",
        "schwarz: e2e4",
        "schwarz: e7e5",
        "schwarz: uhr",
        "weiß: e7e5",
        &rules("abbruch"),
        PASSPHRASE,
        "weiß: abgabezug Sg1f3",
        "weiß: uhr",
    ] {
        game.types(line);
    }
    game.wait_for("Die Partie ist vertagt", 1);
    let lines = game.leave().join("\n");
    assert!(!lines.contains("Felix drei"), "{lines}");
    let listed = text(&home.run(&["games", "--json"]));
    assert!(listed.contains("\"standing\":\"adjourned\""), "{listed}");
}

/// Resumes, types these lines, waits for the last words, and gives all that was shown and recorded.
fn resumed(home: &Home, typed: &[&str], last: &str) -> (String, String) {
    let mut game = home.start(&["resume", "g", "--text"]);
    for line in typed {
        game.types(line);
    }
    game.wait_for(last, 1);
    let shown = game.leave().join("\n");
    let verified = home.run(&["verify", "g"]);
    assert!(verified.status.success(), "{}", text(&verified));
    (shown, text(&home.run(&["show", "g", "--jsonl"])))
}

const SEALED: &str = "Springer Gustav eins Felix drei";

#[test]
fn with_both_there_the_sealed_move_is_played_and_the_repliers_clock_starts() {
    let home = Home::new();
    adjourned(&home, &[]);
    let (resume, open) = (rules("wiederaufnahme beide"), opens());
    let typed = [
        resume.as_str(),
        &open,
        "schwarz: Sg1f3",
        "schwarz: ausgeführt",
        "weiß: gezogen",
        "schwarz: Sb8c6",
        "schwarz: uhr",
    ];
    let (shown, record) = resumed(&home, &typed, "Springer Bella acht Cesar sechs");
    assert!(shown.contains(SEALED), "{shown}");
    for key in [
        "envelope_can_be_opened",
        "clock_waits_for_boards",
        "play_goes_on",
    ] {
        assert!(record.contains(key), "{key}");
    }
    let score = text(&home.run(&["show", "g"]));
    assert!(score.contains("2. Nf3"), "{score}");
}

#[test]
fn without_the_replier_the_envelope_stays_closed_and_his_clock_runs() {
    let home = Home::new();
    adjourned(&home, &[]);
    let (resume, open) = (rules("wiederaufnahme abgebender"), opens());
    let early = [resume.as_str(), &open, "weiß: zug"];
    let mut game = home.start(&["resume", "g", "--text"]);
    for line in early {
        game.types(line);
    }
    game.types("schwarz: hier");
    game.types(&open);
    game.wait_for(SEALED, 1);
    game.leave();
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    let place = |key: &str| record.find(key).unwrap_or_else(|| panic!("{key}"));
    assert!(place("repliers_clock_runs") < place("replier_absent"));
    assert!(place("replier_absent") < place("came_late"));
    assert!(place("came_late") < record.rfind("\"to\":\"f3\"").unwrap());
}

#[test]
fn without_the_sealer_the_replier_may_seal_his_reply_and_his_words_stay_locked() {
    let home = Home::new();
    adjourned(&home, &[]);
    let (resume, open) = (rules("wiederaufnahme antwortender"), opens());
    let mut game = home.start(&["resume", "g", "--text"]);
    for line in [
        resume.as_str(),
        &open,
        "schwarz: ausgeführt",
        "schwarz: abgabezug Sb8c6",
        "schwarz: uhr",
    ] {
        game.types(line);
    }
    game.wait_for("Schwarz hat die Antwort abgegeben", 1);
    let before = game.lines().join("\n");
    assert!(!before.contains("Cesar sechs"), "{before}");
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert!(record.contains("may_seal_reply"), "{record}");
    assert!(!record.contains("\"to\":\"c6\""), "{record}");
    game.types("weiß: hier");
    game.types("weiß: gezogen");
    game.types(&open);
    game.wait_for("Springer Bella acht Cesar sechs", 1);
    game.leave();
}

#[test]
fn with_nobody_there_the_replier_loses_the_time() {
    let home = Home::new();
    adjourned(&home, &[]);
    let resume = rules("wiederaufnahme niemand");
    let typed = [resume.as_str(), "schwarz: hier", "weiß: hier", &opens()];
    let (_, record) = resumed(&home, &typed, SEALED);
    assert!(
        record.contains("arbiter_decides_absence") || record.contains("replier_loses_time"),
        "{record}"
    );
    assert_eq!(record.matches("\"came_late\"").count(), 2);
}

#[test]
fn a_missing_envelope_is_replaced_by_the_sealers_word_or_a_new_game() {
    let home = Home::new();
    adjourned(&home, &[]);
    let (missing, resume) = (rules("fehlt"), rules("wiederaufnahme beide"));
    let typed = [missing.as_str(), &resume, "weiß: abgegeben Sg1f3"];
    let (_, record) = resumed(&home, &typed, SEALED);
    assert!(record.contains("sealer_says"), "{record}");

    let home = Home::new();
    adjourned(&home, &[]);
    let (lost, accepted) = (rules("fehlt position"), rules("annehmen 1"));
    let (shown, _) = resumed(&home, &[&lost, &accepted], "Kein Ergebnis");
    assert!(shown.contains("Die Partie ist ungültig"), "{shown}");
}

#[test]
fn a_wrong_passphrase_opens_nothing_and_a_wrong_time_is_told() {
    let home = Home::new();
    adjourned(&home, &[]);
    let (resume, wrong) = (
        rules("wiederaufnahme beide"),
        rules("öffnen ein kurzer Tag"),
    );
    let mut game = home.start(&["resume", "g", "--text"]);
    game.types(&resume);
    game.types(&wrong);
    game.wait_for("Die Losung ist falsch", 1);
    let shown = game.lines().join("\n");
    assert!(!shown.contains("Felix drei"), "{shown}");
    for line in [
        opens().as_str(),
        "schwarz: ausgeführt",
        "weiß: gezogen",
        &rules("meldung schwarz clock set wrong"),
        &rules("setze schwarz 1:00:00"),
    ] {
        game.types(line);
    }
    game.wait_for("Es geht weiter", 1);
    game.leave();
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    for key in ["wrong_time_correct", "clock_set"] {
        assert!(record.contains(key), "{key}");
    }
}

#[test]
fn who_resigns_before_the_envelope_is_opened_has_lost() {
    let home = Home::new();
    adjourned(&home, &[]);
    let typed = ["schwarz: aufgabe", "schwarz: ja"];
    let (shown, _) = resumed(&home, &typed, "1-0");
    assert!(!shown.contains("Felix drei"), "{shown}");
}
