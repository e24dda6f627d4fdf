//! Numbers, times, sides and articles as a language says them: `grammar/<language>/terms.toml`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use shakmaty::{Color, Role};

use annexd_laws::clock::{Bonus, TimeControl};
use annexd_score::{PageError, Part, Template, at_end, read_page};

/// How a language says numbers, times, sides and articles, as data.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The words for 0 to 99.
    below_hundred: Vec<String>,
    /// The words for 100, 200, … 900.
    hundreds: Vec<String>,
    /// The word after a number of thousands.
    thousand: String,
    /// A single thousand, alone or after hundreds of thousands.
    one_thousand: String,
    /// The name of the side that moves first.
    white: String,
    /// The name of the other side.
    black: String,
    /// The word for a piece of unknown kind.
    piece: String,
    /// The plurals of the pieces.
    several: Several,
    /// The word before the parts of an article such as "D.2.3".
    article: String,
    /// The word before the parts of a guideline such as "I.9".
    guideline: String,
    /// The words for the unlettered guideline of 2009 on adjourned games.
    adjourned_games: String,
    /// The words before the year of an edition that lacks a cited article.
    not_in_edition: String,
    /// How a word of the lexicon is written for reading, if differently.
    #[serde(default)]
    written: BTreeMap<String, String>,
    /// How beginnings of words are told to a voice that would say them otherwise than people do.
    #[serde(default)]
    voiced: BTreeMap<String, String>,
    /// The names of the languages, by the names of their folders in `grammar`.
    #[serde(default)]
    languages: BTreeMap<String, String>,
    time: TimeTerms,
    allotment: AllotmentTerms,
}

/// The plurals of the pieces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Several {
    king: String,
    queen: String,
    rook: String,
    bishop: String,
    knight: String,
    pawn: String,
}

/// The units of a time, each with one place for its number.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeTerms {
    one_hour: String,
    hours: Template,
    one_minute: String,
    minutes: Template,
    one_second: String,
    seconds: Template,
    /// Ten or more seconds after minutes: "fünf Minuten dreißig".
    seconds_after_minutes: Template,
}

/// The words for the allotted time. `{moves}` is a number, `{time}` a time.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct AllotmentTerms {
    /// A period with a number of moves: "vierzig Züge in neunzig Minuten".
    period: Template,
    /// The last of several periods: "dann dreißig Minuten".
    rest: Template,
    /// The bonus of each move: "dreißig Sekunden je Zug".
    increment: Template,
    /// The delay of each move before its time runs.
    delay: Template,
    /// The first move of the period with the bonus: "ab Zug einundvierzig".
    from_move: Template,
}

/// The least first number that must be minutes, because nobody has so many hours.
const MINUTES_ALONE: u32 = 10;

/// The allotted time of a game is said in minutes if it is below this.
const SAID_IN_MINUTES: Duration = Duration::from_secs(2 * 3600);

impl Terms {
    /// Reads `terms.toml`.
    ///
    /// # Errors
    ///
    /// If the file is wrong. The error gives the line of what is unknown, missing or of the wrong
    /// length.
    pub fn parse(text: &str) -> Result<Self, PageError> {
        let terms: Self = read_page(text)?;
        for (name, list, length) in [
            ("below_hundred", &terms.below_hundred, 100),
            ("hundreds", &terms.hundreds, 9),
        ] {
            if list.len() != length {
                let fault = format!("{name} has {} words and needs {length}", list.len());
                return Err(at_end(text, fault));
            }
        }
        Ok(terms)
    }

    /// Returns the words of a number, in pieces that each have a clip: "hundert", "fünf".
    pub fn number(&self, number: u32) -> Vec<String> {
        let mut words = Vec::new();
        self.push_number(number, &mut words);
        words
    }

    fn push_number(&self, number: u32, words: &mut Vec<String>) {
        let thousands = number / 1000;
        if thousands % 100 == 1 {
            if thousands > 1 {
                self.push_number(thousands - 1, words);
            }
            words.push(self.one_thousand.clone());
        } else if thousands > 0 {
            self.push_number(thousands, words);
            words.push(self.thousand.clone());
        }
        let hundreds = (number % 1000) / 100;
        if hundreds > 0 {
            words.extend(self.hundreds.get(hundreds as usize - 1).cloned());
        }
        let rest = number % 100;
        if rest > 0 || number == 0 {
            words.extend(self.below_hundred.get(rest as usize).cloned());
        }
    }

    /// Returns the words of a time as people say it, in pieces: "fünf", "Minuten", "dreißig".
    ///
    /// Fractions of a second are left out, as on the display of a chessclock. Seconds are left out
    /// if there are hours.
    pub fn time(&self, time: Duration) -> Vec<String> {
        let seconds = time.as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let seconds = small(seconds % 60);
        let terms = &self.time;
        let mut words = Vec::new();
        if hours > 0 {
            self.push_unit(small(hours), &terms.one_hour, &terms.hours, &mut words);
        }
        if minutes > 0 {
            let minutes = small(minutes);
            self.push_unit(minutes, &terms.one_minute, &terms.minutes, &mut words);
        }
        if hours > 0 || (minutes > 0 && seconds == 0) {
            return words;
        }
        self.push_seconds(seconds, minutes > 0, &mut words);
        words
    }

    /// Returns an article for a reader: its word, and the number in figures. The words for an
    /// edition or for adjourned games stay words.
    pub(super) fn article_in_figures(&self, article: &str) -> String {
        let words = self.article(article);
        let is_number = !article.contains(' ');
        match words.first().filter(|_| is_number) {
            Some(word) => format!("{word} {article}"),
            None => words.join(" "),
        }
    }

    /// Returns the words of a time with its seconds even if there are hours, for setting a clock.
    pub fn time_to_the_second(&self, time: Duration) -> Vec<String> {
        let mut words = self.time(time);
        let seconds = time.as_secs();
        if seconds >= 3600 && !seconds.is_multiple_of(60) {
            let has_minutes = !(seconds / 60).is_multiple_of(60);
            self.push_seconds(small(seconds % 60), has_minutes, &mut words);
        }
        words
    }

    /// Returns the words of a time in short form. "Eins dreiunddreißig vier" are hours, minutes and
    /// seconds. "Fünfundzwanzig vierzehn" are minutes and seconds, because nobody has so many
    /// hours. If it could be either, the units are said, so that no two times sound the same.
    pub fn time_in_short(&self, time: Duration) -> Vec<String> {
        let seconds = time.as_secs();
        let (hours, minutes) = (small(seconds / 3600), small(seconds / 60 % 60));
        let seconds = small(seconds % 60);
        let mut words = Vec::new();
        match (hours, minutes) {
            // A number alone would be anything.
            (0, MINUTES_ALONE..) if seconds > 0 => {}
            (0, _) | (_, 0) => return self.time_to_the_second(time),
            _ => self.push_number(hours, &mut words),
        }
        if minutes < 10 {
            self.push_number(0, &mut words);
        }
        self.push_number(minutes, &mut words);
        if seconds > 0 {
            self.push_number(seconds, &mut words);
        }
        words
    }

    fn push_seconds(&self, seconds: u32, has_minutes: bool, words: &mut Vec<String>) {
        let terms = &self.time;
        let plural = if has_minutes && seconds >= 10 {
            &terms.seconds_after_minutes
        } else {
            &terms.seconds
        };
        self.push_unit(seconds, &terms.one_second, plural, words);
    }

    /// Returns the words of the allotted time of a player, in parts of pieces. The bonus follows
    /// the period from which it is given.
    pub fn allotment(&self, control: &TimeControl) -> Vec<Vec<String>> {
        let terms = &self.allotment;
        let periods = control.periods();
        let mut parts = Vec::new();
        for (index, period) in periods.iter().enumerate() {
            let time = self.time_of_game(period.time);
            parts.push(match period.moves {
                Some(moves) => self.filled(&terms.period, Some(moves), &time),
                None if index == 0 => time,
                None => self.filled(&terms.rest, None, &time),
            });
            let bonus = period.bonus;
            let from = Some(period.bonus_from).filter(|from| *from > 1);
            let is_said_later = periods
                .get(index + 1)
                .is_some_and(|it| it.bonus == bonus && from.is_none() && it.bonus_from == 1);
            let text = match bonus {
                Bonus::Increment(_) => &terms.increment,
                Bonus::Bronstein(_) | Bonus::Delay(_) | Bonus::None => &terms.delay,
            };
            if !is_said_later && bonus.time() > Duration::ZERO {
                parts.push(self.filled(text, None, &self.time(bonus.time())));
                let from = from.map(|from| self.filled(&terms.from_move, Some(from), &[]));
                parts.extend(from);
            }
        }
        parts
    }

    /// Returns "neunzig Minuten" and not "eine Stunde dreißig Minuten".
    fn time_of_game(&self, time: Duration) -> Vec<String> {
        let seconds = time.as_secs();
        if time >= SAID_IN_MINUTES || !seconds.is_multiple_of(60) || seconds == 0 {
            return self.time(time);
        }
        let mut words = Vec::new();
        let minutes = small(seconds / 60);
        let terms = &self.time;
        self.push_unit(minutes, &terms.one_minute, &terms.minutes, &mut words);
        words
    }

    fn filled(&self, text: &Template, number: Option<u32>, time: &[String]) -> Vec<String> {
        let mut words = Vec::new();
        for part in text.parts() {
            match (part, number) {
                (Part::Words(fixed), _) => words.extend(trimmed(fixed)),
                (Part::Place { name, .. }, _) if name == "time" => {
                    words.extend(time.iter().cloned());
                }
                (_, Some(number)) => self.push_number(number, &mut words),
                (_, None) => {}
            }
        }
        words
    }

    fn push_unit(&self, number: u32, one: &str, more: &Template, words: &mut Vec<String>) {
        if number == 1 {
            words.push(one.to_owned());
        } else {
            words.extend(self.filled(more, Some(number), &[]));
        }
    }

    /// The name of a side.
    pub fn side(&self, side: Color) -> &str {
        side.fold_wb(&self.white, &self.black)
    }

    /// The word for a piece of unknown kind.
    pub fn unknown_piece(&self) -> &str {
        &self.piece
    }

    /// The plural of a piece.
    pub fn several(&self, role: Role) -> &str {
        let words = &self.several;
        match role {
            Role::King => &words.king,
            Role::Queen => &words.queen,
            Role::Rook => &words.rook,
            Role::Bishop => &words.bishop,
            Role::Knight => &words.knight,
            Role::Pawn => &words.pawn,
        }
    }

    /// Returns how a word of the lexicon is written for reading.
    pub fn written<'a>(&'a self, word: &'a str) -> &'a str {
        self.written.get(word).map_or(word, String::as_str)
    }

    /// A text as a voice of the system is told it.
    pub fn voiced(&self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        let (mut rest, mut begins) = (text, true);
        while let Some(letter) = rest.chars().next() {
            let found = self
                .voiced
                .iter()
                .find_map(|(word, told)| Some((told, rest.strip_prefix(word)?)));
            if let Some((voiced, behind)) = found.filter(|_| begins) {
                told.push_str(voiced);
                rest = behind;
                begins = false;
                continue;
            }
            told.push(letter);
            begins = !letter.is_alphanumeric();
            rest = rest.strip_prefix(letter).unwrap_or_default();
        }
        told
    }

    /// Returns the name of a language, if it has one in this language.
    pub fn language(&self, code: &str) -> Option<&str> {
        self.languages.get(code).map(String::as_str)
    }

    /// Returns the words of an article such as "D.2.3" or "F2.9e", or of a guideline such as
    /// "III.4", in pieces. An article cited with an edition that lacks it is said with the year.
    pub fn article(&self, article: &str) -> Vec<String> {
        let (article, edition) = match article.split_once(" (not in ") {
            Some((article, edition)) => (article, Some(edition)),
            None => (article, None),
        };
        let unlettered = article.strip_prefix("Adjourned games ");
        let article = unlettered.unwrap_or(article);
        let mut parts = article.split('.').map(str::trim).peekable();
        let roman = parts.peek().copied().and_then(roman_number);
        let mut words = vec![match (roman, unlettered) {
            (_, Some(_)) => self.adjourned_games.clone(),
            (Some(_), None) => self.guideline.clone(),
            (None, None) => self.article.clone(),
        }];
        if let Some(number) = roman {
            parts.next();
            self.push_number(number, &mut words);
        }
        for part in parts {
            self.push_part(part, &mut words);
        }
        let year = edition.and_then(|it| it.get(..4)).map(str::parse::<u32>);
        if let Some(Ok(year)) = year {
            words.push(self.not_in_edition.clone());
            self.push_number(year, &mut words);
        }
        words
    }

    /// Adds a part of an article. "3b" is a number and a letter, "F2" a letter and a number, and
    /// each is said separately. "8aII" ends with a Roman numeral.
    fn push_part(&self, part: &str, words: &mut Vec<String>) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let after_roman = rest.trim_start_matches('I');
            let roman = rest.strip_suffix(after_roman).and_then(roman_number);
            if let Some(number) = roman {
                self.push_number(number, words);
                rest = after_roman;
                continue;
            }
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            if let Ok(number) = rest.strip_suffix(after).unwrap_or_default().parse::<u32>() {
                self.push_number(number, words);
                rest = after;
            } else {
                if first.is_alphabetic() {
                    words.push(first.to_string());
                }
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
    }

    /// Returns every piece of which numbers, times, sides and articles can consist. Each needs a
    /// clip.
    pub fn vocabulary(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        words.extend(self.below_hundred.iter().cloned());
        words.extend(self.hundreds.iter().cloned());
        words.push(self.one_thousand.clone());
        words.extend([&self.thousand, &self.white, &self.black, &self.piece].map(Clone::clone));
        words.extend([&self.article, &self.guideline, &self.adjourned_games].map(Clone::clone));
        words.push(self.not_in_edition.clone());
        words.extend(Role::ALL.map(|role| self.several(role).to_owned()));
        words.extend(self.languages.values().cloned());
        words.extend(('A'..='H').map(String::from));
        words.extend(('a'..='f').map(String::from));
        let time = &self.time;
        let one = [&time.one_hour, &time.one_minute, &time.one_second];
        words.extend(one.map(Clone::clone));
        let allotment = &self.allotment;
        for text in [
            &time.hours,
            &time.minutes,
            &time.seconds,
            &time.seconds_after_minutes,
            &allotment.period,
            &allotment.rest,
            &allotment.increment,
            &allotment.delay,
            &allotment.from_move,
        ] {
            words.extend(self.filled(text, None, &[]));
        }
        words
    }
}

/// Returns the number of a Roman numeral in a guideline. "C" and "D" are annexes.
fn roman_number(text: &str) -> Option<u32> {
    ["I", "II", "III", "IV", "V"]
        .iter()
        .position(|roman| *roman == text)
        .and_then(|index| u32::try_from(index + 1).ok())
}

fn trimmed(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn german() -> Terms {
        Terms::parse(include_str!("../../grammar/de/terms.toml")).unwrap()
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        for (seconds, said) in [
            (0, "null Sekunden"),
            (1, "eine Sekunde"),
            (59, "neunundfünfzig Sekunden"),
            (60, "eine Minute"),
            (65, "eine Minute fünf Sekunden"),
            (330, "fünf Minuten dreißig"),
            (3600, "eine Stunde"),
            (3661, "eine Stunde eine Minute"),
            (7322, "zwei Stunden zwei Minuten"),
        ] {
            let time = Duration::from_secs(seconds);
            assert_eq!(german().time(time).join(" "), said, "{seconds} seconds");
        }
    }

    #[test]
    fn a_voice_is_told_words_as_people_say_them() {
        for (written, voiced) in [
            ("Cesar acht Cesar sechs", "Zesar acht Zesar sechs"),
            (
                "Remisangebot. Ist das remis?",
                "Remieangebot. Ist das remie?",
            ),
            ("Präremis, Cäsar", "Präremis, Cäsar"),
            ("", ""),
        ] {
            assert_eq!(german().voiced(written), voiced);
        }
    }

    #[test]
    fn in_short_no_two_times_sound_the_same() {
        let mut said = std::collections::BTreeSet::new();
        for seconds in 0..3 * 3600 {
            let words = german()
                .time_in_short(Duration::from_secs(seconds))
                .join(" ");
            assert!(said.insert(words.clone()), "{seconds}: {words}");
        }
        for (seconds, said) in [
            (5584, "eins dreiunddreißig vier"),
            (5400, "eins dreißig"),
            (3900, "eins null fünf"),
            (3605, "eine Stunde fünf Sekunden"),
            (330, "fünf Minuten dreißig"),
            (45, "fünfundvierzig Sekunden"),
            (1514, "fünfundzwanzig vierzehn"),
            (1500, "fünfundzwanzig Minuten"),
        ] {
            let time = Duration::from_secs(seconds);
            assert_eq!(
                german().time_in_short(time).join(" "),
                said,
                "{seconds} seconds"
            );
        }
    }

    #[test]
    fn the_time_of_a_game_is_said_as_people_say_it() {
        for (control, said) in [
            ("90m+30s", "neunzig Minuten, dreißig Sekunden je Zug"),
            ("3m+2s", "drei Minuten, zwei Sekunden je Zug"),
            ("1m", "eine Minute"),
            ("2h", "zwei Stunden"),
            ("5m+d3s", "fünf Minuten, drei Sekunden Aufschub je Zug"),
            (
                "90m/40+30m+30s",
                "vierzig Züge in neunzig Minuten, dann dreißig Minuten, dreißig Sekunden je Zug",
            ),
            (
                "2h/40+1h/20+15m(30s)",
                "vierzig Züge in zwei Stunden, zwanzig Züge in sechzig Minuten, \
                 dann fünfzehn Minuten, dreißig Sekunden je Zug",
            ),
        ] {
            let parts = german().allotment(&control.parse().unwrap());
            let parts: Vec<String> = parts.iter().map(|part| part.join(" ")).collect();
            assert_eq!(parts.join(", "), said, "{control}");
        }
    }

    #[test]
    fn numbers_of_any_size_are_words() {
        for (number, said) in [
            (0, "null"),
            (21, "einundzwanzig"),
            (100, "hundert"),
            (305, "dreihundert fünf"),
            (1200, "eintausend zweihundert"),
            (2026, "zwei tausend sechsundzwanzig"),
            (21_000, "einundzwanzig tausend"),
            (101_005, "hundert eintausend fünf"),
        ] {
            assert_eq!(german().number(number).join(" "), said);
        }
        assert!(!german().number(u32::MAX).is_empty());
    }

    #[test]
    fn articles_and_guidelines_are_said_in_parts() {
        for (article, said) in [
            ("D.2.3", "Artikel D zwei drei"),
            ("7.5.1", "Artikel sieben fünf eins"),
            ("III.4", "Richtlinie drei vier"),
            ("11.3b", "Artikel elf drei b"),
            ("F2.9e", "Artikel F zwei neun e"),
            ("A1a", "Artikel A eins a"),
            ("9.1b1", "Artikel neun eins b eins"),
            ("3.8aII", "Artikel drei acht a zwei"),
            (
                "9.6.1 (not in 2017-07)",
                "Artikel neun sechs eins nicht in der Ausgabe zwei tausend siebzehn",
            ),
        ] {
            assert_eq!(german().article(article).join(" "), said);
        }
    }

    #[test]
    fn a_list_of_numbers_that_is_too_short_is_refused() {
        let text = include_str!("../../grammar/de/terms.toml").replace("\"null\", ", "");
        let error = Terms::parse(&text).unwrap_err();
        assert!(error.to_string().contains("needs 100"), "{error}");
    }
}
