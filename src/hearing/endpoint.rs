//! Detects when an utterance begins and ends.
//!
//! A pure state machine over blocks of 20 ms. How long a silence must last depends on how complete
//! the words are ([`Completeness`]), which is a matter of the words alone: a legal and an illegal
//! announcement are decided after the same silence.

use annexd_laws::notation::Completeness;

/// The length of one block, in milliseconds.
pub const BLOCK_MS: u32 = 20;

/// How long a silence must last, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// After a complete announcement that only "Schach" can follow.
    pub finished: u32,
    /// After something that is no announcement.
    pub nothing: u32,
    /// After something complete that may go on.
    pub may_go_on: u32,
    /// After a part of a move that may be complete.
    pub part: u32,
    /// After a piece alone, which is hardly ever complete.
    pub piece: u32,
    /// Inside an announcement.
    pub unfinished: u32,
    /// The longest utterance.
    pub longest: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            finished: 140,
            nothing: 500,
            may_go_on: 820,
            part: 1_400,
            piece: 1_800,
            unfinished: 2_000,
            longest: 10_000,
        }
    }
}

impl Patience {
    /// The silence needed after these words, given the longest pause inside them.
    fn after(&self, completeness: Completeness, paused: u32) -> u32 {
        match completeness {
            Completeness::Finished => self.finished,
            Completeness::Nothing => self.nothing,
            Completeness::MayGoOn => self.may_go_on,
            Completeness::Part => self.part.max(paused + HESITATION).min(self.unfinished),
            Completeness::Piece => self.piece,
            Completeness::Unfinished => self.unfinished,
        }
    }
}

/// The silences after which possibly complete words are looked at, in milliseconds. A sound too
/// soft to stand out may still belong to the last of them.
const EARLY_LOOKS: [u32; 2] = [140, 220];

/// How long before the end of the needed silence the words are recognised to the end, so that
/// nothing is left to compute then.
const AHEAD: u32 = 120;

/// How long sound in noise goes on before the words are looked at, in milliseconds.
const FIRST_LOOK: u32 = 2_000;

/// The time between two further looks, in milliseconds.
const LOOK_EVERY: u32 = 500;

/// How much longer than in silence words must stay the same while the noise goes on, in
/// milliseconds.
const NOISE_MARGIN: u32 = 160;

/// How much longer a silence must be in noise, in which soft sounds are lost, in milliseconds.
const CARE: u32 = 260;

/// How much longer a speaker who has paused inside a move may pause the next time, in milliseconds.
const HESITATION: u32 = 700;

/// How many blocks of sound in a row begin an utterance.
const ONSET: u32 = 2;

/// What to do after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterBlock {
    /// Nothing: no utterance is in progress.
    Rest,
    /// Nothing: an utterance is in progress.
    Go,
    /// Check how complete the words are, and report it to [`Endpointer::looked`].
    Look,
    /// Recognise the words to the end: without more sound the utterance is over soon.
    Prepare,
    /// The utterance is over.
    End,
}

/// Finds the utterances in a stream of blocks.
#[derive(Debug)]
pub struct Endpointer {
    patience: Patience,
    state: State,
}

#[derive(Debug)]
enum State {
    Quiet { sounding: u32 },
    Speaking(Speaking),
}

/// A state in which somebody speaks. All times are in milliseconds.
#[derive(Debug, Default)]
struct Speaking {
    lasted: u32,
    quiet: u32,
    /// The longest silence inside the utterance.
    paused: u32,
    looked_at: u32,
    /// The silence that the last words looked at need.
    needed: Option<u32>,
    is_prepared: bool,
}

impl Endpointer {
    /// The state before anything is heard.
    pub const fn new(patience: Patience) -> Self {
        Self {
            patience,
            state: State::Quiet { sounding: 0 },
        }
    }

    /// Whether an utterance is in progress.
    pub const fn is_under_way(&self) -> bool {
        matches!(self.state, State::Speaking(_))
    }

    /// Takes a block. `stands_out` tells whether it has more than the room's noise, `is_noisy`
    /// whether noise may hide the silence that ends the utterance.
    pub fn block(&mut self, stands_out: bool, is_noisy: bool) -> AfterBlock {
        match &mut self.state {
            State::Quiet { sounding } => {
                *sounding = if stands_out { *sounding + 1 } else { 0 };
                if *sounding < ONSET {
                    return AfterBlock::Rest;
                }
                self.state = State::Speaking(Speaking {
                    lasted: ONSET * BLOCK_MS,
                    ..Speaking::default()
                });
                AfterBlock::Go
            }
            State::Speaking(speaking) => {
                speaking.lasted += BLOCK_MS;
                if stands_out {
                    speaking.paused = speaking.paused.max(speaking.quiet);
                    speaking.quiet = 0;
                    speaking.needed = None;
                    speaking.is_prepared = false;
                } else {
                    speaking.quiet += BLOCK_MS;
                }
                if speaking.quiet > self.patience.unfinished
                    || speaking.lasted >= self.patience.longest
                {
                    return self.end();
                }
                let is_due = is_noisy
                    && speaking.lasted >= FIRST_LOOK
                    && speaking.lasted >= speaking.looked_at + LOOK_EVERY;
                if speaking.is_prepared {
                    return match speaking.needed {
                        Some(needed) if speaking.quiet < needed => AfterBlock::Go,
                        _ => self.end(),
                    };
                }
                let is_late = speaking
                    .needed
                    .is_some_and(|needed| speaking.quiet + AHEAD >= needed);
                if EARLY_LOOKS.contains(&speaking.quiet) || is_late || is_due {
                    speaking.looked_at = speaking.lasted;
                    return AfterBlock::Look;
                }
                AfterBlock::Go
            }
        }
    }

    /// Takes how complete the words are, how long they have been the same, in milliseconds, and
    /// whether they were said in noise.
    pub fn looked(
        &mut self,
        completeness: Completeness,
        unchanged: u32,
        is_noisy: bool,
    ) -> AfterBlock {
        let State::Speaking(speaking) = &mut self.state else {
            return AfterBlock::Rest;
        };
        let care = if is_noisy { CARE } else { 0 };
        let needed = self.patience.after(completeness, speaking.paused) + care;
        let is_silent = speaking.quiet >= needed;
        let words_are_over =
            completeness != Completeness::Nothing && unchanged >= needed + NOISE_MARGIN;
        let is_noise =
            completeness == Completeness::Nothing && speaking.lasted >= self.patience.longest / 3;
        if is_silent || words_are_over || is_noise {
            return self.end();
        }
        speaking.needed = Some(needed);
        speaking.is_prepared = speaking.quiet + AHEAD >= needed;
        if speaking.is_prepared {
            return AfterBlock::Prepare;
        }
        AfterBlock::Go
    }

    /// Ends the utterance, whatever the silence. Returns whether there was one.
    pub fn end_now(&mut self) -> bool {
        let was_under_way = self.is_under_way();
        self.end();
        was_under_way
    }

    fn end(&mut self) -> AfterBlock {
        self.state = State::Quiet { sounding: 0 };
        AfterBlock::End
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of silent blocks after 600 ms of speech until the end; `None` if there is no end
    /// in 3 s.
    fn silence_until_end(completeness: Completeness) -> Option<u32> {
        let mut endpointer = Endpointer::new(Patience::default());
        for _ in 0..30 {
            endpointer.block(true, false);
        }
        for block in 1..150 {
            let step = match endpointer.block(false, false) {
                AfterBlock::Look => endpointer.looked(completeness, 0, false),
                step => step,
            };
            if step == AfterBlock::End {
                return Some(block * BLOCK_MS);
            }
        }
        None
    }

    #[test]
    fn the_silence_needed_depends_on_the_words() {
        assert_eq!(silence_until_end(Completeness::Finished), Some(140));
        assert_eq!(silence_until_end(Completeness::Nothing), Some(500));
        assert_eq!(silence_until_end(Completeness::MayGoOn), Some(820));
        assert_eq!(silence_until_end(Completeness::Part), Some(1_400));
        assert_eq!(silence_until_end(Completeness::Piece), Some(1_800));
        assert_eq!(silence_until_end(Completeness::Unfinished), Some(2_000));
    }

    #[test]
    fn who_paused_inside_a_move_is_waited_for_longer() {
        let mut endpointer = Endpointer::new(Patience::default());
        let mut silent = |blocks: u32| {
            for _ in 0..30 {
                endpointer.block(true, false);
            }
            (1..=blocks).find(|_| {
                let step = match endpointer.block(false, false) {
                    AfterBlock::Look => endpointer.looked(Completeness::Part, 0, false),
                    step => step,
                };
                step == AfterBlock::End
            })
        };
        assert_eq!(silent(60), None);
        assert_eq!(silent(150), Some(95));
    }

    #[test]
    fn a_click_is_no_utterance_and_a_pause_does_not_end_one() {
        let mut endpointer = Endpointer::new(Patience::default());
        assert_eq!(endpointer.block(true, false), AfterBlock::Rest);
        assert_eq!(endpointer.block(false, false), AfterBlock::Rest);
        for _ in 0..10 {
            endpointer.block(true, false);
        }
        for _ in 0..60 {
            if endpointer.block(false, false) == AfterBlock::Look {
                assert_eq!(
                    endpointer.looked(Completeness::Unfinished, 0, false),
                    AfterBlock::Go
                );
            }
        }
        assert_eq!(endpointer.block(true, false), AfterBlock::Go);
    }

    #[test]
    fn in_steady_noise_the_words_end_an_utterance() {
        let mut endpointer = Endpointer::new(Patience::default());
        let mut looks = 0;
        for _ in 0..200 {
            if endpointer.block(true, true) == AfterBlock::Look {
                looks += 1;
                let unchanged = if looks < 3 { 0 } else { 500 };
                if endpointer.looked(Completeness::Finished, unchanged, false) == AfterBlock::End {
                    assert_eq!(looks, 3);
                    return;
                }
            }
        }
        panic!("the utterance never ended");
    }

    #[test]
    fn no_utterance_lasts_for_ever() {
        let mut endpointer = Endpointer::new(Patience::default());
        let ended = (0..600).any(|_| match endpointer.block(true, false) {
            AfterBlock::Look => {
                endpointer.looked(Completeness::Unfinished, 0, false) == AfterBlock::End
            }
            step => step == AfterBlock::End,
        });
        assert!(ended);
    }
}
