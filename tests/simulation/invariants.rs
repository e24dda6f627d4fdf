//! What must hold after each event, whatever it was.

use annexd::game::{
    ClockKind, Command, Effect, Game, Heard, Input, Means, Microphones, Mode, Origin, Phase,
    Ruling, Said,
};
use annexd::laws::Termination;
use annexd::moment::Moment;
use annexd::notation::Announcement;
use annexd::persons::{Channel, Person, Sides};
use annexd::phrases::{Argument, PhraseKey};
use shakmaty::Color;
use std::time::Duration;

use super::table::SIDES;

/// What is remembered of the events before.
pub(crate) struct Watch {
    now: Moment,
    phase: Phase,
    plies: usize,
    running: Option<Color>,
    times: Sides<Duration>,
    turn: Color,
    /// How many moves each side has ever made, taken back or not.
    made: Sides<u64>,
    /// How often a press by key was carried out for each visually disabled side.
    pressed: Sides<u64>,
    /// Whether who has the move has pressed already: his opponent may press back.
    pressed_early: bool,
    /// Moves that were sealed, and not announced at the table before.
    sealed: Vec<Announcement>,
    announced: Vec<Announcement>,
}

impl Watch {
    pub(crate) fn new(game: &Game) -> Self {
        Self {
            now: Moment::START,
            phase: game.phase(),
            plies: game.plies(),
            running: game.running(),
            times: game.times(Moment::START),
            turn: game.turn(),
            made: Sides::default(),
            pressed: Sides::default(),
            pressed_early: false,
            sealed: Vec::new(),
            announced: Vec::new(),
        }
    }

    /// What is wrong, if anything is.
    pub(crate) fn check(
        &mut self,
        game: &Game,
        now: Moment,
        input: &Input,
        effects: &[Effect],
    ) -> Result<(), String> {
        self.scores(game, input)?;
        self.clocks(game, now, input)?;
        self.made_before_completed(game, input)?;
        self.nothing_private(game, input, effects)?;
        self.permissions(game, input, effects)?;
        self.ends(game, now, input, effects)?;
        if game.deadline().is_some_and(|due| due <= now) {
            let late = game.deadline().map(|due| due.as_ms());
            return Err(format!(
                "a deadline was not kept: {late:?} at {}",
                now.as_ms()
            ));
        }
        self.now = now;
        self.phase = game.phase();
        self.plies = game.plies();
        self.running = game.running();
        self.times = game.times(now);
        self.turn = game.turn();
        Ok(())
    }

    /// The scores lag behind the moves by at most what 8.1.3 allows; those that the program keeps
    /// do not lag at all.
    fn scores(&self, game: &Game, input: &Input) -> Result<(), String> {
        for keeper in SIDES {
            let entries = game.score(keeper).entries().len();
            if entries != game.plies() {
                let made = game.plies();
                return Err(format!("{entries} moves in {keeper}'s score, {made} made"));
            }
        }
        // Moves that were struck out stand again when that is taken back.
        let is_taken_back = *input == Input::Ruling(Ruling::TakeBack);
        if game.plies() > self.plies + 2 && !is_taken_back {
            return Err("more than two moves at once".to_owned());
        }
        Ok(())
    }

    /// One clock runs at most, none while play is stopped, and between two events no clock that
    /// stands loses time and none that runs loses more than has passed.
    fn clocks(&self, game: &Game, now: Moment, input: &Input) -> Result<(), String> {
        let stands = matches!(
            game.phase(),
            Phase::BeforePlay | Phase::Stopped | Phase::Ended
        );
        if stands && game.running().is_some() && game.profile().clock == ClockKind::Program {
            return Err(format!("a clock runs in {:?}", game.phase()));
        }
        let sets_clocks = matches!(input, Input::Ruling(_) | Input::ClockReads { .. })
            || game.running() != self.running
            || game.phase() != self.phase
            || game.plies() != self.plies
            || matches!(input, Input::Pressed { .. })
            || is_command(input, Command::Yes)
            || is_command(input, Command::Press);
        if sets_clocks {
            return Ok(());
        }
        let passed = now.since(self.now);
        let times = game.times(now);
        for side in SIDES {
            let lost = self.times[side].saturating_sub(times[side]);
            let may_lose = if self.running == Some(side) {
                passed
            } else {
                Duration::ZERO
            };
            if lost > may_lose {
                return Err(format!("{side}'s clock lost {lost:?} of {passed:?}"));
            }
            if times[side] > self.times[side] {
                return Err(format!("{side}'s clock gained time by itself"));
            }
        }
        Ok(())
    }

    /// A visually disabled player's press by key is carried out only for a move that was made
    /// (D.2.3, D.2.4).
    fn made_before_completed(&mut self, game: &Game, input: &Input) -> Result<(), String> {
        if game.turn() != self.turn && game.plies() >= self.plies {
            self.made[self.turn] += 1;
            self.made[!self.turn] += (game.plies() - self.plies).saturating_sub(1) as u64;
        } else if game.plies() > self.plies {
            for side in SIDES {
                self.made[side] += 1;
            }
        }
        let is_passed_on = |from: Color| {
            let to = game.running();
            self.running == Some(from) && to == Some(!from)
        };
        let was_early = std::mem::take(&mut self.pressed_early);
        if game.turn() == self.turn && game.plies() == self.plies {
            let is_back = is_passed_on(!self.turn);
            self.pressed_early = is_passed_on(self.turn) || was_early && !is_back;
            if was_early && is_back {
                return Ok(());
            }
        }
        let Input::Pressed {
            side,
            means: Means::Key(_),
        } = *input
        else {
            return Ok(());
        };
        if is_passed_on(side) && game.profile().sides[side].visually_disabled {
            self.pressed[side] += 1;
            let has_made = game.plies() > 0 && self.made[side] >= self.pressed[side];
            if !has_made {
                return Err(format!("{side} pressed and had made no move"));
            }
        }
        Ok(())
    }

    /// No word meant for one alone comes where others hear it; nothing at all about what was
    /// sealed; and in rated play not a word on legality.
    fn nothing_private(
        &mut self,
        game: &Game,
        input: &Input,
        effects: &[Effect],
    ) -> Result<(), String> {
        let all_have_ears = SIDES.iter().all(|&side| game.profile().sides[side].ear);
        let is_sealing = matches!(self.phase, Phase::Sealing | Phase::Adjourned)
            && matches!(game.phase(), Phase::Sealing | Phase::Adjourned);
        if let Input::Act {
            act: annexd::game::Act::Seal(said),
            ..
        } = input
            && is_sealing
            && !self.announced.contains(said)
        {
            self.sealed.push(said.clone());
        }
        for effect in effects {
            let Effect::Say {
                channel, phrase, ..
            } = effect
            else {
                let lights = matches!(effect, Effect::Light { squares, .. } if !squares.is_empty());
                if is_sealing && lights {
                    return Err("a board lights up while a move is sealed".to_owned());
                }
                continue;
            };
            let is_table = *channel == Channel::Table;
            if is_table && all_have_ears && phrase.key.is_private() && !is_a_guess(game, phrase.key)
            {
                return Err(format!("private at the table: {:?}", phrase.key));
            }
            if *channel != Channel::Arbiter
                && game.profile().mode == Mode::Rated
                && phrase.key == PhraseKey::IllegalInPractice
            {
                return Err("legality in a rated game".to_owned());
            }
            if is_table {
                let said = phrase
                    .arguments
                    .iter()
                    .filter_map(|argument| match argument {
                        Argument::Move(said) if !is_sealing => Some(said.clone()),
                        _ => None,
                    });
                self.announced.extend(said);
            }
            // The opponent's last announcement may be in the same words, and is everybody's.
            let public = game.announced(!game.turn());
            let shows_sealed = phrase.arguments.iter().any(|argument| {
                matches!(argument, Argument::Move(said)
                    if self.sealed.contains(said) && public != Some(said))
            });
            // Scores and the last move may hold the same words from before.
            let is_told_again = matches!(
                phrase.key,
                PhraseKey::ScoreWhite | PhraseKey::ScoreBlack | PhraseKey::LastMove
            );
            // Who does not seal, and says the same by chance, is asked about his own words.
            let is_by_other = matches!(
                input,
                Input::Heard {
                    origin: Origin::Microphone(Some(side)) | Origin::Console(Person::Player(side)),
                    ..
                } if *side != game.turn()
            );
            let is_own = is_by_other
                || is_by_writer(*channel, game, input)
                || *channel == Channel::Ear(game.turn())
                || is_told_again
                || is_table && !game.profile().sides[game.turn()].ear;
            if is_sealing && shows_sealed && !is_own {
                return Err(format!("the sealed move on {channel}"));
            }
        }
        Ok(())
    }

    /// Assistants end no game but by a flag; without duties they do nothing at all, and nobody but
    /// the arbiter rules.
    fn permissions(&self, game: &Game, input: &Input, effects: &[Effect]) -> Result<(), String> {
        let by_assistant = match input {
            Input::Act {
                person: Person::Assistant(side),
                ..
            }
            | Input::Heard {
                origin: Origin::Console(Person::Assistant(side)),
                ..
            }
            | Input::Pressed {
                means: Means::Key(Person::Assistant(side)),
                ..
            } => Some(*side),
            _ => None,
        };
        if let Some(side) = by_assistant {
            let end = effects.iter().find_map(|effect| match effect {
                Effect::Ended(ending) => ending.termination,
                _ => None,
            });
            if matches!(
                end,
                Some(
                    Termination::Resignation(_)
                        | Termination::ResignationDrawn(_)
                        | Termination::Agreement
                        | Termination::Threefold
                        | Termination::FiftyMoves
                )
            ) {
                return Err(format!("{side}'s assistant ended the game: {end:?}"));
            }
            let is_idle = game.profile().sides[side].duties.is_empty();
            if is_idle && game.plies() != self.plies {
                return Err(format!("{side}'s assistant made a move without a duty"));
            }
            if is_idle && game.running() != self.running && game.running().is_some() {
                return Err(format!("{side}'s assistant started a clock without a duty"));
            }
        }
        let rules = matches!(input, Input::Ruling(_));
        if rules && !game.profile().arbiter && game.plies() != self.plies {
            return Err("a ruling in a game without an arbiter".to_owned());
        }
        Ok(())
    }

    /// What has ended stays as it ended, unless whoever decides in this game decides otherwise
    /// (8.7): then the clocks stand, and no move is gained or lost.
    fn ends(
        &self,
        game: &Game,
        now: Moment,
        input: &Input,
        effects: &[Effect],
    ) -> Result<(), String> {
        for effect in effects {
            if let Effect::Ended(ending) = effect
                && game.ending() != Some(ending)
            {
                return Err("ended and not ended".to_owned());
            }
        }
        if self.phase != Phase::Ended {
            return Ok(());
        }
        let is_lifted = effects.iter().any(|effect| {
            matches!(effect, Effect::Say { phrase, .. } if phrase.key == PhraseKey::ResultLifted)
        });
        if is_lifted && game.profile().arbiter && !matches!(input, Input::Ruling(_)) {
            return Err(format!("a result was lifted without the arbiter, at {now}"));
        }
        let ended_again = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Ended(_)));
        let may_be_stopped = is_lifted && game.phase() == Phase::Stopped;
        let changed = game.phase() != Phase::Ended && !may_be_stopped
            || ended_again && !is_lifted
            || game.plies() != self.plies
            || game.running().is_some() && game.profile().clock == ClockKind::Program;
        if changed {
            return Err(format!("something happened after the end, at {now}"));
        }
        Ok(())
    }
}

/// Whose voice it was in a microphone of both is a guess: both hear who is asked before something
/// grave, and what is said when it is not answered with yes.
fn is_a_guess(game: &Game, key: PhraseKey) -> bool {
    let is_asked_back = matches!(
        key,
        PhraseKey::ConfirmResign
            | PhraseKey::ConfirmOffer
            | PhraseKey::ConfirmAccept
            | PhraseKey::ConfirmArbiter
            | PhraseKey::ConfirmClaim
            | PhraseKey::Dropped
    );
    is_asked_back && game.profile().microphones == Microphones::Shared
}

fn is_command(input: &Input, wanted: Command) -> bool {
    let Input::Heard { heard, .. } = input else {
        return false;
    };
    *heard == Heard::Clear(Said::Command(wanted))
}

/// A sealer's assistant who writes for him reads what he has written (D.2.10.6).
fn is_by_writer(channel: Channel, game: &Game, input: &Input) -> bool {
    let writer = Person::Assistant(game.turn());
    channel == Channel::Assistant(game.turn())
        && match input {
            Input::Act { person, .. } => *person == writer,
            Input::Heard { origin, .. } => *origin == Origin::Console(writer),
            _ => false,
        }
}
