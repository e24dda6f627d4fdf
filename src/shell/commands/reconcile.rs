//! `annexd reconcile`.

mod clock_log;

use crate::shell::error::{ErrorKind, Result, Sentence, error, sentence};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shakmaty::fen::Fen;
use shakmaty::{Board, Color, Setup};

use self::clock_log::{Belonging, ClockLog, Confirmed};
use super::games_folder::GamesFolder;
use crate::discrepancy::{
    ByOwner, Case, ClockTimes, Owner, ReconcileReport, Verdict, read_placement, reconcile,
};
use crate::laws::{NotAPosition, position_of};
use crate::phrases::{SentenceKey, in_english, verdict};
use crate::score::{Letters, ReadScore, Score, Standing};
use crate::shell::config::{data, language};
use crate::shell::record::format::EXTENSION;
use crate::shell::record::kept_score::kept_score;
use crate::shell::score_files::{
    bytes_of, is_standard_input, only_game, read_bytes_from, read_file, read_file_from,
};
use crate::show;

/// The description of `--json`. These field names stay stable.
const JSON_HELP: &str = "\
--json prints one object:
  verdict: same, shorter, correct_board, go_back, illegal_move or ambiguous.
  agreed_ply: the ply of the last agreement, counted from 0: 0 is the starting position, 1 the
    position after White's first move. Of scores that differ only in length it is the last ply that
    both record. When ambiguous, the last ply on which all explanations agree.
  ply: the ply at which the game stands, or to which it goes back; it is later than agreed_ply only
    where one score is shorter.
  entries: how many entries the scores of player and opponent have.
  shorter: player or opponent, whose score ends before the other, or null.
  differing: for player and opponent the first entry that differs (entry, counted from 0, and
    written), or null.
  position: fen, turn, occurrences (for 9.2), halfmove_clock (for 9.3) and move_number at ply.
  open_offer: white or black, whose draw offer was open there, or null.
  offer_only_of: player or opponent, whose score alone has that offer, or null.
  lone_offers: every draw offer that one score alone has, each with ply, counted from 0, and owner,
    where both record one game.
  clocks: ply, white_ms and black_ms, the times logged or noted last at or before ply, or null;
    what the clocks would be set to if play goes back.
  boards: for player and opponent what to do at the board, in this order, or null if it was not
    given; each with do (remove, move or place), piece, from and to.
  faults: what is wrong in a score without making the two differ, each with owner, entry, ply and
    kind (missing, doubled, extra, transposed, columns, later_page, other_order, unreadable, blank,
    incomplete, wrong_origin, other_origin, other_move, not_legal); of columns also until, the entry
    from which they are right again, if they are.
  alternatives: the explanations that remain when ambiguous, each with verdict, agreed_ply, ply,
    fen, faults, entries: what the scores have where it supposes something (ply, counted from 0,
    player and opponent, each with entry and written, or null; extra: true if it stands before the
    entry of that ply and is none), squares: where its position differs from the first one's of
    the same ply (square, first, here),
    open_offer and clocks there, and positions: how many it leaves open because nobody can tell
    which moves were played; fen is one of them.
  decided_by_boards: true if the boards decided what the scores leave open.
  boards_alike: true if both boards were given and show the same position. If the scores differ
    (go_back, ambiguous), D.2.9 then asks for no correction, and play can go on if the position is
    accepted; if they agree on another one, both boards are corrected to them (correct_board), or
    both recorded an illegal move (illegal_move). boards_follow: whose scores lead to that position.
  results: for player and opponent the result, if the scores name different ones, or null.
  edition: the edition of the Laws. article: its article on which the verdict rests.
  clocks_if_necessary: whether it has the clocks set only if necessary when play goes back.
  paragraph: the verdict in words.
  clock_log: of the log that --clock-log names, belongs (false if its moves are not those of a
    score, entry for entry, or of the game that both record with faults, to ply or to its own end)
    and agreed_ply, to which they are; beyond it no times are proposed. null without one.
  notes: what was uncertain when the scores were read, also printed to standard error.";

/// Compares two scores and the boards, and says what D.2.9 asks for.
///
/// Exit status: 0 if there is no difference, 1 if a board has to be corrected, play goes back, an
/// illegal move was recorded or the scores are ambiguous; 2 and more for errors.
#[derive(clap::Args)]
#[command(after_long_help = JSON_HELP)]
pub(crate) struct Arguments {
    /// The blind player's score: PGN, JSON, Braille of ours or a list of moves; or a kept game by
    /// its name or file, of which it is the sheet that was handed in for him, or what he recorded;
    /// `-` is the standard input, for one of the two.
    #[arg(long, value_name = "FILE|GAME")]
    player: PathBuf,
    /// The opponent's score, in the same ways.
    #[arg(long, value_name = "FILE|GAME")]
    opponent: PathBuf,
    /// What the blind player's board shows: FEN or its first field.
    #[arg(long, value_name = "PLACEMENT")]
    player_board: Option<String>,
    /// What the opponent's board shows.
    #[arg(long, value_name = "PLACEMENT")]
    opponent_board: Option<String>,
    /// The starting position, if it is another than the player's score says.
    #[arg(long, value_name = "FEN")]
    initial: Option<String>,
    /// A kept game by its name or file, or a score with clock times; they come before those in the
    /// two scores. Where its moves are not those of a score, entry for entry up to the return
    /// point, nor of the game that both record with faults, that is said, and no times are
    /// proposed.
    #[arg(long, value_name = "GAME")]
    clock_log: Option<PathBuf>,
    /// The letters of the player's score; without it they are found out.
    #[arg(long, value_name = "LETTERS")]
    player_letters: Option<Letters>,
    /// The letters of the opponent's score.
    #[arg(long, value_name = "LETTERS")]
    opponent_letters: Option<Letters>,
    /// Which game of a PGN file is the player's score, counted from 1; without it the first, which
    /// is said.
    #[arg(long, value_name = "NUMBER")]
    player_game: Option<NonZeroUsize>,
    /// Which game of a PGN file is the opponent's score.
    #[arg(long, value_name = "NUMBER")]
    opponent_game: Option<NonZeroUsize>,
    /// Which game of a PGN file has the clock times.
    #[arg(long, value_name = "NUMBER", requires = "clock_log")]
    clock_log_game: Option<NonZeroUsize>,
    /// The edition whose articles and rule on the clocks hold: 2001, 2009, 2014, 2017-07, 2018
    /// or 2023.
    #[arg(long, default_value = "2023")]
    edition: crate::laws::Edition,
    /// The language of the paragraph, as its folder in grammar is called; usually that of your
    /// settings or your system.
    #[arg(long)]
    language: Option<String>,
    /// Prints one JSON object instead of the paragraph.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GamesFolder,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the answer is what was asked for")]
#[expect(
    clippy::print_stderr,
    reason = "what is uncertain must be said beside the answer"
)]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let words = arguments.language.as_deref().map(data::language);
    let words = words.transpose()?;
    let (player, opponent, start) = arguments.scores()?;
    arguments.refuse_start(&player, &opponent, start.as_ref())?;
    let mut notes = arguments.notes(&player, &opponent, start.as_ref());
    let clock_log = arguments.clock_log(&mut notes)?;
    let scores = ByOwner {
        player: &player.score,
        opponent: &opponent.score,
    };
    let boards = ByOwner {
        player: board("--player-board", arguments.player_board.as_deref())?,
        opponent: board("--opponent-board", arguments.opponent_board.as_deref())?,
    };
    let compared = |clock_log: &[ClockTimes]| {
        reconcile(&Case {
            scores: ByOwner { ..scores },
            boards: boards.clone(),
            start: start.clone(),
            clock_log,
        })
    };
    let mut report = compared(&[]);
    let belonging = clock_log
        .as_ref()
        .map(|log| log.belonging(&scores, start.as_ref(), &report));
    if let (Some(log), Some(belonging)) = (&clock_log, belonging) {
        if belonging.belongs {
            report = compared(&log.times);
        }
        let confirmed = log.confirmed(&scores, start.as_ref(), &report);
        let why = belonging.keep_times(&confirmed, &mut report, &arguments);
        notes.extend(why);
    }
    let verdict = verdict(&report, arguments.edition.rules(), 1);
    let paragraph = match words.as_ref().or_else(|| language::language()) {
        Some(words) => words.paragraph(&verdict),
        None => in_english(&verdict),
    };
    for note in &notes {
        // A paragraph already states the results.
        if arguments.json || note.key != SentenceKey::NoteResultsDiffer {
            eprintln!("annexd: {}", language::text(note));
        }
    }
    if arguments.json {
        let about = About {
            edition: arguments.edition,
            paragraph: &paragraph,
            notes: &notes,
            clock_log: belonging,
        };
        println!("{}", json(&report, &about)?);
    } else {
        show!("{paragraph}");
    }
    Ok(match report.verdict {
        Verdict::Same | Verdict::Shorter => ExitCode::SUCCESS,
        _ => ExitCode::from(ErrorKind::Negative.exit_status()),
    })
}

impl Belonging {
    /// Removes times that do not belong to their positions. Returns why none are left.
    fn keep_times(
        self,
        confirmed: &Confirmed,
        report: &mut ReconcileReport,
        arguments: &Arguments,
    ) -> Option<Sentence> {
        let path = arguments.clock_log.as_ref()?.display();
        let (plies, ply) = (self.agreed_ply, report.ply);
        let behind = |path| sentence!(NoteLogBehind, path = path, plies = plies, ply = ply);
        if self.belongs {
            return confirmed.keep_only_in(report).then(|| behind(path));
        }
        // A named log is meant to give its times, and others would be taken for them.
        report.clocks = None;
        for alternative in &mut report.alternatives {
            alternative.clocks = None;
        }
        Some(if self.is_of_this_game {
            behind(path)
        } else {
            sentence!(NoteOtherLog, path = path, plies = plies)
        })
    }
}

impl Arguments {
    /// Both scores, and their starting position if it is given separately.
    fn scores(&self) -> Result<(ReadScore, ReadScore, Option<Setup>)> {
        let both = [&self.player, &self.opponent];
        let all = both.into_iter().chain(&self.clock_log);
        if all.filter(|path| is_standard_input(path)).count() > 1 {
            return Err(error!(Usage, OneInput));
        }
        let piped = both.into_iter().find(|path| is_passing(path));
        let piped = piped.map(|path| bytes_of(path)).transpose();
        let piped = piped.map_err(|error| error!(BadInput, NoScore, path = "-", why = error))?;
        let start = start(self.initial.as_deref())?;
        let read = |start: Option<&Setup>| {
            let piped = piped.as_deref();
            let player = self.score_of(Owner::Player, start, piped)?;
            let opponent = self.score_of(Owner::Opponent, start, piped)?;
            Ok((player, opponent))
        };
        let (player, opponent) = read(start.as_ref())?;
        let named = [&player.score, &opponent.score].map(|score| score.start_fen().is_some());
        if start.is_none() && named.contains(&true) {
            // If only one score names a starting position, it applies to both.
            let whose = if named[0] { &player } else { &opponent };
            let start = Some(whose.score.start());
            let (player, opponent) = read(start.as_ref())?;
            return Ok((player, opponent, start));
        }
        Ok((player, opponent, start))
    }

    /// Refuses a start from which no move can be judged, because everything after it would be
    /// called illegal.
    fn refuse_start(
        &self,
        player: &ReadScore,
        opponent: &ReadScore,
        start: Option<&Setup>,
    ) -> Result<()> {
        let of_player = player.score.start();
        let taken = start.unwrap_or(&of_player);
        let Err(why) = position_of(taken) else {
            return Ok(());
        };
        let why = no_position(taken, why);
        if let Some(text) = &self.initial {
            return Err(error!(Usage, InitialNoStart, text = text, why = why));
        }
        let scores = [(&self.player, player), (&self.opponent, opponent)];
        let mut of_them = scores.into_iter();
        let named = of_them.find(|(_, read)| read.score.start() == *taken);
        let path = named.map_or(&self.player, |(path, _)| path).display();
        Err(error!(BadInput, ScoreNoStart, path = path, why = why))
    }

    /// The remarks about both scores.
    fn notes(
        &self,
        player: &ReadScore,
        opponent: &ReadScore,
        start: Option<&Setup>,
    ) -> Vec<Sentence> {
        let mut notes = Vec::new();
        for (path, read, option, choice) in [
            (
                &self.player,
                player,
                "--player-letters",
                self.player_game.is_none().then_some("--player-game"),
            ),
            (
                &self.opponent,
                opponent,
                "--opponent-letters",
                self.opponent_game.is_none().then_some("--opponent-game"),
            ),
        ] {
            let lines = remarks(read, option, choice).into_iter();
            let of_file = |line| sentence!(NoteOfFile, path = path.display(), what = line);
            notes.extend(lines.map(of_file));
        }
        notes.extend(other_starts(self, [&player.score, &opponent.score], start));
        if let (Some(one), Some(other)) = (player.score.result(), opponent.score.result())
            && one != other
        {
            notes.push(sentence!(
                NoteResultsDiffer,
                player = one.to_string(),
                opponent = other.to_string()
            ));
        }
        notes
    }

    /// The clock log, if one is named. Of several games the first is taken, which is noted.
    fn clock_log(&self, notes: &mut Vec<Sentence>) -> Result<Option<ClockLog>> {
        let Some(path) = &self.clock_log else {
            return Ok(None);
        };
        if is_kept_game(path) {
            let (_, replayed) = self.games.game_or_file(path)?;
            only_game(path, self.clock_log_game)?;
            return Ok(Some(ClockLog::of_game(&replayed.game)));
        }
        let read = read_file(path, None, self.clock_log_game)?;
        if self.clock_log_game.is_none() && read.games > 1 {
            let option = "--clock-log-game";
            let several = sentence!(NoteSeveralGames, games = read.games, option = option);
            notes.push(sentence!(NoteOfFile, path = path.display(), what = several));
        }
        Ok(Some(ClockLog::of_score(read.score)))
    }

    /// The score in a file, or what a player of a kept game has handed in or recorded. `piped` is
    /// the content of a pipe, which cannot be read again.
    fn score_of(
        &self,
        owner: Owner,
        start: Option<&Setup>,
        piped: Option<&[u8]>,
    ) -> Result<ReadScore> {
        let (path, letters, number) = match owner {
            Owner::Player => (&self.player, self.player_letters, self.player_game),
            Owner::Opponent => (&self.opponent, self.opponent_letters, self.opponent_game),
        };
        if !is_kept_game(path) {
            return match piped.filter(|_| is_passing(path)) {
                Some(bytes) => read_bytes_from(path, bytes, letters, number, start),
                None => read_file_from(path, letters, number, start),
            };
        }
        let (record, replayed) = self.games.game_or_file(path)?;
        only_game(path, number)?;
        let game = &replayed.game;
        let side = game.side_of_owner(owner);
        let handed_in = game.handed_in_score(side).cloned();
        let score = handed_in.unwrap_or_else(|| kept_score(game, &record.entries, side));
        Ok(as_it_is(score, letters))
    }
}

/// Whether a score comes through a pipe.
fn is_passing(path: &Path) -> bool {
    is_standard_input(path) || path.exists() && !path.is_dir() && !path.is_file()
}

/// A score that needs no reading.
fn as_it_is(score: Score, letters: Option<Letters>) -> ReadScore {
    ReadScore {
        score,
        letters: letters.unwrap_or(Letters::English),
        other_letters: Vec::new(),
        notes: Vec::new(),
        games: 1,
    }
}

/// The remarks about how a score was read. `option` names the option for its letters, `choice` the
/// one that chooses among several games, if nobody has chosen.
pub(super) fn remarks(read: &ReadScore, option: &str, choice: Option<&str>) -> Vec<Sentence> {
    let several = choice.filter(|_| read.games > 1);
    let several =
        several.map(|choice| sentence!(NoteSeveralGames, games = read.games, option = choice));
    let mut lines: Vec<Sentence> = several.into_iter().collect();
    let notes = read
        .notes
        .iter()
        .map(|note| sentence!(NoteLine, line = note.line, why = note.kind));
    lines.extend(notes);
    if !read.other_letters.is_empty() {
        lines.push(sentence!(
            NoteLetters,
            letters = read.letters,
            others = read.other_letters,
            option = option
        ));
    }
    lines
}

fn board(option: &str, placement: Option<&str>) -> Result<Option<Board>> {
    placement
        .map(|text| {
            read_placement(text).map_err(|error| {
                error!(
                    Usage,
                    OptionWrong,
                    option = option,
                    text = text,
                    why = error
                )
            })
        })
        .transpose()
}

fn start(fen: Option<&str>) -> Result<Option<Setup>> {
    fen.map(|text| {
        text.parse::<Fen>()
            .map(Fen::into_setup)
            .map_err(|error| error!(Usage, InitialWrong, text = text, why = error))
    })
    .transpose()
}

/// Why no move can be judged from a position.
fn no_position(setup: &Setup, why: NotAPosition) -> Sentence {
    let kings = |side: Color| setup.board.by_piece(side.king()).count();
    match why {
        NotAPosition::Kings => {
            let mut sides = Color::ALL.into_iter().filter(|side| kings(*side) != 1);
            let of_side = |side: Color| match kings(side) {
                0 => sentence!(StartNoKing, side = side),
                count => sentence!(StartKings, side = side, count = count),
            };
            match (sides.next(), sides.next()) {
                (Some(one), Some(_)) if kings(one) == 0 && kings(!one) == 0 => {
                    sentence!(StartNoKings)
                }
                (one, _) => of_side(one.unwrap_or(setup.turn)),
            }
        }
        NotAPosition::PawnOnLastRank => sentence!(StartPawn),
        NotAPosition::OppositeCheck => sentence!(StartCheck, side = !setup.turn),
        NotAPosition::Other => sentence!(StartOther),
    }
}

/// Whether this names a kept game rather than a score in a file or pipe.
fn is_kept_game(path: &Path) -> bool {
    let is_there = is_standard_input(path) || path.exists() && !path.is_dir();
    !is_there || path.extension().is_some_and(|ending| ending == EXTENSION)
}

/// The remark that two scores name two starting positions, or another than was given, and are
/// compared from one.
fn other_starts(
    arguments: &Arguments,
    scores: [&Score; 2],
    taken: Option<&Setup>,
) -> Vec<Sentence> {
    let [player, opponent] = scores.map(Score::start);
    let Some(taken) = taken else {
        return Vec::new();
    };
    let whose = match arguments.initial {
        Some(_) => sentence!(AsItIs, text = "--initial"),
        None => sentence!(PlayersScore),
    };
    let fen = |setup: &Setup| Standing::of(setup.clone()).fen();
    let starts = [(&arguments.player, player), (&arguments.opponent, opponent)];
    let others = starts.into_iter().filter(|(_, setup)| setup != taken);
    others
        .map(|(path, setup)| {
            sentence!(
                NoteOtherStart,
                path = path.display(),
                start = fen(&setup),
                whose = whose,
                taken = fen(taken)
            )
        })
        .collect()
}

/// What is said beside a report.
struct About<'a> {
    edition: crate::laws::Edition,
    paragraph: &'a str,
    notes: &'a [Sentence],
    clock_log: Option<Belonging>,
}

fn json(report: &ReconcileReport, about: &About<'_>) -> Result<String> {
    let wrong = |error: serde_json::Error| error!(BadInput, AsItIs, text = error.to_string());
    let mut object = serde_json::to_value(report).map_err(wrong)?;
    if let Some(object) = object.as_object_mut() {
        let rules = about.edition.rules();
        let article = rules.cite(report.verdict.clause());
        object.insert("edition".to_owned(), about.edition.to_string().into());
        object.insert("article".to_owned(), article.into());
        let is_if_necessary = rules.recording.clocks_back_if_necessary;
        object.insert("clocks_if_necessary".to_owned(), is_if_necessary.into());
        object.insert("paragraph".to_owned(), about.paragraph.into());
        let notes: Vec<String> = about.notes.iter().map(ToString::to_string).collect();
        object.insert("notes".to_owned(), notes.into());
        let clock_log = serde_json::to_value(about.clock_log).map_err(wrong)?;
        object.insert("clock_log".to_owned(), clock_log);
    }
    serde_json::to_string(&object).map_err(wrong)
}
