//! What each person can do on his page: buttons and forms, each with the line that it types. Forms
//! type the console's own words, which are understood in every language.

use annexd_pages::{Button, Field, Form, Group};
use shakmaty::Color;

use super::view::{Reader, has_signed};
use crate::game::{Aid, Duty, Game, Mode, Phase};
use crate::laws::GameType;
use crate::persons::Person;
use crate::shell::consoles::now_typed::by_duty;
use crate::shell::typed::help::{amount_of, knows_penalty};

/// The buttons of a person, in groups.
pub(super) fn groups(game: &Game, reader: &Reader) -> Vec<Group> {
    let groups = match reader.person {
        Person::Player(side) => of_player(game, side),
        Person::Assistant(side) => of_assistant(game, side),
        Person::Arbiter => of_arbiter(game),
    };
    let groups = groups.into_iter().map(|(title, functions)| Group {
        title: reader.word(title),
        buttons: functions.iter().map(|it| button(reader, it)).collect(),
    });
    groups.filter(|group| !group.buttons.is_empty()).collect()
}

fn button(reader: &Reader, function: &str) -> Button {
    if function == "lift_result" {
        // Letting play go on after the end strikes out the result (8.7).
        let line = reader.line("restart");
        return Button {
            line,
            ..reader.button(function, true)
        };
    }
    reader.button(function, function == "annul")
}

type Functions = (&'static str, Vec<&'static str>);

fn of_player(game: &Game, side: Color) -> Vec<Functions> {
    let profile = game.profile();
    let is_over = game.ending().is_some();
    let mut moving = vec!["press", "moved", "executed_here", "correct", "adjust"];
    let mut asking = vec![
        "repeat",
        "last_move",
        "turn",
        "open_offer",
        "moves",
        "read_score",
    ];
    if profile.is_visually_disabled(side) {
        asking.insert(0, "time");
        if game.may_use(Aid::Board) {
            asking.push("read_board");
        }
    }
    let mut claiming = vec![
        "offer_draw",
        "claim_repetition",
        "claim_fifty_moves",
        "claim_time",
    ];
    if profile.game_type != GameType::Standard {
        claiming.push("claim_illegal");
    }
    if profile.quickplay {
        claiming.extend(["claim_no_attempt", "ask_increment"]);
    }
    claiming.push("resign");
    let calling = vec!["arbiter", "compare", "two_boards"];
    let mut around = vec!["here", "leave"];
    if profile.adjournment {
        around.push("ask_adjournment");
    }
    if !profile.arbiter {
        around.extend(of_course(game));
    }
    if is_over {
        moving.clear();
        claiming.clear();
        asking.retain(|it| matches!(*it, "last_move" | "read_score" | "moves"));
        around.clear();
        if !has_signed(game, side) {
            around.push("sign");
        }
    }
    vec![
        ("group_moving", moving),
        ("group_asking", asking),
        ("group_claiming", claiming),
        ("group_calling", if is_over { Vec::new() } else { calling }),
        ("group_game", around),
    ]
}

/// The functions that start and stop play, as far as they are possible now.
fn of_course(game: &Game) -> Vec<&'static str> {
    match game.phase() {
        Phase::BeforePlay => vec!["start"],
        Phase::Playing => vec!["halt"],
        Phase::Stopped => vec!["restart"],
        Phase::Sealing | Phase::Adjourned | Phase::Ended => Vec::new(),
    }
}

/// The functions of an assistant. Those without a duty are not shown.
fn of_assistant(game: &Game, side: Color) -> Vec<Functions> {
    if game.ending().is_some() {
        return Vec::new();
    }
    let mut asking = vec!["repeat", "last_move", "turn"];
    if game.has_duty(side, Duty::Tell) {
        asking.extend(["time", "moves"]);
    }
    vec![
        ("group_duties", by_duty(game, side).collect()),
        ("group_asking", asking),
        ("group_calling", vec!["compare"]),
    ]
}

fn of_arbiter(game: &Game) -> Vec<Functions> {
    let mut deciding = Vec::new();
    let mut ending = vec!["annul"];
    if game.ending().is_some() {
        ending.push("lift_result");
    } else {
        deciding.extend(["compare", "note_state"]);
        if game.comparison().is_some() {
            deciding.push("read_verdict");
        }
        deciding.push("allow_draw");
        // In other games no permission is needed.
        let is_asked = game.profile().mode == Mode::Rated
            && Color::ALL
                .iter()
                .any(|side| game.profile().is_visually_disabled(*side));
        if is_asked {
            deciding.push(match game.profile().aids.contains(&Aid::Board) {
                true => "forbid_board",
                false => "allow_board",
            });
        }
    }
    vec![
        ("group_game", of_course(game)),
        ("group_deciding", deciding),
        ("group_ending", ending),
    ]
}

/// The forms for a person.
pub(super) fn forms(game: &Game, reader: &Reader) -> Vec<Form> {
    let is_over = game.ending().is_some();
    match reader.person {
        Person::Player(_) if is_over => vec![of_words(reader, "appeal")],
        Person::Player(side) => {
            let mut forms = vec![
                with_move(reader, "announce"),
                with_move(reader, "repeat_move"),
                with_move(reader, "intend_repetition"),
                with_move(reader, "intend_fifty"),
                sheet(reader, Some(side)),
            ];
            if game.is_sealing(side) {
                forms.insert(0, with_move(reader, "seal"));
            }
            if game.is_to_recall(side) {
                forms.insert(0, with_move(reader, "recall"));
            }
            forms.push(of_words(reader, "complain"));
            forms.push(of_words(reader, "appeal"));
            forms
        }
        Person::Assistant(side) => {
            let mut forms = Vec::new();
            if game.has_duty(side, Duty::Announce) && !is_over {
                forms.push(with_move(reader, "announce"));
            }
            let is_adjourned = matches!(game.phase(), Phase::Sealing | Phase::Adjourned);
            if game.has_duty(side, Duty::Adjourn) && is_adjourned {
                let example = reader.word("envelope_example");
                let field = Field::Text(reader.word("field_envelope"), example);
                forms.push(form(reader, "envelope", "envelope {0}", vec![field]));
            }
            if game.has_duty(side, Duty::ScoreAndClock) {
                forms.push(sheet(reader, Some(side)));
            }
            forms
        }
        Person::Arbiter => of_decisions(game, reader),
    }
}

fn form(reader: &Reader, id: &str, line: &str, fields: Vec<Field>) -> Form {
    Form {
        id: id.to_owned(),
        title: reader.word(id),
        about: reader.about(id),
        line: line.to_owned(),
        fields,
        is_grave: matches!(id, "result" | "restore" | "agreed" | "set_position"),
    }
}

/// A form whose line ends with a move, in the language and notation letters of the page.
fn with_move(reader: &Reader, id: &str) -> Form {
    let example = reader.line(id);
    let (line, example) = example.rsplit_once(' ').unwrap_or((&example, ""));
    let field = Field::Text(reader.word("field_move"), example.to_owned());
    form(reader, id, &format!("{line} {{0}}"), vec![field])
}

fn of_words(reader: &Reader, id: &str) -> Form {
    let field = Field::Text(reader.word("field_words"), String::new());
    form(reader, id, &format!("{id} {{0}}"), vec![field])
}

fn side(reader: &Reader) -> Field {
    let choice = |side: Color| (side.to_string(), reader.language.side(side).to_owned());
    let choices = [Color::White, Color::Black].map(choice);
    Field::Choice(reader.word("field_side"), choices.into())
}

fn sheet(reader: &Reader, of: Option<Color>) -> Form {
    let text = Field::Sheet(reader.word("field_sheet"));
    match of {
        Some(of) => form(reader, "sheet", &format!("sheet {of} {{0}}"), vec![text]),
        None => form(reader, "sheet", "sheet {0} {1}", vec![side(reader), text]),
    }
}

/// The forms for an arbiter's decisions that need a value.
fn of_decisions(game: &Game, reader: &Reader) -> Vec<Form> {
    let text = |name: &str, example: &str| Field::Text(reader.word(name), example.to_owned());
    let of_side = |id: &str, line: &str, field: Option<Field>| {
        let fields = std::iter::once(side(reader)).chain(field).collect();
        form(reader, id, line, fields)
    };
    let mut forms = Vec::new();
    if game.profile().device.is_none() && !game.needs_approval() {
        forms.push(approve(reader));
    }
    forms.extend(of_adjournment(game, reader));
    if game.ending().is_none() {
        forms.extend(of_clocks(reader));
    }
    let kinds = reader.words.irregularities.iter();
    let kinds = kinds.map(|(name, text)| (name, text.clone()));
    let kinds = listed(reader, kinds);
    forms.push(of_side("report", "report {0} {1}", Some(kinds)));
    let mut penalty = of_side("penalise", "penalise {0} {1} {2}", None);
    penalty.fields.extend(penalties(game, reader));
    penalty.about = reader.word("penalise_about");
    forms.push(penalty);
    let number = || Some(text("field_number", "12"));
    forms.push(of_side("restore", "restore {0} {1}", number()));
    if game.comparison().is_some() {
        forms.push(of_side("agreed", "agreed {0} {1}", number()));
    }
    if game.ending().is_none() {
        let field = text("field_position", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        forms.push(form(reader, "set_position", "position {0}", vec![field]));
        let field = text("field_placement", "4k3/8/8/8/8/8/4P3/4K3");
        forms.push(of_side("board_shows", "board {0} {1}", Some(field)));
    }
    forms.push(sheet(reader, None));
    let results = ["1-0", "0-1", "1/2-1/2", "0-0"];
    let results = results.map(|it| (it.to_owned(), it.replace("1/2", "½").replace('-', "–")));
    let results = Field::Choice(reader.word("field_result"), results.into());
    forms.push(form(reader, "result", "result {0}", vec![results]));
    forms
}

/// The form for approving the program (11.3.2) and, if possible, an audience with it.
pub(super) fn approve(reader: &Reader) -> Form {
    let scope = Field::Usual(reader.word("field_scope"), reader.word("usual_scope"));
    let name = Field::Text(reader.word("field_name"), String::new());
    if !reader.has_audience {
        return form(reader, "approve", "approve {0}, {1}", vec![name, scope]);
    }
    let word = reader.word("audience");
    let choices = vec![
        (String::new(), reader.word("audience_no")),
        (format!(", {word}"), reader.word("audience_yes")),
    ];
    let fields = vec![name, scope, Field::Choice(word, choices)];
    form(reader, "approve", "approve {0}, {1}{2}", fields)
}

/// The forms for adjourning and resuming (E).
fn of_adjournment(game: &Game, reader: &Reader) -> Vec<Form> {
    let choice = |name: &str, values: &[(&str, &str)]| {
        let choices = values.iter();
        let choices = choices.map(|(value, text)| ((*value).to_owned(), reader.word(text)));
        Field::Choice(reader.word(name), choices.collect())
    };
    let passphrase = || vec![Field::Secret(reader.word("field_passphrase"))];
    match game.phase() {
        Phase::Playing | Phase::Stopped if game.profile().adjournment => {
            vec![form(reader, "adjourn", "adjourn {0}", passphrase())]
        }
        Phase::Adjourned => {
            let present = [
                ("both", "present_both"),
                ("replier", "present_replier"),
                ("sealer", "present_sealer"),
                ("nobody", "present_nobody"),
            ];
            let known = [("", "position_known"), ("position", "position_lost")];
            let resumes = vec![choice("field_present", &present)];
            let misses = vec![choice("field_missing", &known)];
            vec![
                form(reader, "resume", "resume {0}", resumes),
                form(reader, "open_envelope", "open {0}", passphrase()),
                form(reader, "missing", "missing {0}", misses),
            ]
        }
        _ => Vec::new(),
    }
}

/// The forms for the chessclock.
fn of_clocks(reader: &Reader) -> [Form; 5] {
    let of = |id: &str, line: &str, name: &str, example: &str| {
        let field = Field::Text(reader.word(name), example.to_owned());
        form(reader, id, line, vec![side(reader), field])
    };
    [
        of("set_clock", "set {0} {1}", "field_time", "1:30:00"),
        of("add_time", "add {0} {1}", "field_time", "2m"),
        of("set_moves", "counter {0} {1}", "field_number", "20"),
        of("allow_time", "allow time {0} {1}", "field_time", "5:00"),
        form(reader, "call_flag", "flag {0}", vec![side(reader)]),
    ]
}

/// The form for penalising one side, where that is an alternative for the arbiter.
pub(super) fn penalise(
    game: &Game,
    reader: &Reader,
    (id, title): (String, String),
    of: Color,
) -> Form {
    Form {
        id,
        title,
        about: reader.word("penalise_about"),
        line: format!("penalise {of} {{0}} {{1}}"),
        fields: penalties(game, reader).into(),
        is_grave: false,
    }
}

/// The fields for a penalty: its kind, among those of the edition in force and each with an example
/// of its amount, and the amount (12.9).
fn penalties(game: &Game, reader: &Reader) -> [Field; 2] {
    let known = reader.words.penalties.iter();
    let known = known.filter(|(name, _)| knows_penalty(game, name));
    let kinds = known.map(|(name, text)| {
        let text = match amount_of(name).trim() {
            "" => text.clone(),
            amount => format!("{text} ({amount})"),
        };
        (name, text)
    });
    let amount = Field::Maybe(reader.word("field_amount"), "2m".to_owned());
    [listed(reader, kinds), amount]
}

/// A field that lists kinds by their names in the console's own words.
fn listed<'a>(reader: &Reader, kinds: impl Iterator<Item = (&'a String, String)>) -> Field {
    let kinds = kinds.map(|(name, text)| (name.replace('_', " "), text));
    let mut kinds: Vec<(String, String)> = kinds.collect();
    kinds.sort_by(|one, other| one.1.cmp(&other.1));
    Field::Choice(reader.word("field_kind"), kinds)
}
