//! Lines typed at a console: announcements, commands, and the acts of assistant and arbiter.

use std::cell::RefCell;
use std::collections::BTreeMap;

use shakmaty::Color;

use super::confirmation::PendingConfirmation;
use super::controls::{Changes, Controls};
use super::help::asked_about;
use super::readings::{at_table, of_two};
use super::rulings::{
    begins_ruling, by_hand, complete_ruling, duration, duties, is_only_a_ruling, languages_of,
    remedy_for, side_of, table_languages, with_numbers,
};
use super::sheet::{Sheets, handed_in};
use crate::clock::ClockSide;
use crate::game::{
    Act, ClaimGround, Command, Envelope, Game, Heard, Input, Means, MicrophoneState, Origin,
    Ruling, Said,
};
use crate::notation::{Announcement, Lexicon, typed};
use crate::persons::Person;
use crate::phrases::{Language, Phrase, PhraseKey, plain};
use crate::shell::config::data;
use crate::shell::consoles::languages::ConsoleLanguages;
use crate::shell::consoles::words::ConsoleWords;
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::record::sealed_move::PASSPHRASE_MIN;
use crate::shell::table::{Reader, Report, Seat};

/// The fault of a line that means nothing.
pub(crate) const NOT_UNDERSTOOD: Fault =
    Fault::new(Part::Line, Reason::NotUnderstood, Remedy::AskHelp);

/// Reads typed lines, each in the language of its console. English words for acts are always
/// understood as well.
pub struct Typist {
    keys: Keys,
    /// The seat where the passphrase of the envelope is typed next, and the report that needs it.
    awaited: Option<(Seat, Report)>,
    confirmation: PendingConfirmation,
    sheets: RefCell<Sheets>,
    usual: Vocabulary,
    /// The vocabularies of consoles with another language, once somebody has typed there.
    others: BTreeMap<String, Vocabulary>,
    console_languages: ConsoleLanguages,
    /// Whether the game has a microphone at all.
    has_microphone: bool,
}

/// The words that can be typed in a language.
pub struct Vocabulary {
    language: Language,
    words: ConsoleWords,
}

impl Vocabulary {
    /// The words of a language, and those of its consoles.
    pub const fn new(language: Language, words: ConsoleWords) -> Self {
        Self { language, words }
    }
}

impl Typist {
    /// Makes a reader for a language. `console_languages` holds the consoles with another language.
    pub const fn new(usual: Vocabulary, keys: Keys, console_languages: ConsoleLanguages) -> Self {
        Self {
            keys,
            awaited: None,
            confirmation: PendingConfirmation::new(),
            sheets: RefCell::new(Sheets::new()),
            usual,
            others: BTreeMap::new(),
            console_languages,
            has_microphone: true,
        }
    }

    /// Removes the commands of the microphone, where there is none.
    #[must_use]
    pub const fn without_microphone(mut self) -> Self {
        self.has_microphone = false;
        self
    }

    /// The language of the person at a seat, if it is another one.
    fn code_of(&mut self, seat: Seat) -> Option<String> {
        let code = match seat {
            Seat::Of(person) | Seat::Page(person) => self.console_languages.of(person)?,
            Seat::Shared | Seat::SharedAs(_) => return None,
        };
        self.learned(code)
    }

    /// Loads the words of a language, once.
    fn learned(&mut self, code: String) -> Option<String> {
        if !self.others.contains_key(&code) {
            let language = data::language(&code).ok()?;
            let words = console_words(&code).ok()?;
            let vocabulary = Vocabulary::new(language, words);
            self.others.insert(code.clone(), vocabulary);
        }
        Some(code)
    }

    fn line(&self, code: Option<&str>) -> Line<'_> {
        let other = code.and_then(|code| self.others.get(code));
        let Vocabulary { language, words } = other.unwrap_or(&self.usual);
        Line {
            language,
            lexicon: language.lexicon(),
            keys: &self.keys,
            words,
            sheets: &self.sheets,
            has_microphone: self.has_microphone,
        }
    }
}

/// The controls of each person, for the keys that are typed alone and for help.
#[derive(Clone, Debug)]
pub struct Keys {
    player: Controls,
    assistant: Controls,
    arbiter: Controls,
}

impl Keys {
    /// Loads the controls from the program's file and then from the settings.
    ///
    /// # Errors
    ///
    /// As [`Controls::load`].
    pub fn load(changes: &Changes) -> crate::shell::error::Result<Self> {
        let load = |person| Controls::load(person, &Changes::new(), changes);
        Ok(Self {
            player: load(Person::Player(Color::White))?,
            assistant: load(Person::Assistant(Color::White))?,
            arbiter: load(Person::Arbiter)?,
        })
    }

    /// The controls of a person.
    pub const fn of(&self, person: Person) -> &Controls {
        match person {
            Person::Player(_) => &self.player,
            Person::Assistant(_) => &self.assistant,
            Person::Arbiter => &self.arbiter,
        }
    }
}

/// What a line is read with.
pub(super) struct Line<'a> {
    pub(super) language: &'a Language,
    lexicon: &'a Lexicon,
    pub(super) keys: &'a Keys,
    pub(super) words: &'a ConsoleWords,
    sheets: &'a RefCell<Sheets>,
    has_microphone: bool,
}

impl Line<'_> {
    /// Returns what a line means that was typed at a seat, and who says it.
    fn read(
        &self,
        game: &Game,
        seat: Seat,
        text: &str,
        awaited: Option<&Report>,
    ) -> (Option<Person>, Result<Vec<Report>, Phrase>) {
        let (person, what) = match seat {
            Seat::Of(person) | Seat::Page(person) | Seat::SharedAs(person) => (person, text),
            Seat::Shared if awaited.is_some() && !text.contains(':') => (Person::Arbiter, text),
            Seat::Shared => match self.address(game, text) {
                Ok(addressed) => addressed,
                Err(why) => return (None, Err(why)),
            },
        };
        let read = match awaited {
            Some(report) if person == Person::Arbiter => self.passphrase(what, report),
            _ => match of_two(self.lexicon, game, what).filter(|(asked, _)| *asked == person) {
                Some((_, said)) => {
                    let heard = Input::heard(Origin::Console(person), Heard::Clear(said));
                    Ok(vec![Report::Input(heard)])
                }
                None => {
                    let read = self.of_person(game, (seat, person), what);
                    read.or_else(|why| self.claims((seat, person), what).ok_or(why))
                }
            },
        };
        (Some(person), read)
    }

    /// Splits "black: e5" into who and what. Without such a word it means the player who has to
    /// speak or to press. Where both players are asked, nobody may answer for the other.
    fn address<'a>(&self, game: &Game, text: &'a str) -> Result<(Person, &'a str), Phrase> {
        let Some((who, what)) = text.split_once(':') else {
            if let Some((person @ Person::Player(_), _)) = of_two(self.lexicon, game, text) {
                return Ok((person, text));
            }
            let said = self.command(game, text);
            let is_answer = matches!(said, Some(Said::Command(Command::Yes | Command::No)));
            if is_answer && game.is_answer_eithers() {
                return Err(PhraseKey::WhoseAnswer.into());
            }
            if said == Some(Said::Command(Command::Press)) && game.is_press_for_nothing() {
                return Err(PhraseKey::PleaseAnnounce.into());
            }
            let is_move = said.is_none();
            // The person who asks a question is most likely the player who thinks.
            let side = said.and_then(|said| match said {
                Said::Command(command) => {
                    let asker = || game.who_asks(command, game.to_press());
                    game.whose(command).or_else(asker)
                }
                Said::Correction(_) => Some(game.last_announcer()),
                _ => Some(game.told_alone(game.to_press())),
            });
            let of_move = game.speaker_of_move().filter(|_| is_move);
            let speaker = side.or(of_move).or_else(|| game.expectation(None).voice);
            let side = speaker.unwrap_or_else(|| game.turn());
            return Ok((Person::Player(side), text));
        };
        let who = self.canonical(who);
        let who: Vec<&str> = who.iter().map(String::as_str).collect();
        let person = match who.as_slice() {
            ["white" | "w"] => Person::Player(Color::White),
            ["black" | "b"] => Person::Player(Color::Black),
            ["assistant" | "a"] => Person::Assistant(assisted(game)),
            ["assistant" | "a", side] => Person::Assistant(side_of(side).ok_or(NOT_UNDERSTOOD)?),
            // A person who has shown his PIN comes as [`Seat::SharedAs`].
            ["arbiter", ..] => {
                return Err(Fault::new(Part::Pin, Reason::Missing, Remedy::GivePin).into());
            }
            _ => {
                return Err(Fault::new(Part::Speaker, Reason::Unknown, Remedy::SayWho).into());
            }
        };
        Ok((person, what.trim()))
    }

    /// Returns the command or question in a player's line, or the one that its single letter stands
    /// for.
    fn command(&self, game: &Game, text: &str) -> Option<Said> {
        let keyed = self.keys.player.keyed(text);
        let keyed = keyed.and_then(|function| self.language.typed(function.word()));
        let meant = keyed.or_else(|| self.lexicon.meant_by(text));
        let text = meant.unwrap_or(text);
        let words = self.canonical(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words == ["press"] {
            return Some(Said::Command(Command::Press));
        }
        let asked = self.asked(game, Person::Player(game.turn()), &words, text);
        asked.or_else(|| match typed(self.lexicon, text).as_slice() {
            [said @ (Said::Command(_) | Said::Correction(_))] => Some(said.clone()),
            _ => None,
        })
    }

    /// The words of a line in lower case. Words of the language become the console's own.
    pub(super) fn canonical(&self, text: &str) -> Vec<String> {
        text.split_whitespace()
            .take(400)
            .map(|word| {
                let word = word.to_lowercase();
                self.words.words.get(&word).cloned().unwrap_or(word)
            })
            .collect()
    }

    fn announcement(&self, game: &Game, person: Person, text: &str) -> Result<Announcement, Fault> {
        match at_table(self.lexicon, game, person, text).as_slice() {
            [Said::Move(announcement)] => Ok(announcement.clone()),
            [Said::Square(to)] => Ok(Announcement::of_square(*to)),
            _ => {
                let fault = Fault::new(Part::Move, Reason::NotUnderstood, Remedy::GiveMove);
                Err(fault.with(text))
            }
        }
    }

    fn of_person(
        &self,
        game: &Game,
        (seat, person): (Seat, Person),
        text: &str,
    ) -> Result<Vec<Report>, Phrase> {
        if let Some(function) = self.keys.of(person).keyed(text) {
            let line = self.language.typed(function.word());
            return self.of_person(game, (seat, person), line.unwrap_or_default());
        }
        // What an arbiter types may be a ruling, and keeps its own words.
        let meant = self.lexicon.meant_by(text);
        let text = meant.filter(|_| person != Person::Arbiter).unwrap_or(text);
        let words = with_numbers(game, self.with_kind(self.canonical(text)));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(asked) = asked_about(text, &words) {
            return self.help(game, (seat, person), asked);
        }
        if words.as_slice() == ["diagram"] {
            return Ok(self.diagram(game, (seat, person)));
        }
        if person == Person::Arbiter && !game.profile().arbiter {
            return Err(PhraseKey::NoArbiter.into());
        }
        if let Some(input) = self.microphone(game, person, &words)? {
            return Ok(vec![Report::Input(input)]);
        }
        if let ["sheet", about @ ..] = words.as_slice() {
            self.sheets.borrow_mut().take(person)?;
            return Ok(handed_in((seat, person), about, text, self.language)?);
        }
        if let Some(report) = self.special(game, person, &words)? {
            return Ok(vec![report]);
        }
        if person == Person::Arbiter
            && let Some(report) = Self::envelope(seat, text, &words)
        {
            return Ok(vec![report?]);
        }
        // "Read score" is a question although a ruling begins with "read".
        let asked = self.asked(game, person, &words, text);
        let said = typed(self.lexicon, text);
        let is_said = asked.is_some() || !said.iter().all(is_agreed);
        let input = match person {
            // A line that is no ruling may be a question, which everybody can ask.
            Person::Arbiter => match Self::ruling(&words, text) {
                Ok(ruling) => Some(Input::Ruling(ruling)),
                Err(_) if is_said || !words.first().is_some_and(|it| begins_ruling(it)) => None,
                Err(fault) => return Err(fault.with(text).into()),
            },
            Person::Player(_) | Person::Assistant(_) if asked.is_some() => None,
            Person::Player(_) | Person::Assistant(_) => match self
                .act(game, person, text, &words)?
            {
                Some(act) => Some(Input::typed(person, act)),
                None if words.as_slice() == ["press"] => person.side().map(|side| Input::Pressed {
                    side,
                    means: Means::Key(person),
                }),
                None if !game.profile().arbiter && !is_said => {
                    Self::agreed_ruling(&words, text)?.map(Input::Ruling)
                }
                None => None,
            },
        };
        if let Some(input) = input {
            return Ok(vec![Report::Input(input)]);
        }
        let is_his = matches!(person, Person::Player(_) | Person::Assistant(_))
            && game.profile().arbiter
            && words.first().is_some_and(|first| is_only_a_ruling(first));
        let typed = || at_table(self.lexicon, game, person, text);
        let readings = asked.map_or_else(typed, |asked| vec![asked]);
        if readings.is_empty() && is_his {
            return Err(PhraseKey::ArbitersMatter.into());
        }
        let heard = heard(readings).ok_or_else(|| NOT_UNDERSTOOD.with(text))?;
        let origin = Origin::Console(person);
        Ok(vec![Report::Input(Input::heard(origin, heard))])
    }

    /// Mutes the microphone, or opens it for the next words, where there is one.
    fn microphone(
        &self,
        game: &Game,
        person: Person,
        words: &[&str],
    ) -> Result<Option<Input>, Fault> {
        let (Person::Player(side), [what @ ("mute" | "talk")]) = (person, words) else {
            return Ok(None);
        };
        if !self.has_microphone {
            return Err(Fault::new(Part::Microphone, Reason::Absent, Remedy::Type));
        }
        let state = match (*what, game.is_muted(side)) {
            ("talk", true) => MicrophoneState::Once,
            ("talk", false) | (_, true) => MicrophoneState::Open,
            (_, false) => MicrophoneState::Muted,
        };
        let side = Some(side);
        Ok(Some(Input::Microphone { side, state }))
    }

    /// Reads lines that are neither acts nor rulings nor announcements.
    fn special(
        &self,
        game: &Game,
        person: Person,
        words: &[&str],
    ) -> Result<Option<Report>, Fault> {
        Ok(Some(match words {
            ["unrecorded"] => Report::GoOnUnrecorded(person),
            [side @ ("white" | "black"), place @ ("left" | "right")] => {
                Report::Input(Input::WhiteSitsAt(clock_side(side, place)))
            }
            ["duties", side, which @ ("all" | "none")] if person == Person::Arbiter => {
                let side = side_of(side).ok_or(NOT_UNDERSTOOD)?;
                Report::Input(Input::Ruling(duties(game, side, *which == "all")))
            }
            ["language", codes @ ..]
                if !codes.is_empty() && (person == Person::Arbiter || !game.profile().arbiter) =>
            {
                let arbiter = self.language.text(&PhraseKey::WhoArbiter.into());
                Report::Input(Input::Ruling(table_languages(game, codes, arbiter)?))
            }
            _ => return Ok(None),
        }))
    }

    /// Reads a ruling of the arbiter.
    fn ruling(words: &[&str], typed: &str) -> Result<Ruling, Fault> {
        if let Some(ruling) = by_hand(words, typed) {
            for code in languages_of(&ruling) {
                data::lexicon(&code).map_err(|error| error.fault(Part::Language))?;
            }
            return Ok(ruling);
        }
        let known = words
            .split_first()
            .filter(|(first, _)| begins_ruling(first));
        let (first, rest) = known.ok_or_else(|| NOT_UNDERSTOOD.with(typed))?;
        let incomplete = Fault::new(Part::Line, Reason::Incomplete, Remedy::AskHelp);
        complete_ruling(first, rest).ok_or_else(|| match remedy_for(first, rest) {
            Some(remedy) => Fault::new(Part::Value, Reason::Unknown, remedy).with(typed),
            None => incomplete.with(typed),
        })
    }

    /// Reads what the players can do together where there is no arbiter. Start, stop and go on
    /// happen at once. Every other ruling happens when both have confirmed it.
    fn agreed_ruling(words: &[&str], typed: &str) -> Result<Option<Ruling>, Fault> {
        let is_a_players_own = matches!(words, ["stop" | "flag", ..]);
        let is_ruling = words.first().is_some_and(|first| begins_ruling(first));
        if is_ruling && !is_a_players_own {
            Self::ruling(words, typed).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads the orders to adjourn and to open the envelope, both with the arbiter's passphrase as
    /// typed.
    fn envelope(seat: Seat, text: &str, words: &[&str]) -> Option<Result<Report, Fault>> {
        let first = words.first()?;
        if !matches!(*first, "adjourn" | "open") {
            return None;
        }
        let early = match words {
            ["adjourn", "early", left, ..] => duration(left),
            _ => None,
        };
        let skipped = if early.is_some() { 3 } else { 1 };
        let typed: Vec<&str> = text.split_whitespace().skip(skipped).collect();
        let passphrase = typed.join(" ");
        let ruling = early.map_or(Ruling::Adjourn, |session_left| Ruling::AdjournEarly {
            session_left,
        });
        Some(match *first {
            _ if !passphrase.is_empty() && passphrase.chars().count() < PASSPHRASE_MIN => {
                let fault =
                    Fault::new(Part::Passphrase, Reason::TooShort, Remedy::ChoosePassphrase);
                Err(fault)
            }
            "adjourn" => Ok(Report::Passphrase {
                seat,
                passphrase,
                ruling,
            }),
            _ => Ok(Report::OpenEnvelope { seat, passphrase }),
        })
    }

    /// Reads the line after one that needed a passphrase. It is not recorded.
    fn passphrase(&self, text: &str, wanted: &Report) -> Result<Vec<Report>, Phrase> {
        let is_no = matches!(
            typed(self.lexicon, text).as_slice(),
            [Said::Command(Command::No)]
        );
        if is_no {
            return Err(PhraseKey::NotPassphrase.into());
        }
        if text.chars().count() < PASSPHRASE_MIN {
            let fault = Fault::new(Part::Passphrase, Reason::TooShort, Remedy::ChoosePassphrase);
            return Err(fault.into());
        }
        let passphrase = text.to_owned();
        Ok(vec![match wanted.clone() {
            Report::Passphrase { seat, ruling, .. } => Report::Passphrase {
                seat,
                passphrase,
                ruling,
            },
            Report::OpenEnvelope { seat, .. } => Report::OpenEnvelope { seat, passphrase },
            other => other,
        }])
    }

    /// Reads the act in a line. A move or free text in it is taken as typed.
    fn act(
        &self,
        game: &Game,
        person: Person,
        text: &str,
        words: &[&str],
    ) -> Result<Option<Act>, Fault> {
        if let Some(act) = act_of(words) {
            return Ok(Some(act));
        }
        let typed_last = |count: usize| {
            let typed: Vec<&str> = text.split_whitespace().collect();
            typed[typed.len().saturating_sub(count)..].join(" ")
        };
        let announcement = |rest: &[&str]| self.announcement(game, person, &typed_last(rest.len()));
        Ok(Some(match words {
            ["executed"] => Act::Executed {
                board: match person {
                    Person::Assistant(side) => side.other(),
                    Person::Player(side) => side,
                    Person::Arbiter => return Ok(None),
                },
            },
            ["executed", board] => Act::Executed {
                board: side_of(board).ok_or(NOT_UNDERSTOOD)?,
            },
            ["announce", rest @ ..] => Act::Announce(announcement(rest)?),
            ["repeat", rest @ ..] if !rest.is_empty() => Act::Repeat(announcement(rest)?),
            ["correct"] => Act::Correct(None),
            ["correct", rest @ ..] => Act::Correct(Some(announcement(rest)?)),
            ["touched"] => Act::ReportTouch {
                square: None,
                piece: None,
            },
            ["touched", square] => Act::ReportTouch {
                square: Some(square.parse().map_err(|_| NOT_UNDERSTOOD)?),
                piece: None,
            },
            ["claim", ground @ ("repetition" | "fifty"), rest @ ..] if !rest.is_empty() => {
                // "Fifty moves" alone is the claim without a move.
                let Ok(intended) = announcement(rest) else {
                    return Ok(None);
                };
                let ground = match *ground {
                    "fifty" => ClaimGround::FiftyMoves,
                    _ => ClaimGround::Repetition,
                };
                Act::ClaimWithMove { ground, intended }
            }
            ["complain", rest @ ..] if !rest.is_empty() => Act::Complain(typed_last(rest.len())),
            ["appeal", rest @ ..] if !rest.is_empty() => Act::Appeal(typed_last(rest.len())),
            ["increment"] => Act::AskIncrement,
            ["compare"] => Act::AskComparison,
            ["sign"] => Act::Sign,
            ["seal", rest @ ..] => Act::Seal(announcement(rest)?),
            ["recall", rest @ ..] => Act::RecallSealed(announcement(rest)?),
            ["envelope", rest @ ..] if !rest.is_empty() => {
                let all = typed_last(rest.len());
                let (resumption, place) = all.split_once(',').unwrap_or((&all, ""));
                Act::FillEnvelope(Envelope {
                    resumption: resumption.trim().to_owned(),
                    place: place.trim().to_owned(),
                })
            }
            _ => return Ok(None),
        }))
    }
}

/// Returns whether players agree on this without an arbiter, in the same words said or typed.
const fn is_agreed(said: &Said) -> bool {
    use Command::{Halt, Restart, Start};
    matches!(said, Said::Command(Start | Halt | Restart))
}

/// Returns the act that these words mean, if it needs no more than them.
fn act_of(words: &[&str]) -> Option<Act> {
    Some(match words {
        ["confirm"] => Act::ConfirmAnnouncement,
        ["reject"] => Act::RejectAnnouncement,
        ["moved"] => Act::Moved,
        ["here"] => Act::Arrive,
        ["leave"] => Act::AskLeave,
        ["increment"] => Act::AskIncrement,
        ["hint"] => Act::AskHint,
        ["takeback"] => Act::TakeBack,
        ["compare"] => Act::AskComparison,
        ["sign"] => Act::Sign,
        ["early"] => Act::AskAdjournment,
        ["claim", "illegal"] => Act::ClaimIllegalMove,
        ["claim", "no-attempt"] => Act::ClaimNoWinningAttempt,
        ["two", "boards"] => Act::DemandTwoBoards,
        _ => return None,
    })
}

impl Reader for Typist {
    fn read(&mut self, game: &Game, seat: Seat, text: &str) -> Result<Vec<Report>, Phrase> {
        // Invisible characters go no further: not into the record, and not to the arbiter.
        let text = plain(text);
        let text = text.trim();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let awaited = self
            .awaited
            .take_if(|(of, _)| of.is_at(seat))
            .map(|it| it.1);
        let code = self.code_of(seat);
        let of_table = self.learned(game.profile().language_of_table());
        let language = self.line(code.as_deref()).language.clone();
        let of_key = self.keys.arbiter.keyed(text);
        let meant = of_key.and_then(|it| language.typed(it.word()));
        let meant = meant.unwrap_or(text).to_lowercase();
        if let Some(report) = self.confirmation.answered(seat, &meant, &language)? {
            return Ok(vec![report]);
        }
        let mut read = self
            .line(code.as_deref())
            .read(game, seat, text, awaited.as_ref());
        // The language of the table, as the edition or the arbiter decides (D.1), may be typed too.
        if let (true, None, Some(code)) = (read.1.is_err(), &awaited, of_table) {
            let again = self.line(Some(&code)).read(game, seat, text, None);
            if again.1.is_ok() {
                read = again;
            }
        }
        let (person, read) = read;
        let is_given_up = |phrase: &Phrase| phrase.key == PhraseKey::NotPassphrase;
        if person != Some(Person::Arbiter) || read.as_ref().is_err_and(|why| !is_given_up(why)) {
            self.awaited = awaited.map(|report| (seat, report));
        }
        let reports = read?;
        // A line that lacks only its passphrase asks for it, and the next line is the passphrase.
        if let [Report::Passphrase { passphrase, .. } | Report::OpenEnvelope { passphrase, .. }] =
            reports.as_slice()
            && passphrase.is_empty()
        {
            self.awaited = reports.into_iter().next().map(|report| (seat, report));
            return Err(PhraseKey::GivePassphrase.into());
        }
        let asked = if person == Some(Person::Arbiter) {
            self.confirmation
                .ask(game, (seat, text), &reports, &language)
        } else {
            None
        };
        asked.map_or(Ok(reports), Err)
    }
}

/// Returns what was heard in a line with these readings. None if there are none.
fn heard(mut readings: Vec<Said>) -> Option<Heard> {
    match readings.len() {
        0 => None,
        1 => readings.pop().map(Heard::Clear),
        _ => Some(Heard::Unclear(readings)),
    }
}

/// The side of the chessclock at which White sits, if `side` sits at `place`.
fn clock_side(side: &str, place: &str) -> ClockSide {
    if (side == "white") == (place == "left") {
        ClockSide::Left
    } else {
        ClockSide::Right
    }
}

/// The side that has an assistant; White if both or none have one.
fn assisted(game: &Game) -> Color {
    let has_assistant = |side: Color| !game.profile().sides[side].duties.is_empty();
    if has_assistant(Color::Black) && !has_assistant(Color::White) {
        Color::Black
    } else {
        Color::White
    }
}
