//! Electronic devices at the board, including annexd itself (11.3.2).

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

use super::choices::DeviceRule;
use super::rules::Rules;
use super::termination::{LossOrDraw, Termination, loss_or_draw};

/// How a device was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceFound {
    /// A telephone made a noise.
    Noise,
    /// A player had a telephone, a means of communication or a means of finding moves on his
    /// person.
    OnPerson,
    /// Any other electronic device that the arbiter has not specifically approved.
    Unapproved,
}

/// Returns whether the arbiter must approve a program like this before a game may start with it. In
/// an edition without a rule, approval is still for the arbiter (12.2.6, D.1).
pub const fn needs_approval(rules: &Rules) -> bool {
    matches!(
        rules.conduct.device,
        DeviceRule::UnapprovedLoses | DeviceRule::OnPersonLoses | DeviceRule::NoiseLoses
    )
}

/// Returns the penalty for a device that was not approved. `None` if the edition has none. The
/// event may have set a milder penalty, which the arbiter then gives instead.
pub fn device_penalty(
    rules: &Rules,
    found: DeviceFound,
    offender: Color,
    position: Option<&Chess>,
) -> Option<LossOrDraw> {
    let loses = match rules.conduct.device {
        DeviceRule::Unsaid => false,
        DeviceRule::NoiseLoses => found == DeviceFound::Noise,
        DeviceRule::OnPersonLoses => found != DeviceFound::Unapproved,
        DeviceRule::UnapprovedLoses => true,
    };
    let lost = Termination::Device(offender);
    loses.then(|| {
        if rules.conduct.device_any_series_draw {
            loss_or_draw(position, offender, lost, Termination::DeviceDrawn(offender))
        } else {
            LossOrDraw::Ended(lost)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn each_edition_has_its_own_idea_of_a_forbidden_device() {
        use DeviceFound::{Noise, OnPerson, Unapproved};
        for (edition, expected) in Edition::ALL.into_iter().zip([
            [false, false, false],
            [true, false, false],
            [true, true, false],
            [true, true, true],
            [true, true, true],
            [true, true, true],
        ]) {
            let loses = [Noise, OnPerson, Unapproved].map(|found| {
                let start = Chess::default();
                device_penalty(edition.rules(), found, Color::White, Some(&start)).is_some()
            });
            assert_eq!(loses, expected, "{edition}");
        }
    }
}
