//! The models that can be fetched, from `assets/models.toml`.

use serde::Deserialize;

use crate::shell::config::data;
use crate::shell::error::{Result, error};

/// A model that can be fetched.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name, and that of its folder.
    pub name: String,
    /// The language it hears.
    pub language: String,
    /// Its address.
    pub address: String,
    /// Its length in bytes.
    pub size: u64,
    /// Its SHA-256 sum in hexadecimal.
    pub sha256: String,
    /// Its licence.
    pub licence: String,
    /// Anything else to know.
    pub note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    model: Vec<Entry>,
}

/// Reads the catalogue.
///
/// # Errors
///
/// `ErrorKind::BadInput` if it cannot be read.
pub fn read() -> Result<Vec<Entry>> {
    let path = data::folder()?.join("assets/models.toml");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| error!(BadInput, Unreadable, path = path.display(), why = error))?;
    let page: Page = toml::from_str(&text).map_err(|error: toml::de::Error| {
        let why = error.to_string().trim_end().to_owned();
        error!(BadInput, CatalogueWrong, path = path.display(), why = why)
    })?;
    Ok(page.model)
}
