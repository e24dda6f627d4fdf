//! A game that began wrongly: the initial position, the board, the colours, and a late arrival
//! (6.7, 7.2, 7.3, A.4.1).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Color, Role};

use super::choices::{DefaultTime, MisplacedCastling, ReversedColours};
use super::draw_offer::MovesMade;
use super::game_type::{GameType, Supervision};
use super::rules::Rules;

/// What was wrong at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongBeginning {
    /// The initial position of the pieces was wrong (7.2.1).
    Array,
    /// The board was placed wrongly, with a dark corner square at the right (7.2.2).
    Orientation,
    /// The colours were reversed (7.3).
    ReversedColours,
}

/// The consequence. The arbiter orders it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BeginningRemedy {
    /// The game is annulled and a new one played.
    NewGame,
    /// The game continues. The position is transferred to a board that is placed correctly.
    Transfer,
    /// The game continues, unless the arbiter rules otherwise.
    ContinueUnlessArbiter,
    /// The game continues as it is. A misplaced king or rook may have lost castling.
    Continue,
}

/// Returns the consequence of a wrong beginning that is noticed after so many completed moves.
pub fn wrong_beginning(
    rules: &Rules,
    game: (GameType, Supervision),
    wrong: WrongBeginning,
    completed: MovesMade,
) -> BeginningRemedy {
    let is_too_late_to_complain = is_too_late_to_complain(rules, game, completed);
    match wrong {
        WrongBeginning::Array | WrongBeginning::Orientation if is_too_late_to_complain => {
            BeginningRemedy::Continue
        }
        WrongBeginning::Array => BeginningRemedy::NewGame,
        WrongBeginning::Orientation => BeginningRemedy::Transfer,
        WrongBeginning::ReversedColours => match rules.setup.reversed_colours {
            ReversedColours::Continue => BeginningRemedy::ContinueUnlessArbiter,
            ReversedColours::NewGameBefore { moves } if completed.by_both() < moves => {
                BeginningRemedy::NewGame
            }
            ReversedColours::NewGameBefore { .. } => BeginningRemedy::Continue,
        },
    }
}

/// Returns whether it is too late to complain about the position, the board or the setting of the
/// clock. In rapid and blitz without adequate supervision that is so after a number of moves by
/// both (A.4.1).
pub const fn is_too_late_to_complain(
    rules: &Rules,
    game: (GameType, Supervision),
    completed: MovesMade,
) -> bool {
    let is_competition = matches!(game.0, GameType::Standard)
        || rules.game_types.has_supervised_mode && game.1.is_adequate();
    !is_competition && completed.by_both() >= rules.setup.complaint_moves
}

/// The clause for a wrong beginning.
pub const fn wrong_beginning_clause(wrong: WrongBeginning) -> &'static str {
    match wrong {
        WrongBeginning::Array => "7.2.1",
        WrongBeginning::Orientation => "7.2.2",
        WrongBeginning::ReversedColours => "7.3",
    }
}

/// Returns the rooks with which a player may still castle after a game began from a wrong initial
/// position and nobody may complain any more (A.4.1). `rights` is what the players believed,
/// `began` the initial position as it was.
pub fn castling_after_misplacement(rules: &Rules, began: &Board, rights: Bitboard) -> Bitboard {
    let right = Board::new();
    let mut kept = rights;
    for side in Color::ALL {
        let own = |role| began.by_color(side) & began.by_role(role);
        let should = |role| right.by_color(side) & right.by_role(role);
        let home = should(Role::Rook).first().map(|square| square.rank());
        let rank = home.map_or(Bitboard::EMPTY, Bitboard::from_rank);
        let king_is_misplaced = own(Role::King) != should(Role::King);
        let loses_all = match rules.setup.misplaced_castling {
            MisplacedCastling::KingOrRook => king_is_misplaced,
            MisplacedCastling::ExchangedKing => {
                own(Role::King) == should(Role::Queen) && own(Role::Queen) == should(Role::King)
            }
        };
        if loses_all {
            kept &= !rank;
        } else if rules.setup.misplaced_castling == MisplacedCastling::KingOrRook {
            kept &= !rank | should(Role::Rook);
        }
    }
    kept & began.rooks()
}

/// Whether a player who is late has lost (6.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// In time.
    InTime,
    /// Too late: the game is lost unless the arbiter decides otherwise.
    TooLate,
    /// The event had to set a default time and has not, so the arbiter decides (2014).
    EventMustSay,
}

/// Judges an arrival so long after the start. `event` is the default time of the event, if it has
/// set one.
pub fn arrival(rules: &Rules, event: Option<Duration>, late: Duration) -> Arrival {
    let allowed = match (event, rules.time.default_time) {
        (Some(event), _) => event,
        (None, DefaultTime::Minutes { minutes }) => Duration::from_secs(60 * u64::from(minutes)),
        (None, DefaultTime::EventMustSayElseNone) => Duration::ZERO,
        (None, DefaultTime::EventMustSay) => return Arrival::EventMustSay,
    };
    if late > allowed {
        Arrival::TooLate
    } else {
        Arrival::InTime
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Piece, Square};

    use super::super::Edition;
    use super::*;

    fn after(white: u32, black: u32) -> MovesMade {
        MovesMade { white, black }
    }

    #[test]
    fn reversed_colours_start_anew_before_the_tenth_move_of_both() {
        let standard = (GameType::Standard, Supervision::Adequate);
        let wrong = WrongBeginning::ReversedColours;
        for edition in Edition::ALL {
            let rules = edition.rules();
            let (early, late) = if edition >= Edition::E2017July {
                (BeginningRemedy::NewGame, BeginningRemedy::Continue)
            } else {
                let unless = BeginningRemedy::ContinueUnlessArbiter;
                (unless, unless)
            };
            let judged = |made| wrong_beginning(rules, standard, wrong, made);
            assert_eq!(judged(after(10, 9)), early, "{edition}");
            assert_eq!(judged(after(10, 10)), late, "{edition}");
        }
    }

    #[test]
    fn nobody_complains_of_the_array_in_rapid_after_the_window() {
        let rapid = (GameType::Rapid, Supervision::Inadequate);
        for (edition, moves) in [
            (Edition::E2001, 3),
            (Edition::E2009, 3),
            (Edition::E2023, 10),
        ] {
            let rules = edition.rules();
            let judged = |made| wrong_beginning(rules, rapid, WrongBeginning::Array, made);
            assert_eq!(judged(after(moves, moves - 1)), BeginningRemedy::NewGame);
            assert_eq!(judged(after(moves, moves)), BeginningRemedy::Continue);
        }
    }

    #[test]
    fn a_misplaced_king_or_rook_does_not_castle() {
        let mut began = Board::new();
        began.set_piece_at(
            Square::D1,
            Piece {
                color: Color::White,
                role: Role::King,
            },
        );
        began.set_piece_at(
            Square::E1,
            Piece {
                color: Color::White,
                role: Role::Queen,
            },
        );
        began.set_piece_at(
            Square::H8,
            Piece {
                color: Color::Black,
                role: Role::Knight,
            },
        );
        began.set_piece_at(
            Square::G8,
            Piece {
                color: Color::Black,
                role: Role::Rook,
            },
        );
        let believed = Bitboard::from_square(Square::A1)
            | Bitboard::from_square(Square::H1)
            | Bitboard::from_square(Square::A8)
            | Bitboard::from_square(Square::G8);
        let rules = Edition::E2023.rules();
        let kept = castling_after_misplacement(rules, &began, believed);
        assert_eq!(kept, Bitboard::from_square(Square::A8));
    }

    #[test]
    fn the_default_time_follows_the_edition() {
        let late = |edition: Edition, minutes: u64| {
            arrival(edition.rules(), None, Duration::from_secs(60 * minutes))
        };
        assert_eq!(late(Edition::E2001, 60), Arrival::InTime);
        assert_eq!(late(Edition::E2001, 61), Arrival::TooLate);
        assert_eq!(late(Edition::E2009, 0), Arrival::InTime);
        assert_eq!(late(Edition::E2009, 1), Arrival::TooLate);
        assert_eq!(late(Edition::E2014, 1), Arrival::EventMustSay);
        assert_eq!(late(Edition::E2023, 1), Arrival::TooLate);
    }
}
