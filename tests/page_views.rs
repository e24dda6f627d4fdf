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
use std::time::{Duration, Instant};

use annexd::game::scenario::Scenario;
use annexd::game::{
    Aid, DeviceApproval, Duty, Effect, Explanation, Game, Input, Phase, Profile, Ruling,
};
use annexd::moment::Moment;
use annexd::persons::{Channel, Person};
use annexd::phrases::{Argument, FaultPart, Phrase, PhraseKey};
use annexd::shell::config::data;
use annexd::shell::consoles::languages::ConsoleLanguages;
use annexd::shell::consoles::text_outlet::{TextOutlet, channels_of};
use annexd::shell::consoles::words::{ConsoleWords, Labels};
use annexd::shell::page::view::{Reader, view};
use annexd::shell::page::{audience_view, person_of, words};
use annexd::shell::table::{Outlet as _, Reader as _, Report, Seat};
use annexd::shell::typed::line::{Keys, Typist, Vocabulary};
use annexd_pages::{Field, Form, Role, View, sent};
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

/// Everything that the page of a role gets, byte by byte: its HTML at each moment, the files that
/// it can take away, and its log.
struct Watch<'a> {
    role: Role,
    reader: &'a Reader,
    log: TextOutlet,
    shelf: Shelf,
    begun: Instant,
    last: View,
    seen: String,
    /// What no words tell: a clock or a board that somebody must not see.
    faults: BTreeSet<&'static str>,
}

impl<'a> Watch<'a> {
    fn of(role: Role, reader: &'a Reader, labels: &Labels) -> Self {
        let shelf = Shelf::default();
        let (seat, channels) = (Seat::Page(reader.person), log_of(role));
        let (out, language) = (Box::new(shelf.clone()), reader.language.clone());
        Self {
            log: TextOutlet::new(out, seat, channels, language, labels.clone(), 0),
            role,
            reader,
            shelf,
            begun: Instant::now(),
            last: View::default(),
            seen: String::new(),
            faults: BTreeSet::new(),
        }
    }

    fn look(&mut self, now: Moment, game: &Game, explanations: &BTreeMap<u32, Explanation>) {
        let mut view = match self.role {
            Role::Audience => audience_view(game, now, self.reader, Duration::ZERO),
            _ => view(game, now, self.reader, explanations),
        };
        let side = match self.role {
            Role::White => Some(Color::White),
            Role::Black => Some(Color::Black),
            _ => None,
        };
        if side.is_some_and(|side| game.profile().is_visually_disabled(side)) {
            // Times and position are aids, told on request or not at all (D.2.10.4, 11.3.1).
            if view.clocks.is_some() {
                self.faults.insert("a clock");
            }
            if !view.boards.is_empty() && !game.profile().aids.contains(&Aid::Board) {
                self.faults.insert("a board");
            }
        }
        // What is proposed stands first, and stands out.
        let is_accepted = |card: &annexd_pages::Card| card.buttons[0].line.starts_with("accept ");
        let mut proposals = view
            .cards
            .iter()
            .filter(|it| it.id.starts_with("proposal-"));
        if !proposals.all(is_accepted) {
            self.faults.insert("a proposal that does not stand first");
        }
        // A clock that runs tells nothing else.
        if let Some(clocks) = &mut view.clocks {
            clocks.read = self.begun;
            clocks
                .sides
                .iter_mut()
                .for_each(|it| it.left = Duration::ZERO);
        }
        if view != self.last {
            let html = sent(self.role, &self.reader.words, &view);
            self.seen.push_str(&unescaped(&html));
            self.seen.extend(view.files.iter().map(|file| &*file.text));
            self.last = view;
        }
    }
}

/// What the log of a page shows; an audience has none.
fn log_of(role: Role) -> Vec<Channel> {
    person_of(role).map(channels_of).unwrap_or_default()
}

fn unescaped(html: &str) -> String {
    let html = html.replace("&quot;", "\"").replace("&lt;", "<");
    html.replace("&gt;", ">").replace("&amp;", "&")
}

#[test]
fn no_page_gets_what_is_private_to_another() {
    let language = data::language("de").unwrap();
    let labels = console_words("de").labels;
    let seats = Role::ALL.map(|role| (role, reader(person_of(role).unwrap(), "de")));
    let onlooker = reader(Person::Player(Color::White), "de");
    let readers: Vec<_> = seats
        .into_iter()
        .chain([(Role::Audience, onlooker)])
        .collect();
    let mut faults = Vec::new();
    for (name, text) in games() {
        let scenario = Scenario::parse(&text).unwrap();
        let watches = readers.iter();
        let watches = watches.map(|(role, reader)| (*role, Watch::of(*role, reader, &labels)));
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
            for what in &watch.faults {
                faults.push(format!("{name}: {role:?} sees {what}"));
            }
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
    let own = match role {
        Role::Audience => vec![Channel::Table],
        _ => log_of(role),
    };
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
    let cards = view.cards.iter().chain(&view.decided);
    let buttons = buttons.chain(cards.flat_map(|card| &card.buttons));
    let buttons = buttons.map(|button| button.line.clone());
    let forms = view.cards.iter().filter_map(|card| card.form.as_ref());
    let forms = forms.chain(&view.forms);
    let taps = view.boards.iter().flat_map(|board| {
        let moves = board
            .squares
            .iter()
            .filter(|square| !square.from.is_empty());
        moves.map(|square| format!("{}e4", square.from))
    });
    let is_player = view.forms.iter().any(|form| form.id == "announce");
    let taps = taps.filter(|_| is_player);
    buttons.chain(forms.flat_map(filled)).chain(taps).collect()
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
            Field::Usual(_, words) => vec![words.clone()],
            Field::Maybe(_, example) => vec![String::new(), example.clone(), "1".to_owned()],
            Field::Sheet(_) => vec!["1. e4 e5".to_owned()],
            Field::Secret(_) => vec!["a long passphrase of nobody".to_owned()],
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

/// A game as it stands after this.
fn played(text: &str) -> (Game, BTreeMap<u32, Explanation>) {
    let mut last = None;
    let mut explanations = BTreeMap::new();
    let scenario = Scenario::parse(text).unwrap();
    scenario.play_before(&mut |_, game, effects| {
        for effect in effects {
            if let Effect::Explain(explanation) = effect
                && let Some(number) = explanation.proposal
            {
                explanations.insert(number, explanation.clone());
            }
        }
        last = Some(game.clone());
    });
    (last.unwrap(), explanations)
}

/// Where an adjourned game stands the arbiter can print, and nobody reads the sealed move there.
#[test]
fn the_score_of_an_adjourned_game_is_for_the_arbiter() {
    let game = adjourned_by(
        "0:10 both play e2e4 e7e5\n0:20 arbiter adjourns\n0:30 white seals Ng1f3\n\
         0:31 white presses",
    );
    assert_eq!(game.phase(), Phase::Adjourned);
    let files = |person| {
        let reader = reader(person, "en");
        view(&game, Moment::START, &reader, &BTreeMap::new()).files
    };
    let sheets = files(Person::Arbiter);
    assert_eq!(sheets.len(), 4);
    let printed = sheets.iter().filter(|file| file.name.ends_with(".html"));
    for file in printed {
        assert!(file.text.contains("Position after move 1 of Black"));
        assert!(!file.text.contains("f3"), "{}", file.text);
    }
    assert!(files(Person::Player(Color::White)).is_empty());
}

fn adjourned_by(events: &str) -> Game {
    let text = format!(
        "profile clock=90m+30s adjournment\nwhite blind\nblack sighted\n\
         0:00 arbiter starts\n{events}\n"
    );
    played(&text).0
}

/// The arbiter sees what he approves with the program, and does it where he sees it (11.3.2).
#[test]
fn an_arbiter_sees_what_he_approves() {
    let mut profile = Profile {
        aids: [Aid::Board].into(),
        ..Profile::default()
    };
    profile.sides[Color::White].duties = [Duty::Execute].into();
    profile.sides[Color::White].announced_by_program = true;
    let mut game = Game::new(profile);
    let mut reader = reader(Person::Arbiter, "en");
    let of = |game: &Game, reader: &Reader| view(game, Moment::START, reader, &BTreeMap::new());
    let before = of(&game, &reader);
    let card = before.cards.first().unwrap();
    assert_eq!(card.title, "The program is not approved as a device.");
    for article in ["11.3.2", "(11.3.1)", "(D.2.10.1)", "(D.2.10.2)"] {
        let is_there = card.lines.iter().any(|line| line.contains(article));
        assert!(is_there, "{article}: {:?}", card.lines);
    }
    let form = card.form.as_ref().unwrap();
    assert_eq!((form.fields.len(), &*form.line), (2, "approve {0}, {1}"));
    assert!(!before.forms.iter().any(|form| form.id == "approve"));
    // An audience is asked for only where there can be one.
    reader.has_audience = true;
    let form = of(&game, &reader).cards[0].form.clone().unwrap();
    assert!(matches!(form.fields.last(), Some(Field::Choice(_, choices)) if choices.len() == 2));
    let approval = DeviceApproval {
        by: "A. Arbiter".to_owned(),
        scope: "no network".to_owned(),
    };
    game.handle(
        Moment::START,
        Input::Ruling(Ruling::ApproveDevice(approval)),
    );
    let after = of(&game, &reader);
    assert!(after.cards.is_empty(), "{:?}", after.cards);
    assert!(!after.forms.iter().any(|form| form.id == "approve"));
}

/// Over all written games each proposal can be decided otherwise where it stands: by a button that
/// is understood, or a form that is there.
#[test]
fn what_else_can_be_decided_stands_at_the_proposal() {
    let reader = reader(Person::Arbiter, "en");
    let (mut buttons, mut penalties) = (BTreeSet::new(), BTreeSet::new());
    for (name, text) in games() {
        let mut explanations = BTreeMap::new();
        Scenario::parse(&text)
            .unwrap()
            .play_before(&mut |now, game, effects| {
                for effect in effects {
                    if let Effect::Explain(explanation) = effect
                        && let Some(number) = explanation.proposal
                    {
                        explanations.insert(number, explanation.clone());
                    }
                }
                let view = view(game, now, &reader, &explanations);
                for card in &view.cards {
                    buttons.extend(card.buttons.iter().map(|it| it.line.clone()));
                    for (_, link) in &card.links {
                        let is_there = view.forms.iter().any(|form| form.id == *link);
                        let is_over = game.phase() == Phase::Ended;
                        assert!(is_there || is_over, "{name}: {link}");
                    }
                    // What a card asks has its form in it, for the side that is meant.
                    let forms = card.form.iter().filter(|form| form.id.contains("penalise"));
                    penalties.extend(forms.map(|form| (form.line.clone(), kinds_of(form))));
                }
            });
    }
    for line in ["justified", "unjustified", "decide reject"] {
        assert!(buttons.contains(line), "{line}: {buttons:?}");
    }
    // Not every edition knows all of them.
    let counts: BTreeSet<usize> = penalties.iter().map(|(_, count)| *count).collect();
    assert!(counts.contains(&9) && counts.len() > 1, "{penalties:?}");
    let lines = Color::ALL.map(|side| format!("penalise {side} {{0}} {{1}}"));
    assert!(penalties.iter().all(|(line, _)| lines.contains(line)));
}

/// How many kinds a form lists.
fn kinds_of(form: &Form) -> usize {
    let lists = form.fields.iter().map(|field| match field {
        Field::Choice(_, choices) => choices.len(),
        _ => 0,
    });
    lists.sum()
}

/// What the arbiter has decided stands on his page alone, with what it means to take it back and a
/// button for that; at a console he is asked before.
#[test]
fn what_was_decided_last_can_be_taken_back() {
    let (mut game, _) = played(
        "profile clock=90m+30s\nwhite blind\nblack sighted\n0:00 arbiter starts\n\
         0:10 both play e2e4 e7e5\n0:20 arbiter restores 1\n",
    );
    let of = |game: &Game, person| {
        let now = Moment::from_ms(30_000);
        view(game, now, &reader(person, "en"), &BTreeMap::new()).decided
    };
    let card = of(&game, Person::Arbiter).unwrap();
    let begins = "Decided: Go back to the position after move";
    assert!(card.title.starts_with(begins), "{}", card.title);
    assert!(card.lines[0].contains("of Black."), "{:?}", card.lines);
    assert_eq!(card.buttons[0].line, "takeback");
    assert!(card.buttons[0].is_grave);
    for side in Color::ALL {
        assert_eq!(of(&game, Person::Player(side)), None);
        assert_eq!(of(&game, Person::Assistant(side)), None);
    }
    let vocabulary = Vocabulary::new(data::language("en").unwrap(), console_words("en"));
    let keys = Keys::load(&BTreeMap::new()).unwrap();
    let mut typist = Typist::new(vocabulary, keys, ConsoleLanguages::default());
    let page = typist.read(&game, Seat::Page(Person::Arbiter), "takeback");
    assert!(page.is_ok(), "{page:?}");
    let console = Seat::Of(Person::Arbiter);
    let asked = typist.read(&game, console, "takeback").unwrap_err();
    assert_eq!(asked.key, PhraseKey::ConfirmRuling);
    let done = typist.read(&game, console, "yes").unwrap();
    let [Report::Input(input)] = done.as_slice() else {
        panic!("{done:?}");
    };
    game.handle(Moment::from_ms(40_000), input.clone());
    assert_eq!((game.plies(), of(&game, Person::Arbiter)), (2, None));
    // What strikes a result out with the signatures under it is asked back as well.
    game.handle(Moment::from_ms(50_000), Input::Ruling(Ruling::Annul));
    let asked = typist.read(&game, console, "restart").unwrap_err();
    assert_eq!(asked.key, PhraseKey::ConfirmRuling);
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
    let [sealing, adjourned] = [
        "0:10 arbiter adjourns",
        "0:10 arbiter adjourns\n0:20 white seals Pe2e4\n0:21 white presses",
    ]
    .map(adjourned_by);
    let mut ended = playing.clone();
    ended.handle(Moment::START, Input::Ruling(Ruling::Annul));
    let games = [&before, &playing, &stopped, &sealing, &adjourned, &ended];
    let mut faults = Vec::new();
    for code in data::languages().unwrap() {
        let vocabulary = Vocabulary::new(data::language(&code).unwrap(), console_words(&code));
        let keys = Keys::load(&BTreeMap::new()).unwrap();
        let mut typist = Typist::new(vocabulary, keys, ConsoleLanguages::default());
        for (role, game) in Role::ALL
            .into_iter()
            .flat_map(|role| games.map(|game| (role, game)))
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
