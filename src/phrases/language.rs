//! A language that can be spoken: its lexicon, its phrases and its terms.

use std::collections::BTreeMap;
use std::time::Duration;

use shakmaty::{Color, Role};

use super::complete::has_all;
use super::control::ControlWords;
use super::fault::FaultWords;
use super::language_error::LanguageError;
use super::pieces::{Pieces, PlaceKind, Unplaced};
use super::spoken::{Pause, Segment, Spoken};
use super::{
    Argument, Fault, Ground, Grounds, Phrase, PhraseKey, Sentence, Sentences, Terms, plain,
};
use annexd_laws::clock::TimeControl;
use annexd_laws::notation::{Announcement, Lexicon, Style, Value, words};
use annexd_score::{Letters, Notated, read_page, write_move};

/// A language that can say every [`Phrase`].
#[derive(Clone, Debug)]
pub struct Language {
    lexicon: Lexicon,
    terms: Terms,
    phrases: BTreeMap<PhraseKey, Pieces>,
    faults: FaultWords,
    controls: ControlWords,
    reasons: Grounds,
    sentences: Sentences,
}

impl Language {
    /// Its files besides those of the lexicon.
    pub const FILES: [&str; 7] = [
        "terms.toml",
        "phrases.toml",
        "faults.toml",
        "controls.toml",
        "reasons.toml",
        "errors.toml",
        "verdict.toml",
    ];

    /// Reads the texts of its files, in the order of [`Self::FILES`]. They must have every phrase,
    /// every word of a fault and every sentence, and nothing else.
    ///
    /// # Errors
    ///
    /// If a file is wrong. The error gives the file, the line and the fault.
    pub fn parse(lexicon: Lexicon, texts: [&str; 7]) -> Result<Self, LanguageError> {
        let at = |file| move |fault| LanguageError { file, fault };
        let [terms, phrases, faults, controls, reasons, errors, verdict] = texts;
        let page = phrases;
        let phrases = read_page(page).map_err(at("phrases.toml"))?;
        has_all(&phrases, page).map_err(at("phrases.toml"))?;
        Ok(Self {
            lexicon,
            terms: Terms::parse(terms).map_err(at("terms.toml"))?,
            phrases,
            faults: FaultWords::parse(faults).map_err(at("faults.toml"))?,
            controls: ControlWords::parse(controls).map_err(at("controls.toml"))?,
            reasons: Grounds::parse(reasons).map_err(at("reasons.toml"))?,
            sentences: Sentences::parse([errors, verdict])?,
        })
    }

    /// Returns the words of a sentence, such as why a command could not do what it was told.
    pub fn sentence(&self, sentence: &Sentence) -> String {
        self.sentences.text(sentence)
    }

    /// Returns several sentences, one after the other.
    pub fn paragraph(&self, sentences: &[Sentence]) -> String {
        self.sentences.paragraph(sentences)
    }

    /// Returns a fact as it is read.
    pub fn reason(&self, reason: &Ground) -> String {
        self.reasons.text(self, reason)
    }

    /// The words of the language.
    pub const fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Puts a phrase into words. It never fails: the place of a missing argument is left out.
    pub fn render(&self, phrase: &Phrase) -> Spoken {
        // A clock is set by it, and the old time and the new one would otherwise sound the same.
        let is_exact = matches!(
            phrase.key,
            PhraseKey::ClockSet
                | PhraseKey::TimesInFull
                | PhraseKey::TimesInFullAbout
                | PhraseKey::TimesUsed
                | PhraseKey::EnvelopeTimes
                | PhraseKey::TimesUsedToSet
                | PhraseKey::TimesLeftToSet
        );
        self.rendered(phrase, is_exact)
    }

    /// Returns the text of a phrase with its times to the second.
    pub fn text_to_the_second(&self, phrase: &Phrase) -> String {
        self.rendered(phrase, true).text()
    }

    fn rendered(&self, phrase: &Phrase, is_exact: bool) -> Spoken {
        let is_short = matches!(
            phrase.key,
            PhraseKey::TimesLeft
                | PhraseKey::TimesLeftAbout
                | PhraseKey::OwnTimeLeft
                | PhraseKey::OwnTimeLeftAbout
        );
        let said = |argument: &Argument| match argument {
            Argument::Time(time) if is_short => clips(self.terms.time_in_short(*time)),
            Argument::Time(time) if is_exact => clips(self.terms.time_to_the_second(*time)),
            _ => self.argument(argument),
        };
        let pieces = self.phrases.get(&phrase.key);
        let segments = pieces.map(|pieces| pieces.filled(&phrase.arguments, &said));
        Spoken {
            segments: segments.unwrap_or_default(),
        }
    }

    /// Returns the text of a phrase.
    pub fn text(&self, phrase: &Phrase) -> String {
        self.render(phrase).text()
    }

    /// Returns a text as a voice of the system is told it, where such voices would say a word
    /// otherwise than people do.
    pub fn voiced(&self, text: &str) -> String {
        self.terms.voiced(text)
    }

    /// Returns the text of a phrase for a console, with the system's message of a fault.
    pub fn text_with_detail(&self, phrase: &Phrase) -> String {
        self.with_detail(self.text(phrase), phrase)
    }

    /// Adds to the text of a phrase the system's message of a fault.
    pub fn with_detail(&self, mut text: String, phrase: &Phrase) -> String {
        for argument in &phrase.arguments {
            if let Argument::Fault(fault) = argument
                && let Some(detail) = &fault.detail
            {
                let words: Vec<&str> = detail.split_whitespace().collect();
                text = format!("{text} ({})", words.join(" "));
            }
        }
        text
    }

    /// Returns the text of a phrase for a reader: times, numbers, squares and articles in figures,
    /// and moves in symbols.
    pub fn text_in_figures(&self, phrase: &Phrase) -> String {
        let segments = self.segments_in_figures(phrase);
        Spoken { segments }.text()
    }

    fn segments_in_figures(&self, phrase: &Phrase) -> Vec<Segment> {
        let said = |argument: &Argument| self.in_figures(argument);
        let pieces = self.phrases.get(&phrase.key);
        let segments = pieces.map(|pieces| pieces.filled(&phrase.arguments, &said));
        segments.unwrap_or_default()
    }

    /// Returns an argument as it is read.
    pub(super) fn in_figures(&self, argument: &Argument) -> Vec<Segment> {
        let text = match argument {
            Argument::Number(number) => number.to_string(),
            Argument::Time(time) => figures_of(*time),
            Argument::Square(square) => square.to_string(),
            Argument::Squares(squares) => {
                let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
                squares.join(", ")
            }
            Argument::Move(announcement) => self.signs(announcement),
            Argument::Article(article) => self.terms.article_in_figures(article),
            Argument::Phrase(phrase) => return self.segments_in_figures(phrase),
            other => return self.argument(other),
        };
        vec![Segment::Free(text)]
    }

    /// Returns an article as it is read.
    pub fn article(&self, article: &str) -> String {
        self.terms.article_in_figures(article)
    }

    /// Returns a move in symbols, with the letters of the language.
    pub fn signs(&self, announcement: &Announcement) -> String {
        let written = write_move(&Notated::from(announcement), self.letters());
        match announcement {
            // Who names both squares need not name the piece.
            Announcement::Move(_) => written.trim_start_matches('?').replacen('-', "–", 1),
            Announcement::Castling(_) => written.replace('-', "–"),
        }
    }

    /// The letters of its pieces.
    pub const fn letters(&self) -> Letters {
        self.sentences.letters()
    }

    /// Returns every piece of speech that needs a clip: words of the lexicon, numbers, units, and
    /// the fixed words of all phrases. They are sorted and unique.
    pub fn vocabulary(&self) -> Vec<String> {
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        let unplaced = self.faults.all().chain(self.controls.all());
        let fixed = self.phrases.values().flat_map(Pieces::fixed);
        let fixed = fixed.chain(unplaced.flat_map(Unplaced::fixed));
        let fixed = fixed.map(str::to_owned);
        let entries = self.lexicon.words().iter();
        let words = entries.map(|entry| self.terms.written(&entry.word).to_owned());
        for words in words.chain(self.terms.vocabulary()).chain(fixed) {
            all.entry(Spoken::clip_name(&words)).or_insert(words);
        }
        all.into_values().collect()
    }

    /// The places in a phrase's text. They are the same in every language.
    pub fn places(&self, key: PhraseKey) -> Vec<PlaceKind> {
        self.phrases
            .get(&key)
            .map(Pieces::places)
            .unwrap_or_default()
    }

    pub(super) fn argument(&self, argument: &Argument) -> Vec<Segment> {
        match argument {
            Argument::Move(announcement) => self.announcement(announcement, Style::Long).segments,
            Argument::Square(square) => {
                self.values(&[Value::File(square.file()), Value::Rank(square.rank())])
            }
            Argument::Piece(Some(role)) => self.values(&[Value::Role(*role)]),
            Argument::Piece(None) => clips(vec![self.terms.unknown_piece().to_owned()]),
            Argument::Pieces(role) => clips(vec![self.terms.several(*role).to_owned()]),
            Argument::Squares(squares) => listed(squares.iter().map(|square| {
                self.values(&[Value::File(square.file()), Value::Rank(square.rank())])
            })),
            Argument::Counted(counted) => {
                listed(counted.iter().map(|(role, number)| match number {
                    1 => self.values(&[Value::Role(*role)]),
                    _ => {
                        let mut words = self.terms.number(*number);
                        words.push(self.terms.several(*role).to_owned());
                        clips(words)
                    }
                }))
            }
            Argument::Side(side) => clips(vec![self.terms.side(*side).to_owned()]),
            Argument::Time(time) => clips(self.terms.time(*time)),
            Argument::Allotment(control) => self.allotment(control),
            Argument::Number(number) => clips(self.terms.number(*number)),
            Argument::Article(article) => clips(self.terms.article(article)),
            Argument::Language(code) => match self.terms.language(code) {
                Some(name) => clips(vec![name.to_owned()]),
                None => free(code),
            },
            Argument::Text(text) => free(text),
            Argument::Sentences(sentences) => free(&self.paragraph(sentences)),
            Argument::Fault(fault) => self.fault(fault),
            Argument::Control(name) => self.controls.said(name),
            Argument::Phrase(phrase) => self.render(phrase).segments,
        }
    }

    fn fault(&self, fault: &Fault) -> Vec<Segment> {
        self.faults.said(fault)
    }

    /// Returns the words of a move.
    pub fn announcement(&self, announcement: &Announcement, style: Style) -> Spoken {
        let words = words(&self.lexicon, announcement, style);
        Spoken {
            segments: self.written(words.iter().map(String::as_str)),
        }
    }

    /// Returns words of the lexicon, such as those of a command, as a person reads them.
    pub fn as_read<S: AsRef<str>>(&self, words: &[S]) -> String {
        let segments = self.written(words.iter().map(AsRef::as_ref));
        Spoken { segments }.text()
    }

    /// The line that is typed for a function of `assets/controls.toml`. If it takes words, it has
    /// an example of them.
    pub fn typed(&self, control: &str) -> Option<&str> {
        self.controls.typed(control)
    }

    /// Returns the kind of piece that a plural names, whatever its case.
    pub fn role_of_several(&self, word: &str) -> Option<Role> {
        let word = word.to_lowercase();
        let mut roles = Role::ALL.into_iter();
        roles.find(|role| self.terms.several(*role).to_lowercase() == word)
    }

    /// The name of a side.
    pub fn side(&self, side: Color) -> &str {
        self.terms.side(side)
    }

    /// Returns the words of a time, to the second.
    pub fn time_to_the_second(&self, time: Duration) -> Spoken {
        Spoken {
            segments: clips(self.terms.time_to_the_second(time)),
        }
    }

    /// Returns the words of a number.
    pub fn number(&self, number: u32) -> Spoken {
        Spoken {
            segments: clips(self.terms.number(number)),
        }
    }

    /// Returns the words of a time.
    pub fn time(&self, time: Duration) -> Spoken {
        Spoken {
            segments: clips(self.terms.time(time)),
        }
    }

    /// Returns the words of the allotted time, its parts separated by commas.
    fn allotment(&self, control: &TimeControl) -> Vec<Segment> {
        listed(self.terms.allotment(control).into_iter().map(clips))
    }

    fn values(&self, values: &[Value]) -> Vec<Segment> {
        self.written(
            values
                .iter()
                .filter_map(|value| self.lexicon.word_for(*value)),
        )
    }

    fn written<'a>(&self, words: impl Iterator<Item = &'a str>) -> Vec<Segment> {
        clips(
            words
                .map(|word| self.terms.written(word).to_owned())
                .collect(),
        )
    }
}

/// Writes a time as on the display of a chessclock.
pub fn figures_of(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    format!("{}:{minutes:02}:{rest:02}", seconds / 3600)
}

/// Joins parts, separated by commas.
fn listed(parts: impl Iterator<Item = Vec<Segment>>) -> Vec<Segment> {
    let mut segments = Vec::new();
    for part in parts {
        if !segments.is_empty() {
            segments.push(Segment::Pause(Pause::Comma));
        }
        segments.extend(part);
    }
    segments
}

fn clips(words: Vec<String>) -> Vec<Segment> {
    words.into_iter().map(Segment::Clip).collect()
}

/// Returns free words without what no voice can say. Empty if nothing is left.
fn free(text: &str) -> Vec<Segment> {
    let text = plain(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Vec::new();
    }
    vec![Segment::Free(text)]
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::super::{FaultPart, Reason, Remedy};
    use super::*;
    use crate::{GERMAN, german, german_language};

    #[test]
    fn a_move_is_said_in_the_long_form() {
        let german = german_language();
        let announced = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        let phrase = Phrase::new(PhraseKey::Announced, [Argument::Move(announced)]);
        assert_eq!(german.text(&phrase), "Springer Gustav eins Felix drei");
    }

    #[test]
    fn a_fault_is_said_in_words_and_read_with_what_the_system_says() {
        let german = german_language();
        let fault = Fault::new(FaultPart::Microphone, Reason::Absent, Remedy::Connect);
        let phrase = Phrase::from(fault.with("ALSA:\nno card"));
        let said = "Das Mikrofon ist nicht da. Bitte anschließen.";
        assert_eq!(german.text(&phrase), said);
        let read = format!("{said} (ALSA: no card)");
        assert_eq!(german.text_with_detail(&phrase), read);
    }

    #[test]
    fn a_clock_that_is_set_is_told_to_the_second() {
        let german = german_language();
        let times = [5444, 5400].map(|seconds| Argument::Time(Duration::from_secs(seconds)));
        let side = Argument::Side(Color::White);
        let text = |key, times: &[Argument]| {
            german.text(&Phrase::new(
                key,
                times.iter().cloned().chain([side.clone()]),
            ))
        };
        let set = text(PhraseKey::ClockSet, &times);
        assert!(
            set.contains(
                "eine Stunde dreißig Minuten vierundvierzig, jetzt eine Stunde dreißig Minuten"
            ),
            "{set}"
        );
        for key in [
            PhraseKey::EnvelopeTimes,
            PhraseKey::TimesUsedToSet,
            PhraseKey::TimesLeftToSet,
        ] {
            let to_set = text(key, &times);
            assert!(to_set.contains("vierundvierzig"), "{to_set}");
        }
        let left = text(PhraseKey::TimesLeft, &times);
        assert_eq!(left, "Sie eins dreißig vierundvierzig, Gegner eins dreißig");
        let below = [1514, 1500].map(|seconds| Argument::Time(Duration::from_secs(seconds)));
        let left = text(PhraseKey::TimesLeft, &below);
        assert_eq!(
            left,
            "Sie fünfundzwanzig vierzehn, Gegner fünfundzwanzig Minuten"
        );
        let below = [1504, 540].map(|seconds| Argument::Time(Duration::from_secs(seconds)));
        let left = text(PhraseKey::TimesLeft, &below);
        assert_eq!(left, "Sie fünfundzwanzig vier, Gegner neun Minuten");
        let wished = text(PhraseKey::TimeLeftAsWished, &times);
        assert!(!wished.contains("vierundvierzig"), "{wished}");
    }

    #[test]
    fn who_looks_reads_figures_and_signs() {
        let german = german_language();
        let said = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        let article = Argument::Article("7.5.1".to_owned());
        let illegal = [Argument::Side(Color::White), Argument::Move(said), article];
        let illegal = Phrase::new(PhraseKey::IllegalMove, illegal);
        assert_eq!(
            german.text_in_figures(&illegal),
            "Regelwidriger Zug von Weiß: Sg1–f3. Artikel 7.5.1."
        );
        let times = [5584, 5400].map(|seconds| Argument::Time(Duration::from_secs(seconds)));
        let set = [Argument::Side(Color::Black)].into_iter().chain(times);
        let set = Phrase::new(PhraseKey::ClockSet, set);
        let set = german.text_in_figures(&set);
        assert!(set.contains("1:33:04, jetzt 1:30:00"), "{set}");
        let not = Argument::Article("9.6.1 (not in 2017-07)".to_owned());
        let not = german.text_in_figures(&Phrase::new(PhraseKey::TouchBinds, [not]));
        assert!(
            not.contains("Artikel neun sechs eins nicht in der"),
            "{not}"
        );
    }

    #[test]
    fn a_missing_argument_leaves_its_place_out() {
        let german = german_language();
        assert_eq!(german.text(&PhraseKey::Announced.into()), "");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (phrases, fault) in [
            (
                "announced = \"{move}\"\nanounced = \"x\"",
                "line 2: anounced: there is no such",
            ),
            (
                "announced = \"{zug}\"",
                "line 1: announced: there is no place",
            ),
            ("announced = 5", "line 1: announced: invalid type"),
            ("announced = \"{move}", "line 1: "),
            (
                "announced = \"a\"\nannounced = \"b\"",
                "line 2: announced: duplicate key",
            ),
            ("", "is missing"),
        ] {
            let mut texts = GERMAN;
            texts[1] = phrases;
            let error = Language::parse(german(), texts).unwrap_err();
            let error = error.to_string();
            assert!(error.starts_with("phrases.toml, "), "{error}");
            assert!(error.contains(fault), "{error}");
        }
    }
}
