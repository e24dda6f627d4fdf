//! `annexd play`.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr as _;

use shakmaty::Color;

use crate::clock::TimeControl;
use crate::game::{DeviceApproval, Duty, Game, Input, Mode, Profile, Ruling, type_phrase};
use crate::journal::{Body, Entry, FORMAT, Opened, SeatEvent};
use crate::laws::{Edition, Supervision};
use crate::moment::Moment;
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::boards::outlet;
use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::languages::ConsoleLanguages;
use crate::shell::consoles::terminal;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result, error, sentence};
use crate::shell::record::catalogue;
use crate::shell::record::format::EXTENSION;
use crate::shell::record::own_entry;
use crate::shell::record::store::Store;
use crate::shell::record::utterance_files;
use crate::shell::record::writer_thread::patiently;
use crate::shell::seats::{self, Pin, Rules, Seats};
use crate::shell::session::assemble::{self, PROGRAM};
use crate::shell::session::seating::{Seating, seat_of, usual_seat};
use crate::shell::setting_up;
use crate::shell::speech::startup_speech::StartupSpeech;
use crate::shell::table::Seat;
use crate::shell::table::signals;
use crate::shell::table::timeline::wall_ms;
use crate::shell::typed::rulings::{drawn_array, number_of_array};

/// Plays a game. What is not given here is taken from the settings file.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The name of the game; the date and time if not given.
    #[arg(long)]
    name: Option<String>,
    /// White's name.
    #[arg(long)]
    white: Option<String>,
    /// Black's name.
    #[arg(long)]
    black: Option<String>,
    /// The event, as the scores name it.
    #[arg(long)]
    event: Option<String>,
    /// The place where it is played.
    #[arg(long)]
    site: Option<String>,
    /// The round, such as 3.
    #[arg(long)]
    round: Option<String>,
    /// Who is blind or visually disabled: white, black or both.
    #[arg(long, value_name = "SIDE", value_parser = ["white", "black", "both"])]
    blind: Option<String>,
    /// Which player has an assistant, who then has all the duties that D.2.10 lists; without a side
    /// the one who is blind.
    #[arg(long, value_name = "SIDE", value_parser = ["white", "black", "both", "blind"],
        num_args = 0..=1, default_missing_value = "blind")]
    assistant: Option<String>,
    /// The time control, such as 15m+10s or 90m/40+30m+30s; "none" plays without a clock.
    #[arg(long, value_name = "CONTROL")]
    time: Option<String>,
    /// The type of game: standard, rapid or blitz; what the time control makes by the limits of the
    /// edition if not given.
    #[arg(long = "type", value_name = "TYPE", value_parser = ["standard", "rapid", "blitz"])]
    game_type: Option<String>,
    /// Chess960, with the starting position of this number from 0 to 959, or one that is drawn.
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "draw")]
    chess960: Option<String>,
    /// The edition of the Laws: 2001, 2009, 2014, 2017-07, 2018 or 2023.
    #[arg(long)]
    edition: Option<String>,
    /// How strictly the program keeps silent: rated, club or practice.
    #[arg(long, value_parser = ["rated", "club", "practice"])]
    mode: Option<String>,
    /// There is an arbiter (usual in rated games).
    #[arg(long, overrides_with = "no_arbiter")]
    arbiter: bool,
    /// There is no arbiter: both players confirm what one would decide.
    #[arg(long)]
    no_arbiter: bool,
    /// The language spoken at the table, such as de.
    #[arg(long)]
    language: Option<String>,
    /// Ask everything by voice first; the answers are kept in the settings file. This is done by
    /// itself at a terminal where nothing is set yet.
    #[arg(long)]
    set_up: bool,
    #[command(flatten)]
    seat: SeatArguments,
}

impl Arguments {
    /// Whether this is a first start: nothing is configured, and nothing was given here.
    fn is_first_start(&self) -> bool {
        let has_said = self.white.is_some()
            || self.black.is_some()
            || self.blind.is_some()
            || self.assistant.is_some()
            || self.time.is_some()
            || self.edition.is_some()
            || self.mode.is_some()
            || self.language.is_some()
            || self.name.is_some();
        let has_set = self.seat.settings.is_some()
            || folders::settings_file().is_ok_and(|file| file.exists());
        !has_said && !has_set && std::io::stdin().is_terminal()
    }
}

/// Who sits at this terminal, and with what. The same for `play` and `resume`.
#[derive(clap::Args)]
pub(super) struct SeatArguments {
    /// Whose terminal this is: shared, white, black, assistant-white, assistant-black or arbiter.
    /// In a rated game it is that of the blind player, otherwise shared: then a word before a
    /// line says who types, such as "black: e5".
    #[arg(long, value_name = "WHO", value_parser = seat_of)]
    terminal: Option<Seat>,
    /// Use no devices: text in and text out.
    #[arg(long)]
    text: bool,
    /// Serve pages for browsers, one for each person. Without an address only this computer reaches
    /// them; with one of its addresses, such as 192.168.1.20, others do. In a rated game the
    /// arbiter's approval must name that address.
    #[cfg(feature = "page")]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "")]
    page: Option<String>,
    /// A file whose first line is the arbiter's PIN; if not given, he makes one when he comes.
    #[arg(long, value_name = "FILE")]
    arbiter_pin_file: Option<PathBuf>,
    /// Gone: everybody on the machine can read a command line.
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "")]
    arbiter_pin: Option<String>,
    /// The settings file, if not the usual one.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// The folder of the games, if not the usual one.
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
}

impl SeatArguments {
    /// The settings with the options given here.
    pub(super) fn settings(&self) -> Result<Settings> {
        Settings::load(self.settings.as_deref()).map(|settings| self.changed(settings))
    }

    /// These settings with the options given here.
    fn changed(&self, mut settings: Settings) -> Settings {
        match folded_output::width_asked() {
            0 => folded_output::set_width(settings.text.braille_width),
            width => settings.text.braille_width = width,
        }
        if self.games.is_some() {
            settings.record.folder.clone_from(&self.games);
        }
        #[cfg(feature = "page")]
        if let Some(address) = &self.page {
            settings.page.serve = true;
            if !address.is_empty() {
                settings.page.address = Some(address.clone());
            }
        }
        settings
    }

    /// The seat of the terminal in which the program was started.
    pub(super) fn terminal(&self, profile: &Profile) -> Seat {
        self.terminal.unwrap_or_else(|| usual_seat(profile))
    }

    /// Whether devices are used.
    pub(super) const fn has_devices(&self) -> bool {
        !self.text
    }

    /// The file with the arbiter's PIN, if one was named.
    pub(super) fn arbiter_pin_file(&self) -> Option<&Path> {
        self.arbiter_pin_file.as_deref()
    }

    /// The seating of a game with this profile and the entries recorded so far.
    ///
    /// # Errors
    ///
    /// If the arbiter's PIN is given and is not acceptable.
    pub(super) fn seating(&self, profile: &Profile, entries: &[Entry]) -> Result<Seating> {
        if self.arbiter_pin.is_some() {
            return Err(error!(
                Usage,
                PinOnCommandLine,
                option = "--arbiter-pin-file"
            ));
        }
        let mut seating = Seating {
            seat: self.terminal(profile),
            has_devices: !self.text,
            seats: Seats::of(profile).as_recorded(entries, wall_ms()),
            seat_events: Vec::new(),
            first: Vec::new(),
            console_languages: ConsoleLanguages::default(),
            guest: None,
        };
        if let Some(file) = &self.arbiter_pin_file {
            let pin = Pin::in_file(file)?;
            Rules::load()?.check(&pin).map_err(no_pin)?;
            match seating.seats.pin(Person::Arbiter) {
                Some(kept) if pin.is(kept) => {}
                Some(_) => return Err(error!(Usage, PinIsAnother, path = file.display())),
                None => make_pin(&mut seating, Person::Arbiter, &pin)?,
            }
        }
        Ok(seating)
    }
}

/// Makes a PIN before the game is opened.
pub(super) fn make_pin(seating: &mut Seating, person: Person, pin: &Pin) -> Result<()> {
    let event = SeatEvent::PinMade(pin.hash().map_err(no_pin)?);
    seating.seats.apply_event(seats::BEGIN, person, &event);
    seating.seat_events.push((person, event));
    Ok(())
}

pub(super) fn no_pin(why: Fault) -> Error {
    Error::of_fault(ErrorKind::Usage, why)
}

/// Runs the command. Errors are reported in the player's language.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let asked = arguments.language.clone();
    let settings = arguments.seat.settings();
    let mut settings = settings.map_err(|error| in_language_of(error, asked.as_deref()))?;
    let chosen = settings.text.language.clone().or(asked);
    let chosen = chosen.or_else(|| settings.game.table_language.clone());
    play(&arguments, &mut settings).map_err(|error| in_language_of(error, chosen.as_deref()))
}

/// An error in the player's language.
pub(super) fn in_language_of(error: Error, code: Option<&str>) -> Error {
    match language::of_player(code) {
        Some(language) => error.in_language(&language),
        None => error,
    }
}

fn play(arguments: &Arguments, settings: &mut Settings) -> Result<ExitCode> {
    override_profile(arguments, &mut settings.game)?;
    settings.says_type |= arguments.game_type.is_some();
    let mut approval = None;
    if arguments.set_up || arguments.is_first_start() {
        let Some(answers) = setting_up::ask(settings, !arguments.seat.text)? else {
            return Ok(ExitCode::SUCCESS);
        };
        *settings = arguments.seat.changed(setting_up::keep(
            arguments.seat.settings.as_deref(),
            &answers,
        )?);
        approval = answers.approval;
    }
    // Only the arbiter approves (11.3.2), and in person: a player's file cannot do it for him.
    settings.game.device = None;
    // A chess program or a remote player takes part only if that is asked for.
    for side in Color::ALL {
        settings.game.sides[side].program = None;
        settings.game.sides[side].elsewhere = None;
    }
    if !settings.says_type {
        settings.game.game_type = settings.game.type_by_clock().unwrap_or_default();
    }
    let mut seating = arguments.seat.seating(&settings.game, &[])?;
    if let Some(approval) = approval
        && arbiter_shows_himself(&mut seating, settings)?
    {
        let language = data::language(&language::language_of(settings))?;
        seating.first.push(approved(approval.by, &language));
    }
    seating.first.extend(array(arguments.chess960.as_deref())?);
    begin(settings, seating, arguments.name.as_deref())
}

/// Begins a game of this name with this seating.
pub(super) fn begin(
    settings: &mut Settings,
    seating: Seating,
    name: Option<&str>,
) -> Result<ExitCode> {
    seat_ears(settings, &seating);
    if seating.has_devices {
        find_boards(settings)?;
        let wires = outlet::wires(settings).map_err(|why| Error::of(ErrorKind::Usage, why))?;
        outlet::note_sensors(&mut settings.game, &wires);
    }
    let folder = catalogue::folder(settings)?;
    let path = match name {
        Some(name) => folder.join(format!("{}.{EXTENSION}", checked_name(name)?)),
        None => free_name(&folder),
    };
    let opening = Body::Opened(Box::new(Opened {
        format: FORMAT,
        program: PROGRAM.to_owned(),
        profile: settings.game.clone(),
    }));
    utterance_files::delete_old(&folder, &settings.record);
    let language = language::language_of(settings);
    let store = patiently(&language, &path, Store::create)?;
    let greeting = match &seating.guest {
        // A game that nobody resumes needs no name.
        Some(guest) if !guest.keeps_game() => vec![PhraseKey::AskHelp.into()],
        _ => greeting(&catalogue::name_of(&path), &settings.game),
    };
    assemble::play(
        Game::new(settings.game.clone()),
        store,
        own_entry::entry(Moment::START, opening),
        settings,
        &seating,
        greeting,
        None,
    )
}

/// Finds out which boards are present. That is announced first, because nothing else is heard
/// meanwhile.
fn find_boards(settings: &mut Settings) -> Result<()> {
    if !outlet::has_to_find(settings) {
        return Ok(());
    }
    let language = data::language(&language::language_of(settings))?;
    let phrase = Phrase::from(PhraseKey::LooksForBoards);
    folded_output::print(&language.text(&phrase));
    let speaker = settings.voice.for_speaker(settings.game.type_by_time());
    let announced = StartupSpeech::say(speaker, &language, &phrase);
    outlet::find_kinds(settings);
    announced.finish();
    Ok(())
}

/// The starting position of a Chess960 game. It is said at the table, so that both boards can be
/// set up.
pub(super) fn array(number: Option<&str>) -> Result<Option<Input>> {
    let number = match number {
        None => return Ok(None),
        Some("draw") => drawn_array(),
        Some(number) => number_of_array(number)
            .ok_or_else(|| error!(Usage, NoArrayOfNumber, number = number))?,
    };
    Ok(Some(Input::Ruling(Ruling::SetArray { number })))
}

/// The arbiter who approves the device in the set-up makes his PIN, or gives it if it exists.
/// Returns whether he did; without a PIN nothing is approved yet.
fn arbiter_shows_himself(seating: &mut Seating, settings: &Settings) -> Result<bool> {
    let language = data::language(&language::language_of(settings))?;
    let show = |phrase: Phrase| folded_output::print(&language.text_with_detail(&phrase));
    let rules = Rules::load()?;
    signals::show_at_end();
    let check = |pin: &Pin| rules.check(pin);
    if let Some(pin) = terminal::new_pin(Person::Arbiter, show, terminal::line_of_pin, check) {
        make_pin(seating, Person::Arbiter, &pin)?;
        return Ok(true);
    }
    show(PhraseKey::SetUpApproveLater.into());
    Ok(false)
}

/// The approval of the device in the set-up (11.3.2) as an input, so that both players hear it and
/// the record has it, in the words of this language.
fn approved(by: String, language: &Language) -> Input {
    let scope = language.sentence(&sentence!(ApprovedInSetUp));
    Input::Ruling(Ruling::ApproveDevice(DeviceApproval { by, scope }))
}

/// Which game it is, and who plays.
pub(super) fn who_plays(name: &str, profile: &Profile) -> Vec<Phrase> {
    let name = Argument::Text(name.to_owned());
    let mut greeting = vec![Phrase::new(PhraseKey::GameIs, [name])];
    for side in Color::ALL {
        let player = &profile.sides[side];
        let key = if player.visually_disabled {
            PhraseKey::PlaysDisabled
        } else {
            PhraseKey::Plays
        };
        if player.visually_disabled || !player.name.is_empty() {
            let name = Argument::Text(player.name.clone());
            greeting.push(Phrase::new(key, [Argument::Side(side), name]));
        }
    }
    greeting
}

/// What everybody should know before the game starts.
fn greeting(name: &str, profile: &Profile) -> Vec<Phrase> {
    let text = |key, text: &str| Phrase::new(key, [Argument::Text(text.to_owned())]);
    let mut greeting = who_plays(name, profile);
    match (&profile.time_control, &profile.black_time_control) {
        (Some(white), Some(black)) if white != black => {
            for (side, control) in [(Color::White, white), (Color::Black, black)] {
                let said = [Argument::Side(side), Argument::Allotment(control.clone())];
                greeting.push(Phrase::new(PhraseKey::TimeOf, said));
            }
        }
        (Some(control), _) => {
            let said = [Argument::Allotment(control.clone())];
            greeting.push(Phrase::new(PhraseKey::TimeIs, said));
        }
        (None, _) => greeting.push(PhraseKey::NoClock.into()),
    }
    if let Some(game_type) = profile
        .type_by_clock()
        .filter(|by| *by == profile.game_type)
    {
        let (key, clause) = type_phrase(game_type);
        let article = Argument::Article(profile.edition.rules().cite(clause));
        // A player who practises alone has not asked for the article.
        let article = Some(article).filter(|_| profile.side_of_guest().is_none());
        greeting.push(Phrase::new(key, article));
    }
    // A player who is not at the table says how the game begins.
    if profile.side_of_guest().is_none() {
        greeting.push(PhraseKey::NotCertified.into());
        greeting.push(if profile.arbiter {
            text(PhraseKey::ArbiterBegins, "annexd console --role arbiter")
        } else {
            PhraseKey::PlayersBegin.into()
        });
    }
    greeting.push(PhraseKey::AskHelp.into());
    greeting
}

/// Notes which players can be spoken to in private: those with a voice of their own, or with a
/// terminal that only they read. At a shared terminal everything is said at the table.
fn seat_ears(settings: &mut Settings, seating: &Seating) {
    let voices = settings
        .voice
        .for_speaker(settings.game.type_by_time())
        .ears;
    for side in Color::ALL {
        let ear = &mut settings.game.sides[side].ear;
        let has_voice = seating.has_devices && voices.get(side).is_some();
        *ear = match seating.seat {
            Seat::Shared | Seat::SharedAs(_) => has_voice,
            Seat::Of(Person::Player(own)) if own == side => true,
            Seat::Of(_) | Seat::Page(_) => has_voice || *ear,
        };
    }
}

fn override_profile(arguments: &Arguments, profile: &mut Profile) -> Result<()> {
    for (side, name) in [
        (Color::White, &arguments.white),
        (Color::Black, &arguments.black),
    ] {
        if let Some(name) = name {
            profile.sides[side].name.clone_from(name);
        }
    }
    for (heading, given) in [
        (&mut profile.event.name, &arguments.event),
        (&mut profile.event.site, &arguments.site),
        (&mut profile.event.round, &arguments.round),
    ] {
        if let Some(given) = given {
            heading.clone_from(given);
        }
    }
    if let Some(blind) = &arguments.blind {
        profile.sides.white.visually_disabled = blind != "black";
        profile.sides.black.visually_disabled = blind != "white";
    }
    for side in Color::ALL {
        let has_assistant = match arguments.assistant.as_deref() {
            Some("white") => side.is_white(),
            Some("black") => side.is_black(),
            Some("blind") => profile.is_visually_disabled(side),
            other => other.is_some(),
        };
        if has_assistant {
            profile.sides[side].duties = Duty::ALL.into();
        }
    }
    set_time(profile, arguments.time.as_deref())?;
    if let Some(game_type) = &arguments.game_type {
        profile.game_type = named(game_type).unwrap_or_default();
    }
    if let Some(edition) = &arguments.edition {
        profile.edition = named::<Edition>(edition)
            .ok_or_else(|| error!(Usage, NoEditionOfPlay, edition = edition))?;
    }
    if let Some(mode) = &arguments.mode {
        profile.mode = named(mode).unwrap_or_default();
        profile.arbiter = profile.mode == Mode::Rated;
    }
    if arguments.arbiter || arguments.no_arbiter {
        profile.arbiter = arguments.arbiter;
    }
    if !profile.arbiter {
        // Supervision is adequate only with an arbiter (A.3, B.3).
        profile.supervision = Supervision::Inadequate;
    }
    if let Some(language) = &arguments.language {
        profile.table_language = Some(language.clone());
    }
    Ok(())
}

/// Gives both players this time control.
pub(super) fn set_time(profile: &mut Profile, control: Option<&str>) -> Result<()> {
    match control {
        Some("none") => {
            profile.time_control = None;
            profile.black_time_control = None;
        }
        Some(text) => {
            let control = TimeControl::from_str(text).map_err(|error| {
                error!(
                    Usage,
                    TimeControlWrong,
                    part = error.part,
                    why = error.wrong
                )
            })?;
            profile.time_control = Some(control);
            profile.black_time_control = None;
        }
        None => {}
    }
    Ok(())
}

fn named<T: serde::de::DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}

fn checked_name(name: &str) -> Result<&str> {
    let is_plain = !name.is_empty()
        && name.len() <= 100
        && !name.starts_with(['.', '-'])
        && !name.contains(['/', '\\', ':'])
        && !name.contains(char::is_control);
    if is_plain {
        return Ok(name);
    }
    Err(error!(Usage, BadGameName, name = format!("{name:?}"))
        .about(Fault::new(Part::Game, Reason::Forbidden, Remedy::OtherName).with(name)))
}

/// An unused name made of date and time.
fn free_name(folder: &Path) -> PathBuf {
    let now = jiff::ZonedDateTime::now()
        .strftime("%Y-%m-%d-%H%M")
        .to_string();
    let mut path = folder.join(format!("{now}.{EXTENSION}"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{now}-{number}.{EXTENSION}"));
        number += 1;
    }
    path
}
