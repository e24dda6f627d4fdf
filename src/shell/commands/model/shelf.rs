//! The installed models: list, check, choose.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::config::language;
use crate::shell::error::{Result, error, sentence};
use crate::shell::hearing::catalogue;
use crate::shell::hearing::model::{
    HearingModel, SUMS, bundled_folder, choice_file, chosen_folder, unwritable, write_sums,
};
use crate::shell::hearing::try_in_process::try_in_a_process;
use crate::shell::hearing::try_out;

/// The name of the model that comes with annexd.
const BUNDLED: &str = "bundled";

pub(super) fn list(language: &str) -> Result<ExitCode> {
    let chosen = chosen_folder(language).ok();
    let there = |name: &str, folder: &Path| {
        let place = folder.display();
        language::show(&match chosen.as_deref() == Some(folder) {
            true => sentence!(ModelAtUsed, name = name, place = place),
            false => sentence!(ModelAt, name = name, place = place),
        });
    };
    match bundled_folder(language) {
        Ok(folder) => there(BUNDLED, &folder),
        Err(error) => {
            let why = error.sentence();
            language::show(&sentence!(ModelAt, name = BUNDLED, place = why));
        }
    }
    let shelf = folders::models_folder()?;
    let entries = catalogue::read()?;
    let mut installed: Vec<PathBuf> = fs::read_dir(&shelf)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join(SUMS).is_file())
        .collect();
    installed.sort();
    for folder in &installed {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        there(&name, folder);
    }
    let is_there = |name: &str| installed.contains(&shelf.join(name));
    for entry in entries
        .iter()
        .filter(|entry| entry.language == language && !is_there(&entry.name))
    {
        language::show(&sentence!(
            ModelFetchable,
            name = entry.name,
            megabytes = entry.size.div_ceil(1_000_000),
            licence = entry.licence,
            note = entry.note
        ));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn check(language: &str, model: Option<&str>, untried: bool) -> Result<ExitCode> {
    let lexicon = data::lexicon(language)?;
    let folder = match model {
        Some(model) => folder_of(language, model)?,
        None => chosen_folder(language)?,
    };
    let model = if untried {
        HearingModel::open_untried(&folder, &lexicon)?
    } else {
        HearingModel::open(&folder, &lexicon)?
    };
    let missing = model.missing_words().join(", ");
    try_out(model, lexicon)?;
    language::show(&sentence!(ModelIsRight, name = folder.display()));
    if !missing.is_empty() {
        language::show(&sentence!(ModelHearsNot, words = missing));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn choose(language: &str, model: &str) -> Result<ExitCode> {
    let folder = folder_of(language, model)?;
    let choice = choice_file(language)?;
    if model == BUNDLED {
        match fs::remove_file(&choice) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(unwritable(&choice, &error));
            }
            _ => {
                language::show(&sentence!(ModelIsUsed, name = BUNDLED));
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    let lexicon = data::lexicon(language)?;
    if folder.join(SUMS).is_file() {
        HearingModel::open(&folder, &lexicon)?;
    } else {
        try_in_a_process(language, &folder)?;
        write_sums(&folder)?;
    }
    folders::private(folders::models_folder()?)?;
    let path = fs::canonicalize(&folder).unwrap_or(folder);
    fs::write(&choice, path.display().to_string()).map_err(|error| unwritable(&choice, &error))?;
    language::show(&sentence!(ModelIsUsed, name = path.display()));
    Ok(ExitCode::SUCCESS)
}

fn folder_of(language: &str, model: &str) -> Result<PathBuf> {
    if model == BUNDLED {
        return bundled_folder(language);
    }
    let on_shelf = folders::models_folder()?.join(model);
    let folder = if on_shelf.is_dir() {
        on_shelf
    } else {
        PathBuf::from(model)
    };
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(error!(Missing, NoSuchModel, name = model))
}
