//! Rulings of the arbiter, typed in the console's own words.

use std::time::Duration;

use chacha20poly1305::aead::{OsRng, rand_core::RngCore as _};
use shakmaty::Color;

use crate::game::{Aid, DeviceApproval, Duty, Game, Irregularity, Penalty, Ruling};
use crate::laws::{Adaptation, QuickplayDecision};
use crate::phrases::Remedy;
use crate::shell::config::data;
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Fault, Part};

/// How many starting positions Chess960 has.
const ARRAYS: u32 = 960;

/// Reads the number of a starting position.
pub(crate) fn number_of_array(typed: &str) -> Option<u32> {
    typed.parse().ok().filter(|number| *number < ARRAYS)
}

/// Draws a number for the starting position of a Chess960 game at random (F.2). The record keeps
/// the number.
pub(crate) fn drawn_array() -> u32 {
    // Numbers above the last whole 960 would make some positions likelier than others.
    let fair = u32::MAX - u32::MAX % ARRAYS;
    loop {
        let drawn = OsRng.next_u32();
        if drawn < fair {
            return drawn % ARRAYS;
        }
    }
}

/// Returns whether a ruling of the arbiter begins with this word.
pub(crate) fn begins_ruling(word: &str) -> bool {
    matches!(
        word,
        "approve"
            | "start"
            | "halt"
            | "stop"
            | "restart"
            | "set"
            | "add"
            | "counter"
            | "flag"
            | "accept"
            | "dismiss"
            | "takeback"
            | "uphold"
            | "deny"
            | "restore"
            | "compare"
            | "read"
            | "agreed"
            | "report"
            | "penalise"
            | "resume"
            | "result"
            | "annul"
            | "missing"
            | "allow"
            | "forbid"
            | "note"
            | "decide"
            | "adapt"
            | "position"
            | "board"
            | "queen"
            | "array"
    )
}

/// Returns whether a line that begins with this word can only be a ruling of the arbiter.
pub(crate) fn is_only_a_ruling(word: &str) -> bool {
    begins_ruling(word) || matches!(word, "adjourn" | "open")
}

/// Returns the code of a language that is named in itself or in the console's own words.
fn code_of(named: &str) -> Option<String> {
    let is_named = |code: &String| {
        let Ok(name) = data::lexicon(code).map(|it| it.name().to_lowercase()) else {
            return false;
        };
        let words = console_words(code).ok();
        let own = words.and_then(|it| it.words.get(&name).cloned());
        name == named || own.is_some_and(|own| own == named)
    };
    data::languages().ok()?.into_iter().find(is_named)
}

/// Makes the order that the table speaks the first of these languages and hears all of them, an
/// adaptation by the arbiter (D.1). They are named by their codes or by name.
pub(crate) fn table_languages(
    game: &Game,
    named: &[&str],
    arbiter: String,
) -> Result<Ruling, Fault> {
    let code = |named: &&str| code_of(named).unwrap_or_else(|| (*named).to_owned());
    let codes: Vec<String> = named.iter().map(code).collect();
    for code in &codes {
        data::lexicon(code).map_err(|error| error.fault(Part::Language))?;
    }
    let approval = game.profile().device.as_ref();
    Ok(Ruling::Adapt(Adaptation {
        key: Adaptation::LANGUAGES.to_owned(),
        value: format!("{codes:?}"),
        arbiter: approval.map_or(arbiter, |approval| approval.by.clone()),
        at: jiff::ZonedDateTime::now()
            .strftime("%Y-%m-%d %H:%M")
            .to_string(),
    }))
}

/// Makes the order that gives an assistant all duties of D.2.10, or takes them away.
pub(crate) fn duties(game: &Game, side: Color, has_all: bool) -> Ruling {
    let mut profile = game.profile().clone();
    profile.sides[side].duties = match has_all {
        true => Duty::ALL.into(),
        false => std::collections::BTreeSet::new(),
    };
    Ruling::ChangeProfile(Box::new(profile))
}

/// Adds to the words of a line the numbers that only the game knows. Without a number the last
/// proposal is meant, and a move of a side becomes a count of plies.
pub(crate) fn with_numbers(game: &Game, mut words: Vec<String>) -> Vec<String> {
    let typed: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = match typed.as_slice() {
        ["accept" | "dismiss"] => Some(game.last_proposal().unwrap_or_default()),
        ["agreed" | "restore", one, other] => {
            let of = |side: &str, number: &str| {
                game.plies_until(number.trim_end_matches('.').parse().ok()?, side_of(side)?)
            };
            of(one, other).or_else(|| of(other, one))
        }
        _ => None,
    };
    if let Some(number) = number {
        words.truncate(1);
        words.push(number.to_string());
    }
    words
}

/// Returns the ruling of a line, if the line is complete.
pub(crate) fn complete_ruling(first: &str, rest: &[&str]) -> Option<Ruling> {
    Some(match (first, rest) {
        ("start", []) => Ruling::Start,
        ("halt" | "stop", []) => Ruling::Stop,
        ("restart", []) => Ruling::Restart { clock: None },
        ("restart", [side]) => Ruling::Restart {
            clock: Some(side_of(side)?),
        },
        ("set", [side, time]) => Ruling::SetClock {
            side: side_of(side)?,
            left: duration(time)?,
        },
        ("add", [side, time]) => Ruling::AddTime {
            side: side_of(side)?,
            time: duration(time)?,
        },
        ("counter", [side, moves]) => Ruling::SetMoveCounter {
            side: side_of(side)?,
            moves: moves.parse().ok()?,
        },
        ("flag", [side]) => Ruling::CallFlag {
            side: side_of(side)?,
        },
        ("accept", [number]) => Ruling::Accept {
            proposal: number.parse().ok()?,
        },
        ("dismiss", [number]) => Ruling::Dismiss {
            proposal: number.parse().ok()?,
        },
        ("takeback", []) => Ruling::TakeBack,
        ("uphold", []) => Ruling::DecideClaim { upheld: true },
        ("deny", []) => Ruling::DecideClaim { upheld: false },
        ("restore", [plies]) => Ruling::Restore {
            plies: plies.parse().ok()?,
        },
        ("compare", []) => Ruling::Compare,
        ("read", []) => Ruling::ReadVerdict,
        ("agreed", [plies]) => Ruling::GoBack {
            plies: plies.parse().ok()?,
            explanation: None,
        },
        ("report", [side, what @ ..]) => Ruling::Report {
            side: side_of(side)?,
            irregularity: named::<Irregularity>(what)?,
        },
        ("penalise", [side, what @ ..]) => Ruling::Penalise {
            side: side_of(side)?,
            penalty: penalty(what)?,
        },
        ("resume", [present]) => Ruling::Resume {
            present: named(&[present])?,
        },
        ("missing", []) => Ruling::EnvelopeMissing {
            position_known: true,
        },
        ("missing", ["position"]) => Ruling::EnvelopeMissing {
            position_known: false,
        },
        ("allow", ["draw"]) => Ruling::AllowDraw,
        ("allow" | "forbid", ["board"]) => Ruling::Aid {
            aid: Aid::Board,
            is_allowed: first == "allow",
        },
        ("allow", ["time", side, at]) => Ruling::AllowStandingRequest {
            side: side_of(side)?,
            at: duration(at)?,
        },
        ("note", []) => Ruling::NoteState,
        ("decide", what) => Ruling::DecideQuickplay(quickplay_decision(what)?),
        ("result", [result]) => Ruling::Result(result.parse().ok()?),
        ("annul", []) => Ruling::Annul,
        _ => return None,
    })
}

/// The remedy for a value that a ruling does not know, if the line is complete.
pub(crate) fn remedy_for(first: &str, rest: &[&str]) -> Option<Remedy> {
    let has_no_side = rest.first().is_some_and(|side| side_of(side).is_none());
    let is_about_a_side = matches!(
        first,
        "set" | "add" | "counter" | "flag" | "report" | "penalise"
    );
    Some(match (first, rest) {
        (_, [_, ..]) if is_about_a_side && has_no_side => Remedy::GiveSide,
        ("set" | "add", [_, time]) if duration(time).is_none() => Remedy::GiveTime,
        ("set" | "add", [_, _, ..]) => Remedy::GiveTime,
        ("counter", [_, _])
        | ("accept" | "dismiss" | "restore" | "agreed", [_])
        | ("restore" | "agreed", [_, _]) => Remedy::GiveNumber,
        ("result", [_]) => Remedy::GiveResult,
        _ => return None,
    })
}

/// Reads a value by its name in the record, with spaces for the underscores.
fn named<T: serde::de::DeserializeOwned>(words: &[&str]) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(words.join("_"))).ok()
}

fn quickplay_decision(words: &[&str]) -> Option<QuickplayDecision> {
    Some(match words {
        ["draw"] => QuickplayDecision::Draw,
        ["later"] => QuickplayDecision::Postpone { with_time: false },
        ["later", "with", "time"] => QuickplayDecision::Postpone { with_time: true },
        ["reject"] => QuickplayDecision::Reject,
        ["five", "seconds"] => QuickplayDecision::FiveSeconds,
        ["five", "seconds", "delay"] => QuickplayDecision::FiveSecondsDelay,
        _ => return None,
    })
}

fn penalty(words: &[&str]) -> Option<Penalty> {
    Some(match words {
        ["warning"] => Penalty::Warning,
        ["opponent", "more", time] => Penalty::MoreTimeForOpponent(duration(time)?),
        ["less", time] => Penalty::LessTimeForOffender(duration(time)?),
        ["opponent", "points", halves] => Penalty::MorePointsForOpponent(halves.parse().ok()?),
        ["points", halves] => Penalty::FewerPointsForOffender(halves.parse().ok()?),
        ["exclusion", rounds] => Penalty::ExclusionFromRounds(rounds.parse().ok()?),
        ["loss"] => Penalty::LossOfGame,
        ["fine"] => Penalty::Fine,
        ["expulsion"] => Penalty::Expulsion,
        _ => return None,
    })
}

/// Reads a duration: `1:30:00`, `2:30`, `90m`, `45s`, `1h30m`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let seconds = if text.contains(':') {
        text.split(':').try_fold(0u64, |sum, part| {
            sum.checked_mul(60)?.checked_add(part.parse().ok()?)
        })?
    } else {
        let mut seconds = 0u64;
        let mut number = String::new();
        for letter in text.chars() {
            let unit = match letter {
                'h' => 3600,
                'm' => 60,
                's' => 1,
                digit => {
                    number.push(digit);
                    continue;
                }
            };
            let count: u64 = number.parse().ok()?;
            seconds = seconds.checked_add(count.checked_mul(unit)?)?;
            number.clear();
        }
        if !number.is_empty() || text.is_empty() {
            return None;
        }
        seconds
    };
    (seconds <= 360_000).then(|| Duration::from_secs(seconds))
}

/// Reads a side by its name or letter.
pub(crate) fn side_of(word: &str) -> Option<Color> {
    match word {
        "white" | "w" => Some(Color::White),
        "black" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// Reads what the arbiter sets by hand. The rest of the line is taken as typed.
pub(crate) fn by_hand(words: &[&str], text: &str) -> Option<Ruling> {
    let typed: Vec<&str> = text.split_whitespace().collect();
    let rest = |count: usize| typed.get(count..).unwrap_or_default().join(" ");
    Some(match words {
        // A name can have any number of words. What is approved may follow after a comma.
        ["approve", _, ..] => {
            let said = rest(1);
            let (by, scope) = said.split_once(',').unwrap_or((&said, ""));
            Ruling::ApproveDevice(DeviceApproval {
                by: by.trim().to_owned(),
                scope: scope.trim().to_owned(),
            })
        }
        ["adapt", ..] => Ruling::Adapt(Adaptation::read(&rest(1), "")?),
        ["position", ..] => Ruling::SetPosition(rest(1).parse().ok()?),
        ["board", side, _] => Ruling::BoardShows {
            board: side_of(side)?,
            placement: rest(2).parse().ok()?,
        },
        ["array"] => Ruling::SetArray {
            number: drawn_array(),
        },
        ["array", number] => Ruling::SetArray {
            number: number_of_array(number)?,
        },
        ["queen", square] => Ruling::PlaceQueen {
            square: square.parse().ok()?,
        },
        ["allow", "time", side, time] => Ruling::AllowStandingRequest {
            side: side_of(side)?,
            at: duration(time)?,
        },
        _ => return None,
    })
}

/// The languages that a ruling names. Each needs its folder.
pub(crate) fn languages_of(ruling: &Ruling) -> Vec<String> {
    let named = match ruling {
        Ruling::Adapt(adaptation) if adaptation.key == Adaptation::LANGUAGES => &adaptation.value,
        _ => return Vec::new(),
    };
    let read = toml::from_str::<std::collections::BTreeMap<String, Vec<String>>>(&format!(
        "codes = {named}"
    ));
    read.map_or_else(
        |_| Vec::new(),
        |read| read.into_values().flatten().collect(),
    )
}
