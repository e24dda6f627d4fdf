//! A player's display as an outlet for effects, and the thread that holds its connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use shakmaty::{Bitboard, Board, Color};

use super::brlapi::{Connection, DisplayEvent};
use super::view::{Cell, View, letters};
use super::{Place, figures};
use crate::game::{Device, Earcon, Effect, Game, Input};
use crate::moment::Moment;
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::table::inbox::{Reporter, Reports};
use crate::shell::table::{Outlet, Report, Seat};

/// How often the thread looks for new lines.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How often it asks for the display, and for BRLTTY while that is missing.
const ASK: Duration = Duration::from_secs(2);
/// How many blocks of lines may wait for the thread.
const WAITING: usize = 64;

/// Lines that belong together.
type Lines = Vec<Vec<Cell>>;

/// A player's Braille display.
pub(in crate::shell) struct Display {
    side: Color,
    /// The player's language.
    language: Language,
    /// The language of the table.
    of_table: Language,
    lines: Sender<Lines>,
    is_there: Arc<AtomicBool>,
    /// Phrases said together, until all of them are there.
    said: Vec<(Channel, Phrase)>,
}

impl Display {
    /// Looks for the display and shows what is said, as soon as it is present and whenever it comes
    /// back.
    pub(in crate::shell) fn open(
        place: Place,
        side: Color,
        (language, of_table): (Language, Language),
        reports: &Reports,
    ) -> Self {
        let (lines, waiting) = bounded(WAITING);
        let is_there = Arc::new(AtomicBool::new(false));
        let hands = DisplayThread {
            place,
            side,
            reporter: reports.reporter("braille"),
            is_there: Arc::clone(&is_there),
            view: View::default(),
            connection: None,
            cells: 0,
            asked: None,
        };
        std::thread::spawn(move || hands.work(&waiting));
        Self {
            side,
            language,
            of_table,
            lines,
            is_there,
            said: Vec::new(),
        }
    }

    fn show(&self, lines: Lines) {
        if !lines.is_empty() {
            // If the thread takes nothing any more there is no display, and nobody waits for one.
            let _ = self.lines.try_send(lines);
        }
    }

    /// Shows a tone in words, for a player who does not hear it.
    fn tone(&mut self, game: &Game, channel: Channel, earcon: Earcon) {
        let key = match earcon {
            Earcon::Taken => PhraseKey::RepeatedRight,
            Earcon::PressTaken => PhraseKey::PressTaken,
            Earcon::Pressed => PhraseKey::YourClockRuns,
            Earcon::Again | Earcon::Refused | Earcon::Lost | Earcon::Listening => return,
        };
        let is_deaf = game.profile().sides[self.side].hearing_impaired;
        if is_deaf && channel == Channel::Ear(self.side) {
            self.said.push((channel, key.into()));
        }
    }

    /// Follows the language of the table, which the arbiter may change at any time (D.1).
    fn follow_table(&mut self, game: &Game) {
        let language = game.profile().language_of_table();
        if language != self.of_table.lexicon().language()
            && let Ok(other) = data::language(&language)
        {
            self.of_table = other;
        }
    }

    /// Shows what the player alone is told at once, from its first line on. The whole board is
    /// shown in figures.
    fn answer(&self, game: &Game, answer: Vec<Phrase>) {
        let board = game.position();
        if is_whole(&answer, board) {
            let language = self.language.lexicon().language();
            return self.show(figures::board(board, self.side, language));
        }
        let line = |phrase: &Phrase| {
            let text = self.language.text_in_figures(phrase);
            letters(&self.language.with_detail(text, phrase))
        };
        self.show(answer.iter().map(line).collect());
    }
}

impl Outlet for Display {
    fn carry_out(&mut self, _: Moment, game: &Game, effect: &Effect) -> bool {
        match effect {
            Effect::Say {
                channel, phrase, ..
            } if [Channel::Table, Channel::Ear(self.side)].contains(channel) => {
                self.said.push((*channel, phrase.clone()));
            }
            Effect::Earcon { channel, earcon } => self.tone(game, *channel, *earcon),
            _ => {}
        }
        false
    }

    fn shows(&self, _: &Game, effect: &Effect) -> bool {
        let is_his =
            matches!(effect, Effect::Say { channel, .. } if *channel == Channel::Ear(self.side));
        is_his && self.is_there.load(Ordering::Relaxed)
    }

    fn remark(&mut self, to: Option<Seat>, phrase: &Phrase) {
        let own = Seat::Of(Person::Player(self.side));
        if to.is_none_or(|to| to == own) {
            let text = self.language.text_with_detail(phrase);
            self.show(vec![letters(&text)]);
        }
    }

    fn look(&mut self, _: Moment, game: &Game) {
        self.follow_table(game);
        let mut answer = Vec::new();
        for (channel, phrase) in std::mem::take(&mut self.said) {
            match channel {
                Channel::Table => {
                    self.answer(game, std::mem::take(&mut answer));
                    self.show(vec![letters(&self.of_table.text(&phrase))]);
                }
                _ => answer.push(phrase),
            }
        }
        self.answer(game, answer);
    }
}

/// The squares of the pieces in a phrase that tells where pieces of a kind stand.
fn stands(phrase: &Phrase) -> Option<Bitboard> {
    if !matches!(phrase.key, PhraseKey::PiecesOf | PhraseKey::BoardHas) {
        return None;
    }
    let squares = phrase.arguments.iter().find_map(|argument| match argument {
        Argument::Squares(squares) => Some(squares),
        _ => None,
    });
    Some(squares?.iter().copied().collect())
}

/// Whether an answer lists every piece on the board and nothing else, so that the board in figures
/// says the same.
fn is_whole(answer: &[Phrase], board: &Board) -> bool {
    let squares: Option<Vec<Bitboard>> = answer.iter().map(stands).collect();
    let told = squares.map(|it| it.into_iter().fold(Bitboard::EMPTY, |all, one| all | one));
    !answer.is_empty() && told == Some(board.occupied())
}

/// The display's thread.
struct DisplayThread {
    place: Place,
    side: Color,
    reporter: Reporter,
    is_there: Arc<AtomicBool>,
    view: View,
    connection: Option<Connection>,
    /// The number of the display's cells; 0: there is no display.
    cells: usize,
    /// When BRLTTY was last asked.
    asked: Option<Instant>,
}

impl DisplayThread {
    fn work(mut self, lines: &Receiver<Lines>) {
        loop {
            let mut is_news = false;
            loop {
                match lines.try_recv() {
                    Ok(lines) => {
                        self.view.push(lines);
                        is_news = true;
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return,
                }
            }
            if self.turn(is_news).is_err() {
                // It is tried again after a while.
                self.connection = None;
                self.set_cells(0);
            }
        }
    }

    fn turn(&mut self, is_news: bool) -> std::io::Result<()> {
        let is_time = self.asked.is_none_or(|it| it.elapsed() >= ASK);
        if is_time {
            self.asked = Some(Instant::now());
        }
        if self.connection.is_none() && is_time {
            let mut connection = self.place.connect()?;
            let cells = connection.cells()?;
            self.connection = Some(connection);
            self.set_cells(cells);
            self.write()?;
        }
        let Some(connection) = &mut self.connection else {
            std::thread::sleep(POLL_INTERVAL);
            return Ok(());
        };
        if is_time {
            connection.ask_cells()?;
        }
        if is_news {
            self.write()?;
        }
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        match connection.poll(POLL_INTERVAL)? {
            Some(DisplayEvent::Key(step)) => {
                self.view.go(step, self.cells);
                self.write()
            }
            Some(DisplayEvent::Cells(cells)) if cells != self.cells => {
                self.set_cells(cells);
                self.write()
            }
            Some(DisplayEvent::Cells(_)) | None => Ok(()),
        }
    }

    /// Writes what is to be shown. After the last line the screen is shown.
    fn write(&mut self) -> std::io::Result<()> {
        let Some(connection) = self.connection.as_mut().filter(|_| self.cells > 0) else {
            return Ok(());
        };
        match self.view.shown(self.cells) {
            Some(line) => connection.show(line, self.cells, &self.place.console),
            None => connection.show_screen(),
        }
    }

    fn set_cells(&mut self, cells: usize) {
        let (was_there, present) = (self.cells > 0, cells > 0);
        self.cells = cells;
        if was_there != present {
            self.is_there.store(present, Ordering::Relaxed);
            let device = Device::Braille(self.side);
            let input = Input::Device { device, present };
            self.reporter.report(Report::Input(input));
        }
    }
}
