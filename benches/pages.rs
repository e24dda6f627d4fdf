//! What pages cost a game: how soon they show what was announced, what they need, and whether the
//! read-back at the table waits for anybody who reads them, floods them or never reads.
//!
//! Two games are played side by side, move by move: one without pages that anybody reads, the other
//! with them. `cargo bench --bench pages` prints the figures.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark starts the program, fails where it fails, and prints figures"
)]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/waiting.rs"]
mod waiting;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use common::served::{Page, Pages};
use common::{Home, MOVES, Talk, is_said_at_table, typed_move};

const PIN: &str = "7305";

/// So many pages are read.
const PAGES: usize = 20;

/// So many connections do harm, or try to: a third says nothing, a third reads a byte at a time,
/// and a third never reads.
const CONNECTIONS: usize = 500;

/// So many games of each kind are played, in turn.
const GAMES: usize = 4;

/// What is waited for must come within so long.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() {
    first_paint();
    let (mut quiet, mut crowded) = (Figures::default(), Figures::default());
    for _ in 0..GAMES {
        side_by_side(0, &mut quiet);
        side_by_side(CONNECTIONS, &mut crowded);
    }
    quiet.print("20 pages");
    crowded.print("20 pages and 500 connections");
}

/// What was measured of two games beside each other.
#[derive(Default)]
struct Figures {
    /// From the announcement to its repetition at the table.
    alone: Vec<Duration>,
    watched: Vec<Duration>,
    /// From the announcement to a page.
    updates: Vec<Duration>,
    /// What the program with pages needs more, in kB.
    memory: Vec<i64>,
}

impl Figures {
    fn print(&mut self, name: &str) {
        let [alone, watched, updates] = [&mut self.alone, &mut self.watched, &mut self.updates]
            .map(|all| {
                all.sort();
                let at = |part: usize| all[(all.len() - 1) * part / 100].as_secs_f64() * 1e3;
                (at(50), at(95), at(100), all.len())
            });
        println!(
            "pages: {name}: read-back {:.2} ms (95th percentile {:.2}) with, {:.2} ms ({:.2}) \
             without them, {} announcements each",
            watched.0, watched.1, alone.0, alone.1, alone.3
        );
        println!(
            "pages: {name}: on a page after {:.1} ms (95th percentile {:.1}, longest {:.1}), {} times",
            updates.0, updates.1, updates.2, updates.3
        );
        self.memory.sort_unstable();
        println!(
            "pages: {name}: {} kB of memory more, at most {} kB",
            self.memory[self.memory.len() / 2],
            self.memory[self.memory.len() - 1]
        );
    }
}

fn start(home: &Home) -> (Talk, Pages) {
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    std::fs::write(home.path("config/annexd/settings.toml"), "").unwrap();
    Pages::start(home, PIN, &["--time", "2h"])
}

fn pin_of(role: &str) -> &str {
    if role == "arbiter" { PIN } else { "" }
}

/// How many bytes a browser loads before it shows a page, without the script.
fn first_paint() {
    let home = Home::new();
    let (game, pages) = start(&home);
    let style = pages.ask("GET /style.css", "", "").len();
    for role in ["white", "black", "arbiter"] {
        let page = pages.page(role, pin_of(role), "");
        let bytes = page.html.len() + style;
        println!("pages: first paint of {role}: {bytes} bytes");
    }
    game.leave();
}

/// When a page was told of an announcement.
type Told = Arc<Mutex<Vec<Instant>>>;

fn side_by_side(connections: usize, figures: &mut Figures) {
    let homes = [Home::new(), Home::new()];
    let (mut alone, others) = start(&homes[0]);
    let (mut watched, pages) = start(&homes[1]);
    // Whoever came in may read six pages at once; the oldest gives way to a seventh.
    let readers = ["white", "arbiter", "arbiter", "arbiter"];
    let readers = readers.map(|role| pages.page(role, pin_of(role), ""));
    // The connections that do harm are of another role: where there are too many, the role gives
    // way that has most of them.
    let harming = pages.page("black", pin_of("black"), "");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let end = End(&is_over);
        let mut told: Vec<Told> = Vec::new();
        for number in 0..PAGES {
            let mine = Told::default();
            told.push(Arc::clone(&mine));
            let page = &readers[number % readers.len()];
            let mut live = page.live();
            // The page as it is now comes first.
            let _ = live.find(|line| line.starts_with("data: "));
            let is_over = &is_over;
            scope.spawn(move || {
                for line in live {
                    if line.contains("\"said\":") {
                        mine.lock().unwrap().push(Instant::now());
                    }
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
        }
        let kept: Vec<TcpStream> = (0..connections)
            .filter_map(|number| harmful(&pages, &harming, number))
            .collect();
        for stream in kept.iter().skip(1).step_by(3) {
            let (mut stream, is_over) = (stream.try_clone().unwrap(), &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed)
                    && stream.read(&mut [0]).is_ok_and(|it| it > 0)
                {
                    thread::sleep(Duration::from_millis(100));
                }
            });
        }
        others.page("arbiter", PIN, "").press("start");
        readers[1].press("start");
        let _ = (said(&alone, 1), said(&watched, 1));
        for ply in 0..MOVES.len() {
            play(&mut alone, ply, &mut figures.alone, &[], &mut Vec::new());
            play(
                &mut watched,
                ply,
                &mut figures.watched,
                &told,
                &mut figures.updates,
            );
        }
        let more = memory(&watched) - memory(&alone);
        figures.memory.push(more);
        drop(end);
        for game in [alone, watched] {
            game.leave();
        }
        drop(kept);
    });
}

/// Lets the readers end, also where the benchmark fails: the slow ones would read for hours.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A connection that does harm.
fn harmful(pages: &Pages, page: &Page<'_>, number: usize) -> Option<TcpStream> {
    let mut stream = pages.connect();
    let asked = match number % 3 {
        0 => "POST /enter HTTP/1.1\r\ncontent-length: 90000\r\n\r\nrole=".to_owned(),
        _ => format!(
            "GET /{}/live HTTP/1.1\r\nhost: {}\r\n{}\r\n",
            page.role, pages.host, page.cookie
        ),
    };
    stream.write_all(asked.as_bytes()).ok()?;
    Some(stream)
}

/// Waits for so many sayings at the table, and gives the time of the last.
fn said(game: &Talk, count: usize) -> Instant {
    let mut at = None;
    until(|| {
        at = game.printed_at(is_said_at_table).get(count - 1).copied();
        at.is_some()
    });
    at.unwrap()
}

fn until(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it never came");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A move, from its announcement until it is on all pages and was repeated.
fn play(
    game: &mut Talk,
    ply: usize,
    read_back: &mut Vec<Duration>,
    told: &[Told],
    updates: &mut Vec<Duration>,
) {
    let lines = typed_move(ply);
    let begun = Instant::now();
    game.types(&lines[0]);
    read_back.push(said(game, ply + 2).duration_since(begun));
    for page in told {
        until(|| {
            let told = page.lock().unwrap();
            let shown = told.iter().find(|at| **at > begun);
            updates.extend(shown.map(|at| at.duration_since(begun)));
            shown.is_some()
        });
    }
    for line in &lines[1..] {
        game.types(line);
    }
    game.wait_for("Richtig wiederholt.", ply + 1);
}

/// The memory of a program, in kB.
fn memory(game: &Talk) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", game.child.id())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let number = line.split_whitespace().nth(1).unwrap();
    number.parse().unwrap()
}
