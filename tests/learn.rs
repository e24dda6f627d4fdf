//! The course: somebody who makes every mistake that it names learns the whole of it, in the real
//! program, by typing.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the program and reads its files"
)]

use crate::common;

use annexd::phrases::{Argument, Phrase, PhraseKey};
use annexd::shell::config::data;
use common::{Home, Talk};
use shakmaty::Square;

/// What is typed, and what is read then. What is wrong is told with what to do.
const LESSONS: [&[(&str, &str)]; 8] = [
    &[
        ("blubb", "Sagen Sie: Stellung Eva zwei"),
        ("stellung e4", "Das war ein anderes Feld"),
        ("stellung e2", "Sagen Sie: Stellung Gustav eins"),
        ("stellung g1", "Sagen Sie: Stellung David fünf"),
        ("stellung d5", "Lektion eins ist geschafft"),
    ],
    &[
        ("e2e4", "Sagen Sie: Ja"),
        ("ja", "Sagen Sie: Bauer Eva zwei Eva vier"),
        ("d2d4", "Das war ein anderer Zug"),
        ("korrektur e2e4", "Sagen Sie: Springer Gustav eins"),
        ("Sg1f3", "Sagen Sie: Läufer Felix eins Cesar vier"),
        ("Lf1c4", "Sagen Sie: Kurze Rochade"),
        ("0-0", "Lektion zwei ist geschafft"),
    ],
    &[
        ("korrektur", "Bitte neu ansagen"),
        ("Sg1f3", "Sagen Sie nur: Springer David zwei"),
        ("Sd2", "das Startfeld: Bella eins"),
        ("f3", "Das war ein anderer Zug"),
        ("korrektur Sb1d2", "Lektion drei ist geschafft"),
    ],
    &[
        ("d7d5", "Das war nicht seine Ansage"),
        ("wiederholen", "Bauer Eva sieben Eva fünf"),
        ("e7e5", "Sagen Sie: Springer Gustav eins"),
        ("Sg1f3", "sagt: Wiederholen. Tun Sie das"),
        ("wiederholen", "Wiederholen Sie ihn Wort für Wort"),
        ("Sb8c6", "Lektion vier ist geschafft"),
    ],
    &[
        ("uhr", "Erst ansagen, dann drücken"),
        ("e2e4", "Sagen Sie: Uhr drücken"),
        ("uhr", "Wiederholen Sie ihn Wort für Wort"),
        ("e7e5", "die Uhr drücken: Springer Gustav eins"),
        ("Sg1f3", "Springer Gustav eins Felix drei"),
        ("uhr drücken", "Lektion fünf ist geschafft"),
    ],
    &[
        ("hilfe", "Sagen Sie: Zeit"),
        ("zeit", "Sagen Sie: Uhr vorlesen"),
        ("uhr vorlesen", "Sagen Sie: Letzter Zug"),
        ("letzter zug", "sagt: Hilfe"),
        ("hilfe", "Lektion sechs ist geschafft"),
    ],
    &[
        ("Td2d3", "Sagen Sie: Remis"),
        ("remis", "Remis anbieten? Ja oder nein"),
        ("ja", "Sagen Sie: Uhr drücken"),
        ("uhr", "Sagen Sie: Reklamation fünfzig Züge"),
        ("reklamation stellung", "Wirklich reklamieren? Ja oder nein"),
        ("ja", "Das war es noch nicht"),
        ("nein", "Die Reklamation von Weiß ist abgelehnt"),
        (
            "reklamation fünfzig züge",
            "Wirklich reklamieren? Ja oder nein",
        ),
        ("ja", "Bitte antworten beide"),
        ("ja", "Lektion sieben ist geschafft"),
    ],
    &[
        ("ja", "Uhr drücken: Bauer Eva zwei Eva vier"),
        ("d2d4", "Das war ein anderer Zug"),
        ("uhr", "Sagen Sie: Ja"),
        ("ja", "Uhr drücken: Bauer Eva zwei Eva vier"),
        ("e2e4", "Eva zwei Eva vier"),
        ("uhr", "Bauer Eva sieben Eva fünf"),
        ("e7e5", "Uhr drücken: Läufer Felix eins"),
        ("Lf1c4", "Läufer Felix eins Cesar vier"),
        ("uhr", "Springer Bella acht Cesar sechs"),
        ("Sb8c6", "Uhr drücken: Dame David eins"),
        ("Dd1h5", "Dame David eins Hector fünf"),
        ("uhr", "Springer Gustav acht Felix sechs"),
        ("Sg8f6", "Uhr drücken: Dame Hector fünf schlägt"),
        ("Dh5xf7", "Dame Hector fünf schlägt Felix sieben"),
        ("uhr", "Sie kennen jetzt alles"),
    ],
];

/// What is read before each lesson begins with the learner.
const BEGINS: [&str; 8] = [
    "Sagen Sie: Stellung Eva zwei",
    "Sagen Sie: Ja",
    "Und dann: Springer Gustav eins Felix drei",
    "Bauer Eva sieben Eva fünf",
    "Sagen Sie: Bauer Eva zwei Eva vier",
    "Sagen Sie: Zeit",
    "Sagen Sie: Turm David zwei David drei",
    "Sagen Sie: Ja",
];

/// How often this was read.
fn count(talk: &Talk, part: &str) -> usize {
    count_in(&talk.lines(), part)
}

fn count_in(lines: &[String], part: &str) -> usize {
    lines.iter().filter(|line| line.contains(part)).count()
}

/// Types a line, and waits until this is read once more.
#[track_caller]
fn answer(talk: &mut Talk, line: &str, read: &str) {
    let before = count(talk, read);
    talk.types(line);
    talk.wait_for(read, before + 1);
}

#[test]
fn whoever_makes_every_mistake_learns_all_lessons_and_goes_on_where_he_stopped() {
    let home = Home::new();
    let mut talk = home.start(&["learn", "--text"]);
    talk.wait_for("Lektion eins, Felder", 1);
    talk.wait_for("Sagen Sie: Stellung Eva zwei", 1);
    for (line, read) in LESSONS[0] {
        answer(&mut talk, line, read);
    }
    talk.wait_for("Eins: Lektion zwei, Züge ansagen.", 1);
    answer(&mut talk, "ja", "Sagen Sie: Ja");
    talk.types("ende");
    let (status, lines) = talk.left();
    assert_eq!(status, Some(0), "{lines:#?}");
    assert!(
        !lines.iter().any(|line| line.contains("annexd resume")),
        "a lesson is no game to go on with: {lines:#?}"
    );

    // The same lesson again, and all that follow.
    let mut talk = home.start(&["learn", "--text"]);
    talk.wait_for("Lektion zwei, Züge ansagen", 1);
    talk.wait_for("Sagen Sie: Ja", 1);
    for (learnt, lesson) in (1..).zip(&LESSONS[1..]) {
        for (line, read) in *lesson {
            answer(&mut talk, line, read);
        }
        talk.wait_for("Zwei: noch einmal.", learnt);
        if learnt + 1 < LESSONS.len() {
            answer(&mut talk, "", BEGINS[learnt + 1]);
        }
    }
    talk.types("ende");
    let (status, lines) = talk.left();
    assert_eq!(status, Some(0), "{lines:#?}");
    assert_eq!(count_in(&lines, "So geht die Lektion nicht weiter"), 1);
    // What was learnt is no game of his.
    assert!(!home.games().exists() || home.games().read_dir().unwrap().next().is_none());
}

#[test]
fn the_first_lesson_is_given_in_every_language() {
    for (language, asked, other, done) in [
        (
            "de",
            "stellung e2",
            "Das war ein anderes Feld",
            "Lektion eins ist geschafft",
        ),
        (
            "en",
            "board e2",
            "That was another square",
            "Lesson one is done",
        ),
        (
            "sv",
            "ställning e2",
            "Det var en annan ruta",
            "Lektion ett är klar",
        ),
        (
            "da",
            "stilling e2",
            "Det var et andet felt",
            "Lektion et er klaret",
        ),
    ] {
        let home = Home::new();
        let mut talk = home.start(&["learn", "--text", "--language", language]);
        let words = data::language(language).unwrap();
        let asks = |square| {
            let asks = Phrase::new(PhraseKey::LearnAskSquare, [Argument::Square(square)]);
            words.text(&asks)
        };
        talk.wait_for(&asks(Square::E2), 1);
        answer(&mut talk, &asked.replace("e2", "a8"), other);
        for (square, next) in [("e2", Square::G1), ("g1", Square::D5)] {
            answer(&mut talk, &asked.replace("e2", square), &asks(next));
        }
        answer(&mut talk, &asked.replace("e2", "d5"), done);
        talk.leave();
    }
}

/// The course tells what to say: those are the words that are understood.
#[test]
fn the_course_names_the_words_of_the_commands() {
    use annexd::notation::{Command, CommandName};

    for code in ["de", "en", "sv", "da"] {
        let language = data::language(code).unwrap();
        for (key, command) in [
            (PhraseKey::LearnBegin, Command::Yes),
            (PhraseKey::LearnHearAgain, Command::Repeat),
            (PhraseKey::LearnRepeatDiffers, Command::Repeat),
            (PhraseKey::LearnPress, Command::Press),
            (PhraseKey::LearnAskTime, Command::Time),
            (PhraseKey::LearnAskAllTimes, Command::TimeInFull),
            (PhraseKey::LearnAskLastMove, Command::LastMove),
            (PhraseKey::LearnAskHelp, Command::Help),
            (PhraseKey::LearnOffer, Command::OfferDraw),
            (PhraseKey::LearnOffer, Command::Yes),
            (PhraseKey::LearnClaim, Command::ClaimFiftyMoves),
            (PhraseKey::LearnOtherClaim, Command::No),
        ] {
            let mut phrases = language.lexicon().phrases();
            let words = phrases.find(|(name, _)| *name == CommandName::Command(command));
            let words = words.unwrap().1.join(" ");
            let text = language.text(&key.into()).to_lowercase();
            assert!(
                text.contains(&words),
                "{code}: {key:?} lacks {words:?}: {text}"
            );
        }
    }
}
