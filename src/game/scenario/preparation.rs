//! The lines before the first event: what is agreed.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use shakmaty::Color;

use super::deeds::adaptation;
use super::squares::{color, time};
use super::words::nearest;
use crate::{Agreement, DeviceApproval, Duty, Microphones, Profile, Sensors, SideProfile};
use annexd_laws::Supervision;

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
        let first = words.next().unwrap_or_default().to_lowercase();
        match Some(first.trim_end_matches(':')) {
            Some("profile") => words.try_for_each(|word| self.agreed(word)),
            Some(side @ ("white" | "black")) => {
                let side = color(side).unwrap_or(Color::White);
                self.profile.sides[side] = SideProfile::default();
                words.try_for_each(|word| self.of_side(side, word))
            }
            Some("position") => {
                let fen = words.collect::<Vec<_>>().join(" ");
                let fen = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
                self.profile.start = Some(fen);
                Ok(())
            }
            Some("adapt" | "adapts") => {
                let rest = line
                    .split_once(char::is_whitespace)
                    .map_or("", |(_, rest)| rest);
                self.profile.adaptations.push(adaptation(rest)?);
                Ok(())
            }
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
            ("arbiter", "") => profile.arbiter = true,
            ("two-boards", "") => profile.two_boards = true,
            ("no-arbiter", "") => {
                // Supervision is adequate only with an arbiter (A.3, B.3).
                profile.arbiter = false;
                profile.supervision = Supervision::Inadequate;
            }
            ("one-board", "") => profile.two_boards = false,
            ("chess960", "") => profile.chess960 = true,
            ("adjournment", "") => profile.adjournment = true,
            ("quickplay", "") => profile.quickplay = true,
            ("guided", "") => profile.guided = true,
            ("unapproved", "") => profile.device = None,
            ("signed-by-voice", "") => profile.signed_by_voice = true,
            ("shared-microphone", "") => profile.microphones = Microphones::Shared,
            ("edition", _) => profile.edition = data(key, value)?,
            ("type", _) => profile.game_type = data(key, value)?,
            ("supervision", _) => profile.supervision = data(key, value)?,
            ("mode", _) => profile.mode = data(key, value)?,
            ("aids", _) => {
                let aids = value.split(',').map(|aid| data(key, aid));
                profile.aids = aids.collect::<Result<_, _>>()?;
            }
            ("asks-back", _) => profile.asks_back = Some(data(key, value)?),
            ("counts", _) => profile.clock = data(key, value)?,
            ("language", _) => profile.table_language = Some(value.to_owned()),
            ("second-language", _) => profile.second_language = Some(value.to_owned()),
            _ if self.counted(word)? => {}
            _ => {
                let known = [
                    "edition=",
                    "type=",
                    "supervision=",
                    "mode=",
                    "clock=",
                    "black-clock=",
                    "draw-odds=",
                    "scoring=",
                    "language=",
                    "second-language=",
                    "counts=",
                    "agreement=",
                    "aids=",
                    "asks-back=",
                    "default-time=",
                    "no-arbiter",
                    "one-board",
                    "chess960",
                    "adjournment",
                    "quickplay",
                    "guided",
                    "unapproved",
                    "signed-by-voice",
                    "shared-microphone",
                ];
                return Err(format!(
                    "nothing like {word} can be agreed in a profile line{}; there are {}",
                    nearest(key, &known),
                    known.join(" ")
                ));
            }
        }
        Ok(())
    }

    /// Reads times and the points of results. Returns whether it was one of these.
    fn counted(&mut self, word: &str) -> Result<bool, String> {
        let profile = &mut self.profile;
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match (key, value) {
            ("clock", _) => {
                let control = value.parse().map_err(|error| format!("{error}"))?;
                profile.time_control = Some(control);
            }
            ("black-clock", _) => {
                let control = value.parse().map_err(|error| format!("{error}"))?;
                profile.black_time_control = Some(control);
            }
            ("draw-odds", _) => {
                let side = color(value).ok_or_else(|| format!("{word}: write white or black"))?;
                profile.draw_odds = Some(side);
            }
            ("scoring", _) => {
                let scoring = value.parse().map_err(|error| format!("{word}: {error}"))?;
                profile.scoring = Some(scoring);
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
            _ => return Ok(false),
        }
        Ok(true)
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
            ("pegs", "") => player.board = Sensors::Occupancy,
            ("board", _) => player.board = data(key, value)?,
            ("announced-by-program", "") => player.announced_by_program = true,
            // Spaces separate the words of a line.
            ("name", _) => player.name = value.replace('_', " "),
            ("assistant", "all") => player.duties = Duty::ALL.into(),
            ("assistant", _) => {
                let duties: Result<BTreeSet<Duty>, String> =
                    value.split(',').map(|duty| data(key, duty)).collect();
                player.duties = duties?;
            }
            ("deaf" | "hearing-impaired", "") => player.hearing_impaired = true,
            _ => {
                let known = [
                    "blind",
                    "sighted",
                    "ear",
                    "no-ear",
                    "deaf",
                    "pegs",
                    "board=pieces",
                    "board=none",
                    "assistant=",
                    "announced-by-program",
                    "name=",
                ];
                return Err(format!(
                    "nothing like {word} can be agreed for a player{}; there are {}",
                    nearest(key, &known),
                    known.join(" ")
                ));
            }
        }
        Ok(())
    }
}

/// A word as the value of a closed type: `rapid`, `2017-07`.
fn data<T: DeserializeOwned>(key: &str, value: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::String(value.to_owned()))
        .map_err(|error| format!("{key}={value}: {error}"))
}
