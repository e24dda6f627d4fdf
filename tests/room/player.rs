//! Whoever plays in a room: he hears what sounds there, reads nothing but what was said, and
//! speaks.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use annexd::notation::{Announcement, Style, words};
use annexd::phrases::{Argument, Language, Phrase, PhraseKey};
use annexd::shell::config::data;

use super::{Recording, Room};
use crate::waiting::{PATIENCE, comes_within, wait_until};

/// Whoever has said something, and hears nothing for so long, says it again; each time he waits so
/// much longer, for a busy machine hears slowly.
const ANSWERED_BY: Duration = Duration::from_secs(10);

/// After so much silence nobody goes on to speak: what was just decided is not said yet, and
/// between two sentences it is silent too. Each time he was not heard he waits so much longer.
const SILENCE: Duration = Duration::from_millis(1_400);

/// How often he says the same.
const TIMES: u32 = 8;

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

    #[track_caller]
    pub(crate) fn waits_for(&self, part: &str, times: usize) {
        let has_come = comes_within(PATIENCE, || self.count(part) >= times);
        assert!(has_come, "{part:?} is missing: {:#?}", self.lines());
    }

    /// Waits until nobody speaks, for the so manieth time.
    fn waits_for_silence(&self, times: u32) {
        let since = self.sound.samples();
        self.sound.goes_on_for(SILENCE * times);
        wait_until("nobody speaks", || {
            self.sound.samples() > since && self.sound.is_silent_for(SILENCE * times)
        });
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
        for (times, words) in (1..=TIMES).zip(words.iter().cycle()) {
            self.waits_for_silence(times);
            self.speaks(words);
            if comes_within(ANSWERED_BY * times, || self.count(answer) > before) {
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
        let (mut seen, mut times) = (0, 1);
        loop {
            let asked = || {
                let asks = |line: &String| questions.iter().find(|(it, _)| line.contains(it));
                self.lines()[seen..].iter().rev().find_map(asks).copied()
            };
            let is_over = || self.count(last) > 0;
            let comes = comes_within(PATIENCE, || is_over() || asked().is_some());
            assert!(comes, "{last:?} is missing: {:#?}", self.lines());
            if is_over() {
                return;
            }
            let Some((question, answer)) = asked() else {
                continue;
            };
            let lines = self.lines();
            assert!(times <= TIMES, "{answer:?} to {question:?}: {lines:#?}");
            self.waits_for_silence(times);
            let before = self.lines().len();
            self.speaks(answer);
            if comes_within(ANSWERED_BY * times, || self.lines().len() > before) {
                (seen, times) = (before, 1);
                self.said += 1;
            } else {
                // He was not heard, and says it again.
                times += 1;
                self.again += 1;
            }
        }
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

    /// Types a line, as somebody beside him does.
    pub(crate) fn types(&mut self, line: &str) {
        writeln!(self.typed.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The same as [`Self::leaves`]; gives the room for the next program.
    pub(crate) fn leaves_the_room(mut self) -> Room {
        self.typed = None;
        assert!(self.child.wait().unwrap().success());
        self.room
    }

    /// Ends what is typed, and waits for the end.
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
