//! Games to be played on simulated boards.

use std::io::Read;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen};

use annexd_phrases::{Sentence, sentence};

/// A position and what is played from it.
pub type PlayedGame = (Chess, Vec<Move>);

/// Every game of a PGN file, the main line of each.
///
/// # Errors
///
/// Names the game and the move that cannot be played, or says that there is none.
pub fn read_games(file: impl Read, limit: usize) -> Result<Vec<PlayedGame>, Sentence> {
    let mut reader = Reader::new(file);
    let mut games = Vec::new();
    while games.len() < limit {
        let game = reader
            .read_game(&mut MainLine)
            .map_err(|error| sentence!(GameOfFileUnreadable, why = error.to_string()))?;
        let number = games.len() + 1;
        match game {
            None => break,
            Some(Ok(game)) => games.push(game),
            Some(Err(problem)) => {
                return Err(sentence!(GameNumberWrong, number = number, why = problem));
            }
        }
    }
    if games.is_empty() {
        return Err(sentence!(NoGameInIt));
    }
    Ok(games)
}

struct MainLine;

struct Played {
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
}

impl Visitor for MainLine {
    type Tags = Chess;
    type Movetext = Played;
    type Output = Result<PlayedGame, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(
        &mut self,
        start: &mut Chess,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name != b"FEN" {
            return ControlFlow::Continue(());
        }
        let position = Fen::from_ascii(value.as_bytes())
            .map_err(|error| error.to_string())
            .and_then(|fen| {
                fen.into_position(CastlingMode::Standard)
                    .map_err(|error| error.to_string())
            });
        match position {
            Ok(position) => {
                *start = position;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("its FEN is no position: {error}"))),
        }
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Played> {
        ControlFlow::Continue(Played {
            position: start.clone(),
            start,
            moves: Vec::new(),
        })
    }

    fn san(&mut self, played: &mut Played, san: SanPlus) -> ControlFlow<Self::Output> {
        let number = played.moves.len() / 2 + 1;
        match san.san.to_move(&played.position) {
            Ok(legal) => {
                played.position.play_unchecked(legal);
                played.moves.push(legal);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("move {number}, {san}: {error}"))),
        }
    }

    fn end_game(&mut self, played: Played) -> Self::Output {
        Ok((played.start, played.moves))
    }
}
