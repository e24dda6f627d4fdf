//! Whoever plays in a room: he hears what sounds there, reads nothing but what was said, and
//! speaks.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use annexd::notation::{Announcement, Style, words};
use annexd::phrases::{Argument, Language, Phrase, PhraseKey};
use annexd::shell::config::data;

use super::{Recording, Room};

/// What is waited for comes long before that, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whoever has said something, and hears nothing for so long, says it again.
const ANSWERED_BY: Duration = Duration::from_secs(10);

/// After that, besides the half second of [`Recording::is_silent`], nobody goes on to speak.
const BETWEEN_SENTENCES: Duration = Duration::from_millis(400);

/// A player with a program.
pub(crate) struct Player {
    room: Room,
    sound: Recording,
    child: Child,
    typed: Option<ChildStdin>,
    lines: Arc<Mutex<Vec<(Instant, String)>>>,
    pub(crate) language: Language,
    /// His voice of espeak-ng.
    voice: &'static str,
    /// How often he said something, and how often he had to say it again.
    pub(crate) said: usize,
    pub(crate) again: usize,
}

impl Player {
    pub(crate) fn starts(room: Room, command: Command) -> Self {
        Self::speaking(room, command, "de", "de")
    }

    /// One who speaks this language, with this voice of espeak-ng.
    pub(crate) fn speaking(
        room: Room,
        mut command: Command,
        language: &str,
        voice: &'static str,
    ) -> Self {
        let sound = room.record();
        let command = room.with(&mut command);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let lines = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&lines);
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                eprintln!("    {line}");
                seen.lock().unwrap().push((Instant::now(), line));
            }
        });
        Self {
            room,
            sound,
            typed: child.stdin.take(),
            child,
            lines,
            language: data::language(language).unwrap(),
            voice,
            said: 0,
            again: 0,
        }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap();
        lines.iter().map(|(_, line)| line.clone()).collect()
    }

    pub(crate) fn count(&self, part: &str) -> usize {
        let lines = self.lines();
        lines.iter().filter(|line| line.contains(part)).count()
    }

    /// When this was printed first.
    pub(crate) fn at(&self, part: &str) -> Instant {
        let lines = self.lines.lock().unwrap();
        let mut lines = lines.iter();
        lines.find(|(_, line)| line.contains(part)).unwrap().0
    }

    /// Whether this is printed so often within some time.
    fn comes(&self, part: &str, times: usize, within: Duration) -> bool {
        let until = Instant::now() + within;
        while self.count(part) < times {
            if Instant::now() > until {
                return false;
            }
            thread::sleep(Duration::from_millis(10));
        }
        true
    }

    #[track_caller]
    pub(crate) fn waits_for(&self, part: &str, times: usize) {
        let has_come = self.comes(part, times, PATIENCE);
        assert!(has_come, "{part:?} is missing: {:#?}", self.lines());
    }

    /// Waits until nobody speaks. What was just decided is not said yet, and between two sentences
    /// it is silent too.
    fn waits_for_silence(&self) {
        thread::sleep(Duration::from_millis(500));
        let until = Instant::now() + PATIENCE;
        let mut silent_since = Instant::now();
        while silent_since.elapsed() < BETWEEN_SENTENCES && Instant::now() < until {
            if !self.sound.is_silent() {
                silent_since = Instant::now();
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Says something when it is silent, until it is answered by this.
    #[track_caller]
    pub(crate) fn says(&mut self, words: &str, answer: &str) {
        self.says_one_of(&[words], answer);
    }

    /// The same, with other words when the first were not heard.
    #[track_caller]
    pub(crate) fn says_one_of(&mut self, words: &[&str], answer: &str) {
        let before = self.count(answer);
        self.said += 1;
        for words in words.iter().cycle().take(8) {
            self.waits_for_silence();
            self.speaks(words);
            if self.comes(answer, before + 1, ANSWERED_BY) {
                return;
            }
            self.again += 1;
        }
        let lines = self.lines();
        panic!("{words:?} was never answered {answer:?}: {lines:#?}");
    }

    /// Answers each question that is asked, until this is printed.
    #[track_caller]
    pub(crate) fn answers(&mut self, questions: &[(&str, &str)], last: &str) {
        let (until, mut seen) = (Instant::now() + PATIENCE, 0);
        while self.count(last) == 0 {
            let lines = self.lines();
            assert!(Instant::now() < until, "{last:?} is missing: {lines:#?}");
            let asks = |line: &String| questions.iter().find(|(it, _)| line.contains(it));
            let Some((_, answer)) = lines[seen..].iter().rev().find_map(asks) else {
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            self.waits_for_silence();
            let before = self.lines().len();
            self.said += 1;
            self.speaks(answer);
            seen = match self.grows(before) {
                true => before,
                // He was not heard, and says it again.
                false => {
                    self.again += 1;
                    seen
                }
            };
        }
    }

    /// Whether something is printed behind so many lines.
    fn grows(&self, lines: usize) -> bool {
        let until = Instant::now() + ANSWERED_BY;
        while self.lines.lock().unwrap().len() <= lines {
            if Instant::now() > until {
                return false;
            }
            thread::sleep(Duration::from_millis(10));
        }
        true
    }

    fn speaks(&self, words: &str) {
        eprintln!("> {words}");
        // The voice would say the s, as no German does.
        let as_it_sounds = words.replace("remis", "remi").replace("Remis", "Remi");
        self.room.speak("mouth", self.voice, &as_it_sounds);
    }

    pub(crate) fn sentence(&self, announcement: &Announcement) -> String {
        words(self.language.lexicon(), announcement, Style::Long).join(" ")
    }

    /// How an announcement is said again at the table.
    pub(crate) fn read_back(&self, announcement: &Announcement) -> String {
        let words = [Argument::Move(announcement.clone())];
        let said = self
            .language
            .text(&Phrase::new(PhraseKey::Announced, words));
        format!("Tisch: {said}")
    }

    /// Ends what is typed, which was nothing, and waits for the end.
    pub(crate) fn leaves(mut self) -> Vec<String> {
        self.typed = None;
        self.ends()
    }

    /// Waits for the end, which came without a key.
    pub(crate) fn ends(mut self) -> Vec<String> {
        assert!(self.child.wait().unwrap().success());
        self.lines()
    }
}
