//! What hears at each microphone of a game: the model of each language, tuned to the speaker where
//! he is enrolled.

use std::path::PathBuf;
use std::sync::Arc;

use shakmaty::Color;

use super::open_devices::failed;
use crate::game::Profile;
use crate::shell::config::data;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result};
use crate::shell::hearing::enrolled;
use crate::shell::hearing::listeners::{Heard, Listeners};
use crate::shell::hearing::model::{HearingModel, bundled_folder, chosen_folder};
use crate::shell::table::inbox::Reports;

/// The names under which whoever speaks into a microphone may be enrolled: that of its player, and
/// none if he is visually disabled. A shared one is his.
pub(super) fn speakers_at(game: &Profile, side: Option<Color>) -> Vec<String> {
    let disabled = Color::ALL.map(|it| game.is_visually_disabled(it).then_some(it));
    let side = side.or(match disabled {
        [Some(only), None] | [None, Some(only)] => Some(only),
        _ => None,
    });
    let Some(side) = side else {
        return Vec::new();
    };
    let named = Some(game.sides[side].name.clone()).filter(|name| !name.is_empty());
    let nameless = game.is_visually_disabled(side).then(String::new);
    named.into_iter().chain(nameless).collect()
}

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
            let new = match models.of(language, names) {
                Ok(new) => new,
                Err(why) if language == GERMAN => return Ok(Err(why)),
                Err(why) => {
                    let Ok(german) = models.of(GERMAN, names) else {
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

/// The models that are loaded, each once, by their folders.
#[derive(Default)]
struct Models(Vec<(PathBuf, Heard)>);

impl Models {
    /// The model of a language that was tuned to one of these names, or else the usual one. Where
    /// the player has chosen another than the bundled one, that is heard with.
    fn of(&mut self, language: &str, names: &[String]) -> Result<Heard> {
        let usual = chosen_folder(language)?;
        let is_bundled = bundled_folder(language).is_ok_and(|it| it == usual);
        if is_bundled && let Some(tuned) = enrolled::model_for(names, language) {
            match self.loaded(language, tuned) {
                Ok(heard) => return Ok(heard),
                Err(why) => {
                    tracing::warn!("an enrolment is not used: {:?}", why.sentence());
                }
            }
        }
        self.loaded(language, usual)
    }

    fn loaded(&mut self, language: &str, folder: PathBuf) -> Result<Heard> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == folder) {
            return Ok(known.clone());
        }
        let lexicon = data::lexicon(language)?;
        let model = HearingModel::open(&folder, &lexicon)?;
        let new = (Arc::new(lexicon), Arc::new(model));
        self.0.push((folder, new.clone()));
        Ok(new)
    }
}

/// The language heard in place of those without a hearing model.
const GERMAN: &str = "de";
