//! The text of a console: plain appended lines.

use std::io::{ErrorKind, Write};
use std::time::Duration;

use shakmaty::Color;

use super::now_typed::now_typed;
use super::signs::numbered;
use super::words::Labels;
use crate::game::{Earcon, Effect, Ending, Explanation, Game, Phase, Priority, Ruling, Waiting};
use crate::moment::Moment;
use crate::persons::{Channel, Person, Sides};
use crate::phrases::{Argument, Language, Phrase, PhraseKey, figures_of};
use crate::shell::config::data;
use crate::shell::table::{Outlet, Seat, Shown};

/// Shows the text of some channels, one line for each utterance.
///
/// What is private to a player is shown only if his channel is among them.
pub struct TextOutlet {
    /// The output for the lines. An output that cannot take a line is dropped.
    out: Option<Box<dyn Write + Send>>,
    seat: Seat,
    channels: Vec<Channel>,
    language: Language,
    /// The language of the table, if this console follows it.
    of_table: Option<Language>,
    follows_table: bool,
    /// The number of adaptations already looked at.
    adaptations: Option<usize>,
    labels: Labels,
    /// The longest line in characters; 0 for any length.
    width: usize,
    has_time: bool,
    has_clock: bool,
    has_guide: bool,
    /// The state of the game that was shown last.
    stands: Option<(Phase, bool, usize)>,
    /// The typeable lines that were named last.
    named: String,
    shown: Shown,
}

impl TextOutlet {
    /// A console with this seat that shows these channels.
    pub fn new(
        out: Box<dyn Write + Send>,
        seat: Seat,
        channels: Vec<Channel>,
        language: Language,
        labels: Labels,
        width: usize,
    ) -> Self {
        Self {
            out: Some(out),
            seat,
            channels,
            language,
            of_table: None,
            follows_table: false,
            adaptations: None,
            labels,
            width,
            has_time: false,
            has_clock: false,
            has_guide: false,
            stands: None,
            named: String::new(),
            shown: Shown::Now,
        }
    }

    /// Puts the time before each line.
    #[must_use]
    pub const fn with_time(mut self) -> Self {
        self.has_time = true;
        self
    }

    /// Shows the clocks whenever one is started or stopped, to people who may look at them at any
    /// time. A player who cannot see is told the time on request only (D.2.10.4).
    #[must_use]
    pub const fn with_clock(mut self) -> Self {
        self.has_clock = true;
        self
    }

    /// Names what can be typed in each state of the game.
    #[must_use]
    pub const fn with_guide(mut self) -> Self {
        self.has_guide = true;
        self
    }

    /// Shows the table's utterances in its language, which the edition or the arbiter decides
    /// (D.1), so that reader and listener get the same words (D.2.11). A reader who has chosen his
    /// console's language reads in that.
    #[must_use]
    pub const fn following_table(mut self, follows: bool) -> Self {
        self.follows_table = follows;
        self
    }

    fn follow_table(&mut self, game: &Game) {
        let decided = Some(game.profile().adaptations.len());
        if self.follows_table && self.adaptations != decided {
            self.adaptations = decided;
            self.of_table = data::language(&game.profile().language_of_table()).ok();
        }
    }

    /// The language for utterances on a channel.
    fn language_of(&self, channel: Channel) -> &Language {
        let of_table = self.of_table.as_ref();
        let of_table = of_table.filter(|_| channel == Channel::Table);
        of_table.unwrap_or(&self.language)
    }

    /// Whether lines still reach anybody.
    pub const fn is_open(&self) -> bool {
        self.out.is_some()
    }

    fn line(&mut self, now: Option<Moment>, label: &str, text: &str) {
        let Some(out) = &mut self.out else {
            return;
        };
        let time = match now {
            Some(now) if self.has_time => format!("{now} "),
            _ => String::new(),
        };
        let mut written = Ok(());
        for line in fold(&format!("{time}{label}: {text}"), self.width) {
            written = written.and_then(|()| writeln!(out, "{line}"));
        }
        let shown = shown(written.and_then(|()| out.flush()));
        if shown.is_none() {
            self.out = None;
        }
        self.shown = self.shown.max(shown.unwrap_or(Shown::Now));
    }

    fn shows_clock(&self, game: &Game) -> bool {
        let is_for_sight = match self.seat {
            Seat::Of(person) | Seat::Page(person) => sees_clock(game, person),
            // A sighted player reads there, and the clock must not be hidden from him (6.8).
            Seat::Shared | Seat::SharedAs(_) => Color::ALL
                .iter()
                .any(|side| !game.profile().is_visually_disabled(*side)),
        };
        self.has_clock && is_for_sight
    }

    /// Shows the meaning of a tone in words. Said aloud it would be too much.
    fn tone(&mut self, now: Moment, game: &Game, channel: Channel, earcon: Earcon) {
        let (channel, key) = match (channel, earcon) {
            // Both may know that the repetition is right.
            (Channel::Table | Channel::Ear(_), Earcon::Taken) => {
                (Channel::Table, PhraseKey::RepeatedRight)
            }
            // A person who sees the clock needs no words for it.
            (Channel::Ear(_), _) if self.shows_clock(game) => return,
            (Channel::Ear(_), Earcon::PressTaken) => (channel, PhraseKey::PressTaken),
            (Channel::Ear(_), Earcon::Pressed) => (channel, PhraseKey::YourClockRuns),
            _ => return,
        };
        if self.channels.contains(&channel) {
            let text = self.language_of(channel).text(&key.into());
            let label = self.labels.of(channel).to_owned();
            self.line(Some(now), &label, &text);
        }
    }

    fn clock(&mut self, now: Moment, running: Option<Color>, left: &Sides<Duration>) {
        let of = |side: Color| {
            let name = self.language.side(side);
            let time = figures_of(left[side]);
            match running == Some(side) {
                true => format!("{name} {time} {}", self.labels.runs),
                false => format!("{name} {time}"),
            }
        };
        let text = format!("{}, {}", of(Color::White), of(Color::Black));
        let label = self.labels.clock.clone();
        self.line(Some(now), &label, &text);
    }

    /// Shows a proposal: why, what it does, and how to answer it, one fact a line.
    fn proposal(&mut self, now: Option<Moment>, game: &Game, number: u32, proposal: Proposed<'_>) {
        let (rulings, because) = proposal;
        let for_eyes = self.is_for_eyes(game);
        let text = |phrase: &Phrase| match for_eyes {
            true => self.language.text_in_figures(phrase),
            // An arbiter who sets a clock needs the seconds.
            false => self.language.text_to_the_second(phrase),
        };
        let because = text(because);
        let does = rulings.iter().flat_map(|it| game.ruling_phrases(it));
        let does = does.map(|phrase| text(&phrase));
        let mut lines: Vec<String> = does.filter(|what| *what != because).collect();
        lines.insert(0, because);
        lines.push(self.labels.answers(number, rulings));
        let label = self.labels.proposal.clone();
        for line in lines.iter().filter(|line| !line.is_empty()) {
            self.line(now, &label, &format!("{number}: {line}"));
        }
    }

    /// Whether a sighted person reads what is private to this console.
    fn is_for_eyes(&self, game: &Game) -> bool {
        self.seat.person().is_some_and(|it| sees_clock(game, it))
    }

    /// The text of an utterance on a channel, in words where everybody hears the same.
    fn said(&self, game: &Game, channel: Channel, phrase: &Phrase) -> String {
        let language = self.language_of(channel);
        let is_own = match channel {
            Channel::Table => false,
            Channel::Ear(side) => self.seat.person() == Some(Person::Player(side)),
            Channel::Assistant(_) | Channel::Arbiter => true,
        };
        match is_own && self.is_for_eyes(game) {
            true => language.with_detail(language.text_in_figures(phrase), phrase),
            false => language.text_with_detail(phrase),
        }
    }

    /// Shows the announced move with its number, for sighted readers.
    fn announced(&mut self, now: Moment, game: &Game, phrase: &Phrase) {
        let is_seen = match self.seat.person() {
            Some(_) => self.is_for_eyes(game),
            None => self.shows_clock(game),
        };
        if let (true, PhraseKey::Announced, [Argument::Move(said)]) =
            (is_seen, phrase.key, phrase.arguments.as_slice())
        {
            let text = numbered(game, &self.language, said);
            let label = self.labels.r#move.clone();
            self.line(Some(now), &label, &text);
        }
    }

    /// Shows what can be typed whenever the game's state has changed. For an arbiter who has just
    /// come, it first shows what waits for him, oldest first.
    fn standing(&mut self, game: &Game) {
        let Seat::Of(person) = self.seat else { return };
        let profile = game.profile();
        let duties = match person {
            Person::Assistant(side) => profile.sides[side].duties.len(),
            Person::Player(_) | Person::Arbiter => 0,
        };
        let stands = Some((game.phase(), profile.device.is_some(), duties));
        let before = std::mem::replace(&mut self.stands, stands);
        if before == stands || !self.has_guide {
            return;
        }
        if let (Person::Assistant(side), 0) = (person, duties) {
            let side = self.language.side(side).to_lowercase();
            let text = self.labels.no_duties.replace("{side}", &side);
            let label = self.labels.remark.clone();
            self.line(None, &label, &text);
        }
        if before.is_none() && person == Person::Arbiter {
            for waiting in game.waits_for(person) {
                if let Waiting::Proposal {
                    number,
                    rulings,
                    because,
                } = &waiting
                {
                    self.proposal(None, game, *number, (rulings, because));
                }
            }
        }
        let lines = now_typed(game, person, &self.language, &self.labels);
        let (label, lines) = (self.labels.now.clone(), lines.join(", "));
        if !lines.is_empty() && lines != self.named {
            self.line(None, &label, &lines);
            self.named = lines;
        }
    }
}

/// What a proposal would do, and why.
type Proposed<'a> = (&'a [Ruling], &'a Phrase);

impl TextOutlet {
    /// Shows the article, the facts and the alternatives, each on its own line (11.9).
    fn explanation(&mut self, now: Moment, game: &Game, explanation: &Explanation) {
        let of = explanation
            .proposal
            .map_or_else(String::new, |number| format!("{number}: "));
        let article = self.language.article(&explanation.article);
        let facts = explanation.facts.iter();
        let facts = facts.map(|fact| self.language.reason(fact));
        let facts: Vec<String> = [format!("{article}.")].into_iter().chain(facts).collect();
        let for_eyes = self.is_for_eyes(game);
        let others = explanation.otherwise.iter();
        let others = others.map(|other| match for_eyes {
            true => self.language.text_in_figures(other),
            false => self.language.text(other),
        });
        let others: Vec<String> = others.collect();
        let labels = [&self.labels.because, &self.labels.otherwise].map(Clone::clone);
        for (label, lines) in labels.iter().zip([facts, others]) {
            for line in lines.iter().filter(|line| !line.is_empty()) {
                self.line(Some(now), label, &format!("{of}{line}"));
            }
        }
    }
}

impl Outlet for TextOutlet {
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool {
        self.shown = Shown::Now;
        self.follow_table(game);
        match effect {
            Effect::Say {
                channel, phrase, ..
            } if self.shows(game, effect) => {
                let text = self.said(game, *channel, phrase);
                let label = self.labels.of(*channel).to_owned();
                self.line(Some(now), &label, &text);
                if *channel == Channel::Table {
                    self.announced(now, game, phrase);
                }
            }
            Effect::Earcon { channel, earcon } => self.tone(now, game, *channel, *earcon),
            Effect::Propose {
                proposal,
                rulings,
                because,
            } => {
                let channel = if game.profile().arbiter {
                    Channel::Arbiter
                } else {
                    Channel::Table
                };
                if self.channels.contains(&channel) {
                    self.proposal(Some(now), game, *proposal, (rulings, because));
                }
            }
            Effect::Explain(explanation) => {
                let channel = if game.profile().arbiter {
                    Channel::Arbiter
                } else {
                    Channel::Table
                };
                if self.channels.contains(&channel) {
                    self.explanation(now, game, explanation);
                }
            }
            Effect::Clock { running, left } if self.shows_clock(game) => {
                self.clock(now, *running, left);
            }
            Effect::Ended(ending) => {
                let label = self.labels.ended.clone();
                // The reason for the end was said at the table.
                let article = self.language.article(&ending.article);
                let text = format!("{}, {article}", result_text(ending));
                self.line(Some(now), &label, &text);
            }
            _ => {}
        }
        false
    }

    fn shows(&self, game: &Game, effect: &Effect) -> bool {
        let Effect::Say {
            channel, priority, ..
        } = effect
        else {
            return false;
        };
        // Without an arbiter, irregularities are for the record only: a terminal that both see
        // would tell them what was illegal.
        let is_for_record = *channel == Channel::Arbiter
            && *priority == Priority::Normal
            && !game.profile().arbiter;
        self.is_open() && self.channels.contains(channel) && !is_for_record
    }

    fn remark(&mut self, to: Option<Seat>, phrase: &Phrase) {
        // A person without his own console reads at the shared one.
        let is_meant = |seat| self.seat.reads_for(seat) || self.seat.is_shared();
        if to.is_none_or(is_meant) {
            let label = self.labels.remark.clone();
            let text = self.language.text_with_detail(phrase);
            self.line(None, &label, &text);
        }
    }

    fn look(&mut self, _: Moment, game: &Game) {
        self.standing(game);
    }

    fn shown(&mut self) -> Shown {
        let last = std::mem::replace(&mut self.shown, Shown::Now);
        let waiting = self.out.as_mut().and_then(|out| shown(out.flush()));
        last.max(waiting.unwrap_or(Shown::Now))
    }
}

/// When a line is shown, judged by the result of writing it; `None` if it cannot be.
fn shown(written: std::io::Result<()>) -> Option<Shown> {
    match written.map_err(|error| error.kind()) {
        Ok(()) => Some(Shown::Now),
        Err(ErrorKind::TimedOut) => Some(Shown::Later),
        Err(ErrorKind::WouldBlock) => Some(Shown::Never),
        Err(_) => None,
    }
}

/// Whether a person may look at the chessclock at any time. A player who cannot see is told the
/// time on request only (D.2.10.4).
pub(crate) fn sees_clock(game: &Game, person: Person) -> bool {
    match person {
        Person::Player(side) => !game.profile().is_visually_disabled(side),
        Person::Arbiter | Person::Assistant(_) => true,
    }
}

/// The channels that a person may read. Nobody reads what is private to another.
pub fn channels_of(person: Person) -> Vec<Channel> {
    match person {
        Person::Player(side) => vec![Channel::Table, Channel::Ear(side)],
        Person::Assistant(side) => vec![Channel::Table, Channel::Assistant(side)],
        Person::Arbiter => vec![Channel::Table, Channel::Arbiter],
    }
}

/// The result with its reason in the words of the record: `1-0, checkmate, 5.1.1`.
pub fn ending_text(ending: &Ending) -> String {
    let reason = match &ending.termination {
        Some(termination) => plain(termination),
        None => "the arbiter's decision".to_owned(),
    };
    format!("{}, {reason}, {}", result_text(ending), ending.article)
}

fn result_text(ending: &Ending) -> String {
    let result = ending.result.as_ref();
    result.map_or_else(|| "*".to_owned(), ToString::to_string)
}

/// A value of the record in words: `{"resignation":"white"}` is "resignation white".
fn plain<T: serde::Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let spaced: String = json
        .chars()
        .map(|letter| match letter {
            '{' | '}' | '[' | ']' | '"' | '_' | ':' => ' ',
            other => other,
        })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in lines of at most `width` characters, broken between words where possible.
pub(crate) fn fold(text: &str, width: usize) -> Vec<String> {
    if width == 0 {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + rest.len() > width {
            lines.push(String::new());
        }
        while !rest.is_empty() {
            let head: Vec<char> = rest.drain(..rest.len().min(width)).collect();
            let Some(line) = lines.last_mut() else {
                break;
            };
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(head);
            if !rest.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_a_braille_display() {
        let text = "Tisch: Springer Gustav eins schlägt Felix drei Schach";
        assert_eq!(fold(text, 0), [text]);
        let lines = fold(text, 20);
        assert!(lines.iter().all(|line| line.chars().count() <= 20));
        assert_eq!(lines.join(" "), text);
        assert_eq!(fold("abcdefgh", 3), ["abc", "def", "gh"]);
    }
}
