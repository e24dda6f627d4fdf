//! What an audience sees: clocks, board and moves, some time after those at the table. With an
//! arbiter this needs his recorded approval (11.3.2), of which one part must be the word for it:
//! `approve Mrs Holm, no network, audience`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use annexd_pages::{Pages, Role, Row, Scores, Taps, View};
use shakmaty::Color;

use super::boards::board;
use super::view::{Reader, clocks, said, state, written};
use super::words::words;
use crate::game::{Game, Mode};
use crate::moment::Moment;
use crate::persons::Person;
use crate::phrases::Language;
use crate::shell::config::data;
use crate::shell::consoles::signs::number_of;
use crate::shell::error::Result;

/// The page of the audience.
pub(super) struct Audience {
    reader: Reader,
    delay: Duration,
    /// The words for an audience in all languages, in lower case.
    names: Vec<String>,
    is_allowed: Arc<AtomicBool>,
    last: View,
}

impl Audience {
    /// The page of an audience with this delay in minutes. It sets whether an audience is allowed.
    ///
    /// # Errors
    ///
    /// If the words of a language are missing or wrong.
    pub(super) fn new(
        language: Language,
        minutes: u32,
        is_allowed: Arc<AtomicBool>,
        pages: &Pages,
    ) -> Result<Self> {
        let mut names = Vec::new();
        for code in data::languages()? {
            names.push(words(&code)?.of("audience").to_lowercase());
        }
        let words = Arc::new(words(language.lexicon().language())?);
        let first = View {
            title: words.of("audience").to_owned(),
            state: words
                .of("audience_later")
                .replace("{0}", &minutes.to_string()),
            ..View::default()
        };
        pages.show(Role::Audience, first.clone());
        Ok(Self {
            // It needs a player's words, but shows nothing private.
            reader: Reader::new(Person::Player(Color::White), language, words),
            delay: Duration::from_secs(u64::from(minutes) * 60),
            names,
            is_allowed,
            last: first,
        })
    }

    /// Notes what the audience will see, and whether it is allowed.
    pub(super) fn look(&mut self, now: Moment, game: &Game, pages: &Pages) {
        let is_allowed = is_allowed(game, &self.names);
        self.is_allowed.store(is_allowed, Ordering::Relaxed);
        let view = view(game, now, &self.reader, self.delay);
        if told_of(&view) != told_of(&self.last) {
            self.last = view.clone();
            pages.show_at(Instant::now() + self.delay, Role::Audience, view);
        }
    }
}

/// Whether the arbiter's approval names the audience. Without an arbiter, starting the game with it
/// is enough.
fn is_allowed(game: &Game, names: &[String]) -> bool {
    let profile = game.profile();
    if !profile.arbiter && profile.mode != Mode::Rated {
        return true;
    }
    profile.device.as_ref().is_some_and(|approval| {
        let mut parts = approval.scope.split([',', ';']);
        parts.any(|part| names.contains(&part.trim().trim_end_matches('.').to_lowercase()))
    })
}

/// The part of a view whose change makes it a new one. A running clock does not.
fn told_of(view: &View) -> impl PartialEq + use<> {
    let standing = view.clocks.as_ref().map(|clocks| {
        let of = |at: usize| (!clocks.sides[at].runs).then_some(clocks.sides[at].left);
        [of(0), of(1)]
    });
    let view = View {
        clocks: None,
        ..view.clone()
    };
    (view, standing)
}

/// What an audience sees after this delay.
pub fn view(game: &Game, now: Moment, reader: &Reader, delay: Duration) -> View {
    let mut board = board(game, reader, Color::White, Color::White, false);
    board.title = reader.words.page.boards.clone();
    board.taps = Taps::Nothing;
    let mut clocks = clocks(game, now, reader);
    if let Some(clocks) = &mut clocks {
        // The clock goes on from the moment at which it is shown.
        clocks.read += delay;
    }
    View {
        title: reader.word("audience"),
        state: state(game, reader),
        clocks,
        said: said(game, reader),
        boards: vec![board],
        scores: Some(moves(game, reader)),
        ..View::default()
    }
}

/// The moves that White has recorded.
fn moves(game: &Game, reader: &Reader) -> Scores {
    let mut rows: Vec<Row> = Vec::new();
    for (at, entry) in game.score(Color::White).entries().iter().enumerate() {
        let (number, side) = number_of(game, at);
        if rows.last().is_none_or(|row| row.number != number) {
            rows.push(Row {
                number,
                moves: vec![Default::default()],
                differ: [false; 2],
            });
        }
        if let Some(row) = rows.last_mut() {
            row.moves[0][usize::from(side.is_black())] = written(entry, reader);
        }
    }
    Scores {
        title: reader.word("moves_made"),
        titles: vec![reader.word("moves_made")],
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{DeviceApproval, Input, Profile, Ruling};

    fn approved(scope: &str) -> Game {
        let mut game = Game::new(Profile::default());
        let approval = DeviceApproval {
            by: "Holm".to_owned(),
            scope: scope.to_owned(),
        };
        game.handle(
            Moment::START,
            Input::Ruling(Ruling::ApproveDevice(approval)),
        );
        game
    }

    #[test]
    fn only_an_approval_that_names_it_lets_an_audience_look_on() {
        let names = ["audience".to_owned(), "zuschauer".to_owned()];
        let of = |scope: &str| is_allowed(&approved(scope), &names);
        assert!(of("no network, Audience."));
        assert!(of("ohne Netz; Zuschauer"));
        assert!(!of("ohne Zuschauer"));
        assert!(!of("no network"));
        assert!(!is_allowed(&Game::new(Profile::default()), &names));
    }

    #[test]
    fn an_audience_is_told_nothing_anew_while_only_a_clock_runs() {
        let language = data::language("en").unwrap();
        let words = Arc::new(words("en").unwrap());
        let reader = Reader::new(Person::Player(Color::White), language, words);
        let mut game = Game::new(Profile {
            mode: Mode::Club,
            time_control: "90m+30s".parse().ok(),
            ..Profile::default()
        });
        let of = |game: &Game, ms: u64| {
            view(game, Moment::from_ms(ms), &reader, Duration::from_secs(600))
        };
        let before = of(&game, 0);
        game.handle(Moment::START, Input::Ruling(Ruling::Start));
        let (begun, later) = (of(&game, 0), of(&game, 5_000));
        assert!(told_of(&before) != told_of(&begun));
        assert!(told_of(&begun) == told_of(&later));
        assert_eq!(begun.boards[0].taps, Taps::Nothing);
        assert!(begun.groups.is_empty() && begun.forms.is_empty() && begun.cards.is_empty());
    }
}
