//! Reads the game to be played from a PGN file.

use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _, Rank, Role, Square};

use super::room::Dice;
use annexd::notation::Announcement;
use annexd::score::{self, ReadNoteKind};
use annexd::shell::error::{Result, Sentence, error, sentence};

/// A game to be played.
#[derive(Clone, Debug)]
pub(crate) struct GameFile {
    /// White's name.
    pub(crate) white: String,
    /// Black's name.
    pub(crate) black: String,
    /// Event, site, date and round, as far as the file has them.
    pub(crate) circumstances: Vec<(String, String)>,
    /// The starting position, if not the usual one.
    pub(crate) start: Option<Fen>,
    /// The moves, first to last.
    pub(crate) plies: Vec<Ply>,
    /// The result; `None` if the file does not say.
    pub(crate) outcome: Option<Outcome>,
    /// Whether the last move ended it on the board.
    pub(crate) ends_on_board: bool,
}

/// One move, and the position in which it was made.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    /// The position before it.
    pub(crate) before: Chess,
    /// The move, legal there.
    pub(crate) played: Move,
}

impl Ply {
    /// The side that made the move.
    pub(crate) fn side(&self) -> Color {
        self.before.turn()
    }

    /// Its announcement in the long form.
    pub(crate) fn announcement(&self) -> Announcement {
        Announcement::from(&self.played)
    }

    /// The announcement of another move, for a slip of the tongue or a wrong repetition. It is a
    /// legal move if there is another one.
    pub(crate) fn another(&self, dice: &mut Dice) -> Announcement {
        let right = self.announcement();
        let mut others: Vec<Announcement> = self
            .before
            .legal_moves()
            .iter()
            .map(Announcement::from)
            .filter(|other| *other != right)
            .collect();
        if others.is_empty() {
            others = elsewhere(&self.played);
        }
        let chosen = dice.below(others.len().max(1));
        others.into_iter().nth(chosen).unwrap_or(right)
    }
}

/// The same piece announced for every other square, for a position with only one legal move.
fn elsewhere(played: &Move) -> Vec<Announcement> {
    let Some(from) = played.from() else {
        return Vec::new();
    };
    let is_pawn = played.role() == Role::Pawn;
    Square::ALL
        .into_iter()
        .filter(|&to| to != from && to != played.to())
        .filter(|to| !(is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth)))
        .map(|to| Announcement::of_move(played.role(), from, to))
        .collect()
}

impl GameFile {
    /// Reads the first game of a file.
    ///
    /// # Errors
    ///
    /// `ErrorKind::BadInput` if the file cannot be read, has no game, or a move in it is not
    /// legal.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bad = |why: Sentence| error!(BadInput, DemoGameWrong, name = path.display(), why = why);
        let as_it_is = |error: std::io::Error| bad(sentence!(AsItIs, text = error));
        let bytes = std::fs::read(path).map_err(as_it_is)?;
        // The reader skips what it does not know, and would play another game.
        if let Some(word) = unreadable_word(&String::from_utf8_lossy(&bytes)) {
            return Err(bad(sentence!(DemoNoMove, word = word)));
        }
        let read = Reader::new(bytes.as_slice())
            .read_game(&mut Moves)
            .map_err(as_it_is)?;
        match read {
            None => Err(bad(sentence!(NoGameInIt))),
            Some(Err(why)) => Err(bad(why)),
            Some(Ok(game)) if !game.plies.iter().any(|ply| ply.side().is_white()) => {
                Err(bad(sentence!(DemoNoMoveOfWhite)))
            }
            Some(Ok(game)) => Ok(game),
        }
    }

    /// The position before the first move.
    pub(crate) fn first_position(&self) -> Chess {
        let first = self.plies.first();
        first.map_or_else(Chess::default, |ply| ply.before.clone())
    }

    /// How many moves White makes.
    pub(crate) fn moves_of_white(&self) -> usize {
        let is_whites = |ply: &&Ply| ply.side().is_white();
        self.plies.iter().filter(is_whites).count()
    }
}

/// The first word of the moves that our own score reader cannot read either.
fn unreadable_word(text: &str) -> Option<String> {
    let notes = score::read_score(text, None, 1).ok()?.notes;
    notes.into_iter().find_map(|note| match note.kind {
        ReadNoteKind::Unreadable(word) => Some(word),
        _ => None,
    })
}

struct Moves;

/// The game as far as it was read, with its position.
struct PartialGame {
    game: GameFile,
    position: Chess,
    /// The result in the tags.
    result: Option<String>,
}

impl Visitor for Moves {
    type Tags = PartialGame;
    type Movetext = PartialGame;
    /// The game, or what is wrong with it.
    type Output = std::result::Result<GameFile, Sentence>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(PartialGame {
            game: GameFile {
                white: String::new(),
                black: String::new(),
                circumstances: Vec::new(),
                start: None,
                plies: Vec::new(),
                outcome: None,
                ends_on_board: false,
            },
            position: Chess::default(),
            result: None,
        })
    }

    fn tag(
        &mut self,
        reading: &mut PartialGame,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"Result" => reading.result = Some(value),
            b"White" => reading.game.white = value,
            b"Black" => reading.game.black = value,
            b"Event" | b"Site" | b"Date" | b"Round" => {
                let name = String::from_utf8_lossy(name).into_owned();
                reading.game.circumstances.push((name, value));
            }
            b"FEN" => match position_of(&value) {
                Ok((fen, position)) => {
                    reading.game.start = (position != Chess::default()).then_some(fen);
                    reading.position = position;
                }
                Err(why) => return ControlFlow::Break(Err(sentence!(DemoFenWrong, why = why))),
            },
            b"Variant" if !is_standard(&value) => {
                return ControlFlow::Break(Err(sentence!(DemoVariant, variant = value)));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, reading: PartialGame) -> ControlFlow<Self::Output, PartialGame> {
        ControlFlow::Continue(reading)
    }

    fn san(&mut self, reading: &mut PartialGame, san: SanPlus) -> ControlFlow<Self::Output> {
        let number = reading.position.fullmoves();
        let Ok(played) = san.san.to_move(&reading.position) else {
            let (number, played) = (number.to_string(), san.to_string());
            let why = sentence!(DemoNotLegal, number = number, played = played);
            return ControlFlow::Break(Err(why));
        };
        reading.game.plies.push(Ply {
            before: reading.position.clone(),
            played,
        });
        reading.position.play_unchecked(played);
        reading.game.ends_on_board = reading.position.is_game_over();
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        reading: &mut PartialGame,
        outcome: Outcome,
    ) -> ControlFlow<Self::Output> {
        reading.game.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, reading: PartialGame) -> Self::Output {
        let Some(outcome) = reading.game.outcome else {
            return Err(sentence!(DemoBreaksOff));
        };
        if let Some(tag) = reading.result.filter(|tag| *tag != outcome.to_string()) {
            let end = outcome.to_string();
            return Err(sentence!(DemoTwoResults, tag = tag, end = end));
        }
        Ok(reading.game)
    }
}

fn position_of(text: &str) -> std::result::Result<(Fen, Chess), Sentence> {
    let wrong = |error: ParseFenError| sentence!(AsItIs, text = error);
    let fen: Fen = text.parse().map_err(wrong)?;
    let position = fen.clone().into_position(CastlingMode::Standard);
    let position = position.map_err(|_| sentence!(NoLegalPosition))?;
    Ok((fen, position))
}

fn is_standard(variant: &str) -> bool {
    let known = ["", "standard", "chess", "normal", "from position"];
    known.contains(&variant.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use annexd::notation::MoveAnnouncement;

    /// Whether two announcements name different moves, as far as both are complete.
    fn differ(one: &Announcement, other: &Announcement) -> bool {
        match (one, other) {
            (Announcement::Move(one), Announcement::Move(other)) => {
                let of = |said: &MoveAnnouncement| (said.from, said.to, said.promotion);
                of(one) != of(other)
            }
            _ => one != other,
        }
    }

    fn read(text: &str) -> std::result::Result<GameFile, Sentence> {
        Reader::new(text.as_bytes())
            .read_game(&mut Moves)
            .unwrap()
            .unwrap()
    }

    #[test]
    fn a_slip_of_the_tongue_is_another_move_wherever_that_is_possible() {
        let game = read(
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O axb5 5. d4 exd4 6. c4 dxc3 7. Qd2 cxd2 8. Kh1 \
             dxc1=N *",
        )
        .unwrap();
        for ply in &game.plies {
            for seed in 0..20 {
                let slip = ply.another(&mut Dice::new(seed));
                assert!(differ(&slip, &ply.announcement()), "{slip:?}");
                if let Announcement::Move(said) = slip {
                    assert_ne!(said.from, Some(said.to));
                }
            }
        }
    }

    #[test]
    fn a_slip_is_found_where_only_one_move_is_legal() {
        let game = read("[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. Kxb2 *").unwrap();
        let ply = &game.plies[0];
        assert_eq!(ply.before.legal_moves().len(), 1);
        let slip = ply.another(&mut Dice::new(3));
        assert!(differ(&slip, &ply.announcement()), "{slip:?}");
    }

    #[test]
    fn a_game_may_begin_with_any_position_and_either_side() {
        let game = read("[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 40\"]\n\n1... Kg8 *");
        assert!(game.is_err(), "Kg8 is not legal there");
        let game = read("[FEN \"7k/5Q2/8/6K1/8/8/8/8 w - - 0 40\"]\n\n40. Kg6 *").unwrap();
        assert!(game.start.is_some());
        assert_eq!(game.plies[0].side(), Color::White);
        assert!(game.ends_on_board);
        let why = read("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *").unwrap_err();
        let why = why.to_string();
        assert!(why.contains("FEN tag"), "{why}");
        let why = read("[Variant \"Chess960\"]\n\n1. e4 *").unwrap_err();
        let why = why.to_string();
        assert!(why.contains("Chess960"), "{why}");
    }
}
