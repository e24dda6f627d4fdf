//! Fetches, verifies, unpacks and tests a model.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use annexd::shell::config::folders;
use annexd::shell::error::Result;
use annexd::shell::hearing::catalogue::{self, Entry};
use annexd::shell::hearing::model::{sum_of, unwritable, write_sums};
use annexd::shell::hearing::try_in_process::try_in_a_process;
use annexd::{error, show};

use crate::{network, unpack};

pub(crate) fn run(name: &str) -> Result<ExitCode> {
    let entry = catalogue::read()?
        .into_iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| error!(Usage, NoModelCalled, name = name))?;
    let shelf = folders::private(folders::models_folder()?)?;
    let folder = shelf.join(&entry.name);
    if folder.exists() {
        show!("{} is here already.", folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    let mut told = 0;
    let mut progress = |bytes: u64| {
        let percent = bytes * 100 / entry.size.max(1);
        if percent >= told + 10 {
            told = percent / 10 * 10;
            show!("{told} percent");
        }
    };
    install(&entry, &shelf, &mut progress, &|folder| {
        try_in_a_process(&entry.language, folder)
    })?;
    show!(
        "{} is here. annexd model use {} makes annexd hear with it.",
        folder.display(),
        entry.name
    );
    Ok(ExitCode::SUCCESS)
}

/// Carries out every step. The folder appears only when all steps succeeded.
fn install(
    entry: &Entry,
    shelf: &Path,
    progress: &mut dyn FnMut(u64),
    try_out: &dyn Fn(&Path) -> Result<()>,
) -> Result<()> {
    let archive = shelf.join(format!("{}.part", entry.name));
    network::fetch(&entry.address, &archive, entry.size, progress)?;
    let sum = sum_of(&archive).map_err(|error| unwritable(&archive, &error))?;
    if sum != entry.sha256 {
        remove_file(&archive)?;
        return Err(error!(
            BadInput,
            DownloadOtherSum,
            address = entry.address,
            sum = sum
        ));
    }
    let unpacked = shelf.join(format!("{}.new", entry.name));
    remove_folder(&unpacked)?;
    let outcome = unpack::unpack(&archive, &unpacked)
        .and_then(|()| try_out(&unpacked))
        .and_then(|()| write_sums(&unpacked))
        .and_then(|()| {
            let folder = shelf.join(&entry.name);
            fs::rename(&unpacked, &folder).map_err(|error| unwritable(&folder, &error))
        });
    if outcome.is_err() {
        remove_folder(&unpacked)?;
    } else {
        remove_file(&archive)?;
    }
    outcome
}

fn remove_file(path: &Path) -> Result<()> {
    fs::remove_file(path).map_err(|error| unwritable(path, &error))
}

fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unwritable(path, &error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
