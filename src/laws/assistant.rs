//! Who may or must have an assistant (D.2.11).

use super::rules::Rules;

/// Returns whether a sighted player may have a helper: only where the blind player has no assistant
/// (D.2.11).
pub const fn may_have_sighted_helper(blind_has_assistant: bool) -> bool {
    !blind_has_assistant
}

/// Returns whether the blind player must have an assistant (D.2.11 since 2017).
pub const fn needs_assistant(rules: &Rules, opponent_is_hearing_impaired: bool) -> bool {
    rules.blind.assistant_against_hearing_impaired && opponent_is_hearing_impaired
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn a_hearing_impaired_opponent_makes_an_assistant_compulsory_since_2017() {
        for edition in Edition::ALL {
            let rules = edition.rules();
            let expected = edition >= Edition::E2017July;
            assert_eq!(needs_assistant(rules, true), expected, "{edition}");
            assert!(!needs_assistant(rules, false));
        }
    }
}
