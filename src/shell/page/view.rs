//! What a page may know of the game, as a value. It is made here and nowhere else, from the game
//! and the person. It never has what is private to another, and nothing in it depends on whether a
//! move is legal.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use annexd_pages::{Button, Card, Clock, Clocks, File, Row, Said, Scores, Verdict, View, Words};
use shakmaty::Color;

use super::{acts, boards};
use crate::discrepancy::{Owner, ReconcileReport};
use crate::game::{Explanation, Game, Phase, Ruling, Waiting, result_phrase};
use crate::laws::QuickplayDecision as Decision;
use crate::moment::Moment;
use crate::notation::{Announcement, Style, Value};
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::score::{Entry, Letters, Score, to_html, to_pgn, write_move};
use crate::shell::config::data;
use crate::shell::consoles::named::named;
use crate::shell::consoles::signs::{last_said, number_of, number_said};
use crate::shell::consoles::text_outlet::sees_clock;
use crate::shell::record::kept_score::kept_score;

/// The reader of a page, and his words.
pub struct Reader {
    /// The person.
    pub person: Person,
    /// The person's language.
    pub language: Language,
    /// The words of pages in this language.
    pub words: Arc<Words>,
    /// The notation letters of this language.
    pub letters: Letters,
    /// Whether there is a page for an audience, which the arbiter may allow.
    pub has_audience: bool,
}

impl Reader {
    /// A person who reads in a language.
    pub fn new(person: Person, language: Language, words: Arc<Words>) -> Self {
        let letters = language.letters();
        Self {
            person,
            letters,
            language,
            words,
            has_audience: false,
        }
    }

    /// The page before anything is known.
    pub(super) fn nothing(&self) -> View {
        View {
            title: self.language.text(&named(self.person)),
            ..View::default()
        }
    }

    /// A word of the pages.
    pub(super) fn word(&self, name: &str) -> String {
        self.words.of(name).to_owned()
    }

    /// A word of the page about a side.
    pub(super) fn of_side(&self, name: &str, side: Color) -> String {
        let text = self.words.of(name);
        text.replace("{side}", self.language.side(side))
    }

    /// The line of a function of `assets/controls.toml`.
    pub(super) fn line(&self, function: &str) -> String {
        self.language.typed(function).unwrap_or_default().to_owned()
    }

    /// The same as a button with its label.
    pub(super) fn button(&self, function: &str, is_grave: bool) -> Button {
        Button {
            label: self.word(function),
            line: self.line(function),
            is_grave,
        }
    }

    /// The sentence that explains a function.
    pub(super) fn about(&self, function: &str) -> String {
        let about = Argument::Control(function.to_owned());
        self.language.text(&Phrase::new(PhraseKey::About, [about]))
    }

    pub(super) fn text(&self, phrase: &Phrase) -> String {
        self.language.text_to_the_second(phrase)
    }

    fn told(&self, rulings: &[Ruling], game: &Game) -> String {
        let does = rulings.iter().flat_map(|it| game.ruling_phrases(it));
        let does: Vec<String> = does.map(|phrase| self.text(&phrase)).collect();
        does.join("\n")
    }
}

/// What a person may know now.
pub fn view(
    game: &Game,
    now: Moment,
    reader: &Reader,
    explanations: &BTreeMap<u32, Explanation>,
) -> View {
    let waiting = game.waits_for(reader.person).into_iter();
    let cards = waiting.map(|waiting| card(game, reader, &waiting, explanations));
    let cards: Vec<Card> = approval(game, reader).into_iter().chain(cards).collect();
    let urgent = cards.first().map(|card| match card.lines.first() {
        Some(line) => format!("{} {line}", card.title),
        None => card.title.clone(),
    });
    let is_arbiter = reader.person == Person::Arbiter;
    let comparison = game.comparison().filter(|_| is_arbiter);
    View {
        title: reader.language.text(&named(reader.person)),
        state: state(game, reader),
        urgent: urgent.unwrap_or_default(),
        clocks: sees_clock(game, reader.person)
            .then(|| clocks(game, now, reader))
            .flatten(),
        said: said(game, reader),
        cards,
        decided: decided(game, reader),
        boards: boards::boards(game, reader),
        groups: acts::groups(game, reader),
        forms: acts::forms(game, reader),
        scores: is_arbiter.then(|| scores(game, reader)),
        verdict: comparison.and_then(|report| verdict(game, reader, report)),
        files: files(game, reader),
    }
}

/// The state of the game in one line.
pub(super) fn state(game: &Game, reader: &Reader) -> String {
    let name = match game.phase() {
        Phase::BeforePlay => "before_play",
        Phase::Playing => "playing",
        Phase::Stopped => "stopped",
        Phase::Sealing => "sealing",
        Phase::Adjourned => "adjourned",
        Phase::Ended => "ended",
    };
    let text = reader.words.states.get(name).map_or(name, String::as_str);
    let text = text.replace("{side}", reader.language.side(game.turn()));
    let result = game.ending().map(|ending| {
        let phrase = result_phrase(ending.result);
        format!(" {} ({})", reader.text(&phrase), ending.article)
    });
    text + &result.unwrap_or_default() + &signed(game, reader)
}

/// Which players have signed the result, for the arbiter (8.7).
fn signed(game: &Game, reader: &Reader) -> String {
    if reader.person != Person::Arbiter || game.ending().is_none() {
        return String::new();
    }
    let of = |side: Color| {
        let word = match has_signed(game, side) {
            true => "signed_by",
            false => "not_signed_by",
        };
        format!(" {}", reader.of_side(word, side))
    };
    [Color::White, Color::Black].map(of).concat()
}

/// Whether a player has signed the scores.
pub(super) fn has_signed(game: &Game, side: Color) -> bool {
    let signatures = game.score(side).signatures();
    signatures.iter().any(|signature| signature.side == side)
}

pub(super) fn clocks(game: &Game, now: Moment, reader: &Reader) -> Option<Clocks> {
    game.clock()?;
    let times = game.times(now);
    let side = |side: Color| {
        let name = &game.profile().sides[side].name;
        let colour = reader.language.side(side);
        Clock {
            name: match name.is_empty() {
                true => colour.to_owned(),
                false => format!("{colour}: {name}"),
            },
            left: times[side],
            runs: game.running() == Some(side),
        }
    };
    Some(Clocks {
        sides: [side(Color::White), side(Color::Black)],
        read: Instant::now(),
    })
}

pub(super) fn said(game: &Game, reader: &Reader) -> Option<Said> {
    let (side, announcement) = last_said(game)?;
    let number = number_said(game, side);
    let dots = if side.is_white() { "." } else { "…" };
    let signs = reader.language.signs(announcement);
    Some(Said {
        by: reader.language.side(side).to_owned(),
        words: words_of(announcement, reader),
        signs: format!("{number}{dots} {signs}"),
    })
}

fn words_of(announcement: &Announcement, reader: &Reader) -> String {
    reader
        .language
        .announcement(announcement, Style::Long)
        .text()
}

/// The card with which the arbiter approves the device before a rated game starts. It shows
/// everything that he approves.
fn approval(game: &Game, reader: &Reader) -> Option<Card> {
    let is_his = reader.person == Person::Arbiter && game.needs_approval();
    let form = is_his.then(|| acts::approve(reader))?;
    let mut because = Phrase::from(PhraseKey::DeviceNotApproved);
    let article = game.rules().cite("11.3.2");
    because.arguments.push(Argument::Article(article));
    let (title, article) = without_article(reader, because);
    let mut lines = vec![format!("{} {article}", reader.word("article"))];
    let besides = game.approved_besides();
    lines.push(reader.word(match besides.is_empty() {
        true => "approves_nothing_besides",
        false => "approves_besides",
    }));
    lines.extend(besides.into_iter().map(|phrase| {
        let (text, article) = without_article(reader, phrase);
        format!("{text} ({article})")
    }));
    Some(Card {
        id: "approval".to_owned(),
        title,
        lines,
        buttons: Vec::new(),
        form: Some(form),
        links: Vec::new(),
    })
}

/// A phrase without its article, and the article's number.
fn without_article(reader: &Reader, mut phrase: Phrase) -> (String, String) {
    let article = phrase.take_article().unwrap_or_default();
    (reader.text(&phrase), article)
}

/// The card for something that waits for an answer, with all possible answers.
fn card(
    game: &Game,
    reader: &Reader,
    waiting: &Waiting,
    explanations: &BTreeMap<u32, Explanation>,
) -> Card {
    let (id, title, lines, functions): (_, _, _, &[&str]) = match waiting {
        Waiting::Proposal {
            number,
            rulings,
            because,
        } => return proposal(game, reader, (*number, rulings, because), explanations),
        Waiting::Promotion => return promotion(reader),
        Waiting::Claim(side) => {
            let title = Phrase::new(PhraseKey::ClaimsDraw, [Argument::Side(*side)]);
            let title = reader.text(&title);
            ("claim", title, Vec::new(), &["uphold", "deny"])
        }
        Waiting::Confirmation(key) => {
            let title = reader.text(&(*key).into());
            ("confirmation", title, Vec::new(), &["yes", "no"])
        }
        Waiting::Consent(words) => {
            let mut words = words.iter().map(|phrase| reader.text(phrase));
            let title = words.next().unwrap_or_default();
            ("consent", title, words.collect(), &["yes", "no"])
        }
        Waiting::Offer => {
            let title = reader.word("draw_is_offered");
            ("offer", title, Vec::new(), &["accept", "decline"])
        }
        Waiting::Origin => {
            let title = reader.text(&PhraseKey::FromWhere.into());
            ("origin", title, Vec::new(), &[])
        }
        Waiting::Repetition(said) => {
            let has_board = !boards::boards(game, reader).is_empty();
            let title = if has_board {
                "repeat_it"
            } else {
                "repeat_it_in_words"
            };
            let title = reader.word(title);
            ("repetition", title, both_ways(said, reader), &[])
        }
        Waiting::Heard(side, said) => {
            let title = reader.of_side("heard_right", *side);
            let said = both_ways(said, reader);
            ("heard", title, said, &["confirm", "reject"])
        }
        Waiting::Execution(board, said) => {
            let title = reader.of_side("to_execute", *board);
            let said = both_ways(said, reader);
            ("execution", title, said, &["executed"])
        }
    };
    let buttons = functions.iter().map(|it| reader.button(it, false));
    Card {
        id: id.to_owned(),
        title,
        lines,
        buttons: buttons.collect(),
        form: None,
        links: Vec::new(),
    }
}

/// An announcement in words and in notation.
fn both_ways(said: &Announcement, reader: &Reader) -> Vec<String> {
    vec![words_of(said, reader), reader.language.signs(said)]
}

/// The card for a promotion piece.
fn promotion(reader: &Reader) -> Card {
    let pieces = boards::PROMOTIONS.into_iter().filter_map(|role| {
        let name = reader.language.lexicon().word_for(Value::Role(role))?;
        Some(Button {
            label: capitalised(name),
            line: name.to_owned(),
            is_grave: false,
        })
    });
    Card {
        id: "promotion".to_owned(),
        title: reader.text(&PhraseKey::WhichPiece.into()),
        lines: Vec::new(),
        buttons: pieces.collect(),
        form: None,
        links: Vec::new(),
    }
}

/// The card for a proposal: why, what it does, and the alternatives.
fn proposal(
    game: &Game,
    reader: &Reader,
    (number, rulings, because): (u32, &[Ruling], &Phrase),
    explanations: &BTreeMap<u32, Explanation>,
) -> Card {
    let mut lines = Vec::new();
    let (mut others, mut links, mut form) = (Vec::new(), Vec::new(), None);
    if let Some(explanation) = explanations.get(&number) {
        let article = &explanation.article;
        lines.push(format!("{} {article}", reader.word("article")));
        let facts = explanation.facts.iter();
        let facts = facts.map(|fact| reader.language.reason(fact));
        lines.extend(facts.filter(|fact| !fact.is_empty()));
        let mut texts = Vec::new();
        for other in &explanation.otherwise {
            let text = reader.text(other);
            match (other_button(game, other, &text), other.key) {
                (Some(button), _) => others.push(button),
                (None, PhraseKey::DoPenalise) => {
                    let named = (format!("penalise-{number}"), text);
                    form = offender(other).map(|of| acts::penalise(game, reader, named, of));
                }
                (None, PhraseKey::DoSetPosition) => links.push((text, "set_position".to_owned())),
                (None, _) => texts.push(text),
            }
        }
        if !texts.is_empty() {
            lines.push(format!("{} {}", reader.word("otherwise"), texts.join(" ")));
        }
    }
    let is_grave = rulings.iter().any(Ruling::ends);
    let does = reader.told(rulings, game);
    let accept = Button {
        label: if does.is_empty() {
            reader.word("accept_proposal")
        } else {
            does
        },
        line: format!("accept {number}"),
        is_grave,
    };
    let dismiss = Button {
        label: reader.word("dismiss_proposal"),
        line: format!("dismiss {number}"),
        is_grave: false,
    };
    let mut buttons: Vec<Button> = std::iter::once(accept)
        .chain(others)
        .chain([dismiss])
        .collect();
    if let [Ruling::DecideClaim { upheld }] = rulings {
        // Saying "no" to a refusal would be ambiguous, so both buttons say what they decide.
        lines.push(reader.told(rulings, game));
        let decides = |function: &&str| {
            let mut button = reader.button(function, false);
            if (*function == "uphold") == *upheld {
                button.line = format!("accept {number}");
            }
            button
        };
        buttons = ["uphold", "deny"].iter().map(decides).collect();
        // The proposed decision comes first and is highlighted.
        if !upheld {
            buttons.reverse();
        }
    }
    // The article is among the lines.
    let (title, _) = without_article(reader, because.clone());
    Card {
        id: format!("proposal-{number}"),
        title: format!("{number}. {title}"),
        lines,
        buttons,
        form,
        links,
    }
}

/// The side to be penalised.
fn offender(penalty: &Phrase) -> Option<Color> {
    let mut arguments = penalty.arguments.iter();
    arguments.find_map(|argument| match argument {
        Argument::Side(side) => Some(*side),
        _ => None,
    })
}

/// The card for the arbiter's last decision, and what taking it back does.
fn decided(game: &Game, reader: &Reader) -> Option<Card> {
    let is_his = reader.person == Person::Arbiter;
    let last = game.last_decision().filter(|_| is_his)?;
    let last: Vec<String> = last.iter().map(|phrase| reader.text(phrase)).collect();
    // The first phrase only says that it is taken back, as the button does.
    let does = game.taking_back()?.into_iter().skip(1);
    let does: Vec<String> = does.map(|phrase| reader.text(&phrase)).collect();
    let lines = match does.is_empty() {
        true => Vec::new(),
        false => vec![format!("{} {}", reader.word("taking_back"), does.join(" "))],
    };
    Some(Card {
        id: "decided".to_owned(),
        title: format!("{} {}", reader.word("decided"), last.join(" ")),
        lines,
        buttons: vec![reader.button("take_decision_back", true)],
        form: None,
        links: Vec::new(),
    })
}

/// The button for an alternative to a proposal.
fn other_button(game: &Game, other: &Phrase, text: &str) -> Option<Button> {
    let decisions = [
        (Ruling::DecideClaim { upheld: true }, "uphold"),
        (Ruling::DecideClaim { upheld: false }, "deny"),
        (Ruling::DecideQuickplay(Decision::Draw), "decide draw"),
        (Ruling::DecideQuickplay(Decision::Reject), "decide reject"),
        (
            Ruling::DecideQuickplay(Decision::Postpone { with_time: true }),
            "decide later with time",
        ),
    ];
    let is_it = |(ruling, _): &(Ruling, &str)| game.ruling_phrases(ruling).contains(other);
    let (_, line) = decisions.into_iter().find(is_it)?;
    Some(Button {
        label: text.to_owned(),
        line: line.to_owned(),
        is_grave: matches!(line, "uphold" | "decide draw"),
    })
}

/// Both scores side by side: the sheets handed in, or else what each player has recorded.
fn scores(game: &Game, reader: &Reader) -> Scores {
    let of = |side: Color| {
        let sheet = game.handed_in_score(side);
        let title = match sheet {
            Some(_) => reader.word("sheet_of"),
            None => reader.word("score_of"),
        };
        let title = title.replace("{side}", reader.language.side(side));
        (title, sheet.unwrap_or_else(|| game.score(side)))
    };
    let [white, black] = [of(Color::White), of(Color::Black)];
    let length = white.1.entries().len().max(black.1.entries().len());
    let mut rows: Vec<Row> = Vec::new();
    for at in 0..length {
        let (number, side) = number_of(game, at);
        if rows.last().is_none_or(|row| row.number != number) {
            rows.push(Row {
                number,
                moves: vec![Default::default(); 2],
                differ: [false; 2],
            });
        }
        let column = usize::from(side.is_black());
        let [one, other] = [&white.1, &black.1].map(|score: &&Score| score.entries().get(at));
        if let Some(row) = rows.last_mut() {
            row.moves[0][column] = one.map_or_else(String::new, |it| written(it, reader));
            row.moves[1][column] = other.map_or_else(String::new, |it| written(it, reader));
            row.differ[column] = match (one, other) {
                (Some(one), Some(other)) => !are_alike(one, other),
                // One score may be a move behind (8.1.3).
                _ => false,
            };
        }
    }
    Scores {
        title: reader.words.page.scores.clone(),
        titles: vec![white.0, black.0],
        rows,
    }
}

pub(super) fn written(entry: &Entry, reader: &Reader) -> String {
    let written = entry.written.clone();
    let offer = if entry.offer { " (=)" } else { "" };
    written.unwrap_or_else(|| write_move(&entry.notated, reader.letters)) + offer
}

/// Whether two entries agree, as far as both are complete.
fn are_alike(one: &Entry, other: &Entry) -> bool {
    use Announcement::{Castling, Move};
    let both = (one.notated.announcement(), other.notated.announcement());
    match both {
        (Some(Castling(one)), Some(Castling(other))) => one.side == other.side,
        (Some(Move(one)), Some(Move(other))) => {
            let pawn = shakmaty::Role::Pawn;
            one.piece.unwrap_or(pawn) == other.piece.unwrap_or(pawn)
                && one.to == other.to
                && one.promotion == other.promotion
                && (one.from.is_none() || other.from.is_none() || one.from == other.from)
        }
        _ => one.notated == other.notated,
    }
}

/// The verdict of D.2.9 in three lines, and in full.
fn verdict(game: &Game, reader: &Reader, report: &ReconcileReport) -> Option<Verdict> {
    let name = serde_json::to_value(report.verdict).ok()?;
    let kind = format!("verdict_{}", name.as_str()?);
    let article = game.rules().cite(report.verdict.clause());
    let agree = match report.move_of(report.agreed_ply) {
        Some((number, side)) => {
            let until = [Argument::Number(number), Argument::Side(side)];
            reader.text(&Phrase::new(PhraseKey::ScoresAgreeUntil, until))
        }
        None => reader.word("agree_on_nothing"),
    };
    let mut lines = vec![format!("{} ({article})", reader.word(&kind)), agree];
    if let Some(differing) = &report.differing {
        let of = |owner: Owner| {
            let side = reader.language.side(game.side_of_owner(owner)).to_owned();
            let entry = match owner {
                Owner::Player => &differing.player,
                Owner::Opponent => &differing.opponent,
            };
            let entry = entry.as_ref().map_or("–", |it| it.written.as_str());
            format!("{side}: {entry}")
        };
        let both = [of(Owner::Player), of(Owner::Opponent)];
        lines.push(format!("{} {}", reader.word("then"), both.join(", ")));
    }
    Some(Verdict {
        title: reader.word("comparison"),
        lines,
        paragraph: reader.language.paragraph(&game.verdict()?),
    })
}

/// The score files to download once the game is over. The arbiter gets them also after an
/// adjournment, because the position is written on the envelope (E.2).
fn files(game: &Game, reader: &Reader) -> Vec<File> {
    let is_over = game.ending().is_some();
    let is_his = match reader.person {
        Person::Arbiter => is_over || game.phase() == Phase::Adjourned,
        Person::Player(_) => is_over,
        Person::Assistant(_) => false,
    };
    if !is_his {
        return Vec::new();
    }
    let code = reader.language.lexicon().language();
    let sides = match reader.person {
        Person::Player(side) => vec![side],
        Person::Assistant(_) | Person::Arbiter => Color::ALL.to_vec(),
    };
    let of_side = sides.into_iter().flat_map(|side| {
        let score = kept_score(game, &[], side);
        let label = reader.word("score_of");
        let label = label.replace("{side}", reader.language.side(side));
        let pgn = File {
            name: format!("score-{side}.pgn"),
            label: format!("{label}, PGN"),
            kind: "application/x-chess-pgn",
            text: to_pgn(&score),
        };
        let sheet = data::sheet_words(code).ok().map(|words| File {
            name: format!("score-{side}.html"),
            label: format!("{label}, {}", reader.word("to_print")),
            kind: "text/html",
            text: to_html(&score, reader.letters, code, &words),
        });
        std::iter::once(pgn).chain(sheet)
    });
    of_side.collect()
}

/// A word with a capital first letter.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
