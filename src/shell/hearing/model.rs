//! A model folder. Every file is checked before libvosk sees it, because libvosk crashes on bad
//! ones.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::decide::Limits;
use super::libvosk;
use super::{fst, try_in_process};
use crate::notation::{Lexicon, Value};
use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};

/// The files that every model must have. The words are in `graph/words.txt` or, as in the official
/// small models, inside `Gr.fst`.
const NEEDED: [&str; 6] = [
    "am/final.mdl",
    "conf/mfcc.conf",
    "conf/model.conf",
    "graph/HCLr.fst",
    "graph/Gr.fst",
    "graph/phones/word_boundary.int",
];

/// The checksums of a model's files, one per line: the sum in hexadecimal, two spaces, the file.
pub const SUMS: &str = "SHA256SUMS";

/// The file with a model's limits.
const LIMITS: &str = "decisions.toml";

/// A loaded model.
pub struct HearingModel {
    pub(super) vosk: vosk::Model,
    /// Its limits.
    pub limits: Limits,
    /// The words of the lexicon, for a model that is given its grammar at run time.
    pub(super) grammar: Option<Vec<String>>,
    missing: Vec<String>,
    name: String,
}

impl HearingModel {
    /// The model of a language that comes with annexd.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if there is none; else as [`Self::open`].
    pub fn bundled(lexicon: &Lexicon) -> Result<Self> {
        Self::open(&bundled_folder(lexicon.language())?, lexicon)
    }

    /// The model of a language: the one that was chosen, or else the bundled one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if there is none; else as [`Self::open`].
    pub fn chosen(lexicon: &Lexicon) -> Result<Self> {
        Self::open(&chosen_folder(lexicon.language())?, lexicon)
    }

    /// Checks and loads the model in a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if libvosk, the folder or a file of it is not there,
    /// [`ErrorKind::BadInput`] if a file is not what it was, or a word is unknown to the model.
    pub fn open(folder: &Path, lexicon: &Lexicon) -> Result<Self> {
        check_files(folder)?;
        check_networks(folder)?;
        try_in_process::once(lexicon.language(), folder)?;
        let model = Self::open_untried(folder, lexicon)?;
        tracing::info!(
            language = lexicon.language(),
            model = model.name,
            missing_words = model.missing.len(),
            "a hearing model is loaded"
        );
        Ok(model)
    }

    /// Loads a model that is checked only by its networks' headers. libvosk may crash, so only a
    /// process made for trying it calls this.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_untried(folder: &Path, lexicon: &Lexicon) -> Result<Self> {
        check_networks(folder)?;
        libvosk::open()?;
        let limits = read_limits(folder)?;
        let damaged = || {
            error!(BadInput, ModelNotLoaded, path = folder.display()).about(
                Fault::new(Part::Model, Reason::Damaged, Remedy::Reinstall)
                    .with(folder.display().to_string()),
            )
        };
        vosk::set_log_level(vosk::LogLevel::Error);
        let path = folder.to_str().ok_or_else(damaged)?;
        let mut vosk = vosk::Model::new(path).ok_or_else(damaged)?;
        let (grammar, missing) = if limits.strict_graph {
            check_words(&mut vosk, lexicon, folder)?;
            (None, Vec::new())
        } else {
            let (grammar, missing) = run_time_grammar(&mut vosk, lexicon, folder)?;
            (Some(grammar), missing)
        };
        let name = folder
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Self {
            vosk,
            limits,
            grammar,
            missing,
            name,
        })
    }

    /// Words of the lexicon that this model cannot hear. None of them is needed for a move.
    pub fn missing_words(&self) -> &[String] {
        &self.missing
    }

    /// The name of the folder.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The folder of the bundled model of a language.
///
/// # Errors
///
/// [`ErrorKind::Missing`] if there is none.
pub fn bundled_folder(language: &str) -> Result<PathBuf> {
    let folder = data::folder()?.join(format!("assets/model-{language}"));
    if folder.join(SUMS).is_file() {
        return Ok(folder);
    }
    Err(error!(
        Missing,
        NoModelFor,
        language = language,
        path = folder.display()
    )
    .about(Fault::new(Part::Model, Reason::Absent, Remedy::Type).with(language)))
}

/// The file that names the chosen model of a language.
///
/// # Errors
///
/// [`ErrorKind::Missing`] if the user has no home folder.
pub fn choice_file(language: &str) -> Result<PathBuf> {
    Ok(folders::models_folder()?.join(format!("chosen-{language}")))
}

/// The folder of the chosen model of a language, or else of the bundled one.
///
/// # Errors
///
/// [`ErrorKind::Missing`] if there is none.
pub fn chosen_folder(language: &str) -> Result<PathBuf> {
    let choice = choice_file(language).and_then(|file| {
        let no_choice = |error: io::Error| error!(Missing, AsItIs, text = error.to_string());
        fs::read_to_string(file).map_err(no_choice)
    });
    match choice {
        Ok(folder) => Ok(PathBuf::from(folder.trim())),
        Err(_) => bundled_folder(language),
    }
}

/// Checks that every file is present and unchanged since the model was made.
///
/// # Errors
///
/// [`ErrorKind::Missing`] for a missing file, [`ErrorKind::BadInput`] for one that has changed, and
/// for a folder without [`SUMS`].
pub fn check_files(folder: &Path) -> Result<()> {
    let place = folder.display();
    if !folder.is_dir() {
        return Err(error!(Missing, NoModelHere, path = place)
            .about(Fault::new(Part::Model, Reason::Absent, Remedy::Type).with(place.to_string())));
    }
    let Ok(sums) = fs::read_to_string(folder.join(SUMS)) else {
        return Err(error!(
            BadInput,
            ModelWithoutSums,
            path = place,
            sums = SUMS
        ));
    };
    let mut listed = Vec::new();
    for (index, line) in sums.lines().enumerate() {
        let Some((sum, name)) = line.split_once("  ") else {
            return Err(error!(
                BadInput,
                NoSum,
                path = format!("{place}/{SUMS}"),
                line = index + 1
            ));
        };
        check_file(folder, name, sum)?;
        listed.push(name);
    }
    NEEDED
        .iter()
        .find(|name| !listed.contains(name))
        .map_or(Ok(()), |name| {
            Err(error!(
                BadInput,
                SumMissing,
                path = format!("{place}/{SUMS}"),
                name = name
            ))
        })
}

/// Checks the headers of the networks.
fn check_networks(folder: &Path) -> Result<()> {
    for name in ["graph/HCLr.fst", "graph/Gr.fst"] {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(|error| lacks(&path, &error))?;
        fst::check(&bytes).map_err(|why| {
            // What is wrong in it tells a maintainer something, and nobody else.
            tracing::warn!("{name} is no network: {why}");
            error!(BadInput, NetworkImpossible, path = path.display())
        })?;
    }
    Ok(())
}

fn lacks(path: &Path, why: &io::Error) -> Error {
    error!(Missing, ModelLacks, path = path.display(), why = why)
}

fn check_file(folder: &Path, name: &str, sum: &str) -> Result<()> {
    let path = folder.join(name);
    let found = sum_of(&path).map_err(|error| lacks(&path, &error))?;
    if found == sum {
        return Ok(());
    }
    Err(error!(BadInput, ModelFileDamaged, path = path.display()))
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
///
/// Those of reading it.
pub fn sum_of(path: &Path) -> io::Result<String> {
    let mut sha256 = Sha256::new();
    io::copy(&mut File::open(path)?, &mut sha256)?;
    Ok(sha256
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

fn read_limits(folder: &Path) -> Result<Limits> {
    let path = folder.join(LIMITS);
    match fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text).map_err(|error| {
            error!(
                BadInput,
                CatalogueWrong,
                path = path.display(),
                why = error.to_string().trim_end()
            )
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Limits::default()),
        Err(error) => Err(error!(
            BadInput,
            Unreadable,
            path = path.display(),
            why = error
        )),
    }
}

fn check_words(vosk: &mut vosk::Model, lexicon: &Lexicon, folder: &Path) -> Result<()> {
    let unknown: Vec<&str> = lexicon
        .words()
        .iter()
        .map(|entry| entry.word.as_str())
        .filter(|word| vosk.find_word(word).is_none())
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(error!(
        BadInput,
        ModelLacksWords,
        path = folder.display(),
        words = unknown.join(", ")
    ))
}

/// The words to listen for, and those the model does not know.
///
/// A word unknown to the model is replaced by another accepted spelling, because the recogniser
/// would silently drop it. A model is refused if it lacks the first word for a meaning needed in
/// moves: with only the letter of a file left, "Felix" would not be heard.
fn run_time_grammar(
    vosk: &mut vosk::Model,
    lexicon: &Lexicon,
    folder: &Path,
) -> Result<(Vec<String>, Vec<String>)> {
    let mut grammar = Vec::new();
    let mut missing = Vec::new();
    for entry in lexicon.words() {
        let mut spellings = std::iter::once(&entry.word).chain(&entry.typed);
        let known = spellings
            .find(|spelling| !spelling.contains(['"', '\\']) && vosk.find_word(spelling).is_some());
        match known {
            Some(spelling) => {
                grammar.push(spelling.clone());
            }
            None => missing.push(entry.word.clone()),
        }
    }
    let needed = |value: &Value| {
        matches!(
            value,
            Value::File(_) | Value::Rank(_) | Value::Role(_) | Value::Castling
        ) || matches!(value, Value::CastlingSide(_) | Value::Captures)
    };
    let unsaid: Vec<String> = Value::all_with_meaning()
        .filter(needed)
        .filter_map(|value| lexicon.word_for(value).map(str::to_owned))
        .filter(|word| missing.contains(word))
        .collect();
    if unsaid.is_empty() {
        grammar.push(super::verdict::UNKNOWN.to_owned());
        return Ok((grammar, missing));
    }
    Err(error!(
        BadInput,
        ModelLacksSpellings,
        path = folder.display(),
        words = unsaid.join(", ")
    ))
}

/// Writes the checksums of all files, so that damage is noticed later.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if the disk does not take it.
pub fn write_sums(folder: &Path) -> Result<()> {
    let mut names = Vec::new();
    collect(folder, Path::new(""), &mut names).map_err(|error| unwritable(folder, &error))?;
    names.sort();
    let mut sums = String::new();
    for name in names {
        let sum = sum_of(&folder.join(&name)).map_err(|error| unwritable(folder, &error))?;
        sums.push_str(&format!("{sum}  {}\n", name.display()));
    }
    let file = folder.join(SUMS);
    fs::write(&file, sums).map_err(|error| unwritable(&file, &error))
}

fn collect(folder: &Path, below: &Path, names: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(folder, &name, names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

/// The error about a file that the disk does not take.
pub fn unwritable(path: &Path, error: &io::Error) -> Error {
    error!(
        Unwritable,
        UnwritableMakeRoom,
        path = path.display(),
        why = error
    )
}
