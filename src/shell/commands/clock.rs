//! `annexd clock`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Subcommand;

use super::board_watch::{Wanted, open, watch};
use crate::shell::boards::clocks::ClockSide;
use crate::shell::boards::{DeviceCommand, DeviceEvent, Kind, PortReport, PortSettings, Report};
use crate::shell::config::language;
use crate::shell::error::{Result, Sentence, error, sentence};

/// Tries chess clocks.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Watch(Watch),
    Set(Set),
}

/// Prints what a clock shows and what happens at it. It is only read, never set.
#[derive(clap::Args)]
struct Watch {
    /// The port of the board or cable that the clock hangs on, or auto.
    port: String,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// One object per line, as annexd board replay has them.
    #[arg(long)]
    json: bool,
}

/// Sets a clock and starts it. Its lever switches sides. For club play: in a rated game the
/// arbiter sets the clock by hand, and it stays the evidence.
///
/// The clock has to be in the mode for it: 23 on the XL, 25 on the 3000.
#[derive(clap::Args)]
struct Set {
    /// The port of the board or cable that the clock hangs on, or auto.
    port: String,
    /// The time on the left: 5:00 or 1:30:00, up to 9:59:59.
    #[arg(value_parser = time_of)]
    left: Duration,
    /// The time on the right.
    #[arg(value_parser = time_of)]
    right: Duration,
    /// The side that runs; without it the clock stands.
    #[arg(long, value_enum)]
    run: Option<RunningSide>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RunningSide {
    Left,
    Right,
}

/// Runs the command.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    match arguments.command {
        Command::Watch(arguments) => {
            let time = arguments.time.map(Duration::from_secs);
            watch(of(arguments.port), Wanted::Clock, arguments.json, time)?;
        }
        Command::Set(arguments) => set(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn of(port: String) -> PortSettings {
    PortSettings {
        kind: Some(Kind::Dgt),
        ..PortSettings::new(port)
    }
}

/// Long enough for three tries of two seconds, and for the command that ends the text.
const ANSWER_MAX: Duration = Duration::from_secs(9);

fn set(arguments: Set) -> Result<()> {
    let (port, reports) = open(of(arguments.port))?;
    port.command(DeviceCommand::SetClock {
        left: arguments.left,
        right: arguments.right,
        running: arguments.run.map(|side| match side {
            RunningSide::Left => ClockSide::Left,
            RunningSide::Right => ClockSide::Right,
        }),
    });
    let end = Instant::now() + ANSWER_MAX;
    while let Ok(report) = reports.recv_deadline(end) {
        match report {
            PortReport::Report(Report::Device(DeviceEvent::ClockAnswer(true))) => {
                language::show(&sentence!(ClockIsSet));
                return Ok(());
            }
            PortReport::Report(Report::Device(DeviceEvent::ClockAnswer(false))) => break,
            _ => {}
        }
    }
    Err(error!(DeviceLost, ClockNotSet))
}

fn time_of(text: &str) -> std::result::Result<Duration, Sentence> {
    let problem = || sentence!(NoClockTime, text = text);
    let mut seconds = 0;
    let parts: Vec<&str> = text.split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return Err(problem());
    }
    for (index, part) in parts.iter().enumerate() {
        let number: u64 = part.parse().map_err(|_| problem())?;
        if index > 0 && number > 59 {
            return Err(problem());
        }
        seconds = seconds * 60 + number;
    }
    if seconds >= 10 * 3600 {
        return Err(sentence!(ClockTimeTooLong, text = text));
    }
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds_or_hours_too() {
        assert_eq!(time_of("5:00"), Ok(Duration::from_secs(300)));
        assert_eq!(time_of("1:30:00"), Ok(Duration::from_secs(5400)));
        for wrong in ["5", "5:60", "x:00", "10:00:00", ""] {
            assert!(time_of(wrong).is_err(), "{wrong}");
        }
    }
}
