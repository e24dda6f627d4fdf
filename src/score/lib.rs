//! Game scores: what each player recorded (Article 8, D.2.7).
//!
//! This crate reads scores as people wrote them, writes them (PGN, list, page, Braille, sound), and
//! settles two that differ ([`discrepancy`]). The player's score and the opponent's are never
//! mixed. What the program itself observed is separate and belongs to the journal.
//!
//! ```
//! use annexd_score::discrepancy::{ByOwner, Case, Verdict, reconcile};
//! use annexd_score::read_score;
//!
//! // One sheet in English and one in German letters. They differ at Black's third move.
//! // `None`: guess the letters; 1: the first game.
//! let player = read_score("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", None, 1)?.score;
//! let opponent = read_score("1. e4 e5 2. Sf3 Sc6 3. Lb5 Sf6", None, 1)?.score;
//! assert_eq!(player.entries().len(), 6);
//!
//! // The game goes back to the position after White's third move (D.2.9).
//! let report = reconcile(&Case {
//!     scores: ByOwner { player: &player, opponent: &opponent },
//!     boards: ByOwner::default(),
//!     start: None,
//!     clock_log: &[],
//! });
//! assert_eq!(report.verdict, Verdict::GoBack);
//! assert_eq!(report.agreed_ply, 5);
//! assert!(report.position.fen.starts_with("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b"));
//! # Ok::<(), annexd_score::ReadScoreError>(())
//! ```

// No input may end a game. So nothing here panics on purpose, except where data of the program
// itself is wrong, and nothing indexes a place that may not exist.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

pub mod discrepancy;

mod bracketed;
mod braille;
mod braille_moves;
mod braille_page;
mod clock_times;
mod columns;
mod date;
mod decode;
mod diagram;
mod digest;
mod draw_words;
mod english;
mod entry;
mod file_kind;
mod games_in;
mod in_words;
mod json_in;
mod kept;
mod letters;
mod list_in;
mod list_out;
mod marks;
mod marks_in_words;
mod notated;
mod page;
mod pairs;
mod pgn_in;
mod pgn_out;
mod places;
mod read_score;
mod refusal;
mod result_words;
mod scan;
mod sheet;
mod sheet_html;
mod sheet_in;
mod sheet_words;
mod source;
mod spaced;
mod standing;
mod template;
mod transcribe;
mod wave;
mod written;

pub use braille::{BrailleCode, ParseBrailleCodeError, braille_games, text_to_braille, to_braille};
pub use braille_page::{BrailleForm, BraillePage, embossed};
pub use decode::decoded;
pub use entry::{Entry, Provenance, SheetPlace};
pub use file_kind::{FileKind, is_json, kind_of_file};
pub use json_in::{ReadJsonError, from_json};
pub use kept::{KeepError, Score, Signature};
pub use letters::{Letters, ParseLettersError};
pub use list_out::{to_list, to_shown_list, to_worded_list};
pub use marks::marks_in_words;
pub use notated::{Notated, NotatedMove, PartialSquare};
pub use page::{PageError, at_end, read_page};
pub use pgn_out::to_pgn;
pub use places::{NamedEntry, NamedRun, ParsePlaceError};
pub use read_score::{
    MOST_BYTES, MOST_ENTRIES, MOST_PGN_BYTES, ReadNote, ReadNoteKind, ReadScore, ReadScoreError,
    ReadScoreErrorKind,
};
pub use sheet_html::to_html;
pub use sheet_in::{read_score, read_score_from, signed_scores};
pub use sheet_words::{Answers, EntryWords, SheetWords};
pub use standing::{Meaning, Standing, Step};
pub use template::{Part, Template};
pub use wave::{Cue, to_wave};
pub use written::is_joining;
pub use written::{read_move, write_move};
