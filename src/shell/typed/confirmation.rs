//! Asks the arbiter to confirm before something happens that could be a slip: it ends or rewinds a
//! running game, or takes back a decision.

use crate::game::{Game, Input, Phase, Ruling, Waiting};
use crate::notation::{Command, Said, typed};
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::table::{Report, Seat};

/// What waits for the arbiter's yes, and at which seat.
#[derive(Debug)]
pub(super) struct PendingConfirmation {
    asked: Option<(Seat, Report)>,
}

impl PendingConfirmation {
    /// Makes an empty list: nothing waits.
    pub(super) const fn new() -> Self {
        Self { asked: None }
    }

    /// Returns what was asked at this seat, if this line confirms it. A no drops it, and so does
    /// any other line, which is then read as usual.
    ///
    /// # Errors
    ///
    /// The phrase for a person who says no.
    pub(super) fn answered(
        &mut self,
        seat: Seat,
        text: &str,
        language: &Language,
    ) -> Result<Option<Report>, Phrase> {
        let Some((_, report)) = self.asked.take_if(|(of, _)| of.is_at(seat)) else {
            return Ok(None);
        };
        let is_line = |function| language.typed(function) == Some(text);
        match typed(language.lexicon(), text).as_slice() {
            // Keys and buttons that accept also confirm.
            _ if is_line("accept_proposal") => Ok(Some(report)),
            _ if is_line("dismiss_proposal") => Err(PhraseKey::Dropped.into()),
            [Said::Command(Command::Yes)] => Ok(Some(report)),
            [Said::Command(Command::No)] => Err(PhraseKey::Dropped.into()),
            _ => Ok(None),
        }
    }

    /// Keeps these reports until they are confirmed, if they must be, and asks.
    pub(super) fn ask(
        &mut self,
        game: &Game,
        (seat, text): (Seat, &str),
        reports: &[Report],
        language: &Language,
    ) -> Option<Phrase> {
        // A page asks by itself.
        let is_typed = !matches!(seat, Seat::Page(_));
        let [report @ Report::Input(Input::Ruling(ruling))] = reports else {
            return None;
        };
        let phrases = does(game, ruling, text).filter(|_| is_typed)?;
        self.asked = Some((seat, report.clone()));
        let words = phrases.iter().map(|it| language.text_in_figures(it));
        let words: Vec<String> = words.collect();
        let words = Argument::Text(words.join(" "));
        Some(Phrase::new(PhraseKey::ConfirmRuling, [words]))
    }
}

/// Returns what a ruling does that could be a slip: it takes back a decision, or ends a running
/// game or rewinds it.
fn does(game: &Game, ruling: &Ruling, text: &str) -> Option<Vec<Phrase>> {
    let is_over = game.ending().is_some();
    match ruling {
        Ruling::TakeBack => game.taking_back(),
        // The result is cancelled, with the signatures under it (8.7).
        Ruling::Restart { .. } if is_over => Some(vec![PhraseKey::ResultLifted.into()]),
        _ if is_over || game.phase() == Phase::BeforePlay => None,
        _ => {
            let rulings = ends_or_rewinds(game, ruling, text)?;
            let phrases = rulings.iter().flat_map(|it| game.ruling_phrases(it));
            Some(phrases.collect())
        }
    }
}

/// Returns the ruling if it ends or rewinds a game and could be a slip: a word that does only that,
/// or the acceptance of a proposal without its number. A named result is no slip.
fn ends_or_rewinds(game: &Game, ruling: &Ruling, text: &str) -> Option<Vec<Ruling>> {
    let is_grave = |it: &Ruling| it.ends() || it.rewinds();
    match ruling {
        Ruling::Annul | Ruling::Restore { .. } | Ruling::GoBack { .. } => {
            Some(vec![ruling.clone()])
        }
        Ruling::Accept { proposal } if !text.contains(|sign: char| sign.is_ascii_digit()) => {
            let waiting = game.waits_for(Person::Arbiter).into_iter();
            let mut rulings = waiting.filter_map(|it| match it {
                Waiting::Proposal {
                    number, rulings, ..
                } if number == *proposal => Some(rulings),
                _ => None,
            });
            rulings.next().filter(|all| all.iter().any(is_grave))
        }
        _ => None,
    }
}
