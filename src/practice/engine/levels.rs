//! Sets the strength of a chess program to what a word says, as far as its options allow.
//!
//! Nobody has measured this strength against people. The words are an order of strength, and the
//! numbers are those that the chess program itself promises.

use annexd::shell::practice::Strength;

use super::codec::Choice;

/// The options to set, and how long it may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) options: Vec<(&'static str, String)>,
    pub(super) nodes: Option<u64>,
}

/// The Elo to ask for, if a program can promise one.
const fn elo(strength: Strength) -> Option<i64> {
    match strength {
        Strength::Beginner | Strength::Full => None,
        Strength::Casual => Some(1350),
        Strength::Club => Some(1700),
        Strength::Strong => Some(2100),
        Strength::Master => Some(2500),
    }
}

/// The skill level, of twenty.
const fn skill(strength: Strength) -> i64 {
    match strength {
        Strength::Beginner => 0,
        Strength::Casual => 3,
        Strength::Club => 7,
        Strength::Strong => 11,
        Strength::Master => 15,
        Strength::Full => 20,
    }
}

/// How many positions it may examine, if nothing else limits its strength.
const fn nodes(strength: Strength) -> Option<u64> {
    match strength {
        Strength::Beginner => Some(50),
        Strength::Casual => Some(500),
        Strength::Club => Some(5_000),
        Strength::Strong => Some(30_000),
        Strength::Master => Some(200_000),
        Strength::Full => None,
    }
}

/// Returns how a program with these options plays that strong. For a beginner it examines few
/// positions too, because the weakest level that programs promise is that of an experienced player.
pub(super) fn level(strength: Strength, choices: &[Choice]) -> Level {
    let of = |name: &str| choices.iter().find(|choice| choice.name == name);
    let range = |name: &str| of(name).and_then(|choice| choice.range);
    let limits = of("UCI_LimitStrength").and(range("UCI_Elo"));
    let skills = range("Skill Level");
    let mut options = Vec::new();
    let mut is_weakened = false;
    if let Some((least, most)) = limits {
        let elo = elo(strength);
        options.push(("UCI_LimitStrength", elo.is_some().to_string()));
        if let Some(elo) = elo {
            options.push(("UCI_Elo", elo.clamp(least, most).to_string()));
            is_weakened = true;
        }
    }
    if let Some((least, most)) = skills {
        // One of the two limits is enough, and the Elo is preferred.
        let skill = if is_weakened { 20 } else { skill(strength) };
        let skill = least + (most - least) * skill / 20;
        options.push(("Skill Level", skill.to_string()));
        is_weakened |= strength != Strength::Full;
    }
    let looks_at_few = strength == Strength::Beginner || !is_weakened;
    Level {
        options,
        nodes: nodes(strength).filter(|_| looks_at_few),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(name: &str, range: Option<(i64, i64)>) -> Choice {
        let name = name.to_owned();
        Choice { name, range }
    }

    fn stockfish() -> Vec<Choice> {
        vec![
            choice("UCI_LimitStrength", None),
            choice("UCI_Elo", Some((1350, 2850))),
            choice("Skill Level", Some((0, 20))),
        ]
    }

    fn said(level: &Level) -> String {
        let options = level.options.iter();
        let options: Vec<String> = options.map(|(name, is)| format!("{name}={is}")).collect();
        format!("{} {:?}", options.join(" "), level.nodes)
    }

    #[test]
    fn stockfish_is_told_an_elo_and_a_beginner_less() {
        for (strength, expected) in [
            (
                Strength::Beginner,
                "UCI_LimitStrength=false Skill Level=0 Some(50)",
            ),
            (
                Strength::Club,
                "UCI_LimitStrength=true UCI_Elo=1700 Skill Level=20 None",
            ),
            (
                Strength::Full,
                "UCI_LimitStrength=false Skill Level=20 None",
            ),
        ] {
            assert_eq!(said(&level(strength, &stockfish())), expected);
        }
    }

    #[test]
    fn a_program_without_such_settings_looks_at_fewer_positions() {
        let nodes = Strength::ALL.map(|strength| level(strength, &[]).nodes);
        assert!(
            nodes[..5].windows(2).all(|two| two[0] < two[1]),
            "{nodes:?}"
        );
        assert_eq!(nodes[5], None);
        let narrow = [
            choice("UCI_LimitStrength", None),
            choice("UCI_Elo", Some((1800, 2000))),
        ];
        let weak = level(Strength::Casual, &narrow);
        assert_eq!(said(&weak), "UCI_LimitStrength=true UCI_Elo=1800 None");
        let skill = [choice("Skill Level", Some((1, 11)))];
        let levels = Strength::ALL.map(|strength| said(&level(strength, &skill)));
        assert_eq!(levels[0], "Skill Level=1 Some(50)");
        assert_eq!(levels[4], "Skill Level=8 None");
        assert_eq!(levels[5], "Skill Level=11 None");
    }
}
