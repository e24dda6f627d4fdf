//! The clock times of a kept game or a third score, and whether they belong to the compared scores.

use crate::discrepancy::{
    Alternative, ByOwner, Case, ClockTimes, Owner, ReconcileReport, Verdict, allotted, reconcile,
};
use crate::game::Game;
use crate::score::{Meaning, Score, Standing};
use serde::Serialize;
use shakmaty::{Color, Setup};

/// Openings are often repeated: agreement over this few plies does not make two records one game.
const OPENING: usize = 20;

/// Clock times, and the moves at which they were logged.
pub(super) struct ClockLog {
    moves: Score,
    pub(super) times: Vec<ClockTimes>,
}

/// How a clock log relates to the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Belonging {
    pub(super) belongs: bool,
    /// Up to this ply its moves agree with one of the scores, entry for entry, or with the game
    /// that both record, whatever is wrong in them.
    pub(super) agreed_ply: usize,
    /// Whether it is a log of this game, even if its moves do not reach far enough.
    #[serde(skip)]
    pub(super) is_of_this_game: bool,
}

/// The positions that a log confirms.
pub(super) struct Confirmed {
    logged: Vec<Standing>,
    /// How many of them can be used.
    count: usize,
}

impl Confirmed {
    /// The last usable ply.
    fn ply(&self) -> usize {
        self.count.saturating_sub(1)
    }

    /// Whether the log has this position after this many plies, and all before it.
    fn reaches(&self, ply: usize, fen: &str) -> bool {
        let standing = self.logged.get(ply).filter(|_| ply < self.count);
        standing.is_some_and(|standing| without_counters(&standing.fen()) == without_counters(fen))
    }

    /// Whether the log has this position after this many plies, or every position that an
    /// explanation assumes on the way to it.
    fn reaches_by(&self, other: &Alternative) -> bool {
        let logged = self.logged.iter().skip(1);
        let both = logged.zip(other.positions());
        let same = both.take_while(|(one, other)| one.key() == other.key());
        self.reaches(other.ply, &other.fen) || other.ply > 0 && same.count() == other.ply
    }

    /// Removes times that do not belong to their positions. Returns whether the verdict's position
    /// has lost its times.
    pub(super) fn keep_only_in(&self, report: &mut ReconcileReport) -> bool {
        for other in &mut report.alternatives {
            if !self.reaches_by(other) {
                other.clocks = None;
            }
        }
        let is_lost = report.clocks.is_some() && !self.reaches(report.ply, &report.position.fen);
        if is_lost {
            report.clocks = None;
        }
        is_lost
    }
}

impl ClockLog {
    /// The log of a kept game.
    pub(super) fn of_game(game: &Game) -> Self {
        let scores = Color::ALL.map(|side| game.score(side));
        let longest = scores.into_iter().max_by_key(|it| it.entries().len());
        Self {
            moves: longest.cloned().unwrap_or_else(|| Score::new(None)),
            times: game.clock_log(),
        }
    }

    /// The times written in a score.
    pub(super) fn of_score(score: Score) -> Self {
        Self {
            times: clock_times(&score),
            moves: score,
        }
    }

    /// Compares its moves with those of both scores. `report` tells how far these agree.
    pub(super) fn belonging(
        &self,
        scores: &ByOwner<&Score>,
        start: Option<&Setup>,
        report: &ReconcileReport,
    ) -> Belonging {
        let length = |score: &Score| score.entries().len();
        let longest = Owner::BOTH.map(|owner| length(scores.get(owner)));
        let longest = longest.into_iter().max().unwrap_or_default();
        let needed = report.agreed_ply.max(OPENING);
        let needed = needed.min(length(&self.moves)).min(longest);
        let aligned = Owner::BOTH.map(|owner| self.agreed_ply(scores.get(owner), start));
        let aligned = aligned.into_iter().max().unwrap_or_default();
        let agreed_ply = self.confirmed(scores, start, report).ply();
        // If a row is missing, later times belong to other moves.
        let is_in_step = agreed_ply >= report.ply.min(length(&self.moves));
        let is_of_this_game = aligned >= needed;
        Belonging {
            belongs: is_of_this_game && is_in_step,
            agreed_ply,
            is_of_this_game,
        }
    }

    /// The positions up to which one of the scores, or the game that both record with faults, has
    /// the same positions in order. Only the log's entries tell to which move a time belongs, so
    /// nothing is guessed.
    pub(super) fn confirmed(
        &self,
        scores: &ByOwner<&Score>,
        start: Option<&Setup>,
        report: &ReconcileReport,
    ) -> Confirmed {
        let given = || start.cloned().unwrap_or_else(|| scores.player.start());
        let own = self.moves.start_fen().map(|_| self.moves.start());
        let logged = played(&self.moves, own.unwrap_or_else(given));
        let recorded = Owner::BOTH.map(|owner| played(scores.get(owner), given()));
        let [player, opponent] = recorded.each_ref().map(|all| all.iter().collect());
        let paths: [Vec<&Standing>; 3] = [player, opponent, report.positions().collect()];
        let agreed = paths.iter().map(|path| {
            let both = logged.iter().zip(path);
            both.take_while(|(one, other)| one.key() == other.key())
                .count()
        });
        let count = agreed.max().unwrap_or_default();
        Confirmed { logged, count }
    }

    /// The last ply up to which its moves and a score record the same game.
    fn agreed_ply(&self, score: &Score, start: Option<&Setup>) -> usize {
        let report = reconcile(&Case {
            scores: ByOwner {
                player: &self.moves,
                opponent: score,
            },
            boards: ByOwner::default(),
            start: start.cloned(),
            clock_log: &[],
        });
        let is_one = |verdict| matches!(verdict, Verdict::Same | Verdict::Shorter);
        let others = report.alternatives.iter();
        // Faults in either shift the plies. If it is one game, it is so to the end of the shorter
        // record.
        if is_one(report.verdict) || others.clone().any(|it| is_one(it.verdict)) {
            let both = [&self.moves, score].map(|it| it.entries().len());
            return both.into_iter().min().unwrap_or_default();
        }
        others
            .map(|it| it.agreed_ply)
            .chain([report.agreed_ply])
            .max()
            .unwrap_or_default()
    }
}

/// The positions of a score from the start, as long as every entry is exactly one legal move.
fn played(score: &Score, start: Setup) -> Vec<Standing> {
    let mut standing = Standing::of(start);
    let mut all = vec![standing.clone()];
    for entry in score.entries() {
        let Meaning::Legal(played) = standing.read(entry) else {
            break;
        };
        standing = standing.after(played);
        all.push(standing.clone());
    }
    all
}

/// The fields of a FEN without its counters.
fn without_counters(fen: &str) -> Vec<&str> {
    fen.split(' ').take(4).collect()
}

/// The times in a score as times of both players after each ply. If there are times beside the
/// moves, a side has its allotted time before its first move.
fn clock_times(score: &Score) -> Vec<ClockTimes> {
    let mut first_two = score.entries().iter().take(2);
    let at_first = allotted(score)
        .filter(|_| first_two.all(|entry| entry.clock.is_some()))
        .and_then(|left| u64::try_from(left.as_millis()).ok());
    let mut times = ClockTimes {
        ply: 0,
        white_ms: at_first,
        black_ms: at_first,
    };
    let mut mover = score.start().turn;
    let mut log: Vec<ClockTimes> = at_first.map(|_| times).into_iter().collect();
    for (ply, entry) in score.entries().iter().enumerate() {
        times.ply = ply + 1;
        if let Some(left) = entry.clock {
            let left = u64::try_from(left.as_millis()).ok();
            if mover.is_white() {
                times.white_ms = left;
            } else {
                times.black_ms = left;
            }
            log.push(times);
        }
        mover = !mover;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::read_score;

    const GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 \
                        O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5";

    fn belonging(log: &str, player: &str, opponent: &str) -> Belonging {
        let [log, player, opponent] =
            [log, player, opponent].map(|sheet| read_score(sheet, None, 1).unwrap().score);
        let scores = ByOwner {
            player: &player,
            opponent: &opponent,
        };
        let report = reconcile(&Case {
            scores: ByOwner { ..scores },
            boards: ByOwner::default(),
            start: None,
            clock_log: &[],
        });
        ClockLog::of_score(log).belonging(&scores, None, &report)
    }

    #[test]
    fn before_its_first_move_a_side_has_what_the_time_control_gives() {
        let log = |tag: &str, moves: &str| {
            let game = format!("[TimeControl \"{tag}\"]\n\n{moves} *\n");
            clock_times(&read_score(&game, None, 1).unwrap().score)
        };
        let both = "1. e4 {[%clk 1:30:20]} e5 {[%clk 1:29:50]}";
        let found = log("5400+30", both);
        let shown: Vec<_> = found
            .iter()
            .map(|it| (it.ply, it.white_ms, it.black_ms))
            .collect();
        let (start, white, black) = (Some(5_430_000), Some(5_420_000), Some(5_390_000));
        assert_eq!(
            shown,
            [(0, start, start), (1, white, start), (2, white, black)]
        );
        let unknown = log("?", both);
        assert_eq!(
            unknown.first().map(|it| (it.ply, it.black_ms)),
            Some((1, None))
        );
        // A player without a time beside his first move may have moved long ago.
        let one_sided = log(
            "5400+30",
            "1. e4 {[%clk 1:30:20]} e5 2. d4 {[%clk 1:29:00]}",
        );
        assert!(
            one_sided
                .iter()
                .all(|it| it.ply > 0 && it.black_ms.is_none())
        );
    }

    #[test]
    fn the_log_of_the_game_belongs_to_its_sheets_whatever_is_wrong_in_them() {
        for (player, opponent) in [
            (GAME, GAME),
            ("1. e4 e5", GAME),
            (GAME, &GAME.replace("8. c3 O-O", "8. d4 O-O")),
            (&GAME.replace("6. Re1 b5", ""), GAME),
            (&GAME.replace("3. Bb5", "3. Bc4"), GAME),
        ] {
            for log in [GAME, "1. e4 e5 2. Nf3 Nc6"] {
                let told = belonging(log, player, opponent);
                assert!(told.belongs, "{player}\n{opponent}\n{told:?}");
            }
        }
    }

    #[test]
    fn the_log_of_another_game_does_not_belong_though_the_opening_is_the_same() {
        let other = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Qe2 b5 7. Bb3 O-O 8. c3 \
                     d5 9. d3 Re8 10. Re1 h6 11. Nbd2 Bf8 12. Nf1 Bb7";
        for (player, opponent) in [
            (GAME, GAME),
            ("1. e4 e5", GAME),
            (GAME, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 d6"),
            (&GAME.replace("8. c3", "8. d4"), GAME),
        ] {
            let told = belonging(other, player, opponent);
            assert_eq!((told.belongs, told.agreed_ply), (false, 10), "{player}");
        }
        let told = belonging("1. d4 d5 2. c4", GAME, GAME);
        assert_eq!((told.belongs, told.agreed_ply), (false, 0));
    }
}
