//! What the pages ask of the program: who may come in, and where a line goes.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use annexd_pages::{Asks, EntranceOffer, Origin, PageHost, Pages, Role, Visitor, Words};
use chacha20poly1305::aead::{OsRng, rand_core::RngCore as _};

use super::origin::origin_of;
use super::outlet::OpenPages;
use super::words::{person_of, words};
use crate::game::{Duty, Game};
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::consoles::languages::ConsoleLanguages;
use crate::shell::consoles::lines::LINE_BYTES_MAX;
use crate::shell::consoles::named::named;
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result};
use crate::shell::seats::{Asks as Seat, Keeper, Pin, Source, Way};
use crate::shell::session::seating::Seating;
use crate::shell::table;
use crate::shell::table::Report;
use crate::shell::table::inbox::Reports;

/// The pages of a game, once they are served.
pub(super) type Soon = Arc<OnceLock<Pages>>;

/// Admits browsers.
pub(super) struct Reception {
    keeper: Keeper,
    reports: Reports,
    console_languages: ConsoleLanguages,
    /// The default language, and its words.
    usual: String,
    usual_words: Arc<Words>,
    code: String,
    /// The persons who have a page.
    offered: Vec<Role>,
    languages: BTreeMap<String, Spoken>,
    open_pages: OpenPages,
    pages: Soon,
    /// Whether an audience is allowed now.
    may_look_on: Arc<AtomicBool>,
}

/// A language of pages.
struct Spoken {
    language: Language,
    words: Arc<Words>,
}

impl Reception {
    /// The reception for a game.
    ///
    /// # Errors
    ///
    /// If the words of a language are missing or wrong.
    pub(super) fn new(
        game: &Game,
        (keeper, reports): (Keeper, Reports),
        seating: &Seating,
        usual: String,
        code: String,
        (open_pages, pages): (OpenPages, Soon),
        may_look_on: Arc<AtomicBool>,
    ) -> Result<Self> {
        let mut languages = BTreeMap::new();
        for code in data::languages()? {
            let language = data::language(&code)?;
            let words = Arc::new(words(&code)?);
            languages.insert(code, Spoken { language, words });
        }
        let is_there = |role: &Role| match person_of(*role) {
            None => false,
            Some(Person::Player(_)) => true,
            Some(Person::Assistant(side)) => {
                Duty::ALL.iter().any(|duty| game.has_duty(side, *duty))
            }
            Some(Person::Arbiter) => game.profile().arbiter,
        };
        Ok(Self {
            keeper,
            reports,
            console_languages: seating.console_languages.clone(),
            usual_words: Arc::new(words(&usual)?),
            usual,
            code,
            offered: Role::ALL.into_iter().filter(is_there).collect(),
            languages,
            open_pages,
            pages,
            may_look_on,
        })
    }

    fn spoken(&self, code: &str) -> Option<&Spoken> {
        let usual = || self.languages.get(&self.usual);
        self.languages.get(code).or_else(usual)
    }

    /// Checks the code of the table. Wrong codes are slowed down, counted and reported.
    fn checks(&self, code: &str, way: &Way) -> std::result::Result<(), &'static str> {
        let typed: String = code.chars().filter(|it| !it.is_whitespace()).collect();
        let checked = self.keeper.check_code(|| typed == self.code, way);
        checked.map_err(|why| match why {
            Reason::Wrong => "wrong_code",
            _ => "too_many_codes",
        })
    }

    fn has_audience(&self) -> bool {
        self.may_look_on.load(Ordering::Relaxed)
    }

    /// Admits a person to his seat.
    fn admit(
        &self,
        (role, person): (Role, Person),
        pin: &Pin,
        way: &Way,
    ) -> std::result::Result<(), Fault> {
        // A page counts as a place only after a moment.
        let is_read = self.pages.get().is_some_and(|pages| pages.is_read(role));
        if self.keeper.asks(person) != Seat::Pin && is_read {
            return Err(Fault::new(Part::Console, Reason::Taken, Remedy::CloseOther));
        }
        self.keeper.admit(person, pin, way, &mut || {})?;
        self.keeper.may_attach(person)
    }
}

impl PageHost for Reception {
    fn places(&self, language: &str) -> Vec<EntranceOffer> {
        let Some(spoken) = self.spoken(language) else {
            return Vec::new();
        };
        let place = |role: &Role| {
            let person = person_of(*role)?;
            Some(EntranceOffer {
                role: *role,
                name: spoken.language.text(&named(person)),
                asks: match self.keeper.asks(person) {
                    Seat::Nothing => Asks::Nothing,
                    Seat::Pin => Asks::Pin,
                    Seat::NewPin => Asks::NewPin,
                },
            })
        };
        let audience = self.has_audience().then(|| EntranceOffer {
            role: Role::Audience,
            name: spoken.words.of("audience").to_owned(),
            asks: Asks::Nothing,
        });
        let seats = self.offered.iter().filter_map(place);
        seats.chain(audience).collect()
    }

    fn languages(&self) -> Vec<(String, String)> {
        let named = self.languages.iter();
        let named = named.map(|(code, it)| (code.clone(), it.language.lexicon().name().to_owned()));
        named.collect()
    }

    fn words(&self, language: &str) -> Arc<Words> {
        let spoken = self.spoken(language);
        let words = spoken.map_or(&self.usual_words, |it| &it.words);
        Arc::clone(words)
    }

    fn enter(&self, visitor: Visitor) -> std::result::Result<(), String> {
        let Visitor {
            from,
            role,
            code,
            pin,
            again,
            language,
        } = visitor;
        let (pin, again) = (Pin::new(pin), Pin::new(again));
        let Some(spoken) = self.spoken(&language) else {
            return Err(language);
        };
        let told = |phrase: &Phrase| spoken.language.text_with_detail(phrase);
        let way = Way::Connection(Source::new(from));
        self.checks(&code, &way)
            .map_err(|why| spoken.words.of(why).to_owned())?;
        if role == Role::Audience && self.has_audience() {
            return Ok(());
        }
        let person = person_of(role).filter(|_| self.offered.contains(&role));
        let Some(person) = person else {
            return Err(spoken.words.page.no_page.clone());
        };
        if self.keeper.asks(person) == Seat::NewPin && pin != again {
            return Err(told(&PhraseKey::PinsDiffer.into()));
        }
        self.admit((role, person), &pin, &way)
            .map_err(|why| told(&why.into()))?;
        let code = spoken.words.language.clone();
        let labels = console_words(&code).map_err(|error| error.message)?.labels;
        let words = Arc::clone(&spoken.words);
        self.console_languages.set(person, &code);
        if let Some(pages) = self.pages.get() {
            self.open_pages
                .open(pages, role, spoken.language.clone(), words, labels);
        }
        let who = Argument::Phrase(Box::new(named(person)));
        let come = Phrase::new(PhraseKey::ConsoleAttached, [who]);
        let _ = self.reports.send(Report::Note(come));
        Ok(())
    }

    fn take(&self, role: Role, line: &str) -> std::result::Result<(), String> {
        let Some(person) = person_of(role) else {
            return Err(self.usual_words.page.no_page.clone());
        };
        let language = self.console_languages.of(person).unwrap_or_default();
        let busy = || self.words(&language).page.busy.clone();
        // A sheet has its own limits, because it consists of many lines.
        let is_sheet = line.starts_with("sheet ");
        if !is_sheet && line.len() as u64 > LINE_BYTES_MAX {
            return Err(busy());
        }
        let text = match is_sheet {
            true => line.to_owned(),
            false => line.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        let seat = table::Seat::Page(person);
        if !self.keeper.may_type(seat, &text) {
            return Err(busy());
        }
        let taken = self.reports.send(Report::Typed { seat, text });
        taken.map_err(|_| self.words(&language).page.ended.clone())
    }

    fn on_attendance(&self, role: Role, is_there: bool) {
        match (person_of(role), is_there) {
            (Some(person), true) => self.keeper.add_place(person),
            (Some(person), false) => self.keeper.remove_place(person),
            (None, _) => {}
        }
    }

    fn origin(&self, from: SocketAddr) -> Origin {
        let ours = self.pages.get().map(Pages::address);
        origin_of(from, ours).to_vec()
    }

    fn token(&self) -> String {
        let mut bytes = [0; 16];
        OsRng.fill_bytes(&mut bytes);
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
