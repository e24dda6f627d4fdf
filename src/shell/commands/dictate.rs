//! `annexd score dictate`: a score taken down from announcements, typed or spoken.

mod line;

use std::io::BufRead as _;
use std::path::PathBuf;

use shakmaty::Color;

use self::line::{Line, as_move, line};

use crate::game::Heard;
use crate::laws::GameResult;
use crate::moment::Moment;
use crate::notation::{Command, Said};
use crate::score::{
    Answers, Entry, KeepError, Letters, Score, SheetWords, Signature, Standing, filled, write_move,
};
use crate::shell::data;
use crate::shell::error::{Result, told};
use crate::shell::tongue;
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
    #[arg(long)]
    keeper: Option<Color>,
    /// The result: it is read out at the end, and a yes signs it for the keeper (8.7).
    #[arg(long, requires = "keeper")]
    result: Option<GameResult>,
    /// The language of the announcements: de, en, da or sv; typed ones are usually in that of your
    /// settings or your system, spoken ones in German.
    #[arg(long)]
    language: Option<String>,
    /// The folder of another hearing model.
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// Where to.
    #[arg(long, short)]
    pub(super) output: PathBuf,
}

/// How a score is written to its file.
type Keep<'a> = &'a dyn Fn(&Score) -> Result<()>;

/// Takes the score down, keeps it after every entry and reads each back. The answer is the last
/// sentence.
pub(super) fn dictated(arguments: &Arguments, keep: Keep<'_>) -> Result<String> {
    let language = arguments.language();
    let words = data::sheet_words(&language)?;
    let mut dictation = Dictation::new(arguments.keeper, arguments.result, words);
    dictation.letters = match language.as_str() {
        "de" => Letters::German,
        "da" => Letters::Danish,
        "sv" => Letters::Swedish,
        _ => Letters::English,
    };
    // A score without a move and a result is none, and leaves no file.
    let is_nothing = |score: &Score| score.entries().is_empty() && score.result().is_none();
    let keep = |score: &Score| {
        if is_nothing(score) {
            Ok(())
        } else {
            keep(score)
        }
    };
    match (&arguments.mic, arguments.sounds.as_slice()) {
        (None, []) => from_lines(arguments, &mut dictation, &keep)?,
        (device, sounds) => from_sound(arguments, device.as_ref(), sounds, &mut dictation, &keep)?,
    }
    if is_nothing(&dictation.score) {
        let path = arguments.output.display();
        return Err(told!(BadInput, NothingDictated, path = path));
    }
    keep(&dictation.score)?;
    let number = dictation.score.entries().len().to_string();
    let file = arguments.output.display().to_string();
    let places = [("number", number.as_str()), ("file", &file)];
    let mut answer = filled(&dictation.answers().written, &places);
    if dictation.score.signatures().is_empty() {
        let sign = sign_command(&dictation.score, &file);
        let unsigned = filled(&dictation.answers().unsigned, &[("sign", &sign)]);
        answer = format!("{answer}\n{unsigned}");
    }
    Ok(answer)
}

/// The command with which a score is signed.
fn sign_command(score: &Score, file: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/._-+:@%".contains(sign);
    let file = if file.chars().all(is_plain) {
        file.to_owned()
    } else {
        format!("'{}'", file.replace('\'', "'\\''"))
    };
    let side = score.keeper();
    let side = side.map_or_else(|| "SIDE".to_owned(), |side| side.to_string());
    let result = match score.result() {
        Some(_) => "",
        None => " --result RESULT",
    };
    format!("annexd score sign {file} --side {side}{result}")
}

impl Arguments {
    /// The language of the announcements.
    fn language(&self) -> String {
        let is_typed = self.mic.is_none() && self.sounds.is_empty();
        match &self.language {
            None if !is_typed => "de".to_owned(),
            language => tongue::asked_or_usual(language.as_deref()),
        }
    }
}

/// A score on its way, free of where the words come from.
struct Dictation {
    score: Score,
    result: Option<GameResult>,
    step: Step,
    /// Whether the next move replaces the last entry.
    corrects: bool,
    /// What was not clear, and waits for a yes.
    asked: Option<Said>,
    words: SheetWords,
    /// The letters in which moves are read back.
    letters: Letters,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Moves,
    /// The result was read out; a yes signs it.
    Signing,
    Done,
}

impl Dictation {
    const fn new(keeper: Option<Color>, result: Option<GameResult>, words: SheetWords) -> Self {
        Self {
            score: Score::new(keeper),
            result,
            step: Step::Moves,
            corrects: false,
            asked: None,
            words,
            letters: Letters::English,
        }
    }

    fn answers(&self) -> &Answers {
        &self.words.dictation
    }

    fn not_done(&self, error: &KeepError) -> String {
        filled(&self.answers().not_done, &[("why", &error.to_string())])
    }

    /// Takes what was said and gives the line that is read back.
    fn take(&mut self, heard: &Heard) -> String {
        let asked = self.asked.take();
        let said = match (heard, &asked) {
            (Heard::Clear(Said::Command(Command::Yes)), Some(asked)) => asked,
            (Heard::Clear(said), _) => said,
            (Heard::Unclear(readings), _) => return self.ask(readings),
        };
        match self.step {
            Step::Moves => self
                .entry(said)
                .unwrap_or_else(|error| self.not_done(&error)),
            Step::Signing => self.sign(said),
            Step::Done => String::new(),
        }
    }

    /// Asks for what was not clear, with what it may have been.
    fn ask(&mut self, readings: &[Said]) -> String {
        let named = |said: &Said| match said {
            Said::Move(announced) => {
                let entry = Entry::announced(announced, Moment::START);
                Some(write_move(&entry.notated, self.letters))
            }
            Said::Square(square) => Some(square.to_string()),
            Said::Command(Command::OfferDraw) => Some("(=)".to_owned()),
            _ => None,
        };
        let mut named = readings
            .iter()
            .filter_map(|said| Some((said, named(said)?)));
        let (first, second) = (named.next(), named.next());
        match (first, second) {
            (Some((_, first)), Some((_, second))) => {
                let places = [("move", first.as_str()), ("other", &second)];
                filled(&self.answers().either, &places)
            }
            (Some((said, first)), None) if self.step == Step::Moves => {
                self.asked = Some(said.clone());
                filled(&self.answers().perhaps, &[("move", &first)])
            }
            _ => self.answers().not_clear.clone(),
        }
    }

    fn entry(&mut self, said: &Said) -> std::result::Result<String, KeepError> {
        match said {
            Said::Move(announced) | Said::Correction(Some(announced))
                if self.corrects || matches!(said, Said::Correction(_)) =>
            {
                self.score.correct(announced, Moment::START)?;
                self.corrects = false;
                Ok(self.last(&self.answers().now))
            }
            Said::Move(announced) => {
                self.score
                    .record(Entry::announced(announced, Moment::START))?;
                Ok(self.last(&self.answers().taken))
            }
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
                Ok(format!("{} (=)", self.last(&self.answers().taken)))
            }
            Said::Command(Command::LastMove | Command::Repeat) => {
                Ok(self.last(&self.answers().taken))
            }
            Said::Command(Command::Stop) => self.end(),
            _ => Ok(self.answers().not_taken.clone()),
        }
    }

    /// The end of the moves. The result is read out before anybody signs.
    fn end(&mut self) -> std::result::Result<String, KeepError> {
        self.step = Step::Done;
        let number = self.score.entries().len().to_string();
        let entries = filled(&self.answers().entries, &[("number", &number)]);
        let Some(result) = self.result else {
            return Ok(entries);
        };
        self.score.set_result(Some(result))?;
        self.step = Step::Signing;
        let result = filled(&self.answers().result, &[("result", &result.to_string())]);
        Ok(format!("{entries} {result}"))
    }

    fn sign(&mut self, said: &Said) -> String {
        self.step = Step::Done;
        let Some(side) = self.score.keeper() else {
            return String::new();
        };
        if *said != Said::Command(Command::Yes) {
            return self.answers().not_signed.clone();
        }
        match self.score.sign(Signature { side, at: None }) {
            Ok(()) => {
                let side = self.words.side(side);
                filled(&self.answers().signed, &[("side", side)])
            }
            Err(error) => self.not_done(&error),
        }
    }

    /// The last entry by its number, in the words of an answer.
    fn last(&self, answer: &str) -> String {
        let Some(last) = self.score.entries().last() else {
            return self.answers().nothing_yet.clone();
        };
        let number = self.score.entries().len().to_string();
        let last = write_move(&last.notated, self.letters);
        filled(answer, &[("number", &number), ("move", &last)])
    }

    /// Where the score has led to, with the last entry taken back if it is being corrected.
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
        self.step == Step::Done
    }
}

/// Typed announcements, a line for each or for several moves; an empty line ends them.
fn from_lines(arguments: &Arguments, dictation: &mut Dictation, keep: Keep<'_>) -> Result<()> {
    let lexicon = data::lexicon(&arguments.language())?;
    for text in std::io::stdin().lock().lines() {
        let text = text.map_err(|error| told!(BadInput, AsItIs, text = error.to_string()))?;
        let is_empty = text.trim().is_empty();
        if is_empty && dictation.step == Step::Signing {
            break;
        }
        let said = if is_empty {
            Line::Says(vec![Said::Command(Command::Stop)])
        } else {
            line(&lexicon, &text, &dictation.standing())
        };
        let answers = dictation.answers();
        let places = [("text", text.as_str())];
        match said {
            Line::Nothing => show!("{}", filled(&answers.not_understood, &places)),
            Line::Several => show!("{}", filled(&answers.one_at_a_time, &places)),
            Line::Says(said) => {
                for said in said {
                    show!("{}", dictation.take(&Heard::Clear(said)));
                    keep(&dictation.score)?;
                }
            }
        }
        if dictation.is_done() {
            break;
        }
    }
    // Where the lines end without an empty one, the result is kept all the same, and unsigned.
    if dictation.step == Step::Moves && dictation.result.is_some() && !dictation.is_empty() {
        let stop = Said::Command(Command::Stop);
        show!("{}", dictation.take(&Heard::Clear(stop)));
    }
    Ok(())
}

#[cfg(feature = "recognizer")]
fn from_sound(
    arguments: &Arguments,
    device: Option<&Option<String>>,
    sounds: &[PathBuf],
    dictation: &mut Dictation,
    keep: Keep<'_>,
) -> Result<()> {
    use crate::shell::hearing::SAMPLE_RATE;
    use crate::shell::hearing::listener::Utterance;
    use crate::shell::hearing::session::Session;

    /// Sound that is shorter than this, and no words, is passed over.
    const NOISE: usize = SAMPLE_RATE as usize * 3 / 2;

    let session = Session::new(&arguments.language(), arguments.model.as_deref(), false)?;
    let mut unkept = None;
    let mut tell = |utterance: &Utterance| {
        // What is too long for a noise was said to be taken down.
        let is_speech = utterance.sound.len() > NOISE;
        let heard = utterance.heard();
        let heard = heard.or_else(|| is_speech.then(|| Heard::Unclear(Vec::new())));
        if let Some(heard) = heard.filter(|_| !dictation.is_done()) {
            show!("{}", dictation.take(&heard));
            unkept = unkept.take().or_else(|| keep(&dictation.score).err());
        }
        dictation.is_done() || unkept.is_some()
    };
    if let Some(device) = device {
        session.microphone_until(device.as_deref(), &mut tell)?;
    }
    for sound in sounds {
        let path: &std::path::Path = sound;
        session.file(path, false, &mut |said, _| {
            tell(said);
            Ok(())
        })?;
    }
    unkept.map_or(Ok(()), Err)
}

#[cfg(not(feature = "recognizer"))]
fn from_sound(
    _arguments: &Arguments,
    _device: Option<&Option<String>>,
    _sounds: &[PathBuf],
    _dictation: &mut Dictation,
    _keep: Keep<'_>,
) -> Result<()> {
    Err(told!(Missing, TypeInstead))
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::notation::Announcement;

    fn words() -> SheetWords {
        SheetWords::parse(include_str!("../../../grammar/en/scores.toml")).unwrap()
    }

    fn moved(to: Square) -> Said {
        Said::Move(Announcement::of_move(Role::Pawn, Square::E2, to))
    }

    #[test]
    fn a_dictation_is_corrected_ended_and_signed() {
        let mut dictation = Dictation::new(Some(Color::White), Some(GameResult::Draw), words());
        let mut take = |said: Said| dictation.take(&Heard::Clear(said));
        assert_eq!(take(moved(Square::E3)), "1: e2-e3");
        assert!(take(Said::Correction(None)).contains("again"));
        assert_eq!(take(moved(Square::E4)), "1: now e2-e4");
        assert!(take(Said::Command(Command::OfferDraw)).ends_with("(=)"));
        assert!(take(Said::Command(Command::Stop)).contains("The result is 1/2-1/2."));
        assert_eq!(take(Said::Command(Command::Yes)), "Signed by White.");
        assert!(dictation.is_done());
        assert_eq!(dictation.score.entries().len(), 1);
        assert_eq!(dictation.score.entries()[0].slips.len(), 1);
        assert!(dictation.score.entries()[0].offer);
        assert_eq!(dictation.score.signatures().len(), 1);
    }

    #[test]
    fn words_that_are_not_clear_are_asked_for_again() {
        let mut dictation = Dictation::new(None, None, words());
        let heard = Heard::Unclear(vec![moved(Square::E3), moved(Square::E4)]);
        let answer = dictation.take(&heard);
        assert_eq!(answer, "Not clear. e2-e3 or e2-e4? Please once more.");
        assert!(dictation.score.entries().is_empty());
        let nothing = dictation.take(&Heard::Unclear(Vec::new()));
        assert_eq!(nothing, "Not clear. Please once more.");
    }

    #[test]
    fn a_yes_takes_what_was_asked_and_nothing_later() {
        let mut dictation = Dictation::new(None, None, words());
        let yes = Heard::Clear(Said::Command(Command::Yes));
        dictation.take(&Heard::Clear(moved(Square::E4)));
        let offer = Heard::Unclear(vec![Said::Command(Command::OfferDraw)]);
        assert!(dictation.take(&offer).contains("(=)?"));
        assert_eq!(dictation.take(&yes), "1: e2-e4 (=)");
        dictation.take(&Heard::Unclear(vec![moved(Square::E3)]));
        dictation.take(&Heard::Clear(moved(Square::E4)));
        dictation.take(&yes);
        assert_eq!(dictation.score.entries().len(), 2);
        assert!(dictation.score.entries()[0].offer);
    }
}
