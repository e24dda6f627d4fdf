//! The controls: the tables of `docs/controls.md` are made from the data, and a virtual gamepad
//! does what they say.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the project's files and starts the pad, and fails where they fail"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use annexd::game::{
    Command, Effect, Game, Heard, Input, MicrophoneState, Origin, Profile, Question, Ruling, Said,
};
use annexd::moment::Moment;
use annexd::notation::{Lexicon, understand};
use annexd::persons::{Channel, Person};
use annexd::phrases::{Argument, Phrase, PhraseKey};
use annexd::shell::config::data;
use annexd::shell::consoles::languages::ConsoleLanguages;
use annexd::shell::consoles::words::ConsoleWords;
use annexd::shell::table::{Reader as _, Report, Seat};
use annexd::shell::typed::controls::{Control, Controls, Unkeyed, Unsaid};
use annexd::shell::typed::line::{Keys, Typist, Vocabulary};
use shakmaty::{Color, File, Rank, Role, Square};

const PERSONS: [(&str, Person); 3] = [
    ("Player", Person::Player(Color::White)),
    ("Assistant", Person::Assistant(Color::White)),
    ("Arbiter", Person::Arbiter),
];

fn controls(person: Person) -> Controls {
    Controls::load(person, &BTreeMap::new(), &BTreeMap::new()).unwrap()
}

/// A page of the controls: its language, where it stands, and its words.
struct Page {
    language: &'static str,
    file: &'static str,
    begins: &'static str,
    persons: [&'static str; 3],
    columns: &'static str,
    /// Why no key or no button alone does something: in the order of [`Page::unkeyed`].
    unkeyed: [&'static str; 2],
    /// Whether something is said, and why not: in the order of [`Page::said`].
    said: [&'static str; 6],
    ends: &'static str,
}

const PAGES: [Page; 2] = [
    Page {
        language: "en",
        file: "docs/controls.md",
        begins: "# Controls\n\n\
            [Deutsch](de/controls.md). More is in the [README](../README.md).\n\n\
            Everything can be typed or done with a gamepad, and what a player does can be said.\n\
            Nobody's voice is an arbiter's, and an assistant has no microphone.\n\
            A key is one letter, typed alone and followed by Enter.\n\
            Two buttons with a plus: hold the first.\n\
            `?u` or `? uhr` tells what that does. With a gamepad hold `select` and press another \
            button.\n\
            `hilfe` names the topics, `hilfe fragen` what belongs to one.\n\
            The [settings](settings.md) change any of them: `[gamepad]` with `south = \"no\"`, \
            `[keys]` with `y = \"yes\"`.\n\
            This page is made from `assets/controls.toml` and `grammar` by \
            `REVIEW=1 cargo test --test whole controls::`.\n",
        persons: ["Player", "Assistant", "Arbiter"],
        columns: "typed | typed at an English console | key | gamepad | said | which means",
        unkeyed: ["with its words", "typed in full"],
        said: [
            "yes",
            "for the eye",
            "by key: what is said then is not recorded",
            "a key of the microphone",
            "free words",
            "console only",
        ],
        ends: "\n## Tones\n\n\
            Each is for one player, in his ear, or at the table if he has none.\n\n\
            - Heard, one high tone: your repetition or press was taken.\n\
            - Not understood or refused, two falling low tones: also for what you say while your \
            own ear speaks.\n\
            - Your turn, two rising tones: your clock was started.\n\
            - Listening, one middle tone.\n\n\
            A terminal on which a blind player reads what is his alone shows a press and his turn \
            as a line.\n\
            Each can be turned off: `heard`, `not_understood`, `your_turn`, `listening = false` \
            under `[voice.earcons]`.\n",
    },
    Page {
        language: "de",
        file: "docs/de/controls.md",
        begins: "# Befehle\n\n\
            [English](../controls.md). Mehr steht in der [README](../../README.md).\n\n\
            Alles lässt sich tippen oder mit dem Gamepad tun, und was ein Spieler tut, auch \
            sagen.\n\
            Keine Stimme ist die des Schiedsrichters, und ein Assistent hat kein Mikrofon.\n\
            Eine Taste ist ein einzelner Buchstabe, dann Enter.\n\
            Zwei Knöpfe mit Plus: den ersten halten.\n\
            `?u` oder `? uhr` sagt, was das tut. Am Gamepad `select` halten und einen anderen \
            Knopf drücken.\n\
            `hilfe` nennt die Themen, `hilfe fragen`, was zu einem gehört.\n\
            Die [Einstellungen](../settings.md) ändern jeden davon: `[gamepad]` mit \
            `south = \"no\"`, `[keys]` mit `y = \"yes\"`.\n\
            Diese Seite entsteht aus `assets/controls.toml` und `grammar` durch \
            `REVIEW=1 cargo test --test whole controls::`.\n",
        persons: ["Spieler", "Assistent", "Schiedsrichter"],
        columns: "getippt | Taste | Gamepad | gesagt | was es tut",
        unkeyed: ["mit Angabe", "ausgeschrieben"],
        said: [
            "ja",
            "fürs Auge",
            "per Taste: was dann gesagt wird, steht in keinem Protokoll",
            "eine Taste des Mikrofons",
            "freie Worte",
            "nur an der Konsole",
        ],
        ends: "\n## Töne\n\n\
            Jeder gilt einem Spieler, in seinem Kopfhörer, oder am Tisch, wenn er keinen hat.\n\n\
            - Gehört, ein hoher Ton: Ihre Wiederholung oder Ihr Drücken wurde angenommen.\n\
            - Nicht verstanden oder abgelehnt, zwei fallende tiefe Töne: auch für das, was Sie \
            sagen, während Ihr eigener Kopfhörer spricht.\n\
            - Sie sind am Zug, zwei steigende Töne: Ihre Uhr läuft.\n\
            - Es wird zugehört, ein mittlerer Ton.\n\n\
            Ein Terminal, an dem ein Blinder liest, was nur ihn angeht, zeigt sein Drücken und \
            dass er am Zug ist, als Zeile.\n\
            Jeder lässt sich abschalten: `heard`, `not_understood`, `your_turn`, \
            `listening = false` unter `[voice.earcons]`.\n",
    },
];

impl Page {
    /// Whether a spoken word does something, and else why not.
    fn said(&self, unsaid: Option<Unsaid>) -> &'static str {
        let [yes, eye, record, device, words, console] = self.said;
        match unsaid {
            None => yes,
            Some(Unsaid::Eye) => eye,
            Some(Unsaid::Record) => record,
            Some(Unsaid::Device) => device,
            Some(Unsaid::Words) => words,
            Some(Unsaid::Console) => console,
        }
    }

    /// Why no key or no button alone does something.
    fn unkeyed(&self, control: &Control) -> &'static str {
        let [words, grave] = self.unkeyed;
        match control.unkeyed.unwrap() {
            Unkeyed::Words => words,
            Unkeyed::Grave => grave,
        }
    }

    /// The page as the data has it.
    fn text(&self) -> String {
        let language = data::language(self.language).unwrap();
        let german = data::language("de").unwrap();
        let rule = "---|".repeat(self.columns.split('|').count());
        let mut page = self.begins.to_owned();
        for (title, (_, person)) in self.persons.into_iter().zip(PERSONS) {
            write!(page, "\n## {title}\n\n| {} |\n|{rule}\n", self.columns).unwrap();
            let controls = controls(person);
            for control in controls.all() {
                let name = control.function.word();
                page.push_str("| ");
                page.push_str(german.typed(name).unwrap());
                if self.language != "de" {
                    write!(page, " | {}", language.typed(name).unwrap()).unwrap();
                }
                let key = controls.key_of(control.function);
                let unkeyed = || self.unkeyed(control);
                let key = key.map_or_else(|| unkeyed().to_owned(), |key| format!("`{key}`"));
                let pad = controls.pad_of(control.function).unwrap_or_else(unkeyed);
                let mut spoken = german.lexicon().phrases();
                let spoken = spoken.find(|(command, _)| command.word() == name);
                let spoken = spoken.filter(|_| control.unsaid.is_none());
                let spoken = spoken.map(|(_, words)| words.join(" "));
                let said = control.said.clone().or(spoken);
                let said = said.as_deref().unwrap_or_else(|| self.said(control.unsaid));
                let about = language.text(&about(name));
                writeln!(page, " | {key} | {pad} | {said} | {about} |").unwrap();
            }
        }
        page.push_str(self.ends);
        page
    }
}

#[test]
fn the_pages_have_the_controls_as_they_are() {
    for page in PAGES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(page.file);
        let text = page.text();
        if std::env::var_os("REVIEW").is_some() {
            fs::write(&file, text).unwrap();
            continue;
        }
        assert!(
            fs::read_to_string(&file).is_ok_and(|written| written == text),
            "{} is not what the data says: REVIEW=1 writes it anew",
            page.file
        );
    }
}

fn about(name: &str) -> Phrase {
    Phrase::new(PhraseKey::About, [Argument::Control(name.to_owned())])
}

/// "Sprechen" opens a microphone that listens to nothing, and never shuts one; who lets the key go
/// has said his words before, and hears that it listens no more.
#[test]
fn who_wants_to_talk_is_heard() {
    let words = data::grammar_text("de", "console.toml").unwrap();
    let words = ConsoleWords::parse(&words).unwrap();
    let usual = Vocabulary::new(data::language("de").unwrap(), words);
    let keys = Keys::load(&BTreeMap::new()).unwrap();
    let mut typist = Typist::new(usual, keys, ConsoleLanguages::default());
    let mut profile = Profile::default();
    profile.sides[Color::White].ear = true;
    let mut game = Game::new(profile);
    let seat = Seat::Of(Person::Player(Color::White));
    let side = Some(Color::White);
    let microphone = |state| Input::Microphone { side, state };
    let mut wants = |game: &Game| match typist.read(game, seat, "sprechen").unwrap().as_slice() {
        [Report::Input(Input::Microphone { state, .. })] => *state,
        other => panic!("{other:?}"),
    };
    assert_eq!(wants(&game), MicrophoneState::Open);
    game.handle(Moment::from_ms(1), microphone(MicrophoneState::Muted));
    assert_eq!(wants(&game), MicrophoneState::Once);
    game.handle(Moment::from_ms(2), microphone(MicrophoneState::KeyDown));
    let told = game.handle(Moment::from_ms(900), microphone(MicrophoneState::KeyUp));
    let is_told = |effect: &Effect| {
        matches!(effect, Effect::Say { channel: Channel::Ear(Color::White), phrase, .. }
            if phrase.key == PhraseKey::MicrophoneMuted)
    };
    assert!(told.iter().any(is_told), "{told:?}");
    let asked = |begun| Input::Heard {
        origin: Origin::Microphone(side),
        heard: Heard::Clear(Said::Command(Command::Turn)),
        begun: Some(Moment::from_ms(begun)),
        ended: Some(Moment::from_ms(begun + 500)),
    };
    let answers = |effects: &[Effect]| {
        let mut effects = effects.iter();
        effects.any(
            |it| matches!(it, Effect::Say { phrase, .. } if phrase.key == PhraseKey::HasTheMove),
        )
    };
    assert!(answers(&game.handle(Moment::from_ms(1500), asked(300))));
    assert!(!answers(&game.handle(Moment::from_ms(2500), asked(1100))));
}

/// Every language tells what each function does, and understands the line that it shows for it;
/// what can be said has words.
#[test]
fn every_function_is_typed_and_explained_in_every_language() {
    for code in ["de", "da", "sv", "en"] {
        let words = data::grammar_text(code, "console.toml").unwrap();
        let words = ConsoleWords::parse(&words).unwrap();
        let language = data::language(code).unwrap();
        let usual = Vocabulary::new(language.clone(), words);
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(usual, keys, ConsoleLanguages::default());
        let lexicon = language.lexicon();
        let spoken = |name: &str| lexicon.phrases().any(|(command, _)| command.word() == name);
        for (title, person) in PERSONS {
            let controls = controls(person);
            // What an arbiter does the players do together where there is none.
            let game = Game::new(Profile {
                arbiter: person == Person::Arbiter,
                table_language: Some(code.to_owned()),
                ..Profile::default()
            });
            for control in controls.all() {
                let name = control.function.word();
                let at = format!("{code}, {title}, {name}");
                assert!(!language.text(&about(name)).is_empty(), "{at}");
                let typed = language.typed(name).unwrap_or_else(|| panic!("{at}"));
                let seat = Seat::Of(person);
                let read = typist.read(&game, seat, typed);
                assert!(
                    read.as_ref().is_ok_and(|it| !it.is_empty()),
                    "{at}: {read:?}"
                );
                if let Some(key) = controls.key_of(control.function) {
                    let by_key = typist.read(&game, seat, &key.to_string());
                    assert_eq!(format!("{by_key:?}"), format!("{read:?}"), "{at}");
                    let asked = typist.read(&game, seat, &format!("?{key}"));
                    let told = vec![Report::Tell {
                        seat,
                        phrase: about(name),
                    }];
                    assert_eq!(format!("{:?}", asked.unwrap()), format!("{told:?}"), "{at}");
                }
                if code == "de" && control.unsaid.is_none() {
                    let moves = ["announce", "repeat_move", "seal"].contains(&name);
                    let is_said = match &control.said {
                        Some(said) => means_one_thing(lexicon, said),
                        None => spoken(name) || moves,
                    };
                    assert!(is_said, "{at} cannot be said");
                }
            }
        }
    }
}

/// Whether words that are said mean one thing.
fn means_one_thing(lexicon: &Lexicon, said: &str) -> bool {
    let said = said.to_lowercase();
    let words: Vec<&str> = said.split(' ').collect();
    understand(lexicon, &words).len() == 1
}

/// What a key means, wherever several functions are the same for different people.
fn meaning(function: &str) -> &str {
    match function {
        "yes" | "confirm" | "accept_proposal" => "yes",
        "no" | "reject" | "dismiss_proposal" => "no",
        "executed" | "executed_here" => "executed",
        other => other,
    }
}

/// Whoever goes from one console of a table to another finds each key where it was, in every
/// language; and none ends a game or rewinds it for the arbiter.
#[test]
fn a_key_means_the_same_at_every_console() {
    let mut means: BTreeMap<(&str, char), String> = BTreeMap::new();
    for code in ["de", "da", "sv", "en"] {
        let language = data::language(code).unwrap();
        for (title, person) in PERSONS {
            let controls = controls(person);
            for key in (' '..='~').chain('\u{a0}'..='\u{17f}') {
                let Some(function) = controls.key(key) else {
                    continue;
                };
                let at = format!("{code}, {title}, {key}");
                assert!(language.typed(function.word()).is_some(), "{at}");
                let meant = meaning(function.word());
                let first = means.entry((code, key)).or_insert_with(|| meant.to_owned());
                assert_eq!(first, meant, "{at}");
            }
            let ends = ["annul", "restore", "agreed", "result", "set_position"];
            for control in controls.all() {
                let function = control.function;
                assert!(
                    controls.key_of(function).is_none() || !ends.contains(&function.word()),
                    "{title}, {function:?}"
                );
            }
        }
    }
    assert!(means.len() > 200, "{}", means.len());
}

/// What is asked about board and score is the same in every language, with all that people add.
#[test]
fn questions_are_typed_in_every_language() {
    let pieces = |role, side| Question::Pieces { role, side };
    let asked = [
        ("ask_square", Question::Square(Square::E4)),
        ("ask_file", Question::File(File::E)),
        ("ask_rank", Question::Rank(Rank::Fourth)),
        ("ask_diagonals", Question::Diagonals(Square::E4)),
        ("ask_pieces", pieces(Role::Knight, None)),
        ("ask_pawns", pieces(Role::Pawn, None)),
        ("ask_side", Question::Side(Color::White)),
        ("ask_material", Question::Material),
        ("ask_taken", Question::Taken),
        ("ask_last_moves", Question::LastMoves(5)),
        ("ask_moves_from", Question::MovesFrom(10)),
    ];
    let commands = [
        ("time_in_full", Command::TimeInFull),
        ("why", Command::Why),
        ("shorter", Command::Shorter),
        ("longer", Command::Longer),
        ("read_board", Command::ReadBoard),
        ("next_item", Command::NextItem),
        ("previous_item", Command::PreviousItem),
    ];
    let in_german = [
        (
            "wo sind die Türme von Schwarz?",
            pieces(Role::Rook, Some(Color::Black)),
        ),
        ("wo läufer weiß", pieces(Role::Bishop, Some(Color::White))),
        ("Linie Anna", Question::File(File::A)),
        ("reihe acht", Question::Rank(Rank::Eighth)),
        ("feld Hektor 7", Question::Square(Square::H7)),
        ("letzte 3", Question::LastMoves(3)),
        ("partie ab Zug 41.", Question::MovesFrom(41)),
    ];
    let seat = Seat::Of(Person::Player(Color::White));
    for code in ["de", "da", "sv", "en"] {
        let words = data::grammar_text(code, "console.toml").unwrap();
        let language = data::language(code).unwrap();
        let usual = Vocabulary::new(language.clone(), ConsoleWords::parse(&words).unwrap());
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(usual, keys, ConsoleLanguages::default());
        let game = Game::new(Profile {
            table_language: Some(code.to_owned()),
            ..Profile::default()
        });
        let mut said = |line: &str| match typist.read(&game, seat, line).unwrap().as_slice() {
            [
                Report::Input(Input::Heard {
                    heard: Heard::Clear(said),
                    ..
                }),
            ] => said.clone(),
            other => panic!("{code}, {line}: {other:?}"),
        };
        let typed = |name| language.typed(name).unwrap();
        for (name, question) in asked {
            assert_eq!(
                said(typed(name)),
                Said::Question(question),
                "{code}, {name}"
            );
        }
        for (name, command) in commands {
            assert_eq!(said(typed(name)), Said::Command(command), "{code}, {name}");
        }
        for (line, question) in in_german.iter().filter(|_| code == "de") {
            assert_eq!(said(line), Said::Question(*question), "{line}");
        }
    }
}

/// A move may be typed with what people add to it, and with the dash that scores are printed with.
#[test]
fn what_people_add_to_a_move_changes_nothing() {
    let seat = Seat::Of(Person::Player(Color::White));
    for (code, line, plain) in [
        ("sv", "Sg1–f3", "Sg1-f3"),
        ("sv", "0–0", "0-0"),
        ("sv", "nej, springaren g1 f3", "springare g1 f3"),
        ("sv", "springare g1 slår på f3", "springare g1 slår f3"),
        ("sv", "bonde e4 tar d5, tack!", "bonde e4 slår d5"),
        ("sv", "tid, tack", "tid"),
        ("sv", "vad står på e4?", "ruta e4"),
        ("de", "Sg1–f3", "Sg1-f3"),
        ("de", "nein, Springer g1 f3", "Springer g1 f3"),
        ("de", "was steht auf e4", "feld e4"),
        ("da", "Sg1–f3", "Sg1-f3"),
        ("en", "Ng1–f3", "Ng1-f3"),
        ("en", "what is on e4?", "square e4"),
    ] {
        let words = data::grammar_text(code, "console.toml").unwrap();
        let language = data::language(code).unwrap();
        let usual = Vocabulary::new(language, ConsoleWords::parse(&words).unwrap());
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(usual, keys, ConsoleLanguages::default());
        let game = Game::new(Profile {
            table_language: Some(code.to_owned()),
            ..Profile::default()
        });
        let meant = typist.read(&game, seat, plain);
        assert!(meant.is_ok(), "{code}, {plain}: {meant:?}");
        let read = typist.read(&game, seat, line);
        assert_eq!(format!("{read:?}"), format!("{meant:?}"), "{code}, {line}");
    }
}

/// A language is named by its code, in itself, or in the language of the console.
#[test]
fn the_language_of_the_table_is_typed_by_its_code_or_its_name() {
    let seat = Seat::Of(Person::Arbiter);
    for (code, line, named) in [
        ("sv", "språk svenska", "sv"),
        ("sv", "språk tyska", "de"),
        ("sv", "språk deutsch", "de"),
        ("sv", "språk en", "en"),
        ("de", "sprache schwedisch", "sv"),
        ("en", "language danish", "da"),
        ("en", "language svenska", "sv"),
    ] {
        let words = data::grammar_text(code, "console.toml").unwrap();
        let usual = Vocabulary::new(
            data::language(code).unwrap(),
            ConsoleWords::parse(&words).unwrap(),
        );
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(usual, keys, ConsoleLanguages::default());
        let game = Game::new(Profile {
            arbiter: true,
            table_language: Some(code.to_owned()),
            ..Profile::default()
        });
        let read = typist.read(&game, seat, line).unwrap();
        let [Report::Input(Input::Ruling(Ruling::Adapt(adapted)))] = read.as_slice() else {
            panic!("{code}, {line}: {read:?}");
        };
        assert_eq!(adapted.value, format!("[\"{named}\"]"), "{code}, {line}");
    }
}

/// What `commands.toml` lists as only typed does what its phrase does, and was nothing before: no
/// line of a control is among it.
#[test]
fn what_is_only_typed_does_what_its_phrase_does() {
    let seat = Seat::Of(Person::Player(Color::White));
    for code in ["de", "da", "sv", "en"] {
        let words = data::grammar_text(code, "console.toml").unwrap();
        let language = data::language(code).unwrap();
        let usual = Vocabulary::new(language.clone(), ConsoleWords::parse(&words).unwrap());
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(usual, keys, ConsoleLanguages::default());
        let game = Game::new(Profile {
            table_language: Some(code.to_owned()),
            ..Profile::default()
        });
        let mut of_controls = BTreeSet::new();
        for (_, person) in PERSONS {
            for control in controls(person).all() {
                of_controls.extend(language.typed(control.function.word()));
            }
        }
        let commands: toml::Table = data::grammar_text(code, "commands.toml")
            .unwrap()
            .parse()
            .unwrap();
        let mut count = 0;
        for command in commands["command"].as_array().unwrap() {
            let lines = |of: &str| command.get(of).and_then(toml::Value::as_array);
            let Some(typed) = lines("typed") else {
                continue;
            };
            let phrase = lines("phrases").unwrap()[0].as_str().unwrap();
            let meant = typist.read(&game, seat, phrase);
            assert!(meant.is_ok(), "{code}, {phrase}: {meant:?}");
            for line in typed.iter().map(|line| line.as_str().unwrap()) {
                let read = typist.read(&game, seat, line);
                assert_eq!(format!("{read:?}"), format!("{meant:?}"), "{code}, {line}");
                assert!(!of_controls.contains(line), "{code}, {line}");
                count += 1;
            }
        }
        assert!(count > 30, "{code}: {count}");
    }
}

#[cfg(all(feature = "gamepad", target_os = "linux"))]
mod pad {
    use std::process::Command;
    use std::time::Duration;

    use annexd::game::{Heard, Input, Said};
    use annexd::shell::table::inbox::channel;
    use annexd::shell::table::watchdog::Turns;
    use annexd::shell::typed::controls::Pad;
    use annexd::shell::typed::gamepad::Gamepad;

    use super::*;

    /// What is waited for comes much sooner, whatever else the machine does.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// Run inside a virtual world with a pad: prints what its buttons lead to.
    #[test]
    fn inside_a_virtual_world() {
        if std::env::var_os("ANNEXD_VIRTUAL_PAD").is_none() {
            return;
        }
        let person = Person::Player(Color::White);
        let pad = Pad::new(person, controls(person));
        let (reports, told) = channel();
        let german = data::language("de").unwrap();
        let _gamepad = Gamepad::open(pad, person, german, Turns::default(), reports).unwrap();
        // The second yes is the last. Were it never to come, the rest would be seen all the same.
        let mut yes = 0;
        while yes < 2
            && let Ok(arrived) = told.heeded().recv_timeout(PATIENCE)
        {
            match arrived.report {
                Report::Input(Input::Heard {
                    heard: Heard::Clear(Said::Command(command)),
                    ..
                }) => {
                    println!("pad: {}", command.word());
                    yes += usize::from(command.word() == "yes");
                }
                Report::Input(Input::Heard { .. }) => println!("pad: correct"),
                _ => {}
            }
        }
    }

    const PAD: &str = include_str!("gamepad/pad.umockdev");

    #[test]
    fn a_virtual_pad_does_what_the_table_says() {
        if Command::new("umockdev-run")
            .arg("--version")
            .output()
            .is_err()
        {
            eprintln!("skipped: umockdev is not installed (make setup installs it)");
            return;
        }
        assert!(PAD.contains("ID_INPUT_JOYSTICK"));
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gamepad");
        let device = "/dev/input/event5";
        let output = Command::new("umockdev-run")
            .arg("-d")
            .arg(files.join("pad.umockdev"))
            .arg("-i")
            .arg(format!("{device}={}", files.join("pad.ioctl").display()))
            .arg("-e")
            .arg(format!("{device}={}", files.join("pad.events").display()))
            .arg("--")
            .arg(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "controls::pad::inside_a_virtual_world",
                "--nocapture",
            ])
            .env("ANNEXD_VIRTUAL_PAD", "1")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let done: Vec<&str> = printed
            .lines()
            .filter_map(|line| line.split_once("pad: ").map(|(_, word)| word))
            .collect();
        assert_eq!(done, ["yes", "no", "correct", "time", "yes"], "{printed}");
    }
}
