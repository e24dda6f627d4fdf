//! Reads out what stands on the board, on request (11.3.1): outside rated play, or where the
//! arbiter allows it. It says what stands where, never what that is worth or allows.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square};

use super::Game;
use super::effect::{Effect, Priority};
use super::profile::{Aid, Mode};
use annexd_laws::notation::Question;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Game {
    /// Answers a person's question about the board or the score.
    pub(super) fn question(&mut self, person: Person, question: Question) {
        if question.is_about_score() {
            self.answer_from_score(person, question);
            return;
        }
        self.ask_board(person, |board, plays, side| match question {
            Question::Square(square) => vec![on_square(board, square)],
            Question::File(file) => on_line(board, Bitboard::from_file(file)),
            Question::Rank(rank) => on_line(board, Bitboard::from_rank(rank)),
            Question::Diagonals(square) => on_diagonals(board, square),
            Question::Pieces { role, side } => {
                let sides = Color::ALL.into_iter();
                let sides = sides.filter(|it| side.is_none_or(|side| side == *it));
                sides.map(|side| of_kind(board, side, role)).collect()
            }
            Question::Side(side) => of_side(board, side),
            Question::Material => Color::ALL.map(|side| material(board, side)).to_vec(),
            Question::Taken => vec![plays(side)],
            Question::LastMoves(_) | Question::MovesFrom(_) => Vec::new(),
        });
    }

    /// Reads the whole board: White first, each side from the king down.
    pub(super) fn read_board(&mut self, person: Person) {
        self.ask_board(person, |board, _, _| {
            let sides = Color::ALL.into_iter();
            sides.flat_map(|side| of_side(board, side)).collect()
        });
    }

    /// Tells a player alone what stands on the board after the moves made, if that is allowed.
    fn ask_board(
        &mut self,
        person: Person,
        answer: impl FnOnce(&Board, &dyn Fn(Color) -> Phrase, Color) -> Vec<Phrase>,
    ) {
        let side = match self.only_player(person) {
            Ok(side) => side,
            Err(clause) => {
                self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
                return;
            }
        };
        if !self.may_use(Aid::Board) {
            self.refuse(self.private(side), "11.3.1", PhraseKey::BoardForbidden);
            return;
        }
        let Some((_, side)) = self.answered_to(person, true) else {
            return;
        };
        if self.profile.mode == Mode::Rated {
            let whom = Argument::Side(side);
            self.report("11.3.1", PhraseKey::BoardReadAloud, [whom]);
        }
        let items = answer(self.course.board(), &|side| self.taken_by(side), side);
        self.read_list(side, items);
    }

    /// Reads a list to a player alone.
    pub(super) fn read_list(&mut self, side: Color, items: Vec<Phrase>) {
        let effects = self.speech.read(side, items);
        self.response.extend(effects);
    }

    /// Says the next or previous item of the list being read to a player.
    pub(super) fn step_list(&mut self, channel: Channel, side: Color, forward: bool) {
        let list = self.speech.list(side);
        let is_empty = list.is_empty();
        if list.is_under_way() {
            self.response.push(Effect::Silence(channel));
        }
        match self.speech.step(side, forward) {
            Some(item) => self.say(channel, item.key, item.arguments, Priority::Next),
            None if is_empty => self.say(channel, PhraseKey::NothingRead, [], Priority::Next),
            None => self.say(channel, PhraseKey::ListEnds, [], Priority::Next),
        }
    }

    /// The pieces that a side has captured, counted by what the opponent lost in its moves.
    fn taken_by(&self, side: Color) -> Phrase {
        let plays = self.course.plays();
        let after = plays.iter().skip(1).map(|play| play.before.board());
        let after = after.chain([self.course.board()]);
        let moves = plays.iter().zip(after);
        let moves = moves.filter(|(play, _)| play.moving.side == side);
        let mut taken = [0; 6];
        for (play, after) in moves {
            for (role, count) in Role::ALL.into_iter().zip(&mut taken) {
                let of = |board: &Board| board.by_piece(role.of(!side)).count();
                let less = of(play.before.board()).saturating_sub(of(after));
                *count += u32::try_from(less).unwrap_or_default();
            }
        }
        match counted(Role::ALL.into_iter().zip(taken)) {
            taken if taken.is_empty() => PhraseKey::HasTakenNothing.into(),
            taken => Phrase::new(PhraseKey::HasTaken, [Argument::Counted(taken)]),
        }
    }

    /// Whether an aid may be used. In rated play the arbiter has to allow it; after the end nothing
    /// is a hint.
    pub fn may_use(&self, aid: Aid) -> bool {
        self.profile.mode != Mode::Rated
            || self.scores.is_over()
            || self.profile.aids.contains(&aid)
            || !self.holds("11.3.1")
    }

    /// Allows or forbids an aid on the arbiter's word. Both players are told.
    pub(super) fn allow_aid(&mut self, aid: Aid, is_allowed: bool) {
        let key = if is_allowed {
            self.profile.aids.insert(aid);
            PhraseKey::BoardAllowed
        } else {
            self.profile.aids.remove(&aid);
            PhraseKey::BoardForbidden
        };
        let article = self.article("11.3.1");
        self.table(key, [article]);
    }
}

fn on_square(board: &Board, square: Square) -> Phrase {
    let at = Argument::Square(square);
    match board.piece_at(square) {
        Some(piece) => {
            let what = Argument::Piece(Some(piece.role));
            Phrase::new(
                PhraseKey::SquareHolds,
                [at, what, Argument::Side(piece.color)],
            )
        }
        None => Phrase::new(PhraseKey::SquareIsEmpty, [at]),
    }
}

/// The contents of a file or rank, from its beginning.
fn on_line(board: &Board, line: Bitboard) -> Vec<Phrase> {
    listed(board, (line & board.occupied()).into_iter())
}

/// The contents of the two diagonals through a square: first the one that rises from White's left,
/// then the other, both from the a-file on.
fn on_diagonals(board: &Board, square: Square) -> Vec<Phrase> {
    let lies = |it: Square, rises: bool| {
        let files = it.file() as i32 - square.file() as i32;
        let ranks = it.rank() as i32 - square.rank() as i32;
        files == if rises { ranks } else { -ranks }
    };
    let along = |rises| by_file().filter(move |it| lies(*it, rises));
    let other = along(false).filter(|it| *it != square);
    let both = along(true).chain(other);
    listed(board, both.filter(|it| board.occupied().contains(*it)))
}

fn listed(board: &Board, squares: impl Iterator<Item = Square>) -> Vec<Phrase> {
    let items: Vec<Phrase> = squares.map(|square| on_square(board, square)).collect();
    match items.is_empty() {
        true => vec![PhraseKey::NothingThere.into()],
        false => items,
    }
}

/// All squares, file by file.
fn by_file() -> impl Iterator<Item = Square> {
    let of = |file| Rank::ALL.map(|rank| Square::from_coords(file, rank));
    File::ALL.into_iter().flat_map(of)
}

/// The pieces of one kind and side, file by file; `None` if there are none.
fn pieces(board: &Board, side: Color, role: Role) -> Option<[Argument; 2]> {
    let stand = board.by_piece(role.of(side));
    let squares: Vec<Square> = by_file().filter(|it| stand.contains(*it)).collect();
    let what = match squares.len() {
        0 => return None,
        1 => Argument::Piece(Some(role)),
        _ => Argument::Pieces(role),
    };
    Some([what, Argument::Squares(squares)])
}

fn of_kind(board: &Board, side: Color, role: Role) -> Phrase {
    match pieces(board, side, role) {
        Some(them) => with_side(side, them),
        None => Phrase::new(PhraseKey::NoPieces, [Argument::Side(side)]),
    }
}

fn with_side(side: Color, pieces: [Argument; 2]) -> Phrase {
    let side = [Argument::Side(side)];
    Phrase::new(PhraseKey::PiecesOf, side.into_iter().chain(pieces))
}

/// All pieces of a side from the king down. The first item names the side.
fn of_side(board: &Board, side: Color) -> Vec<Phrase> {
    let roles = Role::ALL.into_iter().rev();
    let kinds = roles.filter_map(|role| pieces(board, side, role));
    let mut items: Vec<Phrase> = Vec::new();
    for them in kinds {
        items.push(match items.is_empty() {
            true => with_side(side, them),
            false => Phrase::new(PhraseKey::BoardHas, them),
        });
    }
    if items.is_empty() {
        items.push(Phrase::new(PhraseKey::NoPieces, [Argument::Side(side)]));
    }
    items
}

/// How many pieces of each kind a side has.
fn material(board: &Board, side: Color) -> Phrase {
    let roles = Role::ALL.into_iter();
    let has = roles.map(|role| {
        let number = board.by_piece(role.of(side)).count();
        (role, u32::try_from(number).unwrap_or_default())
    });
    match counted(has) {
        none if none.is_empty() => Phrase::new(PhraseKey::NoPieces, [Argument::Side(side)]),
        has => Phrase::new(
            PhraseKey::MaterialOf,
            [Argument::Side(side), Argument::Counted(has)],
        ),
    }
}

/// The kinds of which there are any, from the king down.
fn counted(counts: impl DoubleEndedIterator<Item = (Role, u32)>) -> Vec<(Role, u32)> {
    counts.rev().filter(|(_, number)| *number > 0).collect()
}
