//! What hears at each microphone of a game: the model of each language, tuned to the speaker where
//! he is enrolled.

use std::path::PathBuf;
use std::sync::Arc;

use super::open_devices::failed;
use crate::shell::config::data;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result};
use crate::shell::hearing::enrolled;
use crate::shell::hearing::listeners::{Heard, Listeners};
use crate::shell::hearing::model::{HearingModel, bundled_folder, chosen_folder};
use crate::shell::table::inbox::Reports;

/// The listeners of all microphones for the languages of the table.
pub(super) fn listeners(
    languages: &[String],
    speakers: &[Vec<String>],
    reports: &Reports,
) -> Result<Vec<Listeners>> {
    let heard = heard(languages, speakers, reports)??;
    heard.iter().map(|heard| Listeners::new(heard)).collect()
}

/// The lexicons and models for hearing the languages of the table at each microphone. In place of a
/// language without a model German is heard, which every edition allows. This is reported.
pub(super) fn heard(
    languages: &[String],
    speakers: &[Vec<String>],
    reports: &Reports,
) -> Result<Result<Vec<Vec<Heard>>>> {
    let mut models = Models::default();
    let (mut all, mut told) = (Vec::new(), Vec::new());
    for names in speakers {
        let mut heard: Vec<Heard> = Vec::new();
        for language in languages {
            let new = match models.of(language, names, reports) {
                Ok(new) => new,
                Err(why) if language == GERMAN => return Ok(Err(why)),
                Err(why) => {
                    let Ok(german) = models.of(GERMAN, names, reports) else {
                        return Ok(Err(why));
                    };
                    let name = data::lexicon(language)?.name().to_owned();
                    let fault = Fault::new(Part::Model, Reason::Absent, Remedy::SpeakGerman);
                    if !told.contains(language) {
                        failed(reports, None, fault.with(name));
                        told.push(language.clone());
                    }
                    german
                }
            };
            let is_new = |(other, _): &Heard| other.language() != new.0.language();
            if heard.iter().all(is_new) {
                heard.push(new);
            }
        }
        all.push(heard);
    }
    Ok(Ok(all))
}

/// The models that are loaded, each once, by their folders, and what was told of others.
#[derive(Default)]
struct Models {
    loaded: Vec<(PathBuf, Heard)>,
    told: Vec<Fault>,
}

impl Models {
    /// The model of a language that was tuned to one of these names, or else the usual one. Where
    /// the player has chosen another than the bundled one, that is heard with. A tuned one that
    /// cannot be used is reported.
    fn of(&mut self, language: &str, names: &[String], reports: &Reports) -> Result<Heard> {
        let usual = chosen_folder(language)?;
        let is_bundled = bundled_folder(language).is_ok_and(|it| it == usual);
        if is_bundled {
            match self.tuned(language, names) {
                Ok(Some(heard)) => return Ok(heard),
                Ok(None) => {}
                Err(why) => {
                    let fault = why.fault(Part::Enrolment);
                    if !self.told.contains(&fault) {
                        failed(reports, None, fault.clone());
                        self.told.push(fault);
                    }
                }
            }
        }
        self.loaded(language, usual)
    }

    fn tuned(&mut self, language: &str, names: &[String]) -> Result<Option<Heard>> {
        let folder = enrolled::model_for(names, language)?;
        folder.map(|it| self.loaded(language, it)).transpose()
    }

    fn loaded(&mut self, language: &str, folder: PathBuf) -> Result<Heard> {
        if let Some((_, known)) = self.loaded.iter().find(|(known, _)| *known == folder) {
            return Ok(known.clone());
        }
        let lexicon = data::lexicon(language)?;
        let model = HearingModel::open(&folder, &lexicon)?;
        let new = (Arc::new(lexicon), Arc::new(model));
        self.loaded.push((folder, new.clone()));
        Ok(new)
    }
}

/// The language heard in place of those without a hearing model.
const GERMAN: &str = "de";
