//! `annexd resume`.

use std::process::ExitCode;
use std::time::Duration;

use super::play::{SeatArguments, in_language_of, in_usual_language};
use crate::game::Mode;
use crate::journal::{Body, Entry, replay};
use crate::moment::Moment;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, told};
use crate::shell::games::{self, Newest};
use crate::shell::scribe::patiently;
use crate::shell::seating::{self, PROGRAM};
use crate::shell::settings::Settings;
use crate::shell::sound_kept;
use crate::shell::store::Store;
use crate::shell::text_outlet::ending_text;
use crate::shell::timeline::wall_ms;

/// Continues an interrupted game where it was.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The name of the game or its file; the last one that has not ended if not given.
    game: Option<String>,
    /// Charge the time for which the program was away to the clock that was running. Usually it
    /// is not charged; in a rated game only the arbiter decides, who sets the clocks.
    #[arg(long)]
    charge: bool,
    #[command(flatten)]
    seat: SeatArguments,
}

/// Does it. What goes wrong is said in the language of whoever plays.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let settings = arguments.seat.settings().map_err(in_usual_language)?;
    let code = seating::language_of(&settings);
    resume(&arguments, settings).map_err(|error| in_language_of(error, &code))
}

fn resume(arguments: &Arguments, mut settings: Settings) -> Result<ExitCode> {
    let folder = games::folder(&settings)?;
    let Newest { path, passed_over } = match &arguments.game {
        Some(name) => Newest {
            path: games::find(&folder, name)?,
            passed_over: Vec::new(),
        },
        None => games::interrupted(&folder)?,
    };
    sound_kept::delete_old(&folder, &settings.record);
    let language = seating::language_of(&settings);
    let (store, entries) = patiently(&language, &path, Store::resume)?;
    let replayed = replay(&entries).map_err(|error| {
        told!(
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
    if let Some(ending) = replayed.game.ending() {
        let name = games::name_of(&path);
        let ending = ending_text(ending);
        return Err(told!(Negative, GameHasEnded, name = name, ending = ending)
            .about(Fault::new(Part::Game, Reason::Ended, Remedy::ListGames).with(name)));
    }
    if arguments.charge && replayed.game.profile().mode == Mode::Rated {
        let fault = Fault::new(Part::Option, Reason::Forbidden, Remedy::CallArbiter);
        return Err(told!(Usage, OnlyArbiterCharges).about(fault.with("--charge")));
    }
    let last_wall_ms = entries.last().map_or(0, |entry| entry.wall_ms);
    let (alive_until, alive_wall_ms) = store
        .last_beat()
        .filter(|(at, _)| *at >= replayed.last)
        .unwrap_or((replayed.last, last_wall_ms));
    let back_wall_ms = wall_ms();
    let away_ms = back_wall_ms.saturating_sub(alive_wall_ms);
    let charged = arguments.charge || settings.record.charge_time_away;
    let at = if charged {
        Moment::from_ms(alive_until.as_ms().saturating_add(away_ms))
    } else {
        alive_until
    };
    settings.game = replayed.game.profile().clone();
    let seating = arguments.seat.seating(&settings.game);
    let resumed = Body::Resumed {
        away_ms,
        charged,
        program: PROGRAM.to_owned(),
    };
    let opening = Entry {
        wall_ms: back_wall_ms,
        ..seating::entry(at, resumed)
    };
    let key = if charged {
        PhraseKey::WasAwayCharged
    } else {
        PhraseKey::WasAway
    };
    let away = Argument::Time(Duration::from_millis(away_ms));
    let mut greeting = vec![Phrase::new(key, [away])];
    let passed_over = passed_over.iter().map(|error| error.fault(Part::Game));
    greeting.extend(passed_over.map(Phrase::from));
    seating::play(
        replayed.game,
        store,
        opening,
        &settings,
        &seating,
        greeting,
        replayed.locked,
    )
}
