//! What entries mean and whether they say the same: the oracle's own reading, apart from the
//! program's.

use annexd_score::{Entry, Notated, NotatedMove, PartialSquare, Standing};
use shakmaty::{Move, Position, Role, Square};

/// Placement, turn, rights and en-passant square, without counters.
pub(crate) fn place(standing: &Standing) -> String {
    let fen = standing.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

pub(crate) fn all_moves(standing: &Standing) -> Vec<Move> {
    standing
        .position()
        .map(|position| position.legal_moves().into_iter().collect())
        .unwrap_or_default()
}

/// Whether an entry can mean a move.
pub(crate) fn means(notated: &Notated, played: Move) -> bool {
    match notated {
        Notated::Castling(castling) => played.castling_side() == Some(castling.side),
        Notated::Move(notated) => {
            let to = match played {
                Move::Castle { king, rook } => {
                    let file = if rook > king { 6 } else { 2 };
                    Square::new(u32::from(king) / 8 * 8 + file)
                }
                other => other.to(),
            };
            let whole = notated.to.square().is_some();
            let is_castling = matches!(played, Move::Castle { .. });
            let fits = |part: PartialSquare, square: Square| {
                part.file.is_none_or(|file| file == square.file())
                    && part.rank.is_none_or(|rank| rank == square.rank())
            };
            notated.piece.is_none_or(|role| role == played.role())
                && (!is_castling || whole && played.role() == Role::King)
                && played.from().is_some_and(|from| fits(notated.from, from))
                && (fits(notated.to, to) || begins_with_file(notated, played))
                && (notated.promotion.is_none() || notated.promotion == played.promotion())
        }
        Notated::Unreadable | Notated::Blank => false,
    }
}

/// A file alone can be the first letter of a pawn's capture.
fn begins_with_file(notated: &NotatedMove, played: Move) -> bool {
    let is_bare = notated.to.rank.is_none()
        && notated.from.file.or(notated.to.file).is_some()
        && (notated.from.file, notated.from.rank) == (None, None);
    notated.piece == Some(Role::Pawn)
        && is_bare
        && !notated.capture
        && played.is_capture()
        && played.from().map(Square::file) == notated.to.file
}

pub(crate) fn legible(entry: &Entry) -> bool {
    matches!(entry.notated, Notated::Move(_) | Notated::Castling(_))
}

/// What it costs to take an entry for another move than it says.
pub(crate) fn illegible(entry: &Entry) -> u32 {
    if entry.notated == Notated::Blank {
        1
    } else {
        2
    }
}

/// Whether an entry names this piece and square of arrival, and another piece of the kind.
pub(crate) fn other_piece(entry: &Entry, played: Move) -> bool {
    let (Notated::Move(notated), Some(from)) = (&entry.notated, played.from()) else {
        return false;
    };
    let square = PartialSquare::of(from);
    !matches!(played, Move::Castle { .. })
        && notated.piece == Some(played.role())
        && notated.to == PartialSquare::of(played.to())
        && notated.promotion == played.promotion()
        && (notated
            .from
            .file
            .is_some_and(|file| Some(file) != square.file)
            || notated
                .from
                .rank
                .is_some_and(|rank| Some(rank) != square.rank))
}

/// Whether an entry names, as far as it can be read, the piece and the square of arrival of a move.
pub(crate) fn names(entry: &Entry, played: Move) -> bool {
    let Notated::Move(notated) = &entry.notated else {
        return false;
    };
    let to = played.to();
    notated.piece.is_none_or(|role| role == played.role())
        && notated.to.file.is_none_or(|file| file == to.file())
        && notated.to.rank.is_none_or(|rank| rank == to.rank())
}

/// Whether two entries can be the same move in long and short form.
pub(crate) fn compatible(one: &Entry, other: &Entry) -> bool {
    fn open<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
        one.is_none() || other.is_none() || one == other
    }
    match (&one.notated, &other.notated) {
        (Notated::Castling(one), Notated::Castling(other)) => one.side == other.side,
        (Notated::Move(one), Notated::Move(other)) => {
            open(one.piece, other.piece)
                && open(one.promotion, other.promotion)
                && open(one.from.file, other.from.file)
                && open(one.from.rank, other.from.rank)
                && open(one.to.file, other.to.file)
                && open(one.to.rank, other.to.rank)
        }
        _ => false,
    }
}

pub(crate) fn alike(one: &Entry, other: &Entry) -> bool {
    match (&one.notated, &other.notated) {
        (Notated::Castling(one), Notated::Castling(other)) => one.side == other.side,
        (Notated::Move(one), Notated::Move(other)) => {
            one.piece == other.piece
                && one.from == other.from
                && one.to == other.to
                && one.promotion == other.promotion
        }
        _ => false,
    }
}

/// Whether an entry names only where a pawn arrives, and it can arrive there by a capture only.
pub(crate) fn unsigned(entry: &Entry, meant: &[Move]) -> bool {
    let Notated::Move(notated) = &entry.notated else {
        return false;
    };
    let names_file = notated.from.file.is_some() || notated.from.rank.is_some();
    let captures = meant.iter().filter(|it| it.is_capture()).count();
    notated.piece == Some(Role::Pawn)
        && !notated.capture
        && !names_file
        && captures > 0
        && captures == meant.len()
}

/// An entry that names a square of departure, without it.
pub(crate) fn without_origin(entry: &Entry) -> Option<Notated> {
    let Notated::Move(mut notated) = entry.notated.clone() else {
        return None;
    };
    let origin = std::mem::replace(&mut notated.from, PartialSquare::UNKNOWN);
    let is_whole = notated.to.file.is_some() && notated.to.rank.is_some();
    (is_whole && (origin.file.is_some() || origin.rank.is_some())).then_some(Notated::Move(notated))
}

/// Whether a piece of the mover stands where both entries say that it departs.
pub(crate) fn stands_there(standing: &Standing, entries: [&Entry; 2]) -> bool {
    let [Notated::Move(one), Notated::Move(other)] = entries.map(|entry| &entry.notated) else {
        return true;
    };
    let turn = standing.setup().turn;
    Square::ALL.into_iter().any(|square| {
        let piece = standing.board().piece_at(square);
        piece.is_some_and(|piece| {
            let is_named = one.piece.or(other.piece) == Some(piece.role) && piece.color == turn;
            let says = |part: PartialSquare| {
                part.file.is_none_or(|file| file == square.file())
                    && part.rank.is_none_or(|rank| rank == square.rank())
            };
            is_named && says(one.from) && says(other.from)
        })
    })
}
