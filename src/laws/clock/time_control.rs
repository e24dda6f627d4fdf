//! Time controls, and how they are written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

/// The allotted time of a player: one or more periods (6.3.1).
///
/// It is written as periods joined by `+`, each a time with its number of moves after a slash. The
/// last period has no number of moves. The bonus for each move comes last, in seconds:
/// `90m/40+30m+30s` is 40 moves in 90 minutes, then 30 minutes for the rest, with 30 seconds for
/// each move from the first one on. `b3s` is a Bronstein delay, `d5s` a US delay. A period with a
/// bonus of its own has it in brackets: `2h/40+1h/20+15m(30s)`. `120m+10s@41` gives ten seconds for
/// each move from the 41st of the period on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct TimeControl {
    periods: Vec<Period>,
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The moves to be completed in it, or `None` in the last period, which has all the rest.
    pub moves: Option<u32>,
    /// The main thinking time.
    pub time: Duration,
    /// The bonus for each move.
    pub bonus: Bonus,
    /// The first move of the period that gets the bonus, counted from 1.
    pub bonus_from: u32,
}

impl Period {
    /// The bonus of a move by its number in the period, counted from 1.
    pub const fn bonus_of(self, number: u32) -> Bonus {
        if number < self.bonus_from {
            Bonus::None
        } else {
            self.bonus
        }
    }
}

/// Fixed extra time for each move (6.3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// None.
    #[default]
    None,
    /// Added for each move, and at the start for the first. Saved time is kept (Fischer).
    Increment(Duration),
    /// Given back after each move, up to the time used for it (Bronstein). Nothing can be saved.
    Bronstein(Duration),
    /// The main thinking time starts only after this delay (US delay). Nothing can be saved.
    Delay(Duration),
}

impl Bonus {
    /// The length of the bonus.
    pub const fn time(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Increment(time) | Self::Bronstein(time) | Self::Delay(time) => time,
        }
    }
}

/// A time control that cannot be read, with the wrong part and the correct form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("time control: {part}: {wrong}")]
pub struct ParseTimeControlError {
    /// The wrong part, as written.
    pub part: String,
    /// What is wrong with the part.
    pub wrong: TimeControlFault,
}

/// What is wrong with a part of a time control, and the correct form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TimeControlFault {
    /// There are too many periods.
    #[error("has more than ten periods")]
    ManyPeriods,
    /// A period before the last has no number of moves.
    #[error("needs the number of its moves, such as 90m/40")]
    NoMoves,
    /// The last period has a number of moves.
    #[error("needs a period for the rest of the game after it, such as +30m")]
    NoRest,
    /// The number of moves is zero.
    #[error("has no number of moves")]
    NoNumber,
    /// The number of moves is out of range.
    #[error("needs 1 to 1000 moves")]
    MovesOutOfRange,
    /// A period has no time.
    #[error("needs more than no time")]
    NoTime,
    /// The bonus of a move is written in minutes or hours.
    #[error("is no time for each move: that is written in seconds, such as 30s")]
    BonusNotInSeconds,
    /// The part is no time at all.
    #[error("is no time: write hours, minutes and seconds as 1h30m, 90m or 45s")]
    Form,
    /// It is longer than any game.
    #[error("is longer than 100 hours")]
    TooLong,
}

/// The longest time of a period. No game is longer, and it keeps every sum far from overflow.
const LONGEST: Duration = Duration::from_secs(100 * 3600);
const MOST_PERIODS: usize = 10;
const MOST_MOVES: u32 = 1000;

impl TimeControl {
    /// Returns the same periods with this bonus for each move.
    #[must_use]
    pub fn with_bonus(&self, bonus: Bonus) -> Self {
        let periods = self.periods.iter();
        Self {
            periods: periods
                .map(|&period| Period {
                    bonus,
                    bonus_from: 1,
                    ..period
                })
                .collect(),
        }
    }

    /// The periods, first to last. There is at least one; only the last has no number of moves.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// The period with this number, counted from 0. Any number after the last gives the last one.
    pub fn period(&self, number: usize) -> Period {
        let period = self.periods.get(number).or(self.periods.last());
        period.copied().unwrap_or(Period {
            moves: None,
            time: Duration::ZERO,
            bonus: Bonus::None,
            bonus_from: 1,
        })
    }

    /// The thinking time for 60 moves, which tells rapid from blitz (A.1, B.1): all main times that
    /// are used, and the bonus of each of the 60 moves.
    pub fn for_sixty_moves(&self) -> Duration {
        let mut time = Duration::ZERO;
        let mut left = 60;
        for period in &self.periods {
            let moves = period.moves.unwrap_or(left).min(left);
            let with_bonus = moves.saturating_sub(period.bonus_from.saturating_sub(1));
            time += period.time + period.bonus.time() * with_bonus;
            left -= moves;
            if left == 0 {
                break;
            }
        }
        time
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = |part: &str, wrong| ParseTimeControlError {
            part: part.to_owned(),
            wrong,
        };
        let as_clubs_write = as_clubs_write(text);
        let text = as_clubs_write.as_deref().unwrap_or(text);
        let mut parts: Vec<&str> = text.split('+').map(str::trim).collect();
        if parts.len() > MOST_PERIODS + 1 {
            return Err(fault(text, TimeControlFault::ManyPeriods));
        }
        let common = match parts.last().map(|part| bonus(part)) {
            Some(Ok(bonus)) if parts.len() > 1 => {
                parts.pop();
                bonus
            }
            // No game has two periods for all remaining moves, so the last part is the bonus for
            // each move.
            Some(Err(wrong))
                if parts
                    .last()
                    .is_some_and(|part| part.contains('@') && !part.contains('(')) =>
            {
                let part = parts.last().copied().unwrap_or_default();
                return Err(fault(part, wrong));
            }
            _ => (Bonus::None, 1),
        };
        let last = parts.len() - 1;
        let mut periods = Vec::with_capacity(parts.len());
        for (index, part) in parts.into_iter().enumerate() {
            let period = period(part, common).map_err(|wrong| fault(part, wrong))?;
            match (period.moves, index == last) {
                (None, false) => {
                    return Err(fault(part, TimeControlFault::NoMoves));
                }
                (Some(_), true) => {
                    return Err(fault(part, TimeControlFault::NoRest));
                }
                _ => periods.push(period),
            }
        }
        Ok(Self { periods })
    }
}

/// Reads `15+10`, as clubs and clocks write it: minutes for the game and seconds for each move.
fn as_clubs_write(text: &str) -> Option<String> {
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let parts: Vec<&str> = text.split('+').map(str::trim).collect();
    match parts.as_slice() {
        [minutes, "0"] if is_number(minutes) => Some(format!("{minutes}m")),
        [minutes, seconds] if is_number(minutes) && is_number(seconds) => {
            Some(format!("{minutes}m+{seconds}s"))
        }
        _ => None,
    }
}

fn period(part: &str, common: (Bonus, u32)) -> Result<Period, TimeControlFault> {
    let (part, (bonus, bonus_from)) =
        match part.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
            Some((part, own)) => (part, bonus(own)?),
            None => (part, common),
        };
    let (time, moves) = match part.split_once('/') {
        Some((time, moves)) => {
            let moves: u32 = moves
                .trim()
                .parse()
                .map_err(|_| TimeControlFault::NoNumber)?;
            if moves == 0 || moves > MOST_MOVES {
                return Err(TimeControlFault::MovesOutOfRange);
            }
            (time, Some(moves))
        }
        None => (part, None),
    };
    let time = duration(time.trim())?;
    if time.is_zero() {
        return Err(TimeControlFault::NoTime);
    }
    Ok(Period {
        moves,
        time,
        bonus,
        bonus_from,
    })
}

/// Reads `30s`, `b3s`, `d5s`, and `10s@41` with the first move of the period that gets it.
fn bonus(part: &str) -> Result<(Bonus, u32), TimeControlFault> {
    let (part, from) = match part.split_once('@') {
        Some((part, from)) => {
            let from: u32 = from
                .trim()
                .parse()
                .map_err(|_| TimeControlFault::NoNumber)?;
            if from == 0 || from > MOST_MOVES {
                return Err(TimeControlFault::MovesOutOfRange);
            }
            (part.trim(), from)
        }
        None => (part, 1),
    };
    let (kind, time): (fn(Duration) -> Bonus, _) = if let Some(time) = part.strip_prefix('b') {
        (Bonus::Bronstein, time)
    } else if let Some(time) = part.strip_prefix('d') {
        (Bonus::Delay, time)
    } else {
        (Bonus::Increment, part)
    };
    if time.contains(['m', 'h']) {
        return Err(TimeControlFault::BonusNotInSeconds);
    }
    duration(time).map(|time| match time {
        Duration::ZERO => (Bonus::None, 1),
        time => (kind(time), from),
    })
}

/// Reads `2h`, `90m`, `1h30m`, `45s`.
fn duration(text: &str) -> Result<Duration, TimeControlFault> {
    const FORM: TimeControlFault = TimeControlFault::Form;
    let mut total = Duration::ZERO;
    let mut rest = text;
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        if let Some((number, after)) = rest.split_once(unit) {
            let number: u32 = number.parse().map_err(|_| FORM)?;
            total += Duration::from_secs(u64::from(number) * seconds);
            rest = after;
        }
    }
    if !rest.is_empty() || text.is_empty() {
        return Err(FORM);
    }
    if total > LONGEST {
        return Err(TimeControlFault::TooLong);
    }
    Ok(total)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = |period: &Period| (period.bonus, period.bonus_from);
        let first = given(&self.period(0));
        let common = self.periods.iter().all(|period| given(period) == first);
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                f.write_str("+")?;
                if period.time < Duration::from_secs(60) {
                    // Seconds alone would be read as a bonus.
                    f.write_str("0m")?;
                }
            }
            write_duration(f, period.time)?;
            if let Some(moves) = period.moves {
                write!(f, "/{moves}")?;
            }
            if !common && period.bonus != Bonus::None {
                f.write_str("(")?;
                write_bonus(f, given(period))?;
                f.write_str(")")?;
            }
        }
        if common && first.0 != Bonus::None {
            f.write_str("+")?;
            write_bonus(f, first)?;
        }
        Ok(())
    }
}

fn write_bonus(f: &mut fmt::Formatter<'_>, (bonus, from): (Bonus, u32)) -> fmt::Result {
    write!(f, "{bonus}")?;
    if from > 1 {
        write!(f, "@{from}")?;
    }
    Ok(())
}

impl fmt::Display for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Increment(time) => write!(f, "{}s", time.as_secs()),
            Self::Bronstein(time) => write!(f, "b{}s", time.as_secs()),
            Self::Delay(time) => write!(f, "d{}s", time.as_secs()),
        }
    }
}

/// Writes a duration with a unit other than seconds, unless it is less than a minute.
fn write_duration(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    if minutes > 0 {
        write!(f, "{minutes}m")?;
    }
    if seconds > 0 {
        write!(f, "{seconds}s")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(minutes: u64) -> Duration {
        Duration::from_secs(minutes * 60)
    }

    #[track_caller]
    fn wrong(text: &str, part: &str) -> String {
        let error = text.parse::<TimeControl>().unwrap_err();
        assert_eq!(error.part, part, "{error}");
        error.wrong.to_string()
    }

    #[test]
    fn a_last_period_of_seconds_is_not_written_as_an_increment() {
        for text in ["90m/40+0m30s", "90m/40+0m30s+30s", "30s+2s", "30s"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn periods_moves_and_increment_are_read() {
        let control: TimeControl = "90m/40+30m+30s".parse().unwrap();
        let increment = Bonus::Increment(Duration::from_secs(30));
        assert_eq!(
            control.periods(),
            [
                Period {
                    moves: Some(40),
                    time: minutes(90),
                    bonus: increment,
                    bonus_from: 1,
                },
                Period {
                    moves: None,
                    time: minutes(30),
                    bonus: increment,
                    bonus_from: 1,
                },
            ]
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "90m/40+30m+30s",
            "5m+3s",
            "15m",
            "25m+d5s",
            "60m+b3s",
            "120m/40+60m/20+15m(30s)",
            "120m+10s@41",
            "90m/40+30m(30s@2)",
            "1m30s",
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        assert_eq!(
            "2h/40+1h".parse::<TimeControl>().unwrap().to_string(),
            "120m/40+60m"
        );
    }

    #[test]
    fn a_wrong_part_is_named_with_its_remedy() {
        assert!(wrong("ninety", "ninety").starts_with("is no time"));
        assert!(wrong("90m+30m", "90m").contains("number of its moves"));
        assert!(wrong("90m/40", "90m/40").contains("rest of the game"));
        assert!(wrong("90m/x+30m", "90m/x").contains("no number of moves"));
        assert!(wrong("", "").starts_with("is no time"));
        assert!(wrong("0m", "0m").contains("more than no time"));
        assert!(wrong("101h", "101h").contains("100 hours"));
        assert!(wrong("120m+10s@x", "10s@x").contains("no number of moves"));
        assert!(wrong("120m+10s@0", "10s@0").contains("1 to 1000"));
    }

    #[test]
    fn sixty_moves_tell_rapid_from_blitz() {
        let time = |text: &str| text.parse::<TimeControl>().unwrap().for_sixty_moves();
        assert_eq!(time("5m+5s"), minutes(10));
        assert_eq!(time("45m+15s"), minutes(60));
        assert_eq!("15+10".parse(), "15m+10s".parse::<TimeControl>());
        assert_eq!("5 + 0".parse(), "5m".parse::<TimeControl>());
        assert_eq!(time("90m/40+30m+30s"), minutes(150));
        assert_eq!(time("2h/60+1h"), minutes(120));
        // Twenty of the sixty moves get thirty seconds.
        assert_eq!(time("50m+30s@41"), minutes(60));
    }
}
