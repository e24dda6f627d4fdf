//! The course: somebody who makes every mistake that it names learns the whole of it, in the real
//! program, by typing in every language and by voice.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the program and reads its files"
)]

use crate::common;
#[cfg(all(feature = "audio", feature = "recognizer"))]
use crate::room;

use annexd::notation::{Announcement, Said, Style, typed, words};
use annexd::phrases::{Argument, Language, Phrase, PhraseKey as Key};
use annexd::shell::config::data;
use common::{Home, Talk};
use shakmaty::Square;

/// What is read or heard after something was done. Moves are written as a German types them.
enum Read {
    Says(Key),
    Names(Key, Square),
    Tells(Key, &'static str),
    Lesson(Key, u32),
    Announces(&'static str),
}

use Read::{Announces, Lesson, Names, Says, Tells};

const E4: &str = "bauer eva zwei eva vier";
const E5: &str = "bauer eva sieben eva fünf";
const D4: &str = "bauer david zwei david vier";

/// What is done in each lesson, as a German types it, and what is read then. What is wrong is told
/// with what to do.
const LESSONS: [&[(&str, Read)]; 8] = [
    &[
        (NONSENSE, Names(Key::LearnAskSquare, Square::E2)),
        ("wiederholen", Names(Key::LearnAskSquare, Square::E2)),
        ("feld e4", Says(Key::LearnOtherSquare)),
        ("feld e2", Names(Key::LearnAskSquare, Square::G1)),
        ("feld g1", Names(Key::LearnAskSquare, Square::D5)),
        ("feld d5", Lesson(Key::LearnDone, 1)),
    ],
    &[
        (E4, Says(Key::LearnBegin)),
        ("ja", Tells(Key::LearnSay, E4)),
        (D4, Says(Key::LearnOtherMove)),
        (
            "korrektur bauer eva zwei eva vier",
            Tells(Key::LearnSay, "Sg1f3"),
        ),
        // Now it is illegal.
        (E4, Says(Key::LearnOtherMove)),
        ("zeit", Tells(Key::LearnSay, "Sg1f3")),
        ("korrektur Sg1f3", Tells(Key::LearnSay, "Lf1c4")),
        ("Lf1c4", Tells(Key::LearnSay, "0-0")),
        ("0-0", Lesson(Key::LearnDone, 2)),
    ],
    &[
        ("korrektur", Says(Key::AnnounceAgain)),
        ("Sg1f3", Tells(Key::LearnShort, "Sd2")),
        ("Sg1f3", Says(Key::LearnOtherMove)),
        ("korrektur", Tells(Key::LearnShort, "Sd2")),
        ("Sd2", Names(Key::LearnFrom, Square::B1)),
        ("f3", Says(Key::LearnOtherMove)),
        ("korrektur Sb1d2", Lesson(Key::LearnDone, 3)),
    ],
    &[
        (
            "bauer david sieben david fünf",
            Says(Key::LearnRepeatDiffers),
        ),
        ("wiederholen", Announces(E5)),
        (E5, Tells(Key::LearnSay, "Sg1f3")),
        ("Sg1f3", Announces("Sb8c6")),
        ("wiederholen", Says(Key::LearnRepeat)),
        ("Sb8c6", Lesson(Key::LearnDone, 4)),
    ],
    &[
        ("uhr drücken", Says(Key::LearnPressEarly)),
        (E4, Says(Key::LearnPress)),
        (
            "korrektur bauer david zwei david vier",
            Tells(Key::LearnSay, E4),
        ),
        ("korrektur bauer eva zwei eva vier", Says(Key::LearnPress)),
        ("uhr drücken", Announces(E5)),
        (E5, Tells(Key::LearnWhole, "Sg1f3")),
        ("Sg1f3", Announces("Sg1f3")),
        ("uhr drücken", Lesson(Key::LearnDone, 5)),
    ],
    &[
        ("hilfe", Says(Key::LearnAskTime)),
        ("zeit", Says(Key::LearnAskAllTimes)),
        ("uhr vorlesen", Says(Key::LearnAskLastMove)),
        ("letzter zug", Says(Key::LearnAskHelp)),
        ("hilfe", Lesson(Key::LearnDone, 6)),
    ],
    &[
        ("remis", Says(Key::ConfirmOffer)),
        ("ja", Tells(Key::LearnSay, "Td2d3")),
        ("Td2d3", Says(Key::LearnOffer)),
        ("remis", Says(Key::ConfirmOffer)),
        ("nein", Says(Key::LearnOffer)),
        ("remis", Says(Key::ConfirmOffer)),
        ("ja", Says(Key::LearnPress)),
        ("uhr drücken", Says(Key::LearnClaim)),
        ("reklamation stellung", Says(Key::ConfirmClaim)),
        ("ja", Says(Key::LearnOtherClaim)),
        ("nein", Says(Key::PlayGoesOn)),
        ("reklamation fünfzig züge", Says(Key::ConfirmClaim)),
        ("ja", Says(Key::BothConfirm)),
        ("ja", Lesson(Key::LearnDone, 7)),
    ],
    &[
        ("ja", Tells(Key::LearnWhole, E4)),
        (D4, Says(Key::LearnOtherMove)),
        ("uhr drücken", Says(Key::LearnBegin)),
        ("ja", Tells(Key::LearnWhole, E4)),
        (E4, Announces(E4)),
        ("uhr drücken", Announces(E5)),
        (E5, Tells(Key::LearnWhole, "Lf1c4")),
        ("Lf1c4", Announces("Lf1c4")),
        ("uhr drücken", Announces("Sb8c6")),
        ("Sb8c6", Tells(Key::LearnWhole, "Dd1h5")),
        ("Dd1h5", Announces("Dd1h5")),
        ("uhr drücken", Announces("Sg8f6")),
        ("Sg8f6", Tells(Key::LearnWhole, "Dh5xf7")),
        ("Dh5xf7", Announces("Dh5xf7")),
        ("uhr drücken", Says(Key::LearnAllDone)),
    ],
];

/// What nobody understands.
const NONSENSE: &str = "blubb";

/// What is read before each lesson begins with the learner.
const BEGINS: [Read; 8] = [
    Names(Key::LearnAskSquare, Square::E2),
    Says(Key::LearnBegin),
    Tells(Key::LearnCorrect, "Sg1f3"),
    Announces(E5),
    Tells(Key::LearnSay, E4),
    Says(Key::LearnAskTime),
    Tells(Key::LearnSay, "Td2d3"),
    Says(Key::LearnBegin),
];

/// The mistakes that the course names.
const MISTAKES: [Key; 6] = [
    Key::LearnOtherSquare,
    Key::LearnOtherMove,
    Key::LearnRepeatDiffers,
    Key::LearnPressEarly,
    Key::LearnOtherClaim,
    Key::LearnAgain,
];

/// Somebody who learns in a language.
struct Learner {
    german: Language,
    own: Language,
}

impl Learner {
    fn of(code: &str) -> Self {
        Self {
            german: data::language("de").unwrap(),
            own: data::language(code).unwrap(),
        }
    }

    fn move_of(&self, german: &str) -> Announcement {
        match typed(self.german.lexicon(), german).as_slice() {
            [Said::Move(announcement)] => announcement.clone(),
            other => panic!("{german}: {other:?}"),
        }
    }

    fn move_words(&self, announcement: &Announcement) -> String {
        words(self.own.lexicon(), announcement, Style::Long).join(" ")
    }

    /// What this is in his language.
    fn line(&self, german: &str) -> String {
        let command = |name: &str| {
            let mut phrases = self.own.lexicon().phrases();
            let found = phrases.find(|(command, _)| command.word() == name);
            found.unwrap().1.join(" ")
        };
        match typed(self.german.lexicon(), german).as_slice() {
            [Said::Command(said)] => command(said.word()),
            [Said::Move(announcement)] => self.move_words(announcement),
            [Said::Correction(None)] => command("correct"),
            [Said::Correction(Some(announcement))] => {
                format!("{} {}", command("correct"), self.move_words(announcement))
            }
            [Said::Square(square)] => self.after_colon(&Names(Key::LearnFrom, *square)),
            _ => match german.strip_prefix("feld ").map(str::parse) {
                Some(square) => self.after_colon(&Names(Key::LearnAskSquare, square.unwrap())),
                None => german.to_owned(),
            },
        }
    }

    /// What the course says that is to be said.
    fn after_colon(&self, read: &Read) -> String {
        let told = self.text(read);
        let (_, words) = told.rsplit_once(": ").unwrap();
        words.trim_end_matches('.').to_owned()
    }

    /// What he reads or hears.
    fn text(&self, read: &Read) -> String {
        let phrase = |key, argument| self.own.text(&Phrase::new(key, [argument]));
        match read {
            Says(key) => self.own.text(&(*key).into()),
            Names(key, square) => phrase(*key, Argument::Square(*square)),
            Tells(key, german) => phrase(*key, Argument::Move(self.move_of(german))),
            Lesson(key, number) => phrase(*key, Argument::Number(*number)),
            Announces(german) => phrase(Key::Announced, Argument::Move(self.move_of(german))),
        }
    }

    /// Types a line, and waits until this is read once more.
    #[track_caller]
    fn types(&self, talk: &mut Talk, line: &str, read: &Read) {
        let read = self.text(read);
        let before = count(&talk.lines(), &read);
        talk.types(&self.line(line));
        talk.wait_for(&read, before + 1);
    }

    /// All the course, in two goes.
    fn learns_all(&self, code: &str) {
        let home = Home::new();
        let mut talk = home.start(&["learn", "--text", "--language", code]);
        talk.wait_for(&self.text(&BEGINS[0]), 1);
        for (line, read) in LESSONS[0] {
            self.types(&mut talk, line, read);
        }
        let asks = self.own.text(&Key::WelcomeAsks.into());
        talk.wait_for(&asks, 1);
        self.types(&mut talk, "ja", &BEGINS[1]);
        talk.types("quit");
        let (status, mut read) = talk.left();
        assert_eq!(status, Some(0), "{read:#?}");
        let kept = read.iter().any(|line| line.contains("annexd resume"));
        assert!(!kept, "a lesson is no game to go on with: {read:#?}");

        // The same lesson again, and all that follow, in the language that the program answers in.
        let mut again = home.command(&["learn", "--text"]);
        again.env("ANNEXD_LANGUAGE", code);
        let mut talk = Talk::with(again);
        talk.wait_for(&self.text(&BEGINS[1]), 1);
        for (number, lesson) in LESSONS.iter().enumerate().skip(1) {
            for (line, read) in *lesson {
                self.types(&mut talk, line, read);
            }
            if let Some(begins) = BEGINS.get(number + 1) {
                talk.wait_for(&asks, number);
                self.types(&mut talk, "ja", begins);
            }
        }
        talk.types("quit");
        let (status, lines) = talk.left();
        assert_eq!(status, Some(0), "{lines:#?}");
        read.extend(lines);
        for mistake in MISTAKES {
            let told = count(&read, &self.text(&Says(mistake)));
            assert!(told > 0, "{code}: {mistake:?} was not made");
        }
        assert_eq!(count(&read, &self.text(&Says(Key::LearnAgain))), 1);
        // What was learnt is no game of his.
        assert!(!home.games().exists() || home.games().read_dir().unwrap().next().is_none());
    }
}

/// How often this was read.
fn count(lines: &[String], part: &str) -> usize {
    lines.iter().filter(|line| line.contains(part)).count()
}

#[test]
fn whoever_makes_every_mistake_learns_all_lessons_and_goes_on_where_he_stopped() {
    for code in ["de", "en", "sv", "da"] {
        Learner::of(code).learns_all(code);
    }
}

/// By voice alone, from the first question to the last lesson. Nothing is typed.
#[cfg(all(feature = "audio", feature = "recognizer"))]
#[test]
#[ignore = "a quarter of an hour in real time, for make soak"]
fn the_course_is_learnt_by_voice_alone() {
    use std::time::Instant;

    let Some(room) = room::Room::furnished("learn", &[], &["mouth"]) else {
        return;
    };
    let home = Home::new();
    let learner = Learner::of("de");
    let started = Instant::now();
    let mut player = room::player::Player::starts(room, home.command(&["learn"]));
    player.waits_for(&learner.text(&BEGINS[0]), 1);
    for (number, lesson) in LESSONS.iter().enumerate() {
        for (line, read) in *lesson {
            // What is no word of annexd's is not heard at all.
            if *line == NONSENSE {
                continue;
            }
            player.says(&learner.line(line), &learner.text(read));
        }
        eprintln!("lesson {} after {:?}", number + 1, started.elapsed());
        player.waits_for(&learner.text(&Says(Key::WelcomeAsks)), number + 1);
        match BEGINS.get(number + 1) {
            Some(begins) => player.says("Ja", &learner.text(begins)),
            None => player.says("Drei", "Drei: Ende."),
        }
    }
    eprintln!("said again: {} of {}", player.again, player.said);
    let read = player.leaves();
    for mistake in MISTAKES {
        let told = count(&read, &learner.text(&Says(mistake)));
        assert!(told > 0, "{mistake:?} was not made");
    }
}

/// The course tells what to say: those are the words that are understood.
#[test]
fn the_course_names_the_words_of_the_commands() {
    use annexd::notation::{Command, CommandName};

    for code in ["de", "en", "sv", "da"] {
        let language = data::language(code).unwrap();
        for (key, command) in [
            (Key::LearnBegin, Command::Yes),
            (Key::LearnHearAgain, Command::Repeat),
            (Key::LearnRepeatDiffers, Command::Repeat),
            (Key::LearnPress, Command::Press),
            (Key::LearnAskTime, Command::Time),
            (Key::LearnAskAllTimes, Command::TimeInFull),
            (Key::LearnAskLastMove, Command::LastMove),
            (Key::LearnAskHelp, Command::Help),
            (Key::LearnOffer, Command::OfferDraw),
            (Key::LearnOffer, Command::Yes),
            (Key::LearnClaim, Command::ClaimFiftyMoves),
            (Key::LearnOtherClaim, Command::No),
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
