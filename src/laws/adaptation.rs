//! Adaptations to local conditions (D.1): the organiser changes a value of the rules in
//! consultation with the arbiter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::rules::Rules;

/// A changed value of the rules, with who changed it and when.
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
    /// When it was changed, as the arbiter gave it: `2026-11-21 09:30`.
    pub at: String,
}

impl Adaptation {
    /// The key of the languages in which moves are announced. The table's own language comes first.
    pub const LANGUAGES: &str = "blind.languages";

    /// Reads `KEY = VALUE by NAME`. `at` is when it was said. `None` if the text has another form.
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

/// Why an adaptation cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdaptationError {
    /// No arbiter is named.
    #[error("the adaptation of {0} names no arbiter: D.1 wants the arbiter consulted")]
    NoArbiter(String),
    /// No time is given.
    #[error("the adaptation of {0} has no time")]
    NoTime(String),
    /// The rules have no such key.
    #[error(
        "no value {key:?} in the rules; the nearest is {nearest}, and `annexd law --values` lists them"
    )]
    UnknownKey {
        /// The key as it was given.
        key: String,
        /// The existing key that is most like it.
        nearest: String,
    },
    /// The key cannot have this value.
    #[error("{key} cannot be {value}: {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// The value as it was given.
        value: String,
        /// What the key can have.
        expected: Expected,
    },
}

/// The values that a key can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Expected {
    /// A whole number between these two, both included.
    #[error("it can be {0} to {1}")]
    Between(u32, u32),
    /// One of these, or a list of some of them.
    #[error("it can be {}", .0.join(", "))]
    OneOf(Vec<String>),
    /// A value of the same form as the present one.
    #[error("it is written like {0}")]
    Like(String),
}

impl Rules {
    /// Returns these rules with the adaptations of D.1, applied in their order.
    ///
    /// # Errors
    /// If an adaptation has no arbiter or time, an unknown key, or a value that the key cannot
    /// have. The edition itself and its numbering cannot be adapted.
    pub fn adapted(&self, adaptations: &[Adaptation]) -> Result<Self, AdaptationError> {
        adaptations
            .iter()
            .try_fold(self.clone(), |rules, adaptation| rules.with(adaptation))
    }

    /// Returns these rules with every adaptation that can be accepted, and the list of those. One
    /// that cannot be accepted does not prevent the others.
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

    /// Returns the key that is most like an unknown one. It compares word by word where it can.
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
        let mut tree = Value::try_from(self).unwrap_or(Value::Boolean(false));
        let place = find(&mut tree, key).ok_or_else(|| AdaptationError::UnknownKey {
            key: key.clone(),
            nearest: self.nearest_key(key),
        })?;
        let bad = |expected: Expected| AdaptationError::BadValue {
            key: key.clone(),
            value: adaptation.value.clone(),
            expected,
        };
        let like = || Expected::Like(self.written(key));
        let value = parse_value(&adaptation.value).ok_or_else(|| bad(like()))?;
        check_numbers(key, place, &value).map_err(bad)?;
        let is_empty = value.as_array().is_some_and(Vec::is_empty);
        if key == Adaptation::LANGUAGES && is_empty {
            // Moves are announced in at least one language.
            return Err(bad(like()));
        }
        *place = value;
        tree.try_into().map_err(|error: toml::de::Error| {
            bad(choices(error.message()).map_or_else(like, Expected::OneOf))
        })
    }

    /// The present value of a key, as it is written.
    fn written(&self, key: &str) -> String {
        self.values().remove(key).unwrap_or_default()
    }
}

/// Checks that the numbers of a value allow a game to be played.
fn check_numbers(key: &str, now: &Value, new: &Value) -> Result<(), Expected> {
    match (now, new) {
        (Value::Integer(_), Value::Integer(_) | Value::Float(_)) => {
            let (least, most) = range_of(key);
            let range = i64::from(least)..=i64::from(most);
            match new.as_integer().is_some_and(|new| range.contains(&new)) {
                true => Ok(()),
                false => Err(Expected::Between(least, most)),
            }
        }
        // A choice may bring a number that the previous choice did not have.
        (Value::Table(now), Value::Table(new)) => new.iter().try_for_each(|(part, new)| {
            let was = now.get(part).cloned();
            let was = was.unwrap_or_else(|| match new {
                Value::Float(_) => Value::Integer(0),
                new => new.clone(),
            });
            check_numbers(&format!("{key}.{part}"), &was, new)
        }),
        _ => Ok(()),
    }
}

/// Returns the least and the greatest sensible value of a number in the rules. Outside this range
/// the rule would have no meaning, or the game could not be played.
fn range_of(key: &str) -> (u32, u32) {
    match key.rsplit('.').next().unwrap_or_default() {
        // The first fault is number 1.
        "loses_at" => (1, 10),
        "blitz_minutes" => (1, 15),
        "rapid_minutes" => (15, 240),
        "looks_at_record" | "complaint_moves" => (0, 50),
        "moves" => (1, 50),
        "agreement_needs_moves" => (0, 100),
        "increment_keeps_duty_seconds" => (1, 120),
        "claim_below_minutes" | "free_below_minutes" => (0, 30),
        _ if key.starts_with("time.") || key.starts_with("adjournment.") => (0, 240),
        // Minutes that a player gets.
        _ => (0, 30),
    }
}

/// Reads the possible values from an error message: "expected one of `de`, `da`" or "expected
/// `de`".
fn choices(message: &str) -> Option<Vec<String>> {
    let (_, expected) = message.split_once("expected")?;
    let named = expected.split('`').skip(1).step_by(2).map(str::to_owned);
    Some(named.collect::<Vec<_>>()).filter(|named| !named.is_empty())
}

/// Reads one value as an edition's file writes it.
fn parse_value(text: &str) -> Option<Value> {
    let mut table: toml::Table = toml::from_str(&format!("value = {text}")).ok()?;
    table.remove("value").filter(|_| table.is_empty())
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

/// Lists every value of the rules that can be adapted, by its dotted key.
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
    // A choice and its number are one value, because neither has a meaning without the other.
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

impl Rules {
    /// Lists every value by its dotted key. These are the keys that an adaptation can override.
    pub fn values(&self) -> BTreeMap<String, String> {
        flatten(self)
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
    fn a_number_by_which_no_game_can_be_played_is_refused_with_its_range() {
        for edition in Edition::ALL {
            let rules = edition.rules();
            for (key, value, range) in [
                ("illegal_moves.standard.loses_at", "200", (1, 10)),
                ("illegal_moves.standard.loses_at", "0", (1, 10)),
                ("illegal_moves.standard.loses_at", "-3", (1, 10)),
                ("illegal_moves.standard.minutes", "31", (0, 30)),
                ("draws.wrong_claim_minutes.rapid", "100000", (0, 30)),
                ("draws.wrong_claim_minutes.rapid", "1.5", (0, 30)),
                ("game_types.blitz_minutes", "70", (1, 15)),
                (
                    "recording.increment_keeps_duty_seconds",
                    "4294967296",
                    (1, 120),
                ),
                (
                    "setup.reversed_colours",
                    "{ then = \"new_game_before\", moves = 999 }",
                    (1, 50),
                ),
                (
                    "time.default_time",
                    "{ rule = \"minutes\", minutes = -5 }",
                    (0, 240),
                ),
            ] {
                let error = rules.adapted(&[adaptation(key, value)]).unwrap_err();
                let expected = Expected::Between(range.0, range.1);
                let AdaptationError::BadValue { expected: said, .. } = &error else {
                    panic!("{edition}: {error}");
                };
                assert_eq!(*said, expected, "{edition}: {key}");
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
