//! Help at a console: what can be typed, and what one entry does.

use std::collections::BTreeMap;

use super::controls::{Controls, Function};
use super::line::{Line, NOT_UNDERSTOOD};
use super::rulings::complete_ruling;
use crate::game::{Aid, Command, Game, Heard, Input, Origin, Ruling, Said, Waiting};
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::shell::consoles::now_typed::now_typed;
use crate::shell::consoles::signs::{boards_seen, diagram};
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::table::{Report, Seat};

impl Line<'_> {
    /// Tells what can be done now, or what one entry does.
    pub(super) fn help(
        &self,
        game: &Game,
        (seat, person): (Seat, Person),
        asked: &str,
    ) -> Result<Vec<Report>, Phrase> {
        let controls = self.keys.of(person);
        let tell = |phrase| Report::Tell { seat, phrase };
        let line_of = |function: Function| self.language.typed(function.word());
        let topic_line = |topic| self.language.typed(topic).unwrap_or_default();
        if asked.is_empty() {
            let mut reports = Vec::new();
            if matches!(person, Person::Player(_)) {
                let origin = Origin::Console(person);
                let heard = Heard::Clear(Said::Command(Command::Help));
                reports.push(Report::Input(Input::heard(origin, heard)));
            }
            reports.extend(self.waiting(game, person).into_iter().map(|line| {
                let line = [Argument::Text(line)];
                tell(Phrase::new(PhraseKey::CanType, line))
            }));
            reports.extend(controls.topics().into_iter().map(|topic| {
                let word = topic_line(topic).rsplit(' ').next().unwrap_or_default();
                let line = Argument::Text(word.to_owned());
                let lists = Argument::Control(topic.to_owned());
                tell(Phrase::new(PhraseKey::HelpAbout, [line, lists]))
            }));
            reports.push(tell(PhraseKey::AskAbout.into()));
            return Ok(reports);
        }
        if let Some(topic) = self.topic(seat, controls, asked) {
            return Ok(topic);
        }
        let mut letters = asked.chars();
        let key = letters.next().filter(|_| letters.next().is_none());
        let asked_words = self.canonical(asked);
        let begins = |line: &str| self.canonical(line).starts_with(&asked_words);
        let named = controls
            .all()
            .iter()
            .find(|control| line_of(control.function).is_some_and(begins));
        let function = key
            .and_then(|key| controls.key(key))
            .or_else(|| named.map(|control| control.function));
        let unset = match key {
            Some(_) => Fault::new(Part::Key, Reason::Unset, Remedy::AskHelp),
            None => NOT_UNDERSTOOD,
        };
        let function = function.ok_or_else(|| unset.with(asked))?;
        let about = Argument::Control(function.word().to_owned());
        let mut reports = vec![tell(Phrase::new(PhraseKey::About, [about]))];
        let line = line_of(function).unwrap_or_default();
        let begin: Vec<&str> = line.split_whitespace().take(2).collect();
        let is_penalty = function.word() == "penalise";
        let kinds = self.kinds(function.word()).iter();
        let kinds = kinds.filter(|(name, _)| !is_penalty || knows_penalty(game, name));
        let mut kinds: Vec<_> = kinds.collect();
        kinds.sort_by_key(|(_, label)| label.to_lowercase());
        reports.extend(kinds.into_iter().map(|(name, label)| {
            let amount = amount_of(name);
            let line = format!("{} {label}{amount}", begin.join(" "));
            tell(Phrase::new(PhraseKey::CanType, [Argument::Text(line)]))
        }));
        Ok(reports)
    }

    /// Lists what can be claimed, for a player whose claim names no ground that there is: "claim
    /// draw".
    pub(super) fn claims(&self, (seat, person): (Seat, Person), text: &str) -> Option<Vec<Report>> {
        let is_claim = self.canonical(text).first().is_some_and(|it| it == "claim");
        let topic = self.language.typed("help_claiming")?;
        let (_, topic) = topic.split_once(' ').filter(|_| is_claim)?;
        matches!(person, Person::Player(_)).then_some(())?;
        self.topic(seat, self.keys.of(person), topic)
    }

    /// Lists everything in a topic, if `asked` names one.
    fn topic(&self, seat: Seat, controls: &Controls, asked: &str) -> Option<Vec<Report>> {
        let asked = asked.to_lowercase();
        let is_named = |topic: &&str| {
            let line = self.language.typed(topic).unwrap_or_default();
            line.split_once(' ')
                .is_some_and(|(_, topic)| topic == asked)
        };
        let topic = controls.topics().into_iter().find(is_named)?;
        let listed = controls.all().iter().filter(|it| it.topic == topic);
        let lines = listed.filter_map(|control| {
            let line = self.language.typed(control.function.word())?;
            let line = match controls.key_of(control.function) {
                Some(key) => format!("{line} ({key})"),
                None => line.to_owned(),
            };
            let phrase = Phrase::new(PhraseKey::CanType, [Argument::Text(line)]);
            Some(Report::Tell { seat, phrase })
        });
        Some(lines.collect())
    }

    /// Lists what waits for a person's decision, the oldest first, and what he can type now.
    fn waiting(&self, game: &Game, person: Person) -> Vec<String> {
        let labels = &self.words.labels;
        let mut lines = Vec::new();
        if person == Person::Arbiter && game.profile().arbiter {
            for waiting in game.waits_for(person) {
                let (why, answers) = match &waiting {
                    Waiting::Proposal {
                        number,
                        rulings,
                        because,
                    } => {
                        let why = self.language.text_in_figures(because);
                        (format!("{number}: {why}"), labels.answers(*number, rulings))
                    }
                    Waiting::Claim(side) => {
                        let claims = Phrase::new(PhraseKey::ClaimsDraw, [Argument::Side(*side)]);
                        let answers = format!("{}, {}", labels.uphold, labels.deny);
                        (self.language.text(&claims), answers)
                    }
                    _ => continue,
                };
                lines.push(format!("{}: {why} {answers}", labels.waits));
            }
            if lines.is_empty() {
                lines.push(format!("{}: {}", labels.waits, labels.nothing_waits));
            }
        }
        let now = now_typed(game, person, self.language, labels);
        if !now.is_empty() {
            lines.push(format!("{}: {}", labels.now, now.join(", ")));
        }
        lines
    }

    /// Shows the boards that a person may see, as diagrams.
    pub(super) fn diagram(&self, game: &Game, (seat, person): (Seat, Person)) -> Vec<Report> {
        let boards = match person {
            Person::Player(side) if game.may_use(Aid::Board) => vec![(side, side)],
            _ => boards_seen(game, person),
        };
        if boards.is_empty() {
            let article = game.rules().cite("11.3.1");
            let article = [Argument::Article(article)];
            let phrase = Phrase::new(PhraseKey::BoardForbidden, article);
            return vec![Report::Tell { seat, phrase }];
        }
        let lines = boards.into_iter().flat_map(|(of, from)| {
            let title = self
                .words
                .labels
                .board
                .replace("{side}", self.language.side(of));
            let board = diagram(game.placement(of), from, self.language.lexicon());
            [title].into_iter().chain(board)
        });
        let tell = |line| {
            let phrase = Phrase::new(PhraseKey::CanType, [Argument::Text(line)]);
            Report::Tell { seat, phrase }
        };
        lines.map(tell).collect()
    }

    /// The kinds that may follow the side when the arbiter reports something or punishes, by the
    /// console's own words. Empty for any other line.
    fn kinds(&self, what: &str) -> &BTreeMap<String, String> {
        const NONE: &BTreeMap<String, String> = &BTreeMap::new();
        match what {
            "report" => &self.words.irregularities,
            "penalise" => &self.words.penalties,
            _ => NONE,
        }
    }

    /// Returns the words of a line with its kind in the console's own words. The line may name the
    /// kind in words of the language, such as "Brett verkehrt herum".
    pub(super) fn with_kind(&self, words: Vec<String>) -> Vec<String> {
        let [what, side, rest @ ..] = words.as_slice() else {
            return words;
        };
        let named = self.kinds(what).iter().find_map(|(name, label)| {
            let amount = rest.strip_prefix(self.canonical(label).as_slice())?;
            let own = name.split('_').map(str::to_owned);
            let line = [what.clone(), side.clone()].into_iter().chain(own);
            Some(line.chain(amount.iter().cloned()).collect())
        });
        named.unwrap_or(words)
    }
}

/// An example of the amount of a penalty, if it needs one: a time, half points, rounds.
pub(crate) fn amount_of(penalty: &str) -> &'static str {
    match penalty {
        "opponent_more" | "less" => " 2m",
        "opponent_points" | "points" | "exclusion" => " 1",
        _ => "",
    }
}

/// Returns whether the edition in force has a penalty, by the console's own words (12.9).
pub(crate) fn knows_penalty(game: &Game, name: &str) -> bool {
    let typed = format!("white {}{}", name.replace('_', " "), amount_of(name));
    let words: Vec<&str> = typed.split_whitespace().collect();
    match complete_ruling("penalise", &words) {
        Some(Ruling::Penalise { penalty, .. }) => {
            let known = &game.rules().conduct.sanctions;
            known.contains(&penalty.sanction())
        }
        _ => false,
    }
}

/// Returns the subject of a line that begins with a question mark or the word for help. It is empty
/// if the person asks what can be done at all.
pub(super) fn asked_about<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    if let Some(asked) = text.strip_prefix('?') {
        return Some(asked.trim());
    }
    if words.first() == Some(&"help") {
        let asked = text.split_once(char::is_whitespace);
        return Some(asked.map_or("", |(_, asked)| asked.trim()));
    }
    None
}
