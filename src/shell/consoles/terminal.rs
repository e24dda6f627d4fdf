//! The terminal: lines are typed in, and lines are appended. It is a complete way to play.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select};
use zeroize::Zeroizing;

use super::echo;
use super::named::named;
use super::words::console_words;
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::consoles::lines::read_line;
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::seats::{Asks, Keeper, Pin, Way};
use crate::shell::table::inbox::Reports;
use crate::shell::table::{Report, Seat};

/// Reads typed lines in their own thread, as long as the returned value lives. Later lines go to
/// whoever asks next. The end of the input and `quit` leave the game.
#[must_use]
pub fn read_lines(seat: Seat, keeper: Keeper, reports: Reports) -> LineReader {
    let (reading, over) = bounded(0);
    thread::spawn(move || {
        let terminal = Terminal {
            seat,
            keeper,
            reports,
            over,
        };
        terminal.work();
        let _ = terminal.reports.send(Report::Leave);
    });
    LineReader { _open: reading }
}

/// While it lives, typed lines are for a game.
pub struct LineReader {
    _open: Sender<()>,
}

/// The console's own word for leaving.
const LEAVE: &str = "quit";

/// Whether this line asks to leave, in whatever language: nobody is to be kept in annexd by a word.
pub fn is_leaving(line: &str) -> bool {
    static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let languages = data::languages().unwrap_or_default();
        let words = languages.iter().filter_map(|code| console_words(code).ok());
        let words = words.flat_map(|it| it.words);
        let leaving = words.filter(|(_, own)| own == LEAVE).map(|(word, _)| word);
        leaving.chain([LEAVE.to_owned()]).collect()
    });
    let word = line.trim().trim_end_matches('.').to_lowercase();
    WORDS.contains(&word)
}

/// The typed lines, for whoever asks next: the set-up, and then the game. They end with the input.
pub fn lines() -> &'static Receiver<String> {
    static LINES: OnceLock<Receiver<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let (typed, lines) = bounded(0);
        thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            while let Some(text) = read_line(&mut input) {
                if typed.send(text).is_err() {
                    return;
                }
            }
        });
        lines
    })
}

/// The next line where a PIN is asked for. `None` at the end, and for a word that leaves.
pub fn line_of_pin() -> Option<String> {
    lines().recv().ok().filter(|line| !is_leaving(line))
}

/// Asks for the PIN of a seat. `show` displays the prompt, and `next` provides a line while typing
/// is hidden. `None` if no PIN is given.
pub fn typed_pin(
    mut show: impl FnMut(PhraseKey),
    mut next: impl FnMut() -> Option<String>,
) -> Option<Pin> {
    let _hidden = echo::hide();
    show(PhraseKey::AskPin);
    next().map(Pin::new).filter(|pin| !pin.is_empty())
}

/// Asks for a new PIN of this person's seat until the same one was typed twice. `show` displays
/// prompts, and `next` provides lines while typing is hidden. An unacceptable PIN is refused at its
/// first entry. `None` if no PIN is given.
pub fn new_pin(
    person: Person,
    mut show: impl FnMut(Phrase),
    mut next: impl FnMut() -> Option<String>,
    check: impl Fn(&Pin) -> Result<(), Fault>,
) -> Option<Pin> {
    let _hidden = echo::hide();
    let who = Argument::Phrase(Box::new(named(person)));
    let choose = || Phrase::new(PhraseKey::ChoosePin, [who.clone()]);
    show(choose());
    let mut typed = || next().map(Pin::new).filter(|pin| !pin.is_empty());
    loop {
        let once = typed()?;
        if let Err(why) = check(&once) {
            show(why.into());
            continue;
        }
        show(PhraseKey::TypePinAgain.into());
        if typed()? == once {
            return Some(once);
        }
        show(PhraseKey::PinsDiffer.into());
        show(choose());
    }
}

/// The terminal in which the game was started.
struct Terminal {
    seat: Seat,
    keeper: Keeper,
    reports: Reports,
    /// Carries nothing. It is closed when lines are no longer for the game.
    over: Receiver<()>,
}

/// Nothing more is read.
struct Left;

impl Terminal {
    fn work(&self) {
        while let Ok(text) = self.next() {
            // At a shared terminal a word before it may say who types.
            let what = text.split_once(':').filter(|_| self.seat.is_shared());
            if is_leaving(what.map_or(&text, |(_, what)| what)) {
                match self.leaves() {
                    true => return,
                    false => continue,
                }
            }
            if !self.keeper.may_type(self.seat, &text) {
                continue;
            }
            let Ok(read) = self.of_line(text) else {
                return;
            };
            let Some((seat, text)) = read else { continue };
            if self.reports.send(Report::Typed { seat, text }).is_err() {
                return;
            }
        }
    }

    fn next(&self) -> Result<String, Left> {
        select! {
            recv(lines()) -> line => line.map_err(|_| Left),
            recv(self.over) -> _ => Err(Left),
        }
    }

    /// Tells the table that somebody has typed that he leaves. Returns whether the program is left;
    /// otherwise he is asked to type it again.
    fn leaves(&self) -> bool {
        let (is_left, answer) = bounded(1);
        let seat = self.seat;
        let sent = self.reports.send(Report::Quit { seat, is_left });
        sent.is_err() || answer.recv().unwrap_or(true)
    }

    /// The seat that a typed line belongs to, and its text. At a shared terminal an arbiter's line
    /// counts only with his PIN. It is checked here so that the table need not wait.
    fn of_line(&self, text: String) -> Result<Option<(Seat, String)>, Left> {
        let text = Zeroizing::new(text);
        let as_typed = || (self.seat, String::clone(&text));
        if self.seat != Seat::Shared {
            return Ok(Some(as_typed()));
        }
        let Some((who, what)) = text.split_once(':') else {
            return Ok(Some(as_typed()));
        };
        let mut who = who.split_whitespace();
        let names_arbiter = who.next().is_some_and(|it| self.keeper.names_arbiter(it));
        let admitted = match (who.next(), who.next()) {
            _ if !names_arbiter => return Ok(Some(as_typed())),
            // The person who types it is told that there is no arbiter.
            _ if !self.keeper.has_arbiter() => Ok(()),
            (None, _) => self.ask_pin()?,
            (Some(pin), None) => self.shown_pin(pin),
            (Some(_), Some(_)) => return Ok(Some(as_typed())),
        };
        Ok(match admitted {
            Ok(()) => Some((Seat::SharedAs(Person::Arbiter), what.trim().to_owned())),
            Err(why) => {
                self.tell(why);
                None
            }
        })
    }

    /// Refuses a PIN typed where everybody can read it: none is made that way.
    fn shown_pin(&self, pin: &str) -> Result<(), Phrase> {
        if self.keeper.asks(Person::Arbiter) != Asks::Pin {
            let fault = Fault::new(Part::Pin, Reason::NotChosen, Remedy::TypeArbiterAlone);
            return Err(fault.into());
        }
        self.admit(&Pin::new(pin)).map_err(Phrase::from)
    }

    /// Asks for the arbiter's PIN, hidden; for a new one twice. After a wrong one it asks again at
    /// once, because the next one is hidden too.
    fn ask_pin(&self) -> Result<Result<(), Phrase>, Left> {
        let mut has_left = false;
        let mut next = || {
            let line = self.next().ok();
            let is_no_pin = line.as_deref().is_none_or(is_leaving);
            has_left |= line.is_none() || is_no_pin && self.leaves();
            line.filter(|_| !is_no_pin)
        };
        let _hidden = echo::hide();
        let done = loop {
            let pin = if self.keeper.asks(Person::Arbiter) == Asks::Pin {
                typed_pin(|key| self.tell(key.into()), &mut next)
            } else {
                let check = |pin: &Pin| self.keeper.may_be_pin(pin);
                new_pin(
                    Person::Arbiter,
                    |phrase| self.tell(phrase),
                    &mut next,
                    check,
                )
            };
            let Some(pin) = pin else {
                break Err(PhraseKey::NotPin.into());
            };
            match self.admit(&pin) {
                Err(why) if why.reason != Reason::TooOften => self.tell(why.into()),
                done => break done.map_err(Phrase::from),
            }
        };
        if has_left { Err(Left) } else { Ok(done) }
    }

    fn admit(&self, pin: &Pin) -> Result<(), Fault> {
        let waits = &mut || {};
        self.keeper
            .admit(Person::Arbiter, pin, &Way::Terminal, waits)
    }

    fn tell(&self, phrase: Phrase) {
        let seat = self.seat;
        let _ = self.reports.send(Report::Tell { seat, phrase });
    }
}
