//! Whether a language has all the words that there are.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;

use annexd_score::{PageError, at_end};

/// Whether a list of a page has all its words; what is missing is missing at the end.
///
/// # Errors
///
/// [`PageError`] with the first of the words that are not there.
pub(super) fn has_all<Key, Text>(list: &BTreeMap<Key, Text>, page: &str) -> Result<(), PageError>
where
    Key: IntoEnumIterator + Ord + Into<&'static str>,
{
    match Key::iter().find(|key| !list.contains_key(key)) {
        None => Ok(()),
        Some(missing) => Err(at_end(page, format!("{} is missing", missing.into()))),
    }
}
