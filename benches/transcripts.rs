//! What one slip in a transcript comes to: a word confused, dropped or added, through the matcher.
//!
//! Give PGN files (`cargo bench --bench transcripts -- FILE…`); without, it plays the games of the
//! tests. For each ply the announcement is spoiled in one place and understood again, blind to the
//! position as in play, and only afterwards it is looked up what that would have been on the board:
//! the move itself, another legal move (silently wrong, if nobody listens to the reading back),
//! none that is legal (both players notice), without its origin (asked), or no phrase (asked).

use std::fs;
use std::ops::ControlFlow;

use annexd::notation::{Announcement, Lexicon, MoveAnnouncement, Said, Style, understand, words};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Color, Move, Piece, Position};

const FILES: [&str; 8] = [
    "anna", "bella", "cesar", "david", "eva", "felix", "gustav", "hector",
];
const RANKS: [&str; 8] = [
    "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht",
];
const PIECES: [&str; 6] = ["bauer", "springer", "läufer", "turm", "dame", "könig"];

#[derive(Clone, Copy)]
enum Slip {
    None,
    OneOf(&'static [&'static str]),
    Dropped,
    Added,
}

const SLIPS: [(&str, Slip); 6] = [
    ("clean", Slip::None),
    ("one file confused", Slip::OneOf(&FILES)),
    ("one rank confused", Slip::OneOf(&RANKS)),
    ("the piece confused", Slip::OneOf(&PIECES)),
    ("one word dropped", Slip::Dropped),
    ("one word added", Slip::Added),
];

#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark reads games and words"
)]
fn main() {
    let here = env!("CARGO_MANIFEST_DIR");
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    files.retain(|argument| argument != "--bench");
    if files.is_empty() {
        files.push(format!("{here}/tests/scores/classics.pgn"));
    }
    let plies: Vec<(Chess, Move)> = files.iter().flat_map(|file| plies(file)).collect();
    let read = |name: &str| fs::read_to_string(format!("{here}/grammar/de/{name}")).expect(name);
    let lexicon = Lexicon::parse(&read("lexicon.toml"), &read("commands.toml")).expect("the words");
    println!(
        "{} plies; in percent of those with such a word:",
        plies.len()
    );
    println!(
        "style  slip                 right  other legal  illegal  asked: origin  asked: no phrase"
    );
    for (name, style) in [("long", Style::Long), ("short", Style::Short)] {
        for (what, slip) in SLIPS {
            measure(&lexicon, &plies, (name, style), (what, slip));
        }
    }
}

fn measure(
    lexicon: &Lexicon,
    plies: &[(Chess, Move)],
    (name, style): (&str, Style),
    (what, slip): (&str, Slip),
) {
    let mut rng = Rng(7);
    let (mut counts, mut total) = ([0_usize; 5], 0);
    for (position, played) in plies {
        let said = words(lexicon, &Announcement::from(played), style);
        let Some(heard) = spoiled(&said, slip, &mut rng) else {
            continue;
        };
        counts[outcome(lexicon, position, *played, &heard) as usize] += 1;
        total += 1;
    }
    let share = |count: usize| 100.0 * count as f64 / total.max(1) as f64;
    println!(
        "{name:5}  {what:19} {:6.1} {:12.1} {:8.1} {:14.1} {:17.1}",
        share(counts[0]),
        share(counts[1]),
        share(counts[2]),
        share(counts[3]),
        share(counts[4]),
    );
}

#[derive(Clone, Copy)]
enum Outcome {
    Right,
    OtherLegal,
    Illegal,
    OriginAsked,
    NoPhrase,
}

fn outcome(lexicon: &Lexicon, position: &Chess, played: Move, heard: &[String]) -> Outcome {
    let readings = understand(lexicon, heard);
    let [Said::Move(announcement)] = readings.as_slice() else {
        return Outcome::NoPhrase;
    };
    let Some(meant) = on_the_board(position, announcement) else {
        return Outcome::OriginAsked;
    };
    let is_meant = |legal: &Move| same(&meant, &Announcement::from(legal));
    let legal = position.legal_moves().into_iter().find(is_meant);
    match legal {
        Some(legal) if legal == played => Outcome::Right,
        Some(_) => Outcome::OtherLegal,
        None => Outcome::Illegal,
    }
}

/// As in play: a square of departure that was not said is known only if one such piece is left.
fn on_the_board(position: &Chess, said: &Announcement) -> Option<Announcement> {
    let Announcement::Move(said) = said else {
        return Some(said.clone());
    };
    let color: Color = position.turn();
    let role = said.piece.unwrap_or(shakmaty::Role::Pawn);
    let pieces = position.board().by_piece(Piece { color, role });
    let from = said.from.or_else(|| pieces.single_square())?;
    let piece = said.piece.or_else(|| position.board().role_at(from));
    let from = Some(from);
    Some(Announcement::Move(MoveAnnouncement {
        piece,
        from,
        ..said.clone()
    }))
}

fn same(one: &Announcement, other: &Announcement) -> bool {
    match (one, other) {
        (Announcement::Move(a), Announcement::Move(b)) => {
            (a.piece, a.from, a.to, a.promotion) == (b.piece, b.from, b.to, b.promotion)
        }
        (Announcement::Castling(a), Announcement::Castling(b)) => a.side == b.side,
        _ => false,
    }
}

fn spoiled(said: &[String], slip: Slip, rng: &mut Rng) -> Option<Vec<String>> {
    let mut heard = said.to_vec();
    match slip {
        Slip::None => {}
        Slip::OneOf(kind) => {
            let has_kind = |word: &String| kind.contains(&word.as_str());
            let places: Vec<usize> = (0..said.len()).filter(|&i| has_kind(&said[i])).collect();
            let place = *places.get(rng.below(places.len()))?;
            let others: Vec<_> = kind.iter().filter(|other| **other != said[place]).collect();
            heard[place] = (*others[rng.below(others.len())]).to_owned();
        }
        Slip::Dropped => {
            heard.remove(rng.below(said.len()));
        }
        Slip::Added => {
            let all: Vec<&str> = [&FILES[..], &RANKS[..], &PIECES[..]].concat();
            let word = all[rng.below(all.len())].to_owned();
            heard.insert(rng.below(said.len() + 1), word);
        }
    }
    Some(heard)
}

/// Numbers that look like chance and are the same in every run.
struct Rng(u64);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

fn plies(file: &str) -> Vec<(Chess, Move)> {
    let text = fs::File::open(file).expect(file);
    let mut plies = Vec::new();
    Reader::new(text)
        .visit_all_games(&mut Plies(&mut plies))
        .expect(file);
    plies
}

struct Plies<'a>(&'a mut Vec<(Chess, Move)>);

impl Visitor for Plies<'_> {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, _: &mut Chess, name: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        match name {
            b"FEN" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn begin_movetext(&mut self, position: Chess) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(position)
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        let Ok(played) = san.san.to_move(position) else {
            return ControlFlow::Break(());
        };
        self.0.push((position.clone(), played));
        position.play_unchecked(played);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) {}
}
