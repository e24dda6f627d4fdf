//! The page of the first game: made from the lessons, for the eye and in Braille.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the project's files, and fails where they fail"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use annexd::game::lesson::{LAST, Lesson};
use annexd::phrases::{Phrase, PhraseKey};
use annexd::score::{BrailleCode, BrailleForm, BraillePage, text_to_braille};
use annexd::shell::config::data;

/// A page: its language, where it stands without its ending, and its words.
struct Page {
    language: &'static str,
    file: &'static str,
    code: BrailleCode,
    title: &'static str,
    links: &'static str,
    begins: &'static str,
    /// What is for whoever reads it here.
    forms: &'static str,
    ends: &'static str,
}

const PAGES: [Page; 2] = [
    Page {
        language: "en",
        file: "docs/first-game",
        code: BrailleCode::British,
        title: "Your first game with annexd",
        links: "[Deutsch](de/first-game.md). Other pages: [player](player.md), \
            [practice](practice.md).",
        begins: "`annexd learn` teaches all of this, lesson by lesson, each in a real game. \
            What you do wrong is told with what to do, and it goes on where you stopped.\n\
            After each lesson a number goes on or ends it. Who \
            says: I want to leave, or types `quit`, ends it at any time.\n\
            Here are its words, to be read before or beside it.\n\
            What you are to say you can also type.",
        forms: "`annexd manual first-game --aloud` reads this page to you. \
            [first-game.brf](first-game.brf) is the page in Braille, 25 lines of 40 cells.\n\
            It is made from the lessons by `REVIEW=1 cargo test --test whole first_game::`.",
        ends: "`annexd practice` goes on from there, against a chess program.",
    },
    Page {
        language: "de",
        file: "docs/de/first-game",
        code: BrailleCode::German,
        title: "Ihre erste Partie mit annexd",
        links: "[English](../first-game.md). Andere Seiten: [Spieler](player.md), \
            [Üben](../practice.md).",
        begins: "`annexd learn` bringt Ihnen das alles bei, Lektion für Lektion, jede in einer \
            echten Partie. Zu jedem Fehler sagt es, was zu tun ist, und es macht dort weiter, wo \
            Sie aufgehört haben.\n\
            Nach jeder Lektion geht es mit einer Nummer weiter oder ist Schluss. \
            Wer sagt: Ich möchte gehen, oder `ende` tippt, hört jederzeit auf.\n\
            Hier stehen seine Worte, zum Lesen vorher oder daneben.\n\
            annexd hört Deutsch. Was Sie sagen sollen, können Sie auch tippen.",
        forms: "`annexd manual first-game --language de --aloud` liest Ihnen diese Seite vor. \
            [first-game.brf](first-game.brf) ist die Seite in Braille, 25 Zeilen zu 40 Formen.\n\
            Sie entsteht aus den Lektionen durch `REVIEW=1 cargo test --test whole first_game::`.",
        ends: "Danach geht es mit `annexd practice` weiter, gegen ein Schachprogramm.",
    },
];

impl Page {
    /// What the lessons say: a heading of each, and its steps.
    fn lessons(&self, heading: &str) -> String {
        let language = data::language(self.language).unwrap();
        let mut text = String::new();
        for lesson in (1..=LAST).map(Lesson::new) {
            let name = language.text(&lesson.name());
            write!(text, "\n{heading}{name}\n\n").unwrap();
            for (number, step) in (1..).zip(lesson.script()) {
                let said: Vec<_> = step.iter().map(|phrase| language.text(phrase)).collect();
                writeln!(text, "{number}. {}", said.join(" ")).unwrap();
            }
        }
        let done = language.text(&Phrase::from(PhraseKey::LearnAllDone));
        writeln!(text, "\n{done} {}", self.ends).unwrap();
        text
    }

    fn for_the_eye(&self) -> String {
        let Self {
            title,
            links,
            begins,
            forms,
            ..
        } = self;
        let lessons = self.lessons("## ");
        format!("# {title}\n\n{links}\n\n{begins}\n\n{forms}\n{lessons}")
    }

    fn in_braille(&self) -> String {
        let text = format!("{}\n\n{}\n{}", self.title, self.begins, self.lessons(""));
        let page = BraillePage::default();
        text_to_braille(&text.replace('`', ""), self.code, BrailleForm::Brf, page)
    }
}

#[test]
fn the_pages_say_what_the_lessons_say() {
    for page in PAGES {
        for (ending, text) in [("md", page.for_the_eye()), ("brf", page.in_braille())] {
            let name = format!("{}.{ending}", page.file);
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
            if std::env::var_os("REVIEW").is_some() {
                fs::write(&file, text).unwrap();
                continue;
            }
            assert!(
                fs::read_to_string(&file).is_ok_and(|written| written == text),
                "{name} is not what the lessons say: REVIEW=1 writes it anew"
            );
        }
    }
}

#[test]
fn an_embosser_can_take_them() {
    for page in PAGES {
        let text = page.in_braille();
        for sheet in text.split('\u{c}') {
            assert!((1..=25).contains(&sheet.lines().count()), "{sheet}");
            for line in sheet.lines() {
                assert!(line.len() <= 40, "{line}");
                let is_known = |sign: char| (' '..='_').contains(&sign);
                assert!(line.chars().all(is_known), "{line}");
                // Dots 4 5 6 alone stand for what has no sign of its own.
                assert!(!line.contains('_'), "{line}");
            }
        }
    }
    // A capital is announced by dots 4 6 in German and by dot 6 in English.
    assert!(PAGES[1].in_braille().contains(".BAUER .EVA"));
    assert!(PAGES[0].in_braille().contains("PAWN ,EVA TWO"));
}
