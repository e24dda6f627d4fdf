//! The verdict on two scores as a paragraph that can be read to both players (D.2.9), in sentences
//! of `grammar/<language>/verdict.toml`.

use std::time::Duration;

use shakmaty::{Color, Piece, Role};

use super::language::figures_of;
use super::{Sentence, SentenceKey as Key, Value};
use annexd_laws::Rules;
use annexd_score::discrepancy::{
    Alternative, ByOwner, ClockTimes, Concerned, Correction, DifferingEntry, FaultKind, Owner,
    ReconcileReport, SheetFault, Verdict,
};

/// The greatest number of explanations that are read out.
const MOST_WAYS: usize = 6;

/// The greatest number of entries of an explanation, or of draw offers, that are read out.
const MOST_ENTRIES: usize = 6;

/// Returns the whole verdict, with the article and the rule on clocks of an edition.
///
/// The explanations are numbered from `first` on. In a game an explanation has the number of its
/// proposal, so that the arbiter can type what he hears.
pub fn verdict(report: &ReconcileReport, rules: &Rules, first: usize) -> Vec<Sentence> {
    let article = rules.cite(report.verdict.clause());
    let mut sentences = what_it_comes_to(report, &article, first);
    sentences.extend(boards_alike(report, rules));
    sentences.extend(faults(report));
    sentences.extend(boards(report));
    if let Some(of) = report.open_offer {
        sentences.push(offer(of, report.offer_only_of));
    }
    sentences.extend(lone_offers(report));
    match (report.verdict, report.clocks) {
        (Verdict::GoBack | Verdict::IllegalMove, Some(shown)) => {
            sentences.push(times(shown));
            if report.verdict == Verdict::GoBack && rules.recording.clocks_back_if_necessary {
                sentences.push(Key::VerdictClocksIfNecessary.into());
            }
        }
        (Verdict::CorrectBoard, _) => sentences.push(Key::VerdictClocksStay.into()),
        _ => {}
    }
    if let Some(results) = &report.results {
        let [one, two] = [results.player, results.opponent].map(|it| it.to_string());
        let differ = Sentence::new(Key::VerdictResultsDiffer);
        sentences.push(differ.with("one", one).with("two", two));
    }
    if !matches!(report.verdict, Verdict::Same | Verdict::Shorter) {
        let arbiter = Sentence::new(Key::VerdictArbiter).with("article", article);
        sentences.push(arbiter.with("edition", rules.edition.to_string()));
    }
    sentences
}

/// Returns one explanation by its index. The first one has the number `first`.
pub fn explanation(report: &ReconcileReport, index: usize, first: usize) -> Vec<Sentence> {
    let Some(way) = report.alternatives.get(index) else {
        return Vec::new();
    };
    let key = match way.verdict {
        Verdict::GoBack => Key::VerdictWayBack,
        Verdict::IllegalMove => Key::VerdictWayIllegal,
        _ => Key::VerdictWaySame,
    };
    let number = first + index;
    let is = Sentence::new(key).with("number", number);
    let mut sentences = vec![is.with("where", after(report, way.ply))];
    sentences.extend(each_fault(report, &way.faults));
    sentences.extend(entries(report, &way.entries));
    if way.positions > 1 {
        let open = Sentence::new(Key::VerdictWayPositions).with("number", number);
        sentences.push(open.with("positions", way.positions));
    } else {
        sentences.extend(way_squares(number, first, way));
    }
    sentences
}

fn what_it_comes_to(report: &ReconcileReport, article: &str, first: usize) -> Vec<Sentence> {
    let [one, two] = differing(report);
    let is_one_shape = matches!(report.alternatives.as_slice(), [way] if way.positions > 1);
    // The number of its faults is not what makes such a difference uncertain.
    let is_uncertain = report.is_believed()
        && matches!(report.alternatives.as_slice(), [way] if way.verdict == Verdict::GoBack);
    let key = match report.verdict {
        Verdict::Same => Key::VerdictSame,
        Verdict::Shorter => Key::VerdictShorter,
        Verdict::CorrectBoard if report.shorter.is_some() => Key::VerdictShorter,
        Verdict::CorrectBoard => Key::VerdictCorrectBoard,
        Verdict::GoBack if report.agreed_ply == 0 => Key::VerdictGoBackToStart,
        Verdict::GoBack => Key::VerdictGoBack,
        Verdict::IllegalMove => Key::VerdictIllegalMove,
        Verdict::Ambiguous if is_one_shape => Key::VerdictMovesOpen,
        Verdict::Ambiguous if is_uncertain => Key::VerdictUncertain,
        Verdict::Ambiguous if report.alternatives.len() == 1 => Key::VerdictDoubtful,
        Verdict::Ambiguous if report.alternatives.is_empty() => Key::VerdictUnexplained,
        Verdict::Ambiguous => Key::VerdictAmbiguous,
    };
    let mut is = Sentence::new(key)
        .with("where", after(report, report.ply))
        .with("side", side(report.position.turn))
        .with("one", one)
        .with("two", two)
        .with("number", report.alternatives.len())
        .with("article", article);
    if let Some(owner) = report.shorter {
        is = is.with("whose", score(owner));
    }
    let mut sentences = vec![is];
    if report.verdict == Verdict::CorrectBoard && report.shorter.is_some() {
        sentences.push(Key::VerdictBoardByScores.into());
    }
    if let (Verdict::Ambiguous, true, Some(differing)) = (
        report.verdict,
        report.alternatives.is_empty(),
        &report.differing,
    ) {
        let concerned = Concerned {
            ply: report.ply,
            entries: differing.clone(),
            extra: false,
        };
        sentences.extend(entries(report, &[concerned]));
    }
    let ways = report.alternatives.len();
    let told = ways.min(MOST_WAYS);
    sentences.extend((0..told).flat_map(|index| explanation(report, index, first)));
    if ways > told {
        sentences.push(Sentence::new(Key::VerdictMoreWays).with("number", ways - told));
    }
    if report.decided_by_boards {
        sentences.push(Key::VerdictByBoards.into());
    }
    sentences
}

/// Says that boards with the same position need no correction, if the scores differ.
fn boards_alike(report: &ReconcileReport, rules: &Rules) -> Option<Sentence> {
    if !report.needs_no_correction() {
        return None;
    }
    let alike = match report.boards_follow.as_slice() {
        [owner] => Sentence::new(Key::VerdictBoardsAlikeBy).with("whose", score(*owner)),
        _ => Key::VerdictBoardsAlike.into(),
    };
    Some(alike.with("article", rules.cite(Verdict::GoBack.clause())))
}

/// Returns the entries of each score at which an explanation assumes something.
fn entries(report: &ReconcileReport, entries: &[Concerned]) -> Option<Sentence> {
    let named = entries.iter().take(MOST_ENTRIES).map(|concerned| {
        let ByOwner { player, opponent } = &concerned.entries;
        let [one, two] = [player, opponent].map(told);
        let (key, owner, either) = match (concerned.extra, player) {
            (false, _) => (Key::VerdictWayEntry, Owner::Player, &one),
            (true, Some(_)) => (Key::VerdictWayExtra, Owner::Player, &one),
            (true, None) => (Key::VerdictWayExtra, Owner::Opponent, &two),
        };
        Sentence::new(key)
            .with("where", after(report, concerned.ply + 1))
            .with("in", in_score(owner))
            .with("move", either.clone())
            .with("one", one)
            .with("two", two)
    });
    let list = named.reduce(|before, next| {
        let both = Sentence::new(Key::VerdictTwoEntries).with("before", before);
        both.with("after", next)
    })?;
    Some(Sentence::new(Key::VerdictWayEntries).with("list", list))
}

/// Returns the draw offers that only one score has. That of the last move is reported as the open
/// one.
fn lone_offers(report: &ReconcileReport) -> impl Iterator<Item = Sentence> {
    let is_told = |ply: usize| report.open_offer.is_some() && ply + 1 == report.ply;
    let offers = report.lone_offers.iter().filter(move |it| !is_told(it.ply));
    offers.take(MOST_ENTRIES).map(|offer| {
        Sentence::new(Key::VerdictOfferInOne)
            .with("where", after(report, offer.ply + 1))
            .with("in", in_score(offer.owner))
    })
}

/// Says where the position of an explanation differs from that of the first.
fn way_squares(number: usize, first: usize, way: &Alternative) -> Option<Sentence> {
    let on_it = |it: Option<Piece>| it.map_or(Key::VerdictNothing.into(), piece);
    let squares = way.squares.iter().map(|differing| {
        Sentence::new(Key::VerdictWaySquare)
            .with("where", differing.square.to_string())
            .with("one", on_it(differing.here))
            .with("two", on_it(differing.first))
    });
    let list: Vec<Value> = squares.map(Value::from).collect();
    (!list.is_empty()).then(|| {
        Sentence::new(Key::VerdictWaySquares)
            .with("number", number)
            .with("first", first)
            .with("list", Value::List(list))
    })
}

fn faults(report: &ReconcileReport) -> Vec<Sentence> {
    let mut sentences = each_fault(report, &report.faults);
    let is_over = |fault: &SheetFault| {
        let is_whole = matches!(fault.kind, FaultKind::Columns | FaultKind::LaterPage);
        // Entries after the end of one score agree with nothing.
        fault.ply + 1 < report.agreed_ply && !is_whole
    };
    let goes_on = report.faults.iter().all(is_over);
    if !sentences.is_empty() && goes_on && report.verdict != Verdict::GoBack {
        sentences.push(match report.shorter {
            None => Key::VerdictAgreesAgain.into(),
            Some(owner) => Sentence::new(Key::VerdictAgreesUntilEnd)
                .with("where", after(report, report.agreed_ply))
                .with("whose", score(owner)),
        });
    }
    sentences
}

/// Returns a sentence for each fault. Consecutive faults of one kind share a sentence.
fn each_fault(report: &ReconcileReport, faults: &[SheetFault]) -> Vec<Sentence> {
    let runs = runs(faults);
    let runs = runs.iter();
    runs.map(|(first, last, count)| match count {
        1 => fault(report, first),
        _ => run(report, first, last, *count),
    })
    .collect()
}

/// Returns a sentence for consecutive faults of one kind in one score.
fn run(report: &ReconcileReport, first: &SheetFault, last: &SheetFault, count: usize) -> Sentence {
    let key = match first.kind {
        FaultKind::Missing => Key::VerdictMissingRun,
        FaultKind::Doubled => Key::VerdictDoubledRun,
        FaultKind::Extra => Key::VerdictExtraRun,
        FaultKind::Unreadable => Key::VerdictUnreadableRun,
        _ => Key::VerdictBlankRun,
    };
    let which = if count == 2 {
        Key::VerdictPair
    } else {
        Key::VerdictSpan
    };
    let ends = |key| {
        Sentence::new(key)
            .with("where", after(report, first.ply + 1))
            .with("until", after(report, last.ply + 1))
    };
    ends(key)
        .with("in", in_score(first.owner))
        .with("which", ends(which))
        .with("number", count)
}

fn fault(report: &ReconcileReport, fault: &SheetFault) -> Sentence {
    let key = match fault.kind {
        FaultKind::Missing => Key::VerdictMissing,
        FaultKind::Doubled => Key::VerdictDoubled,
        FaultKind::Transposed => Key::VerdictTransposed,
        FaultKind::Columns if fault.until.is_some() => Key::VerdictColumnsUntil,
        FaultKind::Columns => Key::VerdictColumns,
        FaultKind::LaterPage => Key::VerdictLaterPage,
        FaultKind::OtherOrder => Key::VerdictOtherOrder,
        FaultKind::Unreadable => Key::VerdictUnreadable,
        FaultKind::Blank => Key::VerdictBlank,
        FaultKind::Incomplete => Key::VerdictIncomplete,
        FaultKind::WrongOrigin => Key::VerdictWrongOrigin,
        FaultKind::OtherOrigin => Key::VerdictOtherOrigin,
        FaultKind::Extra => Key::VerdictExtra,
        FaultKind::OtherMove => Key::VerdictOtherMove,
        FaultKind::NotLegal => Key::VerdictNotLegal,
    };
    let is = Sentence::new(key)
        .with("in", in_score(fault.owner))
        .with("where", after(report, fault.ply + 1));
    match fault.until {
        Some(until) => {
            let last = fault.ply + until.saturating_sub(fault.entry);
            is.with("until", after(report, last))
        }
        None => is,
    }
}

fn boards(report: &ReconcileReport) -> Vec<Sentence> {
    if matches!(
        report.verdict,
        Verdict::Same | Verdict::Shorter | Verdict::Ambiguous
    ) {
        return Vec::new();
    }
    let steps = Owner::BOTH.into_iter().filter_map(|owner| {
        let corrections = report.boards.get(owner).as_ref()?;
        Some(if corrections.is_empty() {
            let whose = by_owner(owner, [Key::VerdictBoardPlayer, Key::VerdictBoardOpponent]);
            Sentence::new(Key::VerdictBoardRight).with("whose", whose)
        } else {
            let on = by_owner(
                owner,
                [Key::VerdictOnBoardPlayer, Key::VerdictOnBoardOpponent],
            );
            let steps = corrections
                .iter()
                .map(|&correction| step(correction).into());
            Sentence::new(Key::VerdictBoardList)
                .with("on", on)
                .with("list", Value::List(steps.collect()))
        })
    });
    // Boards that need no correction are corrected only by the arbiter's decision.
    let condition = report
        .needs_no_correction()
        .then(|| Key::VerdictBoardsIfBack.into());
    condition.into_iter().chain(steps).collect()
}

/// Says what to do at a board: "white bishop from c4 to b5".
fn step(correction: Correction) -> Sentence {
    let (key, of, from, to) = match correction {
        Correction::Move { piece, from, to } => (Key::VerdictStepMove, piece, Some(from), Some(to)),
        Correction::Remove { piece, from } => (Key::VerdictStepRemove, piece, Some(from), None),
        Correction::Place { piece, to } => (Key::VerdictStepPlace, piece, None, Some(to)),
    };
    let square = |square: Option<shakmaty::Square>| square.map(|it| it.to_string());
    Sentence::new(key)
        .with("piece", piece(of))
        .with("from", square(from).unwrap_or_default())
        .with("to", square(to).unwrap_or_default())
}

fn differing(report: &ReconcileReport) -> [Value; 2] {
    report.differing.as_ref().map_or_else(
        || ["".into(), "".into()],
        |differing| [&differing.player, &differing.opponent].map(told),
    )
}

/// Returns the entry of a score, if there is one: a move as written on the sheet, or in the letters
/// of the language.
fn told(entry: &Option<DifferingEntry>) -> Value {
    match entry {
        None => Sentence::new(Key::VerdictNothing).into(),
        Some(entry) => match &entry.announced {
            Some(announced) => Value::Move(announced.clone()),
            None => Value::Written(entry.written.clone()),
        },
    }
}

fn times(times: ClockTimes) -> Sentence {
    let [white, black] = [times.white_ms, times.black_ms]
        .map(|ms| ms.map_or_else(|| Sentence::new(Key::VerdictUnknownTime).into(), clock));
    Sentence::new(Key::VerdictClocks)
        .with("white", white)
        .with("black", black)
}

/// Names a ply by the number and side of its move. 0 is the starting position.
fn after(report: &ReconcileReport, ply: usize) -> Sentence {
    match report.move_of(ply) {
        None => Key::VerdictWhereStart.into(),
        Some((number, of)) => Sentence::new(Key::VerdictWhereMove)
            .with("number", number.to_string())
            .with("side", side(of)),
    }
}

/// Says which side has an open draw offer, and which score alone has it, if the other has not.
fn offer(by: Color, only_of: Option<Owner>) -> Sentence {
    let offer = match only_of {
        Some(owner) => Sentence::new(Key::VerdictOpenOfferInOne).with("in", in_score(owner)),
        None => Key::VerdictOpenOffer.into(),
    };
    offer.with("side", side(by))
}

fn by_owner(owner: Owner, [player, opponent]: [Key; 2]) -> Sentence {
    match owner {
        Owner::Player => player.into(),
        Owner::Opponent => opponent.into(),
    }
}

fn score(owner: Owner) -> Sentence {
    by_owner(owner, [Key::VerdictScorePlayer, Key::VerdictScoreOpponent])
}

fn in_score(owner: Owner) -> Sentence {
    by_owner(
        owner,
        [Key::VerdictInScorePlayer, Key::VerdictInScoreOpponent],
    )
}

fn side(side: Color) -> Sentence {
    side.fold_wb(Key::VerdictWhite, Key::VerdictBlack).into()
}

/// The name of a piece with its colour, as "white knight".
pub fn piece(piece: Piece) -> Sentence {
    let [white, black] = match piece.role {
        Role::Pawn => [Key::VerdictWhitePawn, Key::VerdictBlackPawn],
        Role::Knight => [Key::VerdictWhiteKnight, Key::VerdictBlackKnight],
        Role::Bishop => [Key::VerdictWhiteBishop, Key::VerdictBlackBishop],
        Role::Rook => [Key::VerdictWhiteRook, Key::VerdictBlackRook],
        Role::Queen => [Key::VerdictWhiteQueen, Key::VerdictBlackQueen],
        Role::King => [Key::VerdictWhiteKing, Key::VerdictBlackKing],
    };
    piece.color.fold_wb(white, black).into()
}

/// Groups the faults: each with the last of its run, and the length of the run.
fn runs(faults: &[SheetFault]) -> Vec<(SheetFault, SheetFault, usize)> {
    let mut runs: Vec<(SheetFault, SheetFault, usize)> = Vec::new();
    for fault in faults {
        let follows = |(_, last, _): &&mut (SheetFault, SheetFault, usize)| {
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

/// Returns the time that a clock showed.
fn clock(ms: u64) -> Value {
    Value::Text(figures_of(Duration::from_millis(ms)))
}
