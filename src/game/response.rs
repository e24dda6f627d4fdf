//! The response to one input: its moment, and what is to be done.

use super::effect::Effect;
use annexd_laws::moment::Moment;

/// What is to be done about the input being handled.
#[derive(Clone, Debug)]
pub(super) struct Response {
    now: Moment,
    effects: Vec<Effect>,
}

impl Response {
    /// No input yet.
    pub(super) const fn none() -> Self {
        Self {
            now: Moment::START,
            effects: Vec::new(),
        }
    }

    /// An input that happened at this moment is to be handled.
    pub(super) const fn begin(&mut self, now: Moment) {
        self.now = now;
    }

    /// The moment of the input.
    pub(super) const fn now(&self) -> Moment {
        self.now
    }

    /// This is to be done too.
    pub(super) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// All this is to be done too, in order.
    pub(super) fn extend(&mut self, effects: impl IntoIterator<Item = Effect>) {
        self.effects.extend(effects);
    }

    /// What is to be done so far, in order.
    pub(super) fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// What is to be done, in order. Nothing is left.
    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annexd_laws::persons::Channel;

    #[test]
    fn what_is_to_be_done_is_taken_once_and_in_order() {
        let mut response = Response::none();
        response.begin(Moment::from_ms(5));
        response.push(Effect::Silence(Channel::Table));
        response.extend([Effect::Silence(Channel::Arbiter)]);
        assert_eq!(response.effects().len(), 2);
        let taken = response.take();
        let silenced = [Channel::Table, Channel::Arbiter].map(Effect::Silence);
        assert_eq!(taken, silenced);
        assert!(response.take().is_empty());
        assert_eq!(response.now(), Moment::from_ms(5));
    }
}
