//! Makes the list of all phrases.

/// Makes [`PhraseKey`] from a list of keys, each with its meaning.
macro_rules! phrase_keys {
    ($($key:ident: $says:literal,)*) => {
        /// All phrases. Each has its text in every `grammar/<language>/phrases.toml`.
        #[derive(strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
        #[strum(serialize_all = "snake_case")]
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum PhraseKey {
            $(#[doc = $says] $key,)*
        }
    };
}

pub(crate) use phrase_keys;
