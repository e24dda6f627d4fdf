//! The Laws on random input, against reckonings made apart from them: clocks, positions that
//! repeat, moves without a capture, claims and penalties.

use std::collections::HashMap;
use std::time::Duration;

use annexd::clock::Chessclock;
use annexd::laws::{
    ClaimCase, ClaimVerdict, DrawClaim, Edition, Fault, FaultRecord, GameType, LossOrDraw, Penalty,
    PositionKey, Supervision, Termination, appearances, decide_claim, is_fivefold, is_threefold,
    penalty,
};
use annexd::moment::Moment;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Position, Square};

/// A clock reckoned in whole milliseconds: two numbers and who runs.
#[derive(Clone, Debug)]
struct Reckoned {
    left: [u64; 2],
    delay: [u64; 2],
    spent: [u64; 2],
    fallen: [bool; 2],
    running: Option<usize>,
    at: u64,
    bonus: Extra,
}

#[derive(Clone, Copy, Debug)]
enum Extra {
    Increment(u64),
    Bronstein(u64),
    Delay(u64),
}

impl Reckoned {
    fn new(minutes: u64, bonus: Extra) -> Self {
        let first = match bonus {
            Extra::Increment(extra) => extra,
            _ => 0,
        };
        let delay = match bonus {
            Extra::Delay(extra) => extra,
            _ => 0,
        };
        Self {
            left: [minutes * 60_000 + first; 2],
            delay: [delay; 2],
            spent: [0; 2],
            fallen: [false; 2],
            running: None,
            at: 0,
            bonus,
        }
    }

    /// Lets time pass, millisecond by millisecond in effect.
    fn pass(&mut self, to: u64) {
        let elapsed = to - self.at;
        self.at = to;
        let Some(side) = self.running else { return };
        let free = elapsed.min(self.delay[side]);
        self.delay[side] -= free;
        self.spent[side] += elapsed;
        let counted = elapsed - free;
        if counted >= self.left[side] {
            self.left[side] = 0;
            self.fallen[side] = true;
        } else {
            self.left[side] -= counted;
        }
    }

    fn press(&mut self, side: usize) {
        if !self.fallen[side] {
            match self.bonus {
                Extra::Increment(extra) => self.left[side] += extra,
                Extra::Bronstein(most) => self.left[side] += most.min(self.spent[side]),
                Extra::Delay(extra) => self.delay[side] = extra,
            }
            self.spent[side] = 0;
        }
        self.running = Some(1 - side);
    }
}

fn index(side: Color) -> usize {
    side.fold_wb(0, 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Both faces agree with the reckoning after every press, to the millisecond, and while one
    /// runs the other stands.
    #[test]
    fn a_clock_keeps_its_arithmetic_and_never_runs_on_both_sides(
        minutes in 1u64..4,
        kind in 0usize..3,
        extra in 0u64..15_000,
        turns in prop::collection::vec((0u64..40_000, 0u8..10), 1..60),
    ) {
        let (text, bonus) = match kind {
            0 => (format!("{minutes}m+{}s", extra / 1000), Extra::Increment(extra / 1000 * 1000)),
            1 => (format!("{minutes}m+b{}s", extra / 1000), Extra::Bronstein(extra / 1000 * 1000)),
            _ => (format!("{minutes}m+d{}s", extra / 1000), Extra::Delay(extra / 1000 * 1000)),
        };
        let Ok(control) = text.parse() else { return Err(TestCaseError::reject(text)) };
        let mut clock = Chessclock::new(control);
        let mut reckoned = Reckoned::new(minutes, bonus);
        let mut now = 0;
        clock.start(Color::White, Moment::START);
        reckoned.running = Some(0);
        let mut side = Color::White;
        for (thought, what) in turns {
            now += thought;
            let at = Moment::from_ms(now);
            clock.check_flag(at);
            reckoned.pass(now);
            for of in Color::ALL {
                let left = clock.left(of, at);
                prop_assert_eq!(left.as_millis() as u64, reckoned.left[index(of)], "{} {}",
                    of, text);
                let has_fallen = clock.has_fallen(of);
                prop_assert_eq!(has_fallen, reckoned.fallen[index(of)], "flag of {} {}", of, text);
            }
            prop_assert_eq!(clock.running().map(index), reckoned.running);
            match what {
                0 => {
                    clock.stop(at);
                    reckoned.running = None;
                }
                1 if clock.running().is_none() => {
                    clock.start(side, at);
                    reckoned.running = Some(index(side));
                }
                _ if clock.running() == Some(side) => {
                    clock.press(side, at);
                    reckoned.press(index(side));
                    side = !side;
                }
                _ => {
                    clock.start(side, at);
                    reckoned.running = Some(index(side));
                }
            }
        }
    }

    /// Appearances, fifty moves and five appearances against strings that are counted.
    #[test]
    fn repetitions_and_quiet_moves_are_counted_right(
        choices in prop::collection::vec((any::<u8>(), any::<bool>()), 0..160),
    ) {
        let mut chess = Chess::default();
        let mut history = vec![PositionKey::of(&chess)];
        let mut counted: HashMap<String, usize> = HashMap::new();
        *counted.entry(written(&chess)).or_default() += 1;
        let mut quiet = 0u32;
        // The last move of the player who is to move, and that of his opponent.
        let (mut before, mut last) = (None, None);
        for (choice, goes_back) in choices {
            let legal = chess.legal_moves();
            if legal.is_empty() {
                break;
            }
            // Going back where one came from is what makes positions repeat.
            let back = before.and_then(|(from, to): (Square, Square)| {
                legal.iter().find(|m| m.from() == Some(to) && m.to() == from).copied()
            });
            let played = back.filter(|_| goes_back)
                .unwrap_or(legal[usize::from(choice) % legal.len()]);
            let is_quiet = !played.is_capture() && played.role() != shakmaty::Role::Pawn;
            quiet = if is_quiet { quiet + 1 } else { 0 };
            let own = played.from().map(|from| (from, played.to()));
            before = std::mem::replace(&mut last, own);
            chess.play_unchecked(played);
            history.push(PositionKey::of(&chess));
            let count = {
                let count = counted.entry(written(&chess)).or_default();
                *count += 1;
                *count
            };
            prop_assert_eq!(appearances(&history).len(), count);
            prop_assert_eq!(is_threefold(&history), count >= 3);
            for edition in Edition::ALL {
                let any = matches!(edition, Edition::E2017July | Edition::E2018 | Edition::E2023);
                let fifth = is_fivefold(edition.rules(), &history);
                prop_assert!(!fifth || count >= 5, "{}", edition);
                prop_assert!(!any || fifth == (count >= 5), "{}", edition);
            }
            for (claim, right) in [
                (DrawClaim::Repetition, count >= 3),
                (DrawClaim::FiftyMoves, quiet >= 100),
            ] {
                let verdict = decide_claim(&ClaimCase {
                    rules: Edition::E2023.rules(),
                    game_type: GameType::Standard,
                    claim,
                    history: &history,
                    position: &chess,
                    quiet_plies: chess.halfmoves(),
                    intended: None,
                    claimant_left: Duration::from_secs(600),
                });
                let is_correct = matches!(verdict, ClaimVerdict::Correct { .. });
                prop_assert_eq!(is_correct, right, "{:?} after {} quiet plies", claim, quiet);
            }
        }
    }

    /// The same faults in the same order cost what a reckoning apart from the data says.
    #[test]
    fn penalties_add_up_as_the_edition_says(
        edition in prop::sample::select(Edition::ALL.to_vec()),
        game in prop::sample::select(GameType::ALL.to_vec()),
        is_supervised in any::<bool>(),
        faults in prop::collection::vec(0usize..3, 1..5),
    ) {
        let supervision = match is_supervised {
            true => Supervision::Adequate,
            false => Supervision::Inadequate,
        };
        let rules = edition.rules();
        let mut record = FaultRecord::default();
        let mut counts = [0u32; 3];
        for (number, kind) in faults.into_iter().enumerate() {
            let fault = [
                Fault::IllegalMove,
                Fault::TwoHands { pressed: true },
                Fault::PressWithoutMove,
            ][kind];
            let number = number as u32 + 1;
            let found = penalty(rules, (game, supervision), &record, (number, fault),
                Color::White, Some(&Chess::default()));
            let counts_as_illegal = match fault {
                Fault::IllegalMove => true,
                _ => edition >= Edition::E2017July,
            };
            if counts_as_illegal {
                record.note(number, fault);
                counts[kind] += 1;
                let reckoned = if edition == Edition::E2017July {
                    counts[kind]
                } else {
                    counts.iter().sum()
                };
                let (limit, minutes) = sanction(edition, game, is_supervised);
                if reckoned >= limit {
                    let lost = matches!(found, Penalty::GameOver {
                        end: LossOrDraw::Ended(Termination::IllegalMoves(Color::White)), ..
                    });
                    prop_assert!(lost, "{} {}: {:?}", edition, number, found);
                    break;
                }
                let is_right = matches!(found, Penalty::OpponentGains { time, .. }
                    if time == Duration::from_secs(60 * minutes));
                prop_assert!(is_right, "{} {}: {:?}", edition, number, found);
            } else {
                let is_left = matches!(found, Penalty::ArbiterChooses(_) | Penalty::NotAFault);
                prop_assert!(is_left, "{} {}: {:?}", edition, number, found);
            }
        }
    }
}

/// At which illegal move a game is lost, and the minutes for each before it: from the matrix of
/// the editions, not from the data.
fn sanction(edition: Edition, game: GameType, is_supervised: bool) -> (u32, u64) {
    use Edition::{E2001, E2009, E2014, E2017July, E2018, E2023};
    match (edition, game, is_supervised) {
        (E2001, GameType::Blitz, _) | (E2009, GameType::Blitz, false) => (1, 0),
        (E2001 | E2009, _, _) => (3, 2),
        (E2014 | E2017July, GameType::Rapid | GameType::Blitz, false) => (1, 0),
        (E2018, GameType::Rapid, _) => (2, 2),
        (E2014 | E2017July, GameType::Rapid, true) => (2, 2),
        (_, GameType::Blitz, _) => (2, 1),
        (E2023, GameType::Rapid, _) => (2, 1),
        (_, GameType::Standard, _) => (2, 2),
    }
}

/// Placement, turn, castling rights and a legal capture en passant, as a FEN writes them.
fn written(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}
