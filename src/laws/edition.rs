//! The editions of the Laws that annexd knows.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::rules::Rules;

/// An edition of the FIDE Laws of Chess, named by its year (and month where one year had two).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Edition {
    /// In force from 1 July 2001.
    #[serde(rename = "2001")]
    E2001,
    /// In force from 1 July 2009.
    #[serde(rename = "2009")]
    E2009,
    /// In force from 1 July 2014.
    #[serde(rename = "2014")]
    E2014,
    /// In force from 1 July 2017, for half a year.
    #[serde(rename = "2017-07")]
    E2017July,
    /// In force from 1 January 2018.
    #[serde(rename = "2018")]
    E2018,
    /// In force from 1 January 2023.
    #[default]
    #[serde(rename = "2023")]
    E2023,
}

/// A name that is not an edition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no edition {0:?}: known are 2001, 2009, 2014, 2017-07, 2018 and 2023")]
pub struct UnknownEdition(pub String);

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Self; 6] = [
        Self::E2001,
        Self::E2009,
        Self::E2014,
        Self::E2017July,
        Self::E2018,
        Self::E2023,
    ];

    /// The rules of the edition.
    #[expect(
        clippy::indexing_slicing,
        reason = "there are rules for each edition, in this order"
    )]
    pub fn rules(self) -> &'static Rules {
        &RULES[self as usize]
    }

    /// The name by which the edition is chosen: `2023`, `2017-07`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::E2001 => "2001",
            Self::E2009 => "2009",
            Self::E2014 => "2014",
            Self::E2017July => "2017-07",
            Self::E2018 => "2018",
            Self::E2023 => "2023",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::E2001 => include_str!("editions/2001.toml"),
            Self::E2009 => include_str!("editions/2009.toml"),
            Self::E2014 => include_str!("editions/2014.toml"),
            Self::E2017July => include_str!("editions/2017-07.toml"),
            Self::E2018 => include_str!("editions/2018.toml"),
            Self::E2023 => include_str!("editions/2023.toml"),
        }
    }
}

#[expect(
    clippy::panic,
    reason = "the text is part of the program, and a test reads all of it"
)]
static RULES: LazyLock<[Rules; 6]> = LazyLock::new(|| {
    Edition::ALL.map(|edition| {
        toml::from_str(edition.text())
            .unwrap_or_else(|error| panic!("editions/{edition}.toml: {error}"))
    })
});

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Edition {
    type Err = UnknownEdition;

    /// Reads a name. `2017`, `2018-01` and `2018` are accepted too.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.trim() {
            "2001" => Ok(Self::E2001),
            "2009" => Ok(Self::E2009),
            "2014" => Ok(Self::E2014),
            "2017" | "2017-07" => Ok(Self::E2017July),
            "2018" | "2018-01" => Ok(Self::E2018),
            "2023" | "2023-01" => Ok(Self::E2023),
            other => Err(UnknownEdition(other.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edition_is_read_from_its_own_file() {
        for edition in Edition::ALL {
            assert_eq!(edition.rules().edition, edition);
            assert_eq!(edition.name().parse(), Ok(edition));
        }
    }

    #[test]
    fn an_unknown_key_in_an_edition_is_an_error() {
        let text = Edition::E2023.text().replace("loses_at", "looses_at");
        assert!(toml::from_str::<Rules>(&text).is_err());
        let text = format!("{}\n[surplus]\nkey = 1\n", Edition::E2023.text());
        assert!(toml::from_str::<Rules>(&text).is_err());
    }

    #[test]
    fn an_unknown_edition_is_named_in_the_error() {
        let error = "1997".parse::<Edition>().unwrap_err();
        assert!(error.to_string().contains("1997"));
    }
}
