//! What is agreed before the first move. All of it is recorded. After the first move only the
//! arbiter changes it (D.1).

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;
use shakmaty::fen::Fen;

use annexd_laws::clock::{Bonus, Chessclock, TimeControl};
use annexd_laws::persons::Sides;
use annexd_laws::{
    Adaptation, Edition, GameResult, GameType, Points, Rules, Scoring, Supervision, TableLanguage,
};

/// What is agreed before the first move. It is flat, as users write it and records keep it.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// The edition of the Laws that the event uses.
    pub edition: Edition,
    /// Standard, rapid or blitz. It follows from the time control (A.1, B.1), but the event
    /// decides.
    pub game_type: GameType,
    /// Whether the Competition Rules apply in rapid and blitz (A.3, B.3).
    pub supervision: Supervision,
    /// How strictly the program keeps silent.
    pub mode: Mode,
    /// Whether there is an arbiter. Without one both players confirm what he would decide.
    pub arbiter: bool,
    /// White's allotted time, and Black's if no other is given; `None` plays without a clock.
    pub time_control: Option<TimeControl>,
    /// Black's allotted time, if it differs from White's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_time_control: Option<TimeControl>,
    /// The side for which a drawn game counts as won (draw odds, Armageddon). The game is still
    /// drawn; only the points differ (10.1).
    #[serde_as(as = "Option<DisplayFromStr>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_odds: Option<Color>,
    /// The points for a win, a draw and a loss, if the event departs from 10.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// Which clock counts.
    pub clock: ClockKind,
    /// The time after which an absent player loses (6.7.1), if the event sets one.
    pub default_time: Option<Duration>,
    /// How a draw by agreement is restricted (9.1.1).
    pub agreement: Agreement,
    /// Whether the guidelines for games without increment apply (10 of 2001, G.1, III.1).
    pub quickplay: bool,
    /// Whether the game can be adjourned.
    pub adjournment: bool,
    /// Whether each player has a board of his own (D.1).
    pub two_boards: bool,
    /// Whether the game is Chess960.
    pub chess960: bool,
    /// The starting position, if it is not the usual one.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub start: Option<Fen>,
    /// The language of TABLE, as named in `grammar/`; if not set, the first that the edition names.
    /// An adaptation of `blind.languages` takes precedence over both: the arbiter decides (D.1).
    pub table_language: Option<String>,
    /// Another language that is heard at the table, if the players announce in two (D.2.1). The
    /// same adaptation may name several languages and takes precedence over it.
    pub second_language: Option<String>,
    /// Whether each player has a microphone of his own.
    pub microphones: Microphones,
    /// Which grave commands of a player are asked back before they count. Records of earlier
    /// versions do not say: then spoken ones and resigning are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks_back: Option<AsksBack>,
    /// Whether a player who cannot sign on paper signs by voice, and is heard after the game until
    /// he has signed (8.7). False in records of earlier versions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub signed_by_voice: bool,
    /// Whether legality may complete what an announcement leaves out, in a club game. Practice
    /// always allows it, a rated game never.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guided: bool,
    /// What players may be told about the position in rated play because the arbiter has allowed it
    /// (11.3.1). Other games have no such limit.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub aids: BTreeSet<Aid>,
    /// The arbiter's approval of this program as an electronic device (11.3.2). A rated game with
    /// an arbiter does not start without it.
    pub device: Option<DeviceApproval>,
    /// Local adaptations of Annex D, with who approved them (D.1).
    pub adaptations: Vec<Adaptation>,
    /// The event, as the scores name it.
    #[serde(skip_serializing_if = "Event::is_unnamed")]
    pub event: Event,
    /// The players.
    pub sides: Sides<SideProfile>,
}

/// What the heading of a score says about the event. Empty fields are unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    /// The event's name.
    pub name: String,
    /// The place.
    pub site: String,
    /// The round, such as "3" or "3.1".
    pub round: String,
}

impl Event {
    fn is_unnamed(&self) -> bool {
        *self == Self::default()
    }
}

fn codes(languages: &[TableLanguage]) -> Vec<String> {
    languages.iter().map(|it| it.code().to_owned()).collect()
}

/// The language that every edition allows.
const GERMAN: &str = "de";

/// How strictly the program keeps silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// By the Laws: nothing players hear depends on whether a move is legal.
    #[default]
    Rated,
    /// Between friends: the end of the game is announced as soon as it occurs.
    Club,
    /// For learning: illegal moves are pointed out too.
    Practice,
}

/// Which clock counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// The program's own clock.
    #[default]
    Program,
    /// A chessclock that the program reads and never sets. It is the evidence (6.10).
    Read,
    /// A chessclock that the program reads and sets.
    Driven,
}

/// Limits on a draw by agreement (9.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// None beyond the edition's.
    #[default]
    Free,
    /// Only with the arbiter's consent before each player has made this many moves.
    AfterMoves(u32),
    /// Only with the arbiter's consent.
    Never,
}

/// How microphones are assigned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Microphones {
    /// Each player who has a microphone has his own.
    #[default]
    Own,
    /// Both players share one.
    Shared,
}

/// A source of information about the position. In rated play none is available unless the arbiter
/// allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aid {
    /// The board is read out, as a whole or one square.
    Board,
}

/// Which grave commands of a player (offering and accepting a draw, claims, resigning, calling the
/// arbiter) are asked back before they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AsksBack {
    /// Resigning, and spoken commands, which may be misheard.
    Spoken,
    /// All of them, spoken, typed or keyed.
    Always,
}

/// The arbiter's approval of the program (11.3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceApproval {
    /// The arbiter's name.
    pub by: String,
    /// What is approved, and the state of the network, in the arbiter's words.
    pub scope: String,
}

/// What is agreed for one player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SideProfile {
    /// The player's name.
    pub name: String,
    /// Whether the rules for visually disabled players apply to him (D.2.2 to D.2.4).
    pub visually_disabled: bool,
    /// Whether he hears little or nothing (D.2.11).
    pub hearing_impaired: bool,
    /// Whether he can be spoken to in private, by headphone or Braille. If not, his questions are
    /// put at the table.
    pub ear: bool,
    /// The duties of his assistant (D.2.10; D.2.11 for a sighted player). Empty: he has none.
    pub duties: BTreeSet<Duty>,
    /// What his board can tell.
    pub board: Sensors,
    /// Whether he has agreed to have his voice recorded. Without consent nothing is kept.
    pub consents_to_recording: bool,
    /// Whether the program announces a move that his board has shown and for which he pressed
    /// without announcing it. The program can take over this duty of D.2.10.2.
    pub announced_by_program: bool,
    /// How much he is told when he asks. He can change it during play.
    #[serde(skip_serializing_if = "Brevity::is_usual")]
    pub brevity: Brevity,
    /// The chess program that plays this side, in a practice game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// Where the player of this side sits in a game through a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Elsewhere>,
}

/// How much a player is told when he asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Brevity {
    /// As little as possible: of the times only his own.
    Brief,
    /// Both players' times in short, and the article of a refusal when he asks why.
    #[default]
    Usual,
    /// Everything: times left and used to the second, and articles without asking.
    Full,
}

impl Brevity {
    fn is_usual(&self) -> bool {
        *self == Self::Usual
    }

    /// The next setting that says less.
    pub(super) const fn shorter(self) -> Self {
        match self {
            Self::Brief | Self::Usual => Self::Brief,
            Self::Full => Self::Usual,
        }
    }

    /// The next setting that says more.
    pub(super) const fn longer(self) -> Self {
        match self {
            Self::Brief => Self::Usual,
            Self::Usual | Self::Full => Self::Full,
        }
    }
}

/// A chess program that plays a side, and its settings. The game itself speaks to none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The command that starts it.
    pub command: String,
    /// Its strength, in the terms of the program that speaks to it.
    pub strength: String,
    /// How many seconds it may be silent before it counts as hanging.
    pub patience: u64,
}

/// A player who sits elsewhere and plays through a server. The game itself speaks to none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elsewhere {
    /// The server's identifier of the game.
    pub game: String,
    /// How many plies had been made when the game was taken up here.
    #[serde(default)]
    pub after: u32,
    /// Whether the other player's messages are read out.
    #[serde(default)]
    pub chat: bool,
    /// The file with the local player's key for the server, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_file: Option<String>,
}

/// A duty of an assistant (D.2.10). A sighted player's helper can have the first two (D.2.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duty {
    /// Makes either player's move on the opponent's board (D.2.10.1).
    Execute,
    /// Announces the moves of both players (D.2.10.2).
    Announce,
    /// Keeps the score and starts the opponent's clock (D.2.10.3).
    ScoreAndClock,
    /// Tells his player, on request only, the number of moves and the times (D.2.10.4).
    Tell,
    /// Claims on time and reports a touched piece (D.2.10.5).
    Claim,
    /// Does the formalities of an adjournment (D.2.10.6).
    Adjourn,
}

impl Duty {
    /// All six, in the order of D.2.10.
    pub const ALL: [Self; 6] = [
        Self::Execute,
        Self::Announce,
        Self::ScoreAndClock,
        Self::Tell,
        Self::Claim,
        Self::Adjourn,
    ];
}

/// What a board's sensors can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sensors {
    /// Nothing: people report what was done on it.
    #[default]
    None,
    /// Which squares are occupied. The pieces are tracked from the start.
    Occupancy,
    /// Which piece stands on which square.
    Pieces,
}

impl Default for Profile {
    /// A rated standard game of the 2023 edition with an arbiter, White visually disabled.
    fn default() -> Self {
        Self {
            edition: Edition::default(),
            game_type: GameType::default(),
            supervision: Supervision::default(),
            mode: Mode::default(),
            arbiter: true,
            time_control: None,
            black_time_control: None,
            draw_odds: None,
            scoring: None,
            clock: ClockKind::default(),
            default_time: None,
            agreement: Agreement::default(),
            quickplay: false,
            adjournment: false,
            two_boards: true,
            chess960: false,
            start: None,
            table_language: None,
            second_language: None,
            microphones: Microphones::default(),
            asks_back: None,
            signed_by_voice: false,
            guided: false,
            aids: BTreeSet::new(),
            device: None,
            adaptations: Vec::new(),
            event: Event::default(),
            sides: Sides {
                white: SideProfile {
                    visually_disabled: true,
                    ear: true,
                    ..SideProfile::default()
                },
                black: SideProfile::default(),
            },
        }
    }
}

impl Profile {
    /// The type of game that the time control makes (A.1, B.1). Where the edition says so, the time
    /// for sixty moves counts, increments included. `None` without a clock.
    pub fn type_by_clock(&self) -> Option<GameType> {
        self.type_under(self.edition.rules())
    }

    pub(super) fn type_under(&self, rules: &Rules) -> Option<GameType> {
        let control = self.time_control.as_ref()?;
        let allotted = if rules.game_types.increment_counts {
            control.for_sixty_moves()
        } else {
            control.with_bonus(Bonus::None).for_sixty_moves()
        };
        Some(GameType::of(rules, allotted, Duration::ZERO))
    }

    /// The chessclock at the start, if the game is played with one.
    pub(super) fn chessclock(&self) -> Option<Chessclock> {
        let white = self.time_control.clone()?;
        let black = self.black_time_control.clone();
        let black = black.unwrap_or_else(|| white.clone());
        let clock = Chessclock::of_both(Sides { white, black });
        Some(match self.clock {
            ClockKind::Read => clock.read_from_another(),
            ClockKind::Program | ClockKind::Driven => clock,
        })
    }

    /// Whether this side plays under the rules for visually disabled players.
    pub fn is_visually_disabled(&self, side: Color) -> bool {
        self.sides[side].visually_disabled
    }

    /// The side that a chess program plays, in practice against one.
    pub fn side_of_program(&self) -> Option<Color> {
        let is_programs = |side: &Color| self.sides[*side].program.is_some();
        let side = Color::ALL.into_iter().find(is_programs);
        side.filter(|_| self.mode == Mode::Practice && !self.arbiter)
    }

    /// The side whose player sits elsewhere. It is never a practice game, because help would be
    /// unfair to that player.
    pub fn side_elsewhere(&self) -> Option<Color> {
        let is_elsewhere = |side: &Color| self.sides[*side].elsewhere.is_some();
        let side = Color::ALL.into_iter().find(is_elsewhere);
        side.filter(|_| self.mode == Mode::Club && !self.arbiter)
    }

    /// The side that nobody at the table plays.
    pub fn side_of_guest(&self) -> Option<Color> {
        self.side_of_program().or_else(|| self.side_elsewhere())
    }

    /// The chess program that plays a side.
    pub fn program(&self) -> Option<&Program> {
        self.sides[self.side_of_program()?].program.as_ref()
    }

    /// The points of a result in this game (10.1).
    pub fn points_of(&self, result: GameResult) -> Points {
        let scoring = self.scoring.unwrap_or_default();
        match (result, self.draw_odds) {
            (GameResult::Draw, Some(side)) => scoring.points(GameResult::Won(side)),
            _ => scoring.points(result),
        }
    }

    /// Whether results do not count 1, ½ and 0, so that it has to be said.
    pub fn counts_otherwise(&self) -> bool {
        self.draw_odds.is_some() || self.scoring.is_some_and(|it| it != Scoring::default())
    }

    /// The language of TABLE: the arbiter's decision, else the setting, else the edition's own.
    pub fn language_of_table(&self) -> String {
        let mut heard = self.languages_heard().into_iter();
        heard.next().unwrap_or_else(|| GERMAN.to_owned())
    }

    /// The languages in which announcements are heard, that of TABLE first.
    pub fn languages_heard(&self) -> Vec<String> {
        let decided = self.decided_languages();
        if !decided.is_empty() {
            return decided;
        }
        let of_edition = || codes(&self.edition.rules().blind.languages);
        let own = self.table_language.clone();
        let mut heard = own.map_or_else(of_edition, |own| vec![own]);
        let second = self.second_language.clone();
        heard.extend(second.filter(|second| !heard.contains(second)));
        heard
    }

    /// The language of TABLE on which the arbiter has decided, if he has (D.1).
    pub fn decided_language(&self) -> Option<String> {
        self.decided_languages().into_iter().next()
    }

    fn decided_languages(&self) -> Vec<String> {
        let mut adapted = self.adaptations.iter();
        let is_decided = adapted.any(|it| it.key == Adaptation::LANGUAGES);
        let rules = || self.edition.rules().adapted(&self.adaptations).ok();
        let rules = is_decided.then(rules).flatten();
        rules.map_or_else(Vec::new, |rules| codes(&rules.blind.languages))
    }

    /// Standard, rapid or blitz: as the event says, else by the time control (A.1, B.1).
    pub fn type_by_time(&self) -> GameType {
        match self.game_type {
            GameType::Standard => self.type_by_clock().unwrap_or_default(),
            said => said,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_the_table_follows_edition_settings_and_arbiter() {
        let mut profile = Profile::default();
        assert_eq!(profile.language_of_table(), "de");
        profile.edition = Edition::E2001;
        assert_eq!(profile.language_of_table(), "da");
        profile.table_language = Some("de".to_owned());
        assert_eq!(profile.language_of_table(), "de");
        profile.adaptations.push(Adaptation {
            key: Adaptation::LANGUAGES.to_owned(),
            value: "[\"sv\"]".to_owned(),
            arbiter: "Carla".to_owned(),
            at: "2026-11-22".to_owned(),
        });
        assert_eq!(profile.language_of_table(), "sv");
    }

    #[test]
    fn announcements_are_heard_in_two_languages_if_the_table_has_two() {
        let mut profile = Profile::default();
        assert_eq!(profile.languages_heard(), ["de"]);
        profile.second_language = Some("en".to_owned());
        assert_eq!(profile.languages_heard(), ["de", "en"]);
        profile.table_language = Some("en".to_owned());
        assert_eq!(profile.languages_heard(), ["en"]);
        profile.second_language = None;
        profile.adaptations.push(Adaptation {
            key: Adaptation::LANGUAGES.to_owned(),
            value: "[\"sv\", \"en\"]".to_owned(),
            arbiter: "Carla".to_owned(),
            at: "2026-11-28".to_owned(),
        });
        assert_eq!(profile.languages_heard(), ["sv", "en"]);
        assert_eq!(profile.language_of_table(), "sv");
    }

    #[test]
    fn the_type_of_a_game_follows_from_its_time() {
        for (control, game_type) in [
            ("90m+30s", GameType::Standard),
            ("2h/40+1h", GameType::Standard),
            ("15m+10s", GameType::Rapid),
            ("5m+3s", GameType::Blitz),
        ] {
            let profile = Profile {
                time_control: control.parse().ok(),
                ..Profile::default()
            };
            assert_eq!(profile.type_by_time(), game_type, "{control}");
        }
    }

    #[test]
    fn a_profile_survives_json_and_may_leave_things_out() {
        let profile: Profile = serde_json::from_str(
            r#"{"edition":"2014","time_control":"90m/40+30m+30s",
                "sides":{"white":{"visually_disabled":true,"duties":["execute"]},"black":{}}}"#,
        )
        .unwrap();
        assert_eq!(profile.edition, Edition::E2014);
        let json = serde_json::to_string(&profile).unwrap();
        assert_eq!(serde_json::from_str::<Profile>(&json).unwrap(), profile);
    }
}
