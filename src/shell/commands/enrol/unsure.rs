//! The sounds of games that were not heard well.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::game::Profile;
use crate::journal::{Body, Entry, SoundFile};
use crate::shell::error::{Result, error};
use crate::shell::hearing::enrolled::{is_one_of, side_at, speakers_at};
use crate::shell::hearing::session::Session;
use crate::shell::hearing::verdict::Decision;
use crate::shell::record::kept_sounds::{expected_voice, misheard};
use crate::shell::record::utterance_files::{folder_of, hash_of, recorded};
use crate::shell::record::{heartbeat, store};

/// A sound of a person.
pub(super) struct OwnSound {
    pub(super) path: PathBuf,
    /// Its checksum, by which it is known.
    pub(super) sum: String,
    /// Whether its words were taken back in the game.
    pub(super) was_misheard: bool,
}

/// The sounds of a person in a game, and under which name he played.
#[derive(Default)]
pub(super) struct Own {
    pub(super) player: String,
    pub(super) sounds: Vec<OwnSound>,
}

/// The sounds of a game in which somebody speaks a language, as far as they are still what was
/// recorded. Where both players share a microphone only those count in which he was to speak.
pub(super) fn own_sounds(game: &Path, name: &str, language: &str) -> Result<Own> {
    if heartbeat::is_held(game) {
        return Err(error!(DeviceBusy, GameIsPlayed));
    }
    let entries = store::read(game)?.entries;
    let Some(profile) = profile_of(&entries) else {
        return Ok(Own::default());
    };
    if !profile.languages_heard().iter().any(|it| it == language) {
        return Ok(Own::default());
    }
    let misheard = misheard(&entries);
    let folder = folder_of(game);
    let mut own = Own::default();
    for sound in recorded(&entries).filter(|it| is_own(&entries, profile, it, name, language)) {
        if let Some(side) = side_at(profile, sound.microphone) {
            own.player.clone_from(&profile.sides[side].name);
        }
        let path = folder.join(&sound.file);
        let is_there = fs::read(&path).is_ok_and(|bytes| hash_of(&bytes) == sound.sha256);
        if is_there && is_plain(&sound.file) {
            own.sounds.push(OwnSound {
                path,
                sum: sound.sha256.clone(),
                was_misheard: misheard.contains(sound.file.as_str()),
            });
        }
    }
    Ok(own)
}

/// The names under which somebody without a name of his own has played: those of players whose
/// sounds count as his.
pub(super) fn names_in(games: &[PathBuf], language: &str) -> BTreeSet<String> {
    let own = games.iter().filter_map(|it| own_names(it, language).ok());
    own.flatten().collect()
}

fn own_names(game: &Path, language: &str) -> Result<BTreeSet<String>> {
    let entries = store::read(game)?.entries;
    let Some(profile) = profile_of(&entries) else {
        return Ok(BTreeSet::new());
    };
    let own = recorded(&entries).filter(|it| is_own(&entries, profile, it, "", language));
    let sides = own.filter_map(|it| side_at(profile, it.microphone));
    Ok(sides.map(|it| profile.sides[it].name.clone()).collect())
}

fn profile_of(entries: &[Entry]) -> Option<&Profile> {
    match entries.first().map(|it| &it.body) {
        Some(Body::Opened(opened)) => Some(&opened.profile),
        _ => None,
    }
}

fn is_own(
    entries: &[Entry],
    profile: &Profile,
    sound: &SoundFile,
    name: &str,
    language: &str,
) -> bool {
    let speakers = speakers_at(profile, sound.microphone);
    let is_his = is_one_of(&speakers, name, language);
    let is_shared = sound.microphone.is_none();
    is_his && (!is_shared || expected_voice(entries, sound) == side_at(profile, None))
}

/// Whether a name is that of a file in its folder and leads nowhere else.
fn is_plain(file: &str) -> bool {
    Path::new(file).file_name().is_some_and(|name| name == file)
}

/// What a sound may have been, each reading in its words; `None` if there is no doubt. Without a
/// reading it was misheard in the game, and nothing is understood now.
pub(super) fn readings(session: &Session, sound: &OwnSound) -> Option<Vec<Vec<String>>> {
    let (mut is_clear, mut readings) = (true, Vec::<Vec<String>>::new());
    let heard = session.file(&sound.path, false, &mut |utterance, _| {
        is_clear &= utterance.verdict.decision == Decision::Take;
        let all = utterance.verdict.alternatives.iter();
        readings.extend(all.map(|it| it.words.clone()));
        Ok(())
    });
    heard.ok()?;
    let words = session.lexicon().words();
    let is_word = |it: &String| words.iter().any(|known| known.word == *it);
    let mut known = BTreeSet::new();
    readings.retain(|it| !it.is_empty() && it.iter().all(is_word) && known.insert(it.clone()));
    // A sound in which nothing is heard, and which nobody took back, was a noise.
    let is_unsure = !is_clear && !readings.is_empty() || sound.was_misheard;
    is_unsure.then_some(readings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_name_leads_nowhere_else() {
        assert!(is_plain("000001.flac"));
        for other in ["../1.flac", "/1.flac", "a/1.flac", "..", ""] {
            assert!(!is_plain(other), "{other}");
        }
    }
}
