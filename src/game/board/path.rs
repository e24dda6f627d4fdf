//! The positions of a game, as far as a board has shown them.

#![allow(
    clippy::indexing_slicing,
    reason = "a path has its first node always, and its indices are found in it"
)]

use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, Move, MoveList, Position, PositionError,
    Role, Setup, Square, fen::Fen, uci::UciMove,
};

use super::differing_squares;
use annexd_laws::moment::Moment;

/// How many moves back a replaced move is searched for.
const REPLACED_PLIES_MAX: usize = 4;

/// How many moves back a move may be replaced on which the pieces never rested.
const UNSURE_PLIES_MAX: usize = 2;

/// How many squares may have been misread at first in a game that goes on.
const SEEN_WRONG_MAX: usize = 2;

/// One position of the path.
#[derive(Clone, Debug)]
pub(super) struct Node {
    position: Chess,
    legal: MoveList,
    /// The move that led here; `None` for the first position.
    pub(super) played: Option<Move>,
    /// When the board first showed it.
    pub(super) since: Moment,
    /// Whether the clock was pressed while the board showed it.
    pub(super) sealed: bool,
    /// Whether the pieces have rested on it.
    pub(super) rested: bool,
    /// Whether it is castling in which the rook arrived before the king left its square (4.4.2).
    pub(super) is_rook_first: bool,
    /// Whether exactly this move was announced.
    is_witnessed: bool,
    /// Moves from here that the board showed and that were given up for another, until the pieces
    /// rest.
    given_up: Vec<Self>,
}

impl Node {
    fn new(position: Chess, played: Option<Move>, since: Moment) -> Self {
        let legal = position.legal_moves();
        Self {
            position,
            legal,
            played,
            since,
            sealed: false,
            rested: false,
            is_rook_first: false,
            is_witnessed: false,
            given_up: Vec::new(),
        }
    }

    /// The placement in this position.
    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    /// The side to move.
    pub(super) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The position after the one legal move that leads to what is shown.
    fn child(&self, shown: &Board, since: Moment) -> Option<Self> {
        let changed = differing_squares(self.board(), shown);
        // A move empties its square of departure and changes two to four squares in all.
        if !(2..=4).contains(&changed.count()) {
            return None;
        }
        self.legal
            .iter()
            .filter(|legal| legal.from().is_some_and(|from| changed.contains(from)))
            .find_map(|&legal| {
                let mut position = self.position.clone();
                position.play_unchecked(legal);
                (position.board() == shown).then(|| Self::new(position, Some(legal), since))
            })
    }

    /// The position after the one legal move that leads to what is shown, apart from a piece that
    /// the next player has already lifted.
    fn child_but_for_lifted(&self, shown: &Board, since: Moment) -> Option<Self> {
        let changed = differing_squares(self.board(), shown);
        if !(3..=5).contains(&changed.count()) {
            return None;
        }
        self.legal
            .iter()
            .filter(|legal| legal.from().is_some_and(|from| changed.contains(from)))
            .find_map(|&legal| {
                let mut position = self.position.clone();
                position.play_unchecked(legal);
                let lacks = lacks_one_of(position.board(), shown, position.turn());
                lacks.then(|| Self::new(position, Some(legal), since))
            })
    }

    /// Every position one legal move away, with its move.
    pub(super) fn children(&self) -> impl Iterator<Item = (UciMove, Board)> + '_ {
        self.legal.iter().map(|&legal| {
            let mut position = self.position.clone();
            position.play_unchecked(legal);
            let played = legal.to_uci(CastlingMode::Standard);
            (played, position.board().clone())
        })
    }

    /// The only pair of moves that leads to what is shown.
    fn grandchild(&self, shown: &Board, since: Moment) -> Option<[Self; 2]> {
        let changed = differing_squares(self.board(), shown);
        if !(3..=8).contains(&changed.count()) {
            return None;
        }
        let mut found = None;
        for &legal in &self.legal {
            let mut position = self.position.clone();
            position.play_unchecked(legal);
            if !(2..=4).contains(&differing_squares(position.board(), shown).count()) {
                continue;
            }
            let child = Self::new(position, Some(legal), since);
            if let Some(grandchild) = child.child(shown, since) {
                if found.is_some() {
                    return None;
                }
                found = Some([child, grandchild]);
            }
        }
        found
    }
}

/// The positions from the first to the last one shown.
#[derive(Clone, Debug)]
pub(super) struct Path {
    nodes: Vec<Node>,
    /// The same first position with the other side to move, while the turn is unknown.
    other_turn: Option<Node>,
    /// Whether the first position is only what was seen first, and nobody has confirmed it.
    is_guessed: bool,
}

impl Path {
    /// A path that begins at a position.
    pub(super) fn begin(position: Chess, now: Moment) -> Self {
        Self {
            nodes: vec![Node::new(position, None, now)],
            other_turn: None,
            is_guessed: false,
        }
    }

    /// A path that begins at a placement of unknown turn; the first move shows it. Kings and rooks
    /// on their own squares may still castle. `None` if it is no position.
    pub(super) fn begin_anywhere(placement: &Board, now: Moment) -> Option<Self> {
        let (white, black) = (
            at_turn(placement, Color::White),
            at_turn(placement, Color::Black),
        );
        let mut positions = white.into_iter().chain(black);
        let mut path = Self::begin(positions.next()?, now);
        path.other_turn = positions
            .next()
            .map(|position| Node::new(position, None, now));
        path.is_guessed = true;
        Some(path)
    }

    /// The same moves from another first position, or with another among them. `None` if one of
    /// them cannot be played there.
    fn replayed(&self, first: Node, moves: impl IntoIterator<Item = UciMove>) -> Option<Self> {
        let mut nodes = vec![first];
        for (played, old) in moves.into_iter().zip(self.played()) {
            let last = &nodes[nodes.len() - 1];
            let matches_move = |legal: &&Move| legal.to_uci(CastlingMode::Standard) == played;
            let legal = *last.legal.iter().find(matches_move)?;
            let mut position = last.position.clone();
            position.play_unchecked(legal);
            nodes.push(Node {
                sealed: old.sealed,
                rested: old.rested,
                is_rook_first: old.is_rook_first,
                is_witnessed: old.is_witnessed,
                ..Node::new(position, Some(legal), old.since)
            });
        }
        Some(Self {
            nodes,
            other_turn: None,
            is_guessed: self.is_guessed,
        })
    }

    fn moves(&self) -> Vec<UciMove> {
        let played = self.played().iter().filter_map(|node| node.played);
        played
            .map(|played| played.to_uci(CastlingMode::Standard))
            .collect()
    }

    /// Notes that the last move was announced exactly as it was played.
    pub(super) fn witness_tip(&mut self) {
        if let Some(tip) = self.nodes.last_mut() {
            tip.is_witnessed = true;
        }
    }

    /// The same game with another piece at an unannounced promotion, the latest promotion first.
    pub(super) fn promoted_otherwise(&self) -> impl Iterator<Item = Self> + '_ {
        let moves = self.moves();
        let open = (1..self.nodes.len()).rev().filter(|&index| {
            let node = &self.nodes[index];
            !node.is_witnessed && node.played.is_some_and(|played| played.is_promotion())
        });
        let roles = [Role::Knight, Role::Queen, Role::Rook, Role::Bishop];
        open.flat_map(move |index| roles.map(|role| (index, role)))
            .filter_map(move |(index, role)| {
                let mut moves = moves.clone();
                let UciMove::Normal { promotion, .. } = &mut moves[index - 1] else {
                    return None;
                };
                if promotion.replace(role) == Some(role) {
                    return None;
                }
                self.replayed(self.first().clone(), moves)
            })
    }

    /// The square of a pawn that was captured en passant and still stands there, if only that is
    /// wrong with what is shown.
    pub(super) fn forgotten_pawn(&self, shown: &Board) -> Option<Square> {
        let nodes = [Some(self.tip()), self.before_tip()];
        let mut legal = nodes
            .into_iter()
            .flatten()
            .flat_map(|node| node.legal.iter().map(move |legal| (node, *legal)));
        legal.find_map(|(node, legal)| {
            let Move::EnPassant { from, to } = legal else {
                return None;
            };
            let mut position = node.position.clone();
            position.play_unchecked(legal);
            let pawn = Square::from_coords(to.file(), from.rank());
            let differs = differing_squares(position.board(), shown).single_square();
            let stands = shown.piece_at(pawn) == Some(position.turn().pawn());
            (differs == Some(pawn) && stands).then_some(pawn)
        })
    }

    /// Corrects a first look that was incomplete or wrong: a piece was in a hand, or the line was
    /// faulty. Something stands where no move was made, and the moves are the same. A piece that is
    /// missing or stands elsewhere is no misreading.
    fn seen_better(&self, shown: &Board, now: Moment) -> Option<Self> {
        let differing = differing_squares(self.tip().board(), shown);
        let is_new = |square| shown.piece_at(square).is_some() && !self.has_moved_at(square);
        let is_better = self.is_guessed && differing.into_iter().all(is_new);
        if !is_better || (self.plies() > 0 && differing.count() > SEEN_WRONG_MAX) {
            return None;
        }
        let mut placement = self.first().board().clone();
        for square in differing {
            if let Some(piece) = shown.piece_at(square) {
                placement.set_piece_at(square, piece);
            }
        }
        if self.plies() == 0 {
            return Self::begin_anywhere(&placement, now);
        }
        let position = if placement == Board::new() && self.first().turn().is_white() {
            Chess::default()
        } else {
            at_turn(&placement, self.first().turn())?
        };
        let first = Node::new(position, None, self.first().since);
        let better = self.replayed(first, self.moves())?;
        (better.tip().board() == shown).then_some(better)
    }

    /// Whether a move began or ended on a square.
    fn has_moved_at(&self, square: Square) -> bool {
        let mut nodes = self.nodes.windows(2);
        nodes.any(|pair| differing_squares(pair[0].board(), pair[1].board()).contains(square))
    }

    /// Whether the side to move is known.
    pub(super) const fn knows_turn(&self) -> bool {
        self.other_turn.is_none()
    }

    /// The last position shown.
    pub(super) fn tip(&self) -> &Node {
        &self.nodes[self.nodes.len() - 1]
    }

    /// The first position.
    pub(super) fn first(&self) -> &Node {
        &self.nodes[0]
    }

    /// The position before the last move, while that move may still be replaced.
    pub(super) fn before_tip(&self) -> Option<&Node> {
        let index = self.nodes.len().checked_sub(2)?;
        (!self.tip().sealed).then(|| &self.nodes[index])
    }

    /// The number of moves.
    pub(super) fn plies(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The positions after each move.
    pub(super) fn played(&self) -> &[Node] {
        &self.nodes[1..]
    }

    /// The last position as a FEN.
    pub(super) fn fen(&self) -> String {
        Fen::from_position(&self.tip().position, EnPassantMode::Legal).to_string()
    }

    /// Notes a press for the last move of the side that pressed. A press may be received only after
    /// the next player has begun.
    pub(super) fn seal_for(&mut self, by: Option<Color>) {
        if self.plies() == 0 {
            return;
        }
        let late = usize::from(self.is_press_for_move_before(by));
        let index = self.nodes.len() - 1 - late;
        if index > 0 {
            self.nodes[index].sealed = true;
        }
    }

    /// Whether a press was for the move before the last one. If nobody knows who sits where, the
    /// players press in turn.
    pub(super) fn is_press_for_move_before(&self, by: Option<Color>) -> bool {
        let sealed = self.last_sealed();
        let by_turns = || (sealed > 0).then(|| self.nodes[sealed].turn());
        let is_open = self.plies() > 1 && !self.tip().sealed;
        is_open && by.or_else(by_turns) == Some(self.tip().turn())
    }

    /// Whether a press cannot be assigned to one of several moves.
    pub(super) fn is_press_for_any(&self, by: Option<Color>) -> bool {
        by.is_none() && self.plies() > 1 && self.last_sealed() == 0 && !self.tip().rested
    }

    /// The number of the last move for which the clock was pressed.
    pub(super) fn last_sealed(&self) -> usize {
        let sealed = self.nodes.iter().rposition(|node| node.sealed);
        sealed.unwrap_or(0)
    }

    /// Whether a move is final: the clock was pressed for it, or the pieces have rested after the
    /// next one.
    pub(super) fn is_made(&self, index: usize) -> bool {
        let is_sure = |node: &Node| node.sealed || node.rested;
        let mut next = self.played()[index..].iter();
        next.next().is_some_and(|node| node.sealed) || next.any(is_sure)
    }

    /// Whether what is shown is the last position except for a piece that the next player has
    /// lifted after a move not yet pressed for.
    pub(super) fn is_tip_but_for_lifted(&self, shown: &Board) -> bool {
        let tip = self.tip();
        self.plies() > 0 && !tip.sealed && lacks_one_of(tip.board(), shown, tip.turn())
    }

    /// Follows a move whose position the board never showed, because the next player already had a
    /// piece in his hand.
    pub(super) fn follow_lifted(&mut self, shown: &Board, now: Moment) {
        let tip = self.tip();
        if let Some(child) = tip.child_but_for_lifted(shown, now) {
            self.other_turn = None;
            self.nodes.push(child);
            return;
        }
        if self.plies() == 0 || tip.sealed || tip.rested {
            return;
        }
        let parent = &self.nodes[self.nodes.len() - 2];
        if let Some(sibling) = parent.child_but_for_lifted(shown, now)
            && sibling.played != tip.played
        {
            self.give_up_tip();
            self.nodes.push(sibling);
        }
    }

    /// Follows what is shown at any moment, even in the middle of a move. That is a legal move from
    /// the last position, or another move in place of the last one (a piece that slid on, or
    /// castling that began with the rook), or that move put back. A move on which the pieces have
    /// rested or that was pressed for is not given up for a moment's view. Returns whether the
    /// board shows a known position.
    pub(super) fn follow(&mut self, shown: &Board, now: Moment) -> bool {
        if self.is_next(shown, now) {
            return true;
        }
        if self.nodes.len() > 1 && !self.tip().sealed && !self.tip().rested {
            let parent = &self.nodes[self.nodes.len() - 2];
            if let Some(sibling) = parent.child(shown, now) {
                self.replace_tip(sibling);
                return true;
            }
            if parent.board() == shown {
                self.give_up_tip();
                return true;
            }
        }
        self.follow_given_up(shown, now)
    }

    /// Follows a reply to a move that was given up. The piece had not gone on: the opponent
    /// captured it and dragged it over a square to which it might have gone.
    fn follow_given_up(&mut self, shown: &Board, now: Moment) -> bool {
        let last = self.nodes.len() - 1;
        let is_open = last > 0 && !self.tip().sealed && !self.tip().rested;
        for index in (last - usize::from(is_open)..=last).rev() {
            let mut given_up = self.nodes[index].given_up.iter().rev();
            let answered = |node: &Node| Some([node.clone(), node.child(shown, now)?]);
            if let Some(both) = given_up.find_map(answered) {
                self.nodes.truncate(index + 1);
                self.nodes.extend(both);
                return true;
            }
        }
        false
    }

    /// Gives up the last move, which no longer stands there. Returns it.
    fn give_up_tip(&mut self) -> Option<Move> {
        let tip = self.nodes.pop()?;
        let played = tip.played;
        if let Some(parent) = self.nodes.last_mut() {
            parent.given_up.retain(|node| node.played != played);
            parent.given_up.push(tip);
        }
        played
    }

    /// Replaces the last move by another.
    fn replace_tip(&mut self, mut other: Node) {
        let before = self.give_up_tip();
        other.is_rook_first = other
            .played
            .zip(before)
            .is_some_and(|(castling, rook)| is_rook_of(castling, rook));
        self.nodes.push(other);
    }

    /// Follows what is shown when the pieces are at rest. Besides what [`Self::follow`] knows,
    /// these are moves replaced or taken back after a press, and two moves at once of which the
    /// first was unfinished when the second began.
    pub(super) fn follow_at_rest(&mut self, shown: &Board, now: Moment) -> bool {
        let is_known = self.find_at_rest(shown, now);
        if is_known {
            // A resting piece has arrived.
            for node in &mut self.nodes {
                node.given_up.clear();
            }
            if let Some(tip) = self.nodes.last_mut() {
                tip.rested = true;
            }
        }
        is_known
    }

    /// As [`Self::follow`], or two moves at once.
    pub(super) fn follow_one_or_two(&mut self, shown: &Board, now: Moment) -> bool {
        if self.follow(shown, now) {
            return true;
        }
        let both = self.two_moves(shown, now);
        if let Some((index, both)) = both {
            self.nodes.truncate(index + 1);
            self.nodes.extend(both);
            return true;
        }
        false
    }

    fn find_at_rest(&mut self, shown: &Board, now: Moment) -> bool {
        if self.follow_one_or_two(shown, now) {
            return true;
        }
        for index in (0..self.nodes.len() - 1).rev() {
            let recent = self.nodes.len() - 1 - index <= REPLACED_PLIES_MAX;
            if recent && let Some(replaced) = self.nodes[index].child(shown, now) {
                self.nodes.truncate(index + 2);
                self.replace_tip(replaced);
                return true;
            }
            if self.nodes[index].board() == shown {
                self.nodes.truncate(index + 1);
                return true;
            }
        }
        if let Some(better) = self.seen_better(shown, now) {
            *self = better;
            return true;
        }
        false
    }

    /// The only pair of moves to what is shown, and the position they start from. Last moves on
    /// which the pieces never rested may have been on their way elsewhere. If one piece is in the
    /// air, it may have been captured or only lifted.
    fn two_moves(&self, shown: &Board, now: Moment) -> Option<(usize, [Node; 2])> {
        let is_sure = |node: &Node| node.sealed || node.rested;
        let sure = self.nodes.iter().rposition(is_sure).unwrap_or(0);
        let tip = self.nodes.len() - 1;
        let from = |index: usize| {
            let both = self.nodes[index].grandchild(shown, now)?;
            Some((index, both))
        };
        let has_slid_on = |index: &usize| {
            let parent = &self.nodes[index.saturating_sub(1)];
            *index > sure && parent.child_but_for_lifted(shown, now).is_some()
        };
        (sure.max(tip.saturating_sub(UNSURE_PLIES_MAX))..=tip)
            .filter(|index| !has_slid_on(index))
            .find_map(from)
    }

    fn is_next(&mut self, shown: &Board, now: Moment) -> bool {
        if self.tip().board() == shown {
            return true;
        }
        if let Some(child) = self.tip().child(shown, now) {
            self.other_turn = None;
            self.nodes.push(child);
            return true;
        }
        if self.nodes.len() == 1
            && let Some(other) = &self.other_turn
            && let Some(child) = other.child(shown, now)
            && let Some(other) = self.other_turn.take()
        {
            self.nodes = vec![other, child];
            return true;
        }
        false
    }

    /// Whether what is shown is the last position except for the kings in the centre: the gesture
    /// with which players of electronic boards show the result.
    pub(super) fn shows_result(&self, shown: &Board) -> Option<Gesture> {
        let gesture = Gesture::of_kings(shown)?;
        // Kings in the centre are always neighbours, so no position of a game looks like it. A few
        // pieces may have made room for them.
        let is_but_for_kings = |node: &Node| {
            let kings = node.board().kings() | shown.kings();
            let others = differing_squares(node.board(), shown).without(kings);
            others.count() <= MADE_ROOM_MAX
        };
        let mut last = self.nodes.iter().rev().take(2);
        last.any(is_but_for_kings).then_some(gesture)
    }

    /// Drops a king's move that was the first half of the result gesture.
    pub(super) fn drop_king_to_centre(&mut self) {
        let is_to_centre = |node: &Node| {
            !node.sealed
                && node.played.is_some_and(|played| {
                    played.role() == Role::King && Gesture::SQUARES.contains(&played.to())
                })
        };
        while self.nodes.len() > 1 && is_to_centre(self.tip()) {
            self.nodes.pop();
        }
    }
}

/// Whether the first is castling, and the second moved its rook to the castled square.
pub fn is_rook_of(castling: Move, rook: Move) -> bool {
    let Move::Castle { king, rook: corner } = castling else {
        return false;
    };
    let side = shakmaty::CastlingSide::from_king_side(corner > king);
    let color = Color::from_white(king.rank() == shakmaty::Rank::First);
    rook.from() == Some(corner) && rook.to() == side.rook_to(color) && !rook.is_castle()
}

/// A placement with a side to move. Kings and rooks on their own squares may still castle.
fn at_turn(placement: &Board, turn: Color) -> Option<Chess> {
    let mut setup = Setup::initial();
    setup.board = placement.clone();
    setup.turn = turn;
    setup.castling_rights = unmoved_rooks(placement);
    // A misread piece may be one too many.
    setup
        .position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// Whether what is shown is exactly the position without one piece of this colour.
fn lacks_one_of(position: &Board, shown: &Board, color: Color) -> bool {
    let mut missing = differing_squares(position, shown).into_iter();
    match (missing.next(), missing.next()) {
        (Some(square), None) => {
            shown.piece_at(square).is_none() && position.color_at(square) == Some(color)
        }
        _ => false,
    }
}

/// How many squares besides the kings' may have changed when the kings show the result.
const MADE_ROOM_MAX: usize = 4;

/// The rooks that stand in their corners beside a king on his own square, and may still castle.
pub fn unmoved_rooks(placement: &Board) -> shakmaty::Bitboard {
    let mut rooks = shakmaty::Bitboard::EMPTY;
    for color in Color::ALL {
        let king = Square::from_coords(shakmaty::File::E, color.backrank());
        if placement.piece_at(king) != Some(color.king()) {
            continue;
        }
        for file in [shakmaty::File::A, shakmaty::File::H] {
            let corner = Square::from_coords(file, color.backrank());
            if placement.piece_at(corner) == Some(color.rook()) {
                rooks.add(corner);
            }
        }
    }
    rooks
}

/// The result that kings in the centre indicate. The players still have to say it: only words and
/// scores end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// Both kings on the light squares of the centre: White has won.
    WhiteWins,
    /// Both kings on the dark squares of the centre: Black has won.
    BlackWins,
    /// One on a light, one on a dark square: drawn.
    Draw,
}

impl Gesture {
    /// The four squares in the centre, on which kings show a result.
    pub const SQUARES: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

    /// The result that the kings show, if both stand in the centre.
    pub fn of_kings(shown: &Board) -> Option<Self> {
        let square_of = |color| {
            shown
                .king_of(color)
                .filter(|square| Self::SQUARES.contains(square))
        };
        let (white, black) = (square_of(Color::White)?, square_of(Color::Black)?);
        Some(match (white.is_light(), black.is_light()) {
            (true, true) => Self::WhiteWins,
            (false, false) => Self::BlackWins,
            _ => Self::Draw,
        })
    }

    /// The result in the notation of a score.
    pub const fn result(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}
