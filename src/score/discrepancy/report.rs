//! The verdict of D.2.9 with its reasons.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use serde::Serialize;
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Board, Color, Piece, Setup, Square};

use super::alike::{after_two_slips, are_the_same, both_crosswise};
use super::both::with_one_fault;
use super::class::{Class, classes, decide_by_boards, shapes};
use super::concerned::{Concerned, concerned};
use super::explain::{Limits, explain};
use super::explanation::AgreedPly;
use super::fault::{Fault, Owner};
use super::placement::{Correction, corrections, piece_words};
use super::shown::differences_shown;
use super::times::{LoneOffer, clocks, lone_offers, offer_only_of, open_offer};
use super::whole_sheet::{from_a_later_page, in_order_of_numbers};
use crate::{Notated, Score, Standing};
use annexd_laws::GameResult;

/// What there is to compare: two scores, and the boards as far as anybody has looked at them.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The scores.
    pub scores: ByOwner<&'a Score>,
    /// What the boards show.
    pub boards: ByOwner<Option<Board>>,
    /// The starting position, if it is another than the player's score says.
    pub start: Option<Setup>,
    /// Clock times from the game's own log, in the order of the game. They come before those that
    /// stand in the scores.
    pub clock_log: &'a [ClockTimes],
}

impl Case<'_> {
    /// The starting position: as given, or as the player's score says.
    pub(super) fn start_setup(&self) -> Setup {
        let given = self.start.clone();
        given.unwrap_or_else(|| self.scores.player.start())
    }
}

/// Something that the player and the opponent have one each of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByOwner<T> {
    /// The blind player's.
    pub player: T,
    /// The opponent's.
    pub opponent: T,
}

impl<T> ByOwner<T> {
    /// That of one of them.
    pub const fn get(&self, owner: Owner) -> &T {
        match owner {
            Owner::Player => &self.player,
            Owner::Opponent => &self.opponent,
        }
    }

    /// Makes one for each.
    pub fn each(mut make: impl FnMut(Owner) -> T) -> Self {
        Self {
            player: make(Owner::Player),
            opponent: make(Owner::Opponent),
        }
    }
}

/// Time left to both after a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockTimes {
    /// How many plies had been played.
    pub ply: usize,
    /// Milliseconds left to White, if known.
    pub white_ms: Option<u64>,
    /// Milliseconds left to Black, if known.
    pub black_ms: Option<u64>,
}

/// What it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The scores agree to the end, and so do the boards that were given.
    Same,
    /// One score ends before the other and agrees until there: no difference (8.1.3, 8.4).
    Shorter,
    /// The scores agree; a board has to be corrected (D.2.9).
    CorrectBoard,
    /// The scores differ; play goes back to the last position on which they agree (D.2.9).
    GoBack,
    /// The scores agree on an illegal move: 7.5 applies, not D.2.9.
    IllegalMove,
    /// The scores can be explained in more than one way, only with more than four faults, or not
    /// at all.
    Ambiguous,
}

impl Verdict {
    /// The clause of the catalogue it rests on; the edition has the article.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Same | Self::Ambiguous => "D.2.9.a",
            Self::Shorter => "8.1.3",
            Self::CorrectBoard => "D.2.9.b",
            Self::GoBack => "D.2.9.c",
            Self::IllegalMove => "7.5.1",
        }
    }
}

/// The position to which play goes back, or at which it goes on.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Placement, turn, rights and counters.
    pub fen: String,
    /// The side to move.
    #[serde_as(as = "DisplayFromStr")]
    pub turn: Color,
    /// How often this position has been on the board so far, for 9.2.
    pub occurrences: u32,
    /// Plies without a capture or pawn move, for 9.3.
    pub halfmove_clock: u32,
    /// The number of the next move.
    pub move_number: u32,
}

/// An entry in which the scores differ first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingEntry {
    /// Its place in the score, counted from 0.
    pub entry: usize,
    /// The letters on the sheet, or the move in English letters if it was announced.
    pub written: String,
    /// What was announced, if it stands on no sheet.
    #[serde(skip)]
    pub(super) announced: Option<Notated>,
}

impl DifferingEntry {
    /// An entry of a score by its place.
    pub(super) fn at(score: &Score, at: usize) -> Option<Self> {
        let entry = score.entries().get(at)?;
        Some(Self {
            entry: at,
            written: entry.words(),
            announced: entry.written.is_none().then(|| entry.notated.clone()),
        })
    }
}

/// One of several explanations.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alternative {
    /// What it would come to.
    pub verdict: Verdict,
    /// The ply of the last agreement by this explanation.
    pub agreed_ply: usize,
    /// The ply at which the game would stand, or to which it would go back.
    pub ply: usize,
    /// The position there.
    pub fen: String,
    /// The faults it supposes.
    pub faults: Vec<Fault>,
    /// The entries that it is about, as they stand in each score.
    pub entries: Vec<Concerned>,
    /// The squares on which its position differs from that of the first explanation, if that has as
    /// many plies.
    pub squares: Vec<DifferingSquare>,
    /// How many positions it leaves open, because nobody can tell which moves were played; `fen`
    /// is one of them.
    pub positions: usize,
    /// The side whose draw offer was open there.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub open_offer: Option<Color>,
    /// The clock times there, as logged or noted.
    pub clocks: Option<ClockTimes>,
    /// Its plies up to there.
    #[serde(skip)]
    pub(super) agreed: Vec<AgreedPly>,
    /// The order in which it reads the entries of each sheet, if not as they stand.
    #[serde(skip)]
    pub(super) orders: Option<ByOwner<Vec<usize>>>,
}

impl Alternative {
    /// The positions after each ply up to its own, as this explanation has them.
    pub fn positions(&self) -> impl Iterator<Item = &Standing> {
        self.agreed.iter().map(|ply| &ply.after)
    }
}

/// A square on which the positions of two explanations differ.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingSquare {
    /// Which.
    #[serde_as(as = "DisplayFromStr")]
    pub square: Square,
    /// What stands there by the first explanation.
    #[serde(serialize_with = "piece_words::serialize_option")]
    pub first: Option<Piece>,
    /// What stands there by this one.
    #[serde(serialize_with = "piece_words::serialize_option")]
    pub here: Option<Piece>,
}

/// What was found, for the arbiter to confirm or change. Serialised, it is the documented
/// `--json` of `annexd reconcile`.
#[serde_as]
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What it comes to.
    pub verdict: Verdict,
    /// The ply of the last agreement, counted from 0: 0 is the starting position, 1 the position
    /// after White's first move. Of a score that is only shorter it is the last ply that both
    /// record. When ambiguous, the last ply on which all explanations agree.
    pub agreed_ply: usize,
    /// The ply of `position`: where the game stands or goes back to. It is later than the last
    /// agreement only where one score is shorter than the other.
    pub ply: usize,
    /// How many entries each score has.
    pub entries: ByOwner<usize>,
    /// The score that ends before the other.
    pub shorter: Option<Owner>,
    /// The first entries that differ.
    pub differing: Option<ByOwner<Option<DifferingEntry>>>,
    /// The position at `ply`.
    pub position: Position,
    /// The side whose draw offer was open there (9.1).
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub open_offer: Option<Color>,
    /// Whose score alone has that offer, if the other has the move without it (8.1).
    pub offer_only_of: Option<Owner>,
    /// Every draw offer that one score alone has, where both record one game.
    pub lone_offers: Vec<LoneOffer>,
    /// The clock times there, as logged or noted. The arbiter sets the clocks (D.2.9).
    pub clocks: Option<ClockTimes>,
    /// What has to be done at each board that was given.
    pub boards: ByOwner<Option<Vec<Correction>>>,
    /// Faults in the scores that do not make them differ.
    pub faults: Vec<Fault>,
    /// The explanations that remain when it is ambiguous: a single one if it needs more than four
    /// faults; none when nothing explains the scores.
    pub alternatives: Vec<Alternative>,
    /// Whether the boards decided between explanations that the scores leave open.
    pub decided_by_boards: bool,
    /// Whether both boards were given and show the same position. If the scores differ, D.2.9 then
    /// asks for no correction; agreeing scores hold for both boards nevertheless.
    pub boards_alike: bool,
    /// Whose scores lead to what both boards show, if they show the same.
    pub boards_follow: Vec<Owner>,
    /// The results of the scores, if they contradict each other.
    pub results: Option<ByOwner<GameResult>>,
    /// The plies up to the last agreement.
    #[serde(skip)]
    pub(super) agreed: Vec<AgreedPly>,
    /// How many faults there are, a row counted once, and what they cost with all that speaks
    /// against it.
    #[serde(skip)]
    pub(super) count: u32,
    #[serde(skip)]
    pub(super) cost: u32,
    /// The order in which the entries of each sheet were read, if not as they stand.
    #[serde(skip)]
    pub(super) orders: Option<ByOwner<Vec<usize>>>,
    /// The starting position.
    #[serde(skip)]
    pub(super) start: Standing,
}

impl Report {
    /// Whether the scores differ, and the boards do not: D.2.9 begins with boards that differ.
    pub const fn needs_no_correction(&self) -> bool {
        self.boards_alike && matches!(self.verdict, Verdict::GoBack | Verdict::Ambiguous)
    }

    /// Whether both scores record one game, whatever the boards show.
    pub const fn is_one_game(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Same | Verdict::Shorter | Verdict::CorrectBoard
        )
    }

    /// The positions from the start to `ply`, as far as both scores lead there.
    pub fn positions(&self) -> impl Iterator<Item = &Standing> {
        let after = self.agreed.iter().map(|ply| &ply.after);
        std::iter::once(&self.start).chain(after)
    }

    /// The number and side of the move that led to a ply; none for the starting position.
    pub fn move_of(&self, ply: usize) -> Option<(u32, Color)> {
        let setup = self.start.setup();
        let before = ply.checked_sub(1)? + usize::from(setup.turn.is_black());
        let number = setup
            .fullmoves
            .get()
            .saturating_add(u32::try_from(before / 2).ok()?);
        Some((number, Color::from_white(before % 2 == 0)))
    }
}

/// Compares two scores and the boards.
pub fn reconcile(case: &Case<'_>) -> Report {
    let mut report = reconcile_scores(case);
    if let (Some(board), Some(same)) = (&case.boards.player, &case.boards.opponent)
        && board == same
    {
        let leads_there = |owner: &Owner| {
            let mut standing = Standing::of(case.start_setup());
            for entry in case.scores.get(*owner).entries() {
                standing = standing.after_entry(entry);
            }
            standing.board() == board
        };
        report.boards_alike = true;
        report.boards_follow = Owner::BOTH.into_iter().filter(leads_there).collect();
    }
    let results = case
        .scores
        .player
        .result()
        .zip(case.scores.opponent.result());
    report.results = results
        .filter(|(player, opponent)| player != opponent)
        .map(|(player, opponent)| ByOwner { player, opponent });
    report
}

fn reconcile_scores(case: &Case<'_>) -> Report {
    let report = reconcile_as_written(case, Limits::NONE);
    let pages = Owner::BOTH.into_iter();
    let page = pages
        .filter_map(|owner| from_a_later_page(case, owner))
        .min_by_key(|page| page.cost);
    if report.is_one_game() {
        return page
            .filter(|page| page.cost < report.cost)
            .unwrap_or(report);
    }
    let report = in_order_of_numbers(case, report);
    if report.is_one_game() {
        return report;
    }
    page.or_else(|| both_crosswise(case, &report))
        .unwrap_or(report)
}

pub(super) fn reconcile_as_written(case: &Case<'_>, limits: Limits) -> Report {
    let start = Standing::of(case.start_setup());
    let scores = [case.scores.player, case.scores.opponent];
    let search = |together| classes(explain(&start, scores, together, limits), &start);
    let mut classes = search(false);
    if are_the_same(scores) && (classes.is_empty() || !classes.iter().all(Class::is_of_both)) {
        classes = search(true);
    }
    if let [
        Class {
            verdict: Verdict::GoBack,
            ..
        },
    ] = classes.as_slice()
    {
        let others = after_two_slips(scores, &start, &classes[0]);
        classes.extend(others);
    }
    if let Some(illegal) = classes
        .iter()
        .position(|it| it.verdict == Verdict::IllegalMove)
    {
        let games = with_one_fault(scores, &start, &classes[illegal]);
        classes.extend(games);
    }
    let mut decided_by_boards = false;
    if classes.len() > 1 {
        decided_by_boards = decide_by_boards(&mut classes, case);
    }
    if !classes.iter().all(|class| class.explanation.is_flimsy) {
        classes.retain(|class| !class.explanation.is_flimsy);
    }
    if let [game] = classes.as_slice() {
        let others = differences_shown(case, &start, game);
        classes.extend(others);
    }
    let mut found = classes.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) if !only.explanation.is_credible => ambiguous(case, &start, vec![only]),
        (Some(only), None) => {
            let mut report = report_of(case, &start, only);
            report.decided_by_boards = decided_by_boards;
            report
        }
        (None, _) => ambiguous(case, &start, Vec::new()),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(found).collect();
            ambiguous(case, &start, all)
        }
    }
}

fn report_of(case: &Case<'_>, start: &Standing, class: Class) -> Report {
    let target = class.position(start).board().clone();
    // A board that is only behind needs nothing, whatever the other shows.
    let boards = ByOwner::each(|owner| {
        let board = case.boards.get(owner).as_ref()?;
        let is_behind = is_behind(board, owner, start, &class);
        Some(if is_behind {
            Vec::new()
        } else {
            corrections(board, &target)
        })
    });
    let is_wrong = |owner: Owner| {
        boards
            .get(owner)
            .as_ref()
            .is_some_and(|steps| !steps.is_empty())
    };
    let verdict = match class.verdict {
        Verdict::Same | Verdict::Shorter if Owner::BOTH.into_iter().any(is_wrong) => {
            Verdict::CorrectBoard
        }
        verdict => verdict,
    };
    let explanation = &class.explanation;
    let agreed = &class.agreed;
    let is_parting = matches!(verdict, Verdict::GoBack | Verdict::IllegalMove);
    let differing = is_parting.then(|| differing_of(case, &class));
    let is_game = matches!(class.verdict, Verdict::Same | Verdict::Shorter);
    let of_both = if is_game { explanation.by_both } else { 0 };
    Report {
        verdict,
        agreed_ply: agreed.len().min(explanation.by_both),
        ply: agreed.len(),
        entries: ByOwner::each(|owner| case.scores.get(owner).entries().len()),
        shorter: explanation.shorter,
        differing,
        position: position(start, agreed),
        open_offer: open_offer(case, start, read_by(&class)),
        offer_only_of: offer_only_of(case, read_by(&class)),
        lone_offers: lone_offers(case, read_by(&class), of_both),
        clocks: clocks(case, start, read_by(&class)),
        boards,
        faults: explanation.faults.clone(),
        alternatives: Vec::new(),
        decided_by_boards: false,
        boards_alike: false,
        boards_follow: Vec::new(),
        results: None,
        count: class.explanation.count,
        cost: class.explanation.cost,
        orders: explanation.orders.clone(),
        agreed: class.agreed,
        start: start.clone(),
    }
}

/// Whether a board shows what its owner's own shorter score says, one ply before the end, which is
/// no difference (8.1.3).
fn is_behind(board: &Board, owner: Owner, start: &Standing, class: &Class) -> bool {
    let is_one_game = matches!(class.verdict, Verdict::Same | Verdict::Shorter);
    let before = class.agreed.len().checked_sub(2);
    let last = before.and_then(|ply| class.agreed.get(ply));
    is_one_game
        && class.explanation.shorter == Some(owner)
        && board == last.map_or(start, |ply| &ply.after).board()
}

/// The first entries that differ by an explanation that ends in a difference.
fn differing_of(case: &Case<'_>, class: &Class) -> ByOwner<Option<DifferingEntry>> {
    let agreed = class.agreed.last().map_or([0, 0], |ply| ply.entries);
    let explanation = &class.explanation;
    let before = explanation
        .read
        .filter(|_| class.verdict == Verdict::GoBack);
    first_differing(case, explanation.orders.as_ref(), before.unwrap_or(agreed))
}

fn first_differing(
    case: &Case<'_>,
    orders: Option<&ByOwner<Vec<usize>>>,
    read: [usize; 2],
) -> ByOwner<Option<DifferingEntry>> {
    let on_sheet = |owner: Owner, at: usize| {
        let order = orders.map(|orders| orders.get(owner));
        order.and_then(|order| order.get(at).copied()).unwrap_or(at)
    };
    ByOwner::each(|owner| {
        let at = on_sheet(owner, read[owner as usize]);
        DifferingEntry::at(case.scores.get(owner), at)
    })
}

pub(super) fn position(start: &Standing, agreed: &[AgreedPly]) -> Position {
    let standing = agreed.last().map_or(start, |ply| &ply.after);
    let setup = standing.setup();
    let key = standing.key();
    let before = agreed.iter().map(|ply| &ply.after);
    let occurrences = std::iter::once(start)
        .chain(before)
        .filter(|earlier| earlier.key() == key)
        .count();
    Position {
        fen: standing.fen(),
        turn: setup.turn,
        occurrences: u32::try_from(occurrences).unwrap_or(u32::MAX),
        halfmove_clock: setup.halfmoves,
        move_number: setup.fullmoves.get(),
    }
}

/// Nothing is decided: what all explanations agree on, and each of them.
fn ambiguous(case: &Case<'_>, start: &Standing, classes: Vec<Class>) -> Report {
    let agreed = match classes.split_first() {
        None => read_alike(case, start),
        Some((first, others)) => {
            let alike = |ply: &usize| {
                others.iter().all(|other| {
                    other
                        .agreed
                        .get(*ply)
                        .is_some_and(|theirs| theirs.after.key() == first.agreed[*ply].after.key())
                })
            };
            let plies = (0..first.agreed.len()).take_while(alike).count();
            first.agreed[..plies].to_vec()
        }
    };
    let target = agreed
        .last()
        .map_or(start, |ply| &ply.after)
        .board()
        .clone();
    let alternatives = shapes(&classes)
        .into_iter()
        .map(|(class, positions)| Alternative {
            positions,
            open_offer: open_offer(case, start, read_by(class)),
            clocks: clocks(case, start, read_by(class)),
            // Of another ply everything can differ.
            squares: classes
                .first()
                .filter(|first| first.agreed.len() == class.agreed.len())
                .map_or_else(Vec::new, |first| {
                    let first = first.position(start).board();
                    differing_squares(first, class.position(start).board())
                }),
            verdict: class.verdict,
            agreed_ply: class.agreed.len().min(class.explanation.by_both),
            ply: class.agreed.len(),
            fen: class.position(start).fen(),
            faults: class.explanation.faults.clone(),
            entries: concerned(case, class, || differing_of(case, class)),
            agreed: class.agreed.clone(),
            orders: class.explanation.orders.clone(),
        })
        .collect();
    let read = agreed.last().map_or([0, 0], |ply| ply.entries);
    let orders = classes
        .first()
        .and_then(|it| it.explanation.orders.as_ref());
    Report {
        verdict: Verdict::Ambiguous,
        agreed_ply: agreed.len(),
        ply: agreed.len(),
        entries: ByOwner::each(|owner| case.scores.get(owner).entries().len()),
        shorter: None,
        differing: Some(first_differing(case, orders, read)),
        position: position(start, &agreed),
        open_offer: open_offer(case, start, (&agreed, orders)),
        offer_only_of: offer_only_of(case, (&agreed, orders)),
        lone_offers: Vec::new(),
        clocks: clocks(case, start, (&agreed, orders)),
        boards: ByOwner::each(|owner| {
            let board = case.boards.get(owner).as_ref()?;
            Some(corrections(board, &target))
        }),
        faults: Vec::new(),
        count: classes.first().map_or(u32::MAX, |it| it.explanation.count),
        cost: classes.first().map_or(u32::MAX, |it| it.explanation.cost),
        alternatives,
        decided_by_boards: false,
        boards_alike: false,
        boards_follow: Vec::new(),
        results: None,
        orders: orders.cloned(),
        agreed,
        start: start.clone(),
    }
}

/// The plies of an explanation, and the order in which it reads the sheets.
fn read_by(class: &Class) -> (&[AgreedPly], Option<&ByOwner<Vec<usize>>>) {
    (&class.agreed, class.explanation.orders.as_ref())
}

fn differing_squares(first: &Board, here: &Board) -> Vec<DifferingSquare> {
    Square::ALL
        .into_iter()
        .filter(|&square| first.piece_at(square) != here.piece_at(square))
        .map(|square| DifferingSquare {
            square,
            first: first.piece_at(square),
            here: here.piece_at(square),
        })
        .collect()
}

/// The plies from the start on that both scores record alike, without supposing any fault.
pub(super) fn read_alike(case: &Case<'_>, start: &Standing) -> Vec<AgreedPly> {
    let mut agreed = Vec::new();
    let mut standing = start.clone();
    let [player, opponent] = [case.scores.player, case.scores.opponent].map(Score::entries);
    for (ply, (one, other)) in player.iter().zip(opponent).enumerate() {
        let (ours, theirs) = (standing.meanings(one), standing.meanings(other));
        match (ours.as_slice(), theirs.as_slice()) {
            ([played], [same]) if played == same => standing = standing.after(*played),
            _ => break,
        }
        agreed.push(AgreedPly {
            after: standing.clone(),
            entries: [ply + 1, ply + 1],
        });
    }
    agreed
}
