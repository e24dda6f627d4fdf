//! `annexd learn`: the course. Each lesson is a game at a table of its own, which is closed before
//! the next.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use super::play::{SeatArguments, begin, in_language_of};
use super::practice::{Guest, sit_down_alone};
use crate::game::lesson::{LAST, LEARNER, Lesson, Outcome};
use crate::game::{Effect, Game, Program, SideProfile};
use crate::moment::Moment;
use crate::persons::Person;
use crate::phrases::Phrase;
use crate::set_up::{Choice, Welcome};
use crate::shell::config::settings::Settings;
use crate::shell::config::{folders, language};
use crate::shell::error::{Result, error};
use crate::shell::setting_up::{self, End};
use crate::shell::table::inbox::Reports;
use crate::shell::table::{Outlet, Report, Seat};

/// Learns annexd in eight lessons, by voice, keys or typing. It begins where you stopped.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Begin with the lesson of this number.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=8))]
    lesson: Option<u32>,
    /// The language spoken at the table, such as de.
    #[arg(long)]
    language: Option<String>,
    #[command(flatten)]
    seat: SeatArguments,
}

/// Gives lessons until the learner leaves.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let asked = arguments.language.clone();
    let settings = arguments.seat.settings();
    let mut settings = settings.map_err(|error| in_language_of(error, asked.as_deref()))?;
    settings.game.table_language = language::of_own_table(asked.as_deref(), &settings);
    let chosen = settings.text.language.clone();
    let chosen = chosen.or_else(|| settings.game.table_language.clone());
    teach(arguments, &settings).map_err(|error| in_language_of(error, chosen.as_deref()))
}

fn teach(arguments: &Arguments, settings: &Settings) -> Result<ExitCode> {
    let folder = folders::lessons_folder()?;
    let reached = folder.join("reached");
    let mut number = arguments.lesson.unwrap_or_else(|| read(&reached));
    loop {
        let (code, outcome) = give(arguments, settings.clone(), number, &folder)?;
        match outcome {
            None => return Ok(code),
            Some(Outcome::Again) => continue,
            Some(Outcome::Done) => {}
        }
        let next = number % LAST + 1;
        write(&reached, next)?;
        match choose(arguments, settings, number, next)? {
            Some(chosen) => number = chosen,
            None => return Ok(ExitCode::SUCCESS),
        }
    }
}

/// The number of the lesson to continue with.
fn read(reached: &Path) -> u32 {
    let number = fs::read_to_string(reached).ok();
    let number = number.and_then(|text| text.trim().parse().ok());
    number
        .filter(|number| (1..=LAST).contains(number))
        .unwrap_or(1)
}

fn write(reached: &Path, number: u32) -> Result<()> {
    fs::write(reached, format!("{number}\n")).map_err(|why| {
        error!(
            Unwritable,
            SettingsUnwritable,
            path = reached.display(),
            why = why
        )
    })
}

/// Gives a lesson. Returns how it ended, if nobody left it before.
fn give(
    arguments: &Arguments,
    mut settings: Settings,
    number: u32,
    folder: &Path,
) -> Result<(ExitCode, Option<Outcome>)> {
    let lesson = Lesson::new(number);
    sit_down_alone(&mut settings, LEARNER);
    settings.devices.board.clear();
    settings.devices.clock = None;
    lesson.agree(&mut settings.game);
    settings.game.sides[LEARNER].visually_disabled = true;
    settings.game.sides[!LEARNER] = SideProfile {
        program: Some(Program {
            command: "annexd learn".to_owned(),
            strength: number.to_string(),
            patience: 0,
        }),
        ..SideProfile::default()
    };
    settings.record.folder = Some(empty(folder)?);
    let ended = Arc::default();
    let mut seating = arguments.seat.seating(&settings.game, &[])?;
    seating.guest = Some(Arc::new(Teacher {
        number,
        ended: Arc::clone(&ended),
    }));
    let code = begin(&mut settings, seating, Some(&format!("lesson-{number}")))?;
    let outcome = *ended.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((code, outcome))
}

/// The folder for a lesson's game, emptied of the one before.
fn empty(folder: &Path) -> Result<PathBuf> {
    let games = folder.join("game");
    let _ = fs::remove_dir_all(&games);
    folders::private(games)
}

/// Asks what to do after a lesson: the next one, the same again, or nothing.
fn choose(
    arguments: &Arguments,
    settings: &Settings,
    number: u32,
    next: u32,
) -> Result<Option<u32>> {
    let choices = vec![
        Choice::Lesson(Lesson::new(next).name()),
        Choice::OnceMore,
        Choice::Leave,
    ];
    let has_devices = arguments.seat.has_devices();
    let among = |answers| Welcome::new(choices, answers).without_greeting();
    Ok(match setting_up::choose(settings, has_devices, among)? {
        End::Answered(welcome) => match welcome.offered() {
            Some(Choice::Lesson(_)) => Some(next),
            Some(Choice::OnceMore) => Some(number),
            _ => None,
        },
        End::Left | End::Unanswered => None,
    })
}

/// The teacher of a lesson, who also plays the other side.
#[derive(Debug)]
struct Teacher {
    number: u32,
    ended: Arc<Mutex<Option<Outcome>>>,
}

impl Guest for Teacher {
    fn sit_down(&self, _game: &Game, reports: &Reports) -> Box<dyn Outlet> {
        Box::new(Desk {
            lesson: Lesson::new(self.number),
            reports: reports.clone(),
            ended: Arc::clone(&self.ended),
        })
    }

    fn keeps_game(&self) -> bool {
        false
    }
}

/// The teacher's seat.
struct Desk {
    lesson: Lesson,
    reports: Reports,
    ended: Arc<Mutex<Option<Outcome>>>,
}

impl Outlet for Desk {
    fn carry_out(&mut self, _now: Moment, _game: &Game, effect: &Effect) -> bool {
        self.lesson.hear(effect);
        false
    }

    fn remark(&mut self, to: Option<Seat>, _phrase: &Phrase) {
        if to == Some(Seat::Of(Person::Player(LEARNER))) {
            self.lesson.was_not_understood();
        }
    }

    fn look(&mut self, _now: Moment, game: &Game) {
        for input in self.lesson.act(game) {
            let _ = self.reports.send(Report::Input(input));
        }
        let Some(outcome) = self.lesson.ended(game) else {
            return;
        };
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.replace(outcome).is_none() {
            let _ = self.reports.send(Report::Leave);
        }
    }
}
