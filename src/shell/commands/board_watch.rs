//! `annexd board watch` and `annexd clock`: what devices report, line by line.

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use serde_json::{Value, json};
use shakmaty::uci::UciMove;

use crate::board::{Event, Orientation};
use crate::moment::Moment;
use crate::shell::boards::clocks::{ClockEvent, ClockSide};
use crate::shell::boards::replay::{ROOK_FIRST, move_words, reading_json, reading_words};
use crate::shell::boards::{
    BoardPort, DeviceCommand, DeviceEvent, PortReport, PortSettings, Report,
};
use crate::shell::error::{Result, error};

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
            let words = nothing().message;
            let (words, value) = (words.clone(), json!({"silent": true, "note": words}));
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
fn print(out: &mut impl std::io::Write, is_json: bool, words: &str, value: &Value) -> bool {
    let text = if is_json {
        value.to_string()
    } else {
        words.to_owned()
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
fn line(report: &PortReport, wanted: Wanted) -> Option<(String, Value)> {
    match report {
        PortReport::Found {
            port,
            kind,
            capabilities,
        } => Some((
            format!("found a board of the kind {kind} at {port}"),
            json!({
                "found": port,
                "kind": kind.name(),
                "clock": capabilities.has_clock,
                "lights": capabilities.has_lights,
            }),
        )),
        PortReport::Lost { reason } => Some((
            format!("lost: {reason}. Plug it in again; the game goes on."),
            json!({"lost": reason}),
        )),
        PortReport::Returned => Some(("back again".to_owned(), json!({"returned": true}))),
        PortReport::Report(Report::Board(event)) if wanted == Wanted::Board => board_line(event),
        PortReport::Report(Report::Board(_)) => None,
        PortReport::Report(Report::Clock { reading, .. }) => Some((
            reading_words(reading),
            json!({"clock": reading_json(reading)}),
        )),
        PortReport::Report(Report::Pressed { clock_side, by }) => {
            let who = by.map_or_else(String::new, |by| format!(" by {by}"));
            let side = side_word(*clock_side);
            Some((
                format!("pressed on the {side}{who}"),
                json!({"pressed": side, "side": by.map(|by| by.to_string())}),
            ))
        }
        PortReport::Report(Report::ClockEvent(event)) => {
            let words = clock_words(*event)?;
            Some((words.clone(), json!({"note": words})))
        }
        PortReport::Report(
            Report::ClockNotice(_) | Report::WhiteSitsAt(_) | Report::WhoSitsWhere,
        ) => None,
        PortReport::Report(Report::Result(result)) => Some((
            format!("shown as the result: {result}"),
            json!({"result": result}),
        )),
        PortReport::Report(Report::Device(event)) => device_line(event),
    }
}

fn board_line(event: &Event) -> Option<(String, Value)> {
    Some(match event {
        Event::Began {
            orientation,
            placement,
        } => began_line(*orientation, placement),
        Event::OrientationShown(orientation) => {
            let lies = match orientation {
                Orientation::Normal => "White sits at its first rank",
                Orientation::Rotated => "rotated, White sits at its eighth rank",
            };
            (
                format!("how the board lies is known now: {lies}"),
                json!({"lies": orientation_word(*orientation)}),
            )
        }
        Event::Turned(orientation) => (
            "the board was turned: the same position stands there the other way round".to_owned(),
            json!({"turned": orientation_word(*orientation)}),
        ),
        Event::Moved(played) => (
            move_words(played),
            json!({
                "move": played.played.to_string(),
                "ply": played.ply,
                "side": played.side.to_string(),
            }),
        ),
        Event::Seen(played) => (
            format!("seen {}", move_words(played)),
            json!({"seen": played.played.to_string(), "ply": played.ply}),
        ),
        Event::TakenBack { plies } => (
            format!("taken back to {plies} moves"),
            json!({"taken_back": plies}),
        ),
        Event::Touched(square, piece) => {
            let letter = piece.map(shakmaty::Piece::char);
            (
                format!("touched {square}"),
                json!({"touched": square.to_string(), "piece": letter}),
            )
        }
        Event::RookFirst(_) => note(ROOK_FIRST),
        Event::PressedWithoutMove => note("the clock was pressed without a move"),
        Event::Ambiguous(moves) => {
            let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
            note(&format!("these moves look the same: {}", words.join(", ")))
        }
        Event::Gesture(gesture) => (
            format!("shown as the result: {}", gesture.result()),
            json!({"result": gesture.result()}),
        ),
        Event::Departs(differences) => {
            let words: Vec<String> = differences.iter().map(ToString::to_string).collect();
            (
                format!("the board departs: {}", words.join(", ")),
                json!({"departs": differences}),
            )
        }
        Event::Agrees => note("the board agrees again"),
        Event::Fact(_) => return None,
    })
}

fn began_line(orientation: Option<Orientation>, placement: &shakmaty::Board) -> (String, Value) {
    let is_guessed = *placement != shakmaty::Board::new();
    let how = match orientation {
        _ if is_guessed => {
            ": no first position, so how the board lies is guessed (--position says it)"
        }
        None => ": which way round the board lies is undetermined until the first move",
        Some(Orientation::Rotated) => ", rotated",
        Some(Orientation::Normal) => "",
    };
    (
        format!("a position to begin from{how}"),
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

fn note(words: &str) -> (String, Value) {
    (words.to_owned(), json!({"note": words}))
}

fn device_line(event: &DeviceEvent) -> Option<(String, Value)> {
    Some(match event {
        DeviceEvent::Identity(text) => (text.clone(), json!({"identity": text})),
        DeviceEvent::Battery(percent) => (
            format!("battery {percent} percent"),
            json!({"battery": percent}),
        ),
        DeviceEvent::Trouble(text) => (text.clone(), json!({"trouble": text})),
        DeviceEvent::ClockAnswer(is_done) => {
            let words = if *is_done {
                "the clock has done it"
            } else {
                "the clock has refused it"
            };
            (words.to_owned(), json!({"clock_answer": is_done}))
        }
        DeviceEvent::Silent => (
            "nothing comes from the board: check its cable and its switch".to_owned(),
            json!({"silent": true}),
        ),
        DeviceEvent::Back => (
            "the board speaks again".to_owned(),
            json!({"silent": false}),
        ),
        _ => return None,
    })
}

const fn side_word(side: ClockSide) -> &'static str {
    match side {
        ClockSide::Left => "left",
        ClockSide::Right => "right",
    }
}

fn clock_words(event: ClockEvent) -> Option<String> {
    Some(match event {
        ClockEvent::Pressed(_) => return None,
        ClockEvent::Started(side) => format!("the {} clock was started", side_word(side)),
        ClockEvent::Stopped => "the clock was stopped".to_owned(),
        ClockEvent::FlagShown(side) => {
            format!("a flag of a period is shown on the {}", side_word(side))
        }
        ClockEvent::FlagFallen(side) => format!("the {} flag has fallen", side_word(side)),
        ClockEvent::Jumped(side) => {
            format!("the {} time has changed by itself", side_word(side))
        }
        ClockEvent::Frozen => "the clock says that it runs, but stands still".to_owned(),
        ClockEvent::BatteryLow => "the clock's battery is low".to_owned(),
        ClockEvent::Silent => "nothing comes from the clock: check its cable".to_owned(),
        ClockEvent::Returned => "the clock speaks again".to_owned(),
    })
}
