//! Checks that a language has all words.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;

use annexd_score::{PageError, at_end};

/// Checks that a list of a page has all its words. A missing word is reported at the end of the
/// page.
///
/// # Errors
///
/// [`PageError`] with the first missing word.
pub(super) fn has_all<Key, Text>(list: &BTreeMap<Key, Text>, page: &str) -> Result<(), PageError>
where
    Key: IntoEnumIterator + Ord + Into<&'static str>,
{
    match Key::iter().find(|key| !list.contains_key(key)) {
        None => Ok(()),
        Some(missing) => Err(at_end(page, format!("{} is missing", missing.into()))),
    }
}
