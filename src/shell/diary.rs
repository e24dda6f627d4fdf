//! The diary: what annexd was asked to do and what failed, in one file in the state folder.
//!
//! A game has its record. The diary has what happened around games: what was started, when a game
//! began and was left and with which settings, which models and devices were opened, which devices
//! came and went, the error with which the program ended, and messages of its libraries. It has few
//! lines, and no names, words or moves of a game.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::shell::config::folders;
use crate::shell::error::{Result, error};

/// The level: `off`, `error`, `warn`, `info`, `debug` or `trace`, for annexd and its libraries
/// alike. By default annexd writes what is worth knowing, and libraries write errors.
const VOLUME: &str = "ANNEXD_DIARY";

/// A longer file, in bytes, is put aside when the next program begins to write.
const BYTES_MAX: u64 = 1 << 20;

/// How many lines may wait for the disk. Further ones are left out, because nobody waits.
const LINES_MAX: usize = 256;

/// How long the end of the program waits for the last lines.
const PATIENCE: Duration = Duration::from_millis(200);

/// Libraries that could log, byte by byte, what goes over the network: keys, PINs, names, moves.
/// Only their errors are written, whatever the level.
const OF_THE_NETWORK: [&str; 7] = [
    "ureq",
    "ureq_proto",
    "rustls",
    "hyper",
    "hyper_util",
    "axum",
    "axum_core",
];

/// Starts the diary of this process. If it cannot be written, the program does without.
pub(crate) fn begin() {
    let Ok(path) = file() else {
        return;
    };
    let volume = std::env::var(VOLUME).ok();
    let (lines, waiting) = bounded(LINES_MAX);
    let layer = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(Lines(lines.clone()))
        .with_filter(filter(volume.as_deref()));
    if tracing_subscriber::registry()
        .with(layer)
        .try_init()
        .is_err()
    {
        return;
    }
    let _ = END.set(lines);
    std::thread::spawn(move || write(&path, &waiting));
}

/// Waits briefly until all lines are written.
pub(crate) fn end() {
    let Some(lines) = END.get() else {
        return;
    };
    let (done, is_done) = bounded(1);
    if lines.try_send(DiaryLine::Last(done)).is_ok() {
        let _ = is_done.recv_timeout(PATIENCE);
    }
}

/// The path of the diary, whether or not anything was written yet.
pub(crate) fn file() -> Result<PathBuf> {
    Ok(folders::state_folder()?.join("diary.log"))
}

/// The path of the previous diary.
pub(crate) fn older(path: &Path) -> PathBuf {
    path.with_extension("old.log")
}

/// The channel to the writer of this process.
static END: std::sync::OnceLock<Sender<DiaryLine>> = std::sync::OnceLock::new();

/// What the writer receives.
enum DiaryLine {
    /// One line with its line end.
    Text(Vec<u8>),
    /// A request to confirm when everything before it is written.
    Last(Sender<()>),
}

fn filter(volume: Option<&str>) -> Targets {
    let wanted = volume.and_then(|it| it.parse::<LevelFilter>().ok());
    let filter = match wanted {
        Some(level) => Targets::new().with_default(level),
        None => Targets::new()
            .with_default(LevelFilter::WARN)
            .with_target("annexd", LevelFilter::INFO),
    };
    let most = wanted.map_or(LevelFilter::WARN, |level| level.min(LevelFilter::WARN));
    filter.with_targets(OF_THE_NETWORK.map(|library| (library, most)))
}

/// Writes lines as they come. The file is created with the first line, readable by nobody else.
fn write(path: &Path, waiting: &Receiver<DiaryLine>) {
    let mut file = None;
    for line in waiting {
        match line {
            DiaryLine::Text(text) => {
                if file.is_none() {
                    file = open(path).ok();
                }
                if let Some(file) = &mut file {
                    let _ = file.write_all(&text);
                }
            }
            DiaryLine::Last(done) => {
                let _ = done.send(());
            }
        }
    }
}

fn open(path: &Path) -> Result<File> {
    let unwritten = |why| error!(Unwritable, Unwritable, path = path.display(), why = why);
    if let Some(folder) = path.parent() {
        folders::private(folder.to_owned())?;
    }
    if fs::metadata(path).is_ok_and(|it| it.len() > BYTES_MAX) {
        fs::rename(path, older(path)).map_err(unwritten)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(unwritten)
}

/// Passes lines to the writer.
#[derive(Clone)]
struct Lines(Sender<DiaryLine>);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A line that finds no room is left out: the table must not wait for a disk.
        let _ = self.0.try_send(DiaryLine::Text(bytes.to_vec()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_to_the_end_of_the_file_and_a_long_one_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/diary.log");
        let written = |lines: &[&str]| {
            let (sender, waiting) = bounded(LINES_MAX);
            for line in lines {
                Lines(sender.clone()).write_all(line.as_bytes()).unwrap();
            }
            drop(sender);
            write(&path, &waiting);
        };
        written(&[]);
        assert!(!path.exists(), "nothing was said");
        written(&["one\n"]);
        written(&["two\n", "three\n"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        fs::write(&path, vec![b'.'; BYTES_MAX as usize + 1]).unwrap();
        written(&["four\n"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "four\n");
        assert_eq!(fs::metadata(older(&path)).unwrap().len(), BYTES_MAX + 1);
    }

    #[test]
    fn whoever_speaks_never_waits_for_the_disk() {
        let (sender, waiting) = bounded(LINES_MAX);
        for number in 0..LINES_MAX + 10 {
            writeln!(Lines(sender.clone()), "{number}").unwrap();
        }
        assert_eq!(waiting.len(), LINES_MAX);
    }

    #[test]
    fn libraries_say_less_than_annexd_unless_more_is_wanted() {
        use tracing::Level;
        let usual = filter(None);
        assert!(usual.would_enable("annexd::shell::cli", &Level::INFO));
        assert!(!usual.would_enable("gilrs", &Level::INFO));
        assert!(usual.would_enable("gilrs", &Level::WARN));
        assert!(!filter(Some("off")).would_enable("annexd", &Level::ERROR));
        assert!(filter(Some("debug")).would_enable("gilrs", &Level::DEBUG));
        // Keys and PINs go over the network.
        let all = filter(Some("trace"));
        assert!(all.would_enable("annexd", &Level::TRACE));
        for library in ["ureq_proto::util", "ureq::run", "hyper::proto::h1"] {
            assert!(!all.would_enable(library, &Level::INFO), "{library}");
            assert!(all.would_enable(library, &Level::WARN), "{library}");
            assert!(!filter(Some("off")).would_enable(library, &Level::ERROR));
        }
    }
}
