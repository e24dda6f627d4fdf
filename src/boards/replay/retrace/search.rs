//! Follows many games at once, each with the cost of what it leaves unexplained.

#![allow(
    clippy::indexing_slicing,
    reason = "nodes are never taken out of this list, and each index is that of one"
)]

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, MoveList, Piece, Position,
    Square, uci::UciMove,
};

use super::{Retraced, Sighting};
use annexd_game::board::{PlayedMove, SquareDifference, differences, differing_squares};
use annexd_laws::moment::Moment;

/// How many games are followed at once.
const GAMES_MAX: usize = 200;
/// How much more than the cheapest a game may cost.
const COST_MAX: i32 = 50;
/// Games whose final costs differ by at most this cannot be told apart.
const DOUBT_MAX: i32 = 8;

/// The cost of a wrong square each time the board shows it, up to a limit. A square that stays
/// wrong for good is no better explained by a game that fits it late.
const WRONG_SQUARE: i32 = 2;
const WRONG_TIMES_MAX: u8 = 10;
/// With at most this many wrong squares it is a position of the game.
const CALM_MAX: usize = 2;
/// The cost of a move, and the extra cost if it leaves no fewer squares wrong.
const MOVE: i32 = 3;
const MOVE_TOO_EARLY: i32 = 1;
/// The cost of each square of a move that the board has not reported since the move before last, or
/// has reported differently.
const UNTOLD_SQUARE: i32 = 12;
/// The cost of a move that was not seen at all.
const UNSEEN_MOVE: i32 = 30;
const TAKE_BACK: i32 = 10;
const TAKE_BACK_AFTER_PRESS: i32 = 30;
/// The cost of a press before the board reported its move.
const EARLY_PRESS: i32 = 10;
/// The cost of a press without a move.
const PRESS_WITHOUT_MOVE: i32 = 24;
/// The cost of a move before the previous one was pressed for.
const MOVE_BEFORE_PRESS: i32 = 10;
/// The cost of a square that has changed since the last press and is wrong at this one.
const UNEXPLAINED_CHANGE: i32 = 16;
/// The cost of a reported square that nothing in the game explains.
const SAID_FOR_NOTHING: i32 = 4;
/// The cost of a square not reported lately that a full report now shows to be different.
const WRONG_IN_WHOLE: i32 = 12;
/// The costs of an untold square, an unseen move and an early move when something was lost on the
/// line.
const UNTOLD_SQUARE_LOST: i32 = 4;
const UNSEEN_MOVE_LOST: i32 = 10;
const MOVE_BEFORE_PRESS_LOST: i32 = 3;
/// The cost of two lost presses.
const PRESSES_LOST: i32 = 24;
const PRESSES_LOST_ON_LINE: i32 = 8;
/// At most one in this many presses of a reported game may be for no move of it.
const ODD_PRESSES_SHARE: usize = 8;

struct Node {
    position: Chess,
    legal: Option<Rc<MoveList>>,
    key: Option<Zobrist64>,
    parent: Option<usize>,
    played: Option<Move>,
    plies: usize,
    since: Moment,
    step: usize,
    /// The moves that may have been played instead, by their number.
    doubts: BTreeMap<usize, Vec<UciMove>>,
}

/// One of the followed games.
#[derive(Clone, Copy)]
struct Followed {
    node: usize,
    cost: i32,
    /// The number of moves not pressed for, less the presses that came before their moves.
    unpressed: i32,
    /// How many times in a row each square was wrong.
    wrong_times: [u8; 64],
    /// The wrong squares at the last press, and those of them that had been right before.
    wrong_at_press: Bitboard,
    newly_wrong: Bitboard,
    /// After this many moves a king stood where no legal move brought it.
    illegal_after: Option<usize>,
    /// When the clock was last pressed for a move that was seen.
    last_press: usize,
    /// The last position with hardly any wrong squares.
    calm: usize,
    odd_presses: usize,
}

pub(super) struct Search {
    nodes: Vec<Node>,
    games: Vec<Followed>,
    shown: Board,
    /// The number of observations, and the one that last reported each square.
    steps: usize,
    told_at: [usize; 64],
    moments: Vec<Moment>,
    has_clock: bool,
    /// When something was last lost on the line.
    lost: usize,
    /// The cost of the cheapest game.
    least: i32,
    /// The placement shown when the clock was last pressed.
    shown_at_press: Option<Board>,
}

impl Search {
    pub(super) fn new(roots: &[Chess], now: Moment, has_clock: bool) -> Self {
        let mut search = Self {
            nodes: Vec::new(),
            games: Vec::new(),
            shown: Board::empty(),
            steps: 0,
            told_at: [0; 64],
            moments: vec![now],
            has_clock,
            lost: 0,
            least: 0,
            shown_at_press: None,
        };
        for root in roots {
            search.shown = root.board().clone();
            let node = search.add(root.clone(), None, now);
            search.games.push(Followed {
                node,
                cost: 0,
                unpressed: 0,
                wrong_times: [0; 64],
                wrong_at_press: Bitboard::EMPTY,
                newly_wrong: Bitboard::EMPTY,
                illegal_after: None,
                last_press: 0,
                calm: node,
                odd_presses: 0,
            });
        }
        search
    }

    fn add(&mut self, position: Chess, from: Option<(usize, Move)>, since: Moment) -> usize {
        self.nodes.push(Node {
            position,
            legal: None,
            key: None,
            parent: from.map(|(parent, _)| parent),
            played: from.map(|(_, played)| played),
            plies: from.map_or(0, |(parent, _)| self.nodes[parent].plies + 1),
            since,
            step: self.steps,
            doubts: BTreeMap::new(),
        });
        self.nodes.len() - 1
    }

    fn legal(&mut self, node: usize) -> Rc<MoveList> {
        let node = &mut self.nodes[node];
        let position = &node.position;
        let legal = || Rc::new(position.legal_moves());
        Rc::clone(node.legal.get_or_insert_with(legal))
    }

    fn key(&mut self, node: usize) -> Zobrist64 {
        let node = &mut self.nodes[node];
        let position = &node.position;
        let hash = || position.zobrist_hash(EnPassantMode::Legal);
        *node.key.get_or_insert_with(hash)
    }

    fn wrong(&self, node: usize) -> Bitboard {
        differing_squares(self.nodes[node].position.board(), &self.shown)
    }

    pub(super) fn step(&mut self, sighting: &Sighting, now: Moment) {
        self.steps += 1;
        self.moments.push(now);
        let games = std::mem::take(&mut self.games);
        let mut next = Vec::new();
        match sighting {
            Sighting::Shown(shown) => {
                for square in differing_squares(shown, &self.shown) {
                    self.told_at[square as usize] = self.steps;
                }
                self.shown = shown.clone();
                for game in games {
                    self.follow(game, now, &mut next);
                }
            }
            Sighting::SaidAgain(square, piece) => {
                self.told_at[*square as usize] = self.steps;
                next.extend(games.into_iter().map(|mut game| {
                    game.cost += self.cost_of_said(game.node, *square, *piece);
                    game
                }));
            }
            Sighting::SaidWhole => {
                next.extend(games.into_iter().map(|game| self.said_whole(game)));
            }
            Sighting::Lost => {
                self.lost = self.steps;
                next = games;
            }
            Sighting::Pressed => {
                self.shown_at_press = Some(self.shown.clone());
                for game in games {
                    self.press(game, now, &mut next);
                }
            }
        }
        self.games = self.cheapest(next);
    }

    /// Adds everything that the board may mean for one of the games.
    fn follow(&mut self, game: Followed, now: Moment, next: &mut Vec<Followed>) {
        let wrong = self.wrong(game.node);
        next.push(self.shown_by(game));
        if wrong.is_empty() {
            return;
        }
        if let Some(parent) = self.nodes[game.node].parent
            && self.wrong(parent).count() < wrong.count()
        {
            let is_free = game.unpressed > 0 || !self.has_clock;
            let price = if is_free {
                TAKE_BACK
            } else {
                TAKE_BACK_AFTER_PRESS
            };
            let back = Followed {
                node: parent,
                cost: game.cost + price,
                // The clock is pressed back for the move it was pressed for.
                unpressed: if is_free {
                    (game.unpressed - 1).max(0)
                } else {
                    game.unpressed + 1
                },
                ..game
            };
            next.push(self.shown_by(back));
        }
        for (node, price) in self.children(game.node, wrong, wrong.count(), now) {
            let moved = self.moved(game, node, price);
            // The first of two moves was never shown by itself.
            let left = self.wrong(node);
            if left.count() > 1 {
                for (node, price) in self.children(node, left, left.count() - 1, now) {
                    let again = self.moved(moved, node, price);
                    next.push(self.shown_by(again));
                }
            }
            next.push(self.shown_by(moved));
        }
    }

    /// The game with the cost of the squares that the board shows differently.
    fn shown_by(&self, mut game: Followed) -> Followed {
        let wrong = self.wrong(game.node);
        for square in Square::ALL {
            let times = &mut game.wrong_times[square as usize];
            if !wrong.contains(square) {
                *times = 0;
            } else if *times < WRONG_TIMES_MAX {
                *times += 1;
                game.cost += WRONG_SQUARE;
            }
        }
        if wrong.count() <= CALM_MAX && !self.is_king_elsewhere(game.node) {
            game.calm = game.node;
        }
        game
    }

    /// Whether something was lost since this game's last press.
    const fn has_lost(&self, game: &Followed) -> bool {
        self.lost > game.last_press
    }

    /// In a full report, differing squares have changed long ago.
    fn said_whole(&self, mut game: Followed) -> Followed {
        let wrong = self.wrong(game.node) & !self.in_hand(game.node);
        for square in wrong {
            let told = self.told_at[square as usize];
            if told <= game.last_press {
                game.cost += WRONG_IN_WHOLE;
                game.wrong_times[square as usize] = 0;
            }
        }
        game
    }

    fn moved(&self, game: Followed, node: usize, price: i32) -> Followed {
        let is_owed = self.has_clock && game.unpressed >= 1;
        let owed = match self.has_lost(&game) {
            _ if !is_owed => 0,
            true => MOVE_BEFORE_PRESS_LOST * game.unpressed,
            false => MOVE_BEFORE_PRESS * game.unpressed,
        };
        Followed {
            node,
            cost: game.cost + price + owed,
            unpressed: game.unpressed + 1,
            ..game
        }
    }

    /// The legal moves that explain some of the wrong squares and leave at most `most` of them,
    /// with their costs.
    fn children(
        &mut self,
        node: usize,
        wrong: Bitboard,
        most: usize,
        now: Moment,
    ) -> Vec<(usize, i32)> {
        let before = self.nodes[node].parent.map_or(0, |it| self.nodes[it].step);
        let mut found = Vec::new();
        for &played in self.legal(node).iter() {
            let is_seen = wrong.contains(played.to())
                || played.from().is_some_and(|from| wrong.contains(from));
            if !is_seen {
                continue;
            }
            let mut after = self.nodes[node].position.clone();
            after.play_unchecked(played);
            let left = differing_squares(after.board(), &self.shown);
            if left.count() > most {
                continue;
            }
            let early = if left.count() == wrong.count() {
                MOVE_TOO_EARLY
            } else {
                0
            };
            let moved = differing_squares(after.board(), self.nodes[node].position.board());
            // A square reported for another move's sake is no evidence for this one.
            let is_untold = |square: &Square| {
                self.told_at[*square as usize] <= before || left.contains(*square)
            };
            let untold = moved.into_iter().filter(is_untold).count() as i32;
            // The move was made when the last of its squares was reported, though it is recognised
            // later.
            let told = moved
                .into_iter()
                .map(|square| self.told_at[square as usize]);
            let told = told.max().filter(|&step| step > before);
            let since = told.map_or(now, |step| self.moments[step]);
            let since = since.max(self.nodes[node].since);
            let child = self.add(after, Some((node, played)), since);
            let price = if self.lost > before {
                UNTOLD_SQUARE_LOST
            } else {
                UNTOLD_SQUARE
            };
            found.push((child, MOVE + early + price * untold));
        }
        found
    }

    fn press(&mut self, game: Followed, now: Moment, next: &mut Vec<Followed>) {
        if game.unpressed > 0 {
            next.push(self.pressed(Followed {
                unpressed: game.unpressed - 1,
                ..game
            }));
            if game.unpressed > 2 {
                // Two presses in a row were lost, so the side to move is the same.
                let price = if self.has_lost(&game) {
                    PRESSES_LOST_ON_LINE
                } else {
                    PRESSES_LOST
                };
                next.push(self.pressed(Followed {
                    unpressed: game.unpressed - 3,
                    cost: game.cost + price,
                    ..game
                }));
            }
            return;
        }
        if game.unpressed < 0 {
            let odd = Followed {
                cost: game.cost + PRESS_WITHOUT_MOVE,
                odd_presses: game.odd_presses + 1,
                ..game
            };
            next.push(self.pressed(odd));
            // This press and the one before were for nothing.
            next.push(self.pressed(Followed {
                unpressed: 0,
                odd_presses: game.odd_presses + 2,
                ..odd
            }));
            return;
        }
        let is_first = self.nodes[game.node].plies == 0;
        next.push(Followed {
            unpressed: if is_first { 0 } else { -1 },
            cost: game.cost + EARLY_PRESS + UNEXPLAINED_CHANGE * (self.changed(&game) - 2).max(0),
            last_press: self.steps,
            ..game
        });
        self.play_unseen(game, now, next);
    }

    /// Follows a press for a move of which the board has reported nothing.
    fn play_unseen(&mut self, game: Followed, now: Moment, next: &mut Vec<Followed>) {
        let price = if self.has_lost(&game) {
            UNSEEN_MOVE_LOST
        } else {
            UNSEEN_MOVE
        };
        let cost = game.cost + price;
        if cost > self.least + COST_MAX {
            return;
        }
        for &played in self.legal(game.node).iter() {
            let before = self.wrong(game.node);
            let mut after = self.nodes[game.node].position.clone();
            after.play_unchecked(played);
            let node = self.add(after, Some((game.node, played)), now);
            let mut unseen = Followed { node, cost, ..game };
            for square in self.wrong(node) & !before {
                // A lost report does not make a square wrong.
                if self.told_at[square as usize] <= game.last_press {
                    unseen.wrong_times[square as usize] = WRONG_TIMES_MAX;
                }
            }
            next.push(self.pressed(unseen));
        }
    }

    /// Pieces that the next player may have lifted already.
    fn in_hand(&self, node: usize) -> Bitboard {
        self.nodes[node].position.us() & !self.shown.occupied()
    }

    /// The number of wrong squares that have changed since the last press.
    fn changed(&self, game: &Followed) -> i32 {
        let is_new = |square: &Square| self.told_at[*square as usize] > game.last_press;
        let wrong = self.wrong(game.node) & !self.in_hand(game.node);
        wrong.into_iter().filter(is_new).count() as i32
    }

    /// Whether a king stands on another square than in this position, so that it has moved.
    fn is_king_elsewhere(&self, node: usize) -> bool {
        let board = self.nodes[node].position.board();
        Color::ALL.into_iter().any(|color| {
            let shown = self.shown.by_piece(color.king());
            let expected = board.king_of(color);
            shown.any() && expected.is_some_and(|square| !shown.contains(square))
        })
    }

    /// A press: squares that are wrong now were not meant by the move.
    fn pressed(&self, game: Followed) -> Followed {
        let node = &self.nodes[game.node];
        let wrong = self.wrong(game.node);
        let illegal_after = self.is_king_elsewhere(game.node).then(|| {
            let before = node.plies.saturating_sub(1);
            game.illegal_after.unwrap_or(before)
        });
        Followed {
            cost: game.cost + UNEXPLAINED_CHANGE * self.changed(&game),
            wrong_at_press: wrong,
            newly_wrong: wrong & !self.in_hand(game.node) & !game.wrong_at_press,
            illegal_after,
            last_press: self.steps,
            ..game
        }
    }

    /// The cost of a repeated reading of a square on which nothing has happened lately in this
    /// game.
    fn cost_of_said(&self, node: usize, square: Square, piece: Option<Piece>) -> i32 {
        let mut at = Some(node);
        for _ in 0..3 {
            let Some(node) = at.map(|at| &self.nodes[at]) else {
                break;
            };
            if node.position.board().piece_at(square) != piece {
                return 0;
            }
            at = node.parent;
        }
        SAID_FOR_NOTHING
    }

    /// Keeps the cheapest games, and of games in the same position the cheapest one.
    fn cheapest(&mut self, mut games: Vec<Followed>) -> Vec<Followed> {
        games.sort_by_key(|game| game.cost);
        let least = games.first().map_or(0, |game| game.cost);
        self.least = least;
        let mut kept: Vec<Followed> = Vec::new();
        let mut known = BTreeMap::new();
        for game in games {
            if game.cost > least + COST_MAX || kept.len() == GAMES_MAX {
                break;
            }
            match known.entry((self.key(game.node), game.unpressed)) {
                Entry::Vacant(place) => {
                    place.insert(game);
                    kept.push(game);
                }
                Entry::Occupied(place) => {
                    if game.cost <= place.get().cost + DOUBT_MAX {
                        self.note_doubts(place.get().node, game.node);
                    }
                }
            }
        }
        kept
    }

    /// Notes that two games lead to the same position, so that nothing will show which was played.
    fn note_doubts(&mut self, kept: usize, other: usize) {
        if kept == other || self.nodes[kept].plies != self.nodes[other].plies {
            return;
        }
        let others = self.others(kept, other);
        for (ply, played) in others {
            let doubts = self.nodes[kept].doubts.entry(ply).or_default();
            if !doubts.contains(&played) {
                doubts.push(played);
            }
        }
    }

    /// The moves of a game that differ from those of another of the same length.
    fn others(&self, mut kept: usize, mut other: usize) -> Vec<(usize, UciMove)> {
        let mut others = Vec::new();
        while kept != other {
            let (one, two) = (&self.nodes[kept], &self.nodes[other]);
            let (Some(before), Some(before_other)) = (one.parent, two.parent) else {
                break;
            };
            if one.played != two.played
                && let Some(played) = two.played
            {
                others.push((two.plies, played.to_uci(CastlingMode::Standard)));
            }
            (kept, other) = (before, before_other);
        }
        others
    }

    fn ancestor(&self, mut node: usize, plies: usize) -> usize {
        while self.nodes[node].plies > plies
            && let Some(parent) = self.nodes[node].parent
        {
            node = parent;
        }
        node
    }

    /// How much of a game is reported: the moves pressed for, and a last move that stands there.
    fn told(&self, game: &Followed) -> usize {
        if !self.has_clock {
            // Without a clock nothing distinguishes play from putting pieces away.
            return game.calm;
        }
        let plies = self.nodes[game.node].plies;
        let unpressed = game.unpressed.max(0) as usize;
        if let Some(before) = game.illegal_after {
            return self.ancestor(game.node, before.min(plies - unpressed));
        }
        let wrong = self.wrong(game.node).count();
        let stands = unpressed == 1 && wrong <= game.wrong_at_press.count();
        if stands {
            return game.node;
        }
        // Nothing later confirms a move whose squares were not right.
        let is_doubtful = game.newly_wrong.any() && game.unpressed <= 0;
        let told = plies - unpressed - usize::from(is_doubtful && plies > 0);
        self.ancestor(game.node, told)
    }

    pub(super) fn finish(&self, presses: usize) -> Option<Retraced> {
        let best = self.games.first()?;
        let last = self.told(best);
        let mut doubts: BTreeMap<usize, Vec<UciMove>> = BTreeMap::new();
        let rivals = self.games.iter().skip(1);
        for rival in rivals.take_while(|rival| rival.cost <= best.cost + DOUBT_MAX) {
            let rival = self.told(rival);
            let plies = self.nodes[last].plies.min(self.nodes[rival].plies);
            let both = (self.ancestor(last, plies), self.ancestor(rival, plies));
            for (ply, played) in self.others(both.0, both.1) {
                doubts.entry(ply).or_default().push(played);
            }
        }
        let mut moves = Vec::new();
        let mut at = last;
        loop {
            let node = &self.nodes[at];
            for (&ply, others) in &node.doubts {
                doubts.entry(ply).or_default().extend(others);
            }
            let (Some(parent), Some(played)) = (node.parent, node.played) else {
                break;
            };
            moves.push(PlayedMove {
                ply: node.plies,
                side: self.nodes[parent].position.turn(),
                played: played.to_uci(CastlingMode::Standard),
                since: node.since,
            });
            at = parent;
        }
        moves.reverse();
        for (ply, others) in &mut doubts {
            let made = ply.checked_sub(1).and_then(|index| moves.get(index));
            others.sort_by_key(ToString::to_string);
            others.dedup();
            others.retain(|other| made.is_some_and(|made| made.played != *other));
        }
        doubts.retain(|_, others| !others.is_empty());
        Some(Retraced {
            moves,
            doubts,
            end: self.nodes[last].position.clone(),
            is_sound: best.odd_presses * ODD_PRESSES_SHARE <= presses,
            wrong_at_press: self.wrong_at_press(last),
        })
    }

    /// The squares that differed at the last press, compared with the game at that point or one
    /// move earlier. Pieces that the next player had lifted do not count.
    fn wrong_at_press(&self, last: usize) -> Vec<SquareDifference> {
        let Some(shown) = &self.shown_at_press else {
            return Vec::new();
        };
        let ends = [Some(last), self.nodes[last].parent].into_iter().flatten();
        let wrong = ends.map(|end| {
            let position = &self.nodes[end].position;
            let mut wrong = differences(position.board(), shown);
            wrong.retain(|it| {
                it.shown.is_some() || it.expected.is_none_or(|its| its.color != position.turn())
            });
            wrong
        });
        wrong.min_by_key(Vec::len).unwrap_or_default()
    }
}
