//! `annexd practice lichess`: seats a remote player who plays through lichess.org.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};
use shakmaty::Color;
use shakmaty::fen::Fen;

use super::{agree, in_his_language};
use crate::clock::{Bonus, TimeControl};
use crate::game::{Agreement, ClockKind, Elsewhere, Mode, SideProfile};
use crate::persons::Sides;
use crate::set_up::{AfterReply, Reply};
use crate::shell::commands::play::{SeatArguments, begin};
use crate::shell::config::settings::Settings;
use crate::shell::error::{Result, error};
use crate::shell::session::guest::Guest;
use crate::shell::setting_up;

/// The time control if none is named.
const USUAL_TIME: &str = "15m+10s";

/// The shortest rapid game on the server, in seconds for forty moves.
const RAPID_SECONDS: u64 = 480;

/// Against whom, if not against a chess program.
#[derive(clap::Subcommand)]
pub enum Against {
    #[expect(missing_docs, reason = "its help is that of its arguments")]
    Lichess(Box<Arguments>),
}

/// Plays an unrated game with somebody on lichess.org. With neither --challenge nor --seek it waits
/// until somebody challenges you, and asks you each time.
#[derive(clap::Args)]
pub struct Arguments {
    /// Challenge this player, by his name there.
    #[arg(long, value_name = "NAME", conflicts_with = "seek")]
    challenge: Option<String>,
    /// Let the server find an opponent.
    #[arg(long)]
    seek: bool,
    /// The time control for both, such as 15m+10s; at least rapid, as the server wants it.
    #[arg(long, value_name = "CONTROL", default_value = USUAL_TIME)]
    time: String,
    /// Your colour: white, black or random.
    #[arg(long, visible_alias = "color", value_name = "COLOUR", default_value = "random",
          value_parser = ["white", "black", "random"])]
    colour: String,
    /// Read out what your opponent writes. Usually it is not.
    #[arg(long)]
    chat: bool,
    /// The file with your access key to lichess.org, which nobody else may read; if not given,
    /// lichess-key beside the settings.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The name of the game here; the date and time if not given.
    #[arg(long)]
    name: Option<String>,
    /// The language spoken at the table, such as de.
    #[arg(long)]
    language: Option<String>,
    #[command(flatten)]
    seat: SeatArguments,
}

/// What to ask of the server.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The player to challenge.
    pub friend: Option<String>,
    /// Whether the server shall find an opponent.
    pub seeks: bool,
    /// The time control of each.
    pub time: TimeControl,
    /// The player's colour; `None`: any.
    pub colour: Option<Color>,
    /// The file with the player's access key, if he named one.
    pub key_file: Option<PathBuf>,
}

/// Two players who have been paired.
#[derive(Debug)]
pub struct Met {
    /// The player's colour.
    pub side: Color,
    /// The names of both on the server.
    pub names: Sides<String>,
    /// The time control of each.
    pub time: TimeControl,
    /// The server's identifier of the game.
    pub game: String,
    /// The game's address on the server.
    pub site: String,
    /// The position to continue from, if not the usual one.
    pub start: Option<Fen>,
    /// The number of plies made before.
    pub after: u32,
    /// The guest that plays for the opponent.
    pub guest: Arc<dyn Guest>,
}

/// Waiting for an opponent. What happens meanwhile is said here.
#[derive(Debug)]
pub struct Waiting<'a> {
    settings: &'a Settings,
    has_devices: bool,
}

impl Waiting<'_> {
    /// Waits until the last piece of news, and says each. Returns whether it came.
    ///
    /// # Errors
    ///
    /// If the words of a language are missing or wrong.
    pub fn wait(&self, news: Receiver<AfterReply>, replies: Sender<Reply>) -> Result<bool> {
        setting_up::wait(self.settings, self.has_devices, news, replies)
    }
}

impl Arguments {
    /// The requested language.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The absolute path of the key file.
    fn named_key_file(&self) -> Option<String> {
        let path = std::path::absolute(self.key_file.as_ref()?).ok()?;
        path.into_os_string().into_string().ok()
    }

    fn meeting(&self) -> Result<Meeting> {
        let time = rapid(&self.time)
            .ok_or_else(|| error!(Usage, NoTimeElsewhere, time = self.time.as_str()))?;
        Ok(Meeting {
            friend: self.challenge.clone(),
            seeks: self.seek,
            time,
            colour: match self.colour.as_str() {
                "white" => Some(Color::White),
                "black" => Some(Color::Black),
                _ => None,
            },
            key_file: self.key_file.clone(),
        })
    }
}

/// A time control for the whole game with an increment in whole seconds, if it is long enough for
/// the server.
fn rapid(text: &str) -> Option<TimeControl> {
    let control: TimeControl = text.parse().ok()?;
    let [period] = control.periods() else {
        return None;
    };
    let (time, bonus) = (period.time.as_secs(), period.bonus.time().as_secs());
    let is_of_minutes = time.is_multiple_of(60) && time <= 180 * 60 && bonus <= 60;
    let is_of_each = matches!(period.bonus, Bonus::None | Bonus::Increment(_));
    let is_long = is_of_each && period.bonus_from == 1 && time + 40 * bonus >= RAPID_SECONDS;
    (is_of_minutes && is_long).then_some(control)
}

/// Plays with the opponent that `meet` finds. Does nothing if the player left before.
///
/// # Errors
///
/// Those of `meet`, and of beginning a game.
pub fn play(
    arguments: &Arguments,
    meet: impl FnOnce(&Meeting, &Waiting<'_>) -> Result<Option<Met>>,
) -> Result<ExitCode> {
    in_his_language(&arguments.seat, arguments.language(), |settings| {
        let meeting = arguments.meeting()?;
        let has_devices = arguments.seat.has_devices();
        let waiting = Waiting {
            settings,
            has_devices,
        };
        let Some(met) = meet(&meeting, &waiting)? else {
            return Ok(ExitCode::SUCCESS);
        };
        seated(arguments, settings, met)
    })
}

fn seated(arguments: &Arguments, settings: &mut Settings, met: Met) -> Result<ExitCode> {
    settings.game.time_control = Some(met.time);
    // The server's clock counts.
    settings.devices.clock = None;
    agree(settings, Some(met.side), met.start, Mode::Club)?;
    let game = &mut settings.game;
    game.clock = ClockKind::Read;
    game.agreement = Agreement::Free;
    game.default_time = None;
    game.quickplay = false;
    game.adjournment = false;
    game.event.site = met.site;
    game.event.name.clear();
    game.event.round.clear();
    let [own, other] = [met.side, !met.side].map(|side| met.names[side].clone());
    game.sides[met.side].name = own;
    game.sides[!met.side] = SideProfile {
        name: other,
        elsewhere: Some(Elsewhere {
            game: met.game,
            after: met.after,
            chat: arguments.chat,
            key_file: arguments.named_key_file(),
        }),
        ..SideProfile::default()
    };
    let mut seating = arguments.seat.seating(game, &[])?;
    seating.guest = Some(met.guest);
    begin(settings, seating, arguments.name.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_does_not_take_is_refused_here() {
        for (text, is_taken) in [
            ("15m+10s", true),
            ("8m", true),
            ("5m+5s", true),
            ("3m+2s", false),
            ("7m", false),
            ("90m/40+30m+30s", false),
            ("15m+61s", false),
            ("10m30s", false),
            ("soon", false),
        ] {
            assert_eq!(rapid(text).is_some(), is_taken, "{text}");
        }
    }
}
