//! Reads the game to be played from a PGN file.

use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Color, Move, Position as _, Role};

use crate::notation::{Announcement, MoveAnnouncement};
use crate::shell::error::{Error, ErrorKind, Result};

/// A game to be played.
#[derive(Clone, Debug)]
pub(super) struct GameFile {
    /// The players' names.
    pub(super) white: String,
    /// As above.
    pub(super) black: String,
    /// The announcements, first to last, in the long form.
    pub(super) announcements: Vec<Announcement>,
    /// How it ended; `None` if the file does not say.
    pub(super) outcome: Option<Outcome>,
    /// Whether the last move ended it on the board.
    pub(super) ends_on_board: bool,
}

impl GameFile {
    /// Reads the first game of a file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the file cannot be read, has no game, or a move in it is not
    /// legal.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let bad = |why: String| {
            Error::new(
                ErrorKind::BadInput,
                format!("The game {} cannot be played: {why}.", path.display()),
            )
        };
        let file = std::fs::File::open(path).map_err(|error| bad(error.to_string()))?;
        let read = Reader::new(std::io::BufReader::new(file))
            .read_game(&mut Moves)
            .map_err(|error| bad(error.to_string()))?;
        match read {
            None => Err(bad("there is no game in it".to_owned())),
            Some(Err(why)) => Err(bad(why)),
            Some(Ok(game)) if game.announcements.is_empty() => {
                Err(bad("there is no move in it".to_owned()))
            }
            Some(Ok(game)) => Ok(game),
        }
    }
}

struct Moves;

/// The game as far as it was read, with its position; or what is wrong with it.
struct Reading {
    game: GameFile,
    position: Chess,
}

impl Visitor for Moves {
    type Tags = GameFile;
    type Movetext = Reading;
    type Output = std::result::Result<GameFile, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(GameFile {
            white: String::new(),
            black: String::new(),
            announcements: Vec::new(),
            outcome: None,
            ends_on_board: false,
        })
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.white = value,
            b"Black" => tags.black = value,
            b"FEN" => return ControlFlow::Break(Err("it does not start as games do".to_owned())),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: GameFile) -> ControlFlow<Self::Output, Reading> {
        ControlFlow::Continue(Reading {
            game,
            position: Chess::default(),
        })
    }

    fn san(&mut self, reading: &mut Reading, san: SanPlus) -> ControlFlow<Self::Output> {
        let number = reading.position.fullmoves();
        let Ok(played) = san.san.to_move(&reading.position) else {
            return ControlFlow::Break(Err(format!("move {number}, {san}, is not legal")));
        };
        reading.game.announcements.push(long_form(played));
        reading.position.play_unchecked(played);
        reading.game.ends_on_board = reading.position.is_game_over();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, reading: &mut Reading, outcome: Outcome) -> ControlFlow<Self::Output> {
        reading.game.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, reading: Reading) -> Self::Output {
        Ok(reading.game)
    }
}

/// How a move is announced in full.
fn long_form(played: Move) -> Announcement {
    if let Some(side) = played.castling_side() {
        return Announcement::of_castling(side);
    }
    Announcement::Move(MoveAnnouncement {
        piece: Some(played.role()),
        from: played.from(),
        to: played.to(),
        capture: played.is_capture(),
        promotion: played.promotion(),
        mark: None,
    })
}

/// Another announcement than this one: what a slip of the tongue could be.
pub(super) fn slip_of(announcement: &Announcement) -> Announcement {
    match announcement {
        Announcement::Castling(_) => {
            Announcement::of_move(Role::King, shakmaty::Square::E1, shakmaty::Square::D1)
        }
        Announcement::Move(said) => {
            let mut slip = said.clone();
            slip.to = said.to.flip_horizontal();
            slip.capture = false;
            Announcement::Move(slip)
        }
    }
}

/// Whose move it is that has this number, counted from 0.
pub(super) const fn side_of(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}
