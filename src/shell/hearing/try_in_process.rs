//! Tries whether a model that did not come with annexd can be used. libvosk crashes on damaged
//! ones, so another process tries it first.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::model::{SUMS, bundled_folder, sum_of};
use crate::shell::config::folders;
use crate::shell::config::language;
use crate::shell::error::{Result, Sentence, error, sentence};

/// How long a trial may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tries a model whose files match its checksums, unless it is the bundled one or was tried with
/// these checksums before.
pub(super) fn once(language: &str, folder: &Path) -> Result<()> {
    let sums = folder.join(SUMS);
    let read = |path: &Path| fs::read(path).ok();
    let bundled = bundled_folder(language).ok();
    if bundled.is_some_and(|it| read(&it.join(SUMS)) == read(&sums)) {
        return Ok(());
    }
    let sum = sum_of(&sums).unwrap_or_default();
    let is_known = |list: String| list.lines().any(|line| line == sum);
    let list = tried();
    if list
        .as_deref()
        .is_some_and(|it| fs::read_to_string(it).is_ok_and(is_known))
    {
        return Ok(());
    }
    try_in_a_process(language, folder)?;
    // If it cannot be noted, the model is tried again the next time.
    let _ = list.map(|list| note(&list, &sum));
    Ok(())
}

/// The file with the checksums of models that passed the trial.
fn tried() -> Option<PathBuf> {
    Some(folders::models_folder().ok()?.join("tried"))
}

fn note(list: &Path, sum: &str) -> std::io::Result<()> {
    if let Some(folder) = list.parent() {
        folders::private(folder.to_path_buf()).map_err(std::io::Error::other)?;
    }
    let mut file = OpenOptions::new().append(true).create(true).open(list)?;
    writeln!(file, "{sum}")
}

/// The program that tries the model. The practice program has no hearing, so the one beside it
/// does.
fn hearing_program(program: PathBuf) -> PathBuf {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    match name.strip_prefix("annexd-practice") {
        Some(ending) => program.with_file_name(format!("annexd{ending}")),
        None => program,
    }
}

/// Lets another process load the model and listen with it, because libvosk crashes on damaged ones.
///
/// # Errors
///
/// `ErrorKind::BadInput` if it cannot be used.
pub fn try_in_a_process(language: &str, folder: &Path) -> Result<()> {
    let refused = |reason: Sentence| {
        error!(
            BadInput,
            ModelUnusable,
            path = folder.display(),
            why = reason
        )
    };
    let mut child = std::env::current_exe()
        .map(hearing_program)
        .and_then(|program| {
            Command::new(program)
                .args(["model", "check", "--untried", "--language", language])
                .arg(folder)
                .env(language::VARIABLE, language::code().unwrap_or_default())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
        })
        .map_err(|error| refused(sentence!(ModelNotTried, why = error)))?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
            _ => {
                // It is our own child. Whether it can still be killed makes no difference.
                let _ = child.kill();
                let _ = child.wait();
                return Err(refused(sentence!(ModelHangs)));
            }
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut said = String::new();
    if let Some(mut output) = child.stderr.take() {
        // Without its output the reason is only less clear.
        let _ = std::io::Read::read_to_string(&mut output, &mut said);
    }
    let reason = said
        .lines()
        .find_map(|line| line.strip_prefix("annexd: "))
        .map_or(sentence!(ModelCrashes), |line| {
            sentence!(AsItIs, text = line.trim_end_matches('.'))
        });
    Err(refused(reason))
}
