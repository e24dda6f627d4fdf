//! What a page is shown: over all written games no word that is private to another, and of each
//! thing that can be pressed a line that is understood, in every language.
#![cfg(feature = "page")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and reads the games"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use annexd::game::scenario::Scenario;
use annexd::game::{Duty, Effect, Explanation, Game, Input, Profile, Ruling};
use annexd::moment::Moment;
use annexd::persons::Person;
use annexd::phrases::{Argument, FaultPart, Phrase};
use annexd::shell::config::data;
use annexd::shell::consoles::server::Tongues;
use annexd::shell::consoles::text_outlet::{TextOutlet, channels_of};
use annexd::shell::consoles::words::{ConsoleWords, Labels};
use annexd::shell::page::view::{Reader, view};
use annexd::shell::page::{person_of, words};
use annexd::shell::table::{Outlet as _, Reader as _, Seat};
use annexd::shell::typed::line::{Keys, Typist, Vocabulary};
use annexd_pages::{Field, Form, Role, View};
use shakmaty::Color;

fn reader(person: Person, code: &str) -> Reader {
    let words = Arc::new(words(code).unwrap());
    Reader::new(person, data::language(code).unwrap(), words)
}

fn console_words(code: &str) -> ConsoleWords {
    ConsoleWords::parse(&data::grammar_text(code, "console.toml").unwrap()).unwrap()
}

/// The written games, each with its name.
fn games() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "txt") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.display().to_string(), text));
            }
        }
    }
    assert!(found.len() > 300, "{}", found.len());
    found
}

#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Vec<u8>>>);

impl Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Everything that the page of a role gets: what it shows at each moment, and its log.
struct Watch<'a> {
    reader: &'a Reader,
    log: TextOutlet,
    shelf: Shelf,
    last: String,
    seen: String,
}

impl<'a> Watch<'a> {
    fn of(reader: &'a Reader, labels: &Labels) -> Self {
        let shelf = Shelf::default();
        let (seat, channels) = (Seat::Page(reader.person), channels_of(reader.person));
        let (out, language) = (Box::new(shelf.clone()), reader.language.clone());
        Self {
            log: TextOutlet::new(out, seat, channels, language, labels.clone(), 0),
            reader,
            shelf,
            last: String::new(),
            seen: String::new(),
        }
    }

    fn look(&mut self, now: Moment, game: &Game, explanations: &BTreeMap<u32, Explanation>) {
        let mut view = view(game, now, self.reader, explanations);
        // Pieces have no words that anybody said.
        view.boards
            .iter_mut()
            .for_each(|board| board.squares.clear());
        let shown = format!("{view:?}");
        if shown != self.last {
            self.seen.push_str(&shown);
            self.last = shown;
        }
    }
}

#[test]
fn no_page_gets_what_is_private_to_another() {
    let language = data::language("de").unwrap();
    let labels = console_words("de").labels;
    let readers = Role::ALL.map(|role| (role, reader(person_of(role).unwrap(), "de")));
    let mut faults = Vec::new();
    for (name, text) in games() {
        let scenario = Scenario::parse(&text).unwrap();
        let watches = readers.iter();
        let watches = watches.map(|(role, reader)| (*role, Watch::of(reader, &labels)));
        let mut watches: Vec<(Role, Watch<'_>)> = watches.collect();
        let mut explanations: BTreeMap<u32, Explanation> = BTreeMap::new();
        // What is said, by the channel; and what only the arbiter is shown.
        let mut said: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut shown_to_arbiter = BTreeSet::new();
        let mut has_arbiter = false;
        scenario.play_before(&mut |now, game, effects| {
            has_arbiter = game.profile().arbiter;
            for effect in effects {
                match effect {
                    Effect::Say {
                        channel, phrase, ..
                    } => {
                        let text = language.text(phrase);
                        said.entry(channel.to_string()).or_default().insert(text);
                    }
                    Effect::Propose { because, .. } => {
                        shown_to_arbiter.insert(language.text(because));
                    }
                    Effect::Explain(explanation) => {
                        let facts = explanation.facts.iter();
                        shown_to_arbiter.extend(facts.map(|fact| language.reason(fact)));
                        if let Some(number) = explanation.proposal {
                            explanations.insert(number, explanation.clone());
                        }
                    }
                    _ => {}
                }
                for (_, watch) in &mut watches {
                    watch.log.carry_out(now, game, effect);
                }
            }
            for (_, watch) in &mut watches {
                watch.look(now, game, &explanations);
            }
        });
        let shown_to_arbiter = if has_arbiter {
            shown_to_arbiter
        } else {
            BTreeSet::new()
        };
        for (role, watch) in &watches {
            for text in leaked(*role, watch, &said, &shown_to_arbiter) {
                faults.push(format!("{name}: {role:?} reads {text:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}

/// What somebody reads that was said or shown to others alone.
fn leaked(
    role: Role,
    watch: &Watch<'_>,
    said: &BTreeMap<String, BTreeSet<String>>,
    shown_to_arbiter: &BTreeSet<String>,
) -> Vec<String> {
    let log = String::from_utf8_lossy(&watch.shelf.0.lock().unwrap()).into_owned();
    let got = format!("{}{log}", watch.seen);
    let own = channels_of(person_of(role).unwrap());
    let is_own = |channel: &str| own.iter().any(|it| it.to_string() == channel);
    let (mut open, mut secret): (Vec<&String>, Vec<&String>) = (Vec::new(), Vec::new());
    for (channel, texts) in said {
        let which = if is_own(channel) {
            &mut open
        } else {
            &mut secret
        };
        which.extend(texts);
    }
    if role != Role::Arbiter {
        secret.extend(shown_to_arbiter);
    }
    // How the game stands everybody may know. A single word or a bare move is nobody's secret.
    let states = &watch.reader.words.states;
    let is_open = |text: &str| {
        open.iter().any(|it| it.contains(text)) || states.values().any(|it| it == text)
    };
    let is_telling = |text: &str| text.split_whitespace().count() > 5 && !is_open(text);
    let leaked = secret
        .into_iter()
        .filter(|it| is_telling(it) && got.contains(it.as_str()));
    leaked.cloned().collect()
}

/// All lines that a view can type; fields are filled with what they name or show.
fn lines(view: &View) -> Vec<String> {
    let buttons = view.groups.iter().flat_map(|group| &group.buttons);
    let buttons = buttons.chain(view.cards.iter().flat_map(|card| &card.buttons));
    let buttons = buttons.map(|button| button.line.clone());
    let taps = view.boards.iter().flat_map(|board| {
        let moves = board
            .squares
            .iter()
            .filter(|square| !square.from.is_empty());
        moves.map(|square| format!("{}e4", square.from))
    });
    let is_player = view.forms.iter().any(|form| form.id == "announce");
    let taps = taps.filter(|_| is_player);
    buttons
        .chain(view.forms.iter().flat_map(filled))
        .chain(taps)
        .collect()
}

/// A form with each choice that it offers.
fn filled(form: &Form) -> Vec<String> {
    let mut lines = vec![form.line.clone()];
    for (number, field) in form.fields.iter().enumerate() {
        let place = format!("{{{number}}}");
        let values: Vec<String> = match field {
            Field::Choice(_, choices) => choices.iter().map(|(value, _)| value.clone()).collect(),
            Field::Text(_, example) if example.is_empty() => vec!["Anna Holm".to_owned()],
            Field::Text(_, example) => vec![example.clone()],
            Field::Maybe(_, example) => vec![String::new(), example.clone(), "1".to_owned()],
            Field::Sheet(_) => vec!["1. e4 e5".to_owned()],
        };
        lines = lines
            .iter()
            .flat_map(|line| values.iter().map(|it| line.replace(&place, it)))
            .collect();
    }
    lines
}

fn is_not_understood(why: &Phrase) -> bool {
    let faults = why.arguments.iter();
    faults.into_iter().any(|argument| {
        matches!(argument, Argument::Fault(fault)
            if matches!(fault.part, FaultPart::Line | FaultPart::Value | FaultPart::Move))
    })
}

/// Of a penalty some fill the last field and some do not: one of them is understood.
fn without_amount(line: &str) -> Option<String> {
    let line = line.strip_prefix("penalise ")?;
    let kind = line
        .trim_end()
        .trim_end_matches(" 2m")
        .trim_end_matches(" 1");
    Some(kind.trim_end().to_owned())
}

#[test]
fn whatever_is_pressed_is_understood_in_every_language() {
    let mut profile = Profile {
        time_control: "90m+30s".parse().ok(),
        adjournment: true,
        quickplay: true,
        ..Profile::default()
    };
    for side in Color::ALL {
        profile.sides[side].duties = Duty::ALL.into_iter().collect();
    }
    let before = Game::new(profile);
    let mut playing = before.clone();
    playing.handle(Moment::START, Input::Ruling(Ruling::Start));
    let mut stopped = playing.clone();
    stopped.handle(Moment::START, Input::Ruling(Ruling::Compare));
    let mut ended = playing.clone();
    ended.handle(Moment::START, Input::Ruling(Ruling::Annul));
    let mut faults = Vec::new();
    for code in data::languages().unwrap() {
        let vocabulary = Vocabulary::new(data::language(&code).unwrap(), console_words(&code));
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(vocabulary, keys, Tongues::default());
        for (role, game) in Role::ALL
            .into_iter()
            .flat_map(|role| [&before, &playing, &stopped, &ended].map(|game| (role, game)))
        {
            let person = person_of(role).unwrap();
            let reader = reader(person, &code);
            let view = view(game, Moment::START, &reader, &BTreeMap::new());
            let (mut penalties, mut given) = (BTreeSet::new(), BTreeSet::new());
            for line in lines(&view) {
                assert!(!line.is_empty(), "{code} {role:?}");
                let read = typist.read(game, Seat::Page(person), line.trim());
                let is_taken = !read.as_ref().is_err_and(is_not_understood);
                if let Some(penalty) = without_amount(&line) {
                    if is_taken {
                        given.insert(penalty.clone());
                    }
                    penalties.insert(penalty);
                } else if !is_taken {
                    faults.push(format!("{code} {role:?}: {line}: {read:?}"));
                }
            }
            for penalty in penalties.difference(&given) {
                faults.push(format!("{code} {role:?}: no penalty is given by {penalty}"));
            }
            // A word that is missing stands there by its name.
            let labels = view.groups.iter().flat_map(|group| {
                let labels = group.buttons.iter().map(|button| &button.label);
                labels.chain([&group.title])
            });
            let titles = view.forms.iter().map(|form| &form.title);
            for label in labels.chain(titles) {
                assert!(!label.contains('_') && !label.is_empty(), "{code} {label}");
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
