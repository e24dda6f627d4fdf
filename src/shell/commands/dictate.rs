//! `annexd score dictate`: a score taken down from announcements, typed or spoken.

mod begun;
mod judged;
mod line;
#[cfg(feature = "recognizer")]
mod sound;
#[cfg(test)]
mod tests;
#[cfg(feature = "recognizer")]
mod unheard;

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shakmaty::Color;

use self::judged::{Doubt, doubts};
use self::line::{Line, Part, Wording, as_move, line};
#[cfg(feature = "recognizer")]
use self::sound::from_sound;
use super::side::side;
use crate::game::Heard;
use crate::laws::GameResult;
use crate::moment::Moment;
use crate::notation::{Command, Said};
use crate::score::{
    Answers, Entry, KeepError, Letters, Notated, Score, SheetPlace, SheetWords, Signature,
    Standing, Template, write_move,
};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::error::{Error, ErrorKind, Result, error};
use crate::shell::score_files::letters_of;
use crate::show;

/// What is dictated, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// WAV or FLAC files to take it from, heard as `annexd listen` hears them.
    #[arg(value_name = "SOUND")]
    sounds: Vec<PathBuf>,
    /// Take it from the microphone; DEVICE is a part of its name.
    #[arg(long, value_name = "DEVICE", num_args = 0..=1, conflicts_with = "sounds")]
    mic: Option<Option<String>>,
    /// Whose score it is.
    #[arg(long, value_parser = side())]
    keeper: Option<Color>,
    /// The result: it is read out at the end, and a yes signs it for the keeper (8.7), who has to
    /// be known.
    #[arg(long)]
    result: Option<GameResult>,
    /// The language of the announcements: de, en, da or sv; typed ones are usually in that of your
    /// settings or your system, spoken ones in German.
    #[arg(long)]
    language: Option<String>,
    /// The folder of another hearing model.
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// Where to.
    #[arg(long, short, required_unless_present = "go_on")]
    pub(super) output: Option<PathBuf>,
    /// Goes on with a dictation that was broken off: the file in which it is kept. Nobody may have
    /// signed it.
    #[arg(long = "continue", value_name = "FILE", conflicts_with = "output")]
    pub(super) go_on: Option<PathBuf>,
}

/// Writes a score to its file.
type Keep<'a> = &'a dyn Fn(&Score) -> Result<()>;

/// The result of a dictation.
pub(super) struct Dictated {
    /// The last sentences.
    last: String,
    /// What keeps it from being complete: a sound file that cannot be read, or one in which not
    /// everything was understood.
    wrong: Option<ErrorKind>,
}

impl Dictated {
    /// Prints the last sentences. Returns the exit status.
    pub(super) fn told(&self) -> ExitCode {
        show!("{}", self.last);
        let status = self.wrong.map(ErrorKind::exit_status);
        status.map_or(ExitCode::SUCCESS, ExitCode::from)
    }
}

/// Takes down a score from its beginning, or from what was `begun`. Keeps it after every entry, and
/// then reads it back.
pub(super) fn dictated(
    arguments: &Arguments,
    file: &Path,
    begun: Option<Score>,
    keep: Keep<'_>,
) -> Result<Dictated> {
    let language = arguments.language();
    let words = data::sheet_words(&language)?;
    let letters = letters_of(Some(&language));
    let is_continued = begun.is_some();
    let score = arguments.begin(begun)?;
    let mut dictation = Dictation::new(score, arguments.result, words, letters);
    dictation.is_kept = is_continued;
    if is_continued {
        show!("{}", dictation.last(&dictation.answers().continued));
    }
    // A score without moves and result is no score, and leaves no file.
    let is_nothing = |score: &Score| score.entries().is_empty() && score.result().is_none();
    let keep = |score: &Score| {
        if is_nothing(score) {
            Ok(())
        } else {
            keep(score)
        }
    };
    let wrong = match (&arguments.mic, arguments.sounds.as_slice()) {
        (None, []) => from_lines(arguments, file, &mut dictation, &keep).map(|()| None)?,
        (device, sounds) => from_sound(arguments, device.as_ref(), sounds, &mut dictation, &keep)?,
    };
    if is_nothing(&dictation.score) || !dictation.is_any_understood() {
        return Err(error!(BadInput, NothingDictated, path = file.display()));
    }
    keep(&dictation.score)?;
    let last = dictation.written(&file.display().to_string());
    let missed = (dictation.missed > 0).then_some(ErrorKind::Negative);
    let wrong = wrong.or(missed);
    Ok(Dictated { last, wrong })
}

/// A file name quoted for a shell.
fn quoted(file: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/._-+:@%".contains(sign);
    if file.chars().all(is_plain) {
        file.to_owned()
    } else {
        format!("'{}'", file.replace('\'', "'\\''"))
    }
}

impl Arguments {
    /// The score to take down: a new one, or what was begun.
    fn begin(&self, begun: Option<Score>) -> Result<Score> {
        let mut score = begun.unwrap_or_else(|| Score::new(self.keeper));
        match (score.keeper(), self.keeper) {
            (Some(one), Some(other)) if one != other => {
                return Err(error!(Negative, OtherKeeper, side = one));
            }
            (None, Some(_)) => score
                .set_keeper(self.keeper)
                .map_err(|error| error!(Negative, ScoreNotDone, why = error))?,
            (None, None) if self.result.is_some() => return Err(error!(Usage, ResultNeedsKeeper)),
            _ => {}
        }
        let recorded = score.result().filter(|it| Some(*it) != self.result);
        match recorded.filter(|_| self.result.is_some()) {
            Some(other) => Err(error!(
                Negative,
                OtherResultRecorded,
                result = other.to_string()
            )),
            None => Ok(score),
        }
    }

    /// The language of the announcements.
    fn language(&self) -> String {
        let is_typed = self.mic.is_none() && self.sounds.is_empty();
        match &self.language {
            None if !is_typed => "de".to_owned(),
            language => language::asked_or_usual(language.as_deref()),
        }
    }
}

/// A score being dictated, independent of where the words come from.
struct Dictation {
    score: Score,
    result: Option<GameResult>,
    state: DictationState,
    /// Whether the next move replaces the last entry.
    corrects: bool,
    /// The numbered place under which the next entry was dictated.
    place: Option<SheetPlace>,
    /// Unclear words that wait for a "yes".
    asked: Option<Said>,
    /// The entries not understood in sound files.
    unheard: Vec<usize>,
    /// How much was not understood there, entries or other.
    missed: usize,
    /// Whether the score, or what it continues, was written to its file.
    is_kept: bool,
    words: SheetWords,
    /// The notation letters in which moves are read back.
    letters: Letters,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DictationState {
    Moves,
    /// The result was read out; a yes signs it.
    Signing,
    Done,
}

impl Dictation {
    fn new(score: Score, result: Option<GameResult>, words: SheetWords, letters: Letters) -> Self {
        // Without a known keeper nobody can sign the result that was kept.
        let kept = score.result().filter(|_| score.keeper().is_some());
        Self {
            score,
            result: result.or(kept),
            state: DictationState::Moves,
            corrects: false,
            place: None,
            asked: None,
            unheard: Vec::new(),
            missed: 0,
            is_kept: false,
            words,
            letters,
        }
    }

    fn answers(&self) -> &Answers {
        &self.words.dictation
    }

    fn not_done(&self, error: &KeepError) -> String {
        match error {
            // There is nothing yet to which an offer or correction could belong.
            KeepError::NoSuchEntry => self.answers().nothing_yet.clone(),
            _ => self
                .answers()
                .not_done
                .filled(&[("why", &error.to_string())]),
        }
    }

    /// Takes what was said. Returns the line that is read back.
    fn take(&mut self, heard: &Heard) -> String {
        let asked = self.asked.take();
        let said = match (heard, &asked) {
            (Heard::Clear(Said::Command(Command::Yes)), Some(asked)) => asked,
            (Heard::Clear(said), _) => said,
            (Heard::Unclear(readings), _) => return self.ask(readings),
        };
        match self.state {
            DictationState::Moves => self
                .entry(said)
                .unwrap_or_else(|error| self.not_done(&error)),
            DictationState::Signing => self.sign(said),
            DictationState::Done => String::new(),
        }
    }

    /// Takes a part of a line, which may be an entry that cannot be spoken.
    fn take_part(&mut self, part: Part) -> String {
        let notated = match part {
            Part::Said(said) => return self.take(&Heard::Clear(said)),
            Part::Number { number, black } if self.state == DictationState::Moves => {
                let told = self.number(number, black);
                return told.unwrap_or_else(|error| self.not_done(&error));
            }
            Part::Number { .. } => return String::new(),
            Part::Entry(notated) if self.state == DictationState::Moves && !self.corrects => {
                let kept = self.record(Entry::new(notated));
                return kept.unwrap_or_else(|error| self.not_done(&error));
            }
            Part::Entry(notated) | Part::Instead(notated) => notated,
        };
        if self.state != DictationState::Moves {
            // Anything but a "yes" leaves the result unsigned.
            return self.take(&Heard::Clear(Said::Command(Command::No)));
        }
        let kept = self.instead(Entry::new(notated));
        kept.unwrap_or_else(|error| self.not_done(&error))
    }

    fn record(&mut self, entry: Entry) -> std::result::Result<String, KeepError> {
        let place = self.place.take();
        self.score.record(Entry { place, ..entry })?;
        Ok(self.last(&self.answers().taken))
    }

    /// Rewrites the last entry. What was there before was never on the sheet, and neither was its
    /// offer.
    fn instead(&mut self, entry: Entry) -> std::result::Result<String, KeepError> {
        self.corrects = false;
        let old = self.score.entries().last().and_then(|last| last.place);
        let place = self.place.take().or(old);
        self.score.write_anew(Entry { place, ..entry })?;
        let last = self.score.entries().len().saturating_sub(1);
        let unheard = self.unheard.len();
        self.unheard.retain(|at| *at != last);
        self.missed -= unheard - self.unheard.len();
        Ok(self.last(&self.answers().now))
    }

    /// Takes a row number as the sheet reader does: the next entry stands under it, and rows passed
    /// over are empty. The answer reads such places back.
    fn number(&mut self, number: u32, black: bool) -> std::result::Result<String, KeepError> {
        let places = self.score.places();
        let next = places.last().copied();
        let last = places.iter().rev().nth(1).copied();
        let side = Color::from_white(!black);
        let mut place = SheetPlace { number, side };
        let mut told = String::new();
        self.place = None;
        if self.corrects {
            // It stands in the place of the entry being rewritten.
        } else if let Some(last) = last.filter(|last| last.side.is_white() && !black) {
            if number == last.number {
                place.side = Color::Black;
            } else if Some(number) == last.number.checked_add(1) {
                told = self.record(Entry::new(Notated::Blank))?;
            }
        } else if black && next.is_some_and(|next| next.side.is_white()) {
            let side = Color::White;
            self.place = Some(SheetPlace { number, side });
            told = self.record(Entry::new(Notated::Blank))?;
        }
        self.place = Some(place);
        Ok(told)
    }

    /// What was said, as it is read back; `None` if it does not belong in a dictation.
    fn named(&self, said: &Said) -> Option<String> {
        match said {
            Said::Move(announced) => {
                let entry = Entry::announced(announced, Moment::START);
                Some(self.as_said(&entry.notated))
            }
            Said::Square(square) => Some(square.to_string()),
            Said::Command(Command::OfferDraw) => Some("(=)".to_owned()),
            _ => None,
        }
    }

    /// Asks about unclear words, with what they may have been.
    fn ask(&mut self, readings: &[Said]) -> String {
        let mut named = readings
            .iter()
            .filter_map(|said| Some((said, self.named(said)?)));
        let (first, second) = (named.next(), named.next());
        match (first, second) {
            (Some((_, first)), Some((_, second))) => {
                let places = [("move", first.as_str()), ("other", &second)];
                self.answers().either.filled(&places)
            }
            (Some((said, first)), None) if self.state == DictationState::Moves => {
                self.asked = Some(said.clone());
                self.answers().perhaps.filled(&[("move", &first)])
            }
            _ => self.answers().not_clear.clone(),
        }
    }

    fn entry(&mut self, said: &Said) -> std::result::Result<String, KeepError> {
        match said {
            Said::Move(announced) | Said::Correction(Some(announced))
                if self.corrects || matches!(said, Said::Correction(_)) =>
            {
                self.instead(Entry::announced(announced, Moment::START))
            }
            Said::Move(announced) => self.record(Entry::announced(announced, Moment::START)),
            Said::Correction(None) => {
                self.corrects = !self.score.entries().is_empty();
                let answers = self.answers();
                let answer = if self.corrects {
                    &answers.again
                } else {
                    &answers.nothing_yet
                };
                Ok(answer.clone())
            }
            Said::Square(_) => match as_move(said) {
                Some(announced) => self.entry(&Said::Move(announced)),
                None => Ok(self.answers().not_taken.clone()),
            },
            Said::Command(Command::OfferDraw) => {
                self.score.mark_offer()?;
                Ok(self.last(&self.answers().taken))
            }
            Said::Command(Command::LastMove | Command::Repeat) => {
                Ok(self.last(&self.answers().taken))
            }
            Said::Command(Command::Stop) => self.end(),
            _ => Ok(self.answers().not_taken.clone()),
        }
    }

    /// Ends the moves. The result is read out before anybody signs.
    fn end(&mut self) -> std::result::Result<String, KeepError> {
        self.state = DictationState::Done;
        let entries = self.count(&self.answers().entries);
        let Some(result) = self.result else {
            return Ok(entries);
        };
        self.score.set_result(Some(result))?;
        self.state = DictationState::Signing;
        let result = self
            .answers()
            .result
            .filled(&[("result", &result.to_string())]);
        Ok(format!("{entries} {result}"))
    }

    fn sign(&mut self, said: &Said) -> String {
        self.state = DictationState::Done;
        let Some(side) = self.score.keeper() else {
            return String::new();
        };
        if *said != Said::Command(Command::Yes) {
            return self.answers().not_signed.clone();
        }
        match self.score.sign(Signature { side, at: None }) {
            Ok(()) => {
                let side = self.words.side(side);
                self.answers().signed.filled(&[("side", side)])
            }
            Err(error) => self.not_done(&error),
        }
    }

    /// The last entry by number and side, in the words of an answer, and whether it is no legal
    /// move there.
    fn last(&self, answer: &Template) -> String {
        let told = self.last_entry(|number, side, said| {
            answer.filled(&[("number", number), ("side", side), ("move", said)])
        });
        match self.doubt() {
            Some(doubt) => format!("{told}, {}", self.doubt_in_words(doubt)),
            None => told,
        }
    }

    fn last_entry(&self, told: impl FnOnce(&str, &str, &str) -> String) -> String {
        let places = self.score.places();
        let mut entries = self.score.entries().iter().zip(places);
        let Some((last, place)) = entries.next_back() else {
            return self.answers().nothing_yet.clone();
        };
        let first_of = |words: &str| words.split(' ').next().map(str::to_owned);
        let words = match &last.notated {
            Notated::Blank => first_of(&self.words.entries.blank),
            Notated::Unreadable => first_of(&self.words.entries.unreadable),
            Notated::Move(_) | Notated::Castling(_) => None,
        };
        let words = words.unwrap_or_else(|| self.as_said(&last.notated));
        let offer = if last.offer { " (=)" } else { "" };
        let number = place.number.to_string();
        told(&number, self.words.side(place.side), &words) + offer
    }

    /// What is doubtful about the last entry.
    fn doubt(&self) -> Option<Doubt> {
        let last = self.score.entries().len().checked_sub(1)?;
        let (at, doubt) = doubts(&self.score).pop()?;
        (at == last).then_some(doubt)
    }

    const fn doubt_in_words(&self, doubt: Doubt) -> &str {
        match doubt {
            Doubt::NotLegal => self.words.dictation.not_legal.as_str(),
            Doubt::Ambiguous => self.words.dictation.several_legal.as_str(),
        }
    }

    /// The entries that are no legal moves, by kind.
    fn doubtful_entries(&self) -> impl Iterator<Item = String> {
        let found = doubts(&self.score);
        [Doubt::NotLegal, Doubt::Ambiguous]
            .into_iter()
            .filter_map(move |kind| {
                let of_kind = found.iter().filter(|(_, doubt)| *doubt == kind);
                let list = self.places_of(&of_kind.map(|(at, _)| *at).collect::<Vec<_>>());
                let doubt = self.doubt_in_words(kind);
                (!list.is_empty()).then(|| format!("{list}: {doubt}."))
            })
    }

    /// A move as it is read back. With both squares nothing is doubtful, whatever the piece.
    fn as_said(&self, notated: &Notated) -> String {
        let words = write_move(notated, self.letters);
        match notated {
            Notated::Move(it) if it.from.square().and(it.to.square()).is_some() => {
                words.trim_start_matches('?').to_owned()
            }
            _ => words,
        }
    }

    /// The number of moves, as players count them, and whose the last one is.
    fn count(&self, answer: &Template) -> String {
        let entries = self.score.entries().len();
        let places = self.score.places();
        let Some(last) = entries.checked_sub(1).and_then(|last| places.get(last)) else {
            return self.answers().nothing_yet.clone();
        };
        let number = self.moves().to_string();
        let side = self.words.side(last.side);
        answer.filled(&[("number", &number), ("side", side)])
    }

    /// The number of rows that the moves fill on a sheet.
    fn moves(&self) -> usize {
        let black_begins = usize::from(self.score.start().turn.is_black());
        (self.score.entries().len() + black_begins).div_ceil(2)
    }

    /// The last sentences: where the score is, and what can still be done with it.
    fn written(&self, file: &str) -> String {
        let answers = self.answers();
        let number = self.moves().to_string();
        let places = [("number", number.as_str()), ("file", file)];
        let mut lines = vec![answers.written.filled(&places)];
        lines.extend(self.unheard_entries());
        lines.extend(self.doubtful_entries());
        let file = quoted(file);
        if self.state == DictationState::Moves {
            let command = format!("annexd score dictate --continue {file}");
            lines.push(answers.goes_on.filled(&[("command", &command)]));
        }
        if self.score.signatures().is_empty() {
            lines.push(self.unsigned(&file));
        }
        lines.join("\n")
    }

    /// Says that the score is not signed, and the command that signs it.
    fn unsigned(&self, file: &str) -> String {
        let answers = self.answers();
        let mut meanings = Vec::new();
        let side = match self.score.keeper() {
            Some(side) => side.to_string(),
            None => {
                meanings.push(answers.side_meaning.as_str());
                answers.side_place.clone()
            }
        };
        let mut command = format!("annexd score sign {file} --side {side}");
        if self.score.result().is_none() {
            meanings.push(&answers.result_meaning);
            command = format!("{command} --result {}", answers.result_place);
        }
        let told = answers.unsigned.filled(&[("sign", &command)]);
        let lines: Vec<&str> = std::iter::once(told.as_str()).chain(meanings).collect();
        lines.join("\n")
    }

    /// Why no more lines can be read, and how to go on.
    fn broken_off(&self, error: &std::io::Error, file: &Path) -> Error {
        if error.kind() != std::io::ErrorKind::InvalidData {
            return error!(BadInput, AsItIs, text = error.to_string());
        }
        if self.is_empty() {
            return error!(BadInput, LineNoText);
        }
        let place = self.last_entry(|number, side, said| format!("{number} {side}: {said}"));
        let path = quoted(&file.display().to_string());
        error!(BadInput, LineNoTextKept, place = place, path = path)
    }

    /// The position that the score leads to, without the last entry while it is being corrected.
    fn standing(&self) -> Standing {
        let entries = self.score.entries();
        let count = entries.len() - usize::from(self.corrects);
        let entries = entries.iter().take(count);
        let start = Standing::of(self.score.start());
        entries.fold(start, |standing, entry| standing.after_entry(entry))
    }

    fn is_empty(&self) -> bool {
        self.score.entries().is_empty()
    }

    fn is_done(&self) -> bool {
        self.state == DictationState::Done
    }
}

/// Takes typed announcements, one or several moves on each line. An empty line ends them.
fn from_lines(
    arguments: &Arguments,
    file: &Path,
    dictation: &mut Dictation,
    keep: Keep<'_>,
) -> Result<()> {
    let lexicon = data::lexicon(&arguments.language())?;
    for text in std::io::stdin().lock().lines() {
        let text = text.map_err(|error| dictation.broken_off(&error, file))?;
        let is_empty = text.trim().is_empty();
        if is_empty && dictation.state == DictationState::Signing {
            break;
        }
        let said = if is_empty {
            Line::Says(vec![Part::Said(Said::Command(Command::Stop))])
        } else {
            let words = &dictation.words.entries;
            let wording = Wording {
                lexicon: &lexicon,
                words,
                letters: dictation.letters,
            };
            line(&wording, &text, &dictation.standing())
        };
        let answers = dictation.answers();
        let places = [("text", text.as_str())];
        let (said, rest) = match said {
            Line::Nothing => (Vec::new(), Some(answers.not_understood.filled(&places))),
            Line::Several => (Vec::new(), Some(answers.one_at_a_time.filled(&places))),
            Line::Begins(said, rest) => {
                let rest = answers.so_far.filled(&[("text", &rest)]);
                (said, Some(rest))
            }
            Line::Says(said) => (said, None),
        };
        for part in said {
            let told = dictation.take_part(part);
            keep(&dictation.score)?;
            if !told.is_empty() {
                show!("{told}");
            }
        }
        if let Some(rest) = rest {
            show!("{rest}");
        }
        dictation.place = None;
        if dictation.is_done() {
            break;
        }
    }
    // If the input ends without an empty line, the result is kept all the same, unsigned.
    if dictation.state == DictationState::Moves
        && dictation.result.is_some()
        && !dictation.is_empty()
    {
        let stop = Said::Command(Command::Stop);
        let told = dictation.take(&Heard::Clear(stop));
        keep(&dictation.score)?;
        show!("{told}");
    }
    Ok(())
}

#[cfg(not(feature = "recognizer"))]
fn from_sound(
    _arguments: &Arguments,
    _device: Option<&Option<String>>,
    _sounds: &[PathBuf],
    _dictation: &mut Dictation,
    _keep: Keep<'_>,
) -> Result<Option<ErrorKind>> {
    Err(error!(Missing, TypeInstead))
}
