//! `annexd practice`: starts annexd-practice, the program that may speak to chess programs and
//! reach the network, and seats the player for it.

pub mod elsewhere;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use shakmaty::fen::Fen;
use shakmaty::{Color, Position as _};

use super::other_program::{PRACTICE, start};
use super::play::{SeatArguments, array, begin, in_language_of, set_time};
use super::resume;
pub use super::resume::Arguments as Resumption;
use crate::game::{Microphones, Mode, Profile, Program, SideProfile};
use crate::laws::{Supervision, position_of};
use crate::phrases::{Language, PhraseKey};
use crate::shell::commands::command_line::command_line;
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Result, Sentence, error, sentence};
pub use crate::shell::session::guest::Guest;
use crate::shell::speech::voice::{VoiceKind, VoiceSettings};
use crate::shell::typed::rulings::drawn_array;

/// The time control if none is configured or named.
const USUAL_TIME: &str = "25m+10s";

/// Practises against a chess program of yours, or with somebody elsewhere. annexd itself knows
/// neither and starts the program annexd-practice, which speaks to them.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_help_heading = "Elsewhere"
)]
pub struct Arguments {
    #[command(subcommand)]
    against: Option<elsewhere::Against>,
    /// How strong it plays: beginner, casual, club, strong, master or full. The same words in your
    /// language do as well.
    #[arg(long, default_value = "beginner")]
    strength: String,
    /// Your colour: white, black or random; if not given, as the settings have you.
    #[arg(long, visible_alias = "color", value_name = "COLOUR",
          value_parser = ["white", "black", "random"])]
    colour: Option<String>,
    /// The chess program: a name or file of anything that speaks UCI. If not given, Stockfish,
    /// where Debian puts it or on the search path.
    #[arg(long, value_name = "FILE")]
    engine: Option<String>,
    /// For how many seconds it may be silent before it counts as hanging: at its start, and beyond
    /// the time it was given for a move.
    #[arg(long, value_name = "SECONDS", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
    /// The time control, such as 15m+10s or 90m/40+30m+30s; "none" plays without a clock. If not
    /// given, as set, else 25m+10s.
    #[arg(long, value_name = "CONTROL")]
    time: Option<String>,
    /// Chess960, with the starting position of this number from 0 to 959, or one that is drawn.
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "draw")]
    chess960: Option<String>,
    /// Play from this position.
    #[arg(long, value_name = "FEN", conflicts_with = "chess960")]
    position: Option<Fen>,
    /// The name of the game; the date and time if not given.
    #[arg(long)]
    name: Option<String>,
    /// Your name, if not as set.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The language spoken at the table, such as de.
    #[arg(long)]
    language: Option<String>,
    #[command(flatten)]
    seat: SeatArguments,
}

/// The strength of a chess program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// As somebody who has just learnt how the pieces move.
    Beginner,
    /// As somebody who plays now and then.
    Casual,
    /// As a player of a club.
    Club,
    /// As a strong player of a club.
    Strong,
    /// As a master.
    Master,
    /// As well as it can.
    Full,
}

impl Strength {
    /// All strengths, from the weakest.
    pub const ALL: [Self; 6] = [
        Self::Beginner,
        Self::Casual,
        Self::Club,
        Self::Strong,
        Self::Master,
        Self::Full,
    ];

    /// The word on the command line and in the record.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Strong => "strong",
            Self::Master => "master",
            Self::Full => "full",
        }
    }

    /// The strength that a word in a record means.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    const fn key(self) -> PhraseKey {
        match self {
            Self::Beginner => PhraseKey::StrengthBeginner,
            Self::Casual => PhraseKey::StrengthCasual,
            Self::Club => PhraseKey::StrengthClub,
            Self::Strong => PhraseKey::StrengthStrong,
            Self::Master => PhraseKey::StrengthMaster,
            Self::Full => PhraseKey::StrengthFull,
        }
    }

    fn in_words(self, language: &Language) -> String {
        language.text(&self.key().into())
    }

    /// The strength that was typed, in English or in this language.
    fn typed(text: &str, language: &Language) -> Result<Self> {
        let text = text.to_lowercase();
        let is_it = |it: &Self| it.word() == text || it.in_words(language).to_lowercase() == text;
        Self::ALL.into_iter().find(is_it).ok_or_else(|| {
            let all = Self::ALL.map(|it| it.in_words(language)).join(", ");
            error!(Usage, NoSuchStrength, strength = text, all = all)
        })
    }
}

/// A chess program that has answered, and the guest that brings it to the table.
#[derive(Debug)]
pub struct Opponent {
    /// The name it gives itself.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The guest that plays for it.
    pub guest: Arc<dyn Guest>,
}

/// The requirements for a chess program.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The program, if one was named.
    pub engine: Option<String>,
    /// Its strength.
    pub strength: Strength,
    /// How many seconds it may be silent.
    pub patience: u64,
}

impl Arguments {
    /// The requested language.
    pub fn language(&self) -> Option<&str> {
        match &self.against {
            Some(elsewhere::Against::Lichess(arguments)) => arguments.language(),
            None => self.language.as_deref(),
        }
    }

    /// The opponent, if not a chess program.
    pub const fn against(&self) -> Option<&elsewhere::Against> {
        self.against.as_ref()
    }
}

/// Starts the program for practice with the same command line.
pub(crate) fn run() -> Result<ExitCode> {
    start(PRACTICE, command_line())
}

/// Plays against the opponent that `bring` provides, which is called before anything else.
///
/// # Errors
///
/// Those of `bring`, and of beginning a game.
pub fn play(
    arguments: &Arguments,
    bring: impl FnOnce(&Wanted) -> Result<Opponent>,
) -> Result<ExitCode> {
    in_his_language(&arguments.seat, arguments.language(), |settings| {
        seated(arguments, settings, bring)
    })
}

/// Plays with the settings, in the requested language. Errors are reported in it.
fn in_his_language(
    seat: &SeatArguments,
    asked: Option<&str>,
    play: impl FnOnce(&mut Settings) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let settings = seat.settings();
    let mut settings = settings.map_err(|error| in_language_of(error, asked))?;
    settings.game.table_language = language::of_own_table(asked, &settings);
    let chosen = settings.text.language.clone();
    let chosen = chosen.or_else(|| settings.game.table_language.clone());
    play(&mut settings).map_err(|error| in_language_of(error, chosen.as_deref()))
}

fn seated(
    arguments: &Arguments,
    settings: &mut Settings,
    bring: impl FnOnce(&Wanted) -> Result<Opponent>,
) -> Result<ExitCode> {
    let language = data::language(&language::language_of(settings))?;
    let wanted = Wanted {
        engine: arguments.engine.clone(),
        strength: Strength::typed(&arguments.strength, &language)?,
        patience: arguments.patience,
    };
    set_time(&mut settings.game, arguments.time.as_deref())?;
    if settings.game.time_control.is_none() && arguments.time.is_none() {
        set_time(&mut settings.game, Some(USUAL_TIME))?;
    }
    let opponent = bring(&wanted)?;
    let side = match arguments.colour.as_deref() {
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        Some(_) => Some(Color::from_white(drawn_array().is_multiple_of(2))),
        None => None,
    };
    let side = agree(settings, side, arguments.position.clone(), Mode::Practice)?;
    if let Some(name) = &arguments.player {
        settings.game.sides[side].name.clone_from(name);
    }
    settings.game.sides[!side] = SideProfile {
        name: format!(
            "{} ({})",
            opponent.name,
            wanted.strength.in_words(&language)
        ),
        program: Some(Program {
            command: opponent.command,
            strength: wanted.strength.word().to_owned(),
            patience: wanted.patience,
        }),
        ..SideProfile::default()
    };
    let mut seating = arguments.seat.seating(&settings.game, &[])?;
    seating.guest = Some(opponent.guest);
    seating.first.extend(array(arguments.chess960.as_deref())?);
    begin(settings, seating, arguments.name.as_deref())
}

/// Agrees the game, whatever is configured for others: one player, alone, with his own devices.
/// Returns his colour, which is the configured one if none is given.
///
/// # Errors
///
/// If no game can be played from the position.
fn agree(
    settings: &mut Settings,
    side: Option<Color>,
    start: Option<Fen>,
    mode: Mode,
) -> Result<Color> {
    if let Some(fen) = &start {
        let wrong = |why: Sentence| error!(Usage, PositionWrong, fen = fen.to_string(), why = why);
        let position =
            position_of(fen.as_setup()).map_err(|_| wrong(sentence!(NoLegalPosition)))?;
        if position.is_game_over() {
            return Err(wrong(sentence!(PositionIsOver)));
        }
    }
    let is_blind = |side: &Color| settings.game.is_visually_disabled(*side);
    let set = Color::ALL
        .into_iter()
        .find(is_blind)
        .unwrap_or(Color::White);
    let side = side.unwrap_or(set);
    if side != set {
        change_sides(settings);
    }
    sit_alone(settings, side, mode);
    settings.game.start = start;
    Ok(side)
}

/// The same for a learner. He plays this side with the devices of the side that is usually his.
pub(super) fn sit_down_alone(settings: &mut Settings, side: Color) {
    let is_blind = |side: Color| settings.game.is_visually_disabled(side);
    if is_blind(!side) && !is_blind(side) {
        change_sides(settings);
    }
    sit_alone(settings, side, Mode::Practice);
}

/// Seats this player with nobody else at the table.
fn sit_alone(settings: &mut Settings, side: Color, mode: Mode) {
    alone(settings, side);
    let game = &mut settings.game;
    let mut player = std::mem::take(&mut game.sides[side]);
    player.duties.clear();
    player.program = None;
    player.elsewhere = None;
    *game = Profile {
        mode,
        arbiter: false,
        supervision: Supervision::Inadequate,
        device: None,
        draw_odds: None,
        scoring: None,
        black_time_control: None,
        two_boards: true,
        chess960: false,
        start: None,
        microphones: Microphones::Own,
        ..std::mem::take(game)
    };
    game.sides[side] = player;
    if !settings.says_type {
        game.game_type = game.type_by_clock().unwrap_or_default();
    }
}

/// Exchanges the devices for a player who plays the other colour this time.
fn change_sides(settings: &mut Settings) {
    let devices = &mut settings.devices;
    exchange(&mut devices.microphone);
    exchange(&mut devices.board);
    exchange(&mut devices.orientation);
    let ears = &mut settings.voice.ear;
    std::mem::swap(&mut ears.white, &mut ears.black);
    let sides = &mut settings.game.sides;
    std::mem::swap(&mut sides.white, &mut sides.black);
    let pad = &mut settings.devices.gamepad;
    *pad = pad.take().map(|who| match who.as_str() {
        "white" => "black".to_owned(),
        "black" => "white".to_owned(),
        _ => who,
    });
}

fn exchange<T>(of_sides: &mut BTreeMap<String, T>) {
    let [white, black] = ["white", "black"].map(|side| of_sides.remove(side));
    of_sides.extend(white.map(|it| ("black".to_owned(), it)));
    of_sides.extend(black.map(|it| ("white".to_owned(), it)));
}

/// Gives the only microphone to the one player at the table.
fn alone(settings: &mut Settings, side: Color) {
    let word = |side: Color| side.to_string();
    let devices = &mut settings.devices;
    let other = word(!side);
    if let Some(shared) = devices.microphone.remove("shared") {
        devices.microphone.entry(word(side)).or_insert(shared);
    }
    devices.microphone.remove(&other);
    devices.board.remove(&other);
    devices.orientation.remove(&other);
    let ears = &mut settings.voice.ear;
    let (own, others) = match side {
        Color::White => (&mut ears.white, &mut ears.black),
        Color::Black => (&mut ears.black, &mut ears.white),
    };
    *others = None;
    // Whatever loudspeaker he has, nobody else is there to hear what is private.
    let voice = own.take().unwrap_or_else(|| settings.voice.table.clone());
    *own = (voice.voice != VoiceKind::Silent).then_some(VoiceSettings {
        private: Some(true),
        ..voice
    });
}

/// Resumes a game, including one against a chess program or a remote player, whom `bring` and
/// `find` provide again.
///
/// # Errors
///
/// Those of both, and of resuming a game.
pub fn resume(
    arguments: &Resumption,
    bring: impl Fn(&Wanted) -> Result<Opponent>,
    find: impl Fn(&Profile) -> Result<Arc<dyn Guest>>,
) -> Result<ExitCode> {
    resume::run_with(
        arguments,
        Some(&|profile: &Profile| {
            let Some(program) = profile.program() else {
                return find(profile);
            };
            let wanted = Wanted {
                engine: Some(program.command.clone()),
                strength: Strength::of_word(&program.strength).unwrap_or(Strength::Beginner),
                patience: program.patience,
            };
            Ok(bring(&wanted)?.guest)
        }),
    )
}
