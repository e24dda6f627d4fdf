//! The verdict of D.2.9 with its reasons.

use serde::Serialize;
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Board, Color, Piece, Setup, Square};

use super::agreed::AgreedPly;
use super::costs::MOST_FAULTS;
use super::fault::SheetFault;
use super::owner::{ByOwner, Owner};
use super::placement::{Correction, piece_words};
use crate::{Notated, Score, Standing};
use annexd_laws::GameResult;

/// What is compared: two scores, and the boards as far as somebody has looked at them.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The scores.
    pub scores: ByOwner<&'a Score>,
    /// The placements on the boards.
    pub boards: ByOwner<Option<Board>>,
    /// The starting position, if it is not that of the player's score.
    pub start: Option<Setup>,
    /// Clock times from the game's own journal, in the order of the game. They have priority over
    /// those in the scores.
    pub clock_log: &'a [ClockTimes],
}

impl Case<'_> {
    /// The starting position: the given one, or that of the player's score.
    pub(super) fn start_setup(&self) -> Setup {
        let given = self.start.clone();
        given.unwrap_or_else(|| self.scores.player.start())
    }
}

/// The time left to both players after a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockTimes {
    /// How many plies had been played.
    pub ply: usize,
    /// White's time left, in milliseconds, if known.
    pub white_ms: Option<u64>,
    /// Black's time left, in milliseconds, if known.
    pub black_ms: Option<u64>,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The scores agree to the end, and so do the boards that were given.
    Same,
    /// One score ends before the other and agrees up to there. That is no difference (8.1.3, 8.4).
    Shorter,
    /// The scores agree, and a board has to be corrected (D.2.9).
    CorrectBoard,
    /// The scores differ, and the game goes back to the last position on which they agree (D.2.9).
    GoBack,
    /// The scores agree on an illegal move, so 7.5 applies and not D.2.9.
    IllegalMove,
    /// The scores have several explanations, only explanations with more than four faults, or none.
    Ambiguous,
}

impl Verdict {
    /// The clause of the catalogue that the verdict rests on. The edition has the article.
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

/// The position to which the game goes back, or from which it continues.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Placement, turn, rights and counters.
    pub fen: String,
    /// The side to move.
    #[serde_as(as = "DisplayFromStr")]
    pub turn: Color,
    /// How often this position has appeared so far, for 9.2.
    pub occurrences: u32,
    /// Plies without a capture or pawn move, for 9.3.
    pub halfmove_clock: u32,
    /// The number of the next move.
    pub move_number: u32,
}

impl Position {
    /// The position after the plies on which both agree.
    pub(super) fn after(start: &Standing, agreed: &[AgreedPly]) -> Self {
        let standing = agreed.last().map_or(start, |ply| &ply.after);
        let setup = standing.setup();
        let key = standing.key();
        let before = agreed.iter().map(|ply| &ply.after);
        let occurrences = std::iter::once(start)
            .chain(before)
            .filter(|earlier| earlier.key() == key)
            .count();
        Self {
            fen: standing.fen(),
            turn: setup.turn,
            occurrences: u32::try_from(occurrences).unwrap_or(u32::MAX),
            halfmove_clock: setup.halfmoves,
            move_number: setup.fullmoves.get(),
        }
    }
}

/// The first entry in which the scores differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingEntry {
    /// Its index in the score, counted from 0.
    pub entry: usize,
    /// The text on the sheet, or the move in English letters if it was announced.
    pub written: String,
    /// What was announced, if the entry is on no sheet.
    #[serde(skip)]
    pub announced: Option<Notated>,
}

impl DifferingEntry {
    /// The entry of a score at an index.
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
    /// The verdict of this explanation.
    pub verdict: Verdict,
    /// The last agreed ply in this explanation.
    pub agreed_ply: usize,
    /// The ply at which the game would stand, or to which it would go back.
    pub ply: usize,
    /// The position at that ply.
    pub fen: String,
    /// The faults that it assumes.
    pub faults: Vec<SheetFault>,
    /// The entries that it is about, as written in each score.
    pub entries: Vec<Concerned>,
    /// The squares on which its position differs from that of the first explanation, if both have
    /// the same number of plies.
    pub squares: Vec<DifferingSquare>,
    /// How many positions it leaves open, because nobody can tell which moves were played. `fen` is
    /// one of them.
    pub positions: usize,
    /// The side whose draw offer was open at that ply.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub open_offer: Option<Color>,
    /// The clock times at that ply, from the journal or the scores.
    pub clocks: Option<ClockTimes>,
    /// The plies up to that ply.
    #[serde(skip)]
    pub(super) agreed: Vec<AgreedPly>,
    /// The order in which it reads the entries of each sheet, or `None` for the order on the
    /// sheets.
    #[serde(skip)]
    pub(super) orders: Option<ByOwner<Vec<usize>>>,
}

impl Alternative {
    /// The positions after each ply up to its own, in this explanation.
    pub fn positions(&self) -> impl Iterator<Item = &Standing> {
        self.agreed.iter().map(|ply| &ply.after)
    }
}

/// What both scores have for one ply, where an explanation assumes a fault or a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Concerned {
    /// The ply of the game, counted from 0.
    pub ply: usize,
    /// The entry in each score, if it has one.
    #[serde(flatten)]
    pub entries: ByOwner<Option<DifferingEntry>>,
    /// Whether it stands before the entry of that ply and is no move of the game.
    pub extra: bool,
}

/// A draw offer that only one score has, although the other has the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LoneOffer {
    /// The ply of its move, counted from 0.
    pub ply: usize,
    /// Whose score has the offer.
    pub owner: Owner,
}

/// A square on which the positions of two explanations differ.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingSquare {
    /// The square.
    #[serde_as(as = "DisplayFromStr")]
    pub square: Square,
    /// The piece there in the first explanation.
    #[serde(serialize_with = "piece_words::serialize_option")]
    pub first: Option<Piece>,
    /// The piece there in this one.
    #[serde(serialize_with = "piece_words::serialize_option")]
    pub here: Option<Piece>,
}

/// The result, for the arbiter to confirm or change. Serialised, it is the documented `--json`
/// output of `annexd reconcile`.
#[serde_as]
#[derive(Clone, Debug, Serialize)]
pub struct ReconcileReport {
    /// The verdict.
    pub verdict: Verdict,
    /// The last agreed ply, counted from 0: 0 is the starting position, 1 the position after
    /// White's first move. If a score is only shorter, it is the last ply that both record. If the
    /// verdict is ambiguous, it is the last ply on which all explanations agree.
    pub agreed_ply: usize,
    /// The ply of `position`: where the game stands or goes back to. It is later than the last
    /// agreed ply only if one score is shorter than the other.
    pub ply: usize,
    /// The number of entries of each score.
    pub entries: ByOwner<usize>,
    /// The score that ends before the other.
    pub shorter: Option<Owner>,
    /// The first entries that differ.
    pub differing: Option<ByOwner<Option<DifferingEntry>>>,
    /// The position at `ply`.
    pub position: Position,
    /// The side whose draw offer was open at `ply` (9.1).
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub open_offer: Option<Color>,
    /// Whose score alone has that offer, if the other has the move without it (8.1).
    pub offer_only_of: Option<Owner>,
    /// Every draw offer that only one score has, if both record one game.
    pub lone_offers: Vec<LoneOffer>,
    /// The clock times at `ply`, from the journal or the scores. The arbiter sets the clocks
    /// (D.2.9).
    pub clocks: Option<ClockTimes>,
    /// The corrections at each board that was given.
    pub boards: ByOwner<Option<Vec<Correction>>>,
    /// Faults in the scores that do not make them differ.
    pub faults: Vec<SheetFault>,
    /// The explanations that remain if the verdict is ambiguous. There is a single one if it needs
    /// more than four faults, and none if nothing explains the scores.
    pub alternatives: Vec<Alternative>,
    /// Whether the boards decided between explanations that the scores leave open.
    pub decided_by_boards: bool,
    /// Whether both boards were given and show the same position. If the scores differ, D.2.9 then
    /// demands no correction. Agreeing scores hold for both boards nevertheless.
    pub boards_alike: bool,
    /// Whose scores lead to the position of both boards, if these are the same.
    pub boards_follow: Vec<Owner>,
    /// The results in the scores, if they contradict each other.
    pub results: Option<ByOwner<GameResult>>,
    /// The plies up to the last agreed one.
    #[serde(skip)]
    pub(super) agreed: Vec<AgreedPly>,
    /// The number of faults, with a row counted once, and their cost with everything else that
    /// speaks against the explanation.
    #[serde(skip)]
    pub(super) count: u32,
    #[serde(skip)]
    pub(super) cost: u32,
    /// The order in which the entries of each sheet were read, or `None` for the order on the
    /// sheets.
    #[serde(skip)]
    pub(super) orders: Option<ByOwner<Vec<usize>>>,
    /// The starting position.
    #[serde(skip)]
    pub(super) start: Standing,
}

impl ReconcileReport {
    /// Returns whether the scores differ but the boards do not. D.2.9 begins with boards that
    /// differ.
    pub const fn needs_no_correction(&self) -> bool {
        self.boards_alike && matches!(self.verdict, Verdict::GoBack | Verdict::Ambiguous)
    }

    /// Returns whether both scores record one game, whatever the boards show.
    pub const fn is_one_game(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Same | Verdict::Shorter | Verdict::CorrectBoard
        )
    }

    /// Returns whether it needs no more faults than are believed.
    pub const fn is_believed(&self) -> bool {
        self.count <= MOST_FAULTS
    }

    /// The positions from the start to `ply`, as far as both scores lead there.
    pub fn positions(&self) -> impl Iterator<Item = &Standing> {
        let after = self.agreed.iter().map(|ply| &ply.after);
        std::iter::once(&self.start).chain(after)
    }

    /// The number and side of the move that led to a ply. `None` for the starting position.
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
