//! The lines before the first event: what is agreed.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use shakmaty::Color;

use super::squares::{color, time};
use crate::game::{Agreement, DeviceApproval, Duty, Microphones, Profile, Sensors, SideProfile};
use crate::laws::Adaptation;

/// What is agreed before the game.
#[derive(Clone, Debug)]
pub(super) struct Preparation {
    pub(super) profile: Profile,
}

impl Default for Preparation {
    /// The usual game, with the program approved as a device.
    fn default() -> Self {
        let device = Some(DeviceApproval {
            by: "arbiter".to_owned(),
            scope: "the whole game".to_owned(),
        });
        let profile = Profile {
            device,
            ..Profile::default()
        };
        Self { profile }
    }
}

impl Preparation {
    pub(super) fn read(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("profile") => words.try_for_each(|word| self.agreed(word)),
            Some(side @ ("white" | "black")) => {
                let side = color(side).unwrap_or(Color::White);
                self.profile.sides[side] = SideProfile::default();
                words.try_for_each(|word| self.of_side(side, word))
            }
            Some("position") => {
                let fen = line.trim_start_matches("position").trim();
                let fen = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
                self.profile.start = Some(fen);
                Ok(())
            }
            Some("adapt") => self.adapt(line),
            _ => Err(format!(
                "before the first event come lines that begin with profile, white, black, \
                 position or adapt, not: {line}"
            )),
        }
    }

    fn agreed(&mut self, word: &str) -> Result<(), String> {
        let profile = &mut self.profile;
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match (key, value) {
            ("no-arbiter", "") => profile.arbiter = false,
            ("one-board", "") => profile.two_boards = false,
            ("chess960", "") => profile.chess960 = true,
            ("adjournment", "") => profile.adjournment = true,
            ("quickplay", "") => profile.quickplay = true,
            ("unapproved", "") => profile.device = None,
            ("shared-microphone", "") => profile.microphones = Microphones::Shared,
            ("edition", _) => profile.edition = data(key, value)?,
            ("type", _) => profile.game_type = data(key, value)?,
            ("supervision", _) => profile.supervision = data(key, value)?,
            ("mode", _) => profile.mode = data(key, value)?,
            ("counts", _) => profile.clock = data(key, value)?,
            ("clock", _) => {
                let control = value.parse().map_err(|error| format!("{error}"))?;
                profile.time_control = Some(control);
            }
            ("agreement", "never") => profile.agreement = Agreement::Never,
            ("agreement", moves) => {
                let moves = moves.parse().map_err(|_| format!("{word}: no number"))?;
                profile.agreement = Agreement::AfterMoves(moves);
            }
            ("default-time", late) => {
                let late = time(late).ok_or_else(|| format!("{word}: no time such as 30:00"))?;
                profile.default_time = Some(late);
            }
            _ => {
                return Err(format!(
                    "nothing like {word} can be agreed in a profile line"
                ));
            }
        }
        Ok(())
    }

    fn of_side(&mut self, side: Color, word: &str) -> Result<(), String> {
        let player = &mut self.profile.sides[side];
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match (key, value) {
            ("blind", "") => {
                player.visually_disabled = true;
                player.ear = true;
            }
            ("sighted", "") => player.visually_disabled = false,
            ("ear", "") => player.ear = true,
            ("no-ear", "") => player.ear = false,
            ("deaf", "") => player.hearing_impaired = true,
            ("pegs", "") => player.board = Sensors::Occupancy,
            ("board", _) => player.board = data(key, value)?,
            ("announced-by-program", "") => player.announced_by_program = true,
            ("name", _) => player.name = value.to_owned(),
            ("assistant", "all") => player.duties = Duty::ALL.into(),
            ("assistant", _) => {
                let duties: Result<BTreeSet<Duty>, String> =
                    value.split(',').map(|duty| data(key, duty)).collect();
                player.duties = duties?;
            }
            _ => return Err(format!("nothing like {word} can be agreed for a player")),
        }
        Ok(())
    }

    /// `adapt KEY = VALUE by NAME`.
    fn adapt(&mut self, line: &str) -> Result<(), String> {
        let parts = line
            .strip_prefix("adapt ")
            .and_then(|rest| rest.split_once(" = "))
            .and_then(|(key, rest)| Some((key, rest.split_once(" by ")?)));
        let Some((key, (value, arbiter))) = parts else {
            return Err("write: adapt KEY = VALUE by NAME".to_owned());
        };
        self.profile.adaptations.push(Adaptation {
            key: key.trim().to_owned(),
            value: value.trim().to_owned(),
            arbiter: arbiter.trim().to_owned(),
            at: "before the game".to_owned(),
        });
        Ok(())
    }
}

/// A word as the value of a closed type: `rapid`, `2017-07`.
fn data<T: DeserializeOwned>(key: &str, value: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::String(value.to_owned()))
        .map_err(|error| format!("{key}={value}: {error}"))
}
