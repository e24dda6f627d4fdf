//! `annexd board watch` and `annexd clock`: what devices report, line by line.

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use serde_json::{Value, json};
use shakmaty::uci::UciMove;

use crate::board::{Event, Orientation};
use crate::moment::Moment;
use crate::shell::boards::clocks::ClockEvent;
use crate::shell::boards::replay::{
    alike_words, departs_words, move_words, reading_json, reading_words, side_words,
};
use crate::shell::boards::{
    BoardPort, DeviceCommand, DeviceEvent, PortReport, PortSettings, Report,
};
use crate::shell::config::language;
use crate::shell::error::{Result, Sentence, error, sentence};

/// Which reports of a device are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Everything.
    Board,
    /// The clock only.
    Clock,
}

/// After this long without a report, the silence is reported.
const SILENCE_MAX: Duration = Duration::from_secs(5);

/// Opens a port. Returns it with its reports.
pub(super) fn open(settings: PortSettings) -> Result<(BoardPort, Receiver<PortReport>)> {
    let begun = Instant::now();
    let (sender, reports) = unbounded();
    let port = BoardPort::open(
        settings,
        move || Moment::START + begun.elapsed(),
        move |_, report| {
            // Nobody listens any more when the program ends.
            let _ = sender.send(report);
        },
    )?;
    Ok((port, reports))
}

/// Prints what a device reports until the program is ended, or for this long.
pub(super) fn watch(
    settings: PortSettings,
    wanted: Wanted,
    is_json: bool,
    time: Option<Duration>,
) -> Result<()> {
    let begun = Instant::now();
    let end = time.map(|time| begun + time);
    let name = settings.port.clone();
    let (port, reports) = open(settings)?;
    let announced = announcements();
    let mut out = std::io::stdout().lock();
    let (mut has_heard, mut has_told) = (false, false);
    let nothing = || match wanted {
        Wanted::Board => error!(DeviceLost, NoBoardAt, names = name),
        Wanted::Clock => error!(DeviceLost, NoClockAt, port = name),
    };
    loop {
        if end.is_some_and(|end| Instant::now() >= end) {
            return if has_heard { Ok(()) } else { Err(nothing()) };
        }
        if !has_heard && begun.elapsed() >= SILENCE_MAX && !std::mem::replace(&mut has_told, true) {
            let words = nothing().sentence();
            let value = json!({"silent": true, "note": words.to_string()});
            if !print(&mut out, is_json, &words, &value) {
                return Ok(());
            }
        }
        for announced in announced.try_iter() {
            port.announced(announced);
        }
        let report = match reports.recv_timeout(Duration::from_millis(20)) {
            Ok(report) => report,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        if matches!(report, PortReport::Found { .. }) {
            port.command(DeviceCommand::Identify);
        }
        has_heard |= match &report {
            PortReport::Found { .. } => wanted == Wanted::Board,
            report => matches!(report, PortReport::Report(Report::Clock { .. })),
        };
        let Some((words, value)) = line(&report, wanted) else {
            continue;
        };
        if !print(&mut out, is_json, &words, &value) {
            return Ok(());
        }
    }
}

/// Prints a line. Returns whether somebody still reads it.
fn print(out: &mut impl std::io::Write, is_json: bool, words: &Sentence, value: &Value) -> bool {
    let text = if is_json {
        value.to_string()
    } else {
        language::text(words)
    };
    writeln!(out, "{text}").and_then(|()| out.flush()).is_ok()
}

/// Takes moves typed on standard input as announcements.
fn announcements() -> Receiver<UciMove> {
    let (sender, announced) = unbounded();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(|line| line.ok()) {
            if let Ok(announced) = line.trim().parse()
                && sender.send(announced).is_err()
            {
                return;
            }
        }
    });
    announced
}

/// A report in words and as an object; `None` if it needs no line.
fn line(report: &PortReport, wanted: Wanted) -> Option<(Sentence, Value)> {
    match report {
        PortReport::Found {
            port,
            kind,
            capabilities,
        } => Some((
            sentence!(BoardFound, kind = kind.name(), port = port),
            json!({
                "found": port,
                "kind": kind.name(),
                "clock": capabilities.has_clock,
                "lights": capabilities.has_lights,
            }),
        )),
        PortReport::Lost { why } => Some((
            sentence!(BoardLineLost, why = why),
            json!({"lost": why.to_string()}),
        )),
        PortReport::Returned => Some((sentence!(BoardBackAgain), json!({"returned": true}))),
        PortReport::Report(Report::Board(event)) if wanted == Wanted::Board => board_line(event),
        PortReport::Report(Report::Board(_)) => None,
        PortReport::Report(Report::Clock { reading, .. }) => Some((
            reading_words(reading),
            json!({"clock": reading_json(reading)}),
        )),
        PortReport::Report(Report::Pressed { clock_side, by }) => {
            let side = side_words(*clock_side);
            let words = match by {
                Some(by) => sentence!(ClockPressedBy, side = side, whose = by),
                None => sentence!(ClockPressed, side = side),
            };
            Some((
                words,
                json!({"pressed": clock_side, "side": by.map(|by| by.to_string())}),
            ))
        }
        PortReport::Report(Report::ClockEvent(event)) => clock_words(*event).map(note),
        PortReport::Report(
            Report::ClockNotice(_) | Report::WhiteSitsAt(_) | Report::WhoSitsWhere,
        ) => None,
        PortReport::Report(Report::Result(result)) => Some((
            sentence!(ShownAsResult, result = *result),
            json!({"result": result}),
        )),
        PortReport::Report(Report::Device(event)) => device_line(event),
    }
}

fn board_line(event: &Event) -> Option<(Sentence, Value)> {
    Some(match event {
        Event::Began {
            orientation,
            placement,
        } => began_line(*orientation, placement),
        Event::OrientationShown(orientation) => {
            let lies = match orientation {
                Orientation::Normal => sentence!(BoardLiesNormal),
                Orientation::Rotated => sentence!(BoardLiesRotated),
            };
            (lies, json!({"lies": orientation_word(*orientation)}))
        }
        Event::Turned(orientation) => (
            sentence!(BoardWasTurned),
            json!({"turned": orientation_word(*orientation)}),
        ),
        Event::Moved(played) => (
            sentence!(AsItIs, text = move_words(played)),
            json!({
                "move": played.played.to_string(),
                "ply": played.ply,
                "side": played.side.to_string(),
            }),
        ),
        Event::Seen(played) => (
            sentence!(MoveSeen, which = move_words(played)),
            json!({"seen": played.played.to_string(), "ply": played.ply}),
        ),
        Event::TakenBack { plies } => (
            sentence!(TakenBackTo, count = *plies),
            json!({"taken_back": plies}),
        ),
        Event::Touched(square, piece) => {
            let letter = piece.map(shakmaty::Piece::char);
            (
                sentence!(SquareTouched, square = square.to_string()),
                json!({"touched": square.to_string(), "piece": letter}),
            )
        }
        Event::RookFirst(_) => note(sentence!(RookCameFirst)),
        Event::PressedWithoutMove => note(sentence!(PressedWithoutMove)),
        Event::Ambiguous(moves) => note(alike_words(moves)),
        Event::Gesture(gesture) => (
            sentence!(ShownAsResult, result = gesture.result()),
            json!({"result": gesture.result()}),
        ),
        Event::Departs(differences) => {
            (departs_words(differences), json!({"departs": differences}))
        }
        Event::Agrees => note(sentence!(BoardAgreesAgain)),
        Event::Fact(_) => return None,
    })
}

fn began_line(orientation: Option<Orientation>, placement: &shakmaty::Board) -> (Sentence, Value) {
    let is_guessed = *placement != shakmaty::Board::new();
    let words = match orientation {
        _ if is_guessed => sentence!(PositionLiesGuessed),
        None => sentence!(PositionLiesOpen),
        Some(Orientation::Rotated) => sentence!(PositionBeginsRotated),
        Some(Orientation::Normal) => sentence!(PositionBegins),
    };
    (
        words,
        json!({
            "board": placement.to_string(),
            "rotated": orientation.map(|it| it == Orientation::Rotated),
            "guessed": is_guessed,
        }),
    )
}

const fn orientation_word(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Normal => "normal",
        Orientation::Rotated => "rotated",
    }
}

/// What has no field of its own. Programs read it in English.
fn note(words: Sentence) -> (Sentence, Value) {
    let value = json!({"note": words.to_string()});
    (words, value)
}

fn device_line(event: &DeviceEvent) -> Option<(Sentence, Value)> {
    Some(match event {
        DeviceEvent::Identity(words) => (words.clone(), json!({"identity": words.to_string()})),
        DeviceEvent::Battery(percent) => (
            sentence!(BoardBattery, percent = *percent),
            json!({"battery": percent}),
        ),
        DeviceEvent::Trouble(words) => (words.clone(), json!({"trouble": words.to_string()})),
        DeviceEvent::ClockAnswer(is_done) => {
            let words = if *is_done {
                sentence!(ClockHasDoneIt)
            } else {
                sentence!(ClockHasRefusedIt)
            };
            (words, json!({"clock_answer": is_done}))
        }
        DeviceEvent::Silent => (sentence!(BoardSaysNothing), json!({"silent": true})),
        DeviceEvent::Back => (sentence!(BoardSpeaksAgain), json!({"silent": false})),
        _ => return None,
    })
}

fn clock_words(event: ClockEvent) -> Option<Sentence> {
    Some(match event {
        ClockEvent::Pressed(_) => return None,
        ClockEvent::Started(at) => sentence!(ClockWasStarted, side = side_words(at)),
        ClockEvent::Stopped => sentence!(ClockWasStopped),
        ClockEvent::FlagShown(at) => sentence!(PeriodFlagIsShown, side = side_words(at)),
        ClockEvent::FlagFallen(at) => sentence!(FlagHasFallen, side = side_words(at)),
        ClockEvent::Jumped(at) => sentence!(ClockTimeChanged, side = side_words(at)),
        ClockEvent::Frozen => sentence!(ClockSaysItRuns),
        ClockEvent::BatteryLow => sentence!(ClockBatteryIsLow),
        ClockEvent::Silent => sentence!(ClockSaysNothing),
        ClockEvent::Returned => sentence!(ClockSpeaksAgain),
    })
}
