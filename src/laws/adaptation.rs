//! Adaptations to local conditions (D.1): the organiser changes a value with the arbiter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::rules::Rules;

/// One value of the rules that was changed, by whom and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adaptation {
    /// The dotted key of the value, as [`Rules::values`] lists it:
    /// `illegal_moves.standard.loses_at`.
    pub key: String,
    /// The new value, written as in the edition's file: `3`, `true`, `"any"`.
    pub value: String,
    /// The name of the arbiter who was consulted or who ordered it.
    pub arbiter: String,
    /// When, as the arbiter gave it: `2026-11-21 09:30`.
    pub at: String,
}

impl Adaptation {
    /// The key of the languages in which moves are announced, the table's own first.
    pub const LANGUAGES: &str = "blind.languages";

    /// Reads `KEY = VALUE by NAME`; `at` is when it was said. Nothing if it is not written so.
    pub fn read(text: &str, at: &str) -> Option<Self> {
        let (key, rest) = text.split_once('=')?;
        let by = [" by ", " von ", " af ", " av "];
        let (value, arbiter) = by.iter().find_map(|by| rest.rsplit_once(by))?;
        Some(Self {
            key: key.trim().to_owned(),
            value: value.trim().to_owned(),
            arbiter: arbiter.trim().to_owned(),
            at: at.to_owned(),
        })
    }
}

/// Why an adaptation cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdaptationError {
    /// Nobody stands for it.
    #[error("the adaptation of {0} names no arbiter: D.1 wants the arbiter consulted")]
    NoArbiter(String),
    /// Nobody said when.
    #[error("the adaptation of {0} has no time")]
    NoTime(String),
    /// There is no such value.
    #[error(
        "no value {key:?} in the rules; the nearest is {nearest}, and `annexd law --values` lists them"
    )]
    UnknownKey {
        /// The key as it was given.
        key: String,
        /// The key there is that is most like it.
        nearest: String,
    },
    /// The value is not one that the key can have.
    #[error("{key} cannot be {value}: {reason}")]
    BadValue {
        /// The key.
        key: String,
        /// The value as it was given.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Rules {
    /// These rules with the adaptations of D.1, in their order.
    ///
    /// # Errors
    /// If an adaptation has no arbiter or time, an unknown key, or a value the key cannot have.
    /// The edition itself and its numbering cannot be adapted.
    pub fn adapted(&self, adaptations: &[Adaptation]) -> Result<Self, AdaptationError> {
        adaptations
            .iter()
            .try_fold(self.clone(), |rules, adaptation| rules.with(adaptation))
    }

    /// These rules with the adaptations that can be taken, and which those are: one that cannot
    /// does not stand in the way of the others.
    pub fn adapted_as_possible(&self, adaptations: &[Adaptation]) -> (Self, Vec<Adaptation>) {
        let mut rules = self.clone();
        let mut taken = Vec::new();
        for adaptation in adaptations {
            if let Ok(adapted) = rules.with(adaptation) {
                rules = adapted;
                taken.push(adaptation.clone());
            }
        }
        (rules, taken)
    }

    /// The key that is most like one that does not exist, compared word by word where it can be.
    fn nearest_key(&self, key: &str) -> String {
        let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
        self.values()
            .into_keys()
            .min_by_key(|known| {
                let whole = strsim::damerau_levenshtein(key, known);
                let word = strsim::damerau_levenshtein(&last(key), &last(known));
                (whole.min(2 * word + 1), whole)
            })
            .unwrap_or_default()
    }

    fn with(&self, adaptation: &Adaptation) -> Result<Self, AdaptationError> {
        let key = &adaptation.key;
        if adaptation.arbiter.trim().is_empty() {
            return Err(AdaptationError::NoArbiter(key.clone()));
        }
        if adaptation.at.trim().is_empty() {
            return Err(AdaptationError::NoTime(key.clone()));
        }
        let bad = |reason: String| AdaptationError::BadValue {
            key: key.clone(),
            value: adaptation.value.clone(),
            reason,
        };
        let value = parse_value(&adaptation.value).map_err(bad)?;
        let mut tree = Value::try_from(self).map_err(|error| bad(error.to_string()))?;
        let place = find(&mut tree, key).ok_or_else(|| AdaptationError::UnknownKey {
            key: key.clone(),
            nearest: self.nearest_key(key),
        })?;
        if key.ends_with(".loses_at") && value.as_integer().is_some_and(|number| number < 1) {
            return Err(bad("the first fault is number 1".to_owned()));
        }
        let is_empty = value.as_array().is_some_and(Vec::is_empty);
        if key == Adaptation::LANGUAGES && is_empty {
            return Err(bad("one language at least is announced in".to_owned()));
        }
        *place = value;
        tree.try_into()
            .map_err(|error: toml::de::Error| bad(error.message().to_owned()))
    }
}

/// Reads one value as an edition's file writes it.
fn parse_value(text: &str) -> Result<Value, String> {
    let mut table: toml::Table =
        toml::from_str(&format!("value = {text}")).map_err(|error| error.message().to_owned())?;
    match table.remove("value") {
        Some(value) if table.is_empty() => Ok(value),
        _ => Err("one value is expected".to_owned()),
    }
}

fn find<'a>(tree: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    let mut parts = key.split('.');
    let section = parts.next()?;
    if matches!(section, "edition" | "in_force" | "source") {
        return None;
    }
    let mut place = tree.as_table_mut()?.get_mut(section)?;
    let mut depth = 0;
    for part in parts {
        place = place.as_table_mut()?.get_mut(part)?;
        depth += 1;
    }
    (depth > 0).then_some(place)
}

/// Every value of the rules that can be adapted, by its dotted key.
pub(super) fn flatten(rules: &Rules) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    if let Ok(Value::Table(tree)) = Value::try_from(rules) {
        for (section, value) in &tree {
            if value.is_table() {
                flatten_into(section, value, &mut values);
            }
        }
    }
    values
}

fn flatten_into(key: &str, value: &Value, values: &mut BTreeMap<String, String>) {
    // A choice with its number is one value: neither says anything without the other.
    let is_choice = |table: &toml::Table| table.contains_key("rule") || table.contains_key("then");
    match value {
        Value::Table(table) if !is_choice(table) => {
            for (part, value) in table {
                flatten_into(&format!("{key}.{part}"), value, values);
            }
        }
        value => {
            values.insert(key.to_owned(), value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    fn adaptation(key: &str, value: &str) -> Adaptation {
        Adaptation {
            key: key.to_owned(),
            value: value.to_owned(),
            arbiter: "the chief arbiter".to_owned(),
            at: "2026-11-21 09:30".to_owned(),
        }
    }

    #[test]
    fn an_adaptation_overrides_one_value_only() {
        let rules = Edition::E2023.rules();
        let adapted = rules
            .adapted(&[adaptation("illegal_moves.standard.loses_at", "3")])
            .unwrap();
        assert_eq!(adapted.illegal_moves.standard.loses_at, 3);
        let back = adapted
            .adapted(&[adaptation("illegal_moves.standard.loses_at", "2")])
            .unwrap();
        assert_eq!(&back, rules);
    }

    #[test]
    fn every_listed_value_can_be_adapted_to_itself() {
        for edition in Edition::ALL {
            let rules = edition.rules();
            for (key, value) in rules.values() {
                let adapted = rules.adapted(&[adaptation(&key, &value)]);
                assert_eq!(adapted.as_ref(), Ok(rules), "{edition} {key}");
            }
        }
    }

    #[test]
    fn nonsense_is_refused_with_its_key() {
        let rules = Edition::E2023.rules();
        for (key, value) in [
            ("illegal_moves.standard.loses_at", "\"twice\""),
            ("illegal_moves.standard.loses_at", "0"),
            ("illegal_moves.standard.loses", "2"),
            ("illegal_moves", "2"),
            ("edition", "\"2001\""),
            ("draws.fivefold", "any"),
            ("blind.languages", "[]"),
            ("blind.languages", "[\"Deutsch\"]"),
            ("adjournment.faulty_seal_exceptions", "[\"1.1\"]"),
            ("draws.fivefold", "\"any\"\nx = 1"),
        ] {
            let error = rules.adapted(&[adaptation(key, value)]).unwrap_err();
            assert!(error.to_string().contains(key), "{error}");
        }
        let mut anonymous = adaptation("draws.fivefold", "\"never\"");
        anonymous.arbiter.clear();
        assert!(rules.adapted(&[anonymous]).is_err());
    }
}
