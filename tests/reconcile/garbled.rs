//! Entries that a hand or a scan has spoilt just where the scores differ, and the same in one game:
//! what is left of them tells which move was written.

use std::collections::BTreeMap;

use annexd_score::discrepancy::{ByOwner, Case, ReconcileReport, Verdict, reconcile};
use annexd_score::{Entry, Meaning, Notated, Score, read_score};
use shakmaty::san::San;
use shakmaty::{Move, Square};

use super::alike::compared;
use super::games::{Dice, classics, random_game, real_games};
use super::hunted::{going_on, position_after, standing_at};
use super::meanings::place;
use super::oracle::Outcome;
use super::sheets::written;
use super::{found, is_listed};

/// What has become of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spoilt {
    /// One sign looks like another.
    Alike,
    /// Two do.
    TwoAlike,
    /// One is another.
    Other,
    /// One cannot be read.
    Blot,
    /// One is not there.
    Lost,
    /// One is a sign of no score.
    Junk,
    /// All but one are.
    Scrawl,
    /// The last cannot be read, and no more is there.
    Half,
    /// Two stand in each other's place.
    Swapped,
    /// Nothing can be read.
    Unread,
    /// The same piece goes to some other square, as it says.
    Elsewhere,
}

const SPOILT: [Spoilt; 11] = [
    Spoilt::Alike,
    Spoilt::TwoAlike,
    Spoilt::Other,
    Spoilt::Blot,
    Spoilt::Lost,
    Spoilt::Junk,
    Spoilt::Scrawl,
    Spoilt::Half,
    Spoilt::Swapped,
    Spoilt::Unread,
    Spoilt::Elsewhere,
];

/// How people and scans misread signs: each with what it becomes.
const MISREAD: [(char, &str); 30] = [
    ('1', "7lI|i"),
    ('2', "7zZ?"),
    ('3', "85B"),
    ('4', "9yuA"),
    ('5', "S6s3"),
    ('6', "b5G8"),
    ('7', "1T?t"),
    ('8', "B36&"),
    ('a', "odu@"),
    ('b', "6hlk"),
    ('c', "eo("),
    ('d', "aclo"),
    ('e', "ca("),
    ('f', "ft+t"),
    ('g', "9qyj"),
    ('h', "bnkl"),
    ('N', "MHWV"),
    ('B', "R8EP"),
    ('R', "KPB"),
    ('Q', "O0DG"),
    ('K', "RXHk"),
    ('D', "O0P"),
    ('T', "7FI"),
    ('L', "1Ic"),
    ('S', "5$8"),
    ('C', "GO("),
    ('F', "PTE"),
    ('P', "FRD"),
    ('O', "0QDo"),
    ('0', "OoD"),
];

const JUNK: [char; 12] = ['q', '~', 'w', 'm', '/', 'p', 'j', 'v', '&', 'u', '%', 'y'];

/// Signs that stand in scores.
const OTHERS: &str = "abcdefgh12345678";

fn spoil(dice: &mut Dice, word: &str, how: Spoilt) -> Option<String> {
    let mut signs: Vec<char> = word.chars().collect();
    let at = dice.below(signs.len());
    let misread = |dice: &mut Dice, sign: char| {
        let (_, looks) = MISREAD.iter().find(|(known, _)| *known == sign)?;
        let looks: Vec<char> = looks.chars().collect();
        dice.choose(&looks).copied()
    };
    match how {
        Spoilt::Alike => signs[at] = misread(dice, signs[at])?,
        Spoilt::TwoAlike => {
            let other = (at + 1 + dice.below(signs.len() - 1)) % signs.len();
            signs[at] = misread(dice, signs[at])?;
            signs[other] = misread(dice, signs[other])?;
        }
        Spoilt::Other => signs[at] = OTHERS.chars().nth(dice.below(16))?,
        Spoilt::Blot => signs[at] = '?',
        Spoilt::Lost => {
            signs.remove(at);
        }
        Spoilt::Junk => signs[at] = JUNK[dice.below(JUNK.len())],
        Spoilt::Scrawl => {
            for (place, sign) in signs.iter_mut().enumerate() {
                if place != at {
                    *sign = JUNK[dice.below(JUNK.len())];
                }
            }
        }
        Spoilt::Half => {
            signs.truncate(signs.len() - 1 - dice.below(2));
            signs.push('?');
        }
        Spoilt::Swapped => {
            let last = signs.len() - 1;
            signs.swap(at, if at == last { last - 1 } else { at + 1 });
        }
        Spoilt::Unread => {
            signs = dice
                .choose(&["???", "?_?", "~~~", "xyz"])?
                .chars()
                .collect();
        }
        Spoilt::Elsewhere => {
            let piece = signs.first().copied().filter(|it| it.is_ascii_uppercase());
            let square = Square::new(dice.below(64) as u32).to_string();
            signs = piece.into_iter().chain(square.chars()).collect();
        }
    }
    let spoilt: String = signs.into_iter().collect();
    (spoilt != word && !spoilt.is_empty()).then_some(spoilt)
}

/// A pair, and what is true of it.
pub(super) struct Garbled {
    scores: [Score; 2],
    spoilt: Spoilt,
    pub(super) sheets: [String; 2],
    word: String,
    truth: Outcome,
    /// How many entries stand behind it on its sheet.
    behind: usize,
}

fn score_of(game: &[Move]) -> Score {
    let mut score = Score::new(None);
    for (at, &played) in game.iter().enumerate() {
        let san = San::from_move(&position_after(&game[..at]), played);
        score.record(Entry::new(Notated::of_san(san))).unwrap();
    }
    score
}

/// The sheet with another word at a ply.
fn with_word(sheet: &str, ply: usize, word: impl FnOnce(&str) -> Option<String>) -> Option<String> {
    let mut lines: Vec<String> = sheet.lines().map(str::to_owned).collect();
    let line = lines.get_mut(ply / 2)?;
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let place = words.get_mut(1 + ply % 2)?;
    *place = word(place)?;
    *line = words.join(" ");
    Some(lines.join("\n"))
}

/// One pair by a number: with a difference at the spoilt entry, or one game.
pub(super) fn pair(real: &[Vec<Move>], number: u64, differ: bool) -> Garbled {
    let mut dice = Dice::new(number);
    loop {
        let game = match dice.below(4) {
            0 => random_game(&mut dice, 80),
            _ => dice.choose(real).cloned().unwrap_or_default(),
        };
        if game.len() < 16 {
            continue;
        }
        let ply = 4 + dice.below(game.len().min(90) - 8);
        if let Some(made) = made(&mut dice, &game, ply, differ) {
            return made;
        }
    }
}

fn made(dice: &mut Dice, game: &[Move], ply: usize, differ: bool) -> Option<Garbled> {
    let mut games = [game.to_vec(), game.to_vec()];
    let whose = dice.below(2);
    if differ {
        games[whose] = going_on(dice, game, ply, None);
        if games[whose].len() <= ply {
            return None;
        }
    }
    // In every third pair the sheet ends at the entry or soon behind it.
    if dice.below(3) == 0 {
        games[whose].truncate(ply + 1 + dice.below(3));
    }
    if dice.below(4) == 0 {
        games[1 - whose].truncate(ply + 1 + dice.below(5));
    }
    let scores = [0, 1].map(|of| score_of(&games[of]));
    let (other, their_letters) = written(dice, &scores[1 - whose], 0);
    let (sheet, letters) = written(dice, &scores[whose], 0);
    let how = SPOILT[dice.below(SPOILT.len())];
    let mut word = String::new();
    let spoilt = with_word(&sheet, ply, |plain| {
        word = spoil(dice, plain, how)?;
        Some(word.clone())
    })?;
    let read = |sheet: &str, letters: &str| {
        let read = read_score(sheet, Some(letters.parse().unwrap()), 1);
        read.ok().map(|read| read.score)
    };
    let own = read(&spoilt, letters)?;
    let theirs = read(&other, their_letters)?;
    // It has to be one entry still, and no legal move.
    let is_one = own.entries().len() == games[whose].len()
        && theirs.entries().len() == games[1 - whose].len();
    let standing = standing_at(&game[..ply]);
    let reading = own.entries().get(ply).map(|entry| standing.read(entry));
    if !is_one || matches!(reading, None | Some(Meaning::Legal(_))) {
        return None;
    }
    let truth = if differ {
        Outcome::Back(ply, place(&standing))
    } else {
        let longer = &games[usize::from(games[1].len() > games[0].len())];
        Outcome::OneGame(longer.len(), place(&standing_at(longer)))
    };
    let mut scores = [own, theirs];
    let mut sheets = [spoilt, other];
    if whose == 1 {
        scores.swap(0, 1);
        sheets.swap(0, 1);
    }
    Some(Garbled {
        scores,
        spoilt: how,
        sheets,
        word,
        truth,
        behind: games[whose].len() - ply - 1,
    })
}

/// How pairs came out.
#[derive(Clone, Copy, Default)]
struct Came {
    right: usize,
    listed: usize,
    unlisted: usize,
    agree: usize,
    wrong: usize,
}

impl Came {
    fn of(pair: &Garbled) -> Self {
        let report = report_on(pair);
        let mut came = Self::default();
        let is_agreed = matches!(report.verdict, Verdict::Same | Verdict::Shorter);
        if report.verdict == Verdict::Ambiguous {
            if is_listed(&report, &pair.truth) {
                came.listed += 1;
            } else {
                came.unlisted += 1;
            }
        } else if found(&report) == pair.truth {
            came.right += 1;
        } else if is_agreed {
            came.agree += 1;
        } else {
            came.wrong += 1;
        }
        came
    }

    const fn add(&mut self, other: Self) {
        self.right += other.right;
        self.listed += other.listed;
        self.unlisted += other.unlisted;
        self.agree += other.agree;
        self.wrong += other.wrong;
    }

    const fn all(&self) -> usize {
        self.right + self.listed + self.unlisted + self.agree + self.wrong
    }
}

fn report_on(pair: &Garbled) -> ReconcileReport {
    let [player, opponent] = &pair.scores;
    reconcile(&Case {
        scores: ByOwner { player, opponent },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    })
}

fn counted(real: &[Vec<Move>], first: u64, count: u64, differ: bool) -> Came {
    let mut by_kind: BTreeMap<String, Came> = BTreeMap::new();
    let mut total = Came::default();
    for number in first..first + count {
        let pair = pair(real, number, differ);
        let came = Came::of(&pair);
        if came.agree + came.wrong > 0 {
            kept(number, &pair);
        }
        total.add(came);
        let behind = match pair.behind {
            0 => "last",
            1..=2 => "soon over",
            _ => "goes on",
        };
        for name in [format!("{:?}", pair.spoilt), behind.to_owned()] {
            by_kind.entry(name).or_default().add(came);
        }
    }
    for (name, came) in by_kind
        .iter()
        .map(|(name, came)| (name.as_str(), came))
        .chain([("all", &total)])
    {
        eprintln!(
            "{name}: {} right, {} ambiguous with it, {} without, {} agree, {} else, of {}",
            came.right,
            came.listed,
            came.unlisted,
            came.agree,
            came.wrong,
            came.all()
        );
    }
    total
}

fn kept(number: u64, pair: &Garbled) {
    let Ok(folder) = std::env::var("ANNEXD_PAIRS_KEPT") else {
        return;
    };
    let report = report_on(pair);
    let folder = std::path::Path::new(&folder);
    let truth = format!(
        "{:?} \"{}\" {:?} behind {}, found {:?} {}\n{:?}\n",
        pair.spoilt, pair.word, pair.truth, pair.behind, report.verdict, report.ply, report.faults
    );
    std::fs::write(folder.join(format!("{number}-truth.txt")), truth).unwrap();
    for (owner, sheet) in ["player", "opponent"].iter().zip(&pair.sheets) {
        std::fs::write(folder.join(format!("{number}-{owner}.txt")), sheet).unwrap();
    }
}

fn both(player: &str, opponent: &str) -> ReconcileReport {
    let [player, opponent] =
        [player, opponent].map(|sheet| read_score(sheet, None, 1).unwrap().score);
    reconcile(&Case {
        scores: ByOwner {
            player: &player,
            opponent: &opponent,
        },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    })
}

#[test]
fn what_is_plainly_not_the_other_move_does_not_agree_with_it() {
    let begin = "1. e4 e5 2. Nf3 Nc6 3. Bb5";
    let more = "4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6";
    // Neither at the end nor with the same words behind it.
    for word in ["BcS", "Qh3", "Nxe?", "Kx?", "0-0-0"] {
        for more in ["", more] {
            let player = format!("{begin} {word} {more}");
            let opponent = format!("{begin} a6 {more}");
            for sheets in [[&player, &opponent], [&opponent, &player]] {
                let report = both(sheets[0], sheets[1]);
                let is_left_open = match report.verdict {
                    Verdict::GoBack => report.ply == 5,
                    Verdict::Ambiguous => {
                        let mut ways = report.alternatives.iter();
                        ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 5))
                    }
                    _ => false,
                };
                assert!(
                    is_left_open,
                    "{word} {more}: {:?} {}",
                    report.verdict, report.ply
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_read_soon_before_the_end_or_a_difference_may_differ() {
    let begin = "1. e4 c6 2. d4 d5 3. e5 Bf5";
    let more = "e6 5. f4 c5";
    for [one, other] in [
        ["4. N?3 e6", "4. Na3 e6"],
        ["4. ??? e6", "4. Na3 e6"],
        // Both differ later on too.
        [
            &format!("4. ??? {more} 6. dxc5 Nd7"),
            &format!("4. Na3 {more} 6. Nb5 Nd7"),
        ],
    ] {
        let [player, opponent] = [one, other].map(|more| format!("{begin} {more}"));
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = both(sheets[0], sheets[1]);
            assert_eq!(report.verdict, Verdict::Ambiguous, "{one}");
            let mut ways = report.alternatives.iter();
            assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 6)));
        }
    }
}

#[test]
fn a_lost_sign_that_decides_between_two_knights_is_left_open() {
    let begin = "1. e4 e5 2. Nc3 Nc6 3.";
    let more = "Nf6 4. d3 Be7";
    let [player, opponent] = ["N?e2", "Nge2"].map(|word| format!("{begin} {word} {more}"));
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = both(sheets[0], sheets[1]);
        assert_eq!(report.verdict, Verdict::Ambiguous);
        let mut ways = report.alternatives.iter();
        assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 4)));
    }
    // Who has written no file has lost no sign.
    let player = format!("{begin} Ne2 {more}");
    let report = both(&player, &opponent);
    assert_eq!((report.verdict, report.ply), (Verdict::Same, 8));
}

#[test]
fn a_row_is_not_missing_where_only_a_lost_sign_stands_behind() {
    let begin = "1. e4 d5 2. Nc3 Nf6 3. f3";
    let [player, opponent] = ["e6", "**e4 4. fxe4"].map(|more| format!("{begin} {more}"));
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = both(sheets[0], sheets[1]);
        let mut ways = report.alternatives.iter();
        assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 5)));
    }
}

#[test]
fn what_its_own_sheet_refutes_at_the_end_is_left_open_however_well_it_fits() {
    let player = [
        "e4", "e5", "Nf3", "Nc6", "Bb5", "o6", "Ba4", "Nf6", "O-O", "a6",
    ];
    let mut opponent = player;
    opponent[5] = "a6";
    let opponent = &opponent[..9];
    for sheets in [[player.as_slice(), opponent], [opponent, &player]] {
        let report = compared(sheets);
        let mut ways = report.alternatives.iter();
        assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 5)));
    }
}

#[test]
fn what_fits_another_move_as_well_is_left_open_soon_before_the_end() {
    let begin = "1. e4 e5 2. Nf3 Nc6";
    for (one, other, ply) in [
        // Of four squares to which the bishop can go, nothing tells which.
        (
            "3. Bb5 a6 4. B~4 Nf6 5. O-O Be7",
            "3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
            6,
        ),
        // A knight, or the pawn of a file from which it cannot come.
        (
            "3. d4 exd4 4. c3 d5 5. H:d4",
            "3. d4 exd4 4. c3 d5 5. cxd4",
            8,
        ),
    ] {
        let [player, opponent] = [one, other].map(|more| format!("{begin} {more}"));
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = both(sheets[0], sheets[1]);
            assert_eq!(report.verdict, Verdict::Ambiguous, "{one}");
            let mut ways = report.alternatives.iter();
            assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, ply)));
        }
    }
}

#[test]
fn what_looks_like_the_other_move_agrees_with_it() {
    let begin = "1. e4 e5 2. Nf3 Nc6 3. Bb5";
    let more = "4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    for word in ["aG", "a?", "o6", "???", "?6", "Ka6"] {
        let player = format!("{begin} {word} {more}");
        let opponent = format!("{begin} a6 {more}");
        let report = both(&player, &opponent);
        assert_eq!((report.verdict, report.ply), (Verdict::Same, 20), "{word}");
    }
}

#[test]
fn what_another_move_leads_on_to_as_well_bears_out_only_what_resembles_it() {
    // Whatever Black has played before, all of this can follow.
    let more = "Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 \
        Ng3 Nb6 Bd2 Nc4 Bc1 Nb6";
    let words = format!("e4 e5 Nf3 Nc6 Bb5 a6 {more}");
    let words: Vec<&str> = words.split(' ').collect();
    // The word in place of a6, and behind how many plies it is sure.
    for (word, sure) in [
        ("???", 13),
        ("?6", 13),
        // This resembles no move, the next two another than a6.
        ("Kf1", 25),
        ("Qh6", usize::MAX),
        ("Kb6", usize::MAX),
        ("Ka6", 1),
    ] {
        for plies in 1..words.len() - 5 {
            let opponent = &words[..6 + plies];
            let mut player = opponent.to_vec();
            player[5] = word;
            let player = player.as_slice();
            for sheets in [[player, opponent], [opponent, player]] {
                let report = compared(sheets);
                let mut ways = report.alternatives.iter();
                let is_listed = ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 5));
                let verdict = if plies < sure {
                    Verdict::Ambiguous
                } else {
                    Verdict::Same
                };
                assert_eq!(
                    (report.verdict, is_listed),
                    (verdict, plies < sure),
                    "{word} {plies}"
                );
            }
        }
    }
}

#[test]
fn what_no_other_move_leads_on_to_bears_out_what_cannot_be_read() {
    // The queen takes what has taken there.
    let opponent = ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5"];
    for word in ["???", "xyz", "Kb6", "e?"] {
        let mut player = opponent;
        player[2] = word;
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = compared([sheets[0], sheets[1]]);
            assert_eq!((report.verdict, report.ply), (Verdict::Same, 6), "{word}");
        }
    }
}

#[test]
fn spoilt_words_at_a_difference_do_not_agree() {
    let came = counted(&classics(), 1, 150, true);
    assert!(50 * came.agree <= came.all(), "{} agree", came.agree);
}

#[test]
fn spoilt_words_of_one_game_are_no_difference() {
    let came = counted(&classics(), 1, 100, false);
    assert!(
        came.wrong == 0 && came.agree == 0,
        "{} {}",
        came.wrong,
        came.agree
    );
}

#[test]
#[ignore = "takes minutes: make soak"]
fn two_thousand_spoilt_words_at_a_difference() {
    let first = super::first(10_000_000);
    let came = counted(&real_games(), first, super::set("ANNEXD_PAIRS", 2000), true);
    assert!(50 * came.agree <= came.all(), "{} agree", came.agree);
}

#[test]
#[ignore = "takes minutes: make soak"]
fn two_thousand_spoilt_words_of_one_game() {
    let first = super::first(11_000_000);
    let came = counted(
        &real_games(),
        first,
        super::set("ANNEXD_PAIRS", 2000),
        false,
    );
    assert!(100 * (came.wrong + came.agree) <= came.all());
}
