//! The verdict as a paragraph that can be read to both players.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use serde::Deserialize;
use shakmaty::{Color, Piece};
use thiserror::Error;

use super::costs::MOST_FAULTS;
use super::fault::{Fault, FaultKind};
use super::owner::{ByOwner, Owner};
use super::placement::Correction;
use super::report::{Alternative, ClockTimes, Concerned, DifferingEntry, Report, Verdict};
use crate::{Letters, filled_by, write_move};
use annexd_laws::Rules;

/// No more explanations than these are read out.
const MOST_WAYS: usize = 6;

/// Nor more entries of one of them, or draw offers.
const MOST_ENTRIES: usize = 6;

/// The texts of one language, all of them data.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// The letters of moves that stand on no sheet.
    letters: Letters,
    scores: [String; 2],
    in_scores: [String; 2],
    boards: [String; 2],
    on_boards: [String; 2],
    white: String,
    black: String,
    white_pieces: [String; 6],
    black_pieces: [String; 6],
    where_start: String,
    where_move: String,
    nothing: String,
    unknown_time: String,
    same: String,
    shorter: String,
    correct_board: String,
    board_by_scores: String,
    go_back: String,
    go_back_to_start: String,
    illegal_move: String,
    ambiguous: String,
    unexplained: String,
    doubtful: String,
    uncertain: String,
    way_same: String,
    way_back: String,
    way_illegal: String,
    way_positions: String,
    way_squares: String,
    way_entries: String,
    way_entry: String,
    way_extra: String,
    more_ways: String,
    moves_open: String,
    way_square: String,
    by_boards: String,
    boards_alike: String,
    boards_alike_by: String,
    missing: String,
    doubled: String,
    transposed: String,
    columns: String,
    columns_until: String,
    later_page: String,
    other_order: String,
    unreadable: String,
    blank: String,
    incomplete: String,
    wrong_origin: String,
    other_origin: String,
    extra: String,
    other_move: String,
    not_legal: String,
    pair: String,
    span: String,
    missing_run: String,
    doubled_run: String,
    extra_run: String,
    unreadable_run: String,
    blank_run: String,
    agrees_again: String,
    agrees_until_end: String,
    boards_if_back: String,
    board_list: String,
    board_right: String,
    step_move: String,
    step_remove: String,
    step_place: String,
    open_offer: String,
    open_offer_in_one: String,
    offer_in_one: String,
    clocks: String,
    clocks_stay: String,
    clocks_if_necessary: String,
    results_differ: String,
    arbiter: String,
}

/// Why there are no texts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordingError {
    /// The verdict is worded in four languages.
    #[error("there is no wording in \"{0}\"; there are de, en, da and sv")]
    NoLanguage(String),
    /// The file of the language is broken.
    #[error("the wording in \"{0}\" cannot be read: {1}")]
    Broken(String, String),
}

impl Wording {
    /// The codes of the languages that there are.
    pub const LANGUAGES: [&str; 4] = ["de", "en", "da", "sv"];

    /// The texts of a language by its code.
    ///
    /// # Errors
    ///
    /// [`WordingError::NoLanguage`] for any other code.
    pub fn of(language: &str) -> Result<Self, WordingError> {
        let text = match language {
            "de" => include_str!("wording/de.toml"),
            "en" => include_str!("wording/en.toml"),
            "da" => include_str!("wording/da.toml"),
            "sv" => include_str!("wording/sv.toml"),
            other => return Err(WordingError::NoLanguage(other.to_owned())),
        };
        toml::from_str(text)
            .map_err(|error| WordingError::Broken(language.to_owned(), error.to_string()))
    }

    /// The whole verdict in words, with the article and the rule on clocks of an edition.
    pub fn paragraph(&self, report: &Report, rules: &Rules) -> String {
        self.paragraph_from(report, rules, 1)
    }

    /// The same, with the explanations numbered from this number on: in a game an explanation has
    /// the number of its proposal, so that the arbiter types what he hears.
    pub fn paragraph_from(&self, report: &Report, rules: &Rules, first: usize) -> String {
        let article = rules.cite(report.verdict.clause());
        let mut sentences = self.verdict(report, &article, first);
        sentences.extend(self.boards_alike(report, rules));
        sentences.extend(self.faults(report));
        sentences.extend(self.boards(report));
        if let Some(side) = report.open_offer {
            sentences.push(self.offer(side, report.offer_only_of));
        }
        sentences.extend(self.lone_offers(report));
        match (report.verdict, report.clocks) {
            (Verdict::GoBack | Verdict::IllegalMove, Some(times)) => {
                sentences.push(self.times(times));
                if report.verdict == Verdict::GoBack && rules.recording.clocks_back_if_necessary {
                    sentences.push(self.clocks_if_necessary.clone());
                }
            }
            (Verdict::CorrectBoard, _) => sentences.push(self.clocks_stay.clone()),
            _ => {}
        }
        if let Some(results) = &report.results {
            let [one, two] = [results.player, results.opponent].map(|it| it.to_string());
            let places = [("one", one.as_str()), ("two", &two)];
            sentences.push(fill(&self.results_differ, &places));
        }
        if !matches!(report.verdict, Verdict::Same | Verdict::Shorter) {
            let edition = rules.edition.to_string();
            let places = [("article", article.as_str()), ("edition", &edition)];
            sentences.push(fill(&self.arbiter, &places));
        }
        spoken(&sentences)
    }

    /// What to do at a board, in words: "white bishop from c4 to b5".
    pub fn step(&self, correction: Correction) -> String {
        match correction {
            Correction::Move { piece, from, to } => fill(
                &self.step_move,
                &[
                    ("piece", self.piece(piece)),
                    ("from", &from.to_string()),
                    ("to", &to.to_string()),
                ],
            ),
            Correction::Remove { piece, from } => fill(
                &self.step_remove,
                &[("piece", self.piece(piece)), ("from", &from.to_string())],
            ),
            Correction::Place { piece, to } => fill(
                &self.step_place,
                &[("piece", self.piece(piece)), ("to", &to.to_string())],
            ),
        }
    }

    fn verdict(&self, report: &Report, article: &str, first: usize) -> Vec<String> {
        let at = self.after(report, report.ply);
        let whose = report.shorter.map_or("", |owner| self.score(owner));
        let side = self.side(report.position.turn);
        let [one, two] = self.differing(report);
        let number = report.alternatives.len().to_string();
        let is_one_shape = matches!(report.alternatives.as_slice(), [way] if way.positions > 1);
        // It is not the number of its faults that makes such a difference uncertain.
        let is_uncertain = report.count <= MOST_FAULTS
            && matches!(report.alternatives.as_slice(), [way] if way.verdict == Verdict::GoBack);
        let text = match report.verdict {
            Verdict::Same => &self.same,
            Verdict::Shorter => &self.shorter,
            Verdict::CorrectBoard if report.shorter.is_some() => &self.shorter,
            Verdict::CorrectBoard => &self.correct_board,
            Verdict::GoBack if report.agreed_ply == 0 => &self.go_back_to_start,
            Verdict::GoBack => &self.go_back,
            Verdict::IllegalMove => &self.illegal_move,
            Verdict::Ambiguous if is_one_shape => &self.moves_open,
            Verdict::Ambiguous if is_uncertain => &self.uncertain,
            Verdict::Ambiguous if report.alternatives.len() == 1 => &self.doubtful,
            Verdict::Ambiguous if report.alternatives.is_empty() => &self.unexplained,
            Verdict::Ambiguous => &self.ambiguous,
        };
        let mut sentences = vec![fill(
            text,
            &[
                ("where", &at),
                ("whose", whose),
                ("side", side),
                ("one", &one),
                ("two", &two),
                ("number", &number),
                ("article", article),
            ],
        )];
        if report.verdict == Verdict::CorrectBoard && report.shorter.is_some() {
            sentences.push(self.board_by_scores.clone());
        }
        if let (Verdict::Ambiguous, true, Some(entries)) = (
            report.verdict,
            report.alternatives.is_empty(),
            &report.differing,
        ) {
            let entries = Concerned {
                ply: report.ply,
                entries: entries.clone(),
                extra: false,
            };
            sentences.extend(self.entries(report, &[entries]));
        }
        let ways = report.alternatives.len();
        let told = ways.min(MOST_WAYS);
        sentences.extend((0..told).flat_map(|index| self.way(report, index, first)));
        if ways > told {
            let left = (ways - told).to_string();
            sentences.push(fill(&self.more_ways, &[("number", &left)]));
        }
        if report.decided_by_boards {
            sentences.push(self.by_boards.clone());
        }
        sentences
    }

    /// Where the scores differ, boards that show the same position need no correction.
    fn boards_alike(&self, report: &Report, rules: &Rules) -> Option<String> {
        if !report.needs_no_correction() {
            return None;
        }
        let article = rules.cite(Verdict::GoBack.clause());
        let article = ("article", article.as_str());
        Some(match report.boards_follow.as_slice() {
            [owner] => {
                let whose = self.score(*owner);
                fill(&self.boards_alike_by, &[("whose", whose), article])
            }
            _ => fill(&self.boards_alike, &[article]),
        })
    }

    /// One explanation in words, by its place among them; the first has the number `first`.
    pub fn explanation(&self, report: &Report, index: usize, first: usize) -> String {
        spoken(&self.way(report, index, first))
    }

    fn way(&self, report: &Report, index: usize, first: usize) -> Vec<String> {
        let Some(way) = report.alternatives.get(index) else {
            return Vec::new();
        };
        let text = match way.verdict {
            Verdict::GoBack => &self.way_back,
            Verdict::IllegalMove => &self.way_illegal,
            _ => &self.way_same,
        };
        let number = (first + index).to_string();
        let at = self.after(report, way.ply);
        let mut sentences = vec![fill(text, &[("number", &number), ("where", &at)])];
        sentences.extend(self.each_fault(report, &way.faults));
        sentences.extend(self.entries(report, &way.entries));
        if way.positions > 1 {
            let positions = way.positions.to_string();
            let places = [("number", number.as_str()), ("positions", &positions)];
            sentences.push(fill(&self.way_positions, &places));
        } else {
            sentences.extend(self.way_squares(&number, &first.to_string(), way));
        }
        sentences
    }

    /// What stands in each score where an explanation supposes something.
    fn entries(&self, report: &Report, entries: &[Concerned]) -> Option<String> {
        let told = |entry: &Option<DifferingEntry>| {
            entry
                .as_ref()
                .map_or_else(|| self.nothing.clone(), |entry| self.move_of(entry))
        };
        let named = entries.iter().take(MOST_ENTRIES).map(|concerned| {
            let at = self.after(report, concerned.ply + 1);
            let ByOwner { player, opponent } = &concerned.entries;
            let [one, two] = [told(player), told(opponent)];
            let text = if concerned.extra {
                &self.way_extra
            } else {
                &self.way_entry
            };
            let owner = Owner::BOTH[usize::from(player.is_none())];
            let either = if player.is_some() { &one } else { &two };
            let whose = self.in_scores[owner as usize].as_str();
            let places = [
                ("where", at.as_str()),
                ("one", &one),
                ("two", &two),
                ("in", whose),
                ("move", either),
            ];
            fill(text, &places)
        });
        let list = named.collect::<Vec<_>>().join("; ");
        (!list.is_empty()).then(|| fill(&self.way_entries, &[("list", &list)]))
    }

    /// Draw offers that one score alone has. That of the last move is told as the open one.
    fn lone_offers(&self, report: &Report) -> Vec<String> {
        let is_told = |ply: usize| report.open_offer.is_some() && ply + 1 == report.ply;
        let offers = report.lone_offers.iter().filter(|it| !is_told(it.ply));
        let told = offers.take(MOST_ENTRIES).map(|offer| {
            let at = self.after(report, offer.ply + 1);
            let whose = self.in_scores[offer.owner as usize].as_str();
            fill(&self.offer_in_one, &[("where", &at), ("in", whose)])
        });
        told.collect()
    }

    /// Where the position of an explanation differs from that of the first.
    fn way_squares(&self, number: &str, first: &str, way: &Alternative) -> Option<String> {
        let piece = |piece: Option<Piece>| piece.map_or(self.nothing.as_str(), |it| self.piece(it));
        let squares = way.squares.iter().map(|differing| {
            let places = [
                ("where", &*differing.square.to_string()),
                ("one", piece(differing.here)),
                ("two", piece(differing.first)),
            ];
            fill(&self.way_square, &places)
        });
        let list = squares.collect::<Vec<_>>().join(", ");
        let places = [("number", number), ("first", first), ("list", &list)];
        (!list.is_empty()).then(|| fill(&self.way_squares, &places))
    }

    fn faults(&self, report: &Report) -> Vec<String> {
        let mut sentences = self.each_fault(report, &report.faults);
        let is_over = |fault: &Fault| {
            let is_whole = matches!(fault.kind, FaultKind::Columns | FaultKind::LaterPage);
            // What comes after the end of one score agrees with nothing.
            fault.ply + 1 < report.agreed_ply && !is_whole
        };
        let goes_on = report.faults.iter().all(is_over);
        if !sentences.is_empty() && goes_on && report.verdict != Verdict::GoBack {
            sentences.push(match report.shorter {
                None => self.agrees_again.clone(),
                Some(owner) => {
                    let at = self.after(report, report.agreed_ply);
                    let places = [("where", at.as_str()), ("whose", self.score(owner))];
                    fill(&self.agrees_until_end, &places)
                }
            });
        }
        sentences
    }

    /// A sentence for each fault; those of one kind that follow each other are one.
    fn each_fault(&self, report: &Report, faults: &[Fault]) -> Vec<String> {
        let runs = runs(faults);
        let runs = runs.iter();
        runs.map(|(first, last, count)| match count {
            1 => self.fault(report, first),
            _ => self.run(report, first, last, *count),
        })
        .collect()
    }

    /// Several faults of one kind that follow each other in one score.
    fn run(&self, report: &Report, first: &Fault, last: &Fault, count: usize) -> String {
        let text = match first.kind {
            FaultKind::Missing => &self.missing_run,
            FaultKind::Doubled => &self.doubled_run,
            FaultKind::Extra => &self.extra_run,
            FaultKind::Unreadable => &self.unreadable_run,
            _ => &self.blank_run,
        };
        let at = self.after(report, first.ply + 1);
        let until = self.after(report, last.ply + 1);
        let ends = [("where", at.as_str()), ("until", &until)];
        let which = if count == 2 { &self.pair } else { &self.span };
        let places = [
            ("in", self.in_scores[first.owner as usize].as_str()),
            ("where", &at),
            ("until", &until),
            ("which", &fill(which, &ends)),
            ("number", &count.to_string()),
        ];
        fill(text, &places)
    }

    fn fault(&self, report: &Report, fault: &Fault) -> String {
        let text = match fault.kind {
            FaultKind::Missing => &self.missing,
            FaultKind::Doubled => &self.doubled,
            FaultKind::Transposed => &self.transposed,
            FaultKind::Columns if fault.until.is_some() => &self.columns_until,
            FaultKind::Columns => &self.columns,
            FaultKind::LaterPage => &self.later_page,
            FaultKind::OtherOrder => &self.other_order,
            FaultKind::Unreadable => &self.unreadable,
            FaultKind::Blank => &self.blank,
            FaultKind::Incomplete => &self.incomplete,
            FaultKind::WrongOrigin => &self.wrong_origin,
            FaultKind::OtherOrigin => &self.other_origin,
            FaultKind::Extra => &self.extra,
            FaultKind::OtherMove => &self.other_move,
            FaultKind::NotLegal => &self.not_legal,
        };
        let at = self.after(report, fault.ply + 1);
        let whose = &self.in_scores[fault.owner as usize];
        let until = fault.until.unwrap_or_default();
        let until = self.after(report, fault.ply + until.saturating_sub(fault.entry));
        fill(text, &[("in", whose), ("where", &at), ("until", &until)])
    }

    fn boards(&self, report: &Report) -> Vec<String> {
        if matches!(
            report.verdict,
            Verdict::Same | Verdict::Shorter | Verdict::Ambiguous
        ) {
            return Vec::new();
        }
        let steps = Owner::BOTH.into_iter().filter_map(|owner| {
            let corrections = report.boards.get(owner).as_ref()?;
            let whose = &self.boards[owner as usize];
            let steps: Vec<_> = corrections.iter().map(|&step| self.step(step)).collect();
            Some(if steps.is_empty() {
                fill(&self.board_right, &[("whose", whose)])
            } else {
                let on = &self.on_boards[owner as usize];
                let list = steps.join(", ");
                fill(&self.board_list, &[("on", on), ("list", &list)])
            })
        });
        // Boards that need no correction get one only by the arbiter's decision.
        let condition = report
            .needs_no_correction()
            .then(|| self.boards_if_back.clone());
        condition.into_iter().chain(steps).collect()
    }

    fn differing(&self, report: &Report) -> [String; 2] {
        let Some(differing) = &report.differing else {
            return [String::new(), String::new()];
        };
        [&differing.player, &differing.opponent].map(|entry: &Option<DifferingEntry>| {
            entry
                .as_ref()
                .map_or_else(|| self.nothing.clone(), |entry| self.move_of(entry))
        })
    }

    /// A move as it stands on a sheet, or in the letters of the language.
    fn move_of(&self, entry: &DifferingEntry) -> String {
        entry.announced.as_ref().map_or_else(
            || entry.written.clone(),
            |announced| write_move(announced, self.letters),
        )
    }

    fn times(&self, times: ClockTimes) -> String {
        let [white, black] = [times.white_ms, times.black_ms]
            .map(|ms| ms.map_or_else(|| self.unknown_time.clone(), clock));
        fill(&self.clocks, &[("white", &white), ("black", &black)])
    }

    /// A ply by the number and side of its move; 0 is the starting position.
    fn after(&self, report: &Report, ply: usize) -> String {
        let Some((number, side)) = report.move_of(ply) else {
            return self.where_start.clone();
        };
        fill(
            &self.where_move,
            &[("number", &number.to_string()), ("side", self.side(side))],
        )
    }

    /// An open draw offer by a side, and which score alone has it if the other has not.
    fn offer(&self, side: Color, only_of: Option<Owner>) -> String {
        let side = ("side", self.side(side));
        match only_of {
            Some(owner) => {
                let whose = self.in_scores[owner as usize].as_str();
                fill(&self.open_offer_in_one, &[side, ("in", whose)])
            }
            None => fill(&self.open_offer, &[side]),
        }
    }

    fn score(&self, owner: Owner) -> &str {
        &self.scores[owner as usize]
    }

    fn side(&self, side: Color) -> &str {
        side.fold_wb(&self.white, &self.black)
    }

    fn piece(&self, piece: Piece) -> &str {
        let pieces = piece.color.fold_wb(&self.white_pieces, &self.black_pieces);
        &pieces[piece.role as usize - 1]
    }
}

/// The faults, each with the last of its run and how many those are.
fn runs(faults: &[Fault]) -> Vec<(Fault, Fault, usize)> {
    let mut runs: Vec<(Fault, Fault, usize)> = Vec::new();
    for fault in faults {
        let follows = |(_, last, _): &&mut (Fault, Fault, usize)| {
            let is_of_it = (last.owner, last.kind) == (fault.owner, fault.kind);
            is_of_it
                && match fault.kind {
                    FaultKind::Missing | FaultKind::Unreadable | FaultKind::Blank => {
                        fault.ply == last.ply + 1
                    }
                    FaultKind::Doubled | FaultKind::Extra => {
                        fault.ply == last.ply && fault.entry == last.entry + 1
                    }
                    _ => false,
                }
        };
        match runs.iter_mut().find(follows) {
            Some((_, last, count)) => (*last, *count) = (*fault, *count + 1),
            None => runs.push((*fault, *fault, 1)),
        }
    }
    runs
}

/// Minutes and seconds as on the face of a chessclock.
fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// Puts words into their places. Words at the beginning of a further sentence get a capital.
fn fill(text: &str, places: &[(&str, &str)]) -> String {
    filled_by(text, places, |before, name, words| {
        // A move begins with the letter it was written with.
        if before.ends_with(". ") && !matches!(name, "one" | "two") {
            capital(words)
        } else {
            words.to_owned()
        }
    })
}

fn spoken(sentences: &[String]) -> String {
    let sentences: Vec<String> = sentences.iter().map(|it| capital(it)).collect();
    sentences.join(" ")
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text_with_the_same_places() {
        let places = |language: &str| -> Vec<(String, Vec<String>)> {
            let _ = Wording::of(language).unwrap();
            let text = match language {
                "de" => include_str!("wording/de.toml"),
                "da" => include_str!("wording/da.toml"),
                "sv" => include_str!("wording/sv.toml"),
                _ => include_str!("wording/en.toml"),
            };
            let table: toml::Table = toml::from_str(text).unwrap();
            let texts = table.iter().filter_map(|(key, value)| {
                let mut names: Vec<String> = value
                    .as_str()?
                    .split('{')
                    .skip(1)
                    .filter_map(|rest| rest.split_once('}'))
                    .map(|(name, _)| name.split('?').next().unwrap().to_owned())
                    .collect();
                names.sort();
                names.dedup();
                Some((key.clone(), names))
            });
            texts.collect()
        };
        let english = places("en");
        for language in Wording::LANGUAGES {
            assert_eq!(places(language), english, "{language}");
        }
        assert!(Wording::of("fr").is_err());
    }

    #[test]
    fn words_from_a_sheet_are_not_places() {
        assert_eq!(
            fill("a {one} b", &[("one", "{two}"), ("two", "x")]),
            "a {two} b"
        );
    }
}
