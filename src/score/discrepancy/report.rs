//! The verdict of D.2.9 with its reasons.

use serde::Serialize;
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Board, Color, Piece, Setup, Square};

use super::agreed::AgreedPly;
use super::costs::MOST_FAULTS;
use super::fault::Fault;
use super::owner::{ByOwner, Owner};
use super::placement::{Correction, piece_words};
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

impl Position {
    /// That after the plies on which both agree.
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

/// An entry in which the scores differ first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingEntry {
    /// Its place in the score, counted from 0.
    pub entry: usize,
    /// The letters on the sheet, or the move in English letters if it was announced.
    pub written: String,
    /// What was announced, if it stands on no sheet.
    #[serde(skip)]
    pub announced: Option<Notated>,
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

/// What both scores have for one ply, where an explanation supposes a fault or a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Concerned {
    /// The ply of the game, counted from 0.
    pub ply: usize,
    /// What stands in each score, if something does.
    #[serde(flatten)]
    pub entries: ByOwner<Option<DifferingEntry>>,
    /// Whether it stands before the entry of that ply and is none.
    pub extra: bool,
}

/// A draw offer that stands in one score alone, though the other has the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LoneOffer {
    /// The ply of its move, counted from 0.
    pub ply: usize,
    /// Whose score has it.
    pub owner: Owner,
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

    /// Whether it needs no more faults than are believed.
    pub const fn is_believed(&self) -> bool {
        self.count <= MOST_FAULTS
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
