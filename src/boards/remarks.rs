//! Remarks that a device would repeat again and again.

use std::time::Duration;

use annexd_game::Input;
use annexd_laws::moment::Moment;

/// A remark that goes on for this long is passed on once more, with its count.
const AGAIN: Duration = Duration::from_secs(600);

/// Remarks about a device, which change nothing in the game. The first of a kind is passed on, and
/// the same ones after it are only counted. So a device that sends nonsense fills neither an ear
/// nor the record.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    kinds: Vec<Remark>,
}

#[derive(Clone, Debug)]
struct Remark {
    said: Input,
    at: Moment,
    /// How often it was to be passed on since.
    since: u32,
}

impl Remarks {
    /// The input to pass on, if any. Only remarks are held back.
    pub fn pass(&mut self, now: Moment, input: Input) -> Option<Input> {
        let is_remark = matches!(
            input,
            Input::Failed { device: None, .. } | Input::ClockTells(_)
        );
        if !is_remark {
            return Some(input);
        }
        let Some(remark) = self.kinds.iter_mut().find(|remark| remark.said == input) else {
            self.kinds.push(Remark {
                said: input.clone(),
                at: now,
                since: 0,
            });
            return Some(input);
        };
        remark.since = remark.since.saturating_add(1);
        if now.since(remark.at) < AGAIN {
            return None;
        }
        remark.at = now;
        let count = std::mem::take(&mut remark.since);
        Some(counted(input, count))
    }

    /// Forgets a remark whose cause is fixed: the next one is news.
    pub fn forget(&mut self, input: &Input) {
        self.kinds.retain(|remark| remark.said != *input);
    }
}

/// A remark with its count.
fn counted(input: Input, count: u32) -> Input {
    match input {
        Input::Failed {
            device,
            person,
            fault,
        } => Input::Failed {
            device,
            person,
            fault: fault.with(format!("{count}×")),
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annexd_game::ClockNotice;
    use annexd_phrases::{Fault, FaultPart as Part, Reason, Remedy};
    use shakmaty::Color;

    fn remark() -> Input {
        Input::Failed {
            device: None,
            person: None,
            fault: Fault::new(Part::Seat, Reason::Missing, Remedy::SayWhereWhiteSits),
        }
    }

    #[test]
    fn the_same_remark_is_said_once_and_counted() {
        let mut remarks = Remarks::default();
        let mut said = Vec::new();
        // A hundred and sixty in a second, for twenty minutes.
        for at in 0..192_000_u64 {
            let now = Moment::from_ms(at * 1_000 / 160);
            said.extend(remarks.pass(now, remark()));
            let jumped = Input::ClockTells(ClockNotice::Jumped(Color::White));
            said.extend(remarks.pass(now, jumped));
        }
        assert_eq!(said.len(), 4, "{said:?}");
        assert_eq!(said[0], remark());
        let Input::Failed { fault, .. } = &said[2] else {
            panic!("{said:?}");
        };
        assert_eq!(fault.detail.as_deref(), Some("96000×"));
    }

    #[test]
    fn what_was_put_right_is_news_when_it_comes_again() {
        let mut remarks = Remarks::default();
        assert!(remarks.pass(Moment::START, remark()).is_some());
        assert!(remarks.pass(Moment::START, remark()).is_none());
        remarks.forget(&remark());
        assert!(remarks.pass(Moment::START, remark()).is_some());
        let press = Input::Pressed {
            side: Color::White,
            means: annexd_game::Means::Chessclock,
        };
        for _ in 0..3 {
            let passed = remarks.pass(Moment::START, press.clone());
            assert_eq!(passed, Some(press.clone()), "no remark");
        }
    }
}
