//! The pages as one outlet. Each has a log, which is the outlet of a console, and a view, which is
//! made anew after every event.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annexd_pages::{Pages, Role, Words};

use super::audience::Audience;
use super::view::{Reader, view};
use super::words::person_of;
use crate::game::{Effect, Explanation, Game};
use crate::moment::Moment;
use crate::phrases::{Language, Phrase};
use crate::shell::consoles::text_outlet::{TextOutlet, channels_of};
use crate::shell::consoles::words::Labels;
use crate::shell::table::{Outlet, Seat};

/// How many explanations are kept. More are never open at once.
const EXPLANATIONS: usize = 64;

/// The pages that somebody has opened.
#[derive(Clone)]
pub(super) struct OpenPages {
    open_pages: Arc<Mutex<Vec<OpenPage>>>,
    /// Whether an audience may be admitted.
    has_audience: bool,
}

struct OpenPage {
    role: Role,
    log: TextOutlet,
    reader: Reader,
}

impl OpenPages {
    pub(super) fn new(has_audience: bool) -> Self {
        Self {
            open_pages: Arc::default(),
            has_audience,
        }
    }

    /// Opens a page for a reader in a language. Lines written in another language stay.
    pub(super) fn open(
        &self,
        pages: &Pages,
        role: Role,
        language: Language,
        words: Arc<Words>,
        labels: Labels,
    ) {
        let Some(person) = person_of(role) else {
            return;
        };
        let lines = Lines {
            pages: pages.clone(),
            role,
            begun: Vec::new(),
        };
        let (seat, channels) = (Seat::Page(person), channels_of(person));
        let log = TextOutlet::new(Box::new(lines), seat, channels, language.clone(), labels, 0);
        let mut reader = Reader::new(person, language, words);
        reader.has_audience = self.has_audience;
        // Until the table has updated it, the page has only its name.
        pages.show(role, reader.nothing());
        let mut open_pages = self.lock();
        open_pages.retain(|page| page.role != role);
        open_pages.push(OpenPage { role, log, reader });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<OpenPage>> {
        self.open_pages
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// All pages.
pub(super) struct PageOutlet {
    pages: Pages,
    open_pages: OpenPages,
    /// The reasons for proposals, by their numbers.
    explanations: BTreeMap<u32, Explanation>,
    audience: Option<Audience>,
}

impl PageOutlet {
    pub(super) const fn new(
        pages: Pages,
        open_pages: OpenPages,
        audience: Option<Audience>,
    ) -> Self {
        Self {
            pages,
            open_pages,
            explanations: BTreeMap::new(),
            audience,
        }
    }
}

impl Outlet for PageOutlet {
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool {
        if let Effect::Explain(explanation) = effect
            && let Some(number) = explanation.proposal
        {
            self.explanations.insert(number, explanation.clone());
            while self.explanations.len() > EXPLANATIONS {
                self.explanations.pop_first();
            }
        }
        for page in self.open_pages.lock().iter_mut() {
            page.log.carry_out(now, game, effect);
        }
        false
    }

    fn shows(&self, game: &Game, effect: &Effect) -> bool {
        let open_pages = self.open_pages.lock();
        let mut open_pages = open_pages.iter();
        open_pages.any(|page| page.log.shows(game, effect) && self.pages.is_read(page.role))
    }

    fn remark(&mut self, to: Option<Seat>, phrase: &Phrase) {
        for page in self.open_pages.lock().iter_mut() {
            page.log.remark(to, phrase);
        }
    }

    fn seats(&self, seat: Seat) -> bool {
        let open_pages = self.open_pages.lock();
        let mut seats = open_pages.iter().filter_map(|page| person_of(page.role));
        seats.any(|person| seat == Seat::Page(person))
    }

    fn look(&mut self, now: Moment, game: &Game) {
        for page in self.open_pages.lock().iter() {
            let view = view(game, now, &page.reader, &self.explanations);
            self.pages.show(page.role, view);
        }
        if let Some(audience) = &mut self.audience {
            audience.look(now, game, &self.pages);
        }
    }
}

/// Writes the lines of a console into the log of a page, with each label separate.
struct Lines {
    pages: Pages,
    role: Role,
    begun: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        for line in String::from_utf8_lossy(&begun).lines() {
            let (label, text) = line.split_once(": ").unwrap_or(("", line));
            self.pages.log(self.role, label, text);
        }
        Ok(())
    }
}
