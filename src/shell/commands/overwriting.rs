//! Refuses to overwrite signed scores.

use std::fs;
use std::path::Path;

use crate::score::{Score, braille_games, decoded, from_json, is_json, signed_scores};
use crate::shell::error::{Result, error};

/// Refuses to overwrite a signed score (8.7), unless with the same score, perhaps with another
/// signature.
pub(super) fn refuse_signed(path: &Path, bytes: &[u8]) -> Result<()> {
    let there = path.is_file().then(|| fs::read(path).ok()).flatten();
    let there = there.unwrap_or_default();
    if has_unread_signature(&there) {
        return Err(error!(Negative, ScoreSignedUnread, path = path.display()));
    }
    let there = signed_in(&there);
    if there.is_empty() {
        return Ok(());
    }
    let new = signed_in(bytes);
    let is_kept = |signed: &Score| {
        new.iter().any(|new| {
            let still = |side| new.signatures().iter().any(|kept| kept.side == side);
            (new.entries(), new.result()) == (signed.entries(), signed.result())
                && signed.signatures().iter().all(|it| still(it.side))
        })
    };
    let Some(signed) = there.iter().find(|signed| !is_kept(signed)) else {
        return Ok(());
    };
    let path = path.display();
    Err(if signed.is_locked() {
        error!(Negative, ScoreLocked, path = path)
    } else {
        error!(Negative, ScoreSignedThere, path = path)
    })
}

/// Whether these bytes contain a signature but can no longer be read as a score.
fn has_unread_signature(bytes: &[u8]) -> bool {
    let text = decoded(bytes);
    if !is_json(&text) || from_json(&text).is_ok() {
        return false;
    }
    // However it is damaged, a signature has a side.
    let signed = text.split("\"signatures\"").skip(1);
    let mut lists = signed.filter_map(|rest| rest.trim_start().strip_prefix(':'));
    lists.any(|list| {
        let list = list.trim_start().trim_start_matches('[').trim_start();
        !list.is_empty() && !list.starts_with(']') && !list.starts_with("null")
    })
}

/// The signed scores in the bytes of a file of any format.
fn signed_in(bytes: &[u8]) -> Vec<Score> {
    let text = decoded(bytes);
    if is_json(&text) {
        // A score whose signatures were removed still counts as signed.
        let is_signed = |score: &Score| !score.signatures().is_empty() || !score.is_as_signed();
        return from_json(&text)
            .ok()
            .filter(is_signed)
            .into_iter()
            .collect();
    }
    let games = braille_games(&text);
    if games.is_empty() {
        return signed_scores(&text);
    }
    let lists = games.iter().map(|(list, _)| list);
    lists.flat_map(|list| signed_scores(list)).collect()
}
