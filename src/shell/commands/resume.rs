//! `annexd resume`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use shakmaty::Color;

use super::console::pin_missing;
use super::kept_pin::{Shown, has_pin};
use super::other_program::{PRACTICE, start};
use super::play::{SeatArguments, in_language_of, make_pin, no_pin, who_plays};
use crate::game::{Game, Mode, Profile};
use crate::journal::{Body, Entry, Replayed, SeatEvent, replay};
use crate::moment::Moment;
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::commands::command_line::command_line;
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::named::named;
use crate::shell::consoles::terminal;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence};
use crate::shell::record::catalogue::{self, Newest};
use crate::shell::record::format::EXTENSION;
use crate::shell::record::own_entry;
use crate::shell::record::rescue;
use crate::shell::record::store::{Findings, Store};
use crate::shell::record::utterance_files;
use crate::shell::record::writer_thread::patiently;
use crate::shell::seats::{Pin, Rules};
use crate::shell::session::assemble::{self, PROGRAM, number_of};
use crate::shell::session::guest::Guest;
use crate::shell::session::seating::{Seating, seat_of};
use crate::shell::table::Seat;
use crate::shell::table::signals;
use crate::shell::table::timeline::wall_ms;

/// Continues an interrupted game where it was.
#[derive(clap::Args)]
pub struct Arguments {
    /// The name of the game or its file; the last one that has not ended if not given.
    game: Option<String>,
    /// Charge the time for which the program was away to the clock that was running. Usually it
    /// is not charged; in a rated game only the arbiter decides, who sets the clocks.
    #[arg(long)]
    charge: bool,
    /// The PIN of this seat was lost: a new one is made here before the game goes on, typed twice
    /// and not shown. That is recorded and told to all.
    #[arg(long, value_name = "WHO", value_parser = person_of)]
    new_pin: Option<Person>,
    /// A file whose first line is the new PIN.
    #[arg(long, value_name = "FILE", requires = "new_pin")]
    new_pin_file: Option<PathBuf>,
    /// A file whose first line is the PIN of whoever sits at this terminal; asked for if not given.
    /// Where both players do, White's stands before Black's.
    #[arg(long, value_name = "FILE")]
    pin_file: Option<PathBuf>,
    #[command(flatten)]
    seat: SeatArguments,
}

/// Provides the guest for a side whose player is not at the table.
pub(super) type Brings<'a> = Option<&'a dyn Fn(&Profile) -> Result<Arc<dyn Guest>>>;

/// Runs the command. Errors are reported in the player's language.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    run_with(&arguments, None)
}

/// The same, for the program that knows chess programs.
pub(super) fn run_with(arguments: &Arguments, brings: Brings<'_>) -> Result<ExitCode> {
    let settings = arguments.seat.settings();
    let settings = settings.map_err(|error| in_language_of(error, None))?;
    let code = language::chosen_language(&settings);
    resume(arguments, settings, brings).map_err(|error| in_language_of(error, code.as_deref()))
}

fn resume(arguments: &Arguments, mut settings: Settings, brings: Brings<'_>) -> Result<ExitCode> {
    let folder = catalogue::finished_folder(&settings)?;
    let Newest { path, passed_over } = match &arguments.game {
        Some(name) => Newest {
            path: catalogue::find(&folder, name)
                .or_else(|error| found_again(&folder, name, error))?,
            passed_over: Vec::new(),
        },
        None => catalogue::interrupted(&folder)?,
    };
    utterance_files::delete_old(&folder, &settings.record);
    let language = language::language_of(&settings);
    let (mut store, mut entries, mut replayed, joined) = opened(&language, &path)?;
    let mut guest = None;
    if replayed.game.profile().side_of_guest().is_some() {
        let Some(brings) = brings else {
            // The program that knows chess programs and servers continues it.
            drop(store);
            return start(PRACTICE, command_line());
        };
        guest = Some(brings(replayed.game.profile())?);
    }
    let guarded = guarded(arguments, &replayed.game, &entries);
    if !guarded.is_empty() {
        // The record is not held while a PIN is being typed.
        drop(store);
        show_pins(arguments, &language, &path, &guarded)?;
        (store, entries, replayed, _) = opened(&language, &path)?;
    }
    let is_rated = replayed.game.profile().mode == Mode::Rated;
    if arguments.charge && is_rated {
        let fault = Fault::new(Part::Option, Reason::Forbidden, Remedy::CallArbiter);
        return Err(error!(Usage, OnlyArbiterCharges).about(fault.with("--charge")));
    }
    let last_wall_ms = entries.last().map_or(0, |entry| entry.wall_ms);
    let (alive_until, alive_wall_ms) = store
        .last_heartbeat()
        .filter(|(at, _)| *at >= replayed.last)
        .unwrap_or((replayed.last, last_wall_ms));
    let back_wall_ms = wall_ms();
    let away_ms = back_wall_ms.saturating_sub(alive_wall_ms);
    let charged = arguments.charge || settings.record.charge_time_away && !is_rated;
    let at = if charged {
        Moment::from_ms(alive_until.as_ms().saturating_add(away_ms))
    } else {
        alive_until
    };
    settings.game = replayed.game.profile().clone();
    let mut seating = seating_of(arguments, &settings, &entries)?;
    seating.guest = guest;
    let resumed = Body::Resumed {
        away_ms,
        charged,
        program: PROGRAM.to_owned(),
    };
    let opening = Entry {
        wall_ms: back_wall_ms,
        ..own_entry::entry(at, resumed)
    };
    let key = if charged {
        PhraseKey::WasAwayCharged
    } else {
        PhraseKey::WasAway
    };
    let away = Argument::Time(Duration::from_millis(away_ms));
    let mut greeting = who_plays(&catalogue::name_of(&path), replayed.game.profile());
    greeting.push(Phrase::new(key, [away]));
    let passed_over = passed_over.iter().map(|error| error.fault(Part::Game));
    greeting.extend(passed_over.map(Phrase::from));
    greeting.extend(joined);
    assemble::play(
        replayed.game,
        store,
        opening,
        &settings,
        &seating,
        greeting,
        replayed.locked,
    )
}

/// Opens a record. Returns its store, its entries, the game after them, and what to say about
/// entries joined to it.
fn opened(language: &str, path: &Path) -> Result<(Store, Vec<Entry>, Replayed, Vec<Phrase>)> {
    let (mut store, mut entries) = patiently(language, path, Store::resume)?;
    let joined = join(&mut store, &mut entries)?;
    let replayed = replay(&entries).map_err(|error| {
        error!(
            BadInput,
            GameNotContinued,
            path = path.display(),
            why = error
        )
        .about(
            Fault::new(Part::Record, Reason::Damaged, Remedy::ListGames)
                .with(format!("{}: {error}", path.display())),
        )
    })?;
    refuse_ended(&replayed.game, path, language)?;
    Ok((store, entries, replayed, joined))
}

/// The people who have to show their PINs before the game continues. The person who starts the
/// program sits at its terminal. At a terminal shared by both players in a rated game he may answer
/// for both. A person who makes a new PIN for a seat has lost the old one.
fn guarded(arguments: &Arguments, game: &Game, entries: &[Entry]) -> Vec<Person> {
    let profile = game.profile();
    let mut seats = match arguments.seat.terminal(profile) {
        Seat::Of(person) | Seat::Page(person) => vec![person],
        Seat::Shared | Seat::SharedAs(_) if profile.mode == Mode::Rated => {
            Color::ALL.map(Person::Player).to_vec()
        }
        Seat::Shared | Seat::SharedAs(_) => Vec::new(),
    };
    if arguments.seat.arbiter_pin_file().is_some() && !seats.contains(&Person::Arbiter) {
        seats.push(Person::Arbiter);
    }
    seats.retain(|&person| arguments.new_pin != Some(person) && has_pin(game, entries, person));
    seats
}

/// Continues only if these people show their PINs.
fn show_pins(arguments: &Arguments, language: &str, path: &Path, guarded: &[Person]) -> Result<()> {
    let language = &data::language(language)?;
    // Each has a line of the file: one PIN for two seats would be wrong for one of them.
    let mut lines = 0..;
    for &person in guarded {
        let arbiter = arguments.seat.arbiter_pin_file();
        let arbiter = arbiter.filter(|_| person == Person::Arbiter);
        let file = match (arbiter, arguments.pin_file.as_deref()) {
            (Some(file), _) => Some((file, 0)),
            (None, Some(file)) => lines.next().map(|line| (file, line)),
            (None, None) => None,
        };
        let shown = Shown { file, language };
        if guarded.len() > 1 {
            // If several show their PINs here, each is named.
            shown.show(&named(person));
        }
        shown.is_asked(path, person)?;
    }
    Ok(())
}

/// The person whose seat a word names.
fn person_of(word: &str) -> std::result::Result<Person, Sentence> {
    match seat_of(word) {
        Ok(Seat::Of(person) | Seat::Page(person)) => Ok(person),
        Ok(Seat::Shared | Seat::SharedAs(_)) | Err(_) => Err(sentence!(NoSeatOfPerson)),
    }
}

/// The seating, and whose PIN was lost. The new PIN is made here and now: if the first to come made
/// it, somebody else could be faster.
fn seating_of(arguments: &Arguments, settings: &Settings, entries: &[Entry]) -> Result<Seating> {
    let Some(person) = arguments.new_pin else {
        return arguments.seat.seating(&settings.game, entries);
    };
    let event = SeatEvent::PinGivenUp;
    let given_up = Body::Seat {
        person,
        event: event.clone(),
    };
    let last = own_entry::entry(Moment::START, given_up);
    let all: Vec<Entry> = entries.iter().cloned().chain([last]).collect();
    let mut seating = arguments.seat.seating(&settings.game, &all)?;
    if seating.seats.pin(person).is_none() {
        make_pin(&mut seating, person, &new_pin(person, arguments, settings)?)?;
    }
    // The old PIN was given up before the new one was made.
    seating.seat_events.insert(0, (person, event));
    Ok(seating)
}

/// The new PIN of a seat, from a file or typed.
fn new_pin(person: Person, arguments: &Arguments, settings: &Settings) -> Result<Pin> {
    let rules = Rules::load()?;
    if let Some(file) = &arguments.new_pin_file {
        let pin = Pin::in_file(file)?;
        return rules.check(&pin).map_err(no_pin).map(|()| pin);
    }
    let language = data::language(&language::language_of(settings))?;
    let show = |phrase: Phrase| folded_output::print(&language.text_with_detail(&phrase));
    signals::show_at_end();
    let check = |pin: &Pin| rules.check(pin);
    let pin = terminal::new_pin(person, show, terminal::line_of_pin, check);
    pin.ok_or_else(pin_missing)
}

/// Refuses a game that has ended.
fn refuse_ended(game: &Game, path: &Path, language: &str) -> Result<()> {
    let Some(ending) = game.ending() else {
        return Ok(());
    };
    let name = catalogue::name_of(path);
    let ending = language::ending_in(&data::language(language)?, ending);
    Err(error!(Negative, GameHasEnded, name = name, ending = ending)
        .about(Fault::new(Part::Game, Reason::Ended, Remedy::ListGames).with(name)))
}

/// Makes a new file for a game whose own is gone, if all of it was kept elsewhere.
fn found_again(folder: &Path, name: &str, error: Error) -> Result<PathBuf> {
    if rescue::whole(folder, name).is_none() {
        // Without the game, the language of its table is unknown.
        return Err(match language::language() {
            Some(language) => error.in_language(language),
            None => error,
        });
    }
    let path = folder.join(format!("{name}.{EXTENSION}"));
    Store::create(&path).map(|_| path)
}

/// Joins to the record what the disk did not take before the game was left. The result is reported
/// and recorded.
fn join(store: &mut Store, entries: &mut Vec<Entry>) -> Result<Vec<Phrase>> {
    let Findings {
        unwritten, waiting, ..
    } = store.findings().clone();
    let mut told = Vec::new();
    if unwritten.is_empty() && waiting > 0 {
        let waiting = usize::try_from(waiting).unwrap_or(usize::MAX);
        told.push(Phrase::new(PhraseKey::EndLost, [number_of(waiting)]));
    }
    let mut is_as_found = true;
    for found in unwritten {
        let count = number_of(found.count);
        let missing = found.missing.filter(|_| is_as_found);
        let Some(mut missing) = missing.filter(|it| goes_on(entries, it)) else {
            let place = Argument::Text(found.path.display().to_string());
            told.push(Phrase::new(PhraseKey::EndElsewhere, [count, place]));
            continue;
        };
        missing.extend(gap_of(&missing));
        store.append(&mut missing)?;
        entries.append(&mut missing);
        let _ = fs::remove_file(&found.path);
        told.push(Phrase::new(PhraseKey::EndJoined, [count]));
        is_as_found = false;
    }
    Ok(told)
}

/// Whether these entries continue a game.
fn goes_on(entries: &[Entry], missing: &[Entry]) -> bool {
    let all: Vec<Entry> = entries.iter().chain(missing).cloned().collect();
    replay(&all).is_ok()
}

fn gap_of(missing: &[Entry]) -> Option<Entry> {
    let gap = Body::Gap {
        since: missing.first()?.at,
        entries: missing.len() as u64,
        reason: "the disk did not take them before the game was left".to_owned(),
    };
    Some(own_entry::entry(missing.last()?.at, gap))
}
