//! Hearing models that were tuned to a person, and where they are kept.
//!
//! What he read stays in a folder of his own, in which nobody else may read. Beside it stands one
//! file with the tuned networks, which may be carried to another computer. The model folder that
//! libvosk wants is made from it and the model that comes with annexd.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shakmaty::Color;

use super::model::{HearingModel, SUMS, bundled_folder, check_files, unwritable};
use crate::game::Profile;
use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};

/// The networks of a model.
pub const NETWORKS: &str = "am/final.mdl";
/// The table of the lines that are read, in the folder of an enrolment or of a kit.
pub const TABLE: &str = "MANIFEST.tsv";
/// The file that can be carried away.
const FILE: &str = "hearing.annexd";
/// How it begins.
const HEAD: &str = "annexd hearing 1";
/// What a folder without a person's name is called. No name becomes this.
const NAMELESS: &str = "_";
/// More than this is no file of ours: the networks have about six million bytes.
const MOST_BYTES: u64 = 64_000_000;
/// The file of a model that is not in its sums.
const LIMITS: &str = "decisions.toml";

/// What a tuned file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    /// Whose voice it is; empty for whoever uses this computer.
    pub name: String,
    /// The language that he speaks.
    pub language: String,
    /// How many utterances it was tuned with.
    pub utterances: usize,
    /// The checksum of the networks that it was made from.
    pub base: String,
    /// The checksum of the tuned ones.
    pub sum: String,
}

/// The place of a person's enrolment in a language. There need be nothing yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(PathBuf);

impl Place {
    /// The place for a name, which may be empty.
    ///
    /// # Errors
    ///
    /// Those of [`data::lexicon`] if annexd does not have the language, and [`ErrorKind::Missing`]
    /// if the user has no home folder.
    pub fn of(name: &str, language: &str) -> Result<Self> {
        if !data::languages()?.iter().any(|it| it == language) {
            // It names a folder, so nothing but a language may.
            data::lexicon(language)?;
            return Err(error!(Usage, EnrolledNowhere, language = language));
        }
        let key = key(name);
        let key = if key.is_empty() { NAMELESS } else { &key };
        Ok(Self(folders::enrolled_folder()?.join(language).join(key)))
    }

    /// The places of all who are enrolled, or have begun to read, with the language of each.
    ///
    /// # Errors
    ///
    /// As for [`Self::of`].
    pub fn all() -> Result<Vec<Self>> {
        let below = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let mut folders: Vec<PathBuf> = entries
                .map(|it| it.path())
                .filter(|it| it.is_dir())
                .collect();
            folders.sort();
            folders
        };
        let languages = below(&folders::enrolled_folder()?);
        let places = languages.iter().flat_map(|language| below(language));
        Ok(places.map(Self).collect())
    }

    /// The folder, with what was read.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The file that can be carried away.
    pub fn file(&self) -> PathBuf {
        self.0.join(FILE)
    }

    /// What is there; `None` if nothing has been tuned yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the file is damaged.
    pub fn enrolment(&self) -> Result<Option<Enrolment>> {
        Ok(read(&self.file())?.map(|(enrolment, _)| enrolment))
    }

    /// Whether somebody has read here, or an enrolment was taken.
    pub fn is_begun(&self) -> bool {
        [FILE, TABLE].iter().any(|name| self.0.join(name).exists())
    }

    /// Whether what an enrolment was made from was read here and is still there.
    pub fn has_lines(&self) -> bool {
        self.0.join(TABLE).is_file() && self.0.join(FILE).is_file()
    }

    /// Makes the folder, in which nobody else may read.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unwritable`] if it cannot be made.
    pub fn make(&self) -> Result<()> {
        if let Some(language) = self.0.parent() {
            folders::private(language.to_path_buf())?;
        }
        folders::private(self.0.clone()).map(|_| ())
    }

    /// Keeps tuned networks.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unwritable`] if the disk does not take them.
    pub fn keep(&self, enrolment: &Enrolment, networks: &[u8]) -> Result<()> {
        self.make()?;
        let file = self.file();
        let fields = toml::to_string(enrolment).unwrap_or_default();
        let mut bytes = format!("{HEAD}\n{fields}\n").into_bytes();
        bytes.extend_from_slice(networks);
        replace(&file, &bytes)
    }

    /// The folder of the tuned model, which is made anew where it is not what it should be. `None`
    /// if nobody is enrolled here.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a damaged file, and those of [`Self::made`].
    pub fn model(&self, language: &str) -> Result<Option<PathBuf>> {
        let Some((enrolment, networks)) = read(&self.file())? else {
            return Ok(None);
        };
        let base = bundled_folder(language)?;
        let (model, wanted) = (self.0.join("model"), sums(&base, &enrolment));
        let is_same =
            |name: &str| fs::read(model.join(name)).ok() == fs::read(base.join(name)).ok();
        let has_sums = fs::read_to_string(model.join(SUMS)).ok() == wanted;
        if has_sums && is_same(LIMITS) && check_files(&model).is_ok() {
            return Ok(Some(model));
        }
        let new = self.made(&enrolment, &networks)?;
        let _ = fs::remove_dir_all(&model);
        fs::rename(&new, &model).map_err(|why| unwritable(&model, &why))?;
        Ok(Some(model))
    }

    /// A model folder of these networks and all else of the model that comes with annexd. It is for
    /// trying them before they are kept, and is made over the next time.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for networks that were made from others than those of this annexd,
    /// [`ErrorKind::Unwritable`] if the disk does not take the folder, and those of
    /// [`bundled_folder`].
    pub fn made(&self, enrolment: &Enrolment, networks: &[u8]) -> Result<PathBuf> {
        let base = bundled_folder(&enrolment.language)?;
        let Some(sums) = sums(&base, enrolment) else {
            return Err(otherwise(enrolment, &self.file()));
        };
        self.make()?;
        let new = self.0.join("model.new");
        let unwritable = |why: std::io::Error| unwritable(&new, &why);
        let _ = fs::remove_dir_all(&new);
        let names = sums.lines().filter_map(|line| line.split_once("  "));
        for name in names.map(|(_, name)| name).chain([LIMITS]) {
            let to = new.join(name);
            fs::create_dir_all(to.parent().unwrap_or(&new)).map_err(unwritable)?;
            match name {
                NETWORKS => fs::write(&to, networks),
                _ => fs::copy(base.join(name), &to).map(|_| ()),
            }
            .map_err(unwritable)?;
        }
        fs::write(new.join(SUMS), &sums).map_err(unwritable)?;
        Ok(new)
    }

    /// Removes what [`Self::made`] has made, and the place if nothing else is there.
    pub fn clear(&self) {
        let _ = fs::remove_dir_all(self.0.join("model.new"));
        let _ = fs::remove_dir(&self.0);
    }

    /// Removes all of it, what was read too.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unwritable`] if it cannot be removed.
    pub fn delete(&self) -> Result<()> {
        fs::remove_dir_all(&self.0).map_err(|why| unwritable(&self.0, &why))
    }
}

/// Takes a file that was carried here, once its model could be opened.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] if it is none of annexd's, is damaged, or fits no model of this annexd,
/// [`ErrorKind::Usage`] if somebody of that name is enrolled already.
pub fn take(file: &Path) -> Result<Enrolment> {
    let Some((enrolment, networks)) = read(file)? else {
        let why = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(error!(
            BadInput,
            Unreadable,
            path = file.display(),
            why = why
        ));
    };
    let place = Place::of(&enrolment.name, &enrolment.language)?;
    if place.is_begun() {
        let command = command(&enrolment.name, &enrolment.language, " --delete");
        let path = place.folder().display();
        return Err(error!(
            Usage,
            EnrolledAlready,
            path = path,
            command = command
        ));
    }
    if sums(&bundled_folder(&enrolment.language)?, &enrolment).is_none() {
        return Err(otherwise(&enrolment, file));
    }
    let lexicon = data::lexicon(&enrolment.language)?;
    let tried = place
        .made(&enrolment, &networks)
        .and_then(|model| HearingModel::open(&model, &lexicon));
    place.clear();
    match tried.and_then(|_| place.keep(&enrolment, &networks)) {
        Ok(()) => Ok(enrolment),
        Err(why) => {
            let _ = fs::remove_file(place.file());
            place.clear();
            Err(why)
        }
    }
}

/// Writes a file whole or not at all. A file that a power cut left empty would count for nothing.
///
/// # Errors
///
/// [`ErrorKind::Unwritable`] if the disk does not take it.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let new = file.with_extension("new");
    fs::File::create(&new)
        .and_then(|mut it| it.write_all(bytes).and_then(|()| it.sync_all()))
        .and_then(|()| fs::rename(&new, file))
        .inspect_err(|_| drop(fs::remove_file(&new)))
        .map_err(|why| unwritable(file, &why))
}

/// The command for somebody, as it is typed.
pub fn command(name: &str, language: &str, more: &str) -> String {
    let name = match name {
        "" => String::new(),
        name => format!(" --name \"{name}\""),
    };
    format!("annexd enrol{more}{name} --language {language}")
}

/// The side that speaks into a microphone. Of a shared one this is the one who is visually
/// disabled, if only one is.
pub fn side_at(game: &Profile, microphone: Option<Color>) -> Option<Color> {
    let disabled = Color::ALL.map(|it| game.is_visually_disabled(it).then_some(it));
    microphone.or(match disabled {
        [Some(only), None] | [None, Some(only)] => Some(only),
        _ => None,
    })
}

/// The names under which whoever speaks into a microphone may be enrolled: that of its player, and
/// none if he is visually disabled.
pub fn speakers_at(game: &Profile, microphone: Option<Color>) -> Vec<String> {
    let Some(side) = side_at(game, microphone) else {
        return Vec::new();
    };
    let named = Some(game.sides[side].name.clone()).filter(|name| !name.is_empty());
    let nameless = game.is_visually_disabled(side).then(String::new);
    named.into_iter().chain(nameless).collect()
}

/// Whether one of these is the person of an enrolment: the first of them who is enrolled, as
/// [`model_for`] has it, or else whoever is to be.
pub fn is_one_of(names: &[String], name: &str, language: &str) -> bool {
    let is_person = |it: &String| key(it) == key(name);
    let is_enrolled = |it: &String| {
        let place = Place::of(it, language);
        place.is_ok_and(|it| it.folder().is_dir())
    };
    let mut found = names.iter().filter(|it| is_person(it) || is_enrolled(it));
    found.next().is_some_and(is_person)
}

/// The model that is tuned to the first of these names who is enrolled. `None` if nobody is.
///
/// # Errors
///
/// Those of [`Place::model`]. The error is about [`Part::Enrolment`].
pub fn model_for(names: &[String], language: &str) -> Result<Option<PathBuf>> {
    for name in names {
        if let Some(model) = Place::of(name, language)?.model(language)? {
            return Ok(Some(model));
        }
    }
    Ok(None)
}

/// The error for networks that were made from others than those of this annexd.
fn otherwise(enrolment: &Enrolment, file: &Path) -> Error {
    let command = command(&enrolment.name, &enrolment.language, "");
    let error = error!(
        BadInput,
        EnrolledOtherwise,
        path = file.display(),
        command = command
    );
    error.about(unfit(Reason::OtherVersion, file))
}

fn unfit(reason: Reason, file: &Path) -> Fault {
    Fault::new(Part::Enrolment, reason, Remedy::EnrolAgain).with(file.display().to_string())
}

/// The checksum of the networks of the model that comes with annexd.
///
/// # Errors
///
/// Those of [`bundled_folder`].
pub fn base_sum(language: &str) -> Result<String> {
    let sums = fs::read_to_string(bundled_folder(language)?.join(SUMS)).unwrap_or_default();
    Ok(sum_in(&sums, NETWORKS).unwrap_or_default().to_owned())
}

/// The checksum of bytes, in hexadecimal.
pub fn sum_of_bytes(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a file with tuned networks; `None` if there is none.
fn read(file: &Path) -> Result<Option<(Enrolment, Vec<u8>)>> {
    let wrong = || {
        let error = error!(BadInput, EnrolledWrong, path = file.display());
        error.about(unfit(Reason::Damaged, file))
    };
    let unreadable =
        |why: std::io::Error| error!(BadInput, Unreadable, path = file.display(), why = why);
    let bytes = match fs::metadata(file) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(unreadable(why)),
        Ok(data) if !data.is_file() || data.len() > MOST_BYTES => return Err(wrong()),
        Ok(_) => fs::read(file).map_err(unreadable)?,
    };
    let (head, networks) = split(&bytes).ok_or_else(wrong)?;
    let enrolment: Enrolment = toml::from_str(head).map_err(|_| wrong())?;
    if sum_of_bytes(networks) != enrolment.sum {
        return Err(wrong());
    }
    Ok(Some((enrolment, networks.to_vec())))
}

/// The fields of a file and what comes behind the empty line after them.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(HEAD.as_bytes())?.strip_prefix(b"\n")?;
    let end = rest.windows(2).position(|it| it == b"\n\n")?;
    let head = std::str::from_utf8(rest.get(..=end)?).ok()?;
    Some((head, rest.get(end + 2..)?))
}

/// The checksums of the tuned model; `None` if it was made from other networks than those in
/// `base`.
fn sums(base: &Path, enrolment: &Enrolment) -> Option<String> {
    let sums = fs::read_to_string(base.join(SUMS)).ok()?;
    let is_base = sum_in(&sums, NETWORKS) == Some(&enrolment.base);
    is_base.then(|| sums.replace(&enrolment.base, &enrolment.sum))
}

fn sum_in<'a>(sums: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = sums.lines().filter_map(|line| line.split_once("  "));
    lines.find(|(_, other)| *other == name).map(|(sum, _)| sum)
}

/// A name as a folder has it. Whoever types it with other capitals or signs means the same person.
fn key(name: &str) -> String {
    let parts = name.split(|sign: char| !sign.is_alphanumeric());
    let parts: Vec<String> = parts
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_folder_and_never_another_place() {
        assert_eq!(key("Anna Müller"), "anna-müller");
        assert_eq!(key("../../etc"), "etc");
        assert_eq!(key(" _ "), "");
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place(folder.path().join("de").join(NAMELESS));
        let networks = b"\n\nnetworks".to_vec();
        let enrolment = Enrolment {
            name: String::new(),
            language: "de".to_owned(),
            utterances: 30,
            base: "b".to_owned(),
            sum: sum_of_bytes(&networks),
        };
        assert_eq!(place.enrolment().unwrap(), None);
        place.keep(&enrolment, &networks).unwrap();
        assert_eq!(read(&place.file()).unwrap(), Some((enrolment, networks)));
        let whole = fs::read(place.file()).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x20;
            fs::write(place.file(), &damaged).unwrap();
            let same =
                read(&place.file()).is_ok_and(|it| it.is_some_and(|it| it.1 != b"\n\nnetworks"));
            assert!(!same, "{at}");
            fs::write(place.file(), &whole[..at]).unwrap();
            assert!(read(&place.file()).is_err(), "{at}");
        }
        place.delete().unwrap();
        assert!(!place.folder().exists());
    }
}
