//! Goes through what was not heard well in games, so that it can be learnt from.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

use super::reviewed::Reviewed;
use super::unsure::{names_in, own_sounds, readings};
use crate::notation::{Command, Lexicon, Said, Value, typed};
use crate::phrases::Language;
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::echo::forget_typed;
use crate::shell::consoles::lines::read_line;
use crate::shell::error::{Result, Sentence, error, sentence};
use crate::shell::hearing::SAMPLE_RATE;
use crate::shell::hearing::enrolled::{Place, model_for};
use crate::shell::hearing::session::Session;
use crate::shell::hearing::source::read_whole;
use crate::shell::record::catalogue;
use crate::shell::speech::sound::{Loudspeaker, SoundEvent};

/// How much longer than a sound its loudspeaker may take before it counts as silent.
const SLACK: Duration = Duration::from_secs(5);
/// Between an answer and the next sound, so that whoever reads by ear has heard the answer.
const PAUSE: Duration = Duration::from_secs(1);
/// A word that is not known is told up to so many letters.
const LETTERS: usize = 30;
/// After so many sounds it is told how far the listening is.
const TOLD: usize = 50;

/// What becomes of a sound.
enum Answer {
    Said(Vec<String>),
    LeaveOut,
    Again,
    Back,
    Help,
    Stop,
    /// It is not taken, or only when it is given once more, for this reason.
    Unknown(Sentence),
}

/// A sound of which it is asked what was said.
struct Unsure {
    sum: String,
    sound: PathBuf,
    /// What it may have been, each in its words.
    readings: Vec<Vec<String>>,
    /// Which of how many it is in its game.
    place: (usize, usize),
}

/// Asks for each sound that was not heard well what was said in it: in one game, or in all of the
/// person's, the newest first. Returns false if it was stopped.
pub(super) fn review(name: &str, code: &str, place: &Place, game: Option<&str>) -> Result<bool> {
    let folder = catalogue::folder(&Settings::load(None)?)?;
    let games: Vec<PathBuf> = match game {
        Some(name) => vec![catalogue::find(&folder, name)?],
        None => catalogue::all(&folder).into_iter().rev().collect(),
    };
    if name.is_empty() {
        let names: Vec<String> = names_in(&games, code).into_iter().collect();
        if names.len() > 1 {
            return Err(error!(Usage, ReviewSeveral, names = names.join(", ")));
        }
    }
    // A model that does not fit is learnt anew afterwards, and told of by --show. In a game that is
    // gone through anew the usual one hears: the tuned one may have learnt a wrong answer.
    let is_named = game.is_some();
    let tuned = match is_named {
        true => None,
        false => model_for(&[name.to_owned()], code).unwrap_or_default(),
    };
    let mut review = Review {
        name,
        code,
        language: data::language(code)?,
        session: Session::new(code, tuned.as_deref(), false)?,
        reviewed: Reviewed::read(place)?,
        is_named,
        games: games.into(),
        player: None,
        waiting: VecDeque::new(),
        answered: Vec::new(),
        doubted: None,
        has_any: false,
        kept: 0,
    };
    let is_through = review.ask()?;
    let told = match (review.answered.len(), review.has_any) {
        (0, _) if !is_through => None,
        (0, false) => Some(sentence!(
            ReviewNothing,
            name = super::who(name),
            language = code
        )),
        (0, true) => Some(sentence!(ReviewNoMore)),
        (all, _) => Some(sentence!(
            ReviewDone,
            count = review.kept,
            left = all - review.kept,
            path = place.folder().display()
        )),
    };
    if let Some(told) = told {
        language::show(&told);
    }
    if !is_through {
        language::show(&sentence!(ReviewStopped));
    }
    Ok(is_through)
}

struct Review<'a> {
    name: &'a str,
    code: &'a str,
    language: Language,
    session: Session,
    reviewed: Reviewed,
    /// Whether it is about a game that was named. Then all of it is asked for, as often as wished.
    is_named: bool,
    games: VecDeque<PathBuf>,
    /// What plays the sounds, from the first one on.
    player: Option<Player>,
    waiting: VecDeque<Unsure>,
    /// What was asked and answered, and whether it is to be learnt from.
    answered: Vec<(Unsure, bool)>,
    /// Words that were typed and are unlike all that was heard. Given once more they are taken.
    doubted: Option<Vec<String>>,
    /// Whether there was any sound of his.
    has_any: bool,
    /// How many of the answers are to be learnt from.
    kept: usize,
}

impl Review<'_> {
    /// Asks for one after the other. Returns false if it is to stop.
    fn ask(&mut self) -> Result<bool> {
        let mut plays = true;
        while let Some(one) = self.next()? {
            if self.player.is_none() {
                self.player = Some(Player::open()?);
                language::show(&sentence!(ReviewHow));
                language::show(&sentence!(ReviewEnter));
                let begins = typed_line().map(|line| self.order(&line));
                if matches!(begins, None | Some(Some(Answer::Stop))) {
                    return Ok(false);
                }
            }
            if let Some(player) = self.player.as_mut().filter(|_| plays) {
                player.play(&one.sound)?;
                forget_typed();
                self.tell(&one);
            }
            plays = true;
            match self.answer(&one) {
                Answer::Said(words) => {
                    self.reviewed.keep(&one.sum, &one.sound, &words)?;
                    let text = self.language.as_read(&words);
                    language::show(&sentence!(ReviewTaken, text = text));
                    self.done(one, true);
                }
                Answer::LeaveOut => {
                    self.reviewed.leave_out(&one.sum)?;
                    language::show(&sentence!(ReviewLeftOut));
                    self.done(one, false);
                }
                Answer::Again => self.waiting.push_front(one),
                Answer::Back => self.back(one)?,
                Answer::Help => {
                    language::show(&sentence!(ReviewHow));
                    self.waiting.push_front(one);
                    plays = false;
                }
                Answer::Stop => return Ok(false),
                Answer::Unknown(why) => {
                    language::show(&why);
                    self.waiting.push_front(one);
                    plays = false;
                }
            }
        }
        Ok(true)
    }

    /// Goes on to the next one.
    fn done(&mut self, one: Unsure, is_kept: bool) {
        self.kept += usize::from(is_kept);
        self.answered.push((one, is_kept));
        thread::sleep(PAUSE);
    }

    /// Goes back to what was asked before. It is open again.
    fn back(&mut self, one: Unsure) -> Result<()> {
        self.waiting.push_front(one);
        match self.answered.pop() {
            Some((last, was_kept)) => {
                self.kept -= usize::from(was_kept);
                self.reviewed.reopen(&last.sum)?;
                self.waiting.push_front(last);
            }
            None => language::show(&sentence!(ReviewFirst)),
        }
        Ok(())
    }

    /// The next sound that is to be asked for, from the next game that has one.
    fn next(&mut self) -> Result<Option<Unsure>> {
        while self.waiting.is_empty() {
            let Some(game) = self.games.pop_front() else {
                break;
            };
            self.listen_to(&game)?;
        }
        Ok(self.waiting.pop_front())
    }

    /// Hears a game's sounds once more. A game that cannot be read is passed over, unless it was
    /// named.
    fn listen_to(&mut self, game: &Path) -> Result<()> {
        let title = catalogue::name_of(game);
        let own = match own_sounds(game, self.name, self.code) {
            Ok(own) => own,
            Err(why) if self.is_named => return Err(why),
            Err(why) => {
                let why = why.sentence();
                language::show(&sentence!(ReviewPassedOver, game = title, why = why));
                return Ok(());
            }
        };
        self.has_any |= !own.sounds.is_empty();
        let is_wanted = |sum: &str| self.is_named || !self.reviewed.knows(sum);
        let sounds: Vec<_> = own
            .sounds
            .into_iter()
            .filter(|it| is_wanted(&it.sum))
            .collect();
        if sounds.is_empty() {
            return Ok(());
        }
        let title = match own.player.as_str() {
            "" => title,
            player => format!("{title}, {player}"),
        };
        language::show(&sentence!(
            ReviewListens,
            game = title,
            count = sounds.len()
        ));
        let mut unsure = Vec::new();
        for (number, sound) in sounds.iter().enumerate() {
            if number > 0 && number % TOLD == 0 {
                let percent = number * 100 / sounds.len();
                language::show(&sentence!(EnrolmentAt, percent = percent));
            }
            let before = self.reviewed.answer(&sound.sum).filter(|_| self.is_named);
            let heard = readings(&self.session, sound);
            if heard.is_none() && before.is_none() {
                self.reviewed.is_clear(&sound.sum);
                continue;
            }
            // What was answered before is the first that can be chosen.
            let mut readings = heard.unwrap_or_default();
            if let Some(words) = before.filter(|words| !words.is_empty()) {
                readings.retain(|it| *it != words);
                readings.insert(0, words);
            }
            unsure.push((sound, readings));
        }
        let count = unsure.len();
        for (number, (sound, readings)) in unsure.into_iter().enumerate() {
            self.waiting.push_back(Unsure {
                sum: sound.sum.clone(),
                sound: sound.path.clone(),
                readings,
                place: (number + 1, count),
            });
        }
        Ok(())
    }

    /// Tells what a sound may have been, and what was answered before.
    fn tell(&self, one: &Unsure) {
        let (number, count) = one.place;
        let readings = one.readings.iter().enumerate();
        let readings = readings.map(|(at, words)| format!("{}: {}.", at + 1, self.named(words)));
        let readings = readings.collect::<Vec<_>>().join(" ");
        let readings = match readings.is_empty() {
            true => sentence!(ReviewNotUnderstood),
            false => sentence!(AsItIs, text = readings),
        };
        let line = sentence!(
            ReviewLine,
            number = number,
            count = count,
            readings = readings
        );
        language::show(&line);
        match self.reviewed.answer(&one.sum) {
            Some(words) if words.is_empty() => language::show(&sentence!(ReviewBeforeLeftOut)),
            Some(words) => language::show(&sentence!(ReviewBefore, text = self.named(&words))),
            None => {}
        }
    }

    /// Words as they are read, with the names of bare letters, which sound alike.
    fn named(&self, words: &[String]) -> String {
        let lexicon = self.session.lexicon();
        let named = words.iter().flat_map(|word| {
            let value = lexicon.value(word).filter(|_| word.len() == 1);
            let name = value
                .and_then(|it| lexicon.word_for(it))
                .filter(|it| it != word);
            [Some(word.as_str()), name]
        });
        let named: Vec<&str> = named.flatten().collect();
        self.language.as_read(&named)
    }

    /// Reads an answer. The end of the input is a wish to stop.
    fn answer(&mut self, one: &Unsure) -> Answer {
        let Some(line) = typed_line() else {
            return Answer::Stop;
        };
        let doubted = self.doubted.take();
        let lexicon = self.session.lexicon();
        if let Some(number) = number(lexicon, &line) {
            let chosen = number.checked_sub(1).and_then(|at| one.readings.get(at));
            let unknown = || Answer::Unknown(sentence!(ReviewNoSuch, number = number));
            return chosen.cloned().map_or_else(unknown, Answer::Said);
        }
        if let Some(order) = self.order(&line) {
            return order;
        }
        let answer = said(lexicon, &line);
        match &answer {
            Answer::Said(words)
                if !is_like(words, &one.readings) && doubted.as_ref() != Some(words) =>
            {
                let text = self.language.as_read(words);
                self.doubted = Some(words.clone());
                Answer::Unknown(sentence!(ReviewUnlike, text = text))
            }
            _ => answer,
        }
    }

    /// What a line wishes that is no answer.
    fn order(&self, line: &str) -> Option<Answer> {
        match typed(self.session.lexicon(), line).as_slice() {
            [Said::Command(Command::Stop)] => Some(Answer::Stop),
            [Said::Command(Command::Repeat)] => Some(Answer::Again),
            [Said::Command(Command::Help)] => Some(Answer::Help),
            [Said::Correction(None)] => Some(Answer::Back),
            _ => None,
        }
    }
}

/// The number of a reading, in figures or as a word.
fn number(lexicon: &Lexicon, line: &str) -> Option<usize> {
    let line = line.trim_end_matches(['.', ':', ')']);
    let word = || match lexicon.value(lexicon.canonical(line)?) {
        Some(Value::Rank(rank)) => Some(usize::from(rank) + 1),
        _ => None,
    };
    line.parse().ok().or_else(word)
}

/// Whether at least half of the words are those of a reading.
fn is_like(words: &[String], readings: &[Vec<String>]) -> bool {
    let alike = |reading: &Vec<String>| {
        let same = words.iter().filter(|it| reading.contains(it)).count();
        2 * same >= words.len().max(reading.len())
    };
    readings.iter().any(alike)
}

fn typed_line() -> Option<String> {
    read_line(&mut std::io::stdin().lock())
}

/// The words of a line, in the spelling of the lexicon.
fn said(lexicon: &Lexicon, line: &str) -> Answer {
    let is_between = |sign: char| sign.is_whitespace() || ",.!?".contains(sign);
    let mut words = Vec::new();
    for token in line.split(is_between).filter(|it| !it.is_empty()) {
        // A number chooses a reading, and is no word that was said.
        let is_number = token.bytes().all(|it| it.is_ascii_digit());
        match lexicon.canonical(token).filter(|_| !is_number) {
            Some(word) => words.push(word.to_owned()),
            None => {
                let word: String = token.chars().take(LETTERS).collect();
                return Answer::Unknown(sentence!(ReviewNoWord, word = word));
            }
        }
    }
    if words.is_empty() {
        return Answer::LeaveOut;
    }
    Answer::Said(words)
}

/// Plays sounds, each to its end.
struct Player {
    loudspeaker: Loudspeaker,
    events: Receiver<SoundEvent>,
}

impl Player {
    fn open() -> Result<Self> {
        let (told, events) = unbounded();
        let opened = Loudspeaker::open(None, move |event| {
            let _ = told.send(event);
        });
        let loudspeaker =
            opened.map_err(|why| error!(DeviceLost, ReviewNotPlayed, why = why.sentence()))?;
        Ok(Self {
            loudspeaker,
            events,
        })
    }

    /// Plays a file. What cannot be heard is not asked for. A loudspeaker that has just come may
    /// lose the first sound.
    fn play(&self, path: &Path) -> Result<()> {
        let sound: Arc<[i16]> = read_whole(path)?.into();
        match self.is_heard(&sound) || self.is_heard(&sound) {
            true => Ok(()),
            false => {
                let why = sentence!(VoiceSilent);
                Err(error!(DeviceLost, ReviewNotPlayed, why = why))
            }
        }
    }

    fn is_heard(&self, sound: &Arc<[i16]>) -> bool {
        let lasts = Duration::from_secs_f64(sound.len() as f64 / f64::from(SAMPLE_RATE));
        let _ = self.events.try_iter().count();
        if !self.loudspeaker.play(0, Arc::clone(sound), 1.0) {
            return false;
        }
        loop {
            match self.events.recv_timeout(lasts + SLACK) {
                Ok(SoundEvent::Ended { whole, .. }) => return whole,
                Ok(SoundEvent::Lost) | Err(_) => return false,
                Ok(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_in_words_of_the_language() {
        let lexicon = crate::shell::german();
        let words = |line: &str| match said(&lexicon, line) {
            Answer::Said(words) => words.join(" "),
            Answer::Unknown(why) => format!("unknown: {why}"),
            _ => String::new(),
        };
        assert_eq!(words("Turm David, vier!"), "turm david vier");
        for wrong in ["äh Turm", "1 1", "Turm d4"] {
            assert!(words(wrong).starts_with("unknown: "), "{}", words(wrong));
        }
        assert_eq!(words(" . "), "");
    }

    #[test]
    fn a_number_chooses_in_figures_and_in_words() {
        let lexicon = crate::shell::german();
        let all = ["2", "2.", "zwei", "Zwei", "zwei drei", "turm"];
        let numbers = all.map(|line| number(&lexicon, line));
        assert_eq!(numbers, [Some(2), Some(2), Some(2), Some(2), None, None]);
    }

    #[test]
    fn what_is_unlike_all_readings_is_doubted() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let readings = [words("turm david vier"), words("stopp")];
        assert!(is_like(&words("turm david sechs"), &readings));
        assert!(!is_like(&words("was"), &readings));
        assert!(!is_like(&words("turm"), &readings));
        assert!(!is_like(&words("stopp"), &[]));
    }
}
