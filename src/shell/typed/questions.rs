//! Questions typed in the console's own words, where no lexicon has words for them.

use shakmaty::{Color, File, Rank, Role, Square};

use super::line::Line;
use super::rulings::side_of;
use crate::game::{Command, Game, Phase, Question, Said};
use crate::notation::{Value, typed};
use crate::persons::Person;

/// The highest move number that can be typed in words. No game is longer.
const NUMBERS: u32 = 300;

impl Line<'_> {
    /// Returns the question in a line. `words` are in the console's own words, `text` is as typed.
    pub(super) fn asked(
        &self,
        game: &Game,
        person: Person,
        words: &[&str],
        text: &str,
    ) -> Option<Said> {
        let command = match words {
            ["detail"] | ["in", "full"] => Some(Command::TimeInFull),
            ["why"] => Some(Command::Why),
            ["shorter"] => Some(Command::Shorter),
            ["longer"] => Some(Command::Longer),
            ["board", "read"] | ["read", "board"] => Some(Command::ReadBoard),
            ["next"] => Some(Command::NextItem),
            ["previous"] => Some(Command::PreviousItem),
            // "Weiter" and "zurück" are the arbiter's, and "weiter" is also the players' where they
            // have none.
            ["restart"] if is_reading(game, person) => Some(Command::NextItem),
            ["restore"] if matches!(person, Person::Player(_)) => Some(Command::PreviousItem),
            _ => None,
        };
        let question = || self.question(words, text).map(Said::Question);
        command.map(Said::Command).or_else(question)
    }

    fn question(&self, words: &[&str], text: &str) -> Option<Question> {
        let (_, rest) = text
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or_default();
        let (first, others) = words.split_first()?;
        Some(match (*first, others) {
            ("square", _) => Question::Square(self.square(rest)?),
            // "What is on e4?"
            ("what", [.., _]) => {
                let asked = text.trim_end_matches(['?', '.', ' ']);
                Question::Square(self.square(asked.split_whitespace().last()?)?)
            }
            ("file", [_]) => Question::File(self.file(rest)?),
            ("rank", [_]) => Question::Rank(self.rank(rest)?),
            ("diagonal", _) => Question::Diagonals(self.square(rest)?),
            ("where", [_, ..]) => self.pieces(rest)?,
            ("pawns", []) => Question::Pieces {
                role: Role::Pawn,
                side: None,
            },
            ("pieces", [side]) => Question::Side(side_of(side)?),
            ("material", []) => Question::Material,
            ("taken", []) => Question::Taken,
            ("last", [_, ..]) => Question::LastMoves(self.number(rest)?),
            ("game", ["from", ..]) => Question::MovesFrom(self.number(rest)?),
            _ => return None,
        })
    }

    fn square(&self, text: &str) -> Option<Square> {
        match typed(self.language.lexicon(), text).as_slice() {
            [Said::Square(square)] => Some(*square),
            _ => None,
        }
    }

    fn value(&self, word: &str) -> Option<Value> {
        let lexicon = self.language.lexicon();
        lexicon.value(lexicon.canonical(word)?)
    }

    fn file(&self, text: &str) -> Option<File> {
        match self.value(text.trim())? {
            Value::File(file) => Some(file),
            _ => None,
        }
    }

    fn rank(&self, text: &str) -> Option<Rank> {
        match self.value(text.trim())? {
            Value::Rank(rank) => Some(rank),
            _ => None,
        }
    }

    /// Reads "Wo sind die Springer" and "wo Türme Weiß". Words that are no piece and no side are
    /// ignored.
    fn pieces(&self, text: &str) -> Option<Question> {
        let bare = |word: char| !word.is_alphanumeric();
        let text: Vec<&str> = text.split(bare).filter(|word| !word.is_empty()).collect();
        let role = |word: &&str| match self.value(word) {
            Some(Value::Role(role)) => Some(role),
            _ => self.language.role_of_several(word),
        };
        let side = |word: String| side_of(&word);
        Some(Question::Pieces {
            role: text.iter().find_map(role)?,
            side: self.canonical(&text.join(" ")).into_iter().find_map(side),
        })
    }

    /// The first number in a text, in digits or in words.
    fn number(&self, text: &str) -> Option<u32> {
        let said = |number| self.language.number(number).plain().to_lowercase();
        let mut words = text.split_whitespace();
        words.find_map(|word| {
            let word = word.trim_end_matches('.').to_lowercase();
            let in_words = || (1..=NUMBERS).find(|number| said(*number) == word);
            word.parse().ok().or_else(in_words)
        })
    }
}

/// Returns whether "weiter" is about a list that is read to a player, and not about the game.
fn is_reading(game: &Game, person: Person) -> bool {
    let is_played = matches!(game.phase(), Phase::BeforePlay | Phase::Playing);
    matches!(person, Person::Player(Color::White | Color::Black))
        && (game.profile().arbiter || is_played)
}
