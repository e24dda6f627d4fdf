//! Puts the table together: consoles, voices, microphones, boards.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use shakmaty::Color;

#[cfg(unix)]
use super::display;
use super::open_devices;
use super::seating::{Seating, terminal_option};
#[cfg(not(unix))]
use super::without_display as display;
#[cfg(not(feature = "page"))]
use super::without_pages as page;
use crate::game::{Game, Input, MachineNotice, Mode};
use crate::journal::{Body, Entry, Locked};
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::score::to_pgn;
use crate::shell::config::data;
use crate::shell::config::language::language_of;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::echo;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::nonblocking_writer::Patient;
use crate::shell::consoles::reception::{self, ConsoleSetup};
use crate::shell::consoles::server::{self, Consoles};
use crate::shell::consoles::terminal;
use crate::shell::consoles::text_outlet::{TextOutlet, channels_of};
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error, sentence};
use crate::shell::machine;
#[cfg(feature = "page")]
use crate::shell::page;
use crate::shell::reach::{self, Bounds, System};
use crate::shell::record::catalogue;
use crate::shell::record::kept_score::{keep_as_pgn, kept_score};
use crate::shell::record::recorder::{Kept, Recorder};
use crate::shell::record::rescue::{self, Lost};
use crate::shell::record::seal;
use crate::shell::record::store::{self, Findings, Store};
use crate::shell::seats::Keeper;
use crate::shell::seats::told_of;
use crate::shell::table::inbox::{Reports, channel};
use crate::shell::table::signals;
use crate::shell::table::timeline::{Timeline, wall_ms};
use crate::shell::table::{Report, Seat, Table};
use crate::shell::typed::line::{Keys, Typist, Vocabulary};

/// The program's name in records.
pub const PROGRAM: &str = concat!("annexd ", env!("CARGO_PKG_VERSION"));

/// How many changes are named when a file that was changed in many places is resumed.
/// `annexd verify` names all.
const REMARKS_MAX: usize = 20;

/// How long leaving waits for consoles to read that the game is left.
const READING_THE_END: Duration = Duration::from_secs(1);

/// Plays a game at a table until somebody leaves. The greeting is shown to everybody and recorded.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub fn play(
    game: Game,
    store: Store,
    opening: Entry,
    settings: &Settings,
    seating: &Seating,
    greeting: Vec<Phrase>,
    locked: Option<Locked>,
) -> Result<ExitCode> {
    let (sender, reports) = channel();
    let path = store.path().to_path_buf();
    let timeline = Timeline::starting_at(opening.at);
    let findings = store.findings().clone();
    let is_resumed = matches!(opening.body, Body::Resumed { .. });
    let at = page::listen(&game, seating, settings).inspect_err(|_| {
        if !is_resumed {
            store::remove_begun(&path);
        }
    })?;
    let recorder = open_record(store, opening, settings).inspect_err(|_| {
        if !is_resumed {
            store::remove_begun(&path);
        }
    })?;
    note_beginning(&game, settings, seating, is_resumed);
    // Before anything is opened that could reach a network.
    let bounds = bounds_of(&game, seating, at.as_ref(), &sender);
    let mut table = Table::new(game, recorder, reader(settings, seating)?).with_locked(locked);
    table.add(Box::new(terminal_outlet(table.game(), settings, seating)?));
    if seating.has_devices {
        open_devices::seat(&mut table, settings, timeline, bounds.as_ref(), &sender)?;
    }
    if let Some(guest) = &seating.guest {
        let seat = guest.sit_down(table.game(), &sender);
        table.add(seat);
    }
    let shared_ears = match seating.has_devices {
        true => open_devices::shared_ears(settings),
        false => Vec::new(),
    };
    let braille = display::look(settings, seating.has_devices)?;
    let reader = braille.as_ref().and_then(display::Braille::side);
    let heard_by = (is_resumed, &shared_ears[..], reader);
    tell_first(table.game(), seating, greeting, findings, heard_by, &sender);
    let (name, seats) = (catalogue::name_of(&path), seating.seats.clone());
    let keeper = Keeper::new(name, seats, seating.seat, sender.clone());
    if let Seat::Of(person @ Person::Player(side)) = seating.seat
        && (!table.game().has_ear(side) || shared_ears.contains(&side))
    {
        keeper.add_place(person);
    }
    // Last, so that whoever attaches comes into a running game.
    if let Some(braille) = braille {
        braille.seat(&mut table, settings, &sender)?;
    }
    let pages = page::open(&mut table, at, settings, seating, (&keeper, &sender));
    let consoles = open_consoles(&mut table, &path, settings, seating, (&keeper, &sender));
    let _attended = machine::attend(&sender);
    signals::heed(sender.clone());
    let _typed = terminal::read_lines(seating.seat, keeper.clone(), sender);
    table.run(&reports, timeline, false);
    tracing::info!(is_over = table.game().ending().is_some(), "a game is left");
    echo::show();
    table.take(timeline.now(), wall_ms(), keeper.last_news());
    pages.leave();
    consoles.0.leave(READING_THE_END);
    // Later reports come too late for the record, and their senders learn that.
    drop(reports);
    let lost = table.close(timeline.now(), wall_ms());
    if !lost.entries.is_empty() {
        return Err(unwritten(table.game(), &path, lost, settings));
    }
    match &seating.guest {
        Some(guest) if !guest.keeps_game() => Ok(ExitCode::SUCCESS),
        _ => leave(table, &path, settings, seating),
    }
}

/// Notes in the diary that a game begins or is resumed, with the settings that matter for a fault.
fn note_beginning(game: &Game, settings: &Settings, seating: &Seating, is_resumed: bool) {
    let profile = game.profile();
    tracing::info!(
        is_resumed,
        mode = ?profile.mode,
        edition = %profile.edition,
        game_type = ?profile.game_type,
        arbiter = profile.arbiter,
        two_boards = profile.two_boards,
        boards = ?Color::ALL.map(|side| profile.sides[side].board),
        microphones = ?profile.microphones,
        language = language_of(settings),
        table_language = profile.language_of_table(),
        devices = seating.has_devices,
        guest = seating.guest.is_some(),
        keeps_sound = settings.record.sound,
        "a game begins"
    );
}

/// Tells and records what is known before anything happens.
fn tell_first(
    game: &Game,
    seating: &Seating,
    greeting: Vec<Phrase>,
    findings: Findings,
    (is_resumed, shared_ears, braille): (bool, &[Color], Option<Color>),
    reports: &Reports,
) {
    let found = findings.remarks.into_iter().take(REMARKS_MAX);
    let damaged = Fault::new(Part::Record, Reason::Damaged, Remedy::CallArbiter);
    let found = found.map(|what| damaged.clone().with(what).into());
    let mut heard_by_all = without_privacy(game, seating.seat, braille);
    if !shared_ears.is_empty() {
        heard_by_all.push(PhraseKey::EarIsShared.into());
    }
    for remark in greeting.into_iter().chain(heard_by_all).chain(found) {
        let _ = reports.send(Report::Note(remark));
    }
    report_seats(seating, reports);
    for input in seating.first.iter().cloned() {
        let _ = reports.send(Report::Input(input));
    }
    for sound in findings.sounds {
        let _ = reports.send(Report::Sound(sound));
    }
    if is_resumed {
        let _ = reports.send(Report::Input(Input::Resumed));
        let _ = reports.send(Report::Input(Input::Machine(MachineNotice::Away)));
    }
    for &side in shared_ears {
        let shared = true;
        let _ = reports.send(Report::Input(Input::Ear { side, shared }));
    }
}

/// The bounds of a rated game, recorded with what is known before it begins.
fn bounds_of(
    game: &Game,
    seating: &Seating,
    pages: Option<&TcpListener>,
    reports: &Reports,
) -> Option<Bounds> {
    let is_rated = game.profile().mode == Mode::Rated;
    let pages = pages.and_then(|it| it.local_addr().ok());
    let bounds = is_rated.then(|| reach::bound(&System::here(), seating.has_devices, pages))?;
    bounds.tell(reports);
    Some(bounds)
}

/// Reports the events at seats from before the game was opened.
fn report_seats(seating: &Seating, reports: &Reports) {
    for (person, event) in seating.seat_events.iter().cloned() {
        let kept = None;
        let _ = reports.send(Report::Seat {
            person,
            told: Some(told_of(person, &event)),
            event,
            kept,
        });
    }
}

/// Warns players who cannot see and cannot be told anything alone that they will not be (EAR).
fn without_privacy(game: &Game, seat: Seat, braille: Option<Color>) -> Vec<Phrase> {
    let reads = |side| seat == Seat::Of(Person::Player(side)) || braille == Some(side);
    Color::ALL
        .into_iter()
        .filter(|side| game.profile().is_visually_disabled(*side))
        .filter(|side| !game.has_ear(*side) && !reads(*side))
        .map(|side| Phrase::new(PhraseKey::NoPrivatePlace, [Argument::Side(side)]))
        .collect()
}

/// Writes the first entry.
fn open_record(mut store: Store, opening: Entry, settings: &Settings) -> Result<Recorder> {
    store.limit(settings.record.mb_max << 20)?;
    let mut recorder = Recorder::new(store);
    if let Kept::Failed(mut fault) = recorder.begin(opening) {
        if fault.reason != Reason::Silent {
            fault.remedy = Remedy::MakeRoom;
        }
        return Err(error!(Unwritable, GameNotBegun).about(*fault));
    }
    Ok(recorder)
}

/// The error for a game whose end the disk did not take. The score is printed, and the entries are
/// kept where there is room.
fn unwritten(game: &Game, path: &Path, lost: Lost, settings: &Settings) -> Error {
    // What the disk took tells the day.
    let entries = store::read(path).map(|record| record.entries);
    let score = kept_score(game, &entries.unwrap_or_default(), Color::White);
    folded_output::print(&to_pgn(&score));
    let count = number_of(lost.entries.len());
    let what = match rescue::entries(path, lost) {
        Some(place) => {
            let place = Argument::Text(place.display().to_string());
            Phrase::new(PhraseKey::EndElsewhere, [count, place])
        }
        None => Phrase::new(PhraseKey::EndLost, [count]),
    };
    if let Ok(language) = data::language(&language_of(settings)) {
        folded_output::print(&language.text(&what));
    }
    error!(Unwritable, EndNotKept).about(Fault::new(
        Part::Disk,
        Reason::Unwritable,
        Remedy::MakeRoom,
    ))
}

/// A number as a phrase's argument.
pub(crate) fn number_of(count: usize) -> Argument {
    Argument::Number(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Lets other consoles attach. If that is impossible, the game is played without them.
fn open_consoles(
    table: &mut Table,
    path: &Path,
    settings: &Settings,
    seating: &Seating,
    (keeper, reports): (&Keeper, &Reports),
) -> (Consoles, Socket) {
    let name = catalogue::name_of(path);
    let setup = ConsoleSetup {
        game: name.clone(),
        language: language_of(settings),
        has_own_language: settings.text.language.is_some(),
        console_languages: seating.console_languages.clone(),
        keeper: keeper.clone(),
    };
    let consoles = reception::open(setup, reports.clone()).unwrap_or_else(|error| {
        let _ = reports.send(Report::Note(error.fault(Part::Console).into()));
        Consoles::default()
    });
    table.add(Box::new(consoles.clone()));
    (consoles, Socket(server::socket(&name).ok()))
}

/// The socket of the consoles, removed when the game is left.
struct Socket(Option<PathBuf>);

impl Drop for Socket {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Closes the record, and tells where the game is kept and how it goes on.
fn leave(table: Table, path: &Path, settings: &Settings, seating: &Seating) -> Result<ExitCode> {
    let language = data::language(&language_of(settings))?;
    let name = catalogue::name_of(path);
    let is_over = table.game().ending().is_some();
    let terminal = terminal_option(seating.seat, table.game().profile());
    // Before anything is told: whoever has closed his terminal has it too.
    let as_pgn = is_over.then(|| {
        let entries = store::read(path).map(|record| record.entries);
        keep_as_pgn(table.game(), &entries.unwrap_or_default(), path)
    });
    // The record is sealed as it is closed.
    drop(table);
    let unsealed = (!seal::is_sealed(path)).then(|| sentence!(NotSealed, path = path.display()));
    let (key, mut command) = match is_over {
        true => (PhraseKey::IsKept, format!("annexd show {name}")),
        false => (
            PhraseKey::IsInterrupted,
            format!("annexd resume {name}{terminal}"),
        ),
    };
    if !seating.has_devices && key == PhraseKey::IsInterrupted {
        command.push_str(" --text");
    }
    if let Some(folder) = &settings.record.folder {
        command.push_str(&format!(" --games {}", folder.display()));
    }
    let kept = language.text(&Phrase::new(key, [Argument::Text(command)]));
    folded_output::print(&kept);
    for sentence in as_pgn.into_iter().chain(unsealed) {
        folded_output::print(&language.sentence(&sentence));
    }
    Ok(ExitCode::SUCCESS)
}

/// The reader of typed lines.
pub(crate) fn reader(settings: &Settings, seating: &Seating) -> Result<Box<Typist>> {
    let language = language_of(settings);
    let usual = Vocabulary::new(data::language(&language)?, console_words(&language)?);
    let keys = Keys::load(&settings.keys)?;
    let typist = Typist::new(usual, keys, seating.console_languages.clone());
    let has_microphone = seating.has_devices && open_devices::has_microphone(settings);
    Ok(Box::new(match has_microphone {
        true => typist,
        false => typist.without_microphone(),
    }))
}

fn terminal_outlet(game: &Game, settings: &Settings, seating: &Seating) -> Result<TextOutlet> {
    let language = language_of(settings);
    let channels = match seating.seat {
        Seat::Of(person) | Seat::Page(person) => channels_of(person),
        // Everybody sees this terminal, so it shows what is private only if the assistant or the
        // arbiter has no other place to read.
        Seat::Shared | Seat::SharedAs(_) => {
            let mut channels = vec![Channel::Table];
            channels.extend(Color::ALL.map(Channel::Assistant));
            if !game.profile().arbiter {
                channels.push(Channel::Arbiter);
            }
            channels
        }
    };
    Ok(TextOutlet::new(
        Box::new(Patient::new(std::io::stdout())),
        seating.seat,
        channels,
        data::language(&language)?,
        console_words(&language)?.labels,
        folded_output::width(),
    )
    .with_clock()
    .with_guide()
    .following_table(settings.text.language.is_none()))
}
